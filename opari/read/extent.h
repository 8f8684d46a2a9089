/*
 * Extent: where a construct of C or C++ begins and ends, and where its parts do.
 *
 * Nothing is written here.  extent_fortran.h has the same for Fortran.
 */
#ifndef KINST_EXTENT_H
#define KINST_EXTENT_H

#include "opari/read/directive.h"
#include "opari/read/lexer.h"

/*
 * A construct: its directive, the token of its pragma, and the first and last token of its statement.  For a
 * construct that stands alone, these are the pragma.
 */
struct kinst_extent {
	struct kinst_directive d;
	uint32_t pragma, first, last;
};

/* Finds the statement of the extent's pragma and directive.  Returns 0 when it cannot be made out. */
int kinst_extent_find(const struct kinst_tokens *tokens, struct kinst_extent *extent);

/*
 * Returns 1 when the statement has a `cancel` of a construct in it: "parallel", "for" or "sections", or "" for any.
 */
int kinst_extent_is_cancelled(const struct kinst_tokens *tokens, const struct kinst_extent *extent,
                              const char *construct);

/* Returns the next section's pragma that stands directly in a block, from token i on; `end` when there is none. */
uint32_t kinst_extent_section(const struct kinst_tokens *tokens, uint32_t i, uint32_t end);

/*
 * Returns the first token of the loop inside of the one at token i, or of its body: the token behind its head, and
 * behind the braces that follow when `braces` is set.  KINST_NONE when there is no loop at token i.
 */
uint32_t kinst_extent_inside(const struct kinst_tokens *tokens, uint32_t i, int braces);

/*
 * Distributes the clauses of a directive that begins with `parallel`, each with a blank in front, without num_threads.
 *
 * outer: gets the clauses of the `parallel`.
 * inner: gets the clauses of what remains.
 */
void kinst_extent_split(const struct kinst_tokens *tokens, const struct kinst_extent *extent, struct kinst_text *outer,
                        struct kinst_text *inner);

#endif
