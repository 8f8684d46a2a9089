# sensors: what ompp stat reads agrees with what this test reads of the same kernel before and after, or with what the program
# knows of itself; the program behaves as it does without.
. "$srcdir/tests/lib.sh"

# ---- the same numbers as another reader ----

# vmstat FILE NAME: a number of a file with lines "name number".
vmstat() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }

# total FILE COLUMN: what a column of ompp stat has counted in all: its rates, each times its interval.
total() { awk -v c="$2" '$1 ~ /^[0-9.]+$/ { sum += $c * ($1 - last); last = $1 } END { printf "%.3f\n", sum }' "$1"; }

# compare WHAT LEAST MOST TOTAL: what was counted in between is at least what was counted inside of it, and at most what
# was counted around it; 2 % for the times of lines, which have three decimals.
compare() {
	awk -v least="$2" -v most="$3" -v n="$4" 'BEGIN { exit !(n >= least * 0.98 - 1 && n <= most * 1.02 + 1) }' ||
		{ echo "$1: $4, not from $2 to $3"; return 1; }
}

# A program that faults on 20,000 pages, and knows how often it did, how often it slept, how much CPU time it took, and
# how much of the machine's the kernel called user time meanwhile: what of a fault is user time differs between machines.
cat >faults.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
static long user_ticks(void)
{
	long n = 0;
	FILE *f = fopen("/proc/stat", "r");
	if (!f || fscanf(f, "cpu %ld", &n) != 1)
		exit(1);
	fclose(f);
	return n;
}
int main(void)
{
	struct rusage u;
	struct timespec t = { 0, 5000000 };
	volatile double x = 1;
	long before = user_ticks();
	char *p = mmap(NULL, 20000 * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, 20000 * 4096L, MADV_NOHUGEPAGE);
	for (long i = 0; i < 20000; i++)
		p[i * 4096] = 1;
	for (int i = 0; i < 50; i++)
		nanosleep(&t, NULL);
	for (long i = 0; i < 100000000; i++)
		x += i;
	getrusage(RUSAGE_SELF, &u);
	printf("%ld %ld %.6f %ld\n", u.ru_minflt + u.ru_majflt, u.ru_nvcsw,
	       (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec),
	       user_ticks() - before);
	return 3;
}
C
$CC -O1 faults.c -o faults || fail 'faults.c'
# Behind times, which have a limit, stands their share of it.
against_kernel() {
	cat /proc/vmstat >around_before
	grep '^cpu ' /proc/stat >stat_before
	status=0
	ompp stat --interval=50ms -e vmstat:pgfault,process:minor,process:major,task:run,task:voluntary,stat:user,stat:switches,node:numa_hit \
		-- ./faults >own 2>out || status=$?
	cat /proc/vmstat >around_after
	grep '^cpu ' /proc/stat >stat_after
	[ $status = 3 ] || fail "exit status $status: $(cat out)"
	read -r faults sleeps seconds ticks <own
	compare pgfault "$faults" $(($(vmstat around_after pgfault) - $(vmstat around_before pgfault))) "$(total out 2)" || return 1
	compare faults "$faults" $((faults + 200)) "$(awk '$1 ~ /^[0-9.]+$/ { sum += ($3 + $4) * ($1 - last); last = $1 }
		END { printf "%.3f", sum }' out)" || return 1
	compare 'CPU time x 100' "$(echo "$seconds" | awk '{ print $1 * 100 }')" "$(echo "$seconds" | awk '{ print ($1 + 0.05) * 100 }')" \
		"$(total out 5 | awk '{ print $1 * 100 }')" || return 1
	compare sleeps "$sleeps" $((sleeps + 30)) "$(total out 7)" || return 1
	compare 'user ticks' "$ticks" "$(cat stat_before stat_after | awk '{ n = $2 - n } END { print n }')" \
		"$(total out 8 | awk '{ print $1 * 100 }')" || return 1
	compare numa_hit 20000 $(($(vmstat around_after numa_hit) - $(vmstat around_before numa_hit))) "$(total out 11)"
}
[ "$(getconf CLK_TCK)" != 100 ] || [ ! -e /sys/devices/system/node/node0 ] || retry 4 against_kernel || { cat out; fail 'the numbers differ'; }

# Gauges are what the files say meanwhile: memory that this test has just taken is missing from MemFree.
gauge() {
	free=$(awk '$3 == "MemFree:" { print $4 * 1024 }' /sys/devices/system/node/node0/meminfo)
	ompp stat -e node:MemFree@node0 --samples=1 --interval=10ms >out || fail "status $?"
	near MemFree "$(awk 'END { print $2 }' out)" "$free" 5 50000000
}
[ ! -e /sys/devices/system/node/node0/meminfo ] || retry 4 gauge || fail 'MemFree'

# What lo received is what was sent over it.
if command -v python3 >/dev/null && grep -q 'lo:' /proc/net/dev; then
	ompp stat -e net:received@lo --interval=1h -- python3 -c '
import socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); a.bind(("127.0.0.1", 0)); a.settimeout(5)
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(100): b.sendto(b"x" * 10000, a.getsockname()); a.recv(20000)' 2>out || fail "lo: $(cat out)"
	compare lo 1000000 1500000 "$(total out 2)" || fail 'what lo received'
fi

