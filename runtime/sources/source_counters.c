/*
 * Counters: the source for OMPP_CTR… and OMPP_EVALn: per-thread events of the kernel, read at each event of the program
 * that counters cover.
 *
 * Besides, the operations that the thread's own code counts (work.h) are read with them.
 *
 * counter.h defines what a name means, counter_request.h which names are requested, counter_plan.h which events are
 * counted together, and counter_set.h a thread's events.  This file makes columns of them, and one message for each
 * that cannot be counted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/filter.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/work.h"
#include "runtime/host/note.h"
#include "runtime/sources/counter_page.h"
#include "runtime/sources/counter_request.h"
#include "runtime/sources/counter_set.h"
#include "runtime/sources/source.h"
#include "runtime/sources/source_uncore.h"
#include "runtime/sources/sources.h"

enum { LINE_BYTES = 256, DETAIL_BYTES = OMPP_PLAN_WHY + 64, NAMES_BYTES = 96 };

/* One of the requests, and what became of it. */
struct asked {
	struct ompp_counter counter;
	int error;        /* 0 when it is counted */
	uint32_t planned; /* index in the plan; UINT32_MAX when it is no counter of a thread */
	char detail[DETAIL_BYTES];
};

static struct ompp_counter_requests requests;
static struct asked asked[OMPP_REQUESTS];
static struct ompp_plan plan;
static uint32_t work_words[OMPP_REQUESTS]; /* of each column of operations, whose values are behind those of the plan */
static size_t n_work;
static char pages_off[128];      /* says which setting keeps the processor from reading counters; otherwise "" */
static _Atomic int lost_is_said; /* 1 when it was said that some thread's events are lost */

/* ---- saying what is not counted ---- */

static void put_request(struct ompp_text *t, const struct ompp_counter_request *request)
{
	ompp_text_str(t, "OMPP_");
	ompp_text_str(t, request->variable);
	ompp_text_char(t, '=');
	ompp_text_str(t, request->name);
}

/* Writes the next item of a list while there is room for what comes after it; otherwise adds 1 to *more. */
static void put_next(struct ompp_text *t, const struct ompp_counter_request *request, size_t *more)
{
	size_t before = t->n_bytes;

	if (!*more) {
		ompp_text_str(t, before ? ", " : "");
		put_request(t, request);
	}
	if (*more || (before && t->n_bytes > NAMES_BYTES)) {
		t->n_bytes = before;
		++*more;
	}
	if (t->n_bytes > NAMES_BYTES) {
		t->n_bytes = NAMES_BYTES;
		ompp_text_str(t, "…");
	}
}

static int is_no_pmu(const struct asked *a)
{
	return a->error && ompp_metric_lacks_pmu(a->detail);
}

/* Says one line for all that need the PMU that is not there. */
static void say_no_pmu(void)
{
	char line[LINE_BYTES];
	struct ompp_text t;
	size_t i, more = 0;

	ompp_text_init(&t, line, sizeof(line));
	for (i = 0; i < requests.n; i++)
		if (is_no_pmu(&asked[i]) && !requests.request[i].of_group)
			put_next(&t, &requests.request[i], &more);
	for (i = 0; i < requests.n_lacking; i++)
		put_next(&t, &requests.lacking[i], &more);
	if (!t.n_bytes)
		return;
	if (more) {
		ompp_text_str(&t, " and ");
		ompp_text_u64(&t, more);
		ompp_text_str(&t, " more");
	}
	ompp_text_str(&t,
	              ": not counted: no PMU; use software events, see `ompp counters`; kinst --access counts loads "
	              "and stores: ACC_LD, ACC_ST, ACC_LST");
	ompp_note_say(line);
}

static void say_not_counted(size_t i)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	if (!asked[i].error || is_no_pmu(&asked[i]) || requests.request[i].of_group)
		return;
	ompp_text_init(&t, line, sizeof(line));
	put_request(&t, &requests.request[i]);
	ompp_text_str(&t, ": not counted: ");
	ompp_text_str(&t, asked[i].detail);
	ompp_note_say(line);
}

/* Says which files do not count their operations. */
static void say_not_worked(void)
{
	const struct ompp_work_files *files = &ompp_work_linked;
	char line[LINE_BYTES];
	struct ompp_text t;

	if (!files || !files->n_others)
		return;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_u64(&t, files->n_others);
	ompp_text_str(&t, " of ");
	ompp_text_u64(&t, files->n_counted + files->n_others);
	ompp_text_str(&t, " files do not count their operations (");
	ompp_text_strn(&t, files->others, strnlen(files->others, NAMES_BYTES));
	ompp_text_str(&t, "); build them with kinst --work");
	ompp_note_say(line);
}

/* ---- finding ---- */

static void counters_refuse(struct asked *a, int error, const char *why)
{
	struct ompp_text t;

	a->error = error;
	ompp_text_init(&t, a->detail, sizeof(a->detail));
	ompp_text_str(&t, why);
}

