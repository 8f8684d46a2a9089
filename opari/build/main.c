/*
 * kinst: runs a compiler so that the program it makes profiles its OpenMP regions.
 *
 * Each source is prepared (source.h); then the user's own command runs with the sources replaced by their
 * instrumented texts and, where it links, with libompp.  All that is printed and all statuses are those of
 * the plain command: when the replaced one says anything, it is thrown away and a compile of the originals
 * speaks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "opari/base/folders.h"
#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/build/extra.h"
#include "opari/build/functions.h"
#include "opari/build/judge.h"
#include "opari/build/link.h"
#include "opari/build/source.h"
#include "opari/build/step.h"
#include "opari/build/unsaid.h"
#include "opari/command/command.h"
#include "opari/command/compiler.h"
#include "opari/command/options.h"

/* One call of kinst. */
struct call {
	struct kinst_options  options;
	struct kinst_compiler compiler;
	struct kinst_command  command;
	struct kinst_context  context;
	struct kinst_source  *sources;
	size_t                n_sources;
	int                   link;     /* libompp is linked */
	char                 *library;  /* its folder */
	char                 *directory, *prologue, *include;   /* what the context points to */
	char                **objects;          /* one of each source; NULL: all in one command */
	struct kinst_link_files files;          /* what is linked, by whether it is hooked */
	struct kinst_words    extra;            /* objects of ours that are linked */
	enum kinst_link_hooks hooks;            /* is libompp_access linked? */
};

/* Become the plain command. */
static int plain(const struct kinst_words *words, int in)
{
	int error;

	kinst_temp_remove();
	error = kinst_process_exec(words, in);
	kinst_say("kinst: %s: cannot be run: %s; check the name and PATH\n", words->items[0],
		strerror(-error));
	return error == -ENOENT ? 127 : 126;
}

static int any_in_state(const struct call *call, enum kinst_state state)
{
	for (size_t i = 0; i < call->n_sources; i++)
		if (call->sources[i].state == state)
			return 1;
	return 0;
}

/* Is any source replaced by a text of ours? */
static int any_text(const struct call *call)
{
	for (size_t i = 0; i < call->n_sources; i++)
		if (kinst_source_text(call->sources + i))
			return 1;
	return 0;
}

/* Does any source call libompp itself? */
static int any_calls(const struct call *call)
{
	for (size_t i = 0; i < call->n_sources; i++)
		if (call->sources[i].calls_ompp)
			return 1;
	return 0;
}

/* Is any original compiled with more words? */
static int any_words(const struct call *call)
{
	for (size_t i = 0; i < call->n_sources; i++)
		if (!kinst_source_text(call->sources + i) && call->sources[i].as_is.words.n)
			return 1;
	return 0;
}

/* The source that stands at a word of the command. */
static const struct kinst_source *source_at(const struct call *call, size_t word)
{
	for (size_t i = 0; i < call->n_sources; i++)
		if (call->sources[i].input->word == word)
			return call->sources + i;
	return NULL;
}

/* Inputs that are no source of ours but that the preprocessor reads. */
static int is_preprocessed_later(const struct kinst_command *command, const struct kinst_input *input)
{
	static const char *const suffixes[] = { ".S", ".sx", ".m", ".mm", ".M" };

	if (input->language != KINST_FOREIGN)
		return 0;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (kinst_ends(command->words[input->word].text, suffixes[i]))
			return 1;
	return input->x != NULL;
}

/* Classes of words that have done their work when all sources are preprocessed. */
static unsigned int done_classes(const struct call *call)
{
	unsigned int done = KINST_BIT(KINST_WORD_PREPROCESS) | KINST_BIT(KINST_WORD_FOLDER) | KINST_BIT(KINST_WORD_OURS);

	for (size_t i = 0; i < call->command.n_inputs; i++)
		if (is_preprocessed_later(&call->command, call->command.inputs + i))
			return 0;
	for (size_t i = 0; i < call->n_sources; i++) {
		if (call->sources[i].state != KINST_READY)
			return 0;
		if (call->sources[i].input->language == KINST_FORTRAN)
			done &= ~KINST_BIT(KINST_WORD_FOLDER);
	}
	return done;
}

