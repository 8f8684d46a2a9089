/*
 * Decimal: see decimal.h.
 */
#include "reports/writers/decimal.h"

enum { MOST_FIXED = 18 }; /* most decimals that ompp_text_fixed() takes */

/* Returns the decimal exponent of the first digit. */
static int32_t power_of(struct ompp_decimal d)
{
	int32_t power = d.exponent;

	for (int64_t m = d.mantissa / 10; m; m /= 10)
		power++;
	return power;
}

static int64_t times_ten(int64_t m, int32_t n)
{
	while (n-- > 0)
		m *= 10;
	return m;
}

/* Returns the number rounded to a multiple of 10^exponent; halves are rounded away from zero. */
static struct ompp_decimal decimal_cut(struct ompp_decimal d, int32_t exponent)
{
	int64_t unit, half;

	if (d.exponent >= exponent)
		return d;
	unit = times_ten(1, exponent - d.exponent);
	half = d.mantissa < 0 ? -unit / 2 : unit / 2;
	return (struct ompp_decimal){ (d.mantissa + half) / unit, exponent };
}

/* Adds it as "-1.235e+15". */
static void put_power(struct ompp_text *t, struct ompp_decimal d)
{
	int32_t power = power_of(d);
	unsigned int n_behind = (unsigned int)(power - d.exponent);

	ompp_text_fixed(t, d.mantissa, n_behind, n_behind);
	ompp_text_str(t, power < 0 ? "e-" : "e+");
	ompp_text_zeros(t, (uint64_t)(power < 0 ? -power : power), 2);
}

void ompp_decimal_short(struct ompp_text *t, struct ompp_decimal d)
{
	int32_t power = power_of(d), n_behind = power < 3 ? 3 - power : power < 5;
	int64_t unit, magnitude;

	if (d.exponent >= 0 && power < 15) {
		ompp_text_grouped(t, times_ten(d.mantissa, d.exponent));
		return;
	}
	if (power < -4 || power >= 15) {
		d = decimal_cut(d, power - 3);
		put_power(t, decimal_cut(d, power_of(d) - 3)); /* 9999.9 has become 10000 */
		return;
	}
	d = decimal_cut(d, -n_behind);
	magnitude = times_ten(d.mantissa < 0 ? -d.mantissa : d.mantissa, d.exponent + n_behind);
	unit = times_ten(1, n_behind);
	ompp_text_str(t, d.mantissa < 0 ? "-" : "");
	ompp_text_grouped(t, magnitude / unit);
	if (!n_behind)
		return;
	ompp_text_char(t, '.');
	ompp_text_zeros(t, (uint64_t)(magnitude % unit), (unsigned int)n_behind);
}

void ompp_decimal_full(struct ompp_text *t, struct ompp_decimal d)
{
	int32_t power = power_of(d), n_behind = -d.exponent;

	if (power > 20 || power < -9) {
		put_power(t, d);
	} else if (n_behind <= 0) {
		ompp_text_i64(t, d.mantissa);
		ompp_text_fill(t, '0', (size_t)d.exponent);
	} else if (n_behind <= MOST_FIXED) {
		ompp_text_fixed(t, d.mantissa, (unsigned int)n_behind, (unsigned int)n_behind);
	} else {
		ompp_text_str(t, d.mantissa < 0 ? "-0." : "0.");
		ompp_text_fill(t, '0', (size_t)(n_behind - MOST_FIXED));
		ompp_text_zeros(t, (uint64_t)(d.mantissa < 0 ? -d.mantissa : d.mantissa), MOST_FIXED);
	}
}

void ompp_decimal_plain(struct ompp_text *t, struct ompp_decimal d)
{
	unsigned int n_behind = (unsigned int)-d.exponent;

	if (n_behind)
		ompp_text_fixed(t, d.mantissa, n_behind, n_behind);
	else
		ompp_text_grouped(t, d.mantissa);
}
