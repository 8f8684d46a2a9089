/*
 * Pragma: see pragma.h.
 */
#include "opari/read/pragma.h"

#include <ctype.h>
#include <string.h>

#include "opari/base/kinst_text.h"

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (isspace((unsigned char)*p) || *p == '\\'))
		p++;
	return p;
}

/* Returns what follows the word that p begins with, blanks before it skipped; NULL when p begins with another. */
static const char *after_word(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	p = skip_blanks(p, end);
	if ((size_t)(end - p) < n || memcmp(p, word, n) || (p + n < end && kinst_is_word(p[n])))
		return NULL;
	return p + n;
}

/* Returns what follows `#pragma`, or NULL when the token is no pragma; *end is where it ends. */
static const char *pragma_content(const struct kinst_tokens *tokens, uint32_t i, const char **end)
{
	const struct kinst_token *token = tokens->tokens + i;
	const char *p = tokens->text + token->at;

	*end = p + token->length;
	return token->kind == KINST_PRAGMA ? after_word(p + 1, *end, "pragma") : NULL;
}

int kinst_pragma_is_omp(const struct kinst_tokens *tokens, uint32_t i)
{
	const char *end, *p = pragma_content(tokens, i, &end);

	return p && after_word(p, end, "omp");
}

int kinst_pragma_read(const struct kinst_tokens *tokens, uint32_t i, struct kinst_directive *d)
{
	const char *end, *p = pragma_content(tokens, i, &end);

	p = p ? after_word(p, end, "omp") : NULL;
	return p && !kinst_directive_read(d, p, (size_t)(end - p), 0);
}

int kinst_pragma_has(const struct kinst_tokens *tokens, uint32_t i, const char *word)
{
	const char *end, *p = pragma_content(tokens, i, &end);

	for (int k = 0; p && k < 2; k++) {
		if (after_word(p, end, word))
			return 1;
		for (p = skip_blanks(p, end); p < end && kinst_is_word(*p); p++)
			;
	}
	return 0;
}
