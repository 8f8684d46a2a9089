/*
 * Summary: the answer in the first screen: how the time of all threads divides, the first findings, the data that costs
 * most, and what was not measured.  The other sections have the rest.
 *
 * It has at most 20 lines with its banner.  Lines are cut to the width of a terminal, as wrapped ones would take more
 * than 20.  If there are more lines than that, findings are left out.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/findings/finding_say.h"
#include "reports/findings/findings.h"
#include "reports/tables/fit.h"
#include "reports/tables/remarks.h"
#include "runtime/base/text.h"

enum { LINES = 20, BANNER_LINES = 3, MOST_FINDINGS = 5 };
enum { TIME_COLUMNS = 11, SHARE_COLUMNS = 8, NUMBERS_COLUMNS = TIME_COLUMNS + SHARE_COLUMNS + 2, LEAST_LOCATION = 12 };

/* "0.4398 s": four digits or more below ten seconds. */
static void put_seconds(struct ompp_text *t, int64_t ns)
{
	ompp_say_seconds(t, ns, 4);
	ompp_text_str(t, " s");
}

/* Adds what is special about the run, ", ended by signal 11, MPI rank 1/4"; nothing when nothing is. */
static void put_state(struct ompp_text *t, const struct ompp_profile *p)
{
	if (p->signal) {
		ompp_text_str(t, ", ended by signal ");
		ompp_text_i64(t, p->signal);
	}
	if (!p->final) {
		ompp_text_str(t, ", incremental report ");
		ompp_text_u64(t, p->n_dump);
	}
	if (!p->n_merged && p->mpi_rank >= 0 && p->mpi_size > 1) {
		ompp_text_str(t, ", MPI rank ");
		ompp_text_i64(t, p->mpi_rank);
		ompp_text_char(t, '/');
		ompp_text_i64(t, p->mpi_size);
	}
	if (p->off_ns) {
		ompp_text_str(t, ", ompp_off ");
		put_seconds(t, p->off_ns);
	}
}

/* Returns "imbalance: wall time 0.4398 s, CPU time 0.8710 s, 2 threads", in two lines where one is too short. */
static const char *summary_headline(const struct ompp_analysis *a, size_t *n_lines)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_fit_line l, state;
	struct ompp_text *t = ompp_fit_begin(&l);

	ompp_fit_name(t, p->app, a->arena);
	ompp_text_str(t, ": wall time ");
	put_seconds(t, p->duration_ns);
	if (p->user_ns != OMPP_MISSING && p->system_ns != OMPP_MISSING) {
		ompp_text_str(t, ", CPU time ");
		put_seconds(t, ompp_add(p->user_ns, p->system_ns));
	}
	ompp_text_str(t, ", ");
	ompp_fit_count(t, a->n_threads, "thread", "threads");
	if (p->n_merged) {
		ompp_text_str(t, " in ");
		ompp_fit_count(t, p->n_merged, p->mpi_rank >= 0 ? "MPI rank" : "process",
		               p->mpi_rank >= 0 ? "MPI ranks" : "processes");
	}
	put_state(ompp_fit_begin(&state), p);
	*n_lines = 1;
	if (state.buffer[0] && ompp_text_columns(l.buffer) + ompp_text_columns(state.buffer) > a->columns) {
		ompp_text_str(t, "\n ");
		ompp_text_str(t, state.buffer + 1);
		*n_lines = 2;
	} else {
		ompp_text_str(t, state.buffer);
	}
	return ompp_arena_strdup(a->arena, l.buffer);
}

/* ---- shares ---- */

struct share {
	int64_t ns, error_ns;
	int is_optional;
	const char *words;
	enum ompp_tone tone;
};

enum { N_SHARES = 7 + OMPP_N_OVERHEADS, SEEN_BEFORE = 10000000 /* 10^-9: less before main() has no line */ };

struct shares {
	int64_t base_ns; /* the sum of all of them */
	struct share list[N_SHARES];
};

/* Returns what the time is that lies in no parallel region.  One thread alone may work there, or wait.  Without any
 * region the program may have teams that nothing tells of. */
