/*
 * Judge: see judge.h.
 */
#include "opari/build/judge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/build/blame.h"
#include "opari/build/build_calls.h"
#include "opari/hooks/loops.h"

enum { MOST_GIVEN_UP = 64 };

/*
 * Adds the words of a compile into a file of ours, up to the source.
 *
 * without: classes of words that are left out (bits)
 */
static void compile_words(struct kinst_words *words, const struct kinst_source *source,
                          const struct kinst_context *context, unsigned int without, const char *output)
{
	const struct kinst_command *command = context->command;
	char *folder = kinst_strndup(output, (size_t)(kinst_basename(output) - output));

	if (source->input->language == KINST_FORTRAN)
		without |= KINST_BIT(KINST_WORD_MODULE);
	if (command->mode == KINST_LINK)
		without |= KINST_BIT(KINST_WORD_LINK);
	kinst_source_words(words, context,
	                   KINST_ALL_WORDS & ~(KINST_NOT_IN_STEPS | KINST_BIT(KINST_WORD_OURS) | without));
	if (source->input->language == KINST_FORTRAN) {
		for (size_t i = 0; i < command->n_words; i++) {
			const char *word = command->words[i].text;

			if (command->words[i].class != KINST_WORD_MODULE)
				continue;
			kinst_words_add(words, "-I");
			kinst_words_add(words, word[2] ? word + 2 : command->words[++i].text);
		}
		if (!kinst_source_is_handed_on(source, context)) /* clang has no such option */
			kinst_words_pair(words, "-J", folder);
	}
	/* clang would leave the debug information in the current folder. */
	if (context->compiler->clang && source->input->language != KINST_FORTRAN)
		kinst_words_add(words, "-gno-split-dwarf");
	kinst_words_add(words, "-S");
	kinst_words_pair(words, "-o", output);
	free(folder);
}

/* Returns the option by which gcc optimises as an earlier run of the program counted, or NULL. */
static const char *uses_profile(const struct kinst_context *context)
{
	const char *uses = NULL;

	for (size_t i = 0; i < context->command->n_words && !context->compiler->clang; i++) {
		const char *word = context->command->words[i].text;

		if (kinst_begins(word, "-fprofile-use"))
			uses = word;
		else if (!strcmp(word, "-fno-profile-use"))
			uses = NULL;
	}
	return uses;
}

/* Returns 1 when the file of counts exists.  path: as gcc derives it from the output, without its suffix */
static int has_profile(const struct kinst_context *context, const char *option, const char *path)
{
	const char *place = strchr(option, '=');
	char *whole = kinst_format("%s%s%s.gcda", *path == '/' ? "" : context->directory, *path == '/' ? "" : "/",
	                           path);
	char *file;
	int found;

	for (char *slash = whole; place && (slash = strchr(slash, '/'));)
		*slash = '#'; /* as gcc names it in a folder for such files */
	file = place ? kinst_format("%s/%s", place + 1, whole) : kinst_strdup(whole);
	found = !access(file, R_OK) || (place && kinst_ends(place, ".gcda") && !access(place + 1, R_OK));
	free(whole);
	free(file);
	return found;
}

/*
 * Has gcc name the user's file of counts, which is named after the plain output, where it warns that there is none.
 * Counts that exist are of the text with calls where kinst built what was run.  This text is compiled with them, and
 * nothing is said of how they fit the original.
 */
static void add_profile(struct kinst_words *words, const struct kinst_source *source,
                        const struct kinst_context *context)
{
	const char *option = uses_profile(context), *base;
	char *path = kinst_command_output(context->command, source->input, "", 0), *folder;

	base = kinst_basename(path);
	folder = kinst_strndup(path, (size_t)(base - path));
	if (option && has_profile(context, option, path)) {
		kinst_words_add(words, "-Wno-missing-profile");
	} else if (option) {
		kinst_words_pair(words, "-dumpdir", folder);
		kinst_words_pair(words, "-dumpbase", base);
	}
	free(path);
	free(folder);
}

/*
 * Begins a compile of a text, or of the original when that is NULL, for what the compiler says of it.  Returns 0, or -1
 * when there is no room for its output.
 *
 * by_plugin: 1 to leave out what comes behind the messages; the plug-in is known to work then
 */
static int judging_init(struct kinst_judging *judging, const struct kinst_source *source,
                        const struct kinst_context *context, const char *text, const struct kinst_words *more,
                        int by_plugin)
{
	struct kinst_words *words = &judging->words;
	char *output = kinst_temp_path("judged.s"), *plugin;

	*judging = (struct kinst_judging){ .run = { .words = words, .in = context->in } };
	if (!output)
		return -1;
	compile_words(words, source, context, 0, output);
	kinst_words_append(words, more);
	add_profile(words, source, context);
	plugin = by_plugin && kinst_loops_messages(context->command)
	               ? kinst_loops_find(context->compiler, context->library)
	               : NULL;
	if (plugin)
		kinst_loops_add_messages(words, context->compiler, context->command, plugin);
	if (text) {
		if (context->compiler->clang && !context->compiler->flang)
			kinst_words_add(words, "-Qunused-arguments");
		kinst_words_pair(words, "-x", source->x);
		kinst_words_add(words, text);
	} else {
		if (source->input->x)
			kinst_words_pair(words, "-x", source->input->x);
		kinst_words_add(words, context->command->words[source->input->word].text);
	}
	free(plugin);
	free(output);
	return 0;
}

