/*
 * GOMP teams: the calls of parallel regions and barriers, see gomp_calls.h.
 *
 * The members of a team meet in a barrier of ours at the end of a region, so that the wait there is told from the
 * work, as in code of kinst's.  Where the program may cancel regions (OMP_CANCELLATION) there is none: a cancelled team
 * cannot use its barriers any more.
 *
 * GCC before 4.9 made two calls of a region: between them the first member calls the function itself.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>

#include "runtime/base/array.h"
#include "runtime/core/session.h"
#include "runtime/events/team.h"
#include "runtime/host/real.h"
#include "runtime/interpose/gomp_call.h"
#include "runtime/interpose/gomp_calls.h"

#define WORD uintptr_t

typedef void team_body(void *data);

static void (*real_GOMP_barrier)(void);

/* What the forking thread passes to the members; it lives until all have ended. */
struct gomp_team {
	void *first; /* word of the data, which the library reads where there are reductions over tasks */
	team_body *body;
	void *data;
	const struct ompp_region_def *def;
	uint64_t token;
	uint64_t blocks; /* that the forking thread is in */
};

/* Returns a function of the OpenMP library, which may be one that only a library of the program's has loaded. */
static void *team_function(void *_Atomic *known, const char *name)
{
	void *function = atomic_load_explicit(known, memory_order_relaxed);

	if (__builtin_expect(!function, 0)) {
		function = ompp_real_version(name, (void *)(uintptr_t)real_GOMP_barrier);
		atomic_store_explicit(known, function, memory_order_relaxed);
	}
	return function == (void *)(uintptr_t)real_GOMP_barrier ? NULL : function;
}

static int has_barrier(void)
{
	static void *_Atomic known;
	int (*get)(void) = (int (*)(void))team_function(&known, "omp_get_cancellation");

	return real_GOMP_barrier && !(get && get());
}

static int most_threads(void)
{
	static void *_Atomic known;
	int (*get)(void) = (int (*)(void))team_function(&known, "omp_get_max_threads");

	return get ? get() : 1;
}

static uint32_t own_rank(void)
{
	static void *_Atomic known;
	int (*get)(void) = (int (*)(void))team_function(&known, "omp_get_thread_num");

	return get ? (uint32_t)get() : OMPP_RANK_UNKNOWN;
}

/* Begins a member's part of a region, and ends it. */
static void member_begin(const struct gomp_team *team, struct ompp_caller caller)
{
	const struct ompp_region_def *def = team->def;

	ompp_team_begin(def, team->token, own_rank(), caller);
	if (def->construct != OMPP_PARALLEL)
		ompp_gomp_enter(def, OMPP_PART_WORK, caller);
}

static void member_end(const struct gomp_team *team, struct ompp_caller caller)
{
	const struct ompp_region_def *def = team->def;

	if (def->construct != OMPP_PARALLEL)
		ompp_gomp_leave(def, OMPP_PART_WORK);
	if (has_barrier()) {
		ompp_gomp_arrive(def, OMPP_PART_BARRIER, caller);
		real_GOMP_barrier();
		ompp_gomp_depart(def, OMPP_PART_BARRIER);
	}
	ompp_team_end(def);
}

/* A member's part of a region. */
static void gomp_body(void *argument)
{
	const struct gomp_team *team = argument;
	struct ompp_caller caller = OMPP_CALLER();

	member_begin(team, caller);
	team->body(team->data);
	member_end(team, caller);
}

/* The blocks of a region that is not measured, before it has begun one: where it is a combined construct, the call that
 * ends its loop or sections finds this. */
#define NONE_MEASURED UINT64_MAX

/* Begins a region.  Returns 0 when it cannot be measured.
 * n_threads: of the clause; 0 without one */
static int gomp_fork(struct gomp_team *team, enum ompp_construct construct, team_body *body, void *data,
                     uintptr_t n_threads, struct ompp_caller caller)
{
	struct ompp_region_def *def = ompp_call_region(construct, NULL, ompp_call_body(body));
	uint64_t blocks = ompp_call_own.blocks;
	int n = (int)n_threads;

	if (!def->key) {
		team->blocks = blocks;
		ompp_call_own.blocks = NONE_MEASURED;
		return 0;
	}
	ompp_call_own.blocks = 0;
	*team = (struct gomp_team){
		NULL, body, data, def, ompp_team_fork(def, n ? n : most_threads(), caller), blocks
	};
	return 1;
}

