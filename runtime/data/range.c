/*
 * Range: see range.h.  Pieces and pages are in files of their own; here are the lock and the ranges.
 */
#define _GNU_SOURCE
#include "runtime/data/range.h"

#include <stdatomic.h>

#include "runtime/base/sys.h"
#include "runtime/data/page.h"
#include "runtime/data/piece.h"

_Atomic uint32_t ompp_n_ranges;
_Atomic uint64_t ompp_n_lost_ranges;
void (*ompp_range_changed)(const struct ompp_range *range, int in_force);

static atomic_flag lock = ATOMIC_FLAG_INIT;
static __thread int holding __attribute__((tls_model("initial-exec")));
static int held_for_fork;                       /* not by a handler that forks inside one of our calls */

/* Under the lock. */
static struct ompp_range *free_ranges, **ranges;
static uint32_t n_ranges_made, have_ranges;

static int take_lock(void)
{
	if (holding) {                          /* a signal handler inside one of our calls */
		atomic_fetch_add_explicit(&ompp_n_lost_ranges, 1, memory_order_relaxed);
		return -1;
	}
	holding = 1;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		ompp_sys_yield();
	return 0;
}

static void drop_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
	holding = 0;
}

void ompp_ranges_before_fork(void)
{
	if (!holding) {
		take_lock();
		held_for_fork = 1;
	}
}

void ompp_ranges_after_fork(void)
{
	if (held_for_fork) {
		held_for_fork = 0;
		drop_lock();
	}
}

static void lost(void)
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

/* Put a range in force. */
static int set(struct ompp_range *r)
{
	int rc = ompp_pieces_add(r);

	rc |= ompp_pieces_publish(r->lo ? r->lo - 1 : 0, r->hi + 1);
	r->next = r->object->ranges;
	r->object->ranges = r;
	OMPP_ADD(&r->object->n_live, 1u);
	if (is_name(r))
		atomic_fetch_add_explicit(&ompp_n_ranges, 1, memory_order_relaxed);
	if (ompp_range_changed)
		ompp_range_changed(r, 1);
	return rc ? -1 : 0;
}

/* Take a range out of force; the struct stays. */
static void unset(struct ompp_range *r)
{
	struct ompp_range **link;

	if (ompp_range_changed)
		ompp_range_changed(r, 0);
	ompp_pieces_remove(r);
	if (ompp_pieces_publish(r->lo ? r->lo - 1 : 0, r->hi + 1))
		lost();
	for (link = &r->object->ranges; *link && *link != r; link = &(*link)->next)
		;
	if (*link)
		*link = r->next;
	OMPP_ADD(&r->object->n_live, -1u);
	if (r->object->numbered && !r->object->n_live && r->object->number < r->object->numbered->first_free)
		r->object->numbered->first_free = r->object->number;
	if (is_name(r))
		atomic_fetch_sub_explicit(&ompp_n_ranges, 1, memory_order_relaxed);
}

static void end(struct ompp_range *r)
{
	unset(r);
	r->generation++;
	r->next = free_ranges;
	free_ranges = r;
}

static uint64_t id_of(const struct ompp_range *r)
{
	return ((uint64_t)r->generation << 32 | r->index) + 1;
}

static struct ompp_range *find_named(const struct ompp_object_def *def, uint32_t owner, int scoped)
{
	struct ompp_range *r;

	for (r = def->ranges; r; r = r->next)
		if (r->owner == owner && (scoped || !r->scope))
			return r;
	return NULL;
}

/* The first range of the owner, of an object or of any of the numbered ones, that meets [lo, hi). */
static struct ompp_range *find_meeting(const struct ompp_object_def *def, const struct ompp_numbered *numbered,
                                       uint32_t owner, uintptr_t lo, uintptr_t hi)
{
	struct ompp_piece *p;
	uint32_t i;

	for (p = ompp_piece_from(lo); p && p->lo < hi; p = ompp_piece_from(p->hi))
		for (i = 0; i < p->n_members; i++) {
			struct ompp_range *r = p->members[i];

			if (r->owner == owner && !r->scope &&
			    (numbered ? r->object->numbered == numbered : r->object == def))
				return r;
		}
	return NULL;
}

/* The object that a range is to have, after the ranges that it replaces have ended.  *same: it is in force already.
 * NULL: there is no room. */
static struct ompp_object_def *make_way(enum ompp_range_kind kind, const char *name, enum ompp_origin origin,
                                        const struct ompp_range *wanted, struct ompp_range **same)
{
	struct ompp_numbered *numbered = kind == OMPP_RANGE_EACH ? ompp_object_numbered(name, 1) : NULL;
	struct ompp_object_def *def = kind == OMPP_RANGE_EACH ? NULL : ompp_object_named(name, origin);
	struct ompp_range *r;

	if (!def && !numbered)
		return NULL;
	while (!wanted->scope && (!def || def->index >= OMPP_OBJECT_FIRST_NAMED)) {
		r = kind == OMPP_RANGE_MOVES ? find_named(def, wanted->owner, 0) :
		                               find_meeting(def, numbered, wanted->owner, wanted->lo, wanted->hi);
		if (!r)
			break;
		def = r->object;
		if (r->lo == wanted->lo && r->hi == wanted->hi) {
			*same = r;
			return def;
		}
		end(r);
	}
	return def ? def : ompp_object_next(numbered, origin);
}

