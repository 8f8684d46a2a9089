/*
 * Sampler: see sampler.h.
 */
#include "runtime/samples/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/event.h"
#include "runtime/host/clock.h"
#include "runtime/host/file.h"
#include "runtime/samples/sample_record.h"
#include "runtime/samples/spe.h"

enum { AUX_PAGES = 64, FORMAT_LOST = 1 << 4 }; /* PERF_FORMAT_LOST, which headers before Linux 6.0 do not have */

/* The fields of all samples, and the additional ones of samples by the processor's units, where the kernel knows
 * them. */
enum {
	FIELDS = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU,
	UNIT_FIELDS = PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC,
	WEIGHTS = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT
};

/* ---- opening ---- */

/* Sets the clock, which must be the same for all events of a group. */
static void set_clock(struct perf_event_attr *attr, const struct ompp_sampler_options *options)
{
	if (options->clock >= 0) {
		attr->use_clockid = 1;
		attr->clockid = options->clock;
	}
}

static void sampler_describe(struct perf_event_attr *attr, const struct ompp_memory_event *e,
                             const struct ompp_sampler_options *options)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = e->type;
	attr->config = e->config;
	attr->config1 = e->config1;
	attr->config2 = e->config2;
	attr->sample_period = ompp_memory_period(e, options->period);
	attr->disabled = 1;
	attr->exclude_kernel = attr->exclude_hv = !e->sees_kernel;
	attr->precise_ip = e->precise & 3;
	attr->watermark = !options->wakeup_samples; /* with no number of bytes it is half of the ring */
	attr->wakeup_events = options->wakeup_samples;
	attr->mmap_data = attr->sample_id_all = options->mapped != NULL;
	set_clock(attr, options);
}

/* Opens the event with the best of these sets of fields that the kernel accepts.  Old kernels lack the latest fields,
 * and physical addresses need a privilege.  Raw fields are IBS's registers.  All events of a ring have the same fields.
 */
static int open_best(struct ompp_sampler *s, struct perf_event_attr *attr, enum ompp_memory_unit unit, pid_t tid,
                     int group)
{
	const uint64_t all = unit == OMPP_UNIT_FAULTS ? FIELDS : FIELDS | UNIT_FIELDS;
	const uint64_t never = unit == OMPP_UNIT_FAULTS ? WEIGHTS : 0;
	const uint64_t physical = s->options.wants_physical ? PERF_SAMPLE_PHYS_ADDR : 0;
	const uint64_t raw = unit == OMPP_UNIT_IBS ? PERF_SAMPLE_RAW : 0;
	const uint64_t latest = PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_PAGE_SIZE | raw;
	const struct {
		uint64_t fields, read_format;
	} sets[] = { { latest | physical, FORMAT_LOST },
		     { latest, FORMAT_LOST },
		     { latest | physical, 0 },
		     { latest, 0 },
		     { PERF_SAMPLE_WEIGHT | raw | physical, 0 },
		     { PERF_SAMPLE_WEIGHT | raw, 0 },
		     { 0, 0 } };
	int fd = -EINVAL;

	for (size_t i = 0; i < OMPP_COUNT_OF(sets); i++) {
		attr->sample_type = all | (sets[i].fields & ~never);
		attr->read_format = sets[i].read_format;
		if (s->sample_type && attr->sample_type != s->sample_type)
			continue;
		fd = (int)OMPP_SYS6(perf_event_open, attr, tid, -1, group, PERF_FLAG_FD_CLOEXEC, 0);
		if (fd >= 0) {
			s->sample_type = attr->sample_type;
			s->tells_lost = attr->read_format != 0;
			return ompp_event_move(fd);
		}
		if (fd != -EINVAL && fd != -EACCES && fd != -EPERM)
			break;
	}
	return fd;
}

/* Keeps an event that was opened.  Returns fd, or a negative one. */
static int sampler_keep(struct ompp_sampler *s, int fd)
{
	fd = ompp_event_identify(fd, &s->id[s->n]);
	if (fd >= 0)
		s->fd[s->n++] = fd;
	return fd;
}

