/*
 * Sharing: finds cache lines that several threads write (true or false sharing), by checking each store to named data.
 *
 * Each thread keeps, for each line and call-tree node, which bytes it wrote and how often, and how often another thread
 * had written the line since.  All threads share a table that stores for each line the thread that wrote it last.  A
 * thread writes there only when another thread wrote the line before, so that a word moves between processors no more
 * often than its line.
 *
 * A thread that loads from a line after another one's store to it pays for that, too, whichever bytes it loads.  Loads
 * are looked at in lines alone that a thread stores to again and again (watched lines): a bit for each of them, which
 * hooks read, says so, and nothing is done for other lines.  The line's word says whether it was loaded from since the
 * last store, and another one how often it was taken back then: a load that finds another number there than the
 * thread's load before had to fetch the line.
 *
 * Tables have a fixed size.  When a thread's is full, the lines that no other thread had written
 * make room, and from then on one in 64 of the stores to lines without an entry makes one: a line that threads hand to
 * each other is stored to often.  The other stores are counted as lost.
 *
 * What a transfer takes is measured in the run itself, between the processors that hand lines to each other: now and
 * then a thread that has just taken a line waits a moment for another one to take it, and times the load that sees
 * that.
 *
 * Unless something else needs individual accesses (the cache model, pages), hooks count accesses to memory, and stores
 * to lines, that the thread used recently, without the slow path.
 */
#ifndef OMPP_DATA_SHARING_H
#define OMPP_DATA_SHARING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/data/grain.h"
#include "runtime/data/tally.h"

enum {
	OMPP_LINE_BYTES = 64,
	OMPP_SHARING_ENTRIES = 1 << 16,
	OMPP_SHARING_MOST = OMPP_SHARING_ENTRIES / 4 * 3, /* the most entries that are used */
	OMPP_RECENT_LINES = 1024,
	OMPP_NEAR_BITS = 6,
	OMPP_MADE_BITS = 19,  /* of a thread's map of lines that have an entry */
	OMPP_LET_IN_BITS = 6, /* one store in 2^6 */
	OMPP_TRANSFER_TIMES = 64,
	OMPP_WATCH_STORES = 1024,  /* after so many stores of a thread in a node a line is watched */
	OMPP_WATCH_BITS = 15,      /* of the map of watched lines: it has to stay in the first cache */
	OMPP_WATCH_MOST = 1 << 12, /* lines that are watched */
	OMPP_FETCHED_LINES = OMPP_RECENT_LINES
};

struct ompp_sharing_entry {
	uintptr_t line; /* address / OMPP_LINE_BYTES; 0 when the entry is free */
	const void *node;
	uint64_t bytes;                 /* bit i is set when byte i of the line was written */
	uint64_t n_stores, n_transfers; /* all stores, and those that came after another thread's store */
	uint64_t loaded;                /* bit i is set when byte i was loaded while the line was watched */
	uint64_t n_loads, n_fetches;    /* such loads, and those that came after another thread's store */
	uint64_t *last;                 /* the line's word in the shared table */
	uint32_t *taken;                /* how often it was taken back from threads that had loaded from it */
	uint32_t seen;                  /* that number at the last load, + 1; 0 before that */
	const struct ompp_tally *tally; /* the node's tally that counted the latest store */
	uint32_t cover;                 /* cover of the first byte that was written */
};

/* A thread's latest fetch of a line: the number of struct ompp_sharing_entry's `seen`. */
struct ompp_sharing_fetch {
	uintptr_t line;
	uint32_t now;
};

/* The segments of a thread's recent accesses: by page, and by 64 bytes for pages with several objects.  A segment with
 * OMPP_ROW_PAGE stands for the small blocks of its page. */
struct ompp_ways {
	const struct ompp_segment *page[OMPP_WAYS], *near[OMPP_WAYS];
};

