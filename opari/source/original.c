/*
 * Original: see original.h.
 */
#include "opari/source/original.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "opari/base/temp.h"
#include "opari/data/data_fortran.h"
#include "opari/emit/pomp.h"
#include "opari/emit/user_call.h"
#include "opari/read/lexer.h"
#include "runtime/base/array.h"

/* ---- which pragmas there are ---- */

/* Reads the tokens of a text that may have directives of ours.  Returns 0 when it has none. */
static int read_tokens(struct kinst_tokens *tokens, const struct kinst_text *text)
{
	return (memmem(text->data, text->length, "pomp", 4) || memmem(text->data, text->length, "inst", 4)) &&
	       !kinst_lexer_read(tokens, text->data, text->length);
}

static int is_ours(const struct kinst_tokens *tokens, uint32_t i)
{
	const struct kinst_token *t = tokens->tokens + i;

	return t->kind == KINST_PRAGMA && kinst_pomp_is_pragma(tokens->text + t->at, t->length);
}

static int has_ours(const struct kinst_tokens *tokens)
{
	for (uint32_t i = 0; i < tokens->n_tokens; i++)
		if (is_ours(tokens, i))
			return 1;
	return 0;
}

static int has_ours_fortran(const struct kinst_text *text, int fixed)
{
	struct kinst_statements statements;
	struct kinst_pomp pomp;
	int found = 0;

	kinst_statements_read(&statements, text->data, text->length, fixed, "");
	for (size_t i = 0; i < statements.n && !found; i++)
		found = statements.items[i].is_data || kinst_user_read_fortran(&statements, i, &pomp);
	kinst_statements_free(&statements);
	return found;
}

int kinst_original_has_ours(const struct kinst_text *text, const struct kinst_input *input)
{
	struct kinst_tokens tokens;
	int found;

	if (input->language == KINST_FORTRAN)
		return has_ours_fortran(text, input->fixed);
	if (!read_tokens(&tokens, text))
		return 0;
	found = has_ours(&tokens);
	kinst_lexer_free(&tokens);
	return found;
}

/* Returns 1 for a pragma that compilers do not know, or that controls warnings about such pragmas. */
static int is_other(const char *line, size_t length, int openmp)
{
	static const char *const known[] = { "STDC",       "GCC",       "clang",
		                             "pack",       "weak",      "redefine_extname",
		                             "message",    "once",      "scalar_storage_order",
		                             "push_macro", "pop_macro", "acc",
		                             "unroll",     "nounroll" };
	const char *end = line + length, *p = memmem(line, length, "pragma", 6);
	size_t n = 0;

	if (!p)
		return 0;
	for (p += 6; p < end && isspace((unsigned char)*p); p++)
		;
	while (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_'))
		n++;
	if (n == 3 && !memcmp(p, "omp", 3))
		return !openmp;
	for (size_t i = 0; i < OMPP_COUNT_OF(known); i++)
		if (strlen(known[i]) == n && !memcmp(known[i], p, n))
			return memmem(p, (size_t)(end - p), "diagnostic", 10) != NULL;
	return 1;
}

/* Returns 1 when the options ask for warnings of unknown pragmas. */
static int names_unknown(const struct kinst_command *command)
{
	int asked = 0;

	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;

		if (!strcmp(word, "-w"))
			return 0;
		asked |= !strcmp(word, "-Wall") || !strcmp(word, "-Weverything") ||
		         !strcmp(word, "-Wunknown-pragmas") || !strcmp(word, "-Werror=unknown-pragmas");
	}
	return asked;
}

int kinst_original_matters(const struct kinst_compiler *compiler, const struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_inputs; i++)
		if (command->openmp && (compiler->clang || command->inputs[i].language == KINST_FORTRAN))
			return 1;
	return names_unknown(command);
}

/* ---- texts ---- */

void kinst_original_blank(const struct kinst_text *text, struct kinst_text *result)
{
	struct kinst_tokens tokens;

	kinst_text_add(result, text->data, text->length);
	if (!read_tokens(&tokens, text))
		return;
	for (uint32_t i = 0; i < tokens.n_tokens; i++) {
		const struct kinst_token *t = tokens.tokens + i;

		for (size_t k = 0; is_ours(&tokens, i) && k < t->length; k++)
			if (result->data[t->at + k] != '\n')
				result->data[t->at + k] = ' ';
	}
	kinst_lexer_free(&tokens);
}

