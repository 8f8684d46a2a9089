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
#include "runtime/data/page.h"
#include "runtime/data/segment.h"

enum { LINE = 1 << OMPP_REUSE_LINE_BITS, MOST_WALKS = 32, MOST_MEANWHILE = OMPP_REUSE_LEAST / 8 };

/* An access of a loop. */
struct reuse_walk {
	uintptr_t base;
	size_t step, n;
	size_t due;       /* the iteration at which it comes to a line of the sample, or leaves that; SIZE_MAX: none */
	uint64_t line;    /* of the sample, in which it is, and which it has to leave; else 0 */
	uintptr_t lo, hi; /* where its row is known */
	uint64_t *slots;
};

/* Returns in how many iterations an access moves by at least n_bytes, more than 0. */
static size_t n_steps(const struct reuse_walk *w, uintptr_t n_bytes)
{
	size_t step = (intptr_t)w->step < 0 ? -w->step : w->step;

	return (n_bytes + step - 1) / step;
}

/* Finds the first iteration from i on at which a walk comes to a line of the sample. */
static void find_line(struct reuse_walk *w, size_t i)
{
	uintptr_t at = w->base + i * w->step, to;
	uint64_t line = at >> OMPP_REUSE_LINE_BITS, group = line >> OMPP_REUSE_GROUP_BITS;
	uint64_t sampled = ompp_reuse_sampled(group);

	w->line = 0;
	w->due = i;
	if (sampled == line)
		return;
	if (w->step + (LINE - 1) > 2 * (LINE - 1)) { /* it may pass over lines */
		for (; i < w->n && !ompp_reuse_is_sampled(at >> OMPP_REUSE_LINE_BITS); i++)
			at += w->step;
		w->due = i;
	} else if (!w->step) {
		w->due = w->n;
	} else if ((intptr_t)w->step > 0) {
		sampled = sampled < line ? ompp_reuse_sampled(group + 1) : sampled;
		to = (uintptr_t)sampled << OMPP_REUSE_LINE_BITS;
		w->due += n_steps(w, to - at);
	} else {
		sampled = sampled > line ? ompp_reuse_sampled(group - 1) : sampled;
		to = ((uintptr_t)sampled << OMPP_REUSE_LINE_BITS) + LINE - 1;
		w->due += n_steps(w, at - to);
	}
}

/* Returns the reuse of the row in which an access is counted; NULL when nothing may be counted. */
static uint64_t *slots_of(struct reuse_walk *w, uintptr_t at)
{
	const struct ompp_segment *s;
	struct ompp_tally *y;
	uint32_t cover;

	if (at - w->lo < w->hi - w->lo)
		return w->slots;
	s = ompp_segment_at(at);
	cover = ompp_access_cover(s, at);
	y = ompp_access_tally_for(cover);
	if (!y)
		return NULL;
	w->slots = ompp_tally_word(y, ompp_cover_row(cover), OMPP_SLOT_REUSE);
	w->lo = s->row & OMPP_ROW_FLAGS ? at : OMPP_LOAD(&s->lo);
	w->hi = s->row & OMPP_ROW_FLAGS ? at : OMPP_LOAD(&s->hi);
	return w->slots;
}

/* Makes what is due at iteration i.  As long as a walk stays in a line its accesses are hits, but make it the one used
 * last.
 * n_others: the other walks, each of which uses a line in each iteration at most */
static void reuse_come(struct ompp_thread *t, struct reuse_walk *w, size_t i, size_t n_others)
{
	uintptr_t at = w->base + i * w->step;
	size_t in_line, n_stays;

	if (w->line) {
		ompp_access_reuse_line(t, w->line, NULL);
		find_line(w, i);
		if (w->due != i)
			return;
	}
	w->line = at >> OMPP_REUSE_LINE_BITS;
	ompp_access_reuse_line(t, w->line, slots_of(w, at));
	in_line = at & (LINE - 1);
	n_stays = w->step ? n_steps(w, (intptr_t)w->step > 0 ? LINE - in_line : in_line + 1) : w->n - i;
	w->due = i + n_stays;
	if (n_stays * n_others <= MOST_MEANWHILE) {
		w->line = 0;
		if (w->due < w->n)
			find_line(w, w->due);
	}
}

/* Does the walk use each line that it comes by, or one line of each group? */
static int misses_no_line(const struct reuse_walk *w)
{
	return w->step + LINE <= 2 * LINE || !(w->step % LINE); /* steps down are large numbers */
}

/* Adds a walk to others, of which there are less than MOST_WALKS.  Of those that begin in one line and go on side by
 * side, the one ahead stands for all: the accesses of the others are hits, unless their steps pass over lines.  Returns
 * the end of the walks. */
static struct reuse_walk *add_walk(struct reuse_walk *walks, struct reuse_walk *end, const struct reuse_walk *w)
{
	for (; walks < end && misses_no_line(w); walks++) {
		if (walks->step != w->step || walks->n != w->n || (walks->base ^ w->base) >> OMPP_REUSE_LINE_BITS)
			continue;
		if ((intptr_t)w->step > 0 ? w->base > walks->base : w->base < walks->base)
			walks->base = w->base;
		return end;
	}
	*end = *w;
	return end + 1;
}

/* Takes away a walk's turn that would be behind its end. */
static void end_walk(struct reuse_walk *w)
{
	if (w->due >= w->n)
		w->due = SIZE_MAX;
}

int ompp_access_reuse_in_order(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list)
{
	struct reuse_walk walks[MOST_WALKS], *w, *last;
	size_t i, k, next;

	if (!ompp_access_reuse_has_fronts || n_list > MOST_WALKS || !ompp_access_reuse_for(t))
		return 0;
	if (t->front)
		ompp_front_renew(t->front);
	for (k = 0, last = walks; k < n_list; k++) {
		if (!list[k].n)
			continue;
		ompp_access_run_counted(list[k].base, list[k].step, list[k].n,
		                        (unsigned int)list[k].how & OMPP_ORDERED_SIZE,
		                        list[k].how & OMPP_ORDERED_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD);
		last = add_walk(walks, last,
		                &(struct reuse_walk){ .base = list[k].base, .step = list[k].step, .n = list[k].n });
	}
	for (w = walks; w < last; w++) {
		find_line(w, 0);
		end_walk(w);
	}
	for (i = 0; i != SIZE_MAX; i = next) {
		next = SIZE_MAX;
		for (w = walks; w < last; w++) {
			if (w->due == i) {
				reuse_come(t, w, i, (size_t)(last - walks) - 1);
				end_walk(w);
			}
			next = w->due < next ? w->due : next;
		}
	}
	for (w = walks; w < last; w++)
		if (w->line)
			ompp_access_reuse_line(t, w->line, NULL);
	return 1;
}
