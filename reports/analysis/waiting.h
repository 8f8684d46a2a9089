/*
 * Waiting: why the threads waited at a barrier of one call path, and whether their work before it was unequal.
 *
 * If the causes were determined for some of the waits only, they are scaled to all waits.
 *
 * The test for unequal work compares the rows with the most and the least work, by their means over the executions.
 * Work is unequal when the means differ by more than OMPP_STANDARD_ERRORS standard errors of the difference, which come
 * from
 * the executions themselves: with normal noise fewer than one in 10,000 such pairs differ as much by chance.  Work is
 * also unequal when each execution of the one row took longer than every execution of the other; outliers cannot hide
 * this, and by chance it happens for one in 184,756 pairs.
 *
 * With fewer than OMPP_MANY_EXECUTIONS executions the test is not used.  Then the CPU time of the threads decides, if
 * it is known.  Differences of less than a twentieth are taken for noise of caches and clock speed, and those of less
 * than a millisecond for noise of the readings, which may be an interval (events/arrival.h) apart from what they
 * measure.
 */
#ifndef OMPP_WAITING_H
#define OMPP_WAITING_H

#include "reports/analysis/analysis.h"

enum { OMPP_STANDARD_ERRORS = 4, OMPP_MANY_EXECUTIONS = 10 };
enum { OMPP_LEAST_DIFFERENCE = 20, OMPP_LEAST_DIFFERENCE_NS = 1000000 };

enum ompp_verdict {
	OMPP_WORK_UNKNOWN,     /* the profile does not tell */
	OMPP_WORK_EQUAL,       /* no difference beyond the noise */
	OMPP_WORK_VARIES,      /* unequal, but another thread has the most work each time */
	OMPP_WORK_UNEQUAL,     /* beyond the noise of the executions */
	OMPP_WORK_UNEQUAL_ONCE /* in few executions, by CPU time */
};

/* The work of a row in one execution. */
struct ompp_work {
	uint64_t n;
	int64_t mean_ns, spread_ns, least_ns, most_ns;
};

struct ompp_waiting {
	int64_t wait_ns; /* of all rows */
	uint64_t n_waits, n_looked;
	int64_t looked_ns;
	int64_t cause_ns[OMPP_N_CAUSES]; /* wait_ns by cause; all 0 when none was looked at */
	int64_t off_ns, asleep_ns;       /* during the work before it; 0 when not known */
	int64_t made_ns;                 /* the part of startupT of those teams for which new threads were created */
	struct ompp_work least, most;
	int64_t unequal_ns; /* how much less the other rows worked than the one that worked most, by their means */
	int64_t body_ns; /* the part of wait_ns that unequal work caused; for short waits it follows from unequal_ns */
	enum ompp_verdict verdict;
};

/* Fills in the waiting of a call path whose construct is a barrier or ends with one.  Returns 0 when it has no barrier,
 * or when nothing is known of its waiting. */
int ompp_waiting_at(const struct ompp_analysis *a, uint32_t node, struct ompp_waiting *waiting);

/* Is the work at a call path unequal only because threads waited to enter something in it, a critical region or a lock?
 * Without these waits the means would be less than half as far apart.  Call it only for paths for which
 * ompp_waiting_at() succeeds. */
int ompp_waiting_for_entries(const struct ompp_analysis *a, uint32_t node);

/* Returns how long a cell waited at its barrier; 0 where that is not known. */
int64_t ompp_wait_ns(enum ompp_construct construct, const struct ompp_cell *cell);

#endif
