/*
 * Cache: compares the model with a plain one, which searches for the line that was used longest ago, on thousands of
 * geometries; checks what OMPP_CACHE may say, and the shared level with several threads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/data/cache.h"

enum { N_GEOMETRIES = 3000, N_ACCESSES = 1500, N_THREADS = 4 };

static uint64_t seed = 1;

static uint64_t roll(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

/* The plain model: each way knows its line and when it was used. */
struct plain_way {
	uint64_t line, time;
};
struct plain_level {
	uint64_t n_sets, n_ways, line_bytes;
	struct plain_way *way; /* sets × ways; time 0: empty */
};

static uint64_t now;

static void plain_init(struct plain_level *plain, const struct ompp_cache_level_size *size)
{
	memset(plain, 0, sizeof(*plain));
	if (!size->bytes)
		return;
	plain->n_ways = size->ways;
	plain->line_bytes = size->line_bytes;
	plain->n_sets = size->bytes / size->ways / size->line_bytes;
	plain->way = calloc(plain->n_sets * plain->n_ways, sizeof(*plain->way));
	assert_non_null(plain->way);
}

static int plain_line(struct plain_level *plain, uint64_t line)
{
	struct plain_way *way = plain->way + line % plain->n_sets * plain->n_ways, *oldest = way;
	uint64_t i;

	now++;
	for (i = 0; i < plain->n_ways; i++) {
		if (way[i].time && way[i].line == line) {
			way[i].time = now;
			return 0;
		}
		if (way[i].time < oldest->time)
			oldest = &way[i];
	}
	oldest->line = line;
	oldest->time = now;
	return 1;
}

static unsigned int plain_piece(struct plain_level *plain, uint64_t address, uint64_t n_bytes)
{
	unsigned int result = 0, i;

	for (i = 0; i < OMPP_CACHE_LEVELS; i++) {
		uint64_t line_bytes = plain[i].line_bytes, line, n_missed = 0;

		if (!line_bytes)
			continue;
		for (line = address / line_bytes; line <= (address + n_bytes - 1) / line_bytes; line++)
			n_missed += (uint64_t)plain_line(&plain[i], line);
		if (!n_missed)
			break;
		result |= 1u << i;
	}
	return result;
}

static unsigned int plain_access(struct plain_level *plain, uint64_t address, uint64_t n_bytes)
{
	uint64_t first_line = plain[0].line_bytes ? plain[0].line_bytes
	                    : plain[1].line_bytes ? plain[1].line_bytes
	                                          : plain[2].line_bytes;
	unsigned int result = 0;

	if (n_bytes <= first_line)
		return plain_piece(plain, address, n_bytes);
	while (n_bytes) {
		uint64_t n = first_line - address % first_line;

		n = n < n_bytes ? n : n_bytes;
		result |= plain_piece(plain, address, n);
		address += n;
		n_bytes -= n;
	}
	return result;
}

/* Allocates exactly n_bytes, so that AddressSanitizer sees each access beyond them. */
static void *zeroed(size_t n_bytes)
{
	void *memory = NULL;

	assert_int_equal(posix_memalign(&memory, 64, n_bytes ? n_bytes : 1), 0);
	return memset(memory, 0, n_bytes);
}

static struct ompp_cache_level_size some_level(void)
{
	struct ompp_cache_level_size size;
	uint64_t n_sets = roll(2) ? UINT64_C(1) << roll(6) : 1 + roll(40);

	size.line_bytes = UINT64_C(8) << roll(5);
	size.ways = roll(3) ? 1 + roll(8) : 1 + roll(20);
	size.bytes = roll(4) ? n_sets * size.ways * size.line_bytes : 0;
	return size;
}

struct stream {
	uint64_t base, range, stride, at;
	uint64_t far; /* now and then added: lines so far away from each other can look alike to the model */
};

/* Makes the next access: at random, with a stride, or a mixture of both; sizes go from a byte to blocks. */
static void next_access(struct stream *s, int kind, uint64_t *address, uint64_t *n_bytes)
{
	static const uint64_t sizes[] = { 1, 2, 4, 8, 16, 32, 64, 3, 7, 100, 1000 };

	*n_bytes = sizes[roll(kind == 3 ? 11 : 7)];
	s->at = kind == 0 || (kind >= 2 && !roll(4)) ? roll(s->range) : (s->at + s->stride) % s->range;
	*address = s->base + s->at + (roll(8) ? 0 : s->far);
}

