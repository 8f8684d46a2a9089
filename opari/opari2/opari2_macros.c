/*
 * Macros of opari2: see opari2_macros.h.
 */
#include "opari/opari2/opari2_macros.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the list that a macro of this name belongs to, and its number there; NULL when opari2 has no such macros. */
static struct kinst_words *macro_list(struct kinst_opari2_macros *macros, const char *name, size_t length,
                                      size_t *number)
{
	static const char shared[] = "POMP2_DLIST_", ctc[] = "opari2_ctc_";
	size_t n = length > strlen(shared) && !memcmp(name, shared, strlen(shared)) ? strlen(shared)
	         : length > strlen(ctc) && !memcmp(name, ctc, strlen(ctc))          ? strlen(ctc)
	                                                                            : 0;
	struct kinst_words *list = n == strlen(shared) ? &macros->shared : &macros->ctcs;

	if (!n)
		return NULL;
	for (*number = 0; n < length; n++) {
		if (!isdigit((unsigned char)name[n]) || *number > 10000000)
			return NULL;
		*number = *number * 10 + (size_t)(name[n] - '0');
	}
	return list;
}

static const char *macro_value(struct kinst_opari2_macros *macros, const char *name, size_t length)
{
	size_t number;
	const struct kinst_words *list = macro_list(macros, name, length, &number);

	return list && number < list->n && *list->items[number] ? list->items[number] : NULL;
}

void kinst_opari2_macros_define(struct kinst_opari2_macros *macros, const char *name, size_t length, char *value)
{
	size_t number;
	struct kinst_words *list = macro_list(macros, name, length, &number);

	if (!list) {
		free(value);
		return;
	}
	while (list->n <= number)
		kinst_words_add(list, "");
	free(list->items[number]);
	list->items[number] = value;
}

void kinst_opari2_macros_expand(struct kinst_text *out, struct kinst_opari2_macros *macros, const char *line,
                                size_t length)
{
	static const char threads[] = "int pomp2_num_threads = omp_get_max_threads();";
	static const char begin[] = "POMP2_Parallel_begin( &", close[] = " )";
	const char *p = line, *end = line + length, *value;

	while (p < end && isspace((unsigned char)*p))
		p++;
	if ((size_t)(end - p) == strlen(threads) && !memcmp(p, threads, strlen(threads))) {
		kinst_text_puts(out, "int pomp2_num_threads = POMP2_Lib_get_max_threads();");
		return;
	}
	while (p < end) {
		size_t n = 0;

		while (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_'))
			n++;
		if (n > 6 && (!memcmp(p, "POMP2_", 6) || !memcmp(p, "opari2", 6))) {
			if ((size_t)(end - p) > strlen(begin) && !memcmp(p, begin, strlen(begin))) {
				const char *stop = memmem(p, (size_t)(end - p), close, strlen(close));

				if (stop) {
					kinst_text_puts(out, "ompp_parallel_begin( &");
					kinst_text_add(out, p + strlen(begin), (size_t)(stop - p) - strlen(begin));
					kinst_text_puts(out, ", pomp2_old_task )");
					p = stop + strlen(close);
					continue;
				}
			}
			value = macro_value(macros, p, n);
			if (value) {
				kinst_text_puts(out, value);
				p += n;
				continue;
			}
		}
		kinst_text_add(out, p, n ? n : 1);
		p += n ? n : 1;
	}
}

void kinst_opari2_macros_free(struct kinst_opari2_macros *macros)
{
	kinst_words_free(&macros->shared);
	kinst_words_free(&macros->ctcs);
}
