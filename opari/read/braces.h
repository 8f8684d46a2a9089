/*
 * Braces: where the structured block of every OpenMP construct begins and ends, braced by the user or not.
 *
 * Without this knowledge opari2 closes a region after `if (x) a();` when `else b();` follows.  Nothing is
 * rewritten here; the skeleton is cut at these places.
 */
#ifndef KINST_BRACES_H
#define KINST_BRACES_H

#include "opari/read/lexer.h"

enum kinst_site_kind {
	KINST_ALONE,            /* barrier, taskwait, flush; the user's pomp pragmas */
	KINST_BLOCK,            /* parallel, critical, single, task, sections …: a statement follows */
	KINST_LOOP,             /* for, parallel for: a for statement follows, its body is the block */
	KINST_STATEMENT         /* atomic: a statement follows that must not be braced */
};

/* One pragma that opari2 shall rewrite.  Token indices. */
struct kinst_site {
	enum kinst_site_kind kind;
	uint32_t pragma;
	uint32_t head;          /* LOOP: first token of the loop's header; else pragma + 1 */
	uint32_t first, last;   /* the block; for ALONE: the pragma itself */
	int      braced;        /* the block is { … } already: first and last are the braces */
	uint32_t wrap_last; /* an ALONE that heads the statement of an if, else or loop: the end of the
			       statement that follows and must be braced together with it; else KINST_NONE */
};

struct kinst_sites {
	struct kinst_site *sites;       /* ascending pragma; either disjoint or nested */
	size_t             n_sites;
};

/* What of the text is rewritten. */
struct kinst_scope {
	int openmp;             /* OpenMP pragmas too, not only the user's pomp pragmas */
};

/* Find all sites.  A pragma whose statement cannot be made out is left out: it stays as it is. */
void kinst_braces_find(const struct kinst_tokens *tokens, const struct kinst_scope *scope,
		       struct kinst_sites *sites);
void kinst_braces_free(struct kinst_sites *sites);

/* The last token of the statement that begins at token i, or KINST_NONE. */
uint32_t kinst_braces_statement(const struct kinst_tokens *tokens, uint32_t i);

/* The `;` that ends what begins at i, brackets skipped, or KINST_NONE. */
uint32_t kinst_braces_semicolon(const struct kinst_tokens *tokens, uint32_t i);

/* Does token i end the head of an if, else, do, loop or switch, so that its statement follows? */
int kinst_braces_is_head(const struct kinst_tokens *tokens, uint32_t i);

/* What a pragma has to do with the statement that follows it. */
enum kinst_bond {
	KINST_FREE,             /* nothing */
	KINST_BOUND,            /* it is about that statement, of no kind that we know */
	KINST_CONSTRUCT,        /* the statement is the block or loop of an OpenMP construct */
	KINST_SECTIONS          /* the same, and each statement in the block is a section */
};

enum kinst_bond kinst_braces_bond(const struct kinst_tokens *tokens, uint32_t pragma);

#endif
