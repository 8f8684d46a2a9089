/*
 * Opt info: see opt_info.h.
 */
#include "opari/source/opt_info.h"

#include <stdlib.h>
#include <string.h>

#include "opari/base/say.h"
#include "opari/base/temp.h"
#include "opari/emit/emit_unmeasured.h"
#include "opari/hooks/hooks.h"
#include "opari/source/judge.h"
#include "runtime/program/unmeasured.h"

/* What is known of a loop. */
struct loop {
	char *file, *how; /* how: the vectors, or why there are none */
	unsigned int line;
	int is_vectorized;
};

struct loops {
	struct loop *items;
	size_t n;
};

/* A message: where it is, and what it says; all point into its line. */
struct message {
	const char *file, *text;
	size_t n_file, n_text;
	unsigned int line;
};

/* Reads "FILE:LINE:COLUMN: KIND: TEXT".  Returns 0 when the line is none of this kind. */
static int read_message(const char *line, size_t n, const char *kind, struct message *m)
{
	const char *mark = memmem(line, n, kind, strlen(kind)), *p;
	int colons = 0;

	if (!mark)
		return 0;
	for (p = mark; p > line && colons < 2; p--)
		colons += p[-1] == ':';
	if (colons < 2 || p == line)
		return 0;
	*m = (struct message){ .file = line,
		               .n_file = (size_t)(p - line),
		               .line = (unsigned int)strtoul(p + 1, NULL, 10),
		               .text = mark + strlen(kind) };
	m->n_text = (size_t)(line + n - m->text);
	while (m->n_text && m->text[0] == ' ') { /* gcc indents what it says of the loop before */
		m->text++;
		m->n_text--;
	}
	return m->line > 0;
}

/* Does the text begin with these words?  Then they are taken off. */
static int take(struct message *m, const char *words)
{
	size_t n = strlen(words);

	if (m->n_text < n || memcmp(m->text, words, n) != 0)
		return 0;
	m->text += n;
	m->n_text -= n;
	return 1;
}

static struct loop *loop_at(struct loops *loops, const struct message *m)
{
	struct loop *l;

	for (size_t i = 0; i < loops->n; i++) {
		l = &loops->items[i];
		if (l->line == m->line && strlen(l->file) == m->n_file && !memcmp(l->file, m->file, m->n_file))
			return l;
	}
	loops->items = kinst_realloc(loops->items, (loops->n + 1) * sizeof(*loops->items));
	l = &loops->items[loops->n++];
	*l = (struct loop){ .file = kinst_strndup(m->file, m->n_file), .line = m->line };
	return l;
}

/* A loop that has several copies is vectorised when one is, as the copies are for its last iterations, or inlined. */
static void set_loop(struct loops *loops, const struct message *m, int is_vectorized, const char *how, size_t n_how)
{
	struct loop *l = loop_at(loops, m);

	if (l->how && (l->is_vectorized || !is_vectorized) && l->how[0])
		return;
	free(l->how);
	l->how = kinst_strndup(how, n_how);
	l->is_vectorized = is_vectorized;
}

/* Returns a reason without gcc's own names of values, "between *_3 and *_9" and "_28 = ", which mean nothing to the
 * user, and without the stop at its end. */
static char *without_names(const char *text, size_t n)
{
	const char *names = memmem(text, n, " between ", 9), *value;

	n = names ? (size_t)(names - text) : n;
	while (n && strchr(".;", text[n - 1]))
		n--;
	value = memmem(text, n, ": _", 3);
	if (value && memmem(value, n - (size_t)(value - text), " = ", 3)) {
		const char *rest = (const char *)memmem(value, n - (size_t)(value - text), " = ", 3) + 3;

		return kinst_format("%.*s: %.*s", (int)(value - text), text, (int)(text + n - rest), rest);
	}
	return kinst_strndup(text, n);
}

static void read_gcc_line(struct loops *loops, struct message *pending, const char *line, size_t n)
{
	static const char vectorized[] = "loop vectorized using ";
	struct message m;

	if (read_message(line, n, ": optimized: ", &m)) {
		if (take(&m, vectorized)) {
			set_loop(loops, &m, 1, m.text, m.n_text);
		} else if (take(&m, "loop versioned for vectorization because of possible aliasing")) {
			struct loop *l = loop_at(loops, &m);
			char *how = kinst_format("%s, where arrays do not overlap", l->how ? l->how : "");

			if (l->is_vectorized && !strchr(l->how, ',')) {
				free(l->how);
				l->how = how;
			} else {
				free(how);
			}
		}
		return;
	}
	if (!read_message(line, n, ": missed: ", &m))
		return;
	if (take(&m, "couldn't vectorize loop")) {
		set_loop(loops, &m, 0, "", 0);
		*pending = m;
	} else if (pending->line) {
		char *how;

		take(&m, "not vectorized: ");
		how = without_names(m.text, m.n_text);
		set_loop(loops, pending, 0, how, strlen(how));
		free(how);
		pending->line = 0;
	}
}

