/*
 * Show: ompp report.
 */
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/exchange/exchange.h"
#include "reports/ompp/terminal.h"
#include "reports/profile/misfit.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/option.h"
#include "runtime/base/processors.h"
#include "runtime/base/text.h"

static const char *option_name(size_t i)
{
	static const char *const names[] = { "--format", "--view",    "--region",    "--sort",
		                             "--top",    "--rows",    "--object",    "--columns",
		                             "--numa",   "--far-min", "--merge",     "--property-min",
		                             "--source", "--color",   "--instances", "--help" };

	return i < OMPP_COUNT_OF(names) ? names[i] : NULL;
}

/* Was a part of a profile chosen for a format that has the whole of it?  Then it complains and returns 1. */
static int is_part(const struct ompp_report_options *o)
{
	const struct {
		const char *option, *value;
	} parts[] = { { "--view", o->views },
		      { "--region", o->region },
		      { "--sort", o->sort },
		      { "--object", o->object },
		      { "--columns", o->columns },
		      { "--top", o->top ? "N" : NULL },
		      { "--instances", o->instances ? "" : NULL } };

	if (!ompp_exchange_has(o->format))
		return 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(parts); i++)
		if (parts[i].value) {
			ompp_complain(parts[i].option, "the format %s has the whole profile; leave the option out",
			              o->format);
			return 1;
		}
	return 0;
}

struct request {
	struct ompp_report_options options;
	int n_files, merge, is_page, with_source, has_rows;
};

static int parse_top(const char *text, uint32_t *top)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno || n > UINT32_MAX) {
		ompp_complain("--top",
		              "'%s' is not a number; give how many regions, properties and lines of samples to show",
		              text);
		return -1;
	}
	*top = (uint32_t)n;
	return 0;
}

enum { USUAL_ROWS = 20000 }; /* of threads in a section of text: some two million bytes */

static int parse_rows(const char *text, struct request *r)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	r->has_rows = 1;
	r->options.rows = 0;
	if (ompp_text_same(text, strlen(text), "all", 3))
		return 0;
	if (text[0] < '0' || text[0] > '9' || *end || errno || !n || n > UINT32_MAX) {
		ompp_complain("--rows",
		              "'%s' is not a number above 0; give how many rows of threads a section of text "
		              "has at most, or all",
		              text);
		return -1;
	}
	r->options.rows = (uint32_t)n;
	return 0;
}

static int parse_least(const char *option, const char *of, const char *text, int64_t *least)
{
	if (!ompp_option_value(&ompp_option_table[OMPP_OPT_PROPERTY_MIN], text, least))
		return 0;
	ompp_complain(option, "'%s' is not a number from 0 to 100; give the least per cent of %s", text, of);
	return -1;
}

static int parse_numa(const char *text, struct ompp_report_options *options)
{
	if (!ompp_numa_wish(text, &options->emulated))
		return 0;
	ompp_complain("--numa", "'%s' is not auto or emulate:N; N is from 2 to 64", text);
	return -1;
}

int ompp_choice_option(int argc, char **argv, int *i, struct ompp_report_options *options)
{
	const char *value;

	if ((value = ompp_option_argument(argc, argv, i, "region"))) {
		options->region = value;
	} else if ((value = ompp_option_argument(argc, argv, i, "object"))) {
		options->object = value;
	} else if (!strcmp(argv[*i], "--instances")) {
		options->instances = 1;
	} else if ((value = ompp_option_argument(argc, argv, i, "columns"))) {
		options->columns = value;
		if (!ompp_words_known("--columns", value, ompp_report_columns))
			return -1;
	} else if ((value = ompp_option_argument(argc, argv, i, "numa"))) {
		options->numa = value;
		if (parse_numa(value, options))
			return -1;
	} else if ((value = ompp_option_argument(argc, argv, i, "property-min"))) {
		if (parse_least("--property-min", "the run", value, &options->property_min))
			return -1;
	} else {
		return 0;
	}
	return 1;
}

/* Looks at the value of --format.  Returns 0, or -1 after a complaint. */
static int parse_format(const char *value, struct request *r)
{
	if (!strcmp(value, "cube") || !strcmp(value, "cubex")) {
		ompp_complain("--format", "Cube 4 is written by the library libcubew, which Debian does "
		                          "not have; take json, or callgrind for a viewer of call paths");
		return -1;
	}
	r->is_page = ompp_text_same(value, strlen(value), "html", 4);
	r->options.format = r->is_page ? NULL : value;
	return r->is_page || ompp_report_has_format(value) || ompp_words_known("--format", value, ompp_show_format)
	             ? 0
	             : -1;
}

