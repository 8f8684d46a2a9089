/*
 * Wait: the reasons why a thread waits at a barrier, which are the reasons why the last thread came later than it.
 */
#ifndef OMPP_TERMS_WAIT_H
#define OMPP_TERMS_WAIT_H

/* The wait is charged to them in this order. */
enum ompp_cause {
	OMPP_CAUSE_OFF_HERE, /* all had come, but the waiting thread's own processor was taken away */
	OMPP_CAUSE_LEAVE,    /* all had come, but the barrier let go later */
	OMPP_CAUSE_ASLEEP,   /* the last one slept by itself in the construct: input, output, locks of libraries */
	OMPP_CAUSE_BODY,     /* the last one worked longer in the construct */
	OMPP_CAUSE_BEFORE,   /* it came later to the construct, because of what it did since it began */
	OMPP_CAUSE_OFF,      /* its processor was taken away */
	OMPP_CAUSE_MADE,     /* it began late, in a team for which threads were made */
	OMPP_CAUSE_START,    /* it began late otherwise: in the team, or out of the barrier before */
	OMPP_N_CAUSES
};

#endif
