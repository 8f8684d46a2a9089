/*
 * Values: adds what the sources count to the nodes, as the clock's time is added.
 */
#ifndef OMPP_CORE_VALUES_H
#define OMPP_CORE_VALUES_H

#include <stdint.h>

#include "runtime/core/thread.h"

/* Read the sources at the enter of a frame, at its exit, and at the exit of a frame whose visit is not counted. */
void ompp_values_enter(struct ompp_thread *t, struct ompp_frame *f);
void ompp_values_exit(struct ompp_thread *t, struct ompp_frame *f);
void ompp_values_folded(struct ompp_thread *t, struct ompp_frame *f);

/* Read the sources, less what they counted while measuring was off.  A thread finds out that measuring was switched
 * when it reads.  Only the thread that switches it reads at that time, by ompp_values_switch(). */
void ompp_values_read(struct ompp_thread *t, uint64_t *values);
void ompp_values_switch(struct ompp_thread *t);

/* Charges the values of the task at this base to its node, up to the enter of the top frame, where the task was
 * suspended.  Then, or after the task's exit, frame_values of the base are what it counted, less suspended_values. */
void ompp_values_suspend(struct ompp_thread *t, struct ompp_frame *base);

/* Note that what the instance at f counted was not counted by the frame `under`, or by the suspended base. */
void ompp_values_charge(struct ompp_thread *t, struct ompp_frame *under, const struct ompp_frame *f);
void ompp_values_charge_base(struct ompp_thread *t, struct ompp_frame *base, const struct ompp_frame *f);

#endif
