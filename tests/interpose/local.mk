# interpose: programs that kinst did not build
script_tests += tests/interpose/gomp.sh
EXTRA_DIST += tests/interpose/sums.awk
