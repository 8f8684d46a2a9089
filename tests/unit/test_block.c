/*
 * Block, mapping and site: the table of blocks, mappings of which parts end, and the sums of those who allocate them;
 * also by several threads at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <pthread.h>
#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/data/block.h"
#include "runtime/data/page.h"
#include "runtime/data/site.h"
#include "runtime/ranges/range_mapping.h"

enum { MIB = 1 << 20, N_BLOCKS = 20000, N_THREADS = 4, N_ROUNDS = 20000 };

static void blocks_are_found_by_their_addresses(void **state)
{
	uintptr_t at = 0x7f1234567000;
	struct ompp_block b;

	(void)state;
	ompp_blocks_start(64 * MIB);
	assert_int_equal(ompp_block_at(at).site, OMPP_NO_SITE);
	assert_int_equal(ompp_block_take(at).site, OMPP_NO_SITE);
	/* neighbours at 8 and 16 bytes, at the ends of pages and of what the table reaches */
	for (uintptr_t i = 0; i < N_BLOCKS; i++)
		assert_int_equal(ompp_block_put(at + 8 * i, (struct ompp_block){ .site = 1 + i % 7, .n_bytes = i })
		                         .site,
		                 OMPP_NO_SITE);
	for (uintptr_t i = 0; i < N_BLOCKS; i++) {
		b = ompp_block_at(at + 8 * i);
		assert_int_equal(b.site, 1 + i % 7);
		assert_int_equal(b.n_bytes, i);
	}
	b = ompp_block_put(at, (struct ompp_block){ .site = 65535, .n_bytes = ((size_t)1 << 47) - 1 });
	assert_int_equal(b.site, 1);
	assert_int_equal(b.n_bytes, 0);
	b = ompp_block_take(at);
	assert_int_equal(b.site, 65535);
	assert_int_equal(b.n_bytes, ((size_t)1 << 47) - 1);
	assert_int_equal(ompp_block_take(at).site, OMPP_NO_SITE);
	assert_int_equal(ompp_block_at(at + 8).site, 2);
	assert_int_equal(ompp_n_lost_blocks, 0);
	ompp_block_put(UINTPTR_MAX - 15, (struct ompp_block){ .site = 1, .n_bytes = 1 });
	assert_int_equal(ompp_n_lost_blocks, 1);
	assert_int_equal(ompp_block_take(UINTPTR_MAX - 15).site, OMPP_NO_SITE);
}

static void small_blocks_know_when_they_began(void **state)
{
	const uint64_t unit = (uint64_t)1 << 18,
		       begins[] = { 0, 1, unit - 1, unit, 12345678901, (uint64_t)1 << 47, UINT64_MAX };
	uintptr_t at = 0x7e0000000000;

	(void)state;
	ompp_blocks_start(64 * MIB);
	for (size_t i = 0; i < OMPP_COUNT_OF(begins); i++) {
		struct ompp_block small = { .site = 65535, .began = ompp_block_time(begins[i]), .n_bytes = 65535 }, b;
		struct ompp_block large = { .site = 65535, .began = small.began, .n_bytes = 65536 };

		assert_int_not_equal(small.began, 0);
		ompp_block_put(at, small);
		b = ompp_block_holding(at + 65534, 1 << 17);
		assert_int_equal(b.site, 65535);
		assert_int_equal(b.n_bytes, 65535);
		/* what was sampled before it began may have been another block; what was long behind it is of this one
		 */
		assert_false(ompp_block_is_older(b, begins[i] - 1));
		assert_true(ompp_block_is_older(b, begins[i] + 2 * unit));
		assert_true(ompp_block_is_older(b, begins[i] + ((uint64_t)1 << 47)));
		assert_false(ompp_block_is_older(b, begins[i] - ((uint64_t)1 << 47)));
		ompp_block_put(at, large);
		b = ompp_block_take(at);
		assert_int_equal(b.n_bytes, 65536);
		assert_false(ompp_block_is_older(b, begins[i] + 2 * unit));
	}
}

static void memory_is_bounded(void **state)
{
	uint64_t before = ompp_n_lost_blocks, n_lost = 0;
	uintptr_t at = 0x100000000000, i;

	(void)state;
	ompp_blocks_start(MIB);
	for (i = 0; i < 2000; i++) /* a leaf of 2 KiB each */
		ompp_block_put(at + i * 4096, (struct ompp_block){ .site = 3, .n_bytes = 5 });
	for (i = 0; i < 2000; i++)
		n_lost += ompp_block_at(at + i * 4096).site == OMPP_NO_SITE;
	assert_int_equal(ompp_n_lost_blocks - before, n_lost);
	assert_in_range(n_lost, 2000 - 2 * MIB / 2048, 1999);
	ompp_blocks_start(64 * MIB);
}

