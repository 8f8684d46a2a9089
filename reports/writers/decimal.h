/*
 * Decimal: formats computed numbers that are not missing.
 */
#ifndef OMPP_DECIMAL_H
#define OMPP_DECIMAL_H

#include "runtime/base/text.h"
#include "runtime/counters/expression.h"

/* Adds it for people, at most 20 columns.  Whole numbers look as counts do.  Others have four digits ("0.01234"), from
 * 1000 on one decimal ("1 234.5"), from 100 000 on none; beyond 10^15 and below 0.0001 it is "1.235e+15". */
void ompp_decimal_short(struct ompp_text *t, struct ompp_decimal d);

/* Adds it for people with exactly its digits, "12.3" or "12 300".  The exponent is from -9 to 0. */
void ompp_decimal_plain(struct ompp_text *t, struct ompp_decimal d);

/* Adds it for programs, at most 30 bytes: all digits, and from 10^-9 to 10^21 no power of ten. */
void ompp_decimal_full(struct ompp_text *t, struct ompp_decimal d);

#endif
