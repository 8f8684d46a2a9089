/*
 * Braces: where the statements of C and C++ end, braced by the user or not, and what pragmas have to do with them.
 */
#ifndef KINST_BRACES_H
#define KINST_BRACES_H

#include "opari/read/lexer.h"

/* Returns the last token of the statement that begins at token i, or KINST_NONE. */
uint32_t kinst_braces_statement(const struct kinst_tokens *tokens, uint32_t i);

/* Returns the `;` that ends what begins at token i, with the brackets in it skipped, or KINST_NONE. */
uint32_t kinst_braces_semicolon(const struct kinst_tokens *tokens, uint32_t i);

/* Returns 1 when token i ends the head of an if, else, do, loop or switch, so that its statement follows. */
int kinst_braces_is_head(const struct kinst_tokens *tokens, uint32_t i);

/* What a pragma has to do with the statement that follows it. */
enum kinst_bond {
	KINST_FREE,      /* it has nothing to do with it */
	KINST_BOUND,     /* it applies to that statement, in a way unknown to kinst */
	KINST_CONSTRUCT, /* the statement is the block or loop of an OpenMP construct */
	KINST_SECTIONS   /* the same, and each statement in the block is a section */
};

enum kinst_bond kinst_braces_bond(const struct kinst_tokens *tokens, uint32_t pragma);

#endif
