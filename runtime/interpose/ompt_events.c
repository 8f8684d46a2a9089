/*
 * OMPT events: the constructs of files that kinst did not build, by what LLVM's OpenMP library tells a tool
 * (ompt.h), which is us where nobody asks for another one (OMPP_INTERPOSE).
 *
 * A region is known by the address to which the program's call of the library returns.  Calls of files that kinst built
 * and those of ours (gomp_calls.c, where GCC's programs use this library) are measured where they are made, and left
 * out here.
 *
 * The library tells the end of a loop before it tells its barrier: the wait is a second part of the same visit, whose
 * frame is there once more.  A worker learns that its team has ended when the next one begins, or never, so the time
 * of its last barrier is limited by the end of the team (ompp_team_until).
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <unistd.h>

#include "runtime/base/array.h"
#include "runtime/base/relaxed.h"
#include "runtime/core/session.h"
#include "runtime/core/team_data.h"
#include "runtime/core/thread.h"
#include "runtime/events/arrival.h"
#include "runtime/events/task.h"
#include "runtime/events/team.h"
#include "runtime/events/visit.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/loaded.h"
#include "runtime/host/past.h"
#include "runtime/host/real.h"
#include "runtime/host/redirect.h"
#include "runtime/interpose/call_region.h"
#include "runtime/interpose/lock_wait.h"
#include "runtime/interpose/ompt.h"
#include "runtime/session/session_start.h"
#include "runtime/terms/option.h"

#ifdef PIC

/* More than the stack that the library uses between the program's call and its own of ours. */
enum { LIBRARY_STACK = 65536 };

/* The word of a task: its region's address, and these bits, which the address has not. */
enum { TASK_RUNS = 1, TASK_WAS_COUNTED = 2, TASK_BITS = 3 };

/* The word of an implicit task that we measure: no address. */
enum { IMPLICIT_TASK = 8 };

/* What this thread met last, beside ompp_call_own. */
static __thread struct {
	const struct ompp_region_def *work;     /* the construct that ended, whose barrier may follow; or NULL */
	uint64_t work_ticks;                    /* when it had begun; 0: not known */
	const struct ompp_region_def *taskloop; /* the one that is making tasks, or NULL */
	const void *taskloop_call;
	struct ompp_lock_wait wait; /* of the critical section that it is about to enter */
	uint64_t sections, blocks;  /* that it is in (ompp_call_block_begin): by mutex_wait(), by ompt_visit() */
} own __attribute__((tls_model("initial-exec")));

static uintptr_t library_lo, library_hi; /* the OpenMP library's memory; written when it starts */

static int is_library(const void *call)
{
	return (uintptr_t)call - library_lo < library_hi - library_lo;
}

/* ---- places ---- */

/* Returns whether this thread has just entered a construct by the calls that kinst puts into a program: what the
 * library tells of it then, with no address, is that construct. */
static int is_in_own(enum ompp_construct construct)
{
	const struct ompp_thread *t = ompp_self;
	const struct ompp_region_def *def = t->limit && t->top > t->base ? ompp_region_by_id(OMPP_KEY_ID(t->top->key))
	                                                                 : NULL;

	if (!def || def->is_told)
		return 0;
	return def->construct == construct || (construct == OMPP_LOOP && def->construct == OMPP_PARALLEL_LOOP) ||
	       (construct == OMPP_SECTIONS && def->construct == OMPP_PARALLEL_SECTIONS) ||
	       (construct == OMPP_MASKED && def->construct == OMPP_MASTER);
}

static __attribute__((noinline)) struct ompp_region_def *ompt_region_new(enum ompp_construct construct,
                                                                         const void *call)
{
	struct ompp_region_def *def;

	if (call ? ompp_loaded_is_own((uintptr_t)call) : is_in_own(construct))
		return NULL;
	def = ompp_call_told(construct, (uintptr_t)call);
	if (def->off)
		return NULL;
	OMPP_STORE(ompp_call_recent((uintptr_t)call), def);
	return def;
}

/* Returns the region of a call; NULL where it is not to be measured.  The library may tell no address: what ends a
 * critical section in one thread uses, and clears, the word in which the first thread has just put its own. */
