# interpose: programs that kinst did not build
script_tests += tests/interpose/counted.sh tests/interpose/emulate.sh tests/interpose/gomp.sh tests/interpose/gomp_calls.sh \
	tests/interpose/holders.sh tests/interpose/judge.sh tests/interpose/loaded.sh tests/interpose/ompt.sh \
	tests/interpose/threads.sh
turn_tests += tests/interpose/hooks.sh
slow_tests += tests/interpose/emulate_all.sh tests/interpose/hooks_all.sh
EXTRA_DIST += tests/interpose/DIFFERENCES tests/interpose/emulation.sh tests/interpose/emulate.py tests/interpose/judge.awk \
	tests/interpose/judge.constructs tests/interpose/measure.sh tests/interpose/sums.awk tests/interpose/many.c \
	tests/interpose/more.c tests/interpose/part.c tests/interpose/threads_behave.c
