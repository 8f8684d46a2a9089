/*
 * Cost: see cost.h.
 */
#include "runtime/events/cost.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/core/storm.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/events/arrival.h"
#include "runtime/events/task.h"
#include "runtime/events/team.h"
#include "runtime/events/visit.h"
#include "runtime/host/clock.h"
#include "runtime/memory/hardware.h"
#include "runtime/span/span.h"
#include "runtime/terms/mode.h"

struct ompp_cost ompp_costs[OMPP_N_COST_KINDS][OMPP_N_COST_BOUNDS];
struct ompp_value_cost ompp_value_costs[OMPP_MAX_METRICS];
uint64_t ompp_counted_fp[OMPP_N_COST_BOUNDS];
void (*ompp_cost_counted)(int is_counted);

enum {
	BATCHES = 7,
	MOST_BATCHES = 200,
	PAIRS = 64, /* a power of two */
	SCRATCH_FRAMES = 8,
	SCRATCH_BYTES = 262144,
	MEMBERS = 2,
	LINE_BYTES = 128 /* apart, so that no line is fetched beside another */
};

/* The kinds of work beside which events are measured.  Each is one function for all batches, so that it takes the same
 * time with events around it as alone, wherever the compiler puts the loop. */
static uint64_t word;

static __attribute__((noinline)) void cost_nothing(void)
{
	__asm__ volatile("");
}

static inline __attribute__((always_inline)) void wait_for_each(int n_steps)
{
	uint64_t x = word;

	for (int i = 0; i < n_steps; i++) {
		x *= 3;
		__asm__ volatile("" : "+r"(x));
	}
}

/* Runs a chain of dependent steps, as small loops have. */
static __attribute__((noinline)) void cost_linked(void)
{
	wait_for_each(20);
}

/* Runs a chain that is long enough for the processor to execute a whole event in its shadow. */
static __attribute__((noinline)) void long_linked(void)
{
	wait_for_each(100);
}

static __attribute__((noinline)) void atomic_add(void)
{
	__atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
}

/* It is inlined into the loop: a call stores its return address, and the addition would wait for that store. */
static inline __attribute__((always_inline)) void bare_add(void)
{
	__atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
}

/* Runs many independent steps, as a library's functions do. */
static __attribute__((noinline)) void cost_wide(void)
{
	uint64_t a = 1, b = 2, c = 3, d = 4;

	for (int i = 0; i < 30; i++) {
		a++, b++, c++, d++;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	}
}

static char *cost_lines; /* PAIRS lines */
static unsigned int line_at;

/* Evicts the lines from the caches. */
static void cost_forget(void)
{
	for (int i = 0; i < PAIRS; i++) {
#if defined(__x86_64__) || defined(__i386__)
		__asm__ volatile("clflush (%0)" : : "r"(cost_lines + i * LINE_BYTES) : "memory");
#elif defined(__aarch64__)
		__asm__ volatile("dc civac, %0" : : "r"(cost_lines + i * LINE_BYTES) : "memory");
#endif
	}
	ompp_fence();
}

/* Makes a cache miss.  The misses do not depend on each other, so a processor has many of them in flight, but fewer
 * with events in between, whose instructions fill its queue: then an event costs more than its own time.  An example
 * are tasks whose memory does not fit into the caches. */
static __attribute__((noinline)) void cost_miss(void)
{
	line_at = (line_at * 5 + 1) % PAIRS; /* reaches all lines, in no order that a processor could guess */
	(void)*(const volatile char *)(cost_lines + line_at * LINE_BYTES);
}

/* The last kind of work is no function of this table; it is for events that take no longer than such a call. */
enum work { NOTHING, LINKED, LONG_LINKED, ATOMIC_ADD, WIDE, MISS, BARE_ADD, N_WORKS };
static void (*const works[BARE_ADD])(void) = {
	cost_nothing, cost_linked, long_linked, atomic_add, cost_wide, cost_miss
};

/* Where the work is done: outside or inside of the events, or before each of a task's four events, as the OpenMP
 * library does its own. */
enum place { OUTSIDE, INSIDE, BETWEEN, N_PLACES };
enum events { NONE, REGION, BRIEF, TASK, BARRIER, UNTIMED, CHOSEN, N_EVENTS };

static struct ompp_region_def defs[N_EVENTS]; /* [NONE] is the region around a batch */

