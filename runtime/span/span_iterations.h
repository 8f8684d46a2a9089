/*
 * Span, iterations: loops whose iterations are told one by one (kinst --iterations), and when they would be over if
 * these were handed out on demand.
 *
 * A loop with a static schedule gives each thread its iterations; of a thread's sum it is not known how it could be
 * divided, as one iteration may be all of it.  Where iterations are told, each thread keeps how long they are.  With
 * schedule(static) those of all threads, one thread after another, are the loop in its order: a list schedule of them
 * says when it would be over.  Otherwise the order is not known: the loop is over when all threads are, if they divide
 * the work evenly, and at most the longest iteration later, less each thread's share of it (R. L. Graham, Bounds on
 * multiprocessing timing anomalies, 1969).
 */
#ifndef OMPP_SPAN_SPAN_ITERATIONS_H
#define OMPP_SPAN_SPAN_ITERATIONS_H

#include "runtime/span/schedule.h"
#include "runtime/span/span_variant.h"

/* Come to a loop whose iterations are told, begin one of them, and hand them to the team at the barrier. */
void ompp_span_iterations_begin(struct ompp_span *s, uint32_t region, int is_in_order);
void ompp_span_iteration(struct ompp_span *s, uint32_t place, uint64_t now);
void ompp_span_iterations_hand(struct ompp_span *s);

/* Returns the loop whose iterations the thread tells at the moment; 0 for none. */
uint32_t ompp_span_iterates(const struct ompp_span *s);

/* Returns the variant in which the iterations of a loop are handed out on demand, and lets it be over at the barrier
 * when they would be; OMPP_NO_VARIANT where they are not told.  By each thread that leaves the barrier, before its
 * clock goes on; behind that the second one lets it stand there in the variant. */
int ompp_span_schedule(struct ompp_span *s, const struct ompp_span_team *team);
void ompp_span_scheduled(const struct ompp_span *s, const struct ompp_span_team *team, int variant);

#endif
