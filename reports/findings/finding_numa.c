/*
 * Finding, NUMA: data whose memory is on other NUMA nodes than the threads that use it (analysis/numa_objects.h), and
 * threads that move between nodes.
 */
#include "reports/findings/finding.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/analysis/sample_stats.h"
#include "reports/findings/smalls.h"
#include "reports/placing/numa_objects.h"
#include "runtime/base/clean.h"

enum { LEAST_MOVES = 5, NAME_BYTES = 200, PERCENT = 10000000 };
enum { NO_MORE_STORES = 10 }; /* per cent of stores: data with fewer is mostly read */
enum { LONGEST_HOW = 40 };    /* bytes: longest text of a layout that a sentence repeats */

/* ---- sentences ---- */

/* "75.0 +- 0.4 %" */
static void put_share(struct ompp_text *t, int64_t share, int64_t error)
{
	ompp_text_fixed(t, share, 7, 1);
	ompp_text_str(t, " +- ");
	ompp_text_fixed(t, error < PERCENT / 10 ? PERCENT / 10 : error, 7, 1);
	ompp_text_str(t, " %");
}

/* "75.0 %", or with its error as above; a share above 1 is "over 100 %". */
static void put_expected(struct ompp_text *t, int64_t share, int64_t error)
{
	if (share > 100 * (int64_t)PERCENT) {
		ompp_text_str(t, "over 100 %");
	} else if (error > 0) {
		put_share(t, share, error);
	} else {
		ompp_text_fixed(t, share, 7, 1);
		ompp_text_str(t, " %");
	}
}

/* "R00002 a.c (3-9)", "the serial part" */
static void put_region(struct ompp_text *t, const struct ompp_numa_objects *f, uint32_t region)
{
	const char *label = region == OMPP_NONE
	                          ? "the serial part"
	                          : ompp_region_label(f->analysis, &f->analysis->profile->regions[region]);

	ompp_text_str(t, label ? label : "");
}

static void put_toucher(struct ompp_text *t, const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	const struct ompp_profile *p = f->analysis->profile;

	if (!o->toucher)
		return;
	ompp_text_str(t, " Thread ");
	ompp_text_str(t, p->rows[ompp_thread_row(p, o->toucher->toucher)].label);
	ompp_text_str(t, " touched most of these pages first, in ");
	put_region(t, f, o->toucher->touched_at ? p->nodes[o->toucher->touched_at].region : OMPP_NONE);
	ompp_text_char(t, '.');
}

static void put_touch(struct ompp_text *t, const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	const struct ompp_profile *p = f->analysis->profile;
	const struct ompp_first_touch *touch = o->touch;
	const char *base;

	if (!touch) { /* the pages were touched before they belonged to a named object */
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
		const char *file = ompp_clean_copy(base ? base + 1 : touch->file, 0, f->analysis->arena);

		ompp_text_str(t, ", ");
		ompp_text_strn(t, file ? file : "", strnlen(file ? file : "", NAME_BYTES));
		ompp_text_char(t, ':');
		ompp_text_u64(t, touch->line);
	}
	ompp_text_char(t, '.');
}

/* How much longer a far access takes than a near one: in thousandths of ticks, sampled. */
struct farness {
	int64_t far, far_error, near, near_error; /* means */
	int64_t more, error;                      /* their difference */
	int is_sure;                              /* by two standard errors */
};

static int64_t root_of_squares(int64_t a, int64_t b)
{
	return (int64_t)ompp_root((unsigned __int128)((__int128)a * a) + (unsigned __int128)((__int128)b * b));
}

/* Returns 1 when it is known. */
static int farness_of(struct farness *d, const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	const struct ompp_sampled_sum *near = &o->sum.near, *far = &o->sum.far;

	d->near = ompp_sampled_mean(near);
	d->far = ompp_sampled_mean(far);
	d->near_error = ompp_sampled_mean_error(near);
	d->far_error = ompp_sampled_mean_error(far);
	if (far->n_timed < OMPP_LEAST_SAMPLES || near->n_timed < OMPP_LEAST_SAMPLES || d->near_error == OMPP_MISSING ||
	    d->far_error == OMPP_MISSING || f->places.kind != OMPP_PLACES_NODES)
		return 0;
	d->more = d->far - d->near;
	d->error = root_of_squares(d->near_error, d->far_error);
	d->is_sure = d->more > 2 * d->error;
	return 1;
}

