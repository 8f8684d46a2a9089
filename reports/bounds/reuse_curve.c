/*
 * Reuse curve: see reuse_curve.h.
 */
#include "reports/bounds/reuse_curve.h"

enum { LEAST_SHARE = 100, NEEDED_SHARE = 10 };

static void reuse_step(struct ompp_reuse_curve *c, const struct ompp_distance *d)
{
	size_t i = 0, k;

	while (i < c->n && c->steps[i].from < d->from_bytes)
		i++;
	if (i == c->n || c->steps[i].from != d->from_bytes) {
		if (c->n == OMPP_REUSE_STEPS)
			return;
		for (k = c->n++; k > i; k--)
			c->steps[k] = c->steps[k - 1];
		c->steps[i].from = d->from_bytes;
		c->steps[i].to = d->to_bytes;
		c->steps[i].n = c->steps[i].half = 0;
	}
	c->steps[i].n = ompp_add(c->steps[i].n, ompp_count(d->n));
	c->steps[i].half = ompp_add(c->steps[i].half, ompp_count(d->half));
}

/* Returns where the distances of an object in a region begin, which stand together. */
static size_t first_distance(const struct ompp_profile *p, uint32_t region, uint32_t object)
{
	size_t lo = 0, hi = p->n_distances;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		const struct ompp_distance *d = &p->distances[middle];

		if (d->region < region || (d->region == region && d->object < object))
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

void ompp_reuse_add(const struct ompp_profile *p, uint32_t region, uint32_t object, struct ompp_reuse_curve *c)
{
	for (size_t i = first_distance(p, region, object); i < p->n_distances; i++) {
		const struct ompp_distance *d = &p->distances[i];

		if (d->region != region || d->object != object)
			break;
		c->accesses = ompp_add(c->accesses, ompp_count(d->n));
		if (d->from_bytes == OMPP_MISSING)
			c->cold = ompp_add(c->cold, ompp_count(d->n));
		else
			reuse_step(c, d);
	}
}

/* Returns the part of n that lies above `bytes` when it is spread evenly from one bound to the other. */
static int64_t part_above(int64_t n, int64_t from, int64_t to, int64_t bytes)
{
	if (bytes <= from)
		return n;
	return to == OMPP_MISSING || bytes >= to ? (to == OMPP_MISSING ? n : 0)
	                                         : (int64_t)((__int128)n * (to - bytes) / (to - from));
}

int64_t ompp_reuse_misses(const struct ompp_reuse_curve *c, int64_t bytes, int64_t *error)
{
	int64_t n = 0, half = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (!c->steps[i].from)
			continue; /* hits in all sizes */
		n = ompp_add(n, part_above(c->steps[i].n, c->steps[i].from, c->steps[i].to, bytes));
		half = ompp_add(half, part_above(c->steps[i].half, c->steps[i].from, c->steps[i].to, bytes));
	}
	*error = ompp_subtract(ompp_add(half, half), n);
	*error = *error < 0 ? -*error : *error;
	return n;
}

int64_t ompp_reuse_needs(const struct ompp_reuse_curve *c)
{
	int64_t error, all = ompp_reuse_misses(c, OMPP_REUSE_LEAST_BYTES, &error);

	if (all <= c->accesses / LEAST_SHARE)
		return OMPP_MISSING;
	for (size_t i = 0; i < c->n; i++)
		if (c->steps[i].from && c->steps[i].to != OMPP_MISSING &&
		    ompp_reuse_misses(c, c->steps[i].to, &error) <= all / NEEDED_SHARE)
			return c->steps[i].to;
	return OMPP_MISSING;
}

int64_t ompp_reuse_level(const struct ompp_profile *p, unsigned int level)
{
	const uint64_t bytes[OMPP_REUSE_LEVELS] = { p->reuse_l1_bytes, p->reuse_l2_bytes, p->reuse_l3_bytes };

	return ompp_count(bytes[level]);
}