/* The input at word i replaced by its instrumented text. */
static void add_replaced(struct kinst_words *words, const struct call *call,
			 const struct kinst_source *source)
{
	const struct kinst_command *command = &call->command;
	const struct kinst_input *last = command->inputs + command->n_inputs - 1;

	kinst_words_add(words, "-x");
	kinst_words_add(words, source->x);
	kinst_words_add(words, kinst_source_text(source));
	if (source->input == last)
		return;
	kinst_words_add(words, "-x");
	kinst_words_add(words, source->input->x ? source->input->x : "none");
}

/* What a Fortran text needs that stands elsewhere than its original. */
static void add_fortran(struct kinst_words *words, const struct call *call)
{
	int ready = 0, uses_ompp = 0, all = 1;

	for (size_t i = 0; i < call->n_sources; i++) {
		const struct kinst_source *source = call->sources + i;
		const char *base = kinst_basename(source->name);

		if (source->input->language != KINST_FORTRAN)
			continue;
		uses_ompp |= source->uses_ompp;
		all &= source->state == KINST_READY;
		if (source->state != KINST_READY)
			continue;
		ready = 1;
		kinst_words_add(words, "-I");
		if (base == source->name) {
			kinst_words_add(words, ".");
		} else {
			char *folder = kinst_strndup(source->name, (size_t)(base - source->name));

			kinst_words_add(words, folder);
			free(folder);
		}
	}
	if (ready && all && call->command.fortran_cpp > 0)
		kinst_words_add(words, "-nocpp");
	if (uses_ompp) {
		kinst_words_add(words, "-I");
		kinst_words_add(words, call->context.include);
	}
}

/* What is linked besides the user's own. */
static void add_link(struct kinst_words *words, const struct call *call)
{
	if (call->extra.n) {
		kinst_words_add(words, "-x");
		kinst_words_add(words, "none");
	}
	kinst_words_append(words, &call->extra);
	if (call->link)
		kinst_link_add(words, &call->command, call->library, call->hooks);
}

/* The object of a source in its place. */
static void add_object(struct kinst_words *words, const struct kinst_source *source, const char *object)
{
	const char *x = source->input->x;

	if (x) {
		kinst_words_add(words, "-x");
		kinst_words_add(words, "none");
	}
	kinst_words_add(words, object);
	if (x) {
		kinst_words_add(words, "-x");
		kinst_words_add(words, x);
	}
}

/* The command that does the work.  `quiet`: its warnings were printed already. */
static void final_words(struct kinst_words *words, const struct call *call, int quiet)
{
	const struct kinst_command *command = &call->command;
	int ready = any_in_state(call, KINST_READY);
	unsigned int done = ready ? done_classes(call) | KINST_BIT(KINST_WORD_DEPEND) : 0;

	kinst_words_append(words, &call->compiler.words);
	for (size_t i = 0; i < command->n_words; i++) {
		const struct kinst_source *source = source_at(call, i);

		if (source && kinst_source_text(source))
			add_replaced(words, call, source);
		else if (!(done & KINST_BIT(command->words[i].class)))
			kinst_words_add(words, command->words[i].text);
	}
	add_fortran(words, call);
	for (size_t i = 0; i < call->n_sources; i++) {
		const struct kinst_source *source = call->sources + i;
		char *map;

		if (!kinst_source_text(source))
			kinst_words_append(words, &source->as_is.words);
		/* gcc takes the main file's name from the line markers; these take the name of the text. */
		if (!kinst_source_text(source) ||
		    !(call->compiler.clang || source->input->language == KINST_FORTRAN))
			continue;
		map = kinst_format("-fdebug-prefix-map=%s=%s", kinst_source_text(source), source->name);
		kinst_words_add(words, map);
		free(map);
	}
	/* words for the preprocessor have done their work for a text */
	if (!ready && call->compiler.clang && any_text(call))
		kinst_words_add(words, "-Qunused-arguments");
	if (ready && !call->compiler.clang)
		kinst_words_add(words, KINST_CALLS_KEEP_STACK);
	if (ready && !call->compiler.clang && command->mode != KINST_ASSEMBLE)
		kinst_words_add(words, "-frecord-gcc-switches");
	if (call->n_sources)
		kinst_functions_add(words, call->sources, call->n_sources, &call->context);
	kinst_step_add_notes(words, call->sources, call->n_sources, &call->context);
	add_link(words, call);
	if (quiet)
		kinst_words_add(words, "-w");
}

