/*
 * Diff: see diff.h.
 */
#include "reports/compare/diff.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/init.h"
#include "reports/analysis/label.h"
#include "reports/analysis/sample_stats.h"
#include "reports/analysis/traffic.h"
#include "reports/analysis/waiting.h"
#include "reports/compare/diff_instances.h"
#include "reports/compare/match.h"
#include "reports/compare/object_match.h"
#include "reports/exchange/flat.h"
#include "runtime/base/array.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

/* A time is not tested if on both sides it is below this share of all threads' time: with tests of thousands of short
 * regions, the correction would hide what matters. */
static const double least_share = 0.001;

enum { LEAST_RUNS = 3, NUMBER_BYTES = 48 };

/* How long a thread waits while another one has its time slice of the Linux scheduler.
 */
static const double once_ns = 3e6;

/* The part of the time taken by others that is not seen. */
static const double unseen = 0.1;

/* If others may have taken this share of the runs, a note says that the runs are too short, or the machine too busy, to
 * be compared. */
static const double most_of_others = 0.05;

/* ---- measures ---- */

enum measure {
	WALL,
	CPU,
	SERIAL,
	SYNCH,
	IMBAL,
	LIMPAR,
	MGMT,
	EXEC_T,
	WAIT_T,
	EXEC_C,
	LOADS,
	STORES,
	ATOMICS,
	BYTES,
	L1,
	L2,
	L3,
	SAMPLED,
	LATENCY,
	SIZE,
	N_MEASURES /* counters come after these */
};

/* clang-format off */
static const struct { const char *name, *unit; enum ompp_diff_group group; enum ompp_certainty certainty; } measures[] = {
	[WALL]    = { "wall time", "ns", OMPP_DIFF_PROGRAM, OMPP_EXACT },
	[CPU]     = { "CPU time", "ns", OMPP_DIFF_PROGRAM, OMPP_EXACT },
	[SERIAL]  = { "serial part", "ns", OMPP_DIFF_PROGRAM, OMPP_EXACT },
	[SYNCH]   = { "synchronisation", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT },
	[IMBAL]   = { "imbalance", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT },
	[LIMPAR]  = { "limited parallelism", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT },
	[MGMT]    = { "management", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT },
	[EXEC_T]  = { "execT", "ns", OMPP_DIFF_TIMES, OMPP_EXACT },
	[WAIT_T]  = { "waiting", "ns", OMPP_DIFF_TIMES, OMPP_EXACT },
	[EXEC_C]  = { "execC", "1", OMPP_DIFF_COUNTS, OMPP_EXACT },
	[LOADS]   = { "loads", "1", OMPP_DIFF_DATA, OMPP_EXACT },
	[STORES]  = { "stores", "1", OMPP_DIFF_DATA, OMPP_EXACT },
	[ATOMICS] = { "atomics", "1", OMPP_DIFF_DATA, OMPP_EXACT },
	[BYTES]   = { "bytes", "B", OMPP_DIFF_DATA, OMPP_EXACT },
	[L1]      = { "L1 misses", "1", OMPP_DIFF_DATA, OMPP_MODELLED },
	[L2]      = { "L2 misses", "1", OMPP_DIFF_DATA, OMPP_MODELLED },
	[L3]      = { "L3 misses", "1", OMPP_DIFF_DATA, OMPP_MODELLED },
	[SAMPLED] = { "sampled accesses", "1", OMPP_DIFF_DATA, OMPP_SAMPLED },
	[LATENCY] = { "mean latency", "ticks", OMPP_DIFF_DATA, OMPP_SAMPLED },
	[SIZE]    = { "size", "B", OMPP_DIFF_INSTANCES, OMPP_EXACT },
};
/* clang-format on */

const char *ompp_diff_group_name(enum ompp_diff_group group)
{
	static const char *const names[] = { "program", "times", "classes", "counts", "counters", "data", "instances" };

	return names[group];
}

const char *ompp_diff_certainty_name(const struct ompp_diff_row *row)
{
	return row->is_time && row->certainty == OMPP_EXACT ? "measured" : ompp_certainty_name(row->certainty);
}

const char *ompp_diff_verdict_name(enum ompp_diff_verdict verdict)
{
	static const char *const names[] = { "same", "exact", "yes", "no", "unknown", "small" };

	return names[verdict];
}

/* ---- the table of all values ---- */

struct subject {
	struct ompp_diff_subject told;
	enum { PROGRAM, REGION, TASKS, OBJECT, INSTANCE } kind;
	uint32_t index; /* among the regions, the objects or the instances of all runs */
};

struct differ {
	struct ompp_arena *arena;
	const struct ompp_profile *profiles;
	struct ompp_analysis *analyses;
	size_t n_a, n_runs;
	/* the regions of all runs: each run adds those that no run before it has */
	struct ompp_region *regions;
	const char **names_a, **names_b;
	const struct ompp_region **of_a, **of_b;
	size_t n_regions;
	uint32_t **region_of; /* by run and region: which of them it is */
	uint32_t **object_of; /* the same for objects */
	const char **objects, **objects_a,
		**objects_b; /* names in the last run, and on each side; NULL if it does not have the object */
	char *is_wanted;     /* by object */
	struct ompp_diff_instances instances;
	size_t n_objects, n_counters, n_measures;
	const struct ompp_metric **counters;
	struct subject *subjects; /* the program; each region and its tasks; each object; each instance */
	size_t n_subjects;
	double *values;    /* [(subject * n_measures + measure) * n_runs + run]; NaN when missing */
	double *variances; /* due to the samples of that run alone; NaN if not sampled */
	double *at_most;   /* bounds of what is missing; NaN where there are none */
	double *disturbed; /* by run: of its wall time, the share in which threads waited for a processor */
};

