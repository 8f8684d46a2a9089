/*
 * POMP2: the entry points that opari2 puts into C and C++ programs, and kinst's own ompp_parallel_begin.
 *
 * Each event finds its region by the handle, reads the clock once, and calls the functions of events.  Events run on
 * every thread of the program, and never change errno on the hot path.
 */
#define _GNU_SOURCE
#include <string.h>

#include "runtime/adapters/pomp2.h"
#include "runtime/core/frame.h"
#include "runtime/core/instance.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/arrival.h"
#include "runtime/events/hold.h"
#include "runtime/events/map_bytes.h"
#include "runtime/events/task.h"
#include "runtime/events/task_path.h"
#include "runtime/events/team.h"
#include "runtime/events/visit.h"
#include "runtime/host/note.h"
#include "runtime/interpose/lock_calls.h"
#include "runtime/session/register.h"
#include "runtime/session/session_start.h"

enum { LONGEST_CTC = 65536 };

#define PART(def, part) ompp_region_key(def, OMPP_PART_##part)

static inline struct ompp_region_def *pomp2_region(void **handle)
{
	return __atomic_load_n(handle, __ATOMIC_ACQUIRE);
}

static inline struct ompp_region_def *region_enter(void **handle, const char *ctc)
{
	struct ompp_region_def *def = pomp2_region(handle);

	if (__builtin_expect(!def, 0))
		def = ompp_register(handle, ctc, strnlen(ctc, LONGEST_CTC));
	return def;
}

/* Returns the region of an exit, and counts an exit without a handle: in a target region, which has a private copy of
 * it, or of a region that could not be registered. */
static struct ompp_region_def *region_exit(void **handle)
{
	struct ompp_region_def *def = pomp2_region(handle);

	if (__builtin_expect(!def, 0))
		OMPP_ADD(&ompp_self->n_no_handle, ompp_self->limit != NULL);
	return def;
}

/* The part for LOOP, SECTIONS and WORKSHARE, which are also the inner half of PARALLEL LOOP and the like, with the
 * same handle. */
enum { PART_OF_WORK = 16 };

static inline uint64_t key_of(const struct ompp_region_def *def, int part)
{
	if (part == PART_OF_WORK)
		part = def->construct <= OMPP_PARALLEL_WORKSHARE ? OMPP_PART_WORK : OMPP_PART_REGION;
	return ompp_region_key(def, (enum ompp_part)part);
}

static __attribute__((noinline, cold)) void enter_first(void **handle, const char *ctc, int part,
                                                        struct ompp_caller caller)
{
	struct ompp_region_def *def = region_enter(handle, ctc);

	if (def && !def->off)
		ompp_visit_enter(key_of(def, part), caller);
}

/* Enters a part of a region.  enter_first() is called at the very end: such a call needs no room on the stack when
 * nothing was called before. */
static inline void pomp2_enter(void **handle, const char *ctc, int part, struct ompp_caller caller)
{
	struct ompp_region_def *def = pomp2_region(handle);

	if (__builtin_expect(!def, 0))
		enter_first(handle, ctc, part, caller);
	else if (!def->off)
		ompp_visit_enter(key_of(def, part), caller);
}

static inline void pomp2_leave(void **handle, int part)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def && !def->off)
		ompp_visit_exit(key_of(def, part));
}

static inline void begin_body(void **handle, struct ompp_caller caller)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def && !def->off)
		ompp_visit_enter_body(PART(def, BODY), caller);
}

/* Handles. */

void POMP2_Assign_handle(void **handle, const char ctc[])
{
	if (!pomp2_region(handle))
		ompp_register(handle, ctc, strnlen(ctc, LONGEST_CTC));
}

void POMP2_USER_Assign_handle(void **handle, const char ctc[])
{
	POMP2_Assign_handle(handle, ctc);
}

int64_t POMP2_Get_new_task_handle(void)
{
	return 0;
}

/* A program that is built as opari2 documents it has these functions itself, also beside a static libompp. */
#define PROGRAM_MAY_HAVE __attribute__((weak))

/* Regions register themselves at their first event: there is nothing to initialise. */
PROGRAM_MAY_HAVE size_t POMP2_Get_num_regions(void)
{
	return ompp_region_count();
}

PROGRAM_MAY_HAVE void POMP2_Init_regions(void)
{
}

PROGRAM_MAY_HAVE size_t POMP2_USER_Get_num_regions(void)
{
	return 0;
}

