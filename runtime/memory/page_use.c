/*
 * Page use: see page_use.h.
 */
#include "runtime/memory/page_use.h"

#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/tally.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/host/processors.h"
#include "runtime/memory/page_ticks.h"
#include "runtime/memory/touch.h"
#include "runtime/terms/option.h"

enum { FIRST_SLOTS = 1024, FEW = 16, N_WAITS = 64, NS_A_MS = 1000000, TICK_MS = 50 /* with regions as intervals */ };
enum {
	MANY = 4096, /* pages of an interval, for which time is taken */
	WORK = 2, /* finding and making the entries of pages takes as long as handing them over: twice that together */
	SHARE = 5 /* at most 1 / SHARE of the time is spent on this */
};

int ompp_page_use_on;
int (*ompp_page_uses_over)(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                           enum ompp_page_handing how);

static uint64_t interval_ns; /* 0: by regions */
static unsigned int page_bits;
static uint64_t n_lost, longest_ns;

/* ---- begin ---- */

int ompp_page_interval(const char *text, uint64_t *ns)
{
	uint64_t value = 0, unit = 1000 * (uint64_t)NS_A_MS, fraction = 0, scale = 1;
	const char *p = text;

	if (!strcmp(text, "region")) {
		*ns = 0;
		return 0;
	}
	for (; *p >= '0' && *p <= '9' && value < 1000000; p++)
		value = value * 10 + (uint64_t)(*p - '0');
	if (p == text)
		return -1;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9' && scale < 1000000; p++, scale *= 10)
			fraction = fraction * 10 + (uint64_t)(*p - '0');
	if (!strcmp(p, "ms"))
		unit = NS_A_MS;
	else if (*p && strcmp(p, "s"))
		return -1;
	*ns = value * unit + fraction * unit / scale;
	return *ns >= NS_A_MS && *ns <= 86400 * (uint64_t)1000 * NS_A_MS ? 0 : -1;
}

void ompp_page_use_start(void)
{
	const char *text = ompp_session.options.text[OMPP_OPT_PAGES_INTERVAL];

	if (!strcmp(ompp_session.options.text[OMPP_OPT_PAGES], "off"))
		return;
	if (ompp_page_interval(text, &interval_ns)) {
		ompp_note_say(
			"OMPP_PAGES_INTERVAL: not an interval; give 1ms to 86400s, as 50ms or 0.05, or region; 50ms is "
			"used");
		interval_ns = 50 * (uint64_t)NS_A_MS;
	}
	page_bits = (unsigned int)__builtin_ctzl(ompp_page_bytes());
	_Static_assert(OMPP_PAGE_PARTS == 1 << OMPP_PART_BITS, "parts of a page");
	ompp_page_use_on = 1;
}

uint64_t ompp_page_use_interval_ns(void)
{
	return interval_ns;
}

/* Returns the time between two ticks. */
static uint64_t tick_ns(void)
{
	return interval_ns ? interval_ns : TICK_MS * (uint64_t)NS_A_MS;
}

void ompp_page_use_ready(void)
{
	if (ompp_page_use_on)
		ompp_page_ticks_are_on(tick_ns());
}

static void page_use_turn(struct ompp_known *p, enum ompp_turn what, uint64_t since_ns, uint64_t until_ns);

static uint32_t *slots_of(uint32_t n)
{
	uint32_t *slots = ompp_space_reserve(sizeof(*slots) * n);

	ompp_assert(n && !(n & (n - 1)));
	if (slots)
		ompp_touches_own(slots, sizeof(*slots) * n);
	return slots;
}

