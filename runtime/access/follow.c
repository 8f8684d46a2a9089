/*
 * Follow: see follow.h.
 */
#include "runtime/access/follow.h"

#include <string.h>

#include "runtime/access/access_count.h"
#include "runtime/base/text.h"
#include "runtime/core/thread.h"
#include "runtime/data/page.h"
#include "runtime/host/note.h"
#include "runtime/terms/mode.h"

enum { MOST_SHOWN = 100 }; /* bytes of a name */
enum { QUIET = 4 };        /* accesses elsewhere in a row after which a container is taken to be complete */

static int is_watched(const struct ompp_segment *s)
{
	return (s->row & OMPP_ROW_WATCHED) != 0;
}

static void follow_touch(struct ompp_follow *f, struct ompp_container *c)
{
	uint32_t i;

	for (i = 0; i < f->n_touched && i < OMPP_TOUCHED; i++)
		if (f->touched[i] == c)
			return;
	if (i < OMPP_TOUCHED)
		f->touched[i] = c;
	f->n_touched = i + 1;
}

/* Begins to defer accesses: the thread's next accesses come to ompp_follow_hold(). */
static void begin_holding(struct ompp_follow *f)
{
	f->n_quiet = 0;
	if (f->is_holding)
		return;
	ompp_mode_hold(); /* comes first, before a signal handler can find that it is to be let go */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	f->is_busy = f->is_holding = 1;
}

int __attribute__((noinline))
ompp_follow_ask(struct ompp_thread *t, ompp_look *look, uintptr_t lo, uintptr_t hi, const void **data, size_t *n_bytes)
{
	struct ompp_follow *f = &t->follow;
	struct ompp_tally *tally = ompp_access_tally;
	int was_busy = f->is_busy;
	struct {
		const void *data;
		size_t n_bytes;
	} said = { NULL, 0 }; /* what the answer may write: this, and what lies below it on the stack */

	f->lo = lo;
	f->hi = hi;
	f->frame = (uintptr_t)(&said + 1); /* on some machines a frame's address is its lower end */
	f->is_open = 0;
	f->is_busy = f->is_asking = 1;
	ompp_access_tally = &ompp_no_tally; /* so that what it accesses comes to ompp_follow_hold() */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	look((const void *)lo, &said.data, &said.n_bytes);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ompp_access_tally = tally;
	f->is_asking = 0;
	f->is_busy = was_busy;
	*data = said.data;
	*n_bytes = said.n_bytes;
	return f->is_open;
}

/* Looks at an access by the functions that are asked: it is to the container, to variables of the call, or to memory
 * elsewhere. */
static void watch_asked(struct ompp_follow *f, uintptr_t address)
{
	if (address - f->lo >= f->hi - f->lo &&
	    (address >= f->frame || address < (uintptr_t)__builtin_frame_address(0)))
		f->is_open = 1;
}

void ompp_follow_not(const char *name, const char *why)
{
	struct ompp_text t;
	char line[256];

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "Not followed: ");
	ompp_text_strn(&t, name, strnlen(name, MOST_SHOWN));
	ompp_text_str(&t, ": ");
	ompp_text_str(&t, why);
	ompp_note_say_once(line, t.n_bytes);
}

void ompp_follow_look(struct ompp_thread *t, struct ompp_container *container)
{
	struct ompp_seen seen;
	const void *data;
	size_t n_bytes;

	if (!ompp_container_see(container, &seen))
		return;
	if (ompp_follow_ask(t, seen.look, seen.lo, seen.hi, &data, &n_bytes)) {
		ompp_container_leave(container, &seen);
		ompp_follow_not(seen.name, OMPP_FOLLOW_OPEN);
	} else {
		ompp_container_follow(container, &seen, data, n_bytes);
	}
}

void ompp_follow_settle(struct ompp_thread *t)
{
	struct ompp_follow *f = &t->follow;
	struct ompp_held held[OMPP_HELD];
	uint32_t n = f->n_held, i;

	for (i = 0; i < n; i++)
		held[i] = f->held[i];
	for (i = 0; i < f->n_touched && i < OMPP_TOUCHED; i++)
		ompp_follow_look(t, f->touched[i]);
	f->n_held = f->n_touched = 0;
	f->is_busy = 0;
	if (f->is_holding) {
		f->is_holding = 0;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		ompp_mode_let_go();
	}
	for (i = 0; i < n; i++)
		if (held[i].is_block)
			ompp_follow_block(held[i].address, held[i].n_bytes, held[i].slot);
		else
			ompp_access_count(held[i].address, held[i].size, held[i].slot);
}

int ompp_follow_hold(struct ompp_thread *t, const struct ompp_held *access)
{
	struct ompp_follow *f = &t->follow;

	if (f->is_asking) {
		watch_asked(f, access->address);
		return 1;
	}
	if (!f->is_holding || is_watched(ompp_segment_at(access->address)))
		return 0;
	if (f->n_held == OMPP_HELD) /* a signal handler came in between */
		ompp_follow_settle(t);
	f->held[f->n_held++] = *access;
	if (++f->n_quiet == QUIET || f->n_held == OMPP_HELD)
		ompp_follow_settle(t);
	return 1;
}

void ompp_follow_met(struct ompp_thread *t, struct ompp_container *container, int is_store)
{
	if (t->follow.is_asking)
		return;
	if (is_store) {
		follow_touch(&t->follow, container);
		begin_holding(&t->follow);
	} else if (!t->follow.is_holding && ompp_container_has_changed(container)) {
		ompp_follow_look(t, container);
	}
}

__attribute__((noinline, cold)) void ompp_follow_meet(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	int is_store = slot != OMPP_SLOT_LOAD && slot != OMPP_SLOT_BLOCK_LOAD;
	struct ompp_container *list[OMPP_TOUCHED];
	size_t n, i;

	if (!ompp_self->limit)
		return;
	n = ompp_containers_in(address, address + n_bytes, list, OMPP_TOUCHED);
	for (i = 0; i < n; i++)
		ompp_follow_met(ompp_self, list[i], is_store);
	if (ompp_self->follow.is_holding)
		ompp_access_tally = &ompp_no_tally;
}

void ompp_follow_block(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	ompp_access_count_block(address, n_bytes, slot);
	if (__builtin_expect(ompp_follow_has_containers(), 0) && ompp_pages_may_be_named(address, address + n_bytes))
		ompp_follow_meet(address, n_bytes, slot);
}
