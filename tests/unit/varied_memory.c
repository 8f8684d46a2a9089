/*
 * Varied memory: see varied_memory.h.
 */
#include "tests/unit/varied_memory.h"

#include "runtime/access/access.h"
#include "runtime/adapters/access_hooks.h"
#include "runtime/base/array.h"
#include "runtime/data/tally.h"
#include "runtime/memory/heap.h"
#include "runtime/ompp.h"
#include "tests/unit/steps.h"

#define APART        __attribute__((noinline))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

enum {
	BLOCKS = 16,
	BLOCK_BYTES = 16384,
	MAPPINGS = 4,
	MAPPING_BYTES = 65536, /* room for each */
	SITES = 6,
	CALLERS = 3,
	CONTAINERS = 3,
	NEST = 3,
	PAGE = 4096
};

static char *heap, *named;
static size_t named_bytes;
static unsigned int (*below)(unsigned int n);

static struct {
	size_t n_bytes; /* 0 without a block */
} blocks[BLOCKS];

static unsigned char is_mapped[MAPPINGS][MAPPING_BYTES / PAGE];

/* As a vector is: where its data is, and how much. */
static struct vector {
	const void *data;
	size_t n_bytes;
	size_t more[2];
} * vectors; /* at the end of the memory with names */

static const char *const names[] = { "page", "small", "array", "inside", "large", "more", "again" };

static char *block_at(unsigned int i)
{
	return heap + (size_t)i * BLOCK_BYTES;
}

static char *mapping_at(unsigned int i)
{
	return heap + (size_t)BLOCKS * BLOCK_BYTES + (size_t)i * MAPPING_BYTES;
}

void varied_memory_start(char *its_heap, char *its_named, size_t n_named, unsigned int (*its_below)(unsigned int n))
{
	_Static_assert(BLOCKS * BLOCK_BYTES + MAPPINGS * MAPPING_BYTES <= VARIED_HEAP_BYTES, "room for all");
	heap = its_heap;
	named = its_named;
	below = its_below;
	named_bytes = n_named - CONTAINERS * sizeof(*vectors);
	vectors = (struct vector *)(void *)(named + named_bytes);
}

/* ---- names ---- */

static size_t size_of_chance(void)
{
	switch (below(4)) {
	case 0:
		return below(65);
	case 1:
		return 1 + below(5000);
	case 2:
		return PAGE * (1 + below(3));
	default:
		return 8 * (size_t)below((unsigned int)(named_bytes / 32));
	}
}

static char *place_of_chance(size_t n_bytes)
{
	unsigned int unit = below(3) ? 8 : below(2) ? 1 : PAGE;

	return named + (size_t)unit * below((unsigned int)((named_bytes - n_bytes) / unit));
}

static const char *name_of_chance(void)
{
	return names[below(OMPP_COUNT_OF(names))];
}

static APART void act_begin_name(void)
{
	size_t n_bytes = size_of_chance();
	const char *name = name_of_chance();

	ompp_data_begin(place_of_chance(n_bytes), n_bytes, name);
	KEEP_FRAME();
}

static APART void act_end_name(void)
{
	ompp_data_end(name_of_chance());
	KEEP_FRAME();
}

/* Names by a directive: each place has an object, or all one, or the thread its own. */
static APART void act_enter_name(void)
{
	static const int flags[] = { 0, 1, 4, 8, 5, 9 };
	static const char *const entered[] = { "each", "sum", "own", "page" };
	size_t n_bytes = size_of_chance();
	char *place = place_of_chance(n_bytes);
	int how = flags[below(OMPP_COUNT_OF(flags))];

	ompp_data_enter(place, n_bytes, entered[below(OMPP_COUNT_OF(entered))], how);
	KEEP_FRAME();
}

/* Names that end with the frame of a function, or before. */
static APART void act_in_frame(unsigned int depth)
{
	size_t n_bytes = size_of_chance();
	char *place = place_of_chance(n_bytes);
	const void *entered = ompp_data_enter(place, n_bytes, "variable", below(2) ? 8 : 0);

	if (depth)
		act_in_frame(depth - 1);
	ompp_access_block((uintptr_t)place, 8 + below(100), OMPP_SLOT_BLOCK_STORE);
	if (below(3))
		ompp_data_leave(&entered);
	KEEP_FRAME();
}

/* ---- containers ---- */

static void look(const void *container, const void **data, size_t *n_bytes)
{
	const struct vector *v = container;

	*data = v->data;
	*n_bytes = v->n_bytes;
}

static void give_data(struct vector *v)
{
	v->n_bytes = size_of_chance();
	v->data = place_of_chance(v->n_bytes);
}

static APART void act_follow(void)
{
	static const char *const followed[CONTAINERS] = { "vector", "view", "vector" };
	unsigned int i = below(CONTAINERS);

	give_data(&vectors[i]);
	ompp_data_follow(&vectors[i], sizeof(vectors[i]), look, followed[i], i == 1 ? 4 : i == 2 ? 8 : 0);
	KEEP_FRAME();
}

