/*
 * Calls: see build_calls.h.
 */
#include "opari/source/kinst_calls.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/base/say.h"
#include "opari/data/data_calls_fortran.h"
#include "opari/emit/emit_unmeasured.h"
#include "opari/read/lines_fortran.h"
#include "opari/source/dialect.h"
#include "opari/source/engines.h"

/* Returns 1 when constructs of OpenMP get calls. */
static int takes_openmp(const struct kinst_context *context)
{
	return context->command->openmp && !context->options->disable.openmp;
}

/*
 * Puts calls into source->original, except where they were given up.  Returns 0, or a negative errno when the text
 * stays as it is.
 */
static int emit_calls(struct kinst_source *source, const struct kinst_context *context)
{
	const struct kinst_disable *disable = &context->options->disable;
	const struct kinst_engine *engine = kinst_engine_of(context->options->engine, source->input->language);
	int openmp = takes_openmp(context);
	const struct kinst_text *text = &source->original;
	const char *std = kinst_dialect_standard(context->command);
	struct kinst_emit_options options = {
		.openmp = openmp,
		.locks = openmp && !kinst_disable_has(disable, "locks", 5),
		.no_pomp = disable->pomp,
		.simd = context->options->simd,
		.iterations = context->options->iterations,
		.device = openmp && kinst_dialect_has_device(context, text, source->input->language),
		.fortran = source->input->language == KINST_FORTRAN,
		.cxx = source->input->language == KINST_CXX,
		.fixed = kinst_dialect_form(source, context),
		.file = source->name,
		.clang = context->compiler->clang,
		.combined = kinst_dialect_combined(context, text),
		.associate = !std || strcmp(std, "f95") != 0,
		.storage_size = !std || (strcmp(std, "f95") != 0 && strcmp(std, "f2003") != 0),
		.variants = kinst_dialect_knows_variants(context, text),
		.directory = context->directory,
		.extra = context->prologue,
		.disable = disable,
		.given_up = source->given_up,
		.n_given_up = source->n_given_up,
		.data = &source->data,
		.pomp = &source->pomp,
	};

	kinst_marks_again(&source->data);
	kinst_marks_again(&source->pomp);
	kinst_emitted_free(&source->emitted);
	return engine->calls(text->data, text->length, &options, &source->emitted);
}

/*
 * Writes the notes of the constructs that are not measured, and of loops.
 *
 * why: the reason why nothing of the source is measured; NULL when each such construct has its own reason
 */
static void note_unmeasured(struct kinst_source *source, const struct kinst_context *context, const char *why)
{
	kinst_text_free(&source->unmeasured);
	for (size_t i = 0; i < source->emitted.n_constructs; i++) {
		const struct kinst_construct *c = source->emitted.constructs + i;

		if (kinst_unmeasured_is(c) || (why && c->is_measured))
			kinst_unmeasured_add(&source->unmeasured, c, context->directory, c->is_measured ? why : c->why);
	}
	if (source->loops.length)
		kinst_text_add(&source->unmeasured, source->loops.data, source->loops.length);
}

/* Stores source->original with calls in it.  Returns 0 when there is nothing to put in. */
static int calls_emit(struct kinst_source *source, const struct kinst_context *context)
{
	if (emit_calls(source, context)) {
		if (source->emitted.failure)
			kinst_source_fail(source, source->emitted.failure, strlen(source->emitted.failure));
		return 0;
	}
	source->noisy |= source->emitted.is_quieter;
	note_unmeasured(source, context, NULL);
	if (source->unmeasured.length && source->input->language != KINST_FORTRAN)
		kinst_unmeasured_show(&source->emitted.text, &source->unmeasured);
	else if (!source->emitted.n_calls && !source->has_data)
		return 0;
	kinst_source_store(source, context, kinst_source_suffix(source, context), &source->emitted.text);
	return 1;
}

/* clang's compiles cannot have one more file of the assembler's, so its text gets the notes. */
void kinst_calls_note_failure(struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_text text = { 0 };

	if (!source->original.length)
		return;
	emit_calls(source, context);
	note_unmeasured(source, context, source->why);
	if (source->unmeasured.length && context->compiler->clang && source->input->language != KINST_FORTRAN) {
		kinst_original_blank(&source->original, &text);
		kinst_unmeasured_show(&text, &source->unmeasured);
		source->noted = kinst_source_write(source, NULL, &text);
	}
	kinst_text_free(&text);
}

/* Names the constructs that are not measured now, except those that were not measured before, either. */
static void say_unmeasured(const struct kinst_emitted *emitted, const struct kinst_emitted *before)
{
	for (size_t i = 0; i < emitted->n_constructs; i++) {
		const struct kinst_construct *c = emitted->constructs + i;

		if (kinst_unmeasured_is(c) && (!before || before->constructs[i].is_measured))
			kinst_say("kinst: %s:%u: %s: not measured: %s\n", c->file, c->first_line, c->name, c->why);
	}
}

/* Makes the text as the emitter wants it (lines_fortran.h). */
static void read_lines(const struct kinst_source *source, const struct kinst_context *context,
                       const struct kinst_text *text, struct kinst_text *lines)
{
	struct kinst_words folders = { 0 };
	struct kinst_fortran_lines how = { kinst_dialect_form(source, context), source->name, &folders };

	for (size_t i = 0; i < context->command->n_words; i++) {
		const char *word = context->command->words[i].text;

		if (!kinst_begins(word, "-I") || (!word[2] && i + 1 == context->command->n_words))
			continue;
		kinst_words_add(&folders, word[2] ? word + 2 : context->command->words[++i].text);
	}
	kinst_text_puts(lines, "");
	kinst_fortran_lines(text, &how, lines);
	kinst_words_free(&folders);
}

/* Makes calls of the data directives of a Fortran text, which becomes source->original. */
static void call_data(struct kinst_source *source, const struct kinst_context *context, struct kinst_text *messages)
{
	struct kinst_data_calls_fortran data = { source->input->fixed, source->name,
		                                 kinst_dialect_standard(context->command), &source->data,
		                                 context->compiler->flang };
	struct kinst_text called = { 0 };
	size_t n;

	kinst_marks_again(&source->data);
	n = kinst_data_calls_fortran_rewrite(source->lines.data, source->lines.length, &data, &called, messages);
	kinst_text_free(&source->original);
	if (n)
		kinst_data_calls_fortran_show(&called, &source->original);
	else
		kinst_text_add(&source->original, source->lines.data, source->lines.length);
	source->has_data = n > 0;
	kinst_text_free(&called);
}

void kinst_calls_put(struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_text messages = { 0 };

	if (source->input->language == KINST_FORTRAN) {
		read_lines(source, context, &source->original, &source->lines);
		call_data(source, context, &messages);
		kinst_say_lines(messages.data);
	}
	calls_emit(source, context);
	kinst_say_lines(source->emitted.messages.data);
	say_unmeasured(&source->emitted, NULL);
	kinst_text_free(&messages);
}

int kinst_calls_again(struct kinst_source *source, const struct kinst_context *context, int data)
{
	struct kinst_emitted before = source->emitted;
	struct kinst_text unread = { 0 };
	int ok;

	if (data && source->input->language == KINST_FORTRAN)
		call_data(source, context, &unread);
	source->emitted = (struct kinst_emitted){ 0 };
	ok = calls_emit(source, context);
	say_unmeasured(&source->emitted, &before);
	kinst_emitted_free(&before);
	kinst_text_free(&unread);
	return ok;
}
