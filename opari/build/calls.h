/*
 * Calls: the calls around the constructs of a source, put in by an engine: ours, or opari2.
 */
#ifndef KINST_CALLS_H
#define KINST_CALLS_H

#include "opari/build/source.h"

/* Put calls into source->original by the engine that the user chose, say what is wrong with the user's directives and which
 * constructs are not measured, and store the result. */
void kinst_calls_put(struct kinst_source *source, const struct kinst_context *context);

/* Can the engine leave single constructs and directives as they are? */
int kinst_calls_give_up(const struct kinst_context *context);

/* Once more, but for what was given up since; `data`: some of the directives `inst data` were.  0: there is nothing to put in. */
int kinst_calls_again(struct kinst_source *source, const struct kinst_context *context, int data);

/* Note that nothing of a FAILED source is measured. */
void kinst_calls_note_failure(struct kinst_source *source, const struct kinst_context *context);

#endif
