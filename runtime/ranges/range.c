/*
 * Range: see range.h.  This file contains the lock and the ranges; pieces, pages and blocks are in their own files.
 */
#define _GNU_SOURCE
#include "runtime/ranges/range.h"

#include <stdatomic.h>

#include "runtime/base/sys.h"
#include "runtime/data/first.h"
#include "runtime/data/front.h"
#include "runtime/data/mixed.h"
#include "runtime/data/page.h"
#include "runtime/ranges/ended.h"
#include "runtime/ranges/gap.h"
#include "runtime/ranges/piece.h"
#include "runtime/ranges/range_set.h"

enum { MOST_TRIES = 100000 }; /* to take the lock for what may be left out */

_Atomic uint32_t ompp_n_ranges;
_Atomic uint64_t ompp_n_lost_ranges;
_Atomic uint32_t ompp_n_whole_objects;
void (*ompp_range_container_ended)(struct ompp_range *range);
void (*ompp_range_changed)(const struct ompp_range *range, int in_force);
void (*ompp_range_begun)(const struct ompp_range *range);
void (*ompp_range_changing)(void);
void (*ompp_range_settled)(void);

static atomic_flag lock = ATOMIC_FLAG_INIT;
static __thread int holding __attribute__((tls_model("initial-exec")));
static int held_for_fork; /* 0 when a handler forks inside one of our calls */

/* These are used under the lock. */
static struct ompp_range *free_ranges, **ranges;
static uint32_t n_ranges_made, have_ranges;
static uint64_t n_named; /* ranges that the program itself named, since its start or its fork; also read without */

int ompp_ranges_lock(void)
{
	if (holding) { /* this is a signal handler inside one of our calls */
		atomic_fetch_add_explicit(&ompp_n_lost_ranges, 1, memory_order_relaxed);
		return -1;
	}
	holding = 1;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		ompp_sys_yield();
	return 0;
}

void ompp_ranges_unlock(void)
{
	atomic_store_explicit(&ompp_n_whole_objects, atomic_load_explicit(&ompp_n_objects, memory_order_relaxed),
	                      memory_order_release);
	atomic_flag_clear_explicit(&lock, memory_order_release);
	holding = 0;
	if (__builtin_expect(ompp_range_settled != NULL, 0))
		ompp_range_settled();
}

void ompp_ranges_settle(void)
{
	if (!ompp_ranges_lock())
		ompp_ranges_unlock();
}

int ompp_ranges_each(void (*each)(void *context, const struct ompp_range *range), void *context)
{
	uint32_t n = atomic_load_explicit(&ompp_n_objects, memory_order_acquire);
	int n_tries = 0;

	if (holding)
		return -1;
	holding = 1;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
		if (n_tries++ == MOST_TRIES) {
			holding = 0;
			return -1;
		}
		ompp_sys_yield();
	}
	for (uint32_t i = OMPP_OBJECT_FIRST_NAMED; i < n; i++)
		for (const struct ompp_range *r = ompp_object(i)->ranges; r; r = r->next)
			if (!r->is_watch)
				each(context, r);
	ompp_ranges_unlock();
	return 0;
}

void ompp_ranges_before_fork(void)
{
	if (!holding) {
		ompp_ranges_lock();
		held_for_fork = 1;
	}
}

void ompp_ranges_after_fork(void)
{
	if (held_for_fork) {
		held_for_fork = 0;
		ompp_ranges_unlock();
	}
}

void ompp_ranges_in_child(void)
{
	OMPP_STORE(&n_named, UINT64_C(0));
}

uint64_t ompp_ranges_n_named(void)
{
	return OMPP_LOAD(&n_named);
}

void ompp_ranges_lost(void)
{
	atomic_fetch_add_explicit(&ompp_n_lost_ranges, 1, memory_order_relaxed);
}

static struct ompp_range *new_range(void)
{
	struct ompp_range *r = free_ranges;

