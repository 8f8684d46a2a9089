/*
 * CPU: see cpu.h.
 */
#define _GNU_SOURCE
#include "runtime/host/cpu.h"

#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/clock.h"
#include "runtime/host/file.h"
#include "runtime/host/folder.h"

enum { PACE_STEPS = 125, FILE_BYTES = 128 };

static int64_t ns_of(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* A thread that loses its processor between the readings loses it, by the numbers, behind them. */
int ompp_cpu_read(struct ompp_cpu_reading *reading)
{
	struct timespec wall, cpu;
	struct rusage usage;
	int rc;

	ompp_clock_read(CLOCK_MONOTONIC, &wall);
	rc = ompp_sys_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	if (!rc)
		rc = ompp_sys_getrusage(RUSAGE_THREAD, &usage);
	if (rc)
		return rc;
	reading->monotonic_ns = ns_of(&wall);
	reading->cpu_ns = ns_of(&cpu);
	reading->n_voluntary = (uint64_t)usage.ru_nvcsw;
	reading->n_faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
	return 0;
}

/* Returns the ticks of PACE_STEPS × 8 additions. */
static uint64_t cpu_additions(void)
{
	uint64_t start = ompp_clock(), a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;

	for (int i = 0; i < PACE_STEPS; i++) {
		a++, b++, c++, d++, e++, f++, g++, h++;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
		__asm__ volatile("" : "+r"(e), "+r"(f), "+r"(g), "+r"(h));
	}
	return ompp_clock() - start;
}

uint64_t ompp_cpu_pace(void)
{
	uint64_t once, again;

	if (ompp_clock_kind == OMPP_CLOCK_FAKE)
		return 0;
	once = cpu_additions();
	again = cpu_additions();
	return once < again ? once : again;
}

enum { FAULT_PAGES = 64, FAULT_TRIES = 3, PAGE_BYTES = 4096 };

/* The shortest try counts, as others may have been interrupted.  The memory is too small for huge pages. */
int64_t ompp_cpu_fault_ps(void)
{
	int64_t least_ns = INT64_MAX;

	for (int i = 0; i < FAULT_TRIES; i++) {
		volatile char *pages = ompp_space_reserve(FAULT_PAGES * PAGE_BYTES);
		struct timespec start, end;
		int64_t ns;

		if (!pages)
			return -1;
		ompp_clock_read(CLOCK_MONOTONIC, &start);
		for (size_t k = 0; k < FAULT_PAGES; k++)
			pages[k * PAGE_BYTES] = 1;
		ompp_clock_read(CLOCK_MONOTONIC, &end);
		ompp_sys_munmap((void *)pages, FAULT_PAGES * PAGE_BYTES);
		ns = ns_of(&end) - ns_of(&start);
		least_ns = ns < least_ns ? ns : least_ns;
	}
	return least_ns > 0 ? least_ns * 1000 / FAULT_PAGES : -1;
}

enum { MOST_STRETCH_MILLI = 100000 };

/* Returns a decimal number, and moves *s behind it and the blank that follows. */
static uint64_t cpu_number(const char **text)
{
	uint64_t v = 0;

	for (; **text >= '0' && **text <= '9'; ++*text)
		v = v < UINT64_MAX / 100000 ? v * 10 + (uint64_t)(**text - '0') : v;
	*text += **text == ' ';
	return v;
}

/* Reads a schedstat file, "265784 93019 2": how long the thread ran, how long it waited for a processor, how often it
 * ran. Returns 0 when there is none. */
static int read_schedstat(const char *file, uint64_t *ran_ns, uint64_t *waited_ns)
{
	char text[128];
	const char *p = text;

	if (ompp_file_read(file, text, sizeof(text)) <= 0)
		return 0;
	*ran_ns = cpu_number(&p);
	*waited_ns = cpu_number(&p);
	return 1;
}

uint64_t ompp_cpu_stretch_milli(const char *file)
{
	uint64_t ran_ns, waited_ns, stretch;

	if (!read_schedstat(file, &ran_ns, &waited_ns) || !ran_ns)
		return 1000;
	stretch = 1000 + (uint64_t)((unsigned __int128)waited_ns * 1000 / ran_ns);
	return stretch < MOST_STRETCH_MILLI ? stretch : MOST_STRETCH_MILLI;
}

int64_t ompp_cpu_queued_ns(const char *file)
{
	uint64_t ran_ns, waited_ns;

	return read_schedstat(file, &ran_ns, &waited_ns) && waited_ns < INT64_MAX ? (int64_t)waited_ns : -1;
}

struct queued {
	const char *folder;
	int64_t ns; /* -1 while no thread was read */
};

static int queued_add(void *context, const char *name)
{
	struct queued *q = context;
	char path[FILE_BYTES];
	struct ompp_text t;
	int64_t ns;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, q->folder);
	ompp_text_char(&t, '/');
	ompp_text_str(&t, name);
	ompp_text_str(&t, "/schedstat");
	ns = ompp_cpu_queued_ns(path);
	if (ns >= 0 && !__builtin_add_overflow(q->ns < 0 ? 0 : q->ns, ns, &ns))
		q->ns = ns;
	return 0;
}

int64_t ompp_cpu_queued_all_ns(const char *folder)
{
	struct queued q = { .folder = folder, .ns = -1 };

	return ompp_folder_each(folder, queued_add, &q) ? -1 : q.ns;
}
