/*
 * Waiting: why the threads waited at a barrier of one call path, and whether their work before it was unequal.
 *
 * Where not all waits were looked at, the causes of those that were are scaled to all of them.
 *
 * The test for unequal work: of the rows with the most and the least work in the mean over the executions, the
 * difference is more than OMPP_STANDARD_ERRORS standard errors of the difference (with normal noise less than one of
 * 10,000 such pairs does that by chance; the errors of the means are from the executions themselves).  Or no execution of
 * the one had as little work as the most of the other, which no outlier can hide (by chance in one of 184,756 pairs).  Below
 * OMPP_MANY_EXECUTIONS that says nothing: then the threads' CPU time decides, if it is known, and differences of less than
 * a twentieth are taken for noise of caches and clock speed, and those of less than a millisecond for that of readings,
 * which are up to an interval (core/arrival.h) apart from what they measure.
 */
#ifndef OMPP_WAITING_H
#define OMPP_WAITING_H

#include "reports/views/analysis.h"

enum { OMPP_STANDARD_ERRORS = 4, OMPP_MANY_EXECUTIONS = 10, OMPP_LEAST_DIFFERENCE = 20, OMPP_LEAST_DIFFERENCE_NS = 1000000 };

enum ompp_verdict {
	OMPP_WORK_UNKNOWN,              /* the profile does not tell */
	OMPP_WORK_EQUAL,                /* no difference beyond the noise */
	OMPP_WORK_VARIES,               /* unequal, but now this thread's is more and now that one's */
	OMPP_WORK_UNEQUAL,              /* beyond the noise over the executions */
	OMPP_WORK_UNEQUAL_ONCE          /* of few executions, by CPU time */
};

/* A row's work in one execution. */
struct ompp_work { uint64_t n; int64_t mean_ns, spread_ns, least_ns, most_ns; };

struct ompp_waiting {
	int64_t  wait_ns;               /* of all rows */
	uint64_t n_waits, n_looked;
	int64_t  looked_ns;
	int64_t  cause_ns[OMPP_N_CAUSES];       /* of wait_ns; all 0 when none was looked at */
	int64_t  off_ns, asleep_ns;     /* in the work before it; 0 when not known */
	int64_t  made_ns;               /* of startupT */
	struct ompp_work least, most;
	int64_t  unequal_ns;            /* what the others' mean work is less than the most, times executions */
	int64_t  body_ns;               /* of wait_ns, by unequal work: its causes, and what unequal_ns explains of short waits */
	enum ompp_verdict verdict;
};

/* What holds for a call path whose construct ends with a barrier, or is one; 0: it has none, or nothing is known of
 * waiting. */
int ompp_waiting_at(const struct ompp_analysis *a, uint32_t node, struct ompp_waiting *waiting);

/* The wait of a cell at its barrier; 0 where it is not known. */
int64_t ompp_wait_ns(enum ompp_construct construct, const struct ompp_cell *cell);

#endif
