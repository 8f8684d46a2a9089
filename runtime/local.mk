# runtime: libompp, linked into the measured program.  Each folder is a layer; see HACKING.

# The flags of each library that goes into programs.
own_cppflags = $(AM_CPPFLAGS) -include $(top_srcdir)/runtime/base/own.h
# The flags of libompp: none of its objects may call the C library by name (libc.h).
guest_cppflags = $(own_cppflags) -include $(top_srcdir)/runtime/base/libc.h

# What goes into programs takes no flags from CFLAGS that would end the program or call the C library: checks of the stack
# and of buffers.  CFLAGS come last in automake's commands, so these are added to them.
guest_objects = $(libompp_la_OBJECTS) $(libompp_core_la_OBJECTS) $(libompp_samples_la_OBJECTS) \
	$(libompp_base_la_OBJECTS) $(libompp_reports_la_OBJECTS) $(libompp_access_la_OBJECTS) \
	$(libompp_static_la_OBJECTS) $(libompp_openmp_la_OBJECTS)
$(guest_objects): override CFLAGS += -fno-lto -fno-stack-protector -U_FORTIFY_SOURCE

# base, counters and program, which kinst and ompp use, too.
noinst_LTLIBRARIES += libompp_base.la
libompp_base_la_LIBTOOLFLAGS = $(for_libraries)
libompp_base_la_SOURCES = \
	runtime/terms/access_fields.h runtime/host/answer.c runtime/host/answer.h \
	runtime/base/arena.c runtime/base/arena.h runtime/base/array.h runtime/base/auxv.c runtime/base/auxv.h \
	runtime/base/bound.h runtime/base/check.h runtime/base/checksum.h \
	runtime/base/clean.c runtime/base/clean.h runtime/host/clock.c runtime/host/clock.h \
	runtime/terms/meeting.h runtime/terms/construct.c runtime/terms/construct.def runtime/terms/construct.h runtime/host/cpu.c runtime/host/cpu.h \
	runtime/terms/clauses.c runtime/terms/clauses.h runtime/terms/ctc.c runtime/terms/ctc.h runtime/host/dynamic.c runtime/host/dynamic.h \
	runtime/host/file.c runtime/host/file.h runtime/host/folder.c runtime/host/folder.h \
	runtime/base/filter.c runtime/base/filter.h runtime/host/clone.c runtime/host/clone.h \
	runtime/base/geometric.c runtime/base/geometric.h runtime/base/least_heap.h runtime/base/maximum.h \
	runtime/base/histogram.h runtime/terms/served.h \
	runtime/host/helper.c runtime/host/helper.h runtime/base/libc.c runtime/base/libc.h \
	runtime/host/image.c runtime/host/image.h \
	runtime/host/loaded.c runtime/host/loaded.h \
	runtime/host/past.c runtime/host/past.h \
	runtime/host/message.c runtime/host/message.h runtime/terms/mode.c runtime/terms/mode.h \
	runtime/base/program_file.c runtime/base/program_file.h runtime/base/proc.c runtime/base/proc.h \
	runtime/base/nearest.c runtime/base/nearest.h runtime/host/note.c runtime/host/note.h \
	runtime/terms/launcher.c runtime/terms/launcher.h runtime/terms/option.c runtime/terms/option.h runtime/base/own.h \
	runtime/host/processors.c runtime/host/processors.h runtime/host/real.c runtime/host/real.h \
	runtime/host/redirect.c runtime/host/redirect.h \
	runtime/host/published.c runtime/host/published.h runtime/base/relaxed.h runtime/base/search.h \
	runtime/host/seed.c runtime/host/seed.h runtime/base/sort.c runtime/base/sort.h \
	runtime/base/space.c runtime/base/space.h runtime/host/stack.c runtime/host/stack.h \
	runtime/host/stamp.c runtime/host/stamp.h \
	runtime/host/stream.c runtime/host/stream.h runtime/base/sys.h runtime/base/text.c runtime/base/text.h \
	runtime/base/treap.c runtime/base/treap.h runtime/base/window.h \
	runtime/host/holder.h runtime/base/queue.h runtime/base/little.h \
	runtime/terms/wait.h runtime/terms/build_stamp.c runtime/terms/build_stamp.h runtime/terms/wish.c runtime/terms/wish.h runtime/terms/words.h \
	runtime/host/write.c runtime/host/write.h \
	runtime/counters/counter.c runtime/counters/counter.h runtime/counters/counter_access.c runtime/counters/counter_work.c \
	runtime/counters/counter_group.c runtime/counters/counter_hardware.c \
	runtime/counters/counter_helper.c runtime/counters/counter_helper.h \
	runtime/counters/counter_list.c runtime/counters/counter_list.h \
	runtime/counters/counter_pfm.c runtime/counters/counter_preset.c runtime/counters/counter_software.c \
	runtime/counters/counter_sysfs.c runtime/counters/counter_try.c runtime/counters/counter_try.h \
	runtime/counters/event.c runtime/counters/event.h \
	runtime/counters/expression.c runtime/counters/expression.h runtime/counters/metric.h \
	runtime/counters/pmu.c runtime/counters/pmu.h runtime/counters/pmu_event.c \
	runtime/counters/value.c runtime/counters/value.h runtime/counters/work.c runtime/counters/work.h \
	runtime/program/callstack.c runtime/program/callstack.h \
	runtime/program/callstack_cfi.c runtime/program/callstack_cfi.h \
	runtime/program/callstack_rule.c runtime/program/callstack_rule.h \
	runtime/program/debuginfo.c runtime/program/debuginfo.h runtime/program/element.c runtime/program/element.h \
	runtime/program/address_symbol.c runtime/program/address_symbol.h \
	runtime/program/demangle.c runtime/program/demangle.h runtime/program/demangle_term.h \
	runtime/program/demangle_print.c \
	runtime/program/demangle_expression.c runtime/program/demangle_expression.h runtime/program/demangle_parser.c runtime/program/demangle_parser.h runtime/program/elf.c runtime/program/elf.h \
	runtime/program/mapping.c runtime/program/mapping.h runtime/program/maps.c runtime/program/maps.h \
	runtime/program/openmp.c runtime/program/openmp.h \
	runtime/program/short_name.c runtime/program/short_name.h \
	runtime/program/statement.c runtime/program/statement.h runtime/program/statement_fortran.c \
	runtime/program/statement_text.c runtime/program/statement_text.h \
	runtime/program/templates.c runtime/program/templates.h \
	runtime/program/unmeasured.c runtime/program/unmeasured.h \
	runtime/program/variable.c runtime/program/variable.h runtime/program/variable_add.c \
	runtime/program/variable_debug.c runtime/program/variable_list.c runtime/program/variable_section.c
