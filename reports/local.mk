# reports: profile, analysis, findings, views, writers (also part of libompp) and the program ompp
noinst_LTLIBRARIES += libompp_reports.la
libompp_reports_la_CPPFLAGS = $(guest_cppflags)
libompp_reports_la_SOURCES = \
	reports/analysis/analysis.c reports/analysis/analysis.h reports/analysis/classes.c \
	reports/analysis/classes.h reports/analysis/efficiency.c reports/analysis/efficiency.def \
	reports/analysis/efficiency.h reports/analysis/formula.c reports/analysis/formula.h reports/analysis/hot_functions.c reports/analysis/hot_functions.h \
	reports/analysis/gain.c reports/analysis/gain.h \
	reports/analysis/init.c reports/analysis/init.h reports/analysis/label.c reports/analysis/label.h \
	reports/analysis/rank_waiting.c reports/analysis/rank_waiting.h \
	reports/analysis/links.c reports/analysis/links.h reports/analysis/numa.c reports/analysis/numa.h \
	reports/analysis/report_options.h reports/bounds/roofs.h reports/bounds/region_time.c \
	reports/bounds/region_time.h reports/bounds/roof_use.c reports/bounds/roof_use.h \
	reports/bounds/roofline.c reports/bounds/roofline.h reports/analysis/sample_groups.c \
	reports/analysis/sample_groups.h reports/findings/plain.c reports/findings/plain.h \
	reports/analysis/sample_stats.c reports/analysis/sample_stats.h reports/analysis/selection.c reports/analysis/selection.h \
	reports/findings/tasking.c reports/findings/tasking.h \
	reports/analysis/traffic.c reports/analysis/traffic.h reports/analysis/untimed.c \
	reports/analysis/untimed.h reports/analysis/usage.c \
	reports/analysis/usage.h reports/analysis/waiting.c reports/analysis/trend.c reports/analysis/trend.h reports/analysis/visits.c reports/analysis/visits.h reports/analysis/waiting.h \
	reports/analysis/weights.c reports/analysis/weights.h \
	reports/findings/finding.c reports/findings/finding.h \
	reports/findings/finding_barrier.c reports/findings/finding_data.c reports/findings/finding_entry.c \
	reports/findings/finding_memory.c reports/findings/finding_mpi.c reports/findings/finding_numa.c \
	reports/findings/finding_processors.c reports/findings/finding_ranks.c reports/findings/finding_serial.c reports/findings/finding_roofs.c \
	reports/findings/finding_speed.c reports/findings/finding_visits.c \
	reports/findings/finding_chunks.c reports/findings/finding_tasks.c \
	reports/findings/finding_team.c reports/findings/findings.c reports/findings/findings.h \
	reports/findings/hooked.c reports/findings/hooked.h \
	reports/findings/pattern.c reports/findings/pattern.h reports/findings/property.def reports/findings/finding_say.c reports/findings/finding_say.h \
	reports/findings/finding_id.c reports/findings/finding_id.h \
	reports/findings/smalls.c reports/findings/smalls.h \
	reports/findings/time_shares.c reports/findings/time_shares.h \
	reports/flow/code.c reports/flow/code.h \
	reports/profile/number.c reports/profile/number.h reports/profile/profile.c \
	reports/profile/profile.h reports/profile/profile_check.c reports/profile/profile_check.h \
	reports/profile/profile_file.h reports/profile/profile_read.c reports/profile/profile_write.c \
	reports/profile/fields.def reports/profile/fields_counted.def reports/profile/fields_sampled.def reports/profile/fields_course.def \
	reports/profile/head.def reports/profile/sum.def reports/profile/record.c reports/profile/record.h \
	reports/profile/schema.c reports/profile/schema.h reports/report.c reports/report.h \
	reports/views/view_callgraph.c reports/views/view_callpath.c reports/tables/costly.c reports/tables/costly.h \
	reports/tables/counted.c reports/tables/counted.h reports/tables/cut.c reports/tables/cut.h reports/views/view_data.c \
	reports/tables/data_blocks.c reports/tables/data_blocks.h reports/tables/data_columns.c \
	reports/tables/data_instances.c reports/tables/data_instances.h \
	reports/tables/data_columns.h reports/tables/data_facts.c reports/tables/data_facts.h \
	reports/tables/data_section.c reports/tables/data_section.h reports/tables/data_sharing.c \
	reports/tables/data_sharing.h reports/tables/fact.c reports/tables/fact.h reports/tables/fit.c \
	reports/tables/fit.h reports/views/view_fields.c reports/views/view_flat.c reports/views/view_general.c reports/views/view_holders.c reports/views/view_hot.c reports/tables/layout.c \
	reports/tables/layout.h reports/tables/line.c reports/tables/line.h reports/views/view_lines.c \
	reports/tables/layouts.c reports/tables/layouts.h reports/views/view_memory.c reports/tables/numa_table.c \
	reports/tables/numa_table.h reports/views/view_overhead.c reports/views/view_overview.c reports/views/view_durations.c reports/views/view_efficiency.c \
	reports/views/view_properties.c reports/views/view_roofline.c reports/tables/table_region.c \
	reports/tables/table_region.h reports/tables/remarks.c reports/tables/remarks.h \
	reports/tables/remark_work.c reports/tables/remark_work.h reports/tables/sampled.c \
	reports/tables/sampled.h reports/views/view_summary.c reports/tables/structure.c \
	reports/tables/structure.h \
	reports/tables/table.c reports/tables/table.h reports/views/view_numa.c reports/views/view_pages.c reports/views/view_touch.c \
	reports/tables/variables.c reports/tables/variables.h \
	reports/ranks/by_rank.c reports/ranks/by_rank.h reports/ranks/rank_facts.c reports/ranks/rank_facts.h \
	reports/ranks/rank_missing.c reports/ranks/rank_missing.h \
	reports/ranks/rank_spread.c reports/ranks/rank_spread.h reports/ranks/rank_waits.c \
	reports/ranks/rank_waits.h \
	reports/placing/numa_choice.c reports/placing/numa_choice.h \
	reports/placing/numa_objects.c reports/placing/numa_objects.h \
	reports/placing/placing.c reports/placing/placing.h \
	reports/placing/placing_sums.c reports/placing/placing_sums.h \
	reports/placing/places.c reports/placing/places.h \
	reports/bounds/loop_region.c reports/bounds/loop_region.h reports/views/view_loops.c reports/findings/finding_loops.c \
	reports/bounds/forecast.c reports/bounds/forecast.h \
	reports/bounds/path_times.c reports/bounds/path_times.h \
	reports/bounds/relayout_gain.c reports/bounds/relayout_gain.h reports/views/view_layouts.c reports/views/view_messages.c \
	reports/views/view_span.c reports/views/span_gains.c reports/views/span_gains.h \
	reports/views/view_course.c reports/analysis/course_stretch.c reports/analysis/course_stretch.h \
	reports/findings/course_few.c reports/findings/course_few.h \
	reports/findings/fewer_misses.c reports/findings/fewer_misses.h \
	reports/findings/finding_layouts.c reports/findings/finding_orders.c \
	reports/bounds/reuse_curve.c reports/bounds/reuse_curve.h reports/views/view_reuse.c reports/findings/finding_reuse.c \
	reports/views/view.c runtime/terms/view.def reports/tables/view.h reports/writers/cell.c \
	reports/writers/cell.h reports/writers/csv.c reports/writers/decimal.c reports/writers/decimal.h \
	reports/writers/look.c reports/writers/look.h \
	reports/writers/out.c reports/writers/out.h reports/writers/writer_text.c reports/writers/writer.c \
	runtime/terms/writer.def reports/writers/writer.h