PROGRAM_MAY_HAVE void POMP2_USER_Init_regions(void)
{
}

/* Objects of several versions may be in one program, and none of them tells its own. */
PROGRAM_MAY_HAVE const char *POMP2_Get_opari2_version(void)
{
	return "";
}

int POMP2_Lib_get_max_threads(void)
{
	return omp_get_max_threads ? omp_get_max_threads() : 1;
}

/* Constructs with one enter and one exit. */

#define ENTER_EXIT(name, part) \
	void POMP2_##name##_enter(void **handle, const char ctc[]) \
	{ \
		pomp2_enter(handle, ctc, OMPP_PART_##part, OMPP_CALLER()); \
	} \
	void POMP2_##name##_exit(void **handle) \
	{ \
		pomp2_leave(handle, OMPP_PART_##part); \
	}

ENTER_EXIT(Atomic, REGION)
ENTER_EXIT(Flush, REGION)
ENTER_EXIT(Critical, REGION)
ENTER_EXIT(Single, REGION)
ENTER_EXIT(Ordered, REGION)

#define WORK_ENTER_EXIT(name) \
	void POMP2_##name##_enter(void **handle, const char ctc[]) \
	{ \
		pomp2_enter(handle, ctc, PART_OF_WORK, OMPP_CALLER()); \
	} \
	void POMP2_##name##_exit(void **handle) \
	{ \
		pomp2_leave(handle, PART_OF_WORK); \
	}

void POMP2_For_enter(void **handle, const char ctc[])
{
	pomp2_enter(handle, ctc, PART_OF_WORK, OMPP_CALLER());
	if (ompp_frame_is_on_path())
		ompp_hold_loop(pomp2_region(handle));
}

void POMP2_For_exit(void **handle)
{
	pomp2_leave(handle, PART_OF_WORK);
}

void ompp_loop_iterates(void **handle)
{
	const struct ompp_region_def *def;

	if (!ompp_frame_is_on_path())
		return;
	def = pomp2_region(handle);
	if (def && !def->off)
		ompp_hold_iterations(def);
	else
		ompp_hold_no_iterations();
}

void ompp_loop_iteration(void)
{
	if (ompp_frame_is_on_path())
		ompp_hold_iteration();
}

WORK_ENTER_EXIT(Sections)
WORK_ENTER_EXIT(Workshare)

void POMP2_Master_begin(void **handle, const char ctc[])
{
	pomp2_enter(handle, ctc, OMPP_PART_REGION, OMPP_CALLER());
}

void POMP2_Master_end(void **handle)
{
	pomp2_leave(handle, OMPP_PART_REGION);
}

/* Enters a barrier.  It belongs to the implicit task, which never moves to another thread. */
static inline void enter_barrier(void **handle, enum ompp_part part, struct ompp_caller caller)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def && !def->off)
		ompp_barrier_enter(key_of(def, part), caller);
}

static inline void leave_barrier(void **handle, enum ompp_part part)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def && !def->off)
		ompp_barrier_exit(key_of(def, part));
}

void POMP2_Barrier_enter(void **handle, int64_t *old_task, const char ctc[])
{
	*old_task = 0;
	if (region_enter(handle, ctc))
		enter_barrier(handle, OMPP_PART_REGION, OMPP_CALLER());
}

void POMP2_Barrier_exit(void **handle, int64_t old_task)
{
	(void)old_task;
	leave_barrier(handle, OMPP_PART_REGION);
}

void POMP2_Implicit_barrier_enter(void **handle, int64_t *old_task)
{
	*old_task = 0;
	enter_barrier(handle, OMPP_PART_BARRIER, OMPP_CALLER());
}

void POMP2_Implicit_barrier_exit(void **handle, int64_t old_task)
{
	(void)old_task;
	leave_barrier(handle, OMPP_PART_BARRIER);
}

/* Bodies. */

static __attribute__((noinline, cold)) void begin_hold(void **handle)
{
	const struct ompp_region_def *def = pomp2_region(handle);

	if (def && !def->off)
		ompp_hold_body(def);
}

static __attribute__((noinline, cold)) void end_hold(void **handle)
{
	const struct ompp_region_def *def = pomp2_region(handle);

	if (def && !def->off)
		ompp_hold_body_end(def);
}

#define BEGIN_END(name) \
	void POMP2_##name##_begin(void **handle) \
	{ \
		begin_body(handle, OMPP_CALLER()); \
	} \
	void POMP2_##name##_end(void **handle) \
	{ \
		pomp2_leave(handle, OMPP_PART_BODY); \
	}

