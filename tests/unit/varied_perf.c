/*
 * Varied perf: events that perf_event_open() makes of files in memory, and what reads their counts, pages and rings.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/array.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/event.h"
#include "runtime/counters/value.h"
#include "runtime/host/stamp.h"
#include "runtime/samples/data_source.h"
#include "runtime/samples/sample_record.h"
#include "runtime/samples/sampler.h"
#include "runtime/samples/spe.h"
#include "runtime/sources/counter_page.h"
#include "runtime/sources/counter_plan.h"
#include "runtime/sources/counter_set.h"
#include "tests/unit/varied_machine.h"

typedef unsigned long long ull;

/* ---- the events ---- */

enum { MOST_EVENTS = 256, MOST_PAGES = 160, PAGE = 4096 };

uint32_t varied_perf_refuses;

static struct event {
	int fd, leader; /* leader: the descriptor that its group's leader had when it was opened */
	uint64_t id, leader_id, type, config, read_format, n_reads;
} events[MOST_EVENTS];
static size_t n_events;
static uint64_t last_id;

static struct event *event_of(long fd)
{
	for (size_t i = 0; i < n_events; i++)
		if (events[i].fd == fd)
			return &events[i];
	return NULL;
}

static uint64_t mixed(uint64_t a, uint64_t b)
{
	return (a * UINT64_C(0x9e3779b97f4a7c15) ^ b) * UINT64_C(0xbf58476d1ce4e5b9) >> 17;
}

static long event_open(const struct perf_event_attr *attr, long group)
{
	static const int errors[] = { EACCES, ENOENT, EINVAL, EBUSY, EOPNOTSUPP, EMFILE };
	const struct event *leader = group < 0 ? NULL : event_of(group);
	int fd;

	if (varied_perf_refuses &&
	    mixed(attr->type * 1000003 + attr->config, attr->sample_type & 4095) % varied_perf_refuses == 0)
		return -errors[mixed(attr->config, attr->type) % OMPP_COUNT_OF(errors)];
	if (n_events == MOST_EVENTS || (group >= 0 && !leader))
		return -EBADF;
	fd = memfd_create("event", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, MOST_PAGES * PAGE))
		abort();
	last_id++;
	events[n_events++] = (struct event){
		fd,           (int)(leader ? group : fd), last_id, leader ? leader->leader_id : last_id, attr->type,
		attr->config, attr->read_format,          0
	};
	return fd;
}

/* Reads a group, or one event: the count, and how many samples were lost. */
static long event_read(struct event *e, uint64_t *to, size_t n_bytes)
{
	uint64_t words[4 + 3 * OMPP_EVENT_GROUP], enabled = ++e->n_reads * 1000000;
	size_t n = 0;

	if (!(e->read_format & PERF_FORMAT_GROUP)) {
		words[n++] = mixed(e->config, e->n_reads) % 100000;
		words[n++] = mixed(e->config, e->type) % 7;
		n = e->read_format ? 2 : 1;
	} else {
		n = 3;
		words[0] = 0;
		words[1] = enabled;
		words[2] = enabled - mixed(e->config, 9) % 3 * (enabled / 7);
		for (size_t i = 0; i < n_events && words[0] < OMPP_EVENT_GROUP; i++)
			if (events[i].leader_id == e->leader_id) {
				words[n++] = e->n_reads * (mixed(events[i].config, events[i].type) % 100000);
				words[n++] = events[i].id;
				words[0]++;
			}
	}
	if (n * sizeof(*to) > n_bytes)
		return -ENOSPC;
	memcpy(to, words, n * sizeof(*to));
	return (long)(n * sizeof(*to));
}

static long event_control(const struct event *e, unsigned long request, void *argument)
{
	if (varied_perf_refuses && mixed(e->id, e->config) % 17 == 0)
		return -ENOTTY;
	if (request == PERF_EVENT_IOC_ID)
		memcpy(argument, &e->id, sizeof(e->id));
	return 0;
}

static void event_drop(struct event *e)
{
	*e = events[--n_events];
}

