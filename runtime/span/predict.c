/*
 * Predict: see predict.h.
 */
#include "runtime/span/predict.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/least_heap.h"
#include "runtime/base/maximum.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/span/deal.h"
#include "runtime/span/deals.h"
#include "runtime/span/forest.h"

enum {
	MOST_THREADS = 1 << (OMPP_PREDICTED - 1),
	RANK_BITS = OMPP_PREDICTED - 1,
	FIRST_JOBS = 1024,
	NEARLY_SAME = 16 /* two times that differ by less than this part of them are one */
};

/* What one thread does at one go in a schedule; or count threads do, each as much. */
struct job {
	uint64_t start, ticks;
	uint32_t count, rank;
	uint64_t locked_ticks; /* what of it is in a critical region: it counts as its end */
	uint32_t lock;
	uint32_t loop; /* a loop that is dealt out, by its place behind the first one's, from 1; else 0 */
};

/* A job by what it is sorted by. */
struct key {
	uint64_t value;
	uint32_t job;
};

/* Jobs, with room for their order. */
struct jobs {
	uint32_t n, room;
	struct job *of;
	struct key *starts, *ends, *spare;
	uint64_t *finish; /* when each one is done */
};

struct ompp_predictor {
	struct jobs jobs;            /* of a schedule: the first n_fixed are those of all numbers of threads */
	struct jobs ordered;         /* for sorting */
	struct jobs parts;           /* shares and own code, in the order of their `starts` */
	uint64_t free[MOST_THREADS]; /* when each thread is free: a heap, the first one least */
	uint64_t next[MOST_THREADS]; /* of a loop that is dealt out: when each rank asks for more: a heap, too */
	uint64_t lock_free[OMPP_STRAND_LOCKS]; /* when critical regions are free, in the order of the sum's */
	struct ompp_strands sum;               /* short strands of all members */
	uint64_t work_ticks, own_ticks;        /* of all members: what is shared; short code of each */
	uint64_t locked_ticks;                 /* the most that was in one critical region */
	uint32_t n_fixed;
	struct ompp_deals *deals; /* loops that are dealt out; NULL before the first */
	struct ompp_dealer dealer;
	int is_open, way;           /* a loop may be dealt out in two ways; the one that is taken */
	int is_unknown;             /* a loop is dealt out in a way that is not known */
	struct ompp_forest *forest; /* NULL before the first */
	int is_forest;              /* the team's tasks are scheduled as a forest, with this race */
	enum ompp_forest_race race;
};

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- jobs ---- */

/* The old memory is not used again: all of it together is as large as the newest. */
static int jobs_grow(struct jobs *jobs)
{
	struct jobs more = { .n = jobs->n, .room = jobs->room ? jobs->room * 2 : FIRST_JOBS };

	more.of = ompp_space_take(more.room * (sizeof(*more.of) + 3 * sizeof(struct key) + sizeof(*more.finish)));
	if (!more.of)
		return 0;
	more.starts = (struct key *)(void *)(more.of + more.room);
	more.ends = more.starts + more.room;
	more.spare = more.ends + more.room;
	more.finish = (uint64_t *)(void *)(more.spare + more.room);
	if (jobs->n)
		memcpy(more.of, jobs->of, jobs->n * sizeof(*jobs->of));
	if (jobs->n)
		memcpy(more.starts, jobs->starts, jobs->n * sizeof(*jobs->starts));
	*jobs = more;
	return 1;
}

/* Adds a job, and what it is sorted by.  Returns 0 without memory. */
static int job_add(struct jobs *jobs, struct job job, uint64_t value)
{
	if ((int64_t)job.ticks <= 0)
		return 1;
	if (jobs->n == jobs->room && !jobs_grow(jobs))
		return 0;
	jobs->starts[jobs->n] = (struct key){ value, jobs->n };
	jobs->of[jobs->n++] = job;
	return 1;
}

/* Sorts keys; each pass merges runs. */
static void sort_keys(struct key *keys, struct key *spare, uint32_t n)
{
	struct key *from = keys, *to = spare, *other;

	for (uint32_t run = 1; run < n; run *= 2, other = from, from = to, to = other)
		for (uint32_t low = 0; low < n; low += 2 * run) {
			uint32_t middle = low + run < n ? low + run : n, high = middle + run < n ? middle + run : n;

			for (uint32_t a = low, b = middle, i = low; i < high; i++)
				to[i] = a < middle && (b == high || from[a].value <= from[b].value) ? from[a++]
				                                                                    : from[b++];
		}
	if (from != keys)
		memcpy(keys, from, n * sizeof(*keys));
}

