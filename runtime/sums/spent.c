/*
 * Spent: see spent.h.
 */
#include "runtime/sums/spent.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/events/team.h"

/* What is summed up for one node, in ticks. */
struct sums {
	uint64_t ticks, task; /* as measured, with open visits up to now */
	uint64_t once;        /* ompp_callnode's once_ticks of a head; with open visits, from the innermost on */
	uint64_t inside_fp[OMPP_N_COST_BOUNDS]; /* own cost in its own time, without the inner part of its own events */
	uint64_t tasks_fp[OMPP_N_COST_BOUNDS];  /* at the node of a team: own cost in the tasks that the thread ran in
	                                           the team */
	uint64_t tasks_own;                     /* the own time of these tasks */
	uint64_t assumed_fp[OMPP_N_COST_BOUNDS]; /* own cost that is only in the estimate of its visits without time */
	uint64_t parts_fp, parts_cost_fp;        /* of the nodes below: own time, and cost taken out of it */
	uint32_t team;                           /* index of the team's node; above all teams, of the host's */
	enum ompp_cost_kind kind;
};

struct tree {
	struct ompp_merge *merge;
	struct ompp_thread *t;
	struct ompp_callnode *const *nodes;
	uint32_t n;
	struct ompp_spent *spent;
	struct sums *sums;
};

static int is_at(const struct ompp_frame *f, uint32_t flags)
{
	return (OMPP_LOAD(&f->flags) & flags) != 0;
}

static uint64_t spent_lasted(const struct ompp_frame *f, uint64_t until)
{
	uint64_t ticks = until - OMPP_LOAD(&f->start_ticks);

	return (int64_t)ticks > 0 && !is_at(f, OMPP_FRAME_UNTIMED) ? ticks : 0;
}

/* What the open frames from here on are in: up to when they count, and whether they are in a task. */
struct context {
	uint64_t until;
	int in_task;
};

/* Returns the part of an open frame's time that counts at nodes with the same key, in tasks that ran or run inside it
 * (see ompp_frame_time). */
static uint64_t spent_inside(struct sums *head, const struct ompp_frame *f, uint64_t elapsed, int in_task, int same)
{
	uint64_t before = OMPP_LOAD(&f->once_before), ticks = head->once - before;

	if (ticks > elapsed)
		ticks = 0; /* the thread runs, and has just pushed the frame */
	if (in_task && !same)
		head->once = before + elapsed;
	return ticks;
}

/* Adds a frame that is still open.  A visit that the parent process began is not counted in a forked child, but its
 * time since fork() is.
 * others: for how long other instances ran inside so far */
static void add_open(struct tree *tree, const struct ompp_frame *f, struct context in, uint64_t others)
{
	const struct ompp_callnode *node = OMPP_LOAD(&f->node);
	uint64_t elapsed = spent_lasted(f, in.until), own = elapsed > others ? elapsed - others : 0;
	struct ompp_spent *spent;
	struct sums *sums;

	if (!ompp_callnode_is_listed(node, tree->nodes, tree->n) || is_at(f, OMPP_FRAME_FOLDED) ||
	    (is_at(f, OMPP_FRAME_OFF) && in.until == OMPP_LOAD(&f->start_ticks)))
		return;
	spent = &tree->spent[node->index];
	sums = &tree->sums[node->index];
	if (!is_at(f, OMPP_FRAME_INHERITED)) {
		if (in.until == tree->merge->now)
			tree->merge->n_open++;
		else if (!is_at(f, OMPP_FRAME_LATE))
			tree->merge->n_left++;
		spent->n_open++;
		spent->open_at = (uint32_t)(f - tree->t->frames);
	}
	if (ompp_frame_has_once(f) && !is_at(f, OMPP_FRAME_UNTIMED))
		elapsed -= spent_inside(&tree->sums[OMPP_LOAD(&node->head)->index], f, elapsed, in.in_task,
		                        node->same != 0);
	sums->ticks += elapsed;
	sums->task += elapsed - own; /* it may wrap below 0; only the difference of the two counts */
}

