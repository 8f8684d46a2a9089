# libgomp_slice: each 20th of libgomp's tests behaves as the plain build and is measured, and each 60th with access
# hooks too
. "$srcdir/tests/lib.sh"
need gfortran
need g++
export OMP_NUM_THREADS=3
"$srcdir/tests/corpus/libgomp.sh" --every=20 --jobs=2 || fail "libgomp.sh --every=20"
"$srcdir/tests/corpus/libgomp.sh" --every=60 --jobs=2 --access=yes || fail "libgomp.sh --every=60 --access=yes"
"$srcdir/tests/corpus/compare.sh" --access=yes --jobs=2 "$srcdir/tests/corpus/cases" || fail "the cases with --access"
