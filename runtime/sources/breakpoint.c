/*
 * Breakpoint: the set of watched words; each thread's counters of them are in breakpoint_thread.c.
 *
 * The set is written under a lock and published with a sequence number, which is odd while the set changes and is also
 * its generation; readers never wait.  Before a set is published, the writer tries to open the set's counters in
 * addition to those that its thread has open, as debuggers may use some of the registers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "runtime/base/auxv.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/counters/event.h"
#include "runtime/data/object.h"
#include "runtime/host/clock.h"
#include "runtime/host/holder.h"
#include "runtime/sources/breakpoint.h"
#include "runtime/sources/breakpoint_set.h"
#include "runtime/terms/mode.h"

enum {
	WORD_BYTES = 8,
	MOST_YIELDS = 100,   /* spins for the lock: its holder makes some system calls */
	MOST_SLEEPS = 5000,  /* and it may not be scheduled for a tenth of a second when the processors are busy */
	FREE_NS = 200000000, /* counters may always cost a thread this much, and so may changes of the set */
	SHARE = 10,          /* and, in addition, the elapsed time divided by this */
	OWN_ACCESSES = 16, /* accesses to a word of our own, to find out whether hits are counted and what they cost */
	OWN_TRIES = 3      /* repeated this often on machines that may lose one of them */
};

/* How much is known of an object's accesses: never asked for; nothing, or incomplete; their number; also the number
 * of stores.  GIVEN_UP is a flag beside NOTHING. */
enum { UNASKED, NOTHING, HOW_MANY, STORES_TOO, KNOWN = 3, GIVEN_UP = 4 };

struct watched {
	uint32_t object, n_words;
	uintptr_t address;
	size_t n_bytes;
};

int ompp_breakpoints_on;
struct ompp_breakpoint_cost ompp_breakpoint_cost;
static int at_any_cost;

/* Written under the lock. */
static uint32_t holder;
static struct watched watched[OMPP_BREAKPOINTS];
static uint32_t n_watched;
static int machine_is_good;                       /* 1 when hits of a word of our own were counted */
static uint32_t most_counters = OMPP_BREAKPOINTS; /* the set's most words; fewer when a debugger uses some registers */
static int64_t spent_ns;                          /* time that changes of the set took */
/* uint32_t [OMPP_MAX_OBJECTS], as some processors change no bytes atomically; NULL until something is watched */
static void *known_table;

/* The set as threads read it: written under the lock, valid while the generation is even and stays the same. */
_Atomic uint32_t ompp_breakpoint_generation;
static _Atomic uint32_t set_n;
static _Atomic uint64_t set_address[OMPP_BREAKPOINTS];
static _Atomic uint64_t set_what[OMPP_BREAKPOINTS]; /* object << 32 | kind << 8 | n_bytes */

uint32_t ompp_breakpoint_copy(struct ompp_breakpoint_counter counters[OMPP_BREAKPOINTS], uint32_t *n)
{
	/* A thread that reads a word of a later set also reads its odd generation afterwards, as each word is released
	 * and acquired. */
	uint32_t before = atomic_load_explicit(&ompp_breakpoint_generation, memory_order_acquire), i;

	*n = atomic_load_explicit(&set_n, memory_order_acquire);
	for (i = 0; i < *n && i < OMPP_BREAKPOINTS; i++) {
		uint64_t what = atomic_load_explicit(&set_what[i], memory_order_acquire);

		counters[i].address = atomic_load_explicit(&set_address[i], memory_order_acquire);
		counters[i].object = (uint32_t)(what >> 32);
		counters[i].kind = what >> 8 & 1 ? OMPP_BREAKPOINT_STORES : OMPP_BREAKPOINT_ALL;
		counters[i].n_bytes = what & 0xff;
	}
	if (before & 1 || atomic_load_explicit(&ompp_breakpoint_generation, memory_order_relaxed) != before)
		return 0;
	return before;
}

