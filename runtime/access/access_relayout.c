/*
 * Access relayout: see access_relayout.h.
 */
#include "runtime/access/access_relayout.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/access/access_interchange.h"
#include "runtime/access/access_member.h"
#include "runtime/access/access_model.h"
#include "runtime/access/access_tlb.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/data/last_writer.h"
#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/host/note.h"

enum {
	WINDOW = 512,      /* loads of an object after which the units that they used are compared */
	STEADY = 8,        /* windows with the same units after which these are used together */
	LEAST_MISSES = 64, /* one in so many loads of the window misses, or what it says does not matter */
	SELDOM = 8,        /* a unit with less than one in so many loads of the most used one is not used */
	MOST_GENERATIONS = 4,
	N_WINDOWS = 64,
	STORE_WORDS = OMPP_N_RELAYOUTS * OMPP_RELAYOUT_WORDS, /* where they begin, from the slot on */
	TLB_WORDS = STORE_WORDS + OMPP_RELAYOUT_STORE_WORDS
};

/* What a thread loads of an object. */
struct window {
	uint32_t object; /* 0: free, as no structure has that number */
	uint32_t n, n_missed, n_steady;
	uint64_t units; /* those of the window before */
	uint32_t loads[OMPP_RELAYOUT_UNITS];
};

/* A thread's models. */
struct ompp_relayouts {
	void *cache[OMPP_N_RELAYOUT_MODELS];
	struct ompp_access_tlb tlb;
	struct window windows[N_WINDOWS]; /* by object */
};

int ompp_access_relayouts_on, ompp_access_relayouts_stores;
uint32_t ompp_access_relayout_slot;

static void *shared_caches[OMPP_N_RELAYOUT_MODELS];
static void *objects; /* by object: _Atomic(struct ompp_relayout_object *) */
static struct ompp_relayout_object no_layouts;

void ompp_access_relayouts_start(int with_stores)
{
	size_t n = ompp_cache_shared_bytes(&ompp_access_geometry);

	for (int i = 0; i < OMPP_N_RELAYOUT_MODELS && n; i++) {
		shared_caches[i] = ompp_data_alloc(n);
		if (!shared_caches[i]) {
			ompp_note_say("OMPP_LAYOUTS: no memory for the models; no layouts are compared");
			return;
		}
	}
	ompp_access_relayout_slot = ompp_row_bytes / sizeof(uint64_t);
	ompp_row_bytes += (TLB_WORDS + OMPP_ACCESS_TLB_WORDS) * sizeof(uint64_t);
	ompp_access_relayouts_stores = with_stores;
	ompp_access_relayouts_on = 1;
}

static struct ompp_relayouts *relayouts_new(struct ompp_thread *t)
{
	struct ompp_relayouts *r = ompp_access_model_memory(t, sizeof(*r));

	for (int i = 0; i < OMPP_N_RELAYOUT_MODELS && r; i++) {
		r->cache[i] = ompp_access_model_cache(t, &ompp_access_geometry, shared_caches[i]);
		if (!r->cache[i])
			return NULL;
	}
	return r && ompp_access_tlb_on() && ompp_access_tlb_new(t, &r->tlb) ? NULL : r;
}

/* ---- objects ---- */

static _Atomic(struct ompp_relayout_object *) *object_entry(uint32_t object)
{
	_Atomic(struct ompp_relayout_object *) *all = ompp_space_table(&objects, sizeof(*all) * OMPP_MAX_OBJECTS);

	return all && object < OMPP_MAX_OBJECTS ? &all[object] : NULL;
}

const struct ompp_relayout_object *ompp_access_relayout_object(uint32_t object)
{
	_Atomic(struct ompp_relayout_object *) *entry = ompp_access_relayouts_on ? object_entry(object) : NULL;

	return entry ? atomic_load_explicit(entry, memory_order_acquire) : NULL;
}

static struct ompp_relayout_object *object_make(const struct ompp_element *element)
{
	struct ompp_relayout_object *o = element ? ompp_data_alloc(sizeof(*o)) : NULL;
	struct ompp_relayout *whole = o ? ompp_data_alloc(sizeof(*whole)) : NULL;
	uint64_t all;

	if (!whole || ompp_relayout_units(element, &o->units))
		return &no_layouts;
	all = o->units.n < 64 ? (UINT64_C(1) << o->units.n) - 1 : UINT64_MAX;
	ompp_relayout_apart(&o->units, &o->apart);
	ompp_relayout_make(&o->units, &all, 1, whole);
	atomic_init(&o->split, whole);
	return o;
}

