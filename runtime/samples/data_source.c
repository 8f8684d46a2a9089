/*
 * Data source: see data_source.h.
 */
#include "runtime/samples/data_source.h"

#include <linux/perf_event.h>
#include <stddef.h>

/* The kernel's headers on a system may be older than its kernel, so what they may lack is defined here. */
enum {
	NUMBER_L2_MHB = 0x05,
	NUMBER_MSC = 0x06,
	NUMBER_UNCACHED = 0x08,
	NUMBER_CXL = 0x09,
	NUMBER_IO = 0x0a,
	HOPS_SAME_NODE = 1,
	SNOOPX_FORWARD = 1,
	SNOOPX_PEER = 2,
	HOPS_SHIFT = 43,
	HOPS_MASK = 7
};

/* Returns the level of a cache, or the corresponding one of another core or node when that served the access. */
static enum ompp_mem_level cache_level(enum ompp_mem_level own, int is_remote, unsigned int hops)
{
	if (hops == HOPS_SAME_NODE)
		return OMPP_MEM_LEVEL_PEER_CACHE;
	return is_remote || hops ? OMPP_MEM_LEVEL_REMOTE_CACHE : own;
}

static enum ompp_mem_level level_of_number(unsigned int number, int is_remote, unsigned int hops)
{
	switch (number) {
	case PERF_MEM_LVLNUM_L1:
		return cache_level(OMPP_MEM_LEVEL_L1, is_remote, hops);
	case PERF_MEM_LVLNUM_LFB:
		return OMPP_MEM_LEVEL_LFB;
	case PERF_MEM_LVLNUM_L2:
	case NUMBER_L2_MHB:
		return cache_level(OMPP_MEM_LEVEL_L2, is_remote, hops);
	case PERF_MEM_LVLNUM_L3:
		return cache_level(OMPP_MEM_LEVEL_L3, is_remote, hops);
	case PERF_MEM_LVLNUM_L4:
	case NUMBER_MSC:
		return cache_level(OMPP_MEM_LEVEL_L4, is_remote, hops);
	case PERF_MEM_LVLNUM_ANY_CACHE:
		return cache_level(OMPP_MEM_LEVEL_CACHE, is_remote, hops);
	case PERF_MEM_LVLNUM_RAM:
		return is_remote || hops > HOPS_SAME_NODE ? OMPP_MEM_LEVEL_REMOTE_MEMORY : OMPP_MEM_LEVEL_LOCAL_MEMORY;
	case PERF_MEM_LVLNUM_PMEM:
		return OMPP_MEM_LEVEL_PERSISTENT;
	case NUMBER_CXL:
		return OMPP_MEM_LEVEL_CXL;
	case NUMBER_IO:
		return OMPP_MEM_LEVEL_IO;
	case NUMBER_UNCACHED:
		return OMPP_MEM_LEVEL_UNCACHED;
	}
	return OMPP_MEM_LEVEL_UNKNOWN;
}

/* Returns the level given by the older bits.  Without the hit bit they name the level that was missed, not the one
 * that served the access. */
static enum ompp_mem_level level_of_bits(uint64_t bits)
{
	static const struct {
		uint64_t bit;
		enum ompp_mem_level level;
	} levels[] = {
		{ PERF_MEM_LVL_L1, OMPP_MEM_LEVEL_L1 },
		{ PERF_MEM_LVL_LFB, OMPP_MEM_LEVEL_LFB },
		{ PERF_MEM_LVL_L2, OMPP_MEM_LEVEL_L2 },
		{ PERF_MEM_LVL_L3, OMPP_MEM_LEVEL_L3 },
		{ PERF_MEM_LVL_LOC_RAM, OMPP_MEM_LEVEL_LOCAL_MEMORY },
		{ PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, OMPP_MEM_LEVEL_REMOTE_MEMORY },
		{ PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2, OMPP_MEM_LEVEL_REMOTE_CACHE },
		{ PERF_MEM_LVL_IO, OMPP_MEM_LEVEL_IO },
		{ PERF_MEM_LVL_UNC, OMPP_MEM_LEVEL_UNCACHED },
	};

	if (bits & PERF_MEM_LVL_MISS || !(bits & PERF_MEM_LVL_HIT))
		return OMPP_MEM_LEVEL_UNKNOWN;
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (bits & levels[i].bit)
			return levels[i].level;
	return OMPP_MEM_LEVEL_UNKNOWN;
}

