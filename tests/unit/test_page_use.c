/*
 * Page use: runs of all kinds are counted by page as the test counts access by access, also when intervals end and
 * tables grow in between, and when signal handlers come in the middle; so is what hooks count by themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/known_many.h"
#include "runtime/memory/page_ticks.h"
#include "runtime/memory/page_use.h"
#include "runtime/terms/option.h"

#define BASE ((uintptr_t)1 << 40)

enum { PAGE = 4096, PAGES = 64, RUNS = 20000, MANY = 3000000, N_KEYS = 4 };

static struct sum {
	uint64_t loads, stores, parts;
} expected[PAGES][N_KEYS], found[PAGES][N_KEYS];

static struct ompp_callnode nodes[2];
static struct ompp_thread thread;
static uint64_t n_handed, n_over;
static int refuses;

static uint64_t state = 88172645463325252u;

static uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static unsigned int key_of(const struct ompp_callnode *node, uint32_t cover)
{
	return (unsigned int)(node - nodes) * 2 + cover;
}

static int take(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns, enum ompp_page_handing how)
{
	assert_ptr_equal(t, &thread);
	assert_true(until_ns >= u->near.since_ns);
	n_over++;
	if (refuses && how != OMPP_PAGES_MUST)
		return -1;
	for (uint32_t i = 0; i < u->n; i++) {
		const struct ompp_page_use *use = &u->use[i];
		struct sum *s = &found[(use->page - BASE) / PAGE % PAGES][key_of(use->node, use->cover)];

		assert_int_equal(use->page % PAGE, 0);
		s->loads += use->loads;
		s->stores += use->stores;
		s->parts |= use->parts;
		n_handed++;
	}
	return 0;
}

static void start(const char *interval)
{
	ompp_session.options.text[OMPP_OPT_PAGES] = "hooks";
	ompp_session.options.text[OMPP_OPT_PAGES_INTERVAL] = interval;
	ompp_clock_anchor(&ompp_session.start);
	ompp_page_use_start();
	assert_int_equal(ompp_page_use_on, 1);
	ompp_page_uses_over = take;
	memset(expected, 0, sizeof(expected));
	memset(found, 0, sizeof(found));
	n_handed = n_over = 0;
	refuses = 0;
	ompp_page_ticks = OMPP_TICKS_ON; /* the test makes them */
}

/* Makes a tick; the thread's table exists. */
static void tick(void)
{
	if (thread.page_uses)
		ompp_page_tick(thread.page_uses);
}

/* Counts one access in the test, byte by byte. */
static void expect(uintptr_t address, size_t n_bytes, unsigned int key, uint32_t how)
{
	uintptr_t last = UINTPTR_MAX;

	for (uintptr_t at = address; at < address + n_bytes; at++) {
		struct sum *s = &expected[(at - BASE) / PAGE][key];

		s->parts |= UINT64_C(1) << at % PAGE / (PAGE / OMPP_PAGE_PARTS);
		if (at / PAGE == last)
			continue;
		last = at / PAGE;
		s->loads += how & OMPP_PAGE_LOADS ? 1 : 0;
		s->stores += how & OMPP_PAGE_STORES ? 1 : 0;
	}
}

static void compare(void)
{
	ompp_page_use_close(&thread);
	for (int i = 0; i < PAGES; i++)
		for (int k = 0; k < N_KEYS; k++) {
			assert_int_equal(found[i][k].loads, expected[i][k].loads);
			assert_int_equal(found[i][k].stores, expected[i][k].stores);
			assert_int_equal(found[i][k].parts, expected[i][k].parts);
		}
	assert_int_equal(ompp_page_use_lost(), 0);
}

