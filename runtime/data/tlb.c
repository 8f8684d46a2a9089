/*
 * TLB: see tlb.h.  The leaves of CPUID are described in Intel's Software Developer's Manual (volume 2, CPUID, leaf 18H)
 * and in AMD's Architecture Programmer's Manual (volume 3, appendix E.4).
 */
#include "runtime/data/tlb.h"

#include <errno.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "runtime/base/text.h"
#include "runtime/terms/geometry.h"
#include "runtime/terms/option.h"

enum {
	SMALL_BYTES = 4 << 10,
	LARGE_BYTES = 2 << 20,
	MOST_PAGE_BYTES = 1 << 30,
	MOST_ENTRIES = 1 << 16,
	MOST_SUBLEAVES = 32,
	INTEL_LEAF = 0x18
};

#define AMD_FIRST_LEAF  0x80000005u
#define AMD_SECOND_LEAF 0x80000006u

static void level_set(struct ompp_cache_level_size *level, uint64_t n_entries, uint64_t n_ways, uint64_t page_bytes)
{
	level->bytes = n_entries * page_bytes;
	level->ways = n_ways;
	level->line_bytes = page_bytes;
}

/* ---- the machine's ---- */

static uint32_t bits(uint32_t value, int from, int n)
{
	return value >> from & ((1u << n) - 1);
}

/* Reads a subleaf of Intel's: one TLB, which may hold pages of several sizes. */
static void intel_read(const struct ompp_tlb_leaf *leaf, struct ompp_tlb_geometry *geometry)
{
	enum { DATA = 1, UNIFIED = 3, LOADS = 4 }; /* what it translates */
	uint32_t type = bits(leaf->d, 0, 5), level = bits(leaf->d, 5, 3), n_ways = bits(leaf->b, 16, 16);
	uint64_t n_entries = (uint64_t)n_ways * leaf->c;

	if ((type != DATA && type != UNIFIED && type != LOADS) || !level || level > OMPP_TLB_LEVELS || !n_entries ||
	    n_entries > MOST_ENTRIES)
		return;
	if (bits(leaf->b, 0, 1))
		level_set(&geometry->pages[OMPP_TLB_SMALL].level[level - 1], n_entries, n_ways, SMALL_BYTES);
	if (bits(leaf->b, 1, 1))
		level_set(&geometry->pages[OMPP_TLB_LARGE].level[level - 1], n_entries, n_ways, LARGE_BYTES);
}

/* Reads one of AMD's TLBs. */
static void amd_set(struct ompp_cache_level_size *level, uint32_t n_entries, uint32_t n_ways, uint64_t page_bytes)
{
	if (n_entries && n_ways && n_ways <= n_entries)
		level_set(level, n_entries - n_entries % n_ways, n_ways, page_bytes);
}

/* Reads a TLB of the first level: entries and ways are numbers, 255 ways are all. */
static void amd_read_first(uint32_t value, struct ompp_cache_level_size *level, uint64_t page_bytes)
{
	enum { ALL = 255 };
	uint32_t n_entries = bits(value, 16, 8), n_ways = bits(value, 24, 8);

	amd_set(level, n_entries, n_ways == ALL ? n_entries : n_ways, page_bytes);
}

/* Reads a TLB of the second level, whose ways are a code; 0 is none. */
static void amd_read_second(uint32_t value, struct ompp_cache_level_size *level, uint64_t page_bytes)
{
	static const uint8_t ways_of[] = { 0, 1, 2, 3, 4, 6, 8, 0, 16, 0, 32, 48, 64, 96, 128 };
	uint32_t n_entries = bits(value, 16, 12), code = bits(value, 28, 4);

	amd_set(level, n_entries, code == sizeof(ways_of) ? n_entries : ways_of[code], page_bytes);
}

int ompp_tlb_decode(const struct ompp_tlb_leaf *leaves, size_t n, struct ompp_tlb_geometry *geometry)
{
	struct ompp_cache_level_size *small = geometry->pages[OMPP_TLB_SMALL].level,
				     *large = geometry->pages[OMPP_TLB_LARGE].level;

	memset(geometry, 0, sizeof(*geometry));
	for (const struct ompp_tlb_leaf *leaf = leaves; leaf < leaves + n; leaf++) {
		if (leaf->leaf == INTEL_LEAF) {
			intel_read(leaf, geometry);
		} else if (leaf->leaf == AMD_FIRST_LEAF) {
			amd_read_first(leaf->a, &large[0], LARGE_BYTES);
			amd_read_first(leaf->b, &small[0], SMALL_BYTES);
		} else if (leaf->leaf == AMD_SECOND_LEAF) {
			amd_read_second(leaf->a, &large[1], LARGE_BYTES);
			amd_read_second(leaf->b, &small[1], SMALL_BYTES);
		}
	}
	if (small[0].bytes && large[0].bytes)
		return 0;
	memset(geometry, 0, sizeof(*geometry));
	return -ENOENT;
}

#if defined(__x86_64__) || defined(__i386__)
static size_t leaf_read(struct ompp_tlb_leaf *leaf, uint32_t number, uint32_t subleaf)
{
	leaf->leaf = number;
	leaf->subleaf = subleaf;
	return __get_cpuid_count(number, subleaf, &leaf->a, &leaf->b, &leaf->c, &leaf->d) != 0;
}

