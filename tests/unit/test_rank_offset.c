/*
 * Rank offset: messages between two clocks, of which one is ahead and drifts, bound the offset: it is never further
 * from what it is than its error says, before, at and behind the middle; the error is no more than the messages' delays
 * need.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reports/profile/rank_offset.h"
#include "runtime/counters/value.h"

enum { N = 400 };
#define SECOND INT64_C(1000000000)

static uint64_t state_of_chance = 1;

static int64_t below(int64_t n)
{
	state_of_chance = state_of_chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int64_t)((state_of_chance >> 33) % (uint64_t)n);
}

/* What the other clock shows at a moment of the first one. */
struct other {
	int64_t ahead_ns, drift_ppb;
};

static int64_t shown(const struct other *o, int64_t ns)
{
	return ns + o->ahead_ns + (int64_t)((__int128)ns * o->drift_ppb / SECOND);
}

/* Fills in the bounds of a message each way per step.  delay_ns: the least */
static void messages(const struct other *o, int64_t run_ns, int64_t delay_ns, struct ompp_offset_bound *b)
{
	for (int i = 0; i < N; i++) {
		int64_t sent_ns = below(run_ns), came_ns = sent_ns + delay_ns + (below(4) ? below(1000000) : 0);

		if (i % 2) /* from the other one: at most */
			b[i] = (struct ompp_offset_bound){ shown(o, sent_ns), came_ns - shown(o, sent_ns), 1 };
		else
			b[i] = (struct ompp_offset_bound){ shown(o, came_ns), sent_ns - shown(o, came_ns), 0 };
	}
}

static void test_offsets(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++) {
		struct other o = { below(2000 * SECOND) - 1000 * SECOND, below(300000) - 150000 };
		int64_t run_ns = SECOND + below(100 * SECOND), delay_ns = 2000 + below(20000);
		struct ompp_offset_bound bounds[N];
		struct ompp_offset got;

		messages(&o, run_ns, delay_ns, bounds);
		got = ompp_offset_of(bounds, N);
		assert_true(got.error_ns != OMPP_MISSING);
		for (int64_t at_ns = run_ns / 50; at_ns <= run_ns; at_ns += run_ns / 50) {
			int64_t wrong_ns = ompp_offset_apply(&got, shown(&o, at_ns)) - at_ns;

			assert_true(llabs(wrong_ns) <= got.error_ns + 1000);
		}
		assert_true(got.error_ns >= delay_ns / 2);
		/* drifts are tried in steps of 1 ppm */
		assert_true(got.error_ns <= 10 * delay_ns + run_ns / 1000000 * 4);
		assert_true(llabs(got.drift_ppb + o.drift_ppb) <= 3000 + 20 * delay_ns * SECOND / run_ns);
	}
}

static void test_not_known(void **state)
{
	const struct ompp_offset_bound against[] = { { SECOND, 5000, 0 }, { SECOND, 4000, 1 } };
	struct other o = { SECOND, 0 };
	struct ompp_offset_bound bounds[N];
	size_t n = 0;

	(void)state;
	messages(&o, SECOND, 5000, bounds);
	for (int i = 0; i < N; i++) /* one way alone */
		if (bounds[i].is_most)
			bounds[n++] = bounds[i];
	assert_true(ompp_offset_of(bounds, n).error_ns == OMPP_MISSING);
	assert_true(ompp_offset_of(bounds, 0).error_ns == OMPP_MISSING);
	assert_true(ompp_offset_of(against, 2).error_ns == OMPP_MISSING); /* no clock is like that */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_offsets), cmocka_unit_test(test_not_known) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
