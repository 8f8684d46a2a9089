/*
 * Pattern: see pattern.h.
 */
#include "reports/findings/pattern.h"

#include <string.h>

#include "reports/findings/finding_say.h"
#include "reports/findings/smalls.h"
#include "runtime/base/text.h"
#include "runtime/terms/access_fields.h"

/* How many accesses take as long as the transfer of a cache line takes at most, also from another socket. */
enum { MOST_TRANSFER_ACCESSES = 300 };

static enum ompp_traffic_kind first_level(const struct ompp_traffic *t)
{
	for (int k = OMPP_TRAFFIC_L1; k <= OMPP_TRAFFIC_L3; k++)
		if (t->all_known >> k & 1)
			return (enum ompp_traffic_kind)k;
	return OMPP_N_TRAFFIC;
}

static void find_sums(const struct ompp_analysis *a, const struct ompp_pattern *pattern, struct ompp_pattern_sums *sums)
{
	const struct ompp_profile *p = a->profile;

	memset(sums, 0, sizeof(*sums));
	sums->level = first_level(a->traffic);
	sums->line_bytes = p->n_cache_levels && p->cache_levels[0].line_bytes > 0 ? p->cache_levels[0].line_bytes : 0;
	for (size_t i = 0; i < p->n_accesses; i++) {
		const struct ompp_access *access = &p->accesses[i];
		int64_t values[OMPP_N_TRAFFIC];

		ompp_traffic_of(p, access, values);
		if (sums->level != OMPP_N_TRAFFIC && values[sums->level] != OMPP_MISSING)
			sums->all_misses = ompp_add(sums->all_misses, values[sums->level]);
		if (values[OMPP_TRAFFIC_ACCESSES] != OMPP_MISSING)
			sums->all_accesses = ompp_add(sums->all_accesses, values[OMPP_TRAFFIC_ACCESSES]);
		if (access->object == pattern->object && p->nodes[access->node].region == pattern->region)
			ompp_traffic_add(sums->values, values);
	}
}

int ompp_pattern_holds(const struct ompp_analysis *a, const struct ompp_pattern *pattern,
                       struct ompp_pattern_sums *sums)
{
	int64_t n = ompp_count(pattern->n), misses;

	find_sums(a, pattern, sums);
	if (ompp_pattern_is_of_lines(pattern->kind))
		return 1;
	misses = sums->level == OMPP_N_TRAFFIC ? OMPP_MISSING : sums->values[sums->level];
	if (misses == OMPP_MISSING || n < misses / 4 || !sums->line_bytes)
		return 0;
	return pattern->kind == OMPP_PATTERN_FOREIGN ||
	       (sums->values[OMPP_TRAFFIC_BYTES] != OMPP_MISSING &&
	        n / 2 + n / 32 >= sums->values[OMPP_TRAFFIC_BYTES] / sums->line_bytes);
}

int64_t ompp_pattern_transfer_share(int64_t n, int64_t all_accesses)
{
	int64_t as_accesses;

	if (__builtin_mul_overflow(n, (int64_t)MOST_TRANSFER_ACCESSES, &as_accesses))
		as_accesses = INT64_MAX;
	return ompp_share(as_accesses, ompp_add(as_accesses, all_accesses));
}

static void put_rows(struct ompp_text *t, const char *word, const struct ompp_pattern *pattern)
{
	ompp_text_str(t, word);
	ompp_text_str(t, pattern->n_rows == 1 ? " thread " : " threads ");
	ompp_text_str(t, pattern->rows);
	ompp_text_str(t, pattern->n_rows > 8 ? " …" : "");
}

/* "262 144 of 262 144 modelled L1 misses in threads 0, 1" */
static void put_misses(struct ompp_text *t, const struct ompp_pattern *pattern, const struct ompp_pattern_sums *sums)
{
	ompp_text_grouped(t, ompp_count(pattern->n));
	ompp_text_str(t, " of ");
	ompp_text_grouped(t, ompp_count(pattern->n_of));
	ompp_text_str(t, " modelled ");
	ompp_text_str(t, ompp_traffic_title(sums->level));
	put_rows(t, " in", pattern);
}

/* Adds "1 cache line written by threads 0, 1, no byte by two of them; 3 of 12 stores came after another
 * thread's". */
static void put_lines(struct ompp_text *t, const struct ompp_pattern *pattern, const char *by, const char *but,
                      const char *came)
{
	ompp_say_count(t, pattern->n_lines, "cache line");
	put_rows(t, by, pattern);
	ompp_text_str(t, but);
	ompp_text_grouped(t, ompp_count(pattern->n));
	ompp_text_str(t, " of ");
	ompp_text_grouped(t, ompp_count(pattern->n_of));
	ompp_text_str(t, came);
}

const char *ompp_pattern_say(const struct ompp_analysis *a, const struct ompp_pattern *pattern,
                             const struct ompp_pattern_sums *sums)
{
	int64_t step = pattern->step_bytes;
	struct ompp_text t;

	ompp_say_start(&t, a->arena);
	ompp_say_object(&t, a, pattern->object);
	ompp_text_str(&t, ": ");
	switch (pattern->kind) {
	case OMPP_PATTERN_FALSE_SHARING:
		put_lines(&t, pattern, " written by", ", no byte by two of them; ",
		          " stores came after another thread's");
		break;
	case OMPP_PATTERN_READERS:
		put_lines(&t, pattern, " read by", ", no byte that another thread writes there; ",
		          " loads came after another thread's store");
		break;
	case OMPP_PATTERN_STRIDE:
		put_misses(&t, pattern, sums);
		ompp_text_str(&t, step ? " are " : " are less than ");
		ompp_text_grouped(&t, step < 0 ? -step : step ? step : OMPP_NEAR_BYTES);
		ompp_text_str(&t, " bytes from the one before");
		break;
	default:
		put_misses(&t, pattern, sums);
		ompp_text_str(&t, " are of pages that another thread wrote first");
		break;
	}
	return t.data;
}