/* Makes a run by chance: its elements, wherever they go, are within the pages. */
static void run_by_chance(void)
{
	static const size_t sizes[] = { 1, 2, 4, 8, 16, 3, 24, 5000 };
	size_t n_bytes = sizes[random_below(8)], n = random_below(2) ? 1 : random_below(300);
	intptr_t step = (intptr_t)random_below(random_below(2) ? 9 : 300) * (random_below(3) ? (intptr_t)n_bytes : 1);
	uint32_t how = 1 + (uint32_t)random_below(3), cover = (uint32_t)random_below(2);
	const struct ompp_callnode *node = &nodes[random_below(2)];
	uintptr_t first;

	while (n > 1 && (n - 1) * (size_t)step + n_bytes > (PAGES - 1) * PAGE)
		n /= 2;
	first = BASE + random_below(PAGES * PAGE - ((n ? n - 1 : 0) * (size_t)step + n_bytes));
	if (random_below(4))
		first = BASE + (first - BASE) / n_bytes * n_bytes;
	if (random_below(2)) {
		first += (n ? n - 1 : 0) * (size_t)step;
		step = -step;
	}
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		expect(first + i * (size_t)step, n_bytes, key_of(node, cover), how);
	ompp_page_use_add(&thread, node, cover, first, (size_t)step, n, n_bytes, how);
}

static void test_runs(void **unused)
{
	(void)unused;
	start("86400s");
	for (int i = 0; i < RUNS; i++)
		run_by_chance();
	compare();
	assert_int_equal(n_over, 1);
}

/* Intervals end; whoever takes them refuses at times, and then the interval goes on. */
static void test_intervals(void **unused)
{
	(void)unused;
	start("1ms");
	for (int i = 0; i < RUNS; i++) {
		refuses = i % 3 == 0;
		if (!random_below(40))
			tick();
		run_by_chance();
	}
	compare();
	assert_true(n_over > 5);
}

/* What hooks may count by themselves, they count in the tally and by page as the rest is counted: single accesses,
 * blocks, and runs of both, in two segments that meet in the middle of a page, for two nodes. */
enum { MIDDLE = PAGES / 2 * PAGE + PAGE / 2 };

static struct {
	struct ompp_tally tally;
	uint64_t rows[2][OMPP_N_SLOTS];
} tallies[2];
static uint64_t n_slot[2][2][OMPP_N_SLOTS];

/* Lets an access be counted as hooks let it.  Returns 1 when they have done so. */
static int count_as_hooks(struct ompp_tally *y, uintptr_t base, size_t step, size_t n, size_t n_bytes,
                          unsigned int slot)
{
	uintptr_t end = base + (n - 1) * step, lo = base < end ? base : end, hi = base < end ? end : base;
	unsigned int size = (unsigned int)__builtin_ctzl(n_bytes);

	if (!ompp_access_known)
		return 0;
	if (slot == OMPP_SLOT_BLOCK_LOAD || slot == OMPP_SLOT_BLOCK_STORE || slot == OMPP_SLOT_ATOMIC)
		return ompp_known_count_blocks(ompp_access_known, y, base, step, n, n_bytes, lo, hi + n_bytes - 1,
		                               slot);
	if (n > 1)
		return ompp_known_count_run(ompp_access_known, y, base, step, n, lo, hi, size, slot);
	return ompp_known_count(ompp_access_known, y, base, size, slot) ||
	       ompp_page_use_known(&thread, y, base, size, slot);
}

/* Makes an access or a run by chance in one of the segments.  Returns 1 when it was counted as by hooks. */
static int known_by_chance(struct ompp_segment *segments)
{
	static const unsigned int slots[] = { OMPP_SLOT_LOAD, OMPP_SLOT_STORE, OMPP_SLOT_BLOCK_LOAD,
		                              OMPP_SLOT_BLOCK_STORE, OMPP_SLOT_ATOMIC };
	static const uint32_t hows[] = { OMPP_PAGE_LOADS, OMPP_PAGE_STORES, OMPP_PAGE_LOADS, OMPP_PAGE_STORES,
		                         OMPP_PAGE_LOADS | OMPP_PAGE_STORES };
	unsigned int kind = (unsigned int)random_below(5), slot = slots[kind], of = (unsigned int)random_below(2);
	struct ompp_segment *s = &segments[random_below(2)];
	size_t n_bytes = kind < 2 ? (size_t)1 << random_below(OMPP_SIZES)
	                          : 1 + random_below(random_below(3) ? 64 : 5000);
	size_t n = kind < 4 && n_bytes <= 64 && random_below(2) ? 1 + random_below(40) : 1;
	size_t step = n > 1 ? random_below(random_below(4) ? 3 : 100) * n_bytes : 0, all = (n - 1) * step + n_bytes;
	uintptr_t base = s->lo + random_below(random_below(2) ? 8 * (uint64_t)PAGE : s->hi - s->lo - all);
	struct ompp_tally *y = &tallies[of].tally;
	uint64_t *counted = n_slot[of][s->cover];
	int is_known;

	base = random_below(4) && kind < 2 ? (base + n_bytes - 1) / n_bytes * n_bytes : base;
	if (!random_below(16))
		base = BASE + MIDDLE - 1 - random_below(all);
	if (base < BASE + MIDDLE && base + all > BASE + MIDDLE) { /* in both segments */
		assert_int_equal(count_as_hooks(y, base, step, n, n_bytes, slot), 0);
		return 0;
	}
	if (base < s->lo || base + all > s->hi)
		return 0;
	for (size_t i = 0; i < n; i++)
		expect(base + i * step, n_bytes, key_of(&nodes[of], s->cover), hows[kind]);
	if (n > 1 && random_below(2)) {
		base += (n - 1) * step;
		step = -step;
	}
	is_known = count_as_hooks(y, base, step, n, n_bytes, slot);
	if (!is_known) {
		ompp_page_use_add(&thread, &nodes[of], s->cover, base, step, n, n_bytes, hows[kind]);
		ompp_page_use_remember(&thread, y, base, s);
		return 0;
	}
	if (kind < 2) {
		counted[slot + (unsigned int)__builtin_ctzl(n_bytes)] += n;
	} else {
		counted[slot] += n;
		counted[slot + 1] += n * n_bytes;
	}
	return 1;
}

