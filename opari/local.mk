# opari: the program kinst, and the same under names that build systems accept as compilers
bin_PROGRAMS += kinst
noinst_LTLIBRARIES += libkinst.la
libkinst_la_SOURCES = \
	opari/text.c opari/text.h opari/temp.c opari/temp.h opari/process.c opari/process.h \
	opari/options.c opari/options.h opari/command.c opari/command.h opari/compiler.c opari/compiler.h \
	opari/folders.c opari/folders.h opari/lexer.c opari/lexer.h opari/braces.c opari/braces.h \
	opari/attributes.c opari/attributes.h opari/directive.c opari/directive.h opari/emit.c opari/emit.h \
	opari/emitted.c opari/emit_region.c opari/emit_region.h opari/extent.c opari/extent.h opari/operand.c opari/operand.h opari/operand_fortran.c opari/operand_fortran.h opari/patch.c opari/patch.h \
	opari/emit_fortran.c opari/emit_fortran.h opari/extent_fortran.c opari/extent_fortran.h \
	opari/cycles.c opari/cycles.h opari/shared_end.c opari/shared_end.h \
	opari/lock_calls.c opari/lock_calls.h opari/say.c opari/say.h opari/skeleton.c opari/skeleton.h opari/prologue.c opari/prologue.h opari/fortran.c opari/fortran.h \
	opari/data.c opari/data.h opari/data_calls.c opari/data_place.c opari/data_place.h \
	opari/data_fortran.c opari/data_fortran.h opari/statements.c opari/statements.h \
	opari/lines_fortran.c opari/lines_fortran.h opari/pomp.c opari/pomp.h opari/marks.c opari/marks.h \
	opari/blame.c opari/blame.h opari/original.c opari/original.h \
	opari/source.c opari/source.h opari/link.c opari/link.h opari/hooks.c opari/hooks.h \
	opari/object.c opari/object.h opari/step.c opari/step.h opari/extra.c opari/extra.h \
	opari/unmeasured.c opari/unmeasured.h opari/unsaid.c opari/unsaid.h opari/unseen.c opari/unseen.h
libkinst_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -DKINST_PREFIX='"$(prefix)"' -DKINST_BINDIR='"$(bindir)"' \
	-DKINST_LIBDIR='"$(libdir)"' -DKINST_INCLUDEDIR='"$(includedir)"'
kinst_SOURCES = opari/main.c
kinst_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
kinst_LDADD = libkinst.la libompp_base.la

# CMake takes what stands before gcc for a prefix of all tools, and looks for archivers of that prefix.
kinst_names = kinst-gcc kinst-g++ kinst-gfortran kinst-clang kinst-clang++ kinst-gcc-ar kinst-gcc-ranlib \
	kinst-llvm-ar kinst-llvm-ranlib
noinst_DATA = $(kinst_names)
CLEANFILES += $(kinst_names)
$(kinst_names): kinst
	$(AM_V_GEN)ln -sf kinst $@

install-exec-hook: kinst-install-names
uninstall-hook: kinst-uninstall-names
kinst-install-names:
	cd $(DESTDIR)$(bindir) && for name in $(kinst_names); do ln -sf kinst$(EXEEXT) $$name || exit 1; done
kinst-uninstall-names:
	cd $(DESTDIR)$(bindir) && rm -f $(kinst_names)
.PHONY: kinst-install-names kinst-uninstall-names