if DEBUG
libompp_base_la_SOURCES += runtime/base/check.c
endif
libompp_base_la_CPPFLAGS = $(guest_cppflags) -DOMPP_HELPERDIR='"$(libexecdir)/kinst"'

# Everything between base and the adapters; the unit tests link it, too.
noinst_LTLIBRARIES += libompp_core.la
libompp_core_la_LIBTOOLFLAGS = $(for_libraries)
libompp_core_la_CPPFLAGS = $(guest_cppflags)
libompp_core_la_SOURCES = \
	runtime/data/block.c runtime/data/block.h \
	runtime/data/cache.c runtime/data/cache.h \
	runtime/ranges/container.c runtime/ranges/container.h \
	runtime/ranges/ended.c runtime/ranges/ended.h \
	runtime/data/first.c runtime/data/first.h \
	runtime/data/front.c runtime/data/front.h runtime/data/unsampled.h \
	runtime/ranges/gap.c runtime/ranges/gap.h \
	runtime/data/grain.c runtime/data/grain.h \
	runtime/session/machine_time.c runtime/session/machine_time.h \
	runtime/ranges/range_mapping.c runtime/ranges/range_mapping.h \
	runtime/data/member_use.c runtime/data/member_use.h \
	runtime/data/mixed.c runtime/data/mixed.h \
	runtime/data/object.c runtime/data/object.h runtime/data/order.c runtime/data/order.h \
	runtime/data/page.c runtime/data/page.h runtime/data/known.h runtime/data/known_many.h \
	runtime/ranges/piece.c runtime/ranges/piece.h \
	runtime/ranges/range.c runtime/ranges/range.h \
	runtime/ranges/range_block.c runtime/ranges/range_block.h runtime/ranges/range_set.h \
	runtime/terms/geometry.c runtime/terms/geometry.h \
	runtime/access/loop_nest.c runtime/access/loop_nest.h runtime/data/relayout.c runtime/data/relayout.h \
	runtime/data/reuse.c runtime/data/reuse.h \
	runtime/data/segment.c runtime/data/segment.h \
	runtime/data/sharing.c runtime/data/sharing.h \
	runtime/data/site.c runtime/data/site.h \
	runtime/ranges/small.c runtime/ranges/small.h \
	runtime/ranges/symbols.c \
	runtime/ranges/symbol_query.c runtime/ranges/symbol_query.h runtime/ranges/symbols.h \
	runtime/data/last_writer.c runtime/data/last_writer.h runtime/data/tlb.c runtime/data/tlb.h \
	runtime/access/access_tlb.c runtime/access/access_tlb.h \
	runtime/data/tally.c runtime/data/tally.h \
	runtime/data/touched.c runtime/data/touched.h \
	runtime/data/tracked.c runtime/data/tracked.h \
	runtime/sources/breakpoint.c runtime/sources/breakpoint.h \
	runtime/sources/breakpoint_open.c \
	runtime/sources/breakpoint_set.h runtime/sources/breakpoint_thread.c \
	runtime/sources/breakpoint_trap.c \
	runtime/sources/counter_page.c runtime/sources/counter_page.h \
	runtime/sources/counter_plan.c runtime/sources/counter_plan.h \
	runtime/sources/counter_request.c runtime/sources/counter_request.h \
	runtime/sources/counter_set.c runtime/sources/counter_set.h \
	runtime/sources/source_counters.c \
	runtime/sources/fake.c \
	runtime/sources/page_sizes.c runtime/sources/page_sizes.h \
	runtime/sources/probe.c runtime/sources/probe.h runtime/sources/probe_ranges.c runtime/sources/probe_ranges.h \
	runtime/sources/source_hot.c runtime/sources/source_hot.h \
	runtime/sources/source_samples.c runtime/sources/source_samples.h \
	runtime/sources/sampling.c runtime/sources/sampling.h \
	runtime/sources/source.c runtime/sources/source.h \
	runtime/sources/sources.c runtime/sources/sources.h \
	runtime/sources/source_touch.c runtime/sources/source_touch.h \
	runtime/sources/written.c runtime/sources/written.h \
	runtime/sources/source_uncore.c runtime/sources/source_uncore.h \
	runtime/access/access.c runtime/access/access.h \
	runtime/access/access_count.c runtime/access/access_count.h \
	runtime/access/access_patch.c runtime/access/access_patch.h \
	runtime/access/access_model.c runtime/access/access_model.h \
	runtime/access/access_order.c \
	runtime/access/access_interchange.c runtime/access/access_interchange.h \
	runtime/access/access_relayout.c runtime/access/access_relayout.h \
	runtime/access/access_repeat.c runtime/access/access_repeat.h \
	runtime/access/access_reuse.c runtime/access/access_reuse.h runtime/access/access_reuse_order.c \
	runtime/access/access_run.c runtime/access/access_run.h \
	runtime/access/access_sample.c runtime/access/access_sample.h \
	runtime/access/access_member.c runtime/access/access_member.h \
	runtime/access/access_tracked.c runtime/access/access_tracked.h \
	runtime/events/arrival.c runtime/events/arrival.h \
	runtime/core/callgraph.c runtime/core/callgraph.h \
	runtime/events/cost.c runtime/events/cost.h runtime/events/cost_path.c runtime/events/cost_path.h \
	runtime/events/enter.c runtime/events/enter.h runtime/events/hold.c runtime/events/hold.h \
	runtime/access/emulated.c runtime/access/emulated.h runtime/data/emulation.h \
	runtime/access/follow.c runtime/access/follow.h \
	runtime/core/frame.c runtime/core/frame.h \
	runtime/memory/hardware.c runtime/memory/hardware.h \
	runtime/memory/heap.c runtime/memory/heap.h \
	runtime/core/held.h \
	runtime/core/helper_thread.c runtime/core/helper_thread.h \
	runtime/core/lock_holder.c runtime/core/lock_holder.h runtime/core/hot.c runtime/core/hot.h \
	runtime/core/instance.c runtime/core/instance.h \
	runtime/events/jump.c runtime/events/jump.h \
	runtime/session/delegate.c runtime/session/delegate.h \
	runtime/session/lock.c runtime/session/lock.h \
	runtime/session/lock_def.c runtime/session/lock_def.h \
	runtime/session/addresses.h runtime/session/naming.c runtime/session/naming.h \
	runtime/events/publish.c runtime/events/publish.h \
	runtime/core/recent.c runtime/core/recent.h \
	runtime/core/region.c runtime/core/region.h \
	runtime/session/register.c runtime/session/register.h \
	runtime/memory/sample.c runtime/memory/sample.h \
	runtime/memory/sample_tracked.c runtime/memory/sample_tracked.h \
	runtime/memory/spread.c runtime/memory/spread.h \
	runtime/core/session.c runtime/core/session.h \
	runtime/session/session_start.c runtime/session/session_start.h \
	runtime/events/task.c runtime/events/task.h \
	runtime/events/team.c runtime/events/team.h \
	runtime/core/team_data.c runtime/core/team_data.h \
	runtime/core/managing.c runtime/core/managing.h \
	runtime/statistics/course.c runtime/statistics/course.h runtime/core/course_charge.c runtime/core/course_charge.h \
	runtime/statistics/series.c runtime/statistics/series.h \
	runtime/core/storm.c runtime/core/storm.h \
	runtime/core/thread.c runtime/core/thread.h \
	runtime/core/thread_stack.c runtime/core/thread_stack.h \
	runtime/events/thread_start.c runtime/events/thread_start.h \
	runtime/core/section.c runtime/core/section.h \
	runtime/span/longest.c runtime/span/longest.h runtime/span/strand.c runtime/span/strand.h \
	runtime/span/deal.c runtime/span/deal.h runtime/span/deals.c runtime/span/deals.h \
	runtime/span/forest.c runtime/span/forest.h \
	runtime/span/place.c runtime/span/place.h runtime/span/predict.c runtime/span/predict.h \
	runtime/span/span.c runtime/span/span.h runtime/span/span_stack.h runtime/span/span_team.c runtime/span/span_depend.c runtime/span/span_depend.h \
	runtime/span/span_join.c runtime/span/span_join.h runtime/span/span_limit.c runtime/span/span_limit.h runtime/span/span_pool.c runtime/span/span_pool.h \
	runtime/span/span_strand.c runtime/span/span_strand.h runtime/span/span_record.h \
	runtime/span/schedule.c runtime/span/schedule.h runtime/span/span_coarser.c runtime/span/span_coarser.h runtime/span/span_iterations.c runtime/span/span_iterations.h runtime/span/span_variant.c runtime/span/span_variant.h runtime/span/variant.c runtime/span/variant.h \
	runtime/memory/block_extent.c runtime/memory/block_extent.h \
	runtime/memory/by_object.c runtime/memory/by_object.h \
	runtime/memory/home.c runtime/memory/home.h \
	runtime/memory/page_ticks.c runtime/memory/page_ticks.h \
	runtime/memory/page_use.c runtime/memory/page_use.h \
	runtime/memory/page_writers.c runtime/memory/page_writers.h \
	runtime/memory/page_writes.c runtime/memory/page_writes.h \
	runtime/memory/placement.c runtime/memory/placement.h \
	runtime/memory/touch.c runtime/memory/touch.h \
	runtime/core/unwind.c runtime/core/unwind.h \
	runtime/core/values.c runtime/core/values.h \
	runtime/events/visit.c runtime/events/visit.h runtime/events/map_bytes.c runtime/events/map_bytes.h \
	runtime/events/task_path.c runtime/events/task_path.h runtime/events/visit_usual.h runtime/span/span_usual.h \
	runtime/events/meetings.c runtime/events/meetings.h runtime/events/mpi_message.c runtime/events/mpi_message.h \
	runtime/events/partners.c runtime/events/partners.h \
	runtime/statistics/durations.c runtime/statistics/durations.h runtime/core/chunks.h runtime/core/mapped.h runtime/statistics/waits.h \
	runtime/sums/index.c runtime/sums/index.h runtime/sums/locks.c runtime/sums/locks.h runtime/sums/spent.c \
	runtime/sums/spent.h runtime/sums/sum_chunks.c runtime/sums/sum_chunks.h runtime/sums/sum_course.c \
	runtime/sums/sum_course.h runtime/sums/sum_durations.c \
	runtime/sums/sum_durations.h runtime/sums/sum_holders.c runtime/sums/sum_holders.h runtime/sums/sum_hot.c \
	runtime/sums/sum_hot.h runtime/sums/sum_merge.c runtime/sums/sum_merge.h runtime/sums/sum_uncore.c \
	runtime/sums/sum_gains.c runtime/sums/sum_gains.h runtime/sums/sum_span.c runtime/sums/sum_span.h runtime/sums/sum_uncore.h runtime/sums/sum_waits.c runtime/sums/sum_waits.h \
	runtime/data_sums/accesses.c runtime/data_sums/accesses.h runtime/data_sums/sum_lines.c runtime/data_sums/sum_lines.h \
	runtime/data_sums/allocations.c \
	runtime/data_sums/allocations.h runtime/data_sums/numa_nodes.c runtime/data_sums/page_smalls.c \
	runtime/data_sums/page_smalls.h runtime/data_sums/page_sum.c runtime/data_sums/page_sum.h \
	runtime/data_sums/parts.c runtime/data_sums/parts.h runtime/data_sums/site_names.c \
	runtime/data_sums/site_names.h runtime/data_sums/spots.c runtime/data_sums/spots.h \
	runtime/data_sums/sum_calls.c runtime/data_sums/sum_calls.h runtime/data_sums/sum_members.c \
	runtime/data_sums/sum_members.h runtime/data_sums/sum_pattern.c runtime/data_sums/sum_pattern.h \
	runtime/data_sums/sum_relayout.c runtime/data_sums/sum_relayout.h runtime/data_sums/sum_reuse.c \
	runtime/data_sums/sum_reuse.h runtime/data_sums/sum_samples.c runtime/data_sums/sum_samples.h \
	runtime/data_sums/sum_smalls.c runtime/data_sums/sum_smalls.h runtime/data_sums/sum_tracked.c \
	runtime/data_sums/sum_tracked.h runtime/data_sums/uses.c runtime/data_sums/uses.h \
	runtime/collect/access_notes.c runtime/collect/access_notes.h runtime/collect/cells.c \
	runtime/collect/cells.h runtime/collect/collect.c runtime/collect/collect.h runtime/collect/collect_check.h \
	runtime/collect/collect_loops.c runtime/collect/collect_unmeasured.c runtime/collect/conditions.c \
	runtime/collect/destination.c runtime/collect/destination.h runtime/collect/dump.c runtime/collect/dump.h \
	runtime/collect/forks.c runtime/collect/forks.h \
	runtime/collect/merge_thread.c runtime/collect/merge_thread.h runtime/collect/note_texts.c \
	runtime/collect/note_texts.h runtime/collect/output.c runtime/collect/output.h runtime/collect/page_trace.c \
	runtime/collect/page_trace.h runtime/collect/sum_counters.c runtime/collect/sum_counters.h \
	runtime/collect/sum_functions.c runtime/collect/sum_functions.h runtime/collect/sum_meetings.c runtime/collect/sum_meetings.h runtime/collect/sum_partners.c \
	runtime/collect/sum_partners.h runtime/collect/sum_instantiations.c \
	runtime/collect/sum_instantiations.h runtime/collect/thread_names.c runtime/collect/thread_names.h \
	runtime/collect/trace.c runtime/collect/trace.h runtime/collect/trace_file.c runtime/collect/trace_file.h

