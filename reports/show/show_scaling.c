/*
 * Scaling: ompp scaling, how the time of a program and of its regions depends on the number of threads, or on the size
 * of its problem.
 */
#include "reports/compare/scaling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/analysis/classes.h"
#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/compare/scaling_page.h"
#include "reports/report.h"
#include "reports/show/show.h"
#include "reports/tables/table.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { USUAL_TOP = 10 };

static const double level = 0.05; /* of intervals */

struct request {
	const char *format;
	uint32_t top;
	size_t n_files;
	double size;   /* of the files that follow; NaN without --size */
	double *sizes; /* by file */
};

static int take_size(void *to, const char *option, const char *value)
{
	double *size = to;
	char *end;

	*size = strtod(value, &end);
	if (value[0] >= '0' && value[0] <= '9' && !*end && *size > 0 && isfinite(*size))
		return 0;
	ompp_complain(option, "'%s' is not a number above 0; give the size of the problem in the runs that follow",
	              value);
	return -1;
}

static const struct ompp_command_option options[] = {
	OMPP_TAKE_ROW("size", "N", take_size, OMPP_MEMBER_AT(struct request, size, double),
	              "size of the problem in the runs that follow it: --size=1000 a.ompp --size=2000 b.ompp"),
	OMPP_FORMAT_ROW(ompp_take_table_format, ompp_table_format, struct request, format,
	                "WORDS (a web page in one file)"),
	OMPP_TAKE_ROW("top", "N", ompp_take_top, OMPP_MEMBER_AT(struct request, top, uint32_t),
	              "print only the N parts that limit most (default 10; 0: all)"),
};

/* Does each file have a size, if any has?  If not, it complains. */
static int have_sizes(char **paths, const struct request *r)
{
	for (size_t i = 0; i < r->n_files && !isnan(r->size); i++)
		if (isnan(r->sizes[i])) {
			ompp_complain("--size", "%s: it stands before the first --size; give each run a size",
			              paths[i]);
			return 0;
		}
	return 1;
}

/* Do these runs all have a size, with at least two different sizes, and the same number of threads?  If not, it
 * complains. */
static int fit_sizes(char **paths, const struct ompp_profile *p, const struct request *r)
{
	int differ = 0;

	for (size_t i = 0; i < r->n_files; i++) {
		if (p[i].max_threads != p[0].max_threads) {
			ompp_complain("--size",
			              "%s, %s: they had %u and %u threads; give runs with one number of threads",
			              paths[0], paths[i], p[0].max_threads, p[i].max_threads);
			return 0;
		}
		differ |= r->sizes[i] > r->sizes[0] || r->sizes[i] < r->sizes[0];
	}
	if (!differ)
		ompp_complain("--size",
		              "%s: all runs have the size %g; give runs of several: --size=1000 FILE... "
		              "--size=2000 FILE...",
		              paths[0], r->sizes[0]);
	return differ;
}

/* Are these runs of one program, with two numbers of threads or two sizes at least?  If not, it complains. */
static int scaling_fit(char **paths, const struct ompp_profile *p, const struct request *r)
{
	size_t n = r->n_files;
	int differ = 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(p[i].app, p[0].app))
			ompp_complain("scaling",
			              "%s, %s: they are of two programs, '%s' and '%s'; give the runs of one", paths[0],
			              paths[i], p[0].app, p[i].app);
		else if (p[i].mpi_rank != p[0].mpi_rank)
			ompp_complain("scaling", "%s, %s: they are MPI ranks %d and %d; give the same rank of each run",
			              paths[0], paths[i], p[0].mpi_rank, p[i].mpi_rank);
		else if (p[i].hooked != p[0].hooked)
			ompp_complain("scaling",
			              "%s, %s: the times of one contain the cost of access hooks, and those of the "
			              "other do not; build the program once for all runs",
			              paths[0], paths[i]);
		else
			continue;
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		differ |= p[i].max_threads != p[0].max_threads;
		for (size_t k = 0; k < i; k++)
			if (p[i].pid == p[k].pid && p[i].start_unix_ns == p[k].start_unix_ns &&
			    p[i].n_dump == p[k].n_dump) {
				ompp_complain("scaling", "%s, %s: they are one run; give each run once", paths[k],
				              paths[i]);
				return 0;
			}
	}
	if (!isnan(r->size))
		return fit_sizes(paths, p, r);
	if (!differ)
		ompp_complain("scaling",
		              "%s: all runs had %u threads; give runs with several numbers of threads, or make them: "
		              "ompp run --threads=1,2,4 PROGRAM; or say the sizes of their problems by --size",
		              paths[0], n ? p[0].max_threads : 0);
	return differ;
}

