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
		if (f != base)
			continue; /* a task or team is no base yet, or no more, where a signal handler came to its
			             events */
		ompp_check(f->flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM));
		ompp_check(t->frames + base->outer < base);
		base = t->frames + base->outer;
	}
	ompp_check(base == t->frames);
}
