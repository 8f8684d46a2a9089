/*
 * General Information: what ran, when, how long, under which conditions, and what the reader must know about losses.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/formula.h"
#include "reports/analysis/numa.h"
#include "reports/findings/finding_say.h"
#include "reports/ranks/by_rank.h"
#include "reports/ranks/rank_facts.h"
#include "reports/ranks/rank_missing.h"
#include "reports/tables/data_facts.h"
#include "reports/tables/fact.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* "7.39 sec" */
static void put_seconds(struct ompp_text *t, int64_t ns)
{
	if (ns == OMPP_MISSING) {
		ompp_text_char(t, '-');
		return;
	}
	ompp_say_seconds(t, ns, 3);
	ompp_text_str(t, " sec");
}

static void cost_facts(const struct ompp_profile *p, struct ompp_table *table, struct ompp_text *t)
{
	ompp_text_fixed(t, p->cost_ps, 3, 1);
	ompp_text_str(t, " ns for an enter and an exit, ");
	put_seconds(t, p->cost_ns);
	ompp_text_str(t, " in all threads, already taken out of the times");
	ompp_fact(table, "Own Cost", t);
	ompp_number_fact(table, "Events", ompp_count(p->n_events));
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
		ompp_text_fact(table, "Costly Regions",
		               "own cost may be above 10 % of their time; to leave them out, set");
		ompp_text_fact(table, "", line);
	}
}

/* Puts the name of the variable that asked for number i, "OMPP_CTR2". */
static void general_variable(struct ompp_table *table, const char *name, size_t i)
{
	char buffer[32];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, name);
	ompp_text_u64(&t, i + 1);
	ompp_table_text(table, ompp_arena_strdup(table->arena, buffer));
}

/* Puts several texts as one value. */
static void general_joined(struct ompp_table *table, const char *const *texts, size_t n_texts)
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
	const char *const texts[] = { m->name,
		                      m->unit[0] ? " in " : "",
		                      m->unit,
		                      ", ",
		                      ompp_certainty_name(m->certainty),
		                      !m->detail[0]                      ? ""
		                      : m->certainty == OMPP_NOT_COUNTED ? ": "
		                                                         : ", ",
		                      m->detail,
		                      where };

	general_variable(table, "OMPP_CTR", i);
	general_joined(table, texts, OMPP_COUNT_OF(texts));
}

/* "ratio = a/b, scaled". */
static void formula_fact(struct ompp_table *table, size_t i, const struct ompp_formula *f)
{
	const struct ompp_eval *e = f->eval;
	int is_named = strcmp(e->name, e->expression) != 0, is_missing = f->certainty == OMPP_NOT_COUNTED;
	const char *const texts[] = { is_named ? e->name : "",
		                      is_named ? " = " : "",
		                      e->expression,
		                      e->unit[0] ? " in " : "",
		                      e->unit,
		                      f->certainty == OMPP_EXACT ? "" : ", ",
		                      f->certainty == OMPP_EXACT ? ""
		                      : is_missing               ? "not computed: "
		                                                 : ompp_certainty_name(f->certainty),
		                      f->why };

	general_variable(table, "OMPP_EVAL", i);
	general_joined(table, texts, OMPP_COUNT_OF(texts));
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
	ompp_text_fact(table, "PAPI Support",
	               !has_pmu ? "no PMU in this machine; use software events (see ompp counters) or kinst --access"
	               : !n_counted ? n_missing ? "no counter could be counted" : "no counters asked for"
	               : n_missing  ? "counters below, some of them not counted"
	                            : "counters below");
}

/* Says which rank of an MPI run this is, or how many processes were added up. */
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
	ompp_fact(table, !p->n_merged ? "MPI Rank" : p->mpi_rank >= 0 ? "MPI Ranks" : "Processes", t);
}