/* Stands behind the region, measured or not. */
static void gomp_join(const struct gomp_team *team, int is_measured)
{
	ompp_call_own.blocks = team->blocks;
	if (is_measured)
		ompp_team_join(team->def, team->token);
}

#define MEMBERS     team_body *body, void *data, uintptr_t n
#define UNPACK(...) , ##__VA_ARGS__

/* Defines the function for a parallel region; `more` and `rest` are the further arguments. */
#define PARALLEL(construct, name, more, rest) \
	static void (*real_##name)(MEMBERS UNPACK more); \
	static void name##_(MEMBERS UNPACK more) \
	{ \
		struct gomp_team team; \
		if (!gomp_fork(&team, construct, body, data, n, OMPP_CALLER())) { \
			real_##name(body, data, n UNPACK rest); \
			gomp_join(&team, 0); \
			return; \
		} \
		real_##name(gomp_body, &team, n UNPACK rest); \
		gomp_join(&team, 1); \
	}

PARALLEL(OMPP_PARALLEL, GOMP_parallel, (WORD a), (a))
PARALLEL(OMPP_PARALLEL_SECTIONS, GOMP_parallel_sections, (WORD a, WORD b), (a, b))

static unsigned (*real_GOMP_parallel_reductions)(MEMBERS, WORD flags);
static unsigned GOMP_parallel_reductions_(MEMBERS, WORD flags)
{
	struct gomp_team team;
	unsigned n_threads;

	if (!gomp_fork(&team, OMPP_PARALLEL, body, data, n, OMPP_CALLER())) {
		n_threads = real_GOMP_parallel_reductions(body, data, n, flags);
		gomp_join(&team, 0);
		return n_threads;
	}
	team.first = *(void **)data;
	n_threads = real_GOMP_parallel_reductions(gomp_body, &team, n, flags);
	gomp_join(&team, 1);
	return n_threads;
}

/* The bounds, the step, perhaps a chunk, and the flags. */
#define PARALLEL_LOOPS(WITH_CHUNK, WITHOUT) \
	WITH_CHUNK(GOMP_parallel_loop_static) \
	WITH_CHUNK(GOMP_parallel_loop_dynamic) \
	WITH_CHUNK(GOMP_parallel_loop_guided) \
	WITH_CHUNK(GOMP_parallel_loop_nonmonotonic_dynamic) \
	WITH_CHUNK(GOMP_parallel_loop_nonmonotonic_guided) \
	WITHOUT(GOMP_parallel_loop_runtime) \
	WITHOUT(GOMP_parallel_loop_nonmonotonic_runtime) \
	WITHOUT(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#define DEFINE_CHUNKED(name) \
	PARALLEL(OMPP_PARALLEL_LOOP, name, (WORD a, WORD b, WORD c, WORD d, WORD e), (a, b, c, d, e))
#define DEFINE_UNCHUNKED(name) PARALLEL(OMPP_PARALLEL_LOOP, name, (WORD a, WORD b, WORD c, WORD d), (a, b, c, d))
PARALLEL_LOOPS(DEFINE_CHUNKED, DEFINE_UNCHUNKED)

/* ---- regions of two calls ---- */

/* A region between its calls.  There is a fixed number for all threads, as the first call's stack is gone in between;
 * the forking thread takes one, and gives it back. */
static struct open_team {
	struct gomp_team team;
	struct ompp_caller caller; /* of the first call: the function of the last one may have left its stack */
	struct open_team *outer;   /* of the same thread */
	_Atomic uint32_t is_used;
} open_teams[1024];

static __thread struct {
	struct open_team *team; /* the innermost */
	uint32_t n_unmeasured;  /* regions in it that are not measured */
} own __attribute__((tls_model("initial-exec")));

static struct open_team *team_claim(void)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(open_teams); i++) {
		uint32_t is_used = 0;

		if (atomic_compare_exchange_strong(&open_teams[i].is_used, &is_used, 1))
			return &open_teams[i];
	}
	return NULL;
}

