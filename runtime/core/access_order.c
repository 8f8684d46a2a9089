/*
 * Access, order: counts loops whose accesses are known before they run, for the cache model.
 *
 * The model sees the lines of the first level that the loop comes to, in their order.  When each access of an iteration
 * stays in its line for the next m iterations, and all these lines are in the first level together, then these
 * iterations hit, and leave each set as the first of them did: they are counted, and the model needs not see them.
 */
#include <string.h>

#include "runtime/core/access.h"
#include "runtime/core/access_count.h"
#include "runtime/core/thread.h"
#include "runtime/data/front.h"
#include "runtime/data/object.h"
#include "runtime/data/order.h"
#include "runtime/data/page.h"

enum { HOW_SIZE = 7, HOW_STORE = 8, MOST_ACCESSES = 32, MOST_LINE_BYTES = 256, RECIPROCAL_BITS = 16 };

/* One access of the loop. */
struct walk {
	uintptr_t at; /* of the next iteration */
	size_t step, n_left, n_bytes;
	uint32_t size, slot;
	uint32_t reciprocal; /* 2^16 / |step|, rounded up; 0 where each step leaves the line */

	/* The segment in which it is, and how often it was counted there.  limit is 0 while none is known. */
	uintptr_t lo, limit;
	struct ompp_tally *tally;
	uint32_t row;
	size_t n;
	uintptr_t first, last;
	uintptr_t page; /* in which it was made last by the longer way */
};

struct loop {
	struct ompp_thread *thread;
	struct ompp_front *front;
	uintptr_t rest; /* bytes of a line - 1 */
	uint64_t n_ends;
	size_t n_lasting; /* those that are not over are in front, in their order */
	struct walk walks[MOST_ACCESSES];
};

/* Adds what was counted to the tally. */
static void hand_over(struct walk *w)
{
	uintptr_t lo = w->first < w->last ? w->first : w->last, hi = w->first < w->last ? w->last : w->first;
	uint64_t *words;

	if (!w->n)
		return;
	words = ompp_tally_word(w->tally, w->row, w->slot);
	ompp_tally_add(words + w->size, w->n);
	ompp_tally_extend(words + OMPP_SIZES, lo, hi - lo + w->n_bytes);
	w->n = 0;
}

/* Finds the segment of an access.  Returns 0 when the access is not wholly in one, or nothing may be counted. */
static __attribute__((noinline)) int find(struct walk *w)
{
	const struct ompp_segment *s;
	uintptr_t lo, n_bytes;

	hand_over(w);
	w->limit = 0;
	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER))
		return 0;
	s = ompp_segment_at(w->at);
	lo = OMPP_LOAD(&s->lo);
	n_bytes = OMPP_LOAD(&s->limit[w->size]); /* 0 of one that has ended, or is watched */
	ompp_fence_acquire();
	if (w->at - lo >= n_bytes || lo != OMPP_LOAD(&s->lo))
		return 0;
	w->tally = ompp_access_tally_for(s->cover);
	if (!w->tally)
		return 0;
	w->row = ompp_access_row(s);
	w->lo = lo;
	w->limit = n_bytes;
	w->first = w->at;
	return 1;
}

/* Makes the access of one iteration. */
static inline void make(const struct loop *loop, struct walk *w)
{
	uintptr_t at = w->at;

	if (((at & loop->rest) + w->n_bytes > loop->rest + 1) || (at - w->lo >= w->limit && !find(w))) {
		hand_over(w);
		w->limit = 0;
		ompp_access_miss(at, w->size, w->slot);
		return;
	}
	w->n++;
	w->last = at;
	/* of another page, a store may be the first */
	if (ompp_cache_is_front(loop->thread->cache, at, w->n_bytes) &&
	    (w->slot == OMPP_SLOT_LOAD || at >> OMPP_PAGE_BITS == w->page))
		return;
	w->page = at >> OMPP_PAGE_BITS;
	ompp_access_model(loop->thread, w->tally, w->row, at, w->n_bytes, w->slot == OMPP_SLOT_STORE);
}

/* Returns for how many of the next iterations, at most `most`, an access stays in the line in which it was just made.
 */
static inline size_t n_same(const struct loop *loop, const struct walk *w, size_t most)
{
	uintptr_t line = w->last & ~loop->rest;
	size_t n, room;

	/* where an object begins or ends within the line, each access is made */
	if (!w->limit || line < w->lo || line + loop->rest + 1 - w->lo > w->limit + w->n_bytes - 1)
		return 0;
	if (w->step) {
		room = (intptr_t)w->step > 0 ? loop->rest + 1 - w->n_bytes - (w->last & loop->rest)
		                             : w->last & loop->rest;
		n = room * w->reciprocal >> RECIPROCAL_BITS;
		most = n < most ? n : most;
	}
	return most;
}

/* Returns 1 when no access before this one is in its line. */
static int is_first(const struct loop *loop, size_t i)
{
	uint32_t shift = loop->front->shift;

	for (size_t k = 0; k < i; k++)
		if (loop->walks[k].last >> shift == loop->walks[i].last >> shift)
			return 0;
	return 1;
}

