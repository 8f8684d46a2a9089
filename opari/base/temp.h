/*
 * Temp: the one folder of this call's temporary files, under TMPDIR, with a unique name; gone at exit and on
 * the signals that end a compiler, unless it is kept.  Not thread-safe; kinst has one thread.
 */
#ifndef KINST_TEMP_H
#define KINST_TEMP_H

#include "opari/base/text.h"

/* Name the folder after the call: its words, the current folder and the user.  The same call then gives the compiler the
 * same words, which caches of compilers behind kinst know again; of two at once one gets a name by chance. */
void kinst_temp_seed(const struct kinst_words *words);

/* The folder's absolute path, made at the first call; NULL with errno set when it cannot be made. */
const char *kinst_temp_dir(void);

/* Path of a file in a sub-folder of its own ("DIR/3/NAME"), so that any NAME is free; the caller frees it.
 * NULL with errno set when the folders cannot be made. */
char *kinst_temp_path(const char *name);

/* Leave the folder where it is at exit. */
void kinst_temp_keep(void);

/* Remove the folder now; for before execvp(3). */
void kinst_temp_remove(void);

#endif
