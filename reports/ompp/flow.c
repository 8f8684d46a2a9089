/*
 * Flow: ompp flow.  What a trace of memory accesses (OMPP_TRACE=1) says.
 */
#include "reports/ompp/flow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/flow/flow.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/option.h"
#include "runtime/base/processors.h"
#include "runtime/base/text.h"

enum { TIME_SLICES = 20, MOST_SLICES = 10000 };

static const struct ompp_flow_program *program; /* which one runs */

struct request {
	const char **given; /* files, folders and patterns */
	size_t n_given;
	const char *compress, *sql, *chrome;
	const struct ompp_flow_view *view;
	struct ompp_flow_look look;
};

static const char *view_name(size_t i)
{
	return i < program->n_views ? program->views[i].name : NULL;
}

/* ---- the values of options ---- */

static int bad(const char *option, const char *value, const char *what)
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

static int parse_number(const char *option, const char *value, uint32_t *number)
{
	uint64_t n;
	const char *end = number_at(value, &n);

	if (!end || *end || n >= OMPP_FLOW_NONE)
		return bad(option, value, "a number");
	*number = (uint32_t)n;
	return 0;
}

/* Reads "A:B", of which each may be missing. */
static int parse_interval(const char *option, const char *value, uint64_t *least, uint64_t *most, const char *what)
{
	const char *at = *value == ':' ? value : number_at(value, least);

	if (!at || *at != ':' || !value[1])
		return bad(option, value, what);
	at++;
	if (*at)
		at = number_at(at, most);
	return !at || *at || *least > *most ? bad(option, value, what) : 0;
}

static int parse_latency(const char *option, const char *value, struct ompp_flow_filter *f)
{
	uint64_t least = 0, most = UINT32_MAX;

	if (parse_interval(option, value, &least, &most, "an interval of latencies; write LEAST:MOST, as 100: or :50"))
		return -1;
	f->least_latency = least > UINT32_MAX ? UINT32_MAX : (uint32_t)least;
	f->most_latency = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
	return 0;
}

/* Reads "A:B" in seconds. */
static int parse_time(const char *option, const char *value, struct ompp_flow_filter *f)
{
	static const struct ompp_option_info seconds = { "TIME", OMPP_TYPE_SECONDS, "", 0, INT64_MAX / 1000000000, "s",
		                                         "" };
	const char *colon = strchr(value, ':');
	char from[32];
	int64_t ns;

	if (!colon || !value[1] || (size_t)(colon - value) >= sizeof(from))
		return bad(option, value, "an interval of times; write FROM:TO in seconds of the run, as 0.5:2 or 1:");
	memcpy(from, value, (size_t)(colon - value));
	from[colon - value] = '\0';
	if (from[0]) {
		if (ompp_option_value(&seconds, from, &ns))
			return bad(option, from, "a time in seconds");
		f->from_ns = (uint64_t)ns;
	}
	if (colon[1]) {
		if (ompp_option_value(&seconds, colon + 1, &ns))
			return bad(option, colon + 1, "a time in seconds");
		f->to_ns = (uint64_t)ns;
	}
	return 0;
}

static const char *level_word(size_t i)
{
	return i < OMPP_MEM_N_LEVELS ? ompp_sample_stats_level_title((uint32_t)i) : NULL;
}

