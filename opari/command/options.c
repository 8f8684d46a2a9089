/*
 * Options: see options.h.
 */
#include "opari/command/options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "opari/base/say.h"
#include "opari/command/command.h"
#include "opari/command/compiler.h"
#include "runtime/base/array.h"
#include "runtime/base/nearest.h"

enum value { NONE, OPTIONAL, REQUIRED };

static const struct {
	const char *name;
	enum value value;
	size_t offset; /* where the value is: an int, or for an option with a value a const char * */
} table[] = {
	{ "keep", NONE, offsetof(struct kinst_options, keep) },
	{ "dry-run", NONE, offsetof(struct kinst_options, dry_run) },
	{ "verbose", NONE, offsetof(struct kinst_options, verbose) },
	{ "strict", NONE, offsetof(struct kinst_options, strict) },
	{ "help", NONE, offsetof(struct kinst_options, help) },
	{ "version", NONE, offsetof(struct kinst_options, version) },
	{ "disable", REQUIRED, offsetof(struct kinst_options, disable_list) },
	{ "engine", REQUIRED, offsetof(struct kinst_options, engine) },
	{ "simd", NONE, offsetof(struct kinst_options, simd) },
	{ "functions", OPTIONAL, offsetof(struct kinst_options, functions) },
	{ "access", OPTIONAL, offsetof(struct kinst_options, access) },
	{ "no-access", NONE, offsetof(struct kinst_options, no_access) },
	{ "work", NONE, offsetof(struct kinst_options, work) },
	{ "iterations", NONE, offsetof(struct kinst_options, iterations) },
	{ "opt-info", NONE, offsetof(struct kinst_options, opt_info) },
	{ "stamp", OPTIONAL, offsetof(struct kinst_options, stamp) },
	{ "build-plugin", REQUIRED, offsetof(struct kinst_options, build_plugin) },
};

#define N_OPTIONS OMPP_COUNT_OF(table)

const char *kinst_options_help(void)
{
	return "Usage: kinst [OPTION]... COMPILER [ARGUMENT]...\n"
	       "       kinst-gcc, kinst-g++, kinst-gfortran, kinst-clang, kinst-clang++ [ARGUMENT]...\n"
	       "Runs a compiler so that the program it builds profiles its OpenMP regions.\n"
	       "\n"
	       "  --keep            keep the temporary files and print where they are\n"
	       "  --dry-run         print the steps without running them\n"
	       "  --verbose         print each step as it runs\n"
	       "  --strict          treat a file that cannot be instrumented as an error\n"
	       "  --disable=LIST    leave out constructs, e.g. omp:atomic,flush (opari2's list); pomp: user regions\n"
	       "  --engine=opari2   let opari2 insert the calls instead of kinst\n"
	       "  --simd            measure simd loops as regions, too\n"
	       "  --iterations      tell each iteration of loops, for OMPP_WHAT_IF (what another schedule gains)\n"
	       "  --functions[=LIST]  measure functions as regions, too: all, or those in LIST\n"
	       "  --access          count the loads and stores of all sources; without it, of those that\n"
	       "                    name data (inst data)\n"
	       "  --access=hooks    count with one call for each access, never whole loops at once\n"
	       "  --access=source   count each reference in the source as the text executes it\n"
	       "  --no-access       count no loads and stores\n"
	       "  --work            count floating-point and integer operations\n"
	       "  --opt-info        save which loops the compiler vectorised, or why not, for reports\n"
	       "  --stamp[=TEXT]    keep in the program, for its profiles, what git describe says of the\n"
	       "                    working directory, or TEXT (ompp history orders by it)\n"
	       "  --build-plugin=COMPILER  build the plug-in that counts whole loops and operations for\n"
	       "                    another gcc or clang\n"
	       "  --help, -h, --version\n"
	       "\n"
	       "Written as --kinst-keep etc., these options may stand anywhere on the command line; in the\n"
	       "variable KINST_FLAGS they apply to every call.  KINST=off turns kinst into the plain compiler.\n";
}

static const char *option_name(size_t i)
{
	return i < N_OPTIONS ? table[i].name : NULL;
}

static void options_complain(const char *word, const char *prefix, const char *name, size_t length)
{
	const char *nearest = ompp_nearest(name, length, option_name, ompp_nearest_most(length));

	if (nearest)
		kinst_say("kinst: %s: unknown option; did you mean %s%s?\n", word, prefix, nearest);
	else
		kinst_say("kinst: %s: unknown option; kinst --help lists them\n", word);
}

static const char *access_value(size_t i)
{
	static const char *const values[] = { "hooks", "source", NULL };

	return values[i];
}

/* Checks --access and --no-access, of which the last one holds.  Returns 0, or -1 after a message. */
static int check_access(struct kinst_options *options, const char *word, const char *name)
{
	const char *nearest;

	if (!strcmp(name, "no-access")) {
		options->access = NULL;
		return 0;
	}
	options->no_access = 0;
	if (!*options->access)
		return 0;
	for (size_t i = 0; access_value(i); i++)
		if (!strcmp(options->access, access_value(i)))
			return 0;
	nearest = ompp_nearest(options->access, strlen(options->access), access_value,
	                       ompp_nearest_most(strlen(options->access)));
	if (nearest)
		kinst_say("kinst: %s: unknown value; did you mean %s?\n", word, nearest);
	else
		kinst_say("kinst: %s: unknown value; write --access, --access=hooks or --access=source\n", word);
	return -1;
}

