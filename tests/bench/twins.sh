# twins.sh: makes three builds of a program, which benches run in turn, so that drift meets all of them alike: plain;
# `floor`, which reads the clock once per event and stores it; libompp.  To source: . "$srcdir/tests/bench/twins.sh"
# Environment: WRAPPER (the wrapper), CC, srcdir (top of the source).
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${srcdir:=.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
kinst=$WRAPPER

# twins NAME: builds tests/bench/NAME.c as plain, floor and ompp in the folder $work.
twins() {
	src=$srcdir/tests/bench
	$CC -O2 -fopenmp "$src/$1.c" -o "$work/plain"
	$kinst $CC -O2 -fopenmp -c "$src/$1.c" -o "$work/$1.o"
	$CC -O2 -fPIC -shared -I"$srcdir" "$src/floor.c" -o "$work/libfloor.so"
	$CC -fopenmp "$work/$1.o" -o "$work/floor" -L"$work" -lfloor -Wl,-rpath,"$work"
	$kinst $CC -O2 -fopenmp "$work/$1.o" -o "$work/ompp"
}
