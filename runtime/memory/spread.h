/*
 * Spread: where in an object, when, and from which NUMA node a thread accesses it, from the samples of its accesses.
 *
 * Addresses and times are grouped into steps whose sizes are powers of two, at first a page.  When an object would
 * exceed its share of the table, its steps are doubled, and existing spots are merged; the same happens to all times
 * when the run gets longer.  The clock is that of the samples, in any unit: only the order matters.
 *
 * All calls are made by the holder of the thread's samples (sample.h); no other thread reads meanwhile.
 */
#ifndef OMPP_MEMORY_SPREAD_H
#define OMPP_MEMORY_SPREAD_H

#include <stddef.h>
#include <stdint.h>

struct ompp_callnode;
struct ompp_mem_sample;

enum { OMPP_SPREAD_SLICES = 64 }; /* of the run's time; at least half of them are used in the end */

/* The sums of samples that agree in the first members.  About every other sample is also added to `half`, so that a
 * guess derived from one half can be checked with the other. */
struct ompp_spread_spot {
	const struct ompp_callnode *node;
	uintptr_t address; /* of the step's first byte */
	uint32_t cover;
	uint32_t from; /* NUMA node of the processor, or OMPP_NO_HOME */
	uint16_t slice, step_bits;
	uint32_t n;              /* samples */
	uint64_t estimate, half; /* estimated accesses */
};

/* The step size of a cover. */
struct ompp_spread_cover {
	uint32_t cover; /* 0 in free slots */
	uint32_t n;     /* number of its spots */
	uint32_t step_bits;
};

struct ompp_spread {
	struct ompp_spread_spot *spots;
	size_t n, have;
	uint32_t *slots; /* hash table of 2 * have: 1 + index of the spot; 0 in free slots */
	size_t have_slots;
	struct ompp_spread_cover *covers; /* hash table of have_covers, at most half full */
	size_t n_covers, have_covers;
	uint32_t slice_bits, n_samples;
	uint64_t n_lost; /* samples for which there was no memory */
};

/* Adds a sample that no cache served, as far as known. */
void ompp_spread_add(struct ompp_spread *spread, const struct ompp_callnode *node, uint32_t cover, uint32_t from,
                     const struct ompp_mem_sample *sample);

/* Extends the slices to the longest of any thread, so that all threads have the same. */
void ompp_spread_align(struct ompp_spread *spread);

#endif