/* Makes an access, in one of the ways in which the library does. */
static unsigned int make(const struct ompp_cache_geometry *geometry, void *own, uint64_t address, uint64_t n_bytes)
{
	uint64_t n_sets, line_bytes;
	_Atomic uint64_t *first;
	uint32_t shift, n_ways;

	n_sets = ompp_cache_private_sets(geometry, &shift, &n_ways);
	line_bytes = UINT64_C(1) << (n_sets ? shift : 0);
	if (!n_sets || n_sets & (n_sets - 1) || address % line_bytes + n_bytes > line_bytes || roll(2))
		return ompp_cache_access(own, address, n_bytes);
	first = ompp_cache_first_of(own, address >> shift);
	return ompp_cache_is_first(first, address >> shift) ? 0 : ompp_cache_find(own, first, address, n_bytes);
}

static void test_reference(void **state)
{
	uint64_t n_all[OMPP_CACHE_LEVELS + 1] = { 0 };
	int i, j, k;

	(void)state;
	for (i = 0; i < N_GEOMETRIES; i++) {
		struct ompp_cache_geometry geometry;
		struct plain_level plain[OMPP_CACHE_LEVELS];
		struct stream stream = { roll(3) ? roll(UINT64_C(1) << 47) : 0, 1 + roll(60000), 1 + roll(300), 0,
			                 UINT64_C(1) << (20 + roll(26)) };
		size_t offset = (size_t)(i % 4) * 16;
		void *own, *own_at, *shared;

		do {
			for (j = 0; j < OMPP_CACHE_LEVELS; j++)
				geometry.level[j] = some_level();
		} while (!ompp_cache_private_bytes(&geometry));
		for (j = 0; j < OMPP_CACHE_LEVELS; j++)
			plain_init(&plain[j], &geometry.level[j]);
		own = zeroed(ompp_cache_private_bytes(&geometry) + offset);
		shared = zeroed(ompp_cache_shared_bytes(&geometry) + offset);
		own_at = (char *)own + offset;
		ompp_cache_prepare(&geometry, own_at, (char *)shared + offset);
		for (j = 0; j < N_ACCESSES; j++) {
			uint64_t address, n_bytes;
			unsigned int expected, got;

			next_access(&stream, i % 4, &address, &n_bytes);
			expected = plain_access(plain, address, n_bytes);
			got = make(&geometry, own_at, address, n_bytes);
			if (got != expected)
				fail_msg("geometry %d, access %d: %u, expected %u", i, j, got, expected);
			for (k = 0; k < OMPP_CACHE_LEVELS; k++)
				n_all[k] += got >> k & 1;
			n_all[k]++;
		}
		for (j = 0; j < OMPP_CACHE_LEVELS; j++)
			free(plain[j].way);
		free(own);
		free(shared);
	}
	for (k = 0; k < OMPP_CACHE_LEVELS; k++) /* a level that hits or misses always would show nothing */
		assert_true(n_all[k] > n_all[OMPP_CACHE_LEVELS] / 10 && n_all[k] < n_all[OMPP_CACHE_LEVELS]);
}

/* The number of sets need not be a power of two, and addresses go up to the last byte. */
static void test_sets(void **state)
{
	static const uint64_t sets[] = { 3, 5, 7, 11, 12, 24576, 36864, 65535, 65537, 1000003, (1u << 20) - 1 };
	size_t i;
	int j;

	(void)state;
	for (i = 0; i < OMPP_COUNT_OF(sets); i++) {
		struct ompp_cache_geometry geometry = { .level[0] = { sets[i] * 64, 1, 64 } };
		struct plain_level plain[OMPP_CACHE_LEVELS];
		void *own = zeroed(ompp_cache_private_bytes(&geometry));

		ompp_cache_prepare(&geometry, own, NULL);
		for (j = 0; j < OMPP_CACHE_LEVELS; j++)
			plain_init(&plain[j], &geometry.level[j]);
		for (j = 0; j < 4000; j++) {
			uint64_t address = (roll(2) ? UINT64_MAX : roll(UINT64_MAX)) / 64 / sets[i] * sets[i] * 64;

			address -= roll(3) * sets[i] * 64 + roll(2) * 64;
			assert_int_equal(ompp_cache_access(own, address, 8), plain_access(plain, address, 8));
		}
		assert_int_equal(ompp_cache_access(own, UINTPTR_MAX, 1), plain_access(plain, UINTPTR_MAX, 1));
		assert_int_equal(ompp_cache_access(own, UINTPTR_MAX - 200,
		                                   1000), /* the block ends at the last address */
		                 plain_access(plain, UINTPTR_MAX - 200, 201));
		free(plain[0].way);
		free(own);
	}
}

