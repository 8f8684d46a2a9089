/*
 * Touch: pages of fresh memory that are read, written, copied after a fork, given back and touched by several threads;
 * the profile has exactly those first touches that arithmetic says.
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/core/session.h"
#include "runtime/data/touched.h"
#include "runtime/events/thread_start.h"
#include "runtime/memory/touch.h"
#include "runtime/ompp.h"
#include "runtime/samples/sampler.h"
#include "runtime/sources/source_touch.h"
#include "tests/unit/machine.h"

REGION_WITH(one, userRegion, 10, 19, "userRegionName=one*");
REGION_WITH(two, userRegion, 20, 29, "userRegionName=two*");

enum { N = 100, MANY = 12000 };

static size_t page_bytes;
static char *memory;

/* Maps memory where there was none before: libompp's own memory, which is in this program, counts here, too.  The
 * thread sanitizer leaves programs few addresses, and these are among them. */
static char *fresh(size_t n_pages, const char *name)
{
	static uintptr_t at = (uintptr_t)0x7e9 << 36;
	char *base = mmap((void *)(at += (uintptr_t)1 << 32), n_pages * page_bytes, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_int_equal((uintptr_t)base, at);
	madvise(base, n_pages * page_bytes, MADV_NOHUGEPAGE);
	if (name)
		ompp_data_begin(base, n_pages * page_bytes, name);
	return base;
}

static void write_pages(char *base, int first, int end)
{
	for (int i = first; i < end; i++)
		((volatile char *)base)[(size_t)i * page_bytes] = 1;
}

static void read_pages(const char *base, int first, int end)
{
	for (int i = first; i < end; i++)
		(void)((const volatile char *)base)[(size_t)i * page_bytes];
}

/* Returns the pages of an object that were touched first in the region at a line (0 for outside), by a row or by all
 * (NULL). */
static uint64_t pages(const struct ompp_profile *p, const char *object, uint32_t line, const char *row)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n_first_touches; i++) {
		const struct ompp_first_touch *t = &p->first_touches[i];
		uint32_t region = p->nodes[t->node].region;

		if (!strcmp(p->objects[t->object].name, object) &&
		    (region == OMPP_NONE ? 0 : p->regions[region].begin_line) == line &&
		    (!row || !strcmp(p->rows[t->row].label, row)))
			sum += t->n_pages;
	}
	return sum;
}

/* Begins to look for first touches; skips the test where the system forbids it. */
static void begin(void)
{
	option("OMPP_SAMPLE", "touch");
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	POMP2_Begin(&h_one, one_ctc);
	POMP2_End(&h_one);
	if (!collect()->touched)
		skip();
}

static void by_region_and_thread_body(void)
{
	POMP2_Begin(&h_two, two_ctc);
	write_pages(memory, 30, 70);
	POMP2_End(&h_two);
}

/* Each page is of the region, thread and object that touched it first, whether it is taken at once or later. */
static void by_region_and_thread(void **state)
{
	const struct ompp_profile *p;
	char *other;

	(void)state;
	begin();
	memory = fresh(N, "a");
	write_pages(memory, 0, 10);
	POMP2_Begin(&h_one, one_ctc);
	write_pages(memory, 5, 30);
	POMP2_Begin(&h_two, two_ctc);
	POMP2_End(&h_two);
	write_pages(memory, 90, 95);
	POMP2_End(&h_one);
	start_thread(1, by_region_and_thread_body);
	join_threads();
	p = collect();
	assert_int_equal(pages(p, "a", 0, "0"), 10);
	assert_int_equal(pages(p, "a", 10, "0"), 25);
	assert_int_equal(pages(p, "a", 20, "h2:0"), 40);
	assert_int_equal(pages(p, "a", 10, NULL) + pages(p, "a", 20, NULL) + pages(p, "a", 0, NULL), 75);
	write_pages(memory, 0, N);
	/* what is touched before it gets a name is of no object */
	other = fresh(N, NULL);
	write_pages(other, 0, 40);
	ompp_data_begin(other, N * page_bytes, "b");
	write_pages(other, 0, 60);
	ompp_data_end("b");
	write_pages(other, 0, N);
	p = collect();
	assert_int_equal(pages(p, "a", 0, "0"), 10 + 20 + 5);
	assert_int_equal(pages(p, "b", 0, "0"), 20);
	assert_int_equal(note(OMPP_NOTE_LOST_TOUCH), 0);
}

