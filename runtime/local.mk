# runtime: libompp, linked into the measured program.  Each folder is a layer; see HACKING.

# The flags of each library that goes into programs.
own_cppflags = $(AM_CPPFLAGS) -include $(top_srcdir)/runtime/base/own.h
# The flags of libompp: none of its objects may call the C library by name (libc.h).
guest_cppflags = $(own_cppflags) -include $(top_srcdir)/runtime/base/libc.h
guest_cflags = $(AM_CFLAGS) -fno-lto -fno-stack-protector

# base, counters and program, which kinst and ompp use, too.
noinst_LTLIBRARIES += libompp_base.la
libompp_base_la_SOURCES = \
	runtime/base/access.h runtime/base/answer.c runtime/base/answer.h \
	runtime/base/arena.c runtime/base/arena.h runtime/base/array.h runtime/base/auxv.c runtime/base/auxv.h \
	runtime/base/bound.h runtime/base/check.h \
	runtime/base/clean.c runtime/base/clean.h runtime/base/clock.c runtime/base/clock.h \
	runtime/base/construct.c runtime/base/construct.def runtime/base/construct.h runtime/base/cpu.c runtime/base/cpu.h \
	runtime/base/ctc.c runtime/base/ctc.h runtime/base/dynamic.c runtime/base/dynamic.h \
	runtime/base/file.c runtime/base/file.h runtime/base/folder.c runtime/base/folder.h \
	runtime/base/geometric.c runtime/base/geometric.h \
	runtime/base/histogram.h runtime/base/served.h \
	runtime/base/helper.c runtime/base/helper.h runtime/base/libc.c runtime/base/libc.h \
	runtime/base/image.c runtime/base/image.h \
	runtime/base/loaded.c runtime/base/loaded.h \
	runtime/base/past.c runtime/base/past.h \
	runtime/base/message.c runtime/base/message.h runtime/base/mode.c runtime/base/mode.h \
	runtime/base/nearest.c runtime/base/nearest.h runtime/base/note.c runtime/base/note.h \
	runtime/base/option.c runtime/base/option.h runtime/base/own.h \
	runtime/base/processors.c runtime/base/processors.h runtime/base/real.c runtime/base/real.h \
	runtime/base/redirect.c runtime/base/redirect.h \
	runtime/base/published.c runtime/base/published.h runtime/base/relaxed.h runtime/base/search.h \
	runtime/base/seed.c runtime/base/seed.h runtime/base/sort.c runtime/base/sort.h \
	runtime/base/space.c runtime/base/space.h runtime/base/stack.c runtime/base/stack.h \
	runtime/base/stamp.c runtime/base/stamp.h \
	runtime/base/stream.c runtime/base/stream.h runtime/base/sys.h runtime/base/text.c runtime/base/text.h \
	runtime/base/treap.c runtime/base/treap.h \
	runtime/base/holder.h runtime/base/queue.h runtime/base/little.h \
	runtime/base/wait.h runtime/base/wish.c runtime/base/wish.h runtime/base/words.h \
	runtime/base/write.c runtime/base/write.h \
	runtime/counters/counter.c runtime/counters/counter.h runtime/counters/counter_access.c \
	runtime/counters/counter_group.c runtime/counters/counter_hardware.c \
	runtime/counters/counter_helper.c runtime/counters/counter_helper.h \
	runtime/counters/counter_list.c runtime/counters/counter_list.h \
	runtime/counters/counter_pfm.c runtime/counters/counter_preset.c runtime/counters/counter_software.c \
	runtime/counters/counter_sysfs.c runtime/counters/counter_try.c runtime/counters/counter_try.h \
	runtime/counters/event.c runtime/counters/event.h \
	runtime/counters/expression.c runtime/counters/expression.h runtime/counters/metric.h \
	runtime/counters/pmu.c runtime/counters/pmu.h runtime/counters/pmu_event.c \
	runtime/counters/value.c runtime/counters/value.h \
	runtime/program/callstack.c runtime/program/callstack.h \
	runtime/program/callstack_cfi.c runtime/program/callstack_cfi.h \
	runtime/program/callstack_rule.c runtime/program/callstack_rule.h \
	runtime/program/debuginfo.c runtime/program/debuginfo.h \
	runtime/program/demangle.c runtime/program/demangle.h runtime/program/demangle_term.h \
	runtime/program/demangle_print.c runtime/program/elf.c runtime/program/elf.h \
	runtime/program/mapping.c runtime/program/mapping.h runtime/program/maps.c runtime/program/maps.h \
	runtime/program/openmp.c runtime/program/openmp.h \
	runtime/program/short_name.c runtime/program/short_name.h \
	runtime/program/templates.c runtime/program/templates.h \
	runtime/program/unmeasured.c runtime/program/unmeasured.h \
	runtime/program/variable.c runtime/program/variable.h runtime/program/variable_add.c \
	runtime/program/variable_debug.c runtime/program/variable_list.c runtime/program/variable_place.c
