/*
 * Strand: what one thread of a team did at one go, from which the time that other numbers of threads would take is
 * found (predict.h).
 *
 * A strand has a length and the length of the longest path before it, which orders the strands: one that had to wait
 * for another one begins where that ends, or later.  Long strands are kept one by one.  Short ones, and what has no
 * room, are added up by where they begin, in slices that double when the path outgrows them; so memory is bounded, and
 * short strands cost an addition.
 *
 * The thread that runs the strands writes them; the thread that joins the team reads them when all members have ended.
 */
#ifndef OMPP_SPAN_STRAND_H
#define OMPP_SPAN_STRAND_H

#include <stdatomic.h>
#include <stdint.h>

enum ompp_strand_kind {
	OMPP_STRAND_CHAIN, /* of a task, or what one thread of the team does for all: no part of it is done by others */
	OMPP_STRAND_CHUNK, /* a chunk of iterations, which any thread may get */
	OMPP_STRAND_SHARE, /* a thread's share of a loop, which other numbers of threads divide otherwise */
	OMPP_STRAND_OWN    /* code that each thread of the team executes */
};

enum {
	OMPP_STRANDS = 1024,
	OMPP_STRAND_SLICES = 128,
	OMPP_STRAND_SHORT_BITS = 15, /* log2 of the ticks below which a strand is short: 10 to 30 us */
	OMPP_STRAND_LOCKS = 8
};

/* The task of a chain, and the task that created it, by numbers; 0 where it is not known.  Of one that was created: the
 * length of the path at its creation, and whether its creator waited for its end there. */
struct ompp_strand_of {
	uint32_t task, creator;
	uint64_t created_ticks : 63, is_undeferred : 1;
};
enum { OMPP_STRAND_MEMBER = 1 << 30 }; /* in a number: no task, but what a thread of the team does itself */

/* How a loop asks LLVM's library for its iterations. */
enum ompp_strand_schedule {
	OMPP_STRAND_ANY,      /* the call does not say (runtime, auto), or has a static schedule */
	OMPP_STRAND_DYNAMIC,  /* dynamic, and the library may deal chunks out beforehand and let threads steal them */
	OMPP_STRAND_IN_ORDER, /* dynamic, and monotonic or ordered: one chunk after the other */
	OMPP_STRAND_GUIDED
};

/* A loop whose library tells which iterations it hands out.  They are counted from 0. */
struct ompp_strand_loop {
	uint32_t n;        /* iterations; 0 where that is not known */
	uint32_t chunk;    /* how many of them the program asks for at once */
	uint32_t ordinal;  /* such loops before it in the phase */
	uint32_t schedule; /* enum ompp_strand_schedule */
};

/* Values of a loop's variable, the last one included. */
struct ompp_strand_bounds {
	int64_t lower, upper, stride;
};

/* A chunk of such a loop. */
struct ompp_strand_chunk {
	struct ompp_strand_loop loop;
	uint32_t first, n;
	uint64_t asked_time; /* when the thread asked for it, by the clock */
};

struct ompp_strand {
	uint64_t start_ticks, ticks;
	uint64_t end_time; /* when it ended, by the clock: of strands with one begin, those that ended first come first
	                    */
	uint32_t kind, rank;   /* enum ompp_strand_kind; the number of the thread in the team */
	uint32_t phase;        /* barriers before it */
	uint32_t ordinal;      /* strands of its kind before it, of this thread and phase */
	uint64_t locked_ticks; /* what of it was in a critical or ordered region: the one with this number */
	uint32_t lock;
	union {
		struct ompp_strand_of of;       /* of a chain: its task */
		struct ompp_strand_chunk chunk; /* of a chunk */
	};
};

