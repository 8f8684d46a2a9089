/*
 * Touch: see touch.h.
 */
#define _GNU_SOURCE
#include "runtime/memory/touch.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/proc.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/data/touched.h"
#include "runtime/host/clock.h"
#include "runtime/host/file.h"
#include "runtime/host/holder.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/processors.h"
#include "runtime/memory/sample.h"
#include "runtime/ranges/range.h"
#include "runtime/samples/sample_record.h"
#include "runtime/sources/sampling.h"
#include "runtime/sources/source_touch.h"
#include "runtime/terms/mode.h"

enum {
	MOST_FAULTS = 16384,
	MOST_MAPPINGS = 1024,
	MOST_SLEEPS = 10000,
	FEW_SLEEPS = 200,
	ROUNDS = 16,
	MOST_ROUNDS = 3,
	LONGEST_INSTRUCTION = 16,
	LONGEST_MOVE_NS = 100000000,
	NOT_THERE = -1,
	ZEROS = -2,
	NO_PAGE = -3
};

/* A fault that waits for the decision. */
struct fault {
	struct ompp_thread *thread;
	const struct ompp_callnode *node;
	struct ompp_mem_sample sample;
	uintptr_t page, page_end; /* of memory */
	uint32_t cover;
	int waits;    /* 1 while it is not decided */
	int is_first; /* 1 when it gave the page its memory */
	int home; /* NUMA node, NOT_THERE, ZEROS when it is the page of zeros that readers share, or NO_PAGE when the
	             mapping has none there */
	uint64_t missing_ns; /* since when it is known to be NO_PAGE; 0 while it is not */
};

#define PAGEMAP_PRESENT   (UINT64_C(1) << 63)
#define PAGEMAP_FILE      (UINT64_C(1) << 61)
#define PAGEMAP_EXCLUSIVE (UINT64_C(1) << 56)

/* What a drain works with, under the lock. */
static struct {
	struct fault faults[MOST_FAULTS];
	uint32_t n, n_asked, order[MOST_FAULTS]; /* of the first n_asked it is known where they are */
	const void *pages[MOST_FAULTS];          /* the question of move_pages(2), and its answer */
	int homes[MOST_FAULTS];
	uint32_t n_moving; /* of the n, how many wait for their pages */
	int is_last;       /* 1 when nothing may wait */
} * drain;

/* A mapping that was made or changed: [lo, hi), of which [new_lo, new_hi) was not there before. */
struct mapping {
	uintptr_t lo, hi, new_lo, new_hi;
	uint64_t time_ns;
};
static struct mapping mappings[MOST_MAPPINGS]; /* the latest ones; number i is in entry i % MOST_MAPPINGS */
static uint32_t n_mappings;
static int is_balancing; /* 1 when the kernel moves pages between NUMA nodes, for which it makes faults */
static uint64_t fork_ns; /* when the process forked last; 0 for never */

/* 1 in the process that the rings are of.  A child that was forked without our handlers (by clone(), or _Fork()) has
 * none of the rings: the kernel wipes this page in it. */
static int *is_alive;

static uint32_t holder; /* the thread id of the one who drains; 0 for nobody */

static ompp_touches_take *hand_over; /* NULL while first touches are looked for; written before the first ring */

/* ---- the lock ---- */

/* Returns 0, or -1 when another thread has the lock and does not give it back for so long, or when this thread itself
 * has it: a signal handler came in the middle. */
static int take_lock(int most_sleeps)
{
	return ompp_holder_take(&holder, 0, most_sleeps);
}

static void drop_lock(void)
{
	ompp_holder_drop(&holder);
}

int ompp_touches_are_on(void)
{
	return drain && *is_alive && ompp_sampling.touched;
}

int ompp_touches_hold(void)
{
	return drain && *is_alive ? take_lock(MOST_SLEEPS) : -1;
}

void ompp_touches_let_go(void)
{
	drop_lock();
}

/* ---- where pages are ---- */

/* Returns 1 when the page, of which move_pages(2) answers EFAULT, is the page of zeros that all readers share.  The
 * same is answered of memory that is gone and, by older kernels, of pages that NUMA balancing looks at; but
 * /proc/self/pagemap tells a page that is there, of no file and of this process alone. */
