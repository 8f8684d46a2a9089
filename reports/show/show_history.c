/*
 * History: ompp history, the times of a program and of its regions over its versions, and where they changed.
 */
#include "reports/compare/history.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/report.h"
#include "reports/show/choose_runs.h"
#include "reports/show/show.h"
#include "reports/tables/table.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { USUAL_TOP = 10, MOST_FOLDERS = 8, TREND_VERSIONS = 24, TREND_BYTES = 4 * TREND_VERSIONS };

struct request {
	const char *format, *fail_on;
	uint32_t top;
	double least;
};

/* The files that were found. */
struct files {
	char **paths;
	size_t n, room, n_left_out;
	int status; /* the exit status, when not all could be read */
	struct ompp_arena *arena;
};

static const char *fail_word(size_t i)
{
	static const char *const words[] = { "slower", "changed", "ever-slower" };

	return i < OMPP_COUNT_OF(words) ? words[i] : NULL;
}

static int take_least(void *to, const char *option, const char *value)
{
	char *end;
	double n = strtod(value, &end);

	if (*end == '%')
		end++;
	*(double *)to = n / 100;
	if (value[0] >= '0' && value[0] <= '9' && !*end && n <= 1000)
		return 0;
	ompp_complain(option, "'%s' is not a number from 0 to 1000; give the least change in per cent that matters",
	              value);
	return -1;
}

static const struct ompp_command_option options[] = {
	OMPP_FORMAT_ROW(ompp_take_table_format, ompp_table_format, struct request, format,
	                "WORDS (a web page in one file)"),
	OMPP_WORDS_ROW("fail-on", "WORD", fail_word, struct request, fail_on,
	               "exit with 3 when a time became longer and the newest version may be the one (slower), or when "
	               "it became shorter or longer so, or drifts (changed), or when it became longer at any version, "
	               "or drifts to longer (ever-slower)"),
	OMPP_TAKE_ROW("least", "N%", take_least, OMPP_MEMBER_AT(struct request, least, double),
	              "tell changes of at least N per cent (default 2)"),
	OMPP_TAKE_ROW("top", "N", ompp_take_top, OMPP_MEMBER_AT(struct request, top, uint32_t),
	              "print only N regions, those that changed and the longest first (default 10; 0: all)"),
};

/* ---- files ---- */

static void files_add(struct files *f, char *path)
{
	char **paths = path ? ompp_arena_grow(f->arena, f->paths, &f->room, f->n + 1, sizeof(*paths)) : NULL;

	if (!paths) {
		f->status = OMPP_EXIT_FAILED;
		return;
	}
	f->paths = paths;
	paths[f->n++] = path;
}

static int files_compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Adds the profiles of a folder and of those in it.  Links to folders are not followed. */
static void files_folder(struct files *f, const char *folder, int depth)
{
	struct dirent **list = NULL;
	int n = scandir(folder, &list, NULL, files_compare);

	if (n < 0) {
		ompp_complain(folder, "cannot be read: %s; give a folder of saved profiles (.ompp)", strerror(errno));
		f->status = OMPP_EXIT_FAILED;
	}
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		size_t n_name = strlen(name), n_bytes = strlen(folder) + n_name + 2;
		char *path = name[0] == '.' ? NULL : ompp_arena_alloc(f->arena, n_bytes);
		struct stat st;

		if (path) {
			snprintf(path, n_bytes, "%s/%s", folder, name);
			if (!lstat(path, &st) && S_ISDIR(st.st_mode) && depth < MOST_FOLDERS)
				files_folder(f, path, depth + 1);
			else if (n_name > 5 && !strcmp(name + n_name - 5, ".ompp") && !stat(path, &st) &&
			         S_ISREG(st.st_mode))
				files_add(f, path);
		}
		free(list[i]);
	}
	free(list);
}

/* ---- tables ---- */

static void put_time(struct ompp_table *table, double ns)
{
	ompp_table_number(table, isnan(ns) ? OMPP_KIND_NONE : OMPP_KIND_TIME, isnan(ns) ? OMPP_MISSING : llround(ns));
}

/* Puts a change, 1.3 as 30 %. */
static void put_change(struct ompp_table *table, double ratio)
{
	int is_known = !isnan(ratio) && ratio < 1e6;

	ompp_table_number(table, is_known ? OMPP_KIND_SHARE : OMPP_KIND_NONE,
	                  is_known ? llround((ratio - 1) * 1e9) : OMPP_MISSING);
}

