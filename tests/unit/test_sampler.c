/*
 * Sampler: page faults, which every Linux samples, against what this program touches itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/text.h"
#include "runtime/samples/sampler.h"
#include "tests/unit/machine.h"

enum { N_PAGES = 300, MOST = 4096 };

static struct ompp_mem_sample seen[MOST];
static size_t n_seen;
static size_t page_bytes;

/* Faults that a test may have beside those of its pages.  Sanitizers touch memory of their own with each page. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { OTHER_FAULTS = 1000 };
#else
enum { OTHER_FAULTS = 2 };
#endif

static void take(void *context, const struct ompp_mem_sample *sample)
{
	const char *base = context;

	if (sample->address - (uintptr_t)base < N_PAGES * page_bytes && n_seen < MOST)
		seen[n_seen++] = *sample;
}

static char *fresh(void)
{
	char *base = mmap(NULL, N_PAGES * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(base, MAP_FAILED);
	madvise(base, N_PAGES * page_bytes, MADV_NOHUGEPAGE);
	n_seen = 0;
	return base;
}

/* Opens the event of page faults, or skips the test where the system forbids it. */
static void open_faults(struct ompp_sampler *s, unsigned int ring_pages)
{
	const struct ompp_sampler_options options = { .period = 1, .ring_pages = ring_pages, .clock = CLOCK_MONOTONIC };
	struct ompp_memory_event event;
	struct ompp_text why;
	char line[256];
	int rc;

	ompp_text_init(&why, line, sizeof(line));
	ompp_memory_faults(&event, 0);
	assert_string_equal(ompp_memory_unit_name(event.unit), "touch");
	rc = ompp_sampler_open(s, 0, &event, 1, &options, &why);
	if (rc == -EPERM || rc == -EACCES || rc == -ENOSYS)
		skip();
	assert_int_equal(rc, 0);
}

/* Each page is told once, with its address, size and time, in the order of the writes, and the kernel counts as many
 * faults.  A page that is read first is told at its first write, too, where reading gave it no memory. */
static void each_page_is_told(void **state)
{
	volatile char *base = fresh(), sum = 0;
	struct ompp_sampler s;
	long before;

	(void)state;
	open_faults(&s, 64);
	memset(seen, 0, sizeof(seen));
	assert_int_equal(ompp_sampler_enable(&s), 0);
	before = machine_n_faults();
	for (size_t i = 0; i < N_PAGES; i++)
		base[i * page_bytes + i] = 1;
	before = machine_n_faults() - before;
	for (size_t i = 0; i < N_PAGES; i++)
		base[i * page_bytes + i] = 2;
	ompp_sampler_drain(&s, take, (void *)(uintptr_t)base);
	assert_int_equal(n_seen, N_PAGES);
	assert_in_range(before, N_PAGES, N_PAGES + OTHER_FAULTS);
	for (size_t i = 0; i < N_PAGES; i++) {
		assert_int_equal(seen[i].address, (uintptr_t)base + i * page_bytes + i);
		assert_int_equal(seen[i].tid, gettid());
		assert_int_equal(seen[i].period, 1);
		assert_int_equal(seen[i].kind, OMPP_MEM_NEITHER);
		if (seen[i].page_bytes)
			assert_int_equal(seen[i].page_bytes, page_bytes);
		assert_true(!i || seen[i].time_ns >= seen[i - 1].time_ns);
		assert_in_range(seen[i].ip, (uintptr_t)each_page_is_told, (uintptr_t)each_page_is_told + 4096);
	}
	munmap((void *)(uintptr_t)base, N_PAGES * page_bytes);
	base = fresh();
	for (size_t i = 0; i < 10; i++)
		sum += base[i * page_bytes];
	for (size_t i = 0; i < 10; i++)
		base[i * page_bytes] = sum;
	ompp_sampler_drain(&s, take, (void *)(uintptr_t)base);
	assert_int_equal(n_seen, machine_shares_zeros() ? 20 : 10);
	ompp_sampler_close(&s);
}

/* A full ring loses faults, and tells how many. */
static void losses_are_told(void **state)
{
	volatile char *base = fresh();
	struct ompp_sampler s;

	(void)state;
	open_faults(&s, 1);
	assert_int_equal(ompp_sampler_enable(&s), 0);
	for (size_t i = 0; i < N_PAGES; i++)
		base[i * page_bytes] = 1;
	ompp_sampler_disable(&s);
	ompp_sampler_drain(&s, take, (void *)(uintptr_t)base);
	assert_in_range(n_seen, 10, N_PAGES - 10);
	if (s.tells_lost) /* older kernels tell it in a later record */
		assert_in_range(s.counts.n_lost, N_PAGES - n_seen, N_PAGES - n_seen + OTHER_FAULTS);
	ompp_sampler_close(&s);
}

/* An event that opens, but never delivers a sample, as that of a processor in some virtual machines, is no source. */
static void silence_is_told(void **state)
{
	struct ompp_memory_event event;
	struct ompp_text why;
	char line[256];
	int rc;

	(void)state;
	ompp_text_init(&why, line, sizeof(line));
	ompp_memory_faults(&event, 0);
	event.config = PERF_COUNT_SW_DUMMY;
	rc = ompp_sampler_try(&event, 1, OMPP_MEM_BOTH, &why);
	if (rc == -EPERM || rc == -EACCES || rc == -ENOSYS)
		skip();
	assert_int_equal(rc, -ENODATA);
	assert_non_null(strstr(line, "delivers no samples, as in some virtual machines"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_page_is_told),
		cmocka_unit_test(losses_are_told),
		cmocka_unit_test(silence_is_told),
	};

	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
