/*
 * Thread: see thread.h.
 */
#include "runtime/core/thread.h"

static void thread_nothing(struct ompp_thread *t)
{
	(void)t;
}

static struct ompp_frame cold_frame = { .key = OMPP_BOTTOM_KEY, .stack = UINTPTR_MAX };
struct ompp_hot_look ompp_hot_nothing;
struct ompp_thread ompp_cold_thread = { .top = &cold_frame,
	                                .frames = &cold_frame,
	                                .base = &cold_frame,
	                                .look = &ompp_hot_nothing,
	                                .slice_end_ticks = UINT64_MAX };

__thread struct ompp_thread *ompp_self __attribute__((tls_model("initial-exec"))) = &ompp_cold_thread;

struct ompp_thread *ompp_threads[OMPP_MAX_THREADS];
_Atomic uint32_t ompp_n_threads;
void (*ompp_thread_boundary)(struct ompp_thread *t) = thread_nothing;
void (*ompp_thread_entered)(struct ompp_thread *t) = thread_nothing;
void (*ompp_trace_boundary)(struct ompp_thread *t) = thread_nothing;

void ompp_thread_leave_base(struct ompp_thread *t)
{
	OMPP_STORE(&t->base, t->frames + t->base->outer);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