/* Finds a region by its handle, as the adapters do. */
static struct ompp_region_def *cost_region(void *volatile *handle)
{
	struct ompp_region_def *def = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	return def && !def->off ? def : &defs[NONE];
}

static __attribute__((noinline)) void cost_enter(void *volatile *handle)
{
	ompp_visit_enter(cost_region(handle)->key, OMPP_CALLER());
}

static __attribute__((noinline)) void cost_leave(void *volatile *handle)
{
	ompp_visit_exit(cost_region(handle)->key);
}

static __attribute__((noinline)) void cost_begin(void *volatile *handle)
{
	ompp_task_begin(cost_region(handle), 0, 0, OMPP_CALLER());
}

static __attribute__((noinline)) void cost_end(void *volatile *handle)
{
	ompp_task_end(cost_region(handle));
}

static __attribute__((noinline)) void cost_arrive(void *volatile *handle)
{
	ompp_barrier_enter(cost_region(handle)->key, OMPP_CALLER());
}

static __attribute__((noinline)) void cost_depart(void *volatile *handle)
{
	ompp_barrier_exit(cost_region(handle)->key);
}

/* Runs one batch.  Returns its ticks. */
static inline __attribute__((always_inline)) uint64_t batch(enum events events, void (*work)(void), enum place place)
{
	static void *volatile handles[N_EVENTS] = { &defs[NONE],    &defs[REGION],  &defs[BRIEF], &defs[TASK],
		                                    &defs[BARRIER], &defs[UNTIMED], &defs[CHOSEN] };
	uint64_t start;

	if (work == cost_miss)
		cost_forget();
	start = ompp_clock();
	for (int i = 0; i < PAIRS; i++) {
		if (place != INSIDE)
			work();
		if (events == REGION || events == TASK)
			cost_enter(&handles[REGION]);
		if (place == BETWEEN)
			work();
		if (events == TASK)
			cost_begin(&handles[TASK]);
		if (events == BRIEF || events == UNTIMED || events == CHOSEN)
			cost_enter(&handles[events]);
		if (events == BARRIER)
			cost_arrive(&handles[BARRIER]);
		if (place != OUTSIDE)
			work();
		if (events == BARRIER)
			cost_depart(&handles[BARRIER]);
		if (events == BRIEF || events == UNTIMED || events == CHOSEN)
			cost_leave(&handles[events]);
		if (events == TASK)
			cost_end(&handles[TASK]);
		if (place == BETWEEN)
			work();
		if (events == REGION || events == TASK)
			cost_leave(&handles[REGION]);
	}
	return ompp_clock() - start;
}

static uint64_t bare_batch_of(enum events events, enum place place)
{
	switch (events) {
	case UNTIMED:
		return place == INSIDE ? batch(UNTIMED, bare_add, INSIDE) : batch(UNTIMED, bare_add, OUTSIDE);
	case CHOSEN:
		return place == INSIDE ? batch(CHOSEN, bare_add, INSIDE) : batch(CHOSEN, bare_add, OUTSIDE);
	default:
		return batch(NONE, bare_add, INSIDE);
	}
}

static uint64_t task_batch_of(enum work work, enum place place)
{
	switch (place) {
	case INSIDE:
		return batch(TASK, works[work], INSIDE);
	case BETWEEN:
		return batch(TASK, works[work], BETWEEN);
	default:
		return batch(TASK, works[work], OUTSIDE);
	}
}

/* Runs one batch.  Each kind has its own loop, so that the compiler knows what is in it. */
static uint64_t batch_of(enum events events, enum work work, enum place place)
{
	if (work == BARE_ADD)
		return bare_batch_of(events, place);
	switch (events) {
	case REGION:
		return place == INSIDE ? batch(REGION, works[work], INSIDE) : batch(REGION, works[work], OUTSIDE);
	case BRIEF:
		return place == INSIDE ? batch(BRIEF, works[work], INSIDE) : batch(BRIEF, works[work], OUTSIDE);
	case TASK:
		return task_batch_of(work, place);
	case BARRIER:
		return place == INSIDE ? batch(BARRIER, works[work], INSIDE) : batch(BARRIER, works[work], OUTSIDE);
	case UNTIMED:
		return place == INSIDE ? batch(UNTIMED, works[work], INSIDE) : batch(UNTIMED, works[work], OUTSIDE);
	case CHOSEN:
		return place == INSIDE ? batch(CHOSEN, works[work], INSIDE) : batch(CHOSEN, works[work], OUTSIDE);
	default:
		return place == BETWEEN ? batch(NONE, works[work], BETWEEN) : batch(NONE, works[work], INSIDE);
	}
}