/* Returns the thread's table, made if need be; NULL without memory. */
static __attribute__((noinline, cold)) struct ompp_page_uses *made(struct ompp_thread *t)
{
	struct ompp_page_uses *u = ompp_data_alloc(sizeof(*u)), *other = NULL;
	size_t n = sizeof(*u->use) * OMPP_PAGES_MOST;

	if (!u)
		return NULL;
	u->use = ompp_space_reserve(n);
	u->slots = slots_of(FIRST_SLOTS);
	u->near.offsets = slots_of(FIRST_SLOTS);
	if (!u->use || !u->slots || !u->near.offsets)
		return NULL; /* the rest stays unused */
	ompp_touches_own(u->use, n);
	u->n_slots = FIRST_SLOTS;
	u->near.mask = FIRST_SLOTS - 1;
	u->near.first = (char *)u->use;
	u->near.page_bits = page_bits;
	u->near.turn = page_use_turn;
	u->near.since_ns = UINT64_MAX;
	u->near.tick = u->near.seen = 1;
	u->near.mine = ompp_page_ticks_are_on(tick_ns()) ? 1 : (u->near.seen = 2);
	u->near.tick_ns = u->near.calm_ns = ompp_clock_monotonic_ns();
	/* a signal handler may have made one meanwhile; then ours stays unused, too */
	return __atomic_compare_exchange_n(&t->page_uses, &other, u, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? u : other;
}

/* ---- intervals ---- */

static inline uint32_t page_use_hash(uintptr_t page, const struct ompp_callnode *node);

/* Empties the table, of which n entries were in use. */
static void page_use_empty(struct ompp_page_uses *u, uint32_t n)
{
	__atomic_store_n(&u->n, 0, __ATOMIC_RELEASE);
	OMPP_STORE(&u->near.since_ns, UINT64_MAX);
	for (uint32_t i = 0; i < n; i++)
		u->use[i].words = NULL;
	if (n > u->n_slots / FEW) {
		memset(u->slots, 0, sizeof(*u->slots) * u->n_slots);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = page_use_hash(u->use[i].page, u->use[i].node);

		while (u->slots[at & (u->n_slots - 1)] != i + 1)
			at++;
		u->slots[at & (u->n_slots - 1)] = 0;
	}
}

static uint64_t cpu_ns(void)
{
	struct timespec cpu;

	if (ompp_sys_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu))
		return 0;
	return (uint64_t)cpu.tv_sec * 1000 * NS_A_MS + (uint64_t)cpu.tv_nsec;
}

/* Was all that is in the table used before a time that the helper has noted? */
static int is_ended(const struct ompp_page_uses *u)
{
	return __atomic_load_n(&u->ended.round, __ATOMIC_ACQUIRE) == OMPP_LOAD(&u->round);
}

uint64_t ompp_page_use_until(const struct ompp_page_uses *u, uint64_t now_ns)
{
	uint64_t until = now_ns;

	if (OMPP_LOAD(&u->past_ns))
		until = OMPP_LOAD(&u->past_ns);
	else if (is_ended(u))
		until = OMPP_LOAD(&u->ended.ns);
	else if (!ompp_page_ticks_are_on(tick_ns()) && !OMPP_LOAD(&u->is_ahead) && OMPP_LOAD(&u->looked_ns))
		until = OMPP_LOAD(&u->looked_ns);
	return until < now_ns ? until : now_ns;
}

/* Lets the table take uses after a tick, too: what the helper notes of it from now on belongs to another round. */
static void go_on(struct ompp_page_uses *u)
{
	u->base_ns = OMPP_LOAD(&u->near.tick_ns);
	OMPP_STORE(&u->past_ns, UINT64_C(0));
	__atomic_store_n(&u->round, u->round + 1, __ATOMIC_RELEASE);
}

/* Hands over what was used, if there is anything.  Returns 0 when the table is empty then. */
static int hand_over(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t now_ns, enum ompp_page_handing how)
{
	uint64_t begin_ns = u->n < MANY ? 0 : cpu_ns(), until_ns = ompp_page_use_until(u, now_ns);
	uint32_t n = u->n;

	if (n && ompp_page_uses_over && ompp_page_uses_over(t, u, until_ns, how) && how != OMPP_PAGES_MUST)
		return -1;
	if (n && until_ns == now_ns && ompp_access_in_nest && !OMPP_LOAD(&u->ahead_ns))
		OMPP_STORE(&u->ahead_ns, now_ns);
	page_use_empty(u, n);
	OMPP_STORE(&u->past_ns, UINT64_C(0));
	u->n_waits = 0;
	u->least_ns = n < MANY ? 0 : (cpu_ns() - begin_ns) * WORK * SHARE;
	return 0;
}

