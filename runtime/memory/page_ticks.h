/*
 * Page ticks: a helper thread that tells the threads of the program, for their tables of pages (memory/page_use.h),
 * that another interval has begun.
 *
 * At a tick it stores another number where each thread compares it with its own at each access, so that no thread has
 * to read a clock.  A thread may stand still then, and find the tick much later.  So the helper notes what the thread
 * cannot know by then: when its table was over, up to where its logs were filled, and whether it was in a nest of loops
 * that are counted as a whole.
 *
 * It starts with the first table.  It sends no signal, takes no lock, and ends with the process.
 */
#ifndef OMPP_MEMORY_PAGE_TICKS_H
#define OMPP_MEMORY_PAGE_TICKS_H

#include <stdint.h>

struct ompp_page_uses;

/* Whether there is a helper.  NONE: it starts when it is first needed.  A test may set it. */
enum ompp_page_ticks { OMPP_TICKS_NONE, OMPP_TICKS_STARTING, OMPP_TICKS_ON, OMPP_TICKS_IMPOSSIBLE };
extern uint32_t ompp_page_ticks __attribute__((visibility("hidden")));

/* Returns 1 when there are ticks, each time that the run is older by another multiple of `ns`; 0 when no thread can be
 * started that makes them, which is said once, and from then on no loop is counted as a whole. */
int ompp_page_ticks_are_on(uint64_t ns);

/* Makes a tick for one thread.  By the helper. */
void ompp_page_tick(struct ompp_page_uses *u);

/* Ends the helper, at the end of the run. */
void ompp_page_ticks_end(void);

/* Returns how much longer than what was handed over of it the longest loop lasted that is counted before it begins. */
uint64_t ompp_page_ticks_ahead_ns(void);

/* Lets a forked child have a helper of its own, when it needs one. */
void ompp_page_ticks_after_fork(void);

#endif
