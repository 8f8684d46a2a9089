/*
 * Thread: slots, frame stacks, and the cold halves of enter and exit.  See thread.h.
 */
#define _GNU_SOURCE
#include "runtime/core/thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/note.h"
#include "runtime/base/real.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/jump.h"
#include "runtime/core/task.h"
#include "runtime/core/team.h"
#include "runtime/data/range.h"

#define OVER_KEY (UINT64_MAX - 1)       /* of the frame above the limit: matches no exit */
#define BOTTOM_KEY (UINT64_MAX - 2)     /* of frames[0]: matches no exit */

enum { SMALLEST_PAGE_BYTES = 4096, PREFAULT_FRAMES = 64 };

static struct ompp_frame cold_frame = { .key = BOTTOM_KEY };
static struct ompp_thread cold_thread = {
	.top = &cold_frame, .frames = &cold_frame, .base = &cold_frame, .ways = { [0 ... OMPP_WAYS - 1] = &ompp_no_segment }
};

__thread struct ompp_thread *ompp_self __attribute__((tls_model("initial-exec"))) = &cold_thread;
static __thread int starting __attribute__((tls_model("initial-exec")));

struct ompp_thread *ompp_threads[OMPP_MAX_THREADS];
_Atomic uint32_t ompp_n_threads;
static struct ompp_thread *free_slots;          /* under the lock */
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic uint32_t n_hosts = 1;            /* number 1 is kept for the main thread */
static pthread_key_t end_key;
static int have_end_key;

static void take_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		ompp_sys_yield();
}

static void drop_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

/* Touch memory that is still zero: page faults are counted soon. */
static void prefault(void *start, size_t n_bytes)
{
	volatile char *p = start;
	size_t i;

	for (i = 0; i < n_bytes; i += SMALLEST_PAGE_BYTES)
		p[i] = 0;
}

static void prefault_slot(struct ompp_thread *t)
{
	prefault(t->frames, PREFAULT_FRAMES * sizeof(*t->frames));
	prefault(t->frame_values, PREFAULT_FRAMES * ompp_metrics.n * sizeof(uint64_t));
	prefault(t->task_values, PREFAULT_FRAMES * ompp_metrics.n * sizeof(uint64_t));
	prefault(t->graph.chunk + t->graph.used_bytes, t->graph.chunk_bytes - t->graph.used_bytes);
}

/* Memory of a slot that another will not have: what was had when some was not. */
static void drop_slot(struct ompp_thread *t)
{
	if (t->frames)
		ompp_sys_munmap(t->frames, t->n_frames * sizeof(*t->frames));
	if (t->frame_values)
		ompp_sys_munmap(t->frame_values, 3 * t->n_frames * ompp_metrics.n * sizeof(uint64_t));
	if (t->source_state)
		ompp_sys_munmap(t->source_state, ompp_sources_thread_bytes());
	ompp_callgraph_fini(&t->graph);
	ompp_sys_munmap(t, sizeof(*t));
}

/* Under ulimit -v the first threads get a thousandth of what there is for their frames, and later ones less. */
static int reserve_slot(struct ompp_thread *t)
{
	size_t n_values = ompp_metrics.n, state_bytes = ompp_sources_thread_bytes();
	size_t frame_bytes = sizeof(*t->frames) + 3 * n_values * sizeof(uint64_t);

	t->n_frames = (uint32_t)(ompp_space_share(OMPP_N_FRAMES * frame_bytes, OMPP_LEAST_FRAMES * frame_bytes,
	                                          1024 * (1 + t->slot / 4)) / frame_bytes);
	t->frames = ompp_space_reserve(t->n_frames * sizeof(*t->frames));
	t->frame_values = n_values ? ompp_space_reserve(3 * t->n_frames * n_values * sizeof(uint64_t)) : NULL;
	t->source_state = state_bytes ? ompp_space_reserve(state_bytes) : NULL;
	if (!t->frames || (n_values && !t->frame_values) || (state_bytes && !t->source_state) ||
	    ompp_callgraph_init(&t->graph, (size_t)ompp_session.options.number[OMPP_OPT_MEM], n_values))
		return -ENOMEM;
	if (n_values) {
		t->task_values = t->frame_values + t->n_frames * n_values;
		t->suspended_values = t->task_values + t->n_frames * n_values;
	}
	t->off_values = ompp_callgraph_alloc(&t->graph, n_values * sizeof(uint64_t));
	t->held_values = ompp_callgraph_alloc(&t->graph, n_values * sizeof(uint64_t));
	return 0;
}

