# tests: rows of four lists, kept beside the tests.  `make check` runs the first three, `make check-unit` the programs
# alone, `make check-slow` the last list, and `make check TESTS=tests/…` one test.  In each folder's local.mk:
#   unit_tests    cmocka programs; the source is the name and .c
#   script_tests  shell scripts that source tests/lib.sh; status 77 and a line "skip: why" mean skipped.  `env/check` runs
#                 them each time: one for each behaviour, and what a change breaks first
#   turn_tests    more scripts of seconds, which `env/check` runs in turns: a part of them each time
#   slow_tests    scripts that take minutes: each is a row of tests/slices, too, and `env/check` runs a slice of these
unit_tests =
script_tests =
turn_tests =
slow_tests =
EXTRA_DIST += tests/lib.sh tests/call_paths.py tests/mutation/NOTES tests/mutation/TESTS tests/mutation/mutation.py \
	tests/mutation/quick.py tests/again tests/quiet tests/report_check.awk tests/slices tests/start

include tests/unit/local.mk
include tests/access/local.mk
include tests/applications/local.mk
include tests/compare/local.mk
include tests/golden/local.mk
include tests/fuzz/local.mk
include tests/browser/local.mk
include tests/build/local.mk
include tests/corpus/local.mk
include tests/interpose/local.mk
include tests/kokkos/local.mk
include tests/kinst/local.mk
include tests/examples/local.mk
include tests/findings/local.mk
include tests/runtime/local.mk
include tests/systems/local.mk
include tests/vm/local.mk
include tests/mpi/local.mk
include tests/package/local.mk
include tests/roofline/local.mk
include tests/work/local.mk
include tests/bench/local.mk

check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests) $(script_tests) $(turn_tests)
EXTRA_DIST += $(script_tests) $(turn_tests) $(slow_tests)

TEST_EXTENSIONS = .sh
# A program that tests one module takes seconds, by sanitizers on a busy machine some tens of them.
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/start 300
SH_LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/start 7200 $(SHELL)
AM_TESTS_ENVIRONMENT = \
	srcdir='$(abs_top_srcdir)'; builddir='$(abs_top_builddir)'; PATH="$$builddir:$$PATH"; \
	export srcdir builddir PATH; \
	CC='$(CC)'; GXX='$(GXX)'; GFORTRAN='$(GFORTRAN)'; CLANG='$(CLANG)'; \
	VALGRIND='$(VALGRIND)'; MAKE='$(MAKE)'; export CC GXX GFORTRAN CLANG VALGRIND MAKE;

# What measures times, or waits for other threads, ranks or machines in QEMU, depends on what else runs: env/check repeats
# one of these that fails, alone.
repeated_tests = '^tests/\(access\|compare\|golden\|kinst\|examples\|findings\|interpose\|mpi\|roofline\|runtime\|vm\)/'

.PHONY: check-unit check-each check-turn check-slow list-tests
check-unit:
	$(MAKE) check TESTS='$(unit_tests)'
# Sorts the names of tests by how long they take (build/seconds), the longest first, so that none is left to run alone.
longest_first = awk 'NR == FNR { if (NF == 2) seconds[$$2] = $$1; next } { print seconds[$$1] + 0, $$1 }' \
	$(srcdir)/tests/build/seconds - | sort -s -k 1,1nr | cut -d ' ' -f 2
check-each:
	$(MAKE) check TESTS="$$(printf '%s\n' $(script_tests) $(unit_tests) | $(longest_first) | tr '\n' ' ')"
# TURN=3/8 is the third of 8 parts.  It is not called PART, which make would hand on to tests that divide themselves by it.
check-turn:
	$(MAKE) check TESTS="$$(printf '%s\n' $(turn_tests) | $(longest_first) | awk -v turn='$(TURN)' \
		'BEGIN { split(turn, of, "/") } NR % of[2] == of[1] % of[2]' | tr '\n' ' ')"
check-slow: all
	$(MAKE) check TESTS='$(slow_tests)'
# Prints the tests that `make check` runs, or the rows of the variable LIST, for scripts.
LIST = $(unit_tests) $(script_tests) $(turn_tests)
list-tests:
	@printf '%s\n' $(LIST)
