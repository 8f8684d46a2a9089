/*
 * Pages: the pages of a trace of pages (OMPP_PAGES), added up for the views of `ompp pages`.
 */
#ifndef OMPP_PROGRAM_PAGES_H
#define OMPP_PROGRAM_PAGES_H

#include "reports/traces/flow_command.h"

/* How a page, as a part of a group, was used by all threads. */
struct ompp_pages_page {
	uint64_t address, group;
	uint32_t object, region; /* or OMPP_FLOW_NONE */
	uint64_t loads, stores, parts;
	uint64_t first_ns, last_ns;
	uint64_t index, written_index; /* the latest interval in which it was used, and written */
	uint64_t page_bytes;           /* the latest known size; 0 when none is known */
	uint32_t n_intervals, n_written;
	uint32_t first_thread, home; /* or OMPP_FLOW_NONE */
	uint32_t n_moved;            /* how often it was found on another NUMA node than before */
	uint32_t n_threads, n_writers;
	uint32_t is_counted; /* 1 when hooks saw accesses; else only times of writes are known */
	uint32_t is_told;    /* 1 when the kernel reported that it was written, and no hook saw a store to it */
};

enum ompp_pages_groups { OMPP_PAGES_BY_ADDRESS, OMPP_PAGES_BY_OBJECT, OMPP_PAGES_BY_REGION, OMPP_PAGES_BY_INTERVAL };

struct ompp_pages {
	struct ompp_pages_page *all;
	size_t n, have, n_slots;
	uint32_t *slots;      /* hash table: index + 1 */
	uint64_t *threads;    /* for each page two sets of threads: its users and its writers */
	size_t n_words;       /* of such a set */
	int has_counts;       /* 1 when hooks saw any accesses in the run */
	int has_told;         /* 1 when the kernel reported written pages */
	uint64_t n_intervals; /* of the run, up to the latest use */
};

/* Sums up the events that pass the filters, by page and by what `groups` names.  Returns 0, or -1 after a complaint. */
int ompp_pages_sum(struct ompp_flow_look *look, enum ompp_pages_groups groups, struct ompp_pages *pages);
void ompp_pages_free(struct ompp_pages *pages);

/* Rebuilds the hash table after pages were moved.  Their sets of threads are then invalid. */
void ompp_pages_index(struct ompp_pages *pages);

/* Returns the index of a page in a group; SIZE_MAX when there is none. */
size_t ompp_pages_find(const struct ompp_pages *pages, uint64_t address, uint64_t group);

/* Returns the number of the interval in which an event began. */
uint64_t ompp_pages_interval(const struct ompp_flow_look *look, const struct ompp_flow_event *e);

/* Is the thread in the page's set of users, or of writers? */
int ompp_pages_uses(const struct ompp_pages *pages, size_t page, uint32_t thread);
int ompp_pages_writes(const struct ompp_pages *pages, size_t page, uint32_t thread);

/* Does the trace have events of this kind, regardless of the filters: uses that hooks saw, or written pages that the
 * kernel reported? */
int ompp_pages_has(const struct ompp_flow_look *look, enum ompp_flow_kind kind);

/* Finds the next event of used or written pages that passes the filters; its pages are limited to the filter's
 * addresses. */
int ompp_pages_next(const struct ompp_flow_look *look, size_t *at, struct ompp_flow_event *e);

/* Complains, and returns the exit status. */
int ompp_pages_no_memory(void);

/* Returns the heading of a table: a sentence, and what its numbers are. */
const char *ompp_pages_heading(struct ompp_flow_look *look, const char *what);

/* The same for tables that depend on the order of uses: it also says how reliable that is. */
const char *ompp_pages_timed_heading(struct ompp_flow_look *look, const char *what);

/* How precisely the times of uses are known: each use is at some time between the two times of its event. */
struct ompp_pages_worth {
	uint64_t n, n_long;  /* uses, and those that are longer than one and a half intervals */
	uint64_t longest_ns; /* between the two times of any use */
	uint64_t short_ns;   /* the same of those that are not long */
};
struct ompp_pages_worth ompp_pages_worth(const struct ompp_flow_look *look);

int ompp_pages_objects_view(struct ompp_flow_look *look);
int ompp_pages_regions_view(struct ompp_flow_look *look);
int ompp_pages_pages_view(struct ompp_flow_look *look);
int ompp_pages_history_view(struct ompp_flow_look *look);
int ompp_pages_time_view(struct ompp_flow_look *look);
int ompp_pages_nodes_view(struct ompp_flow_look *look);
int ompp_pages_sharing_view(struct ompp_flow_look *look);
int ompp_pages_heat_view(struct ompp_flow_look *look);
int ompp_pages_threads_view(struct ompp_flow_look *look);
int ompp_pages_csv_view(struct ompp_flow_look *look);
int ompp_pages_framesoc_view(struct ompp_flow_look *look);
int ompp_pages_producers_view(struct ompp_flow_look *look);

#endif
