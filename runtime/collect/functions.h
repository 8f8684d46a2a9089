/*
 * Functions: where those that became regions are in the source.
 */
#ifndef OMPP_COLLECT_FUNCTIONS_H
#define OMPP_COLLECT_FUNCTIONS_H

/* Asks debug information about the functions that no report asked about before.  Of several at one place under one name, as a
 * function in a header that several libraries have, all are shown as the first.  A report at a time. */
void ompp_functions_place(void);

#endif
