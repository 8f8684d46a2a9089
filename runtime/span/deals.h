/*
 * Deals: the loops of a team of which LLVM's library has told which iterations it dealt out (deal.h), gathered from
 * what its members did.
 */
#ifndef OMPP_SPAN_DEALS_H
#define OMPP_SPAN_DEALS_H

#include "runtime/span/deal.h"

struct ompp_deals;

/* Finds the loops of n members, and how each was dealt out.  Returns 0 without memory.
 * deals: NULL before the first time */
int ompp_deals_gather(struct ompp_deals **deals, const struct ompp_strands *members, uint32_t n);

/* Returns a loop, from 0 on; NULL behind the last one. */
const struct ompp_deal *ompp_deals_loop(const struct ompp_deals *deals, uint32_t i);

/* Returns whether a strand is one of their chunks. */
static inline int ompp_strand_is_dealt(const struct ompp_strand *strand)
{
	return strand->kind == OMPP_STRAND_CHUNK && strand->chunk.n;
}

#endif