static int is_zeros(uintptr_t page, int pagemap)
{
	size_t page_bytes = ompp_page_bytes();
	unsigned char is_there;
	uint64_t word;

	if (pagemap >= 0 &&
	    ompp_sys_pread(pagemap, &word, sizeof(word), (off_t)(page / page_bytes * sizeof(word))) == 8)
		return (word & (PAGEMAP_PRESENT | PAGEMAP_FILE | PAGEMAP_EXCLUSIVE)) == PAGEMAP_PRESENT;
	return !ompp_sys_mincore((void *)page, page_bytes, &is_there);
}

/* Asks the kernel where the pages of all faults are. */
static void ask_homes(void)
{
	int pagemap = -1, is_open = 0;
	long rc;

	for (uint32_t i = 0; i < drain->n; i++)
		drain->pages[i] = (const void *)drain->faults[i].page;
	rc = OMPP_SYS6(move_pages, 0, drain->n, drain->pages, NULL, drain->homes, 0);
	if (rc < 0)
		ompp_sample_no_homes((int)-rc);
	for (uint32_t i = 0; i < drain->n; i++) {
		struct fault *f = &drain->faults[i];

		f->home = rc < 0 || drain->homes[i] < 0 ? NOT_THERE : drain->homes[i];
		if (rc >= 0 && drain->homes[i] == -ENOENT)
			f->home = NO_PAGE;
		if (rc < 0 || drain->homes[i] != -EFAULT)
			continue;
		if (!is_open)
			pagemap = ompp_proc_open("pagemap", O_RDONLY | O_CLOEXEC);
		is_open = 1;
		if (is_zeros(f->page, pagemap))
			f->home = ZEROS;
	}
	if (pagemap >= 0)
		ompp_sys_close(pagemap);
	drain->n_asked = drain->n;
}

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct fault *faults = context, *a = &faults[x], *b = &faults[y];

	return a->page != b->page ? a->page > b->page : a->sample.time_ns > b->sample.time_ns;
}

static int is_near(const struct fault *f)
{
	return f->home >= 0 && ompp_numa_node_of(f->sample.cpu) == (uint32_t)f->home;
}

/* ---- which memory is new ---- */

/* Returns 1 when other memory may have come to the page between two times, which is new to all that was known of it.
 *
 * The kernel tells mappings that were made or changed, with all that they were joined to.  A fault in such a mapping
 * says that the memory is new, as memory that was there has no faults; but where the kernel's NUMA balancing or a
 * fork() cause faults in old memory, too, only what mappings have grown by is new. */
static int is_new(uintptr_t page, uint64_t from_ns, uint64_t to_ns)
{
	int in_doubt = is_balancing || (from_ns < fork_ns && fork_ns <= to_ns);
	uint32_t n = n_mappings < MOST_MAPPINGS ? n_mappings : MOST_MAPPINGS;

	for (uint32_t i = 0; i < n; i++) {
		const struct mapping *m = &mappings[i];

		if (m->time_ns > from_ns && m->time_ns <= to_ns && page >= (in_doubt ? m->new_lo : m->lo) &&
		    page < (in_doubt ? m->new_hi : m->hi))
			return 1;
	}
	return 0;
}

static void touch_mapped(void *context, const struct ompp_record_mapping *record)
{
	uint32_t n = n_mappings < MOST_MAPPINGS ? n_mappings : MOST_MAPPINGS;
	struct mapping m = { .lo = record->address,
		             .hi = record->address + record->n_bytes,
		             .time_ns = record->time_ns };

	(void)context;
	m.new_lo = m.lo;
	m.new_hi = m.hi;
	for (uint32_t i = 0; i < n; i++) {
		if (mappings[i].lo == m.lo && mappings[i].hi < m.hi && mappings[i].hi > m.new_lo)
			m.new_lo = mappings[i].hi;
		if (mappings[i].hi == m.hi && mappings[i].lo > m.lo && mappings[i].lo < m.new_hi)
			m.new_hi = mappings[i].lo;
	}
	mappings[n_mappings++ % MOST_MAPPINGS] = m;
}

