/*
 * ompp: the program that runs measured programs and reads saved profiles.  What its commands share.
 */
#ifndef OMPP_PROGRAM_H
#define OMPP_PROGRAM_H

#include <stddef.h>

#include "reports/profile/profile.h"
#include "runtime/base/option.h"

/* Exit statuses of our own, as the shell has them. */
enum { OMPP_EXIT_FAILED = 1, OMPP_EXIT_USAGE = 2, OMPP_EXIT_NOT_RUN = 126, OMPP_EXIT_NOT_FOUND = 127 };

/* Everything but main(): argv[0] is the program's name.  The exit status. */
int ompp_main(int argc, char **argv);

/* The commands; argv[0] is the command's name. */
int ompp_run(int argc, char **argv);
int ompp_show(int argc, char **argv);
int ompp_regions(int argc, char **argv);
int ompp_objects(int argc, char **argv);
int ompp_counters(int argc, char **argv);
int ompp_help(int argc, char **argv);

/* Does the word ask for help?  And the help about one command, status 0. */
int ompp_is_help(const char *word);
int ompp_help_about(const char *command);

/* A name of strangers as a terminal may get it (runtime/base/clean.h). */
const char *ompp_shown(const char *s);

/* "ompp: <subject>: <what>\n" on stderr. */
__attribute__((format(printf, 2, 3))) void ompp_complain(const char *subject, const char *format, ...);

/* The word of the list (name(0), name(1) … NULL) that is nearest to what was typed, or NULL when none is near. */
const char *ompp_nearest_typed(const char *typed, const char *(*name)(size_t i));

/* The value of "--name=value", or of "--name value" (then *i moves on); NULL: argv[*i] is another option. */
const char *ompp_option_argument(int argc, char **argv, int *i, const char *name);

/* Is each word of a comma list in the list?  If not, a complaint that names the nearest, and 0. */
int ompp_words_known(const char *option, const char *words, const char *(*name)(size_t i));

/* The value of --format of a command that lists: is it csv, raw or not?  What is neither is complained about, −1. */
int ompp_format_known(const char *value, int *is_csv);

/* A cell of CSV on stdout, as --format wants it. */
void ompp_csv_field(const char *s);

/* Say why a program that was run left no profile in the folder; nothing when it has said so itself. */
void ompp_explain_absent(const char *program, int wait_status, const char *folder);

/* The number of an OMPP_ variable as it is set here, or its default. */
int64_t ompp_setting(enum ompp_option_id option);

/* Load a saved profile; complains and answers −1. */
int ompp_load(const char *path, struct ompp_arena *arena, struct ompp_profile *profile);

struct ompp_report_options;

/* Is there a region for each word of --region, and an object for each of --object, in one of the profiles?  If not, a
 * complaint that names the nearest, and 0. */
int ompp_choice_known(const struct ompp_report_options *options, const struct ompp_profile *profiles, size_t n,
                      struct ompp_arena *arena);

/* Print several profiles merged, or one, on stdout; where nothing was chosen a terminal gets the summary and the names of the
 * sections, which can be seen with the file of this name.  The exit status. */
int ompp_print(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
               const char *file, struct ompp_arena *arena);

#endif
