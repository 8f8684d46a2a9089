/*
 * Analysis: what several views need to know about a profile, computed once: the tree's links, the choice of regions,
 * wall-clock equivalents, sums.  All integers; sums stop at the largest number instead of wrapping.
 */
#ifndef OMPP_ANALYSIS_H
#define OMPP_ANALYSIS_H

#include "reports/profile/profile.h"
#include "reports/report.h"

struct ompp_formula;
struct ompp_numa;
struct ompp_traffic;

struct ompp_analysis {
	const struct ompp_profile *profile;
	struct ompp_arena         *arena;
	/* by node */
	uint32_t *first_child, *next_sibling;
	uint32_t *level;                /* the root is 0 */
	uint32_t *team;                 /* innermost PARALLEL at or above it; OMPP_NONE */
	uint32_t *same_next;            /* next node of the same region and kind, in order; OMPP_NONE */
	int64_t  *wall_ns;              /* wall-clock equivalent of its inclusive time */
	/* by cell */
	uint64_t *divisor;              /* time of the row / divisor = wall-clock time */
	const struct ompp_wait **wait;  /* how it came to its barrier, or NULL */
	/* by region */
	uint32_t *same_first[2];        /* first node of the region: [0] itself, [1] its TASKEXEC */
	uint8_t  *named;                /* 1: fits the names that were asked for; n_named of them */
	size_t    n_named;
	uint8_t  *shown;                /* 1: chosen: of the named ones the first `top` */
	uint32_t *order;                /* the chosen regions as they are to be shown */
	size_t    n_order;
	uint32_t  n_threads;            /* that the program could have at a time: with inner teams and host threads */
	int64_t   measured_ns;          /* duration, less the time that measuring was off */
	int64_t   capacity_ns;          /* measured_ns × n_threads: what shares of the whole program are of */
	const char **files;             /* by region: its file as text reports show it (label.h) */
	struct ompp_formula *formulas;  /* by eval of the profile */
	struct ompp_numa *numa;         /* counters of the whole machine; NULL: there are none */
	struct ompp_traffic *traffic;   /* accesses to data objects; NULL: there are none */
	uint32_t  top;                  /* how many are to be shown; 0: all */
	int64_t   property_min;         /* the least severity of a finding, 10^-9 */
	int       all_columns;          /* text shows all columns of data objects */
};

/* 0, -ENOMEM, or -EINVAL for an unknown sort. */
int ompp_analysis_init(struct ompp_analysis *a, const struct ompp_profile *profile,
                       const struct ompp_report_options *options, struct ompp_arena *arena);

/* The node after this one, parents before children; OMPP_NONE after the last. */
uint32_t ompp_analysis_next(const struct ompp_analysis *a, uint32_t node);

/* Wall-clock equivalent of the exclusive time; of the root without the time that measuring was off. */
int64_t ompp_analysis_exclusive_ns(const struct ompp_analysis *a, uint32_t node);

/* What time of a cell is as wall-clock time. */
int64_t ompp_analysis_wall(const struct ompp_analysis *a, uint32_t cell, int64_t ns);

/* The cell of a row, or NULL. */
const struct ompp_cell *ompp_analysis_cell(const struct ompp_profile *profile, uint32_t node, uint32_t row);

/* Where a row spent its time in a child of its node: the same row, or rank 0 of the team that it forked; NULL. */
const struct ompp_cell *ompp_analysis_child_cell(const struct ompp_profile *profile, uint32_t child, uint32_t row);

/* Does a word of n bytes mean the region: as R00004, its name, its file, or file:line?  A file is meant with its folders or
 * without. */
int ompp_region_is_meant(const struct ompp_region *region, const char *word, size_t n);

/* Sum of two cells' numbers, without row. */
void ompp_cell_add(struct ompp_cell *sum, const struct ompp_cell *cell);

/* Sum, product over quotient, and part of a whole in 10^-9 (OMPP_MISSING when the whole is 0). */
int64_t ompp_add(int64_t a, int64_t b);
int64_t ompp_share(int64_t part, int64_t whole);

/* A count as a table shows it. */
int64_t ompp_count(uint64_t n);

#endif
