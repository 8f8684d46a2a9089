/*
 * Heap: see heap.h.
 */
#define _GNU_SOURCE
#include "runtime/memory/heap.h"

#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/counters/counter.h"
#include "runtime/data/grain.h"
#include "runtime/data/segment.h"
#include "runtime/data/site.h"
#include "runtime/host/clock.h"
#include "runtime/host/past.h"
#include "runtime/host/stamp.h"
#include "runtime/program/callstack.h"
#include "runtime/ranges/range_block.h"
#include "runtime/ranges/range_mapping.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

/* Blocks of at least so many bytes are places of their site's object; all bits are set when nothing asks for objects.
 */
static size_t least_bytes = SIZE_MAX;

static struct ompp_thread **first; /* the first thread's ompp_self */

int ompp_heap_on;
void (*ompp_heap_told)(uint32_t site, const void *address, size_t n_bytes, int ends);
void (*ompp_heap_ending)(void);
void (*ompp_heap_placing)(struct ompp_site *site, uintptr_t address, size_t n_bytes, int ends);

void ompp_heap_start(void)
{
	const struct ompp_options *o = &ompp_session.options;

	if (strcmp(o->text[OMPP_OPT_OBJECTS], "all"))
		return;
	ompp_blocks_start((size_t)o->number[OMPP_OPT_MEM]);
	if (ompp_sys_getpid() == ompp_sys_gettid())
		first = &ompp_self;
	ompp_segments_have_blocks = ompp_counter_hooked;
	if (ompp_counter_hooked || strcmp(o->text[OMPP_OPT_SAMPLE], "off") || strcmp(o->text[OMPP_OPT_PAGES], "off"))
		least_bytes = ompp_range_least_block = (size_t)o->number[OMPP_OPT_OBJECT_MIN];
	ompp_heap_on = 1;
}

/* Returns the calling thread as sites have it.  Threads divide into groups by the addresses of their own variables. */
static struct ompp_site_who who_am_i(void)
{
	const struct ompp_thread *t = ompp_self;

	return (struct ompp_site_who){ t->limit              ? t->slot + 1
		                       : &ompp_self == first ? OMPP_SITE_MAIN
		                                             : 0,
		                       (uint32_t)((uintptr_t)&ompp_self * 0x9E3779B97F4A7C15u >> 60) };
}

static void heap_told(uintptr_t address, struct ompp_block block, int ends)
{
	if (ompp_heap_told)
		ompp_heap_told(block.site, (const void *)address, block.n_bytes, ends);
}

/* Lets a block that has no range be found by its grains.  Where there is no room for them, it is lost.
 * has_words: as in struct ompp_heap_call */
static void heap_show(uintptr_t address, struct ompp_block block, struct ompp_site *site, int has_words)
{
	ompp_assert(site->index == block.site);
	if (!ompp_segments_have_blocks || block.n_bytes >= least_bytes || ompp_block_at(address).site != block.site)
		return;
	if (ompp_grains_put(address, block.n_bytes, ompp_range_site_row(site), has_words))
		ompp_block_lose(address);
}

/* Takes a block out of the sums and out of force. */
static void heap_end(uintptr_t address, struct ompp_block block)
{
	struct ompp_site *site = ompp_site(block.site);
	uint64_t now;

	if (!site)
		return;
	heap_told(address, block, 1);
	if (ompp_heap_placing)
		ompp_heap_placing(site, address, block.n_bytes, 1);
	now = ompp_clock();
	if (block.n_bytes >= least_bytes)
		ompp_range_end_block(address, now);
	else if (ompp_segments_have_blocks)
		ompp_grains_take(address, block.n_bytes);
	ompp_site_end(site, block.n_bytes, now, who_am_i());
}

static uint32_t node_index(void)
{
	return ompp_self->limit ? ompp_thread_node(ompp_self)->index : 0;
}

/* ticks: when it began; 0 when it is no new block, but one that had ended and goes on */
static void heap_begin(uintptr_t address, struct ompp_block block, uint64_t ticks)
{
	struct ompp_site *site = ompp_site(block.site);
	struct ompp_site_who who = who_am_i();

	heap_told(address, block, 0);
	if (ompp_heap_placing)
		ompp_heap_placing(site, address, block.n_bytes, 0);
	if (block.n_bytes >= least_bytes)
		ompp_range_begin_block(site, address, block.n_bytes,
		                       &(struct ompp_tracked_by){ who.thread, node_index(), ticks, !ticks });
	else if (ticks && site)
		ompp_site_begin_small(site, who);
}

/* Returns the site of a call, whose callers are kept as keys, and makes it the thread's latest. */
static struct ompp_site *site_of(const struct ompp_heap_call *call, uint32_t thread)
{
	static __thread uint32_t latest __attribute__((tls_model("initial-exec")));
	const uintptr_t *callers = call->callers;
	uintptr_t keys[OMPP_SITE_MOST_CALLERS];
	struct ompp_site *site;

	if (__builtin_expect(OMPP_LOAD(&ompp_past_n_gone) > 0, 0)) {
		for (size_t i = 0; i < call->n_callers; i++)
			keys[i] = ompp_past_key_of(call->callers[i] - 1) + 1;
		callers = keys;
	}
	site = ompp_site_of(callers, (uint32_t)call->n_callers, call->allocator, thread, node_index(), latest);
	latest = site ? site->index : OMPP_NO_SITE;
	return site;
}

