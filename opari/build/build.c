/*
 * Build: see build.h.
 */
#include "opari/build/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opari/base/environment.h"
#include "opari/base/folders.h"
#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/build/dump_names.h"
#include "opari/build/extra.h"
#include "opari/build/passed_over.h"
#include "opari/build/replacement.h"
#include "opari/command/machine.h"
#include "opari/source/device.h"
#include "opari/source/fortran_modules.h"
#include "opari/source/judge.h"
#include "opari/source/lost_warnings.h"
#include "opari/source/original.h"
#include "opari/source/preprocess.h"
#include "opari/source/step.h"
#include "runtime/base/array.h"

/* One build. */
struct build {
	struct kinst_replacement replacement;
	struct kinst_link_files files;                  /* what is linked */
	char *directory, *prologue, *include, *library; /* what the replacement's context points to */
};

int kinst_build_plain(const struct kinst_words *words, int in)
{
	int error;

	kinst_temp_remove();
	kinst_environment_show();
	error = kinst_process_exec(words, in);
	kinst_say("kinst: %s: cannot be run: %s; check the name and PATH\n", words->items[0], strerror(-error));
	return error == -ENOENT ? 127 : 126;
}

/*
 * Runs the replacement and returns its exit status.
 *
 * quiet: 1 when its warnings were printed already
 * err:   gets its messages; NULL leaves them to stderr
 */
static int run_replacement(const struct kinst_replacement *r, int quiet, struct kinst_text *err)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .err = err, .in = r->context.in };
	int status;

	kinst_replacement_words(r, quiet, &words);
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	if (status < 0) {
		kinst_say("kinst: %s: cannot be run: %s\n", r->context.compiler->words.items[0], strerror(-status));
		return 126;
	}
	for (size_t i = 0; !status && r->context.command->mode == KINST_ASSEMBLE && i < r->sources.n; i++) {
		char *output = kinst_step_output(r->sources.items + i, &r->context);

		kinst_step_append_notes(r->sources.items + i, &r->context, output);
		free(output);
	}
	return status;
}

static int speaks_of_linking(const char *text)
{
	return strstr(text, "ld: ") || strstr(text, "collect2: ") || strstr(text, "linker") || strstr(text, "lto");
}

/* Returns 1 when there is an input that is neither compiled by now nor linked. */
static int anything_left(const struct kinst_command *command)
{
	static const char *const linked[] = { ".o", ".a", ".so", ".lo" };
	int left = 0;

	if (command->mode == KINST_LINK)
		return 1;
	for (size_t i = 0; i < command->n_inputs; i++) {
		const struct kinst_input *input = command->inputs + i;
		int object = 0;

		for (size_t s = 0; s < OMPP_COUNT_OF(linked); s++)
			object |= kinst_ends(command->words[input->word].text, linked[s]);
		left |= input->language == KINST_FOREIGN && !object;
	}
	return left;
}

/* Notes which of the sources are hooked, and whose operations are counted. */
static void note_hooked(struct build *build)
{
	const struct kinst_sources *sources = &build->replacement.sources;
	struct kinst_link_files *files = &build->files;

	for (size_t i = 0; i < sources->n; i++) {
		const struct kinst_source *source = sources->items + i;

		files->any_hooked |= source->hooks != KINST_HOOKS_OFF;
		files->n_hooked += source->hooks != KINST_HOOKS_OFF;
		if (source->uncounted)
			kinst_link_uncounted(files, source->name, source->uncounted);
		if (source->hooks == KINST_HOOKS_OFF)
			kinst_words_add(&files->unhooked, source->name);
		if (source->works)
			files->n_works++;
		else
			kinst_words_add(&files->idle, source->name);
	}
}

/* Adds the objects of ours that tell the program what was linked. */
static void add_extra(struct build *build)
{
	struct kinst_replacement *r = &build->replacement;
	const struct kinst_context *context = &r->context;

	note_hooked(build);
	if (!r->links)
		return;
	if (context->options->functions && *context->options->functions)
		kinst_extra_functions(&r->extra, context);
	if (context->options->stamp)
		kinst_extra_stamp(&r->extra, context);
	if (build->files.n_works)
		kinst_extra_work(&r->extra, context, &build->files);
	if (build->files.any_hooked && !kinst_hooks_libtsan(context->command)) {
		r->hooked = 1;
		kinst_extra_files(&r->extra, context, &build->files);
	} else if (build->files.any_hooked) {
		fputs("kinst: access hooks: not linked: -fsanitize=thread is given; no access is counted\n", stderr);
		kinst_extra_no_hooks(&r->extra, context);
	}
}

