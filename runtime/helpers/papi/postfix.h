/*
 * Postfix: reads PAPI's formula of a derived preset, "N0|N1|2|*|+|", as a sum of native events with whole factors.
 */
#ifndef OMPP_PAPI_POSTFIX_H
#define OMPP_PAPI_POSTFIX_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_POSTFIX_TERMS = 24 };

/* Finds the factor of each of the n_terms events, at most OMPP_POSTFIX_TERMS.  Returns 0; -ENOTSUP when it is no such
 * sum, but has a quotient of events, a clock rate, or a constant beside the events; -EINVAL when it is not a
 * formula. */
int ompp_postfix_factors(const char *postfix, size_t n_terms, int32_t *factors);

#endif