if DEBUG
libompp_base_la_SOURCES += runtime/base/check.c
endif
libompp_base_la_CFLAGS = $(guest_cflags)
libompp_base_la_CPPFLAGS = $(guest_cppflags) -DOMPP_HELPERDIR='"$(libexecdir)/kinst"'

# Everything between base and the adapters; the unit tests link it, too.
noinst_LTLIBRARIES += libompp_core.la
libompp_core_la_CFLAGS = $(guest_cflags)
libompp_core_la_CPPFLAGS = $(guest_cppflags)
libompp_core_la_SOURCES = \
	runtime/data/block.c runtime/data/block.h \
	runtime/data/cache.c runtime/data/cache.h \
	runtime/data/container.c runtime/data/container.h \
	runtime/data/ended.c runtime/data/ended.h \
	runtime/data/first.c runtime/data/first.h \
	runtime/data/front.c runtime/data/front.h \
	runtime/data/gap.c runtime/data/gap.h \
	runtime/data/grain.c runtime/data/grain.h \
	runtime/data/mapping.c runtime/data/mapping.h \
	runtime/data/object.c runtime/data/object.h runtime/data/order.c runtime/data/order.h \
	runtime/data/page.c runtime/data/page.h runtime/data/known.h runtime/data/known_many.h \
	runtime/data/piece.c runtime/data/piece.h \
	runtime/data/range.c runtime/data/range.h runtime/data/range_set.h \
	runtime/data/segment.c runtime/data/segment.h \
	runtime/data/sharing.c runtime/data/sharing.h \
	runtime/data/site.c runtime/data/site.h \
	runtime/data/small.c runtime/data/small.h \
	runtime/data/symbols.c runtime/data/symbols.h \
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
	runtime/sources/counters.c \
	runtime/sources/fake.c \
	runtime/sources/page_sizes.c runtime/sources/page_sizes.h \
	runtime/sources/probe.c runtime/sources/probe.h runtime/sources/probe_ranges.c runtime/sources/probe_ranges.h \
	runtime/sources/samples.c runtime/sources/samples.h \
	runtime/sources/sampling.c runtime/sources/sampling.h \
	runtime/sources/source.c runtime/sources/source.h \
	runtime/sources/sources.c runtime/sources/sources.h \
	runtime/sources/touch.c runtime/sources/touch.h \
	runtime/sources/written.c runtime/sources/written.h \
	runtime/sources/uncore.c runtime/sources/uncore.h \
	runtime/core/access.c runtime/core/access.h \
	runtime/core/access_count.c runtime/core/access_count.h \
	runtime/core/access_patch.c runtime/core/access_patch.h \
	runtime/core/access_model.c runtime/core/access_model.h \
	runtime/core/access_order.c \
	runtime/core/access_repeat.c runtime/core/access_repeat.h \
	runtime/core/access_run.c \
	runtime/core/access_sample.c runtime/core/access_sample.h \
	runtime/core/access_tracked.c runtime/core/access_tracked.h \
	runtime/core/arrival.c runtime/core/arrival.h \
	runtime/core/callgraph.c runtime/core/callgraph.h \
	runtime/core/cost.c runtime/core/cost.h \
	runtime/core/enter.c runtime/core/enter.h \
	runtime/core/follow.c runtime/core/follow.h \
	runtime/core/frame.c runtime/core/frame.h \
	runtime/core/hardware.c runtime/core/hardware.h \
	runtime/core/heap.c runtime/core/heap.h \
	runtime/core/held.h \
	runtime/core/helper_thread.c runtime/core/helper_thread.h \
	runtime/core/instance.c runtime/core/instance.h \
	runtime/core/jump.c runtime/core/jump.h \
	runtime/core/lock.c runtime/core/lock.h \
	runtime/core/lock_def.c runtime/core/lock_def.h \
	runtime/core/naming.c runtime/core/naming.h \
	runtime/core/publish.c runtime/core/publish.h \
	runtime/core/recent.c runtime/core/recent.h \
	runtime/core/region.c runtime/core/region.h \
	runtime/core/register.c runtime/core/register.h \
	runtime/core/sample.c runtime/core/sample.h \
	runtime/core/sample_tracked.c runtime/core/sample_tracked.h \
	runtime/core/spread.c runtime/core/spread.h \
	runtime/core/session.c runtime/core/session.h \
	runtime/core/session_start.c runtime/core/session_start.h \
	runtime/core/task.c runtime/core/task.h \
	runtime/core/team.c runtime/core/team.h \
	runtime/core/team_data.c runtime/core/team_data.h \
	runtime/core/storm.c runtime/core/storm.h \
	runtime/core/thread.c runtime/core/thread.h \
	runtime/core/thread_stack.c runtime/core/thread_stack.h \
	runtime/core/thread_start.c runtime/core/thread_start.h \
	runtime/core/section.c runtime/core/section.h \
	runtime/core/extent.c runtime/core/extent.h \
	runtime/core/home.c runtime/core/home.h \
	runtime/core/page_ticks.c runtime/core/page_ticks.h \
	runtime/core/page_use.c runtime/core/page_use.h \
	runtime/core/page_writers.c runtime/core/page_writers.h \
	runtime/core/page_writes.c runtime/core/page_writes.h \
	runtime/core/placement.c runtime/core/placement.h \
	runtime/core/touch.c runtime/core/touch.h \
	runtime/core/unwind.c runtime/core/unwind.h \
	runtime/core/values.c runtime/core/values.h \
	runtime/core/visit.c runtime/core/visit.h \
	runtime/core/waits.h \
	runtime/collect/accesses.c runtime/collect/accesses.h \
	runtime/collect/allocations.c runtime/collect/allocations.h \
	runtime/collect/calls.c runtime/collect/calls.h \
	runtime/collect/check.h \
	runtime/collect/collect.c runtime/collect/collect.h \
	runtime/collect/conditions.c \
	runtime/collect/counters.c runtime/collect/counters.h \
	runtime/collect/dump.c runtime/collect/dump.h \
	runtime/collect/index.c runtime/collect/index.h \
	runtime/collect/functions.c runtime/collect/functions.h \
	runtime/collect/locks.c runtime/collect/locks.h \
	runtime/collect/page_sum.c runtime/collect/page_sum.h \
	runtime/collect/pages.c runtime/collect/pages.h \
	runtime/collect/parts.c runtime/collect/parts.h \
	runtime/collect/waits.c runtime/collect/waits.h \
	runtime/collect/merge.c runtime/collect/merge.h \
	runtime/collect/output.c runtime/collect/output.h \
	runtime/collect/pattern.c runtime/collect/pattern.h \
	runtime/collect/place.c runtime/collect/place.h \
	runtime/collect/samples.c runtime/collect/samples.h \
	runtime/collect/site_names.c runtime/collect/site_names.h \
	runtime/collect/spent.c runtime/collect/spent.h \
	runtime/collect/statement.c runtime/collect/statement.h runtime/collect/statement_fortran.c \
	runtime/collect/statement_text.c runtime/collect/statement_text.h \
	runtime/collect/tracked.c runtime/collect/tracked.h \
	runtime/collect/trace.c runtime/collect/trace.h \
	runtime/collect/trace_file.c runtime/collect/trace_file.h \
	runtime/collect/uncore.c runtime/collect/uncore.h \
	runtime/collect/numa_nodes.c runtime/collect/page_smalls.c runtime/collect/page_smalls.h runtime/collect/smalls.c runtime/collect/smalls.h \
	runtime/collect/spots.c runtime/collect/spots.h runtime/collect/uses.c runtime/collect/uses.h \
	runtime/collect/unmeasured.c

