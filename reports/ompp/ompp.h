/*
 * ompp: the program that runs measured programs and reads saved profiles.  This is what its commands share.
 */
#ifndef OMPP_PROGRAM_H
#define OMPP_PROGRAM_H

#include <stddef.h>

#include "reports/ompp/command_line.h"
#include "reports/profile/profile.h"
#include "runtime/base/option.h"

struct ompp_analysis;
struct ompp_report_options;
struct ompp_table;

/* The exit statuses of ompp itself, as the shell has them. */
enum {
	OMPP_EXIT_FAILED = 1,
	OMPP_EXIT_USAGE = 2,
	OMPP_EXIT_WORSE = 3,
	OMPP_EXIT_NOT_RUN = 126,
	OMPP_EXIT_NOT_FOUND = 127
};

/* Does everything but main(). argv[0] is the program's name.  Returns the exit status. */
int ompp_main(int argc, char **argv);

/* The commands. */
extern const struct ompp_command ompp_run_command, ompp_report_command, ompp_diff_command, ompp_tui_command,
	ompp_annotate_command, ompp_scaling_command, ompp_regions_command, ompp_objects_command, ompp_counters_command,
	ompp_place_command, ompp_flow_command, ompp_pages_command, ompp_sensors_command, ompp_stat_command,
	ompp_record_command, ompp_live_command, ompp_export_command, ompp_help_command;

/* Returns command i, in the order in which they are listed; NULL past the last. */
const struct ompp_command *ompp_command(size_t i);

/* Prints what commands there are, on stdout or stderr. */
void ompp_commands_print(int is_error);

/* Asks the word for help? */
int ompp_is_help(const char *word);

/* Returns a name that strangers wrote as a terminal may get it (runtime/base/clean.h). */
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

/* Returns the name of format i of ompp report: those of reports, those of whole profiles, and the page;
 * NULL past the last. */
const char *ompp_show_format(size_t i);

/* Returns the name of format i of a comparison: those of tables, json and html; NULL past the last. */
const char *ompp_table_format(size_t i);

/* Is stdout something that takes a page?  If it is a terminal, it complains and returns 0. */
int ompp_page_fits(void);

/* Starts a table that lists something for programs, with these columns. */
void ompp_list_start(struct ompp_table *table, struct ompp_arena *arena, const char *const *titles, size_t n_titles);

/* Returns the exit status of what was written to stdout, 0 or -errno; complains about what went wrong. */
int ompp_print_status(int rc);

/* Prints a table on stdout.  Returns the exit status. */
int ompp_print_table(const char *format, const struct ompp_table *table);

/* Says why a program that was run left no profile in the folder; nothing when the program has said so itself. */
void ompp_explain_absent(const char *program, int wait_status, const char *folder);

/* Returns the number of an OMPP_ variable in this environment, or its default. */
int64_t ompp_setting(enum ompp_option_id option);

/* Loads a saved profile.  Returns 0, or -1 after a complaint. */
int ompp_load(const char *path, struct ompp_arena *arena, struct ompp_profile *profile);

/* Loads those of the ranks of one MPI run, which it sorts, or of any runs with merge.  Returns NULL after a complaint
 * in the name of a command, with the exit status. */
struct ompp_profile *ompp_load_all(const char *command, char **paths, size_t n, int merge, struct ompp_arena *arena,
                                   int *status);

/* Adds up the profiles of each run's MPI ranks where there are several: n becomes the number of runs, and paths name
 * the first file of each.  Returns 0, or the exit status after a complaint in the name of a command.
 *
 *   kinds: of the files; those of two kinds are of two runs, and it becomes that of the runs.  NULL for one kind */
int ompp_add_ranks(const char *command, char **paths, struct ompp_profile *profiles, double *kinds, size_t *n,
                   struct ompp_arena *arena);

/* The options that choose from a profile what is shown: --region, --object and so on.  Their request is a struct
 * ompp_report_options. */
enum { OMPP_CHOICE_OPTIONS = 6 };
extern const struct ompp_command_option ompp_choice_options[OMPP_CHOICE_OPTIONS];

/* Takes a least share in per cent, into an int64_t.  Returns 0, or -1 after a complaint. */
int ompp_take_least(void *to, const char *option, const char *value);

/* Is there a region for each word of --region, and an object for each word of --object, in one of the profiles?  If
 * not, it complains with the nearest name, and returns 0. */
int ompp_choice_known(const struct ompp_report_options *options, const struct ompp_profile *profiles, size_t n,
                      struct ompp_arena *arena);

/* Prints a profile, or several merged, on stdout.  Where the user chose nothing, a terminal gets the summary and the
 * names of the other sections, with the command that shows them of this file.  Returns the exit status. */
int ompp_print(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
               const char *file, struct ompp_arena *arena);

/* Writes them as a page for browsers into a file, with the trace of pages that lies beside the file of the profile
 * where there is one profile.  Returns 0, or -errno after a complaint. */
int ompp_save_page(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
                   const char *file, const char *path, struct ompp_arena *arena);

/* Fills a table with all lines of a source file, with what was measured beside them, as ompp annotate --all prints it.
 * Returns 0, -ENOENT when *why says why there is no source, or -ENOMEM. */
int ompp_annotate_file(const struct ompp_analysis *a, const char *path, struct ompp_table *table, const char **why);

/* Prints them as a page for browsers (reports/web/report_page.h).  Returns the exit status.  files: of the profiles;
 * the last is NULL */
int ompp_print_page(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
                    const char *const *files, int with_source, struct ompp_arena *arena);

#endif
