/*
 * Diff: ompp diff, the comparison of runs of two versions of a program.
 */
#include "reports/show/show_diff.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/command/command_line.h"
#include "reports/compare/diff_page.h"
#include "reports/report.h"
#include "reports/show/show.h"
#include "runtime/base/array.h"

enum { USUAL_TOP = 10 };

static const char *group_name(size_t i)
{
	return i < OMPP_DIFF_N_GROUPS ? ompp_diff_group_name((enum ompp_diff_group)i) : NULL;
}

struct request {
	const char *format;
	struct ompp_diff_options options;
	double fail_over;     /* NaN: no change fails */
	unsigned int fail_on; /* a bit for each group */
	uint32_t top;
	size_t n_files, n_a; /* n_a is 0 until "--" was met */
};

/* Reads a number, which may have a % behind it.  Returns 0, or -1 after a complaint. */
static int parse_number(const char *option, const char *text, double least, double most, const char *what, double *to)
{
	char *end;

	errno = 0;
	*to = strtod(text, &end);
	if (end != text && *end == '%')
		end++;
	if (end != text && !*end && !errno && *to >= least && *to <= most)
		return 0;
	ompp_complain(option, "'%s' is not %s", text, what);
	return -1;
}

static int take_level(void *to, const char *option, const char *value)
{
	return parse_number(option, value, 1e-6, 0.5,
	                    "a level of significance; write 0.05, or another number from 0.000001 to 0.5", to);
}

static int take_share(void *to, const char *option, const char *value)
{
	return parse_number(option, value, 0, 1e6, "a share; write 5%, for example", to);
}

static int take_groups(void *to, const char *option, const char *words)
{
	unsigned int *groups = to;

	*groups = 0;
	if (!words[0] || !ompp_words_known(option, words, group_name)) {
		if (!words[0])
			ompp_complain(option, "the value is empty; write program,times, for example");
		return -1;
	}
	while (*words) {
		size_t n = strcspn(words, ",");

		for (size_t i = 0; group_name(i); i++)
			if (strlen(group_name(i)) == n && !strncmp(group_name(i), words, n))
				*groups |= 1u << i;
		words += n + (words[n] == ',');
	}
	return 0;
}

static const struct ompp_command_option options[] = {
	OMPP_FORMAT_ROW(ompp_take_table_format, ompp_table_format, struct request, format,
	                "WORDS (a web page in one file)"),
	OMPP_TAKE_ROW("top", "N", ompp_take_top, OMPP_MEMBER_AT(struct request, top, uint32_t),
	              "print only the first N rows of each table (default 10; 0: all)"),
	OMPP_TEXT_ROW("object", "LIST", struct request, options.object,
	              "only these data objects, by their name in A or B"),
	OMPP_SWITCH_ROW("instances", struct request, options.instances,
	                "also compare single blocks that stand out among the blocks of a data object, by their "
	                "numbers"),
	OMPP_TAKE_ROW("level", "N", take_level, OMPP_MEMBER_AT(struct request, options.level, double),
	              "level of significance (default 0.05)"),
	OMPP_TAKE_ROW("fail-over", "N%", take_share, OMPP_MEMBER_AT(struct request, fail_over, double),
	              "exit with status 3 if the wall time or the time of a region became worse by more than N per "
	              "cent; with several runs, only if the change is significant"),
	OMPP_TAKE_WORDS_ROW("fail-on", "LIST", take_groups, group_name,
	                    OMPP_MEMBER_AT(struct request, fail_on, unsigned int),
	                    "what --fail-over compares: program (its wall time), times (execT of regions), classes, "
	                    "counts, counters, data, instances (default program,times)"),
};

/* Reads the command line, and moves the files to the front of argv.  Returns 0, or the exit status + 1. */
static int diff_parse(int argc, char **argv, struct request *r)
{
	struct ompp_command_line line = ompp_command_line(&ompp_diff_command, r, argc, argv);
	int has_mark = 0;
	char *word;

	line.has_marks = 1;
	while ((word = ompp_command_next(&line))) {
		if (strcmp(word, "--")) {
			argv[r->n_files++] = word;
		} else if (has_mark) {
			ompp_complain("diff", "a second --; it stands once, between the profiles of both versions");
			return 1 + OMPP_EXIT_USAGE;
		} else {
			has_mark = 1;
			r->n_a = r->n_files;
		}
	}
	if (line.status)
		return line.status;
	if (!has_mark && r->n_files == 2)
		r->n_a = 1;
	if (r->n_a && r->n_a < r->n_files)
		return 0;
	ompp_complain("diff",
	              "give the profiles of one version, --, and those of the other: ompp diff A1.ompp A2.ompp -- "
	              "B1.ompp B2.ompp");
	return 1 + OMPP_EXIT_USAGE;
}

