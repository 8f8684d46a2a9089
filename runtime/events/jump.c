/*
 * Jump: see jump.h.
 */
#include "runtime/events/jump.h"

#include "runtime/core/frame.h"
#include "runtime/core/thread.h"
#include "runtime/core/unwind.h"
#include "runtime/host/clock.h"
#include "runtime/terms/mode.h"

/* Buffers set by threads that had no slot at that time, and so no open frames.  Each buffer belongs to one thread. */
enum { N_EARLY = 64 };
static const void *early[N_EARLY];

static uint32_t jump_hash(const void *buffer)
{
	return (uint32_t)((uint64_t)((uintptr_t)buffer >> 3) * 0x9E3779B97F4A7C15u >> 40);
}

void ompp_jump_set(const void *buffer)
{
	struct ompp_thread *t = ompp_self;
	uint32_t h = jump_hash(buffer);
	uint64_t ticks;

	if (!t->limit) {
		OMPP_STORE(&early[h % N_EARLY], buffer);
		return;
	}
	/* Only the frame on top may have no time; if it is a body, so may its construct. */
	if (t->top <= t->limit && OMPP_LOAD(&t->top->flags) & OMPP_FRAME_UNTIMED)
		ompp_frame_begin_late(t->top);
	ticks = ompp_clock();
	t->jumps[h % OMPP_N_JUMPS] = (struct ompp_jump){ buffer, ticks, (uint32_t)(t->top - t->frames), t->n_over };
	/* Of a clock of 25 MHz: what is opened from now on is opened later, unless the clock stands. */
	while (!(OMPP_LOAD(&ompp_modes) & OMPP_MODE_OFF) && ompp_clock() == ticks)
		;
}

/* Returns the innermost frame that was open at the setjmp(), and still is.  All that were open have a time, so a frame
 * without one was opened since.  Where the clock stood, the depth tells; what was opened since at a depth that was open
 * is taken for what was, and has no time. */
static struct ompp_frame *opened_before(const struct ompp_thread *t, const struct ompp_jump *jump)
{
	struct ompp_frame *f = t->top < t->limit ? t->top : t->limit;

	while (f > t->frames && (f->flags & OMPP_FRAME_UNTIMED || (int64_t)(f->start_ticks - jump->ticks) > 0 ||
	                         (f->start_ticks == jump->ticks && f - t->frames > (ptrdiff_t)jump->depth)))
		f--;
	return f;
}

void ompp_jump_go(const void *buffer)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_jump jump = { buffer, 0, 0, 0 };
	uint32_t h = jump_hash(buffer);
	struct ompp_frame *to;
	uint64_t n_left;

	if (!t->limit)
		return;
	if (t->jumps[h % OMPP_N_JUMPS].buffer == buffer)
		jump = t->jumps[h % OMPP_N_JUMPS];
	else if (OMPP_LOAD(&early[h % N_EARLY]) != buffer)
		return;
	if (jump.n_over && t->n_over) { /* the thread was too deep at the setjmp(), and still is */
		t->n_over = jump.n_over;
		return;
	}
	to = jump.ticks ? opened_before(t, &jump) : t->frames;
	if (to == t->top)
		return;
	n_left = t->n_left; /* frames that were left at an unknown time */
	ompp_unwind(t, to, ompp_clock());
	OMPP_STORE(&t->n_left, n_left);
}
