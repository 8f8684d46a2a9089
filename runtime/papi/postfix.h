/*
 * Postfix: PAPI's formula of a derived preset, "N0|N1|2|*|+|", as a sum of native events with whole factors.
 */
#ifndef OMPP_PAPI_POSTFIX_H
#define OMPP_PAPI_POSTFIX_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_POSTFIX_TERMS = 24 };

/* The factor of each of n_terms events, at most OMPP_POSTFIX_TERMS.  0; -ENOTSUP: no such sum (a quotient
 * of events, a clock rate, a constant beside them); -EINVAL: not a formula. */
int ompp_postfix_factors(const char *postfix, size_t n_terms, int32_t *factors);

#endif
