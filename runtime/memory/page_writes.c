/*
 * Page writes: see page_writes.h.
 */
#define _GNU_SOURCE
#include "runtime/memory/page_writes.h"

#include <errno.h>
#include <stdatomic.h>

#include "runtime/base/auxv.h"
#include "runtime/base/proc.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/helper_thread.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/host/clock.h"
#include "runtime/host/file.h"
#include "runtime/host/holder.h"
#include "runtime/host/loaded.h"
#include "runtime/program/maps.h"
#include "runtime/sources/written.h"

enum {
	SPANS = 512,
	MOST_SLEEPS = 1000,
	SHARE = 5,             /* at most one part in so many of the time is for looking, and for faults */
	LAST_FILE = 0x7fffffff /* of close_range(2) */
};

#define PATIENCE_NS INT64_C(5000000000) /* to wait for the helper */
#define OWN_FILES   2u                  /* CLOSE_RANGE_UNSHARE */
#define A_LONG_TIME INT64_C(1000000000)

enum state { NONE, STARTING, RUNNING, ENDED };
enum order { GO_ON, MAPPED, END, YIELD };

static uint32_t state; /* enum state; by the helper, but for STARTING and what a fork does */
static uint32_t order; /* enum order; by any thread, and MAPPED is taken away by the helper */
static int *is_alive;  /* 1 where the helper is: a child that was forked without our handlers has 0 */

/* The memory of the order MAPPED, and how many such orders are done.  By the holder of `asker`, and the helper. */
static uint32_t asker, n_mapped;
static struct ompp_span mapped;
static int error; /* of the start */
static const char *reason, *broken;
static uint64_t interval, n_unwatched, longest_ns;
static ompp_page_writes_take *hand_over;

/* What the helper works with. */
static struct {
	struct ompp_written written;
	int maps;
	struct ompp_span own; /* our variables */
	struct ompp_span found[SPANS];
	struct ompp_page_write writes[SPANS]; /* whose writers are not known yet */
	uint64_t asked_ns[SPANS];             /* of each, when the kernel was asked for it */
	size_t n_writes;
	struct ompp_page_write handed[SPANS];
	size_t n_handed;
	uint64_t since_ns;
	int is_first; /* 1 for the look that only begins the watch */
	int is_off;   /* 1 when measuring was off at the last look */
	uint64_t n_unwatched, n_mappings;
	uint64_t n_faults; /* pages that were watched and written, in the latest interval */
	uint64_t cpu_ns;   /* of the process, up to the latest look */
	int is_longer;     /* 1 for an interval that is longer than was asked for */
} work;

static uint64_t most_mappings; /* from here on the kernel's limit is near */

#define TOO_MANY "it has too many mappings; raise vm.max_map_count"

static int is_running(void)
{
	return is_alive && OMPP_LOAD(is_alive) && __atomic_load_n(&state, __ATOMIC_ACQUIRE) == RUNNING;
}

/* ---- one look ---- */

static int is_off(void)
{
	return OMPP_LOAD(&ompp_session.off) == OMPP_IS_OFF;
}

static void page_writes_hand(const struct ompp_page_write *write)
{
	if (work.n_handed == SPANS) {
		hand_over(work.handed, work.n_handed);
		work.n_handed = 0;
	}
	work.handed[work.n_handed++] = *write;
}

static int is_same(const struct ompp_page_writer *a, const struct ompp_page_writer *b)
{
	return a->thread == b->thread && a->node == b->node && a->cpu == b->cpu;
}

/* Divides pages by their writers. */
static void hand_by_writers(const struct ompp_page_write *all, uint64_t asked_ns)
{
	struct ompp_page_write part = *all;
	uintptr_t page_bytes = ompp_page_bytes();

	for (uintptr_t page = all->lo; page < all->hi; page += page_bytes) {
		struct ompp_page_writer by = ompp_page_writers_find(page, asked_ns, all->until_ns);

		if (page > part.lo && !is_same(&by, &part.by)) {
			part.hi = page;
			page_writes_hand(&part);
			part.lo = page;
		}
		part.by = by;
	}
	part.hi = all->hi;
	page_writes_hand(&part);
}

