# unit: one cmocka program per module, linked with the real objects

if HAVE_CMOCKA
unit_tests += \
	tests/unit/test_arena \
	tests/unit/test_clock \
	tests/unit/test_nearest \
	tests/unit/test_note \
	tests/unit/test_option
endif

# what each needs: the layers below it
unit_libs = libompp_core.la libompp_reports.la libompp_base.la -lcmocka

tests_unit_test_arena_LDADD = $(unit_libs)
tests_unit_test_clock_LDADD = $(unit_libs)
tests_unit_test_nearest_LDADD = $(unit_libs)
tests_unit_test_note_LDADD = $(unit_libs)
tests_unit_test_option_LDADD = $(unit_libs)
