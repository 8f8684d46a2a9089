/*
 * Finding, ranks: some ranks of MPI have more to do than others, which wait for them.  It is apart from threads of one
 * rank that wait for each other: a rank's time here is all that it spends outside of MPI.  Where it is one rank alone
 * whose first thread works while no team does, that is a finding of its own.
 */
#include "reports/findings/finding.h"

#include <errno.h>

#include "reports/analysis/efficiency.h"
#include "reports/analysis/label.h"
#include "reports/analysis/rank_waiting.h"

enum { SERIAL_PART = 4 }; /* all but one part of so many has to be serial */
enum { ALONE_PART = 4 };  /* a rank stands out where the next one has at most so small a part of what it has too much */

/* How the time outside of MPI divides over ranks, in the run or in a region. */
struct spread {
	uint32_t most, least; /* indices of ranks */
	int64_t most_ns, next_ns, least_ns, mean_ns;
};

static struct spread spread_of(const struct ompp_efficiency *e)
{
	struct spread s = { .most_ns = e->outside_ns[0], .least_ns = e->outside_ns[0] };
	__int128 sum = e->outside_ns[0];

	for (uint32_t i = 1; i < e->n_processes; i++) {
		int64_t ns = e->outside_ns[i];

		sum += ns;
		if (ns > s.most_ns) {
			s.next_ns = s.most_ns;
			s.most_ns = ns;
			s.most = i;
		} else if (ns > s.next_ns) {
			s.next_ns = ns;
		}
		if (ns < s.least_ns) {
			s.least_ns = ns;
			s.least = i;
		}
	}
	s.mean_ns = (int64_t)(sum / e->n_processes);
	return s;
}

/* Does the one rank have more than all others, of whom none has much more than the mean? */
static int is_alone(const struct spread *s)
{
	return s->next_ns - s->mean_ns < (s->most_ns - s->mean_ns) / ALONE_PART;
}

static void say_rank(struct ompp_text *t, const struct ompp_profile *p, uint32_t rank)
{
	ompp_text_str(t, "rank ");
	ompp_text_str(t, p->processes[rank].name + 1); /* r3 */
	if (p->processes[rank].host[0]) {
		ompp_text_str(t, " (host ");
		ompp_text_str(t, p->processes[rank].host);
		ompp_text_char(t, ')');
	}
}

/* Returns the region in which that rank has most of what it has too much, if that is at least half; NULL when it is
 * in no one region. */
static const struct ompp_efficiency *unequal_region(const struct ompp_efficiencies *all, const struct spread *run)
{
	const struct ompp_efficiency *best = NULL;
	int64_t best_ns = (run->most_ns - run->mean_ns) / 2;

	for (size_t i = 1; i < all->n; i++) {
		struct spread s = spread_of(&all->list[i]);
		int64_t more_ns = all->list[i].outside_ns[run->most] - s.mean_ns;

		if (more_ns >= best_ns) { /* of regions in each other the inner one, which comes later */
			best = &all->list[i];
			best_ns = more_ns;
		}
	}
	return best;
}

/* Says how others waited for the rank in MPI, where calls of theirs were compared and it is the one for which they
 * waited longest. */
static void say_waits(const struct ompp_analysis *a, uint32_t process, struct ompp_text *t)
{
	struct ompp_region_waits w;

	if (ompp_region_waits(a->profile, a->arena, OMPP_NONE, &w) || w.sum.rank == OMPP_NONE ||
	    w.for_it_ns <= w.sum.error_ns || w.sum.rank != ompp_rank_of_process(&a->profile->processes[process]))
		return;
	ompp_text_str(t, " In MPI, of ");
	ompp_say_time(t, ompp_rank_wait_sum(&w.sum));
	ompp_text_str(t, " that ranks waited for others in calls that were compared, ");
	ompp_say_time(t, w.for_it_ns);
	ompp_text_str(t, " was for this rank");
	if (w.sum.n_last) {
		ompp_text_str(t, "; it was the last in ");
		ompp_text_u64(t, w.n_it_last);
		ompp_text_str(t, " of ");
		ompp_say_count(t, w.sum.n_last, "collective call");
	}
	ompp_text_char(t, '.');
}

