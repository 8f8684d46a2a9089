/*
 * Cache: the model of the processor's caches, and the geometries that it can have.
 *
 * A set is a row of words.  The first one is the tag of the line used last: most accesses find their line there and
 * write nothing.  The ways of a set keep their tags where they are; a word has the ways' numbers in the order in which
 * they were used, four bits each, and a few bits of all tags lie side by side, which are compared at once.  Where a set
 * has less ways than that pays for, or more than the word has room for, its row has tags alone, in the order of their
 * use: what an access finds or brings in goes to the front, and what lay before it moves one back.
 *
 * Private levels are read and written by their thread alone; a signal handler that comes in between costs a line at
 * most.  A set of the shared level is locked by a bit in its first tag while its tags move; hits in front need no lock,
 * and neither does a thread as long as it is the only one so far.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/file.h"
#include "runtime/base/option.h"
#include "runtime/base/text.h"
#include "runtime/data/cache.h"
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
	AT_ONCE = 8,   /* ways whose parts are compared by one instruction */
	ROW_WORDS = 4, /* rows of ordered ways have a multiple of it */
	WAY_BITS = 4
};

/* The words of a row of ordered ways: its tags come behind the parts. */
enum { ROW_FIRST, ROW_ORDER, ROW_PARTS };

#define PART_WORDS (AT_ONCE * sizeof(uint16_t) / sizeof(uint64_t)) /* parts of AT_ONCE ways */
#define EACH_WAY   UINT64_C(0x1111111111111111)
#define AS_ZEROED  UINT64_C(0xfedcba9876543210) /* the order of which the row has 0; the way used last comes first */

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
	_Atomic uint64_t *rows; /* one a set; a tag is the number of its line + 1, or 0 when it is empty */
	uint64_t n_sets;
	uint64_t reciprocal; /* 2^64 / n_sets, rounded down; 0 when n_sets is a power of two */
	uint32_t n_ways;
	uint32_t n_words;  /* of a row */
	uint32_t ways;     /* two bits for each way */
	uint8_t n_parts;   /* for so many ways the row has room for parts of their tags; 0 where ways are not ordered */
	uint8_t oldest;    /* bits of the order before the number of the way that was used longest ago */
	uint8_t part_bits; /* bits of a line's number before those of its tag's part */
	uint8_t line_shift;
	uint8_t bit; /* 1 << its index in the geometry */
};

/* The start of a thread's private memory, all 0 until it is prepared.  The owner writes it at its first access. */
struct cache {
	struct ompp_cache_front front;
	struct level level[OMPP_CACHE_LEVELS]; /* the levels that there are, the first level first */
	uint32_t n_levels, n_own;              /* n_own: those that no other thread uses */
	uint32_t has_narrow;                   /* 1 when a level has shorter lines than the first one */
	struct shared *shared;
};

_Static_assert(sizeof(struct cache) <= HEAD_BYTES, "the rows would lie in the head");

static uint64_t n_lines(const struct ompp_cache_level_size *size)
{
	return size->bytes ? size->bytes / size->line_bytes : 0;
}

/* Returns for how many ways the row of a set has room for parts of their tags; 0 when its ways are not ordered. */
static uint64_t n_parts(const struct ompp_cache_level_size *size)
{
	if (size->ways < LEAST_ORDERED || size->ways > MOST_ORDERED)
		return 0;
	return size->ways <= AT_ONCE ? AT_ONCE : MOST_ORDERED;
}

