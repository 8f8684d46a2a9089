/*
 * Command: see command.h.  Tables say what gcc, clang and gfortran take.  The order of the words is kept.
 */
#include "opari/command/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "opari/base/kinst_text.h"
#include "opari/base/once.h"
#include "runtime/base/array.h"

/* Options of two words.  A `joined` one may also have its value in the same word. */
static const struct option {
	const char *name;
	enum kinst_word_class class;
	int joined;
} options[] = {
	{ "-o", KINST_WORD_OUTPUT, 1 },
	{ "-x", KINST_WORD_LANGUAGE, 1 },
	{ "-J", KINST_WORD_MODULE, 1 },
	{ "-D", KINST_WORD_PREPROCESS, 1 },
	{ "-U", KINST_WORD_PREPROCESS, 1 },
	{ "-A", KINST_WORD_PREPROCESS, 1 },
	{ "-include", KINST_WORD_PREPROCESS, 1 },
	{ "-imacros", KINST_WORD_PREPROCESS, 1 },
	{ "-Xpreprocessor", KINST_WORD_PREPROCESS, 0 },
	{ "-include-pch", KINST_WORD_PREPROCESS, 0 },
	{ "-isystem", KINST_WORD_FOLDER, 1 },
	{ "-isystem-after", KINST_WORD_REST, 1 },
	{ "-stdlib++-isystem", KINST_WORD_FOLDER, 1 },
	{ "-iframework", KINST_WORD_FOLDER, 1 },
	{ "-iframeworkwithsysroot", KINST_WORD_FOLDER, 1 },
	{ "-iwithsysroot", KINST_WORD_FOLDER, 1 },
	{ "-iquote", KINST_WORD_FOLDER, 1 },
	{ "-idirafter", KINST_WORD_FOLDER, 1 },
	{ "-iprefix", KINST_WORD_FOLDER, 1 },
	{ "-iwithprefixbefore", KINST_WORD_FOLDER, 1 },
	{ "-iwithprefix", KINST_WORD_FOLDER, 1 },
	{ "-isysroot", KINST_WORD_FOLDER, 1 },
	{ "-imultilib", KINST_WORD_FOLDER, 0 },
	{ "-imultiarch", KINST_WORD_FOLDER, 0 },
	{ "-cxx-isystem", KINST_WORD_FOLDER, 0 },
	{ "-I", KINST_WORD_FOLDER, 1 },
	{ "-MF", KINST_WORD_DEPEND, 1 },
	{ "-MT", KINST_WORD_DEPEND, 1 },
	{ "-MQ", KINST_WORD_DEPEND, 1 },
	{ "-MJ", KINST_WORD_DEPEND, 1 },
	{ "-dependency-file", KINST_WORD_REST, 0 },
	{ "-dependency-dot", KINST_WORD_REST, 0 },
	{ "-module-dependency-dir", KINST_WORD_REST, 0 },
	{ "-l", KINST_WORD_LINK, 1 },
	{ "-L", KINST_WORD_LINK, 1 },
	{ "-u", KINST_WORD_LINK, 1 },
	{ "-T", KINST_WORD_LINK, 1 },
	{ "-z", KINST_WORD_LINK, 1 },
	{ "-e", KINST_WORD_LINK, 0 },
	{ "-Xlinker", KINST_WORD_LINK, 0 },
	{ "-rpath", KINST_WORD_LINK, 0 },
	{ "-Tbss", KINST_WORD_LINK, 0 },
	{ "-Tdata", KINST_WORD_LINK, 0 },
	{ "-Ttext", KINST_WORD_LINK, 0 },
	{ "--param", KINST_WORD_REST, 0 },
	{ "-Xassembler", KINST_WORD_REST, 0 },
	{ "-Xclang", KINST_WORD_REST, 0 },
	{ "-mllvm", KINST_WORD_REST, 0 },
	{ "-target", KINST_WORD_REST, 0 },
	{ "-Xanalyzer", KINST_WORD_REST, 0 },
	{ "-Xarch_device", KINST_WORD_REST, 0 },
	{ "-Xarch_host", KINST_WORD_REST, 0 },
	{ "-arcmt-migrate-report-output", KINST_WORD_REST, 0 },
	{ "-ccc-arcmt-migrate", KINST_WORD_REST, 0 },
	{ "-ccc-gcc-name", KINST_WORD_REST, 0 },
	{ "-ccc-install-dir", KINST_WORD_REST, 0 },
	{ "-ccc-objcmt-migrate", KINST_WORD_REST, 0 },
	{ "-dsym-dir", KINST_WORD_REST, 0 },
	{ "-fintrinsic-modules-path", KINST_WORD_REST, 0 },
	{ "-fmodules-user-build-path", KINST_WORD_REST, 0 },
	{ "-resource-dir", KINST_WORD_REST, 0 },
	{ "-b", KINST_WORD_REST, 1 },
	{ "-F", KINST_WORD_FOLDER, 1 },
	{ "-undefined", KINST_WORD_REST, 0 },
	{ "-Xopenmp-target", KINST_WORD_REST, 0 },
	{ "-Xcuda-fatbinary", KINST_WORD_REST, 0 },
	{ "-Xcuda-ptxas", KINST_WORD_REST, 0 },
	{ "-meabi", KINST_WORD_REST, 0 },
	{ "-mthread-model", KINST_WORD_REST, 0 },
	{ "-gen-cdb-fragment-path", KINST_WORD_REST, 0 },
	{ "--analyzer-output", KINST_WORD_REST, 0 },
	{ "-vfsoverlay", KINST_WORD_REST, 0 },
	{ "-arch", KINST_WORD_REST, 0 },
	{ "-aux-info", KINST_WORD_REST, 0 },
	{ "-dumpbase", KINST_WORD_DUMP, 0 },
	{ "-dumpbase-ext", KINST_WORD_DUMP, 0 },
	{ "-dumpdir", KINST_WORD_DUMP, 0 },
	{ "-B", KINST_WORD_REST, 1 },
	{ "-specs", KINST_WORD_REST, 0 },
	{ "--specs", KINST_WORD_REST, 0 },
	{ "-wrapper", KINST_WORD_REST, 0 },
	{ "-gcc-toolchain", KINST_WORD_REST, 0 },
	{ "-G", KINST_WORD_REST, 1 },
	{ "--sysroot", KINST_WORD_REST, 0 },
	{ "-ivfsoverlay", KINST_WORD_REST, 0 },
	{ "-serialize-diagnostics", KINST_WORD_REST, 0 },
	{ "--serialize-diagnostics", KINST_WORD_REST, 0 },
	{ "-working-directory", KINST_WORD_REST, 0 },
	{ "--config", KINST_WORD_REST, 0 },
};