static const char *evidence_of(const struct ompp_analysis *a, const struct spread *run,
                               const struct ompp_efficiency *region)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_text t;

	ompp_say_start_long(&t, a->arena);
	ompp_text_str(&t, "Outside of MPI, ");
	say_rank(&t, p, run->most);
	ompp_text_str(&t, " has most, ");
	ompp_say_time(&t, run->most_ns);
	ompp_text_str(&t, "; the mean is ");
	ompp_say_time(&t, run->mean_ns);
	ompp_text_str(&t, ", and ");
	say_rank(&t, p, run->least);
	ompp_text_str(&t, " has least, ");
	ompp_say_time(&t, run->least_ns);
	ompp_text_str(&t, ". ");
	if (p->n_processes > 2 && is_alone(run))
		ompp_text_str(&t, "It stands out: no other rank has much more than the mean. ");
	if (region) {
		struct spread s = spread_of(region);

		ompp_text_str(&t, "Most of that is in ");
		ompp_text_str(&t, ompp_region_label(a, &p->regions[region->region]));
		ompp_text_str(&t, ": ");
		ompp_say_time(&t, region->outside_ns[run->most]);
		ompp_text_str(&t, " there, where the mean is ");
		ompp_say_time(&t, s.mean_ns);
		ompp_text_char(&t, '.');
	} else {
		ompp_text_str(&t, "Most of that is in no one parallel region, user region or function: it may be the "
		                  "work of its first thread alone.");
	}
	say_waits(a, run->most, &t);
	return t.data;
}

/* Returns how long the rank with most works alone for longer than any other one does, if that is most of what it has
 * too much; else 0. */
static int64_t serial_of_one_ns(const struct ompp_efficiency *e, const struct spread *run)
{
	int64_t next_ns = 0, more_ns;

	for (uint32_t i = 0; i < e->n_processes; i++)
		if (i != run->most && e->alone_ns[i] > next_ns)
			next_ns = e->alone_ns[i];
	more_ns = e->alone_ns[run->most] - next_ns;
	if (e->n_threads <= e->n_processes) /* threads that could have a part of it are none */
		return 0;
	return more_ns >= (run->most_ns - run->mean_ns) / SERIAL_PART * (SERIAL_PART - 1) ? more_ns : 0;
}

static const char *evidence_of_serial(const struct ompp_analysis *a, const struct ompp_efficiency *e,
                                      const struct spread *run, int64_t more_ns, const struct ompp_efficiency *region)
{
	struct ompp_text t;

	ompp_say_start_long(&t, a->arena);
	ompp_text_str(&t, "Outside of MPI and of parallel regions, ");
	say_rank(&t, a->profile, run->most);
	ompp_text_str(&t, " has ");
	ompp_say_time(&t, e->alone_ns[run->most]);
	ompp_text_str(&t, ", and each other rank at most ");
	ompp_say_time(&t, e->alone_ns[run->most] - more_ns);
	ompp_text_str(&t, ". Meanwhile its other threads have nothing to do, and the other ranks wait for it.");
	if (region) {
		ompp_text_str(&t, " Most of what it has more is in ");
		ompp_text_str(&t, ompp_region_label(a, &a->profile->regions[region->region]));
		ompp_text_char(&t, '.');
	}
	say_waits(a, run->most, &t);
	return t.data;
}

void ompp_find_ranks(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_finding f = { .name = "UnequalRanks", .region = OMPP_NONE };
	const struct ompp_efficiency *region;
	const struct ompp_efficiencies *all;
	struct spread run;
	int64_t queued_ns, serial_ns;

	if (p->n_processes < 2 || p->mpi_rank < 0 || finder->is_short)
		return;
	all = ompp_efficiencies(a);
	if (!all) {
		finder->rc = -ENOMEM;
		return;
	}
	if (!all->has_mpi || all->has_hosts || all->is_part)
		return;
	run = spread_of(&all->list[0]);
	queued_ns = p->processes[run.most].queued_ns;
	if (queued_ns != OMPP_MISSING && queued_ns > (run.most_ns - run.mean_ns) / 2)
		return; /* it had to wait for a processor, which says nothing of its work */
	region = unequal_region(all, &run);
	f.region = region ? region->region : OMPP_NONE;
	f.gain_ns = run.most_ns - run.mean_ns;
	f.ns = ompp_times(f.gain_ns, all->list[0].n_threads);
	f.evidence = evidence_of(a, &run, region);
	f.advice = is_alone(&run) && p->n_processes > 2
	                 ? "See what this rank does that the others do not, and divide it; if it does the same, its "
	                   "host may be slower."
	                 : "Divide the work more equally over ranks: smaller blocks, or blocks of unequal size by what "
	                   "they cost.";
	serial_ns = serial_of_one_ns(&all->list[0], &run);
	if (serial_ns > 0) {
		f.name = "SerialPartOfOneRank";
		f.evidence = evidence_of_serial(a, &all->list[0], &run, serial_ns, region);
		f.advice = "Divide this work over ranks and threads, let all ranks do it if it is short, or let the "
			   "others "
			   "go on meanwhile (calls that do not wait: MPI_Ibcast, MPI_Irecv).";
	}
	ompp_find(finder, &f);
}
