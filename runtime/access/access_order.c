/*
 * Access, order: counts loops whose accesses are known before they run, for the cache model.
 *
 * The model gets the first-level lines that the loop accesses, in order.  An iteration is simulated when one of its
 * accesses gets to a new line: that access is made, and the others whose line is not the one used last in its set.  All
 * accesses of the following iterations, up to the next such one, hit, and leave each set as the first of them did, as
 * long as all lines of the accesses are in the first level together: so the model can skip them.
 */
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_interchange.h"
#include "runtime/access/access_model.h"
#include "runtime/access/access_repeat.h"
#include "runtime/access/access_reuse.h"
#include "runtime/core/thread.h"
#include "runtime/data/front.h"
#include "runtime/data/object.h"
#include "runtime/data/order.h"
#include "runtime/data/page.h"

enum { MOST_ACCESSES = 32, MOST_LINE_BYTES = 256, RECIPROCAL_BITS = 16 };
_Static_assert((int)MOST_ACCESSES <= (int)OMPP_REUSE_MOST_WALKS, "reuse takes each loop that the model takes");

/* One access of the loop. */
struct access_order_walk {
	uintptr_t base; /* of iteration 0 */
	size_t step, n, n_bytes;
	uint32_t size, slot;
	uint32_t index; /* in the list */

	/* It stays in a line for least + room * reciprocal / 2^16 iterations.  The room is to the end of the line that
	 * it goes to: (offset ^ turn) + most. */
	size_t least, turn, most;
	uint32_t reciprocal; /* 2^16 / |step|, rounded up; 0 when each step leaves the line, or none does */

	/* The segment in which it is, its row, and the first iteration that was counted there.  limit is 0 while none
	 * is known. */
	uintptr_t lo, limit;
	uint64_t *words;
	size_t since;

	/* The lines that are wholly in it, in which all accesses are in one line; n_whole is 0 where that is not known.
	 */
	uintptr_t whole, n_whole;

	/* Its line: it is in front when *first is `tag`. */
	size_t due; /* the iteration at which it comes to another one */
	uint64_t tag;
	_Atomic uint64_t *first;
};

struct loop {
	struct ompp_thread *thread;
	struct ompp_front *front;
	uintptr_t rest; /* bytes of a line - 1 */
	uint64_t n_ends;
	size_t n_lasting; /* walks that have not ended stand first, in their order */
	int is_plain;     /* 1 while each access is in one line and its segment, which holds all of the line */
	struct ompp_repeat *record;
	struct access_order_walk walks[MOST_ACCESSES];
};

static inline uintptr_t address_of(const struct access_order_walk *w, size_t i)
{
	return w->base + i * w->step;
}

/* Adds what was counted before iteration i to the tally. */
static void hand_over(struct access_order_walk *w, size_t i)
{
	uintptr_t first = address_of(w, w->since), last = address_of(w, i - 1);

	if (w->limit && i != w->since)
		ompp_tally_count_run(w->words + w->slot, first < last ? first : last, first < last ? last : first,
		                     i - w->since, w->size);
	w->limit = w->n_whole = 0;
}

/* Finds the segment of an access.  Returns 0 when the access is not wholly in one, or nothing may be counted. */
static __attribute__((noinline)) int access_order_find(const struct loop *loop, struct access_order_walk *w, size_t i)
{
	uintptr_t at = address_of(w, i), lo, n_bytes, end;
	const struct ompp_segment *s;
	struct ompp_tally *y;

	hand_over(w, i);
	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER))
		return 0;
	s = ompp_segment_at(at);
	lo = OMPP_LOAD(&s->lo);
	n_bytes = OMPP_LOAD(&s->limit[w->size]); /* 0 of one that has ended, or is watched */
	ompp_fence_acquire();
	if (at - lo >= n_bytes || lo != OMPP_LOAD(&s->lo))
		return 0;
	y = ompp_access_tally_for(s->cover);
	if (!y)
		return 0;
	w->words = ompp_tally_word(y, ompp_access_row(s), 0);
	w->lo = lo;
	w->limit = n_bytes;
	w->since = i;
	if (loop->record)
		ompp_repeat_row(loop->record, w->index, w->words);
	end = lo + n_bytes + w->n_bytes - 1;
	w->whole = (lo + loop->rest) & ~loop->rest;
	if (!((w->base | w->step) & (w->n_bytes - 1)) && w->whole >= lo && end > w->whole)
		w->n_whole = (end - w->whole) & ~loop->rest;
	return 1;
}