/* Returns an upper bound of how much shorter the run would be if all far accesses were near, and its standard error:
 * the extra latency of the thread with most far accesses, assuming that no two of its accesses overlap.  OMPP_MISSING
 * where the length of a tick is not known. */
static int64_t gain_of(const struct farness *d, const struct ompp_numa_objects *f, const struct ompp_numa_object *o,
                       int64_t *error)
{
	uint32_t tick_fs = f->analysis->profile->sample_tick_fs;
	int64_t most_error = (int64_t)ompp_root((unsigned __int128)o->most_variance);
	__int128 ns = (__int128)o->most * d->more / 1000 * tick_fs / 1000000;

	if (!tick_fs || ns > INT64_MAX / 2)
		return OMPP_MISSING;
	*error = root_of_squares((int64_t)((__int128)o->most * d->error / 1000 * tick_fs / 1000000),
	                         (int64_t)((__int128)most_error * d->more / 1000 * tick_fs / 1000000));
	return (int64_t)ns;
}

static void put_mean(struct ompp_text *t, int64_t mean, int64_t error)
{
	ompp_text_fixed(t, mean, 3, 1);
	ompp_text_str(t, " +- ");
	ompp_text_fixed(t, error, 3, 1);
}

/* Says how much longer far accesses took than near ones, as a share of the latency of all samples and of the run.
 * Returns the upper bound of the gain; OMPP_MISSING when it is not known. */
static int64_t put_latency(struct ompp_text *t, const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	int64_t n_timed = (int64_t)o->sum.far.n_timed, gain_ns, error_ns;
	struct farness d;

	if (!farness_of(&d, f, o)) {
		ompp_text_str(t, " How much time that takes is not known.");
		return OMPP_MISSING;
	}
	ompp_text_str(t, " Far accesses took ");
	put_mean(t, d.far, d.far_error);
	ompp_text_char(t, ' ');
	ompp_text_str(t, f->analysis->profile->sample_latencies);
	ompp_text_str(t, ", near ones ");
	put_mean(t, d.near, d.near_error);
	if (!d.is_sure) {
		ompp_text_str(t, ": no significant difference.");
		return OMPP_MISSING;
	}
	ompp_text_str(t, ": the difference is ");
	put_share(t, ompp_share((int64_t)((__int128)d.more * n_timed / 1000), f->all_ticks),
	          ompp_share((int64_t)((__int128)d.error * n_timed / 1000), f->all_ticks));
	ompp_text_str(t, " of the latency of all samples");
	gain_ns = gain_of(&d, f, o, &error_ns);
	if (gain_ns == OMPP_MISSING) {
		ompp_text_char(t, '.');
		return OMPP_MISSING;
	}
	ompp_text_str(t, ", at most ");
	put_share(t, ompp_share(gain_ns, f->analysis->measured_ns), ompp_share(error_ns, f->analysis->measured_ns));
	ompp_text_str(t, " of the run of the thread that makes most of them (accesses may overlap).");
	return gain_ns;
}

/* Says what share of accesses would be far with each layout, the best layout first. */
static void put_choice(struct ompp_text *t, const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	const struct ompp_choice *c = &o->choice;
	int n = 0;

	if (c->best == OMPP_N_WAYS)
		return;
	ompp_text_str(t, " With other placements of its memory, these shares of its accesses would be far: ");
	for (int i = -1; i < OMPP_N_WAYS; i++) {
		enum ompp_way way = i < 0 ? c->best : (enum ompp_way)i;
		const char *how = ompp_placing_text(c, way, f->places.numbers, f->analysis->arena);

		if (c->far[way] == OMPP_MISSING || (i >= 0 && way == c->best))
			continue;
		ompp_text_str(t, n++ ? ", " : "");
		ompp_text_str(t, how && strlen(how) <= LONGEST_HOW ? how : ompp_placing_name(way));
		ompp_text_char(t, ' ');
		put_expected(t, c->far[way], c->error[way]);
		ompp_text_str(t, n == 1 ? " (the best)" : "");
	}
	ompp_text_char(t, '.');
}

