/*
 * Thread stack: see thread_stack.h.
 */
#define _GNU_SOURCE
#include "runtime/core/thread_stack.h"

#include <stdatomic.h>

#include "runtime/base/auxv.h"
#include "runtime/base/sys.h"
#include "runtime/core/section.h"
#include "runtime/core/thread.h"
#include "runtime/host/note.h"
#include "runtime/host/real.h"
#include "runtime/program/mapping.h"
#include "runtime/program/maps.h"
#include "runtime/ranges/range.h"

enum { UNLIMITED_STACK_BYTES = 64 << 20 };

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

/* Finds the mapping of the main thread's stack, or of one that nothing else is known of, among all mappings.  Returns
 * 0, or -1 when there is none. */
static int read_bounds(uintptr_t bounds[2])
{
	struct ompp_mapping found;

	if (ompp_maps_holding(bounds[0], &found) != 1)
		return -1;
	bounds[0] = found.lo;
	bounds[1] = found.hi;
	return 0;
}

/* Finds the same of a thread that has its own variables above its stack, as all threads have that the C library makes,
 * in a time that does not depend on how many mappings there are.  Returns 0, or -1 when it may be otherwise. */
static int ask_bounds(uintptr_t bounds[2])
{
	static _Atomic size_t last_bytes; /* of the stack that was found last: those of a team are alike */
	size_t page = ompp_page_bytes(), likely = atomic_load_explicit(&last_bytes, memory_order_relaxed);
	uintptr_t hi = ((uintptr_t)&ompp_self & -page) + page;
	uintptr_t lo = ompp_mapping_begin(bounds[0] & -page, hi, likely);

	if (!lo)
		return -1;
	atomic_store_explicit(&last_bytes, hi - lo, memory_order_relaxed);
	bounds[0] = lo;
	bounds[1] = hi;
	return 0;
}

/* Returns how far down the main thread's stack may grow that ends at hi. */
static uintptr_t thread_stack_lowest(uintptr_t lo, uintptr_t hi)
{
	size_t n = UNLIMITED_STACK_BYTES;
	struct rlimit limit;

	if (!ompp_sys_getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur < (rlim_t)1 << 40)
		n = limit.rlim_cur;
	return hi > n && hi - n < lo ? hi - n : lo;
}

void (*ompp_thread_emulated_stack)(uintptr_t *lo, uintptr_t *hi);

void ompp_thread_find_stack(uintptr_t *lo, uintptr_t *hi)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), bounds[2] = { here, here };
	int is_main = ompp_sys_getpid() == ompp_sys_gettid();

	*lo = *hi = 0;
	if (ompp_thread_emulated_stack) {
		ompp_thread_emulated_stack(lo, hi);
		return;
	}
	if ((is_main || ask_bounds(bounds)) && read_bounds(bounds))
		return;
	*lo = is_main ? thread_stack_lowest(bounds[0], bounds[1]) : bounds[0];
	bounds[0] = here;
	if (!is_main)
		ompp_real_each(lower_bound, bounds);
	*hi = bounds[1];
}

void ompp_thread_name_stack(struct ompp_thread *t)
{
	static const char unknown[] =
		"(stack): where a thread has its stack is not known, so its accesses there are "
		"among those to no object; mount /proc, or raise `ulimit -n` where no file descriptor is free";

	t->stack_named = 1;
	ompp_thread_find_stack(&t->stack_lo, &t->stack_hi);
	if (t->stack_hi)
		t->stack_range = ompp_range_begin("(stack)", OMPP_ORIGIN_NONE, t->stack_lo, t->stack_hi - t->stack_lo,
		                                  t->slot + 1, 1);
	else
		ompp_note_say_once(unknown, sizeof(unknown) - 1);
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
