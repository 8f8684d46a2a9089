/*
 * Hooks: see hooks.h.
 */
#include "opari/hooks/hooks.h"

#include <stdlib.h>
#include <string.h>

#include "opari/hooks/object_file.h"
#include "runtime/base/array.h"

/* Sanitizers that exclude -fsanitize=thread.  Each has a bit. */
static const char *const sanitizers[] = { "thread", "address",       "kernel-address", "hwaddress", "kernel-hwaddress",
	                                  "memory", "kernel-memory", "leak",           "dataflow" };

/* Returns the bits of a list, as "address,undefined". */
static unsigned int bits_of(const char *list)
{
	unsigned int bits = 0;

	for (; *list; list += strcspn(list, ","), list += *list == ',') {
		size_t n = strcspn(list, ",");

		for (size_t i = 0; i < OMPP_COUNT_OF(sanitizers); i++)
			if ((n == strlen(sanitizers[i]) && !strncmp(list, sanitizers[i], n)) ||
			    (n == 3 && !strncmp(list, "all", 3)))
				bits |= 1u << i;
	}
	return bits;
}

/*
 * Returns the bits of the sanitizers that are on at the end of the command, and the word that switched the last one
 * on.
 */
static unsigned int hooks_sanitized(const struct kinst_command *command, const char **word)
{
	static const char on[] = "-fsanitize=", off[] = "-fno-sanitize=";
	unsigned int bits = 0;

	*word = NULL;
	for (size_t i = 0; i < command->n_words; i++) {
		const char *text = command->words[i].text;

		if (kinst_begins(text, on) && bits_of(text + strlen(on))) {
			bits |= bits_of(text + strlen(on));
			*word = text;
		} else if (kinst_begins(text, off)) {
			bits &= ~bits_of(text + strlen(off));
		}
	}
	return bits;
}

const char *kinst_hooks_conflict(const struct kinst_command *command)
{
	const char *word;

	return hooks_sanitized(command, &word) ? word : NULL;
}

int kinst_hooks_libtsan(const struct kinst_command *command)
{
	const char *word;

	return hooks_sanitized(command, &word) & 1;
}

/*
 * gcc, in all languages and at all levels: hooks at entries and exits of functions would turn tail calls into calls; a
 * static that is never written would become const, and reads of const objects have no hook.  Volatile accesses have
 * separate hooks, as samples must not load from there.  Loops without hooks, whose accesses are counted already
 * (loops.h) or are to variables that do not escape, gcc would turn into calls of memset and memcpy, which are counted.
 */
static const char *const gcc_words[] = { "-fsanitize=thread",
	                                 "--param",
	                                 "tsan-instrument-func-entry-exit=0",
	                                 "--param",
	                                 "tsan-distinguish-volatile=1",
	                                 "-fno-ipa-reference-addressable",
	                                 "-fno-tree-loop-distribute-patterns",
	                                 NULL };

/* gcc would inline block functions after the hooks were put in. */
static const char *const gcc_x86_words[] = { "-mmemcpy-strategy=libcall:-1:noalign",
	                                     "-mmemset-strategy=libcall:-1:noalign", NULL };

/*
 * gcc, by source: these are the passes before the one that puts hooks in which drop, merge, move or promote accesses.
 */
/* clang-format off */
static const char *const gcc_source_words[] = {
	"-fno-move-loop-stores", "-fno-tree-loop-im", "-fno-tree-pre", "-fno-tree-fre",
	"-fno-tree-dominator-opts", "-fno-tree-dse", "-fno-gcse", "-fno-tree-loop-optimize", "-fno-tree-sink",
	"-fno-tree-phiprop", "-fno-tree-sra", "-fno-ipa-sra", "-fno-ipa-cp", "-fno-ipa-pure-const",
	"-fno-ipa-modref", "-fno-tree-forwprop", "-fno-tree-dce", "-fno-code-hoisting", "-fno-ssa-phiopt",
	NULL
};
/* clang-format on */

