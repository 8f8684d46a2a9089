# management: many tiny parallel regions are counted to the last, and hardly any of their time is in the bodies.
. "$srcdir/tests/examples/example.sh"
build management.c
run 2
counts PARALLEL 0 execC 20000 PARALLEL 1 execC 20000 PARALLEL SUM execC 40000
body=$(csv_field report PARALLEL SUM bodyT)
exec=$(csv_field report PARALLEL SUM execT)
awk -v b="$body" -v e="$exec" 'BEGIN { exit !(b < e / 2) }' || fail "bodyT $body of execT $exec"
