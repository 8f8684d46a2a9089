/*
 * Pages: see pages.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/pages.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/clock.h"
#include "runtime/base/note.h"
#include "runtime/base/option.h"
#include "runtime/base/processors.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/collect/page_sum.h"
#include "runtime/collect/place.h"
#include "runtime/collect/trace_file.h"
#include "runtime/core/access.h"
#include "runtime/core/page_use.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"

enum { BATCH = 512, RATE = 50 /* the time of the run, by that of asking where pages are */ };

/* A word of /proc/PID/pagemap: bits 0 to 54 are the frame when the page is present, and 0 for who may not know it. */
#define PAGEMAP_PRESENT (UINT64_C(1) << 63)
#define PAGEMAP_FRAME   ((UINT64_C(1) << 55) - 1)

static struct ompp_trace_file file = { .what = "trace of pages",
	                               .option = "OMPP_PAGES",
	                               .suffix = ".ompp.pages",
	                               .limit = OMPP_OPT_PAGES_LIMIT,
	                               .full = OMPP_NOTE_PAGES_FULL };

/* Used by the holder of the file. */
static uint32_t n_nodes;  /* NUMA nodes that have memory */
static uint64_t spent_ns; /* on asking where pages are */
static int has_ended;
static int with_physical; /* 1 when physical addresses are asked for and the kernel tells them */
static struct {
	const void *pages[BATCH];
	int homes[BATCH];
	uint64_t physical[BATCH];         /* 0 where it is not known */
	const struct ompp_callnode *node; /* the latest one, and its place */
	uint32_t place;
} work;

/* Is this process the one of the trace? */
static int is_ours(void)
{
	return ompp_sys_getpid() == ompp_session.pid;
}

/* Finds the NUMA nodes of the next n pages; -1 where they are not known. */
static void find_homes(const struct ompp_page_use *use, uint32_t n)
{
	uint64_t begin = ompp_clock_monotonic_ns();
	int rc = 0;

	if (n_nodes > 1 && spent_ns * RATE <= begin - (uint64_t)ompp_session.start.monotonic_ns) {
		for (uint32_t i = 0; i < n; i++)
			work.pages[i] = (const void *)use[i].page;
		rc = (int)OMPP_SYS6(move_pages, 0, n, work.pages, NULL, work.homes, 0);
		spent_ns += ompp_clock_monotonic_ns() - begin;
		if (!rc)
			return;
	}
	for (uint32_t i = 0; i < n; i++)
		work.homes[i] = n_nodes == 1 ? 0 : -1;
}

/* Finds the physical addresses of the next n pages. */
static void find_physical(const struct ompp_page_use *use, uint32_t n)
{
	uintptr_t page_bytes = ompp_page_bytes();
	uint32_t together;
	int fd = ompp_sys_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);

	memset(work.physical, 0, sizeof(work.physical));
	for (uint32_t i = 0; fd >= 0 && i < n; i += together) {
		size_t n_read = 0;
		ssize_t rc;

		for (together = 1; i + together < n; together++)
			if (use[i + together].page != use[i].page + together * page_bytes)
				break;
		rc = ompp_sys_pread(fd, work.physical + i, together * sizeof(uint64_t),
		                    (off_t)(use[i].page / page_bytes * sizeof(uint64_t)));
		if (rc > 0)
			n_read = (size_t)rc / sizeof(uint64_t);
		for (uint32_t k = i; k < i + together; k++)
			work.physical[k] = k < i + n_read && work.physical[k] & PAGEMAP_PRESENT
			                         ? (work.physical[k] & PAGEMAP_FRAME) * page_bytes
			                         : 0;
	}
	if (fd >= 0)
		ompp_sys_close(fd);
}

/* Tries it with a page of our own. */
static void start_physical(void)
{
	const struct ompp_page_use own = { .page = (uintptr_t)&work.place & ~(uintptr_t)(ompp_page_bytes() - 1) };

	if (!ompp_session.options.number[OMPP_OPT_PAGES_PHYSICAL])
		return;
	OMPP_STORE(&work.place, 0u); /* so that it is present */
	find_physical(&own, 1);
	with_physical = work.physical[0] != 0;
	if (!with_physical)
		ompp_note_say("OMPP_PAGES_PHYSICAL: the kernel tells this user no physical addresses; run the program "
		              "with CAP_SYS_ADMIN, as root has it");
}

