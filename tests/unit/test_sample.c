/*
 * Sample: the sums of known samples, their errors, latencies and NUMA nodes; and what is lost when two work at once.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/callgraph.h"
#include "runtime/core/thread.h"
#include "runtime/data/touched.h"
#include "runtime/host/processors.h"
#include "runtime/memory/sample.h"

static struct ompp_thread thread;
static struct ompp_callnode nodes[2];
static _Alignas(4096) char page[4096] = { 1 };

static int forget(void **state)
{
	(void)state;
	ompp_sample_after_fork(&thread);
	ompp_numa_start("/nothing");
	return 0;
}

static struct ompp_mem_sample load(uint64_t period, uint32_t latency)
{
	return (struct ompp_mem_sample){ .ip = 0x1000,
		                         .address = (uintptr_t)page,
		                         .period = period,
		                         .latency = latency,
		                         .cpu = UINT32_MAX,
		                         .kind = OMPP_MEM_LOADS,
		                         .level = OMPP_MEM_LEVEL_L1,
		                         .data_source = 1 };
}

static void take(int node, uint32_t cover, struct ompp_mem_sample sample)
{
	ompp_sample_take(&thread, &nodes[node], cover, &sample);
}

/* Returns the only sum of this kind with this node, cover, kind and level; NULL when there is none. */
static const struct ompp_sample_sum *find(int sum, const struct ompp_callnode *node, uint32_t cover, int kind,
                                          int level)
{
	const struct ompp_sample_sum *found = NULL, *s;

	for (s = ompp_sample_sums(&thread); s; s = s->older)
		if (s->key.sum == sum && s->key.node == node && s->key.cover == cover && s->key.kind == kind &&
		    s->key.level == level) {
			assert_null(found);
			found = s;
		}
	return found;
}

static unsigned int count(void)
{
	const struct ompp_sample_sum *s;
	unsigned int n = 0;

	for (s = ompp_sample_sums(&thread); s; s = s->older)
		n++;
	return n;
}

/* Samples are added up by node, cover, kind and level, and by instruction; nothing is there before they are settled. */
static void test_sums(void **state)
{
	const struct ompp_sample_sum *s;
	struct ompp_mem_sample store = load(100, 7);

	(void)state;
	store.kind = OMPP_MEM_STORES;
	store.level = OMPP_MEM_LEVEL_L3;
	take(0, 2, load(100, 10));
	take(0, 2, load(50, 0));
	take(0, 2, load(1, 30));
	take(1, 2, load(100, 10));
	take(0, 3, load(100, 10));
	take(0, 2, store);
	assert_null(ompp_sample_sums(&thread));
	ompp_sample_settle(&thread);
	s = find(OMPP_SUM_OF_NODE, &nodes[0], 2, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1);
	assert_non_null(s);
	assert_int_equal(s->n, 3);
	assert_int_equal(s->n_timed, 2);
	assert_int_equal(s->estimate, 151);
	assert_int_equal(s->variance, 100 * 99 + 50 * 49);
	assert_int_equal(s->latency, 40);
	assert_int_equal(s->squares, 10 * 10 + 30 * 30);
	assert_int_equal(s->histogram[ompp_histogram_bucket(10)], 1);
	assert_int_equal(s->histogram[ompp_histogram_bucket(30)], 1);
	assert_int_equal(s->histogram[0], 0);
	s = find(OMPP_SUM_OF_NODE, &nodes[0], 2, OMPP_MEM_STORES, OMPP_MEM_LEVEL_L3);
	assert_int_equal(s->n, 1);
	assert_int_equal(find(OMPP_SUM_OF_NODE, &nodes[1], 2, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1)->n, 1);
	assert_int_equal(find(OMPP_SUM_OF_NODE, &nodes[0], 3, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1)->n, 1);
	s = find(OMPP_SUM_OF_PLACE, NULL, 2, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1);
	assert_int_equal(s->key.ip, 0x1000);
	assert_int_equal(s->n, 4); /* of both nodes */
	assert_int_equal(s->estimate, 251);
	assert_int_equal(count(), 4 + 3 + 4);
	ompp_sample_settle(&thread);
	assert_int_equal(count(), 4 + 3 + 4);
}

/* A full buffer settles itself, and the table of sums grows. */
static void test_growth(void **state)
{
	const struct ompp_sample_sum *s;
	uint64_t n = 0;
	int i, k;

	(void)state;
	for (k = 0; k < 3; k++)
		for (i = 0; i < 1000; i++) {
			struct ompp_mem_sample sample = load(10, 5);

			sample.ip = (uint64_t)i;
			take(i % 2, (uint32_t)i, sample);
		}
	assert_true(count() > 1000);
	ompp_sample_settle(&thread);
	assert_int_equal(count(), 3000);
	for (s = ompp_sample_sums(&thread); s; s = s->older) {
		assert_int_equal(s->n, 3);
		n += s->key.sum == OMPP_SUM_OF_NODE ? s->n : 0;
	}
	assert_int_equal(n, 3000);
	assert_int_equal(ompp_sample_lost(&thread), 0);
}

