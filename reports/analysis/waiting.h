/*
 * Waiting: why the threads waited at a barrier of one call path, and whether their work before it was unequal.
 *
 * If the causes were determined for some of the waits only, they are scaled to all waits.
 *
 * Work is unequal when the row with the most differs from the row with the least by more than noise, lastingly.  The
 * run is cut into up to 16 slices, in each of which the rows have a mean (statistics/series.h); each slice is one
 * observation of the difference, as what disturbs a processor (a neighbour on its core, a hypervisor, its frequency)
 * lasts for milliseconds to minutes, so that single executions are not independent.  Student's t decides: with normal
 * noise fewer than one in 10,000 such pairs differ as much by chance.  Differences of less than a twentieth are
 * ignored, and so are those that the speed of the processors may explain: a thread whose core is shared takes longer
 * for a fixed piece of work (pace), and up to the square of that factor for work that needs the caches.  Where both
 * cores are shared, a fifth of what that costs the slower thread is not known to be the same for both: other
 * instructions meet other neighbours.  What a hypervisor took from a processor (steal) is another such explanation, as
 * kernels may count it as CPU time of the thread.
 *
 * If the rows differ by less, but in some slices by more than the spread of the executions explains, then the machine
 * varied, or the program's work over time, and no cause in the program is named.  No cause is named either if now one
 * row has more work and now another, but the others wait for that less than a quarter of the work, each of them in the
 * mean of an execution: virtual machines alone cause a tenth.  So it has to be in the median slice by these waits, too,
 * as executions that were held up are in few slices.  How long executions take one after another is no evidence: they
 * may be long and short ones for all rows alike.
 *
 * What is done before the construct (OMPP_CAUSE_BEFORE) is judged in the same way by the slices of the waits.
 *
 * With few slices and fewer than OMPP_MANY_EXECUTIONS executions, the CPU time of the threads decides, if it is known.
 * It must differ by a millisecond, as a reading may be an interval (events/arrival.h) away from what it measures; and
 * by a twentieth, or by a quarter if the executions last less than a second in all, as a disturbance of some
 * milliseconds may be a tenth of that; and by a tenth of the time without a processor, some of which may have been
 * before the work.  Profiles without slices are judged by the standard errors of the executions.
 */
#ifndef OMPP_WAITING_H
#define OMPP_WAITING_H

#include "reports/analysis/analysis.h"

enum { OMPP_STANDARD_ERRORS = 4, OMPP_MANY_EXECUTIONS = 10 };
enum { OMPP_LEAST_DIFFERENCE = 20, OMPP_LEAST_DIFFERENCE_NS = 1000000, OMPP_LEAST_SLICES = 4 };
enum { OMPP_LEAST_SPREAD = 4, OMPP_LONG_NS = 1000000000 };
enum { OMPP_OFF_ERROR = 10 }; /* one part in so many of the time without a processor may be before the work */

enum ompp_verdict {
	OMPP_WORK_UNKNOWN,     /* the profile does not tell */
	OMPP_WORK_EQUAL,       /* no difference beyond the noise */
	OMPP_WORK_SPEED,       /* the processors' speed explains it, or it comes and goes */
	OMPP_WORK_FAULTS,      /* page faults of the row with most work explain a third of it */
	OMPP_WORK_VARIES,      /* unequal, but another thread has the most work each time */
	OMPP_WORK_UNEQUAL,     /* beyond the noise of the executions */
	OMPP_WORK_UNEQUAL_ONCE /* in few executions, by CPU time */
};

/* The work of a row in one execution. */
struct ompp_work {
	uint64_t n;
	int64_t mean_ns, spread_ns, least_ns, most_ns;
	uint64_t n_slices;
	int64_t apart_ns, apart_error_ns, pace_ps; /* as in the profile's waits */
	int64_t faults;                            /* page faults in all executions; 0 when not known */
};

/* How much longer than others a row waited for one that came to the construct later, as in the profile's waits. */
struct ompp_early {
	int64_t ns, error_ns;
};

struct ompp_waiting {
	int64_t wait_ns;   /* of all rows */
	uint32_t n_others; /* rows that wait while one of their team works: all but one of each team, or process */
	uint64_t n_waits, n_looked;
	int64_t looked_ns;
	int64_t cause_ns[OMPP_N_CAUSES]; /* wait_ns by cause; all 0 when none was looked at */
	int64_t off_ns, asleep_ns;       /* during the work before it; 0 when not known */
	int64_t made_ns;                 /* the part of startupT of those teams for which new threads were created */
	struct ompp_work least, most;
	uint64_t n_look_slices;             /* of the waits that were looked at, in all rows; 0 when not known */
	struct ompp_early earliest, latest; /* of the rows; set with n_look_slices alone */
	int64_t usual_body_ns;   /* how long all rows wait, where waits were looked at, for unequal work in it, */
	int64_t usual_before_ns; /* and for what was done before it: in the median slice, OMPP_MISSING when it
	                            is not known */
	int64_t unequal_ns;      /* how much less the other rows worked than the one that worked most, by their means */
	int64_t fault_ps;        /* what a page fault takes; OMPP_MISSING when not known */
	int64_t least_pace_ps;   /* of the run; OMPP_MISSING when not known */
	int64_t stolen_milli;    /* work on the processor of which a hypervisor took most may last so many thousandths
	                            longer */
	int64_t body_ns; /* the part of wait_ns that unequal work caused; for short waits it follows from unequal_ns */
	enum ompp_verdict verdict;
	int is_unsure; /* 1 when the verdict would be unequal work if the executions lasted a second or more in all */
};

/* Fills in the waiting of a call path whose construct is a barrier or ends with one.  Returns 0 when it has no barrier,
 * or when nothing is known of its waiting. */
int ompp_waiting_at(const struct ompp_analysis *a, uint32_t node, struct ompp_waiting *waiting);

/* Returns a part of the wait of all rows of a call path, part_ns of whole_ns, as wall-clock time: each wait is divided
 * by those who share it, so that it is an upper bound of what the run would be shorter without it. */
int64_t ompp_waiting_wall(const struct ompp_analysis *a, uint32_t node, int64_t part_ns, int64_t whole_ns);

/* Is work that takes one thread work_ns each time, and another one apart_ns more, unequal by more than the speed of
 * their processors explains, and by a twentieth?  In few executions it must be a millisecond. */
int ompp_waiting_is_more(const struct ompp_waiting *waiting, int64_t work_ns, int64_t apart_ns);

/* May work before the construct be unequal: is it lastingly the same row that comes early to it, or do the rows wait
 * long for others that had more to do, compared with work_ns, which each does in an execution? */
int ompp_waiting_is_before(const struct ompp_waiting *waiting, int64_t work_ns);

/* Is the work at a call path unequal only because threads waited to enter something in it, a critical region or a lock,
 * or for the members of teams of their own?  Without these waits the means would be less than half as far apart.  Call
 * it only for paths for which ompp_waiting_at() succeeds. */
int ompp_waiting_for_entries(const struct ompp_analysis *a, uint32_t node);

/* Returns how long a cell waited at its barrier; 0 where that is not known. */
int64_t ompp_wait_ns(enum ompp_construct construct, const struct ompp_cell *cell);

#endif
