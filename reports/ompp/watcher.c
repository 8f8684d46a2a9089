/*
 * Watcher: see watcher.h.
 */
#define _GNU_SOURCE
#include "reports/ompp/watcher.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reports/ompp/child.h"
#include "reports/ompp/ompp.h"
#include "runtime/base/array.h"
#include "runtime/sensors/sensors.h"

enum { WHY_BYTES = 512 };
#define SECOND_NS INT64_C(1000000000)
#define LEAST_NS  INT64_C(100000)     /* 10 kHz; reading takes longer */
#define MOST_NS   (86400 * SECOND_NS) /* a day */

/* ---- options ---- */

const char *ompp_watcher_option_name(size_t i)
{
	static const char *const names[] = { "--events", "--interval", "--samples", "--discrete",
		                             "--pid",    "--sensor",   "-e",        "-s" };

	return i < OMPP_COUNT_OF(names) ? names[i] : NULL;
}

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
			if (number < (double)LEAST_NS || number > (double)MOST_NS)
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
	return 1;
}

static int take_sensor(struct ompp_watcher *w, const char *path)
{
	char why[WHY_BYTES];
	size_t n = 0;

	while (w->sensors[n])
		n++;
	if (n == OMPP_WATCHER_SENSORS) {
		ompp_complain("--sensor", "more than %d; leave some out", OMPP_WATCHER_SENSORS);
		return -1;
	}
	w->sensors[n] = ompp_sensors_load(path, why, sizeof(why));
	if (!w->sensors[n])
		ompp_complain(path, "%s", why);
	return w->sensors[n] ? 1 : -1;
}

static int take_pid(struct ompp_watcher *w, const char *value)
{
	int64_t pid;

	if (take_number("--pid", value, "the number of a process", &pid) < 0)
		return -1;
	if (pid > INT_MAX || (kill((pid_t)pid, 0) && errno == ESRCH)) {
		ompp_complain("--pid", "no process %s; ps lists them", value);
		return -1;
	}
	w->pid = (pid_t)pid;
	return 1;
}

int ompp_watcher_option(struct ompp_watcher *w, int argc, char **argv, int *i)
{
	const char *word = argv[*i], *value;
	int is_short = !strcmp(word, "-e") || !strcmp(word, "-s");

	if (!strcmp(word, "--discrete")) {
		w->is_discrete = 1;
		return 1;
	}
	if (is_short && *i + 1 >= argc) {
		ompp_complain(word, "has no value; write %s",
		              word[1] == 'e' ? "-e stat:user,vmstat" : "-s ./sensor.so");
		return -1;
	}
	if (!strcmp(word, "-e") || (!is_short && (value = ompp_option_argument(argc, argv, i, "events")))) {
		w->events = is_short ? argv[++*i] : value;
		return 1;
	}
	if (!strcmp(word, "-s") || (value = ompp_option_argument(argc, argv, i, "sensor")))
		return take_sensor(w, is_short ? argv[++*i] : value);
	if ((value = ompp_option_argument(argc, argv, i, "interval"))) {
		if (!ompp_watcher_time(value, &w->interval_ns))
			return 1;
		ompp_complain("--interval", "'%s' is not a time from 100us to a day; write 1s, 100ms or 0.5", value);
		return -1;
	}
	if ((value = ompp_option_argument(argc, argv, i, "samples")))
		return take_number("--samples", value, "a number of samples", &w->n_samples);
	if ((value = ompp_option_argument(argc, argv, i, "pid")))
		return take_pid(w, value);
	return 0;
}

/* ---- the loop ---- */

static sigset_t mask_before;
static struct sigaction pipe_before, child_before;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND_NS + t.tv_nsec;
}

/* Gives the program the signals that ompp found. */
static void as_before(void)
{
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigaction(SIGCHLD, &child_before, NULL);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/* Lets signals come by a descriptor, which it returns; without one, -1. */
static int take_signals(int has_program)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, usual = { .sa_handler = SIG_DFL };
	sigset_t taken;

	sigemptyset(&taken);
	sigaddset(&taken, SIGTERM);
	sigaddset(&taken, SIGHUP);
	sigaddset(&taken, SIGCHLD);
	if (!has_program)
		sigaddset(&taken, SIGINT);
	sigprocmask(SIG_BLOCK, &taken, &mask_before);
	sigaction(SIGPIPE, &ignore, &pipe_before); /* a reader that goes does not end the watching of a program */
	sigaction(SIGCHLD, &usual, &child_before);
	return signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
}

struct loop {
	struct ompp_watcher *w;
	struct ompp_child *child; /* NULL: none was started */
	int signals, process;     /* descriptors */
	int is_ending;
};

