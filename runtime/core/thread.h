/*
 * Thread: one slot for each thread that calls the runtime, with its frame stack and its call tree.
 *
 * ompp_self first points to a static cold thread whose frame stack is full.  So the cases "not started", "inside
 * ourselves" and "nested too deep" need only one predictable branch to one cold function.  Frames and tree are written
 * only by their thread.  A slot is freed when its thread ends; the next new thread reuses it with all its counts.
 *
 * A task instance is a segment of the frame stack: its base frame (part TASKEXEC) and the frames above it.  Tied tasks
 * nest; an untied instance that continues in another thread gets a new segment there (instance.h).
 */
#ifndef OMPP_CORE_THREAD_H
#define OMPP_CORE_THREAD_H

#include <stdint.h>

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/held.h"
#include "runtime/core/section.h"
#include "runtime/data/sharing.h"
#include "runtime/data/tally.h"
#include "runtime/sources/breakpoint.h"
#include "runtime/statistics/course.h"
#include "runtime/statistics/waits.h"

enum {
	OMPP_MAX_THREADS = 16384,
	OMPP_N_FRAMES = 65536, /* 4 MiB reserved per thread, touched as needed; fewer under ulimit -v */
	OMPP_LEAST_FRAMES = 512,
	OMPP_N_MIRRORS = 16, /* forking paths remembered per worker */
	OMPP_N_JUMPS = 32,   /* targets of longjmp() remembered per thread */
	OMPP_MOST_MOVED = 4, /* lines remembered between two loops that are handed over in order */
	OMPP_SIGNAL_STACK_BYTES = 128 * 1024,
	OMPP_LEAST_SIGNAL_STACK_BYTES = 32 * 1024
};

/* How far a thread has taken the samples of its processor time.  It lies in a page that the kernel wipes in children
 * that are forked without our handlers, which do not have the ring: there the count is the distance itself, 0, and
 * nothing is new. */
struct ompp_hot_look {
	uint64_t distance; /* from here to the kernel's count of bytes written into the ring; 0 without a ring */
	uint64_t taken;    /* what was counted when samples were last taken; written by the thread */
};

/* That of threads that are not sampled: nothing ever comes. */
extern struct ompp_hot_look ompp_hot_nothing __attribute__((visibility("hidden")));

enum ompp_frame_flags {
	OMPP_FRAME_FOLDED = 1,        /* the node is an ancestor's: the visit is counted, its time is not */
	OMPP_FRAME_TASK = 2,          /* base of a task instance */
	OMPP_FRAME_UNTIED = 4,        /* base of an untied instance */
	OMPP_FRAME_OFF_PATH = 8,      /* base: it began while the thread's part of the longest path was taken */
	OMPP_FRAME_TEAM = 16,         /* base of a thread's part of a team */
	OMPP_FRAME_OFF = 32,          /* entered while measuring was off: counts if it was on again before the end */
	OMPP_FRAME_INHERITED = 64,    /* opened by the parent, before fork() */
	OMPP_FRAME_TASK_VALUES = 128, /* its task_values are valid */
	OMPP_FRAME_SUSPENDED_VALUES = 256, /* base: its suspended_values are valid */
	OMPP_FRAME_BARRIER = 512,          /* `slot` is valid: others wait at this barrier, too */
	OMPP_FRAME_COUNTED = 1024, /* of an untied instance: its visit was already counted where it was suspended */
	OMPP_FRAME_CHOSEN = 2048,  /* in a storm (storm.h), and timed as part of its sample */
	OMPP_FRAME_BESIDE = 4096,  /* in a storm, and timed, but not part of its sample */
	OMPP_FRAME_LATE = 16384,   /* ends with its team, which the thread may learn much later */
	OMPP_FRAME_UNTIMED = 8192  /* in a storm, and not timed: start_ticks, task_ticks and once_before are not set */
};

