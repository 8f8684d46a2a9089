/*
 * Data, calls: see data_calls.h.
 */
#include "opari/data/data_calls.h"

#include <stdlib.h>
#include <string.h>

#include "opari/data/data.h"
#include "opari/data/data_place.h"
#include "opari/data/prologue.h"

/* A replacement for the bytes [at, end) of the text. */
struct edit {
	size_t at, end;
	struct kinst_text text;
};

struct rewriter {
	struct kinst_data_places places;
	struct edit *edits;
	size_t n_edits, room;
	size_t n_calls;
	struct kinst_marks *marks;
	uint32_t wrapped; /* the head whose statement has braces of ours already, or KINST_NONE */
};

static struct kinst_text *add_edit(struct rewriter *r, size_t at, size_t end)
{
	if (r->n_edits == r->room) {
		r->room = r->room * 2 + 32;
		r->edits = kinst_realloc(r->edits, r->room * sizeof(*r->edits));
	}
	r->edits[r->n_edits] = (struct edit){ .at = at, .end = end };
	kinst_text_puts(&r->edits[r->n_edits].text, "");
	return &r->edits[r->n_edits++].text;
}

/* Adds a line of ours at the place of a token. */
static void put_line(struct kinst_text *out, const struct kinst_tokens *tokens, const struct kinst_token *token)
{
	kinst_text_puts(out, "\n");
	kinst_lexer_put_marker(tokens, token->marker, token->line, 1, out);
}

/* Adds blanks up to the column of a byte of the text. */
static void put_column(struct kinst_text *out, const struct kinst_tokens *tokens, const char *p)
{
	const char *from = p;

	while (from > tokens->text && from[-1] != '\n')
		from--;
	for (; from < p; from++)
		kinst_text_puts(out, *from == '\t' ? "\t" : " ");
}

/* Continues the rest of a line after what was put in: from byte `at` on the token's last line. */
static void put_back(struct kinst_text *out, const struct kinst_tokens *tokens, const struct kinst_token *token,
                     size_t at)
{
	uint32_t line = token->line;

	for (size_t i = token->at; i < at; i++)
		line += tokens->text[i] == '\n';
	kinst_text_puts(out, "\n");
	kinst_lexer_put_marker(tokens, token->marker, line, 0, out);
	put_column(out, tokens, tokens->text + at);
}

/* Adds an expression of the program at its own line and column. */
static void put_expression(struct kinst_text *out, const struct kinst_tokens *tokens, const struct kinst_token *pragma,
                           struct kinst_span span)
{
	struct kinst_token token = *pragma;

	for (const char *p = tokens->text + pragma->at; p < span.p; p++)
		token.line += *p == '\n';
	put_line(out, tokens, &token);
	put_column(out, tokens, span.p);
	kinst_text_add(out, span.p, span.n);
	put_line(out, tokens, pragma);
}

/*
 * Adds the address and size of an object whose size the compiler knows and, in C++, what finds the data of a container.
 * For a mere pointer the size is unknown, and the text must then cause a compiler error.
 */
static void put_object(struct kinst_text *out, const struct rewriter *r, const struct kinst_token *pragma,
                       struct kinst_span object)
{
	const struct kinst_tokens *tokens = r->places.tokens;

	kinst_text_puts(out, r->places.cxx ? "__builtin_addressof(" : "&(");
	put_expression(out, tokens, pragma, object);
	kinst_text_puts(out, "), sizeof(");
	put_expression(out, tokens, pragma, object);
	if (r->places.cxx) {
		char *type = kinst_format("__typeof__(%.*s)", (int)object.n, object.p);

		kinst_text_printf(out,
		                  ") * inst_data_without_bytes<(__kinst_sized<%s>::yes || __kinst_contents<%s>::yes)>::"
		                  "are_known, __kinst_contents<%s>::look()",
		                  type, type, type);
		free(type);
		return;
	}
	kinst_text_puts(out, ") + 0 * sizeof(struct { char x; _Static_assert(!(__builtin_classify_type(");
	kinst_text_add(out, object.p, object.n);
	kinst_text_puts(out, ") == 5 && __builtin_types_compatible_p(__typeof__(");
	kinst_text_add(out, object.p, object.n);
	kinst_text_puts(out, "), __typeof__(1 ? (");
	kinst_text_add(out, object.p, object.n);
	kinst_text_puts(out, ") : (");
	kinst_text_add(out, object.p, object.n);
	kinst_text_puts(out, ")))), \"inst data: " KINST_DATA_NO_BYTES "\"); })");
}