int varied_perf_answer(long number, const long a[6], long *result)
{
	struct event *e;

	if (number == SYS_perf_event_open) {
		*result = event_open((const struct perf_event_attr *)a[0], a[3]);
		return 1;
	}
	e = n_events ? event_of(a[0]) : NULL;
	if (!e)
		return 0;
	switch (number) {
	case SYS_read:
		*result = event_read(e, (uint64_t *)a[1], (size_t)a[2]);
		return 1;
	case SYS_ioctl:
		*result = event_control(e, (unsigned long)a[1], (void *)a[2]);
		return 1;
	case SYS_close:
		event_drop(e);
		return 0;
	case SYS_fcntl: /* a duplicate takes its place, as the old number is closed next */
		*result = ompp_sys_direct(number, a[0], a[1], a[2], 0, 0, 0);
		if (*result >= 0 && n_events < MOST_EVENTS) {
			events[n_events] = *e;
			events[n_events].fd = (int)*result;
			n_events++;
		}
		return 1;
	default:
		return 0;
	}
}

int varied_perf_end(void)
{
	int n = (int)n_events;

	for (size_t i = 0; i < n_events; i++)
		close(events[i].fd);
	n_events = 0;
	last_id = 0;
	return n;
}

int varied_perf_newest(void)
{
	return n_events ? events[n_events - 1].fd : -1;
}

/* ---- records ---- */

static void put_sample(FILE *to, const struct ompp_mem_sample *s)
{
	fprintf(to, " %llu %llx %llx %llx %llx %llu %llu %u %u/%u %d %u %u %u %u %u", (ull)s->time_ns, (ull)s->ip,
	        (ull)s->address, (ull)s->physical, (ull)s->data_source, (ull)s->period, (ull)s->page_bytes, s->latency,
	        s->pid, s->tid, (int)s->cpu, s->kind, s->level, s->snoop, s->translation, s->lock);
}

/* Returns a word of the kernel's data source: mostly one bit of each field. */
static uint64_t source_of_chance(void)
{
	uint64_t word = 0;

	if (!varied_below(6))
		return varied_word();
	word |= UINT64_C(1) << (varied_below(4) ? 1 + varied_below(2) : varied_below(5));
	word |= UINT64_C(1) << (5 + varied_below(14));
	word |= varied_below(2) ? UINT64_C(2) << 5 : 0;
	word |= UINT64_C(1) << (19 + varied_below(5));
	word |= UINT64_C(1) << (24 + varied_below(2));
	word |= UINT64_C(1) << (26 + varied_below(7));
	word |= (uint64_t)varied_below(16) << 33 | (uint64_t)varied_below(2) << 37;
	return word | (varied_below(3) ? 0 : (uint64_t)varied_below(32) << 38);
}

static void make_data_source(FILE *to)
{
	struct ompp_mem_sample s = { 0 };

	ompp_data_source_decode(source_of_chance(), &s);
	put_sample(to, &s);
}

static void put64(unsigned char *record, size_t *n, uint64_t word)
{
	memcpy(record + *n, &word, sizeof(word));
	*n += sizeof(word);
}

/* Makes a record with the fields of a type, and returns its length. */
static size_t sample_of_chance(uint64_t type, unsigned char *record)
{
	static const uint64_t order[] = { PERF_SAMPLE_IDENTIFIER,    PERF_SAMPLE_IP,       PERF_SAMPLE_TID,
		                          PERF_SAMPLE_TIME,          PERF_SAMPLE_ADDR,     PERF_SAMPLE_ID,
		                          PERF_SAMPLE_STREAM_ID,     PERF_SAMPLE_CPU,      PERF_SAMPLE_PERIOD,
		                          PERF_SAMPLE_CALLCHAIN,     PERF_SAMPLE_RAW,      PERF_SAMPLE_WEIGHT,
		                          PERF_SAMPLE_WEIGHT_STRUCT, PERF_SAMPLE_DATA_SRC, PERF_SAMPLE_TRANSACTION,
		                          PERF_SAMPLE_PHYS_ADDR,     PERF_SAMPLE_CGROUP,   PERF_SAMPLE_DATA_PAGE_SIZE,
		                          PERF_SAMPLE_CODE_PAGE_SIZE };
	size_t n = sizeof(struct perf_event_header);

	for (size_t i = 0; i < OMPP_COUNT_OF(order); i++) {
		uint64_t more = varied_below(5);

		if (!(type & order[i]))
			continue;
		switch (order[i]) {
		case PERF_SAMPLE_CALLCHAIN:
			put64(record, &n, more);
			for (; more > 0; more--)
				put64(record, &n, varied_word());
			break;
		case PERF_SAMPLE_RAW:
			more = varied_below(3) ? 4 + 8 * (4 + more) : 4;
			put64(record, &n, more | varied_word() << 32);
			for (uint64_t k = 4; k < more; k += 8)
				put64(record, &n, varied_word());
			break;
		case PERF_SAMPLE_IP:
			put64(record, &n, varied_below(6) ? varied_word() >> 17 : varied_word() | UINT64_C(1) << 63);
			break;
		case PERF_SAMPLE_DATA_SRC:
			put64(record, &n, source_of_chance());
			break;
		case PERF_SAMPLE_WEIGHT:
			put64(record, &n, varied_number());
			break;
		default:
			put64(record, &n, varied_below(3) ? varied_number() : varied_word());
		}
	}
	return n;
}

