/*
 * NUMA table: see numa_table.h.
 */
#include "reports/tables/numa_table.h"

#include <errno.h>
#include <string.h>

#include "reports/tables/counted.h"
#include "runtime/base/text.h"

/* Returns "NUMA 0", or "r1 NUMA 0" of a rank, or "p1 NUMA 0" of another process. */
static const char *place_title(struct ompp_numa_place place, int has_ranks, struct ompp_arena *arena)
{
	char buffer[48];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (place.process) {
		ompp_text_char(&t, has_ranks ? 'r' : 'p');
		ompp_text_u64(&t, place.process - 1);
		ompp_text_char(&t, ' ');
	}
	ompp_text_str(&t, "NUMA ");
	ompp_text_u64(&t, place.number);
	return ompp_arena_strdup(arena, buffer);
}

static void put_row(const struct ompp_numa *numa, size_t m, size_t i, struct ompp_table *table)
{
	const struct ompp_metric *metric = &numa->metrics[m];
	const int64_t *sums = &numa->sums[m * numa->n_places];
	const uint8_t *have = &numa->have[m * numa->n_places];
	int is_one = numa->places[0].process == numa->places[numa->n_places - 1].process;
	int64_t sum = is_one ? 0 : OMPP_MISSING; /* two processes may have counted the same events */

	ompp_table_text(table, ompp_counted_name(metric, i, table->arena));
	ompp_table_text(table, metric->name);
	ompp_table_text(table, metric->unit);
	ompp_table_text(table, ompp_certainty_name(metric->certainty));
	for (size_t k = 0; k < numa->n_places; k++) {
		ompp_table_number(table, OMPP_KIND_METRIC, have[k] ? sums[k] : OMPP_MISSING);
		sum = ompp_add_known(sum, sums[k]);
	}
	ompp_table_number(table, OMPP_KIND_METRIC, sum);
}

void ompp_numa_table(const struct ompp_analysis *a, const struct ompp_region *region, const char *words,
                     struct ompp_table *table)
{
	const struct ompp_numa *numa = a->numa;
	char buffer[160];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Whole machine during R");
	ompp_text_zeros(&t, region->id, 5);
	ompp_text_str(&t, words);
	ompp_text_str(&t, ", by NUMA node, other programs included:");
	table->heading = ompp_arena_strdup(a->arena, buffer);
	if (!table->heading)
		table->rc = -ENOMEM;
	ompp_table_left_column(table, "counter", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_RECORDS, "counter", "unit", "certainty");
	for (size_t k = 0; k < numa->n_places; k++)
		ompp_table_wide_column(table, place_title(numa->places[k], a->profile->mpi_rank >= 0, a->arena));
	ompp_table_wide_column(table, "SUM");
	for (size_t m = 0; m < numa->n_metrics; m++)
		if (memchr(&numa->have[m * numa->n_places], 1, numa->n_places))
			put_row(numa, m, a->profile->n_metrics + m, table);
}
