/*
 * Destination: decides where the reports of this process go: to a stream, to the file that the user names, or to files
 * whose names kinst chooses.  Only the thread that makes a report calls this (dump.c).
 *
 * The names that kinst chooses are those of ompP: <app>.<threads>-<n>.ompp.txt with the first free n.  The name is
 * reserved once per process by creating a file that did not exist, so processes and MPI ranks never share one.  Later
 * reports of the process replace its content, and each incremental one is also kept as .dump<k>.
 */
#ifndef OMPP_COLLECT_DESTINATION_H
#define OMPP_COLLECT_DESTINATION_H

#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/collect/output.h"

/* Used instead of a report's format for the profile. */
enum { OMPP_FORMAT_PROFILE = -1 };

/* Returns the formats that the user asked for, as ompp_report_formats() does. */
unsigned int ompp_destination_formats(void);

/* Returns the file descriptor of the stream that OMPP_REPORTFILE names; -1 when it names none. */
int ompp_destination_stream(void);

/* Returns whether the user wants no report at all. */
int ompp_destination_is_none(void);

/* Chooses the name, and makes the folder of OMPP_OUTDIR if it is missing.  Returns 0; or -errno, and then path is the
 * name that could not be reserved. */
int ompp_destination_take(const struct ompp_profile *profile, char path[OMPP_PATH_BYTES]);

/* Opens the file of a format.  Returns 0 or -errno; the path in o is set in any case.
 * dump: the number of an incremental report, or 0 */
int ompp_destination_open(struct ompp_output *o, int format, uint32_t dump);

/* Writes the name of a file that is begun before the name of the reports is known: in their folder, which it makes
 * if it is missing, with the process id, and the number of the attempt when it is not 0.  Any thread may call it. */
void ompp_destination_early(char path[OMPP_PATH_BYTES], const char *suffix, unsigned int n);

/* Writes the name of a file with this suffix beside the reports; "" while the name of the reports is not chosen. */
void ompp_destination_beside(char path[OMPP_PATH_BYTES], const char *suffix);

/* Stops using OMPP_REPORTFILE, after an error: from now on kinst chooses the names; where it does already, stops using
 * OMPP_OUTDIR: from now on reports go to the folder in which the program started.  Returns 0 when nothing is left to
 * give up, and 1 otherwise. */
int ompp_destination_give_up(void);

/* Releases the name when no report was written under it, and removes the empty file that reserved it. */
void ompp_destination_drop(void);

/* Prepares a forked child to choose its own name. */
void ompp_destination_after_fork(void);

#endif