/* Opens the auxiliary event that leads the loads on Golden Cove; it counts, and samples nothing. */
static int open_leader(struct ompp_sampler *s, const struct ompp_memory_event *e, pid_t tid)
{
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = e->type;
	attr.config = e->leader_config;
	attr.disabled = 1;
	attr.exclude_kernel = attr.exclude_hv = 1;
	set_clock(&attr, &s->options);
	fd = ompp_event_move((int)OMPP_SYS6(perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC, 0));
	return sampler_keep(s, fd);
}

static int open_event(struct ompp_sampler *s, const struct ompp_memory_event *e, pid_t tid)
{
	struct perf_event_attr attr;
	int leader = -1;

	if (e->has_leader) {
		leader = open_leader(s, e, tid);
		if (leader < 0)
			return leader;
	}
	sampler_describe(&attr, e, &s->options);
	attr.disabled = leader < 0; /* a member of a group runs when its leader does */
	s->period = attr.sample_period;
	return sampler_keep(s, open_best(s, &attr, e->unit, tid, leader));
}

/* Maps the second ring, behind the first, into which SPE writes its packets. */
static int map_aux(struct ompp_sampler *s, int fd)
{
	uint64_t page = s->ring.map_bytes - s->ring.n_bytes;

	for (uint64_t n = AUX_PAGES; n; n /= 2) {
		long answer;

		s->ring.page->aux_offset = s->ring.map_bytes;
		s->ring.page->aux_size = n * page;
		answer = ompp_space_map(n * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)s->ring.map_bytes);
		if (answer > 0) {
			s->aux = (void *)answer;
			s->aux_bytes = n * page;
			return 0;
		}
		if (n == 1)
			return (int)answer;
	}
	return -ENOMEM;
}

/* Gives the ring to the first sampling event, and lets the others write into it, too. */
static int attach_ring(struct ompp_sampler *s, int fd, enum ompp_memory_unit unit)
{
	int rc;

	if (s->ring.page)
		return ompp_sys_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, (void *)(long)s->ring_fd);
	rc = ompp_ring_map(&s->ring, fd, s->options.ring_pages);
	s->ring_fd = fd;
	return rc || unit != OMPP_UNIT_SPE ? rc : map_aux(s, fd);
}

int ompp_sampler_open(struct ompp_sampler *s, pid_t tid, const struct ompp_memory_event *events, int n_events,
                      const struct ompp_sampler_options *options, struct ompp_text *why)
{
	int rc = 0;

	memset(s, 0, sizeof(*s));
	s->options = *options;
	for (int i = 0; i < n_events && rc >= 0; i++) {
		rc = open_event(s, &events[i], tid);
		if (rc >= 0)
			rc = attach_ring(s, rc, events[i].unit);
		if (rc < 0)
			ompp_sampler_explain(why, -rc, &events[i]);
	}
	if (rc >= 0) {
		s->whole = ompp_space_take(OMPP_RECORD_BYTES);
		if (!s->whole) {
			ompp_text_str(why, OMPP_SAMPLER_NO_MEMORY);
			rc = -ENOMEM;
		}
	}
	if (rc < 0)
		ompp_sampler_close(s);
	return rc < 0 ? rc : 0;
}

void ompp_sampler_close(struct ompp_sampler *s)
{
	if (s->aux)
		ompp_sys_munmap(s->aux, s->aux_bytes);
	if (s->whole)
		ompp_sys_munmap(s->whole, OMPP_RECORD_BYTES);
	ompp_ring_unmap(&s->ring);
	while (s->n > 0) {
		s->n--;
		ompp_event_close(s->fd[s->n], s->id[s->n]);
	}
	s->aux = s->whole = NULL;
}

void ompp_sampler_after_fork(struct ompp_sampler *s)
{
	s->ring.page = NULL;
	s->aux = NULL;
	ompp_sampler_close(s);
}

static int switch_all(struct ompp_sampler *s, unsigned long request)
{
	int rc = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		int one = ompp_event_id(s->fd[i]) == s->id[i] ? ompp_sys_ioctl(s->fd[i], request, NULL) : -EBADF;

		if (one && !rc)
			rc = one;
	}
	return rc;
}

int ompp_sampler_enable(struct ompp_sampler *s)
{
	return switch_all(s, PERF_EVENT_IOC_ENABLE);
}

