# env: what surrounds the programs: manuals made from the table of options, completions, a module file, set-up scripts.

noinst_PROGRAMS += env/options
env_options_SOURCES = env/options.c env/options.def

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = env/ompp.pc env/ompp-mem.pc env/ompp-flow.pc

manuals = env/man/kinst.1 env/man/ompp.1 env/man/ompp_flow.3 env/man/ompp_mem.3 env/man/libompp.7
nodist_man_MANS += $(manuals)
nodist_completion_DATA = env/completion/ompp
dist_completion_DATA = env/completion/kinst
dist_pkgdata_DATA = env/ompp-diff-1.schema.json env/ompp-profile-1.schema.json env/ompp-scaling-1.schema.json
nodist_modulefile_DATA = env/$(PACKAGE_VERSION)

# @OPTIONS@ is replaced by the table, @VERSION@ by the version; [@] keeps configure from replacing them here.
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
	env/man/kinst.1.in env/man/libompp.7.in env/man/ompp.1.in env/man/ompp_flow.3.in env/man/ompp_mem.3.in env/modulefile.in env/packages env/slices
CLEANFILES += $(manuals) env/completion/ompp env/$(PACKAGE_VERSION)

# Writes the README's table of variables anew, between its two markers.
.PHONY: update-docs
update-docs: env/options$(EXEEXT)
	env/options$(EXEEXT) table >table.tmp
	$(SED) -i -e '/^<!-- options -->$$/,/^<!-- end -->$$/{//!d}' -e '/^<!-- options -->$$/r table.tmp' $(srcdir)/README
	rm -f table.tmp
