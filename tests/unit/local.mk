# unit: one cmocka program per module, linked with the real objects

if HAVE_CMOCKA
unit_tests += \
	tests/unit/test_arena \
	tests/unit/test_breakpoint \
	tests/unit/test_block tests/unit/test_grain tests/unit/test_mixed \
	tests/unit/test_cache \
	tests/unit/test_reuse tests/unit/test_last_writer tests/unit/test_tlb tests/unit/test_loop_nest \
	tests/unit/test_callstack \
	tests/unit/test_check \
	tests/unit/test_clean \
	tests/unit/test_child \
	tests/unit/test_clock \
	tests/unit/test_counter tests/unit/test_counter_units \
	tests/unit/test_counters \
	tests/unit/test_coarse \
	tests/unit/test_data_source \
	tests/unit/test_demangle \
	tests/unit/test_elf \
	tests/unit/test_element \
	tests/unit/test_ended \
	tests/unit/test_expression \
	tests/unit/test_filter \
	tests/unit/test_first \
	tests/unit/test_flow tests/unit/test_flow_files tests/unit/test_flow_order \
	tests/unit/test_geometric \
	tests/unit/test_hot \
	tests/unit/test_libc \
	tests/unit/test_loaded \
	tests/unit/test_mapping \
	tests/unit/test_memory_event \
	tests/unit/test_nearest tests/unit/test_number \
	tests/unit/test_note \
	tests/unit/test_object \
	tests/unit/test_option \
	tests/unit/test_page_use tests/unit/test_page_use_times \
	tests/unit/test_probe_ranges \
	tests/unit/test_program \
	tests/unit/test_processors \
	tests/unit/test_range \
	tests/unit/test_recent \
	tests/unit/test_record \
	tests/unit/test_journal \
	tests/unit/test_recording \
	tests/unit/test_sample \
	tests/unit/test_sampler \
	tests/unit/test_sensor_limits tests/unit/test_sensor_uncore tests/unit/test_sensors \
	tests/unit/test_managing \
	tests/unit/test_course \
	tests/unit/test_series \
	tests/unit/test_predict tests/unit/test_deal \
	tests/unit/test_schedule tests/unit/test_span tests/unit/test_variant \
	tests/unit/test_forest tests/unit/test_span_strand tests/unit/test_span_limit tests/unit/test_span_iterations tests/unit/test_span_coarser tests/unit/test_span_left \
	tests/unit/test_program_file \
	tests/unit/test_sharing \
	tests/unit/test_source \
	tests/unit/test_spe \
	tests/unit/test_sort \
	tests/unit/test_stack \
	tests/unit/test_stamp \
	tests/unit/test_machine_time \
	tests/unit/test_statement tests/unit/test_symbol_query \
	tests/unit/test_tracked \
	tests/unit/test_uncore \
	tests/unit/test_unmeasured \
	tests/unit/test_value \
	tests/unit/test_variable \
	tests/unit/test_watcher \
	tests/unit/test_wish

if HAVE_PAPI
unit_tests += tests/unit/test_papi
endif

# Tests of the runtime, which link the adapters, and in which threads act in known order (steps.h).
runtime_tests = \
	tests/unit/test_access \
	tests/unit/test_access_model \
	tests/unit/test_access_order \
	tests/unit/test_access_patch \
	tests/unit/test_access_run \
	tests/unit/test_access_sample \
	tests/unit/test_arrival \
	tests/unit/test_held_up \
	tests/unit/test_callgraph tests/unit/test_durations \
	tests/unit/test_collect \
	tests/unit/test_events \
	tests/unit/test_instance \
	tests/unit/test_interrupted \
	tests/unit/test_path_interrupted \
	tests/unit/test_lock \
	tests/unit/test_race \
	tests/unit/test_region \
	tests/unit/test_sample_errors \
	tests/unit/test_samples \
	tests/unit/test_storm \
	tests/unit/test_storm_times \
	tests/unit/test_task tests/unit/test_task_path \
	tests/unit/test_team \
	tests/unit/test_sum_chunks tests/unit/test_sum_pattern \
	tests/unit/test_thread tests/unit/test_thread_stack \
	tests/unit/test_touch \
	tests/unit/test_visit
