/*
 * Access, run: the functions that code compiled with opari/hooks/plugin calls to count many accesses at once.
 *
 * A run is n accesses of one size, each a step after the one before.  A site is a place in a loop that counts inline
 * the accesses to the object which it accessed last; it hands the counts over when it gets to another object, and after
 * the loop.
 */
#include "runtime/adapters/run_hooks.h"

#include <stdint.h>

#include "runtime/adapters/access_near.h"
#include "runtime/data/known_many.h"
#include "runtime/data/page.h"

#pragma GCC visibility push(hidden)

/* The plug-in's `how`. */
enum { HOW_SIZE = OMPP_HOW_SIZE, HOW_STORE = OMPP_HOW_STORE, HOW_BEHIND = 16 /* the run is over */ };
enum { AT_ONCE = 32, FEW_PLACES = 8192 /* for pages whose entries are in a cache near the processor */ };
_Static_assert((int)OMPP_RUN_BEHIND == (int)HOW_BEHIND, "access/access_run.c has the same");

const int *const ompp_access_by_runs = &ompp_access_runs;
const int *const ompp_access_by_order = &ompp_access_ordered;

/* Adds n accesses when a way holds all of them.  Returns 1 when it does. */
static inline int count_near(struct ompp_tally *tally, uintptr_t lo, uintptr_t hi, size_t n, unsigned int how)
{
	const struct ompp_segment *s = tally->way[ompp_way(lo)];
	unsigned int size = how & HOW_SIZE;

	if (__builtin_expect(!ompp_segment_holds(s, lo, size) || !ompp_segment_holds(s, hi, size), 0))
		return 0;
	ompp_tally_count_run(ompp_tally_word(tally, s->row, how & HOW_STORE), lo, hi, n, size);
	return 1;
}

/* ---- accesses that wait ---- */

/* Counts an access by its page, or hands it to libompp. */
static inline __attribute__((always_inline)) void count_one(struct ompp_known *known, uintptr_t address,
                                                            unsigned int how)
{
	if (!ompp_known_count(known, ompp_access_tally, address, how & HOW_SIZE, how & HOW_STORE))
		ompp_access_miss(address, how & HOW_SIZE, how & HOW_STORE);
}

static __attribute__((noinline)) void count_each(struct ompp_known *known, const struct ompp_access_members *members,
                                                 uintptr_t base)
{
	for (size_t i = 0; i < members->n; i++)
		count_one(known, base + members->member[i].distance, (unsigned int)members->member[i].how);
}

/* Counts the members of one visit, at once where all are in a page that is known.
 * how: of all of them; -1 where they differ */
static __attribute__((noinline)) void count_together(struct ompp_known *known,
                                                     const struct ompp_access_members *members, uintptr_t base, int how)
{
	struct ompp_tally *tally = ompp_access_tally;
	uintptr_t lo = base + members->lo, last = lo + members->n_bytes - 1;
	struct ompp_page_use *use = ompp_known_begin(known, tally, lo, last);
	uint64_t *words, n_stores = 0;

	if (!use) {
		count_each(known, members, base);
		return;
	}
	words = ompp_tally_word(tally, use->segment->row, 0);
	if (how >= 0) {
		unsigned int size = (unsigned int)how & HOW_SIZE;

		ompp_tally_count_run(words + (how & HOW_STORE), lo, last + 1 - ((size_t)1 << size), members->n, size);
		n_stores = how & HOW_STORE ? members->n : 0;
	} else {
		for (size_t i = 0; i < members->n; i++) {
			uintptr_t at = base + members->member[i].distance;
			size_t each = members->member[i].how;

			ompp_tally_count_run(words + (each & HOW_STORE), at, at, 1, each & HOW_SIZE);
			n_stores += (each & HOW_STORE) != 0;
		}
	}
	ompp_tally_add(&use->loads, members->n - n_stores);
	ompp_tally_add(&use->stores, n_stores);
	/* no part of the page is between them, as the first one is in the middle, and the others no farther than a part
	 */
	OMPP_STORE(&use->parts, use->parts | ompp_page_parts(ompp_known_bits(known), lo, last));
	ompp_known_end(known);
}

/* Returns what all members of a site are; -1 where they differ. */
static int how_of_all(const struct ompp_access_members *members)
{
	for (size_t i = 1; i < members->n; i++)
		if (members->member[i].how != members->member[0].how)
			return -1;
	return (int)members->member[0].how;
}

/* Counts the members at one address. */
static __attribute__((noinline)) void count_alone(struct ompp_known *known, const struct ompp_access_members *members,
                                                  uintptr_t address)
{
	if (members->n == 1)
		count_one(known, address, (unsigned int)members->member[0].how);
	else
		count_together(known, members, address, how_of_all(members));
}

