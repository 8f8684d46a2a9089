/*
 * General Information: what ran, when, how long, under which conditions, and what the reader must know about losses.
 */
#include "reports/views/view.h"

#include <errno.h>
#include <string.h>

#include "reports/views/formula.h"
#include "reports/views/numa.h"
#include "reports/views/sort.h"
#include "reports/views/traffic.h"
#include "runtime/base/text.h"

/* A fact whose value is written into t, a text on a buffer of the stack. */
static void fact(struct ompp_table *table, const char *label, struct ompp_text *t)
{
	char *copy = ompp_arena_strdup(table->arena, t->data);

	if (!copy)
		table->rc = -ENOMEM;
	ompp_table_text(table, label);
	ompp_table_text(table, copy);
	t->n_bytes = 0;
	t->data[0] = '\0';
}

static void text_fact(struct ompp_table *table, const char *label, const char *value)
{
	ompp_table_text(table, label);
	ompp_table_text(table, value);
}

static void number_fact(struct ompp_table *table, const char *label, int64_t value)
{
	ompp_table_text(table, label);
	ompp_table_number(table, OMPP_KIND_COUNT, value);
}

/* "Fri Nov 20 21:10:58 2026", local time at the start of the run.  Days since 1970 to a date: years that begin in
 * March, so that the leap day is the last one. */
static void put_date(struct ompp_text *t, int64_t unix_ns, int64_t offset_s)
{
	static const char weekdays[] = "ThuFriSatSunMonTueWed", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	int64_t s = unix_ns / 1000000000 + (offset_s > -86400 && offset_s < 86400 ? offset_s : 0);
	int64_t day = s / 86400 - (s % 86400 < 0), second = s - day * 86400;
	int64_t shifted = day + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	int64_t of_era = shifted - era * 146097;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
	int64_t date = of_year - (153 * month + 2) / 5 + 1, weekday = (day % 7 + 7) % 7;
	size_t from;

	month += month < 10 ? 2 : -10;
	ompp_text_strn(t, weekdays + 3 * weekday, 3);
	ompp_text_char(t, ' ');
	ompp_text_strn(t, months + 3 * month, 3);
	ompp_text_char(t, ' ');
	from = t->n_bytes;
	ompp_text_i64(t, date);
	ompp_text_pad_left(t, from, 2);
	ompp_text_char(t, ' ');
	ompp_text_zeros(t, (uint64_t)(second / 3600), 2);
	ompp_text_char(t, ':');
	ompp_text_zeros(t, (uint64_t)(second / 60 % 60), 2);
	ompp_text_char(t, ':');
	ompp_text_zeros(t, (uint64_t)(second % 60), 2);
	ompp_text_char(t, ' ');
	ompp_text_i64(t, year + era * 400 + (month <= 1));
}

/* "7.39 sec": two decimals, or more below ten seconds. */
static void put_seconds(struct ompp_text *t, int64_t ns)
{
	unsigned int n = 2;

	for (int64_t bound = 1000000000; n < 9 && ns && ns > -bound && ns < bound; bound /= 10)
		n++;
	ompp_text_fixed(t, ns, 9, n);
	ompp_text_str(t, " sec");
}

static void cost_facts(const struct ompp_profile *p, struct ompp_table *table, struct ompp_text *t)
{
	ompp_text_fixed(t, p->cost_ps, 3, 1);
	ompp_text_str(t, " ns for an enter and an exit, ");
	put_seconds(t, p->cost_ns);
	ompp_text_str(t, " in all threads, already taken out of the times");
	fact(table, "Own Cost", t);
	number_fact(table, "Events", ompp_count(p->n_events));
	if (p->filter[0]) {
		char *line = ompp_arena_alloc(table->arena, strlen(p->filter) + 32);
		struct ompp_text filter;

		if (!line) {
			table->rc = -ENOMEM;
			return;
		}
		ompp_text_init(&filter, line, strlen(p->filter) + 32);
		ompp_text_str(&filter, "OMPP_FILTER='");
		ompp_text_str(&filter, p->filter);
		ompp_text_char(&filter, '\'');
		text_fact(table, "Costly Regions", "own cost may be above 10 % of their time; to leave them out, set");
		text_fact(table, "", line);
	}
}