/* Returns 1 when no set has more lines of the accesses than it has ways. */
static int all_fit(const struct loop *loop)
{
	uint32_t shift = loop->front->shift;

	if (loop->n_lasting <= loop->front->n_ways)
		return 1;
	for (size_t i = 0; i < loop->n_lasting; i++) {
		uint64_t line = loop->walks[i].last >> shift;
		uint32_t n = 0;
		size_t k;

		/* the lines of its set, up to the first access of its own line */
		for (k = 0; loop->walks[k].last >> shift != line; k++)
			n += !((loop->walks[k].last >> shift ^ line) & loop->front->mask) && is_first(loop, k);
		if (k == i && n >= loop->front->n_ways)
			return 0;
	}
	return 1;
}

/* Removes the accesses that are over from the front ones. */
static void drop_ended(struct loop *loop)
{
	size_t n = 0;

	for (size_t i = 0; i < loop->n_lasting; i++) {
		struct walk *w = &loop->walks[i];

		if (!w->n_left)
			hand_over(w);
		else if (i != n++)
			loop->walks[n - 1] = *w;
	}
	loop->n_lasting = n;
}

static void forget_segments(struct loop *loop)
{
	for (size_t i = 0; i < loop->n_lasting; i++) {
		hand_over(&loop->walks[i]);
		loop->walks[i].limit = 0;
	}
}

/* Makes one iteration. */
static inline void iterate(struct loop *loop)
{
	for (size_t i = 0; i < loop->n_lasting; i++) {
		make(loop, &loop->walks[i]);
		loop->walks[i].at += loop->walks[i].step;
	}
}

/* Counts what is like the iteration that was just made.  Returns how many iterations these are, at most `most`. */
static size_t count_same(struct loop *loop, size_t most)
{
	for (size_t i = 0; i < loop->n_lasting && most; i++)
		most = n_same(loop, &loop->walks[i], most);
	if (!most || !all_fit(loop))
		return 0;
	for (size_t i = 0; i < loop->n_lasting; i++) {
		struct walk *w = &loop->walks[i];

		w->n += most;
		w->at += most * w->step;
		w->last = w->at - w->step;
	}
	return most;
}

/* Makes the iterations until the first access is over.
 * leaves: 1 when one of them leaves its line with each step */
static void walk(struct loop *loop, int leaves)
{
	size_t n = SIZE_MAX, k, i;

	for (i = 0; i < loop->n_lasting; i++)
		n = loop->walks[i].n_left < n ? loop->walks[i].n_left : n;
	for (k = 0; k < n; k++) {
		uint64_t n_ends = __atomic_load_n(&ompp_front_n_ends, __ATOMIC_RELAXED);

		if (__builtin_expect(loop->n_ends != n_ends, 0)) {
			loop->n_ends = n_ends;
			forget_segments(loop);
		}
		iterate(loop);
		if (!leaves)
			k += count_same(loop, n - k - 1);
	}
	for (i = 0; i < loop->n_lasting; i++)
		loop->walks[i].n_left -= n;
	drop_ended(loop);
}

static int any_leaves(const struct loop *loop)
{
	for (size_t i = 0; i < loop->n_lasting; i++)
		if (loop->walks[i].step && !loop->walks[i].reciprocal)
			return 1;
	return 0;
}

static void add_walk(struct loop *loop, const struct ompp_ordered_access *access)
{
	struct walk *w = &loop->walks[loop->n_lasting++];
	size_t step = (intptr_t)access->step < 0 ? -access->step : access->step;

	memset(w, 0, sizeof(*w));
	w->at = access->base;
	w->step = access->step;
	w->n_left = access->n;
	w->size = (uint32_t)access->how & HOW_SIZE;
	w->slot = access->how & HOW_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD;
	w->n_bytes = (size_t)1 << w->size;
	if (step && step <= loop->rest)
		w->reciprocal = (uint32_t)(((1u << RECIPROCAL_BITS) + step - 1) / step);
}

/* Counts access by access, where something is missing that the model's shorter way needs. */
static void count_each(const struct ompp_ordered_access *list, size_t n_list)
{
	size_t n = 0, i, k;

	for (i = 0; i < n_list; i++)
		n = list[i].n > n ? list[i].n : n;
	for (k = 0; k < n; k++)
		for (i = 0; i < n_list; i++)
			if (k < list[i].n)
				ompp_access_miss(list[i].base + k * list[i].step, (unsigned int)list[i].how & HOW_SIZE,
				                 list[i].how & HOW_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD);
}

void ompp_access_in_order(const struct ompp_ordered_access *list, size_t n_list)
{
	struct loop loop;
	size_t i;

	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER))
		return;
	loop.thread = ompp_self;
	ompp_access_prepare(loop.thread);
	loop.front = loop.thread->front;
	if (!loop.front || (size_t)1 << loop.front->shift > MOST_LINE_BYTES || n_list > MOST_ACCESSES ||
	    !OMPP_LOAD(&ompp_access_ordered)) {
		count_each(list, n_list);
		return;
	}
	loop.rest = ((uintptr_t)1 << loop.front->shift) - 1;
	loop.n_ends = __atomic_load_n(&ompp_front_n_ends, __ATOMIC_RELAXED);
	loop.n_lasting = 0;
	for (i = 0; i < n_list; i++)
		if (list[i].n)
			add_walk(&loop, &list[i]);
	while (loop.n_lasting)
		walk(&loop, any_leaves(&loop));
}
