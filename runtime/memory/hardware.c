/*
 * Hardware: see hardware.h.
 */
#define _GNU_SOURCE
#include "runtime/memory/hardware.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/helper_thread.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/data/object.h"
#include "runtime/host/holder.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/stamp.h"
#include "runtime/memory/sample.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/ended.h"
#include "runtime/ranges/range_block.h"
#include "runtime/sources/source_samples.h"
#include "runtime/terms/mode.h"

enum { MOST_SLEEPS = 10000, HELPER_MS = 10, DEAD = POLLHUP | POLLERR | POLLNVAL };

static struct pollfd *polled;       /* [2 * OMPP_MAX_THREADS], of the helper */
static _Atomic uint32_t has_helper; /* 1 when this process has one */

/* 1 in the process that the rings are of (ompp_space_alive()); NULL when the processor does not sample. */
static int *is_alive;

/* ---- who drains ---- */

/* Makes the calling thread the holder.  Returns 0, or -1 when another one holds it for longer than so many sleeps, or
 * this one does: a signal handler came in the middle. */
static int hardware_hold(struct ompp_hardware *h, int most_sleeps)
{
	return ompp_holder_take(&h->holder, 0, most_sleeps);
}

static void let_go(struct ompp_hardware *h)
{
	ompp_holder_drop(&h->holder);
}

/* ---- draining ---- */

static void hardware_take(void *context, const struct ompp_mem_sample *sample)
{
	struct ompp_thread *t = context;
	const struct ompp_hardware *h = t->hardware;
	const struct ompp_callnode *node;
	uint64_t stamp = ompp_stamp_is_counter ? ompp_stamp_of(&h->scale, sample->time_ns) : sample->time_ns;
	uint32_t cover;

	if (ompp_loaded_is_own((uintptr_t)sample->ip) || (sample->time_ns && ompp_recent_was_off(stamp)))
		return;
	node = sample->time_ns ? ompp_recent_node(&h->recent, stamp, ompp_thread_node(t)) : NULL;
	cover = node ? ompp_ended_cover((uintptr_t)sample->address, stamp) : OMPP_ENDED_UNKNOWN;
	if (cover == OMPP_OBJECT_OTHER && ompp_range_least_block) /* it may be a small block */
		cover = ompp_range_block_covered((uintptr_t)sample->address, stamp);
	if (cover == OMPP_ENDED_UNKNOWN)
		ompp_note_add(OMPP_NOTE_LATE_SAMPLE, 1);
	else
		ompp_sample_take(t, node, cover, sample);
}

/* Adds to the notes what was lost since the last drain. */
static void note_losses(struct ompp_hardware *h)
{
	const struct ompp_sampler_counts *now = &h->sampler.counts, *before = &h->noted;

	ompp_note_add(OMPP_NOTE_DROPPED_SAMPLE, now->n_lost - before->n_lost);
	ompp_note_add(OMPP_NOTE_THROTTLED, now->n_throttled - before->n_throttled);
	ompp_note_add(OMPP_NOTE_BAD_SAMPLE, now->n_undecodable - before->n_undecodable);
	ompp_note_add(OMPP_NOTE_CUT_SAMPLE, now->n_truncated - before->n_truncated);
	h->noted = *now;
}

/* By the holder. */
static void hardware_drain(struct ompp_thread *t)
{
	struct ompp_hardware *h = t->hardware;

	ompp_assert(h->holder && h->is_open);
	if (ompp_stamp_is_counter)
		ompp_sampler_scale(&h->sampler, &h->scale);
	ompp_sampler_drain(&h->sampler, hardware_take, t);
	note_losses(h);
}

/* Returns 0, or -1 when another reader does not end. */
static int drain_unless_held(struct ompp_thread *t, int most_sleeps)
{
	struct ompp_hardware *h = t->hardware;

	if (!*is_alive)
		return 0;
	if (hardware_hold(h, most_sleeps))
		return -1;
	if (h->is_open)
		hardware_drain(t);
	let_go(h);
	return 0;
}

uint32_t ompp_hardware_drain(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), n_left = 0, i;

	for (i = 0; i < n; i++)
		if (__atomic_load_n(&ompp_threads[i]->hardware, __ATOMIC_ACQUIRE))
			n_left += drain_unless_held(ompp_threads[i], MOST_SLEEPS) != 0;
	return n_left;
}

static int is_over_a_quarter(const struct ompp_hardware *h)
{
	return ompp_ring_filled(&h->sampler.ring) > h->sampler.ring.n_bytes / 4;
}

void ompp_hardware_boundary(struct ompp_thread *t)
{
	struct ompp_hardware *h = t->hardware;

	if (!h)
		return;
	ompp_recent_end(&h->recent, ompp_thread_node(t), ompp_stamp());
	if (!h->is_open || __builtin_expect(!*is_alive, 0))
		return;
	if (h->recent.n - h->n_drained >= OMPP_RECENT_CHANGES / 2) { /* before the changes are forgotten */
		if (!ompp_ring_filled(&h->sampler.ring) || !drain_unless_held(t, 0))
			h->n_drained = h->recent.n; /* else the next boundary tries again */
	} else if (is_over_a_quarter(h)) {
		drain_unless_held(t, 0);
	}
}

