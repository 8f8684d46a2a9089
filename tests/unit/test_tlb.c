/*
 * TLB: the TLBs that processors tell are those of their manuals, lists of levels are taken, and what is wrong with a
 * list is said.  A model of a TLB misses what a plain LRU list of pages misses.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/data/tlb.h"

enum { WHY_BYTES = 256, ACCESSES = 200000, ENTRIES = 64, K = 1024, M = 1024 * K };

static void assert_level(const struct ompp_tlb_geometry *g, int pages, int level, uint64_t entries, uint64_t ways,
                         uint64_t page)
{
	const struct ompp_cache_level_size *l = &g->pages[pages].level[level];

	assert_int_equal(l->bytes, entries * page);
	assert_int_equal(l->ways, ways);
	assert_int_equal(l->line_bytes, page);
}

/* A processor of Intel's: first levels of 64 pages of 4 KiB (loads) and 32 of 2 MiB, a second one of 2048 for both;
 * stores have a TLB of their own, and so have instructions. */
static void test_intel(void **state)
{
	static const struct ompp_tlb_leaf leaves[] = {
		{ 0x18, 0, 5, 0, 0, 0 },
		{ 0x18, 1, 0, 8u << 16 | 1, 8, 2 | 1 << 5 },   /* instructions, 4 KiB */
		{ 0x18, 2, 0, 4u << 16 | 1, 16, 4 | 1 << 5 },  /* loads, 4 KiB: 64 */
		{ 0x18, 3, 0, 4u << 16 | 2, 8, 4 | 1 << 5 },   /* loads, 2 MiB: 32 */
		{ 0x18, 4, 0, 16u << 16 | 15, 1, 5 | 1 << 5 }, /* stores, all sizes: 16 */
		{ 0x18, 5, 0, 8u << 16 | 3, 256, 3 | 2 << 5 }, /* both, second level */
	};
	struct ompp_tlb_geometry g;

	(void)state;
	assert_int_equal(ompp_tlb_decode(leaves, 6, &g), 0);
	assert_level(&g, OMPP_TLB_SMALL, 0, 64, 4, 4 * K);
	assert_level(&g, OMPP_TLB_LARGE, 0, 32, 4, 2 * M);
	assert_level(&g, OMPP_TLB_SMALL, 1, 2048, 8, 4 * K);
	assert_level(&g, OMPP_TLB_LARGE, 1, 2048, 8, 2 * M);
	/* without the loads' large pages it is not known */
	assert_int_equal(ompp_tlb_decode(leaves, 3, &g), -ENOENT);
	assert_int_equal(g.pages[OMPP_TLB_SMALL].level[0].bytes, 0);
}

/* Zen 2: 64 pages of any size, all ways; 2048 of 4 KiB (8 ways), 2048 of 2 MiB (4 ways). */
static void test_amd(void **state)
{
	static const struct ompp_tlb_leaf leaves[] = {
		{ 0x80000005, 0, 0xff40ff40, 0xff40ff40, 0, 0 },
		{ 0x80000006, 0, 0x48006400, 0x68006400, 0, 0 },
	};
	struct ompp_tlb_geometry g;

	(void)state;
	assert_int_equal(ompp_tlb_decode(leaves, 2, &g), 0);
	assert_level(&g, OMPP_TLB_SMALL, 0, 64, 64, 4 * K);
	assert_level(&g, OMPP_TLB_LARGE, 0, 64, 64, 2 * M);
	assert_level(&g, OMPP_TLB_SMALL, 1, 2048, 8, 4 * K);
	assert_level(&g, OMPP_TLB_LARGE, 1, 2048, 4, 2 * M);
	assert_int_equal(ompp_tlb_decode(leaves, 0, &g), -ENOENT);
}

/* The ways of AMD's second level have a code (AMD64 Architecture Programmer's Manual 3, E.4.4). */
static void test_amd_codes(void **state)
{
	static const struct {
		uint32_t code;
		uint64_t ways; /* 0: there is no such TLB, or the code is reserved */
	} codes[] = { { 0x0, 0 },  { 0x1, 1 },  { 0x2, 2 },   { 0x3, 3 },  { 0x4, 4 },  { 0x5, 6 },
		      { 0x6, 8 },  { 0x7, 0 },  { 0x8, 16 },  { 0x9, 0 },  { 0xa, 32 }, { 0xb, 48 },
		      { 0xc, 64 }, { 0xd, 96 }, { 0xe, 128 }, { 0xf, 384 } };
	struct ompp_tlb_geometry g;

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		const struct ompp_tlb_leaf leaves[] = { { 0x80000005, 0, 0xff40ff40, 0xff40ff40, 0, 0 },
			                                { 0x80000006, 0, 0, codes[i].code << 28 | 384 << 16, 0, 0 } };

		assert_int_equal(ompp_tlb_decode(leaves, 2, &g), 0);
		if (codes[i].ways)
			assert_level(&g, OMPP_TLB_SMALL, 1, 384, codes[i].ways, 4 * K);
		else
			assert_int_equal(g.pages[OMPP_TLB_SMALL].level[1].bytes, 0);
	}
}

