/*
 * Page: see page.h.
 *
 * The table is a tree: root, branches, leaves; the entries of leaves are for pages.  An entry of the root or of a
 * branch is the address of its child, or of a segment that covers all of the child's memory (bit 0 is set then), or 0.
 *
 * Beside each entry its earlier value is kept for reuse: the branch that a segment has replaced, or a page's own
 * segment, which has no name and is created when the page is accessed without one.  So nothing is created twice, and
 * nothing is freed.
 *
 * Readers create branches and own segments where an entry is 0.  An entry is 0 only while the kept value is still
 * unused.
 */
#include "runtime/data/page.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/data/mixed.h"
#include "runtime/data/object.h"

enum { PAGE_BYTES = OMPP_PAGE_BYTES, PAGES, LEAVES, BRANCHES }; /* levels of the tree, named by what an entry is for */

enum { ROOTS = 1 << OMPP_ROOT_BITS };

ompp_page *ompp_access_root;
const struct ompp_segment *(*ompp_page_gap)(uintptr_t address);

/* Returns the root, which has behind its entries what is kept beside them; NULL without memory. */
static ompp_page *get_root(void)
{
	return ompp_space_table((void **)&ompp_access_root, 2 * ROOTS * sizeof(ompp_page));
}

/* The segment of addresses that the table does not reach. Its limits are 0, so that it never fits a way. */
static const struct ompp_segment beyond = { .row = sizeof(struct ompp_tally), .hi = UINTPTR_MAX };

/* ---- entries ---- */

static uintptr_t page_load(const ompp_page *entry)
{
	return atomic_load_explicit(entry, memory_order_acquire);
}

static void page_store(ompp_page *entry, uintptr_t value)
{
	atomic_store_explicit(entry, value, memory_order_release);
}

static struct ompp_branch *branch_of(uintptr_t value)
{
	return value & 1 ? NULL : (struct ompp_branch *)value;
}

/* Returns how many bytes of memory an entry of a level is for. */
static inline uintptr_t entry_bytes(int level)
{
	return (uintptr_t)PAGE_BYTES << (level - PAGES) * OMPP_BRANCH_BITS;
}

static inline size_t index_of(uintptr_t address, int level)
{
	size_t i = address >> (OMPP_PAGE_BITS + (level - PAGES) * OMPP_BRANCH_BITS);

	return i & ((level == BRANCHES ? (size_t)1 << OMPP_ROOT_BITS : OMPP_N_BRANCHES) - 1);
}

/* ---- readers ---- */

/* Returns the branch at an entry; a reader makes it where there is none.  Returns NULL without memory, or when a
 * segment is there. */
static struct ompp_branch *meet_branch(ompp_page *now, ompp_page *kept)
{
	uintptr_t value = page_load(now), none = 0;
	struct ompp_branch *fresh;

	if (value)
		return branch_of(value);
	fresh = (struct ompp_branch *)page_load(kept);
	if (!fresh) {
		fresh = ompp_data_alloc(sizeof(*fresh));
		if (!fresh)
			return NULL;
		if (!atomic_compare_exchange_strong(kept, &none, (uintptr_t)fresh))
			fresh = (struct ompp_branch *)none; /* another thread was first; our branch is lost, once */
	}
	if (atomic_compare_exchange_strong(now, &value, (uintptr_t)fresh))
		return fresh;
	return branch_of(value);
}

static struct ompp_list *list_of(uintptr_t value)
{
	return value & 1 ? (struct ompp_list *)(value & ~(uintptr_t)OMPP_PAGE_TAGS) : NULL;
}

static const struct ompp_segment *in_slot(uintptr_t value, uintptr_t address)
{
	const struct ompp_list *l = list_of(value);
	uint32_t offset = address & (PAGE_BYTES - 1), i = 0, n;

	if (!l)
		return value ? (const struct ompp_segment *)value : &beyond;
	for (n = __atomic_load_n(&l->n, __ATOMIC_ACQUIRE); n > 1;) {
		uint32_t half = n / 2;

		if (OMPP_LOAD(&l->entry[i + half].start) <= offset) {
			i += half;
			n -= half;
		} else {
			n = half;
		}
	}
	return OMPP_LOAD(&l->entry[i].segment);
}

/* Returns the page's own segment, which is made if need be; NULL without memory. */
static struct ompp_segment *own_segment(ompp_page *kept, uintptr_t page)
{
	struct ompp_segment *s = (struct ompp_segment *)page_load(kept);
	uintptr_t none = 0;