struct ompp_access_sampling;
struct ompp_hardware;
struct ompp_hot;
struct ompp_instance;
struct ompp_member_uses;
struct ompp_page_uses;
struct ompp_repeat;
struct ompp_interchange;
struct ompp_relayouts;
struct ompp_reuse;
struct ompp_samples;
struct ompp_span;
struct ompp_touches;
struct ompp_team;
struct ompp_team_slot;
struct ompp_tally_room;

struct ompp_frame {
	uint64_t start_ticks;
	uint64_t key; /* what the exit must match */
	struct ompp_callnode *node;
	uint64_t task_ticks; /* time of other instances that ran inside so far */
	uintptr_t stack;     /* stack pointer at the enter; shows which frames were left by a return */
	uint32_t flags;
	uint16_t outer;     /* bases: index of the base below; the bottom has its own index */
	uint16_t team_base; /* bases: index of the innermost TEAM base at or below it, or of the bottom */
	uint64_t instance;  /* UNTIED: token of the instance (instance.h); TEAM: token of the team; others: the event's
	                       call site */
	union {
		struct ompp_team *team;      /* FORK, TEAM */
		struct ompp_team_slot *slot; /* BARRIER: the member's slot */
		uint64_t suspended_ticks;    /* TASK: the part of task_ticks that ran while this untied instance was
		                                suspended */
		uint64_t once_before;        /* others: once_ticks of the node's head, at the enter */
	};
};

/* The target of longjmp() with this buffer: visits that were opened since then are left by it. */
struct ompp_jump {
	const void *buffer; /* NULL while unused */
	uint64_t ticks;     /* when setjmp() was called; what was opened since then has a later time, or none; or the
	                     * same while measuring is off, as the clock stands then */
	uint32_t depth, n_over; /* the thread's at that time */
};