uint64_t ompp_range_begin_as(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t address,
                             size_t n_bytes, uint32_t owner, uintptr_t scope)
{
	int is_memory = address && n_bytes && n_bytes <= OMPP_LAST_ADDRESS && address <= OMPP_LAST_ADDRESS - n_bytes;
	struct ompp_range wanted = { .lo = address, .hi = is_memory ? address + n_bytes : address, .owner = owner,
	                             .scope = scope };
	struct ompp_object_def *def;
	struct ompp_range *r = NULL;
	uint64_t id = 0;

	if ((kind != OMPP_RANGE_MOVES && !is_memory) || take_lock())
		return 0;
	def = make_way(kind, name, origin, &wanted, &r);
	if (!def)
		lost();
	if (!def || !is_memory)
		goto out;
	if (!r) {
		r = new_range();
		if (!r) {
			lost();
			goto out;
		}
		r->lo = wanted.lo;
		r->hi = wanted.hi;
		r->object = def;
		r->owner = owner;
		r->scope = scope;
		if (!def->n_ranges && def->index)
			def->cover = ompp_cover_of(&def->index, 1);
		OMPP_ADD(&def->n_ranges, 1u);
		OMPP_STORE(&def->last_owner, owner);
		OMPP_STORE(&def->address, address);
		OMPP_STORE(&def->n_bytes, n_bytes);
		if (kind == OMPP_RANGE_SUM)
			def->is_sum = 1;
		if (set(r))
			lost();
	}
	id = id_of(r);
out:
	drop_lock();
	return id;
}

uint64_t ompp_range_begin(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, uint32_t owner,
                          uintptr_t scope)
{
	return ompp_range_begin_as(OMPP_RANGE_MOVES, name, origin, address, n_bytes, owner, scope);
}

void ompp_range_end(uint64_t id)
{
	struct ompp_range *r;

	if (!id-- || take_lock())
		return;
	r = (uint32_t)id < n_ranges_made ? ranges[(uint32_t)id] : NULL;
	if (r && r->generation == id >> 32)
		end(r);
	drop_lock();
}

/* End the range of an object, or all of them where it has several places. */
static void end_object(struct ompp_object_def *def, uint32_t owner)
{
	struct ompp_range *r;

	do {
		r = find_named(def, owner, 1);
		r = r ? r : find_named(def, 0, 1);
		if (r && is_name(r))
			end(r);
	} while (r && is_name(r) && def->is_sum);
}

void ompp_range_end_named(const char *name, uint32_t owner)
{
	struct ompp_numbered *numbered;
	struct ompp_object_def *def;
	size_t i;

	if (take_lock())
		return;
	numbered = ompp_object_numbered(name, 0);
	def = ompp_object_find(name);
	if (def)
		end_object(def, owner);
	for (i = 0; numbered && i < numbered->n; i++)
		end_object(numbered->objects[i], owner);
	drop_lock();
}

/* The first range of a name that lies in [lo, hi). */
static struct ompp_range *find_inside(uintptr_t lo, uintptr_t hi)
{
	struct ompp_piece *p;
	uint32_t i;

	for (p = ompp_piece_from(lo); p && p->lo < hi; p = ompp_piece_from(p->hi))
		for (i = 0; i < p->n_members; i++) {
			struct ompp_range *r = p->members[i];

			if (is_name(r) && r->lo >= lo && r->hi <= hi)
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

	if (take_lock())
		return;
	def = ompp_object_find(name);
	for (r = def ? def->ranges : NULL; r; r = next) {
		next = r->next;
		if (r->scope && r->scope >= lo && r->scope < hi && is_name(r))
			end(r);
	}
	drop_lock();
}

void ompp_range_freed(uintptr_t lo, uintptr_t hi)
{
	struct ompp_range *r;

	if (!may_be_named(lo, hi) || take_lock())
		return;
	while ((r = find_inside(lo, hi)))
		end(r);
	drop_lock();
}

struct ompp_range *ompp_range_detach(uintptr_t lo, uintptr_t hi, size_t slack_bytes)
{
	struct ompp_range *r, *list = NULL;

	if (!may_be_named(lo, hi) || take_lock())
		return NULL;
	while ((r = find_inside(lo, hi))) {
		unset(r);
		r->is_whole = r->lo == lo && hi - r->hi < slack_bytes;
		r->next = list;
		list = r;
	}
	drop_lock();
	return list;
}

void ompp_range_attach(struct ompp_range *list, uintptr_t old_lo, uintptr_t new_lo, size_t n_bytes)
{
	struct ompp_range *next;

	if (!list || take_lock())
		return;
	for (; list; list = next) {
		uintptr_t offset = list->lo - old_lo, n = list->hi - list->lo;

		next = list->next;
		if (offset >= n_bytes) {
			list->generation++;
			list->next = free_ranges;
			free_ranges = list;
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
			lost();
	}
	drop_lock();
}