/* The same of those that one thread at a time is in. */
#define EXCLUSIVE_BEGIN_END(name) \
	void POMP2_##name##_begin(void **handle) \
	{ \
		begin_body(handle, OMPP_CALLER()); \
		if (ompp_frame_is_on_path()) \
			begin_hold(handle); \
	} \
	void POMP2_##name##_end(void **handle) \
	{ \
		pomp2_leave(handle, OMPP_PART_BODY); \
		if (ompp_frame_is_on_path()) \
			end_hold(handle); \
	}

BEGIN_END(Single)
EXCLUSIVE_BEGIN_END(Critical)
EXCLUSIVE_BEGIN_END(Ordered)

void POMP2_Section_begin(void **handle, const char ctc[])
{
	pomp2_enter(handle, ctc, OMPP_PART_BODY, OMPP_CALLER());
}

void POMP2_Section_end(void **handle)
{
	pomp2_leave(handle, OMPP_PART_BODY);
}

/* Parallel regions.  They are measured even when they are filtered, as they tell which thread is which. */

void POMP2_Parallel_fork(void **handle, int if_clause, int num_threads, int64_t *old_task, const char ctc[])
{
	struct ompp_region_def *def = region_enter(handle, ctc);

	(void)if_clause;
	*old_task = def ? (int64_t)ompp_team_fork(def, num_threads, OMPP_CALLER()) : 0;
}

void POMP2_Parallel_join(void **handle, int64_t old_task)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def)
		ompp_team_join(def, (uint64_t)old_task);
}

void ompp_parallel_begin(void **handle, int64_t old_task)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def)
		ompp_team_begin(def, (uint64_t)old_task, ompp_team_rank(), OMPP_CALLER());
}

void POMP2_Parallel_begin(void **handle)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def)
		ompp_team_begin(def, OMPP_TEAM_UNKNOWN, ompp_team_rank(), OMPP_CALLER());
}

void POMP2_Parallel_end(void **handle)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def)
		ompp_team_end(def);
}

/* Tasks. */

static __attribute__((noinline, cold)) void enter_untied(void **handle, const char *ctc, int64_t *old_task,
                                                         uintptr_t stack, uintptr_t site)
{
	struct ompp_thread *t = ompp_self;

	ompp_instance_drop_moved(t);
	pomp2_enter(handle, ctc, OMPP_PART_REGION, (struct ompp_caller){ stack, site });
	*old_task = (int64_t)ompp_thread_instance(t);
	if (*old_task)
		ompp_instance_note(t);
}

/* Enters a region in which an untied task may be suspended: *old_task becomes its instance.  Other tasks have none. */
static inline void enter_in_task(void **handle, const char *ctc, int64_t *old_task, struct ompp_caller caller)
{
	*old_task = 0;
	if (__builtin_expect(ompp_thread_instance(ompp_self), 0))
		enter_untied(handle, ctc, old_task, caller.stack, caller.site);
	else
		pomp2_enter(handle, ctc, OMPP_PART_REGION, caller);
}

static __attribute__((noinline, cold)) void leave_resumed(void **handle, int64_t old_task, struct ompp_caller caller)
{
	ompp_task_resume((uint64_t)old_task, caller);
	pomp2_leave(handle, OMPP_PART_REGION);
}

static inline void leave_in_task(void **handle, int64_t old_task, struct ompp_caller caller)
{
	if (__builtin_expect((uint64_t)old_task != ompp_thread_instance(ompp_self), 0))
		leave_resumed(handle, old_task, caller);
	else
		pomp2_leave(handle, OMPP_PART_REGION);
}

/* Returns 1 where the longest path is looked for, and the region is measured. */
static inline int is_on_path(const struct ompp_region_def *def)
{
	return ompp_frame_is_on_path() && def && !def->off;
}

/* Returns the region if it is measured, and the task that runs is the one that ran at the event's begin; else NULL.
 * old_task: that one's instance; 0 of a tied one */
static inline const struct ompp_region_def *usual_region(void **handle, int64_t old_task)
{
	const struct ompp_region_def *def = pomp2_region(handle);

	return __builtin_expect(def && !def->off && (uint64_t)old_task == ompp_thread_instance(ompp_self), 1) ? def
	                                                                                                      : NULL;
}