	if (r) {
		free_ranges = r->next;
		return r;
	}
	if (n_ranges_made == have_ranges) {
		size_t have = have_ranges;

		if (ompp_data_grow(&ranges, &have, have + 1, sizeof(struct ompp_range *)))
			return NULL;
		have_ranges = (uint32_t)have;
	}
	r = ompp_data_alloc(sizeof(*r));
	if (!r)
		return NULL;
	r->index = n_ranges_made;
	ranges[n_ranges_made++] = r;
	return r;
}

static int is_name(const struct ompp_range *r)
{
	return r->object->index >= OMPP_OBJECT_FIRST_NAMED;
}

/* Lets the pieces from lo to hi, and their neighbours, be seen.  Returns 0, or -1 without memory. */
static int range_publish(uintptr_t lo, uintptr_t hi)
{
	int rc = ompp_pieces_publish(lo ? lo - 1 : 0, hi + 1);

	ompp_gaps_end(lo, hi);
	return rc;
}

/* Returns the gap around an address that has no name; NULL when there is none, or somebody is at work with ranges: who
 * reads never waits. */
static const struct ompp_segment *find_gap(uintptr_t address)
{
	const struct ompp_segment *s = ompp_gap_known(address);

	if (s || holding)
		return s;
	holding = 1;
	if (!atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
		s = ompp_gap_make(address);
		atomic_flag_clear_explicit(&lock, memory_order_release);
	}
	holding = 0;
	return s;
}

const struct ompp_segment *ompp_access_mix(uintptr_t address)
{
	const struct ompp_segment *s = NULL;
	uintptr_t value;

	if (holding)
		return NULL;
	holding = 1;
	if (!atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
		value = ompp_page_of(address);
		if (value & 1)
			s = ompp_mixed_make(address & ~(OMPP_PAGE_BYTES - 1),
			                    (struct ompp_list *)(value & ~(uintptr_t)OMPP_PAGE_TAGS));
		atomic_flag_clear_explicit(&lock, memory_order_release);
	}
	holding = 0;
	return s;
}

void ompp_ranges_start(void)
{
	if (!ompp_segments_have_blocks)
		ompp_page_gap = find_gap;
}

/* Puts a range into the list of its object. */
static void range_enlist(struct ompp_range *r)
{
	r->next = r->object->ranges;
	r->previous = NULL;
	if (r->next)
		r->next->previous = r;
	r->object->ranges = r;
	OMPP_ADD(&r->object->n_live, 1u);
	if (is_name(r))
		atomic_fetch_add_explicit(&ompp_n_ranges, 1, memory_order_relaxed);
}

/* Puts a range in force.  Returns 0, or -1 when a part of it could not be put in force. */
static int set(struct ompp_range *r)
{
	int rc;

	if (ompp_range_changing)
		ompp_range_changing();
	ompp_ended_note(r->lo, r->hi);
	rc = ompp_pieces_add(r);
	rc |= range_publish(r->lo, r->hi);
	range_enlist(r);
	if (ompp_range_changed && !r->is_watch)
		ompp_range_changed(r, 1);
	if (ompp_range_begun && !r->is_watch)
		ompp_range_begun(r);
	return rc ? -1 : 0;
}

/* Takes a range out of force.  Its struct stays. */
static void range_unset(struct ompp_range *r)
{
	if (ompp_range_changing)
		ompp_range_changing();
	if (ompp_range_changed && !r->is_watch)
		ompp_range_changed(r, 0);
	ompp_ended_note(r->lo, r->hi);
	ompp_first_forget(r->lo, r->hi);
	ompp_front_end(r->lo, r->hi);
	ompp_pieces_remove(r);
	if (range_publish(r->lo, r->hi))
		ompp_ranges_lost();
	*(r->previous ? &r->previous->next : &r->object->ranges) = r->next;
	if (r->next)
		r->next->previous = r->previous;
	OMPP_ADD(&r->object->n_live, -1u);
	ompp_tracked_part_ended(r->tracked);
	if (r->object->numbered && !r->object->n_live && r->object->number < r->object->numbered->first_free)
		r->object->numbered->first_free = r->object->number;
	if (is_name(r))
		atomic_fetch_sub_explicit(&ompp_n_ranges, 1, memory_order_relaxed);
}