/* ---- deciding ---- */

/* Decides on n faults of one page, in the order of their times, between which the page got no new memory.  The last one
 * gave the page its memory, as the ones before were reads; but when one of them was on the NUMA node where the page is,
 * and later ones were not, it was that one, and the later ones had other reasons. */
static void touch_decide(const uint32_t *order, uint32_t n)
{
	struct fault *last = &drain->faults[order[n - 1]], *chosen = last;
	struct ompp_touched *at = ompp_touched_at(last->page);

	if (!at || at->state == OMPP_PAGE_OWN || last->home == ZEROS)
		return;
	if (at->state == OMPP_PAGE_TOUCHED && !is_new(last->page, at->time_ns, last->sample.time_ns)) {
		at->time_ns = last->sample.time_ns;
		return;
	}
	for (uint32_t i = n; i-- > 0 && !is_near(chosen);)
		if (is_near(&drain->faults[order[i]]))
			chosen = &drain->faults[order[i]];
	ompp_assert(chosen->page == last->page && !chosen->is_first);
	ompp_touched_set(last->page, last->page_end,
	                 &(struct ompp_touched){
				 .time_ns = last->sample.time_ns,
				 .toucher = chosen->node ? ompp_toucher(chosen->thread->slot, chosen->node->index) : 0,
				 .state = OMPP_PAGE_TOUCHED,
				 .home = last->home >= 0 ? (uint32_t)last->home + 1 : 0 });
	chosen->is_first = 1;
	chosen->home = last->home;
}

/* Adds the first touches to their threads' sums.  It comes after all decisions, as samples may be added up with them,
 * for which pages have to be known. */
static void add_first(void)
{
	for (uint32_t i = 0; i < drain->n; i++) {
		const struct fault *f = &drain->faults[i];

		if (f->is_first && f->node)
			ompp_sample_touch(f->thread, f->node, f->cover, &f->sample, f->home >= 0 ? f->home : -1);
	}
}

/* Returns 1 when the page of this fault, the latest one of its page, may be on its way to other memory: while the
 * kernel replaces the page of zeros, it has none, and the fault that does so is told when it is done. */
static int is_moving(struct fault *f)
{
	uint64_t now;

	if (drain->is_last || f->home != NO_PAGE)
		return 0;
	now = ompp_clock_monotonic_ns();
	if (!f->missing_ns)
		f->missing_ns = now;
	return now - f->missing_ns < LONGEST_MOVE_NS;
}

/* Returns how many of the faults from `from` on are of the same page, without new memory in between.
 * is_asked: becomes 0 when some came after the kernel was asked */
static uint32_t n_together(uint32_t from, int *is_asked)
{
	const struct fault *a = &drain->faults[drain->order[from]], *b;
	uint32_t to;

	*is_asked = drain->order[from] < drain->n_asked;
	for (to = from + 1; to < drain->n; to++, a = b) {
		b = &drain->faults[drain->order[to]];
		if (b->page != a->page || is_new(a->page, a->sample.time_ns, b->sample.time_ns))
			break;
		*is_asked &= drain->order[to] < drain->n_asked;
	}
	return to - from;
}

/* Decides on all pages that had no further faults since the kernel was asked where they are, and are not on their way;
 * the faults of others wait. */
static void decide_all(void)
{
	uint32_t n, n_left = 0;
	int is_asked, waits;

	drain->n_moving = 0;
	for (uint32_t i = 0; i < drain->n; i++)
		drain->order[i] = i;
	for (n = 1; n < drain->n && !is_after(drain->faults, n - 1, n); n++)
		;
	if (n < drain->n) /* mostly they are in order */
		ompp_sort(drain->order, drain->n, is_after, drain->faults);
	for (uint32_t from = 0; from < drain->n; from += n) {
		n = n_together(from, &is_asked);
		waits = !is_asked || is_moving(&drain->faults[drain->order[from + n - 1]]);
		if (!waits)
			touch_decide(drain->order + from, n);
		else if (is_asked)
			drain->n_moving += n;
		for (uint32_t i = from; i < from + n; i++)
			drain->faults[drain->order[i]].waits = waits;
	}
	add_first();
	for (uint32_t i = 0; i < drain->n; i++)
		if (drain->faults[i].waits)
			drain->faults[n_left++] = drain->faults[i];
	drain->n = n_left;
	drain->n_asked = 0;
}

