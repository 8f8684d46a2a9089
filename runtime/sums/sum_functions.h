/*
 * Functions: finds where the functions that became regions are in the source.
 */
#ifndef OMPP_SUMS_SUM_FUNCTIONS_H
#define OMPP_SUMS_SUM_FUNCTIONS_H

/* Asks debug information about those functions that no earlier report asked about.  When several have the same place
 * and name, such as a function in a header that several libraries include, all are shown as the first.  One report at
 * a time may call it. */
void ompp_functions_place(void);

#endif