/* Returns how many frames are open.  A thread that is about to start has a slot, but no frame on top. */
static size_t depth_of(const struct ompp_thread *t)
{
	const struct ompp_frame *top = OMPP_LOAD(&t->top), *limit = OMPP_LOAD(&t->limit);

	top = top < limit ? top : limit;
	return top > t->frames ? (size_t)(top - t->frames) : 0;
}

/* Adds the frames that are still open, up to now, the innermost first.  The thread may be running meanwhile: what does
 * not look right is passed over. */
static int add_all_open(struct tree *tree)
{
	struct ompp_thread *t = tree->t;
	struct ompp_frame *f;
	size_t depth = depth_of(t), i;
	struct context in = { tree->merge->now, 0 },
		       *contexts = ompp_arena_alloc(tree->merge->arena, (depth + 1) * sizeof(in));
	uint64_t others = 0;

	if (!contexts)
		return -ENOMEM;
	for (i = 1; i <= depth; i++) {
		f = t->frames + i;
		if (is_at(f, OMPP_FRAME_TEAM))
			in.until = ompp_team_token_until(OMPP_LOAD(&f->instance), in.until);
		if (is_at(f, OMPP_FRAME_TEAM | OMPP_FRAME_TASK))
			in.in_task = is_at(f, OMPP_FRAME_TASK);
		contexts[i] = in;
	}
	for (i = depth; i > 0; i--) {
		f = t->frames + i;
		others += ompp_frame_others(f);
		add_open(tree, f, contexts[i], others);
		if (is_at(f, OMPP_FRAME_TASK))
			others = spent_lasted(f, contexts[i].until) - OMPP_LOAD(&f->suspended_ticks);
		else if (is_at(f, OMPP_FRAME_TEAM))
			others = 0;
	}
	return 0;
}

/* Returns the estimate that is a part of the node's ticks. */
static uint64_t estimated(const struct tree *tree, uint32_t i)
{
	const struct ompp_storm_estimate *e = &tree->spent[i].storm;

	return e->ticks[e->own];
}

static void start_node(struct tree *tree, uint32_t i)
{
	const struct ompp_callnode *node = tree->nodes[i];
	const struct ompp_region_def *def = ompp_region_by_id(OMPP_KEY_ID(node->key));
	enum ompp_part part = OMPP_KEY_PART(node->key);
	struct sums *sums = &tree->sums[i];

	ompp_assert(node->index == i && (!node->parent || node->parent->index < i));
	tree->spent[i].storm = ompp_storm_estimate(node);
	sums->ticks = OMPP_LOAD(&node->ticks) - tree->spent[i].storm.assumed_ticks + estimated(tree, i);
	sums->task = OMPP_LOAD(&node->task_ticks);
	sums->once = OMPP_LOAD(&node->once_ticks);
	sums->team = part == OMPP_PART_TEAM || part == OMPP_PART_HOST || !node->parent
	                   ? i
	                   : tree->sums[node->parent->index].team;
	sums->kind = ompp_cost_kind(node, def ? def->construct : OMPP_USER_REGION);
}

static uint64_t own_ticks(const struct sums *sums)
{
	return (int64_t)(sums->ticks - sums->task) > 0 ? sums->ticks - sums->task : 0;
}

/* Visits of a node, by what their events do. */
struct visits {
	uint64_t timed, untimed, chosen;
};

/* Tells of n visits of a node which were timed as ever.  The thread may be running meanwhile.
 * are_calls: they are the sets and unsets of a lock, two for a visit */
static struct visits visits_of(const struct ompp_storm_estimate *storm, uint64_t n, int are_calls)
{
	uint64_t in_storm = storm->n << are_calls, in_sample = storm->n_chosen << are_calls;
	uint64_t untimed = in_storm < n ? in_storm : n;
	uint64_t chosen = in_sample < n - untimed ? in_sample : n - untimed;