/* Hands over what was found, unless measuring was off all the time. */
static void page_writes_flush(void)
{
	if (work.n_writes && !work.is_first && !(work.is_off && is_off())) {
		ompp_page_writers_take();
		for (size_t i = 0; i < work.n_writes; i++)
			hand_by_writers(&work.writes[i], work.asked_ns[i]);
		hand_over(work.handed, work.n_handed);
		work.n_handed = 0;
	}
	work.n_writes = 0;
}

static void page_writes_add(uintptr_t lo, uintptr_t hi, uint64_t asked_ns, uint64_t until_ns)
{
	if (work.n_writes == SPANS)
		page_writes_flush();
	work.asked_ns[work.n_writes] = asked_ns;
	work.writes[work.n_writes++] = (struct ompp_page_write){
		.lo = lo, .hi = hi, .since_ns = work.since_ns, .until_ns = until_ns
	};
}

/* Adds what of a span is not made of our variables. */
static void add_others(uintptr_t lo, uintptr_t hi, uint64_t asked_ns, uint64_t until_ns)
{
	uintptr_t own_lo = work.own.lo > lo ? work.own.lo : lo, own_hi = work.own.hi < hi ? work.own.hi : hi;

	if (own_lo >= own_hi) {
		page_writes_add(lo, hi, asked_ns, until_ns);
		return;
	}
	if (lo < own_lo)
		page_writes_add(lo, own_lo, asked_ns, until_ns);
	if (own_hi < hi)
		page_writes_add(own_hi, hi, asked_ns, until_ns);
}

/* Returns 0; or -errno, and then it was not looked at from *lo on. */
static int look_through(uintptr_t *lo, uintptr_t hi, enum ompp_written_pages what)
{
	while (*lo < hi) {
		uintptr_t before = *lo;
		uint64_t asked = ompp_clock_monotonic_ns();
		int n = ompp_written_scan(&work.written, lo, hi, what, work.found, SPANS);
		uint64_t now = ompp_clock_monotonic_ns();

		if (n < 0)
			return n;
		for (int i = 0; i < n; i++) {
			add_others(work.found[i].lo, work.found[i].hi, asked, now);
			if (what == OMPP_WRITTEN_SINCE)
				work.n_faults += (work.found[i].hi - work.found[i].lo) / ompp_page_bytes();
		}
		if (*lo <= before)
			return -EIO;
	}
	return 0;
}

static int look_at(const struct ompp_mapping *m, void *unused)
{
	uintptr_t lo = m->lo;
	int rc;

	(void)unused;
	work.n_mappings++;
	if (!m->is_private || m->is_kernels || (m->file && !m->writable) || ompp_space_is_own(m->lo))
		return 0;
	rc = look_through(&lo, m->hi, OMPP_WRITTEN_SINCE);
	if (rc != -EPERM)
		return 0; /* it may be gone by now */
	if (ompp_written_watch(&work.written, lo, m->hi))
		work.n_unwatched++;
	else
		look_through(&lo, m->hi, OMPP_WRITTEN_EVER);
	return 0;
}

static void page_writes_look(void)
{
	uint64_t begin = ompp_clock_monotonic_ns();

	work.n_unwatched = work.n_mappings = work.n_faults = 0;
	ompp_maps_read(work.maps, look_at, NULL);
	page_writes_flush();
	ompp_page_writers_forget(begin);
	work.is_off = is_off();
	work.since_ns = begin;
	OMPP_STORE(&n_unwatched, work.n_unwatched);
}

/* ---- the helper ---- */

/* Returns how long the threads of the process were at work with the faults of the latest interval, divided by how many
 * of them worked at a time. */
