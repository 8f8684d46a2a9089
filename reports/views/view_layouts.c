/*
 * Layouts: what objects would miss less if they were laid out otherwise, by region, and what regions would miss less if
 * their loops were in another order.
 */
#include <errno.h>
#include <string.h>

#include "reports/bounds/relayout_gain.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "reports/tables/view.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { TEXT_BYTES = 400 };

static const char *layout_text(const struct ompp_relayout_sum *of, struct ompp_arena *arena)
{
	char buffer[TEXT_BYTES];
	struct ompp_text t;

	if (!strcmp(of->kind, "apart"))
		return "structure of arrays";
	if (!strcmp(of->kind, "half"))
		return "elements of half the size";
	if (!strcmp(of->kind, "padded"))
		return "padded rows";
	if (!strcmp(of->kind, "interchanged"))
		return "interchanged";
	if (!strcmp(of->kind, "blocked"))
		return "in blocks";
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "split: ");
	ompp_text_str(&t, ompp_clean_copy(of->groups, 0, arena));
	return ompp_arena_strdup(arena, buffer);
}

/* Adds the columns of an object in a region. */
static void place_columns(struct ompp_table *table)
{
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	ompp_region_columns(table);
}

static void place_values(const struct ompp_data_section *d, uint32_t object, uint32_t region, struct ompp_table *table)
{
	const struct ompp_object_part part = { .object = object,
		                               .key = region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)region };

	ompp_data_object(d, object, table);
	ompp_table_text(table, ompp_data_region_text(d, &part));
	ompp_data_region_values(d, &part, table);
}

/* Adds the columns of what is saved.
 * what: the column that says by which change */
static void layouts_columns(const struct ompp_profile *p, const char *what, struct ompp_table *table)
{
	static const char *const now[] = { "L1", "L2", "L3" }, *const then[] = { "L1 then", "L2 then", "L3 then" };

	place_columns(table);
	ompp_table_left_column(table, what, OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_RECORDS, "accesses", "replayed");
	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++) {
		enum ompp_where where = OMPP_IN_RECORDS;

		for (size_t k = 0; k < p->n_cache_levels; k++)
			if (!strcmp(p->cache_levels[k].name, now[i]))
				where = OMPP_IN_BOTH;
		ompp_table_column(table, now[i], where);
		ompp_table_column(table, then[i], where);
	}
	ompp_table_columns(table, OMPP_IN_BOTH, "saved (%)", "faster", "to");
}

static void layouts_row(const struct ompp_data_section *d, const struct ompp_relayout_gain *gain,
                        struct ompp_table *table)
{
	const struct ompp_relayout_sum *of = gain->of;

	place_values(d, of->object, of->region, table);
	ompp_table_text(table, layout_text(of, d->usage.analysis->arena));
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(of->n_all));
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(of->n));
	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++) {
		ompp_table_number(table, OMPP_KIND_METRIC, gain->now[i]);
		ompp_table_number(table, OMPP_KIND_METRIC, gain->then[i]);
	}
	ompp_table_number(table, OMPP_KIND_SHARE, gain->saved);
	if (gain->least_faster == OMPP_MISSING) {
		ompp_table_number(table, OMPP_KIND_METRIC, OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_METRIC, OMPP_MISSING);
	} else {
		ompp_table_rounded(table, gain->least_faster, 100);
		ompp_table_rounded(table, gain->most_faster, 100);
	}
}

/* Puts the objects whose threads would take fewer lines from each other if each had its own.  Returns 0 or -errno.
 * n: how many there are */
