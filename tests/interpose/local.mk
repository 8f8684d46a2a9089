# interpose: programs that kinst did not build
script_tests += tests/interpose/differences.sh tests/interpose/emulate.sh \
	tests/interpose/emulate_ends.sh \
	tests/interpose/emulate_order.sh tests/interpose/emulate_static.sh \
	tests/interpose/emulate_work.sh tests/interpose/gomp.sh \
	tests/interpose/holders.sh tests/interpose/judge.sh \
	tests/interpose/ompt.sh \
	tests/interpose/recorded.sh \
	tests/interpose/refused.sh tests/interpose/see.sh tests/interpose/threads.sh
turn_tests += tests/interpose/counted.sh tests/interpose/emulate_blocks.sh tests/interpose/gomp_calls.sh \
	tests/interpose/holders_openmp.sh tests/interpose/left_out.sh tests/interpose/loaded.sh \
	tests/interpose/order_hooks.sh tests/interpose/prefork.sh tests/interpose/touch.sh \
	tests/interpose/untold.sh
turn_tests += tests/interpose/hooks.sh tests/interpose/places.sh
slow_tests += tests/interpose/emulate_all.sh tests/interpose/emulate_order_all.sh tests/interpose/hooks_all.sh
EXTRA_DIST += tests/interpose/DIFFERENCES tests/interpose/emulation.sh tests/interpose/emulate.py \
	tests/interpose/emulate_blocks.py tests/interpose/emulate_order.py tests/interpose/judge.awk \
	tests/interpose/judge.constructs tests/interpose/left_out.c tests/interpose/measure.sh tests/interpose/sums.awk \
	tests/interpose/many.c \
	tests/interpose/more.c tests/interpose/part.c tests/interpose/see.c \
	tests/interpose/threads_behave.c tests/interpose/untold.c
