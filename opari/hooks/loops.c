/*
 * Loops: see loops.h.
 */
#include "opari/hooks/loops.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opari/base/folders.h"
#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/command/machine.h"
#include "runtime/base/array.h"

/* Returns the folder for a user's own plug-ins, which the caller frees; NULL without a home folder. */
static char *home_folder(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (data && *data == '/')
		return kinst_format("%s/kinst", data);
	return home && *home == '/' ? kinst_format("%s/.local/share/kinst", home) : NULL;
}

/* Returns the path of a compiler's plug-in in a folder, there or not. */
static char *path_in(const char *folder, const struct kinst_compiler *compiler)
{
	return kinst_format("%s/loops_%s.so", folder, compiler->build);
}

/* Sets the folders in which plug-ins are, which the caller frees; the second one may be NULL. */
static void plugin_folders(char *folders[2])
{
	char *library = kinst_folders_library();

	folders[0] = kinst_format("%s/kinst", library);
	folders[1] = home_folder();
	free(library);
}

char *kinst_loops_find(const struct kinst_compiler *compiler)
{
	char *folders[2], *path = NULL;

	plugin_folders(folders);
	for (size_t i = 0; i < 2; i++) {
		if (!path && compiler->build && folders[i]) {
			path = path_in(folders[i], compiler);
			if (access(path, R_OK)) {
				free(path);
				path = NULL;
			}
		}
		free(folders[i]);
	}
	return path;
}

int kinst_loops_optimised(const struct kinst_command *command)
{
	const char *level = "0";

	for (size_t i = 0; i < command->n_words; i++)
		if (kinst_begins(command->words[i].text, "-O"))
			level = command->words[i].text + strlen("-O");
	return strcmp(level, "0") != 0;
}

/* Adds two words, the second one made of a format. */
static void add_pair(struct kinst_words *words, const char *first, const char *format, const char *value)
{
	char *word = kinst_format(format, value);

	kinst_words_pair(words, first, word);
	free(word);
}

/* Returns 0 when the user switches a pass off: the last option about it is -fno-NAME or -fno-tree-NAME. */
static int loops_wants(const struct kinst_command *command, const char *name)
{
	int on = 1;

	for (size_t i = 0; i < command->n_words; i++) {
		const char *text = command->words[i].text, *rest = text + strlen("-f");
		int no;

		if (!kinst_begins(text, "-f"))
			continue;
		no = kinst_begins(rest, "no-");
		rest += no ? strlen("no-") : 0;
		rest += kinst_begins(rest, "tree-") ? strlen("tree-") : 0;
		if (!strcmp(rest, name))
			on = !no;
	}
	return on;
}

/* clang loads a plug-in in two ways: first for its options, and then for its pass.  kinst disables vectorisation before
 * the hooks are put in; the plug-in vectorises after that, unless the user has disabled it. */
static void add_for_clang(struct kinst_words *words, const struct kinst_command *command, const char *plugin,
                          unsigned int counts, const char *uncounted)
{
	char *word;

	kinst_words_pair(words, "-Xclang", "-load");
	kinst_words_pair(words, "-Xclang", plugin);
	word = kinst_format("-fpass-plugin=%s", plugin);
	kinst_words_add(words, word);
	free(word);
	if (counts & KINST_LOOPS_WORK)
		kinst_words_pair(words, "-mllvm", counts & KINST_LOOPS_ACCESSES ? "-kinst-work" : "-kinst-only-work");
	if (!(counts & KINST_LOOPS_ACCESSES))
		return;
	if (uncounted)
		add_pair(words, "-mllvm", "-kinst-uncounted=%s", uncounted);
	if (!loops_wants(command, "vectorize"))
		kinst_words_pair(words, "-mllvm", "-kinst-vectorize=0");
	if (!loops_wants(command, "slp-vectorize"))
		kinst_words_pair(words, "-mllvm", "-kinst-slp=0");
}

/* Adds an argument of gcc's plug-in. */
static void add_argument(struct kinst_words *words, const char *plugin, const char *argument)
{
	const char *base = kinst_basename(plugin);
	char *word = kinst_format("-fplugin-arg-%.*s-%s", (int)(strlen(base) - strlen(".so")), base, argument);

	kinst_words_add(words, word);
	free(word);
}