/* A site with 1 to 3 members by chance: of one kind, or of several. */
static struct {
	size_t n, lo, n_bytes;
	struct {
		size_t distance, how;
	} member[3];
} site;

static void site_by_chance(void)
{
	size_t how = random_below(OMPP_SIZES) | (random_below(2) ? OMPP_HOW_STORE : 0), lo = 0, hi = 0;
	uint64_t kind = random_below(4);

	site.n = kind ? 1 + random_below(3) : 1;
	for (size_t i = 0; i < site.n; i++) {
		size_t distance = i && kind > 1 ? (size_t)random_below(129) - 64 : 0, end;

		site.member[i].distance = distance;
		site.member[i].how = kind == 1 ? how ^ (i ? OMPP_HOW_STORE : 0)
		                   : kind == 2 ? how
		                               : random_below(OMPP_SIZES) | (random_below(2) ? OMPP_HOW_STORE : 0);
		end = distance + ((size_t)1 << (site.member[i].how & OMPP_HOW_SIZE));
		lo = (intptr_t)distance < (intptr_t)lo ? distance : lo;
		hi = (intptr_t)end > (intptr_t)hi ? end : hi;
	}
	site.lo = lo;
	site.n_bytes = hi - lo;
}

/* Counts each member of the site at an address in the test; with `is_slow` by libompp, too. */
static void count_members(struct ompp_segment *segments, unsigned int of, uintptr_t at, int is_slow)
{
	for (size_t i = 0; i < site.n; i++) {
		uintptr_t address = at + site.member[i].distance;
		size_t how = site.member[i].how, n_bytes = (size_t)1 << (how & OMPP_HOW_SIZE);
		uint32_t is_upper = address >= BASE + MIDDLE,
			 what = how & OMPP_HOW_STORE ? OMPP_PAGE_STORES : OMPP_PAGE_LOADS;

		if (!is_slow) {
			n_slot[of][is_upper][(how & OMPP_HOW_STORE) + (how & OMPP_HOW_SIZE)]++;
			continue;
		}
		ompp_page_use_add(&thread, &nodes[of], segments[is_upper].cover, address, 0, 1, n_bytes, what);
		ompp_page_use_remember(&thread, &tallies[of].tally, address, &segments[is_upper]);
	}
}

/* Counts the members of a site at addresses by chance, each in one of the segments, as what waits is counted.  Returns
 * at how many addresses they were known. */
