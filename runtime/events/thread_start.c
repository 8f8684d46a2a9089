/*
 * Thread start: see thread_start.h.
 */
#define _GNU_SOURCE
#include "runtime/events/thread_start.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/queue.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/course_charge.h"
#include "runtime/core/frame.h"
#include "runtime/core/hot.h"
#include "runtime/core/lock_holder.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread_stack.h"
#include "runtime/core/unwind.h"
#include "runtime/core/values.h"
#include "runtime/data/front.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/host/real.h"
#include "runtime/memory/hardware.h"
#include "runtime/memory/home.h"
#include "runtime/memory/page_use.h"
#include "runtime/memory/sample.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/range.h"
#include "runtime/sources/source.h"
#include "runtime/span/span_limit.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { SMALLEST_PAGE_BYTES = 4096, PREFAULT_FRAMES = 64 };

static __thread int starting __attribute__((tls_model("initial-exec")));
static struct ompp_thread *free_slots; /* used under the lock */
static uint32_t lock;
static _Atomic uint32_t n_hosts = 1; /* number 1 is kept for the main thread */
static pthread_key_t end_key;
static int have_end_key;

/* Touches fresh memory in advance, as the page faults of the thread are counted soon. */
static void thread_start_prefault(void *start, size_t n_bytes)
{
	volatile char *p = start;
	size_t i;

	for (i = 0; i < n_bytes; i += SMALLEST_PAGE_BYTES)
		p[i] = 0;
}

static void prefault_slot(struct ompp_thread *t)
{
	thread_start_prefault(t->frames, PREFAULT_FRAMES * sizeof(*t->frames));
	thread_start_prefault(t->frame_values, PREFAULT_FRAMES * ompp_metrics.n * sizeof(uint64_t));
	thread_start_prefault(t->task_values, PREFAULT_FRAMES * ompp_metrics.n * sizeof(uint64_t));
	if (t->course.slices)
		thread_start_prefault(t->course.slices, OMPP_COURSE_SLICES * sizeof(*t->course.slices));
	thread_start_prefault(t->graph.chunk + t->graph.used_bytes, t->graph.chunk_bytes - t->graph.used_bytes);
}

/* The pieces of a slot's memory: the bytes of each, in whole pages. */
struct slot_parts {
	size_t n_frames, thread, frames, values, state, course, all;
};

static size_t in_pages(size_t n_bytes)
{
	size_t page = ompp_page_bytes();

	return (n_bytes + page - 1) / page * page;
}

/* Under ulimit -v each of the first threads gets a thousandth of the free address space for its frames; later ones
 * get less. */
static void find_parts(struct slot_parts *parts, uint32_t slot)
{
	size_t value_bytes = 3 * ompp_metrics.n * sizeof(uint64_t);
	size_t frame_bytes = sizeof(struct ompp_frame) + value_bytes;

	parts->n_frames = ompp_space_share(OMPP_N_FRAMES * frame_bytes, OMPP_LEAST_FRAMES * frame_bytes,
	                                   1024 * (1 + slot / 4)) /
	                  frame_bytes;
	parts->thread = in_pages(sizeof(struct ompp_thread));
	parts->frames = in_pages(parts->n_frames * sizeof(struct ompp_frame));
	parts->values = in_pages(parts->n_frames * value_bytes);
	parts->state = in_pages(ompp_sources_thread_bytes());
	parts->course = ompp_session.options.number[OMPP_OPT_COURSE]
	                      ? in_pages(OMPP_COURSE_SLICES * sizeof(struct ompp_course_slice))
	                      : 0;
	parts->all = parts->thread + parts->frames + parts->values + parts->state + parts->course;
}

/* Makes a slot.  Its memory is a single mapping: threads that start at the same time wait for each other in mmap(). */
static struct ompp_thread *reserve_slot(uint32_t slot)
{
	size_t n_values = ompp_metrics.n;
	struct slot_parts parts;
	struct ompp_thread *t;