/* Checks the rules for lines and levels by hand. */
static void test_rules(void **state)
{
	struct ompp_cache_geometry geometry = { { { 256, 2, 64 }, { 0, 0, 0 }, { 1024, 4, 64 } } };
	void *own = zeroed(ompp_cache_private_bytes(&geometry)), *shared = zeroed(ompp_cache_shared_bytes(&geometry));
	const uintptr_t a = 0x10000;

	(void)state;
	ompp_cache_prepare(&geometry, own, shared);
	assert_int_equal(ompp_cache_access(own, a, 8), 5);
	assert_int_equal(ompp_cache_access(own, a + 56, 8), 0);
	assert_int_equal(ompp_cache_access(own, a + 60, 8), 5); /* the second line */
	assert_int_equal(ompp_cache_access(own, a + 60, 8), 0);
	assert_int_equal(ompp_cache_access(own, a + 128, 8), 5);
	assert_int_equal(ompp_cache_access(own, a + 256, 8), 5); /* it falls into the set of a, so a must go */
	assert_int_equal(ompp_cache_access(own, a, 8), 1);       /* the last level still has a */
	assert_int_equal(ompp_cache_access(own, a, 1024), 5);
	assert_int_equal(ompp_cache_access(own, a + 512, 256), 1); /* 4 lines, all of which the last level has */
	free(own);
	free(shared);
}

/* A line's sets go back to what they were, in the levels that are asked; another thread makes the last one shared. */
static void test_kept(void **state)
{
	struct ompp_cache_geometry geometry = { { { 1024, 2, 64 }, { 4096, 8, 64 }, { 8192, 4, 64 } } };
	void *own = zeroed(ompp_cache_private_bytes(&geometry)), *shared = zeroed(ompp_cache_shared_bytes(&geometry));
	void *other = zeroed(ompp_cache_private_bytes(&geometry));
	const uintptr_t a = 0x10000;
	uint64_t sets[64];
	unsigned int missed;
	int i;

	(void)state;
	for (missed = 0; missed < 8; missed = 2 * missed + 1) {
		memset(own, 0, ompp_cache_private_bytes(&geometry));
		memset(shared, 0, ompp_cache_shared_bytes(&geometry));
		ompp_cache_prepare(&geometry, own, shared);
		ompp_cache_access(own, a, 8);
		assert_false(ompp_cache_keep(own, a, sets, 10));
		assert_true(ompp_cache_keep(own, a, sets, OMPP_COUNT_OF(sets)));
		for (i = 1; i < 20; i++)
			assert_int_equal(ompp_cache_access(own, a + 8192 * (uintptr_t)i, 8), 7);
		ompp_cache_restore(own, a, sets, missed);
		assert_int_equal(ompp_cache_access(own, a, 8), 0);
		/* the last one is only where its set was left as it is */
		assert_int_equal(ompp_cache_access(own, a + 8192 * 19, 8), (2 * missed + 1) & 7);
		assert_true(ompp_cache_is_own(own, 7));
	}
	ompp_cache_prepare(&geometry, other, shared);
	assert_true(ompp_cache_is_own(own, 1));
	assert_false(ompp_cache_is_own(own, 3));
	free(own);
	free(other);
	free(shared);
}

static void test_none(void **state)
{
	struct ompp_cache_geometry geometry = { { { 0, 0, 0 } } };

	(void)state;
	assert_int_equal(ompp_cache_private_bytes(&geometry), 0);
	assert_int_equal(ompp_cache_shared_bytes(&geometry), 0);
}

static const char *parsed(const char *text)
{
	static char result[400];
	struct ompp_cache_geometry g;
	char why[300] = "";
	int i, n = 0, rc;

	memset(&g, 0xff, sizeof(g));
	errno = ENOTTY;
	rc = ompp_cache_geometry(text, &g, why, sizeof(why));
	assert_int_equal(errno, ENOTTY);
	if (rc) {
		assert_int_equal(rc, -EINVAL);
		assert_non_null(strstr(why, "write "));
		for (i = 0; i < OMPP_CACHE_LEVELS; i++)
			assert_int_equal(g.level[i].bytes, 0);
		return strcpy(result, why);
	}
	for (i = 0; i < OMPP_CACHE_LEVELS; i++)
		n += snprintf(result + n, sizeof(result) - (size_t)n, "%s%llu/%llu/%llu", i ? " " : "",
		              (unsigned long long)g.level[i].bytes, (unsigned long long)g.level[i].ways,
		              (unsigned long long)g.level[i].line_bytes);
	return result;
}

