/*
 * Remarks: the last lines of the summary, each if it applies: no finding, the data that costs most, the source line
 * that costs most by samples, the function with most processor time, when few threads were at work, what was not
 * measured, the first note, what to try first, and what would say more about work.
 */
#ifndef OMPP_REMARKS_H
#define OMPP_REMARKS_H

#include "reports/findings/findings.h"

enum { OMPP_MOST_REMARKS = 10 };

/* Fills in the lines, in the analysis's arena.  Returns their number. */
size_t ompp_remarks(const struct ompp_analysis *a, const struct ompp_findings *findings,
                    const char *lines[OMPP_MOST_REMARKS]);

#endif
