/*
 * Show: ompp report.
 */
#include "reports/show/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/command/command_line.h"
#include "reports/command/terminal.h"
#include "reports/exchange/exchange.h"
#include "reports/profile/misfit.h"
#include "reports/ranks/by_rank.h"
#include "reports/report.h"
#include "reports/show/show_ranks.h"
#include "reports/show/times.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/host/processors.h"
#include "runtime/terms/option.h"

/* Was a part of a profile chosen for a format that always has the whole?  Then it complains and returns 1. */
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
		      { "--ranks", o->ranks && o->ranks[0] ? o->ranks : NULL },
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
	size_t n_files;
	const char *times, *machine;
	int merge, is_page, with_source, has_rows;
};

enum { USUAL_ROWS = 20000 }; /* of threads in a section of text: some two million bytes */

static int take_rows(void *to, const char *option, const char *text)
{
	struct request *r = to;
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	r->has_rows = 1;
	r->options.rows = 0;
	if (ompp_text_same(text, strlen(text), "all", 3))
		return 0;
	if (text[0] < '0' || text[0] > '9' || *end || errno || !n || n > UINT32_MAX) {
		ompp_complain(option,
		              "'%s' is not a number above 0; give how many rows of threads a section of text "
		              "may have, or all",
		              text);
		return -1;
	}
	r->options.rows = (uint32_t)n;
	return 0;
}

static int take_ranks(void *to, const char *option, const char *text)
{
	struct request *r = to;

	r->options.ranks = ompp_text_same(text, strlen(text), "all", 3) ? "" : text;
	if (ompp_text_same(text, strlen(text), "all", 3) || ompp_by_rank_is_list(text))
		return 0;
	ompp_complain(option, "'%s' is not a list of ranks; give numbers and ranges, 0,5-7, or all", text);
	return -1;
}

static int take_format(void *to, const char *option, const char *value)
{
	struct request *r = to;

	if (!strcmp(value, "cube") || !strcmp(value, "cubex")) {
		ompp_complain(option, "Cube 4 is written by the library libcubew, which Debian does "
		                      "not have; take json, or callgrind for a viewer of call paths");
		return -1;
	}
	r->is_page = ompp_text_same(value, strlen(value), "html", 4);
	r->options.format = r->is_page ? NULL : value;
	return r->is_page || ompp_report_has_format(value) || ompp_words_known(option, value, ompp_show_format) ? 0
	                                                                                                        : -1;
}

static const struct ompp_command_option options[] = {
	{ .name = "format",
	  .value = "FORMAT",
	  .take = take_format,
	  .words = ompp_show_format,
	  .help = "WORDS; html is a web page; json (for scripts), folded (for flame graphs), speedscope, callgrind "
	          "(for KCachegrind) and pprof contain the whole profile, folded-path the longest path "
	          "(OMPP_SPAN), chrome the course of the run (for Perfetto); brief is JSON, and brief-md Markdown, of "
	          "at most 4 KB" },
	OMPP_WORDS_ROW("color", "WHEN", ompp_color_word, struct request, options.color,
	               "use colours: on a terminal (auto; unless NO_COLOR is set), always, or never"),
	OMPP_SWITCH_ROW("source", struct request, with_source, "put the source files that are found into the page"),
	OMPP_WORDS_ROW("view", "LIST", ompp_report_view, struct request, options.views,
	               "sections: WORDS; all of them (all) is the default when the output is not a terminal"),
	OMPP_WORDS_ROW("sort", "KEY", ompp_report_sort, struct request, options.sort, "regions by WORDS"),
	OMPP_TAKE_ROW("top", "N", ompp_take_top, OMPP_MEMBER_AT(struct request, options.top, uint32_t),
	              "print only the first N regions (by time, or in the order of --sort), properties and sampled "
	              "lines"),
	OMPP_TAKE_ROW("rows", "N", take_rows, 0,
	              "print at most N rows of threads in each section of text, those that take most time (default "
	              "20000; all)"),
	OMPP_TAKE_ROW("ranks", "LIST", take_ranks, 0,
	              "of several ranks show the threads of these, 0,5-7, or of all of them (all); by default text of "
	              "more "
	              "than 8 shows the least, the mean and the most of the ranks instead"),
	OMPP_TAKE_ROW("far-min", "N", ompp_take_least, OMPP_MEMBER_AT(struct request, options.far_min, int64_t),
	              "list NUMA properties of data objects with at least N per cent of far accesses (default "
	              "OMPP_FAR_MIN, 10)"),
	OMPP_TEXT_ROW("times", "FILE", struct request, times,
	              "for a profile with access hooks: the profile of a run without them, whose times the section "
	              "roofline and the savings of findings about data then use"),
	OMPP_TEXT_ROW("machine", "FILE", struct request, machine,
	              "roofs of the machine (default: those that 'ompp machine' saved)"),
	OMPP_SWITCH_ROW("merge", struct request, merge, "add up profiles that are not the ranks of one MPI run"),
};

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
 * they are treated as processes that the user wants to be added up. */
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