static inline __attribute__((always_inline)) struct ompp_region_def *ompt_region(enum ompp_construct construct,
                                                                                 const void *call)
{
	struct ompp_region_def *def = ompp_call_known(construct, (uintptr_t)call);

	return __builtin_expect(def != NULL, 1) ? def : ompt_region_new(construct, call);
}

/* Returns the caller of an event, as other events have it: the frame of the program's function lies above ours by no
 * more than the library needs, and not above that of the region around. */
static inline struct ompp_caller ompt_above(uintptr_t stack, const void *call)
{
	uintptr_t most = ompp_self->top->stack;

	stack += LIBRARY_STACK;
	return (struct ompp_caller){ stack < most ? stack : most, (uintptr_t)call };
}
#define ABOVE(call) ompt_above(OMPP_STACK(), call)

static __attribute__((noinline)) const struct ompp_region_def *ompt_open_below(enum ompp_construct construct)
{
	const struct ompp_region_def *def = ompp_call_open(construct, construct, NULL);

	return def && def->is_told ? def : NULL;
}

/* Returns the region of the innermost visit of a construct; NULL where other events than ours began it, and end it.
 * Mostly it is what the thread entered last, and is in still. */
static inline __attribute__((always_inline)) const struct ompp_region_def *ompt_open(enum ompp_construct construct)
{
	const struct ompp_region_def *last = ompp_call_last(construct);

	return __builtin_expect(last && last->is_told, 1) ? last : ompt_open_below(construct);
}

/* The same of what is about to end, whose begin these blocks have. */
static inline __attribute__((always_inline)) const struct ompp_region_def *ompt_end(enum ompp_construct construct,
                                                                                    uint64_t *blocks)
{
	return __builtin_expect(ompp_call_block_end(blocks), 0) ? NULL : ompt_open(construct);
}

/* Enters a construct, whose region is def. */
static struct ompp_frame *ompt_enter(const struct ompp_region_def *def, struct ompp_caller caller)
{
	ompp_call_own.last = def;
	return ompp_visit_enter(ompp_region_key(def, OMPP_PART_REGION), caller);
}

static void ompt_leave(const struct ompp_region_def *def)
{
	if (def)
		ompp_visit_exit(ompp_region_key(def, OMPP_PART_REGION));
}

/* Leaves a construct, of which this thread may be in the body. */
static void ompt_leave_body(const struct ompp_region_def *def, int in_body)
{
	if (in_body)
		ompp_visit_exit_both(ompp_region_key(def, OMPP_PART_REGION), ompp_region_key(def, OMPP_PART_BODY));
	else
		ompt_leave(def);
}

/* Enters a construct, or leaves it. */
static void ompt_visit(enum ompp_construct construct, int endpoint, const void *call, struct ompp_caller caller)
{
	const struct ompp_region_def *def;

	if (endpoint == OMPP_OMPT_END) {
		ompt_leave(ompt_end(construct, &own.blocks));
		return;
	}
	def = ompt_region(construct, call);
	if (endpoint == OMPP_OMPT_BEGIN)
		ompp_call_block_begin(&own.blocks, !def);
	if (def && endpoint == OMPP_OMPT_BEGIN_END)
		ompp_visit_count(ompp_region_key(def, OMPP_PART_REGION), caller);
	else if (def)
		ompt_enter(def, caller);
}

/* ---- parallel ---- */

static void parallel_begin(struct ompp_ompt_data *task, const void *frame, struct ompp_ompt_data *team,
                           unsigned n_threads, int flags, const void *call)
{
	const struct ompp_region_def *def;

	(void)task, (void)frame;
	own.work = NULL;
	if (flags & OMPP_OMPT_LEAGUE)
		ompt_visit(OMPP_TEAMS, OMPP_OMPT_BEGIN, call, ABOVE(call));
	else if (call && (def = ompt_region(OMPP_PARALLEL, call))) /* not that of each team of a league */
		team->value = ompp_team_fork(def, (int)n_threads, ABOVE(call));
}

