# compare: ompp diff and ompp scaling, on profiles of runs that never were and on real ones
check_PROGRAMS += tests/compare/runs_make
tests_compare_runs_make_SOURCES = tests/compare/runs_make.c
tests_compare_runs_make_LDADD = libompp_reports.la libompp_base.la -lm
if HAVE_CMOCKA
unit_tests += tests/unit/test_change_point tests/unit/test_diff tests/unit/test_match tests/unit/test_statistic
endif
tests_unit_test_diff_SOURCES = tests/unit/test_diff.c tests/golden/example.c tests/golden/example_samples.c
tests_unit_test_diff_LDADD = libompp_program.la libompp_reports.la libompp_base.la -lcmocka
tests_unit_test_match_LDADD = libompp_program.la libompp_reports.la libompp_base.la -lcmocka
tests_unit_test_change_point_LDADD = libompp_program.la libompp_reports.la libompp_base.la -lcmocka -lm
tests_unit_test_statistic_LDADD = libompp_program.la libompp_reports.la libompp_base.la -lcmocka -lm
script_tests += tests/compare/history.sh tests/compare/instances.sh tests/compare/mapped.sh tests/compare/ranks.sh
turn_tests += tests/compare/advice.sh tests/compare/twins.sh tests/compare/untimed.sh
turn_tests += tests/compare/diff.sh tests/compare/scaling.sh tests/compare/schema.sh
slow_tests += tests/compare/unchanged.sh
EXTRA_DIST += tests/compare/diff_judge.py tests/compare/history_schema.py tests/compare/schema_check.py tests/compare/schema_members.py tests/compare/twins.c tests/compare/twins_judge.py
