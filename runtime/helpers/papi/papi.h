/*
 * PAPI: the functions by which the helper ompp-papi answers.
 */
#ifndef OMPP_PAPI_PAPI_H
#define OMPP_PAPI_PAPI_H

#include "runtime/counters/counter.h"

extern const struct ompp_papi ompp_papi_functions;

#endif