/* What the test knows of pages: which mapping, counted from 1, has them. */
enum { PAGES = 64, PAGE = 4096, N_MAPPINGS = 4000 };
static uint32_t owner[PAGES];
static size_t ended_bytes;
static uint32_t n_last;

static void count_ended(uint32_t site, size_t n_bytes, int is_last)
{
	assert_in_range(site, 1, N_MAPPINGS);
	ended_bytes += n_bytes;
	n_last += is_last != 0;
}

/* How many mappings have pages? */
static uint32_t n_mappings(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < PAGES; i++) {
		uint32_t k = 0;

		while (k < i && owner[k] != owner[i])
			k++;
		n += owner[i] && k == i;
	}
	return n;
}

static void parts_of_mappings_end(void **state)
{
	uintptr_t at = 0x300000000000;
	uint32_t seed = 1, n_begun = 0;
	size_t begun_bytes = 0, live_bytes;

	(void)state;
	for (uint32_t round = 0; round < 20000 && n_begun < N_MAPPINGS; round++) {
		uint32_t first, n, how;
		struct ompp_mapped *cut;

		seed = seed * 1664525 + 1013904223;
		first = (seed >> 8) % PAGES;
		n = 1 + (seed >> 16) % 12;
		n = n < PAGES - first ? n : PAGES - first;
		how = (seed >> 28) % 3;
		cut = ompp_mappings_cut(at + first * PAGE, at + (first + n) * PAGE, 0);
		if (!how) { /* the kernel refused: all is as before, in more parts */
			ompp_mappings_keep(cut);
		} else {
			ompp_mappings_drop(cut, count_ended);
			for (uint32_t i = first; i < first + n; i++)
				owner[i] = 0;
		}
		if (how == 1) {
			n_begun++;
			begun_bytes += n * PAGE;
			assert_int_equal(ompp_mapping_put(at + first * PAGE, n * PAGE, n_begun), 0);
			for (uint32_t i = first; i < first + n; i++)
				owner[i] = n_begun;
		}
		live_bytes = 0;
		for (uint32_t i = 0; i < PAGES; i++) {
			struct ompp_block b = ompp_block_holding(at + i * PAGE + 5, PAGES * PAGE);

			assert_int_equal(b.site, owner[i]);
			live_bytes += owner[i] ? PAGE : 0;
		}
		assert_int_equal(begun_bytes - ended_bytes, live_bytes);
		assert_int_equal(n_begun - n_last, n_mappings());
	}
	assert_int_equal(n_begun, N_MAPPINGS);
	ompp_mappings_drop(ompp_mappings_cut(at - PAGE, at + 2 * PAGES * PAGE, 0), count_ended);
	assert_int_equal(n_last, N_MAPPINGS);
	assert_int_equal(ended_bytes, begun_bytes);
	assert_null(ompp_mappings_cut(0, OMPP_LAST_ADDRESS, 0));
}

static void sites_are_told_apart_by_their_callers(void **state)
{
	uintptr_t a[] = { 1, 2, 3 }, b[] = { 1, 2, 4 };
	struct ompp_site *s = ompp_site_of(a, 3, 0, 7, 9, 0), *t = ompp_site_of(b, 3, 0, 8, 0, 0);
	struct ompp_site_who me = { 7, 1 }, other = { 8, 2 };
	struct ompp_site_sum sum;

	(void)state;
	assert_non_null(s);
	assert_ptr_not_equal(s, t);
	assert_ptr_equal(ompp_site_of(a, 3, 0, 1, 1, 0), s);
	assert_ptr_not_equal(ompp_site_of(a, 3, 4, 1, 1, 0), s);
	assert_ptr_not_equal(ompp_site_of(a, 2, 0, 1, 1, 0), s);
	assert_ptr_equal(ompp_site(s->index), s);
	assert_null(ompp_site(0));
	assert_int_equal(s->thread, 7);
	assert_int_equal(s->node, 9);
	ompp_site_begin(s, 100, 10, me);
	ompp_site_begin(s, 50, 20, me);
	ompp_site_end(s, 100, 35, other);
	ompp_site_begin(s, 30, 40, me);
	sum = ompp_site_sum(s);
	assert_int_equal(sum.n_begun, 3);
	assert_int_equal(sum.n_ended, 1);
	assert_int_equal(sum.begun_bytes, 180);
	assert_int_equal(sum.live_bytes, 80);
	assert_int_equal(sum.peak_bytes, 150);
	assert_int_equal(sum.peak_error, 0);
	assert_int_equal(sum.ticks + 2 * 100, 25 + 80 + 60); /* lives of 25 ticks, and of 80 and 60 up to 100 */
	assert_int_equal(s->several_threads, 0);
	ompp_site_begin(s, 1, 50, other);
	assert_int_equal(s->several_threads, 1);
	ompp_site_end(s, 1, 60, me);
	ompp_site_keep(s, 1, 60, other);
	sum = ompp_site_sum(s);
	assert_int_equal(sum.n_ended, 1);
	assert_int_equal(sum.live_bytes, 81);
	assert_in_range(sum.peak_bytes, 150 - sum.peak_error, 150 + sum.peak_error);
	ompp_sites_after_fork();
	sum = ompp_site_sum(s);
	assert_int_equal(sum.n_begun, 3);
	assert_int_equal(sum.n_ended, 0);
	assert_int_equal(sum.begun_bytes, 81);
	assert_int_equal(sum.peak_bytes, 81);
}

