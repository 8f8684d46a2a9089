/*
 * Strand: see strand.h.
 */
#include "runtime/span/strand.h"

#include <string.h>

#include "runtime/base/check.h"

void ompp_strands_reset(struct ompp_strands *strands, uint32_t rank, uint64_t base_ticks)
{
	memset(strands->chains, 0, strands->n_slices * sizeof(strands->chains[0]));
	memset(strands->divided, 0, strands->n_slices * sizeof(strands->divided[0]));
	memset(strands->locked, 0, sizeof(strands->locked));
	strands->next = NULL;
	strands->n = strands->n_slices = strands->has_other_edges = strands->has_bound = strands->has_any = 0;
	strands->rank = rank;
	strands->shift = OMPP_STRAND_SHORT_BITS;
	strands->base_ticks = base_ticks;
	strands->managing_ticks = strands->own_ticks = strands->locked_ticks = 0;
	ompp_strands_next_phase(strands, 0);
}

void ompp_strands_next_phase(struct ompp_strands *strands, uint32_t phase)
{
	strands->phase = phase;
	memset(strands->n_of, 0, sizeof(strands->n_of));
	strands->chunks_from = UINT64_MAX;
	strands->n_loops = 0;
	strands->chunk = (struct ompp_strand_chunk){ .n = 0 };
}

/* Makes slices twice as long. */
static void slices_double(struct ompp_strands *p)
{
	for (uint32_t i = 0; i < OMPP_STRAND_SLICES; i++) {
		uint64_t chains = 0, divided = 0;

		for (uint32_t k = 2 * i; k < 2 * i + 2 && k < OMPP_STRAND_SLICES; k++) {
			chains += p->chains[k];
			divided += p->divided[k];
		}
		p->chains[i] = chains;
		p->divided[i] = divided;
	}
	p->n_slices = (p->n_slices + 1) / 2;
	p->shift++;
}

/* Adds a strand to the slices from its begin on. */
static void slices_add(struct ompp_strands *p, int is_chain, uint64_t start, uint64_t ticks)
{
	uint64_t *slices = is_chain ? p->chains : p->divided, from = start - p->base_ticks, slice;

	while ((from + (is_chain ? ticks : 0)) >> p->shift >= OMPP_STRAND_SLICES)
		slices_double(p);
	do {
		uint64_t left, part;

		slice = from >> p->shift;
		left = ((slice + 1) << p->shift) - from;
		part = is_chain && left < ticks ? left : ticks;
		slices[slice] += part;
		from += part;
		ticks -= part;
	} while (ticks);
	p->n_slices = slice >= p->n_slices ? (uint32_t)slice + 1 : p->n_slices;
}

/* Shares and own code that go on are one strand, whatever is called in them. */
static int strand_goes_on(const struct ompp_strands *p, enum ompp_strand_kind kind, uint64_t start)
{
	const struct ompp_strand *last = p->n ? &p->list[p->n - 1] : NULL;

	return last && kind >= OMPP_STRAND_SHARE && last->kind == kind && last->phase == p->phase &&
	       last->start_ticks + last->ticks == start;
}

void ompp_strands_add_other(struct ompp_strands *strands, enum ompp_strand_kind kind, uint64_t start_ticks,
                            uint64_t ticks, uint64_t now)
{
	ompp_assert(strands->n <= OMPP_STRANDS && strands->n_slices <= OMPP_STRAND_SLICES);
	if (!ticks || start_ticks < strands->base_ticks)
		return;
	if (strand_goes_on(strands, kind, start_ticks)) {
		strands->list[strands->n - 1].ticks += ticks;
		strands->list[strands->n - 1].locked_ticks += strands->locked_ticks;
		strands->list[strands->n - 1].lock = strands->lock;
	} else if (!(ticks >> OMPP_STRAND_SHORT_BITS) || strands->n == OMPP_STRANDS) {
		if (kind == OMPP_STRAND_OWN)
			strands->own_ticks += ticks;
		else
			slices_add(strands, kind == OMPP_STRAND_CHAIN, start_ticks, ticks);
	} else {
		strands->list[strands->n++] = (struct ompp_strand){ .start_ticks = start_ticks,
			                                            .ticks = ticks,
			                                            .end_time = now,
			                                            .kind = kind,
			                                            .rank = strands->rank,
			                                            .phase = strands->phase,
			                                            .ordinal = strands->n_of[kind]++,
			                                            .locked_ticks = strands->locked_ticks,
			                                            .lock = strands->lock };
	}
	strands->locked_ticks = 0;
}