static double *diff_value(struct differ *d, size_t subject, size_t measure, size_t run)
{
	return &d->values[(subject * d->n_measures + measure) * d->n_runs + run];
}

static double *diff_variance(struct differ *d, size_t subject, size_t measure, size_t run)
{
	return &d->variances[(subject * d->n_measures + measure) * d->n_runs + run];
}

static double *at_most(struct differ *d, size_t subject, size_t measure, size_t run)
{
	return &d->at_most[(subject * d->n_measures + measure) * d->n_runs + run];
}

static void diff_set(struct differ *d, size_t subject, size_t measure, size_t run, int64_t number)
{
	*diff_value(d, subject, measure, run) = number == OMPP_MISSING ? NAN : (double)number;
}

static void diff_add(struct differ *d, size_t subject, size_t measure, size_t run, int64_t number)
{
	double *at = diff_value(d, subject, measure, run);

	*at = (isnan(*at) ? 0 : *at) + (number == OMPP_MISSING ? NAN : (double)number);
}

/* Adds to the variance of a time that due to visits that were not timed; it is infinite if their error is not known.
 * Times without such visits have no variance. */
static void add_variance(struct differ *d, size_t subject, size_t measure, size_t run, int64_t error_ns)
{
	double *at = diff_variance(d, subject, measure, run);

	if (error_ns == OMPP_MISSING)
		*at = INFINITY;
	else if (error_ns)
		*at = (isnan(*at) ? 0 : *at) + (double)error_ns * (double)error_ns;
}

/* ---- subjects ---- */

/* Maps the regions of a run to the list of all regions, and adds the new ones.  The runs of A come first; from the
 * first run of B that has a region, the list has B's version of it, which later runs are matched with. */
static int add_regions(struct differ *d, size_t run)
{
	const struct ompp_profile *p = &d->profiles[run];
	uint32_t *of = ompp_arena_alloc(d->arena, (p->n_regions + 1) * sizeof(*of));

	if (!of || ompp_match(d->regions, d->n_regions, p->regions, p->n_regions, of, d->arena))
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_regions; i++) {
		int is_b = run >= d->n_a;
		const struct ompp_region **known;

		if (of[i] == OMPP_NONE) {
			of[i] = (uint32_t)d->n_regions++;
			d->regions[of[i]] = p->regions[i];
		}
		known = is_b ? &d->of_b[of[i]] : &d->of_a[of[i]];
		if (*known)
			continue;
		*known = &p->regions[i];
		if (is_b)
			d->regions[of[i]] = p->regions[i];
		for (int tasks = 0; tasks < 2; tasks++) {
			const char *name = ompp_region_title(&d->analyses[run], &p->regions[i],
			                                     tasks ? OMPP_TASKEXEC : p->regions[i].construct);

			if (!name)
				return -ENOMEM;
			(is_b ? d->names_b : d->names_a)[2 * of[i] + (uint32_t)tasks] = name;
		}
	}
	d->region_of[run] = of;
	return 0;
}

/* Maps the objects of a run to the list of all objects, and adds the new ones.  As for regions, later runs are matched
 * with the newest lines. */
static int add_objects(struct differ *d, size_t run)
{
	const struct ompp_profile *p = &d->profiles[run];
	uint32_t *of = ompp_arena_alloc(d->arena, (p->n_objects + 1) * sizeof(*of));
	const char **names = ompp_arena_alloc(d->arena, (p->n_objects + 1) * sizeof(*names));

	if (!of || !names)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_objects; i++)
		names[i] = p->objects[i].name;
	if (ompp_match_objects(d->objects, d->n_objects, names, p->n_objects, of, d->arena))
		return -ENOMEM;
	for (size_t i = 0; i < p->n_objects; i++) {
		if (of[i] == OMPP_NONE)
			of[i] = (uint32_t)d->n_objects++;
		d->objects[of[i]] = names[i];
		(run < d->n_a ? d->objects_a : d->objects_b)[of[i]] = names[i];
	}
	d->object_of[run] = of;
	return 0;
}

static size_t counter_of(struct differ *d, const struct ompp_metric *metric)
{
	size_t i = 0;

	while (i < d->n_counters && strcmp(d->counters[i]->name, metric->name))
		i++;
	if (i == d->n_counters)
		d->counters[d->n_counters++] = metric;
	else if (metric->certainty > d->counters[i]->certainty)
		d->counters[i] = metric; /* with the certainty of the least certain run */
	return i;
}

