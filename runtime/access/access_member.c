/*
 * Access member: see access_member.h.
 */
#include "runtime/access/access_member.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/program_file.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/block.h"
#include "runtime/data/member_use.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/data/site.h"
#include "runtime/host/loaded.h"
#include "runtime/host/past.h"
#include "runtime/host/real.h"
#include "runtime/ranges/range.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { FARTHEST_START = 16 << 20, LINE_BYTES = 64 };

/* What is known of an object's elements. */
struct object_elements {
	struct ompp_member_frame frame; /* n_bytes is 0 when it has none */
	struct ompp_element element;
};

/* A name that the program has given, and where. */
struct naming_call {
	struct naming_call *next;
	uintptr_t key;
	char name[];
};

int ompp_access_members_on;

static void *elements; /* by object: _Atomic(struct object_elements *); NULL until it was asked for */
static _Atomic(struct naming_call *) naming_calls;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic uint32_t lock_owner; /* slot + 1 of the thread that asks */
static struct ompp_arena arena;     /* under the lock */
static _Atomic uint64_t n_lost;
static _Atomic uint32_t n_asked; /* objects for whose structures somebody has asked early */
static struct object_elements no_elements;

void ompp_access_members_start(void)
{
	ompp_access_members_on = ompp_session.options.number[OMPP_OPT_FIELDS] != 0 ||
	                         ompp_session.options.number[OMPP_OPT_LAYOUTS] != 0;
	if (ompp_access_members_on)
		ompp_arena_init(&arena, 0);
}

static _Atomic(struct object_elements *) *entry_of(uint32_t object)
{
	_Atomic(struct object_elements *) *all = ompp_space_table(&elements, sizeof(*all) * OMPP_MAX_OBJECTS);

	return all && object < OMPP_MAX_OBJECTS ? &all[object] : NULL;
}

const struct ompp_element *ompp_access_element(uint32_t object)
{
	_Atomic(struct object_elements *) *entry = ompp_access_members_on ? entry_of(object) : NULL;
	const struct object_elements *e = entry ? atomic_load_explicit(entry, memory_order_acquire) : NULL;

	return e && e->frame.n_bytes ? &e->element : NULL;
}

/* ---- names that the program gives ---- */

static const struct naming_call *naming_find(const char *name)
{
	const struct naming_call *c = atomic_load_explicit(&naming_calls, memory_order_acquire);

	while (c && strcmp(c->name, name))
		c = c->next;
	return c;
}

void ompp_access_member_named(const char *name, uintptr_t caller)
{
	struct naming_call *c;

	if (!ompp_access_members_on || !name || naming_find(name))
		return;
	c = ompp_data_alloc(sizeof(*c) + strlen(name) + 1);
	if (!c)
		return;
	memcpy(c->name, name, strlen(name) + 1);
	c->key = ompp_past_key(caller);
	c->next = atomic_load_explicit(&naming_calls, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&naming_calls, &c->next, c))
		;
}

/* ---- questions ---- */

/* Asks for the structure by a place in a file, which becomes the question's.  Returns 0 when it is known, or as
 * ompp_element_find(). */
static int ask_at(struct ompp_element_question *q, uintptr_t key, struct ompp_element *e)
{
	struct ompp_loaded *file = ompp_arena_alloc(&arena, sizeof(*file));

	if (!file || !key || ompp_loaded_find(file, key))
		return -ENOENT;
	q->name = "";
	q->address = file->offset - (q->by == OMPP_ELEMENT_BY_CALL ? 1 : 0);
	return ompp_element_find(file->path, q, &arena, e);
}

/* Lists the calls that came before a site's for the first time.  Where the same call did so by another path, the list
 * begins anew with that: it is for the same array.
 * caller: which of the site's callers the call is */
static void list_earlier(struct ompp_element_question *q, const struct ompp_site *site, uint32_t caller)
{
	uintptr_t key = site->callers[caller];

	q->n_earlier = 0;
	for (site = ompp_site(site->before); site && q->n_earlier < OMPP_ELEMENT_MOST_EARLIER;
	     site = ompp_site(site->before)) {
		uintptr_t earlier = caller < site->n_callers ? site->callers[caller] : 0;

		if (earlier == key)
			q->n_earlier = 0;
		else
			q->earlier[q->n_earlier++] = (int64_t)(earlier - key);
	}
}

static int ask_by_site(uint32_t index, struct ompp_element *e)
{
	struct ompp_element_question q = { .by = OMPP_ELEMENT_BY_CALL };
	const struct ompp_site *site = ompp_site(index);
	int rc = -ENOENT;

	for (uint32_t i = 0; site && i < site->n_callers && rc && rc != -ENODATA; i++) {
		list_earlier(&q, site, i);
		rc = ask_at(&q, site->callers[i], e);
	}
	return rc;
}