int ompp_sampler_disable(struct ompp_sampler *s)
{
	return switch_all(s, PERF_EVENT_IOC_DISABLE);
}

int ompp_sampler_scale(const struct ompp_sampler *s, struct ompp_stamp_scale *scale)
{
	const struct perf_event_mmap_page *page = s->ring.page;
	uint32_t lock;
	int is_there;

	if (!page)
		return 0;
	do { /* the kernel may write meanwhile */
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		is_there = page->cap_user_time_zero && page->time_mult;
		*scale = (struct ompp_stamp_scale){ page->time_zero, page->time_mult, page->time_shift };
		ompp_fence_acquire();
	} while (lock & 1 || __atomic_load_n(&page->lock, __ATOMIC_RELAXED) != lock);
	return is_there;
}

int ompp_sampler_start(struct ompp_sampler *s, pid_t tid, const struct ompp_memory_event *events, int n_events,
                       const struct ompp_sampler_options *options, struct ompp_text *why)
{
	int rc = ompp_sampler_open(s, tid, events, n_events, options, why);

	if (rc)
		return rc;
	rc = ompp_sampler_enable(s);
	if (rc) {
		ompp_sampler_explain(why, -rc, &events[0]);
		ompp_sampler_close(s);
	}
	return rc;
}

/* ---- draining ---- */

struct drain {
	struct ompp_sampler *sampler;
	void (*take)(void *context, const struct ompp_mem_sample *sample);
	void *context;
};

static void hand_out(struct drain *d, const struct ompp_mem_sample *sample)
{
	struct ompp_sampler *s = d->sampler;
	int is_kernel = (int)(sample->ip >> 63); /* addresses in the kernel's half */
	struct ompp_mem_sample one;

	if ((s->options.kinds && !(sample->kind & s->options.kinds)) || (is_kernel && !s->options.keeps_kernel) ||
	    (sample->kind == OMPP_MEM_LOADS && sample->latency < s->options.latency)) {
		s->counts.n_others++;
		return;
	}
	s->counts.n_samples++;
	if (is_kernel) {
		one = *sample;
		one.ip = 0;
		sample = &one;
	}
	d->take(d->context, sample);
}

