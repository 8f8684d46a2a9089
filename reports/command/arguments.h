/*
 * Arguments: what all commands of ompp share: the words of the command line and of the environment, complaints about
 * them, and exit statuses.
 */
#ifndef OMPP_ARGUMENTS_H
#define OMPP_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "reports/command/command_line.h"
#include "runtime/terms/option.h"

/* The exit statuses of ompp itself, as the shell has them. */
enum {
	OMPP_EXIT_FAILED = 1,
	OMPP_EXIT_USAGE = 2,
	OMPP_EXIT_WORSE = 3,
	OMPP_EXIT_NOT_RUN = 126,
	OMPP_EXIT_NOT_FOUND = 127
};

/* The commands. */
extern const struct ompp_command ompp_run_command, ompp_report_command, ompp_diff_command, ompp_tui_command,
	ompp_annotate_command, ompp_scaling_command, ompp_history_command, ompp_regions_command, ompp_objects_command,
	ompp_counters_command, ompp_place_command, ompp_flow_command, ompp_pages_command, ompp_sensors_command,
	ompp_stat_command, ompp_record_command, ompp_live_command, ompp_export_command, ompp_machine_command,
	ompp_help_command;

/* Is the word a request for help? */
int ompp_is_help(const char *word);

/* Returns an untrusted name in a form that is safe for a terminal (runtime/base/clean.h). */
const char *ompp_shown(const char *s);

/* Prints "ompp: <subject>: <what>" on stderr. */
__attribute__((format(printf, 2, 3))) void ompp_complain(const char *subject, const char *format, ...);

/* Returns the word of the list name(0), name(1) … NULL that is nearest to what was typed; NULL when none is near. */
const char *ompp_nearest_typed(const char *typed, const char *(*name)(size_t i));

/* Is each word of a comma list in the list?  If not, it complains with the nearest word, and returns 0. */
int ompp_words_known(const char *option, const char *words, const char *(*name)(size_t i));

/* Take the value of --format: one format of tables; or of comparisons, json and html in small letters.  Return 0, or -1
 * after a complaint. */
int ompp_take_format(void *to, const char *option, const char *value);
int ompp_take_table_format(void *to, const char *option, const char *value);

/* Takes how many lines of a list to show, a uint32_t.  Returns 0, or -1 after a complaint. */
int ompp_take_top(void *to, const char *option, const char *value);

/* Returns the name of format i of ompp report: those of reports, those of whole profiles, and the page;
 * NULL past the last. */
const char *ompp_show_format(size_t i);

/* Returns the name of format i of a comparison: those of tables, json and html; NULL past the last. */
const char *ompp_table_format(size_t i);

/* Can stdout take an HTML page?  If it is a terminal, it complains and returns 0. */
int ompp_page_fits(void);

/* Turns the result of writing to stdout, 0 or -errno, into an exit status, and complains about an error. */
int ompp_print_status(int rc);

/* Returns the number of an OMPP_ variable in this environment, or its default. */
int64_t ompp_setting(enum ompp_option_id option);

#endif
