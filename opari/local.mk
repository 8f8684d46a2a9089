# opari: the program kinst, and the same under names that build systems accept as compilers
bin_PROGRAMS += kinst
noinst_LTLIBRARIES += libkinst.la
libkinst_la_LIBTOOLFLAGS = $(for_libraries)
libkinst_la_SOURCES = \
	opari/base/folders.c opari/base/folders.h opari/base/once.c opari/base/once.h opari/base/process.c opari/base/process.h opari/base/say.c \
	opari/base/say.h opari/base/signals.c opari/base/signals.h opari/base/temp.c opari/base/temp.h \
	opari/base/kinst_text.c opari/base/kinst_text.h \
	opari/read/attributes.c opari/read/attributes.h opari/read/braces.c opari/read/braces.h opari/read/clause.c \
	opari/read/clause.h opari/read/cycles.c opari/read/cycles.h opari/read/directive.c opari/read/directive.h \
	opari/read/directive_split.c opari/read/directive_split.h opari/read/doubt.c opari/read/doubt.h \
	opari/read/doubt_fortran.c opari/read/doubt_fortran.h opari/read/doubt_place.c opari/read/doubt_place.h opari/read/extent.c opari/read/extent.h \
	opari/read/extent_fortran.c opari/read/extent_fortran.h opari/read/inclusion.c opari/read/inclusion.h opari/read/lexer.c opari/read/lexer.h \
	opari/read/lines_fortran.c opari/read/lines_fortran.h opari/read/lock_sites.c opari/read/lock_sites.h \
	opari/read/map_clause.c opari/read/map_clause.h opari/read/map_clause_fortran.c opari/read/map_clause_fortran.h \
	opari/read/operand.c opari/read/operand.h opari/read/operand_fortran.c opari/read/operand_fortran.h \
	opari/read/pragma.c opari/read/pragma.h opari/read/shared_end.c opari/read/shared_end.h opari/read/statements.c \
	opari/read/statements.h \
	opari/command/command.c opari/command/command.h opari/command/command_output.c \
	opari/command/command_output.h opari/command/compiler.c opari/command/compiler.h \
	opari/command/disable.c opari/command/disable.h opari/command/options.c opari/command/options.h \
	opari/command/vendor.c opari/command/vendor.h \
	opari/data/data.c opari/data/data.h opari/data/data_calls.c opari/data/data_calls.h \
	opari/data/data_calls_fortran.c opari/data/data_calls_fortran.h opari/data/data_fortran.c \
	opari/data/data_fortran.h opari/data/data_macros.c opari/data/data_macros.h opari/data/data_place.c \
	opari/data/data_place.h opari/data/marks.c \
	opari/data/marks.h opari/data/prologue.c opari/data/prologue.h \
	opari/hooks/hooks.c opari/hooks/hooks.h opari/hooks/loops.c opari/hooks/loops.h opari/hooks/object_file.c opari/hooks/object_file.h opari/hooks/uncounted_files.c \
	opari/hooks/uncounted_files.h \
	opari/emit/construct_location.c opari/emit/construct_location.h \
	opari/emit/emit.c opari/emit/emit.h opari/emit/emit_fortran.c opari/emit/emit_fortran.h \
	opari/emit/emitter_fortran.c opari/emit/emitter_fortran.h opari/emit/emit_work_fortran.c opari/emit/emit_work_fortran.h \
	opari/emit/emit_region.c opari/emit/emit_region.h \
	opari/emit/emitter.c opari/emit/emitter.h opari/emit/emit_construct.c opari/emit/emit_construct.h opari/emit/emitted.c opari/emit/patch.c opari/emit/patch.h \
	opari/emit/engine.h opari/emit/pomp.c opari/emit/pomp.h \
	opari/emit/prepare_fortran.c opari/emit/prepare_fortran.h opari/emit/emit_unmeasured.c opari/emit/emit_unmeasured.h \
	opari/emit/task_calls.c opari/emit/task_calls.h \
	opari/emit/user_call.c opari/emit/user_call.h \
	opari/emit/write_fortran.c opari/emit/write_fortran.h \
	opari/opari2/known_sites.c opari/opari2/known_sites.h opari/opari2/opari2.c opari/opari2/opari2.h opari/opari2/opari2_run.c \
	opari/opari2/opari2_run.h \
	opari/opari2/opari2_macros.c opari/opari2/opari2_macros.h opari/opari2/sites.c opari/opari2/sites.h opari/opari2/skeleton.c opari/opari2/skeleton.h \
	opari/opari2/skeleton_fortran.c opari/opari2/skeleton_fortran.h opari/opari2/steps_fortran.c \
	opari/opari2/steps_fortran.h \
	opari/base/environment.c opari/base/environment.h \
	opari/command/machine.c opari/command/machine.h \
	opari/source/blame.c opari/source/blame.h opari/source/bundle.c opari/source/bundle.h opari/source/device.c \
	opari/source/device.h opari/source/dialect.c opari/source/dialect.h opari/source/engines.c \
	opari/source/engines.h opari/source/feedback.c opari/source/feedback.h opari/source/functions.c \
	opari/source/functions.h opari/source/judge.c opari/source/judge.h opari/source/kinst_calls.c \
	opari/source/kinst_calls.h opari/source/kinst_source.c opari/source/kinst_source.h \
	opari/source/lost_warnings.c opari/source/lost_warnings.h opari/source/opt_info.c opari/source/opt_info.h \
	opari/source/original.c opari/source/original.h opari/source/fortran_modules.c \
	opari/source/fortran_modules.h opari/source/prepare.c opari/source/prepare.h \
	opari/source/preprocess.c opari/source/preprocess.h opari/source/step.c opari/source/step.h \
	opari/source/way.c opari/source/way.h \
	opari/build/build.c opari/build/build.h opari/build/cache_key.c opari/build/cache_key.h \
	opari/build/dump_names.c opari/build/dump_names.h opari/build/extra.c opari/build/extra.h \
	opari/build/kinst_sources.c opari/build/kinst_sources.h opari/build/link.c \
	opari/build/link.h opari/build/passed_over.c opari/build/passed_over.h opari/build/replacement.c \
	opari/build/replacement.h opari/build/repository.c opari/build/repository.h