static void parallel_end(struct ompp_ompt_data *team, struct ompp_ompt_data *task, int flags, const void *call)
{
	(void)task;
	own.work = NULL;
	if (flags & OMPP_OMPT_LEAGUE)
		ompt_visit(OMPP_TEAMS, OMPP_OMPT_END, call, ABOVE(call));
	else if (team->value)
		ompp_team_join(ompp_team_region(team->value), team->value);
}

static void implicit_task(int endpoint, struct ompp_ompt_data *team, struct ompp_ompt_data *task, unsigned n_threads,
                          unsigned rank, int flags)
{
	(void)n_threads;
	if (!(flags & OMPP_OMPT_TASK_IMPLICIT))
		return;
	own.work = NULL;
	if (endpoint == OMPP_OMPT_BEGIN && team && team->value) {
		ompp_team_begin(ompp_team_region(team->value), team->value, rank, ABOVE(NULL));
		task->value = IMPLICIT_TASK;
	} else if (endpoint == OMPP_OMPT_END && task && task->value == IMPLICIT_TASK) {
		ompp_team_leave();
		task->value = 0;
	}
}

/* ---- barriers ---- */

/* Begins the wait at the end of the construct that this thread left last. */
static void work_barrier(struct ompp_caller caller)
{
	const struct ompp_region_def *def = own.work;
	struct ompp_frame *f = def ? ompp_visit_enter(ompp_region_key(def, OMPP_PART_REGION), caller) : NULL;
	uint64_t now;
	int is_plain;

	if (!f)
		return;
	now = f->start_ticks;
	is_plain = !f->flags && own.work_ticks;
	if (is_plain)
		OMPP_STORE(&f->start_ticks, own.work_ticks); /* the work that brought the thread here */
	ompp_barrier_enter(ompp_region_key(def, OMPP_PART_BARRIER), caller);
	if (is_plain)
		OMPP_STORE(&f->start_ticks, now);
	OMPP_OR(&f->flags, OMPP_FRAME_COUNTED);
}

/* Ends the wait that is innermost, if it is one of ours. */
static void barrier_end(int is_last)
{
	struct ompp_thread *t = ompp_self;
	uint64_t key = t->top->key;
	enum ompp_part part = OMPP_KEY_PART(key);
	const struct ompp_region_def *def;

	if (!t->limit || t->top <= t->base)
		return;
	def = part == OMPP_PART_BARRIER || part == OMPP_PART_REGION ? ompp_region_by_id(OMPP_KEY_ID(key)) : NULL;
	if (!def || !def->is_told || (part == OMPP_PART_REGION && def->construct != OMPP_BARRIER))
		return;
	if (is_last)
		ompp_barrier_exit_last(key);
	else
		ompp_barrier_exit(key);
	if (part == OMPP_PART_BARRIER && t->top > t->base && t->top->flags & OMPP_FRAME_COUNTED)
		ompp_visit_exit(t->top->key);
}

/* Begins or ends a wait in a barrier of the program's. */
static inline __attribute__((always_inline)) void barrier_explicit(int endpoint, const void *call,
                                                                   struct ompp_caller caller)
{
	const struct ompp_region_def *def;

	if (endpoint == OMPP_OMPT_END) {
		def = ompp_call_last(OMPP_BARRIER);
		if (__builtin_expect(def && def->is_told, 1))
			ompp_barrier_exit(ompp_region_key(def, OMPP_PART_REGION));
		else
			barrier_end(0);
		return;
	}
	def = ompt_region(OMPP_BARRIER, call);
	if (!def)
		return;
	ompp_call_own.last = def;
	ompp_barrier_enter(ompp_region_key(def, OMPP_PART_REGION), caller);
}

/* Begins or ends a wait of the team: at the end of a construct, or of the team itself, where workers have no place and
 * the thread that forked has that of the region. */
static void barrier(int kind, int endpoint, const struct ompp_ompt_data *team, const void *call,
                    struct ompp_caller caller)
{
	const struct ompp_region_def *def;

	if (endpoint == OMPP_OMPT_END) {
		barrier_end(!team);
		return;
	}
	def = team && team->value ? ompp_team_region(team->value) : NULL;
	if (def && kind != OMPP_OMPT_BARRIER_IMPLEMENTATION &&
	    (!call || kind == OMPP_OMPT_BARRIER_PARALLEL || ompt_region(OMPP_PARALLEL, call) == def))
		ompp_barrier_enter_last(ompp_region_key(def, OMPP_PART_BARRIER), caller);
	else if (call && !ompp_loaded_is_own((uintptr_t)call))
		work_barrier(caller);
}