/* ---- the helper ---- */

/* Collects what to wait for.  Returns how many. */
static uint32_t list_rings(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i, n_polled = 0;

	for (i = 0; i < n; i++) {
		const struct ompp_hardware *h = __atomic_load_n(&ompp_threads[i]->hardware, __ATOMIC_ACQUIRE);

		if (h && OMPP_LOAD(&h->is_open) && !h->is_hung)
			polled[n_polled++] = (struct pollfd){ .fd = OMPP_LOAD(&h->sampler.ring_fd), .events = POLLIN };
	}
	return n_polled + ompp_touches_list(polled + n_polled);
}

/* Returns 1 when poll(2) has said that the event of a ring ended without us. */
static int is_dead(int fd, uint32_t n_polled)
{
	for (uint32_t i = 0; i < n_polled; i++)
		if (polled[i].fd == fd)
			return (polled[i].revents & DEAD) != 0;
	return 0;
}

/* Drains the rings that have filled up. */
static void drain_full(uint32_t n_polled)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), n_dead = 0, i;

	for (i = 0; i < n_polled; i++)
		n_dead += (polled[i].revents & DEAD) != 0;

	for (i = 0; i < n; i++) {
		struct ompp_thread *t = ompp_threads[i];
		struct ompp_hardware *h = __atomic_load_n(&t->hardware, __ATOMIC_ACQUIRE);

		if (!h || hardware_hold(h, 0))
			continue;
		if (h->is_open && is_over_a_quarter(h))
			hardware_drain(t);
		if (n_dead && h->is_open && is_dead(h->sampler.ring_fd, n_polled))
			h->is_hung = 1;
		let_go(h);
	}
}

static void hardware_help(void)
{
	while (!ompp_helper_thread_is_over()) {
		uint32_t n = list_rings();

		ompp_sys_poll(polled, n, HELPER_MS);
		drain_full(n);
		ompp_touches_drain_full(polled, n);
		ompp_helper_thread_look();
	}
	ompp_helper_thread_exit();
}

void ompp_hardware_help(void)
{
	if (atomic_exchange(&has_helper, 1))
		return;
	if (!polled)
		polled = ompp_data_alloc(2 * OMPP_MAX_THREADS * sizeof(*polled));
	if (!polled || ompp_helper_thread(hardware_help))
		ompp_note_say_once("Samples of long regions may be lost: no thread could be started that takes them",
		                   60);
}

/* ---- begin and end ---- */

void ompp_hardware_start(void)
{
	if (!ompp_samples_on())
		return;
	ompp_loaded_start();
	is_alive = ompp_space_alive();
	if (!is_alive) {
		ompp_note_say("OMPP_SAMPLE: no memory for samples; memory accesses are not sampled");
		return;
	}
	if (ompp_ended_start())
		ompp_note_say(
			"OMPP_SAMPLE: no memory for notes of ended ranges; samples of memory that was freed go to "
			"what is there now");
	ompp_mode_set(OMPP_MODE_SAMPLES);
}

void ompp_hardware_open(struct ompp_thread *t)
{
	struct ompp_hardware *h = t->hardware;

	if (!is_alive || !*is_alive)
		return;
	if (!t->stack_named)
		ompp_thread_name_stack(t);
	if (!h)
		h = ompp_data_alloc(sizeof(*h));
	if (!h)
		return;
	__atomic_store_n(&t->hardware, h, __ATOMIC_RELEASE);
	if (hardware_hold(h, MOST_SLEEPS))
		return;
	h->noted = (struct ompp_sampler_counts){ 0 };
	h->is_hung = 0;
	h->n_drained = h->recent.n;
	OMPP_STORE(&h->is_open, !ompp_samples_open(&h->sampler, t->slot));
	let_go(h);
	if (h->is_open)
		ompp_hardware_help();
}

void ompp_hardware_close(struct ompp_thread *t)
{
	struct ompp_hardware *h = t->hardware;

	if (!h || !h->is_open || !*is_alive || hardware_hold(h, MOST_SLEEPS))
		return;
	ompp_sampler_disable(&h->sampler);
	hardware_drain(t);
	OMPP_STORE(&h->is_open, 0);
	ompp_sampler_close(&h->sampler);
	let_go(h);
}

void ompp_hardware_after_fork(struct ompp_thread *t)
{
	struct ompp_hardware *h = t->hardware;

	atomic_store(&has_helper, 0);
	if (!h)
		return;
	*is_alive = 0; /* until all threads have begun anew */
	h->holder = 0;
	if (h->is_open)
		ompp_sampler_after_fork(&h->sampler);
	h->is_open = 0;
}

void ompp_hardware_restart(struct ompp_thread *t)
{
	if (!is_alive)
		return;
	*is_alive = 1;
	if (t->limit)
		ompp_hardware_open(t);
}
