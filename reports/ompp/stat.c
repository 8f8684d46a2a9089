/*
 * Stat: ompp stat.  What the machine does, a line at each interval.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "reports/ompp/ompp.h"
#include "reports/ompp/watcher.h"
#include "reports/ompp/watcher_columns.h"

enum { TERMINAL_LINES = 24 };

struct stat {
	struct ompp_watcher watcher;
	struct ompp_columns columns;
	FILE *out;
	int n_lines; /* since the heading */
};

/* Columns of a command line without -e; of these those that there are. */
static const char of_machine[] =
	"stat:user,stat:system,stat:iowait,stat:idle,stat:switches,vmstat:pgfault,node:MemFree,"
	"node:numa_hit,node:numa_miss,diskstats:read,diskstats:written";
static const char of_program[] = "task:run,task:wait,process:minor,process:resident,stat:user,stat:system,stat:idle,"
				 "node:numa_hit,node:numa_miss";

static int lines_of_terminal(const struct stat *s)
{
	struct winsize size;

	if (!isatty(fileno(s->out)))
		return 0;
	return ioctl(fileno(s->out), TIOCGWINSZ, &size) || size.ws_row < 8 ? TERMINAL_LINES : size.ws_row;
}

static int print_sample(struct ompp_watcher *w, void *context, int64_t time_ns)
{
	struct stat *s = context;
	int n_screen = lines_of_terminal(s);

	if (ompp_columns_are_new(&s->columns, &w->watch) || (n_screen && s->n_lines >= n_screen - 2)) {
		s->n_lines = ompp_columns_heading(&s->columns, &w->watch, s->out);
		if (s->n_lines < 0)
			return 1 + OMPP_EXIT_FAILED;
	}
	ompp_columns_line(&s->columns, &w->watch, time_ns, s->out);
	s->n_lines++;
	if (!fflush(s->out))
		return 0;
	if (errno != EPIPE)
		ompp_complain("stat", "cannot be written: %s", strerror(errno));
	return 1 + OMPP_EXIT_FAILED;
}

static const char *option_name(size_t i)
{
	return ompp_watcher_option_name(i);
}

static int parse(int argc, char **argv, struct ompp_watcher *w)
{
	for (int i = 1; i < argc; i++) {
		const char *near;
		int taken;

		if (ompp_is_help(argv[i]))
			return 1 + ompp_help_about("stat");
		if (!strcmp(argv[i], "--") || argv[i][0] != '-') {
			i += !strcmp(argv[i], "--");
			w->program = i < argc ? argv + i : NULL;
			return 0;
		}
		taken = ompp_watcher_option(w, argc, argv, &i);
		if (taken < 0)
			return 1 + OMPP_EXIT_USAGE;
		if (taken)
			continue;
		near = ompp_nearest_typed(argv[i], option_name);
		ompp_complain(argv[i], "unknown option; %s%s", near ? "did you mean " : "'ompp help stat' lists them",
		              near ? near : "");
		return 1 + OMPP_EXIT_USAGE;
	}
	return 0;
}

int ompp_stat(int argc, char **argv)
{
	struct stat s = { .watcher = { .interval_ns = INT64_C(1000000000) } };
	int status = parse(argc, argv, &s.watcher);

	if (status)
		return status - 1;
	if (s.watcher.program && s.watcher.pid) {
		ompp_complain("--pid", "a program is given, too; give one of them");
		return OMPP_EXIT_USAGE;
	}
	s.out = s.watcher.program ? stderr : stdout; /* the program's output stays its own */
	s.watcher.sink.sample = print_sample;
	s.watcher.sink.context = &s;
	status = ompp_watcher_run(&s.watcher, s.watcher.program || s.watcher.pid ? of_program : of_machine);
	ompp_columns_free(&s.columns);
	ompp_watch_close(&s.watcher.watch);
	return status;
}