static int put_own_lines(const struct ompp_data_section *d, struct ompp_sheet *sheet, size_t *n)
{
	struct ompp_table *table = &sheet->table;
	struct ompp_own_lines_gain gain;
	int rc;

	*n = 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "lines of their own by object and region",
	                 "Stores that take a cache line from another thread, today and if each thread's bytes had "
	                 "lines of their own:");
	place_columns(table);
	ompp_table_column(table, "stores", OMPP_IN_BOTH);
	ompp_table_column(table, "followed", OMPP_IN_RECORDS);
	ompp_table_columns(table, OMPP_IN_BOTH, "transfers", "then", "saved (%)");
	for (size_t at = 0; ompp_own_lines_next(d->usage.analysis, &at, &gain); (*n)++) {
		const struct ompp_own_lines *of = gain.of;

		place_values(d, of->object, of->region, table);
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(of->n_stores));
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(of->n));
		ompp_table_number(table, OMPP_KIND_METRIC, gain.now);
		ompp_table_number(table, OMPP_KIND_METRIC, gain.then);
		ompp_table_number(table, OMPP_KIND_SHARE, gain.saved);
	}
	if (!*n)
		return 0;
	rc = sheet->put(sheet);
	return rc ? rc
	          : ompp_data_remark(
			    "transfers: counted as hooks see the stores, by threads that hooks make slower. then: "
			    "those after another thread's store to the same bytes, which no padding spares. What "
			    "more lines take from the caches is not in it.",
			    sheet);
}

/* Says which TLBs are modelled: "64 and 1536 pages of 4K". */
static void say_tlbs(const struct ompp_profile *p, int64_t page_bytes, struct ompp_text *t)
{
	int is_first = 1;

	for (size_t i = 0; i < p->n_tlbs; i++)
		if (p->tlbs[i].page_bytes == page_bytes) {
			ompp_text_str(t, is_first ? "" : " and ");
			ompp_text_i64(t, p->tlbs[i].entries);
			is_first = 0;
		}
	ompp_text_str(t, " pages of ");
	ompp_data_size(t, page_bytes);
}

/* Puts the objects that would miss less in TLBs with large pages.  Returns 0 or -errno.
 * n: how many there are */
static int put_translations(const struct ompp_data_section *d, struct ompp_sheet *sheet, size_t *n)
{
	const struct ompp_profile *p = d->usage.analysis->profile;
	struct ompp_table *table = &sheet->table;
	struct ompp_translation_gain gain;
	char buffer[TEXT_BYTES];
	struct ompp_text t;
	int rc;

	*n = 0;
	if (!p->n_tlbs)
		return ompp_data_remark("What large pages would spare is not known: the processor does not tell its "
		                        "TLBs, or OMPP_TLB has none.",
		                        sheet);
	ompp_table_start(table, OMPP_STYLE_GRID, "large pages by object and region",
	                 "Misses of the TLBs, with small pages and if all memory had large ones:");
	place_columns(table);
	ompp_table_column(table, "accesses", OMPP_IN_BOTH);
	ompp_table_column(table, "replayed", OMPP_IN_RECORDS);
	ompp_table_columns(table, OMPP_IN_BOTH, "L1 TLB", "L1 TLB then", "L2 TLB", "L2 TLB then", "saved (%)");
	for (size_t at = 0; ompp_translation_next(d->usage.analysis, &at, &gain); (*n)++) {
		const struct ompp_translation *of = gain.of;

		place_values(d, of->object, of->region, table);
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(of->n_all));
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(of->n));
		for (int i = 0; i < OMPP_TRANSLATION_LEVELS; i++) {
			ompp_table_number(table, OMPP_KIND_METRIC, gain.now[i]);
			ompp_table_number(table, OMPP_KIND_METRIC, gain.then[i]);
		}
		ompp_table_number(table, OMPP_KIND_SHARE, gain.saved);
	}
	if (!*n)
		return 0;
	rc = sheet->put(sheet);
	if (rc)
		return rc;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Modelled: TLBs of each thread, of ");
	say_tlbs(p, p->tlbs[0].page_bytes, &t);
	ompp_text_str(&t, ", then of ");
	say_tlbs(p, p->tlbs[p->n_tlbs - 1].page_bytes, &t);
	ompp_text_str(&t, ". Whether memory has large pages already is not in it. saved: of the misses of the last "
	                  "level that has less.");
	return ompp_data_remark(buffer, sheet);
}

