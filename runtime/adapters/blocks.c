/*
 * Blocks: memory that the program frees or moves, as libompp_access.a tells: the names in it end or follow.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdatomic.h>

#include "runtime/adapters/access.h"
#include "runtime/base/auxv.h"
#include "runtime/base/real.h"
#include "runtime/base/relaxed.h"
#include "runtime/core/thread.h"
#include "runtime/data/container.h"
#include "runtime/data/range.h"

enum { PAGE_BYTES = 4096, LEAST_PAGES_BYTES = 1 << 16, SMALL_SLACK_BYTES = 32 };

/* The allocator's own answer, where it is the one that the program uses. */
extern size_t malloc_usable_size(void *block) __attribute__((weak));

/* The C library's own malloc under its second name. */
extern void *__libc_malloc(size_t n_bytes) __attribute__((weak));

/* Is malloc_usable_size() of the allocator: in the library (or program) that malloc() is in?  Else it is the program's own
 * function of this name.  A static program cannot be told apart. */
static int can_ask(void)
{
	static int asked;                       /* 0: not yet; 1: no; 2: yes */
	int known = OMPP_LOAD(&asked);

	if (!known) {
		known = malloc_usable_size && ompp_real_are_together((void *)malloc_usable_size, (void *)malloc) ? 2 : 1;
		OMPP_STORE(&asked, known);
	}
	return known == 2;
}

static uintptr_t end_of(const void *block)
{
	return (uintptr_t)block + (can_ask() ? malloc_usable_size((void *)(uintptr_t)block) : 1);
}

/* Before memory goes: what the thread holds back was accessed while it was there. */
static void settle(void)
{
	if (__builtin_expect(ompp_self->follow.is_holding, 0))
		ompp_follow_settle(ompp_self);
}

void ompp_access_freed(const void *block)
{
	settle();
	if (atomic_load_explicit(&ompp_n_ranges, memory_order_relaxed))
		ompp_range_freed((uintptr_t)block, end_of(block));
}

void ompp_access_unmapped(const void *address, size_t n_bytes)
{
	settle();
	if ((uintptr_t)address + n_bytes > (uintptr_t)address)
		ompp_range_freed((uintptr_t)address, (uintptr_t)address + n_bytes);
}

/* How much more than the program asked for a block of n usable bytes may have.  The C library rounds to 16 bytes, keeps
 * a rest of 16 with the block, and gives whole pages to large ones; other allocators have classes of sizes, of which
 * those in use are at most a quarter apart. */
static size_t slack_of(size_t n_usable)
{
	if (!__libc_malloc || (uintptr_t)malloc != (uintptr_t)__libc_malloc)
		return n_usable / 4 + SMALL_SLACK_BYTES;
	return n_usable >= LEAST_PAGES_BYTES && (n_usable + 16) % PAGE_BYTES == 0 ? PAGE_BYTES + SMALL_SLACK_BYTES :
	       SMALL_SLACK_BYTES;
}

void ompp_access_unloaded(const void *lo, const void *hi)
{
	uintptr_t program = ompp_auxv(AT_PHDR);

	settle();
	if (program < (uintptr_t)lo || program >= (uintptr_t)hi)        /* the program itself goes at its end only */
		ompp_containers_unload((uintptr_t)lo, (uintptr_t)hi);
}

struct ompp_range *ompp_access_moving(const void *block, size_t n_bytes)
{
	uintptr_t lo = (uintptr_t)block, hi;
	struct ompp_range *ranges = NULL;

	settle();
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
