/*
 * Access repeat: see access_repeat.h.
 */
#include "runtime/access/access_repeat.h"

#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/access_model.h"
#include "runtime/base/check.h"
#include "runtime/core/thread.h"
#include "runtime/data/front.h"
#include "runtime/data/object.h"

enum {
	MOST_ACCESSES = 8,
	MOST_RUNS = 128,
	MOST_SET_WORDS = 256, /* of one line's sets in all levels */
	UPPER_STEADY = 2,     /* repetitions after which the two upper levels are steady */
	ALL_STEADY = 3
};

/* Misses of one access, each as many iterations behind the one before. */
struct run {
	size_t first, last, step, n; /* iterations */
	uint32_t access;
	uint8_t missed, is_other;
};

struct ompp_repeat {
	/* The loop before, and what it was counted in. */
	struct ompp_ordered_access list[MOST_ACCESSES];
	size_t n_list;
	struct ompp_tally *tally;
	uint64_t n_ends;
	uint64_t *words[MOST_ACCESSES];
	int is_plain;

	/* How often it came to the same lines as the one before, and the lines that the model met between them. */
	uint64_t n_same;
	uint64_t n_moved;
	uintptr_t moved[OMPP_MOST_MOVED];

	/* Its misses: recorded, so that they can be added again, or being recorded. */
	int is_recording, is_ready;
	unsigned int missed; /* in which levels at all */
	size_t n_runs;       /* more than MOST_RUNS when there was no room */
	struct run runs[MOST_RUNS];
	uint32_t open[MOST_ACCESSES];                   /* the run that may go on + 1, or 0 */
	uint64_t sets[OMPP_MOST_MOVED][MOST_SET_WORDS]; /* of `moved`, behind the loop */
};

static unsigned int size_of(const struct ompp_ordered_access *a)
{
	return (unsigned int)a->how & OMPP_ORDERED_SIZE;
}

/* Returns 1 when two accesses come to the same lines in all iterations, where the first one is plain. */
static int is_alike(const struct ompp_ordered_access *a, const struct ompp_ordered_access *b, uintptr_t rest)
{
	if (a->step != b->step || a->n != b->n || a->how != b->how)
		return 0;
	return a->base == b->base || (!(a->step & rest) && !((a->base ^ b->base) & ~rest) &&
	                              (b->base & rest) + ((size_t)1 << size_of(b)) <= rest + 1);
}

static int is_same_loop(const struct ompp_repeat *r, const struct ompp_ordered_access *list, size_t n_list,
                        uintptr_t rest)
{
	if (!r->is_plain || n_list != r->n_list || r->tally != ompp_access_tally ||
	    r->n_ends != __atomic_load_n(&ompp_front_n_ends, __ATOMIC_RELAXED))
		return 0;
	for (size_t i = 0; i < n_list; i++)
		if (!is_alike(&r->list[i], &list[i], rest))
			return 0;
	return 1;
}

/* Adds n misses, each `distance` behind the one before, to the steps of a row. */
static void add_steps(uint64_t *words, uintptr_t address, uint64_t distance, size_t n)
{
	uint64_t *votes = &words[OMPP_SLOT_VOTES], *steps = &words[OMPP_SLOT_STEPS], against;

	ompp_assert(n);
	ompp_access_add_step(words, address);
	if (!--n)
		return;
	OMPP_STORE(&words[OMPP_SLOT_LAST], address + n * distance);
	if (ompp_access_is_near(distance))
		OMPP_STORE(&words[OMPP_SLOT_NEAR], words[OMPP_SLOT_NEAR] + n);
	if (words[OMPP_SLOT_STEP] != distance) {
		against = *votes < n ? *votes : n;
		OMPP_STORE(votes, *votes - against);
		n -= against;
		if (!n)
			return;
		OMPP_STORE(&words[OMPP_SLOT_STEP], distance);
		OMPP_STORE(steps, 0);
		n--;
	}
	OMPP_STORE(votes, *votes + n);
	OMPP_STORE(steps, *steps + n);
}

static void add_run(const struct run *run, const struct ompp_ordered_access *a, uint64_t *words)
{
	add_steps(words, a->base + run->first * a->step, run->step * a->step, run->n);
	if (run->is_other)
		ompp_tally_add(&words[OMPP_SLOT_FOREIGN], run->n);
	for (unsigned int i = 0; i < OMPP_CACHE_LEVELS; i++)
		if (run->missed >> i & 1)
			ompp_tally_add(&words[OMPP_SLOT_MISS + i], run->n);
}

