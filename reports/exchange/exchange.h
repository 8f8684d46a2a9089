/*
 * Exchange: a profile in the formats of other programs, which `ompp report --format=` takes beside those of the report
 * (reports/writers).
 *
 * They hold a whole profile, not the sections of a report.  A new one is a file with a struct ompp_exchange and a line
 * in exchange.def.  They run in the program ompp alone, never in the measured one.
 */
#ifndef OMPP_EXCHANGE_H
#define OMPP_EXCHANGE_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/report_options.h"
#include "reports/writers/out.h"

struct ompp_exchange {
	/* Writes the profile.  Returns 0 or -ENOMEM; what fails in writing stays in out. */
	int (*write)(const struct ompp_analysis *a, struct ompp_out *out);
	/* Returns what a profile lacks that the format needs, and what to do; NULL where it lacks nothing.  NULL itself
	 * where all profiles have what it needs. */
	const char *(*lacks)(const struct ompp_profile *profile);
	int is_binary; /* 1 where it is no text */
};

#define EXCHANGE(name, exchange) extern const struct ompp_exchange exchange;
#include "reports/exchange/exchange.def"
#undef EXCHANGE

/* Returns the name of format i; NULL past the last. */
const char *ompp_exchange_name(size_t i);

/* Is there a format of this name? */
int ompp_exchange_has(const char *name);

/* Is there a format of this name that is no text, and so nothing for a terminal? */
int ompp_exchange_is_binary(const char *name);

/* Returns what a profile lacks for a format that there is, and what to do; NULL where it can be written. */
const char *ompp_exchange_lacks(const char *name, const struct ompp_profile *profile);

/* Writes a profile to fd in the format that the options name.  Of the other options only those for findings are used
 * (property_min, far_min, numa).  Returns 0; -EINVAL for an unknown format, or where the profile lacks what it needs;
 * -ENOMEM; or what write(2) said. */
int ompp_exchange_write(const struct ompp_profile *profile, const struct ompp_report_options *options, int fd,
                        struct ompp_arena *scratch);

#endif