static void note_fact(const struct ompp_profile_note *note, struct ompp_table *table)
{
	size_t n = strlen(note->text) + 40;
	char *line = ompp_arena_alloc(table->arena, n);
	struct ompp_text t;

	if (!line) {
		table->rc = -ENOMEM;
		return;
	}
	ompp_text_init(&t, line, n);
	if (note->n) {
		ompp_text_u64(&t, note->n);
		ompp_text_char(&t, ' ');
	}
	ompp_text_str(&t, note->text);
	text_fact(table, "Note", line);
}

/* The variable that asked for number i: "OMPP_CTR2". */
static void variable(struct ompp_table *table, const char *name, size_t i)
{
	char buffer[32];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, name);
	ompp_text_u64(&t, i + 1);
	ompp_table_text(table, ompp_arena_strdup(table->arena, buffer));
}

/* Texts one behind the other, as a value. */
static void joined(struct ompp_table *table, const char *const *texts, size_t n_texts)
{
	size_t n = 1;
	char *line;
	struct ompp_text t;

	for (size_t i = 0; i < n_texts; i++)
		n += strlen(texts[i]);
	line = ompp_arena_alloc(table->arena, n);
	if (!line) {
		table->rc = -ENOMEM;
		return;
	}
	ompp_text_init(&t, line, n);
	for (size_t i = 0; i < n_texts; i++)
		ompp_text_str(&t, texts[i]);
	ompp_table_text(table, line);
}

/* "L3_MISSES in lines, scaled, counted 48 % of the time"; "PAPI_TOT_INS, not counted: no PMU …". */
static void metric_fact(struct ompp_table *table, size_t i, const struct ompp_metric *m, const char *where)
{
	const char *const texts[] = {
		m->name, m->unit[0] ? " in " : "", m->unit, ", ", ompp_certainty_name(m->certainty),
		!m->detail[0] ? "" : m->certainty == OMPP_NOT_COUNTED ? ": " : ", ", m->detail, where
	};

	variable(table, "OMPP_CTR", i);
	joined(table, texts, sizeof(texts) / sizeof(texts[0]));
}

/* "ratio = a/b, scaled". */
static void formula_fact(struct ompp_table *table, size_t i, const struct ompp_formula *f)
{
	const struct ompp_eval *e = f->eval;
	int is_named = strcmp(e->name, e->expression) != 0, is_missing = f->certainty == OMPP_NOT_COUNTED;
	const char *const texts[] = {
		is_named ? e->name : "", is_named ? " = " : "", e->expression,
		e->unit[0] ? " in " : "", e->unit,
		f->certainty == OMPP_EXACT ? "" : ", ",
		f->certainty == OMPP_EXACT ? "" : is_missing ? "not computed: " : ompp_certainty_name(f->certainty),
		f->why
	};

	variable(table, "OMPP_EVAL", i);
	joined(table, texts, sizeof(texts) / sizeof(texts[0]));
}

static void counter_facts(const struct ompp_analysis *a, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;

	for (size_t i = 0; i < p->n_metrics; i++)
		metric_fact(table, i, &p->metrics[i], "");
	for (size_t i = 0; a->numa && i < a->numa->n_metrics; i++)
		metric_fact(table, p->n_metrics + i, &a->numa->metrics[i], "; of the whole machine, by NUMA node");
	for (size_t i = 0; i < p->n_evals; i++)
		formula_fact(table, i, &a->formulas[i]);
}

static void support_fact(const struct ompp_analysis *a, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;
	size_t n_counted = a->numa ? a->numa->n_metrics : 0, n_missing = 0;
	int has_pmu = 1;

	for (size_t i = 0; i < p->n_metrics; i++) {
		int is_missing = p->metrics[i].certainty == OMPP_NOT_COUNTED;

		n_missing += (size_t)is_missing;
		n_counted += (size_t)!is_missing;
		if (is_missing && ompp_metric_lacks_pmu(p->metrics[i].detail))
			has_pmu = 0;
	}
	text_fact(table, "PAPI Support",
	          !has_pmu ? "no PMU in this machine; use software events (see ompp counters) or kinst --access"
	          : !n_counted ? n_missing ? "no counter could be counted" : "no counters asked for"
	          : n_missing ? "counters below, some of them not counted" : "counters below");
}