/* ---- taking ---- */

struct taking {
	struct ompp_thread *thread;
	const struct ompp_callnode *now; /* the node of the faults after the last change */
	uint64_t n_changes;
	int is_off; /* 1 while measuring is switched off */
};

/* Forgets the changes up to number n_changes that lie before this offset in the ring. */
static void forget_changes(struct ompp_touches *own, uint64_t n_changes, uint64_t offset)
{
	uint64_t n = own->n_taken;

	ompp_assert(n <= n_changes && n_changes - n <= OMPP_TOUCH_CHANGES);
	while (n < n_changes && own->changes[n % OMPP_TOUCH_CHANGES].offset < offset)
		n++;
	__atomic_store_n(&own->n_taken, n, __ATOMIC_RELEASE);
}

/* Returns the node of the record that was just read. */
static const struct ompp_callnode *node_of(const struct taking *taking)
{
	struct ompp_touches *own = taking->thread->touches;

	forget_changes(own, taking->n_changes, own->sampler.ring.at);
	return own->n_taken < taking->n_changes ? own->changes[own->n_taken % OMPP_TOUCH_CHANGES].node : taking->now;
}

static void touch_take(void *context, const struct ompp_mem_sample *sample)
{
	const struct taking *taking = context;
	const struct ompp_callnode *node = node_of(taking);
	uintptr_t page_bytes = sample->page_bytes ? (uintptr_t)sample->page_bytes : ompp_page_bytes();
	struct fault *f;

	if (ompp_loaded_is_own((uintptr_t)sample->ip) || ompp_space_is_own(sample->address) ||
	    sample->address - sample->ip < LONGEST_INSTRUCTION)
		return;
	if (!ompp_sampling.touched) {
		if (hand_over && !taking->is_off)
			hand_over(taking->thread, node, sample);
		return;
	}
	if (drain->n == MOST_FAULTS) {
		int is_last = drain->is_last;

		drain->is_last = 1;
		ask_homes();
		decide_all();
		drain->is_last = is_last;
	}
	ompp_assert(drain->n < MOST_FAULTS && !(page_bytes & (page_bytes - 1)));
	f = &drain->faults[drain->n++];
	f->thread = taking->thread;
	f->node = taking->is_off ? NULL : node;
	f->missing_ns = 0;
	f->is_first = 0;
	f->sample = *sample;
	f->page = sample->address & ~(page_bytes - 1);
	f->page_end = f->page + page_bytes;
	f->cover = ompp_segment_at(sample->address)->cover;
}

static void take_from(struct ompp_thread *t)
{
	struct taking taking = { .thread = t, .is_off = OMPP_LOAD(&ompp_session.off) == OMPP_IS_OFF };
	struct ompp_touches *own = t->touches;
	uint64_t head = ompp_ring_head(&own->sampler.ring), n_lost;

	/* A record that is in the ring now, and behind the last change that will be seen, is of the node that is on top
	 * now: had the thread left the node since, there would be a further change. */
	taking.now = ompp_thread_node(t);
	taking.n_changes = __atomic_load_n(&own->n_changes, __ATOMIC_ACQUIRE);
	ompp_sampler_drain_to(&own->sampler, head, touch_take, &taking);
	forget_changes(own, taking.n_changes, head + 1);
	n_lost = own->sampler.counts.n_lost + own->sampler.counts.n_undecodable;
	ompp_note_add(ompp_sampling.touched ? OMPP_NOTE_LOST_TOUCH : OMPP_NOTE_LOST_WRITER, n_lost - own->n_lost);
	own->n_lost = n_lost;
}

static struct ompp_touches *open_touches(uint32_t i)
{
	struct ompp_touches *own = __atomic_load_n(&ompp_threads[i]->touches, __ATOMIC_ACQUIRE);

	return own && OMPP_LOAD(&own->is_open) ? own : NULL;
}

static int is_over_a_quarter(const struct ompp_touches *own)
{
	return ompp_ring_filled(&own->sampler.ring) > own->sampler.ring.n_bytes / 4;
}

