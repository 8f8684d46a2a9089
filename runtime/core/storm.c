/*
 * Storm: see storm.h.
 */
#define _GNU_SOURCE
#include "runtime/core/storm.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/base/check.h"
#include "runtime/base/filter.h"
#include "runtime/base/relaxed.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/region.h"
#include "runtime/host/clock.h"

struct ompp_storm_costs ompp_storm_costs;

enum {
	CROWD = 64,     /* so many timed visits say whether a storm goes on */
	SHORTEST = 10,  /* a visit that takes less than so many times its pairs of events is [costly] */
	DEAR = 200,     /* there are no storms where these are less than one part in so many of the time around them */
	LONG = 200,     /* a span that is longer than usual by so many times a visit's pairs is a wait */
	UNSEEN = 50,    /* storms end where more than one part in so many of their time may be unseen */
	SHARE = 20,     /* timed visits of a storm take at most one part in so many of its time */
	LEAST_GAP = 16, /* mean of the gaps, at the least; and at the most at the begin of a storm, and ever */
	MOST_FIRST_GAP = 128,
	MOST_GAP = 1024,
	FULL = 1024, /* when so many visits were timed, half as many of the next ones are */
	MOST_INTERVAL = 1 << 22,
	N_TRIES = 1000 /* to read what is known while the thread changes it */
};

/* Returns how many times its visits have that storms estimate; 0 for regions that have none. */
static uint32_t n_times(uint64_t key)
{
	const struct ompp_region_def *def = ompp_region_by_id(OMPP_KEY_ID(key));

	if (!def || OMPP_KEY_PART(key) != OMPP_PART_REGION)
		return 0;
	switch (ompp_constructs[def->construct].form) {
	case OMPP_FORM_PLAIN:
	case OMPP_FORM_TARGET:
	case OMPP_FORM_MESSAGE:
		return 1;
	case OMPP_FORM_CRITICAL:
	case OMPP_FORM_LOCK:
		return OMPP_STORM_TIMES;
	default:
		return 0;
	}
}

/* Returns what a visit's pairs of events cost, × 256: one pair, or two where it has several times. */
static uint64_t pairs_fp(const struct ompp_storm *s, uint64_t pair_fp)
{
	return s->n_times > 1 ? 2 * pair_fp : pair_fp;
}

/* Returns the time of a node's visits; the last two are those of locks. */
static uint64_t storm_ticks(const struct ompp_callnode *node)
{
	return node->ticks + node->body_ticks + node->exit_ticks;
}

/* Returns what one of n visits takes, × 256, without the inner part of its own events. */
static uint64_t mean_fp(uint64_t ticks, uint64_t n)
{
	uint64_t fp = (uint64_t)((unsigned __int128)ticks * 256 / n);

	return fp > ompp_storm_costs.in_fp ? fp - ompp_storm_costs.in_fp : 0;
}

static int is_short(const struct ompp_storm *s, uint64_t visit_fp)
{
	return visit_fp < pairs_fp(s, ompp_storm_costs.pair_fp) * SHORTEST;
}

/* Returns 1 when timing all visits costs enough of the time around them; else there is nothing to be gained. */
static int is_dear(const struct ompp_storm *s, const struct ompp_callnode *node, uint64_t around)
{
	unsigned __int128 cost = (unsigned __int128)(node->n - s->looked_n) * pairs_fp(s, ompp_storm_costs.pair_fp) /
	                         256;

	return cost * DEAR > around - s->looked_around;
}

/* Returns the mean gap for which the timed visits take their share of visits that take so long. */
static uint64_t gap_for(const struct ompp_storm *s, uint64_t visit_fp)
{
	uint64_t gap = pairs_fp(s, ompp_storm_costs.pair_fp) * SHARE /
	               (visit_fp + pairs_fp(s, ompp_storm_costs.untimed_fp) + 1);

	return gap < LEAST_GAP ? LEAST_GAP : gap > MOST_FIRST_GAP ? MOST_FIRST_GAP : gap;
}

void ompp_storm_choose(struct ompp_callnode *node)
{
	struct ompp_storm *s = node->storm;
	uint64_t gap = ompp_geometric_draw(s->gaps, &s->random);

	OMPP_STORE(&node->timed_at, node->n + gap - 1);
	if (s->body)
		OMPP_STORE(&s->body->timed_at, s->body->n + gap - 1);
}

