/*
 * Show: what the commands that read saved profiles share: which part of a profile is shown, and how.
 */
#ifndef OMPP_SHOW_H
#define OMPP_SHOW_H

#include <stddef.h>

#include "reports/command/arguments.h"
#include "reports/profile/profile.h"

struct ompp_analysis;
struct ompp_report_options;
struct ompp_table;

/* Returns the newest profile of the working directory as a list of one file, whose name it says on stderr; NULL after a
 * complaint.  command: that wants it */
char **ompp_newest(const char *command);

/* Loads a saved profile.  Returns 0, or -1 after a complaint. */
int ompp_load(const char *path, struct ompp_arena *arena, struct ompp_profile *profile);

/* Loads the profiles of the ranks of one MPI run, sorted by rank; with merge, of any runs.  Returns NULL, with the exit
 * status, after a complaint in the name of a command. */
struct ompp_profile *ompp_load_all(const char *command, char **paths, size_t n, int merge, struct ompp_arena *arena,
                                   int *status);

/* Adds up the profiles of each run's MPI ranks where there are several: n becomes the number of runs, and paths name
 * the first file of each.  Returns 0, or the exit status after a complaint in the name of a command.
 *
 *   kinds: of the files; files of different kinds are of different runs; on return, the kinds of the runs.  NULL if
 *   there is one kind */
int ompp_add_ranks(const char *command, char **paths, struct ompp_profile *profiles, double *kinds, size_t *n,
                   struct ompp_arena *arena);

/* The options that choose from a profile what is shown: --region, --object and so on.  Their request is a struct
 * ompp_report_options. */
enum { OMPP_CHOICE_OPTIONS = 7 };
extern const struct ompp_command_option ompp_choice_options[OMPP_CHOICE_OPTIONS];

/* Takes a least share in per cent, into an int64_t.  Returns 0, or -1 after a complaint. */
int ompp_take_least(void *to, const char *option, const char *value);

/* Folds the profiles if --by=place says so (fold.h).  Returns 0, or the exit status after a complaint in the name of a
 * command. */
int ompp_choice_fold(const char *command, const struct ompp_report_options *options, struct ompp_profile *profiles,
                     size_t n, struct ompp_arena *arena);

/* Is there a region for each word of --region, and an object for each word of --object, in one of the profiles?  If
 * not, it complains with the nearest name, and returns 0. */
int ompp_choice_known(const struct ompp_report_options *options, const struct ompp_profile *profiles, size_t n,
                      struct ompp_arena *arena);

/* Prints a profile, or several merged, on stdout.  If the user chose nothing, a terminal gets the summary and the names
 * of the other sections, with the command that shows them.  Returns the exit status. */
int ompp_print(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
               const char *file, struct ompp_arena *arena);

/* Writes them as a page for browsers into a file; a single profile's page includes the trace of pages beside its file.
 * Returns 0, or -errno after a complaint. */
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
