/*
 * Bundle: a preprocessed text with a part for each device and one for the host, as clang before version 15 writes it
 * for -fopenmp-targets, and takes it as a source.
 */
#ifndef KINST_BUNDLE_H
#define KINST_BUNDLE_H

#include "opari/base/kinst_text.h"

/* What stands around the host's part; empty for a text that is no bundle. */
struct kinst_bundle {
	struct kinst_text before, behind;
};

/* Takes the host's part out of a text where that is a bundle; the rest goes to *bundle. */
void kinst_bundle_take(struct kinst_bundle *bundle, struct kinst_text *text);

/* Returns 1 when a text was the host's part of a bundle. */
int kinst_bundle_is(const struct kinst_bundle *bundle);

/* Adds the bundle with a text as the host's part. */
void kinst_bundle_put(const struct kinst_bundle *bundle, const struct kinst_text *text, struct kinst_text *result);

void kinst_bundle_free(struct kinst_bundle *bundle);

#endif