/*
 * clang would drop the hook of a read before a write of the same place.  It has no hooks for vectors of more than 16
 * bytes, and one hook for several elements of shorter ones.  And it assumes that elements of a local array do not
 * escape, unless its analysis of uses is limited to none.  Unrolled loops would be harder to count at once; loops that
 * unrolling removes completely are unrolled all the same.
 */
/* clang-format off */
static const char *const clang_words[] = {
	"-fsanitize=thread", "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
	"-tsan-instrument-read-before-write=1", "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm",
	"-capture-tracking-max-uses-to-explore=0",
	"-fno-vectorize", "-fno-slp-vectorize", "-mllvm", "-force-vector-width=1", "-mllvm", "-unroll-runtime=0", "-mllvm",
	"-unroll-allow-partial=0", "-Qunused-arguments", NULL
};
/* clang-format on */

/* Returns 1 when the user's options select a processor. */
static int chooses_processor(const struct kinst_command *command)
{
	for (size_t i = 0; i < command->n_words; i++)
		if (kinst_begins(command->words[i].text, "-march=") || kinst_begins(command->words[i].text, "-mtune="))
			return 1;
	return 0;
}

/* Returns 1 when gcc puts in atomic counters of its own. */
static int counts_itself(const struct kinst_command *command)
{
	int counts = 0;

	for (size_t i = 0; i < command->n_words; i++)
		counts |= !strcmp(command->words[i].text, "--coverage") ||
		          kinst_begins(command->words[i].text, "-fprofile-arcs") ||
		          kinst_begins(command->words[i].text, "-fprofile-generate");
	return counts;
}

char *kinst_hooks_archive(const char *folder)
{
	return kinst_format("%s/libompp_access.a", folder);
}

/* Returns 1 when libompp_access.a has a replacement for this function. */
static int stands_for(const char *folder, const char *function)
{
	char *archive = kinst_hooks_archive(folder);
	struct kinst_words names = { 0 };
	int found = 0;

	kinst_object_names(&names, archive, "__wrap_");
	for (size_t i = 0; i < names.n && !found; i++)
		found = !strcmp(names.items[i], function);
	kinst_words_free(&names);
	free(archive);
	return found;
}

static const char *const clang_source_words[] = { "-O0", NULL };

static void add_all(struct kinst_words *words, const char *const *list)
{
	for (; *list; list++)
		kinst_words_add(words, *list);
}

/* Adds words by which calls in the source stay calls.  Calls that the compiler makes by itself are not concerned. */
static void add_no_builtins(struct kinst_words *words)
{
	static const char *const names[] = { "memcpy", "memmove", "memset",  "mempcpy", "memcmp", "memchr", "bcopy",
		                             "bzero",  "bcmp",    "strlen",  "strnlen", "strcpy", "stpcpy", "strncpy",
		                             "strcat", "strcmp",  "strncmp", "strchr",  "strrchr" };

	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		char *word = kinst_format("-fno-builtin-%s", names[i]);

		kinst_words_add(words, word);
		free(word);
	}
}

void kinst_hooks_add(struct kinst_words *words, const struct kinst_compiler *compiler,
                     const struct kinst_command *command, enum kinst_language language, enum kinst_hooks hooks,
                     const char *folder)
{
	if (hooks == KINST_HOOKS_OFF)
		return;
	add_all(words, compiler->clang ? clang_words : gcc_words);
	/*
	 * For an omp atomic without a machine instruction gcc makes a compare-exchange loop without a hook.  Its
	 * library function can be counted instead.
	 */
	if (!compiler->clang && !counts_itself(command) && stands_for(folder, "__atomic_compare_exchange_8"))
		kinst_words_add(words, "-fno-inline-atomics");
	if (!compiler->clang && compiler->x86)
		add_all(words, gcc_x86_words);
	/* With this tuning gcc keeps a floating-point sum in a register while hooks run, and not on the stack. */
	if (!compiler->clang && compiler->x86 && !chooses_processor(command))
		kinst_words_add(words, "-mtune=skylake");
	if (language != KINST_FORTRAN)
		add_no_builtins(words);
	if (hooks == KINST_HOOKS_SOURCE)
		add_all(words, compiler->clang ? clang_source_words : gcc_source_words);
}

