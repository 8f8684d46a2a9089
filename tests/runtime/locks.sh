# locks: programs that use nothing of OpenMP but locks; the locks are those of the program's own OpenMP version, also
# where a part of it was built without kinst
. "$srcdir/tests/lib.sh"
need opari2
OMPP_QUIET=1 OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=$work/report
export OMPP_QUIET OMPP_OUTFORMAT OMPP_REPORTFILE
cp "$srcdir/tests/runtime/locks.c" "$srcdir/tests/runtime/locks.f90" .

for c in gcc clang; do
	command -v $c >/dev/null || continue
	for parallel in "" -DPARALLEL; do
		# shellcheck disable=SC2086
		{
			$c -w -fopenmp $parallel -DOTHER -c locks.c -o other.o && $c -w -fopenmp $parallel locks.c other.o -o plain
			kinst --strict $c -w -fopenmp $parallel locks.c other.o -o mixed || fail "$c: mixed"
			kinst --strict $c -w -fopenmp $parallel -DOTHER -c locks.c -o ours.o && \
				kinst --strict $c -w -fopenmp $parallel locks.c ours.o -o ours || fail "$c: ours"
		}
		./plain >want
		for program in mixed ours; do
			./$program >out || fail "$c $parallel: $program ends with $?"
			same "$c $parallel: output of $program" want out
		done
		[ "$(csv_field report LOCK SUM execC)" = 1 ] || fail "$c: lock"
		# whether the test in the parallel region succeeds is the OpenMP library's choice: tasks or threads own locks
		[ -n "$parallel" ] || [ "$(csv_field report 'NEST LOCK' SUM execC)" = 3 ] || fail "$c: nested lock"
	done
done
if gcc -static -w -fopenmp -DOTHER -c locks.c -o other.o && gcc -static -w -fopenmp locks.c other.o -o plain 2>/dev/null; then
	kinst --strict gcc -static -w -fopenmp locks.c other.o -o mixed 2>/dev/null || fail "static"
	./plain >want
	./mixed >out || fail "static: ends with $?"
	same "static: output" want out
fi
if command -v gfortran >/dev/null; then
	gfortran -fopenmp locks.f90 -o plain
	kinst --strict gfortran -fopenmp locks.f90 -o ours || fail "gfortran"
	./plain >want
	./ours >out || fail "gfortran: ends with $?"
	same "gfortran: output" want out
	[ "$(csv_field report 'NEST LOCK' SUM execC)" = 2 ] || fail "gfortran: nested lock"
fi
