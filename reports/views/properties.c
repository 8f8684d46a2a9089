/*
 * Performance Properties: what costs time, by name, the most severe first, and what usually helps.
 * Severity: the time of all threads in the property, per cent of duration × threads.
 */
#include "reports/views/view.h"

#include <errno.h>
#include <string.h>

#include "reports/views/sort.h"
#include "runtime/base/text.h"

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

struct finding { enum property property; uint32_t region; int64_t ns; };

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

/* What holds for the sum of a region, and the time that it costs. */
static struct finding judge(const struct ompp_analysis *a, uint32_t region, const struct ompp_cell *sum)
{
	struct finding f = { NOTHING, region, sum->exit_bar_ns };

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

static int is_after(const void *list, uint32_t x, uint32_t y)
{
	const struct finding *fx = (const struct finding *)list + x, *fy = (const struct finding *)list + y;

	return fx->ns != fy->ns ? fx->ns < fy->ns : x > y;
}

static size_t find(const struct ompp_analysis *a, struct finding *list)
{
	const struct ompp_profile *p = a->profile;
	size_t n = 0;

	for (uint32_t r = 0; r < p->n_regions; r++) {
		struct ompp_cell sum = { 0 };
		int64_t share;

		if (!a->shown[r])
			continue;
		for (uint32_t i = a->same_first[0][r]; i != OMPP_NONE; i = a->same_next[i])
			for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
				ompp_cell_add(&sum, &p->cells[p->nodes[i].first_cell + k]);
		list[n] = judge(a, r, &sum);
		share = ompp_share(list[n].ns, a->capacity_ns);
		n += list[n].property && share != OMPP_MISSING && share >= 500;         /* shown as 0.0001 or more */
	}
	return n;
}

/* "Property P00001 'X' holds for 'LOOP a.c (1-2)', with a severity (in percent) of 0.1991" and the advice below. */
static const char *sentence(const struct finding *f, const struct ompp_region *region, const char *id,
                            int64_t severity, struct ompp_arena *arena)
{
	const char *place = ompp_region_place(region, arena);
	size_t n = place ? strlen(place) + strlen(properties[f->property].advice) + 200 : 0;
	char *buffer = place ? ompp_arena_alloc(arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, "Property ");
	ompp_text_str(&t, id);
	ompp_text_str(&t, " '");
	ompp_text_str(&t, properties[f->property].name);
	ompp_text_str(&t, "' holds for '");
	ompp_text_str(&t, ompp_construct_name(region->construct));
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, place);
	ompp_text_str(&t, "', with a severity (in percent) of ");
	ompp_text_fixed(&t, severity, 7, 4);
	ompp_text_char(&t, '\n');
	ompp_text_str(&t, properties[f->property].advice);
	return buffer;
}

static int build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct finding *list = ompp_arena_alloc(a->arena, (p->n_regions + 1) * sizeof(*list));
	struct ompp_table *table = &sheet->table;
	uint32_t *order = ompp_arena_alloc(a->arena, p->n_regions * sizeof(*order));
	size_t n;

	if (!list || !order)
		return -ENOMEM;
	n = find(a, list);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	ompp_sort(order, n, is_after, list);
	ompp_table_start(table, OMPP_STYLE_LINES, "", "");
	if (!n) {
		ompp_table_left_column(table, "", OMPP_IN_TEXT);
		ompp_table_text(table, "No property holds.");
		return sheet->put(sheet);
	}
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_column(table, "property", OMPP_IN_RECORDS);
	ompp_table_column(table, "what", OMPP_IN_RECORDS);
	ompp_view_region_columns(table);
	ompp_table_column(table, "severity", OMPP_IN_RECORDS);
	ompp_table_column(table, "advice", OMPP_IN_RECORDS);
	for (size_t i = 0; i < n; i++) {
		const struct finding *f = &list[order[i]];
		const struct ompp_region *region = &p->regions[f->region];
		int64_t severity = ompp_share(f->ns, a->capacity_ns);
		char id[16];
		struct ompp_text t;
		const char *text;

		ompp_text_init(&t, id, sizeof(id));
		ompp_text_char(&t, 'P');
		ompp_text_zeros(&t, i + 1, 5);
		text = sentence(f, region, id, severity, a->arena);
		if (!text)
			return -ENOMEM;
		ompp_table_text(table, text);
		ompp_table_text(table, ompp_arena_strdup(a->arena, id));
		ompp_table_text(table, properties[f->property].name);
		ompp_view_region_values(table, region, region->construct);
		ompp_table_number(table, OMPP_KIND_SHARE, severity);
		ompp_table_text(table, properties[f->property].advice);
	}
	return sheet->put(sheet);
}

const struct ompp_view ompp_view_properties = {
	.name = "properties", .title = "Performance Properties Report", .tag = "performance properties report",
	.build = build, .has_times = 1
};