void ompp_breakpoint_set_after_fork(void)
{
	static pid_t child;
	pid_t now = ompp_sys_getpid();

	if (now == child)
		return;
	child = now;
	atomic_store(&ompp_breakpoint_error, 0);
	if (__atomic_load_n(&holder, __ATOMIC_ACQUIRE)) {
		n_watched = 0;
		atomic_store(&set_n, 0);
		atomic_store(&ompp_breakpoint_generation, (atomic_load(&ompp_breakpoint_generation) | 1) + 1);
		atomic_store(&ompp_breakpoint_error, EAGAIN);
	}
	ompp_holder_drop(&holder);
}

/* ---- the set ---- */

static void object_name(struct ompp_text *why, uint32_t object)
{
	if (object < atomic_load_explicit(&ompp_n_objects, memory_order_acquire))
		ompp_text_str(why, ompp_object(object)->name);
	else {
		ompp_text_str(why, "object ");
		ompp_text_u64(why, object);
	}
}

static void breakpoint_explain(struct ompp_text *why, int error)
{
	if (error == EAGAIN)
		ompp_text_str(why, "the program forked while it named data; name it before");
	else if (error == OMPP_BREAKPOINT_LOST_TRAP)
		ompp_text_str(why, "the virtual machine lost a trap; run it again, on another machine");
	else if (error == OMPP_BREAKPOINT_UNGUARDED)
		ompp_text_str(why,
		              "a virtual machine may lose traps, and the program blocks or handles SIGTRAP; run it "
		              "on another machine");
	else
		ompp_event_explain(why, error);
	ompp_text_str(why, ", or build with kinst --access");
}

/* Returns the size of the largest aligned word at the start of a range. */
static size_t first_word(uintptr_t address, size_t n_bytes)
{
	size_t n = WORD_BYTES;

	while (address % n || n > n_bytes)
		n /= 2;
	return n;
}

static uint32_t count_words(uintptr_t address, size_t n_bytes)
{
	uint32_t n = 0;
	size_t word;

	for (; n_bytes && n <= OMPP_BREAKPOINTS; n_bytes -= word, n++) {
		word = first_word(address, n_bytes);
		address += word;
	}
	return n;
}

static uint32_t add_counters(struct ompp_breakpoint_counter *counters, uint32_t n, const struct watched *w,
                             enum ompp_breakpoint_kind kind)
{
	uintptr_t address = w->address, end = w->address + w->n_bytes;

	for (; address < end; n++) {
		size_t word = first_word(address, end - address);

		counters[n] = (struct ompp_breakpoint_counter){ address, (uint32_t)word, w->object, kind };
		address += word;
	}
	return n;
}

/* Lists the counters of all objects: ALL for each word and, while there are no more than `most`, STORES for all words
 * of an object or none. */
static uint32_t breakpoint_compile(struct ompp_breakpoint_counter counters[OMPP_BREAKPOINTS], uint32_t most)
{
	uint32_t n = 0, i;

	for (i = 0; i < n_watched; i++)
		n = add_counters(counters, n, &watched[i], OMPP_BREAKPOINT_ALL);
	for (i = 0; i < n_watched; i++)
		if (n + watched[i].n_words <= most)
			n = add_counters(counters, n, &watched[i], OMPP_BREAKPOINT_STORES);
	return n;
}

/* Tests whether the calling thread can have n counters, some of which it has already.  The others are opened and
 * closed again, beginning with the last one, as these are words of the newest object. */
static int try_counters(const struct ompp_breakpoint_counter *counters, uint32_t n)
{
	uint32_t n_have = ompp_breakpoint_n_open();
	int fd[OMPP_BREAKPOINTS], rc = 0, n_open = 0;

	while (!rc && n_have < n) {
		rc = ompp_breakpoint_open(&counters[n - 1 - (uint32_t)n_open], -1, 0);
		if (rc >= 0) {
			fd[n_open++] = rc;
			n_have++;
			rc = 0;
		}
	}
	while (n_open)
		ompp_sys_close(fd[--n_open]);
	return rc;
}

static int64_t now_ns(void)
{
	struct ompp_clock_anchor now;

	ompp_clock_anchor(&now);
	return now.monotonic_ns;
}

/* Returns the shorter of two times: the minimum of several readings is one without an interruption. */
static uint64_t breakpoint_shorter(uint64_t a, int64_t b)
{
	return b > 0 && (uint64_t)b < a ? (uint64_t)b : a;
}

