/*
 * Command line: names, descriptions and options of the commands of ompp.  A command is one `struct ompp_command`,
 * beside the code that uses its options; its help, its words for completion and its part of the manual are made from
 * that.
 */
#ifndef OMPP_PROGRAM_COMMAND_LINE_H
#define OMPP_PROGRAM_COMMAND_LINE_H

#include <stddef.h>

struct ompp_option_info;

/* An option: --name, --name=VALUE or --name VALUE; if it is given several times, the last one counts. */
struct ompp_command_option {
	const char *name;  /* without "--"; capital letters and _ stand for small ones and - */
	const char *value; /* what help calls the value; NULL: a switch, which has none */
	const char *help;  /* WORDS in it stands for the list `words`; NULL: an old name, accepted but not shown */
	const char *(*words)(
		size_t i); /* a list, from 0 to NULL: without `take` the value has words of it, with commas */
	const char *bare;  /* value of the option without "=VALUE", which then does not take the next word; or NULL */
	int (*is_value)(const char *word); /* with `bare`: it does take a next word that can only be a value; or NULL */
	char letter;                       /* -o; 0: none */
	const struct ompp_option_info *variable; /* that it sets; help shows its words and its default, too; or NULL */
	/* Takes the value; a switch has "".  `to` is the request at `offset`; the value stays valid, the option's word
	 * (for complaints) does not.  Returns 0, or -1 after a complaint.  NULL: a switch sets an int to 1, another
	 * option a const char * to its value. */
	int (*take)(void *to, const char *option, const char *value);
	size_t offset; /* offset of the member that the option sets, in the request of its table */
};

/* Rows of the table of a command; the types of the members are checked. */
/* clang-format off */
#define OMPP_MEMBER_AT(request, member, type) \
	(offsetof(request, member) + _Generic(((request *)0)->member, type: (size_t)0))
#define OMPP_SWITCH_ROW(its_name, request, member, its_help) \
	{ .name = its_name, .help = its_help, .offset = OMPP_MEMBER_AT(request, member, int) }
#define OMPP_TEXT_ROW(its_name, its_value, request, member, its_help) \
	{ .name = its_name, .value = its_value, .help = its_help, \
	  .offset = OMPP_MEMBER_AT(request, member, const char *) }
#define OMPP_WORDS_ROW(its_name, its_value, its_words, request, member, its_help) \
	{ .name = its_name, .value = its_value, .help = its_help, .words = its_words, \
	  .offset = OMPP_MEMBER_AT(request, member, const char *) }
#define OMPP_TAKE_ROW(its_name, its_value, its_take, its_offset, its_help) \
	{ .name = its_name, .value = its_value, .help = its_help, .take = its_take, .offset = its_offset }
#define OMPP_TAKE_WORDS_ROW(its_name, its_value, its_take, its_words, its_offset, its_help) \
	{ .name = its_name, .value = its_value, .help = its_help, .take = its_take, .words = its_words, \
	  .offset = its_offset }
#define OMPP_FORMAT_ROW(its_take, its_words, request, member, its_help) \
	{ .name = "format", .value = "FORMAT", .help = its_help, .words = its_words, .take = its_take, \
	  .offset = OMPP_MEMBER_AT(request, member, const char *) }
/* clang-format on */

/* Rows that several commands share; each command has the request at another offset. */
struct ompp_command_table {
	const struct ompp_command_option *rows;
	size_t n_rows;
	size_t offset; /* of the table's request, in that of the command */
};

enum { OMPP_COMMAND_TABLES = 3 };

struct ompp_command {
	const char *name;
	const char *usage;  /* its words behind the name; a line for each way to use it */
	const char *brief;  /* in the list of commands */
	const char *about;  /* paragraphs of its help, as they are printed */
	const char *suffix; /* of the files that it reads, for completion; NULL: it reads any, or none */
	struct ompp_command_table tables[OMPP_COMMAND_TABLES];
	int (*run)(int argc, char **argv); /* argv[0] is the command's name.  Returns the exit status */
};

/* Returns option i of a command, in the order of help, and the offset of what it sets; NULL past the last. */
const struct ompp_command_option *ompp_command_option(const struct ompp_command *command, size_t i, size_t *offset);

/* Writes "--name", and what help says of an option, with the list for WORDS. */
void ompp_command_option_word(const struct ompp_command_option *option, char *word, size_t word_bytes);
void ompp_command_option_help(const struct ompp_command_option *option, char *text, size_t text_bytes);

/* Prints the help of a command; and the words of its options for completion: each with = where a value follows, a tab,
 * and what it does. */
void ompp_command_help(const struct ompp_command *command);
void ompp_command_words(const struct ompp_command *command);

/* Prints the words that the value of an option may have, a line each; none if it has no list of words.
 * name: the option without "--" */
void ompp_command_values(const struct ompp_command *command, const char *name);

/* A command line while it is read: i is the index of the next word; status is 0, or the exit status + 1. */
struct ompp_command_line {
	const struct ompp_command *command;
	void *request; /* what its options set */
	int argc;
	char **argv;
	int has_marks; /* 1: "--" is a word of the command; 0: no word after "--" is an option */
	int i, status, only_words;
};

struct ompp_command_line ompp_command_line(const struct ompp_command *command, void *request, int argc, char **argv);

/* Reads options up to the next word that is not one, and returns that.  Returns NULL at the end, after a complaint, or
 * after help; status tells which. */
char *ompp_command_next(struct ompp_command_line *line);

/* Reads all of it, and moves the words that are no options to the front of argv.  Returns status. */
int ompp_command_words_of(const struct ompp_command *command, void *request, int argc, char **argv, size_t *n_words);

#endif