	ompp_assert(untimed + chosen <= n);
	return (struct visits){ n - untimed - chosen, untimed, chosen };
}

static int is_locked(enum ompp_cost_kind kind)
{
	return kind == OMPP_COST_LOCKED || kind == OMPP_COST_BRIEF_LOCKED;
}

static const struct ompp_cost *untimed_cost(enum ompp_cost_kind kind, int bound)
{
	return &ompp_costs[is_locked(kind) ? OMPP_COST_UNTIMED_LOCKED : OMPP_COST_UNTIMED][bound];
}

static const struct ompp_cost *chosen_cost(enum ompp_cost_kind kind, int bound)
{
	return &ompp_costs[is_locked(kind) ? OMPP_COST_CHOSEN_LOCKED : OMPP_COST_CHOSEN][bound];
}

/* Returns what all events of these visits cost. */
static uint64_t pairs_cost(struct visits v, enum ompp_cost_kind kind, int bound)
{
	return v.timed * ompp_costs[kind][bound].pair_fp + v.untimed * untimed_cost(kind, bound)->pair_fp +
	       v.chosen * chosen_cost(kind, bound)->pair_fp;
}

/* Returns what lies in the time of a chosen visit.  Beside the program's own work it may be as little, or as much, as
 * in a visit that is timed as ever. */
static uint64_t chosen_inner(enum ompp_cost_kind kind, int bound)
{
	uint64_t chosen = chosen_cost(kind, bound)->in_fp, ever = ompp_costs[kind][bound].in_fp;

	if (bound == OMPP_COST_TYPICAL)
		return chosen;
	return (bound == OMPP_COST_LEAST) == (chosen < ever) ? chosen : ever;
}

/* Returns what lies in the time of these visits.  That of visits without time is taken to be as that of the chosen
 * ones, and so is the cost in it. */
static uint64_t inner_cost(struct visits v, enum ompp_cost_kind kind, int bound)
{
	return v.timed * ompp_costs[kind][bound].in_fp + (v.untimed + v.chosen) * chosen_inner(kind, bound);
}

/* Adds to the variance that the thread waited for a processor, which few visits contain, and timed ones hardly ever:
 * what visits without time had of that is not known. */
static void add_waiting(const struct tree *tree, struct ompp_storm_estimate *e, int time)
{
	unsigned __int128 waited = (unsigned __int128)e->ticks[time] * (tree->merge->stretch_milli - 1000) / 1000;

	e->variance[time] += waited * waited;
}

static void limit_time(const struct tree *tree, struct ompp_storm_estimate *e, int time, unsigned __int128 most)
{
	add_waiting(tree, e, time);
	if (!e->has_error || e->variance[time] > most)
		e->variance[time] = most;
}

/* Returns what the estimate of visits contains of the cost of events, as all of them are taken to be as the chosen
 * ones. Visits without time had less of it. */
static uint64_t cost_in_estimate(const struct tree *tree, uint32_t i)
{
	const struct ompp_storm_estimate *e = &tree->spent[i].storm;
	enum ompp_cost_kind kind = tree->sums[i].kind;
	uint64_t visit_fp = chosen_inner(kind, OMPP_COST_TYPICAL) +
	                    (e->has_parts ? ompp_costs[kind][OMPP_COST_TYPICAL].pair_fp : 0);
	uint64_t cost = (uint64_t)((unsigned __int128)e->n * visit_fp / 256);

	return cost < e->ticks[OMPP_STORM_WHOLE] ? cost : e->ticks[OMPP_STORM_WHOLE];
}

/* Returns the part of an estimate, without cost, that is in the time of the node above: of a lock, waiting alone. */
static uint64_t guess(const struct tree *tree, uint32_t i)
{
	const struct ompp_storm_estimate *e = &tree->spent[i].storm;
	uint64_t cost = cost_in_estimate(tree, i), whole = e->ticks[OMPP_STORM_WHOLE];

	return whole ? (uint64_t)((unsigned __int128)(whole - cost) * estimated(tree, i) / whole) : 0;
}

