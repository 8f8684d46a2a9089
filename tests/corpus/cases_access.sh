# cases_access: the cases behave as the plain build with access hooks, too (cases.sh is without)
. "$srcdir/tests/lib.sh"
need gfortran
need g++
export OMP_NUM_THREADS=3
"$srcdir/tests/corpus/compare.sh" --access=yes --jobs=2 "$srcdir/tests/corpus/cases" || fail "the cases with --access"
