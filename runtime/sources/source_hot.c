/*
 * Hot: see source_hot.h.
 */
#include "runtime/sources/source_hot.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/geometric.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/samples/memory_event.h"
#include "runtime/samples/sampler.h"
#include "runtime/sources/sampling.h"
#include "runtime/sources/source.h"
#include "runtime/sources/sources.h"
#include "runtime/terms/option.h"

/* A sample takes 16 bytes.  At 250 samples a second 32 pages hold half a minute without any event. */
enum { FIRST_THREADS = 4, MORE_THREADS = 64, FIRST_PAGES = 32, MORE_PAGES = 16, LAST_PAGES = 4 };
enum { SECOND_NS = 1000000000, LEAST_SPACE = 1 << 30 };

uint64_t ompp_hot_period_ns;

static uint64_t draw_period(uint32_t n_before)
{
	uint64_t reach = ompp_hot_period_ns / 8;
	uint64_t state = ompp_random_seed(~ompp_random_seed(ompp_sampling.seed + 1) ^ n_before);

	return ompp_hot_period_ns - reach + ompp_random(&state) % (2 * reach + 1);
}

/* Rings are locked memory, of which a user has little. */
static uint32_t ring_pages(uint32_t n_before)
{
	return n_before < FIRST_THREADS ? FIRST_PAGES : n_before < MORE_THREADS ? MORE_PAGES : LAST_PAGES;
}

/* Opens the clock of the calling thread, which runs at once, and tells context switches, too.  Returns 0 or -errno. */
static int open_clock(struct ompp_ring *ring, uint64_t period_ns, uint32_t n_pages)
{
	struct perf_event_attr attr;
	int fd, rc;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = period_ns;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.exclude_kernel = attr.exclude_hv = 1;
	attr.watermark = 1; /* nobody is woken */
	attr.context_switch = 1;
	fd = (int)OMPP_SYS6(perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	rc = ompp_ring_map(ring, fd, n_pages);
	ompp_sys_close(fd);
	return rc;
}

static void hot_explain(struct ompp_text *why, int error)
{
	const struct ompp_memory_event clock = { .pmu = "the CPU clock" };

	ompp_sampler_explain(why, error, &clock);
}

uint64_t ompp_hot_open(struct ompp_ring *ring, uint32_t n_before)
{
	static const char head[] = "Hot spots of some threads are missing: ";
	uint64_t period_ns = draw_period(n_before);
	char line[256];
	struct ompp_text why;
	int rc = open_clock(ring, period_ns, ring_pages(n_before));

	if (!rc)
		return period_ns;
	ompp_text_init(&why, line, sizeof(line));
	ompp_text_str(&why, head);
	hot_explain(&why, -rc);
	ompp_note_say_once(line, sizeof(head) - 1);
	return 0;
}

/* With the fake clock, real times would mean nothing.  Where address space is scarce (ulimit -v), it is the program's.
 */
static int hot_probe(const struct ompp_options *options, struct ompp_why *why)
{
	uint64_t per_second = (uint64_t)options->number[OMPP_OPT_HOT];
	struct ompp_ring ring;
	struct ompp_text t;
	int rc;

	if (!per_second || ompp_options_silent(options) || ompp_clock_kind == OMPP_CLOCK_FAKE ||
	    ompp_space_share(LEAST_SPACE, 0, 1) < LEAST_SPACE || ompp_sampling.faults || ompp_sampling.source[0])
		return -1;
	rc = open_clock(&ring, SECOND_NS / per_second, 1);
	if (!rc) {
		ompp_ring_unmap(&ring);
		ompp_hot_period_ns = SECOND_NS / per_second;
		return 0;
	}
	ompp_text_init(&t, why->text, sizeof(why->text));
	hot_explain(&t, -rc);
	return rc;
}

static void hot_close(void)
{
	ompp_hot_period_ns = 0;
}

const struct ompp_source ompp_source_hot = { .name = "hot",
	                                     .help = "where in the code threads spend their processor time",
	                                     .probe = hot_probe,
	                                     .close = hot_close };
