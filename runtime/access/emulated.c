/*
 * Emulated: see emulated.h.
 */
#include "runtime/access/emulated.h"

#include <stdatomic.h>

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_member.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/helper_thread.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/counters/work.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/data/segment.h"
#include "runtime/host/note.h"
#include "runtime/host/past.h"
#include "runtime/host/real.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/page_use.h"
#include "runtime/program/debuginfo.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { AT_ONCE = 64, MOST_MAPPED = 1024 };

static struct ompp_emulation emulation;
static __thread struct ompp_emulated_thread mine __attribute__((tls_model("initial-exec")));
static __thread int is_settling __attribute__((tls_model("initial-exec")));
__thread int ompp_emulated_allocating __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Memory that was mapped while the plug-in had a thread take accesses: the emulator has to hear of it, or it would not
 * let system calls use it.  Places are used again in turn; n_bytes is 0 in those that are free. */
static struct {
	uintptr_t at;
	_Atomic size_t n_bytes;
} mapped[MOST_MAPPED];
static _Atomic uint32_t n_mapped, n_told;

static void note_mapped(uintptr_t at, size_t n_bytes)
{
	uint32_t i;

	if (!ompp_real_is_away)
		return;
	i = atomic_fetch_add_explicit(&n_mapped, 1, memory_order_relaxed) % MOST_MAPPED;
	mapped[i].at = at;
	atomic_store_explicit(&mapped[i].n_bytes, n_bytes, memory_order_release);
}

static void tell_mapped(void)
{
	uint32_t n = atomic_load_explicit(&n_mapped, memory_order_acquire);

	if (n == atomic_load_explicit(&n_told, memory_order_relaxed))
		return;
	for (size_t i = 0; i < MOST_MAPPED; i++) {
		size_t n_bytes = atomic_exchange_explicit(&mapped[i].n_bytes, 0, memory_order_acquire);

		if (n_bytes)
			ompp_sys_mprotect((void *)mapped[i].at, n_bytes, PROT_READ | PROT_WRITE);
	}
	atomic_store_explicit(&n_told, n, memory_order_relaxed);
}

/* Called by the plug-in.  A thread that has ended, or is still being started, is not started here: that calls the C
 * library. */
static int take_in_order(const struct ompp_emulated_access *some, size_t n)
{
	if (!ompp_self->limit)
		return -1;
	ompp_real_is_away = 1;
	for (size_t i = 0; i < n; i++) {
		const struct ompp_emulated_access *a = &some[i];

		if (a->cover != OMPP_EMULATED_UNKNOWN)
			ompp_access_count_known(a->cover, a->address, a->n_bytes, a->size, a->slot);
		else if (a->size < OMPP_SIZES)
			ompp_access_miss(a->address, a->size, a->slot);
		else
			ompp_access_block(a->address, a->n_bytes, a->slot);
	}
	ompp_real_is_away = 0;
	return 0;
}

static void ask_by_call(enum ompp_emulation_what what, void *about)
{
	ompp_sys_direct(OMPP_EMULATION_CALL, (long)what, (long)about, 0, 0, 0, 0);
}

void (*ompp_emulated_ask)(enum ompp_emulation_what what, void *about) = ask_by_call;

int ompp_emulated_is_on(void)
{
	return emulation.answer == OMPP_EMULATION_VERSION;
}

static void settle_own(void)
{
	ompp_emulated_settle(ompp_self);
}

void ompp_emulated_start(char *const *environment)
{
	if (!ompp_environment(environment, "KINST_EMULATED"))
		return;
	emulation = (struct ompp_emulation){ .version = OMPP_EMULATION_VERSION,
		                             .root = &ompp_access_root,
		                             .grains = &ompp_access_grains,
		                             .other_row = ompp_cover_row(OMPP_OBJECT_OTHER),
		                             .row_bytes = &ompp_row_bytes,
		                             .take = take_in_order,
		                             .searches_lines = ompp_session.options.number[OMPP_OPT_SHARING] != 0 };
	ompp_emulated_ask(OMPP_EMULATION_BEGIN, &emulation);
	if (!ompp_emulated_is_on())
		return; /* it is a process that the emulated program has started, and which is not emulated itself */
	ompp_helper_threads_emulated(emulation.threads);
	ompp_access_objects.plain = 1;
	ompp_work_is_emulated = emulation.counts_work != 0;
	ompp_debuginfo_is_emulated = 1;
	ompp_thread_entered = ompp_emulated_settle;
	ompp_heap_ending = settle_own;
	ompp_space_mapped = note_mapped;
	ompp_sharing_is_timed = 0;
	ompp_mode_set(OMPP_MODE_EMULATED);
	ompp_note_say("emulated: accesses are exact; all times are the emulator's, not the program's");
}

