/*
 * Counter set: see counter_set.h.
 */
#define _GNU_SOURCE
#include "runtime/sources/counter_set.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/counters/value.h"
#include "runtime/sources/counter_page.h"
#include "runtime/sources/source.h"

#if defined(__aarch64__)
enum { ARM_USER_ACCESS = 2 }; /* the PMU's format/rdpmc says config1:1 */
#else
enum { ARM_USER_ACCESS = 0 };
#endif

uint32_t ompp_counter_set_n_values(const struct ompp_plan *plan)
{
	return plan->n_counted + OMPP_SHARE_VALUES * plan->n_shares;
}

/* Unmaps the pages of a group.  They are mapped for each of its events, when the processor may read them, or for
 * none.  A child has no copy of them. */
static void unmap_pages(struct ompp_counter_group_events *g, int forked)
{
	uint32_t i;

	for (i = 0; i < g->n; i++) {
		if (g->page[i] && !forked) /* In a child something else may be mapped there. */
			ompp_sys_munmap(g->page[i], ompp_page_bytes());
		g->page[i] = NULL;
	}
	g->paged = 0;
}

static void close_group(struct ompp_counter_group_events *g, int forked)
{
	uint32_t i;

	unmap_pages(g, forked);
	for (i = g->n; i-- > 0;) /* the leader is the last one */
		ompp_event_close(g->fd[i], g->id[i]);
	g->n = 0;
}

static void map_pages(struct ompp_counter_group_events *g)
{
	struct ompp_counter_page_reading reading;
	uint32_t i;

	for (i = 0; i < g->n; i++) {
		long page = ompp_space_map(ompp_page_bytes(), PROT_READ, MAP_SHARED, g->fd[i], 0);

		g->page[i] = page < 0 ? NULL : (void *)page;
		if (!g->page[i] || ompp_counter_page_read(g->page[i], &reading)) {
			unmap_pages(g, 0);
			return;
		}
	}
	g->paged = 1;
}

/* Opens an event of a group.  Arm's PMU lets the processor read only those events that asked for it. */
static int open_event(const struct ompp_plan_group *group, uint32_t i, int leader)
{
	struct ompp_event_code code = group->code[i];
	int fd;

	if (group->paged) {
		code.config1 |= ARM_USER_ACCESS;
		fd = ompp_event_open_code(&code, leader);
		if (fd >= 0)
			return fd;
	}
	return ompp_event_open_code(&group->code[i], leader);
}

static int open_group(struct ompp_counter_group_events *g, const struct ompp_plan_group *group)
{
	int rc = 0;

	while (g->n < group->n && !rc) {
		int fd = ompp_event_identify(open_event(group, g->n, g->n ? g->fd[0] : -1), &g->id[g->n]);

		if (fd < 0) {
			rc = fd;
			break;
		}
		g->fd[g->n++] = fd;
	}
	if (!rc)
		rc = ompp_event_enable(g->fd[0]);
	if (rc)
		close_group(g, 0);
	else if (group->paged)
		map_pages(g);
	return rc;
}

int ompp_counter_set_open(struct ompp_counter_set *set, const struct ompp_plan *plan)
{
	int first = 0, rc;
	uint32_t i;

	memset(set, 0, sizeof(*set));
	for (i = 0; i < plan->n_groups; i++) {
		rc = open_group(&set->group[i], &plan->group[i]);
		if (!first)
			first = rc;
	}
	return first;
}

void ompp_counter_set_close(struct ompp_counter_set *set, int forked)
{
	uint32_t i;

	for (i = 0; i < OMPP_PLAN_GROUPS; i++)
		close_group(&set->group[i], forked);
}

static void read_own(uint32_t wanted, uint64_t own[OMPP_OWN_N])
{
	struct timespec cpu;
	struct rusage use;

	if (wanted & ~(1u << OMPP_OWN_CPU_NS) && !ompp_sys_getrusage(RUSAGE_THREAD, &use)) {
		own[OMPP_OWN_MINOR] = (uint64_t)use.ru_minflt;
		own[OMPP_OWN_MAJOR] = (uint64_t)use.ru_majflt;
		own[OMPP_OWN_FAULTS] = own[OMPP_OWN_MINOR] + own[OMPP_OWN_MAJOR];
		own[OMPP_OWN_SWITCHES] = (uint64_t)use.ru_nvcsw + (uint64_t)use.ru_nivcsw;
	}
	if (wanted & 1u << OMPP_OWN_CPU_NS && !ompp_sys_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu))
		own[OMPP_OWN_CPU_NS] = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
}

