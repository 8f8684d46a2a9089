/*
 * Vectorisation: the loops of the program as the compiler said of them, beside the share of time of the region that has
 * them, and the strides of the data that it walks.
 */
#include "reports/analysis/label.h"
#include "reports/bounds/loop_region.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "reports/tables/view.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

#include <errno.h>

struct loops_order {
	const struct ompp_profile *profile;
	const uint32_t *region; /* by loop */
	const int64_t *ns;      /* by loop */
};

/* The loops of the regions with most work come first, and those of one region in their order. */
static int loop_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct loops_order *o = context;

	return o->ns[x] != o->ns[y] ? o->ns[x] < o->ns[y] : x > y;
}

/* Returns "a 4 096, b 64" for the strides of the data in a region, in bytes. */
static const char *strides(const struct ompp_data_section *d, uint32_t region)
{
	const struct ompp_profile *p = d->usage.profile;
	char buffer[200];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (size_t i = 0; i < p->n_patterns && region != OMPP_NONE; i++) {
		const struct ompp_pattern *one = &p->patterns[i];

		if (one->region != region || one->kind != OMPP_PATTERN_STRIDE)
			continue;
		ompp_text_str(&t, t.n_bytes ? ", " : "");
		ompp_text_str(&t, ompp_data_short_name(d, one->object));
		ompp_text_char(&t, ' ');
		if (one->step_bytes)
			ompp_text_i64(&t, one->step_bytes);
		else
			ompp_text_str(&t, "various");
	}
	return t.n_bytes ? ompp_arena_strdup(d->usage.analysis->arena, buffer) : "-";
}

static void loops_columns(struct ompp_table *table)
{
	ompp_table_left_column(table, "loop", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_RECORDS, "loop file", "loop line");
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "workT", "(%)");
	ompp_table_left_columns(table, OMPP_IN_BOTH, "vectorised", "how, or why not", "strides");
}

/* Returns "main.c:12". */
static const char *place_text(const struct ompp_analysis *a, const struct ompp_loop *loop)
{
	const char *slash = loop->file, *p;
	char buffer[200];
	struct ompp_text t;

	for (p = loop->file; *p; p++)
		slash = *p == '/' ? p + 1 : slash;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, slash);
	ompp_text_char(&t, ':');
	ompp_text_u64(&t, loop->line);
	return ompp_arena_strdup(a->arena, buffer);
}

static void loops_row(const struct ompp_data_section *d, const struct ompp_loop *loop, uint32_t region, int64_t ns,
                      int64_t all_ns, struct ompp_table *table)
{
	const struct ompp_object_part part = { .key = region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)region };

	ompp_table_text(table, place_text(d->usage.analysis, loop));
	ompp_table_text(table, loop->file);
	ompp_table_number(table, OMPP_KIND_COUNT, loop->line);
	ompp_data_region_values(d, region == OMPP_NONE ? NULL : &part, table);
	ompp_table_number(table, OMPP_KIND_TIME, ns);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(ns, all_ns));
	ompp_table_text(table, loop->is_vectorized ? "yes" : "no");
	ompp_table_text(table, loop->how);
	ompp_table_text(table, strides(d, region));
}

static int loops_are_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_loops;
}

static int loops_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *region = ompp_arena_alloc(a->arena, (p->n_loops + 1) * sizeof(*region)), *order;
	int64_t *ns = ompp_arena_alloc(a->arena, (p->n_loops + 1) * sizeof(*ns));
	struct loops_order context = { p, region, ns };
	struct ompp_data_section d;
	int rc;

	if (loops_are_empty(a))
		return ompp_data_remark("What the compiler vectorised is not known; build with kinst --opt-info.",
		                        sheet);
	if (!region || !ns || ompp_data_start(&d, a, sheet))
		return -ENOMEM;
	for (size_t i = 0; i < p->n_loops; i++) {
		region[i] = ompp_loop_region(p, &p->loops[i]);
		ns[i] = region[i] == OMPP_NONE ? OMPP_MISSING : ompp_loop_work_ns(a, region[i]);
	}
	order = ompp_sorted(a->arena, p->n_loops, loop_is_after, &context);
	if (!order)
		return -ENOMEM;
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "",
	                 "Loops, as the compiler said of the source without calls:");
	loops_columns(&sheet->table);
	for (size_t i = 0, n = 0; i < p->n_loops && n < ompp_data_n_printed(&d, p->n_loops); i++) {
		uint32_t at = region[order[i]];

		if (at == OMPP_NONE ? a->n_order != p->n_regions : !a->shown[at])
			continue;
		loops_row(&d, &p->loops[order[i]], at, ns[order[i]], a->capacity_ns, &sheet->table);
		n++;
	}
	rc = sheet->put(sheet);
	return rc ? rc
	          : ompp_data_remark("workT and %: the work of the innermost region that has the loop, of all threads, "
	                             "and its share of their time; several loops of a region have it in common. "
	                             "strides: bytes from one miss to the next, of data that is walked so "
	                             "(OMPP_CACHE=1).",
	                             sheet);
}

const struct ompp_view ompp_view_loops = { .title = "Vectorisation",
	                                   .tag = "vectorisation",
	                                   .build = loops_build,
	                                   .is_empty = loops_are_empty,
	                                   .has_times = 1 };
