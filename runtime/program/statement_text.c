/*
 * Statement text: see statement_text.h.
 */
#include "runtime/program/statement_text.h"

#include <string.h>

enum { MOST_LINES_BEFORE = 8 };

const char *ompp_statement_line(const char *text, uint32_t line)
{
	for (; text && line > 1; line--) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text ? text : "";
}

const char *ompp_statement_line_before(const char *text, const char *line)
{
	if (!*line || line == text)
		return NULL;
	for (line--; line > text && line[-1] != '\n'; line--)
		;
	return line;
}

static int is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n';
}

static int is_word(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

/* Returns the end of the comment, string or character that begins here; the same place where none begins. */
static const char *opaque_end(const char *text, const char *at, const char *end)
{
	const char *start = at;

	if (*at == '/' && at + 1 < end && at[1] == '/') {
		while (at < end && *at != '\n')
			at++;
		return at;
	}
	if (*at == '/' && at + 1 < end && at[1] == '*') {
		for (at += 2; at < end && !(*at == '/' && at[-1] == '*' && at - start > 2); at++)
			;
		return at < end ? at + 1 : end;
	}
	if (*at != '"' && (*at != '\'' || (at > text && is_word(at[-1])))) /* 1'000 is a number */
		return at;
	for (at++; at < end && *at != *start && *at != '\n'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

/* Copies a piece of text; what cannot be code becomes blanks. */
static void statement_text_blank(char *copy, const char *from, const char *end)
{
	const char *at = from;

	while (at < end) {
		const char *behind = opaque_end(from, at, end);

		if (behind == at) {
			*copy++ = (char)(*at == '\n' || *at == '\r' ? ' ' : *at);
			at++;
		}
		for (; at < behind; at++)
			*copy++ = ' ';
	}
	*copy = '\0';
}

/* Returns whether a statement may go on behind the end of this line, which the copy has without comments. */
static int goes_on(const char *copy, const char *line)
{
	const char *first = line, *last;

	while (is_blank(*first))
		first++;
	for (last = copy + strlen(copy); last > first && is_blank(last[-1]); last--)
		;
	return last > first && *first != '#' && !strchr(";{}:", last[-1]);
}

size_t ompp_statement_copy(char copy[OMPP_STATEMENT_BYTES], const char *text, uint32_t line)
{
	const char *own = ompp_statement_line(text, line), *end = strchr(own, '\n'), *from = own;
	int n_before;

	end = end ? end : own + strlen(own);
	if (end - own >= OMPP_STATEMENT_BYTES)
		end = own + OMPP_STATEMENT_BYTES - 1;
	for (n_before = 0; n_before < MOST_LINES_BEFORE; n_before++) {
		const char *before = ompp_statement_line_before(text, from);

		if (!before || end - before >= OMPP_STATEMENT_BYTES)
			break;
		statement_text_blank(copy, before, from);
		if (!goes_on(copy, copy))
			break;
		from = before;
	}
	statement_text_blank(copy, from, end);
	return (size_t)(own - from);
}

void ompp_statement_put(struct ompp_text *t, const char *from, const char *to, size_t most)
{
	size_t n_all, n;

	while (to > from && is_blank(to[-1]))
		to--;
	n_all = (size_t)(to - from);
	for (n = n_all < most ? n_all : most; n && n < n_all; n--)
		if (!is_blank(from[n - 1]) && ((unsigned char)from[n] & 0xC0) != 0x80)
			break;
	ompp_text_strn(t, from, n);
	ompp_text_str(t, n < n_all ? "…" : "");
}
