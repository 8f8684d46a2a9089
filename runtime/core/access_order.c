/*
 * Access, order: counts loops whose accesses are known before they run, for the cache model.
 *
 * The model sees the lines of the first level that the loop comes to, in their order.  An iteration is made when one of
 * its accesses comes to a line: that access is made, and the others where their line is not in front of its set.  The
 * iterations up to the next such one hit, and leave each set as the first of them did, as long as all lines of the
 * accesses are in the first level together: the model needs not see them.
 */
#include <string.h>

#include "runtime/core/access.h"
#include "runtime/core/access_count.h"
#include "runtime/core/access_model.h"
#include "runtime/core/thread.h"
#include "runtime/data/front.h"
#include "runtime/data/object.h"
#include "runtime/data/order.h"
#include "runtime/data/page.h"

enum { HOW_SIZE = 7, HOW_STORE = 8, MOST_ACCESSES = 32, MOST_LINE_BYTES = 256, RECIPROCAL_BITS = 16 };

/* One access of the loop. */
struct walk {
	uintptr_t base; /* of iteration 0 */
	size_t step, n, n_bytes;
	uint32_t size, slot;
	uint32_t reciprocal; /* 2^16 / |step|, rounded up */
	uint32_t leaves;     /* 1 when each step leaves the line */
	uint32_t row;

	/* The segment in which it is, and the first iteration that was counted there.  limit is 0 while none is
	 * known. */
	uintptr_t lo, limit;
	struct ompp_tally *tally;
	size_t since;

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
	size_t n_lasting; /* those that are not over are in front, in their order */
	struct walk walks[MOST_ACCESSES];
};

static inline uintptr_t address_of(const struct walk *w, size_t i)
{
	return w->base + i * w->step;
}

/* Adds what was counted before iteration i to the tally. */
static void hand_over(struct walk *w, size_t i)
{
	uintptr_t first = address_of(w, w->since), last = address_of(w, i - 1);
	uint64_t *words;

	if (w->limit && i != w->since) {
		words = ompp_tally_word(w->tally, w->row, w->slot);
		ompp_tally_add(words + w->size, i - w->since);
		ompp_tally_extend(words + OMPP_SIZES, first < last ? first : last,
		                  (first < last ? last - first : first - last) + w->n_bytes);
	}
	w->limit = 0;
}

/* Finds the segment of an access.  Returns 0 when the access is not wholly in one, or nothing may be counted. */
static __attribute__((noinline)) int find(struct walk *w, size_t i)
{
	uintptr_t at = address_of(w, i), lo, n_bytes;
	const struct ompp_segment *s;

	hand_over(w, i);
	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER))
		return 0;
	s = ompp_segment_at(at);
	lo = OMPP_LOAD(&s->lo);
	n_bytes = OMPP_LOAD(&s->limit[w->size]); /* 0 of one that has ended, or is watched */
	ompp_fence_acquire();
	if (at - lo >= n_bytes || lo != OMPP_LOAD(&s->lo))
		return 0;
	w->tally = ompp_access_tally_for(s->cover);
	if (!w->tally)
		return 0;
	w->row = ompp_access_row(s);
	w->lo = lo;
	w->limit = n_bytes;
	w->since = i;
	return 1;
}

/* Returns for how many iterations an access stays in the line to which it came.
 * line: its first byte */
static inline size_t n_there(const struct loop *loop, const struct walk *w, uintptr_t at, uintptr_t line)
{
	size_t room;

	if (w->leaves)
		return 1;
	/* where an object begins or ends within the line, each access is made */
	if (line < w->lo || line + loop->rest + 1 - w->lo > w->limit + w->n_bytes - 1)
		return 1;
	if (!w->step)
		return SIZE_MAX / 2;
	room = (intptr_t)w->step > 0 ? loop->rest + 1 - w->n_bytes - (at - line) : at - line;
	return 1 + (room * w->reciprocal >> RECIPROCAL_BITS);
}

