/*
 * GOMP calls: see gomp_calls.h.  What each function of GCC's OpenMP library does is described in its ABI (libgomp,
 * "The libgomp ABI").
 */
#define _GNU_SOURCE
#include "runtime/interpose/gomp_calls.h"
#include "runtime/events/hold.h"

#include <stddef.h>

#include "runtime/base/array.h"
#include "runtime/core/session.h"
#include "runtime/host/loaded.h"
#include "runtime/interpose/gomp_call.h"
#include "runtime/interpose/lock_calls.h"
#include "runtime/interpose/lock_wait.h"
#include "runtime/session/session_start.h"

#define WORD uintptr_t

/* ---- loops ---- */

#define LOOP(n, name, parameters, arguments) OMPP_GOMP_LOOP(n, name, parameters, arguments, (void)0)

#define LOOP5(name) LOOP(5, name, (WORD a, WORD b, WORD c, WORD d, WORD e), (a, b, c, d, e))
#define LOOP6(name) LOOP(6, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f), (a, b, c, d, e, f))
#define LOOP7(name) LOOP(7, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g), (a, b, c, d, e, f, g))
#define LOOP9(name) \
	LOOP(9, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h, WORD i), \
	     (a, b, c, d, e, f, g, h, i))
#define LOOP10(name) \
	LOOP(10, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h, WORD i, WORD j), \
	     (a, b, c, d, e, f, g, h, i, j))

/* All that begin a loop, by the number of their arguments.  Of those with the type `long`, a loop has start, end and
 * step, then a schedule or a chunk, and where its first part goes; unsigned ones begin with a direction. */
#define LOOPS(_5, _6, _7, _9, _10) \
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
	_10(GOMP_loop_ull_ordered_start)

LOOPS(LOOP5, LOOP6, LOOP7, LOOP9, LOOP10)

/* What ends a loop: without waiting, or with a barrier in which the team may be cancelled. */
static void (*real_GOMP_loop_end)(void);
static void GOMP_loop_end_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_gomp_end_part(OMPP_LOOP, OMPP_LOOP, &caller.stack);

	ompp_gomp_arrive(def, OMPP_PART_BARRIER, caller);
	real_GOMP_loop_end();
	ompp_gomp_depart(def, OMPP_PART_BARRIER);
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

static void (*real_GOMP_loop_end_nowait)(void);
static void GOMP_loop_end_nowait_(void)
{
	const struct ompp_region_def *def = ompp_gomp_end_part(OMPP_LOOP, OMPP_LOOP, NULL);

	real_GOMP_loop_end_nowait();
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

static _Bool (*real_GOMP_loop_end_cancel)(void);
static _Bool GOMP_loop_end_cancel_(void)
{
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = ompp_gomp_end_part(OMPP_LOOP, OMPP_LOOP, &caller.stack);
	_Bool is_cancelled;

	ompp_gomp_arrive(def, OMPP_PART_BARRIER, caller);
	is_cancelled = real_GOMP_loop_end_cancel();
	ompp_gomp_depart(def, OMPP_PART_BARRIER);
	ompp_gomp_leave(def, OMPP_PART_REGION);
	return is_cancelled;
}

/* ---- sections ---- */

/* Leaves the section of the construct that the thread is in.  Returns that. */
static const struct ompp_region_def *section_leave(const struct ompp_region_def *def)
{
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
		ompp_gomp_begin(def, caller); \
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
	const struct ompp_region_def *def = ompp_call_own.blocks & 1
	                                          ? NULL
	                                          : section_leave(ompp_call_open(OMPP_SECTIONS, OMPP_PARALLEL_SECTIONS,
	                                                                         NULL));
	unsigned section = real_GOMP_sections_next();

	if (section && def)
		ompp_gomp_enter(def, OMPP_PART_BODY, OMPP_CALLER());
	return section;
}

/* Leaves the last one.  stack: see ompp_call_open() */
static const struct ompp_region_def *sections_leave(uintptr_t *stack)
{
	return section_leave(ompp_gomp_end_part(OMPP_SECTIONS, OMPP_PARALLEL_SECTIONS, stack));
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

	ompp_gomp_arrive(def, OMPP_PART_BARRIER, caller);
	real_GOMP_sections_end();
	ompp_gomp_depart(def, OMPP_PART_BARRIER);
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
	struct ompp_caller caller = OMPP_CALLER();
	const struct ompp_region_def *def = sections_leave(&caller.stack);
	_Bool is_cancelled;

	ompp_gomp_arrive(def, OMPP_PART_BARRIER, caller);
	is_cancelled = real_GOMP_sections_end_cancel();
	ompp_gomp_depart(def, OMPP_PART_BARRIER);
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
	if (executes && !def->off)
		ompp_visit_count(ompp_region_key(def, OMPP_PART_BODY), caller);
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
	if (!copied) {
		ompp_call_block_begin(&ompp_call_own.blocks, def->off);
		ompp_gomp_enter(def, OMPP_PART_BODY, caller);
	} else
		ompp_gomp_leave(def, OMPP_PART_REGION);
	return copied;
}

static void (*real_GOMP_single_copy_end)(void *data);
static void GOMP_single_copy_end_(void *data)
{
	const struct ompp_region_def *def = ompp_gomp_end(OMPP_SINGLE);

	ompp_gomp_leave(def, OMPP_PART_BODY);
	real_GOMP_single_copy_end(data);
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

/* ---- critical, ordered, atomic ---- */

/* Defines the function that begins a section which one thread executes at a time.
 * named: the word that has its name, or NULL
 * lock: by which its holder is known, or NULL where there is none */
#define BEGIN_EXCLUSIVE(construct, name, parameters, arguments, named, lock) \
	static void(*real_##name) parameters; \
	static void name##_ parameters \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		const struct ompp_region_def *def = ompp_call_region(construct, named, caller.site); \
		struct ompp_lock_wait wait; \
		ompp_call_own.last = def; \
		ompp_gomp_begin(def, caller); \
		wait = ompp_lock_wait_begin(def, lock); \
		real_##name arguments; \
		ompp_lock_wait_end(wait, def, lock); \
		if (!def->off) { \
			ompp_visit_enter_body(ompp_region_key(def, OMPP_PART_BODY), caller); \
			ompp_hold_begin(def); \
		} \
	}

#define END_EXCLUSIVE(construct, name, parameters, arguments, lock) \
	static void(*real_##name) parameters; \
	static void name##_ parameters \
	{ \
		const struct ompp_region_def *def = ompp_gomp_end(construct); \
		ompp_gomp_leave(def, OMPP_PART_BODY); \
		if (def) \
			ompp_hold_end(def); \
		ompp_lock_wait_leave(def, lock); \
		real_##name arguments; \
		ompp_gomp_leave(def, OMPP_PART_REGION); \
	}

/* Stands for the lock of all critical sections without a name. */
static const uint64_t unnamed;

BEGIN_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_start, (void), (), NULL, &unnamed)
END_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_end, (void), (), &unnamed)
BEGIN_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_name_start, (void **lock), (lock), lock, lock)
END_EXCLUSIVE(OMPP_CRITICAL, GOMP_critical_name_end, (void **lock), (lock), lock)
BEGIN_EXCLUSIVE(OMPP_ORDERED, GOMP_ordered_start, (void), (), NULL, NULL)
END_EXCLUSIVE(OMPP_ORDERED, GOMP_ordered_end, (void), (), NULL)

