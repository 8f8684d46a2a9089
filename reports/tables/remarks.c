/*
 * Remarks: see remarks.h.
 */
#include "reports/tables/remarks.h"

#include <string.h>

#include "reports/analysis/label.h"
#include "reports/analysis/traffic.h"
#include "reports/findings/course_few.h"
#include "reports/findings/finding_say.h"
#include "reports/tables/fit.h"
#include "reports/tables/remark_work.h"
#include "runtime/base/array.h"
#include "runtime/base/clean.h"
#include "runtime/host/note.h"

enum { LEAST_NAME = 8 };
enum { MOST_OBJECTS = 3, LEAST_SHARE = 100000000 /* of the sampled latency, for a source line to be named */ };

/* Returns "no finding of 1.00 % or more, 2 of less". */
static const char *no_findings(const struct ompp_analysis *a, const struct ompp_findings *f)
{
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);

	if (a->profile->is_damaged)
		return "no findings, as the profile is damaged";
	if (ompp_profile_is_emulated(a->profile))
		return "no findings, as times are the emulator's";
	if (a->profile->n_nodes < 2)
		return "no OpenMP was seen: was the program built by kinst, and ran it regions?";
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

/* Returns "0.0180 s are too short to tell what the machine does to it: run a second or more", or what is not sure
 * because of that: "R00001: work of threads differs by 16.9 %: run it a second or more to know why". */
static const char *short_line(const struct ompp_analysis *a, const struct ompp_findings *f)
{
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);

	if (f->is_short) {
		ompp_say_seconds(t, a->measured_ns, 3);
		ompp_text_str(t, " s are too short to tell what the machine does to it: run a second or more");
	} else if (f->unsure_milli) {
		const char *tag = ompp_region_tag(&a->profile->regions[f->unsure_region],
		                                  ": work of threads differs by ", a->arena);

		ompp_text_str(t, tag ? tag : "");
		ompp_text_fixed(t, f->unsure_milli, 1, 1);
		ompp_text_str(t, " %: run it a second or more to know why");
	} else {
		return NULL;
	}
	return ompp_arena_strdup(a->arena, l.buffer);
}

/* Is it other programs alone that the first finding is about, and is there one about the program itself? */
static int is_beside_others(const struct ompp_findings *f)
{
	return f->n > 1 && !strcmp(f->list[0].name, "ProcessorTakenAway");
}

const char *ompp_remark_advice(const struct ompp_analysis *a, const struct ompp_findings *f, size_t n_lines)
{
	const char *advice = f->n ? f->list[is_beside_others(f)].advice : "";
	const char *start = is_beside_others(f) ? "to try first, on a quiet machine: " : "to try first: ";
	struct ompp_fit_line l;

	for (size_t n_bytes = strlen(advice), most = n_bytes; n_bytes > 0;) {
		struct ompp_text *t = ompp_fit_begin(&l);

		ompp_text_str(t, start);
		ompp_text_strn(t, advice, n_bytes);
		if (n_bytes < most && n_bytes < a->columns / 2)
			break;
		if (ompp_fit_lines(l.buffer, a->line_columns, OMPP_REMARK_INDENT) <= n_lines)
			return ompp_arena_strdup(a->arena, l.buffer);
		do
			n_bytes--;
		while (n_bytes && (advice[n_bytes - 1] != '.' || advice[n_bytes] != ' '));
	}
	if (!*advice)
		return NULL;
	ompp_text_str(ompp_fit_begin(&l), start);
	ompp_text_str(&l.text, advice);
	return ompp_fit(l.buffer, a->columns, a->arena);
}

static const char *cost_unit(const struct ompp_traffic *t)
{
	if (t->cost >= OMPP_TRAFFIC_L1)
		return ompp_traffic_title(t->cost);
	return ompp_traffic_has(t->all_known, OMPP_TRAFFIC_BYTES) ? "bytes" : "accesses";
}

/* Adds "a 61.20 %". */
static void put_object(struct ompp_text *t, const char *name, int64_t share, struct ompp_arena *arena)
{
	ompp_fit_name(t, name, arena);
	ompp_text_char(t, ' ');
	ompp_text_fixed(t, share, 7, 2);
	ompp_text_str(t, " %");
}

