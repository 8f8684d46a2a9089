#!/bin/sh
# Every input of the corpora goes through its target without a crash.
. "$srcdir/tests/lib.sh"

for target in ctc profile; do
	"$builddir/tests/fuzz/fuzz_$target" "$srcdir/tests/fuzz/corpus_$target" || fail "fuzz_$target"
done
