# kinst: tests of the compiler wrapper.
script_tests += \
	tests/kinst/opt_info.sh \
	tests/kinst/access.sh \
	tests/kinst/commands.sh \
	tests/kinst/compilers.sh \
	tests/kinst/cross.sh \
	tests/kinst/data.sh \
	tests/kinst/data_fortran.sh \
	tests/kinst/debug.sh \
	tests/kinst/depend.sh \
	tests/kinst/fortran.sh \
	tests/kinst/fragments.sh \
	tests/kinst/link.sh tests/kinst/mapped.sh \
	tests/kinst/messages.sh \
	tests/kinst/names.sh \
	tests/kinst/options.sh \
	tests/kinst/passed_over.sh \
	tests/kinst/stamp.sh \
	tests/kinst/temp.sh tests/kinst/unknown.sh tests/kinst/unmeasured.sh tests/kinst/ways.sh
turn_tests += tests/kinst/atomic.sh tests/kinst/beside.sh tests/kinst/braces.sh tests/kinst/clang.sh \
	tests/kinst/counts.sh tests/kinst/own_modules.sh tests/kinst/one_line.sh tests/kinst/iterations.sh tests/kinst/language.sh \
	tests/kinst/once.sh
turn_tests += tests/kinst/spellings.sh tests/kinst/access_files.sh tests/kinst/directives.sh tests/kinst/files.sh tests/kinst/malformed.sh tests/kinst/plain.sh
slow_tests += tests/kinst/malformed_all.sh tests/kinst/spellings_all.sh
EXTRA_DIST += tests/kinst/commands.py tests/kinst/iterations.py tests/kinst/kinst.sh tests/kinst/malformed.awk tests/kinst/mapped.py tests/kinst/spellings_of

kinst_unit_tests = \
	tests/unit/test_blame tests/unit/test_original tests/unit/test_temp \
	tests/unit/test_command \
	tests/unit/test_data \
	tests/unit/test_directive \
	tests/unit/test_doubt \
	tests/unit/test_emit \
	tests/unit/test_lines_fortran tests/unit/test_signals \
	tests/unit/test_sites \
	tests/unit/test_skeleton
if HAVE_CMOCKA
unit_tests += $(kinst_unit_tests)
endif
kinst_unit_libs = libkinst.la libompp_base.la -lcmocka
tests_unit_test_blame_LDADD = $(kinst_unit_libs)
tests_unit_test_original_LDADD = $(kinst_unit_libs)
tests_unit_test_temp_LDADD = $(kinst_unit_libs)
tests_unit_test_signals_LDADD = $(kinst_unit_libs)
tests_unit_test_sites_LDADD = $(kinst_unit_libs)
tests_unit_test_command_LDADD = $(kinst_unit_libs)
tests_unit_test_data_LDADD = $(kinst_unit_libs)
tests_unit_test_directive_LDADD = $(kinst_unit_libs)
tests_unit_test_doubt_LDADD = $(kinst_unit_libs)
tests_unit_test_emit_LDADD = $(kinst_unit_libs)
tests_unit_test_lines_fortran_LDADD = $(kinst_unit_libs)
tests_unit_test_lines_fortran_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_unit_test_skeleton_LDADD = $(kinst_unit_libs)

# Fuzz targets, which are run over their corpora.
check_PROGRAMS += tests/fuzz/fuzz_command tests/fuzz/fuzz_emit tests/fuzz/fuzz_skeleton
tests_fuzz_fuzz_command_SOURCES = tests/fuzz/fuzz_command.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_command_LDADD = libkinst.la libompp_base.la
tests_fuzz_fuzz_emit_SOURCES = tests/fuzz/fuzz_emit.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_emit_LDADD = libkinst.la libompp_base.la
tests_fuzz_fuzz_skeleton_SOURCES = tests/fuzz/fuzz_skeleton.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_fuzz_fuzz_skeleton_LDADD = libkinst.la libompp_base.la
tests_fuzz_fuzz_command_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_emit_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_fuzz_fuzz_skeleton_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
script_tests += tests/kinst/replay.sh
EXTRA_DIST += tests/fuzz/corpus_command tests/fuzz/corpus_emit tests/fuzz/corpus_skeleton
