/*
 * Profile check: see profile_check.h.
 */
#include "reports/profile/profile_check.h"

#include "runtime/base/histogram.h"
#include "runtime/ompp_mem.h"

enum { MOST_SLICES = 1 << 16, MOST_LEVELS = 3 };

/* ---- constraints between the members of a record, and with the records before it ---- */

static int is_region(void *rows, size_t i)
{
	const struct ompp_region *r = (const struct ompp_region *)rows + i;

	return (unsigned int)r->construct < OMPP_N_CONSTRUCTS && r->construct != OMPP_TASKEXEC && r->id;
}

static int is_row(void *rows, size_t i)
{
	const struct ompp_row *all = rows, *r = &all[i];

	if (i && r->host < r[-1].host)
		return 0;
	if (r->parent == OMPP_NONE)
		return r->depth == 1;
	return r->parent < i && r->depth == all[r->parent].depth + 1 && r->host == all[r->parent].host;
}

static int is_metric(void *rows, size_t i)
{
	return (unsigned int)((const struct ompp_metric *)rows)[i].certainty <= OMPP_NOT_COUNTED;
}

/* Discards bounds that do not enclose the cost; files without bounds read as such. */
static void check_bounds(int64_t cost_ns, int64_t *least_ns, int64_t *most_ns)
{
	if (*least_ns < 0 || *least_ns > cost_ns || *most_ns < cost_ns)
		*least_ns = *most_ns = OMPP_MISSING;
}

static int is_cell(void *rows, size_t i)
{
	struct ompp_cell *c = (struct ompp_cell *)rows + i;

	check_bounds(c->cost_ns, &c->cost_least_ns, &c->cost_most_ns);
	c->n_untimed = c->n_untimed < c->n_exec ? c->n_untimed : c->n_exec;
	return 1;
}

static int is_numa_value(void *rows, size_t i)
{
	return (unsigned int)((const struct ompp_numa_value *)rows)[i].metric.certainty <= OMPP_NOT_COUNTED;
}

static int is_object(void *rows, size_t i)
{
	struct ompp_object *o = (struct ompp_object *)rows + i;

	if ((unsigned int)o->parts >= OMPP_N_PARTS)
		o->parts = OMPP_PARTS_UNKNOWN;
	return (unsigned int)o->origin <= OMPP_ORIGIN_FILE;
}

static int is_level(void *rows, size_t i)
{
	(void)rows;
	return i < MOST_LEVELS;
}

static int is_pattern(void *rows, size_t i)
{
	return (unsigned int)((const struct ompp_pattern *)rows)[i].kind < OMPP_N_PATTERNS;
}

static int is_sum(const struct ompp_sampled_sum *s)
{
	return (s->kind == OMPP_MEM_LOADS || s->kind == OMPP_MEM_STORES) && s->level < OMPP_MEM_N_LEVELS &&
	       s->n_timed <= s->n && (s->n_timed || (!s->latency_ticks && !s->squares));
}

static int is_sampled(void *rows, size_t i)
{
	const struct ompp_sampled *s = (const struct ompp_sampled *)rows + i;

	return is_sum(&s->sum) && s->n_far <= s->sum.n;
}

/* Checks that the buckets of one ompp_sampled together have no more latencies than it has timed samples. */
static int is_sampled_latency(const struct ompp_profile *p, void *rows, size_t i)
{
	const struct ompp_sampled_latency *l = (const struct ompp_sampled_latency *)rows + i;
	uint64_t rest = p->samples[l->sampled].sum.n_timed;

	for (size_t k = 1; k <= i && l[-(ptrdiff_t)k].sampled == l->sampled; k++)
		rest -= l[-(ptrdiff_t)k].n;
	return l->bucket < OMPP_HISTOGRAM_BUCKETS && l->n <= rest;
}

static int is_duration(void *rows, size_t i)
{
	const struct ompp_duration *d = (const struct ompp_duration *)rows + i;

	return d->first_ns >= 0 && d->least_ns >= 0 && d->least_ns <= d->most_ns;
}

static int is_duration_bucket(void *rows, size_t i)
{
	const struct ompp_duration_bucket *b = (const struct ompp_duration_bucket *)rows + i;

	return b->least_ns >= 0 && b->least_ns <= b->most_ns;
}

static int is_duration_slice(void *rows, size_t i)
{
	const struct ompp_duration_slice *s = (const struct ompp_duration_slice *)rows + i;

	return s->n > 0 && s->ns >= 0;
}

static int is_sampled_line(void *rows, size_t i)
{
	return is_sum(&((const struct ompp_sampled_line *)rows)[i].sum);
}

static int is_use(void *rows, size_t i)
{
	const struct ompp_use *u = (const struct ompp_use *)rows + i;

	return is_sum(&u->sum) && u->lo <= u->hi;
}

static int is_spot(void *rows, size_t i)
{
	const struct ompp_spot *s = (const struct ompp_spot *)rows + i;

	return s->slice < MOST_SLICES && s->half <= s->estimate;
}

static int is_placement(void *rows, size_t i)
{
	return ((const struct ompp_placement *)rows)[i].step > 0;
}

/* Checks that the pages by kind of use add up to all pages. */
static int are_uses_of_pages(const struct ompp_paged *l)
{
	uint64_t n_counted = l->n_uncounted <= l->n_pages ? l->n_pages - l->n_uncounted : 0;

	return l->n_pages <= OMPP_MOST_NS / OMPP_PAGED_PARTS && l->n_uncounted <= l->n_pages &&
	       l->n_uncounted <= l->n_unhooked && l->n_private <= n_counted &&
	       l->n_read_shared <= n_counted - l->n_private && l->n_read_only <= n_counted &&
	       l->n_unhooked <= l->n_pages - l->n_read_only && l->n_written_once <= l->n_pages - l->n_read_only &&
	       l->n_parts <= n_counted * OMPP_PAGED_PARTS;
}

