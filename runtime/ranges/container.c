/*
 * Container: see container.h.
 */
#include "runtime/ranges/container.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/data/order.h"
#include "runtime/ranges/piece.h"
#include "runtime/ranges/range_set.h"

struct ompp_container {
	uintptr_t lo, hi; /* the object; these and all members up to scope are constant while it is in force */
	ompp_look *look;
	struct ompp_object_def *object; /* the name under which its data is measured */
	uint32_t owner;
	uintptr_t scope;
	struct ompp_range *watch, *data;    /* data: NULL while it has none, or after it was freed */
	uint32_t generation;                /* counts the uses of this struct */
	int is_left;                        /* 1 when nobody asks it again and its data stays where it is */
	uint32_t n_words;                   /* words of the object that are compared; 0 when none are */
	uint64_t words[OMPP_SEEN_WORDS];    /* the object's words when it was last looked at */
	struct ompp_container *next;        /* the next free container */
	struct ompp_container *made_before; /* the struct made before this one, in force or not */
};

_Atomic uint32_t ompp_n_containers;

static struct ompp_container *free_containers, *all_containers; /* under the lock */

static struct ompp_container *new_container(void)
{
	struct ompp_container *c = free_containers;

	if (c) {
		free_containers = c->next;
		return c;
	}
	c = ompp_data_alloc(sizeof(*c));
	if (c) {
		c->made_before = all_containers;
		all_containers = c;
	}
	return c;
}

/* Takes its data away from the container. */
static void drop_data(struct ompp_container *c)
{
	struct ompp_range *r = c->data;

	if (!r)
		return;
	c->data = NULL;
	r->container = NULL;
	if (r->is_detached)
		r->hi = r->lo; /* whoever moves its block finds nothing to put back */
	else
		ompp_ranges_end(r);
}

/* Is called when a range of a container ends: the watch, or the range of the data.  Under the lock. */
static void range_ended(struct ompp_range *range)
{
	struct ompp_container *c = range->container;

	range->container = NULL;
	if (!range->is_watch) {
		c->data = NULL;
		return;
	}
	OMPP_STORE(&c->generation, c->generation + 1);
	OMPP_STORE(&c->n_words, 0u);
	c->watch = NULL;
	drop_data(c);
	atomic_fetch_sub_explicit(&ompp_n_containers, 1, memory_order_relaxed);
	c->next = free_containers;
	free_containers = c;
}

uint64_t ompp_container_begin(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t object,
                              size_t n_bytes, ompp_look *look, uint32_t owner, uintptr_t scope,
                              struct ompp_container **container)
{
	struct ompp_range wanted = {
		.lo = object, .hi = object + n_bytes, .owner = owner, .scope = scope, .is_watch = 1
	};
	struct ompp_range *r = NULL;
	struct ompp_container *c;
	uint64_t id = 0;

	*container = NULL;
	if (ompp_ranges_lock())
		return 0;
	wanted.object = ompp_ranges_make_way(kind, name, origin, &wanted, &r);
	if (r && r->container && r->container->look == look) {
		*container = r->container;
		id = ompp_ranges_id(r);
		goto out;
	}
	if (r)
		ompp_ranges_end(r);
	c = wanted.object ? new_container() : NULL;
	ompp_range_container_ended = range_ended;
	wanted.container = c;
	r = c ? ompp_ranges_set(&wanted) : NULL;
	if (!r)
		goto out;
	OMPP_STORE(&c->lo, object);
	OMPP_STORE(&c->hi, object + n_bytes);
	c->look = look;
	c->object = wanted.object;
	c->owner = owner;
	c->scope = scope;
	c->watch = r;
	c->is_left = 0;
	atomic_fetch_add_explicit(&ompp_n_containers, 1, memory_order_relaxed);
	ompp_order_need(); /* a container changes by a few stores one after the other */
	*container = c;
	id = ompp_ranges_id(r);
out:
	ompp_ranges_unlock();
	return id;
}

/* Copies the words of an object, which other threads may be changing.  Returns how many there are; 0 when they are
 * too many to be compared. */
