/*
 * Feed the cache model the trace that `valgrind --tool=lackey --trace-mem=yes` writes, for cachegrind.sh.
 * Usage: cache_trace I1 D1 LL [I1 D1 LL…] <TRACE      each bytes/ways/bytes of a line
 * A line for each three: misses of I1, of LL by instructions, of D1, of LL by data; and of LL by data when instructions
 * are left out, as in the runtime.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/data/cache.h"

enum { MOST = 8 };

/* One hierarchy: an L1, and a last level that may be shared with another. */
struct half {
	struct ompp_cache_geometry geometry;
	void    *own, *last;
	uint64_t n_missed, n_missed_last;
};

static struct half instructions[MOST], data[MOST], alone[MOST];

static void *zeroed(size_t n_bytes)
{
	void *memory = aligned_alloc(64, (n_bytes + 63) & ~(size_t)63);

	if (!memory)
		exit(99);
	return memset(memory, 0, (n_bytes + 63) & ~(size_t)63);
}

static void init(struct half *h, const char *first, const char *last, void *shared)
{
	char text[100], why[300];

	snprintf(text, sizeof(text), "L1=%s,L3=%s", first, last);
	if (ompp_cache_geometry(text, &h->geometry, why, sizeof(why))) {
		fprintf(stderr, "%s\n", why);
		exit(99);
	}
	h->own = zeroed(ompp_cache_private_bytes(&h->geometry));
	h->last = shared ? shared : zeroed(ompp_cache_shared_bytes(&h->geometry));
	ompp_cache_prepare(&h->geometry, h->own, h->last);
}

static void feed(struct half *h, uintptr_t address, size_t n_bytes)
{
	unsigned int missed = ompp_cache_access(h->own, address, n_bytes);

	h->n_missed += missed & 1;
	h->n_missed_last += missed >> 2 & 1;
}

/* "I  04001000,3", " L 1ffeff,8", " S …", " M …": a modification is one access, as cachegrind sees it. */
static int feed_line(const char *line, int n)
{
	char *end;
	uintptr_t address;
	size_t n_bytes;
	int i, fetch = line[0] == 'I';

	if (!fetch && (line[0] != ' ' || !strchr("LSM", line[1])))
		return 0;
	address = (uintptr_t)strtoull(line + 2, &end, 16);
	if (*end != ',')
		return 0;
	n_bytes = strtoul(end + 1, NULL, 10);
	for (i = 0; i < n; i++) {
		feed(fetch ? &instructions[i] : &data[i], address, n_bytes);
		if (!fetch)
			feed(&alone[i], address, n_bytes);
	}
	return 1;
}

int main(int argc, char **argv)
{
	int n = (argc - 1) / 3, i;
	char line[200];
	uint64_t n_lines = 0;

	if (n < 1 || n > MOST || argc != 1 + 3 * n)
		return 99;
	for (i = 0; i < n; i++) {
		char **size = argv + 1 + 3 * i;

		init(&data[i], size[1], size[2], NULL);
		init(&instructions[i], size[0], size[2], data[i].last);
		init(&alone[i], size[1], size[2], NULL);
	}
	while (fgets(line, sizeof(line), stdin))
		n_lines += (uint64_t)feed_line(line, n);
	for (i = 0; i < n; i++)
		printf("%llu %llu %llu %llu %llu\n", (unsigned long long)instructions[i].n_missed,
		       (unsigned long long)instructions[i].n_missed_last, (unsigned long long)data[i].n_missed,
		       (unsigned long long)data[i].n_missed_last, (unsigned long long)alone[i].n_missed_last);
	return n_lines ? 0 : 99;
}