/* Behind this word clang takes all words for inputs. */
#define END_OF_OPTIONS "--"

/* Long spellings, and the short ones.  A value follows as the next word, or behind "=". */
static const struct {
	const char *name, *brief;
	int has_value;
	int gcc_alone; /* clang has only the short one */
} spellings[] = {
	{ "--assemble", "-S", 0, 0 },
	{ "--comments", "-C", 0, 0 },
	{ "--comments-in-macros", "-CC", 0, 0 },
	{ "--compile", "-c", 0, 0 },
	{ "--dependencies", "-M", 0, 0 },
	{ "--no-line-commands", "-P", 0, 0 },
	{ "--no-standard-includes", "-nostdinc", 0, 0 },
	{ "--no-standard-libraries", "-nostdlib", 0, 0 },
	{ "--pie", "-pie", 0, 1 },
	{ "--preprocess", "-E", 0, 0 },
	{ "--print-missing-file-dependencies", "-MG", 0, 0 },
	{ "--shared", "-shared", 0, 0 },
	{ "--static", "-static", 0, 0 },
	{ "--static-pie", "-static-pie", 0, 1 },
	{ "--trace-includes", "-H", 0, 0 },
	{ "--traditional-cpp", "-traditional-cpp", 0, 0 },
	{ "--user-dependencies", "-MM", 0, 0 },
	{ "--write-dependencies", "-MD", 0, 0 },
	{ "--write-user-dependencies", "-MMD", 0, 0 },
	{ "--assert", "-A", 1, 0 },
	{ "--define-macro", "-D", 1, 0 },
	{ "--entry", "-e", 1, 1 },
	{ "--for-assembler", "-Xassembler", 1, 0 },
	{ "--for-linker", "-Xlinker", 1, 0 },
	{ "--force-link", "-u", 1, 0 },
	{ "--imacros", "-imacros", 1, 0 },
	{ "--include", "-include", 1, 0 },
	{ "--include-directory", "-I", 1, 0 },
	{ "--include-directory-after", "-idirafter", 1, 0 },
	{ "--include-prefix", "-iprefix", 1, 0 },
	{ "--include-with-prefix", "-iwithprefix", 1, 0 },
	{ "--include-with-prefix-after", "-iwithprefix", 1, 0 },
	{ "--include-with-prefix-before", "-iwithprefixbefore", 1, 0 },
	{ "--language", "-x", 1, 0 },
	{ "--library-directory", "-L", 1, 0 },
	{ "--output", "-o", 1, 0 },
	{ "--prefix", "-B", 1, 0 },
	{ "--undefine-macro", "-U", 1, 0 },
};

