/*
 * NUMA objects: see numa_objects.h.
 */
#include "reports/placing/numa_objects.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/traffic.h"
#include "runtime/base/sort.h"
#include "runtime/ompp_mem.h"
#include "runtime/terms/served.h"

enum { PERCENT = 10000000, PAGE_BYTES = 4096 };
enum { MOSTLY = 90, LEAST_OF_REGION = 10 }; /* per cent */
enum { LEAST_OF_PARTS = 10 * PERCENT };     /* a thread that migrates also uses the parts of others */
enum { LEAST_GAIN = 3 * PERCENT };          /* what another layout must save to be worth a word */

/* Bound on what the far accesses to one page can cost: no access to another node's memory takes a microsecond longer
 * than one to near memory.  If their total is less than a thousandth of the run, there is nothing to gain. */
enum { MOST_FAR_NS = 1000, LEAST_OF_RUN = 1000, RARELY = 100 }; /* one store in so many accesses is none */

static int is_mostly(int64_t part, int64_t whole)
{
	return whole > 0 && ompp_share(part, whole) >= (int64_t)MOSTLY * PERCENT;
}

/* Returns the region of a use, by number + 1; 0 outside of all regions. */
static uint32_t region_of(const struct ompp_profile *p, const struct ompp_use *use)
{
	return use->node ? p->nodes[use->node].region + 1 : 0;
}

/* By object, and of each object by region. */
static int use_is_after(const void *profile, uint32_t x, uint32_t y)
{
	const struct ompp_profile *p = profile;
	const struct ompp_use *a = &p->uses[x], *b = &p->uses[y];
	uint32_t region_a = region_of(p, a), region_b = region_of(p, b);

	if (a->object != b->object)
		return a->object > b->object;
	return region_a != region_b ? region_a > region_b : x > y;
}

static uint32_t most_of(const int64_t *values, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++)
		best = values[i] > values[best] ? i : best;
	return best;
}

static int is_one_page(const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	int64_t lo = INT64_MAX, hi = 0;

	for (uint32_t i = 0; i < f->places.n; i++)
		if (o->hi[i]) {
			lo = o->lo[i] < lo ? o->lo[i] : lo;
			hi = o->hi[i] > hi ? o->hi[i] : hi;
		}
	return hi - lo < PAGE_BYTES;
}

/* Finds which part each place accesses in the region with most far accesses.  Only this region is looked at, as in
 * another one the parts may differ. */
static void note_extents(const struct ompp_numa_objects *f, struct ompp_numa_object *o, uint32_t from, uint32_t end)
{
	const struct ompp_profile *p = f->analysis->profile;

	for (uint32_t i = 0; i < f->places.n; i++) {
		o->lo[i] = INT64_MAX;
		o->hi[i] = 0;
	}
	for (uint32_t i = from; i < end; i++) {
		const struct ompp_use *use = &p->uses[f->order[i]];
		uint32_t at = ompp_place_from(&f->places, use);

		if (at == OMPP_NONE || region_of(p, use) != o->region + 1) /* OMPP_NONE + 1 is 0 */
			continue;
		o->region_stores = ompp_add(o->region_stores, use->sum.kind == OMPP_MEM_STORES ? use->sum.estimate : 0);
		if (!ompp_may_be_of_memory(use->sum.level))
			continue;
		o->lo[at] = use->lo < o->lo[at] ? use->lo : o->lo[at];
		o->hi[at] = use->hi > o->hi[at] ? use->hi : o->hi[at];
	}
}

static const struct ompp_first_touch *main_touch(const struct ompp_profile *p, uint32_t object)
{
	const struct ompp_first_touch *best = NULL;

	for (size_t i = 0; i < p->n_first_touches; i++)
		if (p->first_touches[i].object == object && (!best || p->first_touches[i].n_pages > best->n_pages))
			best = &p->first_touches[i];
	return best;
}

/* Finds the thread that makes most of the far accesses of the uses [from, end). */
static void find_most(const struct ompp_numa_objects *f, struct ompp_numa_object *o, uint32_t from, uint32_t end)
{
	const struct ompp_profile *p = f->analysis->profile;

	o->most = o->most_variance = 0;
	for (uint32_t i = from; i < end; i++) {
		const struct ompp_use *use = &p->uses[f->order[i]];

		if (f->by_row[use->row] > o->most) {
			o->most = f->by_row[use->row];
			o->most_variance = f->by_row_variance[use->row];
		}
		f->by_row[use->row] = f->by_row_variance[use->row] = 0; /* for the next object */
	}
}