static uint32_t copy_words(uintptr_t lo, uintptr_t hi, uint64_t *words)
{
	uint32_t n = (uint32_t)((hi - lo) / sizeof(*words)), i;

	if (lo % sizeof(*words) || (hi - lo) % sizeof(*words) || n > OMPP_SEEN_WORDS)
		return 0;
	for (i = 0; i < n; i++)
		words[i] = OMPP_LOAD((const uint64_t *)lo + i);
	return n;
}

int ompp_container_has_changed(const struct ompp_container *c)
{
	uint32_t n = __atomic_load_n(&c->n_words, __ATOMIC_ACQUIRE), i;
	const uint64_t *object = (const uint64_t *)OMPP_LOAD(&c->lo);

	for (i = 0; i < n; i++)
		if (OMPP_LOAD(&object[i]) != OMPP_LOAD(&c->words[i]))
			return 1;
	return 0;
}

int ompp_container_see(struct ompp_container *c, struct ompp_seen *seen)
{
	int is_there;

	if (ompp_ranges_lock())
		return 0;
	is_there = c->watch && !c->is_left;
	if (is_there) {
		seen->lo = c->lo;
		seen->hi = c->hi;
		seen->look = c->look;
		seen->name = c->object->name;
		seen->generation = c->generation;
		seen->n_words = copy_words(c->lo, c->hi, seen->words);
	}
	ompp_ranges_unlock();
	return is_there;
}

/* Moves the range of the data to where the object says that it is.  Under the lock. */
static void container_follow(struct ompp_container *c, uintptr_t data, size_t n_bytes)
{
	int is_memory = data && n_bytes && n_bytes <= OMPP_LAST_ADDRESS && data <= OMPP_LAST_ADDRESS - n_bytes;
	struct ompp_range wanted = { .lo = data,
		                     .hi = data + n_bytes,
		                     .object = c->object,
		                     .owner = c->owner,
		                     .scope = c->scope,
		                     .container = c };

	if (c->data && is_memory && c->data->lo == wanted.lo && c->data->hi == wanted.hi && !c->data->is_detached)
		return;
	drop_data(c);
	if (is_memory)
		c->data = ompp_ranges_set(&wanted);
}

void ompp_container_follow(struct ompp_container *c, const struct ompp_seen *seen, const void *data, size_t n_bytes)
{
	uint32_t i;

	if (ompp_ranges_lock())
		return;
	if (c->generation == seen->generation) {
		container_follow(c, (uintptr_t)data, n_bytes);
		for (i = 0; i < seen->n_words; i++)
			OMPP_STORE(&c->words[i], seen->words[i]);
		__atomic_store_n(&c->n_words, seen->n_words, __ATOMIC_RELEASE);
	}
	ompp_ranges_unlock();
}

void ompp_container_leave(struct ompp_container *c, const struct ompp_seen *seen)
{
	if (ompp_ranges_lock())
		return;
	if (c->generation == seen->generation) {
		c->is_left = 1;
		OMPP_STORE(&c->n_words, 0u);
	}
	ompp_ranges_unlock();
}

void ompp_containers_unload(uintptr_t lo, uintptr_t hi)
{
	struct ompp_container *c;

	if (!atomic_load_explicit(&ompp_n_containers, memory_order_relaxed) || ompp_ranges_lock())
		return;
	for (c = all_containers; c; c = c->made_before)
		if (c->watch && (uintptr_t)c->look >= lo && (uintptr_t)c->look < hi)
			ompp_ranges_end(c->watch);
	ompp_ranges_unlock();
}

size_t ompp_containers_in(uintptr_t lo, uintptr_t hi, struct ompp_container **list, size_t most)
{
	struct ompp_piece *p;
	size_t n = 0, k;
	uint32_t i;

	if (ompp_ranges_lock())
		return 0;
	for (p = ompp_piece_from(lo); p && p->lo < hi; p = ompp_piece_from(p->hi))
		for (i = 0; i < p->n_members && n < most; i++) {
			struct ompp_container *c = p->members[i]->is_watch ? p->members[i]->container : NULL;

			for (k = 0; k < n && list[k] != c; k++)
				;
			if (c && k == n)
				list[n++] = c;
		}
	ompp_ranges_unlock();
	return n;
}
