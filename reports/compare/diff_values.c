/*
 * Diff, values: see diff_values.h.
 */
#include "reports/compare/diff_values.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/init.h"
#include "reports/analysis/label.h"
#include "reports/analysis/sample_stats.h"
#include "reports/analysis/traffic.h"
#include "reports/analysis/waiting.h"
#include "reports/compare/match.h"
#include "reports/compare/object_match.h"
#include "reports/exchange/flat.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { NUMBER_BYTES = 48 };

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
	TO_BYTES,
	FROM_BYTES,
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
static const struct ompp_diff_measure measures[] = {
	[WALL]    = { "wall time", "ns", OMPP_DIFF_PROGRAM, OMPP_EXACT, 0 },
	[CPU]     = { "CPU time", "ns", OMPP_DIFF_PROGRAM, OMPP_EXACT, 0 },
	[SERIAL]  = { "serial part", "ns", OMPP_DIFF_PROGRAM, OMPP_EXACT, 0 },
	[SYNCH]   = { "synchronisation", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT, 0 },
	[IMBAL]   = { "imbalance", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT, 0 },
	[LIMPAR]  = { "limited parallelism", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT, 0 },
	[MGMT]    = { "management", "ns", OMPP_DIFF_CLASSES, OMPP_EXACT, 0 },
	[EXEC_T]  = { "execT", "ns", OMPP_DIFF_TIMES, OMPP_EXACT, 0 },
	[WAIT_T]  = { "waiting", "ns", OMPP_DIFF_TIMES, OMPP_EXACT, 0 },
	[EXEC_C]  = { "execC", "1", OMPP_DIFF_COUNTS, OMPP_EXACT, 0 },
	[TO_BYTES] = { "mapToB", "B", OMPP_DIFF_COUNTS, OMPP_EXACT, 0 },
	[FROM_BYTES] = { "mapFromB", "B", OMPP_DIFF_COUNTS, OMPP_EXACT, 0 },
	[LOADS]   = { "loads", "1", OMPP_DIFF_DATA, OMPP_EXACT, 0 },
	[STORES]  = { "stores", "1", OMPP_DIFF_DATA, OMPP_EXACT, 0 },
	[ATOMICS] = { "atomics", "1", OMPP_DIFF_DATA, OMPP_EXACT, 0 },
	[BYTES]   = { "bytes", "B", OMPP_DIFF_DATA, OMPP_EXACT, 0 },
	[L1]      = { "L1 misses", "1", OMPP_DIFF_DATA, OMPP_MODELLED, 0 },
	[L2]      = { "L2 misses", "1", OMPP_DIFF_DATA, OMPP_MODELLED, 0 },
	[L3]      = { "L3 misses", "1", OMPP_DIFF_DATA, OMPP_MODELLED, 0 },
	[SAMPLED] = { "sampled accesses", "1", OMPP_DIFF_DATA, OMPP_SAMPLED, 0 },
	[LATENCY] = { "mean latency", "ticks", OMPP_DIFF_DATA, OMPP_SAMPLED, 1 },
	[SIZE]    = { "size", "B", OMPP_DIFF_INSTANCES, OMPP_EXACT, 0 },
};
/* clang-format on */

double *ompp_diff_value(const struct ompp_diff_values *d, size_t subject, size_t measure, size_t run)
{
	return &d->values[(subject * d->n_measures + measure) * d->n_runs + run];
}

double *ompp_diff_variance(const struct ompp_diff_values *d, size_t subject, size_t measure, size_t run)
{
	return &d->variances[(subject * d->n_measures + measure) * d->n_runs + run];
}

double *ompp_diff_at_most(const struct ompp_diff_values *d, size_t subject, size_t measure, size_t run)
{
	return &d->at_most[(subject * d->n_measures + measure) * d->n_runs + run];
}

static void diff_set(struct ompp_diff_values *d, size_t subject, size_t measure, size_t run, int64_t number)
{
	*ompp_diff_value(d, subject, measure, run) = number == OMPP_MISSING ? NAN : (double)number;
}

