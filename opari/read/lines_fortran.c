/*
 * Lines, in Fortran: see lines_fortran.h.
 */
#include "opari/read/lines_fortran.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/read/statements.h"
#include "runtime/base/array.h"

enum { MOST_INCLUDED = 16, MOST_PIECES = 64 };

/* Where the walk is: a line of a file, and the quote of a string that a line before has left open, or 0. */
struct position {
	unsigned long line;
	char *file;
	char quote;
	int in_directive;   /* a directive stands before, apart from comments */
	unsigned int depth; /* of INCLUDE lines, one in another */
};

static void write_lines(const struct kinst_text *text, const struct kinst_fortran_lines *how, struct position *at,
                        struct kinst_text *out);

/* Writes the place of the next line.
 * flag: " 1" where an included file begins, " 2" behind its end, or "" */
static void put_marker(struct kinst_text *out, unsigned long line, const char *file, const char *flag)
{
	kinst_text_printf(out, "# %lu \"%s\"%s\n", line, file, flag);
}

/* Reads # 12 "file", the place of what follows. */
static int read_marker(struct kinst_span line, struct position *at)
{
	const char *quote = line.n ? memchr(line.p, '"', line.n) : NULL, *end;

	if (line.n < 4 || line.p[0] != '#' || line.p[1] != ' ' || !isdigit((unsigned char)line.p[2]) || !quote)
		return 0;
	end = memrchr(line.p, '"', line.n);
	at->line = strtoul(line.p + 2, NULL, 10);
	free(at->file);
	at->file = kinst_strndup(quote + 1, (size_t)(end - quote) - (end > quote));
	return 1;
}

/* ---- include ---- */

/* Returns the name in `include 'name'`, which the caller frees, or NULL. */
static char *included_name(struct kinst_span line)
{
	const char *end = line.p + line.n, *p = kinst_after_word(line.p, end, "include"), *close;

	while (p && p < end && isblank((unsigned char)*p))
		p++;
	if (!p || p == end || (*p != '\'' && *p != '"'))
		return NULL;
	close = memchr(p + 1, *p, (size_t)(end - p - 1));
	return close ? kinst_strndup(p + 1, (size_t)(close - p - 1)) : NULL;
}

/* Reads the file that has this name in a folder.  Returns its path, which the caller frees, or NULL. */
static char *read_in(const char *folder, size_t n, const char *name, struct kinst_text *text)
{
	char *path = n ? kinst_format("%.*s%s%s", (int)n, folder, folder[n - 1] == '/' ? "" : "/", name)
	               : kinst_strdup(name);

	if (!kinst_read_file(path, text))
		return path;
	free(path);
	return NULL;
}

/* Reads an included file.  The folder of the source comes first, as for gfortran. */
static char *read_included(const char *name, const struct kinst_fortran_lines *how, struct kinst_text *text)
{
	char *path;

	if (*name == '/')
		return read_in("", 0, name, text);
	path = read_in(how->file, (size_t)(kinst_basename(how->file) - how->file), name, text);
	for (size_t i = 0; !path && how->folders && i < how->folders->n; i++)
		path = read_in(how->folders->items[i], strlen(how->folders->items[i]), name, text);
	return path;
}

/* Writes what the line includes in its place.  Returns 0 when that has no directives, and is no statement of one that
 * stands before. */
static int lines_fortran_include(struct kinst_span line, const struct kinst_fortran_lines *how, struct position *at,
                                 struct kinst_text *out)
{
	char *name = at->depth < MOST_INCLUDED && !at->quote ? included_name(line) : NULL, *path = NULL;
	struct kinst_text text = { 0 }, result = { 0 };
	int found = 0;

	if (name)
		path = read_included(name, how, &text);
	if (path && !memchr(text.data, '\0', text.length)) {
		struct position inside = {
			.line = 1, .file = kinst_strdup(path), .in_directive = at->in_directive, .depth = at->depth + 1
		};

		write_lines(&text, how, &inside, &result);
		found = result.length &&
		        (at->in_directive || strcasestr(result.data, "$omp") || strcasestr(result.data, "$pomp"));
		if (found)
			at->in_directive = inside.in_directive;
		free(inside.file);
	}
	if (found) {
		put_marker(out, 1, path, " 1");
		kinst_text_add(out, result.data, result.length);
		if (result.data[result.length - 1] != '\n')
			kinst_text_puts(out, "\n");
		put_marker(out, at->line + 1, at->file, " 2");
	}
	kinst_text_free(&text);
	kinst_text_free(&result);
	free(name);
	free(path);
	return found;
}

/* ---- several statements on a line ---- */

