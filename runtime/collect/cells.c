/*
 * Cells: see cells.h.
 */
#include "runtime/collect/cells.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/core/region.h"
#include "runtime/sources/source.h"
#include "runtime/sums/sum_chunks.h"
#include "runtime/sums/sum_durations.h"
#include "runtime/sums/sum_waits.h"

enum { DETAIL_BYTES = 256 };

static struct ompp_clock_rate rate; /* the rate of the clock for this report; only one report is made at a time */

static int64_t to_ns(int64_t fp)
{
	return fp < 0 ? 0 : ompp_clock_ns(rate, fp / 256);
}

static int64_t collect_least0(int64_t v)
{
	return v < 0 ? 0 : v;
}

/* Marks a cell as missing when the barrier at its end had no events.  Then the barrier, the tasks that it ran, and
 * all of the rest outside the body are unknown. */
static void miss_barrier(struct ompp_cell *cell, enum ompp_construct construct)
{
	if (ompp_constructs[construct].counts == OMPP_COUNTS_BODIES)
		cell->mgmt_ns = OMPP_MISSING;
	else
		cell->body_ns += cell->exit_bar_ns + cell->task_ns; /* of a PARALLEL, whose own barrier follows */
	cell->exit_bar_ns = cell->task_ns = OMPP_MISSING;
}

/* Marks a cell as missing where nothing told when its bodies ended; with copyprivate GCC's library tells. */
static void miss_bodies(struct ompp_cell *cell, const struct ompp_merge_sums *s, enum ompp_construct construct)
{
	if (construct == OMPP_SINGLE)
		miss_barrier(cell, construct); /* GCC's barrier is a construct of its own */
	else
		cell->mgmt_ns = OMPP_MISSING;
	if (!s->body && (s->n_body || construct == OMPP_SECTIONS))
		cell->body_ns = OMPP_MISSING;
}

/* Returns the root of a variance in ticks², as a time. */
static int64_t error_ns(unsigned __int128 variance)
{
	uint64_t ticks = ompp_root(variance);

	return ticks < INT64_MAX ? ompp_clock_ns(rate, (int64_t)ticks) : OMPP_MISSING;
}

static int64_t error_of(const struct ompp_merge_sums *s, enum ompp_storm_time time)
{
	return s->lacks_error ? OMPP_MISSING : error_ns(s->variance[time]);
}

/* Fills in the errors of a construct that lets in one thread at a time. */
static void fill_errors(struct ompp_cell *cell, const struct ompp_merge_sums *s)
{
	cell->enter_error_ns = error_of(s, OMPP_STORM_ENTER);
	cell->body_error_ns = error_of(s, OMPP_STORM_BODY);
	cell->exit_error_ns = error_of(s, OMPP_STORM_EXIT);
}

static int64_t mapped_bytes(uint64_t bytes, int lacks)
{
	return lacks || bytes > INT64_MAX ? OMPP_MISSING : (int64_t)bytes;
}

