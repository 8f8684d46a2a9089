/*
 * Planted: samples taken by ompp_mem.h are the accesses that were planted, to the sample.
 *
 * Usage: planted loads|stores|both [all|throttled|tight|supported|spe] [PERIOD].  It ends with 0, or prints what is
 * wrong and ends with 1; of supported it prints the error and the message.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "planted.h"
#include "runtime/ompp_mem.h"

enum { SAMPLES = 300, THREADS = 4 };

static int device;
static int is_tight;           /* 1: rings may be smaller than asked for */
static unsigned int least = 1; /* the shortest period that the PMU takes */

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			printf("line %d: %s: %s\n", __LINE__, #condition, ompp_mem_message()); \
			exit(1); \
		} \
	} while (0)

/* The data sources of today's kernels, and what they mean. */
static const struct {
	uint64_t level, remote, hops;
	enum ompp_mem_level means;
} sources[] = {
	{ PERF_MEM_LVLNUM_L1, 0, 0, OMPP_MEM_LEVEL_L1 },
	{ PERF_MEM_LVLNUM_L2, 0, 0, OMPP_MEM_LEVEL_L2 },
	{ PERF_MEM_LVLNUM_LFB, 0, 0, OMPP_MEM_LEVEL_LFB },
	{ PERF_MEM_LVLNUM_L3, 0, 0, OMPP_MEM_LEVEL_L3 },
	{ PERF_MEM_LVLNUM_RAM, 0, 0, OMPP_MEM_LEVEL_LOCAL_MEMORY },
	{ PERF_MEM_LVLNUM_RAM, 1, 0, OMPP_MEM_LEVEL_REMOTE_MEMORY },
	{ PERF_MEM_LVLNUM_ANY_CACHE, 1, 3, OMPP_MEM_LEVEL_REMOTE_CACHE },
	{ PERF_MEM_LVLNUM_ANY_CACHE, 1, 1, OMPP_MEM_LEVEL_PEER_CACHE },
	{ PERF_MEM_LVLNUM_PMEM, 0, 0, OMPP_MEM_LEVEL_PERSISTENT },
};
enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

/* The i-th access of a thread; every other one is a store where both are planted. */
static struct planted_access access_of(unsigned int i, uint64_t thread, enum ompp_mem_kind kinds)
{
	unsigned int s = i % SOURCES;
	int is_store = kinds == OMPP_MEM_STORES || (kinds == OMPP_MEM_BOTH && i % 2);

	return (struct planted_access){
		.kind = is_store ? PLANTED_STORE : PLANTED_LOAD,
		.latency = 100 + i,
		.ip = 0x400000 + thread * 0x10000 + i,
		.address = 0x10000000 + thread * 0x1000000 + 8 * i,
		.data_source = (is_store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD) |
		               sources[s].level << PERF_MEM_LVLNUM_SHIFT | sources[s].remote << PERF_MEM_REMOTE_SHIFT |
		               sources[s].hops << 43,
	};
}

static void plant(unsigned int n, uint64_t thread, enum ompp_mem_kind kinds)
{
	for (unsigned int i = 0; i < n; i++) {
		struct planted_access a = access_of(i, thread, kinds);

		CHECK(!ioctl(device, PLANT_ACCESS, &a));
	}
}