# --enable-debug
if DEBUG
libompp_core_la_SOURCES += runtime/core/callgraph_check.c runtime/core/frames_check.c runtime/ranges/range_check.c runtime/collect/collect_check.c
endif

# Samples of memory accesses, which the kernel takes.
noinst_LTLIBRARIES += libompp_samples.la
libompp_samples_la_LIBTOOLFLAGS = $(for_libraries)
libompp_samples_la_CPPFLAGS = $(guest_cppflags)
libompp_samples_la_SOURCES = \
	runtime/samples/data_source.c runtime/samples/data_source.h \
	runtime/samples/memory_event.c runtime/samples/memory_event.h \
	runtime/samples/probe_clock.h runtime/samples/sample_record.c runtime/samples/sample_record.h \
	runtime/samples/ring.c runtime/samples/ring.h \
	runtime/samples/sampler.c runtime/samples/sampler.h \
	runtime/samples/spe.c runtime/samples/spe.h

include_HEADERS += runtime/ompp_sensor.h

# libompp_mem, which gives such samples to programs.
lib_LTLIBRARIES += libompp_mem.la
libompp_mem_la_CPPFLAGS = $(own_cppflags)
libompp_mem_la_SOURCES = \
	runtime/mem/mem_print.c \
	runtime/mem/problem.c runtime/mem/problem.h \
	runtime/mem/mem_session.c runtime/mem/mem_session.h \
	runtime/mem/mem_traffic.c \
	runtime/sources/source_uncore.c
