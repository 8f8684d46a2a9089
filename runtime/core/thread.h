/*
 * Thread: one slot for each thread that meets the runtime: its frame stack and its call tree.
 *
 * ompp_self starts at a static cold thread whose frame stack is full, so "not started", "inside ourselves" and
 * "nested too deep" are one predictable branch to one cold function.  Frames and tree are written by their thread
 * alone.  A slot is given back when its thread ends and taken over, counts and all, by the next new thread.
 *
 * A task instance is a segment of the frame stack: its base frame (part TASKEXEC) and the frames above it.  Tied
 * tasks nest; an untied instance that goes on in another thread has its segment copied there (task.c).
 */
#ifndef OMPP_CORE_THREAD_H
#define OMPP_CORE_THREAD_H

#include <stdint.h>

#include "runtime/base/clock.h"
#include "runtime/base/mode.h"
#include "runtime/core/access.h"
#include "runtime/core/arrival.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/follow.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/data/sharing.h"
#include "runtime/sources/breakpoint.h"
#include "runtime/sources/source.h"

enum {
	OMPP_MAX_THREADS = 16384,
	OMPP_N_FRAMES = 65536,                  /* 4 MiB reserved per thread, touched as needed; fewer under ulimit -v */
	OMPP_LEAST_FRAMES = 512,
	OMPP_N_MIRRORS = 16,                    /* forking paths remembered per worker */
	OMPP_N_JUMPS = 32,                      /* targets of longjmp() remembered per thread */
	OMPP_SIGNAL_STACK_BYTES = 128 * 1024, OMPP_LEAST_SIGNAL_STACK_BYTES = 32 * 1024
};

enum ompp_frame_flags {
	OMPP_FRAME_FOLDED = 1,                  /* the node is an ancestor's: count the visit, not its time */
	OMPP_FRAME_TASK = 2,                    /* base of a task instance */
	OMPP_FRAME_UNTIED = 4,                  /* base of an untied instance */
	OMPP_FRAME_MOVED = 8,                   /* base: the instance went on in another thread; drop the segment */
	OMPP_FRAME_TEAM = 16,                   /* base of a thread's part of a team */
	OMPP_FRAME_OFF = 32,                    /* entered while switched off: counts if the clock went on before its end */
	OMPP_FRAME_INHERITED = 64,              /* opened by the parent, before fork() */
	OMPP_FRAME_TASK_VALUES = 128,           /* it has task_values: no others are valid */
	OMPP_FRAME_SUSPENDED_VALUES = 256,      /* base: it has suspended_values */
	OMPP_FRAME_BARRIER = 512                /* the member's slot is in it: others wait at this barrier, too */
};

struct ompp_team;
struct ompp_team_slot;

struct ompp_frame {
	uint64_t              start_ticks;
	uint64_t              key;              /* what the exit must match */
	struct ompp_callnode *node;
	uint64_t              task_ticks;       /* other instances that ran inside, so far */
	uintptr_t             stack;            /* stack pointer of the enter: shows frames left by return */
	uint32_t              flags;
	uint16_t              outer;            /* bases: index of the base below; of the bottom, its own */
	uint16_t              team_base;        /* bases: index of the innermost TEAM base at or below it, or of the bottom */
	uint64_t              instance;         /* UNTIED: token of the instance; TEAM: the team's; else the event's site */
	union {
		struct ompp_team *team;         /* FORK, TEAM */
		struct ompp_team_slot *slot;    /* BARRIER: the member's */
		uint64_t suspended_ticks;       /* TASK: of task_ticks, what ran while this untied instance was suspended */
		uint64_t once_before;           /* others: once_ticks of the node's head, at the enter */
	};
};

/* Where longjmp() with this buffer leads: what was opened since is left. */
struct ompp_jump {
	const void *buffer;                     /* NULL: none */
	uint64_t    ticks;                      /* when setjmp() was called, */
	uint32_t    depth, n_over;              /* and how deep the thread was */
};

