/*
 * GOMP calls: see gomp_calls.h.  What each function of GCC's OpenMP library does is described in its ABI (libgomp,
 * "The libgomp ABI").
 *
 * The members of a team meet in a barrier of ours at the end of a region, so that the wait there is told from the
 * work, as in code of kinst's.  Where the program may cancel regions (OMP_CANCELLATION) there is none: a cancelled team
 * cannot use its barriers any more.
 */
#define _GNU_SOURCE
#include "runtime/interpose/gomp_calls.h"

#include <stddef.h>

#include "runtime/base/array.h"
#include "runtime/core/session.h"
#include "runtime/events/team.h"
#include "runtime/host/loaded.h"
#include "runtime/interpose/gomp_call.h"
#include "runtime/interpose/lock_calls.h"

extern int omp_get_cancellation(void) __attribute__((weak));

static void (*real_GOMP_barrier)(void);

/* Calls a function in which the members of a team meet.
 * def: the construct whose barrier that is; NULL where it is not known */
static void gomp_meet(const struct ompp_region_def *def, enum ompp_part part, struct ompp_caller caller,
                      void (*meet)(void))
{
	int is_measured = def && !def->off;

	if (is_measured)
		ompp_barrier_enter(ompp_region_key(def, part), caller);
	meet();
	if (is_measured)
		ompp_barrier_exit(ompp_region_key(def, part));
}

/* ---- parallel ---- */

/* What the forking thread passes to the members; it lives until all have ended. */
struct gomp_team {
	void *first; /* word of the data, which the library reads where there are reductions over tasks */
	void (*body)(void *data);
	void *data;
	const struct ompp_region_def *def;
	uint64_t token;
};

static int has_barrier(void)
{
	return real_GOMP_barrier && !(omp_get_cancellation && omp_get_cancellation());
}

/* A member's part of a region. */
static void gomp_body(void *argument)
{
	const struct gomp_team *team = argument;
	const struct ompp_region_def *def = team->def;
	struct ompp_caller caller = OMPP_CALLER();
	int is_combined = def->construct != OMPP_PARALLEL && !def->off;

	ompp_team_begin(def, team->token, caller);
	if (is_combined)
		ompp_visit_enter(ompp_region_key(def, OMPP_PART_WORK), caller);
	team->body(team->data);
	if (is_combined)
		ompp_visit_exit(ompp_region_key(def, OMPP_PART_WORK));
	if (has_barrier())
		gomp_meet(def, OMPP_PART_BARRIER, caller, real_GOMP_barrier);
	ompp_team_end(def);
}

/* Begins a region.  Returns 0 when it cannot be measured.
 * n_threads: of the clause; 0 without one */
static int gomp_fork(struct gomp_team *team, enum ompp_construct construct, void (*body)(void *), void *data,
                     uintptr_t n_threads, struct ompp_caller caller)
{
	struct ompp_region_def *def = ompp_call_region(construct, NULL, ompp_call_body(body));
	unsigned int n = (unsigned int)n_threads;

	if (!def->key)
		return 0;
	if (!n)
		n = omp_get_max_threads ? (unsigned int)omp_get_max_threads() : 1;
	*team = (struct gomp_team){ NULL, body, data, def, ompp_team_fork(def, (int)n, caller) };
	return 1;
}

#define MEMBERS void (*body)(void *), void *data, uintptr_t n

