/*
 * Place: decides where the reports of this process go: to a stream, to the file that the user names, or to files whose
 * names kinst makes.  Only the thread that makes a report calls this (dump.c).
 *
 * Names that kinst makes are those of ompP: <app>.<threads>-<n>.ompp.txt with the first free n.  The name is taken
 * once per process by making a file that did not exist, so processes and MPI ranks never share one.  Later reports of
 * the process replace its content, and each incremental one is also kept as .dump<k>.
 */
#ifndef OMPP_COLLECT_PLACE_H
#define OMPP_COLLECT_PLACE_H

#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/collect/output.h"

/* Stands for the profile in place of a report's format. */
enum { OMPP_FORMAT_PROFILE = -1 };

/* Returns the formats that the user asked for, as ompp_report_formats() does. */
unsigned int ompp_place_formats(void);

/* Returns the descriptor of the stream that OMPP_REPORTFILE names; -1 when it names none. */
int ompp_place_stream(void);

/* Returns whether the user wants no report at all. */
int ompp_place_is_none(void);

/* Chooses the name.  Returns 0; or -errno, and path is the one that could not be taken. */
int ompp_place_take(const struct ompp_profile *profile, char path[OMPP_PATH_BYTES]);

/* Opens the file of a format.  Returns 0 or -errno; the path in o is set in any case.
 * dump: the number of an incremental report, or 0 */
int ompp_place_open(struct ompp_output *o, int format, uint32_t dump);

/* Writes the name of a file that is begun before the name of the reports is known: beside them, with the number of the
 * process, and of the try, when that is not 0.  Any thread may call it. */
void ompp_place_early(char path[OMPP_PATH_BYTES], const char *suffix, unsigned int n);

/* Writes the name of a file with this suffix beside the reports; "" while the name of the reports is not taken. */
void ompp_place_beside(char path[OMPP_PATH_BYTES], const char *suffix);

/* Gives up what OMPP_REPORTFILE names, as it cannot be used: from now on kinst makes the names.  Returns 1 when it was
 * in use until now. */
int ompp_place_give_up(void);

/* Gives the name back when no report was written under it, and removes the empty file that reserved it. */
void ompp_place_drop(void);

/* Lets a forked child take a name of its own. */
void ompp_place_after_fork(void);

#endif