/* Gives up a range that is out of force for good. */
static void range_forget(struct ompp_range *r)
{
	r->generation++;
	r->next = free_ranges;
	free_ranges = r;
	if (r->container)
		ompp_range_container_ended(r);
}

void ompp_ranges_end(struct ompp_range *r)
{
	range_unset(r);
	range_forget(r);
}

uint64_t ompp_ranges_id(const struct ompp_range *r)
{
	return ((uint64_t)r->generation << 32 | r->index) + 1;
}

/* Returns the newest range of a name and owner, which for a container is the watch; NULL when there is none.
 * scoped: 0 when ranges with a scope do not count */
static struct ompp_range *find_named(const struct ompp_object_def *def, uint32_t owner, int scoped)
{
	struct ompp_range *r;

	for (r = def->ranges; r; r = r->next)
		if (r->owner == owner && (scoped || !r->scope) && (r->is_watch || !r->container))
			return r;
	return NULL;
}

/* Returns the first range of the owner that meets the wanted one and belongs to the object or, when numbered is
 * given, to any of the numbered objects; NULL when there is none.  Containers meet by their own bytes, and other
 * ranges by their data. */
static struct ompp_range *find_meeting(const struct ompp_object_def *def, const struct ompp_numbered *numbered,
                                       const struct ompp_range *wanted)
{
	struct ompp_piece *p;
	uint32_t i;

	for (p = ompp_piece_from(wanted->lo); p && p->lo < wanted->hi; p = ompp_piece_from(p->hi))
		for (i = 0; i < p->n_members; i++) {
			struct ompp_range *r = p->members[i];

			if (r->owner == wanted->owner && !r->scope && r->is_watch == wanted->is_watch &&
			    (numbered ? r->object->numbered == numbered : r->object == def))
				return r;
		}
	return NULL;
}

static int is_same(const struct ompp_range *r, const struct ompp_range *wanted)
{
	return r->lo == wanted->lo && r->hi == wanted->hi && r->is_watch == wanted->is_watch;
}

/* Ends the places that `sum` has named beside this one: a name that is given plainly has one place. */
static void end_other_places(struct ompp_object_def *def, const struct ompp_range *same)
{
	struct ompp_range *r = def->ranges;

	while (r)
		if (r != same && r->owner == same->owner && !r->scope && (r->is_watch || !r->container)) {
			ompp_ranges_end(r);
			r = def->ranges; /* a container's data has gone with it */
		} else {
			r = r->next;
		}
}

/* Takes note that somebody asked for an object by its name, which OMPP_OBJECTS=all may have found before. */
static void object_is_asked_for(struct ompp_object_def *def)
{
	if (!def->is_found)
		return;
	def->is_found = 0;
	for (const struct ompp_range *r = def->ranges; r; r = r->next)
		if (range_publish(r->lo, r->hi))
			ompp_ranges_lost();
}

struct ompp_object_def *ompp_ranges_make_way(enum ompp_range_kind kind, const char *name, enum ompp_origin origin,
                                             const struct ompp_range *wanted, struct ompp_range **same)
{
	struct ompp_numbered *numbered = kind == OMPP_RANGE_EACH ? ompp_object_numbered(name, 1) : NULL;
	struct ompp_object_def *def = kind == OMPP_RANGE_EACH ? NULL : ompp_object_named(name, origin);
	struct ompp_range *r;

	if (def && (origin == OMPP_ORIGIN_PRAGMA || origin == OMPP_ORIGIN_CALL || origin == OMPP_ORIGIN_ADDRESS))
		object_is_asked_for(def);
	while (!wanted->scope && (numbered || (def && def->index >= OMPP_OBJECT_FIRST_NAMED))) {
		r = kind == OMPP_RANGE_MOVES ? find_named(def, wanted->owner, 0) : find_meeting(def, numbered, wanted);
		if (!r)
			break;
		def = r->object;
		if (is_same(r, wanted)) {
			if (kind == OMPP_RANGE_MOVES && def->is_sum)
				end_other_places(def, r);
			*same = r;
			return def;
		}
		ompp_ranges_end(r);
	}
	if (kind == OMPP_RANGE_SUM && def)
		def->is_sum = 1;
	def = def || !numbered ? def : ompp_object_next(numbered, origin);
	if (!def)
		ompp_ranges_lost();
	return def;
}

