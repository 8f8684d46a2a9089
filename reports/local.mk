# reports: profile, views, writers (also part of libompp) and the program ompp
noinst_LTLIBRARIES += libompp_reports.la
libompp_reports_la_CFLAGS = $(guest_cflags)
libompp_reports_la_CPPFLAGS = $(guest_cppflags)
libompp_reports_la_SOURCES = \
	reports/report.c reports/report.h \
	reports/profile/profile.c reports/profile/profile.h \
	reports/profile/profile_file.h reports/profile/profile_read.c reports/profile/profile_write.c \
	reports/profile/schema.c reports/profile/schema.h \
	reports/views/analysis.c reports/views/analysis.h \
	reports/views/label.c reports/views/label.h \
	reports/views/callgraph.c reports/views/classes.c reports/views/classes.h reports/views/callpath.c reports/views/counted.c reports/views/counted.h \
	reports/views/data.c reports/views/clause.c reports/views/clause.h reports/views/finding.h \
	reports/views/finding_barrier.c reports/views/finding_entry.c reports/views/finding_processors.c \
	reports/views/finding_data.c reports/views/finding_serial.c reports/views/finding_team.c reports/views/pattern.c reports/views/pattern.h reports/views/say.c reports/views/say.h \
	reports/views/waiting.c reports/views/waiting.h reports/views/findings.c reports/views/findings.h reports/views/fit.c reports/views/fit.h reports/views/flat.c reports/views/formula.c reports/views/formula.h \
	reports/views/general.c reports/views/numa.c reports/views/numa.h reports/views/traffic.c reports/views/traffic.h \
	reports/views/costly.c reports/views/costly.h \
	reports/views/layout.c reports/views/layout.h reports/views/overhead.c reports/views/overview.c \
	reports/views/properties.c reports/views/remarks.c reports/views/remarks.h reports/views/sort.c reports/views/sort.h reports/views/summary.c reports/views/table.c \
	reports/views/table.h reports/views/usage.c reports/views/usage.h reports/views/view.c reports/views/view.h \
	reports/writers/cell.c reports/writers/cell.h reports/writers/csv.c reports/writers/decimal.c reports/writers/decimal.h reports/writers/out.c \
	reports/writers/out.h reports/writers/text.c reports/writers/writer.c reports/writers/writer.h

# everything but main, so that tests link the real objects
noinst_LTLIBRARIES += libompp_program.la
libompp_program_la_SOURCES = \
	reports/ompp/absent.c reports/ompp/choice.c reports/ompp/command.c reports/ompp/counters.c reports/ompp/help.c reports/ompp/objects.c reports/ompp/ompp.h \
	reports/ompp/regions.c reports/ompp/run.c reports/ompp/show.c reports/profile/merge.c reports/profile/merge.h \
	reports/profile/merge_data.c reports/profile/merge_data.h reports/profile/misfit.c reports/profile/misfit.h
libompp_program_la_LIBADD = libompp_reports.la libompp_base.la

bin_PROGRAMS += ompp
ompp_SOURCES = reports/ompp/main.c
ompp_LDADD = libompp_program.la
