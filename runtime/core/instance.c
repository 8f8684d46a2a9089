/*
 * Instance: see instance.h.
 */
#include "runtime/core/instance.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/values.h"
#include "runtime/sources/source.h"

/* The flags of frames that are the same where the instance goes on. */
#define KEPT_FLAGS (OMPP_FRAME_TASK | OMPP_FRAME_UNTIED | OMPP_FRAME_OFF | OMPP_FRAME_INHERITED | OMPP_FRAME_COUNTED)

/* In a record's token: the instance was taken off its thread, which counted its visits, before it went on elsewhere. */
#define COUNTED ((uint64_t)1 << 63)

enum { PAGE = 1024, MAX_PAGES = 1024, INDEX_BITS = 20, FIRST_PARTS = 6 };

/* Written by the thread that runs the instance; the token is read by the threads in which it ran before. */
struct ompp_instance {
	_Atomic uint64_t token;      /* of its newest segment */
	struct ompp_span_task *path; /* its part of the longest path, while it is suspended; or NULL */
	uint32_t n, room;
	struct ompp_instance_part *parts;
	struct ompp_instance *next_free;
};

/* All records that were ever made, by index; they are reused.  Threads add to them with compare-and-swap. */
static struct ompp_instance *_Atomic *_Atomic pages[MAX_PAGES];
static _Atomic uint32_t n_instances;

/* Returns the record of a token, which may be any number. */
static struct ompp_instance *record_of(uint64_t token)
{
	uint32_t index = (uint32_t)(token & ((1u << INDEX_BITS) - 1));
	struct ompp_instance *_Atomic *page;

	if (!token || index >= atomic_load_explicit(&n_instances, memory_order_acquire))
		return NULL;
	page = atomic_load_explicit(&pages[index / PAGE], memory_order_acquire);
	return page ? atomic_load_explicit(&page[index % PAGE], memory_order_acquire) : NULL;
}

static struct ompp_instance *_Atomic *page_of(struct ompp_thread *t, uint32_t index)
{
	struct ompp_instance *_Atomic *page = atomic_load_explicit(&pages[index / PAGE], memory_order_acquire);
	struct ompp_instance *_Atomic *none = NULL;

	if (page)
		return page;
	page = ompp_callgraph_alloc(&t->graph, PAGE * sizeof(*page));
	if (page && !atomic_compare_exchange_strong_explicit(&pages[index / PAGE], &none, page, memory_order_acq_rel,
	                                                     memory_order_acquire))
		page = none;
	return page;
}

/* Takes the next number of a record, whose page is there by then: a number that has no record would be lost.  Returns
 * the place of the record, or NULL without memory. */
static struct ompp_instance *_Atomic *take_index(struct ompp_thread *t, uint32_t *index)
{
	uint32_t next = atomic_load_explicit(&n_instances, memory_order_acquire);
	struct ompp_instance *_Atomic *page;

	do {
		page = next < (uint32_t)PAGE * MAX_PAGES ? page_of(t, next) : NULL;
		if (!page)
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(&n_instances, &next, next + 1, memory_order_acq_rel,
	                                                memory_order_acquire));
	ompp_assert(!atomic_load_explicit(&page[next % PAGE], memory_order_relaxed));
	*index = next;
	return &page[next % PAGE];
}

static struct ompp_instance *new_record(struct ompp_thread *t)
{
	size_t n_bytes = sizeof(struct ompp_instance) + FIRST_PARTS * sizeof(struct ompp_instance_part);
	struct ompp_instance *record = t->spare_instance;
	struct ompp_instance *_Atomic *place;
	uint32_t index;

	if (!record)
		record = ompp_callgraph_alloc(&t->graph, n_bytes);
	place = record ? take_index(t, &index) : NULL;
	t->spare_instance = place ? NULL : record;
	if (!place)
		return NULL;
	record->room = FIRST_PARTS;
	record->parts = (struct ompp_instance_part *)(void *)(record + 1);
	atomic_store_explicit(&record->token, index, memory_order_relaxed);
	atomic_store_explicit(place, record, memory_order_release);
	return record;
}

