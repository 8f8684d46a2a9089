/*
 * Order: whether each access of the program has to be seen individually, or at least in program order.
 *
 * Code that opari/hooks/plugin compiled counts many accesses at once where allowed.  A part of the runtime that needs
 * individual accesses announces it before it begins; from then on the code calls a hook for each.  The cache model only
 * needs them in order: code may hand over a whole loop whose accesses are known in advance (access/access_order.c).  A
 * loop that is already running continues as it began.
 */
#ifndef OMPP_DATA_ORDER_H
#define OMPP_DATA_ORDER_H

/* The first is 1 when many accesses may be counted at once, in any order; the second when many may be counted at once
 * but in order.  At most one of them is 1; both are 0 until the session starts.  The program's code reads them through
 * the pointers of adapters/run_hooks.c. */
extern int ompp_access_runs, ompp_access_ordered;

/* Allows many accesses to be counted at once, unless something needs them one by one.  Called once, when the session
 * starts. */
void ompp_order_start(void);

/* Requests that each access is seen individually from now on. */
void ompp_order_need(void);

/* Requests that accesses are seen in order from now on.  Called before the session starts. */
void ompp_order_keep(void);

#endif