/* Returns the path of what the build makes of a source: its object, or the program. */
static char *output_of(const struct kinst_replacement *r, size_t i)
{
	const struct kinst_command *command = r->context.command;

	if (r->objects)
		return kinst_strdup(r->objects[i]);
	return command->mode == KINST_LINK ? kinst_strdup(command->output ? command->output : "a.out")
	                                   : kinst_step_output(r->sources.items + i, &r->context);
}

/* Removes what the build made of a source. */
static void remove_output(const struct kinst_replacement *r, size_t i)
{
	char *path = output_of(r, i);
	struct stat st;

	if (path && !lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
	free(path);
}

/* Compiles one source by itself, and writes its dependency file before the next source makes its modules.  Where there
 * can be none, there is no object, as in the plain compile. */
static int compile_step(const struct kinst_replacement *r, size_t i)
{
	struct kinst_source *source = r->sources.items + i;
	int status = kinst_step_compile(source, &r->context, r->objects[i]);

	if (status)
		return status;
	status = kinst_preprocess_depend(source, &r->context, 1);
	if (status)
		remove_output(r, i);
	return status;
}

/* Compiles each source by itself, as hooks need it, and does the rest. */
static int build_apart(struct build *build)
{
	struct kinst_replacement *r = &build->replacement;
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .in = r->context.in };
	int status = 0, dry_run = r->context.options->dry_run;

	for (size_t i = 0; i < r->sources.n; i++) {
		int one = 0;

		if (dry_run)
			kinst_step_print(r->sources.items + i, &r->context, r->objects[i]);
		else
			one = compile_step(r, i);
		status = status ? status : one;
	}
	if (status || !anything_left(r->context.command))
		return status;
	add_extra(build);
	kinst_replacement_rest(r, &words);
	if (dry_run)
		kinst_process_print(&words, 1);
	else
		status = kinst_process_run(&run);
	kinst_words_free(&words);
	return status < 0 ? 126 : status;
}

/* Returns 1 when compilers may give warnings for the originals that they do not give for the instrumented texts. */
static int loses_warnings(const struct kinst_replacement *r)
{
	int asked = kinst_lost_warnings_asked(r->context.command, r->context.compiler->clang), found = 0;

	for (size_t i = 0; asked == KINST_LOST_WARNINGS_IN_TEXT && i < r->sources.n && !found; i++) {
		const struct kinst_source *source = r->sources.items + i;

		found = source->state == KINST_READY && source->input->language != KINST_FORTRAN &&
		        kinst_lost_warnings_in(&source->original);
	}
	for (size_t i = 0; i < r->context.command->n_inputs; i++)
		found |= kinst_command_leaves(r->context.command, r->context.command->inputs + i);
	return found || asked == KINST_LOST_WARNINGS_ALWAYS;
}

/* Removes what the replacement made where the plain command fails. */
static void remove_outputs(const struct kinst_replacement *r)
{
	for (size_t i = 0; i < r->sources.n; i++)
		remove_output(r, i);
}

/*
 * Has the compiler write the dependency files that no compile wrote, of the sources that it did not reject, as a module
 * that a later source makes must not help them now.  Returns a status; where it is another one than that of the build,
 * the compiler has spoken, and there is no object, as in the plain compile.
 */
static int write_depends(const struct kinst_replacement *r, int built)
{
	int status = built;

	for (size_t i = 0; i < r->sources.n; i++) {
		char *path = output_of(r, i);
		struct stat st;
		int is_rejected = built && r->context.command->mode != KINST_LINK && path && lstat(path, &st), one;

		free(path);
		if (is_rejected)
			continue;
		one = kinst_preprocess_depend(r->sources.items + i, &r->context, !built);
		if (one && !built)
			remove_output(r, i);
		status = status ? status : one;
	}
	return status;
}

