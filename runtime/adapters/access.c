/*
 * Access: the access hooks that gcc and clang call with -fsanitize=thread, our own instead of a sanitizer's runtime.
 * Part of libompp_access.a, which belongs to the program: a call through the PLT would cost more than the count.
 *
 * A hook is called just before its access, with the address.  What it does is in data/tally.h; names and arguments are the
 * compilers'.
 */
#include "runtime/adapters/access.h"
#include "runtime/adapters/access_copy.h"

/* The one name that the library sees of this: it starts before the program's constructors. */
const char ompp_access_linked = 1;

#pragma GCC visibility push(hidden)

extern const char __ehdr_start[] __attribute__((weak)), _end[] __attribute__((weak));

__attribute__((destructor)) static void unload(void)
{
	if (__ehdr_start)
		ompp_access_unloaded(__ehdr_start, _end);
}


static inline int fits(const struct ompp_segment *s, uintptr_t address, unsigned int size)
{
	return address - OMPP_READ(&s->lo) < OMPP_LOAD(&s->limit[size]);
}

/* No way fits: a page that is new or that shares its way with another, or one with many objects. */
static __attribute__((noinline)) void count_far(struct ompp_tally *tally, uintptr_t address, unsigned int size,
                                                unsigned int slot)
{
	uintptr_t page = ompp_page_of(address);
	const struct ompp_list *list;
	unsigned int offset, i;
	uint32_t row;

	if (!(page & 1)) {
		const struct ompp_segment *s = (const struct ompp_segment *)page;

		if (__builtin_expect(s && fits(s, address, size) && s->row < tally->row_end, 1)) {
			ompp_tally_count(tally, s->row, address, size, slot);
			tally->way[ompp_way(address)] = s;
			return;
		}
		ompp_access_miss(address, size, slot);
		return;
	}
	list = (const struct ompp_list *)(page & ~(uintptr_t)OMPP_PAGE_TAGS);
	offset = (unsigned int)(address & ((1 << OMPP_PAGE_BITS) - 1));
	if (__builtin_expect(!(page & 2), 1)) {
		i = ompp_list_find(list, offset);
		row = OMPP_LOAD(&list->row[i]);
		/* the next one's start, or far beyond: then the end of the page, where the segment may go on */
		if (__builtin_expect(offset + (1u << size) <= (unsigned int)list->start[i + 1] &&
		                     offset + (1u << size) <= 1u << OMPP_PAGE_BITS && row < tally->row_end, 1)) {
			ompp_tally_count(tally, row, address, size, slot);
			/* Not each time: where accesses jump between many objects, ways are of no use. */
			if (!(++tally->n_misses & 7)) {
				const struct ompp_segment *s = OMPP_LOAD(&list->entry[i].segment);

				/* the list may have become another one since: a way's row has room in any case */
				if (s && s->row == row)
					tally->way[ompp_way(address)] = s;
			}
			return;
		}
	}
	ompp_access_miss(address, size, slot);
}

static inline __attribute__((always_inline)) void count(const void *p, unsigned int size, unsigned int slot)
{
	uintptr_t address = (uintptr_t)p;
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];

	if (__builtin_expect(fits(s, address, size), 1))
		ompp_tally_count(tally, s->row, address, size, slot);
	else if (tally->row_end)
		count_far(tally, address, size, slot);
	else
		ompp_access_miss(address, size, slot);
}

#define LOAD(name, size)  void name(const void *p); void name(const void *p) { count(p, size, OMPP_SLOT_LOAD); }
#define STORE(name, size) void name(const void *p); void name(const void *p) { count(p, size, OMPP_SLOT_STORE); }
#define BOTH(name, size)                                \
	void name(const void *p);                       \
	void name(const void *p)                        \
	{                                               \
		count(p, size, OMPP_SLOT_LOAD);         \
		count(p, size, OMPP_SLOT_STORE);        \
	}

/* bytes, size class */
#define SIZES(DO) DO(1, 0) DO(2, 1) DO(4, 2) DO(8, 3) DO(16, 4)

#define ALL(bytes, size)                                                                                        \
	LOAD(__tsan_read##bytes, size) LOAD(__tsan_unaligned_read##bytes, size)                                 \
	LOAD(__tsan_volatile_read##bytes, size) LOAD(__tsan_unaligned_volatile_read##bytes, size)               \
	STORE(__tsan_write##bytes, size) STORE(__tsan_unaligned_write##bytes, size)                             \
	STORE(__tsan_volatile_write##bytes, size) STORE(__tsan_unaligned_volatile_write##bytes, size)           \
	BOTH(__tsan_read_write##bytes, size) BOTH(__tsan_unaligned_read_write##bytes, size)

SIZES(ALL)

/* The pointer to an object's table of virtual functions: read at a virtual call, written in a constructor. */
LOAD(__tsan_vptr_read, 3)

void __tsan_vptr_update(void *const *p, const void *value);
void __tsan_vptr_update(void *const *p, const void *value)
{
	(void)value;
	count(p, 3, OMPP_SLOT_STORE);
}

void __tsan_read_range(const void *p, size_t n_bytes);
void __tsan_read_range(const void *p, size_t n_bytes)
{
	ompp_access_last_copy.from = (uintptr_t)p;
	ompp_access_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_LOAD);
}

void __tsan_write_range(const void *p, size_t n_bytes);
void __tsan_write_range(const void *p, size_t n_bytes)
{
	ompp_access_last_copy.to = (uintptr_t)p;
	ompp_access_last_copy.n_bytes = n_bytes;
	ompp_access_last_copy.site = (uintptr_t)__builtin_return_address(0);
	ompp_access_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_STORE);
}

/* Called by the constructor of each hooked object, which kinst lets say how the object was made. */
#define INIT(name, source)                              \
	void name(void);                                \
	void name(void) { ompp_access_made(source); }

INIT(__tsan_init, 0)
INIT(__tsan_init_gcc, 0)
INIT(__tsan_init_gcc_source, 1)
INIT(__tsan_init_clang, 0)
INIT(__tsan_init_clang_source, 1)

/* Nothing to do: calls of functions, and hints at accesses that cannot race. */
void __tsan_func_entry(const void *caller);
void __tsan_func_entry(const void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_begin(void)
{
}

void __tsan_ignore_thread_end(void);
void __tsan_ignore_thread_end(void)
{
}

#pragma GCC visibility pop