	ompp_assert(!s || (s->cover == OMPP_OBJECT_OTHER && s->hi == page + PAGE_BYTES));
	if (s)
		return s;
	s = ompp_segment_new(page);
	if (s && !atomic_compare_exchange_strong(kept, &none, (uintptr_t)s))
		return (struct ompp_segment *)none;
	return s;
}

/* Returns the segment of a page that is met for the first time and has no name, or that was in a gap which has ended;
 * NULL when it has none of its own.
 * was: what is at its entry */
static const struct ompp_segment *meet_page(uintptr_t address, uintptr_t was)
{
	size_t i = index_of(address, BRANCHES), j = index_of(address, LEAVES), k = index_of(address, PAGES);
	ompp_page *root = get_root();
	struct ompp_branch *branch = root ? meet_branch(&root[i], &root[ROOTS + i]) : NULL;
	struct ompp_branch *leaf = branch ? meet_branch(&branch->now[j], &branch->kept[j]) : NULL;
	const struct ompp_segment *gap = leaf && ompp_page_gap ? ompp_page_gap(address) : NULL;
	struct ompp_segment *s;

	if (gap) {
		/* who changes what is there ends the gap behind it, so that no harm is done by coming late */
		atomic_compare_exchange_strong(&leaf->now[k], &was, (uintptr_t)gap);
		return gap;
	}
	s = leaf ? own_segment(&leaf->kept[k], address & ~(uintptr_t)(PAGE_BYTES - 1)) : NULL;
	if (!s)
		return NULL;
	atomic_store(&branch->is_met, 1);
	atomic_store(&leaf->is_met, 1);
	if (!atomic_compare_exchange_strong(&leaf->now[k], &was, (uintptr_t)s))
		return NULL;
	/* A writer may have put a segment over the whole leaf meanwhile: it sees is_met, or we see that segment. */
	ompp_fence();
	if (ompp_page_of(address) == (uintptr_t)s)
		return s;
	ompp_segment_end(s);
	return NULL;
}

/* Returns 1 when what is at the entry of an address leads to its segment. */
static int page_leads(uintptr_t value, uintptr_t address)
{
	const struct ompp_segment *s = (const struct ompp_segment *)value;

	if (!value)
		return 0;
	return value & 1 || !ompp_page_gap || s->cover != OMPP_OBJECT_OTHER || ompp_segment_holds(s, address, 0);
}

const struct ompp_segment *ompp_segment_at(uintptr_t address)
{
	uintptr_t value = ompp_page_of(address);
	const struct ompp_segment *s;

	if (page_leads(value, address))
		return in_slot(value, address);
	s = address < OMPP_LAST_ADDRESS ? meet_page(address, value) : NULL;
	return s ? s : in_slot(ompp_page_of(address), address);
}

static uint32_t add_cover(uint32_t *covers, uint32_t n, uint32_t most, uint32_t cover)
{
	for (uint32_t i = 0; i < n; i++)
		if (covers[i] == cover)
			return n;
	if (n < most)
		covers[n++] = cover;
	return n;
}

uint32_t ompp_page_covers(uintptr_t page, uint32_t *covers, uint32_t most)
{
	uintptr_t value = page < OMPP_LAST_ADDRESS ? ompp_page_of(page) : 0;
	struct ompp_list *l = list_of(value);
	uint32_t n = 0;

	if (!value)
		return add_cover(covers, 0, most, OMPP_OBJECT_OTHER);
	if (!l)
		return add_cover(covers, 0, most, ((const struct ompp_segment *)value)->cover);
	for (uint32_t i = 0; i < __atomic_load_n(&l->n, __ATOMIC_ACQUIRE); i++)
		n = add_cover(covers, n, most, OMPP_LOAD(&l->entry[i].segment)->cover);
	return n;
}

int ompp_pages_may_be_named(uintptr_t lo, uintptr_t hi)
{
	int i;

	for (i = 0; i < 64 && lo < hi; i++) {
		uintptr_t value = ompp_page_of(lo);
		const struct ompp_segment *s;
		uintptr_t end;

		if (!value) {
			lo = (lo | (PAGE_BYTES - 1)) + 1;
			continue;
		}
		s = in_slot(value, lo);
		if (s->cover >= OMPP_OBJECT_FIRST_NAMED || s->row & OMPP_ROW_WATCHED)
			return 1;
		end = page_leads(value, lo) ? OMPP_LOAD(&s->hi) : (lo | (PAGE_BYTES - 1)) + 1;
		lo = end > lo ? end : hi;
	}
	return lo < hi;
}

