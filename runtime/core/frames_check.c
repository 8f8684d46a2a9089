/*
 * Frames check: checks a thread's stack of frames.  See thread.h.
 */
#include "runtime/base/check.h"
#include "runtime/core/thread.h"

void ompp_frames_check(const struct ompp_thread *t)
{
	const struct ompp_frame *base = t->base, *f;

	ompp_check(t->frames <= base && base <= t->top);
	for (f = t->top < t->limit ? t->top : t->limit; f > t->frames; f--) {
		ompp_check((f == base) == !!(f->flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM)));
		if (f != base)
			continue;
		ompp_check(t->frames + base->outer < base);
		base = t->frames + base->outer;
	}
	ompp_check(base == t->frames);
}
