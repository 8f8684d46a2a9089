/*
 * Recording: the reader of what `ompp record` has written.
 *
 * After a damaged line the following samples cannot be interpreted, as they depend on the columns before; reading
 * resumes at the next recording of the file.
 */
#ifndef OMPP_RECORDING_H
#define OMPP_RECORDING_H

#include "reports/watch/sheet.h"

/* How the first line of a recording begins. */
#define OMPP_RECORDING_START "{\"ompp\":\"recording\","

struct ompp_recording_info {
	uint64_t n_bytes, n_damaged;  /* of the file; of lines that could not be used */
	uint64_t n_samples, n_missed; /* n_missed: intervals that had none */
	int is_whole;                 /* 1 when each recording in it is complete */
	int64_t interval_ns, start_unix_ns;
};

/* Hands all of a file to the sink.  Returns 0; -1 when the sink ended it; or -2 after a complaint when the file cannot
 * be read, or is no recording. */
int ompp_recording_replay(const char *path, const struct ompp_sink *sink, struct ompp_recording_info *info);

/* Says on stderr what is missing in the file.  Returns 0. */
int ompp_recording_tell(const char *path, const struct ompp_recording_info *info);

/* Says on stderr how many intervals had no sample, if any. */
void ompp_recording_tell_missed(const char *path, uint64_t n_samples, uint64_t n_missed);

#endif
