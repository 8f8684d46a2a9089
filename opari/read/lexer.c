/*
 * Lexer: see lexer.h.  Its time is linear in the text.
 */
#include "opari/read/lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/kinst_text.h"
#include "runtime/base/array.h"

/* The place of the reader. */
struct reader {
	struct kinst_tokens *out;
	const char *p, *end;
	uint32_t line, marker;
	size_t room, marker_room, n_open, open_room;
	uint32_t *open; /* indices of the brackets that are not closed yet */
};

static int is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static void add_marker(struct reader *r, const char *file, size_t length, int system)
{
	struct kinst_tokens *out = r->out;

	if (out->n_markers == r->marker_room) {
		r->marker_room = r->marker_room * 2 + 64;
		out->markers = kinst_realloc(out->markers, r->marker_room * sizeof(*out->markers));
	}
	out->markers[out->n_markers] = (struct kinst_marker){
		.file_at = file ? (uint32_t)(file - out->text) : 0,
		.file_length = (uint32_t)length,
		.inclusion = out->inclusions.here,
		.system = (uint8_t)system,
	};
	r->marker = out->n_markers++;
}

static void add_token(struct reader *r, enum kinst_token_kind kind, const char *from, char sign, uint32_t line)
{
	struct kinst_tokens *out = r->out;

	if (out->n_tokens == r->room) {
		r->room = r->room * 2 + 1024;
		out->tokens = kinst_realloc(out->tokens, r->room * sizeof(*out->tokens));
	}
	out->tokens[out->n_tokens++] = (struct kinst_token){
		.at = (uint32_t)(from - out->text),
		.length = (uint32_t)(r->p - from),
		.line = line,
		.marker = r->marker,
		.match = KINST_NONE,
		.kind = (uint8_t)kind,
		.sign = sign,
	};
}

/* Matches brackets.  A closing bracket without an open one of its kind stays unmatched, and so do open brackets that
 * are skipped. */
static void add_bracket(struct reader *r, const char *from, char sign)
{
	static const char opening[] = "([{", closing[] = ")]}";
	const char *kind = strchr(closing, sign);
	struct kinst_token *tokens;
	uint32_t i = r->out->n_tokens;
	size_t n = r->n_open;

	add_token(r, KINST_PUNCTUATOR, from, sign, r->line);
	tokens = r->out->tokens;
	if (strchr(opening, sign)) {
		if (r->n_open == r->open_room) {
			r->open_room = r->open_room * 2 + 256;
			r->open = kinst_realloc(r->open, r->open_room * sizeof(*r->open));
		}
		r->open[r->n_open++] = i;
		return;
	}
	/* Only a closing brace may skip open parentheses; otherwise, after one typo, each closing bracket would cost
	 * linear time. */
	if (sign == '}')
		while (n && tokens[r->open[n - 1]].sign != '{')
			n--;
	if (!n || tokens[r->open[n - 1]].sign != opening[kind - closing])
		return;
	tokens[i].match = r->open[n - 1];
	tokens[r->open[n - 1]].match = i;
	r->n_open = n - 1;
}

/* Moves behind the comment that begins at p. */
static void skip_block_comment(struct reader *r)
{
	for (r->p += 2; r->p < r->end; r->p++) {
		if (r->p[0] == '*' && r->p + 1 < r->end && r->p[1] == '/') {
			r->p += 2;
			return;
		}
		r->line += *r->p == '\n';
	}
}

/* Moves behind the end of this line, with continued lines and comments of several lines, and counts the lines. */
static void skip_line(struct reader *r)
{
	char quote = 0;

	while (r->p < r->end && *r->p != '\n') {
		char c = *r->p++;

		if (c == '\\' && r->p < r->end) {
			r->line += *r->p == '\n';
			r->p++;
		} else if (c == '"' && (!quote || quote == c)) {
			quote = quote ? 0 : c;
		} else if (c == '/' && !quote && r->p < r->end && *r->p == '/') {
			quote = '/'; /* up to the end of the line */
		} else if (c == '/' && !quote && r->p < r->end && *r->p == '*') {
			r->p--;
			skip_block_comment(r);
		}
	}
}

/*
 * Moves behind a string or character literal whose opening quote is at p.  One that is not closed ends with its line.
 */
static void skip_quoted(struct reader *r)
{
	char quote = *r->p++;

	while (r->p < r->end && *r->p != quote && *r->p != '\n') {
		if (*r->p == '\\' && r->p + 1 < r->end) {
			r->p++;
			r->line += *r->p == '\n';
		}
		r->p++;
	}
	if (r->p < r->end && *r->p == quote)
		r->p++;
}

