/*
 * Loop nest: see loop_nest.h.
 */
#include "runtime/access/loop_nest.h"

enum { LINE_BYTES = 64, LEAST_BLOCK = 8, MOST_BLOCK = 64 };

/* ---- dependences ---- */

/* Adds what n iterations of a step reach to the bytes of an access. */
static void nest_extend(intptr_t step, size_t n, uintptr_t *lo, uintptr_t *hi)
{
	intptr_t far = step * (intptr_t)(n - 1);

	*(far < 0 ? lo : hi) += (uintptr_t)far;
}

/* Finds the bytes [lo, hi) of all iterations of an access. */
static void nest_extent(const struct ompp_loop_nest *nest, const struct ompp_loop_nest_access *a, uintptr_t *lo,
                        uintptr_t *hi)
{
	*lo = a->base;
	*hi = a->base + a->n_bytes;
	nest_extend((intptr_t)a->inner, nest->n_inner, lo, hi);
	nest_extend((intptr_t)a->outer, nest->n_outer, lo, hi);
}

static int nest_overlap(const struct ompp_loop_nest *nest, const struct ompp_loop_nest_access *a,
                        const struct ompp_loop_nest_access *b)
{
	uintptr_t lo_a, hi_a, lo_b, hi_b;

	nest_extent(nest, a, &lo_a, &hi_a);
	nest_extent(nest, b, &lo_b, &hi_b);
	return lo_a < hi_b && lo_b < hi_a;
}

/* Returns 1 when iterations of the inner loop that are one to n - 1 apart, in the direction of sign, are `away` bytes
 * apart, or less than n_bytes more or less. */
static int nest_meets(intptr_t away, intptr_t step, int sign, size_t n, intptr_t n_bytes)
{
	intptr_t nearest;

	if (step <= -n_bytes || step >= n_bytes) {
		nearest = away / step;
		for (intptr_t d = nearest - 1; d <= nearest + 1; d++)
			if (d * sign > 0 && d * sign < (intptr_t)n && away - d * step < n_bytes &&
			    away - d * step > -n_bytes)
				return 1;
		return 0;
	}
	/* all that is within reach of steps smaller than the access */
	nearest = step * sign * (intptr_t)(n - 1);
	return away > (nearest < 0 ? nearest : 0) - n_bytes && away < (nearest > 0 ? nearest : 0) + n_bytes;
}

/* Returns 1 when iterations that another order reverses get to the same bytes, one by a and the other by b, which have
 * the same steps. */
static int nest_crosses(const struct ompp_loop_nest *nest, const struct ompp_loop_nest_access *a,
                        const struct ompp_loop_nest_access *b)
{
	intptr_t n_bytes = a->n_bytes > b->n_bytes ? a->n_bytes : b->n_bytes;
	intptr_t away = (intptr_t)(b->base - a->base);

	for (intptr_t d = 1; d < (intptr_t)nest->n_outer; d++) {
		intptr_t far = d * (intptr_t)a->outer;

		if (nest_meets(-away - far, (intptr_t)a->inner, -1, nest->n_inner, n_bytes) ||
		    nest_meets(-away + far, (intptr_t)a->inner, 1, nest->n_inner, n_bytes))
			return 1;
	}
	return 0;
}

int ompp_loop_nest_is_free(const struct ompp_loop_nest *nest)
{
	for (uint32_t i = 0; i < nest->n; i++)
		for (uint32_t k = i; k < nest->n; k++) {
			const struct ompp_loop_nest_access *a = &nest->accesses[i], *b = &nest->accesses[k];

			if ((!a->is_store && !b->is_store) || !nest_overlap(nest, a, b))
				continue;
			if (a->inner != b->inner || a->outer != b->outer || nest_crosses(nest, a, b))
				return 0;
		}
	return 1;
}

/* ---- what an order is for ---- */

/* Returns how many bytes of a step are in new lines, at most a line. */
static size_t nest_reach(size_t step)
{
	size_t far = (intptr_t)step < 0 ? -step : step;

	return far < LINE_BYTES ? far : LINE_BYTES;
}

int ompp_loop_nest_is_nearer(const struct ompp_loop_nest *nest, enum ompp_loop_order order)
{
	size_t inner = 0, outer = 0;
	int is_shared = 0;

	for (uint32_t i = 0; i < nest->n; i++) {
		const struct ompp_loop_nest_access *a = &nest->accesses[i];

		inner += nest_reach(a->inner);
		outer += nest_reach(a->outer);
		is_shared |= nest_reach(a->outer) < nest_reach(a->inner);
	}
	return order == OMPP_LOOP_INTERCHANGED ? outer < inner : is_shared;
}

size_t ompp_loop_nest_block(const struct ompp_loop_nest *nest)
{
	size_t least = LINE_BYTES, n;

	for (uint32_t i = 0; i < nest->n; i++)
		least = nest->accesses[i].n_bytes < least ? nest->accesses[i].n_bytes : least;
	n = LINE_BYTES / least;
	return n < LEAST_BLOCK ? LEAST_BLOCK : n > MOST_BLOCK ? MOST_BLOCK : n;
}

/* ---- orders ---- */

/* How to hand over accesses. */
struct nest_walk {
	const struct ompp_loop_nest *nest;
	void (*visit)(void *context, uint32_t access, uintptr_t address);
	void *context;
};

/* Makes the accesses of an iteration: those between the inner loops, or the others. */
static void nest_iteration(const struct nest_walk *w, size_t outer, size_t inner, int is_between)
{
	for (uint32_t i = 0; i < w->nest->n; i++) {
		const struct ompp_loop_nest_access *a = &w->nest->accesses[i];

		if (a->is_between == is_between)
			w->visit(w->context, i, a->base + outer * a->outer + inner * a->inner);
	}
}

static size_t nest_end(size_t from, size_t block, size_t n)
{
	return block < n - from ? from + block : n;
}

/* Makes the iterations in blocks.
 * n_outer, n_inner: iterations of a block */
static void nest_blocks(const struct nest_walk *w, size_t n_outer, size_t n_inner)
{
	const struct ompp_loop_nest *nest = w->nest;

	for (size_t from = 0; from < nest->n_outer; from += n_outer)
		for (size_t at = 0; at < nest->n_inner; at += n_inner)
			for (size_t i = from; i < nest_end(from, n_outer, nest->n_outer); i++) {
				for (size_t k = at; k < nest_end(at, n_inner, nest->n_inner); k++)
					nest_iteration(w, i, k, 0);
				nest_iteration(w, i, 0, 1);
			}
}

void ompp_loop_nest_walk(const struct ompp_loop_nest *nest, enum ompp_loop_order order,
                         void (*visit)(void *context, uint32_t access, uintptr_t address), void *context)
{
	struct nest_walk w = { nest, visit, context };

	if (order == OMPP_LOOP_INTERCHANGED)
		nest_blocks(&w, nest->n_outer, 1);
	else if (order == OMPP_LOOP_IN_BLOCKS)
		nest_blocks(&w, ompp_loop_nest_block(nest), ompp_loop_nest_block(nest));
	else
		nest_blocks(&w, 1, nest->n_inner);
}