/* Begin and end creating a task where the longest path is looked for, whatever that may need. */
static __attribute__((noinline)) void create_long(void **handle, int64_t *new_task, int64_t *old_task, int if_clause,
                                                  const char *ctc, uintptr_t stack, uintptr_t site)
{
	const struct ompp_region_def *def;

	enter_in_task(handle, ctc, old_task, (struct ompp_caller){ stack, site });
	def = pomp2_region(handle);
	*new_task = is_on_path(def) ? ompp_task_create(def, if_clause) : 0;
}

static __attribute__((noinline)) void created_long(void **handle, int64_t old_task, uintptr_t stack, uintptr_t site)
{
	const struct ompp_region_def *def;

	leave_in_task(handle, old_task, (struct ompp_caller){ stack, site });
	def = pomp2_region(handle);
	if (is_on_path(def))
		ompp_task_created(def);
}

static inline __attribute__((always_inline)) void create_begin(void **handle, const char *ctc, int64_t *new_task,
                                                               int64_t *old_task, int if_clause, uintptr_t stack,
                                                               uintptr_t site)
{
	const struct ompp_region_def *def;

	if (!ompp_frame_is_on_path()) {
		*new_task = 0;
		enter_in_task(handle, ctc, old_task, (struct ompp_caller){ stack, site });
		return;
	}
	def = usual_region(handle, 0);
	if (__builtin_expect(!def, 0)) {
		create_long(handle, new_task, old_task, if_clause, ctc, stack, site);
		return;
	}
	*old_task = 0;
	ompp_task_create_on_path(def, new_task, if_clause, stack, site);
}

static inline __attribute__((always_inline)) void create_end(void **handle, int64_t old_task, uintptr_t stack,
                                                             uintptr_t site)
{
	const struct ompp_region_def *def;

	if (!ompp_frame_is_on_path()) {
		leave_in_task(handle, old_task, (struct ompp_caller){ stack, site });
		return;
	}
	def = usual_region(handle, old_task);
	if (__builtin_expect(!def, 0))
		created_long(handle, old_task, stack, site);
	else
		ompp_task_created_on_path(def);
}

void POMP2_Task_create_begin(void **handle, int64_t *new_task, int64_t *old_task, int if_clause, const char ctc[])
{
	create_begin(handle, ctc, new_task, old_task, if_clause, OMPP_STACK(), OMPP_SITE());
}

void POMP2_Task_create_end(void **handle, int64_t old_task)
{
	create_end(handle, old_task, OMPP_STACK(), OMPP_SITE());
}

void POMP2_Untied_task_create_begin(void **handle, int64_t *new_task, int64_t *old_task, int if_clause,
                                    const char ctc[])
{
	create_begin(handle, ctc, new_task, old_task, if_clause, OMPP_STACK(), OMPP_SITE());
}

void POMP2_Untied_task_create_end(void **handle, int64_t old_task)
{
	create_end(handle, old_task, OMPP_STACK(), OMPP_SITE());
}

static inline void task_begin(void **handle, int untied, int64_t created, struct ompp_caller caller)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def && !def->off)
		ompp_task_begin(def, untied, created, caller);
}

static inline void task_end(void **handle)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def && !def->off)
		ompp_task_end(def);
}

void POMP2_Task_begin(void **handle, int64_t task)
{
	task_begin(handle, 0, task, OMPP_CALLER());
}

void POMP2_Task_end(void **handle)
{
	task_end(handle);
}

void ompp_target_maps(void **handle, long long to_bytes, long long from_bytes)
{
	struct ompp_region_def *def = pomp2_region(handle);

	if (def && !def->off)
		ompp_map_bytes(PART(def, REGION), to_bytes, from_bytes);
}

void **ompp_task_begun(void **handle)
{
	task_begin(handle, 0, 0, OMPP_CALLER());
	return handle;
}

void **ompp_iteration_begun(void **handle, int64_t task, int64_t *chunk)
{
	struct ompp_region_def *def = region_exit(handle);

	if (def && !def->off)
		ompp_task_iterate(def, task, chunk, OMPP_CALLER());
	return handle;
}

void ompp_task_depends(int64_t task, int kind, const void *address)
{
	if (task && ompp_frame_is_on_path())
		ompp_task_depend(task, kind, address);
}

void ompp_taskgroup_ends(void **handle)
{
	if (is_on_path(pomp2_region(handle)))
		ompp_task_group_ends();
}

void ompp_task_left(void ***handle)
{
	task_end(*handle);
}

int ompp_has_others(void)
{
	return !omp_get_num_threads || omp_get_num_threads() > 1;
}