	find_parts(&parts, slot);
	t = ompp_space_reserve(parts.all);
	if (!t)
		return NULL;
	if (ompp_callgraph_init(&t->graph, (size_t)ompp_session.options.number[OMPP_OPT_MEM], n_values)) {
		ompp_sys_munmap(t, parts.all);
		return NULL;
	}
	t->slot = slot;
	t->look = &ompp_hot_nothing;
	t->slice_end_ticks = UINT64_MAX;
	t->n_frames = (uint32_t)parts.n_frames;
	t->frames = (struct ompp_frame *)(void *)((char *)t + parts.thread);
	t->source_state = parts.state ? (char *)t->frames + parts.frames + parts.values : NULL;
	t->course.slices = parts.course ? (void *)((char *)t + parts.all - parts.course) : NULL;
	if (n_values) {
		t->frame_values = (uint64_t *)(void *)((char *)t->frames + parts.frames);
		t->task_values = t->frame_values + t->n_frames * n_values;
		t->suspended_values = t->task_values + t->n_frames * n_values;
	}
	t->off_values = ompp_callgraph_alloc(&t->graph, n_values * sizeof(uint64_t));
	t->held_values = ompp_callgraph_alloc(&t->graph, n_values * sizeof(uint64_t));
	return t;
}

static struct ompp_thread *new_slot(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_relaxed);
	struct ompp_thread *t = n < OMPP_MAX_THREADS ? reserve_slot(n) : NULL;

	if (!t)
		return NULL;
	if (ompp_metrics.n)
		prefault_slot(t);
	t->max_depth = (uint32_t)ompp_session.options.number[OMPP_OPT_MAX_DEPTH];
	ompp_assert(t->slot == n && !ompp_threads[n]);
	ompp_threads[n] = t;
	atomic_store_explicit(&ompp_n_threads, n + 1, memory_order_release);
	return t;
}

/* Gives the thread a signal stack: a stack overflow can be reported only from another stack. */
static void give_signal_stack(struct ompp_thread *t)
{
	stack_t have;

	if (ompp_sys_sigaltstack(NULL, &have) || !(have.ss_flags & SS_DISABLE))
		return;
	if (!t->signal_stack) {
		t->signal_stack_bytes = ompp_space_share(OMPP_SIGNAL_STACK_BYTES, OMPP_LEAST_SIGNAL_STACK_BYTES,
		                                         1 << 15);
		t->signal_stack_bytes &= ~(size_t)(SMALLEST_PAGE_BYTES - 1);
		t->signal_stack = ompp_space_reserve(t->signal_stack_bytes);
	}
	have = (stack_t){ .ss_sp = t->signal_stack, .ss_size = t->signal_stack_bytes };
	if (t->signal_stack)
		ompp_sys_sigaltstack(&have, NULL);
}

/* The slot's next thread gets the same signal stack, unless this thread ends while it runs on it. */
static void take_signal_stack(struct ompp_thread *t)
{
	stack_t have;

	if (!t->signal_stack || ompp_sys_sigaltstack(NULL, &have) || have.ss_sp != t->signal_stack)
		return;
	if (have.ss_flags & SS_ONSTACK) {
		t->signal_stack = NULL;
		return;
	}
	have.ss_flags = SS_DISABLE;
	ompp_sys_sigaltstack(&have, NULL);
}

/* Closes what is open when the thread ends, and gives the slot back. */
static void thread_ends(void *arg)
{
	struct ompp_thread *t = arg;
	uint64_t signals;

	if (ompp_self != t)
		return;
	ompp_unwind(t, t->frames, ompp_clock());
	ompp_assert(t->top == t->frames && t->base == t->frames);
	ompp_course_end(t, ompp_clock());
	ompp_callgraph_check(&t->graph);
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES)
		ompp_thread_boundary(t);
	ompp_hot_end(t);
	ompp_hardware_close(t);
	ompp_touches_close(t);
	ompp_page_use_close(t);
	ompp_self = &ompp_cold_thread;
	t->tally = NULL;
	ompp_access_tally = &ompp_no_tally;
	ompp_thread_unname_stack(t);
	ompp_breakpoint_stop(&t->breakpoints);
	ompp_sources_thread_stop(t->source_state);
	take_signal_stack(t);
	ompp_sys_hold_signals(&signals); /* a handler's first event takes the lock, too */
	ompp_queue_take(&lock);
	t->next_free = free_slots;
	free_slots = t;
	ompp_queue_drop(&lock);
	ompp_sys_release_signals(&signals);
}

static void first_event(void)
{
	static _Atomic int done;

	if (ompp_session.first_event && !atomic_exchange(&done, 1))
		ompp_session.first_event();
}

