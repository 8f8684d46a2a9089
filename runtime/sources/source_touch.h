/*
 * Touch: the page faults of one thread, by which it is seen who touches a page of memory first, and who writes to one
 * first that the kernel protects (OMPP_PAGES=uffd).
 *
 * The kernel writes each fault into a ring of the thread.  One reader at a time drains it (memory/touch.c).  Whether
 * faults are wanted at all is in ompp_sampling.faults (sampling.h).
 */
#ifndef OMPP_SOURCES_SOURCE_TOUCH_H
#define OMPP_SOURCES_SOURCE_TOUCH_H

#include "runtime/samples/sampler.h"

/* Opens the calling thread's event, and lets it run.  Returns 0 or -errno, and then there is a note with the cause.
 * mapped: takes the thread's mappings while the ring is drained
 * n_before: how many threads came before; the later ones get smaller rings */
int ompp_touch_open(struct ompp_sampler *sampler,
                    void (*mapped)(void *context, const struct ompp_record_mapping *mapping), uint32_t n_before);

#endif
