/*
 * Machine time: see machine_time.h.  A line of a processor is "cpu0 551833 7795 202321 821481 2652 0 336 1921 0 0": its
 * time in programs, in programs of low priority, in the kernel, idle, idle while a disk works, in two kinds of
 * interrupts, and stolen; Linux, Documentation/filesystems/proc.rst.
 */
#include "runtime/session/machine_time.h"

#include <errno.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "runtime/base/array.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/value.h"
#include "runtime/host/clock.h"
#include "runtime/host/folder.h"

enum {
	MAX_PROCESSORS = 1024,
	IDLE_COLUMN = 4, /* the processor's name is column 0 */
	IOWAIT_COLUMN = 5,
	STEAL_COLUMN = 8, /* the last one that is no part of another */
	READ_BYTES = 4096
};
enum { SURE_ERRORS = 3 };
enum { ADDS_UP_PART = 5, MOST_APART_TICKS = 8 }; /* the columns add up to the time, but for one part, and a few ticks */

#define TICK_NS    INT64_C(10000000) /* USER_HZ is 100 */
#define TICK_US    UINT64_C(10000)
#define MOST_NS    (INT64_MAX / 4) /* of a sum; a few of them together still fit */
#define FUSE_MAGIC 0x65735546 /* of a file system that a program answers for; FUSE_SUPER_MAGIC of <linux/magic.h> */

/* Ticks of a processor since the machine's start. */
struct ticks {
	uint64_t idle, stolen, all; /* idle: also while a disk works */
};

/* Written by ompp_machine_time_start() alone. */
static struct ticks start_ticks[MAX_PROCESSORS];
static uint64_t start_processors[MAX_PROCESSORS / 64]; /* where threads might run then, a bit each */
static int64_t start_ns;                               /* of CLOCK_MONOTONIC; 0 before the start */
static struct ompp_machine_cpu start_cpu;

int ompp_machine_time_is_virtual(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 31;
#else
	return 1;
#endif
}

/* Where a reader of the file is. */
struct stat_at {
	void (*take)(uint32_t processor, const struct ticks *ticks, void *to); /* gets each processor's line */
	void *to;
	uint32_t n_letters, column; /* of "cpu" at the begin of the line; of the number */
	uint64_t processor, number;
	struct ticks ticks;
	int is_named; /* 1 when the line is about one processor; the first line sums up all of them */
};

static void stat_end_number(struct stat_at *at)
{
	if (!at->column)
		at->processor = at->is_named ? at->number : MAX_PROCESSORS;
	else if (at->column <= STEAL_COLUMN)
		at->ticks.all += at->number;
	if (at->column == IDLE_COLUMN || at->column == IOWAIT_COLUMN)
		at->ticks.idle += at->number;
	if (at->column == STEAL_COLUMN)
		at->ticks.stolen = at->number;
	at->column++;
	at->number = 0;
}

static void stat_end_line(struct stat_at *at)
{
	if (at->processor < MAX_PROCESSORS && at->column > IDLE_COLUMN)
		at->take((uint32_t)at->processor, &at->ticks, at->to);
	memset(&at->ticks, 0, sizeof(at->ticks));
	at->n_letters = at->column = 0;
	at->is_named = 0;
}

/* Takes a byte.  Returns 0 at the first line that is not about a processor. */
static int stat_take(struct stat_at *at, char c)
{
	if (at->n_letters < 3)
		return c == "cpu"[at->n_letters++];
	if (c >= '0' && c <= '9') {
		at->is_named |= !at->column;
		at->number = at->number * 10 + (uint64_t)(c - '0');
		return 1;
	}
	stat_end_number(at);
	if (c == '\n')
		stat_end_line(at);
	return 1;
}

static int stat_read(const char *file, struct stat_at *at)
{
	char bytes[READ_BYTES];
	int fd = ompp_sys_open(file, O_RDONLY | O_CLOEXEC, 0), goes_on = 1;
	struct statfs fs;
	ssize_t n = fd;

	if (fd >= 0 && !ompp_sys_fstatfs(fd, &fs) && fs.f_type == FUSE_MAGIC)
		n = -ENODATA;
	while (goes_on && n >= 0) {
		n = ompp_sys_read(fd, bytes, sizeof(bytes));
		for (ssize_t i = 0; goes_on && i < n; i++)
			goes_on = stat_take(at, bytes[i]);
		goes_on &= n > 0;
	}
	if (at->column) { /* a last line without an end */
		stat_end_number(at);
		stat_end_line(at);
	}
	if (fd >= 0)
		ompp_sys_close(fd);
	return n < 0 ? (int)n : 0;
}