/* Returns what stands for the value in a message. */
static const char *example_of(size_t i)
{
	return !strcmp(table[i].name, "build-plugin") ? "gcc" : !strcmp(table[i].name, "engine") ? "opari2" : "LIST";
}

/* Sets the option that a word names behind its prefix.  Returns 0, or -1 after a message. */
static int options_set(struct kinst_options *options, const char *word, const char *prefix)
{
	const char *name = word + strlen(prefix), *equals = strchrnul(name, '=');
	size_t length = (size_t)(equals - name);

	for (size_t i = 0; i < N_OPTIONS; i++) {
		void *field = (char *)options + table[i].offset;

		if (strlen(table[i].name) != length || memcmp(table[i].name, name, length))
			continue;
		if (*equals && table[i].value == NONE) {
			kinst_say("kinst: %s: this option takes no value; write %s%s\n", word, prefix, table[i].name);
			return -1;
		}
		if (table[i].value == REQUIRED && !equals[0]) {
			kinst_say("kinst: %s: the value is missing; write %s=%s\n", word, word, example_of(i));
			return -1;
		}
		if (table[i].value == NONE)
			*(int *)field = 1;
		else
			*(const char **)field = *equals ? equals + 1 : "";
		return kinst_ends(table[i].name, "access") ? check_access(options, word, table[i].name) : 0;
	}
	options_complain(word, prefix, name, length);
	return -1;
}

/* Returns the tool that a name of ours stands for.  CMake chooses kinst-llvm-ar because it exists; if llvm-ar does not
 * exist, the tool is ar. */
static const char *tool_of(const char *name)
{
	return kinst_begins(name, "llvm-") && !kinst_is_program(name) ? name + strlen("llvm-") : name;
}

int kinst_options_read(struct kinst_options *options, struct kinst_words *command, const char *program,
                       char **arguments, const char *environment)
{
	const char *name = kinst_basename(program);

	*options = (struct kinst_options){ 0 };
	kinst_words_split(&options->environment, environment ? environment : "");
	for (size_t i = 0; i < options->environment.n; i++) {
		const char *word = options->environment.items[i];

		if (!kinst_begins(word, "--")) {
			kinst_say("kinst: KINST_FLAGS: %s: not an option of kinst; kinst --help lists them\n", word);
			return -1;
		}
		if (options_set(options, word, kinst_begins(word, "--kinst-") ? "--kinst-" : "--"))
			return -1;
	}
	if (kinst_begins(name, "kinst-"))
		kinst_words_add(command, tool_of(name + strlen("kinst-")));
	for (; *arguments; arguments++) {
		const char *word = *arguments;
		int error = 0;

		if (kinst_begins(word, "--kinst-"))
			error = options_set(options, word, "--kinst-");
		else if (!command->n && !strcmp(word, "-h"))
			options->help = 1;
		else if (!command->n && kinst_begins(word, "-"))
			error = options_set(options, word, kinst_begins(word, "--") ? "--" : "-");
		else
			kinst_words_add(command, word);
		if (error)
			return error;
	}
	if (options->disable_list)
		return kinst_disable_read(&options->disable, options->disable_list);
	return 0;
}

/* Says it of one word, if it is such an option.  compiler: the first word of the command */
static void hint_word(const char *word, const char *compiler)
{
	static const char known[] = " help version verbose "; /* to compilers, too */
	const char *name = word + strlen("--");
	size_t length = kinst_begins(word, "--") ? strcspn(name, "=") : 0;

	for (size_t k = 0; length && k < N_OPTIONS; k++) {
		int lacks = table[k].value == REQUIRED && !name[length];
		const char *equals = lacks ? "=" : "", *value = lacks ? example_of(k) : "";
		char spaced[32];

		snprintf(spaced, sizeof(spaced), " %s ", table[k].name);
		if (strlen(table[k].name) == length && !memcmp(table[k].name, name, length) && !strstr(known, spaced))
			kinst_say("kinst: %s: behind a compiler it is that one's option; write kinst %s%s%s %s, or "
			          "--kinst-%s%s%s\n",
			          word, word, equals, value, compiler, name, equals, value);
	}
}

void kinst_options_hint(const struct kinst_words *words, int clang)
{
	for (size_t i = 1; i < words->n && strcmp(words->items[i], "--") != 0; i++) {
		hint_word(words->items[i], words->items[0]);
		i += (size_t)kinst_command_takes_next(words->items[i], clang);
	}
}

int kinst_options_check_engine(const struct kinst_options *options, const char *(*name)(size_t i))
{
	const char *engine = options->engine, *nearest;
	struct kinst_text names = { 0 };

	for (size_t i = 0; engine && name(i); i++)
		if (!strcmp(engine, name(i)))
			return 0;
	if (!engine)
		return 0;
	nearest = ompp_nearest(engine, strlen(engine), name, ompp_nearest_most(strlen(engine)));
	if (nearest) {
		kinst_say("kinst: --engine=%s: unknown value; did you mean %s?\n", engine, nearest);
		return -1;
	}
	for (size_t i = 0; name(i); i++)
		kinst_text_printf(&names, "%s--engine=%s", i ? " or " : "", name(i));
	kinst_say("kinst: --engine=%s: unknown value; write %s\n", engine, names.data);
	kinst_text_free(&names);
	return -1;
}

void kinst_options_free(struct kinst_options *options)
{
	kinst_disable_free(&options->disable);
	kinst_words_free(&options->environment);
}