/* "one: 75.0 +- 0.4 % of 2 200 sampled accesses (far) are to other nodes' memory" and so on.  Returns the gain. */
static int64_t finding_numa_say(struct ompp_text *t, const struct ompp_numa_objects *f,
                                const struct ompp_numa_object *o, const char *how)
{
	int is_page = o->problem == OMPP_NUMA_PAGE;
	struct ompp_smalls smalls;

	ompp_smalls_find(&smalls, &f->places, o->index, o->region, !is_page);
	ompp_say_start_long(t, f->analysis->arena);
	ompp_smalls_say(t, &smalls);
	ompp_text_str(t, ": ");
	put_share(t, o->share, o->error);
	ompp_text_str(t, " of its accesses are far, to another NUMA node's memory (");
	ompp_text_grouped(t, ompp_count(o->sum.near.n + o->sum.far.n));
	ompp_text_str(t, f->places.kind == OMPP_PLACES_EMULATED ? " samples, modelled). " : " samples). ");
	ompp_text_str(t, how);
	ompp_smalls_say_shares(t, &smalls, is_page ? "accesses there" : "far accesses");
	put_touch(t, f, o);
	if (o->region != OMPP_NONE) {
		ompp_text_str(t, " Most far accesses are in ");
		put_region(t, f, o->region);
		ompp_text_char(t, '.');
	}
	put_choice(t, f, o);
	return put_latency(t, f, o);
}

static void put_finding(struct ompp_finder *finder, const struct ompp_numa_objects *f, const struct ompp_numa_object *o,
                        const char *name, const char *how, const char *advice)
{
	struct ompp_text t;
	int64_t gain_ns = finding_numa_say(&t, f, o, how);

	ompp_find_counted(finder, &(struct ompp_finding){ .name = name,
	                                                  .region = o->region,
	                                                  .object = ompp_finding_object(finder->analysis, o->index),
	                                                  .weight = ompp_share(o->sum.far.estimate, f->all),
	                                                  .gain_ns = gain_ns,
	                                                  .evidence = t.data,
	                                                  .advice = advice });
}

/* Returns "Node 0 uses it, node 1 has it." */
static const char *finding_numa_pair(const struct ompp_numa_objects *f, uint32_t user, uint32_t holder)
{
	const char *a = ompp_place_name(&f->places, user), *b = ompp_place_name(&f->places, holder);
	struct ompp_text t;

	ompp_say_start(&t, f->analysis->arena);
	ompp_text_str(&t, "Mostly ");
	ompp_text_str(&t, a ? a : "");
	ompp_text_str(&t, " uses it, and ");
	ompp_text_str(&t, b ? b : "");
	ompp_text_str(&t, " has it.");
	return t.data;
}

static const char *holder_text(const struct ompp_numa_objects *f, const struct ompp_numa_object *o, const char *use)
{
	const char *name = ompp_place_name(&f->places, o->holder);
	struct ompp_text t;

	ompp_say_start(&t, f->analysis->arena);
	ompp_text_str(&t, "Its memory is on ");
	ompp_text_str(&t, name ? name : "");
	ompp_text_str(&t, ", and ");
	ompp_text_str(&t, use);
	return t.data;
}

/* ---- what is found ---- */

static void find_shared(struct ompp_finder *finder, const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	if (ompp_share(o->stores, o->all) < (int64_t)NO_MORE_STORES * PERCENT)
		put_finding(finder, f, o, "MemoryOnOneNode",
		            holder_text(f, o, "all nodes read it, and hardly any write."),
		            "Keep a copy on each node that its threads read, or spread the pages over the nodes: "
		            "numa_alloc_interleaved(), or numactl --interleave=all for the whole program.");
	else
		put_finding(finder, f, o, "MemoryOnOneNode",
		            holder_text(f, o, "several nodes use the same parts of it."),
		            "Spread its pages over the nodes, so that no single one serves all: "
		            "numa_alloc_interleaved(), or initialise it in a parallel loop. What each thread sums up "
		            "for itself keep in variables of its own.");
}