/* The command for what is left to do when each source was compiled by itself. */
static void rest_words(struct kinst_words *words, const struct call *call)
{
	const struct kinst_command *command = &call->command;

	kinst_words_append(words, &call->compiler.words);
	for (size_t i = 0; i < command->n_words; i++) {
		const struct kinst_source *source = source_at(call, i);

		if (!source) {
			if (command->words[i].class != KINST_WORD_DEPEND && command->words[i].class != KINST_WORD_OURS)
				kinst_words_add(words, command->words[i].text);
		} else if (command->mode == KINST_LINK) {
			add_object(words, source, call->objects[source - call->sources]);
		}
	}
	add_link(words, call);
}

/* clang has no option that records its own without the names of temporary files: an assembler directive
 * does. */
static char *recorded_flags(const struct call *call)
{
	const struct kinst_command *command = &call->command;
	struct kinst_text text = { 0 };

	if (!call->compiler.clang || command->mode == KINST_ASSEMBLE)
		return NULL;
	kinst_text_puts(&text,
			"__asm__(\".pushsection .GCC.command.line,\\\"MS\\\",@progbits,1\\n.asciz \\\"");
	kinst_text_puts(&text, kinst_basename(call->compiler.words.items[call->compiler.words.n - 1]));
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

/* Name each source that could not be instrumented, once; −1 when that is an error. */
static int report_failed(struct call *call)
{
	int failed = 0;

	for (size_t i = 0; i < call->n_sources; i++)
		failed |= kinst_source_report(call->sources + i, &call->context);
	return failed;
}

/* -save-temps: the preprocessed original, where the compiler would leave it. */
static void save_preprocessed(const struct call *call)
{
	for (size_t i = 0; call->command.save && i < call->n_sources; i++) {
		const struct kinst_source *source = call->sources + i;
		enum kinst_language language = source->input->language;
		const char *suffix = language == KINST_C ? ".i" : language == KINST_CXX ? ".ii" :
				     source->input->fixed ? ".f" : ".f90";
		struct kinst_text text = { 0 };
		char *path;

		if ((source->state != KINST_READY && !source->bare) || !source->preprocessed)
			continue;
		path = kinst_command_output(&call->command, source->input, suffix, call->compiler.clang);
		if (!kinst_read_file(source->preprocessed, &text))
			kinst_write_file(path, text.data, text.length);
		kinst_text_free(&text);
		free(path);
	}
}

/* Run the final command; its messages into `err`, or to stderr when that is NULL. */
static int run_final(const struct call *call, int quiet, struct kinst_text *err)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .err = err, .in = call->context.in };
	int status;

	final_words(&words, call, quiet);
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	if (status < 0) {
		kinst_say("kinst: %s: cannot be run: %s\n", call->compiler.words.items[0],
			strerror(-status));
		return 126;
	}
	for (size_t i = 0; !status && call->command.mode == KINST_ASSEMBLE && i < call->n_sources; i++) {
		char *output = kinst_step_output(call->sources + i, &call->context);

		kinst_step_append_notes(call->sources + i, &call->context, output);
		free(output);
	}
	return status;
}

static int any_notes(const struct call *call)
{
	for (size_t i = 0; i < call->n_sources; i++)
		if (kinst_step_has_notes(call->sources + i, &call->context))
			return 1;
	return 0;
}

/* The first status of all sources that is not 0. */
static int judge_all(const struct call *call,
		     int (*judge)(const struct kinst_source *source, const struct kinst_context *context))
{
	int status = 0;

	for (size_t i = 0; i < call->n_sources; i++) {
		int one = judge(call->sources + i, &call->context);

		status = status ? status : one;
	}
	return status;
}

