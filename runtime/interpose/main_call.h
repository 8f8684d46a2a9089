/*
 * Main call: when the program's main() begins.
 *
 * What is before it is loading of libraries and constructors, the program's own included.  It is found in programs that
 * are linked dynamically; in others the time is part of the serial part, as nobody knows it.
 */
#ifndef OMPP_INTERPOSE_MAIN_CALL_H
#define OMPP_INTERPOSE_MAIN_CALL_H

/* Lets the call of main() note the time.  COLD. */
void ompp_main_call_start(void);

#endif
