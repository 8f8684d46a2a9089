/*
 * First: which thread wrote a page of memory first, as far as the cache model sees the program's stores.
 *
 * The kernel puts a page on the NUMA node of the thread that touches it first.  One table of a fixed size, which all
 * threads share, has a word for each page: what finds its place taken is not known, and what is not known is nobody's.  A
 * range that ends is forgotten, as its memory may become another's.
 */
#ifndef OMPP_DATA_FIRST_H
#define OMPP_DATA_FIRST_H

#include <stddef.h>
#include <stdint.h>

/* A store by thread `slot`; *last is the page that this thread stored to last, 0 at the start. */
void ompp_first_store(uint32_t slot, uintptr_t *last, uintptr_t address, size_t n_bytes);

/* Was the page of the address written first by another thread than `slot`?  0: not, or not known. */
int ompp_first_is_other(uint32_t slot, uintptr_t address);

/* The memory from lo to hi (not included) becomes another's. */
void ompp_first_forget(uintptr_t lo, uintptr_t hi);

#endif