void ompp_storm_lead(struct ompp_callnode *node)
{
	struct ompp_storm *s = node->storm;
	uint64_t gap = node->timed_at > node->n ? node->timed_at - node->n : 0;

	s->has_body = 0;
	if (s->body)
		OMPP_STORE(&s->body->timed_at, s->body->n + gap);
}

/* Begins a storm of which one visit in `gap` is timed. */
static void storm_begin(struct ompp_callnode *node, uint64_t gap)
{
	struct ompp_storm *s = node->storm;

	ompp_assert(gap >= LEAST_GAP && ompp_storm_costs.pair_fp);
	s->gap = gap < MOST_GAP ? gap : MOST_GAP;
	s->gaps = ompp_geometric(s->gap);
	s->number++;
	OMPP_STORE(&s->begin_n, node->n);
	s->crowd_ticks = 0;
	s->assumed_n = node->n;
	s->has_body = 0;
	ompp_storm_choose(node);
	OMPP_STORE(&node->look_at, 0);
	if (s->body)
		OMPP_STORE(&s->body->look_at, 0);
}

/* Reads what the kernel knows of this thread's time. */
static void read_cpu(struct ompp_storm_unseen *unseen)
{
	int is_known = ompp_clock_kind != OMPP_CLOCK_FAKE &&
	               !ompp_filter_refuses(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, 0) &&
	               !ompp_filter_refuses(SYS_getrusage, RUSAGE_THREAD, 0) && !ompp_cpu_read(&unseen->cpu);

	unseen->read_ticks = is_known ? ompp_clock() : 0;
}

/* Begins the first storm after a look, at the enter of a visit that is not of it. */
static void begin_from_look(struct ompp_callnode *node, uint64_t gap, uint64_t around)
{
	struct ompp_storm *s = node->storm;
	uint64_t n = node->n - s->looked_n;

	s->spans = (struct ompp_storm_spans){
		.at_ticks = around, .at_n = node->n, .n = CROWD, .ticks = (around - s->looked_around) / n * CROWD
	};
	if (s->n_times > 1)
		read_cpu(&s->unseen);
	storm_begin(node, gap);
	if (s->body)
		OMPP_STORE(&s->body->timed_at, 0);
}

/* Waits for the next look. */
static void storm_wait(struct ompp_callnode *node, uint64_t around)
{
	struct ompp_storm *s = node->storm;

	OMPP_STORE(&s->looked_n, node->n);
	OMPP_STORE(&s->looked_ticks, storm_ticks(node));
	s->looked_around = around;
	OMPP_STORE(&node->timed_at, 0);
	if (s->body) {
		OMPP_STORE(&s->body->timed_at, 0);
		OMPP_STORE(&s->body->look_at, OMPP_STORM_LED);
	}
	ompp_assert(s->interval && s->interval <= MOST_INTERVAL);
	OMPP_STORE(&node->look_at, node->n + s->interval);
	if (s->interval < MOST_INTERVAL)
		s->interval *= 2;
}

/* Makes the node's storm at the first look, or anew in a forked child.  Returns 0 when it has none. */
static int storm_make(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t random)
{
	uint32_t n = ompp_storm_costs.pair_fp ? n_times(node->key) : 0;
	struct ompp_storm *s = node->storm;

	if (!s && n)
		s = ompp_callgraph_alloc(graph, sizeof(*s));
	if (!s)
		return 0;
	s->n_times = n;
	s->random = ompp_random_seed(random ^ node->index);
	s->interval = OMPP_STORM_FIRST_LOOK;
	__atomic_store_n(&node->storm, s, __ATOMIC_RELEASE);
	return 1;
}

/* Returns the body that a CRITICAL or ORDERED leads; NULL for other constructs. */
static struct ompp_callnode *body_of(const struct ompp_callnode *node)
{
	return ompp_callnode_child(node, node->key + OMPP_KEY(0, OMPP_PART_BODY));
}

/* Finds the body that is to be led.  Returns 0 when there is one that cannot be, as regions begin in it. */
static int find_body(struct ompp_callnode *node)
{
	struct ompp_callnode *body = body_of(node);

	if (body && body->look_at != OMPP_STORM_LED)
		return 0;
	node->storm->body = body;
	if (body)
		__atomic_store_n(&body->storm, node->storm, __ATOMIC_RELEASE);
	return 1;
}

