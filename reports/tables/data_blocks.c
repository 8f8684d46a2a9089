/*
 * Data blocks: see data_blocks.h.
 */
#include "reports/tables/data_blocks.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/traffic.h"
#include "reports/tables/table_region.h"
#include "runtime/base/text.h"

/* has_errors: 1 when a peak is not exact
 * has_allocators: 1 when blocks are from allocators of OpenMP */
static void data_blocks_columns(struct ompp_table *table, int has_errors, int has_allocators)
{
	ompp_table_left_column(table, "allocated at", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "blocks", "live", "bytes");
	ompp_table_column(table, "live bytes", OMPP_IN_RECORDS);
	ompp_table_column(table, "peak bytes", OMPP_IN_BOTH);
	ompp_table_column(table, "peak bytes +-", has_errors ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	if (!table->rc) {
		table->columns[table->n_columns - 1].text_title = "+-";
		table->columns[table->n_columns - 1].joined = 1;
	}
	ompp_table_column(table, "life", OMPP_IN_BOTH);
	ompp_table_left_column(table, "TID", OMPP_IN_BOTH);
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	ompp_region_columns(table);
	ompp_table_left_columns(table, OMPP_IN_RECORDS, "object", "call path", "allocator", "calls");
	if (has_allocators)
		ompp_table_left_column(table, "memory", OMPP_IN_TEXT);
}

/* Returns the row of the thread that allocated first, "1", or "1 …" when other threads allocated, too. */
static const char *thread_text(const struct ompp_data_section *d, const struct ompp_allocation *a)
{
	const struct ompp_profile *p = d->usage.profile;
	char buffer[64];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, a->row == OMPP_NONE ? "-" : p->rows[ompp_thread_row(p, a->row)].label);
	ompp_text_str(&t, a->several_threads ? " …" : "");
	return ompp_arena_strdup(d->usage.analysis->arena, buffer);
}

/* Returns the id of the region where it was allocated; only the id, as lines are long. */
static const char *region_text(const struct ompp_data_section *d, const struct ompp_allocation *a)
{
	char buffer[16];
	struct ompp_text t;

	if (a->region == OMPP_NONE)
		return "(serial)";
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_char(&t, 'R');
	ompp_text_zeros(&t, d->usage.profile->regions[a->region].id, 5);
	return ompp_arena_strdup(d->usage.analysis->arena, buffer);
}

/* Returns the significant part of an allocator's name, as lines are long: "high_bw" of omp_high_bw_mem_alloc. */
static const char *memory_text(const struct ompp_data_section *d, const char *allocator)
{
	size_t n = strlen(allocator), n_head = strlen("omp_"), n_tail = strlen("_mem_alloc");

	if (n <= n_head + n_tail || strncmp(allocator, "omp_", n_head))
		return allocator;
	return ompp_arena_strndup(d->usage.analysis->arena, allocator + n_head, n - n_head - n_tail);
}

static void data_blocks_line(const struct ompp_data_section *d, const struct ompp_allocation *a, int has_allocators,
                             struct ompp_table *table)
{
	const char *allocator = a->allocator[0] ? a->allocator : "-";

	const struct ompp_profile *p = d->usage.profile;
	const struct ompp_object_part part = { .key = a->region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)a->region };
	int64_t n = ompp_count(a->n_blocks);

	ompp_table_text(table, a->name);
	ompp_table_number(table, OMPP_KIND_METRIC, n);
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(a->n_live));
	ompp_table_number(table, OMPP_KIND_METRIC, a->bytes);
	ompp_table_number(table, OMPP_KIND_METRIC, a->live_bytes);
	ompp_table_number(table, OMPP_KIND_METRIC, a->peak_bytes);
	ompp_table_number(table, OMPP_KIND_METRIC, a->peak_error);
	ompp_table_number(table, OMPP_KIND_TIME,
	                  n && a->lifetime_ns != OMPP_MISSING ? a->lifetime_ns / n : OMPP_MISSING);
	ompp_table_text(table, thread_text(d, a));
	ompp_table_text(table, region_text(d, a));
	ompp_data_region_values(d, &part, table);
	ompp_table_text(table, a->object == OMPP_NONE ? "" : p->objects[a->object].name);
	ompp_table_text(table, a->path);
	ompp_table_text(table, allocator);
	ompp_table_text(table, a->calls);
	if (has_allocators)
		ompp_table_text(table, memory_text(d, allocator));
}

/* Is the allocation's object to be shown?  One whose blocks are in no object has the name of its site. */
static int data_blocks_is_shown(const struct ompp_data_section *d, const struct ompp_allocation *a)
{
	const char *list = d->usage.analysis->object;

	return !list || !list[0] || ompp_traffic_is_listed(a->name, list) ||
	       (a->object != OMPP_NONE && ompp_traffic_is_listed(d->usage.profile->objects[a->object].name, list));
}

/* Returns the line for those that are not printed. */
static struct ompp_allocation sum_of_rest(const struct ompp_data_section *d, const uint32_t *chosen, size_t n)
{
	struct ompp_allocation rest = { .name = ompp_data_more_text(d, n),
		                        .path = "",
		                        .allocator = "",
		                        .calls = "",
		                        .object = OMPP_NONE,
		                        .row = OMPP_NONE,
		                        .region = OMPP_NONE,
		                        .several_threads = 0,
		                        .peak_bytes = OMPP_MISSING,
		                        .peak_error = OMPP_MISSING };

	for (size_t i = 0; i < n; i++) {
		const struct ompp_allocation *a = &d->usage.profile->allocations[chosen[i]];

		rest.n_blocks += a->n_blocks;
		rest.n_live += a->n_live;
		rest.bytes = ompp_add(rest.bytes, a->bytes);
		rest.live_bytes = ompp_add(rest.live_bytes, a->live_bytes);
		rest.lifetime_ns = ompp_add(rest.lifetime_ns, a->lifetime_ns);
	}
	return rest;
}

int ompp_data_blocks(const struct ompp_data_section *d, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = d->usage.profile;
	uint32_t *chosen = ompp_arena_alloc(d->usage.analysis->arena, (p->n_allocations + 1) * sizeof(*chosen));
	struct ompp_table *table = &sheet->table;
	int has_errors = 0, has_allocators = 0;
	size_t n = 0, n_lines;

	if (!chosen)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_allocations; i++)
		if (data_blocks_is_shown(d, &p->allocations[i]))
			chosen[n++] = i;
	if (!n)
		return 0;
	n_lines = ompp_data_n_printed(d, n);
	ompp_table_start(table, OMPP_STYLE_GRID, "blocks",
	                 "Blocks of memory by the place that allocated them (life: the mean, in seconds):");
	for (size_t i = 0; i < n_lines; i++) {
		has_errors |= p->allocations[chosen[i]].peak_error != 0;
		has_allocators |= p->allocations[chosen[i]].allocator[0] != 0;
	}
	data_blocks_columns(table, has_errors, has_allocators);
	for (size_t i = 0; i < n_lines; i++)
		data_blocks_line(d, &p->allocations[chosen[i]], has_allocators, table);
	if (n_lines < n) {
		struct ompp_allocation rest = sum_of_rest(d, chosen + n_lines, n - n_lines);

		data_blocks_line(d, &rest, has_allocators, table);
	}
	return sheet->put(sheet);
}