/* Is the sample the i-th access? */
static void same(const struct ompp_mem_sample *s, unsigned int i, uint64_t thread, enum ompp_mem_kind kinds, pid_t tid)
{
	struct planted_access a = access_of(i, thread, kinds);

	CHECK(s->ip == a.ip);
	CHECK(s->address == a.address);
	CHECK(s->latency == a.latency);
	CHECK(s->data_source == a.data_source);
	CHECK(s->kind == (a.kind == PLANTED_STORE ? OMPP_MEM_STORES : OMPP_MEM_LOADS));
	CHECK(s->level == sources[i % SOURCES].means);
	CHECK(s->pid == (uint32_t)getpid() && s->tid == (uint32_t)tid);
	CHECK(s->cpu < (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
	CHECK(s->time_ns);
}

static void all_of_them(enum ompp_mem_kind kinds, unsigned int period)
{
	struct ompp_mem_options options = { .period = period };
	struct ompp_mem_sample samples[2 * SAMPLES];
	struct ompp_mem_counts counts;
	struct ompp_mem *mem;
	uint64_t last = 0;

	CHECK(!ompp_mem_new(&mem, NULL, 1, &options));
	CHECK(ompp_mem_stop(mem) == OMPP_MEM_ERROR_STATE);
	CHECK(!ompp_mem_start(mem, kinds));
	CHECK(ompp_mem_start(mem, kinds) == OMPP_MEM_ERROR_STATE);
	plant(SAMPLES * period, 0, kinds);
	CHECK(!ompp_mem_stop(mem));
	plant(SAMPLES, 1, kinds); /* nobody looks */
	counts = ompp_mem_counts(mem, 0);
	CHECK(counts.samples == SAMPLES && !counts.lost && !counts.throttled && !counts.undecodable && !counts.others);
	CHECK(ompp_mem_n_samples(mem, 0) == SAMPLES);
	CHECK(ompp_mem_copy(mem, 0, 0, samples, 2 * SAMPLES) == SAMPLES);
	for (unsigned int i = 0; i < SAMPLES; i++) {
		CHECK(samples[i].period == period);
		CHECK(samples[i].time_ns >= last);
		last = samples[i].time_ns;
		/* of loads and stores by two events, each has its own count up to the period */
		if (kinds != OMPP_MEM_BOTH || period == 1)
			same(&samples[i], (i + 1) * period - 1, 0, kinds, gettid());
	}
	if (period == least) {
		CHECK(!ompp_mem_resume(mem, kinds));
		plant(SAMPLES * period, 0, kinds);
		CHECK(!ompp_mem_stop(mem));
		CHECK(ompp_mem_n_samples(mem, 0) == 2 * SAMPLES);
		CHECK(ompp_mem_take(mem, 0, samples, SAMPLES) == SAMPLES && ompp_mem_n_samples(mem, 0) == SAMPLES);
		CHECK(ompp_mem_copy(mem, 0, 0, samples + SAMPLES, SAMPLES) == SAMPLES);
		CHECK(samples[0].address == samples[SAMPLES].address);
		CHECK(samples[SAMPLES].time_ns > samples[SAMPLES - 1].time_ns);
		CHECK(!ompp_mem_print(mem, stdout, 0));
		CHECK(!ompp_mem_start(mem, kinds));
		CHECK(!ompp_mem_stop(mem) && ompp_mem_n_samples(mem, 0) == 0);
	}
	ompp_mem_free(mem);
}

/* ---- several threads, and more than the rings hold ---- */

static pthread_barrier_t barrier;
static pid_t tids[THREADS];
static enum ompp_mem_kind planted_kinds;
static unsigned int n_planted;

static void *planter(void *argument)
{
	unsigned int me = (unsigned int)(size_t)argument;

	tids[me] = gettid();
	pthread_barrier_wait(&barrier); /* the session is made */
	pthread_barrier_wait(&barrier);
	plant(n_planted, me, planted_kinds);
	pthread_barrier_wait(&barrier); /* it is stopped */
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void handler(struct ompp_mem *mem, size_t thread, void *context)
{
	CHECK(ompp_mem_n_samples(mem, thread) > 0);
	__atomic_fetch_add((unsigned int *)context + thread, 1, __ATOMIC_RELAXED);
}

/* Each thread has its own; what the rings had no room for is counted, so that all are accounted for. */
static void by_threads(enum ompp_mem_kind kinds, unsigned int n, unsigned int ring_pages, size_t handled)
{
	struct ompp_mem_options options = { .period = least, .ring_pages = ring_pages, .most_samples = n };
	static struct ompp_mem_sample some[SAMPLES];
	unsigned int calls[THREADS] = { 0 };
	pthread_t threads[THREADS];
	struct ompp_mem *mem;

	planted_kinds = kinds;
	n_planted = n * least;
	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, planter, (void *)i);
	pthread_barrier_wait(&barrier);
	CHECK(!ompp_mem_new(&mem, tids, THREADS, &options));
	if (handled)
		CHECK(!ompp_mem_set_handler(mem, handled, handler, calls));
	CHECK(!ompp_mem_start(mem, kinds));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	CHECK(!ompp_mem_stop(mem));
	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < THREADS; i++) {
		struct ompp_mem_counts counts = ompp_mem_counts(mem, i);
		size_t n_some = ompp_mem_copy(mem, i, 0, some, SAMPLES);

		pthread_join(threads[i], NULL);
		CHECK(counts.samples + counts.lost == n && counts.samples && !counts.undecodable && !counts.throttled);
		CHECK(ring_pages == 1 ? counts.lost > 0 : !counts.lost || is_tight);
		CHECK(!handled || calls[i] == counts.samples / handled);
		for (size_t k = 0; k < n_some; k++)
			CHECK(some[k].tid == (uint32_t)tids[i] && some[k].address >> 24 == 0x10 + i);
		if (!counts.lost && (kinds != OMPP_MEM_BOTH || least == 1))
			for (unsigned int k = 0; k < n_some; k++)
				same(&some[k], (k + 1) * least - 1, i, kinds, tids[i]);
	}
	ompp_mem_free(mem);
}

/* What the kernel holds back so that samples do not take all of the time. */
static void throttled(enum ompp_mem_kind kinds)
{
	struct ompp_mem_options options = { .period = 1 };
	struct ompp_mem_counts counts;
	struct ompp_mem *mem;

	CHECK(!ompp_mem_new(&mem, NULL, 1, &options));
	CHECK(!ompp_mem_start(mem, kinds));
	plant(50000, 0, kinds);
	CHECK(!ompp_mem_stop(mem));
	counts = ompp_mem_counts(mem, 0);
	CHECK(counts.throttled > 0 && counts.samples < 50000);
	ompp_mem_free(mem);
}

/* ---- Arm's packets ---- */

enum { SPE_RECORDS = 9000, SPE_MOST = 64 };

static unsigned char *put(unsigned char *at, unsigned char header, uint64_t payload, unsigned int n_bytes)
{
	*at++ = header;
	for (; n_bytes--; payload >>= 8)
		*at++ = (unsigned char)payload;
	return at;
}

/* The i-th record, of varying length: padding, instruction, operation, latencies, data address, events, end or time. */
static size_t record_of(unsigned int i, unsigned char *bytes)
{
	unsigned char *at = bytes;

	for (unsigned int k = 0; k < i % 8; k++)
		*at++ = 0;
	at = put(at, 0xb0, 0x400000 + 4 * i, 8);
	at = put(at, 0x48 | 1, i % 2, 1);
	at = put(at, 0x98, 10 + i % 1000, 2); /* total latency */
	at = put(at, 0x98 | 2, 3, 2);         /* translation latency */
	at = put(at, 0xb2, 0x10000000 + 64 * i, 8);
	at = put(at, 0x52, i % 3 == 0 ? 0x4 : i % 3 == 1 ? 0x10c : 0x30c, 2);
	at = i % 5 ? put(at, 0x01, 0, 0) : put(at, 0x71, 123456 + i, 8);
	return (size_t)(at - bytes);
}

/* Records that fill more than half of the AUX ring, so that the session's thread is woken, and less than all of it. */
enum { LAG = 4000 };

/* Waits until the session's thread has taken so many records, for a minute at most.  It does not sleep, so that that
 * thread may meet an event that runs. */
static void await(struct ompp_mem *mem, uint64_t n_records)
{
	for (time_t end = time(NULL) + 60; time(NULL) <= end;) {
		struct ompp_mem_counts counts = ompp_mem_counts(mem, 0);

		if (counts.samples + counts.others >= n_records)
			return;
	}
}

static void spe(enum ompp_mem_kind kinds)
{
	static const enum ompp_mem_level levels[] = { OMPP_MEM_LEVEL_L1, OMPP_MEM_LEVEL_L3,
		                                      OMPP_MEM_LEVEL_LOCAL_MEMORY };
	static unsigned char bytes[100 * SPE_MOST];
	static struct ompp_mem_sample samples[SPE_RECORDS];
	struct ompp_mem_counts counts;
	struct ompp_mem *mem;
	size_t n = 0, n_expected = kinds == OMPP_MEM_BOTH ? SPE_RECORDS : SPE_RECORDS / 2;

	CHECK(!ompp_mem_new(&mem, NULL, 1, NULL));
	CHECK(!ompp_mem_start(mem, kinds));
	for (unsigned int i = 0; i < SPE_RECORDS; i++) {
		struct planted_packets p = { (uintptr_t)bytes, 0, i == 499 ? PERF_AUX_FLAG_COLLISION : 0 };

		n += record_of(i, bytes + n);
		p.n_bytes = (uint32_t)n;
		if (i % 100 != 99)
			continue;
		CHECK(!ioctl(device, PLANT_PACKETS, &p));
		n = 0;
		if (i > LAG)
			await(mem, i - LAG); /* as the ring has no room for all records */
	}
	CHECK(!ompp_mem_stop(mem));
	counts = ompp_mem_counts(mem, 0);
	if (counts.samples != n_expected || counts.others != SPE_RECORDS - n_expected)
		printf("%llu samples and %llu others\n", (unsigned long long)counts.samples,
		       (unsigned long long)counts.others);
	CHECK(counts.samples == n_expected && counts.others == SPE_RECORDS - n_expected && !counts.lost);
	CHECK(counts.undecodable == 1); /* the collision */
	CHECK(ompp_mem_copy(mem, 0, 0, samples, SPE_RECORDS) == n_expected);
	for (unsigned int k = 0; k < n_expected; k++) {
		unsigned int i = kinds == OMPP_MEM_BOTH ? k : 2 * k + (kinds == OMPP_MEM_STORES);

		CHECK(samples[k].ip == 0x400000 + 4 * i && samples[k].address == 0x10000000 + 64 * i);
		CHECK(samples[k].latency == 10 + i % 1000 && samples[k].level == levels[i % 3]);
		CHECK(samples[k].kind == (i % 2 ? OMPP_MEM_STORES : OMPP_MEM_LOADS));
	}
	ompp_mem_free(mem);
}

static void bad_input(enum ompp_mem_kind kinds)
{
	struct ompp_mem *mem;
	pid_t nobody = 4194303;

	CHECK(ompp_mem_new(&mem, NULL, 0, NULL) == OMPP_MEM_ERROR_ARGUMENT && !mem);
	CHECK(!ompp_mem_new(&mem, &nobody, 1, NULL));
	CHECK(ompp_mem_start(mem, kinds) == OMPP_MEM_ERROR_ARGUMENT && strstr(ompp_mem_message(), "no such thread"));
	CHECK(ompp_mem_start(mem, OMPP_MEM_NEITHER) == OMPP_MEM_ERROR_ARGUMENT);
	CHECK(ompp_mem_set_handler(mem, 0, handler, NULL) == OMPP_MEM_ERROR_ARGUMENT);
	ompp_mem_free(mem);
	ompp_mem_free(NULL);
}

int main(int argc, char **argv)
{
	enum ompp_mem_kind kinds = argc < 2 || !strcmp(argv[1], "both") ? OMPP_MEM_BOTH
	                         : !strcmp(argv[1], "loads")            ? OMPP_MEM_LOADS
	                                                                : OMPP_MEM_STORES;
	const char *what = argc > 2 ? argv[2] : "all";

	device = open("/dev/mem_pmu", O_RDWR);
	if (!strcmp(what, "supported")) {
		int rc = ompp_mem_supported(kinds);

		printf("%d%s%s\n", rc, rc ? " " : "", rc ? ompp_mem_message() : "");
		return 0;
	}
	if (!strcmp(what, "spe")) {
		CHECK(!ompp_mem_supported(kinds));
		spe(kinds);
		return 0;
	}
	if (!strcmp(what, "throttled")) {
		throttled(kinds);
		return 0;
	}
	CHECK(device >= 0);
	if (argc > 3)
		least = (unsigned int)atoi(argv[3]);
	if (!strcmp(what, "tight")) {
		is_tight = 1;
		by_threads(kinds, SAMPLES, 64, 0);
		return 0;
	}
	CHECK(!ompp_mem_supported(kinds));
	all_of_them(kinds, least);
	all_of_them(kinds, 16 * least);
	by_threads(kinds, SAMPLES, 16, 0);
	by_threads(kinds, SAMPLES, 16, 50);
	if (least == 1)
		by_threads(kinds, 20000, 1, 0);
	bad_input(kinds);
	return 0;
}