static int is_main(void)
{
	return ompp_sys_getpid() == ompp_sys_gettid();
}

void ompp_thread_become_host(struct ompp_thread *t)
{
	struct ompp_span *s;

	/* A slot that is used again keeps its number, but number 1 is the main thread's alone. */
	if (is_main())
		OMPP_STORE(&t->host, 1);
	else if (t->host <= 1)
		OMPP_STORE(&t->host, atomic_fetch_add_explicit(&n_hosts, 1, memory_order_relaxed) + 1);
	first_event();
	ompp_access_tally = &ompp_no_tally;
	ompp_frame_set_node(&t->frames[0], ompp_callgraph_child(&t->graph, t->graph.root,
	                                                        OMPP_KEY(0, OMPP_PART_HOST) | t->host, t->max_depth));
	s = ompp_frame_take_span(t);
	if (s) {
		ompp_span_host(s, t->host == 1 ? ompp_session.start.ticks : ompp_clock());
		ompp_frame_show_span(t, s);
	}
	if (!OMPP_LOAD(&ompp_session.max_threads) && omp_get_max_threads)
		OMPP_STORE(&ompp_session.max_threads, (uint32_t)omp_get_max_threads());
	if (omp_get_num_procs && (uint32_t)omp_get_num_procs() > OMPP_LOAD(&ompp_session.n_processors))
		OMPP_STORE(&ompp_session.n_processors, (uint32_t)omp_get_num_procs());
}

/* Returns a new part of the longest path; NULL without memory. */
static struct ompp_span *new_path(void)
{
	return ompp_span_new((size_t)ompp_session.options.number[OMPP_OPT_MEM]);
}

/* Begins the thread's part of the longest path, where one is looked for; without memory it has none.  A jump out of a
 * handler may have left the part of the slot's last thread in the middle of a change. */
static void begin_path(struct ompp_thread *t)
{
	struct ompp_span *kept = t->kept_span, *s;

	if (!(OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN))
		return;
	s = !kept ? new_path() : t->span ? kept : ompp_span_renew(kept);
	if (s && s == kept)
		ompp_span_reset(s);
	if (s && ompp_span_more_fp)
		ompp_span_limit_begin(s, is_main() ? ompp_session.start.ticks : ompp_clock());
	if (s)
		t->kept_span = s;
	t->span = s;
}

/* Opens the frame at the bottom.  A report of another thread may still look at its node, when the slot had been the
 * place of a thread that has ended. */
static void open_bottom(struct ompp_thread *t)
{
	struct ompp_frame *f = t->frames;

	ompp_frame_set_node(f, t->graph.root);
	f->key = OMPP_BOTTOM_KEY;
	f->stack = UINTPTR_MAX;
	f->start_ticks = f->task_ticks = f->instance = f->once_before = 0;
	f->flags = 0;
	f->outer = f->team_base = 0;
}

/* Makes a slot the calling thread's; NULL when there is none to be had. */
static struct ompp_thread *start_thread(int host)
{
	struct ompp_thread *t;

	ompp_queue_take(&lock);
	if (!have_end_key)
		have_end_key = ompp_real()->key_create && !ompp_real()->key_create(&end_key, thread_ends);
	t = free_slots;
	if (t)
		free_slots = t->next_free;
	else
		t = new_slot();
	ompp_queue_drop(&lock);
	if (!t)
		return NULL;
	ompp_assert(t->slot < OMPP_MAX_THREADS && ompp_threads[t->slot] == t && !t->tally);
	t->tally = &ompp_access_tally;
	OMPP_STORE(&t->team_node, NULL);
	ompp_access_tally = &ompp_no_tally;
	OMPP_STORE(&t->top, t->frames);
	t->base = t->frames;
	open_bottom(t);
	OMPP_STORE(&t->limit, t->frames + t->n_frames - 2);
	t->n_over = 0;
	t->n_switches = 0;
	memset(t->jumps, 0, sizeof(t->jumps));
	memset(t->off_values, 0, ompp_metrics.n * sizeof(uint64_t));
	begin_path(t);
	ompp_course_begin(t, is_main() ? ompp_session.start.ticks : ompp_clock());
	if (host)
		ompp_thread_become_host(t);
	give_signal_stack(t);
	if (have_end_key)
		ompp_real()->setspecific(end_key, t);
	ompp_sources_thread_start(t->source_state);
	ompp_touches_open(t);
	ompp_self = t;
	ompp_hardware_open(t);
	if (t->touches)
		ompp_hardware_help();
	ompp_hot_begin(t);
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES)
		ompp_thread_boundary(t);
	return t;
}