/* Counts n addresses of a log, a few at a time: a handler that comes meanwhile finds no page known. */
static void count_part(struct ompp_known *known, const struct ompp_access_members *members, const uint64_t *address,
                       uint32_t n)
{
	uint32_t i, now;

	if (known->mask >= FEW_PLACES)
		for (i = 0; i < n; i++)
			__builtin_prefetch(known->first + *ompp_known_place(known, (uintptr_t)address[i]), 1);
	for (i = 0; i < n; i += now) {
		now = ompp_known_count_row(known, ompp_access_tally, members, address + i,
		                           n - i < AT_ONCE ? n - i : AT_ONCE);
		if (!now) {
			count_alone(known, members, (uintptr_t)address[i]);
			now = 1;
		}
	}
}

/* Returns up to when an address has come into its log; 0 when it has come behind the latest tick. */
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

/* Leaves 0 where addresses have been counted. */
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
	if (log->tally != now) /* a handler's loop finds what it interrupted */
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

/* Counts what waits when a tick has come, as the interval may end now.  What comes into a log later needs no order: a
 * tick that comes meanwhile gives it its time. */
static inline void end_tick(struct ompp_known *known)
{
	if (__builtin_expect(known->n_logs && OMPP_LOAD(&known->mine) != OMPP_LOAD(&known->tick), 0))
		ompp_count_waiting(known);
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

/* Counts what waits, n accesses of this site, and takes the log from it.  Whoever gathers now has left that for good,
 * by a jump out of a handler, as a handler that finds somebody gathering gets no log. */
static __attribute__((noinline)) void close_log(struct ompp_access_site *site, size_t n)
{
	struct ompp_known *known = ompp_access_known;

	known->is_gathering = known->is_turned = 0;
	end_tick(known);
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

/* Counts the members of one visit when each access is looked at closely.
 * may_wait: it may, as those of the next visits */
static __attribute__((noinline)) void count_members(struct ompp_access_site *site, uintptr_t base, int may_wait)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_known *known = ompp_access_known;
	size_t i;

	if (known && may_wait && base && !known->is_gathering && OMPP_LOAD(&known->mine) && ompp_access_tally->n_rows &&
	    open_log(known, site, base))
		return;
	if (known)
		end_tick(known);
	for (i = 0; i < members->n; i++) {
		uintptr_t address = base + members->member[i].distance;
		unsigned int how = (unsigned int)members->member[i].how;

		if (known)
			count_one(known, address, how);
		else
			ompp_access_miss(address, how & HOW_SIZE, how & HOW_STORE);
	}
}

/* ---- what it saves ---- */

/* Adds what counting n times m accesses saves beside hooks, in halves of a hook, less what it costs. */
static inline void gain(size_t n, size_t m, int cost)
{
	ompp_access_gain += (int64_t)(n * m) - cost;
}

/* What calls cost, in halves of a hook: one that counts a run; one for a site, which counts an access, too; one that
 * ends a site, with what made it ready, and the same for a site that was not visited. */
enum { RUN_COST = 3, SITE_COST = 2, END_COST = 12, UNVISITED_COST = 3 };

/* How many halves of a hook weigh as much as that an execution was short at all, or was not. */
enum { GAIN_UNIT = 4, MOST_WEIGHT = 4 };

/* Returns how short a nest was, 0 to OMPP_NEST_TRIES, after an execution with this gain.  No single one says much. */
static unsigned int access_run_shorter(unsigned int n, int64_t gain)
{
	uint64_t weight = 1 + (uint64_t)(gain < 0 ? -gain : gain) / GAIN_UNIT;

	if (gain >= 0)
		return n > weight ? n - (unsigned int)weight : 0;
	if (weight > MOST_WEIGHT)
		weight = MOST_WEIGHT;
	return weight < OMPP_NEST_TRIES - n ? n + (unsigned int)weight : OMPP_NEST_TRIES;
}

void ompp_access_nest_end(size_t nest)
{
	uint16_t *n_short = &ompp_access_n_short[nest % OMPP_N_NESTS];
	unsigned int above = (unsigned int)nest / OMPP_N_NESTS << 8, n = *n_short ^ above;
	int64_t gain = ompp_access_gain;

	if (n > UINT8_MAX) { /* that of another nest is there */
		if (gain < 0)
			*n_short = (uint16_t)(above + access_run_shorter(0, gain));
	} else if (n < OMPP_NEST_TRIES && (n || gain < 0)) {
		*n_short = (uint16_t)(above + access_run_shorter(n, gain));
	}
}

/* ---- runs ---- */

/* Returns how far the last of n accesses is from the first one, in bytes. */
static inline size_t access_run_span(size_t step, size_t n)
{
	return step * (n - 1);
}

/* Counts a run between lo and hi in memory that may have small blocks.  Returns 1 when all of it is in memory with one
 * row. */
static inline int count_in_blocks(struct ompp_tally *tally, const struct ompp_segment *s, uintptr_t lo, uintptr_t hi,
                                  size_t n, unsigned int how)
{
	uint32_t row;

	if (!(s->row & OMPP_ROW_BLOCKS) || !ompp_segment_spans(s, hi, how & HOW_SIZE))
		return 0;
	row = ompp_grain_row_of(ompp_grains_in(s, lo), lo, hi, s->row & ~(uint32_t)OMPP_ROW_FLAGS);
	if (!row || row >= tally->row_end)
		return 0;
	ompp_tally_count_run(ompp_tally_word(tally, row, how & HOW_STORE), lo, hi, n, how & HOW_SIZE);
	return 1;
}

/* Counts a run that no way holds. */
static __attribute__((noinline)) void count_far(uintptr_t base, size_t step, size_t n, unsigned int how)
{
	struct ompp_tally *tally = ompp_access_tally;
	uintptr_t last = base + access_run_span(step, n), lo = base < last ? base : last,
		  hi = base < last ? last : base;
	const struct ompp_segment *s = tally->way[ompp_way(lo)];

	if (s->row & OMPP_ROW_PAGE && ompp_segment_spans(s, lo, 0) && count_in_blocks(tally, s, lo, hi, n, how))
		return;
	s = ompp_lead_to(tally, lo);
	if (s && (count_near(tally, lo, hi, n, how) || count_in_blocks(tally, s, lo, hi, n, how)))
		return;
	ompp_access_run_far(base, step, n, how & HOW_SIZE, how & (HOW_STORE | HOW_BEHIND));
}

/* Returns how many accesses of a run are in the page of the first one, if that is wholly there; else 1. */
static inline size_t n_in_page(const struct ompp_known *known, const struct ompp_known_runs *r)
{
	uintptr_t rest = ((uintptr_t)1 << ompp_known_bits(known)) - 1, from = r->base & rest,
		  most = rest + 1 - ((uintptr_t)1 << r->size);
	size_t further, step = r->step2;

	if (from > most || !step)
		return from > most ? 1 : r->n2;
	further = (intptr_t)step > 0 ? (most - from) / step : from / -step;
	return further < r->n2 - 1 ? further + 1 : r->n2;
}

/* Hands the first accesses of the first run, up to the n-th one, to libompp. */
static void hand_run(struct ompp_known *known, const struct ompp_known_runs *r, size_t n, unsigned int how)
{
	end_tick(known);
	ompp_access_run_far(r->base, r->step2, n, how & HOW_SIZE, how & (HOW_STORE | HOW_BEHIND));
}

/* Takes accesses away from the begin of one run. */
static void take_away(struct ompp_known_runs *r, size_t n)
{
	r->base += n * r->step2;
	r->n2 -= n;
}

/* Returns 1 when runs may be counted by pages that are known: one that is over may have begun before what is in the
 * table, which access/access_run.c looks at. */
static inline int may_be_known(const struct ompp_known *known, unsigned int how)
{
	return OMPP_LOAD(&known->mine) && OMPP_LOAD(ompp_access_by_runs) &&
	       (!(how & HOW_BEHIND) || known->since_ns <= known->calm_ns);
}

/* Counts one run page by page, by itself where pages are known.  A handler, for which none are, hands over all. */
static void count_by_pages(struct ompp_known *known, struct ompp_known_runs *r, unsigned int how)
{
	uintptr_t odd = (r->base | r->step2) & (((uintptr_t)1 << r->size) - 1);
	size_t now;

	for (; r->n2 && OMPP_LOAD(&known->mine) && OMPP_LOAD(ompp_access_by_runs); take_away(r, now)) {
		now = !odd && may_be_known(known, how) ? ompp_known_count_runs(known, ompp_access_tally, r) : 0;
		if (!now) {
			now = n_in_page(known, r);
			hand_run(known, r, now, how);
		}
	}
	if (r->n2)
		hand_run(known, r, r->n2, how);
}

/* Counts runs while pages are traced. */
static __attribute__((noinline)) void count_runs(struct ompp_known *known, struct ompp_known_runs *r, unsigned int how)
{
	uintptr_t odd = (r->base | r->step2 | r->step) & (((uintptr_t)1 << r->size) - 1);
	struct ompp_known_runs first;
	size_t now;

	while (r->n) {
		now = !odd && may_be_known(known, how) ? ompp_known_count_runs(known, ompp_access_tally, r) : 0;
		r->base += now / r->n2 * r->step;
		r->n -= now / r->n2;
		now %= r->n2;
		if (!r->n)
			return;
		first = *r;
		first.n = 1;
		take_away(&first, now);
		count_by_pages(known, &first, how);
		r->base += r->step;
		r->n--;
	}
}

/* Counts a run while each access is looked at closely.
 * lo, hi: its lowest and its highest address */
static __attribute__((noinline)) void count_closely(uintptr_t base, size_t step, size_t n, unsigned int how,
                                                    uintptr_t lo, uintptr_t hi)
{
	struct ompp_known *known = ompp_access_known;

	if (known && may_be_known(known, how) &&
	    ompp_known_count_run(known, ompp_access_tally, base, step, n, lo, hi, how & HOW_SIZE, how & HOW_STORE))
		return;
	if (known)
		count_runs(known, &(struct ompp_known_runs){ base, 0, 1, step, n, how & HOW_SIZE, how & HOW_STORE },
		           how);
	else
		ompp_access_run_far(base, step, n, how & HOW_SIZE, how & (HOW_STORE | HOW_BEHIND));
}

/* All calls are at the end, so that it saves no registers. */
void ompp_access_run(uintptr_t base, size_t step, size_t n, unsigned int how)
{
	struct ompp_tally *tally = ompp_access_tally;
	uintptr_t last, lo, hi;

	if (!n)
		return;
	gain(n, 2, RUN_COST);
	last = base + access_run_span(step, n);
	lo = base < last ? base : last;
	hi = base < last ? last : base;
	if (count_near(tally, lo, hi, n, how))
		return;
	if (!tally->row_end)
		count_closely(base, step, n, how, lo, hi);
	else if (n == 1)
		ompp_count_far(base, tally, how & HOW_SIZE, how & HOW_STORE);
	else
		count_far(base, step, n, how);
}

/* Adds n blocks when the segment holds the lowest and the highest byte of all of them, and blocks may be counted at
 * once. Returns 1 then. */
static inline int count_blocks_in(struct ompp_tally *tally, const struct ompp_segment *s, uintptr_t lo, uintptr_t hi,
                                  size_t n, size_t n_bytes, unsigned int slot)
{
	if (__builtin_expect(!OMPP_LOAD(ompp_access_by_runs) || !ompp_segment_holds(s, lo, 0) ||
	                             !ompp_segment_holds(s, hi, 0),
	                     0))
		return 0;
	ompp_tally_count_blocks(tally, s->row, lo, hi, n, n_bytes, slot);
	return 1;
}

/* Counts as many of n blocks as are in the page of the first one, where that is known.  Returns how many that are. */
static size_t count_blocks_known(struct ompp_tally *tally, uintptr_t base, size_t step, size_t n, size_t n_bytes,
                                 unsigned int slot)
{
	struct ompp_known *known = ompp_access_known;
	uintptr_t lo = base, hi = base, rest, from;

	if (!known || !OMPP_LOAD(ompp_access_by_runs))
		return 0;
	rest = ((uintptr_t)1 << ompp_known_bits(known)) - 1;
	from = base & rest;
	if ((intptr_t)step < 0 && from / -step < n - 1)
		n = from / -step + 1;
	else if ((intptr_t)step > 0 && from + n_bytes <= rest + 1 && (rest + 1 - n_bytes - from) / step < n - 1)
		n = (rest + 1 - n_bytes - from) / step + 1;
	*((intptr_t)step < 0 ? &lo : &hi) += access_run_span(step, n);
	return ompp_known_count_blocks(known, tally, base, step, n, n_bytes, lo, hi + n_bytes - 1, slot) ? n : 0;
}

/* Counts blocks that no way holds. */
static __attribute__((noinline)) void count_blocks_far(uintptr_t base, size_t step, size_t n, size_t n_bytes,
                                                       unsigned int slot)
{
	uintptr_t last = base + access_run_span(step, n), lo = base < last ? base : last,
		  hi = base < last ? last : base;
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = ompp_lead_to(tally, lo);
	size_t i, now;

	if (s && count_blocks_in(tally, s, lo, hi + n_bytes - 1, n, n_bytes, slot))
		return;
	for (i = 0; i < n; i += now) {
		now = count_blocks_known(tally, base + i * step, step, n - i, n_bytes, slot);
		if (!now) {
			ompp_count_block(base + i * step, n_bytes, slot);
			now = 1;
		}
	}
}

void ompp_access_blocks(uintptr_t base, size_t step, size_t n, size_t n_bytes, unsigned int slot)
{
	struct ompp_tally *tally = ompp_access_tally;
	uintptr_t last, lo, hi;

	if (!n)
		return;
	gain(n, 2, RUN_COST);
	last = base + access_run_span(step, n);
	lo = base < last ? base : last;
	hi = base < last ? last : base;
	if (!count_blocks_in(tally, tally->way[ompp_way(lo)], lo, hi + n_bytes - 1, n, n_bytes, slot))
		count_blocks_far(base, step, n, n_bytes, slot);
}

void ompp_access_order(const struct ompp_ordered_access *list, size_t n_list)
{
	ompp_access_in_order(list, n_list);
}

/* Returns what it takes to count n runs, in pages to look up. */
static size_t access_run_lookups(size_t n, size_t step, size_t n2)
{
	size_t far = ompp_absolute(step);

	return n * (2 + (far < OMPP_PAGE_BYTES ? n2 * far / OMPP_PAGE_BYTES : n2));
}

/* Counts n runs while pages are traced, in the order that takes less. */
static __attribute__((noinline)) void count_runs_closely(struct ompp_known *known, uintptr_t base, size_t step,
                                                         size_t n, size_t step2, size_t n2, unsigned int how)
{
	int is_other = n > n2 && access_run_lookups(n2, step, n) < access_run_lookups(n, step2, n2);
	struct ompp_known_runs r = {
		base,           is_other ? step2 : step, is_other ? n2 : n, is_other ? step : step2, is_other ? n : n2,
		how & HOW_SIZE, how & HOW_STORE
	};

	ompp_access_gain += (int64_t)(n * n2 * 2) - (int64_t)r.n * RUN_COST;
	count_runs(known, &r, how);
}

void ompp_access_run2(uintptr_t base, size_t step, size_t n, size_t step2, size_t n2, unsigned int how)
{
	struct ompp_tally *tally = ompp_access_tally;
	size_t far, far2, i;
	uintptr_t lo = base, hi = base;

	if (!n || !n2)
		return;
	far = access_run_span(step, n);
	far2 = access_run_span(step2, n2);
	*((intptr_t)far < 0 ? &lo : &hi) += far;
	*((intptr_t)far2 < 0 ? &lo : &hi) += far2;
	if (count_near(tally, lo, hi, n * n2, how)) {
		gain(n * n2, 2, RUN_COST);
		return;
	}
	if (!tally->row_end && ompp_access_known) {
		count_runs_closely(ompp_access_known, base, step, n, step2, n2, how);
		return;
	}
	for (i = 0; i < n; i++)
		ompp_access_run(base + i * step, step2, n2, how);
}

void ompp_access_run3(uintptr_t base, size_t step, size_t n, size_t step2, size_t n2, size_t step3, size_t n3,
                      unsigned int how)
{
	size_t i;

	for (i = 0; i < n && n2 && n3; i++)
		ompp_access_run2(base + i * step, step2, n2, step3, n3, how);
}

/* ---- sites ---- */

enum { FEW = 4, MOST_MISSES = 32, N_UNBOUNDED = 224, N_TRIES = 8 };

/* Of a site's n_misses: visits in a row with few accesses counted in line before; 1 when its bounds are of
 * WIDE_PAGES or more; and all its visits, from ONE_VISIT on. */
enum { MISSES_IN_ROW = 0x7fff, IS_WIDE = 0x8000, ONE_VISIT = 0x10000 };

/* Bounds of several pages are looked for at each visit with a number that is a power of two from LEAST_VISITS on, with
 * so many pages for each visit so far on either side, and when a site without bounds tries some again; they are kept at
 * KEPT_MISSES misses in a row at most.  A page costs so many halves of a hook. */
enum {
	LEAST_VISITS = 4,
	PAGES_PER_VISIT = 2,
	PAGES_PER_TRY = 16,
	MOST_PAGES = 1024,
	KEPT_MISSES = 8,
	PAGE_COST = 16,
	WIDE_PAGES = 4
};

/* Counts n executions of members in one row, in which the first member was from lo to hi.
 * words: of the row */
static inline void count_in(uint64_t *words, const struct ompp_access_members *members, size_t n, uintptr_t lo,
                            uintptr_t hi)
{
	size_t i;

	for (i = 0; i < members->n; i++) {
		size_t distance = members->member[i].distance, how = members->member[i].how;

		ompp_tally_count_run(words + (how & HOW_STORE), lo + distance, hi + distance, n, how & HOW_SIZE);
	}
}

/* Does so for a site's members within its bounds. */
static inline void count_within(const struct ompp_access_site *site, size_t n, uintptr_t lo, uintptr_t hi)
{
	count_in(site->row, site->members, n, lo, hi);
}

void ompp_access_site_end(struct ompp_access_site *site, size_t n, uintptr_t lo, uintptr_t hi)
{
	if (n || site->n_misses)
		gain(n, 2 * site->members->n - 1, END_COST);
	else
		gain(0, 0, UNVISITED_COST);
	if (n >= FEW) /* a site that pauses goes on */
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
	if (site->room)
		close_log(site, n);
	else if (n)
		count_within(site, n, lo, hi);
}

/* Returns 1 when a page is of the same memory as a segment with OMPP_ROW_BLOCKS, and all of it has a row; sets its
 * grains. */
static int is_like(const struct ompp_segment *s, uintptr_t page, const uint32_t **grains)
{
	uintptr_t value = ompp_page_of(page);
	const struct ompp_segment *own = (const struct ompp_segment *)value;

	if (!value || value & OMPP_PAGE_TAGS || (own->row ^ s->row) & ~(uint32_t)OMPP_ROW_PAGE ||
	    !ompp_segment_spans(own, page, 0) || !ompp_segment_spans(own, page + OMPP_PAGE_BYTES - 1, 0))
		return 0;
	*grains = ompp_grains_in(own, page);
	return *grains != NULL && *grains != ompp_access_no_grains;
}

/* Makes bounds that end with their page go on in the next ones.
 * is: what the grains have
 * n_pages: at most so many on either side */
static __attribute__((noinline)) void access_run_widen(const struct ompp_segment *s, uint32_t is, size_t n_pages,
                                                       uintptr_t *lo, uintptr_t *hi)
{
	const uint32_t *grains;
	size_t i;

	for (i = 0; i < n_pages && !(*hi & (OMPP_PAGE_BYTES - 1)) && is_like(s, *hi, &grains); i++) {
		unsigned int n = ompp_grain_after(grains, 0, OMPP_GRAINS, is);

		if (!n)
			break;
		*hi += (uintptr_t)n << OMPP_GRAIN_BITS;
	}
	gain(0, 0, PAGE_COST * (int)(i + 1));
	for (i = 0; i < n_pages && !(*lo & (OMPP_PAGE_BYTES - 1)) && is_like(s, *lo - OMPP_PAGE_BYTES, &grains); i++) {
		unsigned int n = OMPP_GRAINS - ompp_grain_before(grains, OMPP_GRAINS, 0, is);

		if (!n)
			break;
		*lo -= (uintptr_t)n << OMPP_GRAIN_BITS;
	}
	gain(0, 0, PAGE_COST * (int)i);
}

/* Returns how many pages on either side a site may look at now for its bounds. */
static size_t pages_for(const struct ompp_access_site *site)
{
	size_t n = site->n_misses / ONE_VISIT + 1;

	if ((site->n_misses & MISSES_IN_ROW) == MOST_MISSES - N_TRIES + 1)
		return PAGES_PER_TRY;
	if (n < LEAST_VISITS || n & (n - 1))
		return 0;
	return n < MOST_PAGES / PAGES_PER_VISIT ? n * PAGES_PER_VISIT : MOST_PAGES;
}

/* Sets the bounds of a site, which has none, to those of memory with one row, where there may be small blocks. */
static __attribute__((noinline)) void find_block(struct ompp_access_site *site, uintptr_t address)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	uintptr_t first = address + members->lo, lo, hi;
	const struct ompp_segment *s = ompp_lead_to(tally, first);
	const uint32_t *grains;
	size_t n_pages = pages_for(site);
	uint32_t row, other;

	if (!s || !(s->row & OMPP_ROW_BLOCKS))
		return;
	lo = OMPP_LOAD(&s->lo);
	hi = OMPP_LOAD(&s->hi);
	other = s->row & ~(uint32_t)OMPP_ROW_FLAGS;
	grains = ompp_grains_in(s, first);
	row = ompp_grain_bounds(grains, first, other, &lo, &hi);
	if (!row || row >= tally->row_end)
		return;
	if (n_pages && row != other) {
		access_run_widen(s, row, n_pages, &lo, &hi);
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
		if (hi - lo >= WIDE_PAGES * OMPP_PAGE_BYTES)
			site->n_misses |= IS_WIDE;
	}
	if (hi < lo + members->n_bytes)
		return;
	site->lo = lo - members->lo;
	site->limit = hi - lo - members->n_bytes + 1;
	site->row = ompp_tally_word(tally, row, 0);
}

