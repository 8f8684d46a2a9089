/*
 * Page use: which pages a thread used in which interval, against a list of all uses.
 */
#include "tests/unit/page_uses.h"

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
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_runs),  cmocka_unit_test(test_intervals),
		                            cmocka_unit_test(test_known), cmocka_unit_test(test_known_runs),
		                            cmocka_unit_test(test_rows),  cmocka_unit_test(test_regions),
		                            cmocka_unit_test(test_many),  cmocka_unit_test(test_words),
		                            cmocka_unit_test(test_logs) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