static const char *kind_word(size_t i)
{
	static const char *const words[] = { "loads", "stores",  "touches",   "allocations",
		                             "frees", "changes", "migrations" };

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

static int parse_levels(const char *option, const char *value, struct ompp_flow_filter *f)
{
	if (!value[0])
		return bad(option, value, "a list of levels");
	if (!ompp_words_known(option, value, level_word))
		return -1;
	f->levels = words_of(value, level_word);
	return 0;
}

static int parse_kinds(const char *option, const char *value, struct ompp_flow_filter *f)
{
	const uint32_t accesses = 1u << OMPP_FLOW_ACCESS | 1u << OMPP_FLOW_USE | 1u << OMPP_FLOW_WRITTEN;
	uint32_t set;

	if (!value[0])
		return bad(option, value, "a list of kinds of events");
	if (!ompp_words_known(option, value, kind_word))
		return -1;
	set = words_of(value, kind_word);
	f->kinds = (set & 3 ? accesses : 0) | set >> 2 << OMPP_FLOW_TOUCH;
	f->accesses = set & 3 ? set & 3 : OMPP_MEM_BOTH;
	return 0;
}

static int parse_mode(const char *option, const char *value, struct ompp_flow_filter *f)
{
	f->modes = !strcmp(value, "user") ? 1 : !strcmp(value, "kernel") ? 2 : 0;
	return f->modes ? 0 : bad(option, value, "a mode; write user or kernel");
}

static int parse_top(const char *option, const char *value, struct request *r)
{
	uint32_t n;

	if (parse_number(option, value, &n))
		return -1;
	r->look.top = n;
	return 0;
}

static int parse_numa(const char *option, const char *value, struct request *r)
{
	return ompp_numa_wish(value, &r->look.emulated) || !value[0]
	             ? bad(option, value, "auto or emulate:N; N is from 2 to 64")
	             : 0;
}

static int parse_slices(const char *option, const char *value, struct request *r)
{
	uint32_t n;

	if (parse_number(option, value, &n))
		return -1;
	r->look.n_slices = n;
	return n >= 1 && n <= MOST_SLICES ? 0 : bad(option, value, "a number of slices from 1 to 10000");
}

static const char *color_word(size_t i)
{
	static const char *const words[] = { "thread", "node", "accesses" };

	return i < OMPP_COUNT_OF(words) ? words[i] : NULL;
}

static int parse_color(const char *option, const char *value, struct request *r)
{
	if (!value[0] || strchr(value, ','))
		return bad(option, value, "what colours are; write thread, node or accesses");
	r->look.color = value;
	return ompp_words_known(option, value, color_word) ? 0 : -1;
}

/* ---- the command line ---- */

static const char *option_name(size_t i)
{
	return i < program->n_options ? program->options[i] : NULL;
}

static int take_view(const char *value, struct request *r)
{
	for (size_t i = 0; i < program->n_views; i++)
		if (!strcmp(program->views[i].name, value)) {
			r->view = &program->views[i];
			return 0;
		}
	if (!value[0] || ompp_words_known("--view", value, view_name))
		ompp_complain("--view", "'%s' is not one view; write one of them, as %s", value,
		              program->views[0].name);
	return -1;
}

/* Takes the value of an option.  Returns 0 or -1. */
static int take(const char *option, const char *value, struct request *r)
{
	struct ompp_flow_filter *f = &r->look.filter;
	const struct {
		const char *option;
		uint32_t *number;
	} numbers[] = { { "--thread", &f->thread },
		        { "--node", &f->node },
		        { "--home", &f->home },
		        { "--allocator", &f->allocator } };
	const struct {
		const char *option, **text;
	} texts[] = { { "--object", &r->look.object }, { "--region", &r->look.region },
		      { "--function", &f->function },  { "--sql", &r->sql },
		      { "--svg", &r->look.svg },       { "--compress", &r->compress },
		      { "--chrome", &r->chrome },      { "--process", &r->look.process } };

	for (size_t i = 0; i < OMPP_COUNT_OF(numbers); i++)
		if (!strcmp(option, numbers[i].option))
			return parse_number(option, value, numbers[i].number);
	for (size_t i = 0; i < OMPP_COUNT_OF(texts); i++)
		if (!strcmp(option, texts[i].option)) {
			*texts[i].text = value;
			return value[0] ? 0 : bad(option, value, "a name");
		}
	if (!strcmp(option, "--view"))
		return take_view(value, r);
	if (!strcmp(option, "--format")) {
		r->look.format = program->takes_several   ? ompp_table_format_known(value)
		               : ompp_format_known(value) ? value
		                                          : NULL;
		return r->look.format ? 0 : -1;
	}
	if (!strcmp(option, "--level"))
		return parse_levels(option, value, f);
	if (!strcmp(option, "--kind"))
		return parse_kinds(option, value, f);
	if (!strcmp(option, "--time"))
		return parse_time(option, value, f);
	if (!strcmp(option, "--latency"))
		return parse_latency(option, value, f);
	if (!strcmp(option, "--address"))
		return parse_interval(option, value, &f->least_address, &f->most_address,
		                      "an interval of addresses; write FIRST:LAST, as 0x1000:0x1fff");
	if (!strcmp(option, "--numa"))
		return parse_numa(option, value, r);
	if (!strcmp(option, "--slices"))
		return parse_slices(option, value, r);
	if (!strcmp(option, "--mode"))
		return parse_mode(option, value, f);
	if (!strcmp(option, "--color"))
		return parse_color(option, value, r);
	return parse_top(option, value, r);
}

/* Takes an option of the command line.  Returns 0, or the exit status + 1. */
static int take_option(int argc, char **argv, int *i, struct request *r)
{
	const char *value = NULL, *near, *word = argv[*i];

	for (size_t k = 0; k < program->n_switches; k++)
		if (!strcmp(word, program->switches[k]))
			return take_view(word + 2, r) ? 1 + OMPP_EXIT_USAGE : 0;
	if (!strcmp(program->name, "pages") && !strcmp(word, "--shared")) {
		r->look.only_shared = 1;
		return 0;
	}
	for (size_t k = 0; option_name(k) && !value; k++) {
		value = ompp_option_argument(argc, argv, i, option_name(k) + 2);
		if (value)
			return take(option_name(k), value, r) ? 1 + OMPP_EXIT_USAGE : 0;
	}
	near = ompp_nearest_typed(word, option_name);
	if (near)
		ompp_complain(word, "unknown option; did you mean %s", near);
	else
		ompp_complain(word, "unknown option; 'ompp help %s' lists them", program->name);
	return 1 + OMPP_EXIT_USAGE;
}

static int parse(int argc, char **argv, struct request *r)
{
	for (int i = 1; i < argc; i++) {
		int status;

		if (ompp_is_help(argv[i]))
			return 1 + ompp_help_about(program->name);
		if (argv[i][0] != '-') {
			r->given[r->n_given++] = argv[i];
			continue;
		}
		status = take_option(argc, argv, &i, r);
		if (status)
			return status;
	}
	if (r->n_given == 1 || (r->n_given > 1 && program->takes_several))
		return 0;
	ompp_complain(program->name, "give %s: %s", program->takes_several ? "a file" : "one file", program->give);
	return 1 + OMPP_EXIT_USAGE;
}

/* ---- names of the filter ---- */

static const struct ompp_flow *searched;

static const char *object_word(size_t i)
{
	const struct ompp_flow_object *o = i < UINT32_MAX ? ompp_flow_object(searched, (uint32_t)i) : NULL;

	return o ? o->name : NULL;
}

static int none(const char *option, const char *what, const char *value, const char *near, const char *view)
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
		ompp_complain(program->name, "not enough memory");
		return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		found |= look->objects[i] = !strcmp(ompp_flow_object(look->flow, i)->name, look->object);
	for (uint32_t i = 0; i < ompp_flow_n_sites(look->flow); i++) /* small blocks have no objects */
		found |= look->sites[i] = !strcmp(ompp_flow_site(look->flow, i)->name, look->object);
	searched = look->flow;
	return found ? 0
	             : none("--object", "object", look->object, ompp_nearest_typed(look->object, object_word),
	                    "objects");
}

