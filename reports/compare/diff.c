/*
 * Diff: see diff.h.
 */
#include "reports/compare/diff.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/compare/diff_tree.h"
#include "reports/compare/diff_values.h"
#include "runtime/base/array.h"
#include "runtime/base/sort.h"

/* A time is not tested if on both sides it is below this share of all threads' time: with tests of thousands of short
 * regions, the correction would hide what matters. */
static const double least_share = 0.001;

enum { LEAST_RUNS = 3 };

/* The part of the time taken by others that is not seen. */
static const double unseen = 0.1;

/* If others may have taken this share of the runs, a note says that the runs are too short, or the machine too busy, to
 * be compared. */
static const double most_of_others = 0.05;

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

static double mean_capacity(const struct ompp_diff_values *d)
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
static size_t n_draws(const struct ompp_diff_values *d, size_t from, size_t end)
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
static double least_of_samples(struct ompp_diff_values *d, size_t subject, size_t measure, size_t from, size_t end)
{
	double sum = 0;
	size_t n = 0;

	for (size_t run = from; run < end; run++)
		if (!isnan(*ompp_diff_variance(d, subject, measure, run))) {
			sum += *ompp_diff_variance(d, subject, measure, run);
			n++;
		}
	return n ? sum / (double)n / (double)n_draws(d, from, end) : NAN;
}

/* Returns the mean of the runs [from, end). */
static double mean_of(struct ompp_diff_values *d, size_t subject, size_t measure, size_t from, size_t end)
{
	return ompp_sample_of(ompp_diff_value(d, subject, measure, from), end - from).mean;
}

/* Returns the mean share of wall time that runs [from, end) may have lost to others. */
static double share_of_others(const struct ompp_diff_values *d, size_t from, size_t end)
{
	double share = 0;

	for (size_t run = from; run < end; run++)
		share += d->disturbed[run] / (double)(end - from);
	return share;
}

/* Returns the relative error of a time due to other programs: the difference of their shares in the runs of both sides,
 * and a part of all they took, as they also evict caches and are not seen everywhere.  All runs of a side may have the
 * same error, so more runs do not reduce it. */
static double error_by_others(const struct ompp_diff_values *d)
{
	double a = share_of_others(d, 0, d->n_a), b = share_of_others(d, d->n_a, d->n_runs);

	return fabs(a - b) + unseen * fmax(a, b);
}

/* Returns the variance of a mean time due to other programs.  For waiting, the error is that of the work before it,
 * however long the wait is. */
static double least_of_times(struct ompp_diff_values *d, size_t subject, size_t measure, size_t from, size_t end)
{
	double mean = mean_of(d, subject, measure, from, end);

	mean = fmax(mean, ompp_sample_of(ompp_diff_times(d, subject) + from, end - from).mean);
	return pow(mean * error_by_others(d), 2);
}

/* Sets the lower bounds of the variances of a row's means.  A single run per side shows the errors of its samples, but
 * neither how latencies vary between runs, nor accesses of the program that only the processor sees. */
static void set_least(struct ompp_diff_values *d, struct ompp_diff_row *row, size_t subject, size_t measure)
{
	struct ompp_sample *sides[] = { &row->a, &row->b };
	int are_single = d->n_runs == 2, is_latency = ompp_diff_measure(d, measure).is_latency;

	for (size_t i = 0; i < OMPP_COUNT_OF(sides); i++) {
		size_t from = i ? d->n_a : 0, end = i ? d->n_runs : d->n_a;

		if (row->is_time && row->a.n > 1 && row->b.n > 1)
			sides[i]->least = fmax(least_of_times(d, subject, measure, from, end),
			                       least_of_samples(d, subject, measure, from, end));
		if (row->is_time || row->certainty != OMPP_SAMPLED ||
		    (are_single && (is_latency || strcmp(d->profiles[0].sample_source, "hook"))))
			continue;
		sides[i]->least = least_of_samples(d, subject, measure, from, end);
		if (is_latency)
			sides[i]->least += pow(sides[i]->mean * error_by_others(d), 2);
	}
}

