/*
 * Run, log: see run_log.h.
 */
#include "runtime/adapters/run_log.h"

#include <stdint.h>

#include "runtime/adapters/access_near.h"
#include "runtime/data/known_many.h"

#pragma GCC visibility push(hidden)

enum { AT_ONCE = 32, FEW_PLACES = 8192 /* for pages whose entries are in a cache near the processor */ };

/* Counts an access by its page, or hands it to libompp. */
static inline __attribute__((always_inline)) void count_one(struct ompp_known *known, uintptr_t address,
                                                            unsigned int how)
{
	if (!ompp_known_count(known, ompp_access_tally, address, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE))
		ompp_access_miss(address, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE);
}

/* Counts the members of one visit one by one, where they are not all in one page that is known. */
static __attribute__((noinline)) void count_each(struct ompp_known *known, const struct ompp_access_members *members,
                                                 uintptr_t base)
{
	for (size_t i = 0; i < members->n; i++)
		count_one(known, base + members->member[i].distance, (unsigned int)members->member[i].how);
}

/* Counts n addresses of a log, a few at a time: a handler that comes meanwhile finds no page known. */
static void count_part(struct ompp_known *known, const struct ompp_access_members *members, const uint64_t *address,
                       uint32_t n)
{
	uint32_t i, now;

	if (known->mask >= FEW_PLACES)
		for (i = 0; i < n; i++)
			__builtin_prefetch(known->first + *ompp_known_offset(known, (uintptr_t)address[i]), 1);
	for (i = 0; i < n; i += now) {
		now = ompp_known_count_row(known, ompp_access_tally, members, address + i,
		                           n - i < AT_ONCE ? n - i : AT_ONCE);
		if (!now) {
			count_each(known, members, (uintptr_t)address[i]);
			now = 1;
		}
	}
}

/* Returns the tick before which an address was logged; 0 when it was logged after the latest tick. */
static uint64_t until_of(const struct ompp_log_time *time, uint32_t round)
{
	return __atomic_load_n(&time->round, __ATOMIC_ACQUIRE) == round ? time->until_ns : 0;
}

/* Counts the addresses [i, n) of a log, those between two ticks together. */
static void count_by_time(struct ompp_known *known, struct ompp_log *log, uint32_t i, uint32_t n)
{
	const struct ompp_log_time *time = known->time[log - known->log];
	uint32_t end;

	for (; i < n; i = end) {
		uint64_t until_ns = until_of(&time[i], log->round);

		for (end = i + 1; end < n && until_of(&time[end], log->round) == until_ns; end++)
			;
		known->turn(known, until_ns ? OMPP_TURN_PAST : OMPP_TURN_NOW, time[i].since_ns, until_ns);
		count_part(known, log->members, log->address + i, end - i);
	}
	known->turn(known, OMPP_TURN_END, 0, 0);
}

/* Clears the addresses that were counted. */
static inline void leave_empty(struct ompp_log *log, uint32_t i, uint32_t n)
{
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
	for (; i + 2 <= n; i += 2)
		_mm_storeu_si128((__m128i *)(void *)&log->address[i], _mm_setzero_si128());
#endif
	for (; i < n; i++)
		OMPP_STORE(&log->address[i], UINT64_C(0));
}

/* Counts the accesses of a log up to the n-th one. */
static void count_log(struct ompp_known *known, struct ompp_log *log, uint32_t n)
{
	struct ompp_tally *now = ompp_access_tally;
	uint32_t first = log->n_counted;

	if (n <= first)
		return;
	OMPP_STORE(&log->n_counted, n);
	if (log->tally != now) /* a signal handler's loop finds the log of the code that it interrupted */
		ompp_access_tally = log->tally;
	if (__atomic_load_n(&log->seen_round, __ATOMIC_ACQUIRE) == log->round) {
		count_by_time(known, log, first, n);
	} else {
		if (known->mine != OMPP_LOAD(&known->tick) || known->since_ns > OMPP_LOAD(&known->tick_ns))
			known->turn(known, OMPP_TURN_NOW, 0, 0);
		known->is_turned = 1;
		count_part(known, log->members, log->address + first, n - first);
		known->is_turned = 0;
		if (known->is_late || known->since_ns == UINT64_MAX)
			known->turn(known, OMPP_TURN_END, 0, 0);
	}
	if (log->tally != now)
		ompp_access_tally = now;
	leave_empty(log, first, n);
}

/* Returns up to where accesses wait in a log: only its site knows of one at address 0. */
static uint32_t end_of(const struct ompp_log *log)
{
	enum { STEP = 8 };
	uint32_t n = log->n_counted;

	while (n + STEP <= OMPP_LOG_ADDRESSES && log->address[n + STEP - 1])
		n += STEP;
	while (n < OMPP_LOG_ADDRESSES && log->address[n])
		n++;
	return n;
}

void ompp_count_waiting(struct ompp_known *known)
{
	if (known->is_gathering || !OMPP_LOAD(&known->mine))
		return;
	known->is_gathering = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	for (int i = 0; i < OMPP_LOGS; i++)
		if (known->log[i].site)
			count_log(known, &known->log[i], end_of(&known->log[i]));
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->is_gathering = 0;
}

/* Gives a site a log, if one is free, with an address in it.  Returns 1 when it has one.  It may be from before, when a
 * handler jumped out of its loop. */
static int open_log(struct ompp_known *known, struct ompp_access_site *site, uintptr_t address)
{
	struct ompp_log *log = NULL;

	known->is_gathering = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	for (int i = 0; i < OMPP_LOGS && (!log || log->site != site); i++)
		if (known->log[i].site == site || (!log && !known->log[i].site))
			log = &known->log[i];
	if (log) {
		known->n_logs += !log->site;
		OMPP_STORE(&log->site, site);
		log->members = site->members;
		log->tally = ompp_access_tally;
		OMPP_STORE(&log->n_counted, 0u);
		site->log = log->address + 1;
		site->limit = 0;
		site->room = OMPP_LOG_ADDRESSES - 1;
		__atomic_store_n(&log->round, log->round + 1, __ATOMIC_RELEASE);
		OMPP_STORE(&log->address[0], address);
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->is_gathering = 0;
	return log != NULL;
}

void ompp_log_close(struct ompp_access_site *site, size_t n)
{
	struct ompp_known *known = ompp_access_known;

	known->is_gathering = known->is_turned = 0;
	ompp_log_end_tick(known);
	known->is_gathering = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	for (int i = 0; i < OMPP_LOGS; i++)
		if (known->log[i].site == site) {
			count_log(known, &known->log[i], (uint32_t)n + 1); /* the first one came by open_log() */
			OMPP_STORE(&known->log[i].site, NULL);
		}
	known->n_logs--;
	site->room = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->is_gathering = 0;
}

void ompp_log_members(struct ompp_access_site *site, uintptr_t base, int may_wait)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_known *known = ompp_access_known;
	size_t i;

	if (known && may_wait && base && !known->is_gathering && OMPP_LOAD(&known->mine) && ompp_access_tally->n_rows &&
	    open_log(known, site, base))
		return;
	if (known)
		ompp_log_end_tick(known);
	for (i = 0; i < members->n; i++) {
		uintptr_t address = base + members->member[i].distance;
		unsigned int how = (unsigned int)members->member[i].how;

		if (known)
			count_one(known, address, how);
		else
			ompp_access_miss(address, how & OMPP_HOW_SIZE, how & OMPP_HOW_STORE);
	}
}

#pragma GCC visibility pop