/* Returns the length of a remark without the option in brackets at its end. */
static size_t without_option(const char *text, size_t n)
{
	const char *option = memmem(text, n, " [-R", 4);

	return option ? (size_t)(option - text) : n;
}

static void read_clang_line(struct loops *loops, struct message *reason, const char *line, size_t n)
{
	struct message m;

	if (!read_message(line, n, ": remark: ", &m))
		return;
	m.n_text = without_option(m.text, m.n_text);
	if (take(&m, "vectorized loop (vectorization width: ")) {
		char *how = kinst_format("%u elements at a time", (unsigned int)strtoul(m.text, NULL, 10));

		set_loop(loops, &m, 1, how, strlen(how));
		free(how);
		reason->line = 0;
	} else if (take(&m, "loop not vectorized: ")) {
		if (!reason->line)
			*reason = m; /* the first one is the most precise */
	} else if (take(&m, "loop not vectorized")) {
		set_loop(loops, &m, 0, reason->line ? reason->text : "", reason->line ? reason->n_text : 0);
		reason->line = 0;
	}
}

/* Reads the messages of a compiler, and adds a note for each loop to assembler text.
 * clang: 1 for remarks of clang, 0 for what gcc writes
 * directory: the folder that relative file names start from */
static void opt_info_read(const char *messages, int clang, const char *directory, struct kinst_text *assembler)
{
	struct message open = { 0 };
	struct loops loops = { 0 };

	for (const char *line = messages, *end; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		(clang ? read_clang_line : read_gcc_line)(&loops, &open, line, (size_t)(end - line));
	}
	for (size_t i = 0; i < loops.n; i++) {
		struct loop *l = &loops.items[i];

		if (strncmp(l->file, "/usr/", 5) != 0)
			kinst_note_add(assembler, OMPP_LOOP_TYPE, l->file, l->line, directory,
			               l->is_vectorized ? OMPP_LOOP_VECTORIZED : OMPP_LOOP_NOT_VECTORIZED,
			               l->how && l->how[0] ? l->how : "the compiler does not say why");
		free(l->file);
		free(l->how);
	}
	free(loops.items);
}

/* Returns why loops of a source could not be told in its object, whatever the compiler says of them; NULL when they
 * can: their notes are assembler text, in the source itself or beside it. */
static const char *why_untold(const struct kinst_source *source, const struct kinst_context *context)
{
	if (context->compiler->flang)
		return "flang's objects cannot be given what it says of them; it says it itself, with "
		       "-Rpass-missed=loop-vectorize";
	if (source->input->language == KINST_FORTRAN && kinst_source_lto(source, context) == KINST_LTO_KEPT)
		return "with -flto objects of Fortran cannot be given what the compiler says of them; compile it "
		       "without -flto";
	return NULL;
}

void kinst_opt_info_find(struct kinst_source *source, const struct kinst_context *context)
{
	int clang = context->compiler->clang;
	char *file = clang ? NULL : kinst_temp_path("opt-info"), *word;
	struct kinst_words words = { 0 };
	struct kinst_text err = { 0 }, text = { 0 };
	const char *untold = why_untold(source, context);
	int status = 0;

	if (untold) {
		kinst_say("kinst: %s: loops are not known: %s\n", source->name, untold);
		free(file);
		return;
	}
	kinst_text_puts(&err, "");
	if (kinst_source_lto(source, context) !=
	    KINST_LTO_NONE) /* else it vectorises at the link, and says nothing here */
		kinst_words_add(&words, "-fno-lto");
	if (clang) {
		kinst_words_add(&words, "-Rpass=loop-vectorize");
		kinst_words_add(&words, "-Rpass-missed=loop-vectorize");
		kinst_words_add(&words, "-Rpass-analysis=loop-vectorize");
	} else if (file) {
		word = kinst_format("-fopt-info-vec-all=%s", file);
		kinst_words_add(&words, word);
		free(word);
	}
	if (clang || file)
		status = kinst_judge_silently(source, context, &words, &err);
	if (!status && !clang && (!file || kinst_read_file(file, &text)))
		kinst_text_puts(&text, ""); /* nothing was optimised */
	/* the compile itself tells of errors */
	if (status && !strstr(err.data, "rror: "))
		kinst_say("kinst: %s: loops are not known: this compiler does not say what it vectorised; compile "
		          "without --opt-info\n",
		          source->name);
	if (!status)
		opt_info_read(clang ? err.data : text.data, clang, context->directory, &source->loops);
	kinst_words_free(&words);
	kinst_text_free(&err);
	kinst_text_free(&text);
	free(file);
}
