/*
 * Roof team: a team of threads, each on a processor of its own, that run the same kernel at the same time, for some
 * milliseconds, several times.
 */
#ifndef OMPP_ROOF_TEAM_H
#define OMPP_ROOF_TEAM_H

#include <stddef.h>

#include "reports/roofs/roof_kernels.h"

/* What each thread does, over and over: rounds of operations, or passes over a buffer of its own, in pieces. */
struct ompp_roof_work {
	ompp_roof_compute *compute; /* NULL: streams */
	ompp_roof_stream *stream;
	size_t buffer_bytes; /* of each thread */
	double each;         /* what a round counts, or a byte of the buffer */
	int node;            /* the NUMA node that has the buffers; -1: that of the thread that writes it first */
};

enum { OMPP_ROOF_REPEATS = 7 };

/* Finds out how many a second all n threads did together, in each of the repeats.  processors: by thread.  Returns 0 or
 * -errno. */
int ompp_roof_team(const struct ompp_roof_work *work, const int *processors, size_t n, double rates[OMPP_ROOF_REPEATS]);

#endif