static void header(unsigned char *record, uint32_t type, size_t n)
{
	struct perf_event_header h = { type, 0, (uint16_t)n };

	memcpy(record, &h, sizeof(h));
}

static void make_record(FILE *to)
{
	static const uint64_t common = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	uint64_t type = varied_below(2) ? common | (varied_word() & ompp_record_known())
	                                : varied_word() & ompp_record_known();
	unsigned char record[1024];
	struct ompp_mem_sample s;
	size_t n;
	int rc;

	if (type & PERF_SAMPLE_WEIGHT)
		type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
	type |= varied_below(20) ? 0 : UINT64_C(1) << varied_below(40);
	n = sample_of_chance(type & ompp_record_known(), record);
	n -= varied_below(8) ? 0 : 8 * varied_below((uint32_t)n / 8);
	header(record, PERF_RECORD_SAMPLE, n);
	rc = ompp_record_sample(type, record, n, &s);
	fprintf(to, "%llx %zu: %d", (ull)type, n, rc);
	if (!rc)
		put_sample(to, &s);
	fputc('\n', to);
}

static void make_other_record(FILE *to)
{
	uint64_t type = PERF_SAMPLE_TIME | (varied_word() & (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
	                                                     PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID));
	unsigned char record[512];
	struct ompp_record_mapping m = { 0, 0, 0 };
	struct ompp_record_aux aux = { 0, 0, 0 };
	size_t n = 8, want = 8 * (1 + varied_below(14));
	int rc;

	while (n < want)
		put64(record, &n, varied_below(2) ? varied_number() : varied_word());
	header(record, varied_below(2) ? PERF_RECORD_LOST : PERF_RECORD_LOST_SAMPLES, n);
	fprintf(to, "lost %llu", (ull)ompp_record_lost(record, n));
	rc = ompp_record_mapping(type, record, n, &m);
	fprintf(to, " mapping %d %llx %llx %llu", rc, rc ? 0 : (ull)m.address, rc ? 0 : (ull)m.n_bytes,
	        rc ? 0 : (ull)m.time_ns);
	rc = ompp_record_aux(record, n, &aux);
	fprintf(to, " aux %d %llx %llx %llx\n", rc, rc ? 0 : (ull)aux.offset, rc ? 0 : (ull)aux.n_bytes,
	        rc ? 0 : (ull)aux.flags);
}

/* ---- packets ---- */

static size_t packet_of_chance(unsigned char *to)
{
	static const unsigned char heads[] = { 0xb0, 0xb1, 0xb2, 0xb3, 0x98, 0x99, 0x9a, 0x42, 0x52, 0x62,
		                               0x43, 0x53, 0x49, 0x48, 0x4a, 0x64, 0x00, 0x20, 0x71, 0x01 };
	unsigned char head = VARIED_ONE_OF(heads);
	size_t n = 0, payload;

	if (head == 0xb0 || head == 0x98) {
		if (!varied_below(6))
			to[n++] = 0x20 | (unsigned char)varied_below(4);
	}
	to[n++] = head;
	if (head == 0x00 || head == 0x01)
		return n;
	payload = (size_t)1 << (head >> 4 & 3);
	if (head == 0x20)
		return n;
	for (size_t i = 0; i < payload; i++)
		to[n++] = (unsigned char)(varied_below(2) ? varied_below(256) : varied_below(8));
	return n;
}

