/*
 * Source: the common interface of everything that measures, except the clock (counters, samples, page faults).
 *
 * A source declares its metrics and their certainty.  A member may be NULL: registration replaces it by a stub.  A
 * source that cannot start is switched off with a note that says what to do; the program always continues.
 */
#ifndef OMPP_SOURCES_SOURCE_H
#define OMPP_SOURCES_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/counters/metric.h"
#include "runtime/counters/value.h"
#include "runtime/terms/option.h"

struct ompp_counter;

enum { OMPP_MAX_METRICS = 64 }; /* the most values, and the most columns, of all sources together */

/* Why a source cannot work: one sentence with the cause and what to do. */
struct ompp_why {
	char text[200];
};

/* Used as the index of a value: no value. */
enum { OMPP_NO_VALUE = UINT16_MAX };

/* The kinds of values.  COUNT: the cost of reading it is subtracted.  TIME: it is not.  LOST: it counts failed
 * readings; if there are any, the columns that have it in their share are missing, also in differences. */
enum ompp_value_kind { OMPP_VALUE_COUNT, OMPP_VALUE_TIME, OMPP_VALUE_LOST };

/* The three values of a column's share: the time in ns for which it was enabled, the time for which it counted, and the
 * failed readings. */
enum { OMPP_SHARE_ENABLED, OMPP_SHARE_RUNNING, OMPP_SHARE_LOST, OMPP_SHARE_VALUES };

struct ompp_source_column {
	struct ompp_metric metric;
	uint16_t value;    /* index of the value; OMPP_NO_VALUE when it is not counted, or by access hooks */
	uint16_t share;    /* the first of its three values (OMPP_SHARE_…), or OMPP_NO_VALUE */
	uint8_t is_access; /* 1 when it is filled from the counts of access hooks */
	const struct ompp_counter *counter; /* NULL when it is not in the list of names */
};

/* The values that the sources of a run read at each region boundary, and the metrics of reports. */
struct ompp_metric_set {
	size_t n;                       /* values of one reading */
	uint8_t kind[OMPP_MAX_METRICS]; /* enum ompp_value_kind of each */
	size_t n_columns;
	struct ompp_source_column column[OMPP_MAX_METRICS];
	size_t n_evals;
	struct ompp_eval eval[OMPP_MAX_METRICS];
};

/* Returns the number that a column shows for the sums of values at one place: scaled when it did not count all the
 * time; OMPP_MISSING when it did not count at all, a reading failed, or the column has no value. */
int64_t ompp_source_column_value(const struct ompp_source_column *column, const int64_t *values);

/* Sets a report's metric by the sums of values of all places: SCALED, with the share of time counted in the detail,
 * when the column was not counted all the time.  The detail also tells when a reading failed, so that the column is
 * missing there.
 * text: has n_text bytes, which must last as long as the report */
void ompp_source_column_mark(const struct ompp_source_column *column, const int64_t *totals, struct ompp_metric *metric,
                             char *text, size_t n_text);

struct ompp_source {
	const char *name, *help;
	size_t thread_bytes; /* size of the state of each thread, which is zeroed first */
	int (*probe)(const struct ompp_options *, struct ompp_why *); /* 0 when requested and possible */
	int (*open)(const struct ompp_options *, struct ompp_metric_set *, struct ompp_why *); /* adds metrics */
	int (*thread_start)(void *state, struct ompp_why *);
	void (*read)(void *state, uint64_t *values); /* called at each region boundary; HOT */
	void (*thread_stop)(void *state);
	void (*after_fork)(void *state, int mine); /* in a forked child; mine: 1 for its only thread */
	/* the program puts a filter of system calls in place (base/filter.h); NULL: no matter */
	void (*filtered)(struct ompp_metric_set *);
	void (*close)(void);
};

/* Opens all sources that the options request, once.  Their metrics are then in ompp_metrics.  COLD. */
void ompp_sources_open(const struct ompp_options *options);
void ompp_sources_close(void);

extern struct ompp_metric_set ompp_metrics; /* written by ompp_sources_open, and by ompp_sources_filtered */

/* The first returns the size of one thread's state for all sources; the others call the functions of all sources for
 * one thread. */
size_t ompp_sources_thread_bytes(void);
void ompp_sources_thread_start(void *state);
void ompp_sources_thread_stop(void *state);
void ompp_sources_after_fork(void *state, int mine);
void ompp_sources_filtered(void);                      /* for all threads */
void ompp_sources_read(void *state, uint64_t *values); /* HOT, only when ompp_metrics.n is not 0 */

#endif
