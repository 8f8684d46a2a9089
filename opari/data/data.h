/*
 * Data: the directives `inst data`, by which a program names its data.
 *
 *     #pragma omp inst data(pointer, bytes, "name") [private] [each | sum]            also `pomp`
 *     #pragma omp inst data end("name")
 *     !$POMP INST DATA(array, bytes, 'name') [PRIVATE] [EACH | SUM]                   also !$OMP
 *
 * bytes and name may be left out.  A malformed directive has no effect but a message.
 */
#ifndef KINST_DATA_H
#define KINST_DATA_H

#include <stddef.h>

#include "opari/base/kinst_text.h"
#include "opari/read/lexer.h"

/* The message about an expression whose size is not known; in C the compiler says it. */
#define KINST_DATA_NO_BYTES "its type does not tell how much memory it names; write data(pointer, bytes)"

/* Flags of ompp_data_enter(). */
enum {
	KINST_DATA_PRIVATE = 1, /* the clause `private` */
	KINST_DATA_LASTS = 2,   /* ompp_data_leave() will not be called */
	KINST_DATA_EACH = 4,    /* the clause `each` */
	KINST_DATA_SUM = 8,     /* the clause `sum` */
	KINST_DATA_NESTED = 16  /* the elements of a container are containers, too */
};

/* One directive.  The spans lie in its text, without the blanks around them. */
struct kinst_data {
	int end;   /* it is `end(name)`, and only `name` is set */
	int flags; /* the clauses */
	struct kinst_span address, bytes;
	struct kinst_span name; /* with its quotes; in C all adjacent strings */
	const char *problem;    /* NULL, or "what is wrong; what to do" */
};

/* Returns 1 when a text of C or C++ has such a directive. */
int kinst_data_in(const char *text, size_t length);

/* Returns 1 when a line is the pragma of such a directive; *rest is what follows the word data. */
int kinst_data_is_pragma(const char *line, size_t length, struct kinst_span *rest);

/* Reads what follows the word data. */
void kinst_data_read(struct kinst_span rest, int cxx, struct kinst_data *data);

/* Finds the text between the parentheses in what follows the word data.  Returns 0 when there is none. */
int kinst_data_arguments(const struct kinst_tokens *tokens, struct kinst_span *arguments);

/* Returns the length of the line that begins at p, with those that continue it. */
size_t kinst_data_line_length(const char *p, const char *end);

/*
 * Returns what follows the word at p, in any case, with blanks before it skipped; NULL when another word stands
 * there.
 */
const char *kinst_data_after_word(const char *p, const char *end, const char *word);

/* Adds a message about a directive: "kinst: FILE:LINE: inst data: problem". */
void kinst_data_complain(struct kinst_text *messages, struct kinst_span file, unsigned long line, const char *problem);

/* Adds the text of an expression as a string of C; blanks in it become one. */
void kinst_data_put_quoted(struct kinst_text *out, struct kinst_span span);

/* Reads a clause.  Returns NULL, or what is wrong and what to do. */
const char *kinst_data_read_clause(struct kinst_span word, struct kinst_data *data);

#endif