static uint64_t ns_of_faults(uint64_t passed_ns)
{
	uint64_t ns = work.n_faults * work.written.fault_ns, cpu_ns;
	struct timespec cpu;

	ompp_clock_read(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	cpu_ns = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec - work.cpu_ns;
	work.cpu_ns += cpu_ns;
	return cpu_ns > passed_ns ? (uint64_t)((unsigned __int128)ns * passed_ns / cpu_ns) : ns;
}

/* Returns how long to sleep from a look until the next multiple of the interval since the start of the run, but so long
 * at least that looks and faults keep to their share, when as many pages are written as before. */
static int64_t ns_to_sleep(uint64_t before_ns, uint64_t begin_ns)
{
	uint64_t now = ompp_clock_monotonic_ns(), start = (uint64_t)ompp_session.start.monotonic_ns;
	uint64_t least = SHARE * (now - begin_ns + ns_of_faults(begin_ns - before_ns));

	work.is_longer = least > interval;
	return (int64_t)(start + ((begin_ns + least - start) / interval + 1) * interval - now);
}

static void page_writes_become(uint32_t next)
{
	__atomic_store_n(&state, next, __ATOMIC_RELEASE);
	ompp_sys_wake(&state);
}

static __attribute__((noreturn)) void page_writes_stop(void)
{
	ompp_written_close(&work.written);
	if (work.maps >= 0)
		ompp_sys_close(work.maps);
	page_writes_become(ENDED);
	ompp_helper_thread_exit();
}

/* Gets a table of files of its own, and all that it needs.  Returns 0 or -errno. */
static int open_all(void)
{
	int rc;

	reason = "the kernel gives no thread files of its own; Linux 5.9 and later do";
	work.written.fd = work.written.pagemap = work.maps = -1;
	rc = (int)OMPP_SYS3(close_range, 0, LAST_FILE, OWN_FILES);
	if (rc < 0)
		return rc;
	rc = ompp_written_open(&work.written, &reason);
	if (rc < 0)
		return rc;
	reason = "/proc/self/maps cannot be read; mount /proc, or use access hooks";
	work.maps = ompp_proc_open("maps", O_RDONLY | O_CLOEXEC);
	return work.maps < 0 ? work.maps : 0;
}

/* Sleeps until there is an order, or the time is over.  What the program maps meanwhile is watched. */
static uint32_t wait_for_order(int64_t ns)
{
	int64_t until = (int64_t)ompp_clock_monotonic_ns() + ns;

	for (;;) {
		uint32_t what = __atomic_load_n(&order, __ATOMIC_ACQUIRE);

		if (what == MAPPED) {
			ompp_written_watch(&work.written, mapped.lo, mapped.hi);
			__atomic_compare_exchange_n(&order, &what, GO_ON, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
			__atomic_fetch_add(&n_mapped, 1, __ATOMIC_ACQ_REL);
			ompp_sys_wake(&n_mapped);
			continue;
		}
		ns = until - (int64_t)ompp_clock_monotonic_ns();
		if (what != GO_ON || ns <= 0)
			return what;
		ompp_helper_thread_wait(&order, GO_ON, ns);
	}
}

static void page_writes_help(void)
{
	uint64_t begin = ompp_clock_monotonic_ns(), before = begin;
	uint32_t what;

	error = open_all();
	if (error)
		page_writes_stop();
	work.is_first = 1;
	work.cpu_ns = 0;
	OMPP_STORE(&longest_ns, UINT64_C(0));
	page_writes_look();
	work.is_first = 0;
	page_writes_become(RUNNING);
	for (;;) {
		what = wait_for_order(ns_to_sleep(before, begin));
		before = begin;
		begin = ompp_clock_monotonic_ns();
		if (work.is_longer && begin - before > longest_ns)
			OMPP_STORE(&longest_ns, begin - before);
		if (what != YIELD)
			page_writes_look();
		if (what != GO_ON)
			page_writes_stop();
		if (work.n_mappings > most_mappings) {
			__atomic_store_n(&broken, TOO_MANY, __ATOMIC_RELEASE);
			page_writes_stop();
		}
	}
}

/* ---- begin and end ---- */

/* Waits while the helper is in this state.  Returns 0 when it is not any more. */
static int wait_while(uint32_t what)
{
	int64_t begin = (int64_t)ompp_clock_monotonic_ns();

	while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == what) {
		if ((int64_t)ompp_clock_monotonic_ns() - begin > PATIENCE_NS)
			return -1;
		ompp_sys_wait_while(&state, what, A_LONG_TIME);
	}
	return 0;
}

static int begin_help(void)
{
	int rc;

	asker = 0;
	OMPP_STORE(is_alive, 1);
	OMPP_STORE(&order, GO_ON);
	OMPP_STORE(&state, STARTING);
	error = 0;
	reason = "no thread can be started that asks for written pages";
	rc = ompp_helper_thread(page_writes_help);
	if (!rc && wait_while(STARTING))
		rc = -ETIME;
	if (!rc && OMPP_LOAD(&state) == ENDED)
		rc = error;
	if (rc)
		OMPP_STORE(&state, NONE);
	return rc;
}

int ompp_page_writes_start(uint64_t interval_ns, ompp_page_writes_take *take, const char **why)
{
	char line[24];
	const char *p = line;
	int rc;

	is_alive = ompp_space_alive();
	*why = "there is no memory for it";
	if (!is_alive)
		return -ENOMEM;
	most_mappings = ompp_file_line("/proc/sys/vm/max_map_count", line, sizeof(line)) > 0 ? ompp_text_digits(&p)
	                                                                                     : 65530;
	most_mappings /= 4;
	interval = interval_ns;
	hand_over = take;
	ompp_loaded_start();
	work.own.lo = ompp_loaded_data_lo;
	work.own.hi = (ompp_loaded_data_hi + ompp_page_bytes() - 1) & ~(ompp_page_bytes() - 1);
	ompp_page_writers_start();
	rc = begin_help();
	*why = reason;
	if (rc)
		ompp_page_writers_end();
	return rc;
}

int ompp_page_writes_have_reads(void)
{
	return work.written.has_reads;
}

int ompp_page_writes_are_on(void)
{
	return is_running();
}

static int give_order(uint32_t what)
{
	if (!is_running())
		return -1;
	__atomic_store_n(&order, what, __ATOMIC_RELEASE);
	ompp_sys_wake(&order);
	return wait_while(RUNNING);
}

void ompp_page_writes_map(uintptr_t lo, size_t n_bytes)
{
	uint32_t before, none = GO_ON;

	if (!is_running() || ompp_holder_take(&asker, 0, MOST_SLEEPS))
		return;
	before = OMPP_LOAD(&n_mapped);
	mapped.lo = lo;
	mapped.hi = lo + n_bytes;
	if (__atomic_compare_exchange_n(&order, &none, MAPPED, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
		ompp_sys_wake(&order);
		for (int i = 0; i < 10 && __atomic_load_n(&n_mapped, __ATOMIC_ACQUIRE) == before && is_running(); i++)
			ompp_sys_wait_while(&n_mapped, before, A_LONG_TIME / 10);
	}
	ompp_holder_drop(&asker);
}

int ompp_page_writes_end(void)
{
	return give_order(END);
}

void ompp_page_writes_yield(const char *why)
{
	if (!is_running())
		return;
	__atomic_store_n(&broken, why, __ATOMIC_RELEASE);
	give_order(YIELD);
}

const char *ompp_page_writes_broken(void)
{
	return __atomic_load_n(&broken, __ATOMIC_ACQUIRE);
}

uint64_t ompp_page_writes_unwatched(void)
{
	return OMPP_LOAD(&n_unwatched);
}

uint64_t ompp_page_writes_longest_ns(void)
{
	return OMPP_LOAD(&longest_ns);
}

void ompp_page_writes_after_fork(void)
{
	ompp_page_writers_after_fork();
	if (OMPP_LOAD(&state) == RUNNING && begin_help())
		__atomic_store_n(&broken, "no thread could be started in a forked child", __ATOMIC_RELEASE);
}
