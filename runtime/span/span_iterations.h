/*
 * Span, iterations: loops whose iterations are told one by one (kinst --iterations), and when they would be over if
 * these were handed out on demand.
 *
 * A loop with a static schedule gives each thread a fixed part of the iterations.  The time of a part does not tell how
 * it could be divided, as a single iteration may take all of it.  So each thread keeps how long its iterations are.
 * Where it is known in which order those of all threads are in the loop (schedule.h), a list schedule of them says when
 * it would be over.  Where it is not, the bound of list schedules holds: the work, divided evenly, and the longest
 * iteration, less each thread's share of it (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969).
 *
 * By other libraries the other schedule may let threads steal, as LLVM's does: the loop is over at the earlier of the
 * times with and without that, or up to their difference later.
 *
 * GCC's library hands out the chunks of schedule(dynamic) and guided in the loop's order, so the one that began first
 * is the first.  Where calls for chunks are not seen, as in static programs, and with other libraries, that order is
 * not known.
 */
#ifndef OMPP_SPAN_SPAN_ITERATIONS_H
#define OMPP_SPAN_SPAN_ITERATIONS_H

#include "runtime/span/schedule.h"
#include "runtime/span/span_variant.h"

/* Come to a loop whose iterations are told, begin one of them, and hand them to the team at the barrier of that loop;
 * forget the loop where another one begins, or a barrier is left that is not its own (as that of a loop with nowait).
 */
void ompp_span_iterations_begin(struct ompp_span *s, uint32_t region, struct ompp_loop_order order);
void ompp_span_iteration(struct ompp_span *s, uint32_t place, uint64_t now);
void ompp_span_iterations_hand(struct ompp_span *s, uint32_t region);
void ompp_span_iterations_forget(const struct ompp_span *s);

/* Says that the thread asks for another chunk of the loop that it is in. */
void ompp_span_iterations_chunk(const struct ompp_span *s);

/* Returns the loop whose iterations the thread tells at the moment; 0 for none.  It has a list while it is one. */
uint32_t ompp_span_iterates(const struct ompp_span *s);

/* When a loop is over in the variant in which its iterations are handed out on demand. */
struct ompp_loop_end {
	int variant; /* OMPP_NO_VARIANT where the iterations are not told */
	uint64_t ticks;
};

/* Returns when the loop in front of a barrier is over, and lets it be over then for those that go on behind the join.
 * By each thread that leaves the barrier, before its clock goes on; behind that its clock stands there in the variant.
 */
struct ompp_loop_end ompp_span_schedule(struct ompp_span *s, const struct ompp_span_team *team);

#endif