/* Makes the parts of a whole shorter by so much together: each by its share of their variances, as it is likely to be
 * the one that is not sure which is too long. */
static void take_from_parts(struct ompp_storm_estimate *e, uint64_t excess)
{
	const unsigned __int128 *v = e->variance;
	unsigned __int128 all = v[OMPP_STORM_ENTER] + v[OMPP_STORM_BODY] + v[OMPP_STORM_EXIT];
	int n_bits = 0;

	while (all >> n_bits >> 63)
		n_bits++;
	for (int k = OMPP_STORM_ENTER; k <= OMPP_STORM_EXIT && all; k++) {
		uint64_t cut = (uint64_t)((v[k] >> n_bits) * excess / (all >> n_bits));

		e->ticks[k] -= cut < e->ticks[k] ? cut : e->ticks[k];
	}
}

/* Keeps an estimate, and its error, within what is known: visits without time took between nothing and what is left of
 * the time around them, which is the run where nothing is around them, and no number between two bounds has a standard
 * deviation above half of what is between them. So a timed visit that lost its processor, and stands for dozens, cannot
 * make an error of many times the estimate.
 * all: the estimates of all that shares what is left, without cost */
static void limit_estimate(struct tree *tree, uint32_t i, uint64_t left, uint64_t all)
{
	struct ompp_storm_estimate *e = &tree->spent[i].storm;
	unsigned __int128 most = (unsigned __int128)(left / 2) * (left / 2);
	uint64_t before = estimated(tree, i), cost = cost_in_estimate(tree, i), excess = 0;

	if (all > left) {
		uint64_t net = e->ticks[OMPP_STORM_WHOLE] - cost;

		excess = net - (uint64_t)((unsigned __int128)net * left / all);
	}
	if (e->has_parts)
		take_from_parts(e, excess);
	e->ticks[OMPP_STORM_WHOLE] -= excess;
	tree->sums[i].ticks -= before - estimated(tree, i);
	for (int k = 0; k < OMPP_STORM_TIMES; k++)
		limit_time(tree, e, k, most);
	e->has_error = 1;
}

/* Limits the estimate of a body, which is a part of its construct's. */
static void limit_body(struct tree *tree, uint32_t i)
{
	uint64_t before = estimated(tree, i);

	tree->spent[i].storm = tree->spent[tree->nodes[i]->parent->index].storm;
	tree->spent[i].storm.own = OMPP_STORM_BODY;
	tree->sums[i].ticks -= before - estimated(tree, i);
}

/* Limits all estimates. */
static void limit_estimates(struct tree *tree, uint64_t *timed, uint64_t *guessed)
{
	for (uint32_t i = 1; i < tree->n; i++)
		if (OMPP_KEY_PART(tree->nodes[i]->key) != OMPP_PART_TASKEXEC) {
			timed[tree->nodes[i]->parent->index] += tree->sums[i].ticks - estimated(tree, i);
			guessed[tree->nodes[i]->parent->index] += guess(tree, i);
		}
	for (uint32_t i = 1; i < tree->n; i++) {
		uint32_t up = tree->nodes[i]->parent->index;
		int is_outer = !up || OMPP_KEY_PART(tree->nodes[up]->key) == OMPP_PART_HOST;
		uint64_t around = is_outer ? tree->merge->now - ompp_session.start.ticks : own_ticks(&tree->sums[up]);

		uint64_t left = around > timed[up] ? around - timed[up] : 0;

		if (tree->spent[i].storm.own == OMPP_STORM_BODY)
			limit_body(tree, i);
		else if (tree->spent[i].storm.own == OMPP_STORM_ENTER) /* others may be held meanwhile */
			limit_estimate(tree, i, left,
			               tree->spent[i].storm.ticks[OMPP_STORM_WHOLE] - cost_in_estimate(tree, i));
		else if (tree->spent[i].storm.n)
			limit_estimate(tree, i, left, guessed[up]);
	}
}

