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
#include "runtime/core/frame.h"
#include "runtime/core/session.h"
#include "runtime/core/storm.h"
#include "runtime/events/hold.h"
#include "runtime/events/thread_start.h"
#include "runtime/events/visit.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/session/session_start.h"
#include "runtime/terms/option.h"

/* Hash tables of locks by address.  Each is four times as large as the one before, and is allocated when that one is
 * crowded: a lock that finds no free entry within MOST_PROBES goes into one of the next tables.  Entries are never
 * removed, so a lock is found where it was inserted. */
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

/* Returns the entry at which probing for a lock begins. */
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

/* Finds a lock at its first use, after it was initialised again at another call site, or when it is not at its first
 * probe. */
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

/* ---- storms ---- */

/* Does this thread hold the lock?  Other threads may change both words meanwhile, but an answer of "no" is always
 * right. */
static int is_held_here(const struct ompp_lock *lock)
{
	return OMPP_LOAD(&lock->depth) && OMPP_LOAD(&lock->owner) == ompp_self;
}

/* Returns whether the coming set belongs to a storm and is not timed. */
static int is_untimed(const struct ompp_lock *lock)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node = own_node(lock);
	uint64_t look_at = OMPP_LOAD(&node->look_at);

	if (lock->is_common || ompp_thread_instance(t) || is_held_here(lock))
		return 0;
	if (node->n < OMPP_LOAD(&node->timed_at))
		return 1;
	if (look_at && node->n >= look_at)
		ompp_visit_look(t, node);
	return 0;
}

uint64_t ompp_lock_before_set(const struct ompp_lock *lock)
{
	if (__builtin_expect(ompp_mode_is_storms(), 0) && is_untimed(lock))
		return OMPP_LOCK_UNTIMED;
	return ompp_clock();
}

/* Counts a set that was timed while the node is in a storm.  It becomes one of the sample when it is unset.
 * is_chosen: 0 when it cannot be that */
static void set_in_storm(struct ompp_lock *lock, struct ompp_callnode *node, uint64_t before_ticks, uint64_t now,
                         int is_chosen)
{
	struct ompp_storm *s = node->storm;

	OMPP_ADD(&s->n_beside, 1);
	if (!is_chosen || ompp_thread_instance(ompp_self) || node->n <= OMPP_LOAD(&node->timed_at))
		return;
	lock->storm = s->number;
	lock->enter_ticks = now - before_ticks;
	ompp_storm_span(node, ompp_frame_spent(ompp_self->top, before_ticks), ompp_frame_spent(ompp_self->top, now));
	ompp_storm_choose(node);
}

/* Adds the visit that ends now to the sample of the storm in which the lock was set. */
static void unset_in_storm(const struct ompp_lock_release *release, uint64_t exit_ticks)
{
	struct ompp_storm *s = release->node->storm;
	uint64_t times[OMPP_STORM_TIMES] = { [OMPP_STORM_ENTER] = release->enter_ticks,
		                             [OMPP_STORM_BODY] = release->body_ticks,
		                             [OMPP_STORM_EXIT] = exit_ticks };

	if (OMPP_LOAD(&release->node->look_at) || s->number != release->storm)
		return;
	times[OMPP_STORM_WHOLE] = release->enter_ticks + release->body_ticks + exit_ticks;
	OMPP_ADD(&s->n_beside, (uint64_t)-1);
	ompp_storm_add(release->node, times);
}

/* ---- calls ---- */

/* Remembers who holds the lock since when. */
static void hold(struct ompp_lock *lock, struct ompp_callnode *node, uint64_t now, int counted)
{
	lock->set_ticks = now;
	lock->node = node;
	OMPP_STORE(&lock->owner, ompp_self);
	OMPP_STORE(&lock->set_by, 0);
	lock->counted = (uint16_t)counted;
	lock->is_untimed = now == OMPP_LOCK_UNTIMED;
	lock->storm = 0;
}

/* Counts a call that acquired the lock.  Returns 1 where it is the outermost one of a lock that holds times. */
static int acquire(struct ompp_lock *lock, struct ompp_callnode *node, uint64_t now, int counted)
{
	uint32_t depth = lock->depth;

	if (__builtin_expect(counted, 1))
		OMPP_ADD(&node->n, 1);
	if (lock->is_common)
		return 0;
	OMPP_STORE(&lock->depth, depth + 1);
	if (depth)
		return 0;
	hold(lock, node, now, counted);
	return 1;
}

