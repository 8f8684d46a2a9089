/*
 * Span, variants: see span_variant.h.
 */
#include "runtime/span/span_variant.h"

#include <string.h>

#include "runtime/base/space.h"
#include "runtime/span/place.h"

enum {
	AT_ONCE = 64,         /* further parts of records that are made together */
	LEAST_TICKS = 300000, /* some 100 us: a place with less work in a thread has no variant yet */
	FOUND = 2             /* what is added to a place's variant in `faster` */
};

struct ompp_variant_clock *ompp_span_make_clock(struct ompp_span *s)
{
	struct ompp_variant_clock *clock = ompp_space_take(sizeof(*clock));

	if (clock && *s->at)
		clock->run_ticks = (*s->at)->path.ticks;
	__atomic_store_n(&s->clock, clock, __ATOMIC_RELEASE);
	return clock;
}

/* Returns 1 where more than locks is left out. */
static int are_all_kept(void)
{
	return OMPP_LOAD(&ompp_variants_kept) == OMPP_VARIANTS_ALL;
}

/* ---- work ---- */

static _Atomic uint8_t *faster; /* [OMPP_MOST_PLACES], the variant of each place; 0 while it is not known */

static __attribute__((noinline, cold)) int find_faster(const struct ompp_span *s, uint32_t place)
{
	int variant;

	if (!are_all_kept() || s->work[place] < LEAST_TICKS || place == OMPP_OTHER_PLACE ||
	    !ompp_space_table((void **)&faster, OMPP_MOST_PLACES))
		return OMPP_NO_VARIANT;
	variant = ompp_variant_find(OMPP_VARIANT_FASTER, ompp_place_region(place));
	atomic_store_explicit(&faster[place], (uint8_t)(variant + FOUND), memory_order_relaxed);
	return variant;
}

void ompp_span_variants_work(struct ompp_span *s, uint32_t place, uint64_t ticks)
{
	const _Atomic uint8_t *known = __atomic_load_n(&faster, __ATOMIC_ACQUIRE);
	int found = known ? __atomic_load_n((const uint8_t *)(const void *)&known[place], __ATOMIC_RELAXED) : 0;

	ompp_variant_work(s->clock, found ? found - FOUND : find_faster(s, place), ticks);
}

void ompp_span_variants_make(struct ompp_span *s, uint64_t ticks)
{
	ompp_variant_work(s->clock, OMPP_NO_VARIANT, ticks);
}

/* ---- records ---- */

/* Returns a record's part for variants, which is made if there is none; NULL without memory. */
static struct ompp_span_variants *part_of(struct ompp_span *s, struct ompp_span_task *task)
{
	if (task->variants)
		return task->variants;
	if (!s->n_spare) {
		s->spare = ompp_space_reserve(AT_ONCE * sizeof(*s->spare));
		s->n_spare = s->spare ? AT_ONCE : 0;
	}
	if (!s->n_spare)
		return NULL;
	task->variants = &s->spare[--s->n_spare];
	return task->variants;
}

/* Before clocks are kept, nothing is ahead in any variant. */
static void start_part(struct ompp_span_variants *part, const struct ompp_variant_clock *clock)
{
	if (!part)
		return;
	if (clock)
		ompp_variant_copy(&part->start, clock);
	ompp_variant_clear(&part->kids);
	part->loop = 0;
	part->coarser.variant = OMPP_NO_VARIANT;
	part->taskloop = NULL;
}

void ompp_span_variants_start(struct ompp_span *s, struct ompp_span_task *task)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (clock)
		start_part(part_of(s, task), clock);
}

void ompp_span_variants_start_member(struct ompp_span *s, struct ompp_span_task *member)
{
	start_part(part_of(s, member), ompp_span_clock(s));
}

void ompp_span_variants_start_from(struct ompp_span *s, struct ompp_span_task *task, const struct ompp_span_task *from)
{
	struct ompp_span_variants *part = ompp_span_clock(s) && from->variants ? part_of(s, task) : task->variants;

	if (!part)
		return;
	part->taskloop = NULL;
	part->coarser.variant = OMPP_NO_VARIANT;
	if (!ompp_span_clock(s) || !from->variants)
		return;
	ompp_variant_copy(&part->start, &from->variants->start);
	ompp_variant_clear(&part->kids);
	part->taskloop = from->variants;
}

void ompp_span_variants_begin(struct ompp_span *s, const struct ompp_span_task *task)
{
	struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (clock && task->variants)
		ompp_variant_follow(clock, &task->variants->start);
}

void ompp_span_variants_hand(struct ompp_span *s, const struct ompp_span_task *to)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (clock && to && to->variants)
		ompp_variant_raise(&to->variants->kids, clock);
}

void ompp_span_variants_take(struct ompp_span *s, const struct ompp_span_task *from, int without)
{
	struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (clock && from->variants)
		ompp_variant_take(clock, &from->variants->kids, without);
}

/* Where its taskwaits are left out, who waits for the task waits for its children. */
static void hand_unjoined(const struct ompp_span_task *task, const struct ompp_span_task *to)
{
	if (task->variants && to && to->variants)
		ompp_variant_raise_change(&to->variants->kids, &task->variants->kids, OMPP_VARIANT_UNJOINED);
}

