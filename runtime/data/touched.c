/*
 * Touched: see touched.h.
 */
#include "runtime/data/touched.h"

#include <stddef.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
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
static void *touched_made(void *where, size_t n_bytes)
{
	void **at = where;

	if (!*at)
		__atomic_store_n(at, ompp_data_alloc(n_bytes), __ATOMIC_RELEASE);
	return *at;
}

/* Returns what the pointer leads to; NULL when that is not made. */
static const void *touched_known(const void *where)
{
	return __atomic_load_n((void *const *)where, __ATOMIC_ACQUIRE);
}

struct ompp_touched *ompp_touched_at(uintptr_t address)
{
	uintptr_t page = address >> OMPP_PAGE_BITS;
	struct branch *branch;
	struct leaf *leaf;

	if (address >= OMPP_LAST_ADDRESS || !touched_made(&root, N_ROOTS * sizeof(*root)))
		return NULL;
	ompp_assert(page >> 2 * OMPP_BRANCH_BITS < N_ROOTS);
	branch = touched_made(&root[page >> 2 * OMPP_BRANCH_BITS], sizeof(*branch));
	if (!branch)
		return NULL;
	leaf = touched_made(&branch->leaf[(page >> OMPP_BRANCH_BITS) % OMPP_N_BRANCHES], sizeof(*leaf));
	return leaf ? &leaf->page[page % OMPP_N_BRANCHES] : NULL;
}

const struct ompp_touched *ompp_touched_find(uintptr_t address)
{
	uintptr_t page = address >> OMPP_PAGE_BITS;
	struct branch *const *roots = touched_known(&root);
	const struct branch *branch;
	const struct leaf *leaf;

	if (address >= OMPP_LAST_ADDRESS || !roots)
		return NULL;
	branch = touched_known(&roots[page >> 2 * OMPP_BRANCH_BITS]);
	leaf = branch ? touched_known(&branch->leaf[(page >> OMPP_BRANCH_BITS) % OMPP_N_BRANCHES]) : NULL;
	return leaf ? &leaf->page[page % OMPP_N_BRANCHES] : NULL;
}

void ompp_touched_set(uintptr_t lo, uintptr_t hi, const struct ompp_touched *entry)
{
	for (lo &= ~(OMPP_PAGE_BYTES - 1); lo < hi; lo += OMPP_PAGE_BYTES) {
		struct ompp_touched *at = ompp_touched_at(lo);

		if (!at)
			continue;
		OMPP_STORE(&at->time_ns, entry->time_ns);
		OMPP_STORE(&at->toucher, entry->toucher);
		OMPP_STORE(&at->state, entry->state);
		OMPP_STORE(&at->home, entry->home);
	}
}
