/*
 * Chunk calls: see chunk_calls.h.
 *
 * A call is counted at the node of the construct that the thread is in, which is the loop.  One in GAP is timed, in the
 * mean: the clock is read twice before the call and once behind it, so that what reading takes is known from the same
 * moment.  A fence before that waits for the work before the call, whose end the call would wait for, too, and each
 * reading for all before it.  Counting takes a call 2 ns more, and with that reading some 3 ns.
 */
#include "runtime/interpose/chunk_calls.h"

#include "runtime/base/array.h"
#include "runtime/base/relaxed.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/chunks.h"
#include "runtime/core/frame.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/host/clock.h"
#include "runtime/host/redirect.h"
#include "runtime/span/span_iterations.h"

enum {
	GAP = 64,           /* the mean number of calls from one that is timed to the next; a power of two */
	LONG_TICKS = 300000 /* some 100 us: more than any handing out takes, less than most losses of a processor */
};

typedef void function(void);

/* Returns a random number from 1 to 2 × GAP - 1, so that no rhythm of the program decides which calls are timed. */
static uint64_t chunk_gap(struct ompp_chunks *c)
{
	uint64_t x = c->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	c->random = x;
	return 1 + x % (2 * GAP - 1);
}

/* Reads the clock when all before has ended, and before anything behind begins: some processors do a whole call while a
 * reading is under way. */
static inline uint64_t chunk_clock(void)
{
	uint64_t now;

#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("lfence" : : : "memory");
	now = ompp_clock_tsc();
	__asm__ volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("isb" : : : "memory");
	now = ompp_clock_tsc();
	__asm__ volatile("isb" : : : "memory");
#else
	now = ompp_clock_tsc();
#endif
	return now;
}

/* Adds the time of a call. */
static void chunk_time(struct ompp_chunks *c, uint64_t before, uint64_t begin, uint64_t end)
{
	int64_t ticks = (int64_t)(end - begin) - (int64_t)(begin - before);
	unsigned __int128 squares = (unsigned __int128)c->squares[1] << 64 | c->squares[0];

	if (ticks > LONG_TICKS || ticks < -LONG_TICKS) {
		OMPP_ADD(&c->n_long, 1);
		return;
	}
	squares += (unsigned __int128)(ticks * ticks);
	OMPP_STORE(&c->squares[0], (uint64_t)squares);
	OMPP_STORE(&c->squares[1], (uint64_t)(squares >> 64));
	OMPP_STORE(&c->timed_ticks, c->timed_ticks + ticks);
	OMPP_ADD(&c->n_timed, 1);
}

/* Returns the counts of the construct that the thread is in; NULL when none are kept. */
static __attribute__((noinline, cold)) struct ompp_chunks *chunks_make(struct ompp_thread *t)
{
	struct ompp_chunks *c = ompp_callgraph_alloc(&t->graph, sizeof(*c));

	if (!c)
		return NULL;
	c->random = (uint64_t)(uintptr_t)c | 1;
	c->left = chunk_gap(c);
	__atomic_store_n(&t->top->node->chunks, c, __ATOMIC_RELEASE);
	return c;
}

/* Takes the thread's part of the longest path, where it is in a construct; NULL where it has none. */
static struct ompp_span *path_take(struct ompp_thread *t)
{
	return t->limit && t->top != t->frames ? ompp_frame_hide_span(t) : NULL;
}

/* Says on the longest path that another chunk begins. */
static __attribute__((noinline, cold)) void chunk_on_path(struct ompp_thread *t)
{
	struct ompp_span *s = path_take(t);

	if (!s)
		return;
	ompp_span_chunk(s, ompp_frame_place(t->top->node), ompp_clock());
	ompp_span_iterations_chunk(s);
	ompp_frame_show_span(t, s);
}

/* Says on the longest path that the thread comes to a loop of libomp's, with its kind of schedule as libomp has it. */
static void loop_on_path(int32_t kind, struct ompp_strand_bounds bounds, int64_t chunk)
{
	enum { MODIFIERS = 3 << 29, IS_MONOTONIC = 1 << 29, IS_ORDERED = 64, DYNAMIC = 35, GUIDED = 36 };
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = path_take(t);
	int32_t plain = kind & ~MODIFIERS, name = plain & IS_ORDERED ? plain - IS_ORDERED / 2 : plain;
	enum ompp_strand_schedule schedule = OMPP_STRAND_ANY;

	if (!s)
		return;
	if (name == DYNAMIC)
		schedule = plain & IS_ORDERED || kind & IS_MONOTONIC ? OMPP_STRAND_IN_ORDER : OMPP_STRAND_DYNAMIC;
	else if (name == GUIDED)
		schedule = OMPP_STRAND_GUIDED;
	ompp_span_begin_loop(s, bounds, schedule, chunk > 0 && chunk <= INT32_MAX ? (uint32_t)chunk : 0);
	ompp_frame_show_span(t, s);
}

/* Says on the longest path which iterations the thread has got. */
static __attribute__((noinline, cold)) void got_on_path(int64_t lower, int64_t upper)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = path_take(t);

	if (!s)
		return;
	ompp_span_begin_chunk(s, lower, upper);
	ompp_frame_show_span(t, s);
}