void ompp_storm_look(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t random, uint64_t around)
{
	struct ompp_storm *s = node->storm;
	uint64_t visit_fp;

	if (OMPP_KEY_PART(node->key) == OMPP_PART_BODY) {
		OMPP_STORE(&node->look_at, OMPP_STORM_LED);
		return;
	}
	if (!s || !s->interval) { /* none, or that of a forked child's parent */
		if (storm_make(graph, node, random))
			storm_wait(node,
			           around); /* the first visits, which touch memory first, say little of the others */
		else
			OMPP_STORE(&node->look_at, OMPP_STORM_NEVER);
		return;
	}
	visit_fp = node->n > s->looked_n ? mean_fp(storm_ticks(node) - s->looked_ticks, node->n - s->looked_n)
	                                 : UINT64_MAX;
	if (is_short(s, visit_fp) && is_dear(s, node, around) && find_body(node))
		begin_from_look(node, gap_for(s, visit_fp), around);
	else
		storm_wait(node, around);
}

/* Estimates a time of the visits without time of a storm.  Each is taken to be as long as the mean of those that were
 * timed, whose deviations s² say how much: of the mean of m, and of n that were not seen, the variance is
 * s² n (n + m) / m. */
static uint64_t storm_mean(uint64_t n, uint64_t m, uint64_t ticks)
{
	return m ? (uint64_t)((unsigned __int128)ticks * n / m) : 0;
}

static unsigned __int128 storm_variance(uint64_t n, uint64_t m, uint64_t ticks, unsigned __int128 squares)
{
	unsigned __int128 deviations;

	if (m < 2)
		return 0;
	deviations = (unsigned __int128)ticks * ticks / m;
	deviations = squares > deviations ? squares - deviations : 0;
	return deviations / (m - 1) * n + deviations * n / m / (m - 1) * n;
}

/* Returns the variance by visits that are rare and long, of which none may be in the sample: a thread waits for one
 * that has lost its processor.  One visit in the sample stands for `gap` others, so that as many may be longer, each by
 * as much as the time between timed visits shows at the most; and all together by as much as all of that. */
