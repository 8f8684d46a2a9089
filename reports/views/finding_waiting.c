/*
 * Finding, waiting: threads that wait for each other, and work that one thread does alone.
 */
#include "reports/views/finding.h"

enum property {
	NOTHING, WAIT_AT_BARRIER, IMBALANCE_REGION, IMBALANCE_LOOP, IMBALANCE_WORKSHARE, IMBALANCE_SECTIONS,
	UNEVEN_SECTIONS, FEW_SECTIONS, CRITICAL_CONTENTION, LOCK_CONTENTION, FREQUENT_ATOMIC, MASTER, SINGLE
};

static const struct { const char *name, *advice; } properties[] = {
	[WAIT_AT_BARRIER] = { "WaitAtBarrier",
		"Threads wait for the slowest at an explicit barrier. Balance the work before it, or drop the barrier "
		"where no data crosses it." },
	[IMBALANCE_REGION] = { "ImbalanceInParallelRegion",
		"Threads finish the parallel region at different times. Share the work out in a loop or in tasks, and "
		"look for code that only some threads run." },
	[IMBALANCE_LOOP] = { "ImbalanceInParallelLoop",
		"Iterations differ in cost. Try schedule(dynamic) or schedule(guided), a smaller chunk, or collapse(2) "
		"when there are few iterations." },
	[IMBALANCE_WORKSHARE] = { "ImbalanceInParallelWorkshare",
		"Array statements are shared out unevenly. Write the costly one as a loop with a schedule of its own." },
	[IMBALANCE_SECTIONS] = { "ImbalanceInParallelSections",
		"Sections differ in cost. Split the longest one, start it first, or use tasks." },
	[UNEVEN_SECTIONS] = { "ImbalanceDueToUnevenSectionDistribution",
		"The number of sections is not a multiple of the number of threads. Split sections further, or use "
		"tasks." },
	[FEW_SECTIONS] = { "ImbalanceDueToNotEnoughSections",
		"There are fewer sections than threads. Add sections, use tasks, or ask for fewer threads here." },
	[CRITICAL_CONTENTION] = { "CriticalSectionContention",
		"Threads wait to enter the critical section. Move work out of it, use a reduction or atomic, or give "
		"unrelated sections different names." },
	[LOCK_CONTENTION] = { "LockContention",
		"Threads wait for the lock. Hold it for less time, or use one lock for each part of the data." },
	[FREQUENT_ATOMIC] = { "FrequentAtomic",
		"Atomic updates are very frequent. Collect in a private variable and update once, or use a reduction." },
	[MASTER] = { "UnparallelizedInMasterRegion",
		"One thread works while the others cannot. Make the work parallel, or let the others go on (no barrier "
		"after it)." },
	[SINGLE] = { "UnparallelizedInSingleRegion",
		"All threads wait for the one that runs the single. Make its work parallel, or add nowait where the "
		"result is not needed yet." },
};

/* What holds for a region, and the time that it costs. */
struct verdict { enum property property; int64_t ns; };

static enum property of_sections(const struct ompp_cell *sum)
{
	if (sum->n_body < sum->n_exec)
		return FEW_SECTIONS;
	return sum->n_exec && sum->n_body % sum->n_exec ? UNEVEN_SECTIONS : IMBALANCE_SECTIONS;
}

/* More than 1000 a second and thread. */
static int is_frequent(const struct ompp_analysis *a, const struct ompp_cell *sum)
{
	return (unsigned __int128)sum->n_exec * 1000000 > (unsigned __int128)a->capacity_ns;
}

static struct verdict judge(const struct ompp_analysis *a, uint32_t region, const struct ompp_cell *sum)
{
	struct verdict f = { NOTHING, sum->exit_bar_ns };

	switch (a->profile->regions[region].construct) {
	case OMPP_BARRIER:
		f.property = WAIT_AT_BARRIER;
		f.ns = ompp_add(sum->exec_ns, -sum->task_ns);
		break;
	case OMPP_PARALLEL:
		f.property = IMBALANCE_REGION;
		break;
	case OMPP_LOOP:
	case OMPP_PARALLEL_LOOP:
		f.property = IMBALANCE_LOOP;
		break;
	case OMPP_WORKSHARE:
	case OMPP_PARALLEL_WORKSHARE:
		f.property = IMBALANCE_WORKSHARE;
		break;
	case OMPP_SECTIONS:
	case OMPP_PARALLEL_SECTIONS:
		f.property = of_sections(sum);
		break;
	case OMPP_CRITICAL:
		f.property = CRITICAL_CONTENTION;
		f.ns = sum->enter_ns;
		break;
	case OMPP_LOCK:
	case OMPP_NEST_LOCK:
		f.property = LOCK_CONTENTION;
		f.ns = sum->enter_ns;
		break;
	case OMPP_ATOMIC:
		f.property = is_frequent(a, sum) ? FREQUENT_ATOMIC : NOTHING;
		f.ns = sum->exec_ns;
		break;
	case OMPP_MASTER:
		f.property = MASTER;
		f.ns = sum->exec_ns;
		break;
	case OMPP_SINGLE:
		f.property = SINGLE;
		break;
	default:
		break;
	}
	if (f.ns == OMPP_MISSING)
		f.property = NOTHING;
	return f;
}

/* The time in one call path that the verdict is about, as wall-clock time. */
static int64_t gain_at(const struct ompp_analysis *a, uint32_t region, const struct verdict *all, uint32_t node)
{
	int64_t gain_ns = 0;

	for (uint32_t k = 0; k < a->profile->nodes[node].n_cells; k++) {
		uint32_t cell = a->profile->nodes[node].first_cell + k;
		struct verdict one = judge(a, region, &a->profile->cells[cell]);

		if (all->property && one.ns != OMPP_MISSING)
			gain_ns = ompp_add(gain_ns, ompp_analysis_wall(a, cell, one.ns));
	}
	return gain_ns;
}

void ompp_find_waiting(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;

	for (uint32_t r = 0; r < p->n_regions; r++) {
		struct ompp_finding finding = { .region = r, .evidence = "" };
		struct ompp_cell sum = { 0 };
		struct verdict v;

		for (uint32_t i = a->same_first[0][r]; i != OMPP_NONE; i = a->same_next[i])
			for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
				ompp_cell_add(&sum, &p->cells[p->nodes[i].first_cell + k]);
		v = judge(a, r, &sum);
		if (!v.property)
			continue;
		for (uint32_t i = a->same_first[0][r]; i != OMPP_NONE; i = a->same_next[i])
			finding.gain_ns = ompp_add(finding.gain_ns, gain_at(a, r, &v, i));
		finding.name = properties[v.property].name;
		finding.advice = properties[v.property].advice;
		finding.ns = v.ns;
		ompp_find(finder, &finding);
	}
}
