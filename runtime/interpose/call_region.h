/*
 * Call region: regions of files that kinst did not build, known by the calls that they make.
 */
#ifndef OMPP_INTERPOSE_CALL_REGION_H
#define OMPP_INTERPOSE_CALL_REGION_H

#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/core/region.h"
#include "runtime/core/thread.h"
#include "runtime/host/past.h"
#include "runtime/host/redirect.h"

typedef void ompp_call_function(void);

/* The row of a list of redirections for a function; ours is called name_, and calls real_name. */
/* clang-format off */
#define OMPP_CALL_ROW(name) \
	{ #name, (ompp_call_function *)(uintptr_t)name##_, (ompp_call_function **)(void *)&real_##name, OMPP_REDIRECT_UNBUILT }
/* clang-format on */

enum { OMPP_N_RECENT_CALLS = 16 };

/* What this thread met last.  Written and read by it alone. */
struct ompp_call_own {
	const struct ompp_region_def *last;                  /* the construct that it entered, or NULL */
	uint64_t blocks;                                     /* that it is in (ompp_call_block_begin) */
	struct ompp_region_def *recent[OMPP_N_RECENT_CALLS]; /* regions that are measured, or NULL, each at
	                                                        ompp_call_recent() of its address */
};
extern __thread struct ompp_call_own ompp_call_own __attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline struct ompp_region_def **ompp_call_recent(uintptr_t address)
{
	return &ompp_call_own.recent[(address ^ address >> 4) % OMPP_N_RECENT_CALLS];
}

/* Returns the region of a construct whose call returns to this address if the thread met it lately; else NULL. */
static inline __attribute__((always_inline)) struct ompp_region_def *ompp_call_known(enum ompp_construct construct,
                                                                                     uintptr_t address)
{
	struct ompp_region_def *def = OMPP_LOAD(ompp_call_recent(address));

	return __builtin_expect(def && def->address == ompp_past_key(address), 1) && def->construct == construct ? def
	                                                                                                         : NULL;
}

/* Returns the region of a construct whose call returns to this address, or to which ompp_call_body() gives it, which it
 * makes at the first call (COLD; later calls look into a table).  Never NULL: what cannot be measured, for want of
 * memory or room in the table, is a region that is off, and has the key 0; so has what lies in a file that kinst built.
 *
 * lock: the variable whose symbol has the name of a critical section; else NULL */
struct ompp_region_def *ompp_call_find(enum ompp_construct construct, const void *lock, uintptr_t address);
static inline struct ompp_region_def *ompp_call_region(enum ompp_construct construct, const void *lock,
                                                       uintptr_t address)
{
	struct ompp_region_def *def = ompp_call_known(construct, address);

	return __builtin_expect(def != NULL, 1) ? def : ompp_call_find(construct, lock, address);
}

/* The same for a call of a library's function, which gives the region its name. */
struct ompp_region_def *ompp_call_library(enum ompp_construct construct, const char *function,
                                          struct ompp_caller caller);

/* The same for a construct of which the OpenMP library tells us that it begins and ends.
 * address: 0 when the library did not tell it */
struct ompp_region_def *ompp_call_told(enum ompp_construct construct, uintptr_t address);

/* Returns the address for a construct that the compiler made a function of: compilers tell its line better than that of
 * the call, and each copy of the call has the same function. */
static inline uintptr_t ompp_call_body(void (*body)(void *))
{
	return (uintptr_t)body + 1; /* as if it were behind a call */
}

/* Note that a block begins, or ends, in a word of the blocks around it, whose lowest bit is that of the innermost: 1
 * for one that is not measured, whose end must not be taken for that of a block around.  The end returns that.  Beyond
 * 64 blocks in each other the outermost count as measured. */
static inline void ompp_call_block_begin(uint64_t *blocks, int is_off)
{
	*blocks = *blocks << 1 | (is_off != 0);
}
static inline int ompp_call_block_end(uint64_t *blocks)
{
	int is_off = *blocks & 1;

	*blocks >>= 1;
	return is_off;
}

/* Returns the innermost open construct of this thread, in its team or task, of one of two kinds; NULL when there is
 * none.  For calls that end what another call began.
 * stack: set to the stack pointer of the call that began it, for events within the one that ends it: if that is the
 * last thing that its function does, the function's stack is gone; may be NULL */
struct ompp_region_def *ompp_call_open(enum ompp_construct kind, enum ompp_construct or_kind, uintptr_t *stack);

/* Returns the construct that the thread entered last, if it is of this kind, and open, and nothing is open in it but
 * its body; else NULL. */
static inline __attribute__((always_inline)) const struct ompp_region_def *ompp_call_last(enum ompp_construct kind)
{
	const struct ompp_region_def *last = ompp_call_own.last;
	const struct ompp_thread *t = ompp_self;

	return last && last->construct == kind && OMPP_KEY_ID(t->top->key) == OMPP_KEY_ID(last->key) && t->top > t->base
	             ? last
	             : NULL;
}

#endif