/* Finds where the next n pages are. */
static void locate(const struct ompp_page_use *use, uint32_t n)
{
	find_homes(use, n);
	if (with_physical)
		find_physical(use, n);
}

/* Returns 1 when page number i of a batch follows the n before it in physical memory, too. */
static int is_behind(uint64_t first, uint64_t n, uint32_t i)
{
	return !with_physical || work.physical[i] == (first ? first + n * ompp_page_bytes() : 0);
}

static int is_alike(const struct ompp_page_use *a, const struct ompp_page_use *b)
{
	return a->node == b->node && a->cover == b->cover && a->cpu == b->cpu && a->loads == b->loads &&
	       a->stores == b->stores && a->parts == b->parts;
}

/* Reads an entry whose counts its thread may still add to. */
static struct ompp_page_use read_use(const struct ompp_page_use *use)
{
	return (struct ompp_page_use){ .page = use->page,
		                       .node = use->node,
		                       .cover = use->cover,
		                       .cpu = use->cpu,
		                       .loads = OMPP_LOAD(&use->loads),
		                       .stores = OMPP_LOAD(&use->stores),
		                       .parts = OMPP_LOAD(&use->parts) };
}

static void put(const struct ompp_thread *t, const struct ompp_page_use *use, uint64_t n, int home, uint64_t physical,
                uint64_t since, uint64_t until)
{
	uint64_t *v = file.values;

	ompp_trace_file_thread(&file, t, use->node);
	ompp_trace_file_cover(&file, use->cover);
	if (use->node != work.node || !work.place) {
		work.place = ompp_trace_file_place(&file, use->node, 0);
		work.node = use->node;
	}
	v[OMPP_FLOW_THREAD] = t->slot + 1;
	v[OMPP_FLOW_COVER] = use->cover;
	v[OMPP_FLOW_TIME] = since;
	v[OMPP_FLOW_ADDRESS] = use->page;
	v[OMPP_FLOW_PLACE] = work.place;
	v[OMPP_FLOW_HOME] = home < 0 ? 0 : (uint64_t)home + 1;
	v[OMPP_FLOW_CPU] = use->cpu;
	v[OMPP_FLOW_NODE] = (uint64_t)(ompp_numa_node_of(use->cpu - 1) + 1u); /* unknown: 0 */
	v[OMPP_FLOW_PHYSICAL] = physical;
	v[OMPP_FLOW_SPAN] = until - since;
	v[OMPP_FLOW_PAGES] = n;
	v[OMPP_FLOW_LOADS] = use->loads;
	v[OMPP_FLOW_STORES] = use->stores;
	v[OMPP_FLOW_PARTS] = use->parts;
	ompp_trace_file_put(&file, OMPP_FLOW_CODE_PAGES,
	                    OMPP_TRACE_FIELD(THREAD) | OMPP_TRACE_FIELD(COVER) | OMPP_TRACE_FIELD(TIME) |
	                            OMPP_TRACE_FIELD(ADDRESS) | OMPP_TRACE_FIELD(PLACE) | OMPP_TRACE_FIELD(HOME) |
	                            OMPP_TRACE_FIELD(CPU) | OMPP_TRACE_FIELD(NODE) | OMPP_TRACE_FIELD(PHYSICAL) |
	                            OMPP_TRACE_FIELD(SPAN) | OMPP_TRACE_FIELD(PAGES) | OMPP_TRACE_FIELD(LOADS) |
	                            OMPP_TRACE_FIELD(STORES) | OMPP_TRACE_FIELD(PARTS));
}

/* Writes the pages of one interval, the neighbours that were used alike as one event. */
static void write_uses(const struct ompp_thread *t, const struct ompp_page_use *use, uint32_t n, uint64_t since,
                       uint64_t until)
{
	uintptr_t page_bytes = ompp_page_bytes();
	struct ompp_page_use first = { 0 };
	uint64_t n_alike = 0, physical = 0;
	int home = -1;

	for (uint32_t i = 0; i < n; i++) {
		struct ompp_page_use next = read_use(&use[i]);

		if (!(i % BATCH))
			locate(use + i, n - i < BATCH ? n - i : BATCH);
		if (n_alike && next.page == first.page + n_alike * page_bytes && is_alike(&first, &next) &&
		    work.homes[i % BATCH] == home && is_behind(physical, n_alike, i % BATCH)) {
			n_alike++;
			continue;
		}
		if (n_alike)
			put(t, &first, n_alike, home, physical, since, until);
		first = next;
		home = work.homes[i % BATCH];
		physical = with_physical ? work.physical[i % BATCH] : 0;
		n_alike = 1;
	}
	if (n_alike)
		put(t, &first, n_alike, home, physical, since, until);
	ompp_trace_file_flush(&file);
}

