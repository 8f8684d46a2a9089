# access: what is counted of accesses to data, against other tools
check_PROGRAMS += tests/access/cache_trace
tests_access_cache_trace_LDADD = libompp_core.la libompp_base.la
script_tests += tests/access/cachegrind.sh
EXTRA_DIST += tests/access/cache_kernels.c
