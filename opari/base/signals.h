/*
 * Signals: those that would end kinst.
 *
 * Such a signal is first given to the child that runs; when the child has ended kinst cleans up and dies of the same signal.
 */
#ifndef KINST_SIGNALS_H
#define KINST_SIGNALS_H

#include <sys/types.h>

/* Catch them from now on, but those that are ignored. */
void kinst_signals_catch(void);

/* Between these, a signal waits. */
void kinst_signals_hold(void);
void kinst_signals_release(void);

/* A signal that comes is given to this child as well; 0: to none.  Ends kinst_signals_hold() without a look at what came. */
void kinst_signals_pass_to(pid_t child);

/* In a child, before it becomes another program: signals do what they did when kinst was started. */
void kinst_signals_as_before(void);

/* Call this before kinst dies of a signal; NULL: nothing. */
void kinst_signals_clean_by(void (*clean)(void));

/* Die of the signal that came; returns when none did. */
void kinst_signals_end(void);

#endif