static void find_object(struct ompp_finder *finder, const struct ompp_numa_objects *f, const struct ompp_numa_object *o)
{
	switch (o->problem) {
	case OMPP_NUMA_FINE:
		break;
	case OMPP_NUMA_ELSEWHERE:
		put_finding(finder, f, o, "MemoryOnAnotherNode", finding_numa_pair(f, o->user, o->holder),
		            "Allocate and initialise it in the threads that use it: the first write of a page "
		            "decides where it is. Else move it there: numa_alloc_onnode(), move_pages().");
		break;
	case OMPP_NUMA_TURNS:
		put_finding(finder, f, o, "UsedByNodesInTurn",
		            "The nodes use it in turn, each in other regions or at other times.",
		            "Let the threads of one node do all that uses it (OMP_PROC_BIND, the same schedule), or "
		            "move its pages before the next node begins: move_pages().");
		break;
	case OMPP_NUMA_PAGE:
		put_finding(finder, f, o, "PageSharedByNodes",
		            holder_text(f, o, "several nodes use it; it has no more than a page."),
		            "A page is on one node. Give each thread a page or a variable of its own, and bring the "
		            "results together at the end: a reduction, private copies, padding to whole pages.");
		break;
	case OMPP_NUMA_PARTS:
		put_finding(finder, f, o, "MemoryOnOneNode", holder_text(f, o, "each node uses a part of its own."),
		            "Let each thread touch first what it uses: initialise it in a parallel for with the "
		            "schedule of the loop that uses it, and bind the threads (OMP_PROC_BIND=close).");
		break;
	case OMPP_NUMA_SHARED:
		find_shared(finder, f, o);
		break;
	case OMPP_NUMA_SWAPPED:
		put_finding(finder, f, o, "PartsOnOtherNodes",
		            "Each node uses a part of its own, but the memory of many parts is on other nodes.",
		            "Initialise it in a parallel for with the schedule of the loop that uses it; a dynamic "
		            "schedule gives each thread other parts each time.");
		break;
	}
}

static void find_moves(struct ompp_finder *finder)
{
	const struct ompp_profile *p = finder->analysis->profile;
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
	ompp_say_start(&t, finder->analysis->arena);
	ompp_say_count(&t, n_threads, "thread");
	ompp_text_str(&t, n_threads == 1 ? " was" : " were");
	ompp_text_str(&t, " found on another NUMA node than before ");
	ompp_say_count(&t, n_moves, "time");
	ompp_text_str(&t, ", in ");
	ompp_say_count(&t, n_looks, "sample");
	ompp_text_str(&t, ". Pages that they touched first stay on the node where they were then.");
	ompp_find_counted(finder, &(struct ompp_finding){
					  .name = "ThreadsMoveBetweenNodes",
					  .region = OMPP_NONE,
					  .weight = ompp_share(ompp_count(n_moves), ompp_count(n_looks)),
					  .evidence = t.data,
					  .advice = "Bind the threads: OMP_PROC_BIND=close OMP_PLACES=cores, or "
						    "the clause proc_bind." });
}

void ompp_find_numa(struct ompp_finder *finder)
{
	const struct ompp_numa_object *o;
	struct ompp_numa_objects objects;
	int rc = ompp_numa_objects_init(&objects, finder->analysis);

	if (rc == -ENOMEM)
		finder->rc = rc;
	if (rc)
		return;
	while ((o = ompp_numa_objects_next(&objects)))
		find_object(finder, &objects, o);
	finder->rc = objects.rc ? objects.rc : finder->rc;
	if (objects.places.kind == OMPP_PLACES_NODES)
		find_moves(finder);
}
