/*
 * Operand: see operand.h.
 */
#include "opari/read/operand.h"

#include <string.h>

#include "opari/read/lock_sites.h"

static char sign_at(const struct kinst_tokens *tokens, uint32_t i)
{
	return tokens->tokens[i].kind == KINST_PUNCTUATOR ? tokens->tokens[i].sign : 0;
}

static int is_adjacent(const struct kinst_tokens *tokens, uint32_t i)
{
	return tokens->tokens[i].at + tokens->tokens[i].length == tokens->tokens[i + 1].at;
}

static int is_operator(char sign)
{
	return sign && strchr("+-*/%&|^<>", sign) != NULL;
}

/*
 * Returns 1 when an assignment's plain `=` is token i, 2 when `=` ends one with an operator, as `+=`, and 0 for
 * comparisons and other tokens.
 */
static int operand_assigns(const struct kinst_tokens *tokens, uint32_t first, uint32_t i)
{
	char before = i > first && is_adjacent(tokens, i - 1) ? sign_at(tokens, i - 1) : 0;
	char shift = i > first + 1 && is_adjacent(tokens, i - 2) ? sign_at(tokens, i - 2) : 0;

	if (sign_at(tokens, i) != '=' || (is_adjacent(tokens, i) && sign_at(tokens, i + 1) == '='))
		return 0;
	if (before == '=' || before == '!' || ((before == '<' || before == '>') && shift != before))
		return 0;
	return is_operator(before) ? 2 : 1;
}

/* Returns 1 when the n tokens at a are the same as those at b. */
static int are_same(const struct kinst_tokens *tokens, uint32_t a, uint32_t b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct kinst_token *x = tokens->tokens + a + i, *y = tokens->tokens + b + i;

		if (x->length != y->length || memcmp(tokens->text + x->at, tokens->text + y->at, x->length))
			return 0;
	}
	return 1;
}

/*
 * Returns 1 when something is called in tokens first to last, and nothing is in them that cannot be moved: lambdas,
 * pragmas, raw strings of several lines, and calls of locks, which are rewritten where they stand.
 */
static int may_move(const struct kinst_tokens *tokens, uint32_t first, uint32_t last)
{
	int calls = 0;

	for (uint32_t i = first; i <= last; i++) {
		char sign = sign_at(tokens, i);

		if (sign == '{' || tokens->tokens[i].kind == KINST_PRAGMA ||
		    tokens->tokens[i].kind == KINST_DIRECTIVE || kinst_lock_call(tokens, i) ||
		    memchr(tokens->text + tokens->tokens[i].at, '\n', tokens->tokens[i].length))
			return 0;
		calls |= sign == '(' && i > first &&
		         (tokens->tokens[i - 1].kind == KINST_NAME || sign_at(tokens, i - 1) == ')' ||
		          sign_at(tokens, i - 1) == ']') &&
		         !kinst_is_name(tokens, i - 1, "sizeof");
	}
	return calls;
}

/*
 * Finds in `x = …`, tokens first to equals, the part of the right side that is not x.
 *
 * whole: 1 takes all of it when x is not in it
 */
static int cut_x(const struct kinst_tokens *tokens, uint32_t first, uint32_t equals, int whole, uint32_t *from,
                 uint32_t *to)
{
	uint32_t n = equals - first, op = *from + n;

	if (!n || *to < *from)
		return 0;
	if (*to > op && are_same(tokens, first, *from, n) && is_operator(sign_at(tokens, op))) {
		*from = op + 1 +
		        (strchr("<>&|", sign_at(tokens, op)) && sign_at(tokens, op + 1) == sign_at(tokens, op));
		return *from <= *to;
	}
	if (*to - *from > n && are_same(tokens, first, *to + 1 - n, n) && is_operator(sign_at(tokens, *to - n)) &&
	    !strchr("<>&|", sign_at(tokens, *to - n))) {
		*to -= n + 1;
		return 1;
	}
	return whole;
}

/*
 * Returns 1 when tokens from to `to` have the n tokens at x among them.  An operand must not mention x; if it does, it
 * is not moved.
 */
static int operand_mentions(const struct kinst_tokens *tokens, uint32_t x, uint32_t n, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; n && i + n <= to + 1; i++)
		if (are_same(tokens, x, i, n))
			return 1;
	return 0;
}

/* Finds the operand of one statement, tokens first to its semicolon. */
static int find_in(const struct kinst_tokens *tokens, uint32_t first, uint32_t semicolon, int is_write, uint32_t *from,
                   uint32_t *to)
{
	uint32_t equals = KINST_NONE, left = first, n_x;
	int kind = 0;

	for (uint32_t i = first; i < semicolon; i++) {
		uint32_t match = tokens->tokens[i].match;
		int here;

		if (match != KINST_NONE && match > i) {
			i = match;
			continue;
		}
		here = operand_assigns(tokens, first, i);
		if (!here)
			continue;
		left = equals == KINST_NONE ? first : equals + 1;
		equals = i;
		kind = here;
	}
	if (equals == KINST_NONE)
		return 0;
	*from = equals + 1;
	*to = semicolon - 1;
	if (kind == 1 && !cut_x(tokens, left, equals, is_write, from, to))
		return 0;
	n_x = (kind == 1 ? equals : *from - 2) - left;
	return *from <= *to && may_move(tokens, *from, *to) && !operand_mentions(tokens, left, n_x, *from, *to);
}

int kinst_operand_find(const struct kinst_tokens *tokens, const struct kinst_extent *atomic, uint32_t *first,
                       uint32_t *last)
{
	uint32_t from = atomic->first, to = atomic->last;
	int is_write = kinst_directive_clause(&atomic->d, "write") != NULL;

	if (kinst_directive_clause(&atomic->d, "read") || kinst_directive_clause(&atomic->d, "compare"))
		return 0;
	if (kinst_is_sign(tokens, from, '{') && tokens->tokens[from].match == to) {
		from++;
		to--;
	}
	for (uint32_t i = from; i <= to; i++) {
		uint32_t match = tokens->tokens[i].match;

		if (match != KINST_NONE && match > i) {
			i = match;
		} else if (kinst_is_sign(tokens, i, ';')) {
			if (find_in(tokens, from, i, is_write, first, last))
				return 1;
			from = i + 1;
		}
	}
	return 0;
}
