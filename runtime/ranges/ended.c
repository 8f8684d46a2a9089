/*
 * Ended: see ended.h.
 */
#include "runtime/ranges/ended.h"

#include <errno.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/host/stamp.h"
#include "runtime/ranges/piece.h"

/* The bytes [lo, hi) had this cover until then. */
struct note {
	uintptr_t lo, hi;
	uint64_t until;
	uint32_t cover;
};

static struct note *notes; /* [OMPP_ENDED_NOTES]; number i is in place i % OMPP_ENDED_NOTES */
static uint64_t n_notes;

int ompp_ended_start(void)
{
	if (!notes)
		__atomic_store_n(&notes, ompp_data_alloc(OMPP_ENDED_NOTES * sizeof(*notes)), __ATOMIC_RELEASE);
	return notes ? 0 : -ENOMEM;
}

static void ended_put(uintptr_t lo, uintptr_t hi, uint32_t cover, uint64_t until)
{
	struct note *note = &notes[n_notes % OMPP_ENDED_NOTES];

	ompp_assert(lo < hi && until);
	/* A reader sees that the place is used again before it sees other bytes there. */
	OMPP_STORE(&note->until, 0);
	ompp_fence_release();
	OMPP_STORE(&note->lo, lo);
	OMPP_STORE(&note->hi, hi);
	OMPP_STORE(&note->cover, cover);
	__atomic_store_n(&note->until, until, __ATOMIC_RELEASE);
	__atomic_store_n(&n_notes, n_notes + 1, __ATOMIC_RELEASE);
}

void ompp_ended_note(uintptr_t lo, uintptr_t hi)
{
	uint64_t now;
	const struct ompp_piece *p;

	if (__builtin_expect(!notes, 1))
		return;
	now = ompp_stamp();
	for (p = ompp_piece_from(lo); lo < hi; p = p ? ompp_piece_from(lo) : NULL) {
		uintptr_t end = !p || p->lo >= hi ? hi : p->lo > lo ? p->lo : p->hi < hi ? p->hi : hi;
		int is_named = p && p->lo <= lo && p->n_members && p->segment;

		ended_put(lo, end, is_named ? p->segment->cover : OMPP_OBJECT_OTHER, now);
		lo = end;
	}
}

uint32_t ompp_ended_cover(uintptr_t address, uint64_t stamp)
{
	uint32_t cover = ompp_segment_at(address)->cover; /* looked up before the notes: they come before the change */
	uint64_t n, i;

	ompp_fence_acquire();
	n = __atomic_load_n(&n_notes, __ATOMIC_ACQUIRE);
	for (i = n; i-- > 0;) {
		const struct note *note = &notes[i % OMPP_ENDED_NOTES];
		uint64_t until = __atomic_load_n(&note->until, __ATOMIC_ACQUIRE);
		uintptr_t lo = OMPP_LOAD(&note->lo), hi = OMPP_LOAD(&note->hi);
		uint32_t was = OMPP_LOAD(&note->cover);

		ompp_fence_acquire();
		if (n - i > OMPP_ENDED_NOTES || __atomic_load_n(&n_notes, __ATOMIC_RELAXED) - i >= OMPP_ENDED_NOTES)
			return OMPP_ENDED_UNKNOWN; /* the place was used again, or is being so */
		if (until <= stamp)
			break;
		if (address - lo < hi - lo)
			cover = was;
	}
	return cover;
}