static int row_by_chance(struct ompp_segment *segments)
{
	unsigned int of = (unsigned int)random_below(2);
	uint32_t n = 1 + (uint32_t)random_below(40), i, now;
	struct ompp_tally *y = &tallies[of].tally;
	uint64_t row[40];
	int n_known = 0;

	site_by_chance();
	for (i = 0; i < n; i++) {
		uintptr_t middle = BASE + MIDDLE, at = BASE + 64 + random_below(PAGES * PAGE - 256);

		if (random_below(2))
			at = middle - 2 * PAGE + random_below(4 * PAGE);
		if (random_below(16))
			at -= (at + site.lo) & 15;
		if (at + site.lo < middle && at + site.lo + site.n_bytes > middle)
			at += 256;
		row[i] = at;
		for (size_t k = 0; k < site.n; k++)
			expect(at + site.member[k].distance, (size_t)1 << (site.member[k].how & OMPP_HOW_SIZE),
			       key_of(&nodes[of], at + site.lo >= middle),
			       site.member[k].how & OMPP_HOW_STORE ? OMPP_PAGE_STORES : OMPP_PAGE_LOADS);
	}
	for (i = 0; i < n; i += now) {
		now = ompp_access_known
		            ? ompp_known_count_row(ompp_access_known, y, (const void *)&site, row + i, n - i)
		            : 0;
		for (uint32_t k = i; k < i + now; k++)
			count_members(segments, of, (uintptr_t)row[k], 0);
		n_known += (int)now;
		if (now)
			continue;
		count_members(segments, of, (uintptr_t)row[i], 1);
		now = 1;
	}
	return n_known;
}

/* Counts runs by chance in one of the segments, as loops in loops are counted.  Returns how many accesses were known.
 */
static int runs_by_chance(struct ompp_segment *segments)
{
	struct ompp_segment *s = &segments[random_below(2)];
	unsigned int of = (unsigned int)random_below(2), slot = random_below(2) ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD;
	unsigned int size = (unsigned int)random_below(OMPP_SIZES);
	uintptr_t bytes = (uintptr_t)1 << size, lo = s->lo, hi = s->lo;
	struct ompp_known_runs r = { 0,   random_below(600) << size, 1 + random_below(8),
		                     0,   1 + random_below(100),     size,
		                     slot };
	uint32_t how = slot == OMPP_SLOT_STORE ? OMPP_PAGE_STORES : OMPP_PAGE_LOADS;
	size_t known, n = r.n * r.n2;

	r.step2 = random_below(random_below(2) ? 3 : 100) << size;
	r.step = random_below(3) ? r.step : -r.step;
	r.step2 = random_below(3) ? r.step2 : -r.step2;
	ompp_known_reach(&lo, &hi, r.step, r.n);
	ompp_known_reach(&lo, &hi, r.step2, r.n2);
	if (hi - lo + bytes > s->hi - s->lo)
		return 0;
	r.base = (s->lo + (s->lo - lo) + random_below(s->hi - s->lo - (hi - lo) - bytes + 1) + bytes - 1) / bytes *
	         bytes;
	if (r.base + (hi - s->lo) + bytes > s->hi)
		return 0;
	for (size_t i = 0; i < n; i++)
		expect(r.base + i / r.n2 * r.step + i % r.n2 * r.step2, bytes, key_of(&nodes[of], s->cover), how);
	known = ompp_access_known ? ompp_known_count_runs(ompp_access_known, &tallies[of].tally, &r) : 0;
	n_slot[of][s->cover][slot + size] += known;
	for (size_t i = known; i < n; i++) {
		uintptr_t at = r.base + i / r.n2 * r.step + i % r.n2 * r.step2;

		ompp_page_use_add(&thread, &nodes[of], s->cover, at, 0, 1, bytes, how);
		ompp_page_use_remember(&thread, &tallies[of].tally, at, s);
	}
	return (int)known;
}

static int is_extent(unsigned int slot)
{
	return (slot >= OMPP_SLOT_LOAD_EXTENT && slot < OMPP_SLOT_STORE) ||
	       (slot >= OMPP_SLOT_STORE_EXTENT && slot < OMPP_SLOT_BLOCK_LOAD);
}

