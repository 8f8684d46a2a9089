/*
 * Pages: see page_trace.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/page_trace.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/emulated.h"
#include "runtime/base/auxv.h"
#include "runtime/base/proc.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/destination.h"
#include "runtime/collect/trace_file.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/data_sums/page_sum.h"
#include "runtime/host/clock.h"
#include "runtime/host/note.h"
#include "runtime/host/processors.h"
#include "runtime/memory/page_ticks.h"
#include "runtime/memory/page_use.h"
#include "runtime/memory/page_writes.h"
#include "runtime/sources/page_sizes.h"
#include "runtime/sources/sampling.h"
#include "runtime/terms/option.h"

enum {
	BATCH = 512,
	RATE = 50,          /* the time of the run, by that of asking where pages are, */
	FREE_NS = 10000000, /* beyond what may be asked in any run */
	MOST_COVERS = 64    /* of one page */
};

/* A word of /proc/PID/pagemap: bits 0 to 54 are the frame when the page is present, and 0 for who may not know it. */
#define PAGEMAP_PRESENT (UINT64_C(1) << 63)
#define PAGEMAP_FRAME   ((UINT64_C(1) << 55) - 1)

#define WRITES_NS UINT64_C(50000000)

static struct ompp_trace_file file = { .what = "trace of pages",
	                               .option = "OMPP_PAGES",
	                               .suffix = ".ompp.pages",
	                               .limit = OMPP_OPT_PAGES_LIMIT,
	                               .full = OMPP_NOTE_PAGES_FULL };

/* Used by the holder of the file. */
static uint32_t n_nodes;  /* NUMA nodes that have memory */
static uint64_t spent_ns; /* on asking where pages are */
static int has_ended;
static uint64_t writes_ns; /* the interval in which the kernel is asked for written pages; 0 when it is not */
static int with_sizes;     /* 1 when the kernel tells the sizes of pages */
static int with_physical;  /* 1 when physical addresses are asked for and the kernel tells them */
static struct {
	const void *pages[BATCH];
	int homes[BATCH];
	uint64_t physical[BATCH];         /* 0 where it is not known */
	uint64_t sizes[BATCH];            /* the same */
	const struct ompp_callnode *node; /* the latest node, and its place in the trace */
	uint32_t place;
} work;

/* Is this the process that is traced? */
static int is_ours(void)
{
	return ompp_sys_getpid() == ompp_session.pid;
}

/* Is there time left to ask where pages are? */
static int may_ask(uint64_t now)
{
	return spent_ns <= FREE_NS || spent_ns * RATE <= now - (uint64_t)ompp_session.start.monotonic_ns;
}

