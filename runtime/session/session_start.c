/*
 * Session start: see session_start.h.
 */
#define _GNU_SOURCE
#include "runtime/session/session_start.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_patch.h"
#include "runtime/access/access_sample.h"
#include "runtime/access/emulated.h"
#include "runtime/base/auxv.h"
#include "runtime/base/program_file.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/hot.h"
#include "runtime/core/recent.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/values.h"
#include "runtime/counters/counter.h"
#include "runtime/data/order.h"
#include "runtime/events/arrival.h"
#include "runtime/events/cost_path.h"
#include "runtime/events/publish.h"
#include "runtime/host/clock.h"
#include "runtime/host/helper.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/processors.h"
#include "runtime/host/published.h"
#include "runtime/host/stack.h"
#include "runtime/host/stream.h"
#include "runtime/host/write.h"
#include "runtime/memory/hardware.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/sample.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/range.h"
#include "runtime/session/machine_time.h"
#include "runtime/session/naming.h"
#include "runtime/sources/sampling.h"
#include "runtime/sources/source.h"
#include "runtime/sources/source_hot.h"
#include "runtime/span/span_limit.h"
#include "runtime/span/variant.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"
#include "runtime/terms/wish.h"

enum { PATIENCE_MS = 10000 }; /* A report to a stream is given up when the reader takes no byte for this long. */

/* Keeps a complaint about the environment.  It is printed once OMPP_QUIET is known, and is also a note of the report.
 */
static void session_start_complain(const char *line)
{
	ompp_note_say(line);
}

/* Remembers the lists of names in the environment, whose misspelt words the report names. */
static void begin_wishes(const struct ompp_options *options)
{
	ompp_wish_begin(OMPP_WISH_FILTER, "OMPP_FILTER", options->text[OMPP_OPT_FILTER]);
	for (int i = 0; i < OMPP_N_CONSTRUCTS; i++)
		ompp_wish_consider(OMPP_WISH_FILTER, ompp_construct_name((enum ompp_construct)i));
	ompp_wish_begin(OMPP_WISH_FUNCTIONS, "OMPP_FUNCTIONS", options->text[OMPP_OPT_FUNCTIONS]);
}

extern void *__libc_stack_end __attribute__((weak)); /* the C library's pointer to where the kernel has put argc */

/* Returns the environment as the kernel has put it behind the arguments of main.  The C library has none yet when the
 * program's first event comes before all constructors (.preinit_array); NULL where it does not say where it is. */
static char *const *environment_on_stack(void)
{
	const long *argc = &__libc_stack_end ? __libc_stack_end : NULL;

	return argc ? (char *const *)(argc + 1 + *argc + 1) : NULL;
}

/* Returns the environment when it may be trusted, otherwise an empty one.  The environment of a set-uid program
 * belongs to its caller, who must not have files written or read with the program's rights.  So there no variable
 * counts, and nothing is written or said. */
static char *const *trusted_environment(void)
{
	static char *const none[] = { NULL };

	if (ompp_is_secure())
		return none;
	if (ompp_session.envp || __environ)
		return ompp_session.envp ? ompp_session.envp : __environ;
	return environment_on_stack() ? environment_on_stack() : none;
}

static void parse_options(struct ompp_options *options, char *const *environment)
{
	ompp_options_parse(options, environment, session_start_complain);
	if (ompp_is_secure()) {
		options->text[OMPP_OPT_REPORTFILE] = "none";
		options->number[OMPP_OPT_QUIET] = 1;
	}
}

enum { SPAN_OFF, SPAN_ON, SPAN_AUTO }; /* the choices of OMPP_SPAN, in their order */

/* Is a function called before each creation of a task?  POMP2_Task_create_begin, POMP2_Untied_task_create_begin, and
 * with these their Fortran forms pomp2_…_ and ompp_f_task_create_; ompp_f_untied_create_. */
static int creates_tasks(const char *name)
{
	return strstr(name, "ask_create") || !strcmp(name, "ompp_f_untied_create_");
}

/* Says whether the longest path is looked for although nobody asked for it: in a program with tasks, where nothing
 * stands against it, and somebody reads what is found.  The path reads the clock at some further places, which the fake
 * one shows. */
static int is_span_free(const struct ompp_options *options, uint32_t edges)
{
	return !(options->disabled & edges) && !ompp_options_silent(options) &&
	       !(OMPP_LOAD(&ompp_modes) & OMPP_MODE_STORMS) && ompp_clock_kind != OMPP_CLOCK_FAKE &&
	       ompp_loaded_calls(creates_tasks);
}

/* Looks for the longest path, unless constructs are off at which threads wait for each other. */
static void start_span(const struct ompp_options *options)
{
	static const uint32_t edges = 1u << OMPP_DISABLE_TASK | 1u << OMPP_DISABLE_BARRIER | 1u << OMPP_DISABLE_LOOP |
	                              1u << OMPP_DISABLE_SECTIONS | 1u << OMPP_DISABLE_SINGLE |
	                              1u << OMPP_DISABLE_WORKSHARE;

	if (options->number[OMPP_OPT_SPAN] != SPAN_ON && !options->number[OMPP_OPT_WHAT_IF]) {
		ompp_span_is_limited = options->number[OMPP_OPT_SPAN] == SPAN_AUTO && is_span_free(options, edges);
		if (ompp_span_is_limited)
			ompp_mode_set(OMPP_MODE_SPAN);
		return;
	}
	if (options->disabled & edges)
		ompp_note_say(
			"OMPP_SPAN: tasks, barriers, loops, sections or singles are off (OMPP_DISABLE), which are "
			"edges of the longest path; leave out one of the two");
	else
		ompp_mode_set(OMPP_MODE_SPAN);
	if (options->number[OMPP_OPT_WHAT_IF])
		OMPP_STORE(&ompp_variants_kept, (uint32_t)OMPP_VARIANTS_ALL);
}