/* ---- what the members did ---- */

/* Adds the short strands of a member: the slices of the sum are as long as the longest ones of all members. */
static void add_slices(struct ompp_predictor *p, const struct ompp_strands *from)
{
	for (uint32_t i = 0; i < from->n_slices; i++) {
		uint32_t slice = i >> (p->sum.shift - from->shift);

		p->sum.chains[slice] += from->chains[i];
		p->sum.divided[slice] += from->divided[i];
		p->work_ticks += from->chains[i] + from->divided[i];
		p->sum.n_slices = slice >= p->sum.n_slices ? slice + 1 : p->sum.n_slices;
	}
}

static void add_locked(struct ompp_predictor *p, const struct ompp_strands *from)
{
	for (int i = 0; i < OMPP_STRAND_LOCKS && from->locked[i].region; i++)
		ompp_strands_add_locked(&p->sum, (uint32_t)from->locked[i].region, from->locked[i].ticks);
}

/* Returns what sorts shares and own code: those that were one construct stand together, by the ranks of threads. */
static uint64_t part_value(const struct ompp_strand *strand)
{
	return ((uint64_t)(strand->phase & 0xfffff) << 1 | (strand->kind == OMPP_STRAND_OWN)) << 40 |
	       (uint64_t)(strand->ordinal & 0xfffff) << 20 | (strand->rank & 0xfffff);
}

static int add_part(struct ompp_predictor *p, const struct ompp_strand *strand, uint64_t value)
{
	return job_add(&p->parts, (struct job){ strand->start_ticks, strand->ticks, 1, strand->rank, 0, 0, 0 }, value);
}

static int add_strand(struct ompp_predictor *p, const struct ompp_strand *strand)
{
	struct job job = { strand->start_ticks, strand->ticks, 1, strand->rank, strand->locked_ticks, strand->lock, 0 };

	return job_add(&p->jobs, job, strand->end_time);
}

/* Adds all strands but the chunks of loops that are dealt out.  Those of other loops stay as they are with each number
 * of threads, as GCC's library hands them out.  What a thread does before it has got its first chunk is none. */
static int add_list(struct ompp_predictor *p, const struct ompp_strands *from, int is_gnu)
{
	for (uint32_t i = 0; i < from->n; i++) {
		const struct ompp_strand *strand = &from->list[i];

		if (strand->kind != OMPP_STRAND_OWN)
			p->work_ticks += strand->ticks;
		if (ompp_strand_is_dealt(strand))
			continue;
		p->is_unknown |= strand->kind == OMPP_STRAND_CHUNK && !strand->chunk.loop.n && !is_gnu;
		if (strand->kind >= OMPP_STRAND_SHARE ? !add_part(p, strand, part_value(strand))
		                                      : !add_strand(p, strand))
			return 0;
	}
	return 1;
}

/* Adds the chunks of a loop that was divided as a static one is, or of which that is not known. */
static int add_chunks(struct ompp_predictor *p, const struct ompp_deal *loop)
{
	enum { DEALT = 0x80000 }; /* in an ordinal: no share */

	for (uint32_t i = 0; i < loop->n; i++) {
		struct ompp_strand strand = *ompp_deal_strand(loop, i);

		strand.ordinal = DEALT | strand.chunk.loop.ordinal;
		if (loop->ways[0] == OMPP_DEAL_BLOCKS ? !add_part(p, &strand, part_value(&strand))
		                                      : !add_strand(p, &strand))
			return 0;
	}
	return 1;
}

/* Adds a loop that is dealt out as one job.  What begins on the path behind one of its chunks waits for all of it. */
static int add_dealt(struct ompp_predictor *p, const struct ompp_deal *loop, uint32_t number)
{
	struct job job = { .start = UINT64_MAX, .count = 1, .loop = number };
	uint64_t end_time = UINT64_MAX;

	for (uint32_t i = 0; i < loop->n; i++) {
		const struct ompp_strand *strand = ompp_deal_strand(loop, i);

		job.start = lesser(job.start, strand->start_ticks);
		job.ticks = ompp_maximum(job.ticks, strand->ticks);
		end_time = lesser(end_time, strand->end_time);
	}
	p->is_open |= loop->ways[0] != loop->ways[1];
	return job_add(&p->jobs, job, end_time);
}

