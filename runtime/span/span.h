/*
 * Span: the work of the run and its longest path, found while the program runs, without a trace.
 *
 * The work is the time that threads spend in the program's own code; the span is the longest chain of it in which each
 * part had to wait for the one before (Cormen, Leiserson, Rivest and Stein, chapter 26; He, Leiserson and Leiserson:
 * The Cilkview scalability analyzer, SPAA 2010).  Each live task has a record with the longest path from the start of
 * the run to where it is.  A stretch of its own code makes it longer.  A task that is created begins with the path of
 * its creator at that moment; what waits for others goes on with the longest path of all that it waited for: taskwait
 * for the children, a taskgroup for all tasks created in it, a barrier for all threads and tasks of the team.
 *
 * Beside the path, whose places are kept (longest.h), each record has two further lengths, each of which is the longest
 * of its own kind: the burdened one, in which creating and starting tasks and teams and leaving waits take the time
 * that they took, and the fixed one, in which iterations of loops take none, as they could be divided further.
 *
 * A record belongs to the thread that runs its task.  Others read its path after its end, and hand it their own; those
 * hand-overs are atomic, and all else is written by one thread at a time, as the OpenMP library orders it.  Records are
 * counted references: of the task itself, of its live children, and of those that keep it as the longest so far.
 */
#ifndef OMPP_SPAN_SPAN_H
#define OMPP_SPAN_SPAN_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/check.h"
#include "runtime/span/longest.h"
#include "runtime/span/strand.h"

struct ompp_span;
struct ompp_span_addresses;
struct ompp_prediction;
struct ompp_predictor;
struct ompp_stealing;
struct ompp_span_team_variants;
struct ompp_span_variants;
struct ompp_variant_clock;

/* A place is a number above 0 (place.h), shifted by OMPP_PLACE_SHIFT, with these flags.  0 is one that is not known
 * yet. */
enum {
	OMPP_PLACE_WAITS = 1, /* time there is no work: waiting, and managing tasks and teams */
	OMPP_PLACE_LOOP = 2,  /* iterations of a loop, which could be divided further */
	OMPP_PLACE_OWN = 4,   /* with LOOP: code that each thread of a team executes, which may divide work by itself */
	OMPP_PLACE_LOCKED = 8,  /* one thread is there at a time */
	OMPP_PLACE_NESTED = 16, /* all in a team whose fork is in a loop or own code: what is in it is as its fork */
	OMPP_PLACE_GUIDED = 32, /* with LOOP: its chunks are as long as what is left of it allows */
	OMPP_PLACE_MAKES = 64,  /* beside WAITS: creating tasks, which keeps the thread busy */
	OMPP_PLACE_ANY =
		128, /* with LOOP: schedule(runtime), so its chunks may be parts that could be divided further */
	OMPP_PLACE_SHIFT = 8
};

enum ompp_span_flags {
	OMPP_SPAN_UNDEFERRED = 1, /* the creator waits for the task's end */
	OMPP_SPAN_FINAL = 2,      /* all tasks created in it are undeferred */
	OMPP_SPAN_GROUPED = 4,    /* of a taskloop and its iterations: it waits for its tasks */
	OMPP_SPAN_ITERATION = 8,  /* of a taskloop: the loop's record has a reference of the creator for all of them */
	OMPP_SPAN_OTHER = 16      /* something else is unusual: whatever has no flags is a task of which group, groups,
	                             items, addresses and chunk are NULL, and which is not closed */
};

/* The longest of what has ended and somebody waits for.  The lengths are from the start of the run. */
struct ompp_span_join {
	struct ompp_span_task *mine; /* of those that ended in the thread of the one that waits; only that
	                                thread uses it */
	uint64_t my_burdened_ticks, my_fixed_ticks;          /* the same; they mean nothing while mine is NULL */
	struct ompp_span_task *_Atomic others;               /* of all others */
	_Atomic uint64_t ticks, burdened_ticks, fixed_ticks; /* the lengths of these */
	_Atomic uint64_t end_ticks;                          /* when the last of them ended */
};

