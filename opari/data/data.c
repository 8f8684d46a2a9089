/*
 * Data: see data.h.  What the directives say; the calls are made in data_calls.c and data_fortran.c.
 */
#include "opari/data/data.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/data/data_fortran.h"
#include "opari/read/lexer.h"

static const char form[] = "the arguments are missing; write data(pointer, bytes, \"name\")";

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (isspace((unsigned char)*p) || (*p == '\\' && p + 1 < end && p[1] == '\n')))
		p++;
	return p;
}

/* Behind the word when it stands at p, blanks before it skipped; else NULL. */
static const char *after_word(const char *p, const char *end, const char *word)
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
	p = after_word(p + 1, end, "pragma");
	omp = p ? after_word(p, end, "omp") : NULL;
	if (p)
		p = omp ? omp : after_word(p, end, "pomp");
	if (p)
		p = after_word(p, end, "inst");
	if (p)
		p = after_word(p, end, "data");
	if (!p)
		return 0;
	*rest = (struct kinst_span){ p, (size_t)(end - p) };
	return 1;
}

/* The line that begins at p, with those that continue it. */
static size_t line_length(const char *p, const char *end)
{
	const char *from = p;

	while (p < end && *p != '\n')
		p += *p == '\\' && p + 1 < end && p[1] == '\n' ? 2 : 1;
	return (size_t)(p - from);
}

int kinst_data_in(const char *text, size_t length, enum kinst_language language, int fixed)
{
	const char *end = text + length;
	struct kinst_span rest;

	if (language != KINST_FORTRAN && !memmem(text, length, "inst", 4))
		return 0;                       /* most texts */
	for (const char *p = text; p < end; p++) {
		size_t n = line_length(p, end);

		if (language == KINST_FORTRAN ? kinst_data_is_line(p, n, fixed) :
						kinst_data_is_pragma(p, n, &rest))
			return 1;
		p += n;
	}
	return 0;
}

void kinst_data_complain(struct kinst_text *messages, struct kinst_span file, unsigned long line,
			 const char *problem)
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

/* Tokens from..to, `to` not included. */
static struct kinst_span span_of(const struct kinst_tokens *tokens, uint32_t from, uint32_t to)
{
	const struct kinst_token *first, *last;

	if (from >= to)
		return (struct kinst_span){ tokens->text, 0 };
	first = tokens->tokens + from;
	last = tokens->tokens + to - 1;
	return (struct kinst_span){ tokens->text + first->at, last->at + last->length - first->at };
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

/* Is the comma at i between template arguments?  < directly behind a name opens, when a > behind the comma
 * closes it. */
static int in_angles(const struct kinst_tokens *tokens, uint32_t from, uint32_t comma, uint32_t to)
{
	int n = 0, at_comma = 0;

	for (uint32_t i = from; i < to; i++) {
		uint32_t match = tokens->tokens[i].match;

		if (i == comma)
			at_comma = n;
		if (match != KINST_NONE && match > i)
			i = match;
		else if (kinst_is_sign(tokens, i, '<') && i > from &&
			 tokens->tokens[i - 1].kind == KINST_NAME)
			n++;
		else if (kinst_is_sign(tokens, i, '>') && n && !kinst_is_sign(tokens, i - 1, '-'))
			n--;
		if (i >= comma && n < at_comma)
			return 1;
	}
	return 0;
}

enum { MOST_ARGUMENTS = 3 };

/* Cut tokens from..to at their commas; how many parts there are, which may be more than are stored.
 * ends[i]: the comma behind part i, or `to`. */
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

static const char *read_name(const struct kinst_tokens *tokens, uint32_t from, uint32_t to,
			     struct kinst_data *data)
{
	if (!are_strings(tokens, from, to))
		return "the name is no string; write it in quotes";
	data->name = span_of(tokens, from, to);
	return data->name.n == 2 ? "the name is empty; leave it out, or write one" : NULL;
}

/* The tokens between the parentheses. */
static const char *read_arguments(const struct kinst_tokens *tokens, uint32_t from, uint32_t to, int cxx,
				  struct kinst_data *data)
{
	uint32_t ends[MOST_ARGUMENTS], n = cut_arguments(tokens, from, to, cxx, ends);

	if (data->end)
		return n == 1 ? read_name(tokens, from, to, data) :
				"the name alone is wanted; write data end(\"name\")";
	if (n > MOST_ARGUMENTS)
		return "there are more than three arguments; write data(pointer, bytes, \"name\")";
	data->address = span_of(tokens, from, ends[0]);
	if (!data->address.n)
		return form;
	if (n == 2 && are_strings(tokens, ends[0] + 1, ends[1]))
		return read_name(tokens, ends[0] + 1, ends[1], data);
	if (n > 1)
		data->bytes = span_of(tokens, ends[0] + 1, ends[1]);
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
	static const struct { const char *word; int flag; } clauses[] = {
		{ "private", KINST_DATA_PRIVATE }, { "each", KINST_DATA_EACH }, { "sum", KINST_DATA_SUM }
	};

