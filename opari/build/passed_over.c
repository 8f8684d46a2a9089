/*
 * Passed over: see passed_over.h.
 */
#include "opari/build/passed_over.h"

#include <stdio.h>
#include <string.h>

#include "opari/base/say.h"
#include "opari/command/vendor.h"
#include "opari/emit/emit.h"
#include "opari/read/pragma.h"
#include "opari/read/statements.h"
#include "runtime/base/array.h"

/* The first construct of a source. */
struct passed_over {
	struct kinst_span file;
	unsigned long line;
	char name[64]; /* as written */
};

/* Returns 1 when a word switches OpenMP on, for any compiler: the option alone, or with a value. */
static int is_openmp(const char *word)
{
	static const char *const options[] = { "-fopenmp", "-fiopenmp", "-qopenmp", "-qsmp",
		                               "-openmp",  "-xopenmp",  "-mp" };

	for (size_t i = 0; i < OMPP_COUNT_OF(options); i++)
		if (kinst_begins(word, options[i]) && strchr("=", word[strlen(options[i])]))
			return 1;
	return 0;
}

/* Returns 1 when the words of the command show that the user knows, or that another option switches OpenMP on. */
static int is_meant(const struct kinst_context *context)
{
	static const char *const words[] = { "-fno-openmp", "-fopenmp-simd", "-w", "-Wno-unknown-pragmas",
		                             "-Wno-source-uses-openmp" };
	const struct kinst_command *command = context->command;

	if (command->openmp || context->options->off || context->options->disable.openmp)
		return 1;
	for (size_t i = 0; i < command->n_words; i++) {
		for (size_t k = 0; k < OMPP_COUNT_OF(words); k++)
			if (!strcmp(command->words[i].text, words[k]))
				return 1;
		/* a -fopenmp that is another option's value is not the driver's */
		if (is_openmp(command->words[i].text) && strcmp(command->words[i].text, "-fopenmp") != 0)
			return 1;
	}
	return 0;
}

/* Returns the option that hands -fopenmp to the compiler proper, past the driver; NULL where there is none. */
static const char *handing_option(const struct kinst_command *command)
{
	static const char *const options[] = { "-Xpreprocessor", "-Xarch_host" };

	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;

		if (kinst_begins(word, "-Wp,") && strstr(word, ",-fopenmp"))
			return "-Wp";
		for (size_t k = 0; i + 1 < command->n_words && k < OMPP_COUNT_OF(options); k++)
			if (!strcmp(word, options[k]) && !strcmp(command->words[i + 1].text, "-fopenmp"))
				return options[k];
	}
	return NULL;
}

/* Notes a directive when it is one of a construct, and frees it.  Returns 1 when it is. */
static int passed_over_take(struct passed_over *first, struct kinst_directive *d)
{
	static const struct kinst_emit_options options = { 0 };
	int found = kinst_emit_is_construct(&options, d);

	if (found)
		snprintf(first->name, sizeof(first->name), "%.*s", (int)d->n_name, d->name);
	kinst_directive_free(d);
	return found;
}

static int find_in_c(struct passed_over *first, const struct kinst_text *text)
{
	struct kinst_tokens tokens;
	struct kinst_directive d;
	int found = 0;

	if (kinst_lexer_read(&tokens, text->data, text->length))
		return 0;
	for (uint32_t i = 0; i < tokens.n_tokens && !found; i++) {
		const struct kinst_token *t = tokens.tokens + i;
		const struct kinst_marker *m = tokens.markers + t->marker;

		if (t->kind != KINST_PRAGMA || m->system || !kinst_pragma_read(&tokens, i, &d))
			continue;
		found = passed_over_take(first, &d);
		first->file = (struct kinst_span){ text->data + m->file_at, m->file_length };
		first->line = t->line;
	}
	kinst_lexer_free(&tokens);
	return found;
}

static int find_in_fortran(struct passed_over *first, const struct kinst_source *source)
{
	struct kinst_statements s;
	struct kinst_directive d;
	int found = 0;

	kinst_statements_read(&s, source->original.data, source->original.length, source->input->fixed, source->name);
	for (size_t i = 0; i < s.n && !found; i++) {
		const struct kinst_statement *item = s.items + i;

		if (!item->directive || item->is_pomp ||
		    kinst_directive_read(&d, item->directive, strlen(item->directive), 1))
			continue;
		found = passed_over_take(first, &d);
		first->file = item->file;
		first->line = item->line;
	}
	kinst_statements_free(&s);
	return found;
}

static int passed_over_find(struct passed_over *first, const struct kinst_source *source)
{
	const struct kinst_text *text = &source->original;

	if (!text->length)
		return 0;
	if (source->input->language == KINST_FORTRAN)
		return strcasestr(text->data, "$omp") && find_in_fortran(first, source);
	return memmem(text->data, text->length, "pragma", 6) && find_in_c(first, text);
}

static void passed_over_say(const struct passed_over *first, const struct kinst_command *command)
{
	const char *option = handing_option(command);

	kinst_say("kinst: %.*s:%lu: %s: ", (int)first->file.n, first->file.p, first->line, first->name);
	if (option)
		kinst_say("not measured: -fopenmp is given by way of %s; give it by itself, to compile and link\n",
		          option);
	else
		kinst_say("passed over: -fopenmp is not given; give it to compile and link, or -fno-openmp where this "
		          "is meant\n");
}

void kinst_passed_over_say(const struct kinst_sources *sources, const struct kinst_context *context)
{
	int found = is_meant(context);

	for (size_t i = 0; i < sources->n && !found; i++) {
		const struct kinst_source *source = sources->items + i;
		struct passed_over first = { .line = 0 };

		found = passed_over_find(&first, source);
		if (found && !first.file.n)
			first.file = (struct kinst_span){ source->name, strlen(source->name) };
		if (found)
			passed_over_say(&first, context->command);
	}
}

void kinst_passed_over_compiler(const struct kinst_words *words, int always)
{
	static const char *const suffixes[] = { ".c",   ".cc",  ".cpp", ".cxx", ".C",   ".f",   ".F",   ".for", ".f90",
		                                ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".o" };
	int has_openmp = always, has_input = 0;
	const char *whose;

	for (size_t i = 1; i < words->n; i++) {
		has_openmp |= is_openmp(words->items[i]);
		for (size_t k = 0; k < OMPP_COUNT_OF(suffixes); k++)
			has_input |= kinst_ends(words->items[i], suffixes[k]);
	}
	if (!has_openmp || !has_input)
		return;
	whose = kinst_vendor_of(words);
	kinst_say("kinst: %s: passed on as it is: %s%s%snot a compiler that kinst knows, so nothing is measured; use "
	          "gcc, gfortran or clang\n",
	          words->items[0], whose ? "it is " : "", whose ? whose : "", whose ? ", " : "");
}