static size_t packets_of_chance(unsigned char *to, size_t most)
{
	size_t n = 0;

	while (n + 16 < most) {
		for (uint32_t i = 2 + varied_below(9); i > 0 && n + 16 < most; i--)
			n += packet_of_chance(to + n);
		if (n + 9 < most && varied_below(4)) {
			to[n++] = varied_below(2) ? 0x71 : 0x01;
			for (int i = 0; to[n - 1 - (size_t)i] == 0x71 && i < 8; i++)
				to[n++] = (unsigned char)varied_below(4);
		}
	}
	return n;
}

static void make_spe(FILE *to)
{
	unsigned char bytes[400];
	const unsigned char *at = bytes;
	size_t n = packets_of_chance(bytes, 20 + varied_below(sizeof(bytes) - 20));
	int neoverse = (int)varied_below(2), rc;
	struct ompp_mem_sample s;

	n = varied_damage((char *)bytes, n, sizeof(bytes), 0);
	while ((rc = ompp_spe_next(&at, &n, neoverse, &s)) > 0) {
		fprintf(to, "%zu", n);
		put_sample(to, &s);
		fputc('\n', to);
	}
	fprintf(to, "%d %zu %d\n", rc, n,
	        ompp_spe_is_neoverse(varied_below(2) ? 0x410fd0c0 + varied_below(8) * 16 : varied_word()));
}

/* ---- a sampler on a ring ---- */

static FILE *taken;

static void take(void *context, const struct ompp_mem_sample *s)
{
	(void)context;
	put_sample(taken, s);
	fputc('\n', taken);
}

static void take_mapping(void *context, const struct ompp_record_mapping *m)
{
	(void)context;
	fprintf(taken, "mapped %llx %llx %llu\n", (ull)m->address, (ull)m->n_bytes, (ull)m->time_ns);
}

/* Writes bytes as the kernel does, around the ring's end; nothing where they find no room. */
static void ring_write(struct ompp_ring *ring, const unsigned char *bytes, size_t n)
{
	unsigned char *data = (unsigned char *)(size_t)ring->data;
	uint64_t head = ring->page->data_head;

	if (head + n - ring->page->data_tail > ring->n_bytes)
		return;
	for (size_t i = 0; i < n; i++)
		data[(head + i) % ring->n_bytes] = bytes[i];
	ring->page->data_head = head + n;
}

static void fill_aux(struct ompp_sampler *s, unsigned char *record, size_t *n)
{
	uint64_t offset = varied_below(4) * s->aux_bytes - varied_below(300), bytes;
	unsigned char packets[600];

	offset = offset > UINT64_MAX / 2 ? 0 : offset;
	bytes = packets_of_chance(packets, 30 + varied_below(sizeof(packets) - 30));
	for (uint64_t i = 0; i < bytes; i++)
		((unsigned char *)s->aux)[(offset + i) % s->aux_bytes] = packets[i];
	put64(record, n, offset);
	put64(record, n, varied_below(20) ? bytes : varied_number());
	put64(record, n, varied_below(4) ? 0 : varied_below(16));
	header(record, PERF_RECORD_AUX, *n);
}

static void fill_ring(struct ompp_sampler *s)
{
	static const uint32_t types[] = { PERF_RECORD_LOST, PERF_RECORD_LOST_SAMPLES, PERF_RECORD_THROTTLE,
		                          PERF_RECORD_MMAP, PERF_RECORD_EXIT };

	for (uint32_t i = varied_below(60); i > 0; i--) {
		unsigned char record[1024] = { 0 };
		size_t n = 8;

		if (s->aux && varied_below(2)) {
			fill_aux(s, record, &n);
		} else if (varied_below(3)) {
			n = sample_of_chance(s->sample_type, record);
			header(record, PERF_RECORD_SAMPLE, n);
		} else {
			for (uint32_t k = 1 + varied_below(12); k > 0; k--)
				put64(record, &n, varied_number());
			header(record, VARIED_ONE_OF(types), n);
		}
		if (!varied_below(60))
			header(record, varied_below(20), varied_below(70));
		ring_write(&s->ring, record, n);
	}
}