static int find_subjects(struct differ *d)
{
	size_t n_regions = 0, n_objects = 0, n_counters = 0;

	for (size_t run = 0; run < d->n_runs; run++) {
		n_regions += d->profiles[run].n_regions;
		n_objects += d->profiles[run].n_objects;
		n_counters += d->profiles[run].n_metrics;
	}
	d->regions = ompp_arena_alloc(d->arena, (n_regions + 1) * sizeof(*d->regions));
	d->names_a = ompp_arena_alloc(d->arena, (2 * n_regions + 1) * sizeof(*d->names_a));
	d->names_b = ompp_arena_alloc(d->arena, (2 * n_regions + 1) * sizeof(*d->names_b));
	d->of_a = ompp_arena_alloc(d->arena, (n_regions + 1) * sizeof(*d->of_a));
	d->of_b = ompp_arena_alloc(d->arena, (n_regions + 1) * sizeof(*d->of_b));
	d->region_of = ompp_arena_alloc(d->arena, (d->n_runs + 1) * sizeof(*d->region_of));
	d->object_of = ompp_arena_alloc(d->arena, (d->n_runs + 1) * sizeof(*d->object_of));
	d->objects = ompp_arena_alloc(d->arena, (n_objects + 1) * sizeof(*d->objects));
	d->objects_a = ompp_arena_alloc(d->arena, (n_objects + 1) * sizeof(*d->objects_a));
	d->objects_b = ompp_arena_alloc(d->arena, (n_objects + 1) * sizeof(*d->objects_b));
	d->is_wanted = ompp_arena_alloc(d->arena, n_objects + 1);
	d->counters = ompp_arena_alloc(d->arena, (n_counters + 1) * sizeof(*d->counters));
	if (!d->regions || !d->names_a || !d->names_b || !d->of_a || !d->of_b || !d->region_of || !d->object_of ||
	    !d->objects || !d->objects_a || !d->objects_b || !d->is_wanted || !d->counters)
		return -ENOMEM;
	for (size_t run = 0; run < d->n_runs; run++) {
		if (add_regions(d, run) || add_objects(d, run))
			return -ENOMEM;
		for (size_t m = 0; m < d->profiles[run].n_metrics; m++)
			counter_of(d, &d->profiles[run].metrics[m]);
	}
	d->n_measures = N_MEASURES + d->n_counters;
	return 0;
}

/* Finds the objects that are asked for, by a name in the comma list, and their instances. */
static int choose_objects(struct differ *d, const struct ompp_diff_options *options)
{
	struct ompp_diff_objects objects = { d->profiles,  d->n_a,     d->n_runs,   d->n_objects,
		                             d->object_of, d->objects, d->is_wanted };

	for (size_t i = 0; i < d->n_objects; i++)
		d->is_wanted[i] = !options->object ||
		                  (d->objects_a[i] && ompp_traffic_is_listed(d->objects_a[i], options->object)) ||
		                  (d->objects_b[i] && ompp_traffic_is_listed(d->objects_b[i], options->object));
	if (options->instances && ompp_diff_instances(&objects, d->arena, &d->instances))
		return -ENOMEM;
	d->n_subjects = 1 + 2 * d->n_regions + d->n_objects + d->instances.n;
	return 0;
}

static size_t region_subject(uint32_t region, int is_tasks)
{
	return 1 + 2 * (size_t)region + (is_tasks ? 1 : 0);
}

static size_t object_subject(const struct differ *d, size_t object)
{
	return 1 + 2 * d->n_regions + object;
}

static size_t instance_subject(const struct differ *d, size_t instance)
{
	return object_subject(d, d->n_objects) + instance;
}

/* Returns "a.c:12 x = malloc(…), number 193"; NULL without a name. */
static const char *instance_name(struct differ *d, const char *object, int64_t order)
{
	size_t n = object ? strlen(object) + NUMBER_BYTES : 0;
	char *buffer = n ? ompp_arena_alloc(d->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, object);
	ompp_text_str(&t, ", number ");
	ompp_text_grouped(&t, order);
	return buffer;
}

static int name_subjects(struct differ *d)
{
	d->subjects = ompp_arena_alloc(d->arena, d->n_subjects * sizeof(*d->subjects));
	if (!d->subjects)
		return -ENOMEM;
	d->subjects[0].told.name_a = d->subjects[0].told.name_b = "the program";
	for (uint32_t i = 0; i < d->n_regions; i++)
		for (int tasks = 0; tasks < 2; tasks++) {
			struct subject *s = &d->subjects[region_subject(i, tasks)];

			s->kind = tasks ? TASKS : REGION;
			s->index = i;
			s->told = (struct ompp_diff_subject){ d->names_a[2 * i + (uint32_t)tasks],
				                              d->names_b[2 * i + (uint32_t)tasks],
				                              d->of_a[i],
				                              d->of_b[i],
				                              0,
				                              0 };
		}
	for (size_t i = 0; i < d->n_objects; i++) {
		struct subject *s = &d->subjects[object_subject(d, i)];

		s->kind = OBJECT;
		s->index = (uint32_t)i;
		s->told.name_a = d->objects_a[i];
		s->told.name_b = d->objects_b[i];
	}
	for (size_t i = 0; i < d->instances.n; i++) {
		const struct ompp_diff_instance *l = &d->instances.list[i];
		struct subject *s = &d->subjects[instance_subject(d, i)];

		s->kind = INSTANCE;
		s->index = (uint32_t)i;
		s->told.name_a = instance_name(d, d->objects_a[l->object], l->order);
		s->told.name_b = instance_name(d, d->objects_b[l->object], l->order);
		if (!s->told.name_a || !s->told.name_b)
			return -ENOMEM;
	}
	return 0;
}

/* ---- values ---- */

static int64_t diff_waiting(const struct ompp_cell *cell)
{
	if (cell->exit_bar_ns == OMPP_MISSING)
		return OMPP_MISSING;
	return ompp_add(cell->enter_ns, cell->exit_bar_ns);
}

static int has_waiting(enum ompp_construct construct)
{
	int form = ompp_constructs[construct].form;

	return form != OMPP_FORM_PLAIN && form != OMPP_FORM_TASK && form != OMPP_FORM_TASKS && form != OMPP_FORM_WAIT;
}

/* A region that a run did not enter took no time there, and no execution. */
static void fill_unentered(struct differ *d, size_t run)
{
	for (uint32_t i = 0; i < d->n_regions; i++)
		for (int tasks = 0; tasks < 2; tasks++) {
			size_t subject = region_subject(i, tasks);
			enum ompp_construct construct = tasks ? OMPP_TASKEXEC : d->regions[i].construct;

			if (tasks && !ompp_construct_makes_tasks(d->regions[i].construct))
				continue;
			diff_set(d, subject, EXEC_T, run, 0);
			diff_set(d, subject, EXEC_C, run, 0);
			if (has_waiting(construct))
				diff_set(d, subject, WAIT_T, run, 0);
			for (size_t k = SYNCH; k <= MGMT && ompp_construct_is_parallel(construct); k++)
				diff_set(d, subject, k, run, 0);
		}
}

