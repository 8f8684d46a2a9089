/*
 * Mapping: see range_mapping.h.
 */
#include "runtime/ranges/range_mapping.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/data/block.h"
#include "runtime/data/object.h"
#include "runtime/ranges/range.h"
#include "runtime/ranges/range_block.h"
#include "runtime/ranges/range_set.h"

/* These are used under the lock. */
static struct ompp_treap *mappings;
static struct ompp_mapped *unused;

static struct ompp_mapped *new_part(uintptr_t lo, uintptr_t hi, uint32_t site)
{
	struct ompp_mapped *m = unused;

	if (m)
		unused = m->next;
	else
		m = ompp_data_alloc(sizeof(*m));
	if (m) {
		memset(m, 0, sizeof(*m));
		m->lo = lo;
		m->hi = hi;
		m->site = site;
		m->part = m->previous_part = m;
	}
	return m;
}

static void free_part(struct ompp_mapped *m)
{
	m->next = unused;
	unused = m;
}

/* Returns the first part that ends above the address; NULL when there is none. */
static struct ompp_mapped *first_above(uintptr_t address)
{
	struct ompp_mapped *m = (struct ompp_mapped *)ompp_treap_upto(mappings, address);

	return m && m->hi > address ? m : (struct ompp_mapped *)ompp_treap_from(mappings, address);
}

/* Puts a part where it is found. */
static void mapping_show(struct ompp_mapped *m)
{
	ompp_assert(m->lo < m->hi && (!first_above(m->lo) || first_above(m->lo)->lo >= m->hi));
	m->tree.key = m->lo;
	ompp_treap_put(&mappings, &m->tree);
	ompp_block_put(m->lo, (struct ompp_block){ .site = m->site, .n_bytes = m->hi - m->lo });
}

static void mapping_hide(struct ompp_mapped *m)
{
	ompp_treap_take(&mappings, &m->tree);
	ompp_block_take(m->lo);
}

int ompp_mapping_put(uintptr_t lo, size_t n_bytes, uint32_t site)
{
	struct ompp_mapped *m = NULL;

	if (n_bytes <= OMPP_LAST_ADDRESS && lo <= OMPP_LAST_ADDRESS - n_bytes && !ompp_ranges_lock()) {
		m = new_part(lo, lo + n_bytes, site);
		if (m)
			mapping_show(m);
		ompp_ranges_unlock();
	}
	if (!m)
		atomic_fetch_add_explicit(&ompp_n_lost_blocks, 1, memory_order_relaxed);
	return m ? 0 : -1;
}

/* Makes a further part of a mapping.  Without memory it is lost: its bytes stay with the part that is cut out. */
static struct ompp_mapped *part_of(struct ompp_mapped *m, uintptr_t lo, uintptr_t hi)
{
	struct ompp_mapped *part = new_part(lo, hi, m->site);

	if (!part) {
		atomic_fetch_add_explicit(&ompp_n_lost_blocks, 1, memory_order_relaxed);
		return NULL;
	}
	part->part = m->part;
	part->previous_part = m;
	m->part->previous_part = part;
	m->part = part;
	return part;
}

/* Is no part of a mapping in force? */
static int is_gone(const struct ompp_mapped *m)
{
	const struct ompp_mapped *part = m;

	do {
		if (!part->is_cut)
			return 0;
		part = part->part;
	} while (part != m);
	return 1;
}

struct ompp_mapped *ompp_mappings_cut(uintptr_t lo, uintptr_t hi, int ranges)
{
	struct ompp_mapped *first = NULL, **last = &first, *m, *rest;

	if (ompp_ranges_lock())
		return NULL;
	while ((m = first_above(lo)) && m->lo < hi) {
		mapping_hide(m);
		if (m->lo < lo && (rest = part_of(m, m->lo, lo))) {
			mapping_show(rest);
			m->lo = lo;
		}
		if (m->hi > hi && (rest = part_of(m, hi, m->hi))) {
			mapping_show(rest);
			m->hi = hi;
		}
		m->is_cut = 1;
		m->is_last = is_gone(m);
		ompp_assert(lo <= m->lo && m->hi <= hi && (last == &first || m->lo > lo));
		*last = m;
		last = &m->next;
		m->next = NULL;
		if (ranges)
			ompp_ranges_cut_blocks(m->lo, m->hi);
	}
	ompp_ranges_unlock();
	return first;
}

void ompp_mappings_keep(struct ompp_mapped *cut)
{
	struct ompp_mapped *next;

	if (!cut || ompp_ranges_lock())
		return;
	for (; cut; cut = next) {
		next = cut->next;
		ompp_assert(cut->is_cut);
		cut->is_cut = 0;
		mapping_show(cut);
	}
	ompp_ranges_unlock();
}

void ompp_mappings_drop(struct ompp_mapped *cut, void (*ended)(uint32_t site, size_t n_bytes, int is_last))
{
	struct ompp_mapped *next;

	if (!cut || ompp_ranges_lock())
		return;
	for (; cut; cut = next) {
		next = cut->next;
		ended(cut->site, cut->hi - cut->lo, cut->part == cut);
		ompp_assert(cut->is_cut && cut->part->previous_part == cut && cut->previous_part->part == cut);
		cut->previous_part->part = cut->part;
		cut->part->previous_part = cut->previous_part;
		free_part(cut);
	}
	ompp_ranges_unlock();
}
