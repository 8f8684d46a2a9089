/*
 * Map clause: see map_clause.h.
 */
#include "opari/read/map_clause.h"

#include <ctype.h>
#include <string.h>

#include "runtime/base/array.h"

int kinst_map_clause_is(const struct kinst_directive *d)
{
	enum kinst_leaf leaf = d->leaves[0];

	return leaf == KINST_OMP_TARGET || leaf == KINST_OMP_TARGET_DATA || leaf == KINST_OMP_TARGET_ENTER_DATA ||
	       leaf == KINST_OMP_TARGET_EXIT_DATA || leaf == KINST_OMP_TARGET_UPDATE;
}

const char *kinst_map_clause_item_end(const char *p, const char *end)
{
	for (; p < end && *p != ','; p++)
		if (*p == '(' || *p == '[' || *p == '{' || *p == '"' || *p == '\'') {
			const char *after = kinst_skip_bracket(p);

			if (!after || after > end)
				return end;
			p = after - 1;
		}
	return p;
}

/* Reads the words before the colon of a map clause: its type and modifiers of it that do not change how much is
 * mapped. */
static void read_modifiers(struct kinst_map_list *list, const char *end)
{
	static const struct {
		const char *word;
		int ways; /* -1 for modifiers, after which the type may be left out */
	} words[] = { { "to", KINST_MAPS_TO },
		      { "from", KINST_MAPS_FROM },
		      { "tofrom", KINST_MAPS_TO | KINST_MAPS_FROM },
		      { "alloc", 0 },
		      { "storage", 0 },
		      { "release", 0 },
		      { "delete", 0 },
		      { "always", -1 },
		      { "close", -1 },
		      { "present", -1 },
		      { "ompx_hold", -1 } };

	for (const char *p = list->p; (p = kinst_skip_blanks(p)) < end;) {
		const char *after = NULL;
		size_t i;

		if (*p == ',') {
			p++;
			continue;
		}
		for (i = 0; i < OMPP_COUNT_OF(words) && !(after = kinst_skip_words(p, words[i].word)); i++)
			;
		if (!after) {
			list->is_known = 0;
			p = kinst_map_clause_item_end(p, end);
			continue;
		}
		if (words[i].ways >= 0)
			list->ways &= words[i].ways;
		p = after;
	}
	list->p = end + 1;
}

struct kinst_map_list kinst_map_clause_read(const struct kinst_directive *d, const struct kinst_clause *c)
{
	struct kinst_map_list list = { 0, 1, c->args, c->args ? c->args + c->n_args : NULL };
	enum kinst_leaf leaf = d->leaves[0];
	size_t n_modifier;

	if (!c->args)
		return list;
	if (leaf == KINST_OMP_TARGET_UPDATE)
		list.ways = kinst_clause_is(c, "to") ? KINST_MAPS_TO : kinst_clause_is(c, "from") ? KINST_MAPS_FROM : 0;
	else if (kinst_clause_is(c, "map"))
		list.ways = leaf == KINST_OMP_TARGET_ENTER_DATA ? KINST_MAPS_TO
		          : leaf == KINST_OMP_TARGET_EXIT_DATA  ? KINST_MAPS_FROM
		                                                : KINST_MAPS_TO | KINST_MAPS_FROM;
	n_modifier = list.ways ? kinst_clause_modifier(c) : 0;
	if (n_modifier)
		read_modifiers(&list, c->args + n_modifier);
	return list;
}

/* ---- expressions ---- */

static int is_one_of(const char *p, size_t n, const char *const *words, size_t n_words)
{
	for (size_t i = 0; i < n_words; i++)
		if (strlen(words[i]) == n && !memcmp(p, words[i], n))
			return 1;
	return 0;
}

/* Returns 1 when the text declares something volatile, or with a type that is, under this name. */
static int is_volatile(const char *name, size_t n, const char *text, size_t length)
{
	static const char word[] = "volatile";
	const char *end = text + length, *p = text;

	while ((p = memmem(p, (size_t)(end - p), word, strlen(word)))) {
		for (p += strlen(word); p < end && !strchr(";{}", *p);) {
			const char *after = kinst_word_end(p);

			if ((size_t)(after - p) == n && !memcmp(p, name, n))
				return 1;
			p = after > p ? after : p + 1;
		}
	}
	return 0;
}

