/*
 * Skeleton: see skeleton.h.  The file has first the cutting, and then the reverse translation.
 */
#include "opari/opari2/skeleton.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opari/data/data_calls.h"
#include "opari/data/prologue.h"
#include "opari/emit/construct_location.h"
#include "opari/emit/emit_region.h"
#include "opari/opari2/known_sites.h"
#include "opari/opari2/opari2_macros.h"
#include "opari/opari2/sites.h"
#include "opari/read/attributes.h"
#include "opari/read/lock_sites.h"

#define WORD "__kinst_"

/* A placeholder is this word, a letter and the number of a site.  It stands for the site's clauses (c), for those of
 * its second half (d), or for its number of threads (n). */
#define HOLDER "opari2_kinst_"

/* A piece of the text, which opari2 sees as one word. */
struct piece {
	uint32_t line, marker; /* of its first byte */
	struct kinst_text text;
	int n_used; /* how often opari2's output had it; this must become 1 */
};

struct kinst_skeleton {
	const struct kinst_emit_options *options;
	struct kinst_emitted *emitted;
	struct kinst_text called;   /* the text with calls for data directives, if it has any */
	struct kinst_text pragmas;  /* the text with pragmas for [[omp::…]], if it has any */
	struct kinst_tokens tokens; /* of the last of these texts that there is, or of the original */
	struct kinst_sites sites;
	struct kinst_regions regions; /* the regions that opari2 has made, for their context strings */
	struct kinst_text text;
	struct piece *pieces;
	size_t n_pieces, room;
	size_t head_bytes; /* the line markers that must stay first */
	/* while cutting */
	size_t at;          /* all bytes before this one are cut */
	uint32_t next;      /* the first token at or behind `at` */
	struct piece piece; /* the piece that waits to become a word */
};

/* Begins the waiting piece at `at`, on the line where the token before it ends. */
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

/* Moves the text up to byte `end` into the waiting piece, with lock calls rewritten. */
static void cut_to(struct kinst_skeleton *s, size_t end)
{
	const struct kinst_tokens *tokens = &s->tokens;

	if (s->at >= end)
		return;
	begin_piece(s);
	for (; s->next < tokens->n_tokens && tokens->tokens[s->next].at < end; s->next++) {
		const char *call = s->options->locks ? kinst_lock_call(tokens, s->next) : NULL;
		const struct kinst_token *token = tokens->tokens + s->next;

		if (!call)
			continue;
		kinst_text_add(&s->piece.text, tokens->text + s->at, token->at - s->at);
		kinst_text_puts(&s->piece.text, call);
		s->at = token->at + token->length;
		s->emitted->n_calls++;
	}
	kinst_text_add(&s->piece.text, tokens->text + s->at, end - s->at);
	s->at = end;
}

/* Puts a brace of ours into the waiting piece. */
static void put_brace(struct kinst_skeleton *s, const char *brace)
{
	begin_piece(s);
	kinst_text_puts(&s->piece.text, brace);
}

static int is_blank(const struct kinst_text *text)
{
	return strspn(text->data, " \t\n\r\f\v") == text->length;
}

/* Makes a word of the waiting piece.
 * form: the line around the word's number */
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

/* Tells opari2 where a token stands.  Instead of the file's name it gets the numbers of the site and of the line
 * marker, so that no name can confuse it. */
static void put_place(struct kinst_skeleton *s, const struct kinst_site *site, uint32_t token)
{
	const struct kinst_token *t = s->tokens.tokens + token;

	kinst_text_printf(&s->text, "# %u \"/%zu.%u\"\n", t->line, (size_t)(site - s->sites.sites), t->marker);
}

/* Writes a construct's pragma.  When opari2 divides a combined construct, `shared` stays with the parallel region
 * and `lastprivate` goes with the second half; so these two hold the placeholders for the clauses of each half. */
static void put_openmp(struct kinst_skeleton *s, const struct kinst_site *site)
{
	size_t number = (size_t)(site - s->sites.sites);
	int is_parallel = kinst_begins(site->name, "parallel");

	kinst_text_printf(&s->text, "#pragma omp %s %s(" HOLDER "c%zu)", site->name,
	                  is_parallel      ? "shared"
	                  : site->has_copy ? "copyprivate"
	                                   : "private",
	                  number);
	if (is_parallel && strchr(site->name, ' '))
		kinst_text_printf(&s->text, " lastprivate(" HOLDER "d%zu)", number);
	if (site->threads)
		kinst_text_printf(&s->text, " num_threads(" HOLDER "n%zu)", number);
	kinst_text_printf(&s->text, "%s\n", site->shown);
}

