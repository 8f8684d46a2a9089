# runtime: libompp, linked into the measured program.  Each folder is a layer; see HACKING.

# of each library that goes into programs
own_cppflags = $(AM_CPPFLAGS) -include $(top_srcdir)/runtime/base/own.h
# of libompp: it calls nothing of the C library by name (libc.h), which has to be so in each object
guest_cppflags = $(own_cppflags) -include $(top_srcdir)/runtime/base/libc.h
guest_cflags = $(AM_CFLAGS) -fno-lto -fno-stack-protector

# base: also used by kinst and ompp
noinst_LTLIBRARIES += libompp_base.la
libompp_base_la_SOURCES = \
	runtime/base/access.h \
	runtime/base/answer.c runtime/base/answer.h \
	runtime/base/arena.c runtime/base/arena.h \
	runtime/base/auxv.c runtime/base/auxv.h \
	runtime/base/clean.c runtime/base/clean.h \
	runtime/base/clock.c runtime/base/clock.h \
	runtime/base/construct.c runtime/base/construct.h \
	runtime/base/counter.c runtime/base/counter.h \
	runtime/base/counter_access.c runtime/base/counter_group.c \
	runtime/base/counter_hardware.c runtime/base/counter_list.h \
	runtime/base/counter_helper.c runtime/base/counter_helper.h runtime/base/counter_pfm.c \
	runtime/base/counter_preset.c runtime/base/counter_software.c runtime/base/counter_sysfs.c \
	runtime/base/counter_try.c runtime/base/counter_try.h \
	runtime/base/cpu.c runtime/base/cpu.h \
	runtime/base/debuginfo.c runtime/base/debuginfo.h \
	runtime/base/demangle.c runtime/base/demangle.h runtime/base/short_name.c runtime/base/short_name.h \
	runtime/base/demangle_node.h runtime/base/demangle_print.c \
	runtime/base/dynamic.c runtime/base/dynamic.h \
	runtime/base/elf.c runtime/base/elf.h \
	runtime/base/event.c runtime/base/event.h \
	runtime/base/expression.c runtime/base/expression.h \
	runtime/base/file.c runtime/base/file.h \
	runtime/base/folder.c runtime/base/folder.h \
	runtime/base/helper.c runtime/base/helper.h \
	runtime/base/libc.c runtime/base/libc.h \
	runtime/base/maps.c runtime/base/maps.h \
	runtime/base/message.c runtime/base/message.h \
	runtime/base/metric.h \
	runtime/base/nearest.c runtime/base/nearest.h \
	runtime/base/mode.c runtime/base/mode.h \
	runtime/base/note.c runtime/base/note.h \
	runtime/base/option.c runtime/base/option.h \
	runtime/base/own.h \
	runtime/base/pmu.c runtime/base/pmu.h runtime/base/pmu_event.c \
	runtime/base/processors.c runtime/base/processors.h \
	runtime/base/real.c runtime/base/real.h \
	runtime/base/relaxed.h \
	runtime/base/space.c runtime/base/space.h \
	runtime/base/stack.c runtime/base/stack.h \
	runtime/base/search.h \
	runtime/base/stream.c runtime/base/stream.h \
	runtime/base/sys.h \
	runtime/base/text.c runtime/base/text.h \
	runtime/base/unmeasured.c runtime/base/unmeasured.h \
	runtime/base/variable.c runtime/base/variable.h \
	runtime/base/variable_debug.c runtime/base/variable_list.c \
	runtime/base/wish.c runtime/base/wish.h \
	runtime/base/wait.h \
	runtime/base/write.c runtime/base/write.h \
	runtime/base/zone.c runtime/base/zone.h \
	runtime/core/ctc.c runtime/core/ctc.h
libompp_base_la_CFLAGS = $(guest_cflags)
libompp_base_la_CPPFLAGS = $(guest_cppflags) -DOMPP_HELPERDIR='"$(libexecdir)/kinst"'

