/*
 * Decimal: what a computed number looks like.  It is not missing.
 */
#ifndef OMPP_DECIMAL_H
#define OMPP_DECIMAL_H

#include "runtime/base/expression.h"
#include "runtime/base/text.h"

/* For people, at most 20 columns: whole numbers as counts look, others with four digits ("0.01234"), from 1000 on with
 * one decimal ("1 234.5"), from 100 000 on with none; beyond 10^15 and below 0.0001 "1.235e+15". */
void ompp_decimal_short(struct ompp_text *t, struct ompp_decimal d);

/* For programs, at most 30 bytes: all digits, from 10^-9 to 10^21 without a power of ten. */
void ompp_decimal_full(struct ompp_text *t, struct ompp_decimal d);

#endif
