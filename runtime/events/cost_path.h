/*
 * Cost, path: what the longest path adds to the cost of events, where it may be given up (span/span_limit.h).
 */
#ifndef OMPP_EVENTS_COST_PATH_H
#define OMPP_EVENTS_COST_PATH_H

/* Measures the costs as ompp_cost_calibrate() does, and where the longest path may be given up, those without it
 * before. COLD: at the start, before the first thread begins. */
void ompp_cost_path_calibrate(void);

/* Takes the costs that events have without the longest path, after it was given up.  Events before that cost more,
 * which the upper bounds allow for.  Once: later calls do nothing.  COLD. */
void ompp_cost_path_end(void);

#endif