static void add_for_gcc(struct kinst_words *words, const char *plugin, unsigned int counts, const char *uncounted)
{
	char *word = kinst_format("-fplugin=%s", plugin);

	kinst_words_add(words, word);
	free(word);
	if (counts & KINST_LOOPS_WORK)
		add_argument(words, plugin, counts & KINST_LOOPS_ACCESSES ? "work" : "work=only");
	if (!(counts & KINST_LOOPS_ACCESSES))
		return;
	if (uncounted) {
		word = kinst_format("uncounted=%s", uncounted);
		add_argument(words, plugin, word);
		free(word);
	}
	/* Automatic parallelisation would move loops into new functions, with hooks. */
	kinst_words_add(words, "-ftree-parallelize-loops=1");
}

int kinst_loops_messages(const struct kinst_command *command)
{
	static const char *const later[] = { "-Wstack-usage",
		                             "-Wframe-larger-than",
		                             "-Wdisabled-optimization",
		                             "-Wunsafe-loop-optimizations",
		                             "-Wstrict-overflow",
		                             "-fopt-info",
		                             "-fdump-",
		                             "-d",
		                             "-fstack-usage",
		                             "-fcallgraph-info",
		                             "-save-temps",
		                             "--save-temps",
		                             "-fplugin",
		                             "-Q",
		                             "-ftime-report",
		                             "-fmem-report",
		                             "-flto" };

	for (size_t i = 0; i < command->n_words; i++)
		for (size_t k = 0; k < OMPP_COUNT_OF(later); k++)
			if (kinst_begins(command->words[i].text, later[k]))
				return 0;
	return 1;
}

/* Returns 1 when the command asks for no warnings but those that the compiler has by itself. */
static int warns_by_default(const struct kinst_command *command)
{
	static const char *const others[] = { "-Wno-", "-Wl,", "-Wp,", "-Wa," };

	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;
		int other = !kinst_begins(word, "-W") && !kinst_begins(word, "--warn") &&
		            !kinst_begins(word, "-pedantic") && !kinst_begins(word, "@");

		for (size_t k = 0; k < OMPP_COUNT_OF(others) && !other; k++)
			other = kinst_begins(word, others[k]) || !strcmp(word, "-Werror");
		if (!other)
			return 0;
	}
	return 1;
}

void kinst_loops_add_messages(struct kinst_words *words, const struct kinst_compiler *compiler,
                              const struct kinst_command *command, const char *plugin)
{
	char *word;

	if (compiler->clang)
		return;
	word = kinst_format("-fplugin=%s", plugin);
	kinst_words_add(words, word);
	free(word);
	add_argument(words, plugin, warns_by_default(command) ? "messages=default" : "messages");
}

void kinst_loops_add(struct kinst_words *words, const struct kinst_compiler *compiler,
                     const struct kinst_command *command, const char *plugin, unsigned int counts,
                     const char *uncounted)
{
	if (compiler->clang)
		add_for_clang(words, command, plugin, counts, uncounted);
	else
		add_for_gcc(words, plugin, counts, uncounted);
}

/* Runs a program with one more argument.  Returns the first line of its output, or NULL. */
static char *loops_ask(const struct kinst_words *program, const char *word)
{
	struct kinst_words question = { 0 };
	struct kinst_text answer = { 0 }, rest = { 0 };
	struct kinst_run run = { .words = &question, .out = &answer, .err = &rest, .in = -1 };
	char *line = NULL;

	kinst_words_append(&question, program);
	kinst_words_add(&question, word);
	kinst_text_puts(&answer, "");
	if (!kinst_process_run(&run))
		line = kinst_format("%.*s", (int)strcspn(answer.data, "\n"), answer.data);
	kinst_words_free(&question);
	kinst_text_free(&answer);
	kinst_text_free(&rest);
	return line;
}

