/*
 * Roof measure: measures the roofs of this machine: each with one thread, and with a thread on each usable processor.
 */
#ifndef OMPP_ROOF_MEASURE_H
#define OMPP_ROOF_MEASURE_H

#include "reports/bounds/roofs.h"
#include "runtime/base/arena.h"

/* Fills in the roofs, in the arena; it takes about a second, and some milliseconds more for each NUMA node where there
 * are several.  Returns 0 or -errno. */
int ompp_roofs_measure(struct ompp_roofs *roofs, struct ompp_arena *arena);

#endif
