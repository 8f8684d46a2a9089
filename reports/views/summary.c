/*
 * Summary: the answer in the first screen, at most 20 lines with their banner: how the time of all threads divides, the
 * worst findings, the data that costs most, and what was not measured.  The sections behind it have the rest.
 *
 * Lines are cut to the width of a terminal, as wrapped ones would be more than 20.  Findings give way where there are more
 * lines than fit.
 */
#include "reports/views/view.h"

#include <errno.h>
#include <string.h>

#include "reports/views/classes.h"
#include "reports/views/findings.h"
#include "reports/views/traffic.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { LINES = 20, BANNER_LINES = 3, MOST_FINDINGS = 5, MOST_OBJECTS = 3 };
enum { LINE_COLUMNS = 80, NAME_COLUMNS = 32, LINE_BYTES = 512, MOST_LINES = 4 };
enum { TIME_COLUMNS = 11, SHARE_COLUMNS = 8, WORDS_COLUMNS = LINE_COLUMNS - TIME_COLUMNS - SHARE_COLUMNS - 2 };

/* A text on a buffer of its own. */
struct line { struct ompp_text text; char buffer[LINE_BYTES]; };

static struct ompp_text *begin(struct line *l)
{
	ompp_text_init(&l->text, l->buffer, sizeof(l->buffer));
	return &l->text;
}

/* The text in the arena, cut to so many columns; NULL without memory. */
static const char *fit(const char *text, size_t n_columns, struct ompp_arena *arena)
{
	size_t n = 0, n_bytes = 0;
	char *copy;

	if (ompp_text_columns(text) <= n_columns)
		return ompp_arena_strdup(arena, text);
	while (text[n_bytes] && (n < n_columns - 1 || ((unsigned char)text[n_bytes] & 0xc0) == 0x80))
		n += ((unsigned char)text[n_bytes++ + 1] & 0xc0) != 0x80;
	copy = ompp_arena_alloc(arena, n_bytes + sizeof("…"));
	if (!copy)
		return NULL;
	memcpy(copy, text, n_bytes);
	strcpy(copy + n_bytes, "…");
	return copy;
}

/* A name of strangers as a part of a line. */
static void put_name(struct ompp_text *t, const char *name, struct ompp_arena *arena)
{
	const char *clean = ompp_clean_copy(name, 0, arena), *cut = clean ? fit(clean, NAME_COLUMNS, arena) : NULL;

	ompp_text_str(t, cut ? cut : "");
}

static void put_count(struct ompp_text *t, uint64_t n, const char *one, const char *many)
{
	ompp_text_u64(t, n);
	ompp_text_char(t, ' ');
	ompp_text_str(t, n == 1 ? one : many);
}

/* "0.4398 s": four digits or more below ten seconds. */
static void put_seconds(struct ompp_text *t, int64_t ns)
{
	unsigned int n = 2;

	for (int64_t bound = 10000000000; n < 9 && ns && ns > -bound && ns < bound; bound /= 10)
		n++;
	ompp_text_fixed(t, ns, 9, n);
	ompp_text_str(t, " s");
}

/* What is special about the run: ", ended by signal 11, MPI rank 1/4"; nothing when nothing is. */
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

/* "imbalance: wall time 0.4398 s, CPU time 0.8710 s, 2 threads"; a second line where one is too short. */
static const char *headline(const struct ompp_analysis *a, size_t *n_lines)
{
	const struct ompp_profile *p = a->profile;
	struct line l, state;
	struct ompp_text *t = begin(&l);

	put_name(t, p->app, a->arena);
	ompp_text_str(t, ": wall time ");
	put_seconds(t, p->duration_ns);
	if (p->user_ns != OMPP_MISSING && p->system_ns != OMPP_MISSING) {
		ompp_text_str(t, ", CPU time ");
		put_seconds(t, ompp_add(p->user_ns, p->system_ns));
	}
	ompp_text_str(t, ", ");
	put_count(t, a->n_threads, "thread", "threads");
	if (p->n_merged) {
		ompp_text_str(t, " in ");
		put_count(t, p->n_merged, p->mpi_rank >= 0 ? "MPI rank" : "process", p->mpi_rank >= 0 ? "MPI ranks" : "processes");
	}
	put_state(begin(&state), p);
	*n_lines = 1;
	if (ompp_text_columns(l.buffer) + ompp_text_columns(state.buffer) > LINE_COLUMNS) {
		ompp_text_str(t, "\n ");
		ompp_text_str(t, state.buffer + 1);
		*n_lines = 2;
	} else {
		ompp_text_str(t, state.buffer);
	}
	return ompp_arena_strdup(a->arena, l.buffer);
}

/* ---- shares ---- */

struct share { int64_t ns; int is_optional; const char *words; };

enum { N_SHARES = 4 + OMPP_N_OVERHEADS };