/* ---- tables ---- */

static void put_time(struct ompp_table *table, double ns)
{
	ompp_table_number(table, isnan(ns) ? OMPP_KIND_NONE : OMPP_KIND_TIME, isnan(ns) ? OMPP_MISSING : llround(ns));
}

static void put_bytes(struct ompp_table *table, double bytes)
{
	ompp_table_number(table, isnan(bytes) ? OMPP_KIND_NONE : OMPP_KIND_METRIC,
	                  isnan(bytes) ? OMPP_MISSING : llround(bytes));
}

static void put_share(struct ompp_table *table, double share)
{
	int is_known = !isnan(share) && fabs(share) < 1e9;

	ompp_table_number(table, is_known ? OMPP_KIND_SHARE : OMPP_KIND_NONE,
	                  is_known ? llround(share * 1e9) : OMPP_MISSING);
}

/* Puts a number with three decimals. */
static void put_ratio(struct ompp_table *table, double ratio)
{
	if (isnan(ratio) || isinf(ratio))
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	else
		ompp_table_decimal(table, (struct ompp_decimal){ llround(ratio * 1000), -3 });
}

static const char *key_title(const struct ompp_scaling *s)
{
	return s->by_size ? "size" : "threads";
}

/* Returns a size, or a number of threads, as it is written. */
static const char *size_text(double size, struct ompp_arena *arena)
{
	char buffer[32];

	snprintf(buffer, sizeof(buffer), "%.10g", size);
	return ompp_arena_strdup(arena, buffer);
}

/* Puts the size of a problem, or without one the number of threads. */
static void put_key(struct ompp_table *table, const struct ompp_scaling_point *p)
{
	if (isnan(p->size))
		ompp_table_number(table, OMPP_KIND_COUNT, p->n_threads);
	else if (p->size < 1e15 && p->size >= floor(p->size) && p->size <= floor(p->size))
		ompp_table_number(table, OMPP_KIND_COUNT, (int64_t)p->size);
	else
		ompp_table_text(table, size_text(p->size, table->arena));
}

static int print_points(const struct ompp_scaling *s, const char *format, struct ompp_arena *arena)
{
	const char *const titles[] = { key_title(s), "runs", "wall time", "sd", "speed-up", "efficiency" };
	size_t n_titles = OMPP_COUNT_OF(titles) - (s->by_size ? 2 : 0);
	struct ompp_table table;

	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "points",
	                 "The program, seconds: wall time (mean and standard deviation of the runs)");
	for (size_t i = 0; i < n_titles; i++)
		ompp_table_column(&table, titles[i], OMPP_IN_BOTH);
	for (size_t i = 0; i < s->n_points; i++) {
		const struct ompp_scaling_point *p = &s->points[i];

		put_key(&table, p);
		ompp_table_number(&table, OMPP_KIND_COUNT, (int64_t)p->n_runs);
		put_time(&table, p->wall_ns.mean);
		put_time(&table, sqrt(p->wall_ns.variance));
		if (s->by_size)
			continue;
		put_ratio(&table, p->speedup);
		put_share(&table, p->efficiency);
	}
	return ompp_print_table(format, &table);
}

