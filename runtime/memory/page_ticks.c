/*
 * Page ticks: see page_ticks.h.
 */
#define _GNU_SOURCE
#include "runtime/memory/page_ticks.h"

#include <stdatomic.h>
#include <sys/uio.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/core/helper_thread.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/order.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/memory/page_use.h"

enum { GO_ON, END };

uint32_t ompp_page_ticks;

static uint32_t order;      /* END for the helper to end */
static uint64_t length_ns;  /* from tick to tick; written before the helper starts */
static uint64_t longest_ns; /* by the helper */

/* ---- logs ---- */

/* Returns up to where a log is filled. */
static uint32_t page_ticks_filled(const struct ompp_log *log)
{
	uint32_t n = OMPP_LOAD(&log->n_counted);

	while (n < OMPP_LOG_ADDRESSES && OMPP_LOAD(&log->address[n]))
		n++;
	return n;
}

/* Gives the addresses of one log that came since the tick before, up to the n-th one, their time.  Its thread may hand
 * the log over meanwhile, or another site gets it: then it is of another round, and the times are not taken. */
static void note_times(struct ompp_page_uses *u, unsigned int i, uint32_t round, uint32_t n, uint64_t until_ns)
{
	uint32_t k = u->looked[i].round == round ? u->looked[i].n : 0;

	u->looked[i].round = round;
	u->looked[i].n = n;
	if (k >= n)
		return;
	for (; k < n; k++) {
		struct ompp_log_time *time = &u->near.time[i][k];

		OMPP_STORE(&time->since_ns, u->near.tick_ns);
		OMPP_STORE(&time->until_ns, until_ns);
		__atomic_store_n(&time->round, round, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&u->near.log[i].seen_round, round, __ATOMIC_RELEASE);
}

static void look_at_logs(struct ompp_page_uses *u)
{
	uint32_t round[OMPP_LOGS], n[OMPP_LOGS];
	uint64_t until_ns;

	for (unsigned int i = 0; i < OMPP_LOGS; i++) {
		const struct ompp_log *log = &u->near.log[i];

		round[i] = __atomic_load_n(&log->round, __ATOMIC_ACQUIRE);
		n[i] = OMPP_LOAD(&log->site) ? page_ticks_filled(log) : 0;
	}
	until_ns = ompp_clock_monotonic_ns();
	for (unsigned int i = 0; i < OMPP_LOGS; i++)
		if (n[i])
			note_times(u, i, round[i], n[i], until_ns);
}

/* ---- one tick ---- */

/* Is the thread in a nest of loops that may have been counted before, or is still to be?  Its own memory is read by the
 * kernel, as the thread may end meanwhile; where that cannot be done, it may be. */
static int is_in_nest(const struct ompp_page_uses *u)
{
	const struct ompp_access_own *own = OMPP_LOAD(&u->own);
	size_t in_nest = 1;
	struct iovec to = { &in_nest, sizeof(in_nest) },
		     from = { own ? (void *)(uintptr_t)&own->in_nest : NULL, sizeof(in_nest) };

	if (!own)
		return 0;
	return OMPP_SYS6(process_vm_readv, ompp_sys_getpid(), &to, 1, &from, 1, 0) != (long)sizeof(in_nest) || in_nest;
}

/* Notes how long a loop went on of which a part was handed over, now that it is over. */
static void end_ahead(struct ompp_page_uses *u, uint64_t now_ns)
{
	uint64_t since = OMPP_LOAD(&u->ahead_ns);

	if (!since || since >= now_ns)
		return;
	if (now_ns - since > OMPP_LOAD(&longest_ns))
		OMPP_STORE(&longest_ns, now_ns - since);
	OMPP_STORE(&u->ahead_ns, UINT64_C(0));
}

/* A table that goes on behind the tick, or is another one by then, has another round than the one that is read first.
 */
void ompp_page_tick(struct ompp_page_uses *u)
{
	uint64_t before_ns = ompp_clock_monotonic_ns(), now_ns;
	uint32_t round = __atomic_load_n(&u->round, __ATOMIC_ACQUIRE), n = __atomic_load_n(&u->n, __ATOMIC_ACQUIRE),
		 tick = OMPP_LOAD(&u->near.tick) + 1;
	int is_calm;

	if (OMPP_LOAD(&u->near.n_logs))
		look_at_logs(u);
	__atomic_store_n(&u->near.tick, tick ? tick : 1, __ATOMIC_RELEASE);
	ompp_fence();
	is_calm = !is_in_nest(u);
	now_ns = ompp_clock_monotonic_ns();
	OMPP_STORE(&u->near.tick_ns, before_ns);
	if (!is_calm)
		return;
	OMPP_STORE(&u->near.calm_ns, before_ns);
	end_ahead(u, now_ns);
	if (!n || u->ended.round == round)
		return;
	OMPP_STORE(&u->ended.ns, now_ns);
	__atomic_store_n(&u->ended.round, round, __ATOMIC_RELEASE);
}

/* ---- the helper ---- */

/* Sleeps up to the next tick.  Returns what it is to do. */
static uint32_t wait_for_tick(void)
{
	uint64_t now = ompp_clock_monotonic_ns(), start = (uint64_t)ompp_session.start.monotonic_ns;
	uint64_t next = start + ((now - start) / length_ns + 1) * length_ns;
	uint32_t what;

	ompp_assert(length_ns && now < next);
	while ((what = __atomic_load_n(&order, __ATOMIC_ACQUIRE)) == GO_ON && now < next) {
		ompp_helper_thread_wait(&order, GO_ON, (int64_t)(next - now));
		now = ompp_clock_monotonic_ns();
	}
	return what;
}

static void page_ticks_help(void)
{
	while (wait_for_tick() == GO_ON) {
		uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

		for (uint32_t i = 0; i < n; i++) {
			struct ompp_page_uses *u = __atomic_load_n(&ompp_threads[i]->page_uses, __ATOMIC_ACQUIRE);

			if (u)
				ompp_page_tick(u);
		}
	}
	ompp_helper_thread_exit();
}

static __attribute__((noinline, cold)) int start(uint64_t ns)
{
	uint32_t none = OMPP_TICKS_NONE;

	if (!__atomic_compare_exchange_n(&ompp_page_ticks, &none, OMPP_TICKS_STARTING, 0, __ATOMIC_ACQ_REL,
	                                 __ATOMIC_ACQUIRE))
		return none != OMPP_TICKS_IMPOSSIBLE;
	length_ns = ns;
	OMPP_STORE(&order, GO_ON);
	if (!ompp_helper_thread(page_ticks_help)) {
		OMPP_STORE(&ompp_page_ticks, OMPP_TICKS_ON);
		return 1;
	}
	OMPP_STORE(&ompp_page_ticks, OMPP_TICKS_IMPOSSIBLE);
	ompp_order_need(); /* nobody would know when a loop is over that is counted as a whole */
	ompp_note_say(
		"OMPP_PAGES: no thread could be started that tells when an interval ends, so accesses are counted "
		"one by one, and each reads the clock, which takes longer");
	return 0;
}

int ompp_page_ticks_are_on(uint64_t ns)
{
	uint32_t state = OMPP_LOAD(&ompp_page_ticks);

	return state == OMPP_TICKS_ON || (state != OMPP_TICKS_IMPOSSIBLE && start(ns));
}

void ompp_page_ticks_end(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	uint64_t now = ompp_clock_monotonic_ns();

	for (uint32_t i = 0; i < n; i++) { /* loops that no tick has found to be over */
		struct ompp_page_uses *u = __atomic_load_n(&ompp_threads[i]->page_uses, __ATOMIC_ACQUIRE);

		if (u)
			end_ahead(u, now);
	}
	if (OMPP_LOAD(&ompp_page_ticks) != OMPP_TICKS_ON)
		return;
	__atomic_store_n(&order, END, __ATOMIC_RELEASE);
	ompp_sys_wake(&order);
}

uint64_t ompp_page_ticks_ahead_ns(void)
{
	return OMPP_LOAD(&longest_ns);
}

void ompp_page_ticks_after_fork(void)
{
	longest_ns = 0;
	OMPP_STORE(&ompp_page_ticks, OMPP_TICKS_NONE);
}
