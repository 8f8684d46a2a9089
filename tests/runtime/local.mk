# runtime: the runtime in real programs, which kinst of the build folder builds.
check_PROGRAMS += tests/runtime/flow_make
tests_runtime_flow_make_SOURCES = tests/runtime/flow_make.c
tests_runtime_flow_make_LDADD = libompp_reports.la libompp_base.la
script_tests += \
	tests/runtime/access.sh \
	tests/runtime/annotate.sh \
	tests/runtime/before_main.sh \
	tests/runtime/callstack.sh \
	tests/runtime/clean.sh \
	tests/runtime/constructs.sh \
	tests/runtime/cost.sh \
	tests/runtime/early.sh \
	tests/runtime/estimates.sh \
	tests/runtime/course.sh \
	tests/runtime/predict.sh \
	tests/runtime/span.sh tests/runtime/span_auto.sh tests/runtime/span_locks.sh tests/runtime/span_schedule.sh \
	tests/runtime/counters.sh \
	tests/runtime/ends.sh \
	tests/runtime/files.sh \
	tests/runtime/flow.sh tests/runtime/flow_chrome.sh \
	tests/runtime/flow_processes.sh \
	tests/runtime/durations.sh \
	tests/runtime/findings.sh \
	tests/runtime/functions.sh \
	tests/runtime/heap.sh \
	tests/runtime/helper.sh \
	tests/runtime/hot.sh \
	tests/runtime/imports.sh \
	tests/runtime/jumps.sh \
	tests/runtime/instances.sh \
	tests/runtime/instantiations.sh \
	tests/runtime/limits.sh \
	tests/runtime/link.sh \
	tests/runtime/lock_names.sh \
	tests/runtime/locks.sh \
	tests/runtime/moves.sh \
	tests/runtime/names.sh \
	tests/runtime/objects.sh \
	tests/runtime/object_names.sh \
	tests/runtime/tracked.sh \
	tests/runtime/absent.sh \
	tests/runtime/unloaded.sh \
	tests/runtime/naming.sh \
	tests/runtime/nesting.sh \
	tests/runtime/off.sh \
	tests/runtime/open_regions.sh \
	tests/runtime/opari2_recipe.sh \
	tests/runtime/others.sh \
	tests/runtime/parts.sh \
	tests/runtime/processes.sh \
	tests/runtime/publish.sh \
	tests/runtime/live.sh \
	tests/runtime/record.sh \
	tests/runtime/regions.sh \
	tests/runtime/samples_hook.sh \
	tests/runtime/secure.sh \
	tests/runtime/sensors.sh \
	tests/runtime/settings.sh \
	tests/runtime/signals.sh \
	tests/runtime/smalls.sh \
	tests/runtime/summary.sh \
	tests/runtime/threads.sh \
	tests/runtime/terminal.sh \
	tests/runtime/statics.sh \
	tests/runtime/streams.sh \
	tests/runtime/filter.sh \
	tests/runtime/sanitizers.sh \
	tests/runtime/space.sh \
	tests/runtime/symbols.sh \
	tests/runtime/prefork.sh \
	tests/runtime/task_times.sh \
	tests/runtime/tasks.sh \
	tests/runtime/numa.sh tests/runtime/touch.sh \
	tests/runtime/pages.sh \
	tests/runtime/trace.sh \
	tests/runtime/tui.sh \
	tests/runtime/uncore.sh \
	tests/runtime/walks.sh
turn_tests += tests/runtime/costly.sh tests/runtime/entries.sh tests/runtime/flow_layouts.sh \
	tests/runtime/hole.sh tests/runtime/left.sh tests/runtime/allocators.sh tests/runtime/mappings.sh \
	tests/runtime/sections.sh tests/runtime/owners.sh tests/runtime/unloaded_many.sh \
	tests/runtime/record_long.sh tests/runtime/rings.sh tests/runtime/smalls_pages.sh tests/runtime/stack.sh \
	tests/runtime/page_sizes.sh tests/runtime/page_writers.sh
turn_tests += tests/runtime/own_place.sh
turn_tests += tests/runtime/containers.sh tests/runtime/flow_memory.sh tests/runtime/profile_size.sh tests/runtime/foreign.sh \
	tests/runtime/object_lines.sh tests/runtime/nesting_opari2.sh tests/runtime/samples_levels.sh \
	tests/runtime/storm.sh tests/runtime/page_writes.sh tests/runtime/raw_exit.sh tests/runtime/main_ends.sh tests/runtime/tui_widths.sh
