/*
 * Recorder: a sink that writes samples into a file: a recording (JSON lines, whose schema is in ompp-stat(1)),
 * NUMAscope's array, CSV, or a page of one file that has the lines of a recording and shows them.
 *
 * Each line of a recording is appended by one write(2), so a recording that is cut off, by a crash or a full disk, is
 * valid up to its last line.
 */
#ifndef OMPP_RECORDER_H
#define OMPP_RECORDER_H

#include "reports/watch/sheet_all.h"

enum ompp_recorder_form { OMPP_RECORDER_JSON, OMPP_RECORDER_ARRAY, OMPP_RECORDER_CSV, OMPP_RECORDER_HTML };

struct ompp_recorder;

/* Opens a file for recording.  An existing file must be a recording, to which another one is appended; for the other
 * forms the file must not exist; "-" is standard output.  Returns NULL after a complaint.
 * path: NULL for "<name>-<n>.ompp.jsonl" with the first n that is free
 * program: with its arguments, or NULL */
struct ompp_recorder *ompp_recorder_open(enum ompp_recorder_form form, const char *path, const char *name,
                                         char *const *program, int64_t interval_ns, int64_t start_unix_ns);

/* The same, but the lines are handed to take() instead of a file, one or more at a time. */
struct ompp_recorder *ompp_recorder_to(void (*take)(void *to, const char *lines, size_t n_bytes), void *to,
                                       char *const *program, int64_t interval_ns, int64_t start_unix_ns);
struct ompp_sink ompp_recorder_sink(struct ompp_recorder *recorder);
const char *ompp_recorder_path(const struct ompp_recorder *recorder);

/* Returns how many samples were recorded, and how many intervals had none. */
uint64_t ompp_recorder_samples(const struct ompp_recorder *recorder, uint64_t *n_missed);

/* Closes the file.  Returns 0, or -1 after a complaint when not all is written. */
int ompp_recorder_close(struct ompp_recorder *recorder);

/* Sets the columns of CSV, which has a single heading: those of all sheets to come.  They stay until it is closed. */
int ompp_recorder_heading(struct ompp_recorder *recorder, const struct ompp_sheet_all *all);

#endif