enum { OMPP_SPAN_ITEMS = 6 };

/* The dependences of a task: for each item the cells of the epoch before its own, or NULL, and of its own. */
struct ompp_span_items {
	struct ompp_span_task *before[OMPP_SPAN_ITEMS], *own[OMPP_SPAN_ITEMS];
};

/* What most events of tasks need comes first, in four cache lines: of these a creation writes two. */
struct ompp_span_task {
	union {
		struct ompp_longest path;
		struct ompp_span_items cells; /* of a record of dependences: n_refs of them */
	};
	uint64_t burden_ticks;         /* the burdened length is path.ticks + burden_ticks */
	uint64_t loose_ticks;          /* the fixed length is path.ticks - loose_ticks */
	uint64_t ready_ticks;          /* when it was created; after its end, when that was */
	struct ompp_span_task *parent; /* the creator; or NULL */

	struct ompp_span *runs_in; /* the thread that runs it alone; NULL if it may move; undefined before its begin */
	uint64_t start_path_ticks; /* the path's length at the begin */
	uint64_t own_from_ticks;   /* start_path_ticks and all ticks that joins added from other tasks: the path's ticks
	                              less this are the task's own work on the path */
	uint64_t strand_ticks;     /* the path's length at the begin of the current strand */
	union {
		struct ompp_span_task *next;  /* free: in a list */
		struct ompp_span_task *outer; /* of a thread's part of a team: that of the team around it */
	};
	struct ompp_span *home; /* the thread from whose memory it is */
	uint32_t n_refs;        /* references less those that others gave back, while it runs */
	_Atomic int32_t
		n_shared;        /* while it runs: minus the references that others gave back; then all that are left */
	_Atomic uint32_t number; /* that it has among strands (strand.h); 0 while it has none */
	uint8_t flags;
	_Atomic uint8_t has_long_kids; /* a child since the last taskwait has a number */
	_Atomic uint8_t is_closed;     /* it waits for nothing any more, or at a barrier: what ends goes further up */

	struct ompp_span_join kids; /* of the children since the last taskwait; of a taskgroup: of its tasks */

	struct ompp_span_task *group; /* the innermost taskgroup at the creation; or NULL */
	struct ompp_span_task
		*groups; /* the innermost taskgroup that it has open, or that of its creation; of a taskgroup:
	            a record for the children of its own task, as a taskwait in it waits for these */
	struct ompp_strands *strands; /* of a thread's part of a team: those that take what it does; or NULL */
	uint64_t work_before;         /* of a part of a team: the thread's work at its begin */
	struct ompp_span_team *team;  /* of a part of a team; NULL for a host thread's */
	struct ompp_span_task *items; /* records of its dependences, linked by `items`; NULL when it has none */
	struct ompp_span_addresses *addresses; /* those of its children; NULL when there are none */
	struct ompp_span_variants *variants;   /* its clocks (span_variant.h); NULL before the first */
	int64_t *chunk;      /* of an iteration of a taskloop: how long the path of its task is, else NULL */
	uint32_t n_barriers; /* of a part of a team: how many it has left */
} __attribute__((aligned(64)));

/* One thread's part.  Its thread alone writes it; others push records that they free to `returned`, and reports read
 * work and counts. */
