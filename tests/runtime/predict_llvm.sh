# predict_llvm: tests/runtime/predict.py with loops by Clang, which its library deals out.  PART=1/3 takes the first third
# (tests/slices).
. "$srcdir/tests/lib.sh"
need python3
need clang
export OMPP=$builddir/ompp KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
python3 "$srcdir/tests/runtime/predict.py" programs clang "${PART:-1/3}" 0.1 '^loop-' >said || { cat said; fail "a prediction"; }
