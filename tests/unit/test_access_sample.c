/*
 * Access sample: does what the sampling variants of the hooks do, with accesses that are known.  The estimates agree
 * with the numbers of accesses within their stated errors.  Seeds are fixed, so a test that passes once always does.
 */
#include "tests/unit/steps.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/access/access.h"
#include "runtime/access/access_sample.h"
#include "runtime/base/geometric.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/page.h"
#include "runtime/memory/sample.h"
#include "runtime/ompp.h"
#include "runtime/ompp_mem.h"

enum { RUNS = 400, PERIOD = 100 };

static char memory[65536];

static void begin(const char *period)
{
	option("OMPP_SAMPLE", "hook");
	option("OMPP_SAMPLE_PERIOD", period);
	ompp_access_made(0);
	*(volatile char *)memory = 1; /* what is not mapped is not timed */
	ompp_data_begin(memory, 100, "a");
	ompp_data_begin(memory + 200, 1000, "b");
}

static void access_to(const void *p, size_t n_bytes, unsigned int how)
{
	if (--ompp_access_countdown < 0)
		ompp_access_sample((uintptr_t)p, n_bytes, how, 0x1234);
	ompp_access_block((uintptr_t)p, n_bytes,
	                  how & OMPP_ACCESS_LOAD    ? OMPP_SLOT_BLOCK_LOAD
	                  : how & OMPP_ACCESS_STORE ? OMPP_SLOT_BLOCK_STORE
	                                            : OMPP_SLOT_ATOMIC);
}

/* What the thread's samples of one kind, or all with 0, of one cover add up to. */
static struct ompp_sample_sum total(uint32_t cover, int kind)
{
	struct ompp_sample_sum sum = { .n = 0 };
	const struct ompp_sample_sum *s;

	ompp_sample_settle(ompp_self);
	for (s = ompp_sample_sums(ompp_self); s; s = s->older)
		if (s->key.sum == OMPP_SUM_OF_NODE && s->key.cover == cover && (!kind || s->key.kind == kind)) {
			sum.n += s->n;
			sum.n_timed += s->n_timed;
			sum.estimate += s->estimate;
			sum.variance += s->variance;
			sum.key.level |= s->key.level;
		}
	return sum;
}

static uint32_t cover_of(const void *p)
{
	access_to(p, 1, OMPP_ACCESS_LOAD);
	return ompp_segment_at((uintptr_t)p)->cover;
}

/* Returns 1 when the estimate is within so many standard errors of what is expected. */
static int agrees(const struct ompp_sample_sum *now, const struct ompp_sample_sum *before, double expected)
{
	double error = sqrt((double)(now->variance - before->variance));

	return fabs((double)(now->estimate - before->estimate) - expected) <= 1.96 * error;
}

/* In 95 of 100 runs the number of accesses is within 1.96 standard errors of the estimate, for each object: of 400
 * runs, 380 in the mean, and fewer than 366 in one of a thousand times. */
static void test_estimates(void **unused)
{
	static const int each[2] = { 20000, 60000 };
	struct ompp_sample_sum before[2], now[2];
	uint32_t covers[2];
	int n[2] = { 0, 0 };

	(void)unused;
	begin("100");
	covers[0] = cover_of(memory);
	covers[1] = cover_of(memory + 200);
	if (!ompp_self->sampling)
		skip();
	for (int i = 0; i < 2; i++)
		before[i] = total(covers[i], 0);
	for (int run = 0; run < RUNS; run++) {
		ompp_self->sampling->random = ompp_random_seed((uint64_t)run);
		ompp_access_countdown = INT64_MIN / 2; /* as in a new thread */
		for (int i = 0; i < each[0]; i++) {
			access_to(memory + i % 96, 4, i & 1 ? OMPP_ACCESS_LOAD : OMPP_ACCESS_STORE);
			for (int k = 0; k < each[1] / each[0]; k++)
				access_to(memory + 200 + i % 992, 8, OMPP_ACCESS_LOAD);
		}
		for (int i = 0; i < 2; i++) {
			now[i] = total(covers[i], 0);
			n[i] += agrees(&now[i], &before[i], each[i]);
			before[i] = now[i];
		}
	}
	print_message("within the 95 %% interval: %d and %d of %d runs\n", n[0], n[1], RUNS);
	assert_in_range(n[0], 366, 395);
	assert_in_range(n[1], 366, 395);
}

/* With a period of 1 each access is sampled; what is counted, and how, is exact. */
static void test_kinds(void **unused)
{
	struct ompp_sample_sum before, now;
	uint32_t a;

	(void)unused;
	begin("1");
	a = cover_of(memory);
	if (!ompp_self->sampling)
		skip();
	before = total(a, 0);
	for (int i = 0; i < 10; i++) {
		access_to(memory + i, 4, OMPP_ACCESS_LOAD);
		access_to(memory + i, 4, OMPP_ACCESS_LOAD | OMPP_ACCESS_VOLATILE);
		access_to(memory + i, 4, OMPP_ACCESS_ATOMIC);
	}
	now = total(a, OMPP_MEM_LOADS);
	assert_int_equal(now.n - before.n, 20);
	assert_int_equal(now.estimate - before.estimate, 20);
	assert_int_equal(now.variance, 0);
	assert_in_range(now.n_timed - before.n_timed, 5, 10); /* one may be interrupted */
	now = total(a, OMPP_MEM_STORES);
	assert_int_equal(now.n, 10);
	assert_int_equal(now.n_timed, 0);
	assert_int_equal(now.key.level, OMPP_MEM_LEVEL_UNKNOWN);
	for (int i = 0; i < 10; i++)
		access_to(memory + i, 4, OMPP_ACCESS_STORE);
	assert_int_equal(total(a, OMPP_MEM_STORES).n, 20);
	assert_in_range(total(a, OMPP_MEM_STORES).n_timed, 5, 10);
}

