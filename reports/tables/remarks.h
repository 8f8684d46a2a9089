/*
 * Remarks: the last lines of the summary, one for each thing that there is to say: that nothing was found, which data
 * costs most, which line by samples, what was not measured, and the first note.
 */
#ifndef OMPP_REMARKS_H
#define OMPP_REMARKS_H

#include "reports/findings/findings.h"

enum { OMPP_MOST_REMARKS = 5 };

/* Fills in the lines, in the analysis's arena.  Returns their number. */
size_t ompp_remarks(const struct ompp_analysis *a, const struct ompp_findings *findings,
                    const char *lines[OMPP_MOST_REMARKS]);

#endif
