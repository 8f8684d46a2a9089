/*
 * Watcher: see watcher.h.
 */
#define _GNU_SOURCE
#include "reports/watch/watcher.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/command/child.h"
#include "reports/sensors/program.h"
#include "reports/sensors/whereabouts.h"
#include "reports/watch/aside.h"
#include "reports/watch/control.h"
#include "reports/watch/recorder.h"
#include "reports/watch/watcher_options.h"
#include "runtime/base/array.h"

enum { WHY_BYTES = 512, TOLD_AGAIN = 100 };

#define SECOND_NS INT64_C(1000000000)

static sigset_t mask_before;
static struct sigaction pipe_before, size_before, child_before;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND_NS + t.tv_nsec;
}

static const char *publish_path; /* of the file in which the program publishes; NULL: it could not be made */

/* Restores the signal handlers that ompp inherited, and passes the program the path of the file. */
static void as_before(void)
{
	if (publish_path)
		setenv("OMPP_PUBLISH", publish_path, 1);
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigaction(SIGXFSZ, &size_before, NULL);
	sigaction(SIGCHLD, &child_before, NULL);
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/* Receives signals by a descriptor (signalfd), and returns it; -1 on failure. */
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
	/* when the reader of the output closes it, the program is still watched */
	sigaction(SIGPIPE, &ignore, &pipe_before);
	sigaction(SIGXFSZ, &ignore, &size_before);
	sigaction(SIGCHLD, &usual, &child_before);
	return signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
}

struct loop {
	struct ompp_watcher *w;
	struct ompp_child *child; /* NULL: none was started */
	int signals, process;     /* descriptors */
	int is_ending, is_changed;
	int is_told;       /* by a signal to end */
	int64_t looked_ns; /* when the program's processors were looked at */
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
		l->is_told = 1;
		if (l->child) /* a signal that would end the run is passed to the program */
			kill(l->child->pid, (int)info.ssi_signo);
		else
			l->is_ending = 1;
	}
}

static int64_t since_start(const struct ompp_watcher *w)
{
	return now_ns() - w->start_ns;
}

static void label_at(struct ompp_watcher *w, const char *text, int64_t time_ns)
{
	struct ompp_sink record = w->recorder ? ompp_recorder_sink(w->recorder) : (struct ompp_sink){ 0 };

	if (w->sink.label)
		w->sink.label(w->sink.context, text, time_ns);
	if (record.label)
		record.label(record.context, text, time_ns);
}

static void forget_threads(struct ompp_sheet_threads *t)
{
	free(t->regions);
	free(t->in);
	free(t->is_waiting);
	*t = (struct ompp_sheet_threads){ 0 };
}

static void pause_it(struct ompp_watcher *w, int is_paused)
{
	struct ompp_sink record = w->recorder ? ompp_recorder_sink(w->recorder) : (struct ompp_sink){ 0 };

	if (w->is_paused == is_paused)
		return;
	w->is_paused = is_paused;
	if (w->sink.pause)
		w->sink.pause(w->sink.context, is_paused, since_start(w));
	if (record.pause)
		record.pause(record.context, is_paused, since_start(w));
	if (w->tell)
		w->tell(w->context, w, NULL, NULL);
	ompp_watch_forget(&w->watch);
	forget_threads(&w->threads);
	if (!is_paused) /* what happens during a pause is in no sample */
		ompp_watch_sample(&w->watch);
}

static void end_recorder(struct ompp_watcher *w)
{
	struct ompp_sink record;

	if (!w->recorder)
		return;
	record = ompp_recorder_sink(w->recorder);
	record.end(record.context, since_start(w));
	ompp_recorder_close(w->recorder);
	w->recorder = NULL;
}

/* Says why a command was not done. */
__attribute__((format(printf, 3, 4))) static void watcher_complain(struct ompp_watcher *w, const char *about,
                                                                   const char *format, ...)
{
	char why[2 * WHY_BYTES];
	va_list values;

	va_start(values, format);
	vsnprintf(why, sizeof(why), format, values);
	va_end(values);
	ompp_complain(about, "%s", why);
	if (w->tell)
		w->tell(w->context, w, about, why);
}

static void change_events(struct ompp_watcher *w, int is_enabled, const char *pattern)
{
	char why[WHY_BYTES] = "";
	int rc = is_enabled ? ompp_watch_enable(&w->watch, pattern, why, sizeof(why))
	                    : ompp_watch_disable(&w->watch, pattern, why, sizeof(why));

	ompp_watch_columns(&w->watch);
	if (rc)
		watcher_complain(w, pattern, "%s", why);
	else if (w->tell)
		w->tell(w->context, w, NULL, NULL);
}