/* Is this a region that the word means: a construct, a name, a file, or "file:line"? */
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
	return found ? 0 : none("--region", "region", look->region, NULL, "events");
}

/* ---- the report ---- */

static int show(struct request *r, struct ompp_arena *arena)
{
	struct ompp_flow_look *look = &r->look;

	look->arena = arena;
	look->is_first = 1;
	look->look.is_text = ompp_report_is_text(look->format);
	if (ompp_flow_find_processes(look) || find_objects(look) || find_regions(look))
		return OMPP_EXIT_FAILED;
	if (r->chrome)
		return ompp_flow_chrome(look, r->chrome);
	ompp_flow_whole(look);
	return ompp_flow_is_document(look->format) ? ompp_flow_document(look, r->view) : r->view->show(look);
}

/* Reads the traces.  Returns NULL when that fails, which is said. */
static struct ompp_flow *open_all(const struct request *r, struct ompp_arena *arena)
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
		              "the NUMA nodes are imagined: the threads are dealt out to %u of them, and pages "
		              "lie where they were touched first",
		              r->look.emulated);
	if (r->look.emulated && ompp_flow_emulate(flow, r->look.emulated)) {
		ompp_complain("--numa", "%s", ompp_flow_message());
		ompp_flow_close(flow);
		return NULL;
	}
	return flow;
}

