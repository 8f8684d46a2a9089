/*
 * Access sample: see access_sample.h.
 */
#define _GNU_SOURCE
#include "runtime/access/access_sample.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/access_count.h"
#include "runtime/access/access_patch.h"
#include "runtime/base/auxv.h"
#include "runtime/base/geometric.h"
#include "runtime/base/sys.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/order.h"
#include "runtime/data/page.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/memory/sample.h"
#include "runtime/ompp_mem.h"
#include "runtime/sources/probe.h"
#include "runtime/sources/sampling.h"

enum {
	PAGE_BYTES = 1 << (OMPP_WINDOW_BITS - 6),
	ALONE = 8,        /* with 4, a hundredth of the lines were in the cache that had just been flushed */
	MOST_LONGEST = 20 /* a sample takes at most so many times the longest load, also when it asks the kernel */
};

/* Written by ompp_access_sample_start alone. */
static struct {
	int is_on, is_timed;
	struct ompp_geometric gap;
} chosen;

int ompp_access_sample_start(const struct ompp_options *options, struct ompp_why *why)
{
	const char *kinds = options->text[OMPP_OPT_SAMPLE_KIND];
	int e = ompp_probe_start(why);

	if (e)
		return e;
	ompp_sampling.source = "hook";
	ompp_sampling.latencies = OMPP_PROBE_UNIT;
	ompp_sampling.period = (uint64_t)options->number[OMPP_OPT_SAMPLE_PERIOD];
	ompp_sampling.latency = (uint32_t)options->number[OMPP_OPT_SAMPLE_LATENCY];
	ompp_sampling.kinds = !strcmp(kinds, "loads")  ? OMPP_MEM_LOADS
	                    : !strcmp(kinds, "stores") ? OMPP_MEM_STORES
	                                               : OMPP_MEM_BOTH;
	chosen.gap = ompp_geometric(ompp_sampling.period);
	chosen.is_timed = ompp_auxv(AT_PAGESZ) == PAGE_BYTES;
	chosen.is_on = 1;
	ompp_order_need();
	ompp_access_patch_start();
	return 0;
}

/* Returns the begin of a thread's random numbers in this process. */
static uint64_t stream_of(const struct ompp_thread *t)
{
	return ompp_random_seed(ompp_random_seed(ompp_sampling.seed) ^ t->slot);
}

/* Returns what the calling thread needs for samples; NULL for a thread that is not measured. */
static struct ompp_access_sampling *sampling_of(struct ompp_thread *t)
{
	struct ompp_access_sampling *s = t->sampling;

	if (__builtin_expect(!s, 0)) {
		s = ompp_data_alloc(sizeof(*s));
		if (!s)
			return NULL;
		s->random = stream_of(t);
		t->sampling = s; /* a signal handler may have made one meanwhile, which is left */
	}
	return s;
}

/* ---- which pages are mapped ---- */

/* Asks the kernel which pages of a window are mapped, or where some of it is no memory at all, whether one page is.
 * The kernel says of a file's pages which are in its cache; a load of those maps them, but allocates none. */
static uint64_t access_sample_ask(uintptr_t address)
{
	uintptr_t lo = address >> OMPP_WINDOW_BITS << OMPP_WINDOW_BITS, page = address & ~(uintptr_t)(PAGE_BYTES - 1);
	unsigned char answer[OMPP_WINDOW_PAGES];
	uint64_t mapped = 0;

	if (!ompp_sys_mincore((void *)lo, (size_t)1 << OMPP_WINDOW_BITS, answer)) {
		for (int i = 0; i < OMPP_WINDOW_PAGES; i++)
			mapped |= (uint64_t)(answer[i] & 1) << i;
		return mapped;
	}
	if (!ompp_sys_mincore((void *)page, PAGE_BYTES, answer) && answer[0] & 1)
		mapped = (uint64_t)1 << (page - lo) / PAGE_BYTES;
	return mapped;
}

/* Returns 1 when a load from the address makes no page fault, as far as is known. */
static int is_mapped(struct ompp_access_sampling *s, uintptr_t address)
{
	uintptr_t number = (address >> OMPP_WINDOW_BITS) + 1;
	struct ompp_window *w = &s->windows[(uint32_t)number * 0x9E3779B1u >> 26]; /* arrays are often 2^n apart */
	uint64_t bit = (uint64_t)1 << (address / PAGE_BYTES % OMPP_WINDOW_PAGES);

	if (w->number != number)
		*w = (struct ompp_window){ number, 0 };
	if (!(w->mapped & bit))
		w->mapped |= access_sample_ask(address);
	return (w->mapped & bit) != 0;
}