/* Are these two runs alike, so that they can be on one side of a comparison?  If not, it complains. */
static int is_alike(char **paths, const struct ompp_profile *profiles, size_t i, size_t k)
{
	const struct ompp_profile *x = &profiles[i], *y = &profiles[k];

	if (strcmp(x->app, y->app))
		ompp_complain("diff",
		              "%s, %s: they are of two programs, '%s' and '%s'; give the runs of one on each side",
		              paths[i], paths[k], x->app, y->app);
	else if (x->max_threads != y->max_threads)
		ompp_complain("diff",
		              "%s, %s: they had %u and %u threads; give runs with as many threads on one side, or take "
		              "'ompp scaling'",
		              paths[i], paths[k], x->max_threads, y->max_threads);
	else if (x->mpi_rank != y->mpi_rank)
		ompp_complain("diff", "%s, %s: they are MPI ranks %d and %d; give the same rank of each run", paths[i],
		              paths[k], x->mpi_rank, y->mpi_rank);
	else if (x->pid == y->pid && x->start_unix_ns == y->start_unix_ns && x->n_dump == y->n_dump)
		ompp_complain("diff", "%s, %s: they are one run; give each run once", paths[i], paths[k]);
	else
		return 1;
	return 0;
}

/* Returns of how many ranks the profile is. */
static uint32_t n_ranks(const struct ompp_profile *p)
{
	return p->n_merged ? p->n_merged : 1;
}

/* Merges the ranks of each run, on both sides.  Returns 0, or the exit status after a complaint. */
static int add_ranks(char **paths, struct ompp_profile *profiles, struct request *r, struct ompp_arena *arena)
{
	size_t n_a = r->n_a, n_b = r->n_files - r->n_a;
	int status = ompp_add_ranks("diff", paths, profiles, NULL, &n_a, arena);

	if (!status)
		status = ompp_add_ranks("diff", paths + r->n_a, profiles + r->n_a, NULL, &n_b, arena);
	if (status)
		return status;
	memmove(profiles + n_a, profiles + r->n_a, n_b * sizeof(*profiles));
	memmove(paths + n_a, paths + r->n_a, n_b * sizeof(*paths));
	r->n_a = n_a;
	r->n_files = n_a + n_b;
	return 0;
}

static int diff_fit(char **paths, const struct ompp_profile *profiles, const struct request *r)
{
	for (size_t i = 1; i < r->n_files; i++)
		for (size_t k = i < r->n_a ? 0 : r->n_a; k < i; k++)
			if (!is_alike(paths, profiles, k, i))
				return 0;
	if (n_ranks(&profiles[0]) != n_ranks(&profiles[r->n_a]) && profiles[0].mpi_size == profiles[r->n_a].mpi_size) {
		ompp_complain("diff",
		              "%s, %s: the runs of one side have the files of %u of their MPI ranks, those of the "
		              "other of %u; give the same ranks of each run",
		              paths[0], paths[r->n_a], n_ranks(&profiles[0]), n_ranks(&profiles[r->n_a]));
		return 0;
	}
	for (size_t i = 1; i < r->n_files; i++)
		if (ompp_profile_is_emulated(&profiles[i]) != ompp_profile_is_emulated(&profiles[0])) {
			ompp_complain("diff",
			              "%s, %s: one is of a program in an emulator, whose times are not the "
			              "program's; measure both in the same way",
			              paths[0], paths[i]);
			return 0;
		} else if (profiles[i].hooked != profiles[0].hooked) {
			ompp_complain("diff",
			              "%s, %s: the times of one contain the cost of access hooks, and those of the "
			              "other do not; build both with or without --access",
			              paths[0], paths[i]);
			return 0;
		}
	return 1;
}

