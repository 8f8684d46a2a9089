# statics: the program's static data have the places to each other, and so the alignment, that they have without kinst
. "$srcdir/tests/lib.sh"
export OMPP_OUTDIR="$PWD"

# compare NAME FLAGS… : plain and ours are built by the commands in $plain and $ours, with "$@" behind them
compare() {
	what=$1
	shift
	OMP_NUM_THREADS=2 ./plain >want
	OMP_NUM_THREADS=2 ./ours >got 2>err || fail "$what: status $?"
	[ "$(wc -l <want)" -ge 5 ] || fail "$what: the test prints nothing"
	same "places ($what)" want got
	[ "$(stat -c %s ours)" -lt 4000000 ] || fail "zeros are in the file ($what)"
}

for compiler in $CC $CLANG; do
	for flags in -O0 -O2 '-O2 -fno-pie -no-pie' '-O2 -fcommon'; do
		for kinst in '' kinst; do
			$kinst $compiler -fopenmp -w $flags -c "$srcdir/tests/runtime/statics.c" -o work.o
			$kinst $compiler -fopenmp -w $flags -DNAME=other '-Dtentative=tentative_other' \
				'-Dtentative_too=tentative_too_other' -c "$srcdir/tests/runtime/statics.c" -o other.o
			$kinst $compiler -fopenmp $flags work.o other.o -o "$([ "$kinst" ] && echo ours || echo plain)"
		done
		compare "$compiler $flags"
	done
	nm ours | grep -q '__kinst_' || fail "$compiler: not instrumented"
done

for compiler in $GXX ${CLANG:+$CLANG++}; do
	for flags in -O0 -O2; do
		for kinst in '' kinst; do
			$kinst $compiler -x c++ -fopenmp -w $flags -c "$srcdir/tests/runtime/statics.c" -o work.o
			$kinst $compiler -x c++ -fopenmp -w $flags -DNAME=other -c "$srcdir/tests/runtime/statics.c" -o other.o
			$kinst $compiler -fopenmp $flags work.o other.o -o "$([ "$kinst" ] && echo ours || echo plain)"
		done
		compare "$compiler $flags"
	done
done

[ -n "$GFORTRAN" ] || exit 0
for flags in -O0 -O2; do
	$GFORTRAN -fopenmp $flags "$srcdir/tests/runtime/statics.f90" -o plain
	kinst $GFORTRAN -fopenmp $flags "$srcdir/tests/runtime/statics.f90" -o ours
	compare "$GFORTRAN $flags"
done
