/*
 * Samples: see source_samples.h.
 */
#include "runtime/sources/source_samples.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/auxv.h"
#include "runtime/base/geometric.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/host/note.h"
#include "runtime/host/stamp.h"
#include "runtime/sources/sampling.h"
#include "runtime/sources/source.h"
#include "runtime/sources/sources.h"
#include "runtime/terms/option.h"

enum { FIRST_THREADS = 4, MORE_THREADS = 64, FIRST_PAGES = 32, MORE_PAGES = 8, LAST_PAGES = 2, LINE_BYTES = 256 };

/* The events that were chosen at the start, and how to open them.  Constant afterwards. */
static struct {
	struct ompp_memory_event events[OMPP_MEMORY_EVENTS];
	int n; /* 0 when the processor does not sample */
	struct ompp_sampler_options options;
} chosen;

int ompp_samples_on(void)
{
	return chosen.n > 0;
}

/* ---- threads ---- */

static void say_smaller(const struct ompp_sampler *sampler, uint32_t pages)
{
	static const char head[] = "Ring buffers of samples are smaller than wanted";

	if (sampler->ring.n_bytes < pages * ompp_page_bytes())
		ompp_note_say_once("Ring buffers of samples are smaller than wanted, and more samples may be lost; "
		                   "raise kernel.perf_event_mlock_kb or `ulimit -l`",
		                   sizeof(head) - 1);
}

/* Returns the period of a thread's events, drawn at random within an eighth of the requested one, so that samples do
 * not fall into step with a loop in the same way in each thread and process. n_before: how many threads came before */
static uint64_t draw_period(uint32_t n_before)
{
	uint64_t reach = chosen.options.period / 8;
	uint64_t state = ompp_random_seed(~ompp_random_seed(ompp_sampling.seed) ^ n_before);

	return chosen.options.period - reach + ompp_random(&state) % (2 * reach + 1);
}

int ompp_samples_open(struct ompp_sampler *sampler, uint32_t n_before)
{
	static const char head[] = "Samples of some threads are missing: ";
	struct ompp_sampler_options options = chosen.options;
	char line[LINE_BYTES];
	struct ompp_text why;
	int rc;

	options.period = draw_period(n_before);
	options.ring_pages = n_before < FIRST_THREADS ? FIRST_PAGES : n_before < MORE_THREADS ? MORE_PAGES : LAST_PAGES;
	ompp_text_init(&why, line, sizeof(line));
	ompp_text_str(&why, head);
	rc = ompp_sampler_start(sampler, 0, chosen.events, chosen.n, &options, &why);
	if (rc)
		ompp_note_say_once(line, sizeof(head) - 1);
	else
		say_smaller(sampler, options.ring_pages);
	return rc;
}

/* ---- the start ---- */

/* Writes a line: what was requested, and the outcome. */
static void samples_say(const char *asked, const char *what, const char *then)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_SAMPLE=");
	ompp_text_str(&t, asked);
	ompp_text_str(&t, ": ");
	ompp_text_str(&t, what);
	ompp_text_str(&t, then);
	ompp_note_say(line);
}

/* Chooses the clock of the samples and of what they are matched with: the processor's counter where the runtime's clock
 * is that (SPE has no other) and the kernel says how its own clock follows from it; else CLOCK_MONOTONIC. */
static void choose_clock(const struct ompp_sampler *sampler)
{
	struct ompp_stamp_scale scale;
	int is_counter = (ompp_clock_kind == OMPP_CLOCK_TSC || chosen.events[0].unit == OMPP_UNIT_SPE) &&
	                 ompp_sampler_scale(sampler, &scale);

	ompp_stamp_is_counter = is_counter;
	chosen.options.clock = is_counter ? -1 : CLOCK_MONOTONIC;
}

/* Opens the chosen events as threads will, to see whether the kernel takes the period.  Returns 0 or -errno. */
static int open_once(struct ompp_text *why)
{
	struct ompp_sampler_options options = chosen.options;
	struct ompp_sampler sampler;
	int rc;

	options.ring_pages = LAST_PAGES;
	options.clock = -1;
	rc = ompp_sampler_open(&sampler, 0, chosen.events, chosen.n, &options, why);
	if (rc)
		return rc;
	choose_clock(&sampler);
	ompp_sampler_close(&sampler);
	return 0;
}

/* Finds and tries the events of one unit.  Some processors sample loads alone: with both kinds wanted, these are taken.
 * Returns 0 or -errno, and then why. */