/* Adds the uses [from, end) of one object up. */
static void sum_up(struct ompp_numa_objects *f, struct ompp_numa_object *o, uint32_t from, uint32_t end)
{
	const struct ompp_profile *p = f->analysis->profile;
	uint32_t n = f->places.n;

	memset(o->from, 0, n * sizeof(*o->from));
	memset(o->home, 0, n * sizeof(*o->home));
	memset(f->regions, 0, (p->n_regions + 1) * sizeof(*f->regions));
	for (uint32_t i = from; i < end; i++) {
		const struct ompp_use *use = &p->uses[f->order[i]];
		uint32_t at = ompp_place_from(&f->places, use), home = ompp_place_home(&f->places, use);

		o->all = ompp_add(o->all, use->sum.estimate);
		o->stores = ompp_add(o->stores, use->sum.kind == OMPP_MEM_STORES ? use->sum.estimate : 0);
		if (!ompp_may_be_of_memory(use->sum.level))
			continue;
		ompp_nearness_add(&o->sum, &f->places, use);
		if (at == OMPP_NONE || home == OMPP_NONE)
			continue;
		o->from[at] = ompp_add(o->from[at], use->sum.estimate);
		o->home[home] = ompp_add(o->home[home], use->sum.estimate);
		o->known = ompp_add(o->known, use->sum.estimate);
		if (at != home) {
			uint32_t region = region_of(p, use);

			f->regions[region] = ompp_add(f->regions[region], use->sum.estimate);
			f->by_row[use->row] = ompp_add(f->by_row[use->row], use->sum.estimate);
			f->by_row_variance[use->row] = ompp_add(f->by_row_variance[use->row], use->sum.variance);
		}
	}
	find_most(f, o, from, end);
	o->share = ompp_nearness_far(&o->sum, &o->error);
	o->user = most_of(o->from, n);
	o->holder = most_of(o->home, n);
	o->region = most_of(f->regions, (uint32_t)p->n_regions + 1) - 1; /* 0 - 1 is OMPP_NONE */
	note_extents(f, o, from, end);
	o->is_one_page = is_one_page(f, o);
}

/* Does one place use the object in each region that uses it much, but not the same place in all of them? */
static int is_in_turn(const struct ompp_numa_objects *f, const struct ompp_numa_object *o, uint32_t from, uint32_t end)
{
	const struct ompp_profile *p = f->analysis->profile;
	uint32_t users[2] = { OMPP_NONE, OMPP_NONE }, n = f->places.n;

	for (uint32_t i = from; i < end;) {
		uint32_t region = region_of(p, &p->uses[f->order[i]]), user;
		int64_t all = 0;

		memset(f->by_place, 0, n * sizeof(*f->by_place));
		for (; i < end && region_of(p, &p->uses[f->order[i]]) == region; i++) {
			const struct ompp_use *use = &p->uses[f->order[i]];
			uint32_t place = ompp_place_from(&f->places, use);

			if (place == OMPP_NONE || !ompp_may_be_of_memory(use->sum.level))
				continue;
			f->by_place[place] = ompp_add(f->by_place[place], use->sum.estimate);
			all = ompp_add(all, use->sum.estimate);
		}
		if (ompp_share(all, o->known) < (int64_t)LEAST_OF_REGION * PERCENT)
			continue;
		user = most_of(f->by_place, n);
		if (!is_mostly(f->by_place[user], all))
			return 0;
		users[users[0] != OMPP_NONE && users[0] != user] = user;
	}
	return users[1] != OMPP_NONE;
}

/* Do several nodes compete for one page?  Not if no far access writes it: then caches keep copies, and after each store
 * a thread misses the line once only.  Nor if all far accesses together cost less than the variation between runs.
 */
static int is_conflict(const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	int64_t missed = o->most < o->region_stores ? o->most : o->region_stores;

	return o->region_stores > o->most / RARELY && missed > f->analysis->measured_ns / MOST_FAR_NS / LEAST_OF_RUN;
}

/* Is a third of the accesses far wherever the memory is?  If not, one node makes most of the accesses, and turns do not
 * matter. */
static int stays_far(const struct ompp_choice *c)
{
	return c->best_placed == OMPP_N_WAYS || c->far[c->best_placed] >= (int64_t)100 * PERCENT / 3;
}

/* Returns how much less the best layout costs than the current one. */
static int64_t gain_of(const struct ompp_numa_objects *f, const struct ompp_numa_object *o, enum ompp_way way)
{
	const struct ompp_choice *c = &o->choice;
	int64_t load = ompp_share(o->home[o->holder], o->known);

	if (way == OMPP_N_WAYS || load == OMPP_MISSING)
		return 0;
	return ompp_placing_cost(o->share, load, f->places.n) -
	       ompp_placing_cost(c->far[way], c->most[way], f->places.n);
}

/* Returns the problem that this layout would solve, if it is better than the current one. */
static enum ompp_numa_problem problem_by(const struct ompp_numa_objects *f, const struct ompp_numa_object *o,
                                         enum ompp_way way)
{
	int64_t gain = gain_of(f, o, way);

	if (gain < LEAST_GAIN)
		return OMPP_NUMA_FINE;
	switch (way) {
	case OMPP_WAY_INTERLEAVE:
	case OMPP_WAY_COPIES:
		return OMPP_NUMA_SHARED;
	case OMPP_WAY_NODE:
		return OMPP_NUMA_ELSEWHERE;
	default:
		if (is_mostly(o->home[o->holder], o->known))
			return OMPP_NUMA_PARTS;
		return gain < LEAST_OF_PARTS ? OMPP_NUMA_FINE : OMPP_NUMA_SWAPPED;
	}
}