int64_t ompp_breakpoint_allowed_ns(void)
{
	return FREE_NS + (now_ns() - ompp_breakpoint_cost.begun_ns) / SHARE;
}

/* Returns the CPU time of the calling thread: other threads may preempt it. */
static int64_t cpu_ns(void)
{
	struct timespec t;

	return ompp_sys_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) ? 0 : (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Accesses the word that fd counts.  Returns 0 when each access was counted, else -errno; `cost` gets what they took.
 */
static int try_counter(int fd, volatile uint64_t *word, struct ompp_breakpoint_cost *cost)
{
	uint64_t counts[OMPP_BREAKPOINTS];
	int rc, i;

	*cost = (struct ompp_breakpoint_cost){ UINT64_MAX, UINT64_MAX, 0 };
	ompp_breakpoint_tries = 1;
	rc = ompp_event_enable(fd);
	for (i = 0; i < OWN_ACCESSES && !rc; i++) {
		int64_t start = now_ns(), hit;

		*word = (uint64_t)i; /* it is volatile: each is one store */
		hit = now_ns();
		rc = ompp_event_read(fd, 1, counts);
		cost->hit_ns = breakpoint_shorter(cost->hit_ns, hit - start);
		cost->read_ns = breakpoint_shorter(cost->read_ns, now_ns() - hit);
	}
	ompp_breakpoint_tries = 0;
	return !rc && counts[0] != OWN_ACCESSES ? -EOPNOTSUPP : rc;
}

/* Finds out whether hits are counted here at all, and what they cost.  Returns 0 or -errno. */
static int try_machine(void)
{
	static volatile uint64_t word;
	struct ompp_breakpoint_counter counter = { (uintptr_t)&word, sizeof(word), 0, OMPP_BREAKPOINT_ALL };
	struct ompp_breakpoint_cost cost;
	int tries = ompp_breakpoint_may_lose() ? OWN_TRIES : 1, rc = -EOPNOTSUPP, fd;

	if (machine_is_good)
		return 0;
	if (!ompp_breakpoint_is_guarded())
		return -OMPP_BREAKPOINT_UNGUARDED;
	while (rc == -EOPNOTSUPP && tries--) {
		fd = ompp_breakpoint_open(&counter, -1, 0);
		if (fd < 0)
			return fd;
		rc = try_counter(fd, &word, &cost);
		ompp_sys_close(fd);
	}
	machine_is_good = !rc;
	if (!rc)
		ompp_breakpoint_cost = cost;
	if (!rc && !at_any_cost)
		ompp_breakpoint_cost.begun_ns = now_ns();
	return rc;
}

static void breakpoint_publish(const struct ompp_breakpoint_counter *counters, uint32_t n)
{
	uint32_t now = atomic_load_explicit(&ompp_breakpoint_generation, memory_order_relaxed), i;

	atomic_store_explicit(&ompp_breakpoint_generation, now + 1, memory_order_relaxed);
	atomic_store_explicit(&set_n, n, memory_order_release);
	for (i = 0; i < n; i++) {
		atomic_store_explicit(&set_address[i], counters[i].address, memory_order_release);
		atomic_store_explicit(&set_what[i],
		                      (uint64_t)counters[i].object << 32 | (uint64_t)counters[i].kind << 8 |
		                              counters[i].n_bytes,
		                      memory_order_release);
	}
	now = now + 2 ? now + 2 : 2; /* 0 means that nothing was ever watched */
	atomic_store_explicit(&ompp_breakpoint_generation, now, memory_order_release);
}

static uint32_t known_of(uint32_t object)
{
	_Atomic uint32_t *known = __atomic_load_n(&known_table, __ATOMIC_ACQUIRE);

	return known && object < OMPP_MAX_OBJECTS ? atomic_load(&known[object]) : 0;
}

/* Reduces what is known of an object from now on to `most`, which may include GIVEN_UP. */
static void limit_known(uint32_t object, uint32_t most)
{
	_Atomic uint32_t *known = ompp_space_table(&known_table, OMPP_MAX_OBJECTS * sizeof(*known));
	uint32_t have = known_of(object);

	while (known && (!have || (most & KNOWN) < (have & KNOWN)) &&
	       !atomic_compare_exchange_weak(&known[object], &have, most))
		;
}

static void limit_all_known(const struct ompp_breakpoint_counter *counters, uint32_t n)
{
	uint32_t i, j;

	for (i = 0; i < n_watched; i++) {
		uint32_t most = HOW_MANY;

		for (j = 0; j < n; j++)
			if (counters[j].object == watched[i].object && counters[j].kind == OMPP_BREAKPOINT_STORES)
				most = STORES_TOO;
		limit_known(watched[i].object, most);
	}
}

static struct watched *find_watched(uint32_t object)
{
	uint32_t i;

	for (i = 0; i < n_watched; i++)
		if (watched[i].object == object)
			return &watched[i];
	return NULL;
}

static void remove_watched(struct watched *w)
{
	n_watched--;
	memmove(w, w + 1, (size_t)(watched + n_watched - w) * sizeof(*w));
}

/* Returns 0 when there is a register for each word; otherwise -errno, and what prevents it. */
static int check_words(const struct watched *w, struct ompp_text *why)
{
	uint32_t n = w->n_words, i;

	for (i = 0; i < n_watched; i++)
		n += watched[i].n_words;
	if (n <= OMPP_BREAKPOINTS)
		return 0;
	object_name(why, w->object);
	if (w->n_words > OMPP_BREAKPOINTS) {
		ompp_text_str(why, ": ");
		ompp_text_u64(why, w->n_bytes);
		ompp_text_str(why, " bytes are more than 4 aligned words of at most 8 bytes; name less, or build with "
		                   "kinst --access");
		return -E2BIG;
	}
	ompp_text_str(why, ": too few of the 4 slots are left; measured: ");
	for (i = 0; i < n_watched; i++) {
		ompp_text_str(why, i ? ", " : "");
		object_name(why, watched[i].object);
	}
	ompp_text_str(why, "; name fewer, or build with kinst --access");
	return -ENOSPC;
}

static int is_mapped(uintptr_t address)
{
	uintptr_t page = ompp_page_bytes();
	unsigned char resident;

	return !ompp_sys_mincore((void *)(address & ~(page - 1)), 1, &resident);
}

/* Finds the largest set of counters that this thread can have, if necessary without STORES. */
static int breakpoint_fit(void)
{
	struct ompp_breakpoint_counter counters[OMPP_BREAKPOINTS];
	uint32_t most = OMPP_BREAKPOINTS, n;
	int rc;

	for (;;) {
		n = breakpoint_compile(counters, most);
		rc = try_counters(counters, n);
		if (!rc)
			most_counters = most;
		if (rc != -ENOSPC || breakpoint_compile(counters, n - 1) == n)
			return rc;
		most = n - 1;
	}
}

/* Adds an object to the watched ones.  Returns 0; or -errno, when it is not among them. */
static int add_watched(const struct watched *w, struct ompp_text *why)
{
	int rc = check_words(w, why);

	if (rc)
		return rc;
	rc = is_mapped(w->address) && is_mapped(w->address + w->n_bytes - 1) ? try_machine() : -EINVAL;
	if (!rc) {
		watched[n_watched++] = *w;
		rc = breakpoint_fit();
		n_watched -= rc != 0;
	}
	if (rc) {
		object_name(why, w->object);
		ompp_text_str(why, ": ");
		breakpoint_explain(why, -rc);
	}
	return rc;
}

/* Gives the object its new range, or none.  If the new one cannot be watched, the old one is not watched any longer
 * either. */
static int breakpoint_change(const struct watched *w, struct ompp_text *why)
{
	struct watched *old = find_watched(w->object);
	struct ompp_breakpoint_counter counters[OMPP_BREAKPOINTS];
	uint32_t n;
	int rc = 0;

	if (old ? old->address == w->address && old->n_bytes == w->n_bytes : !w->n_bytes)
		return 0;
	if (old)
		remove_watched(old);
	if (w->n_bytes && (known_of(w->object) & KNOWN) == NOTHING) {
		object_name(why, w->object);
		ompp_text_str(why, ": no longer measured, as some of its accesses were not counted; build with "
		                   "kinst --access");
		rc = -ENODATA;
	} else if (w->n_bytes && ompp_breakpoint_cost.begun_ns && spent_ns > ompp_breakpoint_allowed_ns()) {
		limit_known(w->object, NOTHING | GIVEN_UP);
		object_name(why, w->object);
		ompp_text_str(why,
		              ": named so often that breakpoints cost more than they tell; build with kinst --access");
		rc = -ENODATA;
	} else if (w->n_bytes) {
		rc = add_watched(w, why);
	}
	if (rc)
		limit_known(w->object, NOTHING);
	if (rc && !old)
		return rc;
	n = breakpoint_compile(counters, most_counters);
	limit_all_known(counters, n);
	breakpoint_publish(counters, n);
	__atomic_store_n(&ompp_breakpoints_on, 1, __ATOMIC_RELAXED);
	ompp_mode_set(OMPP_MODE_BREAKPOINTS);
	return rc;
}

static int take_lock(void)
{
	return ompp_holder_take(&holder, MOST_YIELDS, MOST_SLEEPS) ? -EBUSY : 0;
}

/* Marks an object as not measured when it did not get its new range, or is still watched without having one. */
static void miss_change(uint32_t object, size_t n_bytes, struct ompp_text *why)
{
	if (n_bytes || known_of(object) != UNASKED)
		limit_known(object, NOTHING);
	object_name(why, object);
	ompp_text_str(why, ": could not be watched in time, so it is not measured; name it outside signal handlers");
}

int ompp_breakpoint_watch(uint32_t object, uintptr_t address, size_t n_bytes, char *why, size_t n_why)
{
	struct watched w = { object, count_words(address, n_bytes), address, n_bytes };
	char unread[1];
	struct ompp_text t;
	int rc;

	ompp_text_init(&t, n_why ? why : unread, n_why ? n_why : sizeof(unread));
	if (object >= OMPP_MAX_OBJECTS)
		return -EINVAL;
	rc = take_lock();
	if (rc) {
		miss_change(object, n_bytes, &t);
	} else {
		int64_t start = cpu_ns();

		rc = breakpoint_change(&w, &t);
		spent_ns += cpu_ns() - start;
		ompp_holder_drop(&holder);
	}
	return rc;
}

void ompp_breakpoint_refuse(uint32_t object)
{
	if (object >= OMPP_MAX_OBJECTS)
		return;
	limit_known(object, NOTHING);
	ompp_breakpoint_watch(object, 0, 0, NULL, 0);
}

void ompp_breakpoint_give_up(uint32_t object)
{
	uint32_t i;

	if (object != OMPP_BREAKPOINT_ALL_OBJECTS)
		limit_known(object, NOTHING | GIVEN_UP); /* the kernel has stopped its counter already */
	if (take_lock())
		return;
	for (i = n_watched; i--;)
		if (object == OMPP_BREAKPOINT_ALL_OBJECTS || object == watched[i].object) {
			struct watched none = { .object = watched[i].object };
			char unread[1];
			struct ompp_text t;

			ompp_text_init(&t, unread, sizeof(unread));
			limit_known(none.object, NOTHING | GIVEN_UP);
			breakpoint_change(&none, &t);
		}
	ompp_holder_drop(&holder);
}

void ompp_breakpoint_at_any_cost(void)
{
	at_any_cost = 1;
}

int ompp_breakpoint_given_up(uint32_t object, uint64_t *hit_ns)
{
	*hit_ns = ompp_breakpoint_cost.hit_ns;
	return (known_of(object) & GIVEN_UP) != 0;
}

int ompp_breakpoint_measured(uint32_t object)
{
	int have = (int)(known_of(object) & KNOWN);

	return have && !atomic_load(&ompp_breakpoint_error) ? have - NOTHING : 0;
}

int ompp_breakpoint_lost(char *why, size_t n_why)
{
	struct ompp_text t;
	int error = atomic_load(&ompp_breakpoint_error);

	ompp_text_init(&t, why, n_why);
	if (error)
		breakpoint_explain(&t, error);
	return error != 0;
}
