/*
 * Variant: clocks and marks of random runs, beside a model that goes through the list of what happened again for each
 * change, and does what the change leaves of it; a lock that is hidden, and marks that are older than a variant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/span/span_variant.h"
#include "runtime/span/variant.h"

enum { THREADS = 4, MARKS = 5, EVENTS = 400, RUNS = 1000, REGION = 100 };

enum what { WORK, RAISE, TAKE, FOLLOW };

struct happened {
	enum what what;
	int thread, other; /* other: the mark, or the thread that is followed */
	int variant;       /* WORK: that which is faster; TAKE: that which does not wait */
	uint64_t ticks;
};

static uint64_t seed;

static uint32_t below(uint32_t n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

static int variants[3 + 3]; /* three that are faster, three that leave waits out */

/* Returns when the last thread is done, with one change (or OMPP_NO_VARIANT). */
static uint64_t model(const struct happened *list, int n, int change)
{
	uint64_t at[THREADS] = { 0 }, mark[MARKS] = { 0 }, last = 0;

	for (int i = 0; i < n; i++) {
		const struct happened *h = &list[i];
		uint64_t *own = &at[h->thread];

		if (h->what == WORK)
			*own += h->variant == change && change >= 0 ? h->ticks - h->ticks / 2 : h->ticks;
		else if (h->what == RAISE)
			mark[h->other] = mark[h->other] > *own ? mark[h->other] : *own;
		else if (h->what == TAKE && (change < 0 || h->variant != change))
			*own = *own > mark[h->other] ? *own : mark[h->other];
		else if (h->what == FOLLOW)
			*own = *own > at[h->other] ? *own : at[h->other];
	}
	for (int i = 0; i < THREADS; i++)
		last = at[i] > last ? at[i] : last;
	return last;
}

static struct happened any(void)
{
	struct happened h = { .what = (enum what)below(4), .thread = (int)below(THREADS), .variant = OMPP_NO_VARIANT };

	h.other = h.what == FOLLOW ? (int)below(THREADS) : (int)below(MARKS);
	h.ticks = 2 + below(1000);
	if (h.what == WORK && below(2))
		h.variant = variants[below(3)];
	if (h.what == TAKE && below(2))
		h.variant = variants[3 + below(3)];
	return h;
}

static void random_runs(void **state)
{
	static struct happened list[EVENTS];

	(void)state;
	for (int i = 0; i < 3; i++) {
		variants[i] = ompp_variant_find(OMPP_VARIANT_FASTER, (uint32_t)(REGION + i));
		variants[3 + i] = ompp_variant_find(OMPP_VARIANT_UNLOCKED, (uint32_t)(REGION + i));
	}
	for (int k = 0; k < RUNS; k++) {
		static struct ompp_variant_clock clocks[THREADS];
		static struct ompp_variant_mark marks[MARKS], latest;
		uint64_t run;

		seed = (uint64_t)k;
		memset(clocks, 0, sizeof(clocks));
		memset(marks, 0, sizeof(marks));
		memset(&latest, 0, sizeof(latest));
		for (int i = 0; i < THREADS; i++) { /* a clock at 0 is that of a variant which a mark does not know */
			list[i] = (struct happened){
				.what = WORK, .thread = i, .variant = OMPP_NO_VARIANT, .ticks = 1
			};
			ompp_variant_work(&clocks[i], OMPP_NO_VARIANT, 1);
		}
		for (int i = THREADS; i < EVENTS; i++) {
			struct happened h = list[i] = any();

			if (h.what == WORK)
				ompp_variant_work(&clocks[h.thread], h.variant, h.ticks);
			else if (h.what == RAISE)
				ompp_variant_raise(&marks[h.other], &clocks[h.thread]);
			else if (h.what == TAKE)
				ompp_variant_take(&clocks[h.thread], &marks[h.other], h.variant);
			else
				ompp_variant_follow(&clocks[h.thread], &clocks[h.other]);
		}
		for (int i = 0; i < THREADS; i++)
			ompp_variant_raise(&latest, &clocks[i]);
		run = latest.run_ticks;
		assert_int_equal(run, model(list, EVENTS, OMPP_NO_VARIANT));
		for (size_t i = 0; i < OMPP_COUNT_OF(variants); i++)
			assert_int_equal(latest.ticks[variants[i]], model(list, EVENTS, variants[i]));
	}
}

/* One thread holds a lock for which another one waits, and a third one is busy for longer than both. */
static void what_is_hidden_gains_nothing(void **state)
{
	struct ompp_variant_clock a = { 0 }, b = { 0 }, c = { 0 };
	struct ompp_variant_mark released = { 0 }, barrier = { 0 };
	int lock = ompp_variant_find(OMPP_VARIANT_UNLOCKED, REGION + 3);

	(void)state;
	ompp_variant_work(&a, OMPP_NO_VARIANT, 50);
	ompp_variant_raise(&released, &a);
	ompp_variant_work(&b, OMPP_NO_VARIANT, 10);
	ompp_variant_take(&b, &released, lock);
	ompp_variant_work(&b, OMPP_NO_VARIANT, 50);
	assert_int_equal(b.run_ticks, 100);
	assert_int_equal(b.gain_ticks[lock], 40);
	ompp_variant_work(&c, OMPP_NO_VARIANT, 95);
	ompp_variant_raise(&barrier, &b);
	ompp_variant_raise(&barrier, &c);
	ompp_variant_take(&a, &barrier, OMPP_NO_VARIANT);
	assert_int_equal(a.run_ticks, 100);
	assert_int_equal(a.gain_ticks[lock], 5); /* c is as late as that */
	ompp_variant_work(&c, OMPP_NO_VARIANT, 5);
	ompp_variant_raise(&barrier, &c);
	ompp_variant_take(&a, &barrier, OMPP_NO_VARIANT);
	assert_int_equal(a.gain_ticks[lock], 0);
}

/* A mark that was raised before there was a variant is not ahead in it. */
static void older_marks_know_nothing(void **state)
{
	struct ompp_variant_clock a = { 0 };
	struct ompp_variant_mark mark = { 0 };

	(void)state;
	ompp_variant_work(&a, OMPP_NO_VARIANT, 70);
	ompp_variant_raise(&mark, &a);
	memset(&a, 0, sizeof(a));
	mark.ticks[20] = 0;
	ompp_variant_take(&a, &mark, OMPP_NO_VARIANT);
	assert_int_equal(a.run_ticks, 70);
	assert_int_equal(a.gain_ticks[20], 0);
}

/* A forked child begins anew: neither its clock nor what its parent released is ahead of it. */
static void nothing_is_handed_on_to_a_child(void **state)
{
	struct ompp_span *s = ompp_span_new(1 << 20);
	struct ompp_span_lock lock = { .variant = ompp_variant_find(OMPP_VARIANT_UNLOCKED, REGION + 4) };
	uint32_t kept = ompp_variants_kept;

	(void)state;
	assert_non_null(s);
	ompp_variants_kept = OMPP_VARIANTS_ALL;
	ompp_span_lock_begin(s, &lock);
	assert_non_null(s->clock);
	ompp_variant_work(s->clock, OMPP_NO_VARIANT, 50);
	ompp_span_lock_end(s, &lock);
	assert_int_equal(s->clock->run_ticks, 50);
	ompp_span_variants_after_fork(s);
	assert_int_equal(s->clock->run_ticks, 0);
	ompp_span_lock_begin(s, &lock);
	assert_int_equal(s->clock->run_ticks, 0);
	ompp_variant_work(s->clock, OMPP_NO_VARIANT, 20);
	ompp_span_lock_end(s, &lock);
	s->clock->run_ticks = 5; /* in the same process the lock's next owner goes on where it was released */
	ompp_span_lock_begin(s, &lock);
	assert_int_equal(s->clock->run_ticks, 20);
	ompp_variants_kept = kept;
}

/* Each change has room for some regions; what has none is counted. */
static void what_has_no_room_is_counted(void **state)
{
	struct ompp_variant_entry entry;
	uint32_t n = 0, n_none = 0;
	uint64_t lost = ompp_variants_lost();

	(void)state;
	for (uint32_t i = 0; i < OMPP_MOST_VARIANTS; i++)
		n_none += ompp_variant_find(OMPP_VARIANT_UNJOINED, REGION + i) == OMPP_NO_VARIANT;
	assert_true(n_none && n_none < OMPP_MOST_VARIANTS);
	for (uint32_t i = 0; i < OMPP_MOST_VARIANTS; i++) /* once again changes nothing */
		ompp_variant_find(OMPP_VARIANT_UNJOINED, REGION + i);
	assert_int_equal(ompp_variants_lost() - lost, n_none);
	assert_int_equal(ompp_variant_find(OMPP_VARIANT_UNJOINED, REGION),
	                 ompp_variant_find(OMPP_VARIANT_UNJOINED, REGION));
	while (ompp_variant_entry(n, &entry))
		n++;
	assert_int_equal(entry.change, OMPP_VARIANT_UNJOINED);
	assert_int_equal(entry.variant, OMPP_NO_VARIANT);
	entry.variant = ompp_variant_find(OMPP_VARIANT_UNJOINED, REGION);
	ompp_variant_share(OMPP_VARIANT_UNJOINED, 7, entry.variant);
	assert_int_equal(ompp_variant_find(OMPP_VARIANT_UNJOINED, 7), entry.variant);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_runs),
		cmocka_unit_test(what_is_hidden_gains_nothing),
		cmocka_unit_test(older_marks_know_nothing),
		cmocka_unit_test(nothing_is_handed_on_to_a_child),
		cmocka_unit_test(what_has_no_room_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
