/*
 * Trace: see trace.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/trace.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/collect/destination.h"
#include "runtime/collect/trace_file.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/mpi_message.h"
#include "runtime/events/partners.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/host/processors.h"
#include "runtime/host/stamp.h"
#include "runtime/memory/hardware.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/sample.h"
#include "runtime/sources/sampling.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { N_RECENT = 4 };

static const char nothing_sampled[] =
	"OMPP_TRACE: nothing is sampled, so the trace has regions and messages alone; choose a source with OMPP_SAMPLE";

static struct ompp_trace_file file = { .what = "trace",
	                               .option = "OMPP_TRACE",
	                               .suffix = ".ompp.flow",
	                               .limit = OMPP_OPT_TRACE_LIMIT,
	                               .full = OMPP_NOTE_TRACE_FULL };

static struct ompp_stamp_reading start; /* when the trace began */

/* Where a thread was when its innermost node last changed.  Used by the thread itself alone. */
struct stretch {
	uint64_t since_ns; /* 0 when not known */
	uint32_t place, n_recent;
	struct {
		const struct ompp_callnode *node;
		uint32_t place;
	} recent[N_RECENT];
};
static struct stretch *stretches; /* [OMPP_MAX_THREADS] */

/* Is this the process that is traced?  A child of vfork() is not, nor is one that our fork handlers have not seen. */
static int is_ours(void)
{
	return ompp_sys_getpid() == ompp_session.pid;
}

/* How the times of a batch of samples are converted to those of CLOCK_MONOTONIC. */
struct times {
	struct ompp_clock_rate rate; /* of the runtime's clock */
	struct ompp_stamp_reading now;
};

/* Returns a sample's time in ns of CLOCK_MONOTONIC.  Hooks give times in ticks of the runtime's clock, and no thread
 * id; the processor gives times of the kernel's clock, if that follows from its counter (host/stamp.h). */
static uint64_t time_of(const struct ompp_thread *t, const struct ompp_sample_pending *p, const struct times *times)
{
	const struct ompp_clock_anchor *begin = &ompp_session.start;
	const struct ompp_mem_sample *s = &p->sample;
	const struct ompp_hardware *h = __atomic_load_n(&t->hardware, __ATOMIC_ACQUIRE);

	if (!s->time_ns)
		return 0;
	if (!s->tid)
		return (uint64_t)(begin->monotonic_ns +
		                  ompp_clock_ns(times->rate, (int64_t)(s->time_ns - begin->ticks)));
	if (p->is_touch || !ompp_stamp_is_counter || !h || !h->scale.mult)
		return s->time_ns;
	return ompp_stamp_ns(ompp_stamp_of(&h->scale, s->time_ns), &start, &times->now);
}

static uint64_t trace_known(uint32_t number)
{
	return number == UINT32_MAX ? 0 : (uint64_t)number + 1;
}

/* Returns the level that served a sample.  A hook recognises memory by the latency alone, and tells local from remote
 * memory by the page's NUMA node. */
static uint64_t level_of(const struct ompp_mem_sample *s, uint32_t node, int home)
{
	return s->level == OMPP_MEM_LEVEL_LOCAL_MEMORY && !s->data_source && home >= 0 && node != OMPP_NUMA_UNKNOWN &&
	                       node != (uint32_t)home
	             ? OMPP_MEM_LEVEL_REMOTE_MEMORY
	             : s->level;
}

static void put_sample(const struct ompp_thread *thread, const struct ompp_sample_pending *p, int home,
                       const struct times *times)
{
	const struct ompp_mem_sample *s = &p->sample;
	uint32_t node = ompp_numa_node_of(s->cpu);
	uint64_t *v = file.values, small = 0;

	ompp_trace_file_thread(&file, thread, p->node);
	if (!p->is_touch) /* a page is of all that lies in it */
		small = ompp_trace_file_small(&file, ompp_sample_small(p->cover, (uintptr_t)s->address));
	if (!small)
		ompp_trace_file_cover(&file, p->cover);
	ompp_trace_file_code(&file, s->ip);
	v[OMPP_FLOW_PLACE] = ompp_trace_file_place(&file, p->node, 0);
	v[OMPP_FLOW_THREAD] = thread->slot + 1;
	v[OMPP_FLOW_COVER] = small ? small : p->cover;
	v[OMPP_FLOW_TIME] = time_of(thread, p, times);
	v[OMPP_FLOW_IP] = s->ip;
	v[OMPP_FLOW_ADDRESS] = s->address;
	v[OMPP_FLOW_LATENCY] = s->latency;
	v[OMPP_FLOW_LEVEL] = level_of(s, node, home) * 4 + s->kind;
	v[OMPP_FLOW_HOME] = home < 0 ? 0 : (uint64_t)home + 1;
	v[OMPP_FLOW_CPU] = trace_known(s->cpu);
	v[OMPP_FLOW_NODE] = node == OMPP_NUMA_UNKNOWN ? 0 : (uint64_t)node + 1;
	v[OMPP_FLOW_PERIOD] = s->period;
	v[OMPP_FLOW_PAGE_BYTES] = s->page_bytes;
	v[OMPP_FLOW_TID] = s->tid;
	v[OMPP_FLOW_DETAIL] = (uint64_t)s->snoop << 8 | (uint64_t)s->translation << 4 | s->lock;
	v[OMPP_FLOW_DATA_SOURCE] = s->data_source;
	v[OMPP_FLOW_PHYSICAL] = s->physical;
	ompp_trace_file_put(&file, p->is_touch ? OMPP_FLOW_CODE_TOUCH : OMPP_FLOW_CODE_ACCESS,
	                    (OMPP_TRACE_FIELD(SPAN) - 1) & ~(OMPP_TRACE_FIELD(SITE) | OMPP_TRACE_FIELD(BYTES)));
}