static int tlb_machine(struct ompp_tlb_geometry *geometry)
{
	struct ompp_tlb_leaf leaves[MOST_SUBLEAVES + 2];
	size_t n = leaf_read(&leaves[0], INTEL_LEAF, 0);
	uint32_t n_more = n && leaves[0].a < MOST_SUBLEAVES ? leaves[0].a : 0;

	for (uint32_t i = 1; i <= n_more; i++)
		n += leaf_read(&leaves[n], INTEL_LEAF, i);
	n += leaf_read(&leaves[n], AMD_FIRST_LEAF, 0);
	n += leaf_read(&leaves[n], AMD_SECOND_LEAF, 0);
	return ompp_tlb_decode(leaves, n, geometry);
}
#else
static int tlb_machine(struct ompp_tlb_geometry *geometry)
{
	memset(geometry, 0, sizeof(*geometry));
	return -ENOENT;
}
#endif

/* ---- those that a user writes ---- */

/* A level that was read: of pages of some size. */
struct level {
	unsigned int number; /* 0 is the first */
	struct ompp_cache_level_size size;
};

static int level_parse(const char *item, size_t n, struct level *level, struct ompp_text *why)
{
	uint64_t numbers[OMPP_GEOMETRY_NUMBERS], n_entries, n_ways, page_bytes;

	level->number = ompp_geometry_level(item, n, OMPP_TLB_LEVELS);
	if (level->number >= OMPP_TLB_LEVELS)
		return ompp_geometry_say(why, item, n,
		                         ": no level; write L1=64/4/4K (entries/ways/bytes of a page) or L2=…");
	if (ompp_geometry_numbers(item, n, numbers) || !numbers[0] || !numbers[1] || !numbers[2])
		return ompp_geometry_say(why, item, n,
		                         ": three numbers are needed; write entries/ways/bytes of a page, as in "
		                         "L1=64/4/4K");
	n_entries = numbers[0];
	n_ways = numbers[1];
	page_bytes = numbers[2];
	if (n_entries > MOST_ENTRIES || n_entries % n_ways)
		return ompp_geometry_say(why, item, n,
		                         ": the entries must be a multiple of ways, and 65536 at most; write "
		                         "entries/ways/bytes of a page, as in L1=64/4/4K");
	if (page_bytes < SMALL_BYTES || page_bytes > MOST_PAGE_BYTES || page_bytes & (page_bytes - 1))
		return ompp_geometry_say(why, item, n,
		                         ": a page must have 4K, 8K, 16K … 1G bytes; write entries/ways/bytes of "
		                         "a page, as in L1=64/4/4K");
	level_set(&level->size, n_entries, n_ways, page_bytes);
	return 0;
}

/* Sorts the levels that were read by sizes of pages. */
static int levels_sort(const struct level *levels, size_t n, struct ompp_tlb_geometry *geometry, struct ompp_text *why)
{
	uint64_t least = levels[0].size.line_bytes, most = least;

	for (size_t i = 1; i < n; i++) {
		least = levels[i].size.line_bytes < least ? levels[i].size.line_bytes : least;
		most = levels[i].size.line_bytes > most ? levels[i].size.line_bytes : most;
	}
	for (size_t i = 0; i < n; i++) {
		int is_large = levels[i].size.line_bytes == most;
		struct ompp_cache_level_size *to = &geometry->pages[is_large ? OMPP_TLB_LARGE : OMPP_TLB_SMALL]
		                                            .level[levels[i].number];

		if (!is_large && levels[i].size.line_bytes != least)
			return ompp_geometry_say(why, "", 0, "three sizes of pages; write levels for two sizes");
		if (to->bytes)
			return ompp_geometry_say(why, "", 0,
			                         "a level is given twice for a size of pages; write it once");
		*to = levels[i].size;
	}
	if (least == most || !geometry->pages[OMPP_TLB_SMALL].level[0].bytes ||
	    !geometry->pages[OMPP_TLB_LARGE].level[0].bytes)
		return ompp_geometry_say(why, "", 0,
		                         "a first level is needed for each of two sizes of pages; write them, as in "
		                         "L1=64/4/4K,L1=32/4/2M");
	return 0;
}

int ompp_tlb_geometry(const char *text, struct ompp_tlb_geometry *geometry, char *why, size_t n_why)
{
	struct level levels[OMPP_N_TLB_PAGES * OMPP_TLB_LEVELS];
	const char *item;
	size_t n, n_levels = 0;
	struct ompp_text t;
	int rc = 0;

	ompp_text_init(&t, why, n_why);
	ompp_text_str(&t, "OMPP_TLB: ");
	memset(geometry, 0, sizeof(*geometry));
	if (!*text || !strcmp(text, "0"))
		return 0;
	if (!strcmp(text, "1")) {
		if (!tlb_machine(geometry))
			return 0;
		ompp_text_str(&t, "the processor does not tell its TLBs; write them, as in "
		                  "L1=64/4/4K,L2=1536/12/4K,L1=32/4/2M,L2=1536/12/2M");
		return -ENOENT;
	}
	while (!rc && (n = ompp_list_next(&text, &item))) {
		if (n_levels == sizeof(levels) / sizeof(*levels))
			return ompp_geometry_say(&t, item, n,
			                         ": there are more than four levels; write two for each of two "
			                         "sizes of pages");
		rc = level_parse(item, n, &levels[n_levels++], &t);
	}
	rc = rc ? rc : levels_sort(levels, n_levels, geometry, &t);
	if (rc)
		memset(geometry, 0, sizeof(*geometry));
	return rc;
}
