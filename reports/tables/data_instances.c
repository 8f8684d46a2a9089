/*
 * Data instances: see data_instances.h.
 */
#include "reports/tables/data_instances.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/analysis/traffic.h"
#include "reports/tables/sampled.h"
#include "reports/tables/table_region.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { TEXT_BYTES = 400, MOST_REMARKS = 5 };

/* A block stands out when it has so many times the average share of the accesses, and at least so many per cent of
 * them. */
enum { LEAST_TIMES_PART = 4, LEAST_PERCENT = 20 };

/* Sums over all blocks of an object. */
struct whole {
	int64_t accesses; /* that were counted; OMPP_MISSING when none were */
	int64_t bytes;    /* that these moved */
	int64_t estimate; /* of accesses, by samples; its variance, and how many samples */
	int64_t variance, n_samples;
	int64_t misses[OMPP_ACCESS_LEVELS]; /* modelled */
	const struct ompp_allocation *of;
};

struct section {
	const struct ompp_data_section *data;
	const struct ompp_profile *profile;
	struct whole *wholes; /* by object */
	int is_counted, is_sampled;
};

static int64_t accesses_of(const struct ompp_instance *l)
{
	return ompp_add(ompp_add(l->loads, l->stores), l->atomics);
}

static int64_t bytes_of(const struct ompp_instance *l)
{
	return ompp_add(ompp_add(l->load_bytes, l->store_bytes), l->atomic_bytes);
}

/* Returns the cost of an instance: its accesses if they were counted, else their estimate from samples. */
static int64_t cost_of(const struct section *s, const struct ompp_instance *l)
{
	return s->is_counted ? accesses_of(l) : l->estimate;
}

static int64_t cost_of_whole(const struct section *s, uint32_t object)
{
	return s->is_counted ? s->wholes[object].accesses : s->wholes[object].estimate;
}

static int data_instances_start(struct section *s, const struct ompp_data_section *d)
{
	const struct ompp_profile *p = d->usage.profile;

	*s = (struct section){
		.data = d, .profile = p, .is_counted = p->hooked, .is_sampled = p->sample_source[0] != 0
	};
	s->wholes = ompp_analysis_array(d->usage.analysis, p->n_objects + 1, sizeof(*s->wholes), 0);
	if (!s->wholes)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_accesses; i++) {
		const struct ompp_access *a = &p->accesses[i];
		struct whole *w = &s->wholes[a->object];

		w->accesses = ompp_add(w->accesses, a->values[OMPP_ACCESS_ALL]);
		for (int k = OMPP_ACCESS_LOAD_BYTES; k <= OMPP_ACCESS_ATOMIC_BYTES; k++)
			w->bytes = ompp_add(w->bytes, a->values[k]);
		for (int k = 0; k < OMPP_ACCESS_LEVELS; k++)
			w->misses[k] = ompp_add(w->misses[k], a->values[OMPP_ACCESS_L1_MISSES + k]);
	}
	for (size_t i = 0; i < p->n_samples; i++) {
		struct whole *w = &s->wholes[p->samples[i].object];

		w->estimate = ompp_add(w->estimate, p->samples[i].sum.estimate);
		w->variance = ompp_add(w->variance, p->samples[i].sum.variance);
		w->n_samples = ompp_add(w->n_samples, ompp_count(p->samples[i].sum.n));
	}
	for (size_t i = p->n_allocations; i-- > 0;)
		if (p->allocations[i].object != OMPP_NONE)
			s->wholes[p->allocations[i].object].of = &p->allocations[i];
	return 0;
}

/* The costliest object comes first, and of an object the costliest instance; of equal ones the first allocated. */
static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct section *s = context;
	const struct ompp_instance *a = &s->profile->instances[x], *b = &s->profile->instances[y];
	int64_t of_a = cost_of_whole(s, a->object), of_b = cost_of_whole(s, b->object);

	if (a->object != b->object)
		return of_a != of_b ? of_a < of_b : a->object > b->object;
	return cost_of(s, a) != cost_of(s, b) ? cost_of(s, a) < cost_of(s, b) : x > y;
}

/* ---- the table ---- */

static int has_level(const struct section *s, int level)
{
	return s->profile->n_instances && s->profile->instances[0].misses[level] != OMPP_MISSING;
}

