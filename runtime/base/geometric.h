/*
 * Geometric: draws how many accesses pass from one sample to the next, so that each access is sampled with the same
 * chance, 1 / mean, whatever was sampled before.
 *
 * The gap is 1 + floor(log(u) / log(1 - 1 / mean)) with u uniform in (0, 1).  It is computed with integers only:
 * floating-point operations would set exception flags in the program's threads.
 */
#ifndef OMPP_BASE_GEOMETRIC_H
#define OMPP_BASE_GEOMETRIC_H

#include <stdint.h>

/* The scale of the gaps: -1 / log2(1 - 1 / mean), × 2^20; 0 for a mean of 1. */
struct ompp_geometric {
	uint64_t scale;
};

/* Gets ready for a mean of 1 to 2^41.  COLD. */
struct ompp_geometric ompp_geometric(uint64_t mean);

/* Returns a state for ompp_random() that differs from those of other seeds in all bits. */
static inline uint64_t ompp_random_seed(uint64_t seed)
{
	uint64_t x = (seed + 1) * 0x9E3779B97F4A7C15u;

	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
	x = (x ^ x >> 27) * 0x94D049BB133111EBu;
	return (x ^ x >> 31) | 1;
}

/* Returns the next of 2^64 - 1 numbers that look as if drawn by chance (Marsaglia's xorshift, multiplied). */
static inline uint64_t ompp_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545F4914F6CDD1Du;
}

/* Returns -log2(u / 2^64) × 2^31, at most 2e-6 × 2^31 beside it; u is not 0.
 * The logarithm of 1 + f is f times a polynomial that meets log2(1 + f) / f at the 7 Chebyshev points of [0, 1]. */
static inline uint64_t ompp_minus_log2(uint64_t u)
{
	static const int64_t coefficients[] = { 3098159591, -1548645146, 1025415633, -726659499,
		                                459439550,  -203209527,  42985429 };
	unsigned int zeros = (unsigned int)__builtin_clzll(u);
	int64_t f = (int64_t)(u << zeros << 1 >> 33), sum = 0, log2;

	for (int i = 6; i >= 0; i--)
		sum = coefficients[i] + (sum * f >> 31);
	log2 = sum * f >> 31;
	log2 = log2 < (int64_t)1 << 31 ? log2 : (int64_t)1 << 31; /* the polynomial may be above 1 near 1 */
	return ((uint64_t)(zeros + 1) << 31) - (uint64_t)log2;
}

/* Draws a gap: 1 for the very next access. */
static inline uint64_t ompp_geometric_draw(struct ompp_geometric g, uint64_t *state)
{
	uint64_t u = ompp_random(state);

	return 1 + (uint64_t)((unsigned __int128)ompp_minus_log2(u) * g.scale >> 51);
}

#endif
