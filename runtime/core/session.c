/*
 * Session: start of the run, and the calibration of the runtime's own cost.  See session.h.
 */
#define _GNU_SOURCE
#include "runtime/core/session.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/note.h"
#include "runtime/base/text.h"
#include "runtime/base/write.h"
#include "runtime/core/access.h"
#include "runtime/core/naming.h"
#include "runtime/core/thread.h"

struct ompp_session ompp_session;

static _Atomic int state;               /* 0 not started, 1 starting, 2 started */
static __thread int starting __attribute__((tls_model("initial-exec")));        /* 1: by this thread */

void ompp_session_say(const char *line)
{
	char text[512];
	struct ompp_text t;

	if (ompp_session.options.number[OMPP_OPT_QUIET])
		return;
	ompp_text_init(&t, text, sizeof(text) - 1);
	ompp_text_str(&t, "ompp: ");
	ompp_text_str(&t, line);
	text[t.n_bytes] = '\n';
	ompp_write_all(STDERR_FILENO, text, t.n_bytes + 1);
}

/* Complaints about the environment: said when OMPP_QUIET is known, and kept as notes of the report. */
static void complain(const char *line)
{
	ompp_note_say(line);
}

/* What one enter and exit cost, and how much of that lies between their clock readings: the smallest of a few
 * batches, on a thread slot of its own. */
static void calibrate(void)
{
	enum { BATCHES = 7, PAIRS = 64 };
	static struct ompp_frame frames[8];
	static struct ompp_thread scratch;
	struct ompp_thread *self = ompp_self;
	uint64_t best = UINT64_MAX, best_in = 0, key = OMPP_KEY(1, 0);
	int batch, i;

	/* With the fake clock nothing must be taken out; what metrics cost beside it is not known. */
	if (ompp_clock_kind == OMPP_CLOCK_FAKE || ompp_metrics.n || ompp_callgraph_init(&scratch.graph, 262144, 0))
		return;
	scratch.frames = scratch.top = scratch.base = frames;
	scratch.limit = frames + 6;
	scratch.max_depth = 64;
	frames[0] = (struct ompp_frame){ .key = UINT64_MAX, .node = scratch.graph.root, .stack = UINTPTR_MAX };
	ompp_self = &scratch;
	for (batch = 0; batch < BATCHES; batch++) {
		struct ompp_callnode *node = ompp_callgraph_child(&scratch.graph, scratch.graph.root, key, 64);
		uint64_t start = ompp_clock(), ticks;

		node->ticks = 0;
		for (i = 0; i < PAIRS; i++) {
			ompp_calibrate_enter(key);
			ompp_calibrate_exit(key);
		}
		ticks = ompp_clock() - start;
		if (ticks < best) {
			best = ticks;
			best_in = node->ticks;
		}
	}
	ompp_self = self;
	ompp_session.cost_pair_fp = best * 256 / PAIRS;
	ompp_session.cost_in_fp = best_in * 256 / PAIRS;
	ompp_callgraph_fini(&scratch.graph);
}

static void read_clocks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	ompp_session.start_unix_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	ompp_clock_anchor(&ompp_session.start);
}

void ompp_session_after_fork(void)
{
	ompp_session.pid = getpid();
	ompp_session.forked = 1;
	atomic_store(&ompp_session.n_dumps, 0);
	read_clocks();
}

static void start(void)
{
	struct ompp_session *s = &ompp_session;
	struct tm local;
	time_t seconds;

	ompp_options_parse(&s->options, s->envp ? s->envp : environ, complain);
	if (ompp_clock_open(s->options.text[OMPP_OPT_CLOCK]))
		ompp_note_say("OMPP_CLOCK=tsc: the TSC is not invariant here; CLOCK_MONOTONIC is used");
	seconds = time(NULL);
	s->utc_offset_s = localtime_r(&seconds, &local) ? local.tm_gmtoff : 0;
	s->pid = getpid();
	if (!getcwd(s->folder, sizeof(s->folder)))
		s->folder[0] = '\0';
	ompp_sources_open(&s->options);
	ompp_access_start();
	ompp_naming_start();
	calibrate();
	read_clocks();
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
		start();
		starting = 0;
		atomic_store_explicit(&state, 2, memory_order_release);
		for (i = 0; i < ompp_note_n_said(); i++)
			ompp_session_say(ompp_note_said(i));
	} else {
		while (atomic_load_explicit(&state, memory_order_acquire) != 2)
			usleep(10);
	}
	errno = saved;
	return 1;
}
