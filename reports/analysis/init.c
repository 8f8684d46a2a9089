/*
 * Init: see init.h.
 */
#include "reports/analysis/init.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/formula.h"
#include "reports/analysis/label.h"
#include "reports/analysis/links.h"
#include "reports/analysis/numa.h"
#include "reports/analysis/selection.h"
#include "reports/analysis/traffic.h"
#include "reports/analysis/untimed.h"
#include "reports/analysis/weights.h"

/* The width for which the summary is made, at least, as in a file, and at most.  A narrower terminal has more lines. */
enum { LEAST_COLUMNS = 80, MOST_COLUMNS = 200 };

/* Returns the most threads that the program can have at a time: as many as it asked OpenMP for, or the number of rows
 * that are distinct threads if that is more.  Rank 0 of an inner team is the thread that forked the team, so it does
 * not count. */
static uint32_t count_threads(const struct ompp_profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_rows; i++)
		n += p->rows[i].rank || p->rows[i].parent == OMPP_NONE;
	return n > p->max_threads ? (uint32_t)n : p->max_threads ? p->max_threads : 1;
}

int ompp_analysis_init(struct ompp_analysis *a, const struct ompp_profile *profile,
                       const struct ompp_report_options *options, struct ompp_arena *arena)
{
	int rc;

	memset(a, 0, sizeof(*a));
	a->profile = profile;
	a->arena = arena;
	a->top = options->top;
	a->rows = options->rows;
	a->ranks = options->ranks;
	a->most_ranks = options->most_ranks;
	a->columns = options->text_columns < LEAST_COLUMNS ? LEAST_COLUMNS
	           : options->text_columns > MOST_COLUMNS  ? MOST_COLUMNS
	                                                   : options->text_columns;
	a->line_columns = options->text_columns && options->text_columns < a->columns ? options->text_columns
	                                                                              : a->columns;
	a->property_min = options->property_min;
	a->far_min = options->far_min;
	a->emulated = options->numa ? options->emulated : profile->numa_emulated;
	a->object = options->object;
	a->instances = options->instances;
	a->roofs = options->roofs;
	a->times = options->times;
	a->memory_rate = options->memory_rate;
	a->path = options->path;
	a->has_untimed = ompp_untimed_any(profile);
	a->all_columns = options->columns && !strcmp(options->columns, "all");
	a->measured_ns = ompp_subtract(profile->duration_ns, profile->off_ns);
	a->n_threads = count_threads(profile);
	if (__builtin_mul_overflow(a->measured_ns, (int64_t)a->n_threads, &a->capacity_ns))
		a->capacity_ns = INT64_MAX;
	a->wait = ompp_analysis_array(a, profile->n_cells, sizeof(const struct ompp_wait *), 0);
	a->made = ompp_analysis_array(a, 1, sizeof(*a->made), 0);
	if (!a->wait || !a->made)
		return -ENOMEM;
	for (size_t i = 0; i < profile->n_waits; i++)
		a->wait[profile->waits[i].cell] = &profile->waits[i];
	rc = ompp_label_files(a);
	if (!rc)
		rc = ompp_analysis_link(a);
	if (!rc)
		rc = ompp_analysis_weigh(a);
	if (!rc)
		rc = ompp_analysis_select(a, options);
	a->formulas = ompp_formulas(profile, arena);
	if (!rc && !a->formulas)
		rc = -ENOMEM;
	if (!rc)
		rc = ompp_numa_init(a, &a->numa);
	return rc ? rc : ompp_traffic_init(a, options->object, &a->traffic);
}