/* Puts the regions whose loops would miss less in another order.  Returns 0 or -errno. */
static int put_orders(const struct ompp_data_section *d, const struct ompp_relayout_gains *gains,
                      struct ompp_sheet *sheet)
{
	int rc;

	if (!gains->n_orders)
		return 0;
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "orders of loops by region",
	                 "Misses by region, with loops as they are and in another order that has less, with the object "
	                 "that "
	                 "saves most, without the regions below it:");
	layouts_columns(d->usage.analysis->profile, "loops", &sheet->table);
	for (size_t i = 0; i < ompp_data_n_printed(d, gains->n_orders); i++)
		layouts_row(d, &gains->orders[i], &sheet->table);
	rc = sheet->put(sheet);
	return rc ? rc
	          : ompp_data_remark(
			    "Modelled: each two loops, one directly in the other, whose accesses have constant "
			    "steps are replayed interchanged, or in blocks of as many iterations of both as a "
			    "line has elements, where that is nearer and the addresses allow it. Whether values "
			    "in registers do is not known; sums are added in another order. A compiler that "
			    "interchanges loops itself (-O3) may have done it. faster: as for layouts; not of blocks, "
			    "whose short loops "
			    "cost what is not known.",
			    sheet);
}

static int layouts_are_empty(const struct ompp_analysis *a)
{
	const struct ompp_relayout_gains *gains = a->profile->n_relayouts ? ompp_relayout_gains(a) : NULL;
	struct ompp_translation_gain pages;
	struct ompp_own_lines_gain own;
	size_t at = 0;

	if (ompp_own_lines_next(a, &at, &own))
		return 0;
	at = 0;
	return !ompp_translation_next(a, &at, &pages) &&
	       (!a->profile->n_relayouts || (gains && !gains->n && !gains->n_orders));
}

static int layouts_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_relayout_gains *gains;
	struct ompp_data_section d;
	size_t n, n_pages;
	int rc;

	if (!a->profile->relayouts_compared)
		return ompp_data_remark("Layouts of data were not compared; build with kinst --access -g, and run with "
		                        "ompp run --layouts (OMPP_LAYOUTS=1).",
		                        sheet);
	gains = ompp_relayout_gains(a);
	if (!gains || ompp_data_start(&d, a, sheet))
		return -ENOMEM;
	rc = put_own_lines(&d, sheet, &n);
	rc = rc ? rc : put_translations(&d, sheet, &n_pages);
	rc = rc ? rc : put_orders(&d, gains, sheet);
	if (rc)
		return rc;
	if (!gains->n)
		return n || n_pages || gains->n_orders
		             ? 0
		             : ompp_data_remark("None of the layouts that were compared has a tenth less misses.",
		                                sheet);
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "layouts by object and region",
	                 "Misses by object and region, today and in layouts that have less, without the regions "
	                 "below it:");
	layouts_columns(a->profile, "layout", &sheet->table);
	for (size_t i = 0; i < ompp_data_n_printed(&d, gains->n); i++)
		layouts_row(&d, &gains->list[i], &sheet->table);
	rc = sheet->put(sheet);
	return rc ? rc
	          : ompp_data_remark("Modelled: each access is replayed in caches where all objects that can have a "
	                             "layout have it. split: members that are loaded together, from where they were "
	                             "found to be. padded rows: a line more behind each 4 KiB, against lines that "
	                             "share a set. "
	                             "saved: of the misses of the last level that has less. "
	                             "faster: how many times as fast the region would be, where its time is that of "
	                             "memory or of a cache (--times, --machine).",
	                             sheet);
}

const struct ompp_view ompp_view_layouts = {
	.title = "Layouts", .tag = "layouts", .build = layouts_build, .is_empty = layouts_are_empty
};
