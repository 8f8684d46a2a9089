/*
 * Step: see step.h.
 */
#include "opari/source/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/command/command_output.h"
#include "opari/hooks/loops.h"
#include "opari/hooks/uncounted_files.h"
#include "opari/source/blame.h"
#include "opari/source/device.h"
#include "opari/source/functions.h"
#include "opari/source/judge.h"
#include "runtime/base/array.h"

/* Words of the link step that may also change the code of a compile. */
static const char *const link_words[] = { "-static", "-static-pie", "-shared", "-pie", "-no-pie" };

static int emits_bitcode(const struct kinst_command *command)
{
	for (size_t i = 1; i < command->n_words; i++)
		if (!strcmp(command->words[i].text, "-emit-llvm") && strcmp(command->words[i - 1].text, "-Xclang") != 0)
			return 1;
	return 0;
}

/* Returns the end of the name of what a step makes: clang's intermediate code has its own, but not for -flto. */
static const char *output_suffix(const struct kinst_command *command)
{
	int emits = emits_bitcode(command), is_lto = 0;

	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;

		if (i && !strcmp(command->words[i - 1].text, "-Xclang")) /* which does not change the name */
			continue;
		is_lto = (is_lto || !strcmp(word, "-flto") || kinst_begins(word, "-flto=")) && strcmp(word, "-fno-lto");
	}
	if (command->mode == KINST_ASSEMBLE)
		return emits && !is_lto ? "ll" : "s";
	return emits && !is_lto ? "bc" : "o";
}

char *kinst_step_output(const struct kinst_source *source, const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	const char *base = kinst_basename(command->words[source->input->word].text), *dot = strrchr(base, '.');
	char *name = kinst_format("%.*s.%s", (int)(dot && dot != base ? dot - base : (long)strlen(base)), base,
	                          output_suffix(command)),
	     *path;

	if (command->mode != KINST_LINK)
		path = command->output ? kinst_strdup(command->output) : kinst_strdup(name);
	else if (command->save)
		path = kinst_command_output(command, source->input, ".o", context->compiler->clang);
	else
		path = kinst_temp_path(name);
	free(name);
	return path;
}

/* Returns the text to compile; NULL for the original. */
static const char *text_of(const struct kinst_source *source, enum kinst_hooks hooks)
{
	return hooks != KINST_HOOKS_OFF && source->state != KINST_READY ? source->bare : kinst_source_text(source);
}

/* Adds those of the command's words that this step takes along. */
static void add_command(struct kinst_words *words, const struct kinst_source *source,
                        const struct kinst_context *context, const char *text)
{
	const struct kinst_command *command = context->command;
	unsigned int classes = KINST_ALL_WORDS & ~(KINST_BIT(KINST_WORD_INPUT) | KINST_BIT(KINST_WORD_LANGUAGE) |
	                                           KINST_BIT(KINST_WORD_MODE) | KINST_BIT(KINST_WORD_OUTPUT) |
	                                           KINST_BIT(KINST_WORD_DEPEND) | KINST_BIT(KINST_WORD_DUMP));

	if (command->mode == KINST_LINK)
		classes &= ~KINST_BIT(KINST_WORD_LINK);
	if (text)
		classes &= ~(KINST_BIT(KINST_WORD_PREPROCESS) | KINST_BIT(KINST_WORD_OURS));
	if (text && source->input->language != KINST_FORTRAN)
		classes &= ~KINST_BIT(KINST_WORD_FOLDER);
	kinst_source_words(words, context, classes);
	for (size_t i = 0; command->mode == KINST_LINK && i < command->n_words; i++)
		for (size_t w = 0; w < OMPP_COUNT_OF(link_words); w++)
			if (!strcmp(command->words[i].text, link_words[w]))
				kinst_words_add(words, link_words[w]);
}

void kinst_step_add_folder(struct kinst_words *words, const struct kinst_source *source)
{
	const char *base = kinst_basename(source->name);
	char *folder = base == source->name ? kinst_strdup(".")
	                                    : kinst_strndup(source->name, (size_t)(base - source->name));

	kinst_words_pair(words, "-I", folder);
	free(folder);
}