# What includes ompp_flow.h finds the header that it includes as programs do.
flow_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/runtime

# The library that reads traces, for ompp and, as libompp_flow, for programs.
noinst_LTLIBRARIES += libompp_flow_reader.la
libompp_flow_reader_la_CPPFLAGS = $(flow_cppflags) $(ZSTD_CFLAGS)
libompp_flow_reader_la_SOURCES = \
	reports/flow/emulate.c \
	reports/flow/define.c reports/flow/define.h reports/flow/flow.h reports/flow/join.c reports/flow/load.c reports/flow/map.c reports/flow/flow_order.c reports/flow/query.c \
	reports/flow/room.c reports/flow/room.h \
	reports/ompp_flow.h
libompp_flow_reader_la_LIBADD = $(ZSTD_LIBS)

lib_LTLIBRARIES += libompp_flow.la
libompp_flow_la_SOURCES = reports/flow/code.c
libompp_flow_la_LIBADD = libompp_flow_reader.la
# What its assertions call.
if DEBUG
libompp_flow_la_LIBADD += libompp_base.la
endif
libompp_flow_la_LDFLAGS = -version-info 0:0:0 -Wl,--version-script=$(top_srcdir)/reports/ompp_flow.map -Wl,-z,now
EXTRA_libompp_flow_la_DEPENDENCIES = $(top_srcdir)/reports/ompp_flow.map
EXTRA_DIST += reports/ompp_flow.map
include_HEADERS += reports/ompp_flow.h

