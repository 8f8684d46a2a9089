/*
 * Session: start of the run, and the calibration of the runtime's own cost.  See session.h.
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
#include "runtime/base/note.h"
#include "runtime/base/processors.h"
#include "runtime/base/stream.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/base/wish.h"
#include "runtime/base/write.h"
#include "runtime/base/zone.h"
#include "runtime/core/access.h"
#include "runtime/core/arrival.h"
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
enum { BATCHES = 7, MOST_BATCHES = 200, PAIRS = 64, SCRATCH_FRAMES = 8, SCRATCH_BYTES = 262144 };

/* The smaller of two costs; a counter with negative factors may sink: no cost. */
static void keep_less(uint64_t *least, int64_t cost)
{
	if (cost < 0)
		cost = 0;
	if ((uint64_t)cost < *least)
		*least = (uint64_t)cost;
}

/* Did the column count during all of the batch? */
static int is_counted(const struct ompp_column *column, const uint64_t *values)
{
	const uint64_t *share = values + column->share;

	return column->value != OMPP_NO_VALUE &&
	       (column->share == OMPP_NO_VALUE || share[OMPP_SHARE_RUNNING] >= share[OMPP_SHARE_ENABLED]);
}

/* Enter and exit a region PAIRS times, inside another: what the outer one sees of it is a pair each, and once the inner
 * part of its own.  The smallest of the batches is kept. */
static void calibrate_batch(struct ompp_thread *t, uint32_t is_read)
{
	struct ompp_callnode *outer = ompp_callgraph_child(&t->graph, t->graph.root, OMPP_KEY(1, 0), SCRATCH_FRAMES);
	struct ompp_callnode *inner = ompp_callgraph_child(&t->graph, outer, OMPP_KEY(2, 0), SCRATCH_FRAMES);
	struct ompp_cost *pair = &ompp_session.cost_pair[is_read], *in = &ompp_session.cost_in[is_read];
	const struct ompp_cost *reading = &ompp_session.cost_in[1];
	uint64_t start, ticks;
	size_t c;
	int i;

	outer->is_read = 1;
	inner->is_read = is_read;
	memset(outer->values, 0, ompp_metrics.n * sizeof(uint64_t));
	memset(inner->values, 0, ompp_metrics.n * sizeof(uint64_t));
	inner->ticks = 0;
	ompp_visit_enter(OMPP_KEY(1, 0), OMPP_WHERE());
	start = ompp_clock();
	for (i = 0; i < PAIRS; i++) {
		ompp_visit_enter(OMPP_KEY(2, 0), OMPP_WHERE());
		ompp_visit_exit(OMPP_KEY(2, 0));
	}
	ticks = ompp_clock() - start;
	ompp_visit_exit(OMPP_KEY(1, 0));
	if (ticks * 256 / PAIRS < pair->ticks_fp) {
		pair->ticks_fp = ticks * 256 / PAIRS;
		in->ticks_fp = inner->ticks * 256 / PAIRS;
	}
	for (c = 0; c < ompp_metrics.n_columns; c++) {
		size_t k = ompp_metrics.column[c].value;

		if (!is_counted(&ompp_metrics.column[c], outer->values))
			continue;
		keep_less(&in->values_fp[k], (int64_t)inner->values[k] * 256 / PAIRS);
		if (reading->values_fp[k] != UINT64_MAX)
			keep_less(&pair->values_fp[k],
			          ((int64_t)outer->values[k] * 256 - (int64_t)reading->values_fp[k]) / PAIRS);
	}
}

/* Is each value's cost known?  Those that take turns are not all counted in each batch. */
static int all_are_known(void)
{
	size_t c;

	for (c = 0; c < ompp_metrics.n_columns; c++)
		if (ompp_metrics.column[c].value != OMPP_NO_VALUE &&
		    ompp_session.cost_pair[0].values_fp[ompp_metrics.column[c].value] == UINT64_MAX)
			return 0;
	return 1;
}

static void forget_unknown(struct ompp_cost *cost)
{
	size_t k;

	for (k = 0; k < OMPP_MAX_METRICS; k++)
		if (cost->values_fp[k] == UINT64_MAX)
			cost->values_fp[k] = 0;
}

static void calibrate_on(struct ompp_thread *t)
{
	struct ompp_session *s = &ompp_session;
	struct ompp_thread *self = ompp_self;
	int batch;

	memset(s->cost_pair, 0xff, sizeof(s->cost_pair));
	memset(s->cost_in, 0xff, sizeof(s->cost_in));
	ompp_sources_thread_start(t->source_state);
	ompp_self = t;
	for (batch = 0; batch < BATCHES || (batch < MOST_BATCHES && !all_are_known()); batch++) {
		calibrate_batch(t, 1);
		calibrate_batch(t, 0);
	}
	ompp_self = self;
	ompp_sources_thread_stop(t->source_state);
	for (batch = 0; batch < 2; batch++) {
		forget_unknown(&s->cost_pair[batch]);
		forget_unknown(&s->cost_in[batch]);
	}
}

/* What one enter and exit cost, and how much of that lies between their readings of the clock and of the sources: on a
 * thread slot of its own. */
static void calibrate(void)
{
	static struct ompp_frame frames[SCRATCH_FRAMES];
	static struct ompp_thread scratch;
	static uint64_t values[SCRATCH_FRAMES * OMPP_MAX_METRICS];
	size_t state_bytes = ompp_sources_thread_bytes();

	/* With the fake clock nothing must be taken out. */
	if (ompp_clock_kind == OMPP_CLOCK_FAKE || ompp_callgraph_init(&scratch.graph, SCRATCH_BYTES, ompp_metrics.n))
		return;
	scratch.source_state = state_bytes ? ompp_callgraph_alloc(&scratch.graph, state_bytes) : NULL;
	if (!state_bytes || scratch.source_state) {
		scratch.frames = scratch.top = scratch.base = frames;
		scratch.frame_values = scratch.task_values = scratch.suspended_values = values;
		scratch.limit = frames + SCRATCH_FRAMES - 2;
		scratch.max_depth = SCRATCH_FRAMES;
		frames[0] = (struct ompp_frame){ .key = UINT64_MAX, .node = scratch.graph.root, .stack = UINTPTR_MAX };
		calibrate_on(&scratch);
	}
	ompp_callgraph_fini(&scratch.graph);
}

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

static void start(void)
{
	struct ompp_session *s = &ompp_session;
	char *const *environment = trusted_environment();

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
	calibrate();
	ompp_arrival_calibrate();
	read_clocks();
	s->utc_offset_s = ompp_zone_offset(s->start_unix_ns / 1000000000, ompp_environment(environment, "TZ"),
	                                   ompp_environment(environment, "TZDIR"));
}

void ompp_session_switch(int off)
{
	struct ompp_thread *t = ompp_self;
	int is = off ? OMPP_IS_ON : OMPP_IS_OFF;

	if (!ompp_session_start())
		return;
	if (OMPP_LOAD(&ompp_breakpoints_on) && t->limit)
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
		start();
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
