# caliper: a program with Caliper's annotations is measured without a change, and without Caliper; in C and C++, inlined or
# not, by gcc and clang; plainly built they are nothing
. "$srcdir/tests/lib.sh"

cp "$srcdir/tests/kokkos/caliper.cpp" it.c
cat >c <<'END'
marked|PARALLEL|8
part|marked|1
phase|part|1
phase|statement|1
phase|steps|1
statement|PARALLEL|2
steps|marked|3
|phase|1
END
{
	cat c
	printf '%s\n' 'scoped|PARALLEL|4' 'scoped|scope|1' 'scope|PARALLEL|2' '|scoped|2'
} | LC_ALL=C sort >cpp

# paths: the regions below each other, with the number of visits
paths() {
	python3 "$srcdir/tests/call_paths.py" json | grep -v '|ATOMIC|' | LC_ALL=C sort
}

for compiler in "$CC" "$CLANG" "$GXX"; do
	[ -n "$compiler" ] || continue
	case $compiler in
	*++*) source=$srcdir/tests/kokkos/caliper.cpp expected=cpp ;;
	*) source=it.c expected=c ;;
	esac
	for level in -O0 -O2; do
		what="$compiler $level"
		$compiler $level -w -fopenmp -I"$srcdir/runtime" "$source" -o plain 2>log || fail "$what: plainly: $(cat log)"
		! nm plain | grep -q ompp_ || fail "$what: plainly: calls of kinst"
		kinst $compiler $level -w -fopenmp -I"$srcdir/runtime" "$source" -o it 2>log || fail "$what: $(cat log)"
		./plain >want
		rm -f it.*.ompp
		OMPP_QUIET=1 ./it >got 2>said || fail "$what: $? $(cat said)"
		same "$what: output" want got
		ompp report --format=json it.*.ompp >json || fail "$what: no profile"
		paths >found
		same "$what: regions" $expected found
	done
done
