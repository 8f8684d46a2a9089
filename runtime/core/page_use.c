/*
 * Page use: see page_use.h.
 */
#include "runtime/core/page_use.h"

#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/clock.h"
#include "runtime/base/note.h"
#include "runtime/base/option.h"
#include "runtime/base/processors.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/touch.h"
#include "runtime/data/object.h"
#include "runtime/data/tally.h"

enum { FIRST_SLOTS = 1024, LEAST_LEFT = 64, MOST_LEFT = 1024, LOOKS = 64, FEW = 16, NS_A_MS = 1000000 };
enum {
	MANY = 4096, /* pages of an interval, for which time is taken */
	WORK = 2,    /* what pages take, by what it takes to hand them over: they are found and made as well */
	SHARE = 5    /* at most one part in so many of the time is for this */
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

static uint32_t *slots_of(uint32_t n)
{
	uint32_t *slots = ompp_space_reserve(sizeof(*slots) * n);

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
	u->n_left = LEAST_LEFT;
	/* a signal handler may have made one meanwhile; then ours stays unused, too */
	return __atomic_compare_exchange_n(&t->page_uses, &other, u, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? u : other;
}

/* ---- intervals ---- */

static inline uint32_t hash(uintptr_t page, const struct ompp_callnode *node);

/* Empties the table, of which n entries were in use. */
static void empty(struct ompp_page_uses *u, uint32_t n)
{
	__atomic_store_n(&u->n, 0, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < n; i++)
		u->use[i].tally = NULL;
	if (n > u->n_slots / FEW) {
		memset(u->slots, 0, sizeof(*u->slots) * u->n_slots);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = hash(u->use[i].page, u->use[i].node);

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

/* Hands over what was used, if there is anything.  Returns 0 when the table is empty then. */
static int hand_over(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t now_ns, enum ompp_page_handing how)
{
	uint32_t n = u->n;
	uint64_t begin_ns = n < MANY ? 0 : cpu_ns();

	if (n && ompp_page_uses_over && ompp_page_uses_over(t, u, now_ns, how) && how != OMPP_PAGES_MUST)
		return -1;
	empty(u, n);
	u->least_ns = n < MANY ? 0 : (cpu_ns() - begin_ns) * WORK * SHARE;
	return 0;
}

/* Begins an interval, which ends where the next multiple of its length since the start of the session is, unless pages
 * would take too much of the time. */
static void begin(struct ompp_page_uses *u, const struct ompp_clock_anchor *now)
{
	const struct ompp_clock_anchor *start = &ompp_session.start;
	struct ompp_clock_rate rate = ompp_clock_rate(start, now);
	uint64_t since = (uint64_t)(now->monotonic_ns - start->monotonic_ns), left;

	if (!u->n)
		u->since_ns = (uint64_t)now->monotonic_ns;
	left = u->least_ns + interval_ns - (since + u->least_ns) % interval_ns;
	if (u->least_ns > interval_ns && left > OMPP_LOAD(&longest_ns))
		OMPP_STORE(&longest_ns, left);
	u->until_ticks = ompp_clock();
	if (rate.num) {
		u->until_ticks += (uint64_t)((unsigned __int128)left * rate.den / rate.num);
		u->seldom_ticks = (uint64_t)((unsigned __int128)interval_ns * rate.den / rate.num) / LOOKS;
	}
}

/* Ends the interval when it is over. */
static __attribute__((noinline)) void look(const struct ompp_thread *t, struct ompp_page_uses *u,
                                           enum ompp_page_handing how)
{
	struct ompp_clock_anchor now;

	u->near.left = (int32_t)u->n_left;
	if (!interval_ns || (u->n && ompp_clock() < u->until_ticks))
		return;
	ompp_clock_anchor(&now);
	if (u->n && ((uint64_t)now.monotonic_ns - (uint64_t)ompp_session.start.monotonic_ns) / interval_ns !=
	                    (u->since_ns - (uint64_t)ompp_session.start.monotonic_ns) / interval_ns)
		hand_over(t, u, (uint64_t)now.monotonic_ns, how);
	begin(u, &now);
}

/* Does so after many single accesses.  A clock takes longer than an access, so where these are fast it is looked at
 * more seldom, some dozens of times in an interval. */
static __attribute__((noinline)) void look_after_many(const struct ompp_thread *t, struct ompp_page_uses *u)
{
	uint64_t ticks = ompp_clock(), passed = ticks - u->looked_ticks;

	u->looked_ticks = ticks;
	if (passed > u->seldom_ticks)
		u->n_left = LEAST_LEFT;
	else if (passed < u->seldom_ticks / 2 && u->n_left < MOST_LEFT)
		u->n_left *= 2;
	look(t, u, OMPP_PAGES_MAY);
}

/* ---- one page ---- */

/* Entries of one page and node follow each other in the hash table. */
static inline uint32_t hash(uintptr_t page, const struct ompp_callnode *node)
{
	return (uint32_t)((page + (uintptr_t)node) * 0x9E3779B97F4A7C15u >> 32);
}

static int is_it(const struct ompp_page_use *use, uintptr_t page, const struct ompp_callnode *node, uint32_t cover)
{
	return use->page == page && use->node == node && use->cover == cover;
}

/* Lets hooks find an entry. */
static void place(struct ompp_page_uses *u, const struct ompp_page_use *use)
{
	*ompp_known_place(&u->near, use->page) = (uint32_t)((const char *)use - u->near.first);
}

/* Doubles the hash table.  Returns 0 or -1. */
static __attribute__((noinline, cold)) int grow(struct ompp_page_uses *u)
{
	uint32_t n = u->n_slots * 2, *slots = slots_of(n), *offsets = slots_of(n);

	if (!slots || !offsets)
		return -1; /* what there is of them stays unused */
	for (uint32_t i = 0; i < u->n; i++) {
		uint32_t at = hash(u->use[i].page, u->use[i].node);

		while (slots[at & (n - 1)])
			at++;
		slots[at & (n - 1)] = i + 1;
	}
	/* its addresses stay ours, as they are known to be (core/touch.h) */
	ompp_sys_madvise(u->slots, sizeof(*u->slots) * u->n_slots, MADV_DONTNEED);
	ompp_sys_madvise(u->near.offsets, sizeof(*offsets) * u->n_slots, MADV_DONTNEED);
	u->slots = slots;
	u->n_slots = n;
	u->near.offsets = offsets;
	u->near.mask = n - 1;
	for (uint32_t i = 0; i < u->n; i++)
		place(u, &u->use[i]);
	return 0;
}

/* Makes an entry.  Returns NULL without memory. */
static __attribute__((noinline)) struct ompp_page_use *add(const struct ompp_thread *t, struct ompp_page_uses *u,
                                                           uintptr_t page, const struct ompp_callnode *node,
                                                           uint32_t cover)
{
	struct ompp_clock_anchor now;
	struct ompp_page_use *use;
	uint32_t at;

	if (u->n == OMPP_PAGES_MOST || (u->n >= u->n_slots / 4 * 3 && grow(u))) {
		ompp_clock_anchor(&now);
		hand_over(t, u, (uint64_t)now.monotonic_ns, OMPP_PAGES_MUST);
	}
	if (!u->n) {
		ompp_clock_anchor(&now);
		if (interval_ns)
			begin(u, &now);
		else
			u->since_ns = (uint64_t)now.monotonic_ns;
	}
	for (at = hash(page, node); u->slots[at & (u->n_slots - 1)]; at++)
		;
	u->slots[at & (u->n_slots - 1)] = u->n + 1;
	use = &u->use[u->n];
	*use = (struct ompp_page_use){ .page = page, .node = node, .cover = cover, .cpu = ompp_processor() + 1 };
	__atomic_store_n(&u->n, u->n + 1, __ATOMIC_RELEASE);
	return use;
}

static inline struct ompp_page_use *find(const struct ompp_thread *t, struct ompp_page_uses *u, uintptr_t page,
                                         const struct ompp_callnode *node, uint32_t cover)
{
	uint32_t at = hash(page, node), i;

	for (; (i = u->slots[at & (u->n_slots - 1)]); at++)
		if (is_it(&u->use[i - 1], page, node, cover))
			return &u->use[i - 1];
	return add(t, u, page, node, cover);
}

static inline void count(const struct ompp_thread *t, struct ompp_page_uses *u, const struct ompp_page_access *a,
                         uintptr_t page, uint64_t n, uint64_t parts)
{
	struct ompp_page_use *use = find(t, u, page, a->node, a->cover);

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
		count(t, u, a, page, 1, ompp_page_parts(page_bits, address, last));
		return;
	}
	for (; page <= last && page + rest > page; page += rest + 1)
		count(t, u, a, page, 1,
		      ompp_page_parts(page_bits, page > address ? page : address,
		                      page + rest < last ? page + rest : last));
}

/* Counts accesses of a run that are in one page, none of which lies in two. */
static void count_in_page(const struct ompp_thread *t, struct ompp_page_uses *u, const struct ompp_page_access *a,
                          uintptr_t first, size_t n)
{
	uintptr_t end = first + (n - 1) * a->step, lo = first < end ? first : end, hi = first < end ? end : first;

	count(t, u, a, first >> page_bits << page_bits, n,
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
	/* An access of a run whose step or place is none of its size may lie in two pages. */
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
	if (__builtin_expect(u->node != a->node, 0)) {
		if (interval_ns)
			look(t, u, OMPP_PAGES_SOON); /* the thread may have waited long */
		else
			hand_over(t, u, ompp_clock_monotonic_ns(), OMPP_PAGES_WAIT);
		u->node = a->node;
	}
	u->near.left -= (int32_t)(a->n < MOST_LEFT ? a->n : MOST_LEFT);
	if (__builtin_expect(u->near.left < 0, 0))
		look_after_many(t, u);
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
	if (__builtin_expect(u->near.is_busy, 0)) { /* we are a signal handler */
		if (u->n_put - u->n_got < OMPP_PAGES_WAITING)
			u->waiting[__atomic_fetch_add(&u->n_put, 1, __ATOMIC_RELAXED) % OMPP_PAGES_WAITING] = access;
		else
			__atomic_fetch_add(&n_lost, n, __ATOMIC_RELAXED);
		return;
	}
	u->near.is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	count_access(t, u, &access);
	count_waiting(t, u);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	u->near.is_busy = 0;
}

int ompp_page_use_known(struct ompp_thread *t, struct ompp_tally *y, uintptr_t address, unsigned int size,
                        unsigned int slot)
{
	uintptr_t last = address + ((uintptr_t)1 << size) - 1;
	struct ompp_page_uses *u = t->page_uses;
	struct ompp_page_use *use = u ? ompp_known_begin(&u->near, y, address, last, 1) : NULL;

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

	if (!u || u->near.is_busy || s->cover >= y->n_rows)
		return;
	u->near.is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	use = &u->use[u->latest];
	if (u->latest < u->n && is_it(use, address >> page_bits << page_bits, y->node, s->cover)) {
		use->segment = s;
		use->tally = y;
		place(u, use);
		ompp_access_known = &u->near;
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	u->near.is_busy = 0;
}

/* ---- end ---- */

void ompp_page_use_close(struct ompp_thread *t)
{
	struct ompp_page_uses *u = t->page_uses;

	if (!u || u->near.is_busy)
		return;
	count_waiting(t, u);
	hand_over(t, u, ompp_clock_monotonic_ns(), OMPP_PAGES_MUST);
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
	if (!u)
		return;
	u->n_put = u->n_got = u->near.is_busy = 0;
	for (int i = 0; i < OMPP_LOGS; i++) { /* the fork was in a handler, in the middle of a loop */
		struct ompp_log *log = &u->near.log[i];

		while (log->n_counted < OMPP_LOG_ADDRESSES && log->address[log->n_counted])
			log->address[log->n_counted++] = 0;
	}
	empty(u, u->n);
}