/* Gives the record its next token, so that segments with the one before have moved. */
static uint64_t next_token(struct ompp_instance *record)
{
	uint64_t token = (atomic_load_explicit(&record->token, memory_order_relaxed) + (1u << INDEX_BITS)) & ~COUNTED;

	atomic_store_explicit(&record->token, token, memory_order_release);
	return token;
}

uint64_t ompp_instance_new(struct ompp_thread *t)
{
	struct ompp_instance *record = t->free_instances;

	if (record)
		t->free_instances = record->next_free;
	else
		record = new_record(t);
	if (!record) {
		OMPP_ADD(&t->graph.n_lost, 1);
		return 0;
	}
	OMPP_STORE(&record->n, 0);
	OMPP_STORE(&record->path, NULL);
	return next_token(record);
}

void ompp_instance_free(struct ompp_thread *t, uint64_t token)
{
	struct ompp_instance *record = record_of(token);

	if (!record || (atomic_load_explicit(&record->token, memory_order_relaxed) & ~COUNTED) != token)
		return;
	next_token(record);
	record->next_free = t->free_instances;
	t->free_instances = record;
}

int ompp_instance_is_moved(const struct ompp_frame *base)
{
	uint64_t token = OMPP_LOAD(&base->instance);
	const struct ompp_instance *record = record_of(token);

	return record && (atomic_load_explicit(&record->token, memory_order_acquire) & ~COUNTED) != token;
}

/* Makes room for n parts.  The old ones stay where they are, as the memory of threads is never freed. */
static int make_room(struct ompp_thread *t, struct ompp_instance *record, uint32_t n)
{
	uint32_t room = record->room;
	struct ompp_instance_part *parts;

	if (n <= room)
		return 1;
	while (room < n)
		room *= 2;
	parts = ompp_callgraph_alloc(&t->graph, room * sizeof(*parts));
	if (!parts)
		return 0;
	record->parts = parts;
	record->room = room;
	return 1;
}

/* Returns 1 when the running instance is on the longest path. */
static int is_on_path(const struct ompp_thread *t)
{
	return ompp_frame_is_on_path() && t->span && !(t->base->flags & OMPP_FRAME_OFF_PATH);
}

void ompp_instance_note(struct ompp_thread *t)
{
	struct ompp_instance *record = record_of(ompp_thread_instance(t));
	const struct ompp_frame *top = t->top < t->limit ? t->top : t->limit, *base = t->base;
	uint32_t n = (uint32_t)(top - base) + 1, i;

	if (!record || !make_room(t, record, n))
		return;
	ompp_assert(top >= base && base > t->frames && n <= record->room);
	for (i = 0; i < n; i++) {
		record->parts[i].key = base[i].key;
		record->parts[i].flags = base[i].flags & KEPT_FLAGS;
	}
	OMPP_STORE(&record->path, is_on_path(t) ? *t->span->at : NULL);
	OMPP_STORE(&record->n, n);
}

const struct ompp_instance_part *ompp_instance_take(uint64_t token, uint32_t *n, uint64_t *new_token)
{
	struct ompp_instance *record = record_of(token);
	uint64_t now;

	if (!record || !OMPP_LOAD(&record->n)) /* a wrong program may resume what another thread is at */
		return NULL;
	now = atomic_load_explicit(&record->token, memory_order_relaxed);
	*new_token = token + (1u << INDEX_BITS);
	do
		if ((now & ~COUNTED) != token)
			return NULL;
	while (!atomic_compare_exchange_weak_explicit(&record->token, &now, *new_token, memory_order_acq_rel,
	                                              memory_order_relaxed));
	*n = OMPP_LOAD(&record->n);
	for (uint32_t i = 0; now & COUNTED && i < *n; i++)
		record->parts[i].flags |= OMPP_FRAME_COUNTED;
	return record->parts;
}

struct ompp_span_task *ompp_instance_path(uint64_t token)
{
	struct ompp_instance *record = record_of(token);

	return record ? OMPP_LOAD(&record->path) : NULL;
}

/* Says that the visits of a suspended instance are counted by this thread.  Returns 0 when it went on elsewhere, where
 * those that its record has are counted. */
static int mark_counted(const struct ompp_frame *base, struct ompp_instance *record)
{
	uint64_t token = base->instance;

	return atomic_compare_exchange_strong_explicit(&record->token, &token, base->instance | COUNTED,
	                                               memory_order_acq_rel, memory_order_relaxed) ||
	       token == (base->instance | COUNTED);
}

