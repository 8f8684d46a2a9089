/*
 * Access reuse: see access_reuse.h.
 */
#include "runtime/access/access_reuse.h"

#include "runtime/access/access_model.h"
#include "runtime/data/object.h"
#include "runtime/data/order.h"
#include "runtime/data/segment.h"

enum { LINE = OMPP_REUSE_LINE, GROUP_SHIFT = OMPP_REUSE_LINE_BITS + OMPP_REUSE_GROUP_BITS, N_FRONTS = 256 };

int ompp_access_reused;
int ompp_access_reuse_has_fronts;

void ompp_access_reuse_start(int sees_each)
{
	ompp_row_bytes = (OMPP_SLOT_REUSE + OMPP_REUSE_SLOTS) * sizeof(uint64_t);
	ompp_access_reuse_has_fronts = !sees_each;
	ompp_access_reused = 1;
	ompp_order_keep();
}

__attribute__((noinline, cold)) int ompp_access_reuse_new(struct ompp_thread *t)
{
	struct ompp_reuse *reuse = ompp_access_model_memory(t, ompp_reuse_bytes());

	if (!reuse)
		return 0;
	if (ompp_access_reuse_has_fronts) {
		t->front = ompp_front_make(N_FRONTS, GROUP_SHIFT, 1);
		if (t->front)
			t->front->ways = &t->sharing.ways;
	}
	t->reuse = reuse;
	return 1;
}

void ompp_access_reuse_leave(struct ompp_thread *t)
{
	uint64_t latest = ompp_reuse_latest(t->reuse);
	struct ompp_segment *f;

	if (!t->front)
		return;
	f = &t->front->line[latest << OMPP_REUSE_LINE_BITS >> t->front->shift & t->front->mask];
	if (OMPP_LOAD(&f->limit[0]) && OMPP_LOAD(&f->lo) >> OMPP_REUSE_LINE_BITS == latest)
		ompp_front_limit(f, 0);
}

/* Makes an access to a line of the sample. */
static void use_line(struct ompp_thread *t, uint64_t line, uint64_t *slots)
{
	if (ompp_reuse_is_latest(t->reuse, line))
		return;
	ompp_access_reuse_leave(t);
	ompp_reuse_access(t->reuse, line, slots);
}

void ompp_access_reuse(struct ompp_thread *t, uint64_t *slots, uintptr_t address, size_t n_bytes)
{
	uint64_t first = address >> OMPP_REUSE_LINE_BITS, last = (address + (n_bytes - 1)) >> OMPP_REUSE_LINE_BITS;
	uint64_t group;

	for (group = first >> OMPP_REUSE_GROUP_BITS; group <= last >> OMPP_REUSE_GROUP_BITS; group++) {
		uint64_t line = ompp_reuse_sampled(group);

		if (first <= line && line <= last)
			use_line(t, line, slots);
	}
}

void ompp_access_reuse_front(struct ompp_thread *t, struct ompp_tally *y, const struct ompp_segment *s,
                             uintptr_t address, size_t n_bytes)
{
	uintptr_t group = address >> GROUP_SHIFT, lo = group << GROUP_SHIFT, hi = lo + (1u << GROUP_SHIFT);
	uintptr_t at = (uintptr_t)ompp_reuse_sampled(group) << OMPP_REUSE_LINE_BITS;

	if (address < at + LINE && address + n_bytes > at) {
		use_line(t, at >> OMPP_REUSE_LINE_BITS, ompp_tally_word(y, s->row, OMPP_SLOT_REUSE));
		lo = at;
		hi = at + LINE;
	} else if (address < at) {
		hi = at;
	} else {
		lo = at + LINE;
	}
	ompp_access_front = t->front;
	/* an access to the line of the sample and to its neighbour has no front */
	if (address >= lo && address + n_bytes <= hi)
		y->way[ompp_way(address)] = ompp_front_enter_part(t->front, s, lo, hi, 1, OMPP_REUSE_COVERS);
}
