/*
 * Prepare: see prepare.h.
 */
#include "opari/source/prepare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/say.h"
#include "opari/data/data_fortran.h"
#include "opari/hooks/hooks.h"
#include "opari/hooks/loops.h"
#include "opari/source/device.h"
#include "opari/source/fortran_modules.h"
#include "opari/source/functions.h"
#include "opari/source/kinst_calls.h"
#include "opari/source/opt_info.h"
#include "opari/source/preprocess.h"
#include "opari/source/way.h"

/* Stores the text that is compiled with hooks when there is no instrumented one. */
static void store_bare(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
                       const struct kinst_text *text)
{
	struct kinst_text copy = { 0 };

	if (source->as_is.text) {
		source->bare = kinst_strdup(source->as_is.text);
		return;
	}
	if (source->input->language == KINST_FORTRAN && text->data[0] != '#')
		kinst_text_printf(&copy, "# 1 \"%s\"\n", source->name);
	if (source->input->language == KINST_FORTRAN)
		kinst_text_add(&copy, text->data, text->length);
	else
		kinst_original_blank(text, &copy);
	source->bare = kinst_source_write_hooked(source, context, suffix, &copy);
	kinst_text_free(&copy);
}

/*
 * Returns 1 when a text mentions functions of libompp elsewhere than in ompp.h.  Expansions of macros of ompp.h count
 * as text of a system header, so line markers do not separate them from the declarations in ompp.h.
 */
static int calls_ompp(const struct kinst_text *text)
{
	const char *p = text->data, *end = p + text->length, *eol;
	int in_header = 0;

	if (!memmem(p, text->length, "ompp_", 5))
		return 0;
	for (; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		eol = eol ? eol : end;
		if (eol - p > 3 && p[0] == '#' && p[1] == ' ')
			in_header = memmem(p, (size_t)(eol - p), "ompp.h\"", 7) != NULL;
		else if (!in_header && memmem(p, (size_t)(eol - p), "ompp_", 5))
			return 1;
	}
	return 0;
}

/* Returns 1 when the text has directives `inst data`. */
static int names_data(const struct kinst_source *source, const struct kinst_text *text)
{
	if (source->input->language == KINST_FORTRAN)
		return kinst_data_in_fortran(text->data, text->length, source->input->fixed);
	return kinst_data_in(text->data, text->length);
}

/*
 * Returns the option that asks for coverage of the source, or NULL.  What is counted then is lines, branches and calls
 * of the text that is compiled: calls of ours would be counted as the user's, and regions that clang maps are places in
 * this text, not in what its markers name.  So it has to be the user's own.
 */
static const char *covers_source(const struct kinst_context *context)
{
	const char *maps = NULL, *notes = NULL, *all = NULL;

	for (size_t i = 0; i < context->command->n_words; i++) {
		const char *word = context->command->words[i].text;

		if (!strcmp(word, "-fcoverage-mapping"))
			maps = word;
		else if (!strcmp(word, "-fno-coverage-mapping"))
			maps = NULL;
		else if (!strcmp(word, "-ftest-coverage"))
			notes = word;
		else if (!strcmp(word, "-fno-test-coverage"))
			notes = NULL;
		else if (!strcmp(word, "--coverage") || !strcmp(word, "-coverage"))
			all = word;
	}
	return all ? all : notes ? notes : context->compiler->clang ? maps : NULL;
}

/* Leaves a source with calls as it is, where its coverage is asked for. */
static void leave_covered(struct kinst_source *source, const char *option)
{
	char *why = kinst_format("%s is given, which counts in the user's own text", option);

	kinst_source_fail(source, why, strlen(why));
	free(why);
}

/* Returns the hooks that a source shall get; says why when they are asked for and cannot be had. */
static enum kinst_hooks choose_hooks(const struct kinst_source *source, const struct kinst_context *context,
                                     const struct kinst_text *text)
{
	const struct kinst_options *options = context->options;
	const char *covers = covers_source(context),
		   *conflict = covers ? covers : kinst_hooks_conflict(context->command);
	char *archive;
	int found;

	if (options->no_access || (!options->access && !names_data(source, text)))
		return KINST_HOOKS_OFF;
	if (context->compiler->flang) {
		kinst_say("kinst: %s: not hooked: flang puts in no hooks; its accesses are not counted\n",
		          source->name);
		return KINST_HOOKS_OFF;
	}
	if (conflict) {
		kinst_say("kinst: %s: not hooked: %s is given; its accesses are not counted\n", source->name, conflict);
		return KINST_HOOKS_OFF;
	}
	archive = kinst_hooks_archive(context->library);
	found = !access(archive, R_OK);
	if (!found)
		kinst_say("kinst: %s: not hooked: %s: cannot be read; set KINST_LIBDIR\n", source->name, archive);
	free(archive);
	if (!found)
		return KINST_HOOKS_OFF;
	if (options->access && !strcmp(options->access, "source"))
		return KINST_HOOKS_SOURCE;
	return kinst_way_counts_loops(context) ? KINST_HOOKS_LOOPS : KINST_HOOKS_ON;
}

/* Returns 1 when the operations of a source shall be counted; says why when they cannot be. */
static int choose_work(const struct kinst_source *source, const struct kinst_context *context)
{
	const char *why = NULL;
	char *plugin;

	if (!context->options->work)
		return 0;
	plugin = kinst_loops_find(context->compiler);
	if (covers_source(context))
		why = "coverage is asked for, whose counters would be counted, too";
	else if (!plugin)
		why = "there is no plug-in for this compiler; kinst --build-plugin builds it for gcc and clang";
	if (why)
		kinst_say("kinst: %s: operations are not counted: %s\n", source->name, why);
	free(plugin);
	return !why;
}

