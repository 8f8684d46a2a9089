/*
 * Extra: small objects of ours that are linked into the user's program and tell libompp what only kinst
 * knows.
 *
 * Each is added to a list of paths; without a way to make it the program is linked without it.
 */
#ifndef KINST_EXTRA_H
#define KINST_EXTRA_H

#include "opari/build/link.h"
#include "opari/build/source.h"

/* Hands the list of --functions to the runtime. */
void kinst_extra_functions(struct kinst_words *objects, const struct kinst_context *context);

/* Tells how many of the files are hooked, which are not, and what is unseen in those that are. */
void kinst_extra_files(struct kinst_words *objects, const struct kinst_context *context,
		       const struct kinst_link_files *files);

/* Stands for libompp_access where libtsan is linked: what only hooked objects call leads to what it stands
 * for. */
void kinst_extra_no_hooks(struct kinst_words *objects, const struct kinst_context *context);

#endif
