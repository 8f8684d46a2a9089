/*
 * Rank sums: see rank_sums.h.  Only in the program ompp.
 */
#include "reports/ranks/rank_sums.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/init.h"
#include "reports/analysis/label.h"
#include "reports/analysis/report_options.h"
#include "reports/findings/finding.h"
#include "reports/tables/layout.h"
#include "runtime/base/text.h"

/* ---- what is kept of each rank ---- */

/* Makes room for all ranks.  Returns 0 or -ENOMEM. */
static int sums_begin(struct ompp_rank_sums *s)
{
	s->queued_ns = 0;
	s->processes = ompp_arena_alloc(s->arena, s->most_ranks * sizeof(*s->processes));
	s->outside_ns = ompp_arena_alloc(s->arena, s->most_ranks * sizeof(*s->outside_ns));
	s->alone_ns = ompp_arena_alloc(s->arena, s->most_ranks * sizeof(*s->alone_ns));
	s->met = ompp_arena_alloc(s->arena, s->most_ranks * sizeof(*s->met));
	return s->processes && s->outside_ns && s->alone_ns && s->met ? 0 : -ENOMEM;
}

static int keep_process(struct ompp_rank_sums *s, const struct ompp_profile *p, const char *rank)
{
	struct ompp_process *process = &s->processes[s->n_ranks];

	*process = (struct ompp_process){ .name = rank,
		                          .queued_ns = p->queued_ns,
		                          .host = ompp_profile_condition(p, "Host") };
	process->host = s->n_ranks && !strcmp(process->host, s->processes[s->n_ranks - 1].host)
	                      ? s->processes[s->n_ranks - 1].host
	                      : ompp_arena_strdup(s->arena, process->host);
	s->queued_ns = ompp_add_known(s->queued_ns, p->queued_ns);
	return process->host ? 0 : -ENOMEM;
}

/* ---- regions ---- */

static int is_same(const struct ompp_rank_part *part, const struct ompp_region *r, enum ompp_construct construct)
{
	return part->construct == construct && part->region.construct == r->construct &&
	       part->region.begin_line == r->begin_line && part->region.end_line == r->end_line &&
	       !strcmp(part->region.file, r->file) && !strcmp(part->region.name, r->name) &&
	       !strcmp(ompp_region_instantiation(&part->region), ompp_region_instantiation(r));
}

/* Finds a region, usually behind the one that was found last, as ranks have most in the same order.  NULL: it is new.
 */
static struct ompp_rank_part *part_find(struct ompp_rank_sums *s, const struct ompp_region *r,
                                        enum ompp_construct construct)
{
	for (size_t i = 0; i < s->n_parts; i++) {
		size_t k = (s->last + 1 + i) % s->n_parts;

		if (is_same(&s->parts[k], r, construct)) {
			s->last = k;
			return &s->parts[k];
		}
	}
	return NULL;
}

static struct ompp_rank_part *part_add(struct ompp_rank_sums *s, const struct ompp_analysis *a,
                                       const struct ompp_region *r, enum ompp_construct construct)
{
	struct ompp_rank_part *parts = ompp_arena_grow(s->arena, s->parts, &s->have_parts, s->n_parts + 1,
	                                               sizeof(*parts));
	const char *label = ompp_region_location(a, r);
	struct ompp_rank_part *part;

	if (!parts || !label)
		return NULL;
	s->parts = parts;
	s->last = s->n_parts;
	part = &parts[s->n_parts++];
	*part = (struct ompp_rank_part){ .region = *r, .construct = construct };
	part->region.file = ompp_arena_strdup(s->arena, r->file);
	part->region.name = ompp_arena_strdup(s->arena, r->name);
	part->region.instantiation = ompp_arena_strdup(s->arena, ompp_region_instantiation(r));
	part->label = ompp_arena_strdup(s->arena, label);
	return part->region.file && part->region.name && part->region.instantiation && part->label ? part : NULL;
}