# Sensors of the machine, for ompp alone, so they may use the C library.
noinst_LTLIBRARIES += libompp_sensors.la
libompp_sensors_la_CPPFLAGS = $(AM_CPPFLAGS)
libompp_sensors_la_SOURCES = \
	runtime/ompp_sensor.h \
	reports/sensors/sensor_cgroup.c \
	reports/sensors/sensor_cpufreq.c \
	reports/sensors/sensor_diskstats.c \
	reports/sensors/capacity.c reports/sensors/capacity.h \
	reports/sensors/feed.c reports/sensors/feed.h \
	reports/sensors/sensor_hwmon.c \
	reports/sensors/sensor_interrupts.c \
	reports/sensors/meter.c reports/sensors/meter.h \
	reports/sensors/sensor_net.c \
	reports/sensors/sensor_node.c \
	reports/sensors/sensor_perf.c \
	reports/sensors/pid_stat.h \
	reports/sensors/sensor_pressure.c \
	reports/sensors/sensor_process.c \
	reports/sensors/program.c reports/sensors/program.h \
	reports/sensors/sensor_rapl.c \
	reports/sensors/sensor_region.c \
	reports/sensors/sensor_resctrl.c \
	reports/sensors/sensor_schedstat.c \
	reports/sensors/sensors.c reports/sensors/sensors.h \
	reports/sensors/sensor_stat.c \
	reports/sensors/sensor_task.c \
	reports/sensors/sensor_value.c \
	reports/sensors/sensor_vmstat.c reports/sensors/sensor_vmstat.h reports/sensors/sensor_vmstat_names.c \
	reports/sensors/watch.c reports/sensors/watch.h \
	reports/sensors/whereabouts.h
libompp_sensors_la_LIBADD = $(NUMA_LIBS)

