/*
 * Hot: see hot.h.
 */
#define _GNU_SOURCE
#include "runtime/core/hot.h"

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/session.h"
#include "runtime/data/object.h"
#include "runtime/host/clock.h"
#include "runtime/host/loaded.h"
#include "runtime/host/past.h"
#include "runtime/samples/sample_record.h"
#include "runtime/sources/source_hot.h"

/* A context switch of a sampled thread takes SWITCH_NS longer: measured in a virtual machine, where setting a timer
 * traps. Sampling may take a hundredth of the time that way, and PATIENCE_NS more; it is looked at after some switches.
 */
enum { SWITCH_NS = 4000, PATIENCE_NS = 5000000, SWITCHES = 256, MOST_SLEEPS = 1000, SLEEP_NS = 20000 };
enum { SHORT_RECORD_BYTES = 256, FULL_BYTES = 64 };

static struct ompp_hot_look always = { 0, 1 }; /* always has something new */

/* The main thread's, until its first event. */
static struct ompp_hot early;

/* ---- who works ---- */

static int hot_try(struct ompp_hot *h)
{
	return __atomic_exchange_n(&h->is_held, 1, __ATOMIC_ACQUIRE) ? -1 : 0;
}

/* Waits for a while.  A thread that was interrupted by the handler that calls this does not let go. */
static int hot_hold(struct ompp_hot *h)
{
	for (int i = 0; i < MOST_SLEEPS; i++) {
		if (!hot_try(h))
			return 0;
		ompp_sys_sleep(SLEEP_NS);
	}
	return -1;
}

static void hot_let_go(struct ompp_hot *h)
{
	__atomic_store_n(&h->is_held, 0, __ATOMIC_RELEASE);
}

/* ---- sums ---- */

static struct ompp_hot_sum *hot_slot(struct ompp_hot_sum *sums, uint32_t n_slots, const struct ompp_callnode *node,
                                     uint64_t ip)
{
	uint64_t h = ((uint64_t)(uintptr_t)node >> 4 ^ ip << 16 ^ ip) * 0x9E3779B97F4A7C15u;
	uint32_t at = (uint32_t)(h >> 32);

	for (;; at++) {
		struct ompp_hot_sum *s = &sums[at & (n_slots - 1)];

		if (!s->node || (s->node == node && s->ip == ip))
			return s;
	}
}

/* Gets the pages of fresh memory without page faults of this thread, which may be counted for the region
 * (MADV_POPULATE_WRITE, since Linux 5.14). */
static void hot_populate(void *at, size_t n_bytes)
{
	enum { POPULATE_WRITE = 23 };

	ompp_sys_madvise(at, (n_bytes + ompp_page_bytes() - 1) & ~(ompp_page_bytes() - 1), POPULATE_WRITE);
}

/* Makes room for one more sum.  Returns 0 or -1. */
static int make_room(struct ompp_hot *h)
{
	uint32_t n_slots = 2 * h->n_slots;
	struct ompp_hot_sum *fresh;

	if (!h->n_slots) {
		h->sums = h->first;
		h->n_slots = OMPP_HOT_FIRST_SLOTS;
	}
	if (h->n_used < h->n_slots / 4 * 3)
		return 0;
	fresh = ompp_space_reserve(n_slots * sizeof(*fresh));
	if (!fresh)
		return -1;
	hot_populate(fresh, n_slots * sizeof(*fresh));
	for (uint32_t i = 0; i < h->n_slots; i++)
		if (h->sums[i].node)
			*hot_slot(fresh, n_slots, h->sums[i].node, h->sums[i].ip) = h->sums[i];
	if (h->sums != h->first)
		ompp_sys_munmap(h->sums, h->n_slots * sizeof(*h->sums));
	h->sums = fresh;
	h->n_slots = n_slots;
	return 0;
}

static void hot_add(struct ompp_hot *h, const struct ompp_callnode *node, uint64_t ip, uint64_t n)
{
	struct ompp_hot_sum *s;

	if (!n) /* all that the kernel lost were switches */
		return;
	if (make_room(h)) {
		h->n_lost += n;
		return;
	}
	s = hot_slot(h->sums, h->n_slots, node, ip);
	h->n_used += !s->node;
	s->node = node;
	s->ip = ip;
	s->n += n;
}

/* ---- taking ---- */

