# barrier: the waiting in the explicit barrier is what the program planted, and all of it is Synchronisation.
. "$srcdir/tests/examples/example.sh"
build barrier.c
judge() {
	run 2
	counts BARRIER 0 execC 10 BARRIER 1 execC 10 &&
		measured 2 && class Synch "$(sum_measured BARRIER execT)" 5 && first_property WaitAtBarrier
}
retry 8 judge || fail "times"
