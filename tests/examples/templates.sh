# templates: constructs in templates, lambdas and members are found, counted, and one row each; those of a template one for
# each instantiation.
. "$srcdir/tests/examples/example.sh"
[ -n "$GXX" ] || skip "g++ is not installed"
build templates.cpp "$GXX" -std=c++17
run 2
grep -qx 'sums 500500 2000 caught all' out || fail "output: $(cat out)"
for type in int double; do
	counts "PARALLEL LOOP:sum<$type>" 0 execC 1 "PARALLEL LOOP:sum<$type>" 1 execC 1
done
counts LOOP 0 execC 1 LOOP 1 execC 1 ATOMIC 0 execC 3 ATOMIC 1 execC 3
line=$(awk '/safe = / { print NR + 1 }' "$examples/templates.cpp")
counts "PARALLEL:$line" 0 execC 3 "PARALLEL:$line" 1 execC 3