static const char *command_word(size_t i)
{
	static const char *const words[] = { "record",   "label",  "pause",   "resume",
		                             "interval", "enable", "disable", "stop" };

	return i < OMPP_COUNT_OF(words) ? words[i] : NULL;
}

/* Does what a line of the FIFO says. */
static void take_command(void *context, char *line)
{
	struct loop *l = context;
	struct ompp_watcher *w = l->w;
	char *rest = line + strcspn(line, " \t");
	const char *near;

	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (!strcmp(line, "label")) {
		label_at(w, rest, since_start(w));
	} else if (!strcmp(line, "pause") || !strcmp(line, "resume")) {
		pause_it(w, line[0] == 'p');
		l->is_changed = 1;
	} else if (!strcmp(line, "stop")) {
		l->is_ending = 1;
	} else if (!strcmp(line, "enable") || !strcmp(line, "disable")) {
		change_events(w, line[0] == 'e', rest);
	} else if (!strcmp(line, "interval")) {
		if (ompp_watcher_time(rest, &w->interval_ns))
			watcher_complain(w, "interval", "'%s' is not a time from 100us to a day; write 100ms", rest);
		else if (w->tell)
			w->tell(w->context, w, NULL, NULL);
		l->is_changed = 1;
	} else if (!strcmp(line, "record")) {
		struct timespec t;

		end_recorder(w);
		clock_gettime(CLOCK_REALTIME, &t);
		forget_threads(&w->threads);
		w->recorder = ompp_recorder_open(OMPP_RECORDER_JSON, rest[0] ? rest : NULL, "machine", w->program,
		                                 w->interval_ns, w->start_unix_ns);
	} else {
		near = ompp_nearest_typed(line, command_word);
		watcher_complain(w, line, "unknown command; %s%s", near ? "did you mean " : "ompp-stat(1) lists them",
		                 near ? near : "");
	}
}

/* Executes the commands from pages. */
static void take_commands(struct loop *l)
{
	char command[WHY_BYTES];

	while (l->w->next_command(l->w->context, command, sizeof(command)))
		take_command(l, command);
}

/* Moves ompp off the program's processors; the program's threads may be bound only after their start. */
static void step_aside(struct loop *l)
{
	if (l->w->cpus || !l->w->pid || (l->looked_ns && now_ns() - l->looked_ns < SECOND_NS))
		return;
	l->looked_ns = now_ns();
	ompp_aside_of(l->w->watch.pid ? l->w->watch.pid : l->w->pid);
}

/* Waits until until_ns, or until a command, signal or end comes. */
static void wait_until(struct loop *l, int64_t until_ns)
{
	while (!l->is_ending && !l->is_changed) {
		int64_t left = until_ns - now_ns();
		struct timespec t = { left > 0 ? left / SECOND_NS : 0, left > 0 ? left % SECOND_NS : 0 };
		struct pollfd fds[] = { { l->signals, POLLIN, 0 },
			                { l->process, POLLIN, 0 },
			                { l->w->fifo ? ompp_control_fd(l->w->fifo) : -1, POLLIN, 0 },
			                { l->w->command_fd && l->w->watch.meters ? l->w->command_fd(l->w->context) : -1,
			                  POLLIN, 0 } };

		if (left <= 0)
			return;
		if (l->process < 0 && l->w->pid && t.tv_sec > 0)
			t = (struct timespec){ 1, 0 }; /* old kernel without pidfd: poll each second */
		if (ppoll(fds, OMPP_COUNT_OF(fds), &t, NULL) < 0 && errno != EINTR)
			return;
		if (fds[2].revents)
			ompp_control_read(l->w->fifo, take_command, l);
		if (fds[3].revents)
			take_commands(l);
		take_signal(l);
		if (fds[1].revents || has_ended(l))
			l->w->is_over = l->is_ending = 1;
	}
}

static int read_once(struct ompp_watcher *w)
{
	ompp_watch_sample(&w->watch);
	return ompp_watch_columns(&w->watch);
}

/* Says why requested events cannot be read. */
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

/* Takes a label that the program set, with the time that the program gave it. */
static void take_label(void *context, const char *text, int64_t monotonic_ns)
{
	struct ompp_watcher *w = context;
	int64_t t = monotonic_ns - w->start_ns;

	if (!w->is_paused && t >= 0) /* labels from before the watcher attached are left out */
		label_at(w, text, t);
}

