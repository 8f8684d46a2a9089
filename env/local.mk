# env: what surrounds the programs: manuals and a schema made from the tables of options and columns, completions, a module file, set-up scripts.

noinst_PROGRAMS += env/manual env/schema
env_manual_SOURCES = env/manual.c env/options.def env/disabled.def
env_manual_LDADD = libompp_program.la
env_schema_SOURCES = env/schema.c
env_schema_LDADD = libompp_program.la

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = env/ompp.pc env/ompp-mem.pc env/ompp-flow.pc

manuals = env/man/kinst.1 env/man/ompp.1 env/man/ompp-report.1 env/man/ompp-diff.1 env/man/ompp-history.1 env/man/ompp-scaling.1 \
	env/man/ompp-counters.1 env/man/ompp-flow.1 env/man/ompp-pages.1 env/man/ompp-stat.1 env/man/ompp_flow.3 \
	env/man/ompp_mem.3 env/man/libompp.7 env/man/ompp-data.7 env/man/ompp-numa.7 env/man/ompp-samples.7 env/man/ompp-json.7 \
	env/man/ompp-machine.1 env/man/ompp-roofline.7 env/man/ompp-efficiency.7 env/man/ompp-span.7
# Commands that another command's page has.
manual_links = env/man/ompp-annotate.1 env/man/ompp-tui.1 env/man/ompp-regions.1 env/man/ompp-objects.1 \
	env/man/ompp-place.1 env/man/ompp-sensors.1 env/man/ompp-record.1 env/man/ompp-live.1 env/man/ompp-export.1
if !CROSS
nodist_man_MANS += $(manuals) $(manual_links)
nodist_pkgdata_DATA = env/ompp-profile-1.schema.json
endif
nodist_completion_DATA = env/completion/ompp
dist_completion_DATA = env/completion/kinst
dist_zshcompletion_DATA = env/completion/_ompp
dist_fishcompletion_DATA = env/completion/ompp.fish
dist_pkgdata_DATA = env/ompp-brief-1.schema.json env/ompp-diff-1.schema.json env/ompp-history-1.schema.json \
	env/ompp-scaling-1.schema.json
nodist_modulefile_DATA = env/$(PACKAGE_VERSION)

env/ompp-profile-1.schema.json: env/ompp-profile-1.schema.json.in env/schema$(EXEEXT)
	$(AM_V_GEN)env/schema$(EXEEXT) <$(srcdir)/env/ompp-profile-1.schema.json.in >$@

$(manuals): %: %.in env/manual$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) env/man && env/manual$(EXEEXT) '$(PACKAGE_VERSION)' <$(srcdir)/$@.in >$@

env/man/ompp-annotate.1 env/man/ompp-tui.1 env/man/ompp-regions.1: page = man1/ompp-report.1
env/man/ompp-objects.1: page = man7/ompp-data.7
env/man/ompp-place.1: page = man7/ompp-numa.7
env/man/ompp-sensors.1 env/man/ompp-record.1 env/man/ompp-live.1 env/man/ompp-export.1: page = man1/ompp-stat.1
$(manual_links): Makefile
	$(AM_V_GEN)$(MKDIR_P) env/man && echo '.so $(page)' >$@

# Installed under the name of the command, as bash-completion looks for it.
env/completion/ompp: env/completion/ompp.bash
	$(AM_V_GEN)$(MKDIR_P) env/completion && cp $(srcdir)/env/completion/ompp.bash $@

env/$(PACKAGE_VERSION): env/modulefile.in Makefile
	$(AM_V_GEN)$(MKDIR_P) env && $(SED) -e 's|[@]VERSION@|$(PACKAGE_VERSION)|' -e 's|[@]bindir@|$(bindir)|' \
	-e 's|[@]libdir@|$(libdir)|' -e 's|[@]includedir@|$(includedir)|' -e 's|[@]mandir@|$(mandir)|' \
	$(srcdir)/env/modulefile.in >$@

EXTRA_DIST += env/build env/check env/completion/ompp.bash env/deb env/debian env/demo env/dist env/install-packages env/kinst.sh \
	$(manuals:=.in) env/Containerfile env/modulefile.in env/ompp-profile-1.schema.json.in env/packages env/release env/slices env/spack
CLEANFILES += $(manuals) $(manual_links) env/completion/ompp env/ompp-profile-1.schema.json env/$(PACKAGE_VERSION)