/* Sums stay at their most rather than overflow. */
static void test_most(void **state)
{
	const struct ompp_sample_sum *s;

	(void)state;
	take(0, 2, load(UINT64_MAX, 1));
	take(0, 2, load(1000000000000, 1));
	ompp_sample_settle(&thread);
	s = find(OMPP_SUM_OF_NODE, &nodes[0], 2, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1);
	assert_true(s->estimate == OMPP_SAMPLE_MOST && s->variance == OMPP_SAMPLE_MOST);
}

/* Puts all processors on a NUMA node. */
static void place_processors(unsigned int node)
{
	char root[] = "/tmp/test_sample.XXXXXX", command[256];

	assert_non_null(mkdtemp(root));
	snprintf(command, sizeof(command), "cd %s && mkdir node%u && echo %u > online && echo 0-63 > node%u/cpulist",
	         root, node, node, node);
	assert_int_equal(system(command), 0);
	ompp_numa_start(root);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

/* Returns the NUMA node of a page as the kernel tells it to this process itself; -1 when it does not. */
static int home_of(void *address)
{
	int home = -1;

	if (syscall(SYS_move_pages, 0, 1UL, &address, NULL, &home, 0))
		return -1;
	return home;
}

/* The page's NUMA node is the kernel's; that of memory that is gone is not known.  A sample of a processor of another
 * node is far, and then a hook's memory is remote, while what the processor says of its own samples stays. */
static void test_homes(void **state)
{
	void *gone = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ompp_mem_sample sample = load(10, 300);
	const struct ompp_sample_sum *s;
	uint32_t home;

	(void)state;
	*(volatile char *)page = 2; /* from here on the page has memory */
	home = home_of(page) < 0 ? OMPP_NO_HOME : (uint32_t)home_of(page);
	place_processors(7);
	assert_int_equal(munmap(gone, 4096), 0);
	sample.cpu = 3;
	sample.level = OMPP_MEM_LEVEL_LOCAL_MEMORY;
	take(0, 2, sample);
	sample.data_source = 0;
	take(0, 3, sample);
	sample.address = (uintptr_t)gone;
	take(1, 3, sample);
	ompp_sample_settle(&thread);
	s = find(OMPP_SUM_OF_NODE, &nodes[0], 2, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_LOCAL_MEMORY);
	assert_int_equal(s->key.home, home);
	assert_int_equal(s->n_far, home != OMPP_NO_HOME);
	s = find(OMPP_SUM_OF_NODE, &nodes[0], 3, OMPP_MEM_LOADS,
	         home == OMPP_NO_HOME ? OMPP_MEM_LEVEL_LOCAL_MEMORY : OMPP_MEM_LEVEL_REMOTE_MEMORY);
	assert_int_equal(s->n, 1);
	s = find(OMPP_SUM_OF_NODE, &nodes[1], 3, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_LOCAL_MEMORY);
	assert_true(s->key.home == OMPP_NO_HOME);
	assert_int_equal(s->n_far, 0);
	assert_true(!ompp_sample_home_error() == (home != OMPP_NO_HOME));
}

/* Who uses whose memory: the sums tell apart the processor's NUMA node and who touched the page first, and have the
 * range of addresses; and the thread's moves from one processor to another are counted. */
static void test_uses(void **state)
{
	struct ompp_mem_sample sample = load(10, 300);
	struct ompp_touched touched = { .state = OMPP_PAGE_TOUCHED, .toucher = ompp_toucher(5, 9) };
	const struct ompp_sample_moves *moves;
	const struct ompp_sample_sum *s;
	unsigned int n = 0;

	(void)state;
	place_processors(7);
	ompp_touched_set((uintptr_t)page, (uintptr_t)page + 1, &touched);
	sample.cpu = 3;
	sample.address += 100;
	take(0, 2, sample);
	sample.address -= 60;
	take(0, 2, sample);
	sample.cpu = 99; /* of an unknown node */
	take(0, 2, sample);
	ompp_sample_settle(&thread);
	for (s = ompp_sample_sums(&thread); s; s = s->older) {
		if (s->key.sum != OMPP_SUM_OF_USE)
			continue;
		n++;
		assert_int_equal(s->key.toucher, touched.toucher);
		assert_int_equal(ompp_toucher_slot(s->key.toucher), 5);
		assert_int_equal(ompp_toucher_node(s->key.toucher), 9);
		assert_int_equal(s->lo, (uintptr_t)page + 40);
		if (s->key.from == 7) {
			assert_int_equal(s->n, 2);
			assert_int_equal(s->hi, (uintptr_t)page + 100);
		} else {
			assert_true(s->key.from == OMPP_NUMA_UNKNOWN);
			assert_int_equal(s->n, 1);
		}
	}
	assert_int_equal(n, 2);
	moves = ompp_sample_moves(&thread);
	assert_int_equal(moves->n, 3);
	assert_int_equal(moves->n_cpu, 1);
	assert_int_equal(moves->n_node, 1);
	assert_int_equal(moves->seen[0], 1 << 3);
	assert_int_equal(moves->seen[1], UINT64_C(1) << 35);
	touched = (struct ompp_touched){ 0 };
	ompp_touched_set((uintptr_t)page, (uintptr_t)page + 1, &touched);
	assert_null(ompp_touched_find((uintptr_t)1 << 40));
}

/* ---- while page faults are taken ---- */

enum { FRESH = 200 };
static _Alignas(4096) char fresh[FRESH][4096];
static int n_sampled; /* of the pages of `fresh`, in order, each just before it is touched */

static void sample_fresh(void)
{
	struct ompp_mem_sample sample = load(1, 0);

	sample.address = (uintptr_t)fresh[n_sampled++];
	sample.translation = OMPP_MEM_TRANSLATION_FAULT;
	take(0, 2, sample);
}

static void touch_fresh(int from, int to)
{
	ompp_touched_set((uintptr_t)fresh[from], (uintptr_t)fresh[to],
	                 &(struct ompp_touched){ .state = OMPP_PAGE_TOUCHED, .toucher = ompp_toucher(1, 1) });
}

/* Takes the page faults of all that was sampled, as memory/touch.c does. */
static void take_faults(void)
{
	ompp_sample_mark(&thread);
	touch_fresh(0, n_sampled);
	ompp_sample_settle_marked(&thread);
}

/* Checks how many samples were added, and of how many it is known who touched the page first. */
static void check_touched(uint64_t n, uint64_t n_known)
{
	uint64_t n_all = 0, n_touched = 0;

	for (const struct ompp_sample_sum *s = ompp_sample_sums(&thread); s; s = s->older)
		if (s->key.sum == OMPP_SUM_OF_USE) {
			n_all += s->n;
			n_touched += s->key.toucher ? s->n : 0;
		}
	assert_int_equal(n_all, n);
	assert_int_equal(n_touched, n_known);
}

/* What a thread samples while its page faults are taken waits for the next time, and so do samples that came before
 * their faults; with a full buffer, too, each sample has its page's first touch. */
static void test_marks(void **state)
{
	(void)state;
	for (n_sampled = 0; n_sampled < 10;)
		sample_fresh();
	ompp_sample_mark(&thread);
	for (; n_sampled < 20;)
		sample_fresh();
	touch_fresh(0, 8);
	ompp_sample_settle_marked(&thread);
	check_touched(8, 8);
	take_faults();
	check_touched(20, 20);
	ompp_samples_settling = take_faults;
	for (; n_sampled < FRESH;)
		sample_fresh();
	ompp_samples_settling = NULL;
	take_faults();
	check_touched(FRESH, FRESH);
	assert_int_equal(ompp_sample_lost(&thread), 0);
	ompp_touched_set((uintptr_t)fresh, (uintptr_t)(fresh + 1), &(struct ompp_touched){ 0 });
}

/* First touches are counted by node, cover, instruction and home, apart from samples. */
static void test_touch(void **state)
{
	struct ompp_mem_sample sample = { .ip = 5, .address = (uintptr_t)page, .cpu = UINT32_MAX };
	const struct ompp_sample_sum *s;

	(void)state;
	ompp_sample_touch(&thread, &nodes[0], 4, &sample, 3);
	ompp_sample_touch(&thread, &nodes[0], 4, &sample, 3);
	sample.ip = 6;
	ompp_sample_touch(&thread, &nodes[0], 4, &sample, 3);
	ompp_sample_settle(&thread);
	assert_int_equal(count(), 2);
	s = ompp_sample_sums(&thread);
	assert_int_equal(s->key.sum, OMPP_SUM_OF_TOUCH);
	assert_int_equal(s->key.ip, 6);
	assert_int_equal(s->key.home, 3);
	assert_int_equal(s->n, 1);
	assert_int_equal(s->older->n, 2);
	assert_int_equal(s->older->estimate, 0);
}

/* A sample that comes in the middle of another one's, by a signal, is lost and counted; so is one whose holder never
 * ends.  The next one is taken. */
static void test_busy(void **state)
{
	(void)state;
	take(0, 2, load(10, 1));
	thread.samples->holder = (uint32_t)gettid();
	take(0, 2, load(10, 1));
	assert_int_equal(ompp_sample_settle(&thread), 1);
	thread.samples->holder = UINT32_MAX;
	take(0, 2, load(10, 1));
	assert_int_equal(ompp_sample_lost(&thread), 2);
	assert_null(ompp_sample_sums(&thread));
	thread.samples->holder = 0;
	take(0, 2, load(10, 1));
	assert_int_equal(ompp_sample_settle(&thread), 0);
	assert_int_equal(find(OMPP_SUM_OF_NODE, &nodes[0], 2, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1)->n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_uses, forget),   cmocka_unit_test_setup(test_sums, forget),
		cmocka_unit_test_setup(test_growth, forget), cmocka_unit_test_setup(test_most, forget),
		cmocka_unit_test_setup(test_homes, forget),  cmocka_unit_test_setup(test_touch, forget),
		cmocka_unit_test_setup(test_busy, forget),   cmocka_unit_test_setup(test_marks, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
