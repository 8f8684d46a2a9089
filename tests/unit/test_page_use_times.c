/*
 * Page use, times: what the hand-over costs, and what comes while it is interrupted or the clock stands still.
 */
#include "tests/unit/page_uses.h"

#include <dirent.h>
#include <unistd.h>

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

/* Returns how many threads the process has. */
static int n_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	int n = 0;

	assert_non_null(tasks);
	while ((entry = readdir(tasks)))
		n += entry->d_name[0] != '.';
	closedir(tasks);
	return n;
}

/* The thread that ticks is started once, and ends when the trace does. */
static void test_thread(void **unused)
{
	int before = n_threads(); /* ThreadSanitizer has one of its own */

	(void)unused;
	OMPP_STORE(&ompp_page_ticks, (uint32_t)OMPP_TICKS_NONE);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ompp_page_ticks_are_on(1000000), 1);
		assert_int_equal(n_threads(), before + 1);
	}
	ompp_page_ticks_end();
	for (int i = 0; i < 2000 && n_threads() > before; i++)
		usleep(10000);
	assert_int_equal(n_threads(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_share),          cmocka_unit_test(test_handler),
		                            cmocka_unit_test(test_standing_still), cmocka_unit_test(test_nests),
		                            cmocka_unit_test(test_interrupted),    cmocka_unit_test(test_thread) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
