# loop_orders: what loops would miss in another order, in a program as it is, is what a rewritten one misses in the same
# caches, to within 5 %, or 1 % of what it misses today, by region and object, in C by gcc and clang, and in Fortran by
# gfortran. The report names the order, unless a level of the cache has more misses in it. Where the addresses forbid it,
# or where nothing is won, it names nothing. Interchanged loops are a finding then, blocks where they spare memory itself.
# Programs are made by chance, each time for four or five of the kinds by a compiler.
. "$srcdir/tests/lib.sh"
need python3
make="python3 $srcdir/tests/access/loop_orders.py"
export OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_OVERWRITE=1 OMPP_SAMPLE=off OMPP_HOT=0 OMPP_CACHE=L1=8K/8/64,L2=64K/8/64

# has_loops COMPILER: it has a plug-in that counts whole loops
has_loops() {
	command -v "$1" >/dev/null && kinst --access --verbose "$1" -O1 -c -o none.o -x c /dev/null 2>said &&
		grep -q 'loops_' said
}

# build PROGRAM
build() {
	kinst --access $compiler -w -g $level -fopenmp "$1.$ending" -o "$1" || fail "$what: $1"
}

# run PROGRAM: PROGRAM.json gets its profile, PROGRAM.csv the section
run() {
	rm -f "$1".*.ompp*
	OMPP_APPNAME=$1 OMPP_LAYOUTS=1 "./$1" >"out.$1" || fail "$what: $1"
	ompp report --format=json --property-min=0 "$1".*.ompp >"$1.json" || fail "$what: no profile"
	ompp report --format=CSV --view=layouts "$1".*.ompp >"$1.csv" || fail "$what: no report"
}

has_loops gcc || skip "no plug-in counts whole loops"
compilers=gcc
! has_loops clang || compilers="$compilers clang"
! command -v gfortran >said || compilers="$compilers gfortran"

seed=${SEED:-$(date +%s)}
n=0 n_least=0 n_blocks=0
for kind in ${KINDS:-interchanged interchanged blocked blocked bound none}; do
	for compiler in $compilers; do
		[ "${KINDS-}" ] || in_part 4 || continue
		ending=c
		[ $compiler != gfortran ] || ending=f90
		seed=$((seed + 1))
		level=-O$((seed / 4 % 2 + 1)) # with each part of the cases, each
		what="$kind, $compiler $level, seed $seed"
		$make make $seed $kind before.$ending after.$ending
		build before
		build after
		run before
		run after
		same "$what: what they print" out.before out.after
		$make check $kind before.json after.json before.csv >checked 2>&1 || fail "$what: $(tail -1 checked)"
		n=$((n + $(cat checked)))
		case $kind in interchanged | blocked) n_least=$((n_least + 1)) ;; esac
		$make found before.json before.csv >checked 2>&1 || fail "$what: $(tail -1 checked)"
		[ $kind = blocked ] || continue
		OMPP_CACHE=L1=8K/8/64,L2=16K/8/64,L3=64K/8/64 run before
		$make found before.json before.csv >checked 2>&1 || fail "$what: L3: $(tail -1 checked)"
		n_blocks=$((n_blocks + $(cat checked)))
	done
done
[ "${KINDS-}" ] || [ "$CASES" != all ] || [ $n_blocks -ge 1 ] || fail "seeds up to $seed: blocks are no finding"
[ $n -ge $n_least ] || fail "seeds up to $seed: only $n numbers"

# loops that have no other order are counted: a triangle, rows behind pointers; and ones of three, whose outer loop
# stays, the one in the middle of many iterations or of two
cat >uneven.c <<'PROGRAM'
#include <stdlib.h>
enum { N = 60 };
static double a[N][N], b[N][N], c[N][N], x[N], *rows[N];
volatile double s;
volatile int two = 2;
int main(void)
{
	double t = 0;
	int few = two;

	for (int i = 0; i < N; i++)
		rows[i] = calloc(N + i * i % 37, sizeof(double));
	for (int i = 2; i < N; i++)
		for (int j = 0; j < i; j++)
			x[i] += a[i][j] * x[j];
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			t += rows[i][j];
	s = t;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			a[i][j] = b[j][i] + 1;
	for (int i = 0; i < N && DEEP == 1; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] * b[k][j];
	for (int i = 0; i < N - 1 && DEEP == 2; i += 3)
		for (int k = 0; k < few; k++)
			for (int j = 0; j < N; j++)
				c[i + k][j] += b[k][j];
	return 0;
}
PROGRAM
for compiler in gcc ${CLANG:-}; do
	for deep in 0 1 2; do
		kinst --access $compiler -w -g -O1 -DDEEP=$deep uneven.c -o uneven || fail "$compiler: uneven"
		rm -f uneven.*.ompp*
		OMPP_APPNAME=uneven OMPP_LAYOUTS=1 ./uneven || fail "$compiler: uneven"
		ompp report --view=general uneven.*.ompp | tr -s ' \n' ' ' >text
		grep -q ' 2 loops in others have only their own order' text || fail "$compiler: uneven: $(cat text)"
		[ "$(grep -c ' 1 loops stand in two or more others' text)" = $((deep > 0)) ] || fail "$compiler: deep $deep: $(cat text)"
	done
done

# with the search for shared lines threads meet at each access, and no loop is handed over as a whole
kinst --access gcc -w -g -O1 -fopenmp -o shared -x c - <<'PROGRAM' || fail "shared"
static double a[300][300];
int main(void)
{
	for (int j = 0; j < 300; j++)
		for (int i = 0; i < 300; i++)
			a[i][j] = i;
}
PROGRAM
rm -f shared.*.ompp*
OMPP_SHARING=1 OMPP_LAYOUTS=1 ./shared || fail "shared"
ompp report --format=json shared.*.ompp >shared.json
grep -q interchanged shared.json && fail "shared lines are looked for, and loops were interchanged"
exit 0
