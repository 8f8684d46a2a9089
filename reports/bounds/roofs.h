/*
 * Roofs: what a machine can do at most in a second, as `ompp machine` has measured it (reports/roofs).
 */
#ifndef OMPP_BOUNDS_ROOFS_H
#define OMPP_BOUNDS_ROOFS_H

#include <stddef.h>
#include <stdint.h>

enum ompp_roof_kind { OMPP_ROOF_FLOPS, OMPP_ROOF_DIVISIONS, OMPP_ROOF_BYTES, OMPP_N_ROOF_KINDS };

struct ompp_roof {
	enum ompp_roof_kind kind;
	const char *name;   /* of operations "scalar double", "vector FMA single"; of bytes "L1", "memory", "node 1" */
	uint32_t n_threads; /* that did it at a time */
	int64_t rate;       /* operations or bytes a second, the best of several measurements */
	int64_t spread;     /* by which share of it, in 10^-9, their median is below the best */
};

struct ompp_roofs {
	const char *host, *cpu, *date; /* date: when it was measured, "2026-11-28 21:00:00 UTC" */
	const char *vector;            /* the widest vectors that the processor has, "AVX-512" */
	uint32_t n_threads;            /* of the roofs of all threads */
	int64_t others;                /* share of all processors that other programs used meanwhile, in 10^-9 */
	struct ompp_roof *list;
	size_t n;
};

/* Was the machine so busy that its roofs are too low? */
#define OMPP_ROOFS_MOST_OTHERS INT64_C(50000000)

#endif