/* Options of one word whose class is not KINST_WORD_REST.  A final * stands for any rest of the word. */
static const struct {
	const char *name;
	enum kinst_word_class class;
} flags[] = {
	{ "-c", KINST_WORD_MODE },
	{ "-S", KINST_WORD_MODE },
	{ "-E", KINST_WORD_MODE },
	{ "-fsyntax-only", KINST_WORD_MODE },
	{ "-emit-ast", KINST_WORD_MODE },
	{ "-emit-interface-stubs", KINST_WORD_MODE },
	{ "-extract-api", KINST_WORD_MODE },
	{ "--precompile", KINST_WORD_MODE },
	{ "-M", KINST_WORD_DEPEND },
	{ "-MM", KINST_WORD_DEPEND },
	{ "-MD", KINST_WORD_DEPEND },
	{ "-MMD", KINST_WORD_DEPEND },
	{ "-MG", KINST_WORD_DEPEND },
	{ "-MP", KINST_WORD_DEPEND },
	{ "-MV", KINST_WORD_DEPEND },
	{ "-Wp,-M*", KINST_WORD_DEPEND },
	{ "-ftime-trace*", KINST_WORD_DEPEND },
	{ "-Wp,*", KINST_WORD_PREPROCESS },
	{ "-H", KINST_WORD_PREPROCESS },
	{ "-P", KINST_WORD_PREPROCESS },
	{ "-C", KINST_WORD_PREPROCESS },
	{ "-CC", KINST_WORD_PREPROCESS },
	{ "-undef", KINST_WORD_PREPROCESS },
	{ "-traditional-cpp", KINST_WORD_PREPROCESS },
	{ "-nostdinc", KINST_WORD_FOLDER },
	{ "-nostdinc++", KINST_WORD_FOLDER },
	{ "-I-", KINST_WORD_FOLDER },
	{ "-Wl,*", KINST_WORD_LINK },
	{ "-shared", KINST_WORD_LINK },
	{ "-static", KINST_WORD_LINK },
	{ "-static-*", KINST_WORD_LINK },
	{ "-shared-libgcc", KINST_WORD_LINK },
	{ "-rdynamic", KINST_WORD_LINK },
	{ "-nostdlib", KINST_WORD_LINK },
	{ "-nodefaultlibs", KINST_WORD_LINK },
	{ "-nostartfiles", KINST_WORD_LINK },
	{ "-r", KINST_WORD_LINK },
	{ "-s", KINST_WORD_LINK },
	{ "-pie", KINST_WORD_LINK },
	{ "-no-pie", KINST_WORD_LINK },
	{ "-fuse-ld=*", KINST_WORD_LINK },
	{ "--ld-path=*", KINST_WORD_LINK },
	{ "-save-temps*", KINST_WORD_SAVE },
	{ "--save-temps*", KINST_WORD_SAVE },
};

