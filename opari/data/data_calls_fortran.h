/*
 * Data, calls in Fortran: the calls that are made of the directives of data.h.
 *
 * A call becomes a BLOCK with an interface of its own, so that the names, types and declarations of the program do
 * not matter.  A range on the stack ends with the procedure: before each exit of it stands another such BLOCK.  At
 * first the calls are hidden in comments, which opari2 passes over.
 */
#ifndef KINST_DATA_CALLS_FORTRAN_H
#define KINST_DATA_CALLS_FORTRAN_H

#include "opari/base/kinst_text.h"
#include "opari/data/marks.h"

/* The line of a call begins with this while it is hidden. */
#define KINST_DATA_HIDDEN "!k_d:"

struct kinst_data_calls_fortran {
	int fixed;                 /* the form, as for kinst_fortran_columns() */
	const char *file;          /* the name of a text that does not begin with a line marker */
	const char *std;           /* the value of -std=, or NULL */
	struct kinst_marks *marks; /* the places of the directives, or NULL */
	int is_whole;              /* no line marker may stand inside of a statement (write_fortran.h) */
};

/*
 * Makes hidden calls of the directives; the rest of the result is the text, line for line by its markers.  Returns
 * how many directives there are.  With 0 there is no result.
 */
size_t kinst_data_calls_fortran_rewrite(const char *text, size_t length, const struct kinst_data_calls_fortran *options,
                                        struct kinst_text *result, struct kinst_text *messages);

/* Adds the text with its hidden calls as they are to be compiled. */
void kinst_data_calls_fortran_show(const struct kinst_text *hidden, struct kinst_text *result);

#endif