/* Returns whether a measured time is in the interval that was predicted; "-" when it is not known. */
static const char *inside_text(const struct ompp_scaling_point *p)
{
	if (isnan(p->predicted_least_ns))
		return "-";
	return p->wall_ns.mean < p->predicted_least_ns ? "shorter"
	     : isnan(p->predicted_most_ns)             ? "-"
	     : p->wall_ns.mean > p->predicted_most_ns  ? "longer"
	                                               : "yes";
}

/* Prints what one run said of the others, beside what these took, if a run looked for its longest path. */
static int print_predicted(const struct ompp_scaling *s, const char *format, struct ompp_arena *arena)
{
	char heading[160];
	struct ompp_table table;

	if (!s->predicting_threads)
		return 0;
	snprintf(heading, sizeof(heading),
	         "Predicted by the run with %u %s (ompp-span(7)), seconds, and measured: wall time",
	         s->predicting_threads, s->predicting_threads == 1 ? "thread" : "threads");
	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "predicted", ompp_arena_strdup(arena, heading));
	ompp_table_columns(&table, OMPP_IN_BOTH, "threads", "at least", "likely", "at most", "measured", "off");
	ompp_table_left_column(&table, "inside", OMPP_IN_BOTH);
	for (size_t i = 0; i < s->n_points; i++) {
		const struct ompp_scaling_point *p = &s->points[i];

		put_key(&table, p);
		put_time(&table, p->predicted_least_ns);
		put_time(&table, p->predicted_ns);
		put_time(&table, p->predicted_most_ns);
		put_time(&table, p->wall_ns.mean);
		put_share(&table, p->predicted_ns / p->wall_ns.mean - 1);
		ompp_table_text(&table, inside_text(p));
	}
	return ompp_print_table(format, &table);
}

static uint32_t most_threads(const struct ompp_scaling *s)
{
	return s->points[s->n_points - 1].n_threads;
}

/* Starts a table of values with their intervals, by threads or sizes. */
static void start_law(struct ompp_table *table, const struct ompp_scaling *s, struct ompp_arena *arena,
                      const char *heading, const char *value)
{
	ompp_table_init(table, arena);
	ompp_table_start(table, OMPP_STYLE_GRID, "law", heading);
	ompp_table_column(table, key_title(s), OMPP_IN_BOTH);
	ompp_table_column(table, value, OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "from", "to");
}

/* Puts the prediction of Amdahl's law for more threads. */
static void put_speedups(struct ompp_table *table, const struct ompp_scaling *s, struct ompp_arena *arena)
{
	double low, high, at;

	start_law(table, s, arena,
	          "Amdahl's law: the speed-up against one thread that more threads would have, with its 95 % "
	          "interval;\n"
	          "beyond twice the threads that were measured a bound, as the law knows no cost of more threads",
	          "speed-up");
	ompp_table_left_column(table, "is", OMPP_IN_BOTH);
	for (uint32_t i = 1; i <= OMPP_SCALING_PREDICTIONS + 1; i++) {
		uint32_t n = i > OMPP_SCALING_PREDICTIONS ? 0 : most_threads(s) << i;

		at = ompp_scaling_at(s, n, level, &low, &high);
		if (n)
			ompp_table_number(table, OMPP_KIND_COUNT, n);
		else
			ompp_table_text(table, "any");
		put_ratio(table, at);
		put_ratio(table, low);
		put_ratio(table, high);
		ompp_table_text(table, isnan(at) ? "-" : i == 1 ? "prediction" : "bound");
	}
}

