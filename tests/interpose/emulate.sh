# emulate: ompp run --emulate counts all loads and stores of a program that kinst did not build: as lackey (valgrind) does
# for programs of chance and for single instructions, as arithmetic says for several threads; output, status and signals
# are the program's own; what it cannot do, it says
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"

if command -v valgrind >/dev/null; then
	by_chance 1 $$ # emulate_all.sh has more
	if grep -q avx2 /proc/cpuinfo; then
		$emulate_py operands g.c
		gcc -w -O1 -mavx2 g.c -o g
		compare operands
	fi
fi
teams $$

# several threads: each loop's share of each thread, in each region
cat >teams.c <<'END'
#include <stdlib.h>
enum { N = 4800, TURNS = 10 };
static double a[N];
static int hits[N];
static void work(double *b)
{
#pragma omp parallel
	for (int k = 0; k < TURNS; k++)
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			a[i] += b[i];
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		__atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
}
int main(void)
{
	double *b = malloc(sizeof(double) * N + 200000);
	for (int i = 0; i < N; i++)
		b[i] = i;
	work(b);
	return a[1] == TURNS ? 7 : 8;
}
END
gcc -g -O1 -fno-tree-vectorize -fopenmp teams.c -o teams
place=$(grep -n malloc teams.c | cut -d: -f1)
for n in 1 2 4 16; do
	OMP_NUM_THREADS=$n OMP_WAIT_POLICY=passive emulated 7 ./teams
	share=$((4800 / n)) turns=$((48000 / n))
	for thread in $(seq 0 $((n - 1))); do
		echo "PARALLEL $thread $turns $turns 0 $((turns * 16))"
	done >want
	$emulate_py counts teams.json a | grep PARALLEL | sort -k 2n >got
	same "$n threads: a" want got
	sed 's/ [0-9]* 0 [0-9]*$//; s/$/ 0 0 '$((turns * 8))/ want >want_b
	$emulate_py counts teams.json b $place | grep PARALLEL | sort -k 2n >got
	same "$n threads: b" want_b got
	[ "$($emulate_py counts teams.json b $place | grep '^- 0')" = "- 0 0 4800 0 38400" ] ||
		fail "$n threads: b outside: $($emulate_py counts teams.json b $place)"
	for thread in $(seq 0 $((n - 1))); do
		echo "PARALLEL $thread 0 0 $share $((share * 4))"
	done >want
	$emulate_py counts teams.json hits | sort -k 2n >got
	same "$n threads: hits" want got
done
grep -q "times are the emulator's, not the program's" out || fail "times: $(cat out)"
grep -q 'no findings' out || fail "there are findings: $(cat out)"
ompp report --view=data --format=csv teams.*.ompp | grep -q '^a,' || fail "no row of a"

# threads without OpenMP, whose rows are those of threads that ended before them, perhaps
cat >threads.c <<'END'
#include <pthread.h>
enum { N_THREADS = 9, N = 1000, TURNS = 10 };
static double x[N_THREADS][N];
static void *run(void *row)
{
	for (int k = 0; k < TURNS; k++)
		for (int i = 0; i < N; i++)
			((double *)row)[i] += i;
	return row;
}
int main(void)
{
	pthread_t t[N_THREADS];
	for (int i = 0; i < N_THREADS; i++)
		pthread_create(&t[i], 0, run, x[i]);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(t[i], 0);
	return x[N_THREADS - 1][2] == 2 * TURNS ? 7 : 8;
}
END
gcc -g -O1 -fno-tree-vectorize threads.c -o threads -pthread
emulated 7 ./threads
$emulate_py counts threads.json x | awk '{ loads[$1] += $3; stores[$1] += $4 }
	END { for (k in loads) print k, loads[k], stores[k] }' | sort >got
printf -- '- 1 0\nTHREAD 90000 90000\n' >want
same "threads: x" want got
# the C library ends them after our last event
ompp report --view=general threads.*.ompp | tr -s ' \n' ' ' | grep -q "accesses are not counted, as they came after .* (threads: 9)" ||
	fail "threads: accesses at their ends: $(cat said)"

# what the kernel moves in system calls: the C library's allocator asks for 8 random bytes, too
cat >moves.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
static char part[3][4000];
static void *run(void *fd)
{
	for (int i = 0; i < 10; i++)
		if (pread(*(int *)fd, part[2], 100, 0) != 100)
			_exit(9);
	return 0;
}
int main(void)
{
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY), two[2];
	struct iovec v[2] = { { part[0], 300 }, { part[1], 4000 } };
	pthread_t t[4];
	long filled = 0, drained = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, run, &zero);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	filled += read(zero, part[0], 1234);
	filled += readv(zero, v, 2);
	filled += preadv(zero, v, 1, 0);
	filled += getrandom(part[1], 77, 0);
	drained += write(null, part[0], 999);
	drained += writev(null, v, 2);
	drained += pwrite(null, part[0], 5, 0);
	socketpair(AF_UNIX, SOCK_DGRAM, 0, two);
	drained += send(two[0], part[0], 600, 0);
	filled += recv(two[1], part[1], 4000, 0); /* 600 come */
	if (read(-1, part[0], 10) != -1 || write(99, part[0], 10) != -1)
		return 9;
	if (read(zero, (void *)8, 10) != -1)
		return 9;
	return filled == 1234 + 4300 + 300 + 77 + 600 && drained == 999 + 4300 + 5 + 600 ? 7 : 8;
}
END
gcc -w -O1 moves.c -o moves -pthread
emulated 7 ./moves
ompp report --view=general moves.*.ompp | tr -s ' \n' ' ' >said
filled=$((1234 + 4300 + 300 + 77 + 600 + 40 * 100)) drained=$((999 + 4300 + 5 + 600))
grep -q "it wrote \($filled bytes (calls: 45)\|$((filled + 8)) bytes (calls: 46)\), and by write and its like it read $drained bytes (calls: 4)" \
	said || fail "moves: not $filled and $drained bytes: $(cat said)"