static const char *summary_outside(const struct ompp_analysis *a, const struct ompp_classes *c)
{
	if (a->profile->n_nodes < 2)
		return "in no region that was measured";
	return c->serial_ns == OMPP_MISSING ? "outside of parallel regions, or in no team"
	                                    : "outside of parallel regions: one thread alone (serial part)";
}

static void summary_divide(const struct ompp_analysis *a, const struct ompp_classes *c, struct shares *all)
{
	struct share *shares = all->list;
	int64_t lost_ns = 0, work_ns, teams_ns, rest_ns, serial_ns, cost_ns, before_ns, threads_ns, waits_ns;

	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		lost_ns = ompp_add(lost_ns, c->sum.overhead_ns[k]);
	/* rounding can make the losses larger than the total; no share may be negative */
	work_ns = lost_ns < c->sum.total_ns ? ompp_subtract(c->sum.total_ns, lost_ns) : 0;
	/* with the clocks of merged ranks the teams' time may exceed the total */
	teams_ns = ompp_add(ompp_add(lost_ns, work_ns), c->sum.cost_ns);
	all->base_ns = teams_ns > a->capacity_ns ? teams_ns : a->capacity_ns;
	rest_ns = ompp_subtract(all->base_ns, teams_ns);
	if (c->serial_ns == OMPP_MISSING || __builtin_mul_overflow(c->serial_ns, (int64_t)a->n_threads, &serial_ns) ||
	    serial_ns > rest_ns)
		serial_ns = rest_ns;
	rest_ns = ompp_subtract(rest_ns, serial_ns);
	cost_ns = ompp_subtract(a->profile->cost_ns, c->sum.cost_ns); /* outside of teams */
	cost_ns = cost_ns < 0 ? 0 : cost_ns > serial_ns ? serial_ns : cost_ns;
	serial_ns -= cost_ns;
	cost_ns = ompp_add(cost_ns, c->sum.cost_ns);
	if (a->profile->n_nodes < 2 || __builtin_mul_overflow(c->before_ns, (int64_t)a->n_threads, &before_ns) ||
	    before_ns > serial_ns || ompp_share(before_ns, all->base_ns) < SEEN_BEFORE)
		before_ns = 0;
	serial_ns -= before_ns;
	shares[0] = (struct share){ work_ns, ompp_overhead_error_ns(c->sum.error_ns), 0, "work in parallel regions",
		                    OMPP_TONE_WORK };
	shares[1] = (struct share){ c->sum.overhead_ns[OMPP_SYNCH], c->sum.error_ns[OMPP_SYNCH], 0,
		                    "waiting: lock, atomic, barrier, taskwait (synchronisation)", OMPP_TONE_SYNCH };
	shares[2] = (struct share){ c->sum.overhead_ns[OMPP_IMBAL], c->sum.error_ns[OMPP_IMBAL], 0,
		                    "waiting: at the end of a loop or region (imbalance)", OMPP_TONE_IMBAL };
	shares[3] = (struct share){ c->sum.overhead_ns[OMPP_LIMPAR], c->sum.error_ns[OMPP_LIMPAR], 0,
		                    "waiting: single, or too few sections (limited parallelism)", OMPP_TONE_LIMPAR };
	shares[4] = (struct share){ c->sum.overhead_ns[OMPP_MGMT], c->sum.error_ns[OMPP_MGMT], 0,
		                    "making teams and tasks (management)", OMPP_TONE_MGMT };
	/* the clocks of threads and of the run are not read at the same moment */
	threads_ns = c->thread_work_ns < serial_ns ? c->thread_work_ns : serial_ns;
	serial_ns -= threads_ns;
	waits_ns = c->thread_wait_ns < serial_ns ? c->thread_wait_ns : serial_ns;
	serial_ns -= waits_ns;
	shares[5] = (struct share){ threads_ns, 0, 1, "work of threads that the program made itself", OMPP_TONE_WORK };
	shares[6] = (struct share){ waits_ns, 0, 1, "waiting of threads: mutex, condition, join and their kin",
		                    OMPP_TONE_SYNCH };
	shares[7] = (struct share){ serial_ns, 0, 0, summary_outside(a, c), OMPP_TONE_SERIAL };
	shares[8] = (struct share){ before_ns, 0, 1, "before main(): loading of libraries, constructors",
		                    OMPP_TONE_SERIAL };
	shares[9] = (struct share){ rest_ns, 0, 1, "in no team while other threads were in one", OMPP_TONE_SERIAL };
	shares[10] = (struct share){ cost_ns, 0, 1, "the profiler's own cost, in none of the above", OMPP_TONE_MGMT };
}