void ompp_ranges_cover(struct ompp_object_def *def)
{
	if (!def->cover)
		OMPP_STORE(&def->cover, ompp_cover_of(&def->index, 1));
}

struct ompp_range *ompp_ranges_set(const struct ompp_range *wanted)
{
	struct ompp_object_def *def = wanted->object;
	struct ompp_range *r = new_range();

	if (!r) {
		ompp_ranges_lost();
		return NULL;
	}
	r->lo = wanted->lo;
	r->hi = wanted->hi;
	r->object = def;
	r->owner = wanted->owner;
	r->scope = wanted->scope;
	r->container = wanted->container;
	r->is_watch = wanted->is_watch;
	r->tracked = wanted->tracked;
	ompp_tracked_part(r->tracked);
	if (!r->is_watch) {
		if (def->index)
			ompp_ranges_cover(def);
		OMPP_ADD(&def->n_ranges, 1u);
		if (def->origin == OMPP_ORIGIN_PRAGMA || def->origin == OMPP_ORIGIN_CALL)
			OMPP_ADD(&n_named, UINT64_C(1));
		OMPP_STORE(&def->last_owner, r->owner);
		OMPP_STORE(&def->address, r->lo);
		OMPP_STORE(&def->n_bytes, r->hi - r->lo);
	}
	if (set(r)) {
		ompp_ranges_lost();
		ompp_tracked_lose(r->tracked);
	}
	return r;
}

uint64_t ompp_range_begin_as(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t address,
                             size_t n_bytes, uint32_t owner, uintptr_t scope)
{
	int is_memory = address && n_bytes && n_bytes <= OMPP_LAST_ADDRESS && address <= OMPP_LAST_ADDRESS - n_bytes;
	struct ompp_range wanted = {
		.lo = address, .hi = is_memory ? address + n_bytes : address, .owner = owner, .scope = scope
	};
	struct ompp_range *r = NULL;
	uint64_t id;

	if ((kind != OMPP_RANGE_MOVES && !is_memory) || ompp_ranges_lock())
		return 0;
	wanted.object = ompp_ranges_make_way(kind, name, origin, &wanted, &r);
	if (!r && wanted.object && is_memory)
		r = ompp_ranges_set(&wanted);
	id = r ? ompp_ranges_id(r) : 0;
	ompp_ranges_unlock();
	return id;
}

uint64_t ompp_range_begin(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, uint32_t owner,
                          uintptr_t scope)
{
	return ompp_range_begin_as(OMPP_RANGE_MOVES, name, origin, address, n_bytes, owner, scope);
}

void ompp_range_is_found(const char *name, enum ompp_origin origin, int is_found)
{
	struct ompp_object_def *def;

	if (ompp_ranges_lock())
		return;
	def = ompp_object_named(name, origin);
	if (def && !is_found)
		object_is_asked_for(def);
	else if (def && !def->n_ranges)
		def->is_found = 1;
	ompp_ranges_unlock();
}

void ompp_range_end(uint64_t id)
{
	struct ompp_range *r;

	if (!id-- || ompp_ranges_lock())
		return;
	r = (uint32_t)id < n_ranges_made ? ranges[(uint32_t)id] : NULL;
	if (r && r->generation == id >> 32)
		ompp_ranges_end(r);
	ompp_ranges_unlock();
}