/* Builds with no instrumented text. */
static int build_originals(const struct kinst_replacement *r)
{
	struct kinst_words words = { 0 };
	int status = 0, others;

	kinst_replacement_words(r, 0, &words);
	if (r->context.options->dry_run) {
		kinst_process_print(&words, 1);
	} else if (r->extra.n || kinst_sources_any_text(&r->sources) || kinst_sources_any_words(&r->sources) ||
	           kinst_sources_any_notes(&r->sources, &r->context)) {
		status = run_replacement(r, 0, NULL);
		others = kinst_sources_judge(&r->sources, &r->context, kinst_judge_others);
		if (others && !status)
			remove_outputs(r);
		status = status ? status : others;
	} else {
		status = kinst_build_plain(&words, r->context.in);
	}
	kinst_words_free(&words);
	return status;
}

/* Builds again after the instrumented compile failed although the originals compile.  The last resort is the user's own
 * command.
 *
 * words: the user's command */
static int build_again(struct kinst_replacement *r, const struct kinst_words *words)
{
	struct kinst_text err = { 0 };
	int status;

	for (size_t i = 0; i < r->sources.n; i++)
		if (r->sources.items[i].state == KINST_READY)
			kinst_judge_calls(r->sources.items + i, &r->context);
	if (kinst_sources_report(&r->sources, &r->context))
		return 1;
	kinst_text_puts(&err, "");
	status = run_replacement(r, 1, &err);
	if (status && !kinst_sources_any_in(&r->sources, KINST_READY))
		status = kinst_build_plain(words, r->context.in);
	else
		fputs(err.data, stderr);
	kinst_text_free(&err);
	return status;
}

/* Builds with one command for all sources, and links where it links. */
static int build_together(struct kinst_replacement *r, const struct kinst_words *words)
{
	struct kinst_text err = { 0 };
	int status, judged, linking, noisy = kinst_sources_any_noisy(&r->sources);

	if (!kinst_sources_any_in(&r->sources, KINST_READY) || r->context.options->dry_run)
		return build_originals(r);
	kinst_text_puts(&err, "");
	status = run_replacement(r, 0, &err);
	linking = r->context.command->mode == KINST_LINK && speaks_of_linking(err.data);
	noisy |= err.length > 0;
	kinst_text_free(&err);
	if (!status && !noisy && !loses_warnings(r))
		return 0;
	judged = kinst_sources_judge(&r->sources, &r->context, kinst_judge);
	if (judged) {
		if (!status)
			remove_outputs(r);
		return judged;
	}
	if (status)
		return build_again(r, words);
	return linking ? run_replacement(r, 1, NULL) : 0;
}

/*
 * Returns C code that records clang's options in the object, as gcc's -frecord-gcc-switches does; NULL where there is
 * none.  clang's own option would record the names of temporary files, too.
 */
static char *recorded_flags(const struct kinst_compiler *compiler, const struct kinst_command *command)
{
	struct kinst_text text = { 0 };

	if (!compiler->clang || compiler->flang || command->mode == KINST_ASSEMBLE)
		return NULL;
	kinst_text_puts(&text, "__asm__(\".pushsection .GCC.command.line,\\\"MS\\\",@progbits,1\\n.asciz \\\"");
	kinst_text_puts(&text, kinst_basename(compiler->words.items[compiler->words.n - 1]));
	for (size_t i = 0; i < command->n_words; i++) {
		enum kinst_word_class class = command->words[i].class;

		if (class != KINST_WORD_REST && class != KINST_WORD_PREPROCESS)
			continue;
		kinst_text_puts(&text, " ");
		for (const char *p = command->words[i].text; *p; p++)
			kinst_text_add(&text, strchr("\"\\%{|}\n", *p) ? "'" : p, 1);
	}
	kinst_text_puts(&text, "\\\"\\n.popsection\");\n");
	return text.data;
}

