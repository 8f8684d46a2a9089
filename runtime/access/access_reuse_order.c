/*
 * Access reuse, order: loops whose accesses are known before they run go from one line of the sample to the next.
 *
 * An access that stays in a line for some iterations makes it the one used last in each of them, so it comes to it once
 * more when it leaves.  It does not where so few lines can be used meanwhile that no distance that is looked for
 * changes by more than an eighth.
 */
#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_reuse.h"
#include "runtime/access/access_run.h"
#include "runtime/base/check.h"
#include "runtime/data/page.h"
#include "runtime/data/segment.h"

enum { LINE = OMPP_REUSE_LINE, MOST_MEANWHILE = OMPP_REUSE_LEAST / 8 };

/* An access of a loop. */
struct reuse_walk {
	uintptr_t base;
	size_t step, n;
	size_t due;       /* the iteration at which it comes to a line of the sample, or leaves that; SIZE_MAX: none */
	uint64_t line;    /* of the sample, in which it is, and which it has to leave; else 0 */
	uintptr_t lo, hi; /* where its row is known; addresses are before hi */
	uint64_t *slots;
	uint32_t far;     /* the size of a step, if it is small: more than 0, and it passes over no line; else 0 */
	uint32_t lingers; /* 1 when it may stay in a line for long enough to come to it again */
};

/* Returns in how many iterations an access with small steps moves by n_bytes. */
static size_t n_steps(const struct reuse_walk *w, uintptr_t n_bytes)
{
	return ((uint32_t)n_bytes + w->far - 1) / w->far;
}

/* Finds the iteration at which a walk with small steps, which is at an address before a line in iteration i, comes to
 * that. */
static inline void go_to(struct reuse_walk *w, size_t i, uintptr_t at, uint64_t line)
{
	uintptr_t to = (uintptr_t)line << OMPP_REUSE_LINE_BITS;

	w->due = i + n_steps(w, (intptr_t)w->step > 0 ? to - at : at - (to + LINE - 1));
	if (w->due >= w->n)
		w->due = SIZE_MAX;
}

/* Finds the first iteration from i on at which a walk with other steps comes to a line of the sample. */
static __attribute__((noinline)) void find_far(struct reuse_walk *w, size_t i)
{
	uintptr_t at = w->base + i * w->step;

	if (!w->step && !ompp_reuse_is_sampled(at >> OMPP_REUSE_LINE_BITS))
		i = w->n;
	for (; i < w->n && !ompp_reuse_is_sampled(at >> OMPP_REUSE_LINE_BITS); i++)
		at += w->step;
	w->due = i < w->n ? i : SIZE_MAX;
}

/* Finds the first iteration from i on at which a walk comes to a line of the sample. */
static inline void find_line(struct reuse_walk *w, size_t i)
{
	uintptr_t at = w->base + i * w->step;
	uint64_t line = at >> OMPP_REUSE_LINE_BITS, group = line >> OMPP_REUSE_GROUP_BITS;
	uint64_t sampled = ompp_reuse_sampled(group);

	if (!w->far)
		find_far(w, i);
	else if (i >= w->n)
		w->due = SIZE_MAX;
	else if (sampled == line)
		w->due = i;
	else if ((intptr_t)w->step > 0)
		go_to(w, i, at, sampled > line ? sampled : ompp_reuse_sampled(group + 1));
	else
		go_to(w, i, at, sampled < line ? sampled : ompp_reuse_sampled(group - 1));
}

/* Returns the reuse of the row in which an access is counted; NULL when nothing may be counted. */
static __attribute__((noinline)) uint64_t *find_slots(struct reuse_walk *w, uintptr_t at)
{
	const struct ompp_segment *s = ompp_segment_at(at);
	uint32_t cover = ompp_access_cover(s, at);
	struct ompp_tally *y = ompp_access_tally_for(cover);

	if (!y)
		return NULL;
	w->slots = ompp_tally_word(y, ompp_cover_row(cover), OMPP_SLOT_REUSE);
	w->lo = s->row & OMPP_ROW_FLAGS ? at : OMPP_LOAD(&s->lo);
	w->hi = s->row & OMPP_ROW_FLAGS ? at : OMPP_LOAD(&s->hi);
	return w->slots;
}

/* Makes an access to a line of the sample.  A signal handler may have given the one before a front meanwhile. */
static inline void reuse_use(struct ompp_thread *t, uint64_t line, uint64_t *slots)
{
	ompp_access_reuse_leave(t);
	ompp_reuse_access(t->reuse, line, slots);
}

/* Makes what is due at iteration i.  As long as a walk stays in a line its accesses are hits, but make it the one used
 * last. */
static inline void reuse_come(struct ompp_thread *t, struct reuse_walk *w, size_t i)
{
	uintptr_t at = w->base + i * w->step;
	uint64_t line = at >> OMPP_REUSE_LINE_BITS, group = line >> OMPP_REUSE_GROUP_BITS;

	if (w->line) {
		reuse_use(t, w->line, NULL);
		w->line = 0;
		find_line(w, i);
		if (w->due != i)
			return;
	}
	reuse_use(t, line, at - w->lo < w->hi - w->lo ? w->slots : find_slots(w, at));
	if (w->lingers) {
		w->line = line;
		at &= LINE - 1;
		w->due = w->step ? i + n_steps(w, (intptr_t)w->step > 0 ? LINE - at : at + 1) : w->n;
		if (w->due >= w->n)
			w->due = SIZE_MAX;
	} else if (w->far) {
		go_to(w, i, at, ompp_reuse_sampled((intptr_t)w->step > 0 ? group + 1 : group - 1));
	} else {
		find_far(w, i + 1);
	}
}

