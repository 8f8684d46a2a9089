/*
 * Times: joins a profile that has counts with one of the same program without hooks, whose times are the program's; and
 * the machine's roofs with both.
 */
#ifndef OMPP_SHOW_TIMES_H
#define OMPP_SHOW_TIMES_H

#include "reports/bounds/roofline.h"

struct ompp_report_options;

/* Joins the times of a file with a profile, by region.  Returns 0, or the exit status after a complaint: also when both
 * are not of one program, or their times cannot be compared. */
int ompp_times_join(const char *file, const struct ompp_profile *counted, const char *counted_file,
                    struct ompp_arena *arena, const struct ompp_times **times);

/* Reads the roofs of the machine on which a profile was made, which are in the user's cache folder; or those of `file`.
 * *roofs is NULL where there are none.  Returns 0, or the exit status after a complaint. */
int ompp_times_roofs(const char *file, const struct ompp_profile *profile, struct ompp_arena *arena,
                     const struct ompp_roofs **roofs);

#endif
