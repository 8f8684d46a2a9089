/*
 * Thread stack: see thread_stack.h.
 */
#define _GNU_SOURCE
#include "runtime/core/thread_stack.h"

#include "runtime/base/real.h"
#include "runtime/base/sys.h"
#include "runtime/core/section.h"
#include "runtime/core/thread.h"
#include "runtime/data/range.h"
#include "runtime/program/maps.h"

enum { UNLIMITED_STACK_BYTES = 64 << 20 };

struct wanted {
	uintptr_t address;
	struct ompp_mapping found;
};

static int holds(const struct ompp_mapping *mapping, void *context)
{
	struct wanted *wanted = context;

	wanted->found = *mapping;
	return mapping->lo <= wanted->address && wanted->address < mapping->hi;
}

/* Lowers the stack's end to the thread's own variables, which stand above its stack in the same mapping: the lowest
 * block of them ends the stack. */
static int lower_bound(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t *bounds = data, block = (uintptr_t)info->dlpi_tls_data;

	(void)size;
	if (block > bounds[0] && block < bounds[1])
		bounds[1] = block;
	return 0;
}

void ompp_thread_find_stack(uintptr_t *lo, uintptr_t *hi)
{
	struct wanted wanted = { .address = (uintptr_t)__builtin_frame_address(0) };
	struct rlimit limit;
	uintptr_t bounds[2];

	*lo = *hi = 0;
	if (ompp_maps_each(holds, &wanted) != 1)
		return;
	*lo = wanted.found.lo;
	*hi = wanted.found.hi;
	if (ompp_sys_getpid() == ompp_sys_gettid()) { /* the main thread's stack grows */
		size_t n = UNLIMITED_STACK_BYTES;

		if (!ompp_sys_getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY &&
		    limit.rlim_cur < (rlim_t)1 << 40)
			n = limit.rlim_cur;
		if (*hi > n && *hi - n < *lo)
			*lo = *hi - n;
	} else {
		bounds[0] = wanted.address;
		bounds[1] = *hi;
		ompp_real_each(lower_bound, bounds);
		*hi = bounds[1];
	}
}

void ompp_thread_name_stack(struct ompp_thread *t)
{
	t->stack_named = 1;
	ompp_thread_find_stack(&t->stack_lo, &t->stack_hi);
	if (t->stack_hi)
		t->stack_range = ompp_range_begin("(stack)", OMPP_ORIGIN_NONE, t->stack_lo, t->stack_hi - t->stack_lo,
		                                  t->slot + 1, 1);
	ompp_sections_name_thread(&t->sections, t->slot + 1);
}

int ompp_thread_name_own(void)
{
	struct ompp_thread *t = ompp_self;

	if (!t->stack_named)
		return 0;
	ompp_sections_name_thread(&t->sections, t->slot + 1);
	return 1;
}

void ompp_thread_unname_stack(struct ompp_thread *t)
{
	ompp_range_end(t->stack_range);
	t->stack_range = 0;
	t->stack_named = 0;
	ompp_sections_unname_thread(&t->sections);
}