static void test_text(void **state)
{
	/* clang-format off */
	static const char *const bad[] = {
		"2", "L4=32K/8/64", "L0=32K/8/64", "L1=32K/8", "L1=32K", "L1=", "L1", "L1=32K/8/64/", "L1=32K/8/64/1",
		"L1=32K//64", "L1=32K/8/48", "L1=32K/8/4", "L1=32K/0/64", "L1=32K/7/64", "L1=1K/32/64", "L1=33000/8/64",
		"L1=32K/8/0", "L1=0/8/64", "L1=-32K/8/64", "L1=32X/8/64", "L1=32K/8/64,L1=32K/8/64", "0,L1=32K/8/64",
		"L1=32K/8/64,1", "L1=32K/8/64 L2=1M/16/64", "L3=32G/16/64", "L1 =32K/8/64", "yes",
		"L1=99999999999999999999/8/64", "L1=18446744073709551616/18446744073709551616/18446744073709551616",
		"L1=000000000000000000000000000000000000000032K/8/64"
	};
	/* clang-format on */
	size_t i;

	(void)state;
	assert_string_equal(parsed(""), "0/0/0 0/0/0 0/0/0");
	assert_string_equal(parsed("0"), "0/0/0 0/0/0 0/0/0");
	assert_string_equal(parsed("L1=32K/8/64"), "32768/8/64 0/0/0 0/0/0");
	assert_string_equal(parsed("L3=1M/16/64"), "0/0/0 0/0/0 1048576/16/64");
	assert_string_equal(parsed("l1=48k/12/64, L2=1M/16/64 ,L3=1536K/12/128"),
	                    "49152/12/64 1048576/16/64 1572864/12/128");
	assert_string_equal(parsed("L2=1G/16/64,L1=0"), "0/0/0 1073741824/16/64 0/0/0");
	for (i = 0; i < OMPP_COUNT_OF(bad); i++)
		if (strstr(parsed(bad[i]), "0/0/0"))
			fail_msg("\"%s\" was taken", bad[i]);
	assert_string_equal(parsed("L1=32K/7/64"),
	                    "OMPP_CACHE: L1=32K/7/64: the size must be a multiple of ways × bytes of a line; "
	                    "write bytes/ways/bytes of a line, as in L1=32K/8/64");
}

static void put(const char *folder, int i, const char *name, const char *value)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/index%d", folder, i);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/index%d/%s", folder, i, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", value);
	fclose(f);
}

static void put_cache(const char *folder, int i, const char *const values[6])
{
	static const char *const names[] = {
		"level", "type", "size", "ways_of_associativity", "coherency_line_size", "number_of_sets"
	};
	int j;

	for (j = 0; j < 6; j++)
		put(folder, i, names[j], values[j]);
}