/* Sets the bounds of a site to those of the segment that holds the members when the first one is at an address. */
static inline void find_bounds(struct ompp_access_site *site, uintptr_t address)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];
	uintptr_t lo = OMPP_READ(&s->lo), n_bytes = OMPP_LOAD(&s->limit[0]);

	/* A segment that has ended may begin elsewhere: its limits are 0 meanwhile. */
	ompp_fence_acquire();
	site->limit = 0;
	site->n_misses &= ~(size_t)IS_WIDE;
	if (n_bytes < members->n_bytes || lo != OMPP_LOAD(&s->lo)) {
		if (OMPP_LOAD(&ompp_access_grains))
			find_block(site, address);
		return;
	}
	site->lo = lo - members->lo;
	site->limit = n_bytes - members->n_bytes + 1;
	site->row = ompp_tally_word(tally, s->row, 0);
}

/* Counts that bounds were left at once, which is not worth finding them.  Returns 1 when the site is to do without
 * bounds at its next visits: so it does N_UNBOUNDED times after that happened MOST_MISSES times in a row, and tries
 * again N_TRIES times. */
static inline int is_missing(struct ompp_access_site *site)
{
	size_t n = (site->n_misses & MISSES_IN_ROW) + 1, rest = site->n_misses & ~(size_t)MISSES_IN_ROW;

	site->n_misses = rest + ONE_VISIT + (n < MOST_MISSES + N_UNBOUNDED ? n : MOST_MISSES - N_TRIES);
	return n > MOST_MISSES;
}

