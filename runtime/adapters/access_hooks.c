/*
 * Access: the access hooks that gcc and clang call with -fsanitize=thread.  They replace a sanitizer's runtime.  They
 * are a part of libompp_access.a, which is linked into the program, as a call through the PLT would cost more than the
 * count.
 *
 * A hook is called with the address just before the access.  data/tally.h describes its work; the names and arguments
 * of hooks are defined by the compilers.
 */
#include "runtime/adapters/access_hooks.h"
#include "runtime/adapters/access_copy.h"
#include "runtime/adapters/access_near.h"
#include "runtime/adapters/access_pair.h"
#include "runtime/data/front.h"
#include "runtime/data/grain.h"
#include "runtime/data/sharing.h"
#include "runtime/data/unsampled.h"

/* The library sees only this name of the archive, as it starts before the program's constructors. */
const char ompp_access_linked = 1;

#pragma GCC visibility push(hidden)

extern const char __ehdr_start[] __attribute__((weak)), _end[] __attribute__((weak));

__attribute__((destructor)) static void access_unload(void)
{
	if (__ehdr_start)
		ompp_access_unloaded(__ehdr_start, _end);
}

/* Hands an access to libompp, behind those that wait. */
static __attribute__((noinline)) void count_late(uintptr_t address, unsigned int size, unsigned int slot)
{
	ompp_end_waiting();
	ompp_access_miss(address, size, slot);
}

/* Counts an access by itself when its line is in front, beside which no pages are known. */
static __attribute__((noinline)) void count_in_front(struct ompp_tally *tally, uintptr_t address, unsigned int size,
                                                     unsigned int slot)
{
	const struct ompp_segment *s = tally->n_rows ? ompp_front_find(ompp_access_front, address, size, slot) : NULL;

	if (!s) {
		ompp_access_miss(address, size, slot);
		return;
	}
	if (s->cover != OMPP_FRONT_LOADS)
		tally->way[ompp_way(address)] = s;
	ompp_tally_count(tally, s->row, address, size, slot);
}

/* Counts an access while each is looked at closely: by itself when it is to a page that was just used, where pages are
 * traced.  All calls of this and of what follows are at their ends, so that they save no registers. */
static inline __attribute__((always_inline)) void count_known(struct ompp_tally *tally, uintptr_t address,
                                                              unsigned int size, unsigned int slot)
{
	struct ompp_known *known = ompp_access_known;
	struct ompp_front *front = ompp_access_front;

	__builtin_prefetch((const void *)address); /* for the program's own access, which waits behind this */
	if (__builtin_expect(known != NULL, 1)) {
		if (__builtin_expect(!ompp_known_count(known, tally, address, size, slot), 0))
			count_late(address, size, slot);
	} else if (!front) {
		count_late(address, size, slot);
	} else if (!front->ways || !ompp_unsampled_count(front, front->ways, tally, address, size, slot)) {
		count_in_front(tally, address, size, slot);
	}
}

/* Counts an access whose way leads to a page with OMPP_ROW_PAGE: here where it is to a small block whose row is known,
 * as nodes of lists and trees are, so that sizes and slots are constants.
 * offset: from the segment's begin */
static inline __attribute__((always_inline)) void count_in_page(uintptr_t address, struct ompp_tally *tally,
                                                                const struct ompp_segment *s, uintptr_t offset,
                                                                unsigned int size, unsigned int slot)
{
	const uint32_t *grains = OMPP_READ(&((const struct ompp_grain_segment *)(const void *)s)->grains);
	uint32_t row;

	if (__builtin_expect(offset <= (1u << OMPP_PAGE_BITS) - (1u << size), 1)) {
		row = OMPP_READ(&grains[offset >> OMPP_GRAIN_BITS]) & ~(uint32_t)OMPP_GRAIN_FLAGS;
		if (__builtin_expect(row - 1 < tally->row_end - 1, 1)) {
			ompp_tally_count(tally, row, address, size, slot);
			return;
		}
	}
	ompp_count_in_page(address, tally, s, size, slot);
}

/* Counts an access while shared lines are looked for, and nothing else needs each access. */
static inline __attribute__((always_inline)) void count_in_line(struct ompp_tally *tally, uintptr_t address,
                                                                unsigned int size, unsigned int slot)
{
	if (__builtin_expect(!ompp_sharing_count(ompp_access_sharing, tally, address, size, slot), 0))
		ompp_access_miss(address, size, slot);
}