	for (size_t i = 0; i < sizeof(clauses) / sizeof(*clauses); i++) {
		if (word.n != strlen(clauses[i].word) || strncasecmp(word.p, clauses[i].word, word.n))
			continue;
		if (data->flags & clauses[i].flag)
			return "a clause stands there twice; write it once";
		data->flags |= clauses[i].flag;
		if (data->flags & KINST_DATA_EACH && data->flags & KINST_DATA_SUM)
			return "objects are counted each for itself or as a sum; write each or sum";
		return NULL;
	}
	return "more follows the arguments; the clauses are private, each and sum";
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
		const char *problem = kinst_data_read_clause(span_of(tokens, i, i + 1), data);

		if (problem)
			return problem;
	}
	return read_arguments(tokens, open + 1, close, cxx, data);
}

void kinst_data_read(struct kinst_span rest, enum kinst_language language, struct kinst_data *data)
{
	struct kinst_tokens tokens;

	*data = (struct kinst_data){ 0 };
	if (language == KINST_FORTRAN) {
		kinst_data_read_fortran(rest, data);
		return;
	}
	if (kinst_lexer_read(&tokens, rest.p, rest.n)) {
		data->problem = "it is too long; write less";
		return;
	}
	data->problem = read_tokens(&tokens, language == KINST_CXX, data);
	kinst_lexer_free(&tokens);
}

/* ---- macros in arguments ---- */

#define QUESTION "__kinst_data_question"

/* The contents of the parentheses of a pragma whose arguments may hold macros; 0: it has none. */
static int question_of(const char *line, size_t length, int pomp_only, struct kinst_span *arguments)
{
	struct kinst_span rest;
	struct kinst_tokens tokens;
	uint32_t open;

	if (!kinst_data_is_pragma(line, length, &rest) ||
	    (pomp_only && !memmem(line, (size_t)(rest.p - line), "pomp", 4)) ||
	    kinst_lexer_read(&tokens, rest.p, rest.n))
		return 0;
	open = (uint32_t)is_word(&tokens, 0, "end");
	*arguments = (struct kinst_span){ NULL, 0 };
	if (kinst_is_sign(&tokens, open, '(') && tokens.tokens[open].match != KINST_NONE)
		*arguments = span_of(&tokens, open + 1, tokens.tokens[open].match);
	kinst_lexer_free(&tokens);
	return arguments->n != 0;
}

/* A line that changes what a macro means, and none that every preprocessor knows and may not be told. */
static int is_definition(const char *line, size_t length)
{
	const char *end = line + length, *p = NULL;

	if (length && *line == '#') {
		p = after_word(line + 1, end, "define");
		p = p ? p : after_word(line + 1, end, "undef");
	}
	p = p ? skip_blanks(p, end) : NULL;
	return p && !((size_t)(end - p) > 6 && !memcmp(p, "__STDC", 6));
}

size_t kinst_data_ask(const char *text, size_t length, int pomp_only, struct kinst_text *questions)
{
	const char *end = text + length;
	struct kinst_span arguments;
	size_t n = 0;

	for (const char *p = text; p < end; p++) {
		size_t n_line = line_length(p, end);

		if (question_of(p, n_line, pomp_only, &arguments)) {
			kinst_text_printf(questions, QUESTION " %zu (%.*s)\n", n++, (int)arguments.n,
					  arguments.p);
		} else if (is_definition(p, n_line)) {
			kinst_text_add(questions, p, n_line);
			kinst_text_puts(questions, "\n");
		}
		p += n_line;
	}
	return n;
}

/* The answer to the question at token i, or to a later one; 0: there is none.  *i: where it ends. */
static int next_answer(const struct kinst_tokens *tokens, uint32_t *i, struct kinst_span *answer)
{
	for (; *i + 2 < tokens->n_tokens; ++*i) {
		uint32_t open = *i + 2;

		if (!kinst_is_name(tokens, *i, QUESTION) || !kinst_is_sign(tokens, open, '(') ||
		    tokens->tokens[open].match == KINST_NONE)
			continue;
		*answer = span_of(tokens, open + 1, tokens->tokens[open].match);
		*i = tokens->tokens[open].match;
		return 1;
	}
	return 0;
}

/* Is the word before the arguments `end`? */
static int is_end(struct kinst_span line, struct kinst_span arguments)
{
	struct kinst_span rest;

	return kinst_data_is_pragma(line.p, line.n, &rest) && after_word(rest.p, arguments.p, "end");
}

/* The pragma with its arguments expanded, on one line; a name that was left out is the text as the user wrote
 * it. */
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
	kinst_data_read((struct kinst_span){ call, strlen(call) }, KINST_CXX, &data);
	if (!data.problem && !data.name.n && !is_end(line, arguments)) {
		char *first = kinst_format("(%.*s)", (int)old.n, old.p);
		struct kinst_data written;

		kinst_data_read((struct kinst_span){ first, strlen(first) }, KINST_CXX, &written);
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
		size_t n = line_length(p, end);

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
