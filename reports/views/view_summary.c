/*
 * Summary: the answer in the first screen: how the time of all threads divides, the first findings, the data that costs
 * most, and what was not measured.  The other sections have the rest.
 *
 * It has at most 20 lines with its banner.  Lines are cut to the width of a terminal, as wrapped ones would take more
 * than 20; what to try first takes more than one where there is room.  If there are more lines than that, findings are
 * left out.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/findings/finding_say.h"
#include "reports/findings/findings.h"
#include "reports/findings/time_shares.h"
#include "reports/tables/fit.h"
#include "reports/tables/remarks.h"
#include "runtime/base/text.h"

enum { LINES = 20, BANNER_LINES = 3, MOST_FINDINGS = 5, WANTED_FINDINGS = 3 };
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
		if (p->mpi_rank >= 0 && p->mpi_size > (int64_t)p->n_merged) { /* others died, or were not given */
			ompp_text_u64(t, p->n_merged);
			ompp_text_str(t, " of ");
			ompp_fit_count(t, (uint64_t)p->mpi_size, "MPI rank", "MPI ranks");
		} else {
			ompp_fit_count(t, p->n_merged, p->mpi_rank >= 0 ? "MPI rank" : "process",
			               p->mpi_rank >= 0 ? "MPI ranks" : "processes");
		}
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

static const enum ompp_tone tones[] = { [OMPP_TIME_WORK] = OMPP_TONE_WORK,   [OMPP_TIME_SYNCH] = OMPP_TONE_SYNCH,
	                                [OMPP_TIME_IMBAL] = OMPP_TONE_IMBAL, [OMPP_TIME_LIMPAR] = OMPP_TONE_LIMPAR,
	                                [OMPP_TIME_MGMT] = OMPP_TONE_MGMT,   [OMPP_TIME_SERIAL] = OMPP_TONE_SERIAL };

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

static int put_shares(const struct ompp_analysis *a, const struct ompp_time_shares *shares, const char *heading,
                      int is_tight, struct ompp_sheet *sheet)
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
	start_bars(table, OMPP_TIME_SHARES);
	for (int i = 0; i < OMPP_TIME_SHARES; i++)
		if (ompp_time_share_is_shown(shares, i)) {
			if (table->tones)
				table->tones[ompp_table_n_rows(table)] = (unsigned char)tones[shares->list[i].kind];
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

/* Returns the place of a finding in n columns.  What the words of its name say again is left out first: the construct,
 * and that a critical region has no name; a place that is still longer loses its middle. */
static const char *finding_place(const struct ompp_analysis *a, const struct ompp_finding *f, size_t n)
{
	static const char unnamed[] = " (unnamed)";
	const char *place = ompp_finding_location(a, f);
	struct ompp_fit_line l;
	size_t n_bytes;

	if (place && ompp_text_columns(place) > n && f->region != OMPP_NONE)
		place = ompp_region_location(a, &a->profile->regions[f->region]);
	if (!place)
		return NULL;
	n_bytes = strlen(place);
	if (ompp_text_columns(place) > n && n_bytes > sizeof(unnamed) &&
	    !strcmp(place + n_bytes - (sizeof(unnamed) - 1), unnamed))
		place = ompp_arena_strndup(a->arena, place, n_bytes - (sizeof(unnamed) - 1));
	if (!place)
		return NULL;
	ompp_fit_middle(ompp_fit_begin(&l), place, n);
	return ompp_arena_strdup(a->arena, l.buffer);
}

/* Returns "LOOP a.c (12-16): imbalance in parallel loop".  The words are whole. */
static const char *finding_text(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	struct ompp_fit_line l, words;
	struct ompp_text *t = ompp_fit_begin(&l);
	const char *place;
	size_t n;

	put_words(ompp_fit_begin(&words), f->name);
	n = ompp_text_columns(words.buffer) + 2 + NUMBERS_COLUMNS;
	place = finding_place(a, f, n + LEAST_LOCATION < a->columns ? a->columns - n : LEAST_LOCATION);
	if (!place)
		return NULL;
	ompp_text_str(t, place);
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
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_finding_gain_share(a, one));
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
	struct ompp_time_shares shares;
	size_t n_lines, n_findings, n_wanted, used, advice;
	int rc = ompp_classes(a, &classes), is_tight;

	if (!rc)
		rc = ompp_findings(a, &findings);
	if (rc)
		return rc;
	ompp_time_shares(a, &classes, &shares);
	heading = summary_headline(a, &used);
	/* the banner, the titles and the empty line at the end */
	used += BANNER_LINES + (a->profile->hooked != 0) + 2 + (findings.n != 0);
	for (int i = 0; i < OMPP_TIME_SHARES; i++)
		used += (size_t)ompp_time_share_is_shown(&shares, i);
	n_wanted = findings.n < WANTED_FINDINGS ? findings.n : WANTED_FINDINGS;
	n_lines = ompp_remarks(a, &findings, used + n_wanted < LINES ? LINES - used - n_wanted : 0, lines, &advice);
	while (n_lines && used + n_lines + (findings.n != 0) > LINES) /* the first finding stays */
		n_lines--;
	used += n_lines;
	n_findings = findings.n < MOST_FINDINGS ? findings.n : MOST_FINDINGS;
	if (n_findings > LINES - used)
		n_findings = LINES - used;
	used += n_findings;
	if (advice < n_lines && used < LINES && sheet->prints == OMPP_IN_TEXT) {
		lines[advice] = ompp_remark_advice(a, &findings, 1 + LINES - used);
		if (!lines[advice])
			return -ENOMEM;
		for (const char *s = lines[advice]; *s; s++)
			used += *s == '\n';
	}
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