/* Threads allocate from the same new sites, and end each other's blocks. */
static void *storm(void *arg)
{
	uint32_t k = *(uint32_t *)arg;

	for (uintptr_t i = 0; i < N_ROUNDS; i++) {
		uintptr_t callers[] = { 0x5000, i % 97 }, at = 0x200000000000 + i * 16;
		struct ompp_site *s = ompp_site_of(callers, 2, 0, k + 1, 0, 0);
		struct ompp_block old;

		ompp_site_begin(s, 16 + i % 3, i, (struct ompp_site_who){ k + 1, k });
		old = ompp_block_put(at, (struct ompp_block){ .site = s->index, .n_bytes = 16 + i % 3 });
		if (old.site)
			ompp_site_end(ompp_site(old.site), old.n_bytes, i, (struct ompp_site_who){ k + 1, k });
	}
	return NULL;
}

static void several_threads(void **state)
{
	uint64_t n_begun = 0, n_live = 0, bytes = 0, wanted = 0, n_before = ompp_n_siteless;
	pthread_t threads[N_THREADS];
	uint32_t ids[N_THREADS];

	(void)state;
	for (uint32_t k = 0; k < N_THREADS; k++) {
		ids[k] = k;
		assert_int_equal(pthread_create(&threads[k], NULL, storm, &ids[k]), 0);
	}
	for (uint32_t k = 0; k < N_THREADS; k++)
		pthread_join(threads[k], NULL);
	for (uint32_t i = 0; i < 97; i++) {
		uintptr_t callers[] = { 0x5000, i };
		struct ompp_site *s = ompp_site_of(callers, 2, 0, 1, 0, 0);

		struct ompp_site_sum sum = ompp_site_sum(s);

		n_begun += sum.n_begun;
		n_live += sum.n_begun - sum.n_ended;
		bytes += sum.live_bytes;
		assert_int_equal(s->several_threads, 1);
	}
	for (uint64_t i = 0; i < N_ROUNDS; i++)
		wanted += 16 + i % 3;
	assert_int_equal(n_begun, N_THREADS * N_ROUNDS);
	assert_int_equal(n_live, N_ROUNDS);
	assert_int_equal(bytes, wanted);
	assert_int_equal(ompp_n_siteless, n_before);
}

static void too_many_sites(void **state)
{
	uint64_t before = ompp_n_siteless;
	uintptr_t i = 0, caller;
	struct ompp_site *s;

	(void)state;
	do {
		caller = 0x900000 + i++;
		s = ompp_site_of(&caller, 1, 0, 1, 0, 0);
	} while (s && i < 2 * OMPP_MAX_SITES);
	assert_null(s);
	assert_in_range(i, OMPP_MAX_SITES - 400, OMPP_MAX_SITES);
	assert_int_equal(ompp_n_siteless, before + 1);
	caller = 0x900000;
	assert_non_null(ompp_site_of(&caller, 1, 0, 1, 0, 0));
	assert_in_range(ompp_n_sites(), OMPP_MAX_SITES - 400, OMPP_MAX_SITES - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_found_by_their_addresses),
		cmocka_unit_test(small_blocks_know_when_they_began),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(parts_of_mappings_end),
		cmocka_unit_test(sites_are_told_apart_by_their_callers),
		cmocka_unit_test(several_threads),
		cmocka_unit_test(too_many_sites),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