# --enable-debug
if DEBUG
libompp_core_la_SOURCES += runtime/core/callgraph_check.c runtime/data/range_check.c runtime/collect/check.c
endif

# Samples of memory accesses, which the kernel takes.
noinst_LTLIBRARIES += libompp_samples.la
libompp_samples_la_CFLAGS = $(guest_cflags)
libompp_samples_la_CPPFLAGS = $(guest_cppflags)
libompp_samples_la_SOURCES = \
	runtime/samples/data_source.c runtime/samples/data_source.h \
	runtime/samples/memory_event.c runtime/samples/memory_event.h \
	runtime/samples/record.c runtime/samples/record.h \
	runtime/samples/ring.c runtime/samples/ring.h \
	runtime/samples/sampler.c runtime/samples/sampler.h \
	runtime/samples/spe.c runtime/samples/spe.h

# Sensors of the machine, for ompp alone, so they may use the C library.
noinst_LTLIBRARIES += libompp_sensors.la
libompp_sensors_la_CPPFLAGS = $(AM_CPPFLAGS)
libompp_sensors_la_SOURCES = \
	runtime/ompp_sensor.h \
	runtime/sensors/cgroup.c \
	runtime/sensors/cpufreq.c \
	runtime/sensors/diskstats.c \
	runtime/sensors/feed.c runtime/sensors/feed.h \
	runtime/sensors/hwmon.c \
	runtime/sensors/interrupts.c \
	runtime/sensors/meter.c runtime/sensors/meter.h \
	runtime/sensors/net.c \
	runtime/sensors/node.c \
	runtime/sensors/perf.c \
	runtime/sensors/pid_stat.h \
	runtime/sensors/pressure.c \
	runtime/sensors/process.c \
	runtime/sensors/program.c runtime/sensors/program.h \
	runtime/sensors/rapl.c \
	runtime/sensors/region.c \
	runtime/sensors/resctrl.c \
	runtime/sensors/schedstat.c \
	runtime/sensors/sensors.c runtime/sensors/sensors.h \
	runtime/sensors/stat.c \
	runtime/sensors/task.c \
	runtime/sensors/value.c \
	runtime/sensors/vmstat.c runtime/sensors/vmstat.h runtime/sensors/vmstat_names.c \
	runtime/sensors/watch.c runtime/sensors/watch.h \
	runtime/sensors/whereabouts.h
