/*
 * First: remembers which thread wrote a page of memory first, as far as the cache model sees the program's stores.
 *
 * The kernel puts a page on the NUMA node of the thread that touches it first.  All threads share one table of a fixed
 * size with a word for each page.  A page that finds its place taken is not known, and then nobody counts as its first
 * writer.  The pages of a range that ends are forgotten, as the memory may become another range's.
 */
#ifndef OMPP_DATA_FIRST_H
#define OMPP_DATA_FIRST_H

#include <stddef.h>
#include <stdint.h>

/* Remembers a store.
 * slot: the thread
 * last: the page that this thread stored to last, 0 at the start */
void ompp_first_store(uint32_t slot, uintptr_t *last, uintptr_t address, size_t n_bytes);

/* Who wrote a page first: not known so far; this thread, or nobody counts; another thread. */
enum ompp_first { OMPP_FIRST_UNKNOWN, OMPP_FIRST_OWN, OMPP_FIRST_OTHERS };

/* Returns who wrote the page of the address first, as seen from thread `slot`.  Where it is known, no store can tell
 * more. */
enum ompp_first ompp_first_by(uint32_t slot, uintptr_t address);

/* Forgets the pages of [lo, hi). */
void ompp_first_forget(uintptr_t lo, uintptr_t hi);

#endif