/* Begins an interval, which ends where the next multiple of its length since the start of the session is, unless pages
 * would take too much of the time. */
static void page_use_begin(struct ompp_page_uses *u)
{
	uint64_t now = ompp_clock_monotonic_ns(), since = now - (uint64_t)ompp_session.start.monotonic_ns, left;

	OMPP_STORE(&u->near.since_ns, u->first_ns && u->first_ns < now ? u->first_ns : now);
	u->first_ns = 0;
	u->base_ns = OMPP_LOAD(&u->near.tick_ns);
	u->looked_ns = now;
	OMPP_STORE(&u->is_ahead, (uint32_t)ompp_access_in_nest);
	OMPP_STORE(&u->own, &ompp_access_own);
	__atomic_store_n(&u->round, u->round + 1, __ATOMIC_RELEASE);
	if (!interval_ns)
		return;
	left = u->least_ns + interval_ns - (since + u->least_ns) % interval_ns;
	if (u->least_ns > interval_ns && left > OMPP_LOAD(&longest_ns))
		OMPP_STORE(&longest_ns, left);
	ompp_assert(left && left <= u->least_ns + interval_ns);
	u->until_ns = now + left;
}

/* Returns a number that is not this tick's, and not 0. */
static uint32_t other_than(uint32_t tick)
{
	ompp_assert(tick);
	return tick == 1 ? 2 : tick - 1;
}

/* Ends the interval when it is over.  A thread that was stopped beyond the end waits, so that its present uses are not
 * counted with those of that time. */
static __attribute__((noinline)) void page_use_look(const struct ompp_thread *t, struct ompp_page_uses *u,
                                                    enum ompp_page_handing how)
{
	uint32_t tick = __atomic_load_n(&u->near.tick, __ATOMIC_ACQUIRE);
	int has_ticks = ompp_page_ticks_are_on(tick_ns());
	uint64_t now;

	u->near.seen = tick;
	if (u->near.is_turned) {
		u->near.is_late = 1;
		return;
	}
	if (u->n_waits) {
		u->n_waits--;
		u->near.seen = other_than(tick);
		return;
	}
	now = ompp_clock_monotonic_ns();
	if (u->n && (u->past_ns || (interval_ns && now >= u->until_ns))) {
		if (ompp_page_use_until(u, now) + interval_ns / 2 < now)
			how = OMPP_PAGES_WAIT;
		if (hand_over(t, u, now, how)) {
			u->n_waits = N_WAITS;
			go_on(u);
		}
	} else if (u->n) {
		go_on(u);
	}
	if (ompp_access_in_nest)
		OMPP_STORE(&u->is_ahead, 1u);
	OMPP_STORE(&u->looked_ns, now);
	if (!has_ticks || u->n_waits)
		u->near.seen = other_than(tick);
}

/* ---- uses that are counted later than they happened ---- */

/* Begins the table, when it is empty, with uses that may be as old as this; else lets the table have them, too. */
static void reach_back(struct ompp_page_uses *u, uint64_t since_ns)
{
	if (!u->n)
		u->first_ns = since_ns;
	else if (since_ns < u->near.since_ns)
		OMPP_STORE(&u->near.since_ns, since_ns);
}

/* Are uses that came between these ticks, the second one 0 when it is still to come, to be in the table that there is?
 */
static int is_of_table(const struct ompp_page_uses *u, uint64_t since_ns, uint64_t until_ns)
{
	if (!u->n || !interval_ns)
		return 1;
	if (u->past_ns)
		return u->past_ns == until_ns;
	if (until_ns && since_ns > u->base_ns)
		return 0;
	return !is_ended(u) || (until_ns && until_ns <= u->ended.ns);
}