static __attribute__((noinline)) void sync_region_other(int kind, int endpoint, const struct ompp_ompt_data *team,
                                                        const void *call, struct ompp_caller caller)
{
	if (kind == OMPP_OMPT_TASKWAIT)
		ompt_visit(OMPP_TASKWAIT, endpoint, call, caller);
	else if (kind == OMPP_OMPT_TASKGROUP && !is_library(call))
		ompt_visit(OMPP_TASKGROUP, endpoint, call, caller);
	else if (kind <= OMPP_OMPT_BARRIER_PARALLEL && kind != OMPP_OMPT_TASKGROUP)
		barrier(kind, endpoint, team, call, caller);
}

static void sync_region(int kind, int endpoint, struct ompp_ompt_data *team, struct ompp_ompt_data *task,
                        const void *call)
{
	(void)task;
	if ((kind == OMPP_OMPT_BARRIER || kind == OMPP_OMPT_BARRIER_EXPLICIT) && (team || endpoint == OMPP_OMPT_BEGIN))
		barrier_explicit(endpoint, call, ABOVE(call));
	else
		sync_region_other(kind, endpoint, team, call, ABOVE(call));
}

/* ---- work ---- */

/* LLVM's library tells an address of its own for a taskloop: the place is that of the taskgroup around then. */
static void taskloop(int endpoint, const void *call, struct ompp_caller caller)
{
	const struct ompp_region_def *def = NULL, *group;

	if (endpoint == OMPP_OMPT_BEGIN) {
		group = is_library(call) ? ompp_call_open(OMPP_TASKGROUP, OMPP_TASKGROUP, NULL) : NULL;
		def = ompt_region(OMPP_TASKLOOP, group ? (const void *)group->address : call);
		if (def)
			ompp_visit_enter(ompp_region_key(def, OMPP_PART_REGION), caller);
	} else
		ompt_leave(own.taskloop);
	own.taskloop = def;
	own.taskloop_call = call;
}

static enum ompp_construct work_construct(int kind)
{
	switch (kind) {
	case OMPP_OMPT_SECTIONS:
		return OMPP_SECTIONS;
	case OMPP_OMPT_SINGLE_OTHER:
		return OMPP_SINGLE;
	case OMPP_OMPT_WORKSHARE:
		return OMPP_WORKSHARE;
	case OMPP_OMPT_DISTRIBUTE:
		return OMPP_DISTRIBUTE;
	case OMPP_OMPT_SCOPE:
		return OMPP_SCOPE;
	default:
		return OMPP_LOOP;
	}
}

/* has_body: 1 where the construct's body begins at once */
static inline __attribute__((always_inline)) void work_begin(enum ompp_construct construct, int has_body,
                                                             const void *call, struct ompp_caller caller)
{
	const struct ompp_region_def *def = ompt_region(construct, call);
	const struct ompp_frame *f;

	own.work = NULL;
	if (!def)
		return;
	ompp_call_own.last = def;
	f = has_body ? ompp_visit_enter_both(ompp_region_key(def, OMPP_PART_REGION),
	                                     ompp_region_key(def, OMPP_PART_BODY), caller)
	             : ompp_visit_enter(ompp_region_key(def, OMPP_PART_REGION), caller);
	own.work_ticks = f && !f->flags ? f->start_ticks : 0;
}

static inline __attribute__((always_inline)) void work_end(enum ompp_construct construct, int has_body)
{
	const struct ompp_region_def *def = ompt_open(construct);

	own.work = NULL;
	if (!def && construct == OMPP_DISTRIBUTE) { /* some libraries end the loop of `distribute parallel for` so */
		construct = OMPP_LOOP;
		def = ompt_open(construct);
	}
	if (!def)
		return;
	ompt_leave_body(def, has_body);
	own.work = construct == OMPP_DISTRIBUTE ? NULL : def;
}

