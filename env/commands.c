/*
 * Prints what the tables of ompp's commands say as parts of ompp(1): `commands synopsis`, and `commands options`.
 */
#include <stdio.h>
#include <string.h>

#include "reports/ompp/command_line.h"
#include "reports/ompp/ompp.h"

enum { HELP_BYTES = 1024, WORD_BYTES = 64 };

/* Prints a text for a manual page, in ASCII alone, as man cannot show an ellipsis in the C locale. */
static void roff_text(const char *s)
{
	static const char ellipsis[] = "…";

	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	for (; *s; s++)
		if (!strncmp(s, ellipsis, sizeof(ellipsis) - 1)) {
			printf("...");
			s += sizeof(ellipsis) - 2;
		} else {
			printf(*s == '-' ? "\\-" : *s == '\\' ? "\\e" : "%c", *s);
		}
}

/* Prints each way to use a command. */
static void print_usage(const struct ompp_command *command, int is_first)
{
	size_t n;

	for (const char *usage = command->usage; *usage; usage += n + (usage[n] == '\n')) {
		char words[HELP_BYTES];

		n = strcspn(usage, "\n");
		snprintf(words, sizeof(words), "%.*s", (int)n, usage);
		printf("%s.B ompp %s\n", is_first ? "" : ".br\n", command->name);
		is_first = 0;
		roff_text(words);
		puts("");
	}
}

static void print_option(const struct ompp_command_option *option)
{
	char word[WORD_BYTES], help[HELP_BYTES];

	ompp_command_option_word(option, word, sizeof(word));
	ompp_command_option_help(option, help, sizeof(help));
	printf(".TP\n\\fB");
	roff_text(word);
	if (option->value) {
		printf(option->bare ? "\\fR[=\\fI" : "\\fR=\\fI");
		roff_text(option->value);
		printf(option->bare ? "\\fR]" : "");
	}
	printf("\\fR");
	if (option->letter)
		printf(", \\fB\\-%c\\fR", option->letter);
	puts("");
	roff_text(help);
	puts("");
}

/* Prints the options of a command, but those that are variables: these have a section of their own. */
static void print_options(const struct ompp_command *command)
{
	const struct ompp_command_option *option;
	size_t offset;

	if (!command->tables[0].n_rows)
		return;
	printf(".SS ompp %s\n", command->name);
	for (size_t i = 0; (option = ompp_command_option(command, i, &offset)); i++)
		if (option->help && !option->variable)
			print_option(option);
}

int main(int argc, char **argv)
{
	int is_synopsis = argc > 1 && !strcmp(argv[1], "synopsis");

	for (size_t i = 0; ompp_command(i); i++)
		if (is_synopsis)
			print_usage(ompp_command(i), !i);
		else
			print_options(ompp_command(i));
	return fflush(stdout) || ferror(stdout);
}