static void data_instances_columns(const struct section *s, struct ompp_table *table)
{
	enum ompp_where counted = s->is_counted ? OMPP_IN_BOTH : OMPP_IN_RECORDS,
			sampled = s->is_sampled ? OMPP_IN_BOTH : OMPP_IN_RECORDS;

	ompp_table_left_column(table, "instance of", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "number", "size");
	ompp_table_left_column(table, "TID", OMPP_IN_BOTH);
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "begin", "end");
	ompp_table_left_column(table, "counted", OMPP_IN_BOTH);
	ompp_table_column(table, "accesses", counted);
	ompp_table_column(table, "(%)", counted);
	ompp_table_column(table, "loads", counted);
	ompp_table_column(table, "stores", counted);
	ompp_table_column(table, "atomics", OMPP_IN_RECORDS);
	ompp_table_column(table, "bytes", counted);
	ompp_table_column(table, "samples", sampled);
	ompp_table_column(table, "~accesses", sampled);
	ompp_table_column(table, "~accesses +-", sampled);
	ompp_table_column(table, "~accesses (%)", sampled);
	ompp_table_column(table, s->data->is_text ? "memory %~" : "memory share", sampled);
	ompp_table_column(table, s->data->is_text ? "+-" : "memory share +-", sampled);
	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++)
		ompp_table_column(table, ompp_traffic_title((enum ompp_traffic_kind)(OMPP_TRAFFIC_L1 + i)),
		                  has_level(s, i) ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	ompp_table_column(table, "address", OMPP_IN_RECORDS);
}

static void share(struct ompp_table *table, int64_t part, int64_t whole)
{
	ompp_table_number(table, OMPP_KIND_SHARE,
	                  part == OMPP_MISSING || whole == OMPP_MISSING || whole <= 0 || part > whole
	                          ? OMPP_MISSING
	                          : ompp_share(part, whole));
}

/* Returns "all" if all its accesses are in its own counts, "part" if some may be only in those of the object. */
static const char *counted_text(const struct section *s, const struct ompp_instance *l)
{
	return !s->is_counted ? "-" : l->is_partial ? "part" : "all";
}

static void samples(const struct section *s, int64_t n, int64_t estimate, int64_t variance, uint32_t object,
                    struct ompp_table *table)
{
	ompp_table_number(table, OMPP_KIND_METRIC, s->is_sampled ? n : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, s->is_sampled ? estimate : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC,
	                  s->is_sampled && variance != OMPP_MISSING ? (int64_t)ompp_root((unsigned __int128)variance)
	                                                            : OMPP_MISSING);
	share(table, s->is_sampled ? estimate : OMPP_MISSING, s->wholes[object].estimate);
}

/* Puts the share of accesses that memory served, among the samples whose level is known, and its error. */
static void data_instances_memory(const struct section *s, const struct ompp_instance *l, struct ompp_table *table)
{
	int64_t share = OMPP_MISSING, error = OMPP_MISSING;

	if (l && l->known > 0) {
		share = ompp_share(l->memory, l->known);
		error = ompp_sample_stats_cost_error(l->memory, (unsigned __int128)l->memory_variance, l->known,
		                                     (unsigned __int128)l->known_variance);
	}
	ompp_sampled_share(share, error, s->data->is_text, table);
}

static void data_instances_line(const struct section *s, const struct ompp_instance *l, struct ompp_table *table)
{
	const struct ompp_profile *p = s->profile;
	const struct ompp_object_part part = { .key = l->region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)l->region };

	ompp_table_text(table, p->objects[l->object].name);
	ompp_table_number(table, OMPP_KIND_METRIC, l->order);
	ompp_table_number(table, OMPP_KIND_METRIC, l->bytes);
	ompp_table_text(table, l->row == OMPP_NONE ? "-" : p->rows[ompp_thread_row(p, l->row)].label);
	ompp_data_region_values(s->data, &part, table);
	ompp_table_number(table, OMPP_KIND_TIME, l->begun_ns);
	if (l->is_live)
		ompp_table_text(table, "live");
	else
		ompp_table_number(table, OMPP_KIND_TIME, l->ended_ns);
	ompp_table_text(table, counted_text(s, l));
	ompp_table_number(table, OMPP_KIND_METRIC, accesses_of(l));
	share(table, accesses_of(l), s->wholes[l->object].accesses);
	ompp_table_number(table, OMPP_KIND_METRIC, l->loads);
	ompp_table_number(table, OMPP_KIND_METRIC, l->stores);
	ompp_table_number(table, OMPP_KIND_METRIC, l->atomics);
	ompp_table_number(table, OMPP_KIND_METRIC, bytes_of(l));
	samples(s, ompp_count(l->n_samples), l->estimate, l->variance, l->object, table);
	data_instances_memory(s, l, table);
	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++)
		ompp_table_number(table, OMPP_KIND_METRIC, l->misses[i]);
	ompp_table_number(table, OMPP_KIND_METRIC, l->address);
}

