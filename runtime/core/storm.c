/*
 * Storm: see storm.h.
 */
#include "runtime/core/storm.h"

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/region.h"

struct ompp_storm_costs ompp_storm_costs;

enum {
	CROWD = 64,     /* so many timed visits say whether a storm goes on */
	SHORTEST = 10,  /* a visit that takes less than so many pairs of events is [costly] */
	SHARE = 20,     /* timed visits of a storm take at most one part in so many of its time */
	LEAST_GAP = 16, /* mean of the gaps, at the least; and at the most at the begin of a storm, and ever */
	MOST_FIRST_GAP = 128,
	MOST_GAP = 1024,
	FULL = 1024, /* when so many visits were timed, half as many of the next ones are */
	MOST_INTERVAL = 1 << 22,
	N_TRIES = 1000 /* to read what is known while the thread changes it */
};

/* Returns 1 for constructs in which nothing but the construct itself is timed: their visits are one interval each. */
static int is_simple(uint64_t key)
{
	const struct ompp_region_def *def = ompp_region_by_id(OMPP_KEY_ID(key));

	return def && OMPP_KEY_PART(key) == OMPP_PART_REGION && ompp_constructs[def->construct].form == OMPP_FORM_PLAIN;
}

/* Returns what one of n visits takes, × 256, without the inner part of its own events. */
static uint64_t mean_fp(uint64_t ticks, uint64_t n)
{
	uint64_t fp = (uint64_t)((unsigned __int128)ticks * 256 / n);

	return fp > ompp_storm_costs.in_fp ? fp - ompp_storm_costs.in_fp : 0;
}

static int is_short(uint64_t visit_fp)
{
	return visit_fp < ompp_storm_costs.pair_fp * SHORTEST;
}

/* Returns the mean gap for which the timed visits take their share of visits that take so long. */
static uint64_t gap_for(uint64_t visit_fp)
{
	uint64_t gap = ompp_storm_costs.pair_fp * SHARE / (visit_fp + ompp_storm_costs.untimed_fp + 1);

	return gap < LEAST_GAP ? LEAST_GAP : gap > MOST_FIRST_GAP ? MOST_FIRST_GAP : gap;
}

void ompp_storm_choose(struct ompp_callnode *node)
{
	struct ompp_storm *s = node->storm;

	OMPP_STORE(&node->timed_at, node->n + ompp_geometric_draw(s->gaps, &s->random) - 1);
}

/* Begins a storm of which one visit in `gap` is timed. */
static void storm_begin(struct ompp_callnode *node, uint64_t gap)
{
	struct ompp_storm *s = node->storm;

	ompp_assert(gap >= LEAST_GAP && ompp_storm_costs.pair_fp);
	s->gap = gap < MOST_GAP ? gap : MOST_GAP;
	s->gaps = ompp_geometric(s->gap);
	OMPP_STORE(&s->begin_n, node->n);
	s->crowd_ticks = 0;
	s->assumed_n = node->n;
	ompp_storm_choose(node);
	OMPP_STORE(&node->look_at, 0);
}

/* Waits for the next look. */
static void storm_wait(struct ompp_callnode *node)
{
	struct ompp_storm *s = node->storm;

	OMPP_STORE(&s->looked_n, node->n);
	OMPP_STORE(&s->looked_ticks, node->ticks);
	OMPP_STORE(&node->timed_at, 0);
	ompp_assert(s->interval && s->interval <= MOST_INTERVAL);
	OMPP_STORE(&node->look_at, node->n + s->interval);
	if (s->interval < MOST_INTERVAL)
		s->interval *= 2;
}

