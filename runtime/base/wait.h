/*
 * Wait: why a thread waited at a barrier: what made the one that came last later than itself.
 */
#ifndef OMPP_BASE_WAIT_H
#define OMPP_BASE_WAIT_H

/* In the order in which the wait is charged. */
enum ompp_cause {
	OMPP_CAUSE_OFF_HERE,            /* all had come, but the waiting thread's own processor was taken away */
	OMPP_CAUSE_LEAVE,               /* all had come, but the barrier let go later */
	OMPP_CAUSE_ASLEEP,              /* the last one slept by itself in the construct: input, output, locks of libraries */
	OMPP_CAUSE_BODY,                /* it worked longer in the construct */
	OMPP_CAUSE_BEFORE,              /* it came later to the construct, by what it did since it began */
	OMPP_CAUSE_OFF,                 /* its processor was taken away */
	OMPP_CAUSE_MADE,                /* it began late, in a team for which threads were made */
	OMPP_CAUSE_START,               /* it began late otherwise: in the team, or out of the barrier before */
	OMPP_N_CAUSES
};

#endif
