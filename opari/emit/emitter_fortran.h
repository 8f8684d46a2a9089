/*
 * Emitter, in Fortran: the state of one walk over a text that puts calls in.  The walk itself (emit_fortran.c) and the
 * functions for worksharing (emit_work_fortran.c) share it.
 */
#ifndef KINST_EMITTER_FORTRAN_H
#define KINST_EMITTER_FORTRAN_H

#include "opari/emit/emit.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/write_fortran.h"
#include "opari/read/cycles.h"
#include "opari/read/extent_fortran.h"
#include "opari/read/statements.h"

/* What the walk over a text knows where it is. */
struct kinst_fortran_emitter {
	const struct kinst_emit_options *options;
	struct kinst_statements s;
	struct kinst_emitted *emitted;
	struct kinst_regions regions;
	struct kinst_writer w;
	const char *silent; /* why no call may be inserted at the current place; NULL if it may */
	int cancelled, uninstrumented;
	/* the CYCLE statements of the current taskloop, their label, and the lowest label in use */
	struct kinst_cycles cycles;
	unsigned int label, lowest_label;
	/* goes on over the statements before `to`; the constructs call it, and are called by it */
	void (*walk)(struct kinst_fortran_emitter *emitter, size_t from, size_t to);
};

/* Walks over statements; if `why_not` gives a reason, no calls are inserted in them. */
void kinst_fortran_walk_silently(struct kinst_fortran_emitter *emitter, size_t from, size_t to, const char *why_not);
void kinst_fortran_walk_body(struct kinst_fortran_emitter *emitter, const struct kinst_fortran_extent *extent,
                             const char *why_not);

/* Returns the reason where nothing can be called; NULL if it is not so. */
const char *kinst_fortran_no_calls_if(int is);

/* Writes a call with a region's context string, and with `more` arguments; before a statement, and behind one. */
void kinst_fortran_put_call(struct kinst_fortran_emitter *emitter, const char *name, size_t region, const char *more);
void kinst_fortran_call_before(struct kinst_fortran_emitter *emitter, size_t i, const char *name, size_t region,
                               const char *more);
void kinst_fortran_call_behind(struct kinst_fortran_emitter *emitter, size_t i, const char *name, size_t region);

/* Puts a call where the body ends: before the end directive, or behind the last statement where there is none. */
void kinst_fortran_put_end_calls(struct kinst_fortran_emitter *emitter, const struct kinst_fortran_extent *extent,
                                 const char *name, size_t region);

/* Returns the location of a statement. */
struct kinst_location kinst_fortran_place(const struct kinst_fortran_emitter *emitter, size_t i);

/* Adds the region of a construct, and returns its number.
 * attribute: more for its context string */
size_t kinst_fortran_region(struct kinst_fortran_emitter *emitter, const struct kinst_fortran_extent *extent,
                            const char *type, const char *attribute);

/* Returns a directive's name, which is the caller's to free. */
char *kinst_fortran_name(const struct kinst_directive *directive);

#endif
