/*
 * Counters: fills the columns of the profile that access hooks count, and marks the hardware counters that look
 * restricted to named data but are not.
 */
#ifndef OMPP_COLLECT_SUM_COUNTERS_H
#define OMPP_COLLECT_SUM_COUNTERS_H

#include "runtime/sums/sum_merge.h"

/* Fills the columns of access counts (ACC_LD, ACC_LD(a), PAPI_LD_INS by hooks).  Cells, objects and accesses of the
 * profile must be finished.  Returns 0 or -ENOMEM. */
int ompp_collect_counters(struct ompp_merge *merge, struct ompp_profile *profile);

#endif
