/*
 * Annotate: ompp annotate: the source of a program, with what was measured beside its lines.
 *
 * The numbers of a region, of all threads and call paths, stand at the line where it begins: times, counters, accesses
 * to data. Those of samples stand at the lines of the accesses.
 */
#include "reports/show/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/analysis/hot_functions.h"
#include "reports/analysis/init.h"
#include "reports/analysis/sample_stats.h"
#include "reports/analysis/traffic.h"
#include "reports/analysis/usage.h"
#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/command/terminal.h"
#include "reports/lines/region_sums.h"
#include "reports/lines/source_files.h"
#include "reports/lines/source_lines.h"
#include "reports/report.h"
#include "runtime/base/array.h"

enum { CONTEXT_LINES = 3 };

/* What is shown beside the lines; by default all of it. */
enum { TIMES = 1, COUNTERS = 2, ACCESSES = 4, SAMPLES = 8, HOT = 16, ALL = 31 };

struct annotation {
	const struct ompp_analysis *analysis;
	struct ompp_region_sums regions;
	struct ompp_usage usage; /* of data objects, where accesses were counted */
	int is_counted;
	const char *format;
	unsigned int what;   /* a set of TIMES, COUNTERS … */
	uint8_t *has_metric; /* 1 for each counter that is shown */
	int64_t n_accesses;  /* estimated accesses of all samples that are shown */
	int is_whole, is_text;
	struct ompp_source_lines lines; /* of the file at hand */
	struct ompp_table table;        /* of the file or, for programs, of all files */
};

/* Adds up what the lines of all files are made of; all numbers are shown.  Returns 0 or -ENOMEM. */
static int annotation_init(struct annotation *n, const struct ompp_analysis *a)
{
	int rc = ompp_region_sums_init(&n->regions, a);

	n->analysis = a;
	n->what = ALL;
	n->is_counted = a->traffic && a->traffic->is_counted;
	n->has_metric = ompp_arena_alloc(a->arena, a->profile->n_metrics + 1);
	if (!rc && n->is_counted)
		rc = ompp_usage_init(&n->usage, a);
	if (rc || !n->has_metric)
		return -ENOMEM;
	memset(n->has_metric, 1, a->profile->n_metrics);
	return 0;
}

/* Reads a file and adds up what is known of its lines.  Returns 0, -ENOENT when *why says why there is no source, or
 * -ENOMEM. */
static int annotate_load(struct annotation *n, const char *path, int *has_changed, const char **why)
{
	const struct ompp_analysis *a = n->analysis;
	char *text = ompp_source_load(path, a->profile->start_unix_ns, a->arena, has_changed, why);

	if (!text)
		return -ENOENT;
	return ompp_source_lines(&n->regions, n->is_counted ? &n->usage : NULL, path, text, &n->lines);
}

/* ---- the table ---- */

static int has_numbers(const struct annotation *n, const struct ompp_source_line *line)
{
	return (n->what & (TIMES | COUNTERS) && line->has_region) || (n->what & ACCESSES && line->has_traffic) ||
	       (n->what & SAMPLES && line->has_sample) || (n->what & HOT && line->n_hot);
}

/* Is the line shown?  It is if it has numbers, or is near a line that has. */
static int is_shown(const struct annotation *n, size_t i)
{
	size_t from = i > CONTEXT_LINES ? i - CONTEXT_LINES : 0, to = i + CONTEXT_LINES;

	if (!n->is_text)
		return has_numbers(n, &n->lines.list[i]);
	if (n->is_whole)
		return 1;
	for (size_t k = from; k <= to && k < n->lines.n; k++)
		if (has_numbers(n, &n->lines.list[k]))
			return 1;
	return 0;
}

static int has_kind(const struct annotation *n, enum ompp_traffic_kind kind)
{
	return n->what & ACCESSES && n->is_counted && ompp_traffic_has(n->analysis->traffic->all_known, kind);
}

/* Are any of the shown times estimates? */
static int has_errors(const struct annotation *n)
{
	return n->what & TIMES && n->analysis->has_untimed;
}

static int has_hot_spots(const struct annotation *n)
{
	return n->what & HOT && n->analysis->profile->n_hot_spots != 0;
}

static int has_samples(const struct annotation *n)
{
	return n->what & SAMPLES && n->analysis->profile->n_sample_lines != 0;
}

static int has_touches(const struct annotation *n)
{
	return n->what & SAMPLES && n->analysis->profile->touched;
}

