/*
 * Session start: starts the parts of the run in their order, and switches measuring off and on in all of them.
 */
#ifndef OMPP_SESSION_SESSION_START_H
#define OMPP_SESSION_SESSION_START_H

/* Starts the session once; later calls return at once.  It is called by the constructor and, in case the program's
 * first event comes before that, by the adapters before they register a region or a name.  Returns the same as
 * ompp_session_begin(). */
int ompp_session_start(void);

/* Switches measuring off (1) or on (0) in all threads.  A call for the current state, or one while another thread
 * switches, changes nothing. */
void ompp_session_switch(int off);

#endif