static void reader(void)
{
	POMP2_Begin(&h_two, two_ctc);
	read_pages(memory, 0, 60);
	POMP2_End(&h_two);
}

/* A page that is read gets no memory; the write counts, wherever it is.  On a machine without a page of zeros the read
 * gives memory, so that it counts. */
static void reads_count_where_they_give_memory(void **state)
{
	const int shared = machine_shares_zeros();
	const struct ompp_profile *p;

	(void)state;
	begin();
	memory = fresh(N, "a");
	POMP2_Begin(&h_one, one_ctc);
	read_pages(memory, 0, 30);
	POMP2_End(&h_one);
	assert_int_equal(pages(collect(), "a", 10, NULL), shared ? 0 : 30);
	start_thread(1, reader);
	join_threads();
	write_pages(memory, 20, 50);
	p = collect();
	assert_int_equal(pages(p, "a", 0, "0"), shared ? 30 : 0);
	assert_int_equal(pages(p, "a", 10, NULL), shared ? 0 : 30);
	assert_int_equal(pages(p, "a", 20, NULL), shared ? 0 : 30);
	/* read and written before anybody takes the faults */
	memory = fresh(N, "b");
	POMP2_Begin(&h_one, one_ctc);
	read_pages(memory, 0, 30);
	POMP2_End(&h_one);
	write_pages(memory, 20, 50);
	p = collect();
	assert_int_equal(pages(p, "b", 0, "0"), shared ? 30 : 20);
	assert_int_equal(pages(p, "b", 10, NULL), shared ? 0 : 30);
}

static void read_and_drop(void)
{
	POMP2_Begin(&h_two, two_ctc);
	read_pages(memory, 0, 10);
	madvise(memory, N * page_bytes, MADV_DONTNEED);
	POMP2_End(&h_two);
}

/* While the kernel replaces the page of zeros by memory, there is no page.  Then it is not decided yet who touched it
 * first; soon the memory must be there. */
static void pages_on_their_way(void **state)
{
	const struct ompp_profile *p;

	(void)state;
	begin();
	memory = fresh(N, "a");
	start_thread(1, read_and_drop);
	join_threads();
	write_pages(memory, 0, 8);
	p = collect();
	assert_int_equal(pages(p, "a", 0, "0"), 8);
	assert_int_equal(pages(p, "a", 20, NULL), 2);
}

