/*
 * Extent: see extent.h.
 */
#include "opari/read/extent.h"

#include "opari/read/braces.h"
#include "opari/read/directive_split.h"
#include "opari/read/pragma.h"

int kinst_extent_find(const struct kinst_tokens *tokens, struct kinst_extent *extent)
{
	uint32_t i = extent->pragma + 1;

	extent->first = extent->last = extent->pragma;
	if (kinst_directive_is_alone(&extent->d))
		return 1;
	while (i < tokens->n_tokens && kinst_directive_is_loop(&extent->d) && tokens->tokens[i].kind == KINST_PRAGMA)
		i++; /* pragmas such as tile, unroll, GCC ivdep */
	if (i >= tokens->n_tokens || (kinst_directive_is_loop(&extent->d) && !kinst_is_name(tokens, i, "for")))
		return 0;
	extent->first = extent->pragma + 1;
	extent->last = kinst_braces_statement(tokens, extent->first);
	if (kinst_directive_has(&extent->d, KINST_OMP_SECTIONS) && !kinst_is_sign(tokens, extent->first, '{'))
		return 0;
	return extent->last != KINST_NONE;
}

/* Returns 1 when the pragma at token i has this construct, and this clause unless it is NULL. */
static int is_pragma_of(const struct kinst_tokens *tokens, uint32_t i, enum kinst_leaf leaf, const char *clause)
{
	struct kinst_directive d;
	int is;

	if (!kinst_pragma_read(tokens, i, &d))
		return 0;
	is = d.leaves[0] == leaf && (!clause || kinst_directive_clause(&d, clause));
	kinst_directive_free(&d);
	return is;
}

int kinst_extent_is_cancelled(const struct kinst_tokens *tokens, const struct kinst_extent *extent,
                              const char *construct)
{
	for (uint32_t i = extent->first; tokens->has_cancel && i <= extent->last; i++)
		if (is_pragma_of(tokens, i, KINST_OMP_CANCEL, construct))
			return 1;
	return 0;
}

uint32_t kinst_extent_section(const struct kinst_tokens *tokens, uint32_t i, uint32_t end)
{
	for (; i < end; i++) {
		const struct kinst_token *t = tokens->tokens + i;

		if (t->kind == KINST_PUNCTUATOR && t->match != KINST_NONE && t->match > i)
			i = t->match;
		else if (is_pragma_of(tokens, i, KINST_OMP_SECTION, NULL))
			return i;
	}
	return end;
}

uint32_t kinst_extent_inside(const struct kinst_tokens *tokens, uint32_t i, int braces)
{
	if (!kinst_is_name(tokens, i, "for") || !kinst_is_sign(tokens, i + 1, '(') ||
	    tokens->tokens[i + 1].match == KINST_NONE)
		return KINST_NONE;
	i = tokens->tokens[i + 1].match + 1;
	while (braces && kinst_is_sign(tokens, i, '{'))
		i++;
	return i;
}

/* Lets PARALLEL share the variables of the loops in the remaining directive, where the loops do not declare them. */
static void share_counters(const struct kinst_tokens *tokens, const struct kinst_extent *s,
                           const struct kinst_text *inner, struct kinst_text *outer)
{
	size_t n = kinst_directive_n_loops(&s->d);
	uint32_t i = s->first, inside;

	for (; n-- && (inside = kinst_extent_inside(tokens, i, n > 0)) != KINST_NONE; i = inside) {
		const struct kinst_token *name = tokens->tokens + i + 2;

		if (name->kind == KINST_NAME && kinst_is_sign(tokens, i + 3, '=') && !kinst_is_sign(tokens, i + 4, '='))
			kinst_directive_share_counter(&s->d, tokens->text + name->at, name->length, inner, outer);
	}
}

void kinst_extent_split(const struct kinst_tokens *tokens, const struct kinst_extent *s, struct kinst_text *outer,
                        struct kinst_text *inner)
{
	kinst_directive_split(&s->d, outer, inner);
	share_counters(tokens, s, inner, outer);
}
