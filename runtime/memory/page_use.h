/*
 * Page use: which pages of memory each thread reads and writes, over time, as access hooks see it (OMPP_PAGES).
 *
 * Each thread has a table of the pages that it has used in the current interval: by page, call-tree node and cover, the
 * number of loads and stores, and the accessed parts of the page.  An interval ends at the first tick
 * (memory/page_ticks.h) after its time, or with OMPP_PAGES_INTERVAL=region when the thread is in another node.  The
 * thread's next access compares the tick numbers, notices the end, and counts for the next interval.  Then the table is
 * handed over (collect/page_trace.h) and emptied.  Where ticks are not possible, each access reads the clock.
 *
 * If many pages are used in each interval, intervals become longer, so that creating and handing over the entries takes
 * at most a fifth of the time.
 *
 * The uses in a table happened between near.since_ns and the tick that ended the interval, or the time of the handover.
 * An address that waited in a log of a loop is counted for the time between the ticks when it was logged.  A loop that
 * is counted before it begins belongs to the interval in which it begins, and no tick ends that interval before the
 * loop is over; a loop that is counted after its end may have begun as early as the latest tick at which the thread was
 * in no such loop.  An access that spans two pages counts for both; an atomic update is a load and a store.
 *
 * A table is written only by its thread.  A report reads tables of other threads at the same time: `n` is stored with
 * release after the entry is filled, and its counts only grow.
 */
#ifndef OMPP_MEMORY_PAGE_USE_H
#define OMPP_MEMORY_PAGE_USE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/known.h"

struct ompp_segment;
struct ompp_tally;
struct ompp_thread;

enum { OMPP_PAGES_WAITING = 16, OMPP_PAGES_MOST = 1 << 20 };

struct ompp_page_uses {
	struct ompp_known near; /* the part for hooks; while it is busy, a signal handler puts its accesses below */
	uint32_t n, n_slots;
	uint32_t latest;           /* the entry of the latest access */
	uint32_t n_waits;          /* accesses until the next attempt to hand over a table */
	uint32_t *slots;           /* hash table: index + 1; 0 in free slots */
	struct ompp_page_use *use; /* [OMPP_PAGES_MOST]; only touched entries take memory */
	const struct ompp_callnode *node;
	uint64_t least_ns;  /* the minimum length of an interval, to limit the cost */
	uint64_t until_ns;  /* of CLOCK_MONOTONIC: the earliest end of the interval */
	uint64_t past_ns;   /* end of the uses in the table, if they come from a log; else 0 */
	uint64_t base_ns;   /* the tick after which the table began, or was last continued */
	uint64_t first_ns;  /* the earliest time of the first uses in the next table; 0: now */
	uint64_t looked_ns; /* time of the last reading of the clock */
	uint32_t is_ahead;  /* without ticks: 1 when a loop was counted that may last beyond its interval */
	uint32_t round;     /* changes with each table, and when its interval continues after a tick */
	const struct ompp_access_own *own; /* the thread's; NULL when it has ended */
	uint64_t ahead_ns; /* the start of a running loop of which a part was handed over; 0: none; reset by the helper
	                    */
	/* by the helper */
	struct {
		uint64_t ns; /* all uses of this round were before this; stored before the round */
		uint32_t round;
	} ended;
	struct {
		uint32_t round, n;
	} looked[OMPP_LOGS];   /* logs that have times already */
	uint32_t n_put, n_got; /* accesses put into the buffer below, and taken from there */
	struct ompp_page_access {
		const struct ompp_callnode *node;
		uintptr_t base;
		size_t step, n, n_bytes;
		uint32_t cover, how;
	} waiting[OMPP_PAGES_WAITING];
};

/* 1 when pages are traced.  Written once, before any segment exists. */
extern int ompp_page_use_on __attribute__((visibility("hidden")));

/* How a table is handed over.  MAY: only if no other thread is handing over, else the interval continues.  SOON: the
 * same, but wait for the other thread for a moment.  WAIT: wait for it.  MUST: wait for it; what cannot be taken even
 * then is lost and counted, as there is no room for more. */
enum ompp_page_handing { OMPP_PAGES_MAY, OMPP_PAGES_SOON, OMPP_PAGES_WAIT, OMPP_PAGES_MUST };

/* If not NULL, takes the uses of a thread from near.since_ns to until_ns, and sets n to 0 before a report can see them
 * a second time.  Returns 0; or -1 when it cannot take them. */
extern int (*ompp_page_uses_over)(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                                  enum ompp_page_handing how);

/* Reads OMPP_PAGES.  Called once, before any segment exists.  COLD. */
void ompp_page_use_start(void);

/* Starts what tells the time of intervals before the first access, where pages are traced; else that does. */
void ompp_page_use_ready(void);

/* Returns the length of an interval; 0 when they end with regions. */
uint64_t ompp_page_use_interval_ns(void);

/* Returns the end of the uses in a table, as far as known: at most now_ns. */
uint64_t ompp_page_use_until(const struct ompp_page_uses *u, uint64_t now_ns);

/* Reads an interval, "50ms", "0.05" (seconds) or "region", which gives 0.  Returns 0, or -1 for anything else. */
int ompp_page_interval(const char *text, uint64_t *ns);

enum { OMPP_PAGE_LOADS = 1, OMPP_PAGE_STORES = 2 };

/* Counts n accesses of n_bytes each, the first at `base`, each a step after the one before, by the calling thread in
 * this node.  WARM.
 * how: OMPP_PAGE_LOADS, OMPP_PAGE_STORES, or both */
void ompp_page_use_add(struct ompp_thread *t, const struct ompp_callnode *node, uint32_t cover, uintptr_t base,
                       size_t step, size_t n, size_t n_bytes, uint32_t how) __attribute__((visibility("hidden")));

/* Counts a load or a store in the tally and by its page, when the page is known, and the segment of its latest access
 * there contains this one, also when it is misaligned (hooks count only aligned ones).  Returns 1 when it is counted.
 * HOT.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
int ompp_page_use_known(struct ompp_thread *t, struct ompp_tally *y, uintptr_t address, unsigned int size,
                        unsigned int slot) __attribute__((visibility("hidden")));

/* Announces that the next count is for a finished loop, which may have begun before the uses in the table. */
void ompp_page_use_behind(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* Lets hooks count accesses to the page of the thread's latest access, which was entirely in this segment and was
 * counted in this tally. */
void ompp_page_use_remember(struct ompp_thread *t, const struct ompp_tally *y, uintptr_t address,
                            const struct ompp_segment *s) __attribute__((visibility("hidden")));

/* Hands over the thread's table when the thread ends. */
void ompp_page_use_close(struct ompp_thread *t);

/* Returns how many accesses were not counted by page, as there was no memory, or signal handlers made too many
 * accesses. */
uint64_t ompp_page_use_lost(void);

/* Returns the length of the longest interval that had to be extended; 0 when none was. */
uint64_t ompp_page_use_longest_ns(void);

/* Forgets the table of a thread, in a forked child. */
void ompp_page_use_after_fork(struct ompp_thread *t);

#endif
