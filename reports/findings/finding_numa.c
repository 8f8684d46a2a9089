/*
 * Finding, NUMA: data whose memory is on other NUMA nodes than the threads that use it, and threads that move between
 * nodes.  The evidence is samples: a finding needs so many that its share of far accesses is above the threshold by two
 * standard errors.
 *
 *   used by one node, memory on another       MemoryOnAnotherNode
 *
 *   in each region by one node, other ones    UsedByNodesInTurn
 *
 *   by several nodes, memory on one           MemoryOnOneNode
 *
 *   by several nodes, one page for all        PageSharedByNodes
 *
 *   each node its part, memory elsewhere      PartsOnOtherNodes
 *
 * Where all nodes use all parts of what is spread over the nodes, nothing is to be won, and nothing is found.
 */
#include "reports/findings/finding.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/analysis/places.h"
#include "reports/analysis/sample_stats.h"
#include "reports/analysis/traffic.h"
#include "runtime/base/clean.h"
#include "runtime/base/sort.h"
#include "runtime/ompp_mem.h"

enum { LEAST_SAMPLES = 100, LEAST_MOVES = 5, NAME_BYTES = 200, PERCENT = 10000000 };
enum { PAGE_BYTES = 4096 };
enum { MOSTLY = 90, NO_MORE_STORES = 10, LEAST_OF_REGION = 10 }; /* per cent */

/* What is known of one object. */
struct object {
	uint32_t index;
	struct ompp_sampled_sum *matrix; /* [from * n + home] */
	int64_t *from, *home;            /* accesses, by place */
	int64_t known;                   /* their sum */
	struct ompp_nearness sum;
	int64_t stores, all;
	int64_t share, error;                 /* of far accesses */
	uint32_t user, holder;                /* the places with most accesses, and with most accessed memory */
	uint32_t region;                      /* with most far accesses; OMPP_NONE for outside of all regions */
	const struct ompp_first_touch *touch; /* where most pages of the object were touched first; or NULL */
	const struct ompp_use *toucher;       /* of pages that most of the far accesses are to; or NULL */
	int is_apart;    /* 1 when each place accesses a part of its own, as far as pages can tell */
	int is_one_page; /* 1 when all that is accessed lies within the size of one page */
};

struct finder {
	struct ompp_finder *finder;
	const struct ompp_analysis *a;
	struct ompp_places places;
	int64_t all;       /* accesses of all samples */
	int64_t all_ticks; /* their latency */
	uint32_t *order;   /* uses by object */
	int64_t *lo, *hi;  /* by place: addresses that it accesses in one region; hi is 0 for none */
	int64_t *regions;  /* by region + 1 */
};

static int is_mostly(int64_t part, int64_t whole)
{
	return whole > 0 && ompp_share(part, whole) >= (int64_t)MOSTLY * PERCENT;
}

static int use_is_after(const void *uses, uint32_t x, uint32_t y)
{
	const struct ompp_use *u = uses;

	return u[x].object != u[y].object ? u[x].object > u[y].object : x > y;
}

static uint32_t most_of(const int64_t *values, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++)
		best = values[i] > values[best] ? i : best;
	return best;
}

/* ---- what is known of an object ---- */