/* The builtins, with the functions that stand for them and their parameters. */
#define BUILTIN "__builtin_"
#define CALLED  "__kinst_call_"
#define SIZE    "__typeof__(sizeof 0)"

static const struct {
	const char *name, *parameters;
	int is_int;
} builtins[] = {
	{ "memcpy", "void *, const void *, " SIZE, 0 },
	{ "memmove", "void *, const void *, " SIZE, 0 },
	{ "mempcpy", "void *, const void *, " SIZE, 0 },
	{ "memset", "void *, int, " SIZE, 0 },
	{ "memcmp", "const void *, const void *, " SIZE, 1 },
	{ "__memcpy_chk", "void *, const void *, " SIZE ", " SIZE, 0 },
	{ "__memmove_chk", "void *, const void *, " SIZE ", " SIZE, 0 },
	{ "__mempcpy_chk", "void *, const void *, " SIZE ", " SIZE, 0 },
	{ "__memset_chk", "void *, int, " SIZE ", " SIZE, 0 },
};

#define N_BUILTINS OMPP_COUNT_OF(builtins)

/* Returns 1 when there are constexpr functions, which may call only constexpr functions. */
static int has_constexpr(const struct kinst_command *command, enum kinst_language language)
{
	int has = language == KINST_CXX;

	for (size_t i = 0; i < command->n_words; i++) {
		const char *text = command->words[i].text;

		if (has && kinst_begins(text, "-std="))
			return !kinst_ends(text, "98") && !kinst_ends(text, "03");
		if (!strcmp(text, "-ansi"))
			return 0;
	}
	return has;
}

static void put_prototypes(struct kinst_text *result, int cxx, int is_constexpr)
{
	kinst_text_puts(result, cxx ? "extern \"C\" { " : "");
	for (size_t i = 0; i < N_BUILTINS; i++)
		kinst_text_printf(result, "%s %s" CALLED "%s(%s) __asm__(\"%s\") __attribute__((__nothrow__)); ",
		                  is_constexpr ? "constexpr" : "extern", builtins[i].is_int ? "int " : "void *",
		                  builtins[i].name, builtins[i].parameters, builtins[i].name);
	kinst_text_puts(result, cxx ? "} " : "");
}

static int is_word_char(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '$';
}

/*
 * Returns the builtin that stands at `at`, as a word of the program and not within a string; N_BUILTINS when none
 * does.
 */
static size_t builtin_at(const struct kinst_text *text, const char *at)
{
	const char *name = at + strlen(BUILTIN), *line = at;
	int quotes = 0;

	for (; line > text->data && line[-1] != '\n'; line--)
		quotes += line[-1] == '"' && (line - 1 == text->data || line[-2] != '\\');
	if (quotes % 2 || (at > text->data && is_word_char(at[-1])))
		return N_BUILTINS;
	for (size_t i = 0; i < N_BUILTINS; i++)
		if (kinst_begins(name, builtins[i].name) && !is_word_char(name[strlen(builtins[i].name)]))
			return i;
	return N_BUILTINS;
}

void kinst_hooks_text(struct kinst_text *result, const struct kinst_text *text, const struct kinst_command *command,
                      enum kinst_language language)
{
	const char *p = text->data, *end = text->data + text->length, *at;
	size_t first_line = strcspn(p, "\n") + 1;

	/* The first line marker names the file, and is repeated behind what is put in. */
	if (*p == '#' && first_line <= text->length)
		kinst_text_add(result, p, first_line);
	put_prototypes(result, language == KINST_CXX, has_constexpr(command, language));
	if (*p == '#')
		kinst_text_puts(result, "\n");
	while ((at = memmem(p, (size_t)(end - p), BUILTIN, strlen(BUILTIN)))) {
		size_t i = builtin_at(text, at);

		kinst_text_add(result, p, (size_t)(at - p));
		kinst_text_puts(result, i < N_BUILTINS ? CALLED : BUILTIN);
		p = at + strlen(BUILTIN);
	}
	kinst_text_add(result, p, (size_t)(end - p));
}