/* Returns a picture of the last versions' medians, from the least to the most. */
static const char *trend_of(const struct ompp_history *h, const struct ompp_history_series *s, struct ompp_arena *arena)
{
	static const char *const blocks[] = { "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
		                              "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88" };
	size_t from = h->n_versions > TREND_VERSIONS ? h->n_versions - TREND_VERSIONS : 0;
	double least = INFINITY, most = 0;
	char buffer[TREND_BYTES + 1];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (size_t v = from; v < h->n_versions; v++) {
		least = fmin(least, s->median_ns[v]);
		most = fmax(most, s->median_ns[v]);
	}
	for (size_t v = from; v < h->n_versions; v++)
		if (isnan(s->median_ns[v]))
			ompp_text_char(&t, '.');
		else /* a difference of less than a twentieth is not drawn larger than it is */
			ompp_text_str(&t, blocks[(int)(7.99 * (s->median_ns[v] - least) /
			                               fmax(most - least, 0.05 * most + 1))]);
	return ompp_arena_strdup(arena, buffer);
}

static int print_versions(const struct ompp_history *h, const char *format, struct ompp_arena *arena)
{
	struct ompp_table table;

	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "versions", "Versions, oldest first");
	ompp_table_columns(&table, OMPP_IN_BOTH, "number", "runs", "wall time");
	ompp_table_left_column(&table, "version", OMPP_IN_BOTH);
	ompp_table_left_column(&table, "commit", OMPP_IN_RECORDS);
	for (size_t v = 0; v < h->n_versions; v++) {
		ompp_table_number(&table, OMPP_KIND_COUNT, (int64_t)v + 1);
		ompp_table_number(&table, OMPP_KIND_COUNT, (int64_t)h->versions[v].n);
		put_time(&table, h->series[0].median_ns[v]);
		ompp_table_text(&table, h->versions[v].name);
		ompp_table_text(&table, h->versions[v].commit);
	}
	return ompp_print_table(format, &table);
}

/* Returns "4 (3 to 5)", the number of the version of a change. */
static const char *where_of(const struct ompp_change_point *c, struct ompp_arena *arena)
{
	char buffer[96];

	if (c->from == c->to)
		snprintf(buffer, sizeof(buffer), "%zu", c->at + 1);
	else
		snprintf(buffer, sizeof(buffer), "%zu (%zu to %zu)", c->at + 1, c->from + 1, c->to + 1);
	return ompp_arena_strdup(arena, buffer);
}

static void put_course(struct ompp_table *table, const struct ompp_history *h, const struct ompp_history_series *s,
                       const struct ompp_change_point *c)
{
	const struct ompp_change_points *p = &s->points;
	int is_drift = p->course == OMPP_VERSIONS_DRIFT;

	put_time(table, s->median_ns[0]);
	put_time(table, s->median_ns[h->n_versions - 1]);
	put_change(table, c ? c->ratio : is_drift ? p->drift : NAN);
	put_change(table, c ? c->low : is_drift ? p->drift_low : NAN);
	put_change(table, c ? c->high : is_drift ? p->drift_high : NAN);
	ompp_table_text(table, ompp_history_course(s));
	ompp_table_text(table, c ? where_of(c, table->arena) : "-");
	ompp_table_text(table, trend_of(h, s, table->arena));
	ompp_table_text(table, s->name);
}

static int print_series(const struct ompp_history *h, const struct request *r, struct ompp_arena *arena)
{
	int is_text = ompp_report_is_text(r->format);
	struct ompp_table table;

	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "changes",
	                 "Times of the oldest and the newest version, seconds; by how many per cent they changed, with "
	                 "the interval,\nand at which version: the likeliest, and those that it may be");
	ompp_table_columns(&table, OMPP_IN_BOTH, "oldest", "newest", "change", "from", "to");
	ompp_table_left_columns(&table, OMPP_IN_BOTH, "course", "at version");
	ompp_table_left_column(&table, "trend", OMPP_IN_TEXT);
	ompp_table_left_column(&table, "region", OMPP_IN_BOTH);
	for (size_t i = 0; i < h->n_series && !(is_text && r->top && i > r->top); i++) {
		const struct ompp_history_series *s = &h->series[i];

		for (size_t k = 0; k < s->points.n; k++)
			put_course(&table, h, s, &s->points.list[k]);
		if (!s->points.n)
			put_course(&table, h, s, NULL);
	}
	return ompp_print_table(r->format, &table);
}