/* Words that the compiler, or a wrapper for MPI, answers itself, without compiling. */
static const char *const answers[] = {
	"--version", "--help",    "--target-help", "-dumpversion", "-dumpmachine", "-dumpfullversion", "-dumpspecs",
	"-###",      "--help=",   "-print-",       "--print-",     "-show",        "-showme",          "--showme",
	"-showme:",  "--showme:", "-compile-info", "-link-info",   "-help",        "--help-hidden",    "--autocomplete="
};

static const struct {
	const char *suffix;
	enum kinst_language language;
	int preprocessed, fixed;
} suffixes[] = {
	{ ".c", KINST_C, 0, 0 },         { ".i", KINST_C, 1, 0 },         { ".cc", KINST_CXX, 0, 0 },
	{ ".cp", KINST_CXX, 0, 0 },      { ".cxx", KINST_CXX, 0, 0 },     { ".cpp", KINST_CXX, 0, 0 },
	{ ".CPP", KINST_CXX, 0, 0 },     { ".c++", KINST_CXX, 0, 0 },     { ".C", KINST_CXX, 0, 0 },
	{ ".ii", KINST_CXX, 1, 0 },      { ".f", KINST_FORTRAN, 1, 1 },   { ".for", KINST_FORTRAN, 1, 1 },
	{ ".ftn", KINST_FORTRAN, 1, 1 }, { ".F", KINST_FORTRAN, 0, 1 },   { ".FOR", KINST_FORTRAN, 0, 1 },
	{ ".fpp", KINST_FORTRAN, 0, 1 }, { ".FPP", KINST_FORTRAN, 0, 1 }, { ".FTN", KINST_FORTRAN, 0, 1 },
	{ ".f90", KINST_FORTRAN, 1, 0 }, { ".f95", KINST_FORTRAN, 1, 0 }, { ".f03", KINST_FORTRAN, 1, 0 },
	{ ".f08", KINST_FORTRAN, 1, 0 }, { ".F90", KINST_FORTRAN, 0, 0 }, { ".F95", KINST_FORTRAN, 0, 0 },
	{ ".F03", KINST_FORTRAN, 0, 0 }, { ".F08", KINST_FORTRAN, 0, 0 },
};

static const struct {
	const char *x;
	enum kinst_language language;
	int preprocessed, fixed;
} languages[] = {
	{ "c", KINST_C, 0, 0 },         { "cpp-output", KINST_C, 1, 0 },
	{ "c++", KINST_CXX, 0, 0 },     { "c++-cpp-output", KINST_CXX, 1, 0 },
	{ "f77", KINST_FORTRAN, 1, 1 }, { "f77-cpp-input", KINST_FORTRAN, 0, 1 },
	{ "f95", KINST_FORTRAN, 1, 0 }, { "f95-cpp-input", KINST_FORTRAN, 0, 0 },
};

/*
 * Returns 1 for a response file that kinst reads, and the compiler again.  gcc reads none that it cannot seek in, as a
 * pipe; clang does.
 *
 * error: becomes -ESPIPE where the compiler has to be its only reader
 */
static int is_response(const char *path, int clang, int *error)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	if (!clang)
		return !S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode);
	if (kinst_once_keep(path) == KINST_ONCE_LEFT)
		*error = -ESPIPE;
	return !*error;
}

/*
 * Copies the words, with response files, which may name more of them, in their place.  A response file that cannot be
 * read remains a word, as with gcc.
 */
