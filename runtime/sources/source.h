/*
 * Source: everything that measures beside the clock (counters, samples, page faults).  The one event interface.
 *
 * A source declares what it measures and how sure it is.  A member may be NULL: registration puts a stub there.
 * A source that cannot start is switched off with a note that says what to do; the program always runs on.
 */
#ifndef OMPP_SOURCES_SOURCE_H
#define OMPP_SOURCES_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/metric.h"
#include "runtime/base/option.h"

struct ompp_counter;

enum { OMPP_MAX_METRICS = 64 };                 /* of all sources together: values, and columns */

/* Why a source cannot work: one sentence, what and what to do. */
struct ompp_why { char text[200]; };

/* What the sources of a run read at each region boundary, and the metrics that reports make of it. */
enum { OMPP_NO_VALUE = UINT16_MAX };

/* How values add up.  COUNT: its readings' cost is taken out.  TIME: as it is.  LOST: readings that failed; any means
 * that the columns that have it in their share are missing there, also in differences. */
enum ompp_value_kind { OMPP_VALUE_COUNT, OMPP_VALUE_TIME, OMPP_VALUE_LOST };

/* A column's share: the time in ns that it was to count, the time that it did, the readings that failed. */
enum { OMPP_SHARE_ENABLED, OMPP_SHARE_RUNNING, OMPP_SHARE_LOST, OMPP_SHARE_VALUES };

struct ompp_column {
	struct ompp_metric       metric;
	uint16_t                 value;         /* which of the values; OMPP_NO_VALUE: not counted, or by access hooks */
	uint16_t                 share;         /* the first of three values, see OMPP_SHARE_…; or OMPP_NO_VALUE */
	uint8_t                  is_access;     /* 1: filled from the counts of access hooks */
	const struct ompp_counter *counter;     /* NULL: not one of the list of names */
};

struct ompp_metric_set {
	size_t             n;                   /* values of one reading */
	uint8_t            kind[OMPP_MAX_METRICS];      /* enum ompp_value_kind of each */
	size_t             n_columns;
	struct ompp_column column[OMPP_MAX_METRICS];
	size_t             n_evals;
	struct ompp_eval   eval[OMPP_MAX_METRICS];
};

/* What a column shows of the sums of values at one place: scaled where it did not count all the time, INT64_MIN where
 * it did not count at all, or a reading failed.  A column without a value is missing too. */
int64_t ompp_column_value(const struct ompp_column *column, const int64_t *values);

/* Set a report's metric by the sums of values of all places: SCALED with the share of time counted in the detail, when
 * the column was not counted all the time; which readings failed.  text: n_text bytes that last as long as the report. */
void ompp_column_mark(const struct ompp_column *column, const int64_t *totals, struct ompp_metric *metric, char *text,
                      size_t n_text);

struct ompp_sample_sink;                        /* where drain() puts samples */

struct ompp_source {
	const char *name, *help;
	size_t      thread_bytes;               /* per-thread state, zeroed */
	int  (*probe)(const struct ompp_options *, struct ompp_why *);       /* 0: wanted and possible */
	int  (*open)(const struct ompp_options *, struct ompp_metric_set *, struct ompp_why *);   /* adds metrics */
	int  (*thread_start)(void *state, struct ompp_why *);
	void (*read)(void *state, uint64_t *values);            /* HOT: at each region boundary */
	void (*drain)(void *state, struct ompp_sample_sink *);  /* WARM: hand over samples */
	void (*thread_stop)(void *state);
	void (*after_fork)(void *state, int mine);      /* in a child; mine 1: of the calling thread, the only one left */
	void (*close)(void);
};

/* Open all sources that the options ask for.  COLD, once.  Metrics of the whole run are in ompp_metrics. */
void ompp_sources_open(const struct ompp_options *options);
void ompp_sources_close(void);

extern struct ompp_metric_set ompp_metrics;     /* written by ompp_sources_open alone */

/* Bytes of state that one thread needs for all sources, and the calls for one thread. */
size_t ompp_sources_thread_bytes(void);
void ompp_sources_thread_start(void *state);
void ompp_sources_thread_stop(void *state);
void ompp_sources_after_fork(void *state, int mine);
void ompp_sources_read(void *state, uint64_t *values);   /* HOT, only when ompp_metrics.n is not 0 */

#endif
