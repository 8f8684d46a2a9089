/*
 * Sample tracked: how many samples of a thread were of each tracked block (data/tracked.h).
 *
 * The sums of samples go by cover, and a place's covers are those of one block after another.  So the samples of the
 * block that a place has now are counted beside the sums: the first one of another block begins anew.  Those of the
 * block before stay in the sums alone.  The holder of the thread's samples writes, others read meanwhile.
 */
#ifndef OMPP_MEMORY_SAMPLE_TRACKED_H
#define OMPP_MEMORY_SAMPLE_TRACKED_H

#include <stdint.h>

#include "runtime/data/tracked.h"

enum { OMPP_SAMPLE_PLACES = 64 };

/* The samples of one block; those of a place that has none are all 0. */
struct ompp_sample_tracked {
	uint32_t generation;            /* of the place; 0 while it is written, and before the first */
	uint64_t n, estimate, variance; /* as in the sums */
	/* The same of those of which is known what answered them, and of these, those that memory did. */
	uint64_t known, known_variance, memory, memory_variance;
};

/* Those of a thread, by index of a tracked block - 1. */
struct ompp_sample_places {
	struct ompp_sample_tracked *part[OMPP_MAX_TRACKED / OMPP_SAMPLE_PLACES]; /* NULL before the first sample */
};

/* Adds a sample of the block that the place has as of this generation.  Of an older one it does nothing.
 * sample: what it adds; its generation is that of the place */
void ompp_sample_tracked_add(struct ompp_sample_places *places, uint32_t index,
                             const struct ompp_sample_tracked *sample);

/* Returns the samples of the block that the place has as of a generation. */
struct ompp_sample_tracked ompp_sample_tracked_of(const struct ompp_sample_places *places, uint32_t index,
                                                  uint32_t generation);

#endif
