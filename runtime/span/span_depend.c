/*
 * Span, dependences: see span_depend.h.
 */
#include "runtime/span/span_depend.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/span/span_join.h"
#include "runtime/span/span_record.h"
#include "runtime/span/span_variant.h"

enum { FIRST_ENTRIES = 64 };

/* The newest epoch of an address; the address is 0 in an empty entry. */
struct entry {
	uintptr_t address;
	enum ompp_span_depend kind;
	struct ompp_span_task *before, *own;
};

struct ompp_span_addresses {
	size_t n, room; /* room is a power of two */
	struct ompp_span_addresses *next;
	struct entry entries[];
};

/* ---- cells ---- */

static struct ompp_span_task *cell_new(struct ompp_span *s)
{
	static const struct ompp_span_task nothing;
	struct ompp_span_task *cell = ompp_span_pool_take(s);

	if (!cell)
		return NULL;
	ompp_span_start(cell, &nothing, 0);
	cell->parent = NULL;
	ompp_span_variants_start(s, cell);
	atomic_store_explicit(&cell->n_shared, 1, memory_order_relaxed);
	return cell;
}

static struct ompp_span_task *cell_ref(struct ompp_span_task *cell)
{
	if (cell)
		atomic_fetch_add_explicit(&cell->n_shared, 1, memory_order_relaxed);
	return cell;
}

static void cell_unref(struct ompp_span *s, struct ompp_span_task *cell)
{
	struct ompp_span_task *held;

	ompp_assert(!cell || atomic_load_explicit(&cell->n_shared, memory_order_relaxed) > 0);
	if (!cell || atomic_fetch_sub_explicit(&cell->n_shared, 1, memory_order_acq_rel) != 1)
		return;
	held = atomic_exchange_explicit(&cell->kids.others, NULL, memory_order_acquire);
	if (held)
		ompp_span_unref(s, held);
	ompp_span_pool_give(s, cell);
}

/* ---- addresses ---- */

static struct ompp_span_addresses *addresses_new(struct ompp_span *s, size_t room)
{
	struct ompp_span_addresses *table = s->tables;

	if (table && table->room == room) {
		s->tables = table->next;
		return table;
	}
	table = ompp_space_take(sizeof(*table) + room * sizeof(table->entries[0]));
	if (table)
		table->room = room;
	return table;
}

static struct entry *entry_of(struct ompp_span_addresses *table, uintptr_t address)
{
	size_t i = (size_t)((address * 0x9E3779B97F4A7C15u) >> 32);

	ompp_assert(table->n < table->room); /* or no empty entry would end the search */
	for (;; i++) {
		struct entry *e = &table->entries[i & (table->room - 1)];

		if (!e->address || e->address == address)
			return e;
	}
}

/* Makes a table that is at most half full.  Returns NULL without memory. */
static struct ompp_span_addresses *with_room(struct ompp_span *s, struct ompp_span_task *parent)
{
	struct ompp_span_addresses *old = parent->addresses, *table;

	if (old && old->n * 2 < old->room)
		return old;
	table = addresses_new(s, old ? old->room * 2 : FIRST_ENTRIES);
	if (!table)
		return NULL;
	for (size_t i = 0; old && i < old->room; i++)
		if (old->entries[i].address) {
			*entry_of(table, old->entries[i].address) = old->entries[i];
			table->n++;
		}
	parent->flags |= OMPP_SPAN_OTHER;
	parent->addresses = table; /* the old one is not used again: tables of most programs are small */
	return table;
}

void ompp_span_depend_forget(struct ompp_span *s, struct ompp_span_task *parent)
{
	struct ompp_span_addresses *table = parent->addresses;

	if (!table)
		return;
	for (size_t i = 0; i < table->room; i++) {
		cell_unref(s, table->entries[i].before);
		cell_unref(s, table->entries[i].own);
	}
	memset(table->entries, 0, table->room * sizeof(table->entries[0]));
	table->n = 0;
	table->next = s->tables;
	s->tables = table;
	parent->addresses = NULL;
}

/* ---- tasks ---- */

/* Begins an epoch of an address.  Returns 0 without memory. */
static int begin_epoch(struct ompp_span *s, struct entry *e, enum ompp_span_depend kind)
{
	struct ompp_span_task *cell = cell_new(s);

	if (!cell)
		return 0;
	cell_unref(s, e->before);
	e->before = e->own;
	e->own = cell;
	e->kind = kind;
	return 1;
}

/* Returns a record of the task's dependences that has room for one more; NULL without memory. */
static struct ompp_span_task *items_of(struct ompp_span *s, struct ompp_span_task *task)
{
	struct ompp_span_task *items = task->items;

	if (items && items->n_refs < OMPP_SPAN_ITEMS)
		return items;
	items = ompp_span_pool_take(s);
	if (!items)
		return NULL;
	items->n_refs = 0;
	items->flags = task->flags |= OMPP_SPAN_OTHER;
	items->items = task->items;
	task->items = items;
	return items;
}

void ompp_span_depend(struct ompp_span *s, struct ompp_span_task *task, enum ompp_span_depend kind, const void *address)
{
	struct ompp_span_task *parent = task ? task->parent : NULL;
	struct ompp_span_addresses *table = parent && kind && address ? with_room(s, parent) : NULL;
	struct ompp_span_task *items = table ? items_of(s, task) : NULL;
	struct entry *e;

	ompp_span_takes_long(s, OMPP_SPAN_RECORD_EVENTS);
	if (!items) {
		s->n_unseen++;
		return;
	}
	e = entry_of(table, (uintptr_t)address);
	table->n += !e->address;
	e->address = (uintptr_t)address;
	if ((kind == OMPP_SPAN_OUT || kind != e->kind) && !begin_epoch(s, e, kind)) {
		s->n_unseen++;
		return;
	}
	items->cells.before[items->n_refs] = cell_ref(e->before);
	items->cells.own[items->n_refs] = cell_ref(e->own);
	items->n_refs++;
}

uint32_t ompp_span_depend_begin(struct ompp_span *s, struct ompp_span_task *task)
{
	uint32_t n = 0;

	for (struct ompp_span_task *items = task->items; items; items = items->items)
		for (uint32_t i = 0; i < items->n_refs; i++, n++) {
			struct ompp_span_task *cell = items->cells.before[i];
			uint64_t end;

			if (!cell)
				continue;
			ompp_span_go_on_shared(task, &cell->kids);
			ompp_span_variants_take(s, cell, OMPP_NO_VARIANT);
			end = atomic_load_explicit(&cell->kids.end_ticks, memory_order_relaxed);
			task->ready_ticks = end > task->ready_ticks ? end : task->ready_ticks;
			cell_unref(s, cell);
		}
	return n;
}

void ompp_span_depend_end(struct ompp_span *s, struct ompp_span_task *task)
{
	struct ompp_span_task *items = task->items, *next;

	for (; items; items = next) {
		next = items->items;
		for (uint32_t i = 0; i < items->n_refs; i++) {
			ompp_span_variants_hand(s, items->cells.own[i]);
			ompp_span_hand_to(s, &items->cells.own[i]->kids, task);
			cell_unref(s, items->cells.own[i]);
		}
		ompp_span_pool_give(s, items);
	}
}