libompp_mem_la_LIBADD = libompp_samples.la libompp_base.la -lpthread
libompp_mem_la_LDFLAGS = -version-info 0:0:0 -Wl,--version-script=$(top_srcdir)/runtime/ompp_mem.map -Wl,-z,now
EXTRA_libompp_mem_la_DEPENDENCIES = $(top_srcdir)/runtime/ompp_mem.map
EXTRA_DIST += runtime/ompp_mem.map runtime/ompp_mem.f90
include_HEADERS += runtime/ompp_mem.h

# libompp_kokkos, which Kokkos loads.
if SHARED
lib_LTLIBRARIES += libompp_kokkos.la
endif
libompp_kokkos_la_LIBTOOLFLAGS = $(for_libraries)
libompp_kokkos_la_CPPFLAGS = $(own_cppflags)
libompp_kokkos_la_SOURCES = runtime/kokkos/kokkos_calls.c
libompp_kokkos_la_LDFLAGS = -module -shared -avoid-version -Wl,--version-script=$(top_srcdir)/runtime/kokkos/kokkos.map \
	-Wl,-z,now
libompp_kokkos_la_LIBADD = -ldl
EXTRA_libompp_kokkos_la_DEPENDENCIES = $(top_srcdir)/runtime/kokkos/kokkos.map
EXTRA_DIST += runtime/kokkos/kokkos.map