/* Makes the access of iteration i to a walk's line. */
static inline __attribute__((always_inline)) void access_order_model(const struct loop *loop,
                                                                     const struct access_order_walk *w, size_t i,
                                                                     uintptr_t at, int stores)
{
	struct ompp_thread *t = loop->thread;
	unsigned int missed;

	if (!ompp_cache_is_first(w->first, w->tag - 1)) {
		missed = ompp_cache_find(t->cache, w->first, at, w->n_bytes);
		if (missed) {
			int is_other = ompp_front_page(loop->front, t->slot, at) == OMPP_FIRST_OTHERS;

			ompp_access_missed(w->words, missed, at, w->n_bytes, is_other);
			if (__builtin_expect(loop->record != NULL, 0))
				ompp_repeat_missed(loop->record, w->index, i, missed, is_other);
		}
		ompp_front_leave(loop->front, at);
	}
	if (stores && __builtin_expect(ompp_front_page(loop->front, t->slot, at) == OMPP_FIRST_UNKNOWN, 0))
		ompp_first_store(t->slot, &t->last_page, at, w->n_bytes);
}

/* Sets the walk's line from iteration i to iteration `due`. */
static inline __attribute__((always_inline)) void access_order_enter(const struct loop *loop,
                                                                     struct access_order_walk *w, size_t i,
                                                                     uintptr_t at, size_t due)
{
	uint64_t line = at >> loop->front->shift;

	w->tag = line + 1;
	w->first = ompp_cache_first_of(loop->thread->cache, line);
	w->due = due;
	access_order_model(loop, w, i, at, w->slot == OMPP_SLOT_STORE);
}

/* Returns for how many iterations a walk stays in a line of its segment, to which it came at this offset. */
static inline size_t n_there(const struct access_order_walk *w, uintptr_t offset)
{
	return w->least + (((offset ^ w->turn) + w->most) * w->reciprocal >> RECIPROCAL_BITS);
}

/* Makes the access of iteration i, which comes to a line that may have other segments, too. */
static __attribute__((noinline)) void come_closely(struct loop *loop, struct access_order_walk *w, size_t i)
{
	uintptr_t at = address_of(w, i), offset = at & loop->rest, line = at - offset;

	if (at - w->lo >= w->limit && i)
		loop->is_plain = 0;
	if (offset + w->n_bytes > loop->rest + 1 || (at - w->lo >= w->limit && !access_order_find(loop, w, i))) {
		loop->is_plain = 0;
		hand_over(w, i);
		ompp_access_miss(at, w->size, w->slot);
		w->due = i + 1;
		return;
	}
	/* where an object begins or ends within the line, each access is made */
	if (line < w->lo || line + loop->rest + 1 - w->lo > w->limit + w->n_bytes - 1) {
		loop->is_plain = 0;
		access_order_enter(loop, w, i, at, i + 1);
	} else {
		access_order_enter(loop, w, i, at, i + n_there(w, offset));
	}
}

/* Makes the access of an iteration whose line other lines have displaced from the front of its set. */
static __attribute__((noinline)) void come_again(const struct loop *loop, const struct access_order_walk *w, size_t i)
{
	access_order_model(loop, w, i, address_of(w, i), 0);
}

/* Makes the access of iteration i, which comes to a line. */
static inline void access_order_come(struct loop *loop, struct access_order_walk *w, size_t i)
{
	uintptr_t at = address_of(w, i), offset = at & loop->rest;

	if (__builtin_expect(at - offset - w->whole < w->n_whole, 1))
		access_order_enter(loop, w, i, at, i + n_there(w, offset));
	else
		come_closely(loop, w, i);
}

/* Returns 1 when no access before this one is in its line. */
static int is_first(const struct loop *loop, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (loop->walks[k].tag == loop->walks[i].tag)
			return 0;
	return 1;
}

/* Returns 1 when no set has more lines of the accesses than it has ways. */
static int all_fit(const struct loop *loop)
{
	for (size_t i = 0; i < loop->n_lasting; i++) {
		uint64_t tag = loop->walks[i].tag;
		uint32_t n = 0;
		size_t k;

		/* the lines of its set, up to the first access of its own line */
		for (k = 0; loop->walks[k].tag != tag; k++)
			n += !((loop->walks[k].tag ^ tag) & loop->front->mask) && is_first(loop, k);
		if (k == i && n >= loop->front->n_ways)
			return 0;
	}
	return 1;
}

/* Removes the accesses that are over before iteration i from the front ones. */
static void drop_ended(struct loop *loop, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < loop->n_lasting; k++) {
		struct access_order_walk *w = &loop->walks[k];

		if (w->n == i)
			hand_over(w, i);
		else if (k != n++)
			loop->walks[n - 1] = *w;
	}
	loop->n_lasting = n;
}

/* When names have ended, no segment is known any more, and each access comes to its line again. */
static __attribute__((noinline)) void access_order_renew(struct loop *loop, size_t i)
{
	ompp_front_renew(loop->front);
	loop->n_ends = loop->front->n_ends;
	loop->is_plain = 0;
	for (size_t k = 0; k < loop->n_lasting; k++) {
		hand_over(&loop->walks[k], i);
		loop->walks[k].due = i;
	}
}

