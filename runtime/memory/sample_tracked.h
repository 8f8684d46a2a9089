/*
 * Sample tracked: a thread's samples of each tracked block (data/tracked.h).
 *
 * Samples are summed by cover, and one block after another uses the covers of an entry.  So the samples of the entry's
 * present block are also counted here, starting again from 0 with each new block.  Those of earlier blocks remain only
 * in the sums.  The holder of the thread's samples writes, others read at the same time.
 */
#ifndef OMPP_MEMORY_SAMPLE_TRACKED_H
#define OMPP_MEMORY_SAMPLE_TRACKED_H

#include <stdint.h>

#include "runtime/data/tracked.h"

enum { OMPP_SAMPLE_PLACES = 64 };

/* The samples of one block; all 0 when there are none. */
struct ompp_sample_tracked {
	uint32_t generation;            /* of the place; 0 while it is written, and before the first */
	uint64_t n, estimate, variance; /* as in the sums */
	/* The same for samples whose level is known, and for those of them that memory served. */
	uint64_t known, known_variance, memory, memory_variance;
};

/* The samples of a thread, by index of a tracked block - 1. */
struct ompp_sample_places {
	struct ompp_sample_tracked *part[OMPP_MAX_TRACKED / OMPP_SAMPLE_PLACES]; /* NULL before the first sample */
};

/* Adds a sample of the block that has the place in this generation.  Does nothing for an older generation.
 * sample: what it adds; its generation is that of the place */
void ompp_sample_tracked_add(struct ompp_sample_places *places, uint32_t index,
                             const struct ompp_sample_tracked *sample);

/* Returns the samples of the block that has the place in a generation. */
struct ompp_sample_tracked ompp_sample_tracked_of(const struct ompp_sample_places *places, uint32_t index,
                                                  uint32_t generation);

#endif