static void diff_add(struct ompp_diff_values *d, size_t subject, size_t measure, size_t run, int64_t number)
{
	double *at = ompp_diff_value(d, subject, measure, run);

	*at = (isnan(*at) ? 0 : *at) + (number == OMPP_MISSING ? NAN : (double)number);
}

/* Adds to the variance of a time that due to visits that were not timed; it is infinite if their error is not known.
 * Times without such visits have no variance. */
static void add_variance(struct ompp_diff_values *d, size_t subject, size_t measure, size_t run, int64_t error_ns)
{
	double *at = ompp_diff_variance(d, subject, measure, run);

	if (error_ns == OMPP_MISSING)
		*at = INFINITY;
	else if (error_ns)
		*at = (isnan(*at) ? 0 : *at) + (double)error_ns * (double)error_ns;
}

/* Maps the regions of a run to the list of all regions, and adds the new ones.  The runs of A come first; from the
 * first run of B that has a region, the list has B's version of it, which later runs are matched with. */
static int add_regions(struct ompp_diff_values *d, size_t run)
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
static int add_objects(struct ompp_diff_values *d, size_t run)
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

static size_t counter_of(struct ompp_diff_values *d, const struct ompp_metric *metric)
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

static int find_subjects(struct ompp_diff_values *d)
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

static int choose_objects(struct ompp_diff_values *d, const struct ompp_diff_options *options)
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

size_t ompp_diff_region_subject(uint32_t region, int is_tasks)
{
	return 1 + 2 * (size_t)region + (is_tasks ? 1 : 0);
}

static size_t object_subject(const struct ompp_diff_values *d, size_t object)
{
	return 1 + 2 * d->n_regions + object;
}

static size_t instance_subject(const struct ompp_diff_values *d, size_t instance)
{
	return object_subject(d, d->n_objects) + instance;
}

/* Returns "a.c:12 x = malloc(…), number 193"; NULL without a name. */
static const char *instance_name(struct ompp_diff_values *d, const char *object, int64_t order)
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

static int name_subjects(struct ompp_diff_values *d)
{
	d->subjects = ompp_arena_alloc(d->arena, d->n_subjects * sizeof(*d->subjects));
	if (!d->subjects)
		return -ENOMEM;
	d->subjects[0].told.name_a = d->subjects[0].told.name_b = "the program";
	for (uint32_t i = 0; i < d->n_regions; i++)
		for (int tasks = 0; tasks < 2; tasks++) {
			struct ompp_compared *s = &d->subjects[ompp_diff_region_subject(i, tasks)];

			s->kind = tasks ? OMPP_COMPARED_TASKS : OMPP_COMPARED_REGION;
			s->index = i;
			s->told = (struct ompp_diff_subject){ d->names_a[2 * i + (uint32_t)tasks],
				                              d->names_b[2 * i + (uint32_t)tasks],
				                              d->of_a[i],
				                              d->of_b[i],
				                              0,
				                              0 };
		}
	for (size_t i = 0; i < d->n_objects; i++) {
		struct ompp_compared *s = &d->subjects[object_subject(d, i)];

		s->kind = OMPP_COMPARED_OBJECT;
		s->index = (uint32_t)i;
		s->told.name_a = d->objects_a[i];
		s->told.name_b = d->objects_b[i];
	}
	for (size_t i = 0; i < d->instances.n; i++) {
		const struct ompp_diff_instance *l = &d->instances.list[i];
		struct ompp_compared *s = &d->subjects[instance_subject(d, i)];

		s->kind = OMPP_COMPARED_INSTANCE;
		s->index = (uint32_t)i;
		s->told.name_a = instance_name(d, d->objects_a[l->object], l->order);
		s->told.name_b = instance_name(d, d->objects_b[l->object], l->order);
		if (!s->told.name_a || !s->told.name_b)
			return -ENOMEM;
	}
	return 0;
}

static int64_t diff_waiting(const struct ompp_cell *cell)
{
	if (cell->exit_bar_ns == OMPP_MISSING)
		return OMPP_MISSING;
	return ompp_add(cell->enter_ns, cell->exit_bar_ns);
}

