/*
 * Counter plan: see counter_plan.h.
 */
#define _GNU_SOURCE
#include "runtime/sources/counter_plan.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter_try.h"

struct making {
	struct ompp_plan *plan;
	const struct ompp_plan_kernel *kernel;
	int multiplex;
};

/* ---- the kernel ---- */

static int kernel_count(int leader, uint32_t n, struct ompp_event_reading *reading)
{
	int rc = ompp_event_enable(leader);

	ompp_counter_work();
	return rc ? rc : ompp_event_read_group(leader, 0, n, reading);
}

static void kernel_close(int fd)
{
	ompp_sys_close(fd);
}

const struct ompp_plan_kernel ompp_plan_kernel = { ompp_event_open_code, kernel_close, kernel_count };

/* ---- trying ---- */

static int same_event(const struct ompp_event_code *a, const struct ompp_event_code *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 && a->config2 == b->config2 &&
	       a->counts_kernel == b->counts_kernel;
}

/* Tries whether these events can be counted together.  For a PMU that this processor does not have (with cores of
 * several kinds), it is enough that they can be opened. */
static int try_group(const struct making *m, const struct ompp_event_code *codes, uint32_t n,
                     struct ompp_event_reading *reading)
{
	int fd[OMPP_EVENT_GROUP] = { -1 }, rc = 0;
	uint32_t n_open;

	for (n_open = 0; n_open < n && !rc; n_open++) {
		fd[n_open] = m->kernel->open(&codes[n_open], n_open ? fd[0] : -1);
		if (fd[n_open] < 0) {
			rc = fd[n_open];
			break;
		}
	}
	memset(reading, 0, sizeof(*reading));
	if (!rc)
		rc = m->kernel->count(fd[0], n, reading);
	while (n_open)
		m->kernel->close(fd[--n_open]);
	if (!rc && !reading->running_ns && !codes[0].pmu)
		rc = -EBUSY;
	return rc;
}

static int try_event(const struct making *m, const struct ompp_event_code *code)
{
	struct ompp_event_reading reading;
	int rc = try_group(m, code, 1, &reading);

	return !rc && code->busy && reading.running_ns && !reading.counts[0] ? -ENODATA : rc;
}

/* ---- groups ---- */

/* Adds the events of a counter that belong to the group and are not in it yet.  Returns the new number of events, or
 * more than a group has when they do not fit. */
static uint32_t merge_events(struct ompp_event_code codes[OMPP_EVENT_GROUP], uint32_t n,
                             const struct ompp_counter *counter, uint32_t pmu, int software)
{
	uint32_t i, j;

	for (i = 0; i < counter->n_events; i++) {
		const struct ompp_event_code *code = &counter->event[i];

		if (code->software != software || (!software && code->pmu != pmu))
			continue;
		for (j = 0; j < n && !same_event(&codes[j], code); j++)
			;
		if (j == OMPP_EVENT_GROUP)
			return j + 1;
		if (j == n)
			codes[n++] = *code;
	}
	return n;
}

/* Tries a group with the counter's events of one kind added.  Returns 0, when the group is the plan's now, or
 * -errno. */
static int counter_plan_join(const struct making *m, struct ompp_plan_group *group, const struct ompp_counter *counter,
                             uint32_t pmu, int software)
{
	struct ompp_plan_group more = *group;
	struct ompp_event_reading reading;
	int rc;

	more.n = merge_events(more.code, group->n, counter, pmu, software);
	if (more.n == group->n)
		return 0;
	if (more.n > OMPP_EVENT_GROUP)
		return -ENOSPC;
	rc = try_group(m, more.code, more.n, &reading);
	if (!rc)
		*group = more;
	return rc;
}

/* Returns 1 when the error says more than that events do not fit together. */
static int is_no_place(int error)
{
	return error == -EMFILE || error == -ENFILE || error == -ENOMEM || error == -EACCES || error == -EPERM;
}

/* Assigns the counter's events of one PMU to a group of that PMU, or to a new one.  Software events have pmu 0; their
 * groups contain no hardware events. */
static int place_events(const struct making *m, const struct ompp_counter *counter, uint32_t pmu, int software)
{
	struct ompp_plan *plan = m->plan;
	int rc = -ENOSPC, n_tried = 0;
	uint32_t i;

	for (i = 0; i < plan->n_groups && !is_no_place(rc); i++) {
		struct ompp_plan_group *group = &plan->group[i];

		if (group->hardware != !software || (!software && group->pmu != pmu))
			continue;
		n_tried++;
		rc = counter_plan_join(m, group, counter, pmu, software);
		if (!rc)
			return 0;
	}
	if ((n_tried && !m->multiplex && !software) || plan->n_groups == OMPP_PLAN_GROUPS || is_no_place(rc))
		return rc;
	memset(&plan->group[plan->n_groups], 0, sizeof(plan->group[0]));
	plan->group[plan->n_groups].hardware = !software;
	plan->group[plan->n_groups].pmu = pmu;
	rc = counter_plan_join(m, &plan->group[plan->n_groups], counter, pmu, software);
	plan->n_groups += !rc;
	return rc;
}