/* Compares the values of a row, as far as they and their own errors can tell. */
static void diff_compare(struct ompp_diff_values *d, struct ompp_diff_row *row, size_t subject, size_t measure,
                         double level)
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

static void diff_judge(struct ompp_diff_values *d, struct ompp_diff_row *row, size_t subject, size_t measure,
                       double level, double capacity_ns)
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
static double most_of(struct ompp_diff_values *d, size_t subject, size_t measure, size_t from, size_t end)
{
	double most = 0;

	for (size_t run = from; run < end; run++) {
		double bound = *ompp_diff_at_most(d, subject, measure, run);

		most = isnan(bound) || isnan(most) ? NAN : fmax(most, bound);
	}
	return most;
}

/* Judges a row of an instance that does not stand out in each run.  If one side has a bound and the other a count, the
 * change is within an interval; it is certain if the interval does not contain 0. */
static void judge_bounds(struct ompp_diff_values *d, struct ompp_diff_row *row, size_t subject, size_t measure)
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
static int is_wanted(const struct ompp_diff_values *d, const struct ompp_compared *s)
{
	return s->kind == OMPP_COMPARED_OBJECT ? d->is_wanted[s->index] : 1;
}

/* Does any run have sampling errors for this measure? */
static int is_sampled(struct ompp_diff_values *d, size_t subject, size_t measure)
{
	for (size_t run = 0; run < d->n_runs; run++)
		if (!isnan(*ompp_diff_variance(d, subject, measure, run)))
			return 1;
	return 0;
}

static enum ompp_diff_group group_of(const struct ompp_compared *s, const struct ompp_diff_measure *measure)
{
	if (measure->group == OMPP_DIFF_COUNTERS)
		return OMPP_DIFF_COUNTERS;
	if (s->kind == OMPP_COMPARED_INSTANCE)
		return OMPP_DIFF_INSTANCES;
	return s->kind == OMPP_COMPARED_PROGRAM && measure->group == OMPP_DIFF_CLASSES ? OMPP_DIFF_PROGRAM
	                                                                               : measure->group;
}

static int make_rows(struct ompp_diff_values *d, struct ompp_diff *diff)
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
			struct ompp_diff_measure measure = ompp_diff_measure(d, m);

			*row = (struct ompp_diff_row){ .group = group_of(&d->subjects[s], &measure),
				                       .subject = told,
				                       .measure = measure.name,
				                       .unit = measure.unit,
				                       .certainty = measure.certainty,
				                       .values = ompp_diff_value(d, s, m, 0),
				                       .at_most_a = NAN,
				                       .at_most_b = NAN };
			row->is_time = !strcmp(row->unit, "ns") && measure.group != OMPP_DIFF_COUNTERS;
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

static int sort_rows(struct ompp_diff_values *d, struct ompp_diff *diff)
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
static int diff_correct(struct ompp_diff_values *d, struct ompp_diff *diff)
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
static int find_lonely(struct ompp_diff_values *d, struct ompp_diff *diff)
{
	diff->only_a = ompp_arena_alloc(d->arena, (d->n_subjects + 1) * sizeof(*diff->only_a));
	diff->only_b = ompp_arena_alloc(d->arena, (d->n_subjects + 1) * sizeof(*diff->only_b));
	if (!diff->only_a || !diff->only_b)
		return -ENOMEM;
	for (size_t s = 0; s < d->n_subjects; s++) {
		struct ompp_diff_subject *told = &d->subjects[s].told;
		const double *times = ompp_diff_times(d, s);
		struct ompp_sample a = ompp_sample_of(times, d->n_a);
		struct ompp_sample b = ompp_sample_of(times + d->n_a, d->n_runs - d->n_a);

		told->ns_a = a.n ? llround(a.mean) : OMPP_MISSING;
		told->ns_b = b.n ? llround(b.mean) : OMPP_MISSING;
		if (d->subjects[s].kind != OMPP_COMPARED_REGION)
			continue;
		if (told->name_a && !told->name_b)
			diff->only_a[diff->n_only_a++] = told;
		if (told->name_b && !told->name_a)
			diff->only_b[diff->n_only_b++] = told;
	}
	return 0;
}

