/*
 * Loop nest: two loops, one directly inside the other, whose accesses have constant steps: in which other orders their
 * iterations may be made, and where that brings accesses to the same line closer together.
 *
 * Interchanged, the outer loop is the inner one.  In blocks, both loops advance by some iterations at a time, and what
 * they skip are two further loops inside.  Both orders reverse iterations of which one is earlier in the outer and
 * later in the inner loop; the nest may have them when no two such iterations access the same byte, one of them with a
 * store.  Values that the program keeps in registers are not known here.
 */
#ifndef OMPP_ACCESS_LOOP_NEST_H
#define OMPP_ACCESS_LOOP_NEST_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_LOOP_NEST_ACCESSES = 24 };

/* An access that each iteration makes. */
struct ompp_loop_nest_access {
	uintptr_t base;      /* of the first iteration of both loops */
	size_t inner, outer; /* bytes from one iteration to the next of either loop; they may be negative */
	uint32_t n_bytes;
	uint8_t is_store;
	/* 1 when it stands between the inner loops, once in each iteration of the outer loop; its inner step is 0.  In
	 * another order it is made wherever an inner loop ends. */
	uint8_t is_between;
};

struct ompp_loop_nest {
	size_t n_inner, n_outer; /* iterations; those of the inner loop in each one of the outer loop */
	uint32_t n;
	struct ompp_loop_nest_access accesses[OMPP_LOOP_NEST_ACCESSES]; /* in order, those between the loops last */
};

enum ompp_loop_order { OMPP_LOOP_AS_IT_IS, OMPP_LOOP_INTERCHANGED, OMPP_LOOP_IN_BLOCKS };

/* Returns 1 when the nest may have another order. */
int ompp_loop_nest_is_free(const struct ompp_loop_nest *nest);

/* Returns 1 when consecutive iterations of an order, which is not the program's, are expected to share more lines. */
int ompp_loop_nest_is_nearer(const struct ompp_loop_nest *nest, enum ompp_loop_order order);

/* Returns how many iterations of either loop a block has: as many as there are elements of the smallest access in a
 * line. */
size_t ompp_loop_nest_block(const struct ompp_loop_nest *nest);

/* Makes all accesses in an order.  Each is handed to `visit` by its index. */
void ompp_loop_nest_walk(const struct ompp_loop_nest *nest, enum ompp_loop_order order,
                         void (*visit)(void *context, uint32_t access, uintptr_t address), void *context);

#endif