/* Begins a region.  Returns NULL when it is not measured. */
static struct open_team *team_open(enum ompp_construct construct, team_body *body, void *data, uintptr_t n_threads,
                                   struct ompp_caller caller)
{
	struct open_team *t = own.n_unmeasured ? NULL : team_claim();

	if (t && gomp_fork(&t->team, construct, body, data, n_threads, caller)) {
		t->caller = caller;
		t->outer = own.team;
		own.team = t;
		return t;
	}
	if (t) {
		gomp_join(&t->team, 0);
		atomic_store(&t->is_used, 0);
	}
	own.n_unmeasured++;
	if (construct != OMPP_PARALLEL) /* its loop or sections end by a call */
		ompp_call_block_begin(&ompp_call_own.blocks, 1);
	return NULL;
}

#define PARALLEL_START(construct, name, more, rest) \
	static void (*real_##name)(MEMBERS UNPACK more); \
	static void name##_(MEMBERS UNPACK more) \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		struct open_team *t = team_open(construct, body, data, n, caller); \
		real_##name(t ? gomp_body : body, t ? &t->team : data, n UNPACK rest); \
		if (t) \
			member_begin(&t->team, caller); \
	}

PARALLEL_START(OMPP_PARALLEL, GOMP_parallel_start, (), ())
PARALLEL_START(OMPP_PARALLEL_SECTIONS, GOMP_parallel_sections_start, (WORD a), (a))

#define PARALLEL_LOOP_STARTS(WITH_CHUNK, WITHOUT) \
	WITH_CHUNK(GOMP_parallel_loop_static_start) \
	WITH_CHUNK(GOMP_parallel_loop_dynamic_start) \
	WITH_CHUNK(GOMP_parallel_loop_guided_start) \
	WITHOUT(GOMP_parallel_loop_runtime_start)
#define START_CHUNKED(name)   PARALLEL_START(OMPP_PARALLEL_LOOP, name, (WORD a, WORD b, WORD c, WORD d), (a, b, c, d))
#define START_UNCHUNKED(name) PARALLEL_START(OMPP_PARALLEL_LOOP, name, (WORD a, WORD b, WORD c), (a, b, c))
PARALLEL_LOOP_STARTS(START_CHUNKED, START_UNCHUNKED)

static void (*real_GOMP_parallel_end)(void);
static void GOMP_parallel_end_(void)
{
	struct open_team *t = own.team;

	if (own.n_unmeasured || !t) {
		own.n_unmeasured -= own.n_unmeasured != 0;
		real_GOMP_parallel_end();
		return;
	}
	member_end(&t->team, t->caller);
	real_GOMP_parallel_end();
	gomp_join(&t->team, 1);
	own.team = t->outer;
	atomic_store(&t->is_used, 0);
}

/* ---- barrier ---- */

static void GOMP_barrier_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_call_region(OMPP_BARRIER, NULL, caller.site);

	ompp_gomp_arrive(def, OMPP_PART_REGION, caller);
	real_GOMP_barrier();
	ompp_gomp_depart(def, OMPP_PART_REGION);
}

/* The wait ends, too, when the team is cancelled. */
static _Bool (*real_GOMP_barrier_cancel)(void);
static _Bool GOMP_barrier_cancel_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_call_region(OMPP_BARRIER, NULL, caller.site);
	_Bool is_cancelled;

	ompp_gomp_arrive(def, OMPP_PART_REGION, caller);
	is_cancelled = real_GOMP_barrier_cancel();
	ompp_gomp_depart(def, OMPP_PART_REGION);
	return is_cancelled;
}

void ompp_gomp_start_teams(void)
{
#define ROW(name) OMPP_CALL_ROW(name),
	static const struct ompp_redirection list[] = {
		ROW(GOMP_parallel) ROW(GOMP_parallel_reductions) ROW(GOMP_parallel_sections) PARALLEL_LOOPS(ROW, ROW)
			ROW(GOMP_parallel_start) ROW(GOMP_parallel_sections_start) PARALLEL_LOOP_STARTS(ROW, ROW)
				ROW(GOMP_parallel_end) ROW(GOMP_barrier) ROW(GOMP_barrier_cancel)
	};

	ompp_redirect_add(list, OMPP_COUNT_OF(list));
}
