# golden: reports of the constructed example, byte by byte; `make update-golden` records them again
check_PROGRAMS += tests/golden/example_main
tests_golden_example_main_SOURCES = tests/golden/example_main.c tests/golden/example.c tests/golden/example_hostile.c tests/golden/example_samples.c \
	tests/golden/example_visits.c tests/golden/example.h
tests_golden_example_main_LDADD = libompp_reports.la libompp_base.la
script_tests += tests/golden/contradictions.sh tests/golden/fake.sh tests/golden/chrome.sh tests/golden/exchange.sh tests/golden/golden.sh tests/golden/ompp.sh tests/golden/pprof.sh tests/golden/many_ranks.sh tests/golden/rows.sh tests/golden/run.sh
turn_tests += tests/golden/large_ranks.sh
turn_tests += tests/golden/brief.sh tests/golden/json.sh
script_tests += tests/golden/options.sh
slow_tests += tests/golden/rows_many.sh
EXTRA_DIST += tests/golden/page_counters.json tests/golden/page_samples.json tests/golden/fake.c tests/golden/fake.txt tests/golden/fake.csv \
	tests/golden/example.txt tests/golden/example.csv tests/golden/data.txt tests/golden/data.csv \
	tests/golden/numa.txt tests/golden/numa.csv tests/golden/numa_emulated.txt tests/golden/numa_ranks.txt \
	tests/golden/flow_processes.txt tests/golden/pages.txt tests/golden/pages.csv tests/golden/pages_ranks.txt tests/golden/pages_chosen.txt \
	tests/golden/visits.txt tests/golden/visits.csv tests/golden/page_visits.json \
	tests/golden/samples.txt tests/golden/samples.csv tests/golden/samples_chosen.txt tests/golden/samples_ranks.txt \
	tests/golden/model.txt tests/golden/all.txt tests/golden/ranks.csv tests/golden/data_ranks.csv \
	tests/golden/counters.txt tests/golden/counters.csv tests/golden/counters_ranks.txt \
	tests/golden/brief_check.py tests/golden/json_check.py tests/golden/decode_pprof.py tests/golden/counters.json tests/golden/samples.json \
	tests/golden/diff.txt tests/golden/diff.csv tests/golden/diff.json tests/golden/scaling.txt tests/golden/scaling.csv \
	tests/golden/counters.folded tests/golden/counters.speedscope tests/golden/counters.callgrind

if HAVE_CMOCKA
report_tests = tests/unit/test_ctc tests/unit/test_data_sections tests/unit/test_efficiency tests/unit/test_finding_loops tests/unit/test_finding_run tests/unit/test_finding_serial \
	tests/unit/test_finding_say tests/unit/test_finding_tasks tests/unit/test_finding_visits tests/unit/test_findings tests/unit/test_history tests/unit/test_hot_functions tests/unit/test_placing \
	tests/unit/test_profile tests/unit/test_profile_merge tests/unit/test_profile_wrong tests/unit/test_rank_offset tests/unit/test_rank_sums tests/unit/test_relayout_gain tests/unit/test_remark_lines tests/unit/test_remark_work tests/unit/test_roofline tests/unit/test_roof_file tests/unit/test_roof_team tests/unit/test_sample_stats tests/unit/test_text tests/unit/test_traffic \
	tests/unit/test_view_summary tests/unit/test_views tests/unit/test_writers
unit_tests += $(report_tests)
endif
EXTRA_DIST += tests/unit/bare_profile.h tests/unit/finding_case.h tests/unit/profile_file.h tests/unit/report_text.h \
	tests/unit/views_case.h
