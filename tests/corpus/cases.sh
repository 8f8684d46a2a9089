# cases: programs of all classes that are hard to put calls into behave as the plain build does, end with 0, and are
# measured:
# each region as often as its source says under "Regions:".  Further options go to compare.sh.
. "$srcdir/tests/lib.sh"
need gfortran
need g++
corpus=$srcdir/tests/corpus
export OMP_NUM_THREADS=2 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive

"$corpus/compare.sh" --jobs=2 --csv="$work/all.csv" --reports="$work/reports" "$corpus/cases" \
	"$srcdir/tests/runtime/constructs.c" "$srcdir/tests/runtime/constructs.f90" >out || fail "$(cat out)"
awk -F, 'NR > 1 { sub(/.*\//, "", $3); print $4, $5, $6, $3 }' all.csv | grep -v '^same 0 whole ' >got || :
[ ! -s got ] || fail "not the same, or not measured whole: $(cat got)"

# expected SOURCE: its regions, from the comment at its head.
expected() {
	awk '/Regions:/ { sub(/.*Regions: */, ""); on = 1 }
		on { sub(/^( \*|\/\/|!|c) */, ""); last = sub(/\.( \*\/)?$/, ""); printf "%s%s", sep, $0; sep = " " }
		last { exit }' "$1"
}

for source in "$corpus"/cases/*; do
	want=$(expected "$source")
	[ "$want" ] || continue
	got=$(awk -f "$corpus/regions.awk" "reports/${source##*/}.csv" | sort -t"$(printf '\t')" -k2,2n -s | cut -f 3 |
		paste -sd, | sed 's/,/, /g')
	[ "$got" = "$want" ] || fail "${source##*/}: regions: $got; its head says $want"
	echo "$source" >>counted
done
[ "$(wc -l <counted)" -ge 95 ] || fail "only $(wc -l <counted) cases say what their regions are"

# where cancellation works, regions are left without their end
OMP_CANCELLATION=true "$corpus/compare.sh" "$corpus/cases/cancel.c" "$corpus/cases/cancel_parallel.c" >out ||
	fail "cancelled: $(cat out)"

# the tester finds a program that changes, and a construct that is neither measured nor named
cat >kinst-bad <<'BAD'
#!/bin/sh
kinst "$@" -DBAD
BAD
chmod +x kinst-bad
mkdir bad
printf '%s\n' '#include <stdio.h>' 'int main(void) {' '#ifdef BAD' 'puts("bad");' '#endif' 'return 0; }' >bad/a.c
! "$corpus/compare.sh" --kinst="$work/kinst-bad" bad >out || fail "a change is not found"
grep -q 'a.c: plain: differs' out || fail "a change is not named: $(cat out)"
printf '%s\n' 'int main(void) {' '#pragma omp parallel' '{ }' 'return 0; }' >bad/a.c
! "$corpus/compare.sh" --kinst='env KINST=off kinst' bad >out || fail "a construct that is not measured is not found"
grep -q 'a.c: plain: missing: a.c:2' out || fail "a construct that is not measured is not named: $(cat out)"
