/*
 * Cache: the model of the processor's caches, and the geometries that it can have.
 *
 * A set is a row of words.  The first one is the tag of the line used last: most accesses hit there and write nothing.
 * The tags stay in their ways; one word has the LRU order of the ways, four bits each, and a short hash of each tag is
 * stored in adjacent words, so that all are compared at once.  If a set has too few ways for that to pay off, or too
 * many for the order word, its row has only the tags, in LRU order: the line of an access moves to the front, and those
 * before it move back by one.
 *
 * Private levels are read and written only by their thread; a signal handler that interrupts it costs at most one
 * line.  A set of the shared level is locked by a bit in its first tag while its tags are changed; hits in the first
 * tag need no lock, and neither does a thread as long as it is the only one.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/text.h"
#include "runtime/data/cache.h"
#include "runtime/host/file.h"
#include "runtime/terms/geometry.h"
#include "runtime/terms/option.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
	LINE_BYTES = 64,  /* of the machine's own cache, to which tags are aligned */
	HEAD_BYTES = 256, /* room for struct cache; the rows follow it */
	MOST_TRIES = 256, /* takes some microseconds; a set is held for some nanoseconds */
	LEAST_LINE = 8,
	MOST_LINE = 65536,
	SHARED_LEVEL = OMPP_CACHE_LEVELS - 1,
	VALUE_BYTES = 32,
	LEAST_ORDERED = 5, /* ways of a set that has an order of them */
	MOST_ORDERED = 16,
	ROW_WORDS = 4, /* rows of ordered ways have a multiple of it */
	WAY_BITS = 4
};

/* The words of a row of ordered ways: the order, 0 until the first line comes; a part of each way's tag; the tags. */
enum { ROW_FIRST, ROW_ORDER, ROW_PARTS, ROW_TAGS = ROW_PARTS + MOST_ORDERED * sizeof(uint16_t) / sizeof(uint64_t) };

#define EACH_WAY    UINT64_C(0x1111111111111111)
#define FIRST_ORDER UINT64_C(0xfedcba9876543210) /* the way that was used last is in the lowest bits */
#define PART_FACTOR UINT64_C(0x9E3779B97F4A7C15)

#define LOCKED           (UINT64_C(1) << 63)
#define MOST_CACHE_BYTES (UINT64_C(16) << 30) /* a larger one could have more ways than 32 bits count */
#define MACHINE_FOLDER   "/sys/devices/system/cpu/cpu0/cache"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The start of the memory of the shared level.  The tags follow it. */
struct shared {
	_Atomic uint64_t n_users; /* threads that use it, or have */
	uint64_t unused[LINE_BYTES / sizeof(uint64_t) - 1];
};

/* One level, in the form that the hot path needs. */
struct level {
	_Atomic uint64_t *rows;    /* one a set; a tag is the number of its line + 1, or 0 when it is empty */
	uint64_t mask;             /* n_sets - 1 */
	uint64_t reciprocal;       /* 2^64 / n_sets, rounded down; 0 when n_sets is a power of two */
	_Atomic uint64_t *n_users; /* threads that use it, or have */
	uint32_t n_words;          /* of a row */
	uint32_t n_ways;
	uint32_t ways;  /* a bit for each way; 0 where they are not ordered */
	uint8_t oldest; /* bits of the order before the number of the way that was used longest ago */
	uint8_t line_shift;
	uint8_t bit; /* 1 << its index in the geometry */
};

/* The start of a thread's private memory, all 0 until it is prepared.  The owner writes it at its first access. */
struct cache {
	struct ompp_cache_front front;
	struct level level[OMPP_CACHE_LEVELS]; /* the levels that there are, the first level first */
	const struct level *last;
	uint32_t n_own;            /* levels that no other thread uses */
	uint32_t is_usual;         /* 1 when all levels have lines of the same length and, but for the shared one, an
	                            * order of ways and numbers of sets that are powers of two */
	uint32_t fetches;          /* 1 when the last line that the first level missed was in none of its own levels */
	_Atomic uint64_t n_owners; /* 1: the n_users of its own levels */
	struct shared *shared;
};