# Events that the kernel counts by CPU, where it permits that, are those of /proc.
by_cpu() {
	ompp stat -e perf:context-switches,stat:switches,perf:page-faults,vmstat:pgfault --interval=1s --samples=1 >out || fail 'perf'
	near 'context switches' "$(awk 'END { print $2 }' out)" "$(awk 'END { print $3 }' out)" 5 20 || return 1
	near 'page faults' "$(awk 'END { print $4 }' out)" "$(awk 'END { print $5 }' out)" 10 200
}
! ompp sensors perf | grep -q '^  context-switches' || retry 4 by_cpu || { cat out; fail 'events by CPU'; }

# ---- columns ----

ompp stat -e stat --discrete --samples=1 --interval=10ms >out || fail "discrete: $?"
n=$(grep -c '^cpu[0-9]' /proc/stat)
[ "$(sed -n 2p out | tr -s ' ' '\n' | grep -cx user)" = $((2 * n)) ] || fail "not $n columns of CPUs, and their shares of a second"
[ "$(tail -1 out | tr -s ' ' '\n' | grep -cx -e -)" = 0 ] || { cat out; fail 'a column of something that no source has'; }
ompp stat -e vmstat:pgfault --samples=3 --interval=10ms >out
[ "$(wc -l <out)" = 6 ] || { cat out; fail 'not a heading of 3 lines and 3 samples'; }
ompp sensors --format=csv >list.csv || fail 'the list'
for name in vmstat stat process hwmon perf; do
	grep -q "^$name," list.csv || fail "$name is not listed"
done
grep -q '^process,-,.*,no,.*give one after' list.csv || fail 'no reason'

# ---- mistakes ----

complains() {		# complains WORDS OPTION …
	words=$1
	shift
	if ompp stat "$@" >out 2>err; then fail "$*: no complaint"; fi
	grep -qF -- "$words" err || { cat err; fail "$*: not '$words'"; }
	[ "$(wc -l <err)" = 1 ] || { cat err; fail "$*: more than a line"; }
}
complains "did you mean 'stat:user'?" -e stat:usr
complains "did you mean 'vmstat:pgfault'?" -e pgfault
complains "did you mean 'vmstat'?" -e vmstt
complains "ompp sensors" -e completely:different
complains 'not a time' --interval=fast
complains 'not a time' --interval=0
complains 'not a number of samples' --samples=-1
complains 'no process' --pid=999999999
complains 'give one of them' --pid=1 -- true
complains 'did you mean --discrete' --discret
complains 'has no value' -e
complains 'not a pattern' -e :

# ---- the program is as without ----

status=0; ompp stat -- sh -c 'exit 42' 2>/dev/null || status=$?
[ $status = 42 ] || fail "exit status $status, not 42"
status=0; { ompp stat -- sh -c 'kill -TERM $$' 2>/dev/null; } 2>/dev/null || status=$?
[ $status = 143 ] || fail "exit status $status, not 143"
# a parent may ignore the death of children: ompp waits for the program all the same, which ignores it as without ompp
if command -v python3 >/dev/null; then
	cat >deaf.py <<'EOF'
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])
EOF
	python3 deaf.py grep SigIgn /proc/self/status >want
	python3 deaf.py ompp stat --interval=1h -- grep SigIgn /proc/self/status >got 2>/dev/null || fail "status $?"
	status=0; python3 deaf.py ompp stat --interval=1h -- sh -c 'exit 42' 2>/dev/null || status=$?
	[ $status = 42 ] || fail "exit status $status, not 42, where the death of children is ignored"
	same 'ignored signals' want got
fi
status=0; ompp stat -- ./no_such_program 2>err || status=$?
[ $status = 127 ] || fail "exit status $status, not 127"
[ "$(echo input | ompp stat -- cat 2>/dev/null)" = input ] || fail 'stdin and stdout'
# Its signals are those that it would have: none is blocked or ignored that was not.
grep -E '^Sig(Blk|Ign)' /proc/self/status >signals
ompp stat -- grep -E '^Sig(Blk|Ign)' /proc/self/status >signals_watched 2>/dev/null
same 'masks of signals' signals signals_watched
# Its descriptors are those that it would have.
readlink -f /proc/self/fd >/dev/null
sh -c 'ls /proc/self/fd | wc -l' >files
ompp stat -- sh -c 'ls /proc/self/fd | wc -l' >files_watched 2>/dev/null
same 'descriptors' files files_watched
# SIGTERM to ompp ends the program, and a reader that goes does not.
ompp stat --interval=1h -- sh -c 'trap "exit 9" TERM; echo ready >ready; while :; do sleep 0.05; done' 2>/dev/null &
pid=$!
until [ -s ready ]; do sleep 0.05; done
kill -TERM $pid
status=0; wait $pid || status=$?
[ $status = 9 ] || fail "the program did not get SIGTERM: status $status"
status=0
{ ompp stat --interval=10ms -- sh -c 'sleep 0.3; exit 5' 2>&1 >&3 || echo $? >status; } 3>&1 | head -1 >/dev/null
[ "$(cat status)" = 5 ] || fail "a reader that goes changes the program's exit status: $(cat status)"
# A program that runs already is watched to its end.
sleep 0.5 &
pid=$!
ompp stat --pid=$pid -e process --interval=100ms >out || fail "--pid: status $?"
[ "$(wc -l <out)" -ge 5 ] || { cat out; fail '--pid'; }
