/*
 * Access count: see access_count.h.
 */
#define _GNU_SOURCE
#include "runtime/core/access_count.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/note.h"
#include "runtime/base/option.h"
#include "runtime/base/sys.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/core/thread_start.h"
#include "runtime/core/touch.h"
#include "runtime/data/first.h"
#include "runtime/data/front.h"
#include "runtime/data/order.h"
#include "runtime/data/range.h"
#include "runtime/data/sharing.h"

enum { LEAST_ROWS = 16, HUGE_BYTES = 4 << 20, MOST_PARTS = 32 };

struct ompp_cache_geometry ompp_access_geometry;
_Atomic uint64_t ompp_n_lost_accesses;

static int modelled, shared_lines; /* 1 when the cache model is on; 1 when the search for shared lines is on */
static void *shared_cache;

void ompp_access_start(void)
{
	const char *text = ompp_session.options.text[OMPP_OPT_CACHE];
	char why[256];

	if (ompp_cache_geometry(text, &ompp_access_geometry, why, sizeof(why))) {
		ompp_note_say(why);
		memset(&ompp_access_geometry, 0, sizeof(ompp_access_geometry));
	}
	if (ompp_access_geometry.level[0].bytes || ompp_access_geometry.level[1].bytes ||
	    ompp_access_geometry.level[2].bytes) {
		size_t n = ompp_cache_shared_bytes(&ompp_access_geometry);

		shared_cache = n ? ompp_data_alloc(n) : NULL;
		if (n && !shared_cache) {
			ompp_note_say("OMPP_CACHE: no memory for the model; no misses are given");
			memset(&ompp_access_geometry, 0, sizeof(ompp_access_geometry));
		} else {
			ompp_row_bytes = OMPP_N_MODEL_SLOTS * sizeof(uint64_t);
			modelled = 1;
		}
	}
	shared_lines = ompp_session.options.number[OMPP_OPT_SHARING] != 0;
	if (modelled)
		ompp_order_keep();
	if (shared_lines)
		ompp_order_need();
}

static struct ompp_tally *new_tally(struct ompp_callnode *node)
{
	uint32_t n_covers = atomic_load_explicit(&ompp_n_covers, memory_order_acquire),
		 n_rows = modelled ? OMPP_FRONT_COVERS : LEAST_ROWS;
	struct ompp_tally *y;
	size_t n;
	int i;

	while (n_rows < n_covers)
		n_rows *= 2;
	n = sizeof(*y) + (size_t)n_rows * ompp_row_bytes;
	y = ompp_sys_mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!y)
		return NULL;
	if (n >= HUGE_BYTES)
		ompp_sys_madvise(y, n, MADV_HUGEPAGE);
	ompp_touches_own(y, n);
	for (i = 0; i < OMPP_WAYS; i++)
		y->way[i] = &ompp_no_segment;
	y->n_rows = n_rows;
	y->node = node;
	y->row_end = modelled || shared_lines ? 0 : (uint32_t)(sizeof(*y) + (size_t)n_rows * ompp_row_bytes);
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

static __attribute__((noinline, cold)) void *new_cache(struct ompp_thread *t)
{
	t->cache = ompp_data_alloc(ompp_cache_private_bytes(&ompp_access_geometry));
	if (t->cache && !shared_lines) /* which need each store */
		t->front = ompp_front_new(&ompp_access_geometry);
	return t->cache;
}

void ompp_access_prepare(struct ompp_thread *t)
{
	if (modelled && !t->cache)
		new_cache(t);
}

/* Counts how far this miss is from the one before, and whether that is as far as most are. */
static void add_step(struct ompp_tally *y, uint32_t row, uintptr_t address)
{
	uint64_t *last = ompp_tally_word(y, row, OMPP_SLOT_LAST), *step = ompp_tally_word(y, row, OMPP_SLOT_STEP);
	uint64_t *votes = ompp_tally_word(y, row, OMPP_SLOT_VOTES), *steps = ompp_tally_word(y, row, OMPP_SLOT_STEPS);
	uint64_t now = address - *last;

	OMPP_STORE(last, address);
	if (now == *step) {
		OMPP_STORE(votes, *votes + 1);
		OMPP_STORE(steps, *steps + 1);
	} else if (*votes) {
		OMPP_STORE(votes, *votes - 1);
	} else {
		OMPP_STORE(step, now);
		OMPP_STORE(steps, 0);
	}
}

static __attribute__((noinline)) void add_misses(const struct ompp_thread *t, struct ompp_tally *y, uint32_t row,
                                                 unsigned int missed, uintptr_t address, size_t n_bytes)
{
	unsigned int i;

	if (n_bytes <= 1u << (OMPP_SIZES - 1))
		add_step(y, row, address);
	if (ompp_first_is_other(t->slot, address))
		ompp_tally_add(ompp_tally_word(y, row, OMPP_SLOT_FOREIGN), 1);
	for (i = 0; missed; i++, missed >>= 1)
		if (missed & 1)
			ompp_tally_add(ompp_tally_word(y, row, OMPP_SLOT_MISS + i), 1);
}

/* Returns 1 when no store to the page would tell anything new about who wrote it first. */
static inline int is_written(struct ompp_front *front, uintptr_t address)
{
	uintptr_t page = address >> OMPP_PAGE_BITS, *known = &front->page[page % OMPP_FRONT_PAGES];

	if (*known == page)
		return 1;
	if (!ompp_first_is_known(address))
		return 0;
	*known = page;
	return 1;
}

