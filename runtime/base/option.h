/*
 * Options: what OMPP_* variables say, parsed once from the environment by the table env/options.def.
 *
 * This is the only file of the runtime that reads the environment for OMPP_ names.  A bad value keeps the default;
 * an unknown OMPP_ name is reported with the nearest right one.  No malloc, no stdio.
 */
#ifndef OMPP_BASE_OPTION_H
#define OMPP_BASE_OPTION_H

#include <stddef.h>
#include <stdint.h>

enum ompp_option_id {
#define OPTION(name, type, def, min, max, unit, doc) OMPP_OPT_##name,
#include "env/options.def"
#undef OPTION
	OMPP_N_OPTIONS
};

enum ompp_option_type {
	OMPP_TYPE_BOOL, OMPP_TYPE_INT, OMPP_TYPE_SIZE, OMPP_TYPE_SECONDS, OMPP_TYPE_PERCENT, OMPP_TYPE_TEXT, OMPP_TYPE_PATH,
	OMPP_TYPE_LIST, OMPP_TYPE_CHOICES
};

struct ompp_option_info {
	const char           *name;             /* without OMPP_ */
	enum ompp_option_type type;
	const char           *fallback;         /* the default, as a user would write it */
	int64_t               min, max;
	const char           *unit;             /* or the choices */
	const char           *doc;
};

struct ompp_options {
	int64_t     number[OMPP_N_OPTIONS];     /* BOOL 0/1, INT, SIZE in bytes, SECONDS in ns, PERCENT in 10^-9, CHOICES
	                                           the place of the last word in its list */
	const char *text[OMPP_N_OPTIONS];       /* the value as given, else the default; never NULL */
	uint8_t     given[OMPP_N_OPTIONS];      /* 1: set by the user, and valid */
};

extern const struct ompp_option_info ompp_option_table[OMPP_N_OPTIONS];

/* Parse envp ("NAME=value", NULL at the end).  Texts are not copied: they live as long as the environment given.
 * say() gets each complaint, one line without newline, e.g.
 * "OMPP_OUTFROMAT: unknown variable: not used; did you mean OMPP_OUTFORMAT?" */
void ompp_options_parse(struct ompp_options *options, char *const *envp, void (*say)(const char *line));

/* The value of a variable of an environment, NULL when it is not set. */
const char *ompp_environment(char *const *envp, const char *name);

/* Parse one value by its row: 0, or -EINVAL / -ERANGE and *number unchanged. */
int ompp_option_value(const struct ompp_option_info *info, const char *text, int64_t *number);

/* Does the comma list contain the word (case-insensitive; spaces around commas ignored)? */
int ompp_list_has(const char *list, const char *word, size_t word_bytes);

/* Next item of a comma list: *item, its length as the result (0 at the end); *list moves on. */
size_t ompp_list_next(const char **list, const char **item);

#endif
