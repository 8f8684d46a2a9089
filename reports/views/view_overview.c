/*
 * Region Overview: the regions of the program by construct, in the order of their first execution.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/tables/table_region.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

static const char *overview_heading(enum ompp_construct construct, size_t n, struct ompp_arena *arena)
{
	char buffer[80];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, ompp_construct_name(construct));
	ompp_text_str(&t, ": ");
	ompp_text_u64(&t, n);
	ompp_text_str(&t, n == 1 ? " region:" : " regions:");
	return ompp_arena_strdup(arena, buffer);
}

static const char *overview_line(const struct ompp_analysis *a, const struct ompp_region *region)
{
	const char *label = ompp_region_label(a, region);
	size_t n = label ? strlen(label) + ompp_clean_bytes(region->sites, 0) + 64 : 0;
	char *buffer = label ? ompp_arena_alloc(a->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, " * ");
	ompp_text_str(&t, label);
	ompp_region_mark(&t, a, (uint32_t)(region - a->profile->regions));
	if (region->sites[0]) {
		ompp_text_str(&t, ", set at ");
		ompp_clean(&t, region->sites, 0);
	}
	return buffer;
}

static int overview_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	int rc = 0;

	for (int construct = 0; construct < OMPP_N_CONSTRUCTS && !rc; construct++) {
		size_t n = 0;

		for (size_t i = 0; i < a->n_order; i++)
			n += (int)p->regions[a->order[i]].construct == construct;
		if (!n)
			continue;
		ompp_table_start(table, OMPP_STYLE_LINES, "",
		                 overview_heading((enum ompp_construct)construct, n, a->arena));
		ompp_table_left_column(table, "line", OMPP_IN_TEXT);
		ompp_region_columns(table);
		if (ompp_construct_is_lock((enum ompp_construct)construct)) {
			ompp_table_columns(table, OMPP_IN_RECORDS, "locks", "set at");
		}
		for (size_t i = 0; i < a->n_order; i++) {
			const struct ompp_region *region = &p->regions[a->order[i]];
			const char *text;

			if ((int)region->construct != construct)
				continue;
			text = overview_line(a, region);
			if (!text)
				return -ENOMEM;
			ompp_table_text(table, text);
			ompp_region_values(table, region, region->construct);
			if (!ompp_construct_is_lock(region->construct))
				continue;
			ompp_table_number(table, OMPP_KIND_COUNT, region->n_locks ? region->n_locks : OMPP_MISSING);
			ompp_table_text(table, region->sites);
		}
		rc = sheet->put(sheet);
	}
	return rc;
}

const struct ompp_view ompp_view_overview = { .title = "Region Overview",
	                                      .tag = "region overview",
	                                      .build = overview_build };