_Static_assert(sizeof(struct cache) <= HEAD_BYTES, "the rows would lie in the head");

static uint64_t n_lines(const struct ompp_cache_level_size *size)
{
	return size->bytes ? size->bytes / size->line_bytes : 0;
}

/* Returns 1 when the ways of a set have an order. */
static int is_ordered(const struct ompp_cache_level_size *size)
{
	return size->ways >= LEAST_ORDERED && size->ways <= MOST_ORDERED;
}

/* Returns the words of a set's row. */
static uint64_t row_words(const struct ompp_cache_level_size *size)
{
	return is_ordered(size) ? (ROW_TAGS + size->ways + ROW_WORDS - 1) / ROW_WORDS * ROW_WORDS : size->ways;
}

/* Returns the bytes of a level's rows, in whole lines of the machine. */
static size_t level_bytes(const struct ompp_cache_level_size *size)
{
	uint64_t n_words = size->bytes ? n_lines(size) / size->ways * row_words(size) : 0;

	return (size_t)(n_words * sizeof(uint64_t) + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1);
}

size_t ompp_cache_private_bytes(const struct ompp_cache_geometry *geometry)
{
	size_t n = 0;
	int i, any = 0;

	for (i = 0; i < OMPP_CACHE_LEVELS; i++) {
		any |= geometry->level[i].bytes != 0;
		if (i < SHARED_LEVEL)
			n += level_bytes(&geometry->level[i]);
	}
	return any ? HEAD_BYTES + n + LINE_BYTES : 0;
}

size_t ompp_cache_shared_bytes(const struct ompp_cache_geometry *geometry)
{
	size_t n = level_bytes(&geometry->level[SHARED_LEVEL]);

	return n ? sizeof(struct shared) + n + LINE_BYTES : 0;
}

uint64_t ompp_cache_private_sets(const struct ompp_cache_geometry *geometry, uint32_t *shift, uint32_t *n_ways)
{
	const struct ompp_cache_level_size *size;

	for (size = geometry->level; size < geometry->level + SHARED_LEVEL; size++)
		if (size->bytes) {
			*shift = (uint32_t)__builtin_ctzll(size->line_bytes);
			*n_ways = (uint32_t)size->ways;
			return n_lines(size) / size->ways;
		}
	return 0;
}

/* Returns the address at this offset from the first whole line of the memory. */
static char *cache_aligned(void *memory, size_t offset)
{
	return (char *)memory + offset + (-(uintptr_t)memory & (LINE_BYTES - 1));
}

