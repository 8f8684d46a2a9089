/*
 * Order: see order.h.
 */
#include "runtime/data/order.h"

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"

int ompp_access_runs, ompp_access_ordered;

static int is_needed, is_kept;

void ompp_order_start(void)
{
	OMPP_STORE(is_kept ? &ompp_access_ordered : &ompp_access_runs, 1);
	/* Either the thread that needs it comes behind this and stores 0, or we see it here. */
	ompp_fence();
	if (OMPP_LOAD(&is_needed))
		ompp_order_need();
	ompp_assert(!OMPP_LOAD(&ompp_access_runs) || !OMPP_LOAD(&ompp_access_ordered));
}

void ompp_order_need(void)
{
	OMPP_STORE(&is_needed, 1);
	ompp_fence();
	OMPP_STORE(&ompp_access_runs, 0);
	OMPP_STORE(&ompp_access_ordered, 0);
}

void ompp_order_keep(void)
{
	ompp_assert(!ompp_access_runs && !ompp_access_ordered);
	is_kept = 1;
}
