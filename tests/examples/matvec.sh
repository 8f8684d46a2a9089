# matvec: the published case in C and in Fortran, by columns and by rows.
. "$srcdir/tests/examples/example.sh"
judge() {
	run 2 3000 "$1"
	grep -q '^sum 13495500000' out || fail "result: $(cat out)"
	counts 'USER REGION:product' SUM execC 1 PARALLEL 0 execC 1 PARALLEL 1 execC 1 LOOP 0 execC 1 LOOP 1 execC 1 &&
		measured 2
}
build matvec.c
retry 8 judge column || fail "C, columns: times"
retry 8 judge row || fail "C, rows: times"
if [ -n "$CLANG" ]; then
	build matvec.c "$CLANG"
	retry 8 judge column || fail "clang: times"
fi
if [ -n "$GFORTRAN" ]; then
	build matvec.f90 "$GFORTRAN"
	retry 8 judge column || fail "Fortran, columns: times"
	retry 8 judge row || fail "Fortran, rows: times"
fi