/* Lets the longest path go on behind a call that waited for the lock, or asked for it. */
static __attribute__((noinline)) void go_on(struct ompp_lock *lock, uint64_t before_ticks, uint64_t now, int acquired)
{
	ompp_hold_asks(before_ticks);
	ompp_hold_takes(acquired && !lock->is_common ? &lock->path : NULL,
	                OMPP_KEY_ID(atomic_load_explicit(&lock->key, memory_order_relaxed)), now);
}

/* Counts a call that was timed. */
static void after(struct ompp_lock *lock, uint64_t before_ticks, int acquired, int is_set)
{
	uint64_t now = ompp_clock();
	struct ompp_callnode *node = own_node(lock);
	int counted = !OMPP_LOAD(&ompp_session.off), is_outer;

	if (ompp_frame_is_on_path())
		go_on(lock, before_ticks, now, acquired);
	OMPP_ADD(&node->ticks, now - before_ticks);
	if (!acquired)
		return;
	is_outer = acquire(lock, node, now, counted);
	if (__builtin_expect(!OMPP_LOAD(&node->look_at), 0) && counted)
		set_in_storm(lock, node, before_ticks, now, is_set && is_outer);
}

void ompp_lock_after_set(struct ompp_lock *lock, uint64_t before_ticks)
{
	if (before_ticks != OMPP_LOCK_UNTIMED)
		after(lock, before_ticks, 1, 1);
	else
		acquire(lock, own_node(lock), OMPP_LOCK_UNTIMED, 1);
}

void ompp_lock_after_test(struct ompp_lock *lock, uint64_t before_ticks, int acquired)
{
	after(lock, before_ticks, acquired, 0);
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

/* Ends the outermost set of a lock. */
static struct ompp_lock_release lock_release(const struct ompp_lock *lock)
{
	int is_own = lock->owner == ompp_self;
	struct ompp_lock_release release = { .node = is_own ? lock->node : own_node(lock),
		                             .before_ticks = OMPP_LOCK_UNTIMED };

	if (lock->is_untimed)
		return release;
	release.before_ticks = ompp_clock();
	release.body_ticks = release.before_ticks - lock->set_ticks;
	release.n = !lock->counted && (int64_t)release.body_ticks > 0;
	release.storm = is_own ? lock->storm : 0;
	release.enter_ticks = lock->enter_ticks;
	return release;
}

struct ompp_lock_release ompp_lock_before_unset(struct ompp_lock *lock)
{
	uint32_t depth = lock->depth;

	if (!lock->is_common && depth) {
		OMPP_STORE(&lock->depth, depth - 1);
		if (depth == 1) {
			struct ompp_lock_release release = lock_release(lock);

			ompp_assert(!lock->owner || lock->node);
			if (ompp_frame_is_on_path())
				ompp_hold_gives(lock->path, release.before_ticks);
			return release;
		}
	}
	return (struct ompp_lock_release){ .node = own_node(lock), .before_ticks = ompp_clock() };
}

/* Counts a set that was not counted when it came, as measuring was off. */
static void count_late(struct ompp_callnode *node)
{
	OMPP_ADD(&node->n, 1);
	if (!OMPP_LOAD(&node->look_at))
		OMPP_ADD(&node->storm->n_beside, 1);
}

void ompp_lock_after_unset(struct ompp_lock_release release)
{
	uint64_t now = release.before_ticks == OMPP_LOCK_UNTIMED ? 0 : ompp_clock();

	if (__builtin_expect(!OMPP_LOAD(&ompp_session.off), 1))
		OMPP_ADD(&release.node->n_lock_exits, 1);
	if (!now)
		return;
	if (__builtin_expect(release.n, 0))
		count_late(release.node);
	OMPP_ADD(&release.node->exit_ticks, now - release.before_ticks);
	if ((int64_t)release.body_ticks > 0)
		OMPP_ADD(&release.node->body_ticks, release.body_ticks);
	if (__builtin_expect(release.storm, 0))
		unset_in_storm(&release, now - release.before_ticks);
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
