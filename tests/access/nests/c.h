/*
 * c.h: what the parts of the generator for C and C++ share.
 */
#ifndef NESTS_C_H
#define NESTS_C_H

#include "generate.h"

enum value { INTEGER, REAL };

struct array {
	const char *name, *type;
	const char *kind; /* of enum nests_kind, program.h */
	int n;
	enum value value;
	bool owned; /* threads store to it, each to a part of its own */
	bool small; /* its values are 0 … 63 */
	bool held;  /* it is never stored to */
};

extern const struct array arrays[];
extern const int n_arrays;

/* What a function has besides: pointers into arrays, arrays on its stack. */
enum { MOST_LOCALS = 8 };
extern struct array locals[MOST_LOCALS];
extern int n_locals;

/* ---- expressions (c_expressions.c) ---- */

/* Forgets what belongs to the last function. */
void start_expressions(void);
/* Prints the declarations of the numbers that `number` made variables of. */
void declare_numbers(void);

/* The number, or a variable that has it, which the compiler may know or not. */
const char *number(long value);
/* A sum of loop variables that stays in 0 … n − 1. */
const char *index_of(const struct place *place, long n);
/* The same for an array of which each thread has a part. */
const char *owned_index(const struct place *place, long n);
/* An unsigned long; a double; something that is true now and then. */
const char *integer(const struct place *place, int depth);
const char *real(const struct place *place, int depth);
const char *condition(const struct place *place);
const struct array *array_named(const char *name);
/* An array of whose elements so many bytes are accessed as bytes. */
const struct array *some_array(void);
/* Prints a store. */
void store(const struct place *place);

/* ---- loops (c_loops.c) ---- */

extern bool label_is_used[];
int new_label(void);
const char *new_name(const char *prefix);

/* Prints a loop of any kind, with statements in it. */
void loop(const struct place *place);
/* A for loop over 0 … trips − 1, or the like, whose variable divides arrays between threads. */
void owner_loop(const struct place *place, const char *directive, bool two_levels);

/* ---- statements (c_statements.c) ---- */

/* How many statements the function may still have. */
extern int room;
void statement(const struct place *place);
void statements(const struct place *place, int n);
void print_parallel(const struct place *place);

#endif
