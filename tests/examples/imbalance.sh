# imbalance: the waiting in the loop's barrier is what the program planted, and all of it is Imbalance.
. "$srcdir/tests/examples/example.sh"
build imbalance.c
judge() {
	run 2
	counts PARALLEL 0 execC 1 PARALLEL 1 execC 1 LOOP 0 execC 10 LOOP 1 execC 10 LOOP SUM execC 20 &&
		measured 2 && class Imbal "$(sum_measured LOOP exitBarT)" 5 && first_property ImbalanceInParallelLoop
}
retry 8 judge || fail "times"
