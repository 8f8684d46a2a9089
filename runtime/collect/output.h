/*
 * Output: one file of a report, as safe as it gets in folders that others may write to.
 *
 * A file whose name is made here is written under another name, which nobody has, and takes its place when it is whole: no
 * link is followed, nothing of others is overwritten, and a report that cannot be finished leaves what was there before.
 * A name that the user wrote is opened as it is; but a pipe or a device, which would make the program wait, is refused.
 */
#ifndef OMPP_COLLECT_OUTPUT_H
#define OMPP_COLLECT_OUTPUT_H

enum { OMPP_PATH_BYTES = 4352 };                /* PATH_MAX, and what is appended */

struct ompp_output {
	int  fd;
	char path[OMPP_PATH_BYTES];
	char part[OMPP_PATH_BYTES];             /* what is written to until it is whole; "": the file itself */
};

/* 0 or -errno.  is_literal: the user wrote the name. */
int ompp_output_open(struct ompp_output *o, const char *path, int is_literal);

/* Close it; rc: 0, or what went wrong until now, so that nothing shall be left of it.  0 or -errno. */
int ompp_output_close(struct ompp_output *o, int rc);

/* Keep a name for this process: make an empty file that nobody has.  0; -EEXIST; -errno. */
int ompp_output_claim(const char *path);
void ompp_output_unclaim(const char *path);

/* Is there anything of this name, be it a link to nothing? */
int ompp_output_exists(const char *path);

/* What an error of these functions, or of writing, means to the user. */
const char *ompp_output_error(int error);

#endif