/* Makes ompp.h be found as in a system folder, also by sources that are compiled unchanged. */
static void add_include_folder(const char *folder)
{
	static const char *const variables[] = { "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH" };

	if (!strcmp(folder, "/usr/include") || !strcmp(folder, "/usr/local/include"))
		return;
	for (size_t i = 0; i < OMPP_COUNT_OF(variables); i++) {
		const char *old = getenv(variables[i]);
		char *value = old && *old ? kinst_format("%s:%s", old, folder) : kinst_strdup(folder);

		setenv(variables[i], value, 1);
		free(value);
	}
}

/* Returns 1 when a text is compiled in place of a source whose code for devices has to be kept. */
static int needs_images(const struct kinst_replacement *r)
{
	return kinst_device_is_kept(&r->context) && kinst_sources_any_text(&r->sources);
}

/*
 * Returns 1 when each source has to be compiled by itself: to count its accesses or operations, to keep its code for
 * devices, to have its files named, or to be judged while its modules are as the plain command finds them.
 */
static int needs_steps(const struct kinst_replacement *r)
{
	const struct kinst_sources *sources = &r->sources;
	int needs = kinst_sources_any_counts(sources) || needs_images(r);

	if (!kinst_sources_any_text(sources))
		return needs;
	needs |= kinst_dump_names_given(r->context.command);
	for (size_t i = 0; i < sources->n && !needs; i++)
		for (size_t k = i + 1; k < sources->n && !needs; k++)
			needs = kinst_fortran_modules_are_late(sources->items + i, sources->items + k);
	return needs;
}

/* Chooses where the object of each source goes.  Returns 0, or -1 when there is no folder for them. */
static int choose_objects(struct kinst_replacement *r)
{
	r->objects = kinst_alloc(r->sources.n * sizeof(*r->objects));
	for (size_t i = 0; i < r->sources.n; i++) {
		r->objects[i] = kinst_step_output(r->sources.items + i, &r->context);
		if (!r->objects[i])
			return -1;
	}
	return 0;
}

/* Decides whether libompp is linked.  --stamp alone is no reason: what has nothing to measure makes no profile to keep
 * it in, and with --stamp in KINST_FLAGS each tool of a project would be linked with libompp. */
static void choose_link(struct build *build)
{
	struct kinst_replacement *r = &build->replacement;
	const struct kinst_command *command = r->context.command;
	const struct kinst_options *options = r->context.options;

	if (command->mode != KINST_LINK || command->relocatable || options->off)
		return;
	kinst_link_look(&build->files, command);
	r->links = r->objects || kinst_sources_any_in(&r->sources, KINST_READY) ||
	           kinst_sources_any_notes(&r->sources, &r->context) || options->functions ||
	           kinst_sources_any_calls(&r->sources) || build->files.any_hooked || kinst_link_needed(command);
}

/* Returns 1 when nothing of the user's command is to be replaced. */
static int is_plain(const struct kinst_replacement *r)
{
	return !r->links && !kinst_sources_any_text(&r->sources) && !kinst_sources_any_words(&r->sources) &&
	       !kinst_sources_any_notes(&r->sources, &r->context) && !r->context.options->functions &&
	       !r->context.options->dry_run;
}

/* Returns 1 when clang is to write its piece of a compilation database, or what takes how long. */
static int writes_aside(const struct kinst_command *command)
{
	int asked = 0;

	for (size_t i = 0; i < command->n_words; i++)
		asked |= kinst_begins(command->words[i].text, "-MJ") ||
		         kinst_begins(command->words[i].text, "-ftime-trace");
	return asked;
}

/* Has the user's own command write this; what else it writes is replaced. */
static void write_aside(const struct kinst_context *context, const struct kinst_words *words)
{
	struct kinst_words own = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &own, .out = &out, .err = &err, .in = context->in };

	for (size_t i = 0; i < words->n; i++)
		if (strcmp(words->items[i], KINST_MACRO) != 0)
			kinst_words_add(&own, words->items[i]);
	kinst_process_run(&run);
	kinst_words_free(&own);
	kinst_text_free(&out);
	kinst_text_free(&err);
}

/* Returns 1 when a source of the command, read as it is, has directives of ours.  Only regular files are read, as the
 * compiler reads them after us. */
