/*
 * Data source: words as kernels give them for samples, read by the bits that linux/perf_event.h defines.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/samples/data_source.h"

#define NUMBER(n)   ((uint64_t)(n) << PERF_MEM_LVLNUM_SHIFT)
#define REMOTE      ((uint64_t)1 << PERF_MEM_REMOTE_SHIFT)
#define HOPS(n)     ((uint64_t)(n) << 43)
#define LEVEL(bits) ((uint64_t)(bits) << PERF_MEM_LVL_SHIFT)
#define SNOOP(bits) ((uint64_t)(bits) << PERF_MEM_SNOOP_SHIFT)
#define MORE(bits)  ((uint64_t)(bits) << PERF_MEM_SNOOPX_SHIFT)
#define TLB(bits)   ((uint64_t)(bits) << PERF_MEM_TLB_SHIFT)
#define LOCK(bits)  ((uint64_t)(bits) << PERF_MEM_LOCK_SHIFT)
#define HIT(bits)   (LEVEL((bits) | PERF_MEM_LVL_HIT))

static const struct {
	uint64_t word;
	enum ompp_mem_level level;
} levels[] = {
	{ 0, OMPP_MEM_LEVEL_UNKNOWN },
	{ NUMBER(PERF_MEM_LVLNUM_NA), OMPP_MEM_LEVEL_UNKNOWN },
	{ NUMBER(PERF_MEM_LVLNUM_L1) | HIT(PERF_MEM_LVL_L1), OMPP_MEM_LEVEL_L1 },
	{ NUMBER(PERF_MEM_LVLNUM_LFB), OMPP_MEM_LEVEL_LFB },
	{ NUMBER(PERF_MEM_LVLNUM_L2), OMPP_MEM_LEVEL_L2 },
	{ NUMBER(PERF_MEM_LVLNUM_L3), OMPP_MEM_LEVEL_L3 },
	{ NUMBER(PERF_MEM_LVLNUM_L3) | REMOTE, OMPP_MEM_LEVEL_REMOTE_CACHE },
	{ NUMBER(PERF_MEM_LVLNUM_L4), OMPP_MEM_LEVEL_L4 },
	{ NUMBER(PERF_MEM_LVLNUM_ANY_CACHE), OMPP_MEM_LEVEL_CACHE },
	{ NUMBER(PERF_MEM_LVLNUM_ANY_CACHE) | REMOTE | HOPS(1), OMPP_MEM_LEVEL_PEER_CACHE },
	{ NUMBER(PERF_MEM_LVLNUM_ANY_CACHE) | REMOTE | HOPS(2), OMPP_MEM_LEVEL_REMOTE_CACHE },
	{ NUMBER(PERF_MEM_LVLNUM_L2) | REMOTE | HOPS(3), OMPP_MEM_LEVEL_REMOTE_CACHE },
	{ NUMBER(PERF_MEM_LVLNUM_RAM), OMPP_MEM_LEVEL_LOCAL_MEMORY },
	{ NUMBER(PERF_MEM_LVLNUM_RAM) | REMOTE, OMPP_MEM_LEVEL_REMOTE_MEMORY },
	{ NUMBER(PERF_MEM_LVLNUM_RAM) | HOPS(2), OMPP_MEM_LEVEL_REMOTE_MEMORY },
	{ NUMBER(PERF_MEM_LVLNUM_PMEM), OMPP_MEM_LEVEL_PERSISTENT },
	{ NUMBER(9), OMPP_MEM_LEVEL_CXL },
	{ NUMBER(10), OMPP_MEM_LEVEL_IO },
	{ NUMBER(8), OMPP_MEM_LEVEL_UNCACHED },
	/* words of kernels that do not give the level as a number */
	{ HIT(PERF_MEM_LVL_L1), OMPP_MEM_LEVEL_L1 },
	{ HIT(PERF_MEM_LVL_LFB), OMPP_MEM_LEVEL_LFB },
	{ HIT(PERF_MEM_LVL_L2), OMPP_MEM_LEVEL_L2 },
	{ HIT(PERF_MEM_LVL_L3), OMPP_MEM_LEVEL_L3 },
	{ HIT(PERF_MEM_LVL_LOC_RAM), OMPP_MEM_LEVEL_LOCAL_MEMORY },
	{ HIT(PERF_MEM_LVL_REM_RAM1), OMPP_MEM_LEVEL_REMOTE_MEMORY },
	{ HIT(PERF_MEM_LVL_REM_RAM2), OMPP_MEM_LEVEL_REMOTE_MEMORY },
	{ HIT(PERF_MEM_LVL_REM_CCE1), OMPP_MEM_LEVEL_REMOTE_CACHE },
	{ HIT(PERF_MEM_LVL_REM_CCE2), OMPP_MEM_LEVEL_REMOTE_CACHE },
	{ HIT(PERF_MEM_LVL_IO), OMPP_MEM_LEVEL_IO },
	{ HIT(PERF_MEM_LVL_UNC), OMPP_MEM_LEVEL_UNCACHED },
	/* the level of a store that missed is the one that it missed, not the one that served it */
	{ LEVEL(PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS), OMPP_MEM_LEVEL_UNKNOWN },
	{ LEVEL(PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS) | NUMBER(PERF_MEM_LVLNUM_L1), OMPP_MEM_LEVEL_UNKNOWN },
	{ LEVEL(PERF_MEM_LVL_NA), OMPP_MEM_LEVEL_UNKNOWN },
};

