/*
 * Output: writes one file of a report, as safely as possible in folders that others may write to.
 *
 * A file whose name kinst makes is written under another, unused name, and takes its place when it is whole.  So no
 * link is followed, nothing of others is overwritten, and a report that cannot be finished leaves what was there
 * before.  A name that the user wrote is opened as it is; but a pipe or a device, which would make the program wait,
 * is refused.
 */
#ifndef OMPP_COLLECT_OUTPUT_H
#define OMPP_COLLECT_OUTPUT_H

enum { OMPP_PATH_BYTES = 4352 }; /* PATH_MAX and room for what is appended */

struct ompp_output {
	int fd;
	char path[OMPP_PATH_BYTES];
	char part[OMPP_PATH_BYTES]; /* its name until it is whole; "" when it is path from the start */
};

/* Opens a file.  Returns 0 or -errno.
 * is_literal: 1 when the user wrote the name */
int ompp_output_open(struct ompp_output *o, const char *path, int is_literal);

/* Closes the file.  Returns 0 or -errno.
 * rc: 0, or what went wrong before, so that the unfinished file is removed */
int ompp_output_close(struct ompp_output *o, int rc);

/* Reserves a name for this process by making an empty file that did not exist.  Returns 0, -EEXIST or another -errno.
 * ompp_output_unclaim() removes the file when it is still empty. */
int ompp_output_claim(const char *path);
void ompp_output_unclaim(const char *path);

/* Returns whether anything has this name, even a link that leads nowhere. */
int ompp_output_exists(const char *path);

/* Returns what an error of these functions, or of writing, means to the user. */
const char *ompp_output_error(int error);

#endif
