/*
 * Cycles: the statements of a Fortran DO that end an iteration early.  They become jumps, so that a call can follow
 * each iteration.
 */
#ifndef KINST_CYCLES_H
#define KINST_CYCLES_H

#include "opari/read/statements.h"

struct kinst_cycles {
	size_t *items; /* statements, ascending */
	size_t n;
};

/*
 * Finds the CYCLE statements that belong to the DO of statements first to last.  Returns 1; or 0, with none, when an
 * iteration may end in another way, or the structure of the DO is unclear.
 */
int kinst_cycles_find(const struct kinst_statements *all, size_t first, size_t last, struct kinst_cycles *cycles);
void kinst_cycles_free(struct kinst_cycles *cycles);

/* Returns 1 when statement i is one of the cycles. */
int kinst_cycles_has(const struct kinst_cycles *cycles, size_t i);

/* Returns the statement with GO TO a label in place of its CYCLE, which the caller frees. */
char *kinst_cycles_goto(const struct kinst_statement *statement, unsigned int label);

/* Returns a label below the one given that no statement of the text has. */
unsigned int kinst_cycles_label(const struct kinst_statements *all, unsigned int below);

#endif