/* Returns the name of a source as the user's options have it in debug information; the caller frees it.  The last one
 * that fits holds. */
static char *name_by_maps(const struct kinst_source *source, const struct kinst_command *command)
{
	static const char *const options[] = { "-ffile-prefix-map=", "-fdebug-prefix-map=" };
	char *name = kinst_strdup(source->name);

	for (size_t i = 0; i < command->n_words; i++)
		for (size_t k = 0; k < OMPP_COUNT_OF(options); k++) {
			const char *from = command->words[i].text + strlen(options[k]), *to;

			if (!kinst_begins(command->words[i].text, options[k]) || !(to = strchr(from, '=')) ||
			    strncmp(source->name, from, (size_t)(to - from)) != 0)
				continue;
			free(name);
			name = kinst_format("%s%s", to + 1, source->name + (to - from));
		}
	return name;
}

void kinst_step_add_name(struct kinst_words *words, const struct kinst_source *source,
                         const struct kinst_context *context, const char *text)
{
	char *map, *name;

	if (context->compiler->flang || (!context->compiler->clang && source->input->language != KINST_FORTRAN))
		return;
	name = name_by_maps(source, context->command);
	map = kinst_format("-fdebug-prefix-map=%s=%s", text, name);
	kinst_words_add(words, map);
	free(map);
	free(name);
}

void kinst_step_add_gcc(struct kinst_words *words, const struct kinst_context *context)
{
	if (context->compiler->clang)
		return;
	/*
	 * With this option the stack pointer of a function is the same at all its calls; otherwise gcc would leave
	 * arguments on the stack for a while.  By the stack pointer the runtime identifies the function of an event
	 * (runtime/core/thread.h).
	 */
	kinst_words_add(words, "-fno-defer-pop");
	if (context->command->mode != KINST_ASSEMBLE)
		kinst_words_add(words, "-frecord-gcc-switches");
}

/*
 * Has clang put auxiliary files where the plain command would: in the current folder, under the name of the source.
 * Our object is elsewhere.
 */
static void add_clang_auxiliaries(struct kinst_words *words, const struct kinst_source *source,
                                  const struct kinst_context *context)
{
	static const struct {
		const char *option, *suffix;
	} files[] = {
		{ "-split-dwarf-file", ".dwo" },
		{ "-split-dwarf-output", ".dwo" },
		{ "-coverage-data-file", ".gcda" },
	};
	int wanted[OMPP_COUNT_OF(files)] = { 0 };

	for (size_t i = 0; i < context->command->n_words; i++) {
		const char *word = context->command->words[i].text;

		wanted[0] |= kinst_begins(word, "-gsplit-dwarf");
		wanted[1] = wanted[0];
		wanted[2] |= !strcmp(word, "-fprofile-arcs");
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(files); i++) {
		char *file, *path;

		if (!wanted[i])
			continue;
		file = kinst_command_output(context->command, source->input, files[i].suffix, 1);
		path = kinst_format("%s/%s", context->directory, file);
		kinst_words_pair(words, "-Xclang", files[i].option);
		kinst_words_pair(words, "-Xclang", i < 2 ? file : path);
		free(file);
		free(path);
	}
}

/* Has gcc put auxiliary files where the plain command would: they are named after the program and the source. */
static void add_dump_folder(struct kinst_words *words, const struct kinst_source *source,
                            const struct kinst_context *context)
{
	const char *base = kinst_basename(context->command->words[source->input->word].text);
	const char *dot = strrchr(base, '.');
	char *path = kinst_command_output(context->command, source->input, "", 0);
	size_t stem = dot && dot != base ? (size_t)(dot - base) : strlen(base), n = strlen(path);

	if (n >= stem)
		path[n - stem] = '\0';
	kinst_words_pair(words, "-dumpdir", *path ? path : "./");
	free(path);
}