static struct ompp_thread *new_slot(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_relaxed), i;
	struct ompp_thread *t = n < OMPP_MAX_THREADS ? ompp_space_reserve(sizeof(*t)) : NULL;

	if (!t)
		return NULL;
	t->slot = n;
	if (reserve_slot(t)) {
		drop_slot(t);
		return NULL;
	}
	for (i = 0; i < OMPP_WAYS; i++)
		t->ways[i] = &ompp_no_segment;
	if (ompp_metrics.n)
		prefault_slot(t);
	t->max_depth = (uint32_t)ompp_session.options.number[OMPP_OPT_MAX_DEPTH];
	ompp_threads[n] = t;
	atomic_store_explicit(&ompp_n_threads, n + 1, memory_order_release);
	return t;
}

/* A crash by a full stack can be reported only from another one. */
static void give_signal_stack(struct ompp_thread *t)
{
	stack_t have;

	if (ompp_sys_sigaltstack(NULL, &have) || !(have.ss_flags & SS_DISABLE))
		return;
	t->signal_stack_bytes = ompp_space_share(OMPP_SIGNAL_STACK_BYTES, OMPP_LEAST_SIGNAL_STACK_BYTES, 1 << 15);
	t->signal_stack_bytes &= ~(size_t)(SMALLEST_PAGE_BYTES - 1);
	t->signal_stack = ompp_space_reserve(t->signal_stack_bytes);
	have = (stack_t){ .ss_sp = t->signal_stack, .ss_size = t->signal_stack_bytes };
	if (t->signal_stack)
		ompp_sys_sigaltstack(&have, NULL);
}

static void take_signal_stack(struct ompp_thread *t)
{
	stack_t have;

	if (!t->signal_stack)
		return;
	if (!ompp_sys_sigaltstack(NULL, &have) && have.ss_sp == t->signal_stack && !(have.ss_flags & SS_ONSTACK)) {
		have.ss_flags = SS_DISABLE;
		ompp_sys_sigaltstack(&have, NULL);
	}
	ompp_sys_munmap(t->signal_stack, t->signal_stack_bytes);
	t->signal_stack = NULL;
}

/* The thread ends: close what is open and give the slot back. */
static void thread_ends(void *arg)
{
	struct ompp_thread *t = arg;

	if (ompp_self != t)
		return;
	ompp_thread_unwind(t, t->frames, ompp_clock());
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES)
		ompp_access_boundary(t);
	ompp_self = &cold_thread;
	t->tally = NULL;
	ompp_access_tally = &ompp_no_tally;
	ompp_range_end(t->stack_range);
	t->stack_range = 0;
	t->stack_named = 0;
	ompp_breakpoint_stop(&t->breakpoints);
	ompp_sources_thread_stop(t->source_state);
	take_signal_stack(t);
	take_lock();
	t->next_free = free_slots;
	free_slots = t;
	drop_lock();
}

static void first_event(void)
{
	static _Atomic int done;

	if (ompp_session.first_event && !atomic_exchange(&done, 1))
		ompp_session.first_event();
}

void ompp_thread_become_host(struct ompp_thread *t)
{
	/* A slot that is used again keeps its number, but number 1 is the main thread's alone. */
	if (ompp_sys_getpid() == ompp_sys_gettid())
		OMPP_STORE(&t->host, 1);
	else if (t->host <= 1)
		OMPP_STORE(&t->host, atomic_fetch_add_explicit(&n_hosts, 1, memory_order_relaxed) + 1);
	first_event();
	ompp_access_tally = &ompp_no_tally;
	t->frames[0].node = ompp_callgraph_child(&t->graph, t->graph.root, OMPP_KEY(0, OMPP_PART_HOST) | t->host,
	                                         t->max_depth);
	if (!OMPP_LOAD(&ompp_session.max_threads) && omp_get_max_threads)
		OMPP_STORE(&ompp_session.max_threads, (uint32_t)omp_get_max_threads());
	if (omp_get_num_procs && (uint32_t)omp_get_num_procs() > OMPP_LOAD(&ompp_session.n_processors))
		OMPP_STORE(&ompp_session.n_processors, (uint32_t)omp_get_num_procs());
}

