/*
 * ompp: the program that runs measured programs and reads saved profiles.  This is what its commands share.
 */
#ifndef OMPP_PROGRAM_H
#define OMPP_PROGRAM_H

#include <stddef.h>

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

/* The commands. argv[0] is the name of the command.  Return the exit status. */
int ompp_run(int argc, char **argv);
int ompp_show(int argc, char **argv);
int ompp_tui(int argc, char **argv);
int ompp_annotate(int argc, char **argv);
int ompp_diff_command(int argc, char **argv);
int ompp_scaling_command(int argc, char **argv);
int ompp_regions(int argc, char **argv);
int ompp_objects(int argc, char **argv);
int ompp_counters(int argc, char **argv);
int ompp_place(int argc, char **argv);
int ompp_flow_command(int argc, char **argv);
int ompp_pages_command(int argc, char **argv);
int ompp_sensors_command(int argc, char **argv);
int ompp_stat(int argc, char **argv);
int ompp_record(int argc, char **argv);
int ompp_live(int argc, char **argv);
int ompp_export(int argc, char **argv);
int ompp_help(int argc, char **argv);

/* Say whether a word asks for help; print the help about one command and return the exit status. */
int ompp_is_help(const char *word);
int ompp_help_about(const char *command);

/* Returns a name that strangers wrote as a terminal may get it (runtime/base/clean.h). */
const char *ompp_shown(const char *s);

/* Prints "ompp: <subject>: <what>" on stderr. */
__attribute__((format(printf, 2, 3))) void ompp_complain(const char *subject, const char *format, ...);

/* Returns the word of the list name(0), name(1) … NULL that is nearest to what was typed; NULL when none is near. */
const char *ompp_nearest_typed(const char *typed, const char *(*name)(size_t i));

/* Returns the value of "--name=value", or of "--name value", for which *i moves on; NULL when argv[*i] is another
 * option. */
const char *ompp_option_argument(int argc, char **argv, int *i, const char *name);

/* Is each word of a comma list in the list?  If not, it complains with the nearest word, and returns 0. */
int ompp_words_known(const char *option, const char *words, const char *(*name)(size_t i));

/* Is the value of --format one format?  If not, it complains and returns 0. */
int ompp_format_known(const char *value);

/* Returns the name of format i of ompp report: those of reports, those of whole profiles, and the page;
 * NULL past the last. */
const char *ompp_show_format(size_t i);

/* Returns the name of format i of a comparison: those of tables, json and html; NULL past the last. */
const char *ompp_table_format(size_t i);

/* Is stdout something that takes a page?  If it is a terminal, it complains and returns 0. */
int ompp_page_fits(void);

/* Returns the value of --format of a comparison, json and html in small letters; NULL after a complaint. */
const char *ompp_table_format_known(const char *value);

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

/* Takes an option that chooses from a profile what is shown: --region, --object, --columns, --numa, --property-min.
 * Returns 1; 0 when argv[*i] is another one; or -1 after a complaint. */
int ompp_choice_option(int argc, char **argv, int *i, struct ompp_report_options *options);

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
