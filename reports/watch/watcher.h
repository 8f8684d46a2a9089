/*
 * Watcher: what `ompp stat`, `ompp record` and `ompp live` share: the program that is run or watched, the commands
 * of a FIFO, and the loop that reads sensors at each interval.
 *
 * The watcher is a process beside the program.  It reads the sensors once before the program starts, and once more when
 * it has ended and before its process is gone, so that their numbers are those of the whole run.
 */
#ifndef OMPP_WATCHER_H
#define OMPP_WATCHER_H

#include <stdint.h>
#include <sys/types.h>

#include "reports/sensors/watch.h"
#include "reports/watch/sheet.h"

enum { OMPP_WATCHER_SENSORS = 16 };

struct ompp_control;
struct ompp_recorder;

struct ompp_watcher {
	const char *command; /* "stat" */
	/* the options */
	const char *events; /* patterns, with commas; NULL: those of the command */
	const char *control, *cpus;
	int64_t interval_ns;
	int64_t n_samples; /* how many samples; 0: until the end */
	int is_discrete;
	int stays; /* when the program has ended, the sink stays open until ompp is interrupted */
	pid_t pid;
	const struct ompp_sensor *sensors[OMPP_WATCHER_SENSORS + 1];
	char **program; /* with its arguments; NULL: none */
	/* opens the sink of the samples after everything else is ready.  Returns 0, or the exit status after a
	 * complaint. */
	int (*open)(struct ompp_watcher *watcher, struct ompp_sink *sink);
	/* closes the sink, before ompp ends like the program; or NULL */
	void (*close)(void *context);
	/* commands that do not come from the FIFO, or NULL: a descriptor that is readable when there are any; the next
	 * command (0: none); and a function that is told the settings of the watcher after a command, and why a command
	 * failed */
	int (*command_fd)(void *context);
	int (*next_command)(void *context, char *command, size_t n_command);
	void (*tell)(void *context, const struct ompp_watcher *watcher, const char *about, const char *why);
	void *context; /* for all of these */
	/* while it runs */
	struct ompp_watch watch;
	struct ompp_sheet sheet;
	struct ompp_sheet_threads threads; /* where they were last */
	size_t n_same;                     /* samples since then */
	struct ompp_sink sink;
	struct ompp_recorder *recorder; /* of the command `record` */
	struct ompp_control *fifo;
	int64_t start_ns, start_unix_ns;
	int is_paused, is_over;
};

/* Watches to the end.  Returns the exit status: the program's, where one is run.
 * defaults: the patterns, with commas, for a command line without -e; patterns without events on this machine are left
 * out, and sensors given by --sensor are added */
int ompp_watcher_run(struct ompp_watcher *watcher, const char *defaults);

#endif
