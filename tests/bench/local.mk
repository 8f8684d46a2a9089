# bench: speed, by hand (`make bench`); never part of `make check`, as the machines that run that are shared
EXTRA_DIST += \
	tests/bench/access.sh tests/bench/access_empty.c tests/bench/access_lookup.c tests/bench/access_matvec.c \
	tests/bench/access_pauses.c tests/bench/access_short.c \
	tests/bench/blocks.c tests/bench/blocks.sh \
	tests/bench/cache.c tests/bench/cache.sh \
	tests/bench/callstack.c tests/bench/callstack.sh tests/bench/conflicts.c \
	tests/bench/counters.sh tests/bench/counters_read.c \
	tests/bench/events.c tests/bench/events.sh \
	tests/bench/arrivals.c tests/bench/floor.c tests/bench/floor_event.h tests/bench/flow.sh \
	tests/bench/emulate.sh tests/bench/interpose.sh tests/bench/interpose_floor.c \
	tests/bench/message_calls.c tests/bench/message_calls.sh \
	tests/bench/npb_cg.c tests/bench/npb_ft.c tests/bench/npb_mg.c \
	tests/bench/overhead.sh tests/bench/pages.c tests/bench/pages.sh tests/bench/prepare.c tests/bench/prepare.sh tests/bench/programs.sh \
	tests/bench/sensors.sh tests/bench/storm.c tests/bench/storm.sh tests/bench/touch.sh tests/bench/traced.c tests/bench/twins.sh tests/bench/ways.sh
# What is counted in instructions does not depend on the machine's load, and is part of it.
script_tests += tests/bench/instructions.sh tests/bench/linear.sh
slow_tests += tests/bench/instructions_all.sh

.PHONY: bench
bench: all
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/events.sh
	OMPP=$(abs_builddir)/ompp CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/interpose.sh
	OMPP=$(abs_builddir)/ompp srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/message_calls.sh
	OMPP=$(abs_builddir)/ompp CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/emulate.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/storm.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/counters.sh
	WRAPPER=$(abs_builddir)/kinst srcdir=$(srcdir) builddir=$(builddir) $(SHELL) $(srcdir)/tests/bench/programs.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/access.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/ways.sh
	! command -v clang++ >/dev/null || WRAPPER=$(abs_builddir)/kinst CC=clang GXX=clang++ srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/ways.sh
	CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/cache.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/pages.sh
	CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/callstack.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/blocks.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/touch.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) builddir=$(builddir) $(SHELL) $(srcdir)/tests/bench/flow.sh
	WRAPPER=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/prepare.sh
	CC='$(CC)' srcdir=$(srcdir) builddir=$(builddir) $(SHELL) $(srcdir)/tests/bench/sensors.sh
