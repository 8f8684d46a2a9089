/*
 * Cost: see cost.h.
 */
#include "runtime/core/cost.h"

#include <string.h>

#include "runtime/core/task.h"
#include "runtime/core/visit.h"

struct ompp_cost ompp_costs[OMPP_N_COST_KINDS][OMPP_N_COST_BOUNDS];
struct ompp_value_cost ompp_value_costs[OMPP_MAX_METRICS];

enum { BATCHES = 7, MOST_BATCHES = 200, PAIRS = 64, SCRATCH_FRAMES = 8, SCRATCH_BYTES = 262144 };

/* Work beside which events are measured. */
enum work {
	NOTHING,
	LINKED,                         /* some steps that wait for each other, as in small loops */
	LONG_LINKED,                    /* so many that an event fits beside them */
	ATOMIC_ADD,
	WIDE,                           /* many steps that do not wait, as in a library's functions */
	N_WORKS
};

/* Where the work is, and of which kind the events are. */
enum place { OUTSIDE, INSIDE, N_PLACES };
enum events { NONE, REGION, TASK, N_EVENTS };

static struct ompp_region_def defs[3];          /* the region, the task, and what is around a batch */
static uint64_t word;

static inline __attribute__((always_inline)) void linked(int n)
{
	uint64_t x = word;

	for (int i = 0; i < n; i++) {
		x *= 3;
		__asm__ volatile("" : "+r"(x));
	}
}

static inline __attribute__((always_inline)) void wide(int n)
{
	uint64_t a = 1, b = 2, c = 3, d = 4;

	for (int i = 0; i < n; i++) {
		a++, b++, c++, d++;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	}
}

static inline __attribute__((always_inline)) void do_work(enum work work)
{
	switch (work) {
	case LINKED:      linked(20); break;
	case LONG_LINKED: linked(100); break;
	case ATOMIC_ADD:  __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED); break;
	case WIDE:        wide(30); break;
	default:          break;
	}
}

/* As the adapters do it: a handle leads to the region. */
static struct ompp_region_def *region(void *volatile *handle)
{
	struct ompp_region_def *def = __atomic_load_n(handle, __ATOMIC_ACQUIRE);

	return def && !def->off ? def : &defs[0];
}

static __attribute__((noinline)) void enter(void *volatile *handle)
{
	ompp_visit_enter(region(handle)->key, OMPP_WHERE());
}

static __attribute__((noinline)) void leave(void *volatile *handle)
{
	ompp_visit_exit(region(handle)->key);
}

static __attribute__((noinline)) void begin(void *volatile *handle)
{
	ompp_task_begin(region(handle), 0, OMPP_WHERE());
}

static __attribute__((noinline)) void end(void *volatile *handle)
{
	ompp_task_end(region(handle));
}

/* One batch; its ticks. */
static inline __attribute__((always_inline)) uint64_t batch(enum events events, enum work work, enum place place)
{
	static void *volatile handles[2] = { &defs[0], &defs[1] };
	uint64_t start = ompp_clock();

	for (int i = 0; i < PAIRS; i++) {
		if (place == OUTSIDE)
			do_work(work);
		if (events != NONE)
			enter(&handles[0]);
		if (events == TASK)
			begin(&handles[1]);
		if (place == INSIDE)
			do_work(work);
		if (events == TASK)
			end(&handles[1]);
		if (events != NONE)
			leave(&handles[0]);
	}
	return ompp_clock() - start;
}

/* Each with its own loop, so that the compiler knows what is in it. */
static uint64_t batch_of(enum events events, enum work work, enum place place)
{
#define WORKS(events, place)                                                                         \
	switch (work) {                                                                              \
	case LINKED:      return batch(events, LINKED, place);                                       \
	case LONG_LINKED: return batch(events, LONG_LINKED, place);                                  \
	case ATOMIC_ADD:  return batch(events, ATOMIC_ADD, place);                                   \
	case WIDE:        return batch(events, WIDE, place);                                         \
	default:          return batch(events, NOTHING, place);                                      \
	}
	switch (events) {
	case REGION:
		if (place == INSIDE)
			WORKS(REGION, INSIDE);
		WORKS(REGION, OUTSIDE);
	case TASK:
		if (place == INSIDE)
			WORKS(TASK, INSIDE);
		WORKS(TASK, OUTSIDE);
	default:
		WORKS(NONE, INSIDE);
	}
#undef WORKS
}

/* The shortest batch of each kind, and the shortest time that the innermost visits of one said. */
struct shortest { uint64_t batch[N_EVENTS][N_WORKS][N_PLACES], inside[N_EVENTS][N_WORKS][N_PLACES]; };

