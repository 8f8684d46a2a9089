/*
 * Weights: the times of a call path as wall-clock time.
 *
 * A row's time is divided by the sizes of the teams along its path of ranks, so that the times of a team's threads add
 * up to the time that passed.  A row "a.b" weighs 1 / (T1 × T2), where T1 is the number of rows in the outer PARALLEL,
 * and T2 the number of rows of the inner one below that parent row.  Host threads that ran the same path weigh 1 /
 * their number.  Inclusive times of children with the same weights add up to at most the parent's, so exclusive times
 * are inclusive ones less those of the children.  If more own cost was subtracted from a parent than it had, the
 * children's times are shortened to fit into it.
 */
#ifndef OMPP_ANALYSIS_WEIGHTS_H
#define OMPP_ANALYSIS_WEIGHTS_H

#include "reports/analysis/analysis.h"

/* Fills in wall_ns and divisor. links.h must have filled in team and the children.  Returns 0 or -ENOMEM. */
int ompp_analysis_weigh(struct ompp_analysis *a);

#endif
