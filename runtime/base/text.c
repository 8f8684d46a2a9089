/*
 * Text: see text.h.
 */
#include "runtime/base/text.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/check.h"

void ompp_text_init(struct ompp_text *t, char *buffer, size_t capacity_bytes)
{
	ompp_assert(capacity_bytes);
	t->data = buffer;
	t->n_bytes = 0;
	t->capacity_bytes = capacity_bytes;
	t->data[0] = '\0';
}

static size_t text_room(const struct ompp_text *t)
{
	return t->capacity_bytes - 1 - t->n_bytes;
}

void ompp_text_strn(struct ompp_text *t, const char *s, size_t n_bytes)
{
	if (n_bytes > text_room(t))
		n_bytes = text_room(t);
	memcpy(t->data + t->n_bytes, s, n_bytes);
	t->n_bytes += n_bytes;
	t->data[t->n_bytes] = '\0';
}

void ompp_text_str(struct ompp_text *t, const char *s)
{
	ompp_text_strn(t, s, strlen(s));
}

void ompp_text_fill(struct ompp_text *t, char c, size_t n)
{
	if (n > text_room(t))
		n = text_room(t);
	memset(t->data + t->n_bytes, c, n);
	t->n_bytes += n;
	t->data[t->n_bytes] = '\0';
}

void ompp_text_char(struct ompp_text *t, char c)
{
	ompp_text_fill(t, c, 1);
}

enum { DIGITS_BYTES = 64, MOST_ZEROS = 32, MOST_DIGITS = 18 };

/* Writes the decimal digits of a value in front of `end`, at least n_min of them.  Returns where they begin.  Two
 * digits a division, as reports of large programs are made of some ten million numbers. */
static char *put_digits(char *end, uint64_t value, unsigned int n_min)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
				    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";
	char *p = end, *least = end - (n_min < MOST_ZEROS ? n_min : MOST_ZEROS);

	for (; value >= 100; value /= 100) {
		const char *pair = pairs + value % 100 * 2;

		*--p = pair[1];
		*--p = pair[0];
	}
	if (value >= 10) {
		*--p = pairs[value * 2 + 1];
		*--p = pairs[value * 2];
	} else if (value) {
		*--p = (char)('0' + value);
	}
	while (p > least)
		*--p = '0';
	return p;
}

/* Appends what stands from p to `end`. */
static void text_put(struct ompp_text *t, const char *p, const char *end)
{
	ompp_text_strn(t, p, (size_t)(end - p));
}

/* Appends the digits of a value in groups of three. */
static void put_grouped(struct ompp_text *t, uint64_t value)
{
	char digits[DIGITS_BYTES], buffer[DIGITS_BYTES], *to = buffer + DIGITS_BYTES;
	const char *begin = put_digits(digits + DIGITS_BYTES, value, 1), *from = digits + DIGITS_BYTES;

	for (unsigned int n = 0; from > begin; n++) {
		if (n && n % 3 == 0)
			*--to = ' ';
		*--to = *--from;
	}
	text_put(t, to, buffer + DIGITS_BYTES);
}

static uint64_t text_magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

void ompp_text_u64(struct ompp_text *t, uint64_t value)
{
	ompp_text_zeros(t, value, 1);
}

void ompp_text_i64(struct ompp_text *t, int64_t value)
{
	if (value < 0)
		ompp_text_char(t, '-');
	ompp_text_u64(t, text_magnitude(value));
}

void ompp_text_hex(struct ompp_text *t, uint64_t value)
{
	char buffer[DIGITS_BYTES], *end = buffer + DIGITS_BYTES, *p = end;

	do {
		*--p = "0123456789abcdef"[value % 16];
		value /= 16;
	} while (value);
	text_put(t, p, end);
}

void ompp_text_zeros(struct ompp_text *t, uint64_t value, unsigned int n_digits)
{
	char buffer[DIGITS_BYTES], *end = buffer + DIGITS_BYTES;

	text_put(t, put_digits(end, value, n_digits), end);
}

void ompp_text_grouped(struct ompp_text *t, int64_t value)
{
	if (value < 0)
		ompp_text_char(t, '-');
	put_grouped(t, text_magnitude(value));
}

static uint64_t power_of_ten(unsigned int n)
{
	static const uint64_t powers[] = {
		1,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
	};

	return powers[n < OMPP_COUNT_OF(powers) ? n : OMPP_COUNT_OF(powers) - 1];
}

void ompp_text_fixed(struct ompp_text *t, int64_t value, unsigned int scale_digits, unsigned int shown_digits)
{
	char buffer[DIGITS_BYTES], *end = buffer + DIGITS_BYTES, *p;
	uint64_t v = text_magnitude(value), unit;
	unsigned int n_zeros = 0;

	ompp_assert(scale_digits <= MOST_DIGITS && shown_digits <= MOST_DIGITS);
	if (scale_digits > shown_digits) {
		uint64_t cut = power_of_ten(scale_digits - shown_digits);

		v = v / cut + (v % cut >= cut - cut / 2);
		scale_digits = shown_digits;
	} else {
		n_zeros = shown_digits - scale_digits;
	}
	unit = power_of_ten(scale_digits);
	p = end;
	if (shown_digits) {
		p = put_digits(p, v % unit, scale_digits);
		*--p = '.';
	}
	p = put_digits(p, v / unit, 1);
	if (value < 0 && v)
		*--p = '-';
	text_put(t, p, end);
	if (n_zeros)
		ompp_text_fill(t, '0', n_zeros);
}

static size_t text_columns(const char *s, size_t n_bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < n_bytes; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

size_t ompp_text_columns(const char *s)
{
	return text_columns(s, strlen(s));
}

void ompp_text_pad_right(struct ompp_text *t, size_t from, size_t width)
{
	size_t n = text_columns(t->data + from, t->n_bytes - from);

	if (n < width)
		ompp_text_fill(t, ' ', width - n);
}

void ompp_text_pad_left(struct ompp_text *t, size_t from, size_t width)
{
	size_t n_bytes = t->n_bytes - from;
	size_t n = text_columns(t->data + from, n_bytes), blanks;

	if (n >= width)
		return;
	blanks = width - n;
	ompp_text_fill(t, ' ', blanks);
	blanks = t->n_bytes - from - n_bytes; /* what fitted */
	memmove(t->data + from + blanks, t->data + from, n_bytes);
	memset(t->data + from, ' ', blanks);
}

int ompp_text_same(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	size_t i;

	if (a_bytes != b_bytes)
		return 0;
	for (i = 0; i < a_bytes && ompp_text_lower(a[i]) == ompp_text_lower(b[i]); i++)
		;
	return i == a_bytes;
}

int ompp_text_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

uint64_t ompp_text_digits(const char **s)
{
	uint64_t v = 0;

	for (; **s >= '0' && **s <= '9'; ++*s)
		v = v > (UINT64_MAX - 9) / 10 ? UINT64_MAX : v * 10 + (uint64_t)(**s - '0');
	return v;
}