/* Assigns all of the counter's events of one kind to groups, or none. */
static int place_counter(const struct making *m, const struct ompp_counter *counter, int software)
{
	struct ompp_plan *plan = m->plan;
	struct ompp_plan_group before[OMPP_PLAN_GROUPS];
	uint32_t n_before = plan->n_groups, i;
	int rc = 0;

	memcpy(before, plan->group, sizeof(before));
	for (i = 0; i < counter->n_events && !rc; i++) /* finds nothing left to do for a PMU whose events are placed */
		if (counter->event[i].software == software)
			rc = place_events(m, counter, software ? 0 : counter->event[i].pmu, software);
	if (rc) {
		memcpy(plan->group, before, sizeof(before));
		plan->n_groups = n_before;
	}
	return rc;
}

/* ---- what does not fit ---- */

/* Returns 1 when both can be counted at once, or b alone when a is NULL. */
static int can_pair(const struct making *m, const struct ompp_counter *a, const struct ompp_counter *b)
{
	struct ompp_plan_group pair;
	uint32_t i;

	for (i = 0; i < b->n_events; i++) {
		memset(&pair, 0, sizeof(pair));
		if (!b->event[i].software && ((a && counter_plan_join(m, &pair, a, b->event[i].pmu, 0)) ||
		                              counter_plan_join(m, &pair, b, b->event[i].pmu, 0)))
			return 0;
	}
	return 1;
}

/* Writes why a counter fits into no group: the counter with which it conflicts, or all that came before it. */
static void explain_place(const struct making *m, uint32_t n_before, struct ompp_plan_counter *c)
{
	const struct ompp_plan *plan = m->plan;
	uint32_t i, n = 0;
	struct ompp_text t;

	ompp_text_init(&t, c->why, sizeof(c->why));
	if (!can_pair(m, NULL, c->counter)) {
		ompp_text_str(&t, "needs ");
		ompp_text_u64(&t, c->counter->n_events);
		ompp_text_str(&t, " events at once, which the PMU does not have; use another");
		return;
	}
	for (i = 0; i < n_before; i++)
		if (!plan->counter[i].error && ompp_counter_is_hardware(plan->counter[i].counter) &&
		    !can_pair(m, plan->counter[i].counter, c->counter)) {
			ompp_text_str(&t, "conflicts with ");
			ompp_text_str(&t, plan->counter[i].counter->name);
			ompp_text_str(&t,
			              m->multiplex ? "; leave one out" : "; leave one out, or set OMPP_MULTIPLEX=1");
			return;
		}
	ompp_text_str(&t, "no counter of the PMU is left beside ");
	for (i = 0; i < n_before; i++)
		if (!plan->counter[i].error && ompp_counter_is_hardware(plan->counter[i].counter)) {
			ompp_text_str(&t, n++ ? ", " : "");
			ompp_text_str(&t, plan->counter[i].counter->name);
			if (t.n_bytes > sizeof(c->why) - 80)
				break;
		}
	ompp_text_str(&t, i < n_before ? " …; leave some out" : "; leave one out");
	ompp_text_str(&t, m->multiplex ? "" : ", or set OMPP_MULTIPLEX=1");
}

static void explain_event(struct ompp_plan_counter *c, const struct ompp_event_code *code)
{
	struct ompp_text t;

	ompp_text_init(&t, c->why, sizeof(c->why));
	ompp_event_explain_counting(&t, -c->error, code->counts_kernel, c->counter->n_events);
}

/* ---- what a thread knows of itself ---- */

/* Takes a value that may not be counted as an event from what the kernel reports for the thread, and keeps the
 * reason. */
static int place_own(struct ompp_plan *plan, struct ompp_plan_counter *c)
{
	const struct ompp_event_code *code = &c->counter->event[0];
	enum ompp_own own = ompp_counter_own(code);

	if (c->counter->n_events != 1 || own == OMPP_OWN_NONE ||
	    (c->error != -EACCES && c->error != -EPERM && c->error != -ENOSYS))
		return -ENOENT;
	plan->own |= 1u << own;
	c->term[0] = (struct ompp_plan_term){ OMPP_PLAN_OWN, (uint8_t)own, code->factor };
	c->n_terms = 1;
	return 0;
}

/* ---- all ---- */

