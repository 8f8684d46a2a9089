/*
 * Sum, course: what all threads did in each slice of the run (statistics/course.h).
 */
#ifndef OMPP_SUMS_SUM_COURSE_H
#define OMPP_SUMS_SUM_COURSE_H

#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* Fills in the course of the run, up to the merge's moment.
 * index: of regions in the profile, by id up to n_ids
 * Returns 0 or -ENOMEM. */
int ompp_collect_course(struct ompp_merge *merge, struct ompp_profile *p, const uint32_t *index, uint32_t n_ids,
                        struct ompp_clock_rate rate);

#endif