/* Defines the function for a parallel region; `more` and `rest` are the further arguments. */
#define PARALLEL(construct, name, more, rest) \
	static void (*real_##name)(MEMBERS UNPACK more); \
	static void name##_(MEMBERS UNPACK more) \
	{ \
		struct gomp_team team; \
		if (!gomp_fork(&team, construct, body, data, n, OMPP_CALLER())) { \
			real_##name(body, data, n UNPACK rest); \
			return; \
		} \
		real_##name(gomp_body, &team, n UNPACK rest); \
		ompp_team_join(team.def, team.token); \
	}
#define UNPACK(...) , ##__VA_ARGS__

#define WORD uintptr_t

PARALLEL(OMPP_PARALLEL, GOMP_parallel, (WORD a), (a))
PARALLEL(OMPP_PARALLEL_SECTIONS, GOMP_parallel_sections, (WORD a, WORD b), (a, b))

static unsigned (*real_GOMP_parallel_reductions)(MEMBERS, WORD flags);
static unsigned GOMP_parallel_reductions_(MEMBERS, WORD flags)
{
	struct gomp_team team;
	unsigned n_threads;

	if (!gomp_fork(&team, OMPP_PARALLEL, body, data, n, OMPP_CALLER()))
		return real_GOMP_parallel_reductions(body, data, n, flags);
	team.first = *(void **)data;
	n_threads = real_GOMP_parallel_reductions(gomp_body, &team, n, flags);
	ompp_team_join(team.def, team.token);
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

/* ---- loops ---- */

/* The arguments that do not fit into registers are pushed for this call alone: the stack of all other calls of the same
 * function is above them. */
#if defined(__x86_64__)
enum { IN_REGISTERS = 6 };
#else
enum { IN_REGISTERS = 8 };
#endif

static struct ompp_caller gomp_above(struct ompp_caller caller, size_t n_arguments)
{
	size_t n = n_arguments > IN_REGISTERS ? n_arguments - IN_REGISTERS : 0;

	caller.stack += (n + n % 2) * sizeof(uintptr_t);
	return caller;
}

#define LOOP(n, name, parameters, arguments) \
	static _Bool(*real_##name) parameters; \
	static _Bool name##_ parameters \
	{ \
		struct ompp_caller caller = gomp_above(OMPP_CALLER(), n); \
		_Bool has; \
		ompp_gomp_enter(ompp_call_region(OMPP_LOOP, NULL, caller.site), OMPP_PART_REGION, caller); \
		has = real_##name arguments; \
		ompp_gomp_return(); \
		return has; \
	}

#define LOOP4(name) LOOP(4, name, (WORD a, WORD b, WORD c, WORD d), (a, b, c, d))
#define LOOP5(name) LOOP(5, name, (WORD a, WORD b, WORD c, WORD d, WORD e), (a, b, c, d, e))
#define LOOP6(name) LOOP(6, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f), (a, b, c, d, e, f))
#define LOOP7(name) LOOP(7, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g), (a, b, c, d, e, f, g))
#define LOOP8(name) \
	LOOP(8, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h), (a, b, c, d, e, f, g, h))
#define LOOP9(name) \
	LOOP(9, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h, WORD i), \
	     (a, b, c, d, e, f, g, h, i))
#define LOOP10(name) \
	LOOP(10, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h, WORD i, WORD j), \
	     (a, b, c, d, e, f, g, h, i, j))

/* All that begin a loop, by the number of their arguments.  Of those with the type `long`, a loop has start, end and
 * step, then a schedule or a chunk, and where its first part goes; unsigned ones begin with a direction; doacross ones
 * have the number and the list of counts in place of the bounds. */
#define LOOPS(_4, _5, _6, _7, _8, _9, _10) \
	_6(GOMP_loop_static_start) \
	_6(GOMP_loop_dynamic_start) \
	_6(GOMP_loop_guided_start) \
	_5(GOMP_loop_runtime_start) \
	_6(GOMP_loop_nonmonotonic_dynamic_start) \
	_6(GOMP_loop_nonmonotonic_guided_start) \
	_5(GOMP_loop_nonmonotonic_runtime_start) \
	_5(GOMP_loop_maybe_nonmonotonic_runtime_start) \
	_9(GOMP_loop_start) \
	_6(GOMP_loop_ordered_static_start) \
	_6(GOMP_loop_ordered_dynamic_start) \
	_6(GOMP_loop_ordered_guided_start) \
	_5(GOMP_loop_ordered_runtime_start) \
	_9(GOMP_loop_ordered_start) \
	_5(GOMP_loop_doacross_static_start) \
	_5(GOMP_loop_doacross_dynamic_start) \
	_5(GOMP_loop_doacross_guided_start) \
	_4(GOMP_loop_doacross_runtime_start) \
	_8(GOMP_loop_doacross_start) \
	_7(GOMP_loop_ull_static_start) \
	_7(GOMP_loop_ull_dynamic_start) \
	_7(GOMP_loop_ull_guided_start) \
	_6(GOMP_loop_ull_runtime_start) \
	_7(GOMP_loop_ull_nonmonotonic_dynamic_start) \
	_7(GOMP_loop_ull_nonmonotonic_guided_start) \
	_6(GOMP_loop_ull_nonmonotonic_runtime_start) \
	_6(GOMP_loop_ull_maybe_nonmonotonic_runtime_start) \
	_10(GOMP_loop_ull_start) \
	_7(GOMP_loop_ull_ordered_static_start) \
	_7(GOMP_loop_ull_ordered_dynamic_start) \
	_7(GOMP_loop_ull_ordered_guided_start) \
	_6(GOMP_loop_ull_ordered_runtime_start) \
	_10(GOMP_loop_ull_ordered_start) \
	_5(GOMP_loop_ull_doacross_static_start) \
	_5(GOMP_loop_ull_doacross_dynamic_start) \
	_5(GOMP_loop_ull_doacross_guided_start) \
	_4(GOMP_loop_ull_doacross_runtime_start) \
	_8(GOMP_loop_ull_doacross_start)

