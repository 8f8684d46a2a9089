/*
 * PAPI: what the helper ompp-papi answers with.
 */
#ifndef OMPP_PAPI_PAPI_H
#define OMPP_PAPI_PAPI_H

#include "runtime/base/counter.h"

extern const struct ompp_papi ompp_papi_functions;

#endif
