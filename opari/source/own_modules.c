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

/* Adds the module that a statement begins to the first list, and one of these that it uses to the second. */
static void take_statement(struct kinst_words *defined, struct kinst_words *own, const char *text)
{
	const char *begun = kinst_eat(text, "module"), *used = behind_use(text);
	char *name = begun || used ? name_at(begun ? begun : used) : NULL;

	if (name && begun)
		kinst_words_add(defined, name);
	else if (name && is_among(defined, name) && !is_among(own, name))
		kinst_words_add(own, name);
	free(name);
}

void kinst_own_modules_find(struct kinst_source *source, const struct kinst_text *text)
{
	struct kinst_statements statements;
	struct kinst_words defined = { 0 };

	/* most sources define none; in fixed form blanks may stand inside of words */
	if (!source->input->fixed && !strcasestr(text->data, "module"))
		return;
	kinst_statements_read(&statements, text->data, text->length, source->input->fixed, source->name);
	for (size_t i = 0; i < statements.n; i++)
		take_statement(&defined, &source->own_modules, statements.items[i].text);
	kinst_statements_free(&statements);
	kinst_words_free(&defined);
}

int kinst_own_modules_stand(const struct kinst_source *source, const struct kinst_context *context)
{
	const char *path = context->command->words[source->input->word].text;

	for (size_t i = 0; i < source->own_modules.n; i++)
		if (module_stands(source->own_modules.items[i], path, context->command))
			return 1;
	return 0;
}