/* Returns the path of a file with this text, under the source's own name; NULL when it cannot be written. */
static char *write_text(const char *name, const struct kinst_text *text)
{
	char *path = kinst_temp_path(*name == '<' ? "-" : kinst_basename(name));

	if (path && kinst_write_file(path, text->data, text->length)) {
		free(path);
		path = NULL;
	}
	return path;
}

/*
 * Writes the pragmas that are neither ours nor known, each at its place.  A declaration, as in a system header, comes
 * first, as a text without any declaration is not ISO C.
 */
static char *write_others(const struct kinst_tokens *tokens, const char *name, int openmp)
{
	struct kinst_text text = { 0 };
	char *path = NULL;
	int n = 0;

	kinst_lexer_put_marker(tokens, tokens->tokens[0].marker, 1, 1, &text);
	kinst_text_puts(&text, "extern int __kinst_others;\n");
	for (uint32_t i = 0; i < tokens->n_tokens; i++) {
		const struct kinst_token *t = tokens->tokens + i;

		if (t->kind != KINST_PRAGMA || is_ours(tokens, i) || !is_other(tokens->text + t->at, t->length, openmp))
			continue;
		kinst_lexer_put_marker(tokens, t->marker, t->line, tokens->markers[t->marker].system, &text);
		kinst_text_add(&text, tokens->text + t->at, t->length);
		kinst_text_puts(&text, "\n");
		n++;
	}
	if (n)
		path = write_text(name, &text);
	kinst_text_free(&text);
	return path;
}

/* ---- clang: the user's files with blanks in place of directives ---- */

/* Blanks the directive that begins in this line of a file, the first line being 1.  Returns 0 when none does. */
static int blank_line(struct kinst_text *file, uint32_t line)
{
	char *p = file->data, *end = p + file->length, *from;

	while (--line && (p = memchr(p, '\n', (size_t)(end - p))))
		p++;
	if (!p)
		return 0;
	while (p < end && isblank((unsigned char)*p))
		p++;
	for (from = p; p < end && *p != '\n'; p++)
		p += *p == '\\' && p + 1 < end && p[1] == '\n';
	if (!kinst_pomp_is_pragma(from, (size_t)(p - from)))
		return 0;
	for (; from < p; from++)
		if (*from != '\n')
			*from = ' ';
	return 1;
}

/* Returns the file name of a marker without its escapes, which the caller frees. */
static char *file_of(const struct kinst_tokens *tokens, uint32_t marker)
{
	const struct kinst_marker *m = tokens->markers + marker;
	char *name = kinst_strndup(tokens->text + m->file_at, m->file_length), *to = name;

	for (const char *p = name; *p; p++) {
		p += *p == '\\' && p[1];
		*to++ = *p;
	}
	*to = '\0';
	return name;
}

static void put_json(struct kinst_text *out, const char *text, size_t n)
{
	kinst_text_puts(out, "\"");
	for (; n--; text++) {
		kinst_text_puts(out, strchr("\"\\", *text) ? "\\" : "");
		kinst_text_add(out, text, 1);
	}
	kinst_text_puts(out, "\"");
}

/* Adds a file of the overlay, whose contents stand in another file. */
static void put_overlay(struct kinst_text *out, const char *folder, const char *name, const char *contents)
{
	char *path = *name == '/' ? kinst_strdup(name) : kinst_format("%s/%s", folder, name);
	const char *base = kinst_basename(path);

	kinst_text_puts(out, out->length ? ",\n" : "");
	kinst_text_puts(out, "{ \"type\": \"directory\", \"name\": ");
	put_json(out, path, base > path + 1 ? (size_t)(base - path - 1) : 1);
	kinst_text_puts(out, ", \"contents\": [ { \"type\": \"file\", \"name\": ");
	put_json(out, base, strlen(base));
	kinst_text_puts(out, ", \"external-contents\": ");
	put_json(out, contents, strlen(contents));
	kinst_text_puts(out, " } ] }");
	free(path);
}

/*
 * Makes a copy of one file in which our directives are blank, and adds it to the overlay.  Directives that come from
 * macros stand in no line of it: *are_all becomes 0 then, and the result is 0 when such a one is spelled omp.
 */
