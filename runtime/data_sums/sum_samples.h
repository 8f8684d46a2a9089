/*
 * Samples: computes the profile's data on samples and first touches from the sums of the threads (memory/sample.h).
 */
#ifndef OMPP_DATA_SUMS_SUM_SAMPLES_H
#define OMPP_DATA_SUMS_SUM_SAMPLES_H

#include "runtime/sums/sum_merge.h"

struct ompp_sample_sum;

/* If not NULL, called for each instruction whose source line is found. */
extern void (*ompp_collect_line_found)(uint64_t ip, uint32_t line, const char *function, const char *file);

/* Prepares the merge for samples.  It is called before the first thread is added.  Returns 0 or -ENOMEM. */
int ompp_samples_start(struct ompp_merge *merge);

/* Adds one sum of a thread; path and row are those of its node in the merged tree, and are ignored for sums by
 * instruction.  Sets merge->failed when there is no memory. */
void ompp_merge_sample(struct ompp_merge *merge, const struct ompp_sample_sum *sum, uint32_t path, uint32_t row);

/* Returns 1 when the merge has any samples or first touches. */
int ompp_samples_any(const struct ompp_merge *merge);

/* Fills in the profile's data on samples.  The rows must be final.  Returns 0 or -ENOMEM. */
int ompp_collect_samples(struct ompp_merge *merge, struct ompp_profile *profile);

/* Appends what the reader must know about the samples to the notes, at most OMPP_SAMPLE_NOTES of them.  Returns 0 or
 * -ENOMEM. */
enum { OMPP_SAMPLE_NOTES = 4 };
int ompp_collect_sample_notes(struct ompp_merge *merge, struct ompp_profile_note *notes, size_t *n_notes);

#endif
