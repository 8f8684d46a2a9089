/*
 * Sharing: see sharing.h.
 */
#include "runtime/data/sharing.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/host/clock.h"

/* Lines of a block have their words near each other, so that a walk through memory is one through the table; but words
 * of one cache line are of lines that are BLOCK_STEPS apart, as counters that were padded to a line of their own would
 * share one here. */
enum { N_LAST = 1 << 20, BLOCK_LINES = 256, BLOCK_STEPS = 32 };

/* Transfers from one try to time one to the next: for the first OMPP_TRANSFER_TIMES, and from then on; and how many
 * loads wait for another thread to take the line.  Later tries take less than a hundredth of the transfers' own time.
 */
enum { FIRST_TRANSFERS = 64, LATER_TRANSFERS = 4096, LOADS = 64 };

int ompp_sharing_is_timed = 1;

static uint64_t watched[(1 << OMPP_WATCH_BITS) / 64];
static _Atomic uint32_t n_watched;

/* A word for each line: ompp_sharing_mark() of the thread that wrote it last.  Behind these, for each of them, how
 * often its line was taken back from threads that had loaded from it, as a uint32_t. */
static _Atomic(uint64_t *) last_table;

static struct ompp_sharing_entry no_line; /* the first entry of threads that have no others: its line is 0 */

static uint64_t *last_of(uintptr_t line)
{
	uint64_t *table = atomic_load_explicit(&last_table, memory_order_acquire), *fresh;
	uintptr_t block = line / BLOCK_LINES, within = line % BLOCK_LINES;

	if (!table) {
		fresh = ompp_data_alloc(N_LAST * (sizeof(*fresh) + sizeof(uint32_t)));
		if (!fresh)
			return NULL;
		if (atomic_compare_exchange_strong(&last_table, &table, fresh))
			table = fresh;
	}
	block = (block * 0x9E3779B97F4A7C15u >> 32) % (N_LAST / BLOCK_LINES);
	return &table[block * BLOCK_LINES + within % BLOCK_STEPS * (BLOCK_LINES / BLOCK_STEPS) + within / BLOCK_STEPS];
}

static uint32_t *taken_of(const uint64_t *last)
{
	uint64_t *table = atomic_load_explicit(&last_table, memory_order_relaxed);

	return (uint32_t *)(table + N_LAST) + (last - table);
}

void ompp_sharing_watch(uintptr_t line)
{
	uint32_t bit = ompp_sharing_watch_bit(line);

	if (OMPP_LOAD(&watched[bit / 64]) >> bit % 64 & 1 ||
	    atomic_fetch_add_explicit(&n_watched, 1, memory_order_relaxed) >= OMPP_WATCH_MOST)
		return;
	__atomic_fetch_or(&watched[bit / 64], UINT64_C(1) << bit % 64, __ATOMIC_RELAXED);
}

uint64_t ompp_sharing_n_unwatched(void)
{
	uint32_t n = atomic_load_explicit(&n_watched, memory_order_relaxed);

	return n > OMPP_WATCH_MOST ? n - OMPP_WATCH_MOST : 0;
}

void ompp_sharing_init(struct ompp_sharing *own, uint32_t slot)
{
	ompp_assert(slot + 1 < OMPP_SHARING_LOADED); /* a mark has as many bits for it */
	for (size_t i = 0; i < OMPP_WAYS; i++)
		own->ways.page[i] = own->ways.near[i] = &ompp_no_segment;
	own->slot = slot;
	own->watched = watched;
	own->named_row = ompp_cover_row(OMPP_OBJECT_FIRST_NAMED);
	own->is_made = 1;
	ompp_sharing_after_fork(own);
}

void ompp_sharing_after_fork(struct ompp_sharing *own)
{
	if (!own->is_made)
		return;
	memset(own->recent, 0, sizeof(own->recent));
	memset(own->fetched, 0, sizeof(own->fetched));
	own->has_entries = 0;
	own->entries = &no_line;
	own->n = 0;
	own->n_lost = own->n_let_in = own->sweep_at = 0;
	own->is_crowded = 0;
	own->n_timed = own->n_tries = own->hit_ticks = 0;
	memset(own->times, 0, sizeof(own->times));
	own->n_untimed = ompp_clock_kind == OMPP_CLOCK_FAKE || !ompp_sharing_is_timed ? 0 : FIRST_TRANSFERS;
	own->is_timing = own->n_untimed != 0;
}

/* Makes the entries.  Returns 0, or -1 without memory. */
static int make_entries(struct ompp_sharing *own)
{
	struct ompp_sharing_entry *entries = ompp_data_alloc(OMPP_SHARING_ENTRIES * sizeof(*entries));

	own->made = ompp_data_alloc(1 << OMPP_MADE_BITS >> 3);
	if (!entries || !own->made)
		return -1;
	__atomic_store_n(&own->entries, entries, __ATOMIC_RELEASE);
	__atomic_store_n(&own->has_entries, 1, __ATOMIC_RELEASE);
	return 0;
}

