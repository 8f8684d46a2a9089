/*
 * Cells: what each thread spent at each call path, as the profile has it: the sums of a construct's parts (body,
 * barrier, …) become the times of its cell.
 */
#ifndef OMPP_COLLECT_CELLS_H
#define OMPP_COLLECT_CELLS_H

#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* Makes the profile's nodes, cells and the values of its counters, with the waits, chunks and durations of each cell.
 * Returns 0 or -ENOMEM.
 * index: the profile's index of a region, by id */
int ompp_collect_cells(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *index,
                       struct ompp_clock_rate clock_rate);

#endif
