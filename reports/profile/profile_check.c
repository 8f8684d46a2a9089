/*
 * Profile check: see profile_check.h.
 */
#include "reports/profile/profile_check.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/histogram.h"
#include "runtime/ompp_mem.h"

/* Longer times, of over a hundred years, are damage.  So no sum of a few of them can overflow. */
#define MAX_NS (INT64_MAX / 2)

enum { MOST_SLICES = 1 << 16 };

static void profile_check_clamp(int64_t *ns)
{
	if (*ns > MAX_NS)
		*ns = MAX_NS;
	if (*ns < -MAX_NS)
		*ns = -MAX_NS;
}

size_t ompp_valid_regions(const struct ompp_region *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if ((unsigned int)r[i].construct >= OMPP_N_CONSTRUCTS || r[i].construct == OMPP_TASKEXEC ||
		    r[i].id <= (i ? r[i - 1].id : 0))
			break;
	return i;
}

size_t ompp_valid_rows(const struct ompp_row *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i && r[i].host < r[i - 1].host)
			break;
		if (r[i].parent == OMPP_NONE ? r[i].depth != 1
		                             : r[i].parent >= i || r[i].depth != r[r[i].parent].depth + 1 ||
		                                       r[i].host != r[r[i].parent].host)
			break;
	}
	return i;
}

size_t ompp_valid_metrics(const struct ompp_metric *m, size_t n)
{
	size_t i;

	for (i = 0; i < n && (unsigned int)m[i].certainty <= OMPP_NOT_COUNTED; i++)
		;
	return i;
}

/* A node is valid when its parent, region and cells exist and no other node has these cells.  A range of cells that
 * ends beyond those that were read is cut off. */
size_t ompp_valid_nodes(struct ompp_profile *p, struct ompp_node *node, size_t n, int *repaired)
{
	size_t i, n_cells = 0;

	for (i = 0; i < n; i++) {
		const struct ompp_region *region;

		if (i && (node[i].parent >= i || node[i].region >= p->n_regions))
			break;
		if (!i && node[i].parent != OMPP_NONE)
			break;
		if (i) {
			region = &p->regions[node[i].region];
			if (node[i].construct != region->construct &&
			    !(node[i].construct == OMPP_TASKEXEC && ompp_construct_makes_tasks(region->construct)))
				break;
		}
		if (node[i].n_cells &&
		    (node[i].first_cell >= p->n_cells || node[i].n_cells > p->n_cells - node[i].first_cell)) {
			*repaired = 1;
			node[i].n_cells = node[i].first_cell < p->n_cells ? (uint32_t)p->n_cells - node[i].first_cell
			                                                  : 0;
		}
		for (uint32_t k = 1; k < node[i].n_cells; k++)
			if (p->cells[node[i].first_cell + k].row <= p->cells[node[i].first_cell + k - 1].row) {
				*repaired = 1;
				node[i].n_cells = k;
			}
		n_cells += node[i].n_cells;
		if (n_cells > p->n_cells)
			break;
	}
	return i;
}

static void clamp_known(int64_t *ns)
{
	if (*ns != OMPP_MISSING)
		profile_check_clamp(ns);
}

/* Forgets bounds that do not enclose the cost; files without bounds have such ones. */
static void check_bounds(int64_t cost_ns, int64_t *least_ns, int64_t *most_ns)
{
	profile_check_clamp(least_ns);
	profile_check_clamp(most_ns);
	if (*least_ns < 0 || *least_ns > cost_ns || *most_ns < cost_ns)
		*least_ns = *most_ns = OMPP_MISSING;
}

