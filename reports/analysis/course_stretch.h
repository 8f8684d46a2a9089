/*
 * Course stretch: what the threads did in parts of the run, by its slices (runtime/statistics/course.h), and for how
 * long few of them were at work.
 */
#ifndef OMPP_COURSE_STRETCH_H
#define OMPP_COURSE_STRETCH_H

#include <stddef.h>
#include <stdint.h>

#include "reports/profile/profile.h"

/* A part of the run: from when to when of the measured time, and how long all threads together did what. */
struct ompp_course_stretch {
	int64_t begin_ns, end_ns;
	int64_t work_ns, wait_ns, manage_ns, idle_ns;
	int64_t mpi_ns;  /* 0 where ompp_course_has_mpi() says no */
	uint32_t region; /* in which threads were for longest, as far as the ends of slices tell; OMPP_NONE for none */
};

/* Returns how long the course is; 0 where there is none. */
int64_t ompp_course_ns(const struct ompp_profile *p);

/* Were threads in MPI, as all slices tell?  Those of profiles of earlier versions do not. */
int ompp_course_has_mpi(const struct ompp_profile *p);

/* Divides the course into n parts of equal length.  Those that are shorter than a slice have shares of it.  Returns 0
 * or -ENOMEM. */
int ompp_course_divide(const struct ompp_profile *p, struct ompp_arena *arena, struct ompp_course_stretch *parts,
                       size_t n);

/* Finds the longest stretch in which few of the threads were at work: a quarter of them at most, or one of three or
 * more.  It is at least a tenth of the run.  Returns 1, 0 when there is none, or -ENOMEM. */
int ompp_course_few(const struct ompp_profile *p, uint32_t n_threads, struct ompp_arena *arena,
                    struct ompp_course_stretch *few);

/* Returns how many threads did something in the mean of a stretch, in thousandths. */
int64_t ompp_course_milli(const struct ompp_course_stretch *stretch, int64_t ns);

#endif