/* Reads the command line, and moves the files to the front of argv.  Returns 0, or the exit status + 1. */
static int parse(int argc, char **argv, struct request *r)
{
	struct ompp_report_options *options = &r->options;
	int only_files = 0, taken;

	for (int i = 1; i < argc; i++) {
		const char *value, *near;

		if (only_files || argv[i][0] != '-' || !argv[i][1]) {
			argv[r->n_files++] = argv[i];
		} else if (!strcmp(argv[i], "--")) {
			only_files = 1;
		} else if (ompp_is_help(argv[i])) {
			return 1 + ompp_help_about("report");
		} else if (!strcmp(argv[i], "--merge")) {
			r->merge = 1;
		} else if ((value = ompp_option_argument(argc, argv, &i, "color"))) {
			options->color = value;
			if (!ompp_words_known("--color", value, ompp_color_word))
				return 1 + OMPP_EXIT_USAGE;
		} else if (!strcmp(argv[i], "--source")) {
			r->with_source = 1;
		} else if ((value = ompp_option_argument(argc, argv, &i, "format"))) {
			if (parse_format(value, r))
				return 1 + OMPP_EXIT_USAGE;
		} else if ((value = ompp_option_argument(argc, argv, &i, "view"))) {
			options->views = value;
			if (!ompp_words_known("--view", value, ompp_report_view))
				return 1 + OMPP_EXIT_USAGE;
		} else if ((value = ompp_option_argument(argc, argv, &i, "sort"))) {
			options->sort = value;
			if (!ompp_words_known("--sort", value, ompp_report_sort))
				return 1 + OMPP_EXIT_USAGE;
		} else if ((taken = ompp_choice_option(argc, argv, &i, options))) {
			if (taken < 0)
				return 1 + OMPP_EXIT_USAGE;
		} else if ((value = ompp_option_argument(argc, argv, &i, "far-min"))) {
			if (parse_least("--far-min", "accesses to other NUMA nodes", value, &options->far_min))
				return 1 + OMPP_EXIT_USAGE;
		} else if ((value = ompp_option_argument(argc, argv, &i, "rows"))) {
			if (parse_rows(value, r))
				return 1 + OMPP_EXIT_USAGE;
		} else if ((value = ompp_option_argument(argc, argv, &i, "top"))) {
			if (parse_top(value, &options->top))
				return 1 + OMPP_EXIT_USAGE;
		} else {
			near = ompp_nearest_typed(argv[i], option_name);
			ompp_complain(argv[i], "unknown option; %s%s",
			              near ? "did you mean " : "'ompp help report' lists them", near ? near : "");
			return 1 + OMPP_EXIT_USAGE;
		}
	}
	return 0;
}

/* Sorts by rank.  Profiles without a rank stay as they were given. */
static void sort_by_rank(struct ompp_profile *profiles, int n)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k && profiles[k].mpi_rank < profiles[k - 1].mpi_rank; k--) {
			struct ompp_profile swap = profiles[k];

			profiles[k] = profiles[k - 1];
			profiles[k - 1] = swap;
		}
}

/* Are these the profiles of one MPI run, whose sums mean something?  If not, it complains and returns 0.  With --merge
 * they become processes that are added up because the user said so. */
static int belong_together(const char *command, char **paths, struct ompp_profile *profiles, size_t n, int merge,
                           struct ompp_arena *arena)
{
	const char *cause = NULL;
	size_t i = 1, other;

	while (i < n && !(cause = ompp_misfit(profiles, i, &other, arena)))
		i++;
	if (!cause)
		return 1;
	if (!merge)
		ompp_complain(command,
		              "%s, %s: not added up: they are %s; give the ranks of one MPI run, or one file at a "
		              "time, or --merge to add them up all the same",
		              paths[other], paths[i], cause);
	for (i = 0; i < n && merge; i++) {
		profiles[i].mpi_rank = -1;
		profiles[i].mpi_size = 0;
	}
	return merge;
}

/* Do the options go together?  If not, it complains and returns 0. */
static int fit_together(const struct request *r)
{
	if (r->is_page && r->options.views)
		ompp_complain("--view", "a page (--format=html) has all sections; leave out --view");
	else if (r->has_rows && (r->is_page || !ompp_report_is_text(r->options.format)))
		ompp_complain("--rows", "only text is cut, and this format has all rows; leave the option out");
	else if (r->with_source && !r->is_page)
		ompp_complain("--source", "only a page has the sources in it; add --format=html");
	else
		return !r->is_page || ompp_page_fits();
	return 0;
}

struct ompp_profile *ompp_load_all(const char *command, char **paths, size_t n, int merge, struct ompp_arena *arena,
                                   int *status)
{
	struct ompp_profile *profiles = ompp_arena_alloc(arena, n * sizeof(*profiles));

	*status = 0;
	if (!profiles) {
		ompp_complain(paths[0], "not enough memory");
		*status = OMPP_EXIT_FAILED;
		return NULL;
	}
	for (size_t i = 0; i < n && !*status; i++)
		if (ompp_load(paths[i], arena, &profiles[i]))
			*status = OMPP_EXIT_FAILED;
	if (!*status && !belong_together(command, paths, profiles, n, merge, arena))
		*status = OMPP_EXIT_USAGE;
	if (*status)
		return NULL;
	sort_by_rank(profiles, (int)n);
	return profiles;
}

int ompp_show(int argc, char **argv)
{
	struct request r = { .options = { .property_min = ompp_setting(OMPP_OPT_PROPERTY_MIN),
		                          .far_min = ompp_setting(OMPP_OPT_FAR_MIN),
		                          .rows = USUAL_ROWS } };
	struct ompp_profile *profiles;
	struct ompp_arena arena;
	int status = parse(argc, argv, &r);

	if (status)
		return status - 1;
	if (is_part(&r.options))
		return OMPP_EXIT_USAGE;
	if (!r.n_files) {
		ompp_complain("report", "no file; give a saved profile (.ompp)");
		return OMPP_EXIT_USAGE;
	}
	if (!fit_together(&r))
		return OMPP_EXIT_USAGE;
	ompp_arena_init(&arena, 0);
	profiles = ompp_load_all("report", argv, (size_t)r.n_files, r.merge, &arena, &status);
	if (!status && !ompp_choice_known(&r.options, profiles, (size_t)r.n_files, &arena))
		status = OMPP_EXIT_USAGE;
	if (!status) {
		argv[r.n_files] = NULL; /* options or the end were there */
		status = r.is_page ? ompp_print_page(profiles, (size_t)r.n_files, &r.options, (const char *const *)argv,
		                                     r.with_source, &arena)
		                   : ompp_print(profiles, (size_t)r.n_files, &r.options,
		                                r.n_files == 1 ? argv[0] : "FILE...", &arena);
	}
	ompp_arena_fini(&arena);
	return status;
}