unit_tests += $(runtime_tests)
check_LTLIBRARIES += tests/unit/libsteps.la
endif

# Each program links the layers that it tests and those below.
unit_libs = libompp_core.la libompp_samples.la libompp_reports.la libompp_base.la -lcmocka

tests_unit_test_arena_LDADD = $(unit_libs)
tests_unit_test_breakpoint_LDADD = $(unit_libs) -lpthread
tests_unit_test_block_LDADD = $(unit_libs) -lpthread
tests_unit_test_grain_LDADD = $(unit_libs)
tests_unit_test_mixed_LDADD = $(unit_libs)
tests_unit_test_cache_LDADD = $(unit_libs) -lpthread
tests_unit_test_reuse_LDADD = $(unit_libs)
tests_unit_test_last_writer_LDADD = $(unit_libs)
tests_unit_test_tlb_LDADD = $(unit_libs)
tests_unit_test_loop_nest_LDADD = $(unit_libs)
# The functions that it walks are as in optimised programs, whatever the build is.
tests_unit_test_callstack_CFLAGS = $(AM_CFLAGS) -O2 -fomit-frame-pointer
tests_unit_test_callstack_LDADD = $(unit_libs) -lpthread -ldl
tests_unit_test_check_LDADD = tests/unit/libsteps.la
tests_unit_test_clean_LDADD = $(unit_libs)
tests_unit_test_clock_LDADD = $(unit_libs)
tests_unit_test_counter_SOURCES = tests/unit/test_counter.c tests/unit/counter_machine.h tests/unit/fake_sysfs.h
tests_unit_test_counter_LDADD = $(unit_libs)
tests_unit_test_counter_units_SOURCES = tests/unit/test_counter_units.c tests/unit/counter_machine.h tests/unit/fake_sysfs.h
tests_unit_test_counter_units_LDADD = $(unit_libs)
tests_unit_test_counters_LDADD = $(unit_libs)
tests_unit_test_data_source_LDADD = $(unit_libs)
tests_unit_test_demangle_LDADD = $(unit_libs) -ldl
tests_unit_test_elf_LDADD = $(unit_libs)
tests_unit_test_expression_LDADD = $(unit_libs)
tests_unit_test_mapping_LDADD = $(unit_libs) -lpthread
tests_unit_test_libc_LDADD = $(unit_libs)
tests_unit_test_memory_event_SOURCES = tests/unit/test_memory_event.c tests/unit/fake_sysfs.h
tests_unit_test_loaded_LDADD = $(unit_libs) -ldl
tests_unit_test_memory_event_LDADD = $(unit_libs)
tests_unit_test_nearest_LDADD = $(unit_libs)
tests_unit_test_number_LDADD = $(unit_libs)
tests_unit_test_sort_LDADD = $(unit_libs)
tests_unit_test_symbol_query_LDADD = $(unit_libs)
tests_unit_test_tracked_LDADD = $(unit_libs)
tests_unit_test_note_LDADD = $(unit_libs)
tests_unit_test_object_LDADD = $(unit_libs)
tests_unit_test_option_LDADD = $(unit_libs)
tests_unit_test_page_use_SOURCES = tests/unit/test_page_use.c tests/unit/page_uses.h
tests_unit_test_page_use_LDADD = $(unit_libs) -lpthread -ldl
tests_unit_test_page_use_times_SOURCES = tests/unit/test_page_use_times.c tests/unit/page_uses.h
tests_unit_test_page_use_times_LDADD = $(unit_libs) -lpthread -ldl
tests_unit_test_probe_ranges_LDADD = $(unit_libs)
tests_unit_test_processors_LDADD = $(unit_libs)
tests_unit_test_papi_SOURCES = tests/unit/test_papi.c tests/unit/fake_sysfs.h \
	runtime/helpers/papi/papi.c runtime/helpers/papi/postfix.c runtime/helpers/papi/presets.c