/* Returns the words of a set's row. */
static uint64_t row_words(const struct ompp_cache_level_size *size)
{
	if (!n_parts(size))
		return size->ways;
	return (ROW_PARTS + n_parts(size) / AT_ONCE * PART_WORDS + size->ways + ROW_WORDS - 1) / ROW_WORDS * ROW_WORDS;
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
static char *aligned(void *memory, size_t offset)
{
	return (char *)memory + offset + (-(uintptr_t)memory & (LINE_BYTES - 1));
}

void ompp_cache_prepare(const struct ompp_cache_geometry *geometry, void *own, void *shared)
{
	struct cache *cache = own;
	char *rows = aligned(cache, HEAD_BYTES);
	uint32_t n = 0;
	int i;

	if (geometry->level[SHARED_LEVEL].bytes) {
		cache->shared = (struct shared *)(void *)aligned(shared, 0);
		atomic_fetch_add_explicit(&cache->shared->n_users, 1, memory_order_relaxed);
	}
	for (i = 0; i < OMPP_CACHE_LEVELS; i++) {
		const struct ompp_cache_level_size *size = &geometry->level[i];
		struct level *level = &cache->level[n];

		if (!size->bytes)
			continue;
		level->rows = (_Atomic uint64_t *)(void *)(i < SHARED_LEVEL ? rows : (char *)(cache->shared + 1));
		rows += i < SHARED_LEVEL ? level_bytes(size) : 0;
		level->n_sets = n_lines(size) / size->ways;
		level->reciprocal = level->n_sets & (level->n_sets - 1) ? UINT64_MAX / level->n_sets : 0;
		level->n_ways = (uint32_t)size->ways;
		level->n_words = (uint32_t)row_words(size);
		level->n_parts = (uint8_t)n_parts(size);
		if (level->n_parts) {
			level->ways = UINT32_MAX >> (32 - 2 * level->n_ways);
			level->oldest = (uint8_t)((level->n_ways - 1) * WAY_BITS);
		}
		level->part_bits = (uint8_t)(63 - __builtin_clzll(level->n_sets));
		level->line_shift = (uint8_t)__builtin_ctzll(size->line_bytes);
		level->bit = (uint8_t)(1u << i);
		cache->n_own += i < SHARED_LEVEL;
		cache->has_narrow |= level->line_shift < cache->level[0].line_shift;
		n++;
	}
	cache->n_levels = n;
	if (cache->level[0].reciprocal)
		return;
	cache->front.mask = cache->level[0].n_sets - 1;
	cache->front.n_words = cache->level[0].n_words;
	cache->front.shift = cache->level[0].line_shift;
	cache->front.rows = cache->level[0].rows;
}

/* Returns the row of a line's set.  The upper half of the product is the quotient, or one less. */
static inline _Atomic uint64_t *set_of(const struct level *level, uint64_t line)
{
	uint64_t set = line & (level->n_sets - 1);

	if (__builtin_expect(level->reciprocal != 0, 0)) {
		set = line - (uint64_t)((unsigned __int128)line * level->reciprocal >> 64) * level->n_sets;
		if (set >= level->n_sets)
			set -= level->n_sets;
	}
	return level->rows + set * level->n_words;
}

static inline uint64_t get(_Atomic uint64_t *tag)
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
static uint64_t lock(_Atomic uint64_t *row)
{
	uint64_t first = get(row);
	int i;

	for (i = 0; i < MOST_TRIES; i++) {
		if (!(first & LOCKED) &&
		    atomic_compare_exchange_weak_explicit(row, &first, first | LOCKED, memory_order_acquire,
		                                          memory_order_relaxed))
			return first;
		pause_briefly();
		first = get(row);
	}
	return first & ~LOCKED;
}

static inline void put(_Atomic uint64_t *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_relaxed);
}

/* Returns two bits for each way whose tag has this part.
 * n_parts: AT_ONCE, or twice as many, of which there may be ways less */
ALWAYS_INLINE uint32_t ways_with(const _Atomic uint64_t *parts, uint32_t n_parts, uint16_t part)
{
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
	const __m128i *words = (const __m128i *)(const void *)parts;
	__m128i wanted = _mm_set1_epi16((short)part);
	uint32_t result = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi16(_mm_loadu_si128(words), wanted));

	if (n_parts > AT_ONCE)
		result |= (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi16(_mm_loadu_si128(words + 1), wanted)) << 16;
	return result;
#else
	const _Atomic uint16_t *each = (const _Atomic uint16_t *)(const void *)parts;
	uint32_t result = 0, i;

	for (i = 0; i < n_parts; i++)
		if (atomic_load_explicit(&each[i], memory_order_relaxed) == part)
			result |= 3u << 2 * i;
	return result;