static int take_regions(struct differ *d, size_t run)
{
	const struct ompp_analysis *a = &d->analyses[run];
	const struct ompp_profile *p = a->profile;
	struct ompp_flat flat;

	if (ompp_flat(a, &flat))
		return -ENOMEM;
	fill_unentered(d, run);
	for (size_t i = 0; i < flat.n; i++) {
		const struct ompp_flat_line *line = &flat.lines[i];
		size_t subject = region_subject(d->region_of[run][line->region], line->construct == OMPP_TASKEXEC);

		diff_add(d, subject, EXEC_T, run, line->cell.exec_ns);
		add_variance(d, subject, EXEC_T, run, line->cell.n_untimed ? line->cell.error_ns : 0);
		diff_add(d, subject, EXEC_C, run, ompp_count(line->cell.n_exec));
		if (has_waiting((enum ompp_construct)line->construct))
			diff_add(d, subject, WAIT_T, run, diff_waiting(&line->cell));
		add_variance(d, subject, WAIT_T, run, line->cell.n_untimed ? line->cell.enter_error_ns : 0);
		if (ompp_constructs[line->construct].counts == OMPP_COUNTS_NOTHING)
			continue;
		for (size_t m = 0; m < p->n_metrics; m++)
			if (p->metrics[m].certainty != OMPP_NOT_COUNTED)
				diff_add(d, subject, N_MEASURES + counter_of(d, &p->metrics[m]), run, line->values[m]);
	}
	return 0;
}

/* Returns the share of its wall time that a run may have lost to other programs on its processors: the time without a
 * processor, of the first thread anywhere and of all threads before barriers of parallel regions, plus an allowance for
 * where it was not measured. */
static double disturbed(const struct ompp_analysis *a)
{
	double off_ns = 0, queued_ns = a->profile->queued_ns == OMPP_MISSING ? 0 : (double)a->profile->queued_ns;
	struct ompp_waiting w;

	for (uint32_t i = 1; i < a->profile->n_nodes; i++)
		if (ompp_waiting_at(a, i, &w))
			off_ns += (double)w.off_ns;
	return a->measured_ns > 0 ? fmin((fmax(off_ns, queued_ns) + once_ns) / (double)a->measured_ns, 1) : 0;
}

static void take_classes(struct differ *d, size_t run, size_t subject, const struct ompp_parallel *parallel)
{
	for (size_t k = 0; k < OMPP_N_OVERHEADS; k++) {
		diff_set(d, subject, SYNCH + k, run, parallel->overhead_ns[k]);
		add_variance(d, subject, SYNCH + k, run, parallel->error_ns[k]);
	}
}

static int take_program(struct differ *d, size_t run)
{
	const struct ompp_analysis *a = &d->analyses[run];
	struct ompp_classes c;

	if (ompp_classes(a, &c))
		return -ENOMEM;
	d->disturbed[run] = disturbed(a);
	diff_set(d, 0, WALL, run, a->measured_ns);
	diff_set(d, 0, CPU, run, ompp_add_known(a->profile->user_ns, a->profile->system_ns));
	diff_set(d, 0, SERIAL, run, c.serial_ns);
	take_classes(d, run, 0, &c.sum);
	for (size_t i = 0; i < c.n; i++)
		take_classes(d, run, region_subject(d->region_of[run][c.list[i].region], 0), &c.list[i]);
	return 0;
}

/* Takes the samples of an object.  The same accesses could have given one sample more or less, even if there is none;
 * so the variance is that of one sample more.  The mean of few latencies is not used. */
static void take_samples(struct differ *d, size_t run, size_t subject, const struct ompp_sampled_sum *sum)
{
	double period = (double)d->profiles[run].sample_period;
	int64_t mean = sum->n_timed < OMPP_LEAST_SAMPLES ? OMPP_MISSING : ompp_sampled_mean(sum);
	int64_t error = ompp_sampled_mean_error(sum);

	*diff_value(d, subject, SAMPLED, run) = (double)sum->estimate;
	*diff_variance(d, subject, SAMPLED, run) = (double)sum->variance + period * (period - 1);
	if (mean == OMPP_MISSING || error == OMPP_MISSING)
		return;
	*diff_value(d, subject, LATENCY, run) = (double)mean / 1000;
	*diff_variance(d, subject, LATENCY, run) = (double)error * (double)error / 1e6;
}

/* Sums up the accesses to each object, and the samples of them. */
static int take_objects(struct differ *d, size_t run)
{
	static const struct {
		enum measure measure;
		enum ompp_traffic_kind kind;
	} kinds[] = { { LOADS, OMPP_TRAFFIC_LOADS }, { STORES, OMPP_TRAFFIC_STORES }, { ATOMICS, OMPP_TRAFFIC_ATOMICS },
		      { BYTES, OMPP_TRAFFIC_BYTES }, { L1, OMPP_TRAFFIC_L1 },         { L2, OMPP_TRAFFIC_L2 },
		      { L3, OMPP_TRAFFIC_L3 } };
	const struct ompp_profile *p = &d->profiles[run];
	struct ompp_sampled_sum *sums = ompp_arena_alloc(d->arena, (p->n_objects + 1) * sizeof(*sums));
	size_t first = object_subject(d, 0);

	if (!sums)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_accesses; i++) {
		int64_t values[OMPP_N_TRAFFIC];

		ompp_traffic_of(p, &p->accesses[i], values);
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			diff_add(d, first + d->object_of[run][p->accesses[i].object], kinds[k].measure, run,
			         values[kinds[k].kind]);
	}
	for (size_t i = 0; i < p->n_samples; i++)
		ompp_sampled_add(&sums[p->samples[i].object], &p->samples[i].sum);
	for (size_t i = 0; i < p->n_objects && p->sample_source[0]; i++)
		take_samples(d, run, first + d->object_of[run][i], &sums[i]);
	return 0;
}

