/*
 * Lock: see lock.h.
 */
#include "runtime/core/lock.h"

#include <stdatomic.h>

#include "runtime/base/note.h"
#include "runtime/base/text.h"

enum { MAX_LOCKS = 4096, N_SLOTS = 4 * MAX_LOCKS };

static struct ompp_lock table[N_SLOTS];
static struct ompp_lock common;                 /* OMPP_COLLAPSE_LOCKS, or more than MAX_LOCKS; never holds a time */
static _Atomic uint32_t n_locks;

static struct ompp_region_def *define(uintptr_t address, enum ompp_construct construct)
{
	char name[32];
	struct ompp_text t;

	ompp_text_init(&t, name, sizeof(name));
	if (address) {
		ompp_text_str(&t, "0x");
		ompp_text_hex(&t, address);
	} else {
		ompp_text_str(&t, ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS] ? "(all locks)" : "(other locks)");
	}
	return ompp_region_named(construct, name, "", 0);
}

static struct ompp_lock *entry(uintptr_t address)
{
	uint32_t at = (uint32_t)((address >> 2) * 0x9E3779B97F4A7C15u >> 40);
	int i;

	if (ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS])
		return &common;
	for (i = 0; i < N_SLOTS; i++) {
		struct ompp_lock *lock = &table[(at + (uint32_t)i) % N_SLOTS];
		uintptr_t have = atomic_load_explicit(&lock->address, memory_order_acquire);

		if (have == address)
			return lock;
		if (have)
			continue;
		if (atomic_load_explicit(&n_locks, memory_order_relaxed) >= MAX_LOCKS)
			break;
		if (atomic_compare_exchange_strong_explicit(&lock->address, &have, address, memory_order_acq_rel,
		                                            memory_order_acquire)) {
			atomic_fetch_add_explicit(&n_locks, 1, memory_order_relaxed);
			return lock;
		}
		if (have == address)
			return lock;
	}
	ompp_note_add(OMPP_NOTE_LOCKS, 1);
	return &common;
}

struct ompp_lock *ompp_lock_find(const void *address, enum ompp_construct construct)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_lock *lock;
	struct ompp_region_def *def;

	if (ompp_session.options.number[OMPP_OPT_DISABLE_LOCK])
		return NULL;
	if (!t->limit && !ompp_thread_start(1))
		return NULL;
	lock = entry((uintptr_t)address);
	def = atomic_load_explicit(&lock->def, memory_order_acquire);
	if (!def) {
		def = define(lock == &common ? 0 : (uintptr_t)address, construct);
		atomic_store_explicit(&lock->def, def, memory_order_release);
	}
	return def && !def->off ? lock : NULL;
}

static struct ompp_callnode *own_node(const struct ompp_lock *lock)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_region_def *def = atomic_load_explicit(&lock->def, memory_order_relaxed);

	return ompp_callgraph_child(&t->graph, t->top->node, def->key, t->max_depth);
}

void ompp_lock_after_set(struct ompp_lock *lock, uint64_t before_ticks, int acquired)
{
	uint64_t now = ompp_clock();
	struct ompp_callnode *node = own_node(lock);
	int counted = !OMPP_LOAD(&ompp_session.off);

	OMPP_ADD(&node->ticks, now - before_ticks);
	if (!acquired)
		return;
	OMPP_ADD(&node->n, counted);
	if (lock == &common)
		return;
	if (lock->depth++)
		return;
	lock->set_ticks = now;
	lock->node = node;
	lock->owner = ompp_self;
	lock->counted = counted;
}

struct ompp_lock_release ompp_lock_before_unset(struct ompp_lock *lock)
{
	struct ompp_lock_release release = { NULL, 0, 0, 0 };

	if (lock != &common) {
		if (!lock->depth || --lock->depth) {
			release.node = own_node(lock);
			release.before_ticks = ompp_clock();
			return release;
		}
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

	OMPP_ADD(&release.node->n, release.n);
	OMPP_ADD(&release.node->n_lock_exits, !OMPP_LOAD(&ompp_session.off));
	OMPP_ADD(&release.node->exit_ticks, now - release.before_ticks);
	if ((int64_t)release.body_ticks > 0)
		OMPP_ADD(&release.node->body_ticks, release.body_ticks);
}