/*
 * Returns the notes of a source that are not in its text, or NULL.  Of objects for -flto there are none: assembler text
 * in them is lost, and lto-wrapper would search for the assembler file of this compile.  flang takes no such file.
 */
static const struct kinst_text *notes_apart(const struct kinst_source *source, const struct kinst_context *context)
{
	int apart = source->input->language == KINST_FORTRAN ||
	            (source->state != KINST_READY && !context->compiler->clang);
	int is_lto = kinst_source_lto(source, context) == KINST_LTO_KEPT;

	return apart && !context->compiler->flang && source->unmeasured.length && !is_lto ? &source->unmeasured : NULL;
}

int kinst_step_has_notes(const struct kinst_source *source, const struct kinst_context *context)
{
	return notes_apart(source, context) != NULL;
}

/* gcc's assembler reads several files as one, but then not from a pipe. */
void kinst_step_add_notes(struct kinst_words *words, const struct kinst_source *sources, size_t n,
                          const struct kinst_context *context)
{
	struct kinst_text all = { 0 };
	char *path = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < n && context->command->mode != KINST_ASSEMBLE; i++) {
		const struct kinst_text *notes = notes_apart(sources + i, context);

		if (notes)
			kinst_text_add(&all, notes->data, notes->length);
	}
	if (all.length)
		path = kinst_temp_path("unmeasured.s");
	if (path && !kinst_write_file(path, all.data, all.length)) {
		for (size_t i = 0; i < words->n; i++) {
			if (strcmp(words->items[i], "-pipe"))
				words->items[kept++] = words->items[i];
			else
				free(words->items[i]);
		}
		words->n = kept;
		kinst_words_pair(words, "-Xassembler", path);
	}
	free(path);
	kinst_text_free(&all);
}

/* Files that the compiler writes beside the object, for kinst to read; NULL where it writes none. */
struct beside {
	char *dump;      /* gfortran's last form of the program */
	char *uncounted; /* the kinds of accesses without hooks, as the plug-in finds them */
};

/* Adds the words of the plug-in, where it counts something. */
static void add_plugin(struct kinst_words *words, const struct kinst_source *source,
                       const struct kinst_context *context, enum kinst_hooks hooks, const struct beside *beside)
{
	unsigned int counts = (hooks == KINST_HOOKS_LOOPS ? KINST_LOOPS_ACCESSES : 0) |
	                      (source->works ? KINST_LOOPS_WORK : 0);
	char *plugin = counts ? kinst_loops_find(context->compiler) : NULL;

	if (plugin)
		kinst_loops_add(words, context->compiler, context->command, plugin, counts, beside->uncounted);
	free(plugin);
}

/* Drops what asks for files of the steps between. */
static void drop_save(struct kinst_words *words)
{
	size_t kept = 0;

	for (size_t i = 0; i < words->n; i++) {
		if (kinst_begins(words->items[i], "-save-temps") || kinst_begins(words->items[i], "--save-temps"))
			free(words->items[i]);
		else
			words->items[kept++] = words->items[i];
	}
	words->n = kept;
}

