/*
 * Symbol query: see symbol_query.h.
 */
#define _GNU_SOURCE
#include "runtime/ranges/symbol_query.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"

int ompp_query_same(const char *a, const char *b, size_t n, int any_case)
{
	return any_case ? ompp_text_same(a, n, b, n) : !memcmp(a, b, n);
}

static int query_contains(const char *text, const char *word, size_t n, int any_case)
{
	size_t n_text = strlen(text);

	if (!any_case)
		return memmem(text, n_text, word, n) != NULL;
	for (size_t i = 0; i + n <= n_text; i++)
		if (ompp_query_same(text + i, word, n, 1))
			return 1;
	return 0;
}

enum ompp_fit ompp_query_fit(const char *name, const struct ompp_query *q, int any_case)
{
	size_t n = strlen(name);

	if (n < q->n || !ompp_query_same(name + n - q->n, q->text, q->n, any_case))
		return OMPP_FITS_NOT;
	if (n == q->n)
		return OMPP_FITS_WHOLE;
	return strchr(":./", name[n - q->n - 1]) && strchr(":./", q->text[0]) == NULL ? OMPP_FITS_SHORTENED
	                                                                              : OMPP_FITS_NOT;
}

/* Returns 1 when the query "/name/" means the symbol "name_", in a program of which nothing else says that it is
 * Fortran. */
static int is_common(const char *linkage, const struct ompp_query *q)
{
	size_t n = strlen(linkage);

	return q->n > 2 && q->text[0] == '/' && q->text[q->n - 1] == '/' && n == q->n - 1 && linkage[n - 1] == '_' &&
	       ompp_query_same(linkage, q->text + 1, n - 1, 1);
}

/* Returns 1 when the variable is in the source file, or in the library, that the query names. */
static int is_of_file(const char *path, const struct ompp_variable *x, const struct ompp_query *q)
{
	const char *const files[] = { x->unit, ompp_variable_file(x->source), ompp_variable_file(path) };

	for (size_t i = 0; i < OMPP_COUNT_OF(files); i++)
		if (strlen(files[i]) == q->n_file && !memcmp(files[i], q->file, q->n_file))
			return 1;
	return 0;
}

enum ompp_fit ompp_query_rank(struct ompp_variables *v, const char *path, struct ompp_variable *x,
                              const struct ompp_query *q)
{
	int any_case = x->flags & OMPP_VARIABLE_FORTRAN;
	enum ompp_fit rank, other;

	if (x->flags & OMPP_VARIABLE_GONE ||
	    !query_contains(x->linkage, q->word, q->n_word, any_case || q->text[0] == '/'))
		return OMPP_FITS_NOT;
	if ((q->address && x->address != q->address) || (q->n_file && !is_of_file(path, x, q)))
		return OMPP_FITS_NOT;
	rank = ompp_query_fit(ompp_variable_name(v, x), q, any_case);
	if (ompp_query_fit(x->linkage, q, 0) == OMPP_FITS_WHOLE && !(x->flags & OMPP_VARIABLE_MEMBER))
		return x->flags & OMPP_VARIABLE_MADE ? OMPP_FITS_RESERVED : OMPP_FITS_WHOLE;
	if (x->flags & OMPP_VARIABLE_MADE)
		return OMPP_FITS_NOT;
	other = ompp_query_fit(x->full, q, any_case);
	if (is_common(x->linkage, q))
		return OMPP_FITS_WHOLE;
	if (other > rank)
		rank = other;
	return rank && x->flags & OMPP_VARIABLE_BARE ? OMPP_FITS_SHORTENED : rank;
}

/* Returns the length of "operator<" and the like, whose signs are no brackets and no comma of a list; 0 when something
 * else is at s, in a list that begins before. */
static size_t operator_length(const char *begin, const char *s)
{
	static const char word[] = "operator";
	static const char *const signs[] = { "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "<", ">", "," };

	if (strncmp(s, word, sizeof(word) - 1) || (s > begin && ompp_text_is_word(s[-1])))
		return 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(signs); i++)
		if (!strncmp(s + sizeof(word) - 1, signs[i], strlen(signs[i])))
			return sizeof(word) - 1 + strlen(signs[i]);
	return 0;
}

int ompp_query_next(const char **list, struct ompp_query *q)
{
	const char *s = *list, *end;
	int depth = 0;

	while (*s == ',' || *s == ' ')
		s++;
	for (end = s; *end && (*end != ',' || depth > 0); end++) {
		size_t n = operator_length(s, end);

		if (n) {
			end += n - 1;
			continue;
		}
		depth += *end == '(' || *end == '<' || *end == '{' || *end == '[';
		depth -= *end == ')' || *end == '>' || *end == '}' || *end == ']';
	}
	*list = end;
	while (end > s && end[-1] == ' ')
		end--;
	*q = (struct ompp_query){ .written = s, .text = s, .n_written = (size_t)(end - s), .n = (size_t)(end - s) };
	return end > s;
}

/* Takes "@0x4080" from the end of the name. */
static void read_address(struct ompp_query *q)
{
	const char *at = memmem(q->text, q->n, "@0x", 3);
	uintptr_t address = 0;
	size_t i;

	for (i = at ? (size_t)(at + 3 - q->text) : q->n; i < q->n; i++) {
		char c = ompp_text_lower(q->text[i]);

		if (!strchr("0123456789abcdef", c))
			return;
		address = address << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	if (at && at > q->text) {
		q->address = address;
		q->n = (size_t)(at - q->text);
	}
}

void ompp_query_read(struct ompp_arena *arena, struct ompp_query *q)
{
	for (size_t i = 1; i + 1 < q->n; i++)
		if (q->text[i] == ':' && q->text[i - 1] != ':' && q->text[i + 1] != ':') {
			q->file = q->text;
			q->n_file = i;
			q->text += i + 1;
			q->n -= i + 1;
			break;
		}
	read_address(q);
	q->word = ompp_variable_word(q->text, q->n, &q->n_word);
	q->name = q->n_word ? ompp_arena_strndup(arena, q->word, q->n_word) : "__BLNK__";
	if (!q->name)
		q->name = "";
}

int ompp_query_is_repeated(const char *names, const struct ompp_query *q)
{
	struct ompp_query before;

	while (ompp_query_next(&names, &before) && before.written < q->written)
		if (before.n == q->n_written && !memcmp(before.written, q->written, before.n))
			return 1;
	return 0;
}

int ompp_query_is_star(const struct ompp_query *q)
{
	return q->n == 1 && q->text[0] == '*';
}