static __attribute__((noinline)) void work_other(int kind, int endpoint, const void *call, struct ompp_caller caller)
{
	if (kind == OMPP_OMPT_TASKLOOP)
		taskloop(endpoint, call, caller);
	else if (endpoint == OMPP_OMPT_BEGIN)
		work_begin(work_construct(kind), 0, call, caller);
	else
		work_end(work_construct(kind), 0);
}

static void work(int kind, int endpoint, struct ompp_ompt_data *team, struct ompp_ompt_data *task, uint64_t n,
                 const void *call)
{
	(void)team, (void)task, (void)n;
	if (kind != OMPP_OMPT_SINGLE_EXECUTOR)
		work_other(kind, endpoint, call, ABOVE(call));
	else if (endpoint == OMPP_OMPT_BEGIN)
		work_begin(OMPP_SINGLE, 1, call, ABOVE(call));
	else
		work_end(OMPP_SINGLE, 1);
}

static void masked(int endpoint, struct ompp_ompt_data *team, struct ompp_ompt_data *task, const void *call)
{
	(void)team, (void)task;
	ompt_visit(OMPP_MASKED, endpoint, call, ABOVE(call));
}

/* ---- tasks ---- */

static const struct ompp_region_def *task_region(const struct ompp_ompt_data *task)
{
	uint64_t address = task ? task->value & ~(uint64_t)TASK_BITS : 0;

	return address == IMPLICIT_TASK ? NULL : (const struct ompp_region_def *)(uintptr_t)address;
}

/* Returns the region of a taskloop where this thread runs a task that only makes a part of its tasks, which is no
 * execution of the program's; NULL elsewhere. */
static const struct ompp_region_def *taskloop_part(void)
{
	struct ompp_frame *base = ompp_self->limit ? ompp_self->base : NULL;
	const struct ompp_region_def *def;

	if (!base || !(base->flags & OMPP_FRAME_TASK))
		return NULL;
	def = ompp_region_by_id(OMPP_KEY_ID(base->key));
	if (!def || def->construct != OMPP_TASKLOOP || !def->is_told)
		return NULL;
	OMPP_OR(&base->flags, OMPP_FRAME_COUNTED);
	return def;
}

static void task_create(struct ompp_ompt_data *around, const void *frame, struct ompp_ompt_data *task, int flags,
                        int has_dependences, const void *call)
{
	const struct ompp_region_def *def = NULL;

	(void)around, (void)frame, (void)has_dependences;
	if (flags & OMPP_OMPT_TASK_TASKWAIT) {
		ompt_visit(OMPP_TASKWAIT, OMPP_OMPT_BEGIN, call, ABOVE(call));
		return;
	}
	if (!(flags & OMPP_OMPT_TASK_EXPLICIT))
		return;
	if (own.taskloop && call == own.taskloop_call)
		def = own.taskloop;
	else if (is_library(call)) {
		def = taskloop_part();
	} else if ((def = ompt_region(OMPP_TASK, call)))
		ompt_visit(OMPP_TASK, OMPP_OMPT_BEGIN_END, call, ABOVE(call));
	task->value = (uintptr_t)def;
}

/* Ends what this thread ran of a task. */
static void task_stop(struct ompp_ompt_data *task)
{
	if (!task_region(task) || !(task->value & TASK_RUNS))
		return;
	ompp_task_end(task_region(task));
	task->value = (task->value & ~(uint64_t)TASK_RUNS) | TASK_WAS_COUNTED;
}

/* Begins a task, or goes on with an untied one, which was counted where it began. */
static void task_run(struct ompp_ompt_data *task, struct ompp_caller caller)
{
	struct ompp_thread *t;

	if (!task_region(task) || task->value & TASK_RUNS)
		return;
	ompp_task_begin(task_region(task), 0, 0, caller);
	t = ompp_self;
	if (task->value & TASK_WAS_COUNTED && t->limit && t->top == t->base)
		OMPP_OR(&t->top->flags, OMPP_FRAME_COUNTED);
	task->value |= TASK_RUNS;
}

/* One task gives way to another on this thread.  A tied one that is interrupted stays below the other; an untied one
 * leaves, which is seen by what comes next: nothing that is new. */