static int64_t monotonic_ns(void)
{
	struct timespec now;

	ompp_clock_read(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t usage_ns(int whose)
{
	struct rusage usage;

	if (ompp_sys_getrusage(whose, &usage))
		return 0;
	return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
	       ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

void ompp_machine_time_cpu(struct ompp_machine_cpu *cpu)
{
	cpu->self_ns = usage_ns(RUSAGE_SELF) - start_cpu.self_ns;
	cpu->children_ns = usage_ns(RUSAGE_CHILDREN) - start_cpu.children_ns;
}

static void keep_start(uint32_t processor, const struct ticks *ticks, void *to)
{
	((struct ticks *)to)[processor] = *ticks;
}

/* Processors, a bit each, and how many threads were asked for theirs. */
struct allowed {
	uint64_t *processors;
	uint32_t n_threads;
};

/* Adds the processors on which a thread may run. */
static int allowed_add(void *context, const char *name)
{
	struct allowed *allowed = context;
	uint64_t set[MAX_PROCESSORS / 64] = { 0 };

	if (*name < '0' || *name > '9' || ompp_sys_getaffinity((pid_t)ompp_text_digits(&name), set, sizeof(set)) <= 0)
		return 0;
	allowed->n_threads++;
	for (size_t i = 0; i < OMPP_COUNT_OF(set); i++)
		allowed->processors[i] |= set[i];
	return 0;
}

void ompp_machine_time_start(const char *file, const char *tasks)
{
	struct stat_at at = { .take = keep_start, .to = start_ticks };
	struct allowed allowed = { .processors = start_processors };

	memset(start_ticks, 0, sizeof(start_ticks));
	memset(start_processors, 0, sizeof(start_processors));
	start_ns = stat_read(file, &at) || ompp_folder_each(tasks, allowed_add, &allowed) ? 0 : monotonic_ns();
	start_cpu = (struct ompp_machine_cpu){ 0 };
	ompp_machine_time_cpu(&start_cpu);
}

/* The processors that are looked at, a bit each, and their sums. */
struct since_start {
	uint64_t processors[MAX_PROCESSORS / 64];
	int64_t elapsed_ns, idle_ns, all_ns; /* elapsed_ns: of each */
	uint64_t variance;                   /* of idle_ns, in ticks squared */
	uint32_t n;
	struct ompp_machine_time *time;
};

/* Returns a sum and the time since then.  A file with counts that no clock reaches gives the largest sum. */
static int64_t sum_add(int64_t sum_ns, uint64_t now, uint64_t then)
{
	uint64_t ticks = now > then ? now - then : 0;

	if (ticks > (uint64_t)((MOST_NS - sum_ns) / TICK_NS))
		return MOST_NS;
	return sum_ns + (int64_t)ticks * TICK_NS;
}

/* Adds what a processor did since the start.  Counts of a processor that was off and on again begin anew: nothing is
 * known of it.  A count is cut to whole ticks at its begin and its end, which for three columns is less than a tick
 * squared; samples have that of a binomial distribution. */
static void add_since(uint32_t i, const struct ticks *now, void *to)
{
	struct since_start *since = to;
	const struct ticks *then = &start_ticks[i];
	int64_t stolen_ns = sum_add(0, now->stolen, then->stolen);
	uint64_t idle = now->idle > then->idle ? now->idle - then->idle : 0;
	uint64_t n = (uint64_t)(since->elapsed_ns / TICK_NS);

	if (!(since->processors[i / 64] >> i % 64 & 1))
		return;
	since->n++;
	since->time->stolen_ns = sum_add(since->time->stolen_ns, now->stolen, then->stolen);
	since->time->stolen_most_ns = stolen_ns > since->time->stolen_most_ns ? stolen_ns : since->time->stolen_most_ns;
	since->idle_ns = sum_add(since->idle_ns, now->idle, then->idle);
	since->all_ns = sum_add(since->all_ns, now->all, then->all);
	since->variance += 1 + (idle < n ? idle * (n - idle) / n : 0);
}

/* Finds how long others had the processors.  The columns may be apart from the time by the samples' errors, too. */
static void find_others(const struct since_start *since)
{
	struct ompp_machine_time *time = since->time;
	int64_t elapsed_ns = since->elapsed_ns * since->n, apart_ns = since->all_ns - elapsed_ns, others_ns;
	uint64_t variance = since->variance * TICK_US * TICK_US;
	struct ompp_machine_cpu cpu;

	ompp_machine_time_cpu(&cpu);
	others_ns = elapsed_ns - since->idle_ns - time->stolen_ns - cpu.self_ns - cpu.children_ns;
	apart_ns = apart_ns < 0 ? -apart_ns : apart_ns;
	if (apart_ns > elapsed_ns / ADDS_UP_PART + since->n * MOST_APART_TICKS * TICK_NS)
		return;
	if (others_ns < 0 && (__int128)others_ns * others_ns / 1000000 > SURE_ERRORS * SURE_ERRORS * (__int128)variance)
		return;
	time->others_ns = others_ns > 0 ? others_ns : 0;
	time->others_variance = variance;
}

int ompp_machine_time_read(const char *file, const char *tasks, struct ompp_machine_time *time)
{
	struct since_start since = { .elapsed_ns = monotonic_ns() - start_ns, .time = time };
	struct stat_at at = { .take = add_since, .to = &since };
	struct allowed allowed = { .processors = since.processors };
	int rc;

	*time = (struct ompp_machine_time){ .others_ns = OMPP_MISSING };
	if (!start_ns)
		return -ENODATA;
	memcpy(since.processors, start_processors, sizeof(since.processors));
	rc = ompp_folder_each(tasks, allowed_add, &allowed);
	if (!rc)
		rc = stat_read(file, &at);
	if (rc || !since.n)
		return rc ? rc : -ENODATA;
	time->n_threads = allowed.n_threads;
	find_others(&since);
	return 0;
}