LOOPS(LOOP4, LOOP5, LOOP6, LOOP7, LOOP8, LOOP9, LOOP10)

/* What ends a loop: without waiting, or with a barrier in which the team may be cancelled. */
static void (*real_GOMP_loop_end)(void);
static void GOMP_loop_end_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_call_open(OMPP_LOOP, OMPP_LOOP, &caller.stack);

	gomp_meet(def, OMPP_PART_BARRIER, caller, real_GOMP_loop_end);
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

static void (*real_GOMP_loop_end_nowait)(void);
static void GOMP_loop_end_nowait_(void)
{
	const struct ompp_region_def *def = ompp_call_open(OMPP_LOOP, OMPP_LOOP, NULL);

	real_GOMP_loop_end_nowait();
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

static _Bool (*real_GOMP_loop_end_cancel)(void);
static _Bool GOMP_loop_end_cancel_(void)
{
	const struct ompp_region_def *def = ompp_call_open(OMPP_LOOP, OMPP_LOOP, NULL);
	_Bool is_cancelled = real_GOMP_loop_end_cancel();

	ompp_gomp_leave(def, OMPP_PART_REGION);
	return is_cancelled;
}

/* ---- sections ---- */

/* Leaves the section that the thread is in.  Returns the construct; stack: see ompp_call_open(). */
static const struct ompp_region_def *sections_leave(uintptr_t *stack)
{
	const struct ompp_region_def *def = ompp_call_open(OMPP_SECTIONS, OMPP_PARALLEL_SECTIONS, stack);

	if (def && ompp_self->top->key == ompp_region_key(def, OMPP_PART_BODY))
		ompp_gomp_leave(def, OMPP_PART_BODY);
	return def;
}

#define SECTIONS(name, parameters, arguments) \
	static unsigned(*real_##name) parameters; \
	static unsigned name##_ parameters \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		const struct ompp_region_def *def = ompp_call_region(OMPP_SECTIONS, NULL, caller.site); \
		unsigned section; \
		ompp_gomp_enter(def, OMPP_PART_REGION, caller); \
		section = real_##name arguments; \
		if (section) \
			ompp_gomp_enter(def, OMPP_PART_BODY, caller); \
		return section; \
	}

SECTIONS(GOMP_sections_start, (WORD n), (n))
SECTIONS(GOMP_sections2_start, (WORD n, WORD reductions, WORD memory), (n, reductions, memory))

static unsigned (*real_GOMP_sections_next)(void);
static unsigned GOMP_sections_next_(void)
{
	const struct ompp_region_def *def = sections_leave(NULL);
	unsigned section = real_GOMP_sections_next();

	if (section && def)
		ompp_gomp_enter(def, OMPP_PART_BODY, OMPP_CALLER());
	return section;
}

/* Leaves the construct, which is part of a parallel region where that is combined, and ends with it. */
static void sections_end(const struct ompp_region_def *def)
{
	if (def && def->construct == OMPP_SECTIONS)
		ompp_gomp_leave(def, OMPP_PART_REGION);
}

static void (*real_GOMP_sections_end)(void);
static void GOMP_sections_end_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = sections_leave(&caller.stack);

	gomp_meet(def, OMPP_PART_BARRIER, caller, real_GOMP_sections_end);
	sections_end(def);
}

static void (*real_GOMP_sections_end_nowait)(void);
static void GOMP_sections_end_nowait_(void)
{
	const struct ompp_region_def *def = sections_leave(NULL);

	real_GOMP_sections_end_nowait();
	sections_end(def);
}

static _Bool (*real_GOMP_sections_end_cancel)(void);
static _Bool GOMP_sections_end_cancel_(void)
{
	const struct ompp_region_def *def = sections_leave(NULL);
	_Bool is_cancelled = real_GOMP_sections_end_cancel();

	sections_end(def);
	return is_cancelled;
}

/* ---- single ---- */

/* The end of the body makes no call: its execution is counted, and takes no time of its own. */
static _Bool (*real_GOMP_single_start)(void);
static _Bool GOMP_single_start_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_call_region(OMPP_SINGLE, NULL, caller.site);
	_Bool executes;

	ompp_gomp_enter(def, OMPP_PART_REGION, caller);
	executes = real_GOMP_single_start();
	if (executes) {
		ompp_gomp_enter(def, OMPP_PART_BODY, caller);
		ompp_gomp_leave(def, OMPP_PART_BODY);
	}
	ompp_gomp_leave(def, OMPP_PART_REGION);
	return executes;
}