/* Moves behind R"tag( … )tag", where p is at the quote.  Returns 0 when it is no raw string after all. */
static int skip_raw(struct reader *r)
{
	const char *tag = r->p + 1, *open = tag, *p;
	size_t n;

	while (open < r->end && *open != '(' && open - tag <= 16 && !strchr(" )\\\t\v\f\n\"", *open))
		open++;
	if (open >= r->end || *open != '(')
		return 0;
	n = (size_t)(open - tag);
	for (p = open; p < r->end; p++) {
		if (*p == '\n')
			r->line++;
		if (*p == ')' && (size_t)(r->end - p) > n + 1 && !memcmp(p + 1, tag, n) && p[n + 1] == '"') {
			r->p = p + n + 2;
			return 1;
		}
	}
	r->p = r->end;
	return 1;
}

static int is_prefix(const char *word, size_t n, int raw)
{
	static const char *const prefixes[] = { "", "L", "u", "U", "u8" };

	if (raw && (!n || word[--n] != 'R'))
		return 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(prefixes); i++)
		if (n == strlen(prefixes[i]) && !memcmp(word, prefixes[i], n))
			return 1;
	return 0;
}

static void read_word(struct reader *r)
{
	const char *from = r->p;
	uint32_t line = r->line;
	size_t n;

	while (r->p < r->end && is_word(*r->p))
		r->p++;
	n = (size_t)(r->p - from);
	if (r->p < r->end && *r->p == '"' && is_prefix(from, n, 1) && skip_raw(r)) {
		add_token(r, KINST_LITERAL, from, 0, line);
	} else if (r->p < r->end && (*r->p == '"' || *r->p == '\'') && is_prefix(from, n, 0)) {
		skip_quoted(r);
		add_token(r, KINST_LITERAL, from, 0, line);
	} else {
		add_token(r, KINST_NAME, from, 0, line);
	}
}

static void read_number(struct reader *r)
{
	const char *from = r->p++;

	while (r->p < r->end) {
		char c = *r->p, before = r->p[-1];

		if ((c == '+' || c == '-') && strchr("eEpP", before))
			r->p++;
		else if (c == '\'' && r->p + 1 < r->end && is_word(r->p[1]))
			r->p += 2;
		else if (is_word(c) || c == '.')
			r->p++;
		else
			break;
	}
	add_token(r, KINST_LITERAL, from, 0, r->line);
}

/* Reads # 12 "file" 1 3 or #line 12 "file".  Returns 0 when it is another directive. */
static int read_marker(struct reader *r, const char *p, const char *eol)
{
	unsigned long line = 0;
	const struct kinst_marker *before = r->out->markers + r->marker;
	const char *file;
	int system = 0;

	if (eol - p > 4 && !memcmp(p, "line", 4) && (p[4] == ' ' || p[4] == '\t'))
		p += 4;
	while (p < eol && (*p == ' ' || *p == '\t'))
		p++;
	if (p == eol || !isdigit((unsigned char)*p))
		return 0;
	for (; p < eol && isdigit((unsigned char)*p); p++)
		line = (line * 10 + (unsigned long)(*p - '0')) & UINT32_MAX;
	while (p < eol && *p != '"')
		p++;
	if (p < eol) {
		for (file = ++p; p < eol && *p != '"'; p++)
			p += *p == '\\' && p + 1 < eol;
		for (const char *flag = p; flag < eol; flag++)
			system |= *flag == '3';
		kinst_inclusions_meet(&r->out->inclusions, (struct kinst_span){ p, (size_t)(eol - p) },
		                      (struct kinst_span){ r->out->text + before->file_at, before->file_length },
		                      r->line, (uint32_t)line);
		add_marker(r, file, (size_t)(p - file), system);
	}
	r->line = (uint32_t)line - 1; /* the newline that follows adds one */
	return 1;
}

static void read_directive(struct reader *r)
{
	const char *from = r->p, *p = r->p + 1, *eol;
	uint32_t line = r->line;

	skip_line(r);
	eol = r->p;
	while (p < eol && (*p == ' ' || *p == '\t'))
		p++;
	if (read_marker(r, p, eol))
		return;
	r->out->has_cancel |= memmem(p, (size_t)(eol - p), "cancel", 6) != NULL;
	add_token(r, eol - p > 6 && !memcmp(p, "pragma", 6) && !is_word(p[6]) ? KINST_PRAGMA : KINST_DIRECTIVE, from, 0,
	          line);
}

static void skip_comment(struct reader *r)
{
	if (r->p[1] == '/')
		skip_line(r);
	else
		skip_block_comment(r);
}