/* Adds a rank's sums of a region, which stand in a table of one row.  Returns 0 or -ENOMEM. */
static int part_put(struct ompp_rank_sums *s, struct ompp_rank_part *part, const struct ompp_table *table,
                    const char *rank)
{
	if (table->rc)
		return table->rc;
	for (size_t c = 1; c < table->n_columns && c <= OMPP_RANK_SUMS_COLUMNS; c++) {
		const struct ompp_value *v = &table->values[c];

		if (c > part->n_columns) {
			part->titles[part->n_columns] = ompp_arena_strdup(s->arena, table->columns[c].title);
			part->kinds[part->n_columns] = OMPP_KIND_NONE;
			if (!part->titles[part->n_columns++])
				return -ENOMEM;
		}
		if (v->kind != OMPP_KIND_NONE)
			part->kinds[c - 1] = v->kind;
		ompp_rank_spread_add(&part->spreads[c - 1], v->kind == OMPP_KIND_NONE ? OMPP_MISSING : v->number, rank);
	}
	return 0;
}

static int add_regions(struct ompp_rank_sums *s, const struct ompp_analysis *a, const char *rank)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table table;
	int rc = 0;

	ompp_table_init(&table, a->arena);
	for (uint32_t r = 0; r < p->n_regions && !rc; r++)
		for (int kind = 0; kind < 2 && !rc; kind++) {
			enum ompp_construct construct = kind ? OMPP_TASKEXEC : p->regions[r].construct;
			struct ompp_line line = { .row = OMPP_NONE, .label = "" };
			struct ompp_rank_part *part;

			if (a->same_first[kind][r] == OMPP_NONE)
				continue;
			part = part_find(s, &p->regions[r], construct);
			part = part ? part : part_add(s, a, &p->regions[r], construct);
			if (!part)
				return -ENOMEM;
			line.cell = a->sums[kind][r];
			ompp_table_start(&table, OMPP_STYLE_GRID, "", "");
			ompp_layout_columns(a, construct, 0, 0, NULL, &table);
			ompp_layout_row(a, construct, 0, 0, NULL, &line, &table);
			rc = part_put(s, part, &table, rank);
		}
	return rc;
}

/* ---- the run ---- */

static int add_times(struct ompp_rank_sums *s, const struct ompp_analysis *a, const char *rank)
{
	int64_t lost_ns, mpi_ns, serial_ns;
	struct ompp_classes c;
	int rc = ompp_classes(a, &c);

	if (rc)
		return rc;
	lost_ns = ompp_add(c.sum.overhead_ns[OMPP_SYNCH],
	                   ompp_add(c.sum.overhead_ns[OMPP_IMBAL], c.sum.overhead_ns[OMPP_LIMPAR]));
	mpi_ns = ompp_add(c.mpi_ns, c.team_mpi_ns);
	serial_ns = c.serial_ns == OMPP_MISSING ? OMPP_MISSING : ompp_subtract(c.serial_ns, c.mpi_ns);
	ompp_rank_spread_add(&s->times[OMPP_RANK_WALL], a->measured_ns, rank);
	ompp_rank_spread_add(&s->times[OMPP_RANK_WORK],
	                     ompp_subtract(ompp_subtract(c.sum.own_ns, c.team_mpi_ns),
	                                   ompp_add(lost_ns, c.sum.overhead_ns[OMPP_MGMT])),
	                     rank);
	ompp_rank_spread_add(&s->times[OMPP_RANK_WAITING], lost_ns, rank);
	ompp_rank_spread_add(&s->times[OMPP_RANK_MANAGING], c.sum.overhead_ns[OMPP_MGMT], rank);
	ompp_rank_spread_add(&s->times[OMPP_RANK_MPI], mpi_ns, rank);
	ompp_rank_spread_add(&s->times[OMPP_RANK_SERIAL], serial_ns, rank);
	return 0;
}

/* Keeps the rank's time outside of MPI in a region. */
static int keep_outside(struct ompp_rank_sums *s, const struct ompp_analysis *a, const struct ompp_efficiency *e)
{
	const struct ompp_region *r = &a->profile->regions[e->region];
	struct ompp_rank_part *part = part_find(s, r, r->construct);

	if (part && !part->outside_ns)
		part->outside_ns = ompp_arena_alloc(s->arena, s->most_ranks * sizeof(*part->outside_ns));
	if (part && !part->outside_ns)
		return -ENOMEM;
	if (part)
		part->outside_ns[s->n_ranks] = e->outside_ns[0];
	return 0;
}

