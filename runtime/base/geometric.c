/*
 * Geometric: see geometric.h.
 */
#include "runtime/base/geometric.h"

#include "runtime/base/check.h"

enum { SMALL_MEAN = 4096, LOG_BITS = 60, SCALE_BITS = 20 };

/* Returns -log2(u / 2^64) × 2^60, bit by bit; u is 2^63 at least. */
static uint64_t exact_minus_log2(uint64_t u)
{
	uint64_t log2 = 0;

	ompp_assert(u >> 63);
	for (int i = 0; i < LOG_BITS; i++) {
		unsigned __int128 square = (unsigned __int128)u * u;
		int carry = (int)(square >> 127);

		log2 = log2 << 1 | (uint64_t)carry;
		u = (uint64_t)(square >> (carry ? 64 : 63));
	}
	return ((uint64_t)1 << LOG_BITS) - log2;
}

/* For a large mean, -1 / log(1 - 1 / mean) is mean - 1/2, up to a part in 12 mean². */
struct ompp_geometric ompp_geometric(uint64_t mean)
{
	static const uint64_t ln2 = 0xB17217F7D1CF79ACu; /* × 2^64 */
	unsigned __int128 one = (unsigned __int128)1 << (LOG_BITS + SCALE_BITS);

	if (mean < 2)
		return (struct ompp_geometric){ 0 };
	if (mean < SMALL_MEAN)
		return (struct ompp_geometric){ (
			uint64_t)(one / exact_minus_log2((uint64_t)(((unsigned __int128)(mean - 1) << 64) / mean))) };
	return (struct ompp_geometric){ (uint64_t)((unsigned __int128)(2 * mean - 1) * ln2 >> (65 - SCALE_BITS)) };
}