void ompp_heap_begin(const void *p, size_t n_bytes, const struct ompp_heap_call *call)
{
	struct ompp_site_who who = who_am_i();
	struct ompp_site *site = site_of(call, who.thread);
	struct ompp_block block = { .site = site ? site->index : OMPP_NO_SITE, .n_bytes = n_bytes }, before;
	uint64_t now;

	if (!site)
		return;
	if (n_bytes < least_bytes && OMPP_LOAD(&ompp_modes) & OMPP_MODE_SAMPLES) {
		block.began = ompp_block_time(ompp_stamp());
		ompp_range_site_cover(site); /* who takes samples may not take a lock */
	}
	/* A block that nobody told the end of was here before, or a mapping. */
	before = ompp_block_at((uintptr_t)p);
	if (before.site && !((uintptr_t)p & (ompp_page_bytes() - 1)))
		ompp_heap_unmapped(ompp_heap_unmap(p, before.n_bytes), 0);
	heap_end((uintptr_t)p, ompp_block_put((uintptr_t)p, block));
	heap_show((uintptr_t)p, block, site, call->has_words);
	now = ompp_clock();
	ompp_site_begin(site, n_bytes, now, who);
	heap_begin((uintptr_t)p, block, now);
}

static void tell_ending(void)
{
	if (__builtin_expect(ompp_heap_ending != NULL, 0))
		ompp_heap_ending();
}

struct ompp_block ompp_heap_end(const void *p)
{
	struct ompp_block block;

	tell_ending();
	block = ompp_block_take((uintptr_t)p);
	heap_end((uintptr_t)p, block);
	return block;
}

void ompp_heap_keep(const void *p, struct ompp_block block)
{
	struct ompp_site *site = ompp_site(block.site);

	if (!site)
		return;
	ompp_block_put((uintptr_t)p, block);
	heap_show((uintptr_t)p, block, site, 0);
	ompp_site_keep(site, block.n_bytes, ompp_clock(), who_am_i());
	heap_begin((uintptr_t)p, block, 0);
}

/* ---- mappings ---- */

static int has_ranges(void)
{
	return least_bytes != SIZE_MAX;
}

/* Returns the first begin of a page that is not below the address. */
static uintptr_t page_end(uintptr_t address)
{
	uintptr_t page = (uintptr_t)ompp_page_bytes();

	ompp_assert(page && !(page & (page - 1)));
	return (address + page - 1) & -page;
}

struct ompp_mapped *ompp_heap_unmap(const void *p, size_t n_bytes)
{
	uintptr_t lo = (uintptr_t)p, hi = page_end(lo + n_bytes);
	struct ompp_mapped *cut = NULL;

	tell_ending();
	if (hi > lo && lo == page_end(lo)) /* else it will fail */
		cut = ompp_mappings_cut(lo, hi, has_ranges());

	for (const struct ompp_mapped *m = cut; m; m = m->next)
		heap_told(m->lo,
		          (struct ompp_block){ .site = m->is_last ? m->site : OMPP_NO_SITE, .n_bytes = m->hi - m->lo },
		          1);
	return cut;
}

struct ompp_mapped *ompp_heap_unmap_end(const void *p, size_t n_bytes, size_t n_left)
{
	uintptr_t hi = page_end((uintptr_t)p + n_bytes), lo = page_end((uintptr_t)p + n_left);

	return ompp_heap_unmap((const void *)lo, hi - lo);
}

static void heap_ended(uint32_t index, size_t n_bytes, int is_last)
{
	struct ompp_site *site = ompp_site(index);

	if (is_last)
		ompp_site_end(site, n_bytes, ompp_clock(), who_am_i());
	else
		ompp_site_shrink(site, n_bytes, who_am_i());
}

void ompp_heap_unmapped(struct ompp_mapped *cut, int has_failed)
{
	if (!has_failed) {
		ompp_mappings_drop(cut, heap_ended);
		return;
	}
	for (const struct ompp_mapped *m = cut; m; m = m->next)
		heap_begin(m->lo, (struct ompp_block){ .site = m->site, .n_bytes = m->hi - m->lo }, 0);
	ompp_mappings_keep(cut);
}

void ompp_heap_map(const void *p, size_t n_bytes, const struct ompp_heap_call *call)
{
	struct ompp_site_who who = who_am_i();
	struct ompp_site *site = site_of(call, who.thread);
	uint64_t now;

	ompp_heap_unmapped(ompp_heap_unmap(p, n_bytes), 0);
	if (!site || ompp_mapping_put((uintptr_t)p, n_bytes, site->index))
		return;
	now = ompp_clock();
	ompp_site_begin(site, n_bytes, now, who);
	heap_begin((uintptr_t)p, (struct ompp_block){ .site = site->index, .n_bytes = n_bytes }, now);
}

uintptr_t ompp_heap_stack(void)
{
	/* of the calling thread; hi is 0 before it was looked for, and 1 when it is not known */
	static __thread struct {
		uintptr_t lo, hi;
	} stack __attribute__((tls_model("initial-exec")));
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (!stack.hi) {
		uintptr_t lo, hi;

		ompp_callstack_forget(); /* now and then, as files may have been loaded and unloaded */
		ompp_thread_find_stack(&lo, &hi);
		stack.lo = lo;
		stack.hi = hi ? hi : 1;
	}
	return here - stack.lo < stack.hi - stack.lo ? stack.hi : 0;
}