void ompp_cache_prepare(const struct ompp_cache_geometry *geometry, void *own, void *shared)
{
	struct cache *cache = own;
	struct level *level = cache->level;
	char *rows = cache_aligned(cache, HEAD_BYTES);
	int i;

	ompp_assert(!((uintptr_t)own & 15) && !cache->last);
	if (geometry->level[SHARED_LEVEL].bytes) {
		cache->shared = (struct shared *)(void *)cache_aligned(shared, 0);
		atomic_fetch_add_explicit(&cache->shared->n_users, 1, memory_order_relaxed);
	}
	cache->is_usual = 1;
	atomic_store_explicit(&cache->n_owners, 1, memory_order_relaxed);
	for (i = 0; i < OMPP_CACHE_LEVELS; i++) {
		const struct ompp_cache_level_size *size = &geometry->level[i];
		uint64_t n_sets;

		if (!size->bytes)
			continue;
		ompp_assert(!(size->line_bytes & (size->line_bytes - 1)) && n_lines(size) % size->ways == 0);
		n_sets = n_lines(size) / size->ways;
		level->rows = (_Atomic uint64_t *)(void *)(i < SHARED_LEVEL ? rows : (char *)(cache->shared + 1));
		level->n_users = i < SHARED_LEVEL ? &cache->n_owners : &cache->shared->n_users;
		rows += i < SHARED_LEVEL ? level_bytes(size) : 0;
		level->mask = n_sets - 1;
		level->reciprocal = n_sets & (n_sets - 1) ? UINT64_MAX / n_sets : 0;
		level->n_ways = (uint32_t)size->ways;
		level->n_words = (uint32_t)row_words(size);
		level->ways = is_ordered(size) ? UINT32_MAX >> (32 - level->n_ways) : 0;
		level->oldest = (uint8_t)((level->n_ways - 1) * WAY_BITS);
		level->line_shift = (uint8_t)__builtin_ctzll(size->line_bytes);
		level->bit = (uint8_t)(1u << i);
		cache->n_own += i < SHARED_LEVEL;
		cache->is_usual &= level->line_shift == cache->level[0].line_shift &&
		                   (i == SHARED_LEVEL || (level->ways && !level->reciprocal));
		level++;
	}
	ompp_assert(level > cache->level);
	cache->last = level - 1;
	cache->is_usual &= cache->n_own != 0;
	if (cache->level[0].reciprocal)
		return;
	cache->front.mask = cache->level[0].mask;
	cache->front.n_words = cache->level[0].n_words;
	cache->front.shift = cache->level[0].line_shift;
	cache->front.rows = cache->level[0].rows;
}

/* Returns the row of a line's set.  The upper half of the product is the quotient, or one less. */
ALWAYS_INLINE _Atomic uint64_t *set_of(const struct level *level, uint64_t line)
{
	uint64_t set = line & level->mask;

	if (__builtin_expect(level->reciprocal != 0, 0)) {
		set = line - (uint64_t)((unsigned __int128)line * level->reciprocal >> 64) * (level->mask + 1);
		if (set > level->mask)
			set -= level->mask + 1;
	}
	ompp_assert(set <= level->mask);
	return level->rows + set * level->n_words;
}

static inline uint64_t cache_get(_Atomic uint64_t *tag)
{
	return atomic_load_explicit(tag, memory_order_relaxed);
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* Locks a set and returns its first tag.  When the holder does not go on (it sleeps, was left by longjmp, or is a
 * thread that a fork did not copy), the caller takes over: two that move tags at once may lose a line, no more. */
static uint64_t cache_lock(_Atomic uint64_t *row)
{
	uint64_t first = cache_get(row);
	int i;

	for (i = 0; i < MOST_TRIES; i++) {
		if (!(first & LOCKED) &&
		    atomic_compare_exchange_weak_explicit(row, &first, first | LOCKED, memory_order_acquire,
		                                          memory_order_relaxed))
			return first;
		pause_briefly();
		first = cache_get(row);
	}
	return first & ~LOCKED;
}

static inline void cache_put(_Atomic uint64_t *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_relaxed);
}

/* Returns a bit for each way whose tag has this part; what it says of ways that the set has not means nothing. */
ALWAYS_INLINE uint32_t ways_with(const _Atomic uint64_t *parts, uint16_t part)
{
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
	const __m128i *words = (const __m128i *)(const void *)parts;
	__m128i wanted = _mm_set1_epi16((short)part), lower = _mm_cmpeq_epi16(_mm_load_si128(words), wanted);

	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(lower, _mm_cmpeq_epi16(_mm_load_si128(words + 1), wanted)));
#else
	const _Atomic uint16_t *each = (const _Atomic uint16_t *)(const void *)parts;
	uint32_t result = 0, i;

	for (i = 0; i < MOST_ORDERED; i++)
		result |= (uint32_t)(atomic_load_explicit(&each[i], memory_order_relaxed) == part) << i;
	return result;
#endif
}

