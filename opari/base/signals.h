/*
 * Signals: handles those that would end kinst.
 *
 * Such a signal is passed on to the running children.  When they have ended, kinst cleans up and dies of the same
 * signal.
 */
#ifndef KINST_SIGNALS_H
#define KINST_SIGNALS_H

#include <sys/types.h>

/* So many may run at the same time. */
enum { KINST_CHILDREN = 2 };

/* Catches the signals from now on, except those that are ignored. */
void kinst_signals_catch(void);

/* Blocks the signals until kinst_signals_pass_to() is called. */
void kinst_signals_hold(void);
void kinst_signals_release(void);

/*
 * From now on passes signals on to these children; 0 stands for none.  Delivers pending signals, but does not act on
 * them.
 */
void kinst_signals_pass_to(const pid_t children[KINST_CHILDREN]);

/*
 * Restores the signal actions from the start of kinst.  A child calls this before exec.
 */
void kinst_signals_as_before(void);

/* Sets a function to be called before kinst dies of a signal; NULL for none. */
void kinst_signals_clean_by(void (*clean)(void));

/* Dies of the signal that came.  Returns when none did. */
void kinst_signals_end(void);

#endif
