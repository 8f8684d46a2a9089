/*
 * Finding, reuse: regions that use data again after more than the second cache has room for, by distances between
 * accesses (runtime/data/reuse.h).  How long that takes is not known, as processors fetch ahead.
 *
 * It is found where misses of a cache that is a quarter larger, less what the halves of the sample differ by, are still
 * one in LEAST_SHARE of the region's accesses, by LEAST_LINES or more of the sample.
 */
#include "reports/bounds/reuse_curve.h"
#include "reports/findings/finding.h"
#include "runtime/base/clean.h"

enum { LEAST_SHARE = 50, LEAST_LINES = 100, LINE_WEIGHT = 16, LEAST_OF_ERROR = 5, LEVEL = 1 };

/* Adds a size in megabytes, "1.25 MB". */
static void say_size(struct ompp_text *t, int64_t bytes)
{
	ompp_text_fixed(t, (int64_t)((__int128)bytes * 100 >> 20), 2, 2);
	ompp_text_str(t, " MB");
}

static int64_t all_accesses(const struct ompp_profile *p)
{
	int64_t n = 0;

	for (size_t i = 0; i < p->n_distances; i++)
		if (p->distances[i].object == OMPP_NONE)
			n = ompp_add(n, ompp_count(p->distances[i].n));
	return n;
}

/* Returns the object that has most of a region's misses, and their number; OMPP_NONE without one. */
static uint32_t most_missed(const struct ompp_profile *p, uint32_t region, int64_t bytes, int64_t *n_most)
{
	uint32_t most = OMPP_NONE;
	int64_t error;

	*n_most = 0;
	for (uint32_t o = OMPP_OBJECT_FIRST_NAMED; o < p->n_objects; o++) {
		struct ompp_reuse_curve curve = { 0 };
		int64_t n;

		ompp_reuse_add(p, region, o, &curve);
		n = ompp_reuse_misses(&curve, bytes, &error);
		if (n > *n_most) {
			*n_most = n;
			most = o;
		}
	}
	return most;
}

static void reuse_judge(struct ompp_finder *finder, uint32_t region, int64_t bytes, int64_t n_all)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_reuse_curve curve = { 0 };
	int64_t n, n_larger, n_most, error, error_larger, needs;
	struct ompp_text t;
	const char *name;
	uint32_t object;

	ompp_reuse_add(a->profile, region, OMPP_NONE, &curve);
	n = ompp_reuse_misses(&curve, bytes, &error);
	n_larger = ompp_reuse_misses(&curve, bytes / 4 * 5, &error_larger);
	needs = ompp_reuse_needs(&curve);
	if (needs == OMPP_MISSING || needs <= bytes || n < LEAST_LINES * LINE_WEIGHT ||
	    n_larger - error_larger < curve.accesses / LEAST_SHARE || error > n / LEAST_OF_ERROR)
		return;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "To use again what it uses from a cache it needs ");
	say_size(&t, needs);
	ompp_text_str(&t, " a thread; L2 has ");
	say_size(&t, bytes);
	ompp_text_str(&t, ": ");
	ompp_say_share(&t, ompp_share(n, curve.accesses));
	ompp_text_str(&t, " +- ");
	ompp_say_share(&t, ompp_share(error, curve.accesses));
	ompp_text_str(&t, " of its accesses are to lines that were used before, but longer ago than that");
	object = most_missed(a->profile, region, bytes, &n_most);
	if (object != OMPP_NONE) {
		name = ompp_clean_copy(a->profile->objects[object].name, 0, a->arena);
		ompp_text_str(&t, ", most of them of ");
		ompp_text_str(&t, name ? name : "");
	}
	ompp_text_str(&t, " (modelled from sampled lines, without what the processor fetches ahead).");
	ompp_find_counted(finder,
	                  &(struct ompp_finding){
				  .name = "ReuseBeyondCache",
				  .region = region,
				  .weight = ompp_share(n, n_all),
				  .evidence = t.data,
				  .advice = "Use data again sooner: work on blocks that fit into L2, join loops "
					    "over the same arrays, or take smaller types." });
}

void ompp_find_reuse(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
	int64_t bytes = ompp_reuse_level(p, LEVEL), n_all = all_accesses(p);

	if (bytes <= 0 || !n_all)
		return;
	for (uint32_t r = 0; r < p->n_regions; r++)
		reuse_judge(finder, r, bytes, n_all);
}
