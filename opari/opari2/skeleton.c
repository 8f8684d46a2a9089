/*
 * Skeleton: see skeleton.h.  First the cutting, then the way back.
 */
#include "opari/opari2/skeleton.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/say.h"
#include "opari/data/data.h"
#include "opari/data/prologue.h"
#include "opari/read/lock_calls.h"

#define WORD "__kinst_"

/* A piece of the text that opari2 does not see. */
struct piece {
	uint32_t line, marker;          /* of its first byte */
	struct kinst_text text;
	int n_used;                     /* how often opari2's output had it: must become 1 */
};

struct kinst_skeleton {
	struct kinst_skeleton_options options;
	struct kinst_text   called;             /* the text with calls for data directives, if it has any */
	struct kinst_tokens tokens;             /* of `called`, or of the original */
	struct kinst_sites  sites;
	struct kinst_text   text;
	struct piece       *pieces;
	size_t              n_pieces, room;
	size_t              head_bytes;         /* the line markers that must stay first */
	/* while cutting */
	size_t              at;                 /* all before is cut */
	uint32_t            next;               /* first token at or behind `at` */
	struct piece        piece;              /* what waits to become a word */
};

/* Begin the waiting piece at `at`, on the line where the token before it ends. */
static void begin_piece(struct kinst_skeleton *s)
{
	const struct kinst_token *token;

	if (s->piece.text.length)
		return;
	s->piece = (struct piece){ .text = s->piece.text };
	if (!s->next)
		return;
	token = s->tokens.tokens + s->next - 1;
	s->piece.marker = token->marker;
	s->piece.line = token->line;
	for (uint32_t i = 0; i < token->length; i++)
		s->piece.line += s->tokens.text[token->at + i] == '\n';
}

/* Move the text up to byte `end` into the waiting piece, lock calls rewritten. */
static void cut_to(struct kinst_skeleton *s, size_t end)
{
	const struct kinst_tokens *tokens = &s->tokens;

	if (s->at >= end)
		return;
	begin_piece(s);
	for (; s->next < tokens->n_tokens && tokens->tokens[s->next].at < end; s->next++) {
		const char *call = s->options.locks ? kinst_lock_call(tokens, s->next) : NULL;
		const struct kinst_token *token = tokens->tokens + s->next;

		if (!call)
			continue;
		kinst_text_add(&s->piece.text, tokens->text + s->at, token->at - s->at);
		kinst_text_puts(&s->piece.text, call);
		s->at = token->at + token->length;
	}
	kinst_text_add(&s->piece.text, tokens->text + s->at, end - s->at);
	s->at = end;
}

/* Put a brace of ours into the waiting piece. */
static void put_brace(struct kinst_skeleton *s, const char *brace)
{
	begin_piece(s);
	kinst_text_puts(&s->piece.text, brace);
}

static int is_blank(const struct kinst_text *text)
{
	return strspn(text->data, " \t\n\r\f\v") == text->length;
}

/* Turn the waiting piece into its word, in `form`. */
static void flush_piece(struct kinst_skeleton *s, const char *form)
{
	if (!s->piece.text.length || is_blank(&s->piece.text)) {
		s->piece.text.length = 0;
		return;
	}
	if (s->n_pieces == s->room) {
		s->room = s->room * 2 + 64;
		s->pieces = kinst_realloc(s->pieces, s->room * sizeof(*s->pieces));
	}
	kinst_text_printf(&s->text, form, s->n_pieces);
	s->pieces[s->n_pieces++] = s->piece;
	s->piece = (struct piece){ 0 };
}

/* opari2 sees the marker's number for a file name: no name confuses it. */
static void put_place(struct kinst_skeleton *s, uint32_t token)
{
	const struct kinst_token *t = s->tokens.tokens + token;

	kinst_text_printf(&s->text, "# %u \"/%u\"\n", t->line, t->marker);
}

static void put_pragma(struct kinst_skeleton *s, uint32_t token)
{
	const struct kinst_token *t = s->tokens.tokens + token;
	const char *p = s->tokens.text + t->at, *end = p + t->length, *omp;

	put_place(s, token);
	/* One line; `#pragma omp inst` is spelled `#pragma pomp inst` for opari2. */
	for (omp = p + 1; omp < end && !isspace((unsigned char)*omp); omp++)
		;
	kinst_text_puts(&s->text, "#pragma ");
	p = memmem(p, (size_t)(end - p), "pragma", 6);
	p += 6;
	while (p < end && isspace((unsigned char)*p))
		p++;
	if (end - p > 3 && !memcmp(p, "omp", 3)) {
		for (omp = p + 3; omp < end && isspace((unsigned char)*omp); omp++)
			;
		if (end - omp > 4 && !memcmp(omp, "inst", 4) && !isalnum((unsigned char)omp[4]) &&
		    omp[4] != '_')
			kinst_text_puts(&s->text, "p");
	}
	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end && p[1] == '\n')
			p++;
		kinst_text_add(&s->text, *p == '\n' ? " " : p, 1);
	}
	kinst_text_puts(&s->text, "\n");
}

