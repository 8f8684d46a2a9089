/*
 * Flow command: ompp flow and commands like it: their options, views, and the files that they write.
 */
#ifndef OMPP_PROGRAM_FLOW_COMMAND_H
#define OMPP_PROGRAM_FLOW_COMMAND_H

#include "reports/command/arguments.h"
#include "reports/command/command_line.h"
#include "reports/traces/flow_table.h"

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

#endif