void ompp_span_variants_end(struct ompp_span *s, const struct ompp_span_task *task)
{
	const struct ompp_span_task *member = s->member;

	if (!ompp_span_clock(s))
		return;
	ompp_span_variants_hand(s, task->parent);
	ompp_span_variants_hand(s, task->group);
	hand_unjoined(task, task->parent);
	hand_unjoined(task, task->group);
	if (member && member->team && atomic_load_explicit(&member->is_closed, memory_order_relaxed))
		ompp_span_variants_arrive(s, member->team, member->n_barriers);
}

void ompp_span_variants_suspend(struct ompp_span *s, struct ompp_span_task *task)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (clock && task && task->variants)
		ompp_variant_copy(&task->variants->start, clock);
}

void ompp_span_variants_wait(struct ompp_span *s, uint32_t region)
{
	const struct ompp_span_task *task = *s->at;

	if (task && ompp_span_clock(s))
		ompp_span_variants_take(s, task,
		                        are_all_kept() ? ompp_variant_find(OMPP_VARIANT_UNJOINED, region)
		                                       : OMPP_NO_VARIANT);
}

/* ---- teams ---- */

/* Who tells its iterations, or that they are handed out on demand, is one of n: ompp_hold_loop_end(). */
static void shares_clear(struct ompp_span_shares *shares)
{
	if (!atomic_load_explicit(&shares->n, memory_order_relaxed) &&
	    !atomic_load_explicit(&shares->begun.run_ticks, memory_order_relaxed))
		return;
	for (int i = 0; i < OMPP_MOST_VARIANTS; i++)
		atomic_store_explicit(&shares->ticks[i], 0, memory_order_relaxed);
	ompp_variant_clear(&shares->begun);
	atomic_store_explicit(&shares->run_ticks, 0, memory_order_relaxed);
	atomic_store_explicit(&shares->n, 0, memory_order_relaxed);
	atomic_store_explicit(&shares->is_on_demand, 0, memory_order_relaxed);
	atomic_store_explicit(&shares->region, 0, memory_order_relaxed);
	atomic_store_explicit(&shares->lists, NULL, memory_order_relaxed);
	atomic_store_explicit(&shares->scheduled_end, 0, memory_order_relaxed);
}

void ompp_span_variants_fork(struct ompp_span *s, struct ompp_span_team *team)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (!team->variants)
		team->variants = ompp_space_take(sizeof(*team->variants));
	if (!team->variants)
		return;
	team->variants->forker = s;
	team->variants->start.run_ticks = *s->at ? (*s->at)->path.ticks : 0;
	if (!clock)
		return;
	for (int i = 0; i < 3; i++)
		shares_clear(&team->variants->shares[i]);
	ompp_variant_copy(&team->variants->start, clock);
	ompp_variant_clear(&team->variants->joins[0]);
	ompp_variant_clear(&team->variants->joins[1]);
	ompp_variant_clear(&team->variants->turn);
}

/* Its thread was in other teams before, of which no edge leads here. */
void ompp_span_variants_member(struct ompp_span *s, const struct ompp_span_team *team)
{
	struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (clock && team->variants)
		ompp_variant_copy(clock, &team->variants->start);
}

void ompp_span_variants_arrive(struct ompp_span *s, const struct ompp_span_team *team, uint32_t barrier)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (!clock || !team->variants)
		return;
	if (team->variants->forker == s)
		shares_clear(&team->variants->shares[(barrier + 1) % 3]);
	ompp_variant_raise(&team->variants->joins[barrier & 1], clock);
}

struct ompp_span_shares *ompp_span_shares_of(const struct ompp_span *s)
{
	const struct ompp_span_task *member = s->member;

	if (!member || *s->at != member || !member->team || !member->team->variants)
		return NULL;
	return &member->team->variants->shares[member->n_barriers % 3];
}

void ompp_span_shares_begin(struct ompp_span *s)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);
	struct ompp_span_shares *shares = clock ? ompp_span_shares_of(s) : NULL;

	if (shares)
		ompp_variant_raise(&shares->begun, clock);
}

void ompp_span_shares_arrive(struct ompp_span *s, int is_on_demand)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);
	struct ompp_span_shares *shares = clock ? ompp_span_shares_of(s) : NULL;

	if (!shares)
		return;
	atomic_store_explicit(&shares->is_on_demand, (uint32_t)is_on_demand, memory_order_relaxed);
	for (int i = 0; i < OMPP_MOST_VARIANTS; i++)
		atomic_fetch_add_explicit(&shares->ticks[i], clock->run_ticks - clock->gain_ticks[i],
		                          memory_order_relaxed);
	atomic_fetch_add_explicit(&shares->run_ticks, clock->run_ticks, memory_order_relaxed);
	atomic_fetch_add_explicit(&shares->n, 1, memory_order_relaxed);
}

