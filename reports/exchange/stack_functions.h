/*
 * Stack functions: the functions that were sampled, each once, as frames of stacks.
 */
#ifndef OMPP_STACK_FUNCTIONS_H
#define OMPP_STACK_FUNCTIONS_H

#include "reports/analysis/hot_functions.h"

/* Hot spots of one name and file are one function.  Those of the OpenMP library have none. */
struct ompp_stack_functions {
	uint32_t *function_of; /* by hot spot: the number of its function */
	uint32_t *spot_of;     /* by function: one of its hot spots */
	const char **names;    /* by hot spot: the name of its function, as it is */
	uint32_t n;
};

/* Fills it in, in the analysis's arena.  Returns 0 or -ENOMEM. */
int ompp_stack_functions(const struct ompp_analysis *a, struct ompp_stack_functions *functions);

#endif