report_test_libs = libompp_program.la libompp_reports.la libompp_base.la -lcmocka
tests_unit_test_finding_loops_LDADD = $(report_test_libs)
tests_unit_test_finding_run_LDADD = $(report_test_libs)
tests_unit_test_finding_serial_LDADD = $(report_test_libs)
tests_unit_test_hot_functions_LDADD = $(report_test_libs)
tests_unit_test_finding_say_LDADD = $(report_test_libs) -lm
tests_unit_test_finding_tasks_LDADD = $(report_test_libs)
tests_unit_test_finding_visits_LDADD = $(report_test_libs)
tests_unit_test_relayout_gain_LDADD = $(report_test_libs)
tests_unit_test_remark_lines_LDADD = $(report_test_libs)
tests_unit_test_remark_work_LDADD = $(report_test_libs)
tests_unit_test_efficiency_LDADD = $(report_test_libs)
tests_unit_test_findings_LDADD = $(report_test_libs)
tests_unit_test_history_LDADD = $(report_test_libs) -lm
tests_unit_test_ctc_LDADD = $(report_test_libs)
tests_unit_test_sample_stats_LDADD = $(report_test_libs)
tests_unit_test_placing_LDADD = $(report_test_libs)
tests_unit_test_text_LDADD = $(report_test_libs)
tests_unit_test_rank_offset_LDADD = $(report_test_libs)
tests_unit_test_roofline_LDADD = $(report_test_libs)
tests_unit_test_rank_sums_SOURCES = tests/unit/test_rank_sums.c tests/golden/example.c
tests_unit_test_rank_sums_LDADD = $(report_test_libs)
tests_unit_test_roof_file_LDADD = $(report_test_libs)
tests_unit_test_roof_team_LDADD = $(report_test_libs) -lpthread
tests_unit_test_traffic_LDADD = $(report_test_libs)
tests_unit_test_profile_SOURCES = tests/unit/test_profile.c tests/golden/example.c \
	tests/golden/example_samples.c
tests_unit_test_profile_LDADD = $(report_test_libs)
tests_unit_test_profile_merge_SOURCES = tests/unit/test_profile_merge.c tests/golden/example.c \
	tests/golden/example_samples.c
tests_unit_test_profile_merge_LDADD = $(report_test_libs)
tests_unit_test_profile_wrong_SOURCES = tests/unit/test_profile_wrong.c tests/golden/example.c \
	tests/golden/example_samples.c
tests_unit_test_profile_wrong_LDADD = $(report_test_libs)
tests_unit_test_data_sections_SOURCES = tests/unit/test_data_sections.c tests/golden/example.c \
	tests/golden/example_samples.c
tests_unit_test_data_sections_LDADD = $(report_test_libs)
tests_unit_test_views_SOURCES = tests/unit/test_views.c tests/golden/example.c tests/golden/example_samples.c
tests_unit_test_views_LDADD = $(report_test_libs)
tests_unit_test_view_summary_SOURCES = tests/unit/test_view_summary.c tests/golden/example.c tests/golden/example_samples.c
tests_unit_test_view_summary_LDADD = $(report_test_libs)
tests_unit_test_writers_SOURCES = tests/unit/test_writers.c tests/golden/example.c
tests_unit_test_writers_LDADD = $(report_test_libs) -lm -lpthread

# What is made of inputs of chance, as checksums; they need no library of tests.
varied_tests = tests/unit/test_varied tests/unit/test_varied_commands tests/unit/test_varied_sources
varied_profiles = tests/golden/varied_profile.c tests/golden/varied_profile.h tests/golden/varied_sums.c tests/golden/varied_sums.h \
	tests/golden/example.c tests/golden/example_samples.c tests/golden/example_visits.c tests/golden/example.h
unit_tests += $(varied_tests)
tests_unit_test_varied_SOURCES = tests/unit/test_varied.c $(varied_profiles)
tests_unit_test_varied_LDADD = libompp_program.la
tests_unit_test_varied_commands_SOURCES = tests/unit/test_varied_commands.c tests/unit/varied_lines.c tests/unit/varied_lines.h \
	tests/unit/varied_trace.c tests/unit/varied_trace.h $(varied_profiles)