struct ompp_span {
	struct ompp_span_task *
		*at;         /* the running task, in the stack of those that it interrupted; *at is NULL for none */
	uint64_t last_ticks; /* when the current stretch began */
	uint64_t idle_ticks; /* the length of the stretch before it, if that was no work, else 0; valid right after
	                        ompp_span_stretch() alone, as quick events (span_usual.h) hand on their own */
	int64_t left_events; /* those of work before the thread looks what the path has cost (span_limit.h) */
	uint64_t *work;      /* by the number of the place; n_work of them */
	uint32_t n_work;
	uint64_t work_ticks;              /* of the thread, and of the teams that it forked */
	struct ompp_variant_clock *clock; /* how far the run would be with one change; NULL before the first */
	struct ompp_span_task *free;
	struct ompp_span_task **stack;
	uint32_t room, n_over;              /* of the stack; and begins for which it had no room */
	struct ompp_span_task *member;      /* its part of the innermost team, or of the serial program */
	struct ompp_strands *strands;       /* those of `member` */
	struct ompp_strands *own_strands;   /* the thread's memory for them; NULL before its first team */
	struct ompp_predictor *predictor;   /* of the teams that it forks; NULL before the first */
	struct ompp_stealing *stealing;     /* of loops whose end it finds in a variant; NULL before the first */
	uint64_t team_ticks, predict_ticks; /* of these: from fork to join, and what predictions took */
	uint64_t create_ticks;              /* how long it takes to create a task: a mean that forgets */
	struct ompp_span_task *loops;       /* the taskloops that it is in, from the innermost */
	struct ompp_span_task *templates;   /* of taskloops whose end nobody awaits, until the next barrier */
	struct ompp_span_addresses *tables; /* free ones */
	struct ompp_span_variants *spare;   /* n_spare of them, for further records */
	uint32_t n_spare;
	size_t left_bytes;                /* for further records */
	uint64_t begin_ticks, cost_ticks; /* since when events count, and what those took more that were looked at */
	int64_t begin_ns, begin_cpu_ns; /* the clock and the thread's processor time then; 0 where they are not told */
	uint64_t n_created, n_unknown, n_lost, n_unseen; /* tasks created; begun without a creator; without a record;
	                                                    with dependences that were not seen */
	struct ompp_span *shown; /* itself; NULL where the thread does no more on the path (ompp_frame_show_span()) */
	struct ompp_span_task *_Atomic returned; /* apart from what the thread itself writes at each event */
};

/* What a team shares. */
struct ompp_span_team {
	struct ompp_span_task *start;         /* the path up to the fork */
	struct ompp_span_join joins[2];       /* of its barriers, by their number modulo 2 */
	_Atomic uint64_t work_ticks;          /* of the members, with their tasks and inner teams */
	uint64_t fork_ticks, own_ticks;       /* the fork; the part of work_ticks that is the forking thread's */
	struct ompp_strands *_Atomic strands; /* those of members that have ended */
	_Atomic uint32_t n_members, n_unseen; /* members that began, and those of which nothing was kept */
	uint32_t is_outermost; /* it was forked in no team: times with other numbers of threads are found */
	struct ompp_span_team_variants *variants; /* its clocks; NULL before the first */
};

/* Sums of what a region or the tasks of a construct took; written by the owner of the node. */
struct ompp_span_sum {
	uint64_t n, work_ticks; /* of regions: the work in them */
	uint64_t span_ticks, most_span_ticks, burdened_ticks, fixed_ticks;
	uint64_t most_own_ticks;            /* of tasks: without what they waited for */
	struct ompp_prediction *prediction; /* of outermost regions; NULL before the first */
};

/* The part of a stretch that is the profiler's own cost, in ticks; written when costs are measured. */
extern uint64_t ompp_span_cost_ticks __attribute__((visibility("hidden")));

/* Makes a thread's part, whose records take at most limit_bytes.  Returns NULL without memory.  COLD. */
struct ompp_span *ompp_span_new(size_t limit_bytes);

/* Lets a part be another thread's.  What was measured stays. */
void ompp_span_reset(struct ompp_span *s);

/* Ends the thread's part for good, as a handler jumped out of an event that was changing its part, or the path still
 * has what has ended: one task more counts as lost.  COLD. */
void ompp_span_break(struct ompp_span *s);

/* Makes a part for the next thread in place of one that was left in the middle of a change, whose records are not used
 * again.  What was measured stays.  Returns NULL without memory; then the old one has no further use.  COLD. */
struct ompp_span *ompp_span_renew(struct ompp_span *old);

/* Forgets in a forked child what was measured before: the paths of its running tasks begin now. */
void ompp_span_after_fork(struct ompp_span *s, uint64_t now);