static int speaks_of_linking(const char *text)
{
	return strstr(text, "ld: ") || strstr(text, "collect2: ") || strstr(text, "linker") ||
	       strstr(text, "lto");
}

/* Is there an input that is neither compiled by now nor linked? */
static int anything_left(const struct call *call)
{
	static const char *const linked[] = { ".o", ".a", ".so", ".lo" };
	int left = 0;

	if (call->command.mode == KINST_LINK)
		return 1;
	for (size_t i = 0; i < call->command.n_inputs; i++) {
		const struct kinst_input *input = call->command.inputs + i;
		int object = 0;

		for (size_t s = 0; s < sizeof(linked) / sizeof(*linked); s++)
			object |= kinst_ends(call->command.words[input->word].text, linked[s]);
		left |= input->language == KINST_FOREIGN && !object;
	}
	return left;
}

/* The objects of ours that tell the program what was linked. */
static void add_extra(struct call *call)
{
	struct kinst_link_files *files = &call->files;

	for (size_t i = 0; i < call->n_sources; i++) {
		files->any_hooked |= call->sources[i].hooks != KINST_HOOKS_OFF;
		files->n_hooked += call->sources[i].hooks != KINST_HOOKS_OFF;
		if (call->sources[i].unseen)
			kinst_link_unseen(files, call->sources[i].name, call->sources[i].unseen);
		if (call->sources[i].hooks == KINST_HOOKS_OFF)
			kinst_words_add(&files->unhooked, call->sources[i].name);
	}
	if (!call->link)
		return;
	if (call->options.functions && *call->options.functions)
		kinst_extra_functions(&call->extra, &call->context);
	if (files->any_hooked && !kinst_hooks_libtsan(&call->command)) {
		call->hooks = call->compiler.cxx ? KINST_LINK_CXX_HOOKS : KINST_LINK_HOOKS;
		kinst_extra_files(&call->extra, &call->context, files);
	} else if (files->any_hooked) {
		fputs("kinst: access hooks: not linked: -fsanitize=thread is given; no access is counted\n",
		      stderr);
		kinst_extra_no_hooks(&call->extra, &call->context);
	}
}

/* Compile each source by itself, as hooks need it, and do the rest. */
static int build_apart(struct call *call)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .in = call->context.in };
	int status = 0;

	for (size_t i = 0; i < call->n_sources; i++) {
		int one = 0;

		if (call->options.dry_run)
			kinst_step_print(call->sources + i, &call->context, call->objects[i]);
		else
			one = kinst_step_compile(call->sources + i, &call->context, call->objects[i]);
		status = status ? status : one;
	}
	if (status || !anything_left(call))
		return status;
	add_extra(call);
	rest_words(&words, call);
	if (call->options.dry_run)
		kinst_process_print(&words, 1);
	else
		status = kinst_process_run(&run);
	kinst_words_free(&words);
	return status < 0 ? 126 : status;
}

/* Has a source what compilers warn of in the original alone? */
static int loses_warnings(const struct call *call)
{
	int asked = kinst_unsaid_warnings(&call->command, call->compiler.clang), found = 0;

	for (size_t i = 0; asked == KINST_UNSAID_IN_TEXT && i < call->n_sources && !found; i++)
		found = call->sources[i].state == KINST_READY && call->sources[i].input->language != KINST_FORTRAN &&
			kinst_unsaid_in(&call->sources[i].original);
	return found || asked == KINST_UNSAID_ALWAYS;
}

/* What the command made is not to be, as the plain one fails. */
static void remove_outputs(const struct call *call)
{
	struct stat st;

	for (size_t i = 0; i < call->n_sources; i++) {
		char *path = call->command.mode == KINST_LINK ?
				     kinst_strdup(call->command.output ? call->command.output : "a.out") :
				     kinst_step_output(call->sources + i, &call->context);

		if (path && !lstat(path, &st) && S_ISREG(st.st_mode))
			unlink(path);
		free(path);
	}
}