static inline void model(struct ompp_thread *t, struct ompp_tally *y, uint32_t row, uintptr_t address, size_t n_bytes,
                         int stores)
{
	unsigned int missed = ompp_cache_access(&ompp_access_geometry, t->cache, shared_cache, address, n_bytes);

	if (missed)
		add_misses(t, y, row, missed, address, n_bytes);
	if (stores)
		ompp_first_store(t->slot, &t->last_page, address, n_bytes);
}

void ompp_access_model(struct ompp_thread *t, struct ompp_tally *y, uint32_t row, uintptr_t address, size_t n_bytes,
                       int stores)
{
	model(t, y, row, address, n_bytes, stores);
	ompp_front_leave(t->front, address);
}

/* Does what else is due, beside counting, for an access that begins in segment s. */
static inline void look_closer(struct ompp_tally *y, const struct ompp_segment *s, uintptr_t address, size_t n_bytes,
                               int stores)
{
	struct ompp_thread *t = ompp_self;

	if (modelled && (__builtin_expect(t->cache != NULL, 1) || new_cache(t))) {
		struct ompp_front *front = t->front;

		model(t, y, ompp_access_row(s), address, n_bytes, stores);
		if (front) {
			ompp_access_front = front;
			y->way[ompp_way(address)] = ompp_front_enter(front, s, address, n_bytes,
			                                             is_written(front, address));
		}
	}
	if (__builtin_expect(shared_lines, 0) && stores && s->cover >= OMPP_OBJECT_FIRST_NAMED)
		ompp_sharing_store(&t->sharing, t->slot, y->node, s->cover, address, n_bytes);
}

/* Adds an access that met n_bytes of [lo, hi) to the row of a cover. */
static void count_bytes(uint32_t cover, unsigned int slot, uintptr_t lo, uintptr_t hi, uint64_t n_bytes)
{
	struct ompp_tally *y = ompp_access_tally_for(cover);
	uint64_t *words;

	if (!y)
		return;
	words = ompp_tally_word(y, (uint32_t)sizeof(*y) + cover * ompp_row_bytes, 0);
	ompp_tally_add(words + slot, 1);
	ompp_tally_add(words + slot + 1, n_bytes);
	words += slot == OMPP_SLOT_BLOCK_LOAD ? OMPP_SLOT_LOAD_EXTENT : OMPP_SLOT_STORE_EXTENT;
	ompp_tally_extend(words, lo, hi - lo);
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
		count_bytes(s->cover, slot, address, end, n_bytes);
		y = ompp_access_tally;
		if (y->row_end > ompp_access_row(s) && s->row == ompp_access_row(s))
			y->way[ompp_way(address)] = s;
		return;
	}
	for (; at < end; s = ompp_segment_at(at)) {
		uintptr_t hi = OMPP_LOAD(&s->hi);
		const struct ompp_cover *cover = ompp_cover(s->cover);

		hi = hi < end ? hi : end;
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

static __attribute__((noinline)) void meet(uintptr_t address, unsigned int size, unsigned int slot,
                                           const struct ompp_segment **way)
{
	uintptr_t n_bytes = (uintptr_t)1 << size;
	const struct ompp_segment *s;
	struct ompp_tally *y;

	if (!ompp_access_tally_for(OMPP_OBJECT_OTHER)) /* names the thread's stack, before the address is looked up */
		return;
	s = ompp_segment_at(address);
	y = ompp_access_tally_for(s->cover);
	if (!y)
		return;
	if (OMPP_LOAD(&s->hi) - address >= n_bytes) {
		ompp_tally_count(y, ompp_access_row(s), address, size, slot);
		if (s->row == ompp_access_row(s))
			*(way ? way : &y->way[ompp_way(address)]) = s;
	} else {
		count_parts(address, n_bytes, slot == OMPP_SLOT_LOAD ? OMPP_SLOT_BLOCK_LOAD : OMPP_SLOT_BLOCK_STORE);
	}
	if (!y->row_end)
		look_closer(y, s, address, n_bytes, slot == OMPP_SLOT_STORE);
}

void ompp_access_count(uintptr_t address, unsigned int size, unsigned int slot)
{
	const struct ompp_segment *s, **way = NULL;
	struct ompp_tally *y = ompp_access_tally;

	if (modelled | shared_lines) { /* the tally's own ways stay empty, so that all accesses come here */
		way = &ompp_self->ways[ompp_way(address)];
		s = *way;
		if (__builtin_expect(ompp_segment_holds(s, address, size) && s->cover < y->n_rows, 1)) {
			ompp_tally_count(y, s->row, address, size, slot);
			look_closer(y, s, address, (size_t)1 << size, slot == OMPP_SLOT_STORE);
			return;
		}
	}
	meet(address, size, slot, way);
}

void ompp_access_count_block(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	const struct ompp_segment *s;
	struct ompp_tally *y;

	count_parts(address, n_bytes, slot);
	if (modelled || shared_lines) {
		s = ompp_segment_at(address);
		y = ompp_access_tally_for(s->cover);
		if (y)
			look_closer(y, s, address, n_bytes, slot == OMPP_SLOT_BLOCK_STORE || slot == OMPP_SLOT_ATOMIC);
	}
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
