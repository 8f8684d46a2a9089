/*
 * Text: see text.h.
 */
#include "runtime/base/text.h"

#include <string.h>

void ompp_text_init(struct ompp_text *t, char *buffer, size_t capacity_bytes)
{
	t->data = buffer;
	t->n_bytes = 0;
	t->capacity_bytes = capacity_bytes;
	t->data[0] = '\0';
}

static size_t room(const struct ompp_text *t)
{
	return t->capacity_bytes - 1 - t->n_bytes;
}

void ompp_text_strn(struct ompp_text *t, const char *s, size_t n_bytes)
{
	if (n_bytes > room(t))
		n_bytes = room(t);
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
	if (n > room(t))
		n = room(t);
	memset(t->data + t->n_bytes, c, n);
	t->n_bytes += n;
	t->data[t->n_bytes] = '\0';
}

void ompp_text_char(struct ompp_text *t, char c)
{
	ompp_text_fill(t, c, 1);
}

/* Appends the digits of a value, at least n_min of them, in groups of three when `grouped` is 1. */
static void digits(struct ompp_text *t, uint64_t value, unsigned int base, unsigned int n_min, int grouped)
{
	char buffer[64], *end = buffer + sizeof(buffer), *p = end;
	unsigned int n = 0;

	if (n_min > 32)
		n_min = 32;
	while (value || n < n_min) {
		if (grouped && n && n % 3 == 0)
			*--p = ' ';
		*--p = "0123456789abcdef"[value % base];
		value /= base;
		n++;
	}
	ompp_text_strn(t, p, (size_t)(end - p));
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

void ompp_text_u64(struct ompp_text *t, uint64_t value)
{
	digits(t, value, 10, 1, 0);
}

void ompp_text_i64(struct ompp_text *t, int64_t value)
{
	if (value < 0)
		ompp_text_char(t, '-');
	digits(t, magnitude(value), 10, 1, 0);
}

void ompp_text_hex(struct ompp_text *t, uint64_t value)
{
	digits(t, value, 16, 1, 0);
}

void ompp_text_zeros(struct ompp_text *t, uint64_t value, unsigned int n_digits)
{
	digits(t, value, 10, n_digits, 0);
}

void ompp_text_grouped(struct ompp_text *t, int64_t value)
{
	if (value < 0)
		ompp_text_char(t, '-');
	digits(t, magnitude(value), 10, 1, 1);
}

static uint64_t power_of_ten(unsigned int n)
{
	uint64_t p = 1;

	while (n--)
		p *= 10;
	return p;
}

void ompp_text_fixed(struct ompp_text *t, int64_t value, unsigned int scale_digits, unsigned int shown_digits)
{
	uint64_t v = magnitude(value), unit;
	unsigned int n_zeros = 0;

	if (scale_digits > shown_digits) {
		uint64_t cut = power_of_ten(scale_digits - shown_digits);

		v = v / cut + (v % cut >= cut - cut / 2);
		scale_digits = shown_digits;
	} else {
		n_zeros = shown_digits - scale_digits;
	}
	unit = power_of_ten(scale_digits);
	if (value < 0 && v)
		ompp_text_char(t, '-');
	ompp_text_u64(t, v / unit);
	if (!shown_digits)
		return;
	ompp_text_char(t, '.');
	digits(t, v % unit, 10, scale_digits, 0);
	ompp_text_fill(t, '0', n_zeros);
}

static size_t columns(const char *s, size_t n_bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < n_bytes; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

size_t ompp_text_columns(const char *s)
{
	return columns(s, strlen(s));
}

void ompp_text_pad_right(struct ompp_text *t, size_t from, size_t width)
{
	size_t n = columns(t->data + from, t->n_bytes - from);

	if (n < width)
		ompp_text_fill(t, ' ', width - n);
}

void ompp_text_pad_left(struct ompp_text *t, size_t from, size_t width)
{
	size_t n_bytes = t->n_bytes - from;
	size_t n = columns(t->data + from, n_bytes), blanks;

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

uint64_t ompp_text_digits(const char **s)
{
	uint64_t v = 0;

	for (; **s >= '0' && **s <= '9'; ++*s)
		v = v > (UINT64_MAX - 9) / 10 ? UINT64_MAX : v * 10 + (uint64_t)(**s - '0');
	return v;
}
