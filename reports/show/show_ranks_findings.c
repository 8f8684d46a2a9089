/*
 * Show ranks findings: see show_ranks_findings.h.
 *
 * The themes of the findings about ranks look at a profile's regions and processes, and at the efficiencies.  So that
 * is what a profile of all ranks is made of here; it has no call paths, and no thread's numbers.  What ranks waited for
 * each other is found by what each kept of its calls, as where all profiles are added up.
 */
#include "reports/show/show_ranks_findings.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "reports/analysis/init.h"
#include "reports/findings/findings.h"
#include "reports/profile/merge_meetings.h"
#include "reports/report.h"

/* Returns a profile as the first rank's, but without all that it lists. */
static struct ompp_profile without_lists(const struct ompp_profile *first)
{
	struct ompp_profile p = *first;

#define SECTION(id, tag, record, list, n_list, table, sentence) p.n_list = 0;
#include "reports/profile/fields.def"
#undef SECTION
	return p;
}

/* Is it a region itself, and not the executions of its tasks? */
static int is_region(const struct ompp_rank_part *part)
{
	return part->construct == part->region.construct;
}

/* Fills in the regions, and their efficiencies behind that of the run.  Returns 0 or -ENOMEM.
 * region_of: set, by part */
static int add_regions(const struct ompp_rank_sums *s, struct ompp_profile *p, struct ompp_efficiencies *all,
                       struct ompp_mpi_outside *mpi, uint32_t *region_of, struct ompp_arena *arena)
{
	struct ompp_region *regions = ompp_arena_alloc(arena, (s->n_parts + 1) * sizeof(*regions));
	struct ompp_efficiency *list = ompp_arena_alloc(arena, (s->n_parts + 1) * sizeof(*list));
	int64_t most_ns = 0;

	if (!regions || !list)
		return -ENOMEM;
	list[all->n] = s->run;
	list[all->n].region = OMPP_NONE;
	list[all->n].outside_ns = s->outside_ns;
	list[all->n++].alone_ns = s->alone_ns;
	for (size_t i = 0; i < s->n_parts; i++) {
		const struct ompp_rank_part *part = &s->parts[i];

		if (!is_region(part))
			continue;
		if (part->outside_ns) {
			list[all->n].region = (uint32_t)p->n_regions;
			list[all->n].n_processes = s->n_ranks;
			list[all->n++].outside_ns = part->outside_ns;
		}
		if (part->mpi_ns > most_ns) {
			most_ns = part->mpi_ns;
			mpi->region = (uint32_t)p->n_regions;
		}
		region_of[i] = (uint32_t)p->n_regions;
		regions[p->n_regions++] = part->region;
	}
	p->regions = regions;
	all->list = list;
	return 0;
}

/* Fills in who waited for whom.  Returns 0 or -ENOMEM. */
static int add_waits(const struct ompp_rank_sums *s, struct ompp_profile *p, uint32_t *region_of,
                     struct ompp_arena *arena)
{
	struct ompp_merge_map *maps = ompp_arena_alloc(arena, (s->n_ranks + 1) * sizeof(*maps));

	for (uint32_t i = 0; maps && i < s->n_ranks; i++)
		maps[i].regions = region_of;
	return maps ? ompp_merge_meetings(s->met, s->n_ranks, maps, arena, p) : -ENOMEM;
}

int ompp_show_ranks_findings(const struct ompp_rank_sums *s, const struct ompp_profile *first, int size,
                             const struct ompp_report_options *options, struct ompp_arena *arena)
{
	struct ompp_profile p = without_lists(first);
	struct ompp_report_options shown = *options;
	struct ompp_efficiencies all = s->all;
	struct ompp_mpi_outside mpi = { OMPP_NONE, s->mpi_ns / (s->n_ranks ? s->n_ranks : 1), s->idle_ns };
	const struct ompp_node root = { .region = OMPP_NONE, .parent = OMPP_NONE };
	struct ompp_analysis a;
	uint32_t *region_of = ompp_arena_alloc(arena, (s->n_parts + 1) * sizeof(*region_of));
	int rc;

	all.is_part = (int)s->n_ranks < size;
	p.n_nodes = 1;
	p.nodes = &root;
	p.n_processes = s->n_ranks;
	p.processes = s->processes;
	p.n_merged = s->n_ranks;
	p.max_threads = s->run.n_threads;
	p.duration_ns = s->times[OMPP_RANK_WALL].most;
	p.off_ns = 0;
	p.queued_ns = s->queued_ns;
	shown.views = "properties,messages";
	rc = region_of ? add_regions(s, &p, &all, &mpi, region_of, arena) : -ENOMEM;
	if (!rc)
		rc = add_waits(s, &p, region_of, arena);
	if (!rc)
		rc = ompp_analysis_init(&a, &p, &shown, arena);
	if (rc)
		return rc;
	a.made->efficiencies = &all;
	rc = ompp_findings_of_ranks(&a, &mpi);
	if (!rc && fflush(stdout))
		rc = -errno;
	return rc ? rc : ompp_report_put(&a, &shown, STDOUT_FILENO);
}
