/*
 * Operand, in Fortran: see operand_fortran.h.
 */
#include "opari/read/operand_fortran.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "runtime/base/array.h"

static const struct kinst_span none = { NULL, 0 };

/*
 * Returns what follows a string, a bracket with its contents, a word, or another character at p; never more than the
 * end.
 */
static const char *operand_fortran_step(const char *p, const char *end)
{
	int depth = 0;

	if (kinst_is_word(*p)) {
		while (p < end && kinst_is_word(*p))
			p++;
		return p;
	}
	do {
		if (*p == '\'' || *p == '"') {
			p = kinst_after_string(p, end);
			continue;
		}
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		p++;
	} while (depth > 0 && p < end);
	return p < end ? p : end;
}

/* Returns 1 when both are the same apart from blanks and case. */
static int are_same(struct kinst_span a, struct kinst_span b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.n && a.p[i] == ' ')
			i++;
		while (k < b.n && b.p[k] == ' ')
			k++;
		if (i == a.n || k == b.n)
			return i == a.n && k == b.n;
		if (tolower((unsigned char)a.p[i++]) != tolower((unsigned char)b.p[k++]))
			return 0;
	}
}

/* Returns the `=` of an assignment, or NULL. */
static const char *find_equals(const char *p, const char *end)
{
	const char *begin = p;

	for (; p < end; p = operand_fortran_step(p, end))
		if (*p == '=')
			return p > begin && !strchr("=/<>", p[-1]) && p + 1 < end && p[1] != '=' && p[1] != '>' ? p
			                                                                                        : NULL;
	return NULL;
}

/* Returns the length of an operator at p that stands between operands; 0 for none.  `**` and comparisons are none. */
static size_t operator_at(const char *p, const char *end)
{
	static const char *const words[] = { ".and.", ".or.", ".eqv.", ".neqv." };

	if (*p == '+' || *p == '-')
		return 1;
	if (*p == '*' || *p == '/')
		return p + 1 == end || (p[1] != *p && p[1] != '=');
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++)
		if ((size_t)(end - p) > strlen(words[i]) && !strncasecmp(p, words[i], strlen(words[i])))
			return strlen(words[i]);
	return 0;
}

/*
 * Returns 1 when the operand may be evaluated first as a whole, by the precedence of the operator next to it: products
 * next to + and -, otherwise only a single operand.
 */
static int operand_fortran_binds(struct kinst_span operand, char operator)
{
	const char *end = operand.p + operand.n;
	int beside_sum = operator== '+' || operator== '-';

	for (const char *p = operand.p; p < end; p = operand_fortran_step(p, end))
		if (strchr("+-=<>", *p) || (!beside_sum && strchr("*/", *p)) ||
		    (*p == '.' && !isdigit((unsigned char)p[1]) && (p == operand.p || !isdigit((unsigned char)p[-1]))))
			return 0;
	return 1;
}

/* Returns the operand in `x op operand` and `operand op x`. */
static struct kinst_span beside_x(struct kinst_span x, const char *p, const char *end)
{
	const char *begin = p, *first = NULL, *last = NULL;
	struct kinst_span operand = none;
	size_t n_first = 0, n_last = 0;

	for (; p < end; p = operand_fortran_step(p, end)) {
		size_t n = p > begin && p[-1] != '*' ? operator_at(p, end) : 0;

		if (n && !first) {
			first = p;
			n_first = n;
		}
		if (n) {
			last = p;
			n_last = n;
		}
	}
	if (!first)
		return none;
	if (are_same(x, kinst_trimmed(begin, first))) {
		operand = kinst_trimmed(first + n_first, end);
		return operand_fortran_binds(operand, *first) ? operand : none;
	}
	if (are_same(x, kinst_trimmed(last + n_last, end))) {
		operand = kinst_trimmed(begin, last);
		return operand_fortran_binds(operand, *last) ? operand : none;
	}
	return none;
}

/* Returns the operand in `max(x, operand)` and `max(operand, x)`, with two arguments. */
static struct kinst_span inside_function(struct kinst_span x, const char *p, const char *end)
{
	static const char *const names[] = { "max", "min", "iand", "ior", "ieor" };

	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		const char *open = kinst_after_word(p, end, names[i]), *comma;
		struct kinst_span a, b;

