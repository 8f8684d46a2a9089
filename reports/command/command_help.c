/*
 * Command help: the help of a command, and the words of its options, from its tables.
 */
#include "reports/command/command_line.h"

#include <stdio.h>
#include <string.h>

#include "runtime/terms/option.h"

enum { HELP_BYTES = 1024, LEFT_BYTES = 96, LEFT_COLUMNS = 26, LINE_COLUMNS = 118 };

/* Writes "  --output=FILE, -o". */
static void put_left(const struct ompp_command_option *option, char *left, size_t left_bytes)
{
	size_t n;

	ompp_command_option_word(option, left, left_bytes);
	n = strlen(left);
	if (option->value)
		snprintf(left + n, left_bytes - n, option->bare ? "[=%s]" : "=%s", option->value);
	n = strlen(left);
	if (option->letter)
		snprintf(left + n, left_bytes - n, ", -%c", option->letter);
}

/* Returns how many bytes of the text fit into so many columns, up to a blank. */
static size_t fitting_bytes(const char *text, size_t n_columns)
{
	size_t n = 0, columns = 0, blank = 0;

	for (; text[n] && columns <= n_columns; n++) {
		if (text[n] == ' ')
			blank = n;
		columns += (text[n] & 0xc0) != 0x80;
	}
	return text[n] && blank ? blank : columns > n_columns && blank ? blank : strlen(text);
}

/* Prints a text in lines that begin at a column; the cursor is already there for the first line. */
static void print_wrapped(const char *text, size_t column)
{
	for (;;) {
		size_t n = fitting_bytes(text, LINE_COLUMNS - column);

		printf("%.*s\n", (int)n, text);
		text += n + (text[n] == ' ');
		if (!*text)
			return;
		printf("%*s", (int)column, "");
	}
}

/* Returns the column at which descriptions of options begin: behind the longest option that is not too long. */
static size_t help_column(const struct ompp_command *command)
{
	const struct ompp_command_option *option;
	char left[LEFT_BYTES];
	size_t column = 0, offset;

	for (size_t i = 0; (option = ompp_command_option(command, i, &offset)); i++) {
		put_left(option, left, sizeof(left));
		if (option->help && strlen(left) > column && strlen(left) <= LEFT_COLUMNS)
			column = strlen(left);
	}
	return column + 4;
}

void ompp_command_help(const struct ompp_command *command)
{
	size_t column = help_column(command), offset, n;
	const struct ompp_command_option *option;
	char left[LEFT_BYTES], help[HELP_BYTES];

	for (const char *usage = command->usage; *usage; usage += n + (usage[n] == '\n')) {
		n = strcspn(usage, "\n");
		printf("%s ompp %s%s%.*s\n", usage == command->usage ? "Usage:" : "      ", command->name, n ? " " : "",
		       (int)n, usage);
	}
	printf("\n%s", command->about);
	if (command->tables[0].n_rows)
		puts("");
	for (size_t i = 0; (option = ompp_command_option(command, i, &offset)); i++) {
		if (!option->help)
			continue;
		put_left(option, left, sizeof(left));
		ompp_command_option_help(option, help, sizeof(help));
		if (strlen(left) + 4 > column)
			printf("  %s\n%*s", left, (int)column, "");
		else
			printf("  %-*s", (int)column - 2, left);
		print_wrapped(help, column);
	}
}

void ompp_command_words(const struct ompp_command *command)
{
	const struct ompp_command_option *option;
	char word[LEFT_BYTES], help[HELP_BYTES];
	size_t offset;

	for (size_t i = 0; (option = ompp_command_option(command, i, &offset)); i++) {
		if (!option->help)
			continue;
		ompp_command_option_word(option, word, sizeof(word));
		ompp_command_option_help(option, help, sizeof(help));
		printf("%s%s\t%s\n", word, option->value && !option->bare ? "=" : "", help);
		if (option->letter)
			printf("-%c\t%s\n", option->letter, help);
	}
	puts("--help\twhat the command does, and its options");
}

void ompp_command_values(const struct ompp_command *command, const char *name)
{
	const struct ompp_command_option *option;
	char word[LEFT_BYTES];
	size_t offset, i = 0;

	do {
		option = ompp_command_option(command, i++, &offset);
		if (option)
			ompp_command_option_word(option, word, sizeof(word));
	} while (option && (!option->help || strcmp(word + 2, name)));
	for (i = 0; option && option->words && option->words(i); i++)
		puts(option->words(i));
	if (option && option->variable &&
	    (option->variable->type == OMPP_TYPE_CHOICE || option->variable->type == OMPP_TYPE_CHOICES)) {
		const char *item, *words = option->variable->unit;
		size_t n;

		while ((n = ompp_list_next(&words, &item)))
			printf("%.*s\n", (int)n, item);
	}
}