static void put_columns(const struct annotation *n, struct ompp_table *table)
{
	const struct ompp_profile *p = n->analysis->profile;

	ompp_table_column(table, "file", OMPP_IN_RECORDS);
	ompp_table_column(table, "line", OMPP_IN_BOTH);
	if (n->what & TIMES) {
		ompp_table_time_column(table, "execT", has_errors(n));
		ompp_table_column(table, "(%)", OMPP_IN_BOTH);
		ompp_table_time_column(table, "waiting", has_errors(n));
		ompp_table_column(table, "execC", OMPP_IN_BOTH);
	}
	if (has_hot_spots(n))
		ompp_table_time_column(table, "cpuT", 1);
	for (size_t m = 0; m < p->n_metrics; m++)
		if (n->has_metric[m])
			ompp_table_column(table,
			                  ompp_table_title(p->metrics[m].name,
			                                   p->metrics[m].certainty == OMPP_EXACT ? "" : "~",
			                                   table->arena),
			                  OMPP_IN_BOTH);
	for (int k = 0; k < OMPP_N_TRAFFIC; k++)
		if (has_kind(n, (enum ompp_traffic_kind)k))
			ompp_table_column(table, ompp_traffic_title((enum ompp_traffic_kind)k), OMPP_IN_BOTH);
	if (has_samples(n)) {
		ompp_table_column(table, "samples", OMPP_IN_BOTH);
		if (n->what == SAMPLES)
			ompp_table_column(table, "(%)~", OMPP_IN_BOTH);
		ompp_table_columns(table, OMPP_IN_BOTH, "accesses~", "+-", "latency~");
	}
	if (has_touches(n))
		ompp_table_column(table, "first touches", OMPP_IN_BOTH);
	ompp_table_left_column(table, "source", OMPP_IN_BOTH);
}

/* Puts a number; for a line without such numbers it puts nothing, as "-" means not measured. */
static void annotate_put(struct ompp_table *table, int is_there, enum ompp_kind kind, int64_t number)
{
	if (is_there)
		ompp_table_number(table, kind, number);
	else
		ompp_table_text(table, "");
}

/* Returns the text with blanks for tabs, which would be shown as \t otherwise. */
static const char *without_tabs(const char *text, struct ompp_arena *arena)
{
	char *copy = ompp_arena_alloc(arena, strlen(text) * 8 + 1);
	size_t n = 0;

	for (; copy && *text; text++)
		if (*text == '\t')
			do
				copy[n++] = ' ';
			while (n % 8);
		else
			copy[n++] = *text;
	return copy;
}

static void put_line(const struct annotation *n, const char *path, size_t i, struct ompp_table *table)
{
	const struct ompp_profile *p = n->analysis->profile;
	const struct ompp_source_line *line = &n->lines.list[i];
	int is_sampled = line->has_sample && line->sampled.n;

	ompp_table_text(table, path);
	ompp_table_number(table, OMPP_KIND_COUNT, (int64_t)i + 1);
	if (n->what & TIMES) {
		annotate_put(table, line->has_region, OMPP_KIND_TIME, line->exec_ns);
		if (has_errors(n))
			annotate_put(table, line->has_region, OMPP_KIND_TIME, line->exec_error_ns);
		annotate_put(table, line->has_region, OMPP_KIND_SHARE,
		             ompp_share(line->exec_ns, n->analysis->capacity_ns));
		annotate_put(table, line->has_region, OMPP_KIND_TIME, line->waiting_ns);
		if (has_errors(n))
			annotate_put(table, line->has_region, OMPP_KIND_TIME, line->waiting_error_ns);
		annotate_put(table, line->has_region, OMPP_KIND_COUNT, line->n_exec);
	}
	if (has_hot_spots(n)) {
		annotate_put(table, line->n_hot != 0, OMPP_KIND_TIME, line->hot_ns);
		annotate_put(table, line->n_hot != 0, OMPP_KIND_TIME, ompp_hot_error_ns(line->hot_ns, line->n_hot));
	}
	for (size_t m = 0; m < p->n_metrics; m++)
		if (n->has_metric[m])
			annotate_put(table, line->has_region, OMPP_KIND_METRIC,
			             line->metrics ? line->metrics[m] : OMPP_MISSING);
	for (int k = 0; k < OMPP_N_TRAFFIC; k++)
		if (has_kind(n, (enum ompp_traffic_kind)k))
			annotate_put(table, line->has_traffic, OMPP_KIND_METRIC, line->traffic[k]);
	if (has_samples(n)) {
		int64_t mean = ompp_sampled_mean(&line->sampled), error = ompp_sampled_mean_error(&line->sampled);

		annotate_put(table, is_sampled, OMPP_KIND_COUNT, ompp_count(line->sampled.n));
		if (n->what == SAMPLES)
			annotate_put(table, is_sampled, OMPP_KIND_SHARE,
			             ompp_share(line->sampled.estimate, n->n_accesses));
		annotate_put(table, is_sampled, OMPP_KIND_METRIC, line->sampled.estimate);
		annotate_put(table, is_sampled, OMPP_KIND_METRIC, ompp_sampled_error(&line->sampled));
		if (is_sampled && mean != OMPP_MISSING && error != OMPP_MISSING)
			ompp_table_rounded(table, mean, error);
		else
			annotate_put(table, is_sampled, OMPP_KIND_NONE, OMPP_MISSING);
	}
	if (has_touches(n))
		annotate_put(table, line->n_pages != 0, OMPP_KIND_METRIC, line->n_pages);
	ompp_table_text(table, without_tabs(line->text, n->analysis->arena));
}

