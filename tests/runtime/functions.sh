# functions: --functions=LIST at build time and OMPP_FUNCTIONS at run time choose which functions are regions
. "$srcdir/tests/lib.sh"
[ -n "$GXX" ] || skip "no C++ compiler"

kinst --functions=work,method $GXX -fopenmp "$srcdir/tests/runtime/functions.cpp" -o prog
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1
calls() {
	awk -F, -v name="$1" '
		/^##BEG flat/ { flat = 1 }
		flat && $2 == "FUNCTION" && $6 == name { inside = 1 }
		inside && $1 == "SUM" { print $3; exit }' report
}

[ "$(./prog)" = 93 ] || fail "wrong result: $(./prog)"
[ "$(calls work)" = 24 ] || fail "work: $(calls work) calls"
[ "$(calls deep::thing::method)" = 6 ] || fail "method: $(calls deep::thing::method)"
! grep hidden report || fail "hidden is in the report"
OMPP_FUNCTIONS=hidden ./prog >out
[ "$(calls hidden)" = 18 ] || fail "hidden: $(calls hidden) calls"
! grep 'FUNCTION.*work' report || fail "work is in the report"
OMPP_DISABLE_USER_REGION=1 ./prog >out
! grep 'FUNCTION' report || fail "functions are in the report"
