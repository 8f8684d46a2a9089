/*
 * Last writer: see last_writer.h.
 */
#include "runtime/data/last_writer.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/data/object.h"

enum { LINE_BYTES = 64, N_LINES = 1 << 17, MOST_STEPS = 32 };

/* Threads are slots + 1; 0: nobody.  Threads that write a line at the same time, without an order of the program's, may
 * each see the other's mark or not. */
struct last_writer_line {
	_Atomic uintptr_t line; /* address / LINE_BYTES; 0: free */
	uint16_t last;          /* of all bytes */
	uint16_t bytes[LINE_BYTES];
};

static _Atomic(struct last_writer_line *) lines;

/* Returns the table; NULL without memory. */
static struct last_writer_line *last_writer_table(void)
{
	struct last_writer_line *table = atomic_load_explicit(&lines, memory_order_acquire), *made;

	if (__builtin_expect(table != NULL, 1))
		return table;
	made = ompp_data_alloc(N_LINES * sizeof(*made));
	if (!made)
		return NULL;
	return atomic_compare_exchange_strong(&lines, &table, made) ? made : table;
}

/* Returns a line's place, perhaps a new one; NULL when there is no room near it. */
static struct last_writer_line *line_find(uintptr_t line)
{
	struct last_writer_line *table = last_writer_table();
	size_t at = (size_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 32);

	for (int i = 0; i < MOST_STEPS && table; i++, at++) {
		struct last_writer_line *l = &table[at % N_LINES];
		uintptr_t there = atomic_load_explicit(&l->line, memory_order_relaxed);

		if (!there)
			atomic_compare_exchange_strong(&l->line, &there, line);
		if (!there || there == line)
			return l;
	}
	return NULL;
}

struct ompp_last_writer_count ompp_last_writer_store(uintptr_t address, size_t n_bytes, uint32_t slot)
{
	struct ompp_last_writer_count count = { 0 };
	uintptr_t end = address + n_bytes;
	uint16_t mine = (uint16_t)(slot + 1);

	ompp_assert(slot < UINT16_MAX);
	while (address < end) {
		uintptr_t line_end = (address / LINE_BYTES + 1) * LINE_BYTES, to = line_end < end ? line_end : end;
		struct last_writer_line *l = line_find(address / LINE_BYTES);
		uint16_t last = l ? OMPP_LOAD(&l->last) : 0;
		int is_then = 0;

		for (; address < to && l; address++) {
			uint16_t *byte = &l->bytes[address % LINE_BYTES], was = OMPP_LOAD(byte);

			if (was == mine)
				continue;
			is_then |= was != 0;
			OMPP_STORE(byte, mine);
		}
		address = to;
		if (!l)
			continue;
		if (last != mine)
			OMPP_STORE(&l->last, mine);
		count.n++;
		count.n_now += last && last != mine;
		count.n_then += is_then != 0;
	}
	return count;
}
