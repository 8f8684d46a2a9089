/*
 * Varied storms: constructs that are visited thousands of times for a moment each, of which some visits are timed
 * (core/storm.h), of chance.  A few visits are long, or have others within.
 */
#ifndef TESTS_UNIT_VARIED_STORM_H
#define TESTS_UNIT_VARIED_STORM_H

/* Lets short visits be storms, whatever events cost here.  Called once the session has started.
 * below: returns a number below n; lock: its memory */
void varied_storm_start(void *lock, unsigned int (*below)(unsigned int n));

/* Visits one construct often. */
void varied_storm_play(void);

#endif
