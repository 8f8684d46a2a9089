/*
 * Deals: see deals.h.
 */
#include "runtime/span/deals.h"

#include <stddef.h>

#include "runtime/base/sort.h"
#include "runtime/base/space.h"

struct ompp_deals {
	uint32_t n_chunks, room, n; /* chunks of all loops, and room for them; loops */
	const struct ompp_strand **strands;
	uint32_t *chunks; /* indices of strands: by loop, and by first iteration */
	struct ompp_deal *loops;
};

/* Makes room for so many chunks, each of which may be a loop.  The old memory is not used again. */
static int deals_reserve(struct ompp_deals *d, uint32_t n)
{
	uint32_t room = d->room ? d->room : 1024;
	char *more;

	while (room < n)
		room *= 2;
	if (room == d->room)
		return 1;
	more = ompp_space_take(room * (sizeof(*d->strands) + sizeof(*d->loops) + sizeof(*d->chunks)));
	if (!more)
		return 0;
	d->strands = (const struct ompp_strand **)(void *)more;
	d->loops = (struct ompp_deal *)(void *)(d->strands + room);
	d->chunks = (uint32_t *)(void *)(d->loops + room);
	d->room = room;
	return 1;
}

static int is_one_loop(const struct ompp_strand *a, const struct ompp_strand *b)
{
	return a->phase == b->phase && a->chunk.loop.ordinal == b->chunk.loop.ordinal;
}

static int chunk_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_strand *const *strands = context, *a = strands[x], *b = strands[y];

	if (a->phase != b->phase)
		return a->phase > b->phase;
	if (!is_one_loop(a, b))
		return a->chunk.loop.ordinal > b->chunk.loop.ordinal;
	return a->chunk.first > b->chunk.first;
}

int ompp_deals_gather(struct ompp_deals **deals, const struct ompp_strands *members, uint32_t n)
{
	struct ompp_deals *d = *deals ? *deals : ompp_space_take(sizeof(*d));
	uint32_t most = 0;

	*deals = d;
	if (!d)
		return 0;
	d->n = d->n_chunks = 0;
	for (const struct ompp_strands *m = members; m; m = m->next)
		for (uint32_t i = 0; i < m->n; i++)
			most += ompp_strand_is_dealt(&m->list[i]);
	if (most && !deals_reserve(d, most))
		return 0;
	for (const struct ompp_strands *m = members; m; m = m->next)
		for (uint32_t i = 0; i < m->n; i++)
			if (ompp_strand_is_dealt(&m->list[i])) {
				d->chunks[d->n_chunks] = d->n_chunks;
				d->strands[d->n_chunks++] = &m->list[i];
			}
	ompp_sort(d->chunks, d->n_chunks, chunk_is_after, d->strands);
	for (uint32_t i = 0, end; i < d->n_chunks; i = end) {
		struct ompp_deal *loop = &d->loops[d->n++];

		for (end = i + 1;
		     end < d->n_chunks && is_one_loop(d->strands[d->chunks[i]], d->strands[d->chunks[end]]);)
			end++;
		*loop = (struct ompp_deal){ .strands = d->strands, .chunks = d->chunks + i, .n = end - i };
		ompp_deal_find(loop, n);
	}
	return 1;
}

const struct ompp_deal *ompp_deals_loop(const struct ompp_deals *deals, uint32_t i)
{
	return deals && i < deals->n ? &deals->loops[i] : NULL;
}
