/*
 * Functions: finds the locations of the functions that became regions.
 */
#ifndef OMPP_COLLECT_SUM_FUNCTIONS_H
#define OMPP_COLLECT_SUM_FUNCTIONS_H

/* Looks up in debug information the functions that no earlier report has looked up.  When several have the same
 * location and name, such as a function in a header that several libraries include, all are shown as the first.  Only
 * one report at a time may call it. */
void ompp_functions_locate(void);

#endif