static void trace_take(const struct ompp_thread *thread, const struct ompp_sample_pending *pending, const int *homes,
                       uint32_t n)
{
	struct ompp_clock_anchor now;
	struct times times;

	if (!is_ours() || ompp_trace_file_begin(&file, n, OMPP_TRACE_MOST_SLEEPS))
		return;
	ompp_clock_anchor(&now);
	times.rate = ompp_clock_rate(&ompp_session.start, &now);
	times.now = ompp_stamp_read();
	for (uint32_t i = 0; i < n; i++)
		put_sample(thread, &pending[i], homes[i], &times);
	ompp_trace_file_flush(&file);
	ompp_trace_file_let_go(&file);
}

static void take_block(uint32_t site, const void *address, size_t n_bytes, int ends)
{
	const struct ompp_thread *t = ompp_self;
	uint64_t now = ompp_clock_monotonic_ns(), *v = file.values;

	if (!is_ours() || ompp_trace_file_begin(&file, 1, OMPP_TRACE_FEW_SLEEPS))
		return;
	ompp_trace_file_site(&file, site);
	v[OMPP_FLOW_PLACE] = t->limit ? ompp_trace_file_place(&file, ompp_thread_node(t), 0) : 0;
	v[OMPP_FLOW_THREAD] = t->limit ? t->slot + 1 : 0;
	v[OMPP_FLOW_TIME] = now;
	v[OMPP_FLOW_ADDRESS] = (uintptr_t)address;
	v[OMPP_FLOW_SITE] = site;
	v[OMPP_FLOW_BYTES] = n_bytes;
	ompp_trace_file_put(&file, ends ? OMPP_FLOW_CODE_END : OMPP_FLOW_CODE_BEGIN,
	                    OMPP_TRACE_FIELD(PLACE) | OMPP_TRACE_FIELD(THREAD) | OMPP_TRACE_FIELD(TIME) |
	                            OMPP_TRACE_FIELD(ADDRESS) | OMPP_TRACE_FIELD(SITE) | OMPP_TRACE_FIELD(BYTES));
	ompp_trace_file_flush_old(&file, now);
	ompp_trace_file_let_go(&file);
}

/* Writes that the thread is in another place of the trace since it last changed its node. */
static void trace_change(const struct ompp_thread *t, struct stretch *s, uint32_t place, uint64_t now)
{
	file.values[OMPP_FLOW_PLACE] = s->place = place;
	file.values[OMPP_FLOW_THREAD] = t->slot + 1;
	file.values[OMPP_FLOW_TIME] = s->since_ns ? s->since_ns : now;
	file.values[OMPP_FLOW_MESSAGE] = 0;
	if (ompp_trace_file_is_closed(&file)) {
		ompp_trace_file_lose(&file, 1);
		return;
	}
	ompp_trace_file_put(&file, OMPP_FLOW_CODE_REGION,
	                    OMPP_TRACE_FIELD(PLACE) | OMPP_TRACE_FIELD(THREAD) | OMPP_TRACE_FIELD(TIME) |
	                            OMPP_TRACE_FIELD(MESSAGE));
	ompp_trace_file_flush_old(&file, now);
}

/* Notes a change of places.  Called by the thread itself, before its innermost node changes. */
static void trace_leave(struct ompp_thread *t)
{
	struct stretch *s = &stretches[t->slot];
	const struct ompp_callnode *node = OMPP_LOAD(&OMPP_LOAD(&t->top)->node);
	uint64_t now = ompp_clock_monotonic_ns();
	uint32_t i;

	for (i = 0; i < N_RECENT && s->recent[i].node != node; i++)
		;
	if (i == N_RECENT || s->recent[i].place != s->place) {
		if (!is_ours() || ompp_trace_file_hold(&file, OMPP_TRACE_FEW_SLEEPS))
			return; /* the next change of nodes tells it */
		if (i == N_RECENT) {
			i = s->n_recent++ % N_RECENT;
			s->recent[i].place = ompp_trace_file_place(&file, node, 1);
			s->recent[i].node = node;
		}
		if (s->recent[i].place != s->place)
			trace_change(t, s, s->recent[i].place, now);
		ompp_trace_file_let_go(&file);
	}
	s->since_ns = now;
}