/* Does the walk use each line that it comes by, or one line of each group? */
static int misses_no_line(const struct reuse_walk *w)
{
	return w->step + LINE <= 2 * LINE || !(w->step % LINE); /* steps down are large numbers */
}

/* Is there among others one that begins in a walk's line and goes on side by side?  The one ahead stands for both: the
 * accesses of the other one are hits, unless their steps pass over lines. */
static int is_beside(struct reuse_walk *walks, const struct reuse_walk *w)
{
	if (!misses_no_line(w))
		return 0;
	for (; walks < w; walks++) {
		if (walks->step != w->step || walks->n != w->n || (walks->base ^ w->base) >> OMPP_REUSE_LINE_BITS)
			continue;
		if ((intptr_t)w->step > 0 ? w->base > walks->base : w->base < walks->base)
			walks->base = w->base;
		return 1;
	}
	return 0;
}

/* Counts a walk's accesses, and has the thread remember the segment of the first one. */
static __attribute__((noinline)) void count_far(struct ompp_thread *t, const struct reuse_walk *w, unsigned int size,
                                                unsigned int slot)
{
	const struct ompp_segment *s;

	ompp_access_run_counted(w->base, w->step, w->n, size, slot);
	s = ompp_segment_at(w->base);
	if (!(s->row & OMPP_ROW_FLAGS))
		t->sharing.ways.page[ompp_way(w->base)] = t->sharing.ways.near[ompp_near_way(w->base)] = s;
}

/* Counts a walk's accesses.  Where they are all in one segment that the thread remembers, its row is known then. */
static inline void count_walk(struct ompp_thread *t, struct reuse_walk *w, unsigned int size, unsigned int slot)
{
	uintptr_t last = w->base + (w->n - 1) * w->step;
	const struct ompp_segment *s = t->sharing.ways.page[ompp_way(w->base)];
	struct ompp_tally *y = ompp_access_tally;

	if (!ompp_segment_holds(s, w->base, size))
		s = t->sharing.ways.near[ompp_near_way(w->base)];
	if (__builtin_expect(ompp_segment_holds(s, w->base, size) && ompp_segment_holds(s, last, size) &&
	                             s->row < y->seen_end,
	                     1)) {
		ompp_tally_count_run(ompp_tally_word(y, s->row, slot), w->base < last ? w->base : last,
		                     w->base < last ? last : w->base, w->n, size);
		w->slots = ompp_tally_word(y, s->row, OMPP_SLOT_REUSE);
		w->hi = UINTPTR_MAX;
	} else {
		count_far(t, w, size, slot);
	}
}

/* Makes a walk out of an access.  Returns 0 when there is nothing more to do. */
static inline int begin_walk(struct reuse_walk *w, const struct ompp_ordered_access *access)
{
	size_t far = (intptr_t)access->step < 0 ? -access->step : access->step;

	if (!access->n)
		return 0;
	w->base = access->base;
	w->step = access->step;
	w->n = access->n;
	w->line = 0;
	w->lo = w->hi = 0;
	w->far = far <= LINE ? (uint32_t)far : 0;
	return 1;
}

/* Makes the accesses of walks to lines of the sample. */
static void make_walks(struct ompp_thread *t, struct reuse_walk *walks, struct reuse_walk *last)
{
	size_t i, next, n_others = (size_t)(last - walks) - 1;
	struct reuse_walk *w;

	for (w = walks; w < last; w++) {
		w->lingers = !w->step || (w->far && LINE * n_others > MOST_MEANWHILE * w->far);
		find_line(w, 0);
	}
	for (i = 0; i != SIZE_MAX; i = next)
		for (w = walks, next = SIZE_MAX; w < last; w++) {
			if (w->due == i)
				reuse_come(t, w, i);
			next = w->due < next ? w->due : next;
		}
	for (w = walks; w < last; w++)
		if (w->line)
			reuse_use(t, w->line, NULL);
}

int ompp_access_reuse_in_order(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list)
{
	struct reuse_walk walks[OMPP_REUSE_MOST_WALKS], *last = walks;

	if (!ompp_access_reuse_has_fronts || n_list > OMPP_REUSE_MOST_WALKS || !ompp_access_reuse_for(t))
		return 0;
	if (t->front)
		ompp_front_renew(t->front);
	for (size_t k = 0; k < n_list; k++) {
		if (!begin_walk(last, &list[k]))
			continue;
		count_walk(t, last, (unsigned int)list[k].how & OMPP_ORDERED_SIZE,
		           list[k].how & OMPP_ORDERED_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD);
		last += !is_beside(walks, last);
	}
	make_walks(t, walks, last);
	return 1;
}

int ompp_access_reuse_before_model(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list)
{
	struct reuse_walk walks[OMPP_REUSE_MOST_WALKS], *last = walks;

	if (!ompp_access_reuse_for(t))
		return 0;
	ompp_assert(n_list <= OMPP_REUSE_MOST_WALKS);
	for (size_t k = 0; k < n_list; k++)
		if (begin_walk(last, &list[k]))
			last += !is_beside(walks, last);
	make_walks(t, walks, last);
	return ompp_reuse_hold(t->reuse, (uintptr_t)__builtin_frame_address(0));
}

void ompp_access_reuse_go_on(struct ompp_thread *t, int before)
{
	if (t->reuse)
		ompp_reuse_go_on(t->reuse, before);
}