/* Puts the prediction of the power laws for larger sizes. */
static void put_larger(struct ompp_table *table, const struct ompp_scaling *s, struct ompp_arena *arena)
{
	double low, high, at;

	start_law(table, s, arena,
	          "The parts' power laws, added up: the wall time that larger sizes would take, seconds, with its 95 % "
	          "interval",
	          "wall time");
	for (uint32_t i = 1; i <= OMPP_SCALING_PREDICTIONS; i++) {
		struct ompp_scaling_point larger = { .size = s->points[s->n_points - 1].size * (1u << i) };

		at = ompp_scaling_seconds(s, larger.size, level, &low, &high);
		put_key(table, &larger);
		put_time(table, at * 1e9);
		put_time(table, low * 1e9);
		put_time(table, high * 1e9);
	}
}

/* Prints the prediction of the law for more threads, or for larger sizes. */
static int print_law(const struct ompp_scaling *s, const char *format, struct ompp_arena *arena)
{
	struct ompp_table table;

	(s->by_size ? put_larger : put_speedups)(&table, s, arena);
	return ompp_print_table(format, &table);
}

static const char parts_by_size[] = "Parts of the program: the power of the size with which they grow, its standard "
				    "error, and the wall\ntime, seconds, by the size";
static const char parts_by_threads[] = "Parts of the program, seconds: what more threads do not make shorter, its "
				       "standard error, and the wall\ntime by the number of threads";

/* Prints how long each part takes, and either the time of it that more threads do not shorten, or the power of the size
 * with which it grows. */
static int print_parts(const struct ompp_scaling *s, const struct request *r, struct ompp_arena *arena)
{
	int is_text = ompp_report_is_text(r->format);
	struct ompp_table table;

	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "parts", s->by_size ? parts_by_size : parts_by_threads);
	ompp_table_column(&table, s->by_size ? "power" : "stays", OMPP_IN_BOTH);
	ompp_table_column(&table, "error", OMPP_IN_BOTH);
	for (size_t i = 0; i < s->n_points; i++)
		ompp_table_column(&table, size_text(s->by_size ? s->points[i].size : s->points[i].n_threads, arena),
		                  OMPP_IN_BOTH);
	ompp_table_left_column(&table, "part", OMPP_IN_BOTH);
	for (size_t i = 0; i < s->n_parts && !(is_text && r->top && i >= r->top); i++) {
		const struct ompp_scaling_part *part = &s->parts[i];

		if (s->by_size) {
			put_ratio(&table, part->fit.slope);
			put_ratio(&table, part->fit.slope_error);
		} else {
			put_time(&table, part->fit.intercept * 1e9);
			put_time(&table, part->fit.intercept_error * 1e9);
		}
		for (size_t k = 0; k < s->n_points; k++)
			put_time(&table, part->wall_ns[k]);
		ompp_table_text(&table, part->name);
	}
	return ompp_print_table(r->format, &table);
}

static double scaling_overhead(const struct ompp_scaling_part *part, size_t point)
{
	double sum = 0;

	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		sum += part->overhead_ns[point][k];
	return sum;
}

static double error(const struct ompp_scaling_part *part, size_t point)
{
	double error_ns = 0;

	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		error_ns = hypot(error_ns, part->error_ns[point][k]);
	return error_ns;
}

/* Are any overheads of the class estimates?  OMPP_N_OVERHEADS: of any class. */
static int has_errors(const struct ompp_scaling *s, int class)
{
	for (size_t i = 0; i < s->n_parts; i++)
		for (size_t k = 0; k < s->n_points; k++) {
			const struct ompp_scaling_part *part = &s->parts[i];
			double error_ns = class < OMPP_N_OVERHEADS ? part->error_ns[k][class] : error(part, k);

			if (!(error_ns <= 0)) /* NaN is an error, too */
				return 1;
		}
	return 0;
}