static int command_expand(struct kinst_words *out, const struct kinst_words *in, int clang, int depth)
{
	int error = depth > 64 ? -ELOOP : 0;

	for (size_t i = 0; i < in->n && !error; i++) {
		struct kinst_text text = { 0 };
		struct kinst_words inner = { 0 };

		if (in->items[i][0] == '@' && is_response(in->items[i] + 1, clang, &error) &&
		    !kinst_read_file(in->items[i] + 1, &text)) {
			kinst_words_split(&inner, text.data);
			error = command_expand(out, &inner, clang, depth + 1);
		} else {
			kinst_words_add(out, in->items[i]);
		}
		kinst_text_free(&text);
		kinst_words_free(&inner);
	}
	return error;
}

static const struct option *find_option(const char *word)
{
	const struct option *found = NULL;

	for (size_t i = 0; i < OMPP_COUNT_OF(options); i++) {
		if (!strcmp(word, options[i].name))
			return options + i;
		/* The longest matching name wins, so that -isystemX is not taken for another option that begins with
		 * -i. */
		if (options[i].joined && kinst_begins(word, options[i].name) &&
		    (!found || strlen(options[i].name) > strlen(found->name)))
			found = options + i;
	}
	return found;
}

/* Adds a word by its short spelling. */
static void add_brief(struct kinst_words *out, const char *word, int clang)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(spellings); i++) {
		size_t n = strlen(spellings[i].name);

		if (strncmp(word, spellings[i].name, n) != 0 || (clang && spellings[i].gcc_alone))
			continue;
		if (!word[n]) {
			kinst_words_add(out, spellings[i].brief);
			return;
		}
		if (spellings[i].has_value && word[n] == '=') {
			kinst_words_pair(out, spellings[i].brief, word + n + 1);
			return;
		}
	}
	kinst_words_add(out, word);
}

/* Is -fopenmp the value of an -Xpreprocessor?  To clang this is the same as that of an -Xclang, which holds for
 * preprocessed texts, too. */
static int hands_openmp(const struct kinst_words *words, size_t i)
{
	return i + 1 < words->n && !strcmp(words->items[i], "-Xpreprocessor") &&
	       !strcmp(words->items[i + 1], "-fopenmp");
}

/*
 * Returns 1 when an option has its value in the next word.  Of those that name dumps clang knows none but, since 17,
 * -dumpdir: for what follows it, it takes a file.
 *
 * word: by its short spelling
 */
static int takes_next(const struct option *option, const char *word, int clang)
{
	return option && !strcmp(word, option->name) &&
	       (option->class != KINST_WORD_DUMP || !clang || (clang >= 17 && !strcmp(word, "-dumpdir")));
}

/* Gives options their short spellings, but not what is the value of another one. */
static void command_shorten(struct kinst_words *words, int clang)
{
	struct kinst_words out = { 0 };

	for (size_t i = 0; i < words->n; i++) {
		const char *word = clang && hands_openmp(words, i) ? "-Xclang" : words->items[i], *name;
		const struct option *option;

		add_brief(&out, word, clang);
		name = out.items[out.n - 1];
		option = kinst_begins(word, "-") ? find_option(name) : NULL;
		if (takes_next(option, name, clang) && i + 1 < words->n)
			kinst_words_add(&out, words->items[++i]);
		else if (clang && !strcmp(word, END_OF_OPTIONS))
			while (i + 1 < words->n)
				kinst_words_add(&out, words->items[++i]);
	}
	kinst_words_free(words);
	*words = out;
}

static void add_word(struct kinst_command *command, const char *text, enum kinst_word_class class)
{
	command->words[command->n_words++] = (struct kinst_word){ text, class };
}

