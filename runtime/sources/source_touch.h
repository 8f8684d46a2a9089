/*
 * Touch: the page faults of one thread, which show who touches a page of memory first, and who first writes to a page
 * that the kernel protects (OMPP_PAGES=uffd).
 *
 * The kernel writes each fault into a ring of the thread.  One reader at a time drains it (memory/touch.c).
 * ompp_sampling.faults (sampling.h) tells whether faults are needed at all.
 */
#ifndef OMPP_SOURCES_SOURCE_TOUCH_H
#define OMPP_SOURCES_SOURCE_TOUCH_H

#include "runtime/samples/sampler.h"

/* Opens and starts the calling thread's event.  Returns 0, or -errno and adds a note with the cause.
 * mapped: called with the thread's mappings while the ring is drained.
 * n_before: number of threads opened before; later ones get smaller rings */
int ompp_touch_open(struct ompp_sampler *sampler,
                    void (*mapped)(void *context, const struct ompp_record_mapping *mapping), uint32_t n_before);

#endif
