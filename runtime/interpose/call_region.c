/*
 * Call region: see call_region.h.
 */
#include "runtime/interpose/call_region.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/text.h"
#include "runtime/core/thread.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/past.h"
#include "runtime/host/redirect.h"
#include "runtime/host/stack.h"
#include "runtime/interpose/mpi_library.h"
#include "runtime/memory/heap.h"
#include "runtime/program/address_symbol.h"
#include "runtime/program/callstack.h"
#include "runtime/program/templates.h"
#include "runtime/session/addresses.h"
#include "runtime/session/register.h"

enum {
	N_ADDRESSES = 16384,
	NAME_BYTES = 512,
	MOST_CALLERS = 32,
	FEW_CALLERS = 3,      /* MPI's functions for Fortran lie up to two above each other */
	CONSTRUCT_SHIFT = 50, /* above the addresses of programs, below the number in a key (host/past.h) */
	LAST_SHIFT = OMPP_PAST_NUMBER_SHIFT - 1
};
_Static_assert(OMPP_N_CONSTRUCTS <= 1 << (LAST_SHIFT - CONSTRUCT_SHIFT), "constructs in a word");

__thread struct ompp_call_own ompp_call_own __attribute__((tls_model("initial-exec")));

/* The regions, by the key of the address and the construct. */
static struct ompp_addresses regions = { .n = N_ADDRESSES };
static struct ompp_region_def nothing = { .off = 1 };

/* Stands for calls by functions that the program called for them: in which threads wait, in functions of the C++
 * library's headers that were not inlined; of MPI, in its functions for Fortran.  Their place is that of the caller
 * outside of them. */
static struct ompp_region_def inner = { .off = 1 };

/* What ompp_stack_call() passes on: what the call says, and the region that it gets. */
struct definition {
	enum ompp_construct construct;
	const void *lock;
	const char *function; /* of a library, which is called; else NULL */
	uintptr_t address, key;
	uint32_t is_told;
	int is_last; /* it is no `inner` */
	struct ompp_region_def *def;
};

/* Says by which means the construct is measured. */
static void call_say(enum ompp_construct construct, uint32_t is_told)
{
	static const char told[] =
		"files that kinst did not build: their constructs are known by what LLVM's OpenMP library tells; not "
		"seen: combined constructs (each is its parts), names of critical sections, each of the sections, "
		"taskyield, target, atomics of the processor";
	static const char openmp[] =
		"files that kinst did not build: their constructs are known by the calls that GCC has them "
		"make; not seen: loops with a static schedule (but their barriers), masked, master, "
		"atomics, flush, and where a single ends";
	static const char threads[] =
		"files that kinst did not build: their threads, and where these wait for each other, are known by "
		"the calls of the C library; not seen: waiting by other means (spinning, futexes, pipes)";

	if (is_told)
		ompp_note_say_once(told, sizeof(told) - 1);
	else if (construct == OMPP_THREAD || ompp_construct_is_wait(construct))
		ompp_note_say_once(threads, sizeof(threads) - 1);
	else
		ompp_note_say_once(openmp, sizeof(openmp) - 1);
}

/* Is the call of such a construct made by a function that the program called for it?  Of waits, the C and the C++
 * library call it for functions of headers, as for std::call_once(). */
static int is_between(enum ompp_construct construct, uintptr_t address)
{
	return ompp_construct_is_mpi(construct) ? ompp_mpi_library_is_fortran(address - 1)
	     : ompp_construct_is_wait(construct)
	             ? ompp_templates_hold(address - 1) || ompp_templates_is_library(address - 1)
	             : 0;
}

/* Does such a function lead to the call, or ours, which begin threads? */
static int is_above(enum ompp_construct construct, uintptr_t address)
{
	return is_between(construct, address) || ompp_loaded_is_own(address - 1);
}

static void call_define(void *arg)
{
	struct definition *d = arg;
	char critical[NAME_BYTES] = "";
	const char *name = critical; /* of the program's critical section, or of the library's function */

	if (d->is_told && ompp_redirect_is_built(d->address))
		return; /* its own calls of libompp say what it does */
	if (!d->is_last && is_between(d->construct, d->address)) {
		d->def = &inner;
		return;
	}
	if (!d->function)
		call_say(d->construct, d->is_told);
	ompp_past_meet(d->address); /* it may be unloaded before the report asks where it was */
	if (d->lock)
		ompp_address_symbol((uintptr_t)d->lock, STT_NOTYPE, "gomp_critical_user_", critical, sizeof(critical));
	else if (d->function)
		name = d->function;
	else if (!d->address)
		name = "place not told";
	d->def = ompp_register_call(d->construct, name, d->key);
	if (!d->def)
		return;
	OMPP_STORE(&d->def->is_told, d->is_told);
	/* LLVM's library does not tell of each of the sections, and GCC's is not called at the end of a single's body
	 */
	OMPP_STORE(&d->def->has_no_ends, d->construct == (d->is_told ? OMPP_SECTIONS : OMPP_SINGLE));
}

/* Returns the key of the address.  Where a function calls another one at its very end, that returns to the function's
 * own caller: in the body of a parallel region, to us.  The place is that of the region then. */