#endif
}

/* Uses a line in a row of ordered ways, but for its first word.  Returns 1 when it missed.
 * n_parts: the row has room for the parts of so many ways */
ALWAYS_INLINE int find_ordered(const struct level *level, _Atomic uint64_t *row, uint32_t n_parts, uint64_t line)
{
	_Atomic uint64_t *parts = row + ROW_PARTS, *tags = parts + n_parts / AT_ONCE * PART_WORDS;
	uint64_t order = get(row + ROW_ORDER) ^ AS_ZEROED, before, way;
	uint16_t part = (uint16_t)(line >> level->part_bits);
	uint32_t same = ways_with(parts, n_parts, part) & level->ways;

	for (; __builtin_expect(same != 0, 0); same &= same - 1) {
		way = (uint32_t)__builtin_ctz(same) / 2;
		if (get(&tags[way]) != line + 1)
			continue;
		/* the lowest four bits that are the way's number become 0 here, then their highest bit 1 */
		before = order ^ way * EACH_WAY;
		before = (before - EACH_WAY) & ~before & EACH_WAY << (WAY_BITS - 1);
		before ^= before - 1; /* all bits up to it */
		put(row + ROW_ORDER, order ^ (((order << WAY_BITS | way) ^ order) & before) ^ AS_ZEROED);
		return 0;
	}
	way = order >> level->oldest & (MOST_ORDERED - 1);
	/* what gets behind the oldest way is never looked at: a way's number is found before it */
	put(row + ROW_ORDER, (order << WAY_BITS | way) ^ AS_ZEROED);
	put(&tags[way], line + 1);
	atomic_store_explicit((_Atomic uint16_t *)(void *)parts + way, part, memory_order_relaxed);
	return 1;
}

/* Does so in a row of tags alone. */
ALWAYS_INLINE int find_among(_Atomic uint64_t *row, uint32_t n_ways, uint64_t tag)
{
	uint64_t before = get(row) & ~LOCKED, here;
	uint32_t i;

	for (i = 1; i < n_ways; i++) {
		here = get(&row[i]);
		put(&row[i], before);
		if (here == tag)
			return 0;
		before = here;
	}
	return 1;
}

/* Uses a line that is not the first one, whose tag the caller puts in front.  Returns 1 when it missed. */
ALWAYS_INLINE int find(const struct level *level, _Atomic uint64_t *row, uint64_t line)
{
	return level->n_parts == AT_ONCE      ? find_ordered(level, row, AT_ONCE, line)
	     : level->n_parts == MOST_ORDERED ? find_ordered(level, row, MOST_ORDERED, line)
	                                      : find_among(row, level->n_ways, line + 1);
}

/* Does so in a set that other threads may use, too; its first line may be the one. */
static __attribute__((noinline)) int find_shared(const struct level *level, _Atomic uint64_t *row, uint64_t line)
{
	uint64_t tag = line + 1;
	int missed = 0;

	if ((get(row) & ~LOCKED) == tag)
		return 0;
	if (lock(row) != tag)
		missed = find(level, row, line);
	atomic_store_explicit(row, tag, memory_order_release);
	return missed;
}

/* Uses a line in a set that no other thread uses.  Returns 1 when it missed. */
ALWAYS_INLINE int use_own(const struct level *level, _Atomic uint64_t *row, uint64_t line)
{
	int missed;

	if (get(row) == line + 1)
		return 0;
	missed = find(level, row, line);
	put(row, line + 1);
	return missed;
}

/* Uses a line.  Returns 1 when it missed. */
ALWAYS_INLINE int use(const struct cache *cache, const struct level *level, uint64_t line)
{
	_Atomic uint64_t *row = set_of(level, line);

	if (level->bit == 1u << SHARED_LEVEL && __builtin_expect(get(&cache->shared->n_users) != 1, 0))
		return find_shared(level, row, line);
	return use_own(level, row, line);
}

