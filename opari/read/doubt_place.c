/*
 * Doubt, place: see doubt_place.h.
 */
#include "opari/read/doubt_place.h"

#include <string.h>

#include "opari/read/braces.h"
#include "opari/read/pragma.h"
#include "runtime/base/array.h"

/* Returns 1 when the token is a pragma to which no statement belongs. */
static int is_alone(const struct kinst_tokens *tokens, uint32_t i)
{
	struct kinst_directive d;
	int alone;

	if (tokens->tokens[i].kind != KINST_PRAGMA || !kinst_pragma_read(tokens, i, &d))
		return 0;
	alone = kinst_directive_is_alone(&d);
	kinst_directive_free(&d);
	return alone;
}

/* Returns 1 when the token ends the head of a switch: what follows without braces is never executed. */
static int is_switch(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t match = kinst_is_sign(tokens, i, ')') ? tokens->tokens[i].match : KINST_NONE;

	return match != KINST_NONE && match && kinst_is_name(tokens, match - 1, "switch");
}

/* Returns 1 when the directive may be no statement there, or not one that stands alone. */
static int doubt_before(const struct kinst_tokens *tokens, const struct kinst_extent *s, int alone)
{
	uint32_t before = s->pragma - 1;

	if (!s->pragma)
		return 1;
	if (kinst_is_sign(tokens, before, ';') || kinst_is_sign(tokens, before, '{') ||
	    kinst_is_sign(tokens, before, '}') || is_alone(tokens, before))
		return 0;
	return alone || is_switch(tokens, before) ||
	       (tokens->tokens[before].kind != KINST_PRAGMA && !kinst_braces_is_head(tokens, before));
}

/* Returns 1 when what begins at token i may be no statement, as a declaration, or one with a label. */
static int doubt_statement(const struct kinst_tokens *tokens, uint32_t i)
{
	static const char *const words[] = { "if", "for", "while", "do", "switch", "return", "try" };
	const struct kinst_token *t = tokens->tokens + i;

	if (t->kind == KINST_PUNCTUATOR)
		return !strchr("{;(*+-~!&", t->sign);
	if (t->kind == KINST_PRAGMA)
		return 0; /* it is looked at by itself */
	if (t->kind != KINST_NAME)
		return 1;
	for (size_t w = 0; w < OMPP_COUNT_OF(words); w++)
		if (kinst_is_name(tokens, i, words[w]))
			return 0;
	while (kinst_is_sign(tokens, i + 1, KINST_SCOPE) && i + 2 < tokens->n_tokens)
		i += 2;
	if (i + 1 >= tokens->n_tokens || tokens->tokens[i + 1].kind != KINST_PUNCTUATOR)
		return 1;
	if (strchr("*&<", tokens->tokens[i + 1].sign)) /* a pointer, a reference, a template */
		return !kinst_is_sign(tokens, i + 2, '=') && !kinst_is_sign(tokens, i + 2, '<');
	return !strchr("=([.+-/%^|>", tokens->tokens[i + 1].sign);
}

/* Returns 1 when a section, from its first token to `end`, may be no statement, or several. */
static int doubt_section(const struct kinst_tokens *tokens, uint32_t i, uint32_t end)
{
	return i >= end || doubt_statement(tokens, i) || is_alone(tokens, i) ||
	       kinst_braces_statement(tokens, i) != end - 1;
}

static int doubt_sections(const struct kinst_tokens *tokens, const struct kinst_extent *s)
{
	uint32_t i = s->first + 1, next = kinst_extent_section(tokens, i, s->last);

	if (next > i && doubt_section(tokens, i, next))
		return 1;
	for (i = next; i < s->last; i = next) {
		next = kinst_extent_section(tokens, i + 1, s->last);
		if (doubt_section(tokens, i + 1, next))
			return 1;
	}
	return 0;
}

/* Returns 1 when the body of a loop, which may be the innermost of several, may be no statement. */
static int doubt_loop(const struct kinst_tokens *tokens, const struct kinst_extent *s)
{
	uint32_t i = s->first;

	for (size_t n = kinst_directive_n_loops(&s->d); n && i != KINST_NONE; n--)
		i = kinst_extent_inside(tokens, i, n > 1);
	return i == KINST_NONE || doubt_statement(tokens, i);
}

int kinst_doubt_place(const struct kinst_tokens *tokens, const struct kinst_extent *s, int in_braces)
{
	int alone = kinst_directive_is_alone(&s->d);

	if (s->d.leaves[0] == KINST_OMP_OTHER || s->d.leaves[0] == KINST_OMP_SECTION)
		return 0;
	if (!in_braces || doubt_before(tokens, s, alone))
		return 1;
	if (alone)
		return 0;
	if (kinst_directive_has(&s->d, KINST_OMP_SECTIONS))
		return doubt_sections(tokens, s);
	return kinst_directive_is_loop(&s->d) ? doubt_loop(tokens, s) : doubt_statement(tokens, s->first);
}
