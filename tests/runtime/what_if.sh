# what_if: programs that sleep, and the same ones changed by hand: what the change gains lies in the interval that the
# unchanged program's report has for it (what_if.py).  PART=2/9 takes the second of 9 parts; together, each program three
# times (tests/slices).
. "$srcdir/tests/lib.sh"
need python3
export OMPP=$builddir/ompp KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
python3 "$srcdir/tests/runtime/what_if.py" programs "${CC:-gcc}" "${PART:-1/9}" 1 2 3 >said
rc=$?
cat said
[ $rc != 77 ] || skip "the machine is too busy"
[ $rc = 0 ] || fail "gains"
