/*
 * Data: see data.h.  The calls are made in data_calls.c.
 */
#include "opari/data/data.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "opari/read/lexer.h"
#include "runtime/base/array.h"

static const char form[] = "the arguments are missing; write data(pointer, bytes, \"name\")";

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (isspace((unsigned char)*p) || (*p == '\\' && p + 1 < end && p[1] == '\n')))
		p++;
	return p;
}

const char *kinst_data_after_word(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	p = skip_blanks(p, end);
	if ((size_t)(end - p) < n || strncasecmp(p, word, n))
		return NULL;
	p += n;
	return p < end && (isalnum((unsigned char)*p) || *p == '_') ? NULL : p;
}

int kinst_data_is_pragma(const char *line, size_t length, struct kinst_span *rest)
{
	const char *p = skip_blanks(line, line + length), *end = line + length, *omp;

	if (p == end || *p != '#')
		return 0;
	p = kinst_data_after_word(p + 1, end, "pragma");
	omp = p ? kinst_data_after_word(p, end, "omp") : NULL;
	if (p)
		p = omp ? omp : kinst_data_after_word(p, end, "pomp");
	if (p)
		p = kinst_data_after_word(p, end, "inst");
	if (p)
		p = kinst_data_after_word(p, end, "data");
	if (!p)
		return 0;
	*rest = (struct kinst_span){ p, (size_t)(end - p) };
	return 1;
}

size_t kinst_data_line_length(const char *p, const char *end)
{
	const char *from = p;

	while (p < end && *p != '\n')
		p += *p == '\\' && p + 1 < end && p[1] == '\n' ? 2 : 1;
	return (size_t)(p - from);
}

int kinst_data_in(const char *text, size_t length)
{
	const char *end = text + length;
	struct kinst_span rest;

	if (!memmem(text, length, "inst", 4))
		return 0; /* so it is with most texts */
	for (const char *p = text; p < end; p++) {
		size_t n = kinst_data_line_length(p, end);

		if (kinst_data_is_pragma(p, n, &rest))
			return 1;
		p += n;
	}
	return 0;
}

void kinst_data_complain(struct kinst_text *messages, struct kinst_span file, unsigned long line, const char *problem)
{
	kinst_text_printf(messages, "kinst: %.*s:%lu: inst data: %s\n", (int)file.n, file.p, line, problem);
}

void kinst_data_put_quoted(struct kinst_text *out, struct kinst_span span)
{
	int blank = 0;

	kinst_text_puts(out, "\"");
	for (size_t i = 0; i < span.n; i++) {
		int continued = span.p[i] == '\\' && i + 1 < span.n && span.p[i + 1] == '\n';

		if (continued || isspace((unsigned char)span.p[i])) {
			blank = 1;
			continue;
		}
		kinst_text_puts(out, blank ? " " : "");
		blank = 0;
		kinst_text_puts(out, strchr("\"\\", span.p[i]) ? "\\" : "");
		kinst_text_add(out, span.p + i, 1);
	}
	kinst_text_puts(out, "\"");
}

static int is_string(const struct kinst_tokens *tokens, uint32_t i)
{
	const struct kinst_token *token = tokens->tokens + i;

	return token->kind == KINST_LITERAL && token->length > 1 &&
	       tokens->text[token->at + token->length - 1] == '"' &&
	       (tokens->text[token->at] == '"' || tokens->text[token->at] == 'R');
}

static int are_strings(const struct kinst_tokens *tokens, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (!is_string(tokens, i))
			return 0;
	return to > from;
}

/*
 * Returns 1 when the comma at i stands between template arguments: a < directly behind a name opens them when a >
 * behind the comma closes them.
 */
static int in_angles(const struct kinst_tokens *tokens, uint32_t from, uint32_t comma, uint32_t to)
{
	int n = 0, at_comma = 0;

	for (uint32_t i = from; i < to; i++) {
		uint32_t match = tokens->tokens[i].match;

		if (i == comma)
			at_comma = n;
		if (match != KINST_NONE && match > i)
			i = match;
		else if (kinst_is_sign(tokens, i, '<') && i > from && tokens->tokens[i - 1].kind == KINST_NAME)
			n++;
		else if (kinst_is_sign(tokens, i, '>') && n && !kinst_is_sign(tokens, i - 1, '-'))
			n--;
		if (i >= comma && n < at_comma)
			return 1;
	}
	return 0;
}

enum { MOST_ARGUMENTS = 3 };

/*
 * Cuts tokens from..to at their commas.  Returns how many parts there are, which may be more than are stored; ends[i]
 * is the comma behind part i, or `to`.
 */
static uint32_t cut_arguments(const struct kinst_tokens *tokens, uint32_t from, uint32_t to, int cxx,
                              uint32_t ends[MOST_ARGUMENTS])
{
	uint32_t n = 0, start = from;

	for (uint32_t i = from; i <= to; i++) {
		if (i < to && tokens->tokens[i].match != KINST_NONE && tokens->tokens[i].match > i) {
			i = tokens->tokens[i].match;
			continue;
		}
		if (i < to && (!kinst_is_sign(tokens, i, ',') || (cxx && in_angles(tokens, start, i, to))))
			continue;
		if (n < MOST_ARGUMENTS)
			ends[n] = i;
		n++;
		start = i + 1;
	}
	return n;
}