/* Returns what the estimate of a construct contains of its body's events beyond what they cost, as all visits are taken
 * to be as the chosen ones.  A chosen body takes what one takes that is timed as ever: the rest is done at the exit of
 * its construct. */
static uint64_t as_if_timed(struct visits v, enum ompp_cost_kind kind, int bound)
{
	uint64_t timed_fp = ompp_costs[kind][bound].pair_fp, untimed_fp = untimed_cost(kind, bound)->pair_fp;

	return timed_fp > untimed_fp ? v.untimed * (timed_fp - untimed_fp) : 0;
}

/* Returns how many visits had an enter: the others were counted alone. */
static uint64_t events_of(const struct tree *tree, uint32_t i)
{
	const struct ompp_callnode *node = tree->nodes[i];
	uint64_t n_quick = OMPP_LOAD(&node->n_quick); /* first, as the thread may be running: it is never above n */

	ompp_fence_acquire();
	return OMPP_LOAD(&node->n) - n_quick + tree->spent[i].n_open;
}

/* Adds the own cost of a node's events to the nodes whose time contains it.  It is called for children before their
 * parents. */
static void hand_up(struct tree *tree, uint32_t i)
{
	const struct ompp_callnode *node = tree->nodes[i];
	uint64_t folded = OMPP_LOAD(&node->n_folded), visits = events_of(tree, i);
	uint64_t pairs = visits + folded + OMPP_LOAD(&node->n_lock_exits);
	uint64_t n_quick = OMPP_LOAD(&node->n_quick);
	struct sums *sums = &tree->sums[i], *up = &tree->sums[node->parent->index], *team = &tree->sums[sums->team];
	struct visits parts = visits_of(&tree->spent[i].storm, pairs, OMPP_LOAD(&node->n_lock_exits) != 0);
	enum ompp_part part = OMPP_KEY_PART(node->key);

	if (part == OMPP_PART_BODY) { /* see as_if_timed() */
		parts.timed += parts.chosen;
		parts.chosen = 0;
	}
	tree->merge->n_visits += pairs;
	for (int b = 0; b < OMPP_N_COST_BOUNDS; b++) {
		const struct ompp_cost *cost = &ompp_costs[sums->kind][b];
		uint64_t pairs_fp = pairs_cost(parts, sums->kind, b);
		uint64_t inside_fp = OMPP_LOAD(&node->n_readings_inside) * ompp_arrival_reading_ticks[b] * 256;
		uint64_t outside_fp = OMPP_LOAD(&node->n_readings_outside) * ompp_arrival_reading_ticks[b] * 256;

		inside_fp += OMPP_LOAD(&node->sample_ticks) * 256;
		outside_fp += n_quick * ompp_counted_fp[b];
		tree->merge->own_fp[b] += pairs_fp + inside_fp + outside_fp;
		up->inside_fp[b] += outside_fp;
		sums->inside_fp[b] += inside_fp + folded * cost->pair_fp +
		                      OMPP_LOAD(&node->n_tasks) * ompp_costs[OMPP_COST_TASK][b].out_fp;
		if (part == OMPP_PART_TASKEXEC)
			team->tasks_fp[b] += visits * cost->in_fp + sums->inside_fp[b];
		else
			up->inside_fp[b] += pairs_fp + sums->inside_fp[b] +
			                    (part == OMPP_PART_TEAM ? sums->tasks_fp[b] : 0);
		if (part == OMPP_PART_BODY)
			up->assumed_fp[b] += as_if_timed(parts, sums->kind, b);
	}
	if (part == OMPP_PART_TASKEXEC)
		team->tasks_own += own_ticks(sums);
}

