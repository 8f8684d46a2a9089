/*
 * Extent: see block_extent.h.
 */
#include "runtime/memory/block_extent.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/site.h"
#include "runtime/memory/by_object.h"
#include "runtime/ranges/range.h"

enum { FIRST_EXTENTS = 4 };

static struct ompp_by_object extents;                      /* of struct ompp_extents */
static void (*next_begun)(const struct ompp_range *range); /* who listens, too */

const struct ompp_extents *ompp_extents_of(uint32_t object)
{
	return ompp_by_object_get(&extents, object);
}

/* Gives the list room for one more.  Returns 0 or -1. */
static int extent_grow(struct ompp_extents *of)
{
	uint32_t have = of->have ? 2 * of->have : FIRST_EXTENTS;
	struct ompp_extent_of *all;

	if (of->n < of->have)
		return 0;
	all = of->n < OMPP_MOST_EXTENTS ? ompp_data_alloc(have * sizeof(*all)) : NULL;
	if (!all)
		return -1;
	if (of->n)
		memcpy(all, of->all, of->n * sizeof(*all));
	__atomic_store_n(&of->all, all, __ATOMIC_RELEASE);
	of->have = have;
	return 0;
}

/* Returns who allocates a block of a site now, as struct ompp_extent_of has it. */
static uint32_t allocator_of(const struct ompp_site *site)
{
	if (ompp_self->limit)
		return ompp_self->slot + 1;
	if (atomic_load_explicit(&site->several_threads, memory_order_relaxed))
		return 0;
	return site->thread == OMPP_SITE_MAIN ? 1 : site->thread; /* the first thread has the first slot */
}

static void extent_note(const struct ompp_range *range)
{
	struct ompp_extents *of = ompp_by_object_make(&extents, range->object->index, sizeof(*of));
	struct ompp_site *site = range->object->site ? ompp_site(range->object->site) : NULL;
	struct ompp_extent_of extent = { .lo = range->lo, .hi = range->hi };

	if (next_begun)
		next_begun(range);
	if (!of)
		return;
	extent.order = site ? (uint32_t)ompp_site_sum(site).n_begun - 1 : of->next_order;
	if (extent.order < of->next_order) /* several threads allocate at once */
		extent.order = of->next_order;
	extent.thread = site ? allocator_of(site) : 0;
	of->next_order = extent.order + 1;
	if (extent_grow(of))
		return;
	ompp_assert(of->n < of->have && of->n < OMPP_MOST_EXTENTS && extent.lo < extent.hi);
	ompp_assert(!of->n || of->all[of->n - 1].order < extent.order);
	of->all[of->n] = extent;
	__atomic_store_n(&of->n, of->n + 1, __ATOMIC_RELEASE);
}

void ompp_extents_start(void)
{
	next_begun = ompp_range_begun;
	ompp_range_begun = extent_note;
}
