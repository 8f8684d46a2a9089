/*
 * Hot: the kernel's clock of a thread's processor time, at each tick of which the kernel writes the instruction of user
 * mode into a ring.
 *
 * It needs no rights (perf_event_paranoid up to 2), no PMU, no signal and no descriptor: the mapped ring keeps the
 * event alive when its descriptor is closed.
 */
#ifndef OMPP_SOURCES_SOURCE_HOT_H
#define OMPP_SOURCES_SOURCE_HOT_H

#include <stdint.h>

#include "runtime/samples/ring.h"

/* The mean time between two samples of a thread in this run; 0 when none are taken.  Constant after the start. */
extern uint64_t ompp_hot_period_ns;

/* Opens the calling thread's clock, and starts it.  Returns the time between two samples, which is drawn within an
 * eighth of the mean, so that it does not beat with the program's own periods; or 0, and then a note says why.
 * n_before: number of threads opened before; later ones get smaller rings */
uint64_t ompp_hot_open(struct ompp_ring *ring, uint32_t n_before);

#endif