/* Prints the times of each region over the versions. */
static int print_times(const struct ompp_history *h, const struct request *r, struct ompp_arena *arena)
{
	int is_text = ompp_report_is_text(r->format);
	struct ompp_table table;

	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "times", "Times of each region by version, of all threads, seconds");
	ompp_table_columns(&table, OMPP_IN_BOTH, "version", "median", "least", "most");
	ompp_table_left_column(&table, "region", OMPP_IN_BOTH);
	for (size_t i = 0; i < h->n_series && !(is_text && r->top && i > r->top); i++)
		for (size_t v = 0; v < h->n_versions; v++) {
			const struct ompp_history_series *s = &h->series[i];
			double least = NAN, most = NAN;

			for (size_t k = 0; k < h->versions[v].n; k++) { /* fmin() passes over NaN */
				least = fmin(least, s->ns[h->versions[v].first + k]);
				most = fmax(most, s->ns[h->versions[v].first + k]);
			}
			ompp_table_number(&table, OMPP_KIND_COUNT, (int64_t)v + 1);
			put_time(&table, s->median_ns[v]);
			put_time(&table, least);
			put_time(&table, most);
			ompp_table_text(&table, s->name);
		}
	return ompp_print_table(r->format, &table);
}

/* ---- the verdict ---- */

/* Says in sentences what was found. */
static void print_verdict(const struct ompp_history *h, const char *app)
{
	size_t n_changed = 0, n_drifts = 0, n_few = 0;

	printf("%s: %zu %s, %zu %s\n", ompp_shown(app), h->n_versions, h->n_versions == 1 ? "version" : "versions",
	       h->n_runs, h->n_runs == 1 ? "run" : "runs");
	for (size_t i = 0; i < h->n_series; i++) {
		const struct ompp_history_series *s = &h->series[i];

		n_changed += s->points.n > 0;
		n_drifts += s->points.course == OMPP_VERSIONS_DRIFT;
		n_few += s->is_tested && s->points.course == OMPP_VERSIONS_FEW;
	}
	if (n_few)
		printf("too few runs to tell anything of %zu of %zu times: there have to be %d on each side of a "
		       "change; five of each version are better\n",
		       n_few, h->n_series - h->n_small, OMPP_LEAST_SIDE);
	printf("times that changed: %zu; that drift from the oldest version to the newest: %zu; regions that are too "
	       "small to be looked at: %zu\n\n",
	       n_changed, n_drifts, h->n_small);
}

/* Does a change let the command fail? */
static int is_failure(const struct ompp_history *h, const struct request *r, const struct ompp_change_point *c)
{
	int is_newest = c->to + 1 == h->n_versions;

	if (!r->fail_on)
		return 0;
	if (!strcmp(r->fail_on, "ever-slower"))
		return c->ratio > 1;
	return is_newest && (c->ratio > 1 || !strcmp(r->fail_on, "changed"));
}

/* Does a drift?  No single version is behind it, so the newest one is not to blame alone. */
static int is_drift_failure(const struct request *r, const struct ompp_change_points *p)
{
	if (!r->fail_on || p->course != OMPP_VERSIONS_DRIFT)
		return 0;
	return !strcmp(r->fail_on, "changed") || (p->drift > 1 && !strcmp(r->fail_on, "ever-slower"));
}

static int history_judge(const struct ompp_history *h, const struct request *r)
{
	int status = 0;

	for (size_t i = 0; i < h->n_series; i++) {
		const struct ompp_change_points *p = &h->series[i].points;

		if (is_drift_failure(r, p)) {
			ompp_complain(h->series[i].name, "drifts: %.1f %% %s (%+.1f to %+.1f %%) from %s to %s",
			              100 * fabs(p->drift - 1), p->drift > 1 ? "slower" : "faster",
			              100 * (p->drift_low - 1), 100 * (p->drift_high - 1), h->versions[0].name,
			              h->versions[h->n_versions - 1].name);
			status = OMPP_EXIT_WORSE;
		}
		for (size_t k = 0; k < h->series[i].points.n; k++) {
			const struct ompp_change_point *c = &h->series[i].points.list[k];

			if (!is_failure(h, r, c))
				continue;
			ompp_complain(h->series[i].name, "%.1f %% %s (%+.1f to %+.1f %%) from %s on",
			              100 * fabs(c->ratio - 1), c->ratio > 1 ? "slower" : "faster", 100 * (c->low - 1),
			              100 * (c->high - 1), h->versions[c->at].name);
			status = OMPP_EXIT_WORSE;
		}
	}
	return status;
}