slow_tests += tests/runtime/samples_errors.sh tests/runtime/task_times_many.sh
EXTRA_DIST += \
	tests/runtime/samples_errors.awk tests/runtime/samples_errors.c \
	tests/runtime/terminal.py tests/runtime/tui.py tests/runtime/tui_widths.py \
	tests/runtime/access.c \
	tests/runtime/calls.c \
	tests/runtime/before_main.c \
	tests/runtime/callstack.c \
	tests/runtime/callstack_rows.awk \
	tests/runtime/prefork.c tests/runtime/durations.c \
	tests/runtime/prefork_named.c \
	tests/runtime/task_times.awk \
	tests/runtime/constructs.c \
	tests/runtime/constructs.f90 \
	tests/runtime/containers.cpp tests/runtime/containers_odd.cpp tests/runtime/containers_plugin.cpp \
	tests/runtime/cost.c \
	tests/runtime/counters.c tests/runtime/counters_forbid.c \
	tests/runtime/ends.c \
	tests/runtime/findings.c \
	tests/runtime/allocators.c tests/runtime/mappings.c tests/runtime/sections.c tests/runtime/sections_later.c \
	tests/runtime/objects.c tests/runtime/objects.cpp tests/runtime/objects.f90 \
	tests/runtime/tracked.c \
	tests/runtime/foreign.c \
	tests/runtime/functions.cpp \
	tests/runtime/IMPORTS \
	tests/runtime/helper.c \
	tests/runtime/hole.c \
	tests/runtime/hot.c tests/runtime/hot.py \
	tests/runtime/late.c \
	tests/runtime/jumps.c \
	tests/runtime/instances.cpp \
	tests/runtime/left.cpp \
	tests/runtime/library.c \
	tests/runtime/limits.c \
	tests/runtime/load.c \
	tests/runtime/lock_names.c tests/runtime/lock_names.cpp tests/runtime/lock_names.f90 \
	tests/runtime/locks.c tests/runtime/locks.f90 \
	tests/runtime/moves.c \
	tests/runtime/naming.c \
	tests/runtime/nesting \
	tests/runtime/off.c tests/runtime/off.f90 \
	tests/runtime/open_regions.cpp \
	tests/runtime/parts.c tests/runtime/parts.f90 \
	tests/runtime/flow_processes.c tests/runtime/processes.c \
	tests/runtime/live.py \
	tests/runtime/publish.c \
	tests/runtime/regions.c \
	tests/runtime/refuse_code.c \
	tests/runtime/rings.c \
	tests/runtime/samples_hook.c tests/runtime/samples_hook_library.c \
	tests/runtime/samples_levels.c tests/runtime/samples_levels_setup.c \
	tests/runtime/signals.c \
	tests/runtime/summary.c \
	tests/runtime/stack.c \
	tests/runtime/statics.c tests/runtime/statics.f90 \
	tests/runtime/streams.c \
	tests/runtime/space.c \
	tests/runtime/numa_check.sh tests/runtime/page_sizes.c tests/runtime/page_tricks.c tests/runtime/page_writers.c tests/runtime/page_writes.c tests/runtime/pages.c tests/runtime/main_ends.c tests/runtime/raw_exit.c tests/runtime/raw_fork.h tests/runtime/storm.c tests/runtime/threads.c tests/runtime/touch.c tests/runtime/touch.f90 tests/runtime/trace.c \
	tests/runtime/symbols.c tests/runtime/symbols.cpp tests/runtime/symbols.f90 tests/runtime/symbols.h \
	tests/runtime/symbols_library.c tests/runtime/symbols_other.c \
	tests/runtime/walks.c \
	tests/runtime/work.c
slow_tests += tests/runtime/object_lines_all.sh tests/runtime/predict_all.sh tests/runtime/predict_llvm.sh tests/runtime/what_if.sh
EXTRA_DIST += tests/runtime/course.py tests/runtime/span.py tests/runtime/span_locks.py tests/runtime/span_schedule.py tests/runtime/predict.py tests/runtime/what_if.py \
	tests/runtime/object_lines.py tests/runtime/object_lines_lib.sh