static int overlay_file(struct kinst_text *overlay, const struct kinst_tokens *tokens, const char *name, int *are_all)
{
	char *folder = getcwd(NULL, 0), *path;
	const char *pwd = getenv("PWD");
	struct kinst_text file = { 0 };
	int is_fine = *name != '<' && folder && !kinst_read_file(name, &file);

	for (uint32_t i = 0; i < tokens->n_tokens && is_fine; i++) {
		const struct kinst_token *t = tokens->tokens + i;
		char *here = is_ours(tokens, i) ? file_of(tokens, t->marker) : NULL;

		if (here && !strcmp(here, name) && !blank_line(&file, t->line)) {
			is_fine = memmem(tokens->text + t->at, t->length, "pomp", 4) != NULL;
			*are_all = 0;
		}
		free(here);
	}
	path = is_fine ? write_text(name, &file) : NULL;
	if (path) {
		put_overlay(overlay, folder, name, path);
		if (*name != '/' && pwd && *pwd == '/' && strcmp(pwd, folder))
			put_overlay(overlay, pwd, name, path);
	}
	kinst_text_free(&file);
	free(folder);
	free(path);
	return path != NULL;
}

/* Writes the overlay of all files with directives of ours, and returns its path; NULL when it cannot be made. */
static char *write_overlay(const struct kinst_tokens *tokens, int *are_all)
{
	struct kinst_text files = { 0 }, overlay = { 0 };
	struct kinst_words done = { 0 };
	char *path = NULL;
	int is_fine = 1;

	*are_all = 1;
	for (uint32_t i = 0; i < tokens->n_tokens && is_fine; i++) {
		char *name = is_ours(tokens, i) ? file_of(tokens, tokens->tokens[i].marker) : NULL;
		int is_done = !name;

		for (size_t k = 0; k < done.n && !is_done; k++)
			is_done = !strcmp(done.items[k], name);
		if (!is_done) {
			is_fine = overlay_file(&files, tokens, name, are_all);
			kinst_words_add(&done, name);
		}
		free(name);
	}
	kinst_text_printf(&overlay, "{ \"version\": 0, \"use-external-names\": false, \"roots\": [\n%s\n] }\n",
	                  files.data ? files.data : "");
	if (is_fine)
		path = write_text("overlay.yaml", &overlay);
	kinst_words_free(&done);
	kinst_text_free(&files);
	kinst_text_free(&overlay);
	return path;
}

/* ---- all of it ---- */

void kinst_original_find(struct kinst_original *original, const struct kinst_text *text,
                         const struct kinst_input *input, const struct kinst_compiler *compiler,
                         const struct kinst_command *command)
{
	const char *name = command->words[input->word].text;
	struct kinst_text blank = { 0 };
	struct kinst_tokens tokens;
	char *overlay = NULL;
	int are_all = 0;

	if (!read_tokens(&tokens, text))
		return;
	if (has_ours(&tokens)) {
		if (compiler->clang && !input->preprocessed)
			overlay = write_overlay(&tokens, &are_all);
		if (overlay) {
			kinst_words_add(&original->words, "-ivfsoverlay");
			kinst_words_add(&original->words, overlay);
		} else if (compiler->clang) {
			kinst_original_blank(text, &blank);
			original->text = write_text(name, &blank);
			are_all = 1;
		}
		if (!are_all) {
			kinst_words_add(&original->words, "-Wno-unknown-pragmas");
			original->others = names_unknown(command) ? write_others(&tokens, name, command->openmp) : NULL;
		}
	}
	kinst_text_free(&blank);
	kinst_lexer_free(&tokens);
	free(overlay);
}

void kinst_original_find_fortran(struct kinst_original *original, const struct kinst_text *text, const char *name,
                                 int fixed)
{
	char *copy = kinst_strndup(text->data, text->length);
	struct kinst_text result = { 0 };

	if (kinst_data_consume_fortran(copy, text->length, fixed)) {
		if (*copy != '#')
			kinst_text_printf(&result, "# 1 \"%s\"\n", name);
		kinst_text_add(&result, copy, text->length);
		original->text = write_text(name, &result);
	}
	kinst_text_free(&result);
	free(copy);
}

void kinst_original_free(struct kinst_original *original)
{
	kinst_words_free(&original->words);
	free(original->text);
	free(original->others);
}
