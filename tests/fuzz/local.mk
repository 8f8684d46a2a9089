# fuzz: `make check` replays the corpora; `make fuzz` runs libFuzzer (clang) for FUZZ_SECONDS on each of FUZZ_TARGETS
check_PROGRAMS += tests/fuzz/fuzz_ctc tests/fuzz/fuzz_flow tests/fuzz/fuzz_profile tests/fuzz/fuzz_recording \
	tests/fuzz/fuzz_samples tests/fuzz/fuzz_views
fuzz_libs = libompp_program.la libompp_reports.la libompp_base.la
tests_fuzz_fuzz_ctc_SOURCES = tests/fuzz/fuzz_ctc.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_ctc_LDADD = $(fuzz_libs)
tests_fuzz_fuzz_flow_CPPFLAGS = $(flow_cppflags)
tests_fuzz_fuzz_flow_SOURCES = tests/fuzz/fuzz_flow.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_flow_LDADD = libompp_flow_reader.la $(fuzz_libs)
tests_fuzz_fuzz_profile_SOURCES = tests/fuzz/fuzz_profile.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_profile_LDADD = $(fuzz_libs)
tests_fuzz_fuzz_recording_SOURCES = tests/fuzz/fuzz_recording.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_recording_LDADD = $(fuzz_libs)
tests_fuzz_fuzz_samples_SOURCES = tests/fuzz/fuzz_samples.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_samples_LDADD = libompp_samples.la $(fuzz_libs)
tests_fuzz_fuzz_views_SOURCES = tests/fuzz/fuzz_views.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_views_LDADD = libompp_program.la
script_tests += tests/fuzz/replay.sh
EXTRA_DIST += tests/fuzz/corpus_ctc tests/fuzz/corpus_flow tests/fuzz/corpus_profile tests/fuzz/corpus_recording \
	tests/fuzz/corpus_samples tests/fuzz/corpus_views tests/fuzz/emit.dict

# Runs libFuzzer on one target after another; new inputs go to tests/fuzz/new-*, those that crash to tests/fuzz/crash-*.
FUZZ_SECONDS = 900
FUZZ_TARGETS = ctc flow profile recording samples views command skeleton emit
fuzz_compile = clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	-I$(srcdir) -I$(srcdir)/runtime -I.
fuzz_flow = $(srcdir)/reports/flow/code.c
.PHONY: fuzz
fuzz: reports/web/assets.c
	mkdir -p tests/fuzz
	for t in $(FUZZ_TARGETS); do \
		library=; \
		case $$t in \
		flow) sources="$(srcdir)/reports/flow/*.c" ;; \
		ctc|profile) sources="$(srcdir)/reports/report.c \
			$$(for folder in analysis bounds exchange findings lines placing profile ranks tables views web writers; do \
				echo $(srcdir)/reports/$$folder/*.c; done) $(fuzz_flow) reports/web/assets.c \
			$(srcdir)/runtime/counters/expression.c"; library=libompp_base.la ;; \
		recording) sources="$(srcdir)/reports/watch/recording.c $(srcdir)/reports/watch/recorder.c $(srcdir)/reports/watch/bytes.c \
			$(srcdir)/reports/watch/sheet.c $(srcdir)/reports/watch/watch_json.c" ; library=libompp_program.la ;; \
		views) sources="$(srcdir)/reports/flow/*.c $(srcdir)/reports/traces/flow*.c $(srcdir)/reports/pages/pages*.c \
			$(srcdir)/reports/watch/sheet*.c $(srcdir)/reports/tables/table.c" ; library=libompp_program.la ;; \
		samples) sources="$(srcdir)/runtime/samples/*.c"; library="libompp_samples.la libompp_program.la" ;; \
		*) sources="$$(ls $(srcdir)/opari/*/*.c | grep -v /main.c) $(srcdir)/runtime/program/elf.c" ;; \
		esac; \
		$(LIBTOOL) --quiet --tag=CC --mode=link $(fuzz_compile) $(srcdir)/tests/fuzz/fuzz_$$t.c $$sources \
			$(srcdir)/runtime/base/*.c -o tests/fuzz/run_$$t $$library $(ZSTD_LIBS) && \
		mkdir -p tests/fuzz/new-$$t && \
		dictionary=$(srcdir)/tests/fuzz/$$t.dict && \
		tests/fuzz/run_$$t $$(test ! -f $$dictionary || echo -dict=$$dictionary) -max_total_time=$(FUZZ_SECONDS) \
			-max_len=16384 -artifact_prefix=tests/fuzz/ tests/fuzz/new-$$t $(srcdir)/tests/fuzz/corpus_$$t || exit 1; \
	done