static void keep_less(uint64_t *least, uint64_t ticks)
{
	if (ticks < *least)
		*least = ticks;
}

static void measure(struct shortest *s, struct ompp_callnode *const nodes[N_EVENTS])
{
	for (int w = 0; w < N_WORKS; w++) {
		keep_less(&s->batch[NONE][w][INSIDE], batch_of(NONE, (enum work)w, INSIDE));
		for (int e = REGION; e < N_EVENTS; e++)
			for (int p = 0; p < N_PLACES; p++) {
				uint64_t before = nodes[e]->ticks;

				keep_less(&s->batch[e][w][p], batch_of((enum events)e, (enum work)w, (enum place)p));
				keep_less(&s->inside[e][w][p], nodes[e]->ticks - before);
			}
	}
}

static uint64_t less0(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* What a pair of events costs beside this work. */
static struct ompp_cost cost_of(const struct shortest *s, enum events events, enum work work, enum place place)
{
	uint64_t alone = s->batch[NONE][work][INSIDE], n_pairs = PAIRS * (events == TASK ? 2 : 1);
	uint64_t pair_fp = less0(s->batch[events][work][place], alone) * 256 / n_pairs;
	uint64_t in_fp = less0(s->inside[events][work][place], place == INSIDE ? alone : 0) * 256 / PAIRS;

	return (struct ompp_cost){ pair_fp, in_fp, less0(pair_fp, in_fp) };
}

/* The larger of both, of each number. */
static void keep_more(struct ompp_cost *most, const struct ompp_cost *cost)
{
	most->pair_fp = cost->pair_fp > most->pair_fp ? cost->pair_fp : most->pair_fp;
	most->in_fp = cost->in_fp > most->in_fp ? cost->in_fp : most->in_fp;
	most->out_fp = cost->out_fp > most->out_fp ? cost->out_fp : most->out_fp;
}

/* Bounds over all kinds of work.  Creating a task and waiting for it are regions, too. */
static void set_bounds(const struct shortest *s, int with_tasks, struct ompp_cost costs[OMPP_N_COST_BOUNDS])
{
	struct ompp_cost *least = &costs[OMPP_COST_LEAST], *most = &costs[OMPP_COST_MOST];

	*least = *most = costs[OMPP_COST_TYPICAL];
	for (int e = REGION; e <= (with_tasks ? TASK : REGION); e++)
		for (int w = 0; w < N_WORKS; w++)
			for (int p = 0; p < N_PLACES; p++) {
				struct ompp_cost cost = cost_of(s, (enum events)e, (enum work)w, (enum place)p);

				keep_less(&least->pair_fp, cost.pair_fp);
				keep_less(&least->in_fp, cost.in_fp);
				keep_less(&least->out_fp, cost.out_fp);
				keep_more(most, &cost);
			}
}

static void set_costs(const struct shortest *s)
{
	ompp_costs[OMPP_COST_PLAIN][OMPP_COST_TYPICAL] = cost_of(s, REGION, LINKED, INSIDE);
	ompp_costs[OMPP_COST_LOCKED][OMPP_COST_TYPICAL] = cost_of(s, REGION, ATOMIC_ADD, INSIDE);
	ompp_costs[OMPP_COST_TASK][OMPP_COST_TYPICAL] = cost_of(s, TASK, NOTHING, INSIDE);
	for (int kind = 0; kind < OMPP_COST_READ; kind++)
		set_bounds(s, kind == OMPP_COST_TASK, ompp_costs[kind]);
}

/* ---- where the sources are read ---- */

/* Did the column count during all of the batch? */
static int is_counted(const struct ompp_column *column, const uint64_t *values)
{
	const uint64_t *share = values + column->share;

	return column->value != OMPP_NO_VALUE &&
	       (column->share == OMPP_NO_VALUE || share[OMPP_SHARE_RUNNING] >= share[OMPP_SHARE_ENABLED]);
}

/* A counter with negative factors may sink: no cost. */
static void keep_value(uint64_t *least, int64_t cost)
{
	keep_less(least, cost < 0 ? 0 : (uint64_t)cost);
}

/* Pairs inside another region: what that one sees of them is a pair each, and once the inner part of its own.  Of a value
 * that is what a reading counts, so the inner part at nodes that are read has to be known first. */
static void measure_values(struct ompp_callnode *outer, struct ompp_callnode *inner, int is_read)
{
	struct ompp_cost *cost = &ompp_costs[OMPP_COST_READ][OMPP_COST_TYPICAL];
	uint64_t before = inner->ticks, ticks;

	inner->is_read = (uint32_t)is_read;
	memset(outer->values, 0, ompp_metrics.n * sizeof(uint64_t));
	memset(inner->values, 0, ompp_metrics.n * sizeof(uint64_t));
	ompp_visit_enter(outer->key, OMPP_WHERE());
	ticks = batch(REGION, NOTHING, INSIDE);
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

/* Is each value's cost known?  Those that take turns are not all counted in each batch. */
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
	read[OMPP_COST_TYPICAL].out_fp = less0(read[OMPP_COST_TYPICAL].pair_fp, read[OMPP_COST_TYPICAL].in_fp);
	read[OMPP_COST_LEAST] = read[OMPP_COST_MOST] = read[OMPP_COST_TYPICAL];
	for (size_t k = 0; k < OMPP_MAX_METRICS; k++)
		for (int r = 0; r < 2; r++) {
			struct ompp_value_cost *value = &ompp_value_costs[k];

			value->pair_fp[r] = value->pair_fp[r] == UINT64_MAX ? 0 : value->pair_fp[r];
			value->in_fp[r] = value->in_fp[r] == UINT64_MAX ? 0 : value->in_fp[r];
		}
}

static void calibrate_on(struct ompp_thread *t)
{
	struct ompp_callnode *root = t->graph.root, *outer, *nodes[N_EVENTS] = { NULL };
	struct ompp_thread *self = ompp_self;
	struct shortest shortest;

	for (uint32_t i = 0; i < 3; i++)
		defs[i].key = OMPP_KEY(i + 1, 0);
	ompp_sources_thread_start(t->source_state);
	ompp_self = t;
	memset(&shortest, 0xff, sizeof(shortest));
	nodes[REGION] = ompp_callgraph_child(&t->graph, root, defs[0].key, SCRATCH_FRAMES);
	nodes[TASK] = ompp_callgraph_child(&t->graph, root, defs[1].key + OMPP_KEY(0, OMPP_PART_TASKEXEC), SCRATCH_FRAMES);
	nodes[REGION]->is_read = nodes[TASK]->is_read = 0;
	for (int i = 0; i < BATCHES; i++)
		measure(&shortest, nodes);
	set_costs(&shortest);
	if (ompp_metrics.n) {
		outer = ompp_callgraph_child(&t->graph, root, defs[2].key, SCRATCH_FRAMES);
		outer->is_read = 1;
		measure_all_values(outer, ompp_callgraph_child(&t->graph, outer, defs[0].key, SCRATCH_FRAMES));
	}
	ompp_self = self;
	ompp_sources_thread_stop(t->source_state);
}

void ompp_cost_calibrate(void)
{
	static struct ompp_frame frames[SCRATCH_FRAMES];
	static struct ompp_thread scratch;
	static uint64_t values[SCRATCH_FRAMES * OMPP_MAX_METRICS];
	size_t state_bytes = ompp_sources_thread_bytes();

	/* With the fake clock nothing must be taken out. */
	if (ompp_clock_kind == OMPP_CLOCK_FAKE || ompp_callgraph_init(&scratch.graph, SCRATCH_BYTES, ompp_metrics.n))
		return;
	scratch.source_state = state_bytes ? ompp_callgraph_alloc(&scratch.graph, state_bytes) : NULL;
	if (!state_bytes || scratch.source_state) {
		scratch.frames = scratch.top = scratch.base = frames;
		scratch.frame_values = scratch.task_values = scratch.suspended_values = values;
		scratch.limit = frames + SCRATCH_FRAMES - 2;
		scratch.max_depth = SCRATCH_FRAMES;
		frames[0] = (struct ompp_frame){ .key = UINT64_MAX, .node = scratch.graph.root, .stack = UINTPTR_MAX };
		calibrate_on(&scratch);
	}
	ompp_callgraph_fini(&scratch.graph);
}

enum ompp_cost_kind ompp_cost_kind(enum ompp_construct construct, enum ompp_part part, int is_read)
{
	if (is_read)
		return OMPP_COST_READ;
	if (part == OMPP_PART_TASKEXEC)
		return OMPP_COST_TASK;
	switch (construct) {
	case OMPP_TASK:
	case OMPP_TASKWAIT:
	case OMPP_TASKLOOP:
	case OMPP_TASKGROUP:
	case OMPP_TASKYIELD:
		return OMPP_COST_TASK;
	case OMPP_ATOMIC:
	case OMPP_CRITICAL:
	case OMPP_LOCK:
	case OMPP_NEST_LOCK:
		return OMPP_COST_LOCKED;
	default:
		return OMPP_COST_PLAIN;
	}
}
