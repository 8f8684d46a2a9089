/*
 * Statements: the lines of a Fortran text as statements and program units.
 *
 * Both forms are read.  Nothing is rewritten here; a line that is not valid Fortran counts as some statement.
 */
#ifndef KINST_STATEMENTS_H
#define KINST_STATEMENTS_H

#include <stdint.h>

#include "opari/base/kinst_text.h"
#include "opari/read/inclusion.h"

/* A statement, or another line of the text.  It is made of the lines first to last. */
struct kinst_statement {
	size_t first, last;
	char *text;      /* joined, without label and comments; "" for a line that is no statement */
	size_t n_label;  /* digits of its label; 0 when it has none */
	int shares_end;  /* a DO that ends with the statement of a DO around it (extent_fortran.h) */
	int is_data;     /* it is a directive of data.h, and `text` is what follows the word data */
	char *directive; /* of !$OMP and !$POMP: what follows the sentinel, joined; else NULL */
	int is_pomp;
	uint32_t unit;      /* the unit that it stands in; 0 when it stands in none */
	unsigned long line; /* the number of its first line in that file */
	struct kinst_span file;
	uint32_t inclusion; /* the number of the inclusion that it stands in */
};

enum kinst_unit_kind { KINST_OUTSIDE, KINST_MODULE, KINST_PROGRAM, KINST_PROCEDURE };

struct kinst_unit {
	enum kinst_unit_kind kind;
	uint32_t parent; /* the unit around it */
	int is_pure;
};

struct kinst_statements {
	int fixed;                /* as for kinst_fortran_columns */
	struct kinst_span *lines; /* without their newlines */
	size_t n_lines;
	struct kinst_statement *items;
	size_t n;
	struct kinst_inclusions inclusions;
	int has_cancel;           /* a directive has the word `cancel` in it */
	struct kinst_unit *units; /* units[0] is all that stands outside of units */
	size_t n_units, unit_room;
};

/*
 * Returns how many columns of fixed form count.
 *
 * fixed: 1 for fixed form as usual, or the number of columns, INT_MAX for any; 0 for free form
 */
static inline size_t kinst_fortran_columns(int fixed)
{
	return fixed == 1 ? 72 : (size_t)fixed;
}

/*
 * Reads a text, which must outlive the statements.
 *
 * fixed: its form, as for kinst_fortran_columns()
 * file:  its name until a line marker tells another
 */
void kinst_statements_read(struct kinst_statements *statements, const char *text, size_t length, int fixed,
                           const char *file);
void kinst_statements_free(struct kinst_statements *statements);

/* Returns what follows the word at p, blanks before it skipped, in any case; NULL when it does not stand there. */
const char *kinst_after_word(const char *p, const char *end, const char *word);

/*
 * Return what follows !$OMP or !$POMP at the beginning of a line, or `!$OMP INST DATA`; NULL when the line has none.
 */
const char *kinst_after_sentinel(const char *p, const char *end, int fixed);
const char *kinst_after_data(const char *p, const char *end, int fixed);

/* Returns what follows the string that begins at p. */
const char *kinst_after_string(const char *p, const char *end);

/*
 * Returns the comma or closing parenthesis that ends what begins at p, with strings and brackets skipped; `end` when
 * there is none.
 */
const char *kinst_next_stop(const char *p, const char *end);

/* Returns the text from p to end without the blanks around it. */
struct kinst_span kinst_trimmed(const char *p, const char *end);

/*
 * Returns the part of a line from a column on, up to its comment.
 *
 * quote: the quote of the string that the part begins in, and afterwards of the one that it ends in; 0 for none
 */
struct kinst_span kinst_code_of(struct kinst_span line, size_t from, char *quote);

/* Return what follows the word, or the parentheses, with which the statement goes on; NULL when it does not. */
const char *kinst_eat(const char *p, const char *word);
const char *kinst_eat_parentheses(const char *p);

/* Returns 1 when the statement ends a unit or procedure, and not a construct in it. */
int kinst_ends_unit(const char *text);

#endif