/* Finds the sensor `region`; NULL when it is not watched. */
static const struct ompp_meter *meter_of_regions(const struct ompp_watch *watch)
{
	for (size_t i = 0; i < watch->n_meters; i++)
		if (watch->meters[i].is_open && watch->meters[i].is_watched &&
		    !strcmp(watch->meters[i].sensor->name, "region"))
			return &watch->meters[i];
	return NULL;
}

/* Notes the region of each thread.  Returns 0, or -ENOMEM. */
static int fill_threads(struct ompp_sheet_threads *t, const struct ompp_meter *m)
{
	size_t n = ompp_whereabouts.n;

	t->n = n;
	t->in = malloc((n + 1) * sizeof(*t->in));
	t->is_waiting = malloc((n + 1) * sizeof(*t->is_waiting));
	t->regions = malloc((n + 1) * sizeof(*t->regions)); /* at most as many regions as threads */
	if (!t->in || !t->is_waiting || !t->regions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct ompp_whereabout *at = &ompp_whereabouts.threads[i];
		size_t k = 0;

		t->in[i] = -1;
		t->is_waiting[i] = at->waits;
		if (at->region < 0 || (size_t)at->region >= m->n_sources)
			continue;
		while (k < t->n_regions && t->regions[k] != m->sources[at->region])
			k++;
		t->regions[k] = m->sources[at->region];
		t->n_regions += k == t->n_regions;
		t->in[i] = (int)k;
	}
	return 0;
}

static int is_equal(const struct ompp_sheet_threads *a, const struct ompp_sheet_threads *b)
{
	if (a->n != b->n || a->n_regions != b->n_regions)
		return 0;
	for (size_t i = 0; i < a->n_regions; i++)
		if (a->regions[i] != b->regions[i]) /* pointers to names of sources are stable */
			return 0;
	return !a->n || (!memcmp(a->in, b->in, a->n * sizeof(*a->in)) &&
	                 !memcmp(a->is_waiting, b->is_waiting, a->n * sizeof(*a->is_waiting)));
}

/* Reports the regions of the threads if they changed; and repeats them now and then for readers that join later, or
 * read a part of a recording. */
static void take_threads(struct ompp_watcher *w)
{
	const struct ompp_meter *m = meter_of_regions(&w->watch);
	struct ompp_sink record = w->recorder ? ompp_recorder_sink(w->recorder) : (struct ompp_sink){ 0 };
	struct ompp_sheet_threads now = { .time_ns = w->sheet.time_ns };

	if (!m || (!ompp_whereabouts.n && !w->threads.n))
		return;
	if (fill_threads(&now, m) || (is_equal(&now, &w->threads) && ++w->n_same < TOLD_AGAIN)) {
		forget_threads(&now);
		return;
	}
	w->n_same = 0;
	forget_threads(&w->threads);
	w->threads = now;
	if (w->sink.threads)
		w->sink.threads(w->sink.context, &now);
	if (record.threads)
		record.threads(record.context, &now);
}

/* Reads a sample, and hands it to the sinks.  Returns 0, or -1 when the sinks want no more. */
static int take_sample(struct ompp_watcher *w)
{
	struct ompp_sink record;
	uint64_t n_lost;
	char lost[80];

	n_lost = ompp_program_labels(w->pid, take_label, w);
	if (n_lost && !w->is_paused) {
		snprintf(lost, sizeof(lost), "%llu labels are lost, as they came too fast", (unsigned long long)n_lost);
		label_at(w, lost, since_start(w));
	}
	if (read_once(w) || ompp_sheet_fill(&w->sheet, &w->watch, since_start(w)))
		return -1;
	if (w->recorder) {
		record = ompp_recorder_sink(w->recorder);
		if (record.sample(record.context, &w->sheet)) {
			ompp_recorder_close(w->recorder);
			w->recorder = NULL;
		}
	}
	if (w->sink.sample && w->sink.sample(w->sink.context, &w->sheet))
		return -1;
	take_threads(w);
	return 0;
}

/* Returns 0, or -1 when the sink has failed. */
static int watch_all(struct loop *l)
{
	struct ompp_watcher *w = l->w;
	int64_t next = now_ns(), n = 0;

	while (!l->is_ending && (!w->n_samples || n < w->n_samples)) {
		int64_t now = now_ns();

		if (l->is_changed) { /* the interval or the pause was changed */
			l->is_changed = 0;
			next = now;
			w->sheet.n_missed = 0;
		}
		next += w->interval_ns;
		if (next <= now) {
			int64_t missed = (now - next) / w->interval_ns + 1;

			w->sheet.n_missed += (uint64_t)missed;
			next += missed * w->interval_ns;
		}
		step_aside(l);
		wait_until(l, w->is_paused ? INT64_MAX : next);
		if (w->is_paused || (l->is_changed && !l->is_ending))
			continue;
		if (take_sample(w))
			return -1;
		w->sheet.n_missed = 0;
		n++;
	}
	return 0;
}