static void fill_cell(struct ompp_cell *cell, const struct ompp_merge_sums *s, enum ompp_construct construct)
{
	int64_t barrier = to_ns(s->barrier), task = to_ns(s->task), body = to_ns(s->body), lead = to_ns(s->lead);
	int has_body;

	cell->n_exec = s->n;
	cell->exec_ns = to_ns(s->exec);
	cell->cost_ns = to_ns(s->cost[OMPP_COST_TYPICAL]);
	cell->cost_least_ns = to_ns(s->cost[OMPP_COST_LEAST]);
	cell->cost_most_ns = to_ns(s->cost[OMPP_COST_MOST]);
	cell->incl_ns = collect_least0(cell->exec_ns - task);
	cell->n_untimed = s->n_untimed;
	cell->error_ns = error_of(s, OMPP_STORM_WHOLE);
	cell->to_bytes = cell->from_bytes = cell->sent_bytes = cell->received_bytes = OMPP_MISSING;
	switch (ompp_constructs[construct].form) {
	case OMPP_FORM_TEAM:
	case OMPP_FORM_TEAM_SECTIONS:
		if (cell->n_exec < s->n_team)
			cell->n_exec = s->n_team;
		cell->startup_ns = to_ns(s->startup);
		cell->shutdown_ns = to_ns(s->shutdown);
		cell->task_ns = to_ns(s->barrier_task);
		cell->exit_bar_ns = collect_least0(barrier - cell->task_ns);
		cell->body_ns = collect_least0(to_ns(s->team) - barrier);
		if (ompp_constructs[construct].form == OMPP_FORM_TEAM_SECTIONS) {
			cell->n_body = s->n_body;
			cell->mgmt_ns = collect_least0(cell->body_ns - body);
			cell->body_ns = body;
		}
		cell->exec_ns = cell->startup_ns + cell->body_ns + cell->mgmt_ns + cell->exit_bar_ns + cell->task_ns +
		                cell->shutdown_ns;
		cell->incl_ns = cell->exec_ns;
		break;
	case OMPP_FORM_LOOP:
		cell->task_ns = to_ns(s->barrier_task);
		cell->exit_bar_ns = collect_least0(barrier - cell->task_ns);
		cell->body_ns = collect_least0(cell->exec_ns - cell->exit_bar_ns - cell->task_ns);
		cell->exec_ns = cell->body_ns + cell->exit_bar_ns + cell->task_ns; /* more when its enter was lost */
		break;
	case OMPP_FORM_SINGLE:
	case OMPP_FORM_SECTIONS:
		cell->n_body = s->n_body;
		cell->body_ns = body;
		cell->task_ns = to_ns(s->barrier_task);
		cell->exit_bar_ns = collect_least0(barrier - cell->task_ns);
		cell->mgmt_ns = collect_least0(cell->exec_ns - body - cell->exit_bar_ns - cell->task_ns);
		cell->exec_ns = cell->body_ns + cell->mgmt_ns + cell->exit_bar_ns + cell->task_ns;
		break;
	case OMPP_FORM_CRITICAL:
		cell->n_body = s->n_body;
		cell->body_ns = body;
		/* without a body, also an open one, all of it is waiting: ordered with depend has none */
		has_body = cell->n_body || body;
		cell->enter_ns = has_body ? lead : cell->exec_ns;
		cell->exit_ns = collect_least0(cell->exec_ns - body - cell->enter_ns);
		cell->exec_ns = cell->enter_ns + cell->body_ns + cell->exit_ns;
		fill_errors(cell, s);
		if (!has_body) {
			cell->enter_error_ns = cell->error_ns;
			cell->exit_error_ns = 0;
		}
		break;
	case OMPP_FORM_LOCK:
		cell->enter_ns = cell->exec_ns;
		cell->body_ns = to_ns(s->lock_body);
		cell->exit_ns = to_ns(s->lock_exit);
		cell->exec_ns = cell->enter_ns + cell->body_ns + cell->exit_ns;
		cell->incl_ns = cell->enter_ns + cell->exit_ns;
		fill_errors(cell, s);
		break;
	case OMPP_FORM_TASKS:
	case OMPP_FORM_WAIT:
		cell->task_ns = task < cell->exec_ns ? task : cell->exec_ns;
		break;
	case OMPP_FORM_TARGET:
		cell->to_bytes = mapped_bytes(s->to_bytes, s->lacks_to);
		cell->from_bytes = mapped_bytes(s->from_bytes, s->lacks_from);
		break;
	case OMPP_FORM_MESSAGE:
		cell->sent_bytes = mapped_bytes(s->to_bytes, s->lacks_to);
		cell->received_bytes = mapped_bytes(s->from_bytes, s->lacks_from);
		break;
	case OMPP_FORM_TASK:
		cell->exec_ns = cell->incl_ns;
		break;
	default:
		break;
	}
}

/* Returns the value of a column; 0 for columns of access hooks, which are filled later. */
static int64_t column_value(const struct ompp_source_column *column, const int64_t *values)
{
	return column->is_access ? 0 : ompp_source_column_value(column, values);
}

/* Returns the metrics as this report has them.  How certain they are is known only now. */
static struct ompp_metric *finish_metrics(struct ompp_merge *c)
{
	size_t n = ompp_metrics.n_columns, i, k;
	struct ompp_metric *metrics = ompp_arena_alloc(c->arena, n * sizeof(*metrics));
	char *texts = ompp_arena_alloc(c->arena, n * DETAIL_BYTES);
	int64_t totals[OMPP_MAX_METRICS] = { 0 };

	if (!metrics || !texts)
		return NULL;
	for (i = 0; i < c->n_sums; i++)
		for (k = 0; k < ompp_metrics.n && c->sums[i].values; k++)
			totals[k] += c->sums[i].values[k];
	for (i = 0; i < n; i++) {
		metrics[i] = ompp_metrics.column[i].metric;
		ompp_source_column_mark(&ompp_metrics.column[i], totals, &metrics[i], texts + i * DETAIL_BYTES,
		                        DETAIL_BYTES);
	}
	return metrics;
}