static size_t token_end(const struct kinst_tokens *tokens, uint32_t i)
{
	return tokens->tokens[i].at + tokens->tokens[i].length;
}

static void skip_token(struct kinst_skeleton *s, uint32_t i)
{
	s->at = token_end(&s->tokens, i);
	s->next = i + 1;
}

static void open_site(struct kinst_skeleton *s, const struct kinst_site *site)
{
	const struct kinst_tokens *tokens = &s->tokens;

	cut_to(s, tokens->tokens[site->pragma].at);
	if (site->kind == KINST_ALONE && site->wrap_last != KINST_NONE)
		put_brace(s, "{");
	flush_piece(s, WORD "%zu;\n");
	put_pragma(s, site->pragma);
	skip_token(s, site->pragma);
	if (site->kind == KINST_LOOP) {
		cut_to(s, tokens->tokens[site->first].at);
		flush_piece(s, "for(" WORD "%zu)\n");
	}
	if (site->kind == KINST_BLOCK || site->kind == KINST_LOOP) {
		put_place(s, site->first);
		kinst_text_puts(&s->text, "{\n");
		if (site->braced)
			skip_token(s, site->first);
	}
}

static void close_site(struct kinst_skeleton *s, const struct kinst_site *site)
{
	const struct kinst_tokens *tokens = &s->tokens;

	if (site->kind == KINST_ALONE && site->wrap_last != KINST_NONE) {
		cut_to(s, token_end(tokens, site->wrap_last));
		put_brace(s, "}");
		return;
	}
	if (site->kind == KINST_ALONE)
		return;
	cut_to(s, site->braced && site->kind != KINST_STATEMENT ? tokens->tokens[site->last].at :
								    token_end(tokens, site->last));
	flush_piece(s, WORD "%zu;\n");
	if (site->kind == KINST_STATEMENT)
		return;
	put_place(s, site->last);
	kinst_text_puts(&s->text, "}\n");
	if (site->braced)
		skip_token(s, site->last);
}

static uint32_t site_end(const struct kinst_site *site)
{
	return site->kind == KINST_ALONE && site->wrap_last != KINST_NONE ? site->wrap_last : site->last;
}

static void cut(struct kinst_skeleton *s)
{
	const struct kinst_site **open = kinst_alloc((s->sites.n_sites + 1) * sizeof(*open));
	size_t n_open = 0;

	for (size_t i = 0; i < s->sites.n_sites; i++) {
		const struct kinst_site *site = s->sites.sites + i;

		while (n_open && site_end(open[n_open - 1]) < site->pragma)
			close_site(s, open[--n_open]);
		/* Stays as it is: one that reaches out of the block around it (broken input), or that stands
		 * in the header of a loop (in a lambda). */
		if ((n_open && site_end(open[n_open - 1]) < site_end(site)) ||
		    s->tokens.tokens[site->pragma].at < s->at)
			continue;
		open_site(s, site);
		open[n_open++] = site;
	}
	while (n_open)
		close_site(s, open[--n_open]);
	cut_to(s, s->tokens.length);
	flush_piece(s, WORD "%zu;\n");
	free(open);
}

static int has_lock_call(const struct kinst_tokens *tokens)
{
	for (uint32_t i = 0; i < tokens->n_tokens; i++)
		if (kinst_lock_call(tokens, i))
			return 1;
	return 0;
}

static int mentions(const char *text, size_t length, const char *word)
{
	return memmem(text, length, word, strlen(word)) != NULL;
}

/* Make calls of data directives; *text is then the text with them. */
static void call_data(struct kinst_skeleton *s, const char **text, size_t *length)
{
	struct kinst_text said = { 0 }, *messages = s->options.messages ? s->options.messages : &said;

	if (!kinst_data_rewrite(*text, *length, s->options.cxx, NULL, &s->called, messages))
		return;
	*text = s->called.data;
	*length = s->called.length;
	kinst_say_lines(said.data);
	kinst_text_free(&said);
}

