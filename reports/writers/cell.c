/*
 * Cell: see cell.h.
 */
#include "reports/writers/cell.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/clean.h"

/* If the text begins with a sign that makes a spreadsheet evaluate the cell, returns its length in bytes; else 0. */
static size_t sign_bytes(const char *text)
{
	static const char *const signs[] = { "=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20" };

	for (size_t i = 0; i < OMPP_COUNT_OF(signs); i++) {
		size_t n = strlen(signs[i]);

		if (!strncmp(text, signs[i], n))
			return n;
	}
	return 0;
}

static int is_formula(const char *text)
{
	size_t n = sign_bytes(text);

	return n && text[n];
}

/* Does a formula follow this semicolon, with or without quotes around it?  A spreadsheet that takes a semicolon for the
 * end of a cell does so within quotes, too. */
static int ends_before_formula(const char *semicolon)
{
	return sign_bytes(semicolon + 1 + strspn(semicolon + 1, "\"")) != 0;
}

/* Puts the bytes, each quote twice, with an apostrophe in front of what could be a formula. */
static void put_quoted(const char *text, size_t n_bytes, int is_raw, void (*put)(void *, const char *, size_t),
                       void *to)
{
	size_t from = 0;

	for (size_t i = 0; i < n_bytes; i++)
		if (text[i] == '"') {
			put(to, text + from, i + 1 - from);
			from = i;
		} else if (!is_raw && text[i] == ';' && ends_before_formula(text + i)) {
			put(to, text + from, i + 1 - from);
			put(to, "'", 1);
			from = i + 1;
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

		put_quoted(text, n, is_raw, put, to);
		text += n;
		if (*text) {
			text += ompp_clean_escape(text, escape);
			put(to, escape, strlen(escape));
		}
	}
	if (is_quoted)
		put(to, "\"", 1);
}