tests_unit_test_varied_commands_CPPFLAGS = $(flow_cppflags)
tests_unit_test_varied_commands_LDADD = libompp_program.la
tests_unit_test_varied_sources_SOURCES = tests/unit/test_varied_sources.c tests/golden/varied_source.c tests/golden/varied_source.h \
	tests/golden/varied_sums.c tests/golden/varied_sums.h
tests_unit_test_varied_sources_LDADD = libkinst.la libompp_base.la
if HAVE_CMOCKA
varied_tests += tests/unit/test_varied_run tests/unit/test_varied_files
unit_tests += tests/unit/test_varied_faults
endif
varied_plays = tests/unit/varied_play.c tests/unit/varied_play.h tests/unit/varied_memory.c tests/unit/varied_memory.h \
	tests/unit/varied_constructs.c tests/unit/varied_constructs.h tests/unit/varied_storm.c tests/unit/varied_storm.h \
	runtime/adapters/blocks.c tests/golden/varied_sums.c tests/golden/varied_sums.h \
	runtime/adapters/access_far.c runtime/adapters/run_hooks.c runtime/adapters/run_log.c runtime/adapters/run_sites.c

# System calls of libompp's are answered by the test.
varied_kernel = tests/unit/varied_kernel.c tests/unit/varied_kernel.h tests/unit/varied_machine.c tests/unit/varied_machine.h \
	tests/unit/varied_perf.c
varied_kernel_ldflags = -Wl,--wrap=ompp_filter_call
tests_unit_test_varied_run_SOURCES = tests/unit/test_varied_run.c tests/unit/varied_flow.c tests/unit/varied_flow.h $(varied_plays) \
	$(varied_kernel)
tests_unit_test_varied_run_CPPFLAGS = $(flow_cppflags)
tests_unit_test_varied_run_LDADD = tests/unit/libsteps.la libompp_flow_reader.la
tests_unit_test_varied_run_LDFLAGS = $(varied_kernel_ldflags),--wrap=ompp_sections_name,--wrap=ompp_sections_name_thread
tests_unit_test_varied_faults_SOURCES = tests/unit/test_varied_faults.c $(varied_plays) $(varied_kernel)
tests_unit_test_varied_faults_LDADD = tests/unit/libsteps.la
tests_unit_test_varied_faults_LDFLAGS = $(varied_kernel_ldflags)
tests_unit_test_varied_files_SOURCES = tests/unit/test_varied_files.c tests/unit/varied_proc.c tests/unit/varied_pmu.c tests/unit/varied_elf.c \
	tests/unit/varied_cfi.c tests/unit/varied_names.c tests/unit/varied_traffic.c runtime/mem/mem_traffic.c runtime/mem/problem.c \
	tests/golden/varied_source.c tests/golden/varied_source.h \
	tests/golden/varied_sums.c tests/golden/varied_sums.h $(varied_kernel)
tests_unit_test_varied_files_LDADD = tests/unit/libsteps.la
tests_unit_test_varied_files_LDFLAGS = $(varied_kernel_ldflags),--wrap=ompp_helper_ask,--wrap=ompp_helper_start,--wrap=ompp_real_each
EXTRA_DIST += tests/golden/varied.txt tests/golden/varied_files.txt tests/golden/varied_commands.txt tests/golden/varied_run.txt tests/golden/varied_sources.txt

.PHONY: update-golden
update-golden: all tests/golden/example_main tests/compare/runs_make $(varied_tests)
	for script in golden fake; do srcdir=$(abs_srcdir) builddir=$(abs_builddir) PATH=$(abs_builddir):$$PATH \
		$(SHELL) $(srcdir)/tests/golden/$$script.sh $(abs_srcdir)/tests/golden || exit 1; done
	for test in $(varied_tests:tests/unit/test_%=%); do srcdir=$(abs_srcdir) tests/unit/test_$$test record \
		>$(abs_srcdir)/tests/golden/$$test.txt.new && mv $(abs_srcdir)/tests/golden/$$test.txt.new \
		$(abs_srcdir)/tests/golden/$$test.txt || exit 1; done
