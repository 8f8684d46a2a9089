# oracle: what the hooks counted equals valgrind's trace of all addresses of the same run, in loads, stores, atomic updates
# and bytes of each array; each second kernel once, compilers and levels in turn (oracle_all.sh: all of them, in slices).
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/kernels.sh"

# What differs, and why.  A row has patterns for kernel, compiler and array, and then what is compared instead:
#   bytes     only all bytes: a block is one access of all its bytes, and the machine moves it in pieces
#   loads-N   the trace has N loads more
cat >exceptions <<'END'
copies       *       *        bytes       blocks
histogram    clang*  weights  loads-2000  clang loads the old value once more beside the atomic load, and never uses it
END

# exception KERNEL COMPILER ARRAY
exception() {
	while read -r kernel compiler array what why; do
		case "$1 $2 $3" in
		$kernel\ $compiler\ $array) echo "$what" ;;
		esac
	done <exceptions
}

# check NAME KERNEL COMPILER: compares each array of the trace.
check() {
	reported "$1" >"$1.counts"
	while read -r array loads stores atomics bytes loaded stored; do
		counts=$(awk -v name="$array" '$1 == name { print $2, $3, $4, $5 }' "$1.counts")
		case $(exception "$2" "$3" "$array") in
		bytes)
			counts=${counts##* }
			expected=$((bytes + loaded + stored))
			;;
		loads-*)
			n=$(exception "$2" "$3" "$array")
			n=${n#loads-}
			expected="$((loads - n)) $stores $atomics $((bytes - 8 * n))"
			;;
		*) expected="$loads $stores $atomics $bytes" ;;
		esac
		[ "$counts" = "$expected" ] ||
			fail "$1: $array: loads, stores, atomics, bytes: counted ${counts:-nothing}, in the trace $expected"
		n_equal=$((n_equal + 1))
	done <"$1.trace"
}

frame
lackey_reader
combinations ${ALL:+all} | awk -v all="${ALL:-}" 'all || NR % 2' >todo
n_equal=0
while read -r source compiler level; do
	name=${source%.*}.$(basename "$compiler")$level
	build "$name" "$source" "$compiler" --access=hooks
	traced "$name"
	check "$name" "${source%.*}" "$(basename "$compiler")"
	# by whole loops: the loops may have become vectors, so that a trace has other accesses than the source
	build "$name.loops" "$source" "$compiler" --access
	told "$name.loops"
	reported "$name.loops" | diff "$name.counts" - || fail "$name: by loops (right) not what hooks count"
done <todo
echo "$n_equal arrays equal, in $(wc -l <todo) programs"
[ "$n_equal" -ge "$(wc -l <todo)" ] || fail "nothing was compared"
