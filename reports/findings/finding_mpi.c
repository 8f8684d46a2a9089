/*
 * Finding, MPI: calls of MPI outside of parallel regions, in which a rank's other threads have nothing to do.  Starting
 * and ending MPI, and making communicators, is none of that.
 */
#include "reports/findings/finding.h"

#include <errno.h>

#include "reports/analysis/label.h"
#include "reports/analysis/rank_waiting.h"

int64_t ompp_mpi_outside_ns(const struct ompp_analysis *a, int64_t *ns)
{
	const struct ompp_profile *p = a->profile;
	int64_t sum_ns = 0;

	for (uint32_t i = 1; i < p->n_nodes; i++) {
		uint32_t region = p->nodes[i].region;

		if (a->team[i] != OMPP_NONE || region == OMPP_NONE || !ompp_construct_is_mpi(p->nodes[i].construct) ||
		    p->nodes[i].construct == OMPP_MPI_MANAGEMENT)
			continue;
		sum_ns = ompp_add(sum_ns, a->wall_ns[i]);
		ns[region] = ompp_add(ns[region], a->wall_ns[i]);
	}
	return sum_ns;
}

/* Says what of that was waiting for other ranks, and for which.  Returns 0 or -ENOMEM. */
static int say_waits(const struct ompp_analysis *a, uint32_t region, struct ompp_text *t)
{
	struct ompp_region_waits w;
	int64_t waited_ns;

	if (ompp_region_waits(a->profile, a->arena, region, &w))
		return -ENOMEM;
	waited_ns = ompp_rank_wait_sum(&w.sum);
	if (w.sum.time_ns <= 0 || w.sum.error_ns > w.sum.time_ns / 4) {
		ompp_text_str(t, " Whether a call moves data or waits for another rank is not told.");
		return 0;
	}
	ompp_text_str(t, " Of the calls there that were compared with those of the other ranks, ");
	ompp_say_share(t, ompp_share(waited_ns, w.sum.time_ns));
	ompp_text_str(t, " was waiting for another rank");
	if (w.for_it_ns > waited_ns / 2) {
		ompp_text_str(t, ", mostly for rank ");
		ompp_text_u64(t, w.sum.rank);
	}
	ompp_text_char(t, '.');
	return 0;
}

void ompp_find_mpi_outside(struct ompp_finder *finder, const struct ompp_mpi_outside *mpi)
{
	const struct ompp_analysis *a = finder->analysis;
	struct ompp_finding f = {
		.name = "MpiWhileThreadsIdle", .region = mpi->region, .ns = mpi->idle_ns, .gain_ns = OMPP_MISSING
	};
	struct ompp_text t;

	if (mpi->region == OMPP_NONE)
		return;
	ompp_say_start(&t, a->arena);
	ompp_say_time(&t, mpi->ns);
	ompp_text_str(&t, " of ");
	ompp_say_time(&t, a->measured_ns);
	ompp_text_str(&t, " (");
	ompp_say_share(&t, ompp_share(mpi->ns, a->measured_ns));
	ompp_text_str(&t, ") lie in calls of MPI outside of parallel regions, and a rank's other threads have "
	                  "nothing to do meanwhile. Most of that is in ");
	ompp_text_str(&t, ompp_region_label(a, &a->profile->regions[f.region]));
	ompp_text_char(&t, '.');
	if (say_waits(a, f.region, &t)) {
		finder->rc = -ENOMEM;
		return;
	}
	f.evidence = t.data;
	f.advice =
		"Compare the ranks: one that comes late lets the others wait there. Use more ranks with fewer threads, "
		"or let threads compute while one communicates.";
	ompp_find(finder, &f);
}

void ompp_find_mpi(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_classes *c = &finder->classes;
	size_t n = a->profile->n_regions;
	int64_t *ns = ompp_analysis_array(a, n, sizeof(*ns), 0), most_ns = 0;
	struct ompp_mpi_outside mpi = { .region = OMPP_NONE };

	if (c->idle_ns == OMPP_MISSING || c->idle_ns <= 0 || c->serial_ns <= 0 || c->mpi_ns <= 0 || finder->is_short ||
	    finder->is_busy || !ns) /* ranks wait for those that have no processor */
		return;
	mpi.ns = ompp_mpi_outside_ns(a, ns);
	for (uint32_t i = 0; i < n; i++)
		if (ns[i] > most_ns) {
			most_ns = ns[i];
			mpi.region = i;
		}
	mpi.ns = mpi.ns < c->mpi_ns ? mpi.ns : c->mpi_ns;
	mpi.idle_ns = (int64_t)((__int128)c->idle_ns * mpi.ns / c->serial_ns);
	ompp_find_mpi_outside(finder, &mpi);
}
