/*
 * Access notes: what the reader must know about the counts of data objects: what is not counted, and why.
 */
#ifndef OMPP_COLLECT_ACCESS_NOTES_H
#define OMPP_COLLECT_ACCESS_NOTES_H

#include <stddef.h>

#include "reports/profile/profile.h"
#include "runtime/sums/sum_merge.h"

/* Appends them to the notes, at most OMPP_ACCESS_NOTES.  Returns 0 or -ENOMEM. */
enum { OMPP_ACCESS_NOTES = 10 };
int ompp_collect_access_notes(struct ompp_merge *merge, const struct ompp_profile *profile,
                              struct ompp_profile_note *notes, size_t *n_notes);

#endif