/* Tells where a thread has been since its innermost node changed last, which else its next change tells. */
static void trace_last(const struct ompp_thread *t, uint64_t now)
{
	struct stretch *s = &stretches[t->slot];
	uint32_t place;

	if (!s->since_ns || !t->limit || ompp_trace_file_is_closed(&file)) /* the report has told what is left out */
		return;
	place = ompp_trace_file_place(&file, OMPP_LOAD(&OMPP_LOAD(&t->top)->node), 1);
	if (place != s->place)
		trace_change(t, s, place, now);
}

/* ---- messages ---- */

/* Is the thread in a call of MPI? */
static int is_in_mpi(const struct ompp_thread *t)
{
	uint32_t id = t->limit ? OMPP_KEY_ID(OMPP_LOAD(&ompp_thread_node(t)->key)) : 0;
	const struct ompp_region_def *def = id && id != UINT32_MAX ? ompp_region_by_id(id) : NULL;

	return def && ompp_construct_is_mpi(def->construct);
}

/* Returns when the call of MPI began in which the thread is. */
static uint64_t call_begin(void)
{
	const struct ompp_thread *t = ompp_self;
	uint64_t since_ns = is_in_mpi(t) ? stretches[t->slot].since_ns : 0;

	return since_ns ? since_ns : ompp_clock_monotonic_ns();
}

static void take_message(const struct ompp_mpi_message *m)
{
	const struct ompp_thread *t = ompp_self;
	uint64_t now = ompp_clock_monotonic_ns(), *v = file.values;
	uint32_t n_ranks;
	int rank = ompp_partners_rank(&n_ranks);

	if (!is_ours() || ompp_trace_file_begin(&file, 1, OMPP_TRACE_FEW_SLEEPS))
		return;
	ompp_trace_file_rank(&file, rank, n_ranks);
	v[OMPP_FLOW_PLACE] = t->limit ? ompp_trace_file_place(&file, ompp_thread_node(t), 1) : 0;
	v[OMPP_FLOW_THREAD] = t->limit ? t->slot + 1 : 0;
	v[OMPP_FLOW_TIME] = m->is_received ? now : call_begin();
	v[OMPP_FLOW_SPAN] = m->is_received && m->posted_ns && m->posted_ns < now ? now - m->posted_ns : 0;
	v[OMPP_FLOW_MESSAGE] = m->is_received ? 2 : 1;
	v[OMPP_FLOW_PARTNER] = m->rank < 0 ? 0 : (uint64_t)m->rank + 1;
	v[OMPP_FLOW_TAG] = (uint32_t)m->tag;
	v[OMPP_FLOW_COMM] = m->comm;
	v[OMPP_FLOW_BYTES] = m->bytes < 0 ? 0 : (uint64_t)m->bytes + 1;
	ompp_trace_file_put(&file, OMPP_FLOW_CODE_REGION,
	                    OMPP_TRACE_FIELD(PLACE) | OMPP_TRACE_FIELD(THREAD) | OMPP_TRACE_FIELD(TIME) |
	                            OMPP_TRACE_FIELD(SPAN) | OMPP_TRACE_FIELD(MESSAGE) | OMPP_TRACE_FIELD(PARTNER) |
	                            OMPP_TRACE_FIELD(TAG) | OMPP_TRACE_FIELD(COMM) | OMPP_TRACE_FIELD(BYTES));
	ompp_trace_file_flush_old(&file, now);
	ompp_trace_file_let_go(&file);
}

/* ---- begin and end ---- */

void ompp_trace_start(void)
{
	if (!ompp_session.options.number[OMPP_OPT_TRACE] || ompp_destination_is_none())
		return;
	if (!strcmp(ompp_session.options.text[OMPP_OPT_SAMPLE], "off") && !ompp_heap_on) {
		ompp_note_say(nothing_sampled);
		ompp_session_say(nothing_sampled);
	}
	stretches = ompp_space_reserve(sizeof(*stretches) * OMPP_MAX_THREADS);
	if (!stretches || ompp_trace_file_open(&file)) {
		ompp_note_say("OMPP_TRACE: no memory for a trace; none is written");
		return;
	}
	start = ompp_stamp_read();
	ompp_samples_settled = trace_take;
	ompp_heap_told = take_block;
	ompp_mpi_message_call = call_begin;
	ompp_mpi_message_told = take_message;
	ompp_trace_boundary = trace_leave;
	ompp_mode_set(OMPP_MODE_TRACE);
}

void ompp_trace_name(void)
{
	uint64_t now = ompp_clock_monotonic_ns();
	uint32_t n_ranks;
	int rank = ompp_partners_rank(&n_ranks);

	if (!file.tables || ompp_trace_file_hold(&file, OMPP_TRACE_MOST_SLEEPS))
		return;
	for (uint32_t i = 0; i < atomic_load(&ompp_n_threads); i++)
		if (ompp_threads[i])
			trace_last(ompp_threads[i], now);
	ompp_trace_file_rank(&file, rank, n_ranks);
	ompp_trace_file_end(&file);
	ompp_trace_file_let_go(&file);
}

void ompp_trace_after_fork(void)
{
	ompp_trace_file_after_fork(&file);
	if (stretches)
		memset(stretches, 0, sizeof(*stretches) * (atomic_load(&ompp_n_threads) + 1));
}