/* Adds the words of the compile. */
static void step_words(struct kinst_words *words, const struct kinst_source *source,
                       const struct kinst_context *context, enum kinst_hooks hooks, const char *output,
                       const struct beside *beside)
{
	const struct kinst_command *command = context->command;
	const char *text = text_of(source, hooks);
	int fortran = source->input->language == KINST_FORTRAN, clang = context->compiler->clang;

	add_command(words, source, context, text);
	if (text && fortran)
		kinst_step_add_folder(words, source);
	if (text && fortran && command->fortran_cpp > 0)
		kinst_words_add(words, "-nocpp");
	if (source->uses_ompp)
		kinst_words_pair(words, "-I", context->include);
	if (!text)
		kinst_words_append(words, &source->as_is.words);
	if (text) {
		kinst_step_add_name(words, source, context, text);
		kinst_step_add_gcc(words, context);
		kinst_device_add(words, source);
	}
	kinst_functions_add(words, source, 1, context);
	kinst_hooks_add(words, context->compiler, command, source->input->language, hooks, context->library);
	if (kinst_source_lto(source, context) == KINST_LTO_LEFT) {
		kinst_words_add(words, "-fno-lto");
		if (clang) /* with -flto it leaves no assembler file */
			drop_save(words);
	}
	add_plugin(words, source, context, hooks, beside);
	if (source->input->dumps.n) {
		kinst_words_append(words, &source->input->dumps);
	} else if (command->mode == KINST_LINK && !command->save) {
		if (clang)
			add_clang_auxiliaries(words, source, context);
		else
			add_dump_folder(words, source, context);
	}
	if (beside->dump) {
		char *word = kinst_format("-fdump-tree-optimized=%s", beside->dump);

		kinst_words_add(words, word);
		free(word);
	}
	kinst_step_add_notes(words, source, 1, context);
	kinst_words_add(words, command->mode == KINST_ASSEMBLE ? "-S" : "-c");
	kinst_words_pair(words, "-o", output);
	if (text)
		kinst_words_pair(words, "-x", source->x);
	else if (source->input->x)
		kinst_words_pair(words, "-x", source->input->x);
	kinst_words_add(words, text ? text : command->words[source->input->word].text);
}

void kinst_step_print(const struct kinst_source *source, const struct kinst_context *context, const char *output)
{
	struct kinst_words words = { 0 };

	step_words(&words, source, context, source->hooks, output, &(struct beside){ 0 });
	kinst_words_add(&words, "-w");
	kinst_process_print(&words, 1);
	kinst_words_free(&words);
}

static int is_file(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode);
}

/* Redirects what the object calls, and keeps in it which accesses got no hook. */
static int finish_object(struct kinst_source *source, const struct kinst_context *context, enum kinst_hooks hooks,
                         const char *object, const struct beside *beside)
{
	struct kinst_text list = { 0 }, text = { 0 };
	int error;

	if (context->command->mode == KINST_ASSEMBLE)
		return kinst_hooks_redirect_text(object, context->compiler, hooks, context->library);
	kinst_text_puts(&list, "");
	if (hooks == KINST_HOOKS_LOOPS)
		kinst_uncounted_by_plugin(&list, beside->uncounted);
	else
		kinst_uncounted_in_object(&list, object, context->compiler);
	if (beside->dump && !kinst_read_file(beside->dump, &text))
		kinst_uncounted_in_dump(&list, &text);
	else if (source->input->language != KINST_FORTRAN && !kinst_read_file(text_of(source, hooks), &text))
		kinst_uncounted_in_text(&list, &text, context->compiler);
	error = kinst_hooks_redirect(object, context->compiler, hooks, context->library, list.data);
	if (list.length) {
		free(source->uncounted);
		source->uncounted = kinst_strdup(list.data);
	}
	kinst_text_free(&list);
	kinst_text_free(&text);
	return error;
}

void kinst_step_append_notes(const struct kinst_source *source, const struct kinst_context *context, const char *output)
{
	const struct kinst_text *notes = notes_apart(source, context);
	struct kinst_text text = { 0 };

	if (notes && context->command->mode == KINST_ASSEMBLE && is_file(output) && !kinst_read_file(output, &text)) {
		kinst_text_add(&text, notes->data, notes->length);
		kinst_write_file(output, text.data, text.length);
	}
	kinst_text_free(&text);
}

/* Runs the compile for a file that it leaves beside its output, without messages. */
static void leave(struct kinst_words *words, const struct kinst_context *context)
{
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = words, .err = &err, .in = context->in };

	kinst_text_puts(&err, "");
	kinst_words_add(words, "-w");
	kinst_process_run(&run);
	kinst_text_free(&err);
}

/* Does the command ask gcc for the dump that kinst reads, too?  Only one of a pass is written. */
static int asks_for_dump(const struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_words; i++)
		if (kinst_begins(command->words[i].text, "-fdump-tree-optimized") ||
		    kinst_begins(command->words[i].text, "-fdump-tree-all"))
			return 1;
	return 0;
}