size_t ompp_valid_cells(const struct ompp_profile *p, struct ompp_cell *c, size_t n)
{
	size_t i;

	for (i = 0; i < n && c[i].row < p->n_rows; i++) {
		int64_t *const times[] = { &c[i].exec_ns,    &c[i].body_ns,     &c[i].enter_ns, &c[i].exit_ns,
			                   &c[i].startup_ns, &c[i].shutdown_ns, &c[i].incl_ns,  &c[i].cost_ns };

		for (size_t k = 0; k < OMPP_COUNT_OF(times); k++)
			profile_check_clamp(times[k]);
		clamp_known(&c[i].exit_bar_ns);
		clamp_known(&c[i].mgmt_ns);
		clamp_known(&c[i].task_ns);
		check_bounds(c[i].cost_ns, &c[i].cost_least_ns, &c[i].cost_most_ns);
		clamp_known(&c[i].error_ns);
		c[i].n_untimed = c[i].n_untimed < c[i].n_exec ? c[i].n_untimed : c[i].n_exec;
	}
	return i;
}

/* They are valid in the order of their nodes, while these exist. */
size_t ompp_valid_numa_values(const struct ompp_profile *p, const struct ompp_numa_value *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i].node >= p->n_nodes || (i && v[i].node < v[i - 1].node) ||
		    (unsigned int)v[i].metric.certainty > OMPP_NOT_COUNTED)
			break;
	return i;
}

/* Forgets a size that is negative, or so large that a sum of a few could overflow. */
static void clamp_size(int64_t *n)
{
	if (*n != OMPP_MISSING && (*n < 0 || *n > MAX_NS))
		*n = OMPP_MISSING;
}

size_t ompp_valid_objects(struct ompp_object *o, size_t n)
{
	size_t i;

	for (i = 0; i < n && (unsigned int)o[i].origin <= OMPP_ORIGIN_FILE; i++) {
		clamp_size(&o[i].bytes);
		if ((unsigned int)o[i].parts >= OMPP_N_PARTS)
			o[i].parts = OMPP_PARTS_UNKNOWN;
	}
	return i;
}

size_t ompp_valid_levels(struct ompp_cache_level *l, size_t n)
{
	size_t i;

	for (i = 0; i < n && i < 3; i++) {
		clamp_size(&l[i].bytes);
		clamp_size(&l[i].ways);
		clamp_size(&l[i].line_bytes);
	}
	return i;
}

/* They are valid in their order, while node, row and object exist and the numbers can be counts. */
size_t ompp_valid_accesses(const struct ompp_profile *p, const struct ompp_access *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (a[i].node >= p->n_nodes || a[i].row >= p->n_rows || a[i].object >= p->n_objects)
			break;
		if (i && (a[i].node != a[i - 1].node ? a[i].node < a[i - 1].node
		          : a[i].row != a[i - 1].row ? a[i].row < a[i - 1].row
		                                     : a[i].object <= a[i - 1].object))
			break;
		for (int k = 0; k < OMPP_N_ACCESS_FIELDS; k++)
			if (a[i].values[k] < 0 && a[i].values[k] != OMPP_MISSING)
				return i;
	}
	return i;
}

size_t ompp_valid_lines(const struct ompp_profile *p, struct ompp_shared_line *l, size_t n)
{
	size_t i;

	for (i = 0; i < n && l[i].object < p->n_objects && l[i].region < p->n_regions; i++)
		clamp_known(&l[i].offset_bytes);
	return i;
}

size_t ompp_valid_patterns(const struct ompp_profile *p, struct ompp_pattern *t, size_t n)
{
	size_t i;

	for (i = 0; i < n && t[i].object < p->n_objects && (t[i].region < p->n_regions || t[i].region == OMPP_NONE);
	     i++) {
		if ((unsigned int)t[i].kind >= OMPP_N_PATTERNS)
			break;
		profile_check_clamp(&t[i].step_bytes);
	}
	return i;
}