/* Returns a folder when a header can be read in it; frees it and returns NULL otherwise. */
static char *folder_with(char *folder, const char *name)
{
	char *header = folder ? kinst_format("%s/%s", folder, name) : NULL;

	if (header && access(header, R_OK)) {
		free(folder);
		folder = NULL;
	}
	free(header);
	return folder;
}

/* Returns where a llvm-config says that the headers are; NULL when it is not there, or of another version. */
static char *headers_by(const char *program, const char *version)
{
	struct kinst_words words = { 0 };
	char *own, *folder = NULL;

	kinst_words_add(&words, program);
	own = loops_ask(&words, "--version");
	if (own && !strcmp(own, version))
		folder = loops_ask(&words, "--includedir");
	free(own);
	kinst_words_free(&words);
	return folder;
}

/* clang knows the folder of the programs of its version; llvm-config knows that of the headers. */
static char *headers_of_clang(const struct kinst_compiler *compiler)
{
	char *version = kinst_strdup(compiler->build + strlen("clang_")), *folder = NULL;
	char *names[2];

	*strrchr(version, '_') = '\0';
	for (char *p = version; (p = strchr(p, '_'));)
		*p = '.';
	names[0] = kinst_format("-print-prog-name=llvm-config-%.*s", (int)strcspn(version, "."), version);
	names[1] = kinst_strdup("-print-prog-name=llvm-config");
	for (size_t i = 0; i < 2; i++) {
		char *program = folder ? NULL : loops_ask(&compiler->words, names[i]);

		if (program)
			folder = folder_with(headers_by(program, version), "llvm/Passes/PassBuilder.h");
		free(program);
		free(names[i]);
	}
	free(version);
	return folder;
}

/* Asks a compiler where its headers for plug-ins are.  Returns NULL when it does not know. */
static char *headers_of(const struct kinst_compiler *compiler)
{
	char *folder, *answer;

	if (compiler->clang)
		return headers_of_clang(compiler);
	answer = loops_ask(&compiler->words, "-print-file-name=plugin");
	folder = answer ? folder_with(kinst_format("%s/include", answer), "gcc-plugin.h") : NULL;
	free(answer);
	return folder;
}

/* Adds the sources in a folder.  Returns how many there are. */
static size_t add_sources(struct kinst_words *words, const char *folder)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;
	size_t n = 0;

	while (directory && (entry = readdir(directory)))
		if (kinst_ends(entry->d_name, ".cc")) {
			char *path = kinst_format("%s/%s", folder, entry->d_name);

			kinst_words_add(words, path);
			free(path);
			n++;
		}
	if (directory)
		closedir(directory);
	return n;
}

/* Makes a folder, and those above it.  Returns 0, or -errno. */
static int make_folder(const char *path)
{
	char *above = kinst_strdup(path), *slash = strrchr(above, '/');
	int e = 0;

	if (mkdir(path, 0777) && errno != EEXIST) {
		e = -errno;
		if (e == -ENOENT && slash && slash != above) {
			*slash = '\0';
			e = make_folder(above);
			if (!e && mkdir(path, 0777) && errno != EEXIST)
				e = -errno;
		}
	}
	free(above);
	return e;
}

/* Returns the first of these folders that can be written to; NULL when none can be. */
static char *writable_folder(void)
{
	char *folders[2], *found = NULL;

	plugin_folders(folders);
	for (size_t i = 0; i < 2; i++)
		if (!found && folders[i] && !make_folder(folders[i]) && !access(folders[i], W_OK))
			found = folders[i];
		else
			free(folders[i]);
	return found;
}