/* Returns 1 when there is nothing to take, and no change to forget.  What the kernel lost is asked for then when the
 * ring is closed, or for a report: asking takes system calls, and with a thousand threads, each of which drains all
 * rings when it ends, a million of them took seconds. */
static int is_quiet(const struct ompp_touches *own)
{
	return !ompp_ring_filled(&own->sampler.ring) &&
	       __atomic_load_n(&own->n_changes, __ATOMIC_ACQUIRE) == own->n_taken;
}

/* all: 1 to go to quiet rings, too */
static void take_all(int all)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_touches *own = open_touches(i);

		if (own && (all || !is_quiet(own)))
			take_from(ompp_threads[i]);
	}
}

/* The rings are read once more after the kernel was asked: only then it is known that no fault came before the
 * answer that is not taken yet. */
static void drain_once(int all)
{
	take_all(all);
	if (!drain->n)
		return;
	ask_homes();
	take_all(0);
	decide_all();
}

static void drain_all(int all)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

	for (uint32_t i = 0; ompp_sampling.touched && i < n; i++)
		if (open_touches(i))
			ompp_sample_mark(ompp_threads[i]);
	drain_once(all);
	for (int i = 0; i < MOST_ROUNDS && drain->n > drain->n_moving; i++)
		drain_once(0);
	for (uint32_t i = 0; ompp_sampling.touched && i < n; i++)
		if (open_touches(i))
			ompp_sample_settle_marked(ompp_threads[i]);
}

/* Returns 0, or -1 when another reader does not end. */
static int drain_unless_busy(int most_sleeps, int all)
{
	if (!drain || !*is_alive)
		return 0;
	if (take_lock(most_sleeps))
		return -1;
	drain->is_last = all;
	drain_all(all);
	drain->is_last = 0;
	drop_lock();
	return 0;
}

void ompp_touches_drain(void)
{
	drain_unless_busy(MOST_SLEEPS, 0);
}

int ompp_touches_finish(void)
{
	return drain_unless_busy(MOST_SLEEPS, 1);
}

/* Before samples are added: takes what came before them, unless another thread is doing so for long. */
static void drain_for_samples(void)
{
	if (drain && *is_alive && !take_lock(FEW_SLEEPS)) {
		drain_all(0);
		drop_lock();
	}
}

uint32_t ompp_touches_list(struct pollfd *files)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), n_files = 0;

	for (uint32_t i = 0; drain && i < n; i++)
		if (open_touches(i) && !open_touches(i)->is_hung)
			files[n_files++] = (struct pollfd){ .fd = OMPP_LOAD(&open_touches(i)->sampler.ring_fd),
				                            .events = POLLIN };
	return n_files;
}

void ompp_touches_drain_full(const struct pollfd *files, uint32_t n_files)
{
	static uint32_t n_rounds;
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	int is_full = is_balancing ||
	              n_rounds++ % ROUNDS == 0; /* sometimes all of them, so that a crash leaves what a trace has */

	if (!drain || !*is_alive || take_lock(0))
		return;
	for (uint32_t i = 0; i < n; i++) {
		struct ompp_touches *own = open_touches(i);

		is_full |= own && is_over_a_quarter(own);
		for (uint32_t k = 0; own && k < n_files; k++)
			if (files[k].fd == own->sampler.ring_fd && files[k].revents & (POLLHUP | POLLERR | POLLNVAL))
				own->is_hung = 1;
	}
	if (is_full)
		drain_all(0);
	drop_lock();
}

void ompp_touches_boundary(struct ompp_thread *t)
{
	struct ompp_touches *own = t->touches;
	uint64_t head, n;

	if (!own || !own->is_open || __builtin_expect(!*is_alive, 0))
		return;
	head = ompp_ring_head(&own->sampler.ring);
	if (__builtin_expect(head == own->offset, 1))
		return;
	n = own->n_changes;
	if (n - __atomic_load_n(&own->n_taken, __ATOMIC_ACQUIRE) == OMPP_TOUCH_CHANGES)
		ompp_touches_drain();
	if (n - __atomic_load_n(&own->n_taken, __ATOMIC_ACQUIRE) == OMPP_TOUCH_CHANGES)
		return; /* a handler that came inside a drain: its faults become the outer node's */
	own->offset = head;
	own->changes[n % OMPP_TOUCH_CHANGES] = (struct ompp_touch_change){ head, ompp_thread_node(t) };
	__atomic_store_n(&own->n_changes, n + 1, __ATOMIC_RELEASE);
	ompp_fence_release(); /* a drain that sees the next node sees this change, too */
	if (is_over_a_quarter(own))
		drain_unless_busy(0, 0);
}