static int judge(const struct kinst_source *source, const struct kinst_context *context, const char *text,
                 const struct kinst_words *more, int by_plugin)
{
	struct kinst_judging judging;
	int status = 1;

	if (!judging_init(&judging, source, context, text, more, by_plugin))
		status = kinst_process_run(&judging.run);
	kinst_words_free(&judging.words);
	return status < 0 ? 1 : status;
}

int kinst_judge_others(const struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_words none = { 0 };

	return source->as_is.others ? judge(source, context, source->as_is.others, &none, 0) : 0;
}

static int judge_all(const struct kinst_source *source, const struct kinst_context *context, int by_plugin)
{
	int status = judge(source, context, source->as_is.text, &source->as_is.words, by_plugin);
	int others = kinst_judge_others(source, context);

	return status ? status : others;
}

int kinst_judge(const struct kinst_source *source, const struct kinst_context *context)
{
	return judge_all(source, context, 0);
}

struct kinst_run *kinst_judge_start(struct kinst_judging *judging, const struct kinst_source *source,
                                    const struct kinst_context *context)
{
	*judging = (struct kinst_judging){ 0 };
	if (context->in >= 0 || !kinst_process_is_room() ||
	    judging_init(judging, source, context, source->as_is.text, &source->as_is.words, 0))
		return NULL;
	judging->is_beside = 1;
	return &judging->run;
}

int kinst_judge_finish(struct kinst_judging *judging, const struct kinst_source *source,
                       const struct kinst_context *context, int has_plugin)
{
	int status = judging->run.status, others;

	kinst_words_free(&judging->words);
	if (!judging->is_beside)
		return judge_all(source, context, has_plugin);
	others = kinst_judge_others(source, context);
	return status ? (status < 0 ? 1 : status) : others;
}

/* Compiles the instrumented text without warnings.  Returns the status, and in *err what the compiler said. */
static int try_text(const struct kinst_source *source, const struct kinst_context *context, const char *output,
                    struct kinst_text *err)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .err = err, .in = -1, .in_english = 1 };
	int status;

	compile_words(&words, source, context,
	              source->input->language == KINST_FORTRAN
	                      ? KINST_BIT(KINST_WORD_PREPROCESS)
	                      : KINST_BIT(KINST_WORD_PREPROCESS) | KINST_BIT(KINST_WORD_FOLDER),
	              output);
	kinst_words_add(&words, "-w");
	kinst_words_pair(&words, "-x", source->x);
	kinst_words_add(&words, source->text);
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	return status;
}

/* Leaves one more construct as it is, and says so.  Returns 0 when none is to blame. */
static int give_up_construct(struct kinst_source *source, const struct kinst_emitted *emitted, const char *messages)
{
	long blamed = kinst_blame_construct(emitted, messages);
	struct kinst_construct *c;
	char *why;

	if (blamed < 0)
		return 0;
	c = emitted->constructs + blamed;
	why = kinst_blame_first_error(messages);
	kinst_say("kinst: %s:%u: %s: not measured: %s; the construct stays as it is\n", c->file, c->first_line, c->name,
	          why);
	free(why);
	c->is_measured = 0;
	source->given_up = kinst_realloc(source->given_up, (source->n_given_up + 1) * sizeof(*source->given_up));
	source->given_up[source->n_given_up++] = (uint32_t)blamed;
	return 1;
}

/*
 * Leaves out what errors stand in: directives of the user's, or else a construct.  Returns 0 when nothing is to
 * blame.
 */
static int give_up_some(struct kinst_source *source, const struct kinst_context *context, const char *messages)
{
	size_t n_marks = kinst_blame_marks(&source->data, messages) + kinst_blame_marks(&source->pomp, messages);

	if (!n_marks && !give_up_construct(source, &source->emitted, messages))
		return 0;
	source->n_marks_given_up += n_marks;
	return kinst_calls_again(source, context, n_marks > 0);
}

void kinst_judge_calls(struct kinst_source *source, const struct kinst_context *context)
{
	char *output = kinst_source_path(source, "tried.s"), *why;
	struct kinst_text err = { 0 };

	if (!output)
		return;
	kinst_text_puts(&err, "");
	for (size_t n = 0; try_text(source, context, output, &err); n++) {
		if (n < MOST_GIVEN_UP && !context->options->strict && give_up_some(source, context, err.data)) {
			err.length = 0;
			continue;
		}
		why = kinst_blame_first_error(err.data);
		kinst_source_fail(source, why, strlen(why));
		kinst_calls_note_failure(source, context);
		free(why);
		break;
	}
	kinst_text_free(&err);
	free(output);
}
