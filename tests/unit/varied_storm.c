/*
 * Varied storms: see varied_storm.h.
 */
#include "tests/unit/varied_storm.h"

#include "tests/unit/storms.h"

#define APART        __attribute__((noinline))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

enum { KINDS = 7, LEAST_VISITS = 3000, MORE_VISITS = 9000 };

REGION_WITH(held, critical, 300, 301, "criticalName=held*");
REGION(quick, atomic, 302, 302);
REGION_WITH(brief, userRegion, 303, 304, "userRegionName=brief*");
REGION(in_order, ordered, 305, 306);
REGION(only, single, 307, 308);
REGION(flushes, flush, 309, 309);
REGION(one, master, 310, 311);

static unsigned int (*below)(unsigned int n);
static void *lock;

void varied_storm_start(void *its_lock, unsigned int (*its_below)(unsigned int n))
{
	lock = its_lock;
	below = its_below;
	ompp_mode_clear(OMPP_MODE_VALUES); /* in which all visits go the long way, and are timed */
	ompp_mode_set(OMPP_MODE_STORMS);
	ompp_storm_costs = (struct ompp_storm_costs){ .pair_fp = 10 * 1000 * 256, .untimed_fp = 1000 * 256 };
}

static APART void visit(unsigned int kind, int us)
{
	switch (kind) {
	case 0:
		POMP2_Critical_enter(&h_held, held_ctc);
		pass_in_visit(us / 2);
		POMP2_Critical_begin(&h_held);
		pass_in_visit(us);
		POMP2_Critical_end(&h_held);
		POMP2_Critical_exit(&h_held);
		break;
	case 1:
		POMP2_Atomic_enter(&h_quick, quick_ctc);
		pass_in_visit(us);
		POMP2_Atomic_exit(&h_quick);
		break;
	case 2:
		POMP2_Begin(&h_brief, brief_ctc);
		pass_in_visit(us);
		POMP2_End(&h_brief);
		break;
	case 3:
		POMP2_Ordered_enter(&h_in_order, in_order_ctc);
		POMP2_Ordered_begin(&h_in_order);
		pass_in_visit(us);
		POMP2_Ordered_end(&h_in_order);
		POMP2_Ordered_exit(&h_in_order);
		break;
	case 4:
		ompp_set_lock("312:3:t.c:lock", lock);
		pass_in_visit(us);
		POMP2_Unset_lock(lock);
		break;
	case 5:
		POMP2_Flush_enter(&h_flushes, flushes_ctc);
		POMP2_Flush_exit(&h_flushes);
		break;
	default:
		POMP2_Master_begin(&h_one, one_ctc);
		pass_in_visit(us);
		POMP2_Master_end(&h_one);
	}
	KEEP_FRAME();
}

/* A construct within, which ends the storm around it. */
static APART void visit_within(unsigned int kind)
{
	POMP2_Single_enter(&h_only, only_ctc);
	visit(kind, 3);
	POMP2_Single_exit(&h_only);
	KEEP_FRAME();
}

void varied_storm_play(void)
{
	unsigned int kind = below(KINDS), longest = 1 + below(6), odds = below(3) ? 100000 : 50 + below(500);
	unsigned int apart = below(4);

	for (unsigned int n = LEAST_VISITS + below(MORE_VISITS); n > 0; n--) {
		visit(kind, below(odds) ? (int)below(longest) : 200 + (int)below(2000));
		pass((int)apart);
		if (!below(2000))
			visit_within(kind);
	}
	KEEP_FRAME();
}
