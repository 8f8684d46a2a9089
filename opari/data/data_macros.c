/*
 * Data, macros: see data_macros.h.
 */
#include "opari/data/data_macros.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opari/data/data.h"
#include "opari/read/lexer.h"

#define QUESTION "__kinst_data_question"

/* Finds the arguments of a pragma, which may hold macros.  Returns 0 when the line has none. */
static int question_of(const char *line, size_t length, int pomp_only, struct kinst_span *arguments)
{
	struct kinst_span rest;
	struct kinst_tokens tokens;
	int found;

	if (!kinst_data_is_pragma(line, length, &rest) ||
	    (pomp_only && !memmem(line, (size_t)(rest.p - line), "pomp", 4)) ||
	    kinst_lexer_read(&tokens, rest.p, rest.n))
		return 0;
	found = kinst_data_arguments(&tokens, arguments);
	kinst_lexer_free(&tokens);
	return found;
}

/*
 * Returns 1 for a line that changes what a macro means.  Predefined macros of every preprocessor, which may not be
 * redefined, do not count.
 */
static int is_definition(const char *line, size_t length)
{
	const char *end = line + length, *p = NULL;

	if (length && *line == '#') {
		p = kinst_data_after_word(line + 1, end, "define");
		p = p ? p : kinst_data_after_word(line + 1, end, "undef");
	}
	while (p && p < end && isspace((unsigned char)*p))
		p++;
	return p && !((size_t)(end - p) > 6 && !memcmp(p, "__STDC", 6));
}

size_t kinst_data_ask(const char *text, size_t length, int pomp_only, struct kinst_text *questions)
{
	const char *end = text + length;
	struct kinst_span arguments;
	size_t n = 0;

	for (const char *p = text; p < end; p++) {
		size_t n_line = kinst_data_line_length(p, end);

		if (question_of(p, n_line, pomp_only, &arguments)) {
			kinst_text_printf(questions, QUESTION " %zu (%.*s)\n", n++, (int)arguments.n, arguments.p);
		} else if (is_definition(p, n_line)) {
			kinst_text_add(questions, p, n_line);
			kinst_text_puts(questions, "\n");
		}
		p += n_line;
	}
	return n;
}

/* Finds the answer to the question at token *i, or to a later one, and where it ends.  Returns 0 when there is none. */
static int next_answer(const struct kinst_tokens *tokens, uint32_t *i, struct kinst_span *answer)
{
	for (; *i + 2 < tokens->n_tokens; ++*i) {
		uint32_t open = *i + 2;

		if (!kinst_is_name(tokens, *i, QUESTION) || !kinst_is_sign(tokens, open, '(') ||
		    tokens->tokens[open].match == KINST_NONE)
			continue;
		*answer = kinst_tokens_span(tokens, open + 1, tokens->tokens[open].match);
		*i = tokens->tokens[open].match;
		return 1;
	}
	return 0;
}

/* Returns 1 when the word before the arguments is `end`. */
static int is_end(struct kinst_span line, struct kinst_span arguments)
{
	struct kinst_span rest;

	return kinst_data_is_pragma(line.p, line.n, &rest) && kinst_data_after_word(rest.p, arguments.p, "end");
}

/*
 * Adds the pragma with its arguments expanded, on one line.  A name that was left out becomes the text that the user
 * wrote.
 */
static void put_expanded(struct kinst_text *out, struct kinst_span line, struct kinst_span arguments,
                         struct kinst_span answer)
{
	char *call = kinst_format("(%.*s)", (int)answer.n, answer.p);
	struct kinst_data data;
	struct kinst_span old = arguments;

	for (char *p = call; *p; p++)
		if (*p == '\n')
			*p = ' ';
	kinst_text_add(out, line.p, (size_t)(arguments.p - line.p));
	kinst_text_add(out, call + 1, strlen(call) - 2);
	kinst_data_read((struct kinst_span){ call, strlen(call) }, 1, &data);
	if (!data.problem && !data.name.n && !is_end(line, arguments)) {
		char *first = kinst_format("(%.*s)", (int)old.n, old.p);
		struct kinst_data written;

		kinst_data_read((struct kinst_span){ first, strlen(first) }, 1, &written);
		kinst_text_puts(out, ", ");
		kinst_data_put_quoted(out, written.problem ? data.address : written.address);
		free(first);
	}
	kinst_text_add(out, arguments.p + arguments.n, (size_t)(line.p + line.n - arguments.p - arguments.n));
	free(call);
}

int kinst_data_expand(const char *text, size_t length, int pomp_only, const char *answers, size_t n_answers,
                      struct kinst_text *result)
{
	const char *end = text + length;
	struct kinst_span arguments, answer;
	struct kinst_tokens tokens;
	uint32_t i = 0;
	int error = kinst_lexer_read(&tokens, answers, n_answers);

	for (const char *p = text; p < end && !error; p++) {
		size_t n = kinst_data_line_length(p, end);

		if (!question_of(p, n, pomp_only, &arguments))
			kinst_text_add(result, p, n);
		else if (next_answer(&tokens, &i, &answer))
			put_expanded(result, (struct kinst_span){ p, n }, arguments, answer);
		else
			error = -EPROTO;
		p += n;
		if (p < end)
			kinst_text_puts(result, "\n");
	}
	if (!error && next_answer(&tokens, &i, &answer))
		error = -EPROTO;
	kinst_lexer_free(&tokens);
	return error;
}
