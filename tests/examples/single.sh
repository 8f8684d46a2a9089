# single: the waiting for the thread in the single is what the program planted, and all of it is Limited parallelism.
. "$srcdir/tests/examples/example.sh"
build single.c
judge() {
	run 2
	counts SINGLE 0 execC 10 SINGLE 1 execC 10 SINGLE SUM singleC 10 &&
		measured 2 && class Limpar "$(sum_measured SINGLE exitBarT)" 5 &&
		first_property UnparallelizedInSingleRegion
}
retry 8 judge || fail "times"
