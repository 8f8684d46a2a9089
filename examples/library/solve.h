/*
 * solve.h: the library of the example; both functions open parallel regions.
 */
#ifndef SOLVE_H
#define SOLVE_H

double solve_sum(const double *values, int n);
void   solve_fill(double *values, int n);

#endif