/* Ends the range of an object, or all of them where it has several places. */
static void end_object(struct ompp_object_def *def, uint32_t owner)
{
	struct ompp_range *r;

	do {
		r = find_named(def, owner, 1);
		r = r ? r : find_named(def, 0, 1);
		if (r && is_name(r))
			ompp_ranges_end(r);
	} while (r && is_name(r) && def->is_sum);
}

void ompp_range_end_named(const char *name, uint32_t owner)
{
	struct ompp_numbered *numbered;
	struct ompp_object_def *def;
	size_t i;

	if (ompp_ranges_lock())
		return;
	numbered = ompp_object_numbered(name, 0);
	def = ompp_object_find(name);
	if (def)
		end_object(def, owner);
	for (i = 0; numbered && i < numbered->n; i++)
		end_object(numbered->objects[i], owner);
	ompp_ranges_unlock();
}

void ompp_range_end_all(const char *name)
{
	struct ompp_object_def *def;

	if (ompp_ranges_lock())
		return;
	def = ompp_object_find(name);
	while (def && def->ranges)
		ompp_ranges_end(def->ranges);
	ompp_ranges_unlock();
}

/* Returns the first range with a name, and no block, that lies in [lo, hi); NULL when there is none.
 * origin: of its object; OMPP_ORIGIN_NONE: any */
static struct ompp_range *find_inside(uintptr_t lo, uintptr_t hi, enum ompp_origin origin)
{
	struct ompp_piece *p;
	uint32_t i;

	for (p = ompp_piece_from(lo); p && p->lo < hi; p = ompp_piece_from(p->hi))
		for (i = 0; i < p->n_members; i++) {
			struct ompp_range *r = p->members[i];

			if (is_name(r) && !ompp_range_is_block(r) && r->lo >= lo && r->hi <= hi &&
			    (origin == OMPP_ORIGIN_NONE || r->object->origin == origin))
				return r;
		}
	return NULL;
}

static int may_be_named(uintptr_t lo, uintptr_t hi)
{
	return atomic_load_explicit(&ompp_n_ranges, memory_order_relaxed) && ompp_pages_may_be_named(lo, hi);
}

void ompp_range_end_scoped(const char *name, uintptr_t lo, uintptr_t hi)
{
	struct ompp_object_def *def;
	struct ompp_range *r, *next;

	if (ompp_ranges_lock())
		return;
	def = ompp_object_find(name);
	for (r = def ? def->ranges : NULL; r; r = next) {
		next = r->next;
		if (r->scope >= lo && r->scope < hi && r->scope && is_name(r) && (r->is_watch || !r->container)) {
			ompp_ranges_end(r);
			next = def->ranges; /* a container's data has gone with it */
		}
	}
	ompp_ranges_unlock();
}

void ompp_range_freed(uintptr_t lo, uintptr_t hi)
{
	struct ompp_range *r;

	if (!may_be_named(lo, hi) || ompp_ranges_lock())
		return;
	while ((r = find_inside(lo, hi, OMPP_ORIGIN_NONE)))
		ompp_ranges_end(r);
	ompp_ranges_unlock();
}

struct ompp_range *ompp_range_detach(uintptr_t lo, uintptr_t hi, size_t slack_bytes)
{
	struct ompp_range *r, *list = NULL;

	if (!may_be_named(lo, hi) || ompp_ranges_lock())
		return NULL;
	while ((r = find_inside(lo, hi, OMPP_ORIGIN_NONE))) {
		if (r->is_watch) { /* an object that is copied byte by byte is another one */
			ompp_ranges_end(r);
			continue;
		}
		range_unset(r);
		r->is_detached = 1;
		r->is_whole = r->lo == lo && hi - r->hi < slack_bytes;
		r->next = list;
		list = r;
	}
	ompp_ranges_unlock();
	return list;
}

