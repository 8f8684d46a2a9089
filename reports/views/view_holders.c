/*
 * Holders of Locks: a row for each place that waited for a lock and each place that had got it, those with most waiting
 * first.
 */
#include <errno.h>

#include "reports/analysis/label.h"
#include "reports/tables/cut.h"
#include "reports/tables/table_region.h"
#include "reports/tables/view.h"
#include "runtime/base/sort.h"

static void holders_columns(struct ompp_table *table)
{
	ompp_table_left_column(table, "waiting", OMPP_IN_TEXT);
	ompp_region_columns(table);
	ompp_table_left_column(table, "for the holder", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_RECORDS, "holder", "holder file", "holder line");
	ompp_table_columns(table, OMPP_IN_BOTH, "waits", "waitT", "(%)");
}

/* Puts who had the lock: the title, the number, the file and the line of its region. */
static void put_holder(const struct ompp_analysis *a, const struct ompp_holder *h, struct ompp_table *table)
{
	const struct ompp_region *region = h->holder == OMPP_NONE ? NULL : &a->profile->regions[h->holder];
	const char *other = h->by_readers ? "(readers)" : "-";

	ompp_table_text(table, region ? ompp_region_title(a, region, region->construct) : other);
	ompp_table_text(table, region ? ompp_region_tag(region, "", table->arena) : other);
	ompp_table_text(table, region ? region->file : "");
	ompp_table_number(table, OMPP_KIND_COUNT, region ? region->begin_line : OMPP_MISSING);
}

static void holders_row(const struct ompp_analysis *a, const struct ompp_holder *h, int64_t all_ns,
                        struct ompp_table *table)
{
	const struct ompp_region *waiter = &a->profile->regions[h->waiter];

	ompp_table_text(table, ompp_region_title(a, waiter, waiter->construct));
	ompp_region_values(table, waiter, waiter->construct);
	put_holder(a, h, table);
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(h->n));
	ompp_table_number(table, OMPP_KIND_TIME, h->waited_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(h->waited_ns, all_ns));
}

static int is_after(const void *holders, uint32_t x, uint32_t y)
{
	const struct ompp_holder *a = (const struct ompp_holder *)holders + x;
	const struct ompp_holder *b = (const struct ompp_holder *)holders + y;

	return a->waited_ns != b->waited_ns ? a->waited_ns < b->waited_ns : x > y;
}

static int holders_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *order = ompp_sorted(a->arena, p->n_holders, is_after, p->holders);
	struct ompp_table *table = &sheet->table;
	struct ompp_cut cut;
	int64_t all_ns = 0;
	int rc = order ? ompp_cut_init(&cut, a, p->n_holders) : -ENOMEM;

	if (rc)
		return rc;
	for (size_t i = 0; i < p->n_holders; i++) {
		const struct ompp_holder *h = &p->holders[order[i]];

		all_ns = ompp_add(all_ns, h->waited_ns);
		cut.n_rows[i] = a->named[h->waiter] || (h->holder != OMPP_NONE && a->named[h->holder]);
		cut.ns[i] = h->waited_ns;
	}
	rc = ompp_cut_choose(&cut, a, sheet);
	if (rc)
		return rc;
	ompp_table_start(table, OMPP_STYLE_GRID, "",
	                 "Calls that found a lock taken, by the call that had got it last:");
	holders_columns(table);
	for (size_t i = 0; i < p->n_holders; i++)
		if (cut.n_rows[i] && !cut.is_out[i])
			holders_row(a, &p->holders[order[i]], all_ns, table);
	rc = sheet->put(sheet);
	return rc ? rc : ompp_cut_say(&cut, a, "pair", sheet);
}

static int holders_are_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_holders;
}

const struct ompp_view ompp_view_holders = { .title = "Holders of Locks",
	                                     .tag = "holders of locks",
	                                     .build = holders_build,
	                                     .is_empty = holders_are_empty,
	                                     .has_times = 1 };
