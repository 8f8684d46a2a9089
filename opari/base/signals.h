/*
 * Signals: those that would end kinst.
 *
 * Such a signal is given to the children that run.  When they have ended, kinst cleans up and dies of the same signal.
 */
#ifndef KINST_SIGNALS_H
#define KINST_SIGNALS_H

#include <sys/types.h>

/* So many may run at the same time. */
enum { KINST_CHILDREN = 2 };

/* Catches the signals from now on, except those that are ignored. */
void kinst_signals_catch(void);

/* Makes signals wait until kinst_signals_pass_to() is called. */
void kinst_signals_hold(void);
void kinst_signals_release(void);

/*
 * Gives the signals that come from now on to these children, too; 0 stands for none.  Lets waiting signals in, but does
 * not act on them.
 */
void kinst_signals_pass_to(const pid_t children[KINST_CHILDREN]);

/*
 * Gives signals the effect that they had when kinst was started.  A child calls this before it becomes another
 * program.
 */
void kinst_signals_as_before(void);

/* Has this function called before kinst dies of a signal; NULL stands for none. */
void kinst_signals_clean_by(void (*clean)(void));

/* Dies of the signal that came.  Returns when none did. */
void kinst_signals_end(void);

#endif