libkinst_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -DKINST_PREFIX='"$(prefix)"' -DKINST_BINDIR='"$(bindir)"' \
	-DKINST_LIBDIR='"$(libdir)"' -DKINST_INCLUDEDIR='"$(includedir)"' -DKINST_DATADIR='"$(datadir)"'
kinst_SOURCES = opari/build/main.c
kinst_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
kinst_LDADD = libkinst.la libompp_base.la

# CMake takes what stands before gcc for a prefix of all tools, and looks for archivers of that prefix.
kinst_names = kinst-gcc kinst-g++ kinst-gfortran kinst-clang kinst-clang++ kinst-gcc-ar kinst-gcc-ranlib \
	kinst-llvm-ar kinst-llvm-ranlib
noinst_DATA = $(kinst_names)
CLEANFILES += $(kinst_names)
$(kinst_names): kinst
	$(AM_V_GEN)ln -sf kinst $@

# The plug-ins that count whole loops, for the gcc and the clang of this machine; kinst builds them for others.
plugindir = $(datadir)/kinst/plugin
dist_plugin_DATA = opari/hooks/plugin/counting.h opari/hooks/plugin/operations.h
plugin_gccdir = $(datadir)/kinst/plugin/gcc
dist_plugin_gcc_DATA = \
	opari/hooks/plugin/gcc/calls.cc opari/hooks/plugin/gcc/calls.h opari/hooks/plugin/gcc/gcc.h \
	opari/hooks/plugin/gcc/messages.cc opari/hooks/plugin/gcc/messages.h \
	opari/hooks/plugin/gcc/nest.cc opari/hooks/plugin/gcc/nest.h opari/hooks/plugin/gcc/order.cc \
	opari/hooks/plugin/gcc/order.h opari/hooks/plugin/gcc/plugin.cc \
	opari/hooks/plugin/gcc/run.cc opari/hooks/plugin/gcc/run.h opari/hooks/plugin/gcc/site.cc \
	opari/hooks/plugin/gcc/site.h opari/hooks/plugin/gcc/uncounted.cc opari/hooks/plugin/gcc/uncounted.h \
	opari/hooks/plugin/gcc/work.cc opari/hooks/plugin/gcc/work.h