/* Makes the iterations from i until the first access is over.  Returns which one would be the next. */
static size_t access_order_walk(struct loop *loop, size_t i)
{
	struct access_order_walk *last = loop->walks + loop->n_lasting, *w;
	int is_tight = loop->n_lasting > loop->front->n_ways;
	size_t end = SIZE_MAX, next;

	for (w = loop->walks; w < last; w++)
		end = w->n < end ? w->n : end;
	for (; i < end; i = next) {
		if (__builtin_expect(__atomic_load_n(&ompp_front_n_ends, __ATOMIC_RELAXED) != loop->n_ends, 0))
			access_order_renew(loop, i);
		next = end;
		for (w = loop->walks; w < last; w++) {
			if (w->due == i)
				access_order_come(loop, w, i);
			else if (__builtin_expect(!ompp_cache_is_first(w->first, w->tag - 1), 0))
				come_again(loop, w, i);
			next = w->due < next ? w->due : next;
		}
		if (__builtin_expect(is_tight, 0) && !all_fit(loop))
			next = i + 1;
	}
	return i;
}

static void add_walk(struct loop *loop, const struct ompp_ordered_access *access, size_t index)
{
	struct access_order_walk *w = &loop->walks[loop->n_lasting++];
	size_t step = (intptr_t)access->step < 0 ? -access->step : access->step;

	memset(w, 0, sizeof(*w));
	w->index = (uint32_t)index;
	w->base = access->base;
	w->step = access->step;
	w->n = access->n;
	w->size = (uint32_t)access->how & OMPP_ORDERED_SIZE;
	w->slot = access->how & OMPP_ORDERED_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD;
	w->n_bytes = (size_t)1 << w->size;
	w->least = step ? 1 : SIZE_MAX / 2;
	if (step && step <= loop->rest)
		w->reciprocal = (uint32_t)(((1u << RECIPROCAL_BITS) + step - 1) / step);
	if (step == access->step) {
		w->turn = SIZE_MAX;
		w->most = loop->rest + 2 - w->n_bytes;
	}
}

/* Counts access by access, where the conditions of the shorter way are not met. */
static void count_each(const struct ompp_ordered_access *list, size_t n_list, uintptr_t place)
{
	size_t n = 0, i, k;

	for (i = 0; i < n_list; i++)
		n = list[i].n > n ? list[i].n : n;
	if (ompp_access_interchange_on && OMPP_LOAD(&ompp_access_ordered))
		ompp_access_interchange_loop(ompp_self, list, n_list, place);
	for (k = 0; k < n; k++)
		for (i = 0; i < n_list; i++) {
			if (k >= list[i].n)
				continue;
			ompp_access_interchange_at(ompp_self, i);
			ompp_access_miss(list[i].base + k * list[i].step, (unsigned int)list[i].how & OMPP_ORDERED_SIZE,
			                 list[i].how & OMPP_ORDERED_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD);
		}
	ompp_access_interchange_loop_end(ompp_self);
}

/* Makes the accesses of a loop in the model, which has its front, and counts them. */
static void access_order_loop(struct loop *loop, const struct ompp_ordered_access *list, size_t n_list)
{
	size_t i;

	if (ompp_repeat_begin(loop->thread, list, n_list))
		return;
	loop->record = ompp_repeat_record(loop->thread);
	loop->is_plain = 1;
	loop->rest = ((uintptr_t)1 << loop->front->shift) - 1;
	loop->n_ends = loop->front->n_ends;
	loop->n_lasting = 0;
	for (i = 0; i < n_list; i++)
		if (list[i].n)
			add_walk(loop, &list[i], i);
	for (i = 0; loop->n_lasting; drop_ended(loop, i))
		i = access_order_walk(loop, i);
	ompp_repeat_end(loop->thread, loop->is_plain);
}

void ompp_access_in_order(const struct ompp_ordered_access *list, size_t n_list, uintptr_t place)
{
	struct loop loop;
	int before = 0;

	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER))
		return;
	if (!ompp_access_modelled && OMPP_LOAD(&ompp_access_ordered) &&
	    ompp_access_reuse_in_order(ompp_self, list, n_list))
		return;
	loop.thread = ompp_self;
	loop.front = ompp_access_model_for(loop.thread) ? loop.thread->front : NULL;
	if (!loop.front || (size_t)1 << loop.front->shift > MOST_LINE_BYTES || n_list > MOST_ACCESSES ||
	    !OMPP_LOAD(&ompp_access_ordered)) {
		count_each(list, n_list, place);
		return;
	}
	ompp_front_renew(loop.front);
	if (__builtin_expect(ompp_access_reused, 0))
		before = ompp_access_reuse_before_model(loop.thread, list, n_list);
	access_order_loop(&loop, list, n_list);
	if (__builtin_expect(ompp_access_reused, 0))
		ompp_access_reuse_go_on(loop.thread, before);
}
