/*
 * Own modules: see own_modules.h.
 */
#include "opari/source/own_modules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/read/statements.h"
#include "runtime/base/array.h"

static int is_file_of(const char *folder, size_t length, const char *name)
{
	static const char *const suffixes[] = { "mod", "smod" };
	int is_found = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(suffixes) && !is_found; i++) {
		char *path = kinst_format("%.*s/%s.%s", (int)length, folder, name, suffixes[i]);

		is_found = !access(path, F_OK);
		free(path);
	}
	return is_found;
}

/* Does a file of this module stand where the compiler looks for it: the current folder, the source's, and others? */
static int module_stands(const char *name, const char *source, const struct kinst_command *command)
{
	size_t length = (size_t)(kinst_basename(source) - source);
	int is_found = is_file_of(".", 1, name) || (length && is_file_of(source, length, name));

	for (size_t i = 0; i < command->n_words && !is_found; i++) {
		const char *word = command->words[i].text;

		if (command->words[i].class != KINST_WORD_MODULE && !kinst_begins(word, "-I"))
			continue;
		word = word[2] ? word + 2 : i + 1 < command->n_words ? command->words[++i].text : ".";
		is_found = is_file_of(word, strlen(word), name);
	}
	return is_found;
}

/* Returns the name that stands at p, behind blanks, in small letters, which the caller frees; NULL for none. */
static char *name_at(const char *p)
{
	char *name;

	while (isblank((unsigned char)*p))
		p++;
	if (!isalpha((unsigned char)*p))
		return NULL;
	name = kinst_strndup(p, (size_t)(kinst_word_end(p) - p));
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return name;
}

/* Returns what follows `use`, `use ::`, `use, intrinsic ::` or `submodule (`; NULL for another statement. */
static const char *behind_use(const char *text)
{
	const char *p = kinst_eat(text, "use"), *colons;

	if (p) {
		p += strspn(p, " \t");
		colons = *p == ',' || *p == ':' ? strstr(p, "::") : NULL;
		return colons ? colons + 2 : p;
	}
	p = kinst_eat(text, "submodule");
	p = p ? p + strspn(p, " \t") : NULL;
	return p && *p == '(' ? p + 1 : NULL;
}

static int is_among(const struct kinst_words *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->items[i], name))
			return 1;
	return 0;
}

/* Adds the module that a statement begins to the names.  Returns 1 when it uses one of them whose file stands there. */
static int take_statement(struct kinst_words *names, const char *text, const char *source,
                          const struct kinst_command *command)
{
	const char *defined = kinst_eat(text, "module"), *used = behind_use(text);
	char *name = defined || used ? name_at(defined ? defined : used) : NULL;
	int stands = 0;

	if (name && defined)
		kinst_words_add(names, name);
	else if (name)
		stands = is_among(names, name) && module_stands(name, source, command);
	free(name);
	return stands;
}

int kinst_own_modules_stand(const struct kinst_source *source, const struct kinst_context *context)
{
	const char *named = context->command->words[source->input->word].text;
	const char *path = source->preprocessed ? source->preprocessed : named;
	struct kinst_statements statements;
	struct kinst_words names = { 0 };
	struct kinst_text text = { 0 };
	int stands = 0;

	if (source->input->language != KINST_FORTRAN || !strcmp(path, "-") || kinst_read_file(path, &text))
		return 0;
	kinst_text_puts(&text, ""); /* a text without bytes has no data */
	kinst_statements_read(&statements, text.data, text.length, source->input->fixed, source->name);
	for (size_t i = 0; i < statements.n && !stands; i++)
		stands = take_statement(&names, statements.items[i].text, named, context->command);
	kinst_statements_free(&statements);
	kinst_words_free(&names);
	kinst_text_free(&text);
	return stands;
}