/* Changes a container as code with hooks does it: a store for each word, and later accesses elsewhere. */
static APART void act_change(void)
{
	struct vector *v = &vectors[below(CONTAINERS)];

	give_data(v);
	ompp_access_block((uintptr_t)&v->data, 8, OMPP_SLOT_BLOCK_STORE);
	ompp_access_block((uintptr_t)&v->n_bytes, 8, OMPP_SLOT_BLOCK_STORE);
	for (unsigned int n = below(12); n > 0; n--)
		ompp_access_block((uintptr_t)named + 8 * (size_t)below(1000), 8, OMPP_SLOT_BLOCK_LOAD);
	ompp_access_block((uintptr_t)&v->data, 8, OMPP_SLOT_BLOCK_LOAD);
	KEEP_FRAME();
}

/* ---- blocks and mappings ---- */

/* Sites that have the innermost call in common, or not. */
static struct ompp_heap_call call_of_chance(uintptr_t *callers)
{
	unsigned int site = below(SITES);

	for (unsigned int i = 0; i < CALLERS; i++)
		callers[i] = 0x10000 * (uintptr_t)(i + 1) + 0x100 * (uintptr_t)(i ? site : site / 2);
	return (struct ompp_heap_call){ .callers = callers, .n_callers = 1 + site % CALLERS, .has_words = 1 };
}

static size_t block_size(void)
{
	return below(3) ? 1 + below(300) : 1 + below(BLOCK_BYTES - 64);
}

static APART void act_allocate(void)
{
	uintptr_t callers[CALLERS];
	struct ompp_heap_call call = call_of_chance(callers);
	unsigned int i = below(BLOCKS);

	if (blocks[i].n_bytes)
		return;
	blocks[i].n_bytes = block_size();
	ompp_heap_begin(block_at(i), blocks[i].n_bytes, &call);
	if (!below(3)) { /* a block with a name, or a part of it */
		const char *name = name_of_chance();

		ompp_data_begin(block_at(i) + (below(2) ? 16 : 0), blocks[i].n_bytes, name);
	}
	KEEP_FRAME();
}

static APART void act_free(void)
{
	unsigned int i = below(BLOCKS);

	if (!blocks[i].n_bytes)
		return;
	ompp_access_unmapped(block_at(i), blocks[i].n_bytes);
	ompp_heap_end(block_at(i));
	blocks[i].n_bytes = 0;
	KEEP_FRAME();
}

/* realloc(), which keeps the block where it fails. */
static APART void act_move(void)
{
	uintptr_t callers[CALLERS];
	struct ompp_heap_call call = call_of_chance(callers);
	unsigned int from = below(BLOCKS), to = below(BLOCKS), fails = !below(4);
	size_t old = blocks[from].n_bytes, n_bytes = block_size();
	struct ompp_range *ranges;
	struct ompp_block block;

	if (!old || (to != from && blocks[to].n_bytes))
		return;
	ranges = ompp_access_moving(block_at(from), old);
	block = ompp_heap_end(block_at(from));
	if (fails) {
		ompp_heap_keep(block_at(from), block);
	} else {
		blocks[from].n_bytes = 0;
		blocks[to].n_bytes = n_bytes;
		ompp_heap_begin(block_at(to), n_bytes, &call);
	}
	if (ranges)
		ompp_access_moved(ranges, block_at(from), block_at(fails ? from : to), fails ? SIZE_MAX : n_bytes);
	KEEP_FRAME();
}

static APART void act_map(void)
{
	uintptr_t callers[CALLERS];
	struct ompp_heap_call call = call_of_chance(callers);
	unsigned int i = below(MAPPINGS), first = below(8), n = 1 + below(8);

	ompp_heap_map(mapping_at(i) + (size_t)first * PAGE, (size_t)n * PAGE - below(2) * 100, &call);
	memset(is_mapped[i] + first, 1, n);
	KEEP_FRAME();
}

/* Unmaps what may be parts of mappings, or nothing. */
static APART void act_unmap(void)
{
	unsigned int i = below(MAPPINGS), first = below(16), n = 1 + below(16 - first), fails = !below(4);
	char *at = mapping_at(i) + (size_t)first * PAGE;
	struct ompp_mapped *cut;

	if (!memchr(is_mapped[i] + first, 1, n))
		return;
	if (!fails)
		ompp_access_unmapped(at, (size_t)n * PAGE);
	cut = ompp_heap_unmap(at, (size_t)n * PAGE);
	ompp_heap_unmapped(cut, (int)fails);
	if (!fails)
		memset(is_mapped[i] + first, 0, n);
	KEEP_FRAME();
}

/* ---- chance ---- */

void varied_memory_act(void)
{
	static void (*const acts[])(void) = { act_begin_name, act_begin_name, act_end_name, act_enter_name,
		                              act_follow,     act_change,     act_change,   act_allocate,
		                              act_allocate,   act_allocate,   act_free,     act_move,
		                              act_map,        act_unmap };
	unsigned int which = below(OMPP_COUNT_OF(acts) + 1);

	if (which < OMPP_COUNT_OF(acts))
		acts[which]();
	else
		act_in_frame(below(NEST));
}

uintptr_t varied_memory_place(void)
{
	unsigned int i = below(BLOCKS);

	if (below(3))
		return (uintptr_t)block_at(i) +
		       8 * (size_t)below(blocks[i].n_bytes ? (unsigned)blocks[i].n_bytes / 8 + 1 : 8);
	return (uintptr_t)mapping_at(i % MAPPINGS) + 8 * (size_t)below(MAPPING_BYTES / 8);
}