/* Do the parts that the places access lie apart?  Two may have a page in common at their edges. */
static int are_apart(const struct finder *f)
{
	for (uint32_t i = 0; i < f->places.n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (f->hi[i] && f->hi[k] && f->lo[i] + PAGE_BYTES < f->hi[k] &&
			    f->lo[k] + PAGE_BYTES < f->hi[i])
				return 0;
	return 1;
}

static int is_one_page(const struct finder *f)
{
	int64_t lo = INT64_MAX, hi = 0;

	for (uint32_t i = 0; i < f->places.n; i++)
		if (f->hi[i]) {
			lo = f->lo[i] < lo ? f->lo[i] : lo;
			hi = f->hi[i] > hi ? f->hi[i] : hi;
		}
	return hi - lo < PAGE_BYTES;
}

/* Finds which part each place accesses in the region with most far accesses: another region may have other parts. */
static void note_extents(struct finder *f, const struct object *o, uint32_t from, uint32_t end)
{
	const struct ompp_profile *p = f->a->profile;

	for (uint32_t i = 0; i < f->places.n; i++) {
		f->lo[i] = INT64_MAX;
		f->hi[i] = 0;
	}
	for (uint32_t i = from; i < end; i++) {
		const struct ompp_use *use = &p->uses[f->order[i]];
		uint32_t at = ompp_place_from(&f->places, use);

		if (at == OMPP_NONE || p->nodes[use->node].region != o->region)
			continue;
		f->lo[at] = use->lo < f->lo[at] ? use->lo : f->lo[at];
		f->hi[at] = use->hi > f->hi[at] ? use->hi : f->hi[at];
	}
}

/* Returns a use of pages that were touched first where most of the far ones were; NULL when that is not known of half
 * of them. */
static const struct ompp_use *main_toucher(const struct finder *f, const struct object *o, uint32_t from, uint32_t end)
{
	enum { MOST_TOUCHERS = 64 };
	const struct ompp_use *touchers[MOST_TOUCHERS];
	int64_t sums[MOST_TOUCHERS];
	uint32_t n = 0, best = 0;

	for (uint32_t i = from; i < end; i++) {
		const struct ompp_use *use = &f->a->profile->uses[f->order[i]];
		uint32_t k = 0;

		if (use->toucher == OMPP_NONE || use->touched_at == OMPP_NONE ||
		    ompp_place_from(&f->places, use) == ompp_place_home(&f->places, use))
			continue;
		while (k < n && (touchers[k]->toucher != use->toucher || touchers[k]->touched_at != use->touched_at))
			k++;
		if (k == MOST_TOUCHERS)
			continue;
		sums[k] = k < n ? ompp_add(sums[k], use->sum.estimate) : use->sum.estimate;
		touchers[k] = use;
		n += k == n;
		best = sums[k] > sums[best] ? k : best;
	}
	return n && sums[best] > o->sum.far.estimate / 2 ? touchers[best] : NULL;
}

static const struct ompp_first_touch *main_touch(const struct ompp_profile *p, uint32_t object)
{
	const struct ompp_first_touch *best = NULL;

	for (size_t i = 0; i < p->n_first_touches; i++)
		if (p->first_touches[i].object == object && (!best || p->first_touches[i].n_pages > best->n_pages))
			best = &p->first_touches[i];
	return best;
}

/* Adds the uses [from, end) of one object up. */
static void sum_up(struct finder *f, struct object *o, uint32_t from, uint32_t end)
{
	const struct ompp_profile *p = f->a->profile;
	uint32_t n = f->places.n;

	memset(o->matrix, 0, (size_t)n * n * sizeof(*o->matrix));
	memset(o->from, 0, n * sizeof(*o->from));
	memset(o->home, 0, n * sizeof(*o->home));
	memset(f->regions, 0, (p->n_regions + 1) * sizeof(*f->regions));
	for (uint32_t i = from; i < end; i++) {
		const struct ompp_use *use = &p->uses[f->order[i]];
		uint32_t at = ompp_place_from(&f->places, use), home = ompp_place_home(&f->places, use);

		ompp_nearness_add(&o->sum, &f->places, use);
		o->all = ompp_add(o->all, use->sum.estimate);
		o->stores = ompp_add(o->stores, use->sum.kind == OMPP_MEM_STORES ? use->sum.estimate : 0);
		if (at == OMPP_NONE || home == OMPP_NONE)
			continue;
		ompp_sampled_add(&o->matrix[(size_t)at * n + home], &use->sum);
		o->from[at] = ompp_add(o->from[at], use->sum.estimate);
		o->home[home] = ompp_add(o->home[home], use->sum.estimate);
		o->known = ompp_add(o->known, use->sum.estimate);
		if (at != home) {
			uint32_t region = use->node ? p->nodes[use->node].region + 1 : 0;

			f->regions[region] = ompp_add(f->regions[region], use->sum.estimate);
		}
	}
	o->share = ompp_nearness_far(&o->sum, &o->error);
	o->user = most_of(o->from, n);
	o->holder = most_of(o->home, n);
	o->region = most_of(f->regions, (uint32_t)p->n_regions + 1) - 1; /* 0 - 1 is OMPP_NONE */
	o->touch = main_touch(p, o->index);
	o->toucher = main_toucher(f, o, from, end);
	note_extents(f, o, from, end);
	o->is_one_page = is_one_page(f);
	o->is_apart = !o->is_one_page && are_apart(f);
}

/* ---- sentences ---- */

static void put_name(struct ompp_text *t, const struct finder *f, uint32_t object)
{
	const char *name = ompp_clean_copy(f->a->profile->objects[object].name, 0, f->a->arena);

	ompp_text_strn(t, name ? name : "", strnlen(name ? name : "", NAME_BYTES));
}

/* "75.0 +- 0.4 %" */
static void put_share(struct ompp_text *t, int64_t share, int64_t error)
{
	ompp_text_fixed(t, share, 7, 1);
	ompp_text_str(t, " +- ");
	ompp_text_fixed(t, error < PERCENT / 10 ? PERCENT / 10 : error, 7, 1);
	ompp_text_str(t, " %");
}

/* "R00002 a.c (3-9)", "the serial part" */
static void put_region(struct ompp_text *t, const struct finder *f, uint32_t region)
{
	const char *label = region == OMPP_NONE ? "the serial part"
	                                        : ompp_region_label(f->a, &f->a->profile->regions[region]);

	ompp_text_str(t, label ? label : "");
}

static void put_toucher(struct ompp_text *t, const struct finder *f, const struct object *o)
{
	const struct ompp_profile *p = f->a->profile;

	if (!o->toucher)
		return;
	ompp_text_str(t, " Thread ");
	ompp_text_str(t, p->rows[ompp_thread_row(p, o->toucher->toucher)].label);
	ompp_text_str(t, " touched most of these pages first, in ");
	put_region(t, f, o->toucher->touched_at ? p->nodes[o->toucher->touched_at].region : OMPP_NONE);
	ompp_text_char(t, '.');
}

static void put_touch(struct ompp_text *t, const struct finder *f, const struct object *o)
{
	const struct ompp_profile *p = f->a->profile;
	const struct ompp_first_touch *touch = o->touch;
	const char *base;

	if (!touch) { /* its pages had no name yet */
		put_toucher(t, f, o);
		return;
	}
	base = strrchr(touch->file, '/');
	ompp_text_str(t, " Thread ");
	ompp_text_str(t, p->rows[ompp_thread_row(p, touch->row)].label);
	ompp_text_str(t, " touched ");
	ompp_text_grouped(t, ompp_count(touch->n_pages));
	ompp_text_str(t, touch->n_pages == 1 ? " page first in " : " pages first in ");
	put_region(t, f, touch->node ? p->nodes[touch->node].region : OMPP_NONE);
	if (touch->line) {
		const char *file = ompp_clean_copy(base ? base + 1 : touch->file, 0, f->a->arena);

		ompp_text_str(t, ", ");
		ompp_text_strn(t, file ? file : "", strnlen(file ? file : "", NAME_BYTES));
		ompp_text_char(t, ':');
		ompp_text_u64(t, touch->line);
	}
	ompp_text_char(t, '.');
}

/* What far accesses took longer than near ones, of the latency of all samples. */
static void put_latency(struct ompp_text *t, const struct finder *f, const struct object *o)
{
	const struct ompp_sampled_sum *near = &o->sum.near, *far = &o->sum.far;
	int64_t near_mean = ompp_sampled_mean(near), far_mean = ompp_sampled_mean(far);
	int64_t near_error = ompp_sampled_mean_error(near), far_error = ompp_sampled_mean_error(far), error, share;

	if (far->n_timed < OMPP_LEAST_SAMPLES || near->n_timed < OMPP_LEAST_SAMPLES || near_error == OMPP_MISSING ||
	    far_error == OMPP_MISSING || f->places.kind != OMPP_PLACES_NODES) {
		ompp_text_str(t, " How much time that takes is not known.");
		return;
	}
	error = (int64_t)ompp_root((unsigned __int128)near_error * (unsigned __int128)near_error +
	                           (unsigned __int128)far_error * (unsigned __int128)far_error);
	ompp_text_str(t, " Far accesses took ");
	ompp_text_fixed(t, far_mean, 3, 1);
	ompp_text_str(t, " +- ");
	ompp_text_fixed(t, far_error, 3, 1);
	ompp_text_char(t, ' ');
	ompp_text_str(t, f->a->profile->sample_latencies);
	ompp_text_str(t, ", near ones ");
	ompp_text_fixed(t, near_mean, 3, 1);
	ompp_text_str(t, " +- ");
	ompp_text_fixed(t, near_error, 3, 1);
	if (far_mean - near_mean <= 2 * error) {
		ompp_text_str(t, ": no difference that is sure.");
		return;
	}
	share = ompp_share((int64_t)((__int128)(far_mean - near_mean) * (int64_t)far->n_timed / 1000), f->all_ticks);
	ompp_text_str(t, ": the difference is ");
	put_share(t, share, ompp_share((int64_t)((__int128)error * (int64_t)far->n_timed / 1000), f->all_ticks));
	ompp_text_str(t, " of the latency of all samples.");
}

/* "one: 75.0 +- 0.4 % of 2 200 sampled accesses (far) are to other nodes' memory" and so on. */
static void say(struct ompp_text *t, const struct finder *f, const struct object *o, const char *how)
{
	ompp_say_start(t, f->a->arena);
	put_name(t, f, o->index);
	ompp_text_str(t, ": ");
	put_share(t, o->share, o->error);
	ompp_text_str(t, " of its accesses are far, to another NUMA node's memory (");
	ompp_text_grouped(t, ompp_count(o->sum.near.n + o->sum.far.n));
	ompp_text_str(t, f->places.kind == OMPP_PLACES_EMULATED ? " samples, modelled). " : " samples). ");
	ompp_text_str(t, how);
	put_touch(t, f, o);
	if (o->region != OMPP_NONE) {
		ompp_text_str(t, " Most far accesses are in ");
		put_region(t, f, o->region);
		ompp_text_char(t, '.');
	}
	put_latency(t, f, o);
}

static void put_finding(const struct finder *f, const struct object *o, const char *name, const char *how,
                        const char *advice)
{
	struct ompp_text t;

	say(&t, f, o, how);
	ompp_find_counted(f->finder, &(struct ompp_finding){ .name = name,
	                                                     .region = o->region,
	                                                     .weight = ompp_share(o->sum.far.estimate, f->all),
	                                                     .evidence = t.data,
	                                                     .advice = advice });
}

/* Returns "Node 0 uses it, node 1 has it." */
static const char *pair(const struct finder *f, uint32_t user, uint32_t holder)
{
	const char *a = ompp_place_name(&f->places, user), *b = ompp_place_name(&f->places, holder);
	struct ompp_text t;

	ompp_say_start(&t, f->a->arena);
	ompp_text_str(&t, "Mostly ");
	ompp_text_str(&t, a ? a : "");
	ompp_text_str(&t, " uses it, and ");
	ompp_text_str(&t, b ? b : "");
	ompp_text_str(&t, " has it.");
	return t.data;
}

static const char *holder_text(const struct finder *f, const struct object *o, const char *use)
{
	const char *name = ompp_place_name(&f->places, o->holder);
	struct ompp_text t;

	ompp_say_start(&t, f->a->arena);
	ompp_text_str(&t, "Its memory is on ");
	ompp_text_str(&t, name ? name : "");
	ompp_text_str(&t, ", and ");
	ompp_text_str(&t, use);
	return t.data;
}

/* ---- what is found ---- */

/* Is the object used by one place in each region that uses it much, but not by the same one? */
static int is_in_turn(const struct finder *f, const struct object *o, uint32_t from, uint32_t end)
{
	const struct ompp_profile *p = f->a->profile;
	uint32_t users[2] = { OMPP_NONE, OMPP_NONE };

	for (uint32_t i = from; i < end; i++) {
		const struct ompp_use *first = &p->uses[f->order[i]];
		int64_t all = 0, best = 0;
		uint32_t user = OMPP_NONE;

		for (uint32_t place = 0; place < f->places.n; place++) {
			int64_t of_place = 0;

			for (uint32_t k = from; k < end; k++) {
				const struct ompp_use *use = &p->uses[f->order[k]];

				if (p->nodes[use->node].region == p->nodes[first->node].region &&
				    ompp_place_from(&f->places, use) == place)
					of_place = ompp_add(of_place, use->sum.estimate);
			}
			all = ompp_add(all, of_place);
			user = of_place > best ? place : user;
			best = of_place > best ? of_place : best;
		}
		if (ompp_share(all, o->known) < (int64_t)LEAST_OF_REGION * PERCENT)
			continue;
		if (!is_mostly(best, all))
			return 0;
		if (users[0] == OMPP_NONE || users[0] == user)
			users[0] = user;
		else
			users[1] = user;
	}
	return users[1] != OMPP_NONE;
}

static void find_shared(const struct finder *f, const struct object *o)
{
	int is_read = ompp_share(o->stores, o->all) < (int64_t)NO_MORE_STORES * PERCENT;

	if (o->is_one_page)
		put_finding(f, o, "PageSharedByNodes",
		            holder_text(f, o, "several nodes use it; it has no more than a page."),
		            "A page is on one node. Give each thread a page or a variable of its own, and bring the "
		            "results "
		            "together at the end: a reduction, private copies, padding to whole pages.");
	else if (o->is_apart)
		put_finding(f, o, "MemoryOnOneNode", holder_text(f, o, "each node uses a part of its own."),
		            "Let each thread touch first what it uses: initialise it in a parallel for with the "
		            "schedule "
		            "of the loop that uses it, and bind the threads (OMP_PROC_BIND=close).");
	else if (is_read)
		put_finding(f, o, "MemoryOnOneNode", holder_text(f, o, "all nodes read it, and hardly any write."),
		            "Keep a copy on each node that its threads read, or spread the pages over the nodes: "
		            "numa_alloc_interleaved(), or numactl --interleave=all for the whole program.");
	else
		put_finding(f, o, "MemoryOnOneNode", holder_text(f, o, "several nodes use the same parts of it."),
		            "Spread its pages over the nodes, so that no single one serves all: "
		            "numa_alloc_interleaved(), or initialise it in a parallel loop. What each thread sums up "
		            "for itself keep in variables of its own.");
}

static void find_object(const struct finder *f, const struct object *o, uint32_t from, uint32_t end)
{
	if (o->sum.near.n + o->sum.far.n < LEAST_SAMPLES || o->share == OMPP_MISSING || o->error == OMPP_MISSING ||
	    o->share - 2 * o->error < f->a->far_min)
		return;
	if (is_mostly(o->from[o->user], o->known)) {
		if (o->user != o->holder)
			put_finding(f, o, "MemoryOnAnotherNode", pair(f, o->user, o->holder),
			            "Allocate and initialise it in the threads that use it: the first write of a page "
			            "decides where it is. Else move it there: numa_alloc_onnode(), move_pages().");
		return;
	}
	if (is_in_turn(f, o, from, end)) {
		put_finding(f, o, "UsedByNodesInTurn", "One node after another uses it, each in regions of its own.",
		            "Let the threads of one node do all that uses it (OMP_PROC_BIND, the same schedule), or "
		            "move "
		            "its pages before the next node begins: move_pages().");
		return;
	}
	if (is_mostly(o->home[o->holder], o->known))
		find_shared(f, o);
	else if (o->is_apart)
		put_finding(f, o, "PartsOnOtherNodes",
		            "Each node uses a part of its own, but the memory of many parts is on other nodes.",
		            "Initialise it in a parallel for with the schedule of the loop that uses it; a dynamic "
		            "schedule gives each thread other parts each time.");
}

static void find_objects(struct finder *f)
{
	const struct ompp_profile *p = f->a->profile;
	uint32_t n = f->places.n;
	struct object o;
	struct ompp_sampled_sum *matrix = ompp_arena_alloc(f->a->arena, (size_t)n * n * sizeof(*matrix));
	int64_t *places = ompp_arena_alloc(f->a->arena, 2 * (size_t)n * sizeof(*places));

	if (!matrix || !places) {
		f->finder->rc = -ENOMEM;
		return;
	}
	for (uint32_t i = 0, end; i < p->n_uses; i = end) {
		uint32_t object = p->uses[f->order[i]].object;

		for (end = i; end < p->n_uses && p->uses[f->order[end]].object == object; end++)
			;
		if (object < OMPP_OBJECT_FIRST_NAMED || !f->a->traffic->shown[object])
			continue;
		o = (struct object){ .index = object, .matrix = matrix, .from = places, .home = places + n };
		sum_up(f, &o, i, end);
		find_object(f, &o, i, end);
	}
}

static void find_moves(const struct finder *f)
{
	const struct ompp_profile *p = f->a->profile;
	uint64_t n_moves = 0, n_looks = 0;
	uint32_t n_threads = 0;
	struct ompp_text t;

	for (size_t i = 0; i < p->n_bindings; i++) {
		n_moves += p->bindings[i].n_node_moves;
		n_looks += p->bindings[i].n_looks;
		n_threads += p->bindings[i].n_node_moves > 0;
	}
	if (n_moves < LEAST_MOVES)
		return;
	ompp_say_start(&t, f->a->arena);
	ompp_say_count(&t, n_threads, "thread");
	ompp_text_str(&t, n_threads == 1 ? " was" : " were");
	ompp_text_str(&t, " found on another NUMA node than before ");
	ompp_say_count(&t, n_moves, "time");
	ompp_text_str(&t, ", in ");
	ompp_say_count(&t, n_looks, "sample");
	ompp_text_str(&t, ". What they touched first stays where they were.");
	ompp_find_counted(f->finder, &(struct ompp_finding){
					     .name = "ThreadsMoveBetweenNodes",
					     .region = OMPP_NONE,
					     .weight = ompp_share(ompp_count(n_moves), ompp_count(n_looks)),
					     .evidence = t.data,
					     .advice = "Bind the threads: OMP_PROC_BIND=close OMP_PLACES=cores, or "
						       "the clause proc_bind." });
}

void ompp_find_numa(struct ompp_finder *finder)
{
	const struct ompp_analysis *a = finder->analysis;
	const struct ompp_profile *p = a->profile;
	struct finder f = { .finder = finder, .a = a };

	if (!p->n_uses || !a->traffic || p->n_uses > UINT32_MAX)
		return;
	if (ompp_places_init(&f.places, a)) {
		finder->rc = -ENOMEM;
		return;
	}
	if (f.places.kind == OMPP_PLACES_THREADS || f.places.n < 2)
		return;
	f.order = ompp_arena_alloc(a->arena, p->n_uses * sizeof(*f.order));
	f.lo = ompp_arena_alloc(a->arena, 2 * f.places.n * sizeof(*f.lo));
	f.regions = ompp_arena_alloc(a->arena, (p->n_regions + 1) * sizeof(*f.regions));
	if (!f.order || !f.lo || !f.regions) {
		finder->rc = -ENOMEM;
		return;
	}
	f.hi = f.lo + f.places.n;
	for (uint32_t i = 0; i < p->n_uses; i++) {
		f.order[i] = i;
		f.all = ompp_add(f.all, p->uses[i].sum.estimate);
		f.all_ticks = ompp_add(f.all_ticks, p->uses[i].sum.latency_ticks);
	}
	ompp_sort(f.order, p->n_uses, use_is_after, p->uses);
	find_objects(&f);
	if (f.places.kind == OMPP_PLACES_NODES)
		find_moves(&f);
}
