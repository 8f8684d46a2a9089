# nested: rows of inner teams are paths of ranks, and their time is not counted twice.
. "$srcdir/tests/examples/example.sh"
build nested.c
judge() {
	run 2
	counts PARALLEL:21 0 execC 1 PARALLEL:21 1 execC 1 PARALLEL:26 0.0 execC 5 PARALLEL:26 0.1 execC 5 \
		PARALLEL:26 1.0 execC 5 PARALLEL:26 1.1 execC 5 PARALLEL:26 SUM execC 20 &&
		measured 2
}
retry 8 judge || fail "times"
