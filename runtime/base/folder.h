/*
 * Folder: the names in a folder, by system calls and the arena alone.
 */
#ifndef OMPP_BASE_FOLDER_H
#define OMPP_BASE_FOLDER_H

/* Call `found` for each name but those that begin with a dot, in the order of their bytes, until it answers other than 0,
 * which is the result; 0 at the end, or -errno. */
int ompp_folder_each(const char *path, int (*found)(void *context, const char *name), void *context);

#endif
