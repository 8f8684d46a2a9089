/*
 * Access, run: counts runs of accesses that are not all in the segment of a way.
 */
#include "runtime/access/access_run.h"

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_member.h"
#include "runtime/base/check.h"
#include "runtime/core/thread.h"
#include "runtime/data/grain.h"
#include "runtime/data/object.h"
#include "runtime/data/order.h"
#include "runtime/data/page.h"
#include "runtime/memory/page_use.h"

/* Memory with one row. */
struct bounds {
	uintptr_t lo, hi; /* hi is not included */
	uint32_t row;     /* 0 for none */
};

/* Returns the bounds of the memory with one row around an address: of its segment, or of small blocks in it. */
static struct bounds bounds_of(const struct ompp_segment *s, uintptr_t address)
{
	struct bounds b = { OMPP_LOAD(&s->lo), OMPP_LOAD(&s->hi), s->row & OMPP_ROW_FLAGS ? 0 : s->row };

	if (s->row & OMPP_ROW_BLOCKS && !ompp_page_use_on && !ompp_access_members_on)
		b.row = ompp_grain_bounds(ompp_grains_in(s, address), address, ompp_access_row(s), &b.lo, &b.hi);
	return b;
}

/* Returns how many of n accesses of n_bytes, the first at an address in the bounds, are wholly in it up to the first
 * one that is not. */
static size_t n_inside(const struct bounds *b, uintptr_t address, size_t step, size_t n, size_t n_bytes)
{
	uintptr_t lo = b->lo, hi = b->hi;
	size_t most;

	if (address < lo || hi < address + n_bytes)
		return 0;
	if (!step)
		return n;
	ompp_assert(n && n_bytes && lo < hi);
	most = (intptr_t)step > 0 ? (hi - n_bytes - address) / step : (address - lo) / -step;
	return most < n ? most + 1 : n;
}

/* Counts the accesses of a run that are in the segment of the first one.  Returns how many these are; 0 when nothing
 * may be counted. */
static size_t count_inside(uintptr_t address, size_t step, size_t n, unsigned int size, unsigned int slot)
{
	const struct ompp_segment *s;
	struct ompp_tally *y;
	struct bounds b;
	uintptr_t last;

	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER)) /* names the thread's stack, before the address is looked up */
		return 0;
	s = ompp_segment_at(address);
	b = bounds_of(s, address);
	n = b.row ? n_inside(&b, address, step, n, (size_t)1 << size) : 0;
	if (!n) {
		ompp_access_miss(address, size, slot);
		return 1;
	}
	y = ompp_access_tally_for(ompp_row_cover(b.row));
	if (!y)
		return 0;
	last = address + (n - 1) * step;
	ompp_assert(last >= b.lo && last + ((size_t)1 << size) <= b.hi);
	ompp_tally_count_run(ompp_tally_word(y, b.row, slot), address < last ? address : last,
	                     address < last ? last : address, n, size);
	if (ompp_access_members_on)
		ompp_access_member_add(y, s->cover, address, step, n, (size_t)1 << size, slot);
	if (ompp_page_use_on) {
		ompp_page_use_add(ompp_self, y->node, s->cover, address, step, n, (size_t)1 << size,
		                  slot == OMPP_SLOT_LOAD ? OMPP_PAGE_LOADS : OMPP_PAGE_STORES);
		if (!ompp_access_members_on)
			ompp_page_use_remember(ompp_self, y, last, s);
	} else if (b.row == s->row && y->row_end && !ompp_access_members_on) {
		y->way[ompp_way(address)] = y->way[ompp_way(last)] = s;
	}
	return n;
}

void ompp_access_run_far(uintptr_t base, size_t step, size_t n, unsigned int size, unsigned int slot)
{
	size_t now;

	if (slot & OMPP_RUN_BEHIND) {
		slot -= OMPP_RUN_BEHIND;
		if (ompp_page_use_on)
			ompp_page_use_behind(ompp_self);
	}
	for (; n; n -= now, base += now * step) {
		/* a single access, or the loop began while runs were still in use */
		if (n == 1 || !OMPP_LOAD(&ompp_access_runs)) {
			ompp_access_miss(base, size, slot);
			now = 1;
		} else {
			now = count_inside(base, step, n, size, slot);
		}
		if (!now)
			return;
	}
}

void ompp_access_run_counted(uintptr_t base, size_t step, size_t n, unsigned int size, unsigned int slot)
{
	for (size_t now; n; n -= now, base += now * step) {
		now = count_inside(base, step, n, size, slot);
		if (!now)
			return;
	}
}
