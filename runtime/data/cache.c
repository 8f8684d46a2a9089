/*
 * Cache: the model of the processor's caches, and the geometries that it can have.
 *
 * A set is a row of tags, the line used last in front.  What an access finds or brings in goes to the front, and what
 * lay before it moves one back.  Most accesses find their line in front and write nothing.
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
	HEAD_BYTES = 256, /* room for struct cache; the tags follow it */
	TAG_BYTES = sizeof(uint64_t),
	MOST_TRIES = 256, /* takes some microseconds; a set is held for some nanoseconds */
	LEAST_LINE = 8,
	MOST_LINE = 65536,
	SHARED_LEVEL = OMPP_CACHE_LEVELS - 1,
	VALUE_BYTES = 32,
	AT_ONCE = 8 /* tags */
};

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
	_Atomic uint64_t *tags; /* sets × ways; a tag is the number of its line + 1, or 0 when it is empty */
	uint64_t n_sets;
	uint64_t reciprocal; /* 2^64 / n_sets, rounded down; 0 when n_sets is a power of two */
	uint32_t n_ways;
	uint8_t line_shift;
	uint8_t bit; /* 1 << its index in the geometry */
};

/* The start of a thread's private memory, all 0 until it is prepared.  The owner writes it at its first access. */
struct cache {
	struct ompp_cache_front front;
	struct level level[OMPP_CACHE_LEVELS]; /* the levels that there are, the first level first */
	uint32_t n_levels;
	struct shared *shared;
};

_Static_assert(sizeof(struct cache) <= HEAD_BYTES, "the tags would lie in the head");

static uint64_t n_lines(const struct ompp_cache_level_size *size)
{
	return size->bytes ? size->bytes / size->line_bytes : 0;
}

/* Returns the bytes of a level's tags, in whole lines of the machine. */
static size_t tag_bytes(const struct ompp_cache_level_size *size)
{
	return (size_t)(n_lines(size) * TAG_BYTES + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1);
}

size_t ompp_cache_private_bytes(const struct ompp_cache_geometry *geometry)
{
	size_t n = 0;
	int i, any = 0;

	for (i = 0; i < OMPP_CACHE_LEVELS; i++) {
		any |= geometry->level[i].bytes != 0;
		if (i < SHARED_LEVEL)
			n += tag_bytes(&geometry->level[i]);
	}
	return any ? HEAD_BYTES + n + LINE_BYTES : 0;
}

size_t ompp_cache_shared_bytes(const struct ompp_cache_geometry *geometry)
{
	size_t n = tag_bytes(&geometry->level[SHARED_LEVEL]);

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
	char *tags = aligned(cache, HEAD_BYTES);
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
		level->tags = (_Atomic uint64_t *)(void *)(i < SHARED_LEVEL ? tags : (char *)(cache->shared + 1));
		tags += i < SHARED_LEVEL ? tag_bytes(size) : 0;
		level->n_sets = n_lines(size) / size->ways;
		level->reciprocal = level->n_sets & (level->n_sets - 1) ? UINT64_MAX / level->n_sets : 0;
		level->n_ways = (uint32_t)size->ways;
		level->line_shift = (uint8_t)__builtin_ctzll(size->line_bytes);
		level->bit = (uint8_t)(1u << i);
		n++;
	}
	cache->n_levels = n;
	if (cache->level[0].reciprocal)
		return;
	cache->front.mask = cache->level[0].n_sets - 1;
	cache->front.n_ways = cache->level[0].n_ways;
	cache->front.shift = cache->level[0].line_shift;
	cache->front.tags = cache->level[0].tags;
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
	return level->tags + set * level->n_ways;
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

/* Puts a tag before others, of which the last one goes. */
static inline void push(_Atomic uint64_t *row, uint32_t n, uint64_t tag)
{
	for (; n > 1; n--)
		atomic_store_explicit(&row[n - 1], get(&row[n - 2]), memory_order_relaxed);
	atomic_store_explicit(row, tag, memory_order_relaxed);
}

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
/* Looks for a tag among eight, the lower halves of which are compared at once.  When it is there, those before it move
 * to the back by one, and `before` comes in front.  Returns 1 when it was there. */
ALWAYS_INLINE int find_in(_Atomic uint64_t *row, uint64_t before, uint64_t tag)
{
	const __m128i *pairs = (const __m128i *)(const void *)row;
	__m128 a = _mm_castsi128_ps(_mm_loadu_si128(pairs)), b = _mm_castsi128_ps(_mm_loadu_si128(pairs + 1));
	__m128 c = _mm_castsi128_ps(_mm_loadu_si128(pairs + 2)), d = _mm_castsi128_ps(_mm_loadu_si128(pairs + 3));
	__m128i wanted = _mm_set1_epi32((int)tag);
	__m128i near = _mm_cmpeq_epi32(wanted, _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))));
	__m128i far = _mm_cmpeq_epi32(wanted, _mm_castps_si128(_mm_shuffle_ps(c, d, _MM_SHUFFLE(2, 0, 2, 0))));
	unsigned int same = (unsigned int)_mm_movemask_epi8(_mm_packs_epi32(near, far));

	for (; __builtin_expect(same != 0, 0); same &= same - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(same) / 2;

		if (get(&row[i]) == tag) {
			push(row, i + 1, before);
			return 1;
		}
	}
	return 0;
}