static void start_samples(const struct ompp_options *options)
{
	const char *source = options->text[OMPP_OPT_SAMPLE];
	struct ompp_why why;
	char line[256];
	struct ompp_text t;

	if (!ompp_sampling.asks_hooks) {
		ompp_access_patch_skip();
		return;
	}
	if (!ompp_access_sample_start(options, &why))
		return;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_SAMPLE=");
	ompp_text_str(&t, source);
	ompp_text_str(&t, ": ");
	ompp_text_str(&t, why.text);
	ompp_text_str(&t, "; nothing is sampled");
	ompp_note_say(line);
	ompp_access_patch_skip();
}

static void session_start_boundary(struct ompp_thread *t)
{
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_EMULATED)
		ompp_emulated_settle(t);
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_SAMPLES)
		ompp_hardware_boundary(t);
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_TRACE)
		ompp_trace_boundary(t);
	ompp_touches_boundary(t);
	ompp_access_boundary(t);
}

static void start(void *unused)
{
	struct ompp_session *s = &ompp_session;
	char *const *environment = trusted_environment();

	(void)unused;
	ompp_stream_start();
	ompp_program_file_choose();
	ompp_write_patience_ms = PATIENCE_MS;
	parse_options(&s->options, environment);
	begin_wishes(&s->options);
	if (ompp_clock_open(s->options.text[OMPP_OPT_CLOCK]))
		ompp_note_say("OMPP_CLOCK=tsc: the TSC is not invariant here; CLOCK_MONOTONIC is used");
	if (ompp_clock_is_other())
		ompp_mode_set(OMPP_MODE_CLOCK);
	if (s->options.text[OMPP_OPT_PUBLISH][0] && ompp_published_open(s->options.text[OMPP_OPT_PUBLISH]))
		ompp_note_say("OMPP_PUBLISH: the file cannot be used; it has to be this user's alone, as ompp record "
		              "makes it");
	s->pid = ompp_sys_getpid();
	if (ompp_sys_getcwd(s->folder, sizeof(s->folder)) < 0 || s->folder[0] != '/')
		s->folder[0] = '\0';
	ompp_sampling_seed((uint64_t)s->options.number[OMPP_OPT_SAMPLE_SEED], (uint64_t)s->pid);
	ompp_emulated_start(environment);
	ompp_counter_hooked = ompp_access_is_hooked();
	ompp_sources_open(&s->options);
	if (ompp_metrics.n)
		ompp_mode_set(OMPP_MODE_VALUES);
	if (ompp_hot_period_ns)
		ompp_loaded_start();
	ompp_thread_boundary = session_start_boundary;
	ompp_heap_start();
	ompp_ranges_start();
	ompp_access_start();
	if (strcmp(s->options.text[OMPP_OPT_SAMPLE], "off"))
		ompp_sample_start();
	ompp_hardware_start();
	ompp_naming_start();
	ompp_touches_start();
	s->n_processors = ompp_processors_allowed();
	if (!ompp_options_silent(&s->options))
		ompp_machine_time_start("/proc/stat", "/proc/self/task");
	start_samples(&s->options);
	ompp_order_start();
	if (!strcmp(s->options.text[OMPP_OPT_COSTLY], "sample"))
		ompp_mode_set(OMPP_MODE_STORMS);
	start_span(&s->options);
	ompp_cost_path_calibrate();
	if (!ompp_options_silent(&s->options))
		ompp_arrival_calibrate();
	ompp_session_read_clocks();
	ompp_publish_layout();
	ompp_helper_end();
	ompp_hot_begin_early();
}

static void start_on_a_stack(void)
{
	ompp_sys_sigmask(SIG_BLOCK, NULL, &ompp_session.blocked); /* before the call, which blocks some */
	ompp_stack_call(start, NULL);
}

int ompp_session_start(void)
{
	return ompp_session_begin(start_on_a_stack);
}

void ompp_session_switch(int off)
{
	struct ompp_thread *t = ompp_self;
	int is = off ? OMPP_IS_ON : OMPP_IS_OFF;

	if (!ompp_session_start() || OMPP_LOAD(&ompp_session.off) != is)
		return;
	/* From the first time on, as the clock shows less than the counter then.  An event decides at its begin how it
	 * reads the clock, and until the clock stops both ways are the same: so this comes early, for events of other
	 * threads to be over by then.  One whose thread has lost its processor, or which was interrupted by the handler
	 * that calls this, may not be: its time is wrong by how long measuring is off, or counts as negative. */
	ompp_mode_set(OMPP_MODE_CLOCK);
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES && t->limit)
		session_start_boundary(t);
	ompp_touches_drain();
	ompp_hot_take_all();
	if (!__atomic_compare_exchange_n(&ompp_session.off, &is, OMPP_IS_SWITCHING, 0, __ATOMIC_ACQUIRE,
	                                 __ATOMIC_RELAXED))
		return;
	ompp_mode_set(OMPP_MODE_OFF);
	OMPP_STORE(&ompp_session.n_switches, ompp_session.n_switches + 1);
	ompp_recent_switch(off);
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
