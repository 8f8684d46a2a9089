/*
 * Feedback: see feedback.h.
 */
#include "opari/source/feedback.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/process.h"
#include "opari/command/command_output.h"
#include "runtime/base/array.h"

/* Returns the option by which the compiler takes counts, or NULL; also where no warning is asked for. */
static const char *feedback_option(const struct kinst_context *context)
{
	const char *uses = NULL;

	for (size_t i = 0; i < context->command->n_words; i++) {
		const char *word = context->command->words[i].text;

		if (!strcmp(word, "-w"))
			return NULL;
		if (kinst_begins(word, "-fprofile-use") ||
		    (context->compiler->clang && kinst_begins(word, "-fprofile-instr-use")))
			uses = word;
		else if (!strcmp(word, "-fno-profile-use") || !strcmp(word, "-fno-profile-instr-use"))
			uses = NULL;
	}
	return uses;
}

/* Returns 1 when gcc's file of counts exists.  path: as gcc derives it from the output, without its suffix */
static int has_counts(const struct kinst_context *context, const char *option, const char *path)
{
	const char *place = strchr(option, '=');
	char *whole = kinst_format("%s%s%s.gcda", *path == '/' ? "" : context->directory, *path == '/' ? "" : "/",
	                           path);
	char *file;
	int found;

	for (char *slash = whole; place && (slash = strchr(slash, '/'));)
		*slash = '#'; /* as gcc names it in a folder for such files */
	file = place ? kinst_format("%s/%s", place + 1, whole) : kinst_strdup(whole);
	found = !access(file, R_OK) || (place && kinst_ends(place, ".gcda") && !access(place + 1, R_OK));
	free(whole);
	free(file);
	return found;
}

enum kinst_feedback kinst_feedback_find(const struct kinst_source *source, const struct kinst_context *context)
{
	const char *option = feedback_option(context);
	char *path;
	int found;

	if (!option)
		return KINST_FEEDBACK_NONE;
	if (context->compiler->clang)
		return KINST_FEEDBACK_PLAIN;
	path = kinst_command_output(context->command, source->input, "", 0);
	found = has_counts(context, option, path);
	free(path);
	return found ? KINST_FEEDBACK_PLAIN : KINST_FEEDBACK_ABSENT;
}

/* gcc names the file of counts after the plain output; clang's is in its option. */
void kinst_feedback_add_place(struct kinst_words *words, const struct kinst_source *source,
                              const struct kinst_context *context)
{
	char *path, *folder;
	const char *base;

	if (context->compiler->clang)
		return;
	path = kinst_command_output(context->command, source->input, "", 0);
	base = kinst_basename(path);
	folder = kinst_strndup(path, (size_t)(base - path));
	kinst_words_pair(words, "-dumpdir", folder);
	kinst_words_pair(words, "-dumpbase", base);
	free(folder);
	free(path);
}

void kinst_feedback_add_silence(struct kinst_words *words, const struct kinst_context *context)
{
	if (context->compiler->clang) {
		kinst_words_add(words, "-Wno-profile-instr-out-of-date");
		kinst_words_add(words, "-Wno-backend-plugin");
	} else {
		/* where there are none under the name of our output */
		kinst_words_add(words, "-Wno-missing-profile");
	}
}

/* Returns 1 when a line of messages, `n` bytes, says that counts do not fit. */
static int is_mismatch(const char *line, size_t n)
{
	static const char *const said[] = { "=coverage-mismatch", "-Wcoverage-mismatch", "(hash mismatch)",
		                            "-Wprofile-instr-out-of-date" };

	for (size_t i = 0; i < OMPP_COUNT_OF(said); i++)
		if (memmem(line, n, said[i], strlen(said[i])))
			return 1;
	return 0;
}

/* Returns where the name of the function begins in a message of gcc's; it ends with '.  NULL when there is none. */
static const char *name_in(const char *line, size_t n)
{
	static const char word[] = " function '";
	const char *at = memmem(line, n, word, sizeof(word) - 1);

	return at ? at + sizeof(word) - 1 : NULL;
}

/* Returns the number of functions that a line speaks of.  before: the name in the mismatch before it, of which gcc has
 * one for each kind of counts; or NULL */
static size_t functions_of(const char *line, size_t n, const char *before)
{
	const char *of = memmem(line, n, " of ", 4), *number = of ? memmem(of, n - (size_t)(of - line), ", ", 2) : NULL;
	const char *name = name_in(line, n);

	if (memmem(line, n, "profile-instr-out-of-date", 25))
		return number ? strtoul(number + 2, NULL, 10) : 1;
	return !before || !name || strncmp(name, before, strcspn(name, "'") + 1) != 0;
}

/* Returns the number of functions that do not fit their counts, as a compiler's messages in English have it. */
static size_t count_mismatches(const char *messages)
{
	const char *before = NULL, *end;
	size_t found = 0;

	for (const char *line = messages; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (!is_mismatch(line, (size_t)(end - line)))
			continue;
		found += functions_of(line, (size_t)(end - line), before);
		before = name_in(line, (size_t)(end - line));
	}
	return found;
}

static size_t mismatches_of(struct kinst_words *words, int in)
{
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = words, .err = &err, .in = in, .in_english = 1 };
	size_t found;

	kinst_words_add(words, "-Wno-error");
	kinst_words_add(words, "-Wno-error=coverage-mismatch");
	kinst_text_puts(&err, "");
	kinst_process_run(&run);
	found = count_mismatches(err.data);
	kinst_text_free(&err);
	return found;
}

enum kinst_feedback kinst_feedback_compare(struct kinst_words *original, struct kinst_words *text, int in, size_t *more)
{
	size_t in_original = mismatches_of(original, in), in_text = mismatches_of(text, in);

	*more = in_text > in_original ? in_text - in_original : 0;
	return in_text < in_original ? KINST_FEEDBACK_OURS : KINST_FEEDBACK_PLAIN;
}

/* Returns 1 for the line with which gcc ends where warnings are errors. */
static int is_end(const char *line)
{
	return kinst_begins(line, "cc1: ") || kinst_begins(line, "cc1plus: ") || kinst_begins(line, "f951: ");
}

/* Prints what belongs before a message: in C, once, the function that it is in; in Fortran the place with its source.
 */
static void print_head(const char *head, const char *message)
{
	size_t n = strcspn(head, "\n");

	if (n > 1 && isdigit((unsigned char)head[n - 2]))
		n = (size_t)(message - head) - 1;
	fprintf(stderr, "%.*s\n", (int)n, head);
}

/* Behind a message in C stands its source, which begins with a blank. */
int kinst_feedback_speak(const struct kinst_words *text)
{
	struct kinst_text err = { 0 };
	struct kinst_run run = { .words = text, .err = &err, .in = -1 };
	const char *head = NULL, *end;
	int is_shown = 0, status;

	kinst_text_puts(&err, "");
	status = kinst_process_run(&run);
	for (const char *line = err.data; *line; line = *end ? end + 1 : end) {
		size_t n = strcspn(line, "\n");

		end = line + n;
		if (is_mismatch(line, n)) {
			if (head)
				print_head(head, line);
			head = NULL;
			is_shown = 1;
		} else if (n && *line != ' ') {
			if (line[n - 1] == ':')
				head = line;
			is_shown = status && is_end(line);
		}
		if (is_shown)
			fprintf(stderr, "%.*s\n", (int)n, line);
	}
	kinst_text_free(&err);
	return status != 0;
}
