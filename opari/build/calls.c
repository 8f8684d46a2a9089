/*
 * Calls: see calls.h.
 */
#include "opari/build/calls.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/base/say.h"
#include "opari/build/dialect.h"
#include "opari/data/data_fortran.h"
#include "opari/emit/emit_fortran.h"
#include "opari/emit/unmeasured.h"
#include "opari/opari2/fortran.h"
#include "opari/opari2/run.h"
#include "opari/opari2/skeleton.h"
#include "opari/read/lines_fortran.h"

/* ---- one text ---- */

/* Are the constructs of OpenMP to get calls? */
static int takes_openmp(const struct kinst_context *context)
{
	return context->command->openmp && !kinst_options_disable(context->options, NULL);
}

/* Put calls into source->original, but for what is given up. */
static void emit_calls(struct kinst_source *source, const struct kinst_context *context)
{
	int openmp = takes_openmp(context);
	const struct kinst_text *text = &source->original;
	const char *std = kinst_dialect_standard(context->command);
	struct kinst_emit_options options = {
		.openmp = openmp,
		.locks = openmp && !kinst_options_disable(context->options, "locks"),
		.no_pomp = kinst_options_disable_pomp(context->options),
		.simd = context->options->simd,
		.device = openmp && kinst_dialect_has_device(context, text, source->input->language),
		.cxx = source->input->language == KINST_CXX,
		.clang = context->compiler->clang,
		.combined = kinst_dialect_knows_combined(context, text),
		.associate = !std || strcmp(std, "f95") != 0,
		.variants = kinst_dialect_knows_variants(context, text),
		.directory = context->directory,
		.extra = context->prologue,
		.disable = context->options->disable,
		.given_up = source->given_up,
		.n_given_up = source->n_given_up,
		.data = &source->data,
		.pomp = &source->pomp,
	};

	kinst_marks_again(&source->data);
	kinst_marks_again(&source->pomp);
	kinst_emitted_free(&source->emitted);
	if (source->input->language == KINST_FORTRAN)
		kinst_emit_fortran(text->data, text->length, kinst_dialect_form(source, context), source->name, &options,
				   &source->emitted);
	else
		kinst_emit(text->data, text->length, &options, &source->emitted);
}

/* The notes of what is not measured; why: nothing of the source is; NULL: what has a reason of its own. */
static void note_unmeasured(struct kinst_source *source, const struct kinst_context *context, const char *why)
{
	kinst_text_free(&source->unmeasured);
	for (size_t i = 0; i < source->emitted.n_constructs; i++) {
		const struct kinst_construct *c = source->emitted.constructs + i;

		if (kinst_unmeasured_is(c) || (why && c->is_measured))
			kinst_unmeasured_add(&source->unmeasured, c, context->directory, c->is_measured ? why : c->why);
	}
}

/* Store source->original with calls in it; 0: there is nothing to put in. */
static int emit(struct kinst_source *source, const struct kinst_context *context)
{
	emit_calls(source, context);
	source->noisy |= source->emitted.is_quieter;
	note_unmeasured(source, context, NULL);
	if (source->unmeasured.length && source->input->language != KINST_FORTRAN)
		kinst_unmeasured_show(&source->emitted.text, &source->unmeasured);
	else if (!source->emitted.n_calls && !source->has_data)
		return 0;
	kinst_source_store(source, context, kinst_source_suffix(source), &source->emitted.text);
	return 1;
}

/* Nothing of a FAILED source is measured: note that.  What clang compiles has no file of the assembler's beside it. */
void kinst_calls_note_failure(struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_text text = { 0 };

	if (!source->original.length)
		return;
	emit_calls(source, context);
	note_unmeasured(source, context, source->why);
	if (source->unmeasured.length && context->compiler->clang) {
		kinst_original_blank(&source->original, &text);
		kinst_unmeasured_show(&text, &source->unmeasured);
		source->noted = kinst_source_write(source, NULL, &text);
	}
	kinst_text_free(&text);
}

/* Name the constructs that are not measured, but for those that were not before. */
static void say_unmeasured(const struct kinst_emitted *emitted, const struct kinst_emitted *before)
{
	for (size_t i = 0; i < emitted->n_constructs; i++) {
		const struct kinst_construct *c = emitted->constructs + i;

		if (kinst_unmeasured_is(c) && (!before || before->constructs[i].is_measured))
			kinst_say("kinst: %s:%u: %s: not measured: %s\n", c->file, c->first_line, c->name, c->why);
	}
}

/* Put calls in for the first time, and say what is wrong with the user's directives, and which constructs are not
 * measured. */
static void emit_first(struct kinst_source *source, const struct kinst_context *context)
{
	emit(source, context);
	kinst_say_lines(source->emitted.messages.data);
	say_unmeasured(&source->emitted, NULL);
}

/* The text as the emitter wants it: see lines_fortran.h. */
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

/* Make calls of the data directives of a Fortran text: source->original. */
static void call_data(struct kinst_source *source, const struct kinst_context *context, struct kinst_text *messages)
{
	struct kinst_fortran_data_options data = { source->input->fixed, source->name, kinst_dialect_standard(context->command),
						   &source->data };
	struct kinst_text called = { 0 };
	size_t n;

	kinst_marks_again(&source->data);
	n = kinst_data_fortran_rewrite(source->lines.data, source->lines.length, &data, &called, messages);
	kinst_text_free(&source->original);
	if (n)
		kinst_data_fortran_show(&called, &source->original);
	else
		kinst_text_add(&source->original, source->lines.data, source->lines.length);
	source->has_data = n > 0;
	kinst_text_free(&called);
}