struct kinst_skeleton *kinst_skeleton_new(const char *text, size_t length,
					  const struct kinst_skeleton_options *options)
{
	struct kinst_skeleton *s;

	if (!mentions(text, length, "omp"))
		return NULL;
	s = kinst_alloc(sizeof(*s));
	s->options = *options;
	call_data(s, &text, &length);
	if (kinst_lexer_read(&s->tokens, text, length)) {
		kinst_skeleton_free(s);
		return NULL;
	}
	kinst_braces_find(&s->tokens, &options->scope, &s->sites);
	if (!s->called.length && !s->sites.n_sites && !(options->locks && has_lock_call(&s->tokens))) {
		kinst_skeleton_free(s);
		return NULL;
	}
	s->at = s->head_bytes = kinst_lexer_head(text, length);
	while (s->next < s->tokens.n_tokens && s->tokens.tokens[s->next].at < s->at)
		s->next++;
	kinst_text_puts(&s->text, "___POMP2_INCLUDE___\n");
	cut(s);
	return s;
}

void kinst_skeleton_free(struct kinst_skeleton *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_pieces; i++)
		kinst_text_free(&s->pieces[i].text);
	free(s->pieces);
	kinst_text_free(&s->called);
	kinst_text_free(&s->text);
	kinst_text_free(&s->piece.text);
	kinst_braces_free(&s->sites);
	kinst_lexer_free(&s->tokens);
	free(s);
}

const struct kinst_text *kinst_skeleton_text(const struct kinst_skeleton *s)
{
	return &s->text;
}

/* What opari2's include file defines, by the number in the name; "" for a number that it does not define. */
struct macros {
	struct kinst_words shared, ctcs;        /* POMP2_DLIST_00012, opari2_ctc_12 */
};

/* The list that a macro of this name belongs to, and its number there; NULL when opari2 has no such
 * macros. */
static struct kinst_words *macro_list(struct macros *macros, const char *name, size_t length, size_t *number)
{
	static const char shared[] = "POMP2_DLIST_", ctc[] = "opari2_ctc_";
	size_t n = length > strlen(shared) && !memcmp(name, shared, strlen(shared)) ? strlen(shared) :
		   length > strlen(ctc) && !memcmp(name, ctc, strlen(ctc)) ? strlen(ctc) : 0;
	struct kinst_words *list = n == strlen(shared) ? &macros->shared : &macros->ctcs;

	if (!n)
		return NULL;
	for (*number = 0; n < length; n++) {
		if (!isdigit((unsigned char)name[n]) || *number > 10000000)
			return NULL;
		*number = *number * 10 + (size_t)(name[n] - '0');
	}
	return list;
}

static const char *macro_value(struct macros *macros, const char *name, size_t length)
{
	size_t number;
	const struct kinst_words *list = macro_list(macros, name, length, &number);

	return list && number < list->n && *list->items[number] ? list->items[number] : NULL;
}

static void macro_define(struct macros *macros, const char *name, size_t length, char *value)
{
	size_t number;
	struct kinst_words *list = macro_list(macros, name, length, &number);

	if (!list) {
		free(value);
		return;
	}
	while (list->n <= number)
		kinst_words_add(list, "");
	free(list->items[number]);
	list->items[number] = value;
}

/* The number behind `from`, if `line` is from, digits, to, and blanks around; else -1. */
static long number_between(const char *line, size_t length, const char *from, const char *to)
{
	size_t n = strlen(from);
	long value = 0;

	while (length && isspace((unsigned char)*line))
		line++, length--;
	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	if (length <= n + strlen(to) || memcmp(line, from, n) || !isdigit((unsigned char)line[n]))
		return -1;
	for (; n < length && isdigit((unsigned char)line[n]); n++)
		value = value < 100000000 ? value * 10 + line[n] - '0' : value;
	return length - n == strlen(to) && !memcmp(line + n, to, length - n) ? value : -1;
}

/* The place of "# 12 \"/3\"" and "#line 12 \"/3\""; 0 when the line is none. */
static int place_of(const struct kinst_skeleton *s, const char *line, size_t length, uint32_t *number,
		    uint32_t *marker)
{
	char *copy;
	unsigned int n, m;
	int found;

	if (!length || *line != '#' || (line[1] != ' ' && line[1] != 'l'))
		return 0;
	copy = kinst_strndup(line, length);
	found = (sscanf(copy, "# %u \"/%u\"", &n, &m) == 2 ||
		 sscanf(copy, "#line %u \"/%u\"", &n, &m) == 2) &&
		m < s->tokens.n_markers;
	free(copy);
	if (found) {
		*number = n;
		*marker = m;
	}
	return found;
}

