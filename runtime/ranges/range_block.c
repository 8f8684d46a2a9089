/*
 * Range, block: see range_block.h.
 */
#include "runtime/ranges/range_block.h"

#include <stdatomic.h>

#include "runtime/base/text.h"
#include "runtime/data/block.h"
#include "runtime/data/front.h"
#include "runtime/data/grain.h"
#include "runtime/data/page.h"
#include "runtime/data/site.h"
#include "runtime/ranges/piece.h"
#include "runtime/ranges/range.h"
#include "runtime/ranges/range_set.h"

/* Returns the first block that meets [lo, hi); NULL when there is none. */
static struct ompp_range *find_block(uintptr_t lo, uintptr_t hi)
{
	struct ompp_piece *p;
	uint32_t i;

	for (p = ompp_piece_from(lo); p && p->lo < hi; p = ompp_piece_from(p->hi))
		for (i = 0; i < p->n_members; i++)
			if (ompp_range_is_block(p->members[i]))
				return p->members[i];
	return NULL;
}

/* Returns the object of a site, which is made when it is asked for first; NULL without room.  It has no name that a
 * program could give; reports name it by the source. */
static struct ompp_object_def *object_of(struct ompp_site *site)
{
	struct ompp_object_def *def;
	char name[32];
	struct ompp_text t;

	if (site->object)
		return site->object;
	ompp_text_init(&t, name, sizeof(name));
	ompp_text_str(&t, "(block ");
	ompp_text_u64(&t, site->index);
	ompp_text_char(&t, ')');
	def = ompp_object_named(name, OMPP_ORIGIN_HEAP);
	if (def) {
		def->site = site->index;
		def->is_sum = def->is_found = 1;
		__atomic_store_n(&site->object, def, __ATOMIC_RELEASE);
	}
	return def;
}

size_t ompp_range_least_block;

/* Sites get covers when they first allocate, as long as there are so few: each makes tallies larger.  Others get theirs
 * when a block of theirs is accessed, and those of their blocks that are there by then are always looked for. */
enum { EAGER_COVERS = 1024 };

uint32_t ompp_range_site_cover(struct ompp_site *site)
{
	struct ompp_object_def *def = __atomic_load_n(&site->object, __ATOMIC_ACQUIRE);
	uint32_t cover = OMPP_OBJECT_OTHER;

	if (def && OMPP_LOAD(&def->cover))
		return OMPP_LOAD(&def->cover);
	if (ompp_ranges_lock())
		return OMPP_OBJECT_OTHER;
	def = object_of(site);
	if (def) {
		ompp_ranges_cover(def);
		cover = def->cover;
	}
	ompp_ranges_unlock();
	return cover;
}

uint32_t ompp_range_site_row(struct ompp_site *site)
{
	const struct ompp_object_def *def = __atomic_load_n(&site->object, __ATOMIC_ACQUIRE);
	uint32_t cover = def ? OMPP_LOAD(&def->cover) : 0;

	if (!cover && atomic_load_explicit(&ompp_n_covers, memory_order_relaxed) < EAGER_COVERS)
		cover = ompp_range_site_cover(site);
	return cover == OMPP_OBJECT_OTHER ? 0 : ompp_cover_row(cover);
}

/* Does what the next function does, where the grains do not know. */
static uint32_t find_cover(uintptr_t address)
{
	struct ompp_block block = ompp_block_holding(address, ompp_range_least_block);
	struct ompp_site *site = ompp_site(block.site);

	return site && block.n_bytes < ompp_range_least_block ? ompp_range_site_cover(site) : OMPP_OBJECT_OTHER;
}

uint32_t ompp_range_block_cover(uintptr_t address)
{
	uint32_t row = ompp_grain_row(ompp_grains_of(address), address, ompp_cover_row(OMPP_OBJECT_OTHER));

	return row ? ompp_row_cover(row) : find_cover(address);
}

uint32_t ompp_range_block_covered(uintptr_t address, uint64_t stamp)
{
	struct ompp_block block = ompp_block_holding(address, ompp_range_least_block);
	const struct ompp_site *site = ompp_site(block.site);
	const struct ompp_object_def *def = site && block.n_bytes < ompp_range_least_block &&
	                                                    ompp_block_is_older(block, stamp)
	                                          ? __atomic_load_n(&site->object, __ATOMIC_ACQUIRE)
	                                          : NULL;
	uint32_t cover = def ? OMPP_LOAD(&def->cover) : 0;

	return cover ? cover : OMPP_OBJECT_OTHER;
}

/* Ends the range of a block, at a time that is known. */
static void end_block(struct ompp_range *r, uint64_t ticks)
{
	uint32_t tracked = r->tracked;

	ompp_ranges_end(r);
	ompp_tracked_ended(tracked, ticks);
}

void ompp_range_begin_block(struct ompp_site *site, uintptr_t address, size_t n_bytes, const struct ompp_tracked_by *by)
{
	struct ompp_range wanted = { .lo = address, .hi = address + n_bytes }, *r;

	if (!n_bytes || n_bytes > OMPP_LAST_ADDRESS || address > OMPP_LAST_ADDRESS - n_bytes || ompp_ranges_lock())
		return;
	while ((r = find_block(wanted.lo, wanted.hi)))
		end_block(r, by->ticks);
	wanted.object = object_of(site);
	wanted.tracked = wanted.object ? ompp_tracked_begin(site, address, n_bytes, by) : 0;
	if (!wanted.object)
		ompp_ranges_lost();
	else
		ompp_ranges_set(&wanted);
	ompp_ranges_unlock();
}

void ompp_range_end_block(uintptr_t address, uint64_t ticks)
{
	struct ompp_range *r;

	if (ompp_ranges_lock())
		return;
	r = find_block(address, address + 1);
	if (r && r->lo == address)
		end_block(r, ticks);
	ompp_ranges_unlock();
}

void ompp_ranges_cut_blocks(uintptr_t lo, uintptr_t hi)
{
	struct ompp_range *r;

	while ((r = find_block(lo, hi)))
		if (r->lo < lo || r->hi > hi)
			ompp_ranges_cut(r, lo, hi);
		else
			ompp_ranges_end(r);
}