/* Returns the part of a line's tag. */
ALWAYS_INLINE uint16_t part_of(uint64_t line)
{
	return (uint16_t)(line * PART_FACTOR >> 48);
}

/* Uses a line in a row of ordered ways, but for its first word.  Returns 1 when it missed. */
ALWAYS_INLINE int find_ordered(const struct level *level, _Atomic uint64_t *row, uint64_t line)
{
	uint64_t order = cache_get(row + ROW_ORDER), before, way;
	uint16_t part = part_of(line);
	uint32_t same = ways_with(row + ROW_PARTS, part) & level->ways;

	for (; __builtin_expect(same != 0, 0); same &= same - 1) {
		way = (uint32_t)__builtin_ctz(same);
		if (cache_get(&row[ROW_TAGS + way]) != line + 1)
			continue;
		/* the lowest four bits that are the way's number become 0 here, then their highest bit 1 */
		before = order ^ way * EACH_WAY;
		before = (before - EACH_WAY) & ~before & EACH_WAY << (WAY_BITS - 1);
		before ^= before - 1; /* all bits up to it */
		cache_put(row + ROW_ORDER, order ^ (((order << WAY_BITS | way) ^ order) & before));
		return 0;
	}
	if (__builtin_expect(!order, 0))
		order = FIRST_ORDER;
	way = order >> level->oldest & (MOST_ORDERED - 1);
	ompp_assert(way < level->n_ways);
	/* what gets behind the oldest way is never looked at: a way's number is found before it */
	cache_put(row + ROW_ORDER, order << WAY_BITS | way);
	cache_put(&row[ROW_TAGS + way], line + 1);
	atomic_store_explicit((_Atomic uint16_t *)(void *)(row + ROW_PARTS) + way, part, memory_order_relaxed);
	return 1;
}

/* Does so in a row of tags alone. */
static __attribute__((noinline)) int find_among(_Atomic uint64_t *row, uint32_t n_ways, uint64_t tag)
{
	uint64_t before = cache_get(row) & ~LOCKED, here;
	uint32_t i;

	for (i = 1; i < n_ways; i++) {
		here = cache_get(&row[i]);
		cache_put(&row[i], before);
		if (here == tag)
			return 0;
		before = here;
	}
	return 1;
}

/* Uses a line that is not the first one, whose tag the caller puts in front.  Returns 1 when it missed. */
ALWAYS_INLINE int find(const struct level *level, _Atomic uint64_t *row, uint64_t line)
{
	return __builtin_expect(level->ways != 0, 1) ? find_ordered(level, row, line)
	                                             : find_among(row, level->n_ways, line + 1);
}

/* Does so in a set that other threads may use, too; its first line may be the one. */
static __attribute__((noinline)) int find_shared(const struct level *level, _Atomic uint64_t *row, uint64_t line)
{
	uint64_t tag = line + 1;
	int missed = 0;

	if ((cache_get(row) & ~LOCKED) == tag)
		return 0;
	if (cache_lock(row) != tag)
		missed = find(level, row, line);
	atomic_store_explicit(row, tag, memory_order_release);
	return missed;
}

/* Uses a line.  Returns 1 when it missed. */
ALWAYS_INLINE int use(const struct level *level, uint64_t line)
{
	_Atomic uint64_t *row = set_of(level, line);
	int missed;

	if (__builtin_expect(cache_get(level->n_users) != 1, 0))
		return find_shared(level, row, line);
	if (cache_get(row) == line + 1)
		return 0;
	missed = find(level, row, line);
	cache_put(row, line + 1);
	return missed;
}

/* Asks the levels from this one on, until one has all lines from address to last.  Returns a bit for each level that
 * missed. */
static unsigned int cache_ask(const struct cache *cache, const struct level *level, uintptr_t address, uintptr_t last)
{
	unsigned int result = 0;

	for (; level <= cache->last; level++) {
		uint64_t line = address >> level->line_shift, last_line = last >> level->line_shift;
		int missed = use(level, line);

		while (__builtin_expect(line != last_line, 0))
			missed |= use(level, ++line);
		if (!missed)
			break;
		result |= level->bit;
	}
	return result;
}

