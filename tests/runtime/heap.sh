# heap: between its start and its end a program calls malloc and its kin as often by kinst as plainly, whatever is asked for,
# each time a third of that
. "$srcdir/tests/lib.sh"
here=$srcdir/tests/runtime

$CC -w -shared -fPIC "$here/calls.c" -o calls.so
$CC -w -fno-builtin -DOWN -c "$here/calls.c" -o own.o
preload=$PWD/calls.so

cat >use.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static double grid[1000];
static omp_lock_t locks[20];
static int depth(int n)
{
	int sum = n;
	if (n > 0) {
#pragma omp task shared(sum)
		sum += depth(n - 1);
#pragma omp taskwait
	}
	return sum;
}
int main(void)
{
	double *block = malloc(8000);
	int n = 0;
	for (int i = 0; i < 20; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 1000; i++) {
			grid[i] = block[i] = i;
			omp_set_lock(&locks[i % 20]);
			n++;
			omp_unset_lock(&locks[i % 20]);
		}
#pragma omp critical
		n++;
#pragma omp single
		n += depth(5) - 15;
	}
	block = realloc(block, 16000);
	free(block);
	printf("%d\n", n);
	return 7;
}
END
cat >use.cc <<'END'
#include <cstdio>
#include <omp.h>
namespace ns {
static double grid[1000];
struct A { omp_lock_t lock; template <class T> void work(T n); };
template <class T> void A::work(T n)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < n; i++) {
		grid[i] = i;
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
}
static A a;
}
int main()
{
	omp_init_lock(&ns::a.lock);
	ns::a.work(1000);
	auto f = [](int x) { return x + 1; };
	try {
		throw 1;                        // so that libstdc++ is there plainly, too
	} catch (int one) {
		std::printf("%d\n", f(one));
	}
	return 7;
}
END

# count PROGRAM… : the fewest calls of several runs, $runs of them or until it is $goal, as OpenMP libraries call malloc when
# tasks meet, which is up to chance
runs=5
count() {
	least=
	for run in $(seq "$runs"); do
		rc=0
		env CALLS="$PWD/calls" ${preload:+"LD_PRELOAD=$preload"} OMP_NUM_THREADS=2 "$@" >out 2>err || rc=$?
		[ $rc = 7 ] || fail "$*: status $rc: $(cat err)"
		n=$(od -An -td8 calls | tr -d ' ')
		[ "$least" ] && [ "$least" -le "$n" ] || least=$n
		[ "$least" != "${goal:-}" ] || break
	done
	echo "$least"
}

spared=0        # calls that the program by kinst may make fewer
# compare WHAT SOURCE COMPILER… -- OPTIONS…: the program by the compiler and by kinst
compare() {
	what=$1
	shift
	compiler= options=
	while [ "$1" != -- ]; do
		compiler="$compiler $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	$compiler -fopenmp -O1 -g -w $source $own -o plain || fail "$what: plain"
	# shellcheck disable=SC2086
	kinst $options "$@" $compiler -fopenmp -O1 -g -w $source $own -o ours || fail "$what: kinst"
	want=$(goal= count ./plain)
	goal=$want
	[ "$want" -gt 2 ] || fail "$what: $want calls of the plain program"
	export OMPP_OUTFORMAT=PLAIN,CSV OMPP_OUTDIR="$PWD/there" OMPP_OVERWRITE=1 OMPP_APPNAME=app
	for setting in A=b OMPP_CTR=PAPI_TOT_INS,page-faults,INST_RETIRED,nonsense 'OMPP_DATA_NAME=grid,ns::grid,nothing' \
		'OMPP_DATA_NAME=*' OMPP_FILTER=critical,nothing OMPP_REPORTFILE=stderr OMPP_CACHE=1 OMPP_TYPO=1 \
		OMPP_REPORTFILE=/nonexistent/file OMPP_COLLAPSE_LOCKS=0; do
		rm -rf there && mkdir there
		in_part 3 || continue
		got=$(count env "$setting" ./ours)
		# the one that called more often is asked again: maybe its fewest calls have not been met yet
		[ "$got" -ge "$want" ] || want=$(runs=30 goal=$got; count ./plain)
		[ "$got" -le "$want" ] || got=$(runs=30; count env "$setting" ./ours)
		goal=$want
		[ "$got" = "$want" ] || [ "$((got + spared))" = "$want" ] || fail "$what, $setting: $got calls, plain $want"
		case $setting in *REPORTFILE*) ;; *) [ -s there/app.2.ompp.txt ] || fail "$what, $setting: no report" ;; esac
	done
}

source=use.c own=
compare C $CC --
compare "C with hooks" $CC -- --access
preload= own=own.o
compare "own malloc" $CC --
! $CC -static -fopenmp -w use.c own.o -o plain 2>/dev/null || compare "own malloc, static" $CC -static -- 2>/dev/null
preload=$PWD/calls.so own=
# clang's library calls malloc in each thread that makes or steals a task, and which threads these are depends on times.
sed '/omp task/d; s/omp single/omp master/' use.c >steady.c
source=steady.c
# It also looks for a tool's function; where it finds ours, the C library has no error to make two blocks for.
spared=2
[ -z "$CLANG" ] || compare clang $CLANG --
spared=0
if [ -n "$GXX" ]; then
	source=use.cc
	compare C++ $GXX --
	compare "C++ with functions" $GXX -- --functions --access
fi

# Started and ended by others' means: abort, exec, dump.
kinst $CC -fopenmp -O1 -w "$here/ends.c" -o ours
$CC -fopenmp -O1 -w "$here/ends.c" -o plain
for how in return _exit quick_exit; do
	for p in plain ours; do
		CALLS="$PWD/calls" LD_PRELOAD="$PWD/calls.so" OMPP_QUIET=1 ./$p $how >out 2>err || :
		od -An -td8 calls >$p.calls
	done
	same "calls, $how" plain.calls ours.calls
done

# The thread that makes incremental reports is the C library's: a block for its thread-local variables, and nothing else.
kinst $CC -fopenmp -O1 -w use.c -o ours
source=use.c
$CC -fopenmp -O1 -w use.c -o plain
want=$(goal= count ./plain)
goal=
got=$(count env OMPP_DUMP_INTERVAL=100 ./ours)
[ $((got - want)) -le 1 ] || fail "OMPP_DUMP_INTERVAL: $got calls, plain $want"