/* Takes the values of an instance in a run, and subtracts its counts from the rest of the object, which bounds those of
 * its other blocks.  A partial count is treated as unknown, and stays in the rest. */
static void take_instance(struct differ *d, size_t run, size_t subject, const struct ompp_instance *l, double *left)
{
	const int64_t values[] = { l->loads, l->stores, l->atomics,
		                   ompp_add(ompp_add(l->load_bytes, l->store_bytes), l->atomic_bytes) };
	double period = (double)d->profiles[run].sample_period;

	diff_set(d, subject, SIZE, run, l->bytes);
	for (size_t m = LOADS; m <= BYTES && !l->is_partial; m++) {
		diff_set(d, subject, m, run, values[m - LOADS]);
		left[m - LOADS] -= *diff_value(d, subject, m, run);
	}
	if (!d->profiles[run].sample_source[0])
		return;
	*diff_value(d, subject, SAMPLED, run) = (double)l->estimate;
	*diff_variance(d, subject, SAMPLED, run) = (double)l->variance + period * (period - 1);
}

/* Takes the values in a run of all instances of the object of the instance at `from`.  Returns the end of these
 * instances. */
static size_t take_instances_of(struct differ *d, size_t run, size_t from)
{
	const struct ompp_diff_instances *all = &d->instances;
	double left[BYTES - LOADS + 1];
	size_t end;

	for (size_t m = LOADS; m <= BYTES; m++)
		left[m - LOADS] = *diff_value(d, object_subject(d, all->list[from].object), m, run);
	for (end = from; end < all->n && all->list[end].object == all->list[from].object; end++)
		if (all->list[end].of[run])
			take_instance(d, run, instance_subject(d, end), all->list[end].of[run], left);
	for (size_t i = from; i < end; i++)
		for (size_t m = LOADS; m <= BYTES && !all->list[i].of[run]; m++)
			if (d->profiles[run].hooked && left[m - LOADS] >= 0)
				*at_most(d, instance_subject(d, i), m, run) = left[m - LOADS];
	return end;
}

static int take_values(struct differ *d)
{
	size_t n = d->n_subjects * d->n_measures * d->n_runs;
	int rc = 0;

	d->values = ompp_arena_alloc(d->arena, (n + 1) * sizeof(*d->values));
	d->variances = ompp_arena_alloc(d->arena, (n + 1) * sizeof(*d->variances));
	d->at_most = ompp_arena_alloc(d->arena, (n + 1) * sizeof(*d->at_most));
	d->disturbed = ompp_arena_alloc(d->arena, d->n_runs * sizeof(*d->disturbed));
	if (!d->values || !d->variances || !d->at_most || !d->disturbed)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		d->values[i] = d->variances[i] = d->at_most[i] = NAN;
	for (size_t run = 0; run < d->n_runs && !rc; run++) {
		rc = take_regions(d, run);
		if (!rc)
			rc = take_program(d, run);
		if (!rc)
			rc = take_objects(d, run);
		for (size_t i = 0; i < d->instances.n && !rc;)
			i = take_instances_of(d, run, i);
	}
	return rc;
}

/* ---- rows ---- */

static double mean_capacity(const struct differ *d)
{
	double sum = 0;

	for (size_t run = 0; run < d->n_runs; run++)
		sum += (double)d->analyses[run].capacity_ns / (double)d->n_runs;
	return sum;
}

/* Is the value the same in each run of a side? */
static int is_constant(const struct ompp_sample *s)
{
	return s->n == 1 || (s->n > 1 && s->variance <= 0);
}

/* Were the samples of two runs drawn with the same random choices?  Then their errors are the same.  Hooks of earlier
 * versions had no seed, so that all their runs were. */
static int are_drawn_alike(const struct ompp_profile *x, const struct ompp_profile *y)
{
	return x->sample_seed == y->sample_seed && (x->sample_seed || !strcmp(x->sample_source, "hook"));
}

/* Returns how many independent draws the runs [from, end) are. */
static size_t n_draws(const struct differ *d, size_t from, size_t end)
{
	size_t n = 0;

	for (size_t i = from; i < end; i++) {
		size_t k = from;

		while (k < i && !are_drawn_alike(&d->profiles[k], &d->profiles[i]))
			k++;
		n += k == i;
	}
	return n;
}

/* Returns the variance of the mean of runs [from, end) due to sampling: the mean variance, divided by the number of
 * independent draws; NaN if not sampled. */
static double least_of_samples(struct differ *d, size_t subject, size_t measure, size_t from, size_t end)
{
	double sum = 0;
	size_t n = 0;

	for (size_t run = from; run < end; run++)
		if (!isnan(*diff_variance(d, subject, measure, run))) {
			sum += *diff_variance(d, subject, measure, run);
			n++;
		}
	return n ? sum / (double)n / (double)n_draws(d, from, end) : NAN;
}

/* Returns the mean of the runs [from, end). */
static double mean_of(struct differ *d, size_t subject, size_t measure, size_t from, size_t end)
{
	return ompp_sample_of(diff_value(d, subject, measure, from), end - from).mean;
}

