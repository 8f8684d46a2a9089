/*
 * Sampling: see sampling.h.
 */
#include "runtime/sources/sampling.h"

struct ompp_sampling ompp_sampling = { .source = "", .latencies = "" };