/* Reads a group by its pages.  Returns 0, or -EAGAIN when the kernel must be asked. */
static int read_pages(const struct ompp_counter_group_events *g, struct ompp_event_reading *reading)
{
	struct ompp_counter_page_reading one = { 0, 0, 0 };
	uint32_t i;

	for (i = g->n; i-- > 0;) {
		if (ompp_counter_page_read(g->page[i], &one))
			return -EAGAIN;
		reading->counts[i] = one.count;
	}
	reading->enabled_ns = one.enabled_ns; /* these are the leader's */
	reading->running_ns = one.running_ns;
	return 0;
}

/* Reads a group.  Returns 0, or -errno when the group is lost from now on. */
static int read_group(struct ompp_counter_group_events *g, struct ompp_event_reading *reading)
{
	int rc = -ENODATA;

	if (g->paged && !read_pages(g, reading))
		return 0;
	if (g->n) {
		rc = ompp_event_read_group(g->fd[0], g->id[0], g->n, reading);
		if (!rc)
			return 0;
		close_group(g, 0); /* closes only descriptors that are still ours */
	}
	reading->enabled_ns = reading->running_ns = 0;
	memset(reading->counts, 0, sizeof(reading->counts));
	g->n_lost++;
	return rc;
}

static uint64_t value_of(const struct ompp_plan_counter *c, const struct ompp_event_reading *readings,
                         const uint64_t *own)
{
	const struct ompp_counter *counter = c->counter;
	int64_t sum = 0;
	uint32_t i;

	for (i = 0; i < c->n_terms; i++) {
		const struct ompp_plan_term *term = &c->term[i];
		uint64_t count = term->group == OMPP_PLAN_OWN ? own[term->at] : readings[term->group].counts[term->at];

		sum += term->factor * (int64_t)count;
	}
	if (counter->scale_mul == 1 && !counter->scale_shift)
		return (uint64_t)sum;
	return (uint64_t)ompp_value_in_unit(sum, counter->scale_mul, counter->scale_shift);
}

/* Puts the values of a share.  Groups of several kinds of cores take turns: together they count all the time. */
static void put_share(const struct ompp_counter_set *set, const struct ompp_plan *plan, uint32_t groups,
                      const struct ompp_event_reading *readings, uint64_t values[OMPP_SHARE_VALUES])
{
	uint32_t i;

	memset(values, 0, OMPP_SHARE_VALUES * sizeof(*values));
	for (i = 0; i < plan->n_groups; i++) {
		if (!(groups & 1u << i))
			continue;
		values[OMPP_SHARE_ENABLED] = readings[i].enabled_ns;
		values[OMPP_SHARE_RUNNING] += readings[i].running_ns;
		values[OMPP_SHARE_LOST] += set->group[i].n_lost;
	}
}

int ompp_counter_set_read(struct ompp_counter_set *set, const struct ompp_plan *plan, uint64_t *values)
{
	struct ompp_event_reading readings[OMPP_PLAN_GROUPS];
	uint64_t own[OMPP_OWN_N] = { 0 };
	int lost = 0, rc;
	uint32_t i;

	for (i = 0; i < plan->n_groups; i++) {
		rc = read_group(&set->group[i], &readings[i]);
		if (rc && rc != -ENODATA)
			lost = rc;
	}
	if (plan->own)
		read_own(plan->own, own);
	for (i = 0; i < plan->n_counters; i++)
		if (!plan->counter[i].error)
			values[plan->counter[i].value] = value_of(&plan->counter[i], readings, own);
	values += plan->n_counted;
	for (i = 0; i < plan->n_shares; i++)
		put_share(set, plan, plan->share[i], readings, values + i * OMPP_SHARE_VALUES);
	return lost;
}
