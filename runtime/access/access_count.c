/*
 * Access count: see access_count.h.
 */
#define _GNU_SOURCE
#include "runtime/access/access_count.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/access/access_interchange.h"
#include "runtime/access/access_member.h"
#include "runtime/access/access_model.h"
#include "runtime/access/access_relayout.h"
#include "runtime/access/access_reuse.h"
#include "runtime/access/access_tlb.h"
#include "runtime/access/access_tracked.h"
#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/data/front.h"
#include "runtime/data/order.h"
#include "runtime/data/page.h"
#include "runtime/data/sharing.h"
#include "runtime/events/thread_start.h"
#include "runtime/memory/page_use.h"
#include "runtime/memory/touch.h"
#include "runtime/ranges/range.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { LEAST_ROWS = 16, HUGE_BYTES = 4 << 20, MOST_PARTS = 32, ROOM_BYTES = 64 << 10 };

/* Memory for the small tallies of one thread: a system call for each would let threads that start at once wait for each
 * other.  A signal handler may take a piece at any time. */
struct ompp_tally_room {
	_Atomic size_t used;
} __attribute__((aligned(64)));

_Atomic uint64_t ompp_n_lost_accesses;

static int shared_lines; /* 1 when the search for shared lines is on */
static int is_emulated;  /* 1 when the emulator makes that search, and no hook counts any access */
static int only_lines;   /* 1 when it is all that needs each access */
static int only_pages;   /* 1 when accesses come here to be counted by page, and for nothing else */

static void start_relayouts(void)
{
	ompp_access_tlb_start(ompp_session.options.text[OMPP_OPT_TLB]);
	ompp_access_relayouts_start(shared_lines);
	if (ompp_access_relayouts_on && !shared_lines && !ompp_page_use_on) {
		ompp_access_interchange_start();
		ompp_mode_set(OMPP_MODE_NESTS);
	}
}

void ompp_access_start(void)
{
	const char *caches = ompp_session.options.text[OMPP_OPT_CACHE];
	int wants_reuse, wants_layouts, is_ordered;

	shared_lines = ompp_session.options.number[OMPP_OPT_SHARING] != 0;
	is_emulated = (OMPP_LOAD(&ompp_modes) & OMPP_MODE_EMULATED) != 0;
	ompp_page_use_start();
	ompp_access_members_start();
	wants_reuse = ompp_session.options.number[OMPP_OPT_REUSE] != 0;
	wants_layouts = ompp_session.options.number[OMPP_OPT_LAYOUTS] != 0 && !is_emulated;
	if (wants_layouts && (!*caches || !strcmp(caches, "0")))
		caches = "1";
	ompp_access_model_start(caches,
	                        shared_lines || ompp_page_use_on || ompp_access_members_on || is_emulated ||
	                                (wants_reuse && wants_layouts),
	                        wants_reuse ? OMPP_REUSE_LINE : 0);
	if (wants_reuse)
		ompp_access_reuse_start(shared_lines || ompp_page_use_on || ompp_access_members_on ||
		                        ompp_access_modelled);
	if (wants_layouts && ompp_access_modelled)
		start_relayouts();
	is_ordered = ompp_access_modelled || ompp_access_reused;
	only_pages = ompp_page_use_on && !is_ordered && !shared_lines && !ompp_access_members_on;
	only_lines = shared_lines && !is_ordered && !ompp_page_use_on && !ompp_access_members_on;
	if (shared_lines || (is_ordered && !ompp_access_interchange_on && (ompp_page_use_on || ompp_access_members_on)))
		ompp_order_need();
	ompp_access_tracked_start(ompp_access_modelled);
}

/* Returns 1 when all accesses come here, as the tallies' own ways stay empty; then each thread has ways. */
static inline int sees_all(void)
{
	return ompp_access_modelled | ompp_access_reused | shared_lines | ompp_page_use_on | ompp_access_members_on;
}