/* Returns the layouts of an object, of which the elements are known, or known to be no structures. */
static struct ompp_relayout_object *object_of(uint32_t object, const struct ompp_element *element)
{
	_Atomic(struct ompp_relayout_object *) *entry = object_entry(object);
	struct ompp_relayout_object *o = entry ? atomic_load_explicit(entry, memory_order_acquire) : &no_layouts, *made;

	if (__builtin_expect(o != NULL, 1))
		return o;
	made = object_make(element);
	return atomic_compare_exchange_strong(entry, &o, made) ? made : o;
}

/* ---- groups ---- */

/* Divides an object's groups by units that are used together. */
static void object_divide(struct ompp_relayout_object *o, uint64_t units)
{
	const struct ompp_relayout *before = atomic_load_explicit(&o->split, memory_order_acquire);
	struct ompp_relayout *after;

	if (atomic_load_explicit(&o->generation, memory_order_relaxed) >= MOST_GENERATIONS)
		return;
	after = ompp_data_alloc(sizeof(*after));
	if (after && ompp_relayout_divide(&o->units, before, units, after) &&
	    atomic_compare_exchange_strong(&o->split, &before, after))
		atomic_fetch_add(&o->generation, 1);
}

static void window_end(struct window *w, struct ompp_relayout_object *o)
{
	uint32_t most = 0;
	uint64_t units = 0;

	for (uint32_t u = 0; u < o->units.n; u++)
		most = w->loads[u] > most ? w->loads[u] : most;
	for (uint32_t u = 0; u < o->units.n; u++)
		if (w->loads[u] * SELDOM >= most)
			units |= UINT64_C(1) << u;
	if (w->n_missed < WINDOW / LEAST_MISSES) {
		w->n_steady = 0;
	} else if (units != w->units) {
		w->units = units;
		w->n_steady = 1;
	} else if (++w->n_steady == STEADY) {
		object_divide(o, units);
	}
	w->n = 0;
	w->n_missed = 0;
	memset(w->loads, 0, sizeof(w->loads));
}

/* Notes a load of an object.  An object whose place another one has is not looked at. */
static void window_load(struct ompp_relayouts *r, uint32_t object, struct ompp_relayout_object *o, uint64_t at,
                        int is_missed)
{
	struct window *w = &r->windows[object % N_WINDOWS];
	uint32_t unit = o->units.unit[at % o->units.n_bytes];

	if (!w->object)
		w->object = object;
	if (w->object != object || unit == OMPP_RELAYOUT_NO_UNIT)
		return;
	w->loads[unit]++;
	w->n_missed += is_missed != 0;
	if (++w->n == WINDOW)
		window_end(w, o);
}

/* ---- accesses ---- */

/* Counts an access to an object in another layout. */
static void relayout_count(uint64_t *row, enum ompp_relayout_kind kind, uint64_t generation, unsigned int now,
                           const uint32_t then[OMPP_CACHE_LEVELS])
{
	uint64_t *words = row + kind * OMPP_RELAYOUT_WORDS;

	if (__builtin_expect(words[OMPP_RELAYOUT_GENERATION] != generation, 0)) {
		for (unsigned int i = 0; i < OMPP_RELAYOUT_WORDS; i++)
			OMPP_STORE(&words[i], UINT64_C(0));
		OMPP_STORE(&words[OMPP_RELAYOUT_GENERATION], generation);
	}
	ompp_tally_add(&words[OMPP_RELAYOUT_N], 1);
	for (unsigned int i = 0; i < OMPP_CACHE_LEVELS; i++) {
		ompp_tally_add(&words[OMPP_RELAYOUT_NOW + i], now >> i & 1);
		ompp_tally_add(&words[OMPP_RELAYOUT_THEN + i], then[i]);
	}
}

/* Makes an access to structures in another layout, a piece after the other.  Each piece counts, as the program would
 * access each by itself, but for a copy of several structures, which counts once, as it does today. */
static void access_pieces(void *cache, const struct ompp_relayout_units *units, const struct ompp_relayout *layout,
                          const struct ompp_member_spot *spot, size_t n_bytes, uint32_t then[OMPP_CACHE_LEVELS])
{
	uint64_t at = spot->at, n_elements = spot->n_bytes / units->n_bytes, left = n_bytes;

	if (left > spot->n_bytes - at)
		left = spot->n_bytes - at;
	while (left) {
		struct ompp_relayout_piece piece = ompp_relayout_find(units, layout, spot->lo, n_elements, at,
		                                                      (size_t)left);
		unsigned int missed = piece.n_bytes ? ompp_cache_access(cache, piece.address, piece.n_bytes) : 0;

		for (unsigned int i = 0; i < OMPP_CACHE_LEVELS && missed; i++)
			then[i] = n_bytes > units->n_bytes ? then[i] | (missed >> i & 1) : then[i] + (missed >> i & 1);
		at += piece.n_old;
		left -= piece.n_old;
	}
}