static int64_t data_instances_without(int64_t sum, int64_t part)
{
	return sum == OMPP_MISSING || part == OMPP_MISSING || part > sum ? OMPP_MISSING : sum - part;
}

/* Puts the sum of the object's blocks that have no line of their own. */
static void data_instances_rest(const struct section *s, uint32_t object, const uint32_t *order, size_t n,
                                struct ompp_table *table)
{
	const struct whole *w = &s->wholes[object];
	int64_t accesses = w->accesses, bytes = w->bytes, estimate = w->estimate;
	int64_t variance = w->variance, n_samples = w->n_samples;
	int64_t misses[OMPP_ACCESS_LEVELS] = { w->misses[0], w->misses[1], w->misses[2] };
	uint64_t n_others = w->of && w->of->n_blocks > n ? w->of->n_blocks - n : 0;

	if (!n_others)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct ompp_instance *l = &s->profile->instances[order[i]];

		accesses = data_instances_without(accesses, accesses_of(l));
		bytes = data_instances_without(bytes, bytes_of(l));
		estimate = data_instances_without(estimate, l->estimate);
		/* each sample is of one block only, so variances subtract */
		variance = data_instances_without(variance, l->variance);
		n_samples = data_instances_without(n_samples, ompp_count(l->n_samples));
		for (int k = 0; k < OMPP_ACCESS_LEVELS; k++)
			misses[k] = data_instances_without(misses[k], l->misses[k]);
	}
	ompp_table_text(table, ompp_data_more_text(s->data, n_others));
	for (int i = 0; i < 2; i++)
		ompp_table_number(table, OMPP_KIND_METRIC, OMPP_MISSING);
	ompp_table_text(table, "-");
	ompp_data_region_values(s->data, NULL, table);
	ompp_table_number(table, OMPP_KIND_TIME, OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_TIME, OMPP_MISSING);
	ompp_table_text(table, "-");
	ompp_table_number(table, OMPP_KIND_METRIC, s->is_counted ? accesses : OMPP_MISSING);
	share(table, s->is_counted ? accesses : OMPP_MISSING, w->accesses);
	for (int i = 0; i < 3; i++)
		ompp_table_number(table, OMPP_KIND_METRIC, OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, s->is_counted ? bytes : OMPP_MISSING);
	samples(s, n_samples, estimate, variance, object, table);
	data_instances_memory(s, NULL, table);
	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++)
		ompp_table_number(table, OMPP_KIND_METRIC, misses[i]);
	ompp_table_number(table, OMPP_KIND_METRIC, OMPP_MISSING);
}

static size_t end_of(const struct section *s, const uint32_t *order, size_t from, size_t n)
{
	size_t i = from + 1;

	while (i < n && s->profile->instances[order[i]].object == s->profile->instances[order[from]].object)
		i++;
	return i;
}

static int put_table(const struct section *s, const uint32_t *order, size_t n, struct ompp_sheet *sheet)
{
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "instances",
	                 s->is_counted ? "Instances: blocks of an object that stand out by accesses, samples or size; "
	                                 "(%) of the object's:"
	                               : "Instances: blocks of an object that stand out by samples or size; (%) of the "
	                                 "object's:");
	data_instances_columns(s, &sheet->table);
	for (size_t i = 0, end; i < n; i = end) {
		end = end_of(s, order, i, n);
		for (size_t k = i; k < end; k++)
			data_instances_line(s, &s->profile->instances[order[k]], &sheet->table);
		if (s->data->is_text)
			data_instances_rest(s, s->profile->instances[order[i]].object, order + i, end - i,
			                    &sheet->table);
	}
	return sheet->put(sheet);
}

/* ---- sentences ---- */

