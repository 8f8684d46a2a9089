# library: regions in a static archive and in a shared object, under a main program without any.
. "$srcdir/tests/examples/example.sh"
sources="$examples/library/solve_sum.c $examples/library/solve_fill.c"
check() {
	run 2
	grep -qx 'sum 499500' out || fail "output: $(cat out)"
	counts 'PARALLEL LOOP' 0 execC 4 'PARALLEL LOOP' 1 execC 4 PARALLEL 0 execC 3 PARALLEL 1 execC 3 \
		LOOP 0 execC 3 LOOP 1 execC 3
}
# shellcheck disable=SC2086
kinst --strict gcc -O2 -fopenmp -c $sources || fail "archive"
ar rcs libsolve.a solve_sum.o solve_fill.o
kinst gcc -O2 -fopenmp "$examples/library/main.c" -L. -lsolve -o program || fail "program and archive"
check
rm -f program libsolve.a report
# shellcheck disable=SC2086
kinst --strict gcc -O2 -fopenmp -fPIC -shared $sources -o libsolve.so || fail "shared object"
kinst gcc -O2 -fopenmp "$examples/library/main.c" -L. -lsolve -Wl,-rpath,"$work" -o program ||
	fail "program and shared object"
check