/* ---- begin and end ---- */

void ompp_touches_start(void)
{
	char line[16];

	if (!ompp_sampling.faults)
		return;
	ompp_loaded_start();
	is_alive = ompp_space_alive();
	drain = is_alive ? ompp_data_alloc(sizeof(*drain)) : NULL;
	if (!drain) {
		if (ompp_sampling.touched)
			ompp_note_say("OMPP_SAMPLE: no memory for first touches; none are given");
		ompp_sampling.faults = ompp_sampling.touched = 0;
		return;
	}
	is_balancing = ompp_file_line("/proc/sys/kernel/numa_balancing", line, sizeof(line)) > 0 && line[0] != '0' &&
	               ompp_numa_nodes("/sys/devices/system/node/has_memory") > 1;
	if (ompp_sampling.touched) {
		ompp_range_changing = ompp_touches_drain;
		ompp_samples_settling = drain_for_samples;
	}
	ompp_mode_set(OMPP_MODE_TOUCHES);
}

int ompp_touches_hand_over(ompp_touches_take *to)
{
	if (!drain || ompp_sampling.touched)
		return -1;
	hand_over = to;
	return 0;
}

void ompp_touches_open(struct ompp_thread *t)
{
	struct ompp_touches *own = t->touches;

	if (!drain || !*is_alive)
		return;
	if (!t->stack_named)
		ompp_thread_name_stack(t);
	if (!own)
		own = ompp_data_alloc(sizeof(*own));
	if (!own || take_lock(MOST_SLEEPS))
		return;
	__atomic_store_n(&t->touches, own, __ATOMIC_RELEASE);
	own->offset = own->n_lost = 0;
	own->is_hung = 0;
	own->n_taken = own->n_changes;
	ompp_sys_getaffinity(0, own->allowed, sizeof(own->allowed));
	OMPP_STORE(&own->is_open,
	           !ompp_touch_open(&own->sampler, ompp_sampling.touched ? touch_mapped : NULL, t->slot));
	drop_lock();
}

void ompp_touches_close(struct ompp_thread *t)
{
	if (!t->touches || !t->touches->is_open || !*is_alive || take_lock(MOST_SLEEPS))
		return;
	take_from(t); /* quiet or not */
	drain_all(0);
	OMPP_STORE(&t->touches->is_open, 0);
	ompp_sampler_close(&t->touches->sampler);
	drop_lock();
}

void ompp_touches_own(const void *memory, size_t n_bytes)
{
	if (!drain || !ompp_sampling.touched || !memory || take_lock(MOST_SLEEPS))
		return;
	ompp_touched_set((uintptr_t)memory, (uintptr_t)memory + n_bytes,
	                 &(struct ompp_touched){ .state = OMPP_PAGE_OWN });
	drop_lock();
}

void ompp_touches_before_fork(void)
{
	ompp_touches_drain();
	fork_ns = ompp_clock_monotonic_ns();
}

void ompp_touches_after_fork(struct ompp_thread *t)
{
	if (!drain)
		return;
	*is_alive = 0; /* nothing is drained while others begin anew */
	holder = 0;
	drain->n = drain->n_asked = drain->n_moving = 0;
	drain->is_last = 0;
	if (!t->touches || !t->touches->is_open)
		return;
	ompp_sampler_after_fork(&t->touches->sampler);
	t->touches->is_open = 0;
	t->touches->n_taken = t->touches->n_changes;
}

void ompp_touches_restart(struct ompp_thread *t)
{
	if (!drain)
		return;
	*is_alive = 1;
	if (t->limit)
		ompp_touches_open(t);
}
