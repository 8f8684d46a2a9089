# sections: what is done in sections, and by whom; with more threads than sections the waiting changes its class.
. "$srcdir/tests/examples/example.sh"
build sections.c
judge() {
	run 2
	counts SECTIONS 0 execC 10 SECTIONS 1 execC 10 SECTIONS SUM sectC 30 &&
		measured 2 && class Imbal "$(sum_measured SECTIONS exitBarT)" 5 && class Limpar 0 5 || return 1
	run 4
	counts SECTIONS SUM execC 40 SECTIONS SUM sectC 30 &&
		class Limpar "$(sum_measured SECTIONS exitBarT)" 5
}
retry 8 judge || fail "times"