/* The command with no instrumented text in it. */
static int build_originals(struct call *call)
{
	struct kinst_words words = { 0 };
	int status = 0, others;

	final_words(&words, call, 0);
	if (call->options.dry_run) {
		kinst_process_print(&words, 1);
	} else if (call->extra.n || any_text(call) || any_notes(call) || any_words(call)) {
		status = run_final(call, 0, NULL);
		others = judge_all(call, kinst_judge_others);
		if (others && !status)
			remove_outputs(call);
		status = status ? status : others;
	} else {
		status = plain(&words, call->context.in);
	}
	kinst_words_free(&words);
	return status;
}

/* Compile, and link where the command links. */
static int build(struct call *call)
{
	struct kinst_text err = { 0 };
	int status, judged, linking, noisy = 0;

	if (!any_in_state(call, KINST_READY) || call->options.dry_run)
		return build_originals(call);
	for (size_t i = 0; i < call->n_sources; i++)
		noisy |= call->sources[i].noisy;
	kinst_text_puts(&err, "");
	status = run_final(call, 0, &err);
	linking = call->command.mode == KINST_LINK && speaks_of_linking(err.data);
	noisy |= err.length > 0;
	kinst_text_free(&err);
	if (!status && !noisy && !loses_warnings(call))
		return 0;
	judged = judge_all(call, kinst_judge);
	if (judged) {
		if (!status)
			remove_outputs(call);
		return judged;
	}
	if (!status && !linking)
		return 0;
	if (status) {
		for (size_t i = 0; i < call->n_sources; i++)
			if (call->sources[i].state == KINST_READY)
				kinst_judge_calls(call->sources + i, &call->context);
		if (report_failed(call))
			return 1;
	}
	return run_final(call, 1, NULL);
}

/* Keep standard input, which several steps read. */
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

/* ompp.h is found as if it were in a system folder, also by sources that are compiled as they are. */
static void add_include_folder(const char *folder)
{
	static const char *const variables[] = { "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH" };

	if (!strcmp(folder, "/usr/include") || !strcmp(folder, "/usr/local/include"))
		return;
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *old = getenv(variables[i]);
		char *value = old && *old ? kinst_format("%s:%s", old, folder) : kinst_strdup(folder);

		setenv(variables[i], value, 1);
		free(value);
	}
}

/* Do sources get hooks, so that each is compiled by itself?  Where do they go? */
static int choose_objects(struct call *call)
{
	int hooks = 0;

	for (size_t i = 0; i < call->n_sources; i++)
		hooks |= call->sources[i].hooks != KINST_HOOKS_OFF;
	if (!hooks)
		return 0;
	call->objects = kinst_alloc(call->n_sources * sizeof(*call->objects));
	for (size_t i = 0; i < call->n_sources; i++) {
		call->objects[i] = kinst_step_output(call->sources + i, &call->context);
		if (!call->objects[i])
			return -1;
	}
	return 1;
}

static int compile(struct call *call, const struct kinst_words *words)
{
	struct kinst_command *command = &call->command;
	struct kinst_context *context = &call->context;
	int broken = 0, apart, one_output;

	context->options = &call->options;
	context->compiler = &call->compiler;
	context->command = command;
	context->directory = call->directory = getcwd(NULL, 0);
	context->prologue = call->prologue = recorded_flags(call);
	context->include = call->include = kinst_folders_include();
	context->library = call->library = kinst_folders_library();
	context->in = -1;
	if (!context->directory)
		context->directory = ".";
	add_include_folder(context->include);
	call->sources = kinst_alloc((command->n_sources + 1) * sizeof(*call->sources));
	for (size_t i = 0; i < command->n_inputs; i++) {
		const struct kinst_input *input = command->inputs + i;
		struct kinst_source *source = call->sources + call->n_sources;

		if (input->language == KINST_FOREIGN)
			continue;
		if (!strcmp(command->words[input->word].text, "-") && context->in < 0)
			context->in = keep_input();
		source->input = input;
		kinst_source_prepare(source, context);
		broken |= source->broken;
		call->n_sources++;
	}
	one_output = command->mode == KINST_LINK || !command->output || call->n_sources <= 1;
	if ((broken || !one_output) && !call->options.dry_run)
		return plain(words, context->in);
	if (report_failed(call))
		return 1;
	apart = choose_objects(call);
	if (apart < 0)
		return plain(words, context->in);
	if (command->mode == KINST_LINK && !command->relocatable && !call->options.off) {
		kinst_link_look(&call->files, command);
		call->link = apart || any_in_state(call, KINST_READY) || any_notes(call) || call->options.functions ||
			     any_calls(call) || call->files.any_hooked || kinst_link_needed(command);
	}
	if (apart)
		return build_apart(call);
	if (!call->link && !any_text(call) && !any_words(call) && !any_notes(call) && !call->options.functions &&
	    !call->options.dry_run)
		return plain(words, context->in);
	add_extra(call);
	return build(call);
}

