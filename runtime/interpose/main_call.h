/*
 * Main call: when the program's main() begins.
 *
 * Before it, libraries are loaded and constructors run, those of the program included.  It is only found in dynamically
 * linked programs; in static ones that time counts as a part of the serial part.
 */
#ifndef OMPP_INTERPOSE_MAIN_CALL_H
#define OMPP_INTERPOSE_MAIN_CALL_H

/* Lets the call of main() note the time.  COLD. */
void ompp_main_call_start(void);

#endif
