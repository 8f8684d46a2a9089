/*
 * Cache key: has ccache tell apart what kinst makes of one source.
 *
 * When ccache runs kinst, it takes kinst for the compiler.  It would return the object of an earlier call even if
 * kinst's variables, its plug-in or the compiler behind it have changed since.  But it runs kinst to preprocess, and
 * hashes the result.  So that text ends with a line marker that contains them.  ccache's direct mode does not
 * preprocess at all; a second marker names a file that is not a regular one, which makes ccache leave that mode.
 */
#ifndef KINST_CACHE_KEY_H
#define KINST_CACHE_KEY_H

#include "opari/command/command.h"
#include "opari/command/compiler.h"

/* Returns 1 when ccache has started this process to preprocess. */
int kinst_cache_key_is_wanted(const struct kinst_command *command);

/*
 * Preprocesses by the user's own words, and adds the markers.  Returns the exit status.
 *
 * words: the user's command
 */
int kinst_cache_key_preprocess(const struct kinst_words *words, const struct kinst_compiler *compiler,
                               const struct kinst_command *command);

#endif