/* Returns 1 when evaluating the expression once more does nothing but to read variables that are not volatile. */
static int is_plain(const char *p, const char *end, const char *text, size_t length)
{
	static const char *const acting[] = { "new", "delete", "throw", "co_await", "co_yield" };
	char before = 0; /* the sign before, blanks left out; 'a' for a word, 's' for sizeof */

	while (p < end) {
		const char *after = kinst_word_end(p);

		if (isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		if (after > p) {
			size_t n = (size_t)(after - p);

			if (is_one_of(p, n, acting, OMPP_COUNT_OF(acting)) ||
			    (!isdigit((unsigned char)*p) && is_volatile(p, n, text, length)))
				return 0;
			before = n == 6 && !memcmp(p, "sizeof", n) ? 's' : 'a';
			p = after;
			continue;
		}
		if (!strchr("+-*/%.()[]:&|^~!>", *p) || (*p == '(' && before && strchr("a)]", before)) ||
		    ((*p == '+' || *p == '-') && p[1] == *p) || (*p == '>' && before != '-') ||
		    (*p == '[' && (!before || !strchr("a)]", before))))
			return 0;
		before = *p++;
	}
	return 1;
}

/* Returns the first colon from p to end that stands in no bracket and is not one of two; NULL when there is none. */
static const char *find_colon(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		if (*p == ':' && p + 1 < end && p[1] == ':')
			p++;
		else if (*p == ':' && !depth)
			return p;
	}
	return NULL;
}

static int is_blank(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p == end;
}

/*
 * Adds the number of elements of an array section as a factor.  Returns 0 when it is not known.
 *
 * p:     what stands between its brackets, with the colon
 * array: what the section is of
 */
static int put_length(struct kinst_text *factors, const char *p, const char *colon, const char *end, const char *array)
{
	if (find_colon(colon + 1, end))
		return 0; /* a stride */
	if (!is_blank(colon + 1, end))
		kinst_text_printf(factors, " * (unsigned long long)(%.*s)", (int)(end - colon - 1), colon + 1);
	else if (is_blank(p, colon))
		kinst_text_printf(factors, " * (sizeof(%s) / sizeof((%s)[0]))", array, array);
	else
		kinst_text_printf(factors, " * (sizeof(%s) / sizeof((%s)[0]) - (unsigned long long)(%.*s))", array,
		                  array, (int)(colon - p), p);
	return 1;
}

/* Adds the bytes of an item: the size of its first element, multiplied by the lengths of its sections.  Returns 0 when
 * they are not known. */
static int put_item(struct kinst_text *out, const char *p, const char *end)
{
	struct kinst_text element = { 0 }, factors = { 0 };
	int is_known = 1, has_sections = 0, is_sign = !kinst_is_word(*p) && *p != '(' && *p != ':';

	kinst_text_puts(&factors, "");
	while (p < end && is_known) {
		const char *close = *p == '[' || *p == '(' ? kinst_skip_bracket(p) : NULL, *colon;

		if (!close) {
			kinst_text_add(&element, p++, 1);
			continue;
		}
		colon = *p == '[' ? find_colon(p + 1, close - 1) : NULL;
		if (colon) {
			has_sections = 1;
			is_known = put_length(&factors, p + 1, colon, close - 1, element.data);
			kinst_text_puts(&element, "[0]");
		} else {
			is_known = !find_colon(p + 1, close - 1);
			kinst_text_add(&element, p, (size_t)(close - p));
		}
		p = close;
	}
	is_known &= !(has_sections && is_sign) && element.length;
	if (is_known)
		kinst_text_printf(out, " + (unsigned long long)sizeof(%s)%s", element.data, factors.data);
	kinst_text_free(&element);
	kinst_text_free(&factors);
	return is_known;
}

void kinst_map_clauses(const struct kinst_directive *d, const char *text, size_t length, struct kinst_text *to,
                       struct kinst_text *from)
{
	static const char mapper[] = "declare mapper";
	int has_mappers = memmem(text, length, mapper, strlen(mapper)) != NULL, unknown = 0;

	kinst_text_puts(to, "0ULL");
	kinst_text_puts(from, "0ULL");
	for (size_t i = 0; i < d->n_clauses; i++) {
		struct kinst_map_list list = kinst_map_clause_read(d, &d->clauses[i]);

		for (const char *p = list.p, *end; list.ways && p < list.end; p = end + 1) {
			struct kinst_text item = { 0 };

			p = kinst_skip_blanks(p);
			end = kinst_map_clause_item_end(p, list.end);
			if (has_mappers || !list.is_known || p >= end ||
			    !is_plain(p, end, text, memchr(p, ':', (size_t)(end - p)) ? length : 0) ||
			    !put_item(&item, p, end))
				unknown |= list.ways;
			else if (list.ways & KINST_MAPS_TO)
				kinst_text_puts(to, item.data);
			if (item.data && list.ways & KINST_MAPS_FROM)
				kinst_text_puts(from, item.data);
			kinst_text_free(&item);
		}
	}
	if (unknown & KINST_MAPS_TO) {
		to->length = 0;
		kinst_text_puts(to, "-1");
	}
	if (unknown & KINST_MAPS_FROM) {
		from->length = 0;
		kinst_text_puts(from, "-1");
	}
}