void ompp_strands_add_long(struct ompp_strands *strands, struct ompp_strand_of of, uint64_t start_ticks, uint64_t ticks,
                           uint64_t now)
{
	uint32_t n = strands->n;

	ompp_strands_add_other(strands, OMPP_STRAND_CHAIN, start_ticks, ticks, now);
	if (strands->n > n)
		strands->list[n].of = of;
}

void ompp_strands_add_wait(struct ompp_strands *strands, struct ompp_strand_of of, uint64_t end_ticks)
{
	if (strands->n == OMPP_STRANDS)
		strands->has_other_edges = 1;
	else
		strands->list[strands->n++] = (struct ompp_strand){ .start_ticks = end_ticks,
			                                            .kind = OMPP_STRAND_CHAIN,
			                                            .rank = strands->rank,
			                                            .phase = strands->phase,
			                                            .of = of };
}

/* Returns how many strides further than another value of a loop's variable one is. */
static uint64_t strides_between(int64_t from, int64_t to, int64_t stride)
{
	return stride > 0 ? ((uint64_t)to - (uint64_t)from) / (uint64_t)stride
	                  : ((uint64_t)from - (uint64_t)to) / (0 - (uint64_t)stride);
}

void ompp_strands_begin_loop(struct ompp_strands *strands, struct ompp_strand_bounds bounds,
                             enum ompp_strand_schedule schedule, uint32_t chunk)
{
	int is_empty = !bounds.stride ||
	               (bounds.stride > 0 ? bounds.upper < bounds.lower : bounds.upper > bounds.lower);
	uint64_t n = is_empty ? 0 : strides_between(bounds.lower, bounds.upper, bounds.stride) + 1;

	strands->bounds = bounds;
	strands->chunk = (struct ompp_strand_chunk){ .loop = { .n = n > UINT32_MAX / 2 ? 0 : (uint32_t)n,
		                                               .chunk = chunk,
		                                               .ordinal = strands->n_loops++,
		                                               .schedule = schedule } };
	strands->chunks_from = UINT64_MAX;
}

void ompp_strands_begin_chunk(struct ompp_strands *strands, int64_t lower, int64_t upper, uint64_t now)
{
	struct ompp_strand_chunk *chunk = &strands->chunk;
	uint64_t first, n;

	if (!chunk->loop.n)
		return;
	first = strides_between(strands->bounds.lower, lower, strands->bounds.stride);
	n = strides_between(lower, upper, strands->bounds.stride) + 1;
	if (first >= chunk->loop.n || n > chunk->loop.n - first)
		return;
	chunk->first = (uint32_t)first;
	chunk->n = (uint32_t)n;
	chunk->asked_time = now;
}

/* Chunks of one loop begin where the loop does, as each thread might get any of them. */
void ompp_strands_end_chunk(struct ompp_strands *strands, uint64_t end_ticks)
{
	struct ompp_strand *last = strands->n ? &strands->list[strands->n - 1] : NULL;
	struct ompp_strand_chunk chunk = strands->chunk;

	strands->chunk.n = 0;
	if (!last || last->phase != strands->phase || last->kind != OMPP_STRAND_SHARE ||
	    last->start_ticks + last->ticks != end_ticks)
		return;
	if (strands->chunks_from == UINT64_MAX)
		strands->chunks_from = last->start_ticks;
	last->kind = OMPP_STRAND_CHUNK;
	last->chunk = chunk;
	last->start_ticks = strands->chunks_from;
	ompp_assert(strands->n_of[OMPP_STRAND_SHARE]);
	strands->n_of[OMPP_STRAND_SHARE]--;
}

void ompp_strands_add_locked(struct ompp_strands *strands, uint32_t region, uint64_t ticks)
{
	strands->locked_ticks += ticks;
	strands->lock = region;
	for (int i = 0; i < OMPP_STRAND_LOCKS; i++) {
		if (strands->locked[i].region && strands->locked[i].region != region)
			continue;
		strands->locked[i].region = region;
		strands->locked[i].ticks += ticks;
		return;
	}
}