/* The file of a marker with its folder, spelled for a C string; *extra_bytes: what escapes add to its
 * length. */
static char *full_name(const struct kinst_skeleton *s, unsigned long marker, size_t *extra_bytes)
{
	const struct kinst_marker *m = s->tokens.markers + marker;
	const char *file = s->tokens.text + m->file_at;
	struct kinst_text name = { 0 };

	*extra_bytes = 0;
	kinst_text_puts(&name, "");
	if (m->file_length && *file != '/' && *file != '<') {
		for (const char *p = s->options.directory; *p; p++) {
			if (*p == '"' || *p == '\\') {
				kinst_text_puts(&name, "\\");
				++*extra_bytes;
			}
			kinst_text_add(&name, p, 1);
		}
		kinst_text_puts(&name, "/");
	}
	for (uint32_t i = 0; i + 1 < m->file_length; i++)
		if (file[i] == '\\') {
			++*extra_bytes;
			i++;
		}
	kinst_text_add(&name, file, m->file_length);
	return name.data;
}

/* A CTC string "len*…*sscl=/3:7:7*escl=/3:9:9…**": the names put in for the numbers, and the length, which
 * counts the whole string, its own digits among them, made right. */
static char *ctc_string(const struct kinst_skeleton *s, const char *p, const char *end)
{
	struct kinst_text body = { 0 };
	size_t length = 0, extra_bytes, n_digits;
	char *result, *after;

	if (p == end || *p != '"')
		return kinst_strndup(p, (size_t)(end - p));
	for (p++; p < end && isdigit((unsigned char)*p); p++)
		;
	kinst_text_puts(&body, "");
	while (p < end) {
		if (end - p > 7 && (!memcmp(p, "*sscl=/", 7) || !memcmp(p, "*escl=/", 7))) {
			unsigned long marker = strtoul(p + 7, &after, 10);
			char *name;

			if (marker < s->tokens.n_markers && *after == ':') {
				name = full_name(s, marker, &extra_bytes);
				kinst_text_add(&body, p, 6);
				kinst_text_puts(&body, name);
				length -= extra_bytes;
				free(name);
				p = after;
				continue;
			}
		}
		kinst_text_add(&body, p++, 1);
	}
	length += body.length - 1;              /* the closing quote does not count */
	for (n_digits = 1; (size_t)snprintf(NULL, 0, "%zu", length + n_digits) != n_digits; n_digits++)
		;
	result = kinst_format("\"%zu%s", length + n_digits, body.data);
	kinst_text_free(&body);
	return result;
}

/* Read the include file: its macros into `macros`, its handles into `handles`. */
static void read_include(const struct kinst_skeleton *s, const struct kinst_text *include,
			 struct macros *macros, struct kinst_text *handles)
{
	const char *p = include->data, *eol, *name, *value;

	for (; p && *p; p = *eol ? eol + 1 : eol) {
		eol = strchrnul(p, '\n');
		if (kinst_begins(p, "static ")) {
			kinst_text_add(handles, p, (size_t)(eol - p));
			kinst_text_puts(handles, "\n");
		}
		if (!kinst_begins(p, "#define "))
			continue;
		name = p + 8;
		value = memchr(name, ' ', (size_t)(eol - name));
		if (!value)
			value = eol;
		macro_define(macros, name, (size_t)(value - name),
			     ctc_string(s, value < eol ? value + 1 : eol, eol));
	}
}

