/*
 * fortran.h: what the parts of the generator for Fortran share.
 */
#ifndef NESTS_FORTRAN_H
#define NESTS_FORTRAN_H

#include "generate.h"

enum value { INTEGER, REAL };

struct array {
	const char *name, *type;
	const char *kind; /* of enum nests_kind, program.h, as a number */
	int n;
	enum value value;
	bool owned; /* threads store to it, each to a part of its own */
	bool held;  /* it is never stored to */
};

extern const struct array fortran_arrays[];
extern const int n_fortran_arrays;

/* Forgets what belongs to the last function. */
void fortran_start(void);
/* Prints the declarations of variables, and the statements that set numbers. */
void declare_all(void);
void set_numbers(void);

int fortran_new_label(void);
const char *fortran_new_variable(const char *type);
/* The number, or a variable that has it, which the compiler does not know. */
const char *fortran_number(long value);
/* A loop variable, mostly the innermost; NULL when there is none. */
const struct variable *fortran_some_variable(const struct place *place);
/* A sum of loop variables that stays in 1 … n. */
const char *fortran_index_of(const struct place *place, long n);
/* An integer(8), which is small; a real(8); something that is true now and then. */
const char *fortran_integer(const struct place *place, int depth);
const char *fortran_real(const struct place *place, int depth);
const char *fortran_condition(const struct place *place);
/* Prints a store. */
void fortran_store(const struct place *place);

#endif
