/*
 * Clause: one clause of an OpenMP directive, as `reduction(task, + : x)`, and the words that it is made of.
 *
 * Each text that is read here is one line, and terminated.
 */
#ifndef KINST_CLAUSE_H
#define KINST_CLAUSE_H

#include <stddef.h>

/* All members point into the directive's text. */
struct kinst_clause {
	const char *name; /* not terminated */
	size_t n_name;
	const char *args; /* between the parentheses; NULL when there are none */
	size_t n_args;
	const char *text; /* all of it, from the name to the parenthesis */
	size_t n_text;
};

/* Returns what follows the blanks at p. */
const char *kinst_skip_blanks(const char *p);

/* Returns what follows the words at p, in any case and with any blanks between them; NULL when others stand there. */
const char *kinst_skip_words(const char *p, const char *words);

/* Returns what follows the bracket that p begins with, literals skipped; NULL when it is not closed. */
const char *kinst_skip_bracket(const char *p);

/* Makes a text lower case, but for its literals. */
void kinst_lower_case(char *p);

/* Reads the clause at *p, and leaves *p behind it.  Returns 0, or -EINVAL when there is none. */
int kinst_clause_read(struct kinst_clause *clause, const char **p);

/* Returns 1 when the clause has this name, in any case. */
int kinst_clause_is(const struct kinst_clause *clause, const char *name);

/*
 * Returns the length of the modifier, the text before a colon outside of brackets, as in `if (parallel : x)`; 0 without
 * one.
 */
size_t kinst_clause_modifier(const struct kinst_clause *clause);

/* Returns 1 when the modifier is exactly this word. */
int kinst_clause_modifier_is(const struct kinst_clause *clause, const char *word);

/* Returns 1 for a reduction whose first modifier is this word, as `task` or `inscan`. */
int kinst_clause_reduces(const struct kinst_clause *clause, const char *modifier);

#endif
