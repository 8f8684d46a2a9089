/*
 * Data, place: where the call of a directive of data.h may stand, and how long the data that it names lives.
 *
 * The lifetime of an automatic variable ends with its block, at every exit, and so must that of its range.  The
 * compiler ensures this through a variable with a cleanup function, the holder, which is declared after the named one.
 */
#ifndef KINST_DATA_PLACE_H
#define KINST_DATA_PLACE_H

#include "opari/data/data.h"
#include "opari/read/lexer.h"

struct kinst_data_places {
	const struct kinst_tokens *tokens;
	uint32_t *parents; /* for each token the innermost bracket around it, or KINST_NONE */
	int cxx;
};

enum kinst_data_place_kind {
	KINST_AT_FILE,     /* it is outside of functions, where no statement may stand in C */
	KINST_IN_BLOCK,    /* a declaration may stand here, too */
	KINST_AT_STATEMENT /* it is behind a label, or the statement of an if or loop without braces */
};

struct kinst_data_place {
	enum kinst_data_place_kind kind;
	uint32_t head;       /* last token of an if or loop whose statement this becomes, or
	                        KINST_NONE */
	uint32_t last;       /* with `head`: the end of the statement that is braced together with this */
	uint32_t holder;     /* the token behind which the holder is declared, or KINST_NONE */
	const char *problem; /* why nothing may stand here, or NULL */
};

void kinst_data_places_init(struct kinst_data_places *places, const struct kinst_tokens *tokens, int cxx);
void kinst_data_places_fini(struct kinst_data_places *places);

/* Finds the place of a pragma that names the data at `address`. */
void kinst_data_place_find(const struct kinst_data_places *places, uint32_t pragma, struct kinst_span address,
                           struct kinst_data_place *place);

#endif