/* Counts n executions, each member by itself. */
static void visit_each(struct ompp_access_site *site, uintptr_t base, size_t step, size_t n)
{
	const struct ompp_access_members *members = site->members;

	for (size_t i = 0; i < members->n; i++)
		ompp_access_run(base + members->member[i].distance, step, n, (unsigned int)members->member[i].how);
}

/* Counts n executions that the bounds of no way hold. */
static __attribute__((noinline)) void visit_far(struct ompp_access_site *site, uintptr_t base, size_t step, size_t n)
{
	visit_each(site, base, step, n);
	if (!(site->n_misses & IS_WIDE))
		find_bounds(site, base + access_run_span(step, n));
}

/* Returns 1 when bounds that were left are likely to hold the next accesses again. */
static int keeps_bounds(const struct ompp_access_site *site)
{
	return site->n_misses & IS_WIDE && site->limit && (site->n_misses & MISSES_IN_ROW) < KEPT_MISSES &&
	       !pages_for(site);
}

/* Returns the row of all members of a site when its first one is between two addresses, where they are in one page that
 * may have small blocks, to which a way leads; else 0. */
static inline uint32_t row_in_blocks(const struct ompp_tally *tally, const struct ompp_access_members *members,
                                     uintptr_t lo, uintptr_t hi)
{
	uintptr_t first = lo + members->lo, last = hi + members->lo + members->n_bytes - 1;
	const struct ompp_segment *s = tally->way[ompp_way(first)];
	uint32_t row;

	if (!(s->row & OMPP_ROW_PAGE) || !ompp_segment_spans(s, first, 0) || !ompp_segment_spans(s, last, 0))
		return 0;
	row = ompp_grain_row_of(ompp_grains_in(s, first), first, last, s->row & ~(uint32_t)OMPP_ROW_FLAGS);
	return row < tally->row_end ? row : 0;
}