void ompp_storm_look(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t random)
{
	struct ompp_storm *s = node->storm;
	uint64_t visit_fp;

	if (!s || !s->interval) { /* none, or that of a forked child's parent */
		if (!s && ompp_storm_costs.pair_fp && is_simple(node->key))
			s = ompp_callgraph_alloc(graph, sizeof(*s));
		if (!s) {
			OMPP_STORE(&node->look_at, OMPP_STORM_NEVER);
			return;
		}
		s->random = ompp_random_seed(random ^ node->index);
		s->interval = OMPP_STORM_FIRST_LOOK;
		__atomic_store_n(&node->storm, s, __ATOMIC_RELEASE);
		storm_wait(node); /* the first visits, in which memory is touched first, say little of the others */
		return;
	}
	visit_fp = node->n > s->looked_n ? mean_fp(node->ticks - s->looked_ticks, node->n - s->looked_n) : UINT64_MAX;
	if (is_short(visit_fp))
		storm_begin(node, gap_for(visit_fp));
	else
		storm_wait(node);
}

/* Estimates the visits without time of the storm that goes on.  Each is taken to be as long as the mean of those that
 * were timed, whose deviations s² say how much: of the mean of m, and of n that were not seen, the variance is
 * s² n (n + m) / m. */
static struct ompp_storm_estimate storm_estimate(uint64_t n, uint64_t m, uint64_t ticks, unsigned __int128 squares)
{
	struct ompp_storm_estimate e = { .n = n, .has_error = 1 };
	unsigned __int128 deviations;

	if (!n)
		return e;
	e.has_error = m > 1;
	e.ticks = m ? (uint64_t)((unsigned __int128)ticks * n / m) : 0;
	if (m < 2)
		return e;
	deviations = (unsigned __int128)ticks * ticks / m;
	deviations = squares > deviations ? squares - deviations : 0;
	e.variance = deviations / (m - 1) * n + deviations * n / m / (m - 1) * n;
	return e;
}

/* Returns how many visits of the last storm were not timed. */
static uint64_t storm_untimed(const struct ompp_callnode *node, const struct ompp_storm *s)
{
	uint64_t last = OMPP_LOAD(&node->look_at) ? OMPP_LOAD(&s->end_n) : OMPP_LOAD(&node->n);
	uint64_t n = last - OMPP_LOAD(&s->begin_n) - OMPP_LOAD(&s->n_timed) - OMPP_LOAD(&s->n_beside);

	return (int64_t)n > 0 ? n : 0;
}

static unsigned __int128 load_wide(const uint64_t words[2])
{
	return (unsigned __int128)OMPP_LOAD(&words[1]) << 64 | OMPP_LOAD(&words[0]);
}

static void store_wide(uint64_t words[2], unsigned __int128 number)
{
	OMPP_STORE(&words[0], (uint64_t)number);
	OMPP_STORE(&words[1], (uint64_t)(number >> 64));
}

/* What is written between these is read as a whole. */
static void change_begins(struct ompp_storm *s)
{
	OMPP_STORE(&s->n_changes, s->n_changes + 1);
	ompp_fence_release();
}

static void change_ends(struct ompp_storm *s)
{
	__atomic_store_n(&s->n_changes, s->n_changes + 1, __ATOMIC_RELEASE);
}

/* Adds the storm that goes on to those that ended. */
static void storm_end(const struct ompp_callnode *node, struct ompp_storm *s)
{
	struct ompp_storm_estimate e = storm_estimate(storm_untimed(node, s), s->n_timed, s->ticks,
	                                              load_wide(s->squares));

	change_begins(s);
	OMPP_STORE(&s->past_n, s->past_n + e.n);
	OMPP_STORE(&s->past_ticks, s->past_ticks + e.ticks);
	OMPP_STORE(&s->past_timed, s->past_timed + s->n_timed);
	store_wide(s->past_variance, load_wide(s->past_variance) + e.variance);
	OMPP_STORE(&s->before_timed, s->n_timed);
	OMPP_STORE(&s->before_ticks, s->ticks);
	store_wide(s->before_squares, load_wide(s->squares));
	OMPP_STORE(&s->begin_n, 0);
	OMPP_STORE(&s->end_n, 0);
	OMPP_STORE(&s->n_timed, 0);
	OMPP_STORE(&s->n_beside, 0);
	OMPP_STORE(&s->ticks, 0);
	store_wide(s->squares, 0);
	change_ends(s);
}