/* Asks the levels from level i on, until one has all lines from address to last.  Returns a bit for each level that
 * missed. */
ALWAYS_INLINE unsigned int ask(const struct cache *cache, uint32_t i, uintptr_t address, uintptr_t last)
{
	const struct level *level = cache->level + i, *end = cache->level + cache->n_levels;
	unsigned int result = 0;

	for (; level < end; level++) {
		uint64_t line = address >> level->line_shift, last_line = last >> level->line_shift;
		int missed = use(cache, level, line);

		while (__builtin_expect(line != last_line, 0))
			missed |= use(cache, level, ++line);
		if (!missed)
			break;
		result |= level->bit;
	}
	return result;
}

/* Asks the levels below the first one, which missed, one of which has shorter lines. */
static __attribute__((noinline)) unsigned int ask_narrow(const struct cache *cache, uintptr_t address, uintptr_t last)
{
	return cache->level[0].bit | ask(cache, 1, address, last);
}

/* Asks the shared level, which other threads use, too; those above missed. */
static __attribute__((noinline)) unsigned int ask_shared(const struct level *level, _Atomic uint64_t *row,
                                                         uint64_t line, unsigned int missed)
{
	return find_shared(level, row, line) ? missed | level->bit : missed;
}

unsigned int ompp_cache_find(void *own, _Atomic uint64_t *row, uintptr_t address, size_t n_bytes)
{
	const struct cache *cache = own;
	const struct level *level = cache->level;
	uint64_t line = address >> level->line_shift;
	unsigned int missed = level->bit;
	int has_missed = find(level, row, line);

	put(row, line + 1);
	if (!has_missed)
		return 0;
	if (__builtin_expect(cache->has_narrow, 0))
		return ask_narrow(cache, address, address + (n_bytes - 1));
	if (cache->n_own > 1) {
		level++;
		line = address >> level->line_shift;
		if (!use_own(level, set_of(level, line), line))
			return missed;
		missed |= level->bit;
	}
	if (!cache->shared)
		return missed;
	level++;
	line = address >> level->line_shift;
	row = set_of(level, line);
	if (__builtin_expect(get(&cache->shared->n_users) != 1, 0))
		return ask_shared(level, row, line, missed);
	return use_own(level, row, line) ? missed | level->bit : missed;
}

int ompp_cache_keep(const void *own, uintptr_t address, uint64_t *to, size_t n_words)
{
	const struct cache *cache = own;
	const struct level *level = cache->level, *end = level + cache->n_levels;

	for (; level < end; level++) {
		_Atomic uint64_t *row = set_of(level, address >> level->line_shift);

		if (level->n_words > n_words)
			return 0;
		for (uint32_t i = 0; i < level->n_words; i++)
			*to++ = get(&row[i]);
		n_words -= level->n_words;
	}
	return 1;
}

void ompp_cache_restore(void *own, uintptr_t address, const uint64_t *from, unsigned int missed)
{
	const struct cache *cache = own;
	const struct level *level = cache->level, *end = level + cache->n_levels;

	for (; level < end; from += level->n_words, level++) {
		_Atomic uint64_t *row = set_of(level, address >> level->line_shift);

		for (uint32_t i = 0; i < level->n_words; i++)
			put(&row[i], from[i]);
		if (!(missed & level->bit))
			break;
	}
}

int ompp_cache_is_own(const void *own, unsigned int missed)
{
	const struct cache *cache = own;

	return !cache->shared || get(&cache->shared->n_users) == 1 ||
	       (cache->n_own && !(missed & cache->level[cache->n_own - 1].bit));
}

/* A block is asked for one line of the first level after the other. */
unsigned int ompp_cache_access(void *own, uintptr_t address, size_t n_bytes)
{
	const struct cache *cache = own;
	uintptr_t last = address + (n_bytes - 1), rest = ((uintptr_t)1 << cache->level[0].line_shift) - 1;
	unsigned int result = 0;

	if (last < address)
		last = UINTPTR_MAX;
	for (; n_bytes - 1 > rest && (address | rest) < last; address = (address | rest) + 1)
		result |= ask(cache, 0, address, address | rest);
	return result | ask(cache, 0, address, last);
}

