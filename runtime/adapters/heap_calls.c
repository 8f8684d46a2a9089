/*
 * Heap: see heap_calls.h.  The functions here replace those of the C library, or of another allocator of the program.
 * Each calls the real one, and reports the block to memory/heap.h: a new one after the call, an old one before it, as
 * another thread may get the memory at once.
 *
 * A real function may in turn call one of ours (new calls malloc): then the block is already known, and the inner call
 * has the longer call path.
 */
#define _GNU_SOURCE
#include "runtime/adapters/heap_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/access/access.h"
#include "runtime/access/emulated.h"
#include "runtime/adapters/watched.h"
#include "runtime/base/array.h"
#include "runtime/base/relaxed.h"
#include "runtime/core/section.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/data/site.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/past.h"
#include "runtime/host/real.h"
#include "runtime/host/redirect.h"
#include "runtime/interpose/jump_calls.h"
#include "runtime/interpose/mpi_calls.h"
#include "runtime/interpose/thread_calls.h"
#include "runtime/memory/heap.h"
#include "runtime/program/callstack.h"
#include "runtime/program/openmp.h"
#include "runtime/program/templates.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

typedef void function(void);

/* How many more calls look whether something was loaded; dlopen() may be on its way still, or have failed. */
extern int ompp_heap_loads __attribute__((visibility("hidden")));
static void look_for_loads(void);

/* Our functions are in a section of their own, by which they are left out of call paths. */
#define OURS __attribute__((section("ompp_heap_calls"), noinline))
extern const char __start_ompp_heap_calls[] __attribute__((visibility("hidden"))),
	__stop_ompp_heap_calls[] __attribute__((visibility("hidden")));

/* 1 where nobody can tell the OpenMP library's calls from the program's, as a static program has no names.  A path is
 * one call there, as it must not depend on the thread. */
static int paths_are_short;

/* 1 where malloc() is the C library's own, which has a word of its own behind each block.  In a static program it
 * cannot be told from another one. */
static int malloc_has_words;

/* This is the second name of the C library's malloc. */
extern void *__libc_malloc(size_t n_bytes) __attribute__((weak));

static int is_ours(uintptr_t address)
{
	return address - (uintptr_t)__start_ompp_heap_calls <=
	       (uintptr_t)__stop_ompp_heap_calls - (uintptr_t)__start_ompp_heap_calls;
}

/* 1 while the thread is in one of OpenMP's allocating functions: the block is what that returns, and not what it gets
 * from others for it. */
static __thread int in_allocator __attribute__((tls_model("initial-exec")));

/* Tells of a block that the caller of the present function has got.  A path ends where the OpenMP library calls the
 * part of a parallel region or a task: this is one place of the program, whichever thread is there. */
typedef void teller(const void *p, size_t n_bytes, const struct ompp_heap_call *call);
static void heap_begin(teller *tell, const void *p, size_t n_bytes, struct ompp_heap_call *call, uintptr_t *callers,
                       uintptr_t site)
{
	uintptr_t wanted = ompp_access_caller ? ompp_access_caller : site;
	size_t first = 0, n = 0, i;

	if (__builtin_expect(OMPP_LOAD(&ompp_heap_loads) > 0, 0))
		look_for_loads();
	if (__builtin_expect(in_allocator, 0))
		return;

	/* what leads from the program's call to us is none of its path */
	while (first < call->n_callers && callers[first] != wanted)
		first++;
	for (i = first;
	     i < call->n_callers && !(n && ompp_openmp_holds(callers[i]) && !ompp_openmp_holds(callers[n - 1])); i++)
		if (!is_ours(callers[i]))
			callers[n++] = callers[i];
	if (!n)
		callers[n++] = wanted;
	call->callers = callers;
	call->n_callers = n;
	tell(p, n_bytes, call);
	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & OMPP_MODE_EMULATED, 0))
		ompp_emulated_settle(ompp_self);
}

/* Returns whether more callers are wanted, as all of these are in templates of the C++ library, but for the first two,
 * which may be the ones that pass the call on. */
