/*
 * Braces: see braces.h.  First where statements end, then what pragmas have to do with them.
 */
#include "opari/read/braces.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/kinst_text.h"
#include "opari/read/pragma.h"
#include "runtime/base/array.h"

/*
 * Returns 1 for a pragma that stands alone, so that the next statement does not belong to it.  Pragmas that compilers
 * ignore, or reject as a statement, do not stand alone.
 */
static int stands_alone(const struct kinst_tokens *tokens, uint32_t i)
{
	struct kinst_directive d;
	int is_alone;

	if (!kinst_pragma_read(tokens, i, &d))
		return 0;
	is_alone = kinst_directive_is_alone(&d) && !kinst_directive_is_passed_over(&d);
	kinst_directive_free(&d);
	return is_alone;
}

static uint32_t match_of(const struct kinst_tokens *tokens, uint32_t i, char sign)
{
	return kinst_is_sign(tokens, i, sign) ? tokens->tokens[i].match : KINST_NONE;
}

uint32_t kinst_braces_semicolon(const struct kinst_tokens *tokens, uint32_t i)
{
	for (; i < tokens->n_tokens; i++) {
		const struct kinst_token *token = tokens->tokens + i;

		if (token->kind != KINST_PUNCTUATOR)
			continue;
		if (token->sign == ';')
			return i;
		if (!token->sign || !strchr("()[]{}", token->sign))
			continue;
		if (token->match == KINST_NONE || token->match < i)
			return KINST_NONE;
		i = token->match;
	}
	return KINST_NONE;
}

/*
 * Returns the token behind the colon of `case x ? y : z:`, where token i follows `case`; KINST_NONE when there is
 * none.
 */
static uint32_t after_case(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t n_open = 0;

	for (; i < tokens->n_tokens; i++) {
		const struct kinst_token *token = tokens->tokens + i;

		if (token->kind != KINST_PUNCTUATOR)
			continue;
		if (token->sign == '?') {
			n_open++;
		} else if (token->sign == ':') {
			if (!n_open--)
				return i + 1;
		} else if (token->sign == ';' || token->sign == '}') {
			break;
		} else if (token->match != KINST_NONE && token->match > i) {
			i = token->match;
		}
	}
	return KINST_NONE;
}

/* Returns the end of `try { } catch (…) { }` with all its handlers, where token i is `try`. */
static uint32_t try_end(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t end = match_of(tokens, i + 1, '{');

	while (end != KINST_NONE && kinst_is_name(tokens, end + 1, "catch")) {
		end = match_of(tokens, end + 2, '(');
		if (end != KINST_NONE)
			end = match_of(tokens, end + 1, '{');
	}
	return end;
}

/*
 * Returns the token behind what may stand before a statement: a label, an attribute, the head of a loop.  Returns i
 * when none of these is there.
 */
static uint32_t after_prefix(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t end;

	if (tokens->tokens[i].kind == KINST_PRAGMA)
		return stands_alone(tokens, i) ? i : i + 1;
	if (tokens->tokens[i].kind == KINST_DIRECTIVE || kinst_is_name(tokens, i, "__extension__"))
		return i + 1;
	if (kinst_is_sign(tokens, i, '[') && kinst_is_sign(tokens, i + 1, '['))
		end = tokens->tokens[i].match;
	else if (kinst_is_name(tokens, i, "__attribute__") || kinst_is_name(tokens, i, "__attribute") ||
	         kinst_is_name(tokens, i, "while") || kinst_is_name(tokens, i, "switch"))
		end = match_of(tokens, i + 1, '(');
	else if (kinst_is_name(tokens, i, "for"))
		end = match_of(tokens, i + 1 + (kinst_is_name(tokens, i + 1, "co_await")), '(');
	else if (kinst_is_name(tokens, i, "case"))
		return after_case(tokens, i + 1);
	else if (tokens->tokens[i].kind == KINST_NAME && kinst_is_sign(tokens, i + 1, ':'))
		return i + 2; /* a label; `default` is one, too */
	else
		return i;
	return end == KINST_NONE ? KINST_NONE : end + 1;
}

/* Returns the token behind `if (…)`, where token i is the `if`. */
static uint32_t after_condition(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t end;

	while (kinst_is_name(tokens, ++i, "constexpr") || kinst_is_name(tokens, i, "consteval") ||
	       kinst_is_sign(tokens, i, '!'))
		;
	if (!kinst_is_sign(tokens, i, '('))
		return i; /* it is `if consteval { … }` */
	end = tokens->tokens[i].match;
	return end == KINST_NONE ? KINST_NONE : end + 1;
}

