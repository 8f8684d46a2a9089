/*
 * Map clause, in Fortran: see map_clause_fortran.h.
 */
#include "opari/read/map_clause_fortran.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/base/array.h"

/* What a unit says of a variable. */
struct variable {
	int n_found; /* how often it is declared */
	int is_known, is_array, is_allocatable;
	int is_assumed; /* the size of its last dimension is not known */
};

/* The intrinsic functions that expressions of ours call, and those that bounds may call. */
static const char *const functions[] = { "storage_size", "size", "lbound", "ubound", "max", "int", "allocated" };

static int is_word_at(const char *p, const char *word, size_t n)
{
	return !strncasecmp(p, word, n) && !kinst_is_word(p[n]);
}

static int is_function(const char *p)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(functions); i++)
		if (is_word_at(p, functions[i], strlen(functions[i])))
			return 1;
	return 0;
}

/* Returns what follows the intrinsic type with which a declaration begins; NULL for any other statement. */
static const char *after_type(const char *text)
{
	static const char *const types[] = { "integer",         "real",     "complex", "logical", "double precision",
		                             "doubleprecision", "character" };
	const char *p = NULL;

	for (size_t i = 0; i < OMPP_COUNT_OF(types) && !p; i++)
		p = kinst_skip_words(text, types[i]);
	if (!p)
		return NULL;
	p = kinst_skip_blanks(p);
	if (*p == '*') {
		p = kinst_skip_blanks(p + 1);
		if (*p != '(')
			return kinst_word_end(p);
	}
	return *p == '(' ? kinst_skip_bracket(p) : p;
}

/* Does the statement declare something under names that stand in no parentheses? */
static int declares(const char *text)
{
	static const char *const words[] = { "function",  "subroutine", "external",  "dimension", "procedure",
		                             "recursive", "pure",       "elemental", "generic",   "type",
		                             "class",     "interface",  "module",    "use",       "pointer" };

	if (after_type(text) || strstr(text, "::"))
		return 1;
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++)
		if (kinst_skip_words(text, words[i]))
			return 1;
	return 0;
}

/* Calls what finds a word of the statement, which stands at a depth of parentheses; stops where that returns 1. */
static int any_word(const char *text, int (*is_it)(const char *p, int depth, const void *context), const void *context)
{
	char quote = 0;
	int depth = 0;

	for (const char *p = text; *p;) {
		if (quote || *p == '"' || *p == '\'') {
			quote = !quote ? *p : *p == quote ? 0 : quote;
			p++;
		} else if (kinst_is_word(*p)) {
			if (is_it(p, depth, context))
				return 1;
			p = kinst_word_end(p);
		} else {
			depth += (*p == '(') - (*p == ')');
			p++;
		}
	}
	return 0;
}

/* Is the word one of the functions, used as a name of something else? */
static int is_other(const char *p, int depth, const void *is_declaration)
{
	return is_function(p) &&
	       (*kinst_skip_blanks(kinst_word_end(p)) != '(' || (!depth && *(const int *)is_declaration));
}

int kinst_map_clause_is_readable(const struct kinst_statements *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *directive = s->items[i].directive;
		int is_declaration = declares(s->items[i].text);

		if ((directive &&
		     (kinst_skip_words(directive, "declare mapper") || kinst_skip_words(directive, "declaremapper"))) ||
		    any_word(s->items[i].text, is_other, &is_declaration))
			return 0;
	}
	return 1;
}

static int is_name(const char *p, int depth, const void *name)
{
	const struct kinst_span *span = name;

	(void)depth;
	return is_word_at(p, span->p, span->n);
}

/* Reads the attributes of a declaration, from p to the colons. */
static void read_attributes(struct variable *v, const char *p, const char *end)
{
	static const char *const harmless[] = { "intent", "target",  "save",   "value",        "contiguous",
		                                "public", "private", "static", "asynchronous", "parameter" };

	while (p < end) {
		const char *stop = kinst_next_stop(p, end);
		struct kinst_span one = kinst_trimmed(p, stop);
		int is_harmless = !one.n;

		for (size_t i = 0; i < OMPP_COUNT_OF(harmless); i++)
			is_harmless |= is_word_at(one.p, harmless[i], strlen(harmless[i]));
		if (one.n && is_word_at(one.p, "allocatable", strlen("allocatable")))
			v->is_allocatable = 1;
		else if (one.n && is_word_at(one.p, "dimension", strlen("dimension")))
			v->is_array = 1, v->is_assumed = memchr(one.p, '*', one.n) != NULL;
		else if (!is_harmless)
			v->is_known = 0;
		p = stop + 1;
	}
}

/* Looks for a variable among the names that a declaration of an intrinsic type lists. */
static void read_declaration(struct variable *v, const char *text, const char *rest, struct kinst_span name)
{
	const char *colons = strstr(rest, "::"), *end = text + strlen(text), *p = colons ? colons + 2 : rest;

	for (; p < end; p = kinst_next_stop(p, end) + 1) {
		const char *stop = kinst_next_stop(p, end), *after;

		p = kinst_skip_blanks(p);
		if (!is_word_at(p, name.p, name.n))
			continue;
		v->n_found++;
		v->is_known = 1;
		after = kinst_skip_blanks(p + name.n);
		if (colons)
			read_attributes(v, rest, colons);
		if (*after == '(' && kinst_skip_bracket(after)) {
			const char *close = kinst_skip_bracket(after);

			v->is_array = 1;
			v->is_assumed = memchr(after, '*', (size_t)(close - after)) != NULL;
			after = kinst_skip_blanks(close);
		}
		/* A length of its own, coarrays, pointers and constants are not looked at. */
		if (after < stop && *after != '=')
			v->is_known = 0;
		if (after < stop && after[1] == '>')
			v->is_known = 0;
		if (kinst_skip_words(text, "character") && memchr(text, ':', (size_t)((colons ? colons : rest) - text)))
			v->is_known = 0;
		return;
	}
}

