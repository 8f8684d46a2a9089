# locks: the waiting for the lock is what the program planted; each set of a nested lock counts.
. "$srcdir/tests/examples/example.sh"
build locks.c
judge() {
	run 2
	counts LOCK 0 execC 20 LOCK 1 execC 20 'NEST LOCK' 0 execC 20 'NEST LOCK' 1 execC 20 &&
		measured 2 && class Synch "$(sum_measured LOCK enterT)" 5 && first_property LockContention
}
retry 8 judge || fail "times"