/* Returns the heading of a file: its path and remarks about it. */
static const char *annotate_heading(const char *path, int has_changed, struct ompp_arena *arena)
{
	static const char changed[] =
		"\n(the file was changed after the run began: its lines may not be those of the program)";
	size_t n_bytes = strlen(path) + sizeof(changed);
	char *text = ompp_arena_alloc(arena, n_bytes);

	if (text)
		snprintf(text, n_bytes, "%s%s", path, has_changed ? changed : "");
	return text;
}

/* Starts the table of a file. */
static void annotate_start(const struct annotation *n, const char *path, int has_changed, struct ompp_table *table)
{
	ompp_table_start(table, OMPP_STYLE_GRID, "", annotate_heading(path, has_changed, n->analysis->arena));
	put_columns(n, table);
}

/* Puts the lines that are shown; in a text, "..." stands for those between them.  Returns how many are shown. */
static size_t put_lines(const struct annotation *n, const char *path, struct ompp_table *table)
{
	size_t n_shown = 0, last = 0;

	for (size_t i = 0; i < n->lines.n; i++)
		if (is_shown(n, i)) {
			if (n->is_text && n_shown && i > last + 1) {
				for (size_t c = 0; c + 1 < table->n_columns; c++)
					ompp_table_text(table, "");
				ompp_table_text(table, "...");
			}
			put_line(n, path, i, table);
			last = i;
			n_shown++;
		}
	return n_shown;
}

/* Prints one file.  Returns the exit status. */
static int print_file(struct annotation *n, const char *path)
{
	const char *why;
	int has_changed, rc = annotate_load(n, path, &has_changed, &why);

	if (rc == -ENOENT)
		ompp_complain(path, "%s; give it where the program was compiled", why);
	else if (rc)
		ompp_complain("annotate", "not enough memory");
	if (rc)
		return OMPP_EXIT_FAILED;
	if (n->is_text)
		annotate_start(n, path, has_changed, &n->table);
	return put_lines(n, path, &n->table) && n->is_text ? ompp_print_table(n->format, &n->table) : 0;
}

/* Says what the chosen counters are. */
static void put_counters(const struct annotation *n, struct ompp_table *table)
{
	const struct ompp_profile *p = n->analysis->profile;

	ompp_table_text(table, "Counters are those of the regions that begin at a line, of all threads.");
	for (size_t m = 0; m < p->n_metrics; m++)
		if (n->has_metric[m]) {
			const struct ompp_metric *metric = &p->metrics[m];
			size_t n_bytes = strlen(metric->name) + strlen(metric->unit) + strlen(metric->detail) + 64;
			char *text = ompp_arena_alloc(table->arena, n_bytes);

			if (text)
				snprintf(text, n_bytes, "%s: %s%s%s%s%s", metric->name,
				         ompp_certainty_name(metric->certainty), metric->unit[0] ? ", in " : "",
				         metric->unit, metric->detail[0] ? "; " : "", metric->detail);
			ompp_table_text(table, text);
		}
}

