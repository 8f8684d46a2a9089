/*
 * Rank missing: see rank_missing.h.
 */
#include "reports/ranks/rank_missing.h"

#include "runtime/base/sort.h"

enum { MOST_SPANS = 8 }; /* that are named; the rest is counted */

static int missing_is_after(const void *context, uint32_t x, uint32_t y)
{
	(void)context;
	return x > y;
}

/* Adds the ranks from first to last. */
static void put_span(struct ompp_text *t, uint32_t first, uint32_t last, int is_first)
{
	ompp_text_str(t, is_first ? "" : ", ");
	ompp_text_u64(t, first);
	if (last == first)
		return;
	ompp_text_char(t, '-');
	ompp_text_u64(t, last);
}

void ompp_rank_missing_put(struct ompp_text *t, uint32_t *ranks, size_t n, int size)
{
	uint32_t next = 0, end = size > 0 ? (uint32_t)size : 0;
	uint64_t n_more = 0;
	int n_spans = 0;

	ompp_sort(ranks, n, missing_is_after, NULL);
	for (size_t i = 0; i <= n && next < end; i++) {
		uint32_t here = i < n && ranks[i] < end ? ranks[i] : end;

		if (here > next && n_spans < MOST_SPANS)
			put_span(t, next, here - 1, !n_spans++);
		else if (here > next)
			n_more += here - next;
		next = here + 1 > next ? here + 1 : next;
	}
	if (!n_more)
		return;
	ompp_text_str(t, " and ");
	ompp_text_u64(t, n_more);
	ompp_text_str(t, " more");
}
