/*
 * Touch: see source_touch.h.
 *
 * Rings are locked memory, which is limited per user to kernel.perf_event_mlock_kb for each processor, plus `ulimit
 * -l`. So the first threads get rings for 18,000 faults each, mostly from `ulimit -l`; as many others as there are
 * processors get 2,000, a quarter of their processor's 516 KiB; and the rest get less.
 */
#include "runtime/sources/source_touch.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/event.h"
#include "runtime/host/file.h"
#include "runtime/host/note.h"
#include "runtime/host/processors.h"
#include "runtime/sources/sampling.h"
#include "runtime/sources/source.h"
#include "runtime/sources/sources.h"
#include "runtime/terms/option.h"

enum { FIRST_THREADS = 4, MORE_THREADS = 64, FIRST_PAGES = 256, CPU_PAGES = 32, MORE_PAGES = 8, LAST_PAGES = 2 };

typedef void take_mapping(void *context, const struct ompp_record_mapping *mapping);

/* sees_kernel: 1 to have the faults in system calls, too */
static int open_event(struct ompp_sampler *sampler, take_mapping *mapped, uint32_t ring_pages, int sees_kernel,
                      struct ompp_text *why)
{
	const struct ompp_sampler_options options = { .period = 1,
		                                      .ring_pages = ring_pages,
		                                      .keeps_kernel = (uint8_t)sees_kernel,
		                                      .mapped = mapped,
		                                      .clock = CLOCK_MONOTONIC };
	struct ompp_memory_event event;

	ompp_memory_faults(&event, sees_kernel);
	return ompp_sampler_start(sampler, 0, &event, 1, &options, why);
}

/* Returns how many pages a thread may lock, so that some remain for later threads: of an ordinary user's limit each
 * of the first 8 threads gets a 32nd part, each of the next 8 a 64th, and so on, which suffices for 240 threads. */
static uint64_t fair_pages(uint32_t n_before)
{
	char line[32] = "";
	const char *p = line;
	struct rlimit limit;
	uint64_t bytes;

	if (!OMPP_SYS0(geteuid) || ompp_sys_getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    ompp_file_line("/proc/sys/kernel/perf_event_mlock_kb", line, sizeof(line)) <= 0)
		return UINT64_MAX;
	bytes = ompp_text_digits(&p) * 1024 * ompp_processors_online() + limit.rlim_cur;
	return bytes / (32 * (1 + n_before / 8)) / ompp_page_bytes();
}

static uint32_t ring_pages(uint32_t n_before)
{
	uint64_t fair = fair_pages(n_before);
	uint32_t n = n_before < FIRST_THREADS            ? FIRST_PAGES
	           : n_before < ompp_processors_online() ? CPU_PAGES
	           : n_before < MORE_THREADS             ? MORE_PAGES
	                                                 : LAST_PAGES;

	return fair < n ? fair > 1 ? (uint32_t)fair : 1 : n;
}

int ompp_touch_open(struct ompp_sampler *sampler, take_mapping *mapped, uint32_t n_before)
{
	static const char *const heads[] = { "Which thread writes a page is not known of some threads: ",
		                             "First touches of some threads are missing: " };
	const char *head = heads[ompp_sampling.touched != 0];
	char line[256];
	struct ompp_text why;
	int rc;

	ompp_text_init(&why, line, sizeof(line));
	ompp_text_str(&why, head);
	rc = open_event(sampler, mapped, ring_pages(n_before), ompp_sampling.faults == OMPP_FAULTS_ALL, &why);
	if (rc)
		ompp_note_say_once(line, strlen(head));
	return rc;
}

/* ---- the trial ---- */

struct trial {
	uintptr_t page;
	int is_seen;
};

static void touch_see(void *context, const struct ompp_mem_sample *sample)
{
	struct trial *trial = context;

	trial->is_seen |= sample->address == trial->page;
}

/* Touches a page of its own.  Returns 0 when the kernel tells it, or -errno. */
static int try_it(int sees_kernel, struct ompp_text *why)
{
	struct ompp_sampler sampler;
	size_t n_bytes = ompp_page_bytes();
	char *page = ompp_space_take(n_bytes);
	struct trial trial = { (uintptr_t)page, 0 };
	int rc;

	if (!page) {
		ompp_text_str(why, OMPP_SAMPLER_NO_MEMORY);
		return -ENOMEM;
	}
	rc = open_event(&sampler, NULL, 1, sees_kernel, why);
	if (!rc) {
		if (sees_kernel)
			ompp_sys_clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(void *)page);
		*(volatile char *)page = 1;
		ompp_sampler_drain(&sampler, touch_see, &trial);
		ompp_sampler_close(&sampler);
	}
	ompp_sys_munmap(page, n_bytes);
	if (rc || trial.is_seen)
		return rc;
	ompp_text_str(why, "the kernel opens the event of page faults, but reports none; nothing can be done here");
	return -ENODATA;
}

static void read_numa(const char *text, int is_off)
{
	char line[256];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_NUMA: ");
	if (ompp_numa_wish(text, &ompp_sampling.emulated)) {
		ompp_text_str(&t, "'");
		ompp_text_strn(&t, text, strnlen(text, 100));
		ompp_text_str(&t, "' is not auto or emulate:N with N from 2 to 64; auto is taken");
		ompp_note_say(line);
	} else if (ompp_sampling.emulated && is_off) {
		ompp_text_str(&t, "it needs samples or first touches; set OMPP_SAMPLE, to hook or touch for instance");
		ompp_note_say(line);
	}
}

/* Finds out which faults the kernel tells.  Returns 0; or -errno, and then *why has the cause. */
static int find_faults(struct ompp_why *why)
{
	struct ompp_text t;
	int rc;

	ompp_text_init(&t, why->text, sizeof(why->text));
	ompp_sampling.faults = OMPP_FAULTS_ALL;
	if (!try_it(1, &t))
		return 0;
	ompp_text_init(&t, why->text, sizeof(why->text));
	rc = try_it(0, &t);
	ompp_sampling.faults = rc ? OMPP_FAULTS_NONE : OMPP_FAULTS_OF_CODE;
	return rc;
}

/* Are pages to be asked for that the kernel protects, where the program has hooks or not? */
static int tells_writes(const char *pages)
{
	return !strcmp(pages, "uffd") || (!strcmp(pages, "auto") && !ompp_counter_hooked);
}

static int touch_probe(const struct ompp_options *options, struct ompp_why *why)
{
	int is_off = !strcmp(options->text[OMPP_OPT_SAMPLE], "off"), rc;

	read_numa(options->text[OMPP_OPT_NUMA], is_off);
	if (!is_off) {
		rc = find_faults(why);
		ompp_sampling.touched = ompp_sampling.faults;
		return rc;
	}
	if (tells_writes(options->text[OMPP_OPT_PAGES]))
		find_faults(why); /* without them the trace says that it does not know who writes */
	why->text[0] = '\0';
	return ompp_sampling.faults ? 0 : -1;
}

static void close_all(void)
{
	ompp_sampling.faults = ompp_sampling.touched = 0;
}

const struct ompp_source ompp_source_touch = {
	.name = "touch", .help = "which thread touches a page of memory first", .probe = touch_probe, .close = close_all
};
