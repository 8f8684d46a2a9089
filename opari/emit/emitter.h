/*
 * Emitter: the state of one walk over a text of C or C++ that puts calls in.  The walk itself (emit.c) and the
 * functions for each kind of construct (emit_construct.c) share it.
 */
#ifndef KINST_EMITTER_H
#define KINST_EMITTER_H

#include <stddef.h>
#include <stdint.h>

#include "opari/emit/emit.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/patch.h"
#include "opari/read/extent.h"

/* What the walk over a text knows where it is. */
struct kinst_emitter {
	const struct kinst_emit_options *options;
	struct kinst_patch patch;
	struct kinst_emitted *emitted;
	struct kinst_regions regions;
	const char *silent; /* why no call may be inserted at the current place; NULL if it may */
	/* 1 in a parallel region with `cancel parallel`: there only the constructs' own barriers release the threads
	 * when it is cancelled */
	int cancelled;
	int detaches; /* the text has tasks that may be detached */
	/* goes on over the tokens before `to`; the constructs call it, and are called by it */
	void (*walk)(struct kinst_emitter *emitter, uint32_t from, uint32_t to);
	/* of the walk alone */
	size_t depth;
	/* constructs whose end was not found; this is limited, as each search takes time linear in the text */
	size_t n_lost;
	enum kinst_leaf around; /* the innermost construct */
	uint32_t teams;         /* the pragma of a teams whose calls stand around its target; 0 for none yet */
	uint32_t outermost_end; /* the end of the last braces that stand in none; no statement is behind it yet */
	int uninstrumented;     /* between `pomp noinstrument` and `instrument` */
};

/* The tokens of an emitter's text. */
#define KINST_TOKENS(emitter) (&(emitter)->patch.tokens)

/* If `why` gives a reason, no calls are inserted from here on.  Returns the previous reason, which the caller restores
 * to `silent` later. */
const char *kinst_emitter_silence(struct kinst_emitter *emitter, const char *why);

/* Returns the location of a token. */
struct kinst_location kinst_emitter_location(const struct kinst_emitter *emitter, uint32_t token);

/* Adds the region of a construct, and returns its number.
 * attribute: more for its context string */
size_t kinst_emitter_region(struct kinst_emitter *emitter, const struct kinst_extent *extent, const char *type,
                            const char *attribute);

/* Finds the teams that is all of a target, which comes next, and that shall be measured.  Returns 0 when there is none,
 * and otherwise its directive is the caller's to free. */
int kinst_emitter_teams(struct kinst_emitter *emitter, const struct kinst_extent *target, struct kinst_extent *teams);

/* Puts code before or behind a token.  In it each H becomes the region's handle, each D the handle's definition, and
 * each C the context string. */
void kinst_emitter_put(struct kinst_emitter *emitter, uint32_t token, int behind, const char *code, size_t region);

/* Puts the pragma of a construct as it is, with more clauses. */
void kinst_emitter_pragma(struct kinst_emitter *emitter, const struct kinst_extent *extent, const char *more);

/* Puts a barrier of ours behind a token.  With clang 14's libomp, an explicit barrier in a team of one thread with
 * detached tasks ends the program, so it is left out there. */
void kinst_emitter_barrier(struct kinst_emitter *emitter, uint32_t token, size_t region);

#endif
