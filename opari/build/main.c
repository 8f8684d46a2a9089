/*
 * kinst: runs a compiler so that the program it makes profiles its OpenMP regions.
 *
 * Reads the command line, and leaves the work to build.h.  What needs no work is run as the user wrote it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "opari/base/folders.h"
#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/build/build.h"
#include "opari/build/cache_key.h"
#include "opari/build/dump_names.h"
#include "opari/build/passed_over.h"
#include "opari/hooks/loops.h"
#include "opari/source/engines.h"
#include "opari/source/original.h"

/* One call of kinst. */
struct call {
	struct kinst_options options;
	struct kinst_compiler compiler;
	struct kinst_command command;
};

/*
 * Finds the compiler, and reads its words.  Returns 1 when there is nothing that kinst could do.
 *
 * words: the compiler and its arguments, nothing of ours
 * off:   nothing is to be measured
 */
static int read_command(struct call *call, const struct kinst_words *words, int off)
{
	struct kinst_words arguments = { 0 };
	int error = kinst_compiler_find(&call->compiler, words), clang = kinst_compiler_clang(&call->compiler);

	if (!off)
		kinst_options_hint(words, clang);
	if (error) {
		if (!off)
			kinst_passed_over_compiler(words, call->options.verbose);
		return 1;
	}
	for (size_t i = call->compiler.words.n; i < words->n; i++)
		kinst_words_add(&arguments, words->items[i]);
	error = kinst_command_read(&call->command, &arguments, call->compiler.cxx, clang);
	kinst_words_free(&arguments);
	return error || call->command.mode == KINST_OTHER || (!call->command.n_inputs && !call->command.libraries);
}

/* Adds our macro as the word at an index: before all of the user's, as behind a "--" clang would take it for a file. */
static void define_macro(struct kinst_words *words, size_t at)
{
	char *macro;

	kinst_words_add(words, KINST_MACRO);
	macro = words->items[words->n - 1];
	memmove(words->items + at + 1, words->items + at, (words->n - 1 - at) * sizeof(*words->items));
	words->items[at] = macro;
}

/* Returns 1 when KINST=off asks for the plain compiler; complains about what is neither off nor on. */
static int is_off(void)
{
	const char *value = getenv("KINST");

	if (value && *value && strcmp(value, "off") && strcmp(value, "on"))
		kinst_say("kinst: KINST=%s: unknown value, which counts as on; write off or on\n", value);
	return value && !strcmp(value, "off");
}

static int build_plugin(const char *name)
{
	struct kinst_words words = { 0 };
	struct kinst_compiler compiler;
	int status = 2;

	kinst_words_split(&words, name);
	if (!words.n || kinst_compiler_find(&compiler, &words)) {
		kinst_say("kinst: --build-plugin=%s: no such compiler; write the name of a gcc or clang\n", name);
	} else {
		status = kinst_loops_build(&compiler);
		kinst_compiler_free(&compiler);
	}
	kinst_words_free(&words);
	return status;
}

/* Does what the command line asks for, and returns the exit status. */
static int main_run(struct call *call, struct kinst_words *words)
{
	const struct kinst_options *options = &call->options;
	int off, status;

	if (options->help)
		return fputs(kinst_options_help(), stdout) < 0;
	if (options->version)
		return printf("kinst %s\n", PACKAGE_VERSION) < 0;
	if (options->build_plugin)
		return build_plugin(options->build_plugin);
	if (!words->n) {
		fputs("kinst: no compiler: nothing to do; write kinst gcc ARGUMENTS, or kinst --help\n", stderr);
		return 2;
	}
	off = is_off();
	if (read_command(call, words, off))
		return kinst_cache_key_is_wanted(&call->command)
		             ? kinst_cache_key_preprocess(words, &call->compiler, &call->command)
		             : kinst_build_plain(words, -1);
	if (off) {
		kinst_options_free(&call->options);
		call->options = (struct kinst_options){ .off = 1 };
		if (!call->command.n_sources || !kinst_original_matters(&call->compiler, &call->command))
			return kinst_build_plain(words, -1);
	} else if (kinst_command_define(&call->command, KINST_MACRO)) {
		define_macro(words, call->compiler.words.n);
	}
	kinst_temp_seed(words);
	if (options->keep)
		kinst_temp_keep();
	kinst_process_init(options->dry_run ? 1 : options->verbose ? 2 : -1);
	kinst_dump_names_find(&call->command, words);
	status = kinst_build(options, &call->compiler, &call->command, words);
	if (options->keep && kinst_temp_dir())
		kinst_say("kinst: temporary files: kept in %s\n", kinst_temp_dir());
	return status;
}

int main(int argc, char **argv)
{
	struct kinst_words words = { 0 };
	struct call call = { 0 };
	int status = 2;

	(void)argc;
	if (!kinst_options_read(&call.options, &words, argv[0], argv + 1, getenv("KINST_FLAGS")) &&
	    !kinst_options_check_engine(&call.options, kinst_engine_name))
		status = main_run(&call, &words);
	kinst_options_free(&call.options);
	kinst_command_free(&call.command);
	kinst_compiler_free(&call.compiler);
	kinst_words_free(&words);
	return status;
}
