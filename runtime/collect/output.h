/*
 * Output: writes one file of a report, as safely as possible in folders that others may write to.
 *
 * A file whose name kinst chooses is written under a temporary, unused name, and renamed when it is complete.  So no
 * link is followed, no file of another user is overwritten, and an unfinished report does not destroy the previous one.
 * A name that the user gave is opened directly; but a pipe or a device, which would make the program wait, is refused.
 */
#ifndef OMPP_COLLECT_OUTPUT_H
#define OMPP_COLLECT_OUTPUT_H

enum { OMPP_PATH_BYTES = 4352 }; /* PATH_MAX and room for what is appended */

struct ompp_output {
	int fd;
	char path[OMPP_PATH_BYTES];
	char part[OMPP_PATH_BYTES]; /* its name until it is complete; "" when path is used from the start */
};

/* Opens a file.  Returns 0 or -errno.
 * is_literal: 1 when the user gave the name */
int ompp_output_open(struct ompp_output *o, const char *path, int is_literal);

/* Closes the file.  Returns 0 or -errno.
 * rc: 0, or an earlier error, for which the unfinished file is removed */
int ompp_output_close(struct ompp_output *o, int rc);

/* Reserves a name for this process by creating an empty file that did not exist.  Returns 0, -EEXIST or another -errno.
 * ompp_output_unclaim() removes the file when it is still empty. */
int ompp_output_claim(const char *path);
void ompp_output_unclaim(const char *path);

/* Returns whether anything has this name, even a link that leads nowhere. */
int ompp_output_exists(const char *path);

/* Makes a folder, and those above it, if it is missing.  Returns 0, also when it exists; or -errno.
 * path: is not empty, and is changed meanwhile */
int ompp_output_make_folder(char *path);

/* Returns a text for the user about an error of these functions, or of writing. */
const char *ompp_output_error(int error);

#endif