tests_unit_test_papi_LDADD = $(unit_libs) $(PAPI_LIBS)
tests_unit_test_papi_LDFLAGS = -Wl,--wrap=PAPI_library_init,--wrap=PAPI_shutdown
tests_unit_test_filter_LDADD = $(unit_libs)
tests_unit_test_first_LDADD = $(unit_libs)
tests_unit_test_sharing_LDADD = $(unit_libs)
tests_unit_test_flow_CPPFLAGS = $(flow_cppflags)
tests_unit_test_flow_SOURCES = tests/unit/test_flow.c tests/unit/flow_trace.h
tests_unit_test_flow_LDADD = libompp_flow_reader.la $(unit_libs)
tests_unit_test_flow_files_CPPFLAGS = $(flow_cppflags)
tests_unit_test_flow_files_SOURCES = tests/unit/test_flow_files.c tests/unit/flow_trace.h
tests_unit_test_flow_files_LDADD = $(tests_unit_test_flow_LDADD)
tests_unit_test_flow_order_CPPFLAGS = $(flow_cppflags)
tests_unit_test_flow_order_LDADD = $(tests_unit_test_flow_LDADD)
tests_unit_test_geometric_LDADD = $(unit_libs) -lm
tests_unit_test_hot_LDADD = $(unit_libs)
tests_unit_test_managing_LDADD = $(unit_libs)
tests_unit_test_course_LDADD = $(unit_libs)
tests_unit_test_series_LDADD = $(unit_libs)
tests_unit_test_schedule_LDADD = $(unit_libs)
tests_unit_test_predict_LDADD = $(unit_libs)
tests_unit_test_deal_LDADD = $(unit_libs)
tests_unit_test_span_LDADD = $(unit_libs)
tests_unit_test_forest_LDADD = $(unit_libs)
tests_unit_test_span_strand_LDADD = $(unit_libs)
tests_unit_test_span_limit_LDADD = $(unit_libs)
tests_unit_test_span_left_LDADD = $(unit_libs)
tests_unit_test_span_iterations_LDADD = $(unit_libs)
tests_unit_test_span_coarser_LDADD = $(unit_libs)
tests_unit_test_program_file_LDADD = $(unit_libs)
tests_unit_test_variant_LDADD = $(unit_libs)
tests_unit_test_range_LDADD = $(unit_libs)
tests_unit_test_element_LDADD = $(unit_libs)
tests_unit_test_ended_LDADD = $(unit_libs)
tests_unit_test_recent_LDADD = $(unit_libs) -lpthread
tests_unit_test_stamp_LDADD = $(unit_libs)
tests_unit_test_machine_time_LDADD = $(unit_libs)
tests_unit_test_coarse_LDADD = libompp_program.la $(CMOCKA_LIBS)
tests_unit_test_child_LDADD = libompp_program.la $(CMOCKA_LIBS)
tests_unit_test_watcher_LDADD = libompp_program.la $(CMOCKA_LIBS)
tests_unit_test_journal_LDADD = libompp_program.la $(CMOCKA_LIBS)
tests_unit_test_recording_LDADD = libompp_program.la $(CMOCKA_LIBS)
tests_unit_test_program_LDADD = libompp_sensors.la $(unit_libs)
tests_unit_test_record_LDADD = $(unit_libs)
tests_unit_test_sampler_SOURCES = tests/unit/test_sampler.c tests/unit/machine.h
tests_unit_test_sampler_LDADD = $(unit_libs)
tests_unit_test_sensor_uncore_SOURCES = tests/unit/test_sensor_uncore.c tests/unit/fake_sysfs.h \
	tests/unit/sensor_meter.h
tests_unit_test_sensor_uncore_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/runtime
tests_unit_test_sensor_uncore_LDADD = libompp_sensors.la $(unit_libs)
tests_unit_test_sensors_SOURCES = tests/unit/test_sensors.c tests/unit/fake_sysfs.h tests/unit/sensor_meter.h \
	tests/unit/sensor_tree.h
tests_unit_test_sensors_LDADD = libompp_sensors.la $(unit_libs)
tests_unit_test_sensor_limits_SOURCES = tests/unit/test_sensor_limits.c tests/unit/fake_sysfs.h \
	tests/unit/sensor_meter.h tests/unit/sensor_tree.h