/* Writes one of the user's own pragmas, in one line.  opari2 wants `#pragma pomp inst` in place of `#pragma omp
 * inst`. */
static void put_pomp(struct kinst_skeleton *s, uint32_t token)
{
	const struct kinst_token *t = s->tokens.tokens + token;
	const char *p = s->tokens.text + t->at, *end = p + t->length;

	p = memmem(p, t->length, "pragma", 6);
	p += 6;
	while (p < end && isspace((unsigned char)*p))
		p++;
	kinst_text_printf(&s->text, "#pragma %s", *p == 'o' ? "p" : "");
	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end && p[1] == '\n')
			p++;
		kinst_text_add(&s->text, *p == '\n' ? " " : p, 1);
	}
	kinst_text_puts(&s->text, "\n");
}

static void put_pragma(struct kinst_skeleton *s, const struct kinst_site *site)
{
	put_place(s, site, site->pragma != KINST_NONE ? site->pragma : site->first);
	if (site->construct != KINST_NO_CONSTRUCT)
		put_openmp(s, site);
	else if (site->kind == KINST_BLOCK)
		kinst_text_puts(&s->text, "#pragma omp section\n");
	else
		put_pomp(s, site->pragma);
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

static uint32_t site_start(const struct kinst_site *site)
{
	return site->pragma != KINST_NONE ? site->pragma : site->first;
}

static void open_site(struct kinst_skeleton *s, const struct kinst_site *site)
{
	const struct kinst_tokens *tokens = &s->tokens;

	cut_to(s, tokens->tokens[site_start(site)].at);
	if (site->kind == KINST_LEFT_OUT) {
		skip_token(s, site->pragma);
		return;
	}
	if (site->kind == KINST_ALONE && site->wrap_last != KINST_NONE)
		put_brace(s, "{");
	flush_piece(s, WORD "%zu;\n");
	put_pragma(s, site);
	if (site->pragma != KINST_NONE)
		skip_token(s, site->pragma);
	s->emitted->n_calls++;
	if (site->kind == KINST_LOOP) {
		cut_to(s, tokens->tokens[site->first].at);
		flush_piece(s, "for(" WORD "%zu)\n");
	}
	if (site->kind == KINST_BLOCK || site->kind == KINST_LOOP) {
		put_place(s, site, site->first);
		kinst_text_puts(&s->text, "{\n");
		if (site->braced)
			skip_token(s, site->first);
	}
}

static void close_site(struct kinst_skeleton *s, const struct kinst_site *site)
{
	const struct kinst_tokens *tokens = &s->tokens;

	if (site->kind == KINST_LEFT_OUT)
		return;
	if (site->kind == KINST_ALONE && site->wrap_last != KINST_NONE) {
		cut_to(s, token_end(tokens, site->wrap_last));
		put_brace(s, "}");
		return;
	}
	if (site->kind == KINST_ALONE)
		return;
	cut_to(s, site->braced && site->kind != KINST_STATEMENT ? tokens->tokens[site->last].at
	                                                        : token_end(tokens, site->last));
	flush_piece(s, WORD "%zu;\n");
	if (site->kind == KINST_STATEMENT)
		return;
	put_place(s, site, site->last);
	kinst_text_puts(&s->text, "}\n");
	if (site->braced)
		skip_token(s, site->last);
}

static uint32_t site_end(const struct kinst_site *site)
{
	return site->kind == KINST_ALONE && site->wrap_last != KINST_NONE ? site->wrap_last : site->last;
}

static void skeleton_cut(struct kinst_skeleton *s)
{
	const struct kinst_site **open = kinst_alloc((s->sites.n_sites + 1) * sizeof(*open));
	size_t n_open = 0;

	for (size_t i = 0; i < s->sites.n_sites; i++) {
		const struct kinst_site *site = s->sites.sites + i;

		while (n_open && site_end(open[n_open - 1]) < site_start(site))
			close_site(s, open[--n_open]);
		/* A construct is left unchanged when it extends beyond the surrounding block (in broken input), or is
		 * in the header of a loop (in a lambda). */
		if ((n_open && site_end(open[n_open - 1]) < site_end(site)) ||
		    s->tokens.tokens[site_start(site)].at < s->at)
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

/* Reads the tokens of the text, in which data directives become calls, and attributes pragmas. */
static int read_tokens(struct kinst_skeleton *s, const char *text, size_t length)
{
	int error;

	if (kinst_data_rewrite(text, length, s->options->cxx, s->options->data, &s->called, &s->emitted->messages)) {
		text = s->called.data;
		length = s->called.length;
		s->emitted->n_calls++;
	}
	error = kinst_lexer_read(&s->tokens, text, length);
	if (error || !s->options->openmp || !kinst_attributes_rewrite(&s->tokens, &s->pragmas))
		return error;
	kinst_lexer_free(&s->tokens);
	return kinst_lexer_read(&s->tokens, s->pragmas.data, s->pragmas.length);
}

struct kinst_skeleton *kinst_skeleton_new(const char *text, size_t length, const struct kinst_emit_options *options,
                                          struct kinst_emitted *emitted)
{
	struct kinst_skeleton *s = kinst_alloc(sizeof(*s));

	s->options = options;
	s->emitted = emitted;
	s->regions.directory = options->directory;
	s->regions.cxx = options->cxx;
	if (read_tokens(s, text, length)) {
		kinst_skeleton_free(s);
		return NULL;
	}
	kinst_sites_find(&s->tokens, options, emitted, &s->sites);
	s->at = s->head_bytes = kinst_lexer_head(s->tokens.text, s->tokens.length);
	while (s->next < s->tokens.n_tokens && s->tokens.tokens[s->next].at < s->at)
		s->next++;
	kinst_text_puts(&s->text, KINST_SKELETON_MARK "\n");
	skeleton_cut(s);
	return s;
}

int kinst_skeleton_has_sites(const struct kinst_skeleton *s)
{
	for (size_t i = 0; i < s->sites.n_sites; i++)
		if (s->sites.sites[i].kind != KINST_LEFT_OUT)
			return 1;
	return 0;
}

void kinst_skeleton_free(struct kinst_skeleton *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_pieces; i++)
		kinst_text_free(&s->pieces[i].text);
	free(s->pieces);
	kinst_text_free(&s->called);
	kinst_text_free(&s->pragmas);
	kinst_text_free(&s->text);
	kinst_text_free(&s->piece.text);
	kinst_regions_free(&s->regions);
	kinst_sites_free(&s->sites);
	kinst_lexer_free(&s->tokens);
	free(s);
}

const struct kinst_text *kinst_skeleton_text(const struct kinst_skeleton *s)
{
	return &s->text;
}

/* Returns the number between `from` and `to` when the line has nothing else but blanks; else -1. */
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

/* Reads a line marker "# 12 \"/7.3\"" or "#line 12 \"/7.3\"", which means line 12 in the file of marker 3.  Returns
 * 0 when the line is no marker. */
static int place_of(const struct kinst_skeleton *s, const char *line, size_t length, size_t *site_number,
                    uint32_t *number, uint32_t *marker)
{
	char *copy;
	unsigned int n, m;
	size_t site;
	int found;

	if (!length || *line != '#' || (line[1] != ' ' && line[1] != 'l'))
		return 0;
	copy = kinst_strndup(line, length);
	found = (sscanf(copy, "# %u \"/%zu.%u\"", &n, &site, &m) == 3 ||
	         sscanf(copy, "#line %u \"/%zu.%u\"", &n, &site, &m) == 3) &&
	        m < s->tokens.n_markers;
	free(copy);
	if (found) {
		*site_number = site;
		*number = n;
		*marker = m;
	}
	return found;
}

/* Adds the attributes of a context string of opari2's, from p on, where its places end.  Those about clauses are
 * left out: opari2 has seen other clauses than the user wrote. */
static void put_attributes(struct kinst_text *out, const char *p)
{
	for (; *p && *p != '*'; p += strcspn(p, "*"), p += *p == '*')
		if (!kinst_begins(p, "has") || kinst_begins(p, "hasUntied"))
			kinst_text_add(out, p, strcspn(p, "*") + 1);
}

/* Returns the bounds of the region that begins at a site, and ends at it or, as a user region, at another one. */
static struct kinst_bounds skeleton_bounds(const struct kinst_skeleton *s, const struct kinst_site *site,
                                           const struct kinst_site *end)
{
	uint32_t last = site->construct != KINST_NO_CONSTRUCT ? site->last : end->pragma;

	return kinst_construct_bounds(&s->tokens, site->pragma,
	                              last != KINST_NONE && last > site->pragma ? last : site->pragma);
}

/* Returns the site at which a region ends that begins at site `from`: of a user region opari2 tells the line alone,
 * with the file of the begin. */
static size_t end_of(const struct kinst_skeleton *s, size_t from, uint32_t line)
{
	for (size_t i = from; i < s->sites.n_sites; i++) {
		uint32_t pragma = s->sites.sites[i].pragma;

		if (pragma != KINST_NONE && s->tokens.tokens[pragma].line == line)
			return i;
	}
	return from;
}

/* Returns opari2's context string number `number`, "len*regionType=for*sscl=/7.3:7:7*escl=/7.3:9:9**", quoted, with the
 * names of the files and the site's own attributes.  A text that is no context string comes back as it is.  The caller
 * frees it. */
static char *ctc_string(struct kinst_skeleton *s, size_t number, const char *p, const char *end)
{
	char *copy = kinst_strndup(p, (size_t)(end - p)), *type = strstr(copy, "*regionType="),
	     *sscl = strstr(copy, "*sscl=/"), *escl = strstr(copy, "*escl=/"), *result;
	struct kinst_text attributes = { 0 };
	struct kinst_bounds bounds;
	unsigned int end_line;
	size_t site, region;

	if (*copy != '"' || !type || !sscl || !escl || sscanf(sscl, "*sscl=/%zu.", &site) != 1 ||
	    sscanf(escl, "*escl=/%*u.%*u:%u", &end_line) != 1 || site >= s->sites.n_sites ||
	    s->sites.sites[site].pragma == KINST_NONE)
		return copy;
	bounds = skeleton_bounds(s, s->sites.sites + site, s->sites.sites + end_of(s, site, end_line));
	type += strlen("*regionType=");
	type[strcspn(type, "*")] = '\0';
	kinst_text_puts(&attributes, "");
	put_attributes(&attributes, escl + 1 + strcspn(escl + 1, "*") + 1);
	if (s->options->cxx && s->sites.sites[site].construct != KINST_NO_CONSTRUCT)
		kinst_text_puts(&attributes, KINST_PER_HANDLE);
	kinst_text_puts(&attributes, s->sites.sites[site].attributes ? s->sites.sites[site].attributes : "");
	region = kinst_region_new(&s->regions, type, bounds.first, bounds.last, attributes.data);
	result = kinst_format("\"%s\"", s->regions.items[region].ctc);
	s->sites.sites[site].is_seen = 1;
	s->sites.sites[site].number = s->sites.sites[site].construct != KINST_NO_CONSTRUCT ? number : 0;
	kinst_text_free(&attributes);
	free(copy);
	return result;
}

/* Returns the number at the end of a macro's name, opari2_ctc_12. */
static size_t number_of(const char *name, const char *end)
{
	const char *p = end;

	while (p > name && isdigit((unsigned char)p[-1]))
		p--;
	return strtoul(p, NULL, 10);
}

/* Reads the include file: its macros go to `macros`, and its handles to `handles`. */
static void read_include(struct kinst_skeleton *s, const struct kinst_text *include, struct kinst_opari2_macros *macros,
                         struct kinst_text *handles)
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
		kinst_opari2_macros_define(macros, name, (size_t)(value - name),
		                           ctc_string(s, number_of(name, value), value < eol ? value + 1 : eol, eol));
	}
}

