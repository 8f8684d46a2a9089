/*
 * Judge: see judge.h.
 */
#include "opari/source/judge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/hooks/loops.h"
#include "opari/source/blame.h"
#include "opari/source/feedback.h"
#include "opari/source/fortran_modules.h"
#include "opari/source/kinst_calls.h"

enum { MOST_GIVEN_UP = 64 };

/*
 * Adds the words of a compile into a file of ours, up to the source.  Modules go to our folder, too, unless files of an
 * earlier build would be read in their place: then they go where the user's compile writes them, which does not run
 * meanwhile.
 *
 * without: classes of words that are left out (bits)
 */
static void compile_words(struct kinst_words *words, const struct kinst_source *source,
                          const struct kinst_context *context, unsigned int without, const char *output)
{
	const struct kinst_command *command = context->command;
	char *folder = kinst_strndup(output, (size_t)(kinst_basename(output) - output));
	int has_folder = source->input->language == KINST_FORTRAN && !kinst_fortran_modules_stand(source, context);

	if (has_folder)
		without |= KINST_BIT(KINST_WORD_MODULE);
	if (command->mode == KINST_LINK)
		without |= KINST_BIT(KINST_WORD_LINK);
	kinst_source_words(words, context,
	                   KINST_ALL_WORDS & ~(KINST_NOT_IN_STEPS | KINST_BIT(KINST_WORD_OURS) | without));
	if (has_folder) {
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
	if (source->uses_ompp)
		kinst_words_pair(words, "-I", context->include);
	/* clang would leave the debug information in the current folder. */
	if (context->compiler->clang && source->input->language != KINST_FORTRAN)
		kinst_words_add(words, "-gno-split-dwarf");
	/* with -save-temps gcc preprocesses apart, and so misses some warnings */
	if (command->save && !context->compiler->clang && source->input->language != KINST_FORTRAN)
		kinst_words_add(words, "-no-integrated-cpp");
	kinst_words_add(words, "-S");
	kinst_words_pair(words, "-o", output);
	free(folder);
}

/* Adds, with the first source, what only a link would read, as compilers warn that they do not. */
static void add_unused(struct kinst_words *words, const struct kinst_source *source,
                       const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;

	for (size_t i = 0; i < command->n_inputs && command->inputs + i != source->input; i++)
		if (command->inputs[i].language != KINST_FOREIGN)
			return;
	for (size_t i = 0; i < command->n_inputs; i++)
		if (kinst_command_leaves(command, command->inputs + i))
			kinst_words_add(words, command->words[command->inputs[i].word].text);
}

/*
 * Adds the words of a compile of the original.
 *
 * text: what stands for it, or NULL
 */
static void original_words(struct kinst_words *words, const struct kinst_source *source,
                           const struct kinst_context *context, const char *text, const struct kinst_words *more,
                           const char *output)
{
	compile_words(words, source, context, 0, output);
	kinst_words_append(words, more);
	add_unused(words, source, context);
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
}

/* Adds the words of a compile of the instrumented text. */
static void text_words(struct kinst_words *words, const struct kinst_source *source,
                       const struct kinst_context *context, const char *output)
{
	compile_words(words, source, context,
	              source->input->language == KINST_FORTRAN
	                      ? KINST_BIT(KINST_WORD_PREPROCESS)
	                      : KINST_BIT(KINST_WORD_PREPROCESS) | KINST_BIT(KINST_WORD_FOLDER),
	              output);
	kinst_words_pair(words, "-x", source->x);
	kinst_words_add(words, source->text);
}

/* Adds the words of a compile of the instrumented text that finds the user's counts.  Returns -1 when there is no room
 * for its output. */
static int counted_words(struct kinst_words *words, const struct kinst_source *source,
                         const struct kinst_context *context)
{
	char *output = kinst_temp_path("judged.s");

	if (!output)
		return -1;
	text_words(words, source, context, output);
	kinst_feedback_add_place(words, source, context);
	free(output);
	return 0;
}

/* Finds out which text was counted, where the compiler optimises by counts. */
static void judging_look(struct kinst_judging *judging, const struct kinst_source *source,
                         const struct kinst_context *context)
{
	struct kinst_words original = { 0 }, text = { 0 };
	char *output;

	judging->feedback = kinst_feedback_find(source, context);
	if (judging->feedback != KINST_FEEDBACK_PLAIN || source->state != KINST_READY ||
	    !(output = kinst_temp_path("judged.s")))
		return;
	original_words(&original, source, context, source->as_is.text, &source->as_is.words, output);
	kinst_feedback_add_place(&original, source, context);
	if (!counted_words(&text, source, context))
		judging->feedback = kinst_feedback_compare(&original, &text, context->in, &judging->n_unfit);
	kinst_words_free(&original);
	kinst_words_free(&text);
	free(output);
}

/*
 * Begins a compile of the original, or of a text that stands for it, for what the compiler says of it.  Returns 0, or
 * -1 when there is no room for its output.
 *
 * by_plugin: 1 to leave out what comes behind the messages; the plug-in is known to work then
 */
static int judging_init(struct kinst_judging *judging, const struct kinst_source *source,
                        const struct kinst_context *context, const char *text, const struct kinst_words *more,
                        int by_plugin)
{
	struct kinst_words *words = &judging->words;
	char *output = kinst_temp_path("judged.s"), *plugin;

	judging->run = (struct kinst_run){ .words = words, .in = context->in };
	if (!output)
		return -1;
	original_words(words, source, context, text, more, output);
	if (judging->feedback == KINST_FEEDBACK_OURS)
		kinst_feedback_add_silence(words, context);
	else if (judging->feedback != KINST_FEEDBACK_NONE)
		kinst_feedback_add_place(words, source, context);
	plugin = by_plugin && kinst_loops_messages(context->command) ? kinst_loops_find(context->compiler) : NULL;
	if (plugin)
		kinst_loops_add_messages(words, context->compiler, context->command, plugin);
	free(plugin);
	free(output);
	return 0;
}

/*
 * Has the compiler say how counts of the instrumented text fit it; or says how many functions counts of the original do
 * not fit.  Returns the status.
 *
 * status: of the original's compile
 */
static int judging_speak(const struct kinst_judging *judging, const struct kinst_source *source,
                         const struct kinst_context *context, int status)
{
	struct kinst_words words = { 0 };

	if (status)
		return status; /* the compiler did not come to the counts */
	if (judging->feedback == KINST_FEEDBACK_OURS && !counted_words(&words, source, context)) {
		status = kinst_feedback_speak(&words);
	} else if (judging->feedback == KINST_FEEDBACK_PLAIN && judging->n_unfit) {
		kinst_say("kinst: %s: %zu function%s optimised without counts: these are of a build without kinst; "
		          "build with kinst before the run that counts, too\n",
		          source->name, judging->n_unfit, judging->n_unfit == 1 ? " is" : "s are");
	}
	kinst_words_free(&words);
	return status;
}

/* err: takes what the compiler says, in English; NULL: that goes to stderr */
static int judge(struct kinst_judging *judging, const struct kinst_source *source, const struct kinst_context *context,
                 const char *text, const struct kinst_words *more, int by_plugin, struct kinst_text *err)
{
	int status = 1;

	if (!judging_init(judging, source, context, text, more, by_plugin)) {
		judging->run.err = err;
		judging->run.in_english = err != NULL;
		status = kinst_process_run(&judging->run);
	}
	kinst_words_free(&judging->words);
	return status < 0 ? 1 : status;
}

int kinst_judge_silently(const struct kinst_source *source, const struct kinst_context *context,
                         const struct kinst_words *more, struct kinst_text *err)
{
	struct kinst_judging judging = { 0 };
	struct kinst_words words = { 0 };
	int status;

	kinst_words_append(&words, &source->as_is.words);
	kinst_words_append(&words, more);
	kinst_words_add(&words, "-w");
	status = judge(&judging, source, context, source->as_is.text, &words, 0, err);
	kinst_words_free(&words);
	return status;
}

int kinst_judge_others(const struct kinst_source *source, const struct kinst_context *context)
{
	struct kinst_judging judging = { .feedback = KINST_FEEDBACK_OURS };
	struct kinst_words none = { 0 };

	return source->as_is.others ? judge(&judging, source, context, source->as_is.others, &none, 0, NULL) : 0;
}

static int judge_all(const struct kinst_source *source, const struct kinst_context *context, int by_plugin)
{
	struct kinst_judging judging = { 0 };
	int status, others;

	judging_look(&judging, source, context);
	status = judge(&judging, source, context, source->as_is.text, &source->as_is.words, by_plugin, NULL);
	others = kinst_judge_others(source, context);
	return judging_speak(&judging, source, context, status ? status : others);
}

int kinst_judge(const struct kinst_source *source, const struct kinst_context *context)
{
	return judge_all(source, context, 0);
}

struct kinst_run *kinst_judge_start(struct kinst_judging *judging, const struct kinst_source *source,
                                    const struct kinst_context *context)
{
	*judging = (struct kinst_judging){ 0 };
	if (context->in >= 0 || !kinst_process_is_room() || kinst_fortran_modules_stand(source, context))
		return NULL;
	judging_look(judging, source, context);
	if (judging_init(judging, source, context, source->as_is.text, &source->as_is.words, 0))
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
	status = status ? (status < 0 ? 1 : status) : others;
	return judging_speak(judging, source, context, status);
}

/* Compiles the instrumented text without warnings.  Returns the status, and in *err what the compiler said. */
static int try_text(const struct kinst_source *source, const struct kinst_context *context, const char *output,
                    struct kinst_text *err)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .err = err, .in = -1, .in_english = 1 };
	int status;

	text_words(&words, source, context, output);
	kinst_words_add(&words, "-w");
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