/* Asks the shared level, which other threads use, too; those above missed. */
static __attribute__((noinline)) unsigned int ask_shared(const struct level *level, _Atomic uint64_t *row,
                                                         uint64_t line, unsigned int missed)
{
	return find_shared(level, row, line) ? missed | level->bit : missed;
}

/* Fetches what is looked at first in a row. */
ALWAYS_INLINE void fetch_row(const _Atomic uint64_t *row, uint32_t n_words)
{
	const char *at = (const char *)(const void *)row;

	__builtin_prefetch(at, 1);
	if (n_words * sizeof(*row) > LINE_BYTES)
		__builtin_prefetch(at + LINE_BYTES, 1);
}

/* Asks the levels below the first one, which missed, of a usual geometry.  Calls that are seldom made are at the ends
 * of functions, so that these save no registers. */
ALWAYS_INLINE unsigned int ask_usual(struct cache *cache, uint64_t line)
{
	const struct level *level = cache->level;
	unsigned int missed = level->bit;
	_Atomic uint64_t *row, *shared = NULL;

	ompp_assert(cache->is_usual);
	if (cache->n_own > 1) {
		/* a row of the shared level is under way while its own levels are asked */
		if (OMPP_LOAD(&cache->fetches) && cache->shared) {
			shared = set_of(cache->last, line);
			fetch_row(shared, cache->last->n_words);
		}
		level++;
		row = level->rows + (line & level->mask) * level->n_words;
		if (cache_get(row) == line + 1)
			return missed;
		if (!find_ordered(level, row, line)) {
			cache_put(row, line + 1);
			OMPP_STORE(&cache->fetches, 0u);
			return missed;
		}
		cache_put(row, line + 1);
		OMPP_STORE(&cache->fetches, 1u);
		missed |= level->bit;
	}
	if (!cache->shared)
		return missed;
	level++;
	row = shared ? shared : set_of(level, line);
	if (__builtin_expect(cache_get(&cache->shared->n_users) != 1, 0))
		return ask_shared(level, row, line, missed);
	if (cache_get(row) != line + 1) {
		missed |= find(level, row, line) ? level->bit : 0u;
		cache_put(row, line + 1);
	}
	return missed;
}

static __attribute__((noinline)) unsigned int find_unusual(const struct cache *cache, _Atomic uint64_t *row,
                                                           uintptr_t address, size_t n_bytes)
{
	uint64_t line = address >> cache->front.shift;
	int missed = find(cache->level, row, line);

	cache_put(row, line + 1);
	return missed ? cache->level[0].bit | cache_ask(cache, cache->level + 1, address, address + (n_bytes - 1)) : 0;
}

unsigned int ompp_cache_find(void *own, _Atomic uint64_t *row, uintptr_t address, size_t n_bytes)
{
	struct cache *cache = own;
	uint64_t line = address >> cache->front.shift;
	int missed;

	ompp_assert(n_bytes && !((address ^ (address + (n_bytes - 1))) >> cache->front.shift));
	ompp_assert(row == ompp_cache_first_of(own, line));
	if (__builtin_expect(!cache->is_usual, 0))
		return find_unusual(cache, row, address, n_bytes);
	missed = find_ordered(cache->level, row, line);
	cache_put(row, line + 1);
	return missed ? ask_usual(cache, line) : 0;
}

int ompp_cache_keep(const void *own, uintptr_t address, uint64_t *to, size_t n_words)
{
	const struct cache *cache = own;
	const struct level *level = cache->level;

	for (; level <= cache->last; level++) {
		_Atomic uint64_t *row = set_of(level, address >> level->line_shift);

		if (level->n_words > n_words)
			return 0;
		for (uint32_t i = 0; i < level->n_words; i++)
			*to++ = cache_get(&row[i]);
		n_words -= level->n_words;
	}
	return 1;
}