static int print_classes(const struct ompp_scaling *s, const struct request *r, struct ompp_arena *arena)
{
	int is_text = ompp_report_is_text(r->format);
	struct ompp_table table;
	size_t n = 0;

	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "classes",
	                 "Overheads of parallel regions, in per cent of the time of all their threads");
	ompp_table_column(&table, key_title(s), OMPP_IN_BOTH);
	ompp_table_column(&table, "Total", OMPP_IN_BOTH);
	ompp_table_time_column(&table, "Ovhds", has_errors(s, OMPP_N_OVERHEADS));
	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		ompp_table_time_column(&table, ompp_overhead_title((enum ompp_overhead)k), has_errors(s, k));
	ompp_table_left_column(&table, "region", OMPP_IN_BOTH);
	for (size_t i = 0; i < s->n_parts && !(is_text && r->top && n >= r->top); i++) {
		const struct ompp_scaling_part *part = &s->parts[i];

		for (size_t k = 0; k < s->n_points && !part->is_serial; k++) {
			put_key(&table, &s->points[k]);
			put_time(&table, part->total_ns[k]);
			put_share(&table, scaling_overhead(part, k) / part->total_ns[k]);
			if (has_errors(s, OMPP_N_OVERHEADS))
				put_share(&table, error(part, k) / part->total_ns[k]);
			for (int class = 0; class < OMPP_N_OVERHEADS; class ++) {
				put_share(&table, part->overhead_ns[k][class] / part->total_ns[k]);
				if (has_errors(s, class))
					put_share(&table, part->error_ns[k][class] / part->total_ns[k]);
			}
			ompp_table_text(&table, part->name);
		}
		n += !part->is_serial;
	}
	return n ? ompp_print_table(r->format, &table) : 0;
}

/* Returns what tells a point's threads: "8", or where runs have processes, "8 (2 x 4)". */
static const char *scale_text(const struct ompp_scaling_point *p, struct ompp_arena *arena)
{
	char buffer[64];

	if (p->n_processes < 2)
		snprintf(buffer, sizeof(buffer), "%u", p->n_threads);
	else if (p->n_threads % p->n_processes)
		snprintf(buffer, sizeof(buffer), "%u (%u ranks)", p->n_threads, p->n_processes);
	else
		snprintf(buffer, sizeof(buffer), "%u (%u x %u)", p->n_threads, p->n_processes,
		         p->n_threads / p->n_processes);
	return ompp_arena_strdup(arena, buffer);
}

static const char *indented(int depth, const char *title, struct ompp_arena *arena)
{
	char buffer[64];

	snprintf(buffer, sizeof(buffer), "%*s%s", 2 * depth, "", title);
	return ompp_arena_strdup(arena, buffer);
}

/* Prints the efficiencies of the runs: a row for each, a column for each number of threads. */
static int print_efficiencies(const struct ompp_scaling *s, const char *format, struct ompp_arena *arena)
{
	struct ompp_scaling_efficiency row;
	struct ompp_table table;

	if (s->by_size)
		return 0;
	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "efficiencies",
	                 "Efficiencies of the runs, per cent, by the number of threads (ranks x threads), measured: "
	                 "each is the\nproduct of those one step below it (ompp-efficiency(7))");
	ompp_table_left_column(&table, "efficiency", OMPP_IN_TEXT);
	ompp_table_column(&table, "efficiency", OMPP_IN_RECORDS);
	for (size_t i = 0; i < s->n_points; i++)
		ompp_table_column(&table, scale_text(&s->points[i], arena), OMPP_IN_BOTH);
	ompp_table_column(&table, "lost where", OMPP_IN_RECORDS);
	for (int i = 0; (row = ompp_scaling_efficiency(i)).value; i++) {
		ompp_table_text(&table, indented(row.depth, row.title, arena));
		ompp_table_text(&table, row.title);
		for (size_t k = 0; k < s->n_points; k++)
			put_share(&table, row.value(&s->points[k], row.k));
		ompp_table_text(&table, row.words);
	}
	return ompp_print_table(format, &table);
}

