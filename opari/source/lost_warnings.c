/*
 * Lost warnings: see lost_warnings.h.
 *
 * They are lost for three reasons.  gcc does not check indentation after a line marker.  Compilers do not warn in
 * system headers, to which our calls seem to belong.  And our calls separate statements that were adjacent.
 */
#include "opari/source/lost_warnings.h"

#include <string.h>

#include "opari/read/braces.h"
#include "opari/read/lexer.h"
#include "runtime/base/array.h"

enum kinst_lost_warnings kinst_lost_warnings_asked(const struct kinst_command *command, int clang)
{
	/* clang-format off */
	static const char *const always[] = {
		"-fanalyzer", "-Wanalyzer-", "-Wunreachable-code", "-Weverything", "-Wsuggest-attribute=", "-Winline",
		"-Wstack-usage=", "-Wframe-larger-than", "-Wstrict-overflow", "-Wunsafe-loop-optimizations",
		"-Wdisabled-optimization", "-Wnull-dereference", "-fopt-info", "-Rpass"
	};
	/* clang-format on */
	static const char *const others[] = { "-Wl,", "-Wp,", "-Wa,", "-Wno-" };
	enum kinst_lost_warnings asked = clang ? KINST_LOST_WARNINGS_IN_TEXT : KINST_LOST_WARNINGS_NEVER;

	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;
		int other = 0;

		if (!strcmp(word, "-w"))
			return KINST_LOST_WARNINGS_NEVER;
		for (size_t o = 0; o < OMPP_COUNT_OF(always); o++)
			if (kinst_begins(word, always[o]))
				return KINST_LOST_WARNINGS_ALWAYS;
		for (size_t o = 0; o < OMPP_COUNT_OF(others); o++)
			other |= kinst_begins(word, others[o]);
		if (kinst_begins(word, "-W") && !other)
			asked = KINST_LOST_WARNINGS_IN_TEXT;
	}
	return asked;
}

/*
 * Returns the offset of a token in its line of the text, in bytes.  Of an endless line it looks only at so many, as
 * it is called for every statement.
 */
static uint32_t lost_warnings_column(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t at = tokens->tokens[i].at, begin = at;

	while (begin && tokens->text[begin - 1] != '\n' && at - begin < 1000)
		begin--;
	return at - begin;
}

static int is_pragma(const struct kinst_tokens *tokens, uint32_t i)
{
	return i < tokens->n_tokens && tokens->tokens[i].kind == KINST_PRAGMA;
}

/*
 * Returns the first token of the statement under the head at token i; KINST_NONE when there is no head, or it is that
 * of a do loop.
 */
static uint32_t under_head(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t open = i + 1;

	if (kinst_is_name(tokens, i, "else"))
		return kinst_is_name(tokens, open, "if") ? KINST_NONE : open;
	if (!kinst_is_name(tokens, i, "if") && !kinst_is_name(tokens, i, "for") && !kinst_is_name(tokens, i, "while") &&
	    !kinst_is_name(tokens, i, "switch"))
		return KINST_NONE;
	if (kinst_is_name(tokens, open, "constexpr"))
		open++;
	if (!kinst_is_sign(tokens, open, '(') || tokens->tokens[open].match == KINST_NONE)
		return KINST_NONE;
	if (kinst_is_name(tokens, i, "while") && i && kinst_is_sign(tokens, i - 1, '}') &&
	    tokens->tokens[i - 1].match != KINST_NONE && tokens->tokens[i - 1].match &&
	    kinst_is_name(tokens, tokens->tokens[i - 1].match - 1, "do"))
		return KINST_NONE;
	return tokens->tokens[open].match + 1;
}

/* Returns 1 when the statement under the head at `head` is empty, or the next one looks as if it belonged to it. */
static int lost_warnings_misleads(const struct kinst_tokens *tokens, uint32_t head, uint32_t body)
{
	uint32_t last, next, here = lost_warnings_column(tokens, head);

	if (kinst_is_sign(tokens, body, ';'))
		return 1;
	if (kinst_is_sign(tokens, body, '{') || is_pragma(tokens, body))
		return 0;
	last = kinst_braces_statement(tokens, body);
	next = last + 1;
	if (last == KINST_NONE || next >= tokens->n_tokens || is_pragma(tokens, next) ||
	    kinst_is_sign(tokens, next, '}') || kinst_is_name(tokens, next, "else") ||
	    tokens->markers[tokens->tokens[next].marker].system)
		return 0;
	return tokens->tokens[next].line == tokens->tokens[last].line || lost_warnings_column(tokens, next) > here ||
	       (tokens->tokens[body].line != tokens->tokens[head].line &&
	        lost_warnings_column(tokens, next) == lost_warnings_column(tokens, body));
}

/* Returns 1 when the pragma at token i, or its statement, is followed by a case label. */
static int before_case(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t next = i + 1, last;

	if (!kinst_is_name(tokens, next, "case") && !kinst_is_name(tokens, next, "default")) {
		last = kinst_braces_statement(tokens, next);
		if (last == KINST_NONE)
			return 0;
		next = last + 1;
	}
	return kinst_is_name(tokens, next, "case") || kinst_is_name(tokens, next, "default");
}

int kinst_lost_warnings_in(const struct kinst_text *text)
{
	struct kinst_tokens tokens;
	int found = 0;

	if (kinst_lexer_read(&tokens, text->data, text->length))
		return 0;
	for (uint32_t i = 0; i < tokens.n_tokens && !found; i++) {
		const struct kinst_token *token = tokens.tokens + i;
		uint32_t body;

		if (tokens.markers[token->marker].system)
			continue;
		if (token->kind == KINST_PRAGMA) {
			found = before_case(&tokens, i);
		} else if (token->kind == KINST_NAME) {
			body = under_head(&tokens, i);
			found = body != KINST_NONE && body < tokens.n_tokens &&
			        lost_warnings_misleads(&tokens, i, body);
		}
	}
	kinst_lexer_free(&tokens);
	return found;
}
