/*
 * Data, its place: what may stand where a directive of data.h stands, and how long the data that it names
 * lives.
 *
 * An automatic variable ends with its block, by every exit of it, and so must its range.  The compiler sees
 * to that when a variable with a cleanup function (the holder) stands behind the declaration of the named
 * one.
 */
#ifndef KINST_DATA_PLACE_H
#define KINST_DATA_PLACE_H

#include "opari/data/data.h"
#include "opari/read/lexer.h"

struct kinst_places {
	const struct kinst_tokens *tokens;
	uint32_t *parents;              /* of each token: the innermost bracket around it, or KINST_NONE */
	int       cxx;
};

enum kinst_place_kind {
	KINST_AT_FILE,                  /* outside of functions: in C no statement may stand here */
	KINST_IN_BLOCK,                 /* a declaration may stand here too */
	KINST_AT_STATEMENT              /* behind a label, or the statement of an if or loop without braces */
};

struct kinst_place {
	enum kinst_place_kind kind;
	uint32_t head;                  /* last token of an if or loop whose statement this becomes, or
					   KINST_NONE */
	uint32_t last;                  /* with `head`: of the statement to be braced together with this */
	uint32_t holder;                /* the token behind which the holder is declared, or KINST_NONE */
	const char *problem;            /* nothing may stand here */
};

void kinst_places_init(struct kinst_places *places, const struct kinst_tokens *tokens, int cxx);
void kinst_places_fini(struct kinst_places *places);

/* The place of a pragma that names `address`. */
void kinst_place_find(const struct kinst_places *places, uint32_t pragma, struct kinst_span address,
		      struct kinst_place *place);

#endif
