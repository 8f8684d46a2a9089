/*
 * Sources: see build_sources.h.
 */
#include "opari/build/kinst_sources.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/environment.h"
#include "opari/base/once.h"
#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/command/command_output.h"
#include "opari/source/prepare.h"
#include "opari/source/preprocess.h"
#include "opari/source/step.h"

/* Copies standard input, which several steps read, into a file.  Returns its descriptor, or -1. */
static int keep_input(void)
{
	struct kinst_text text = { 0 };
	char *path = kinst_temp_path("input");
	int in = -1;

	if (path && !kinst_read_fd(0, &text) && !kinst_write_file(path, text.data, text.length))
		in = open(path, O_RDONLY);
	free(path);
	kinst_text_free(&text);
	return in;
}

/* Keeps a file that can be read once.  Returns 1, and says so, where that is not possible. */
static int is_left(const char *path, const struct kinst_context *context)
{
	if (kinst_once_keep(path) != KINST_ONCE_LEFT)
		return 0;
	if (!context->options->off)
		kinst_say("kinst: %s: not instrumented: it can be read only once, and the compiler has to; give a "
		          "file, or - for standard input\n",
		          path);
	return 1;
}

/* Keeps the sources, and the files that the command includes in them, that can be read once.  Returns 1 where that is
 * not possible, and the compiler has to be the only reader. */
static int keep_once(const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	int left = 0;

	for (size_t i = 0; i < command->n_inputs; i++) {
		if (command->inputs[i].language != KINST_FOREIGN)
			left |= is_left(command->words[command->inputs[i].word].text, context);
	}
	for (size_t i = 0; i < command->included.n; i++)
		left |= is_left(command->included.items[i], context);
	return left;
}

int kinst_sources_prepare(struct kinst_sources *sources, struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	int broken = 0;

	if (keep_once(context))
		return context->options->strict ? -1 : 1;

	sources->items = kinst_alloc((command->n_sources + 1) * sizeof(*sources->items));
	for (size_t i = 0; i < command->n_inputs; i++) {
		const struct kinst_input *input = command->inputs + i;
		struct kinst_source *source = sources->items + sources->n;

		if (input->language == KINST_FOREIGN)
			continue;
		if (!strcmp(command->words[input->word].text, "-") && context->in < 0)
			context->in = keep_input();
		source->input = input;
		kinst_prepare(source, context);
		broken |= source->broken;
		sources->n++;
	}
	return broken;
}

void kinst_sources_free(struct kinst_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		kinst_source_free(sources->items + i);
	free(sources->items);
	*sources = (struct kinst_sources){ 0 };
}

const struct kinst_source *kinst_sources_at(const struct kinst_sources *sources, size_t word)
{
	for (size_t i = 0; i < sources->n; i++)
		if (sources->items[i].input->word == word)
			return sources->items + i;
	return NULL;
}

int kinst_sources_any_in(const struct kinst_sources *sources, enum kinst_state state)
{
	for (size_t i = 0; i < sources->n; i++)
		if (sources->items[i].state == state)
			return 1;
	return 0;
}

int kinst_sources_any_text(const struct kinst_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		if (kinst_source_text(sources->items + i))
			return 1;
	return 0;
}

int kinst_sources_any_words(const struct kinst_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		if (!kinst_source_text(sources->items + i) && sources->items[i].as_is.words.n)
			return 1;
	return 0;
}

int kinst_sources_any_counts(const struct kinst_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		if (sources->items[i].hooks != KINST_HOOKS_OFF || sources->items[i].works)
			return 1;
	return 0;
}

int kinst_sources_any_calls(const struct kinst_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		if (sources->items[i].calls_ompp)
			return 1;
	return 0;
}

int kinst_sources_any_noisy(const struct kinst_sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		if (sources->items[i].noisy)
			return 1;
	return 0;
}

int kinst_sources_any_notes(const struct kinst_sources *sources, const struct kinst_context *context)
{
	for (size_t i = 0; i < sources->n; i++)
		if (kinst_step_has_notes(sources->items + i, context))
			return 1;
	return 0;
}

int kinst_sources_report(struct kinst_sources *sources, const struct kinst_context *context)
{
	int failed = 0;

	for (size_t i = 0; i < sources->n; i++)
		failed |= kinst_source_report(sources->items + i, context);
	return failed;
}

int kinst_sources_judge(const struct kinst_sources *sources, const struct kinst_context *context,
                        int (*judge)(const struct kinst_source *source, const struct kinst_context *context))
{
	int status = 0;

	for (size_t i = 0; i < sources->n; i++) {
		int one = judge(sources->items + i, context);

		status = status ? status : one;
	}
	return status;
}

static const char *preprocessed_suffix(const struct kinst_input *input)
{
	switch (input->language) {
	case KINST_C:
		return ".i";
	case KINST_CXX:
		return ".ii";
	default:
		return ".f90"; /* gfortran writes that for fixed form, too */
	}
}

void kinst_sources_save(const struct kinst_sources *sources, const struct kinst_context *context)
{
	for (size_t i = 0; context->command->save && i < sources->n; i++) {
		const struct kinst_source *source = sources->items + i;
		struct kinst_text text = { 0 };
		char *path;

		kinst_step_leave_bitcode(source, context);
		if ((source->state != KINST_READY && !source->bare) || !source->preprocessed)
			continue;
		path = kinst_command_output(context->command, source->input, preprocessed_suffix(source->input),
		                            context->compiler->clang);
		if (!kinst_read_file(source->preprocessed, &text))
			kinst_write_file(path, text.data, text.length);
		kinst_text_free(&text);
		free(path);
	}
}

void kinst_sources_depend(const struct kinst_sources *sources, const struct kinst_context *context)
{
	if (!kinst_environment_wants_depend())
		return;
	kinst_environment_show();
	for (size_t i = 0; i < sources->n; i++)
		if (!sources->items[i].input->preprocessed)
			kinst_preprocess_environment(sources->items + i, context);
}
