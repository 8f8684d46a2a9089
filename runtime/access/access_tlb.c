/*
 * Access TLB: see access_tlb.h.
 */
#include "runtime/access/access_tlb.h"

#include <errno.h>

#include "runtime/access/access_model.h"
#include "runtime/data/tally.h"
#include "runtime/host/note.h"

enum { WHY_BYTES = 256 };

struct ompp_tlb_geometry ompp_access_tlb_geometry;

static uint32_t page_shift; /* of small pages */

void ompp_access_tlb_start(const char *text)
{
	char why[WHY_BYTES];

	/* a processor that does not tell its own is nothing to note: the report says so where it would have them */
	if (ompp_tlb_geometry(text, &ompp_access_tlb_geometry, why, sizeof(why)) == -EINVAL)
		ompp_note_say(why);
	if (ompp_access_tlb_on())
		page_shift = (uint32_t)__builtin_ctzll(
			ompp_access_tlb_geometry.pages[OMPP_TLB_SMALL].level[0].line_bytes);
}

int ompp_access_tlb_new(struct ompp_thread *t, struct ompp_access_tlb *tlb)
{
	for (int i = 0; i < OMPP_N_TLB_PAGES; i++) {
		tlb->cache[i] = ompp_access_model_cache(t, &ompp_access_tlb_geometry.pages[i], NULL);
		if (!tlb->cache[i])
			return -ENOMEM;
	}
	return 0;
}

void ompp_access_tlb_add(struct ompp_access_tlb *tlb, uint64_t *words, uintptr_t address, size_t n_bytes)
{
	uint64_t first = (address >> page_shift) + 1, last = ((address + (n_bytes - 1)) >> page_shift) + 1;

	if (words)
		ompp_tally_add(&words[OMPP_ACCESS_TLB_N], 1);
	if (first == tlb->last && last == first)
		return;
	tlb->last = last;
	for (int i = 0; i < OMPP_N_TLB_PAGES; i++) {
		unsigned int missed = ompp_cache_access(tlb->cache[i], address, n_bytes);

		for (int k = 0; k < OMPP_TLB_LEVELS && words && missed; k++)
			ompp_tally_add(&words[OMPP_ACCESS_TLB_MISS + i * OMPP_TLB_LEVELS + k], missed >> k & 1);
	}
}
