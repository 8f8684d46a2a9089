/*
 * Extent: where a construct of C or C++ begins and ends, and where its parts do.  Nothing is written here; extents of
 * Fortran are found in extent_fortran.h.
 */
#ifndef KINST_EXTENT_H
#define KINST_EXTENT_H

#include "opari/read/directive.h"
#include "opari/read/lexer.h"

/* A construct: its directive, and tokens: its pragma and its statement.  It stands alone: first and last are the
 * pragma. */
struct kinst_extent {
	struct kinst_directive d;
	uint32_t pragma, first, last;
};

/* The directive of an OpenMP pragma, to be freed by the caller; 0: the token is none. */
int kinst_extent_read(const struct kinst_tokens *tokens, uint32_t token, struct kinst_directive *directive);

/* The statement of the extent's pragma and directive; 0: it cannot be made out. */
int kinst_extent_find(const struct kinst_tokens *tokens, struct kinst_extent *extent);

/* Is there a `cancel` of this construct (parallel, for, sections) in the statement?  "": of none. */
int kinst_extent_is_cancelled(const struct kinst_tokens *tokens, const struct kinst_extent *extent,
			      const char *construct);

/* The next section's pragma directly in a block, from token i on; `end`: there is none. */
uint32_t kinst_extent_section(const struct kinst_tokens *tokens, uint32_t i, uint32_t end);

/* The loop inside of the one at token i, or its body: what follows its head, and `braces` after that.  KINST_NONE:
 * there is no loop at i. */
uint32_t kinst_extent_inside(const struct kinst_tokens *tokens, uint32_t i, int braces);

#endif
