/*
 * Samples: the processor's samples of memory accesses (OMPP_SAMPLE=pebs, ibs, spe, auto), one event or a few and one
 * ring for each thread.
 *
 * At the start each unit that the machine has is tried on memory of our own, and the first one that delivers is taken.
 * With auto, and none, the program's access hooks are asked to sample.  memory/hardware.c opens the threads' events and
 * reads their rings.
 *
 * Rings are locked memory, of which a user may have kernel.perf_event_mlock_kb for each processor, and `ulimit -l`
 * besides.  The later threads get smaller rings, so that 256 threads share them.
 */
#ifndef OMPP_SOURCES_SOURCE_SAMPLES_H
#define OMPP_SOURCES_SOURCE_SAMPLES_H

#include <stdint.h>

#include "runtime/samples/sampler.h"

/* Returns 1 when the processor samples in this run. */
int ompp_samples_on(void);

/* Opens the calling thread's events, and lets them run.  Returns 0 or -errno, and then there is a note with the cause.
 * n_before: how many threads came before */
int ompp_samples_open(struct ompp_sampler *sampler, uint32_t n_before);

#endif
