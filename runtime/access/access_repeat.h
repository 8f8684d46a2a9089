/*
 * Access repeat: loops that are handed over in order and access the same cache lines as the previous one, e.g. when the
 * columns of a matrix are walked one after the other.
 *
 * Under LRU, an access hits if fewer distinct other lines of its set were used since the last access to its line than
 * the set has ways.  From the second execution on, all these uses come after the same access in the previous execution,
 * so such a loop has the same first-level misses each time.  The second level then gets the same accesses each time, so
 * its misses are the same from the third execution on, and those of the third level from the fourth.  The loop also
 * leaves each level that it accesses in the same state as the previous execution.  So its misses are recorded once, and
 * then added again each time, without the model.
 *
 * The model may access a few lines between the loops, as long as they are the same each time.  Their sets are saved in
 * the state after the loop, and restored to it when the loop is repeated.
 */
#ifndef OMPP_ACCESS_ACCESS_REPEAT_H
#define OMPP_ACCESS_ACCESS_REPEAT_H

#include <stddef.h>
#include <stdint.h>

struct ompp_ordered_access;
struct ompp_repeat;
struct ompp_thread;

#pragma GCC visibility push(hidden)

/* Reports the begin of a loop, for a thread that has fronts.  Returns 1 when it is a repetition; then all of it has
 * been counted. */
int ompp_repeat_begin(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list);

/* Returns the record for the misses of the loop, or NULL when they are not recorded. */
struct ompp_repeat *ompp_repeat_record(struct ompp_thread *t);

/* Sets the row in which access i of the list is counted. */
void ompp_repeat_row(struct ompp_repeat *r, size_t i, uint64_t *words);

/* Records a miss.
 * i: the access of the list
 * iteration: the iteration of the loop */
void ompp_repeat_missed(struct ompp_repeat *r, size_t i, size_t iteration, unsigned int missed, int is_other);

/* Reports the end of the loop.
 * is_plain: 1 when each access was in one line, all of it in the same segment as the others */
void ompp_repeat_end(struct ompp_thread *t, int is_plain);

#pragma GCC visibility pop

#endif
