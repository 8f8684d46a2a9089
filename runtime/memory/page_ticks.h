/*
 * Page ticks: a helper thread that tells the threads of the program, for their tables of pages (memory/page_use.h),
 * that a new interval has begun.
 *
 * At a tick it stores a new number, which each thread compares with its own at each access, so that no thread has to
 * read a clock.  A thread may be suspended and notice the tick much later.  So the helper records what the thread can
 * no longer find out then: when its table ended, how far its logs were filled, and whether it was in a loop nest that
 * is counted as a whole.
 *
 * It starts with the first table.  It sends no signal, takes no lock, and ends with the process.
 */
#ifndef OMPP_MEMORY_PAGE_TICKS_H
#define OMPP_MEMORY_PAGE_TICKS_H

#include <stdint.h>

struct ompp_page_uses;

/* The state of the helper.  NONE: it starts when it is first needed.  A test may set it. */
enum ompp_page_ticks { OMPP_TICKS_NONE, OMPP_TICKS_STARTING, OMPP_TICKS_ON, OMPP_TICKS_IMPOSSIBLE };
extern uint32_t ompp_page_ticks __attribute__((visibility("hidden")));

/* Returns 1 when there are ticks, at each multiple of `ns` since the start of the run; 0 when the helper thread cannot
 * be started, which is reported once; then no loop is counted as a whole any more. */
int ompp_page_ticks_are_on(uint64_t ns);

/* Makes a tick for one thread.  Called by the helper. */
void ompp_page_tick(struct ompp_page_uses *u);

/* Ends the helper, at the end of the run. */
void ompp_page_ticks_end(void);

/* For loops that are counted before they begin: returns how far the longest one lasted beyond the time that was handed
 * over for it. */
uint64_t ompp_page_ticks_ahead_ns(void);

/* Prepares a forked child to start its own helper when it needs one. */
void ompp_page_ticks_after_fork(void);

#endif