/* Is the part shown?  Optional ones are left out below 0.005 %. */
static int is_shown(const struct shares *all, int i)
{
	return !all->list[i].is_optional || ompp_share(all->list[i].ns, all->base_ns) >= 50000;
}

static void number_columns(struct ompp_table *table, const char *time, int has_errors, const char *share,
                           const char *words)
{
	ompp_table_column(table, time, OMPP_IN_BOTH);
	ompp_table_column(table, share, OMPP_IN_BOTH);
	ompp_table_left_column(table, "what", OMPP_IN_BOTH);
	if (has_errors) /* text has no room for the error here; remarks.c says it at the end */
		ompp_table_column(table, ompp_table_title(time, " +-", table->arena), OMPP_IN_RECORDS);
	if (table->rc)
		return;
	table->columns[0].text_title = has_errors ? ompp_table_title(time, "~", table->arena) : NULL;
	table->columns[0].min_width = TIME_COLUMNS;
	table->columns[1].min_width = SHARE_COLUMNS;
	table->columns[2].text_title = words;
}

/* Lets a terminal have bars and colours of up to n rows. */
static void start_bars(struct ompp_table *table, size_t n)
{
	table->has_bars = 1;
	table->tones = ompp_arena_alloc(table->arena, n);
	if (!table->tones)
		table->rc = -ENOMEM;
}

static int put_shares(const struct ompp_analysis *a, const struct shares *shares, const char *heading, int is_tight,
                      struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);
	int has_errors = shares->list[0].error_ns != 0; /* work's is that of all overheads */

	ompp_text_str(t, "of all threads' time: ");
	ompp_text_u64(t, a->n_threads);
	ompp_text_str(t, " x ");
	put_seconds(t, a->measured_ns);
	ompp_table_start(table, OMPP_STYLE_GRID, "shares", heading);
	table->is_tight = is_tight;
	number_columns(table, "seconds", has_errors, "share", ompp_arena_strdup(a->arena, l.buffer));
	start_bars(table, N_SHARES);
	for (int i = 0; i < N_SHARES; i++)
		if (is_shown(shares, i)) {
			if (table->tones)
				table->tones[ompp_table_n_rows(table)] = (unsigned char)shares->list[i].tone;
			ompp_table_number(table, OMPP_KIND_TIME, shares->list[i].ns);
			ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(shares->list[i].ns, shares->base_ns));
			ompp_table_text(table, shares->list[i].words);
			if (has_errors)
				ompp_table_number(table, OMPP_KIND_TIME, shares->list[i].error_ns);
		}
	return sheet->put(sheet);
}

/* ---- findings ---- */

/* Adds the words of a name, "imbalance in parallel loop" for ImbalanceInParallelLoop.  Capitals that stand together
 * stay. */
static void put_words(struct ompp_text *t, const char *name)
{
	for (size_t i = 0; name[i]; i++) {
		int is_upper = name[i] >= 'A' && name[i] <= 'Z';
		int was_upper = i && name[i - 1] >= 'A' && name[i - 1] <= 'Z',
		    will_be = name[i + 1] >= 'A' && name[i + 1] <= 'Z';

		if (i && is_upper && (!was_upper || !will_be))
			ompp_text_char(t, ' ');
		ompp_text_char(t, is_upper && !was_upper && !will_be ? ompp_text_lower(name[i]) : name[i]);
	}
}

/* Returns "LOOP a.c (12-16): imbalance in parallel loop".  A location that is long loses its middle, and the words are
 * whole. */