static int is_neoverse(void)
{
	char line[32];
	uint64_t midr = 0;

	if (ompp_file_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", line, sizeof(line)) <= 2)
		return 0;
	for (const char *p = line + 2; *p; p++)
		midr = midr * 16 + (uint64_t)(*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
	return ompp_spe_is_neoverse(midr);
}

/* Returns the time of a time stamp of SPE, which counts the generic timer.  The kernel's page tells how the kernel's
 * own clock runs by this timer; 0 when it does not tell. */
static uint64_t time_of_timer(const struct ompp_sampler *s, uint64_t timer)
{
	struct ompp_stamp_scale scale;
	uint64_t whole, rest;

	if (!timer || s->options.clock >= 0 || !ompp_sampler_scale(s, &scale))
		return 0;
	whole = timer >> scale.shift;
	rest = timer & ((UINT64_C(1) << scale.shift) - 1);
	return scale.zero + whole * scale.mult + (rest * scale.mult >> scale.shift);
}

/* Hands out the records of some packets.  Returns how many bytes the last record has when it is cut off; else 0. */
static size_t drain_packets(struct drain *d, const unsigned char *bytes, size_t n_bytes, int sources_are_neoverse)
{
	const unsigned char *end = bytes + n_bytes, *begin = bytes;
	struct ompp_mem_sample sample;
	int rc;

	while ((rc = ompp_spe_next(&bytes, &n_bytes, sources_are_neoverse, &sample)) > 0) {
		begin = bytes;
		sample.period = d->sampler->period;
		sample.time_ns = time_of_timer(d->sampler, sample.time_ns);
		hand_out(d, &sample);
	}
	return rc < 0 ? (size_t)(end - begin) : 0;
}

/* Hands out the packets of one AUX record.  If it wraps around at the ring's end, the record that is split there is
 * put together. */
static void drain_aux(struct drain *d, const void *record, size_t n_bytes)
{
	struct ompp_sampler *s = d->sampler;
	struct ompp_record_aux aux;
	const unsigned char *ring = s->aux;
	uint64_t at, first, second;
	size_t cut;
	int neoverse = is_neoverse();

	if (ompp_record_aux(record, n_bytes, &aux) || !ring || aux.n_bytes > s->aux_bytes) {
		s->counts.n_undecodable++;
		return;
	}
	if (aux.flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION))
		s->counts.n_truncated++;
	(void)__atomic_load_n(&s->ring.page->aux_head, __ATOMIC_ACQUIRE);
	at = aux.offset & (s->aux_bytes - 1);
	first = s->aux_bytes - at < aux.n_bytes ? s->aux_bytes - at : aux.n_bytes;
	second = aux.n_bytes - first;
	cut = drain_packets(d, ring + at, (size_t)first, neoverse);
	if (second && cut + second <= OMPP_RECORD_BYTES) {
		memcpy(s->whole, ring + at + first - cut, cut);
		memcpy((char *)s->whole + cut, ring, (size_t)second);
		cut = drain_packets(d, s->whole, cut + (size_t)second, neoverse);
	} else if (second) {
		s->counts.n_undecodable += cut > 0;
		cut = drain_packets(d, ring, (size_t)second, neoverse);
	}
	s->counts.n_undecodable += cut > 0;
	__atomic_store_n(&s->ring.page->aux_tail, aux.offset + aux.n_bytes, __ATOMIC_RELEASE);
}

static void drain_record(struct drain *d, const struct perf_event_header *record)
{
	struct ompp_sampler *s = d->sampler;
	struct ompp_record_mapping mapping;
	struct ompp_mem_sample sample;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		if (ompp_record_sample(s->sample_type, record, record->size, &sample))
			s->counts.n_undecodable++;
		else if (!s->aux) {
			if (!(s->sample_type & PERF_SAMPLE_PERIOD))
				sample.period = s->period;
			hand_out(d, &sample);
		}
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		if (!s->tells_lost)
			s->counts.n_lost += ompp_record_lost(record, record->size);
		break;
	case PERF_RECORD_THROTTLE:
		s->counts.n_throttled++;
		break;
	case PERF_RECORD_MMAP:
		if (!s->options.mapped)
			break;
		if (ompp_record_mapping(s->sample_type, record, record->size, &mapping))
			s->counts.n_undecodable++;
		else
			s->options.mapped(d->context, &mapping);
		break;
	case PERF_RECORD_AUX:
		drain_aux(d, record, record->size);
		break;
	default:
		break;
	}
}

/* Returns how many samples the kernel has dropped so far.  A record reports losses only once the ring has room for
 * it; the event itself always knows them, since Linux 6.0. */
static uint64_t sampler_dropped(const struct ompp_sampler *s)
{
	uint64_t sum = 0, reading[2];

	for (uint32_t i = 0; i < s->n; i++)
		if (ompp_event_id(s->fd[i]) == s->id[i] &&
		    ompp_sys_read(s->fd[i], reading, sizeof(reading)) == sizeof(reading))
			sum += reading[1];
	return sum;
}

void ompp_sampler_drain_to(struct ompp_sampler *s, uint64_t end,
                           void (*take)(void *context, const struct ompp_mem_sample *sample), void *context)
{
	struct drain d = { s, take, context };
	const struct perf_event_header *record;
	int is_bad = 0;

	ompp_ring_begin(&s->ring);
	if (s->ring.head > end)
		s->ring.head = end;
	while ((record = ompp_ring_next(&s->ring, s->whole, &is_bad)))
		drain_record(&d, record);
	s->counts.n_undecodable += (uint64_t)is_bad;
	ompp_ring_release(&s->ring);
	if (s->tells_lost)
		s->counts.n_lost = sampler_dropped(s);
}

void ompp_sampler_drain(struct ompp_sampler *s, void (*take)(void *context, const struct ompp_mem_sample *sample),
                        void *context)
{
	ompp_sampler_drain_to(s, UINT64_MAX, take, context);
}

/* ---- the trial ---- */

enum { TRIAL_PERIOD = 500, TRIAL_MS = 50, TRIAL_ROUNDS = 4, TRIAL_PAGES = 8 };

static void note_kind(void *context, const struct ompp_mem_sample *sample)
{
	if (sample->address)
		*(unsigned int *)context |= sample->kind;
}

