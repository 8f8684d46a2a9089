# source: with --access=source, what the hooks counted is what the program text executes, also while they sample: each
# kernel states it as formulas.  Each kernel once, compilers and levels in turn (source_all.sh: all of them).
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/kernels.sh"

# Where compilers make code that executes other accesses than the source's text.
#   weights of histogram, loads + 2000: an atomic update of a double is a load and a compare-exchange
exception() {
	case "$1 $2 $3" in
	"histogram "*" weights") echo 2000 ;;
	*) echo 0 ;;
	esac
}

# check WHAT: of the report
check() {
	reported "$name" >"$name.counts"
	while read -r _ array loads stores atomics; do
		expected="$((loads + $(exception "${source%.*}" "$(basename "$compiler")" "$array"))) $stores $atomics"
		counts=$(awk -v name="$array" '$1 == name { print $2, $3, $4 }' "$name.counts")
		[ "$counts" = "$expected" ] ||
			fail "$name$1: $array: loads, stores, atomics: counted ${counts:-nothing}, by the source $expected"
		n_equal=$((n_equal + 1))
	done <"$name.expected"
}

frame
combinations ${ALL:+all} >todo
n_equal=0
while read -r source compiler level; do
	name=${source%.*}.$(basename "$compiler")$level
	build "$name" "$source" "$compiler" --access=source
	told "$name"
	grep '^E ' "$name.told" >"$name.expected" || fail "$name: no formulas"
	check ''
	sampled "$name"
	check ', sampled'
done <todo
echo "$n_equal arrays equal, in $(wc -l <todo) programs, each without and with samples"
