/*
 * Merging a thread: see merge_thread.h.
 */
#include "runtime/collect/merge_thread.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/hot.h"
#include "runtime/core/mapped.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/values.h"
#include "runtime/data_sums/accesses.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/spots.h"
#include "runtime/data_sums/sum_lines.h"
#include "runtime/data_sums/sum_members.h"
#include "runtime/data_sums/sum_samples.h"
#include "runtime/data_sums/sum_tracked.h"
#include "runtime/data_sums/uses.h"
#include "runtime/events/team.h"
#include "runtime/memory/sample.h"
#include "runtime/sources/source.h"
#include "runtime/sums/spent.h"
#include "runtime/sums/sum_chunks.h"
#include "runtime/sums/sum_durations.h"
#include "runtime/sums/sum_hot.h"
#include "runtime/sums/sum_span.h"
#include "runtime/sums/sum_uncore.h"
#include "runtime/sums/sum_waits.h"

/* Numbers of visits by what they cost: [1] of those that read the sources, [0] of the others. */
struct below {
	uint64_t n[2];
};

/* One thread's tree while it is walked.  The arrays are by the node's index. */
struct walk {
	struct ompp_thread *t;
	struct ompp_callnode **nodes;
	uint32_t n;
	uint32_t *path, *row; /* OMPP_NONE when it is not shown */
	uint8_t *inside;      /* 1 when it is in a team, so that a further team is an inner one */
	uint8_t *met;         /* 1 when it or a node below was visited, and not only by a parent process */
	struct ompp_spent *spent;
	struct below *counted; /* visits below, but not in tasks, whose counts are not part of the nodes above */
	int64_t *open_values;  /* [spent->open_at * ompp_metrics.n]: of open visits up to now; NULL when not known */
};

/* Returns the region of a key; NULL for one that came after the report had begun, which the next report shows. */
static struct ompp_region_def *def_of(const struct ompp_merge *c, uint64_t key)
{
	return OMPP_KEY_ID(key) < c->lost_id ? ompp_region_by_id(OMPP_KEY_ID(key)) : NULL;
}

static int open_walk(struct ompp_merge *c, struct walk *w, struct ompp_thread *t)
{
	struct ompp_callnode *node = __atomic_load_n(&t->graph.newest, __ATOMIC_ACQUIRE);
	size_t n = node ? node->index + 1 : 0;

	w->t = t;
	w->n = (uint32_t)n;
	w->nodes = ompp_arena_alloc(c->arena, n * sizeof(*w->nodes));
	w->path = ompp_arena_alloc(c->arena, n * sizeof(*w->path));
	w->row = ompp_arena_alloc(c->arena, n * sizeof(*w->row));
	w->inside = ompp_arena_alloc(c->arena, n);
	w->met = ompp_arena_alloc(c->arena, n);
	w->spent = ompp_arena_alloc(c->arena, n * sizeof(*w->spent));
	w->counted = ompp_arena_alloc(c->arena, n * sizeof(*w->counted));
	w->open_values = NULL;
	if (!w->counted || !w->spent || !w->met || !w->inside || !w->row || !w->path || !w->nodes)
		return -ENOMEM;
	for (; node; node = node->older)
		w->nodes[node->index] = node;
	return ompp_spent(c, t, w->nodes, w->n, w->spent);
}

