# left: regions that are left without their end do not harm what comes after them
. "$srcdir/tests/lib.sh"
[ -n "$GXX" ] || skip "no C++ compiler"

mkdir empty
printf '#define ompp_region_begin(name)\n#define ompp_region_end(name)\n' >empty/ompp.h
$GXX -fopenmp -w -Iempty "$srcdir/tests/runtime/left.cpp" -o plain
kinst $GXX -fopenmp -w "$srcdir/tests/runtime/left.cpp" -o ours
for cancellation in false true; do
	export OMP_CANCELLATION=$cancellation
	./plain >want
	OMPP_REPORTFILE="$PWD/report" OMPP_OUTFORMAT=CSV ./ours >got 2>err || fail "status $?"
	same "output" want got
	! grep -v '^ompp: report' err || fail "complaints"

	[ "$(csv_field report CRITICAL:clean SUM execC)" = 1000 ] || fail "criticals"
	clean=$(awk '/num_threads\(2\) reduction/ { print NR }' "$srcdir/tests/runtime/left.cpp")
	left=$(awk '/num_threads\(2\)$/ { print NR }' "$srcdir/tests/runtime/left.cpp")
	for line in $clean $left; do
		[ "$(csv_field report PARALLEL:$line SUM execC)" = 20 ] || fail "parallel at $line, cancellation $cancellation"
		[ "$(csv_field report PARALLEL:$line 0 execC)" = 10 ] || fail "parallel at $line, first thread"
	done
	[ "$(csv_field report 'USER REGION:thrower' SUM execC)" = $((10 * 4 + 20 * 2)) ] || fail "thrower"
	[ "$(csv_field report 'USER REGION:returner' SUM execC)" = 10 ] || fail "returner"
	[ "$(csv_field report 'USER REGION:jumper' SUM execC)" = 10 ] || fail "jumper"
	[ "$(csv_field report 'USER REGION:breaker' SUM execC)" = 20 ] || fail "breaker"
	grep -q 'left without their end' report || fail "no note"
	! grep -q 'came without a begin' report || fail "stray ends"
done