/* With copyprivate.  The threads that do not execute it wait in the first call, the one that does in the second. */
static void *(*real_GOMP_single_copy_start)(void);
static void *GOMP_single_copy_start_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_call_region(OMPP_SINGLE, NULL, caller.site);
	void *copied;

	ompp_gomp_enter(def, OMPP_PART_REGION, caller);
	copied = real_GOMP_single_copy_start();
	if (!copied)
		ompp_gomp_enter(def, OMPP_PART_BODY, caller);
	else
		ompp_gomp_leave(def, OMPP_PART_REGION);
	return copied;
}

static void (*real_GOMP_single_copy_end)(void *data);
static void GOMP_single_copy_end_(void *data)
{
	const struct ompp_region_def *def = ompp_call_open(OMPP_SINGLE, OMPP_SINGLE, NULL);

	ompp_gomp_leave(def, OMPP_PART_BODY);
	real_GOMP_single_copy_end(data);
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

/* ---- critical, ordered, atomic ---- */

/* Defines the function that begins a section which one thread executes at a time. */
#define BEGIN_EXCLUSIVE(construct, name, parameters, arguments, named) \
	static void(*real_##name) parameters; \
	static void name##_ parameters \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		const struct ompp_region_def *def = ompp_call_region(construct, named, caller.site); \
		ompp_gomp_enter(def, OMPP_PART_REGION, caller); \
		real_##name arguments; \
		ompp_gomp_enter(def, OMPP_PART_BODY, caller); \
	}

#define END_EXCLUSIVE(construct, name, parameters, arguments) \
	static void(*real_##name) parameters; \
	static void name##_ parameters \
	{ \
		const struct ompp_region_def *def = ompp_call_open(construct, construct, NULL); \
		ompp_gomp_leave(def, OMPP_PART_BODY); \
		real_##name arguments; \
		ompp_gomp_leave(def, OMPP_PART_REGION); \
	}

BEGIN_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_start, (void), (), NULL)
END_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_end, (void), ())
BEGIN_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_name_start, (void **lock), (lock), lock)
END_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_name_end, (void **lock), (lock))
BEGIN_EXCLUSIVE(OMPP_ORDERED, GOMP_ordered_start, (void), (), NULL)
END_EXCLUSIVE(OMPP_ORDERED, GOMP_ordered_end, (void), ())

static void (*real_GOMP_atomic_start)(void);
static void GOMP_atomic_start_(void)
{
	struct ompp_caller caller = OMPP_CALLER();

	ompp_gomp_enter(ompp_call_region(OMPP_ATOMIC, NULL, caller.site), OMPP_PART_REGION, caller);
	real_GOMP_atomic_start();
	ompp_gomp_return();
}

