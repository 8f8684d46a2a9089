/*
 * Partners: see partners.h.
 */
#include "runtime/events/partners.h"

#include <stddef.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/core/session.h"

static struct ompp_partner_sum *sums; /* by rank */
static struct ompp_partner_sum others;
static uint32_t n_sums; /* ranks that have a sum; read after `sums` */
static int own_rank = -1;
static int have_many; /* several threads may add at once */

void ompp_partners_start(int rank, int n_ranks, int are_many)
{
	uint32_t n = n_ranks < OMPP_MOST_PARTNERS ? (uint32_t)n_ranks : OMPP_MOST_PARTNERS;

	OMPP_STORE(&n_sums, n);
	OMPP_STORE(&own_rank, rank);
	OMPP_STORE(&have_many, are_many);
	ompp_space_table((void **)&sums, n * sizeof(*sums));
}

static struct ompp_partner_sum *partner_of(int rank)
{
	struct ompp_partner_sum *list = __atomic_load_n(&sums, __ATOMIC_ACQUIRE);

	return rank >= 0 && list && (uint32_t)rank < OMPP_LOAD(&n_sums) ? &list[rank] : &others;
}

static void partner_add(uint64_t *n, uint64_t *sum, uint64_t *lacks, int64_t bytes)
{
	int are_many = OMPP_LOAD(&have_many);

	ompp_count_more(n, 1, are_many);
	if (bytes < 0)
		OMPP_STORE(lacks, 1);
	else
		ompp_count_more(sum, (uint64_t)bytes, are_many);
}

void ompp_partner_sent(int rank, int64_t bytes)
{
	struct ompp_partner_sum *to = partner_of(rank);

	if (!OMPP_LOAD(&ompp_session.off))
		partner_add(&to->n_sent, &to->sent_bytes, &to->lacks_sent, bytes);
}

void ompp_partner_received(int rank, int64_t bytes)
{
	struct ompp_partner_sum *from = partner_of(rank);

	if (!OMPP_LOAD(&ompp_session.off))
		partner_add(&from->n_received, &from->received_bytes, &from->lacks_received, bytes);
}

int ompp_partners_rank(uint32_t *n_ranks)
{
	*n_ranks = __atomic_load_n(&sums, __ATOMIC_ACQUIRE) ? OMPP_LOAD(&n_sums) : 0;
	return OMPP_LOAD(&own_rank);
}

const struct ompp_partner_sum *ompp_partner(uint32_t rank)
{
	const struct ompp_partner_sum *list = __atomic_load_n(&sums, __ATOMIC_ACQUIRE);
	const struct ompp_partner_sum *sum = rank == OMPP_MOST_PARTNERS        ? &others
	                                   : list && rank < OMPP_LOAD(&n_sums) ? &list[rank]
	                                                                       : NULL;

	return sum && (OMPP_LOAD(&sum->n_sent) || OMPP_LOAD(&sum->n_received)) ? sum : NULL;
}