static void take_record(struct ompp_hot *h, const struct perf_event_header *record, const struct ompp_callnode *node)
{
	uint64_t ip, n_lost;

	if (record->type == PERF_RECORD_SAMPLE && record->size >= sizeof(*record) + sizeof(ip)) {
		memcpy(&ip, record + 1, sizeof(ip));
		if (ip)
			hot_add(h, node,
			        ompp_loaded_is_own((uintptr_t)ip) ? OMPP_HOT_OWN : ompp_past_key((uintptr_t)ip), 1);
	} else if (record->type == PERF_RECORD_SWITCH) {
		h->n_switches += (record->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	} else if (record->type == PERF_RECORD_LOST) { /* of the node in which the ring was full, not of this one */
		n_lost = ompp_record_lost(record, record->size);
		if (h->full_records) /* others of them told switches */
			n_lost = n_lost * h->full_samples / h->full_records;
		hot_add(h, h->full_in ? h->full_in : node, 0, n_lost);
		h->n_lost += n_lost;
	}
}

/* Takes what is in the ring for a node.  By the holder. */
static void hot_drain(struct ompp_hot *h, const struct ompp_callnode *node)
{
	uint64_t whole[SHORT_RECORD_BYTES / sizeof(uint64_t)];
	const struct perf_event_header *record;
	int is_bad = 0, is_off = OMPP_LOAD(&ompp_session.off) == OMPP_IS_OFF, is_full;
	uint64_t n_records = 0, n_samples = 0;

	ompp_ring_begin(&h->ring);
	is_full = h->ring.head - h->ring.at + FULL_BYTES > h->ring.n_bytes;
	while ((record = ompp_ring_next_of(&h->ring, whole, sizeof(whole), &is_bad))) {
		n_records++;
		n_samples += record->type == PERF_RECORD_SAMPLE;
		if (!is_off || record->type == PERF_RECORD_SWITCH)
			take_record(h, record, node);
	}
	ompp_ring_release(&h->ring);
	if (is_full) { /* the records that were lost meanwhile are told by one of the next */
		h->full_in = node;
		h->full_records = n_records;
		h->full_samples = n_samples;
	}
}

/* Returns the innermost node, but not that of a team that has ended: there team members wait for the next one. */
static const struct ompp_callnode *hot_node(const struct ompp_thread *t)
{
	return OMPP_LOAD(&OMPP_LOAD(&t->top)->node);
}

static void hot_close(struct ompp_thread *t)
{
	/* an event that this handler has interrupted may have found the look already */
	OMPP_STORE(&t->look, &ompp_hot_nothing);
	OMPP_STORE(&t->hot->look->distance, 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ompp_ring_unmap(&t->hot->ring);
	t->hot->is_open = 0;
}

static int is_too_dear(struct ompp_hot *h)
{
	if (h->n_switches < h->look_at)
		return 0;
	h->look_at = h->n_switches + SWITCHES;
	return h->n_switches * SWITCH_NS > PATIENCE_NS + (ompp_clock_monotonic_ns() - h->begun_ns) / 100;
}

void ompp_hot_take(struct ompp_thread *t)
{
	struct ompp_hot *h = t->hot;

	if (t->look == &always) {
		ompp_hot_begin(t);
		return;
	}
	if (hot_try(h))
		return; /* a report takes them, or this is a handler inside of the following */
	OMPP_STORE(&h->look->taken, ompp_hot_count(h->look));
	hot_drain(h, hot_node(t));
	if (is_too_dear(h)) {
		h->is_stopped = 1;
		hot_close(t);
	}
	hot_let_go(h);
}

/* Takes the samples of another thread, which may be running: those that come while it goes to its next node, some
 * nanoseconds, may be taken for the one before. */
static void take_of(struct ompp_thread *t)
{
	struct ompp_hot *h = __atomic_load_n(&t->hot, __ATOMIC_ACQUIRE);

	if (!h || hot_hold(h))
		return;
	if (h->is_open && OMPP_LOAD(&h->look->distance))
		hot_drain(h, hot_node(t));
	hot_let_go(h);
}

void ompp_hot_take_all(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

	for (uint32_t i = 0; i < n && ompp_hot_period_ns; i++)
		take_of(ompp_threads[i]);
}

void ompp_hot_each(struct ompp_thread *t, void (*each)(void *context, const struct ompp_hot_sum *sum), void *context)
{
	struct ompp_hot *h = __atomic_load_n(&t->hot, __ATOMIC_ACQUIRE);

	if (!h || hot_hold(h))
		return;
	for (uint32_t i = 0; i < h->n_slots; i++)
		if (h->sums[i].node)
			each(context, &h->sums[i]);
	hot_let_go(h);
}

/* ---- begin and end ---- */

enum { LOOKS = 256 }; /* in a page of 4 KiB */

/* Returns the look of a slot, in a page that forked children find wiped; NULL without memory.  By its thread. */
static struct ompp_hot_look *new_look(uint32_t slot)
{
	static void *pages[OMPP_MAX_THREADS / LOOKS + 1];
	size_t n_bytes = LOOKS * sizeof(struct ompp_hot_look);
	struct ompp_hot_look *looks = ompp_space_table(&pages[slot / LOOKS], n_bytes);

	if (looks) /* again for each thread: the same */
		ompp_sys_madvise(looks, (n_bytes + ompp_page_bytes() - 1) & ~(ompp_page_bytes() - 1), MADV_WIPEONFORK);
	return looks ? &looks[slot % LOOKS] : NULL;
}

/* Opens the calling thread's ring.  By the holder. */
static void hot_open(struct ompp_hot *h, uint32_t slot)
{
	h->look = new_look(slot);
	h->period_ns = h->look ? ompp_hot_open(&h->ring, slot % OMPP_MAX_THREADS) : 0;
	if (!h->period_ns)
		return;
	h->begun_ns = ompp_clock_monotonic_ns();
	h->n_switches = 0;
	h->look_at = SWITCHES;
	h->look->taken = 0;
	OMPP_STORE(&h->look->distance, (uintptr_t)&h->ring.page->data_head - (uintptr_t)h->look);
	h->is_open = 1;
}

/* Takes over what was opened early.  Returns 0 when there is nothing. */
static int take_over(struct ompp_hot *h)
{
	if (!early.is_open || ompp_sys_getpid() != ompp_sys_gettid() || !early.look->distance)
		return 0;
	h->look = early.look;
	h->ring = early.ring;
	h->period_ns = early.period_ns;
	h->begun_ns = early.begun_ns;
	h->n_switches = 0;
	h->look_at = SWITCHES;
	h->is_open = 1;
	early.is_open = 0;
	return 1;
}

void ompp_hot_begin_early(void)
{
	if (ompp_hot_period_ns && ompp_sys_getpid() == ompp_sys_gettid())
		hot_open(&early, OMPP_MAX_THREADS);
}

void ompp_hot_begin(struct ompp_thread *t)
{
	struct ompp_hot *h = t->hot;

	OMPP_STORE(&t->look, &ompp_hot_nothing);
	if (!h && ompp_hot_period_ns)
		h = ompp_data_alloc(sizeof(*h));
	if (!h || !ompp_hot_period_ns)
		return;
	__atomic_store_n(&t->hot, h, __ATOMIC_RELEASE);
	if (hot_hold(h))
		return;
	if (!take_over(h))
		hot_open(h, t->slot);
	make_room(h);
	hot_let_go(h);
	if (!h->is_open)
		return;
	OMPP_STORE(&t->look, h->look);
	/* what came before the first event; and so this code has its page faults here, and not in a region */
	ompp_hot_take(t);
}

void ompp_hot_end(struct ompp_thread *t)
{
	struct ompp_hot *h = t->hot;

	OMPP_STORE(&t->look, &ompp_hot_nothing);
	if (!h || !h->is_open || hot_hold(h))
		return;
	if (OMPP_LOAD(&h->look->distance)) { /* it is not in a child that was forked without our handlers */
		hot_drain(h, hot_node(t));
		hot_close(t);
	}
	hot_let_go(h);
}

void ompp_hot_after_fork(struct ompp_thread *t)
{
	struct ompp_hot *h = t->hot;

	OMPP_STORE(&t->look, &ompp_hot_nothing);
	if (!h)
		return;
	h->is_held = 0;
	h->is_open = h->is_stopped = 0;
	h->ring.page = NULL; /* it is not mapped here */
	h->n_lost = 0;
	h->full_in = NULL;
	h->n_used = 0;
	if (h->sums)
		memset(h->sums, 0, h->n_slots * sizeof(*h->sums));
}

/* Most children call exec at once, or have no event: a ring is opened at the first one, which finds a sample. */
void ompp_hot_restart(struct ompp_thread *t)
{
	early.is_open = 0;
	if (t->limit && ompp_hot_period_ns)
		OMPP_STORE(&t->look, &always);
}