/* Makes the text that stands in the original's place the host's part of the bundle, where the original is one. */
static void bundle_original(const struct kinst_source *source)
{
	struct kinst_text text = { 0 }, bundle = { 0 };

	if (!source->as_is.text || !kinst_bundle_is(&source->bundle) || kinst_read_file(source->as_is.text, &text))
		return;
	kinst_bundle_put(&source->bundle, &text, &bundle);
	kinst_write_file(source->as_is.text, bundle.data, bundle.length);
	kinst_text_free(&text);
	kinst_text_free(&bundle);
}

/* Finds how the original is compiled where it has to be. */
static void find_original(struct kinst_source *source, const struct kinst_context *context,
                          const struct kinst_text *text)
{
	const struct kinst_input *input = source->input;

	if (input->language != KINST_FORTRAN) {
		kinst_original_find(&source->as_is, text, input, context->compiler, context->command);
		bundle_original(source);
	} else if (context->command->openmp) {
		kinst_original_find_fortran(&source->as_is, text, source->name, input->fixed);
	}
}

static void prepare_text(struct kinst_source *source, const struct kinst_context *context,
                         const struct kinst_text *text)
{
	const char *covers = covers_source(context);

	source->hooks = choose_hooks(source, context, text);
	source->works = choose_work(source, context);
	if (kinst_source_lto(source, context) == KINST_LTO_LEFT)
		kinst_say("kinst: %s: compiled without -flto: %s\n", source->name,
		          source->hooks != KINST_HOOKS_OFF ? "it would drop the access hooks"
		                                           : "the plug-in would not see the code");
	if (source->input->language == KINST_FORTRAN)
		source->uses_ompp = !context->compiler->flang && /* libompp's modules are gfortran's */
		                    strcasestr(text->data, "ompp") != NULL;
	else
		source->calls_ompp = calls_ompp(text);
	if (context->options->opt_info)
		kinst_opt_info_find(source, context);
	if (source->input->language == KINST_FORTRAN || source->loops.length ||
	    memmem(text->data, text->length, "omp", 3)) {
		kinst_text_add(&source->original, text->data, text->length);
		kinst_calls_put(source, context);
	}
	if (covers && source->state == KINST_READY)
		leave_covered(source, covers);
	else if (source->state == KINST_FAILED)
		kinst_calls_note_failure(source, context);
	if (source->hooks != KINST_HOOKS_OFF)
		store_bare(source, context, kinst_source_suffix(source, context), text);
}

/* Has the text lines that gfortran may cut?  In free form it takes 132 characters, where no option says otherwise. */
static int has_long_lines(const struct kinst_context *context, const struct kinst_text *text)
{
	enum { MOST = 132 };

	for (size_t i = 0; i < context->command->n_words; i++)
		if (kinst_begins(context->command->words[i].text, "-ffree-line-length-"))
			return 1;
	for (const char *p = text->data, *end; *p; p = end + (*end == '\n')) {
		end = strchrnul(p, '\n');
		if (end - p > MOST)
			return 1;
	}
	return 0;
}

/* Leaves such a source as it is, with a sentence where something of it was to be measured. */
static void leave_handed_on(struct kinst_source *source, const struct kinst_context *context)
{
	static const char why[] = "this compiler hands Fortran to another one; use that, gfortran or LLVM's flang";

	if (context->command->openmp || context->options->access || context->options->functions)
		kinst_source_fail(source, why, strlen(why));
}

void kinst_prepare(struct kinst_source *source, const struct kinst_context *context)
{
	const char *path = context->command->words[source->input->word].text;
	enum kinst_language language = source->input->language;
	struct kinst_text text = { 0 };
	int error;

	source->name = strcmp(path, "-") ? path : "<stdin>";
	source->noisy = context->compiler->flang; /* which rejects what it takes in our text: CYCLE in a taskloop */
	source->x = language == KINST_CXX    ? "c++-cpp-output"
	          : language == KINST_C      ? "cpp-output"
	          : context->compiler->flang ? "f95-cpp-input" /* else it passes over -I; the form is by the name */
	          : source->input->fixed     ? "f77"
	                                     : "f95";
	if (kinst_source_is_handed_on(source, context)) {
		if (!context->options->off)
			leave_handed_on(source, context);
		kinst_way_say(source, context);
		return;
	}
	if (source->input->preprocessed) {
		error = strcmp(path, "-") ? kinst_read_file(path, &text) : kinst_read_fd(context->in, &text);
	} else {
		if (!kinst_preprocess(source, context))
			return;
		error = kinst_read_file(source->preprocessed, &text);
		if (!error && kinst_device_is_kept(context))
			kinst_bundle_take(&source->bundle, &text);
		if (!error && language != KINST_FORTRAN && !context->options->off)
			kinst_preprocess_data(source, context, &text);
	}
	if (error || memchr(text.data, '\0', text.length)) {
		source->broken = error != 0; /* the compiler will say why, also for zero bytes */
	} else {
		find_original(source, context, &text);
		if (language == KINST_FORTRAN)
			kinst_fortran_modules_find(source, &text, context->command->n_sources > 1);
		source->is_long = language == KINST_FORTRAN && !source->input->fixed && has_long_lines(context, &text);
		if (context->options->functions && language != KINST_FORTRAN)
			kinst_functions_note(source, &text);
		if (!context->options->off)
			prepare_text(source, context, &text);
	}
	kinst_way_say(source, context);
	kinst_text_free(&text);
}