/* Did the row become worse by so much that the comparison fails? */
static int is_failure(const struct ompp_diff_row *row, const struct request *r)
{
	if (isnan(r->fail_over) || !(r->fail_on >> row->group & 1) || row->difference.change < 0 ||
	    !(ompp_diff_least_relative(row) * 100 > r->fail_over))
		return 0;
	if (row->group == OMPP_DIFF_PROGRAM && strcmp(row->measure, "wall time"))
		return 0;
	if (row->group == OMPP_DIFF_TIMES && strcmp(row->measure, "execT"))
		return 0;
	return row->verdict == OMPP_DIFF_EXACT || row->verdict == OMPP_DIFF_CHANGED ||
	       row->verdict == OMPP_DIFF_UNKNOWN;
}

/* Names what became worse.  Returns the exit status. */
static int diff_judge(const struct ompp_diff *diff, const struct request *r)
{
	int status = 0;

	for (size_t i = 0; i < diff->n_rows; i++) {
		const struct ompp_diff_row *row = &diff->rows[i];

		if (!is_failure(row, r))
			continue;
		ompp_complain("diff", "%s: %s is %s%.1f %% more%s", row->subject->name_b, row->measure,
		              isnan(row->difference.change) ? "at least " : "", ompp_diff_least_relative(row) * 100,
		              row->verdict == OMPP_DIFF_UNKNOWN ? ", in one run of a side, which may be chance" : "");
		status = OMPP_EXIT_WORSE;
	}
	return status;
}

static int print_all(const struct ompp_diff *diff, const struct ompp_profile *profiles, char **paths,
                     const struct request *r, struct ompp_arena *arena)
{
	struct ompp_diff_look look = { diff, profiles, paths, r->format, r->top, arena };
	struct ompp_diff_runs runs = { diff, profiles, paths };

	if (!strcmp(r->format, "json"))
		return ompp_print_status(ompp_diff_json(&runs, STDOUT_FILENO, arena));
	if (!strcmp(r->format, "html"))
		return ompp_print_status(ompp_diff_page(&runs, STDOUT_FILENO, arena));
	return ompp_diff_print(&look);
}

static int diff_main(int argc, char **argv)
{
	struct request r = { .options = { .level = 0.05 },
		             .fail_over = NAN,
		             .format = "",
		             .fail_on = 1u << OMPP_DIFF_PROGRAM | 1u << OMPP_DIFF_TIMES,
		             .top = USUAL_TOP };
	struct ompp_profile *profiles;
	struct ompp_diff diff;
	struct ompp_arena arena;
	struct ompp_report_options shown = { 0 };
	int status = diff_parse(argc, argv, &r);

	if (status)
		return status - 1;
	shown.object = r.options.object;
	ompp_arena_init(&arena, 0);
	profiles = ompp_arena_alloc(&arena, r.n_files * sizeof(*profiles));
	if (!profiles)
		status = OMPP_EXIT_FAILED;
	for (size_t i = 0; i < r.n_files && !status; i++)
		if (ompp_load(argv[i], &arena, &profiles[i]))
			status = OMPP_EXIT_FAILED;
	if (!status)
		status = add_ranks(argv, profiles, &r, &arena);
	if (!status && !diff_fit(argv, profiles, &r))
		status = OMPP_EXIT_USAGE;
	if (!status && !ompp_choice_known(&shown, profiles, r.n_files, &arena))
		status = OMPP_EXIT_USAGE;
	if (!status && ompp_diff(profiles, r.n_a, r.n_files - r.n_a, &r.options, &arena, &diff)) {
		ompp_complain("diff", "not enough memory");
		status = OMPP_EXIT_FAILED;
	}
	if (!status)
		status = print_all(&diff, profiles, argv, &r, &arena);
	if (!status)
		status = diff_judge(&diff, &r);
	ompp_arena_fini(&arena);
	return status;
}

const struct ompp_command ompp_diff_command = {
	.name = "diff",
	.suffix = "ompp",
	.usage = "[OPTIONS] A... -- B...\n[OPTIONS] A B",
	.brief = "show what changed between runs of two versions",
	.about = "Shows what changed between runs of two versions of a program, A and B, given their saved\n"
		 "profiles (.ompp).  Regions are matched by name, or by construct and order in a file, even if\n"
		 "lines moved; data objects are matched by name, in the order of their lines.\n"
		 "With several runs per side, changes are told from noise by Welch's t-test, corrected by Holm's\n"
		 "method.  Files of the MPI ranks of one run are added up.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = diff_main,
};
