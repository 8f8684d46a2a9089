# templates: constructs in templates, lambdas and members are found, counted, and one row each.
. "$srcdir/tests/examples/example.sh"
[ -n "$GXX" ] || skip "g++ is not installed"
build templates.cpp "$GXX" -std=c++17
run 2
grep -qx 'sums 500500 2000 caught all' out || fail "output: $(cat out)"
counts 'PARALLEL LOOP' 0 execC 2 'PARALLEL LOOP' 1 execC 2 LOOP 0 execC 1 LOOP 1 execC 1 ATOMIC 0 execC 3 ATOMIC 1 execC 3
line=$(awk '/safe = / { print NR + 1 }' "$examples/templates.cpp")
counts "PARALLEL:$line" 0 execC 3 "PARALLEL:$line" 1 execC 3