/* Begins the time of a host thread, whose code is in no team.  COLD. */
void ompp_span_host(struct ompp_span *s, uint64_t now);

/* Looks at a stretch that could be divided further, or where one thread is at a time.  COLD. */
void ompp_span_divided(struct ompp_span *s, struct ompp_span_task *task, uint32_t place, uint64_t ticks);
/* Adds a stretch to the thread's clock, which is not NULL: of work at a place, and of creating tasks. */
void ompp_span_variants_work(struct ompp_span *s, uint32_t place, uint64_t ticks);
void ompp_span_variants_make(struct ompp_span *s, uint64_t ticks);

/* Ends the current stretch, which was at a place, and begins the next one, whatever that may need.  COLD. */
void ompp_span_stretch_long(struct ompp_span *s, uint32_t place, uint64_t now);

/* Looks what the path has cost the thread; where that is too much, it is over (span_limit.h).  COLD: each 1,024 events.
 */
void ompp_span_look(struct ompp_span *s, uint64_t now);

/* What some kinds of events have to do beside those of tasks, as a number of these; rounded up (NOTES). */
enum {
	OMPP_SPAN_FORK_EVENTS = 8,
	OMPP_SPAN_MEMBER_EVENTS = 8,
	OMPP_SPAN_BARRIER_EVENTS = 12,
	OMPP_SPAN_DIVIDED_EVENTS = 4,
	OMPP_SPAN_RECORD_EVENTS = 4 /* a record that no usual task needs: of a dependence, a taskgroup, an iteration */
};

static inline void ompp_span_takes_long(struct ompp_span *s, int n_events)
{
	s->left_events -= n_events;
}

/* Does the same for most stretches.  Returns 0, and has changed nothing, for others; so the caller can leave these to a
 * tail call, and keeps no registers for them.  HOT: about 22 instructions. */
static inline __attribute__((always_inline)) int ompp_span_stretch_usual(struct ompp_span *s, uint32_t place,
                                                                         uint64_t now)
{
	struct ompp_span_task *task = *s->at;
	uint64_t ticks = now - s->last_ticks, idle_ticks = ticks;
	uint32_t number = place >> OMPP_PLACE_SHIFT;

	if (__builtin_expect(s->clock != NULL, 0) || __builtin_expect(--s->left_events < 0, 0))
		return 0;
	if (!(place & OMPP_PLACE_WAITS)) {
		idle_ticks = 0;
		if (__builtin_expect((int64_t)(ticks -= ompp_span_cost_ticks) > 0, 1)) {
			ompp_assert(number);
			if (__builtin_expect(place & (OMPP_PLACE_LOOP | OMPP_PLACE_LOCKED), 0) ||
			    __builtin_expect(!task || number >= s->n_work, 0) ||
			    !ompp_longest_add_at_seat(&task->path, number, ticks))
				return 0;
			s->work[number] += ticks;
			s->work_ticks += ticks;
		} else if (__builtin_expect((int64_t)(now - s->last_ticks) < 0, 0)) {
			return 0;
		}
	} else if (__builtin_expect((int64_t)ticks < 0, 0)) {
		return 0;
	}
	s->last_ticks = now;
	s->idle_ticks = idle_ticks;
	return 1;
}

static inline __attribute__((always_inline)) void ompp_span_stretch(struct ompp_span *s, uint32_t place, uint64_t now)
{
	if (__builtin_expect(!ompp_span_stretch_usual(s, place, now), 0))
		ompp_span_stretch_long(s, place, now);
}

/* ---- tasks ---- */

/* Returns the record of a task that the running one creates; NULL without memory.  HOT. */
struct ompp_span_task *ompp_span_create(struct ompp_span *s, uint32_t flags, uint64_t now);

/* Adds what a creation took that has just ended: to the burdened path. */
void ompp_span_created(struct ompp_span *s, uint64_t ticks);

/* Begin and end the running task.  A task without a record is one of which it is not known who created it: it begins
 * with the team.  The stretches before them have ended.  HOT. */