/* Returns the text that a placeholder stands for; NULL when there is no such placeholder.
 * p: its letter and number, "c12" */
static const char *skeleton_held(const struct kinst_skeleton *s, const char *p)
{
	size_t i = strtoul(p + 1, NULL, 10);
	const struct kinst_site *site = s->sites.sites + i;

	if (i >= s->sites.n_sites || !isdigit((unsigned char)p[1]))
		return NULL;
	return *p == 'c' ? site->outer : *p == 'd' ? site->inner : *p == 'n' ? site->threads : NULL;
}

/* Adds a line in which placeholders are replaced: that of num_threads by itself, the others together with the clause
 * around them. */
static void put_held(const struct kinst_skeleton *s, const char *line, size_t length, struct kinst_text *out)
{
	const char *p = line, *end = line + length, *at, *value, *to;

	while ((at = memmem(p, (size_t)(end - p), HOLDER, strlen(HOLDER)))) {
		to = at + strlen(HOLDER) + 1;
		value = skeleton_held(s, to - 1);
		while (to < end && isdigit((unsigned char)*to))
			to++;
		if (value && at[strlen(HOLDER)] != 'n' && at > p && at[-1] == '(' && to < end) {
			for (at--; at > p && isalpha((unsigned char)at[-1]); at--)
				;
			to++;
		}
		kinst_text_add(out, p, (size_t)((value ? at : to) - p));
		kinst_text_puts(out, value ? value : "");
		p = to;
	}
	kinst_text_add(out, p, (size_t)(end - p));
}