static int samples_choose(int unit, struct ompp_text *why)
{
	unsigned int kinds = chosen.options.kinds;
	int n = ompp_memory_events(unit, kinds, chosen.options.latency, chosen.events, why), rc;

	if (n == -ENOTSUP && kinds == OMPP_MEM_BOTH) {
		why->n_bytes = 0;
		kinds = OMPP_MEM_LOADS;
		n = ompp_memory_events(unit, kinds, chosen.options.latency, chosen.events, why);
	}
	if (n < 0)
		return n;
	rc = ompp_sampler_try(chosen.events, n, kinds, why);
	if (rc)
		return rc;
	chosen.n = n;
	rc = open_once(why);
	if (rc) {
		chosen.n = 0;
		return rc;
	}
	if (kinds != chosen.options.kinds)
		ompp_note_say("OMPP_SAMPLE: this processor samples only loads; stores are not sampled");
	chosen.options.kinds = (uint8_t)kinds;
	return 0;
}

static unsigned int kinds_of(const char *text)
{
	return !strcmp(text, "loads") ? OMPP_MEM_LOADS : !strcmp(text, "stores") ? OMPP_MEM_STORES : OMPP_MEM_BOTH;
}

static void samples_show(void)
{
	const struct ompp_memory_event *e = &chosen.events[0];

	ompp_sampling.source = ompp_memory_unit_name(e->unit);
	ompp_sampling.latencies = "cycles";
	ompp_sampling.period = ompp_memory_period(e, chosen.options.period);
	ompp_sampling.latency = chosen.options.latency;
	ompp_sampling.kinds = chosen.options.kinds;
}

/* Tries the units one after the other.  A unit that exists but does not work is named. */
static void choose_any(const char *asked)
{
	char text[LINE_BYTES];
	struct ompp_text why;
	int is_named = 0, rc;

	for (int unit = OMPP_UNIT_PEBS; unit <= OMPP_UNIT_SPE && !chosen.n; unit++) {
		ompp_text_init(&why, text, sizeof(text));
		rc = samples_choose(unit, &why);
		if (!rc)
			return;
		if (rc != -ENODEV)
			samples_say(asked, text, "");
		is_named |= rc != -ENODEV;
	}
	if (!is_named) {
		ompp_text_init(&why, text, sizeof(text));
		ompp_memory_events(-1, OMPP_MEM_BOTH, 0, chosen.events, &why);
		samples_say(asked, text, "");
	}
	ompp_sampling.asks_hooks = ompp_counter_hooked;
	samples_say(asked,
	            ompp_counter_hooked
	                    ? "the program's access hooks sample instead"
	                    : "only first touches are looked for; build it with kinst --access to sample by hooks",
	            "");
}

static int samples_probe(const struct ompp_options *options, struct ompp_why *why)
{
	static const struct {
		const char *name;
		int unit;
	} units[] = { { "pebs", OMPP_UNIT_PEBS }, { "ibs", OMPP_UNIT_IBS }, { "spe", OMPP_UNIT_SPE } };
	const char *asked = options->text[OMPP_OPT_SAMPLE];
	char text[LINE_BYTES];
	struct ompp_text t;

	(void)why;
	ompp_sampling.asks_hooks = !strcmp(asked, "hook");
	chosen.options = (struct ompp_sampler_options){ .period = (uint64_t)options->number[OMPP_OPT_SAMPLE_PERIOD],
		                                        .latency = (uint32_t)options->number[OMPP_OPT_SAMPLE_LATENCY],
		                                        .ring_pages = LAST_PAGES,
		                                        .kinds = (uint8_t)kinds_of(
								options->text[OMPP_OPT_SAMPLE_KIND]) };
	if (!strcmp(asked, "auto"))
		choose_any(asked);
	ompp_text_init(&t, text, sizeof(text));
	for (size_t i = 0; i < OMPP_COUNT_OF(units); i++)
		if (!strcmp(asked, units[i].name) && samples_choose(units[i].unit, &t))
			samples_say(asked, text, "; memory accesses are not sampled");
	if (!chosen.n)
		return -1;
	samples_show();
	return 0;
}

static void close_all(void)
{
	chosen.n = 0;
	ompp_sampling.source = ompp_sampling.latencies = "";
}

const struct ompp_source ompp_source_samples = { .name = "samples",
	                                         .help = "the processor's samples of memory accesses",
	                                         .probe = samples_probe,
	                                         .close = close_all };