static void counters_find(const struct ompp_counter_request *request, struct asked *a)
{
	struct ompp_text t;

	memset(a, 0, sizeof(*a));
	a->planned = UINT32_MAX;
	ompp_text_init(&t, a->detail, sizeof(a->detail));
	a->error = ompp_counter_find(request->name, strlen(request->name), &a->counter, &t);
	if (!a->error && a->counter.kind == OMPP_COUNTER_NODE)
		a->error = ompp_uncore_add(&a->counter, &t);
	if (!a->error)
		a->detail[0] = '\0';
	t.n_bytes = 0;
	ompp_text_init(&t, a->counter.name, sizeof(a->counter.name));
	ompp_text_str(&t, request->name);
}

static int is_lacking(const struct asked *a)
{
	return a->error == -ENOENT || a->error == -ENODEV || a->error == -EOPNOTSUPP;
}

static void plan_threads(int multiplex)
{
	const struct ompp_counter *counters[OMPP_PLAN_COUNTERS];
	struct ompp_text t;
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < requests.n; i++)
		if (!asked[i].error && asked[i].counter.kind == OMPP_COUNTER_THREAD) {
			asked[i].planned = n;
			counters[n++] = &asked[i].counter;
		}
	ompp_plan_make(&plan, counters, n, multiplex, &ompp_plan_kernel);
	ompp_text_init(&t, pages_off, sizeof(pages_off));
	if (!ompp_counter_page_allowed(&t))
		ompp_plan_use_pages(&plan);
	for (i = 0; i < requests.n; i++) {
		struct asked *a = &asked[i];

		if (a->planned == UINT32_MAX)
			continue;
		a->error = plan.counter[a->planned].error;
		if (a->error)
			counters_refuse(a, a->error, plan.counter[a->planned].why);
		if (is_lacking(a) && ompp_counter_is_hardware(&a->counter) && !ompp_counter_has_pmu())
			counters_refuse(a, a->error, OMPP_NO_PMU);
	}
}

/* ---- columns ---- */

/* Writes that a counter counts accesses to all memory, although data is named. */
static void put_restriction(struct ompp_text *t, const struct asked *a, const struct ompp_options *options)
{
	char text[OMPP_PLAN_WHY];
	struct ompp_text why;

	if (!options->text[OMPP_OPT_DATA_ADDR][0] && !options->text[OMPP_OPT_DATA_NAME][0])
		return;
	ompp_text_init(&why, text, sizeof(text));
	ompp_text_str(t, OMPP_COUNTER_OF_ALL ": ");
	if (!ompp_counter_can_restrict(a->counter.name, &why))
		ompp_text_str(t, "PAPI could restrict it, the kernel's events cannot");
	else
		ompp_text_str(t, text);
}

/* Writes what the reader must know about a counter that is counted: how it is counted, unless by an event. */
static void put_detail(struct asked *a, const struct ompp_options *options)
{
	const struct ompp_plan_counter *c = &plan.counter[a->planned];
	struct ompp_text t;

	ompp_text_init(&t, a->detail, sizeof(a->detail));
	if (c->term[0].group == OMPP_PLAN_OWN) {
		ompp_text_str(&t,
		              c->term[0].at == OMPP_OWN_CPU_NS ? "by the thread's clock, as " : "by getrusage, as ");
		ompp_text_str(&t, c->why);
	} else if (ompp_counter_is_hardware(&a->counter)) {
		put_restriction(&t, a, options);
		if (pages_off[0]) {
			ompp_text_str(&t, t.n_bytes ? "; " : "");
			ompp_text_str(&t, pages_off);
		}
	}
}

static void put_work_detail(struct asked *a)
{
	struct ompp_text t;

	ompp_text_init(&t, a->detail, sizeof(a->detail));
	ompp_text_str(&t, ompp_work_is_emulated ? "as the processor executes them, in libraries, too"
	                                        : "of code built with kinst --work, not of libraries");
}

static void add_column(struct ompp_metric_set *set, struct asked *a, const struct ompp_options *options)
{
	struct ompp_source_column *column = &set->column[set->n_columns++];
	const struct ompp_plan_counter *c;

	*column = (struct ompp_source_column){ .metric = { .name = a->counter.name,
		                                           .unit = a->counter.unit && !a->error ? a->counter.unit : "",
		                                           .certainty = OMPP_EXACT,
		                                           .detail = a->detail },
		                               .value = OMPP_NO_VALUE,
		                               .share = OMPP_NO_VALUE,
		                               .counter = &a->counter };
	if (a->error) {
		column->metric.certainty = OMPP_NOT_COUNTED;
	} else if (a->counter.kind == OMPP_COUNTER_ACCESS) {
		column->is_access = 1;
	} else if (a->counter.kind == OMPP_COUNTER_WORK) {
		put_work_detail(a);
		column->value = (uint16_t)(set->n + ompp_counter_set_n_values(&plan) + n_work);
		work_words[n_work++] = a->counter.work;
	} else {
		c = &plan.counter[a->planned];
		put_detail(a, options);
		column->value = (uint16_t)(set->n + c->value);
		if (c->share != UINT32_MAX)
			column->share = (uint16_t)(set->n + plan.n_counted + c->share * OMPP_SHARE_VALUES);
	}
}

