/*
 * Quote: see quote.h.
 */
#include "reports/exchange/quote.h"

#include <stdint.h>
#include <stdio.h>

/* Returns the length of the character of UTF-8 at s, and its code; 0 when there is none. */
static size_t quote_character(const unsigned char *s, uint32_t *code)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	uint32_t c = n == 1 ? s[0] : s[0] & (0x7fu >> n);

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 63);
	}
	if ((n == 3 && c < 0x800) || (n == 4 && (c < 0x10000 || c > 0x10ffff)) || (c >= 0xd800 && c < 0xe000))
		return 0;
	*code = c;
	return n;
}

static int is_harmless(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&')
		return 0;
	return c != 0x61c && c != 0x200e && c != 0x200f && !(c >= 0x2028 && c <= 0x202e) &&
	       !(c >= 0x2066 && c <= 0x2069) && c != 0xfeff;
}

void ompp_json_quote(const char *s, void (*put)(void *to, const char *bytes, size_t n_bytes), void *to)
{
	put(to, "\"", 1);
	while (*s) {
		uint32_t code = 0;
		size_t n = quote_character((const unsigned char *)s, &code);
		char escaped[8];

		if (n && is_harmless(code)) {
			put(to, s, n);
		} else {
			snprintf(escaped, sizeof(escaped), "\\u%04x", n ? (unsigned int)code & 0xffff : 0xfffdu);
			put(to, escaped, 6);
		}
		s += n ? n : 1;
	}
	put(to, "\"", 1);
}