/* Names the ranks of the run that were not added up.  Returns 0 or -ENOMEM. */
static int missing_fact(const struct ompp_analysis *a, struct ompp_table *table, struct ompp_text *t)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *ranks;

	if (!p->n_merged || p->mpi_rank < 0 || p->mpi_size <= (int64_t)p->n_merged)
		return 0;
	ranks = ompp_arena_alloc(a->arena, (p->n_processes + 1) * sizeof(*ranks));
	if (!ranks)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_processes; i++)
		for (const char *at = p->processes[i].name + 1; *at >= '0' && *at <= '9'; at++) /* r3 */
			ranks[i] = ranks[i] * 10 + (uint32_t)(*at - '0');
	ompp_rank_missing_put(t, ranks, p->n_processes, p->mpi_size);
	ompp_fact(table, "Missing Ranks", t);
	return 0;
}

/* Says when the program ran, how long, and how it ended. */
static void run_facts(const struct ompp_profile *p, struct ompp_table *table, struct ompp_text *t)
{
	ompp_fact_date(t, p->start_unix_ns, p->utc_offset_s);
	ompp_fact(table, "Start Date", t);
	ompp_fact_date(t, p->end_unix_ns, p->utc_offset_s);
	ompp_fact(table, "End Date", t);
	put_seconds(t, p->duration_ns);
	ompp_fact(table, "Duration", t);
	if (p->off_ns) {
		put_seconds(t, p->off_ns);
		ompp_text_str(t, " of it, by ompp_off(): in no other number");
		ompp_fact(table, "Measuring Off", t);
	}
	ompp_text_fact(table, "Application Name", p->app);
	ompp_text_str(t, p->final ? "final" : "incremental");
	if (!p->final) {
		ompp_text_str(t, ", number ");
		ompp_text_u64(t, p->n_dump);
	}
	if (p->signal) {
		ompp_text_str(t, "; the program was ended by signal ");
		ompp_text_i64(t, p->signal);
	}
	ompp_fact(table, "Type of Report", t);
	put_seconds(t, p->user_ns);
	ompp_fact(table, "User Time", t);
	put_seconds(t, p->system_ns);
	ompp_fact(table, "System Time", t);
	if (p->stolen_ns > 0) {
		put_seconds(t, p->stolen_ns);
		ompp_text_str(t, " of the program's processors, for which a hypervisor ran something else");
		ompp_fact(table, "Stolen Time", t);
	}
	if (p->others_ns != OMPP_MISSING && p->n_merged <= 1) {
		put_seconds(t, p->others_ns);
		ompp_text_str(t, " +- ");
		put_seconds(t, p->others_error_ns);
		ompp_text_str(t, " of the program's processors, which other programs had");
		ompp_fact(table, "Others' Time", t);
	}
}

static int general_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	char buffer[192];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_table_start(table, OMPP_STYLE_FACTS, "", "");
	ompp_table_left_columns(table, OMPP_IN_BOTH, "label", "value");
	run_facts(p, table, &t);
	ompp_number_fact(table, "Max Threads", p->max_threads);
	ompp_text_fact(table, "ompP Version", p->version);
	support_fact(a, table);
	ompp_number_fact(table, "Max Counters", OMPP_MISSING); /* as many as the machine has, which is not known */
	counter_facts(a, table);
	if (a->traffic && ompp_data_facts(a, table, &t))
		return -ENOMEM;
	if (ompp_profile_is_emulated(p))
		ompp_text_fact(table, "Emulation", ompp_profile_times_remark(p));
	else if (p->hooked)
		ompp_text_fact(table, "Access Hooks",
		               "times include the cost of access hooks; "
		               "for times, build with kinst --no-access");
	ompp_number_fact(table, "Process", p->pid);
	process_fact(p, table, &t);
	if (missing_fact(a, table, &t))
		return -ENOMEM;
	ompp_text_fact(table, "Clock", p->clock);
	cost_facts(p, table, &t);
	if (ompp_by_rank_is(a, sheet)) {
		ompp_rank_facts(a, table);
		return sheet->put(sheet);
	}
	for (size_t i = 0; i < p->n_conditions; i++)
		ompp_text_fact(table, p->conditions[i].label, p->conditions[i].value);
	for (size_t i = 0; i < p->n_notes; i++)
		ompp_rank_note(&p->notes[i], table);
	return sheet->put(sheet);
}

const struct ompp_view ompp_view_general = { .title = "General Information", .tag = "header", .build = general_build };