static void put_memory(struct kinst_text *out, const struct rewriter *r, const struct kinst_token *pragma,
                       const struct kinst_data *data)
{
	const struct kinst_tokens *tokens = r->places.tokens;

	kinst_text_puts(out, "(const void *)(const volatile void *)");
	if (!data->bytes.n) {
		put_object(out, r, pragma, data->address);
		return;
	}
	kinst_text_puts(out, "(");
	put_expression(out, tokens, pragma, data->address);
	kinst_text_puts(out, "), (__typeof__(sizeof 0))(("); /* times 1, as a pointer is no size */
	put_expression(out, tokens, pragma, data->bytes);
	kinst_text_puts(out, ") * 1)");
}

static void put_call(struct kinst_text *out, const struct rewriter *r, const struct kinst_token *pragma,
                     const struct kinst_data *data, int has_holder)
{
	const struct kinst_tokens *tokens = r->places.tokens;
	const char *scope = r->places.cxx ? "::" : "";
	int flags = data->flags | (has_holder ? 0 : KINST_DATA_LASTS), follows = r->places.cxx && !data->bytes.n;

	if (data->end) {
		kinst_text_printf(out, "%sompp_data_end(", scope);
		put_expression(out, tokens, pragma, data->name);
		kinst_text_puts(out, ")");
		return;
	}
	if (has_holder)
		kinst_text_printf(out, "%sompp_data_leave(&__kinst_data_%zu), __kinst_data_%zu = ", scope, r->n_calls,
		                  r->n_calls);
	else
		kinst_text_puts(out, "(void)");
	kinst_text_printf(out, "%s%s(", scope, follows ? "ompp_data_follow" : "ompp_data_enter");
	put_memory(out, r, pragma, data);
	kinst_text_puts(out, ", ");
	if (data->name.n)
		put_expression(out, tokens, pragma, data->name);
	else
		kinst_data_put_quoted(out, data->address);
	kinst_text_printf(out, ", %d", flags);
	if (follows)
		kinst_text_printf(out, " | __kinst_contents<__typeof__(%.*s)>::flags", (int)data->address.n,
		                  data->address.p);
	kinst_text_puts(out, ")");
}

/*
 * Adds a call as a statement.  In C89 no declaration may follow a statement, so in C the call is the value of a
 * variable, where one may be declared.
 */
static void put_statement(struct kinst_text *out, const struct rewriter *r, const struct kinst_token *pragma,
                          const struct kinst_data *data, const struct kinst_data_place *place)
{
	int variable = r->places.cxx ? place->kind == KINST_AT_FILE : place->kind == KINST_IN_BLOCK;
	int function = !r->places.cxx && place->kind == KINST_AT_FILE;

	if (variable)
		kinst_text_printf(out, "%sint __kinst_value_%zu __attribute__((__unused__%s)) = (",
		                  r->places.cxx ? "static " : "", r->n_calls,
		                  r->places.cxx ? ", __section__(\"" KINST_STATICS "\")" : "");
	else if (function)
		kinst_text_printf(out,
		                  "static __attribute__((__constructor__, __unused__)) void "
		                  "__kinst_value_%zu(void) { (void)(",
		                  r->n_calls);
	else
		kinst_text_puts(out, "(void)(");
	put_call(out, r, pragma, data, place->holder != KINST_NONE);
	kinst_text_puts(out, variable ? ", 0);" : function ? "); }" : ");");
}

static void add_holder(struct rewriter *r, uint32_t behind)
{
	const struct kinst_tokens *tokens = r->places.tokens;
	const struct kinst_token *token = tokens->tokens + behind;
	size_t at = token->at + token->length;
	struct kinst_text *out = add_edit(r, at, at);

	put_line(out, tokens, token);
	kinst_text_printf(out,
	                  "const void *__kinst_data_%zu __attribute__((__cleanup__(ompp_data_leave), __unused__)) = 0;",
	                  r->n_calls);
	put_back(out, tokens, token, at);
}

