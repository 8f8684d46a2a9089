/*
 * Samples: the processor's samples of memory accesses (OMPP_SAMPLE=pebs, ibs, spe, auto), one event or a few and one
 * ring for each thread.
 *
 * At the start each sampling unit of the machine is tried on memory of our own, and the first one that delivers samples
 * is used.  With auto, if none does, the program's access hooks sample instead.  memory/hardware.c opens the threads'
 * events and reads their rings.
 *
 * Rings are locked memory, which is limited per user to kernel.perf_event_mlock_kb for each processor, plus `ulimit
 * -l`. Later threads get smaller rings, so that it is enough for 256 threads.
 */
#ifndef OMPP_SOURCES_SOURCE_SAMPLES_H
#define OMPP_SOURCES_SOURCE_SAMPLES_H

#include <stdint.h>

#include "runtime/samples/sampler.h"

/* Returns 1 when the processor samples in this run. */
int ompp_samples_on(void);

/* Opens and starts the calling thread's events.  Returns 0, or -errno and adds a note with the cause.
 * n_before: number of threads opened before */
int ompp_samples_open(struct ompp_sampler *sampler, uint32_t n_before);

#endif