# Caliper's annotations as regions, in a folder of its own, as programs may use Caliper itself.
caliperdir = $(pkgincludedir)/caliper
caliper_HEADERS = runtime/caliper/cali.h

lib_LTLIBRARIES += libompp.la
libompp_la_CPPFLAGS = $(guest_cppflags)
libompp_la_SOURCES = \
	runtime/interpose/call_region.c runtime/interpose/call_region.h \
	runtime/interpose/chunk_calls.c runtime/interpose/chunk_calls.h \
	runtime/interpose/cxx_thread.c runtime/interpose/cxx_thread.h \
	runtime/interpose/doacross_calls.c \
	runtime/interpose/gomp_call.h runtime/interpose/gomp_calls.c runtime/interpose/gomp_calls.h \
	runtime/interpose/gomp_tasks.c runtime/interpose/gomp_teams.c \
	runtime/interpose/jump_calls.c runtime/interpose/jump_calls.h \
	runtime/interpose/lock_calls.h runtime/interpose/lock_wait.h \
	runtime/interpose/main_call.c runtime/interpose/main_call.h \
	runtime/interpose/mpi_calls.c runtime/interpose/mpi_calls.def runtime/interpose/mpi_calls.h \
	runtime/interpose/mpi_meeting.c runtime/interpose/mpi_meeting.h \
	runtime/interpose/mpi_neighbours.c runtime/interpose/mpi_neighbours.h runtime/interpose/mpi_library.c runtime/interpose/mpi_library.h \
	runtime/interpose/mpi_request.c runtime/interpose/mpi_request.h \
	runtime/interpose/mpi_world.c runtime/interpose/mpi_world.h \
	runtime/interpose/ompt.h runtime/interpose/ompt_events.c \
	runtime/interpose/thread_calls.c runtime/interpose/thread_calls.h \
	runtime/interpose/wait_call.c runtime/interpose/wait_call.h \
	runtime/interpose/wait_calls.c runtime/interpose/wait_calls.h \
	runtime/adapters/access_hooks.h \
	runtime/adapters/blocks.c \
	runtime/adapters/filter_calls.c runtime/adapters/filter_calls.h \
	runtime/adapters/fortran.c \
	runtime/adapters/function_calls.c \
	runtime/adapters/heap_calls.c runtime/adapters/heap_calls.h \
	runtime/adapters/jumps.c \
	runtime/adapters/pomp2.c runtime/adapters/pomp2.h \
	runtime/adapters/pomp2_fortran.c \
	runtime/adapters/process_calls.c runtime/adapters/process_calls.h \
	runtime/adapters/signal_mask.c runtime/adapters/signal_mask.h \
	runtime/adapters/start.c \
	runtime/adapters/watched.c runtime/adapters/watched.h \
	runtime/adapters/user.c runtime/adapters/user.h
