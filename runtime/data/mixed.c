/*
 * Mixed: see mixed.h.
 */
#include "runtime/data/mixed.h"

#include "runtime/base/check.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/data/segment.h"

static struct ompp_mixed *all;

/* Returns the copy of a list, which is made where there is none; NULL without memory. */
static struct ompp_mixed *mixed_of(struct ompp_list *list)
{
	struct ompp_mixed *m = list->mixed;

	if (m)
		return m;
	m = ompp_data_alloc(sizeof(*m));
	if (!m)
		return NULL;
	m->own.segment.cover = OMPP_OBJECT_OTHER;
	m->own.segment.row = ompp_cover_row(OMPP_OBJECT_OTHER) | OMPP_ROW_BLOCKS | OMPP_ROW_PAGE;
	m->own.grains = m->word;
	m->next = all;
	all = m;
	list->mixed = m;
	return m;
}

/* Returns what the copy has for a grain whose word is known. */
static uint32_t mixed_word(uint32_t word)
{
	return word ? word : ompp_cover_row(OMPP_OBJECT_OTHER);
}

/* Calls one of the two below for the grains that a list gives no name, but the last one before a name, in which an
 * access may begin that ends there.  Returns 0 as soon as that does. */
static int for_grains(struct ompp_mixed *m, const struct ompp_list *list, const uint32_t *grains,
                      int (*do_grain)(struct ompp_mixed *m, const uint32_t *grains, unsigned int i))
{
	ompp_assert(list->n && !list->entry[0].start);
	for (uint32_t k = 0; k < list->n; k++) {
		uintptr_t end = k + 1 < list->n ? list->entry[k + 1].start : OMPP_PAGE_BYTES + OMPP_GRAIN_BYTES;
		unsigned int i = (unsigned int)((list->entry[k].start + OMPP_GRAIN_BYTES - 1) / OMPP_GRAIN_BYTES);

		ompp_assert(list->entry[k].start < end);
		if ((list->entry[k].segment->row & OMPP_ROW_FLAGS) != OMPP_ROW_BLOCKS)
			continue;
		for (; (i + 2) * (uintptr_t)OMPP_GRAIN_BYTES <= end; i++)
			if (!do_grain(m, grains, i))
				return 0;
	}
	return 1;
}

static int copy_grain(struct ompp_mixed *m, const uint32_t *grains, unsigned int i)
{
	OMPP_STORE(&m->word[i], mixed_word(OMPP_LOAD(&grains[i])));
	return 1;
}

static int is_same(struct ompp_mixed *m, const uint32_t *grains, unsigned int i)
{
	return m->word[i] == mixed_word(OMPP_LOAD(&grains[i]));
}

const struct ompp_segment *ompp_mixed_make(uintptr_t page, struct ompp_list *list)
{
	const uint32_t *grains = ompp_grains_of(page);
	struct ompp_mixed *m = grains ? mixed_of(list) : NULL;

	ompp_assert(!(page & (OMPP_PAGE_BYTES - 1)));
	if (!m)
		return NULL;
	/* Until it is dropped a list is of one page; one that has ended may be that of the page before. */
	if (OMPP_LOAD(&m->own.segment.lo) == page && m->own.segment.hi == page + OMPP_PAGE_BYTES)
		return &m->own.segment;
	ompp_assert(m->own.segment.lo == m->own.segment.hi || m->own.segment.hi == page + OMPP_PAGE_BYTES);
	OMPP_STORE(&m->own.segment.lo, page + OMPP_PAGE_BYTES);
	OMPP_STORE(&m->own.segment.hi, page + OMPP_PAGE_BYTES);
	__atomic_store_n(ompp_grains_copy(grains), &m->own, __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < OMPP_GRAINS; i++)
		OMPP_STORE(&m->word[i], (uint32_t)OMPP_GRAIN_ASK);
	for_grains(m, list, grains, copy_grain);
	__atomic_store_n(&m->own.segment.lo, page, __ATOMIC_RELEASE);
	ompp_fence(); /* pairs with the one in grain.c: who changes a word ends the copy, or it is seen here */
	if (for_grains(m, list, grains, is_same))
		return &m->own.segment;
	ompp_grains_end(&m->own);
	return NULL;
}

void ompp_mixed_end(uintptr_t lo, uintptr_t hi)
{
	for (struct ompp_mixed *m = all; m; m = m->next)
		if (m->own.segment.lo >= lo && m->own.segment.lo < hi)
			ompp_grains_end(&m->own);
}
