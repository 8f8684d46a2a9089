/*
 * Pages grid: which pages are used when, or by which threads, as the cells of a picture.
 *
 * Each row is an equal share of the pages, in the order of their addresses, without the gaps between them; its columns
 * are times, or threads.
 */
#ifndef OMPP_PROGRAM_PAGES_GRID_H
#define OMPP_PROGRAM_PAGES_GRID_H

#include "reports/pages/pages.h"

enum { OMPP_GRID_MOST_KEYS = 256 }; /* threads or NUMA nodes that are told apart by colours */

/* The sizes of the pages of a row, as far as they are known. */
struct ompp_grid_sizes {
	uint64_t n_known; /* how many of its pages have a known size; if 0, the others are 0, too */
	uint64_t least_bytes, most_bytes;
};

struct ompp_grid {
	size_t n_rows, n_columns, n_keys; /* the last key is for what is not known */
	float *accesses;                  /* [row][column][key] */
	uint64_t from_ns, to_ns;
	int is_by_thread; /* columns are threads */
	int is_by_node;   /* keys are NUMA nodes, else threads */
	/* by row */
	uint64_t *first, *last; /* addresses */
	uint32_t *object;       /* of most of its pages */
	uint64_t *n_pages;
	struct ompp_grid_sizes *sizes;
	/* by page of the sum */
	uint32_t *row;
};

/* What a cell has: all accesses, and the key with most of them. */
struct ompp_grid_sum {
	double accesses, most;
	size_t key;
};

/* Makes the picture of what the look's filters mean; is_by_thread and is_by_node are the caller's.  Returns 0, or -1
 * without memory.  It must be freed in any case. */
int ompp_grid_make(struct ompp_flow_look *look, struct ompp_grid *g, size_t most_rows, size_t most_columns);
void ompp_grid_free(struct ompp_grid *g);

struct ompp_grid_sum ompp_grid_sum(const struct ompp_grid *g, size_t row, size_t column);

/* Returns the accesses of the cell that has most of them. */
double ompp_grid_most(const struct ompp_grid *g);

#endif