/* Finds what the unit of a directive says of a variable.  Statements that give it other attributes, or another name,
 * make it unknown. */
static struct variable find_variable(const struct kinst_statements *s, size_t directive, struct kinst_span name)
{
	static const char *const others[] = { "optional",  "pointer",     "allocatable", "volatile",   "dimension",
		                              "associate", "select type", "codimension", "equivalence" };
	struct variable v = { 0 };

	for (size_t i = 0; i < directive; i++) {
		const char *text = s->items[i].text, *rest;

		if (s->items[i].unit != s->items[directive].unit || !any_word(text, is_name, &name))
			continue;
		rest = after_type(text);
		if (rest && !strcasestr(text, "function"))
			read_declaration(&v, text, rest, name);
		for (size_t k = 0; k < OMPP_COUNT_OF(others); k++)
			if (kinst_skip_words(text, others[k]))
				v.n_found = 2;
	}
	v.is_known &= v.n_found == 1;
	return v;
}

/* Returns 1 when evaluating a bound once more does nothing but to read variables that are declared in the unit, and not
 * volatile. */
static int is_plain_bound(const struct kinst_statements *s, size_t directive, const char *p, const char *end)
{
	char before = 0;

	while (p < end) {
		if (isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		if (isdigit((unsigned char)*p)) {
			p = kinst_word_end(p);
			before = '0';
		} else if (kinst_is_word(*p)) {
			struct kinst_span name = { p, (size_t)(kinst_word_end(p) - p) };

			before = is_function(p) ? 'f' : 'a';
			if (before == 'a' && !find_variable(s, directive, name).is_known)
				return 0;
			p = kinst_word_end(p);
		} else {
			if (!strchr("+-*/(),", *p) || (*p == '(' && before && strchr("a0)", before)))
				return 0;
			before = *p++;
		}
	}
	return 1;
}

/* Adds the elements of one dimension of a section as a factor.  Returns 0 when they are not known. */
static int put_dimension(const struct kinst_statements *s, size_t i, struct kinst_text *out, struct kinst_span name,
                         struct kinst_span d, int number, int is_last_assumed)
{
	const char *colon = memchr(d.p, ':', d.n), *end = d.p + d.n;
	struct kinst_span low, high;
	int n = (int)name.n;

	if (!colon)
		return 1; /* one element */
	low = kinst_trimmed(d.p, colon);
	high = kinst_trimmed(colon + 1, end);
	if (memchr(colon + 1, ':', (size_t)(end - colon - 1)) || (!high.n && is_last_assumed) ||
	    !is_plain_bound(s, i, d.p, colon) || !is_plain_bound(s, i, colon + 1, end))
		return 0;
	kinst_text_puts(out, "*max(0_8,");
	if (high.n)
		kinst_text_printf(out, "int(%.*s,8)", (int)high.n, high.p);
	else
		kinst_text_printf(out, "ubound(%.*s,%d,kind=8)", n, name.p, number);
	if (low.n)
		kinst_text_printf(out, "-int(%.*s,8)+1_8)", (int)low.n, low.p);
	else
		kinst_text_printf(out, "-lbound(%.*s,%d,kind=8)+1_8)", n, name.p, number);
	return 1;
}

/* Adds the bytes of an item.  Returns 0 when they are not known. */
static int put_item(const struct kinst_statements *s, size_t i, const char *p, const char *end, struct kinst_text *out,
                    char **allocated)
{
	struct kinst_span name = { p, (size_t)(kinst_word_end(p) - p) };
	const char *rest = kinst_skip_blanks(p + name.n), *stop;
	struct variable v;
	int number = 1;

	if (!name.n || isdigit((unsigned char)*p))
		return 0;
	v = find_variable(s, i, name);
	if (!v.is_known)
		return 0;
	if (v.is_allocatable)
		*allocated = kinst_strndup(name.p, name.n);
	kinst_text_printf(out, "storage_size(%.*s,8)/8_8", (int)name.n, name.p);
	if (rest >= end) {
		if (v.is_array)
			kinst_text_printf(out, "*size(%.*s,kind=8)", (int)name.n, name.p);
		return !v.is_assumed;
	}
	if (*rest != '(' || !kinst_skip_bracket(rest) || kinst_skip_blanks(kinst_skip_bracket(rest)) < end)
		return 0;
	end = kinst_skip_bracket(rest) - 1;
	for (rest++; rest < end; rest = stop + 1, number++) {
		stop = kinst_next_stop(rest, end);
		if (!put_dimension(s, i, out, name, kinst_trimmed(rest, stop), number, v.is_assumed && stop >= end))
			return 0;
	}
	return 1;
}

struct kinst_map_item kinst_map_clause_fortran(const struct kinst_statements *s, size_t i,
                                               const struct kinst_map_list *list, const char **p)
{
	struct kinst_map_item item = { .ways = list->ways };
	struct kinst_text bytes = { 0 };
	const char *at = kinst_skip_blanks(*p), *end = kinst_map_clause_item_end(at, list->end);
	struct kinst_span text = kinst_trimmed(at, end);

	*p = end + 1;
	if (list->is_known && put_item(s, i, text.p, text.p + text.n, &bytes, &item.allocated)) {
		item.bytes = bytes.data;
		return item;
	}
	kinst_text_free(&bytes);
	free(item.allocated);
	item.allocated = NULL;
	item.bytes = kinst_strdup("-1_8");
	return item;
}
