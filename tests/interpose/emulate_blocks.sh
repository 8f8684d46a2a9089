# emulate_blocks: small blocks of memory, several by one statement, which are freed soon: ompp run --emulate counts their
# accesses, and those to members of their structures, as arithmetic says, and none of the allocator's; with blocks that
# have ranges of their own and without; in C, C++ and Fortran.
# Environment: SEED; LEVELS, of optimisation.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
blocks="python3 $srcdir/tests/interpose/emulate_blocks.py"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# check COMPILER LANGUAGE LEVEL SEED: a function that the compiler made several of would have several places of allocation.
check() {
	what="$1 $3, seed $4"
	$blocks make "$2" "$4" "blocks.$2" counts || fail "$what"
	$1 -w -g "$3" -fno-ipa-cp -fopenmp "blocks.$2" -o blocks || fail "$what: not compiled"
	for min in 1 100 65536; do
		OMPP_OBJECT_MIN=$min emulated 0 ./blocks
		$blocks counted blocks.json counts | grep -v '[.]' >got
		grep -v '[.]' counts >want
		same "$what, blocks from $min bytes on" want got
	done
	[ -x "$builddir/ompp-symbols" ] || return 0 # built without elfutils
	OMPP_OBJECT_MIN=$((1 + $4 % 2 * 200)) emulated 0 --fields ./blocks
	$blocks counted blocks.json counts >got
	same "$what, members" counts got
}

seed=${SEED:-$(date +%s)}
for level in ${LEVELS:--O$((seed % 4))}; do
	check gcc c $level $seed
	! command -v g++ >where || check g++ cpp $level $((seed + 1))
	[ -z "${GFORTRAN:-}" ] || check "$GFORTRAN" f90 $level $((seed + 2))
	seed=$((seed + 3))
done

# A signal handler that jumps out of the allocator: what is accessed after that counts.
cat >jumped.c <<'END'
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static sigjmp_buf back;
static void leave(int number)
{
	siglongjmp(back, number);
}
int main(void)
{
	volatile int *x = malloc(10 * sizeof *x);
	void *volatile none = (void *)16;
	long sum = 0;
	signal(SIGSEGV, leave);
	if (!sigsetjmp(back, 1))
		free(none);
	for (int i = 0; i < 1000; i++)
		sum += x[i % 10];
	return sum == 1L << 40 ? 1 : 7;
}
END
for flags in '' '-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2'; do
	for compiler in gcc "kinst gcc"; do
		$compiler -w -g -O1 $flags jumped.c -o jumped || fail "jumped.c: $compiler $flags"
		OMPP_OBJECT_MIN=65536 emulated 7 ./jumped
		place=$(grep -n 'x = malloc' jumped.c | cut -d: -f1)
		n=$($emulate_py counts jumped.json x "$place" | awk '{ n += $3 } END { print n + 0 }')
		[ "$n" = 1000 ] || fail "$compiler $flags: $n loads after a jump out of free()"
	done
done

# A thread frees what another has accessed, which has no event meanwhile: the object has the accesses, and for its members a
# note says that they are missing.
cat >gone.c <<'END'
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
struct pair {
	int first;
	double second;
};
static volatile struct pair *x;
static int step;
static void go(int n)
{
	__atomic_store_n(&step, n, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &step, FUTEX_WAKE, 9);
}
static void wait_for(int n)
{
	int now;
	while ((now = __atomic_load_n(&step, __ATOMIC_SEQ_CST)) < n)
		syscall(SYS_futex, &step, FUTEX_WAIT, now, NULL);
}
static void *run(void *none)
{
	for (int i = 0; i < 50; i++)
		x[i].second = i;
	go(1);
	wait_for(2);
	return none;
}
int main(void)
{
	pthread_t t;
	x = malloc(50 * sizeof *x);
	pthread_create(&t, 0, run, 0);
	wait_for(1);
	free((void *)x);
	go(2);
	return pthread_join(t, 0) ? 1 : 7;
}
END
[ -x "$builddir/ompp-symbols" ] || exit 0
gcc -w -g -O1 gone.c -o gone -pthread
OMPP_OBJECT_MIN=1 emulated 7 --fields ./gone
place=$(grep -n 'x = malloc' gone.c | cut -d: -f1)
[ "$($emulate_py counts gone.json x "$place" | awk '{ n += $4 } END { print n + 0 }')" = 50 ] ||
	fail "gone: $($emulate_py counts gone.json x "$place")"
ompp report --view=general gone.*.ompp | tr -s ' \n' ' ' >said
n=$(sed -n 's/.* \([0-9]*\) accesses to structures are not counted by members: .*another thread had freed.*/\1/p' said)
[ "${n:-0}" = 50 ] || fail "gone: that members are missing is not said: $(cat said)"
exit 0
