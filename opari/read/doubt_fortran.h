/*
 * Doubt, Fortran: whether compilers may refuse a directive of Fortran, or its end, where they take the text with calls
 * in it (doubt.h).
 */
#ifndef KINST_DOUBT_FORTRAN_H
#define KINST_DOUBT_FORTRAN_H

#include "opari/read/extent_fortran.h"

/* Returns 1 when there is doubt about a directive whose extent was found, or about the one that ends it. */
int kinst_doubt_fortran(const struct kinst_statements *all, const struct kinst_fortran_extent *extent);

#endif
