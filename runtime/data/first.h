/*
 * First: remembers which thread wrote a page of memory first, from the stores that the cache model sees.
 *
 * The kernel puts a page on the NUMA node of the thread that touches it first.  All threads share one hash table of
 * fixed size with a word for each page.  When a page's entry is already taken by another page, the page is not
 * recorded, and no thread counts as its first writer.  The pages of a range are removed when the range ends, as another
 * range may get the memory.
 */
#ifndef OMPP_DATA_FIRST_H
#define OMPP_DATA_FIRST_H

#include <stddef.h>
#include <stdint.h>

/* Records a store.
 * slot: the thread
 * last: the page that this thread stored to last, 0 at the start */
void ompp_first_store(uint32_t slot, uintptr_t *last, uintptr_t address, size_t n_bytes);

/* Who wrote a page first: not known so far; this thread, or the page is not recorded; another thread. */
enum ompp_first { OMPP_FIRST_UNKNOWN, OMPP_FIRST_OWN, OMPP_FIRST_OTHERS };

/* Returns who wrote the page of the address first, as seen from thread `slot`.  Once it is known, no further store
 * changes it. */
enum ompp_first ompp_first_by(uint32_t slot, uintptr_t address);

/* Forgets the pages of [lo, hi). */
void ompp_first_forget(uintptr_t lo, uintptr_t hi);

#endif