tests_unit_test_sensor_limits_LDADD = libompp_sensors.la $(unit_libs)
tests_unit_test_sample_LDADD = $(unit_libs)
tests_unit_test_source_LDADD = $(unit_libs)
tests_unit_test_spe_LDADD = $(unit_libs)
tests_unit_test_stack_LDADD = $(unit_libs) -lpthread
tests_unit_test_uncore_LDADD = $(unit_libs)
tests_unit_test_unmeasured_LDADD = $(unit_libs)
tests_unit_test_statement_LDADD = $(unit_libs) -lpthread -ldl
tests_unit_test_value_LDADD = $(unit_libs)
tests_unit_test_variable_LDADD = $(unit_libs)
tests_unit_test_wish_LDADD = $(unit_libs)

tests_unit_libsteps_la_LIBTOOLFLAGS = $(for_libraries)
tests_unit_libsteps_la_SOURCES = \
	tests/unit/steps.c tests/unit/steps.h \
	runtime/adapters/pomp2.c runtime/adapters/pomp2_fortran.c runtime/adapters/user.c
tests_unit_libsteps_la_LIBADD = $(unit_libs) -lpthread

tests_unit_test_access_LDADD = tests/unit/libsteps.la
tests_unit_test_access_model_LDADD = tests/unit/libsteps.la
tests_unit_test_access_order_LDADD = tests/unit/libsteps.la
tests_unit_test_access_patch_LDADD = tests/unit/libsteps.la
tests_unit_test_access_run_SOURCES = tests/unit/test_access_run.c \
	runtime/adapters/access_far.c runtime/adapters/run_hooks.c runtime/adapters/run_log.c \
	runtime/adapters/run_sites.c
tests_unit_test_access_run_LDADD = tests/unit/libsteps.la
tests_unit_test_access_sample_LDADD = tests/unit/libsteps.la -lm
tests_unit_test_arrival_LDADD = tests/unit/libsteps.la -lm
tests_unit_test_held_up_LDADD = tests/unit/libsteps.la -lm
tests_unit_test_callgraph_LDADD = tests/unit/libsteps.la
tests_unit_test_durations_LDADD = tests/unit/libsteps.la
tests_unit_test_storm_SOURCES = tests/unit/test_storm.c tests/unit/storms.h
tests_unit_test_storm_LDADD = tests/unit/libsteps.la
tests_unit_test_storm_times_SOURCES = tests/unit/test_storm_times.c tests/unit/storms.h
tests_unit_test_storm_times_LDADD = tests/unit/libsteps.la
tests_unit_test_collect_LDADD = tests/unit/libsteps.la
tests_unit_test_events_LDADD = tests/unit/libsteps.la
tests_unit_test_instance_LDADD = tests/unit/libsteps.la
tests_unit_test_interrupted_LDADD = tests/unit/libsteps.la
tests_unit_test_path_interrupted_LDADD = tests/unit/libsteps.la
tests_unit_test_lock_LDADD = tests/unit/libsteps.la
tests_unit_test_race_LDADD = tests/unit/libsteps.la
tests_unit_test_region_LDADD = tests/unit/libsteps.la
tests_unit_test_sample_errors_LDADD = tests/unit/libsteps.la
tests_unit_test_samples_LDADD = tests/unit/libsteps.la
tests_unit_test_task_LDADD = tests/unit/libsteps.la
tests_unit_test_task_path_LDADD = tests/unit/libsteps.la
tests_unit_test_team_LDADD = tests/unit/libsteps.la
tests_unit_test_thread_LDADD = tests/unit/libsteps.la
tests_unit_test_sum_chunks_LDADD = tests/unit/libsteps.la -lm
tests_unit_test_sum_pattern_LDADD = tests/unit/libsteps.la
tests_unit_test_thread_stack_LDADD = tests/unit/libsteps.la
tests_unit_test_touch_SOURCES = tests/unit/test_touch.c tests/unit/machine.h
tests_unit_test_touch_LDADD = tests/unit/libsteps.la
tests_unit_test_visit_LDADD = tests/unit/libsteps.la

CLEANFILES += tests/unit/libsteps.la