/* Makes a slot the calling thread's; NULL when there is none to be had. */
static struct ompp_thread *start_thread(int host)
{
	struct ompp_thread *t;

	take_lock();
	if (!have_end_key)
		have_end_key = ompp_real()->key_create && !ompp_real()->key_create(&end_key, thread_ends);
	t = free_slots;
	if (t)
		free_slots = t->next_free;
	else
		t = new_slot();
	drop_lock();
	if (!t)
		return NULL;
	t->tally = &ompp_access_tally;
	t->team_node = NULL;
	ompp_access_tally = &ompp_no_tally;
	OMPP_STORE(&t->top, t->frames);
	t->base = t->frames;
	t->frames[0] = (struct ompp_frame){ .key = BOTTOM_KEY, .node = t->graph.root, .stack = UINTPTR_MAX };
	OMPP_STORE(&t->limit, t->frames + t->n_frames - 2);
	t->instance = 0;
	t->n_over = 0;
	t->n_switches = 0;
	ompp_jumps_clear(t);
	memset(t->off_values, 0, ompp_metrics.n * sizeof(uint64_t));
	if (host)
		ompp_thread_become_host(t);
	give_signal_stack(t);
	if (have_end_key)
		ompp_real()->setspecific(end_key, t);
	ompp_sources_thread_start(t->source_state);
	ompp_self = t;
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES)
		ompp_access_boundary(t);
	return t;
}

struct ompp_thread *ompp_thread_start(int host)
{
	uint64_t all = UINT64_MAX, before;
	struct ompp_thread *t;

	if (starting || ompp_self != &cold_thread)
		return NULL;
	if (!ompp_session_start())
		return NULL;
	/* A signal handler that came in between would find no thread, and its regions would be lost: it comes after. */
	ompp_sys_sigmask(SIG_SETMASK, &all, &before);
	starting = 1;
	t = start_thread(host);
	if (t)
		starting = 0;
	else
		ompp_note_add(OMPP_NOTE_LOST_THREAD, 1);        /* and the thread stays deaf */
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
	return t;
}

void ompp_threads_after_fork(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	uint64_t now = ompp_clock();
	struct ompp_frame *f;

	atomic_flag_clear(&lock);
	free_slots = NULL;
	for (i = 0; i < n; i++) {
		struct ompp_thread *t = ompp_threads[i];

		ompp_callgraph_clear(&t->graph);
		t->n_left = t->n_stray = t->n_over_total = t->n_negative = t->n_no_handle = t->n_folded = 0;
		memset(&t->sharing, 0, sizeof(t->sharing));
		ompp_breakpoint_after_fork(&t->breakpoints);
		ompp_sources_after_fork(t->source_state, t == ompp_self);
		if (t == ompp_self) {
			ompp_access_tally = &ompp_no_tally;
			for (f = t->frames + 1; f <= t->top; f++) {
				OMPP_STORE(&f->start_ticks, now);
				OMPP_STORE(&f->task_ticks, 0);
				if (ompp_frame_has_once(f) || f->flags & OMPP_FRAME_TASK)
					OMPP_STORE(&f->once_before, 0);     /* or suspended_ticks */
				OMPP_STORE(&f->flags, (f->flags | OMPP_FRAME_INHERITED) &
				           ~(uint32_t)(OMPP_FRAME_TASK_VALUES | OMPP_FRAME_SUSPENDED_VALUES));
				if (ompp_metrics.n)
					ompp_values_enter(t, f);
			}
			continue;
		}
		OMPP_STORE(&t->top, t->frames);
		t->tally = NULL;
		ompp_range_end(t->stack_range);
		t->stack_range = 0;
		t->stack_named = 0;
		t->next_free = free_slots;
		free_slots = t;
	}
}

static uint64_t *at_frame(const struct ompp_thread *t, uint64_t *values, const struct ompp_frame *f)
{
	return values + (size_t)(f - t->frames) * ompp_metrics.n;
}

/* An untied instance may be suspended at any event: then the values there must be known. */
static int is_read(const struct ompp_thread *t, const struct ompp_frame *f)
{
	return f->node->is_read || t->base->flags & OMPP_FRAME_UNTIED;
}