/* Finds the NUMA nodes of the next n pages; -1 where they are not known. */
static void find_homes(const struct ompp_page_use *use, uint32_t n)
{
	uint64_t begin = ompp_clock_monotonic_ns();
	int rc = 0;

	if (n_nodes > 1 && may_ask(begin)) {
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
	int fd = ompp_proc_open("pagemap", O_RDONLY | O_CLOEXEC);

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

/* Finds the sizes of the next n pages. */
static void find_sizes(const struct ompp_page_use *use, uint32_t n)
{
	uint64_t begin = ompp_clock_monotonic_ns();

	memset(work.sizes, 0, sizeof(work.sizes));
	if (!with_sizes || !may_ask(begin))
		return;
	for (uint32_t i = 0; i < n; i++)
		work.sizes[i] = ompp_page_size_at(use[i].page);
	spent_ns += ompp_clock_monotonic_ns() - begin;
}

/* Finds where the next n pages are, and how large. */
static void pages_locate(const struct ompp_page_use *use, uint32_t n)
{
	find_homes(use, n);
	find_sizes(use, n);
	if (with_physical)
		find_physical(use, n);
}

/* Returns 1 when page number i of a batch is contiguous in physical memory with the n pages before it. */
static int is_behind(uint64_t first, uint64_t n, uint32_t i)
{
	return !with_physical || work.physical[i] == (first ? first + n * ompp_page_bytes() : 0);
}

static int is_alike(const struct ompp_page_use *a, const struct ompp_page_use *b)
{
	return a->node == b->node && a->cover == b->cover && a->cpu == b->cpu && a->loads == b->loads &&
	       a->stores == b->stores && a->parts == b->parts;
}

/* Reads an entry whose counters its thread may still be incrementing. */
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

static void pages_put(const struct ompp_thread *t, const struct ompp_page_use *use, uint64_t n, int home, uint64_t size,
                      uint64_t physical, uint64_t since, uint64_t until)
{
	uint64_t *v = file.values;

	ompp_trace_file_thread(&file, t, use->node);
	ompp_trace_file_cover(&file, use->cover);
	ompp_trace_file_lying(&file, use->cover, use->page, n);
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
	v[OMPP_FLOW_PAGE_BYTES] = size;
	v[OMPP_FLOW_PHYSICAL] = physical;
	v[OMPP_FLOW_SPAN] = until - since;
	v[OMPP_FLOW_PAGES] = n;
	v[OMPP_FLOW_LOADS] = use->loads;
	v[OMPP_FLOW_STORES] = use->stores;
	v[OMPP_FLOW_PARTS] = use->parts;
	ompp_trace_file_put(&file, OMPP_FLOW_CODE_PAGES,
	                    OMPP_TRACE_FIELD(THREAD) | OMPP_TRACE_FIELD(COVER) | OMPP_TRACE_FIELD(TIME) |
	                            OMPP_TRACE_FIELD(ADDRESS) | OMPP_TRACE_FIELD(PLACE) | OMPP_TRACE_FIELD(HOME) |
	                            OMPP_TRACE_FIELD(CPU) | OMPP_TRACE_FIELD(NODE) | OMPP_TRACE_FIELD(PAGE_BYTES) |
	                            OMPP_TRACE_FIELD(PHYSICAL) | OMPP_TRACE_FIELD(SPAN) | OMPP_TRACE_FIELD(PAGES) |
	                            OMPP_TRACE_FIELD(LOADS) | OMPP_TRACE_FIELD(STORES) | OMPP_TRACE_FIELD(PARTS));
}

/* Writes the pages of one interval.  Neighbouring pages with the same use are one event. */
static void write_uses(const struct ompp_thread *t, const struct ompp_page_use *use, uint32_t n, uint64_t since,
                       uint64_t until)
{
	uintptr_t page_bytes = ompp_page_bytes();
	struct ompp_page_use first = { 0 };
	uint64_t n_alike = 0, physical = 0, size = 0;
	int home = -1;

	ompp_page_sizes_begin();
	for (uint32_t i = 0; i < n; i++) {
		struct ompp_page_use next = read_use(&use[i]);

		if (!(i % BATCH))
			pages_locate(use + i, n - i < BATCH ? n - i : BATCH);
		if (n_alike && next.page == first.page + n_alike * page_bytes && is_alike(&first, &next) &&
		    work.homes[i % BATCH] == home && work.sizes[i % BATCH] == size &&
		    is_behind(physical, n_alike, i % BATCH)) {
			n_alike++;
			continue;
		}
		if (n_alike)
			pages_put(t, &first, n_alike, home, size, physical, since, until);
		first = next;
		size = work.sizes[i % BATCH];
		home = work.homes[i % BATCH];
		physical = with_physical ? work.physical[i % BATCH] : 0;
		n_alike = 1;
	}
	if (n_alike)
		pages_put(t, &first, n_alike, home, size, physical, since, until);
	ompp_page_sizes_end();
	if (file.interval_ns)
		ompp_trace_file_flush(&file);
	else /* stays in regions may be short and many */
		ompp_trace_file_flush_old(&file, until);
}

/* Adds the uses up for the report, which has all pages even when the trace is full. */
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

static int pages_take(const struct ompp_thread *t, struct ompp_page_uses *u, uint64_t until, enum ompp_page_handing how)
{
	static const int sleeps[] = { [OMPP_PAGES_MAY] = 0,
		                      [OMPP_PAGES_SOON] = OMPP_TRACE_FEW_SLEEPS,
		                      [OMPP_PAGES_WAIT] = OMPP_TRACE_MOST_SLEEPS,
		                      [OMPP_PAGES_MUST] = OMPP_TRACE_MOST_SLEEPS };

	if (!is_ours())
		return 0;
	if (ompp_trace_file_hold(&file, sleeps[how])) {
		if (how == OMPP_PAGES_MUST)
			ompp_trace_file_lose(&file, u->n);
		return -1;
	}
	if (!has_ended)
		add_uses(t, u->use, u->n, u->near.since_ns);
	if (!has_ended && ompp_trace_file_is_closed(&file))
		ompp_trace_file_lose(&file, u->n);
	else if (!has_ended)
		write_uses(t, u->use, u->n, u->near.since_ns, until);
	__atomic_store_n(&u->n, 0, __ATOMIC_RELEASE);
	ompp_trace_file_let_go(&file);
	return 0;
}

/* ---- pages that the kernel says were written ---- */

/* Neighbours that have the same covers. */
struct written {
	uintptr_t page;
	uint64_t n;
	uint32_t covers[MOST_COVERS], n_covers;
};

/* Finds the covers of a page; the kernel's page may be larger than one of the table of pages. */
static void find_covers(struct written *w)
{
	uint32_t part[MOST_COVERS];

	w->n_covers = ompp_page_covers(w->page, w->covers, MOST_COVERS);
	for (uintptr_t at = OMPP_PAGE_BYTES; at < ompp_page_bytes(); at += OMPP_PAGE_BYTES) {
		uint32_t n = ompp_page_covers(w->page + at, part, MOST_COVERS), k;

		for (uint32_t i = 0; i < n; i++) {
			for (k = 0; k < w->n_covers && w->covers[k] != part[i]; k++)
				;
			if (k == w->n_covers && k < MOST_COVERS)
				w->covers[w->n_covers++] = part[i];
		}
	}
}

static void put_written(const struct written *w, const struct ompp_page_write *of)
{
	uint32_t fields = OMPP_TRACE_FIELD(THREAD) | OMPP_TRACE_FIELD(COVER) | OMPP_TRACE_FIELD(TIME) |
	                  OMPP_TRACE_FIELD(ADDRESS) | OMPP_TRACE_FIELD(PLACE) | OMPP_TRACE_FIELD(HOME) |
	                  OMPP_TRACE_FIELD(PHYSICAL) | OMPP_TRACE_FIELD(SPAN) | OMPP_TRACE_FIELD(PAGES);
	uint32_t place = 0;
	uint64_t *v = file.values;

	if (ompp_trace_file_is_closed(&file)) { /* the report has it all the same */
		ompp_trace_file_lose(&file, 1);
		return;
	}
	if (of->by.thread) {
		ompp_trace_file_thread(&file, of->by.thread, of->by.node);
		place = ompp_trace_file_place(&file, of->by.node, 0);
		fields |= OMPP_TRACE_FIELD(CPU) | OMPP_TRACE_FIELD(NODE);
	}
	for (uint32_t i = 0; i < w->n_covers; i++) {
		ompp_trace_file_cover(&file, w->covers[i]);
		ompp_trace_file_lying(&file, w->covers[i], w->page, w->n);
		v[OMPP_FLOW_THREAD] = of->by.thread ? of->by.thread->slot + 1 : 0;
		v[OMPP_FLOW_COVER] = w->covers[i];
		v[OMPP_FLOW_TIME] = of->since_ns;
		v[OMPP_FLOW_ADDRESS] = w->page;
		v[OMPP_FLOW_PLACE] = place;
		v[OMPP_FLOW_HOME] = n_nodes == 1;               /* + */
		v[OMPP_FLOW_CPU] = (uint64_t)(of->by.cpu + 1u); /* unknown: 0 */
		v[OMPP_FLOW_NODE] = (uint64_t)(ompp_numa_node_of(of->by.cpu) + 1u);
		v[OMPP_FLOW_PHYSICAL] = 0;
		v[OMPP_FLOW_SPAN] = of->until_ns - of->since_ns;
		v[OMPP_FLOW_PAGES] = w->n;
		ompp_trace_file_put(&file, OMPP_FLOW_CODE_WRITTEN, fields);
	}
}

/* Adds the pages of one write to the sums, and writes them to the trace: neighbours with the same covers as one
 * event. */
static void take_write(const struct ompp_page_write *of)
{
	uint64_t interval = (of->since_ns - (uint64_t)ompp_session.start.monotonic_ns) / writes_ns;
	struct written w = { .n = 0 }, next;

	for (next.page = of->lo; next.page < of->hi; next.page += ompp_page_bytes()) {
		find_covers(&next);
		for (uint32_t i = 0; i < next.n_covers; i++)
			ompp_page_sum_written(next.page, next.covers[i], of->by.node, interval);
		if (w.n && w.n_covers == next.n_covers &&
		    !memcmp(w.covers, next.covers, w.n_covers * sizeof(*w.covers))) {
			w.n++;
			continue;
		}
		if (w.n)
			put_written(&w, of);
		w.page = next.page;
		w.n = 1;
		w.n_covers = next.n_covers;
		memcpy(w.covers, next.covers, w.n_covers * sizeof(*w.covers));
	}
	if (w.n)
		put_written(&w, of);
}

/* Called by the helper thread. */
static void take_writes(const struct ompp_page_write *writes, size_t n)
{
	if (ompp_trace_file_hold(&file, OMPP_TRACE_MOST_SLEEPS)) {
		ompp_trace_file_lose(&file, n);
		return;
	}
	for (size_t i = 0; i < n && !has_ended; i++)
		take_write(&writes[i]);
	ompp_trace_file_flush(&file);
	ompp_trace_file_let_go(&file);
}

/* ---- begin and end ---- */

/* Returns what the kernel cannot tell. */
static const char *pages_unseen(void)
{
	static const char *const texts[2][2] = {
		{ "reads, which thread writes, how often, shared memory, and memory that is given back within an "
		  "interval",
		  "reads, who writes to a page after its first writer in an interval, how often, shared memory, and "
		  "memory that is given back within an interval" },
		{ "reads without hooks, which thread writes without hooks, shared memory, and memory that is given "
		  "back within an interval",
		  "reads without hooks, who writes to a page without hooks after its first writer in an interval, "
		  "shared memory, and memory that is given back within an interval" }
	};

	return texts[ompp_access_is_hooked()][ompp_page_writers_are_on()];
}

/* Starts to ask the kernel which pages are written, if that is wanted and works. */
static void start_writes(void)
{
	const char *wanted = ompp_session.options.text[OMPP_OPT_PAGES], *why;
	int is_uffd = !strcmp(wanted, "uffd");
	char line[400];
	struct ompp_text t;

	if (ompp_emulated_is_on()) {
		file.method = "emulation";
		file.unseen = "accesses of system calls";
		return;
	}
	file.method = "access hooks";
	file.unseen = "accesses of libraries and of sources that were compiled without them, and of system calls";
	if (!is_uffd && (ompp_access_is_hooked() || strcmp(wanted, "auto")))
		return;
	writes_ns = file.interval_ns ? file.interval_ns : WRITES_NS;
	why = "first touches are looked for (OMPP_SAMPLE), and are told from faults, which this would make more of";
	if (ompp_sampling.touched || ompp_page_writes_start(writes_ns, take_writes, &why)) {
		ompp_text_init(&t, line, sizeof(line));
		ompp_text_str(&t, "OMPP_PAGES: the pages that are written without access hooks are not known: ");
		ompp_text_str(&t, why);
		ompp_note_say(line);
		writes_ns = 0;
		return;
	}
	if (!file.interval_ns && !ompp_access_is_hooked())
		ompp_note_say(
			"OMPP_PAGES_INTERVAL=region: the kernel tells written pages by time; intervals of 50 ms are "
			"taken");
	if (ompp_page_writes_have_reads())
		ompp_note_say("OMPP_PAGES: this kernel has no page of zeros, so that fresh memory which is only read "
		              "counts as written");
	if (!ompp_access_is_hooked())
		file.interval_ns = writes_ns;
	file.method = ompp_access_is_hooked() ? "access hooks; pages written without them: the kernel (userfaultfd)"
	                                      : "the kernel (userfaultfd)";
	file.unseen = pages_unseen();
	ompp_page_sum_expect_written();
}

/* Notes that intervals were longer than requested, if they were. */
static void say_longest(uint64_t ns, const char *what, const char *why)
{
	char line[300];
	struct ompp_text t;

	if (!ns)
		return;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_PAGES: ");
	ompp_text_str(&t, what);
	ompp_text_str(&t, " were up to ");
	ompp_text_u64(&t, ns / 1000000);
	ompp_text_str(&t, " ms long, as ");
	ompp_text_str(&t, why);
	ompp_text_str(&t, " a fifth of the time");
	ompp_note_say(line);
}

/* Notes how much later than shown the uses by loops may be. */
static void say_ahead(uint64_t ns)
{
	char line[300];
	struct ompp_text t;

	file.ahead_ns = ns;
	if (!ns)
		return;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_PAGES: loops that are counted as a whole, when they begin, went on for up to ");
	ompp_text_u64(&t, (ns + 999999) / 1000000);
	ompp_text_str(&t, " ms beyond the interval to which their uses of pages are assigned");
	ompp_note_say(line);
}

/* Notes what the kernel could not tell. */
static void end_writes(void)
{
	char line[300];
	struct ompp_text t;

	ompp_page_writes_end();
	ompp_text_init(&t, line, sizeof(line));
	if (ompp_page_writes_broken()) {
		ompp_text_str(&t, "OMPP_PAGES: written pages are known only up to a point of the run: ");
		ompp_text_str(&t, ompp_page_writes_broken());
		ompp_note_say(line);
	}
	say_longest(ompp_page_writes_longest_ns(), "intervals of written pages",
	            "page faults, and asking for the pages, may take");
	if (ompp_page_writes_unwatched())
		ompp_note_say("OMPP_PAGES: writes to some memory are not seen, as the kernel does not watch it");
}

void ompp_pages_start(void)
{
	if (!ompp_page_use_on || ompp_destination_is_none())
		return;
	if (ompp_trace_file_open(&file)) {
		ompp_note_say("OMPP_PAGES: no memory for a trace; none is written");
		return;
	}
	ompp_numa_start("/sys/devices/system/node");
	n_nodes = ompp_numa_nodes("/sys/devices/system/node/has_memory");
	start_physical();
	with_sizes = !ompp_page_sizes_start();
	file.interval_ns = ompp_page_use_interval_ns();
	ompp_page_uses_over = pages_take;
	start_writes();
}

void ompp_pages_close(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	uint64_t now = ompp_clock_monotonic_ns(), n_lost = ompp_page_use_lost();

	ompp_page_ticks_end();
	say_ahead(ompp_page_ticks_ahead_ns());
	if (file.tables && writes_ns)
		end_writes();
	say_longest(ompp_page_use_longest_ns(), "intervals", "finding and handing over so many pages may take");
	if (!file.tables || ompp_trace_file_hold(&file, OMPP_TRACE_MOST_SLEEPS))
		return;
	for (i = 0; i < n && !has_ended; i++) {
		const struct ompp_page_uses *u = __atomic_load_n(&ompp_threads[i]->page_uses, __ATOMIC_ACQUIRE);
		uint32_t n_uses = u ? __atomic_load_n(&u->n, __ATOMIC_ACQUIRE) : 0;

		if (n_uses)
			add_uses(ompp_threads[i], u->use, n_uses, OMPP_LOAD(&u->near.since_ns));
		if (ompp_trace_file_is_closed(&file))
			ompp_trace_file_lose(&file, n_uses);
		else if (n_uses)
			write_uses(ompp_threads[i], u->use, n_uses, OMPP_LOAD(&u->near.since_ns),
			           ompp_page_use_until(u, now));
	}
	has_ended = 1;
	ompp_page_sum_end(file.method);
	if (n_lost)
		ompp_trace_file_lose(&file, n_lost);
	if (!file.n_bytes && !ompp_access_is_hooked() && !writes_ns)
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
	ompp_page_sizes_end(); /* another thread may have been at work with it */
	ompp_page_sum_after_fork();
	has_ended = 0;
	spent_ns = 0;
	work.node = NULL;
	work.place = 0;
	if (writes_ns)
		ompp_page_writes_after_fork();
}
