/*
 * Flow: ompp flow, which shows a trace of memory accesses (OMPP_TRACE=1).
 */
#include "reports/traces/flow_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/command/arguments.h"
#include "reports/flow/flow.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/host/processors.h"
#include "runtime/terms/option.h"

enum { TIME_SLICES = 20, MOST_SLICES = 10000 };

static const struct ompp_flow_program *program; /* which one runs */

static const char *view_name(size_t i)
{
	return i < program->n_views ? program->views[i].name : NULL;
}

/* ---- the values of options ---- */

static int flow_bad(const char *option, const char *value, const char *what)
{
	ompp_complain(option, "'%s' is not %s", value, what);
	return -1;
}

/* Reads a number, decimal or, with 0x, hexadecimal.  Returns what follows it; NULL when there is none. */
static const char *number_at(const char *text, uint64_t *number)
{
	char *end;

	if (*text < '0' || *text > '9')
		return NULL;
	errno = 0;
	*number = strtoull(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
	return errno || end == text ? NULL : end;
}

static int take_number(void *to, const char *option, const char *value)
{
	uint64_t n;
	const char *end = number_at(value, &n);

	if (!end || *end || n >= OMPP_FLOW_NONE)
		return flow_bad(option, value, "a number");
	*(uint32_t *)to = (uint32_t)n;
	return 0;
}

/* Reads "A:B"; each of them may be missing. */
static int parse_interval(const char *option, const char *value, uint64_t *least, uint64_t *most, const char *what)
{
	const char *at = *value == ':' ? value : number_at(value, least);

	if (!at || *at != ':' || !value[1])
		return flow_bad(option, value, what);
	at++;
	if (*at)
		at = number_at(at, most);
	return !at || *at || *least > *most ? flow_bad(option, value, what) : 0;
}

static int take_latency(void *to, const char *option, const char *value)
{
	struct ompp_flow_filter *f = to;
	uint64_t least = 0, most = UINT32_MAX;

	if (parse_interval(option, value, &least, &most, "an interval of latencies; write LEAST:MOST, as 100: or :50"))
		return -1;
	f->least_latency = least > UINT32_MAX ? UINT32_MAX : (uint32_t)least;
	f->most_latency = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
	return 0;
}

/* Reads "A:B" in seconds. */
static int take_time(void *to, const char *option, const char *value)
{
	struct ompp_flow_filter *f = to;
	static const struct ompp_option_info seconds = { "TIME", OMPP_TYPE_SECONDS, "", 0, INT64_MAX / 1000000000, "s",
		                                         "" };
	const char *colon = strchr(value, ':');
	char from[32];
	int64_t ns;

	if (!colon || !value[1] || (size_t)(colon - value) >= sizeof(from))
		return flow_bad(option, value,
		                "an interval of times; write FROM:TO in seconds of the run, as 0.5:2 or 1:");
	memcpy(from, value, (size_t)(colon - value));
	from[colon - value] = '\0';
	if (from[0]) {
		if (ompp_option_value(&seconds, from, &ns))
			return flow_bad(option, from, "a time in seconds");
		f->from_ns = (uint64_t)ns;
	}
	if (colon[1]) {
		if (ompp_option_value(&seconds, colon + 1, &ns))
			return flow_bad(option, colon + 1, "a time in seconds");
		f->to_ns = (uint64_t)ns;
	}
	return 0;
}

static int take_addresses(void *to, const char *option, const char *value)
{
	struct ompp_flow_filter *f = to;

	return parse_interval(option, value, &f->least_address, &f->most_address,
	                      "an interval of addresses; write FIRST:LAST, as 0x1000:0x1fff");
}

static const char *level_word(size_t i)
{
	return i < OMPP_MEM_N_LEVELS ? ompp_sample_stats_level_title((uint32_t)i) : NULL;
}

static const char *kind_word(size_t i)
{
	static const char *const words[] = { "loads", "stores",  "touches",    "allocations",
		                             "frees", "changes", "migrations", "messages" };

	return i < OMPP_COUNT_OF(words) ? words[i] : NULL;
}

/* Returns the set of those words of the list that are in `name`. */
static uint32_t words_of(const char *list, const char *(*name)(size_t i))
{
	uint32_t set = 0;

	while (*list) {
		size_t n = strcspn(list, ",");

		for (size_t i = 0; name(i); i++)
			if (strlen(name(i)) == n && !strncmp(name(i), list, n))
				set |= 1u << i;
		list += n + (list[n] == ',');
	}
	return set;
}

static int take_levels(void *to, const char *option, const char *value)
{
	struct ompp_flow_filter *f = to;

	if (!value[0])
		return flow_bad(option, value, "a list of levels");
	if (!ompp_words_known(option, value, level_word))
		return -1;
	f->levels = words_of(value, level_word);
	return 0;
}

static int take_kinds(void *request, const char *option, const char *value)
{
	struct ompp_flow_filter *f = &((struct ompp_flow_request *)request)->look.filter;
	const uint32_t accesses = 1u << OMPP_FLOW_ACCESS | 1u << OMPP_FLOW_USE | 1u << OMPP_FLOW_WRITTEN;
	const uint32_t others = 1u << 7; /* messages */
	uint32_t set;

	if (!value[0])
		return flow_bad(option, value, "a list of kinds of events");
	if (!ompp_words_known(option, value, kind_word))
		return -1;
	set = words_of(value, kind_word);
	f->kinds = (set & 3 ? accesses : 0) | (set & (others - 1)) >> 2 << OMPP_FLOW_TOUCH |
	           (set & others ? 1u << OMPP_FLOW_SEND | 1u << OMPP_FLOW_RECEIVE : 0);
	f->accesses = set & 3 ? set & 3 : OMPP_MEM_BOTH;
	return 0;
}

static int take_mode(void *to, const char *option, const char *value)
{
	struct ompp_flow_filter *f = to;

	f->modes = !strcmp(value, "user") ? 1 : !strcmp(value, "kernel") ? 2 : 0;
	return f->modes ? 0 : flow_bad(option, value, "a mode; write user or kernel");
}

static int take_numa(void *to, const char *option, const char *value)
{
	return ompp_numa_wish(value, to) || !value[0] ? flow_bad(option, value, "auto or emulate:N; N is from 2 to 64")
	                                              : 0;
}

static int take_slices(void *to, const char *option, const char *value)
{
	uint32_t *n = to;

	if (take_number(n, option, value))
		return -1;
	return *n >= 1 && *n <= MOST_SLICES ? 0 : flow_bad(option, value, "a number of slices from 1 to 10000");
}

int ompp_flow_take_name(void *text, const char *option, const char *value)
{
	*(const char **)text = value;
	return value[0] ? 0 : flow_bad(option, value, "a name");
}

int ompp_flow_take_view(void *request, const char *option, const char *value)
{
	for (size_t i = 0; i < program->n_views; i++)
		if (!strcmp(program->views[i].name, value)) {
			((struct ompp_flow_request *)request)->view = &program->views[i];
			return 0;
		}
	if (!value[0] || ompp_words_known(option, value, view_name))
		ompp_complain(option, "'%s' is not a single view; write one, such as %s", value,
		              program->views[0].name);
	return -1;
}

int ompp_flow_take_view_switch(void *request, const char *option, const char *value)
{
	(void)value;
	return ompp_flow_take_view(request, option, option + 2);
}

/* ---- the command line ---- */

#define NAME_ROW(name, value, member, help) \
	OMPP_TAKE_ROW(name, value, ompp_flow_take_name, \
	              OMPP_MEMBER_AT(struct ompp_flow_request, member, const char *), help)
#define NUMBER_ROW(name, take, member, help) \
	OMPP_TAKE_ROW(name, "N", take, OMPP_MEMBER_AT(struct ompp_flow_request, member, uint32_t), help)
#define FILTER_ROW(name, value, take, help) \
	OMPP_TAKE_ROW(name, value, take, offsetof(struct ompp_flow_request, look.filter), help)

const struct ompp_command_option ompp_flow_options[OMPP_FLOW_OPTIONS] = {
	OMPP_TAKE_ROW("top", "N", ompp_take_top, OMPP_MEMBER_AT(struct ompp_flow_request, look.top, uint32_t),
	              "print only the first N lines"),
	NAME_ROW("object", "NAME", look.object, "of this object alone"),
	NAME_ROW("region", "FILE:LINE", look.region, "in this region alone; or its name, file or construct"),
	NUMBER_ROW("thread", take_number, look.filter.thread, "by this thread"),
	NUMBER_ROW("node", take_number, look.filter.node, "from this NUMA node"),
	NUMBER_ROW("home", take_number, look.filter.home, "to memory on this NUMA node"),
	OMPP_TAKE_WORDS_ROW("kind", "LIST", take_kinds, kind_word, 0,
	                    "loads, stores; of a trace of accesses also touches, allocations, frees, changes, "
	                    "migrations, messages"),
	FILTER_ROW("time", "FROM:TO", take_time, "seconds of the run"),
	FILTER_ROW("address", "FIRST:LAST", take_addresses, "addresses"),
};

static int flow_parse(int argc, char **argv, struct ompp_flow_request *r)
{
	int status;

	r->given = (const char **)argv;
	status = ompp_command_words_of(program->command, r, argc, argv, &r->n_given);
	if (status)
		return status;
	if (r->n_given == 1 || (r->n_given > 1 && program->takes_several))
		return 0;
	ompp_complain(program->command->name, "give %s: %s", program->takes_several ? "a file" : "one file",
	              program->give);
	return 1 + OMPP_EXIT_USAGE;
}

/* ---- names of the filter ---- */

static const struct ompp_flow *searched;

static const char *object_word(size_t i)
{
	const struct ompp_flow_object *o = i < UINT32_MAX ? ompp_flow_object(searched, (uint32_t)i) : NULL;

	return o ? o->name : NULL;
}

static int flow_none(const char *option, const char *what, const char *value, const char *near, const char *view)
{
	if (near && near[0])
		ompp_complain(option, "no %s '%s'; did you mean '%s'?", what, value, near);
	else
		ompp_complain(option, "no %s '%s'; --view=%s lists them", what, value, view);
	return -1;
}

static int find_objects(struct ompp_flow_look *look)
{
	size_t n = ompp_flow_n_objects(look->flow);
	int found = 0;

	if (!look->object)
		return 0;
	look->objects = ompp_arena_alloc(look->arena, n + 1);
	look->sites = ompp_arena_alloc(look->arena, ompp_flow_n_sites(look->flow) + 1);
	if (!look->objects || !look->sites) {
		ompp_complain(program->command->name, "not enough memory");
		return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		found |= look->objects[i] = !strcmp(ompp_flow_object(look->flow, i)->name, look->object);
	for (uint32_t i = 0; i < ompp_flow_n_sites(look->flow); i++) /* small blocks have no objects */
		found |= look->sites[i] = !strcmp(ompp_flow_site(look->flow, i)->name, look->object);
	searched = look->flow;
	return found ? 0
	             : flow_none("--object", "object", look->object, ompp_nearest_typed(look->object, object_word),
	                         "objects");
}

/* Does the word mean this region: by its construct, name, file, or "file:line"? */
static int is_region(const struct ompp_flow_region *r, const char *word)
{
	const char *base = strrchr(r->file, '/');
	char place[1024];

	base = base ? base + 1 : r->file;
	snprintf(place, sizeof(place), "%s:%u", base, r->begin_line);
	return !strcmp(word, r->construct) || (r->name[0] && !strcmp(word, r->name)) || !strcmp(word, base) ||
	       !strcmp(word, r->file) || !strcmp(word, place);
}

static int find_regions(struct ompp_flow_look *look)
{
	size_t n = ompp_flow_n_regions(look->flow);
	int found = 0;

	if (!look->region)
		return 0;
	look->regions = ompp_arena_alloc(look->arena, n + 1);
	for (uint32_t i = 0; look->regions && i < n; i++) {
		const struct ompp_flow_region *r = ompp_flow_region(look->flow, i);
		int is_meant = is_region(r, look->region) || (r->parent < i && look->regions[r->parent]);

		look->regions[i] = (unsigned char)is_meant;
		found |= is_meant;
	}
	return found ? 0 : flow_none("--region", "region", look->region, NULL, "events");
}

/* ---- the report ---- */

static int flow_show(struct ompp_flow_request *r, struct ompp_arena *arena)
{
	struct ompp_flow_look *look = &r->look;

	look->arena = arena;
	look->is_first = 1;
	look->look.is_text = ompp_report_is_text(look->format);
	if (ompp_flow_find_processes(look) || find_objects(look) || find_regions(look))
		return OMPP_EXIT_FAILED;
	if (r->chrome)
		return ompp_flow_chrome(look, r->chrome);
	if (r->paraver)
		return ompp_flow_paraver(look, r->paraver);
	ompp_flow_whole(look);
	return ompp_flow_is_document(look->format) ? ompp_flow_document(look, r->view) : r->view->show(look);
}

/* Reads the traces.  Returns NULL after a complaint. */
static struct ompp_flow *open_all(const struct ompp_flow_request *r, struct ompp_arena *arena)
{
	const char **paths = r->given;
	size_t n_paths = r->n_given, failed = 0;
	struct ompp_flow *flow;

	if (program->takes_several && ompp_flow_files(r->given, r->n_given, &paths, &n_paths, arena))
		return NULL;
	ompp_flow_find_names = ompp_flow_names;
	if (ompp_flow_open_all(&flow, paths, n_paths, &failed)) {
		ompp_complain(paths[failed], "%s", ompp_flow_message());
		return NULL;
	}
	ompp_flow_tell(flow, program->limit);
	if (r->look.emulated && !ompp_report_is_text(r->look.format) && !ompp_flow_is_document(r->look.format))
		ompp_complain("--numa",
		              "the NUMA nodes are emulated: the threads are distributed over %u of them, and each page "
		              "lies on the node that touched it first",
		              r->look.emulated);
	if (r->look.emulated && ompp_flow_emulate(flow, r->look.emulated)) {
		ompp_complain("--numa", "%s", ompp_flow_message());
		ompp_flow_close(flow);
		return NULL;
	}
	return flow;
}

static int flow_run(struct ompp_flow_request *r, struct ompp_arena *arena)
{
	struct ompp_flow *flow;
	int status;

	if (r->look.svg && !r->view->is_picture) {
		ompp_complain("--svg", "the view %s is no picture; give --view=heat, threads or sharing",
		              r->view->name);
		return OMPP_EXIT_USAGE;
	}
	if (r->compress && r->n_given > 1) {
		ompp_complain("--compress", "makes a compressed copy of one trace; give one file");
		return OMPP_EXIT_USAGE;
	}
	if (r->compress)
		return ompp_flow_compress(r->given[0], r->compress);
	flow = open_all(r, arena);
	if (!flow)
		return OMPP_EXIT_FAILED;
	r->look.flow = flow;
	status = r->sql ? ompp_flow_sql(flow, r->sql) : flow_show(r, arena);
	ompp_flow_close(flow);
	return status;
}

int ompp_flow_run(const struct ompp_flow_program *of, int argc, char **argv)
{
	struct ompp_flow_request r = { .view = &of->views[0],
		                       .look = { .filter = ompp_flow_all(), .format = "", .n_slices = TIME_SLICES } };
	struct ompp_arena arena;
	int status;

	program = of;
	ompp_arena_init(&arena, 0);
	status = flow_parse(argc, argv, &r);
	status = status ? status - 1 : flow_run(&r, &arena);
	ompp_arena_fini(&arena);
	return status;
}

/* ---- ompp flow ---- */

static const struct ompp_flow_view views[] = {
	{ "objects", ompp_flow_objects_view, 0 },
	{ "object", ompp_flow_object_view, 0 },
	{ "pages", ompp_flow_pages_view, 0 },
	{ "functions", ompp_flow_functions_view, 0 },
	{ "overlap", ompp_flow_overlap_view, 0 },
	{ "private", ompp_flow_private_view, 0 },
	{ "migrations", ompp_flow_migrations_view, 0 },
	{ "latency", ompp_flow_latency_view, 0 },
	{ "time", ompp_flow_time_view, 0 },
	{ "paths", ompp_flow_paths_view, 0 },
	{ "processes", ompp_flow_processes_view, 0 },
	{ "events", ompp_flow_events_view, 0 },
	{ "instances", ompp_flow_instances_view, 0 },
	{ "layouts", ompp_flow_layouts_view, 0 },
};

static const char *view_word(size_t i)
{
	return i < OMPP_COUNT_OF(views) ? views[i].name : NULL;
}

static const struct ompp_command_option options[] = {
	OMPP_TAKE_WORDS_ROW("view", "VIEW", ompp_flow_take_view, view_word, 0,
	                    "objects (the default), object, pages, functions, overlap, private, migrations, latency, "
	                    "time (latency over time), paths, processes, events, instances (blocks of a call path; "
	                    "or --instances), layouts (where objects would best be, as ompp place says)"),
	OMPP_TAKE_ROW("instances", NULL, ompp_flow_take_view_switch, 0, "the view instances"),
	NUMBER_ROW("slices", take_slices, look.n_slices, "into how many parts --view=time divides the time (20)"),
	OMPP_FORMAT_ROW(ompp_take_table_format, ompp_table_format, struct ompp_flow_request, look.format,
	                "WORDS (a web page in one file)"),
	NAME_ROW("function", "PART", look.filter.function, "in functions with this part of a name"),
	NAME_ROW("process", "PID", look.process, "of this process"),
	NUMBER_ROW("allocator", take_number, look.filter.allocator, "to memory that this thread allocated"),
	OMPP_TAKE_ROW("numa", "WORD", take_numa, OMPP_MEMBER_AT(struct ompp_flow_request, look.emulated, uint32_t),
	              "use the machine's NUMA nodes (auto), or emulate so many (emulate:4)"),
	{ .name = "level",
	  .value = "LIST",
	  .words = level_word,
	  .take = take_levels,
	  .offset = offsetof(struct ompp_flow_request, look.filter),
	  .help = "WORDS" },
	FILTER_ROW("mode", "MODE", take_mode, "user or kernel"),
	FILTER_ROW("latency", "LEAST:MOST", take_latency, "samples of such latencies"),
	NAME_ROW("sql", "FILE", sql, "write all of it into a new SQLite database, whose tables are in ompp-flow(1)"),
	NAME_ROW("chrome", "FILE", chrome, "write the regions and events for Perfetto and chrome://tracing (JSON)"),
	NAME_ROW("paraver", "FILE", paraver,
	         "write the regions, calls of MPI and messages for Paraver (.prv, .pcf, .row)"),
	NAME_ROW("compress", "FILE", compress, "write a compressed copy of the trace, which ompp flow reads as well"),
};

static int flow_main(int argc, char **argv)
{
	static const struct ompp_flow_program flow = { .command = &ompp_flow_command,
		                                       .give = "a trace (.ompp.flow), which OMPP_TRACE=1 writes, or "
		                                               "those of all processes, or a folder with them",
		                                       .views = views,
		                                       .n_views = OMPP_COUNT_OF(views),
		                                       .limit = "OMPP_TRACE_LIMIT",
		                                       .takes_several = 1 };

	return ompp_flow_run(&flow, argc, argv);
}

const struct ompp_command ompp_flow_command = {
	.name = "flow",
	.suffix = "flow",
	.usage = "[OPTIONS] FILE...",
	.brief = "show what traces of memory accesses say (OMPP_TRACE=1)",
	.about = "Shows what a trace of memory accesses (.ompp.flow), written with OMPP_TRACE=1, says of objects,\n"
		 "pages, functions and threads.  The options select the part of the trace that is used.  Several\n"
		 "files, a directory or a 'pattern*' are the processes of one program: their threads and memory\n"
		 "are kept apart, objects and regions of the same name are added up, and times refer to one clock.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 }, { ompp_flow_options, OMPP_FLOW_OPTIONS, 0 } },
	.run = flow_main,
};
