# predict_all: tests/runtime/predict.sh with all of its programs.  PART=3/4 takes the third quarter (tests/slices).
: "${PART:=1/4}"
. "$srcdir/tests/runtime/predict.sh"