/* Returns the share part / whole of a time, × 256, and at most the time itself. */
static int64_t share_of(uint64_t ticks, uint64_t part, uint64_t whole)
{
	unsigned __int128 share = whole ? (unsigned __int128)ticks * part / whole : 0;

	return share < (unsigned __int128)ticks * 256 ? (int64_t)share : (int64_t)(ticks * 256);
}

/* Returns a cost as long as it can have become on a busy machine.  While the thread has no processor, the runtime's
 * part of its time gets longer, as the program's does. */
static uint64_t spent_stretched(const struct tree *tree, uint64_t cost_fp, int bound)
{
	unsigned __int128 cost = (unsigned __int128)cost_fp * tree->merge->stretch_milli / 1000;

	return bound != OMPP_COST_MOST ? cost_fp : cost < UINT64_MAX ? (uint64_t)cost : UINT64_MAX;
}

/* Returns how much cost may be taken out of an own time, so that its parts remain.  Of a fork's time only what its
 * parts lose is taken out, as its start and end are shown with their cost. */
static uint64_t most_cost(const struct sums *sums, const struct ompp_callnode *node, uint64_t own)
{
	uint64_t most = own * 256 > sums->parts_fp ? own * 256 - sums->parts_fp : 0;

	return OMPP_KEY_PART(node->key) == OMPP_PART_FORK && sums->parts_cost_fp < most ? sums->parts_cost_fp : most;
}

/* Computes what a node spent.  It is called for children before their parents. */
static void finish_node(struct tree *tree, uint32_t i)
{
	const struct ompp_callnode *node = tree->nodes[i];
	const struct sums *sums = &tree->sums[i], *team = &tree->sums[sums->team];
	struct ompp_spent *spent = &tree->spent[i];
	uint64_t n = events_of(tree, i), own = own_ticks(sums), task;

	if (sums->team == i) /* the tasks of a team are a part of its time */
		own = sums->ticks;
	task = sums->ticks > own ? sums->ticks - own : 0;
	for (int b = 0; b < OMPP_N_COST_BOUNDS; b++) {
		uint64_t own_cost = inner_cost(visits_of(&spent->storm, n, 0), sums->kind, b) + sums->inside_fp[b] +
		                    sums->assumed_fp[b] + (sums->team == i ? sums->tasks_fp[b] : 0);
		int64_t task_cost = share_of(task, spent_stretched(tree, team->tasks_fp[b], b), team->tasks_own);

		own_cost = spent_stretched(tree, own_cost, b);
		if (own_cost > most_cost(sums, node, own))
			own_cost = most_cost(sums, node, own);
		spent->cost[b] = (int64_t)own_cost + task_cost;
		if (b == OMPP_COST_TYPICAL) {
			spent->own = (int64_t)(own * 256 - own_cost);
			spent->task = (int64_t)(task * 256) - task_cost;
		}
	}
	if (i) {
		struct sums *up = &tree->sums[node->parent->index];

		up->parts_fp += (uint64_t)spent->own;
		up->parts_cost_fp += own * 256 - (uint64_t)spent->own;
	}
}

int ompp_spent(struct ompp_merge *merge, struct ompp_thread *t, struct ompp_callnode *const *nodes, uint32_t n,
               struct ompp_spent *spent)
{
	struct tree tree = { merge, t, nodes, n, spent, ompp_arena_alloc(merge->arena, n * sizeof(struct sums)) };
	uint64_t *timed = ompp_arena_alloc(merge->arena, 2 * n * sizeof(*timed));
	uint32_t i;

	if (!tree.sums || !timed)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		spent[i] = (struct ompp_spent){ .open_at = OMPP_NONE };
		start_node(&tree, i);
	}
	if (add_all_open(&tree))
		return -ENOMEM;
	limit_estimates(&tree, timed, timed + n);
	for (i = n; i-- > 1;)
		hand_up(&tree, i);
	for (i = n; i-- > 0;)
		finish_node(&tree, i);
	return 0;
}
