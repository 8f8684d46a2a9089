# fuzz: `make check` replays the corpora; `make fuzz` runs libFuzzer (clang) for FUZZ_SECONDS a target
check_PROGRAMS += tests/fuzz/fuzz_ctc tests/fuzz/fuzz_profile
fuzz_libs = libompp_program.la libompp_reports.la libompp_base.la
tests_fuzz_fuzz_ctc_SOURCES = tests/fuzz/fuzz_ctc.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_ctc_LDADD = $(fuzz_libs)
tests_fuzz_fuzz_profile_SOURCES = tests/fuzz/fuzz_profile.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_profile_LDADD = $(fuzz_libs)
script_tests += tests/fuzz/replay.sh
EXTRA_DIST += tests/fuzz/corpus_ctc tests/fuzz/corpus_profile

FUZZ_SECONDS = 900
fuzz_flags = -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I$(srcdir)
fuzz_sources = $(filter %.c,$(libompp_reports_la_SOURCES)) reports/profile/merge.c runtime/base/arena.c runtime/base/text.c \
	runtime/base/write.c runtime/base/construct.c runtime/core/ctc.c
.PHONY: fuzz
fuzz:
	mkdir -p tests/fuzz/new
	for t in ctc profile; do \
		clang $(fuzz_flags) $(srcdir)/tests/fuzz/fuzz_$$t.c $(fuzz_sources:%=$(srcdir)/%) -o tests/fuzz/run_$$t && \
		tests/fuzz/run_$$t -max_total_time=$(FUZZ_SECONDS) -max_len=16384 tests/fuzz/new \
			$(srcdir)/tests/fuzz/corpus_$$t || exit 1; \
	done