/* The shortest batch of each kind, and the shortest time that a batch's innermost visits measured. */
struct shortest {
	uint64_t batch[N_EVENTS][N_WORKS][N_PLACES], inside[N_EVENTS][N_WORKS][N_PLACES];
};

static void keep_less(uint64_t *least, uint64_t ticks)
{
	if (ticks < *least)
		*least = ticks;
}

/* Are there storms?  Only where nothing else is done at events. */
static int has_storms(void)
{
	return ompp_mode_is_storms();
}

static int is_of_storm(enum events events)
{
	return events == UNTIMED || events == CHOSEN;
}

/* Is this work done here beside these events?  The bare addition is for storms alone, and misses are for tasks.  Work
 * between the events must be as short as they are; otherwise the result would be the difference of two long times. */
static int is_measured(enum events events, enum work work, enum place place)
{
	if (place == BETWEEN)
		return events == TASK && (work == LINKED || work == ATOMIC_ADD || work == WIDE);
	if (is_of_storm(events))
		return has_storms() && work != MISS;
	return work != BARE_ADD && (work != MISS || events == TASK);
}

/* Is the work measured without events?  It is then done inside of nothing, or between. */
static int is_measured_alone(enum work work, enum place place)
{
	return place == INSIDE ? work != BARE_ADD || has_storms() : is_measured(TASK, work, BETWEEN);
}

/* Lets a storm begin at the node in which all of the next visits are untimed, or all are chosen. */
static void let_storm(struct ompp_callnode *node, int are_chosen)
{
	*node->storm = (struct ompp_storm){ .gaps = ompp_geometric(1),
		                            .random = ompp_random_seed(1),
		                            .begin_n = node->n,
		                            .assumed_n = node->n,
		                            .n_times = 1 };
	node->timed_at = are_chosen ? node->n : UINT64_MAX;
	node->look_at = 0;
}

static void measure_events(struct shortest *s, struct ompp_callnode *node, enum events events, enum work work)
{
	for (int p = 0; p < N_PLACES; p++) {
		uint64_t before = node->ticks;

		if (!is_measured(events, work, (enum place)p))
			continue;
		if (is_of_storm(events))
			let_storm(node, events == CHOSEN);
		keep_less(&s->batch[events][work][p], batch_of(events, work, (enum place)p));
		keep_less(&s->inside[events][work][p], node->ticks - before);
	}
}

static void cost_measure(struct shortest *s, struct ompp_callnode *const nodes[N_EVENTS])
{
	for (int w = 0; w < N_WORKS; w++) {
		for (int p = INSIDE; p < N_PLACES; p++)
			if (is_measured_alone((enum work)w, (enum place)p))
				keep_less(&s->batch[NONE][w][p], batch_of(NONE, (enum work)w, (enum place)p));
		for (int e = REGION; e < N_EVENTS; e++)
			measure_events(s, nodes[e], (enum events)e, (enum work)w);
	}
}

