/*
 * Order: see order.h.
 */
#include "runtime/data/order.h"

#include "runtime/base/relaxed.h"

int ompp_access_runs;

static int is_needed;

void ompp_order_start(void)
{
	OMPP_STORE(&ompp_access_runs, 1);
	/* Either the thread that needs it comes behind this and stores 0, or we see it here. */
	ompp_fence();
	if (OMPP_LOAD(&is_needed))
		OMPP_STORE(&ompp_access_runs, 0);
}

void ompp_order_need(void)
{
	OMPP_STORE(&is_needed, 1);
	ompp_fence();
	OMPP_STORE(&ompp_access_runs, 0);
}