static const char *finding_text(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	const char *location = ompp_finding_location(a, f);
	struct ompp_fit_line l, words;
	struct ompp_text *t = ompp_fit_begin(&l);
	size_t n;

	if (!location)
		return NULL;
	put_words(ompp_fit_begin(&words), f->name);
	n = ompp_text_columns(words.buffer) + 2 + NUMBERS_COLUMNS;
	ompp_fit_middle(t, location, n + LEAST_LOCATION < a->columns ? a->columns - n : LEAST_LOCATION);
	ompp_text_str(t, ": ");
	ompp_text_str(t, words.buffer);
	return ompp_arena_strdup(a->arena, l.buffer);
}

/* Returns the finding of line i of n: the first ones in their order, except that the last of several lines is for the
 * first finding without a time, if there is one. */
static const struct ompp_finding *line_of(const struct ompp_findings *f, size_t i, size_t n)
{
	const struct ompp_finding *counted = f->list;

	while (counted < f->list + f->n && counted->severity != OMPP_MISSING)
		counted++;
	return i && i + 1 == n && counted < f->list + f->n && counted > f->list + i ? counted : &f->list[i];
}

/* "3 findings, together 0.891 s; see properties" */
static const char *findings_title(const struct ompp_analysis *a, const struct ompp_findings *f, size_t n)
{
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);

	if (n < f->n) {
		ompp_text_u64(t, n);
		ompp_text_str(t, " of ");
	}
	ompp_fit_count(t, f->n, "finding", "findings");
	if (f->together_ns != OMPP_MISSING && f->n > 1) {
		ompp_text_str(t, ", together ");
		ompp_say_time(t, f->together_ns);
	}
	ompp_text_str(t, "; see properties");
	return ompp_arena_strdup(a->arena, l.buffer);
}

static int put_findings(const struct ompp_analysis *a, const struct ompp_findings *f, size_t n, int is_tight,
                        struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "worst findings", "");
	table->is_tight = is_tight;
	number_columns(table, "saves up to", 0, "of run", findings_title(a, f, n));
	start_bars(table, n);
	for (size_t i = 0; i < n; i++) {
		const struct ompp_finding *one = line_of(f, i, n);

		if (table->tones)
			table->tones[i] = OMPP_TONE_BAD;
		ompp_table_number(table, OMPP_KIND_TIME, one->gain_ns);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(one->gain_ns, a->measured_ns));
		ompp_table_text(table, finding_text(a, one));
	}
	return sheet->put(sheet);
}

/* ---- all of it ---- */

static int put_lines(const char *const *lines, size_t n, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_LINES, "remarks", "");
	ompp_table_left_column(table, "remark", OMPP_IN_BOTH);
	for (size_t i = 0; i < n; i++)
		ompp_table_text(table, lines[i]);
	return sheet->put(sheet);
}

static int summary_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const char *lines[OMPP_MOST_REMARKS], *heading;
	struct ompp_classes classes;
	struct ompp_findings findings;
	struct shares shares;
	size_t n_lines, n_findings, used;
	int rc = ompp_classes(a, &classes), is_tight;

	if (!rc)
		rc = ompp_findings(a, &findings);
	if (rc)
		return rc;
	summary_divide(a, &classes, &shares);
	heading = summary_headline(a, &used);
	/* the banner, the titles and the empty line at the end */
	used += BANNER_LINES + (a->profile->hooked != 0) + 2 + (findings.n != 0);
	for (int i = 0; i < N_SHARES; i++)
		used += (size_t)is_shown(&shares, i);
	n_lines = ompp_remarks(a, &findings, lines);
	while (n_lines && used + n_lines + (findings.n != 0) > LINES) /* the first finding stays */
		n_lines--;
	used += n_lines;
	n_findings = findings.n < MOST_FINDINGS ? findings.n : MOST_FINDINGS;
	if (n_findings > LINES - used)
		n_findings = LINES - used;
	used += n_findings;
	is_tight = used + (n_findings != 0) + (n_lines != 0) > LINES;
	rc = put_shares(a, &shares, heading, is_tight && (n_findings || n_lines), sheet);
	if (!rc && n_findings)
		rc = put_findings(a, &findings, n_findings, is_tight && n_lines, sheet);
	if (!rc && n_lines)
		rc = put_lines(lines, n_lines, sheet);
	return rc;
}

const struct ompp_view ompp_view_summary = {
	.title = "Summary", .tag = "summary", .build = summary_build, .has_times = 1, .is_for_people = 1
};
