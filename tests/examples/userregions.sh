# userregions: named parts by pragma and by call, and nothing of what lies between off and on.
. "$srcdir/tests/examples/example.sh"
build userregions.c
judge() {
	run 2
	counts 'USER REGION:outer' SUM execC 1 'USER REGION:inner' SUM execC 5 'USER REGION:work' 0 execC 1 \
		'USER REGION:work' 1 execC 1 &&
		measured 2
}
retry 8 judge || fail "times"
! grep -q hidden report || fail "a region between ompp_off and ompp_on is in the report"
