/*
 * Access TLB: passes the accesses that are replayed with other layouts (access_relayout.h) to models of each thread's
 * TLBs, for pages of the usual size and for large ones (data/tlb.h), and counts the misses of both.
 */
#ifndef OMPP_ACCESS_ACCESS_TLB_H
#define OMPP_ACCESS_ACCESS_TLB_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/core/thread.h"
#include "runtime/data/tlb.h"

/* The words of a row. */
enum {
	OMPP_ACCESS_TLB_N,    /* accesses */
	OMPP_ACCESS_TLB_MISS, /* of them missed: by size of page and level */
	OMPP_ACCESS_TLB_WORDS = OMPP_ACCESS_TLB_MISS + OMPP_N_TLB_PAGES * OMPP_TLB_LEVELS
};

/* A thread's models. */
struct ompp_access_tlb {
	void *cache[OMPP_N_TLB_PAGES];
	uint64_t last; /* number + 1 of the small page that was used last, which hits in all of them */
};

/* The modelled TLBs; pages[OMPP_TLB_SMALL].level[0].bytes is 0 when there are none.  Written once, before any segment
 * exists. */
extern struct ompp_tlb_geometry ompp_access_tlb_geometry __attribute__((visibility("hidden")));

static inline int ompp_access_tlb_on(void)
{
	return ompp_access_tlb_geometry.pages[OMPP_TLB_SMALL].level[0].bytes != 0;
}

/* Reads OMPP_TLB.  COLD. */
void ompp_access_tlb_start(const char *text) __attribute__((visibility("hidden")));

/* Prepares a thread's models.  Returns 0 or -ENOMEM.  COLD. */
int ompp_access_tlb_new(struct ompp_thread *t, struct ompp_access_tlb *tlb) __attribute__((visibility("hidden")));

/* Makes an access.
 * words: [OMPP_ACCESS_TLB_WORDS] of its row; NULL: it is not counted */
void ompp_access_tlb_add(struct ompp_access_tlb *tlb, uint64_t *words, uintptr_t address, size_t n_bytes)
	__attribute__((visibility("hidden")));

#endif
