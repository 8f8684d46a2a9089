/*
 * General Information: what ran, when, how long, under which conditions, and what the reader must know about losses.
 */
#include "reports/views/view.h"

#include <errno.h>
#include <string.h>

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
		text_fact(table, "Costly Regions", "own cost above 10 % of their time; to leave them out, set");
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
	text_fact(table, "PAPI Support", p->n_metrics ? "counters below" : "no counters asked for");
	ompp_table_text(table, "Max Counters");         /* as many as the machine has: not known here */
	ompp_table_number(table, OMPP_KIND_COUNT, OMPP_MISSING);
	for (size_t i = 0; i < p->n_metrics; i++) {
		const struct ompp_metric *m = &p->metrics[i];

		ompp_text_str(&t, "OMPP_CTR");
		ompp_text_u64(&t, i + 1);
		ompp_table_text(table, ompp_arena_strdup(table->arena, t.data));
		t.n_bytes = 0;
		ompp_text_str(&t, m->name);
		ompp_text_str(&t, m->unit[0] ? " in " : "");
		ompp_text_str(&t, m->unit);
		ompp_text_str(&t, ", ");
		ompp_text_str(&t, ompp_certainty_name(m->certainty));
		ompp_text_str(&t, m->detail[0] ? ", " : "");
		ompp_text_str(&t, m->detail);
		ompp_table_text(table, ompp_arena_strdup(table->arena, t.data));
		t.n_bytes = 0;
	}
	number_fact(table, "Process", p->pid);
	if (p->mpi_rank >= 0) {
		ompp_text_i64(&t, p->mpi_rank);
		if (p->mpi_size > 0) {
			ompp_text_str(&t, " of ");
			ompp_text_i64(&t, p->mpi_size);
		}
		fact(table, "MPI Rank", &t);
	} else if (p->mpi_size > 0) {
		number_fact(table, "MPI Ranks", p->mpi_size);
	}
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