/* All parts of the threads' time, which add up to it. */
static void divide(const struct ompp_analysis *a, const struct ompp_classes *c, struct share shares[N_SHARES])
{
	int64_t rest_ns = ompp_add(a->capacity_ns, -ompp_add(c->sum.total_ns, c->sum.cost_ns)), work_ns = c->sum.total_ns;
	int64_t serial_ns, cost_ns;
	int is_known = c->serial_ns != OMPP_MISSING;

	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		work_ns = ompp_add(work_ns, -c->sum.overhead_ns[k]);
	if (rest_ns < 0)
		rest_ns = 0;
	if (!is_known || __builtin_mul_overflow(c->serial_ns, (int64_t)a->n_threads, &serial_ns) || serial_ns > rest_ns)
		serial_ns = rest_ns;
	rest_ns -= serial_ns;
	cost_ns = ompp_add(a->profile->cost_ns, -c->sum.cost_ns);       /* outside of teams */
	cost_ns = cost_ns < 0 ? 0 : cost_ns > serial_ns ? serial_ns : cost_ns;
	serial_ns -= cost_ns;
	cost_ns = ompp_add(cost_ns, c->sum.cost_ns);
	shares[0] = (struct share){ work_ns, 0, "work in parallel regions" };
	shares[1] = (struct share){ c->sum.overhead_ns[OMPP_SYNCH], 0,
		"waiting: critical, lock, atomic, barrier (synchronisation)" };
	shares[2] = (struct share){ c->sum.overhead_ns[OMPP_IMBAL], 0,
		"waiting: at the end of a loop or region (imbalance)" };
	shares[3] = (struct share){ c->sum.overhead_ns[OMPP_LIMPAR], 0,
		"waiting: single, or too few sections (limited parallelism)" };
	shares[4] = (struct share){ c->sum.overhead_ns[OMPP_MGMT], 0,
		"making and ending teams (management)" };
	shares[5] = (struct share){ serial_ns, 0, is_known ? "outside of parallel regions: one thread works (serial part)"
	                                                   : "outside of parallel regions, or in no team" };
	shares[6] = (struct share){ rest_ns, 1, "in no team while other threads were in one" };
	shares[7] = (struct share){ cost_ns, 1, "the profiler's own cost, in none of the above" };
}

/* Parts of less than 0.005 % are left out where they may be. */
static int is_shown(const struct ompp_analysis *a, const struct share *s)
{
	return !s->is_optional || ompp_share(s->ns, a->capacity_ns) >= 50000;
}

static void number_columns(struct ompp_table *table, const char *time, const char *share, const char *words)
{
	ompp_table_column(table, time, OMPP_IN_BOTH);
	ompp_table_column(table, share, OMPP_IN_BOTH);
	ompp_table_left_column(table, "what", OMPP_IN_BOTH);
	if (table->rc)
		return;
	table->columns[2].text_title = words;
	table->columns[0].min_width = TIME_COLUMNS;
	table->columns[1].min_width = SHARE_COLUMNS;
}

static int put_shares(const struct ompp_analysis *a, const struct share *shares, const char *heading, int is_tight,
                      struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	struct line l;
	struct ompp_text *t = begin(&l);

	ompp_text_str(t, "of all threads' time: ");
	ompp_text_u64(t, a->n_threads);
	ompp_text_str(t, " x ");
	put_seconds(t, a->measured_ns);
	ompp_table_start(table, OMPP_STYLE_GRID, "shares", heading);
	table->is_tight = is_tight;
	number_columns(table, "seconds", "share", ompp_arena_strdup(a->arena, l.buffer));
	for (int i = 0; i < N_SHARES; i++)
		if (is_shown(a, &shares[i])) {
			ompp_table_number(table, OMPP_KIND_TIME, shares[i].ns);
			ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(shares[i].ns, a->capacity_ns));
			ompp_table_text(table, shares[i].words);
		}
	return sheet->put(sheet);
}

/* ---- findings ---- */

/* "imbalance in parallel loop" of ImbalanceInParallelLoop; capitals that stand together stay. */
static void put_words(struct ompp_text *t, const char *name)
{
	for (size_t i = 0; name[i]; i++) {
		int is_upper = name[i] >= 'A' && name[i] <= 'Z';
		int was_upper = i && name[i - 1] >= 'A' && name[i - 1] <= 'Z', will_be = name[i + 1] >= 'A' && name[i + 1] <= 'Z';

		if (i && is_upper && (!was_upper || !will_be))
			ompp_text_char(t, ' ');
		ompp_text_char(t, is_upper && !was_upper && !will_be ? ompp_text_lower(name[i]) : name[i]);
	}
}

