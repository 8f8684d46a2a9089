/*
 * Order: says whether each access of the program has to be seen by itself, or in its order.
 *
 * Code that opari/hooks/plugin compiled counts many accesses at once where it may.  What looks at single accesses says
 * so before it begins; from then on code calls a hook for each.  The cache model needs them in their order alone: code
 * may hand over a loop whose accesses are known before it (access/access_order.c).  A loop that is under way ends as it
 * began.
 */
#ifndef OMPP_DATA_ORDER_H
#define OMPP_DATA_ORDER_H

/* The first is 1 when accesses may be counted many at once, in any order; the second when they may be counted many at
 * once as long as it is in their order.  At most one of them is 1; both are 0 until the session starts.  The program's
 * code reads them by the pointers of adapters/run_hooks.c. */
extern int ompp_access_runs, ompp_access_ordered;

/* Lets accesses be counted many at once, unless something needs them one by one.  Called once, when the session
 * starts. */
void ompp_order_start(void);

/* Says that each access has to be seen from now on. */
void ompp_order_need(void);

/* Says that their order has to be kept from now on.  Called before the session starts. */
void ompp_order_keep(void);

#endif
