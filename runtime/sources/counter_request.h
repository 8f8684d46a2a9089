/*
 * Counter request: the names of the counters that the options request, in order and each once, and the values computed
 * from them.
 *
 * First come OMPP_CTR1 to 8, then OMPP_CTR, those of OMPP_WORK, then further names in OMPP_EVALn.  A ready group stands
 * for its counters, and adds the values computed from them.  COLD.
 */
#ifndef OMPP_SOURCES_COUNTER_REQUEST_H
#define OMPP_SOURCES_COUNTER_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/counters/counter.h"
#include "runtime/counters/metric.h"
#include "runtime/terms/option.h"

enum { OMPP_REQUESTS = 40, OMPP_REQUEST_EVALS = 48, OMPP_LACKING = 8 };

struct ompp_counter_request {
	const char *variable;         /* "CTR1" */
	char name[OMPP_COUNTER_NAME]; /* truncated when longer, so that it matches no counter */
	int of_group;                 /* 1 when a ready group brought it */
};

struct ompp_counter_requests {
	size_t n, n_evals;
	struct ompp_counter_request request[OMPP_REQUESTS];
	struct ompp_eval eval[OMPP_REQUEST_EVALS];
	char titles[8][64]; /* of the OMPP_EVALn that have a title */
	size_t n_lacking;   /* ready groups that need a missing PMU */
	struct ompp_counter_request lacking[OMPP_LACKING];
};

/* Reads the options.
 * say: called with each complaint, one line */
void ompp_counter_requests_make(struct ompp_counter_requests *requests, const struct ompp_options *options,
                                void (*say)(const char *line));

#endif
