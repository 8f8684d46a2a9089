/*
 * Emit, worksharing in Fortran: the calls around do, sections, single, workshare, scope and taskloop.
 *
 * combined: 0, or 1 + the number of the region of the PARALLEL whose directive has been written
 */
#ifndef KINST_EMIT_WORK_FORTRAN_H
#define KINST_EMIT_WORK_FORTRAN_H

#include "opari/emit/emitter_fortran.h"

void kinst_fortran_emit_do(struct kinst_fortran_emitter *emitter, struct kinst_fortran_extent *extent, size_t combined);
void kinst_fortran_emit_sections(struct kinst_fortran_emitter *emitter, struct kinst_fortran_extent *extent,
                                 size_t combined);
void kinst_fortran_emit_single(struct kinst_fortran_emitter *emitter, struct kinst_fortran_extent *extent);
/* Puts calls around workshare and scope. */
void kinst_fortran_emit_work(struct kinst_fortran_emitter *emitter, struct kinst_fortran_extent *extent,
                             const char *type, size_t combined);
/* Puts calls around a taskloop, and around each iteration as a task's execution. */
void kinst_fortran_emit_taskloop(struct kinst_fortran_emitter *emitter, struct kinst_fortran_extent *extent);
/* Turns a CYCLE of a taskloop into a jump to the call at the end of the iteration. */
void kinst_fortran_emit_cycle(struct kinst_fortran_emitter *emitter, size_t i);

/* Puts the calls in front of a loop's directive. */
void kinst_fortran_put_do_calls(struct kinst_fortran_emitter *emitter, const struct kinst_fortran_extent *extent,
                                size_t region);

/* Adds the region of a worksharing construct, or of its PARALLEL, and returns its number. */
size_t kinst_fortran_work_region(struct kinst_fortran_emitter *emitter, const struct kinst_fortran_extent *extent,
                                 const char *type, const char *cancel);

/* Returns 1 when a BLOCK is all of a construct, which has no end directive then.  With a call beside the BLOCK it needs
 * one. */
int kinst_fortran_is_ended_by_block(const struct kinst_fortran_extent *extent);

#endif
