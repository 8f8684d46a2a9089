/*
 * Blocks: memory that the program frees or moves, as libompp_access.a tells: the names in it end or follow.
 */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

#include "runtime/adapters/access.h"
#include "runtime/data/range.h"

/* The allocator's own answer, where it is the one that the program uses. */
extern size_t malloc_usable_size(void *block) __attribute__((weak));

static uintptr_t end_of(const void *block)
{
	return (uintptr_t)block + (malloc_usable_size ? malloc_usable_size((void *)(uintptr_t)block) : 1);
}

void ompp_access_freed(const void *block)
{
	int saved = errno;

	if (atomic_load_explicit(&ompp_n_ranges, memory_order_relaxed))
		ompp_range_freed((uintptr_t)block, end_of(block));
	errno = saved;
}

void ompp_access_unmapped(const void *address, size_t n_bytes)
{
	int saved = errno;

	if ((uintptr_t)address + n_bytes > (uintptr_t)address)
		ompp_range_freed((uintptr_t)address, (uintptr_t)address + n_bytes);
	errno = saved;
}

struct ompp_range *ompp_access_moving(const void *block, size_t n_bytes)
{
	struct ompp_range *ranges = NULL;
	int saved = errno;

	if (atomic_load_explicit(&ompp_n_ranges, memory_order_relaxed))
		ranges = ompp_range_detach((uintptr_t)block, n_bytes ? (uintptr_t)block + n_bytes : end_of(block));
	errno = saved;
	return ranges;
}

void ompp_access_moved(struct ompp_range *ranges, const void *from, const void *to, size_t n_bytes)
{
	int saved = errno;

	ompp_range_attach(ranges, (uintptr_t)from, (uintptr_t)to, to ? n_bytes : 0);
	errno = saved;
}
