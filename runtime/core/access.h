/*
 * Access: from an access of the program to the counts of its thread, call-tree node and object.
 *
 * ompp_access_tally is where the hooks add; it follows the top frame.  When it has no way for an address, ompp_access_miss()
 * finds the segment, counts, and fills the way.  Threads that are not started, measuring that is switched off, and
 * nodes without a tally all have ompp_no_tally, whose ways fit nothing, so the hot path has one branch for all of them.
 *
 * The functions here are called by hooks in the program's own code: anywhere, also in signal handlers, constructors
 * and ending threads.  They keep errno.
 */
#ifndef OMPP_CORE_ACCESS_H
#define OMPP_CORE_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/cache.h"
#include "runtime/data/tally.h"

struct ompp_thread;
struct ompp_callnode;

extern __thread struct ompp_tally *ompp_access_tally __attribute__((tls_model("initial-exec")));
extern struct ompp_tally ompp_no_tally;
extern const struct ompp_segment ompp_no_segment;

/* What a hook saw last of a copy or a fill.  The hooks alone write and read it (adapters/access_copy.h); it is here so that the
 * program's own thread-local data keep their places. */
struct ompp_last_copy {
	uintptr_t from, to;                     /* of the last hook of a range that is read, and written */
	size_t    n_bytes;                      /* of the latter */
	uintptr_t site;                         /* its return address; 0: there was none */
};

extern __thread struct ompp_last_copy ompp_access_last_copy __attribute__((tls_model("initial-exec")));

/* The cache model; level[0].bytes 0: off. */
extern struct ompp_cache_geometry ompp_access_geometry;

/* How the program's hooked objects were made: some at the source's level, some not. */
struct ompp_access_objects { int source, plain; };
extern struct ompp_access_objects ompp_access_objects;
void ompp_access_made(int source);
extern const char ompp_access_linked __attribute__((weak, visibility("default")));      /* there: hooks are in the program */
extern void (*ompp_access_hooked)(void);        /* told of the first of them; NULL: nobody */

/* Accesses that found no thread or no memory for their counts. */
extern _Atomic uint64_t ompp_n_lost_accesses;

/* WARM.  An access of 1 << size bytes that no way fits; slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE. */
void ompp_access_miss(uintptr_t address, unsigned int size, unsigned int slot);

/* WARM.  The same, when the access is to no container. */
void ompp_access_count(uintptr_t address, unsigned int size, unsigned int slot);

/* An access of any size: slot OMPP_SLOT_BLOCK_LOAD or OMPP_SLOT_BLOCK_STORE, for copies and fills, too; or
 * OMPP_SLOT_ATOMIC, a read-modify-write that took place. */
void ompp_access_block(uintptr_t address, size_t n_bytes, unsigned int slot);

/* Read OMPP_CACHE and OMPP_SHARING; COLD, once, before any segment. */
void ompp_access_start(void);

/* Measuring is switched off: the threads' tallies no longer fit; each comes back at its next access afterwards. */
void ompp_access_off(void);

/* In a forked child: forget the counts. */
void ompp_access_clear(struct ompp_callnode *node);

/* Hits of breakpoints up to now go to the thread's innermost node. */
void ompp_access_boundary(struct ompp_thread *t);

#endif
