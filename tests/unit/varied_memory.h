/*
 * Varied memory: what a program of chance does with its memory beside accessing it: names that begin, move, nest and
 * end, blocks that are allocated, moved and freed, mappings that end in part, containers that get other data.
 *
 * Nothing is allocated: the library is told of blocks as its functions in place of malloc() tell of them, with calls at
 * addresses at which there is no code.
 */
#ifndef TESTS_UNIT_VARIED_MEMORY_H
#define TESTS_UNIT_VARIED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum { VARIED_HEAP_BYTES = 1 << 19 };

/* Sets the memory of blocks and mappings, of VARIED_HEAP_BYTES, which begins with a page, that of names, and what
 * returns a number below n. */
void varied_memory_start(char *heap, char *named, size_t n_named, unsigned int (*below)(unsigned int n));

/* Does one such thing. */
void varied_memory_act(void);

/* Returns an address that is mostly in a block or a mapping. */
uintptr_t varied_memory_place(void);

#endif
