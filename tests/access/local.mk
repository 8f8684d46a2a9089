# access: compares the counts of accesses to data with those of other tools.
check_PROGRAMS += tests/access/cache_trace
tests_access_cache_trace_LDADD = libompp_core.la libompp_samples.la libompp_base.la
script_tests += tests/access/breakpoint.sh tests/access/cache.sh tests/access/reuse.sh tests/access/layouts.sh tests/access/loop_orders.sh tests/access/own_lines.sh tests/access/large_pages.sh
turn_tests += tests/access/layouts_more.sh tests/access/blocked.sh
turn_tests += tests/access/cachegrind.sh
EXTRA_DIST += tests/access/blocked.c tests/access/breakpoint.c tests/access/costly.c tests/access/cache.c tests/access/cache_kernels.c
script_tests += tests/access/unread.sh
script_tests += tests/access/order.sh tests/access/source.sh
turn_tests += tests/access/shapes.sh tests/access/small.sh tests/access/named_blocks.sh tests/access/handlers.sh \
	tests/access/intervals.sh
turn_tests += tests/access/loops.sh tests/access/pauses.sh tests/access/many.sh tests/access/model.sh \
	tests/access/oracle.sh
slow_tests += tests/access/published.sh tests/access/differences.sh tests/access/oracle_all.sh tests/access/order_all.sh tests/access/pages.sh tests/access/shapes_all.sh \
	tests/access/source_all.sh
EXTRA_DIST += tests/access/named_blocks.c tests/access/layouts.py tests/access/loop_orders.py tests/access/report_csv.py tests/access/own_lines.py tests/access/large_pages.py tests/access/layouts.c tests/access/reuse.c tests/access/DIFFERENCES tests/access/kernels.sh tests/access/lackey.c tests/access/many.c tests/access/model.c tests/access/handlers.c tests/access/intervals.c tests/access/order.awk tests/access/order.c tests/access/pages.c tests/access/pauses.cpp tests/access/repeat.c tests/access/shapes.c tests/access/shapes.cpp tests/access/shapes.f90 tests/access/shapes.list tests/access/small.c \
	tests/access/kernels/kernel.c tests/access/kernels/kernel.h \
	tests/access/kernels/aos.c tests/access/kernels/classes.cpp tests/access/kernels/containers.cpp \
	tests/access/kernels/copies.c tests/access/kernels/csr.c tests/access/kernels/fft.c \
	tests/access/kernels/histogram.c tests/access/kernels/list.c tests/access/kernels/matrix.f90 \
	tests/access/kernels/matvec.c tests/access/kernels/module.f90 tests/access/kernels/soa.c \
	tests/access/kernels/sort.c tests/access/kernels/stencil.c tests/access/kernels/strings.c \
	tests/access/kernels/transpose.c
# What hooks do not see.
turn_tests += tests/access/fields.sh
EXTRA_DIST += tests/access/fields.py tests/access/fields.cpp tests/access/fields.f90
turn_tests += tests/access/several_types.sh
EXTRA_DIST += tests/access/several_types.py

turn_tests += tests/access/holes.sh
EXTRA_DIST += tests/access/HOLES tests/access/holes.awk tests/access/holes.h tests/access/holes.c tests/access/holes.cpp \
	tests/access/holes.f90
# Loop nests made by chance.
check_PROGRAMS += tests/access/nests/nests
tests_access_nests_nests_SOURCES = tests/access/nests/nests.c tests/access/nests/generate.h tests/access/nests/text.c \
	tests/access/nests/c.h tests/access/nests/c_expressions.c tests/access/nests/c_loops.c \
	tests/access/nests/c_statements.c tests/access/nests/c_program.c \
	tests/access/nests/fortran.h tests/access/nests/fortran_expressions.c tests/access/nests/fortran.c
script_tests += tests/access/nests.sh
slow_tests += tests/access/nests_all.sh
# Predicted speed-ups against real times.
slow_tests += tests/access/speedups.sh
EXTRA_DIST += tests/access/speedups.py
EXTRA_DIST += tests/access/ways.sh tests/access/nests.awk tests/access/nests/helpers.h tests/access/nests/program.h tests/access/nests/run.c