static int watcher_enable(void *context, const char *pattern)
{
	struct ompp_watcher *w = context;
	char why[WHY_BYTES] = "";
	int rc = ompp_watch_enable(&w->watch, pattern, why, sizeof(why));

	if (rc && w->events)
		ompp_complain(pattern, "%s", why);
	return w->events ? rc : 0;
}

/* Opens the sensors that are asked for, and reads them.  Returns 0, or the exit status. */
static int open_sensors(struct ompp_watcher *w, const char *defaults)
{
	struct timespec t;

	if (ompp_watch_open(&w->watch, "/proc", "/sys", w->pid, w->sensors)) {
		ompp_complain("sensors", "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	w->watch.is_discrete = w->is_discrete;
	if (ompp_watch_each_pattern(w->events ? w->events : defaults, watcher_enable, w))
		return OMPP_EXIT_USAGE;
	for (size_t i = 0; w->sensors[i] && !w->events; i++)
		watcher_enable(w, w->sensors[i]->name);
	if (!w->watch.n_patterns) {
		ompp_complain("-e", "no event is chosen; 'ompp sensors' lists them");
		return OMPP_EXIT_USAGE;
	}
	ompp_watch_columns(&w->watch);
	if (read_once(w)) {
		ompp_complain("sensors", "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	w->start_ns = now_ns();
	clock_gettime(CLOCK_REALTIME, &t);
	w->start_unix_ns = t.tv_sec * SECOND_NS + t.tv_nsec;
	return 0;
}

/* Prepares everything before the program's exec.  Returns 0, or the exit status after a complaint. */
static int get_ready(struct ompp_watcher *w, const char *defaults)
{
	int status;

	if (w->cpus && ompp_aside_on(w->cpus))
		return OMPP_EXIT_USAGE;
	if (w->control) {
		w->fifo = ompp_control_open(w->control);
		if (!w->fifo)
			return OMPP_EXIT_USAGE;
	}
	status = open_sensors(w, defaults);
	return status ? status : w->open(w, &w->sink);
}

static void watcher_tidy(struct ompp_watcher *w)
{
	if (w->sink.end)
		w->sink.end(w->sink.context, since_start(w));
	end_recorder(w);
	if (w->fifo)
		ompp_control_close(w->fifo);
	w->fifo = NULL;
	ompp_watch_close(&w->watch);
	ompp_sheet_free(&w->sheet);
	forget_threads(&w->threads);
}

/* Waits until ompp is interrupted, after the program has ended. */
static void watcher_stay(struct loop *l)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	if (signalfd(l->signals, &ends, 0) < 0)
		return;
	ompp_complain(l->w->command, "the program has ended; what is shown stays until Ctrl-C");
	l->w->pid = 0;
	l->child = NULL;
	l->process = -1;
	l->is_ending = l->is_changed = 0;
	wait_until(l, INT64_MAX);
}

int ompp_watcher_run(struct ompp_watcher *w, const char *defaults)
{
	struct ompp_child child;
	struct loop l = { .w = w, .signals = take_signals(w->program != NULL), .process = -1 };
	int status = 0, is_run, is_over = 0;

	publish_path = w->program ? ompp_program_make_file() : NULL;
	if (w->program)
		status = ompp_child_start(&child, w->program, as_before);
	is_run = w->program && !status;

	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	if (is_run)
		w->pid = child.pid;
	if (!status)
		status = get_ready(w, defaults);
	if (status && is_run) { /* the program has not started, and will not */
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
		status = watch_all(&l) ? OMPP_EXIT_FAILED : 0;
		l.is_ending = is_over = w->is_over;
		l.is_changed = 0;
	}
	watcher_tidy(w);
	if (is_run) { /* the program goes on unwatched */
		wait_until(&l, INT64_MAX);
		status = ompp_child_wait(&child);
	}
	if (w->stays && is_over && !l.is_told)
		watcher_stay(&l);
	ompp_program_remove_file();
	if (w->close)
		w->close(w->context);
	return is_run ? ompp_child_end_like(status) : status;
}