/* Asks by the name that the program has given, "cells" or "cells[3]". */
static int ask_by_name(const struct ompp_object_def *def, struct ompp_element *e)
{
	const struct ompp_numbered *numbered = OMPP_LOAD(&def->numbered);
	const struct naming_call *c = naming_find(numbered ? numbered->name : def->name);
	struct ompp_element_question q = { .by = OMPP_ELEMENT_BY_CALL };

	if (c && !ask_at(&q, c->key, e))
		return 0;
	q = (struct ompp_element_question){ .by = OMPP_ELEMENT_BY_NAME, .name = def->name };
	return ompp_element_find(ompp_program_file, &q, &arena, e);
}

static struct object_elements *element_ask(uint32_t object)
{
	struct ompp_element_question q = { .by = OMPP_ELEMENT_BY_ADDRESS };
	const struct ompp_object_def *def = ompp_object(object);
	struct object_elements *e = ompp_arena_alloc(&arena, sizeof(*e));
	int rc;

	if (!e)
		return &no_elements;
	rc = def->site ? ask_by_site(def->site, &e->element) : ask_at(&q, OMPP_LOAD(&def->address), &e->element);
	if (rc && !def->site)
		rc = ask_by_name(def, &e->element);
	if (rc)
		return &no_elements;
	e->frame.n_bytes = e->element.n_bytes;
	e->frame.open = e->element.flags & OMPP_ELEMENT_OPEN ? e->element.members[e->element.n - 1].offset : UINT64_MAX;
	return e;
}

/* Returns what is known of an object's elements, and asks when nobody has; NULL in a handler that interrupted this. */
static const struct object_elements *elements_of(const struct ompp_thread *t, uint32_t object)
{
	_Atomic(struct object_elements *) *entry = entry_of(object);
	struct object_elements *e = entry ? atomic_load_explicit(entry, memory_order_acquire) : NULL;

	if (__builtin_expect(e != NULL, 1))
		return e;
	if (entry && ompp_object(object)->origin == OMPP_ORIGIN_FILE) /* the rest of a file's data is many variables */
		return &no_elements;
	if (!entry || ompp_real_is_away || atomic_load(&lock_owner) == t->slot + 1)
		return NULL;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		ompp_sys_yield();
	atomic_store(&lock_owner, t->slot + 1);
	e = atomic_load_explicit(entry, memory_order_acquire);
	if (!e) {
		e = element_ask(object);
		atomic_store_explicit(entry, e, memory_order_release);
	}
	atomic_store(&lock_owner, 0);
	atomic_flag_clear_explicit(&lock, memory_order_release);
	return e;
}

/* Asks for the structures of all objects that are new. */
static void ask_for_new(void)
{
	uint32_t i = atomic_load_explicit(&n_asked, memory_order_relaxed), n;

	if (ompp_real_is_away || atomic_load(&lock_owner) == ompp_self->slot + 1)
		return;
	n = atomic_load_explicit(&ompp_n_whole_objects, memory_order_acquire);
	for (i = i < OMPP_OBJECT_FIRST_NAMED ? OMPP_OBJECT_FIRST_NAMED : i; i < n; i++)
		elements_of(ompp_self, i);
	atomic_store_explicit(&n_asked, n, memory_order_release);
}

void ompp_access_members_ask_early(void)
{
	if (!ompp_access_members_on)
		return;
	ompp_range_settled = ask_for_new;
	ask_for_new();
}

void ompp_access_members_wait(void)
{
	if (__builtin_expect(ompp_range_settled != NULL, 0) &&
	    atomic_load_explicit(&n_asked, memory_order_acquire) <
	            atomic_load_explicit(&ompp_n_objects, memory_order_acquire))
		ompp_ranges_settle();
}

/* ---- places ---- */

/* A place of an object in memory. */
struct place {
	uintptr_t lo;
	size_t n_bytes;
};

static int is_in(const struct place *p, uintptr_t address)
{
	return p->lo && address - p->lo < p->n_bytes;
}

/* Finds the place of an object that has an address. */
static int find_place(const struct ompp_object_def *def, uintptr_t address, struct place *p)
{
	const struct ompp_segment *s;

	if (!def->site) {
		*p = (struct place){ OMPP_LOAD(&def->address), OMPP_LOAD(&def->n_bytes) };
		if (is_in(p, address))
			return 1;
	}
	s = ompp_segment_at(address);
	*p = (struct place){ OMPP_LOAD(&s->lo), OMPP_LOAD(&s->hi) - OMPP_LOAD(&s->lo) };
	if (!def->site)
		return is_in(p, address);
	for (int i = 0; i < 2; i++) {
		struct ompp_block block = ompp_block_at(p->lo);

		p->n_bytes = block.site == def->site ? block.n_bytes : 0;
		if (is_in(p, address))
			return 1;
		p->lo = i ? 0 : ompp_block_start(address, FARTHEST_START);
	}
	return 0;
}

/* Returns the bytes before the first element: new[] may keep the number of elements there. */
static size_t header_of(const struct object_elements *e, size_t n_bytes)
{
	size_t rest = n_bytes % e->frame.n_bytes;

	return e->element.flags & OMPP_ELEMENT_NEW_ARRAY && (rest == 8 || rest == 16) ? rest : 0;
}

