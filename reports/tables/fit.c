/*
 * Fit: see fit.h.
 */
#include "reports/tables/fit.h"

#include <string.h>

#include "runtime/base/clean.h"

struct ompp_text *ompp_fit_begin(struct ompp_fit_line *l)
{
	ompp_text_init(&l->text, l->buffer, sizeof(l->buffer));
	return &l->text;
}

const char *ompp_fit(const char *text, size_t n_columns, struct ompp_arena *arena)
{
	static const char cut[] = "…";
	size_t n = 0, n_bytes = 0;
	char *copy;

	if (ompp_text_columns(text) <= n_columns)
		return ompp_arena_strdup(arena, text);
	while (text[n_bytes] && (n < n_columns - 1 || ((unsigned char)text[n_bytes] & 0xc0) == 0x80))
		n += ((unsigned char)text[n_bytes++ + 1] & 0xc0) != 0x80;
	for (size_t k = n_bytes; k > n_bytes / 2; k--) /* no word is cut, unless it is a long one */
		if (text[k] == ' ') {
			n_bytes = k;
			break;
		}
	copy = ompp_arena_alloc(arena, n_bytes + sizeof(cut));
	if (!copy)
		return NULL;
	memcpy(copy, text, n_bytes);
	memcpy(copy + n_bytes, cut, sizeof(cut));
	return copy;
}

/* Returns a pointer behind the first n columns of a text. */
static const char *fit_behind(const char *text, size_t n)
{
	while (*text && n--)
		do
			text++;
		while (((unsigned char)*text & 0xc0) == 0x80);
	return text;
}

/* What is left of a text that is too long: more of its end than of its start. */
struct ends {
	size_t n_head; /* bytes */
	const char *tail;
};
static struct ends ends_of(const char *text, size_t n_columns)
{
	size_t head = (n_columns - 1) / 3, tail = n_columns - 1 - head;

	return (struct ends){ (size_t)(fit_behind(text, head) - text),
		              fit_behind(text, ompp_text_columns(text) - tail) };
}

size_t ompp_fit_lines(char *text, size_t n_columns, size_t indent)
{
	size_t n_lines = 1, n = 0; /* columns of this line */
	char *blank = NULL;        /* the last one of this line */

	for (char *s = text; *s; s++) {
		n += ((unsigned char)*s & 0xc0) != 0x80;
		if (*s == ' ')
			blank = s;
		if (n <= n_columns - (n_lines > 1 ? indent : 0) || !blank)
			continue;
		*blank = '\n';
		s = blank;
		blank = NULL;
		n = 0;
		n_lines++;
	}
	return n_lines;
}

void ompp_fit_middle(struct ompp_text *t, const char *text, size_t n_columns)
{
	struct ends ends;

	if (ompp_text_columns(text) <= n_columns || !n_columns) {
		ompp_text_strn(t, text, n_columns ? strlen(text) : 0);
		return;
	}
	ends = ends_of(text, n_columns);
	ompp_text_strn(t, text, ends.n_head);
	ompp_text_str(t, "…");
	ompp_text_str(t, ends.tail);
}

int ompp_fit_same(const char *a, const char *b, size_t n_columns)
{
	struct ends x, y;

	if (ompp_text_columns(a) <= n_columns || ompp_text_columns(b) <= n_columns)
		return !strcmp(a, b);
	x = ends_of(a, n_columns);
	y = ends_of(b, n_columns);
	return x.n_head == y.n_head && !strncmp(a, b, x.n_head) && !strcmp(x.tail, y.tail);
}

void ompp_fit_name(struct ompp_text *t, const char *name, struct ompp_arena *arena)
{
	const char *clean = ompp_clean_copy(name, 0, arena);

	ompp_fit_middle(t, clean ? clean : "", OMPP_FIT_NAME_COLUMNS);
}

void ompp_fit_count(struct ompp_text *t, uint64_t n, const char *one, const char *many)
{
	ompp_text_u64(t, n);
	ompp_text_char(t, ' ');
	ompp_text_str(t, n == 1 ? one : many);
}