/* ---- samples ---- */

/* Times an access of the program by a load of ours, where that may be. */
static void time_access(struct ompp_access_sampling *s, struct ompp_mem_sample *sample, unsigned int how)
{
	struct ompp_probe probe;

	if (how & (OMPP_ACCESS_ATOMIC | OMPP_ACCESS_VOLATILE) || !chosen.is_timed)
		return;
	if (!is_mapped(s, sample->address)) {
		sample->translation = OMPP_MEM_TRANSLATION_FAULT;
		return;
	}
	probe = ompp_probe_load((const void *)sample->address);
	sample->latency = ompp_probe_latency(&probe);
	if (sample->latency)
		sample->level = ompp_probe_level(sample->latency);
	if (ompp_probe_levels.knows_cpu)
		sample->cpu = probe.cpu & 0xfff;
}

/* Returns 1 when the user wants samples of this kind and latency. */
static int is_wanted(const struct ompp_mem_sample *sample)
{
	return sample->kind & ompp_sampling.kinds &&
	       (sample->kind == OMPP_MEM_STORES || sample->latency >= ompp_sampling.latency);
}

/* Hands a sample over, for each object that the access meets. */
static void access_sample_take(struct ompp_thread *t, const struct ompp_callnode *node,
                               const struct ompp_mem_sample *sample, size_t n_bytes)
{
	uintptr_t end = sample->address + n_bytes;
	const struct ompp_segment *s = ompp_segment_at(sample->address);
	uint32_t cover = ompp_access_cover(s, sample->address);

	ompp_sample_take(t, node, cover, sample);
	while (OMPP_LOAD(&s->hi) < end) {
		uintptr_t at = OMPP_LOAD(&s->hi);

		s = ompp_segment_at(at);
		if (OMPP_LOAD(&s->hi) <= at)
			return;
		if (s->cover != cover)
			ompp_sample_take(t, node, s->cover, sample);
		cover = s->cover;
	}
}

/* Samples an access of a thread that is measured. */
static void sample_access(struct ompp_thread *t, struct ompp_access_sampling *s, const struct ompp_mem_sample *access,
                          size_t n_bytes, unsigned int how)
{
	struct ompp_mem_sample sample = *access;

	time_access(s, &sample, how);
	if (is_wanted(&sample))
		access_sample_take(t, ompp_thread_node(t), &sample, n_bytes);
}

/* Samples do not move the fake clock. */
static uint64_t ticks_now(void)
{
	return ompp_clock_kind == OMPP_CLOCK_FAKE ? 0 : ompp_clock();
}

/* Draws the gap to the next sample.  Returns 1 when the current access is sampled: always but at the first call. */
static int access_sample_draw(struct ompp_access_sampling *s, int is_first)
{
	uint64_t gap = ompp_geometric_draw(chosen.gap, &s->random);
	int is_sampled = !is_first || gap == 1;

	if (is_first && !is_sampled)
		gap--;
	else if (is_first)
		gap = ompp_geometric_draw(chosen.gap, &s->random);
	s->n_alone = gap < ALONE ? (uint32_t)gap : ALONE;
	ompp_access_countdown = (int64_t)(gap - s->n_alone);
	return is_sampled;
}

/* Waits until all instructions before are done, so that the processor makes no later access ahead of its time.
 *
 * It does so otherwise: it takes for granted that an access is not sampled, runs on, and has fetched the line when it
 * finds out; the sample would then say that the line was in the nearest cache.  So the last accesses before the sampled
 * one come here, too, and wait here: with them the processor learns to expect that its way is not the usual one. */
static void wait_alone(struct ompp_access_sampling *s)
{
	uint64_t start = s->n_alone == 2 ? ticks_now() : 0;

	s->n_waits++;
	s->n_alone--;
	ompp_access_countdown = 0;
	ompp_probe_wait();
	if (start)
		s->wait_ticks = ticks_now() - start;
}

/* Returns how many accesses pass in a thread that is not measured now.  No two calls get the same random number. */
static int64_t unmeasured_gap(void)
{
	static uint64_t n_drawn;
	uint64_t n = __atomic_fetch_add(&n_drawn, 1, __ATOMIC_RELAXED);
	uint64_t state = ompp_random_seed(~ompp_random_seed(ompp_sampling.seed) ^ n);

	return (int64_t)ompp_geometric_draw(chosen.gap, &state) - 1;
}