/* Prints the bytes that constructs for devices map, if there are such. */
static int print_mapped(const struct ompp_scaling *s, const struct request *r, struct ompp_arena *arena)
{
	int is_text = ompp_report_is_text(r->format);
	struct ompp_table table;

	ompp_table_init(&table, arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "mapped",
	                 "Bytes that clauses map to the device and back, by construct (mean of the runs)");
	ompp_table_column(&table, key_title(s), OMPP_IN_BOTH);
	ompp_table_columns(&table, OMPP_IN_BOTH, "mapToB", "mapFromB");
	ompp_table_left_column(&table, "region", OMPP_IN_BOTH);
	for (size_t i = 0; i < s->n_mapped && !(is_text && r->top && i >= r->top); i++)
		for (size_t k = 0; k < s->n_points; k++) {
			put_key(&table, &s->points[k]);
			put_bytes(&table, s->mapped[i].to_bytes[k]);
			put_bytes(&table, s->mapped[i].from_bytes[k]);
			ompp_table_text(&table, s->mapped[i].name);
		}
	return s->n_mapped ? ompp_print_table(r->format, &table) : 0;
}

/* Says in sentences how the time grows with the size. */
static void print_power(const struct ompp_scaling *s, const char *app)
{
	const struct ompp_scaling_part *fastest = ompp_scaling_fastest(s, level);
	const struct ompp_scaling_point *last = &s->points[s->n_points - 1];

	printf("%s: %zu runs with sizes from %.10g to %.10g, %u %s\n", ompp_shown(app), s->n_runs, s->points[0].size,
	       last->size, last->n_threads, last->n_threads == 1 ? "thread" : "threads");
	printf("the wall time grows with the size to the power %.3f", s->fit.slope);
	if (isnan(s->fit.slope_error))
		puts("; two runs do not tell its error");
	else
		printf(" +- %.3f (standard error), fitted to all runs\n", s->fit.slope_error);
	if (fastest)
		printf("grows fastest: %s, to the power %.3f +- %.3f; it takes %.1f %% of the largest run\n",
		       fastest->name, fastest->fit.slope, fastest->fit.slope_error,
		       100 * fastest->wall_ns[s->n_points - 1] / last->wall_ns.mean);
	puts("");
}

/* Says in sentences what the fit found. */
static void print_verdict(const struct ompp_scaling *s, const char *app)
{
	const struct ompp_scaling_part *worst = &s->parts[0];
	enum ompp_scaling_limit limit = ompp_scaling_limit(s, level);

	printf("%s: %zu runs with %u to %u threads\n", ompp_shown(app), s->n_runs, s->points[0].n_threads,
	       most_threads(s));
	if (isnan(s->fraction))
		puts("serial fraction: not known; more threads made nothing shorter, which Amdahl's law knows nothing "
		     "of");
	else if (isnan(s->fraction_error))
		printf("serial fraction: %.2f %% by Amdahl's law; two runs do not tell its error\n", s->fraction * 100);
	else
		printf("serial fraction: %.2f %% +- %.2f %% (standard error), by Amdahl's law fitted to all runs\n",
		       s->fraction * 100, s->fraction_error * 100);
	if (limit != OMPP_LIMIT_NONE && isnan(s->fraction))
		printf("limits: %s, which took %.4f s with %u %s and %.4f s with %u\n", worst->name,
		       worst->wall_ns[0] / 1e9, s->points[0].n_threads,
		       s->points[0].n_threads == 1 ? "thread" : "threads", worst->wall_ns[s->n_points - 1] / 1e9,
		       most_threads(s));
	else if (limit == OMPP_LIMIT_NONE)
		puts("limits: nothing does; all parts become shorter with more threads");
	else
		printf("limits: %s, of which %.4f s stay with any number of threads%s\n", worst->name,
		       worst->fit.intercept,
		       limit == OMPP_LIMIT_SURE ? "" : ", which may be chance; more runs would tell");
	puts("");
}

/* ---- the command ---- */