static void task_schedule(struct ompp_ompt_data *before, int status, struct ompp_ompt_data *next)
{
	switch (status) {
	case OMPP_OMPT_TASKWAIT_COMPLETE:
		ompt_visit(OMPP_TASKWAIT, OMPP_OMPT_END, NULL, ABOVE(NULL));
		return;
	case OMPP_OMPT_EARLY_FULFILL:
	case OMPP_OMPT_LATE_FULFILL:
		return;
	case OMPP_OMPT_COMPLETE:
	case OMPP_OMPT_CANCELLED:
	case OMPP_OMPT_DETACH:
		task_stop(before);
		break;
	default:
		if (!task_region(next) || next->value & TASK_RUNS)
			task_stop(before);
	}
	task_run(next, ABOVE(NULL));
}

/* ---- what lets in one at a time ---- */

/* The lock of a critical section, by which its holder is known. */
static inline const void *mutex_lock(uint64_t lock)
{
	return (const void *)(uintptr_t)(lock & ~UINT64_C(7));
}

/* The thread waits for a section. */
static inline __attribute__((always_inline)) void mutex_wait(enum ompp_construct construct, const void *lock,
                                                             const void *call, struct ompp_caller caller)
{
	const struct ompp_region_def *def = ompt_region(construct, call);

	ompp_call_block_begin(&own.sections, !def);
	if (!def)
		return;
	ompt_enter(def, caller);
	own.wait = ompp_lock_wait_begin(def, lock);
}

/* It is let in. */
static inline __attribute__((always_inline)) void mutex_in(enum ompp_construct construct, const void *lock,
                                                           struct ompp_caller caller)
{
	const struct ompp_region_def *def = own.sections & 1 ? NULL : ompt_open(construct);

	if (!def)
		return;
	ompp_lock_wait_end(own.wait, def, lock);
	ompp_visit_enter_body(ompp_region_key(def, OMPP_PART_BODY), caller);
}

/* It has left.  The library tells it when the next one may have come in. */
static inline __attribute__((always_inline)) void mutex_out(enum ompp_construct construct, const void *lock)
{
	const struct ompp_region_def *def = ompt_end(construct, &own.sections);

	if (!def)
		return;
	ompp_lock_wait_left(def, lock);
	ompt_leave_body(def, construct != OMPP_ATOMIC);
}

/* The same of what is no critical section.  Locks are known by their calls (gomp_calls.c). */
static __attribute__((noinline)) void mutex_wait_other(int kind, const void *call, struct ompp_caller caller)
{
	if (kind == OMPP_OMPT_ORDERED || kind == OMPP_OMPT_ATOMIC)
		mutex_wait(kind == OMPP_OMPT_ORDERED ? OMPP_ORDERED : OMPP_ATOMIC, NULL, call, caller);
}

static __attribute__((noinline)) void mutex_in_other(int kind, struct ompp_caller caller)
{
	if (kind == OMPP_OMPT_ORDERED)
		mutex_in(OMPP_ORDERED, NULL, caller);
}

static __attribute__((noinline)) void mutex_out_other(int kind)
{
	if (kind == OMPP_OMPT_ORDERED || kind == OMPP_OMPT_ATOMIC)
		mutex_out(kind == OMPP_OMPT_ORDERED ? OMPP_ORDERED : OMPP_ATOMIC, NULL);
}

static void mutex_acquire(int kind, unsigned hint, unsigned how, uint64_t lock, const void *call)
{
	(void)hint, (void)how;
	if (__builtin_expect(kind == OMPP_OMPT_CRITICAL, 1))
		mutex_wait(OMPP_CRITICAL, mutex_lock(lock), call, ABOVE(call));
	else
		mutex_wait_other(kind, call, ABOVE(call));
}

static void mutex_acquired(int kind, uint64_t lock, const void *call)
{
	if (__builtin_expect(kind == OMPP_OMPT_CRITICAL, 1))
		mutex_in(OMPP_CRITICAL, mutex_lock(lock), ABOVE(call));
	else
		mutex_in_other(kind, ABOVE(call));
}

static void mutex_released(int kind, uint64_t lock, const void *call)
{
	(void)call;
	if (__builtin_expect(kind == OMPP_OMPT_CRITICAL, 1))
		mutex_out(OMPP_CRITICAL, mutex_lock(lock));
	else
		mutex_out_other(kind);
}