static inline int wants_more(const uintptr_t *callers, size_t n)
{
	if (n < OMPP_SITE_CALLERS)
		return 0;
	while (n > 2 && ompp_templates_hold(callers[n - 1] - 1))
		n--;
	return n == 2;
}

/* Returns how many of the callers make the path: up to the first one outside of templates, and two more. */
static size_t cut_path(const uintptr_t *callers, size_t n)
{
	size_t i = OMPP_SITE_CALLERS;

	while (i < n && ompp_templates_hold(callers[i] - 1))
		i++;
	return i + 3 < n ? i + 3 : n;
}

#define TELL(tell, p, n_bytes, handle, words) \
	do { \
		uintptr_t callers_[OMPP_SITE_MOST_CALLERS]; \
		uintptr_t stack_hi_ = ompp_heap_stack(); \
		struct ompp_heap_call call_ = { .allocator = (handle), .has_words = (words) }; \
		if (stack_hi_ && !paths_are_short) \
			call_.n_callers = ompp_callstack_here(stack_hi_, callers_, OMPP_SITE_CALLERS); \
		if (__builtin_expect(wants_more(callers_, call_.n_callers), 0)) \
			call_.n_callers = cut_path(callers_, \
			                           ompp_callstack_here(stack_hi_, callers_, OMPP_SITE_MOST_CALLERS)); \
		heap_begin((tell), (p), (n_bytes), &call_, callers_, (uintptr_t)__builtin_return_address(0)); \
	} while (0)
#define BEGIN(p, n_bytes) TELL(ompp_heap_begin, p, n_bytes, 0, malloc_has_words)

/* Declares the pointer to a real function, `real_name`, and our function. */
#define STANDS_FOR(result, name, ...) \
	static result (*real_##name)(__VA_ARGS__); \
	OURS static result name##_(__VA_ARGS__)

/* The result of a call of the allocator (malloc_has_words): what it accesses is not the program's.  A signal handler
 * may leave it by a jump, so the last call of several that are open ends all. */
#define ALLOCATING(call) \
	({ \
		__auto_type result_ = (ompp_emulated_allocating = malloc_has_words, call); \
		ompp_emulated_allocating = 0; \
		result_; \
	})

STANDS_FOR(void *, malloc, size_t n)
{
	void *p = ALLOCATING(real_malloc(n));

	if (p)
		BEGIN(p, n);
	return p;
}

STANDS_FOR(void *, calloc, size_t n, size_t size)
{
	void *p = ALLOCATING(real_calloc(n, size));

	if (p)
		BEGIN(p, n * size);
	return p;
}

STANDS_FOR(void *, realloc, void *p, size_t n)
{
	struct ompp_block block = { .site = OMPP_NO_SITE };
	void *now;

	if (p)
		block = ompp_heap_end(p);
	now = ALLOCATING(real_realloc(p, n));
	if (now)
		BEGIN(now, n);
	else if (n)
		ompp_heap_keep(p, block);
	return now;
}

STANDS_FOR(void, free, void *p)
{
	if (p)
		ompp_heap_end(p);
	ompp_emulated_allocating = malloc_has_words;
	real_free(p);
	ompp_emulated_allocating = 0;
}

STANDS_FOR(void *, aligned_alloc, size_t alignment, size_t n)
{
	void *p = ALLOCATING(real_aligned_alloc(alignment, n));

	if (p)
		BEGIN(p, n);
	return p;
}

STANDS_FOR(void *, memalign, size_t alignment, size_t n)
{
	void *p = ALLOCATING(real_memalign(alignment, n));

	if (p)
		BEGIN(p, n);
	return p;
}

STANDS_FOR(int, posix_memalign, void **p, size_t alignment, size_t n)
{
	int rc = ALLOCATING(real_posix_memalign(p, alignment, n));

	if (!rc && *p)
		BEGIN(*p, n);
	return rc;
}

STANDS_FOR(void *, valloc, size_t n)
{
	void *p = ALLOCATING(real_valloc(n));

	if (p)
		BEGIN(p, n);
	return p;
}

STANDS_FOR(void *, pvalloc, size_t n)
{
	void *p = ALLOCATING(real_pvalloc(n));

	if (p)
		BEGIN(p, n);
	return p;
}

/* ---- C++: the operators new and delete by their names in object files ---- */

/* Those of the C++ library call malloc(), which has told of the block; those of other allocators do not. */
#define NEW(name, declared, passed) \
	static void *(*real_##name)declared; \
	OURS static void *name##_ declared \
	{ \
		void *p = real_##name passed; \
		if (p && !ompp_block_at((uintptr_t)p).site) \
			TELL(ompp_heap_begin, p, n, 0, 0); \
		return p; \
	}
#define DELETE(name, declared, passed) \
	static void(*real_##name) declared; \
	OURS static void name##_ declared \
	{ \
		if (p) \
			ompp_heap_end(p); \
		real_##name passed; \
	}

NEW(_Znwm, (size_t n), (n))
NEW(_Znam, (size_t n), (n))
NEW(_ZnwmRKSt9nothrow_t, (size_t n, const void *tag), (n, tag))
NEW(_ZnamRKSt9nothrow_t, (size_t n, const void *tag), (n, tag))
NEW(_ZnwmSt11align_val_t, (size_t n, size_t alignment), (n, alignment))
NEW(_ZnamSt11align_val_t, (size_t n, size_t alignment), (n, alignment))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t n, size_t alignment, const void *tag), (n, alignment, tag))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t n, size_t alignment, const void *tag), (n, alignment, tag))
DELETE(_ZdlPv, (void *p), (p))
DELETE(_ZdaPv, (void *p), (p))
DELETE(_ZdlPvm, (void *p, size_t n), (p, n))
DELETE(_ZdaPvm, (void *p, size_t n), (p, n))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *tag), (p, tag))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *tag), (p, tag))
DELETE(_ZdlPvSt11align_val_t, (void *p, size_t alignment), (p, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *p, size_t alignment), (p, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n, size_t alignment), (p, n, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n, size_t alignment), (p, n, alignment))

