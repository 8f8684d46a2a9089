/*
 * Rank waiting: see rank_waiting.h.
 */
#include "reports/analysis/rank_waiting.h"

#include <errno.h>

#include "reports/profile/number.h"
#include "reports/profile/record.h"

/* It is called r3. */
uint32_t ompp_rank_of_process(const struct ompp_process *process)
{
	uint32_t rank = 0;

	if (process->name[0] != 'r')
		return OMPP_NONE;
	for (const char *digit = process->name + 1; *digit >= '0' && *digit <= '9'; digit++)
		rank = rank * 10 + (uint32_t)(*digit - '0');
	return rank;
}

/* Returns what a rank waited in a region; NULL where no call of it was compared. */
static const struct ompp_rank_wait *rank_wait_of(const struct ompp_profile *p, uint32_t region, uint32_t rank)
{
	size_t lo = 0, hi = p->n_rank_waits;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		const struct ompp_rank_wait *w = &p->rank_waits[middle];

		if (w->region == region && w->rank == rank)
			return w->n ? w : NULL;
		if (w->region < region || (w->region == region && w->rank < rank))
			lo = middle + 1;
		else
			hi = middle;
	}
	return NULL;
}

int64_t ompp_rank_wait_sum(const struct ompp_rank_wait *w)
{
	return ompp_add(ompp_add(w->last_ns, w->sender_ns), w->receiver_ns);
}

static int64_t part_of(int64_t ns, int64_t part_ns, int64_t whole_ns)
{
	return (int64_t)((__int128)ns * part_ns / whole_ns);
}

/* Returns the error of what is said of the time of calls that were not compared, by n that were: a share between 0 and
 * 1 has a standard deviation of at most 1 / 2. */
static int64_t error_of_rest(int64_t rest_ns, uint64_t n)
{
	return rest_ns > 0 && n ? rest_ns / 2 / (int64_t)ompp_root(n) : 0;
}

struct ompp_waited ompp_rank_waited(const struct ompp_profile *p, uint32_t region, uint32_t rank, int64_t time_ns)
{
	const struct ompp_rank_wait *w = rank_wait_of(p, region, rank);

	if (time_ns <= 0)
		return (struct ompp_waited){ 0, 0 };
	if (!w || w->time_ns <= 0)
		return (struct ompp_waited){ time_ns / 2, time_ns - time_ns / 2 };
	return (struct ompp_waited){ part_of(time_ns, ompp_rank_wait_sum(w), w->time_ns),
		                     ompp_add(part_of(time_ns, w->error_ns, w->time_ns),
		                              error_of_rest(time_ns - w->time_ns, w->n)) };
}

static uint32_t n_ranks_of(const struct ompp_profile *p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->n_rank_waits; i++)
		n = p->rank_waits[i].rank >= n ? p->rank_waits[i].rank + 1 : n;
	return n;
}

int ompp_region_waits(const struct ompp_profile *p, struct ompp_arena *arena, uint32_t region,
                      struct ompp_region_waits *waits)
{
	uint32_t n = n_ranks_of(p);
	struct {
		int64_t ns;
		uint64_t n_last;
	} *by_rank = n <= p->n_processes ? ompp_arena_alloc(arena, (n + 1) * sizeof(*by_rank)) : NULL;

	*waits = (struct ompp_region_waits){ .sum = { .region = region, .rank = OMPP_NONE } };
	if (n > p->n_processes) /* of ranks that are not there nothing is said */
		return 0;
	if (!by_rank)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_rank_waits; i++) {
		const struct ompp_rank_wait *w = &p->rank_waits[i];

		if (region != OMPP_NONE && w->region != region)
			continue;
		ompp_record_add(OMPP_SECTION_RANK_WAITS, &waits->sum, w);
		by_rank[w->rank].ns += w->caused_ns;
		by_rank[w->rank].n_last += w->n_last;
	}
	for (uint32_t r = 0; r < n; r++)
		if (by_rank[r].ns > waits->for_it_ns) {
			waits->sum.rank = r;
			waits->for_it_ns = by_rank[r].ns;
			waits->n_it_last = by_rank[r].n_last;
		}
	return 0;
}