/* Finds the call path and row of a node.  The call path of its parent must be known. */
static void node_find_path(struct ompp_merge *c, struct walk *w, uint32_t i)
{
	const struct ompp_callnode *node = w->nodes[i];
	uint32_t up = node->parent ? node->parent->index : 0, rank = OMPP_KEY_RANK(node->key);
	enum ompp_part part = OMPP_KEY_PART(node->key);
	const struct ompp_lock_name *lock;
	struct ompp_region_def *def;
	uint32_t path, row;

	w->path[i] = w->row[i] = OMPP_NONE;
	if (!node->parent || !w->met[i] || (node->key == UINT64_MAX && node != w->t->graph.lost))
		return;
	if (node == w->t->graph.lost) {
		if (OMPP_LOAD(&node->n)) {
			w->path[i] = ompp_merge_find_path(c, 0, c->lost_id, OMPP_USER_REGION);
			w->row[i] = ompp_merge_find_row(c, 1, OMPP_NONE, 0);
		}
		return;
	}
	if (part == OMPP_PART_HOST) {
		w->path[i] = 0;
		w->row[i] = ompp_merge_find_row(c, rank, OMPP_NONE, 0);
		return;
	}
	ompp_assert(up < i); /* the call path of its parent is known */
	path = w->path[up];
	row = w->row[up];
	w->inside[i] = w->inside[up];
	if (row == OMPP_NONE) { /* a team's thread outside of all teams counts as another host thread */
		if (!OMPP_LOAD(&w->t->host))
			OMPP_STORE(&w->t->host, ++c->max_host);
		path = 0;
		row = ompp_merge_find_row(c, OMPP_LOAD(&w->t->host), OMPP_NONE, 0);
	}
	def = def_of(c, node->key);
	if (!def)
		return;
	w->row[i] = row;
	w->path[i] = path;
	if (part == OMPP_PART_TEAM) {
		w->inside[i] = 1;
		w->row[i] = w->inside[up] ? ompp_merge_find_row(c, c->rows[row].host, row, rank)
		                          : ompp_merge_find_row(c, c->rows[row].host, OMPP_NONE, rank);
		return; /* it has the call path of the fork */
	}
	if (def->off)
		return;
	if (part != OMPP_PART_REGION && part != OMPP_PART_FORK && part != OMPP_PART_TASKEXEC &&
	    c->paths[path].region == def->shown_as)
		return; /* it is a part of the construct above */
	lock = ompp_locks_at(&c->locks, OMPP_KEY_ID(node->key));
	if (lock && lock->is_off)
		return;
	w->path[i] = ompp_merge_find_path(c, path, lock ? lock->shown_as : def->shown_as,
	                                  part == OMPP_PART_TASKEXEC ? OMPP_TASKEXEC : def->construct);
}

static struct ompp_merge_sums *add_rank(struct ompp_merge *c, struct walk *w, uint32_t i, uint32_t rank, uint64_t n,
                                        uint64_t startup, uint64_t shutdown)
{
	uint32_t row = w->row[i];
	struct ompp_merge_sums *s;

	row = w->inside[i] ? ompp_merge_find_row(c, c->rows[row].host, row, rank)
	                   : ompp_merge_find_row(c, c->rows[row].host, OMPP_NONE, rank);
	s = ompp_merge_find_sums(c, w->path[i], row);
	s->n += n;
	s->startup += (int64_t)startup * 256;
	s->shutdown += (int64_t)shutdown * 256;
	return s;
}

/* Returns whether there are values that can be missing.  Those of tests never are, and can be read only at events. */
static int has_shares(void)
{
	return memchr(ompp_metrics.kind, OMPP_VALUE_LOST, sizeof(ompp_metrics.kind)) != NULL;
}

/* Reads the values of the open frames of the thread that makes the report; no other thread can read them. */
static void read_open(struct ompp_merge *c, struct walk *w)
{
	const struct ompp_thread *t = w->t;
	size_t depth = (size_t)(t->top - t->frames), n = ompp_metrics.n, i, k;
	uint64_t now[OMPP_MAX_METRICS], others[OMPP_MAX_METRICS] = { 0 };

	if (t != ompp_self || !n || !depth || t->top > t->limit)
		return;
	w->open_values = ompp_arena_alloc(c->arena, (depth + 1) * n * sizeof(*w->open_values));
	if (!w->open_values)
		return;
	ompp_values_read(w->t, now);
	for (i = depth; i > 0; i--) {
		uint32_t flags = t->frames[i].flags;

		for (k = 0; k < n; k++) {
			others[k] += flags & OMPP_FRAME_TASK_VALUES ? t->task_values[i * n + k] : 0;
			w->open_values[i * n + k] = (int64_t)(now[k] - t->frame_values[i * n + k] - others[k]);
			if (flags & OMPP_FRAME_TASK) /* for the frames below, all of the task belongs to others */
				others[k] = now[k] - t->frame_values[i * n + k] -
				            (flags & OMPP_FRAME_SUSPENDED_VALUES ? t->suspended_values[i * n + k] : 0);
		}
	}
}