static int say(struct ompp_text *why, const char *what, size_t n_bytes, const char *cause)
{
	ompp_text_strn(why, what, n_bytes);
	ompp_text_str(why, cause);
	return -EINVAL;
}

/* Returns what is wrong with a cache; NULL when the model can have it. */
static const char *fault(const struct ompp_cache_level_size *size)
{
	if (size->line_bytes < LEAST_LINE || size->line_bytes > MOST_LINE || size->line_bytes & (size->line_bytes - 1))
		return "a line must have 8, 16, 32 … 65536 bytes";
	if (!size->ways || size->ways > size->bytes / size->line_bytes || size->bytes % (size->ways * size->line_bytes))
		return "the size must be a multiple of ways × bytes of a line";
	if (size->bytes > MOST_CACHE_BYTES)
		return "the largest cache has 16G";
	return NULL;
}

/* Reads the number before a slash, or before the item's end, and moves *item behind it.  Returns 0 or -EINVAL. */
static int number(const char **item, const char *end, uint64_t *value)
{
	static const struct ompp_option_info any = { "CACHE", OMPP_TYPE_SIZE, "", 0, INT64_MAX, "", "" };
	const char *slash = memchr(*item, '/', (size_t)(end - *item));
	size_t n = (size_t)((slash ? slash : end) - *item);
	char digits[VALUE_BYTES];
	int64_t v = 0;

	if (n >= sizeof(digits))
		return -EINVAL;
	memcpy(digits, *item, n);
	digits[n] = '\0';
	*item = slash ? slash + 1 : end;
	*value = 0;
	if (ompp_option_value(&any, digits, &v))
		return -EINVAL;
	*value = (uint64_t)v;
	return 0;
}

/* Reads a level such as "L1=32K/8/64".  Returns 0, or -EINVAL with why.
 * given: has bit i set for each level that the list had before; this level's bit is added */
static int parse_level(const char *item, size_t n, struct ompp_cache_geometry *geometry, unsigned int *given,
                       struct ompp_text *why)
{
	const char *end = item + n, *s = item + 3, *wrong;
	struct ompp_cache_level_size size = { 0, 0, 0 };
	unsigned int i = n > 3 ? (unsigned int)item[1] - '1' : OMPP_CACHE_LEVELS;

	if (i >= OMPP_CACHE_LEVELS || ompp_text_lower(item[0]) != 'l' || item[2] != '=')
		return say(why, item, n, ": no level; write L1=32K/8/64 (bytes/ways/bytes of a line), L2=… or L3=…");
	if (*given >> i & 1)
		return say(why, item, 2, ": given twice; write it once");
	*given |= 1u << i;
	if (n != 4 || *s != '0') {
		if (number(&s, end, &size.bytes) || number(&s, end, &size.ways) || number(&s, end, &size.line_bytes) ||
		    s != end || end[-1] == '/')
			return say(why, item, n,
			           ": three numbers are needed; write bytes/ways/bytes of a line, as in "
			           "L1=32K/8/64");
		wrong = fault(&size);
		if (wrong) {
			say(why, item, n, ": ");
			return say(why, wrong, strlen(wrong), "; write bytes/ways/bytes of a line, as in L1=32K/8/64");
		}
	}
	geometry->level[i] = size;
	return 0;
}

static int parse(const char *text, struct ompp_cache_geometry *geometry, struct ompp_text *why)
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
	rc = parse(text, geometry, &t);
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

	if (read_value(folder, i, name, value) || number(&s, value + strlen(value), &n))
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
	if (!level || !size.bytes || fault(&size))
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
	say(&t, folder, strlen(folder), rc == -ENOENT ? ": describes no caches" : ": does not describe all of a cache");
	ompp_text_str(&t, "; write the caches to model, as in L1=32K/8/64,L2=1M/16/64");
	return -EINVAL;
}