/* Returns the mean share of wall time that runs [from, end) may have lost to others. */
static double share_of_others(const struct differ *d, size_t from, size_t end)
{
	double share = 0;

	for (size_t run = from; run < end; run++)
		share += d->disturbed[run] / (double)(end - from);
	return share;
}

/* Returns the relative error of a time due to other programs: the difference of their shares in the runs of both sides,
 * and a part of all they took, as they also evict caches and are not seen everywhere.  All runs of a side may have the
 * same error, so more runs do not reduce it. */
static double error_by_others(const struct differ *d)
{
	double a = share_of_others(d, 0, d->n_a), b = share_of_others(d, d->n_a, d->n_runs);

	return fabs(a - b) + unseen * fmax(a, b);
}

/* Returns the variance of a mean time due to other programs.  For waiting, the error is that of the work before it,
 * however long the wait is. */
static double least_of_times(struct differ *d, size_t subject, size_t measure, size_t from, size_t end)
{
	double mean = mean_of(d, subject, measure, from, end);

	mean = fmax(mean, mean_of(d, subject, subject ? EXEC_T : WALL, from, end));
	return pow(mean * error_by_others(d), 2);
}

/* Sets the lower bounds of the variances of a row's means.  A single run per side shows the errors of its samples, but
 * neither how latencies vary between runs, nor accesses of the program that only the processor sees. */
static void set_least(struct differ *d, struct ompp_diff_row *row, size_t subject, size_t measure)
{
	struct ompp_sample *sides[] = { &row->a, &row->b };
	int are_single = d->n_runs == 2;

	for (size_t i = 0; i < OMPP_COUNT_OF(sides); i++) {
		size_t from = i ? d->n_a : 0, end = i ? d->n_runs : d->n_a;

		if (row->is_time && row->a.n > 1 && row->b.n > 1)
			sides[i]->least = fmax(least_of_times(d, subject, measure, from, end),
			                       least_of_samples(d, subject, measure, from, end));
		if (row->is_time || row->certainty != OMPP_SAMPLED ||
		    (are_single && (measure == LATENCY || strcmp(d->profiles[0].sample_source, "hook"))))
			continue;
		sides[i]->least = least_of_samples(d, subject, measure, from, end);
		if (measure == LATENCY)
			sides[i]->least += pow(sides[i]->mean * error_by_others(d), 2);
	}
}

/* Compares the values of a row, as far as they and their own errors can tell. */
static void diff_compare(struct differ *d, struct ompp_diff_row *row, size_t subject, size_t measure, double level)
{
	row->a = ompp_sample_of(row->values, d->n_a);
	row->b = ompp_sample_of(row->values + d->n_a, d->n_runs - d->n_a);
	set_least(d, row, subject, measure);
	row->difference = ompp_welch(&row->a, &row->b, level);
	row->adjusted_p = NAN;
}

/* Are the row's values subject to an error?  Hardware counters, and a cache model that depends on addresses, may vary
 * between runs without a cause in the program; a single run per side does not show this. */
static int is_estimate(const struct ompp_diff_row *row)
{
	int is_single = row->a.n == 1 || row->b.n == 1;

	return row->is_time || row->certainty == OMPP_SAMPLED || row->certainty == OMPP_SCALED ||
	       (is_single && (row->certainty == OMPP_MODELLED || row->group == OMPP_DIFF_COUNTERS));
}

static void diff_judge(struct differ *d, struct ompp_diff_row *row, size_t subject, size_t measure, double level,
                       double capacity_ns)
{
	diff_compare(d, row, subject, measure, level);
	if (!row->a.n || !row->b.n)
		row->verdict = OMPP_DIFF_UNKNOWN;
	else if (is_constant(&row->a) && is_constant(&row->b) && !is_estimate(row))
		row->verdict = row->difference.change < 0 || row->difference.change > 0 ? OMPP_DIFF_EXACT
		                                                                        : OMPP_DIFF_SAME;
	else if (row->is_time && subject && row->a.mean < least_share * capacity_ns &&
	         row->b.mean < least_share * capacity_ns)
		row->verdict = OMPP_DIFF_SMALL;
	else if (isnan(row->difference.p))
		row->verdict = OMPP_DIFF_UNKNOWN;
	else {
		row->verdict = OMPP_DIFF_UNCHANGED; /* until the tests are corrected */
		row->adjusted_p = row->difference.p;
	}
	if (row->verdict == OMPP_DIFF_EXACT || row->verdict == OMPP_DIFF_SAME)
		row->difference.low = row->difference.high = row->difference.change;
}

/* Returns an upper bound of an instance's value in runs [from, end) if it stands out in none of them; NaN if it does in
 * one, or if a run has no bound. */
static double most_of(struct differ *d, size_t subject, size_t measure, size_t from, size_t end)
{
	double most = 0;

	for (size_t run = from; run < end; run++) {
		double bound = *at_most(d, subject, measure, run);

		most = isnan(bound) || isnan(most) ? NAN : fmax(most, bound);
	}
	return most;
}

/* Judges a row of an instance that does not stand out in each run.  If one side has a bound and the other a count, the
 * change is within an interval; it is certain if the interval does not contain 0. */
