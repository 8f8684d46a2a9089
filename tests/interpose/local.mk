# interpose: programs that kinst did not build
script_tests += tests/interpose/gomp.sh tests/interpose/ompt.sh
EXTRA_DIST += tests/interpose/sums.awk tests/interpose/many.c tests/interpose/more.c tests/interpose/part.c