enum { MAX_OBJECTS = 32 };              /* that are described; those with the most traffic */

static const char *const origins[] = {
	[OMPP_ORIGIN_NONE] = "-", [OMPP_ORIGIN_PRAGMA] = "inst data in the source",
	[OMPP_ORIGIN_CALL] = "a call in the program", [OMPP_ORIGIN_ADDRESS] = "OMPP_DATA_ADDR",
	[OMPP_ORIGIN_SYMBOL] = "OMPP_DATA_NAME, found in a symbol table"
};

/* Under the names that ompP gave them; its offsets are those of the counted part, here always the whole. */
static void object_facts(const struct ompp_object *o, struct ompp_table *table, struct ompp_text *t)
{
	if (o->address != OMPP_MISSING) {
		ompp_text_str(t, "0x");
		ompp_text_hex(t, (uint64_t)o->address);
		fact(table, "Data Address", t);
	} else {
		number_fact(table, "Data Address", OMPP_MISSING);
	}
	number_fact(table, "Data Size", o->bytes);
	text_fact(table, "Data Name", o->name);
	number_fact(table, "Data Start Offs.", o->bytes == OMPP_MISSING ? OMPP_MISSING : 0);
	number_fact(table, "Data End   Offs.", o->bytes);
	ompp_text_str(t, origins[o->origin]);
	if (o->is_private) {
		ompp_text_str(t, "; each thread has its own, ");
		ompp_text_u64(t, o->n_ranges);
		ompp_text_str(t, o->n_ranges == 1 ? " range" : " ranges, the last one is shown");
	} else if (o->n_ranges > 1) {
		ompp_text_str(t, "; set ");
		ompp_text_u64(t, o->n_ranges);
		ompp_text_str(t, " times, the last one is shown");
	}
	ompp_text_str(t, !o->n_ranges ? "; no range was set" : o->is_live ? "" : "; ended before the program did");
	ompp_text_str(t, o->measured ? "" : "; not measured");
	fact(table, "Data Origin", t);
}

static int costs_less(const void *costs, uint32_t x, uint32_t y)
{
	const int64_t *cost = costs;

	return cost[x] != cost[y] ? cost[x] < cost[y] : x > y;
}

static int is_later(const void *unused, uint32_t x, uint32_t y)
{
	(void)unused;
	return x > y;
}

/* Named objects in their order; of too many those with the most traffic. */
static size_t choose_objects(const struct ompp_analysis *a, uint32_t *order, size_t *n_more)
{
	const struct ompp_profile *p = a->profile;
	int64_t *cost = ompp_arena_alloc(a->arena, p->n_objects * sizeof(*cost));
	size_t n = 0;

	for (uint32_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		if (a->traffic->shown[i])
			order[n++] = i;
	*n_more = n > MAX_OBJECTS ? n - MAX_OBJECTS : 0;
	if (!*n_more || !cost)
		return n - *n_more;
	for (size_t i = 0; i < p->n_accesses; i++) {
		int64_t values[OMPP_N_TRAFFIC];
		uint32_t object = p->accesses[i].object;

		ompp_traffic_of(p, &p->accesses[i], values);
		cost[object] = ompp_add(cost[object], ompp_traffic_cost(a->traffic, values));
	}
	ompp_sort(order, n, costs_less, cost);
	ompp_sort(order, MAX_OBJECTS, is_later, NULL);
	return MAX_OBJECTS;
}

static void put_size(struct ompp_text *t, int64_t n, const char *unit)
{
	if (n == OMPP_MISSING)
		ompp_text_char(t, '-');
	else
		ompp_text_grouped(t, n);
	ompp_text_str(t, unit);
}

static void cache_facts(const struct ompp_cache_level *level, struct ompp_table *table, struct ompp_text *t)
{
	ompp_text_str(t, level->name);
	ompp_text_str(t, ": modelled, ");
	put_size(t, level->bytes, " bytes, ");
	put_size(t, level->ways, " ways, lines of ");
	put_size(t, level->line_bytes, " bytes");
	ompp_text_str(t, level->shared ? ", shared by all threads" : ", one a thread");
	fact(table, "Cache Model", t);
}

static int data_facts(const struct ompp_analysis *a, struct ompp_table *table, struct ompp_text *t)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *order = ompp_arena_alloc(a->arena, p->n_objects * sizeof(*order));
	size_t n, n_more;

	if (!order)
		return -ENOMEM;
	n = choose_objects(a, order, &n_more);
	for (size_t i = 0; i < n; i++)
		object_facts(&p->objects[order[i]], table, t);
	if (n_more) {
		ompp_text_u64(t, n_more);
		ompp_text_str(t, " with less traffic are not described here");
		fact(table, "More Objects", t);
	}
	text_fact(table, "Data Method", p->data_method);
	for (size_t i = 0; i < p->n_cache_levels; i++)
		cache_facts(&p->cache_levels[i], table, t);
	return 0;
}