# Everything but main, so that tests link the real objects.
noinst_LTLIBRARIES += libompp_program.la
libompp_program_la_SOURCES = \
	reports/profile/merge.c reports/profile/merge.h reports/profile/merge_allocations.c \
	reports/profile/merge_allocations.h reports/profile/merge_data.c reports/profile/merge_data.h \
	reports/profile/merge_rows.c reports/profile/merge_rows.h \
	reports/profile/merge_course.c reports/profile/merge_course.h reports/profile/merge_meetings.c reports/profile/merge_meetings.h reports/profile/rank_offset.c \
	reports/profile/rank_offset.h reports/profile/merge_samples.c reports/profile/merge_samples.h reports/profile/misfit.c \
	reports/profile/misfit.h \
	reports/exchange/brief.c reports/exchange/callgrind.c reports/exchange/chrome.c reports/exchange/columns.c reports/exchange/columns.h \
	reports/exchange/derived.def \
	reports/exchange/exchange.c reports/exchange/exchange.def reports/exchange/exchange.h \
	reports/exchange/flat.c reports/exchange/flat.h reports/exchange/folded.c reports/exchange/json.c \
	reports/exchange/path_counts.c reports/exchange/path_counts.h reports/exchange/pprof.c reports/exchange/proto.c reports/exchange/proto.h \
	reports/exchange/quote.c reports/exchange/quote.h reports/exchange/speedscope.c \
	reports/exchange/stack_functions.c reports/exchange/stack_functions.h reports/exchange/stacks.c \
	reports/exchange/stacks.h \
	reports/lines/region_sums.c reports/lines/region_sums.h reports/lines/source_lines.c \
	reports/lines/source_lines.h \
	reports/web/color.c reports/web/color.def reports/web/color.h \
	reports/web/embed.c reports/web/embed.h reports/web/live.h reports/web/web_page.c reports/web/web_page.h \
	reports/web/page_accesses.c reports/web/page_accesses.h reports/web/page_hot.c reports/web/page_hot.h \
	reports/web/page_model.c reports/web/page_model.h \
	reports/web/page_source.c reports/web/page_source.h reports/web/page_tables.c reports/web/page_tables.h \
	reports/web/page_threads.c reports/web/page_threads.h reports/web/report_page.c reports/web/report_page.h \
	reports/lines/source_files.c reports/lines/source_files.h \
	reports/compare/diff.c reports/compare/diff.h reports/compare/diff_instances.c \
	reports/compare/diff_instances.h reports/compare/diff_page.c reports/compare/diff_page.h \
	reports/compare/diff_tree.c reports/compare/diff_tree.h \
	reports/compare/diff_values.c reports/compare/diff_values.h \
	reports/compare/change_point.c reports/compare/change_point.h reports/compare/history.c reports/compare/history.h \
	reports/compare/document.c reports/compare/document.h reports/compare/match.c reports/compare/match.h \
	reports/compare/object_match.c reports/compare/object_match.h reports/compare/scaling.c \
	reports/compare/scaling.h reports/compare/scaling_page.c reports/compare/scaling_page.h \
	reports/compare/statistic.c reports/compare/statistic.h \
	reports/command/arguments.c reports/command/arguments.h reports/command/child.c reports/command/child.h \
	reports/command/command_help.c reports/command/command_line.c reports/command/command_line.h \
	reports/command/command_option.c reports/command/listing.c reports/command/listing.h \
	reports/command/terminal.c reports/command/terminal.h \
	reports/traces/flow_command.c reports/traces/flow_command.h reports/traces/flow_look.h reports/traces/flow_table.h reports/traces/flow_blocks.c reports/traces/flow_blocks.h \
	reports/traces/flow_chrome.c reports/traces/flow_messages.c reports/traces/flow_messages.h \
	reports/traces/flow_paraver.c reports/traces/flow_compress.c reports/traces/flow_document.c \
	reports/traces/flow_events.c reports/traces/flow_instances.c reports/traces/flow_layouts.c \
	reports/traces/flow_names.c reports/traces/flow_processes.c reports/traces/flow_sql.c \
	reports/traces/flow_sharing.c reports/traces/flow_table.c reports/traces/flow_time.c reports/traces/flow_views.c \
	reports/watch/aside.c reports/watch/aside.h reports/watch/coarse.c reports/watch/coarse.h \
	reports/watch/control.c reports/watch/control.h reports/watch/journal.c reports/watch/journal.h \
	reports/watch/watch_json.c reports/watch/watch_json.h reports/watch/watch_live.c reports/watch/watch_record.c \
	reports/watch/recorder.c reports/watch/recorder.h reports/watch/recording.c reports/watch/recording.h \
	reports/watch/watch_sensors.c reports/watch/bytes.c reports/watch/bytes.h \
	reports/watch/server.c reports/watch/server.h \
	reports/watch/server_address.c reports/watch/server_address.h \
	reports/watch/server_door.c reports/watch/server_door.h reports/watch/sheet.c \
	reports/watch/sheet.h reports/watch/sheet_choice.c reports/watch/sheet_choice.h \
	reports/watch/sheet_share.c reports/watch/sheet_share.h \
	reports/watch/sheet_all.c reports/watch/sheet_all.h \
	reports/watch/sheet_text.c reports/watch/sheet_text.h reports/watch/watch_stat.c \
	reports/watch/watcher.c reports/watch/watcher.h \
	reports/watch/watcher_options.c reports/watch/watcher_options.h \
	reports/pages/pages.c reports/pages/pages.h reports/pages/pages_export.c reports/pages/pages_grid.c \
	reports/pages/pages_grid.h reports/pages/pages_map.c reports/pages/pages_matrix.c reports/pages/pages_page.c \
	reports/pages/pages_page.h reports/pages/pages_pairs.c reports/pages/pages_sharing.c \
	reports/pages/pages_sharing.h reports/pages/pages_sum.c reports/pages/pages_svg.c reports/pages/pages_svg.h \
	reports/pages/pages_tables.c reports/pages/pages_variables.c reports/pages/pages_variables.h reports/pages/pages_time.c \
	reports/roofs/roof_command.c reports/roofs/roof_file.c reports/roofs/roof_file.h reports/roofs/roof_kernels.c \
	reports/roofs/roof_kernels.h reports/roofs/roof_measure.c reports/roofs/roof_measure.h \
	reports/roofs/roof_team.c reports/roofs/roof_team.h \
	reports/show/annotate.c reports/show/choice.c reports/show/fold.c reports/show/fold.h reports/show/show_diff.c reports/show/show_diff.h \
	reports/show/newest.c reports/show/show_diff_print.c reports/show/show_page.c reports/show/show_print.c \
	reports/show/load_ahead.c reports/show/load_ahead.h reports/show/show_ranks.c reports/show/show_ranks.h \
	reports/show/show_ranks_findings.c reports/show/show_ranks_findings.h \
	reports/ranks/rank_sums.c reports/ranks/rank_sums.h reports/show/ranks.c \
	reports/show/choose_runs.c reports/show/choose_runs.h reports/show/show_history.c reports/show/show_scaling.c reports/show/show.c reports/show/show.h \
	reports/show/times.c reports/show/times.h \
	reports/tui/tui.c reports/tui/tui_book.c reports/tui/tui_book.h reports/tui/tui_browse.c \
	reports/tui/tui_browse.h reports/tui/tui_cells.c reports/tui/tui_cells.h reports/tui/tui_draw.c reports/tui/tui_draw.h reports/tui/tui_page.c \
	reports/tui/tui_page.h reports/tui/tui_screen.c reports/tui/tui_screen.h reports/tui/tui_terminfo.c \
	reports/tui/tui_terminfo.h \
	reports/ompp/absent.c reports/ompp/commands.c reports/ompp/counter_entry.c reports/ompp/counter_entry.h \
	reports/ompp/counter_explain.c reports/ompp/counter_explain.h reports/ompp/ompp_counters.c reports/ompp/help.c \
	reports/ompp/nodes.c reports/ompp/nodes.h reports/ompp/object_layout.c reports/ompp/object_layout.h reports/ompp/objects.c reports/ompp/ompp.h reports/ompp/ompp_place.c \
	reports/ompp/emulated_run.c reports/ompp/emulated_run.h reports/ompp/preload.c reports/ompp/preload.h reports/ompp/kokkos_run.c reports/ompp/kokkos_run.h reports/ompp/rank_run.c reports/ompp/rank_run.h reports/ompp/progress.c reports/ompp/progress.h reports/ompp/regions.c reports/ompp/ompp_run.c \
	reports/ompp/sample_sources.c reports/ompp/sample_sources.h