static int64_t now_ms(void)
{
	struct timespec now;

	ompp_clock_read(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Loads and stores each word of the sampler's own memory. */
static void access_memory(struct ompp_sampler *s)
{
	volatile uint64_t *words = s->whole;

	for (size_t i = 0; i < OMPP_RECORD_BYTES / sizeof(*words); i++)
		words[i] = words[i] + 1;
}

int ompp_sampler_try(const struct ompp_memory_event *events, int n_events, unsigned int kinds, struct ompp_text *why)
{
	const struct ompp_sampler_options options = {
		.period = TRIAL_PERIOD, .ring_pages = TRIAL_PAGES, .kinds = (uint8_t)kinds, .clock = -1
	};
	struct ompp_sampler s;
	unsigned int seen = 0, n_rounds = 0;
	int64_t end;
	int rc = ompp_sampler_start(&s, 0, events, n_events, &options, why);

	if (rc)
		return rc;
	/* At least this many rounds run: the thread may be off the processor for all of the time. */
	for (end = now_ms() + TRIAL_MS; seen != kinds && (n_rounds < TRIAL_ROUNDS || now_ms() <= end); n_rounds++) {
		access_memory(&s);
		ompp_sampler_drain(&s, note_kind, &seen);
	}
	ompp_sampler_close(&s);
	if (seen == kinds)
		return 0;
	ompp_text_str(why, ompp_memory_unit_name(events[0].unit));
	ompp_text_str(why, !seen ? " opens here, but delivers no samples, as in some virtual machines; choose hook, or "
	                           "run it on another machine"
	                   : seen == OMPP_MEM_LOADS ? " delivers no samples of stores here; choose loads"
	                                            : " delivers no samples of loads here; choose stores");
	return -ENODATA;
}

/* ---- why not ---- */

static int sampler_paranoid(void)
{
	char text[8];

	return ompp_file_line("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)) > 0 && text[0] >= '0' &&
	                       text[0] <= '9'
	             ? text[0] - '0'
	             : -1;
}

static void explain_rights(struct ompp_text *why, const struct ompp_memory_event *event)
{
	int level = sampler_paranoid(), most = event->sees_kernel ? 1 : 2;

	if (level <= most) {
		ompp_text_str(why, "the samples' rings may not be larger, or a security profile forbids "
		                   "perf_event_open; raise "
		                   "kernel.perf_event_mlock_kb or `ulimit -l`, or allow it in the container's profile");
		return;
	}
	ompp_text_str(why, "kernel.perf_event_paranoid is ");
	ompp_text_u64(why, (uint64_t)level);
	ompp_text_str(why, event->sees_kernel
	                           ? ", and AMD's IBS without a filter by software sees the kernel, too; set it to "
	                           : "; set it to ");
	ompp_text_u64(why, (uint64_t)most);
}

void ompp_sampler_explain(struct ompp_text *why, int error, const struct ompp_memory_event *event)
{
	switch (error) {
	case EACCES:
	case EPERM:
		explain_rights(why, event);
		return;
	case ESRCH:
		ompp_text_str(why, "there is no such thread; give a thread's number, as gettid() answers it");
		return;
	case ENOSYS:
		ompp_text_str(why,
		              "this kernel has no perf_event_open, or a security profile hides it; allow it in the "
		              "container's profile");
		return;
	case EBUSY:
		ompp_text_str(why, "another profiler has the processor's sampling unit; end it");
		return;
	case ENOMEM:
		ompp_text_str(why, OMPP_SAMPLER_NO_MEMORY);
		return;
	case EMFILE:
	case ENFILE:
		ompp_text_str(why, "no file descriptor is free; raise `ulimit -n`");
		return;
	case EINVAL:
	case EOPNOTSUPP:
	case ENOENT:
	case ENODEV:
		ompp_text_str(why, "the kernel does not open the event of ");
		ompp_text_str(why, event->pmu);
		ompp_text_str(why, ", or not with this period or threshold; try others, or a newer kernel");
		return;
	default:
		ompp_text_str(why, "perf_event_open failed with errno ");
		ompp_text_u64(why, (uint64_t)error);
		ompp_text_str(why, "; see perf_event_open(2)");
	}
}