static uint64_t cost_less0(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Returns what a pair of events costs beside this work. */
static struct ompp_cost cost_of(const struct shortest *s, enum events events, enum work work, enum place place)
{
	uint64_t alone = s->batch[NONE][work][place == BETWEEN ? BETWEEN : INSIDE];
	uint64_t inside = place == INSIDE ? alone : place == BETWEEN ? alone / 4 : 0;
	uint64_t n_pairs = PAIRS * (events == TASK ? 2 : 1);
	uint64_t pair_fp = cost_less0(s->batch[events][work][place], alone) * 256 / n_pairs;
	uint64_t in_fp = cost_less0(s->inside[events][work][place], inside) * 256 / PAIRS;

	return (struct ompp_cost){ pair_fp, in_fp, cost_less0(pair_fp, in_fp) };
}

/* Keeps the larger of both values of each number. */
static void keep_more(struct ompp_cost *most, const struct ompp_cost *cost)
{
	most->pair_fp = cost->pair_fp > most->pair_fp ? cost->pair_fp : most->pair_fp;
	most->in_fp = cost->in_fp > most->in_fp ? cost->in_fp : most->in_fp;
	most->out_fp = cost->out_fp > most->out_fp ? cost->out_fp : most->out_fp;
}

/* Sets the bounds over all kinds of work. */
static void set_bounds(const struct shortest *s, enum events events, struct ompp_cost costs[OMPP_N_COST_BOUNDS])
{
	struct ompp_cost *least = &costs[OMPP_COST_LEAST], *most = &costs[OMPP_COST_MOST];

	*least = *most = costs[OMPP_COST_TYPICAL];
	for (int w = 0; w < N_WORKS; w++)
		for (int p = 0; p < N_PLACES; p++) {
			struct ompp_cost cost;

			if (!is_measured(events, (enum work)w, (enum place)p))
				continue;
			cost = cost_of(s, events, (enum work)w, (enum place)p);
			keep_less(&least->pair_fp, cost.pair_fp);
			keep_less(&least->in_fp, cost.in_fp);
			keep_less(&least->out_fp, cost.out_fp);
			keep_more(most, &cost);
		}
}

static uint64_t cost_mean(uint64_t a, uint64_t b)
{
	return a / 2 + b / 2;
}

/* Returns the cost of a task's events.  Before and after them the OpenMP library runs, much of it independent of
 * them. */
static struct ompp_cost task_cost(const struct shortest *s)
{
	struct ompp_cost inside = cost_of(s, TASK, WIDE, INSIDE), outside = cost_of(s, TASK, WIDE, OUTSIDE);

	return (struct ompp_cost){ cost_mean(inside.pair_fp, outside.pair_fp), cost_mean(inside.in_fp, outside.in_fp),
		                   cost_mean(inside.out_fp, outside.out_fp) };
}

/* The events and the work from which the typical cost of each kind is taken; that of tasks is a mean of its own. */
static const struct {
	enum events events;
	enum work work;
} typical_of[OMPP_COST_READ] = {
	[OMPP_COST_PLAIN] = { REGION, LINKED },    [OMPP_COST_LOCKED] = { REGION, ATOMIC_ADD },
	[OMPP_COST_BRIEF] = { BRIEF, LINKED },     [OMPP_COST_BRIEF_LOCKED] = { BRIEF, ATOMIC_ADD },
	[OMPP_COST_TASK] = { TASK, WIDE },         [OMPP_COST_BARRIER] = { BARRIER, LINKED },
	[OMPP_COST_UNTIMED] = { UNTIMED, LINKED }, [OMPP_COST_UNTIMED_LOCKED] = { UNTIMED, BARE_ADD },
	[OMPP_COST_CHOSEN] = { CHOSEN, LINKED },   [OMPP_COST_CHOSEN_LOCKED] = { CHOSEN, BARE_ADD },
};

static void set_costs(const struct shortest *s)
{
	for (int kind = 0; kind < OMPP_COST_READ; kind++) {
		enum events events = typical_of[kind].events;

		if (is_of_storm(events) && !has_storms())
			continue;
		ompp_costs[kind][OMPP_COST_TYPICAL] = kind == OMPP_COST_TASK
		                                            ? task_cost(s)
		                                            : cost_of(s, events, typical_of[kind].work, INSIDE);
		set_bounds(s, events, ompp_costs[kind]);
	}
}

/* ---- where the sources are read ---- */

/* Returns 1 when the column counted during all of the batch. */
static int is_counted(const struct ompp_source_column *column, const uint64_t *values)
{
	const uint64_t *share = values + column->share;

	return column->value != OMPP_NO_VALUE &&
	       (column->share == OMPP_NO_VALUE || share[OMPP_SHARE_RUNNING] >= share[OMPP_SHARE_ENABLED]);
}

/* Keeps the least cost.  A counter with negative factors may sink: then there is no cost. */
static void keep_value(uint64_t *least, int64_t cost)
{
	keep_less(least, cost < 0 ? 0 : (uint64_t)cost);
}

/* Measures what an event pair inside another region adds to the values.  That region's counts include a whole inner
 * pair, and once the inner part of its own events.  For a value this part is the count of one reading, so it must be
 * known first for nodes that are read. */
static void measure_values(struct ompp_callnode *outer, struct ompp_callnode *inner, int is_read)
{
	struct ompp_cost *cost = &ompp_costs[OMPP_COST_READ][OMPP_COST_TYPICAL];
	uint64_t before = inner->ticks, ticks;

	inner->is_read = (uint32_t)is_read;
	memset(outer->values, 0, ompp_metrics.n * sizeof(uint64_t));
	memset(inner->values, 0, ompp_metrics.n * sizeof(uint64_t));
	ompp_visit_enter(outer->key, OMPP_CALLER());
	ticks = batch_of(REGION, NOTHING, INSIDE);
	ompp_visit_exit(outer->key);
	if (is_read) {
		keep_less(&cost->pair_fp, ticks * 256 / PAIRS);
		keep_less(&cost->in_fp, (inner->ticks - before) * 256 / PAIRS);
	}
	for (size_t c = 0; c < ompp_metrics.n_columns; c++) {
		size_t k = ompp_metrics.column[c].value;
		struct ompp_value_cost *value = &ompp_value_costs[k];

		if (!is_counted(&ompp_metrics.column[c], outer->values))
			continue;
		keep_value(&value->in_fp[is_read], (int64_t)inner->values[k] * 256 / PAIRS);
		if (value->in_fp[1] != UINT64_MAX)
			keep_value(&value->pair_fp[is_read],
			           ((int64_t)outer->values[k] * 256 - (int64_t)value->in_fp[1]) / PAIRS);
	}
}

/* Returns 1 when each value's cost is known.  Counters that take turns are not all counted in each batch. */
static int all_are_known(void)
{
	for (size_t c = 0; c < ompp_metrics.n_columns; c++)
		if (ompp_metrics.column[c].value != OMPP_NO_VALUE &&
		    ompp_value_costs[ompp_metrics.column[c].value].pair_fp[0] == UINT64_MAX)
			return 0;
	return 1;
}

static void measure_all_values(struct ompp_callnode *outer, struct ompp_callnode *inner)
{
	struct ompp_cost *read = ompp_costs[OMPP_COST_READ];

	memset(ompp_value_costs, 0xff, sizeof(ompp_value_costs));
	memset(&read[OMPP_COST_TYPICAL], 0xff, sizeof(*read));
	for (int i = 0; i < BATCHES || (i < MOST_BATCHES && !all_are_known()); i++) {
		measure_values(outer, inner, 1);
		measure_values(outer, inner, 0);
	}
	read[OMPP_COST_TYPICAL].out_fp = cost_less0(read[OMPP_COST_TYPICAL].pair_fp, read[OMPP_COST_TYPICAL].in_fp);
	read[OMPP_COST_LEAST] = read[OMPP_COST_MOST] = read[OMPP_COST_TYPICAL];
	for (size_t k = 0; k < OMPP_MAX_METRICS; k++)
		for (int r = 0; r < 2; r++) {
			struct ompp_value_cost *value = &ompp_value_costs[k];

			value->pair_fp[r] = value->pair_fp[r] == UINT64_MAX ? 0 : value->pair_fp[r];
			value->in_fp[r] = value->in_fp[r] == UINT64_MAX ? 0 : value->in_fp[r];
		}
}

/* Makes the thread a member of a team in which others could wait for it, at a frame above the bottom. */
/* Returns the least time of PAIRS such calls beside some work. */
static uint64_t counted_batch(int is_counted, void (*work)(void))
{
	uint64_t least = UINT64_MAX, begin;

	for (int i = 0; i < 4 * BATCHES; i++) {
		begin = ompp_clock();
		for (int k = 0; k < PAIRS; k++) {
			ompp_cost_counted(is_counted);
			work();
		}
		keep_less(&least, ompp_clock() - begin);
	}
	return least;
}

/* Measures the cost of only counting a call: alone, and beside work that may hide it. */
static void measure_counted(void)
{
	for (int work = NOTHING; work <= LONG_LINKED; work++) {
		uint64_t plain = counted_batch(0, works[work]), counted = counted_batch(1, works[work]);
		uint64_t fp = cost_less0(counted, plain) * 256 / PAIRS;

		if (work == NOTHING)
			ompp_counted_fp[OMPP_COST_LEAST] = ompp_counted_fp[OMPP_COST_TYPICAL] =
				ompp_counted_fp[OMPP_COST_MOST] = fp;
		keep_less(&ompp_counted_fp[OMPP_COST_LEAST], fp);
		if (fp > ompp_counted_fp[OMPP_COST_MOST])
			ompp_counted_fp[OMPP_COST_MOST] = fp;
	}
}

static struct ompp_callnode *join_team(struct ompp_thread *t)
{
	static struct {
		struct ompp_team_slot room[1 + MEMBERS];
	} memory; /* a team is no larger than a slot */
	struct ompp_team *team = (struct ompp_team *)(void *)&memory;
	struct ompp_frame *f = t->frames + 1;

	_Static_assert(sizeof(struct ompp_team) <= sizeof(struct ompp_team_slot), "room for the team");
	team->n_threads = team->n_slots = MEMBERS;
	atomic_store_explicit(&team->token, 1, memory_order_relaxed);
	*f = (struct ompp_frame){ .key = defs[NONE].key + OMPP_KEY(0, OMPP_PART_TEAM),
		                  .stack = UINTPTR_MAX,
		                  .team = team,
		                  .flags = OMPP_FRAME_TEAM,
		                  .team_base = 1,
		                  .instance = 1 };
	f->node = ompp_callgraph_child(&t->graph, t->graph.root, f->key, SCRATCH_FRAMES);
	t->top = t->base = f;
	return f->node;
}

static void calibrate_on(struct ompp_thread *t)
{
	static struct ompp_storm storms[N_EVENTS];
	static const uint32_t ids[N_EVENTS] = { 7, 1, 6, 3, 4, 2, 5 }; /* a node remembers all of these children */
	struct ompp_callnode *outer, *nodes[N_EVENTS] = { NULL };
	struct ompp_thread *self = ompp_self;
	struct shortest shortest;

	for (int e = NONE; e < N_EVENTS; e++)
		defs[e].key = OMPP_KEY(ids[e], 0);
	ompp_sources_thread_start(t->source_state);
	nodes[NONE] = join_team(t);
	ompp_self = t;
	memset(&shortest, 0xff, sizeof(shortest));
	for (int e = REGION; e < N_EVENTS; e++) {
		nodes[e] = ompp_callgraph_child(&t->graph, nodes[NONE],
		                                defs[e].key + (e == TASK ? OMPP_KEY(0, OMPP_PART_TASKEXEC) : 0),
		                                SCRATCH_FRAMES);
		nodes[e]->is_read = 0;
		nodes[e]->look_at = OMPP_STORM_NEVER;
		nodes[e]->storm = &storms[e];
		nodes[e]->durations = e == BRIEF ? NULL : &ompp_no_durations; /* which its second visit makes */
	}
	for (int i = 0; i < BATCHES; i++)
		cost_measure(&shortest, nodes);
	set_costs(&shortest);
	if (ompp_cost_counted)
		measure_counted();
	if (ompp_metrics.n) {
		outer = ompp_callgraph_child(&t->graph, nodes[NONE], defs[NONE].key, SCRATCH_FRAMES);
		outer->is_read = 1;
		measure_all_values(outer, ompp_callgraph_child(&t->graph, outer, defs[REGION].key, SCRATCH_FRAMES));
	}
	ompp_self = self;
	ompp_sources_thread_stop(t->source_state);
}

/* Gives the scratch thread a longest path, of a host thread; without memory its events cost less. */
static void begin_path(struct ompp_thread *t)
{
	static struct ompp_span *span;

	span = span ? span : ompp_span_new(SCRATCH_BYTES);
	t->span = t->kept_span = span;
	if (span)
		ompp_span_host(span, ompp_clock());
}

static void cost_calibrate(void)
{
	static struct ompp_frame frames[SCRATCH_FRAMES];
	static struct ompp_thread scratch;
	static uint64_t values[SCRATCH_FRAMES * OMPP_MAX_METRICS];
	size_t state_bytes = ompp_sources_thread_bytes();
	struct ompp_tally *tally = ompp_access_tally;

	memset(&scratch, 0, sizeof(scratch));
	scratch.look = &ompp_hot_nothing;
	scratch.slice_end_ticks = UINT64_MAX;
	if (ompp_callgraph_init(&scratch.graph, SCRATCH_BYTES, ompp_metrics.n))
		return;
	cost_lines = ompp_callgraph_alloc(&scratch.graph, (size_t)PAIRS * LINE_BYTES);
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_SAMPLES)
		scratch.hardware = ompp_data_alloc(sizeof(*scratch.hardware)); /* not open */
	scratch.source_state = state_bytes ? ompp_callgraph_alloc(&scratch.graph, state_bytes) : NULL;
	if (cost_lines && (!state_bytes || scratch.source_state)) {
		scratch.frames = frames;
		scratch.frame_values = scratch.task_values = scratch.suspended_values = values;
		scratch.limit = frames + SCRATCH_FRAMES - 2;
		scratch.max_depth = SCRATCH_FRAMES;
		frames[0] = (struct ompp_frame){ .key = UINT64_MAX, .node = scratch.graph.root, .stack = UINTPTR_MAX };
		if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN)
			begin_path(&scratch);
		calibrate_on(&scratch);
	}
	ompp_access_tally = tally;
	ompp_callgraph_fini(&scratch.graph);
}