/* Returns the end of `do statement while (…);`, whose statement ends at `end`. */
static uint32_t do_end(const struct kinst_tokens *tokens, uint32_t end)
{
	if (!kinst_is_name(tokens, end + 1, "while"))
		return KINST_NONE;
	end = match_of(tokens, end + 2, '(');
	return end != KINST_NONE && kinst_is_sign(tokens, end + 1, ';') ? end + 1 : KINST_NONE;
}

/*
 * A statement has ended at *end, and with it the ifs and dos around it, up to an if that goes on with `else`.
 * Returns where reading continues; KINST_NONE when all is read.
 */
static uint32_t close_open(const struct kinst_tokens *tokens, struct kinst_text *open, uint32_t *end)
{
	while (*end != KINST_NONE && open->length) {
		if (open->data[--open->length] == 'd')
			*end = do_end(tokens, *end);
		else if (kinst_is_name(tokens, *end + 1, "else"))
			return *end + 2;
	}
	return KINST_NONE;
}

/*
 * Recursive descent with an explicit stack, so that ten thousand nested statements do not overflow the call stack:
 * `open` holds the ifs ('i') and dos ('d') whose statement is being read.
 */
uint32_t kinst_braces_statement(const struct kinst_tokens *tokens, uint32_t i)
{
	struct kinst_text open = { 0 };
	uint32_t end = KINST_NONE;

	while (i < tokens->n_tokens) {
		uint32_t next = after_prefix(tokens, i);

		if (next != i) {
			i = next;
			continue;
		}
		if (kinst_is_name(tokens, i, "do")) {
			kinst_text_puts(&open, "d");
			i++;
			continue;
		}
		if (kinst_is_name(tokens, i, "if")) {
			kinst_text_puts(&open, "i");
			i = after_condition(tokens, i);
			continue;
		}
		if (tokens->tokens[i].kind == KINST_PRAGMA)
			end = i;
		else if (kinst_is_sign(tokens, i, '{'))
			end = tokens->tokens[i].match;
		else if (kinst_is_name(tokens, i, "try"))
			end = try_end(tokens, i);
		else
			end = kinst_braces_semicolon(tokens, i);
		i = close_open(tokens, &open, &end);
		if (i == KINST_NONE)
			break;
		end = KINST_NONE;
	}
	kinst_text_free(&open);
	return end;
}

int kinst_braces_is_head(const struct kinst_tokens *tokens, uint32_t i)
{
	if (kinst_is_name(tokens, i, "else") || kinst_is_name(tokens, i, "do"))
		return 1;
	if (!kinst_is_sign(tokens, i, ')') || tokens->tokens[i].match == KINST_NONE || !tokens->tokens[i].match)
		return 0;
	i = tokens->tokens[i].match - 1;
	if ((kinst_is_name(tokens, i, "constexpr") || kinst_is_name(tokens, i, "co_await")) && i)
		i--;
	return kinst_is_name(tokens, i, "if") || kinst_is_name(tokens, i, "for") || kinst_is_name(tokens, i, "while") ||
	       kinst_is_name(tokens, i, "switch");
}

/*
 * Returns the bond of an OpenMP pragma.  A pragma that cannot be read counts as a construct's; the compiler refuses
 * it.
 */
static enum kinst_bond bond_of_directive(const struct kinst_tokens *tokens, uint32_t pragma)
{
	struct kinst_directive d;
	enum kinst_bond bond = KINST_CONSTRUCT;

	if (!kinst_pragma_read(tokens, pragma, &d))
		return KINST_CONSTRUCT;
	if (kinst_directive_is_alone(&d))
		bond = KINST_FREE;
	else if (kinst_directive_has(&d, KINST_OMP_SECTIONS))
		bond = KINST_SECTIONS;
	kinst_directive_free(&d);
	return bond;
}

enum kinst_bond kinst_braces_bond(const struct kinst_tokens *tokens, uint32_t pragma)
{
	static const char *const loops[] = { "unroll", "nounroll", "ivdep", "novector", "loop", "acc" };

	/* The user's own directives may have raw strings in them, which no directive of OpenMP has. */
	if (kinst_pragma_is_omp(tokens, pragma))
		return kinst_pragma_has(tokens, pragma, "inst") ? KINST_FREE : bond_of_directive(tokens, pragma);
	for (size_t i = 0; i < OMPP_COUNT_OF(loops); i++)
		if (kinst_pragma_has(tokens, pragma, loops[i]))
			return KINST_BOUND;
	return KINST_FREE;
}
