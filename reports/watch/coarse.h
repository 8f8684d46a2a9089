/*
 * Coarse: combines the samples of each second into one, for readers that come later: counters are summed up; of gauges,
 * and of the regions of threads, the last value is kept; labels and pauses are passed on.
 */
#ifndef OMPP_COARSE_H
#define OMPP_COARSE_H

#include "reports/watch/sheet.h"

struct ompp_coarse;

/* sink: gets the samples; its functions are not NULL.  Returns NULL without memory. */
struct ompp_coarse *ompp_coarse_open(const struct ompp_sink *sink, int64_t interval_ns);
void ompp_coarse_close(struct ompp_coarse *coarse);

/* Takes a sample and what comes with it. */
int ompp_coarse_sample(struct ompp_coarse *coarse, const struct ompp_sheet *sheet);
int ompp_coarse_threads(struct ompp_coarse *coarse, const struct ompp_sheet_threads *threads);
int ompp_coarse_label(struct ompp_coarse *coarse, const char *text, int64_t time_ns);
int ompp_coarse_pause(struct ompp_coarse *coarse, int is_paused, int64_t time_ns);

#endif
