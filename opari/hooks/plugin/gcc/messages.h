/*
 * Messages: for compiles that are made only for their messages, ends the compile of each function after the last pass
 * that can warn.
 *
 * This skips the passes after `expand`, which choose instructions and registers.  In functions with errors gcc itself
 * skips them.
 *
 * With the warnings that gcc has by itself, functions end where hooks would be put in, before the passes over loops,
 * when they are *silent*: without assembler text, without calls of functions that gcc knows (but those of mathematics
 * and of OpenMP) or was told of by attributes, and without stores that are characters, or whole structs, or that might
 * become a call of memset or memcpy.  The later warnings are about these.
 */
#ifndef KINST_PLUGIN_MESSAGES_H
#define KINST_PLUGIN_MESSAGES_H

#include "gcc.h"

/* 1 when the user asks for no other warnings than those which gcc has by itself. */
extern bool messages_by_default;

/* A callback of PLUGIN_OVERRIDE_GATE, which gets a pass's gate. */
void end_behind_messages(void *gate, void *);

#endif
