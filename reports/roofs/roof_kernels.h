/*
 * Roof kernels: loops that do nothing but operations, or nothing but loads and stores, as fast as the processor can.
 *
 * The compiler makes each for several sets of instructions; ompp_roof_sets() tells those that this processor has.
 */
#ifndef OMPP_ROOF_KERNELS_H
#define OMPP_ROOF_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Does n_rounds rounds of operations. */
typedef void ompp_roof_compute(uint64_t n_rounds);

/* Reads a buffer; copies its first half to its second one. n_bytes: a multiple of OMPP_ROOF_BLOCK; the buffer is
 * aligned to 64. */
typedef void ompp_roof_stream(char *buffer, size_t n_bytes);

enum { OMPP_ROOF_BLOCK = 1024 };
enum { OMPP_ROOF_SCALAR, OMPP_ROOF_VECTOR, OMPP_ROOF_WIDTHS };
enum { OMPP_ROOF_DOUBLE, OMPP_ROOF_SINGLE, OMPP_ROOF_PRECISIONS };

/* Operations of one kind.  NULL where the processor has no such instruction. */
struct ompp_roof_loop {
	ompp_roof_compute *run;
	uint32_t n_operations; /* a round */
};

struct ompp_roof_set {
	const char *vector; /* the name of its vectors, "AVX2" */
	/* additions and multiplications, half of each; fused ones, each of which is two operations; divisions */
	struct ompp_roof_loop plain[OMPP_ROOF_WIDTHS][OMPP_ROOF_PRECISIONS];
	struct ompp_roof_loop fused[OMPP_ROOF_WIDTHS][OMPP_ROOF_PRECISIONS];
	struct ompp_roof_loop division[OMPP_ROOF_WIDTHS][OMPP_ROOF_PRECISIONS];
	ompp_roof_stream *load, *copy;
};

/* Returns the widest set that this processor has. */
const struct ompp_roof_set *ompp_roof_set(void);

#endif