static void allow_storms(void)
{
	const struct ompp_cost *plain = ompp_costs[OMPP_COST_PLAIN], *locked = ompp_costs[OMPP_COST_LOCKED];
	uint64_t pair_fp = plain[OMPP_COST_MOST].pair_fp, in_fp = plain[OMPP_COST_TYPICAL].in_fp;

	ompp_storm_costs.pair_fp = locked[OMPP_COST_MOST].pair_fp > pair_fp ? locked[OMPP_COST_MOST].pair_fp : pair_fp;
	ompp_storm_costs.in_fp = locked[OMPP_COST_TYPICAL].in_fp < in_fp ? locked[OMPP_COST_TYPICAL].in_fp : in_fp;
	ompp_storm_costs.untimed_fp = ompp_costs[OMPP_COST_UNTIMED_LOCKED][OMPP_COST_TYPICAL].pair_fp;
}

/* With the fake clock no cost may be subtracted. */
void ompp_cost_calibrate(void)
{
	if (ompp_clock_kind == OMPP_CLOCK_FAKE)
		return;
	cost_calibrate();
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN)
		ompp_span_cost_ticks = ompp_costs[OMPP_COST_TASK][OMPP_COST_TYPICAL].pair_fp / 256 / 2;
	if (has_storms())
		allow_storms();
}