/* ---- OpenMP ---- */

STANDS_FOR(uintptr_t, omp_get_default_allocator, void)
{
	return real_omp_get_default_allocator();
}

/* Returns the allocator that a handle means: 0 is the default one. */
static uintptr_t heap_meant(uintptr_t allocator)
{
	return allocator || !real_omp_get_default_allocator ? allocator : real_omp_get_default_allocator();
}

/* A function that allocates, by the names of its parameters, and those that compilers call for directives. */
#define ALLOCATES(name, declared, passed, n_bytes) \
	STANDS_FOR(void *, name, declared) \
	{ \
		void *p; \
		in_allocator++; \
		p = real_##name(passed); \
		in_allocator--; \
		if (p) \
			TELL(ompp_heap_begin, p, n_bytes, heap_meant(allocator), 0); \
		return p; \
	}
#define FREES(name, declared, passed) \
	STANDS_FOR(void, name, declared) \
	{ \
		if (p) \
			ompp_heap_end(p); \
		real_##name(passed); \
	}
#define LIST(...) __VA_ARGS__

ALLOCATES(omp_alloc, LIST(size_t n, uintptr_t allocator), LIST(n, allocator), n)
ALLOCATES(omp_aligned_alloc, LIST(size_t alignment, size_t n, uintptr_t allocator), LIST(alignment, n, allocator), n)
ALLOCATES(omp_calloc, LIST(size_t n, size_t size, uintptr_t allocator), LIST(n, size, allocator), n *size)
ALLOCATES(omp_aligned_calloc, LIST(size_t alignment, size_t n, size_t size, uintptr_t allocator),
          LIST(alignment, n, size, allocator), n *size)
