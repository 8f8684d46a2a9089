# env: what surrounds the programs: manuals made from the tables of options, completions, a module file, set-up scripts.

noinst_PROGRAMS += env/options env/commands
env_options_SOURCES = env/options.c env/options.def env/disabled.def
env_commands_SOURCES = env/commands.c
env_commands_LDADD = libompp_program.la

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = env/ompp.pc env/ompp-mem.pc env/ompp-flow.pc

manuals = env/man/kinst.1 env/man/ompp.1 env/man/ompp_flow.3 env/man/ompp_mem.3 env/man/libompp.7
nodist_man_MANS += $(manuals)
nodist_completion_DATA = env/completion/ompp
dist_completion_DATA = env/completion/kinst
dist_zshcompletion_DATA = env/completion/_ompp
dist_fishcompletion_DATA = env/completion/ompp.fish
dist_pkgdata_DATA = env/ompp-diff-1.schema.json env/ompp-profile-1.schema.json env/ompp-scaling-1.schema.json
nodist_modulefile_DATA = env/$(PACKAGE_VERSION)

# @OPTIONS@ is replaced by the table, @VERSION@ by the version, and @SYNOPSIS@ and @COMMANDS@ by what ompp's commands take;
# [@] keeps configure from replacing them here.
$(manuals): %: %.in env/options$(EXEEXT) Makefile
	$(AM_V_GEN)$(MKDIR_P) env/man && env/options$(EXEEXT) roff >$@.roff && \
	if grep -q '[@]SYNOPSIS@' $(srcdir)/$@.in; then env/commands$(EXEEXT) synopsis >$@.synopsis && \
	env/commands$(EXEEXT) options >$@.commands || exit; fi && \
	$(SED) -e 's/[@]VERSION@/$(PACKAGE_VERSION)/' -e '/[@]OPTIONS@/{r $@.roff' -e 'd}' \
	-e '/[@]SYNOPSIS@/{r $@.synopsis' -e 'd}' -e '/[@]COMMANDS@/{r $@.commands' -e 'd}' $(srcdir)/$@.in >$@ && \
	rm -f $@.roff $@.synopsis $@.commands
env/man/ompp.1: env/commands$(EXEEXT)

# Installed under the name of the command, as bash-completion looks for it.
env/completion/ompp: env/completion/ompp.bash
	$(AM_V_GEN)$(MKDIR_P) env/completion && cp $(srcdir)/env/completion/ompp.bash $@

env/$(PACKAGE_VERSION): env/modulefile.in Makefile
	$(AM_V_GEN)$(MKDIR_P) env && $(SED) -e 's|[@]VERSION@|$(PACKAGE_VERSION)|' -e 's|[@]bindir@|$(bindir)|' \
	-e 's|[@]libdir@|$(libdir)|' -e 's|[@]includedir@|$(includedir)|' -e 's|[@]mandir@|$(mandir)|' \
	$(srcdir)/env/modulefile.in >$@

EXTRA_DIST += env/build env/check env/completion/ompp.bash env/demo env/install-packages env/kinst.sh \
	env/man/kinst.1.in env/man/libompp.7.in env/man/ompp.1.in env/man/ompp_flow.3.in env/man/ompp_mem.3.in env/modulefile.in env/packages env/slices
CLEANFILES += $(manuals) env/completion/ompp env/$(PACKAGE_VERSION)

# Writes the README's table of variables anew, between its two markers.
.PHONY: update-docs
update-docs: env/options$(EXEEXT)
	env/options$(EXEEXT) table >table.tmp
	$(SED) -i -e '/^<!-- options -->$$/,/^<!-- end -->$$/{//!d}' -e '/^<!-- options -->$$/r table.tmp' $(srcdir)/README
	rm -f table.tmp