static __attribute__((noinline, cold)) uintptr_t own_key(uintptr_t address)
{
	const struct ompp_thread *t = ompp_self;
	struct ompp_region_def *def;

	for (const struct ompp_frame *f = t->top; t->limit && f > t->frames; f--) {
		def = ompp_region_by_id(OMPP_KEY_ID(f->key));
		if (def && ompp_region_is_code(def))
			return def->address;
	}
	return ompp_past_key(address);
}

static inline uintptr_t call_key(uintptr_t address)
{
	return __builtin_expect(ompp_loaded_is_own(address), 0) ? own_key(address) : ompp_past_key(address);
}

/* Defines the region of a call that is met for the first time, and puts it where it is looked for. */
static __attribute__((noinline, cold)) struct ompp_region_def *call_new(ompp_address_region *entry,
                                                                        struct definition *d)
{
	struct ompp_region_def *def;

	ompp_stack_call(call_define, d);
	def = d->def ? d->def : &nothing;
	atomic_store_explicit(entry, def, memory_order_release);
	return def;
}

/* is_last: 1 for the caller outside of the C++ library's headers, which is the place whatever it is */
static inline struct ompp_region_def *region_of(enum ompp_construct construct, const void *lock, const char *function,
                                                uintptr_t address, uint32_t is_told, int is_last)
{
	uintptr_t key = call_key(address);
	uintptr_t word = key ^ (uintptr_t)construct << CONSTRUCT_SHIFT ^ (uintptr_t)is_last << LAST_SHIFT;
	ompp_address_region *entry = ompp_addresses_entry(&regions, word);
	struct ompp_region_def *def;

	if (__builtin_expect(!entry, 0)) {
		ompp_note_add(OMPP_NOTE_LOST_REGION, 1);
		return &nothing;
	}
	def = atomic_load_explicit(entry, memory_order_acquire);
	if (__builtin_expect(!def, 0))
		def = call_new(entry,
		               &(struct definition){ construct, lock, function, address, key, is_told, is_last, NULL });
	return def;
}

/* Returns the same from where the stack pointer was at the call, if the functions between keep no frame pointer; else
 * 0. */
static uintptr_t outer_near(enum ompp_construct construct, struct ompp_caller caller, uintptr_t stack_hi)
{
	uintptr_t callers[FEW_CALLERS];
	size_t n = ompp_callstack(caller.site - 1, caller.stack, 0, stack_hi, callers, FEW_CALLERS), i = 0;

	while (i < n && is_above(construct, callers[i]))
		i++;
	return i < n ? callers[i] : 0;
}

/* Returns the innermost call outside of such functions that leads to this one, which the thread is in; the call itself
 * when that is not known. */
static __attribute__((noinline)) uintptr_t outer_call(enum ompp_construct construct, struct ompp_caller caller)
{
	uintptr_t callers[MOST_CALLERS], stack_hi = ompp_heap_stack(), address = caller.site;
	uintptr_t near = stack_hi && caller.stack ? outer_near(construct, caller, stack_hi) : 0;
	size_t n, i = 0;

	if (near)
		return near;
	n = stack_hi ? ompp_callstack_here(stack_hi, callers, MOST_CALLERS) : 0;

	while (i < n && callers[i] != address)
		i++;
	while (i < n && is_above(construct, callers[i]))
		i++;
	return i < n ? callers[i] : address;
}

/* Returns the region of a call, or of the one that led to it. */
static inline struct ompp_region_def *region_around(enum ompp_construct construct, const void *lock,
                                                    const char *function, struct ompp_caller caller)
{
	struct ompp_region_def *def = region_of(construct, lock, function, caller.site, 0, 0);

	return __builtin_expect(def == &inner, 0)
	             ? region_of(construct, lock, function, outer_call(construct, caller), 0, 1)
	             : def;
}

__attribute__((noinline)) struct ompp_region_def *ompp_call_find(enum ompp_construct construct, const void *lock,
                                                                 uintptr_t address)
{
	struct ompp_region_def *def = region_around(construct, lock, NULL, (struct ompp_caller){ .site = address });

	if (!def->off)
		OMPP_STORE(ompp_call_recent(address), def);
	return def;
}

struct ompp_region_def *ompp_call_library(enum ompp_construct construct, const char *function,
                                          struct ompp_caller caller)
{
	return region_around(construct, NULL, function, caller);
}

struct ompp_region_def *ompp_call_told(enum ompp_construct construct, uintptr_t address)
{
	return region_of(construct, NULL, NULL, address, 1, 0);
}

struct ompp_region_def *ompp_call_open(enum ompp_construct kind, enum ompp_construct or_kind, uintptr_t *stack)
{
	const struct ompp_thread *t = ompp_self;

	if (!t->limit)
		return NULL;
	for (const struct ompp_frame *f = t->top; f > t->base; f--) {
		enum ompp_part part = OMPP_KEY_PART(f->key);
		struct ompp_region_def *def = part == OMPP_PART_REGION || part == OMPP_PART_WORK
		                                    ? ompp_region_by_id(OMPP_KEY_ID(f->key))
		                                    : NULL;

		if (def && (def->construct == kind || def->construct == or_kind)) {
			if (stack)
				*stack = f->stack;
			return def;
		}
	}
	return NULL;
}
