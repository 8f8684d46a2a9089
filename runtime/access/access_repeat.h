/*
 * Access repeat: loops that are handed over in order and come to the same lines as the one before, as where columns of
 * a matrix are walked one after the other.
 *
 * Where the line that was not used for longest has to go, an access hits when since the last access to its line less
 * other lines of its set were used than it has ways.  So from the second time on such a loop misses the first level
 * like the time before: all that counts lies behind the same access of that time.  The second level is then asked for
 * the same lines each time, so it is missed alike from the third time on, and the third level from the fourth.  And the
 * loop leaves each level that it asks as it was behind the loop before.  What it misses is recorded once, and then
 * added again each time, without the model.
 *
 * The model may meet a few lines between the loops, as long as they are the same ones each time.  Their sets, as they
 * were behind the loop, are kept, and are so again when the loop is repeated.
 */
#ifndef OMPP_ACCESS_ACCESS_REPEAT_H
#define OMPP_ACCESS_ACCESS_REPEAT_H

#include <stddef.h>
#include <stdint.h>

struct ompp_ordered_access;
struct ompp_repeat;
struct ompp_thread;

#pragma GCC visibility push(hidden)

/* Says that a loop begins, for a thread that has fronts.  Returns 1 when it is a repetition; then all is counted. */
int ompp_repeat_begin(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list);

/* Returns where the misses of the loop are to be recorded, or NULL. */
struct ompp_repeat *ompp_repeat_record(struct ompp_thread *t);

/* Says to which row access i of the list is counted. */
void ompp_repeat_row(struct ompp_repeat *r, size_t i, uint64_t *words);

/* Records a miss.
 * i: the access of the list
 * iteration: that of the loop */
void ompp_repeat_missed(struct ompp_repeat *r, size_t i, size_t iteration, unsigned int missed, int is_other);

/* Says that the loop ended.
 * is_plain: 1 when each access was in one line, all of it in the same segment as the others */
void ompp_repeat_end(struct ompp_thread *t, int is_plain);

#pragma GCC visibility pop

#endif