/* Returns the row of all members of a site when its first one is at an address, where a way knows it; else 0. */
static inline uint32_t row_of_members(const struct ompp_tally *tally, const struct ompp_access_members *members,
                                      uintptr_t base)
{
	uintptr_t first = base + members->lo, last = first + members->n_bytes - 1;
	const struct ompp_segment *s = tally->way[ompp_way(first)];

	if (ompp_segment_holds(s, first, 0) && ompp_segment_holds(s, last, 0))
		return s->row;
	return row_in_blocks(tally, members, base, base);
}

/* Counts one execution of a site that does without bounds. */
static __attribute__((noinline)) void visit_once(struct ompp_access_site *site, uintptr_t base)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	uint32_t row = row_of_members(tally, members, base);
	size_t i;

	gain(0, 2 * members->n - 1, SITE_COST);
	is_missing(site);
	site->limit = 0;
	if (row) {
		site->row = ompp_tally_word(tally, row, 0);
		count_within(site, 1, base, base);
		return;
	}
	for (i = 0; i < members->n; i++)
		ompp_count_far(base + members->member[i].distance, tally, members->member[i].how & HOW_SIZE,
		               members->member[i].how & HOW_STORE);
}

/* Sets the bounds anew, but to fewer bytes only when those of several pages missed often. */
static inline void renew_bounds(struct ompp_access_site *site, uintptr_t address)
{
	uintptr_t lo = site->lo, limit = site->limit;
	size_t n_misses = site->n_misses;
	uint64_t *row = site->row;

	find_bounds(site, address);
	if (n_misses & IS_WIDE && (n_misses & MISSES_IN_ROW) < KEPT_MISSES && limit > site->limit) {
		site->lo = lo;
		site->limit = limit;
		site->row = row;
		site->n_misses = n_misses;
	}
}