/* Adds what the members of teams between fork and join have shown so far. */
static void open_forks(struct ompp_merge *c, struct walk *w)
{
	uint32_t n = ompp_n_teams(), i, r;

	for (i = 0; i < n; i++) {
		const struct ompp_team *team = ompp_open_team(i);
		const struct ompp_callnode *node = team ? __atomic_load_n(&team->fork_node, __ATOMIC_ACQUIRE) : NULL;
		uint64_t fork_ticks;

		if (!team || team->forker != w->t || !ompp_callnode_is_listed(node, w->nodes, w->n) ||
		    w->path[node->index] == OMPP_NONE || OMPP_LOAD(&team->def)->off)
			continue;
		fork_ticks = OMPP_LOAD(&team->fork_ticks);
		if (fork_ticks == c->now) /* its fork came after measuring had been switched off */
			continue;
		if ((int64_t)(fork_ticks - ompp_session.start.ticks) < 0) /* a team of the parent process */
			continue;
		for (r = 0; r < team->n_slots; r++) {
			uint64_t begin = atomic_load_explicit(&team->slots[r].begin_ticks, memory_order_acquire);

			/* One that began after the report's moment had not begun then. */
			if (begin && (int64_t)(begin - c->now) <= 0)
				add_rank(c, w, node->index, r, 1, begin > fork_ticks ? begin - fork_ticks : 0, 0);
		}
	}
}

static uint64_t merge_visits(const struct walk *w, uint32_t i)
{
	return OMPP_LOAD(&w->nodes[i]->n) + w->spent[i].n_open;
}

/* Counts visits whose values are not known. */
static void lose_values(struct ompp_merge_sums *s, uint64_t n)
{
	size_t i;

	for (i = 0; i < ompp_metrics.n && s->values; i++)
		if (ompp_metrics.kind[i] == OMPP_VALUE_LOST)
			s->values[i] += (int64_t)n;
}

/* Returns what a node's events counted of themselves: the inner part of its own events, and all of those below. */
static int64_t value_cost(const struct walk *w, uint32_t i, size_t value)
{
	const struct ompp_callnode *node = w->nodes[i];
	const struct ompp_value_cost *costs = &ompp_value_costs[value];
	unsigned __int128 cost = (unsigned __int128)merge_visits(w, i) * costs->in_fp[node->is_read];
	int k;

	for (k = 0; k < 2; k++)
		cost += (unsigned __int128)w->counted[i].n[k] * costs->pair_fp[k];
	cost += (unsigned __int128)OMPP_LOAD(&node->n_folded) * costs->pair_fp[node->is_read];
	return (int64_t)(cost / 256);
}

static void add_values(const struct walk *w, uint32_t i, struct ompp_merge_sums *s, int sign)
{
	const struct ompp_callnode *node = w->nodes[i];
	const int64_t *open = NULL;
	size_t k;

	if (w->open_values && w->spent[i].open_at != OMPP_NONE)
		open = w->open_values + w->spent[i].open_at * ompp_metrics.n;
	for (k = 0; k < ompp_metrics.n && s->values && s->value_cost; k++) {
		int64_t value = (int64_t)OMPP_LOAD(&node->values[k]) + (open ? open[k] : 0);

		s->values[k] += ompp_metrics.kind[k] == OMPP_VALUE_LOST ? value : sign * value;
		if (ompp_metrics.kind[k] == OMPP_VALUE_COUNT)
			s->value_cost[k] += sign * value_cost(w, i, k);
	}
	if (w->spent[i].n_open && !open)
		lose_values(s, w->spent[i].n_open);
}

/* Returns ticks × 256 without a cost that they contain. */
static int64_t merge_take(uint64_t ticks, uint64_t cost_fp)
{
	return ticks * 256 > cost_fp ? (int64_t)(ticks * 256 - cost_fp) : 0;
}