static inline void model(const struct loop *loop, const struct walk *w, uintptr_t at, int stores)
{
	ompp_access_model_line(loop->thread, w->tally, w->row, w->first, at, w->n_bytes, stores);
	ompp_front_leave(loop->front, at);
}

/* Makes the access of iteration i, which comes to a line. */
static inline void come(const struct loop *loop, struct walk *w, size_t i)
{
	uintptr_t at = address_of(w, i), line = at & ~loop->rest;

	if (__builtin_expect(at - line + w->n_bytes > loop->rest + 1 || (at - w->lo >= w->limit && !find(w, i)), 0)) {
		hand_over(w, i);
		ompp_access_miss(at, w->size, w->slot);
		w->due = i + 1;
		return;
	}
	w->tag = (line >> loop->front->shift) + 1;
	w->first = ompp_cache_first_of(loop->thread->cache, w->tag - 1);
	w->due = i + n_there(loop, w, at, line);
	model(loop, w, at, w->slot == OMPP_SLOT_STORE);
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
		struct walk *w = &loop->walks[k];

		if (w->n == i)
			hand_over(w, i);
		else if (k != n++)
			loop->walks[n - 1] = *w;
	}
	loop->n_lasting = n;
}

/* When names have ended, no segment is known any more, and each access comes to its line again. */
static inline void renew(struct loop *loop, size_t i)
{
	ompp_front_renew(loop->front);
	if (__builtin_expect(loop->n_ends == loop->front->n_ends, 1))
		return;
	loop->n_ends = loop->front->n_ends;
	for (size_t k = 0; k < loop->n_lasting; k++) {
		hand_over(&loop->walks[k], i);
		loop->walks[k].due = i;
	}
}

/* Makes the iterations from i until the first access is over.  Returns which one would be the next. */
static size_t walk(struct loop *loop, size_t i)
{
	size_t end = SIZE_MAX, next, k;

	for (k = 0; k < loop->n_lasting; k++)
		end = loop->walks[k].n < end ? loop->walks[k].n : end;
	for (; i < end; i = next) {
		renew(loop, i);
		next = end;
		for (k = 0; k < loop->n_lasting; k++) {
			struct walk *w = &loop->walks[k];

			if (w->due == i)
				come(loop, w, i);
			else if (__builtin_expect(atomic_load_explicit(w->first, memory_order_relaxed) != w->tag, 0))
				model(loop, w, address_of(w, i), 0);
			next = w->due < next ? w->due : next;
		}
		if (__builtin_expect(loop->n_lasting > loop->front->n_ways, 0) && !all_fit(loop))
			next = i + 1;
	}
	return i;
}

static void add_walk(struct loop *loop, const struct ompp_ordered_access *access)
{
	struct walk *w = &loop->walks[loop->n_lasting++];
	size_t step = (intptr_t)access->step < 0 ? -access->step : access->step;

	memset(w, 0, sizeof(*w));
	w->base = access->base;
	w->step = access->step;
	w->n = access->n;
	w->size = (uint32_t)access->how & HOW_SIZE;
	w->slot = access->how & HOW_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD;
	w->n_bytes = (size_t)1 << w->size;
	w->leaves = step > loop->rest;
	if (step && !w->leaves)
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
	loop.front = ompp_access_model_for(loop.thread) ? loop.thread->front : NULL;
	if (!loop.front || (size_t)1 << loop.front->shift > MOST_LINE_BYTES || n_list > MOST_ACCESSES ||
	    !OMPP_LOAD(&ompp_access_ordered)) {
		count_each(list, n_list);
		return;
	}
	loop.rest = ((uintptr_t)1 << loop.front->shift) - 1;
	loop.n_ends = loop.front->n_ends;
	loop.n_lasting = 0;
	for (i = 0; i < n_list; i++)
		if (list[i].n)
			add_walk(&loop, &list[i]);
	for (i = 0; loop.n_lasting; drop_ended(&loop, i))
		i = walk(&loop, i);
}