uint64_t ompp_access_element_phase(uint32_t object)
{
	const struct ompp_object_def *def = ompp_object(object);
	_Atomic(struct object_elements *) *entry = entry_of(object);

	return (OMPP_LOAD(&def->address) +
	        header_of(atomic_load_explicit(entry, memory_order_acquire), OMPP_LOAD(&def->n_bytes))) %
	       LINE_BYTES;
}

/* Is a block as large as so many whole elements, perhaps rounded up to whole cache lines, as aligned_alloc() has it?
 * Else it is something else, a header with data behind it, or a structure of another size: where members are is not
 * known.  Of blocks that malloc() makes one in four begins a line by chance. */
static int is_whole(const struct object_elements *e, const struct place *p, size_t header)
{
	size_t n_bytes = p->n_bytes - header, rest = n_bytes % e->frame.n_bytes;

	if (n_bytes < e->frame.n_bytes)
		return 0;
	return e->frame.open != UINT64_MAX || !rest ||
	       (e->element.flags & OMPP_ELEMENT_ALIGNED && p->lo % LINE_BYTES == 0 && p->n_bytes % LINE_BYTES == 0 &&
	        rest < LINE_BYTES);
}

/* UNLIKE: the block is not made of the elements; GONE: another thread has freed it since the access, which the emulator
 * hands over later */
enum spot { IN_ELEMENT, IN_NONE, UNLIKE, GONE };

/* Finds where an address is in the elements e of an object. */
static enum spot find_spot(const struct object_elements *e, uint32_t object, uintptr_t address,
                           struct ompp_member_spot *spot)
{
	const struct ompp_object_def *def = ompp_object(object);
	struct place p;
	size_t header;

	if (!e->frame.n_bytes)
		return IN_NONE;
	if (!find_place(def, address, &p))
		return def->site && OMPP_LOAD(&ompp_modes) & OMPP_MODE_EMULATED ? GONE : IN_NONE;
	header = header_of(e, p.n_bytes);
	if (def->site && !is_whole(e, &p, header))
		return UNLIKE;
	if (p.n_bytes < e->frame.n_bytes || address - p.lo < header)
		return IN_NONE;
	*spot = (struct ompp_member_spot){ &e->element, p.lo + header, p.n_bytes - header, address - p.lo - header };
	return IN_ELEMENT;
}

int ompp_access_member_spot(struct ompp_thread *t, uint32_t object, uintptr_t address, struct ompp_member_spot *spot)
{
	const struct object_elements *e = elements_of(t, object);

	return e && find_spot(e, object, address, spot) == IN_ELEMENT;
}

static void member_add(struct ompp_thread *t, const struct ompp_tally *y, uint32_t object, uintptr_t base, size_t step,
                       size_t n, size_t n_bytes, enum ompp_member_how how)
{
	const struct object_elements *e = elements_of(t, object);
	struct ompp_member_spot spot;
	enum spot found;

	if (!e || (e->frame.n_bytes && !t->member_uses && !(t->member_uses = ompp_member_uses_new()))) {
		atomic_fetch_add_explicit(&n_lost, n, memory_order_relaxed);
		return;
	}
	found = find_spot(e, object, base, &spot);
	if (found == IN_ELEMENT)
		ompp_member_count(t->member_uses, y->node, object, &e->frame, spot.at, step, n, n_bytes, how);
	else if (found == UNLIKE)
		ompp_tally_add(&t->member_uses->n_unlike, n);
	else if (found == GONE)
		atomic_fetch_add_explicit(&n_lost, n, memory_order_relaxed);
}

void ompp_access_member_add(const struct ompp_tally *y, uint32_t cover, uintptr_t base, size_t step, size_t n,
                            size_t n_bytes, unsigned int slot)
{
	enum ompp_member_how how = slot == OMPP_SLOT_LOAD || slot == OMPP_SLOT_BLOCK_LOAD ? OMPP_MEMBER_LOAD
	                         : slot == OMPP_SLOT_ATOMIC                               ? OMPP_MEMBER_ATOMIC
	                                                                                  : OMPP_MEMBER_STORE;
	const struct ompp_cover *c = ompp_cover(cover);

	for (uint32_t i = 0; i < c->n_objects; i++)
		if (c->objects[i] >= OMPP_OBJECT_FIRST_NAMED)
			member_add(ompp_self, y, c->objects[i], base, step, n, n_bytes, how);
}

uint64_t ompp_access_members_lost(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	uint64_t sum = atomic_load_explicit(&n_lost, memory_order_relaxed);

	for (uint32_t i = 0; i < n; i++)
		if (ompp_threads[i]->member_uses)
			sum += OMPP_LOAD(&ompp_threads[i]->member_uses->n_lost);
	return sum;
}

uint64_t ompp_access_members_unlike(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		if (ompp_threads[i]->member_uses)
			sum += OMPP_LOAD(&ompp_threads[i]->member_uses->n_unlike);
	return sum;
}

void ompp_access_members_after_fork(void)
{
	atomic_store(&n_lost, 0);
	atomic_store(&lock_owner, 0);
	atomic_flag_clear(&lock);
}
