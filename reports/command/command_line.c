/*
 * Command line: see command_line.h.
 */
#include "reports/command/command_line.h"

#include <string.h>

#include "reports/command/arguments.h"
#include "runtime/base/nearest.h"

enum { WORD_BYTES = 64 };

int ompp_is_help(const char *word)
{
	return !strcmp(word, "--help") || !strcmp(word, "-h");
}

struct ompp_command_line ompp_command_line(const struct ompp_command *command, void *request, int argc, char **argv)
{
	return (struct ompp_command_line){ .command = command, .request = request, .argc = argc, .argv = argv, .i = 1 };
}

/* Is it this option?  Then *value is what stands behind "=", or NULL. */
static int is_option(const struct ompp_command_option *option, const char *word, const char **value)
{
	char own[WORD_BYTES];
	size_t n;

	*value = NULL;
	if (word[1] != '-')
		return option->letter && word[1] == option->letter && !word[2];
	ompp_command_option_word(option, own, sizeof(own));
	n = strlen(own);
	if (strncmp(word, own, n) || (word[n] && word[n] != '='))
		return 0;
	if (word[n])
		*value = word + n + 1;
	return 1;
}

/* The option whose name is nearest, one that is shown; or NULL. */
static const struct ompp_command_option *nearest_option(const struct ompp_command *command, const char *word)
{
	const struct ompp_command_option *option, *nearest = NULL;
	size_t n_dashes = strspn(word, "-"), n_word = strcspn(word + n_dashes, "=,"), offset;
	unsigned int least = ompp_nearest_most(n_word);
	char own[WORD_BYTES];

	for (size_t i = 0; (option = ompp_command_option(command, i, &offset)); i++) {
		unsigned int d;

		if (!option->help)
			continue;
		ompp_command_option_word(option, own, sizeof(own));
		d = ompp_distance(own + 2, strlen(own + 2), word + n_dashes, n_word);
		if (d < least || (d == least && !nearest)) {
			least = d;
			nearest = option;
		}
	}
	return nearest;
}

static int complain_unknown(const struct ompp_command *command, const char *word)
{
	const struct ompp_command_option *near = nearest_option(command, word);
	char own[WORD_BYTES];

	if (near) {
		ompp_command_option_word(near, own, sizeof(own));
		ompp_complain(word, "unknown option; did you mean %s", own);
	} else {
		ompp_complain(word, "unknown option; 'ompp help %s' lists them", command->name);
	}
	return -1;
}

/* Stores the value of an option.  Returns 0, or -1 after a complaint. */
static int take_value(const struct ompp_command_option *option, void *to, const char *value)
{
	char own[WORD_BYTES];

	ompp_command_option_word(option, own, sizeof(own));
	if (option->take)
		return option->take(to, own, value);
	if (!option->value) {
		*(int *)to = 1;
		return 0;
	}
	*(const char **)to = value;
	return !option->words || ompp_words_known(own, value, option->words) ? 0 : -1;
}

/* Is the next word, if there is one, an option's value?  What looks like another option has to be written behind "=".
 */
static int takes_next(const struct ompp_command_option *option, const char *word)
{
	if (!word || !strncmp(word, "--", 2))
		return 0;
	return option->bare ? option->is_value && option->is_value(word) : 1;
}

/* Takes the option at argv[i], and its value.  Returns 0, or -1 after a complaint. */
static int take_option(struct ompp_command_line *line)
{
	const char *word = line->argv[line->i++], *value;
	const struct ompp_command_option *option;
	size_t offset, i = 0;

	while ((option = ompp_command_option(line->command, i, &offset)) && !is_option(option, word, &value))
		i++;
	if (!option)
		return complain_unknown(line->command, word);
	if (!option->value && value) {
		ompp_complain(word, "takes no value; leave '=%s' out", value);
		return -1;
	}
	if (!value && option->value && takes_next(option, line->i < line->argc ? line->argv[line->i] : NULL))
		value = line->argv[line->i++];
	if (!value)
		value = option->bare;
	if (!value && option->value) {
		ompp_complain(word, word[1] == '-' ? "has no value; write %s=%s" : "has no value; write %s %s", word,
		              option->value);
		return -1;
	}
	return take_value(option, (char *)line->request + offset, value ? value : "");
}

char *ompp_command_next(struct ompp_command_line *line)
{
	while (line->i < line->argc) {
		char *word = line->argv[line->i];

		if (line->only_words || word[0] != '-' || !word[1] || (line->has_marks && !strcmp(word, "--"))) {
			line->i++;
			return word;
		}
		if (ompp_is_help(word)) {
			ompp_command_help(line->command);
			line->status = 1;
			return NULL;
		}
		if (!strcmp(word, "--")) {
			line->only_words = 1;
			line->i++;
		} else if (take_option(line)) {
			line->status = 1 + OMPP_EXIT_USAGE;
			return NULL;
		}
	}
	return NULL;
}

int ompp_command_words_of(const struct ompp_command *command, void *request, int argc, char **argv, size_t *n_words)
{
	struct ompp_command_line line = ompp_command_line(command, request, argc, argv);
	char *word;

	while ((word = ompp_command_next(&line)))
		argv[(*n_words)++] = word;
	return line.status;
}