void ompp_cache_restore(void *own, uintptr_t address, const uint64_t *from, unsigned int missed)
{
	const struct cache *cache = own;
	const struct level *level = cache->level;

	for (; level <= cache->last; from += level->n_words, level++) {
		_Atomic uint64_t *row = set_of(level, address >> level->line_shift);

		for (uint32_t i = 0; i < level->n_words; i++)
			cache_put(&row[i], from[i]);
		if (!(missed & level->bit))
			break;
	}
}

int ompp_cache_is_own(const void *own, unsigned int missed)
{
	const struct cache *cache = own;

	return !cache->shared || cache_get(&cache->shared->n_users) == 1 ||
	       (cache->n_own && !(missed & cache->level[cache->n_own - 1].bit));
}

/* A block is asked for one line of the first level after the other. */
unsigned int ompp_cache_access(void *own, uintptr_t address, size_t n_bytes)
{
	const struct cache *cache = own;
	uintptr_t last = address + (n_bytes - 1), rest = ((uintptr_t)1 << cache->level[0].line_shift) - 1;
	unsigned int result = 0;

	ompp_assert(n_bytes && cache->last);
	if (last < address)
		last = UINTPTR_MAX;
	for (; n_bytes - 1 > rest && (address | rest) < last; address = (address | rest) + 1)
		result |= cache_ask(cache, cache->level, address, address | rest);
	return result | cache_ask(cache, cache->level, address, last);
}

/* Returns what is wrong with a cache; NULL when the model can have it. */
static const char *cache_fault(const struct ompp_cache_level_size *size)
{
	if (size->line_bytes < LEAST_LINE || size->line_bytes > MOST_LINE || size->line_bytes & (size->line_bytes - 1))
		return "a line must have 8, 16, 32 … 65536 bytes";
	if (!size->ways || size->ways > size->bytes / size->line_bytes || size->bytes % (size->ways * size->line_bytes))
		return "the size must be a multiple of ways × bytes of a line";
	if (size->bytes > MOST_CACHE_BYTES)
		return "the largest cache has 16G";
	return NULL;
}

/* Reads a level such as "L1=32K/8/64".  Returns 0, or -EINVAL with why.
 * given: has bit i set for each level that the list had before; this level's bit is added */
static int parse_level(const char *item, size_t n, struct ompp_cache_geometry *geometry, unsigned int *given,
                       struct ompp_text *why)
{
	unsigned int i = ompp_geometry_level(item, n, OMPP_CACHE_LEVELS);
	struct ompp_cache_level_size size = { 0, 0, 0 };
	uint64_t numbers[OMPP_GEOMETRY_NUMBERS];
	const char *wrong;

	if (i >= OMPP_CACHE_LEVELS)
		return ompp_geometry_say(why, item, n,
		                         ": no level; write L1=32K/8/64 (bytes/ways/bytes of a line), L2=… or L3=…");
	if (*given >> i & 1)
		return ompp_geometry_say(why, item, 2, ": given twice; write it once");
	*given |= 1u << i;
	if (n != 4 || item[3] != '0') {
		if (ompp_geometry_numbers(item, n, numbers))
			return ompp_geometry_say(why, item, n,
			                         ": three numbers are needed; write bytes/ways/bytes of a line, as in "
			                         "L1=32K/8/64");
		size = (struct ompp_cache_level_size){ numbers[0], numbers[1], numbers[2] };
		wrong = cache_fault(&size);
		if (wrong) {
			ompp_geometry_say(why, item, n, ": ");
			return ompp_geometry_say(why, wrong, strlen(wrong),
			                         "; write bytes/ways/bytes of a line, as in L1=32K/8/64");
		}
	}
	geometry->level[i] = size;
	return 0;
}