struct ompp_thread *ompp_thread_start(int host)
{
	uint64_t before;
	struct ompp_thread *t;

	if (starting || ompp_self != &ompp_cold_thread)
		return NULL;
	if (!ompp_session_is_started())
		return NULL;
	/* Signals are blocked meanwhile: a handler that came in between would find no thread, and its regions would be
	 * lost. */
	ompp_sys_hold_signals(&before);
	ompp_breakpoint_blocked = (before & OMPP_SIGNAL(SIGTRAP)) != 0;
	starting = 1;
	t = start_thread(host);
	if (t)
		starting = 0;
	else
		ompp_note_add(OMPP_NOTE_LOST_THREAD, 1); /* nothing of this thread is measured */
	ompp_sys_release_signals(&before);
	return t;
}

/* What a thread was changing at the fork, itself or in an event that a handler interrupts, is not whole.  The child's
 * own thread then counts its tasks in a part of which it does nothing else, so that the report says that they are lost.
 */
static void path_after_fork(struct ompp_thread *t, uint64_t now)
{
	if (t->span) {
		ompp_span_after_fork(t->span, now);
	} else if (t->kept_span) {
		t->kept_span->shown = NULL;
		t->kept_span = t == ompp_self && !ompp_span_is_over() ? new_path() : NULL;
		if (t->kept_span)
			t->kept_span->shown = NULL;
	}
}

/* A thread that is not there any more may have been changing its reuse: who has its place next has one of its own. */
static void reuse_after_fork(struct ompp_thread *t)
{
	t->reuse = NULL;
	if (t->front)
		ompp_front_forget(t->front);
}

void ompp_threads_after_fork(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	uint64_t now = ompp_clock();
	struct ompp_frame *f;

	lock = OMPP_QUEUE_FREE;
	free_slots = NULL;
	ompp_lock_holders_after_fork();
	for (i = 0; i < n; i++) {
		struct ompp_thread *t = ompp_threads[i];

		ompp_callgraph_clear(&t->graph);
		t->n_left = t->n_stray = t->n_over_total = t->n_negative = t->n_no_handle = t->n_folded = 0;
		ompp_sharing_after_fork(&t->sharing);
		ompp_breakpoint_after_fork(&t->breakpoints);
		ompp_sample_after_fork(t);
		ompp_hot_after_fork(t);
		ompp_hardware_after_fork(t);
		ompp_touches_after_fork(t);
		ompp_page_use_after_fork(t);
		t->member_uses = NULL;
		path_after_fork(t, now);
		if (t != ompp_self)
			reuse_after_fork(t);
		ompp_course_after_fork(t, t == ompp_self, now);
		ompp_sources_after_fork(t->source_state, t == ompp_self);
		if (t == ompp_self) {
			ompp_access_tally = &ompp_no_tally;
			for (f = t->frames + 1; f <= t->top; f++) {
				OMPP_STORE(&f->start_ticks, now);
				OMPP_STORE(&f->task_ticks, 0);
				if (ompp_frame_has_once(f) || f->flags & OMPP_FRAME_TASK)
					OMPP_STORE(&f->once_before, 0); /* for a task's frame this is suspended_ticks */
				OMPP_STORE(&f->flags,
				           (f->flags | OMPP_FRAME_INHERITED) &
				                   ~(uint32_t)(OMPP_FRAME_TASK_VALUES | OMPP_FRAME_SUSPENDED_VALUES |
				                               OMPP_FRAME_CHOSEN | OMPP_FRAME_BESIDE |
				                               OMPP_FRAME_UNTIMED));
				if (ompp_metrics.n)
					ompp_values_enter(t, f);
			}
			continue;
		}
		OMPP_STORE(&t->top, t->frames);
		t->tally = NULL;
		ompp_thread_unname_stack(t);
		t->next_free = free_slots;
		free_slots = t;
	}
	ompp_hardware_restart(ompp_self);
	ompp_homes_after_fork();
	ompp_touches_restart(ompp_self);
	ompp_hot_restart(ompp_self);
}