static unsigned __int128 unseen_variance(const struct ompp_storm *s)
{
	unsigned __int128 most = (unsigned __int128)OMPP_LOAD(&s->spans.most_ticks) * OMPP_LOAD(&s->gap);
	uint64_t all = OMPP_LOAD(&s->spans.sum_ticks);

	if (s->n_times == 1)
		return 0;
	return most < all ? most * most : (unsigned __int128)all * all;
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

/* Adds a time of n visits of the storm that goes on to those of storms that ended. */
static void time_ends(const struct ompp_storm *s, struct ompp_storm_sum *sum, uint64_t n)
{
	unsigned __int128 squares = load_wide(sum->squares);
	unsigned __int128 variance = storm_variance(n, s->n_timed, sum->ticks, squares) + unseen_variance(s);

	OMPP_STORE(&sum->past_ticks, sum->past_ticks + storm_mean(n, s->n_timed, sum->ticks));
	store_wide(sum->past_variance, load_wide(sum->past_variance) + variance);
	OMPP_STORE(&sum->before_ticks, sum->ticks);
	store_wide(sum->before_squares, squares);
	OMPP_STORE(&sum->ticks, 0);
	store_wide(sum->squares, 0);
}

/* Adds the storm that goes on to those that ended. */
static void storm_end(const struct ompp_callnode *node, struct ompp_storm *s)
{
	uint64_t n = storm_untimed(node, s);

	change_begins(s);
	for (uint32_t i = 0; i < s->n_times; i++)
		time_ends(s, &s->times[i], n);
	OMPP_STORE(&s->past_n, s->past_n + n);
	OMPP_STORE(&s->past_timed, s->past_timed + s->n_timed);
	OMPP_STORE(&s->before_timed, s->n_timed);
	OMPP_STORE(&s->begin_n, 0);
	OMPP_STORE(&s->end_n, 0);
	OMPP_STORE(&s->n_timed, 0);
	OMPP_STORE(&s->n_beside, 0);
	OMPP_STORE(&s->spans.most_ticks, 0);
	OMPP_STORE(&s->spans.sum_ticks, 0);
	change_ends(s);
}

/* Returns by how many ticks a span is longer than usual that is a wait: for others, or for the processor. */
static uint64_t long_ticks(const struct ompp_storm *s)
{
	return LONG * (pairs_fp(s, ompp_storm_costs.pair_fp) / 256);
}

/* Does the sample see nearly all of the time?  What it does not see may be all that a thread waited. */
static int is_seen(const struct ompp_storm *s)
{
	return s->unseen.ticks <= s->unseen.all_ticks / UNSEEN + long_ticks(s);
}

/* Goes on with a storm, as its visits are short, or ends it.  Where the sample does not see enough, it is longer each
 * time until the next one. */
static void go_on(struct ompp_callnode *node, int are_short)
{
	struct ompp_storm *s = node->storm;
	int sees = is_seen(s);

	if (are_short && sees && s->n_timed < FULL)
		return;
	storm_end(node, s);
	if (are_short && sees) {
		storm_begin(node, 2 * s->gap);
		return;
	}
	if (sees)
		s->interval = OMPP_STORM_FIRST_LOOK;
	storm_wait(node, s->spans.at_ticks);
}

/* Returns the time that a node's ticks are of. */
static enum ompp_storm_time own_time(const struct ompp_storm *s, const struct ompp_callnode *node)
{
	if (node == OMPP_LOAD(&s->body))
		return OMPP_STORM_BODY;
	return s->n_times > 1 && !OMPP_LOAD(&s->body) ? OMPP_STORM_ENTER : OMPP_STORM_WHOLE;
}

static void assume(struct ompp_storm *s, struct ompp_callnode *node, const uint64_t *times, uint64_t n)
{
	enum ompp_storm_time own = own_time(s, node);

	OMPP_ADD(&node->ticks, n * times[own]);
	OMPP_ADD(&s->times[own].assumed_ticks, n * times[own]);
}

static void add_time(struct ompp_storm_sum *sum, uint64_t ticks)
{
	OMPP_STORE(&sum->ticks, sum->ticks + ticks);
	store_wide(sum->squares, load_wide(sum->squares) + (unsigned __int128)ticks * ticks);
}

void ompp_storm_add(struct ompp_callnode *node, const uint64_t times[OMPP_STORM_TIMES])
{
	struct ompp_storm *s = node->storm;
	uint64_t n_before = node->n - s->assumed_n - 1, crowd_ticks;

	n_before = (int64_t)n_before > 0 ? n_before : 0;
	change_begins(s);
	OMPP_STORE(&s->n_timed, s->n_timed + 1);
	for (uint32_t i = 0; i < s->n_times; i++)
		add_time(&s->times[i], times[i]);
	assume(s, node, times, n_before);
	if (s->body)
		assume(s, s->body, times, n_before);
	change_ends(s);
	s->assumed_n = node->n;
	ompp_assert(s->n_timed);
	s->typical_ticks = s->times[OMPP_STORM_WHOLE].ticks / s->n_timed;
	s->has_body = 0;
	ompp_storm_choose(node);
	s->crowd_ticks += times[OMPP_STORM_WHOLE];
	if (s->n_timed % CROWD) {
		if (!is_seen(s))
			go_on(node, 1);
		return;
	}
	crowd_ticks = s->crowd_ticks;
	s->crowd_ticks = 0;
	go_on(node, is_short(s, mean_fp(crowd_ticks, CROWD) / 2));
}

/* Returns for how long the thread waited for its processor since the last reading, in ticks.  One that gave up its
 * processor by itself may have waited for other threads: then it is 0.  COLD. */
static __attribute__((noinline, cold)) uint64_t queued_ticks(struct ompp_storm_unseen *unseen)
{
	struct ompp_storm_unseen before = *unseen;
	int64_t wall_ns, queued_ns;

	read_cpu(unseen);
	if (!before.read_ticks || !unseen->read_ticks || unseen->cpu.n_voluntary != before.cpu.n_voluntary)
		return 0;
	wall_ns = unseen->cpu.monotonic_ns - before.cpu.monotonic_ns;
	queued_ns = wall_ns - (unseen->cpu.cpu_ns - before.cpu.cpu_ns);
	if (wall_ns <= 0 || queued_ns <= 0)
		return 0;
	return (uint64_t)((unsigned __int128)(unseen->read_ticks - before.read_ticks) * (uint64_t)queued_ns /
	                  (uint64_t)wall_ns);
}

/* Adds to what is not seen: what a span was longer than usual, where that is as much once more.  The first span of a
 * storm contains what its begin takes. */
static void add_unseen(struct ompp_storm *s, uint64_t excess, uint64_t usual)
{
	if (excess <= usual || !s->n_timed)
		return;
	if (excess > long_ticks(s)) {
		uint64_t queued = queued_ticks(&s->unseen);

		excess -= queued < excess ? queued : excess;
	}
	s->unseen.ticks += excess;
}

void ompp_storm_span(struct ompp_callnode *node, uint64_t begin, uint64_t end)
{
	struct ompp_storm *s = node->storm;
	struct ompp_storm_spans *spans = &s->spans;
	uint64_t ticks = begin - spans->at_ticks, n = node->n - spans->at_n, usual;

	spans->at_ticks = end;
	spans->at_n = node->n;
	if ((int64_t)ticks < 0 || (int64_t)n <= 0)
		return;
	usual = spans->n ? (uint64_t)((unsigned __int128)spans->ticks * n / spans->n) : ticks;
	spans->n += n;
	spans->ticks += ticks;
	s->unseen.all_ticks += ticks;
	if (ticks <= usual)
		return;
	if (s->n_times > 1)
		add_unseen(s, ticks - usual, usual);
	OMPP_STORE(&spans->sum_ticks, spans->sum_ticks + ticks - usual);
	if (ticks - usual > spans->most_ticks)
		OMPP_STORE(&spans->most_ticks, ticks - usual);
}

/* Estimates a time of n visits without time of the last storm.  As long as none or one was timed they are as those of
 * the storm before, and without one as all before. */
static void estimate_time(struct ompp_storm_estimate *e, const struct ompp_storm *s, uint64_t n, int time)
{
	const struct ompp_storm_sum *sum = &s->times[time];
	uint64_t m = OMPP_LOAD(&s->n_timed), ticks = OMPP_LOAD(&sum->ticks);
	unsigned __int128 squares = load_wide(sum->squares);

	if (m < 2 && OMPP_LOAD(&s->before_timed)) {
		m = OMPP_LOAD(&s->before_timed);
		ticks = OMPP_LOAD(&sum->before_ticks);
		squares = load_wide(sum->before_squares);
	}
	e->ticks[time] = storm_mean(n, m, ticks) + OMPP_LOAD(&sum->past_ticks);
	e->variance[time] = storm_variance(n, m, ticks, squares) + unseen_variance(s) + load_wide(sum->past_variance);
	if (n && !m && s->n_times == 1 && OMPP_LOAD(&s->looked_n))
		e->ticks[time] += storm_mean(n, OMPP_LOAD(&s->looked_n), OMPP_LOAD(&s->looked_ticks));
}

/* node: of the construct */
static void estimate_all(struct ompp_storm_estimate *e, const struct ompp_callnode *node, const struct ompp_storm *s)
{
	uint64_t n = OMPP_LOAD(&s->begin_n) ? storm_untimed(node, s) : 0, m = OMPP_LOAD(&s->n_timed);

	for (uint32_t i = 0; i < s->n_times; i++)
		estimate_time(e, s, n, (int)i);
	e->has_error = !n || m > 1 || OMPP_LOAD(&s->before_timed) > 1;
	e->has_parts = s->n_times > 1;
	e->n = n + OMPP_LOAD(&s->past_n);
	e->n_chosen = m + OMPP_LOAD(&s->past_timed);
	e->assumed_ticks = OMPP_LOAD(&s->times[e->own].assumed_ticks);
}

/* The thread may end a storm meanwhile; it may also have been interrupted in that, by whoever reads. */
struct ompp_storm_estimate ompp_storm_estimate(const struct ompp_callnode *node)
{
	const struct ompp_storm *s = __atomic_load_n(&node->storm, __ATOMIC_ACQUIRE);
	struct ompp_storm_estimate e = { .has_error = 1 };
	uint64_t n_changes;

	for (int i = 0; s && i < N_TRIES; i++) {
		n_changes = __atomic_load_n(&s->n_changes, __ATOMIC_ACQUIRE);
		e.own = own_time(s, node);
		estimate_all(&e, e.own == OMPP_STORM_BODY ? node->parent : node, s);
		ompp_fence_acquire();
		if (!(n_changes & 1) && n_changes == OMPP_LOAD(&s->n_changes))
			break;
	}
	return e;
}