/* A probe maps no page, and an address without memory is not read. */
static void test_pages(void **unused)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 64 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ompp_sample_sum sum;
	unsigned char is_mapped;

	(void)unused;
	begin("1");
	ompp_data_begin(p, 64 * page, "new");
	if (!cover_of(memory) || !ompp_self->sampling)
		skip();
	for (int i = 0; i < 32; i++)
		access_to(p + i * (int)page, 8, i & 1 ? OMPP_ACCESS_LOAD : OMPP_ACCESS_STORE);
	sum = total(ompp_segment_at((uintptr_t)p)->cover, 0);
	assert_int_equal(sum.n, 32);
	assert_int_equal(sum.n_timed, 0);
	for (int i = 0; i < 64; i++) {
		assert_int_equal(mincore(p + i * (int)page, page, &is_mapped), 0);
		assert_int_equal(is_mapped & 1, 0);
	}
	p[0] = 1;
	for (int i = 0; i < 10; i++)
		access_to(p, 8, OMPP_ACCESS_STORE);
	assert_in_range(total(ompp_segment_at((uintptr_t)p)->cover, 0).n_timed, 5, 10);
	munmap(p, 64 * page);
	access_to(p + 40 * (int)page, 8, OMPP_ACCESS_LOAD);
	access_to(NULL, 8, OMPP_ACCESS_LOAD);
}

static void test_choice(void **unused)
{
	uint32_t a;

	(void)unused;
	option("OMPP_SAMPLE_KIND", "loads");
	option("OMPP_SAMPLE_LATENCY", "65535");
	begin("1");
	a = cover_of(memory);
	if (!ompp_self->sampling)
		skip();
	for (int i = 0; i < 1000; i++)
		access_to(memory, 4, OMPP_ACCESS_STORE);
	assert_int_equal(total(a, 0).n, 0);
	for (int i = 0; i < 100; i++)
		access_to(memory, 4, OMPP_ACCESS_LOAD);
	assert_in_range(total(a, 0).n, 0, 50);
}

/* What samples take is not in the time of the region in which they are taken: both together are what passed.  With a
 * period of 1 it is nearly all of the time. */
static void test_time(void **unused)
{
	struct ompp_clock_anchor now;
	struct ompp_clock_rate rate;
	uint64_t before, start, end, ticks, most_ticks;
	double passed, most, samples, shown;
	clock_t cpu;

	(void)unused;
	option("OMPP_CLOCK", "auto");
	begin("1");
	cover_of(memory);
	if (!ompp_self->sampling)
		skip();
	before = ompp_clock(); /* others may have the processor at any time: the region lasted from ticks to most_ticks
	                        */
	ompp_region_begin("sampled");
	cpu = clock();
	start = ompp_clock();
	for (int i = 0; i < 20000; i++)
		access_to(memory, 4, OMPP_ACCESS_LOAD);
	end = ompp_clock();
	cpu = clock() - cpu;
	samples = (double)ompp_thread_node(ompp_self)->sample_ticks;
	ompp_region_end("sampled");
	most_ticks = ompp_clock() - before;
	ticks = end - start;
	ompp_clock_anchor(&now);
	rate = ompp_clock_rate(&ompp_session.start, &now);
	passed = (double)ticks * (double)rate.num / (double)rate.den;
	most = (double)most_ticks * (double)rate.num / (double)rate.den;
	samples = samples * (double)rate.num / (double)rate.den;
	collect();
	shown = (double)cell("sampled", "0")->exec_ns;
	print_message("passed %.0f to %.0f ns, samples %.0f, shown %.0f\n", passed, most, samples, shown);
	assert_true(samples > (double)cpu * 1e9 / CLOCKS_PER_SEC / 10);
	assert_true(shown + samples < most * 1.05 + 20000);
	assert_true(shown + samples > passed * 0.9 - 20000);
}

/* ---- threads ---- */

enum { THREADS = 4, DRAWS = 50 };

static pthread_barrier_t all_here;

/* Draws how many accesses pass until a sample, so many times. */
static void *draw(void *gaps)
{
	for (int i = 0; i < DRAWS; i++) {
		ompp_access_countdown = i ? 0 : INT64_MIN / 2;
		access_to(memory, 1, OMPP_ACCESS_LOAD);
		((int64_t *)gaps)[i] = ompp_access_countdown;
	}
	pthread_barrier_wait(&all_here); /* a thread that begins later would get the slot of one that has ended */
	return NULL;
}

/* Threads of one run sample at other accesses than each other. */
static void test_threads(void **unused)
{
	static int64_t gaps[THREADS][DRAWS];
	pthread_t threads[THREADS];

	(void)unused;
	begin("100");
	cover_of(memory);
	if (!ompp_self->sampling)
		skip();
	assert_int_equal(pthread_barrier_init(&all_here, NULL, THREADS), 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, draw, gaps[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < i; k++)
			assert_memory_not_equal(gaps[i], gaps[k], sizeof(gaps[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_estimates), cmocka_unit_test(test_kinds),
		                            cmocka_unit_test(test_pages),     cmocka_unit_test(test_choice),
		                            cmocka_unit_test(test_threads),   cmocka_unit_test(test_time) };

	return RUN_APART(tests);
}