void ompp_values_read(struct ompp_thread *t, uint64_t *values)
{
	uint32_t n_switches = OMPP_LOAD(&ompp_session.n_switches), is_off = n_switches & 1, was_off = t->n_switches & 1;
	size_t i;

	ompp_sources_read(t->source_state, values);
	if (__builtin_expect(!n_switches, 1))
		return;
	for (i = 0; i < ompp_metrics.n; i++) {
		if (is_off && !was_off)
			t->held_values[i] = values[i] - t->off_values[i];
		if (!is_off && was_off)
			t->off_values[i] = values[i] - t->held_values[i];
		values[i] = is_off ? t->held_values[i] : values[i] - t->off_values[i];
	}
	t->n_switches = n_switches;
}

void ompp_values_switch(struct ompp_thread *t)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	uint64_t values[OMPP_MAX_METRICS];

	if (t->limit)
		ompp_values_read(t, values);
	for (i = 0; i < n; i++)
		ompp_note_add(OMPP_NOTE_SWITCHED, ompp_threads[i] != t &&
		                                  OMPP_LOAD(&ompp_threads[i]->top) != ompp_threads[i]->frames);
}

void ompp_values_enter(struct ompp_thread *t, struct ompp_frame *f)
{
	uint64_t *values = at_frame(t, t->frame_values, f);

	if (!is_read(t, f))
		return;
	OMPP_STORE(&values[0], 0);              /* its page is there before page faults are counted */
	OMPP_STORE(&values[ompp_metrics.n - 1], 0);
	ompp_values_read(t, values);
}

/* From the enter to now, less what other instances counted. */
static void add_values(struct ompp_thread *t, const struct ompp_frame *f, const uint64_t *now)
{
	const uint64_t *before = at_frame(t, t->frame_values, f), *tasks = at_frame(t, t->task_values, f);
	size_t i;

	for (i = 0; i < ompp_metrics.n; i++)
		OMPP_ADD(&f->node->values[i], now[i] - before[i] - (f->flags & OMPP_FRAME_TASK_VALUES ? tasks[i] : 0));
}

/* Add to a frame's values of a kind, or set them when they are the first. */
static void gather(struct ompp_frame *f, uint32_t flag, uint64_t *have, const uint64_t *more)
{
	size_t i;

	for (i = 0; i < ompp_metrics.n; i++)
		have[i] = (f->flags & flag ? have[i] : 0) + more[i];
	OMPP_OR(&f->flags, flag);
}

/* What other instances counted inside was not counted by the frame below either; outside of the outermost team, they are
 * not others. */
static void hand_down(struct ompp_thread *t, struct ompp_frame *f)
{
	if (!(f->flags & OMPP_FRAME_TASK_VALUES) || f->flags & OMPP_FRAME_TASK ||
	    (f->flags & OMPP_FRAME_TEAM && t->base == t->frames))
		return;
	gather(f - 1, OMPP_FRAME_TASK_VALUES, at_frame(t, t->task_values, f - 1), at_frame(t, t->task_values, f));
}

/* A task's base ends, or is suspended, at `now`: leave what it counted in place of what it was at its enter. */
static void leave_count(struct ompp_thread *t, const struct ompp_frame *f, const uint64_t *now)
{
	uint64_t *values = at_frame(t, t->frame_values, f);
	size_t i;

	for (i = 0; i < ompp_metrics.n; i++)
		values[i] = now[i] - values[i] - (f->flags & OMPP_FRAME_SUSPENDED_VALUES
		                                  ? at_frame(t, t->suspended_values, f)[i] : 0);
}

void ompp_values_exit(struct ompp_thread *t, struct ompp_frame *f)
{
	uint64_t now[OMPP_MAX_METRICS];

	hand_down(t, f);
	if (!f->node->is_read)
		return;
	ompp_values_read(t, now);
	add_values(t, f, now);
	if (f->flags & OMPP_FRAME_TASK)
		leave_count(t, f, now);
}

void ompp_values_folded(struct ompp_thread *t, struct ompp_frame *f)
{
	uint64_t now[OMPP_MAX_METRICS];

	hand_down(t, f);
	if (!(f->flags & OMPP_FRAME_TASK))
		return;
	ompp_values_read(t, now);
	leave_count(t, f, now);
}