void ompp_range_attach(struct ompp_range *list, uintptr_t old_lo, uintptr_t new_lo, size_t n_bytes)
{
	struct ompp_range *next;

	if (!list || ompp_ranges_lock())
		return;
	for (; list; list = next) {
		uintptr_t offset = list->lo - old_lo, n = list->hi - list->lo;

		next = list->next;
		list->is_detached = 0;
		if (offset >= n_bytes || !n) { /* its container may have ended meanwhile */
			range_forget(list);
			continue;
		}
		list->lo = new_lo + offset;
		if (n > n_bytes - offset || (list->is_whole && n_bytes != SIZE_MAX))
			n = n_bytes - offset;
		list->hi = list->lo + n;
		OMPP_ADD(&list->object->n_ranges, (uint32_t)(new_lo != old_lo));
		OMPP_STORE(&list->object->address, list->lo);
		OMPP_STORE(&list->object->n_bytes, list->hi - list->lo);
		if (set(list))
			ompp_ranges_lost();
	}
	ompp_ranges_unlock();
}

/* Returns the first piece with a name that ends above lo; NULL when there is none below hi.  Large pieces stay when
 * their names have ended. */
static const struct ompp_piece *named_piece(uintptr_t lo, uintptr_t hi)
{
	const struct ompp_piece *p = ompp_piece_from(lo);

	while (p && p->lo < hi && !p->n_members)
		p = ompp_piece_from(p->hi);
	return p && p->lo < hi ? p : NULL;
}

void ompp_range_begin_rest(const char *name, enum ompp_origin origin, uintptr_t lo, uintptr_t hi, uint32_t owner)
{
	struct ompp_object_def *def;

	if (lo >= hi || hi > OMPP_LAST_ADDRESS || ompp_ranges_lock())
		return;
	def = ompp_object_named(name, origin);
	if (def)
		def->is_sum = def->is_found = 1;
	while (def && lo < hi) {
		const struct ompp_piece *p = named_piece(lo, hi);
		struct ompp_range wanted = { .lo = lo, .hi = p ? p->lo : hi, .object = def, .owner = owner };

		if (wanted.hi > lo)
			ompp_ranges_set(&wanted);
		lo = p ? p->hi : hi;
	}
	if (!def)
		ompp_ranges_lost();
	ompp_ranges_unlock();
}

void ompp_range_end_rest(enum ompp_origin origin, uintptr_t lo, uintptr_t hi)
{
	struct ompp_range *r;

	if (ompp_ranges_lock())
		return;
	while ((r = find_inside(lo, hi, origin)))
		ompp_ranges_end(r);
	ompp_ranges_unlock();
}

void ompp_ranges_cut(struct ompp_range *r, uintptr_t lo, uintptr_t hi)
{
	uintptr_t old_lo = r->lo, old_hi = r->hi;
	struct ompp_range *behind = old_lo < lo && old_hi > hi ? new_range() : NULL;
	int rc = old_lo < lo && old_hi > hi && !behind;

	lo = lo > old_lo ? lo : old_lo;
	hi = hi < old_hi ? hi : old_hi;
	if (ompp_range_changing)
		ompp_range_changing();
	ompp_ended_note(lo, hi);
	ompp_first_forget(lo, hi);
	ompp_front_end(lo, hi);
	ompp_pieces_remove(r);
	if (old_lo < lo)
		r->hi = lo;
	else
		r->lo = hi;
	rc |= ompp_pieces_add(r);
	if (behind) {
		behind->lo = hi;
		behind->hi = old_hi;
		behind->object = r->object;
		behind->owner = 0;
		behind->scope = 0;
		behind->container = NULL;
		behind->is_watch = 0;
		behind->tracked = r->tracked;
		ompp_tracked_part(r->tracked);
		rc |= ompp_pieces_add(behind);
		range_enlist(behind);
	}
	/* Readers see only now that anything has changed: what is left is never without its name. */
	rc |= range_publish(old_lo, old_hi);
	if (rc)
		ompp_ranges_lost();
}
