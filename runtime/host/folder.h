/*
 * Folder: lists a directory, with system calls and the arena only.
 */
#ifndef OMPP_HOST_FOLDER_H
#define OMPP_HOST_FOLDER_H

/* Calls `found` for each name in byte order, except names that begin with a dot.  Stops when a call returns other than
 * 0, and returns that value.  Returns 0 at the end, or -errno. */
int ompp_folder_each(const char *path, int (*found)(void *context, const char *name), void *context);

#endif