/* Adds ", 3 more; see data". */
static void put_tail(struct ompp_text *t, size_t n_more)
{
	if (n_more) {
		ompp_text_str(t, ", ");
		ompp_text_u64(t, n_more);
		ompp_text_str(t, " more");
	}
	ompp_text_str(t, "; see data");
}

/* Returns "data by bytes (hooks): a 61.20 %, x 30.11 %, 3 more; see data", or how data would get names. */
static const char *data_line(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t *cost = ompp_arena_alloc(a->arena, (p->n_objects + 1) * sizeof(*cost)), all = 0;
	size_t n_shown = 0, n_named = 0;
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);

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
		struct ompp_fit_line one, tail;

		for (size_t i = best; i < p->n_objects; i++)
			best = cost[i] > cost[best] ? i : best;
		put_object(ompp_fit_begin(&one), p->objects[best].name, ompp_share(cost[best], all), a->arena);
		put_tail(ompp_fit_begin(&tail), n_named - n_shown - 1);
		if (n_shown &&
		    ompp_text_columns(l.buffer) + 2 + ompp_text_columns(one.buffer) + ompp_text_columns(tail.buffer) >
		            a->columns)
			break;
		ompp_text_str(t, n_shown ? ", " : ": ");
		ompp_text_str(t, one.buffer);
		cost[best] = 0;
	}
	if (!n_named && ompp_traffic_last_level(a->traffic) != OMPP_N_TRAFFIC)
		return ompp_remark_memory(a);
	if (n_named)
		put_tail(t, n_named - n_shown);
	else
		ompp_text_str(t, p->all_objects ? ": no named object was touched"
		                                : ": nothing has a name: ompp run --objects");
	return ompp_fit(l.buffer, a->columns, a->arena);
}

/* Returns the first record of the source line with most latency; NULL when no latency is known.  Also gets the latency
 * of the line, and that of all lines. */
static const struct ompp_sampled_line *hottest_line(const struct ompp_profile *p, int64_t *most, int64_t *all)
{
	const struct ompp_sampled_line *best = NULL, *l = p->sample_lines;
	size_t end;

	*most = *all = 0;
	for (size_t i = 0; i < p->n_sample_lines; i = end) {
		int64_t ticks = 0;

		for (end = i; end < p->n_sample_lines && l[end].line == l[i].line && !strcmp(l[end].file, l[i].file);
		     end++)
			ticks = ompp_add(ticks, l[end].sum.latency_ticks);
		*all = ompp_add(*all, ticks);
		if (ticks > *most && l[i].line) {
			*most = ticks;
			best = &l[i];
		}
	}
	return best;
}

/* Adds a name, which loses its middle when it has more columns than this, or more than LEAST_NAME if that is more. */
static void put_short(struct ompp_text *t, const char *name, size_t n_columns, struct ompp_arena *arena)
{
	const char *clean = ompp_clean_copy(name, 0, arena);

	ompp_fit_middle(t, clean ? clean : "", n_columns < LEAST_NAME ? LEAST_NAME : n_columns);
}

/* Returns "memory (pebs): 97 % of the latency at a.c:14, most for a; see lines"; NULL when no line stands out. */
static const char *sample_line(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t most, all, *ticks = ompp_arena_alloc(a->arena, (p->n_objects + 1) * sizeof(*ticks));
	const struct ompp_sampled_line *line = hottest_line(p, &most, &all);
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);
	const char *base;
	size_t best = 0, room;

	if (!line || !ticks || ompp_share(most, all) < LEAST_SHARE)
		return NULL;
	for (const struct ompp_sampled_line *i = line;
	     i < p->sample_lines + p->n_sample_lines && i->line == line->line && !strcmp(i->file, line->file); i++) {
		ticks[i->object] = ompp_add(ticks[i->object], i->sum.latency_ticks);
		best = ticks[i->object] > ticks[best] || !ticks[best] ? i->object : best;
	}
	base = strrchr(line->file, '/');
	ompp_text_str(t, "memory (");
	ompp_text_str(t, p->sample_source);
	ompp_text_str(t, "): ");
	ompp_text_fixed(t, ompp_share(most, all), 7, 0);
	ompp_text_str(t, " % of the latency at ");
	room = a->columns - ompp_text_columns(l.buffer) - sizeof(":99999, most for ; see lines");
	put_short(t, base ? base + 1 : line->file, room / 2, a->arena);
	ompp_text_char(t, ':');
	ompp_text_u64(t, line->line);
	ompp_text_str(t, ", most for ");
	put_short(t, p->objects[best].name, room / 2, a->arena);
	ompp_text_str(t, "; see lines");
	return ompp_fit(l.buffer, a->columns, a->arena);
}

