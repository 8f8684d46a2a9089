/*
 * Text: a string builder on the caller's buffer.
 *
 * It never writes beyond the buffer: what does not fit is cut off, and the text is always terminated.  No malloc,
 * stdio, locale or floating point, so it works in a signal handler and under any locale and trap setting.
 */
#ifndef OMPP_BASE_TEXT_H
#define OMPP_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct ompp_text {
	char  *data;
	size_t n_bytes;                 /* without the terminating NUL */
	size_t capacity_bytes;          /* with it; at least 1 */
};

/* Start an empty text on the buffer; capacity_bytes is at least 1. */
void ompp_text_init(struct ompp_text *t, char *buffer, size_t capacity_bytes);

/* Append a string, its first n bytes, a byte, a byte n times. */
void ompp_text_str(struct ompp_text *t, const char *s);
void ompp_text_strn(struct ompp_text *t, const char *s, size_t n_bytes);
void ompp_text_char(struct ompp_text *t, char c);
void ompp_text_fill(struct ompp_text *t, char c, size_t n);

/* Append a number: decimal; hexadecimal in lower case without prefix; decimal with leading zeros up to n digits;
 * decimal with thin grouping, "534 513". */
void ompp_text_u64(struct ompp_text *t, uint64_t value);
void ompp_text_i64(struct ompp_text *t, int64_t value);
void ompp_text_hex(struct ompp_text *t, uint64_t value);
void ompp_text_zeros(struct ompp_text *t, uint64_t value, unsigned int n_digits);
void ompp_text_grouped(struct ompp_text *t, int64_t value);

/* Append value / 10^scale_digits (0 … 18) with shown_digits (0 … 18) after the point, rounded half away from zero:
 * (1234567, 6, 2) is "1.23".  What rounds to zero has no sign. */
void ompp_text_fixed(struct ompp_text *t, int64_t value, unsigned int scale_digits, unsigned int shown_digits);

/* Pad what was appended since from (an earlier n_bytes) to width columns: blanks after it, or before it.  UTF-8
 * continuation bytes take no column. */
void ompp_text_pad_left(struct ompp_text *t, size_t from, size_t width);
void ompp_text_pad_right(struct ompp_text *t, size_t from, size_t width);

/* The byte in lower case: of ASCII alone, whatever the locale. */
static inline char ompp_text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Are the words the same, without regard to case?  Of ASCII alone: strcasecmp() follows the locale, and in a Turkish
 * one "PLAIN" is not "plain". */
int ompp_text_same(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

/* Decimal digits at *s, which moves on behind them; UINT64_MAX when they are too many. */
uint64_t ompp_text_digits(const char **s);

/* Columns that s takes. */
size_t ompp_text_columns(const char *s);

#endif