static void put_count(struct ompp_text *t, const char *before, uint64_t n, const char *behind)
{
	ompp_text_str(t, before);
	ompp_text_grouped(t, ompp_count(n));
	ompp_text_str(t, behind);
}

/* Says how many of an object's blocks the table covers: "Of the 1 240 blocks of x 1 024 were counted each by itself; 40
 * are smaller than OMPP_OBJECT_MIN; 176 came when OMPP_INSTANCES were counted already." */
static int say_losses(const struct section *s, uint32_t object, struct ompp_sheet *sheet)
{
	const struct ompp_allocation *a = s->wholes[object].of;
	char buffer[TEXT_BYTES];
	struct ompp_text t;

	if (!a || a->n_told == a->n_blocks)
		return 0;
	ompp_text_init(&t, buffer, sizeof(buffer));
	put_count(&t, "Of the ", a->n_blocks, " blocks of ");
	ompp_text_str(&t, ompp_data_name(s->data, object));
	put_count(&t, " ", a->n_told, " were told apart");
	if (a->n_blocks > a->n_large)
		put_count(&t, ", ", a->n_blocks - a->n_large, " are smaller than OMPP_OBJECT_MIN");
	if (a->n_large > a->n_told)
		put_count(&t, ", ", a->n_large - a->n_told,
		          " came while as many as OMPP_INSTANCES allows were told apart");
	ompp_text_str(&t, "; what is not told apart is in the sum of the object alone.");
	return ompp_data_remark(ompp_arena_strdup(s->data->usage.analysis->arena, buffer), sheet);
}

/* Does a block have so much more than its share that the object's sum is misleading? */
static int data_instances_leads(const struct section *s, const struct ompp_instance *l)
{
	const struct ompp_allocation *a = s->wholes[l->object].of;
	int64_t cost = cost_of(s, l), whole = cost_of_whole(s, l->object);

	return a && a->n_blocks > 1 && cost != OMPP_MISSING && whole != OMPP_MISSING && whole > 0 && cost <= whole &&
	       cost / LEAST_PERCENT >= whole / 100 &&
	       (unsigned __int128)cost * a->n_blocks >= (unsigned __int128)whole * LEAST_TIMES_PART;
}

static int say_leader(const struct section *s, const struct ompp_instance *l, struct ompp_sheet *sheet)
{
	char buffer[TEXT_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	put_count(&t, "One of the ", s->wholes[l->object].of->n_blocks, " blocks of ");
	ompp_text_str(&t, ompp_data_name(s->data, l->object));
	if (l->order != OMPP_MISSING) {
		ompp_text_str(&t, ", number ");
		ompp_text_grouped(&t, l->order);
		ompp_text_char(&t, ',');
	}
	put_count(&t, " has ", (uint64_t)(ompp_share(cost_of(s, l), cost_of_whole(s, l->object)) / 10000000),
	          s->is_counted ? " % of their accesses" : " % of their sampled accesses");
	ompp_text_str(&t, "; 'ompp report --instances' shows which blocks stand out.");
	return ompp_data_remark(ompp_arena_strdup(s->data->usage.analysis->arena, buffer), sheet);
}

int ompp_data_instances(const struct ompp_data_section *d, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = d->usage.analysis;
	const struct ompp_profile *p = d->usage.profile;
	int is_wanted = !d->is_text || a->instances, rc, n_remarks = 0;
	uint32_t *order;
	struct section s;
	size_t n = 0;

	if (!p->n_instances || data_instances_start(&s, d))
		return p->n_instances ? -ENOMEM : 0;
	order = ompp_analysis_array(a, p->n_instances, sizeof(*order), 0);
	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_instances; i++)
		if (a->traffic && a->traffic->shown[p->instances[i].object])
			order[n++] = i;
	if (!n)
		return 0;
	ompp_sort(order, n, is_after, &s);
	rc = is_wanted ? put_table(&s, order, n, sheet) : 0;
	for (size_t i = 0; i < n && !rc && d->is_text; i = end_of(&s, order, i, n))
		if (is_wanted)
			rc = say_losses(&s, p->instances[order[i]].object, sheet);
		else if (n_remarks < MOST_REMARKS && data_instances_leads(&s, &p->instances[order[i]]) && ++n_remarks)
			rc = say_leader(&s, &p->instances[order[i]], sheet);
	return rc;
}
