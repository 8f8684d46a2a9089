/*
 * Pages: ompp pages.  What a trace of pages (OMPP_PAGES) says: which thread used which page, when and where.
 */
#include "reports/ompp/pages.h"

#include "runtime/base/array.h"

int ompp_pages_command(int argc, char **argv)
{
	static const struct ompp_flow_view views[] = {
		{ "objects", ompp_pages_objects_view, 0 }, { "regions", ompp_pages_regions_view, 0 },
		{ "pages", ompp_pages_pages_view, 0 },     { "history", ompp_pages_history_view, 0 },
		{ "time", ompp_pages_time_view, 0 },       { "heat", ompp_pages_heat_view, 1 },
		{ "threads", ompp_pages_threads_view, 1 }, { "sharing", ompp_pages_sharing_view, 1 },
		{ "nodes", ompp_pages_nodes_view, 0 },     { "producers", ompp_pages_producers_view, 0 },
		{ "csv", ompp_pages_csv_view, 0 },         { "framesoc", ompp_pages_framesoc_view, 0 },
	};
	static const char *const options[] = {
		"--view",  "--format", "--object", "--region",   "--thread",    "--node",
		"--home",  "--kind",   "--time",   "--address",  "--top",       "--svg",
		"--color", "--shared", "--csv",    "--framesoc", "--producers", "--help"
	};
	static const char *const switches[] = { "--csv", "--framesoc", "--producers" };
	static const struct ompp_flow_program pages = {
		.name = "pages",
		.give = "a trace of pages (.ompp.pages), which OMPP_PAGES=auto writes",
		.views = views,
		.n_views = OMPP_COUNT_OF(views),
		.options = options,
		.n_options = OMPP_COUNT_OF(options),
		.limit = "OMPP_PAGES_LIMIT",
		.switches = switches,
		.n_switches = OMPP_COUNT_OF(switches)
	};

	return ompp_flow_run(&pages, argc, argv);
}