/* The data of one thread. */
struct ompp_sharing {
	struct ompp_ways ways;
	struct ompp_sharing_entry *entries; /* OMPP_SHARING_ENTRIES, open addressing; only the first, which is always
	                                       free, when has_entries is 0 */
	uint64_t *made; /* 1 << OMPP_MADE_BITS bits: if the bit of a line is 0, no node has an entry for it */
	uint16_t recent[OMPP_RECENT_LINES]; /* by line: index of its probable entry; 0 for none */
	const uint64_t *watched;            /* the map of watched lines */
	uint32_t slot;                      /* the thread's */
	uint32_t named_row;                 /* the first row of memory with a name */
	uint32_t n, has_entries;
	uint32_t is_made;                 /* 0 while all of it is 0 */
	uint64_t n_lost;                  /* stores and loads for which there was no room */
	uint64_t n_let_in;                /* new entries since the table was full for the first time */
	uint64_t sweep_at;                /* n_lost when entries may make room for others again */
	struct ompp_sharing_entry *spare; /* a second table, to sweep the first; NULL before that */
	uint32_t is_crowded;              /* 1 once the table was full */
	uint32_t is_timing;               /* 1 with a clock that can time transfers */
	uint32_t n_untimed;               /* transfers until one is timed; 0 when it is the next store's turn */
	uint32_t hit_ticks;               /* the fewest that a load took which saw no change; 0 before there was one */
	uint32_t n_tries, n_timed;
	uint32_t times[OMPP_TRANSFER_TIMES]; /* ticks of the latest transfers that were timed; for reports */
	struct ompp_sharing_fetch fetched[OMPP_FETCHED_LINES]; /* by line */
};

/* 0 where transfers cannot be timed, as an emulator's times are not the processor's.  Set once, when the session
 * starts. */
extern int ompp_sharing_is_timed;

/* Initialises the data of a thread. */
void ompp_sharing_init(struct ompp_sharing *own, uint32_t slot);

/* Clears lines and counts, in a forked child. */
void ompp_sharing_after_fork(struct ompp_sharing *own);

/* Records a load likewise, in those of its lines that are watched. */
void ompp_sharing_load(struct ompp_sharing *own, const struct ompp_tally *tally, uint32_t cover, uintptr_t address,
                       size_t n_bytes);

/* Lets loads from a line be looked at from now on, unless as many as may be are watched.  COLD. */
void ompp_sharing_watch(uintptr_t line);

/* Returns how often a line was not let in there. */
uint64_t ompp_sharing_n_unwatched(void);

/* Records a store to memory with this cover, which this tally has counted. */
void ompp_sharing_store(struct ompp_sharing *own, const struct ompp_tally *tally, uint32_t cover, uintptr_t address,
                        size_t n_bytes);

static inline unsigned int ompp_near_way(uintptr_t address)
{
	return ompp_way(address << (OMPP_PAGE_BITS - OMPP_NEAR_BITS));
}

/* Returns the value of a line's word when this thread wrote the line last.  It also identifies the line, as several
 * lines share a word. */
static inline uint64_t ompp_sharing_mark(uintptr_t line, uint32_t slot)
{
	return (uint64_t)line << 16 | (slot + 1);
}
enum { OMPP_SHARING_LOADED = 1 << 15 }; /* in a mark: another thread has loaded from the line since */

static inline uint32_t ompp_sharing_watch_bit(uintptr_t line)
{
	return (uint32_t)(line * 0x9E3779B97F4A7C15u >> (64 - OMPP_WATCH_BITS));
}

/* Is the line of an address watched, or another one with the same bit? */
static inline int ompp_sharing_is_watched(const struct ompp_sharing *own, uintptr_t address)
{
	uint32_t bit = ompp_sharing_watch_bit(address / OMPP_LINE_BYTES);

	return OMPP_LOAD(&own->watched[bit / 64]) >> bit % 64 & 1;
}

/* Returns the number of a line's bit. */
static inline uint32_t ompp_sharing_bit(uintptr_t line)
{
	return (uint32_t)(line * 0x9E3779B97F4A7C15u >> (64 - OMPP_MADE_BITS));
}

/* In a crowded table: may the next store to a line without an entry make one?  The multiples of the golden ratio have
 * no period that a loop could have, too. */
static inline int ompp_sharing_lets_in(const struct ompp_sharing *own)
{
	return (own->n_lost + own->n_let_in) * 0x9E3779B97F4A7C15u >> (64 - OMPP_LET_IN_BITS) == 0;
}

/* Returns 1 when it is certain that there is no room for a store to a line. */
static inline int ompp_sharing_loses(const struct ompp_sharing *own, uintptr_t line)
{
	uint32_t bit = ompp_sharing_bit(line);

	return own->is_crowded && !(own->made[bit / 64] >> bit % 64 & 1) && !ompp_sharing_lets_in(own);
}

/* Records the thread as the last writer of an entry's line.  When a transfer is to be timed, the line's next store
 * takes the long way. */