static void add_input(struct kinst_command *command, const char *path, const char *x, int cxx_driver)
{
	struct kinst_input *input = command->inputs + command->n_inputs++;
	const char *dot = strrchr(kinst_basename(path), '.');

	*input = (struct kinst_input){ .word = command->n_words, .x = x };
	for (size_t i = 0; x && i < OMPP_COUNT_OF(languages); i++)
		if (!strcmp(x, languages[i].x)) {
			input->language = languages[i].language;
			input->preprocessed = languages[i].preprocessed;
			input->fixed = languages[i].fixed;
		}
	for (size_t i = 0; !x && dot && i < OMPP_COUNT_OF(suffixes); i++)
		if (!strcmp(dot, suffixes[i].suffix)) {
			input->language = suffixes[i].language;
			input->preprocessed = suffixes[i].preprocessed;
			input->fixed = suffixes[i].fixed;
		}
	if (!x && cxx_driver && input->language == KINST_C)
		input->language = KINST_CXX;
	if (input->language != KINST_FOREIGN)
		command->n_sources++;
	add_word(command, path, KINST_WORD_INPUT);
}

/* Notes what a single word changes. */
static void note_flag(struct kinst_command *command, const char *word)
{
	if (!strcmp(word, "-fopenmp") || kinst_begins(word, "-fopenmp="))
		command->openmp = 1;
	else if (!strcmp(word, "-fno-openmp"))
		command->openmp = 0;
	else if (!strcmp(word, "-cpp"))
		command->fortran_cpp = 1;
	else if (!strcmp(word, "-nocpp"))
		command->fortran_cpp = -1;
	else if (!strcmp(word, "-ffixed-form"))
		command->fortran_form = 1;
	else if (!strcmp(word, "-ffree-form"))
		command->fortran_form = -1;
	else if (!strcmp(word, "-r") || !strcmp(word, "-Wl,-r") || !strcmp(word, "-Wl,--relocatable"))
		command->relocatable = 1;
	else if (!strcmp(word, "-static") || !strcmp(word, "-static-pie"))
		command->is_static = 1;
	else if (!strcmp(word, "-shared") || !strcmp(word, "--shared") || !strcmp(word, "-Wl,-shared"))
		command->is_shared = 1;
	else if (!strcmp(word, "-MD") || !strcmp(word, "-MMD")) {
		command->depend = 1;
		command->depend_system |= !strcmp(word, "-MD");
	} else if (kinst_begins(word, "-Wp,-M")) {
		command->depend_direct = 1;
	}
}

static void note_mode(struct kinst_command *command, const char *word)
{
	enum kinst_mode mode = !strcmp(word, "-c") ? KINST_COMPILE : !strcmp(word, "-S") ? KINST_ASSEMBLE : KINST_OTHER;

	/* of several, gcc takes the earliest stage */
	if (mode > command->mode)
		command->mode = mode;
}

/* Notes the value of a two-word option. */
static void note_option(struct kinst_command *command, const char *name, const char *value, const char **x)
{
	if (!strcmp(name, "-o"))
		command->output = value;
	else if (!strcmp(name, "-x"))
		*x = strcmp(value, "none") ? value : NULL;
	else if (!strcmp(name, "-l"))
		command->libraries = 1;
	else if (!strcmp(name, "-MF"))
		command->depend_file = value;
	else if (!strcmp(name, "-MT") || !strcmp(name, "-MQ"))
		command->depend_target = 1;
	else if (!strcmp(name, "-include") || !strcmp(name, "-imacros"))
		kinst_words_add(&command->included, value);
}

static enum kinst_word_class flag_class(const char *word, int *found)
{
	*found = 1;
	for (size_t i = 0; i < OMPP_COUNT_OF(flags); i++) {
		size_t n = strlen(flags[i].name);

		if (flags[i].name[n - 1] == '*' ? !strncmp(word, flags[i].name, n - 1) : !strcmp(word, flags[i].name))
			return flags[i].class;
	}
	*found = 0;
	return KINST_WORD_REST;
}

/*
 * Returns the class of the word behind an -Xclang: that of an option, or that of the value of *open, the option
 * before it.
 */
static enum kinst_word_class xclang_class(const char *word, const struct option **open)
{
	const struct option *option = *open ? NULL : find_option(word);
	enum kinst_word_class class = *open ? (*open)->class : option ? option->class : KINST_WORD_REST;

	*open = option && !strcmp(word, option->name) ? option : NULL;
	return class == KINST_WORD_PREPROCESS || class == KINST_WORD_FOLDER ? class : KINST_WORD_REST;
}

