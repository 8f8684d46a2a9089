# bench: speed, by hand (`make bench`); never part of `make check`, as the machines that run that are shared
EXTRA_DIST += \
	tests/bench/events.c tests/bench/events.sh \
	tests/bench/floor.c \
	tests/bench/overhead.sh tests/bench/programs.sh

.PHONY: bench
bench: all
	KINST=$(abs_builddir)/kinst CC='$(CC)' srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/events.sh
	KINST=$(abs_builddir)/kinst srcdir=$(srcdir) builddir=$(builddir) $(SHELL) $(srcdir)/tests/bench/programs.sh
