# cost: no system call and no malloc for an event; start and report are quick; a thread's memory is small
. "$srcdir/tests/lib.sh"

cflags='-fopenmp -O2 -w'
kinst $CC $cflags "$srcdir/tests/runtime/cost.c" -o ours
kinst $CC $cflags "$srcdir/tests/runtime/work.c" -o small -lm
sed 's/#include <ompp.h>/#define ompp_dump()/' "$srcdir/tests/runtime/work.c" >work.c
KINST=off kinst $CC $cflags work.c -o plain -lm
$CC -w -shared -fPIC "$srcdir/tests/runtime/calls.c" -o calls.so
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1

# Ten times the events, the same number of calls of malloc.
mallocs() {
	CALLS="$PWD/calls" LD_PRELOAD="$PWD/calls.so" OMP_NUM_THREADS=2 ./ours "$1" >out
	od -An -td8 calls | tr -d ' '
}
few=$(mallocs 10000)
many=$(mallocs 100000)
[ "$few" -gt 0 ] && [ "$few" = "$many" ] || fail "malloc: $few calls for 10^4 rounds, $many for 10^5"
[ "$(csv_field report ATOMIC SUM execC)" = 200000 ] || fail "events are missing"

# No system call for an event: 100,000 rounds have no 40 calls more than 10,000 (a page of a table, a clock that is read
# again); one in a thousand events would make several hundred.  One thread, as the waits of two are the OpenMP library's
# and differ from run to run.
# OMPP_HOT=0, as a helper looks up the functions of the samples for the report, of which a longer run has more.
if command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null; then
	syscalls() {
		OMPP_HOT=0 strace -f -o trace ./ours "$1" events 1 >out
		wc -l <trace
	}
	# what was preempted while costs are measured is measured again: the least of some runs
	least() {
		for i in 1 2 3 4 5; do
			syscalls "$1"
		done | sort -n | head -1
	}
	few=$(least 10000)
	many=$(least 100000)
	[ $((many - few)) -le 40 ] || fail "system calls: $few for 10^4 rounds, $many for 10^5"
else
	echo "no strace here: system calls are not counted"
fi

# Start and report of a small program against the plain build: ≤ 20 ms, the least of 15 runs in turn.  On a machine with
# more to run than processors a run waits its turn, and each of them once more where it starts a process: there the
# processor's time counts, the mean of 15 runs.
least_ms() {
	awk 'NR == 1 || $1 < least { least = $1 } END { print least / 1000000 }' "$1"
}
time_once() {
	before=$(date +%s%N)
	"./$1" >out || :
	echo $(($(date +%s%N) - before)) >>"$1.ns"
}
# Its output is read, so that a shell of its own runs it: the last line of times is of the 15 runs alone, as 0m0.05s 0m0.01s.
cpu_ms() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		"./$1" >out || :
	done
	times >times
	awk 'END { split($1, u, /[ms]/); split($2, s, /[ms]/); print 1000 * (60 * (u[1] + s[1]) + u[2] + s[2]) / 15 }' times
}
is_busy() {
	awk -v n="$(nproc)" '/^procs_running/ { exit !($2 > n + 1) }' /proc/stat
}
quick() {
	rm -f ./*.ns
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		time_once plain
		time_once small
	done
	awk -v a="$(least_ms plain.ns)" -v b="$(least_ms small.ns)" \
		'BEGIN { printf "start and report: %.1f ms, plain %.1f ms\n", b, a; exit !(b - a <= 20) }' && return
	is_busy || return
	awk -v a="$(cpu_ms plain)" -v b="$(cpu_ms small)" \
		'BEGIN { printf "busy: start and report: %.1f ms of the processor, plain %.1f ms\n", b, a; exit !(b - a <= 20) }'
}
retry 8 quick || fail "start and report cost more than 20 ms"

# 1,000 call paths in each of 17 threads take at most 1 MiB a thread more than one call path in each.
memory() {
	one=$(./ours 1 nodes 17)
	thousand=$(./ours 1000 nodes 17)
	echo "memory of 17 threads: $one KiB with one call path each, $thousand KiB with 1,000"
	[ $((thousand - one)) -le $((17 * 1024)) ]
}
retry 3 memory || fail "more than 1 MiB for a thread with 1,000 call paths"

# A thread itself: 16 more threads, each with one call path, against the same without measuring.
threads() {
	with=$(($(./ours 1 nodes 17) - $(./ours 1 nodes 1)))
	export OMPP_REPORTFILE=none
	sed -e 's/#include <ompp.h>/#define ompp_region_begin(a)/' -e 's/ompp_region_end(.*);//' \
		"$srcdir/tests/runtime/cost.c" >cost.c
	KINST=off kinst $CC $cflags cost.c -o bare
	without=$(($(./bare 1 nodes 17) - $(./bare 1 nodes 1)))
	echo "16 more threads: $with KiB, without measuring $without KiB"
	[ $((with - without)) -le $((16 * 1024)) ]
}
retry 3 threads || fail "more than 1 MiB for a thread"
