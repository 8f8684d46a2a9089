/*
 * Chunks: see sum_chunks.h.
 */
#include "runtime/sums/sum_chunks.h"

#include <errno.h>

#include "reports/profile/number.h"
#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/chunks.h"

/* Returns the standard error of the sum of the timed calls, in ticks: the root of n times their variance. */
static int64_t chunks_error(const struct ompp_chunks *s)
{
	unsigned __int128 squares = (unsigned __int128)s->squares[1] << 64 | s->squares[0];
	unsigned __int128 of_sum;

	if (s->n_timed < 2)
		return 0;
	of_sum = (unsigned __int128)((__int128)s->timed_ticks * s->timed_ticks) / s->n_timed;
	return (int64_t)ompp_root(squares > of_sum ? (squares - of_sum) / (s->n_timed - 1) * s->n_timed : 0);
}

void ompp_sum_chunks(struct ompp_merge *c, struct ompp_merge_sums *s, const struct ompp_callnode *node)
{
	const struct ompp_chunks *chunks = __atomic_load_n(&node->chunks, __ATOMIC_ACQUIRE);
	unsigned __int128 squares;

	if (!chunks || !OMPP_LOAD(&chunks->n))
		return;
	if (!s->chunks)
		s->chunks = ompp_arena_alloc(c->arena, sizeof(*s->chunks));
	if (!s->chunks) {
		c->failed = 1;
		return;
	}
	squares = ((unsigned __int128)OMPP_LOAD(&chunks->squares[1]) << 64 | OMPP_LOAD(&chunks->squares[0])) +
	          ((unsigned __int128)s->chunks->squares[1] << 64 | s->chunks->squares[0]);
	s->chunks->n += OMPP_LOAD(&chunks->n);
	s->chunks->n_timed += OMPP_LOAD(&chunks->n_timed);
	s->chunks->n_long += OMPP_LOAD(&chunks->n_long);
	s->chunks->timed_ticks += OMPP_LOAD(&chunks->timed_ticks);
	s->chunks->squares[0] = (uint64_t)squares;
	s->chunks->squares[1] = (uint64_t)(squares >> 64);
}

int ompp_collect_chunks_start(struct ompp_merge *c, struct ompp_profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_sums; i++)
		n += c->sums[i].chunks != NULL;
	p->chunks = c->chunks = ompp_arena_alloc(c->arena, n * sizeof(*c->chunks));
	p->n_chunks = 0;
	return p->chunks ? 0 : -ENOMEM;
}

void ompp_collect_chunks(const struct ompp_merge *c, struct ompp_profile *p, uint32_t cell,
                         const struct ompp_merge_sums *sums, struct ompp_clock_rate rate)
{
	const struct ompp_chunks *s = sums->chunks;
	struct ompp_chunk_sum *out = &c->chunks[p->n_chunks];
	int64_t error_ns;

	if (!s)
		return;
	p->n_chunks++;
	ompp_assert(p->n_chunks == 1 || c->chunks[p->n_chunks - 2].cell < cell);
	error_ns = ompp_clock_ns(rate, chunks_error(s));
	out->cell = cell;
	out->n = s->n;
	out->n_timed = s->n_timed;
	out->n_long = s->n_long;
	out->timed_ns = s->timed_ticks < 0 ? -ompp_clock_ns(rate, -s->timed_ticks)
	                                   : ompp_clock_ns(rate, s->timed_ticks);
	out->variance = error_ns < 3037000499 ? error_ns * error_ns : INT64_MAX / 2;
}