ALLOCATES(GOMP_alloc, LIST(size_t alignment, size_t n, uintptr_t allocator), LIST(alignment, n, allocator), n)
ALLOCATES(__kmpc_alloc, LIST(int thread, size_t n, uintptr_t allocator), LIST(thread, n, allocator), n)
FREES(omp_free, LIST(void *p, uintptr_t allocator), LIST(p, allocator))
FREES(GOMP_free, LIST(void *p, uintptr_t allocator), LIST(p, allocator))
FREES(__kmpc_free, LIST(int thread, void *p, uintptr_t allocator), LIST(thread, p, allocator))

STANDS_FOR(void *, omp_realloc, void *p, size_t n, uintptr_t allocator, uintptr_t free_allocator)
{
	struct ompp_block block = { .site = OMPP_NO_SITE };
	void *now;

	if (p)
		block = ompp_heap_end(p);
	in_allocator++;
	now = real_omp_realloc(p, n, allocator, free_allocator);
	in_allocator--;
	if (now)
		TELL(ompp_heap_begin, now, n, heap_meant(allocator), 0);
	else if (n)
		ompp_heap_keep(p, block);
	return now;
}

/* ---- mappings ---- */

STANDS_FOR(void *, mmap, void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	void *p = real_mmap(at, n, protection, flags, fd, offset);

	ompp_watched_mapped(p, n, flags);
	if (p != MAP_FAILED)
		TELL(ompp_heap_map, p, n, 0, 0);
	return p;
}

STANDS_FOR(void *, mmap64, void *at, size_t n, int protection, int flags, int fd, off64_t offset)
{
	void *p = real_mmap64(at, n, protection, flags, fd, offset);

	ompp_watched_mapped(p, n, flags);
	if (p != MAP_FAILED)
		TELL(ompp_heap_map, p, n, 0, 0);
	return p;
}

STANDS_FOR(int, munmap, void *p, size_t n)
{
	struct ompp_mapped *cut = ompp_heap_unmap(p, n);
	int rc = real_munmap(p, n);

	ompp_heap_unmapped(cut, rc != 0);
	return rc;
}

/* What shrinks where it is keeps its site, as what is left of it after munmap() does; what moves or grows has that of
 * the call, as with realloc(). */
static void *(*real_mremap)(void *p, size_t n_old, size_t n, int flags, ...);
OURS static void *mremap_(void *p, size_t n_old, size_t n, int flags, ...)
{
	int shrinks = n < n_old && !(flags & MREMAP_FIXED);
	struct ompp_mapped *cut = NULL;
	void *to = NULL, *now;
	va_list more;

	if (!n)
		; /* it will fail */
	else if (shrinks)
		cut = ompp_heap_unmap_end(p, n_old, n);
	else if (n_old && !(flags & MREMAP_DONTUNMAP)) /* 0 makes a second mapping */
		cut = ompp_heap_unmap(p, n_old);
	if (flags & MREMAP_FIXED) {
		va_start(more, flags);
		to = va_arg(more, void *);
		va_end(more);
	}
	now = flags & MREMAP_FIXED ? real_mremap(p, n_old, n, flags, to) : real_mremap(p, n_old, n, flags);
	ompp_heap_unmapped(cut, now == MAP_FAILED);
	if (now != MAP_FAILED && !shrinks)
		TELL(ompp_heap_map, now, n, 0, 0);
	return now;
}

/* ---- libraries that are loaded later ---- */

/* dlopen() and dlsym() look from where they are called, so our stand-ins jump to them and are no callers.  What
 * dlopen() loads is seen at one of the next calls for memory, or of dlsym(). */
#if defined(__x86_64__)
#define LOADS \
	"\tmovl $64, ompp_heap_loads(%rip)\n" \
	"\tjmp *ompp_heap_real_dlopen(%rip)\n"
