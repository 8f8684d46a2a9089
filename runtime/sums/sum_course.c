/*
 * Sum, course: see sum_course.h.
 */
#include "runtime/sums/sum_course.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/core/course_charge.h"
#include "runtime/core/session.h"
#include "runtime/events/team.h"

enum { TRIES = 16, REGIONS = 4 };

/* A slice of all threads. */
struct slice_sum {
	uint32_t parts[OMPP_N_COURSE_PARTS];  /* × 65536 of a slice's time */
	uint32_t region[REGIONS], n[REGIONS]; /* by id; threads that were there at its end.  Further regions are not
	                                         counted. */
};

struct course_sum {
	struct ompp_merge *merge;
	struct slice_sum *slices;         /* up to the merge's moment */
	uint32_t n;                       /* how many these are */
	struct ompp_course_slice *copied; /* OMPP_COURSE_SLICES of one thread */
	uint32_t shift, n_threads, n_lost;
};

/* ---- one thread ---- */

static int copy_course(const struct ompp_thread *t, struct ompp_course *copy, struct ompp_course_slice *slices)
{
	for (int i = 0; i < TRIES; i++)
		if (ompp_course_read(&t->course, copy, slices))
			return 1;
	return 0;
}

/* Charges to the copy what the thread has done since its last charge.  A member of a team that is over may learn that
 * much later, at its next event: it was in no team meanwhile. */
static void course_finish(struct ompp_course *copy, const struct ompp_thread *t, uint64_t now)
{
	const struct ompp_frame *top = OMPP_LOAD(&t->top), *limit = OMPP_LOAD(&t->limit), *f;
	const struct ompp_callnode *at;
	uint64_t until;

	if (copy->is_over || !limit)
		return;
	top = top < limit ? top : limit;
	at = ompp_frame_node(top);
	if (!at)
		return;
	for (f = t->frames + 1; f <= top; f++) {
		until = OMPP_LOAD(&f->flags) & OMPP_FRAME_TEAM ? ompp_team_token_until(OMPP_LOAD(&f->instance), now)
		                                               : now;
		if (until == now)
			continue;
		ompp_course_charge(copy, t, at, until);
		ompp_course_charge_all(copy, t, ompp_frame_node(f - 1), now);
		return;
	}
	ompp_course_charge(copy, t, at, now);
}

/* ---- all threads ---- */

static void count_region(struct slice_sum *to, uint32_t region)
{
	for (int i = 0; i < REGIONS && region; i++) {
		if (!to->n[i])
			to->region[i] = region;
		if (to->region[i] == region) {
			to->n[i]++;
			return;
		}
	}
}

static void add_course(struct course_sum *s, const struct ompp_course *course)
{
	s->n_threads++;
	for (uint32_t i = 0; i < s->n; i++) {
		for (int k = 0; k < OMPP_N_COURSE_PARTS; k++)
			s->slices[i].parts[k] += course->slices[i].parts[k];
		count_region(&s->slices[i], course->slices[i].region);
	}
}

static void course_add_thread(struct course_sum *s, const struct ompp_thread *t)
{
	struct ompp_course copy;

	if (!OMPP_LOAD(&t->course.last_ticks))
		return;
	if (!copy_course(t, &copy, s->copied) || copy.shift > s->shift) {
		s->n_lost++;
		return;
	}
	ompp_course_lengthen(&copy, s->shift);
	course_finish(&copy, t, s->merge->now);
	add_course(s, &copy);
}

/* Finds slices that all threads can have, and that reach to the merge's moment.  A thread that needs longer ones by the
 * time that it is read, as it runs, is lost. */
static void find_shift(struct course_sum *s, uint32_t n_threads)
{
	uint64_t ticks = s->merge->now - ompp_session.start.ticks;

	s->shift = OMPP_COURSE_LEAST_SHIFT;
	for (uint32_t i = 0; i < n_threads; i++)
		if (OMPP_LOAD(&ompp_threads[i]->course.shift) > s->shift)
			s->shift = OMPP_LOAD(&ompp_threads[i]->course.shift);
	while (ticks >> s->shift >= OMPP_COURSE_SLICES)
		s->shift++;
	s->n = (uint32_t)(ticks >> s->shift) + 1;
}

/* ---- the profile ---- */

/* Returns the region of a slice in which most threads were, as an index, and their number. */
static uint32_t leading_region(const struct course_sum *s, const struct slice_sum *slice, const uint32_t *index,
                               uint32_t n_ids, uint32_t *n)
{
	const struct ompp_lock_name *lock;
	int most = 0;

	for (int i = 1; i < REGIONS; i++)
		if (slice->n[i] > slice->n[most])
			most = i;
	*n = slice->n[most];
	if (!*n || slice->region[most] > n_ids)
		return OMPP_NONE;
	if (index[slice->region[most]] != OMPP_NONE)
		return index[slice->region[most]];
	lock = ompp_locks_at(&s->merge->locks, slice->region[most]);
	return lock && lock->shown_as <= n_ids ? index[lock->shown_as] : OMPP_NONE;
}

static int fill_course(const struct course_sum *s, struct ompp_profile *p, const uint32_t *index, uint32_t n_ids)
{
	struct ompp_course_record *out = ompp_arena_alloc(s->merge->arena, s->n * sizeof(*out));

	if (!out)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct slice_sum *slice = &s->slices[i];
		int64_t ns[OMPP_N_COURSE_PARTS], all = 0;
		uint32_t n_there;

		for (int k = 0; k < OMPP_N_COURSE_PARTS; k++) {
			ns[k] = (int64_t)((__int128)slice->parts[k] * p->course_slice_ns >> 16);
			all += ns[k];
		}
		if (!all)
			continue;
		out[p->n_course] = (struct ompp_course_record){
			.slice = i,
			.work_ns = ns[OMPP_COURSE_WORK],
			.wait_ns = ns[OMPP_COURSE_WAIT],
			.manage_ns = ns[OMPP_COURSE_MANAGE],
			.idle_ns = ns[OMPP_COURSE_IDLE],
			.mpi_ns = ns[OMPP_COURSE_MPI],
			.region = leading_region(s, slice, index, n_ids, &n_there),
		};
		out[p->n_course].n_there = out[p->n_course].region == OMPP_NONE ? 0 : n_there;
		p->n_course++;
	}
	p->course = out;
	return 0;
}

int ompp_collect_course(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *index, uint32_t n_ids,
                        struct ompp_clock_rate rate)
{
	uint32_t n_threads = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	struct course_sum s = { .merge = c };

	p->course_slice_ns = OMPP_MISSING;
	if (!ompp_session.options.number[OMPP_OPT_COURSE])
		return 0;
	find_shift(&s, n_threads);
	s.slices = ompp_arena_alloc(c->arena, s.n * sizeof(*s.slices));
	s.copied = ompp_arena_alloc(c->arena, OMPP_COURSE_SLICES * sizeof(*s.copied));
	if (!s.slices || !s.copied)
		return -ENOMEM;
	memset(s.slices, 0, s.n * sizeof(*s.slices));
	for (uint32_t i = 0; i < n_threads; i++)
		course_add_thread(&s, ompp_threads[i]);
	if (!s.n_threads)
		return 0;
	p->course_slice_ns = ompp_clock_ns(rate, (int64_t)1 << s.shift);
	p->n_course_lost = s.n_lost;
	return fill_course(&s, p, index, n_ids);
}
