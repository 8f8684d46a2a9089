/*
 * Touched: see touched.h.
 */
#include "runtime/data/touched.h"

#include <stddef.h>

#include "runtime/data/object.h"
#include "runtime/data/page.h"

enum { N_ROOTS = 1 << OMPP_ROOT_BITS };

struct leaf {
	struct ompp_touched page[OMPP_N_BRANCHES];
};

struct branch {
	struct leaf *leaf[OMPP_N_BRANCHES];
};

static struct branch **root;

/* Returns what the pointer leads to, which is made if need be; NULL without memory. */
static void *made(void *where, size_t n_bytes)
{
	void **at = where;

	if (!*at)
		*at = ompp_data_alloc(n_bytes);
	return *at;
}

struct ompp_touched *ompp_touched_at(uintptr_t address)
{
	uintptr_t page = address >> OMPP_PAGE_BITS;
	struct branch *branch;
	struct leaf *leaf;

	if (address >= OMPP_LAST_ADDRESS || !made(&root, N_ROOTS * sizeof(*root)))
		return NULL;
	branch = made(&root[page >> 2 * OMPP_BRANCH_BITS], sizeof(*branch));
	if (!branch)
		return NULL;
	leaf = made(&branch->leaf[(page >> OMPP_BRANCH_BITS) % OMPP_N_BRANCHES], sizeof(*leaf));
	return leaf ? &leaf->page[page % OMPP_N_BRANCHES] : NULL;
}

void ompp_touched_set(uintptr_t lo, uintptr_t hi, const struct ompp_touched *entry)
{
	for (lo &= ~(OMPP_PAGE_BYTES - 1); lo < hi; lo += OMPP_PAGE_BYTES) {
		struct ompp_touched *at = ompp_touched_at(lo);

		if (at)
			*at = *entry;
	}
}