/* They are valid in the order of their cells, while these exist.  Times that cannot be are forgotten. */
size_t ompp_valid_waits(const struct ompp_profile *p, struct ompp_wait *w, size_t n)
{
	size_t i;

	for (i = 0; i < n && w[i].cell < p->n_cells && (!i || w[i].cell > w[i - 1].cell); i++) {
		int64_t *const times[] = { &w[i].work_ns,   &w[i].spread_ns, &w[i].off_ns,   &w[i].asleep_ns,
			                   &w[i].looked_ns, &w[i].made_ns,   &w[i].least_ns, &w[i].most_ns };

		for (size_t k = 0; k < OMPP_COUNT_OF(times); k++)
			clamp_size(times[k]);
		for (int k = 0; k < OMPP_N_CAUSES; k++)
			clamp_size(&w[i].cause_ns[k]);
	}
	return i;
}

static int profile_check_compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

/* Returns the first of the comparisons that says that two keys differ. */
static int first_of(const int *comparisons, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (comparisons[i])
			return comparisons[i];
	return 0;
}

int ompp_compare_samples(const struct ompp_sampled *a, const struct ompp_sampled *b)
{
	const int keys[] = {
		profile_check_compare(a->node, b->node),           profile_check_compare(a->row, b->row),
		profile_check_compare(a->object, b->object),       profile_check_compare(a->sum.kind, b->sum.kind),
		profile_check_compare(a->sum.level, b->sum.level), profile_check_compare(a->home, b->home)
	};

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_sample_histogram(const struct ompp_sampled_latency *a, const struct ompp_sampled_latency *b)
{
	const int keys[] = { profile_check_compare(a->sampled, b->sampled),
		             profile_check_compare(a->bucket, b->bucket) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_sample_lines(const struct ompp_sampled_line *a, const struct ompp_sampled_line *b)
{
	const int keys[] = { strcmp(a->file, b->file),
		             profile_check_compare(a->line, b->line),
		             strcmp(a->function, b->function),
		             profile_check_compare(a->object, b->object),
		             profile_check_compare(a->sum.kind, b->sum.kind),
		             profile_check_compare(a->sum.level, b->sum.level) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_first_touches(const struct ompp_first_touch *a, const struct ompp_first_touch *b)
{
	const int keys[] = { profile_check_compare(a->node, b->node),
		             profile_check_compare(a->row, b->row),
		             profile_check_compare(a->object, b->object),
		             profile_check_compare(a->home, b->home),
		             strcmp(a->file, b->file),
		             profile_check_compare(a->line, b->line),
		             strcmp(a->small, b->small) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_uses(const struct ompp_use *a, const struct ompp_use *b)
{
	const int keys[] = { profile_check_compare(a->node, b->node),
		             profile_check_compare(a->row, b->row),
		             profile_check_compare(a->object, b->object),
		             profile_check_compare(a->sum.kind, b->sum.kind),
		             profile_check_compare(a->sum.level, b->sum.level),
		             profile_check_compare(a->home, b->home),
		             profile_check_compare(a->from, b->from),
		             profile_check_compare(a->toucher, b->toucher),
		             profile_check_compare(a->touched_at, b->touched_at),
		             strcmp(a->small, b->small) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

static int compare_wide(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int ompp_compare_spots(const struct ompp_spot *a, const struct ompp_spot *b)
{
	const int keys[] = { profile_check_compare(a->object, b->object), profile_check_compare(a->node, b->node),
		             profile_check_compare(a->row, b->row),       profile_check_compare(a->from, b->from),
		             profile_check_compare(a->block, b->block),   compare_wide(a->page, b->page),
		             compare_wide(a->n_pages, b->n_pages),        profile_check_compare(a->slice, b->slice) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_extents(const struct ompp_extent *a, const struct ompp_extent *b)
{
	const int keys[] = { profile_check_compare(a->object, b->object), profile_check_compare(a->order, b->order) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_placements(const struct ompp_placement *a, const struct ompp_placement *b)
{
	const int keys[] = { profile_check_compare(a->object, b->object), profile_check_compare(a->home, b->home) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_paged(const struct ompp_paged *a, const struct ompp_paged *b)
{
	const int keys[] = { profile_check_compare(a->scope, b->scope), profile_check_compare(a->object, b->object),
		             profile_check_compare(a->region, b->region) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

int ompp_compare_hot_pages(const struct ompp_hot_page *a, const struct ompp_hot_page *b)
{
	uint64_t n = a->loads + a->stores, m = b->loads + b->stores;

	if (n != m)
		return n > m ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

int ompp_compare_page_variables(const struct ompp_page_variable *a, const struct ompp_page_variable *b)
{
	const int keys[] = { profile_check_compare(a->object, b->object), strcmp(a->small, b->small) };

	return first_of(keys, OMPP_COUNT_OF(keys));
}

static int is_count(int64_t n)
{
	return n >= 0 && n <= MAX_NS;
}

static int is_sum(const struct ompp_sampled_sum *s)
{
	return (s->kind == OMPP_MEM_LOADS || s->kind == OMPP_MEM_STORES) && s->level < OMPP_MEM_N_LEVELS &&
	       s->n <= MAX_NS && s->n_timed <= s->n && is_count(s->estimate) && is_count(s->variance) &&
	       is_count(s->latency_ticks) && is_count(s->squares) && (s->n_timed || (!s->latency_ticks && !s->squares));
}

/* They are valid in their order, while what they refer to exists and the numbers can be counts. */
size_t ompp_valid_samples(const struct ompp_profile *p, const struct ompp_sampled *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i].node >= p->n_nodes || s[i].row >= p->n_rows || s[i].object >= p->n_objects ||
		    !is_sum(&s[i].sum) || s[i].n_far > s[i].sum.n || (i && ompp_compare_samples(&s[i - 1], &s[i]) >= 0))
			break;
	return i;
}

/* The buckets of one ompp_sampled have no more latencies together than it has timed samples. */
size_t ompp_valid_sample_histogram(const struct ompp_profile *p, const struct ompp_sampled_latency *l, size_t n)
{
	uint64_t rest = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (l[i].sampled >= p->n_samples || l[i].bucket >= OMPP_HISTOGRAM_BUCKETS ||
		    (i && ompp_compare_sample_histogram(&l[i - 1], &l[i]) >= 0))
			break;
		if (!i || l[i].sampled != l[i - 1].sampled)
			rest = p->samples[l[i].sampled].sum.n_timed;
		if (l[i].n > rest)
			break;
		rest -= l[i].n;
	}
	return i;
}

size_t ompp_valid_sample_lines(const struct ompp_profile *p, const struct ompp_sampled_line *l, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (l[i].object >= p->n_objects || !is_sum(&l[i].sum) ||
		    (i && ompp_compare_sample_lines(&l[i - 1], &l[i]) >= 0))
			break;
	return i;
}

size_t ompp_valid_first_touches(const struct ompp_profile *p, const struct ompp_first_touch *t, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (t[i].node >= p->n_nodes || t[i].row >= p->n_rows || t[i].object >= p->n_objects ||
		    t[i].n_pages > MAX_NS || (i && ompp_compare_first_touches(&t[i - 1], &t[i]) >= 0))
			break;
	return i;
}

static int is_none_or_below(uint32_t i, size_t n)
{
	return i == OMPP_NONE || i < n;
}

size_t ompp_valid_uses(const struct ompp_profile *p, const struct ompp_use *u, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (u[i].node >= p->n_nodes || u[i].row >= p->n_rows || u[i].object >= p->n_objects ||
		    !is_none_or_below(u[i].toucher, p->n_rows) || !is_none_or_below(u[i].touched_at, p->n_nodes) ||
		    !is_sum(&u[i].sum) || u[i].lo > u[i].hi || (i && ompp_compare_uses(&u[i - 1], &u[i]) >= 0))
			break;
	return i;
}

size_t ompp_valid_spots(const struct ompp_profile *p, const struct ompp_spot *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i].node >= p->n_nodes || s[i].row >= p->n_rows || s[i].object >= p->n_objects ||
		    s[i].slice >= MOST_SLICES || s[i].page > MAX_NS || s[i].n_pages > MAX_NS || s[i].n > MAX_NS ||
		    !is_count(s[i].estimate) || !is_count(s[i].half) || s[i].half > s[i].estimate ||
		    (i && ompp_compare_spots(&s[i - 1], &s[i]) >= 0))
			break;
	return i;
}

size_t ompp_valid_extents(const struct ompp_profile *p, const struct ompp_extent *e, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (e[i].object >= p->n_objects || !is_none_or_below(e[i].row, p->n_rows) || e[i].is_reused > 1 ||
		    e[i].n_pages > MAX_NS || (i && ompp_compare_extents(&e[i - 1], &e[i]) >= 0))
			break;
	return i;
}

size_t ompp_valid_placements(const struct ompp_profile *p, const struct ompp_placement *l, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (l[i].object >= p->n_objects || l[i].n_pages > MAX_NS || l[i].n_moved > MAX_NS || !l[i].step ||
		    l[i].step > MAX_NS || (i && ompp_compare_placements(&l[i - 1], &l[i]) >= 0))
			break;
	return i;
}

/* All pages are counted by how they were used. */
static int is_paged(const struct ompp_paged *l)
{
	uint64_t n_counted = l->n_uncounted <= l->n_pages ? l->n_pages - l->n_uncounted : 0;

	return l->n_pages <= MAX_NS / OMPP_PAGED_PARTS && l->n_uncounted <= l->n_pages &&
	       l->n_uncounted <= l->n_unhooked && l->n_private <= n_counted &&
	       l->n_read_shared <= n_counted - l->n_private && l->n_read_only <= n_counted &&
	       l->n_unhooked <= l->n_pages - l->n_read_only && l->n_written_once <= l->n_pages - l->n_read_only &&
	       l->n_parts <= n_counted * OMPP_PAGED_PARTS && l->loads <= MAX_NS && l->stores <= MAX_NS;
}

size_t ompp_valid_paged(const struct ompp_profile *p, const struct ompp_paged *l, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (l[i].scope > OMPP_PAGED_REGION || !is_none_or_below(l[i].region, p->n_regions) ||
		    !(l[i].scope == OMPP_PAGED_RUN
		              ? is_none_or_below(l[i].object, p->n_objects) && l[i].region == OMPP_NONE
		              : l[i].object < p->n_objects) ||
		    !is_paged(&l[i]) || (i && ompp_compare_paged(&l[i - 1], &l[i]) >= 0))
			break;
	return i;
}

/* Pages of several processes may have the same address. */
size_t ompp_valid_hot_pages(const struct ompp_profile *p, const struct ompp_hot_page *h, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (h[i].object >= p->n_objects || !is_none_or_below(h[i].region, p->n_regions) ||
		    h[i].loads > MAX_NS || h[i].stores > MAX_NS || h[i].n_parts > OMPP_PAGED_PARTS ||
		    (i && ompp_compare_hot_pages(&h[i - 1], &h[i]) > 0))
			break;
	return i;
}

size_t ompp_valid_page_variables(const struct ompp_profile *p, const struct ompp_page_variable *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i].object >= p->n_objects || v[i].n_bytes > MAX_NS || v[i].n_parts > MAX_NS ||
		    v[i].n_alone > v[i].n_parts || (i && ompp_compare_page_variables(&v[i - 1], &v[i]) >= 0))
			break;
	return i;
}

size_t ompp_valid_bindings(const struct ompp_profile *p, const struct ompp_binding *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (b[i].row >= p->n_rows || b[i].n_looks > MAX_NS || b[i].n_moves > b[i].n_looks ||
		    b[i].n_node_moves > b[i].n_moves || (i && b[i - 1].row >= b[i].row))
			break;
	return i;
}

/* Older profiles have 0 for what is not known. */
static void clamp_said(int64_t *n)
{
	clamp_size(n);
	if (!*n)
		*n = OMPP_MISSING;
}

size_t ompp_valid_numa_nodes(struct ompp_numa_node *node, size_t n)
{
	size_t i;

	for (i = 0; i < n && (!i || node[i - 1].number < node[i].number); i++) {
		clamp_size(&node[i].bytes);
		clamp_said(&node[i].read_bandwidth);
		clamp_said(&node[i].write_bandwidth);
		clamp_said(&node[i].read_latency);
		clamp_said(&node[i].write_latency);
	}
	return i;
}

void ompp_check_head(struct ompp_profile *p)
{
	profile_check_clamp(&p->duration_ns);
	profile_check_clamp(&p->cost_ns);
	profile_check_clamp(&p->start_unix_ns);
	profile_check_clamp(&p->end_unix_ns);
	profile_check_clamp(&p->user_ns);
	profile_check_clamp(&p->system_ns);
	profile_check_clamp(&p->cost_ps);
	profile_check_clamp(&p->off_ns);
	if (p->off_ns < 0 || p->off_ns > p->duration_ns)
		p->off_ns = 0;
	check_bounds(p->cost_ns, &p->cost_least_ns, &p->cost_most_ns);
	clamp_size(&p->processors_milli);
	if (!p->processors_milli) /* of a file that does not have it */
		p->processors_milli = OMPP_MISSING;
	clamp_size(&p->queued_ns);
	if (!p->queued_ns)
		p->queued_ns = OMPP_MISSING;
	p->sample_kinds &= OMPP_MEM_BOTH;
	if (p->sample_period > MAX_NS)
		p->sample_period = MAX_NS;
}

size_t ompp_valid_allocations(const struct ompp_profile *p, struct ompp_allocation *a, size_t n)
{
	size_t i;

	for (i = 0; i < n && (a[i].object < p->n_objects || a[i].object == OMPP_NONE) &&
	            (a[i].row < p->n_rows || a[i].row == OMPP_NONE) &&
	            (a[i].region < p->n_regions || a[i].region == OMPP_NONE);
	     i++) {
		if (a[i].n_live > a[i].n_blocks || a[i].n_blocks > MAX_NS)
			break;
		clamp_size(&a[i].bytes);
		clamp_size(&a[i].live_bytes);
		clamp_size(&a[i].peak_bytes);
		clamp_size(&a[i].lifetime_ns);
		clamp_size(&a[i].peak_error);
		if (a[i].n_told > a[i].n_large || a[i].n_large > a[i].n_blocks)
			break;
		if (i && a[i].peak_bytes > a[i - 1].peak_bytes)
			break;
	}
	return i;
}

int ompp_compare_instances(const struct ompp_instance *a, const struct ompp_instance *b)
{
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return a->begun_ns != b->begun_ns ? (a->begun_ns < b->begun_ns ? -1 : 1) : 0;
}

/* Blocks of several processes may begin at the same time. */
size_t ompp_valid_instances(const struct ompp_profile *p, struct ompp_instance *l, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		int64_t *sizes[] = { &l[i].bytes,     &l[i].begun_ns,  &l[i].ended_ns,       &l[i].loads,
			             &l[i].stores,    &l[i].atomics,   &l[i].load_bytes,     &l[i].store_bytes,
			             &l[i].estimate,  &l[i].variance,  &l[i].atomic_bytes,   &l[i].order,
			             &l[i].known,     &l[i].memory,    &l[i].known_variance, &l[i].memory_variance,
			             &l[i].misses[0], &l[i].misses[1], &l[i].misses[2] };

		for (size_t k = 0; k < OMPP_COUNT_OF(sizes); k++)
			clamp_size(sizes[k]);
		for (int k = 0; k < OMPP_ACCESS_LEVELS && !l[i].has_misses; k++)
			l[i].misses[k] = OMPP_MISSING;
		if (l[i].object >= p->n_objects || !is_none_or_below(l[i].row, p->n_rows) ||
		    !is_none_or_below(l[i].region, p->n_regions) || l[i].n_samples > MAX_NS ||
		    (i && ompp_compare_instances(&l[i - 1], &l[i]) > 0))
			break;
	}
	return i;
}
