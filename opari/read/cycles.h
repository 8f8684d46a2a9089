/*
 * Cycles: the statements of a Fortran DO with which an iteration ends early, so that a call can come behind each
 * iteration.
 */
#ifndef KINST_CYCLES_H
#define KINST_CYCLES_H

#include "opari/read/statements.h"

struct kinst_cycles {
	size_t *items;                  /* statements, ascending */
	size_t  n;
};

/* The CYCLE statements that go on with the DO of statements first to last.  0, with none: an iteration may end in
 * another way, or it cannot be made out; else 1. */
int kinst_cycles_find(const struct kinst_statements *all, size_t first, size_t last, struct kinst_cycles *cycles);
void kinst_cycles_free(struct kinst_cycles *cycles);

/* The statement with GO TO a label in place of CYCLE; to be freed. */
char *kinst_cycles_goto(const struct kinst_statement *statement, unsigned int label);

/* A label that no statement of the text has, below the one given. */
unsigned int kinst_cycles_label(const struct kinst_statements *all, unsigned int below);

#endif
