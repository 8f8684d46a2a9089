/*
 * TLB: the translation caches (TLBs) of a processor, modelled as caches whose lines are pages (cache.h): a thread has a
 * TLB of each level for pages of the usual size, and what they would be for large pages.
 */
#ifndef OMPP_DATA_TLB_H
#define OMPP_DATA_TLB_H

#include <stddef.h>

#include "runtime/data/cache.h"

enum { OMPP_TLB_LEVELS = 2 };

enum { OMPP_TLB_SMALL, OMPP_TLB_LARGE, OMPP_N_TLB_PAGES };

/* By size of page: levels of which the bytes are entries × bytes of a page, the line bytes are those of a page. */
struct ompp_tlb_geometry {
	struct ompp_cache_geometry pages[OMPP_N_TLB_PAGES]; /* level[0].bytes is 0 when it is not known */
};

/* Registers of a leaf of CPUID: eax, ebx, ecx, edx. */
struct ompp_tlb_leaf {
	uint32_t leaf, subleaf, a, b, c, d;
};

/* Reads a value of OMPP_TLB: "0" or "" (none), "1" (the machine's own), or a list of levels for two sizes of pages,
 * like "L1=64/4/4K,L2=1536/12/4K,L1=32/4/2M,L2=1536/12/2M" (entries, ways, bytes of a page).  Returns 0; -ENOENT when
 * the machine does not tell its own, or -EINVAL, and in `why` a sentence that says what is wrong and what to write. */
int ompp_tlb_geometry(const char *text, struct ompp_tlb_geometry *geometry, char *why, size_t n_why);

/* Reads the TLBs of data for pages of 4 KiB and 2 MiB from what CPUID says: leaf 0x18 (Intel), or 0x80000005 and
 * 0x80000006 (AMD).  Returns 0, or -ENOENT when they do not have both sizes. */
int ompp_tlb_decode(const struct ompp_tlb_leaf *leaves, size_t n, struct ompp_tlb_geometry *geometry);

#endif
