/*
 * Temp: the folder of one call's temporary files.
 *
 * There is one such folder, under TMPDIR, with a name of its own.  It is removed at exit and on the signals that end
 * a compiler, unless it is kept.  Only one thread may call these functions, and kinst has no other.
 */
#ifndef KINST_TEMP_H
#define KINST_TEMP_H

#include "opari/base/kinst_text.h"

/*
 * Names the folder after the call: its words, the current folder and the user.  The same call then gives the compiler
 * the same words, so that a compiler cache behind kinst gets hits.  Of two such calls at the same time, one gets a
 * random name.
 */
void kinst_temp_seed(const struct kinst_words *words);

/*
 * Returns the folder's absolute path, and makes the folder at the first call; NULL with errno set when it cannot be
 * made.
 */
const char *kinst_temp_dir(void);

/*
 * Returns the path of a file in a sub-folder that is made for it ("DIR/3/NAME"), so that any NAME is free; the caller
 * frees the path.  NULL with errno set when the folders cannot be made.
 */
char *kinst_temp_path(const char *name);

/* Keeps the folder at exit. */
void kinst_temp_keep(void);

/* Removes the folder now, as nothing could remove it after execvp(3). */
void kinst_temp_remove(void);

#endif
