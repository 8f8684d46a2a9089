/*
 * Uncore: see source_uncore.h.
 */
#define _GNU_SOURCE
#include "runtime/sources/source_uncore.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/event.h"
#include "runtime/counters/value.h"

enum { MOST_NODES = 1024, FIRST_ELEMENTS = 64 }; /* no kernel has more nodes */

/* One event of the kernel on one processor; factor × count × mul >> shift is added to its value. */
struct event {
	int fd;
	uint64_t id;
	uint32_t value;
	int32_t factor, mul, shift;
};

uint32_t ompp_n_uncore;
struct ompp_uncore_value *ompp_uncore;

static struct event *events;
static uint32_t n_events, have_events, have_values;

/* Makes room for one element more than n in an array, which is moved when it is full.  It lies in our own memory,
 * since the heap is the program's.  Returns the array; NULL without memory. */
static void *uncore_room(void *array, uint32_t n, uint32_t *have, size_t element_bytes)
{
	uint32_t more = *have ? 2 * *have : FIRST_ELEMENTS;
	void *grown;

	if (n < *have)
		return array;
	grown = ompp_space_reserve(more * element_bytes);
	if (!grown)
		return NULL;
	if (array) {
		memcpy(grown, array, n * element_bytes);
		ompp_sys_munmap(array, *have * element_bytes);
	}
	*have = more;
	return grown;
}

/* Returns the NUMA node of a processor, whose folder has a link such as "node3". */
static uint32_t node_of(uint32_t cpu)
{
	char path[96];
	struct ompp_text t;
	uint32_t node;
	size_t n;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, "/sys/devices/system/cpu/cpu");
	ompp_text_u64(&t, cpu);
	ompp_text_str(&t, "/node");
	n = t.n_bytes;
	for (node = 0; node < MOST_NODES; node++) {
		t.n_bytes = n;
		ompp_text_u64(&t, node);
		if (!ompp_sys_access(path, F_OK))
			return node;
	}
	return 0; /* a kernel without NUMA */
}

static int open_event(const struct ompp_event_code *code, uint32_t cpu, struct event *event)
{
	int fd = ompp_event_identify(ompp_event_open_on_cpu(code, (int)cpu), &event->id), rc;

	if (fd < 0)
		return fd;
	event->fd = fd;
	event->factor = code->factor;
	rc = ompp_event_enable(fd);
	if (rc)
		ompp_event_close(fd, event->id);
	return rc;
}

/* Gets the number of the counter's value for a NUMA node, which is a new one if need be.  Returns 0 or -ENOMEM. */
static int value_for(const struct ompp_counter *counter, uint32_t first, uint32_t node, uint32_t *value)
{
	struct ompp_uncore_value *grown;

	for (*value = first; *value < ompp_n_uncore; ++*value)
		if (ompp_uncore[*value].node == node)
			return 0;
	grown = uncore_room(ompp_uncore, ompp_n_uncore, &have_values, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	ompp_uncore = grown;
	ompp_uncore[ompp_n_uncore++] = (struct ompp_uncore_value){
		.metric = { counter->name, counter->unit ? counter->unit : "", OMPP_EXACT, "" }, .node = node
	};
	return 0;
}

static void close_from(uint32_t first_event)
{
	while (n_events-- > first_event)
		ompp_event_close(events[n_events].fd, events[n_events].id);
	n_events = first_event;
}

/* Opens all of the counter's events on one processor of the PMU. */
static int add_cpu(const struct ompp_counter *counter, uint32_t first, uint32_t cpu)
{
	uint32_t value;
	int rc = value_for(counter, first, node_of(cpu), &value);

	for (uint32_t i = 0; i < counter->n_events && !rc; i++) {
		struct event *grown = uncore_room(events, n_events, &have_events, sizeof(*grown)),
			     *e = grown + n_events;

		if (!grown)
			return -ENOMEM;
		events = grown;
		rc = open_event(&counter->event[i], cpu, e);
		if (rc)
			return rc;
		e->value = value;
		e->mul = counter->scale_mul;
		e->shift = counter->scale_shift;
		n_events++;
	}
	return rc;
}

int ompp_uncore_add(const struct ompp_counter *counter, struct ompp_text *why)
{
	uint32_t first = ompp_n_uncore, first_event = n_events, cpu, last;
	const char *p = counter->cpus;
	int rc = 0;

	/* The list looks like "0,12" or "0-3". */
	while (!rc && *p >= '0' && *p <= '9') {
		for (cpu = 0; *p >= '0' && *p <= '9'; p++)
			cpu = cpu * 10 + (uint32_t)(*p - '0');
		last = cpu;
		if (*p == '-')
			for (last = 0, p++; *p >= '0' && *p <= '9'; p++)
				last = last * 10 + (uint32_t)(*p - '0');
		for (; !rc && cpu <= last; cpu++)
			rc = add_cpu(counter, first, cpu);
		p += *p == ',';
	}
	if (!rc && n_events == first_event)
		rc = -ENODEV;
	if (rc) {
		close_from(first_event);
		ompp_n_uncore = first;
		if (rc == -ENOMEM)
			ompp_text_str(why, "no memory for counters of the whole machine; ask for fewer at once");
		else
			ompp_event_explain_counting(why, -rc, 2, 1);
	}
	return rc;
}

void ompp_uncore_read(struct ompp_uncore_reading *readings)
{
	uint32_t i;

	memset(readings, 0, ompp_n_uncore * sizeof(*readings));
	for (i = 0; i < n_events; i++) {
		const struct event *e = &events[i];
		struct ompp_uncore_reading *r = &readings[e->value];
		struct ompp_event_reading one;

		if (ompp_event_read_group(e->fd, e->id, 1, &one))
			continue;
		r->count += (uint64_t)ompp_value_in_unit((__int128)one.counts[0] * e->factor, e->mul, e->shift);
		r->enabled += one.enabled_ns;
		r->running += one.running_ns;
		r->n_events++;
	}
}

int ompp_uncore_between(uint32_t i, const struct ompp_uncore_reading *from, const struct ompp_uncore_reading *to,
                        uint64_t *count)
{
	uint64_t enabled = to->enabled - from->enabled, running = to->running - from->running;

	/* An event that is read in only one of two readings is gone: the program closed it. */
	if (!to->n_events || to->n_events < from->n_events || to->enabled < from->enabled || (enabled && !running) ||
	    running > enabled)
		return -ENODATA;
	*count = to->count - from->count;
	if (ompp_value_is_partial((int64_t)enabled, (int64_t)running)) {
		*count = (uint64_t)ompp_value_of_all((int64_t)*count, (int64_t)enabled, (int64_t)running);
		__atomic_store_n(&ompp_uncore[i].metric.certainty, OMPP_SCALED, __ATOMIC_RELAXED);
	}
	return 0;
}

void ompp_uncore_close(void)
{
	close_from(0);
	ompp_n_uncore = 0;
}