static int is_comment(struct kinst_span line, int fixed)
{
	size_t i = 0;

	if (fixed && line.n && strchr("cC*dD", *line.p))
		return 1;
	while (i < line.n && isblank((unsigned char)line.p[i]))
		i++;
	return i == line.n || line.p[i] == '#' || (line.p[i] == '!' && !(fixed && i == 5));
}

/*
 * Cuts a line at each `;` of its code: at[k] is where piece k begins, at[n] where the line ends.  Returns the number
 * n of pieces.  A string that is open at the end goes on only behind `&`, or in fixed form.
 */
static size_t lines_fortran_cut(struct kinst_span line, int fixed, char *quote, size_t *at)
{
	size_t n = 1, last = 0, i;

	at[0] = 0;
	for (i = 0; i < line.n; i++) {
		char c = line.p[i];

		if (*quote ? c == *quote : c == '\'' || c == '"')
			*quote = *quote ? 0 : c;
		else if (!*quote && c == '!' && !(fixed && i == 5))
			break;
		else if (!*quote && c == ';' && n < MOST_PIECES)
			at[n++] = i + 1;
		last = isblank((unsigned char)c) ? last : i;
	}
	if (*quote && !fixed && (!line.n || line.p[last] != '&'))
		*quote = 0;
	at[n] = line.n;
	return n;
}

/* Returns 1 when a DO or END DO begins here, behind a name or label. */
static int is_loop(const char *p, const char *end)
{
	static const char *const words[] = { "do", "enddo", "end" };
	const char *colon;

	while (p < end && (isspace((unsigned char)*p) || isdigit((unsigned char)*p)))
		p++;
	colon = p;
	while (colon < end && (isalnum((unsigned char)*colon) || *colon == '_' || isblank((unsigned char)*colon)))
		colon++;
	p = colon < end && *colon == ':' ? colon + 1 : p;
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++) {
		const char *behind = kinst_after_word(p, end, words[i]);

		if (!behind || (behind < end && (isalpha((unsigned char)*behind) || *behind == '_')))
			continue;
		if (i < 2)
			return 1;
		behind = kinst_after_word(behind, end, "do");
		return behind && (behind == end || !isalnum((unsigned char)*behind));
	}
	return 0;
}

/*
 * Writes a line of code.  Its statements get lines of their own when one of them begins or ends a loop, or belongs to
 * a directive.
 */
static void write_code(struct kinst_span line, int fixed, struct position *at, struct kinst_text *out)
{
	struct kinst_span code = { line.p, fixed && line.n > kinst_fortran_columns(fixed) ? kinst_fortran_columns(fixed)
		                                                                          : line.n };
	size_t begin[MOST_PIECES + 1], n = lines_fortran_cut(code, fixed, &at->quote, begin);
	int cut_up = n > 1 && at->in_directive;

	for (size_t k = 0; n > 1 && k < n; k++)
		cut_up |= is_loop(code.p + begin[k], code.p + begin[k + 1]);
	if (!cut_up) {
		kinst_text_add(out, line.p, line.n);
		kinst_text_puts(out, "\n");
		return;
	}
	for (size_t k = 0; k < n; k++) {
		const char *piece = code.p + begin[k];
		size_t length = begin[k + 1] - begin[k] - (k + 1 < n); /* without its `;` */

		if (k && !kinst_trimmed(piece, piece + length).n)
			continue;
		if (k) {
			put_marker(out, at->line, at->file, "");
			kinst_text_puts(out, "      ");
		}
		kinst_text_add(out, piece, length);
		kinst_text_puts(out, "\n");
	}
}

static void write_lines(const struct kinst_text *text, const struct kinst_fortran_lines *how, struct position *at,
                        struct kinst_text *out)
{
	const char *p = text->data, *end = p + text->length;

	for (const char *eol; p < end; p = eol + 1) {
		struct kinst_span line;

		eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		line = (struct kinst_span){ p, (size_t)(eol - p) };
		if (read_marker(line, at)) {
			kinst_text_add(out, line.p, line.n);
			kinst_text_puts(out, "\n");
			continue;
		}
		if (is_comment(line, how->fixed)) {
			at->in_directive |= kinst_after_sentinel(p, eol, how->fixed) != NULL;
			kinst_text_add(out, line.p, line.n);
			kinst_text_puts(out, "\n");
		} else {
			if (!lines_fortran_include(line, how, at, out)) {
				write_code(line, how->fixed, at, out);
				at->in_directive = 0;
			}
		}
		at->line++;
	}
}

void kinst_fortran_lines(const struct kinst_text *text, const struct kinst_fortran_lines *how, struct kinst_text *out)
{
	struct position at = { .line = 1, .file = kinst_strdup(how->file) };

	if (text->length)
		write_lines(text, how, &at, out);
	free(at.file);
}