/* Gets ready for a part of a log, the uses of which came between two ticks, or behind the latest one. */
static void turn_to(struct ompp_page_uses *u, uint64_t since_ns, uint64_t until_ns)
{
	const struct ompp_thread *t = ompp_self;

	if (!until_ns && !u->near.is_turned && u->near.seen != OMPP_LOAD(&u->near.tick))
		page_use_look(t, u, OMPP_PAGES_MAY);
	u->near.is_late |= u->n_waits != 0;
	if (!is_of_table(u, since_ns, until_ns) && hand_over(t, u, ompp_clock_monotonic_ns(), OMPP_PAGES_WAIT))
		go_on(u);
	reach_back(u, since_ns);
	if (!u->n)
		OMPP_STORE(&u->past_ns, interval_ns ? until_ns : 0);
	u->near.is_turned = 1;
	u->near.seen = OMPP_LOAD(&u->near.tick);
}

static void end_turn(struct ompp_page_uses *u)
{
	if (!u->n) {
		u->first_ns = 0;
		OMPP_STORE(&u->past_ns, UINT64_C(0));
	}
	if (u->past_ns || u->near.is_late)
		u->near.seen = other_than(OMPP_LOAD(&u->near.tick));
	u->near.is_turned = u->near.is_late = 0;
}

/* Called while a log is counted, when the thread is not busy. */
static void page_use_turn(struct ompp_known *p, enum ompp_turn what, uint64_t since_ns, uint64_t until_ns)
{
	struct ompp_page_uses *u = (struct ompp_page_uses *)(void *)p;

	OMPP_STORE(&u->near.mine, 0u);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (what == OMPP_TURN_END)
		end_turn(u);
	else
		turn_to(u, what == OMPP_TURN_PAST ? since_ns : OMPP_LOAD(&u->near.tick_ns),
		        what == OMPP_TURN_PAST ? until_ns : 0);
	ompp_known_end(&u->near);
}

void ompp_page_use_behind(struct ompp_thread *t)
{
	struct ompp_page_uses *u = t->page_uses;
	uint64_t since;

	if (!u)
		u = made(t);
	if (!u || !OMPP_LOAD(&u->near.mine))
		return;
	since = ompp_page_ticks_are_on(tick_ns()) ? OMPP_LOAD(&u->near.calm_ns) : u->looked_ns;
	OMPP_STORE(&u->near.mine, 0u);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (u->near.seen != OMPP_LOAD(&u->near.tick))
		page_use_look(t, u, OMPP_PAGES_MAY);
	reach_back(u, since);
	ompp_known_end(&u->near);
}

/* ---- one page ---- */

/* Entries of one page and node follow each other in the hash table. */
static inline uint32_t page_use_hash(uintptr_t page, const struct ompp_callnode *node)
{
	return (uint32_t)((page + (uintptr_t)node) * 0x9E3779B97F4A7C15u >> 32);
}

static int is_it(const struct ompp_page_use *use, uintptr_t page, const struct ompp_callnode *node, uint32_t cover)
{
	return use->page == page && use->node == node && use->cover == cover;
}

/* Publishes an entry to the hooks. */
static void page_use_place(struct ompp_page_uses *u, const struct ompp_page_use *use)
{
	*ompp_known_offset(&u->near, use->page) = (uint32_t)((const char *)use - u->near.first);
}

