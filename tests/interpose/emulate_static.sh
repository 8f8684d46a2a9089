# emulate_static: ompp run --emulate counts all loads and stores of programs into which nothing can be loaded, static ones,
# stripped and not, with threads, of glibc and of musl: as lackey (valgrind) does for programs of chance, and as arithmetic
# says for threads, mappings, forks and ends by signals; output, status, environment and input are the program's own
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"

echo 'int main(void) { return 0; }' >none.c
gcc -static none.c -o none 2>/dev/null || skip "no static C library"

# Blocks of memory have the names of the system calls that map them: what malloc() returns is compared by threads.c.
if command -v valgrind >/dev/null; then
	linked=-static only='^s' by_chance 2 $$
	linked=-static-pie only='^s' by_chance 3
fi

cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
enum { N_THREADS = 6, N = 1000, TURNS = 10, BLOCK = 1 << 20 };
static double x[N_THREADS][N];
static volatile int hits[600];
static pthread_barrier_t all;
static long call(long n, long a, long b, long c, long d, long e, long f)
{
	long result;
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	__asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		: "rcx", "r11", "memory");
	return result;
}
static __attribute__((noinline)) volatile char *block(void)
{
	return (volatile char *)call(SYS_mmap, 0, BLOCK, 3, 0x22, -1, 0);
}
static void *run(void *row)
{
	volatile long mine[2000];
	for (int i = 0; i < 2000; i++)
		mine[i] = i;
	pthread_barrier_wait(&all);
	for (int k = 0; k < TURNS; k++)
		for (int i = 0; i < N; i++)
			((double *)row)[i] += i;
	for (int i = 0; i < 600; i++)
		__atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&all);
	return row;
}
int main(void)
{
	pthread_t t[N_THREADS];
	volatile char *p = block();
	for (int i = 0; i < BLOCK; i++)
		p[i] = 1;
	call(SYS_munmap, (long)p, BLOCK / 2, 0, 0, 0, 0);
	for (int i = BLOCK / 2; i < BLOCK; i++)
		p[i]++;
	pthread_barrier_init(&all, 0, N_THREADS);
	for (int i = 0; i < N_THREADS; i++)
		pthread_create(&t[i], 0, run, x[i]);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(t[i], 0);
	return 7;
}
END
place=$(grep -n '"syscall"' threads.c | cut -d: -f1)
for i in 1 2 3 4 5 6; do
	echo "x - 10000 10000 0 160000"
	echo "hits - 0 0 600 2400"
done | LC_ALL=C sort >want
half=$((1 << 19))
echo "- $half $((3 * half)) 0 $((4 * half))" >want_block
# check WHAT COMPILER…: builds threads.c, and compares its counts; without a debugger's lines, what has symbols
check() {
	what=$1
	shift
	"$@" -w -g -O1 -fno-tree-vectorize threads.c -o threads -pthread
	for option in --objects=all --cache=1 --sharing=1 --work=1 --dump-interval=60; do
		in_part 2 || continue
		OMPP_OBJECT_MIN=512 emulated 7 $option ./threads
		for name in x hits; do
			$emulate_py counts threads.json $name | sed "s/^/$name /"
		done | awk '{ print $1, $2, $4, $5, $6, $7 }' | LC_ALL=C sort >got
		same "$what, $option: x and hits" want got
		$emulate_py counts threads.json block "$place" | cut -d ' ' -f 1,3-6 >got
		same "$what, $option: block" want_block got
		n=$($emulate_py counts threads.json '(stack)' | awk '$4 >= 2000' | wc -l)
		[ "$n" = 6 ] || fail "$what, $option: the stacks of $n threads: $($emulate_py counts threads.json '(stack)')"
	done
	ompp report --view=general threads.*.ompp >general
	! grep -q 'accesses are not counted' general || fail "$what: $(grep -A2 'accesses are not counted' general)"
}
check glibc gcc -static
musl=$(command -v musl-gcc || :)
[ ! "$musl" ] || check musl "$musl" -static

# stripped: what has no symbol is counted for the file
gcc -w -g -O1 -static -fno-tree-vectorize threads.c -o threads -pthread
strip -o stripped threads
emulated 7 --objects=all ./stripped
$emulate_py counts stripped.json 'stripped: bss' | awk '$3 >= 10000 && $5 >= 600' >got
[ "$(wc -l <got)" = 6 ] || fail "stripped: $($emulate_py counts stripped.json 'stripped: bss')"

own_source
gcc -w -O1 -static -DIS_STATIC=1 own.c -o own
check_own
# counters would be the emulator's; and where its memory is elsewhere, the program runs, and ompp says why nothing is told
rm -f own.*.ompp
OMPP_CTR1=cpu-migrations OMPP_CTR2=alignment-faults emulate ompp run --emulate ./own _exit || :
ompp report --view=general own.*.ompp >general
[ "$(grep -c '^OMPP_CTR[12] *: [a-z-]*, not counted' general)" = 2 ] || fail "counters: $(grep CTR general)"
rm -f own.*.ompp
status=0
QEMU_GUEST_BASE=0x100000000 ompp run --emulate ./threads >out 2>said || status=$?
[ $status = 7 ] && grep -q 'left no profile.*QEMU_GUEST_BASE' said || fail "elsewhere in memory: status $status: $(cat said)"
if [ "$musl" ]; then
	"$musl" -w -O1 -static -DIS_STATIC=1 own.c -o own
	check_own
	# nor can libompp be loaded into a program whose C library is not that of GNU
	"$musl" -w -O1 -DIS_STATIC=0 own.c -o own
	own 9 'before - 0 3000 3000 0 24000 ' _exit
	status=0
	ompp run ./own _exit >out 2>said || status=$?
	[ $status = 9 ] && grep -q 'it is for the C library musl, and libompp needs the GNU C library' said ||
		fail "musl: status $status: $(cat said)"
fi
exit 0