static int cache_parse(const char *text, struct ompp_cache_geometry *geometry, struct ompp_text *why)
{
	unsigned int given = 0;
	const char *item;
	size_t n;
	int rc = 0, first = 1;

	for (; !rc && (n = ompp_list_next(&text, &item)); first = 0) {
		if (n == 1 && *item == '1' && first)
			rc = ompp_cache_machine(MACHINE_FOLDER, geometry, why->data + why->n_bytes,
			                        why->capacity_bytes - why->n_bytes);
		else if (n != 1 || *item != '0' || !first || *text)
			rc = parse_level(item, n, geometry, &given, why);
	}
	return rc;
}

int ompp_cache_geometry(const char *text, struct ompp_cache_geometry *geometry, char *why, size_t n_why)
{
	int rc;
	struct ompp_text t;

	ompp_text_init(&t, why, n_why);
	ompp_text_str(&t, "OMPP_CACHE: ");
	memset(geometry, 0, sizeof(*geometry));
	rc = cache_parse(text, geometry, &t);
	if (rc)
		memset(geometry, 0, sizeof(*geometry));
	return rc;
}

/* Reads the first line of folder/indexN/name, where N is i.  Returns 0 or -errno. */
static int read_value(const char *folder, unsigned int i, const char *name, char value[VALUE_BYTES])
{
	char path[512];
	struct ompp_text t;
	int n;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, folder);
	ompp_text_str(&t, "/index");
	ompp_text_u64(&t, i);
	ompp_text_char(&t, '/');
	ompp_text_str(&t, name);
	n = ompp_file_line(path, value, VALUE_BYTES);
	return n < 0 ? n : 0;
}

static uint64_t read_number(const char *folder, unsigned int i, const char *name)
{
	char value[VALUE_BYTES];
	const char *s = value;
	uint64_t n;

	if (read_value(folder, i, name, value) || ompp_geometry_number(&s, value + strlen(value), &n))
		return 0;
	return n;
}

/* Reads one cache of the machine.  Returns 0, -ENOENT when there are no more, or -EINVAL. */
static int read_cache(const char *folder, unsigned int i, struct ompp_cache_geometry *geometry)
{
	struct ompp_cache_level_size size;
	char type[VALUE_BYTES];
	uint64_t level, n_sets;

	if (read_value(folder, i, "type", type))
		return -ENOENT;
	level = read_number(folder, i, "level");
	if (!strcmp(type, "Instruction") || level > OMPP_CACHE_LEVELS)
		return 0;
	size.bytes = read_number(folder, i, "size");
	size.line_bytes = read_number(folder, i, "coherency_line_size");
	size.ways = read_number(folder, i, "ways_of_associativity");
	n_sets = read_number(folder, i, "number_of_sets");
	if (!size.ways && n_sets && size.line_bytes) /* ways are 0 where each line can be anywhere in its set */
		size.ways = size.bytes / size.line_bytes / n_sets;
	if (!level || !size.bytes || cache_fault(&size))
		return -EINVAL;
	geometry->level[level - 1] = size;
	return 0;
}

int ompp_cache_machine(const char *folder, struct ompp_cache_geometry *geometry, char *why, size_t n_why)
{
	int rc = 0;
	struct ompp_text t;
	unsigned int i;

	ompp_text_init(&t, why, n_why);
	memset(geometry, 0, sizeof(*geometry));
	for (i = 0; !rc; i++)
		rc = read_cache(folder, i, geometry);
	if (rc == -ENOENT && geometry->level[0].bytes)
		return 0;
	memset(geometry, 0, sizeof(*geometry));
	ompp_geometry_say(&t, folder, strlen(folder),
	                  rc == -ENOENT ? ": describes no caches" : ": does not describe all of a cache");
	ompp_text_str(&t, "; write the caches to model, as in L1=32K/8/64,L2=1M/16/64");
	return -EINVAL;
}
