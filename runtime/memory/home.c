/*
 * Home: see home.h.
 */
#define _GNU_SOURCE
#include "runtime/memory/home.h"

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/data/object.h"
#include "runtime/data/touched.h"
#include "runtime/host/clock.h"
#include "runtime/host/processors.h"
#include "runtime/memory/by_object.h"
#include "runtime/memory/sample.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/range.h"

enum {
	MOST_RANGES = 8192, /* an object with further ones is not asked for */
	BATCH = 512,
	MOST_PAGES_LAST = 1 << 18,
	MOST_PAGES = 1 << 15,
	PAGE_NS = 300, /* what a page costs, before that is known */
	RATE = 100     /* the time between two looks, by that of a look */
};

struct extent {
	uintptr_t lo, hi;
	uint32_t object;
};

/* 1 while a thread looks: another one passes over it then. */
static uint32_t is_looking;

/* What a look works with, used by the one who looks. */
static struct {
	struct extent extents[MOST_RANGES];
	uint32_t n_extents;
	uint64_t n_pages; /* of the extents */
	const void *pages[BATCH];
	int homes[BATCH];
	uint32_t n;
	struct ompp_homes *of; /* the object of the batch */
} * look;

uint32_t ompp_n_homes;

static struct ompp_by_object homes; /* of struct ompp_homes */
static uint64_t next_ns;            /* not before this time at the end of a region; written by the one who looks */

const struct ompp_homes *ompp_homes_of(uint32_t object)
{
	return ompp_by_object_get(&homes, object);
}

/* Returns those of an object, made if need be; NULL without memory. */
static struct ompp_homes *home_made(uint32_t object)
{
	struct ompp_homes *of;

	return ompp_by_object_make(&homes, object, sizeof(*of) + ompp_n_homes * sizeof(of->node[0]));
}

static void add_extent(void *context, const struct ompp_range *range)
{
	uintptr_t mask = ompp_page_bytes() - 1;
	struct extent p = { range->lo & ~mask, (range->hi + mask) & ~mask, range->object->index };

	(void)context;
	if (look->n_extents == MOST_RANGES || range->lo >= range->hi)
		return;
	look->extents[look->n_extents++] = p;
	look->n_pages += (p.hi - p.lo) / (mask + 1);
}

/* ---- one batch ---- */

static void home_count(uintptr_t page, int home)
{
	struct ompp_homes *of = look->of;
	struct ompp_touched *at = ompp_touched_at(page);
	uint32_t was = at ? at->home : 0;

	ompp_assert(of->step && was <= 64);
	if (home < 0 || (uint32_t)home >= ompp_n_homes) {
		OMPP_ADD(&of->n_absent, of->step);
		return;
	}
	OMPP_ADD(&of->node[home].n_pages, of->step);
	if (was && was != (uint32_t)home + 1)
		OMPP_ADD(&of->node[home].n_moved, of->step);
	if (at)
		OMPP_STORE(&at->home, (uint32_t)home + 1);
}

static void home_ask(void)
{
	int rc = look->n ? (int)OMPP_SYS6(move_pages, 0, look->n, look->pages, NULL, look->homes, 0) : 0;

	if (rc < 0)
		ompp_sample_no_homes(-rc);
	for (uint32_t i = 0; i < look->n; i++)
		home_count((uintptr_t)look->pages[i], rc < 0 ? -1 : look->homes[i]);
	look->n = 0;
}

static void ask_extent(const struct extent *p, uint64_t step)
{
	uintptr_t page_bytes = ompp_page_bytes();

	for (uintptr_t page = p->lo; page < p->hi; page += step * page_bytes) {
		look->pages[look->n++] = (const void *)page;
		if (look->n == BATCH)
			home_ask();
	}
	home_ask();
}

/* ---- all objects ---- */

/* Asks for the extents of one object, from the first one on.  Returns the first extent of the next object. */
static uint32_t ask_object(uint32_t from, uint64_t step)
{
	uint32_t object = look->extents[from].object, i = from;
	struct ompp_homes *of = home_made(object);

	look->of = of;
	if (of) {
		for (uint32_t k = 0; k < ompp_n_homes; k++)
			OMPP_STORE(&of->node[k].n_pages, UINT64_C(0));
		OMPP_STORE(&of->n_absent, UINT64_C(0));
		OMPP_STORE(&of->step, step);
	}
	for (; i < look->n_extents && look->extents[i].object == object; i++)
		if (of)
			ask_extent(&look->extents[i], step);
	return i;
}

static void look_at_all(uint64_t most_pages)
{
	uint64_t step = look->n_pages > most_pages ? (look->n_pages + most_pages - 1) / most_pages : 1;

	ompp_assert(step && look->n_pages / step <= most_pages);
	for (uint32_t i = 0; i < look->n_extents;)
		i = ask_object(i, step);
}

/* Lists the extents of all objects.  Returns 0 or -1. */
static int list_extents(void)
{
	if (!look)
		look = ompp_data_alloc(sizeof(*look));
	if (!look)
		return -1;
	if (!ompp_n_homes) {
		uint64_t nodes = ompp_numa_set("/sys/devices/system/node/has_memory") | 1;

		OMPP_STORE(&ompp_n_homes, 64 - (uint32_t)__builtin_clzll(nodes));
	}
	ompp_assert(ompp_n_homes && ompp_n_homes <= 64);
	look->n_extents = 0;
	look->n_pages = 0;
	return ompp_ranges_each(add_extent, NULL);
}

/* Looks when the lock of first touches can be had. */
static void look_once(int is_last)
{
	uint64_t begin = ompp_clock_monotonic_ns(), n = look->n_pages < MOST_PAGES ? look->n_pages : MOST_PAGES;

	if (!is_last && !next_ns) { /* the first time of all */
		OMPP_STORE(&next_ns, begin + n * PAGE_NS * RATE);
		return;
	}
	if (ompp_touches_hold())
		return;
	look_at_all(is_last ? MOST_PAGES_LAST : MOST_PAGES);
	ompp_touches_let_go();
	OMPP_STORE(&next_ns, begin + (ompp_clock_monotonic_ns() - begin) * (RATE + 1));
}

/* The lock of ranges is not waited for while that of first touches is held, as others take them in the other order. */
void ompp_homes_look(int is_last)
{
	uint32_t nobody = 0;

	if (!ompp_touches_are_on() || (!is_last && ompp_clock_monotonic_ns() < OMPP_LOAD(&next_ns)))
		return;
	ompp_touches_drain();
	if (!__atomic_compare_exchange_n(&is_looking, &nobody, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	if (!list_extents())
		look_once(is_last);
	__atomic_store_n(&is_looking, 0, __ATOMIC_RELEASE);
}

void ompp_homes_after_fork(void)
{
	is_looking = 0;
}
