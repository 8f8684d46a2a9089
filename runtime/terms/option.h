/*
 * Options: the OMPP_* variables, parsed once from the environment according to the table env/options.def.
 *
 * This is the only file of the runtime that reads the environment for OMPP_ names.  A bad value keeps the default;
 * an unknown OMPP_ name is reported with the nearest right one.  No malloc, no stdio.
 */
#ifndef OMPP_TERMS_OPTION_H
#define OMPP_TERMS_OPTION_H

#include <stddef.h>
#include <stdint.h>

struct ompp_text;

enum ompp_option_id {
#define OPTION(name, type, def, min, max, unit, doc) OMPP_OPT_##name,
#include "env/options.def"
#undef OPTION
	OMPP_N_OPTIONS
};

/* What OMPP_DISABLE switches off. */
enum ompp_disabled {
#define DISABLED(name, word) OMPP_DISABLE_##name,
#include "env/disabled.def"
#undef DISABLED
	OMPP_N_DISABLED
};

enum ompp_option_type {
	OMPP_TYPE_BOOL,
	OMPP_TYPE_INT,
	OMPP_TYPE_SIZE,
	OMPP_TYPE_SECONDS,
	OMPP_TYPE_PERCENT,
	OMPP_TYPE_TEXT,
	OMPP_TYPE_PATH,
	OMPP_TYPE_LIST,
	OMPP_TYPE_CHOICE,
	OMPP_TYPE_CHOICES
};

struct ompp_option_info {
	const char *name; /* without OMPP_ */
	enum ompp_option_type type;
	const char *fallback; /* the default, as a user would write it */
	int64_t min, max;
	const char *unit; /* of CHOICE and CHOICES: the words to choose from */
	const char *doc;
};

struct ompp_options {
	int64_t number[OMPP_N_OPTIONS];   /* BOOL 0/1, INT, SIZE in bytes, SECONDS in ns, PERCENT in 10^-9, CHOICE
	                                     and CHOICES the place of the last word in their list */
	const char *text[OMPP_N_OPTIONS]; /* the value as given, else the default; never NULL */
	uint8_t given[OMPP_N_OPTIONS];    /* 1: set by the user, and valid */
	uint32_t disabled;                /* a bit for each enum ompp_disabled, by OMPP_DISABLE or an older name */
};

extern const struct ompp_option_info ompp_option_table[OMPP_N_OPTIONS];

/* Reads the options from an environment.
 * envp: "NAME=value", NULL at the end; texts are not copied, so it has to stay
 * say: called with each complaint as a line without its newline, "OMPP_OUTFROMAT: unknown variable: not used; did you
 * mean
 *      OMPP_OUTFORMAT?" */
void ompp_options_parse(struct ompp_options *options, char *const *envp, void (*say)(const char *line));

/* Returns the value of a variable of an environment, or NULL when it is not set. */
const char *ompp_environment(char *const *envp, const char *name);

/* Reads one value by its row of the table.  Returns 0, or -EINVAL, -ERANGE, or -E2BIG for several words where one is
 * wanted, and then leaves *number as it is. */
int ompp_option_value(const struct ompp_option_info *info, const char *text, int64_t *number);

/* Writes why a value was not taken, rc being what ompp_option_value() returned: "'pbes': not understood: one of
 * pebs,ibs,off; did you mean pebs?".  Returns 1 when the text ends with a suggestion. */
int ompp_option_explain(struct ompp_text *t, const struct ompp_option_info *info, const char *value, int rc);

/* Returns 1 when the comma-separated list contains the word, ignoring case and blanks around commas. */
int ompp_list_has(const char *list, const char *word, size_t word_bytes);

/* Finds the next item of a comma list, sets *item to it and moves *list behind it.  Returns the item's length, and 0 at
 * the end of the list. */
size_t ompp_list_next(const char **list, const char **item);

/* Does the user want no report (OMPP_REPORTFILE=none)?  Then what only reports use is not measured where that takes
 * system calls. */
int ompp_options_silent(const struct ompp_options *options);

#endif
