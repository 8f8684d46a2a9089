/*
 * Folder: the names in a folder, by system calls and the arena alone.
 */
#ifndef OMPP_HOST_FOLDER_H
#define OMPP_HOST_FOLDER_H

/* Calls `found` for each name, in the order of their bytes, without those that begin with a dot.  When a call returns
 * other than 0 it is the last, and its result is that of all.  Returns 0 at the end, or -errno. */
int ompp_folder_each(const char *path, int (*found)(void *context, const char *name), void *context);

#endif