static void add_columns(struct ompp_metric_set *set, const struct ompp_options *options)
{
	size_t i, k;

	for (i = 0; i < requests.n && set->n_columns < OMPP_MAX_METRICS; i++)
		if (!(asked[i].error && requests.request[i].of_group) &&
		    (asked[i].error || asked[i].counter.kind != OMPP_COUNTER_NODE))
			add_column(set, &asked[i], options);
	for (i = 0; i < plan.n_shares; i++)
		for (k = 0; k < OMPP_SHARE_VALUES; k++)
			set->kind[set->n + plan.n_counted + i * OMPP_SHARE_VALUES + k] = k == OMPP_SHARE_LOST
			                                                                       ? OMPP_VALUE_LOST
			                                                                       : OMPP_VALUE_TIME;
	set->n += ompp_counter_set_n_values(&plan) + n_work;
	for (i = 0; i < requests.n_evals && set->n_evals < OMPP_MAX_METRICS; i++)
		set->eval[set->n_evals++] = requests.eval[i];
}

/* ---- the source ---- */

static int counters_probe(const struct ompp_options *options, struct ompp_why *why)
{
	int id;

	(void)why;
	if (options->number[OMPP_OPT_WORK])
		return 0;
	for (id = OMPP_OPT_CTR; id <= OMPP_OPT_EVAL8; id++)
		if (id != OMPP_OPT_MULTIPLEX && options->text[id][0])
			return 0;
	return -ENOENT;
}

static int counters_open(const struct ompp_options *options, struct ompp_metric_set *set, struct ompp_why *why)
{
	size_t i;

	(void)why;
	ompp_counter_requests_make(&requests, options, ompp_note_say);
	for (i = 0; i < requests.n; i++)
		counters_find(&requests.request[i], &asked[i]);
	plan_threads((int)options->number[OMPP_OPT_MULTIPLEX]);
	for (i = 0; i < requests.n; i++)
		say_not_counted(i);
	say_no_pmu();
	add_columns(set, options);
	if (n_work)
		say_not_worked();
	return 0;
}

/* Says it once; later losses show as missing values, as does this one. */
static void say_lost(int error)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	if (atomic_exchange(&lost_is_said, 1))
		return;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "counters: missing in some threads: ");
	ompp_event_explain_counting(&t, error, 0, ompp_plan_n_events(&plan));
	ompp_note_say(line);
}

static int counters_thread_start(void *state, struct ompp_why *why)
{
	int rc = ompp_counter_set_open(state, &plan);

	(void)why;
	if (rc)
		say_lost(-rc);
	return 0;
}

static void counters_read(void *state, uint64_t *values)
{
	int rc = ompp_counter_set_read(state, &plan, values);

	values += ompp_counter_set_n_values(&plan);
	for (size_t i = 0; i < n_work; i++)
		values[i] = ompp_work_sum(work_words[i]);
	if (__builtin_expect(rc, 0))
		say_lost(-rc);
}

static void counters_thread_stop(void *state)
{
	ompp_counter_set_close(state, 0);
}

static void counters_after_fork(void *state, int mine)
{
	atomic_store(&lost_is_said, 0);
	ompp_counter_set_close(state, 1);
	if (mine)
		counters_thread_start(state, NULL);
}

/* Does reading this column take a system call of the thread's that the seccomp filter refuses? */
static int is_refused(const struct asked *a)
{
	const struct ompp_plan_term *term = &plan.counter[a->planned].term[0];

	if (a->error || a->planned == UINT32_MAX || term->group != OMPP_PLAN_OWN)
		return 0;
	return term->at == OMPP_OWN_CPU_NS ? ompp_filter_refuses(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, 0)
	                                   : ompp_filter_refuses(SYS_getrusage, RUSAGE_THREAD, 0);
}

static void counters_filtered(struct ompp_metric_set *set)
{
	for (size_t i = 0; i < requests.n; i++) {
		if (!is_refused(&asked[i]))
			continue;
		counters_refuse(&asked[i], -EPERM, "a seccomp filter of the program's does not let threads ask for it");
		for (size_t k = 0; k < set->n_columns; k++)
			if (set->column[k].counter == &asked[i].counter) {
				set->column[k].metric.certainty = OMPP_NOT_COUNTED;
				set->column[k].value = set->column[k].share = OMPP_NO_VALUE;
			}
	}
}

static void counters_close(void)
{
	ompp_uncore_close();
	memset(&plan, 0, sizeof(plan));
	n_work = 0;
	atomic_store(&lost_is_said, 0);
}

const struct ompp_source ompp_source_counters = {
	.name = "counters",
	.help = "events of the kernel and the processor, by thread",
	.thread_bytes = sizeof(struct ompp_counter_set),
	.probe = counters_probe,
	.open = counters_open,
	.thread_start = counters_thread_start,
	.read = counters_read,
	.thread_stop = counters_thread_stop,
	.after_fork = counters_after_fork,
	.filtered = counters_filtered,
	.close = counters_close,
};
