/*
 * Watcher: what `ompp stat` and `ompp record` share: their options, the program that is run or watched, and the loop
 * that reads sensors at each interval.
 *
 * The watcher is a process beside the program.  It reads the sensors once before the program starts, and once more when
 * it has ended and before its process is gone, so that their numbers are those of the whole run.
 */
#ifndef OMPP_WATCHER_H
#define OMPP_WATCHER_H

#include <stdint.h>
#include <sys/types.h>

#include "runtime/sensors/watch.h"

enum { OMPP_WATCHER_SENSORS = 16 };

struct ompp_watcher;

/* What becomes of the samples.  A function that returns other than 0 ends the watching, with this as the exit status
 * - 1. Members may be NULL. */
struct ompp_watcher_sink {
	/* a sample was read, after one that is its base; time_ns: since the start */
	int (*sample)(struct ompp_watcher *watcher, void *context, int64_t time_ns);
	/* there will be no more */
	void (*end)(struct ompp_watcher *watcher, void *context);
	void *context;
};

struct ompp_watcher {
	struct ompp_watch watch;
	struct ompp_watcher_sink sink;
	/* the options */
	const char *events; /* patterns, with commas; NULL: those of the command */
	int64_t interval_ns;
	int64_t n_samples; /* how many samples; 0: until the end */
	int is_discrete;
	pid_t pid;
	const struct ompp_sensor *sensors[OMPP_WATCHER_SENSORS + 1];
	char **program; /* with its arguments; NULL: none */
	/* while it runs */
	int64_t start_ns;
	int is_program_over;
};

/* Takes one word of the command line.  Returns 1 when it was an option of the watcher, 0 when not, -1 after a
 * complaint.
 */
int ompp_watcher_option(struct ompp_watcher *watcher, int argc, char **argv, int *i);

/* Returns the names of the options, by number. */
const char *ompp_watcher_option_name(size_t i);

/* Reads a time such as 100ms, 1s, 0.5 or 250us.  Returns 0 or -1. */
int ompp_watcher_time(const char *word, int64_t *ns);

/* Watches to the end.  Returns the exit status: the program's, where one is run.
 * defaults: the patterns, with commas, for a command line without -e; those that mean nothing here are left out */
int ompp_watcher_run(struct ompp_watcher *watcher, const char *defaults);

#endif
