/*
 * Rank waits: see rank_waits.h.
 */
#include "reports/ranks/rank_waits.h"

#include <errno.h>

#include "reports/analysis/label.h"
#include "reports/analysis/rank_waiting.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "runtime/base/sort.h"

static int has_less(const void *waits, uint32_t x, uint32_t y)
{
	const struct ompp_region_waits *a = (const struct ompp_region_waits *)waits + x;
	const struct ompp_region_waits *b = (const struct ompp_region_waits *)waits + y;
	int64_t a_ns = ompp_rank_wait_sum(&a->sum), b_ns = ompp_rank_wait_sum(&b->sum);

	return a_ns != b_ns ? a_ns < b_ns : x > y;
}

/* Finds the waits of all regions that have some.  Returns how many, or -ENOMEM. */
static int64_t all_waits(const struct ompp_analysis *a, struct ompp_region_waits **list)
{
	const struct ompp_profile *p = a->profile;
	int64_t n = 0;

	*list = ompp_arena_alloc(a->arena, (p->n_rank_waits + 1) * sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_rank_waits; i++) {
		uint32_t region = p->rank_waits[i].region;

		if ((i && region == p->rank_waits[i - 1].region) || !a->shown[region])
			continue;
		if (ompp_region_waits(p, a->arena, region, &(*list)[n]))
			return -ENOMEM;
		n += (*list)[n].sum.n > 0;
	}
	return n;
}

static void put_line(const struct ompp_analysis *a, const struct ompp_region_waits *w, struct ompp_table *table)
{
	const struct ompp_region *region = &a->profile->regions[w->sum.region];
	int is_somebody = w->sum.rank != OMPP_NONE;

	ompp_region_values(table, region, region->construct);
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(w->sum.n));
	ompp_table_number(table, OMPP_KIND_TIME, w->sum.time_ns);
	ompp_table_number(table, OMPP_KIND_TIME, w->sum.last_ns);
	ompp_table_number(table, OMPP_KIND_TIME, w->sum.sender_ns);
	ompp_table_number(table, OMPP_KIND_TIME, w->sum.receiver_ns);
	ompp_table_number(table, OMPP_KIND_TIME, w->sum.error_ns);
	ompp_table_number(table, OMPP_KIND_COUNT, is_somebody ? w->sum.rank : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_TIME, is_somebody ? w->for_it_ns : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC,
	                  is_somebody && w->sum.n_last ? ompp_count(w->n_it_last) : OMPP_MISSING);
	ompp_table_text(table, ompp_region_label(a, region));
}

static int put_regions(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	struct ompp_region_waits *list;
	int64_t n = all_waits(a, &list);
	int is_text = sheet->prints == OMPP_IN_TEXT;
	const uint32_t *order = n > 0 ? ompp_sorted(a->arena, (size_t)n, has_less, list) : NULL;

	if (n <= 0)
		return (int)n;
	if (!order)
		return -ENOMEM;
	ompp_table_start(table, OMPP_STYLE_GRID, "waiting for ranks",
	                 "Calls that waited for other ranks, of all ranks:");
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "compared", "callT", "lastT", "senderT", "receiverT", "+-", "rank",
	                   "for itT", "last");
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	for (int64_t i = 0; i < n && !(is_text && i >= OMPP_DATA_MOST_LINES); i++)
		put_line(a, &list[is_text ? order[i] : i], table);
	return sheet->put(sheet);
}

static int have_one_clock(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_rank_clocks; i++)
		if (p->rank_clocks[i].clock)
			return 0;
	return 1;
}

static int put_clocks(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	uint32_t n_put = 0;

	ompp_table_start(table, OMPP_STYLE_GRID, "clocks of ranks", "Clocks, beside that of the first rank:");
	ompp_table_columns(table, OMPP_IN_BOTH, "clock", "first rank", "offset", "+-", "drift (1e-9)");
	for (size_t i = 0; i < p->n_rank_clocks && !(sheet->prints == OMPP_IN_TEXT && n_put == OMPP_DATA_MOST_LINES);
	     i++) {
		const struct ompp_rank_clock *c = &p->rank_clocks[i];
		int is_new = 1;

		for (size_t k = 0; k < i; k++)
			is_new &= p->rank_clocks[k].clock != c->clock;
		if (!is_new)
			continue;
		n_put++;
		ompp_table_number(table, OMPP_KIND_COUNT, c->clock);
		ompp_table_number(table, OMPP_KIND_COUNT, c->rank);
		ompp_table_number(table, OMPP_KIND_TIME, c->offset_ns);
		ompp_table_number(table, OMPP_KIND_TIME, c->error_ns);
		ompp_table_number(table, OMPP_KIND_COUNT, c->drift_ppb);
	}
	return sheet->put(sheet);
}

int ompp_put_rank_waits(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	int rc = put_regions(a, sheet);

	if (!rc && !have_one_clock(a->profile))
		rc = put_clocks(a, sheet);
	return rc ? rc
	          : ompp_data_remark(
			    "Each rank keeps the begins and ends of up to 2048 collective calls and of as many "
			    "messages, those of the same number on all ranks; compared: calls whose other ranks "
			    "kept them, too. lastT: until the last rank came; senderT, receiverT: until a message "
			    "was sent, or its receiver was there. rank: for which others waited longest.",
			    sheet);
}