# everything between base and the adapters, also linked into the unit tests
noinst_LTLIBRARIES += libompp_core.la
libompp_core_la_CFLAGS = $(guest_cflags)
libompp_core_la_CPPFLAGS = $(guest_cppflags)
libompp_core_la_SOURCES = \
	runtime/data/cache.c runtime/data/cache.h \
	runtime/data/container.c runtime/data/container.h \
	runtime/data/first.c runtime/data/first.h \
	runtime/data/object.c runtime/data/object.h \
	runtime/data/page.c runtime/data/page.h \
	runtime/data/piece.c runtime/data/piece.h \
	runtime/data/range.c runtime/data/range.h runtime/data/range_set.h \
	runtime/data/segment.c runtime/data/segment.h \
	runtime/data/sharing.c runtime/data/sharing.h \
	runtime/data/symbols.c runtime/data/symbols.h \
	runtime/data/tally.h \
	runtime/sources/breakpoint.c runtime/sources/breakpoint.h \
	runtime/sources/breakpoint_set.h runtime/sources/breakpoint_thread.c \
	runtime/sources/counter_page.c runtime/sources/counter_page.h \
	runtime/sources/counter_plan.c runtime/sources/counter_plan.h \
	runtime/sources/counter_request.c runtime/sources/counter_request.h \
	runtime/sources/counter_set.c runtime/sources/counter_set.h \
	runtime/sources/counters.c \
	runtime/sources/fake.c \
	runtime/sources/source.c runtime/sources/source.h \
	runtime/sources/sources.c runtime/sources/sources.h \
	runtime/sources/uncore.c runtime/sources/uncore.h \
	runtime/core/access.c runtime/core/access.h \
	runtime/core/arrival.c runtime/core/arrival.h \
	runtime/core/callgraph.c runtime/core/callgraph.h \
	runtime/core/cost.c runtime/core/cost.h \
	runtime/core/jump.c runtime/core/jump.h \
	runtime/core/follow.c runtime/core/follow.h \
	runtime/core/lock.c runtime/core/lock.h \
	runtime/core/lock_def.c runtime/core/lock_def.h \
	runtime/core/naming.c runtime/core/naming.h \
	runtime/core/region.c runtime/core/region.h \
	runtime/core/session.c runtime/core/session.h \
	runtime/core/task.c runtime/core/task.h \
	runtime/core/team.c runtime/core/team.h \
	runtime/core/thread.c runtime/core/thread.h \
	runtime/core/visit.c runtime/core/visit.h \
	runtime/collect/accesses.c runtime/collect/accesses.h \
	runtime/collect/collect.c runtime/collect/collect.h \
	runtime/collect/conditions.c \
	runtime/collect/counters.c runtime/collect/counters.h \
	runtime/collect/dump.c runtime/collect/dump.h \
	runtime/collect/index.c runtime/collect/index.h \
	runtime/collect/functions.c runtime/collect/functions.h \
	runtime/collect/locks.c runtime/collect/locks.h \
	runtime/collect/parts.c runtime/collect/parts.h \
	runtime/collect/waits.c runtime/collect/waits.h \
	runtime/collect/merge.c runtime/collect/merge.h \
	runtime/collect/output.c runtime/collect/output.h \
	runtime/collect/pattern.c runtime/collect/pattern.h \
	runtime/collect/place.c runtime/collect/place.h \
	runtime/collect/spent.c runtime/collect/spent.h \
	runtime/collect/uncore.c runtime/collect/uncore.h \
	runtime/collect/unmeasured.c

lib_LTLIBRARIES += libompp.la
libompp_la_CFLAGS = $(guest_cflags)
libompp_la_CPPFLAGS = $(guest_cppflags)
libompp_la_SOURCES = \
	runtime/adapters/access.h \
	runtime/adapters/blocks.c \
	runtime/adapters/fortran.c \
	runtime/adapters/functions.c \
	runtime/adapters/jumps.c \
	runtime/adapters/lock_calls.h \
	runtime/adapters/pomp2.c runtime/adapters/pomp2.h \
	runtime/adapters/pomp2_fortran.c \
	runtime/adapters/process.c runtime/adapters/process.h \
	runtime/adapters/start.c \
	runtime/adapters/user.c runtime/adapters/user.h
libompp_la_LIBADD = libompp_core.la libompp_reports.la libompp_base.la
libompp_la_LDFLAGS = -version-info 1:0:0 -Wl,--version-script=$(top_srcdir)/runtime/ompp.map -Wl,-z,now \
	-Wl,-z,nodelete
EXTRA_libompp_la_DEPENDENCIES = $(top_srcdir)/runtime/ompp.map
EXTRA_DIST += runtime/ompp.map runtime/ompp.f90

# always an archive: it belongs to the program
lib_LTLIBRARIES += libompp_openmp.la
libompp_openmp_la_CPPFLAGS = $(own_cppflags)
libompp_openmp_la_SOURCES = runtime/adapters/openmp.c
libompp_openmp_la_LDFLAGS = -static

lib_LTLIBRARIES += libompp_access.la
libompp_access_la_CPPFLAGS = $(own_cppflags)
libompp_access_la_SOURCES = \
	runtime/adapters/access.c \
	runtime/adapters/access_atomic.c \
	runtime/adapters/access_copy.h \
	runtime/adapters/access_delete.c \
	runtime/adapters/access_heap.c \
	runtime/adapters/access_memory.c
libompp_access_la_CFLAGS = $(AM_CFLAGS) -fno-builtin -fPIC
libompp_access_la_LDFLAGS = -static

# helpers: programs that answer questions with libraries that libompp does not link
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

# what programs include, in one folder of the build as when it is installed
all-local: include/ompp.h
include/ompp.h: runtime/ompp.h
	$(AM_V_GEN)$(MKDIR_P) include && cp $(srcdir)/runtime/ompp.h $@
CLEANFILES += include/ompp.h
if HAVE_GFORTRAN
nodist_include_HEADERS = include/ompp.mod
include/ompp.mod: runtime/ompp.f90
	$(AM_V_GEN)$(MKDIR_P) include && $(GFORTRAN) -fsyntax-only -Jinclude $(srcdir)/runtime/ompp.f90
CLEANFILES += include/ompp.mod
endif

# debuggers step over what has no lines: users see their program's alone
install-exec-hook: ompp-install-strip
ompp-install-strip:
	for file in '$(DESTDIR)$(libdir)'/libompp*.so '$(DESTDIR)$(libdir)'/libompp*.a; do \
		test ! -f "$$file" || $(STRIP) --strip-debug "$$file" || exit 1; done
.PHONY: ompp-install-strip