void ompp_values_suspend(struct ompp_thread *t, struct ompp_frame *base)
{
	const uint64_t *now = at_frame(t, t->frame_values, t->top);
	uint64_t *suspended = at_frame(t, t->suspended_values, base);
	const uint64_t *since = at_frame(t, t->task_values, t->top);
	struct ompp_frame *f;
	size_t i;

	for (f = t->top - 1; f >= base; f--)
		if (!(f->flags & OMPP_FRAME_FOLDED) && f->node->is_read)
			add_values(t, f, now);
	/* What ran since it went away was charged to those below already, and is not in `now`. */
	if (t->top->flags & OMPP_FRAME_TASK_VALUES && base->flags & OMPP_FRAME_SUSPENDED_VALUES)
		for (i = 0; i < ompp_metrics.n; i++)
			suspended[i] -= since[i];
	leave_count(t, base, now);
}

void ompp_values_charge(struct ompp_thread *t, struct ompp_frame *under, const struct ompp_frame *f)
{
	gather(under, OMPP_FRAME_TASK_VALUES, at_frame(t, t->task_values, under), at_frame(t, t->frame_values, f));
}

void ompp_values_charge_base(struct ompp_thread *t, struct ompp_frame *base, const struct ompp_frame *f)
{
	gather(base, OMPP_FRAME_SUSPENDED_VALUES, at_frame(t, t->suspended_values, base), at_frame(t, t->frame_values, f));
}

/* Where the same key was visited in the other instances that ran inside, that time is at their nodes.  What this visit itself
 * takes of an instance is known to those below by the head: from its enter to its end, whatever was inside. */
void ompp_frame_time(const struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed)
{
	uint64_t most = f->task_ticks < elapsed ? f->task_ticks : elapsed, inside = 0;
	struct ompp_callnode *node = f->node;

	if (ompp_frame_has_once(f)) {
		inside = node->head->once_ticks - f->once_before;
		if (inside > most)      /* of a signal handler, or an instance that went on in another thread */
			inside = most;
		if (t->base->flags & OMPP_FRAME_TASK && !node->same)
			OMPP_STORE(&node->head->once_ticks, f->once_before + elapsed);
	}
	OMPP_ADD(&node->ticks, elapsed - inside);
	OMPP_ADD(&node->task_ticks, f->task_ticks - inside);
}

/* Off: it counts as any other when a part of it was measured.  Folded: the ancestor's own frame already counts the time.
 * Lost: no one knows where it belongs, but it is shown. */
void ompp_pop_flagged(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed)
{
	if (f->flags & OMPP_FRAME_OFF && !elapsed) {
		if (ompp_metrics.n)
			ompp_values_folded(t, f);
		return;
	}
	if (!(f->flags & OMPP_FRAME_FOLDED)) {
		ompp_frame_count(t, f, elapsed);
		return;
	}
	if (ompp_metrics.n)
		ompp_values_folded(t, f);
	if (f->node == t->graph.lost) {
		OMPP_ADD(&t->graph.n_lost, 1);
		OMPP_ADD(&f->node->n, 1);
		if (f[-1].node != f->node)
			OMPP_ADD(&f->node->ticks, elapsed);
		return;
	}
	OMPP_ADD(&f->node->n_folded, 1);
	OMPP_ADD(&t->n_folded, 1);
}

/* What is open in this thread ended at the latest with the teams that it is in.  A member that was cancelled sees that
 * at its next event, which may be much later. */
static uint64_t ended_until(const struct ompp_thread *t, uint64_t now)
{
	const struct ompp_frame *f;

	for (f = ompp_team_base(t, t->base); f != t->frames; f = ompp_team_base(t, t->frames + f->outer))
		now = ompp_team_until(f->instance, now);
	return now;
}

/* Take off all frames above `to`: they were left without their ends. */
void ompp_thread_unwind(struct ompp_thread *t, struct ompp_frame *to, uint64_t now)
{
	struct ompp_frame *f;
	uint64_t until;
	int is_base, was_off;

	t->n_over = 0;
	if (t->top > t->limit)
		ompp_set_top(t, t->limit);
	ompp_task_drop_moved(t);
	until = ended_until(t, now);
	for (f = t->top; f > to; f = t->top) {
		if (!(f->flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM)))
			OMPP_ADD(&f[-1].task_ticks, f->task_ticks);
		if (f->flags & OMPP_FRAME_TEAM)
			ompp_team_left(t, f, until);
		else if (OMPP_KEY_PART(f->key) == OMPP_PART_FORK)
			ompp_team_free(t, f->team, now);
		is_base = f == t->base;
		if (is_base)
			ompp_thread_leave_base(t);
		was_off = f->flags & OMPP_FRAME_OFF;
		if (ompp_pop(t, f, until) || !was_off)
			OMPP_ADD(&t->n_left, 1);
		ompp_task_drop_moved(t);
		if (is_base)
			until = ended_until(t, now);
	}
}

