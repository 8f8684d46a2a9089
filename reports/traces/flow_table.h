/*
 * Flow table: sums over the events of a trace, and the tables that its views make of them.
 */
#ifndef OMPP_PROGRAM_FLOW_TABLE_H
#define OMPP_PROGRAM_FLOW_TABLE_H

#include "reports/traces/flow_look.h"

/* ---- sums ---- */

/* Sum over the accesses with the same key. */
struct ompp_flow_sum {
	uint64_t key;
	struct ompp_sampled_sum sum;
	unsigned __int128 variance;
	uint64_t n_loads, n_stores;
	uint64_t n_homed, n_far;                /* accesses with both NUMA nodes known; those of them to another node */
	uint64_t n_avoidable, n_badly;          /* of the far ones */
	uint64_t n_owned, n_self, n_self_first; /* accesses with a known allocator; by the allocator itself; by it
	                                           before any other thread */
	int has_others;
	uint64_t from, to;    /* sets of NUMA nodes */
	uint32_t n_processes; /* 0, 1, or 2 for several */
	uint32_t process;     /* the first one */
};

struct ompp_flow_sums {
	struct ompp_flow_sum *all;
	size_t n, have;
	struct ompp_flow_map map; /* from keys to indices in `all` */
};

/* Returns the sum of a key, which is added if it is new; NULL without memory.  It is valid until the next call. */
struct ompp_flow_sum *ompp_flow_sum_of(struct ompp_flow_sums *sums, uint64_t key);
void ompp_flow_sum_add(struct ompp_flow_sum *sum, const struct ompp_flow_event *event);

/* Adds each access that is meant to the sums of its keys, and sorts them.  Returns 0 or -1 without memory.
 * key: returns the key for the k-th object of an event; k is above 0 only by_object */
int ompp_flow_add_up(const struct ompp_flow_look *look, struct ompp_flow_sums *sums,
                     uint64_t (*key)(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k),
                     int by_object);

/* The columns and values of costs and latencies that views have in common. */
void ompp_flow_cost_columns(struct ompp_flow_look *look);
void ompp_flow_cost_values(struct ompp_flow_look *look, const struct ompp_flow_sum *sum);

/* Sorts by estimated accesses, the most first.  After that they cannot be found by key any more. */
void ompp_flow_sums_sort(struct ompp_flow_sums *sums);
void ompp_flow_sums_free(struct ompp_flow_sums *sums);

/* Sorts by key.  The second finds a sum after that; NULL when there is none. */
void ompp_flow_sums_sort_by_key(struct ompp_flow_sums *sums);
const struct ompp_flow_sum *ompp_flow_sums_find(const struct ompp_flow_sums *sums, uint64_t key);

/* Returns the key of the page that an access was to. */
uint64_t ompp_flow_page_of(const struct ompp_flow_look *look, const struct ompp_flow_event *event);

/* ---- tables ---- */

/* Begins the next table of a view; text has the heading above it. */
void ompp_flow_table(struct ompp_flow_look *look, const char *tag, const char *heading);
void ompp_flow_column(struct ompp_flow_look *look, const char *title, enum ompp_where where);
void ompp_flow_left(struct ompp_flow_look *look, const char *title, enum ompp_where where);
#define ompp_flow_columns(look, where, ...) ompp_table_columns(&(look)->table, where, __VA_ARGS__)

/* Add columns, and the values, of a share k of n: the share and its error in per cent. */
void ompp_flow_share_columns(struct ompp_flow_look *look, const char *title, const char *error_title);
void ompp_flow_share(struct ompp_flow_look *look, uint64_t k, uint64_t n);

void ompp_flow_text(struct ompp_flow_look *look, const char *text); /* "" is missing */
void ompp_flow_count_value(struct ompp_flow_look *look, uint64_t n);
void ompp_flow_number(struct ompp_flow_look *look, uint32_t number); /* OMPP_FLOW_NONE is missing */
void ompp_flow_hex(struct ompp_flow_look *look, uint64_t address);
void ompp_flow_time(struct ompp_flow_look *look, uint64_t time_ns); /* of an event, as seconds of the run */

/* Prints the table.  Returns the exit status. */
int ompp_flow_print(struct ompp_flow_look *look);

/* Return names that live as long as the arena: of an object, "-" when it is not known; of all objects of an event, "a +
 * b", or "" ; of a region with those around it, "PARALLEL a.c:3 / LOOP a.c:5"; of a place in the source. */
const char *ompp_flow_object_name(const struct ompp_flow_look *look, uint32_t object);
const char *ompp_flow_objects_name(const struct ompp_flow_look *look, const struct ompp_flow_event *e);
const char *ompp_flow_region_name(const struct ompp_flow_look *look, uint32_t region);
const char *ompp_flow_line_name(const struct ompp_flow_look *look, const struct ompp_flow_event *e);
const char *ompp_flow_nodes_text(const struct ompp_flow_look *look, uint64_t nodes);

#endif