/* Returns memory of zeros for a tally of the thread; NULL when there is none. */
static void *take_room(struct ompp_thread *t, size_t n_bytes)
{
	struct ompp_tally_room *room = OMPP_LOAD(&t->tally_room);
	size_t at;

	if (n_bytes > ROOM_BYTES / 4)
		return ompp_space_reserve(n_bytes);
	for (;;) {
		at = room ? atomic_fetch_add_explicit(&room->used, n_bytes, memory_order_relaxed) : ROOM_BYTES;
		if (at + n_bytes <= ROOM_BYTES)
			return (char *)room + at;
		room = ompp_space_reserve(ROOM_BYTES);
		if (!room)
			return NULL;
		ompp_touches_own(room, ROOM_BYTES);
		atomic_store_explicit(&room->used, sizeof(*room), memory_order_relaxed);
		OMPP_STORE(&t->tally_room, room);
	}
}

static struct ompp_tally *new_tally(struct ompp_callnode *node)
{
	uint32_t n_covers = atomic_load_explicit(&ompp_n_covers, memory_order_acquire),
		 n_rows = ompp_access_modelled ? (uint32_t)OMPP_FRONT_COVERS
	                : ompp_access_reused   ? (uint32_t)OMPP_REUSE_COVERS
	                                       : (uint32_t)LEAST_ROWS;
	struct ompp_tally *y;
	size_t n;
	int i;