void POMP2_Untied_task_begin(void **handle, int64_t task)
{
	task_begin(handle, 1, task, OMPP_CALLER());
}

void POMP2_Untied_task_end(void **handle)
{
	task_end(handle);
}

/* Begin and end waiting for tasks where the longest path is looked for, whatever that may need. */
static __attribute__((noinline)) void wait_long(void **handle, const char *ctc, int64_t *old_task, uintptr_t stack,
                                                uintptr_t site)
{
	const struct ompp_region_def *def;

	enter_in_task(handle, ctc, old_task, (struct ompp_caller){ stack, site });
	def = pomp2_region(handle);
	if (is_on_path(def) && def->construct == OMPP_TASKGROUP)
		ompp_task_group_begin();
}

static __attribute__((noinline)) void waited_long(void **handle, int64_t old_task, uintptr_t stack, uintptr_t site)
{
	const struct ompp_region_def *def = pomp2_region(handle);

	if (!is_on_path(def))
		def = NULL;
	if (def && def->construct == OMPP_TASKGROUP)
		ompp_task_group_left();
	leave_in_task(handle, old_task, (struct ompp_caller){ stack, site });
	if (def)
		ompp_task_wait_end(def);
}

void POMP2_Taskwait_begin(void **handle, int64_t *old_task, const char ctc[])
{
	const struct ompp_region_def *def;

	if (!ompp_frame_is_on_path()) {
		enter_in_task(handle, ctc, old_task, OMPP_CALLER());
		return;
	}
	def = usual_region(handle, 0);
	if (__builtin_expect(!def || def->construct == OMPP_TASKGROUP, 0)) {
		wait_long(handle, ctc, old_task, OMPP_STACK(), OMPP_SITE());
		return;
	}
	*old_task = 0;
	ompp_visit_enter_on_path(PART(def, REGION), OMPP_CALLER());
}

void POMP2_Taskwait_end(void **handle, int64_t old_task)
{
	const struct ompp_region_def *def;

	if (!ompp_frame_is_on_path()) {
		leave_in_task(handle, old_task, OMPP_CALLER());
		return;
	}
	def = usual_region(handle, old_task);
	if (__builtin_expect(!def || def->construct == OMPP_TASKGROUP, 0))
		waited_long(handle, old_task, OMPP_STACK(), OMPP_SITE());
	else
		ompp_task_waited_on_path(def);
}

/* User regions by pragma, on and off. */

void POMP2_Begin(void **handle, const char ctc[])
{
	pomp2_enter(handle, ctc, OMPP_PART_REGION, OMPP_CALLER());
}

void POMP2_End(void **handle)
{
	pomp2_leave(handle, OMPP_PART_REGION);
}

void POMP2_Init(void)
{
	ompp_session_start();
}

/* The report is made when the process ends, so that nothing after this call is lost. */
void POMP2_Finalize(void)
{
}

void POMP2_Off(void)
{
	ompp_session_switch(1);
}

void POMP2_On(void)
{
	ompp_session_switch(0);
}

/* Locks: as opari2 calls them, and as kinst does, with the place of the call. */
OMPP_DEFINE_LOCKS(POMP2_Init_lock, POMP2_Destroy_lock, POMP2_Set_lock, POMP2_Unset_lock, POMP2_Test_lock, omp, lock,
                  OMPP_LOCK, NULL)
OMPP_DEFINE_LOCKS(POMP2_Init_nest_lock, POMP2_Destroy_nest_lock, POMP2_Set_nest_lock, POMP2_Unset_nest_lock,
                  POMP2_Test_nest_lock, omp, nest_lock, OMPP_NEST_LOCK, NULL)

#define LOCKS_AT(kind, construct) \
	void ompp_init_##kind(const char *site, void *s) \
	{ \
		ompp_lock_init(s, site, OMPP_LOCK_FUNCTION(omp_init_##kind)); \
	} \
	void ompp_set_##kind(const char *site, void *s) \
	{ \
		ompp_lock_set(s, site, construct, OMPP_LOCK_FUNCTION(omp_set_##kind)); \
	} \
	int ompp_test_##kind(const char *site, void *s) \
	{ \
		return ompp_lock_test(s, site, construct, OMPP_LOCK_FUNCTION(omp_test_##kind)); \
	}

LOCKS_AT(lock, OMPP_LOCK)
LOCKS_AT(nest_lock, OMPP_NEST_LOCK)