/* Removes the `if` clause that opari2 adds to each task: the task's own `if` is among the clauses that opari2 does not
 * see. */
static void blank_if(char *line)
{
	static const char clause[] = " if(pomp2_if)";
	char *p = kinst_begins(line, "#pragma omp task") ? strstr(line, clause) : NULL;

	if (p)
		memset(p, ' ', strlen(clause));
}

/* The current place in the result, so that line markers are written only where needed. */
struct writer {
	struct kinst_text *out;
	const struct kinst_skeleton *s;
	size_t site; /* the site, line and marker of what comes next, as opari2's output tells */
	uint32_t line, marker;
	int in_inserted; /* 1 on a line of inserted code that goes on */
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

/* Opens the first braces that opari2 puts around a construct of C++, with a handle in them.  As in kinst's own engine,
 * each instantiation of a template has its own then, and opari2's handle for the whole file is not used.
 * Returns how many bytes of the line are written, 0 or 1 */
static size_t open_braces(struct writer *w, const char *line)
{
	struct kinst_site *site = w->s->sites.sites + w->site;

	if (!w->s->options->cxx || w->site >= w->s->sites.n_sites || !site->number || site->has_handle)
		return 0;
	site->has_handle = 1;
	if (*line != '{')
		return 0;
	kinst_text_printf(w->out, "{ static OPARI2_Region_handle opari2_region_%zu;", site->number);
	return 1;
}

static int put_line(struct writer *w, struct kinst_opari2_macros *macros, const char *line, size_t length)
{
	const struct kinst_tokens *tokens = &w->s->tokens;
	struct kinst_text filled = { 0 };
	size_t opened;
	long number;

	if (place_of(w->s, line, length, &w->site, &w->line, &w->marker))
		return 0;
	number = number_between(line, length, WORD, ";");
	if (number < 0)
		number = number_between(line, length, "for(" WORD, ")");
	if (number >= 0)
		return put_piece(w, number);
	if (memmem(line, length, WORD, strlen(WORD)))
		return -EPROTO;
	put_held(w->s, line, length, &filled);
	blank_if(filled.data);
	line = filled.data;
	length = filled.length;
	if (length && *line == '#') {
		end_inserted(w);
		kinst_lexer_put_marker(tokens, w->marker, w->line, 0, w->out);
		kinst_opari2_macros_expand(w->out, macros, line, length);
		kinst_text_puts(w->out, "\n");
		kinst_text_free(&filled);
		return 0;
	}
	if (!w->in_inserted)
		kinst_lexer_put_marker(tokens, w->marker, w->line, 1, w->out);
	else
		kinst_text_puts(w->out, " ");
	w->in_inserted = 1;
	opened = open_braces(w, line);
	kinst_opari2_macros_expand(w->out, macros, line + opened, length - opened);
	kinst_text_free(&filled);
	return 0;
}

/* Writes the declarations behind the head of the text, as if the main file were a system header there. */
static void put_prologue(struct writer *w, const struct kinst_text *handles)
{
	const struct kinst_skeleton *s = w->s;
	uint32_t main_marker = s->tokens.n_markers > 1 && s->head_bytes ? 1 : 0;

	kinst_text_add(w->out, s->tokens.text, s->head_bytes);
	kinst_lexer_put_marker(&s->tokens, main_marker, 1, 1, w->out);
	kinst_prologue(w->out, s->options->cxx);
	if (s->called.length)
		kinst_prologue_data(w->out, s->options->cxx);
	if (s->options->extra)
		kinst_text_puts(w->out, s->options->extra);
	kinst_text_add(w->out, handles->data, handles->length);
	kinst_lexer_put_marker(&s->tokens, main_marker, 1, 0, w->out);
}

/* Names the constructs that have no region among the context strings of opari2's include file. */
static void name_left(const struct kinst_skeleton *s)
{
	for (size_t i = 0; i < s->sites.n_sites; i++)
		if (s->sites.sites[i].construct != KINST_NO_CONSTRUCT && !s->sites.sites[i].is_seen)
			kinst_emitted_give_up(s->emitted, s->sites.sites[i].construct, KINST_OPARI2_LEFT);
}

int kinst_skeleton_expand(struct kinst_skeleton *s, const struct kinst_text *output, const struct kinst_text *include)
{
	struct writer w = { .out = &s->emitted->text, .s = s, .site = SIZE_MAX };
	struct kinst_text handles = { 0 };
	struct kinst_opari2_macros macros = { 0 };
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
	if (!error)
		name_left(s);
	kinst_text_free(&handles);
	kinst_opari2_macros_free(&macros);
	return error;
}