libompp_la_LIBADD = libompp_core.la libompp_samples.la libompp_reports.la libompp_base.la
libompp_la_LDFLAGS = -version-info 1:0:0 -Wl,--version-script=$(top_srcdir)/runtime/ompp.map -Wl,-z,now \
	-Wl,-z,nodelete
EXTRA_libompp_la_DEPENDENCIES = $(top_srcdir)/runtime/ompp.map
EXTRA_DIST += runtime/ompp.map runtime/ompp.f90

# Always an archive, as it belongs to the program.
lib_LTLIBRARIES += libompp_openmp.la
libompp_openmp_la_LIBTOOLFLAGS = $(for_programs)
libompp_openmp_la_CPPFLAGS = $(own_cppflags)
libompp_openmp_la_SOURCES = runtime/adapters/openmp_calls.c
libompp_openmp_la_LDFLAGS = -static

lib_LTLIBRARIES += libompp_static.la
libompp_static_la_LIBTOOLFLAGS = $(for_programs)
libompp_static_la_CFLAGS = $(AM_CFLAGS) -fno-builtin
libompp_static_la_CPPFLAGS = $(own_cppflags)
libompp_static_la_SOURCES = \
	runtime/adapters/static_call.h \
	runtime/adapters/static_calls.c \
	runtime/adapters/static_calls_cxx.c \
	runtime/adapters/static_calls_openmp.c
