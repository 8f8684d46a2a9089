# emulate_order: ompp run --emulate feeds the cache model, the trace of pages and the search for shared lines with the
# accesses of each thread in their order: misses are those of caches simulated over lackey's (valgrind) trace, pages
# have its accesses, shared lines have what arithmetic says of threads that take turns; counts are the same as without,
# for 1 to 16 threads; output and status are the program's own (emulate_order_all.sh: with more programs of chance)
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
order_py="python3 $srcdir/tests/interpose/emulate_order.py"

# profile PROGRAM OPTION…: runs it with these options of OMPP_, with its output in out and the profile in PROGRAM.json.
profile() {
	program=$1
	shift
	rm -f "$program".*.ompp*
	emulate env "$@" ompp run --emulate "./$program" addresses2 || fail "$program, $*: status $?: $(cat said)"
	ompp report --format=json "$program".*.ompp >"$program.json" || fail "$program, $*: no profile"
}

seeds="1 $$"
[ -z "${ALL:-}" ] || seeds="$(seq 2 9) $$"
if command -v valgrind >/dev/null; then
	for seed in $seeds; do
		$order_py make "$seed" walk.c
		gcc -w -g -O1 -fno-builtin -fno-tree-loop-distribute-patterns -no-pie walk.c -o walk
		valgrind --tool=lackey --trace-mem=yes --log-file=trace ./walk addresses >/dev/null
		for caches in L1=2K/2/64,L2=16K/4/64 L1=4K/8/32,L2=8K/2/64,L3=64K/16/64; do
			profile walk OMPP_CACHE=$caches OMPP_OBJECT_MIN=1
			$order_py misses addresses trace walk.json $caches || fail "seed $seed: misses of $caches differ"
		done
		for others in OMPP_CACHE=0 OMPP_CACHE=L1=2K/2/64; do
			profile walk OMPP_PAGES=auto OMPP_OBJECT_MIN=1 $others
			ompp pages --csv --format=csv walk.*.ompp.pages >pages.csv || fail "seed $seed: no trace of pages"
			$order_py pages addresses trace pages.csv || fail "seed $seed, $others: accesses of pages differ"
			grep -q 'exact, by emulation' out || fail "a trace by hooks: $(grep hooks out)"
		done
	done
	# what is counted is the same with all of them
	export OMPP_CACHE=L1=2K/2/64 OMPP_PAGES=auto OMPP_SHARING=1
	by_chance 3
	unset OMPP_CACHE OMPP_PAGES OMPP_SHARING
fi
for options in OMPP_CACHE=L1=2K/2/64 OMPP_PAGES=auto OMPP_SHARING=1 'OMPP_CACHE=1 OMPP_PAGES=auto OMPP_SHARING=1'; do
	export $options
	teams $$ 3
	unset OMPP_CACHE OMPP_PAGES OMPP_SHARING
done

# threads that take turns at a line: each store but the first comes after another thread's
cat >turns.c <<'END'
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
enum { TURNS = 60 };
static volatile long turn __attribute__((aligned(64)));
static volatile long line[8] __attribute__((aligned(64))), own[16][8] __attribute__((aligned(64)));
int main(void)
{
	long n = atoi(getenv("MEMBERS"));
#pragma omp parallel num_threads(n)
	{
		int me = omp_get_thread_num();
		for (long k = me; k < TURNS * n; k += n) {
			while (turn != k)
				sched_yield();
			line[me % 8]++;
			own[me][k % 8]++;
			turn = k + 1;
		}
	}
	printf("%ld\n", turn);
	return turn != TURNS * n;
}
END
gcc -g -O1 -fopenmp turns.c -o turns
for n in 1 2 3 16; do
	for others in OMPP_CACHE=0 OMPP_CACHE=1; do
		[ "${ALL:-}" ] || [ $others = OMPP_CACHE=$((n % 2)) ] || continue
		profile turns MEMBERS=$n OMP_WAIT_POLICY=passive OMPP_SHARING=1 OMPP_OBJECT_MIN=1 $others
		[ "$(head -n 1 out)" = $((60 * n)) ] || fail "$n threads: output $(head -n 1 out)"
		all=$((60 * n))
		[ $n -gt 1 ] || all=0
		# a thread may lose its processor between its store to turn and the emulator's call for it, and another thread
		# that waits for the store then comes first; by the next store to line the call has been made
		$order_py lines turns.json line $all $((all ? all - 1 : 0)) $((all ? n : 0)) || fail "$n threads: line"
		$order_py lines turns.json turn $all $((all ? all - 1 : 0)) $((all ? n : 0)) $((all / 10)) ||
			fail "$n threads: turn"
		$order_py lines turns.json own 0 0 0 || fail "$n threads: own lines are shared"
	done
done

# blocks that another thread frees just after the accesses, whose names others get: each access counts for its own
cat >freed.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
enum { ROUNDS = 40, N = 500 };
static long *volatile block;
static volatile int turn;
static void *user(void *none)
{
	for (int k = 0; k < ROUNDS; k++) {
		while (turn != 2 * k + 1)
			sched_yield();
		for (int i = 0; i < N; i++)
			block[i] = i;
		turn = 2 * k + 2;
	}
	return none;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, user, 0);
	for (int k = 0; k < ROUNDS; k++) {
		if (k & 1)
			block = malloc(160000);
		else
			block = malloc(160001);
		turn = 2 * k + 1;
		while (turn != 2 * k + 2)
			sched_yield();
		free(block);
	}
	return pthread_join(t, 0);
}
END
gcc -w -g -O1 -fno-tree-vectorize freed.c -o freed -pthread
for options in OMPP_CACHE=1 OMPP_SHARING=1 OMPP_PAGES=auto; do
	profile freed $options
	for size in 160000 160001; do
		place=$(grep -n "malloc($size)" freed.c | cut -d: -f1)
		$emulate_py counts freed.json x "$place" | awk '{ n += $4 } END { print n + 0 }' >got
		[ "$(cat got)" -ge 10000 ] && [ "$(cat got)" -le 10100 ] ||
			fail "$options: stores of line $place: $(cat got) of 10000"
	done
done