static int print_all(const struct ompp_scaling *s, const struct request *r, const char *app, struct ompp_arena *arena)
{
	int status;

	if (!strcmp(r->format, "json"))
		return ompp_print_status(ompp_scaling_json(s, app, level, STDOUT_FILENO, arena));
	if (!strcmp(r->format, "html"))
		return ompp_print_status(ompp_scaling_page(s, app, level, STDOUT_FILENO, arena));
	if (ompp_report_is_text(r->format))
		(s->by_size ? print_power : print_verdict)(s, app);
	status = print_points(s, r->format, arena);
	if (!status)
		status = print_predicted(s, r->format, arena);
	if (!status)
		status = print_efficiencies(s, r->format, arena);
	if (!status)
		status = print_law(s, r->format, arena);
	if (!status)
		status = print_parts(s, r, arena);
	if (!status)
		status = print_classes(s, r, arena);
	return status ? status : print_mapped(s, r, arena);
}

static int scaling_main(int argc, char **argv)
{
	struct request r = { .format = "", .top = USUAL_TOP, .size = NAN };
	struct ompp_command_line line = ompp_command_line(&ompp_scaling_command, &r, argc, argv);
	struct ompp_scaling scaling;
	struct ompp_profile *profiles;
	struct ompp_arena arena;
	char *word;
	int status;

	ompp_arena_init(&arena, 0);
	r.sizes = ompp_arena_alloc(&arena, (size_t)argc * sizeof(*r.sizes));
	while (r.sizes && (word = ompp_command_next(&line))) {
		r.sizes[r.n_files] = r.size;
		argv[r.n_files++] = word;
	}
	if (line.status) {
		ompp_arena_fini(&arena);
		return line.status - 1;
	}
	status = r.sizes ? 0 : OMPP_EXIT_FAILED;
	if (!status && !r.n_files) {
		ompp_complain("scaling",
		              "no file; give the saved profiles (.ompp) of runs with several numbers of threads");
		status = OMPP_EXIT_USAGE;
	}
	profiles = ompp_arena_alloc(&arena, r.n_files * sizeof(*profiles));
	if (!status && !profiles)
		status = OMPP_EXIT_FAILED;
	for (size_t i = 0; i < r.n_files && !status; i++)
		if (ompp_load(argv[i], &arena, &profiles[i]))
			status = OMPP_EXIT_FAILED;
	if (!status && !have_sizes(argv, &r))
		status = OMPP_EXIT_USAGE;
	if (!status)
		status = ompp_add_ranks("scaling", argv, profiles, isnan(r.size) ? NULL : r.sizes, &r.n_files, &arena);
	if (!status && !scaling_fit(argv, profiles, &r))
		status = OMPP_EXIT_USAGE;
	if (!status && ompp_scaling(profiles, isnan(r.size) ? NULL : r.sizes, r.n_files, &arena, &scaling)) {
		ompp_complain("scaling", "not enough memory");
		status = OMPP_EXIT_FAILED;
	}
	if (!status)
		status = print_all(&scaling, &r, profiles[0].app, &arena);
	ompp_arena_fini(&arena);
	return status;
}

const struct ompp_command ompp_scaling_command = {
	.name = "scaling",
	.suffix = "ompp",
	.usage = "[OPTIONS] FILE...",
	.brief = "show how the time depends on the number of threads, and what limits it",
	.about = "Shows, from the saved profiles (.ompp) of runs with different numbers of threads, how the time\n"
		 "of a program and of its regions scales: speed-up, efficiencies, overheads, the serial fraction by\n"
		 "Amdahl's law with its error, the part that limits, and what more threads would bring.  'ompp run\n"
		 "--threads=1,2,4 PROGRAM' makes such runs.  With --size it shows how the time depends on the size\n"
		 "of the problem: the power with which the time of the program and of each part grows, and how\n"
		 "long larger problems would take.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = scaling_main,
};