/* Adds the time in calls of MPI outside of parallel regions. */
static int add_mpi(struct ompp_rank_sums *s, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t *ns = ompp_analysis_array(a, p->n_regions, sizeof(*ns), 0), sum_ns;

	if (!ns)
		return -ENOMEM;
	sum_ns = ompp_mpi_outside_ns(a, ns);
	s->mpi_ns = ompp_add(s->mpi_ns, sum_ns);
	s->idle_ns = ompp_add(s->idle_ns, ompp_times(sum_ns, a->n_threads ? a->n_threads - 1 : 0));
	for (uint32_t i = 0; i < p->n_regions; i++) {
		struct ompp_rank_part *part = ns[i] ? part_find(s, &p->regions[i], p->regions[i].construct) : NULL;

		if (part)
			part->mpi_ns = ompp_add(part->mpi_ns, ns[i]);
	}
	return 0;
}

/* Keeps the calls at which ranks wait for each other. */
static int keep_meetings(struct ompp_rank_sums *s, const struct ompp_profile *p)
{
	struct ompp_mpi_meeting *list = ompp_arena_alloc(s->arena, (p->n_meetings + 1) * sizeof(*list));
	struct ompp_profile *met = &s->met[s->n_ranks];
	const struct ompp_rank_part *part = NULL;
	uint32_t last = OMPP_NONE; /* the region of `part` */

	*met = (struct ompp_profile){ .mpi_rank = p->mpi_rank, .mpi_size = p->mpi_size, .meetings = list };
	met->clock_domain = s->n_ranks && !strcmp(met[-1].clock_domain, p->clock_domain)
	                          ? met[-1].clock_domain
	                          : ompp_arena_strdup(s->arena, p->clock_domain);
	if (!list || !met->clock_domain)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_meetings; i++) {
		const struct ompp_region *r = &p->regions[p->meetings[i].region];

		if (p->meetings[i].region != last)
			part = part_find(s, r, r->construct);
		last = p->meetings[i].region;
		if (!part)
			continue;
		list[met->n_meetings] = p->meetings[i];
		list[met->n_meetings++].region = (uint32_t)(part - s->parts);
	}
	return 0;
}

/* Adds what the efficiencies are made of. */
static int add_efficiency(struct ompp_rank_sums *s, const struct ompp_analysis *a, const char *rank)
{
	const struct ompp_efficiencies *all = ompp_efficiencies(a);
	const struct ompp_efficiency *run;

	if (!all)
		return -ENOMEM;
	run = &all->list[0];
	s->all.has_mpi |= all->has_mpi;
	s->all.has_hosts |= all->has_hosts;
	ompp_efficiency_add(&s->run, run);
	s->outside_ns[s->n_ranks] = run->outside_ns[0];
	s->alone_ns[s->n_ranks] = run->alone_ns[0];
	for (size_t i = 1; i < all->n; i++)
		if (keep_outside(s, a, &all->list[i]))
			return -ENOMEM;
	ompp_rank_spread_add(&s->times[OMPP_RANK_OUTSIDE], all->has_hosts ? OMPP_MISSING : run->outside_ns[0], rank);
	return 0;
}

/* ---- all ---- */

static const char *rank_name(struct ompp_rank_sums *s, const struct ompp_profile *p)
{
	char buffer[16];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_char(&t, p->mpi_rank >= 0 ? 'r' : 'p');
	ompp_text_i64(&t, p->mpi_rank >= 0 ? p->mpi_rank : (int64_t)s->n_ranks);
	return ompp_arena_strdup(s->arena, buffer);
}

int ompp_rank_sums_add(struct ompp_rank_sums *s, const struct ompp_profile *p, struct ompp_arena *scratch)
{
	struct ompp_report_options options = { .views = "" };
	struct ompp_profile times = *p; /* without what has no times */
	const char *rank = rank_name(s, p);
	struct ompp_analysis a;
	int rc;

	s->has_counters |= p->n_metrics != 0;
	s->has_data |= p->n_objects != 0;
	s->n_notes += p->n_notes;
	times.n_metrics = times.n_evals = times.n_numa_values = times.n_objects = 0;
	times.sample_source = "";
	if (!rank || (!s->n_ranks && sums_begin(s)) || s->n_ranks == s->most_ranks || keep_process(s, p, rank))
		return -ENOMEM;
	rc = ompp_analysis_init(&a, &times, &options, scratch);
	s->has_untimed |= !rc && a.has_untimed;
	if (!rc)
		rc = add_regions(s, &a, rank);
	if (!rc)
		rc = add_times(s, &a, rank);
	if (!rc)
		rc = add_efficiency(s, &a, rank);
	if (!rc)
		rc = add_mpi(s, &a);
	if (!rc)
		rc = keep_meetings(s, p);
	s->n_ranks++;
	return rc;
}