struct ompp_thread {
	struct ompp_frame *top;                 /* the innermost open frame */
	struct ompp_frame *limit;               /* last usable frame; NULL in the cold thread */
	struct ompp_frame *frames;              /* frames[0] is the bottom: never popped */
	struct ompp_frame *base;                /* innermost TASK or TEAM base, else frames[0] */
	uint64_t           instance;            /* token of the running instance when it is untied, else 0 */
	uint32_t           max_depth;
	uint32_t           n_over;              /* enters beyond the limit that still wait for their exits */
	struct ompp_callgraph graph;
	/* [frame * ompp_metrics.n], of the sources' values what task_ticks and suspended_ticks are of the clock; by the
	 * thread alone, and by the report that it makes itself */
	uint64_t          *frame_values;        /* at the enter */
	uint64_t          *task_values;         /* of other instances that ran inside, so far */
	uint64_t          *suspended_values;    /* of them, what ran while this untied instance was suspended */
	uint64_t          *off_values;          /* [ompp_metrics.n]: counted while measuring was off; taken out of readings */
	uint64_t          *held_values;         /* [ompp_metrics.n]: what readings are while it is off */
	uint32_t           n_switches;          /* ompp_session.n_switches at the last reading */
	void              *source_state;
	struct { const struct ompp_callnode *theirs; struct ompp_callnode *ours; } mirrors[OMPP_N_MIRRORS];
	struct ompp_cpu_state cpu;
	struct ompp_team  *free_teams;          /* of this forking thread, linked by team->next */
	uint32_t           slot;                /* index in ompp_threads */
	uint32_t           n_frames;            /* OMPP_N_FRAMES, or fewer where address space is scarce */
	uint32_t           host;                /* number among the host threads, 0: not one so far */
	uint32_t           n_instances;         /* for task tokens */
	void              *signal_stack;
	size_t             signal_stack_bytes;
	struct ompp_jump   jumps[OMPP_N_JUMPS];
	/* accesses; by the thread, but for *tally */
	struct ompp_callnode *team_node;        /* of the team entered last: what the member does outside of it, the
	                                           compiler does for it (reductions) */
	struct ompp_tally **tally;              /* the thread's ompp_access_tally; NULL: not running */
	const struct ompp_segment *ways[OMPP_WAYS];     /* as a tally's, for the cache model and OMPP_SHARING */
	void              *cache;               /* its part of the cache model, or NULL */
	uintptr_t          last_page;           /* that it stored to last, for the cache model (data/first.h) */
	struct ompp_sharing sharing;
	struct ompp_breakpoints breakpoints;
	struct ompp_follow follow;
	int                stack_named;         /* 1: its stack is known, or cannot be */
	uintptr_t          stack_lo, stack_hi;  /* 0, 0: unknown */
	uint64_t           stack_range;
	/* losses, handed to the notes when a report is made */
	uint64_t           n_left, n_stray, n_over_total, n_negative, n_no_handle, n_folded;
	struct ompp_thread *next_free;
};

extern __thread struct ompp_thread *ompp_self __attribute__((tls_model("initial-exec")));

/* Where an event comes from: the caller's stack pointer, up to a constant, and the return address of the call.  The frame
 * address would need a frame pointer; and that of ARM is the lower end of our own frame, which is not as large in each
 * function. */
struct ompp_where { uintptr_t stack, site; };
#ifndef __clang__
#define OMPP_STACK() ((uintptr_t)__builtin_dwarf_cfa())
#else
#define OMPP_STACK() ((uintptr_t)__builtin_frame_address(0))
#endif
#define OMPP_WHERE() ((struct ompp_where){ OMPP_STACK(), (uintptr_t)__builtin_return_address(0) })

/* Slots: read by the report; grown by ompp_thread_start under a lock. */
extern struct ompp_thread *ompp_threads[OMPP_MAX_THREADS];
extern _Atomic uint32_t ompp_n_threads;

/* The thread's slot, started if need be; NULL while one is being started, or when none can be had.  COLD.
 * host 1: a thread of the program; 0: a member of a team, its host is the forking thread's. */
struct ompp_thread *ompp_thread_start(int host);

/* The current thread as a host, with a number and a root below which its nodes are. */
void ompp_thread_become_host(struct ompp_thread *t);

/* In a forked child: forget what the parent measured; only the calling thread is left. */
void ompp_threads_after_fork(void);

/* base was popped or is about to be: the enclosing one becomes the base. */
void ompp_thread_leave_base(struct ompp_thread *t);

/* The frame of the team in which this base is, or the bottom. */
static inline struct ompp_frame *ompp_team_base(const struct ompp_thread *t, const struct ompp_frame *base)
{
	return t->frames + base->team_base;
}

/* COLD parts of the functions below. */
struct ompp_frame *ompp_enter_cold(uint64_t key, struct ompp_where where);
void ompp_exit_cold(struct ompp_thread *t, uint64_t key, uint64_t now);
void ompp_thread_unwind(struct ompp_thread *t, struct ompp_frame *to, uint64_t now);
void ompp_unwind_left(struct ompp_thread *t, uint64_t key, struct ompp_where where);
void ompp_unwind_again(struct ompp_thread *t, uint64_t key, struct ompp_where where);
void ompp_values_enter(struct ompp_thread *t, struct ompp_frame *f);
void ompp_values_exit(struct ompp_thread *t, struct ompp_frame *f);
void ompp_values_folded(struct ompp_thread *t, struct ompp_frame *f);

/* Read the sources, less what they counted while measuring was off.  A thread finds out that it was switched when it reads:
 * only the one that switches it reads at that time, by ompp_values_switch(). */
void ompp_values_read(struct ompp_thread *t, uint64_t *values);
void ompp_values_switch(struct ompp_thread *t);

