/*
 * abi_hooks: a program with hooks as the first builds of kinst linked them into programs: the structures that they
 * shared with libompp, and the way of a load and a store of 8 bytes.  They may go the slow path (ompp_access_miss)
 * wherever these did not.  Two threads count in turns in one cache line.
 * Usage: abi_hooks      prints how many stores each thread made
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TURNS = 4000, WAYS = 256, SIZES = 5, SIZE = 3, LOAD = 0, STORE = 8, PAGE_FLAG = 4, FRONT_LOADS = 1 };

struct segment {
	uintptr_t lo, limit[SIZES];
	uint32_t row, cover;
	uintptr_t hi;
};

struct tally {
	const struct segment *way[WAYS];
	uint32_t row_end, n_misses, n_rows, seen_end;
};

struct front {
	struct front *next;
	uint64_t n_ends, mask;
	uint32_t shift, n_ways;
	const void *ways;
	uint64_t page[2048];
	struct segment line[];
};

struct page_use {
	uintptr_t page;
	const void *node;
	uint32_t cover, cpu;
	uint64_t counts[2], parts;
	const uint64_t *words;
	const struct segment *segment;
};

struct known {
	char *first;
	uint32_t *offsets;
	uint64_t mask;
	uint32_t page_bits, tick, mine, seen, is_gathering, n_logs;
};

struct sharing_entry {
	uintptr_t line;
	const void *node;
	uint64_t bytes, n_stores, n_transfers, *last;
	const struct tally *tally;
	uint32_t cover;
};

struct sharing {
	const struct segment *way[WAYS], *near_way[WAYS];
	struct sharing_entry *entries;
	uint64_t *made;
	uint16_t recent[1024];
	uint32_t slot, named_row, n, has_entries, is_made;
	uint64_t n_lost;
	uint32_t is_timing, n_untimed;
};

extern __thread struct {
	struct tally *tally;
	int64_t countdown;
	struct front *front;
	struct known *known;
	int64_t gain;
	uint16_t n_short[64];
	size_t in_nest;
	struct sharing *sharing;
} own __asm__("ompp_access_tally") __attribute__((tls_model("initial-exec")));

void ompp_access_miss(uintptr_t address, unsigned int size, unsigned int slot);
void ompp_access_made(int source);
void ompp_data_begin(const void *address, size_t n_bytes, const char *name);
void ompp_region_begin_at(const char *name, const char *file, int line);
void ompp_region_end(const char *name);
const char ompp_access_linked = 1;

static unsigned int way(uintptr_t address)
{
	return (uint32_t)(address >> 12) * 0x9E3779B1u >> 24;
}

static int holds(const struct segment *s, uintptr_t address)
{
	return address - s->lo < s->limit[SIZE];
}

static void add(struct tally *tally, uint32_t row, uintptr_t address, unsigned int slot)
{
	uint64_t *words = (uint64_t *)(void *)((char *)tally + row) + slot, *extent = words + SIZES;
	uintptr_t lo = address & ~(uintptr_t)63, hi = lo + 64, was_hi = extent[0] + extent[1];

	words[SIZE]++;
	if (!extent[1] || extent[0] > lo)
		extent[0] = lo;
	extent[1] = (was_hi > hi && extent[1] ? was_hi : hi) - extent[0];
}

static int count_in_line(struct sharing *t, struct tally *tally, uintptr_t address, unsigned int slot)
{
	const struct segment *s = t->way[way(address)];
	struct sharing_entry *e = t->entries + t->recent[address / 64 % 1024];

	if (!holds(s, address))
		s = t->near_way[way(address << 6)];
	if (!holds(s, address) || s->row >= tally->seen_end)
		return 0;
	if (slot == STORE && s->row >= t->named_row) {
		uint64_t mine = (uint64_t)e->line << 16 | (t->slot + 1), was;

		if (address % 64 > 56 || e->line != address / 64 || e->tally != tally)
			return 0;
		was = __atomic_load_n(e->last, __ATOMIC_RELAXED);
		if (was != mine) {
			__atomic_store_n(e->last, mine, __ATOMIC_RELAXED);
			if (!((was ^ mine) >> 16)) {
				e->n_transfers++;
				if (t->n_untimed && !--t->n_untimed)
					t->recent[e->line % 1024] = 0;
			}
		}
		e->bytes |= UINT64_C(255) << address % 64;
		e->n_stores++;
	}
	add(tally, s->row, address, slot);
	return 1;
}

static int count_in_page(struct known *k, struct tally *tally, uintptr_t address, unsigned int slot)
{
	struct page_use *use;
	int is_counted;

	if (k->mine != __atomic_load_n(&k->tick, __ATOMIC_RELAXED))
		return 0;
	k->mine = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	use = (struct page_use *)(void *)(k->first + k->offsets[address >> 12 & k->mask]);
	is_counted = !((address ^ use->page) & ~(uintptr_t)0xff8) &&
	             (const char *)use->words == (const char *)tally + use->segment->row &&
	             holds(use->segment, address);
	if (is_counted) {
		add(tally, use->segment->row, address, slot);
		use->counts[slot == STORE]++;
		use->parts |= UINT64_C(1) << (address >> 6 & 63);
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&k->mine, k->seen, __ATOMIC_RELAXED);
	return is_counted;
}

static int count_in_front(const struct front *f, struct tally *tally, uintptr_t address, unsigned int slot)
{
	const struct segment *s = &f->line[address >> f->shift & f->mask];

	if (!tally->n_rows || !holds(s, address) || (slot == STORE && s->cover == FRONT_LOADS))
		return 0;
	if (s->cover != FRONT_LOADS)
		tally->way[way(address)] = s;
	add(tally, s->row, address, slot);
	return 1;
}

static void hook(uint64_t *p, unsigned int slot)
{
	uintptr_t address = (uintptr_t)p;
	struct tally *tally = own.tally;
	const struct segment *s = tally->way[way(address)];

	if (holds(s, address))
		add(tally, s->row, address, slot);
	else if (s->row & PAGE_FLAG || tally->row_end ||
	         !(own.sharing ? count_in_line(own.sharing, tally, address, slot)
	           : own.known ? count_in_page(own.known, tally, address, slot)
	                       : own.front && count_in_front(own.front, tally, address, slot)))
		ompp_access_miss(address, SIZE, slot);
}

static uint64_t line[8] __attribute__((aligned(64)));
static int turn;

static void *count(void *argument)
{
	int me = argument != NULL;

	ompp_region_begin_at("turns", "abi_hooks.c", 1);
	for (int i = 0; i < TURNS; i++) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me)
			;
		for (int j = 0; j < 3; j++)
			hook(&line[me], LOAD);
		hook(&line[me], STORE);
		line[me]++;
		__atomic_store_n(&turn, !me, __ATOMIC_RELEASE);
	}
	ompp_region_end("turns");
	return NULL;
}

int main(void)
{
	pthread_t thread;

	ompp_access_made(0);
	ompp_data_begin(line, sizeof(line), "line");
	if (pthread_create(&thread, NULL, count, line))
		return 1;
	count(NULL);
	pthread_join(thread, NULL);
	return printf("%llu %llu\n", (unsigned long long)line[0], (unsigned long long)line[1]) < 0;
}
