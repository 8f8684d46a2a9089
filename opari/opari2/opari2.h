/*
 * Opari2: the engine that lets the program opari2 put the calls in (engine.h).
 *
 * opari2 rewrites text line by line, and often misplaces the end of a construct.  So it gets a skeleton of the text:
 * the directives that it knows, with the extents that kinst's own engine finds, and one word for all text between.
 * What it inserts is put into the text at the same places.  All other constructs are named as not measured.
 */
#ifndef KINST_OPARI2_H
#define KINST_OPARI2_H

#include "opari/emit/emit.h"

int kinst_opari2_emit(const char *text, size_t length, const struct kinst_emit_options *options,
                      struct kinst_emitted *emitted);

#endif
