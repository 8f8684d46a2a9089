# loop_orders: what loops would miss in another order, in a program as it is, is what a rewritten one misses in the same
# caches, to within 5 %, or 1 % of what it misses today, by region and object, in C by gcc and clang, and in Fortran by
# gfortran. The report names the order, unless a level of the cache has more misses in it. Where the addresses forbid it,
# or where nothing is won, it names nothing. Interchanged loops are a finding then, blocks where they spare memory itself.
# Programs are made by chance.
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
n=0
n_blocks=0
for kind in ${KINDS:-interchanged interchanged blocked blocked bound none}; do
	for compiler in $compilers; do
		ending=c
		[ $compiler != gfortran ] || ending=f90
		seed=$((seed + 1))
		level=-O$((seed % 2 + 1))
		what="$kind, $compiler $level, seed $seed"
		$make make $seed $kind before.$ending after.$ending
		build before
		build after
		run before
		run after
		same "$what: what they print" out.before out.after
		$make check $kind before.json after.json before.csv >checked 2>&1 || fail "$what: $(tail -1 checked)"
		n=$((n + $(cat checked)))
		$make found before.json before.csv >checked 2>&1 || fail "$what: $(tail -1 checked)"
		[ $kind = blocked ] || continue
		OMPP_CACHE=L1=8K/8/64,L2=16K/8/64,L3=64K/8/64 run before
		$make found before.json before.csv >checked 2>&1 || fail "$what: L3: $(tail -1 checked)"
		n_blocks=$((n_blocks + $(cat checked)))
	done
done
[ "${KINDS-}" ] || [ $n_blocks -ge 1 ] || fail "seeds up to $seed: blocks are no finding"
[ "${KINDS-}" ] || [ $n -ge 20 ] || fail "seeds up to $seed: only $n numbers"

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