int kinst_hooks_wraps(const char *name)
{
	static const char *const names[] = { "free", "cfree", "realloc", "reallocarray", "munmap", "mremap" };

	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++)
		if (!strcmp(name, names[i]))
			return 1;
	return kinst_begins(name, "_Zd");
}

/* The functions that an object's constructor calls instead of __tsan_init. */
static const struct {
	int clang;
	enum kinst_hooks hooks;
	const char *name;
} inits[] = {
	{ 0, KINST_HOOKS_ON, "__tsan_init_gcc" },
	{ 0, KINST_HOOKS_LOOPS, "__tsan_init_gcc" },
	{ 0, KINST_HOOKS_SOURCE, "__tsan_init_gcc_source" },
	{ 1, KINST_HOOKS_ON, "__tsan_init_clang" },
	{ 1, KINST_HOOKS_LOOPS, "__tsan_init_clang" },
	{ 1, KINST_HOOKS_SOURCE, "__tsan_init_clang_source" },
};

#define N_INITS OMPP_COUNT_OF(inits)

/* Adds the block and string functions, and those of libompp_access.a in their place. */
static void block_names(struct kinst_words *old, struct kinst_words *new, const char *folder)
{
	char *archive = kinst_hooks_archive(folder);
	struct kinst_words names = { 0 };

	kinst_object_names(&names, archive, "__wrap_");
	for (size_t i = 0; i < names.n; i++) {
		char *name = kinst_format("__wrap_%s", names.items[i]);

		if (!kinst_hooks_wraps(names.items[i])) {
			kinst_words_add(old, names.items[i]);
			kinst_words_add(new, name);
		}
		free(name);
	}
	kinst_words_free(&names);
	free(archive);
}

void kinst_hooks_names(struct kinst_words *old, struct kinst_words *new, const char *folder)
{
	block_names(old, new, folder);
	for (size_t i = 0; i < N_INITS; i++)
		if (inits[i].hooks != KINST_HOOKS_LOOPS) { /* whose name is that of KINST_HOOKS_ON */
			kinst_words_add(old, "__tsan_init");
			kinst_words_add(new, inits[i].name);
		}
}

/* This stands in front of the note in an object about accesses that have no hook. */
#define UNCOUNTED "kinst-uncounted:"

void kinst_hooks_uncounted(struct kinst_words *uncounted, const char *path)
{
	kinst_object_notes(uncounted, path, UNCOUNTED);
}

/* Adds what an object of this compiler and with these hooks calls, and what it shall call. */
static void hooks_redirected(struct kinst_words *old, struct kinst_words *new, const struct kinst_compiler *compiler,
                             enum kinst_hooks hooks, const char *folder)
{
	block_names(old, new, folder);
	for (size_t i = 0; i < N_INITS; i++)
		if (inits[i].clang == compiler->clang && inits[i].hooks == hooks) {
			kinst_words_add(old, "__tsan_init");
			kinst_words_add(new, inits[i].name);
		}
}

int kinst_hooks_redirect(const char *object, const struct kinst_compiler *compiler, enum kinst_hooks hooks,
                         const char *folder, const char *uncounted)
{
	struct kinst_words old = { 0 }, new = { 0 };
	char *note = *uncounted ? kinst_format("%s%s", UNCOUNTED, uncounted) : kinst_strdup("");
	int error;

	hooks_redirected(&old, &new, compiler, hooks, folder);
	error = kinst_object_rename(object, &old, &new, note);
	kinst_words_free(&old);
	kinst_words_free(&new);
	free(note);
	return error;
}

int kinst_hooks_redirect_text(const char *text, const struct kinst_compiler *compiler, enum kinst_hooks hooks,
                              const char *folder)
{
	struct kinst_words old = { 0 }, new = { 0 };
	int error;

	hooks_redirected(&old, &new, compiler, hooks, folder);
	error = kinst_object_rename_text(text, &old, &new);
	kinst_words_free(&old);
	kinst_words_free(&new);
	return error;
}
