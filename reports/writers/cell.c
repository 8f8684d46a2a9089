/*
 * Cell: see cell.h.
 */
#include "reports/writers/cell.h"

#include <string.h>

#include "runtime/base/clean.h"

static int is_formula(const char *text)
{
	static const char *const signs[] = { "=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		size_t n = strlen(signs[i]);

		if (!strncmp(text, signs[i], n))
			return text[n] != '\0';
	}
	return 0;
}

/* The bytes, with each quote twice. */
static void put_quoted(const char *text, size_t n_bytes, void (*put)(void *, const char *, size_t), void *to)
{
	size_t from = 0;

	for (size_t i = 0; i < n_bytes; i++)
		if (text[i] == '"') {
			put(to, text + from, i + 1 - from);
			from = i;
		}
	put(to, text + from, n_bytes - from);
}

void ompp_cell(const char *text, int is_raw, void (*put)(void *to, const char *bytes, size_t n_bytes), void *to)
{
	int is_quoted = strpbrk(text, is_raw ? ",\"\r\n" : ",\"") != NULL;
	char escape[OMPP_ESCAPE_BYTES];

	if (is_quoted)
		put(to, "\"", 1);
	if (!is_raw && is_formula(text))
		put(to, "'", 1);
	while (*text) {
		size_t n = is_raw ? strlen(text) : ompp_clean_bytes(text, 0);

		put_quoted(text, n, put, to);
		text += n;
		if (*text) {
			text += ompp_clean_escape(text, escape);
			put(to, escape, strlen(escape));
		}
	}
	if (is_quoted)
		put(to, "\"", 1);
}
