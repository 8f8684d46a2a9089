/*
 * Page accesses: see page_accesses.h.
 */
#include "reports/web/page_accesses.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_groups.h"
#include "reports/analysis/traffic.h"
#include "reports/analysis/usage.h"
#include "runtime/ompp_mem.h"

/* ---- threads of an object ---- */

/* Puts what each thread did with one object, in the order of the threads. */
static void put_object(struct ompp_embed *e, const struct ompp_usage *u, uint32_t object,
                       int64_t (*sums)[OMPP_N_TRAFFIC], uint8_t *used)
{
	const struct ompp_profile *p = u->profile;

	memset(used, 0, p->n_rows);
	for (uint32_t i = u->first[object]; i < u->first[object + 1]; i++) {
		const struct ompp_access *access = &p->accesses[u->by_object[i]];
		uint32_t row = ompp_thread_row(p, access->row);
		int64_t values[OMPP_N_TRAFFIC];

		if (!used[row])
			memset(sums[row], 0, sizeof(sums[row]));
		used[row] = 1;
		ompp_traffic_of(p, access, values);
		ompp_traffic_add(sums[row], values);
	}
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "object", p->objects[object].name);
	ompp_embed_key(e, "rows");
	ompp_embed_open(e, '[');
	for (uint32_t row = 0; row < p->n_rows; row++) {
		if (!used[row])
			continue;
		ompp_embed_open(e, '[');
		ompp_embed_number(e, row);
		for (int kind = 0; kind < OMPP_N_TRAFFIC; kind++)
			ompp_embed_number(e, sums[row][kind]);
		ompp_embed_close(e, ']');
	}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

static int put_objects(struct ompp_embed *e, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t(*sums)[OMPP_N_TRAFFIC] = ompp_arena_alloc(a->arena, p->n_rows * sizeof(*sums));
	uint8_t *used = ompp_arena_alloc(a->arena, p->n_rows);
	struct ompp_usage usage;
	int rc = sums && used ? ompp_usage_init(&usage, a) : -ENOMEM;

	if (rc)
		return rc;
	ompp_embed_key(e, "trafficTitles");
	ompp_embed_open(e, '[');
	for (int kind = 0; kind < OMPP_N_TRAFFIC; kind++)
		ompp_embed_text(e, ompp_traffic_title((enum ompp_traffic_kind)kind));
	ompp_embed_close(e, ']');
	ompp_embed_text_of(e, "trafficCost", ompp_traffic_title(a->traffic->cost));
	ompp_embed_key(e, "objectThreads");
	ompp_embed_open(e, '[');
	for (uint32_t object = 0; object < p->n_objects; object++)
		if (a->traffic->shown[object] && usage.first[object] < usage.first[object + 1])
			put_object(e, &usage, object, sums, used);
	ompp_embed_close(e, ']');
	return 0;
}

/* ---- latencies ---- */

static void put_histogram(struct ompp_embed *e, const struct ompp_profile *p, const struct ompp_sample_group *group,
                          const struct ompp_sample_stats *stats)
{
	uint32_t end = OMPP_HISTOGRAM_BUCKETS;

	while (end && !stats->buckets[end - 1])
		end--;
	if (!end)
		return;
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "object", p->objects[group->object].name);
	ompp_embed_text_of(e, "kind", group->kind == OMPP_MEM_LOADS ? "loads" : "stores");
	ompp_embed_key(e, "least");
	ompp_embed_open(e, '[');
	for (uint32_t i = 0; i <= end && i < OMPP_HISTOGRAM_BUCKETS; i++)
		ompp_embed_number(e, ompp_histogram_least(i));
	ompp_embed_close(e, ']');
	ompp_embed_key(e, "n");
	ompp_embed_open(e, '[');
	for (uint32_t i = 0; i < end; i++)
		ompp_embed_number(e, ompp_count(stats->buckets[i]));
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

static int put_histograms(struct ompp_embed *e, const struct ompp_analysis *a)
{
	struct ompp_sample_groups groups;
	struct ompp_sample_stats *stats = ompp_arena_alloc(a->arena, sizeof(*stats));
	int rc = stats ? ompp_sample_groups_init(&groups, a, OMPP_BY_OBJECT) : -ENOMEM;

	if (rc)
		return rc;
	ompp_embed_key(e, "histograms");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < groups.n; i++) {
		ompp_sample_group_sum(&groups, &groups.groups[i], stats);
		put_histogram(e, a->profile, &groups.groups[i], stats);
	}
	ompp_embed_close(e, ']');
	return 0;
}

int ompp_page_accesses(struct ompp_embed *e, const struct ompp_analysis *a)
{
	int rc = 0;

	if (a->traffic && a->traffic->is_counted)
		rc = put_objects(e, a);
	if (!rc && a->profile->n_samples)
		rc = put_histograms(e, a);
	return rc;
}
