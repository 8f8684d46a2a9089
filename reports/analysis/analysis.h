/*
 * Analysis: what several views need to know about a profile, computed once: the links of the tree, the choice of
 * regions, wall-clock times, sums. init.h makes it.
 */
#ifndef OMPP_ANALYSIS_H
#define OMPP_ANALYSIS_H

#include "reports/profile/number.h"
#include "reports/profile/profile.h"

struct ompp_classes;
struct ompp_efficiencies;
struct ompp_findings;
struct ompp_formula;
struct ompp_numa;
struct ompp_relayout_gains;
struct ompp_roofline;
struct ompp_roofs;
struct ompp_times;
struct ompp_traffic;

struct ompp_analysis {
	const struct ompp_profile *profile;
	struct ompp_arena *arena;
	/* by node */
	uint32_t *first_child, *next_sibling;
	uint32_t *level;     /* the root is 0 */
	uint32_t *team;      /* innermost PARALLEL at or above it; OMPP_NONE without one */
	uint32_t *same_next; /* next node of the same region and kind; OMPP_NONE past the last */
	int64_t *wall_ns;    /* its inclusive time as wall-clock time (weights.h) */
	/* by cell */
	uint64_t *divisor;             /* the row's time divided by this is wall-clock time */
	const struct ompp_wait **wait; /* its arrivals at the barrier and their causes; NULL when not known */
	/* by region */
	uint32_t *same_first[2];   /* first node of the region by kind: [0] itself, [1] its TASKEXEC */
	struct ompp_cell *sums[2]; /* sums of its cells over all call paths, by kind */
	uint8_t *named;            /* 1 when it has a name that was asked for; n_named of them */
	size_t n_named;
	uint8_t *shown;  /* 1 when it is shown: the first `top` of the named ones */
	uint32_t *order; /* the regions that are shown, in their order */
	size_t n_order;
	uint32_t n_threads;  /* most threads that can run at a time, those of inner teams and host threads included */
	int64_t measured_ns; /* duration, less the time that measuring was off */
	int64_t capacity_ns; /* measured_ns × n_threads: the program's shares are fractions of it */
	const char **files;  /* by region: its file as text reports show it (label.h) */
	struct ompp_formula *formulas; /* by number of the eval in the profile */
	struct ompp_numa *numa;        /* counters of the whole machine; NULL without any */
	struct ompp_traffic *traffic;  /* accesses to data objects; NULL without any */
	struct {
		struct ompp_classes *classes;
		struct ompp_efficiencies *efficiencies;
		struct ompp_findings *findings;
		struct ompp_relayout_gains *relayout_gains;
		struct ompp_roofline *roofline;
	} * made;                       /* results that are cached once a view asked for them; NULL before */
	const struct ompp_roofs *roofs; /* of the machine; NULL when not known */
	const struct ompp_times *times; /* of a run without hooks; NULL without one */
	const char *path;               /* of the profile, as the user gave it; NULL when not known */
	int64_t memory_rate;   /* bytes a microsecond that the machine's memory gives as many threads; 0: not known */
	uint32_t columns;      /* of the lines of the summary */
	uint32_t line_columns; /* of the screen, where it is narrower than these; else the same */
	uint32_t rows;         /* how many rows of threads a section of text has; 0 for all */
	const char *ranks;     /* those whose threads are shown: "" for all, NULL for no choice */
	uint32_t most_ranks;   /* how many processes text shows thread by thread without a choice; 0 for all */
	uint32_t top;          /* how many regions and findings are shown; 0 for all */
	int64_t property_min;  /* the least severity of a finding, 10^-9 */
	int64_t far_min;       /* the least share of far accesses in a finding, 10^-9 */
	uint32_t emulated;     /* emulated NUMA nodes that are shown; 0 for the machine's own */
	const char *object;    /* names of the data objects that are shown, a comma list; NULL or "" for all */
	int instances;         /* 1 when text shows those blocks of data objects that stand out */
	int all_columns;       /* 1 when text shows all columns of data objects */
	int has_untimed;       /* 1 when some visits were not timed (untimed.h) */
};

/* Returns an array of n elements in the arena, with all bytes equal to `fill`; NULL without memory. */
void *ompp_analysis_array(const struct ompp_analysis *a, size_t n, size_t element_bytes, int fill);

/* Returns the node after this one, where parents come before children; OMPP_NONE after the last. */
uint32_t ompp_analysis_next(const struct ompp_analysis *a, uint32_t node);

/* Returns the exclusive time of a node as wall-clock time.  The root's excludes the time while measuring was off. */
int64_t ompp_analysis_exclusive_ns(const struct ompp_analysis *a, uint32_t node);

/* Returns a time of a cell as wall-clock time. */
int64_t ompp_analysis_wall(const struct ompp_analysis *a, uint32_t cell, int64_t ns);

/* Returns the cell of a row at a node, or NULL. */
const struct ompp_cell *ompp_analysis_cell(const struct ompp_profile *profile, uint32_t node, uint32_t row);

/* Returns the child's cell that holds this row's time: the cell of the same row or, if the row forked a team there, of
 * the team's rank 0.  NULL if there is none. */
const struct ompp_cell *ompp_analysis_child_cell(const struct ompp_profile *profile, uint32_t child, uint32_t row);

/* Is this visit recursive, that is, did the row enter the node's region further up the call path as well?  Then the
 * outer visit contains the time of this one. */
int ompp_analysis_is_inner(const struct ompp_profile *profile, uint32_t node, uint32_t row);

/* Clears the times in the cell of a recursive visit, so that the sums of its region count its visits and not its
 * times. */
void ompp_cell_drop_times(struct ompp_cell *cell);

/* Returns the sum of a region's cells over all its call paths. kind 1 means the executions of its tasks (TASKEXEC). */
struct ompp_cell ompp_analysis_sum(const struct ompp_analysis *a, uint32_t region, int kind);

/* Adds the numbers of a cell to a sum; the sum's row is not used. */
void ompp_cell_add(struct ompp_cell *sum, const struct ompp_cell *cell);

#endif
