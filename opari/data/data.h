/*
 * Data: the directives `inst data`, by which a program names its data.
 *
 *     #pragma omp inst data(pointer, bytes, "name") [private] [each | sum]            also `pomp`
 *     #pragma omp inst data end("name")
 *     !$POMP INST DATA(array, bytes, 'name') [PRIVATE] [EACH | SUM]                   also !$OMP
 *
 * bytes and name may be left out.  What is malformed has no effect but a message.
 */
#ifndef KINST_DATA_H
#define KINST_DATA_H

#include <stddef.h>

#include "opari/base/text.h"
#include "opari/command/command.h"
#include "opari/data/marks.h"

/* What is said of an expression without a size, in C by the compiler. */
#define KINST_DATA_NO_BYTES "how much memory it names is not known from its type; write data(pointer, bytes)"

/* Flags of ompp_data_enter(): the clauses, and LASTS: nobody will call ompp_data_leave(); NESTED: a container's elements
 * are containers, too. */
enum { KINST_DATA_PRIVATE = 1, KINST_DATA_LASTS = 2, KINST_DATA_EACH = 4, KINST_DATA_SUM = 8, KINST_DATA_NESTED = 16 };

/* One directive.  The spans are of its text, without blanks around them. */
struct kinst_data {
	int end;                        /* end(name): the others are left out */
	int flags;                      /* the clauses */
	struct kinst_span address, bytes;
	struct kinst_span name;         /* with its quotes; in C all adjacent strings */
	const char *problem;            /* NULL, or "what is wrong; what to do" */
};

/* Has the text such a directive?  `fixed`: the form of Fortran. */
int kinst_data_in(const char *text, size_t length, enum kinst_language language, int fixed);

/* Is the line of a C pragma such a directive?  *rest: what follows the word data. */
int kinst_data_is_pragma(const char *line, size_t length, struct kinst_span *rest);

/* Read what follows the word data. */
void kinst_data_read(struct kinst_span rest, enum kinst_language language, struct kinst_data *data);

/* Add a message about a directive: "kinst: FILE:LINE: inst data: problem". */
void kinst_data_complain(struct kinst_text *messages, struct kinst_span file, unsigned long line,
			 const char *problem);

/* Add the text of an expression as a string of C; blanks in it are one blank. */
void kinst_data_put_quoted(struct kinst_text *out, struct kinst_span span);

/* Read a clause.  NULL, or what is wrong; what to do. */
const char *kinst_data_read_clause(struct kinst_span word, struct kinst_data *data);

/* Make calls of the directives of a preprocessed C or C++ text; the result has the lines of the text.  `marks` may be
 * NULL.  Returns how many directives the text had: with 0, and when it is too large, there is no result. */
size_t kinst_data_rewrite(const char *text, size_t length, int cxx, struct kinst_marks *marks,
			  struct kinst_text *result, struct kinst_text *messages);

/* Preprocessors leave macros in pragmas as they are.  From the same text with its definitions (-E -dD), make
 * a text whose preprocessing answers what the arguments expand to.  Returns how many answers are wanted.
 * `pomp_only`: the preprocessor expands those that are spelled omp by itself (clang). */
size_t kinst_data_ask(const char *text, size_t length, int pomp_only, struct kinst_text *questions);

/* The text with the arguments expanded.  0, or -EPROTO when the answers do not belong to the text. */
int kinst_data_expand(const char *text, size_t length, int pomp_only, const char *answers, size_t n_answers,
		      struct kinst_text *result);

#endif