/* Adds the times of a lock.  Between two events of a lock lie the end of the one and the start of the other, as
 * between those of a body. */
static void sum_lock(struct ompp_merge_sums *s, const struct ompp_callnode *node, uint64_t n,
                     const struct ompp_storm_estimate *storm)
{
	const struct ompp_cost *cost = &ompp_costs[OMPP_COST_BRIEF_LOCKED][OMPP_COST_TYPICAL];
	uint64_t n_exits = OMPP_LOAD(&node->n_lock_exits);

	s->lock_body += merge_take(OMPP_LOAD(&node->body_ticks) + storm->ticks[OMPP_STORM_BODY], n * cost->out_fp);
	s->lock_exit += merge_take(OMPP_LOAD(&node->exit_ticks) + storm->ticks[OMPP_STORM_EXIT], n_exits * cost->in_fp);
}

/* Adds the bytes that a target construct maps, or a call of MPI moves. */
static void sum_mapped(struct ompp_merge_sums *s, const struct ompp_callnode *node)
{
	const struct ompp_mapped *mapped = __atomic_load_n(&node->mapped, __ATOMIC_ACQUIRE);

	s->to_bytes += mapped ? OMPP_LOAD(&mapped->to_bytes) : 0;
	s->from_bytes += mapped ? OMPP_LOAD(&mapped->from_bytes) : 0;
	s->lacks_to |= !mapped || OMPP_LOAD(&mapped->lacks_to);
	s->lacks_from |= !mapped || OMPP_LOAD(&mapped->lacks_from);
}

static void sum_node(struct ompp_merge *c, struct walk *w, uint32_t i)
{
	const struct ompp_callnode *node = w->nodes[i];
	enum ompp_part part = OMPP_KEY_PART(node->key);
	uint64_t n = merge_visits(w, i), folded = OMPP_LOAD(&node->n_folded);
	const struct ompp_spent *spent = &w->spent[i];
	int64_t ticks = spent->own + spent->task;
	struct ompp_region_def *def = def_of(c, node->key);
	struct ompp_merge_sums *s;

	if (w->path[i] == OMPP_NONE || part == OMPP_PART_HOST)
		return;
	if (node == w->t->graph.lost) {
		s = ompp_merge_find_sums(c, w->path[i], w->row[i]);
		s->n += n;
		s->exec += (int64_t)OMPP_LOAD(&node->ticks) * 256;
		lose_values(s, n);
		return;
	}
	if (!def || def->off || (!n && !folded && part != OMPP_PART_FORK && !ticks && !OMPP_LOAD(&node->n_lock_exits)))
		return;
	if (part == OMPP_PART_FORK) {
		struct ompp_rank_times *ranks = __atomic_load_n(&node->ranks, __ATOMIC_ACQUIRE);
		uint32_t n_ranks = __atomic_load_n(&node->n_ranks, __ATOMIC_ACQUIRE), r;

		for (r = 0; ranks && r < n_ranks; r++)
			if (OMPP_LOAD(&ranks[r].n)) {
				s = add_rank(c, w, i, r, OMPP_LOAD(&ranks[r].n), OMPP_LOAD(&ranks[r].startup_ticks),
				             OMPP_LOAD(&ranks[r].shutdown_ticks));
				if (OMPP_LOAD(&ranks[r].made_ticks))
					ompp_sum_waits_of(c, s)->made_ticks += OMPP_LOAD(&ranks[r].made_ticks);
				if (!r) { /* from fork to join, as the forking thread sees it */
					ompp_sum_durations(c, s, node);
					ompp_sum_managing(c, s, node);
				}
			}
		return;
	}
	s = ompp_merge_find_sums(c, w->path[i], w->row[i]);
	if (node->is_read)
		add_values(w, i, s, part == OMPP_PART_BARRIER ? -1 : 1);
	ompp_sum_waits(c, s, node);
	ompp_sum_chunks(c, s, node);
	ompp_sum_durations(c, s, node);
	if (part != OMPP_PART_BODY && part != OMPP_PART_BARRIER)
		for (int b = 0; b < OMPP_N_COST_BOUNDS; b++)
			s->cost[b] += spent->cost[b];
	switch (part) {
	case OMPP_PART_REGION:
		s->n += n + folded;
		s->n_untimed += spent->storm.n;
		for (int k = 0; k < OMPP_STORM_TIMES; k++)
			s->variance[k] += spent->storm.variance[k];
		s->lacks_error |= !spent->storm.has_error;
		s->exec += ticks;
		s->task += spent->task;
		if (ompp_construct_is_lock(def->construct))
			sum_lock(s, node, n, &spent->storm);
		if (ompp_form_has_bytes(ompp_constructs[def->construct].form))
			sum_mapped(s, node);
		break;
	case OMPP_PART_TASKEXEC:
		s->n += n + folded;
		s->exec += ticks;
		s->task += spent->task;
		break;
	case OMPP_PART_TEAM:
		s->n_team += n;
		s->team += ticks;
		break;
	case OMPP_PART_BODY:
		s->n_body += n;
		s->body += ticks;
		s->lead += merge_take(OMPP_LOAD(&node->lead_ticks) + spent->storm.ticks[OMPP_STORM_ENTER],
		                      n * ompp_costs[ompp_cost_kind(node, def->construct)][OMPP_COST_TYPICAL].pair_fp /
		                              2);
		break;
	case OMPP_PART_BARRIER:
		s->barrier += ticks;
		s->barrier_task += spent->task;
		break;
	default:
		break;
	}
}

