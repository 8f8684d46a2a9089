/*
 * Pages: ompp pages, which shows a trace of pages (OMPP_PAGES): which thread used which page, when and where.
 */
#include "reports/pages/pages.h"

#include <string.h>

#include "reports/report.h"
#include "runtime/base/array.h"

static const char *color_word(size_t i)
{
	static const char *const words[] = { "thread", "node", "accesses" };

	return i < OMPP_COUNT_OF(words) ? words[i] : NULL;
}

static int take_color(void *to, const char *option, const char *value)
{
	*(const char **)to = value;
	if (value[0] && !strchr(value, ','))
		return ompp_words_known(option, value, color_word) ? 0 : -1;
	ompp_complain(option, "'%s' is not a way to colour pages; write thread, node or accesses", value);
	return -1;
}

static const struct ompp_flow_view views[] = {
	{ "objects", ompp_pages_objects_view, 0 }, { "regions", ompp_pages_regions_view, 0 },
	{ "pages", ompp_pages_pages_view, 0 },     { "history", ompp_pages_history_view, 0 },
	{ "time", ompp_pages_time_view, 0 },       { "heat", ompp_pages_heat_view, 1 },
	{ "threads", ompp_pages_threads_view, 1 }, { "sharing", ompp_pages_sharing_view, 1 },
	{ "nodes", ompp_pages_nodes_view, 0 },     { "producers", ompp_pages_producers_view, 0 },
	{ "csv", ompp_pages_csv_view, 0 },         { "framesoc", ompp_pages_framesoc_view, 0 },
};

static const char *view_word(size_t i)
{
	return i < OMPP_COUNT_OF(views) ? views[i].name : NULL;
}

static const struct ompp_command_option options[] = {
	OMPP_TAKE_WORDS_ROW(
		"view", "VIEW", ompp_flow_take_view, view_word, 0,
		"objects (the default), regions, pages, history, time (the working set), heat (pages and times), "
		"threads (pages and threads), sharing (threads that use the same pages), nodes (accesses from NUMA "
		"node to NUMA node), producers, csv, framesoc"),
	OMPP_TAKE_ROW("producers", NULL, ompp_flow_take_view_switch, 0,
	              "list the threads of each page in the order of their first use"),
	OMPP_TAKE_ROW("csv", NULL, ompp_flow_take_view_switch, 0,
	              "print one line per use of a page, in Moca's columns"),
	OMPP_TAKE_ROW("framesoc", NULL, ompp_flow_take_view_switch, 0, "the same in those of its export to Framesoc"),
	OMPP_FORMAT_ROW(ompp_take_format, ompp_report_format, struct ompp_flow_request, look.format, "WORDS"),
	OMPP_SWITCH_ROW("shared", struct ompp_flow_request, look.only_shared, "pages alone that several threads use"),
	OMPP_TAKE_ROW("svg", "FILE", ompp_flow_take_name,
	              OMPP_MEMBER_AT(struct ompp_flow_request, look.svg, const char *),
	              "write the view heat, threads or sharing (its matrix) as an SVG picture"),
	OMPP_TAKE_WORDS_ROW("color", "WHAT", take_color, color_word,
	                    OMPP_MEMBER_AT(struct ompp_flow_request, look.color, const char *),
	                    "what the colours of the picture mean: thread (the default), node or accesses"),
};

static int pages_main(int argc, char **argv)
{
	static const struct ompp_flow_program pages = {
		.command = &ompp_pages_command,
		.give = "a trace of pages (.ompp.pages), which OMPP_PAGES=auto writes",
		.views = views,
		.n_views = OMPP_COUNT_OF(views),
		.limit = "OMPP_PAGES_LIMIT"
	};

	return ompp_flow_run(&pages, argc, argv);
}

const struct ompp_command ompp_pages_command = {
	.name = "pages",
	.suffix = "pages",
	.usage = "[OPTIONS] FILE",
	.brief = "show which thread used which page of memory, and when (OMPP_PAGES=auto)",
	.about = "Shows what a trace of pages (.ompp.pages), written with OMPP_PAGES=auto, says of objects,\n"
		 "regions, pages and threads.  The options select the part of the trace that is used.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 }, { ompp_flow_options, OMPP_FLOW_OPTIONS, 0 } },
	.run = pages_main,
};
