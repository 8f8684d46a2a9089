/*
 * Extra: see extra.h.
 */
#include "opari/build/extra.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/process.h"
#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/build/repository.h"
#include "opari/hooks/hooks.h"
#include "opari/hooks/object_file.h"
#include "runtime/base/clean.h"
#include "runtime/terms/build_stamp.h"

#define MAX_NAMES 8 /* so many files that are not counted are named */

/* Returns 1 for an option that must also be used to compile the object. */
static int is_target(const char *word)
{
	return kinst_begins(word, "-m") || kinst_begins(word, "--target") || kinst_begins(word, "-B");
}

/* Compiles C text into an object of this name, and adds its path.  Its name does not end in .o: from the output of -v,
 * libtool would take it for an object that the C++ compiler links into everything. */
static void extra_make(struct kinst_words *objects, const struct kinst_context *context, const char *name,
                       const struct kinst_text *text)
{
	char *file = kinst_format("%s.c", name), *source = kinst_temp_path(file), *object;
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .in = -1 };

	free(file);
	file = kinst_format("%s.object", name);
	object = kinst_temp_path(file);
	free(file);
	if (source && object && !kinst_write_file(source, text->data, text->length)) {
		const char *const rest[] = { "-fPIC", "-w", "-c", "-o", object, "-x", "c", source, NULL };

		kinst_words_append(&words, &context->compiler->words);
		for (size_t i = 0; i < context->command->n_words; i++) {
			const char *word = context->command->words[i].text;

			if (!strcmp(word, "-mllvm"))
				i++;
			else if (is_target(word))
				kinst_words_add(&words, word);
		}
		for (const char *const *word = rest; *word; word++)
			kinst_words_add(&words, *word);
		if (!kinst_process_run(&run))
			kinst_words_add(objects, object);
		kinst_words_free(&words);
	}
	free(source);
	free(object);
}

/* Adds a string as C takes it. */
static void put_string(struct kinst_text *text, const char *string)
{
	for (; *string; string++) {
		if (strchr("\"\\", *string))
			kinst_text_puts(text, "\\");
		kinst_text_add(text, string, 1);
	}
}

void kinst_extra_functions(struct kinst_words *objects, const struct kinst_context *context)
{
	struct kinst_text text = { 0 };

	kinst_text_puts(&text, "void ompp_functions_default(const char *);\n"
	                       "__attribute__((constructor)) static void list(void) { ompp_functions_default(\"");
	put_string(&text, context->options->functions);
	kinst_text_puts(&text, "\"); }\n");
	extra_make(objects, context, "functions", &text);
	kinst_text_free(&text);
}

/* Adds a text as a string of C, clean, and at most so many bytes of it, cut between characters.  Returns 1 when it was
 * cut. */
static int put_clean(struct kinst_text *text, const char *string, size_t n_most)
{
	size_t n_bytes = OMPP_CLEAN_MOST * strlen(string) + 1, n;
	char *buffer = kinst_alloc(n_bytes);
	struct ompp_text t;

	ompp_text_init(&t, buffer, n_bytes);
	ompp_clean(&t, string, 0);
	n = strlen(buffer);
	if (n > n_most) {
		n = n_most;
		while (n && ((unsigned char)buffer[n] & 0xc0) == 0x80)
			n--;
	}
	n_bytes = strlen(buffer);
	buffer[n] = '\0';
	put_string(text, buffer);
	free(buffer);
	return n < n_bytes;
}

void kinst_extra_stamp(struct kinst_words *objects, const struct kinst_context *context)
{
	const char *own = context->options->stamp;
	struct kinst_repository r = { 0 };
	struct kinst_text text = { 0 };
	int is_cut;

	if (!*own)
		kinst_repository_ask(&r);
	if (!*own && !r.stamp) {
		kinst_say("kinst: --stamp: no stamp is kept: %s; build in a git repository, or give --stamp=TEXT\n",
		          r.why);
		kinst_repository_free(&r);
		return;
	}
	if (r.is_shallow)
		kinst_say("kinst: --stamp: %s: the stamp names no tag: this is a shallow clone; fetch the history, or "
		          "give --stamp=TEXT\n",
		          r.stamp);
	kinst_text_puts(&text, "void ompp_build_stamp(const char *, const char *, __INT64_TYPE__, int, int);\n"
	                       "__attribute__((constructor)) static void stamp(void) { ompp_build_stamp(\"");
	is_cut = put_clean(&text, *own ? own : r.stamp, OMPP_BUILD_STAMP_BYTES - 1);
	kinst_text_puts(&text, "\", \"");
	put_clean(&text, r.commit ? r.commit : "", OMPP_BUILD_COMMIT_BYTES - 1);
	kinst_text_printf(&text, "\", %lld, %d, %d); }\n", r.unix_s, r.is_modified, !context->command->is_shared);
	if (is_cut)
		kinst_say("kinst: --stamp: the stamp is cut to %d bytes; give a shorter --stamp=TEXT\n",
		          OMPP_BUILD_STAMP_BYTES - 1);
	extra_make(objects, context, "stamp", &text);
	kinst_text_free(&text);
	kinst_repository_free(&r);
}

