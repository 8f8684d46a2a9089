/*
 * Counters: the columns of the profile that access hooks fill, and what is to be said of the others.
 */
#ifndef OMPP_COLLECT_COUNTERS_H
#define OMPP_COLLECT_COUNTERS_H

#include "runtime/collect/merge.h"

/* Cells, objects and accesses are finished: fill the columns of access counts (ACC_LD, ACC_LD(a), PAPI_LD_INS by hooks).
 * 0 or -ENOMEM. */
int ompp_collect_counters(struct ompp_merge *merge, struct ompp_profile *profile);

#endif