/* Copies after a fork, and memory that was given back, are no first touches; the child sees its own alone. */
static void once_a_page(void **state)
{
	const struct ompp_profile *p;
	int pipes[2], status;
	char byte;
	pid_t child;

	(void)state;
	begin();
	memory = fresh(N, "a");
	POMP2_Begin(&h_one, one_ctc);
	write_pages(memory, 0, 50);
	POMP2_End(&h_one);
	assert_int_equal(pipe(pipes), 0);
	ompp_touches_before_fork();
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		ompp_session_after_fork();
		ompp_note_reset();
		ompp_threads_after_fork();
		close(pipes[1]);
		if (read(pipes[0], &byte, 1) != 0)
			_exit(1);
		write_pages(memory, 0, 60);
		p = collect();
		_exit(pages(p, "a", 0, "0") == 10 && pages(p, "a", 10, NULL) == 0 ? 0 : 2);
	}
	write_pages(memory, 0, 50); /* copies, as the child lives */
	close(pipes[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	write_pages(memory, 0, 50);
	assert_int_equal(pages(collect(), "a", 10, "0"), 50);
	assert_int_equal(pages(collect(), "a", 0, NULL), 0);
	madvise(memory, N * page_bytes, MADV_DONTNEED);
	write_pages(memory, 0, N);
	p = collect(); /* which counts the losses, too */
	assert_in_range(pages(p, "a", 0, "0"), 50 - note(OMPP_NOTE_LOST_TOUCH), 50);
#ifndef __SANITIZE_THREAD__
	assert_int_equal(note(OMPP_NOTE_LOST_TOUCH), 0);
#endif
}

/* What is touched while measuring is off does not count, then and later. */
static void not_while_off(void **state)
{
	(void)state;
	begin();
	memory = fresh(N, "a");
	write_pages(memory, 0, 10);
	ompp_off();
	write_pages(memory, 0, 30);
	ompp_on();
	write_pages(memory, 0, 60);
	assert_int_equal(pages(collect(), "a", 0, "0"), 10 + 30);
}

/* Faults that are not of the test's pages.  The thread sanitizer touches memory of its own with each page. */
#ifdef __SANITIZE_THREAD__
enum { OTHER_FAULTS = 4 * MANY };
#else
enum { OTHER_FAULTS = 1000 };
#endif

/* More faults than the ring has room for are not found, but told. */
static void losses_are_told(void **state)
{
	const struct ompp_profile *p;
	uint64_t n;

	(void)state;
	begin();
	memory = fresh(MANY, "a");
	write_pages(memory, 0, MANY);
	p = collect();
	n = pages(p, "a", 0, "0");
	assert_in_range(n, 1, MANY);
	assert_in_range(n + note(OMPP_NOTE_LOST_TOUCH), MANY, MANY + OTHER_FAULTS);
}

/* The table of pages keeps entries apart, up to the last address. */
static void table(void **state)
{
	const struct ompp_touched own = { .state = OMPP_PAGE_OWN };

	(void)state;
	assert_null(ompp_touched_at((uintptr_t)1 << 48));
	assert_int_equal(ompp_touched_at(((uintptr_t)1 << 48) - 1)->state, OMPP_PAGE_UNTOUCHED);
	ompp_touched_set(0x7fff00001800, 0x7fff00003001, &own);
	for (uintptr_t i = 0; i < 6; i++)
		assert_int_equal(ompp_touched_at(0x7fff00000000 + i * 4096)->state,
		                 i >= 1 && i <= 3 ? OMPP_PAGE_OWN : OMPP_PAGE_UNTOUCHED);
}

/* Each thread has a ring, and later ones no larger ones.  Those of an ordinary user's threads depend on limits. */
static void rings(void **state)
{
	static const uint32_t n_before[] = { 0, 3, 4, 63, 64, 100000 };
	const uint32_t n_processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	size_t last = SIZE_MAX;

	(void)state;
	begin();
	for (size_t i = 0; i < OMPP_COUNT_OF(n_before); i++) {
		struct ompp_sampler sampler;

		assert_int_equal(ompp_touch_open(&sampler, NULL, n_before[i]), 0);
		assert_in_range(sampler.ring.n_bytes, page_bytes, last);
		last = sampler.ring.n_bytes;
		if (!geteuid())
			assert_int_equal(last / page_bytes, n_before[i] < 4              ? 256
			                                    : n_before[i] < n_processors ? 32
			                                    : n_before[i] < 64           ? 8
			                                                                 : 2);
		ompp_sampler_close(&sampler);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_region_and_thread),
		cmocka_unit_test(reads_count_where_they_give_memory),
		cmocka_unit_test(pages_on_their_way),
		cmocka_unit_test(once_a_page),
		cmocka_unit_test(not_while_off),
		cmocka_unit_test(losses_are_told),
		cmocka_unit_test(table),
		cmocka_unit_test(rings),
	};

	return RUN_APART(tests);
}