/* Counts n executions outside of bounds that are kept. */
static void visit_beside(struct ompp_access_site *site, size_t n_before, uintptr_t base, size_t step, size_t n)
{
	struct ompp_tally *tally = ompp_access_tally;
	uint32_t row = n == 1 ? row_of_members(tally, site->members, base) : 0;

	if (row)
		count_in(ompp_tally_word(tally, row, 0), site->members, 1, base, base);
	else
		visit_each(site, base, step, n);
	is_missing(site);
	if (n_before >= FEW)
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
}

/* What ompp_access_site() does. */
static __attribute__((noinline)) void access_run_visit(struct ompp_access_site *site, size_t n_before,
                                                       uintptr_t lo_before, uintptr_t hi_before, uintptr_t base,
                                                       size_t step, size_t n)
{
	uintptr_t last = base + access_run_span(step, n), lo = base < last ? base : last,
		  hi = base < last ? last : base;
	int is_missing_much;
	uint32_t row;

	gain(n_before + n - 1, 2 * site->members->n - 1, SITE_COST);
	if (site->room) {
		close_log(site, n_before);
		n_before = 0;
	}
	if (n_before)
		count_within(site, n_before, lo_before, hi_before);
	else if (n == 1 && !ompp_access_tally->row_end) { /* each access is looked at closely */
		count_members(site, base, !step);         /* the run of an inner loop has a step, and does not wait */
		return;
	}
	row = n > 1 ? row_in_blocks(ompp_access_tally, site->members, lo, hi) : 0;
	if (row) { /* another execution of the inner loop is to another block, as a rule */
		site->limit = 0;
		site->row = ompp_tally_word(ompp_access_tally, row, 0);
		count_within(site, n, lo, hi);
		return;
	}
	if (keeps_bounds(site)) {
		visit_beside(site, n_before, base, step, n);
		return;
	}
	renew_bounds(site, lo);
	if (lo - site->lo < site->limit && hi - site->lo < site->limit)
		count_within(site, n, lo, hi);
	else
		visit_far(site, base, step, n);
	is_missing_much = is_missing(site);
	if (n_before >= FEW)
		site->n_misses &= ~(size_t)MISSES_IN_ROW;
	else if (is_missing_much)
		site->limit = 0;
}

