/*
 * Makes a manual page of its template: `manual VERSION <PAGE.in >PAGE`.  In a template @VERSION@ stands for the
 * version, and these lines for parts that are made from the tables that the programs use, too:
 *
 *     @SYNOPSIS [NAME...]@     how all of ompp's commands, or those named, are called
 *     @COMMANDS [NAME...]@     their options
 *     @VARIABLES@              the variables OMPP_*
 *     @PROPERTIES@             what the properties of a report mean
 *     @TABLES@                 the tables of exports and their columns
 */
#include <stdio.h>
#include <string.h>

#include "reports/command/command_line.h"
#include "reports/exchange/columns.h"
#include "reports/ompp/ompp.h"
#include "runtime/terms/words.h"

enum { HELP_BYTES = 1024, WORD_BYTES = 64, LINE_BYTES = 4096 };

/* Prints a text for a manual page, in ASCII alone, as man cannot show an ellipsis in the C locale.  In lists of words a
 * blank follows each comma, so that lines can be broken there. */
static void print_text(const char *s, int is_list)
{
	static const char ellipsis[] = "…";

	if (*s == '.' || *s == '\'')
		fputs("\\&", stdout);
	for (; *s; s++)
		if (!strncmp(s, ellipsis, sizeof(ellipsis) - 1)) {
			printf("...");
			s += sizeof(ellipsis) - 2;
		} else {
			printf(*s == '-' ? "\\-" : *s == '\\' ? "\\e" : *s == ',' && is_list ? ", " : "%c", *s);
		}
}

static const struct {
	const char *name, *type, *fallback, *unit, *doc;
} variables[] = {
#define OPTION(name, type, def, min, max, unit, doc) { #name, #type, def, unit, doc },
#include "env/options.def"
#undef OPTION
};
enum { N_VARIABLES = sizeof(variables) / sizeof(variables[0]) };

/* Returns how many bytes of the name all variables of its family have.  Those that differ in a number at the end of
 * their names are a family, which is shown as one. */
static size_t stem(const char *name)
{
	size_t n = strlen(name);

	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	return n;
}

static size_t family_size(size_t i)
{
	size_t n = 1, bytes = stem(variables[i].name);

	while (variables[i].name[bytes] && i + n < N_VARIABLES && stem(variables[i + n].name) == bytes &&
	       variables[i + n].name[bytes] && !strncmp(variables[i].name, variables[i + n].name, bytes))
		n++;
	return n;
}

static void print_family(size_t i, size_t n)
{
	int is_list = !strncmp(variables[i].type, "CHOICE", strlen("CHOICE"));

	printf(".TP\n.B OMPP_%s", variables[i].name);
	if (n > 1)
		printf(" to %s", variables[i + n - 1].name + stem(variables[i].name));
	puts("");
	print_text(variables[i].doc, 0);
	if (is_list) {
		printf(" (");
		print_text(variables[i].unit, 1);
		printf(")");
	}
	if (variables[i].fallback[0]) {
		printf("; default ");
		print_text(variables[i].fallback, 0);
		if (variables[i].unit[0] && !is_list)
			printf(" %s", variables[i].unit);
	}
	puts(".");
}

static void print_variables(void)
{
	for (size_t i = 0, n; i < N_VARIABLES; i += n) {
		n = family_size(i);
		print_family(i, n);
	}
}

static void print_properties(void)
{
	static const char *const property[][2] = {
#define PROPERTY(name, meaning) { #name, meaning },
#include "reports/findings/property.def"
#undef PROPERTY
	};

	for (size_t i = 0; i < sizeof(property) / sizeof(property[0]); i++) {
		printf(".TP\n.B %s\n", property[i][0]);
		print_text(property[i][1], 0);
		puts("");
	}
}

static void print_table(const struct ompp_data_table *t)
{
	const struct ompp_data_column *c;

	printf(".SS %s\n", t->name);
	print_text(t->sentence, 0);
	puts(".");
	for (size_t i = 0; (c = ompp_data_column(t, i)); i++) {
		printf(".TP\n.BR %s", c->name);
		if (c->unit[0]) {
			printf(" \" (");
			print_text(strcmp(c->unit, "1") ? c->unit : "a number", 0);
			printf("%s%s)\"", c->certainty[0] ? ", " : "", c->certainty);
		}
		puts("");
		print_text(c->sentence, 0);
		puts("");
	}
}

static void print_tables(void)
{
	struct ompp_data_table tables[OMPP_MAX_DATA_TABLES], head = ompp_data_head(NULL);
	int n = ompp_data_tables(NULL, tables);

	print_table(&head);
	for (int i = 0; i < n; i++)
		print_table(&tables[i]);
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
		print_text(words, 0);
		puts("");
	}
}

static void print_option(const struct ompp_command_option *option)
{
	char word[WORD_BYTES], help[HELP_BYTES];

	ompp_command_option_word(option, word, sizeof(word));
	ompp_command_option_help(option, help, sizeof(help));
	printf(".TP\n\\fB");
	print_text(word, 0);
	if (option->value) {
		printf(option->bare ? "\\fR[=\\fI" : "\\fR=\\fI");
		print_text(option->value, 0);
		printf(option->bare ? "\\fR]" : "");
	}
	printf("\\fR");
	if (option->letter)
		printf(", \\fB\\-%c\\fR", option->letter);
	puts("");
	print_text(help, 0);
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

/* Returns whether the words, with a blank before and behind each, have the command; no words have all. */
static int is_named(const char *words, const char *command)
{
	char word[WORD_BYTES];

	snprintf(word, sizeof(word), " %s ", command);
	return !words[1] || strstr(words, word);
}

static void print_commands(const char *words, int is_synopsis)
{
	int is_first = 1;

	for (size_t i = 0; ompp_command(i); i++)
		if (is_named(words, ompp_command(i)->name)) {
			if (is_synopsis)
				print_usage(ompp_command(i), is_first);
			else
				print_options(ompp_command(i));
			is_first = 0;
		}
}

/* Returns 0 for a line that stands for no part.  The words of one that does are changed. */
static int print_part(char *line)
{
	char *end = line + strcspn(line, "\n"), *words;

	if (line[0] != '@' || end - line < 2 || end[-1] != '@')
		return 0;
	end[-1] = ' ';
	*end = '\0';
	words = line + strcspn(line, " ");
	if (!strncmp(line, "@SYNOPSIS ", strlen("@SYNOPSIS ")))
		print_commands(words, 1);
	else if (!strncmp(line, "@COMMANDS ", strlen("@COMMANDS ")))
		print_commands(words, 0);
	else if (!strcmp(line, "@VARIABLES "))
		print_variables();
	else if (!strcmp(line, "@PROPERTIES "))
		print_properties();
	else if (!strcmp(line, "@TABLES "))
		print_tables();
	else
		return 0;
	return 1;
}

static void print_line(const char *line, const char *version)
{
	static const char mark[] = "@VERSION@";
	const char *at = strstr(line, mark);

	if (at)
		printf("%.*s%s%s", (int)(at - line), line, version, at + strlen(mark));
	else
		fputs(line, stdout);
}

int main(int argc, char **argv)
{
	char line[LINE_BYTES];

	if (argc != 2) {
		fputs("manual: the version is missing\n", stderr);
		return 2;
	}
	while (fgets(line, sizeof(line), stdin))
		if (!print_part(line))
			print_line(line, argv[1]);
	return fflush(stdout) || ferror(stdout);
}
