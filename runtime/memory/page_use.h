/*
 * Page use: which pages of memory each thread reads and writes, over time, as access hooks see it (OMPP_PAGES).
 *
 * Each thread has a table of the pages that it has used in the interval under way: by page, call-tree node and cover,
 * how many loads and stores, and which parts of the page.  An interval ends at the first tick (memory/page_ticks.h)
 * behind its time, or with OMPP_PAGES_INTERVAL=region when the thread is in another node; this is found at the thread's
 * next access, which compares the tick, and does not count with what was before.  Then the table is handed over
 * (collect/page_trace.h) and is empty again.  Where no ticks can be had, each access reads the clock.
 *
 * Where many pages are used in each interval, intervals are longer, so that making and handing over the entries takes a
 * fifth of the time at most.
 *
 * What is in a table was used from near.since_ns to the tick at which the interval was over, or to when it is handed
 * over.  What waited in a log of a loop is counted by the ticks between which it came there.  A loop that is counted
 * before it begins belongs to the interval in which it begins, and no tick ends that before the loop is over; a loop
 * that is counted behind its end may have begun at the latest tick at which the thread was in no such loop.  An access
 * that lies in two pages counts for both, an atomic update is a load and a store.
 *
 * A table is written by its thread alone.  A report reads the entries of others meanwhile: `n` is stored with release
 * after the entry is filled, and its counts only grow.
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
	struct ompp_known near; /* where hooks find pages; a signal handler leaves its accesses below when it is busy */
	uint32_t n, n_slots;
	uint32_t latest;           /* the entry of the latest access */
	uint32_t n_waits;          /* accesses until a table that could not be handed over is tried again */
	uint32_t *slots;           /* hash table: index + 1; 0 in free slots */
	struct ompp_page_use *use; /* [OMPP_PAGES_MOST], of which only what was needed has memory */
	const struct ompp_callnode *node;
	uint64_t least_ns;  /* an interval is not shorter, so that pages keep to their share of the time */
	uint64_t until_ns;  /* of CLOCK_MONOTONIC: the interval is not over before */
	uint64_t past_ns;   /* when the uses in the table were over, if they come from a log; else 0 */
	uint64_t base_ns;   /* the tick behind which the table began, or went on for the last time */
	uint64_t first_ns;  /* since when uses may be that begin the next table; 0: now */
	uint64_t looked_ns; /* when the clock was looked at */
	uint32_t is_ahead;  /* without ticks: 1 when a loop is counted that may go on beyond its interval */
	uint32_t round;     /* another one for each table, and when its interval goes on behind a tick */
	const struct ompp_access_own *own; /* of the thread; NULL when it has ended */
	uint64_t ahead_ns; /* since when a loop goes on of which some is handed over; 0: none; the helper takes it away
	                    */
	/* by the helper */
	struct {
		uint64_t ns; /* all uses of this round were before; stored before the round is */
		uint32_t round;
	} ended;
	struct {
		uint32_t round, n;
	} looked[OMPP_LOGS];   /* what has times already */
	uint32_t n_put, n_got; /* accesses that were put below, and taken from there */
	struct ompp_page_access {
		const struct ompp_callnode *node;
		uintptr_t base;
		size_t step, n, n_bytes;
		uint32_t cover, how;
	} waiting[OMPP_PAGES_WAITING];
};

/* 1 when pages are traced.  Written once, before any segment exists. */
extern int ompp_page_use_on __attribute__((visibility("hidden")));

/* How a table is handed over.  MAY: when nobody else is just doing so, else the interval goes on.  SOON: the same, but
 * he may end within a moment.  WAIT: after him. MUST: after him, and what cannot be taken then is lost and counted, as
 * there is no room for more. */
enum ompp_page_handing { OMPP_PAGES_MAY, OMPP_PAGES_SOON, OMPP_PAGES_WAIT, OMPP_PAGES_MUST };

/* When it is not NULL, it takes what a thread used from near.since_ns to until_ns, and then n is 0, before a report can
 * see it a second time.  It returns 0; or -1 when it cannot take it. */
extern int (*ompp_page_uses_over)(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                                  enum ompp_page_handing how);

/* Reads OMPP_PAGES.  Called once, before any segment exists.  COLD. */
void ompp_page_use_start(void);

/* Returns the length of an interval; 0 when they end with regions. */
uint64_t ompp_page_use_interval_ns(void);

/* Returns up to when what is in a table was used, as far as that is known: `now` at most. */
uint64_t ompp_page_use_until(const struct ompp_page_uses *u, uint64_t now_ns);

/* Reads an interval, "50ms", "0.05" (seconds) or "region", which gives 0.  Returns 0, or -1 for anything else. */
int ompp_page_interval(const char *text, uint64_t *ns);

enum { OMPP_PAGE_LOADS = 1, OMPP_PAGE_STORES = 2 };

/* Counts n accesses of n_bytes each, the first at `base`, each a step behind the one before, by the calling thread in
 * this node.  WARM.
 * how: OMPP_PAGE_LOADS, OMPP_PAGE_STORES, or both */
void ompp_page_use_add(struct ompp_thread *t, const struct ompp_callnode *node, uint32_t cover, uintptr_t base,
                       size_t step, size_t n, size_t n_bytes, uint32_t how) __attribute__((visibility("hidden")));

/* Counts a load or a store in the tally and by its page, when the page is known, and the segment of its latest access
 * there holds this one: wherever it lies in the page, where hooks count only what is aligned.  Returns 1 when it is
 * counted.  HOT. slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
int ompp_page_use_known(struct ompp_thread *t, struct ompp_tally *y, uintptr_t address, unsigned int size,
                        unsigned int slot) __attribute__((visibility("hidden")));

/* Says that what is counted next is a loop that is over, which may have begun before what is in the table. */
void ompp_page_use_behind(struct ompp_thread *t) __attribute__((visibility("hidden")));

/* Lets hooks count accesses by themselves to the page of the thread's latest access, which was wholly in this segment
 * and was counted in this tally. */
void ompp_page_use_remember(struct ompp_thread *t, const struct ompp_tally *y, uintptr_t address,
                            const struct ompp_segment *s) __attribute__((visibility("hidden")));

/* Hands over what the thread has used, as it ends. */
void ompp_page_use_close(struct ompp_thread *t);

/* Returns how many accesses were not counted by page, as there was no memory, or signal handlers made too many. */
uint64_t ompp_page_use_lost(void);

/* Returns the length of the longest of the intervals that were made longer; 0 when none was. */
uint64_t ompp_page_use_longest_ns(void);

/* Forgets the table of a thread, in a forked child. */
void ompp_page_use_after_fork(struct ompp_thread *t);

#endif
