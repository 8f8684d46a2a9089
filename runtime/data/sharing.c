/*
 * Sharing: see sharing.h.
 */
#include "runtime/data/sharing.h"

#include <stdatomic.h>

#include "runtime/data/object.h"

enum { N_LAST = 1 << 20 };

/* An entry for each line: slot + 1 of the thread that wrote it last, with the upper bits of the line, so that lines
 * with the same entry are not taken for one another. */
static _Atomic(_Atomic(uint64_t) *) last_table;

static _Atomic(uint64_t) *last_of(uintptr_t line)
{
	_Atomic(uint64_t) *table = atomic_load_explicit(&last_table, memory_order_acquire), *fresh;

	if (!table) {
		fresh = ompp_data_alloc(N_LAST * sizeof(*fresh));
		if (!fresh)
			return NULL;
		if (atomic_compare_exchange_strong(&last_table, &table, fresh))
			table = fresh;
	}
	return &table[(line * 0x9E3779B97F4A7C15u >> 32) % N_LAST];
}

static struct ompp_sharing_entry *entry_of(struct ompp_sharing *own, uintptr_t line, const void *node, uint32_t cover)
{
	uint64_t h = (line ^ (uintptr_t)node << 7) * 0x9E3779B97F4A7C15u;
	struct ompp_sharing_entry *e;
	size_t at;

	if (!own->entries)
		own->entries = ompp_data_alloc(OMPP_SHARING_ENTRIES * sizeof(*own->entries));
	if (!own->entries)
		return NULL;
	for (at = (size_t)(h >> 40);; at++) {
		e = &own->entries[at % OMPP_SHARING_ENTRIES];
		if (e->line == line && e->node == node)
			return e;
		if (!e->line)
			break;
	}
	if (own->n >= OMPP_SHARING_ENTRIES / 4 * 3)
		return NULL;
	own->n++;
	e->node = node;
	e->cover = cover;
	__atomic_store_n(&e->line, line, __ATOMIC_RELEASE);
	return e;
}

static void store_in_line(struct ompp_sharing *own, uint32_t slot, const void *node, uint32_t cover, uintptr_t line,
                          uint64_t bytes)
{
	struct ompp_sharing_entry *e = entry_of(own, line, node, cover);
	_Atomic(uint64_t) *last = last_of(line);
	uint64_t mine = (uint64_t)line << 16 | (slot + 1), was;

	if (!e || !last) {
		own->n_lost++;
		return;
	}
	was = atomic_load_explicit(last, memory_order_relaxed);
	if (was != mine) {
		atomic_store_explicit(last, mine, memory_order_relaxed);
		if (was >> 16 == (uint64_t)line << 16 >> 16)
			e->n_transfers++;
	}
	e->bytes |= bytes;
	e->n_stores++;
}

void ompp_sharing_store(struct ompp_sharing *own, uint32_t slot, const void *node, uint32_t cover, uintptr_t address,
                        size_t n_bytes)
{
	uintptr_t end = address + n_bytes;

	while (address < end) {
		uintptr_t line = address / OMPP_LINE_BYTES, line_end = (line + 1) * OMPP_LINE_BYTES;
		uintptr_t n = (line_end < end ? line_end : end) - address;
		uint64_t bytes = n == OMPP_LINE_BYTES ? UINT64_MAX : ((uint64_t)1 << n) - 1;

		store_in_line(own, slot, node, cover, line, bytes << address % OMPP_LINE_BYTES);
		address += n;
	}
}