/* There is one for each size and slot, so that these are constants. */
#define CLOSELY(slot, size) \
	static __attribute__((noinline)) void count_##slot##size(uintptr_t address, struct ompp_tally *tally) \
	{ \
		count_known(tally, address, size, OMPP_SLOT_##slot); \
	} \
	static __attribute__((noinline)) void count_line_##slot##size(uintptr_t address, struct ompp_tally *tally) \
	{ \
		count_in_line(tally, address, size, OMPP_SLOT_##slot); \
	}
#define CLOSELY_ALL(slot) CLOSELY(slot, 0) CLOSELY(slot, 1) CLOSELY(slot, 2) CLOSELY(slot, 3) CLOSELY(slot, 4)
CLOSELY_ALL(LOAD)
CLOSELY_ALL(STORE)

static void (*const closely[2][2][OMPP_SIZES])(uintptr_t address, struct ompp_tally *tally) = {
	{ { count_LOAD0, count_LOAD1, count_LOAD2, count_LOAD3, count_LOAD4 },
	  { count_STORE0, count_STORE1, count_STORE2, count_STORE3, count_STORE4 } },
	{ { count_line_LOAD0, count_line_LOAD1, count_line_LOAD2, count_line_LOAD3, count_line_LOAD4 },
	  { count_line_STORE0, count_line_STORE1, count_line_STORE2, count_line_STORE3, count_line_STORE4 } },
};

static inline __attribute__((always_inline)) void count(const void *p, unsigned int size, unsigned int slot)
{
	uintptr_t address = (uintptr_t)p;
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];
	uintptr_t offset = address - OMPP_READ(&s->lo);

	if (__builtin_expect(offset < OMPP_READ(&s->limit[size]), 1))
		ompp_tally_count(tally, s->row, address, size, slot);
	else if (s->row & OMPP_ROW_PAGE)
		count_in_page(address, tally, s, offset, size, slot);
	else if (tally->row_end)
		ompp_count_far(address, tally, size, slot);
	else if (ompp_access_sharing)
		closely[1][slot == OMPP_SLOT_STORE][size](address, tally);
	else
		closely[0][slot == OMPP_SLOT_STORE][size](address, tally);
}

/* ---- hooks, and their sampling variants ---- */

/* Samples an access, and counts it. */
static __attribute__((noinline, used)) void sample_and_count(const void *p, unsigned int size, unsigned int slot,
                                                             unsigned int how, const void *site)
{
	ompp_access_sample((uintptr_t)p, (size_t)1 << size, how, (uintptr_t)site);
	count(p, size, slot);
}

static inline __attribute__((always_inline)) void count_down(const void *p, unsigned int size, unsigned int slot,
                                                             unsigned int how)
{
	if (__builtin_expect(--ompp_access_countdown < 0, 0))
		sample_and_count(p, size, slot, how, __builtin_return_address(0));
	else
		count(p, size, slot);
}

/* DO(name, what, size class, how); how is 0 or what stands here, a number as assembler reads it. */
#define IS_VOLATILE 8
/* clang-format off */
#define LOADS(DO, bytes, size)                                                                                  \
	DO(__tsan_read##bytes, LOAD, size, 0) DO(__tsan_unaligned_read##bytes, LOAD, size, 0)                   \
	DO(__tsan_volatile_read##bytes, LOAD, size, IS_VOLATILE)                                       \
	DO(__tsan_unaligned_volatile_read##bytes, LOAD, size, IS_VOLATILE)
#define STORES(DO, bytes, size)                                                                                 \
	DO(__tsan_write##bytes, STORE, size, 0) DO(__tsan_unaligned_write##bytes, STORE, size, 0)               \
	DO(__tsan_volatile_write##bytes, STORE, size, IS_VOLATILE)                                     \
	DO(__tsan_unaligned_volatile_write##bytes, STORE, size, IS_VOLATILE)
#define ALL(DO, bytes, size)                                                                                    \
	LOADS(DO, bytes, size) STORES(DO, bytes, size)                                                          \
	DO(__tsan_read_write##bytes, BOTH, size, 0) DO(__tsan_unaligned_read_write##bytes, BOTH, size, 0)
/* The pointer to an object's table of virtual functions is read at a virtual call. */
#define HOOKS(DO)                                                                                               \
	ALL(DO, 1, 0) ALL(DO, 2, 1) ALL(DO, 4, 2) ALL(DO, 8, 3) ALL(DO, 16, 4)                                  \
	DO(__tsan_vptr_read, LOAD, 3, 0)
/* clang-format on */

#define COUNT_LOAD(p, size)  count(p, size, OMPP_SLOT_LOAD);
#define COUNT_STORE(p, size) count(p, size, OMPP_SLOT_STORE);
#define COUNT_BOTH(p, size)  COUNT_LOAD(p, size) COUNT_STORE(p, size)
#define HOOK(name, what, size, how) \
	void OMPP_HOOK(name)(const void *p); \
	void OMPP_HOOK(name)(const void *p) \
	{ \
		COUNT_##what(p, size) \
	}
HOOKS(HOOK)

/* It is written in a constructor. */
void OMPP_HOOK(__tsan_vptr_update)(void *const *p, const void *value);
void OMPP_HOOK(__tsan_vptr_update)(void *const *p, const void *value)
{
	(void)value;
	count(p, 3, OMPP_SLOT_STORE);
}

void OMPP_HOOK(__tsan_read_range)(const void *p, size_t n_bytes);
void OMPP_HOOK(__tsan_read_range)(const void *p, size_t n_bytes)
{
	ompp_access_last_copy.from = (uintptr_t)p;
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_LOAD);
}

void OMPP_HOOK(__tsan_write_range)(const void *p, size_t n_bytes);
void OMPP_HOOK(__tsan_write_range)(const void *p, size_t n_bytes)
{
	ompp_access_last_copy.to = (uintptr_t)p;
	ompp_access_last_copy.n_bytes = n_bytes;
	ompp_access_last_copy.site = (uintptr_t)__builtin_return_address(0);
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_STORE);
}

#ifdef OMPP_ACCESS_PAIRS
#if defined(__x86_64__)
/* The most frequent variants, of one load or store of 1 << size bytes, are written by hand: beside the countdown they
 * take one instruction more than a hook (a compiler makes four).  They do what count_down() does. */
__attribute__((used)) static void count_again(const void *p, unsigned int size, unsigned int slot)
{
	count(p, size, slot);
}

__attribute__((used)) static void access_extend(uintptr_t address, uint64_t *extent, size_t n_bytes)
{
	ompp_tally_extend(address, extent, n_bytes);
}

_Static_assert(offsetof(struct ompp_access_own, tally) == 0 && offsetof(struct ompp_access_own, countdown) == 8, "");
_Static_assert(offsetof(struct ompp_segment, lo) == 0 && offsetof(struct ompp_segment, limit) == 8, "");
_Static_assert(offsetof(struct ompp_segment, row) == 48 && offsetof(struct ompp_tally, way) == 0, "");
_Static_assert(OMPP_SLOT_LOAD == 0 && OMPP_SLOT_STORE == 8 && OMPP_SIZES == 5, "");
_Static_assert(OMPP_ACCESS_LOAD == 1 && OMPP_ACCESS_STORE == 2 && OMPP_ACCESS_VOLATILE == IS_VOLATILE, "");

#define ASM_VARIANT(name, size, slot, how) \
	__asm__(".pushsection .text\n\t" \
	        ".balign 16\n\t" \
	        ".globl ompp_sampled_" #name "\n\t" \
	        ".hidden ompp_sampled_" #name "\n\t" \
	        ".type ompp_sampled_" #name ", @function\n" \
	        "ompp_sampled_" #name ":\n\t" \
	        ".cfi_startproc\n\t" \
	        "movq ompp_access_tally@gottpoff(%rip), %rax\n\t" \
	        "subq $1, %fs:8(%rax)\n\t" \
	        "js 1f\n\t" \
	        "movq %fs:(%rax), %rdx\n\t" \
	        "movq %rdi, %rax\n\t" \
	        "shrq $12, %rax\n\t" \
	        "imull $0x9E3779B1, %eax, %eax\n\t" \
	        "shrl $24, %eax\n\t" \
	        "movq (%rdx,%rax,8), %rax\n\t" /* the segment of this way */ \
	        "movq %rdi, %rcx\n\t" \
	        "subq (%rax), %rcx\n\t" \
	        "cmpq 8+8*" #size "(%rax), %rcx\n\t" \
	        "jae 2f\n\t" \
	        "movl 48(%rax), %eax\n\t" \
	        "addq %rax, %rdx\n\t" /* its row */ \
	        "addq $1, 8*(" #slot "+" #size ")(%rdx)\n\t" \
	        "movq %rdi, %rax\n\t" \
	        "subq 8*(" #slot "+5)(%rdx), %rax\n\t" /* where accesses were */ \
	        "cmpq 8*(" #slot "+6)(%rdx), %rax\n\t" \
	        "jae 3f\n\t" \
	        "ret\n" \
	        "1:\tmovq (%rsp), %r8\n\t" \
	        "movl $" #how ", %ecx\n\t" \
	        "movl $" #slot ", %edx\n\t" \
	        "movl $" #size ", %esi\n\t" \
	        "jmp sample_and_count\n" \
	        "2:\tmovl $" #slot ", %edx\n\t" \
	        "movl $" #size ", %esi\n\t" \
	        "jmp count_again\n" \
	        "3:\tleaq 8*(" #slot "+5)(%rdx), %rsi\n\t" \
	        "movl $1<<" #size ", %edx\n\t" \
	        "jmp access_extend\n\t" \
	        ".cfi_endproc\n\t" \
	        ".size ompp_sampled_" #name ", . - ompp_sampled_" #name "\n\t" \
	        ".popsection");

#define VARIANT_LOAD(name, size, how)  ASM_VARIANT(name, size, 0, 1 + how)
#define VARIANT_STORE(name, size, how) ASM_VARIANT(name, size, 8, 2 + how)
#else
#define C_VARIANT(name, size, slot, how) \
	void ompp_sampled_##name(const void *p); \
	void ompp_sampled_##name(const void *p) \
	{ \
		count_down(p, size, slot, how); \
	}
#define VARIANT_LOAD(name, size, how)  C_VARIANT(name, size, OMPP_SLOT_LOAD, OMPP_ACCESS_LOAD | (how))
#define VARIANT_STORE(name, size, how) C_VARIANT(name, size, OMPP_SLOT_STORE, OMPP_ACCESS_STORE | (how))
#endif
#define VARIANT_BOTH(name, size, how) \
	void ompp_sampled_##name(const void *p); \
	void ompp_sampled_##name(const void *p) \
	{ \
		count_down(p, size, OMPP_SLOT_LOAD, OMPP_ACCESS_LOAD | (how)); \
		count_down(p, size, OMPP_SLOT_STORE, OMPP_ACCESS_STORE | (how)); \
	}
#define VARIANT(name, what, size, how) VARIANT_##what(name, size, how) OMPP_ACCESS_PAIR(name)
HOOKS(VARIANT)

void ompp_sampled___tsan_vptr_update(void *const *p, const void *value);
void ompp_sampled___tsan_vptr_update(void *const *p, const void *value)
{
	(void)value;
	count_down(p, 3, OMPP_SLOT_STORE, OMPP_ACCESS_STORE);
}
OMPP_ACCESS_PAIR(__tsan_vptr_update)

void ompp_sampled___tsan_read_range(const void *p, size_t n_bytes);
void ompp_sampled___tsan_read_range(const void *p, size_t n_bytes)
{
	ompp_sample_block(p, n_bytes, OMPP_ACCESS_LOAD);
	ompp_access_last_copy.from = (uintptr_t)p;
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_LOAD);
}
OMPP_ACCESS_PAIR(__tsan_read_range)

void ompp_sampled___tsan_write_range(const void *p, size_t n_bytes);
void ompp_sampled___tsan_write_range(const void *p, size_t n_bytes)
{
	ompp_sample_block(p, n_bytes, OMPP_ACCESS_STORE);
	ompp_access_last_copy.to = (uintptr_t)p;
	ompp_access_last_copy.n_bytes = n_bytes;
	ompp_access_last_copy.site = (uintptr_t)__builtin_return_address(0);
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_STORE);
}
OMPP_ACCESS_PAIR(__tsan_write_range)

extern const struct ompp_access_pair __start_ompp_access_pairs[] __attribute__((weak)),
	__stop_ompp_access_pairs[] __attribute__((weak));
/* It is in the section of kinst's own statics, which linkers put behind those of the program; so the program's keep
 * their distances to each other. */
static struct ompp_access_module module __attribute__((section(".sbss.kinst")));

static void access_announce(void)
{
	if (module.is_known)
		return;
	module.start = __ehdr_start;
	module.pairs = __start_ompp_access_pairs;
	module.end = __stop_ompp_access_pairs;
	ompp_access_meet_module(&module);
}
#else
static void access_announce(void)
{
}
#endif

/* The constructor of each hooked object calls one of these; kinst chooses the one that says how the object was
 * made. */
#define INIT(name, source) \
	void name(void); \
	void name(void) \
	{ \
		ompp_access_made(source); \
		access_announce(); \
	}

INIT(__tsan_init, 0)
INIT(__tsan_init_gcc, 0)
INIT(__tsan_init_gcc_source, 1)
INIT(__tsan_init_clang, 0)
INIT(__tsan_init_clang_source, 1)

/* These have nothing to do: they are calls of functions, and hints at accesses that cannot race. */
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