static enum ompp_mem_snoop snoop_of(uint64_t bits, unsigned int more)
{
	if (bits & PERF_MEM_SNOOP_HITM)
		return OMPP_MEM_SNOOP_MODIFIED;
	if (more & SNOOPX_FORWARD)
		return OMPP_MEM_SNOOP_FORWARD;
	if (more & SNOOPX_PEER)
		return OMPP_MEM_SNOOP_PEER;
	if (bits & PERF_MEM_SNOOP_HIT)
		return OMPP_MEM_SNOOP_HIT;
	if (bits & PERF_MEM_SNOOP_MISS)
		return OMPP_MEM_SNOOP_MISS;
	return bits & PERF_MEM_SNOOP_NONE ? OMPP_MEM_SNOOP_NONE : OMPP_MEM_SNOOP_UNKNOWN;
}

static enum ompp_mem_translation translation_of(uint64_t bits)
{
	if (bits & PERF_MEM_TLB_OS)
		return OMPP_MEM_TRANSLATION_FAULT;
	if (bits & PERF_MEM_TLB_HIT) {
		if ((bits & PERF_MEM_TLB_L1) && (bits & PERF_MEM_TLB_L2))
			return OMPP_MEM_TRANSLATION_TLB;
		if (bits & PERF_MEM_TLB_L1)
			return OMPP_MEM_TRANSLATION_L1_TLB;
		if (bits & PERF_MEM_TLB_L2)
			return OMPP_MEM_TRANSLATION_L2_TLB;
	}
	if (bits & PERF_MEM_TLB_WK)
		return OMPP_MEM_TRANSLATION_WALK;
	if (bits & PERF_MEM_TLB_MISS)
		return OMPP_MEM_TRANSLATION_WALK;
	return bits & PERF_MEM_TLB_HIT ? OMPP_MEM_TRANSLATION_TLB : OMPP_MEM_TRANSLATION_UNKNOWN;
}

void ompp_data_source_decode(uint64_t word, struct ompp_mem_sample *sample)
{
	union perf_mem_data_src source = { .val = word };
	unsigned int hops = (unsigned int)(word >> HOPS_SHIFT & HOPS_MASK);

	sample->data_source = word;
	/* A sample has one kind: an access that both loads and stores, as an atomic one does, counts as a load with
	 * a lock. */
	sample->kind = source.mem_op & PERF_MEM_OP_LOAD  ? OMPP_MEM_LOADS
	             : source.mem_op & PERF_MEM_OP_STORE ? OMPP_MEM_STORES
	                                                 : OMPP_MEM_NEITHER;
	sample->level = (uint8_t)(source.mem_lvl_num && source.mem_lvl_num != PERF_MEM_LVLNUM_NA
	                                  ? level_of_number(source.mem_lvl_num, source.mem_remote, hops)
	                                  : level_of_bits(source.mem_lvl));
	/* A store's level is where its line was found first, and a miss there names no level. */
	if (source.mem_lvl & PERF_MEM_LVL_MISS && sample->level <= OMPP_MEM_LEVEL_L4)
		sample->level = OMPP_MEM_LEVEL_UNKNOWN;
	sample->snoop = (uint8_t)snoop_of(source.mem_snoop, source.mem_snoopx);
	sample->translation = (uint8_t)translation_of(source.mem_dtlb);
	sample->lock = source.mem_lock & PERF_MEM_LOCK_LOCKED      ? OMPP_MEM_LOCK_YES
	             : source.mem_lock & PERF_MEM_LOCK_NA || !word ? OMPP_MEM_LOCK_UNKNOWN
	                                                           : OMPP_MEM_LOCK_NO;
}

const char *ompp_mem_level_name(enum ompp_mem_level level)
{
	static const char *const names[OMPP_MEM_N_LEVELS] = {
		"unknown",      "L1",           "LFB",           "L2",
		"L3",           "L4",           "cache",         "peer cache",
		"remote cache", "local memory", "remote memory", "persistent memory",
		"CXL memory",   "I/O",          "uncached",
	};

	return names[(unsigned int)level < OMPP_MEM_N_LEVELS ? level : OMPP_MEM_LEVEL_UNKNOWN];
}
