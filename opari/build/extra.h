/*
 * Extra: small objects of ours that are linked into the user's program, and tell libompp what only kinst knows.
 *
 * Each function adds an object to a list of paths.  When the object cannot be made, the program is linked without it.
 */
#ifndef KINST_EXTRA_H
#define KINST_EXTRA_H

#include "opari/build/link.h"
#include "opari/source/kinst_source.h"

/* Adds the object that hands the list of --functions to the runtime. */
void kinst_extra_functions(struct kinst_words *objects, const struct kinst_context *context);

/* Adds the object that hands the version of the sources to the runtime (--stamp): the user's text, or what git says.
 * Where there is none it says why, and adds nothing. */
void kinst_extra_stamp(struct kinst_words *objects, const struct kinst_context *context);

/*
 * Adds the object that tells how many of the files are hooked, which are not, and which accesses are not counted in
 * those that are.
 */
void kinst_extra_files(struct kinst_words *objects, const struct kinst_context *context,
                       const struct kinst_link_files *files);

/* Adds the object that tells how many of the files count their operations, and which do not. */
void kinst_extra_work(struct kinst_words *objects, const struct kinst_context *context,
                      const struct kinst_link_files *files);

/*
 * Adds the object that replaces libompp_access if libtsan is linked: functions that only hooked objects call lead to
 * the functions that they had replaced.
 */
void kinst_extra_no_hooks(struct kinst_words *objects, const struct kinst_context *context);

#endif