static int add_loops(struct ompp_predictor *p, const struct ompp_predict_team *team)
{
	const struct ompp_deal *loop;

	if (!ompp_deals_gather(&p->deals, team->strands, team->n_threads))
		return 0;
	for (uint32_t i = 0; (loop = ompp_deals_loop(p->deals, i)); i++) {
		int is_dealt = loop->ways[0] != OMPP_DEAL_UNKNOWN && loop->ways[0] != OMPP_DEAL_BLOCKS;

		p->is_unknown |= loop->ways[0] == OMPP_DEAL_UNKNOWN;
		if (is_dealt ? !add_dealt(p, loop, i + 1) : !add_chunks(p, loop))
			return 0;
	}
	return 1;
}

/* Puts the jobs into the order of their keys. */
static void order_jobs(struct jobs *jobs, struct jobs *scratch)
{
	scratch->n = 0;
	sort_keys(jobs->starts, jobs->spare, jobs->n);
	for (uint32_t i = 0; i < jobs->n; i++)
		job_add(scratch, jobs->of[jobs->starts[i].job], 0);
	for (uint32_t i = 0; i < scratch->n && scratch->n == jobs->n; i++)
		jobs->of[i] = scratch->of[i];
}

/* Gathers what all members did.  Returns 0 without memory. */
static int predict_gather(struct ompp_predictor *p, const struct ompp_predict_team *team)
{
	const struct ompp_strands *members = team->strands, *m;

	p->sum.n_slices = OMPP_STRAND_SLICES;
	ompp_strands_reset(&p->sum, 0, members ? members->base_ticks : 0);
	p->jobs.n = p->parts.n = 0;
	p->work_ticks = p->own_ticks = p->locked_ticks = 0;
	p->is_unknown = p->is_open = 0;
	for (m = members; m; m = m->next)
		p->sum.shift = m->shift > p->sum.shift ? m->shift : p->sum.shift;
	for (m = members; m; m = m->next) {
		ompp_assert(m->base_ticks == p->sum.base_ticks);
		add_slices(p, m);
		add_locked(p, m);
		p->own_ticks += m->own_ticks;
		p->sum.has_bound |= m->has_bound;
		p->is_unknown |= m->has_any;
		p->sum.managing_ticks += m->managing_ticks;
		if (!add_list(p, m, team->is_gnu))
			return 0;
	}
	if (!add_loops(p, team))
		return 0;
	for (int i = 0; i < OMPP_STRAND_LOCKS; i++)
		p->locked_ticks = ompp_maximum(p->locked_ticks, p->sum.locked[i].ticks);
	order_jobs(&p->jobs, &p->ordered);
	p->n_fixed = p->jobs.n;
	sort_keys(p->parts.starts, p->parts.spare, p->parts.n);
	return 1;
}

/* ---- what a number of threads would have to do ---- */

/* The parts of one construct: n of them, each of another rank. */
struct group {
	const struct ompp_predictor *p;
	const struct key *keys;
	uint32_t n, n_ranks;
};

static const struct job *group_part(const struct group *g, uint32_t i)
{
	return &g->p->parts.of[g->keys[i].job];
}

/* Returns the time of a rank's share; 0 when it had none. */
static int64_t share_of(const struct group *g, uint32_t i, int64_t rank)
{
	if (i < g->n && (int64_t)group_part(g, i)->rank == rank)
		return (int64_t)group_part(g, i)->ticks;
	return 0;
}

/* Returns by how much the shares grow from rank to rank at part i, such that no iteration takes less than no time. */
static int64_t share_slope(const struct group *g, uint32_t i)
{
	int64_t rank = group_part(g, i)->rank, here = share_of(g, i, rank), slope;
	int64_t before = i ? share_of(g, i - 1, rank - 1) : 0, after = share_of(g, i + 1, rank + 1);

	if (g->n_ranks < 2)
		return 0;
	if (!rank)
		slope = after - here;
	else if (rank + 1 == (int64_t)g->n_ranks)
		slope = here - before;
	else
		slope = (after - before) / 2;
	return slope > 2 * here ? 2 * here : slope < -2 * here ? -2 * here : slope;
}

/* Returns the part of share i that falls to thread k of n.  Positions are in n_ranks × n parts of the loop. */
static uint64_t share_within(const struct group *g, uint32_t i, int64_t k, int64_t n)
{
	int64_t rank = group_part(g, i)->rank, from = rank * n, to = from + n, ticks = share_of(g, i, rank);
	int64_t low = k * g->n_ranks, high = low + g->n_ranks, a, b;
	__int128 part;

	low = low > from ? low : from;
	high = high < to ? high : to;
	if (low >= high)
		return 0;
	a = 2 * low - from - to;
	b = 2 * high - from - to;
	part = (__int128)ticks * (high - low) * n * 8 + (__int128)share_slope(g, i) * (b * b - a * a);
	return part > 0 ? (uint64_t)(part / (8 * n * n)) : 0;
}

