/*
 * Help: ompp help: which commands there are, what they do, and all OMPP_ variables.
 */
#include <stdio.h>
#include <string.h>

#include "reports/command/command_line.h"
#include "reports/ompp/ompp.h"
#include "runtime/base/array.h"
#include "runtime/terms/option.h"

static const struct ompp_command *const commands[] = {
	&ompp_run_command,      &ompp_report_command,   &ompp_diff_command,    &ompp_tui_command,
	&ompp_annotate_command, &ompp_scaling_command,  &ompp_history_command, &ompp_regions_command,
	&ompp_objects_command,  &ompp_counters_command, &ompp_place_command,   &ompp_flow_command,
	&ompp_pages_command,    &ompp_sensors_command,  &ompp_stat_command,    &ompp_record_command,
	&ompp_live_command,     &ompp_export_command,   &ompp_machine_command, &ompp_help_command,
};

const struct ompp_command *ompp_command(size_t i)
{
	return i < OMPP_COUNT_OF(commands) ? commands[i] : NULL;
}

/* Returns how many bytes the first way to use a command has. */
static int usage_bytes(const struct ompp_command *command)
{
	return (int)strcspn(command->usage, "\n");
}

void ompp_commands_print(int is_error)
{
	FILE *to = is_error ? stderr : stdout;
	int most = 0;

	for (size_t i = 0; ompp_command(i); i++) {
		int n = (int)strlen(commands[i]->name) + 1 + usage_bytes(commands[i]);

		most = n > most ? n : most;
	}
	fputs("Usage: ompp COMMAND ...\n\n", to);
	for (size_t i = 0; ompp_command(i); i++)
		fprintf(to, "  %s %-*.*s  %s\n", commands[i]->name, most - (int)strlen(commands[i]->name) - 1,
		        usage_bytes(commands[i]), commands[i]->usage, commands[i]->brief);
	fprintf(to, "  %-*s  the version\n", most, "--version");
}

static void print_variables(void)
{
	for (int i = 0; i < OMPP_N_OPTIONS; i++) {
		const struct ompp_option_info *o = &ompp_option_table[i];

		printf("  OMPP_%s\n      %s", o->name, o->doc);
		if (o->type == OMPP_TYPE_CHOICES || o->type == OMPP_TYPE_CHOICE)
			printf(": %s", o->unit);
		if (o->fallback[0])
			printf(" (default %s)", o->fallback);
		putchar('\n');
	}
}

/* The topics: the commands, followed by the variables. */
static const char *help_topic(size_t i)
{
	return ompp_command(i) ? commands[i]->name : i == OMPP_COUNT_OF(commands) ? "variables" : NULL;
}

static int complain_unknown(const char *word)
{
	const char *near = ompp_nearest_typed(word, help_topic);

	if (near)
		ompp_complain("help", "'%s' is not a command; did you mean 'ompp help %s'?", word, near);
	else
		ompp_complain("help", "'%s' is not a command; 'ompp help' lists them", word);
	return OMPP_EXIT_USAGE;
}

static void print_words(void)
{
	for (size_t i = 0; ompp_command(i); i++)
		printf("%s\t%s\n", commands[i]->name, commands[i]->brief);
	puts("--version\tthe version\n--help\twhich commands there are");
}

struct request {
	int is_words, is_files;
};

static int help_main(int argc, char **argv)
{
	struct request r = { 0 };
	size_t n_words = 0, i = 0;
	int status = ompp_command_words_of(&ompp_help_command, &r, argc, argv, &n_words);

	if (status)
		return status - 1;
	while (n_words && help_topic(i) && strcmp(help_topic(i), argv[0]))
		i++;
	if (n_words && !help_topic(i))
		return complain_unknown(argv[0]);
	if (r.is_words && !n_words)
		print_words();
	else if (r.is_words && ompp_command(i) && n_words > 1)
		ompp_command_values(commands[i], argv[1]);
	else if (r.is_words && ompp_command(i))
		ompp_command_words(commands[i]);
	else if (r.is_files && n_words)
		puts(ompp_command(i) && commands[i]->suffix ? commands[i]->suffix : "");
	else if (!n_words)
		ompp_commands_print(0);
	else if (ompp_command(i))
		ompp_command_help(commands[i]);
	else
		print_variables();
	return 0;
}

static const struct ompp_command_option options[] = {
	OMPP_SWITCH_ROW("words", struct request, is_words,
	                "for completion: print one line per command, or per option of the COMMAND: the word, with = if "
	                "a value follows, a tab, and what it does; or one line per word that an OPTION (written "
	                "without --) accepts"),
	OMPP_SWITCH_ROW("files", struct request, is_files,
	                "for completion: print the suffix of the files that the COMMAND reads; nothing means any file"),
};

const struct ompp_command ompp_help_command = {
	.name = "help",
	.usage = "[--words | --files] [COMMAND [OPTION] | variables]",
	.brief = "describe a command, or all OMPP_ variables",
	.about = "Describes a command and its options; without a COMMAND, lists the commands.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = help_main,
};