static int run(struct request *r, struct ompp_arena *arena)
{
	struct ompp_flow *flow;
	int status;

	if (r->look.svg && !r->view->is_picture) {
		ompp_complain("--svg", "the view %s is no picture; give --view=heat, threads or sharing",
		              r->view->name);
		return OMPP_EXIT_USAGE;
	}
	if (r->compress && r->n_given > 1) {
		ompp_complain("--compress", "each trace has a compressed copy of its own; give one file");
		return OMPP_EXIT_USAGE;
	}
	if (r->compress)
		return ompp_flow_compress(r->given[0], r->compress);
	flow = open_all(r, arena);
	if (!flow)
		return OMPP_EXIT_FAILED;
	r->look.flow = flow;
	status = r->sql ? ompp_flow_sql(flow, r->sql) : show(r, arena);
	ompp_flow_close(flow);
	return status;
}

int ompp_flow_run(const struct ompp_flow_program *of, int argc, char **argv)
{
	struct request r = { .view = &of->views[0],
		             .look = { .filter = ompp_flow_all(), .format = "", .n_slices = TIME_SLICES } };
	struct ompp_arena arena;
	int status;

	program = of;
	ompp_arena_init(&arena, 0);
	r.given = ompp_arena_alloc(&arena, ((size_t)argc + 1) * sizeof(*r.given));
	if (r.given) {
		status = parse(argc, argv, &r);
		status = status ? status - 1 : run(&r, &arena);
	} else {
		ompp_complain(of->name, "not enough memory");
		status = OMPP_EXIT_FAILED;
	}
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

static const char *const options[] = { "--view",      "--format",  "--object",    "--region", "--thread",
	                               "--node",      "--home",    "--level",     "--kind",   "--time",
	                               "--latency",   "--address", "--function",  "--mode",   "--top",
	                               "--allocator", "--process", "--numa",      "--slices", "--sql",
	                               "--compress",  "--chrome",  "--instances", "--help" };

static const char *const switches[] = { "--instances" };

int ompp_flow_command(int argc, char **argv)
{
	static const struct ompp_flow_program flow = { .name = "flow",
		                                       .give = "a trace (.ompp.flow), which OMPP_TRACE=1 writes, or "
		                                               "those of all processes, or a folder with them",
		                                       .views = views,
		                                       .n_views = OMPP_COUNT_OF(views),
		                                       .options = options,
		                                       .n_options = OMPP_COUNT_OF(options),
		                                       .limit = "OMPP_TRACE_LIMIT",
		                                       .takes_several = 1,
		                                       .switches = switches,
		                                       .n_switches = OMPP_COUNT_OF(switches) };

	return ompp_flow_run(&flow, argc, argv);
}