/* Divides the loop of a group by n threads, as a static schedule does. */
static int divide_loop(struct ompp_predictor *p, const struct group *g, uint32_t n)
{
	uint32_t first = 0;

	for (uint32_t k = 0; k < n; k++) {
		struct job job = { .count = 1 };

		while (first < g->n && (uint64_t)(group_part(g, first)->rank + 1) * n <= (uint64_t)k * g->n_ranks)
			first++;
		for (uint32_t i = first; i < g->n; i++) {
			uint64_t ticks = share_within(g, i, k, n);

			if ((uint64_t)group_part(g, i)->rank * n >= (uint64_t)(k + 1) * g->n_ranks)
				break;
			job.start = job.ticks ? job.start : group_part(g, i)->start;
			job.ticks += ticks;
		}
		if (job.ticks && !job_add(&p->jobs, job, job.start))
			return 0;
	}
	return 1;
}

/* Lets n threads execute what each thread executes. */
static int repeat_own(struct ompp_predictor *p, const struct group *g, uint32_t n)
{
	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t k = group_part(g, i)->rank; k < n; k += g->n_ranks)
			if (!job_add(&p->jobs, *group_part(g, i), group_part(g, i)->start))
				return 0;
	return 1;
}

static int add_parts(struct ompp_predictor *p, uint32_t n_ranks, uint32_t n)
{
	const struct key *keys = p->parts.starts;

	for (uint32_t i = 0, next; i < p->parts.n; i = next) {
		struct group g = { p, keys + i, 1, n_ranks };

		for (next = i + 1; next < p->parts.n && keys[next].value >> 20 == keys[i].value >> 20; next++)
			g.n++;
		if (!(keys[i].value >> 40 & 1 ? repeat_own : divide_loop)(p, &g, n))
			return 0;
	}
	return 1;
}

/* Adds the short strands.  Those of chains are at most as many at once as ran at once on the longest path. */
static int add_short(struct ompp_predictor *p, uint32_t n)
{
	const struct ompp_strands *sum = &p->sum;

	for (uint32_t i = 0; i < sum->n_slices; i++) {
		uint64_t start = sum->base_ticks + ((uint64_t)i << sum->shift), length = (uint64_t)1 << sum->shift;
		uint64_t at_once = lesser((sum->chains[i] + length - 1) >> sum->shift, n);

		if (sum->chains[i] &&
		    !job_add(&p->jobs, (struct job){ start, sum->chains[i] / at_once, (uint32_t)at_once, 0, 0, 0, 0 },
		             start))
			return 0;
		if (sum->divided[i] &&
		    !job_add(&p->jobs, (struct job){ start, sum->divided[i] / n, n, 0, 0, 0, 0 }, start))
			return 0;
	}
	return 1;
}

/* ---- the schedule ---- */

/* Returns when a job is done that would be at a time, if it did not have to wait for a critical region. */
static uint64_t wait_for_lock(struct ompp_predictor *p, const struct job *job, uint64_t until)
{
	uint64_t locked = lesser(job->locked_ticks, job->ticks), begin = until - locked;

	for (int i = 0; i < OMPP_STRAND_LOCKS && locked; i++)
		if (p->sum.locked[i].region == job->lock) {
			begin = ompp_maximum(begin, p->lock_free[i]);
			p->lock_free[i] = begin + locked;
			break;
		}
	return begin + locked;
}

/* Deals a loop out to all threads.  Returns when it is done.  Threads that get nothing more come in the order of time,
 * so their times are a heap. */
static uint64_t schedule_loop(struct ompp_predictor *p, const struct ompp_deal *loop, uint64_t ready, uint32_t n)
{
	uint64_t *next = p->next, done = 0;

	for (uint32_t i = 0; i < n; i++)
		next[i] = ompp_maximum(p->free[i], ready) << RANK_BITS | i;
	ompp_dealer_start(&p->dealer, loop, loop->ways[p->way], n);
	for (uint32_t n_over = 0; n_over < n;) {
		uint64_t now = next[0] >> RANK_BITS, rank = next[0] & (MOST_THREADS - 1);
		struct ompp_dealt dealt;

		if (ompp_dealer_next(&p->dealer, (uint32_t)rank, &dealt)) {
			struct job job = { .ticks = dealt.ticks,
				           .locked_ticks = dealt.locked_ticks,
				           .lock = dealt.lock };
			uint64_t until = wait_for_lock(p, &job, now + dealt.ticks);

			done = ompp_maximum(done, until);
			ompp_least_heap_put(next, n, 0, until << RANK_BITS | rank);
		} else {
			p->free[n_over++] = now;
			ompp_least_heap_put(next, n, 0, UINT64_MAX);
		}
	}
	return done;
}

