/*
 * Wait: the causes of a wait at a barrier, i.e. why the thread that arrived last came later than the one that waited.
 */
#ifndef OMPP_TERMS_WAIT_H
#define OMPP_TERMS_WAIT_H

/* The wait is charged to them in this order. */
enum ompp_cause {
	OMPP_CAUSE_OFF_HERE, /* all had arrived, but the waiting thread had lost its processor */
	OMPP_CAUSE_LEAVE,    /* all had arrived, but the barrier released its threads later */
	OMPP_CAUSE_ASLEEP,   /* the last one slept in the construct: input, output, locks of libraries */
	OMPP_CAUSE_BODY,     /* the last one worked longer in the construct */
	OMPP_CAUSE_BEFORE,   /* it came later to the construct, because of what it did since it began */
	OMPP_CAUSE_OFF,      /* it lost its processor to another thread */
	OMPP_CAUSE_MADE,     /* it began late, in a team for which threads were made */
	OMPP_CAUSE_START,    /* it began late for another reason: in the team, or after the barrier before */
	OMPP_CAUSE_STOLEN, /* it began late, or the waiting one left late, without having slept or lost its processor to
	                      another thread: a hypervisor, or the firmware, had the processor */
	OMPP_N_CAUSES
};

/* The most slices of the run in which the work before a barrier is looked at apart (statistics/series.h). */
enum { OMPP_N_SLICES = 16 };

#endif