static int has_ended(const struct loop *l)
{
	siginfo_t info = { 0 };

	if (l->child)
		return !waitid(P_PID, (id_t)l->child->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
	return l->w->pid && kill(l->w->pid, 0) && errno == ESRCH;
}

static void take_signal(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		if (l->child) /* what was meant to end the run ends the program */
			kill(l->child->pid, (int)info.ssi_signo);
		else
			l->is_ending = 1;
	}
}

/* Waits until the time, or until something ends. */
static void wait_until(struct loop *l, int64_t until_ns)
{
	while (!l->is_ending) {
		int64_t left = until_ns - now_ns();
		struct timespec t = { left > 0 ? left / SECOND_NS : 0, left > 0 ? left % SECOND_NS : 0 };
		struct pollfd fds[] = { { l->signals, POLLIN, 0 }, { l->process, POLLIN, 0 } };

		if (left <= 0)
			return;
		if (l->process < 0 && l->w->pid && t.tv_sec > 0)
			t = (struct timespec){ 1, 0 }; /* an old kernel: it is asked each second */
		if (ppoll(fds, OMPP_COUNT_OF(fds), &t, NULL) < 0 && errno != EINTR)
			return;
		take_signal(l);
		if (fds[1].revents || has_ended(l))
			l->w->is_program_over = l->is_ending = 1;
	}
}

static int read_once(struct ompp_watcher *w)
{
	ompp_watch_sample(&w->watch);
	return ompp_watch_columns(&w->watch);
}

/* Says why events that are wanted cannot be read. */
static void tell_failures(struct ompp_watch *watch)
{
	for (size_t i = 0; i < watch->n_meters; i++) {
		struct ompp_meter *m = &watch->meters[i];

		if (m->is_open && m->why[0])
			ompp_complain(m->sensor->name, "%s", m->why);
		if (m->is_open)
			m->why[0] = '\0';
	}
}

/* Returns 0, or the exit status + 1 that the sink wants. */
static int watch_program(struct loop *l)
{
	struct ompp_watcher *w = l->w;
	int64_t next = w->start_ns, n = 0;
	int rc = 0;

	while (!rc && !l->is_ending && (!w->n_samples || n < w->n_samples)) {
		int64_t now = now_ns();

		next += w->interval_ns;
		if (next <= now) /* what was missed is left out */
			next += (now - next) / w->interval_ns * w->interval_ns + w->interval_ns;
		wait_until(l, next);
		if (read_once(w))
			rc = 1 + OMPP_EXIT_FAILED;
		n++;
		if (!rc && w->sink.sample)
			rc = w->sink.sample(w, w->sink.context, now_ns() - w->start_ns);
	}
	return rc;
}

static int enable(void *context, const char *pattern)
{
	struct ompp_watcher *w = context;
	char why[WHY_BYTES] = "";
	int rc = ompp_watch_enable(&w->watch, pattern, why, sizeof(why));

	if (rc && w->events)
		ompp_complain(pattern, "%s", why);
	return w->events ? rc : 0;
}

/* Opens the sensors that are asked for.  Returns 0, or the exit status. */
static int open_sensors(struct ompp_watcher *w, pid_t pid, const char *defaults)
{
	if (ompp_watch_open(&w->watch, "/proc", "/sys", pid, w->sensors)) {
		ompp_complain("sensors", "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	w->watch.is_discrete = w->is_discrete;
	if (ompp_watch_each_pattern(w->events ? w->events : defaults, enable, w))
		return OMPP_EXIT_USAGE;
	if (!w->watch.n_patterns) {
		ompp_complain("-e", "nothing is chosen; 'ompp sensors' lists what there is");
		return OMPP_EXIT_USAGE;
	}
	ompp_watch_columns(&w->watch);
	if (read_once(w))
		return OMPP_EXIT_FAILED;
	w->start_ns = now_ns();
	return 0;
}

int ompp_watcher_run(struct ompp_watcher *w, const char *defaults)
{
	struct ompp_child child;
	struct loop l = { .w = w, .signals = take_signals(w->program != NULL), .process = -1 };
	int status = w->program ? ompp_child_start(&child, w->program, as_before) : 0, is_run = w->program && !status;

	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	if (is_run)
		w->pid = child.pid;
	if (!status)
		status = open_sensors(w, w->pid, defaults);
	if (status && is_run) { /* the program has not begun, and does not */
		kill(child.pid, SIGKILL);
		ompp_child_wait(&child);
		is_run = 0;
	}
	if (!status && is_run) {
		l.child = &child;
		status = ompp_child_go(&child, "");
		is_run = !status;
	}
	if (!status) {
		if (w->pid)
			l.process = (int)syscall(SYS_pidfd_open, w->pid, 0);
		tell_failures(&w->watch);
		status = watch_program(&l);
		if (w->sink.end)
			w->sink.end(w, w->sink.context);
		if (is_run) /* it goes on where nobody looks any more */
			wait_until(&l, INT64_MAX);
		status -= status != 0;
	}
	if (is_run)
		status = ompp_child_end_like(ompp_child_wait(&child));
	return status;
}
