/*
 * Change point: at which version of a program a time changed, by the runs of each version.
 *
 * Times are compared by their logarithms.  The median of a version's runs stands for the version, so that a disturbed
 * run counts little.  The best split into the versions before and after is found.  It is a change if two tests say so.
 * One compares the runs of both sides (Yuen's test, of means without a fifth at each end).  The other one compares the
 * versions' medians, as runs of one version may be alike for another reason: the state of the machine on that day.
 * Both are corrected for the number of splits.  Each side is then split in the same way.  A time that rises or falls
 * steadily is no change, but a drift: a straight line explains the medians better than steps, by Schwarz's criterion.
 *
 * It uses floating point, so it is only for the program ompp.
 */
#ifndef OMPP_CHANGE_POINT_H
#define OMPP_CHANGE_POINT_H

#include <stddef.h>

#include "runtime/base/arena.h"

enum { OMPP_MOST_CHANGES = 16, OMPP_LEAST_SIDE = 3 }; /* OMPP_LEAST_SIDE: runs on each side of a change */

enum ompp_course_of_versions {
	OMPP_VERSIONS_FEW,    /* too few runs or versions to tell anything */
	OMPP_VERSIONS_STEADY, /* no change is certain */
	OMPP_VERSIONS_CHANGED,
	OMPP_VERSIONS_DRIFT
};

struct ompp_change_point {
	size_t at;        /* the version that is most likely the first one behind the change */
	size_t from, to;  /* with 95 % confidence it is one of these */
	double ratio;     /* time behind by time before */
	double low, high; /* its interval at the level */
	double p;         /* corrected for the number of splits */
};

struct ompp_change_points {
	enum ompp_course_of_versions course;
	struct ompp_change_point list[OMPP_MOST_CHANGES]; /* in the order of the versions */
	size_t n;
	double drift, drift_low,
		drift_high; /* of a drift: time of the last version by that of the first, and the interval */
};

/* Looks at n runs with their times, NaN or not above 0 where they are missing, and the versions that they are of,
 * ascending from 0.
 * level: of the tests and intervals, such as 0.05
 * least: the least change that is told, 0.02 for 2 %
 * Returns 0 or -ENOMEM. */
int ompp_change_points(const double *times, const size_t *versions, size_t n, double level, double least,
                       struct ompp_arena *arena, struct ompp_change_points *points);

/* Returns the median of n values, which it sorts; NaN for none. */
double ompp_median(double *values, size_t n);

#endif