/* Marks as missing what the events of a path's construct do not tell. */
static void miss_untold(struct ompp_cell *cell, const struct ompp_merge *c, const struct ompp_merge_path *path,
                        const struct ompp_merge_sums *s)
{
	const struct ompp_region_def *def = path->region < c->lost_id ? ompp_region_by_id(path->region) : NULL;

	if (!def || path->construct != def->construct)
		return;
	if (def->own_barrier)
		miss_barrier(cell, path->construct);
	if (OMPP_LOAD(&def->has_no_ends))
		miss_bodies(cell, s, path->construct);
}

static int sums_are_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_merge *c = context;

	return c->rows[c->sums[x].row].final > c->rows[c->sums[y].row].final;
}

int ompp_collect_cells(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *index,
                       struct ompp_clock_rate clock_rate)
{
	struct ompp_node *nodes = ompp_arena_alloc(c->arena, c->n_paths * sizeof(*nodes));
	struct ompp_cell *cells = ompp_arena_alloc(c->arena, (c->n_sums + 1) * sizeof(*cells));
	size_t n_columns = ompp_metrics.n_columns, n = 0, first_wait, i, k;
	int64_t *values = ompp_arena_alloc(c->arena, (c->n_sums + 1) * n_columns * sizeof(*values));
	struct ompp_metric *metrics = finish_metrics(c);
	uint32_t *sums_of = ompp_arena_alloc(c->arena, (c->n_sums + 1) * sizeof(*sums_of));

	rate = clock_rate;
	if (!nodes || !cells || !values || !metrics || !sums_of || ompp_collect_waits_start(c, p) ||
	    ompp_collect_chunks_start(c, p) || ompp_collect_durations_start(c, p))
		return -ENOMEM;
	for (i = 0; i < c->n_paths; i++) {
		const struct ompp_merge_path *path = &c->paths[i];
		size_t end = n;
		uint32_t at;

		nodes[i].parent = i ? path->parent : OMPP_NONE;
		nodes[i].region = i ? index[path->region] : OMPP_NONE;
		nodes[i].construct = path->construct;
		nodes[i].first_cell = (uint32_t)n;
		for (at = path->first_cell; at != OMPP_NONE; at = c->sums[at].next)
			sums_of[end++] = at;
		ompp_sort(sums_of + n, end - n, sums_are_after, c); /* rows ascend within a node */
		for (; n < end; n++) {
			const struct ompp_merge_sums *s = &c->sums[sums_of[n]];

			memset(&cells[n], 0, sizeof(cells[n]));
			cells[n].row = c->rows[s->row].final;
			fill_cell(&cells[n], s, path->construct);
			miss_untold(&cells[n], c, path, s);
			for (k = 0; k < n_columns; k++)
				values[n * n_columns + k] = ompp_constructs[path->construct].counts !=
				                                            OMPP_COUNTS_NOTHING
				                                  ? column_value(&ompp_metrics.column[k], s->values)
				                                  : OMPP_MISSING;
		}
		first_wait = p->n_waits;
		for (k = nodes[i].first_cell; k < n; k++) {
			ompp_collect_wait(c, p, (uint32_t)k, &c->sums[sums_of[k]], rate);
			ompp_collect_chunks(c, p, (uint32_t)k, &c->sums[sums_of[k]], rate);
			ompp_collect_durations(c, p, (uint32_t)k, &c->sums[sums_of[k]], rate);
		}
		ompp_collect_waits_compare(c, p, first_wait, sums_of + nodes[i].first_cell, n - nodes[i].first_cell,
		                           rate);
		if (i == 0 && nodes[0].first_cell == n) { /* the root: the whole run, on the main thread's row */
			memset(&cells[n], 0, sizeof(cells[n]));
			cells[n].row = 0;
			cells[n].n_exec = 1;
			cells[n].exec_ns = cells[n].body_ns = cells[n].incl_ns = p->duration_ns;
			for (k = 0; k < n_columns; k++)
				values[n * n_columns + k] = OMPP_MISSING;
			n++;
		}
		nodes[i].n_cells = (uint32_t)(n - nodes[i].first_cell);
	}
	p->nodes = nodes;
	p->n_nodes = c->n_paths;
	p->cells = cells;
	p->n_cells = n;
	p->metrics = c->metrics = metrics;
	p->n_metrics = n_columns;
	p->evals = ompp_metrics.eval;
	p->n_evals = ompp_metrics.n_evals;
	p->values = c->values = values;
	return 0;
}
