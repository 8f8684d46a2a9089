# statics: the program's static data have the places to each other, and so the alignment, that they have without kinst
. "$srcdir/tests/lib.sh"
export OMPP_OUTDIR="$PWD"

# compare WHAT: the places that ./ours prints are those of ./plain
compare() {
	what=$1
	OMP_NUM_THREADS=2 ./plain >want
	OMP_NUM_THREADS=2 ./ours >got 2>err || fail "$what: status $?"
	[ "$(wc -l <want)" -ge 5 ] || fail "$what: the test prints nothing"
	same "places ($what)" want got
	[ "$(stat -c %s ours)" -lt 4000000 ] || fail "zeros are in the file ($what)"
}

# build NAME COMPILER…: two files that are one program
build() {
	name=$1
	shift
	"$@" -fopenmp -w $flags -c "$srcdir/tests/runtime/statics.c" -o work.o
	"$@" -fopenmp -w $flags -DNAME=other -Dtentative=tentative_other -Dtentative_too=tentative_too_other \
		-c "$srcdir/tests/runtime/statics.c" -o other.o
	"$@" -fopenmp ${flags%-x c++} work.o other.o -o "$name"
}

for compiler in $CC $CLANG; do
	for flags in -O0 -O2 '-O2 -fno-pie -no-pie' '-O2 -fcommon'; do
		build plain $compiler
		build ours kinst $compiler
		nm ours | grep -q '__kinst_' || fail "$compiler: not instrumented"
		compare "$compiler $flags"
	done
	build ours kinst --access $compiler
	compare "$compiler $flags, with hooks"
done

for compiler in $GXX ${CLANG:+$CLANG++}; do
	for flags in '-O0 -x c++' '-O2 -x c++'; do
		build plain $compiler
		build ours kinst $compiler
		compare "$compiler $flags"
	done
done

[ -n "$GFORTRAN" ] || exit 0
echo 'char aligned[64] __attribute__((aligned(64))) = { 1 };' >aligned.c # see statics.c
$CC -c aligned.c
for flags in -O0 -O2; do
	$GFORTRAN -fopenmp $flags "$srcdir/tests/runtime/statics.f90" aligned.o -o plain
	kinst $GFORTRAN -fopenmp $flags "$srcdir/tests/runtime/statics.f90" aligned.o -o ours
	compare "$GFORTRAN $flags"
done
