/*
 * Sample: see sample.h.
 */
#include "runtime/memory/sample.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/touched.h"
#include "runtime/host/holder.h"
#include "runtime/host/past.h"
#include "runtime/host/processors.h"
#include "runtime/ranges/small.h"
#include "runtime/terms/served.h"

enum { FIRST_SLOTS = 64, MOST_YIELDS = 1000, FEW_SLEEPS = 50, MOST_SLEEPS = 10000 };
enum { MOST_LATE = 4 }; /* samples that hooks make before the accesses happen, of two accesses to two objects each */

void (*ompp_samples_settled)(const struct ompp_thread *t, const struct ompp_sample_pending *pending, const int *homes,
                             uint32_t n);
void (*ompp_samples_settling)(void);

static int home_error; /* errno of move_pages(2) when it failed as a whole; else 0 */

void ompp_sample_start(void)
{
	ompp_numa_start("/sys/devices/system/node");
}

/* ---- who is at work ---- */

/* Returns the thread's samples, made if need be; NULL without memory. */
static struct ompp_samples *samples_of(struct ompp_thread *t)
{
	struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE), *fresh;

	if (s)
		return s;
	fresh = ompp_data_alloc(sizeof(*fresh));
	if (fresh && __atomic_compare_exchange_n(&t->samples, &s, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return fresh;
	return s;
}

static void sample_lose(struct ompp_samples *s)
{
	__atomic_fetch_add(&s->n_lost, 1, __ATOMIC_RELAXED);
}

/* Makes the calling thread the holder.  Returns 0, or -1 when it is the holder already (a signal handler in the middle
 * of it), or when another one does not end for so long: it may have been cancelled.
 * most_sleeps: how often to sleep for some microseconds when yielding does not help */
static int sample_hold(struct ompp_samples *s, int most_sleeps)
{
	return ompp_holder_take(&s->holder, MOST_YIELDS, most_sleeps);
}

static void let_go(struct ompp_samples *s)
{
	ompp_holder_drop(&s->holder);
}

/* ---- sums ---- */

static uint32_t sample_hash(const struct ompp_sample_key *key)
{
	uint64_t h = (uint64_t)(uintptr_t)key->node * 0x9E3779B97F4A7C15u ^ key->ip * 0xC2B2AE3D27D4EB4Fu;

	h ^= ((uint64_t)key->cover << 32 | key->home) * 0x165667B19E3779F9u;
	h ^= (key->toucher ^ (uint64_t)key->from << 48) * 0x27D4EB2F165667C5u ^ key->small * 0x9FB21C651E98DF25u;
	h = (h ^ h >> 29 ^ (uint64_t)key->level << 16 ^ (uint64_t)key->kind << 8 ^ key->sum) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(h >> 32);
}

static int is_key(const struct ompp_sample_key *a, const struct ompp_sample_key *b)
{
	return a->node == b->node && a->ip == b->ip && a->cover == b->cover && a->home == b->home &&
	       a->from == b->from && a->toucher == b->toucher && a->small == b->small && a->sum == b->sum &&
	       a->kind == b->kind && a->level == b->level;
}

static struct ompp_sample_sum **sample_find(struct ompp_sample_sum **table, uint32_t n_slots,
                                            const struct ompp_sample_key *key)
{
	uint32_t at = sample_hash(key);

	ompp_assert(n_slots && !(n_slots & (n_slots - 1)));
	while (table[at & (n_slots - 1)] && !is_key(&table[at & (n_slots - 1)]->key, key))
		at++;
	return &table[at & (n_slots - 1)];
}

/* Gives the table room for one more sum.  It is at most half full; the old one is left behind.  Returns 0 or -1. */
static int sample_grow(struct ompp_samples *s)
{
	uint32_t n = s->n_slots ? s->n_slots * 2 : FIRST_SLOTS;
	struct ompp_sample_sum **table, *sum;

	if (s->n_used * 2 < s->n_slots)
		return 0;
	table = n ? ompp_data_alloc(n * sizeof(*table)) : NULL;
	if (!table)
		return -1;
	for (sum = s->newest; sum; sum = sum->older)
		*sample_find(table, n, &sum->key) = sum;
	s->table = table;
	s->n_slots = n;
	ompp_assert(2 * s->n_used <= n);
	return 0;
}

/* Returns the sum of a key, made if need be; NULL without memory. */
static struct ompp_sample_sum *sum_of(struct ompp_samples *s, const struct ompp_sample_key *key)
{
	struct ompp_sample_sum **slot, *sum;

	ompp_assert(s->holder);
	ompp_assert(key->sum == OMPP_SUM_OF_USE || (!key->from && !key->toucher));
	ompp_assert(key->sum != OMPP_SUM_OF_PLACE || (!key->node && !key->home && !key->small));
	ompp_assert(key->sum != OMPP_SUM_OF_TOUCH || (!key->kind && !key->level));
	ompp_assert(key->sum != OMPP_SUM_OF_NODE || (!key->ip && !key->small));
	if (sample_grow(s))
		return NULL;
	slot = sample_find(s->table, s->n_slots, key);
	if (*slot)
		return *slot;
	sum = ompp_data_alloc(sizeof(*sum));
	if (!sum)
		return NULL;
	sum->key = *key;
	sum->older = s->newest;
	*slot = sum;
	s->n_used++;
	__atomic_store_n(&s->newest, sum, __ATOMIC_RELEASE);
	return sum;
}

/* Adds to a sum that stays at its most. */
static void sample_add(uint64_t *sum, uint64_t n)
{
	uint64_t was = OMPP_LOAD(sum);

	OMPP_STORE(sum, n < OMPP_SAMPLE_MOST - was ? was + n : OMPP_SAMPLE_MOST);
}

/* Returns the variance that one sample adds. */
static uint64_t variance_of(uint64_t period)
{
	return period > UINT32_MAX ? OMPP_SAMPLE_MOST : period ? period * (period - 1) : 0;
}

static void add_sample(struct ompp_sample_sum *sum, const struct ompp_mem_sample *sample, int is_far)
{
	OMPP_ADD(&sum->n, 1);
	OMPP_ADD(&sum->n_far, (uint64_t)is_far);
	sample_add(&sum->estimate, sample->period);
	sample_add(&sum->variance, variance_of(sample->period));
	if (!sample->latency)
		return;
	OMPP_ADD(&sum->n_timed, 1);
	ompp_assert(OMPP_LOAD(&sum->n_timed) <= OMPP_LOAD(&sum->n));
	sample_add(&sum->latency, sample->latency);
	sample_add(&sum->squares, (uint64_t)sample->latency * sample->latency);
	if (sum->key.sum != OMPP_SUM_OF_NODE)
		return;
	if (!sum->histogram)
		__atomic_store_n(&sum->histogram, ompp_data_alloc(OMPP_HISTOGRAM_BUCKETS * sizeof(uint64_t)),
		                 __ATOMIC_RELEASE);
	if (sum->histogram)
		OMPP_ADD(&sum->histogram[ompp_histogram_bucket(sample->latency)], 1);
}

/* Returns the level that served a sample.  A hook tells memory by the time alone, so its distance is told by the page's
 * NUMA node; the processor knows it itself. */
static uint8_t level_of(const struct ompp_mem_sample *sample, int is_far)
{
	return sample->level == OMPP_MEM_LEVEL_LOCAL_MEMORY && is_far && !sample->data_source
	             ? OMPP_MEM_LEVEL_REMOTE_MEMORY
	             : sample->level;
}

uint32_t ompp_sample_small(uint32_t cover, uintptr_t address)
{
	return ompp_small_may_be(cover) ? ompp_small_at(address) : 0;
}

/* Returns the small variable that the access was of which touched a page first.  Some kernels tell of these the page
 * alone, whose first byte may be another variable's. */
static uint32_t touched_small(uint32_t cover, uintptr_t address)
{
#ifdef __x86_64__
	return ompp_sample_small(cover, address);
#else
	return address % ompp_page_bytes() ? ompp_sample_small(cover, address) : 0;
#endif
}

/* Adds to the sum of who uses whose memory. */
static void add_use(struct ompp_samples *s, const struct ompp_sample_pending *p, uint32_t home, int is_far)
{
	const struct ompp_mem_sample *sample = &p->sample;
	const struct ompp_touched *touched = ompp_touched_find((uintptr_t)sample->address);
	struct ompp_sample_key key = { .node = p->node,
		                       .cover = p->cover,
		                       .home = home,
		                       .from = ompp_numa_node_of(sample->cpu),
		                       .toucher = touched ? OMPP_LOAD(&touched->toucher) : 0,
		                       .small = ompp_sample_small(p->cover, (uintptr_t)sample->address),
		                       .sum = OMPP_SUM_OF_USE,
		                       .kind = sample->kind,
		                       .level = level_of(sample, is_far) };
	struct ompp_sample_sum *sum = sum_of(s, &key);

	if (!sum) {
		sample_lose(s);
		return;
	}
	if (!OMPP_LOAD(&sum->n) || sample->address < OMPP_LOAD(&sum->lo))
		OMPP_STORE(&sum->lo, sample->address);
	if (sample->address > OMPP_LOAD(&sum->hi))
		OMPP_STORE(&sum->hi, sample->address);
	add_sample(sum, sample, is_far);
}

/* Notes on which processor a sample found the thread. */
static void note_cpu(struct ompp_sample_moves *m, uint32_t cpu)
{
	if (cpu >= OMPP_SAMPLES_CPUS)
		return;
	OMPP_ADD(&m->n, 1);
	OMPP_STORE(&m->seen[cpu / 64], m->seen[cpu / 64] | UINT64_C(1) << cpu % 64);
	if (m->last && m->last != cpu + 1) {
		OMPP_ADD(&m->n_cpu, 1);
		OMPP_ADD(&m->n_node, ompp_numa_node_of(m->last - 1) != ompp_numa_node_of(cpu));
	}
	m->last = cpu + 1;
	ompp_assert(m->n_cpu < m->n && m->n_node <= m->n_cpu);
}

static void add_pending(struct ompp_samples *s, const struct ompp_sample_pending *p, uint32_t home)
{
	const struct ompp_mem_sample *sample = &p->sample;
	uint32_t cpu_node = ompp_numa_node_of(sample->cpu);
	int is_far = home != OMPP_NO_HOME && cpu_node != OMPP_NUMA_UNKNOWN && cpu_node != home;
	struct ompp_sample_key key = { .node = p->node, .cover = p->cover, .home = home, .sum = OMPP_SUM_OF_NODE };
	struct ompp_sample_sum *sum, *place;

	if (p->is_touch) {
		key.sum = OMPP_SUM_OF_TOUCH;
		key.ip = sample->ip;
		key.small = touched_small(p->cover, (uintptr_t)sample->address);
		sum = sum_of(s, &key);
		if (!sum) {
			sample_lose(s);
			return;
		}
		OMPP_ADD(&sum->n, 1);
		OMPP_ADD(&sum->n_far, (uint64_t)is_far);
		return;
	}
	key.kind = sample->kind;
	key.level = level_of(sample, is_far);
	sum = sum_of(s, &key);
	key = (struct ompp_sample_key){
		.ip = sample->ip, .cover = p->cover, .sum = OMPP_SUM_OF_PLACE, .kind = sample->kind, .level = key.level
	};
	place = sum_of(s, &key);
	if (!sum || !place) {
		sample_lose(s);
		return;
	}
	add_sample(sum, sample, is_far);
	add_sample(place, sample, is_far);
	add_use(s, p, home, is_far);
	if (ompp_may_be_of_memory(key.level))
		ompp_spread_add(&s->spread, p->node, p->cover, cpu_node, sample);
	note_cpu(&s->moves, sample->cpu);
}

/* ---- the buffer ---- */

/* Asks the kernel for the NUMA nodes of the pages of the first n that wait.  It answers a negative number for a page
 * that is gone or was never there. */
static void ask_homes(struct ompp_samples *s, uint32_t n)
{
	uint32_t n_asked = 0, i;
	int rc;

	for (i = 0; i < n; i++)
		if (!s->pending[i].is_touch)
			s->pages[n_asked++] = (const void *)(uintptr_t)s->pending[i].sample.address;
	rc = n_asked ? (int)OMPP_SYS6(move_pages, 0, n_asked, s->pages, NULL, s->homes, 0) : 0;
	if (rc < 0)
		ompp_sample_no_homes(-rc);
	ompp_assert(n_asked <= n && n <= OMPP_SAMPLES_PENDING);
	for (i = n; i-- > 0;) /* the answers stand close together at the begin */
		if (s->pending[i].is_touch)
			s->homes[i] = s->pending[i].home;
		else
			s->homes[i] = rc < 0 ? -1 : s->homes[--n_asked];
}

/* Adds the first n that wait. */
static void sample_settle(const struct ompp_thread *t, struct ompp_samples *s, uint32_t n)
{
	if (!n)
		return;
	ask_homes(s, n);
	if (ompp_samples_settled)
		ompp_samples_settled(t, s->pending, s->homes, n);
	for (uint32_t i = 0; i < n; i++)
		add_pending(s, &s->pending[i], s->homes[i] < 0 ? OMPP_NO_HOME : (uint32_t)s->homes[i]);
	ompp_assert(n <= s->n_pending);
	memmove(s->pending, s->pending + n, (s->n_pending - n) * sizeof(*s->pending));
	OMPP_STORE(&s->n_pending, s->n_pending - n);
}

/* Is the page of a sample, which had no memory when it was made, without a first touch still? */
static int is_untouched(const struct ompp_sample_pending *p)
{
	const struct ompp_touched *touched;

	if (p->is_touch || p->sample.translation != OMPP_MEM_TRANSLATION_FAULT)
		return 0;
	touched = ompp_touched_find((uintptr_t)p->sample.address);
	return !touched || OMPP_LOAD(&touched->state) == OMPP_PAGE_UNTOUCHED;
}

/* Returns how many of those that wait, from the first one on, are marked, without the latest ones whose accesses may
 * not have happened: hooks sample before that. */
static uint32_t n_ready(const struct ompp_samples *s)
{
	uint64_t first = s->n_put - s->n_pending, marked = OMPP_LOAD(&s->n_marked);
	uint32_t n_marked = marked > first ? (uint32_t)(marked - first) : 0, n = n_marked, n_late = 0;

	while (n > 0 && n_late < MOST_LATE)
		n_late += !s->pending[--n].is_touch;
	while (n < n_marked && !is_untouched(&s->pending[n]))
		n++;
	return n;
}

/* Counts a sample of a tracked block for it, while the block has its place for sure. */
static void count_tracked(struct ompp_samples *s, const struct ompp_sample_pending *p)
{
	uint32_t n_covers = atomic_load_explicit(&ompp_n_covers, memory_order_acquire),
		 index = p->is_touch || p->cover >= n_covers ? 0 : ompp_cover(p->cover)->tracked;
	const struct ompp_tracked *tracked = ompp_tracked(index);

	if (tracked) {
		uint64_t n = p->sample.period, variance = variance_of(n);
		int is_known = p->sample.level != OMPP_MEM_LEVEL_UNKNOWN;
		int is_memory = is_known && ompp_may_be_of_memory(p->sample.level);

		ompp_sample_tracked_add(&s->places, index,
		                        &(struct ompp_sample_tracked){ .generation = OMPP_LOAD(&tracked->generation),
		                                                       .n = 1,
		                                                       .estimate = n,
		                                                       .variance = variance,
		                                                       .known = is_known ? n : 0,
		                                                       .known_variance = is_known ? variance : 0,
		                                                       .memory = is_memory ? n : 0,
		                                                       .memory_variance = is_memory ? variance : 0 });
	}
}

static void sample_put(struct ompp_thread *t, const struct ompp_sample_pending *pending)
{
	struct ompp_samples *s = samples_of(t);
	uint32_t n;

	if (!s)
		return;
	if (ompp_samples_settling && OMPP_LOAD(&s->n_pending) == OMPP_SAMPLES_PENDING)
		ompp_samples_settling();
	if (sample_hold(s, FEW_SLEEPS)) {
		sample_lose(s);
		return;
	}
	if (s->n_pending == OMPP_SAMPLES_PENDING) {
		n = n_ready(s);
		sample_settle(t, s, n ? n : s->n_pending);
	}
	ompp_assert(s->n_pending < OMPP_SAMPLES_PENDING && s->n_pending <= s->n_put);
	count_tracked(s, pending);
	s->pending[s->n_pending] = *pending;
	s->pending[s->n_pending].sample.ip = ompp_past_key((uintptr_t)pending->sample.ip);
	OMPP_STORE(&s->n_pending, s->n_pending + 1);
	__atomic_store_n(&s->n_put, s->n_put + 1, __ATOMIC_RELEASE); /* what is accessed next faults behind it */
	let_go(s);
}

void ompp_sample_take(struct ompp_thread *t, const struct ompp_callnode *node, uint32_t cover,
                      const struct ompp_mem_sample *sample)
{
	sample_put(t, &(struct ompp_sample_pending){ .node = node, .cover = cover, .sample = *sample });
}

void ompp_sample_touch(struct ompp_thread *t, const struct ompp_callnode *node, uint32_t cover,
                       const struct ompp_mem_sample *sample, int home)
{
	sample_put(t, &(struct ompp_sample_pending){
			      .node = node, .cover = cover, .is_touch = 1, .home = home, .sample = *sample });
}

uint32_t ompp_sample_settle(struct ompp_thread *t)
{
	struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	if (!s || !OMPP_LOAD(&s->n_pending))
		return 0;
	if (ompp_samples_settling)
		ompp_samples_settling();
	if (sample_hold(s, MOST_SLEEPS))
		return OMPP_LOAD(&s->n_pending);
	sample_settle(t, s, s->n_pending);
	let_go(s);
	return 0;
}

void ompp_sample_mark(struct ompp_thread *t)
{
	struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	if (s)
		OMPP_STORE(&s->n_marked, __atomic_load_n(&s->n_put, __ATOMIC_ACQUIRE));
}

void ompp_sample_settle_marked(struct ompp_thread *t)
{
	struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	if (!s || !OMPP_LOAD(&s->n_pending) || sample_hold(s, MOST_SLEEPS))
		return;
	sample_settle(t, s, n_ready(s));
	let_go(s);
}

/* ---- reports and fork ---- */

struct ompp_sample_sum *ompp_sample_sums(const struct ompp_thread *t)
{
	const struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	return s ? __atomic_load_n(&s->newest, __ATOMIC_ACQUIRE) : NULL;
}

struct ompp_sample_tracked ompp_sample_of_tracked(const struct ompp_thread *t, uint32_t index, uint32_t generation)
{
	const struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	return s ? ompp_sample_tracked_of(&s->places, index, generation) : (struct ompp_sample_tracked){ 0 };
}

const struct ompp_sample_moves *ompp_sample_moves(const struct ompp_thread *t)
{
	const struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	return s ? &s->moves : NULL;
}

void ompp_sample_spread(struct ompp_thread *t, void (*each)(void *context, const struct ompp_spread_spot *spot),
                        void *context)
{
	struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	if (!s || sample_hold(s, FEW_SLEEPS))
		return;
	ompp_spread_align(&s->spread);
	for (size_t i = 0; i < s->spread.n; i++)
		each(context, &s->spread.spots[i]);
	let_go(s);
}

uint64_t ompp_sample_lost(const struct ompp_thread *t)
{
	const struct ompp_samples *s = __atomic_load_n(&t->samples, __ATOMIC_ACQUIRE);

	return s ? OMPP_LOAD(&s->n_lost) : 0;
}

void ompp_sample_no_homes(int error)
{
	OMPP_STORE(&home_error, error);
}

int ompp_sample_home_error(void)
{
	return OMPP_LOAD(&home_error);
}

void ompp_sample_after_fork(struct ompp_thread *t)
{
	t->samples = NULL;
}
