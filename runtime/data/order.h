/*
 * Order: says whether each access of the program has to be seen by itself, and in its order.
 *
 * Code that opari/hooks/plugin compiled counts many accesses at once where it may.  What looks at single accesses, as
 * the cache model does, says so before it begins; from then on code calls a hook for each.  A loop that is under way
 * ends as it began.
 */
#ifndef OMPP_DATA_ORDER_H
#define OMPP_DATA_ORDER_H

/* Is 1 when accesses may be counted many at once.  It is 0 until the session starts.  The program's code reads it by
 * the pointer of adapters/access_run.c. */
extern int ompp_access_runs;

/* Lets accesses be counted many at once, unless something needs them one by one.  Called once, when the session
 * starts. */
void ompp_order_start(void);

/* Says that each access has to be seen from now on. */
void ompp_order_need(void);

#endif
