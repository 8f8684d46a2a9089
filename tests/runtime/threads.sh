# threads: with access hooks the start of a thread takes as many system calls however many threads there are, and each thread
# has its row
. "$srcdir/tests/lib.sh"
command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null || skip "no strace"

kinst --access $CC -O1 -fopenmp "$srcdir/tests/runtime/threads.c" -o ours
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1 OMP_WAIT_POLICY=passive

# calls N: how many calls a run of N threads makes; without those that wait, which the scheduler decides.
calls() {
	strace -f -o trace ./ours "$1" >out
	[ "$(cat out)" = 1024 ] || fail "$1 threads: prints $(cat out)"
	n_rows=$(awk -F, '/^##BEG .* flat/ { inside = 1 } /^##END/ { inside = 0 } inside && $1 ~ /^[0-9]+$/' report | wc -l)
	[ "$n_rows" = "$1" ] || fail "$1 threads have $n_rows rows"
	grep -c ' mmap(' trace >"maps.$1"
	grep -v 'resumed' trace | grep -cvE 'futex|sched_yield|clock_gettime|getrusage|SIG|exited'
}
few=$(calls 50)
some=$(calls 150)
many=$(calls 350)
echo "system calls of 50, 150 and 350 threads: $few, $some, $many"
# Twice as many threads more, twice as many calls more, and some for memory.
awk -v a="$few" -v b="$some" -v c="$many" 'BEGIN { exit !(b > a && c - b <= 2.2 * (b - a)) }' ||
	fail "calls grow faster than threads"

# They wait for each other at each mapping that one makes: there are six, of its stack, its slot, its tree, its signal stack,
# its tallies and its ring of hot spots.
more=$(($(cat maps.350) - $(cat maps.150)))
[ $more -le 1300 ] || fail "200 threads more make $more mappings more"
