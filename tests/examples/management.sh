# management: what threads lose to making and ending teams is what the program measured, and nearly none of it is work.
. "$srcdir/tests/examples/example.sh"
build management.c
judge() {
	run 2
	counts PARALLEL 0 execC 400 PARALLEL 1 execC 400 PARALLEL 2 execC 200 PARALLEL 3 execC 200 PARALLEL SUM execC 1200
	mgmt=$(class_value Mgmt)
	waiting=$(class_value Imbal)
	near "Management and Imbalance" "$(awk "BEGIN { print $mgmt + $waiting }")" "$(awk '/^overhead/ { print $2 }' out)" 5 &&
		near "startupT" "$(csv_field report PARALLEL SUM startupT)" "$(sum_measured PARALLEL startupT)" 5 &&
		awk -v b="$(csv_field report PARALLEL SUM bodyT)" -v m="$mgmt" 'BEGIN { exit !(b < m / 10) }'
}
retry 8 judge || fail "times"