static void put_events(struct ompp_memory_event *list, int *n)
{
	static const struct ompp_memory_event kinds[] = {
		{ .unit = OMPP_UNIT_PEBS,
		  .pmu = "cpu",
		  .kinds = 1,
		  .precise = 2,
		  .type = 4,
		  .config = 0x1cd,
		  .period_step = 1,
		  .period_least = 1 },
		{ .unit = OMPP_UNIT_IBS,
		  .pmu = "ibs_op",
		  .kinds = 3,
		  .type = 9,
		  .sees_kernel = 1,
		  .period_step = 16,
		  .period_least = 0x90 },
		{ .unit = OMPP_UNIT_SPE,
		  .pmu = "arm_spe_0",
		  .kinds = 3,
		  .type = 11,
		  .period_step = 1,
		  .period_least = 1024 },
	};

	*n = 1;
	list[0] = VARIED_ONE_OF(kinds);
	list[0].config += varied_below(4);
	if (!varied_below(3)) {
		ompp_memory_faults(&list[0], (int)varied_below(2));
	} else if (list[0].unit == OMPP_UNIT_PEBS && varied_below(2)) {
		list[1] = list[0];
		list[1].config = 0x2cd;
		list[1].kinds = 2;
		list[0].has_leader = (uint8_t)varied_below(2);
		list[0].leader_config = 0x8203;
		*n = 2;
	}
}

static void make_sampler(FILE *to)
{
	struct ompp_sampler_options options = { .period = 1 + varied_number() / 4,
		                                .latency = varied_below(3) ? 0 : varied_below(200),
		                                .ring_pages = 1u << varied_below(4),
		                                .wakeup_samples = varied_below(3),
		                                .kinds = (uint8_t)varied_below(4),
		                                .wants_physical = (uint8_t)varied_below(2),
		                                .keeps_kernel = (uint8_t)varied_below(2),
		                                .mapped = varied_below(2) ? take_mapping : NULL,
		                                .clock = varied_below(2) ? -1 : 1 };
	struct ompp_memory_event list[2];
	struct ompp_sampler s;
	struct ompp_stamp_scale scale = { 0, 0, 0 };
	char line[400] = "";
	struct ompp_text why;
	int n, rc;

	ompp_text_init(&why, line, sizeof(line));
	varied_perf_refuses = varied_below(3) ? 0 : 2 + varied_below(4);
	varied_put_file("proc/sys/kernel/perf_event_paranoid", "%d\n", (int)varied_below(6) - 1);
	if (varied_below(2))
		varied_put_file("sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "0x00000000%x\n",
		                varied_below(2) ? 0x410fd0c0 + varied_below(8) * 16 : varied_below(1u << 31));
	put_events(list, &n);
	rc = ompp_sampler_open(&s, 0, list, n, &options, &why);
	fprintf(to, "%d %s %u events, type %llx, period %llu, ring %llu, aux %llu\n", rc, line, s.n, (ull)s.sample_type,
	        (ull)s.period, (ull)(rc ? 0 : s.ring.n_bytes), (ull)(rc ? 0 : s.aux_bytes));
	if (rc)
		return;
	taken = to;
	s.ring.page->cap_user_time_zero = varied_below(4) != 0;
	s.ring.page->time_zero = varied_number();
	s.ring.page->time_mult = varied_below(9) ? 1u << 20 | varied_below(1u << 20) : 0;
	s.ring.page->time_shift = (uint16_t)varied_below(24);
	rc = ompp_sampler_scale(&s, &scale);
	fprintf(to, "enable %d scale %d", ompp_sampler_enable(&s), rc);
	if (rc)
		fprintf(to, " stamp %llu", (ull)ompp_stamp_of(&scale, scale.zero + varied_below(1000000)));
	fputc('\n', to);
	for (int round = 0; round < 3; round++) {
		fill_ring(&s);
		if (varied_below(2))
			ompp_sampler_drain(&s, take, NULL);
		else
			ompp_sampler_drain_to(&s, s.ring.at + 8 * varied_below(250), take, NULL);
		fprintf(to, "%llu samples %llu others %llu lost %llu throttled %llu bad %llu truncated, tail %llu\n",
		        (ull)s.counts.n_samples, (ull)s.counts.n_others, (ull)s.counts.n_lost,
		        (ull)s.counts.n_throttled, (ull)s.counts.n_undecodable, (ull)s.counts.n_truncated,
		        (ull)s.ring.page->data_tail);
	}
	fprintf(to, "disable %d\n", ompp_sampler_disable(&s));
	ompp_sampler_close(&s);
}

