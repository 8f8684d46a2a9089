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
	char *data;
	size_t n_bytes;        /* without the terminating NUL */
	size_t capacity_bytes; /* with it; at least 1 */
};

/* Starts an empty text on the buffer; capacity_bytes is at least 1. */
void ompp_text_init(struct ompp_text *t, char *buffer, size_t capacity_bytes);

/* Append a string; its first n_bytes bytes; a byte; a byte n times. */
void ompp_text_str(struct ompp_text *t, const char *s);
void ompp_text_strn(struct ompp_text *t, const char *s, size_t n_bytes);
void ompp_text_char(struct ompp_text *t, char c);
void ompp_text_fill(struct ompp_text *t, char c, size_t n);

/* Append a number: decimal (u64, i64); hexadecimal in lower case without a prefix; decimal with zeros in front, up to
 * n_digits digits; decimal in groups of three digits, "534 513". */
void ompp_text_u64(struct ompp_text *t, uint64_t value);
void ompp_text_i64(struct ompp_text *t, int64_t value);
void ompp_text_hex(struct ompp_text *t, uint64_t value);
void ompp_text_zeros(struct ompp_text *t, uint64_t value, unsigned int n_digits);
void ompp_text_grouped(struct ompp_text *t, int64_t value);

/* Appends value / 10^scale_digits with shown_digits digits after the point, rounded half away from zero: (1234567, 6,
 * 2) is "1.23".  Both numbers of digits are from 0 to 18.  A value that is rounded to zero has no sign. */
void ompp_text_fixed(struct ompp_text *t, int64_t value, unsigned int scale_digits, unsigned int shown_digits);

/* Pad the end of the text, which begins at `from` (an earlier n_bytes), to `width` columns: by blanks behind it, or in
 * front of it.  Bytes that continue a character of UTF-8 take no column. */
void ompp_text_pad_left(struct ompp_text *t, size_t from, size_t width);
void ompp_text_pad_right(struct ompp_text *t, size_t from, size_t width);

/* Returns the byte in lower case.  Only letters of ASCII change, whatever the locale. */
static inline char ompp_text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* May the byte stand in names of programs: a letter of ASCII, a digit, or '_'? */
static inline int ompp_text_is_word(char c)
{
	char lower = ompp_text_lower(c);

	return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Returns 1 when the words are the same without regard to the case of ASCII letters.  strcasecmp() follows the locale,
 * and in a Turkish one "PLAIN" is not "plain". */
int ompp_text_same(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

int ompp_text_begins(const char *text, const char *with);

/* Returns the number that the decimal digits at *s make, and moves *s behind them; UINT64_MAX when it is too large. */
uint64_t ompp_text_digits(const char **s);

/* Returns how many columns s takes. */
size_t ompp_text_columns(const char *s);

#endif