static int history_print(const struct ompp_history *h, const struct request *r, const struct files *f, const char *app)
{
	int status;

	if (!strcmp(r->format, "json"))
		return ompp_print_status(ompp_history_json(h, app, f->n_left_out, STDOUT_FILENO, f->arena));
	if (!strcmp(r->format, "html"))
		return ompp_print_status(ompp_history_page(h, app, f->n_left_out, STDOUT_FILENO, f->arena));
	if (ompp_report_is_text(r->format))
		print_verdict(h, app);
	status = print_versions(h, r->format, f->arena);
	if (!status)
		status = print_series(h, r, f->arena);
	return status ? status : print_times(h, r, f->arena);
}

/* ---- the command ---- */

/* Loads what can be read; files that cannot are named, and the exit status is 1. */
static struct ompp_profile *history_load(struct files *f, size_t *n)
{
	struct ompp_profile *profiles = ompp_arena_alloc(f->arena, (f->n + 1) * sizeof(*profiles));
	const char *first_running = NULL;
	size_t n_running = 0;

	*n = 0;
	for (size_t i = 0; i < f->n && profiles; i++) {
		if (ompp_load(f->paths[i], f->arena, &profiles[*n]) || profiles[*n].is_damaged) {
			f->status = OMPP_EXIT_FAILED;
			f->n_left_out++;
		} else if (!profiles[*n].final) {
			first_running = n_running++ ? first_running : f->paths[i]; /* a report of the run so far */
		} else {
			f->paths[(*n)++] = f->paths[i];
		}
	}
	if (n_running)
		ompp_complain("history",
		              "profiles left out: %zu: they are reports of runs that had not ended (%s is the first)",
		              n_running, first_running);
	f->n_left_out += n_running;
	return profiles;
}

static int history_main(int argc, char **argv)
{
	struct request r = { .format = "", .top = USUAL_TOP, .least = 0.02 };
	struct ompp_profile *profiles;
	struct ompp_history history;
	struct ompp_arena arena;
	struct files f = { .arena = &arena };
	size_t n_words = 0, n = 0;
	struct stat st;
	int status = ompp_command_words_of(&ompp_history_command, &r, argc, argv, &n_words), failed;

	if (status)
		return status - 1;
	if (!n_words) {
		ompp_complain("history", "no file; give a folder of saved profiles (.ompp), or the profiles");
		return OMPP_EXIT_USAGE;
	}
	ompp_arena_init(&arena, 0);
	for (size_t i = 0; i < n_words; i++)
		if (!stat(argv[i], &st) && S_ISDIR(st.st_mode))
			files_folder(&f, argv[i], 0);
		else
			files_add(&f, argv[i]);
	profiles = history_load(&f, &n);
	if (!profiles || !n) {
		ompp_complain("history",
		              "no profile: there is none that can be read; give a folder of saved profiles (.ompp)");
		status = OMPP_EXIT_FAILED;
	}
	if (!status && (ompp_choose_runs("history", f.paths, profiles, &n, &f.n_left_out, &arena) ||
	                ompp_history(profiles, n, r.least, &arena, &history))) {
		ompp_complain("history", "not enough memory");
		status = OMPP_EXIT_FAILED;
	}
	if (!status)
		status = history_print(&history, &r, &f, profiles[0].app);
	failed = status ? 0 : history_judge(&history, &r);
	ompp_arena_fini(&arena);
	return status ? status : failed ? failed : f.status;
}

const struct ompp_command ompp_history_command = {
	.name = "history",
	.suffix = "ompp",
	.usage = "[OPTIONS] FOLDER...\n[OPTIONS] FILE...",
	.brief = "show how times changed over versions, and at which version",
	.about =
		"Shows, from the saved profiles (.ompp) of several versions of a program, how the time of the program\n"
		"and of each region went from version to version, and at which version it changed, with the error of\n"
		"both.  Versions are told by what kinst --stamp keeps, and ordered by their commits.  A folder is\n"
		"looked through with the folders in it.  Files of the MPI ranks of one run are added up; what cannot "
		"be\n"
		"compared with the newest run is left out, and counted.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = history_main,
};