static void known_of(int (*by_chance)(struct ompp_segment *segments), int n_least)
{
	struct ompp_segment segments[2] = { { .lo = BASE, .hi = BASE + MIDDLE, .cover = 0 },
		                            { .lo = BASE + MIDDLE, .hi = BASE + PAGES * PAGE, .cover = 1 } };
	int n_known = 0;

	start("86400s");
	memset(tallies, 0, sizeof(tallies));
	memset(n_slot, 0, sizeof(n_slot));
	for (int i = 0; i < 2; i++) {
		segments[i].row = (uint32_t)(offsetof(__typeof__(tallies[0]), rows) +
		                             (size_t)i * sizeof(tallies[0].rows[0]));
		for (int k = 0; k < OMPP_SIZES; k++)
			segments[i].limit[k] = segments[i].hi - segments[i].lo - (((uintptr_t)1 << k) - 1);
		tallies[i].tally.n_rows = 2;
		tallies[i].tally.node = &nodes[i];
	}
	for (int i = 0; i < RUNS; i++)
		n_known += by_chance(segments);
	compare();
	assert_true(n_known >= n_least);
	for (int of = 0; of < 2; of++)
		for (int cover = 0; cover < 2; cover++)
			for (unsigned int slot = 0; slot < OMPP_N_SLOTS; slot++)
				if (!is_extent(slot))
					assert_int_equal(tallies[of].rows[cover][slot], n_slot[of][cover][slot]);
}

static void test_known(void **unused)
{
	(void)unused;
	known_of(known_by_chance, RUNS / 4);
}

static void test_rows(void **unused)
{
	(void)unused;
	known_of(row_by_chance, RUNS * 4);
}

static void test_known_runs(void **unused)
{
	(void)unused;
	known_of(runs_by_chance, RUNS * 4);
}

/* Each change of nodes ends an interval, and what is handed over is of one node. */
static int take_one_node(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                         enum ompp_page_handing how)
{
	for (uint32_t i = 1; i < u->n; i++)
		assert_ptr_equal(u->use[i].node, u->use[0].node);
	return take(t, u, until_ns, how);
}

static void test_regions(void **unused)
{
	(void)unused;
	start("region");
	ompp_page_uses_over = take_one_node;
	for (int i = 0; i < 1000; i++)
		run_by_chance();
	compare();
	assert_true(n_over > 300);
}

/* More pages than a table has room for: none is lost. */
static void test_many(void **unused)
{
	uint64_t sum = 0;

	(void)unused;
	start("86400s");
	ompp_page_use_add(&thread, &nodes[0], 0, BASE, PAGE, MANY, 8, OMPP_PAGE_LOADS);
	ompp_page_use_close(&thread);
	for (int i = 0; i < PAGES; i++)
		sum += found[i][0].loads;
	assert_int_equal(sum, MANY);
	assert_int_equal(n_handed, MANY);
	assert_int_equal(n_over, MANY / OMPP_PAGES_MOST + 1);
}

static uint64_t ns_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t last_over_ns;

/* Takes 10 ms of processor time: the next interval has 100 ms at least. */
static int take_slowly(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                       enum ompp_page_handing how)
{
	uint64_t begin = ns_of(CLOCK_THREAD_CPUTIME_ID);

	assert_true(!last_over_ns || until_ns - last_over_ns >= 100000000);
	last_over_ns = until_ns;
	while (ns_of(CLOCK_THREAD_CPUTIME_ID) - begin < 10000000)
		;
	return take(t, u, until_ns, how);
}

/* Intervals of many pages become so long that handing these over, and as much again, takes a fifth of the time. */
static void test_share(void **unused)
{
	(void)unused;
	start("1ms");
	assert_int_equal(ompp_page_use_longest_ns(), 0);
	ompp_page_uses_over = take_slowly;
	for (; n_over < 4; tick())
		ompp_page_use_add(&thread, &nodes[0], 0, BASE, PAGE, 5000, 8, OMPP_PAGE_LOADS);
	assert_true(ompp_page_use_longest_ns() >= 100000000);
	ompp_page_uses_over = take;
	ompp_page_use_close(&thread);
}

/* A handler's accesses in the middle of another one wait, and then they count; those for which there is no room are
 * lost, and told. */
static void test_handler(void **unused)
{
	(void)unused;
	start("86400s");
	ompp_page_use_add(&thread, &nodes[0], 0, BASE, 0, 1, 8, OMPP_PAGE_LOADS);
	thread.page_uses->near.mine = 0;
	for (int i = 0; i < OMPP_PAGES_WAITING + 3; i++)
		ompp_page_use_add(&thread, &nodes[1], 1, BASE + PAGE, 8, 2, 8, OMPP_PAGE_STORES);
	thread.page_uses->near.mine = thread.page_uses->near.seen;
	assert_int_equal(ompp_page_use_lost(), 3 * 2);
	ompp_page_use_add(&thread, &nodes[0], 0, BASE, 0, 1, 8, OMPP_PAGE_LOADS);
	ompp_page_use_close(&thread);
	assert_int_equal(found[0][0].loads, 2);
	assert_int_equal(found[1][3].stores, 2 * OMPP_PAGES_WAITING);
	ompp_page_use_after_fork(&thread);
	assert_int_equal(ompp_page_use_lost(), 0);
}