# What names the places that allocate, which libompp has, too.
libompp_program_la_SOURCES += \
	runtime/data_sums/sum_calls.c runtime/data_sums/sum_calls.h runtime/sums/index.c runtime/sums/index.h \
	runtime/data_sums/site_names.c runtime/data_sums/site_names.h runtime/program/statement.c runtime/program/statement.h \
	runtime/program/statement_fortran.c runtime/program/statement_text.c runtime/program/statement_text.h \
	runtime/data/site.c runtime/data/site.h
nodist_libompp_program_la_SOURCES = reports/web/assets.c
libompp_program_la_CPPFLAGS = $(flow_cppflags) $(ZSTD_CFLAGS) $(SQLITE_CFLAGS) $(MICROHTTPD_CFLAGS) $(NCURSES_CFLAGS) \
	-DOMPP_LIBDIR='"$(libdir)"' -DOMPP_HELPERDIR='"$(libexecdir)/kinst"'
libompp_program_la_LIBADD = libompp_sensors.la libompp_flow_reader.la libompp_samples.la libompp_reports.la libompp_base.la $(ZSTD_LIBS) $(SQLITE_LIBS) $(MICROHTTPD_LIBS) $(NCURSES_LIBS) $(NUMA_LIBS) -lpthread -lm

# Styles and scripts of pages are part of the program, as bytes of an array each.  The scripts of the two large pages are
# divided into files, which are put together in this order, as the body of a function.
report_script = reports/web/report/profile.js reports/web/report/cells.js reports/web/report/parts.js \
	reports/web/report/filters.js reports/web/report/summary_section.js reports/web/report/region_section.js \
	reports/web/report/tree_section.js reports/web/report/overhead_section.js reports/web/report/duration_section.js \
	reports/web/report/hot_section.js reports/web/report/plain_table.js reports/web/report/heat_map.js \
	reports/web/report/data_section.js reports/web/report/structure_map.js reports/web/report/page_grid.js reports/web/report/page_map_section.js \
	reports/web/report/rank_section.js reports/web/report/reuse_section.js reports/web/report/roofline_section.js \
	reports/web/report/efficiency_section.js reports/web/report/source_section.js reports/web/report/span_section.js \
	reports/web/report/course_section.js reports/web/report/report_start.js
