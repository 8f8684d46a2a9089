/*
 * Dialect: see dialect.h.
 */
#include "opari/source/dialect.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/base/process.h"

/* Returns the compiler's status for an option.  Its answer is terminated in any case. */
static int dialect_ask(const struct kinst_context *context, const char *option, struct kinst_text *out)
{
	struct kinst_words words = { 0 };
	struct kinst_run run = { .words = &words, .out = out, .in = -1 };
	int status;

	kinst_words_append(&words, &context->compiler->words);
	kinst_words_add(&words, option);
	kinst_text_puts(out, "");
	status = kinst_process_run(&run);
	kinst_words_free(&words);
	return status;
}

/* Returns 1 when a line has the word `omp` and then `target`. */
static int speaks_of_target(const struct kinst_text *text, enum kinst_language language)
{
	const char *p = text->data;

	for (; (p = language == KINST_FORTRAN ? strcasestr(p, "target") : strstr(p, "target")); p++)
		for (const char *line = p; line > text->data && line[-1] != '\n'; line--)
			if (!strncasecmp(line - 1, "omp", 3) && (line[2] == ' ' || line[2] == '\t'))
				return 1;
	return 0;
}

int kinst_dialect_has_device(const struct kinst_context *context, const struct kinst_text *text,
                             enum kinst_language language)
{
	const struct kinst_command *command = context->command;
	struct kinst_text out = { 0 };
	int found = 0, off = 0;

	for (size_t i = 0; i < command->n_words; i++) {
		found |= kinst_begins(command->words[i].text, "-fopenmp-targets=") ||
		         kinst_begins(command->words[i].text, "--offload-arch=");
		off |= !strcmp(command->words[i].text, "-foffload=disable");
	}
	if (found || off || context->compiler->clang || !speaks_of_target(text, language))
		return found;
	/* gcc's compilers for devices stand in a folder beside its own. */
	found = !dialect_ask(context, "-print-file-name=accel", &out) && *out.data == '/';
	kinst_text_free(&out);
	return found;
}

/* Returns the compiler's major version; 0 when it does not tell. */
static int dialect_version(const struct kinst_context *context)
{
	struct kinst_text out = { 0 };
	int major = dialect_ask(context, "-dumpversion", &out) ? 0 : atoi(out.data);

	kinst_text_free(&out);
	return major;
}

/* gcc knows them since version 15. */
int kinst_dialect_knows_variants(const struct kinst_context *context, const struct kinst_text *text)
{
	int asks = memmem(text->data, text->length, "omp metadirective", 17) ||
	           memmem(text->data, text->length, "omp dispatch", 12);

	return !asks || context->compiler->clang || dialect_version(context) >= 15;
}

/* clang knows them since version 15, and takes shared variables for firstprivate in 15 and 16, not in 19. */
enum kinst_combined kinst_dialect_combined(const struct kinst_context *context, const struct kinst_text *text)
{
	int asks = memmem(text->data, text->length, " masked", 7) || memmem(text->data, text->length, " loop", 5);
	int major = asks && context->compiler->clang && !context->compiler->flang ? dialect_version(context) : 19;

	return major >= 19 ? KINST_COMBINED_KNOWN : major >= 15 ? KINST_COMBINED_OTHER : KINST_COMBINED_UNKNOWN;
}

int kinst_dialect_form(const struct kinst_source *source, const struct kinst_context *context)
{
	static const char option[] = "-ffixed-line-length-";
	int form = source->input->fixed != 0;

	for (size_t i = 0; form && i < context->command->n_words; i++) {
		const char *word = context->command->words[i].text;
		int n;

		if (!kinst_begins(word, option))
			continue;
		n = atoi(word + strlen(option));
		form = n > 6 ? n : INT_MAX; /* none, 0 */
	}
	return form;
}

const char *kinst_dialect_standard(const struct kinst_command *command)
{
	const char *std = NULL;

	for (size_t i = 0; i < command->n_words; i++)
		if (kinst_begins(command->words[i].text, "-std="))
			std = command->words[i].text + strlen("-std=");
	return std;
}
