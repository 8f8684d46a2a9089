/*
 * Prepare: makes the instrumented text of one source.
 */
#ifndef KINST_PREPARE_H
#define KINST_PREPARE_H

#include "opari/source/kinst_source.h"

/*
 * Prepares a source whose member `input` is set: preprocesses it, chooses its access hooks, and puts the calls in.
 * What comes of it is in the source's other members.
 */
void kinst_prepare(struct kinst_source *source, const struct kinst_context *context);

#endif
