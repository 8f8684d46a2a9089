/*
 * Span, limit: see span_limit.h.
 */
#include "runtime/span/span_limit.h"

#include "runtime/span/span_variant.h"

/* A burst of events at the begin of a thread tells nothing yet of the rest.  What is enough for an answer is about a
 * millisecond, by the clocks of most processors. */
enum { LOOK_EVENTS = 1024, SHARE = 50, ENOUGH_TICKS = 1 << 21 };

int ompp_span_is_limited, ompp_span_was_over;
uint64_t ompp_span_more_fp;
int (*ompp_span_read)(struct ompp_cpu_reading *reading) = ompp_cpu_read;

void ompp_span_limit_begin(struct ompp_span *s, uint64_t now)
{
	struct ompp_cpu_reading reading = { 0 };

	if (ompp_span_read(&reading))
		reading.monotonic_ns = reading.cpu_ns = 0;
	s->begin_ticks = now;
	s->begin_ns = reading.monotonic_ns;
	s->begin_cpu_ns = reading.cpu_ns;
	s->cost_ticks = 0;
	s->left_events = LOOK_EVENTS;
}

/* Returns the thread's processor time since its begin, in ticks; its time, where the kernel does not tell. */
static uint64_t cpu_ticks(const struct ompp_span *s, uint64_t now)
{
	uint64_t ticks = now - s->begin_ticks;
	struct ompp_cpu_reading reading;
	int64_t ns, cpu_ns;

	if (!s->begin_ns || ompp_span_read(&reading))
		return ticks;
	ns = (reading.monotonic_ns - s->begin_ns) / 1024;
	cpu_ns = (reading.cpu_ns - s->begin_cpu_ns) / 1024;
	return cpu_ns > 0 && cpu_ns < ns ? ticks / (uint64_t)ns * (uint64_t)cpu_ns : ticks;
}

/* With clocks of variants an event takes about twice as much. */
void ompp_span_look(struct ompp_span *s, uint64_t now)
{
	uint64_t n = (uint64_t)(LOOK_EVENTS - s->left_events);

	s->left_events = LOOK_EVENTS;
	s->cost_ticks += (n * ompp_span_more_fp / 256) << ompp_span_has_clocks();
	if (s->cost_ticks > ENOUGH_TICKS && s->cost_ticks * SHARE > cpu_ticks(s, now))
		ompp_mode_clear(OMPP_MODE_SPAN);
}