/* Gives a job to threads that are free.  Returns when it is done. */
static uint64_t schedule_job(struct ompp_predictor *p, const struct job *job, uint64_t ready, uint32_t n)
{
	uint64_t done = 0;

	if (job->loop)
		return schedule_loop(p, ompp_deals_loop(p->deals, job->loop - 1), ready, n);
	for (uint32_t i = 0; i < job->count; i++) {
		uint64_t until = wait_for_lock(p, job, ompp_maximum(p->free[0], ready) + job->ticks);

		ompp_least_heap_put(p->free, n, 0, until);
		done = ompp_maximum(done, until);
	}
	return done;
}

/* Returns the time of a list schedule of all jobs by n threads. */
static uint64_t schedule_jobs(struct ompp_predictor *p, uint32_t n)
{
	struct jobs *jobs = &p->jobs;
	uint64_t ready = 0, last = 0;

	for (uint32_t i = 0; i < jobs->n; i++) {
		jobs->starts[i] = (struct key){ jobs->of[i].start, i };
		jobs->ends[i] = (struct key){ jobs->of[i].start + jobs->of[i].ticks, i };
	}
	sort_keys(jobs->starts, jobs->spare, jobs->n);
	sort_keys(jobs->ends, jobs->spare, jobs->n);
	memset(p->free, 0, n * sizeof(p->free[0]));
	memset(p->lock_free, 0, sizeof(p->lock_free));
	for (uint32_t i = 0, ended = 0; i < jobs->n; i++) {
		uint32_t job = jobs->starts[i].job;

		for (; ended < jobs->n && jobs->ends[ended].value <= jobs->starts[i].value; ended++)
			ready = ompp_maximum(ready, jobs->finish[jobs->ends[ended].job]);
		jobs->finish[job] = schedule_job(p, &jobs->of[job], ready, n);
		last = ompp_maximum(last, jobs->finish[job]);
	}
	return last;
}

/* ---- the prediction ---- */

/* Returns Graham's bound, where critical regions are executed one after another.  With fewer threads than there were,
 * each does what several did. */
static uint64_t predict_most(const struct ompp_predictor *p, const struct ompp_predict_team *team, uint32_t n)
{
	uint64_t chain = lesser(team->chain_ticks, team->span_ticks), loose = team->span_ticks - chain;
	uint64_t shared = p->work_ticks > chain ? (p->work_ticks - chain) / n : 0;

	return shared + team->span_ticks + loose * ((team->n_threads + n - 1) / n - 1) +
	       p->own_ticks / team->n_threads + (p->locked_ticks - p->locked_ticks / n) + p->sum.managing_ticks +
	       team->burden_ticks;
}

/* Returns the time of management, and of the short code that each thread executes. */
static uint64_t managing_for(const struct ompp_predictor *p, const struct ompp_predict_team *team, uint32_t n)
{
	return p->sum.managing_ticks / n + (n > 1 ? team->burden_ticks : 0);
}

/* Returns the time of a forest, and of the short strands beside it. */
static uint64_t schedule_forest(struct ompp_predictor *p, uint32_t n, enum ompp_forest_race race)
{
	return ompp_forest_schedule(p->forest, n, race) + (p->work_ticks - ompp_forest_work(p->forest)) / n;
}

/* Chooses how the race for children ends: as it explains best how long the team took. */
static void choose_race(struct ompp_predictor *p, const struct ompp_predict_team *team)
{
	uint64_t least = UINT64_MAX, n = team->n_threads,
		 beside = managing_for(p, team, (uint32_t)n) + p->own_ticks / n;

	p->race = OMPP_RACE_EVEN;
	for (int i = 0; i < OMPP_RACES && team->elapsed_ticks; i++) {
		uint64_t ticks = schedule_forest(p, (uint32_t)n, (enum ompp_forest_race)i) + beside;
		uint64_t off = ticks > team->elapsed_ticks ? ticks - team->elapsed_ticks : team->elapsed_ticks - ticks;

		if (off < least)
			p->race = (enum ompp_forest_race)i;
		least = lesser(off, least);
	}
}