/* Counts one access of a site without bounds. */
static inline void count_single(struct ompp_access_site *site, uintptr_t address)
{
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];
	unsigned int how = (unsigned int)site->members->member[0].how;

	gain(0, 0, SITE_COST);
	is_missing(site);
	site->limit = 0;
	if (ompp_segment_holds(s, address, how & HOW_SIZE))
		ompp_tally_count(tally, s->row, address, how & HOW_SIZE, how & HOW_STORE);
	else if (s->row & OMPP_ROW_PAGE)
		ompp_count_in_page(address, tally, s, how & HOW_SIZE, how & HOW_STORE);
	else
		ompp_count_far(address, tally, how & HOW_SIZE, how & HOW_STORE);
}

/* Counts executions of an inner loop while each access is looked at closely: they do not wait. */
static __attribute__((noinline)) void visit_closely(struct ompp_access_site *site, uintptr_t base, size_t step,
                                                    size_t n)
{
	gain(n - 1, 2 * site->members->n - 1, SITE_COST);
	is_missing(site);
	visit_each(site, base, step, n);
}

/* Many sites are visited once in each execution of their nest, or do without bounds: one access is counted without
 * saving registers, as all calls are at the end. */
void ompp_access_site(struct ompp_access_site *site, size_t n_before, uintptr_t lo_before, uintptr_t hi_before,
                      uintptr_t base, size_t step, size_t n)
{
	const struct ompp_access_members *members = site->members;
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s;
	uintptr_t lo, limit;
	unsigned int how, size;

	if ((site->n_misses & MISSES_IN_ROW) >= MOST_MISSES && n == 1 && !n_before && !site->room && tally->row_end) {
		if (members->n == 1)
			count_single(site, base);
		else
			visit_once(site, base);
		return;
	}
	if (!tally->row_end && n > 1 && !n_before && !site->room) {
		visit_closely(site, base, step, n);
		return;
	}
	s = tally->way[ompp_way(base)];
	how = (unsigned int)members->member[0].how;
	size = how & HOW_SIZE;
	lo = OMPP_READ(&s->lo);
	limit = OMPP_LOAD(&s->limit[size]);
	ompp_fence_acquire();
	if (__builtin_expect(n_before || n != 1 || members->n != 1 || site->room || base - lo >= limit ||
	                             lo != OMPP_LOAD(&s->lo),
	                     0)) {
		access_run_visit(site, n_before, lo_before, hi_before, base, step, n);
		return;
	}
	site->lo = lo;
	site->limit = is_missing(site) ? 0 : limit;
	gain(0, 0, SITE_COST);
	site->row = ompp_tally_word(tally, s->row, 0);
	ompp_tally_count_run(site->row + (how & HOW_STORE), base, base, 1, size);
}

#pragma GCC visibility pop