libompp_static_la_LDFLAGS = -static

lib_LTLIBRARIES += libompp_access.la
libompp_access_la_LIBTOOLFLAGS = $(for_programs)
libompp_access_la_CPPFLAGS = $(own_cppflags)
libompp_access_la_SOURCES = \
	runtime/adapters/access_hooks.c \
	runtime/adapters/access_atomic.c \
	runtime/adapters/access_atomic_sampled.c \
	runtime/adapters/access_copy.h \
	runtime/adapters/access_delete.c \
	runtime/adapters/access_far.c \
	runtime/adapters/access_heap.c \
	runtime/adapters/access_memory.c \
	runtime/adapters/access_memory_sampled.c \
	runtime/adapters/access_near.h \
	runtime/adapters/access_pair.h \
	runtime/adapters/nest_gain.h runtime/adapters/run_ends.h \
	runtime/adapters/run_hooks.c \
	runtime/adapters/run_log.c runtime/adapters/run_log.h runtime/adapters/run_sites.c \
	runtime/adapters/run_hooks.h
libompp_access_la_CFLAGS = $(AM_CFLAGS) -fno-builtin -fPIC
libompp_access_la_LDFLAGS = -static

# The plug-in of QEMU's user mode, which is loaded into the emulator (ompp run --emulate).
emulatordir = $(libexecdir)/kinst
if SHARED
emulator_LTLIBRARIES = ompp-emulator.la ompp-emulator-static.la
endif
emulator_sources = \
	runtime/emulator/emulator.c runtime/emulator/vector_width.c runtime/emulator/vector_width.h runtime/emulator/qemu.h \
	runtime/emulator/backlog.c runtime/emulator/backlog.h runtime/emulator/instruction.c \
	runtime/emulator/living.c runtime/emulator/living.h \
	runtime/emulator/instruction.h runtime/emulator/moving_call.c runtime/emulator/moving_call.h \
	runtime/emulator/operations.c runtime/emulator/operations.h runtime/emulator/own_code.c runtime/emulator/own_code.h \
	runtime/emulator/ordered.c runtime/emulator/ordered.h runtime/emulator/block_work.c \
	runtime/emulator/block_work.h runtime/emulator/inside.h
