# replay: the fuzz targets of kinst over their corpora
. "$srcdir/tests/lib.sh"
for target in command emit skeleton; do
	"$builddir/tests/fuzz/fuzz_$target" "$srcdir/tests/fuzz/corpus_$target" || fail "fuzz_$target"
done