static int is_paged(void *rows, size_t i)
{
	const struct ompp_paged *l = (const struct ompp_paged *)rows + i;

	if (l->scope > OMPP_PAGED_REGION ||
	    (l->scope == OMPP_PAGED_RUN ? l->region != OMPP_NONE : l->object == OMPP_NONE))
		return 0;
	return are_uses_of_pages(l);
}

static int is_hot_page(void *rows, size_t i)
{
	return ((const struct ompp_hot_page *)rows)[i].n_parts <= OMPP_PAGED_PARTS;
}

static int is_page_variable(void *rows, size_t i)
{
	const struct ompp_page_variable *v = (const struct ompp_page_variable *)rows + i;

	return v->n_alone <= v->n_parts;
}

static int is_binding(void *rows, size_t i)
{
	const struct ompp_binding *b = (const struct ompp_binding *)rows + i;

	return b->n_moves <= b->n_looks && b->n_node_moves <= b->n_moves;
}

static int is_allocation(void *rows, size_t i)
{
	const struct ompp_allocation *a = (const struct ompp_allocation *)rows + i;

	return a->n_live <= a->n_blocks && a->n_told <= a->n_large && a->n_large <= a->n_blocks &&
	       (!i || a->peak_bytes <= a[-1].peak_bytes);
}

static int is_instance(void *rows, size_t i)
{
	struct ompp_instance *l = (struct ompp_instance *)rows + i;

	for (int k = 0; k < OMPP_ACCESS_LEVELS && !l->has_misses; k++)
		l->misses[k] = OMPP_MISSING;
	return 1;
}

static int is_hot_spot(void *rows, size_t i)
{
	const struct ompp_hot_spot *s = (const struct ompp_hot_spot *)rows + i;

	return s->n && s->error_ns <= s->ns;
}

static int is_course(void *rows, size_t i)
{
	return ((const struct ompp_course_record *)rows)[i].slice < OMPP_MOST_COURSE;
}

static int (*const rules[OMPP_N_SECTIONS])(void *rows, size_t i) = {
	[OMPP_SECTION_REGIONS] = is_region,
	[OMPP_SECTION_ROWS] = is_row,
	[OMPP_SECTION_METRICS] = is_metric,
	[OMPP_SECTION_CELLS] = is_cell,
	[OMPP_SECTION_NUMA_VALUES] = is_numa_value,
	[OMPP_SECTION_OBJECTS] = is_object,
	[OMPP_SECTION_LEVELS] = is_level,
	[OMPP_SECTION_PATTERNS] = is_pattern,
	[OMPP_SECTION_SAMPLES] = is_sampled,
	[OMPP_SECTION_DURATIONS] = is_duration,
	[OMPP_SECTION_DURATION_BUCKETS] = is_duration_bucket,
	[OMPP_SECTION_DURATION_SLICES] = is_duration_slice,
	[OMPP_SECTION_SAMPLE_LINES] = is_sampled_line,
	[OMPP_SECTION_USES] = is_use,
	[OMPP_SECTION_SPOTS] = is_spot,
	[OMPP_SECTION_PLACEMENTS] = is_placement,
	[OMPP_SECTION_PAGED] = is_paged,
	[OMPP_SECTION_HOT_PAGES] = is_hot_page,
	[OMPP_SECTION_PAGE_VARIABLES] = is_page_variable,
	[OMPP_SECTION_HOT_SPOTS] = is_hot_spot,
	[OMPP_SECTION_BINDINGS] = is_binding,
	[OMPP_SECTION_ALLOCATIONS] = is_allocation,
	[OMPP_SECTION_INSTANCES] = is_instance,
	[OMPP_SECTION_COURSE] = is_course,
};

/* ---- all ---- */

/* Does a record fit those before it, and do its members fit each other? */
static int keeps_rule(enum ompp_section section, const struct ompp_profile *p, void *rows, size_t i)
{
	if (section == OMPP_SECTION_SAMPLE_HISTOGRAM) /* alone needs another section */
		return is_sampled_latency(p, rows, i);
	return !rules[section] || rules[section](rows, i);
}

/* Does a record sort after the one before it? */
static int is_in_order(enum ompp_section section, const char *record)
{
	const struct ompp_order *order = &ompp_orders[section];
	int d;

	if (!order->n_keys && !order->are_apart)
		return 1;
	d = ompp_record_compare(section, record - ompp_schemas[section].record_bytes, record);
	return d < 0 || (!d && order->are_apart);
}

size_t ompp_valid_records(enum ompp_section section, const struct ompp_profile *p, void *rows, size_t n)
{
	size_t i;

	n = ompp_records_check(section, p, rows, n);
	for (i = 0; i < n; i++) {
		char *record = (char *)rows + i * ompp_schemas[section].record_bytes;

		if ((i && !is_in_order(section, record)) || !keeps_rule(section, p, rows, i))
			break;
	}
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
		if (!i && (node[i].parent != OMPP_NONE || (unsigned int)node[i].construct >= OMPP_N_CONSTRUCTS))
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

void ompp_check_head(struct ompp_profile *p)
{
	ompp_records_check(OMPP_SECTION_HEAD, p, p, 1);
	if (p->off_ns < 0 || p->off_ns > p->duration_ns)
		p->off_ns = 0;
	check_bounds(p->cost_ns, &p->cost_least_ns, &p->cost_most_ns);
	p->sample_kinds &= OMPP_MEM_BOTH;
	if (p->sample_period > OMPP_MOST_NS)
		p->sample_period = OMPP_MOST_NS;
}