/* Returns the problem of an object that several nodes use, maybe in turn. */
static enum ompp_numa_problem problem_of_several(const struct ompp_numa_objects *f, const struct ompp_numa_object *o,
                                                 int is_turns)
{
	const struct ompp_choice *c = &o->choice;

	if ((is_turns && stays_far(c)) || (c->in_turn >= (int64_t)MOSTLY * PERCENT && c->best == OMPP_WAY_MOVE))
		return OMPP_NUMA_TURNS;
	return problem_by(f, o, c->best);
}

static enum ompp_numa_problem problem_of(struct ompp_numa_objects *f, struct ompp_numa_object *o, uint32_t from,
                                         uint32_t end)
{
	if (!ompp_placing_is_far(o->sum.near.n + o->sum.far.n, o->share, o->error, f->analysis->far_min))
		return OMPP_NUMA_FINE;
	f->rc = ompp_numa_choose(&f->places, o->index, f->order + from, end - from, &o->choice);
	if (f->rc)
		return OMPP_NUMA_FINE;
	o->is_chosen = 1;
	if (o->is_one_page) /* a single user keeps it in its caches */
		return is_conflict(f, o) && !is_mostly(o->from[o->user], o->known) ? OMPP_NUMA_PAGE : OMPP_NUMA_FINE;
	if (is_mostly(o->from[o->user], o->known)) /* one user makes most accesses throughout, so there are no turns */
		return problem_by(f, o, o->choice.best_placed);
	return problem_of_several(f, o, is_in_turn(f, o, from, end));
}

static int is_to_place(const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	const struct ompp_choice *c = &o->choice;

	if (!o->is_chosen || o->is_one_page || c->best_placed == OMPP_N_WAYS)
		return 0;
	return gain_of(f, o, c->best_placed) >= LEAST_GAIN;
}

const struct ompp_numa_object *ompp_numa_objects_next(struct ompp_numa_objects *f)
{
	const struct ompp_profile *p = f->analysis->profile;
	struct ompp_numa_object *o = &f->object;
	uint32_t from = f->next, end;

	while (from < p->n_uses && (p->uses[f->order[from]].object < OMPP_OBJECT_FIRST_NAMED ||
	                            !f->analysis->traffic->shown[p->uses[f->order[from]].object]))
		from++;
	if (from >= p->n_uses)
		return NULL;
	for (end = from; end < p->n_uses && p->uses[f->order[end]].object == p->uses[f->order[from]].object; end++)
		;
	f->next = end;
	*o = (struct ompp_numa_object){
		.index = p->uses[f->order[from]].object, .from = o->from, .home = o->home, .lo = o->lo, .hi = o->hi
	};
	sum_up(f, o, from, end);
	o->problem = problem_of(f, o, from, end);
	o->is_to_place = is_to_place(f, o);
	if (f->rc)
		return NULL;
	if (o->problem != OMPP_NUMA_FINE) {
		o->touch = main_touch(p, o->index);
		o->toucher = ompp_places_toucher(&f->places, f->order + from, end - from, 1);
	}
	return o;
}

int ompp_numa_objects_init(struct ompp_numa_objects *f, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t *places;
	uint32_t n;

	*f = (struct ompp_numa_objects){ .analysis = a };
	if (!p->n_uses || !a->traffic || p->n_uses > UINT32_MAX)
		return -ENOENT;
	if (ompp_places_init(&f->places, a))
		return -ENOMEM;
	n = f->places.n;
	if (f->places.kind == OMPP_PLACES_THREADS || n < 2)
		return -ENOENT;
	f->order = ompp_arena_alloc(a->arena, p->n_uses * sizeof(*f->order));
	f->regions = ompp_arena_alloc(a->arena, (p->n_regions + 1) * sizeof(*f->regions));
	places = ompp_arena_alloc(a->arena, 5 * (size_t)n * sizeof(*places));
	f->by_row = ompp_arena_alloc(a->arena, 2 * (p->n_rows + 1) * sizeof(*f->by_row));
	if (!f->order || !f->regions || !places || !f->by_row)
		return -ENOMEM;
	f->by_row_variance = f->by_row + p->n_rows + 1;
	memset(f->by_row, 0, 2 * (p->n_rows + 1) * sizeof(*f->by_row));
	f->by_place = places + 4 * (size_t)n;
	f->object = (struct ompp_numa_object){
		.from = places, .home = places + n, .lo = places + 2 * (size_t)n, .hi = places + 3 * (size_t)n
	};
	for (uint32_t i = 0; i < p->n_uses; i++) {
		f->order[i] = i;
		f->all = ompp_add(f->all, p->uses[i].sum.estimate);
		f->all_ticks = ompp_add(f->all_ticks, p->uses[i].sum.latency_ticks);
	}
	ompp_sort(f->order, p->n_uses, use_is_after, p);
	return 0;
}
