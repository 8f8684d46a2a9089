/*
 * Attributes: see attributes.h.
 */
#include "opari/read/attributes.h"

#include <string.h>

/* Returns what follows `omp ::` at token i; i when it does not stand there. */
static uint32_t after_omp(const struct kinst_tokens *tokens, uint32_t i)
{
	return kinst_is_name(tokens, i, "omp") && kinst_is_sign(tokens, i + 1, KINST_SCOPE) ? i + 2 : i;
}

static uint32_t match_of(const struct kinst_tokens *tokens, uint32_t i, char sign)
{
	return kinst_is_sign(tokens, i, sign) ? tokens->tokens[i].match : KINST_NONE;
}

static size_t end_of(const struct kinst_tokens *tokens, uint32_t i)
{
	return tokens->tokens[i].at + tokens->tokens[i].length;
}

/*
 * Adds `directive ( … )` at token i as a pragma, and `sequence ( directive ( … ), … )` as several.  Returns the token
 * behind it; i when it is neither.
 */
static uint32_t put_directives(const struct kinst_tokens *tokens, uint32_t i, struct kinst_text *out)
{
	uint32_t close = match_of(tokens, i + 1, '('), k;
	size_t from, to;

	if (close == KINST_NONE)
		return i;
	if (kinst_is_name(tokens, i, "directive") || kinst_is_name(tokens, i, "decl")) {
		from = end_of(tokens, i + 1);
		to = tokens->tokens[close].at;
		kinst_text_puts(out, "#pragma omp ");
		for (; from < to; from++)
			kinst_text_add(out, tokens->text[from] == '\n' ? " " : tokens->text + from, 1);
		kinst_text_puts(out, "\n");
		return close + 1;
	}
	if (!kinst_is_name(tokens, i, "sequence"))
		return i;
	for (k = i + 2; k < close; k++) {
		uint32_t at = after_omp(tokens, k), next = put_directives(tokens, at, out);

		if (next == at)
			return i;
		k = next; /* it is at the comma, or the end */
	}
	return close + 1;
}

/*
 * Adds the pragmas of [[ omp::directive(…), omp::… ]] or [[ using omp: directive(…) ]] at token i.  Returns the token
 * behind it; i when it is none.
 */
static uint32_t put_attribute(const struct kinst_tokens *tokens, uint32_t i, struct kinst_text *out)
{
	uint32_t outer = match_of(tokens, i, '['), inner = match_of(tokens, i + 1, '['), k = i + 2;
	int is_using = kinst_is_name(tokens, k, "using") && kinst_is_name(tokens, k + 1, "omp") &&
	               kinst_is_sign(tokens, k + 2, ':');

	if (outer == KINST_NONE || inner == KINST_NONE || inner + 1 != outer)
		return i;
	for (k += is_using ? 3 : 0; k < inner; k++) {
		uint32_t at = after_omp(tokens, k), next;

		if (at == k && !is_using)
			return i;
		next = put_directives(tokens, at, out);
		if (next == at)
			return i;
		k = next;
		if (k < inner && !kinst_is_sign(tokens, k, ','))
			return i;
	}
	return outer + 1;
}

int kinst_attributes_rewrite(const struct kinst_tokens *tokens, struct kinst_text *result)
{
	size_t at = 0;
	int found = 0;

	for (uint32_t i = 0; i < tokens->n_tokens; i++) {
		struct kinst_text pragmas = { 0 };
		uint32_t next;

		if (!kinst_is_sign(tokens, i, '[') || !kinst_is_sign(tokens, i + 1, '['))
			continue;
		next = put_attribute(tokens, i, &pragmas);
		if (next != i && pragmas.length) {
			const struct kinst_token *first = tokens->tokens + i, *last = tokens->tokens + next - 1;

			kinst_text_add(result, tokens->text + at, first->at - at);
			kinst_text_puts(result, "\n");
			for (const char *p = pragmas.data, *eol; *p; p = eol + 1) {
				eol = strchr(p, '\n');
				kinst_lexer_put_marker(tokens, first->marker, first->line, 0, result);
				kinst_text_add(result, p, (size_t)(eol + 1 - p));
			}
			kinst_lexer_put_marker(tokens, last->marker, last->line, 0, result);
			at = last->at + last->length;
			found = 1;
			i = next - 1;
		}
		kinst_text_free(&pragmas);
	}
	if (found)
		kinst_text_add(result, tokens->text + at, tokens->length - at);
	return found;
}