int kinst_calls_again(struct kinst_source *source, const struct kinst_context *context, int data)
{
	struct kinst_emitted before = source->emitted;
	struct kinst_text unread = { 0 };
	int ok;

	if (data && source->input->language == KINST_FORTRAN)
		call_data(source, context, &unread);
	source->emitted = (struct kinst_emitted){ 0 };
	ok = emit(source, context);
	say_unmeasured(&source->emitted, &before);
	kinst_emitted_free(&before);
	kinst_text_free(&unread);
	return ok;
}

/* ---- engines ---- */

static void in_c(struct kinst_source *source, const struct kinst_context *context)
{
	emit_first(source, context);
}

static void in_fortran(struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_text messages = { 0 };

	read_lines(source, context, &source->original, &source->lines);
	call_data(source, context, &messages);
	kinst_say_lines(messages.data);
	emit_first(source, context);
	kinst_text_free(&messages);
}

/* Run opari2 on a text under that name; 0 when it failed, and the source has. */
static int run_opari2(struct kinst_source *source, const struct kinst_context *context, struct kinst_opari2 *how,
		      const struct kinst_text *text, struct kinst_text *output, struct kinst_text *include)
{
	char *why = NULL;

	how->disable = context->options->disable;
	how->openmp = context->command->openmp;
	if (kinst_opari2_run(how, text, output, include, &why)) {
		kinst_source_fail(source, why, strlen(why));
		free(why);
		return 0;
	}
	return 1;
}

/* opari2 is shown a skeleton of C and C++. */
static void in_c_by_opari2(struct kinst_source *source, const struct kinst_context *context)
{
	static const char lost[] = "opari2 lost a part of the text";
	int cxx = source->input->language == KINST_CXX;
	struct kinst_skeleton_options options = {
		.scope.openmp = takes_openmp(context),
		.cxx = cxx,
		.locks = takes_openmp(context) && !kinst_options_disable(context->options, "locks"),
		.directory = context->directory,
		.extra = context->prologue,
	};
	struct kinst_opari2 how = { .language = cxx ? "--c++" : "--c", .name = cxx ? "text.cc" : "text.c" };
	struct kinst_skeleton *skeleton = kinst_skeleton_new(source->original.data, source->original.length, &options);
	struct kinst_text output = { 0 }, include = { 0 }, result = { 0 };

	if (!skeleton)
		return;
	if (run_opari2(source, context, &how, kinst_skeleton_text(skeleton), &output, &include)) {
		if (kinst_skeleton_expand(skeleton, &output, &include, &result))
			kinst_source_fail(source, lost, strlen(lost));
		else
			kinst_source_store(source, context, NULL, &result);
	}
	kinst_skeleton_free(skeleton);
	kinst_text_free(&output);
	kinst_text_free(&include);
	kinst_text_free(&result);
}

static void in_fortran_by_opari2(struct kinst_source *source, const struct kinst_context *context)
{
	static const char nameless[] = "its main program has no PROGRAM statement";
	int fixed = source->input->fixed, expanded;
	struct kinst_fortran_options options = {
		.openmp = takes_openmp(context),
		.fixed = fixed,
		.file = source->name,
		.directory = context->directory,
		.std = kinst_dialect_standard(context->command),
	};
	struct kinst_opari2 how = { .language = fixed ? "--f77" : "--f90", .form = fixed ? "--fix-form" : "--free-form",
				    .name = fixed ? "text.f" : "text.f90" };
	struct kinst_text input = { 0 }, output = { 0 }, include = { 0 }, result = { 0 };

	if (kinst_fortran_prepare(&source->original, &options, &input) &&
	    run_opari2(source, context, &how, &input, &output, &include)) {
		expanded = kinst_fortran_expand(&output, &include, &options, &result);
		if (expanded > 0)
			kinst_source_store(source, context, kinst_source_suffix(source), &result);
		else if (expanded < 0)
			kinst_source_fail(source, nameless, strlen(nameless));
	}
	kinst_text_free(&input);
	kinst_text_free(&output);
	kinst_text_free(&include);
	kinst_text_free(&result);
}

/* Each puts calls into source->original, in C and C++, and in Fortran. */
static const struct engine {
	const char *name;
	int gives_up;                   /* it can leave single constructs and directives as they are */
	void (*in_c)(struct kinst_source *source, const struct kinst_context *context);
	void (*in_fortran)(struct kinst_source *source, const struct kinst_context *context);
} engines[] = {
	{ "kinst", 1, in_c, in_fortran },
	{ "opari2", 0, in_c_by_opari2, in_fortran_by_opari2 },
};

/* The engine of that name (options.c knows the names); without a name the first. */
static const struct engine *engine_of(const struct kinst_context *context)
{
	const char *name = context->options->engine;

	for (size_t i = 1; name && i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engines[i].name, name))
			return &engines[i];
	return &engines[0];
}

int kinst_calls_give_up(const struct kinst_context *context)
{
	return engine_of(context)->gives_up;
}

void kinst_calls_put(struct kinst_source *source, const struct kinst_context *context)
{
	if (source->input->language == KINST_FORTRAN)
		engine_of(context)->in_fortran(source, context);
	else
		engine_of(context)->in_c(source, context);
}