static void judge_bounds(struct differ *d, struct ompp_diff_row *row, size_t subject, size_t measure)
{
	const struct ompp_difference unknown = { NAN, NAN, NAN, NAN };
	int has_a = row->a.n == d->n_a && is_constant(&row->a),
	    has_b = row->b.n == d->n_runs - d->n_a && is_constant(&row->b);

	row->at_most_a = most_of(d, subject, measure, 0, d->n_a);
	row->at_most_b = most_of(d, subject, measure, d->n_a, d->n_runs);
	row->difference = unknown;
	row->adjusted_p = NAN;
	row->verdict = OMPP_DIFF_UNKNOWN;
	if ((!has_a && isnan(row->at_most_a)) || (!has_b && isnan(row->at_most_b)) || has_a == has_b)
		return;
	row->difference.low = (has_b ? row->b.mean : 0) - (has_a ? row->a.mean : row->at_most_a);
	row->difference.high = (has_b ? row->b.mean : row->at_most_b) - (has_a ? row->a.mean : 0);
	if (row->difference.low > 0 || row->difference.high < 0)
		row->verdict = OMPP_DIFF_EXACT;
}

static int is_shown(const struct ompp_diff_row *row)
{
	if (row->group == OMPP_DIFF_INSTANCES && (row->a.n > 0) != (row->b.n > 0))
		return row->a.n ? row->a.mean != 0 : row->b.mean != 0;
	return row->a.n && row->b.n && (row->a.mean != 0 || row->b.mean != 0);
}

/* Is the subject part of the program's code, or data that was asked for? */
static int is_wanted(const struct differ *d, const struct subject *s)
{
	return s->kind == OBJECT ? d->is_wanted[s->index] : 1;
}

/* Does any run have sampling errors for this measure? */
static int is_sampled(struct differ *d, size_t subject, size_t measure)
{
	for (size_t run = 0; run < d->n_runs; run++)
		if (!isnan(*diff_variance(d, subject, measure, run)))
			return 1;
	return 0;
}

static enum ompp_diff_group group_of(const struct subject *s, size_t measure)
{
	if (measure >= N_MEASURES)
		return OMPP_DIFF_COUNTERS;
	if (s->kind == INSTANCE)
		return OMPP_DIFF_INSTANCES;
	return s->kind == PROGRAM && measures[measure].group == OMPP_DIFF_CLASSES ? OMPP_DIFF_PROGRAM
	                                                                          : measures[measure].group;
}

static int make_rows(struct differ *d, struct ompp_diff *diff)
{
	double capacity_ns = mean_capacity(d);

	diff->rows = ompp_arena_alloc(d->arena, (d->n_subjects * d->n_measures + 1) * sizeof(*diff->rows));
	if (!diff->rows)
		return -ENOMEM;
	for (size_t s = 0; s < d->n_subjects; s++) {
		struct ompp_diff_subject *told = &d->subjects[s].told;

		if (!told->name_a || !told->name_b || !is_wanted(d, &d->subjects[s]))
			continue;
		for (size_t m = 0; m < d->n_measures; m++) {
			struct ompp_diff_row *row = &diff->rows[diff->n_rows];
			const struct ompp_metric *counter = m < N_MEASURES ? NULL : d->counters[m - N_MEASURES];

			*row = (struct ompp_diff_row){ .group = group_of(&d->subjects[s], m),
				                       .subject = told,
				                       .measure = counter ? counter->name : measures[m].name,
				                       .unit = !counter         ? measures[m].unit
				                             : counter->unit[0] ? counter->unit
				                                                : "1",
				                       .certainty = counter ? counter->certainty
				                                            : measures[m].certainty,
				                       .values = diff_value(d, s, m, 0),
				                       .at_most_a = NAN,
				                       .at_most_b = NAN };
			row->is_time = !strcmp(row->unit, "ns") && !counter;
			if (row->is_time && is_sampled(d, s, m))
				row->certainty = OMPP_SAMPLED;
			diff_judge(d, row, s, m, diff->level, capacity_ns);
			if (row->group == OMPP_DIFF_INSTANCES && row->a.n + row->b.n < d->n_runs)
				judge_bounds(d, row, s, m);
			diff->n_rows += (size_t)is_shown(row);
		}
	}
	return 0;
}

/* ---- order ---- */

static int is_sure(const struct ompp_diff_row *row)
{
	return row->verdict == OMPP_DIFF_EXACT || row->verdict == OMPP_DIFF_CHANGED;
}

double ompp_diff_relative(const struct ompp_diff_row *row)
{
	if (isnan(row->difference.change))
		return NAN;
	if (row->a.mean == 0)
		return row->b.mean == 0 ? 0 : INFINITY;
	return row->difference.change / fabs(row->a.mean);
}

double ompp_diff_least_relative(const struct ompp_diff_row *row)
{
	double low = row->difference.low, high = row->difference.high;

	if (!isnan(row->difference.change) || (isnan(row->at_most_a) && isnan(row->at_most_b)))
		return ompp_diff_relative(row);
	return (low > 0 ? low : high < 0 ? high : 0) / (isnan(row->at_most_a) ? row->a.mean : row->at_most_a);
}

/* Changes of times are ordered by their absolute size, others by their relative size, as counts of different kinds
 * cannot be compared. */
static double diff_weight(const struct ompp_diff_row *row)
{
	return fabs(row->is_time ? row->difference.change : ompp_diff_least_relative(row));
}

static int is_after(const void *rows, uint32_t x, uint32_t y)
{
	const struct ompp_diff_row *a = (const struct ompp_diff_row *)rows + x,
				   *b = (const struct ompp_diff_row *)rows + y;

	if (a->group != b->group)
		return a->group > b->group;
	if (a->group == OMPP_DIFF_PROGRAM)
		return x > y; /* few, in the order of the measures */
	if (is_sure(a) != is_sure(b))
		return is_sure(b);
	if (diff_weight(a) < diff_weight(b) || diff_weight(a) > diff_weight(b))
		return diff_weight(a) < diff_weight(b);
	return x > y;
}