/* "LOOP a.c (12-16): imbalance in parallel loop" */
static const char *finding_text(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	const char *place = ompp_finding_place(a, f);
	struct line l;
	struct ompp_text *t = begin(&l);

	if (!place)
		return NULL;
	ompp_text_str(t, place);
	ompp_text_str(t, ": ");
	put_words(t, f->name);
	return fit(l.buffer, WORDS_COLUMNS, a->arena);
}

/* "3 findings, worst first; what to try: see properties" */
static const char *findings_title(const struct ompp_analysis *a, const struct ompp_findings *f, size_t n)
{
	struct line l;
	struct ompp_text *t = begin(&l);

	if (n < f->n) {
		ompp_text_str(t, "the worst ");
		ompp_text_u64(t, n);
		ompp_text_str(t, " of ");
	}
	put_count(t, f->n, "finding", "findings");
	ompp_text_str(t, n == f->n && n > 1 ? ", worst first" : "");
	ompp_text_str(t, "; what to try: see properties");
	return ompp_arena_strdup(a->arena, l.buffer);
}

/* "no finding of 1.00 % or more of all threads' time, 2 of less" */
static const char *no_findings(const struct ompp_analysis *a, const struct ompp_findings *f)
{
	struct line l;
	struct ompp_text *t = begin(&l);

	ompp_text_str(t, f->least ? "no finding of " : "no findings");
	if (f->least) {
		ompp_text_fixed(t, f->least, 7, 2);
		ompp_text_str(t, " % or more");
	}
	if (f->n_below) {
		ompp_text_str(t, ", ");
		ompp_text_u64(t, f->n_below);
		ompp_text_str(t, " of less");
	}
	return ompp_arena_strdup(a->arena, l.buffer);
}

static int put_findings(const struct ompp_analysis *a, const struct ompp_findings *f, size_t n, int is_tight,
                        struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "worst findings", "");
	table->is_tight = is_tight;
	number_columns(table, "saves up to", "costs", findings_title(a, f, n));
	for (size_t i = 0; i < n; i++) {
		ompp_table_number(table, OMPP_KIND_TIME, f->list[i].gain_ns);
		ompp_table_number(table, OMPP_KIND_SHARE, f->list[i].severity);
		ompp_table_text(table, finding_text(a, &f->list[i]));
	}
	return sheet->put(sheet);
}

/* ---- data, and what was not measured ---- */

static const char *cost_unit(const struct ompp_traffic *t)
{
	enum ompp_traffic_kind last = ompp_traffic_last_level(t);

	return last != OMPP_N_TRAFFIC ? ompp_traffic_title(last) : ompp_traffic_has(t->all_known, OMPP_TRAFFIC_BYTES) ? "bytes" : "accesses";
}

