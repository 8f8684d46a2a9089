/*
 * Span, dependences: tasks that wait for others by their depend clauses.
 *
 * Children of one task are ordered by the addresses of their items, in the order in which they are created: those with
 * `in` may run at once, and wait for the one before with another kind; one with `out` or `inout` waits for all since
 * the last `out`.  So each address has a sequence of epochs, and a cell for each of them in which the tasks of the
 * epoch hand on their paths.  A task waits for the cell of the epoch before its own: when it begins, all of that epoch
 * have ended.
 *
 * The thread that runs the creator alone uses the table of addresses.  Cells are read and written by all.
 */
#ifndef OMPP_SPAN_SPAN_DEPEND_H
#define OMPP_SPAN_SPAN_DEPEND_H

#include "runtime/span/span.h"

/* Kinds of dependences.  Those of one kind wait for each other only if it is OUT. */
enum ompp_span_depend { OMPP_SPAN_UNSEEN, OMPP_SPAN_IN, OMPP_SPAN_OUT, OMPP_SPAN_SET, OMPP_N_SPAN_DEPENDS };

/* Adds a dependence of a task that the running one has just created.  UNSEEN: it has some that are not known. */
void ompp_span_depend(struct ompp_span *s, struct ompp_span_task *task, enum ompp_span_depend kind,
                      const void *address);

/* Forgets the addresses of a task's children, when all children have ended, or none is created any more. */
void ompp_span_depend_forget(struct ompp_span *s, struct ompp_span_task *parent);

/* Lets a task that begins go on from those for which it has waited.  Returns the number of its cells. */
uint32_t ompp_span_depend_begin(struct ompp_span *s, struct ompp_span_task *task);

/* Hands a task that has ended to those that wait for it, with a reference for each of its cells. */
void ompp_span_depend_end(struct ompp_span *s, struct ompp_span_task *task);

#endif