/* Says why times cannot be compared well, as a sentence. */
static void add_notes(const struct ompp_diff_values *d, struct ompp_diff *diff)
{
	double a = share_of_others(d, 0, d->n_a), b = share_of_others(d, d->n_a, d->n_runs), wall_ns = INFINITY;

	for (size_t run = 0; run < d->n_runs; run++)
		wall_ns = fmin(wall_ns, (double)d->analyses[run].measured_ns);
	diff->others_a = a;
	diff->others_b = b;
	if (wall_ns > 0 && OMPP_DIFF_SLICE_NS / wall_ns > most_of_others)
		diff->notes[diff->n_notes++] = "Runs are too short to compare times well: one loss of a processor, 3 "
					       "ms, is a large part of them, "
					       "and only large changes are sure. Give the program more work";
	else if (fmax(a, b) > most_of_others)
		diff->notes[diff->n_notes++] =
			"The machine was too busy to compare times well: threads waited for a processor, and only "
			"large changes are sure. Measure when nothing else runs, or with fewer threads";
	if (d->n_a < LEAST_RUNS || d->n_runs - d->n_a < LEAST_RUNS)
		diff->notes[diff->n_notes++] =
			d->n_a < 2 || d->n_runs - d->n_a < 2
				? "Runs are too few to compare times: one run of a side tells nothing of chance. Give "
				  "five"
				: "Runs are few: of two on a side only large changes are sure. Give five";
}

/* Compares the times of each call path, as far as they and other programs can tell. */
static int compare_paths(struct ompp_diff_values *d, struct ompp_diff *diff)
{
	struct ompp_diff_tree *tree = &diff->tree;
	double error = error_by_others(d), *p;
	size_t *order;
	int rc = ompp_diff_tree_make(d, tree);

	if (rc)
		return rc;
	p = ompp_arena_alloc(d->arena, tree->n * sizeof(*p));
	order = ompp_arena_alloc(d->arena, tree->n * sizeof(*order));
	if (!p || !order)
		return -ENOMEM;
	for (size_t i = 0; i < tree->n; i++) {
		struct ompp_diff_node *node = &tree->nodes[i];

		if (node->a.n > 1 && node->b.n > 1) {
			node->a.least = pow(node->a.mean * error, 2);
			node->b.least = pow(node->b.mean * error, 2);
		}
		node->difference = ompp_welch(&node->a, &node->b, diff->level);
		p[i] = node->difference.p;
	}
	ompp_holm(p, tree->n, order);
	for (size_t i = 0; i < tree->n; i++)
		tree->nodes[i].is_sure = p[i] <= diff->level;
	return 0;
}

int ompp_diff(const struct ompp_profile *profiles, size_t n_a, size_t n_b, const struct ompp_diff_options *options,
              struct ompp_arena *arena, struct ompp_diff *diff)
{
	struct ompp_diff_values d;
	int rc;

	memset(diff, 0, sizeof(*diff));
	diff->n_a = n_a;
	diff->n_b = n_b;
	diff->level = options->level;
	rc = ompp_diff_values_take(&d, profiles, n_a, n_a + n_b, options, arena);
	diff->unmatched = d.instances.unmatched;
	diff->n_unmatched = d.instances.n_unmatched;
	if (!rc)
		add_notes(&d, diff);
	if (!rc)
		rc = make_rows(&d, diff);
	if (!rc)
		rc = diff_correct(&d, diff);
	if (!rc)
		rc = sort_rows(&d, diff);
	if (!rc)
		rc = compare_paths(&d, diff);
	return rc ? rc : find_lonely(&d, diff);
}