/* Finds the call path and row of what was accessed at a node; for a node that is not shown they are those of the
 * nearest node above it that is shown. */
static void find_shown(struct ompp_merge *c, struct walk *w, uint32_t i, uint32_t *path, uint32_t *row)
{
	const struct ompp_callnode *node = w->nodes[i];
	uint32_t k;

	while (node->parent && (w->path[node->index] == OMPP_NONE || w->row[node->index] == OMPP_NONE))
		node = node->parent;
	/* What a team's member accessed before its first team goes to that team, as its first region needed it.  What
	 * a host thread accessed outside of teams goes to the host. */
	for (k = 1; !node->parent && !OMPP_LOAD(&w->t->host) && k < w->n; k++)
		if (w->path[k] != OMPP_NONE && w->row[k] != OMPP_NONE &&
		    OMPP_KEY_PART(w->nodes[k]->key) == OMPP_PART_TEAM)
			node = w->nodes[k];
	if (!node->parent && !OMPP_LOAD(&w->t->host))
		OMPP_STORE(&w->t->host, ++c->max_host);
	*path = node->parent ? w->path[node->index] : 0;
	*row = node->parent ? w->row[node->index] : ompp_merge_find_row(c, OMPP_LOAD(&w->t->host), OMPP_NONE, 0);
}

static void sum_accesses(struct ompp_merge *c, struct walk *w, uint32_t i)
{
	uint32_t path, row;

	if (!OMPP_LOAD(&w->nodes[i]->tallies))
		return;
	find_shown(c, w, i, &path, &row);
	ompp_merge_accesses(c, w->nodes[i], path, row);
}

/* Adds what the longest path knows of a node.  Members of teams have no work outside of teams. */
static void sum_span(struct ompp_merge *c, struct walk *w, uint32_t i)
{
	uint32_t path, row;

	if (!OMPP_LOAD(&w->nodes[i]->place) || !w->nodes[i]->parent)
		return;
	find_shown(c, w, i, &path, &row);
	ompp_merge_span(c, w->nodes[i], path);
}

/* Returns the node of a sum of samples; NULL when it is newer than the walk, or when the sum has none. */
static const struct ompp_callnode *node_of(const struct walk *w, const struct ompp_sample_sum *s)
{
	return ompp_callnode_is_listed(s->key.node, w->nodes, w->n) ? s->key.node : NULL;
}

