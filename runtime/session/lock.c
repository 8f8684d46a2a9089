/*
 * Lock: see lock.h.
 */
#define _GNU_SOURCE
#include "runtime/session/lock.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/session.h"
#include "runtime/events/thread_start.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/session/session_start.h"
#include "runtime/terms/option.h"

/* Tables of locks by address.  Each is four times as large as the one before, and is made when that one is crowded: a
 * lock that finds no place within MOST_PROBES is put into one of the next tables.  As entries stay, a lock is found
 * where it was put. */
enum { N_TABLES = 7, FIRST_SLOTS = 1024, MOST_PROBES = 16 };

static struct ompp_lock *_Atomic tables[N_TABLES];
static _Atomic uint32_t n_made;
static struct ompp_lock common[2]; /* for locks without an entry, plain and nested: never holds a time */

static size_t n_slots(int k)
{
	return (size_t)FIRST_SLOTS << (2 * k);
}

static struct ompp_lock *new_table(int k)
{
	struct ompp_lock *none = NULL, *made;
	size_t n = n_slots(k) * sizeof(*made);

	made = ompp_space_reserve(n);
	if (!made)
		return NULL;
	if (!atomic_compare_exchange_strong_explicit(&tables[k], &none, made, memory_order_acq_rel,
	                                             memory_order_acquire)) {
		ompp_sys_munmap(made, n);
		made = none;
	}
	return made;
}

static uint64_t lock_hash(uintptr_t address)
{
	return (uint64_t)(address >> 2) * 0x9E3779B97F4A7C15u >> 32;
}

/* Returns the slot where a lock is sought first. */
static size_t first_slot(uintptr_t address)
{
	return lock_hash(address) & (FIRST_SLOTS - 1);
}

/* Returns the entry of an address, and makes it if need be; NULL when there is no room. */
static struct ompp_lock *lock_entry(uintptr_t address)
{
	int k, i;

	for (k = 0; k < N_TABLES; k++) {
		struct ompp_lock *table = atomic_load_explicit(&tables[k], memory_order_acquire);
		size_t mask = n_slots(k) - 1, at = lock_hash(address) & mask;

		if (!table && !(table = new_table(k)))
			return NULL;
		for (i = 0; i < MOST_PROBES; i++, at = (at + 1) & mask) {
			uintptr_t have = atomic_load_explicit(&table[at].address, memory_order_acquire);

			if (have == address)
				return &table[at];
			if (!have &&
			    (atomic_compare_exchange_strong_explicit(&table[at].address, &have, address,
			                                             memory_order_acq_rel, memory_order_acquire) ||
			     have == address))
				return &table[at];
		}
	}
	return NULL;
}

/* Returns the common entry, for locks that are all one, or a lock without room; NULL when it is not measured. */
static struct ompp_lock *use_common(enum ompp_construct construct)
{
	struct ompp_lock *lock = &common[construct == OMPP_NEST_LOCK];
	struct ompp_lock_def *def = ompp_lock_common(construct);

	if (ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS] != OMPP_COLLAPSE_ALL)
		ompp_note_add(OMPP_NOTE_LOCKS, 1);
	if (!def || def->region->off)
		return NULL;
	lock->is_common = 1;
	atomic_store_explicit(&lock->key, def->region->key, memory_order_release);
	return lock;
}

static int is_disabled(void)
{
	return ompp_session.options.disabled >> OMPP_DISABLE_LOCK & 1;
}

/* Finds a lock at its first use, after it was made anew at another place, or when it is not where it is sought
 * first. */
static __attribute__((cold, noinline)) struct ompp_lock *find(uintptr_t address, enum ompp_construct construct,
                                                              const char *site)
{
	struct ompp_lock *lock;
	struct ompp_lock_def *def;

	if (!ompp_self->limit && (!ompp_session_start() || !ompp_thread_start(1)))
		return NULL;
	if (is_disabled())
		return NULL;
	if (ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS] == OMPP_COLLAPSE_ALL || !(lock = lock_entry(address)))
		return use_common(construct);
	if (atomic_load_explicit(&lock->key, memory_order_acquire))
		return lock;
	def = atomic_load_explicit(&lock->def, memory_order_acquire);
	if (!def)
		def = ompp_lock_define(&lock->def, address, construct, lock->maker,
		                       lock->maker ? NULL : ompp_lock_site(site, SIZE_MAX));
	if (!def)
		return use_common(construct);
	if (def->region->off)
		return NULL;
	atomic_store_explicit(&lock->key, def->region->key, memory_order_release);
	return lock;
}

