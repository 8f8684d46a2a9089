/*
 * Watcher options: see watcher_options.h.
 */
#include "reports/watch/watcher_options.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/sensors/sensors.h"
#include "runtime/base/array.h"

enum { WHY_BYTES = 512 };

static const double least_ns = 1e5;    /* 10 kHz; reading takes longer */
static const double most_ns = 86400e9; /* a day */

int ompp_watcher_time(const char *word, int64_t *ns)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "min", 60e9 }, { "h", 3600e9 } };
	char *end;
	double number;

	if (word[0] < '0' || word[0] > '9')
		return -1;
	number = strtod(word, &end);
	end += *end == ' ';
	for (size_t i = 0; i < OMPP_COUNT_OF(units); i++)
		if (!strcmp(end, units[i].unit)) {
			number *= units[i].ns;
			if (number < least_ns || number > most_ns)
				return -1;
			*ns = (int64_t)(number + 0.5);
			return 0;
		}
	return -1;
}

static int take_number(const char *option, const char *value, const char *what, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(value, &end, 10);
	if (end == value || *end || errno || *number <= 0) {
		ompp_complain(option, "'%s' is not %s", value, what);
		return -1;
	}
	return 0;
}

static int take_sensor(void *to, const char *option, const char *path)
{
	struct ompp_watcher *w = to;
	char why[WHY_BYTES];
	size_t n = 0;

	while (w->sensors[n])
		n++;
	if (n == OMPP_WATCHER_SENSORS) {
		ompp_complain(option, "more than %d; leave some out", OMPP_WATCHER_SENSORS);
		return -1;
	}
	w->sensors[n] = ompp_sensors_load(path, why, sizeof(why));
	if (!w->sensors[n])
		ompp_complain(path, "%s", why);
	return w->sensors[n] ? 0 : -1;
}

static int take_pid(void *to, const char *option, const char *value)
{
	int64_t pid;

	if (take_number(option, value, "the number of a process", &pid))
		return -1;
	if (pid > INT_MAX || (kill((pid_t)pid, 0) && errno == ESRCH)) {
		ompp_complain(option, "no process %s; ps lists them", value);
		return -1;
	}
	*(pid_t *)to = (pid_t)pid;
	return 0;
}

static int take_interval(void *to, const char *option, const char *value)
{
	if (!ompp_watcher_time(value, to))
		return 0;
	ompp_complain(option, "'%s' is not a time from 100us to a day; write 1s, 100ms or 0.5", value);
	return -1;
}

static int take_samples(void *to, const char *option, const char *value)
{
	return take_number(option, value, "a number of samples", to);
}

const struct ompp_command_option ompp_watcher_options[OMPP_WATCHER_OPTIONS] = {
	{ .name = "events",
	  .letter = 'e',
	  .value = "LIST",
	  .offset = OMPP_MEMBER_AT(struct ompp_watcher, events, const char *),
	  .help = "events to read, each given as SENSOR, SENSOR:EVENT or SENSOR:EVENT@SOURCE; * and ? are wildcards" },
	OMPP_TAKE_ROW("interval", "TIME", take_interval, OMPP_MEMBER_AT(struct ompp_watcher, interval_ns, int64_t),
	              "time between samples, such as 1s, 100ms or 250us"),
	OMPP_TAKE_ROW("samples", "N", take_samples, OMPP_MEMBER_AT(struct ompp_watcher, n_samples, int64_t),
	              "stop after N samples"),
	OMPP_SWITCH_ROW("discrete", struct ompp_watcher, is_discrete,
	                "show each CPU, NUMA node, disk … separately, not their sum"),
	OMPP_TAKE_ROW("pid", "PID", take_pid, OMPP_MEMBER_AT(struct ompp_watcher, pid, pid_t),
	              "watch a running process until it ends"),
	{ .name = "sensor",
	  .letter = 's',
	  .value = "FILE",
	  .take = take_sensor,
	  .help = "also load your own sensor from a shared library (see ompp_sensor.h)" },
	OMPP_TEXT_ROW("control", "PATH", struct ompp_watcher, control,
	              "read commands from this FIFO, one per line: label TEXT, pause, resume, interval TIME, enable "
	              "PATTERN, disable PATTERN, record FILE, stop"),
	OMPP_TEXT_ROW("cpus", "LIST", struct ompp_watcher, cpus,
	              "processors on which ompp itself runs (default: those that the program does not use, if there "
	              "are any)"),
};

int ompp_watcher_parse(struct ompp_watcher *w, const struct ompp_command *command, void *request, int argc, char **argv,
                       const char **file)
{
	struct ompp_command_line line = ompp_command_line(command, request, argc, argv);
	const char *word;

	line.has_marks = 1;
	while ((word = ompp_command_next(&line)) && strcmp(word, "--")) {
		if (file && !*file) {
			*file = word;
			continue;
		}
		ompp_complain(word, "a program goes after --: ompp %s -- %s", command->name, word);
		return 1 + OMPP_EXIT_USAGE;
	}
	if (line.status)
		return line.status;
	if (word && line.i < argc)
		w->program = argv + line.i;
	if (w->program && w->pid)
		ompp_complain("--pid", "both a process and a program are given; give one of them");
	return w->program && w->pid ? 1 + OMPP_EXIT_USAGE : 0;
}

int ompp_watcher_is_idle(const struct ompp_watcher *w, const char *recording)
{
	if (!w->program && !w->pid && !w->events && !w->control)
		return 1;
	ompp_complain(recording,
	              "these options do not apply to a recording; leave them out, or give a program after --");
	return 0;
}