/* Adds the names of some files as a string, a comma list. */
static void put_names(struct kinst_text *text, const struct kinst_words *files)
{
	for (size_t i = 0; i < files->n && i < MAX_NAMES; i++) {
		kinst_text_puts(text, i ? "," : "");
		put_string(text, kinst_basename(files->items[i]));
	}
}

void kinst_extra_work(struct kinst_words *objects, const struct kinst_context *context,
                      const struct kinst_link_files *files)
{
	struct kinst_text text = { 0 };

	kinst_text_printf(&text,
	                  "extern const struct files { unsigned int n_counted, n_others; const char *others; } "
	                  "ompp_work_linked __attribute__((visibility(\"default\")));\n"
	                  "const struct files ompp_work_linked = { %u, %zu, \"",
	                  files->n_works, files->idle.n);
	put_names(&text, &files->idle);
	kinst_text_puts(&text, "\" };\n");
	extra_make(objects, context, "work", &text);
	kinst_text_free(&text);
}

void kinst_extra_files(struct kinst_words *objects, const struct kinst_context *context,
                       const struct kinst_link_files *files)
{
	struct kinst_text text = { 0 };

	kinst_text_printf(&text,
	                  "void ompp_access_files(unsigned int, unsigned int, const char *) __attribute__((weak));\n"
	                  "__attribute__((constructor)) static void files(void) { if (ompp_access_files) "
	                  "ompp_access_files(%u, %zu, \"",
	                  files->n_hooked, files->unhooked.n);
	put_names(&text, &files->unhooked);
	kinst_text_puts(&text, "\");\n");
	if (files->uncounted.length) {
		kinst_text_puts(&text, "extern void ompp_access_uncounted(const char *) __attribute__((weak)); "
		                       "if (ompp_access_uncounted) ompp_access_uncounted(\"");
		put_string(&text, files->uncounted.data);
		kinst_text_puts(&text, "\");\n");
	}
	kinst_text_puts(&text, "}\n");
	extra_make(objects, context, "files", &text);
	kinst_text_free(&text);
}

/* Adds a jump for the assemblers of the machines that have hooks. */
static void put_jump(struct kinst_text *text, const char *from, const char *to)
{
	kinst_text_printf(text, "__asm__(\".globl %s\\n.hidden %s\\n.weak %s\\n%s: \" JUMP \" %s\" PLT);\n", from, from,
	                  to, from, to);
}

#define EXCHANGE "__atomic_compare_exchange_"

/* Returns gcc's name for an integer of so many bytes. */
static const char *mode_of(int n_bytes)
{
	return n_bytes == 1 ? "QI" : n_bytes == 2 ? "HI" : n_bytes == 4 ? "SI" : "DI";
}

/* Defines what the plug-ins' code calls and reads in libompp_access.a, so that this code uses its hooks. */
static void put_no_counting(struct kinst_text *text, const char *library)
{
	char *archive = kinst_hooks_archive(library);
	struct kinst_words names = { 0 };

	kinst_object_names(&names, archive, "ompp_access_");
	kinst_text_puts(text, "#pragma GCC visibility push(hidden)\nstatic const int none;\n");
	for (size_t i = 0; i < names.n; i++)
		if (kinst_begins(names.items[i], "by_"))
			kinst_text_printf(text,
			                  "extern const int *const ompp_access_%s; "
			                  "const int *const ompp_access_%s = &none;\n",
			                  names.items[i], names.items[i]);
		else if (strcmp(names.items[i], "linked") != 0) /* which says that there are hooks */
			kinst_text_printf(text, "void ompp_access_%s(void); void ompp_access_%s(void) { }\n",
			                  names.items[i], names.items[i]);
	kinst_words_free(&names);
	free(archive);
}

void kinst_extra_no_hooks(struct kinst_words *objects, const struct kinst_context *context)
{
	struct kinst_words old = { 0 }, new = { 0 };
	struct kinst_text text = { 0 };

	kinst_hooks_names(&old, &new, context->library);
	kinst_text_puts(&text, "#ifdef __x86_64__\n#define JUMP \"jmp\"\n#define PLT \"@PLT\"\n"
	                       "#else\n#define JUMP \"b\"\n#define PLT\n#endif\n");
	for (size_t i = 0; i < old.n; i++) {
		const char *n_bytes = old.items[i] + strlen(EXCHANGE);

		/* The program may be linked without the library that has these. */
		if (!kinst_begins(old.items[i], EXCHANGE))
			put_jump(&text, new.items[i], old.items[i]);
		else if (atoi(n_bytes) <= 8)
			kinst_text_printf(&text,
			                  "typedef unsigned int unit%s __attribute__((__mode__(__%s__))); "
			                  "_Bool %s(unit%s *p, unit%s *e, unit%s v, int s, int f) { return "
			                  "__atomic_compare_exchange_n(p, e, v, 0, 5, 5); }\n",
			                  n_bytes, mode_of(atoi(n_bytes)), new.items[i], n_bytes, n_bytes, n_bytes);
	}
	put_no_counting(&text, context->library);
	extra_make(objects, context, "no_hooks", &text);
	kinst_words_free(&old);
	kinst_words_free(&new);
	kinst_text_free(&text);
}
