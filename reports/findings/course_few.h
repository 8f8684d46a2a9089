/*
 * Course, few: a sentence about a long stretch of the run in which few threads were at work, for the summary and the
 * section Course.
 */
#ifndef OMPP_COURSE_FEW_H
#define OMPP_COURSE_FEW_H

#include "reports/analysis/analysis.h"

/* Finds it: "The last 20.1 % of the run (0.201 s) had 1.0 of 8 threads at work, mostly in LOOP a.c (3-9)."; NULL when
 * there was no such stretch.  Returns 0 or -ENOMEM.
 * with_region: say where they were */
int ompp_course_say_few(const struct ompp_analysis *a, int with_region, const char **sentence);

#endif