/* Of a task's base: its values go to the node up to the enter of the top frame, where it was suspended.  Then, or after
 * its exit, frame_values of the base are what it counted, less suspended_values. */
void ompp_values_suspend(struct ompp_thread *t, struct ompp_frame *base);

/* What the instance at f counted was not counted by this frame; or not by this suspended base. */
void ompp_values_charge(struct ompp_thread *t, struct ompp_frame *under, const struct ompp_frame *f);
void ompp_values_charge_base(struct ompp_thread *t, struct ompp_frame *base, const struct ompp_frame *f);
void ompp_pop_flagged(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed);

/* The time of a visit goes to its node. */
void ompp_frame_time(const struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed);

/* The innermost frame changes, and with it where accesses are counted. */
static inline void ompp_set_top(struct ompp_thread *t, struct ompp_frame *f)
{
	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES, 0))
		ompp_access_boundary(t);
	OMPP_STORE(&t->top, f);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&ompp_access_tally, OMPP_LOAD(&OMPP_LOAD(&f->node)->tally));
}

/* A report reads top, and a frame's node, key, start, flags, instance and ticks, while their thread runs: relaxed stores. */

/* Push a frame for the child of `parent` that the tree answered.  The start time is the caller's to set, last. */
static inline struct ompp_frame *ompp_push(struct ompp_thread *t, const struct ompp_callnode *parent,
                                           struct ompp_callnode *node, uint64_t key, struct ompp_where where)
{
	struct ompp_frame *f = t->top + 1;

	/* A signal handler's events use the frames above top: fill the node before the frame is visible, and again
	 * after, so that a handler in between finds a node and cannot leave its own. */
	OMPP_STORE(&f->node, node);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ompp_set_top(t, f);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&f->node, node);
	OMPP_STORE(&f->key, key);
	f->stack = where.stack;
	OMPP_STORE(&f->instance, where.site);
	OMPP_STORE(&f->task_ticks, 0);
	OMPP_STORE(&f->once_before, node->head->once_ticks);
	OMPP_STORE(&f->flags, __builtin_expect(node->parent != parent, 0) ? OMPP_FRAME_FOLDED : 0u);
	if (__builtin_expect(ompp_metrics.n != 0, 0))
		ompp_values_enter(t, f);
	return f;
}

/* Has the frame once_before?  Forks, bases and barriers never lie in themselves. */
static inline int ompp_frame_has_once(const struct ompp_frame *f)
{
	return !(OMPP_LOAD(&f->flags) & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM | OMPP_FRAME_BARRIER)) &&
	       OMPP_KEY_PART(OMPP_LOAD(&f->key)) != OMPP_PART_FORK;
}

/* Was this open frame left without its exit, seen from an event at `where`?  Its function has returned, or the same
 * instruction enters the same region again (an inlined recursion enters from another copy of it). */
static inline int ompp_frame_is_left(const struct ompp_frame *f, uint64_t key, struct ompp_where where)
{
	return f->stack < where.stack || (f->stack == where.stack && f->key == key && f->instance == where.site &&
	                                  !(f->flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM)));
}

/* Open (region, part) below the innermost frame; the frame, or NULL when nothing may be measured. */
static inline struct ompp_frame *ompp_enter(uint64_t key, struct ompp_where where)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *top = t->top, *f;
	struct ompp_callnode *parent;

	if (__builtin_expect(top >= t->limit, 0) || __builtin_expect(OMPP_LOAD(&ompp_session.off), 0))
		return ompp_enter_cold(key, where);
	if (__builtin_expect(top->stack < where.stack, 0) ||
	    (__builtin_expect(top->key == key, 0) && ompp_frame_is_left(top, key, where))) {
		ompp_unwind_left(t, key, where);
		top = t->top;
	}
	if (__builtin_expect(!ompp_callgraph_knows(&t->graph, top->node, key), 0))
		ompp_unwind_again(t, key, where);
	parent = t->top->node;
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, where);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	return f;
}

/* A visit of a frame's node ends. */
static inline void ompp_frame_count(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed)
{
	OMPP_ADD(&f->node->n, 1);
	ompp_frame_time(t, f, elapsed);
	if (__builtin_expect(ompp_metrics.n != 0, 0))
		ompp_values_exit(t, f);
}

/* Take the innermost frame off: its visit and its time go to its node. */
static inline uint64_t ompp_pop(struct ompp_thread *t, struct ompp_frame *f, uint64_t now)
{
	uint64_t elapsed = now - f->start_ticks;

	if (__builtin_expect((int64_t)elapsed < 0, 0)) {
		elapsed = 0;
		OMPP_ADD(&t->n_negative, 1);
	}
	if (__builtin_expect(f->flags & (OMPP_FRAME_FOLDED | OMPP_FRAME_OFF), 0))
		ompp_pop_flagged(t, f, elapsed);
	else
		ompp_frame_count(t, f, elapsed);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ompp_set_top(t, f - 1);
	return elapsed;
}

#endif
