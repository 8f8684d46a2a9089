/*
 * Clean: see clean.h.
 */
#include "runtime/base/clean.h"

#include <stdint.h>
#include <string.h>

static int is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* Decodes the character at the beginning of s, which is not at its end, and returns its length in bytes; 0 when it is
 * not UTF-8 (cut off, too long a form, a surrogate, beyond U+10FFFF). */
static size_t clean_decode(const unsigned char *s, uint32_t *code)
{
	static const struct {
		unsigned char mask, is;
		uint32_t least;
	} forms[] = {
		{ 0x80, 0x00, 0 },
		{ 0xe0, 0xc0, 0x80 },
		{ 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};

	for (size_t n = 1; n <= 4; n++) {
		if ((s[0] & forms[n - 1].mask) != forms[n - 1].is)
			continue;
		*code = s[0] & (unsigned char)~forms[n - 1].mask;
		for (size_t i = 1; i < n; i++) {
			if (!is_continuation(s[i]))
				return 0;
			*code = *code << 6 | (s[i] & 0x3fu);
		}
		return *code < forms[n - 1].least || (*code >= 0xd800 && *code < 0xe000) || *code > 0x10ffff ? 0 : n;
	}
	return 0;
}

/* Returns 1 for what is cleaned: C0, DEL, C1; the Arabic letter mark, marks and overrides of direction, isolates;
 * separators of lines and paragraphs. */
static int is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t ompp_clean_bytes(const char *s, int keep_lines)
{
	size_t n = 0, length;
	uint32_t code;

	while (s[n] && (length = clean_decode((const unsigned char *)s + n, &code)) &&
	       (!is_control(code) || (keep_lines && code == '\n')))
		n += length;
	return n;
}

size_t ompp_clean_escape(const char *s, char escape[OMPP_ESCAPE_BYTES])
{
	static const char letters[] = "tn\0\0r"; /* of the codes from 9 on */
	uint32_t code = (unsigned char)s[0];
	size_t length = clean_decode((const unsigned char *)s, &code), n_digits = length && code >= 0x80 ? 4 : 2, n = 0;

	escape[n++] = '\\';
	if (length && code >= '\t' && code <= '\r' && letters[code - '\t']) {
		escape[n++] = letters[code - '\t'];
	} else {
		escape[n++] = n_digits == 4 ? 'u' : 'x';
		for (size_t i = n_digits; i-- > 0;)
			escape[n++] = "0123456789abcdef"[(length ? code : (unsigned char)s[0]) >> 4 * i & 15];
	}
	escape[n] = '\0';
	return length ? length : 1;
}

void ompp_clean(struct ompp_text *t, const char *s, int keep_lines)
{
	char escape[OMPP_ESCAPE_BYTES];

	while (*s) {
		size_t n = ompp_clean_bytes(s, keep_lines);

		ompp_text_strn(t, s, n);
		s += n;
		if (*s) {
			s += ompp_clean_escape(s, escape);
			ompp_text_str(t, escape);
		}
	}
}

int ompp_is_clean(const char *s, int keep_lines)
{
	return !s[ompp_clean_bytes(s, keep_lines)];
}

int ompp_is_plain_word(const char *word)
{
	const char *p = word;

	while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p && strchr("0123456789_-+=./,:@%", *p)))
		p++;
	return p > word && !*p;
}

const char *ompp_clean_copy(const char *s, int keep_lines, struct ompp_arena *arena)
{
	struct ompp_text t;
	char *buffer;
	size_t n;

	if (ompp_is_clean(s, keep_lines))
		return s;
	n = strlen(s) * OMPP_CLEAN_MOST + 1;
	buffer = ompp_arena_alloc(arena, n);
	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_clean(&t, s, keep_lines);
	return buffer;
}