static void test_counter(const struct making *m, struct ompp_plan_counter *c)
{
	uint32_t i;

	for (i = 0; i < c->counter->n_events && !c->error; i++) {
		c->error = try_event(m, &c->counter->event[i]);
		if (c->error)
			explain_event(c, &c->counter->event[i]);
	}
	if (!c->counter->n_events)
		c->error = -ENOENT;
	if (c->error && !place_own(m->plan, c))
		c->error = 0;
}

static void place_hardware(const struct making *m, uint32_t i)
{
	struct ompp_plan_counter *c = &m->plan->counter[i];

	if (c->error || c->n_terms || !ompp_counter_is_hardware(c->counter))
		return;
	c->error = place_counter(m, c->counter, 0);
	if (is_no_place(c->error))
		explain_event(c, &c->counter->event[0]);
	else if (c->error)
		explain_place(m, i, c);
}

/* Joins the software events to the only hardware group, so that one reading gives all of them.  This is not done when
 * cores are of several kinds, since a hardware group rests while the thread runs on another kind. */
static int join_hardware(const struct making *m, const struct ompp_counter *counter)
{
	struct ompp_plan *plan = m->plan;

	if (plan->n_groups != 1 || !plan->group[0].hardware || plan->group[0].pmu)
		return -ENOSPC;
	return counter_plan_join(m, &plan->group[0], counter, 0, 1);
}

static void place_software(const struct making *m, uint32_t i)
{
	struct ompp_plan_counter *c = &m->plan->counter[i];

	if (c->error || c->n_terms)
		return;
	c->error = join_hardware(m, c->counter);
	if (c->error && !is_no_place(c->error))
		c->error = place_counter(m, c->counter, 1);
	if (c->error)
		explain_event(c, &c->counter->event[0]);
}

static void find_term(const struct ompp_plan *plan, const struct ompp_event_code *code, struct ompp_plan_term *term)
{
	uint32_t i, j;

	for (i = 0; i < plan->n_groups; i++)
		for (j = 0; j < plan->group[i].n; j++)
			if (same_event(&plan->group[i].code[j], code))
				*term = (struct ompp_plan_term){ (uint8_t)i, (uint8_t)j, code->factor };
}

/* Sets the counter's share, which is that of another counter with the same groups where there is one. */
static void set_share(struct ompp_plan *plan, struct ompp_plan_counter *c)
{
	uint32_t groups = 0, i;

	for (i = 0; i < c->n_terms; i++)
		if (c->term[i].group != OMPP_PLAN_OWN)
			groups |= 1u << c->term[i].group;
	for (i = 0; i < plan->n_shares && plan->share[i] != groups; i++)
		;
	if (i == OMPP_PLAN_SHARES) {
		struct ompp_text t;

		c->error = -ENOSPC;
		ompp_text_init(&t, c->why, sizeof(c->why));
		ompp_text_str(&t, "too many groups of counters take turns; ask for fewer");
		return;
	}
	plan->n_shares += i == plan->n_shares;
	plan->share[i] = groups;
	c->share = i;
}

void ompp_plan_use_pages(struct ompp_plan *plan)
{
	uint32_t i, j;

	for (i = 0; i < plan->n_groups; i++) {
		plan->group[i].paged = plan->group[i].hardware;
		for (j = 0; j < plan->group[i].n; j++)
			plan->group[i].paged &= !plan->group[i].code[j].software;
	}
}

void ompp_plan_make(struct ompp_plan *plan, const struct ompp_counter *const *counters, uint32_t n, int multiplex,
                    const struct ompp_plan_kernel *kernel)
{
	struct making m = { plan, kernel, multiplex };
	uint32_t i, j;

	memset(plan, 0, sizeof(*plan));
	plan->n_counters = n;
	for (i = 0; i < n; i++) {
		plan->counter[i].counter = counters[i];
		plan->counter[i].value = plan->counter[i].share = UINT32_MAX;
		test_counter(&m, &plan->counter[i]);
	}
	for (i = 0; i < n; i++)
		place_hardware(&m, i);
	for (i = 0; i < n; i++)
		place_software(&m, i);
	for (i = 0; i < n; i++) {
		struct ompp_plan_counter *c = &plan->counter[i];

		if (c->error)
			continue;
		for (j = 0; !c->n_terms && j < c->counter->n_events; j++)
			find_term(plan, &c->counter->event[j], &c->term[j]);
		c->n_terms = c->counter->n_events;
		set_share(plan, c);
		if (!c->error)
			c->value = plan->n_counted++;
	}
}

uint32_t ompp_plan_n_events(const struct ompp_plan *plan)
{
	uint32_t n = 0, i;

	for (i = 0; i < plan->n_groups; i++)
		n += plan->group[i].n;
	return n;
}
