/*
 * Command option: a row of the table of a command: its word, and what help says of it.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "reports/command/command_line.h"
#include "runtime/base/text.h"
#include "runtime/terms/option.h"

const struct ompp_command_option *ompp_command_option(const struct ompp_command *command, size_t i, size_t *offset)
{
	for (size_t t = 0; t < OMPP_COMMAND_TABLES; t++) {
		const struct ompp_command_table *table = &command->tables[t];

		if (i < table->n_rows) {
			*offset = table->offset + table->rows[i].offset;
			return &table->rows[i];
		}
		i -= table->n_rows;
	}
	return NULL;
}

void ompp_command_option_word(const struct ompp_command_option *option, char *word, size_t word_bytes)
{
	snprintf(word, word_bytes, "--%s", option->name);
	for (; *word; word++)
		*word = *word == '_' ? '-' : (char)tolower((unsigned char)*word);
}

void ompp_command_option_help(const struct ompp_command_option *option, char *text, size_t text_bytes)
{
	const char *at = option->words ? strstr(option->help, "WORDS") : NULL;
	const struct ompp_option_info *v = option->variable;
	struct ompp_text t;
	size_t n;

	ompp_text_init(&t, text, text_bytes);
	if (at) {
		ompp_text_strn(&t, option->help, (size_t)(at - option->help));
		for (size_t i = 0; option->words(i); i++) {
			ompp_text_str(&t, i ? ", " : "");
			ompp_text_str(&t, option->words(i));
		}
	}
	ompp_text_str(&t, at ? at + strlen("WORDS") : option->help);
	if (v && (v->type == OMPP_TYPE_CHOICE || v->type == OMPP_TYPE_CHOICES)) {
		ompp_text_str(&t, ":");
		for (const char *item, *words = v->unit; (n = ompp_list_next(&words, &item));) {
			ompp_text_str(&t, item == v->unit ? " " : ", ");
			ompp_text_strn(&t, item, n);
		}
	}
	if (v && v->fallback[0]) {
		ompp_text_str(&t, " (default ");
		ompp_text_str(&t, v->fallback);
		ompp_text_str(&t, ")");
	}
}