/* Puts a tag before eight, of which the last one goes. */
ALWAYS_INLINE void push_in(_Atomic uint64_t *row, uint64_t tag)
{
	__m128i *pairs = (__m128i *)(void *)row, *next = (__m128i *)(void *)(row + 1);
	__m128i a = _mm_loadu_si128(pairs), b = _mm_loadu_si128(pairs + 1), c = _mm_loadu_si128(pairs + 2);
	uint64_t last = get(&row[AT_ONCE - 2]);

	_mm_storeu_si128(next, a);
	_mm_storeu_si128(next + 1, b);
	_mm_storeu_si128(next + 2, c);
	atomic_store_explicit(&row[AT_ONCE - 1], last, memory_order_relaxed);
	atomic_store_explicit(row, tag, memory_order_relaxed);
}
#else
ALWAYS_INLINE int find_in(_Atomic uint64_t *row, uint64_t before, uint64_t tag)
{
	for (uint32_t i = 0; i < AT_ONCE; i++)
		if (get(&row[i]) == tag) {
			push(row, i + 1, before);
			return 1;
		}
	return 0;
}

ALWAYS_INLINE void push_in(_Atomic uint64_t *row, uint64_t tag)
{
	push(row, AT_ONCE, tag);
}
#endif

/* Moves the tags before this one to the back by one, or all tags when this one is not there, and puts `front` before
 * them.  It is not the first one.  Returns 1 when it is not there. */
ALWAYS_INLINE int find_any(_Atomic uint64_t *row, uint32_t n_ways, uint64_t front, uint64_t tag)
{
	_Atomic uint64_t *end = row + n_ways;
	uint64_t before = front, here;

	/* Two lines of one set in turn are frequent, and a pair that was just written word by word is slow to read at
	 * once. */
	if (n_ways > 1 && get(&row[1]) == tag) {
		push(row, 2, front);
		return 0;
	}
	for (; end - row >= AT_ONCE; row += AT_ONCE) {
		if (find_in(row, before, tag))
			return 0;
		here = get(&row[AT_ONCE - 1]);
		push_in(row, before);
		before = here;
	}
	for (; row < end; row++) {
		here = get(row);
		atomic_store_explicit(row, before, memory_order_relaxed);
		if (here == tag)
			return 0;
		before = here;
	}
	return 1;
}

/* Does so.  The compiler makes straight code for the usual numbers of ways. */
ALWAYS_INLINE int find(_Atomic uint64_t *row, uint32_t n_ways, uint64_t front, uint64_t tag)
{
	return n_ways == AT_ONCE     ? find_any(row, AT_ONCE, front, tag)
	     : n_ways == 2 * AT_ONCE ? find_any(row, 2 * AT_ONCE, front, tag)
	                             : find_any(row, n_ways, front, tag);
}

/* Does so in a set that other threads may use, too. */
static __attribute__((noinline)) int find_shared(_Atomic uint64_t *row, uint32_t n_ways, uint64_t tag)
{
	uint64_t first = get(row);
	int missed = 0;

	if ((first & ~LOCKED) == tag)
		return 0;
	first = lock(row);
	if (first != tag) {
		missed = find(row, n_ways, tag | LOCKED, tag);
		if (n_ways > 1)
			atomic_store_explicit(row + 1, first, memory_order_relaxed);
	}
	atomic_store_explicit(row, tag, memory_order_release);
	return missed;
}

/* Uses a line.  Returns 1 when it missed. */
ALWAYS_INLINE int use(const struct cache *cache, const struct level *level, uint64_t line)
{
	_Atomic uint64_t *row = set_of(level, line);
	uint64_t tag = line + 1;

	if (level->bit == 1u << SHARED_LEVEL && __builtin_expect(get(&cache->shared->n_users) != 1, 0))
		return find_shared(row, level->n_ways, tag);
	return get(row) != tag && find(row, level->n_ways, tag, tag);
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

/* Asks the levels below the first one, which missed. */
static __attribute__((noinline)) unsigned int ask_below(const struct cache *cache, uintptr_t address, uintptr_t last)
{
	return cache->level[0].bit | ask(cache, 1, address, last);
}

unsigned int ompp_cache_line(void *own, _Atomic uint64_t *row, uintptr_t address, size_t n_bytes)
{
	const struct cache *cache = own;
	uint64_t tag = (address >> cache->front.shift) + 1;

	if (get(row) == tag || !find(row, cache->front.n_ways, tag, tag))
		return 0;
	return ask_below(cache, address, address + (n_bytes - 1));
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
