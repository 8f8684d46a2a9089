/*
 * Number: see number.h.
 */
#include "reports/profile/number.h"

#include "reports/profile/profile.h"

int64_t ompp_add_known(int64_t a, int64_t b)
{
	return a == OMPP_MISSING || b == OMPP_MISSING ? OMPP_MISSING : ompp_add(a, b);
}

int64_t ompp_share(int64_t part, int64_t whole)
{
	__int128 share;

	if (whole <= 0 || part == OMPP_MISSING)
		return OMPP_MISSING;
	share = ((__int128)part * 1000000000 + (part < 0 ? -whole / 2 : whole / 2)) / whole;
	if (share > INT64_MAX)
		return INT64_MAX;
	return share <= INT64_MIN ? INT64_MIN + 1 : (int64_t)share;
}

int64_t ompp_count(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

int64_t ompp_times(int64_t number, uint64_t n)
{
	int64_t product;

	return __builtin_mul_overflow(number, ompp_count(n), &product) ? INT64_MAX : product;
}

uint64_t ompp_root(unsigned __int128 n)
{
	uint64_t root = 0;

	for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1) {
		unsigned __int128 more = root | bit;

		if (more * more <= n)
			root |= bit;
	}
	return root;
}

int64_t ompp_error_add(int64_t a, int64_t b)
{
	uint64_t root;

	if (a == OMPP_MISSING || b == OMPP_MISSING)
		return OMPP_MISSING;
	if (!a || !b)
		return a + b;
	root = ompp_root((unsigned __int128)a * (uint64_t)a + (unsigned __int128)b * (uint64_t)b);
	return root < INT64_MAX ? (int64_t)root : INT64_MAX;
}

uint64_t ompp_paged_parts(uint64_t page, uint64_t page_bytes, uint64_t lo, uint64_t hi)
{
	uint64_t part_bytes = page_bytes / OMPP_PAGED_PARTS, first = lo > page ? (lo - page) / part_bytes : 0;
	uint64_t last = hi < page + page_bytes ? (hi - 1 - page) / part_bytes : OMPP_PAGED_PARTS - 1;

	return UINT64_MAX << first & UINT64_MAX >> (OMPP_PAGED_PARTS - 1 - last);
}

static void add_number(int64_t *sum, int64_t more)
{
	*sum = *sum > INT64_MAX / 2 - more ? INT64_MAX / 2 : *sum + more;
}

static void add_count(uint64_t *sum, uint64_t more)
{
	*sum = *sum > INT64_MAX / 2 - more ? INT64_MAX / 2 : *sum + more;
}

void ompp_sampled_add(struct ompp_sampled_sum *sum, const struct ompp_sampled_sum *more)
{
	add_count(&sum->n, more->n);
	add_count(&sum->n_timed, more->n_timed);
	add_number(&sum->estimate, more->estimate);
	add_number(&sum->variance, more->variance);
	add_number(&sum->latency_ticks, more->latency_ticks);
	add_number(&sum->squares, more->squares);
}

int64_t ompp_sample_variance(uint64_t period)
{
	unsigned __int128 variance = period ? (unsigned __int128)period * (period - 1) : 0;

	return variance < INT64_MAX / 2 ? (int64_t)variance : INT64_MAX / 2;
}