/* Makes an access at an address of one of the layouts that need no structures. */
static void access_plain(void *cache, uintptr_t address, size_t n_bytes, uint32_t then[OMPP_CACHE_LEVELS])
{
	unsigned int missed = ompp_cache_access(cache, address, n_bytes);

	for (unsigned int i = 0; i < OMPP_CACHE_LEVELS; i++)
		then[i] = missed >> i & 1;
}

/* Counts a store by whose it came after. */
static void follow_store(uint64_t *row, uint32_t slot, uintptr_t address, size_t n_bytes)
{
	struct ompp_last_writer_count count = ompp_last_writer_store(address, n_bytes, slot);
	uint64_t *words = row + STORE_WORDS;

	ompp_tally_add(&words[OMPP_RELAYOUT_STORES], count.n != 0);
	ompp_tally_add(&words[OMPP_RELAYOUT_HANDED], count.n_now);
	ompp_tally_add(&words[OMPP_RELAYOUT_HANDED_THEN], count.n_then);
}

void ompp_access_relayout(struct ompp_thread *t, struct ompp_tally *y, uint32_t cover, uintptr_t address,
                          size_t n_bytes, int is_load, unsigned int missed)
{
	uint64_t *row = ompp_tally_word(y, ompp_cover_row(cover), ompp_access_relayout_slot);
	struct ompp_relayouts *r = t->relayouts;
	struct ompp_relayout_object *o = &no_layouts;
	uint32_t then[OMPP_CACHE_LEVELS], object = ompp_cover(cover)->objects[0];
	struct ompp_member_spot spot;
	int is_structure;

	if (__builtin_expect(!r, 0)) {
		r = t->relayouts = relayouts_new(t);
		if (!r)
			return;
	}
	if (cover < OMPP_OBJECT_FIRST_NAMED || object < OMPP_OBJECT_FIRST_NAMED) {
		for (int i = 0; i < OMPP_N_RELAYOUT_MODELS; i++)
			ompp_cache_access(r->cache[i], address, n_bytes);
		if (ompp_access_tlb_on())
			ompp_access_tlb_add(&r->tlb, NULL, address, n_bytes);
		if (ompp_access_interchange_on)
			ompp_access_interchange_add(t, NULL, address, n_bytes, is_load, missed);
		return;
	}
	if (!is_load && ompp_access_relayouts_stores)
		follow_store(row, t->slot, address, n_bytes);
	is_structure = ompp_access_member_spot(t, object, address, &spot);
	if (is_structure)
		o = object_of(object, spot.element);
	if (o->units.n && spot.n_bytes / o->units.n_bytes >= OMPP_RELAYOUT_LEAST_ELEMENTS) {
		const struct ompp_relayout *split;
		uint64_t generation;

		if (is_load && n_bytes <= 1u << (OMPP_SIZES - 1))
			window_load(r, object, o, spot.at, missed != 0);
		memset(then, 0, sizeof(then));
		access_pieces(r->cache[OMPP_RELAYOUT_APART], &o->units, &o->apart, &spot, n_bytes, then);
		relayout_count(row, OMPP_RELAYOUT_APART, 0, missed, then);
		generation = atomic_load_explicit(&o->generation, memory_order_relaxed);
		split = atomic_load_explicit(&o->split, memory_order_acquire);
		memset(then, 0, sizeof(then));
		access_pieces(r->cache[OMPP_RELAYOUT_SPLIT], &o->units, split, &spot, n_bytes, then);
		relayout_count(row, OMPP_RELAYOUT_SPLIT, generation, missed, then);
	} else {
		ompp_cache_access(r->cache[OMPP_RELAYOUT_APART], address, n_bytes);
		ompp_cache_access(r->cache[OMPP_RELAYOUT_SPLIT], address, n_bytes);
	}
	if (is_structure) {
		ompp_cache_access(r->cache[OMPP_RELAYOUT_HALF], address, n_bytes);
	} else {
		access_plain(r->cache[OMPP_RELAYOUT_HALF], ompp_relayout_half(address), (n_bytes + 1) / 2, then);
		relayout_count(row, OMPP_RELAYOUT_HALF, 0, missed, then);
	}
	if (ompp_access_tlb_on())
		ompp_access_tlb_add(&r->tlb, row + TLB_WORDS, address, n_bytes);
	access_plain(r->cache[OMPP_RELAYOUT_PADDED], ompp_relayout_padded(address), n_bytes, then);
	relayout_count(row, OMPP_RELAYOUT_PADDED, 0, missed, then);
	if (ompp_access_interchange_on)
		ompp_access_interchange_add(t, row, address, n_bytes, is_load, missed);
}
