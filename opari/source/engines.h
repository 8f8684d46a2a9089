/*
 * Engines: the list of them.
 */
#ifndef KINST_ENGINES_H
#define KINST_ENGINES_H

#include "opari/emit/engine.h"

/* Returns the engine of this name for a language; the first for the language without a name.  The name must be one that
 * kinst_engine_name() gives. */
const struct kinst_engine *kinst_engine_of(const char *name, enum kinst_language language);

/* Returns the i-th name of an engine, or NULL behind the last. */
const char *kinst_engine_name(size_t i);

#endif
