# off: measuring that is switched off and on around, within and across regions, in teams and tasks: what is whole is
# counted, the time off is stated and is no region's
. "$srcdir/tests/lib.sh"
OMPP_OUTFORMAT=PLAIN,CSV OMPP_REPORTFILE=$work/report OMPP_QUIET=1
export OMPP_OUTFORMAT OMPP_REPORTFILE OMPP_QUIET

# of General Information, and of the table in the overhead section
stated() {
	awk -F, -v what="$1" '$1 == what { sub(/ .*/, "", $2); print $2; exit }' report.csv
}

no_losses() {
	! grep -E 'came without a begin|left without their end|could not be identified|were open' report.txt || fail "$1: losses"
}

c_program() {
	./ours >out 2>times || fail "$1: ends with $?"
	same "$1: output" want out
	read -r off spans line <times
	near "time off" "$(stated 'Measuring off')" "$off" 5 0.002 &&
		near "spans" "$(csv_field report.csv 'USER REGION:spans' 0 execT)" "$spans" 50 0.003
}

for c in $CC clang; do
	command -v "${c%% *}" >/dev/null || continue
	$c -fopenmp -w -I"$builddir/include" "$srcdir/tests/runtime/off.c" -o plain -L"$builddir/.libs" -lompp -Wl,-rpath,"$builddir/.libs"
	OMPP_REPORTFILE=none ./plain >want 2>/dev/null
	kinst --strict $c -fopenmp -w "$srcdir/tests/runtime/off.c" -o ours || fail "$c"
	export OMP_NUM_THREADS=3
	retry 5 c_program "$c" || fail "$c: times"
	read -r off spans line <times
	# "after" is left once by the end of "before"; nothing of it is measured
	no_losses "$c"
	! grep -q hidden report.txt || fail "$c: hidden"
	for want in spans=1 before=1 after=1; do
		[ "$(csv_field report.csv "USER REGION:${want%=*}" 0 execC)" = "${want#*=}" ] || fail "$c: $want"
	done
	[ "$(csv_field report.csv "PARALLEL LOOP:$line" SUM execC)" = 3 ] || fail "$c: a team while it was off"
	[ "$(csv_field report.csv LOCK SUM execC)" = 2 ] || fail "$c: lock"
	[ "$(csv_field report.csv 'NEST LOCK' SUM execC)" = 1 ] || fail "$c: nested lock"
	for name in again inner; do
		for row in 0 1; do
			[ "$(csv_field report.csv CRITICAL:$name $row execC)" = 1 ] || fail "$c: critical $name, row $row"
		done
	done
done
if [ -n "$GFORTRAN" ]; then
	$GFORTRAN -fopenmp "$srcdir/tests/runtime/off.f90" -o plain
	kinst --strict $GFORTRAN -fopenmp "$srcdir/tests/runtime/off.f90" -o ours || fail "gfortran"
	./plain >want
	OMP_NUM_THREADS=2 ./ours >out || fail "gfortran: ends with $?"
	same "gfortran: output" want out
	no_losses gfortran
	for region in 'PARALLEL LOOP' PARALLEL CRITICAL; do
		[ "$(csv_field report.csv "$region" SUM execC)" = 4 ] || fail "gfortran: $region"
	done
fi
