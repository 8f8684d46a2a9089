/*
 * Metric: what is measured beside the times, e.g. a hardware counter, and how sure it is.
 */
#ifndef OMPP_BASE_METRIC_H
#define OMPP_BASE_METRIC_H

/* How sure a metric is.  Reports never print one kind as another. */
enum ompp_certainty { OMPP_EXACT, OMPP_SAMPLED, OMPP_SCALED, OMPP_MODELLED };

struct ompp_metric {
	const char         *name;               /* as the user gave it */
	const char         *unit;               /* "" for a plain count */
	enum ompp_certainty certainty;
	const char         *detail;             /* sampling error, share of time counted …; "" when exact */
};

#endif
