/*
 * generate.h: what the parts of the generator of loop nests share: chance, text, and what is known of variables.
 *
 * The program that is printed is known to the generator: of every variable it knows between which numbers it stays, so
 * that each index is within its array, no sum of signed numbers overflows, and every loop ends.  What the compiler
 * knows is chosen by chance.
 */
#ifndef NESTS_GENERATE_H
#define NESTS_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum language { C, CXX, FORTRAN };

extern enum language language;

/* ---- chance (text.c) ---- */

/* The same seed and number give the same choices. */
void start_choices(uint64_t seed, uint64_t number);
size_t below(size_t n);
long between(long low, long high);
bool chance(unsigned int percent);

#define PICK(list) (list)[below(sizeof(list) / sizeof(*(list)))]

/* ---- text (text.c) ---- */

/* A new text; it stays until the generator ends. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a line, indented by the blocks around it: those that `open` began and `shut` has not ended. */
void line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void open_block(const char *format, ...) __attribute__((format(printf, 1, 2)));
void shut(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends a block and begins the next: `} else {`. */
void turn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Lines are kept back, instead of printed, until `end_draft` returns them. */
void begin_draft(void);
char *end_draft(void);
void print_text(const char *lines);

/* ---- what is known ---- */

struct array;

struct variable {
	const char *name, *type;
	long low, high; /* the least and the greatest value that it has */
	bool is_unsigned;
	const struct array *target; /* it points into this array, and low … high are indices of that; or NULL */
};

enum { MOST_VARIABLES = 12, MOST_LABELS = 12 };

/* Where a statement stands.  It is copied for what stands within. */
struct place {
	struct variable variables[MOST_VARIABLES];
	int n_variables;
	int labels[MOST_LABELS], n_labels; /* behind the loops around it: where a goto may go */
	long budget;                       /* how often what stands here may be executed */
	int depth;                         /* loops around it */
	const char *increment;             /* what comes before `continue`, or NULL where none may stand */
	bool may_break, may_return, may_throw;
	int owner; /* the variable that divides arrays between threads, or -1 */
};

/* Adds a variable to those that are known. */
void know(struct place *place, const char *name, const char *type, long low, long high, bool is_unsigned);

/* One iteration of a loop as long as that. */
struct place within(const struct place *place, long trips);

/* How often a loop shall run: 0, 1, a few or many, as the budget allows. */
long some_trips(const struct place *place);

/* ---- programs (c_program.c, fortran.c) ---- */

/* Prints the program of a seed with n functions, or with only one of them. */
void print_c(uint64_t seed, int n_functions, int only);
void print_fortran(uint64_t seed, int n_functions, int only);

#endif