static void (*real_GOMP_atomic_end)(void);
static void GOMP_atomic_end_(void)
{
	const struct ompp_region_def *def = ompp_call_open(OMPP_ATOMIC, OMPP_ATOMIC, NULL);

	real_GOMP_atomic_end();
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

/* ---- barrier ---- */

static void GOMP_barrier_(void)
{
	struct ompp_caller caller = OMPP_CALLER();

	gomp_meet(ompp_call_region(OMPP_BARRIER, NULL, caller.site), OMPP_PART_REGION, caller, real_GOMP_barrier);
}

OMPP_GOMP_VISIT(OMPP_BARRIER, _Bool, GOMP_barrier_cancel, (void), ())

/* ---- the rest ---- */

OMPP_GOMP_VISIT(OMPP_CANCEL, _Bool, GOMP_cancel, (WORD what, WORD is_to), (what, is_to))
OMPP_GOMP_VISIT(OMPP_CANCELLATION_POINT, _Bool, GOMP_cancellation_point, (WORD what), (what))
OMPP_GOMP_VISIT_VOID(OMPP_TEAMS, GOMP_teams_reg, (WORD a, WORD b, WORD c, WORD d, WORD e), (a, b, c, d, e))
OMPP_GOMP_VISIT_VOID(OMPP_TARGET, GOMP_target_ext,
                     (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h, WORD i),
                     (a, b, c, d, e, f, g, h, i))
OMPP_GOMP_VISIT_VOID(OMPP_TARGET_UPDATE, GOMP_target_update_ext,
                     (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g), (a, b, c, d, e, f, g))

/* One call with a flag for each of target enter data and target exit data. */
enum { FLAG_EXIT_DATA = 2 };

static void (*real_GOMP_target_enter_exit_data)(WORD, WORD, WORD, WORD, WORD, unsigned, WORD);
static void GOMP_target_enter_exit_data_(WORD a, WORD b, WORD c, WORD d, WORD e, unsigned flags, WORD g)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_call_region(flags & FLAG_EXIT_DATA ? OMPP_TARGET_EXIT_DATA
	                                                                            : OMPP_TARGET_ENTER_DATA,
	                                                     NULL, caller.site);

	ompp_gomp_enter(def, OMPP_PART_REGION, caller);
	real_GOMP_target_enter_exit_data(a, b, c, d, e, flags, g);
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

static void (*real_GOMP_target_data_ext)(WORD, WORD, WORD, WORD, WORD);
static void GOMP_target_data_ext_(WORD a, WORD b, WORD c, WORD d, WORD e)
{
	struct ompp_caller caller = OMPP_CALLER();

	ompp_gomp_enter(ompp_call_region(OMPP_TARGET_DATA, NULL, caller.site), OMPP_PART_REGION, caller);
	real_GOMP_target_data_ext(a, b, c, d, e);
	ompp_gomp_return();
}

static void (*real_GOMP_target_end_data)(void);
static void GOMP_target_end_data_(void)
{
	const struct ompp_region_def *def = ompp_call_open(OMPP_TARGET_DATA, OMPP_TARGET_DATA, NULL);

	real_GOMP_target_end_data();
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

/* ---- locks ---- */

#define LOCKS(kind, construct) \
	static void (*real_omp_init_##kind)(void *), (*real_omp_set_##kind)(void *), (*real_omp_unset_##kind)(void *); \
	static int (*real_omp_test_##kind)(void *); \
	OMPP_LOCK_CALLS(static, omp_init_##kind##_, omp_set_##kind##_, omp_unset_##kind##_, omp_test_##kind##_, \
	                real_omp_init_##kind, real_omp_set_##kind, real_omp_unset_##kind, real_omp_test_##kind, \
	                construct, NULL)

LOCKS(lock, OMPP_LOCK)
LOCKS(nest_lock, OMPP_NEST_LOCK)
LOCKS(lock_, OMPP_LOCK) /* Fortran's */
LOCKS(nest_lock_, OMPP_NEST_LOCK)

#define LOCK_ROWS(kind) ROW(omp_init_##kind), ROW(omp_set_##kind), ROW(omp_unset_##kind), ROW(omp_test_##kind)

void ompp_gomp_start(void)
{
#define ROW(name)     OMPP_CALL_ROW(name)
#define ROW_AND(name) OMPP_CALL_ROW(name),
	static const struct ompp_redirection list[] = {
		ROW(GOMP_parallel),
		ROW(GOMP_parallel_reductions),
		ROW(GOMP_parallel_sections),
		PARALLEL_LOOPS(ROW_AND, ROW_AND) LOOPS(ROW_AND, ROW_AND, ROW_AND, ROW_AND, ROW_AND, ROW_AND, ROW_AND)
			ROW(GOMP_loop_end),
		ROW(GOMP_loop_end_nowait),
		ROW(GOMP_loop_end_cancel),
		ROW(GOMP_sections_start),
		ROW(GOMP_sections2_start),
		ROW(GOMP_sections_next),
		ROW(GOMP_sections_end),
		ROW(GOMP_sections_end_nowait),
		ROW(GOMP_sections_end_cancel),
		ROW(GOMP_single_start),
		ROW(GOMP_single_copy_start),
		ROW(GOMP_single_copy_end),
		ROW(GOMP_critical_start),
		ROW(GOMP_critical_end),
		ROW(GOMP_critical_name_start),
		ROW(GOMP_critical_name_end),
		ROW(GOMP_ordered_start),
		ROW(GOMP_ordered_end),
		ROW(GOMP_atomic_start),
		ROW(GOMP_atomic_end),
		ROW(GOMP_barrier),
		ROW(GOMP_barrier_cancel),
		ROW(GOMP_cancel),
		ROW(GOMP_cancellation_point),
		ROW(GOMP_teams_reg),
		ROW(GOMP_target_ext),
		ROW(GOMP_target_update_ext),
		ROW(GOMP_target_enter_exit_data),
		ROW(GOMP_target_data_ext),
		ROW(GOMP_target_end_data),
		LOCK_ROWS(lock),
		LOCK_ROWS(nest_lock),
		LOCK_ROWS(lock_),
		LOCK_ROWS(nest_lock_),
	};

	if (!ompp_session.options.number[OMPP_OPT_INTERPOSE])
		return;
	ompp_loaded_start();
	ompp_redirect_add(list, OMPP_COUNT_OF(list));
	ompp_gomp_start_tasks();
}