/* Compiles the sources of a folder to a plug-in.  Returns the compiler's status, or an error after a message. */
static int loops_compile(const struct kinst_compiler *compiler, const char *headers, const char *sources,
                         const char *plugin)
{
	static const char *const options[] = { "-x", "c++", "-fno-rtti", "-fno-exceptions", "-O2", "-fPIC", "-shared" };
	char *temporary = kinst_format("%s.%ld", plugin, (long)getpid());
	char *common = kinst_format("%s/..", sources); /* what both plug-ins include */
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .in = -1 };
	int status;

	if (kinst_machine_is_this(compiler))
		kinst_words_append(&words, &compiler->words);
	else
		kinst_words_add(&words, "g++");
	for (size_t i = 0; i < OMPP_COUNT_OF(options); i++)
		kinst_words_add(&words, options[i]);
	kinst_words_add(&words, compiler->clang ? "-std=gnu++17" : "-std=gnu++14");
	if (!compiler->clang)
		kinst_words_add(&words, "-Wno-literal-suffix");
	kinst_words_pair(&words, "-I", common);
	kinst_words_pair(&words, "-isystem", headers);
	if (!add_sources(&words, sources)) {
		kinst_say("kinst: %s: no sources of the plug-in; set KINST_PLUGINDIR\n", sources);
		status = 2;
	} else {
		kinst_words_pair(&words, "-o", temporary);
		kinst_words_add(&words, "-lstdc++");
		status = kinst_process_run(&run);
		if (!status && rename(temporary, plugin))
			status = -errno;
		if (status)
			kinst_say("kinst: %s: cannot be built: %s; the messages above say more\n", plugin,
			          status < 0 ? strerror(-status) : "the compiler failed");
	}
	unlink(temporary);
	kinst_words_free(&words);
	free(temporary);
	free(common);
	return status < 0 ? 126 : status;
}

/* Says that there are no headers of gcc, and which package has them: Debian's names have "-" for "_". */
static void say_no_headers_of_gcc(const struct kinst_compiler *compiler, const char *name)
{
	char *machine = kinst_machine_is_this(compiler) ? NULL : kinst_machine_folder(compiler->target);

	for (char *p = machine; p && (p = strchr(p, '_'));)
		*p = '-';
	kinst_say("kinst: %s: no headers for plug-ins; install them (Debian: gcc-%d-plugin-dev%s%s)\n", name,
	          atoi(compiler->build), machine ? "-" : "", machine ? machine : "");
	free(machine);
}

/* Says that there are no headers, and which package has them. */
static void say_no_headers(const struct kinst_compiler *compiler, const char *name)
{
	const char *build = compiler->build;

	if (!build)
		kinst_say("kinst: %s: no plug-in: the compiler does not tell its version; accesses are counted by "
		          "hooks\n",
		          name);
	else if (compiler->clang)
		kinst_say("kinst: %s: no headers of LLVM; install them (Debian: llvm-%d-dev)\n", name,
		          atoi(build + strlen("clang_")));
	else
		say_no_headers_of_gcc(compiler, name);
}

int kinst_loops_build(const struct kinst_compiler *compiler)
{
	const char *name = compiler->words.items[compiler->words.n - 1];
	char *headers = compiler->build ? headers_of(compiler) : NULL, *top, *sources, *folder, *plugin;
	int status = 2;

	if (compiler->clang && !kinst_machine_is_this(compiler)) {
		kinst_say("kinst: %s: no plug-in: the compiler makes code for another machine, and so would the "
		          "plug-in be; write --build-plugin=clang\n",
		          name);
		free(headers);
		return status;
	}
	if (!headers) {
		say_no_headers(compiler, name);
		return status;
	}
	if (!kinst_machine_is_this(compiler) && !kinst_is_program("g++")) {
		kinst_say("kinst: %s: no plug-in: there is no g++, which builds it; install it (Debian: g++)\n", name);
		free(headers);
		return status;
	}
	top = kinst_folders_plugin();
	sources = kinst_format("%s/%s", top, compiler->clang ? "llvm" : "gcc");
	folder = writable_folder();
	if (folder) {
		plugin = path_in(folder, compiler);
		status = loops_compile(compiler, headers, sources, plugin);
		if (!status)
			kinst_say("kinst: %s: built for %s\n", plugin, name);
		else
			kinst_say("kinst: %s: no plug-in: its sources do not compile with these headers; accesses are "
			          "counted by hooks\n",
			          name);
		free(plugin);
	} else {
		char *library = kinst_folders_library();

		kinst_say("kinst: %s/kinst: cannot be written to, and there is no HOME; set KINST_LIBDIR\n", library);
		free(library);
	}
	free(headers);
	free(top);
	free(sources);
	free(folder);
	return status;
}
