/*
 * Coarse: samples that are put together, one of each second, for those who look on later: of counters all of the
 * growth, of gauges what they were last.  Threads are where they were last; labels and pauses stay.
 */
#ifndef OMPP_COARSE_H
#define OMPP_COARSE_H

#include "reports/watch/sheet.h"

struct ompp_coarse;

/* sink: gets the samples; its functions are not NULL.  Returns NULL without memory. */
struct ompp_coarse *ompp_coarse_open(const struct ompp_sink *sink, int64_t interval_ns);
void ompp_coarse_close(struct ompp_coarse *coarse);

/* Takes what is read. */
int ompp_coarse_sample(struct ompp_coarse *coarse, const struct ompp_sheet *sheet);
int ompp_coarse_threads(struct ompp_coarse *coarse, const struct ompp_sheet_threads *threads);
int ompp_coarse_label(struct ompp_coarse *coarse, const char *text, int64_t time_ns);
int ompp_coarse_pause(struct ompp_coarse *coarse, int is_paused, int64_t time_ns);

#endif
