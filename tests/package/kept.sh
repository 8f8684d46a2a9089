# kept: no name is gone that NEWS promises to keep: commands, options, variables, columns of JSON, symbols; and what old
# versions wrote is read.
. "$srcdir/tests/lib.sh"
need python3
here=$srcdir/tests/package

sh "$here/names.sh" "$srcdir" "$builddir" >now || fail 'names'
for kind in kinst 'ompp run' OMPP_ json symbol; do
	[ "$(grep -c "^$kind" "$here/KEPT")" -ge 10 ] || fail "KEPT has no names of $kind"
done
comm -23 "$here/KEPT" now >gone
[ ! -s gone ] || fail "names are gone that NEWS promises: $(cat gone)"

# Profiles of the first version, with counts that they always had.
for kind in example data counters samples model; do
	old=$srcdir/tests/fuzz/corpus_profile/$kind
	for format in text csv json folded; do
		ompp report --format=$format "$old" >out 2>err || fail "$kind as $format: $(cat err)"
		[ -s out ] && [ ! -s err ] || fail "$kind as $format: $(cat err)"
	done
done