/* Returns the entry of a line and a node in a table; a free one where there is none. */
static struct ompp_sharing_entry *find_entry(struct ompp_sharing_entry *entries, uintptr_t line, const void *node)
{
	uint64_t h = (line ^ (uintptr_t)node << 7) * 0x9E3779B97F4A7C15u;

	for (size_t at = (size_t)(h >> 40);; at++) {
		struct ompp_sharing_entry *e = &entries[at % OMPP_SHARING_ENTRIES];

		if (at % OMPP_SHARING_ENTRIES && (!e->line || (e->line == line && e->node == node)))
			return e;
	}
}

static void keep_made(struct ompp_sharing *own, uintptr_t line)
{
	uint32_t bit = ompp_sharing_bit(line);

	own->made[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Removes the entries of lines that no other thread had written before this one stored to them, or loaded from them.
 * The old table stays as it is until the next sweep, as a report may be reading it. */
static void sweep(struct ompp_sharing *own)
{
	struct ompp_sharing_entry *old = own->entries;

	if (!own->spare)
		own->spare = ompp_data_alloc(OMPP_SHARING_ENTRIES * sizeof(*own->spare));
	if (!own->spare)
		return;
	memset(own->spare, 0, OMPP_SHARING_ENTRIES * sizeof(*own->spare));
	memset(own->made, 0, 1 << OMPP_MADE_BITS >> 3);
	memset(own->recent, 0, sizeof(own->recent));
	own->n = 0;
	for (size_t i = 1; i < OMPP_SHARING_ENTRIES; i++) {
		if (!old[i].n_transfers && !old[i].n_fetches)
			continue;
		*find_entry(own->spare, old[i].line, old[i].node) = old[i];
		keep_made(own, old[i].line);
		own->n++;
	}
	__atomic_store_n(&own->entries, own->spare, __ATOMIC_RELEASE);
	own->spare = old;
}

/* Is there room for a new entry?  Where a sweep finds little to remove, the next one is after as many lost stores as
 * there are entries, so that it costs each of them no more than a look at one. */
static int has_room(struct ompp_sharing *own)
{
	if (own->n >= OMPP_SHARING_MOST) {
		own->is_crowded = 1;
		if (own->n_lost < own->sweep_at)
			return 0;
		own->sweep_at = own->n_lost + OMPP_SHARING_ENTRIES;
		sweep(own);
	}
	return own->n < OMPP_SHARING_MOST && (!own->is_crowded || ompp_sharing_lets_in(own));
}

/* Returns the entry of a line and a node, perhaps a new one; NULL when there is no room. */
static struct ompp_sharing_entry *entry_of(struct ompp_sharing *own, uintptr_t line, const void *node, uint32_t cover)
{
	struct ompp_sharing_entry *e;

	if (!own->has_entries && make_entries(own))
		return NULL;
	e = find_entry(own->entries, line, node);
	if (e->line)
		return e;
	if (!has_room(own))
		return NULL;
	e = find_entry(own->entries, line, node); /* a sweep has changed the table */
	ompp_assert(line && !e->line && own->n < OMPP_SHARING_ENTRIES - 1);
	e->last = last_of(line);
	if (!e->last)
		return NULL;
	e->taken = taken_of(e->last);
	own->n++;
	own->n_let_in += own->is_crowded;
	keep_made(own, line);
	e->node = node;
	e->cover = cover;
	__atomic_store_n(&e->line, line, __ATOMIC_RELEASE);
	return e;
}

/* Lets no instruction begin before those above it have ended, where the processor has such a fence. */
static inline void wait_for_all(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("isb" : : : "memory");
#else
	ompp_fence();
#endif
}

/* Returns the ticks that a load takes, between fences so that nothing else is in them. */
static inline uint64_t ticks_of_load(const uint64_t *word, uint64_t *value)
{
	uint64_t start;

	wait_for_all();
	start = ompp_clock();
	wait_for_all();
	*value = OMPP_LOAD(word);
	wait_for_all();
	return ompp_clock() - start;
}

/* Times a transfer: the word of the line, which is this thread's now, is loaded until another thread has stored to it,
 * and that load had to fetch it. */
static void time_transfer(struct ompp_sharing *own, const struct ompp_sharing_entry *e)
{
	uint64_t mine = ompp_sharing_mark(e->line, own->slot), value, ticks;

	for (int i = 0; i < LOADS; i++) {
		ticks = ticks_of_load(e->last, &value);
		if (value == mine && (!own->hit_ticks || ticks < own->hit_ticks))
			own->hit_ticks = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
		if (value == mine)
			continue;
		if (own->hit_ticks && ticks > own->hit_ticks && ticks < UINT32_MAX) {
			OMPP_STORE(&own->times[own->n_timed % OMPP_TRANSFER_TIMES], (uint32_t)ticks - own->hit_ticks);
			OMPP_STORE(&own->n_timed, own->n_timed + 1);
		}
		break;
	}
	own->n_untimed = own->n_tries++ < OMPP_TRANSFER_TIMES ? FIRST_TRANSFERS : LATER_TRANSFERS;
}

static void store_in_line(struct ompp_sharing *own, const struct ompp_tally *tally, uint32_t cover, uintptr_t line,
                          uint64_t bytes)
{
	struct ompp_sharing_entry *e = entry_of(own, line, tally->node, cover);

	if (!e) {
		own->n_lost++;
		return;
	}
	ompp_sharing_take(own, e);
	if (own->is_timing && !own->n_untimed) {
		time_transfer(own, e);
		ompp_sharing_take(own, e);
	}
	ompp_assert(e->line == line && bytes && own->n <= OMPP_SHARING_MOST);
	ompp_assert(e > own->entries && e < own->entries + OMPP_SHARING_ENTRIES && !own->entries->line);
	OMPP_STORE(&e->bytes, e->bytes | bytes);
	ompp_tally_add(&e->n_stores, 1);
	if (!(e->n_stores % OMPP_WATCH_STORES))
		ompp_sharing_watch(line);
	e->tally = tally;
	own->recent[line % OMPP_RECENT_LINES] = (uint16_t)(e - own->entries);
}

/* Returns the end of the part of [address, end) that is in the first line, and a bit for each of its bytes there. */
static uintptr_t end_in_line(uintptr_t address, uintptr_t end, uint64_t *bytes)
{
	uintptr_t at = address % OMPP_LINE_BYTES, line_end = address - at + OMPP_LINE_BYTES;
	uintptr_t n = (line_end < end ? line_end : end) - address;

	ompp_assert(n && at + n <= OMPP_LINE_BYTES);
	*bytes = (n == OMPP_LINE_BYTES ? UINT64_MAX : ((uint64_t)1 << n) - 1) << at;
	return address + n;
}

void ompp_sharing_store(struct ompp_sharing *own, const struct ompp_tally *tally, uint32_t cover, uintptr_t address,
                        size_t n_bytes)
{
	uint64_t bytes;

	for (uintptr_t end = address + n_bytes, next; address < end; address = next) {
		next = end_in_line(address, end, &bytes);
		store_in_line(own, tally, cover, address / OMPP_LINE_BYTES, bytes);
	}
}

/* Returns the entry of a watched line that another thread has stored to, or that this one has loaded from before; else
 * NULL. */
static struct ompp_sharing_entry *loaded_entry(struct ompp_sharing *own, uintptr_t line, const void *node,
                                               uint32_t cover)
{
	struct ompp_sharing_entry *e = own->has_entries ? find_entry(own->entries, line, node) : NULL;
	const uint64_t *last;
	uint64_t was;

	if (e && e->line)
		return e;
	last = last_of(line);
	was = last ? OMPP_LOAD(last) & ~(uint64_t)OMPP_SHARING_LOADED : 0;
	if ((was ^ ompp_sharing_mark(line, own->slot)) >> 16 || was == ompp_sharing_mark(line, own->slot))
		return NULL;
	e = entry_of(own, line, node, cover);
	own->n_lost += !e;
	return e;
}

/* Is it the thread's first load, in whichever node, since the line was taken back for the last time?
 * was_loaded: 1 when some thread has loaded from it since */
static int has_to_fetch(struct ompp_sharing *own, uintptr_t line, uint32_t now, int was_loaded)
{
	struct ompp_sharing_fetch *f = &own->fetched[line % OMPP_FETCHED_LINES];

	if (was_loaded && f->line == line && f->now == now)
		return 0;
	*f = (struct ompp_sharing_fetch){ line, now };
	return 1;
}

static void load_from_line(struct ompp_sharing *own, const struct ompp_tally *tally, uint32_t cover, uintptr_t line,
                           uint64_t bytes)
{
	struct ompp_sharing_entry *e = loaded_entry(own, line, tally->node, cover);
	uint64_t was, mine = ompp_sharing_mark(line, own->slot);
	uint32_t now;

	if (!e)
		return;
	OMPP_STORE(&e->loaded, e->loaded | bytes);
	ompp_tally_add(&e->n_loads, 1);
	e->tally = tally;
	own->recent[line % OMPP_RECENT_LINES] = (uint16_t)(e - own->entries);
	was = OMPP_LOAD(e->last);
	if ((was ^ mine) >> 16 || (was & ~(uint64_t)OMPP_SHARING_LOADED) == mine)
		return;
	now = OMPP_LOAD(e->taken) + 1;
	if (!(was & OMPP_SHARING_LOADED))
		OMPP_STORE(e->last, was | OMPP_SHARING_LOADED);
	else if (e->seen == now)
		return;
	e->seen = now;
	if (has_to_fetch(own, line, now, (was & OMPP_SHARING_LOADED) != 0))
		ompp_tally_add(&e->n_fetches, 1);
}

void ompp_sharing_load(struct ompp_sharing *own, const struct ompp_tally *tally, uint32_t cover, uintptr_t address,
                       size_t n_bytes)
{
	uint64_t bytes;

	for (uintptr_t end = address + n_bytes, next; address < end; address = next) {
		next = end_in_line(address, end, &bytes);
		if (ompp_sharing_is_watched(own, address))
			load_from_line(own, tally, cover, address / OMPP_LINE_BYTES, bytes);
	}
}