	if (sees_all() && !ompp_self->sharing.is_made)
		ompp_sharing_init(&ompp_self->sharing, ompp_self->slot);
	while (n_rows < n_covers)
		n_rows *= 2;
	n = sizeof(*y) + (size_t)n_rows * ompp_row_bytes;
	y = take_room(ompp_self, n);
	if (!y)
		return NULL;
	if (n >= HUGE_BYTES)
		ompp_sys_madvise(y, n, MADV_HUGEPAGE);
	if (n > ROOM_BYTES / 4)
		ompp_touches_own(y, n);
	atomic_fetch_add_explicit(&ompp_tallies_bytes, n, memory_order_relaxed);
	for (i = 0; i < OMPP_WAYS; i++)
		y->way[i] = &ompp_no_segment;
	ompp_assert(n_rows >= n_covers && !(n_rows & (n_rows - 1)));
	y->n_rows = n_rows;
	y->node = node;
	y->seen_end = (uint32_t)(sizeof(*y) + (size_t)n_rows * ompp_row_bytes);
	y->row_end = sees_all() ? 0 : y->seen_end;
	/* A signal handler may have made a tally for the same node meanwhile: then both stay in the list.  From here on
	 * a report may read the new one. */
	y->older = OMPP_LOAD(&node->tallies);
	while (!__atomic_compare_exchange_n(&node->tallies, &y->older, y, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return y;
}

/* Starts the calling thread.  A thread whose first event is an access may be a member of a team whose begin is still to
 * come; its later events show what it is.  The OpenMP library cannot be asked, as the thread may be ending, or be none
 * of the library's threads. */
static struct ompp_thread *start_thread(void)
{
	return ompp_thread_start(ompp_sys_getpid() == ompp_sys_gettid());
}

struct ompp_tally *ompp_access_new_tally(uint32_t cover)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node;
	struct ompp_tally *y;

	if (OMPP_LOAD(&ompp_session.off))
		return NULL;
	if (!t->limit)
		t = start_thread();
	if (!t) {
		atomic_fetch_add_explicit(&ompp_n_lost_accesses, 1, memory_order_relaxed);
		return NULL;
	}
	if (!t->stack_named)
		ompp_thread_name_stack(t);
	do {
		node = ompp_thread_node(t);
		y = OMPP_LOAD(&node->tallies);
		if (!y || y->n_rows <= cover)
			y = new_tally(node);
		if (!y) {
			atomic_fetch_add_explicit(&ompp_n_lost_accesses, 1, memory_order_relaxed);
			return NULL;
		}
		OMPP_STORE(&node->tally, y);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		ompp_access_tally = y;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (ompp_thread_node(t) != node);
	return y;
}

/* Does what else is due, beside counting, for an access that begins in segment s, and there in what has this cover. */
static void look_closer(struct ompp_tally *y, const struct ompp_segment *s, uint32_t cover, uintptr_t address,
                        size_t n_bytes, int stores)
{
	struct ompp_thread *t = ompp_self;
	unsigned int missed = 0;

	if (ompp_access_model_for(t))
		missed = ompp_access_model(t, y, s, ompp_cover_row(cover), address, n_bytes, stores);
	if (ompp_access_reuse_for(t))
		ompp_access_reuse(t, ompp_tally_word(y, ompp_cover_row(cover), OMPP_SLOT_REUSE), address, n_bytes);
	if (__builtin_expect(ompp_access_relayouts_on, 0) && t->cache)
		ompp_access_relayout(t, y, cover, address, n_bytes, !stores, missed);
	if (__builtin_expect(shared_lines, 0) && !is_emulated && cover >= OMPP_OBJECT_FIRST_NAMED) {
		if (stores)
			ompp_sharing_store(&t->sharing, y, cover, address, n_bytes);
		else
			ompp_sharing_load(&t->sharing, y, cover, address, n_bytes);
	}
}

/* Counts an access by the members of structures, too, when these are counted. */
static inline void use_member(const struct ompp_tally *y, uint32_t cover, uintptr_t address, size_t n_bytes,
                              unsigned int slot)
{
	if (__builtin_expect(ompp_access_members_on, 0))
		ompp_access_member_add(y, cover, address, 0, 1, n_bytes, slot);
}

/* Counts an access by its page, too, when pages are traced. */
static inline void use_page(const struct ompp_tally *y, uint32_t cover, uintptr_t address, size_t n_bytes,
                            unsigned int slot)
{
	uint32_t how = slot == OMPP_SLOT_LOAD || slot == OMPP_SLOT_BLOCK_LOAD ? OMPP_PAGE_LOADS
	             : slot == OMPP_SLOT_ATOMIC                               ? OMPP_PAGE_LOADS | OMPP_PAGE_STORES
	                                                                      : OMPP_PAGE_STORES;

	if (__builtin_expect(ompp_page_use_on, 0))
		ompp_page_use_add(ompp_self, y->node, cover, address, 0, 1, n_bytes, how);
}

/* Returns the segment that holds an access, when the thread remembers it; else NULL. */
static inline const struct ompp_segment *access_count_remembered(const struct ompp_thread *t, uintptr_t address,
                                                                 size_t n_bytes)
{
	const struct ompp_segment *s = t->sharing.ways.page[ompp_way(address)];

	if (__builtin_expect(!s, 0)) /* the thread has none yet */
		return NULL;
	if (__builtin_expect(ompp_segment_has(s, address, n_bytes), 1))
		return s;
	s = t->sharing.ways.near[ompp_near_way(address)];
	return ompp_segment_has(s, address, n_bytes) ? s : NULL;
}

/* Remembers the segment of an access, unless it is watched; that of small blocks is for hooks alone. */
static void access_count_remember(struct ompp_thread *t, uintptr_t address, const struct ompp_segment *s)
{
	if (only_lines)
		ompp_access_sharing = &t->sharing;
	if (s->row & OMPP_ROW_PAGE && (only_lines || ompp_access_reuse_has_fronts)) {
		ompp_grains_in(s, address);
		t->sharing.ways.page[ompp_way(address)] = s;
	} else if (s->row == ompp_access_row(s)) {
		t->sharing.ways.page[ompp_way(address)] = t->sharing.ways.near[ompp_near_way(address)] = s;
	}
}

/* Adds an access that met n_bytes of [lo, hi) to the row of a cover. */
static void count_bytes(uint32_t cover, unsigned int slot, uintptr_t lo, uintptr_t hi, uint64_t n_bytes)
{
	struct ompp_tally *y = ompp_access_tally_for(cover);
	uint64_t *words;

	if (!y)
		return;
	ompp_assert(cover < y->n_rows && lo < hi && n_bytes <= hi - lo);
	use_member(y, cover, lo, n_bytes, slot);
	words = ompp_tally_word(y, ompp_cover_row(cover), 0);
	ompp_tally_add(words + slot, 1);
	ompp_tally_add(words + slot + 1, n_bytes);
	words += slot == OMPP_SLOT_BLOCK_LOAD ? OMPP_SLOT_LOAD_EXTENT : OMPP_SLOT_STORE_EXTENT;
	if (lo - words[0] >= words[1] || hi - 1 - words[0] >= words[1])
		ompp_tally_extend(lo, words, hi - lo);
}

/* The part of an access that meets one object. */
struct part {
	uint32_t object;
	uintptr_t lo, hi;
	uint64_t n_bytes;
};

/* Adds the bytes [lo, hi) to an object's part.  Returns the number of parts. */
static uint32_t add_part(struct part *parts, uint32_t n, uint32_t object, uintptr_t lo, uintptr_t hi)
{
	uint32_t i;

	for (i = 0; i < n && parts[i].object != object; i++)
		;
	if (i == n)
		parts[n++] = (struct part){ object, lo, hi, 0 };
	ompp_assert(i < n && n <= MOST_PARTS && lo < hi && parts[i].lo <= lo && parts[i].hi <= hi);
	parts[i].hi = hi;
	parts[i].n_bytes += hi - lo;
	return n;
}

/* Counts an access of any size, once for each object that it meets, with the bytes there. */
static void count_parts(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	uintptr_t end = address + n_bytes, at = address;
	const struct ompp_segment *s;
	struct part parts[MOST_PARTS];
	struct ompp_tally *y;
	uint32_t n = 0, i;

	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER))
		return;
	s = ompp_segment_at(address);
	if (OMPP_LOAD(&s->hi) >= end) {
		count_bytes(ompp_access_cover(s, address), slot, address, end, n_bytes);
		y = ompp_access_tally;
		if (y->row_end > ompp_access_row(s) && s->row == ompp_access_row(s))
			y->way[ompp_way(address)] = s;
		return;
	}
	for (; at < end; s = ompp_segment_at(at)) {
		uintptr_t hi = OMPP_LOAD(&s->hi);
		const struct ompp_cover *cover = ompp_cover(ompp_access_cover(s, at));

		hi = hi < end && hi > at ? hi : end; /* it is below where the segment has just ended */
		for (i = 0; i < cover->n_objects && n < MOST_PARTS; i++)
			n = add_part(parts, n, cover->objects[i], at, hi);
		at = hi;
		if (at < end && n < MOST_PARTS)
			continue;
		for (i = 0; i < n; i++)
			count_bytes(ompp_object(parts[i].object)->cover, slot, parts[i].lo, parts[i].hi,
			            parts[i].n_bytes);
		n = 0;
		if (at >= end)
			break;
	}
}