/* Hands over a table while a handler makes an access, for which it is not there: its thread works with it. */
static int take_interrupted(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                            enum ompp_page_handing how)
{
	uintptr_t address = BASE + random_below(PAGES) * PAGE + 8 * random_below(PAGE / 8);
	unsigned int key = (unsigned int)random_below(N_KEYS);

	assert_int_equal(u->near.mine, 0);
	if (random_below(2)) {
		ompp_page_use_add(&thread, &nodes[key / 2], key % 2, address, 0, 1, 8, OMPP_PAGE_STORES);
		expect(address, 8, key, OMPP_PAGE_STORES);
	}
	return take(t, u, until_ns, how);
}

/* Also where a log is counted, and when the thread ends. */
static void test_interrupted(void **unused)
{
	struct ompp_thread *self = ompp_self;
	struct ompp_known *known;

	(void)unused;
	start("86400s");
	ompp_self = &thread;
	ompp_page_uses_over = take_interrupted;
	for (int i = 0; i < RUNS; i++) {
		run_by_chance();
		known = thread.page_uses ? &thread.page_uses->near : NULL;
		if (known && !random_below(10)) {
			uint64_t since = known->tick_ns;

			tick();
			known->turn(known, OMPP_TURN_PAST, since, known->tick_ns);
			run_by_chance();
			known->turn(known, OMPP_TURN_END, 0, 0);
		}
		if (!random_below(50))
			ompp_page_use_close(&thread);
	}
	compare();
	ompp_page_uses_over = take;
	ompp_self = self;
}

/* ---- when ---- */

static struct {
	uint64_t since_ns, until_ns;
	uint32_t n;
} handed[8];
static size_t n_told;

static int take_times(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until_ns,
                      enum ompp_page_handing how)
{
	(void)t, (void)how;
	assert_true(n_told < 8);
	handed[n_told].since_ns = u->near.since_ns;
	handed[n_told].until_ns = until_ns;
	handed[n_told++].n = u->n;
	return 0;
}

static void use_page(int i)
{
	ompp_page_use_add(&thread, &nodes[0], 0, BASE + (uintptr_t)i * PAGE, 0, 1, 8, OMPP_PAGE_LOADS);
}

/* Lets some intervals pass.  Returns the time then. */
static uint64_t stand_still(void)
{
	struct timespec pause = { 0, 5000000 };

	nanosleep(&pause, NULL);
	return ompp_clock_monotonic_ns();
}

static void start_times(uint32_t ticks)
{
	start("1ms");
	ompp_page_ticks = ticks;
	ompp_page_use_after_fork(&thread);
	ompp_page_ticks = ticks;
	ompp_page_uses_over = take_times;
	n_told = 0;
}

/* What a thread uses before it stands still is told by the tick that came meanwhile, and not with what it uses behind
 * that; without ticks, by the time of its latest access. */
static void test_standing_still(void **unused)
{
	static const uint32_t ways[] = { OMPP_TICKS_ON, OMPP_TICKS_IMPOSSIBLE };
	uint64_t begin, used, ticked, woken;

	(void)unused;
	for (int i = 0; i < 2; i++) {
		start_times(ways[i]);
		begin = ompp_clock_monotonic_ns();
		use_page(0);
		use_page(1);
		used = ompp_clock_monotonic_ns();
		stand_still();
		if (ways[i] == OMPP_TICKS_ON)
			tick();
		ticked = ompp_clock_monotonic_ns();
		woken = stand_still();
		use_page(0);
		assert_int_equal(n_told, 1);
		assert_int_equal(handed[0].n, 2);
		assert_in_range(handed[0].since_ns, begin, used);
		assert_in_range(handed[0].until_ns, handed[0].since_ns, ways[i] == OMPP_TICKS_ON ? ticked : used);
		ompp_page_use_close(&thread);
		assert_int_equal(handed[1].n, 1);
		assert_true(handed[1].since_ns >= woken);
	}
}

