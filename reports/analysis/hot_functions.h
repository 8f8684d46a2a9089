/*
 * Hot functions: the samples of processor time as sums by function: of the serial part, or of a region itself.
 */
#ifndef OMPP_ANALYSIS_HOT_FUNCTIONS_H
#define OMPP_ANALYSIS_HOT_FUNCTIONS_H

#include "reports/analysis/analysis.h"
#include "runtime/base/text.h"

/* A function in a scope; where it was inlined, in one of those that have it. */
struct ompp_hot_function {
	const struct ompp_hot_spot *spot; /* its location: of its line with most samples */
	uint64_t n, n_line;               /* samples of it, and of that line */
	int64_t ns;                       /* the processor time that they stand for */
};

/* The functions of a scope, those with most samples first. */
struct ompp_hot_functions {
	const struct ompp_hot_function *list;
	size_t n;
	uint64_t n_samples; /* of all of them */
	int64_t ns;
	uint64_t n_own; /* more samples there, in kinst's own code where it is none of the functions */
};

/* Is a call path in the serial part: in no parallel region, and in no thread that the program made itself? */
int ompp_hot_is_serial(const struct ompp_analysis *a, uint32_t node);

/* Returns what the serial part is called: where a process has several host threads, they run beside each other there.
 */
const char *ompp_hot_outside(const struct ompp_analysis *a);

/* Sums up the samples of a region by its index, over all its call paths and threads, without the regions below it and
 * without kinst's own code; with OMPP_NONE those of the serial part.
 * has_openmp: 1 for the functions of the OpenMP library, too: there threads wait
 * Returns 0 or -ENOMEM. */
int ompp_hot_functions(const struct ompp_analysis *a, uint32_t region, int has_openmp, struct ompp_hot_functions *out);

/* The same of one call path, without the functions of the OpenMP library, and kinst's own code as one of the functions:
 * of a thread's row, or with OMPP_NONE of all. */
int ompp_hot_functions_at(const struct ompp_analysis *a, uint32_t node, uint32_t row, struct ompp_hot_functions *out);

/* A function in a region, or in the serial part (OMPP_NONE). */
struct ompp_hot_row {
	uint32_t region;
	struct ompp_hot_function function;
	uint64_t n_region; /* samples of the region */
};

struct ompp_hot_rows {
	const struct ompp_hot_row *list; /* those with most samples first */
	size_t n;
	uint64_t n_samples; /* of all regions that are asked for */
	uint64_t n_own;     /* more samples there, in kinst's own code */
};

/* Lists the functions of each region that is asked for and, if all are, of the serial part.  A region that is only
 * in the serial part is then part of that, and not listed again.  Returns 0 or -ENOMEM. */
int ompp_hot_rows(const struct ompp_analysis *a, struct ompp_hot_rows *out);

/* Returns 1 when the spot is in a library of OpenMP itself, where threads wait, and are made. */
int ompp_hot_is_openmp(const struct ompp_hot_spot *spot);

/* Returns 1 when the spot is kinst's own code; its time is the thread's, but none of the program's functions has it. */
int ompp_hot_is_own(const struct ompp_hot_spot *spot);

/* Returns the standard error of n of n_all samples as a share, 10^-9: that of a binomial share, and one sample at
 * least. */
int64_t ompp_hot_share_error(uint64_t n, uint64_t n_all);

/* Returns the standard error of a time of n samples, as of a Poisson count. */
int64_t ompp_hot_error_ns(int64_t ns, uint64_t n);

/* Adds "f", "f in main" where it was inlined into that, "sin of libm.so.6", or what is known of it; and " (a.c:4)". */
void ompp_hot_put_function(struct ompp_text *t, const struct ompp_hot_spot *spot);
void ompp_hot_put_location(struct ompp_text *t, const struct ompp_hot_spot *spot);

/* Adds the function with most samples of a scope, "97 +- 3 % in f in main (a.c:4)".  Returns 0 where there are too few
 * samples.
 * has_enclosing: 0 to leave out the function into which it was inlined */
int ompp_hot_put_first(struct ompp_text *t, const struct ompp_analysis *a, uint32_t region, int has_enclosing);

/* Returns a sentence that names the functions that take most of a scope, as "Of the program's processor time there 97
 * +- 3 % are in f (a.c:4), by 36 samples."; NULL where there are too few samples, or no memory. */
const char *ompp_hot_say(const struct ompp_analysis *a, uint32_t region);

#endif