/* Returns the calling thread, which is started at its first access; NULL when it is not measured now. */
static struct ompp_thread *measured_thread(void)
{
	struct ompp_thread *t = ompp_self;

	if (!chosen.is_on || OMPP_LOAD(&ompp_session.off))
		return NULL;
	if (__builtin_expect(t->limit && t->stack_named, 1)) /* its tally stays as it is: it may hold accesses back */
		return t;
	return ompp_access_tally_for(OMPP_OBJECT_OTHER) ? ompp_self : NULL;
}

/* Takes out of the node's time what a sample took.  A thread that lost its processor meanwhile would have lost it
 * anyway. */
static void add_cost(struct ompp_access_sampling *s, struct ompp_callnode *node, uint64_t ticks)
{
	if (ticks <= (uint64_t)MOST_LONGEST * ompp_probe_levels.longest)
		s->last_ticks = ticks;
	s->n_waits = 0;
	OMPP_ADD(&node->sample_ticks, s->last_ticks);
}

void ompp_access_sample(uintptr_t address, size_t n_bytes, unsigned int how, uintptr_t ip)
{
	int is_first = ompp_access_countdown < OMPP_NOT_DRAWN;
	struct ompp_thread *t = ompp_self;
	struct ompp_access_sampling *s = t->sampling;
	uint64_t start;

	if (s && s->n_alone > 1 && !is_first) {
		wait_alone(s);
		return;
	}
	start = ticks_now();
	ompp_access_countdown = unmeasured_gap(); /* also for the hooks of a signal handler in the middle of this */
	t = measured_thread();
	if (!t)
		return;
	s = sampling_of(t);
	if (!s || !access_sample_draw(s, is_first))
		return;
	sample_access(t, s,
	              &(struct ompp_mem_sample){
			      .time_ns = start,
			      .ip = ip - 1, /* the call, and not what comes after it, which may be of another line */
			      .address = address,
			      .period = ompp_sampling.period,
			      .cpu = ompp_probe_cpu(),
			      .kind = how & OMPP_ACCESS_LOAD ? OMPP_MEM_LOADS : OMPP_MEM_STORES,
			      .lock = how & OMPP_ACCESS_ATOMIC ? OMPP_MEM_LOCK_YES : OMPP_MEM_LOCK_NO },
	              n_bytes, how);
	add_cost(s, ompp_thread_node(t), ticks_now() - start + s->n_waits * s->wait_ticks);
}

void ompp_access_sample_after_fork(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++)
		if (ompp_threads[i]->sampling)
			ompp_threads[i]->sampling->random = stream_of(ompp_threads[i]);
	ompp_access_countdown =
		OMPP_NOT_DRAWN; /* each access has the same chance still, and none follows the parent's */
}

int ompp_access_sample_describe(struct ompp_text *text)
{
	if (!chosen.is_on)
		return 0;
	ompp_probe_describe(text);
	ompp_text_str(text, " (" OMPP_PROBE_UNIT);
	if (ompp_probe_levels.step > 1) {
		ompp_text_str(text, ", which are read in steps of ");
		ompp_text_u64(text, ompp_probe_levels.step);
	}
	ompp_text_str(text, ")");
	return 1;
}

void ompp_access_sample_notes(void)
{
	struct ompp_access_patches patches = ompp_access_patches();
	char line[256];
	struct ompp_text t;

	if (!chosen.is_on)
		return;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_SAMPLE=");
	ompp_text_str(&t, ompp_session.options.text[OMPP_OPT_SAMPLE]);
	ompp_text_str(&t, ": ");
	if (!patches.n_patched && !patches.n_refused) {
		ompp_text_str(&t, "the program has no access hooks, so nothing is sampled; build it by kinst --access");
	} else if (patches.n_refused && patches.error) {
		ompp_text_str(&t, "the system does not let the hooks' code be changed (mprotect: errno ");
		ompp_text_i64(&t, patches.error);
		ompp_text_str(&t, "), so ");
		ompp_text_str(&t, patches.n_patched ? "some libraries are not sampled" : "nothing is sampled");
		ompp_text_str(&t,
		              "; allow the program to write to executable memory, or use another source of samples");
	} else if (patches.n_refused) {
		ompp_text_str(&t,
		              "code with hooks is writable or laid out in an unusual way, and is not sampled; link it "
		              "without -N, -z noseparate-code and the like");
	} else {
		return;
	}
	ompp_note_say_once(line, t.n_bytes);
}