static inline void ompp_sharing_take(struct ompp_sharing *own, struct ompp_sharing_entry *e)
{
	uint64_t mine = ompp_sharing_mark(e->line, own->slot), was = OMPP_LOAD(e->last);

	if (__builtin_expect(was == mine, 1))
		return;
	OMPP_STORE(e->last, mine);
	if ((was ^ mine) >> 16)
		return;
	if (was & OMPP_SHARING_LOADED) {
		__atomic_fetch_add(e->taken, 1, __ATOMIC_RELAXED);
		if ((was ^ mine) == OMPP_SHARING_LOADED)
			return;
	}
	ompp_tally_add(&e->n_transfers, 1);
	if (own->n_untimed && !--own->n_untimed)
		own->recent[e->line % OMPP_RECENT_LINES] = 0;
}

/* Returns the row of a segment that contains an access, or of the small block there; 0 when it is not known. */
static inline __attribute__((always_inline)) uint32_t ompp_ways_row(const struct ompp_ways *ways, uintptr_t address,
                                                                    unsigned int size)
{
	const struct ompp_segment *s = ways->page[ompp_way(address)];

	if (__builtin_expect(ompp_segment_holds(s, address, size), 1))
		return s->row;
	if (s->row & OMPP_ROW_PAGE && address - OMPP_LOAD(&s->lo) <= (1u << OMPP_PAGE_BITS) - (1u << size))
		return ompp_grain_row(OMPP_LOAD(&((const struct ompp_grain_segment *)(const void *)s)->grains), address,
		                      s->row & ~(uint32_t)OMPP_ROW_FLAGS);
	s = ways->near[ompp_near_way(address)];
	return ompp_segment_holds(s, address, size) ? s->row : 0;
}

/* Counts a load from a watched line in its entry where the thread has the line: it wrote it last, or has loaded from it
 * since another one did.  Returns 0 where that is not known. */
static inline int ompp_sharing_has_line(struct ompp_sharing *own, const struct ompp_tally *tally, uintptr_t address,
                                        unsigned int size)
{
	uintptr_t line = address / OMPP_LINE_BYTES;
	struct ompp_sharing_entry *e = own->entries + own->recent[line % OMPP_RECENT_LINES];
	uint64_t was;

	if (e->line != line || e->tally != tally)
		return 0;
	was = OMPP_LOAD(e->last) ^ ompp_sharing_mark(line, own->slot);
	if (was & ~(uint64_t)OMPP_SHARING_LOADED && (was >> 16 || e->seen != OMPP_LOAD(e->taken) + 1))
		return 0;
	OMPP_STORE(&e->loaded, e->loaded | ((UINT64_C(1) << (1u << size)) - 1) << address % OMPP_LINE_BYTES);
	ompp_tally_add(&e->n_loads, 1);
	return 1;
}

/* Counts a load or a store in the tally, and a store in its line, when both are known.  Returns 1 when it is counted.
 * HOT.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
static inline __attribute__((always_inline)) int ompp_sharing_count(struct ompp_sharing *own, struct ompp_tally *tally,
                                                                    uintptr_t address, unsigned int size,
                                                                    unsigned int slot)
{
	uint32_t row = ompp_ways_row(&own->ways, address, size);
	unsigned int at = address % OMPP_LINE_BYTES;

	if (__builtin_expect(!row || row >= tally->seen_end, 0))
		return 0;
	if (slot == OMPP_SLOT_LOAD && row >= own->named_row &&
	    __builtin_expect(at > OMPP_LINE_BYTES - (1u << size) || ompp_sharing_is_watched(own, address), 0) &&
	    (at > OMPP_LINE_BYTES - (1u << size) || !ompp_sharing_has_line(own, tally, address, size)))
		return 0;
	if (slot == OMPP_SLOT_STORE && row >= own->named_row) {
		struct ompp_sharing_entry *e = own->entries +
		                               own->recent[address / OMPP_LINE_BYTES % OMPP_RECENT_LINES];

		if (__builtin_expect(at > OMPP_LINE_BYTES - (1u << size), 0))
			return 0;
		if (__builtin_expect(e->line == address / OMPP_LINE_BYTES && e->tally == tally &&
		                             (e->n_stores + 1) % OMPP_WATCH_STORES,
		                     1)) {
			ompp_sharing_take(own, e);
			OMPP_STORE(&e->bytes, e->bytes | ((UINT64_C(1) << (1u << size)) - 1) << at);
			ompp_tally_add(&e->n_stores, 1);
		} else if (ompp_sharing_loses(own, address / OMPP_LINE_BYTES)) {
			ompp_tally_add(&own->n_lost, 1);
		} else {
			return 0;
		}
	}
	/* Its call to extend an extent is a tail call, so that hooks save no registers. */
	ompp_tally_count(tally, row, address, size, slot);
	return 1;
}

#endif
