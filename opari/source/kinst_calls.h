/*
 * Calls: the calls around the constructs of a source, put in by an engine (engines.h).
 */
#ifndef KINST_KINST_CALLS_H
#define KINST_KINST_CALLS_H

#include "opari/source/kinst_source.h"

/*
 * Puts calls into source->original by the engine that the user chose, and stores the result.  Says what is wrong with
 * the user's directives, and which constructs are not measured.
 */
void kinst_calls_put(struct kinst_source *source, const struct kinst_context *context);

/*
 * Does the same again, leaving out what was given up since.  Returns 0 when there is nothing to put in.
 *
 * data: some of the directives `inst data` were given up
 */
int kinst_calls_again(struct kinst_source *source, const struct kinst_context *context, int data);

/* Notes that nothing of a FAILED source is measured. */
void kinst_calls_note_failure(struct kinst_source *source, const struct kinst_context *context);

#endif