static __attribute__((noinline)) void access_count_meet(uintptr_t address, unsigned int size, unsigned int slot)
{
	uintptr_t n_bytes = (uintptr_t)1 << size;
	const struct ompp_segment *s;
	struct ompp_tally *y;
	uint32_t cover;

	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER)) /* names the thread's stack, before the address is looked up */
		return;
	s = ompp_segment_at(address);
	cover = ompp_access_cover(s, address);
	y = ompp_access_tally_for(cover);
	if (!y)
		return;
	if (OMPP_LOAD(&s->hi) - address >= n_bytes) {
		ompp_tally_count(y, ompp_cover_row(cover), address, size, slot);
		use_member(y, cover, address, n_bytes, slot);
		if (sees_all())
			access_count_remember(ompp_self, address, s);
		else if (s->row == ompp_access_row(s))
			y->way[ompp_way(address)] = s;
	} else {
		count_parts(address, n_bytes, slot == OMPP_SLOT_LOAD ? OMPP_SLOT_BLOCK_LOAD : OMPP_SLOT_BLOCK_STORE);
	}
	if (!y->row_end)
		look_closer(y, s, cover, address, n_bytes, slot == OMPP_SLOT_STORE);
	use_page(y, cover, address, n_bytes, slot);
	if (only_pages && s->row == ompp_access_row(s))
		ompp_page_use_remember(ompp_self, y, address, s);
}

/* Counts an access for which the line in front of the cache model is not enough. */
static __attribute__((noinline)) void count_widely(uintptr_t address, unsigned int size, unsigned int slot)
{
	struct ompp_tally *y = ompp_access_tally;
	const struct ompp_segment *s;

	if (only_pages && ompp_page_use_known(ompp_self, y, address, size, slot))
		return;
	s = sees_all() ? access_count_remembered(ompp_self, address, (size_t)1 << size) : NULL;
	if (__builtin_expect(!s || s->cover >= y->n_rows, 0)) {
		access_count_meet(address, size, slot);
		return;
	}
	ompp_tally_count(y, s->row, address, size, slot);
	use_member(y, s->cover, address, (size_t)1 << size, slot);
	use_page(y, s->cover, address, (size_t)1 << size, slot);
	if (only_pages) {
		ompp_page_use_remember(ompp_self, y, address, s);
		return;
	}
	look_closer(y, s, s->cover, address, (size_t)1 << size, slot == OMPP_SLOT_STORE);
}

