# env: what surrounds the programs: documentation made from the options table, completions, module file, set-up

noinst_PROGRAMS += env/options
env_options_SOURCES = env/options.c env/options.def

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = env/ompp.pc

manuals = env/man/kinst.1 env/man/ompp.1 env/man/libompp.7
nodist_man_MANS += $(manuals)
nodist_completion_DATA = env/completion/ompp
dist_completion_DATA = env/completion/kinst
nodist_modulefile_DATA = env/$(PACKAGE_VERSION)

# @OPTIONS@ is the table, @VERSION@ the version; [@] keeps configure from filling them in here
$(manuals): %: %.in env/options$(EXEEXT) Makefile
	$(AM_V_GEN)$(MKDIR_P) env/man && env/options$(EXEEXT) roff >$@.roff && \
	$(SED) -e 's/[@]VERSION@/$(PACKAGE_VERSION)/' -e '/[@]OPTIONS@/{r $@.roff' -e 'd}' $(srcdir)/$@.in >$@ && rm -f $@.roff

env/completion/ompp: env/completion/ompp.in env/options$(EXEEXT) Makefile
	$(AM_V_GEN)$(MKDIR_P) env/completion && words=$$(env/options$(EXEEXT) words | tr 'A-Z_' 'a-z-' | \
	$(SED) 's/.*/--&=/' | tr '\n' ' ') && $(SED) "s/[@]WORDS@/$$words/" $(srcdir)/env/completion/ompp.in >$@

env/$(PACKAGE_VERSION): env/modulefile.in Makefile
	$(AM_V_GEN)$(MKDIR_P) env && $(SED) -e 's|[@]VERSION@|$(PACKAGE_VERSION)|' -e 's|[@]bindir@|$(bindir)|' \
	-e 's|[@]libdir@|$(libdir)|' -e 's|[@]includedir@|$(includedir)|' -e 's|[@]mandir@|$(mandir)|' \
	$(srcdir)/env/modulefile.in >$@

EXTRA_DIST += env/build env/check env/completion/ompp.in env/demo env/install-packages env/kinst.sh \
	env/man/kinst.1.in env/man/libompp.7.in env/man/ompp.1.in env/modulefile.in env/packages
CLEANFILES += $(manuals) env/completion/ompp env/$(PACKAGE_VERSION)

# The README's table of variables, between its two markers.
.PHONY: update-docs
update-docs: env/options$(EXEEXT)
	env/options$(EXEEXT) table >table.tmp
	$(SED) -i -e '/^<!-- options -->$$/,/^<!-- end -->$$/{//!d}' -e '/^<!-- options -->$$/r table.tmp' $(srcdir)/README
	rm -f table.tmp
