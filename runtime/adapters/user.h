/*
 * User: the Fortran names of the functions of ompp.h; strings come with a hidden length.
 */
#ifndef OMPP_ADAPTERS_USER_H
#define OMPP_ADAPTERS_USER_H

#include <stddef.h>

void ompp_region_begin_(const char *name, size_t n);
void ompp_region_end_(const char *name, size_t n);
void ompp_off_(void);
void ompp_on_(void);
void ompp_dump_(void);

/* kinst --functions=LIST, from a constructor that kinst adds to the program: used where OMPP_FUNCTIONS is not set. */
void ompp_functions_default(const char *list);

#endif
