/*
 * Cache key: see cache_key.h.
 */
#include "opari/build/cache_key.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opari/base/folders.h"
#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/command/machine.h"
#include "opari/hooks/loops.h"
#include "runtime/base/array.h"

int kinst_cache_key_is_wanted(const struct kinst_command *command)
{
	char *link = kinst_format("/proc/%ld/exe", (long)getppid()), program[4096];
	ssize_t n = readlink(link, program, sizeof(program) - 1);
	int preprocesses = 0;

	free(link);
	program[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < command->n_words; i++)
		preprocesses |= !strcmp(command->words[i].text, "-E");
	return preprocesses && kinst_begins(kinst_basename(program), "ccache");
}

/* Adds when a file was changed, and its size. */
static void add_file(struct kinst_text *key, const char *path)
{
	struct stat st;
	char *part;

	if (!path || stat(path, &st))
		return;
	part = kinst_format(" %lld.%09ld %lld", (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
	                    (long long)st.st_size);
	kinst_text_puts(key, part);
	free(part);
}

#define SEPARATOR "%," /* add_clean() never writes it */

/* Adds a text without characters that a line marker cannot have in its name. */
static void add_clean(struct kinst_text *key, const char *text)
{
	for (; *text; text++) {
		char *code = kinst_format(strchr("\"\\<>\n%", *text) ? "%%%02x" : "%c", (unsigned char)*text);

		kinst_text_puts(key, code);
		free(code);
	}
}

/* Adds the words of KINST_FLAGS, each with a separator behind it, but --stamp, which is kept when linking alone: with
 * it in the key, each commit would compile everything again. */
static void add_flags(struct kinst_text *key, const char *flags)
{
	struct kinst_words words = { 0 };

	kinst_words_split(&words, flags);
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.items[i], *name = word + (kinst_begins(word, "--kinst-") ? 8 : 2);

		if (kinst_begins(word, "--") && kinst_begins(name, "stamp") && (!name[5] || name[5] == '='))
			continue;
		add_clean(key, word);
		kinst_text_puts(key, SEPARATOR);
	}
	kinst_words_free(&words);
}

/* Adds the command's machine if no libompp is for it: what is compiled is plain until there is one. */
static void add_machine(struct kinst_text *key, const struct kinst_compiler *compiler,
                        const struct kinst_command *command)
{
	char *library = kinst_machine_library(compiler, command);
	char *other = kinst_machine_other(compiler, command, library);

	if (other) {
		kinst_text_puts(key, SEPARATOR);
		add_clean(key, other);
	}
	free(other);
	free(library);
}

/* Makes the name of the marker: all that the objects of one source depend on, and that ccache does not look at. */
static void make_key(struct kinst_text *key, const struct kinst_compiler *compiler, const struct kinst_command *command)
{
	static const char *const names[] = { "KINST", "KINST_FLAGS", "KINST_LIBDIR", "KINST_INCLUDEDIR",
		                             "KINST_PLUGINDIR" };
	char *plugin = kinst_loops_find(compiler);

	kinst_text_puts(key, compiler->build ? compiler->build : "");
	add_file(key, "/proc/self/exe");
	add_file(key, plugin);
	add_machine(key, compiler, command);
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		const char *value = getenv(names[i]);

		if (!value)
			continue;
		kinst_text_puts(key, SEPARATOR);
		kinst_text_puts(key, names[i]);
		kinst_text_puts(key, "=");
		if (!strcmp(names[i], "KINST_FLAGS"))
			add_flags(key, value);
		else
			add_clean(key, value);
	}
	free(plugin);
}

int kinst_cache_key_preprocess(const struct kinst_words *words, const struct kinst_compiler *compiler,
                               const struct kinst_command *command)
{
	struct kinst_run run = { .words = words, .in = -1 };
	int status = kinst_process_run(&run), fd = 1;
	struct kinst_text key = { 0 };

	if (status < 0) {
		kinst_say("kinst: %s: cannot be run: %s\n", words->items[0], strerror(-status));
		return 126;
	}
	if (command->output && strcmp(command->output, "-") != 0)
		fd = open(command->output, O_WRONLY | O_APPEND | O_CLOEXEC);
	kinst_text_puts(&key, "# 1 \"/dev/null\"\n# 1 \"<kinst ");
	make_key(&key, compiler, command);
	kinst_text_puts(&key, ">\"\n");
	if (!status && fd >= 0 && write(fd, key.data, key.length) != (ssize_t)key.length)
		status = 1;
	if (fd > 1)
		close(fd);
	kinst_text_free(&key);
	return status;
}