ompp_emulator_la_LIBTOOLFLAGS = $(for_libraries)
ompp_emulator_la_SOURCES = $(emulator_sources) runtime/emulator/apart.c runtime/data/sharing.c
ompp_emulator_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
ompp_emulator_la_LDFLAGS = -module -avoid-version -shared
# The same with libompp inside, for static programs.
ompp_emulator_static_la_LIBTOOLFLAGS = $(for_libraries)
ompp_emulator_static_la_SOURCES = $(emulator_sources) runtime/emulator/inside.c
ompp_emulator_static_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
ompp_emulator_static_la_LIBADD = $(libompp_la_LIBADD)
ompp_emulator_static_la_LDFLAGS = -module -avoid-version -shared \
	-Wl,--version-script=$(top_srcdir)/runtime/emulator/emulator.map
EXTRA_ompp_emulator_static_la_DEPENDENCIES = $(top_srcdir)/runtime/emulator/emulator.map
EXTRA_DIST += runtime/emulator/emulator.map

# Helpers: programs that answer questions by means of libraries to which libompp does not link.
helperdir = $(libexecdir)/kinst
helper_PROGRAMS =
if HAVE_ELFUTILS
helper_PROGRAMS += ompp-symbols
endif
ompp_symbols_SOURCES = \
	runtime/helpers/symbols/main.c runtime/helpers/symbols/symbols_helper.c \
	runtime/helpers/symbols/symbols_location.c runtime/helpers/symbols/symbols_location.h \
	runtime/helpers/symbols/symbols_allocator.c runtime/helpers/symbols/symbols_allocator.h \
	runtime/helpers/symbols/symbols_bases.c runtime/helpers/symbols/symbols_bases.h \
	runtime/helpers/symbols/symbols_element.c runtime/helpers/symbols/symbols_element.h \
	runtime/helpers/symbols/symbols_resolve.c runtime/helpers/symbols/symbols_resolve.h \
	runtime/helpers/symbols/symbols_type.c runtime/helpers/symbols/symbols_type.h
ompp_symbols_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
ompp_symbols_LDADD = libompp_base.la $(ELFUTILS_LIBS)

if HAVE_PAPI
helper_PROGRAMS += ompp-papi
endif
ompp_papi_SOURCES = \
	runtime/helpers/papi/main.c \
	runtime/helpers/papi/papi.c runtime/helpers/papi/papi.h \
	runtime/helpers/papi/postfix.c runtime/helpers/papi/postfix.h \
	runtime/helpers/papi/presets.c runtime/helpers/papi/presets.h
ompp_papi_LDADD = libompp_base.la $(PAPI_LIBS)

include_HEADERS += runtime/ompp.h

# The headers that programs include, in one folder of the build, as they are when installed.
all-local: include/ompp.h include/ompp_mem.h include/ompp_sensor.h include/ompp_flow.h
include/ompp.h include/ompp_mem.h include/ompp_sensor.h: include/%.h: runtime/%.h
	$(AM_V_GEN)$(MKDIR_P) include && cp $< $@
include/ompp_flow.h: reports/ompp_flow.h
	$(AM_V_GEN)$(MKDIR_P) include && cp $< $@
CLEANFILES += include/ompp.h include/ompp_mem.h include/ompp_sensor.h include/ompp_flow.h
if HAVE_GFORTRAN
modules = include/ompp.mod include/ompp_mem.mod
nodist_include_HEADERS = $(modules)
$(modules): include/%.mod: runtime/%.f90
	$(AM_V_GEN)$(MKDIR_P) include && $(GFORTRAN) -fsyntax-only -Jinclude $<
# The functions of the Fortran module.
libfortrandir = $(libdir)
nodist_libfortran_DATA = libompp_mem_fortran.a
libompp_mem_fortran.a: runtime/ompp_mem.f90 include/ompp_mem.mod
	$(AM_V_GEN)$(MKDIR_P) runtime/mem && $(GFORTRAN) -O2 -fPIC -Jruntime/mem -c $(srcdir)/runtime/ompp_mem.f90 \
	-o runtime/mem/fortran.o && rm -f $@ && $(AR) cr $@ runtime/mem/fortran.o
CLEANFILES += $(modules) libompp_mem_fortran.a runtime/mem/fortran.o runtime/mem/ompp_mem.mod
endif

# Without line numbers debuggers step over these files, so that users see their own program alone.
install-exec-hook: ompp-install-strip
ompp-install-strip:
	for file in '$(DESTDIR)$(libdir)'/libompp*.so '$(DESTDIR)$(libdir)'/libompp*.a; do \
		test ! -f "$$file" || $(STRIP) --strip-debug "$$file" || exit 1; done
.PHONY: ompp-install-strip