static int has_waiting(enum ompp_construct construct)
{
	int form = ompp_constructs[construct].form;

	return form != OMPP_FORM_PLAIN && !ompp_form_has_bytes(form) && form != OMPP_FORM_TASK &&
	       form != OMPP_FORM_TASKS && form != OMPP_FORM_WAIT;
}

/* Adds the bytes that the clauses of a construct map; only those for a device have such. */
static void add_mapped(struct ompp_diff_values *d, size_t run, size_t subject, int construct,
                       const struct ompp_cell *cell)
{
	if (ompp_constructs[construct].form != OMPP_FORM_TARGET)
		return;
	diff_add(d, subject, TO_BYTES, run, cell->to_bytes);
	diff_add(d, subject, FROM_BYTES, run, cell->from_bytes);
}

/* A region that a run did not enter took no time there, and no execution, and mapped nothing. */
static void fill_unentered(struct ompp_diff_values *d, size_t run)
{
	for (uint32_t i = 0; i < d->n_regions; i++)
		for (int tasks = 0; tasks < 2; tasks++) {
			size_t subject = ompp_diff_region_subject(i, tasks);
			enum ompp_construct construct = tasks ? OMPP_TASKEXEC : d->regions[i].construct;

			if (tasks && !ompp_construct_makes_tasks(d->regions[i].construct))
				continue;
			diff_set(d, subject, EXEC_T, run, 0);
			diff_set(d, subject, EXEC_C, run, 0);
			add_mapped(d, run, subject, (int)construct, &(struct ompp_cell){ 0 });
			if (has_waiting(construct))
				diff_set(d, subject, WAIT_T, run, 0);
			for (size_t k = SYNCH; k <= MGMT && ompp_construct_is_parallel(construct); k++)
				diff_set(d, subject, k, run, 0);
		}
}

static int take_regions(struct ompp_diff_values *d, size_t run)
{
	const struct ompp_analysis *a = &d->analyses[run];
	const struct ompp_profile *p = a->profile;
	struct ompp_flat flat;

	if (ompp_flat(a, &flat))
		return -ENOMEM;
	fill_unentered(d, run);
	for (size_t i = 0; i < flat.n; i++) {
		const struct ompp_flat_line *line = &flat.lines[i];
		size_t subject = ompp_diff_region_subject(d->region_of[run][line->region],
		                                          line->construct == OMPP_TASKEXEC);

		diff_add(d, subject, EXEC_T, run, line->cell.exec_ns);
		add_variance(d, subject, EXEC_T, run, line->cell.n_untimed ? line->cell.error_ns : 0);
		diff_add(d, subject, EXEC_C, run, ompp_count(line->cell.n_exec));
		add_mapped(d, run, subject, (int)line->construct, &line->cell);
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
	return a->measured_ns > 0 ? fmin((fmax(off_ns, queued_ns) + OMPP_DIFF_SLICE_NS) / (double)a->measured_ns, 1)
	                          : 0;
}

static void take_classes(struct ompp_diff_values *d, size_t run, size_t subject, const struct ompp_parallel *parallel)
{
	for (size_t k = 0; k < OMPP_N_OVERHEADS; k++) {
		diff_set(d, subject, SYNCH + k, run, parallel->overhead_ns[k]);
		add_variance(d, subject, SYNCH + k, run, parallel->error_ns[k]);
	}
}

static int take_program(struct ompp_diff_values *d, size_t run)
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
		take_classes(d, run, ompp_diff_region_subject(d->region_of[run][c.list[i].region], 0), &c.list[i]);
	return 0;
}

/* Takes the samples of an object.  The same accesses could have given one sample more or less, even if there is none;
 * so the variance is that of one sample more.  The mean of few latencies is not used. */
static void take_samples(struct ompp_diff_values *d, size_t run, size_t subject, const struct ompp_sampled_sum *sum)
{
	double period = (double)d->profiles[run].sample_period;
	int64_t mean = sum->n_timed < OMPP_LEAST_SAMPLES ? OMPP_MISSING : ompp_sampled_mean(sum);
	int64_t error = ompp_sampled_mean_error(sum);

	*ompp_diff_value(d, subject, SAMPLED, run) = (double)sum->estimate;
	*ompp_diff_variance(d, subject, SAMPLED, run) = (double)sum->variance + period * (period - 1);
	if (mean == OMPP_MISSING || error == OMPP_MISSING)
		return;
	*ompp_diff_value(d, subject, LATENCY, run) = (double)mean / 1000;
	*ompp_diff_variance(d, subject, LATENCY, run) = (double)error * (double)error / 1e6;
}

