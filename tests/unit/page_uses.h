/*
 * Page uses: what a thread hands over of its uses of pages, and what is expected.  To include first.
 */
#ifndef TESTS_PAGE_USES_H
#define TESTS_PAGE_USES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/known_many.h"
#include "runtime/memory/page_ticks.h"
#include "runtime/memory/page_use.h"
#include "runtime/terms/option.h"

#define BASE ((uintptr_t)1 << 40)

enum { PAGE = 4096, PAGES = 64, RUNS = 20000, MANY = 3000000, N_KEYS = 4 };

static struct sum {
	uint64_t loads, stores, parts;
} expected[PAGES][N_KEYS], found[PAGES][N_KEYS];

static struct ompp_callnode nodes[2];

static struct ompp_thread thread;

static uint64_t n_handed, n_over;

static int refuses;

static uint64_t state = 88172645463325252u;

static inline uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static inline unsigned int key_of(const struct ompp_callnode *node, uint32_t cover)
{
	return (unsigned int)(node - nodes) * 2 + cover;
}

static inline int take(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                       enum ompp_page_handing how)
{
	assert_ptr_equal(t, &thread);
	assert_true(until_ns >= u->near.since_ns);
	n_over++;
	if (refuses && how != OMPP_PAGES_MUST)
		return -1;
	for (uint32_t i = 0; i < u->n; i++) {
		const struct ompp_page_use *use = &u->use[i];
		struct sum *s = &found[(use->page - BASE) / PAGE % PAGES][key_of(use->node, use->cover)];

		assert_int_equal(use->page % PAGE, 0);
		s->loads += use->loads;
		s->stores += use->stores;
		s->parts |= use->parts;
		n_handed++;
	}
	return 0;
}

static inline void start(const char *interval)
{
	ompp_session.options.text[OMPP_OPT_PAGES] = "hooks";
	ompp_session.options.text[OMPP_OPT_PAGES_INTERVAL] = interval;
	ompp_clock_anchor(&ompp_session.start);
	ompp_page_use_start();
	assert_int_equal(ompp_page_use_on, 1);
	ompp_page_uses_over = take;
	memset(expected, 0, sizeof(expected));
	memset(found, 0, sizeof(found));
	n_handed = n_over = 0;
	refuses = 0;
	ompp_page_ticks = OMPP_TICKS_ON; /* the test makes them */
}

/* Makes a tick; the thread's table exists. */
static inline void tick(void)
{
	if (thread.page_uses)
		ompp_page_tick(thread.page_uses);
}

/* Counts one access in the test, byte by byte. */
static inline void expect(uintptr_t address, size_t n_bytes, unsigned int key, uint32_t how)
{
	uintptr_t last = UINTPTR_MAX;

	for (uintptr_t at = address; at < address + n_bytes; at++) {
		struct sum *s = &expected[(at - BASE) / PAGE][key];

		s->parts |= UINT64_C(1) << at % PAGE / (PAGE / OMPP_PAGE_PARTS);
		if (at / PAGE == last)
			continue;
		last = at / PAGE;
		s->loads += how & OMPP_PAGE_LOADS ? 1 : 0;
		s->stores += how & OMPP_PAGE_STORES ? 1 : 0;
	}
}

static inline void compare(void)
{
	ompp_page_use_close(&thread);
	for (int i = 0; i < PAGES; i++)
		for (int k = 0; k < N_KEYS; k++) {
			assert_int_equal(found[i][k].loads, expected[i][k].loads);
			assert_int_equal(found[i][k].stores, expected[i][k].stores);
			assert_int_equal(found[i][k].parts, expected[i][k].parts);
		}
	assert_int_equal(ompp_page_use_lost(), 0);
}

/* Makes a run by chance: its elements, wherever they go, are within the pages. */
static inline void run_by_chance(void)
{
	static const size_t sizes[] = { 1, 2, 4, 8, 16, 3, 24, 5000 };
	size_t n_bytes = sizes[random_below(8)], n = random_below(2) ? 1 : random_below(300);
	intptr_t step = (intptr_t)random_below(random_below(2) ? 9 : 300) * (random_below(3) ? (intptr_t)n_bytes : 1);
	uint32_t how = 1 + (uint32_t)random_below(3), cover = (uint32_t)random_below(2);
	const struct ompp_callnode *node = &nodes[random_below(2)];
	uintptr_t first;

	while (n > 1 && (n - 1) * (size_t)step + n_bytes > (PAGES - 1) * PAGE)
		n /= 2;
	first = BASE + random_below(PAGES * PAGE - ((n ? n - 1 : 0) * (size_t)step + n_bytes));
	if (random_below(4))
		first = BASE + (first - BASE) / n_bytes * n_bytes;
	if (random_below(2)) {
		first += (n ? n - 1 : 0) * (size_t)step;
		step = -step;
	}
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		expect(first + i * (size_t)step, n_bytes, key_of(node, cover), how);
	ompp_page_use_add(&thread, node, cover, first, (size_t)step, n, n_bytes, how);
}

/* What hooks may count by themselves, they count in the tally and by page as the rest is counted: single accesses,
 * blocks, and runs of both, in two segments that meet in the middle of a page, for two nodes. */
enum { MIDDLE = PAGES / 2 * PAGE + PAGE / 2 };

/* ---- when ---- */

static struct {
	uint64_t since_ns, until_ns;
	uint32_t n;
} handed[8];

static size_t n_told;

static inline int take_times(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                             enum ompp_page_handing how)
{
	(void)t, (void)how;
	assert_true(n_told < 8);
	handed[n_told].since_ns = u->near.since_ns;
	handed[n_told].until_ns = until_ns;
	handed[n_told++].n = u->n;
	return 0;
}

static inline void use_page(int i)
{
	ompp_page_use_add(&thread, &nodes[0], 0, BASE + (uintptr_t)i * PAGE, 0, 1, 8, OMPP_PAGE_LOADS);
}

/* Lets some intervals pass.  Returns the time then. */
static inline uint64_t stand_still(void)
{
	struct timespec pause = { 0, 5000000 };

	nanosleep(&pause, NULL);
	return ompp_clock_monotonic_ns();
}

static inline void start_times(uint32_t ticks)
{
	start("1ms");
	ompp_page_ticks = ticks;
	ompp_page_use_after_fork(&thread);
	ompp_page_ticks = ticks;
	ompp_page_uses_over = take_times;
	n_told = 0;
}

#endif