/* Says what the numbers are. */
static int put_legend(struct annotation *n)
{
	struct ompp_table *table = &n->table;
	int is_modelled = n->analysis->traffic && ompp_traffic_last_level(n->analysis->traffic) != OMPP_N_TRAFFIC;

	ompp_table_start(table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	if (n->what == ALL)
		ompp_table_text(table,
		                "Times, counters and accesses are those of the regions that begin at a line, of all "
		                "threads; (%) is of all threads' time in the run.");
	if (n->what != ALL && n->what & COUNTERS)
		put_counters(n, table);
	if (n->what != ALL && n->what & ACCESSES)
		ompp_table_text(table, "Accesses are those of the regions that begin at a line, of all threads.");
	if (has_hot_spots(n))
		ompp_table_text(table, "cpuT~ is the processor time in user mode of the line itself, in all regions, "
		                       "by samples of the kernel's clock; +- is its standard error.");
	if (has_samples(n))
		ompp_table_text(table,
		                "Samples are of the line itself. ~: not exact but sampled; +- is the standard error.");
	if (has_samples(n) && n->what == SAMPLES)
		ompp_table_text(table, "(%)~ is of the accesses of all sampled lines.");
	if (is_modelled && n->what & ACCESSES)
		ompp_table_text(table, "Misses are modelled.");
	return ompp_print_table(n->format, table);
}

int ompp_annotate_file(const struct ompp_analysis *a, const char *path, struct ompp_table *table, const char **why)
{
	struct annotation n = { .is_whole = 1, .is_text = 1 };
	int has_changed, rc = annotation_init(&n, a);

	if (!rc)
		rc = annotate_load(&n, path, &has_changed, why);
	if (rc)
		return rc;
	annotate_start(&n, path, has_changed, table);
	put_lines(&n, path, table);
	return table->rc;
}

/* ---- the command ---- */

struct request {
	struct ompp_report_options options;
	const char *profile, *file, *counters;
	int is_whole, has_samples, is_hot;
};

static const struct ompp_command_option options[] = {
	OMPP_TEXT_ROW("file", "NAME", struct request, file, "this source file alone, by the end of its path"),
	OMPP_TEXT_ROW("region", "LIST", struct request, options.region, "only these regions, as in ompp report"),
	OMPP_TEXT_ROW("object", "LIST", struct request, options.object,
	              "accesses to these data objects, with their modelled misses and samples"),
	OMPP_TEXT_ROW("counter", "LIST", struct request, counters, "these counters, by their names in the report"),
	OMPP_SWITCH_ROW("samples", struct request, has_samples,
	                "samples by line, with their share of all samples, and first touches; only of the objects of "
	                "--object if that is given"),
	OMPP_SWITCH_ROW("hot", struct request, is_hot,
	                "processor time of each line, by samples of the kernel's clock (OMPP_HOT)"),
	OMPP_SWITCH_ROW("all", struct request, is_whole,
	                "print all lines, not only those with numbers and three lines around each"),
	OMPP_FORMAT_ROW(ompp_take_format, ompp_report_format, struct request, options.format,
	                "WORDS; csv has only the lines with numbers"),
};

/* Reads the command line.  Returns 0, or the exit status + 1. */
static int annotate_parse(int argc, char **argv, struct request *r)
{
	size_t n_files = 0;
	int status = ompp_command_words_of(&ompp_annotate_command, r, argc, argv, &n_files);

	if (status)
		return status;
	if (n_files == 1) {
		r->profile = argv[0];
		return 0;
	}
	ompp_complain(n_files ? argv[1] : "annotate", n_files ? "one file too many; give one saved profile (.ompp)"
	                                                      : "no file; give a saved profile (.ompp)");
	return 1 + OMPP_EXIT_USAGE;
}

static const struct ompp_profile *searched;

static const char *counter_name(size_t i)
{
	return i < searched->n_metrics ? searched->metrics[i].name : NULL;
}

/* Is it a word of the list? A name may have commas in it: then it is the whole list. */
static int is_listed(const char *name, const char *list)
{
	size_t n_name = strlen(name);

	if (!strcmp(name, list))
		return 1;
	while (*list) {
		size_t n = strcspn(list, ",");

		if (n == n_name && !strncmp(list, name, n))
			return 1;
		list += n + (list[n] == ',');
	}
	return 0;
}

/* Finds out what stands beside the lines.  Returns 0, or the exit status after a complaint. */
static int annotate_choose(struct annotation *n, const struct request *r)
{
	const struct ompp_profile *p = n->analysis->profile;
	int is_known = 0;

	n->what = (r->counters ? COUNTERS : 0) | (r->has_samples ? SAMPLES : 0) | (r->is_hot ? HOT : 0) |
	          (r->options.object && !r->has_samples ? ACCESSES | SAMPLES : 0);
	if (!n->what)
		n->what = ALL;
	searched = p;
	for (size_t m = 0; m < p->n_metrics; m++) {
		n->has_metric[m] = n->what == ALL || (r->counters && is_listed(p->metrics[m].name, r->counters));
		is_known |= r->counters && !strcmp(p->metrics[m].name, r->counters);
	}
	if (r->counters && !r->counters[0]) {
		ompp_complain("--counter", "no name; give names of counters in the profile");
		return OMPP_EXIT_USAGE;
	}
	if (r->counters && !p->n_metrics) {
		ompp_complain("--counter", "the profile has no counters; measure some: ompp run --ctr=NAME PROGRAM");
		return OMPP_EXIT_USAGE;
	}
	if (r->counters && !is_known && !ompp_words_known("--counter", r->counters, counter_name))
		return OMPP_EXIT_USAGE;
	if (r->is_hot && !p->n_hot_spots) {
		ompp_complain("--hot", "the profile has no hot spots; the section says why: ompp report --view=hot");
		return OMPP_EXIT_USAGE;
	}
	if (r->has_samples && !p->n_sample_lines && !p->touched) {
		ompp_complain("--samples", "the profile has no samples; take some: ompp run --sample=auto PROGRAM");
		return OMPP_EXIT_USAGE;
	}
	for (size_t i = 0; i < p->n_sample_lines; i++)
		if (ompp_source_object_is_shown(n->analysis, p->sample_lines[i].object))
			n->n_accesses = ompp_add(n->n_accesses, p->sample_lines[i].sum.estimate);
	return 0;
}

/* Is the path meant: it is the name, or ends with it? */
static int is_meant(const char *path, const char *name)
{
	size_t n_path = strlen(path), n_name = strlen(name);

	return n_path >= n_name && !strcmp(path + n_path - n_name, name) &&
	       (n_path == n_name || path[n_path - n_name - 1] == '/');
}

static int print_files(struct annotation *n, const struct request *r)
{
	size_t n_files, n_meant = 0;
	const char **files = ompp_source_files(n->analysis, &n_files);
	int status = 0;

	if (!files) {
		ompp_complain("annotate", "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	ompp_table_init(&n->table, n->analysis->arena);
	put_columns(n, &n->table);
	for (size_t i = 0; i < n_files; i++)
		if (!r->file || is_meant(files[i], r->file)) {
			int one = print_file(n, files[i]);

			status = one ? one : status;
			n_meant++;
		}
	if (!n_meant && r->file) {
		ompp_complain("--file", "no source file '%s' in the profile; 'ompp regions %s' lists them",
		              ompp_shown(r->file), ompp_shown(r->profile));
		return OMPP_EXIT_USAGE;
	}
	if (!n_meant)
		ompp_complain(r->profile, "no source file is known; compile the program with -g, by kinst");
	if (n_meant && (status == 0 || !n->is_text) &&
	    (n->is_text ? put_legend(n) : ompp_print_table(n->format, &n->table)))
		status = OMPP_EXIT_FAILED;
	return n_meant ? status : OMPP_EXIT_FAILED;
}

static int annotate_main(int argc, char **argv)
{
	struct request r = { .is_whole = 0 };
	struct annotation n = { .is_whole = 0 };
	struct ompp_analysis analysis;
	struct ompp_profile profile;
	struct ompp_arena arena;
	int status = annotate_parse(argc, argv, &r), rc = 0;
	pid_t pager = 0;

	if (status)
		return status - 1;
	ompp_arena_init(&arena, 0);
	if (ompp_load(r.profile, &arena, &profile))
		status = OMPP_EXIT_FAILED;
	else if (!ompp_choice_known(&r.options, &profile, 1, &arena))
		status = OMPP_EXIT_USAGE;
	else
		rc = ompp_analysis_init(&analysis, &profile, &r.options, &arena);
	n.format = r.options.format;
	n.is_whole = r.is_whole;
	n.is_text = ompp_report_is_text(n.format);
	if (!status && !rc)
		rc = annotation_init(&n, &analysis);
	if (rc) {
		ompp_complain("annotate", "not enough memory");
		status = OMPP_EXIT_FAILED;
	}
	if (!status)
		status = annotate_choose(&n, &r);
	if (!status) {
		if (n.is_text)
			pager = ompp_pager_start();
		status = print_files(&n, &r);
		if (ompp_pager_end(pager) && !status)
			status = OMPP_EXIT_FAILED;
	}
	ompp_arena_fini(&arena);
	return status;
}

const struct ompp_command ompp_annotate_command = {
	.name = "annotate",
	.suffix = "ompp",
	.usage = "[OPTIONS] FILE",
	.brief = "print the source with what a profile says of its lines",
	.about = "Prints the source of the program of a saved profile (.ompp), as far as it is still found where\n"
		 "it was compiled, with numbers next to its lines.  Times (execT, its share of all threads' time,\n"
		 "waiting), executions, counters, accesses to data and modelled misses stand at the line where a\n"
		 "region begins, and are sums over all threads.  Samples of accesses, first touches of pages and\n"
		 "sampled processor time stand at the line that caused them.\n"
		 "\n"
		 "--object, --counter, --samples and --hot select what to print; without them everything is\n"
		 "printed.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = annotate_main,
};