struct ompp_thread {
	struct ompp_frame *top;    /* the innermost open frame */
	struct ompp_frame *limit;  /* last usable frame; NULL in the cold thread */
	struct ompp_frame *frames; /* frames[0] is the bottom: never popped */
	struct ompp_frame *base;   /* the innermost TASK or TEAM base, or frames[0] */
	struct ompp_hot_look
		*look;            /* shows whether its processor time was sampled (hot.h); NULL only in cold threads */
	struct ompp_span *span;   /* its part of the longest path (span/span.h) as events see it; NULL while one has
	                             taken it (frame.h), and when none is looked for */
	uint64_t slice_end_ticks; /* when an event has to charge the course (course_charge.h); UINT64_MAX: never */
	struct ompp_span *kept_span; /* the same, for reports, whether it is taken or not */
	uint32_t max_depth;
	uint32_t n_over; /* enters beyond the limit whose exits are still to come */
	struct ompp_callgraph graph;
	struct ompp_course course; /* what it did when; last_ticks is 0 when it keeps none */
	/* The counterparts of task_ticks and suspended_ticks for the sources' values, indexed by [frame *
	 * ompp_metrics.n].  Used only by the thread, also for a report that it makes itself. */
	uint64_t *frame_values;     /* at the enter */
	uint64_t *task_values;      /* counts of other instances that ran inside so far */
	uint64_t *suspended_values; /* the part of task_values while this untied instance was suspended */
	uint64_t *off_values;       /* [ompp_metrics.n]: counted while measuring was off; subtracted from readings */
	uint64_t *held_values;      /* [ompp_metrics.n]: the result of each reading while measuring is off */
	uint32_t n_switches;        /* ompp_session.n_switches at the last reading */
	void *source_state;
	struct {
		const struct ompp_callnode *theirs;
		struct ompp_callnode *ours;
	} mirrors[OMPP_N_MIRRORS];
	struct ompp_cpu_state cpu;
	struct ompp_team *free_teams;         /* free teams of this forking thread, linked by team->next */
	struct ompp_instance *free_instances; /* free records of untied instances, linked by next_free */
	struct ompp_instance *spare_instance; /* a record without an index so far, or NULL */
	uint32_t slot;                        /* index in ompp_threads */
	uint32_t n_frames;                    /* OMPP_N_FRAMES, or fewer where address space is scarce */
	uint32_t host;                        /* number among the host threads; 0 when it is not one */
	int lacks_models; /* 1 when there was no memory for a model of its accesses: none is asked for any more */
	void *signal_stack;
	size_t signal_stack_bytes;
	struct ompp_jump jumps[OMPP_N_JUMPS];
	/* for counting accesses; used only by the thread, except *tally */
	struct ompp_callnode *team_node;    /* node of the team entered last; the compiler's own accesses outside of it
	                                       (reductions) are counted there */
	struct ompp_tally **tally;          /* the thread's ompp_access_tally; NULL while no thread runs in the slot */
	struct ompp_tally_room *tally_room; /* room for its next tallies, or NULL */
	void *cache;                        /* its part of the cache model, or NULL */
	struct ompp_front *front;           /* its fronts, for hooks (data/front.h), or NULL */
	struct ompp_reuse *reuse;           /* its distances between accesses to a line (data/reuse.h), or NULL */
	struct ompp_relayouts *relayouts;   /* its models of other layouts (access_relayout.h), or NULL */
	struct ompp_interchange *interchange; /* its models of loops in other orders, or NULL */
	struct ompp_repeat *repeat;           /* its repeated loops (access_repeat.h), or NULL */
	uint64_t n_moved; /* accesses that moved lines in the cache model since the last loop handed over in order */
	uintptr_t moved[OMPP_MOST_MOVED]; /* the lines of the first ones */
	uintptr_t last_page;              /* the page of its latest store, for the cache model (data/first.h) */
	struct ompp_breakpoints breakpoints;
	struct ompp_follow follow;
	struct ompp_access_sampling *sampling; /* for samples by hooks; NULL before the first */
	struct ompp_touches *touches;          /* its page faults; NULL when they are not recorded (touch.h) */
	struct ompp_hardware *hardware;        /* the processor's samples; NULL when it does not sample (hardware.h) */
	struct ompp_hot *hot;                  /* samples of its processor time; NULL before the first (hot.h) */
	struct ompp_samples *samples;          /* samples of its accesses; NULL before the first (sample.h) */
	struct ompp_member_uses *member_uses;  /* the members that it accesses; NULL before the first (member_use.h) */
	struct ompp_page_uses *page_uses;      /* the pages that it uses; NULL before the first (page_use.h) */
	int stack_named;                       /* 1 when its stack is named, or cannot be found */
	uintptr_t stack_lo, stack_hi;          /* both 0 when unknown */
	uint64_t stack_range;
	struct ompp_thread_sections sections; /* its thread-local storage in the files */
	/* counts of losses, added to the notes when a report is made */
	uint64_t n_left, n_stray, n_over_total, n_negative, n_no_handle, n_folded;
	struct ompp_thread *next_free;
	struct ompp_sharing sharing; /* its ways are used by all slow paths; most threads never touch it */
};

extern __thread struct ompp_thread *ompp_self __attribute__((tls_model("initial-exec")));

/* The node of a frame.  Its thread alone sets it; a report in another one reads it, and what the node had when it was
 * set. */
static inline void ompp_frame_set_node(struct ompp_frame *f, struct ompp_callnode *node)
{
	__atomic_store_n(&f->node, node, __ATOMIC_RELEASE);
}

static inline struct ompp_callnode *ompp_frame_node(const struct ompp_frame *f)
{
	return __atomic_load_n(&f->node, __ATOMIC_ACQUIRE);
}

/* The call site of an event: the caller's stack pointer, up to a constant, and the return address.  We do not use the
 * frame address for the stack pointer: that would need a frame pointer, and on ARM it is the lower end of our own
 * frame, whose size differs between functions. */
