/*
 * Access: counts an access of the program by its thread, call-tree node and object.
 *
 * The hooks add to ompp_access_tally, which follows the top frame.  When no way matches an address, ompp_access_miss()
 * finds the segment, counts, and fills the way.  The tally is ompp_no_tally, whose ways match nothing, for threads that
 * are not started, while measuring is off, and for nodes without a tally.  So the hot path needs only one branch for
 * all of these cases.
 *
 * The functions here are called by hooks in the program's own code: anywhere, also in signal handlers, constructors and
 * ending threads.  They keep errno.
 */
#ifndef OMPP_ACCESS_ACCESS_H
#define OMPP_ACCESS_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tally.h"

struct ompp_thread;

/* The last copy or fill that a hook saw.  Only the hooks use it (adapters/access_copy.h); it is here so that the
 * offsets of the program's own thread-local data do not change. */
struct ompp_last_copy {
	uintptr_t from, to; /* the ranges that the last hook read and wrote */
	size_t n_bytes;     /* size of the range that was written */
	uintptr_t site;     /* the hook's return address; 0 when there is no such hook */
};

extern __thread struct ompp_last_copy ompp_access_last_copy __attribute__((tls_model("initial-exec")));

/* The return address into the program while one of our wrappers makes a call for it; else 0. */
extern __thread uintptr_t ompp_access_caller __attribute__((tls_model("initial-exec")));

/* Tells how the program's object files with hooks were compiled: source is 1 when some got their hooks at source level,
 * plain is 1 when some did not. */
struct ompp_access_objects {
	int source, plain;
};
extern struct ompp_access_objects ompp_access_objects;
void ompp_access_made(int source);
extern const char ompp_access_linked
	__attribute__((weak, visibility("default"))); /* address NULL: no hooks in the program */
/* Has any object file of the program hooks? */
static inline int ompp_access_is_hooked(void)
{
	return &ompp_access_linked || ompp_access_objects.plain || ompp_access_objects.source;
}

extern void (*ompp_access_hooked)(void); /* called for the first hooked object; may be NULL */

/* Counts an access of 1 << size bytes that matches no way.  WARM.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
void ompp_access_miss(uintptr_t address, unsigned int size, unsigned int slot);

/* Counts n accesses of 1 << size bytes, the first at `base`, each a step after the one before, that are not all in the
 * segment of a way.  WARM.
 * slot: as above; with OMPP_RUN_BEHIND they have already happened, else they are about to happen */
enum { OMPP_RUN_BEHIND = 16 };
void ompp_access_run_far(uintptr_t base, size_t step, size_t n, unsigned int size, unsigned int slot);

/* An access of a loop: n times, first at `base`, each time a step after the one before.
 * how: the size is 1 << (how & OMPP_ORDERED_SIZE) bytes; with OMPP_ORDERED_STORE they are stores, else loads */
enum { OMPP_ORDERED_SIZE = 7, OMPP_ORDERED_STORE = 8 };
struct ompp_ordered_access {
	uintptr_t base;
	size_t step, n, how;
};

/* Counts the accesses of a loop, which in each iteration makes those of the list in order.  WARM.
 * place: in the program, which tells loops apart */
void ompp_access_in_order(const struct ompp_ordered_access *list, size_t n_list, uintptr_t place);

/* Counts an access of any size.
 * slot: OMPP_SLOT_BLOCK_LOAD or OMPP_SLOT_BLOCK_STORE, for copies and fills too; or OMPP_SLOT_ATOMIC for a successful
 * read-modify-write */
void ompp_access_block(uintptr_t address, size_t n_bytes, unsigned int slot);

/* ---- samples by hooks (access_sample.h) ---- */

/* The kind of an access, for a sample. */
enum ompp_access_how { OMPP_ACCESS_LOAD = 1, OMPP_ACCESS_STORE = 2, OMPP_ACCESS_ATOMIC = 4, OMPP_ACCESS_VOLATILE = 8 };

/* Samples an access that is about to happen, and draws the number of accesses until the next sample.  WARM.
 * how: of enum ompp_access_how
 * ip: the place in the program */
void ompp_access_sample(uintptr_t address, size_t n_bytes, unsigned int how, uintptr_t ip);

/* A hook and its sampling variant, each as an offset relative to the member's own address. */
struct ompp_access_pair {
	int32_t hook, sampled;
};

/* The hooks of the program or of a library.  It is in that program or library; libompp writes it, except the first
 * three members. */
struct ompp_access_module {
	const void *start; /* its ELF header; NULL when it is not known */
	const struct ompp_access_pair *pairs, *end;
	struct ompp_access_module *next;
	int is_known;
};

/* Registers the hooks of the calling program or library.  No thread runs them yet. */
void ompp_access_meet_module(struct ompp_access_module *module);

/* Charges the hits of breakpoints so far to the thread's innermost node. */
void ompp_access_boundary(struct ompp_thread *t);

#endif