#define LOOKS(real) \
	"\tpush %rdi\n\t.cfi_adjust_cfa_offset 8\n" \
	"\tpush %rsi\n\t.cfi_adjust_cfa_offset 8\n" \
	"\tpush %rdx\n\t.cfi_adjust_cfa_offset 8\n" \
	"\tcall ompp_heap_look\n" \
	"\tpop %rdx\n\t.cfi_adjust_cfa_offset -8\n" \
	"\tpop %rsi\n\t.cfi_adjust_cfa_offset -8\n" \
	"\tpop %rdi\n\t.cfi_adjust_cfa_offset -8\n" \
	"\ttest %rax, %rax\n" \
	"\tjne 1f\n" \
	"\tjmp *" #real "(%rip)\n" \
	"1:\tret\n"
#elif defined(__aarch64__)
#define LOADS \
	"\thint #34\n" /* bti c: words of the program lead here */ \
	"\tadrp x16, ompp_heap_loads\n" \
	"\tmov w17, #64\n" \
	"\tstr w17, [x16, #:lo12:ompp_heap_loads]\n" \
	"\tadrp x16, ompp_heap_real_dlopen\n" \
	"\tldr x16, [x16, #:lo12:ompp_heap_real_dlopen]\n" \
	"\tbr x16\n"
#define LOOKS(real) \
	"\thint #34\n" \
	"\tstp x0, x1, [sp, #-32]!\n\t.cfi_adjust_cfa_offset 32\n" \
	"\tstp x2, x30, [sp, #16]\n\t.cfi_rel_offset x30, 24\n" \
	"\tbl ompp_heap_look\n" \
	"\tmov x16, x0\n" \
	"\tldp x2, x30, [sp, #16]\n\t.cfi_restore x30\n" \
	"\tldp x0, x1, [sp], #32\n\t.cfi_adjust_cfa_offset -32\n" \
	"\tcbnz x16, 1f\n" \
	"\tadrp x16, " #real "\n" \
	"\tldr x16, [x16, #:lo12:" #real "]\n" \
	"\tbr x16\n" \
	"1:\tmov x0, x16\n" \
	"\tret\n"
#endif

extern function *ompp_heap_real_dlopen __attribute__((visibility("hidden")));
extern function *ompp_heap_real_dlsym __attribute__((visibility("hidden")));
extern function *ompp_heap_real_dlvsym __attribute__((visibility("hidden")));
int ompp_heap_loads;
function *ompp_heap_real_dlopen, *ompp_heap_real_dlsym, *ompp_heap_real_dlvsym;

#ifdef LOADS
function *ompp_heap_look(void *handle, const char *name) __attribute__((visibility("hidden")));

