/*
 * Emulated: see emulated.h.
 */
#include "runtime/access/emulated.h"

#include <stdatomic.h>

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/base/sys.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/host/note.h"
#include "runtime/program/debuginfo.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { AT_ONCE = 64 };

static struct ompp_emulation emulation;
static __thread struct ompp_emulated_thread mine __attribute__((tls_model("initial-exec")));
static __thread int is_settling __attribute__((tls_model("initial-exec")));

static void ask_plugin(enum ompp_emulation_what what, void *about)
{
	ompp_sys_direct(OMPP_EMULATION_CALL, (long)what, (long)about, 0, 0, 0, 0);
}

int ompp_emulated_is_on(void)
{
	return emulation.answer == OMPP_EMULATION_VERSION;
}

void ompp_emulated_start(char *const *environment)
{
	if (!ompp_environment(environment, "KINST_EMULATED"))
		return;
	emulation = (struct ompp_emulation){ .version = OMPP_EMULATION_VERSION,
		                             .root = &ompp_access_root,
		                             .grains = &ompp_access_grains,
		                             .other_row = ompp_cover_row(OMPP_OBJECT_OTHER) };
	ask_plugin(OMPP_EMULATION_BEGIN, &emulation);
	if (!ompp_emulated_is_on())
		return; /* it is a process that the emulated program has started, and which is not emulated itself */
	ompp_access_objects.plain = 1;
	ompp_debuginfo_is_emulated = 1;
	ompp_thread_entered = ompp_emulated_settle;
	ompp_mode_set(OMPP_MODE_EMULATED);
	ompp_note_say("emulated: accesses are exact; all times are the emulator's, not the program's");
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
	if (e->row) {
		settle_in_row(e);
	} else if (e->size < OMPP_SIZES) {
		ompp_access_run_far(e->lo, 0, e->n, e->size, e->slot);
	} else {
		for (uint64_t i = 0; i < e->n; i++)
			ompp_access_block(e->lo, e->n_bytes, e->slot);
	}
}

void ompp_emulated_settle(struct ompp_thread *t)
{
	struct ompp_emulated_accesses some[AT_ONCE];

	if (!t->limit || is_settling)
		return;
	is_settling = 1;
	if (!mine.own) {
		mine = (struct ompp_emulated_thread){ .own = &ompp_access_own, .n_room = AT_ONCE };
		ask_plugin(OMPP_EMULATION_THREAD, &mine);
	}
	/* This names the thread's stack, too, before addresses are looked up. */
	ompp_access_tally_for(atomic_load_explicit(&ompp_n_covers, memory_order_acquire) - 1);
	while (mine.n_waiting) {
		mine.to = some;
		ask_plugin(OMPP_EMULATION_TAKE, &mine);
		for (size_t i = 0; i < mine.n_taken; i++)
			settle_entry(&some[i]);
	}
	is_settling = 0;
}

void ompp_emulated_after_fork(void)
{
	if (ompp_emulated_is_on())
		ask_plugin(OMPP_EMULATION_FORGET, NULL);
}

const struct ompp_emulation *ompp_emulated_uncounted(void)
{
	if (ompp_emulated_is_on())
		ask_plugin(OMPP_EMULATION_UNCOUNTED, &emulation);
	return &emulation;
}