/* Counts a call.  Returns the counts when it is to be timed, else NULL. */
static inline struct ompp_chunks *chunk_count(void)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_chunks *c;

	if (__builtin_expect(!t->limit || OMPP_LOAD(&ompp_session.off), 0))
		return NULL;
	if (ompp_frame_is_on_path())
		chunk_on_path(t);
	c = t->top->node->chunks;
	if (__builtin_expect(!c, 0)) {
		c = chunks_make(t);
		if (!c)
			return NULL;
	}
	OMPP_ADD(&c->n, 1);
	if (__builtin_expect(--c->left, 1))
		return NULL;
	c->left = chunk_gap(c);
	return ompp_clock_is_other() ? NULL : c;
}

/* Defines the function to which calls of `name` go, which has these parameters. */
#define CHUNK_CALL(result, name, parameters, arguments) \
	static function *real_##name; \
	static result name##_ parameters \
	{ \
		result(*real) parameters = (result(*) parameters)real_##name; \
		struct ompp_chunks *c = chunk_count(); \
		uint64_t before, begin; \
		result got; \
		if (__builtin_expect(!c, 1)) \
			return real arguments; \
		ompp_fence(); \
		before = chunk_clock(); \
		begin = chunk_clock(); \
		got = real arguments; \
		chunk_time(c, before, begin, chunk_clock()); \
		return got; \
	}

/* libgomp's calls: the schedules of iterations that are long and unsigned long long. */
#define GOMP_CALLS(CALL) \
	CALL(GOMP_loop_dynamic_next) \
	CALL(GOMP_loop_guided_next) \
	CALL(GOMP_loop_runtime_next) \
	CALL(GOMP_loop_nonmonotonic_dynamic_next) \
	CALL(GOMP_loop_nonmonotonic_guided_next) \
	CALL(GOMP_loop_nonmonotonic_runtime_next) \
	CALL(GOMP_loop_maybe_nonmonotonic_runtime_next) \
	CALL(GOMP_loop_ordered_static_next) \
	CALL(GOMP_loop_ordered_dynamic_next) \
	CALL(GOMP_loop_ordered_guided_next) \
	CALL(GOMP_loop_ordered_runtime_next) \
	CALL(GOMP_loop_ull_dynamic_next) \
	CALL(GOMP_loop_ull_guided_next) \
	CALL(GOMP_loop_ull_runtime_next) \
	CALL(GOMP_loop_ull_nonmonotonic_dynamic_next) \
	CALL(GOMP_loop_ull_nonmonotonic_guided_next) \
	CALL(GOMP_loop_ull_nonmonotonic_runtime_next) \
	CALL(GOMP_loop_ull_maybe_nonmonotonic_runtime_next) \
	CALL(GOMP_loop_ull_ordered_static_next) \
	CALL(GOMP_loop_ull_ordered_dynamic_next) \
	CALL(GOMP_loop_ull_ordered_guided_next) \
	CALL(GOMP_loop_ull_ordered_runtime_next)

/* libomp's calls, by the type of the loop's variable. */
#define KMPC_CALLS(CALL) \
	CALL(4, int32_t, int32_t) \
	CALL(4u, uint32_t, int32_t) \
	CALL(8, int64_t, int64_t) \
	CALL(8u, uint64_t, int64_t)

/* The call by which a thread comes to a loop, and the one by which it asks for iterations. */
#define DEFINE_KMPC(suffix, type, difference) \
	static function *real___kmpc_dispatch_init_##suffix; \
	static void __kmpc_dispatch_init_##suffix##_(void *place, int32_t thread, int32_t kind, type lower, \
	                                             type upper, difference stride, difference chunk) \
	{ \
		if (ompp_frame_is_on_path()) \
			loop_on_path(kind, (struct ompp_strand_bounds){ (int64_t)lower, (int64_t)upper, stride }, \
			             chunk); \
		((void (*)(void *, int32_t, int32_t, type, type, difference, \
		           difference))real___kmpc_dispatch_init_##suffix)(place, thread, kind, lower, upper, stride, \
		                                                           chunk); \
	} \
	CHUNK_CALL(int, asks_##suffix, \
	           (void *place, int32_t thread, void *is_last, type *lower, type *upper, void *stride), \
	           (place, thread, is_last, lower, upper, stride)) \
	static int __kmpc_dispatch_next_##suffix##_(void *place, int32_t thread, void *is_last, type *lower, \
	                                            type *upper, void *stride) \
	{ \
		int got = asks_##suffix##_(place, thread, is_last, lower, upper, stride); \
		if (got && ompp_frame_is_on_path()) \
			got_on_path((int64_t)*lower, (int64_t)*upper); \
		return got; \
	}

#define DEFINE_GOMP(name) CHUNK_CALL(_Bool, name, (void *first, void *end), (first, end))
GOMP_CALLS(DEFINE_GOMP)
KMPC_CALLS(DEFINE_KMPC)

void ompp_chunk_calls_start(void)
{
#define ROW(name) { #name, (function *)(uintptr_t)name##_, &real_##name, 0 },
#define KMPC_ROWS(suffix, type, difference) \
	{ "__kmpc_dispatch_init_" #suffix, (function *)(uintptr_t)__kmpc_dispatch_init_##suffix##_, \
	  &real___kmpc_dispatch_init_##suffix, 0 }, \
		{ "__kmpc_dispatch_next_" #suffix, (function *)(uintptr_t)__kmpc_dispatch_next_##suffix##_, \
		  &real_asks_##suffix, 0 },
	static const struct ompp_redirection list[] = { GOMP_CALLS(ROW) KMPC_CALLS(KMPC_ROWS) };
#undef KMPC_ROWS
#undef ROW

	ompp_redirect_add(list, OMPP_COUNT_OF(list));
}