static int is_answer(const char *word)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(answers); i++) {
		size_t n = strlen(answers[i]);

		if (strchr("-=:", answers[i][n - 1]) ? !strncmp(word, answers[i], n) : !strcmp(word, answers[i]))
			return 1;
	}
	return 0;
}

/* Returns 1 for a word with which nothing is compiled, or with which the compiler rejects a compile. */
static int is_of_another_mode(const char *word, enum kinst_word_class class, int clang)
{
	return class == KINST_WORD_MODE || !strcmp(word, "-M") || !strcmp(word, "-MM") || !strcmp(word, "-MG") ||
	       (clang && !strcmp(word, "-traditional-cpp")) || is_answer(word);
}

/* Returns 1 where it is said what a dependency file is like, but nothing asks for one, which gcc rejects. */
static int lacks_depend(const struct kinst_command *command)
{
	int is_described = 0, is_preprocessed = 0;

	if (command->depend || command->depend_direct || getenv("DEPENDENCIES_OUTPUT") || getenv("SUNPRO_DEPENDENCIES"))
		return 0;
	for (size_t i = 0; i < command->n_words; i++) {
		if (!strcmp(command->words[i].text, "-Xpreprocessor")) /* it may ask */
			return 0;
		if (command->words[i].class == KINST_WORD_DEPEND && kinst_begins(command->words[i].text, "-M"))
			is_described = 1;
	}
	for (size_t i = 0; i < command->n_inputs; i++) {
		const struct kinst_input *input = command->inputs + i;

		if ((input->language == KINST_C || input->language == KINST_CXX) && !input->preprocessed)
			is_preprocessed = 1;
	}
	return is_described && is_preprocessed;
}

/* Returns 1 where a dependency file is asked for of Fortran that is not preprocessed, which gfortran rejects. */
static int wants_depend_of_text(const struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_inputs; i++)
		if (command->depend && command->inputs[i].language == KINST_FORTRAN && command->inputs[i].preprocessed)
			return 1;
	return 0;
}

/* What holds for the words that are read next, and what is known of those that were read. */
struct reader {
	const char *x;               /* the value of the last -x */
	const struct option *xclang; /* the option behind an -Xclang, whose value the next -Xclang has */
	int cxx_driver, clang;
	int handed_openmp; /* clang's compiler proper gets -fopenmp past the driver */
	int is_wrong;      /* the compiler rejects the command */
};

static void read_flag(struct kinst_command *command, const struct reader *reader, const char *word,
                      enum kinst_word_class class)
{
	add_word(command, word, class);
	note_flag(command, word);
	if (is_of_another_mode(word, class, reader->clang))
		note_mode(command, word);
	if (class == KINST_WORD_SAVE)
		command->save = strchr(word, '=') ? strchr(word, '=') + 1 : "";
}

/* Reads an option of two words.  Returns the number of words that it takes. */
static size_t read_option(struct kinst_command *command, struct reader *reader, const struct option *option,
                          char *const *words)
{
	const char *word = words[0], *next = words[1];
	enum kinst_word_class class = option->class;

	if (next && !strcmp(word, "-Xclang")) {
		reader->handed_openmp |= !reader->xclang && !strcmp(next, "-fopenmp");
		class = xclang_class(next, &reader->xclang);
	}
	if (class == KINST_WORD_DUMP && reader->clang) /* which warns of it where nothing is linked */
		class = takes_next(option, word, reader->clang) ? KINST_WORD_REST : KINST_WORD_LINK;
	add_word(command, word, class);
	if (strcmp(word, option->name) != 0) {
		note_option(command, option->name, word + strlen(option->name), &reader->x);
		return 1;
	}
	if (!takes_next(option, word, reader->clang))
		return 1;
	if (!next) {
		reader->is_wrong = 1;
		return 1;
	}
	add_word(command, next, class);
	note_option(command, option->name, next, &reader->x);
	return 2;
}