/* Are the options compatible?  If not, it complains and returns 0. */
static int fit_together(const struct request *r)
{
	if (r->is_page && r->options.views)
		ompp_complain("--view", "a page (--format=html) has all sections; leave out --view");
	else if (r->has_rows && (r->is_page || !ompp_report_is_text(r->options.format)))
		ompp_complain("--rows", "this format has all rows, only text is shortened; leave the option out");
	else if (r->with_source && !r->is_page)
		ompp_complain("--source", "only a page has the sources in it; add --format=html");
	else if (ompp_exchange_is_binary(r->options.format) && isatty(STDOUT_FILENO))
		ompp_complain("--format", "%s is bytes for programs, and the output is a terminal; add >FILE",
		              r->options.format);
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

/* Returns what the machine's memory gives so many threads, in bytes a microsecond: where one thread or all were not
 * measured, what all get, which is the most.  0 when it is not known. */
static int64_t memory_rate(const struct ompp_roofs *roofs, uint32_t n_threads)
{
	int64_t rate = 0;

	for (size_t i = 0; roofs && i < roofs->n; i++)
		if (roofs->list[i].kind == OMPP_ROOF_BYTES && !strcmp(roofs->list[i].name, "memory") &&
		    roofs->list[i].n_threads == (n_threads == 1 ? 1 : roofs->n_threads))
			rate = roofs->list[i].rate / 1000000;
	return rate;
}

/* Joins a profile with the machine's roofs, and with times of another run.  Returns 0, or the exit status after a
 * complaint. */
static int report_join(struct request *r, const struct ompp_profile *profiles, const char *file,
                       struct ompp_arena *arena)
{
	int status;

	if ((r->times || r->machine) && r->n_files > 1) {
		ompp_complain(r->times ? "--times" : "--machine",
		              r->times ? "joins one profile with one; give the profile of one rank"
		                       : "one machine's roofs do not bound the sums of several processes; give the "
		                         "profile of one rank");
		return OMPP_EXIT_USAGE;
	}
	if (r->n_files > 1)
		return 0;
	status = ompp_times_roofs(r->machine, &profiles[0], arena, &r->options.roofs);
	if (!status && r->times)
		status = ompp_times_join(r->times, &profiles[0], file, arena, &r->options.times);
	if (!status && r->options.times)
		r->options.memory_rate = memory_rate(r->options.roofs, profiles[0].max_threads);
	return status;
}

static int report_main(int argc, char **argv)
{
	struct request r = { .options = { .property_min = ompp_setting(OMPP_OPT_PROPERTY_MIN),
		                          .far_min = ompp_setting(OMPP_OPT_FAR_MIN),
		                          .rows = USUAL_ROWS,
		                          .most_ranks = OMPP_MOST_RANKS } };
	struct ompp_profile *profiles;
	struct ompp_arena arena;
	int status = ompp_command_words_of(&ompp_report_command, &r, argc, argv, &r.n_files);

	if (status)
		return status - 1;
	if (is_part(&r.options))
		return OMPP_EXIT_USAGE;
	if (!r.n_files) {
		argv = ompp_newest("report");
		if (!argv)
			return OMPP_EXIT_USAGE;
		r.n_files = 1;
	}
	if (!fit_together(&r))
		return OMPP_EXIT_USAGE;
	if (!r.merge && !r.is_page && ompp_show_ranks_is(argv, r.n_files, &r.options))
		return ompp_show_ranks(argv, r.n_files, &r.options);
	ompp_arena_init(&arena, 0);
	profiles = ompp_load_all("report", argv, r.n_files, r.merge, &arena, &status);
	if (!status)
		status = ompp_choice_fold("report", &r.options, profiles, r.n_files, &arena);
	if (!status)
		status = report_join(&r, profiles, argv[0], &arena);
	if (!status && !ompp_choice_known(&r.options, profiles, r.n_files, &arena))
		status = OMPP_EXIT_USAGE;
	if (!status) {
		argv[r.n_files] = NULL; /* options or the end were there */
		status = r.is_page ? ompp_print_page(profiles, r.n_files, &r.options, (const char *const *)argv,
		                                     r.with_source, &arena)
		                   : ompp_print(profiles, r.n_files, &r.options, r.n_files == 1 ? argv[0] : "FILE...",
		                                &arena);
	}
	ompp_arena_fini(&arena);
	return status;
}

const struct ompp_command ompp_report_command = {
	.name = "report",
	.suffix = "ompp",
	.usage = "[OPTIONS] [FILE...]",
	.brief = "print the report of a saved profile (.ompp), or of all ranks of an MPI run",
	.about = "Prints the report of a saved profile (.ompp), or of all ranks of an MPI run; without FILE, of\n"
		 "the newest profile in the working directory.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 },
	            { ompp_choice_options, OMPP_CHOICE_OPTIONS, offsetof(struct request, options) } },
	.run = report_main,
};
