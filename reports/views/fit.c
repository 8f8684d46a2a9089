/*
 * Fit: see fit.h.
 */
#include "reports/views/fit.h"

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
	copy = ompp_arena_alloc(arena, n_bytes + sizeof(cut));
	if (!copy)
		return NULL;
	memcpy(copy, text, n_bytes);
	memcpy(copy + n_bytes, cut, sizeof(cut));
	return copy;
}

void ompp_fit_name(struct ompp_text *t, const char *name, struct ompp_arena *arena)
{
	const char *clean = ompp_clean_copy(name, 0, arena);
	const char *short_one = clean ? ompp_fit(clean, OMPP_FIT_NAME_COLUMNS, arena) : NULL;

	ompp_text_str(t, short_one ? short_one : "");
}

void ompp_fit_count(struct ompp_text *t, uint64_t n, const char *one, const char *many)
{
	ompp_text_u64(t, n);
	ompp_text_char(t, ' ');
	ompp_text_str(t, n == 1 ? one : many);
}
