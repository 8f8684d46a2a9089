/*
 * Values: adds the counts of the sources to the nodes, in the same way as the time.
 */
#ifndef OMPP_CORE_VALUES_H
#define OMPP_CORE_VALUES_H

#include <stdint.h>

#include "runtime/core/thread.h"

/* Read the sources at the enter of a frame, at its exit, and at the exit of a frame whose visit is not counted. */
void ompp_values_enter(struct ompp_thread *t, struct ompp_frame *f);
void ompp_values_exit(struct ompp_thread *t, struct ompp_frame *f);
void ompp_values_folded(struct ompp_thread *t, struct ompp_frame *f);

/* Read the sources, and subtract what they counted while measuring was off.  A thread notices at its next reading that
 * measuring was switched.  Only the thread that switches it reads at that time, with ompp_values_switch(). */
void ompp_values_read(struct ompp_thread *t, uint64_t *values);
void ompp_values_switch(struct ompp_thread *t);

/* Charges the values of the task at this base to its node, up to the enter of the top frame, where the task was
 * suspended.  After that, or after the task's exit, the base's frame_values are what it counted, minus
 * suspended_values. */
void ompp_values_suspend(struct ompp_thread *t, struct ompp_frame *base);

/* Record that the counts of the instance at f do not belong to the frame `under`, or to the suspended base. */
void ompp_values_charge(struct ompp_thread *t, struct ompp_frame *under, const struct ompp_frame *f);
void ompp_values_charge_base(struct ompp_thread *t, struct ompp_frame *base, const struct ompp_frame *f);

#endif
