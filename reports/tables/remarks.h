/*
 * Remarks: the last lines of the summary, each if it applies: no finding, the data that costs most, the source line
 * that costs most by samples, the function with most processor time, when few threads were at work, what was not
 * measured, the first note, what to try first, and what would say more: about work, or about lines that threads share.
 */
#ifndef OMPP_REMARKS_H
#define OMPP_REMARKS_H

#include "reports/findings/findings.h"

enum { OMPP_MOST_REMARKS = 10, OMPP_REMARK_INDENT = 4 /* of further lines of one, in columns */ };

/* Fills in the lines, in the analysis's arena, and which of them says what to try first (OMPP_MOST_REMARKS: none).
 * Where there are more than n_most, a note of no loss and the course are left out, in this order; advice that is cut in
 * one line counts twice.  Returns their number. */
size_t ompp_remarks(const struct ompp_analysis *a, const struct ompp_findings *findings, size_t n_most,
                    const char *lines[OMPP_MOST_REMARKS], size_t *advice);

/* Returns "to try first: " with the advice of the first finding, as many sentences of it as fit into so many lines of
 * the screen, or, where these would say little, as much of it as fits into one.  Where other programs had the
 * processors, it is that of the next one, as no change of the program mends the first: "to try first, on a quiet
 * machine: ".  NULL without a finding, or memory. */
const char *ompp_remark_advice(const struct ompp_analysis *a, const struct ompp_findings *f, size_t n_lines);

#endif
