/*
 * Flow: what the views of `ompp flow` share.
 */
#ifndef OMPP_PROGRAM_FLOW_COMMAND_H
#define OMPP_PROGRAM_FLOW_COMMAND_H

#include "reports/command/arguments.h"
#include "reports/command/command_line.h"
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

/* A view. */
struct ompp_flow_view {
	const char *name;
	int (*show)(struct ompp_flow_look *look); /* returns the exit status */
	int is_picture;                           /* 1 when --svg writes it */
};

/* A command that shows views of a trace. */
struct ompp_flow_program {
	const struct ompp_command *command;
	const char *give;                   /* description of its arguments */
	const struct ompp_flow_view *views; /* the first one is shown when none is chosen */
	size_t n_views;
	const char *limit; /* the option that says how long a trace may be */
	int takes_several; /* 1 when it reads the traces of several processes as one, and writes JSON and pages */
};

/* What the command line asks for. */
struct ompp_flow_request {
	const char **given; /* files, folders and patterns */
	size_t n_given;
	const char *compress, *sql, *chrome, *paraver;
	const struct ompp_flow_view *view;
	struct ompp_flow_look look;
};

/* The options that such commands share, and functions that take others, all for a request. */
enum { OMPP_FLOW_OPTIONS = 9 };
extern const struct ompp_command_option ompp_flow_options[OMPP_FLOW_OPTIONS];
int ompp_flow_take_view(void *request, const char *option, const char *value);
int ompp_flow_take_view_switch(void *request, const char *option, const char *value); /* --csv: the view csv */
int ompp_flow_take_kinds(void *request, const char *option, const char *value);
int ompp_flow_take_name(void *text, const char *option, const char *value); /* into a const char *, not empty */

/* Does all of a command.  Returns its exit status. */
int ompp_flow_run(const struct ompp_flow_program *of, int argc, char **argv);

int ompp_flow_objects_view(struct ompp_flow_look *look);
int ompp_flow_object_view(struct ompp_flow_look *look);
int ompp_flow_instances_view(struct ompp_flow_look *look);
int ompp_flow_layouts_view(struct ompp_flow_look *look);
int ompp_flow_pages_view(struct ompp_flow_look *look);
int ompp_flow_functions_view(struct ompp_flow_look *look);
int ompp_flow_overlap_view(struct ompp_flow_look *look);
int ompp_flow_private_view(struct ompp_flow_look *look);
int ompp_flow_migrations_view(struct ompp_flow_look *look);
int ompp_flow_latency_view(struct ompp_flow_look *look);
int ompp_flow_events_view(struct ompp_flow_look *look);
int ompp_flow_time_view(struct ompp_flow_look *look);
int ompp_flow_paths_view(struct ompp_flow_look *look);
int ompp_flow_processes_view(struct ompp_flow_look *look);

/* Writes a compressed copy of a trace, or a database of it.  Return the exit status. */
int ompp_flow_compress(const char *from, const char *to);
int ompp_flow_sql(const struct ompp_flow *flow, const char *path);

/* Writes the regions of all threads, and the other events that are meant, for chrome://tracing and Perfetto.  Returns
 * the exit status. */
int ompp_flow_chrome(const struct ompp_flow_look *look, const char *path);

/* Writes the regions, calls of MPI and messages of all threads, or those that --process and --thread mean, as files of
 * Paraver: NAME.prv, NAME.pcf and NAME.row.  Returns the exit status. */
int ompp_flow_paraver(const struct ompp_flow_look *look, const char *path);

/* Is the format JSON or a page?  Writes a view so.  Returns the exit status. */
int ompp_flow_is_document(const char *format);
int ompp_flow_document(struct ompp_flow_look *look, const struct ompp_flow_view *view);

/* Finds the next event that the filters mean, as ompp_flow_next() does. */
int ompp_flow_look_next(const struct ompp_flow_look *look, size_t *at, struct ompp_flow_event *event);

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

/* Returns how many of n lines are shown. */
size_t ompp_flow_n_shown(const struct ompp_flow_look *look, size_t n);

/* Says that there is not enough memory, and returns the exit status. */
int ompp_flow_no_memory(void);

/* Sums up all accesses that are meant, as the total that shares refer to. */
void ompp_flow_whole(struct ompp_flow_look *look);

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