/* Which rank of an MPI run this is, or how many processes were added up. */
static void process_fact(const struct ompp_profile *p, struct ompp_table *table, struct ompp_text *t)
{
	if (!p->n_merged && p->mpi_rank < 0)
		return;
	ompp_text_i64(t, p->n_merged ? (int64_t)p->n_merged : p->mpi_rank);
	if (p->mpi_size > 0 && (!p->n_merged || p->mpi_size != (int64_t)p->n_merged)) {
		ompp_text_str(t, " of ");
		ompp_text_i64(t, p->mpi_size);
	}
	if (p->n_merged && p->mpi_rank < 0)
		ompp_text_str(t, ", which are not the ranks of one MPI run");
	fact(table, !p->n_merged ? "MPI Rank" : p->mpi_rank >= 0 ? "MPI Ranks" : "Processes", t);
}

static int build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	char buffer[192];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_table_start(table, OMPP_STYLE_FACTS, "", "");
	ompp_table_left_column(table, "label", OMPP_IN_BOTH);
	ompp_table_left_column(table, "value", OMPP_IN_BOTH);
	put_date(&t, p->start_unix_ns, p->utc_offset_s);
	fact(table, "Start Date", &t);
	put_date(&t, p->end_unix_ns, p->utc_offset_s);
	fact(table, "End Date", &t);
	put_seconds(&t, p->duration_ns);
	fact(table, "Duration", &t);
	if (p->off_ns) {
		put_seconds(&t, p->off_ns);
		ompp_text_str(&t, " of it, by ompp_off(): in no other number");
		fact(table, "Measuring Off", &t);
	}
	text_fact(table, "Application Name", p->app);
	ompp_text_str(&t, p->final ? "final" : "incremental");
	if (!p->final) {
		ompp_text_str(&t, ", number ");
		ompp_text_u64(&t, p->n_dump);
	}
	if (p->signal) {
		ompp_text_str(&t, "; the program was ended by signal ");
		ompp_text_i64(&t, p->signal);
	}
	fact(table, "Type of Report", &t);
	put_seconds(&t, p->user_ns);
	fact(table, "User Time", &t);
	put_seconds(&t, p->system_ns);
	fact(table, "System Time", &t);
	number_fact(table, "Max Threads", p->max_threads);
	text_fact(table, "ompP Version", p->version);
	support_fact(a, table);
	number_fact(table, "Max Counters", OMPP_MISSING);       /* as many as the machine has: not known here */
	counter_facts(a, table);
	if (a->traffic && data_facts(a, table, &t))
		return -ENOMEM;
	if (p->hooked)
		text_fact(table, "Access Hooks", "times include the cost of access hooks; "
		                                 "for times, build with kinst --no-access");
	number_fact(table, "Process", p->pid);
	process_fact(p, table, &t);
	text_fact(table, "Clock", p->clock);
	cost_facts(p, table, &t);
	for (size_t i = 0; i < p->n_conditions; i++)
		text_fact(table, p->conditions[i].label, p->conditions[i].value);
	for (size_t i = 0; i < p->n_notes; i++)
		note_fact(&p->notes[i], table);
	return sheet->put(sheet);
}

const struct ompp_view ompp_view_general = {
	.name = "general", .title = "General Information", .tag = "header", .build = build
};