static void fini(struct call *call)
{
	for (size_t i = 0; i < call->n_sources; i++)
		kinst_source_free(call->sources + i);
	for (size_t i = 0; call->objects && i < call->n_sources; i++)
		free(call->objects[i]);
	free(call->objects);
	free(call->sources);
	kinst_words_free(&call->files.unhooked);
	kinst_text_free(&call->files.unseen);
	kinst_words_free(&call->extra);
	free(call->directory);
	free(call->prologue);
	free(call->include);
	free(call->library);
	kinst_options_free(&call->options);
	kinst_command_free(&call->command);
	kinst_compiler_free(&call->compiler);
}

/* `words`: the compiler and its arguments, nothing of ours. */
static int run(struct call *call, struct kinst_words *words)
{
	const struct kinst_options *options = &call->options;
	struct kinst_words arguments = { 0 };
	const char *off = getenv("KINST");
	int error, status;

	if (options->help)
		return fputs(kinst_options_help(), stdout) < 0;
	if (options->version)
		return printf("kinst %s\n", PACKAGE_VERSION) < 0;
	if (!words->n) {
		fputs("kinst: no compiler: nothing to do; write kinst gcc ARGUMENTS, or kinst --help\n",
		      stderr);
		return 2;
	}
	if (off && *off && strcmp(off, "off") && strcmp(off, "on"))
		kinst_say("kinst: KINST=%s: unknown value; write off or on, which it is now\n", off);
	if (kinst_compiler_find(&call->compiler, words))
		return plain(words, -1);
	for (size_t i = call->compiler.words.n; i < words->n; i++)
		kinst_words_add(&arguments, words->items[i]);
	error = kinst_command_read(&call->command, &arguments, call->compiler.cxx);
	kinst_words_free(&arguments);
	if (error || call->command.mode == KINST_OTHER ||
	    (!call->command.n_inputs && !call->command.libraries))
		return plain(words, -1);
	if (off && !strcmp(off, "off")) {
		kinst_options_free(&call->options);
		call->options = (struct kinst_options){ .off = 1 };
		if (!call->command.n_sources || !kinst_original_matters(&call->compiler, &call->command))
			return plain(words, -1);
	} else if (kinst_command_define(&call->command, "-D__KINST__")) {
		kinst_words_add(words, "-D__KINST__");
	}
	kinst_temp_seed(words);
	if (options->keep)
		kinst_temp_keep();
	kinst_process_init(options->dry_run ? 1 : options->verbose ? 2 : -1);
	status = compile(call, words);
	if (options->keep && kinst_temp_dir())
		kinst_say("kinst: temporary files: kept in %s\n", kinst_temp_dir());
	if (!status && !options->dry_run)
		save_preprocessed(call);
	return status;
}

int main(int argc, char **argv)
{
	struct kinst_words words = { 0 };
	struct call call = { 0 };
	int status = 2;

	(void)argc;
	if (!kinst_options_read(&call.options, &words, argv[0], argv + 1, getenv("KINST_FLAGS")))
		status = run(&call, &words);
	fini(&call);
	kinst_words_free(&words);
	return status;
}