/* Doubles the hash table.  Returns 0 or -1. */
static __attribute__((noinline, cold)) int grow(struct ompp_page_uses *u)
{
	uint32_t n = u->n_slots * 2, *slots = slots_of(n), *offsets = slots_of(n);

	if (!slots || !offsets)
		return -1; /* the parts that were allocated stay unused */
	for (uint32_t i = 0; i < u->n; i++) {
		uint32_t at = page_use_hash(u->use[i].page, u->use[i].node);

		while (slots[at & (n - 1)])
			at++;
		slots[at & (n - 1)] = i + 1;
	}
	/* its addresses stay ours, as they are known to be (memory/touch.h) */
	ompp_sys_madvise(u->slots, sizeof(*u->slots) * u->n_slots, MADV_DONTNEED);
	ompp_sys_madvise(u->near.offsets, sizeof(*offsets) * u->n_slots, MADV_DONTNEED);
	u->slots = slots;
	u->n_slots = n;
	u->near.offsets = offsets;
	u->near.mask = n - 1;
	for (uint32_t i = 0; i < u->n; i++)
		page_use_place(u, &u->use[i]);
	return 0;
}

/* Hands over a table that is full; what comes next may be of the same part of a log, or loop. */
static void make_room(const struct ompp_thread *t, struct ompp_page_uses *u)
{
	uint64_t past = u->past_ns, since = u->near.since_ns;

	hand_over(t, u, ompp_clock_monotonic_ns(), OMPP_PAGES_MUST);
	if (u->near.is_turned || ompp_access_in_nest) {
		u->first_ns = since;
		OMPP_STORE(&u->past_ns, past);
	}
}

/* Makes an entry.  Returns NULL without memory. */
static __attribute__((noinline)) struct ompp_page_use *page_use_add(const struct ompp_thread *t,
                                                                    struct ompp_page_uses *u, uintptr_t page,
                                                                    const struct ompp_callnode *node, uint32_t cover)
{
	struct ompp_page_use *use;
	uint32_t at;

	if (u->n == OMPP_PAGES_MOST || (u->n >= u->n_slots / 4 * 3 && grow(u)))
		make_room(t, u);
	if (!u->n)
		page_use_begin(u);
	for (at = page_use_hash(page, node); u->slots[at & (u->n_slots - 1)]; at++)
		;
	ompp_assert(u->n < OMPP_PAGES_MOST && u->n < u->n_slots && !(page & (ompp_page_bytes() - 1)));
	u->slots[at & (u->n_slots - 1)] = u->n + 1;
	use = &u->use[u->n];
	*use = (struct ompp_page_use){
		.page = page, .node = node, .cover = cover, .cpu = ompp_processor() + 1, .segment = &ompp_no_segment
	};
	__atomic_store_n(&u->n, u->n + 1, __ATOMIC_RELEASE);
	return use;
}

static inline struct ompp_page_use *page_use_find(const struct ompp_thread *t, struct ompp_page_uses *u, uintptr_t page,
                                                  const struct ompp_callnode *node, uint32_t cover)
{
	uint32_t at = page_use_hash(page, node), i;

	for (; (i = u->slots[at & (u->n_slots - 1)]); at++)
		if (is_it(&u->use[i - 1], page, node, cover))
			return &u->use[i - 1];
	return page_use_add(t, u, page, node, cover);
}

static inline void page_use_count(const struct ompp_thread *t, struct ompp_page_uses *u,
                                  const struct ompp_page_access *a, uintptr_t page, uint64_t n, uint64_t parts)
{
	struct ompp_page_use *use = page_use_find(t, u, page, a->node, a->cover);

	ompp_assert(a->how && !(a->how & ~(uint32_t)(OMPP_PAGE_LOADS | OMPP_PAGE_STORES)) && parts);
	u->latest = (uint32_t)(use - u->use);
	if (a->how & OMPP_PAGE_LOADS)
		OMPP_STORE(&use->loads, use->loads + n);
	if (a->how & OMPP_PAGE_STORES)
		OMPP_STORE(&use->stores, use->stores + n);
	OMPP_STORE(&use->parts, use->parts | parts);
}

/* ---- accesses ---- */

