# tests: rows of a list.  `make check` runs all, `make check TESTS=tests/…` one, `make check-unit` the programs,
# `make check-slow` what takes minutes.  A script gets the variables below; exit status 77 means skipped, and a line
# "skip: why" in its output says why.

# unit: one cmocka program a module; its source is its name and .c
unit_tests = \
	tests/unit/test_arena \
	tests/unit/test_clock \
	tests/unit/test_nearest \
	tests/unit/test_note \
	tests/unit/test_option
if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif
LDADD = libompp_core.la libompp_reports.la libompp_base.la $(CMOCKA_LIBS)

# scripts
script_tests =
# scripts that take minutes, and are not part of `make check`
slow_tests =

TESTS += $(script_tests)
EXTRA_DIST += $(script_tests) $(slow_tests)

TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; top_builddir='$(abs_top_builddir)'; export top_srcdir top_builddir; \
	CC='$(CC)'; GXX='$(GXX)'; GFORTRAN='$(GFORTRAN)'; CLANG='$(CLANG)'; MPICC='$(MPICC)'; AWK='$(AWK)'; \
	VALGRIND='$(VALGRIND)'; MAKE='$(MAKE)'; export CC GXX GFORTRAN CLANG MPICC AWK VALGRIND MAKE;

.PHONY: check-unit check-slow
check-unit:
	$(MAKE) check TESTS='$(unit_tests)'
check-slow: all
	$(MAKE) check TESTS='$(slow_tests)'

include tests/bench/local.mk
