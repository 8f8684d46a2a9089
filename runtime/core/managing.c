/*
 * Managing: see managing.h.
 */
#include "runtime/core/managing.h"

void ompp_managing_join(struct ompp_managing *sum, const struct ompp_managing *other)
{
	for (int i = 0; i < OMPP_MANAGING_OCTAVES; i++) {
		sum->n[i] += OMPP_LOAD(&other->n[i]);
		sum->ticks[i] += OMPP_LOAD(&other->ticks[i]);
	}
}

uint64_t ompp_managing_usual(const struct ompp_managing *sum)
{
	uint64_t n = 0, n_below = 0, ticks = 0, mean_ticks;
	int median = 0;

	for (int i = 0; i < OMPP_MANAGING_OCTAVES; i++)
		n += sum->n[i];
	if (n < OMPP_LEAST_TEAMS)
		return UINT64_MAX;
	while (n_below + sum->n[median] < (n + 1) / 2)
		n_below += sum->n[median++];
	mean_ticks = sum->ticks[median] / sum->n[median];
	for (int i = 0; i < OMPP_MANAGING_OCTAVES; i++)
		ticks += i < median + OMPP_MANAGING_LONG ? sum->ticks[i] : sum->n[i] * mean_ticks;
	return ticks;
}