/* A thread has fronts only if nothing but the cache model and reuse look at single accesses. */
void ompp_access_count(uintptr_t address, unsigned int size, unsigned int slot)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_front *front = t->front;
	struct ompp_tally *y = ompp_access_tally;
	const struct ompp_segment *s;

	if (front) {
		ompp_front_renew(front);
		s = t->sharing.ways.page[ompp_way(address)];
		if (__builtin_expect(!ompp_segment_holds(s, address, size), 0))
			s = t->sharing.ways.near[ompp_near_way(address)];
		if (__builtin_expect(ompp_segment_holds(s, address, size) && s->cover < y->n_rows &&
		                             ompp_front_is_line(front, address, (size_t)1 << size),
		                     1)) {
			ompp_tally_count(y, s->row, address, size, slot);
			if (__builtin_expect(!ompp_access_modelled, 0)) {
				ompp_access_reuse_front(t, y, s, address, (size_t)1 << size);
				return;
			}
			if (ompp_access_reuse_for(t))
				ompp_access_reuse(t, ompp_tally_word(y, s->row, OMPP_SLOT_REUSE), address,
				                  (size_t)1 << size);
			ompp_access_model_front(t, y, s, address, (size_t)1 << size, slot == OMPP_SLOT_STORE);
			return;
		}
	}
	count_widely(address, size, slot);
}

void ompp_access_count_block(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	const struct ompp_segment *s = sees_all() ? access_count_remembered(ompp_self, address, n_bytes) : NULL;
	struct ompp_tally *y = ompp_access_tally;
	int stores = slot == OMPP_SLOT_BLOCK_STORE || slot == OMPP_SLOT_ATOMIC;
	uint32_t cover;

	if (s && s->cover < y->n_rows) {
		count_bytes(s->cover, slot, address, address + n_bytes, n_bytes);
		look_closer(y, s, s->cover, address, n_bytes, stores);
		use_page(y, s->cover, address, n_bytes, slot);
		if (only_pages)
			ompp_page_use_remember(ompp_self, y, address, s);
		return;
	}
	count_parts(address, n_bytes, slot);
	if (!sees_all())
		return;
	s = ompp_segment_at(address);
	cover = ompp_access_cover(s, address);
	y = ompp_access_tally_for(cover);
	if (!y)
		return;
	look_closer(y, s, cover, address, n_bytes, stores);
	use_page(y, cover, address, n_bytes, slot);
	access_count_remember(ompp_self, address, s);
	if (only_pages && s->row == ompp_access_row(s))
		ompp_page_use_remember(ompp_self, y, address, s);
}

void ompp_access_count_known(uint32_t cover, uintptr_t address, size_t n_bytes, unsigned int size, unsigned int slot)
{
	static const struct ompp_segment no_line = { .row = OMPP_ROW_WATCHED }; /* it leads to no front */
	struct ompp_tally *y = ompp_access_tally_for(cover);
	int is_plain = size < OMPP_SIZES && (slot == OMPP_SLOT_LOAD || slot == OMPP_SLOT_STORE);

	if (!y)
		return;
	if (is_plain) {
		ompp_tally_count(y, ompp_cover_row(cover), address, size, slot);
		use_member(y, cover, address, n_bytes, slot);
	} else {
		count_bytes(cover, slot, address, address + n_bytes, n_bytes);
	}
	if (!y->row_end)
		look_closer(y, &no_line, cover, address, n_bytes,
		            slot != OMPP_SLOT_LOAD && slot != OMPP_SLOT_BLOCK_LOAD);
	use_page(y, cover, address, n_bytes, slot);
}

void ompp_access_off(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	struct ompp_callnode *node;

	for (i = 0; i < n; i++) {
		struct ompp_thread *t = ompp_threads[i];

		for (node = __atomic_load_n(&t->graph.newest, __ATOMIC_ACQUIRE); node; node = node->older)
			OMPP_STORE(&node->tally, &ompp_no_tally);
		if (t->tally)
			__atomic_store_n(t->tally, &ompp_no_tally, __ATOMIC_RELAXED);
	}
}
