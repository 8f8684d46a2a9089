/*
 * Mapping: see mapping.h.
 *
 * The query is an mremap() that cannot succeed: to grow memory in place, over pages that are in use.  The kernel first
 * checks whether one mapping contains the memory (EFAULT), and changes nothing.  The pages in use are those of the main
 * thread's stack, far above, where the kernel put the bytes of AT_RANDOM.  Some kernels before 4.2 may also return
 * EFAULT for lack of memory, so that a mapping is not recognised, but never the reverse.
 */
#define _GNU_SOURCE
#include "runtime/program/mapping.h"

#include <elf.h>
#include <errno.h>

#include "runtime/base/auxv.h"
#include "runtime/base/sys.h"

int ompp_mapping_holds(uintptr_t lo, uintptr_t hi)
{
	size_t page = ompp_page_bytes();
	uintptr_t in_use = ompp_auxv(AT_RANDOM) & -page;
	int rc;

	if (lo >= hi || hi > in_use)
		return -1;
	rc = ompp_sys_grow(lo, hi - lo, in_use + page - lo);
	return rc == -EFAULT ? 0 : rc == -ENOMEM || rc == -EAGAIN ? 1 : -1;
}

/* Returns the lowest page from which one mapping holds all up to hi.
 * lowest: none is lower; lo: one that is known to be good */
static uintptr_t mapping_search(uintptr_t lowest, uintptr_t lo, uintptr_t hi)
{
	size_t page = ompp_page_bytes();

	while (lowest < lo) {
		uintptr_t middle = lowest + (lo - lowest) / page / 2 * page;
		int held = ompp_mapping_holds(middle, hi);

		if (held < 0)
			return 0;
		if (held)
			lo = middle;
		else
			lowest = middle + page;
	}
	return lo;
}

uintptr_t ompp_mapping_begin(uintptr_t lo, uintptr_t hi, size_t likely_bytes)
{
	size_t page = ompp_page_bytes(), step;
	uintptr_t likely = hi - likely_bytes;
	int held = 1;

	if (page < likely && likely <= lo && ompp_mapping_holds(likely, hi) == 1 &&
	    !ompp_mapping_holds(likely - page, hi))
		return likely;
	if (ompp_mapping_holds(lo, hi) != 1)
		return 0;
	for (step = page; step < lo; step *= 2) {
		held = ompp_mapping_holds(lo - step, hi);
		if (held != 1)
			break;
		lo -= step;
	}
	return held ? 0 : mapping_search(lo - step + page, lo, hi);
}