static void sum_samples(struct ompp_merge *c, struct walk *w)
{
	const struct ompp_sample_sum *s;

	for (s = ompp_sample_sums(w->t); s; s = s->older) {
		const struct ompp_callnode *node = node_of(w, s);
		uint32_t path = OMPP_NONE, row = OMPP_NONE;

		if (node)
			find_shown(c, w, node->index, &path, &row);
		if (node && (s->key.sum == OMPP_SUM_OF_USE || s->key.sum == OMPP_SUM_OF_TOUCH))
			ompp_merge_use(c, w->t, s, path, row);
		if (s->key.sum == OMPP_SUM_OF_PLACE || (node && s->key.sum != OMPP_SUM_OF_USE))
			ompp_merge_sample(c, s, path, row);
	}
	c->n_lost_samples += ompp_sample_lost(w->t);
}

/* What ompp_sample_spread() and ompp_hot_each() hand over goes to this merge and walk. */
struct spreading {
	struct ompp_merge *merge;
	struct walk *walk;
};

static void sum_spot(void *context, const struct ompp_spread_spot *spot)
{
	const struct spreading *s = context;
	uint32_t path, row;

	if (!ompp_callnode_is_listed(spot->node, s->walk->nodes, s->walk->n))
		return;
	find_shown(s->merge, s->walk, spot->node->index, &path, &row);
	ompp_merge_spot(s->merge, spot, path, row);
}

/* Adds samples of processor time.  What members of teams did outside of teams was to wait for the next one, and is left
 * out. */
static void sum_hot(void *context, const struct ompp_hot_sum *sum)
{
	const struct spreading *s = context;
	uint32_t path, row;

	if (!ompp_callnode_is_listed(sum->node, s->walk->nodes, s->walk->n) || !sum->node->parent)
		return;
	find_shown(s->merge, s->walk, sum->node->index, &path, &row);
	ompp_hot_merge(s->merge, sum, OMPP_LOAD(&s->walk->t->hot->period_ns), path, row);
}

static void add_below(struct below *above, const struct below *below, uint32_t is_read, uint64_t n)
{
	above->n[0] += below->n[0];
	above->n[1] += below->n[1];
	above->n[is_read] += n;
}

void ompp_merge_thread(struct ompp_merge *c, struct ompp_thread *t)
{
	const struct ompp_sample_sum *s;
	struct walk w;
	uint32_t i;

	c->n_busy_samples += ompp_sample_settle(t);
	if (open_walk(c, &w, t)) {
		c->failed = 1;
		return;
	}
	if (has_shares())
		read_open(c, &w);
	for (s = ompp_sample_sums(t); s; s = s->older)
		if (node_of(&w, s))
			w.met[s->key.node->index] = 1;
	for (i = w.n; i-- > 1;) {
		const struct ompp_callnode *node = w.nodes[i];
		uint64_t n = merge_visits(&w, i) + OMPP_LOAD(&node->n_folded) + OMPP_LOAD(&node->n_lock_exits);

		if (OMPP_KEY_PART(node->key) != OMPP_PART_TASKEXEC)
			add_below(&w.counted[node->parent->index], &w.counted[i], node->is_read, n);
		w.met[i] |= n || w.spent[i].own || w.spent[i].task || OMPP_LOAD(&node->ticks) ||
		            OMPP_LOAD(&node->tallies);
		w.met[node->parent->index] |= w.met[i];
	}
	for (i = 0; i < w.n && !c->failed; i++)
		node_find_path(c, &w, i);
	for (i = 1; i < w.n && !c->failed; i++)
		sum_node(c, &w, i);
	for (i = 0; i < w.n && !c->failed; i++) {
		sum_accesses(c, &w, i);
		sum_span(c, &w, i);
		ompp_merge_uncore(c, w.nodes[i], w.path[i]);
	}
	sum_samples(c, &w);
	ompp_sample_spread(t, sum_spot, &(struct spreading){ c, &w });
	ompp_hot_each(t, sum_hot, &(struct spreading){ c, &w });
	ompp_merge_lines(c, t, w.path, w.row, w.n);
	ompp_merge_members(c, t, w.path, w.row, w.n);
	ompp_merge_allocations(c, t, w.path, w.row, w.n);
	ompp_merge_tracked(c, t, w.path, w.row, w.n);
	open_forks(c, &w);
	c->n_lost += OMPP_LOAD(&t->graph.n_lost);
}
