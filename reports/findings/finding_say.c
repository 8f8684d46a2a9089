/*
 * Say: see finding_say.h.
 */
#include "reports/findings/finding_say.h"

static void say_start(struct ompp_text *t, struct ompp_arena *arena, size_t n_bytes)
{
	static char nothing[1];
	char *buffer = ompp_arena_alloc(arena, n_bytes);

	ompp_text_init(t, buffer ? buffer : nothing, buffer ? n_bytes : 1);
}

void ompp_say_start(struct ompp_text *t, struct ompp_arena *arena)
{
	say_start(t, arena, OMPP_SAY_BYTES);
}

void ompp_say_start_long(struct ompp_text *t, struct ompp_arena *arena)
{
	say_start(t, arena, OMPP_SAY_LONG_BYTES);
}

struct unit {
	const char *name;
	unsigned int scale;
	int64_t one;
};

static const struct unit units[] = { { "s", 9, 1000000000 }, { "ms", 6, 1000000 }, { "us", 3, 1000 }, { "ns", 0, 1 } };

static const struct unit *unit_of(int64_t ns)
{
	size_t i = 0;

	/* 0.100 s is as short as 100 ms, and easier to compare with seconds */
	while (i < 3 && (ns < 0 ? -ns : ns) < units[i].one / (i ? 1 : 10))
		i++;
	return &units[i];
}

/* Adds a time in this unit with three digits, 12.3 or 0.123, and more before the point if needed. */
static void say_put(struct ompp_text *t, int64_t ns, const struct unit *unit)
{
	int64_t size = ns < 0 ? -ns : ns;
	unsigned int n = size >= 100 * unit->one ? 0 : size >= 10 * unit->one ? 1 : size >= unit->one ? 2 : 3;

	ompp_text_fixed(t, ns, unit->scale, n < unit->scale ? n : unit->scale);
}

void ompp_say_time(struct ompp_text *t, int64_t ns)
{
	if (ns == OMPP_MISSING) {
		ompp_text_char(t, '-');
		return;
	}
	say_put(t, ns, unit_of(ns));
	ompp_text_char(t, ' ');
	ompp_text_str(t, unit_of(ns)->name);
}

void ompp_say_seconds(struct ompp_text *t, int64_t ns, unsigned int n_digits)
{
	unsigned int n = 2;
	int64_t bound = 1000000;

	for (unsigned int i = 0; i < n_digits; i++)
		bound *= 10;
	for (; n < 9 && ns && ns > -bound && ns < bound; bound /= 10)
		n++;
	ompp_text_fixed(t, ns, 9, n);
}

void ompp_say_times(struct ompp_text *t, int64_t least_ns, int64_t most_ns)
{
	const struct unit *unit = unit_of(most_ns);

	say_put(t, least_ns, unit);
	ompp_text_str(t, " to ");
	say_put(t, most_ns, unit);
	ompp_text_char(t, ' ');
	ompp_text_str(t, unit->name);
}

void ompp_say_share(struct ompp_text *t, int64_t share)
{
	if (share == OMPP_MISSING)
		ompp_text_char(t, '-');
	else
		ompp_text_fixed(t, share, 7, share < 100000000 ? 2 : 1);
	ompp_text_str(t, " %");
}

void ompp_say_count(struct ompp_text *t, uint64_t n, const char *word)
{
	ompp_text_grouped(t, ompp_count(n));
	ompp_text_char(t, ' ');
	ompp_text_str(t, word);
	ompp_text_str(t, n == 1 ? "" : "s");
}

void ompp_say_ratio(struct ompp_text *t, int64_t part, int64_t whole)
{
	int64_t share = ompp_share(part, whole);

	if (share == OMPP_MISSING)
		ompp_text_char(t, '-');
	else
		ompp_text_fixed(t, share, 9, share < 10000000000 ? 2 : 1);
}
