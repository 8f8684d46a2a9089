/*
 * Show ranks: ompp report of so many ranks that their profiles are read one by one, and only sums are kept.
 */
#include "reports/show/show_ranks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/analysis/report_options.h"
#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/command/terminal.h"
#include "reports/profile/misfit.h"
#include "reports/ranks/rank_missing.h"
#include "reports/ranks/rank_sums.h"
#include "reports/report.h"
#include "reports/show/load_ahead.h"
#include "reports/show/show.h"
#include "reports/show/show_ranks_findings.h"
#include "reports/tables/fact.h"
#include "runtime/base/text.h"

int ompp_show_ranks_is(char **paths, size_t n, const struct ompp_report_options *o)
{
	int64_t n_bytes = 0;
	struct stat st;

	if (!o->most_ranks || n <= o->most_ranks || o->ranks || o->region || o->object || o->sort || o->columns ||
	    o->by || o->instances || (o->views && o->views[0]) || !ompp_report_is_text(o->format))
		return 0;
	for (size_t i = 0; i < n && n_bytes <= OMPP_MOST_WHOLE_BYTES; i++)
		if (!stat(paths[i], &st))
			n_bytes += st.st_size;
	return n_bytes > OMPP_MOST_WHOLE_BYTES;
}

/* ---- reading ---- */

struct reading {
	struct ompp_load_ahead ahead;
	struct ompp_arena scratch; /* of the rank that is being added */
	struct ompp_rank_sums sums;
	struct ompp_profile first; /* with which each other is compared */
	uint8_t *is_there;         /* by rank */
	int size;                  /* of the MPI run */
	int is_damaged;
};

/* Says why a profile is not of this run.  Returns 0 when it is. */
static int is_foreign(struct reading *r, size_t i, const struct ompp_profile *p)
{
	const struct ompp_profile two[] = { r->first, *p };
	char **paths = r->ahead.paths;
	size_t other;
	const char *cause = i ? ompp_misfit(two, 1, &other, &r->scratch) : NULL;

	if (p->mpi_rank < 0 || p->mpi_rank >= r->size)
		cause = "no ranks of one MPI run";
	else if (!cause && r->is_there[p->mpi_rank])
		cause = "ranks of which two are the same";
	if (cause)
		ompp_complain("report", "%s, %s: not added up: they are %s; give the ranks of one MPI run", paths[0],
		              paths[i], cause);
	return cause != NULL;
}

/* Adds one file.  Returns 0, or the exit status after a complaint. */
static int add_file(struct reading *r, size_t i)
{
	struct ompp_arena *arena = r->sums.arena;
	struct ompp_profile p;
	int status = 0;

	if (ompp_load_ahead(&r->ahead, i, i ? &r->scratch : arena, &p)) {
		status = OMPP_EXIT_FAILED;
	} else {
		if (!i) {
			r->first = p;
			r->size = p.mpi_size;
			r->is_there = ompp_arena_alloc(arena, (size_t)(r->size > 0 ? r->size : 0) + 1);
		}
		r->is_damaged |= p.is_damaged;
		if (!r->is_there)
			status = OMPP_EXIT_FAILED;
		else if (is_foreign(r, i, &p))
			status = OMPP_EXIT_USAGE;
		else if (ompp_rank_sums_add(&r->sums, &p, &r->scratch)) {
			ompp_complain("report", "not enough memory");
			status = OMPP_EXIT_FAILED;
		}
		if (!status)
			r->is_there[p.mpi_rank] = 1;
	}
	ompp_arena_reset(&r->scratch);
	return status;
}

/* ---- printing ---- */

/* The efficiencies of all ranks, those that are known. */
static int print_efficiencies(const struct reading *r, struct ompp_table *table, const char *format)
{
	struct ompp_efficiencies all = r->sums.all;
	struct ompp_efficiency run = r->sums.run;

	all.is_part = (int)r->sums.n_ranks < r->size;
	ompp_efficiency_set(&run, &all);
	ompp_table_start(table, OMPP_STYLE_GRID, "", "Efficiency (%), of the whole time of the longest rank:");
	ompp_table_left_column(table, "", OMPP_IN_BOTH);
	ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	for (int k = 0; k < OMPP_N_EFFICIENCIES; k++) {
		if (run.share[k] == OMPP_MISSING)
			continue;
		ompp_table_text(table, ompp_efficiency_infos[k].title);
		ompp_table_number(table, OMPP_KIND_SHARE, run.share[k]);
	}
	return ompp_print_table(format, table);
}

static void row_put(struct ompp_table *table, const char *title, enum ompp_kind kind, const struct ompp_rank_spread *s)
{
	ompp_table_text(table, title);
	ompp_rank_spread_put(table, kind, s);
	ompp_table_number(table, kind == OMPP_KIND_NONE ? OMPP_KIND_COUNT : kind,
	                  !s->n || s->all > INT64_MAX ? OMPP_MISSING : (int64_t)s->all);
}