void ompp_thread_leave_base(struct ompp_thread *t)
{
	t->base = t->frames + t->base->outer;
	t->instance = t->base->flags & OMPP_FRAME_UNTIED ? t->base->instance : 0;
}

/* The innermost frames were left if they belong to functions that have returned (their stack pointers lie below the
 * caller's), or if the same place enters the same region again. */
void ompp_unwind_left(struct ompp_thread *t, uint64_t key, struct ompp_where where)
{
	struct ompp_frame *f;
	stack_t have;

	ompp_task_drop_moved(t);
	f = t->top;
	/* A handler on the signal stack may lie above or below: its events say nothing about the frames. */
	if (!ompp_sys_sigaltstack(NULL, &have) && have.ss_flags & SS_ONSTACK)
		return;
	while (f > t->base && ompp_frame_is_left(f, key, where))
		f--;
	/* A task instance whose function has returned is suspended (untied), or was left as a whole with its frames:
	 * in the first case it may go on elsewhere, so its segment stays. */
	if (f < t->top)
		ompp_thread_unwind(t, f, ompp_clock());
}

/* A region is entered in a place that is new.  Where it is open already, by the same instruction with the same stack, that
 * visit was left, and what is open in it: by a jump that was not seen, say. */
void ompp_unwind_again(struct ompp_thread *t, uint64_t key, struct ompp_where where)
{
	struct ompp_frame *f;

	for (f = t->top; f > t->base && !(f->key == key && ompp_frame_is_left(f, key, where)); f--)
		;
	if (f > t->base)
		ompp_thread_unwind(t, f - 1, ompp_clock());
}

struct ompp_frame *ompp_enter_cold(uint64_t key, struct ompp_where where)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *parent;
	struct ompp_frame *f;

	if (t == &cold_thread) {
		t = ompp_thread_start(1);
		return t ? ompp_enter(key, where) : NULL;
	}
	if (t->n_over && t->limit->stack < where.stack) {     /* the deep frames are gone */
		t->n_over = 0;
		ompp_set_top(t, t->limit);
		ompp_unwind_left(t, key, where);
		return ompp_enter(key, where);
	}
	if (t->top >= t->limit) {
		if (!t->n_over++) {
			f = t->top + 1;
			*f = (struct ompp_frame){ .key = OVER_KEY, .node = t->graph.lost, .stack = UINTPTR_MAX };
			ompp_set_top(t, f);
		}
		OMPP_ADD(&t->n_over_total, 1);
		return NULL;
	}
	if (t->top->stack < where.stack)
		ompp_unwind_left(t, key, where);
	parent = t->top->node;
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, where);
	OMPP_OR(&f->flags, OMPP_FRAME_OFF);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	return f;
}

/* The frame that an exit of `key` means: of the running instance, or of one below it.  Then the instances above were left
 * (cancelled), as no other event can come while they run; or one is suspended, and what it does later is not known to be
 * its own. */
static struct ompp_frame *find_open(struct ompp_thread *t, uint64_t key)
{
	struct ompp_frame *f, *base = t->base;

	for (f = t->top; f > t->frames; f--) {
		if (f == base) {
			if (!(f->flags & OMPP_FRAME_TASK))
				break;
			base = t->frames + base->outer;
		} else if (f->key == key) {
			return f;
		}
	}
	return NULL;
}

void ompp_exit_cold(struct ompp_thread *t, uint64_t key, uint64_t now)
{
	struct ompp_frame *f;

	if (t == &cold_thread)
		return;
	if (t->n_over) {
		if (!--t->n_over)
			ompp_set_top(t, t->top - 1);
		return;
	}
	ompp_task_drop_moved(t);
	f = find_open(t, key);
	if (!f) {
		OMPP_ADD(&t->n_stray, 1);
		return;
	}
	ompp_thread_unwind(t, f, now);
	OMPP_ADD(&f[-1].task_ticks, f->task_ticks);
	ompp_pop(t, f, now);
}