static void (*real_GOMP_atomic_start)(void);
static void GOMP_atomic_start_(void)
{
	struct ompp_caller caller = OMPP_CALLER();

	ompp_gomp_begin(ompp_call_region(OMPP_ATOMIC, NULL, caller.site), caller);
	real_GOMP_atomic_start();
	ompp_gomp_return();
}

static void (*real_GOMP_atomic_end)(void);
static void GOMP_atomic_end_(void)
{
	const struct ompp_region_def *def = ompp_gomp_end(OMPP_ATOMIC);

	real_GOMP_atomic_end();
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

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

	ompp_gomp_begin(ompp_call_region(OMPP_TARGET_DATA, NULL, caller.site), caller);
	real_GOMP_target_data_ext(a, b, c, d, e);
	ompp_gomp_return();
}

static void (*real_GOMP_target_end_data)(void);
static void GOMP_target_end_data_(void)
{
	const struct ompp_region_def *def = ompp_gomp_end(OMPP_TARGET_DATA);

	real_GOMP_target_end_data();
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

/* ---- locks ---- */

/* Whose the lock is, where it is taken by another thread: the place of the call that set it.  The place of a call is a
 * region without visits, as these are the lock's. */
static uint32_t lock_holder(const struct ompp_lock *lock)
{
	return lock && ompp_lock_is_taken(lock) ? OMPP_LOAD(&lock->set_by) : (uint32_t)OMPP_LOCK_HOLDER_NOBODY;
}

/* Notes where the program initialises a lock, which is all that is known of one on the heap. */
static void lock_made(void *s, enum ompp_construct construct, uintptr_t site)
{
	const struct ompp_region_def *place = ompp_session_start() ? ompp_call_region(construct, NULL, site) : NULL;

	ompp_lock_made(s, place && place->key ? ompp_lock_site_of(place) : NULL);
}

static void lock_got(struct ompp_lock *lock, enum ompp_construct construct, uint32_t holder, uint64_t begin,
                     uintptr_t site)
{
	uint32_t id;

	if (!lock || lock->is_common || lock->depth > 1)
		return;
	id = OMPP_KEY_ID(ompp_call_region(construct, NULL, site)->key);
	OMPP_STORE(&lock->set_by, id);
	if (holder != OMPP_LOCK_HOLDER_NOBODY && id)
		ompp_lock_holder_waited(id, holder, ompp_clock() - begin);
}

#define LOCKS(kind, construct) \
	static void (*real_omp_init_##kind)(void *), (*real_omp_set_##kind)(void *), (*real_omp_unset_##kind)(void *); \
	static int (*real_omp_test_##kind)(void *); \
	static void omp_init_##kind##_(void *s) \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		real_omp_init_##kind(s); \
		lock_made(s, construct, caller.site); \
	} \
	static void omp_set_##kind##_(void *s) \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		struct ompp_lock *lock = ompp_lock_find(s, construct, NULL); \
		uint32_t holder = lock_holder(lock); \
		uint64_t begin = holder == OMPP_LOCK_HOLDER_NOBODY ? 0 : ompp_clock(); \
		ompp_lock_set(s, NULL, construct, real_omp_set_##kind); \
		lock_got(lock, construct, holder, begin, caller.site); \
	} \
	static void omp_unset_##kind##_(void *s) \
	{ \
		ompp_lock_unset(s, construct, real_omp_unset_##kind); \
	} \
	static int omp_test_##kind##_(void *s) \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		int got = ompp_lock_test(s, NULL, construct, real_omp_test_##kind); \
		if (got) \
			lock_got(ompp_lock_find(s, construct, NULL), construct, OMPP_LOCK_HOLDER_NOBODY, 0, \
			         caller.site); \
		return got; \
	}

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
		LOOPS(ROW_AND, ROW_AND, ROW_AND, ROW_AND, ROW_AND) ROW(GOMP_loop_end),
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
	ompp_gomp_start_teams();
	ompp_gomp_start_doacross();
	ompp_gomp_start_tasks();
}