static void test_lists(void **state)
{
	static const struct {
		const char *text, *said;
	} wrong[] = {
		{ "L1=64/4", "three numbers are needed" },
		{ "L1=64/4/", "three numbers are needed" },
		{ "L1=64/4/4K/1", "three numbers are needed" },
		{ "L1=x/4/4K", "three numbers are needed" },
		{ "64/4/4K", "no level" },
		{ "L3=64/4/4K", "no level" },
		{ "L0=64/4/4K", "no level" },
		{ "L1=64/5/4K,L1=32/4/2M", "multiple of ways" },
		{ "L1=131072/4/4K,L1=32/4/2M", "65536 at most" },
		{ "L1=64/4/2K,L1=32/4/2M", "a page must have" },
		{ "L1=64/4/6K,L1=32/4/2M", "a page must have" },
		{ "L1=64/4/4K", "two sizes of pages" },
		{ "L1=64/4/4K,L2=64/4/2M", "two sizes of pages" },
		{ "L1=64/4/4K,L1=64/4/2M,L1=4/4/1G", "three sizes of pages" },
		{ "L1=64/4/4K,L1=64/4/4K,L1=4/4/2M", "given twice" },
		{ "L1=1/1/4K,L1=1/1/2M,L2=1/1/4K,L2=1/1/2M,L1=1/1/4K", "more than four" },
	};
	struct ompp_tlb_geometry g;
	char why[WHY_BYTES];

	(void)state;
	assert_int_equal(ompp_tlb_geometry("L2=1536/12/4K,L1=64/4/4k,l1=32/4/2M", &g, why, sizeof(why)), 0);
	assert_level(&g, OMPP_TLB_SMALL, 0, 64, 4, 4 * K);
	assert_level(&g, OMPP_TLB_SMALL, 1, 1536, 12, 4 * K);
	assert_level(&g, OMPP_TLB_LARGE, 0, 32, 4, 2 * M);
	assert_int_equal(g.pages[OMPP_TLB_LARGE].level[1].bytes, 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(ompp_tlb_geometry(wrong[i].text, &g, why, sizeof(why)), -EINVAL);
		if (!strstr(why, wrong[i].said))
			fail_msg("%s: %s", wrong[i].text, why);
		assert_int_equal(g.pages[OMPP_TLB_SMALL].level[0].bytes, 0);
	}
	assert_int_equal(ompp_tlb_geometry("0", &g, why, sizeof(why)), 0);
	assert_int_equal(g.pages[OMPP_TLB_SMALL].level[0].bytes, 0);
	assert_int_equal(ompp_tlb_geometry("", &g, why, sizeof(why)), 0);
	assert_int_equal(g.pages[OMPP_TLB_SMALL].level[0].bytes, 0);
}

/* Uses a page of a list in the order of use.  Returns 1 when it was not in it. */
static int list_use(uint64_t list[ENTRIES], uint64_t page)
{
	int i = 0, missed;

	while (i < ENTRIES - 1 && list[i] != page)
		i++;
	missed = list[i] != page;
	memmove(list + 1, list, (size_t)i * sizeof(*list));
	list[0] = page;
	return missed;
}

static void test_misses(void **state)
{
	static uint64_t small[ENTRIES], large[ENTRIES];
	struct ompp_tlb_geometry g;
	char why[WHY_BYTES];
	void *own[OMPP_N_TLB_PAGES];

	(void)state;
	assert_int_equal(ompp_tlb_geometry("L1=64/64/4K,L1=64/64/2M", &g, why, sizeof(why)), 0);
	for (int i = 0; i < OMPP_N_TLB_PAGES; i++) {
		own[i] = aligned_alloc(64, (ompp_cache_private_bytes(&g.pages[i]) + 63) / 64 * 64);
		assert_non_null(own[i]);
		memset(own[i], 0, ompp_cache_private_bytes(&g.pages[i]));
		ompp_cache_prepare(&g.pages[i], own[i], NULL);
	}
	srand(3);
	for (int i = 0; i < ACCESSES; i++) {
		uintptr_t at = 64 * M + (uintptr_t)(rand() % 90 * (rand() % 3 ? 4 * K : 3 * M) + rand() % (4 * K));

		assert_int_equal(ompp_cache_access(own[OMPP_TLB_SMALL], at, 1), list_use(small, at / (4 * K)));
		assert_int_equal(ompp_cache_access(own[OMPP_TLB_LARGE], at, 1), list_use(large, at / (2 * M)));
	}
	for (int i = 0; i < OMPP_N_TLB_PAGES; i++)
		free(own[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intel), cmocka_unit_test(test_amd),    cmocka_unit_test(test_amd_codes),
		cmocka_unit_test(test_lists), cmocka_unit_test(test_misses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
