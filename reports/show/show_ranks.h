/*
 * Show ranks: the report of so many ranks that their profiles are read one by one, and only sums are kept.
 */
#ifndef OMPP_SHOW_RANKS_H
#define OMPP_SHOW_RANKS_H

#include <stddef.h>

struct ompp_report_options;

/* Is such a report meant?  It is where text of many ranks, whose files are large, is asked for and no part of it. */
int ompp_show_ranks_is(char **paths, size_t n, const struct ompp_report_options *options);

/* Prints it on stdout.  Returns the exit status. */
int ompp_show_ranks(char **paths, size_t n, const struct ompp_report_options *options);

#endif