static void test_machine(void **state)
{
	static const char *const caches[][6] = {
		{ "1", "Data", "48K", "12", "64", "64" },         { "1", "Instruction", "32K", "8", "64", "64" },
		{ "2", "Unified", "2048K", "0", "64", "2048" },   { "3", "Unified", "30720K", "12", "64", "40960" },
		{ "4", "Unified", "128M", "16", "64", "131072" },
	};
	char folder[] = "/tmp/test_cache.XXXXXX", command[64], why[300];
	struct ompp_cache_geometry g;
	int i;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(ompp_cache_machine(folder, &g, why, sizeof(why)), -EINVAL);
	assert_non_null(strstr(why, ": describes no caches; write "));
	for (i = 0; i < 5; i++)
		put_cache(folder, i, caches[i]);
	errno = ENOTTY;
	assert_int_equal(ompp_cache_machine(folder, &g, why, sizeof(why)), 0);
	assert_int_equal(errno, ENOTTY);
	assert_int_equal(g.level[0].bytes, 49152);
	assert_int_equal(g.level[0].ways, 12);
	assert_int_equal(g.level[1].bytes, 2097152);
	assert_int_equal(g.level[1].ways, 16);
	assert_int_equal(g.level[2].bytes, 31457280);
	assert_int_equal(g.level[2].ways, 12);
	assert_int_equal(g.level[2].line_bytes, 64);
	put(folder, 2, "number_of_sets", "");
	assert_int_equal(ompp_cache_machine(folder, &g, why, sizeof(why)), -EINVAL);
	assert_non_null(strstr(why, ": does not describe all of a cache; write "));
	assert_int_equal(g.level[0].bytes, 0);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

/* OMPP_CACHE=1 takes the caches of the machine that this runs on, or gives a reason; single levels may follow it. */
static void test_own(void **state)
{
	struct ompp_cache_geometry g, h;
	char why[300] = "";

	(void)state;
	if (ompp_cache_geometry("1", &g, why, sizeof(why))) {
		assert_non_null(strstr(why, "OMPP_CACHE: /sys/"));
		assert_non_null(strstr(why, "; write "));
		return;
	}
	assert_true(g.level[0].bytes >= 4096 && g.level[0].bytes <= 1 << 20);
	assert_int_equal(ompp_cache_geometry("1,L3=1M/16/64,L2=0", &h, why, sizeof(why)), 0);
	assert_memory_equal(&h.level[0], &g.level[0], sizeof(g.level[0]));
	assert_int_equal(h.level[1].bytes, 0);
	assert_int_equal(h.level[2].bytes, 1 << 20);
}

/* Several threads have one last level that holds all of their lines: each line is missed once, by all of them together.
 */
static struct ompp_cache_geometry shared_geometry = { .level[2] = { 64 * 16 * 64, 16, 64 } };
static void *shared_tags;

struct worker {
	pthread_t id;
	uint64_t n_missed;
	uintptr_t first;
};

enum { N_LINES = 64 * 16, N_ROUNDS = 300 };

static void *work(void *data)
{
	struct worker *w = data;
	void *own = zeroed(ompp_cache_private_bytes(&shared_geometry));
	uintptr_t i;
	int round;

	ompp_cache_prepare(&shared_geometry, own, shared_tags);
	for (round = 0; round < N_ROUNDS; round++)
		for (i = 0; i < N_LINES; i++)
			w->n_missed += ompp_cache_access(own, 0x100000 + (i * 37 + w->first) % N_LINES * 64, 8) >> 2;
	free(own);
	return NULL;
}

static void test_threads(void **state)
{
	struct worker worker[N_THREADS];
	uint64_t n_missed = 0;
	int i;

	(void)state;
	shared_tags = zeroed(ompp_cache_shared_bytes(&shared_geometry));
	for (i = 0; i < N_THREADS; i++) {
		worker[i] = (struct worker){ .first = (uintptr_t)i * 100 };
		assert_int_equal(pthread_create(&worker[i].id, NULL, work, &worker[i]), 0);
	}
	for (i = 0; i < N_THREADS; i++) {
		pthread_join(worker[i].id, NULL);
		n_missed += worker[i].n_missed;
	}
	free(shared_tags);
	assert_true(n_missed >= N_LINES);
	/* A thread that sleeps while it holds a set may cost a line.  Without locks a tenth of all accesses would miss.
	 */
	if (n_missed > N_LINES + N_THREADS * N_ROUNDS * N_LINES / 100)
		fail_msg("%llu misses of %d lines", (unsigned long long)n_missed, N_LINES);
}

/* A set that a thread has left locked for good is taken over. */
static void test_takeover(void **state)
{
	void *own = zeroed(ompp_cache_private_bytes(&shared_geometry));
	void *other = zeroed(ompp_cache_private_bytes(&shared_geometry));
	void *shared = zeroed(ompp_cache_shared_bytes(&shared_geometry));
	uint64_t *tags = (uint64_t *)shared + 8; /* behind the number of threads */
	int i;

	(void)state;
	ompp_cache_prepare(&shared_geometry, own, shared);
	ompp_cache_prepare(&shared_geometry, other, shared);
	assert_int_equal(ompp_cache_access(own, 0, 8), 4);
	for (i = 0; i < 64 * 16; i++)
		tags[i] |= (uint64_t)(i % 16 == 0) << 63;
	assert_int_equal(ompp_cache_access(own, 0, 8), 0);
	assert_int_equal(ompp_cache_access(own, 64 * 64, 8), 4);
	assert_int_equal(ompp_cache_access(own, 0, 8), 0);
	assert_int_equal(ompp_cache_access(own, 64 * 64, 8), 0);
	assert_int_equal(tags[0] >> 63, 0);
	free(shared);
	free(other);
	free(own);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference), cmocka_unit_test(test_sets), cmocka_unit_test(test_rules),
		cmocka_unit_test(test_kept),      cmocka_unit_test(test_none), cmocka_unit_test(test_text),
		cmocka_unit_test(test_machine),   cmocka_unit_test(test_own),  cmocka_unit_test(test_threads),
		cmocka_unit_test(test_takeover),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
