/*
 * Emit construct: the calls around each kind of construct in C and C++.
 */
#ifndef KINST_EMIT_CONSTRUCT_H
#define KINST_EMIT_CONSTRUCT_H

#include "opari/emit/emitter.h"

/* Emits a construct with calls; what stands in it the emitter walks over. */
void kinst_emit_construct(struct kinst_emitter *e, struct kinst_extent *s);

#endif