/* A line of opari2's, its macros replaced. */
static void put_expanded(struct kinst_text *out, struct macros *macros, const char *line, size_t length)
{
	static const char threads[] = "int pomp2_num_threads = omp_get_max_threads();";
	static const char begin[] = "POMP2_Parallel_begin( &", close[] = " )";
	const char *p = line, *end = line + length, *value;

	while (p < end && isspace((unsigned char)*p))
		p++;
	if ((size_t)(end - p) == strlen(threads) && !memcmp(p, threads, strlen(threads))) {
		kinst_text_puts(out, "int pomp2_num_threads = POMP2_Lib_get_max_threads();");
		return;
	}
	while (p < end) {
		size_t n = 0;

		while (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_'))
			n++;
		if (n > 6 && (!memcmp(p, "POMP2_", 6) || !memcmp(p, "opari2", 6))) {
			if ((size_t)(end - p) > strlen(begin) && !memcmp(p, begin, strlen(begin))) {
				const char *stop = memmem(p, (size_t)(end - p), close, strlen(close));

				if (stop) {
					kinst_text_puts(out, "ompp_parallel_begin( &");
					kinst_text_add(out, p + strlen(begin),
						       (size_t)(stop - p) - strlen(begin));
					kinst_text_puts(out, ", pomp2_old_task )");
					p = stop + strlen(close);
					continue;
				}
			}
			value = macro_value(macros, p, n);
			if (value) {
				kinst_text_puts(out, value);
				p += n;
				continue;
			}
		}
		kinst_text_add(out, p, n ? n : 1);
		p += n ? n : 1;
	}
}

/* Where the result stands, so that markers are written only when needed. */
struct writer {
	struct kinst_text *out;
	const struct kinst_skeleton *s;
	uint32_t line, marker;          /* as opari2's output says */
	int      in_inserted;           /* on a line of inserted code that goes on */
};

static void end_inserted(struct writer *w)
{
	if (w->in_inserted)
		kinst_text_puts(w->out, "\n");
	w->in_inserted = 0;
}

static int put_piece(struct writer *w, long number)
{
	struct piece *piece;

	if ((size_t)number >= w->s->n_pieces)
		return -EPROTO;
	piece = w->s->pieces + number;
	piece->n_used++;
	end_inserted(w);
	if (piece->line)
		kinst_lexer_put_marker(&w->s->tokens, piece->marker, piece->line, 0, w->out);
	kinst_text_add(w->out, piece->text.data, piece->text.length);
	kinst_text_puts(w->out, "\n");
	return 0;
}

static int put_line(struct writer *w, struct macros *macros, const char *line, size_t length)
{
	const struct kinst_tokens *tokens = &w->s->tokens;
	long number;

	if (place_of(w->s, line, length, &w->line, &w->marker))
		return 0;
	number = number_between(line, length, WORD, ";");
	if (number < 0)
		number = number_between(line, length, "for(" WORD, ")");
	if (number >= 0)
		return put_piece(w, number);
	if (memmem(line, length, WORD, strlen(WORD)))
		return -EPROTO;
	if (length && *line == '#') {
		end_inserted(w);
		kinst_lexer_put_marker(tokens, w->marker, w->line, 0, w->out);
		put_expanded(w->out, macros, line, length);
		kinst_text_puts(w->out, "\n");
		return 0;
	}
	if (!w->in_inserted)
		kinst_lexer_put_marker(tokens, w->marker, w->line, 1, w->out);
	else
		kinst_text_puts(w->out, " ");
	w->in_inserted = 1;
	put_expanded(w->out, macros, line, length);
	return 0;
}

/* The declarations, in front of all but the head, as if the main file were a system header there. */
static void put_prologue(struct writer *w, const struct kinst_text *handles)
{
	const struct kinst_skeleton *s = w->s;
	uint32_t main_marker = s->tokens.n_markers > 1 && s->head_bytes ? 1 : 0;

	kinst_text_add(w->out, s->tokens.text, s->head_bytes);
	kinst_lexer_put_marker(&s->tokens, main_marker, 1, 1, w->out);
	kinst_prologue(w->out, s->options.cxx);
	if (s->called.length)
		kinst_prologue_data(w->out, s->options.cxx);
	if (s->options.extra)
		kinst_text_puts(w->out, s->options.extra);
	kinst_text_add(w->out, handles->data, handles->length);
	kinst_lexer_put_marker(&s->tokens, main_marker, 1, 0, w->out);
}

int kinst_skeleton_expand(struct kinst_skeleton *s, const struct kinst_text *output,
			  const struct kinst_text *include, struct kinst_text *result)
{
	struct writer w = { .out = result, .s = s };
	struct kinst_text handles = { 0 };
	struct macros macros = { 0 };
	const char *p = output->data, *eol;
	int error = 0, started = 0;

	kinst_text_puts(&handles, "");
	read_include(s, include, &macros, &handles);
	for (; !error && p && *p; p = *eol ? eol + 1 : eol) {
		eol = strchrnul(p, '\n');
		if (!started && kinst_begins(p, "#include ")) {
			put_prologue(&w, &handles);
			started = 1;
		} else if (started && eol > p) {
			error = put_line(&w, &macros, p, (size_t)(eol - p));
		}
	}
	end_inserted(&w);
	if (!started)
		error = -EPROTO;
	for (size_t i = 0; i < s->n_pieces && !error; i++)
		if (s->pieces[i].n_used != 1)
			error = -EPROTO;
	kinst_text_free(&handles);
	kinst_words_free(&macros.shared);
	kinst_words_free(&macros.ctcs);
	return error;
}