		while (open && open < end && *open == ' ')
			open++;
		if (!open || open == end || *open != '(' || operand_fortran_step(open, end) != end)
			continue;
		comma = kinst_next_stop(open + 1, end);
		if (comma == end || *comma != ',' || kinst_next_stop(comma + 1, end) != end - 1)
			return none;
		a = kinst_trimmed(open + 1, comma);
		b = kinst_trimmed(comma + 1, end - 1);
		return are_same(x, a) ? b : are_same(x, b) ? a : none;
	}
	return none;
}

/* Returns the first occurrence of the text as a whole word, or NULL. */
static const char *find_word(const char *text, struct kinst_span word)
{
	for (const char *p = text; *p; p++)
		if ((p == text || !kinst_is_word(p[-1])) && !strncasecmp(p, word.p, word.n) &&
		    !kinst_is_word(p[word.n]))
			return p;
	return NULL;
}

/* Returns 1 when a declaration in the text makes it an array. */
static int is_array(const struct kinst_statements *all, struct kinst_span name)
{
	static const char *const types[] = { "dimension", "common",  "real",        "integer", "double",
		                             "complex",   "logical", "allocatable", "pointer", "target" };

	for (size_t i = 0; i < all->n; i++) {
		const char *text = all->items[i].text, *colons = strstr(text, "::"), *p = find_word(text, name);
		int declares = colons != NULL;

		for (size_t k = 0; p && !declares && k < OMPP_COUNT_OF(types); k++)
			declares = kinst_eat(text, types[k]) != NULL;
		if (!p || !declares || find_word(text, (struct kinst_span){ "function", 8 }))
			continue;
		if (colons && p > colons) {
			const char *dimension = find_word(text, (struct kinst_span){ "dimension", 9 });

			if (dimension && dimension < colons)
				return 1;
		}
		for (p += name.n; *p == ' '; p++)
			;
		if (*p == '(')
			return 1;
	}
	return 0;
}

static int operand_fortran_calls(const struct kinst_statements *all, struct kinst_span operand)
{
	const char *end = operand.p + operand.n;

	for (const char *p = operand.p, *behind; p < end; p = behind) {
		behind = p + 1;
		if (*p == '\'' || *p == '"')
			behind = kinst_after_string(p, end);
		else if (kinst_is_word(*p))
			behind = operand_fortran_step(p, end);
		if (isalpha((unsigned char)*p)) {
			const char *open = behind;

			while (open < end && *open == ' ')
				open++;
			if (open < end && *open == '(' && (p == operand.p || p[-1] != '%') &&
			    !is_array(all, (struct kinst_span){ p, (size_t)(behind - p) }))
				return 1;
		}
	}
	return 0;
}

/* Returns 1 when x is a part of the operand, which it must not be. */
static int operand_fortran_mentions(struct kinst_span operand, struct kinst_span x)
{
	const char *end = operand.p + operand.n;

	for (const char *p = operand.p; p < end; p++)
		for (const char *to = p + 1; to <= end && to <= p + 2 * x.n; to++)
			if ((p == operand.p || !kinst_is_word(p[-1])) && (to == end || !kinst_is_word(*to)) &&
			    are_same((struct kinst_span){ p, (size_t)(to - p) }, x))
				return 1;
	return 0;
}

struct kinst_span kinst_operand_fortran(const struct kinst_statements *all, size_t i, int is_write)
{
	const char *text = all->items[i].text, *end = text + strlen(text), *equals = find_equals(text, end);
	struct kinst_span x, right, operand;

	if (!equals || all->items[i].n_label)
		return none;
	x = kinst_trimmed(text, equals);
	right = kinst_trimmed(equals + 1, end);
	operand = is_write ? right : beside_x(x, right.p, right.p + right.n);
	if (!operand.n && !is_write)
		operand = inside_function(x, right.p, right.p + right.n);
	return operand.n && operand_fortran_calls(all, operand) && (is_write || !operand_fortran_mentions(operand, x))
	             ? operand
	             : none;
}