/* Leaves the dumps that the command asks for, by a compile of their own. */
static void leave_dumps(const struct kinst_source *source, const struct kinst_context *context, enum kinst_hooks hooks,
                        const char *output)
{
	struct kinst_words words = { 0 };

	step_words(&words, source, context, hooks, output, &(struct beside){ 0 });
	leave(&words, context);
	kinst_words_free(&words);
}

/*
 * Compiles once.  Returns 0, or another status and the cause in *why.
 *
 * judge:  what runs at the same time, or NULL
 * speaks: 0 to discard the messages
 */
static int step_attempt(struct kinst_source *source, const struct kinst_context *context, enum kinst_hooks hooks,
                        const char *output, struct kinst_run *judge, int speaks, char **why)
{
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = {
		.words = &words, .err = speaks ? NULL : &err, .in = context->in, .in_english = !speaks, .beside = judge
	};
	int dumps = source->input->language == KINST_FORTRAN && hooks != KINST_HOOKS_OFF;
	struct beside beside = { dumps ? kinst_temp_path("dump") : NULL,
		                 hooks == KINST_HOOKS_LOOPS ? kinst_temp_path("uncounted") : NULL };
	int status;

	kinst_text_puts(&err, "");
	if (dumps && asks_for_dump(context->command))
		leave_dumps(source, context, hooks, output);
	step_words(&words, source, context, hooks, output, &beside);
	kinst_words_add(&words, "-w");
	status = kinst_process_run(&run);
	if (status) {
		*why = kinst_blame_first_error(err.data);
	} else if (hooks != KINST_HOOKS_OFF && is_file(output) &&
	           finish_object(source, context, hooks, output, &beside)) {
		*why = kinst_format("%s: not an object of this machine", output);
		status = 1;
	} else {
		kinst_step_append_notes(source, context, output);
	}
	kinst_words_free(&words);
	kinst_text_free(&err);
	free(beside.dump);
	free(beside.uncounted);
	return status;
}

/* Gives up some of the hooks, and says so.  Returns -1 when that is an error (--strict). */
static int fewer_hooks(struct kinst_source *source, const struct kinst_context *context, const char *why)
{
	int by_source = source->hooks == KINST_HOOKS_SOURCE;

	if (source->hooks == KINST_HOOKS_LOOPS) {
		source->not_loops = kinst_strdup(why);
		source->hooks = KINST_HOOKS_ON;
		return 0;
	}
	kinst_say("kinst: %s: not hooked%s: %s; %s\n", source->name, by_source ? " by source" : "", why,
	          context->options->strict ? "--strict makes this an error"
	          : by_source              ? "the accesses of the optimised code are counted"
	                                   : "its accesses are not counted");
	source->hooks = by_source ? KINST_HOOKS_ON : KINST_HOOKS_OFF;
	return context->options->strict ? -1 : 0;
}

/* Gives up counting the operations, and says so.  Returns -1 when that is an error (--strict). */
static int no_work(struct kinst_source *source, const struct kinst_context *context, const char *why)
{
	kinst_say("kinst: %s: operations are not counted: %s; %s\n", source->name, why,
	          context->options->strict ? "--strict makes this an error" : "the source is compiled without");
	source->works = 0;
	return context->options->strict ? -1 : 0;
}

/*
 * Chooses what to try after a failure: no instrumentation when that is to blame, else no operations, else fewer hooks.
 * Returns -1 when nothing is left, or with --strict.
 */
static int step_retreat(struct kinst_source *source, const struct kinst_context *context, const char *why)
{
	if (source->state == KINST_READY) {
		size_t n = source->n_given_up + source->n_marks_given_up;

		kinst_judge_calls(source, context);
		if (source->state == KINST_FAILED)
			return kinst_source_report(source, context);
		if (source->n_given_up + source->n_marks_given_up > n)
			return 0;
	}
	if (source->works)
		return no_work(source, context, why);
	return source->hooks == KINST_HOOKS_OFF ? -1 : fewer_hooks(source, context, why);
}