/* The strands of one thread in one team. */
struct ompp_strands {
	struct ompp_strands *next; /* of the team's other threads */
	_Atomic uint32_t is_taken; /* a team has them, and has not looked at them yet */
	uint32_t n, n_slices;      /* strands; slices in use */
	uint32_t rank, shift;      /* a slice is 2^shift ticks of the path */
	uint32_t phase, n_of[4];   /* the current phase, and the strands of each kind in it */
	uint64_t base_ticks;       /* the path at the begin of the first slice */
	uint64_t chains[OMPP_STRAND_SLICES], divided[OMPP_STRAND_SLICES]; /* short strands: chains; others */
	uint64_t managing_ticks, own_ticks;                               /* what creating tasks took; short own code */
	uint64_t chunks_from; /* the path at the begin of the loop whose chunks come; UINT64_MAX before its first */
	uint32_t n_loops;     /* of the phase: those whose library tells which iterations it hands out */
	struct ompp_strand_bounds bounds; /* of the last of these loops */
	struct ompp_strand_chunk chunk;   /* of it: the one that the thread executes */
	struct {
		uint64_t region, ticks; /* critical and ordered regions, by number; 0 for none */
	} locked[OMPP_STRAND_LOCKS];
	uint64_t locked_ticks; /* since the last strand, and in which region */
	uint32_t lock;
	uint32_t has_other_edges; /* a task waited for more than its children, depended on others, or is of a taskloop;
	                             or a wait had no room */
	uint32_t has_bound; /* only the thread of a strand could go on behind it: the creator of a task waited for its
	                       end; tasks of a taskloop with nogroup have several iterations */
	uint32_t has_any;   /* chunks of schedule(runtime) of a library that does not tell which iterations they are */
	struct ompp_strand list[OMPP_STRANDS];
};

/* Forgets all strands. */
void ompp_strands_reset(struct ompp_strands *strands, uint32_t rank, uint64_t base_ticks);

/* Adds a strand that is not short, or is no chain.  COLD. */
void ompp_strands_add_other(struct ompp_strands *strands, enum ompp_strand_kind kind, uint64_t start_ticks,
                            uint64_t ticks, uint64_t now);

/* Adds a strand of a chain that is short.  HOT: about 8 instructions. */
static inline void ompp_strands_add_short(struct ompp_strands *strands, uint64_t start_ticks, uint64_t ticks,
                                          uint64_t now)
{
	uint64_t slice = (start_ticks - strands->base_ticks) >> strands->shift;

	if (__builtin_expect(slice >= strands->n_slices, 0))
		ompp_strands_add_other(strands, OMPP_STRAND_CHAIN, start_ticks, ticks, now);
	else
		strands->chains[slice] += ticks;
}

/* Adds a strand of a chain. */
static inline void ompp_strands_add_chain(struct ompp_strands *strands, uint64_t start_ticks, uint64_t ticks,
                                          uint64_t now)
{
	if (ticks >> OMPP_STRAND_SHORT_BITS)
		ompp_strands_add_other(strands, OMPP_STRAND_CHAIN, start_ticks, ticks, now);
	else
		ompp_strands_add_short(strands, start_ticks, ticks, now);
}

/* Says that a task waited for its children, which has made its path as long as this: a strand of no length. */
void ompp_strands_add_wait(struct ompp_strands *strands, struct ompp_strand_of of, uint64_t end_ticks);

/* Adds a strand of a chain that is not short, with its task. */
void ompp_strands_add_long(struct ompp_strands *strands, struct ompp_strand_of of, uint64_t start_ticks, uint64_t ticks,
                           uint64_t now);

/* Says that a thread comes to a loop whose library tells which iterations it hands out, and that it has got some, which
 * it asked for at `now`. */
void ompp_strands_begin_loop(struct ompp_strands *strands, struct ompp_strand_bounds bounds,
                             enum ompp_strand_schedule schedule, uint32_t chunk);
void ompp_strands_begin_chunk(struct ompp_strands *strands, int64_t lower, int64_t upper, uint64_t now);

/* Says that what a thread did of a loop since the chunk before, up to this length of the path, was a chunk. */
void ompp_strands_end_chunk(struct ompp_strands *strands, uint64_t end_ticks);

/* Adds time in a critical or ordered region, in which one thread is at a time. */
void ompp_strands_add_locked(struct ompp_strands *strands, uint32_t region, uint64_t ticks);

/* Begins what is behind a barrier. */
void ompp_strands_next_phase(struct ompp_strands *strands, uint32_t phase);

#endif