static void add_call(struct rewriter *r, uint32_t pragma, const struct kinst_data *data,
                     const struct kinst_data_place *place)
{
	const struct kinst_tokens *tokens = r->places.tokens;
	const struct kinst_token *token = tokens->tokens + pragma;
	int wrap = place->head != KINST_NONE && place->head != r->wrapped;
	struct kinst_text *out = add_edit(r, token->at, token->at + token->length);

	put_line(out, tokens, token);
	kinst_text_puts(out, wrap ? "{ " : "");
	put_statement(out, r, token, data, place);
	put_back(out, tokens, token, token->at + token->length);
	if (wrap) {
		const struct kinst_token *last = tokens->tokens + place->last;
		size_t end = last->at + last->length;

		r->wrapped = place->head;
		out = add_edit(r, end, end);
		kinst_text_puts(out, last->kind == KINST_PRAGMA ? "\n}" : "}");
		if (last->kind == KINST_PRAGMA)
			put_back(out, tokens, last, end);
	}
	if (place->holder != KINST_NONE)
		add_holder(r, place->holder);
	r->n_calls++;
}

static void rewrite_pragma(struct rewriter *r, uint32_t pragma, struct kinst_span rest, struct kinst_text *messages)
{
	const struct kinst_tokens *tokens = r->places.tokens;
	const struct kinst_token *token = tokens->tokens + pragma;
	const struct kinst_marker *marker = tokens->markers + token->marker;
	struct kinst_span file = { tokens->text + marker->file_at, marker->file_length };
	struct kinst_data_place place = { 0 };
	unsigned long last_line = token->line;
	struct kinst_data data;
	int is_wanted;

	for (uint32_t i = 0; i < token->length; i++)
		last_line += tokens->text[token->at + i] == '\n';
	is_wanted = kinst_marks_meet(r->marks, "inst data", file.p, file.n, token->line, last_line);
	kinst_data_read(rest, r->places.cxx, &data);
	if (!data.problem) {
		kinst_data_place_find(&r->places, pragma, data.address, &place);
		data.problem = place.problem;
	}
	if (!data.problem && data.end && place.kind == KINST_AT_FILE)
		data.problem = "a range cannot end outside of functions; put it between statements";
	if (!data.problem && is_wanted) {
		add_call(r, pragma, &data, &place);
		return;
	}
	if (data.problem)
		kinst_data_complain(messages, file, token->line, data.problem);
	/* The text must not be empty, so that the lines stay. */
	put_back(add_edit(r, token->at, token->at + token->length), tokens, token, token->at + token->length);
}

/*
 * Orders edits by place.  At one place an insertion comes before a replacement, and braces that were opened later
 * close first.
 */
static int compare_edits(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->end != y->end ? (x->end < y->end ? -1 : 1) : 0;
}

static void data_calls_apply(struct rewriter *r, struct kinst_text *result)
{
	const struct kinst_tokens *tokens = r->places.tokens;
	size_t at = 0;

	qsort(r->edits, r->n_edits, sizeof(*r->edits), compare_edits);
	for (size_t i = 0; i < r->n_edits; i++) {
		kinst_text_add(result, tokens->text + at, r->edits[i].at - at);
		kinst_text_add(result, r->edits[i].text.data, r->edits[i].text.length);
		at = r->edits[i].end;
		kinst_text_free(&r->edits[i].text);
	}
	kinst_text_add(result, tokens->text + at, tokens->length - at);
	free(r->edits);
}

size_t kinst_data_rewrite(const char *text, size_t length, int cxx, struct kinst_marks *marks,
                          struct kinst_text *result, struct kinst_text *messages)
{
	struct kinst_tokens tokens;
	struct rewriter r = { .marks = marks, .wrapped = KINST_NONE };
	struct kinst_span rest;
	size_t n = 0;

	if (!kinst_data_in(text, length) || kinst_lexer_read(&tokens, text, length))
		return 0;
	kinst_data_places_init(&r.places, &tokens, cxx);
	for (uint32_t i = 0; i < tokens.n_tokens; i++) {
		const struct kinst_token *token = tokens.tokens + i;

		if (token->kind != KINST_PRAGMA || !kinst_data_is_pragma(text + token->at, token->length, &rest))
			continue;
		n++;
		rewrite_pragma(&r, i, rest, messages);
	}
	if (n)
		data_calls_apply(&r, result);
	kinst_data_places_fini(&r.places);
	kinst_lexer_free(&tokens);
	return n;
}