struct ompp_caller {
	uintptr_t stack, site;
};
#ifndef __clang__
#define OMPP_STACK() ((uintptr_t)__builtin_dwarf_cfa())
#else
#define OMPP_STACK() ((uintptr_t)__builtin_frame_address(0))
#endif
#define OMPP_SITE()   ((uintptr_t)__builtin_return_address(0))
#define OMPP_CALLER() ((struct ompp_caller){ OMPP_STACK(), OMPP_SITE() })

/* All slots.  The report reads them; ompp_thread_start adds to them under a lock. */
extern struct ompp_thread *ompp_threads[OMPP_MAX_THREADS];
extern _Atomic uint32_t ompp_n_threads;

/* The slot of all threads that are not started yet: its frame stack is full. */
extern struct ompp_thread ompp_cold_thread __attribute__((visibility("hidden")));
#define OMPP_BOTTOM_KEY (UINT64_MAX - 2) /* key of frames[0], which matches no exit */

/* Called when the innermost node changes, in the modes OMPP_MODE_BOUNDARIES, so that accesses so far are counted for
 * the old node.  Set once, at the session's start. */
extern void (*ompp_thread_boundary)(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* Called after it has changed, in OMPP_MODE_EMULATED, so that the new node gets a tally.  Set once, too. */
extern void (*ompp_thread_entered)(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* The same as ompp_thread_boundary for a trace (collect/trace.h), in OMPP_MODE_TRACE. */
extern void (*ompp_trace_boundary)(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* Returns the kernel's count for a look. */
static inline uint64_t ompp_hot_count(const struct ompp_hot_look *look)
{
	return OMPP_LOAD((const uint64_t *)((uintptr_t)look + (uintptr_t)OMPP_LOAD(&look->distance)));
}

/* Returns 1 when samples of the thread's processor time have come, which all belong to the innermost node still.  HOT:
 * 5 instructions. */
static inline int ompp_thread_is_sampled(const struct ompp_thread *t)
{
	const struct ompp_hot_look *look = t->look;

	return __builtin_expect(ompp_hot_count(look) != look->taken, 0);
}

/* Returns the token of the running instance if it is untied, else 0. */
static inline uint64_t ompp_thread_instance(const struct ompp_thread *t)
{
	const struct ompp_frame *base = OMPP_LOAD(&t->base);

	return __builtin_expect(base->flags & OMPP_FRAME_UNTIED, 0) ? base->instance : 0;
}

/* Makes the frame, which is on top, the innermost base, when all else of it is filled in.  A base is always an open
 * frame, as a signal handler's instance may begin and end in between. team_base: the index of the innermost TEAM base
 * then */
static inline void ompp_thread_enter_base(struct ompp_thread *t, struct ompp_frame *f, uint16_t team_base)
{
	ompp_assert(f > t->base && f <= t->top && t->base >= t->frames && f - t->frames <= UINT16_MAX);
	f->outer = (uint16_t)(t->base - t->frames);
	f->team_base = team_base;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->base, f);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Makes the enclosing base the innermost one, just before the present one is popped: at each moment it is an open
 * frame. */
void ompp_thread_leave_base(struct ompp_thread *t);

/* Checks that the bases lead from one to the next, down to the bottom, and are open (base/check.h).  By the thread
 * itself, between two events, or in a signal handler. */
#ifdef OMPP_DEBUG
void ompp_frames_check(const struct ompp_thread *t);
#else
#define ompp_frames_check(t) ((void)(t))
#endif

/* Returns the thread's current node. */
static inline struct ompp_callnode *ompp_thread_node(const struct ompp_thread *t)
{
	struct ompp_callnode *node = OMPP_LOAD(&OMPP_LOAD(&t->top)->node), *team_node = OMPP_LOAD(&t->team_node);

	return node == t->graph.root && team_node ? team_node : node;
}

/* Returns the TEAM base that encloses this base, or the bottom frame. */
static inline struct ompp_frame *ompp_team_base(const struct ompp_thread *t, const struct ompp_frame *base)
{
	return t->frames + base->team_base;
}

#endif