/* Goes on with a storm, as its visits are short, or ends it. */
static void go_on(struct ompp_callnode *node, int are_short)
{
	struct ompp_storm *s = node->storm;

	if (are_short && s->n_timed < FULL)
		return;
	storm_end(node, s);
	if (are_short) {
		storm_begin(node, 2 * s->gap);
		return;
	}
	s->interval = OMPP_STORM_FIRST_LOOK;
	storm_wait(node);
}

void ompp_storm_add(struct ompp_callnode *node, uint64_t ticks)
{
	struct ompp_storm *s = node->storm;
	uint64_t n_before = node->n - s->assumed_n - 1, assumed = (int64_t)n_before > 0 ? n_before * ticks : 0;
	uint64_t crowd_ticks;

	change_begins(s);
	OMPP_STORE(&s->n_timed, s->n_timed + 1);
	OMPP_STORE(&s->ticks, s->ticks + ticks);
	store_wide(s->squares, load_wide(s->squares) + (unsigned __int128)ticks * ticks);
	OMPP_ADD(&node->ticks, assumed);
	OMPP_ADD(&s->assumed_ticks, assumed);
	change_ends(s);
	s->assumed_n = node->n;
	ompp_assert(s->n_timed && !node->look_at);
	s->typical_ticks = s->ticks / s->n_timed;
	ompp_storm_choose(node);
	s->crowd_ticks += ticks;
	if (s->n_timed % CROWD)
		return;
	crowd_ticks = s->crowd_ticks;
	s->crowd_ticks = 0;
	go_on(node, is_short(mean_fp(crowd_ticks, CROWD) / 2));
}

/* Estimates the visits without time of the last storm.  As long as none or one was timed they are as those of the storm
 * before, and without one as all before. */
static struct ompp_storm_estimate estimate_last(const struct ompp_callnode *node, const struct ompp_storm *s)
{
	uint64_t n = OMPP_LOAD(&s->begin_n) ? storm_untimed(node, s) : 0, m = OMPP_LOAD(&s->n_timed);
	struct ompp_storm_estimate e;

	if (m < 2 && OMPP_LOAD(&s->before_timed))
		return storm_estimate(n, OMPP_LOAD(&s->before_timed), OMPP_LOAD(&s->before_ticks),
		                      load_wide(s->before_squares));
	e = storm_estimate(n, m, OMPP_LOAD(&s->ticks), load_wide(s->squares));
	if (n && !m && OMPP_LOAD(&s->looked_n))
		e.ticks = (uint64_t)((unsigned __int128)OMPP_LOAD(&s->looked_ticks) * n / OMPP_LOAD(&s->looked_n));
	return e;
}

static struct ompp_storm_estimate estimate_all(const struct ompp_callnode *node, const struct ompp_storm *s)
{
	struct ompp_storm_estimate e = estimate_last(node, s);

	e.n += OMPP_LOAD(&s->past_n);
	e.ticks += OMPP_LOAD(&s->past_ticks);
	e.variance += load_wide(s->past_variance);
	e.n_chosen = OMPP_LOAD(&s->n_timed) + OMPP_LOAD(&s->past_timed);
	e.assumed_ticks = OMPP_LOAD(&s->assumed_ticks);
	return e;
}

/* The thread may end a storm meanwhile; it may also have been interrupted in that, by whoever reads. */
struct ompp_storm_estimate ompp_storm_estimate(const struct ompp_callnode *node)
{
	const struct ompp_storm *s = __atomic_load_n(&node->storm, __ATOMIC_ACQUIRE);
	struct ompp_storm_estimate e = { .has_error = 1 };
	uint64_t n_changes;

	for (int i = 0; s && i < N_TRIES; i++) {
		n_changes = __atomic_load_n(&s->n_changes, __ATOMIC_ACQUIRE);
		e = estimate_all(node, s);
		ompp_fence_acquire();
		if (!(n_changes & 1) && n_changes == OMPP_LOAD(&s->n_changes))
			break;
	}
	return e;
}
