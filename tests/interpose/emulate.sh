# emulate: ompp run --emulate counts all loads and stores of a program that kinst did not build: as lackey (valgrind) does
# for programs of chance and for single instructions, as arithmetic says for several threads; output, status and signals
# are the program's own; what it cannot do, it says
. "$srcdir/tests/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "programs for x86-64 are emulated on such machines alone"
need qemu-x86_64
need python3
emulate_py="python3 $srcdir/tests/interpose/emulate.py"
export OMPP_QUIET=1

# compare WHAT COMPILER…: runs ./g by both.
compare() {
	what=$1
	rm -f ./*.ompp
	valgrind --tool=lackey --trace-mem=yes --log-file=trace ./g addresses >want
	OMPP_OBJECT_MIN=512 ompp run --emulate ./g again >all 2>said || fail "$what: status $? $(cat said)"
	head -n "$(wc -l <want)" all >got
	same "$what: output" want got
	ompp report --format=json g.*.ompp >g.json
	$emulate_py compare addresses trace g.json || fail "$what: counts differ"
}

if command -v valgrind >/dev/null; then
	for seed in 1 4 5 9 $$; do
		$emulate_py make "$seed" g.c
		gcc -w -g -fno-builtin -fno-strict-aliasing -fno-tree-loop-distribute-patterns \
			$(sed -n '1s,// ,,p' g.c) g.c -o g
		compare "seed $seed"
	done
	if grep -q avx2 /proc/cpuinfo; then
		$emulate_py operands g.c
		gcc -w -O1 -mavx2 g.c -o g
		compare operands
	fi
fi

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
	rm -f ./*.ompp
	status=0
	OMP_NUM_THREADS=$n OMP_WAIT_POLICY=passive ompp run --emulate ./teams >out 2>said || status=$?
	[ $status = 7 ] || fail "$n threads: status $status: $(cat said)"
	ompp report --format=json teams.*.ompp >teams.json
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
rm -f ./*.ompp
status=0
ompp run --emulate ./threads >out 2>said || status=$?
[ $status = 7 ] || fail "threads: status $status: $(cat said)"
ompp report --format=json threads.*.ompp >threads.json
$emulate_py counts threads.json x | awk '{ loads[$1] += $3; stores[$1] += $4 }
	END { for (k in loads) print k, loads[k], stores[k] }' | sort >got
printf -- '- 1 0\nTHREAD 90000 90000\n' >want
same "threads: x" want got
# the C library ends them after our last event
ompp report --view=general threads.*.ompp | tr -s ' \n' ' ' | grep -q "accesses are not counted, as they came after .* (threads: 9)" ||
	fail "threads: accesses at their ends: $(cat said)"

# the program's own behaviour
cat >own.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	char line[99] = "";
	if (argc > 1 && !strcmp(argv[1], "abort"))
		abort();
	if (!fgets(line, sizeof line, stdin))
		line[0] = 0;
	printf("%s %d %s %s %s", argv[0], argc, argv[argc - 1], getenv("OWN"), line);
	fprintf(stderr, "said\n");
	return 41;
}
END
gcc -O1 own.c -o own
mkdir bin && cp own bin/named
check_own() {
	status=0
	echo typed | OWN="a,b c" "$@" >want 2>want_err || status=$?
	ours=0
	echo typed | OWN="a,b c" OMPP_REPORTFILE=none ompp run --emulate "$@" >got 2>got_err || ours=$?
	same "$*: output" want got
	same "$*: errors" want_err got_err
	[ $status = $ours ] || fail "$*: status $ours, plain $status"
}
check_own ./own one "two words" -E
PATH="$PWD/bin:$PATH" check_own named
status=0
OMPP_REPORTFILE=none ompp run --emulate ./own abort 2>/dev/null || status=$?
[ $status = 134 ] || fail "abort: status $status"

# refuse STATUS WORDS COMMAND…
refuse() {
	want=$1 words=$2
	shift 2
	status=0
	"$@" >out 2>said || status=$?
	[ $status = "$want" ] || fail "$*: status $status: $(cat said)"
	grep -q -- "$words" said || fail "$*: $(cat said)"
}
gcc -O1 -static own.c -o static 2>/dev/null && refuse 126 'it is static' ompp run --emulate ./static
KINST_FLAGS='' kinst gcc -fopenmp teams.c -o ours && refuse 126 'kinst built it' ompp run --emulate ./ours
printf '#!/bin/sh\nexit 3\n' >script && chmod +x script
refuse 126 'no program for x86-64' ompp run --emulate ./script
refuse 127 'No such file' ompp run --emulate ./missing
refuse 126 'OMPP_PAGES: not by emulation' ompp run --emulate --pages ./own
refuse 126 'OMPP_CACHE: not by emulation' ompp run --emulate --cache=1 ./own
refuse 2 'leave one out' ompp run --emulate --threads=1,2 ./own
refuse 126 'install QEMU' env PATH=/nowhere "$builddir/ompp" run --emulate ./own
exit 0
