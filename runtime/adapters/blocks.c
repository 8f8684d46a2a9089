/*
 * Blocks: ends or moves the names in memory that the program frees or moves, as reported by libompp_access.a.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdatomic.h>

#include "runtime/access/access_patch.h"
#include "runtime/access/follow.h"
#include "runtime/adapters/access_hooks.h"
#include "runtime/base/auxv.h"
#include "runtime/base/relaxed.h"
#include "runtime/core/thread.h"
#include "runtime/host/real.h"
#include "runtime/host/redirect.h"
#include "runtime/ranges/container.h"
#include "runtime/ranges/range.h"

enum { PAGE_BYTES = 4096, LEAST_PAGES_BYTES = 1 << 16, SMALL_SLACK_BYTES = 32 };

/* This is the allocator's own answer, if it is the allocator that the program uses. */
extern size_t malloc_usable_size(void *block) __attribute__((weak));

/* This is the second name of the C library's own malloc. */
extern void *__libc_malloc(size_t n_bytes) __attribute__((weak));

/* Returns whether malloc_usable_size() belongs to the allocator: whether it is in the library (or program) in which
 * malloc() is.  Otherwise it is the program's own function of this name.  In a static program the two cannot be told
 * apart. */
static int can_ask(void)
{
	static int asked; /* 0 when not asked yet, 1 for no, 2 for yes */
	int known = OMPP_LOAD(&asked);

	if (!known) {
		known = malloc_usable_size && ompp_real_are_together((void *)malloc_usable_size, (void *)malloc) ? 2
		                                                                                                 : 1;
		OMPP_STORE(&asked, known);
	}
	return known == 2;
}

static uintptr_t end_of(const void *block)
{
	return (uintptr_t)block + (can_ask() ? malloc_usable_size((void *)(uintptr_t)block) : 1);
}

/* Counts what the thread has held back, before memory goes: it was accessed while the memory was there. */
static void blocks_settle(void)
{
	if (__builtin_expect(ompp_self->follow.is_holding, 0))
		ompp_follow_settle(ompp_self);
}

void ompp_access_freed(const void *block)
{
	blocks_settle();
	if (atomic_load_explicit(&ompp_n_ranges, memory_order_relaxed))
		ompp_range_freed((uintptr_t)block, end_of(block));
}

void ompp_access_unmapped(const void *address, size_t n_bytes)
{
	blocks_settle();
	if ((uintptr_t)address + n_bytes > (uintptr_t)address)
		ompp_range_freed((uintptr_t)address, (uintptr_t)address + n_bytes);
}

/* Returns how many of the n usable bytes of a block the program may not have asked for.  The C library rounds to 16
 * bytes, keeps a rest of 16 with the block, and gives whole pages to large ones.  Other allocators have classes of
 * sizes; the sizes in use are at most a quarter apart. */
static size_t slack_of(size_t n_usable)
{
	void (*allocator)(void) = ompp_redirect_static("malloc");

	if (!allocator)
		allocator = (void (*)(void))malloc;
	if (!__libc_malloc || (uintptr_t)allocator != (uintptr_t)__libc_malloc)
		return n_usable / 4 + SMALL_SLACK_BYTES;
	return n_usable >= LEAST_PAGES_BYTES && (n_usable + 16) % PAGE_BYTES == 0 ? PAGE_BYTES + SMALL_SLACK_BYTES
	                                                                          : SMALL_SLACK_BYTES;
}

void ompp_access_unloaded(const void *lo, const void *hi)
{
	uintptr_t program = ompp_auxv(AT_PHDR);

	blocks_settle();
	ompp_access_patch_unloaded((uintptr_t)lo, (uintptr_t)hi);
	if (program < (uintptr_t)lo || program >= (uintptr_t)hi) /* the program itself goes only when it ends */
		ompp_containers_unload((uintptr_t)lo, (uintptr_t)hi);
}

struct ompp_range *ompp_access_moving(const void *block, size_t n_bytes)
{
	uintptr_t lo = (uintptr_t)block, hi;
	struct ompp_range *ranges = NULL;

	blocks_settle();
	if (atomic_load_explicit(&ompp_n_ranges, memory_order_relaxed)) {
		hi = n_bytes ? (lo + n_bytes + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1) : end_of(block);
		ranges = ompp_range_detach(lo, hi, n_bytes ? PAGE_BYTES : slack_of(hi - lo));
	}
	return ranges;
}

void ompp_access_moved(struct ompp_range *ranges, const void *from, const void *to, size_t n_bytes)
{
	ompp_range_attach(ranges, (uintptr_t)from, (uintptr_t)to, to ? n_bytes : 0);
}