void ompp_emulated_begin(void)
{
	if (!ompp_emulated_is_on() || !emulation.is_ordered)
		return;
	ompp_access_members_ask_early();
	ompp_past_note();
	ompp_page_use_ready();
	if (ompp_access_tally_for(OMPP_OBJECT_OTHER))
		ompp_emulated_settle(ompp_self);
}

/* Counts accesses whose row is known. */
static void settle_in_row(const struct ompp_emulated_accesses *e)
{
	struct ompp_tally *y = ompp_access_tally_for(ompp_row_cover(e->row));

	if (!y)
		return;
	if (e->size < OMPP_SIZES)
		ompp_tally_count_run(ompp_tally_word(y, e->row, e->slot), e->lo, e->hi, e->n, e->size);
	else
		ompp_tally_count_blocks(y, e->row, e->lo, e->hi + e->n_bytes - 1, e->n, e->n_bytes, e->slot);
}

static void settle_entry(const struct ompp_emulated_accesses *e)
{
	if (!e->n) {
		ompp_segment_at(e->lo);
	} else if (e->row) {
		settle_in_row(e);
	} else if (e->size < OMPP_SIZES) {
		ompp_access_run_far(e->lo, 0, e->n, e->size, e->slot);
	} else {
		for (uint64_t i = 0; i < e->n; i++)
			ompp_access_block(e->lo, e->n_bytes, e->slot);
	}
}

/* Returns the calling thread's pointer to its thread-local storage. */
static uintptr_t emulated_storage(void)
{
#if defined(__powerpc64__) /* GCC 12 has no builtin for it there; the ABI keeps it in r13 */
	uintptr_t storage;

	__asm__("mr %0, 13" : "=r"(storage));
	return storage;
#else
	return (uintptr_t)__builtin_thread_pointer();
#endif
}

void ompp_emulated_settle(struct ompp_thread *t)
{
	struct ompp_emulated_accesses some[AT_ONCE];

	/* Nothing is handed over to a thread that is being started, for which the C library makes accesses, nor to the
	 * one on which costs are measured. */
	if (!t->limit || t != ompp_self || t != ompp_threads[t->slot] || is_settling)
		return;
	is_settling = 1;
	if (!mine.own) {
		mine = (struct ompp_emulated_thread){ .own = &ompp_access_own,
			                              .work = ompp_work,
			                              .sharing = &t->sharing,
			                              .is_allocating = &ompp_emulated_allocating,
			                              .storage = emulated_storage(),
			                              .n_room = AT_ONCE };
		ompp_emulated_ask(OMPP_EMULATION_THREAD, &mine);
	}
	ompp_access_members_wait();
	/* This names the thread's stack, too, before addresses are looked up. */
	ompp_access_tally_for(atomic_load_explicit(&ompp_n_covers, memory_order_acquire) - 1);
	while (mine.n_waiting) {
		mine.to = some;
		ompp_emulated_ask(OMPP_EMULATION_TAKE, &mine);
		for (size_t i = 0; i < mine.n_taken; i++)
			settle_entry(&some[i]);
	}
	tell_mapped();
	is_settling = 0;
}

void ompp_emulated_after_fork(void)
{
	if (ompp_emulated_is_on())
		ompp_emulated_ask(OMPP_EMULATION_FORGET, NULL);
	if (emulation.is_ordered)
		ompp_page_use_ready();
}

const struct ompp_emulation *ompp_emulated_uncounted(void)
{
	if (ompp_emulated_is_on())
		ompp_emulated_ask(OMPP_EMULATION_UNCOUNTED, &emulation);
	return &emulation;
}