/* Counts one access, which may lie in several pages. */
static inline void count_one(const struct ompp_thread *t, struct ompp_page_uses *u, const struct ompp_page_access *a,
                             uintptr_t address)
{
	uintptr_t rest = ((uintptr_t)1 << page_bits) - 1, last = address + (a->n_bytes - 1), page = address & ~rest;

	if (__builtin_expect(last - page <= rest, 1)) {
		page_use_count(t, u, a, page, 1, ompp_page_parts(page_bits, address, last));
		return;
	}
	for (; page <= last && page + rest > page; page += rest + 1)
		page_use_count(t, u, a, page, 1,
		               ompp_page_parts(page_bits, page > address ? page : address,
		                               page + rest < last ? page + rest : last));
}

/* Counts accesses of a run that are in one page, none of which lies in two. */
static void count_in_page(const struct ompp_thread *t, struct ompp_page_uses *u, const struct ompp_page_access *a,
                          uintptr_t first, size_t n)
{
	uintptr_t end = first + (n - 1) * a->step, lo = first < end ? first : end, hi = first < end ? end : first;

	page_use_count(t, u, a, first >> page_bits << page_bits, n,
	               ompp_page_parts_of_run(page_bits, first, a->step, n, a->n_bytes, lo, hi + (a->n_bytes - 1)));
}

static void count_run(const struct ompp_thread *t, struct ompp_page_uses *u, const struct ompp_page_access *a)
{
	uintptr_t rest = ((uintptr_t)1 << page_bits) - 1, at = a->base;
	size_t n = a->n, now;

	if (!a->step && (at & rest) + a->n_bytes <= rest + 1) {
		count_in_page(t, u, a, at, n);
		return;
	}
	/* If the step or the address of a run is no multiple of the size, an access may lie in two pages. */
	if ((a->base | a->step) & (a->n_bytes - 1) || a->n_bytes & (a->n_bytes - 1)) {
		for (; n; n--, at += a->step)
			count_one(t, u, a, at);
		return;
	}
	for (; n; n -= now, at += now * a->step) {
		now = (intptr_t)a->step > 0 ? (rest - (at & rest)) / a->step + 1 : (at & rest) / -a->step + 1;
		now = now < n ? now : n;
		count_in_page(t, u, a, at, now);
	}
}

static inline void count_access(const struct ompp_thread *t, struct ompp_page_uses *u, const struct ompp_page_access *a)
{
	int is_elsewhere = u->node != a->node;

	ompp_assert(!OMPP_LOAD(&u->near.mine) && a->n && a->n_bytes);
	if (__builtin_expect(is_elsewhere && !interval_ns, 0))
		hand_over(t, u, ompp_clock_monotonic_ns(), OMPP_PAGES_WAIT);
	if (__builtin_expect(u->near.seen != OMPP_LOAD(&u->near.tick), 0))
		page_use_look(t, u, is_elsewhere ? OMPP_PAGES_SOON : OMPP_PAGES_MAY);
	u->node = a->node;
	if (a->n == 1)
		count_one(t, u, a, a->base);
	else
		count_run(t, u, a);
}

/* Counts what signal handlers have left. */
static void count_waiting(const struct ompp_thread *t, struct ompp_page_uses *u)
{
	while (__builtin_expect(OMPP_LOAD(&u->n_put) != u->n_got, 0)) {
		struct ompp_page_access access = u->waiting[u->n_got % OMPP_PAGES_WAITING];

		ompp_assert(OMPP_LOAD(&u->n_put) - u->n_got <= OMPP_PAGES_WAITING);
		u->n_got++;
		count_access(t, u, &access);
	}
}

void ompp_page_use_add(struct ompp_thread *t, const struct ompp_callnode *node, uint32_t cover, uintptr_t base,
                       size_t step, size_t n, size_t n_bytes, uint32_t how)
{
	struct ompp_page_uses *u = t->page_uses;
	struct ompp_page_access access = { node, base, step, n, n_bytes, cover, how };

	if (__builtin_expect(!u, 0))
		u = made(t);
	if (__builtin_expect(!u, 0)) {
		__atomic_fetch_add(&n_lost, n, __ATOMIC_RELAXED);
		return;
	}
	if (__builtin_expect(!OMPP_LOAD(&u->near.mine), 0)) { /* we are a signal handler */
		if (u->n_put - u->n_got < OMPP_PAGES_WAITING)
			u->waiting[__atomic_fetch_add(&u->n_put, 1, __ATOMIC_RELAXED) % OMPP_PAGES_WAITING] = access;
		else
			__atomic_fetch_add(&n_lost, n, __ATOMIC_RELAXED);
		return;
	}
	OMPP_STORE(&u->near.mine, 0u);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	count_access(t, u, &access);
	count_waiting(t, u);
	ompp_known_end(&u->near);
}