/* Says whether the team's tasks are scheduled as a forest: nine tenths of its work have to be in it. */
static void predict_forest(struct ompp_predictor *p, const struct ompp_predict_team *team)
{
	p->is_forest = team->is_gnu && ompp_forest_gather(&p->forest, team->strands) &&
	               p->work_ticks - ompp_forest_work(p->forest) <= p->work_ticks / 10;
	if (p->is_forest)
		choose_race(p, team);
}

/* Finds the time of a schedule.  Returns 0 without memory. */
static int predict_schedule(struct ompp_predictor *p, const struct ompp_predict_team *team, uint32_t n, uint64_t *ticks)
{
	p->jobs.n = p->n_fixed;
	if (!p->is_forest && (!add_parts(p, team->n_threads, n) || !add_short(p, n)))
		return 0;
	*ticks = p->is_forest ? schedule_forest(p, n, p->race) : schedule_jobs(p, n);
	return 1;
}

static int predict_for(struct ompp_predictor *p, const struct ompp_predict_team *team, uint32_t n,
                       struct ompp_predicted *to)
{
	uint64_t least = ompp_maximum(ompp_maximum(p->work_ticks / n, team->chain_ticks), p->locked_ticks), likely,
		 most;

	if (!predict_schedule(p, team, n, &likely))
		return 0;
	likely = ompp_maximum(likely, p->locked_ticks) + p->own_ticks / team->n_threads + managing_for(p, team, n);
	likely = ompp_maximum(likely, least);
	most = ompp_maximum(predict_most(p, team, n), likely);
	*to = (struct ompp_predicted){ least, likely, most, p->work_ticks / n, managing_for(p, team, n) };
	return 1;
}

static void prediction_add(struct ompp_predicted *sum, const struct ompp_predicted *more)
{
	OMPP_ADD(&sum->least_ticks, more->least_ticks);
	OMPP_ADD(&sum->likely_ticks, more->likely_ticks);
	OMPP_ADD(&sum->most_ticks, more->most_ticks);
	OMPP_ADD(&sum->shared_ticks, more->shared_ticks);
	OMPP_ADD(&sum->managing_ticks, more->managing_ticks);
}

static int predict_each(struct ompp_predictor *p, const struct ompp_predict_team *team,
                        struct ompp_predicted by[OMPP_PREDICTED])
{
	for (int i = 0; i < OMPP_PREDICTED; i++)
		if (!predict_for(p, team, 1u << i, &by[i]))
			return 0;
	return 1;
}

/* Takes the other way of loops into account: what is likely lies between both, where that is nearly the same. */
static int predict_other_way(struct ompp_predictor *p, const struct ompp_predict_team *team,
                             struct ompp_predicted by[OMPP_PREDICTED])
{
	struct ompp_predicted other[OMPP_PREDICTED];

	p->way = 1;
	if (!predict_each(p, team, other))
		return 0;
	for (int i = 0; i < OMPP_PREDICTED; i++) {
		uint64_t a = by[i].likely_ticks, b = other[i].likely_ticks, high = ompp_maximum(a, b);

		p->is_unknown |= high - lesser(a, b) > high / NEARLY_SAME;
		by[i].likely_ticks = a / 2 + b / 2;
		by[i].most_ticks = ompp_maximum(by[i].most_ticks, other[i].most_ticks);
	}
	return 1;
}

int ompp_predict(struct ompp_predictor **predictor, const struct ompp_predict_team *team,
                 struct ompp_prediction *prediction)
{
	struct ompp_predictor *p = *predictor ? *predictor : ompp_space_take(sizeof(*p));
	struct ompp_predicted by[OMPP_PREDICTED];

	*predictor = p;
	if (!p || !team->n_threads || !predict_gather(p, team))
		return 0;
	predict_forest(p, team);
	p->way = 0;
	if (!predict_each(p, team, by) || (p->is_open && !predict_other_way(p, team, by)))
		return 0;
	for (int i = 0; i < OMPP_PREDICTED; i++)
		prediction_add(&prediction->by[i], &by[i]);
	OMPP_ADD(&prediction->chain_ticks, team->chain_ticks);
	OMPP_ADD(&prediction->locked_ticks, p->locked_ticks);
	OMPP_ADD(&prediction->n, 1);
	if ((p->sum.has_bound && !p->is_forest) || p->is_unknown)
		OMPP_ADD(&prediction->n_unlikely, 1);
	return 1;
}