struct ompp_lock *ompp_lock_find(const void *address, enum ompp_construct construct, const char *site)
{
	struct ompp_lock *table = atomic_load_explicit(&tables[0], memory_order_acquire), *lock;

	if (__builtin_expect(table && ompp_self->limit, 1)) {
		lock = &table[first_slot((uintptr_t)address)];
		if (__builtin_expect(atomic_load_explicit(&lock->address, memory_order_relaxed) == (uintptr_t)address &&
		                             atomic_load_explicit(&lock->key, memory_order_acquire),
		                     1))
			return lock;
	}
	return find((uintptr_t)address, construct, site);
}

void ompp_lock_made(const void *address, struct ompp_lock_site *site)
{
	struct ompp_lock *lock;

	if (!ompp_session_start() || is_disabled() ||
	    ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS] == OMPP_COLLAPSE_ALL)
		return;
	lock = lock_entry((uintptr_t)address);
	if (!lock)
		return;
	lock->depth = 0;
	if (lock->maker == site)
		return;
	lock->maker = site;
	lock->made = atomic_fetch_add_explicit(&n_made, 1, memory_order_relaxed) + 1;
	lock->site = NULL;
	atomic_store_explicit(&lock->def, NULL, memory_order_relaxed);
	atomic_store_explicit(&lock->key, 0, memory_order_release);
}

static struct ompp_callnode *own_node(const struct ompp_lock *lock)
{
	struct ompp_thread *t = ompp_self;
	uint64_t key = atomic_load_explicit(&lock->key, memory_order_relaxed);

	return ompp_callgraph_child(&t->graph, t->top->node, key, t->max_depth);
}

void ompp_lock_after_set(struct ompp_lock *lock, uint64_t before_ticks, int acquired)
{
	uint64_t now = ompp_clock();
	struct ompp_callnode *node = own_node(lock);
	int counted = !OMPP_LOAD(&ompp_session.off);

	OMPP_ADD(&node->ticks, now - before_ticks);
	if (!acquired)
		return;
	if (__builtin_expect(counted, 1))
		OMPP_ADD(&node->n, 1);
	if (lock->is_common)
		return;
	if (lock->depth++)
		return;
	lock->set_ticks = now;
	lock->node = node;
	lock->owner = ompp_self;
	lock->counted = (uint16_t)counted;
}

void ompp_lock_set_at(struct ompp_lock *lock, const char *text)
{
	struct ompp_lock_site *site;

	if (lock->is_common)
		return;
	site = ompp_lock_site(text, SIZE_MAX);
	if (!site)
		return;
	lock->site = text;
	ompp_lock_def_add_site(atomic_load_explicit(&lock->def, memory_order_relaxed), site);
}

struct ompp_lock_release ompp_lock_before_unset(struct ompp_lock *lock)
{
	struct ompp_lock_release release = { NULL, 0, 0, 0 };

	if (!lock->is_common) {
		if (!lock->depth || --lock->depth) {
			release.node = own_node(lock);
			release.before_ticks = ompp_clock();
			return release;
		}
		ompp_assert(!lock->owner || lock->node);
		release.node = lock->owner == ompp_self ? lock->node : own_node(lock);
		release.before_ticks = ompp_clock();
		release.body_ticks = release.before_ticks - lock->set_ticks;
		release.n = !lock->counted && (int64_t)release.body_ticks > 0;
		return release;
	}
	release.node = own_node(lock);
	release.before_ticks = ompp_clock();
	return release;
}

void ompp_lock_after_unset(struct ompp_lock_release release)
{
	uint64_t now = ompp_clock();

	if (__builtin_expect(release.n, 0))
		OMPP_ADD(&release.node->n, 1);
	if (__builtin_expect(!OMPP_LOAD(&ompp_session.off), 1))
		OMPP_ADD(&release.node->n_lock_exits, 1);
	OMPP_ADD(&release.node->exit_ticks, now - release.before_ticks);
	if ((int64_t)release.body_ticks > 0)
		OMPP_ADD(&release.node->body_ticks, release.body_ticks);
}

void ompp_locks_each(void (*each)(const struct ompp_lock *lock, void *context), void *context)
{
	int k;

	for (k = 0; k < N_TABLES; k++) {
		const struct ompp_lock *table = atomic_load_explicit(&tables[k], memory_order_acquire);
		size_t i;

		for (i = 0; table && i < n_slots(k); i++)
			if (atomic_load_explicit(&table[i].address, memory_order_acquire))
				each(&table[i], context);
	}
}
