/*
 * Messages: ends the compile of each function where nothing is left that gcc could warn of, in compiles that are made
 * for their messages alone.
 *
 * What is left out are the passes behind `expand`, which choose instructions and registers.  gcc leaves out the same by
 * itself in functions with errors.
 */
#ifndef KINST_PLUGIN_MESSAGES_H
#define KINST_PLUGIN_MESSAGES_H

#include "gcc.h"

/* A callback of PLUGIN_OVERRIDE_GATE, which gets a pass's gate. */
void end_behind_messages(void *gate, void *);

#endif
