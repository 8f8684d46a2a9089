/*
 * Steal: see steal.h.  A line of a processor is "cpu0 551833 7795 202321 821481 2652 0 336 1921 0 0"; Linux,
 * Documentation/filesystems/proc.rst.
 */
#include "runtime/session/steal.h"

#include <errno.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "runtime/base/sys.h"

enum {
	MAX_PROCESSORS = 1024,
	COLUMN = 8, /* of the steal; the processor's name is column 0 */
	READ_BYTES = 4096
};

#define TICK_NS INT64_C(10000000) /* USER_HZ is 100 */

static uint64_t start_ticks[MAX_PROCESSORS];     /* written by ompp_steal_start() alone */
static uint64_t processors[MAX_PROCESSORS / 64]; /* those that are looked at: a bit each; none before the start */

int ompp_steal_may_be(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 31;
#else
	return 1;
#endif
}

/* Where a reader of the file is. */
struct steal_at {
	uint64_t ticks[MAX_PROCESSORS]; /* by processor; 0 for those that have no line */
	uint32_t n_letters, column;     /* of "cpu" at the begin of the line; of the number */
	uint64_t processor, number;
	int is_named; /* 1 when the line is about one processor; the first line sums up all of them */
};

static void steal_end_number(struct steal_at *at)
{
	if (!at->column)
		at->processor = at->is_named ? at->number : MAX_PROCESSORS;
	else if (at->column == COLUMN && at->processor < MAX_PROCESSORS)
		at->ticks[at->processor] = at->number;
	at->column++;
	at->number = 0;
}

/* Takes a byte.  Returns 0 at the first line that is not about a processor. */
static int steal_take(struct steal_at *at, char c)
{
	if (at->n_letters < 3)
		return c == "cpu"[at->n_letters++];
	if (c >= '0' && c <= '9') {
		at->is_named |= !at->column;
		at->number = at->number * 10 + (uint64_t)(c - '0');
		return 1;
	}
	steal_end_number(at);
	if (c == '\n') {
		at->n_letters = at->column = 0;
		at->is_named = 0;
	}
	return 1;
}

static int steal_parse(const char *file, struct steal_at *at)
{
	char bytes[READ_BYTES];
	int fd = ompp_sys_open(file, O_RDONLY | O_CLOEXEC, 0), goes_on = 1;
	ssize_t n = fd;

	memset(at, 0, sizeof(*at));
	while (goes_on && n >= 0) {
		n = ompp_sys_read(fd, bytes, sizeof(bytes));
		for (ssize_t i = 0; goes_on && i < n; i++)
			goes_on = steal_take(at, bytes[i]);
		goes_on &= n > 0;
	}
	if (fd >= 0)
		ompp_sys_close(fd);
	return n < 0 ? (int)n : 0;
}

void ompp_steal_start(const char *file)
{
	struct steal_at at;

	memset(processors, 0, sizeof(processors));
	if (steal_parse(file, &at))
		return;
	memcpy(start_ticks, at.ticks, sizeof(start_ticks));
	if (ompp_sys_getaffinity(processors, sizeof(processors)) < 0)
		memset(processors, 0, sizeof(processors));
}

/* A file with numbers that no clock reaches gives the largest time. */
static int64_t steal_ns(uint64_t ticks)
{
	return ticks < (uint64_t)(INT64_MAX / TICK_NS) ? (int64_t)ticks * TICK_NS : INT64_MAX;
}

int ompp_steal_read(const char *file, int64_t *all_ns, int64_t *most_ns)
{
	struct steal_at at;
	uint64_t all = 0, most = 0;
	int rc = steal_parse(file, &at), is_known = 0;

	if (rc)
		return rc;
	for (uint32_t i = 0; i < MAX_PROCESSORS; i++) {
		uint64_t ticks = at.ticks[i] > start_ticks[i] ? at.ticks[i] - start_ticks[i] : 0;

		if (!(processors[i / 64] >> i % 64 & 1))
			continue;
		is_known = 1;
		all += ticks;
		most = ticks > most ? ticks : most;
	}
	*all_ns = steal_ns(all);
	*most_ns = steal_ns(most);
	return is_known ? 0 : -ENODATA;
}
