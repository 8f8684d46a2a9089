/*
 * Front: see front.h.
 */
#include "runtime/data/front.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/data/cache.h"
#include "runtime/data/first.h"
#include "runtime/data/object.h"

enum { MOST_SETS = 1024 };

static _Atomic(struct ompp_front *) newest;
uint64_t ompp_front_n_ends;

struct ompp_front *ompp_front_new(const struct ompp_cache_geometry *geometry)
{
	uint32_t shift, n_ways;
	uint64_t n_sets = ompp_cache_private_sets(geometry, &shift, &n_ways);

	if (!n_sets || n_sets & (n_sets - 1) || n_sets > MOST_SETS || shift > OMPP_PAGE_BITS)
		return NULL;
	return ompp_front_make(n_sets, shift, n_ways);
}

struct ompp_front *ompp_front_make(uint64_t n_sets, uint32_t shift, uint32_t n_ways)
{
	struct ompp_front *front = ompp_data_alloc(sizeof(*front) + n_sets * sizeof(front->line[0]));

	if (!front)
		return NULL;
	ompp_assert(n_ways && !(n_sets & (n_sets - 1)));
	front->mask = n_sets - 1;
	front->shift = shift;
	front->n_ways = n_ways;
	front->next = atomic_load_explicit(&newest, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&newest, &front->next, front, memory_order_release,
	                                              memory_order_relaxed))
		;
	return front;
}

/* Returns the limit for accesses of n bytes. */
static inline uintptr_t limit_for(uintptr_t n, uintptr_t n_bytes)
{
	return n_bytes < n ? 0 : n_bytes - n + 1;
}

void ompp_front_limit(struct ompp_segment *s, uintptr_t n_bytes)
{
	_Static_assert(OMPP_SIZES == 5, "a loop would take three times as long");
	OMPP_STORE(&s->limit[0], limit_for(1, n_bytes));
	OMPP_STORE(&s->limit[1], limit_for(2, n_bytes));
	OMPP_STORE(&s->limit[2], limit_for(4, n_bytes));
	OMPP_STORE(&s->limit[3], limit_for(8, n_bytes));
	OMPP_STORE(&s->limit[4], limit_for(16, n_bytes));
}

void ompp_front_forget(struct ompp_front *front)
{
	uint64_t i;

	for (i = 0; i <= front->mask; i++)
		ompp_front_limit(&front->line[i], 0);
	memset(front->page, 0, sizeof(front->page));
}

__attribute__((noinline)) enum ompp_first ompp_front_learn(struct ompp_front *front, uint32_t slot, uintptr_t address)
{
	uint64_t page = address >> OMPP_PAGE_BITS;
	enum ompp_first who = ompp_first_by(slot, address);

	if (who != OMPP_FIRST_UNKNOWN)
		front->page[page % OMPP_FRONT_PAGES] = page << 2 | who;
	return who;
}

void ompp_front_leave_all(struct ompp_front *front, uintptr_t address, size_t n_bytes)
{
	uintptr_t line = address >> front->shift, last = (address + (n_bytes - 1)) >> front->shift;

	ompp_assert(n_bytes && line <= last);
	if (last - line >= front->mask)
		ompp_front_forget(front);
	else
		for (; line <= last; line++)
			ompp_front_leave(front, line << front->shift);
}

void ompp_front_end(uintptr_t lo, uintptr_t hi)
{
	struct ompp_front *front = atomic_load_explicit(&newest, memory_order_acquire);
	uint64_t i;

	if (!front)
		return;
	__atomic_fetch_add(&ompp_front_n_ends, 1, __ATOMIC_SEQ_CST);
	for (; front; front = front->next)
		for (i = 0; i <= front->mask; i++) {
			uintptr_t line = OMPP_LOAD(&front->line[i].lo);

			if (line < hi && lo < line + ((uintptr_t)1 << front->shift))
				ompp_front_limit(&front->line[i], 0);
		}
}
