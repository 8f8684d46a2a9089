# interpose: programs that kinst did not build
script_tests += tests/interpose/gomp.sh tests/interpose/threads.sh
EXTRA_DIST += tests/interpose/sums.awk tests/interpose/threads_behave.c