/* Reads the words of command->list from i on.  Returns how many it has read. */
static size_t read_words(struct kinst_command *command, struct reader *reader, size_t i)
{
	char *const *words = command->list.items + i;
	enum kinst_word_class class;
	const struct option *option;
	size_t n = 1;
	int found;

	if (words[0][0] != '-' || !words[0][1]) {
		add_input(command, words[0], reader->x, reader->cxx_driver);
		return 1;
	}
	if (reader->clang && !strcmp(words[0], END_OF_OPTIONS)) {
		for (; words[n]; n++) {
			/* clang 14 lets its compiler proper take such a name for an option. */
			reader->is_wrong |= words[n][0] == '-' && words[n][1];
			add_input(command, words[n], reader->x, reader->cxx_driver);
		}
		return n;
	}
	class = flag_class(words[0], &found);
	option = found ? NULL : find_option(words[0]);
	if (option)
		return read_option(command, reader, option, words);
	read_flag(command, reader, words[0], class);
	return 1;
}

int kinst_command_takes_next(const char *word, int clang)
{
	struct kinst_words brief = { 0 };
	int takes;

	add_brief(&brief, word, clang);
	takes = brief.n == 1 && takes_next(find_option(brief.items[0]), brief.items[0], clang);
	kinst_words_free(&brief);
	return takes;
}

static void settle_fortran(struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_inputs; i++) {
		struct kinst_input *input = command->inputs + i;

		if (input->language != KINST_FORTRAN)
			continue;
		if (command->fortran_cpp)
			input->preprocessed = command->fortran_cpp < 0;
		if (command->fortran_form)
			input->fixed = command->fortran_form > 0;
	}
}

/* Returns 1 where one output is named for several, which compilers reject. */
static int shares_output(const struct kinst_command *command)
{
	return command->output && command->n_sources > 1 && command->mode != KINST_LINK;
}

int kinst_command_read(struct kinst_command *command, const struct kinst_words *arguments, int cxx_driver, int clang)
{
	struct reader reader = { .cxx_driver = cxx_driver, .clang = clang };
	int error;

	*command = (struct kinst_command){ 0 };
	error = command_expand(&command->list, arguments, clang, 0);
	command_shorten(&command->list, clang);
	command->words = kinst_alloc((command->list.n + 1) * sizeof(*command->words));
	command->inputs = kinst_alloc((command->list.n + 1) * sizeof(*command->inputs));
	for (size_t i = 0; i < command->list.n;)
		i += read_words(command, &reader, i);
	settle_fortran(command);
	command->openmp |= reader.handed_openmp;
	if ((!command->n_sources && command->mode != KINST_LINK) ||
	    (!clang && (lacks_depend(command) || wants_depend_of_text(command))) || reader.is_wrong ||
	    shares_output(command))
		command->mode = KINST_OTHER;
	return error;
}

int kinst_command_leaves(const struct kinst_command *command, const struct kinst_input *input)
{
	static const char *const ends[] = { ".o", ".a", ".so", "/" };
	int found = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(ends); i++)
		found |= kinst_ends(command->words[input->word].text, ends[i]);
	return found && command->mode != KINST_LINK && input->language == KINST_FOREIGN && !input->x;
}

int kinst_command_define(struct kinst_command *command, const char *word)
{
	for (size_t i = 0; i < command->n_inputs; i++)
		if (!command->inputs[i].preprocessed &&
		    (command->inputs[i].language == KINST_C || command->inputs[i].language == KINST_CXX)) {
			add_word(command, word, KINST_WORD_OURS); /* there is room for one more */
			return 1;
		}
	return 0;
}

void kinst_command_free(struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_inputs; i++) {
		kinst_words_free(&command->inputs[i].dumps);
		free(command->inputs[i].dump_stem);
	}
	kinst_words_free(&command->list);
	kinst_words_free(&command->included);
	free(command->words);
	free(command->inputs);
	*command = (struct kinst_command){ 0 };
}
