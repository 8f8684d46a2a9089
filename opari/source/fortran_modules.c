/*
 * Fortran modules: see fortran_modules.h.
 */
#include "opari/source/fortran_modules.h"

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

/* Notes the module that a statement begins, or the one that it uses. */
static void take_statement(struct kinst_source *source, const char *text)
{
	const char *begun = kinst_eat(text, "module"), *used = behind_use(text), *included = kinst_eat(text, "include");
	char *name = begun || used ? name_at(begun ? begun : used) : NULL;
	struct kinst_words *names = begun ? &source->modules : &source->uses;

	if (name && !is_among(names, name))
		kinst_words_add(names, name);
	if (included && strchr("'\"", included[strspn(included, " \t")]))
		source->includes = 1;
	free(name);
}

/* Notes those of all statements of a line, also where it is one for OpenMP alone (`!$ use m`).  A semicolon in a string
 * is no harm: what follows it is no such statement, or one too many. */
static void take_line(struct kinst_source *source, const struct kinst_statements *all, const struct kinst_statement *s)
{
	struct kinst_span line = kinst_trimmed(all->lines[s->first].p, all->lines[s->first].p + all->lines[s->first].n);
	int is_conditional = !*s->text && !s->directive && line.n > 2 && strchr("!cC*", *line.p) && line.p[1] == '$';
	char *text = is_conditional ? kinst_strndup(line.p + 2, line.n - 2) : kinst_strdup(s->text), *p = text;

	for (char *part; (part = strsep(&p, ";"));)
		take_statement(source, part + strspn(part, " \t"));
	free(text);
}

void kinst_fortran_modules_find(struct kinst_source *source, const struct kinst_text *text, int has_others)
{
	struct kinst_statements statements;

	/* most sources define none; in fixed form blanks may stand inside of words */
	if (!source->input->fixed && !has_others && !strcasestr(text->data, "module"))
		return;
	kinst_statements_read(&statements, text->data, text->length, source->input->fixed, source->name);
	for (size_t i = 0; i < statements.n; i++)
		take_line(source, &statements, &statements.items[i]);
	kinst_statements_free(&statements);
}

int kinst_fortran_modules_stand(const struct kinst_source *source, const struct kinst_context *context)
{
	const char *path = context->command->words[source->input->word].text;

	for (size_t i = 0; i < source->uses.n; i++)
		if (is_among(&source->modules, source->uses.items[i]) &&
		    module_stands(source->uses.items[i], path, context->command))
			return 1;
	return 0;
}

int kinst_fortran_modules_are_late(const struct kinst_source *source, const struct kinst_source *behind)
{
	if (source->includes && behind->modules.n)
		return 1;
	for (size_t i = 0; i < source->uses.n; i++)
		if (is_among(&behind->modules, source->uses.items[i]))
			return 1;
	return 0;
}
