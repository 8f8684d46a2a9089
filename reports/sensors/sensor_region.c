/*
 * Region: what the threads of a program that kinst built do: how many are in each region, and how many of them wait;
 * and the visits that have ended, with their time.
 *
 * It is read from the program's memory, at the places that the library publishes (host/published.h, layout), while the
 * program runs.  So nothing that is read is trusted: an invalid address ends the sample.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>

#include "reports/sensors/program.h"
#include "reports/sensors/whereabouts.h"
#include "runtime/host/clock.h"
#include "runtime/ompp_sensor.h"
#include "runtime/terms/construct.h"

enum { THREADS, WAITING, TIME, COUNT, EVENTS };
enum {
	MOST_THREADS = 16384,
	MOST_REGIONS = 65536,
	MOST_NODES = 1 << 20,
	AT_ONCE = 512,
	LEAST_NS = 10000000,
	NAME_BYTES = 64
};

/* Parts of a key (core/region.h), which are part of what is published. */
enum { PART_REGION, PART_FORK, PART_TEAM, PART_BODY, PART_BARRIER, PART_TASKEXEC };

/* clang-format off */
static const struct ompp_sensor_event events[EVENTS] = {
	[THREADS] = { "threads", "threads", "that are in it, and in none inside of it", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 },
	[WAITING] = { "waiting", "threads", "those of them that wait", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 },
	[TIME] = { "time", "s", "time of all threads in visits that have ended", OMPP_SENSOR_COUNTER, OMPP_SENSOR_NOTHING, 1e-9, 0, 0 },
	[COUNT] = { "count", "times", "visits that have ended", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
};
/* clang-format on */

struct node {
	uint64_t address, key, n, ticks;
};

struct region {
	int source; /* -1 while its name is not known */
	uint32_t construct;
	uint64_t threads, waiting, ticks, n;
};

struct state {
	int events[EVENTS];
	struct ompp_published_layout layout; /* layout for which the members below are valid */
	struct node *nodes;
	size_t n_nodes, room_nodes;
	uint64_t *newest; /* by thread: its newest node that is known; older ones are known, too */
	size_t n_threads;
	struct region *regions; /* by id - 1 */
	size_t n_regions;
	double tick_ns; /* 0: not known yet */
};

struct ompp_whereabouts ompp_whereabouts;

static void region_forget(struct state *s)
{
	free(s->nodes), free(s->newest), free(s->regions);
	s->tick_ns = 0;
	s->nodes = NULL;
	s->newest = NULL;
	s->regions = NULL;
	s->n_nodes = s->room_nodes = s->n_threads = s->n_regions = 0;
}

/* ---- memory of the program ---- */

static int region_peek(const struct state *s, uint64_t address, void *to, size_t n_bytes)
{
	struct iovec here = { to, n_bytes }, there = { (void *)(uintptr_t)address, n_bytes };

	return process_vm_readv((pid_t)s->layout.pid, &here, 1, &there, 1, 0) == (ssize_t)n_bytes ? 0 : -EFAULT;
}

/* Gathers n pieces of n_bytes each, piece i from address(i) + distance, into a contiguous buffer. */
static int region_gather(const struct state *s, size_t n, uint64_t (*address)(const void *from, size_t i),
                         const void *from, uint64_t distance, size_t n_bytes, char *to)
{
	static struct iovec there[AT_ONCE];

	for (size_t done = 0; done < n;) {
		size_t now = n - done < AT_ONCE ? n - done : AT_ONCE;
		struct iovec here = { to + done * n_bytes, now * n_bytes };

		for (size_t i = 0; i < now; i++)
			there[i] = (struct iovec){ (void *)(uintptr_t)(address(from, done + i) + distance), n_bytes };
		if (process_vm_readv((pid_t)s->layout.pid, &here, 1, there, now, 0) != (ssize_t)(now * n_bytes))
			return -EFAULT;
		done += now;
	}
	return 0;
}

static uint64_t of_array(const void *from, size_t i)
{
	return ((const uint64_t *)from)[i];
}

static uint64_t of_node(const void *from, size_t i)
{
	return ((const struct node *)from)[i].address;
}

static void peek_text(const struct state *s, uint64_t address, char *text, size_t n_text)
{
	size_t n = 0;

	for (; n + 1 < n_text && !region_peek(s, address + n, &text[n], 1) && text[n]; n++)
		;
	text[n] = '\0';
}

/* ---- regions ---- */

/* Names the source of a region: "file.c:12:LOOP", with its own name behind it; a user region by its name alone. */
static int name_region(struct ompp_sensor_host *host, const struct state *s, uint32_t id, struct region *r)
{
	uint64_t page, def, file_at, name_at;
	uint32_t begin, construct, number;
	char file[256], own[NAME_BYTES], name[256 + 2 * NAME_BYTES], *base;

	if (region_peek(s, s->layout.n_regions, &number, sizeof(number)) || id > number ||
	    region_peek(s, s->layout.regions + 8 * ((id - 1) / s->layout.regions_a_page), &page, sizeof(page)) ||
	    region_peek(s, page + 8 * ((id - 1) % s->layout.regions_a_page), &def, sizeof(def)) ||
	    region_peek(s, def + s->layout.region_construct, &construct, sizeof(construct)) ||
	    region_peek(s, def + s->layout.region_file, &file_at, sizeof(file_at)) ||
	    region_peek(s, def + s->layout.region_begin, &begin, sizeof(begin)) ||
	    region_peek(s, def + s->layout.region_name, &name_at, sizeof(name_at)) || construct >= OMPP_N_CONSTRUCTS)
		return -EFAULT;
	peek_text(s, file_at, file, sizeof(file));
	peek_text(s, name_at, own, sizeof(own));
	base = strrchr(file, '/');
	base = base ? base + 1 : file;
	if ((construct == OMPP_USER_REGION || construct == OMPP_FUNCTION) && own[0])
		snprintf(name, sizeof(name), "%s", own);
	else
		snprintf(name, sizeof(name), "%s:%u:%s%s%s", base, begin,
		         ompp_construct_name((enum ompp_construct)construct), own[0] ? ":" : "", own);
	for (char *p = name; *p; p++)
		if (*p == ' ' || *p == ',')
			*p = '_';
	r->construct = construct;
	r->source = host->source(host, name);
	return r->source < 0 ? -ENOMEM : 0;
}

/* Returns the region of a key; NULL when it has none. */
static struct region *region_of(struct ompp_sensor_host *host, struct state *s, uint64_t key)
{
	uint64_t id = key >> 32;

	if (!id || id > MOST_REGIONS)
		return NULL;
	if (id > s->n_regions) {
		struct region *regions = realloc(s->regions, id * sizeof(*regions));

		if (!regions)
			return NULL;
		for (size_t i = s->n_regions; i < id; i++)
			regions[i] = (struct region){ .source = -1 };
		s->regions = regions;
		s->n_regions = id;
	}
	if (s->regions[id - 1].source < 0 && name_region(host, s, (uint32_t)id, &s->regions[id - 1]))
		return NULL;
	return &s->regions[id - 1];
}

static int is_waiting(const struct region *r, unsigned int part)
{
	enum ompp_construct c = (enum ompp_construct)r->construct;
	int form = ompp_constructs[c].form;

	if (part == PART_BARRIER)
		return 1;
	return part == PART_REGION &&
	       (form == OMPP_FORM_CRITICAL || form == OMPP_FORM_LOCK || c == OMPP_BARRIER || c == OMPP_TASKWAIT);
}

/* ---- threads ---- */

/* Adds the nodes of a thread that are newer than the known ones. */
static int add_nodes(struct state *s, size_t thread, uint64_t newest)
{
	uint64_t known = s->newest[thread];

	for (uint64_t at = newest; at && at != known && s->n_nodes < MOST_NODES;) {
		struct node *n;

		if (s->n_nodes == s->room_nodes) {
			size_t room = s->room_nodes ? 2 * s->room_nodes : 256;

			n = realloc(s->nodes, room * sizeof(*n));
			if (!n)
				return -ENOMEM;
			s->nodes = n;
			s->room_nodes = room;
		}
		n = &s->nodes[s->n_nodes];
		*n = (struct node){ .address = at };
		if (region_peek(s, at + s->layout.node_key, &n->key, sizeof(n->key)) ||
		    region_peek(s, at + s->layout.node_older, &at, sizeof(at)))
			return -EFAULT;
		s->n_nodes++;
	}
	s->newest[thread] = newest;
	return 0;
}

/* Finds the current region of each thread. */
static int read_tops(struct ompp_sensor_host *host, struct state *s, const uint64_t *threads, uint64_t *tops)
{
	size_t n = s->n_threads;

	if (region_gather(s, n, of_array, threads, s->layout.thread_top, 8, (char *)tops) ||
	    region_gather(s, n, of_array, tops, s->layout.frame_node, 8, (char *)tops) ||
	    region_gather(s, n, of_array, tops, s->layout.node_key, 8, (char *)tops))
		return -EFAULT;
	if (n > ompp_whereabouts.room) {
		struct ompp_whereabout *more = realloc(ompp_whereabouts.threads, n * sizeof(*more));

		if (!more)
			return -ENOMEM;
		ompp_whereabouts.threads = more;
		ompp_whereabouts.room = n;
	}
	for (size_t i = 0; i < n; i++) {
		struct region *r = region_of(host, s, tops[i]);
		int waits = r && is_waiting(r, (unsigned int)(tops[i] >> 28) & 15);

		ompp_whereabouts.threads[i] = (struct ompp_whereabout){ r ? r->source : -1, waits };
		if (r) {
			r->threads++;
			r->waiting += (uint64_t)waits;
		}
	}
	ompp_whereabouts.n = n;
	return 0;
}

static int read_threads(struct ompp_sensor_host *host, struct state *s)
{
	uint32_t n = 0;
	uint64_t *threads, *pointers, *newest;
	int rc;

	if (region_peek(s, s->layout.n_threads, &n, sizeof(n)) || n > MOST_THREADS)
		return -EFAULT;
	newest = realloc(s->newest, (n + 1) * sizeof(*newest));
	if (!newest)
		return -ENOMEM;
	for (size_t i = s->n_threads; i < n; i++)
		newest[i] = 0;
	s->newest = newest;
	s->n_threads = n;
	threads = calloc(n + 1, sizeof(*threads));
	pointers = calloc(n + 1, sizeof(*pointers));
	rc = !threads || !pointers ? -ENOMEM : n ? region_peek(s, s->layout.threads, threads, n * sizeof(*threads)) : 0;
	if (!rc)
		rc = region_gather(s, n, of_array, threads, s->layout.thread_newest, 8, (char *)pointers);
	for (size_t i = 0; i < n && !rc; i++)
		rc = add_nodes(s, i, pointers[i]);
	if (!rc)
		rc = read_tops(host, s, threads, pointers);
	free(threads);
	free(pointers);
	return rc;
}

/* Adds up the visits of all nodes by region. */
static int read_nodes(struct ompp_sensor_host *host, struct state *s)
{
	uint64_t(*sums)[2] = malloc((s->n_nodes + 1) * sizeof(*sums));
	int rc = sums ? region_gather(s, s->n_nodes, of_node, s->nodes, s->layout.node_n, sizeof(*sums), (char *)sums)
	              : -ENOMEM;

	for (size_t i = 0; i < s->n_nodes && !rc; i++) {
		unsigned int part = (unsigned int)(s->nodes[i].key >> 28) & 15;
		struct region *r = region_of(host, s, s->nodes[i].key);

		if (!r)
			continue;
		r->n += part == PART_REGION || part == PART_FORK ? sums[i][0] : 0;
		r->ticks += part == PART_REGION || part == PART_TEAM || part == PART_TASKEXEC ? sums[i][1] : 0;
	}
	free(sums);
	return rc;
}

/* ---- the sensor ---- */

/* Returns the length of a tick in ns; 0 when it is not known, or the program started so recently that the error would
 * exceed 10^-5. */
static double tick_ns(const struct ompp_published_layout *l)
{
	struct timespec t;
	uint64_t ticks;
	int64_t ns;

	if (l->clock == OMPP_CLOCK_MONOTONIC)
		return 1;
	if (l->clock != OMPP_CLOCK_TSC)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	ticks = ompp_clock_tsc() -
	        l->start_raw_ticks; /* this clock is only used if the processors' counters are synchronous */
	ns = t.tv_sec * INT64_C(1000000000) + t.tv_nsec - l->start_ns;
	return ns > LEAST_NS && (int64_t)ticks > 0 ? (double)ns / (double)ticks : 0;
}

static void region_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const struct ompp_published *p = ompp_program_read(host->pid);

	ompp_whereabouts.n = 0;
	if (!p || !p->layout.pid || !p->layout.regions_a_page)
		return;
	if (memcmp(&s->layout, &p->layout, sizeof(s->layout))) {
		region_forget(s);
		s->layout = p->layout;
	}
	for (size_t i = 0; i < s->n_regions; i++)
		s->regions[i].threads = s->regions[i].waiting = s->regions[i].n = s->regions[i].ticks = 0;
	if (read_threads(host, s) || read_nodes(host, s)) {
		ompp_whereabouts.n = 0; /* the program has ended, or calls exec */
		return;
	}
	if (s->tick_ns <= 0) /* determined once, so that earlier counts keep their value */
		s->tick_ns = tick_ns(&s->layout);
	for (size_t i = 0; i < s->n_regions; i++) {
		const struct region *r = &s->regions[i];

		if (r->source < 0)
			continue;
		host->set(host, s->events[THREADS], r->source, r->threads);
		host->set(host, s->events[WAITING], r->source, r->waiting);
		host->set(host, s->events[COUNT], r->source, r->n);
		if (s->tick_ns > 0)
			host->set(host, s->events[TIME], r->source, (uint64_t)((double)r->ticks * s->tick_ns));
	}
}

static void region_end(void *state)
{
	region_forget(state);
	free(state);
	free(ompp_whereabouts.threads);
	ompp_whereabouts = (struct ompp_whereabouts){ 0 };
}

static int region_begin(struct ompp_sensor_host *host, void **state)
{
	int rc = ompp_program_begin(host, state, sizeof(struct state));
	struct state *s;

	if (rc)
		return rc;
	s = *state;
	for (int i = 0; i < EVENTS; i++)
		s->events[i] = host->event(host, &events[i]);
	return 0;
}

const struct ompp_sensor ompp_sensor_region = { OMPP_SENSOR_VERSION,
	                                        "region",
	                                        "the regions of a program that kinst built, and the threads in them",
	                                        "region",
	                                        region_begin,
	                                        region_sample,
	                                        region_end,
	                                        NULL };