static void decodes_levels(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(levels); i++) {
		struct ompp_mem_sample s = { 0 };

		ompp_data_source_decode(levels[i].word | PERF_MEM_OP_LOAD, &s);
		if (s.level != levels[i].level)
			fail_msg("level %zu: %s, expected %s", i, ompp_mem_level_name(s.level),
			         ompp_mem_level_name(levels[i].level));
		assert_int_equal(s.data_source, levels[i].word | PERF_MEM_OP_LOAD);
	}
}

static void decodes_the_rest(void **state)
{
	static const struct {
		uint64_t word;
		uint8_t kind, snoop, translation, lock;
	} rows[] = {
		{ PERF_MEM_OP_NA, OMPP_MEM_NEITHER, 0, 0, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_EXEC, OMPP_MEM_NEITHER, 0, 0, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_STORE | LOCK(PERF_MEM_LOCK_LOCKED), OMPP_MEM_STORES, 0, 0, OMPP_MEM_LOCK_YES },
		{ PERF_MEM_OP_LOAD | LOCK(PERF_MEM_LOCK_NA), OMPP_MEM_LOADS, 0, 0, OMPP_MEM_LOCK_UNKNOWN },
		{ PERF_MEM_OP_LOAD | SNOOP(PERF_MEM_SNOOP_NONE), OMPP_MEM_LOADS, OMPP_MEM_SNOOP_NONE, 0,
		  OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | SNOOP(PERF_MEM_SNOOP_MISS), OMPP_MEM_LOADS, OMPP_MEM_SNOOP_MISS, 0,
		  OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | SNOOP(PERF_MEM_SNOOP_HIT), OMPP_MEM_LOADS, OMPP_MEM_SNOOP_HIT, 0,
		  OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | SNOOP(PERF_MEM_SNOOP_HITM), OMPP_MEM_LOADS, OMPP_MEM_SNOOP_MODIFIED, 0,
		  OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | MORE(1), OMPP_MEM_LOADS, OMPP_MEM_SNOOP_FORWARD, 0, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | MORE(2), OMPP_MEM_LOADS, OMPP_MEM_SNOOP_PEER, 0, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | TLB(PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1), OMPP_MEM_LOADS, 0,
		  OMPP_MEM_TRANSLATION_L1_TLB, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | TLB(PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2), OMPP_MEM_LOADS, 0,
		  OMPP_MEM_TRANSLATION_L2_TLB, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | TLB(PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2), OMPP_MEM_LOADS, 0,
		  OMPP_MEM_TRANSLATION_TLB, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | TLB(PERF_MEM_TLB_HIT | PERF_MEM_TLB_WK), OMPP_MEM_LOADS, 0,
		  OMPP_MEM_TRANSLATION_WALK, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | TLB(PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2), OMPP_MEM_LOADS, 0,
		  OMPP_MEM_TRANSLATION_WALK, OMPP_MEM_LOCK_NO },
		{ PERF_MEM_OP_LOAD | TLB(PERF_MEM_TLB_OS), OMPP_MEM_LOADS, 0, OMPP_MEM_TRANSLATION_FAULT,
		  OMPP_MEM_LOCK_NO },
	};
	struct ompp_mem_sample nothing = { 0 };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(rows); i++) {
		struct ompp_mem_sample s = { 0 };

		ompp_data_source_decode(rows[i].word, &s);
		if (s.kind != rows[i].kind || s.snoop != rows[i].snoop || s.translation != rows[i].translation ||
		    s.lock != rows[i].lock)
			fail_msg("row %zu: %d %d %d %d", i, s.kind, s.snoop, s.translation, s.lock);
	}
	ompp_data_source_decode(0, &nothing);
	assert_int_equal(nothing.kind, OMPP_MEM_NEITHER);
	assert_int_equal(nothing.lock, OMPP_MEM_LOCK_UNKNOWN);
	assert_string_equal(ompp_mem_level_name(OMPP_MEM_LEVEL_REMOTE_MEMORY), "remote memory");
	assert_string_equal(ompp_mem_level_name(OMPP_MEM_N_LEVELS), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(decodes_levels), cmocka_unit_test(decodes_the_rest) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