/* Has the compiler leave what it leaves where it rejects the original, which has spoken already. */
static void leave_as_plain(const struct kinst_source *source, const struct kinst_context *context, const char *output)
{
	struct kinst_source plain = *source;
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = &words, .err = &err, .in = context->in };

	plain.state = KINST_UNTOUCHED;
	plain.works = 0;
	step_words(&words, &plain, context, KINST_HOOKS_OFF, output, &(struct beside){ 0 });
	kinst_process_run(&run);
	kinst_words_free(&words);
	kinst_text_free(&err);
}

/* Is the original to be compiled for its messages first, and not at the same time?  So it is where warnings may be
 * errors, which are none in the instrumented text, and where the compile leaves more behind than the object: modules,
 * and files that the user names. */
static int is_judged_first(const struct kinst_source *source, const struct kinst_context *context)
{
	int are_errors = source->is_long;

	for (size_t i = 0; i < context->command->n_words; i++)
		are_errors |= kinst_begins(context->command->words[i].text, "-Werror");
	return are_errors && (source->input->language == KINST_FORTRAN || source->input->dumps.n);
}

int kinst_step_compile(struct kinst_source *source, const struct kinst_context *context, const char *output)
{
	int is_judged = is_judged_first(source, context), status, plain = 0;
	struct kinst_judging judging;
	struct kinst_run *judge = NULL;
	char *why = NULL;

	if (is_judged)
		plain = kinst_judge(source, context);
	else
		judge = kinst_judge_start(&judging, source, context);
	if (plain) {
		leave_as_plain(source, context, output);
		return plain;
	}
	if (kinst_device_is_kept(context) && !kinst_bundle_is(&source->bundle) && text_of(source, source->hooks))
		kinst_device_compile(source, context);
	status = step_attempt(source, context, source->hooks, output, judge, 0, &why);
	if (!is_judged)
		plain = kinst_judge_finish(&judging, source, context, !status && source->hooks == KINST_HOOKS_LOOPS);
	if (plain && !status && is_file(output))
		unlink(output);
	while (!plain && status && !step_retreat(source, context, why)) {
		free(why);
		why = NULL;
		status = step_attempt(source, context, source->hooks, output, NULL, 0, &why);
	}
	free(why);
	why = NULL;
	if (!plain && status && !context->options->strict) /* what comes behind the compiler proper may reject it */
		status = step_attempt(source, context, source->hooks, output, NULL, 1, &why);
	free(why);
	if (!plain && !status && source->not_loops && source->hooks == KINST_HOOKS_ON)
		kinst_say("kinst: %s: accesses are counted one by one, not by loops: %s; the counts are the same\n",
		          source->name, source->not_loops);
	if (!plain && !status && source->uncounted)
		kinst_say("kinst: %s: some accesses are not counted: %s; see kinst(1)\n", source->name,
		          source->uncounted);
	return plain ? plain : status;
}

void kinst_step_leave_bitcode(const struct kinst_source *source, const struct kinst_context *context)
{
	const struct kinst_command *command = context->command;
	struct kinst_words words = { 0 };
	size_t kept = 0;
	char *path;

	if (!command->save || !context->compiler->clang || context->compiler->flang || source->input->preprocessed ||
	    !text_of(source, source->hooks))
		return;
	path = kinst_command_output(command, source->input, emits_bitcode(command) ? ".tmp.bc" : ".bc", 1);
	step_words(&words, source, context, source->hooks, path, &(struct beside){ 0 });
	drop_save(&words);
	for (size_t i = 0; i < words.n; i++) {
		if (!strcmp(words.items[i], "-S"))
			free(words.items[i]);
		else
			words.items[kept++] = words.items[i];
	}
	words.n = kept;
	kinst_words_add(&words, "-c");
	kinst_words_add(&words, "-emit-llvm");
	kinst_words_pair(&words, "-Xclang", "-disable-llvm-passes");
	leave(&words, context);
	kinst_words_free(&words);
	free(path);
}