void ompp_cost_calibrate_again(void)
{
	struct ompp_cost before[OMPP_COST_READ][OMPP_N_COST_BOUNDS];
	uint64_t signals;

	if (!ompp_costs[OMPP_COST_PLAIN][OMPP_COST_MOST].pair_fp ||
	    OMPP_LOAD(&ompp_modes) & ~(uint32_t)(OMPP_MODE_STORMS | OMPP_MODE_SPAN | OMPP_MODE_CLOCK))
		return; /* nothing was measured at the start, because of the fake clock or for lack of memory */
	memcpy(before, ompp_costs, sizeof(before));
	/* Signals are blocked, as the regions of a handler would be lost. */
	ompp_sys_hold_signals(&signals);
	cost_calibrate();
	ompp_sys_release_signals(&signals);
	for (int kind = 0; kind < OMPP_COST_READ; kind++) {
		const struct ompp_cost *was = &before[kind][OMPP_COST_TYPICAL];
		struct ompp_cost *least = &ompp_costs[kind][OMPP_COST_LEAST],
				 *typical = &ompp_costs[kind][OMPP_COST_TYPICAL];

		keep_more(&ompp_costs[kind][OMPP_COST_MOST], &before[kind][OMPP_COST_MOST]);
		keep_less(&least->pair_fp, before[kind][OMPP_COST_LEAST].pair_fp);
		keep_less(&least->in_fp, before[kind][OMPP_COST_LEAST].in_fp);
		keep_less(&least->out_fp, before[kind][OMPP_COST_LEAST].out_fp);
		*typical = (struct ompp_cost){ cost_mean(typical->pair_fp, was->pair_fp),
			                       cost_mean(typical->in_fp, was->in_fp),
			                       cost_mean(typical->out_fp, was->out_fp) };
	}
}

enum ompp_cost_kind ompp_cost_kind(const struct ompp_callnode *node, enum ompp_construct construct)
{
	static const unsigned char kinds[OMPP_N_CONSTRUCTS] = {
#define CONSTRUCT(constant, name, words, form, counts, overhead, own, cost, option) [constant] = OMPP_COST_##cost,
#include "runtime/terms/construct.def"
#undef CONSTRUCT
	};

	if (node->is_read)
		return OMPP_COST_READ;
	if (__atomic_load_n(&node->waits, __ATOMIC_ACQUIRE))
		return OMPP_COST_BARRIER;
	if (OMPP_KEY_PART(node->key) == OMPP_PART_TASKEXEC)
		return OMPP_COST_TASK;
	if (OMPP_LOAD(&node->durations) || kinds[construct] == OMPP_COST_TASK)
		return (enum ompp_cost_kind)kinds[construct];
	return kinds[construct] == OMPP_COST_LOCKED ? OMPP_COST_BRIEF_LOCKED : OMPP_COST_BRIEF;
}
