/*
 * Hold: see hold.h.
 */
#include "runtime/events/hold.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/space.h"
#include "runtime/host/clock.h"
#include "runtime/program/openmp.h"
#include "runtime/span/span_iterations.h"
#include "runtime/span/span_variant.h"

enum { MOST_SECTIONS = 128 };

/* Critical sections of one name, or without one, are one lock. */
struct section {
	const struct ompp_region_def *_Atomic def; /* written last */
	struct ompp_span_lock *lock;               /* NULL without memory */
};

static struct section sections[MOST_SECTIONS];
static _Atomic uint32_t n_sections;

static struct ompp_span_lock *lock_new(uint32_t region)
{
	struct ompp_span_lock *lock = ompp_space_take(sizeof(*lock));

	if (!lock)
		return NULL;
	if (OMPP_LOAD(&ompp_variants_kept) == OMPP_VARIANTS_OFF)
		OMPP_STORE(&ompp_variants_kept, (uint32_t)OMPP_VARIANTS_OF_LOCKS);
	lock->variant = ompp_variant_find(OMPP_VARIANT_UNLOCKED, region);
	return lock;
}

/* Are these critical sections one lock?  Of a call that kinst did not write no name is known but by its symbol. */
static int is_one_lock(const struct ompp_region_def *a, const struct ompp_region_def *b)
{
	return !strcmp(a->name, b->name) && (a->name[0] || (!a->address && !b->address));
}

/* Returns the section of a region; NULL for none. */
static struct section *section_of(const struct ompp_region_def *def)
{
	uint32_t n = atomic_load_explicit(&n_sections, memory_order_acquire);

	for (uint32_t i = 0; i < n && i < MOST_SECTIONS; i++)
		if (atomic_load_explicit(&sections[i].def, memory_order_acquire) == def)
			return &sections[i];
	return NULL;
}

/* Makes the section of a region, while the thread is in it: so nobody else makes one with the same lock. */
static __attribute__((noinline, cold)) struct section *section_new(const struct ompp_region_def *def)
{
	uint32_t n = atomic_fetch_add_explicit(&n_sections, 1, memory_order_acq_rel);
	struct ompp_span_lock *lock = NULL;

	if (n >= MOST_SECTIONS)
		return NULL;
	for (uint32_t i = 0; i < n && !lock; i++) {
		const struct ompp_region_def *other = atomic_load_explicit(&sections[i].def, memory_order_acquire);

		if (other && is_one_lock(def, other))
			lock = sections[i].lock;
	}
	if (lock && lock->variant >= 0)
		ompp_variant_share(OMPP_VARIANT_UNLOCKED, OMPP_KEY_ID(def->key), lock->variant);
	sections[n].lock = lock ? lock : lock_new(OMPP_KEY_ID(def->key));
	atomic_store_explicit(&sections[n].def, def, memory_order_release);
	return &sections[n];
}

static struct ompp_span_lock *section_lock(const struct ompp_region_def *def)
{
	struct section *section = section_of(def);

	section = section ? section : section_new(def);
	return section ? section->lock : NULL;
}

void ompp_hold_body(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);
	struct ompp_span_lock *lock = NULL;

	if (!s)
		return;
	if (def->construct == OMPP_ORDERED) {
		if (OMPP_LOAD(&ompp_variants_kept) == OMPP_VARIANTS_OFF)
			OMPP_STORE(&ompp_variants_kept, (uint32_t)OMPP_VARIANTS_OF_LOCKS);
		ompp_span_turn_begin(s, OMPP_KEY_ID(def->key));
	} else {
		lock = section_lock(def);
	}
	if (lock)
		ompp_span_lock_begin(s, lock);
	ompp_frame_show_span(t, s);
}

void ompp_hold_body_end(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);
	struct section *section;

	if (!s)
		return;
	section = def->construct == OMPP_ORDERED ? NULL : section_of(def);
	if (def->construct == OMPP_ORDERED)
		ompp_span_turn_end(s);
	else if (section && section->lock)
		ompp_span_lock_end(s, section->lock);
	ompp_frame_show_span(t, s);
}

/* ---- loops ---- */

void ompp_hold_loop(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = OMPP_LOAD(&ompp_variants_kept) != OMPP_VARIANTS_OFF && def && def->is_on_demand
	                            ? ompp_frame_hide_span(t)
	                            : NULL;

	if (!s)
		return;
	ompp_span_shares_begin(s);
	ompp_frame_show_span(t, s);
}

void ompp_hold_loop_end(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = OMPP_LOAD(&ompp_variants_kept) != OMPP_VARIANTS_OFF && def ? ompp_frame_take_span(t)
	                                                                                 : NULL;

	if (!s)
		return;
	if (def->is_on_demand || ompp_span_iterates(s) == OMPP_KEY_ID(def->key)) {
		ompp_span_iterations_hand(s, OMPP_KEY_ID(def->key));
		ompp_span_shares_arrive(s, def->is_on_demand);
	}
	ompp_frame_show_span(t, s);
}

/* Other libraries than GCC's may hand out chunks in another order than the loop's. */
void ompp_hold_iterations(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = OMPP_LOAD(&ompp_variants_kept) == OMPP_VARIANTS_ALL ? ompp_frame_hide_span(t) : NULL;
	struct ompp_loop_order order = def->order;

	if (!s)
		return;
	if (order.known == OMPP_ORDER_TIMES && !ompp_openmp_is_gnu())
		order.known = OMPP_ORDER_UNKNOWN;
	ompp_span_iterations_begin(s, OMPP_KEY_ID(def->key), order);
	ompp_frame_show_span(t, s);
}

void ompp_hold_no_iterations(void)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_hide_span(t);

	if (!s)
		return;
	ompp_span_iterations_forget(s);
	ompp_frame_show_span(t, s);
}

void ompp_hold_iteration(void)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s;

	if (OMPP_LOAD(&ompp_variants_kept) != OMPP_VARIANTS_ALL || !t->limit || t->top == t->frames)
		return;
	s = ompp_frame_hide_span(t);
	if (!s)
		return;
	ompp_span_iteration(s, ompp_frame_place(t->top->node), ompp_clock());
	ompp_frame_show_span(t, s);
}

/* ---- locks ---- */

void ompp_hold_asks(uint64_t now)
{
	struct ompp_thread *t = ompp_self;

	if (t->limit)
		ompp_frame_end_stretch(t, t->top->node, now);
}

void ompp_hold_takes(struct ompp_span_lock **lock, uint32_t region, uint64_t now)
{
	struct ompp_thread *t = ompp_self;

	struct ompp_span *s = t->limit ? ompp_frame_hide_span(t) : NULL;

	if (!s)
		return;
	ompp_span_stretch(s, OMPP_PLACE_WAITS, now);
	if (lock && !*lock)
		*lock = lock_new(region);
	if (lock && *lock)
		ompp_span_lock_begin(s, *lock);
	ompp_frame_show_span(t, s);
}

void ompp_hold_gives(struct ompp_span_lock *lock, uint64_t now)
{
	struct ompp_thread *t = ompp_self;

	struct ompp_span *s = t->limit ? ompp_frame_hide_span(t) : NULL;

	if (!s)
		return;
	ompp_span_stretch(s, ompp_frame_place(t->top->node), now);
	if (lock)
		ompp_span_lock_end(s, lock);
	ompp_frame_show_span(t, s);
}
