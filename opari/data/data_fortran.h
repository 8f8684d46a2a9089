/*
 * Data in Fortran: the directives of data.h as Fortran writes them.
 *
 * fixed: the form of the text, as for kinst_fortran_columns()
 */
#ifndef KINST_DATA_FORTRAN_H
#define KINST_DATA_FORTRAN_H

#include "opari/data/data.h"

/* Returns 1 when such a directive begins on this line. */
int kinst_data_is_line(const char *line, size_t length, int fixed);

/* Returns 1 when a text has such a directive. */
int kinst_data_in_fortran(const char *text, size_t length, int fixed);

/* Reads what follows the word data; continued lines are joined already. */
void kinst_data_read_fortran(struct kinst_span rest, struct kinst_data *data);

/*
 * Makes comments of all directives `!$omp inst`, which gfortran -fopenmp rejects; it changes the text in place.
 * Returns 1 when there was one.
 */
int kinst_data_consume_fortran(char *text, size_t length, int fixed);

#endif
