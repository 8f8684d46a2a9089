/*
 * Span, variants: where the clocks of variants (variant.h) go from one thread to another: at the edges of tasks and
 * teams, and at locks.
 *
 * A thread's clock has its own order in it.  So a task hands on only what others wait for in another thread: a task
 * that begins goes on from its creation, who waits goes on from the ends that it waited for, and who leaves a barrier
 * from all arrivals and from the tasks that ran meanwhile.
 */
#ifndef OMPP_SPAN_SPAN_VARIANT_H
#define OMPP_SPAN_SPAN_VARIANT_H

#include "runtime/base/relaxed.h"
#include "runtime/span/span.h"
#include "runtime/span/variant.h"

struct ompp_iteration_list;

/* What a taskloop's tasks would be, if each had several times as many iterations (span_coarser.h). */
struct ompp_span_coarser {
	int variant;         /* OMPP_NO_VARIANT for none */
	uint64_t base_ticks; /* the path's length at the begin of its tasks */
	uint64_t
		from_time; /* when its creator began to make tasks; 0 once that is over, and where none is looked for */
	uint64_t make_ticks;                   /* how long that took */
	_Atomic uint64_t n_tasks, n_elsewhere; /* those that have begun; of these by other threads than the creator */
	_Atomic uint64_t ticks, most_ticks;    /* all of them together, and the longest one */
};

/* Of a record: the clock where it begins, and the ends of those that it waits for.  A record keeps it when it is used
 * again. */
struct ompp_span_variants {
	struct ompp_variant_clock start;
	struct ompp_variant_mark kids;
	struct ompp_iteration_list *lists[2]; /* of a part of a team: its iterations of loops (span_iterations.h), by
	                                         the number of the barrier modulo 2; NULL before the first */
	struct ompp_span_coarser coarser;     /* of a taskloop */
	struct ompp_span_variants *taskloop;  /* of an iteration of one: that of the loop */
	uint32_t rank;                        /* of a part of a team: the number of the thread in the team */
	uint32_t loop;                        /* the same: the loop that it is in, whose iterations are told; or 0 */
};

/* A loop of which other threads could have taken some of the iterations, up to the barrier at its end: when its threads
 * came to the loop, and the sum of their clocks at the barrier.  Others may take them as the program is where the
 * schedule hands them out on demand; and with another schedule where the iterations are told. */
struct ompp_span_shares {
	struct ompp_variant_mark begun;
	_Atomic uint64_t n, run_ticks;
	_Atomic uint64_t ticks[OMPP_MOST_VARIANTS];
	_Atomic uint32_t is_on_demand;             /* as the schedule hands them out */
	_Atomic uint32_t region;                   /* whose iterations are told; 0 for none */
	struct ompp_iteration_list *_Atomic lists; /* those of the threads that have arrived */
	_Atomic uint64_t scheduled_end;            /* when it is over in the variant of that loop (span_iterations.c) */
};

/* Of a team: the fork, its barriers by their number modulo 2, and its ordered regions, which come in turn.  Such loops
 * by the number of the barrier modulo 3: before the forking thread arrives at barrier k + 1 it clears those of k + 2,
 * which all have left that were at k - 1, and nobody can begin before it has arrived. */
struct ompp_span_team_variants {
	const struct ompp_span *forker;
	struct ompp_variant_clock start;
	struct ompp_variant_mark joins[2], turn;
	struct ompp_span_shares shares[3];
};

/* A lock, or a critical section: when it was released, and the variant without it. */
struct ompp_span_lock {
	struct ompp_variant_mark released;
	int variant;
	uint32_t n_forks; /* of the process, when it was released: what a parent released is nothing in its child */
};

/* Returns the thread's clock, which is made if there is none; NULL where none are kept, or without memory. */
struct ompp_variant_clock *ompp_span_make_clock(struct ompp_span *s);

static inline struct ompp_variant_clock *ompp_span_clock(struct ompp_span *s)
{
	if (__builtin_expect(OMPP_LOAD(&ompp_variants_kept) == OMPP_VARIANTS_OFF, 1))
		return NULL;
	return s->clock ? s->clock : ompp_span_make_clock(s);
}

/* Returns whether any clock is kept.  HOT: each task asks three times, so the functions are called behind it. */
static inline int ompp_span_has_clocks(void)
{
	return __builtin_expect(OMPP_LOAD(&ompp_variants_kept) != OMPP_VARIANTS_OFF, 0);
}

/* Begins a record that others wait for, or that waits, at the thread's clock, or at that of another record.  That of a
 * member is there before clocks are kept, as the first lock may come when tasks of it are under way; so is its team's.
 */
void ompp_span_variants_start(struct ompp_span *s, struct ompp_span_task *task);
void ompp_span_variants_start_member(struct ompp_span *s, struct ompp_span_task *member);
void ompp_span_variants_start_from(struct ompp_span *s, struct ompp_span_task *task, const struct ompp_span_task *from);

/* Begin and end a task.  The end comes before the record is handed over. */
void ompp_span_variants_begin(struct ompp_span *s, const struct ompp_span_task *task);
void ompp_span_variants_end(struct ompp_span *s, const struct ompp_span_task *task);

/* Forgets in a forked child what was before. */
void ompp_span_variants_after_fork(struct ompp_span *s);

/* Remembers the clock of a task that is suspended, for the thread that goes on with it. */
void ompp_span_variants_suspend(struct ompp_span *s, struct ompp_span_task *task);

/* Hand the end of a task to a record, and go on behind all ends that were handed to one. */
void ompp_span_variants_hand(struct ompp_span *s, const struct ompp_span_task *to);
void ompp_span_variants_take(struct ompp_span *s, const struct ompp_span_task *from, int without);

/* A team: its fork and its join by the forking thread; each member's begin, end and barriers.
 * region: of the barrier, or of the construct that ends with it; 0 where it cannot be left out
 * scheduled: the variant for which the caller says where the clock stands; OMPP_NO_VARIANT for none */
void ompp_span_variants_fork(struct ompp_span *s, struct ompp_span_team *team);
void ompp_span_variants_member(struct ompp_span *s, const struct ompp_span_team *team);
void ompp_span_variants_arrive(struct ompp_span *s, const struct ompp_span_team *team, uint32_t barrier);
void ompp_span_variants_leave(struct ompp_span *s, const struct ompp_span_team *team, uint32_t region, int scheduled);
void ompp_span_variants_join(struct ompp_span *s, const struct ompp_span_team *team);

/* Come to a loop whose iterations are handed out on demand, and arrive at the barrier at its end: in a variant other
 * threads take more of them, so that its end is what all have to do, shared out, with the differences of this run.
 * Where their iterations are told, threads arrive at that of any other loop, too. */
void ompp_span_shares_begin(struct ompp_span *s);
void ompp_span_shares_arrive(struct ompp_span *s, int is_on_demand);

/* Returns the shares of the loop in which the thread is; NULL for none. */
struct ompp_span_shares *ompp_span_shares_of(const struct ompp_span *s);

/* Go on behind a taskwait of a region. */
void ompp_span_variants_wait(struct ompp_span *s, uint32_t region);

/* Begin and end what a thread does while it holds a lock, or while it is its turn in an ordered region.  The stretches
 * before have ended. */
void ompp_span_lock_begin(struct ompp_span *s, struct ompp_span_lock *lock);
void ompp_span_lock_end(struct ompp_span *s, struct ompp_span_lock *lock);
void ompp_span_turn_begin(struct ompp_span *s, uint32_t region);
void ompp_span_turn_end(struct ompp_span *s);

#endif