/* "data by bytes (hooks): a 61.20 %, x 30.11 %, 3 more; see data" */
static const char *data_line(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t *cost = ompp_arena_alloc(a->arena, (p->n_objects + 1) * sizeof(*cost)), all = 0;
	size_t n_shown = 0, n_named = 0;
	struct line l;
	struct ompp_text *t = begin(&l);

	if (!cost)
		return NULL;
	for (size_t i = 0; i < p->n_accesses; i++) {
		int64_t values[OMPP_N_TRAFFIC], one;

		ompp_traffic_of(p, &p->accesses[i], values);
		one = ompp_traffic_cost(a->traffic, values);
		if (one > 0) {
			cost[p->accesses[i].object] = ompp_add(cost[p->accesses[i].object], one);
			all = ompp_add(all, one);
		}
	}
	for (size_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		n_named += cost[i] > 0;
	ompp_text_str(t, "data by ");
	ompp_text_str(t, ompp_traffic_last_level(a->traffic) != OMPP_N_TRAFFIC ? "modelled " : "");
	ompp_text_str(t, cost_unit(a->traffic));
	ompp_text_str(t, " (");
	ompp_text_str(t, p->data_method);
	ompp_text_char(t, ')');
	for (; n_shown < n_named && n_shown < MOST_OBJECTS; n_shown++) {
		size_t best = OMPP_OBJECT_FIRST_NAMED;

		for (size_t i = best; i < p->n_objects; i++)
			best = cost[i] > cost[best] ? i : best;
		ompp_text_str(t, n_shown ? ", " : ": ");
		put_name(t, p->objects[best].name, a->arena);
		ompp_text_char(t, ' ');
		ompp_text_fixed(t, ompp_share(cost[best], all), 7, 2);
		ompp_text_str(t, " %");
		cost[best] = 0;
	}
	if (n_shown < n_named) {
		ompp_text_str(t, ", ");
		ompp_text_u64(t, n_named - n_shown);
		ompp_text_str(t, " more");
	}
	ompp_text_str(t, n_named ? "; see data" : ": no named object was touched");
	return fit(l.buffer, LINE_COLUMNS, a->arena);
}

static const char *condition(const struct ompp_profile *p, const char *label)
{
	for (size_t i = 0; i < p->n_conditions; i++)
		if (!strcmp(p->conditions[i].label, label))
			return p->conditions[i].value;
	return NULL;
}

/* One more thing that was not measured: what it is, and its name. */
static void put_missing(struct ompp_text *t, size_t n_before, const char *what, const char *name,
                        struct ompp_arena *arena)
{
	ompp_text_str(t, n_before ? ", " : "not measured: ");
	ompp_text_str(t, what);
	put_name(t, name, arena);
}

/* "not measured: 2 constructs of 1 file, counter PAPI_TOT_INS; own cost above 10 %: 1 region"; NULL when all was measured
 * well, or without memory. */
static const char *missing_line(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	const char *constructs = condition(p, "Not Measured");
	size_t n_costly = 0, n = 0;
	struct line l;
	struct ompp_text *t = begin(&l);

	if (constructs)
		put_missing(t, n++, constructs, "", a->arena);
	for (size_t i = 0; i < p->n_metrics; i++)
		if (p->metrics[i].certainty == OMPP_NOT_COUNTED)
			put_missing(t, n++, "counter ", p->metrics[i].name, a->arena);
	for (size_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		if (!p->objects[i].measured)
			put_missing(t, n++, "data ", p->objects[i].name, a->arena);
	for (size_t i = 0; i < p->n_regions; i++)
		n_costly += p->regions[i].costly != 0;
	if (n_costly) {
		ompp_text_str(t, n ? "; own cost above 10 %: " : "own cost above 10 %: ");
		put_count(t, n_costly, "region", "regions");
		ompp_text_str(t, ", marked [costly]");
	}
	return t->n_bytes ? fit(l.buffer, LINE_COLUMNS, a->arena) : NULL;
}

/* "note: 3 events were charged to (lost), …; 2 more, see general"; NULL when there is none, or without memory. */
static const char *note_line(const struct ompp_analysis *a)
{
	static const char more[] = "; 9999 more, see general";
	const struct ompp_profile *p = a->profile;
	const char *note, *cut;
	struct line l;
	struct ompp_text *t = begin(&l);

	if (!p->n_notes)
		return NULL;
	ompp_text_str(t, "note: ");
	if (p->notes[0].n) {
		ompp_text_u64(t, p->notes[0].n);
		ompp_text_char(t, ' ');
	}
	note = ompp_clean_copy(p->notes[0].text, 0, a->arena);
	ompp_text_str(t, note ? note : "");
	if (p->n_notes == 1)
		return fit(l.buffer, LINE_COLUMNS, a->arena);
	cut = fit(l.buffer, LINE_COLUMNS - sizeof(more), a->arena);
	t = begin(&l);
	ompp_text_str(t, cut ? cut : "");
	ompp_text_str(t, "; ");
	ompp_text_u64(t, p->n_notes - 1);
	ompp_text_str(t, " more, see general");
	return fit(l.buffer, LINE_COLUMNS, a->arena);
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

static int build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const char *lines[MOST_LINES], *line, *heading;
	struct ompp_classes classes;
	struct ompp_findings findings;
	struct share shares[N_SHARES];
	size_t n_lines = 0, n_findings, used, least;
	int rc = ompp_classes(a, &classes), is_tight;

	if (!rc)
		rc = ompp_findings(a, &findings);
	if (rc)
		return rc;
	heading = headline(a, &used);
	used += BANNER_LINES + (a->profile->hooked != 0) + 2;           /* titles, and the empty line at the end */
	divide(a, &classes, shares);
	for (int i = 0; i < N_SHARES; i++)
		used += (size_t)is_shown(a, &shares[i]);
	if (!findings.n)
		lines[n_lines++] = no_findings(a, &findings);
	if (a->traffic && (line = data_line(a)))
		lines[n_lines++] = line;
	if ((line = missing_line(a)))
		lines[n_lines++] = line;
	if ((line = note_line(a)))
		lines[n_lines++] = line;
	used += n_lines;
	n_findings = findings.n < MOST_FINDINGS ? findings.n : MOST_FINDINGS;
	least = used + (n_findings != 0);
	if (n_findings > LINES - least)
		n_findings = LINES - least;
	is_tight = least + n_findings + (n_findings != 0) + (n_lines != 0) > LINES;
	rc = put_shares(a, shares, heading, is_tight && (n_findings || n_lines), sheet);
	if (!rc && n_findings)
		rc = put_findings(a, &findings, n_findings, is_tight && n_lines, sheet);
	if (!rc && n_lines)
		rc = put_lines(lines, n_lines, sheet);
	return rc;
}

const struct ompp_view ompp_view_summary = {
	.name = "summary", .title = "Summary", .tag = "summary", .build = build, .has_times = 1, .is_for_people = 1
};
