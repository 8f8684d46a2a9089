#!/bin/sh
# replay: every input of the corpora goes through its fuzz target without a crash.
. "$srcdir/tests/lib.sh"

for target in ctc flow profile recording samples views; do
	"$builddir/tests/fuzz/fuzz_$target" "$srcdir/tests/fuzz/corpus_$target" || fail "fuzz_$target"
done