# what libompp itself does for blocks of memory is none of the program's accesses: each has as many stores as lackey
# sees of the program alone, atomic ones among them; a thread that waits at its end, or does not, has some more or less
cat >own_locks.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *run(void *n)
{
	for (int i = 0; i < *(int *)n; i++) {
		char *volatile p = malloc(50000);
		free(p);
	}
	return 0;
}
int main(int argc, char **argv)
{
	int n = argc * 1000;
	pthread_t t;
	pthread_create(&t, 0, run, &n);
	return pthread_join(t, 0);
}
END
gcc -g -O1 own_locks.c -o own_locks -pthread
if command -v valgrind >/dev/null; then
	for more in '' more; do
		valgrind --tool=lackey --trace-mem=yes --log-file=trace ./own_locks $more
		grep -c '^ [SM] ' trace >&3
		emulated 0 ./own_locks $more
		python3 -c 'import json, sys
rows = json.load(open(sys.argv[1]))["accesses"]
print(sum(rows["stores"]) + sum(rows["atomics"]))' own_locks.json >&4
	done 3>lackey 4>ours
	for side in lackey ours; do
		awk 'NR == 1 { less = $1 } END { printf "%.0f\n", ($1 - less) / 1000 }' $side >each_$side
	done
	same "own locks: stores" each_lackey each_ours
	[ "$(cat each_lackey)" -gt 10 ] || fail "own locks: lackey: $(cat lackey)"
fi

# what is in no object takes no longer than what is in one: its pages have segments of their own after an event
cat >cost.c <<'END'
#include <stdlib.h>
enum { N = 40000 };
int main(void)
{
	long *a = calloc(N, sizeof *a), sum = 0;
	for (int k = 0; k < 1000; k++)
#pragma omp parallel for reduction(+ : sum)
		for (int i = 0; i < N; i++)
			sum += a[i];
	return sum != 0;
}
END
gcc -w -O1 -fopenmp cost.c -o cost
export OMP_NUM_THREADS=1
for objects in all named all named; do
	OMPP_OBJECTS=$objects sh -c '"$@" >out 2>&1 || exit 1; times' sh ompp run --emulate ./cost >times || continue
	awk -v objects=$objects 'END { split($1, t, "[ms]"); print objects, 60 * t[1] + t[2] }' times
done >spent
unset OMP_NUM_THREADS
awk '!($1 in least) || $2 < least[$1] { least[$1] = $2 }
	END { exit !(least["all"] > 0.05 && least["named"] < 1.3 * least["all"]) }' spent ||
	fail "what is in no object takes too long: $(tr '\n' ' ' <spent)"

# stripped programs: what has no symbol is counted for the file
strip -o stripped teams
OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive emulated 7 ./stripped
$emulate_py counts stripped.json 'stripped: bss' | grep PARALLEL | sort -k 5n -k 2n >got
cat >want <<'END'
PARALLEL 0 0 0 2400 9600
PARALLEL 1 0 0 2400 9600
PARALLEL 0 24000 24000 0 384000
PARALLEL 1 24000 24000 0 384000
END
sort -k 5n -k 2n want >want_sorted
same "stripped: counts" want_sorted got

# the program's own behaviour, also when it is found by PATH
own_source
gcc -w -O1 -DIS_STATIC=0 own.c -o own
check_own
mkdir bin
cp own bin/named
for with in '' 'ompp run --emulate'; do
	echo typed | PATH="$PWD/bin:$PATH" OWN=own OMPP_REPORTFILE=none $with named two || :
done >got 2>said
[ "$(sort -u got | wc -l)" = 1 ] && grep -q '^named 2 two own' got || fail "found by PATH: $(cat got said)"

# refuse STATUS WORDS COMMAND…
refuse() {
	want=$1 words=$2
	shift 2
	status=0
	"$@" >out 2>said || status=$?
	[ $status = "$want" ] || fail "$*: status $status: $(cat said)"
	grep -q -- "$words" said || fail "$*: $(cat said)"
}
KINST_FLAGS='' kinst gcc -fopenmp teams.c -o ours && refuse 126 'kinst built it' ompp run --emulate ./ours
printf '#!/bin/sh\nexit 3\n' >script && chmod +x script
refuse 126 'no program for x86-64' ompp run --emulate ./script
refuse 127 'No such file' ompp run --emulate ./missing
refuse 126 'the emulator cannot do OMPP_SAMPLE' env OMPP_SAMPLE=auto "$builddir/ompp" run --emulate ./own
refuse 126 'the emulator cannot do OMPP_LAYOUTS' "$builddir/ompp" run --emulate --layouts ./own
refuse 2 'leave one of them out' ompp run --emulate --threads=1,2 ./own
refuse 126 'install QEMU' env PATH=/nowhere "$builddir/ompp" run --emulate ./own
exit 0
