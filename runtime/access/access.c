/*
 * Access: see access.h.
 */
#include "runtime/access/access.h"

#include <stdatomic.h>

#include "runtime/access/access_count.h"
#include "runtime/access/access_interchange.h"
#include "runtime/access/follow.h"
#include "runtime/core/section.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/ranges/container.h"
#include "runtime/sources/breakpoint.h"

__thread struct ompp_last_copy ompp_access_last_copy __attribute__((tls_model("initial-exec")));
__thread uintptr_t ompp_access_caller __attribute__((tls_model("initial-exec")));

struct ompp_access_objects ompp_access_objects;
void (*ompp_access_hooked)(void);

void ompp_access_made(int source)
{
	if (ompp_access_hooked && !ompp_access_objects.source && !ompp_access_objects.plain)
		ompp_access_hooked();
	*(source ? &ompp_access_objects.source : &ompp_access_objects.plain) = 1;
	ompp_sections_look(); /* this may be a library that is being loaded */
}

/* Handles an access of the program to what may be a container.  Returns 1 when all of it is in one container, and the
 * access was counted; 2 when the access meets several containers, or one in part; 0 when it meets none. */
static int count_watched(uintptr_t address, unsigned int size, unsigned int slot)
{
	const struct ompp_segment *s = ompp_segment_at(address);
	struct ompp_container *c = (struct ompp_container *)(uintptr_t)ompp_segment_watch(s);
	struct ompp_tally *y;

	if (ompp_self->follow.is_asking)
		return 0;
	if (OMPP_LOAD(&s->hi) - address < (uintptr_t)1 << size || c == OMPP_SEVERAL)
		return 2;
	y = c ? ompp_access_tally_for(s->cover) : NULL;
	if (!y || !y->row_end)
		return c ? 2 : 0;
	ompp_tally_count(y, ompp_access_row(s), address, size, slot);
	ompp_follow_met(ompp_self, c, slot != OMPP_SLOT_LOAD);
	if (ompp_self->follow.is_holding)
		ompp_access_tally = &ompp_no_tally;
	return 1;
}

/* Does what ompp_access_miss() does when there are containers. */
static __attribute__((noinline)) void miss_watched(uintptr_t address, unsigned int size, unsigned int slot)
{
	int watched = ompp_follow_has_containers() ? count_watched(address, size, slot) : 0;

	if (watched == 1)
		return;
	if (ompp_self->follow.is_busy &&
	    ompp_follow_hold(ompp_self,
	                     &(struct ompp_held){ address, (size_t)1 << size, (uint8_t)slot, (uint8_t)size, 0 }))
		return;
	ompp_access_count(address, size, slot);
	if (watched)
		ompp_follow_meet(address, (size_t)1 << size, slot);
}

void ompp_access_miss(uintptr_t address, unsigned int size, unsigned int slot)
{
	if (__builtin_expect(ompp_follow_has_containers() || ompp_self->follow.is_busy, 0))
		miss_watched(address, size, slot);
	else
		ompp_access_count(address, size, slot);
}

void ompp_access_block(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	if (!n_bytes)
		return;
	if (__builtin_expect(ompp_self->follow.is_busy, 0) &&
	    ompp_follow_hold(ompp_self, &(struct ompp_held){ address, n_bytes, (uint8_t)slot, 0, 1 }))
		return;
	ompp_follow_block(address, n_bytes, slot);
}

void ompp_access_boundary(struct ompp_thread *t)
{
	struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS];
	size_t n, i;

	if (t->follow.is_holding)
		ompp_follow_settle(t);
	ompp_access_interchange_end(t);
	n = OMPP_LOAD(&ompp_breakpoints_on) ? ompp_breakpoint_read(&t->breakpoints, slots) : 0;
	for (i = 0; i < n; i++) {
		const struct ompp_object_def *def = ompp_object(slots[i].object);
		struct ompp_tally *y;

		if (!slots[i].n || !def->cover)
			continue;
		y = ompp_access_tally_for(def->cover);
		if (!y)
			return;
		ompp_tally_add(ompp_tally_word(y, ompp_cover_row(def->cover),
		                               slots[i].kind == OMPP_BREAKPOINT_ALL ? OMPP_SLOT_LOAD : OMPP_SLOT_STORE),
		               slots[i].n);
	}
}
