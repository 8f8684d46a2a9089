/*
 * Replacement: see replacement.h.
 */
#include "opari/build/replacement.h"

#include "opari/source/functions.h"
#include "opari/source/step.h"
#include "runtime/base/array.h"

/* Returns 1 for an input that is no source of ours but that the preprocessor reads. */
static int is_preprocessed_later(const struct kinst_command *command, const struct kinst_input *input)
{
	static const char *const suffixes[] = { ".S", ".sx", ".m", ".mm", ".M" };

	if (input->language != KINST_FOREIGN)
		return 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(suffixes); i++)
		if (kinst_ends(command->words[input->word].text, suffixes[i]))
			return 1;
	return input->x != NULL;
}

/* Returns the classes (bits) of words that have done their work when all sources are preprocessed. */
static unsigned int done_classes(const struct kinst_replacement *r)
{
	unsigned int done = KINST_BIT(KINST_WORD_PREPROCESS) | KINST_BIT(KINST_WORD_FOLDER) |
	                    KINST_BIT(KINST_WORD_OURS);

	for (size_t i = 0; i < r->context.command->n_inputs; i++)
		if (is_preprocessed_later(r->context.command, r->context.command->inputs + i))
			return 0;
	for (size_t i = 0; i < r->sources.n; i++) {
		if (r->sources.items[i].state != KINST_READY)
			return 0;
		if (r->sources.items[i].input->language == KINST_FORTRAN)
			done &= ~KINST_BIT(KINST_WORD_FOLDER);
	}
	return done;
}

/* Adds the text in place of a source, and the -x that the user gave for what follows it. */
static void add_replaced(struct kinst_words *words, const struct kinst_replacement *r,
                         const struct kinst_source *source)
{
	const struct kinst_command *command = r->context.command;
	const struct kinst_input *last = command->inputs + command->n_inputs - 1;

	kinst_words_pair(words, "-x", source->x);
	kinst_words_add(words, kinst_source_text(source));
	if (source->input != last)
		kinst_words_pair(words, "-x", source->input->x ? source->input->x : "none");
}

/* Adds what Fortran texts need because they stand elsewhere than their originals. */
static void add_fortran(struct kinst_words *words, const struct kinst_replacement *r)
{
	int ready = 0, uses_ompp = 0, all = 1;

	for (size_t i = 0; i < r->sources.n; i++) {
		const struct kinst_source *source = r->sources.items + i;

		if (source->input->language != KINST_FORTRAN)
			continue;
		uses_ompp |= source->uses_ompp;
		all &= source->state == KINST_READY;
		ready |= source->state == KINST_READY;
		if (source->state == KINST_READY)
			kinst_step_add_folder(words, source);
	}
	if (ready && all && r->context.command->fortran_cpp > 0)
		kinst_words_add(words, "-nocpp");
	if (uses_ompp)
		kinst_words_pair(words, "-I", r->context.include);
}

/* Adds what is linked besides the user's own. */
static void add_link(struct kinst_words *words, const struct kinst_replacement *r)
{
	/* not as inputs, by whose number gcc names files beside the program */
	for (size_t i = 0; i < r->extra.n; i++)
		kinst_words_pair(words, "-Xlinker", r->extra.items[i]);
	if (r->links)
		kinst_link_add(words, r->context.command, r->context.library, r->context.compiler->cxx, r->hooked);
}

/* Adds the object in place of its source, whose -x it must not get, and the -x that the user gave for what follows. */
static void add_object(struct kinst_words *words, const struct kinst_command *command,
                       const struct kinst_source *source, const char *object)
{
	const struct kinst_input *last = command->inputs + command->n_inputs - 1;
	const char *x = source->input->x;

	if (x)
		kinst_words_pair(words, "-x", "none");
	kinst_words_add(words, object);
	if (x && source->input != last)
		kinst_words_pair(words, "-x", x);
}

/* Adds the words that single sources need. */
static void add_of_sources(struct kinst_words *words, const struct kinst_replacement *r)
{
	for (size_t i = 0; i < r->sources.n; i++) {
		const struct kinst_source *source = r->sources.items + i;
		const char *text = kinst_source_text(source);

		if (text)
			kinst_step_add_name(words, source, &r->context, text);
		else
			kinst_words_append(words, &source->as_is.words);
	}
}

void kinst_replacement_words(const struct kinst_replacement *r, int quiet, struct kinst_words *words)
{
	const struct kinst_command *command = r->context.command;
	int ready = kinst_sources_any_in(&r->sources, KINST_READY);
	unsigned int done = ready ? done_classes(r) | KINST_BIT(KINST_WORD_DEPEND) : 0;

	kinst_words_append(words, &r->context.compiler->words);
	for (size_t i = 0; i < command->n_words; i++) {
		const struct kinst_source *source = kinst_sources_at(&r->sources, i);

		if (source && kinst_source_text(source))
			add_replaced(words, r, source);
		else if (!(done & KINST_BIT(command->words[i].class)))
			kinst_words_add(words, command->words[i].text);
	}
	add_fortran(words, r);
	add_of_sources(words, r);
	/* clang would warn of words for the preprocessor, which have done their work for a text. */
	if (!ready && r->context.compiler->clang && !r->context.compiler->flang && kinst_sources_any_text(&r->sources))
		kinst_words_add(words, "-Qunused-arguments");
	if (ready)
		kinst_step_add_gcc(words, &r->context);
	if (r->sources.n)
		kinst_functions_add(words, r->sources.items, r->sources.n, &r->context);
	kinst_step_add_notes(words, r->sources.items, r->sources.n, &r->context);
	add_link(words, r);
	if (quiet)
		kinst_words_add(words, "-w");
}

void kinst_replacement_rest(const struct kinst_replacement *r, struct kinst_words *words)
{
	const struct kinst_command *command = r->context.command;

	kinst_words_append(words, &r->context.compiler->words);
	for (size_t i = 0; i < command->n_words; i++) {
		const struct kinst_source *source = kinst_sources_at(&r->sources, i);

		if (!source) {
			if (command->words[i].class != KINST_WORD_DEPEND && command->words[i].class != KINST_WORD_OURS)
				kinst_words_add(words, command->words[i].text);
		} else if (command->mode == KINST_LINK) {
			add_object(words, command, source, r->objects[source - r->sources.items]);
		}
	}
	add_link(words, r);
}