#define JUMPER(name, text) \
	void name(void) __attribute__((visibility("hidden"))); \
	__asm__("\t.text\n" \
	        "\t.globl " #name "\n" \
	        "\t.hidden " #name "\n" \
	        "\t.type " #name ", %function\n" #name ":\n" \
	        "\t.cfi_startproc\n" text "\t.cfi_endproc\n" \
	        "\t.size " #name ", . - " #name "\n")

JUMPER(ompp_heap_dlopen, LOADS);
JUMPER(ompp_heap_dlsym, LOOKS(ompp_heap_real_dlsym));
JUMPER(ompp_heap_dlvsym, LOOKS(ompp_heap_real_dlvsym));
#endif

static uint32_t n_unloads;

/* A program may get it by dlsym(). */
STANDS_FOR(int, dlclose, void *handle)
{
	int rc;

	ompp_past_note();
	rc = real_dlclose(handle);
	ompp_past_note();
	__atomic_fetch_add(&n_unloads, 1, __ATOMIC_RELAXED);
	if (ompp_heap_on)
		ompp_sections_look();
	return rc;
}

#ifdef __x86_64__

/* A thread gets its own variables of such a library when it uses them for the first time.  Code that finds them by
 * another function (TLSDESC, as on 64-bit ARM) is not met. */
struct tls_index {
	unsigned long module, offset;
};

enum { MOST_MODULES = 256 };

/* Those whose variables have names in this thread, a bit each, as of so many unloads. */
static __thread struct {
	uint64_t named[MOST_MODULES / 64];
	uint32_t n_unloads;
} modules __attribute__((tls_model("initial-exec")));

static __attribute__((noinline)) void name_own(unsigned long module)
{
	uint32_t now = OMPP_LOAD(&n_unloads);

	if (modules.n_unloads != now) { /* a library that is loaded later may have the number of one that is gone */
		memset(modules.named, 0, sizeof(modules.named));
		modules.n_unloads = now;
	}
	modules.named[module / 64] |= (uint64_t)1 << module % 64;
	if (!ompp_thread_name_own())
		modules.named[module / 64] &= ~((uint64_t)1 << module % 64);
}

/* Compilers have called the real one with stacks that are not aligned. */
static void *(*real___tls_get_addr)(struct tls_index *at);
OURS __attribute__((force_align_arg_pointer)) static void *__tls_get_addr_(struct tls_index *at)
{
	void *p = real___tls_get_addr(at);

	if (at->module < MOST_MODULES &&
	    (!(modules.named[at->module / 64] >> at->module % 64 & 1) || modules.n_unloads != OMPP_LOAD(&n_unloads)))
		name_own(at->module);
	return p;
}

#endif

/* ---- the start ---- */

/* clang-format off */
#define ROW(name)            { #name, (function *)(uintptr_t)name##_, (function **)(void *)&real_##name, 0 }
#define ALLOCATORS_ROW(name) { #name, (function *)(uintptr_t)name##_, (function **)(void *)&real_##name, 1 }
/* clang-format on */

static const struct ompp_redirection redirections[] = {
	ROW(malloc),
	ROW(calloc),
	ROW(realloc),
	ROW(free),
	ROW(aligned_alloc),
	ROW(memalign),
	ROW(posix_memalign),
	ROW(valloc),
	ROW(pvalloc),
	ROW(_Znwm),
	ROW(_Znam),
	ROW(_ZnwmRKSt9nothrow_t),
	ROW(_ZnamRKSt9nothrow_t),
	ROW(_ZnwmSt11align_val_t),
	ROW(_ZnamSt11align_val_t),
	ROW(_ZnwmSt11align_val_tRKSt9nothrow_t),
	ROW(_ZnamSt11align_val_tRKSt9nothrow_t),
	ROW(_ZdlPv),
	ROW(_ZdaPv),
	ROW(_ZdlPvm),
	ROW(_ZdaPvm),
	ROW(_ZdlPvRKSt9nothrow_t),
	ROW(_ZdaPvRKSt9nothrow_t),
	ROW(_ZdlPvSt11align_val_t),
	ROW(_ZdaPvSt11align_val_t),
	ROW(_ZdlPvmSt11align_val_t),
	ROW(_ZdaPvmSt11align_val_t),
	ROW(omp_get_default_allocator),
	ROW(omp_alloc),
	ROW(omp_aligned_alloc),
	ROW(omp_calloc),
	ROW(omp_aligned_calloc),
	ROW(omp_realloc),
	ROW(omp_free),
	ROW(GOMP_alloc),
	ROW(GOMP_free),
	ROW(__kmpc_alloc),
	ROW(__kmpc_free),
	ALLOCATORS_ROW(mmap),
	ALLOCATORS_ROW(mmap64),
	ALLOCATORS_ROW(munmap),
	ALLOCATORS_ROW(mremap),
};

/* What loads and unloads files, and what leads to that; also where blocks of memory are not asked for. */
static const struct ompp_redirection loading[] = {
	ROW(dlclose),
#ifdef LOADS
	{ "dlopen", ompp_heap_dlopen, &ompp_heap_real_dlopen, 0 },
	{ "dlsym", ompp_heap_dlsym, &ompp_heap_real_dlsym, 0 },
	{ "dlvsym", ompp_heap_dlvsym, &ompp_heap_real_dlvsym, 0 },
#endif
};

/* For libraries that are loaded later, besides. */
static const struct ompp_redirection later[] = {
#ifdef __x86_64__
	ROW(__tls_get_addr),
#endif
};

static int count_loads(struct dl_phdr_info *info, size_t size, void *n)
{
	(void)size;
	*(unsigned long long *)n = info->dlpi_adds;
	return 1;
}

static void look_for_loads(void)
{
	static _Atomic(unsigned long long) n_known;
	static _Atomic int is_later;
	unsigned long long n = 0;

	__atomic_fetch_sub(&ompp_heap_loads, 1, __ATOMIC_RELAXED);
	ompp_real_each(count_loads, &n);
	if (atomic_exchange(&n_known, n) == n)
		return;
	ompp_past_note();
	ompp_callstack_forget();
	if (ompp_heap_on && !atomic_exchange(&is_later, 1))
		ompp_redirect_add(later, OMPP_COUNT_OF(later));
	ompp_mpi_calls_look();
	ompp_redirect_all();
	ompp_thread_calls_look();
	if (!ompp_heap_on)
		return;
	ompp_templates_look();
	ompp_sections_look();
}

#ifdef LOADS
/* Is the function the C library's own?  Then nobody stands before it. */
static int is_of_c_library(function *f)
{
	static const char *const names[] = { "libc.", "libc-", "libdl.", "libdl-" };
	const struct ompp_past_file *file = ompp_past_file(ompp_past_meet((uintptr_t)f));
	const char *name = file ? strrchr(file->path, '/') : NULL;

	for (size_t i = 0; name && i < OMPP_COUNT_OF(names); i++)
		if (!strncmp(name + 1, names[i], strlen(names[i])))
			return 1;
	return 0;
}

/* Is called before dlsym() and dlvsym().  Returns our function when the program asks for one that loads or unloads
 * files, and would get the one that its own calls lead to; else NULL.  What is next behind the caller is known where
 * the first of all is the C library's; a function of that name that stands before it asks for the next one itself, and
 * must not get ours, which leads to it. */
function *ompp_heap_look(void *handle, const char *name)
{
	function *(*find)(void *handle, const char *name) = (function * (*)(void *, const char *)) ompp_heap_real_dlsym;

	if (OMPP_LOAD(&ompp_heap_loads) > 0)
		look_for_loads();
	for (size_t i = 0; find && name && i < OMPP_COUNT_OF(loading); i++) {
		function *found;

		if (strcmp(name, loading[i].name))
			continue;
		found = find(handle == RTLD_NEXT ? RTLD_DEFAULT : handle, name);
		if (found && handle == RTLD_NEXT && !is_of_c_library(found))
			return NULL;
		if (found && !*loading[i].real)
			*loading[i].real = found;
		return found && found == *loading[i].real ? loading[i].to : NULL;
	}
	return NULL;
}
#endif

void ompp_heap_watch_loads(void)
{
	static _Atomic int is_watched;

	if (!atomic_exchange(&is_watched, 1))
		ompp_redirect(loading, OMPP_COUNT_OF(loading));
}

void ompp_heap_watch(void)
{
	int rc;

	if (ompp_heap_on || strcmp(ompp_session.options.text[OMPP_OPT_SAMPLE], "off") || !ompp_loaded_is_linked())
		ompp_heap_watch_loads();
	if (ompp_heap_on) {
		ompp_openmp_find();
		ompp_templates_look();
		paths_are_short = ompp_redirect_static("malloc") && !ompp_openmp_is_known();
		rc = ompp_redirect(redirections, OMPP_COUNT_OF(redirections));
		if (rc <= 0)
			ompp_note_say(rc == -ENOSYS
			                      ? "OMPP_OBJECTS=all: blocks of memory are not named: on this "
			                        "architecture calls of libraries are not seen; name arrays "
			                        "with inst data"
			                      : "OMPP_OBJECTS=all: blocks of memory are not named: the program has "
			                        "an allocator of its own in it; name arrays with inst data");
	}
	malloc_has_words = __libc_malloc && real_malloc == __libc_malloc;
	ompp_jump_calls_watch();
}