/* Adds them up for the report, which has all pages even when the trace is full. */
static void add_uses(const struct ompp_thread *t, const struct ompp_page_use *use, uint32_t n, uint64_t since)
{
	uint64_t interval = since;

	if (file.interval_ns)
		interval = (since - (uint64_t)ompp_session.start.monotonic_ns) / file.interval_ns;
	for (uint32_t i = 0; i < n; i++) {
		struct ompp_page_use next = read_use(&use[i]);

		ompp_page_sum_add(t, &next, interval);
	}
}

static int take(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until, enum ompp_page_handing how)
{
	if (!is_ours())
		return 0;
	if (ompp_trace_file_hold(&file, how == OMPP_PAGES_MAY ? 0 : OMPP_TRACE_MOST_SLEEPS)) {
		if (how == OMPP_PAGES_MUST)
			ompp_trace_file_lose(&file, u->n);
		return -1;
	}
	if (!has_ended)
		add_uses(t, u->use, u->n, u->since_ns);
	if (!has_ended && ompp_trace_file_is_closed(&file))
		ompp_trace_file_lose(&file, u->n);
	else if (!has_ended)
		write_uses(t, u->use, u->n, u->since_ns, until);
	__atomic_store_n(&u->n, 0, __ATOMIC_RELEASE);
	ompp_trace_file_let_go(&file);
	return 0;
}

/* ---- begin and end ---- */

void ompp_pages_start(void)
{
	if (!ompp_page_use_on || ompp_place_is_none())
		return;
	if (ompp_trace_file_open(&file)) {
		ompp_note_say("OMPP_PAGES: no memory for a trace; none is written");
		return;
	}
	ompp_numa_start("/sys/devices/system/node");
	n_nodes = ompp_numa_nodes("/sys/devices/system/node/has_memory");
	start_physical();
	file.method = "access hooks";
	file.unseen = "accesses of libraries and of sources that were compiled without them, and of system calls";
	file.interval_ns = ompp_page_use_interval_ns();
	ompp_page_uses_over = take;
}

void ompp_pages_close(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	uint64_t now = ompp_clock_monotonic_ns(), n_lost = ompp_page_use_lost();

	if (!file.tables || ompp_trace_file_hold(&file, OMPP_TRACE_MOST_SLEEPS))
		return;
	for (i = 0; i < n && !has_ended; i++) {
		const struct ompp_page_uses *u = __atomic_load_n(&ompp_threads[i]->page_uses, __ATOMIC_ACQUIRE);
		uint32_t n_uses = u ? __atomic_load_n(&u->n, __ATOMIC_ACQUIRE) : 0;

		if (n_uses)
			add_uses(ompp_threads[i], u->use, n_uses, OMPP_LOAD(&u->since_ns));
		if (ompp_trace_file_is_closed(&file))
			ompp_trace_file_lose(&file, n_uses);
		else if (n_uses)
			write_uses(ompp_threads[i], u->use, n_uses, OMPP_LOAD(&u->since_ns), now);
	}
	has_ended = 1;
	ompp_page_sum_end();
	if (n_lost)
		ompp_trace_file_lose(&file, n_lost);
	if (!file.n_bytes && !&ompp_access_linked && !ompp_access_objects.plain && !ompp_access_objects.source)
		ompp_note_say("OMPP_PAGES: the program has no access hooks, so none of its pages are seen; compile it "
		              "with kinst --access");
	ompp_trace_file_let_go(&file);
}

void ompp_pages_name(void)
{
	if (!file.tables || ompp_trace_file_hold(&file, OMPP_TRACE_MOST_SLEEPS))
		return;
	ompp_trace_file_end(&file);
	ompp_trace_file_let_go(&file);
}

void ompp_pages_after_fork(void)
{
	ompp_trace_file_after_fork(&file);
	ompp_page_sum_after_fork();
	has_ended = 0;
	spent_ns = 0;
	work.node = NULL;
	work.place = 0;
}