/* Returns when a variant is over at a barrier behind such a loop. */
static uint64_t shared_end(const struct ompp_span_shares *shares, const struct ompp_variant_mark *latest, int i)
{
	uint64_t n = atomic_load_explicit(&shares->n, memory_order_relaxed);
	uint64_t run = atomic_load_explicit(&latest->run_ticks, memory_order_relaxed);
	uint64_t last = atomic_load_explicit(&latest->ticks[i], memory_order_relaxed);
	uint64_t begun = atomic_load_explicit(&shares->begun.ticks[i], memory_order_relaxed);
	uint64_t mean = atomic_load_explicit(&shares->ticks[i], memory_order_relaxed) / n;
	uint64_t mean_run = atomic_load_explicit(&shares->run_ticks, memory_order_relaxed) / n;
	uint64_t end = mean + (run > mean_run ? run - mean_run : 0);

	end = end > begun ? end : begun;
	return end > last ? last : end;
}

/* Goes on behind the barrier of such a loop.  All members compute the same, so the mark may be set by each of them;
 * then the join finds it, too.
 * scheduled: the variant of another schedule of the loop, whose end is known otherwise (or OMPP_NO_VARIANT) */
static void leave_shared(struct ompp_variant_clock *clock, const struct ompp_span_shares *shares,
                         struct ompp_variant_mark *latest, int without, int scheduled)
{
	uint64_t run = atomic_load_explicit(&latest->run_ticks, memory_order_relaxed);
	uint64_t more = run > clock->run_ticks ? run - clock->run_ticks : 0;

	for (int i = 0; i < OMPP_MOST_VARIANTS; i++) {
		uint64_t end;

		if (i == scheduled)
			continue;
		end = shared_end(shares, latest, i);
		if (atomic_load_explicit(&latest->ticks[i], memory_order_relaxed))
			atomic_store_explicit(&latest->ticks[i], end, memory_order_relaxed);
		clock->gain_ticks[i] = i == without || !end || end > run ? clock->gain_ticks[i] + more : run - end;
	}
	clock->run_ticks += more;
}

void ompp_span_variants_leave(struct ompp_span *s, const struct ompp_span_team *team, uint32_t region, int scheduled)
{
	struct ompp_variant_clock *clock = ompp_span_clock(s);
	const struct ompp_span_shares *shares;
	struct ompp_variant_mark *latest;
	int without = OMPP_NO_VARIANT;

	if (!clock || !team->variants)
		return;
	if (region && are_all_kept())
		without = ompp_variant_find(OMPP_VARIANT_NOWAIT, region);
	latest = &team->variants->joins[s->member->n_barriers & 1];
	shares = &team->variants->shares[s->member->n_barriers % 3];
	if (atomic_load_explicit(&shares->is_on_demand, memory_order_relaxed) &&
	    atomic_load_explicit(&shares->n, memory_order_relaxed))
		leave_shared(clock, shares, latest, without, scheduled);
	else
		ompp_variant_take(clock, latest, without);
}

void ompp_span_variants_join(struct ompp_span *s, const struct ompp_span_team *team)
{
	struct ompp_variant_clock *clock = ompp_span_clock(s);

	if (!clock || !team->variants)
		return;
	ompp_variant_take(clock, &team->variants->joins[0], OMPP_NO_VARIANT);
	ompp_variant_take(clock, &team->variants->joins[1], OMPP_NO_VARIANT);
}

/* ---- locks and turns ---- */

static uint32_t n_forks; /* written in a child, before its program goes on */

void ompp_span_variants_after_fork(struct ompp_span *s)
{
	n_forks++;
	if (s->clock)
		memset(s->clock, 0, sizeof(*s->clock));
}

/* By the thread that has the lock. */
static void lock_forget(struct ompp_span_lock *lock)
{
	if (lock->n_forks != n_forks)
		ompp_variant_clear(&lock->released);
	lock->n_forks = n_forks;
}

void ompp_span_lock_begin(struct ompp_span *s, struct ompp_span_lock *lock)
{
	struct ompp_variant_clock *clock = ompp_span_clock(s);

	lock_forget(lock);
	if (clock)
		ompp_variant_take(clock, &lock->released, lock->variant);
}

void ompp_span_lock_end(struct ompp_span *s, struct ompp_span_lock *lock)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);

	lock_forget(lock);
	if (clock)
		ompp_variant_raise(&lock->released, clock);
}

static struct ompp_variant_mark *turn_of(const struct ompp_span *s)
{
	const struct ompp_span_team *team = s->member ? s->member->team : NULL;

	return team && team->variants ? &team->variants->turn : NULL;
}

void ompp_span_turn_begin(struct ompp_span *s, uint32_t region)
{
	struct ompp_variant_clock *clock = ompp_span_clock(s);
	const struct ompp_variant_mark *turn = turn_of(s);

	if (clock && turn)
		ompp_variant_take(clock, turn, ompp_variant_find(OMPP_VARIANT_UNLOCKED, region));
}

void ompp_span_turn_end(struct ompp_span *s)
{
	const struct ompp_variant_clock *clock = ompp_span_clock(s);
	struct ompp_variant_mark *turn = turn_of(s);

	if (clock && turn)
		ompp_variant_raise(turn, clock);
}