static int sort_rows(struct differ *d, struct ompp_diff *diff)
{
	uint32_t *order = ompp_sorted(d->arena, diff->n_rows, is_after, diff->rows);
	struct ompp_diff_row *sorted = ompp_arena_alloc(d->arena, (diff->n_rows + 1) * sizeof(*sorted));

	if (!order || !sorted)
		return -ENOMEM;
	for (size_t i = 0; i < diff->n_rows; i++)
		sorted[i] = diff->rows[order[i]];
	diff->rows = sorted;
	return 0;
}

/* Corrects for multiple tests over all groups, as a reader looks for changes in all of them. */
static int diff_correct(struct differ *d, struct ompp_diff *diff)
{
	double *p = ompp_arena_alloc(d->arena, (diff->n_rows + 1) * sizeof(*p));
	size_t *order = ompp_arena_alloc(d->arena, (diff->n_rows + 1) * sizeof(*order));

	if (!p || !order)
		return -ENOMEM;
	for (size_t i = 0; i < diff->n_rows; i++)
		p[i] = diff->rows[i].adjusted_p;
	ompp_holm(p, diff->n_rows, order);
	for (size_t i = 0; i < diff->n_rows; i++) {
		if (isnan(p[i]))
			continue;
		diff->rows[i].adjusted_p = p[i];
		diff->n_tests[diff->rows[i].group]++;
		diff->rows[i].verdict = p[i] <= diff->level ? OMPP_DIFF_CHANGED : OMPP_DIFF_UNCHANGED;
	}
	return 0;
}

/* Lists the regions that only one side has, with their time. */
static int find_lonely(struct differ *d, struct ompp_diff *diff)
{
	diff->only_a = ompp_arena_alloc(d->arena, (d->n_subjects + 1) * sizeof(*diff->only_a));
	diff->only_b = ompp_arena_alloc(d->arena, (d->n_subjects + 1) * sizeof(*diff->only_b));
	if (!diff->only_a || !diff->only_b)
		return -ENOMEM;
	for (size_t s = 0; s < d->n_subjects; s++) {
		struct ompp_diff_subject *told = &d->subjects[s].told;
		struct ompp_sample a = ompp_sample_of(diff_value(d, s, EXEC_T, 0), d->n_a);
		struct ompp_sample b = ompp_sample_of(diff_value(d, s, EXEC_T, d->n_a), d->n_runs - d->n_a);

		told->ns_a = a.n ? llround(a.mean) : OMPP_MISSING;
		told->ns_b = b.n ? llround(b.mean) : OMPP_MISSING;
		if (d->subjects[s].kind != REGION)
			continue;
		if (told->name_a && !told->name_b)
			diff->only_a[diff->n_only_a++] = told;
		if (told->name_b && !told->name_a)
			diff->only_b[diff->n_only_b++] = told;
	}
	return 0;
}

/* Says why times cannot be compared well, as a sentence. */
static void add_notes(const struct differ *d, struct ompp_diff *diff)
{
	double a = share_of_others(d, 0, d->n_a), b = share_of_others(d, d->n_a, d->n_runs), wall_ns = INFINITY;

	for (size_t run = 0; run < d->n_runs; run++)
		wall_ns = fmin(wall_ns, (double)d->analyses[run].measured_ns);
	diff->others_a = a;
	diff->others_b = b;
	if (wall_ns > 0 && once_ns / wall_ns > most_of_others)
		diff->notes[diff->n_notes++] = "Runs are too short to compare times well: one loss of a processor, 3 "
					       "ms, is a large part of them, "
					       "and only large changes are sure. Give the program more work";
	else if (fmax(a, b) > most_of_others)
		diff->notes[diff->n_notes++] =
			"The machine was too busy to compare times well: threads waited for a processor, and only "
			"large "
			"changes are sure. Measure when nothing else runs, or with fewer threads";
	if (d->n_a < LEAST_RUNS || d->n_runs - d->n_a < LEAST_RUNS)
		diff->notes[diff->n_notes++] =
			d->n_a < 2 || d->n_runs - d->n_a < 2
				? "Runs are too few to compare times: one run of a side tells nothing of chance. Give "
				  "five"
				: "Runs are few: of two on a side only large changes are sure. Give five";
}

int ompp_diff(const struct ompp_profile *profiles, size_t n_a, size_t n_b, const struct ompp_diff_options *options,
              struct ompp_arena *arena, struct ompp_diff *diff)
{
	struct differ d = { .arena = arena, .profiles = profiles, .n_a = n_a, .n_runs = n_a + n_b };
	struct ompp_report_options all = { 0 };
	int rc = 0;

	memset(diff, 0, sizeof(*diff));
	diff->n_a = n_a;
	diff->n_b = n_b;
	diff->level = options->level;
	d.analyses = ompp_arena_alloc(arena, d.n_runs * sizeof(*d.analyses));
	if (!d.analyses)
		return -ENOMEM;
	for (size_t i = 0; i < d.n_runs && !rc; i++)
		rc = ompp_analysis_init(&d.analyses[i], &profiles[i], &all, arena);
	if (!rc)
		rc = find_subjects(&d);
	if (!rc)
		rc = choose_objects(&d, options);
	diff->unmatched = d.instances.unmatched;
	diff->n_unmatched = d.instances.n_unmatched;
	if (!rc)
		rc = name_subjects(&d);
	if (!rc)
		rc = take_values(&d);
	if (!rc)
		add_notes(&d, diff);
	if (!rc)
		rc = make_rows(&d, diff);
	if (!rc)
		rc = diff_correct(&d, diff);
	if (!rc)
		rc = sort_rows(&d, diff);
	return rc ? rc : find_lonely(&d, diff);
}
