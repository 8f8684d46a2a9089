/*
 * Session: see session.h.
 */
#define _GNU_SOURCE
#include "runtime/core/session.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/auxv.h"
#include "runtime/base/clean.h"
#include "runtime/base/counter.h"
#include "runtime/base/helper.h"
#include "runtime/base/note.h"
#include "runtime/base/processors.h"
#include "runtime/base/stack.h"
#include "runtime/base/stream.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/base/wish.h"
#include "runtime/base/write.h"
#include "runtime/base/zone.h"
#include "runtime/core/access.h"
#include "runtime/core/arrival.h"
#include "runtime/core/cost.h"
#include "runtime/core/naming.h"
#include "runtime/core/visit.h"

struct ompp_session ompp_session;

static _Atomic int state;               /* 0 not started, 1 starting, 2 started */
static __thread int starting __attribute__((tls_model("initial-exec")));        /* 1: by this thread */

void ompp_session_say(const char *line)
{
	char text[512];
	struct ompp_text t;

	if (ompp_session.options.number[OMPP_OPT_QUIET] || !ompp_stream_is_same(STDERR_FILENO))
		return;
	ompp_text_init(&t, text, sizeof(text) - 1);
	ompp_text_str(&t, "ompp: ");
	ompp_clean(&t, line, 0);
	text[t.n_bytes] = '\n';
	ompp_stream_write(STDERR_FILENO, text, t.n_bytes + 1, 0);
}

/* Complaints about the environment: said when OMPP_QUIET is known, and kept as notes of the report. */
static void complain(const char *line)
{
	ompp_note_say(line);
}

enum { PATIENCE_MS = 10000 };          /* without a byte taken, until a report to a stream is given up */

static void read_clocks(void)
{
	struct timespec now;

	ompp_clock_read(CLOCK_REALTIME, &now);
	ompp_session.start_unix_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	ompp_clock_anchor(&ompp_session.start);
}

void ompp_session_after_fork(void)
{
	ompp_session.pid = ompp_sys_getpid();
	ompp_session.forked = 1;
	atomic_store(&ompp_session.n_dumps, 0);
	read_clocks();
}

/* The lists of names in the environment, whose misspelt words the report names. */
static void begin_wishes(const struct ompp_options *options)
{
	ompp_wish_begin(OMPP_WISH_FILTER, "OMPP_FILTER", options->text[OMPP_OPT_FILTER]);
	for (int i = 0; i < OMPP_N_CONSTRUCTS; i++)
		ompp_wish_consider(OMPP_WISH_FILTER, ompp_construct_name((enum ompp_construct)i));
	ompp_wish_begin(OMPP_WISH_FUNCTIONS, "OMPP_FUNCTIONS", options->text[OMPP_OPT_FUNCTIONS]);
}

/* A set-uid program's environment is its caller's, who must not have files written, or read, with the program's rights:
 * no variable counts, and nothing is written or said. */
static char *const *trusted_environment(void)
{
	static char *const none[] = { NULL };

	return ompp_is_secure() ? none : ompp_session.envp ? ompp_session.envp : __environ;
}

static void parse_options(struct ompp_options *options, char *const *environment)
{
	ompp_options_parse(options, environment, complain);
	if (ompp_is_secure()) {
		options->text[OMPP_OPT_REPORTFILE] = "none";
		options->number[OMPP_OPT_QUIET] = 1;
	}
}

static void start(void *unused)
{
	struct ompp_session *s = &ompp_session;
	char *const *environment = trusted_environment();

	(void)unused;
	ompp_stream_start();
	ompp_write_patience_ms = PATIENCE_MS;
	parse_options(&s->options, environment);
	begin_wishes(&s->options);
	if (ompp_clock_open(s->options.text[OMPP_OPT_CLOCK]))
		ompp_note_say("OMPP_CLOCK=tsc: the TSC is not invariant here; CLOCK_MONOTONIC is used");
	s->pid = ompp_sys_getpid();
	if (ompp_sys_getcwd(s->folder, sizeof(s->folder)) < 0 || s->folder[0] != '/')
		s->folder[0] = '\0';
	ompp_counter_hooked = &ompp_access_linked || ompp_access_objects.plain || ompp_access_objects.source;
	ompp_sources_open(&s->options);
	if (ompp_metrics.n)
		ompp_mode_set(OMPP_MODE_VALUES);
	ompp_access_start();
	ompp_naming_start();
	s->n_processors = ompp_processors_allowed();
	ompp_cost_calibrate();
	ompp_arrival_calibrate();
	read_clocks();
	s->utc_offset_s = ompp_zone_offset(s->start_unix_ns / 1000000000, ompp_environment(environment, "TZ"),
	                                   ompp_environment(environment, "TZDIR"));
	ompp_helper_end();
}

void ompp_session_switch(int off)
{
	struct ompp_thread *t = ompp_self;
	int is = off ? OMPP_IS_ON : OMPP_IS_OFF;

	if (!ompp_session_start())
		return;
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES && t->limit)
		ompp_access_boundary(t);
	if (!__atomic_compare_exchange_n(&ompp_session.off, &is, OMPP_IS_SWITCHING, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	ompp_mode_set(OMPP_MODE_OFF);
	OMPP_STORE(&ompp_session.n_switches, ompp_session.n_switches + 1);
	if (off) {
		ompp_clock_stop();
		ompp_access_off();
	} else {
		ompp_clock_go();
	}
	if (ompp_metrics.n)
		ompp_values_switch(t);
	if (!off)
		ompp_mode_clear(OMPP_MODE_OFF);
	__atomic_store_n(&ompp_session.off, off ? OMPP_IS_OFF : OMPP_IS_ON, __ATOMIC_RELEASE);
}

int ompp_session_start(void)
{
	int expected = 0, saved, i;

	if (atomic_load_explicit(&state, memory_order_acquire) == 2)
		return 1;
	if (starting)
		return 0;
	saved = errno;
	if (atomic_compare_exchange_strong(&state, &expected, 1)) {
		starting = 1;
		ompp_stack_call(start, NULL);
		starting = 0;
		atomic_store_explicit(&state, 2, memory_order_release);
		for (i = 0; i < ompp_note_n_said(); i++)
			ompp_session_say(ompp_note_said(i));
	} else {
		while (atomic_load_explicit(&state, memory_order_acquire) != 2)
			ompp_sys_sleep(10000);
	}
	errno = saved;
	return 1;
}
