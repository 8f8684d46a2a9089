/*
 * Flow look: what is asked of a trace, or of the traces of several processes: which of its events are meant, and how
 * they are shown.
 */
#ifndef OMPP_PROGRAM_FLOW_LOOK_H
#define OMPP_PROGRAM_FLOW_LOOK_H

#include "reports/flow/flow.h"
#include "reports/ompp_flow.h"
#include "reports/tables/sampled.h"
#include "reports/tables/table.h"

enum { OMPP_FLOW_MOST_NODES = 64 };

struct ompp_embed;

struct ompp_flow_look {
	const struct ompp_flow *flow;
	struct ompp_flow_filter filter;
	const char *object, *region, *process;    /* the names of --object, --region and --process; NULL for all */
	unsigned char *objects, *sites, *regions; /* by number: 1 for those that the options mean */
	/* With several processes: 1 for each process, thread and allocator that is meant, by number; NULL for all. */
	unsigned char *processes, *threads, *allocators;
	const char **process_names; /* by number: "4711"; "4711 #2" for the same pid on another machine */
	uint32_t emulated;          /* emulated NUMA nodes, or 0 */
	uint32_t n_slices;          /* of the time, in --view=time */
	const char *format;
	uint32_t top; /* 0 for all */
	struct ompp_arena *arena;
	struct ompp_table table;
	struct ompp_sampled_look look; /* is_text, and the total that shares refer to */
	int is_first;                  /* 1 before the first table */
	struct ompp_embed *embed;      /* document that gets the tables; NULL when they are printed */
	const char *embed_view;        /* the view of these tables */
	int only_shared;               /* 1 to show only pages that several threads use */
	const char *svg;               /* the file for a picture, or NULL */
	const char *color;             /* what its colours stand for: "thread", "node" or "accesses" */
};

/* Finds the next event that the filters mean, as ompp_flow_next() does. */
int ompp_flow_look_next(const struct ompp_flow_look *look, size_t *at, struct ompp_flow_event *event);

/* Returns how many of n lines are shown. */
size_t ompp_flow_n_shown(const struct ompp_flow_look *look, size_t n);

/* Says that there is not enough memory, and returns the exit status. */
int ompp_flow_no_memory(void);

/* Sums up all accesses that are meant, as the total that shares refer to. */
void ompp_flow_whole(struct ompp_flow_look *look);

/* ---- several processes ---- */

/* Expands the arguments to a list of files: a file itself, the traces in a folder, or the files that match a pattern.
 * Returns 0, or -1 after a complaint when there are none.
 * paths: the list and its texts live as long as the arena */
int ompp_flow_files(const char *const *given, size_t n_given, const char ***paths, size_t *n_paths,
                    struct ompp_arena *arena);

/* Says on stderr what is missing in each trace, and how their clocks differ.
 * limit: the option that says how long a trace may be */
void ompp_flow_tell(const struct ompp_flow *flow, const char *limit);

/* For the trace of a program that did not end properly: finds the missing names from the files that it had mapped, and
 * says which of these files have changed since.  Returns 0, or -1 without memory. */
int ompp_flow_names(struct ompp_flow *flow);

/* Names the processes, and finds those that --process means and the threads that --thread and --allocator mean.
 * Returns 0, or -1 after a complaint when there are none. */
int ompp_flow_find_processes(struct ompp_flow_look *look);

/* Add a column for the process, and its value, if there are several processes; else do nothing. */
void ompp_flow_process_column(struct ompp_flow_look *look);
void ompp_flow_process_value(struct ompp_flow_look *look, uint32_t process);

/* Adds the number of a thread among those of its process; missing for OMPP_FLOW_NONE. */
void ompp_flow_thread_value(struct ompp_flow_look *look, uint32_t thread);

/* Is the thread one of those that --process and --thread mean? */
int ompp_flow_is_thread_meant(const struct ompp_flow_look *look, uint32_t thread);

/* Returns the time of the last event of the thread's process. */
uint64_t ompp_flow_last_ns(const struct ompp_flow *flow, uint32_t thread);

/* Returns the process of a thread; OMPP_FLOW_NONE when thread is OMPP_FLOW_NONE. */
uint32_t ompp_flow_process_of_thread(const struct ompp_flow *flow, uint32_t thread);

#endif