live_script = reports/web/live/recording.js reports/web/live/stream.js reports/web/live/live_page.js \
	reports/web/live/event_list.js reports/web/live/time_range.js reports/web/live/series.js reports/web/live/drawing.js \
	reports/web/live/axes.js reports/web/live/charts.js reports/web/live/region_bands.js reports/web/live/pointer.js \
	reports/web/live/totals.js reports/web/live/live_start.js
page_assets = reports/web/style.css reports/web/base.js reports/web/roofline.js reports/web/reuse.js \
	reports/web/course.js reports/web/ranks.js reports/web/diff.js reports/web/flow.js reports/web/history.js \
	reports/web/scaling.js reports/web/live_lines.js reports/web/live_style.css
joined_assets = reports/web/color.css reports/web/report.js reports/web/live.js
put_together = $(MKDIR_P) reports/web && \
	{ echo '"use strict";' && echo '(() => {' && cat $$files && echo '})();'; } >$@.new && mv $@.new $@
reports/web/report.js: $(report_script) Makefile
	$(AM_V_GEN)files='$(report_script:%=$(srcdir)/%)'; $(put_together)
reports/web/live.js: $(live_script) Makefile
	$(AM_V_GEN)files='$(live_script:%=$(srcdir)/%)'; $(put_together)
reports/web/color.css: reports/web/color.def Makefile
	$(AM_V_GEN)$(MKDIR_P) reports/web && { \
	of() { $(SED) -n "s/^OMPP_COLOR(\([^,]*\), \"\(.*\)\", \"\(.*\)\")$$/	--\1: \\$$1;/p" $(srcdir)/reports/web/color.def; }; \
	echo ':root {'; of 2; $(SED) -n 's/^OMPP_COLOR_OF_ONE(\([0-9]*\), "\(.*\)")$$/	--one-\1: \2;/p' $(srcdir)/reports/web/color.def; echo '}'; \
	echo '@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {'; of 3; echo '} }'; \
	echo ':root[data-theme="dark"] {'; of 3; echo '}'; } >$@.new && mv $@.new $@
reports/web/assets.c: $(page_assets) $(joined_assets) Makefile
	$(AM_V_GEN)$(MKDIR_P) reports/web && { echo '#include "reports/web/web_page.h"'; for file in $(joined_assets) $(page_assets:%=$(srcdir)/%); do \
	name=`echo "$$file" | $(SED) 's|.*/||; s|[.].*||'`; \
	echo "static const unsigned char $$name[] = {"; \
	test -r $$file || exit 1; od -An -v -tu1 $$file | $(SED) 's/[0-9][0-9]*/&,/g'; \
	echo "};"; echo "const struct ompp_page_asset ompp_page_$$name = { $$name, sizeof($$name) };"; done; } >$@.new && \
	mv $@.new $@
EXTRA_DIST += $(page_assets) $(report_script) $(live_script)
CLEANFILES += reports/web/assets.c $(joined_assets)

bin_PROGRAMS += ompp
ompp_SOURCES = reports/ompp/main.c
ompp_LDADD = libompp_program.la