/* ---- writers ---- */

/* Ends the segments that a page had and that lie inside this page alone, unless the new list has them, too. */
static void end_page(uintptr_t old, uintptr_t new, uintptr_t page)
{
	const struct ompp_list *was = list_of(old), *is = list_of(new);
	struct ompp_segment *s;
	uint32_t i, j;

	if (!old || old == new)
		return;
	if (!was) {
		s = (struct ompp_segment *)old;
		if (s->cover == OMPP_OBJECT_OTHER && s->hi == page + PAGE_BYTES && s->hi - s->lo <= PAGE_BYTES)
			ompp_segment_end(s);
		return;
	}
	for (i = 0; i < was->n; i++) {
		s = (struct ompp_segment *)(uintptr_t)was->entry[i].segment;
		if (s->cover != OMPP_OBJECT_OTHER || s->lo < page || s->hi > page + PAGE_BYTES)
			continue;
		for (j = 0; is && j < is->n && is->entry[j].segment != s; j++)
			;
		if (!is || j == is->n)
			ompp_segment_drop(s);
	}
	ompp_list_drop((struct ompp_list *)(uintptr_t)was);
}

static void put_page(ompp_page *now, uintptr_t new, uintptr_t page)
{
	uintptr_t old = atomic_exchange_explicit(now, new, memory_order_acq_rel);

	end_page(old, new, page);
}

/* Brings back a branch or leaf in which nothing is named any more, with all pages that were met in it. */
static void page_restore(struct ompp_branch *b, int level)
{
	size_t k;

	for (k = 0; k < OMPP_N_BRANCHES; k++) {
		uintptr_t kept = page_load(&b->kept[k]);

		if (kept && level == PAGES)
			ompp_segment_revive((struct ompp_segment *)kept);
		else if (kept)
			page_restore((struct ompp_branch *)kept, level - 1);
		page_store(&b->now[k], kept);
	}
}

/* Ends the own segments of pages that were met in [page, end), below an entry of this level: a segment covers them
 * now. */
static void end_met(const ompp_page *kept, int level, uintptr_t page, uintptr_t end)
{
	struct ompp_branch *b = (struct ompp_branch *)page_load(kept);

	if (b && level == PAGES) {
		ompp_segment_end((struct ompp_segment *)b);
		return;
	}
	while (b && page < end && atomic_load_explicit(&b->is_met, memory_order_acquire)) {
		uintptr_t next = (page | (entry_bytes(level - 1) - 1)) + 1;

		next = next < end ? next : end;
		end_met(&b->kept[index_of(page, level - 1)], level - 1, page, next);
		page = next;
	}
}

/* Returns the branch at an entry of a level, for a writer who changes a part of it; NULL without memory. */
static struct ompp_branch *open_branch(ompp_page *now, ompp_page *kept, int level)
{
	uintptr_t value = page_load(now);
	struct ompp_branch *b = value ? branch_of(value) : meet_branch(now, kept);
	size_t k;

	if (b || !(page_load(now) & 1))
		return b;
	value = page_load(now);
	b = (struct ompp_branch *)page_load(kept);
	b = b ? b : ompp_data_alloc(sizeof(*b));
	if (!b)
		return NULL;
	for (k = 0; k < OMPP_N_BRANCHES; k++)
		page_store(&b->now[k], level - 1 == PAGES ? value - 1 : value);
	page_store(kept, (uintptr_t)b);
	page_store(now, (uintptr_t)b);
	return b;
}

static int page_fill(ompp_page *now, ompp_page *kept, int level, uintptr_t page, uintptr_t end,
                     struct ompp_segment *segment);

/* Fills the part [page, end) of a branch whose entries are of this level.  Returns 0, or -1 without memory. */
static int fill_part(struct ompp_branch *b, int level, uintptr_t page, uintptr_t end, struct ompp_segment *segment)
{
	int rc = 0;

	ompp_assert(page < end && (end - 1) / entry_bytes(level + 1) == page / entry_bytes(level + 1));
	while (page < end && !rc) {
		uintptr_t next = (page | (entry_bytes(level) - 1)) + 1;
		size_t k = index_of(page, level);

		next = next < end ? next : end;
		rc = page_fill(&b->now[k], &b->kept[k], level, page, next, segment);
		page = next;
	}
	return rc;
}