static void flush(struct ompp_ompt_data *thread, const void *call)
{
	(void)thread;
	ompt_visit(OMPP_FLUSH, OMPP_OMPT_BEGIN_END, call, ABOVE(call));
}

static void cancel(struct ompp_ompt_data *task, int flags, const void *call)
{
	(void)task;
	if (flags & OMPP_OMPT_CANCEL_ACTIVATED)
		ompt_visit(OMPP_CANCEL, OMPP_OMPT_BEGIN_END, call, ABOVE(call));
}

/* ---- start ---- */

static int find_library(struct dl_phdr_info *info, size_t size, void *address)
{
	(void)size;
	if (!ompp_dynamic_holds(info, (uintptr_t)address))
		return 0;
	ompp_dynamic_range(info, &library_lo, &library_hi);
	return 1;
}

static int initialize(ompp_ompt_lookup *lookup, int device, struct ompp_ompt_data *tool)
{
#define ROW(event, callback) \
	{ \
		event, (ompp_ompt_function *)(uintptr_t)(callback) \
	}
	static const struct {
		int event;
		ompp_ompt_function *callback;
	} list[] = {
		ROW(OMPP_OMPT_PARALLEL_BEGIN, parallel_begin),
		ROW(OMPP_OMPT_PARALLEL_END, parallel_end),
		ROW(OMPP_OMPT_IMPLICIT_TASK, implicit_task),
		ROW(OMPP_OMPT_TASK_CREATE, task_create),
		ROW(OMPP_OMPT_TASK_SCHEDULE, task_schedule),
		ROW(OMPP_OMPT_WORK, work),
		ROW(OMPP_OMPT_SYNC_REGION, sync_region),
		ROW(OMPP_OMPT_MASKED, masked),
		ROW(OMPP_OMPT_MUTEX_ACQUIRE, mutex_acquire),
		ROW(OMPP_OMPT_MUTEX_ACQUIRED, mutex_acquired),
		ROW(OMPP_OMPT_MUTEX_RELEASED, mutex_released),
		ROW(OMPP_OMPT_FLUSH, flush),
		ROW(OMPP_OMPT_CANCEL, cancel),
	};
#undef ROW
	ompp_ompt_set_callback *set = (ompp_ompt_set_callback *)(uintptr_t)lookup("ompt_set_callback");

	(void)device, (void)tool;
	if (!set)
		return 0;
	ompp_loaded_start();
	ompp_real_each(find_library, (void *)(uintptr_t)lookup);
	for (size_t i = 0; i < OMPP_COUNT_OF(list); i++)
		set(list[i].event, list[i].callback);
	return 1;
}

static void finalize(struct ompp_ompt_data *tool)
{
	(void)tool;
}

/* The next tool of the process; not the library's own function of this name, which would ask us. */
static int find_other(struct dl_phdr_info *info, size_t size, void *found)
{
	struct ompp_dynamic file;
	void *function;

	(void)size;
	if (ompp_dynamic_holds(info, (uintptr_t)find_other) || ompp_dynamic_of(&file, info) ||
	    ompp_dynamic_function(&file, "__kmpc_fork_call"))
		return 0;
	function = ompp_dynamic_function(&file, "ompt_start_tool");
	*(void **)found = function;
	return function != NULL;
}

struct ompp_ompt_tool *ompt_start_tool(unsigned version, const char *words)
{
	static struct ompp_ompt_tool tool = { initialize, finalize, { 0 } };
	const char *asked;
	void *other = NULL;

	if (ompp_real_each(find_other, &other))
		return ((struct ompp_ompt_tool * (*)(unsigned, const char *))(uintptr_t)other)(version, words);
	if (!ompp_session_start() || !ompp_session.options.number[OMPP_OPT_INTERPOSE])
		return NULL;
	asked = ompp_environment(ompp_session.envp ? ompp_session.envp : __environ, "OMP_TOOL_LIBRARIES");
	if ((asked && asked[0]) ||
	    (ompp_loaded_is_linked() && !ompp_redirect_has_unbuilt("__kmpc_", "__kmpc_fork_call")))
		return NULL;
	return &tool;
}

#endif