static void make_explanations(FILE *to)
{
	static const int errors[] = { EACCES, EPERM,  ENOSYS, ENOENT, ENODEV, EOPNOTSUPP, ENOSPC, EBUSY,
		                      EMFILE, ENFILE, EINVAL, EBADF,  EIO,    ENODATA,    ESRCH,  E2BIG };
	struct ompp_memory_event e = { .pmu = "ibs_op", .sees_kernel = (uint8_t)varied_below(2) };
	int error = VARIED_ONE_OF(errors);
	char line[400];
	struct ompp_text t;

	varied_put_file("proc/sys/kernel/perf_event_paranoid", "%d\n", (int)varied_below(6) - 1);
	varied_put_file("proc/self/status", "Name:\tx\nNoNewPrivs:\t0\nSeccomp:\t%u\n", varied_below(3));
	ompp_text_init(&t, line, sizeof(line));
	ompp_event_explain(&t, error);
	fprintf(to, "%s\n", line);
	ompp_text_init(&t, line, sizeof(line));
	if (error != EMFILE) /* the limit of this machine */
		ompp_event_explain_counting(&t, error, (int)varied_below(2), varied_below(90));
	fprintf(to, "%s\n", line);
	ompp_text_init(&t, line, sizeof(line));
	ompp_sampler_explain(&t, error, &e);
	fprintf(to, "%s\n", line);
}

/* ---- counts ---- */

static void make_values(FILE *to)
{
	int64_t enabled = 1 + (int64_t)(varied_number() >> 2), running = enabled / (1 + varied_below(9)),
		counted = (int64_t)(varied_number() >> 2);

	running = varied_below(6) ? running : varied_below(2);

	fprintf(to, "%lld %lld %lld: %d %lld %lld %lld\n", (long long)counted, (long long)enabled, (long long)running,
	        ompp_value_is_partial(enabled, running), (long long)ompp_value_of_all(counted, enabled, running),
	        (long long)ompp_value_of_share(counted, enabled, running),
	        (long long)ompp_value_percent(enabled, running));
}

static uint64_t register_of(uint32_t index)
{
	return mixed(index, 5);
}

static uint64_t cycles_now(void)
{
	return 123456789;
}

static void make_page(FILE *to)
{
	static struct perf_event_mmap_page page;
	const struct ompp_counter_page_processor processor = { register_of, cycles_now };
	struct ompp_counter_page_reading r = { 0, 0, 0 };
	char line[300] = "";
	struct ompp_text why;
	int rc;

	memset(&page, 0, sizeof(page));
	page.index = varied_below(5);
	page.offset = (int64_t)varied_number();
	page.time_enabled = varied_number();
	page.time_running = varied_number();
	page.cap_user_rdpmc = varied_below(5) != 0;
	page.cap_user_time = varied_below(3) != 0;
	page.pmc_width = (uint16_t)(varied_below(4) ? 48 : 1 + varied_below(64));
	page.time_mult = 1 + varied_below(1u << 20);
	page.time_shift = (uint16_t)varied_below(30);
	page.time_offset = varied_number();
	rc = ompp_counter_page_read_on(&page, &processor, &r);
	fprintf(to, "%d %llu %llu %llu\n", rc, (ull)r.count, (ull)r.enabled_ns, (ull)r.running_ns);
	ompp_text_init(&why, line, sizeof(line));
	if (varied_below(4))
		varied_put_file("sys/bus/event_source/devices/cpu/rdpmc", "%u\n", varied_below(3));
	if (varied_below(4))
		varied_put_file("sys/bus/event_source/devices/cpu_core/rdpmc", "%u\n", varied_below(3));
#if defined(__x86_64__)
	rc = ompp_counter_page_allowed(&why);
	fprintf(to, "%d %s\n", rc, line);
#endif
}

static int count(int leader, uint32_t n, struct ompp_event_reading *reading)
{
	return ompp_event_read_group(leader, 0, n, reading);
}

