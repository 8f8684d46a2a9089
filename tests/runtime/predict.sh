# predict: what one run says of the time with other numbers of threads is what these take, for programs that sleep, each with
# several numbers of threads (predict.py).  PART=3/10 takes a tenth of them; by itself it takes three, one of them a recursion,
# and one by Clang whose threads steal.
. "$srcdir/tests/lib.sh"
need python3
export OMPP=$builddir/ompp KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
python3 "$srcdir/tests/runtime/predict.py" programs "${CC:-gcc}" "${PART:-8/14}" >said || { cat said; fail "a prediction"; }
[ -n "${PART:-}" ] || ! command -v clang >/dev/null ||
	python3 "$srcdir/tests/runtime/predict.py" programs clang 1/1 0.1 'loop-dynamic-last-long' >said ||
	{ cat said; fail "a prediction of LLVM's loops"; }