int ompp_page_use_known(struct ompp_thread *t, struct ompp_tally *y, uintptr_t address, unsigned int size,
                        unsigned int slot)
{
	uintptr_t last = address + ((uintptr_t)1 << size) - 1;
	struct ompp_page_uses *u = t->page_uses;
	struct ompp_page_use *use = u ? ompp_known_begin(&u->near, y, address, last) : NULL;

	if (!use)
		return 0;
	ompp_tally_count(y, use->segment->row, address, size, slot);
	ompp_tally_add(ompp_page_use_count(use, slot), 1);
	OMPP_STORE(&use->parts, use->parts | ompp_page_parts(page_bits, address, last));
	ompp_known_end(&u->near);
	return 1;
}

void ompp_page_use_remember(struct ompp_thread *t, const struct ompp_tally *y, uintptr_t address,
                            const struct ompp_segment *s)
{
	struct ompp_page_uses *u = t->page_uses;
	struct ompp_page_use *use;

	if (!u || !OMPP_LOAD(&u->near.mine) || s->cover >= y->n_rows)
		return;
	OMPP_STORE(&u->near.mine, 0u);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	use = &u->use[u->latest];
	if (u->latest < u->n && is_it(use, address >> page_bits << page_bits, y->node, s->cover)) {
		use->segment = s;
		use->words = (const uint64_t *)(const void *)((const char *)y + s->row);
		page_use_place(u, use);
		if (u->near.seen == OMPP_LOAD(&u->near.tick)) /* without ticks they never are the same */
			ompp_access_known = &u->near;
	}
	ompp_known_end(&u->near);
}

/* ---- end ---- */

void ompp_page_use_close(struct ompp_thread *t)
{
	struct ompp_page_uses *u = t->page_uses;

	if (!u || !OMPP_LOAD(&u->near.mine))
		return;
	OMPP_STORE(&u->near.mine, 0u);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	do {
		count_waiting(t, u);
		hand_over(t, u, ompp_clock_monotonic_ns(), OMPP_PAGES_MUST);
	} while (OMPP_LOAD(&u->n_put) != u->n_got); /* a handler came meanwhile */
	ompp_known_end(&u->near);
	OMPP_STORE(&u->own, NULL);
	if (ompp_access_known == &u->near)
		ompp_access_known = NULL;
}

uint64_t ompp_page_use_longest_ns(void)
{
	return OMPP_LOAD(&longest_ns);
}

uint64_t ompp_page_use_lost(void)
{
	return OMPP_LOAD(&n_lost);
}

void ompp_page_use_after_fork(struct ompp_thread *t)
{
	struct ompp_page_uses *u = t->page_uses;

	n_lost = longest_ns = 0;
	ompp_page_ticks_after_fork();
	if (!u)
		return;
	u->n_put = u->n_got = u->near.is_turned = u->near.is_late = 0;
	u->past_ns = u->first_ns = u->ahead_ns = 0;
	u->near.seen = u->near.mine = other_than(u->near.tick);
	u->near.tick_ns = u->near.calm_ns = ompp_clock_monotonic_ns();
	for (int i = 0; i < OMPP_LOGS; i++) { /* the fork was in a handler, in the middle of a loop */
		struct ompp_log *log = &u->near.log[i];

		while (log->n_counted < OMPP_LOG_ADDRESSES && log->address[log->n_counted])
			log->address[log->n_counted++] = 0;
	}
	page_use_empty(u, u->n);
}
