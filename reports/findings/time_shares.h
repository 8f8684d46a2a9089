/*
 * Time shares: how the time of all threads divides, as the summary and the brief form of a report show it.
 */
#ifndef OMPP_TIME_SHARES_H
#define OMPP_TIME_SHARES_H

#include "reports/analysis/classes.h"

enum ompp_time_kind {
	OMPP_TIME_WORK,
	OMPP_TIME_SYNCH,
	OMPP_TIME_IMBAL,
	OMPP_TIME_LIMPAR,
	OMPP_TIME_MGMT,
	OMPP_TIME_SERIAL,
};

struct ompp_time_share {
	int64_t ns, error_ns; /* error_ns: the standard error, due to visits that were not timed; 0 without */
	int is_optional;
	const char *words;
	enum ompp_time_kind kind;
};

enum { OMPP_TIME_SHARES = 13 };

struct ompp_time_shares {
	int64_t base_ns; /* the sum of all of them */
	struct ompp_time_share list[OMPP_TIME_SHARES];
};

/* Divides the time of all threads. */
void ompp_time_shares(const struct ompp_analysis *a, const struct ompp_classes *c, struct ompp_time_shares *all);

/* Is part i shown?  Optional ones are left out below 0.005 %. */
int ompp_time_share_is_shown(const struct ompp_time_shares *all, int i);

#endif
