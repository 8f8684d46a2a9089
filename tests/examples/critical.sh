# critical: the waiting for the critical region is what the program planted, and all of it is Synchronisation.
. "$srcdir/tests/examples/example.sh"
build critical.c
judge() {
	run 2
	counts CRITICAL:table 0 execC 20 CRITICAL:table 1 execC 20 &&
		measured 2 && class Synch "$(sum_measured CRITICAL:table enterT)" 5 &&
		first_property CriticalSectionContention
}
retry 8 judge || fail "times"
