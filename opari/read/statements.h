/*
 * Statements: the lines of a Fortran text as statements and program units, as far as the directives of data.h
 * need them.
 *
 * Fixed and free form.  Nothing is rewritten here, and what is no Fortran is taken for some statement.
 */
#ifndef KINST_STATEMENTS_H
#define KINST_STATEMENTS_H

#include <stdint.h>

#include "opari/base/text.h"

/* A statement, or another line of the text: lines first..last. */
struct kinst_statement {
	size_t first, last;
	char  *text;                    /* joined, without label and comments; "" for what is no statement */
	size_t n_label;                 /* digits of its label */
	int    shares_end;              /* a DO whose last statement is that of a DO around it, too (extent_fortran.h) */
	int    is_data;                 /* a directive of data.h; `text` is what follows the word data */
	char  *directive;               /* of !$OMP and !$POMP: what follows the sentinel, joined; else NULL, and `text` is "" */
	int    is_pomp;
	uint32_t unit;                  /* the unit it stands in; 0: none */
	unsigned long line;             /* of its first line, in the file at that place */
	struct kinst_span file;
};

enum kinst_unit_kind { KINST_OUTSIDE, KINST_MODULE, KINST_PROGRAM, KINST_PROCEDURE };

struct kinst_unit {
	enum kinst_unit_kind kind;
	uint32_t parent;                /* the unit around it */
	int is_pure;
};

struct kinst_statements {
	int fixed;                      /* as for kinst_fortran_columns */
	struct kinst_span *lines;       /* without newlines */
	size_t n_lines;
	struct kinst_statement *items;
	size_t n;
	int has_cancel;                 /* a directive has the word `cancel` in it */
	struct kinst_unit *units;       /* units[0] is what stands outside of all */
	size_t n_units, unit_room;
};

/* The columns of fixed form that count; `fixed`: 0 free form, 1 fixed form as usual, else with so many
 * columns, INT_MAX: with any. */
static inline size_t kinst_fortran_columns(int fixed)
{
	return fixed == 1 ? 72 : (size_t)fixed;
}

/* Read a text, which must outlive the statements.  `fixed`: see above.  `file`: its name until a line marker tells another. */
void kinst_statements_read(struct kinst_statements *statements, const char *text, size_t length, int fixed,
			   const char *file);
void kinst_statements_free(struct kinst_statements *statements);

/* Behind the word when it stands at p, blanks before it skipped and without regard to case; else NULL. */
const char *kinst_after_word(const char *p, const char *end, const char *word);

/* Behind !$OMP or !$POMP at the beginning of a line, or !$OMP INST DATA; NULL when it has none. */
const char *kinst_after_sentinel(const char *p, const char *end, int fixed);
const char *kinst_after_data(const char *p, const char *end, int fixed);

/* Behind the string that begins at p. */
const char *kinst_after_string(const char *p, const char *end);

/* The comma or closing parenthesis that ends what begins at p, strings and brackets skipped; `end`: there is
 * none. */
const char *kinst_next_stop(const char *p, const char *end);

/* p up to end without the blanks around it. */
struct kinst_span kinst_trimmed(const char *p, const char *end);

/* A line from a column on, up to its comment.  `quote`: of the string that it begins in, and then that it
 * ends in; 0: of none. */
struct kinst_span kinst_code_of(struct kinst_span line, size_t from, char *quote);

/* Behind the word, or behind ( … ), with which the statement goes on; NULL when it does not. */
const char *kinst_eat(const char *p, const char *word);
const char *kinst_eat_parentheses(const char *p);

/* Does the statement end a unit or procedure, and not a construct in it? */
int kinst_ends_unit(const char *text);

#endif