/* Below f are the instance that f's instance interrupted, and above that one any suspended untied instances: their
 * functions have returned, so their stack does not lie above f's.  Each of them remembers what it saw of f's instance,
 * so that its own end does not charge it again. */
void ompp_instance_charge(struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed)
{
	struct ompp_frame *base = t->frames + f->outer, *under = t->frames + (f - t->frames) - 1;

	for (;; under = base - 1, base = t->frames + base->outer) {
		ompp_assert(base <= under && t->frames + base->outer <= base);
		OMPP_ADD(&under->task_ticks, elapsed);
		OMPP_ADD(&under->node->n_tasks, 1);
		if (ompp_metrics.n)
			ompp_values_charge(t, under, f);
		if (!(base->flags & OMPP_FRAME_UNTIED) || under->stack > f->stack)
			return;
		OMPP_ADD(&base->suspended_ticks, elapsed);
		if (ompp_metrics.n)
			ompp_values_charge_base(t, base, f);
	}
}

/* Counts the visits of an instance that has not gone on elsewhere so far: it may never do so.  Where it went on, they
 * are counted. */
static void count_visits(struct ompp_thread *t)
{
	struct ompp_frame *base = t->base;
	struct ompp_instance *record = record_of(base->instance);
	uint32_t n_open = (uint32_t)(t->top - base) + 1;

	if (!record || ompp_instance_is_moved(base))
		return;
	if (record->n > n_open)
		record->n = n_open; /* what was closed since is not open where it goes on */
	if (mark_counted(base, record))
		for (struct ompp_frame *f = base; f <= t->top; f++)
			ompp_frame_visit(t, f);
}

/* Hands the time of the instances that ran in a segment down to its base, and counts its parts up to the event at which
 * it went away.  That event opened the top frame, which does not count: it counts where the instance goes on. */
static void count_parts(struct ompp_thread *t)
{
	struct ompp_frame *base = t->base, *top = t->top, *f;
	uint64_t suspended = top->start_ticks;

	for (f = top - 1; f >= base; f--) {
		if (!(f->flags & OMPP_FRAME_FOLDED) && (int64_t)(suspended - f->start_ticks) > 0)
			ompp_frame_time(t, f, suspended - f->start_ticks);
		if (f > base)
			OMPP_ADD(&f[-1].task_ticks, f->task_ticks);
	}
	if (ompp_metrics.n)
		ompp_values_suspend(t, base);
}

/* What ran since the suspension may lie above the segment although the scheduler ran it: a task with a larger frame
 * than this one's looks as if this one had called it, and one that this one's own waiting ran did not return before
 * the suspension either.  Those below were not charged for such tasks yet, and are now. */
void ompp_instance_drop(struct ompp_thread *t)
{
	struct ompp_frame *base = t->base, *top = t->top;
	uint64_t ran = top->start_ticks - base->start_ticks + top->task_ticks - base->suspended_ticks;
	struct ompp_span *s;

	ompp_assert(base->flags & OMPP_FRAME_UNTIED);
	ompp_frames_check(t);
	count_visits(t);
	count_parts(t);
	ompp_thread_leave_base(t);
	ompp_frame_leave_top(t);
	s = ompp_frame_take_span_of(t, base);
	if (s) {
		ompp_span_suspend(s);
		ompp_frame_show_span(t, s);
	}
	if ((int64_t)ran > 0)
		ompp_instance_charge(t, base, ran);
	ompp_frame_show(t, base - 1);
}

/* Returns 1 in a handler that interrupts the end of an instance or of a part of a team: its frame is above the base. */
static int is_ending(const struct ompp_thread *t)
{
	const struct ompp_frame *f = t->top;

	while (f > t->base && !(f->flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM)))
		f--;
	return f > t->base;
}

void ompp_instance_drop_moved(struct ompp_thread *t)
{
	while (__builtin_expect(t->base->flags & OMPP_FRAME_UNTIED, 0) && ompp_instance_is_moved(t->base) &&
	       !is_ending(t))
		ompp_instance_drop(t);
}