/* What was not measured, as a list of names, as many as fit into the line. */
struct missing {
	const struct ompp_analysis *a;
	struct ompp_fit_line line;
	size_t n, n_put; /* how many there are, and are in the line */
};

/* Adds one more, of n_all: what it is, and its name.  n_all is 0 while they are counted. */
static void put_missing(struct missing *m, size_t n_all, const char *what, const char *name)
{
	struct ompp_fit_line one;
	struct ompp_text *t = ompp_fit_begin(&one);
	size_t n_tail = ++m->n < n_all ? sizeof(", 999 more") : 0;

	if (!n_all || m->n_put + 1 < m->n)
		return;
	ompp_text_str(t, m->n_put ? ", " : "not measured: ");
	ompp_text_str(t, what);
	ompp_fit_name(t, name, m->a->arena);
	if (m->n_put && ompp_text_columns(m->line.buffer) + ompp_text_columns(one.buffer) + n_tail > m->a->columns)
		return;
	ompp_text_str(&m->line.text, one.buffer);
	m->n_put++;
}

static void put_all_missing(struct missing *m, size_t n_all)
{
	const struct ompp_analysis *a = m->a;
	const struct ompp_profile *p = a->profile;
	const char *constructs = ompp_profile_condition(p, "Not Measured");

	m->n = 0;
	if (constructs[0])
		put_missing(m, n_all, constructs, "");
	for (size_t i = 0; i < p->n_metrics; i++)
		if (p->metrics[i].certainty == OMPP_NOT_COUNTED)
			put_missing(m, n_all, "counter ", p->metrics[i].name);
	for (size_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		if (!p->objects[i].measured && p->objects[i].origin != OMPP_ORIGIN_FILE && a->traffic &&
		    a->traffic->is_counted)
			put_missing(m, n_all, "data ", p->objects[i].name);
}

/* Returns "not measured: 2 constructs of 1 file, counter PAPI_TOT_INS; own cost may be above 10 %: 1 region
 * [costly]"; NULL when all
 * was measured well, or without memory. */
static const char *missing_line(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct missing m = { .a = a };
	struct ompp_text *t = ompp_fit_begin(&m.line);
	size_t n_costly = 0, n_sampled = 0;
	int64_t error_ns = 0;

	put_all_missing(&m, 0);
	if (m.n)
		put_all_missing(&m, m.n);
	for (size_t i = 0; i < p->n_regions; i++) {
		n_costly += p->regions[i].costly != 0;
		n_sampled += a->sums[0][i].n_untimed != 0;
		error_ns = ompp_error_add(error_ns, a->sums[0][i].error_ns);
	}
	if (m.n > m.n_put) {
		ompp_text_str(t, ", ");
		ompp_text_u64(t, m.n - m.n_put);
		ompp_text_str(t, " more");
	}
	if (n_costly) {
		ompp_text_str(t, m.n ? "; own cost may be above 10 %: " : "own cost may be above 10 %: ");
		ompp_fit_count(t, n_costly, "region", "regions");
		ompp_text_str(t, " [costly]");
	}
	if (n_sampled) {
		ompp_text_str(t, m.n || n_costly ? "; times ~: " : "times ~: ");
		ompp_fit_count(t, n_sampled, "region", "regions");
		ompp_text_str(t, ", +- ");
		ompp_say_time(t, error_ns);
	}
	return t->n_bytes ? ompp_fit(m.line.buffer, a->columns, a->arena) : NULL;
}

/* Returns the note that the summary has a line for: the damage, or the first one that tells of a loss; NULL for none.
 * That work and span are not there, which nobody has to ask for, is said by their own section alone. */
static const struct ompp_profile_note *note_to_say(const struct ompp_profile *p)
{
	if (p->is_damaged)
		return p->n_notes ? &p->notes[p->n_notes - 1] : NULL;
	for (size_t i = 0; i < p->n_notes; i++)
		if (!strstr(p->notes[i].text, OMPP_NOTE_SPAN_REASON))
			return &p->notes[i];
	return NULL;
}

/* Returns "note: 3 events were charged to (lost), …; 2 more, see general"; NULL without notes or memory. */
static const char *note_line(const struct ompp_analysis *a)
{
	static const char more[] = "; 9999 more, see general";
	const struct ompp_profile *p = a->profile;
	const struct ompp_profile_note *first = note_to_say(p);
	const char *note, *cut;
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);

	if (!first)
		return NULL;
	ompp_text_str(t, "note: ");
	if (first->n) {
		ompp_text_u64(t, first->n);
		ompp_text_char(t, ' ');
	}
	note = ompp_clean_copy(first->text, 0, a->arena);
	ompp_text_str(t, note ? note : "");
	if (p->n_notes == 1)
		return ompp_fit(l.buffer, a->columns, a->arena);
	cut = ompp_fit(l.buffer, a->columns - sizeof(more), a->arena);
	t = ompp_fit_begin(&l);
	ompp_text_str(t, cut ? cut : "");
	ompp_text_str(t, "; ");
	ompp_text_u64(t, p->n_notes - 1);
	ompp_text_str(t, " more, see general");
	return ompp_fit(l.buffer, a->columns, a->arena);
}