static int print_run(const struct reading *r, struct ompp_table *table, const char *format)
{
	static const char *const titles[OMPP_N_RANK_TIMES] = {
		[OMPP_RANK_WALL] = "wall time",
		[OMPP_RANK_WORK] = "work in parallel regions",
		[OMPP_RANK_WAITING] = "waiting in them",
		[OMPP_RANK_MANAGING] = "making teams and tasks",
		[OMPP_RANK_MPI] = "in MPI",
		[OMPP_RANK_SERIAL] = "outside of both (one thread)",
		[OMPP_RANK_OUTSIDE] = "outside of MPI, by thread",
	};

	ompp_table_start(table, OMPP_STYLE_GRID, "", "The run, of all threads of a rank (seconds)");
	ompp_rank_spread_columns(table, 0);
	for (int i = 0; i < OMPP_N_RANK_TIMES; i++)
		row_put(table, titles[i], OMPP_KIND_TIME, &r->sums.times[i]);
	return ompp_print_table(format, table);
}

static int print_facts(const struct reading *r, struct ompp_table *table, const char *format)
{
	const struct ompp_rank_sums *s = &r->sums;
	uint32_t *ranks = ompp_arena_alloc(table->arena, (s->n_ranks + 1) * sizeof(*ranks));
	size_t n = 0;
	char buffer[256];
	struct ompp_text t;

	if (!ranks)
		return OMPP_EXIT_FAILED;
	for (int i = 0; i < r->size; i++)
		if (r->is_there[i])
			ranks[n++] = (uint32_t)i;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_table_start(table, OMPP_STYLE_FACTS, "", "");
	ompp_table_left_columns(table, OMPP_IN_BOTH, "label", "value");
	ompp_text_fact(table, "Application Name", r->first.app);
	ompp_fact_date(&t, r->first.start_unix_ns, r->first.utc_offset_s);
	ompp_fact(table, "Start Date", &t);
	ompp_text_u64(&t, s->n_ranks);
	ompp_text_str(&t, " of ");
	ompp_text_i64(&t, r->size);
	ompp_fact(table, "MPI Ranks", &t);
	if ((int)s->n_ranks < r->size) {
		ompp_rank_missing_put(&t, ranks, n, r->size);
		ompp_fact(table, "Missing Ranks", &t);
	}
	ompp_number_fact(table, "Threads", (int64_t)s->run.n_threads);
	if (s->n_notes)
		ompp_number_fact(table, "Notes", (int64_t)s->n_notes);
	return ompp_print_table(format, table);
}

static int print_part(const struct ompp_rank_part *part, uint32_t n_ranks, struct ompp_table *table, const char *format)
{
	size_t n = strlen(part->label) + 96;
	char *heading = ompp_arena_alloc(table->arena, n);
	size_t columns = part->n_columns;

	if (!heading)
		return OMPP_EXIT_FAILED;
	snprintf(heading, n, "%s %s, %u of %u ranks", part->label, ompp_construct_name(part->construct),
	         part->spreads[0].n, n_ranks);
	ompp_table_start(table, OMPP_STYLE_GRID, "", heading);
	ompp_rank_spread_columns(table, 0);
	for (size_t c = 0; c < columns; c++)
		row_put(table, part->titles[c], part->kinds[c], &part->spreads[c]);
	return ompp_print_table(format, table);
}

static int print_legend(const struct reading *r, struct ompp_table *table, const char *format)
{
	ompp_table_start(table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_text(
		table,
		"Numbers of a rank are the sums of its threads; the mean is that of the ranks that were there. So "
		"large profiles are read one by one: --ranks=all, --view or --region reads all at once and has all "
		"sections.");
	if (r->sums.has_untimed)
		ompp_table_text(table, "Some times are estimates from visits that were timed; their errors are not "
		                       "shown here.");
	if (r->sums.has_counters || r->sums.has_data)
		ompp_table_text(table, "Counters and data objects are not shown here.");
	return ompp_print_table(format, table);
}

int ompp_show_ranks(char **paths, size_t n, const struct ompp_report_options *options)
{
	struct ompp_arena arena;
	struct reading r = { .ahead = { .paths = paths, .n = n },
		             .sums = { .arena = &arena, .most_ranks = (uint32_t)n } };
	struct ompp_table table;
	pid_t pager = 0;
	int status = 0;

	ompp_arena_init(&arena, 0);
	for (size_t i = 0; i < n && !status; i++)
		status = add_file(&r, i);
	ompp_load_ahead_fini(&r.ahead);
	ompp_arena_fini(&r.scratch);
	if (!status) {
		ompp_table_init(&table, &arena);
		pager = ompp_pager_start();
		status = print_facts(&r, &table, options->format);
		if (!status)
			status = print_run(&r, &table, options->format);
		if (!status)
			status = print_efficiencies(&r, &table, options->format);
		if (!status)
			status = ompp_print_status(
				ompp_show_ranks_findings(&r.sums, &r.first, r.size, options, &arena));
		for (size_t i = 0; i < r.sums.n_parts && !status; i++)
			status = print_part(&r.sums.parts[i], r.sums.n_ranks, &table, options->format);
		if (!status)
			status = print_legend(&r, &table, options->format);
		if (ompp_pager_end(pager) && !status)
			status = OMPP_EXIT_FAILED;
	}
	ompp_arena_fini(&arena);
	return status ? status : r.is_damaged ? OMPP_EXIT_FAILED : 0;
}