static void read_punctuator(struct reader *r)
{
	static const struct {
		char text[3], sign;
	} digraphs[] = {
		{ "<%", '{' }, { "%>", '}' }, { "<:", '[' }, { ":>", ']' }, { "::", KINST_SCOPE },
	};
	const char *from = r->p;
	char sign = *r->p++;

	for (size_t i = 0; i < OMPP_COUNT_OF(digraphs) && r->p < r->end; i++) {
		if (sign != digraphs[i].text[0] || *r->p != digraphs[i].text[1])
			continue;
		/* <:: stands for < and ::, unless : or > follows */
		if (sign == '<' && *r->p == ':' && r->p + 1 < r->end && r->p[1] == ':' &&
		    (r->p + 2 >= r->end || !strchr(":>", r->p[2])))
			break;
		sign = digraphs[i].sign;
		r->p++;
		break;
	}
	if (sign && strchr("()[]{}", sign))
		add_bracket(r, from, sign);
	else
		add_token(r, KINST_PUNCTUATOR, from, sign, r->line);
}

int kinst_lexer_read(struct kinst_tokens *tokens, const char *text, size_t length)
{
	struct reader r = { .out = tokens, .p = text, .end = text + length, .line = 1 };
	int fresh = 1; /* only blanks so far on this line */

	*tokens = (struct kinst_tokens){ .text = text, .length = length };
	if (length >= UINT32_MAX)
		return -EFBIG;
	add_marker(&r, NULL, 0, 0);
	while (r.p < r.end) {
		char c = *r.p;

		if (c == '\n') {
			r.line++;
			r.p++;
			fresh = 1;
			continue;
		}
		if (isspace((unsigned char)c) || (c == '\\' && r.p + 1 < r.end && r.p[1] == '\n')) {
			r.p++;
			continue;
		}
		if (c == '#' && fresh)
			read_directive(&r);
		else if (c == '/' && r.p + 1 < r.end && (r.p[1] == '/' || r.p[1] == '*'))
			skip_comment(&r);
		else if (isdigit((unsigned char)c) || (c == '.' && r.p + 1 < r.end && isdigit((unsigned char)r.p[1])))
			read_number(&r);
		else if (is_word(c))
			read_word(&r);
		else if (c == '"' || c == '\'') {
			const char *from = r.p;
			uint32_t line = r.line;

			skip_quoted(&r);
			add_token(&r, KINST_LITERAL, from, 0, line);
		} else {
			read_punctuator(&r);
		}
		fresh = 0;
	}
	free(r.open);
	return 0;
}

void kinst_lexer_free(struct kinst_tokens *tokens)
{
	free(tokens->tokens);
	free(tokens->markers);
	kinst_inclusions_free(&tokens->inclusions);
	*tokens = (struct kinst_tokens){ 0 };
}

int kinst_is_name(const struct kinst_tokens *tokens, uint32_t i, const char *name)
{
	const struct kinst_token *token = tokens->tokens + i;
	size_t n = strlen(name);

	return i < tokens->n_tokens && token->kind == KINST_NAME && token->length == n &&
	       !memcmp(tokens->text + token->at, name, n);
}

int kinst_is_sign(const struct kinst_tokens *tokens, uint32_t i, char sign)
{
	return i < tokens->n_tokens && tokens->tokens[i].kind == KINST_PUNCTUATOR && tokens->tokens[i].sign == sign;
}

uint32_t kinst_token_last_line(const struct kinst_tokens *tokens, uint32_t i)
{
	const struct kinst_token *token = tokens->tokens + i;
	uint32_t line = token->line;

	for (uint32_t k = 0; k < token->length; k++)
		line += tokens->text[token->at + k] == '\n';
	return line;
}

struct kinst_span kinst_tokens_span(const struct kinst_tokens *tokens, uint32_t from, uint32_t to)
{
	const struct kinst_token *first, *last;

	if (from >= to)
		return (struct kinst_span){ tokens->text, 0 };
	first = tokens->tokens + from;
	last = tokens->tokens + to - 1;
	return (struct kinst_span){ tokens->text + first->at, last->at + last->length - first->at };
}

void kinst_lexer_put_marker(const struct kinst_tokens *tokens, uint32_t marker, uint32_t line, int system,
                            struct kinst_text *out)
{
	const struct kinst_marker *m = tokens->markers + marker;

	kinst_text_add(out, "# ", 2);
	kinst_text_number(out, line);
	kinst_text_add(out, " \"", 2);
	kinst_text_add(out, tokens->text + m->file_at, m->file_length);
	kinst_text_puts(out, m->system || system ? "\" 3\n" : "\"\n");
}

size_t kinst_lexer_head(const char *text, size_t length)
{
	const char *p = text, *eol, *end = text + length;

	for (int i = 0; i < 2 && p < end && *p == '#'; i++) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol || (i && (eol - p < 3 || memcmp(eol - 3, "//\"", 3))))
			break;
		p = eol + 1;
	}
	return (size_t)(p - text);
}