/* Returns "course: the last 20.1 % of the run (0.201 s) had 1.0 of 8 threads at work". */
static const char *course_line(const struct ompp_analysis *a, const struct ompp_findings *f)
{
	struct ompp_fit_line l;
	struct ompp_text *t = ompp_fit_begin(&l);
	const char *few;

	if (f->is_short || ompp_course_say_few(a, 0, &few) || !few || !few[0])
		return NULL;
	ompp_text_str(t, "course: ");
	ompp_text_char(t, few[0] == 'T' ? 't' : few[0]);
	ompp_text_strn(t, few + 1, strlen(few) - 2);
	return ompp_arena_strdup(a->arena, l.buffer);
}

/* Is the first note about something that was lost, and so counted? */
static int has_losses(const struct ompp_profile *p)
{
	const struct ompp_profile_note *note = note_to_say(p);

	return note && note->n;
}

size_t ompp_remarks(const struct ompp_analysis *a, const struct ompp_findings *findings, size_t n_most,
                    const char *lines[OMPP_MOST_REMARKS], size_t *advice)
{
	enum { COURSE = 5, NOTE = 7, ADVICE = 8 };
	static const size_t least[] = { NOTE, COURSE }; /* the first of them says least */
	/* those that come last are left out first where lines are few */
	const char *candidates[OMPP_MOST_REMARKS] = { findings->n ? NULL : no_findings(a, findings),
		                                      short_line(a, findings),
		                                      a->traffic && a->traffic->is_counted ? data_line(a) : NULL,
		                                      sample_line(a),
		                                      ompp_remark_hot(a),
		                                      course_line(a, findings),
		                                      missing_line(a),
		                                      note_line(a),
		                                      ompp_remark_advice(a, findings, 1),
		                                      a->traffic ? ompp_remark_lines(a) : ompp_remark_next(a) };
	size_t n = 0, n_all = 0;

	for (size_t i = 0; i < OMPP_MOST_REMARKS; i++)
		n_all += candidates[i] != NULL;
	if (candidates[ADVICE] && strstr(candidates[ADVICE], "\u2026")) /* what is cut in one line gets a line more */
		n_all++;
	for (size_t i = has_losses(a->profile); i < OMPP_COUNT_OF(least) && n_all > n_most; i++) {
		n_all -= candidates[least[i]] != NULL;
		candidates[least[i]] = NULL;
	}
	*advice = OMPP_MOST_REMARKS;
	for (size_t i = 0; i < OMPP_MOST_REMARKS; i++)
		if (candidates[i]) {
			if (i == ADVICE)
				*advice = n;
			lines[n++] = candidates[i];
		}
	return n;
}
