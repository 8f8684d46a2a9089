/*
 * Place: where the reports of this process go: to a stream, to the file that the user names, or to files with names of our
 * own.  The reporting thread alone calls this (dump.c).
 *
 * Names are ompP's: <app>.<threads>-<n>.ompp.txt with the first free n.  The name is taken once per process, by making a
 * file that nobody has, so processes and MPI ranks never share one; later reports of the process replace its content,
 * and each incremental one is also kept as .dump<k>.
 */
#ifndef OMPP_COLLECT_PLACE_H
#define OMPP_COLLECT_PLACE_H

#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/collect/output.h"

/* Formats asked for, as bits; both kinds of CSV are one file, which is raw when that is asked for. */
enum ompp_format { OMPP_FORMAT_PROFILE = 0, OMPP_FORMAT_TEXT = 1, OMPP_FORMAT_CSV = 2 };

int ompp_place_formats(void);

/* The descriptor that OMPP_REPORTFILE means, -1 when that is no stream. */
int ompp_place_stream(void);

/* Is no report wanted at all? */
int ompp_place_is_none(void);

/* Choose the name; 0, or -errno, and the path that could not be taken. */
int ompp_place_take(const struct ompp_profile *profile, char path[OMPP_PATH_BYTES]);

/* Open the file of a format, dump 0 or the number of an incremental report.  0 or -errno; the path is set in any case. */
int ompp_place_open(struct ompp_output *o, int format, uint32_t dump);

/* What OMPP_REPORTFILE names cannot be used: names of our own from now on.  1: it was in use until now. */
int ompp_place_give_up(void);

/* No report was written under the name: nothing shall be left of it. */
void ompp_place_drop(void);

/* In a forked child: names of its own. */
void ompp_place_after_fork(void);

#endif
