/*
 * Fewer misses: see fewer_misses.h.
 */
#include "reports/findings/fewer_misses.h"

#include <errno.h>

#include "reports/findings/finding_say.h"
#include "reports/findings/plain.h"

enum { CLEARLY = 95 }; /* % of the other misses */

const struct ompp_relayout_gains *ompp_fewer_misses(struct ompp_finder *finder)
{
	const struct ompp_relayout_gains *gains;

	if (!finder->analysis->profile->n_relayouts)
		return NULL;
	gains = ompp_relayout_gains(finder->analysis);
	if (!gains)
		finder->rc = -ENOMEM;
	return gains;
}

int ompp_misses_are_fewer(int64_t misses, int64_t others)
{
	return (__int128)misses * 100 <= (__int128)others * CLEARLY;
}

int64_t ompp_fewer_misses_weight(const struct ompp_profile *p, const struct ompp_relayout_gain *gain)
{
	int64_t all = 0;

	for (size_t i = 0; i < p->n_accesses; i++)
		all = ompp_add_known(all, p->accesses[i].values[OMPP_ACCESS_L1_MISSES + gain->level]);
	return ompp_share(gain->now[gain->level] - gain->then[gain->level], all);
}

int64_t ompp_fewer_misses_ns(const struct ompp_analysis *a, uint32_t region, int64_t part)
{
	int64_t plain_ns = ompp_plain_region_ns(a, region);

	return plain_ns == OMPP_MISSING ? 0 : (int64_t)((__int128)plain_ns * part / 1000000000);
}

void ompp_say_fewer_misses(struct ompp_text *t, const struct ompp_relayout_gain *gain)
{
	static const char *const levels[] = { "L1", "L2", "L3" };

	ompp_text_str(t, levels[gain->level]);
	ompp_text_char(t, ' ');
	ompp_text_grouped(t, gain->then[gain->level]);
	ompp_text_str(t, " times, and not ");
	ompp_text_grouped(t, gain->now[gain->level]);
	ompp_text_str(t, " times (");
	ompp_say_share(t, gain->saved);
	ompp_text_str(t, " less; modelled)");
}

void ompp_say_faster(struct ompp_text *t, const struct ompp_relayout_gain *gain)
{
	if (gain->least_faster == OMPP_MISSING)
		return;
	ompp_text_str(t, " The region would be ");
	ompp_text_fixed(t, gain->least_faster / 10, 2, 2);
	ompp_text_str(t, " to ");
	ompp_text_fixed(t, gain->most_faster / 10, 2, 2);
	ompp_text_str(t, " times as fast, as bandwidth bounds it.");
}