/* A plan for counters of chance, and the events of a thread by it. */
static void make_plan(FILE *to)
{
	static struct ompp_plan plan;
	static struct ompp_counter counters[12];
	const struct ompp_plan_kernel kernel = { ompp_event_open_code, ompp_plan_kernel.close, count };
	const struct ompp_counter *list[12];
	struct ompp_counter_set set;
	uint64_t values[OMPP_PLAN_COUNTERS + 3 * OMPP_PLAN_SHARES];
	uint32_t n = 1 + varied_below(12);

	varied_put_file("proc/sys/kernel/perf_event_paranoid", "2\n");
	varied_perf_refuses = varied_below(2) ? 0 : 2 + varied_below(6);
	memset(counters, 0, sizeof(counters));
	for (uint32_t i = 0; i < n; i++) {
		struct ompp_counter *c = &counters[i];

		list[i] = c;
		snprintf(c->name, sizeof(c->name), "c%u", i);
		c->what = c->unit = c->source = "";
		c->scale_mul = 1;
		c->n_events = 1 + varied_below(varied_below(4) ? 2 : 6);
		for (uint32_t k = 0; k < c->n_events; k++) {
			struct ompp_event_code *e = &c->event[k];

			*e = (struct ompp_event_code){ .type = varied_below(3),
				                       .config = varied_below(9),
				                       .factor = (int)varied_below(3) - 1 };
			e->software = e->type == PERF_TYPE_SOFTWARE;
			e->counts_kernel = e->software && varied_below(2);
			e->pmu = varied_below(4) ? 0 : 4;
		}
	}
	ompp_plan_make(&plan, list, n, (int)varied_below(2), &kernel);
	fprintf(to, "%u of %u, %u groups, %u shares, own %x, %u events\n", plan.n_counted, plan.n_counters,
	        plan.n_groups, plan.n_shares, plan.own, ompp_plan_n_events(&plan));
	for (uint32_t i = 0; i < n; i++) {
		fprintf(to, "%d %u %u %s:", plan.counter[i].error, plan.counter[i].value, plan.counter[i].share,
		        plan.counter[i].why);
		for (uint32_t k = 0; k < plan.counter[i].n_terms; k++)
			fprintf(to, " %u.%u*%d", plan.counter[i].term[k].group, plan.counter[i].term[k].at,
			        plan.counter[i].term[k].factor);
		fputc('\n', to);
	}
	for (uint32_t g = 0; g < plan.n_groups; g++)
		fprintf(to, "group %u %u %d %d\n", plan.group[g].pmu, plan.group[g].n, plan.group[g].hardware,
		        plan.group[g].paged);
	for (uint32_t i = 0; i < plan.n_shares; i++)
		fprintf(to, "share %x\n", plan.share[i]);
	memset(&set, 0, sizeof(set));
	fprintf(to, "open %d", ompp_counter_set_open(&set, &plan));
	for (int round = 0; round < 3 && !plan.own; round++) { /* what is the thread's own is this machine's */
		memset(values, 0, sizeof(values));
		fprintf(to, "\nread %d:", ompp_counter_set_read(&set, &plan, values));
		for (uint32_t i = 0; i < ompp_counter_set_n_values(&plan); i++)
			fprintf(to, " %llu", (ull)values[i]);
		if (!varied_below(6) &&
		    varied_perf_newest() >= 0) { /* the program closes a descriptor that is not its own */
			const long fd[6] = { varied_perf_newest(), 0, 0, 0, 0, 0 };
			long unused;

			varied_perf_answer(SYS_close, fd, &unused);
			close((int)fd[0]);
		}
	}
	ompp_counter_set_close(&set, 0);
	fputc('\n', to);
}

const struct varied_part varied_perf_parts[] = {
	{ "data_source", 3000, make_data_source },
	{ "record", 3000, make_record },
	{ "other_record", 1000, make_other_record },
	{ "spe", 2000, make_spe },
	{ "sampler", 1000, make_sampler },
	{ "explanations", 300, make_explanations },
	{ "values", 1000, make_values },
	{ "page", 600, make_page },
	{ "plan", 1000, make_plan },
	{ NULL, 0, NULL },
};