void ompp_span_begin(struct ompp_span *s, struct ompp_span_task *task, uint64_t now);
void ompp_span_end(struct ompp_span *s, struct ompp_span_sum *sum, uint64_t now);

/* Ends the running task when it was left, by cancellation or an exception.  What waited for it has gone on, so its
 * taskgroup and its taskloop may be over. */
void ompp_span_left(struct ompp_span *s, uint64_t now);

/* Says that the running task may go on in another thread. */
static inline void ompp_span_may_move(struct ompp_span *s)
{
	if (*s->at)
		(*s->at)->runs_in = NULL;
}

/* Returns 1 when the running task waits at the end of its innermost taskgroup.  HOT. */
static inline int ompp_span_waits_in_group(const struct ompp_span *s)
{
	const struct ompp_span_task *task = *s->at, *group = task ? task->groups : NULL;

	return __builtin_expect(group != NULL, 0) && group->parent == task &&
	       atomic_load_explicit(&group->is_closed, memory_order_relaxed);
}

/* Takes the running task, which is suspended, off the thread, and returns it; and puts it on another one. */
struct ompp_span_task *ompp_span_suspend(struct ompp_span *s);
void ompp_span_resume(struct ompp_span *s, struct ompp_span_task *task, uint64_t now);

/* Begins an iteration of a taskloop.
 * loop: the record of the loop's tasks, which ompp_span_create() returned
 * chunk: a word of the task, which is 0 at its first iteration
 * place: where the iterations are */
void ompp_span_iterate(struct ompp_span *s, const struct ompp_span_task *loop, int64_t *chunk, uint32_t place,
                       uint64_t now);

/* Says that the thread asks for another chunk of a loop: the last stretch was one. */
void ompp_span_chunk(struct ompp_span *s, uint32_t place, uint64_t now);

/* Say that the thread comes to a loop whose library tells which iterations it hands out, and that it has got some. */
void ompp_span_begin_loop(const struct ompp_span *s, struct ompp_strand_bounds bounds,
                          enum ompp_strand_schedule schedule, uint32_t chunk);
void ompp_span_begin_chunk(const struct ompp_span *s, int64_t lower, int64_t upper);

/* Goes on after a taskwait. */
void ompp_span_wait(struct ompp_span *s, uint64_t now);

/* Open a taskgroup, say that its body has ended, and go on after its end. */
void ompp_span_group(struct ompp_span *s);
void ompp_span_group_waits(struct ompp_span *s);
void ompp_span_group_end(struct ompp_span *s, uint64_t now);

/* Begins a taskloop, whose tasks have one record together, and goes on behind it.  Where it waits for them, it is a
 * taskgroup, too; otherwise the record lives until the next barrier. */
struct ompp_span_task *ompp_span_create_loop(struct ompp_span *s, uint32_t flags, int waits, uint64_t now);
void ompp_span_loop_end(struct ompp_span *s, uint64_t now);

/* ---- teams ---- */

/* The fork and the join, by the forking thread; the begin and the end of each member's part; and its barriers.  The sum
 * is that of the region; NULL without one, and the place that of the fork.  A member's end has no team where that is
 * over.
 * region: of the barrier, or of the construct that ends with it; 0 where it cannot be left out */
void ompp_span_fork(struct ompp_span *s, struct ompp_span_team *team, uint64_t now);
void ompp_span_join_team(struct ompp_span *s, struct ompp_span_team *team, struct ompp_span_sum *sum, uint32_t place);
void ompp_span_member(struct ompp_span *s, struct ompp_span_team *team, uint32_t rank, uint64_t now);
void ompp_span_member_end(struct ompp_span *s, struct ompp_span_team *team, int is_forker, uint64_t now);
void ompp_span_arrive(struct ompp_span *s, struct ompp_span_team *team, uint64_t now);
void ompp_span_leave(struct ompp_span *s, struct ompp_span_team *team, uint32_t region, uint64_t now);

#endif