plugin_llvmdir = $(datadir)/kinst/plugin/llvm
dist_plugin_llvm_DATA = \
	opari/hooks/plugin/llvm/calls.cc opari/hooks/plugin/llvm/calls.h opari/hooks/plugin/llvm/late.cc \
	opari/hooks/plugin/llvm/late.h opari/hooks/plugin/llvm/llvm.h opari/hooks/plugin/llvm/nest.cc \
	opari/hooks/plugin/llvm/nest.h opari/hooks/plugin/llvm/order.cc opari/hooks/plugin/llvm/order.h \
	opari/hooks/plugin/llvm/plugin.cc opari/hooks/plugin/llvm/run.cc opari/hooks/plugin/llvm/run.h \
	opari/hooks/plugin/llvm/site.cc opari/hooks/plugin/llvm/site.h opari/hooks/plugin/llvm/uncounted.cc \
	opari/hooks/plugin/llvm/uncounted.h opari/hooks/plugin/llvm/versions.h \
	opari/hooks/plugin/llvm/work.cc opari/hooks/plugin/llvm/work.h
if HAVE_PLUGIN_GCC
noinst_DATA += loops_gcc.stamp
endif
if HAVE_PLUGIN_CLANG
noinst_DATA += loops_clang.stamp
endif
CLEANFILES += loops_gcc.stamp loops_clang.stamp .libs/kinst/loops_*.so
build_plugin = KINST_FLAGS= KINST_PLUGINDIR=$(srcdir)/opari/hooks/plugin KINST_LIBDIR=$(abs_builddir)/.libs \
	./kinst --build-plugin
# The plug-ins are made of their own sources alone; libompp only has to be there, as they are put beside it.
loops_gcc.stamp: kinst $(dist_plugin_DATA) $(dist_plugin_gcc_DATA) | libompp.la
	$(AM_V_GEN)$(build_plugin)=$(PLUGIN_GCC) 2>$@.err || { cat $@.err; rm -f $@.err; exit 1; }
	@rm -f $@.err
	@touch $@
loops_clang.stamp: kinst $(dist_plugin_DATA) $(dist_plugin_llvm_DATA) | libompp.la
	$(AM_V_GEN)$(build_plugin)=$(PLUGIN_CLANG) 2>$@.err || { cat $@.err; rm -f $@.err; exit 1; }
	@rm -f $@.err
	@touch $@

install-exec-hook: kinst-install-names kinst-install-plugin
uninstall-hook: kinst-uninstall-names kinst-uninstall-plugin
kinst-install-names:
	cd $(DESTDIR)$(bindir) && for name in $(kinst_names); do ln -sf kinst$(EXEEXT) $$name || exit 1; done
kinst-uninstall-names:
	cd $(DESTDIR)$(bindir) && rm -f $(kinst_names)
kinst-install-plugin:
	$(MKDIR_P) $(DESTDIR)$(libdir)/kinst
	for file in .libs/kinst/loops_*.so; do \
		test ! -f "$$file" || $(INSTALL_DATA) "$$file" $(DESTDIR)$(libdir)/kinst || exit 1; done
kinst-uninstall-plugin:
	for file in .libs/kinst/loops_*.so; do rm -f $(DESTDIR)$(libdir)/kinst/"$$(basename "$$file")"; done
.PHONY: kinst-install-names kinst-uninstall-names kinst-install-plugin kinst-uninstall-plugin