/* Sums up the accesses to each object, and the samples of them. */
static int take_objects(struct ompp_diff_values *d, size_t run)
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
static void take_instance(struct ompp_diff_values *d, size_t run, size_t subject, const struct ompp_instance *l,
                          double *left)
{
	const int64_t values[] = { l->loads, l->stores, l->atomics,
		                   ompp_add(ompp_add(l->load_bytes, l->store_bytes), l->atomic_bytes) };
	double period = (double)d->profiles[run].sample_period;

	diff_set(d, subject, SIZE, run, l->bytes);
	for (size_t m = LOADS; m <= BYTES && !l->is_partial; m++) {
		diff_set(d, subject, m, run, values[m - LOADS]);
		left[m - LOADS] -= *ompp_diff_value(d, subject, m, run);
	}
	if (!d->profiles[run].sample_source[0])
		return;
	*ompp_diff_value(d, subject, SAMPLED, run) = (double)l->estimate;
	*ompp_diff_variance(d, subject, SAMPLED, run) = (double)l->variance + period * (period - 1);
}

/* Takes the values in a run of all instances of the object of the instance at `from`.  Returns the end of these
 * instances. */
static size_t take_instances_of(struct ompp_diff_values *d, size_t run, size_t from)
{
	const struct ompp_diff_instances *all = &d->instances;
	double left[BYTES - LOADS + 1];
	size_t end;

	for (size_t m = LOADS; m <= BYTES; m++)
		left[m - LOADS] = *ompp_diff_value(d, object_subject(d, all->list[from].object), m, run);
	for (end = from; end < all->n && all->list[end].object == all->list[from].object; end++)
		if (all->list[end].of[run])
			take_instance(d, run, instance_subject(d, end), all->list[end].of[run], left);
	for (size_t i = from; i < end; i++)
		for (size_t m = LOADS; m <= BYTES && !all->list[i].of[run]; m++)
			if (d->profiles[run].hooked && left[m - LOADS] >= 0)
				*ompp_diff_at_most(d, instance_subject(d, i), m, run) = left[m - LOADS];
	return end;
}

static int take_values(struct ompp_diff_values *d)
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

int ompp_diff_values_take(struct ompp_diff_values *d, const struct ompp_profile *profiles, size_t n_a, size_t n_runs,
                          const struct ompp_diff_options *options, struct ompp_arena *arena)
{
	struct ompp_report_options all = { 0 };
	int rc = 0;

	*d = (struct ompp_diff_values){ .arena = arena, .profiles = profiles, .n_a = n_a, .n_runs = n_runs };
	d->analyses = ompp_arena_alloc(arena, n_runs * sizeof(*d->analyses));
	if (!d->analyses)
		return -ENOMEM;
	for (size_t i = 0; i < n_runs && !rc; i++)
		rc = ompp_analysis_init(&d->analyses[i], &profiles[i], &all, arena);
	if (!rc)
		rc = find_subjects(d);
	if (!rc)
		rc = choose_objects(d, options);
	if (!rc)
		rc = name_subjects(d);
	return rc ? rc : take_values(d);
}

struct ompp_diff_measure ompp_diff_measure(const struct ompp_diff_values *d, size_t measure)
{
	const struct ompp_metric *counter = measure < N_MEASURES ? NULL : d->counters[measure - N_MEASURES];

	if (!counter)
		return measures[measure];
	return (struct ompp_diff_measure){ counter->name, counter->unit[0] ? counter->unit : "1", OMPP_DIFF_COUNTERS,
		                           counter->certainty, 0 };
}

const double *ompp_diff_times(const struct ompp_diff_values *d, size_t subject)
{
	return ompp_diff_value(d, subject, subject ? EXEC_T : WALL, 0);
}
