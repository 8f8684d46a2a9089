/*
 * Way: how a source is measured, which --verbose tells: by which engine, and what counts its accesses and operations.
 */
#ifndef KINST_WAY_H
#define KINST_WAY_H

#include "opari/source/kinst_source.h"

/* Returns 1 when the accesses of whole loops can be counted at once. */
int kinst_way_counts_loops(const struct kinst_context *context);

/* Says how a prepared source is measured, if the user asks for that. */
void kinst_way_say(const struct kinst_source *source, const struct kinst_context *context);

#endif
