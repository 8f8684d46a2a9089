/*
 * Time shares: see time_shares.h.
 */
#include "reports/findings/time_shares.h"

enum { SEEN_BEFORE = 10000000 }; /* 10^-9: less before main() has no line */

/* Returns what the time is that lies in no parallel region.  One thread alone may work there, or wait.  Without any
 * region the program may have teams that nothing tells of. */
static const char *shares_outside(const struct ompp_analysis *a, const struct ompp_classes *c)
{
	if (a->profile->n_nodes < 2)
		return "in no region that was measured";
	return c->serial_ns == OMPP_MISSING ? "outside of parallel regions, or in no team"
	                                    : "outside of parallel regions: one thread alone (serial part)";
}

void ompp_time_shares(const struct ompp_analysis *a, const struct ompp_classes *c, struct ompp_time_shares *all)
{
	struct ompp_time_share *shares = all->list;
	int64_t lost_ns = 0, work_ns, teams_ns, rest_ns, serial_ns, cost_ns, before_ns, mpi_ns, threads_ns, waits_ns,
		team_mpi_ns;

	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		lost_ns = ompp_add(lost_ns, c->sum.overhead_ns[k]);
	/* rounding can make the losses larger than the total; no share may be negative */
	work_ns = lost_ns < c->sum.total_ns ? ompp_subtract(c->sum.total_ns, lost_ns) : 0;
	/* with the clocks of merged ranks the teams' time may exceed the total */
	teams_ns = ompp_add(ompp_add(lost_ns, work_ns), c->sum.cost_ns);
	all->base_ns = teams_ns > a->capacity_ns ? teams_ns : a->capacity_ns;
	rest_ns = ompp_subtract(all->base_ns, teams_ns);
	if (c->serial_ns == OMPP_MISSING || __builtin_mul_overflow(c->serial_ns, (int64_t)a->n_threads, &serial_ns) ||
	    serial_ns > rest_ns)
		serial_ns = rest_ns;
	rest_ns = ompp_subtract(rest_ns, serial_ns);
	cost_ns = ompp_subtract(a->profile->cost_ns, c->sum.cost_ns); /* outside of teams */
	cost_ns = cost_ns < 0 ? 0 : cost_ns > serial_ns ? serial_ns : cost_ns;
	serial_ns -= cost_ns;
	cost_ns = ompp_add(cost_ns, c->sum.cost_ns);
	if (a->profile->n_nodes < 2 || __builtin_mul_overflow(c->before_ns, (int64_t)a->n_threads, &before_ns) ||
	    before_ns > serial_ns || ompp_share(before_ns, all->base_ns) < SEEN_BEFORE)
		before_ns = 0;
	serial_ns -= before_ns;
	if (__builtin_mul_overflow(c->mpi_ns, (int64_t)a->n_threads, &mpi_ns))
		mpi_ns = 0;
	mpi_ns = mpi_ns < serial_ns ? mpi_ns : serial_ns;
	serial_ns -= mpi_ns;
	team_mpi_ns = c->team_mpi_ns < work_ns ? c->team_mpi_ns : work_ns;
	work_ns -= team_mpi_ns;
	shares[0] = (struct ompp_time_share){ work_ns, ompp_overhead_error_ns(c->sum.error_ns), 0,
		                              "work in parallel regions", OMPP_TIME_WORK };
	shares[1] = (struct ompp_time_share){ c->sum.overhead_ns[OMPP_SYNCH], c->sum.error_ns[OMPP_SYNCH], 0,
		                              "waiting: lock, atomic, barrier, taskwait (synchronisation)",
		                              OMPP_TIME_SYNCH };
	shares[2] = (struct ompp_time_share){ c->sum.overhead_ns[OMPP_IMBAL], c->sum.error_ns[OMPP_IMBAL], 0,
		                              "waiting: at the end of a loop or region (imbalance)", OMPP_TIME_IMBAL };
	shares[3] = (struct ompp_time_share){ c->sum.overhead_ns[OMPP_LIMPAR], c->sum.error_ns[OMPP_LIMPAR], 0,
		                              "waiting: single, or too few sections (limited parallelism)",
		                              OMPP_TIME_LIMPAR };
	shares[4] = (struct ompp_time_share){ c->sum.overhead_ns[OMPP_MGMT], c->sum.error_ns[OMPP_MGMT], 0,
		                              "making teams and tasks (management)", OMPP_TIME_MGMT };
	/* the clocks of threads and of the run are not read at the same moment */
	threads_ns = c->thread_work_ns < serial_ns ? c->thread_work_ns : serial_ns;
	serial_ns -= threads_ns;
	waits_ns = c->thread_wait_ns < serial_ns ? c->thread_wait_ns : serial_ns;
	serial_ns -= waits_ns;
	shares[5] = (struct ompp_time_share){ threads_ns, 0, 1, "work of threads that the program made itself",
		                              OMPP_TIME_WORK };
	shares[6] = (struct ompp_time_share){ waits_ns, 0, 1,
		                              "waiting of threads: mutex, condition, join and their kin",
		                              OMPP_TIME_SYNCH };
	shares[7] = (struct ompp_time_share){ serial_ns, 0, 0, shares_outside(a, c), OMPP_TIME_SERIAL };
	shares[8] = (struct ompp_time_share){ before_ns, 0, 1, "before main(): loading of libraries, constructors",
		                              OMPP_TIME_SERIAL };
	shares[9] = (struct ompp_time_share){ mpi_ns, 0, 1, "in MPI, outside of parallel regions: one thread alone",
		                              OMPP_TIME_SERIAL };
	shares[10] = (struct ompp_time_share){ team_mpi_ns, 0, 1, "in MPI, in parallel regions", OMPP_TIME_SYNCH };
	shares[11] = (struct ompp_time_share){ rest_ns, 0, 1, "in no team while other threads were in one",
		                               OMPP_TIME_SERIAL };
	shares[12] = (struct ompp_time_share){ cost_ns, 0, 1, "the profiler's own cost, in none of the above",
		                               OMPP_TIME_MGMT };
}

int ompp_time_share_is_shown(const struct ompp_time_shares *all, int i)
{
	return !all->list[i].is_optional || ompp_share(all->list[i].ns, all->base_ns) >= 50000;
}