/* Counts the loop like the one before, and leaves the model in the state that it had after that. */
static void repeat(struct ompp_thread *t, struct ompp_repeat *r, const struct ompp_ordered_access *list)
{
	size_t i;

	for (i = 0; i < r->n_list; i++) {
		const struct ompp_ordered_access *a = &list[i];
		uintptr_t last = a->base + (a->n - 1) * a->step, lo = a->base < last ? a->base : last;
		uint64_t *words;

		if (!a->n)
			continue;
		words = r->words[i] + (a->how & OMPP_ORDERED_STORE ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD);
		ompp_tally_add(words + size_of(a), a->n);
		ompp_tally_extend(lo, words + OMPP_SIZES,
		                  (a->base < last ? last : a->base) - lo + ((size_t)1 << size_of(a)));
	}
	ompp_assert(r->is_ready && r->n_runs <= MOST_RUNS && r->n_moved <= OMPP_MOST_MOVED && t->front);
	for (i = 0; i < r->n_runs; i++)
		add_run(&r->runs[i], &list[r->runs[i].access], r->words[r->runs[i].access]);
	for (i = 0; i < r->n_moved; i++) {
		ompp_cache_restore(t->cache, r->moved[i], r->sets[i], r->missed);
		ompp_front_limit(&t->front->line[r->moved[i] >> t->front->shift & t->front->mask], 0);
	}
}

/* Returns 1 when the model met the same lines since the loop before as before that. */
static int has_same_gap(const struct ompp_thread *t, const struct ompp_repeat *r)
{
	return t->n_moved == r->n_moved && !memcmp(t->moved, r->moved, r->n_moved * sizeof(*r->moved));
}

int ompp_repeat_begin(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list)
{
	uintptr_t rest = ((uintptr_t)1 << t->front->shift) - 1;
	struct ompp_repeat *r = t->repeat;

	if (!r)
		r = t->repeat = ompp_data_alloc(sizeof(*r));
	if (!r)
		return 0;
	if (n_list > MOST_ACCESSES || t->n_moved > OMPP_MOST_MOVED || !is_same_loop(r, list, n_list, rest)) {
		r->n_same = r->is_ready = 0;
	} else if (r->n_same && !has_same_gap(t, r)) {
		r->n_same = 1;
		r->is_ready = 0;
	} else if (!r->is_ready || !ompp_cache_is_own(t->cache, r->missed)) {
		r->n_same++;
		r->is_ready = 0;
	} else {
		repeat(t, r, list);
		t->n_moved = 0;
		return 1;
	}
	r->n_list = n_list <= MOST_ACCESSES ? n_list : 0;
	memcpy(r->list, list, r->n_list * sizeof(*list));
	r->n_moved = t->n_moved <= OMPP_MOST_MOVED ? t->n_moved : 0;
	memcpy(r->moved, t->moved, r->n_moved * sizeof(*r->moved));
	r->is_plain = 0;
	r->is_recording = r->n_same == UPPER_STEADY || r->n_same == ALL_STEADY;
	if (r->is_recording) {
		r->n_runs = r->missed = 0;
		memset(r->open, 0, sizeof(r->open));
	}
	t->n_moved = 0;
	return 0;
}

struct ompp_repeat *ompp_repeat_record(struct ompp_thread *t)
{
	return t->repeat && t->repeat->is_recording ? t->repeat : NULL;
}

void ompp_repeat_row(struct ompp_repeat *r, size_t i, uint64_t *words)
{
	r->words[i] = words;
}

void ompp_repeat_missed(struct ompp_repeat *r, size_t i, size_t iteration, unsigned int missed, int is_other)
{
	struct run *run = r->open[i] ? &r->runs[r->open[i] - 1] : NULL;

	r->missed |= missed;
	if (!run || run->missed != missed || run->is_other != is_other ||
	    (run->n > 1 && iteration - run->last != run->step)) {
		if (r->n_runs >= MOST_RUNS) {
			r->n_runs = MOST_RUNS + 1;
			return;
		}
		run = &r->runs[r->n_runs++];
		*run = (struct run){ .first = iteration,
			             .access = (uint32_t)i,
			             .missed = (uint8_t)missed,
			             .is_other = (uint8_t)is_other };
		r->open[i] = (uint32_t)r->n_runs;
	}
	run->step = run->n ? iteration - run->last : 0;
	run->last = iteration;
	run->n++;
	/* steps between misses are those of a row, whichever access it was */
	for (size_t k = 0; k < r->n_list; k++)
		if (k != i && r->words[k] == r->words[i])
			r->open[k] = 0;
}

void ompp_repeat_end(struct ompp_thread *t, int is_plain)
{
	struct ompp_repeat *r = t->repeat;
	size_t i;

	if (!r)
		return;
	r->tally = ompp_access_tally;
	r->n_ends = t->front->n_ends;
	r->is_plain = is_plain && !t->n_moved && r->n_list;
	t->n_moved = 0;
	if (!r->is_recording)
		return;
	r->is_recording = 0;
	if (!r->is_plain || r->n_runs > MOST_RUNS || (r->n_same < ALL_STEADY && r->missed & (r->missed - 1)))
		return;
	for (i = 0; i < r->n_moved; i++)
		if (!ompp_cache_keep(t->cache, r->moved[i], r->sets[i], MOST_SET_WORDS))
			return;
	r->is_ready = 1;
}