static int any_directives(const struct kinst_command *command)
{
	struct kinst_text text = { 0 };
	struct stat st;
	int found = 0;

	for (size_t i = 0; i < command->n_inputs && !found; i++) {
		const struct kinst_input *input = command->inputs + i;
		const char *path = command->words[input->word].text;

		if (input->language == KINST_FOREIGN || stat(path, &st) || !S_ISREG(st.st_mode) ||
		    kinst_read_file(path, &text))
			continue;
		found = kinst_original_has_ours(&text, input);
		kinst_text_free(&text);
	}
	return found;
}

/* Returns 1 when the command's options, or directives in its sources, ask for something that is measured. */
static int asks_for_measuring(const struct kinst_context *context)
{
	return context->command->openmp || context->options->functions || context->options->access ||
	       context->options->work || context->options->opt_info || any_directives(context->command);
}

/*
 * Returns 1 when the command is for another machine than libompp, and says so, unless there is nothing to measure, as
 * in most probes; -1 when that is an error (--strict).
 */
static int is_foreign(const struct kinst_context *context)
{
	char *machine = context->options->off
	                      ? NULL
	                      : kinst_machine_other(context->compiler, context->command, context->library);
	int asks = machine && asks_for_measuring(context);

	if (!machine)
		return 0;
	if (asks)
		kinst_say("kinst: %s: not instrumented: libompp in %s is not for this machine; set KINST_LIBDIR to one "
		          "that is\n",
		          machine, context->library);
	free(machine);
	return asks && context->options->strict ? -1 : 1;
}

static int run(struct build *build, const struct kinst_words *words)
{
	struct kinst_replacement *r = &build->replacement;
	struct kinst_context *context = &r->context;
	const struct kinst_command *command = context->command;
	int broken, status, foreign = is_foreign(context);

	if (foreign)
		return foreign < 0 ? 1 : kinst_build_plain(words, context->in);
	broken = kinst_sources_prepare(&r->sources, context);
	kinst_passed_over_say(&r->sources, context);
	if (broken < 0)
		return 1;
	if (broken && !context->options->dry_run)
		return kinst_build_plain(words, context->in);
	if (kinst_sources_report(&r->sources, context))
		return 1;
	if (needs_steps(r) && choose_objects(r))
		return kinst_build_plain(words, context->in);
	choose_link(build);
	if (!r->objects && is_plain(r))
		return kinst_build_plain(words, context->in);
	if (writes_aside(command) && !context->options->dry_run) {
		if (!context->compiler->clang)
			return kinst_build_plain(words, context->in); /* gcc rejects it */
		write_aside(context, words);
	}
	if (r->objects)
		return build_apart(build);
	add_extra(build);
	status = build_together(r, words);
	return context->options->dry_run ? status : write_depends(r, status);
}

static void build_fini(struct build *build)
{
	struct kinst_replacement *r = &build->replacement;

	for (size_t i = 0; r->objects && i < r->sources.n; i++)
		free(r->objects[i]);
	free(r->objects);
	kinst_sources_free(&r->sources);
	kinst_words_free(&r->extra);
	kinst_words_free(&build->files.unhooked);
	kinst_words_free(&build->files.idle);
	kinst_text_free(&build->files.uncounted);
	free(build->directory);
	free(build->prologue);
	free(build->include);
	free(build->library);
}

int kinst_build(const struct kinst_options *options, const struct kinst_compiler *compiler,
                const struct kinst_command *command, const struct kinst_words *words)
{
	struct build build = {
		.directory = getcwd(NULL, 0),
		.prologue = recorded_flags(compiler, command),
		.include = kinst_folders_include(),
		.library = kinst_machine_library(compiler, command),
	};
	int status;

	build.replacement.context = (struct kinst_context){
		.options = options,
		.compiler = compiler,
		.command = command,
		.directory = build.directory ? build.directory : ".",
		.prologue = build.prologue,
		.include = build.include,
		.library = build.library,
		.in = -1,
	};
	add_include_folder(build.include);
	kinst_environment_hide();
	status = run(&build, words);
	if (!options->dry_run) {
		kinst_sources_save(&build.replacement.sources, &build.replacement.context);
		kinst_sources_depend(&build.replacement.sources, &build.replacement.context);
	}
	build_fini(&build);
	return status;
}
