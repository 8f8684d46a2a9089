/*
 * Data in Fortran: the directives of data.h, and the calls that are made of them.
 *
 * opari2 gets comments in the place of each; behind it the comments become a BLOCK with an interface of its
 * own, so that the names, types and declarations of the program do not matter.  A range on the stack ends
 * with the procedure: before each exit of it stands another such BLOCK.
 */
#ifndef KINST_DATA_FORTRAN_H
#define KINST_DATA_FORTRAN_H

#include "opari/data/data.h"

/* Does such a directive begin on this line? */
int kinst_data_is_line(const char *line, size_t length, int fixed);

/* Read what follows the word data; continuations are joined. */
void kinst_data_read_fortran(struct kinst_span rest, struct kinst_data *data);

/* Make comments of all directives `!$omp inst …`, which gfortran -fopenmp rejects.  1: there was one. */
int kinst_data_fortran_consume(char *text, size_t length, int fixed);

/* What the line of a call begins with on its way through opari2, a comment to it. */
#define KINST_DATA_HIDDEN "!k_d:"

/* The text with hidden calls as they are to be compiled. */
void kinst_data_fortran_show(const struct kinst_text *hidden, struct kinst_text *result);

struct kinst_fortran_data_options {
	int fixed;
	const char *file;               /* of a text that does not begin with a line marker */
	const char *std;                /* the value of -std=, or NULL */
	struct kinst_marks *marks; /* or NULL */
};

/* Make hidden calls of the directives; else the result is the text, line for line by its markers.  Returns
 * how many directives there are: with 0 there is no result. */
size_t kinst_data_fortran_rewrite(const char *text, size_t length,
				  const struct kinst_fortran_data_options *options, struct kinst_text *result,
				  struct kinst_text *messages);

#endif