/* A nest of loops whose runs are counted before it is not over at a tick that comes within it; what is counted behind
 * it may be as old as the tick before. */
static void test_nests(void **unused)
{
	uint64_t before, within, end;

	(void)unused;
	start_times(OMPP_TICKS_ON);
	use_page(0);
	stand_still();
	before = ompp_clock_monotonic_ns();
	tick();
	ompp_access_in_nest = 1;
	ompp_page_use_add(&thread, &nodes[0], 0, BASE, PAGE, 8, 8, OMPP_PAGE_LOADS);
	stand_still();
	tick();
	within = stand_still();
	ompp_page_use_behind(&thread);
	ompp_page_use_add(&thread, &nodes[0], 0, BASE + PAGE, 0, 5, 8, OMPP_PAGE_LOADS);
	ompp_access_in_nest = 0;
	end = stand_still();
	tick();
	assert_int_equal(n_told, 2);
	assert_int_equal(handed[1].n, 8);
	assert_true(handed[1].until_ns >= within);
	assert_true(ompp_page_ticks_ahead_ns() >= end - handed[1].until_ns);
	ompp_page_use_close(&thread);
	assert_int_equal(handed[2].n, 1);
	assert_in_range(handed[2].since_ns, before, within);
}

/* What waits in a log is told by the ticks between which it came there. */
static void test_logs(void **unused)
{
	struct ompp_access_site *log_site = (struct ompp_access_site *)(void *)&state; /* only its address counts */
	struct ompp_known *known;
	uint64_t times[4];

	(void)unused;
	start_times(OMPP_TICKS_ON);
	use_page(0);
	known = &thread.page_uses->near;
	known->log[3].site = log_site;
	known->log[3].round++;
	known->n_logs = 1;
	for (int i = 0; i < 4; i++) {
		times[i] = stand_still();
		known->log[3].address[2 * i] = known->log[3].address[2 * i + 1] = BASE + (uintptr_t)i * PAGE;
		tick();
	}
	assert_int_equal(known->log[3].seen_round, known->log[3].round);
	for (int i = 0; i < 4; i++) {
		const struct ompp_log_time *time = &known->time[3][2 * i];

		assert_int_equal(time->round, known->log[3].round);
		assert_true(time->since_ns <= times[i] && time->until_ns >= times[i]);
		assert_true(i == 3 || time->until_ns <= times[i + 1]);
		known->turn(known, OMPP_TURN_PAST, time->since_ns, time->until_ns);
		use_page(i);
	}
	known->turn(known, OMPP_TURN_END, 0, 0);
	known->log[3].site = NULL;
	known->n_logs = 0;
	memset(known->log[3].address, 0, sizeof(known->log[3].address));
	ompp_page_use_close(&thread);
	assert_int_equal(n_told, 4); /* the first one with what was used at once */
	for (int i = 0; i < 4; i++)
		assert_true(handed[i].since_ns <= times[i] && handed[i].until_ns >= times[i] &&
		            (i == 3 || handed[i].until_ns <= times[i + 1]));
}

static void test_words(void **unused)
{
	static const char *const bad[] = {
		"", "ms", "50 ms", "0", "0.0001", "90000", "50us", "1.5.2", "regions", "-1"
	};
	uint64_t ns = 1;

	(void)unused;
	assert_int_equal(ompp_page_interval("50ms", &ns), 0);
	assert_int_equal(ns, 50000000);
	assert_int_equal(ompp_page_interval("0.05", &ns), 0);
	assert_int_equal(ns, 50000000);
	assert_int_equal(ompp_page_interval("2.5s", &ns), 0);
	assert_int_equal(ns, 2500000000);
	assert_int_equal(ompp_page_interval("region", &ns), 0);
	assert_int_equal(ns, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(ompp_page_interval(bad[i], &ns), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),           cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_known),          cmocka_unit_test(test_known_runs),
		cmocka_unit_test(test_rows),           cmocka_unit_test(test_regions),
		cmocka_unit_test(test_many),           cmocka_unit_test(test_share),
		cmocka_unit_test(test_handler),        cmocka_unit_test(test_words),
		cmocka_unit_test(test_standing_still), cmocka_unit_test(test_nests),
		cmocka_unit_test(test_logs),           cmocka_unit_test(test_interrupted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