static const char *read_name(const struct kinst_tokens *tokens, uint32_t from, uint32_t to, struct kinst_data *data)
{
	if (!are_strings(tokens, from, to))
		return "the name is not a string; write it in quotes";
	data->name = kinst_tokens_span(tokens, from, to);
	return data->name.n == 2 ? "the name is empty; leave it out, or write one" : NULL;
}

/* Reads the tokens between the parentheses.  Returns NULL, or what is wrong and what to do. */
static const char *read_arguments(const struct kinst_tokens *tokens, uint32_t from, uint32_t to, int cxx,
                                  struct kinst_data *data)
{
	uint32_t ends[MOST_ARGUMENTS] = { to }, n = cut_arguments(tokens, from, to, cxx, ends);

	if (data->end)
		return n == 1 ? read_name(tokens, from, to, data)
		              : "the name alone is wanted; write data end(\"name\")";
	if (n > MOST_ARGUMENTS)
		return "there are more than three arguments; write data(pointer, bytes, \"name\")";
	data->address = kinst_tokens_span(tokens, from, ends[0]);
	if (!data->address.n)
		return form;
	if (n == 2 && are_strings(tokens, ends[0] + 1, ends[1]))
		return read_name(tokens, ends[0] + 1, ends[1], data);
	if (n > 1)
		data->bytes = kinst_tokens_span(tokens, ends[0] + 1, ends[1]);
	if (n == 2 && !data->bytes.n)
		return "the size is missing behind the comma; write data(pointer, bytes, \"name\")";
	return n > 2 ? read_name(tokens, ends[1] + 1, ends[2], data) : NULL;
}

static int is_word(const struct kinst_tokens *tokens, uint32_t i, const char *word)
{
	const struct kinst_token *token;

	if (i >= tokens->n_tokens)
		return 0;
	token = tokens->tokens + i;
	return token->kind == KINST_NAME && token->length == strlen(word) &&
	       !strncasecmp(tokens->text + token->at, word, token->length);
}

const char *kinst_data_read_clause(struct kinst_span word, struct kinst_data *data)
{
	static const struct {
		const char *word;
		int flag;
	} clauses[] = { { "private", KINST_DATA_PRIVATE }, { "each", KINST_DATA_EACH }, { "sum", KINST_DATA_SUM } };

	for (size_t i = 0; i < OMPP_COUNT_OF(clauses); i++) {
		if (word.n != strlen(clauses[i].word) || strncasecmp(word.p, clauses[i].word, word.n))
			continue;
		if (data->flags & clauses[i].flag)
			return "a clause is given twice; write it once";
		data->flags |= clauses[i].flag;
		if (data->flags & KINST_DATA_EACH && data->flags & KINST_DATA_SUM)
			return "each and sum exclude each other; write one of them";
		return NULL;
	}
	return "an unknown clause follows the arguments; write private, each or sum";
}

static const char *read_tokens(const struct kinst_tokens *tokens, int cxx, struct kinst_data *data)
{
	uint32_t open, close;

	data->end = is_word(tokens, 0, "end");
	open = (uint32_t)data->end;
	if (!kinst_is_sign(tokens, open, '('))
		return data->end ? "the name is missing; write data end(\"name\")" : form;
	close = tokens->tokens[open].match;
	if (close == KINST_NONE)
		return "the closing parenthesis is missing; write data(pointer, bytes, \"name\")";
	if (data->end && close + 1 < tokens->n_tokens)
		return "more follows the name; write data end(\"name\")";
	for (uint32_t i = close + 1; i < tokens->n_tokens; i++) {
		const char *problem = kinst_data_read_clause(kinst_tokens_span(tokens, i, i + 1), data);

		if (problem)
			return problem;
	}
	return read_arguments(tokens, open + 1, close, cxx, data);
}

void kinst_data_read(struct kinst_span rest, int cxx, struct kinst_data *data)
{
	struct kinst_tokens tokens;

	*data = (struct kinst_data){ 0 };
	if (kinst_lexer_read(&tokens, rest.p, rest.n)) {
		data->problem = "it is too long; write less";
		return;
	}
	data->problem = read_tokens(&tokens, cxx, data);
	kinst_lexer_free(&tokens);
}

int kinst_data_arguments(const struct kinst_tokens *tokens, struct kinst_span *arguments)
{
	uint32_t open = (uint32_t)is_word(tokens, 0, "end");

	*arguments = (struct kinst_span){ NULL, 0 };
	if (kinst_is_sign(tokens, open, '(') && tokens->tokens[open].match != KINST_NONE)
		*arguments = kinst_tokens_span(tokens, open + 1, tokens->tokens[open].match);
	return arguments->n != 0;
}