libompp_sensors_la_LIBADD = $(NUMA_LIBS)
include_HEADERS += runtime/ompp_sensor.h

# libompp_mem, which gives such samples to programs.
lib_LTLIBRARIES += libompp_mem.la
libompp_mem_la_CPPFLAGS = $(own_cppflags)
libompp_mem_la_SOURCES = \
	runtime/mem/print.c \
	runtime/mem/problem.c runtime/mem/problem.h \
	runtime/mem/session.c runtime/mem/session.h \
	runtime/mem/traffic.c \
	runtime/sources/uncore.c
libompp_mem_la_LIBADD = libompp_samples.la libompp_base.la -lpthread
libompp_mem_la_LDFLAGS = -version-info 0:0:0 -Wl,--version-script=$(top_srcdir)/runtime/ompp_mem.map -Wl,-z,now
EXTRA_libompp_mem_la_DEPENDENCIES = $(top_srcdir)/runtime/ompp_mem.map
EXTRA_DIST += runtime/ompp_mem.map runtime/ompp_mem.f90
include_HEADERS += runtime/ompp_mem.h

lib_LTLIBRARIES += libompp.la
libompp_la_CFLAGS = $(guest_cflags)
libompp_la_CPPFLAGS = $(guest_cppflags)
libompp_la_SOURCES = \
	runtime/adapters/access.h \
	runtime/adapters/blocks.c \
	runtime/adapters/fortran.c \
	runtime/adapters/functions.c \
	runtime/adapters/heap.c runtime/adapters/heap.h \
	runtime/adapters/jumps.c \
	runtime/adapters/lock_calls.h \
	runtime/adapters/pomp2.c runtime/adapters/pomp2.h \
	runtime/adapters/pomp2_fortran.c \
	runtime/adapters/process.c runtime/adapters/process.h \
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
libompp_openmp_la_CPPFLAGS = $(own_cppflags)
libompp_openmp_la_SOURCES = runtime/adapters/openmp.c
libompp_openmp_la_LDFLAGS = -static

lib_LTLIBRARIES += libompp_static.la
libompp_static_la_CFLAGS = $(guest_cflags) -fno-builtin
libompp_static_la_CPPFLAGS = $(own_cppflags)
libompp_static_la_SOURCES = \
	runtime/adapters/static_call.h \
	runtime/adapters/static_calls.c \
	runtime/adapters/static_calls_cxx.c \
	runtime/adapters/static_calls_openmp.c
libompp_static_la_LDFLAGS = -static

lib_LTLIBRARIES += libompp_access.la
libompp_access_la_CPPFLAGS = $(own_cppflags)
libompp_access_la_SOURCES = \
	runtime/adapters/access.c \
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
	runtime/adapters/access_run.c \
	runtime/adapters/access_run.h
libompp_access_la_CFLAGS = $(AM_CFLAGS) -fno-builtin -fPIC
libompp_access_la_LDFLAGS = -static

# Helpers: programs that answer questions by means of libraries to which libompp does not link.
helperdir = $(libexecdir)/kinst
helper_PROGRAMS =
if HAVE_ELFUTILS
helper_PROGRAMS += ompp-symbols
endif
ompp_symbols_SOURCES = runtime/symbols/main.c runtime/symbols/symbols.c runtime/symbols/place.c runtime/symbols/place.h
ompp_symbols_CFLAGS = $(AM_CFLAGS) $(ELFUTILS_CFLAGS)
ompp_symbols_LDADD = libompp_base.la $(ELFUTILS_LIBS)

if HAVE_PAPI
helper_PROGRAMS += ompp-papi
endif
ompp_papi_SOURCES = \
	runtime/papi/main.c \
	runtime/papi/papi.c runtime/papi/papi.h \
	runtime/papi/postfix.c runtime/papi/postfix.h \
	runtime/papi/presets.c runtime/papi/presets.h
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