/* Makes a whole entry of an upper level one segment, or nothing.  Returns 0, or -1 without memory. */
static int fill_whole(ompp_page *now, ompp_page *kept, int level, uintptr_t page, struct ompp_segment *segment)
{
	struct ompp_branch *b = (struct ompp_branch *)page_load(kept);
	uintptr_t value = page_load(now);

	if (segment) {
		page_store(now, (uintptr_t)segment | 1);
		return 0;
	}
	if (value & 1) {
		if (b)
			page_restore(b, level - 1);
		page_store(now, (uintptr_t)b);
		return 0;
	}
	return b ? fill_part(b, level - 1, page, page + entry_bytes(level), NULL) : 0;
}

/* Puts the part [page, end) of an entry inside a segment, or inside none.  Returns 0, or -1 without memory. */
static int page_fill(ompp_page *now, ompp_page *kept, int level, uintptr_t page, uintptr_t end,
                     struct ompp_segment *segment)
{
	uintptr_t own = page_load(kept);
	struct ompp_branch *b;

	if (level == PAGES) {
		if (!segment && own)
			ompp_segment_revive((struct ompp_segment *)own);
		put_page(now, segment ? (uintptr_t)segment : own, page);
		return 0;
	}
	if (end - page == entry_bytes(level))
		return fill_whole(now, kept, level, page, segment);
	if (!segment && !page_load(now))
		return 0;
	b = open_branch(now, kept, level);
	return b ? fill_part(b, level - 1, page, end, segment) : -1;
}

/* Returns the end of the root's entry that holds the address, or `end` when that comes first. */
static uintptr_t entry_end(uintptr_t address, uintptr_t end)
{
	uintptr_t next = (address | (entry_bytes(BRANCHES) - 1)) + 1;

	return next < end ? next : end;
}

int ompp_pages_fill(uintptr_t page, uintptr_t end, struct ompp_segment *segment)
{
	ompp_page *root = get_root();
	uintptr_t at, next;
	int rc = end > OMPP_LAST_ADDRESS || !root ? -1 : 0;

	ompp_assert(!(page & (PAGE_BYTES - 1)) && !(end & (PAGE_BYTES - 1)) && page <= end);
	ompp_assert(!segment || (segment->lo <= page && end <= segment->hi));
	for (at = page; at < end && !rc; at = next) {
		ompp_page *now = &root[index_of(at, BRANCHES)], *kept = now + ROOTS;

		next = entry_end(at, end);
		if (next - at == entry_bytes(BRANCHES) && (segment || !page_load(kept)))
			page_store(now, segment ? (uintptr_t)segment | 1 : 0); /* this is most of a huge range */
		else
			rc = page_fill(now, kept, BRANCHES, at, next, segment);
	}
	if (segment && end - page >= entry_bytes(LEAVES)) /* lists in leaves that it covers are not dropped */
		ompp_mixed_end(page, end);
	ompp_fence(); /* pairs with the fence in meet_page() */
	for (at = page; at < end && segment && !rc; at = next) {
		next = entry_end(at, end);
		if (page_load(&root[ROOTS + index_of(at, BRANCHES)]))
			end_met(&root[ROOTS + index_of(at, BRANCHES)], BRANCHES, at, next);
	}
	return rc;
}

int ompp_page_put(uintptr_t page, const struct ompp_list *parts)
{
	size_t i = index_of(page, BRANCHES), j = index_of(page, LEAVES), k = index_of(page, PAGES);
	ompp_page *root = get_root();
	struct ompp_branch *branch, *leaf;
	uintptr_t new;

	ompp_assert(parts->n && !parts->entry[0].start);
	for (uint32_t n = 1; n < parts->n; n++)
		ompp_assert(parts->entry[n - 1].start < parts->entry[n].start);
	ompp_assert(!(page & (PAGE_BYTES - 1)) && parts->entry[parts->n - 1].start < PAGE_BYTES);
	if (page >= OMPP_LAST_ADDRESS || !root)
		return -1;
	branch = open_branch(&root[i], &root[ROOTS + i], BRANCHES);
	leaf = branch ? open_branch(&branch->now[j], &branch->kept[j], LEAVES) : NULL;
	new = !leaf ? 0 : parts->n == 1 ? (uintptr_t)parts->entry[0].segment : ompp_list_of(parts);
	if (!new)
		return -1;
	put_page(&leaf->now[k], new, page);
	if (page_load(&leaf->kept[k]))
		ompp_segment_end((struct ompp_segment *)page_load(&leaf->kept[k]));
	return 0;
}
