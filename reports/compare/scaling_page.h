/*
 * Scaling page: how the time depends on the number of threads, or on the size of the problem, as JSON for programs, and
 * as an HTML page for people.  The page has the same numbers in it.
 */
#ifndef OMPP_SCALING_PAGE_H
#define OMPP_SCALING_PAGE_H

#include "reports/compare/scaling.h"

enum { OMPP_SCALING_PREDICTIONS = 2 }; /* twice the most threads, four times as many … */

/* Write to fd; level: that of intervals.  Return 0, -ENOMEM, or what write(2) said.  env/ompp-scaling-1.schema.json
 * says what the JSON has. */
int ompp_scaling_json(const struct ompp_scaling *scaling, const char *app, double level, int fd,
                      struct ompp_arena *scratch);
int ompp_scaling_page(const struct ompp_scaling *scaling, const char *app, double level, int fd,
                      struct ompp_arena *scratch);

#endif
