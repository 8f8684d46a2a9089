/*
 * Analysis: see analysis.h.
 *
 * Wall-clock equivalents: the time of a row divided by the sizes of the teams along its path of ranks, so that the
 * times of a team's threads add up to the time that passed.  A row "a.b" weighs 1 / (T1 × T2): T1 rows in the outer
 * PARALLEL, T2 rows of the inner one below that parent row.  Host threads that ran the same path weigh 1 / their
 * number.  Inclusive times of children with the same weights add up to at most the parent's, so exclusive times are
 * inclusive ones less the children's.
 */
#define _GNU_SOURCE
#include "reports/views/analysis.h"

#include <errno.h>
#include <string.h>

#include "reports/views/formula.h"
#include "reports/views/label.h"
#include "reports/views/numa.h"
#include "reports/views/sort.h"
#include "reports/views/traffic.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

int64_t ompp_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN + 1 : INT64_MAX;
	return sum;
}

int64_t ompp_share(int64_t part, int64_t whole)
{
	__int128 share;

	if (whole <= 0)
		return OMPP_MISSING;
	share = ((__int128)part * 1000000000 + (part < 0 ? -whole / 2 : whole / 2)) / whole;
	if (share > INT64_MAX)
		return INT64_MAX;
	return share <= INT64_MIN ? INT64_MIN + 1 : (int64_t)share;
}

int64_t ompp_count(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static int64_t add_known(int64_t a, int64_t b)
{
	return a == OMPP_MISSING || b == OMPP_MISSING ? OMPP_MISSING : ompp_add(a, b);
}

void ompp_cell_add(struct ompp_cell *sum, const struct ompp_cell *cell)
{
	if (__builtin_add_overflow(sum->n_exec, cell->n_exec, &sum->n_exec))
		sum->n_exec = UINT64_MAX;
	if (__builtin_add_overflow(sum->n_body, cell->n_body, &sum->n_body))
		sum->n_body = UINT64_MAX;
	sum->exec_ns     = ompp_add(sum->exec_ns, cell->exec_ns);
	sum->body_ns     = ompp_add(sum->body_ns, cell->body_ns);
	sum->enter_ns    = ompp_add(sum->enter_ns, cell->enter_ns);
	sum->exit_ns     = ompp_add(sum->exit_ns, cell->exit_ns);
	sum->exit_bar_ns = add_known(sum->exit_bar_ns, cell->exit_bar_ns);
	sum->startup_ns  = ompp_add(sum->startup_ns, cell->startup_ns);
	sum->shutdown_ns = ompp_add(sum->shutdown_ns, cell->shutdown_ns);
	sum->mgmt_ns     = add_known(sum->mgmt_ns, cell->mgmt_ns);
	sum->task_ns     = add_known(sum->task_ns, cell->task_ns);
	sum->incl_ns     = ompp_add(sum->incl_ns, cell->incl_ns);
	sum->cost_ns     = ompp_add(sum->cost_ns, cell->cost_ns);
	sum->cost_least_ns = add_known(sum->cost_least_ns, cell->cost_least_ns);
	sum->cost_most_ns = add_known(sum->cost_most_ns, cell->cost_most_ns);
}

const struct ompp_cell *ompp_analysis_cell(const struct ompp_profile *profile, uint32_t node, uint32_t row)
{
	uint32_t low = profile->nodes[node].first_cell, high = low + profile->nodes[node].n_cells;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (profile->cells[middle].row == row)
			return &profile->cells[middle];
		if (profile->cells[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct ompp_cell *ompp_analysis_child_cell(const struct ompp_profile *profile, uint32_t child, uint32_t row)
{
	const struct ompp_node *node = &profile->nodes[child];

	if (ompp_construct_is_parallel(node->construct))
		for (uint32_t i = 0; i < node->n_cells; i++) {
			const struct ompp_cell *cell = &profile->cells[node->first_cell + i];
			const struct ompp_row *r = &profile->rows[cell->row];

			if (r->parent == row && !r->rank)
				return cell;
		}
	return ompp_analysis_cell(profile, child, row);
}

/* An array of n with all bits of each element set, or cleared. */
static void *array(struct ompp_analysis *a, size_t n, size_t element_bytes, int fill)
{
	void *p = n > SIZE_MAX / 2 / element_bytes ? NULL : ompp_arena_alloc(a->arena, n * element_bytes);

	if (p && fill)
		memset(p, fill, n * element_bytes);
	return p;
}

static int link_nodes(struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *last[2];
	size_t n = p->n_nodes;

	a->first_child = array(a, n, sizeof(uint32_t), 0xff);
	a->next_sibling = array(a, n, sizeof(uint32_t), 0xff);
	a->same_next = array(a, n, sizeof(uint32_t), 0xff);
	a->team = array(a, n, sizeof(uint32_t), 0xff);
	a->level = array(a, n, sizeof(uint32_t), 0);
	a->same_first[0] = array(a, p->n_regions, sizeof(uint32_t), 0xff);
	a->same_first[1] = array(a, p->n_regions, sizeof(uint32_t), 0xff);
	last[0] = array(a, p->n_regions, sizeof(uint32_t), 0xff);
	last[1] = array(a, p->n_regions, sizeof(uint32_t), 0xff);
	if (!a->first_child || !a->next_sibling || !a->same_next || !a->team || !a->level || !a->same_first[0] ||
	    !a->same_first[1] || !last[0] || !last[1])
		return -ENOMEM;
	for (uint32_t i = 1; i < n; i++) {
		const struct ompp_node *node = &p->nodes[i];
		int kind = node->construct == OMPP_TASKEXEC;
		uint32_t *same = last[kind][node->region] == OMPP_NONE ? &a->same_first[kind][node->region]
		                                                       : &a->same_next[last[kind][node->region]];

		*same = last[kind][node->region] = i;
		a->level[i] = a->level[node->parent] + 1;
		a->team[i] = ompp_construct_is_parallel(node->construct) ? i : a->team[node->parent];
	}
	for (uint32_t i = (uint32_t)n; i-- > 1;) {              /* backwards: the first child ends up first */
		a->next_sibling[i] = a->first_child[p->nodes[i].parent];
		a->first_child[p->nodes[i].parent] = i;
	}
	return 0;
}

uint32_t ompp_analysis_next(const struct ompp_analysis *a, uint32_t node)
{
	if (a->first_child[node] != OMPP_NONE)
		return a->first_child[node];
	while (node && a->next_sibling[node] == OMPP_NONE)
		node = a->profile->nodes[node].parent;
	return node ? a->next_sibling[node] : OMPP_NONE;
}

/* Working memory of the weights. */
struct weights {
	const struct ompp_profile *profile;
	uint32_t *family;       /* by row: its parent row, or n_rows + the first row of its host: members of one team */
	uint32_t *n_members;    /* by family: rows of the whole profile */
	uint32_t *n_here;       /* by family: rows of the node at hand */
	uint32_t *anchor;       /* by node: innermost PARALLEL at or above, else the node below the root */
	uint32_t *n_hosts;      /* by node below the root */
	uint64_t *divisor;      /* by cell */
};

static uint64_t times(uint64_t a, uint64_t b)
{
	return b && a > UINT32_MAX / b ? UINT32_MAX : a * b;    /* more threads than that are an invention */
}

/* What the time of a row is divided by at an anchor (or OMPP_NONE, or one that does not have the row). */
static uint64_t divisor_of(const struct weights *w, uint32_t anchor, uint32_t row)
{
	uint64_t d = 1;

	if (anchor != OMPP_NONE) {
		const struct ompp_cell *cell = ompp_analysis_cell(w->profile, anchor, row);

		if (cell)
			return w->divisor[cell - w->profile->cells];
	}
	for (; row != OMPP_NONE; row = w->profile->rows[row].parent)
		d = times(d, w->n_members[w->family[row]]);
	return d;
}

static void weigh_anchor(struct weights *w, uint32_t i, uint32_t top)
{
	const struct ompp_profile *p = w->profile;
	const struct ompp_node *node = &p->nodes[i];
	uint32_t above = node->parent ? w->anchor[node->parent] : OMPP_NONE;

	for (uint32_t k = 0; k < node->n_cells; k++)
		w->n_here[w->family[p->cells[node->first_cell + k].row]]++;
	for (uint32_t k = 0; k < node->n_cells; k++) {
		uint32_t c = node->first_cell + k, row = p->cells[c].row, parent = p->rows[row].parent;

		w->divisor[c] = times(w->n_here[w->family[row]],
		                      parent == OMPP_NONE ? w->n_hosts[top] : divisor_of(w, above, parent));
	}
	for (uint32_t k = 0; k < node->n_cells; k++)
		w->n_here[w->family[p->cells[node->first_cell + k].row]] = 0;
}

static int weigh(struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct weights w = { .profile = p, .divisor = array(a, p->n_cells, sizeof(uint64_t), 0) };
	uint32_t *top = array(a, p->n_nodes, sizeof(uint32_t), 0);

	w.family = array(a, p->n_rows, sizeof(uint32_t), 0);
	w.n_members = array(a, 2 * p->n_rows, sizeof(uint32_t), 0);
	w.n_here = array(a, 2 * p->n_rows, sizeof(uint32_t), 0);
	w.anchor = array(a, p->n_nodes, sizeof(uint32_t), 0);
	w.n_hosts = array(a, p->n_nodes, sizeof(uint32_t), 0);
	a->wall_ns = array(a, p->n_nodes, sizeof(int64_t), 0);
	if (!top || !w.family || !w.n_members || !w.n_here || !w.anchor || !w.n_hosts || !w.divisor || !a->wall_ns)
		return -ENOMEM;
	for (uint32_t r = 0, first = 0; r < p->n_rows; r++) {           /* rows of a host are neighbours */
		if (p->rows[r].host != p->rows[first].host)
			first = r;
		w.family[r] = p->rows[r].parent == OMPP_NONE ? (uint32_t)p->n_rows + first : p->rows[r].parent;
		w.n_members[w.family[r]]++;
	}
	if (p->n_nodes)
		a->wall_ns[0] = p->duration_ns;
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];
		__int128 sum = 0;

		top[i] = node->parent ? top[node->parent] : i;
		w.anchor[i] = a->team[i] != OMPP_NONE ? a->team[i] : top[i];
		if (top[i] == i) {
			uint32_t host = 0;

			w.n_hosts[i] = !node->n_cells;
			for (uint32_t k = 0; k < node->n_cells; k++) {
				uint32_t h = p->rows[p->cells[node->first_cell + k].row].host;

				w.n_hosts[i] += !k || h != host;
				host = h;
			}
		}
		if (w.anchor[i] == i)
			weigh_anchor(&w, i, top[i]);
		for (uint32_t k = 0; k < node->n_cells; k++) {          /* in 2^-20 ns */
			const struct ompp_cell *cell = &p->cells[node->first_cell + k];

			w.divisor[cell - p->cells] = divisor_of(&w, w.anchor[i], cell->row);
			sum += (__int128)cell->incl_ns * (1 << 20) / (int64_t)w.divisor[cell - p->cells];
		}
		sum = (sum + (1 << 19)) >> 20;
		a->wall_ns[i] = sum > INT64_MAX ? INT64_MAX : sum <= INT64_MIN ? INT64_MIN + 1 : (int64_t)sum;
	}
	a->divisor = w.divisor;
	return 0;
}

int64_t ompp_analysis_wall(const struct ompp_analysis *a, uint32_t cell, int64_t ns)
{
	return a->divisor[cell] ? ns / (int64_t)a->divisor[cell] : ns;
}

int64_t ompp_analysis_exclusive_ns(const struct ompp_analysis *a, uint32_t node)
{
	__int128 left = a->wall_ns[node] - (node ? 0 : a->profile->off_ns);

	for (uint32_t c = a->first_child[node]; c != OMPP_NONE; c = a->next_sibling[c])
		left -= a->wall_ns[c];
	return left > 0 ? (int64_t)left : 0;            /* roundings, and host threads that ran side by side */
}

static int is_same(const char *text, const char *word, size_t n)
{
	return strlen(text) == n && !memcmp(text, word, n);
}

/* Is the word the path, or as many of its last parts as the user wrote? */
static int is_file(const char *path, const char *word, size_t n)
{
	size_t n_path = strlen(path);

	return n && n <= n_path && is_same(path + n_path - n, word, n) && (n == n_path || path[n_path - n - 1] == '/');
}

int ompp_region_is_meant(const struct ompp_region *region, const char *word, size_t n)
{
	char id[16];
	struct ompp_text t;
	const char *colon = memrchr(word, ':', n);
	size_t n_file = colon ? (size_t)(colon - word) : n;
	uint64_t line = 0;

	ompp_text_init(&t, id, sizeof(id));
	ompp_text_char(&t, 'R');
	ompp_text_zeros(&t, region->id, 5);
	if (!n || is_same(id, word, n) || is_same(region->name, word, n) || is_file(region->file, word, n))
		return n != 0;
	if (!colon || !is_file(region->file, word, n_file))
		return 0;
	for (const char *d = colon + 1; d < word + n; d++) {
		if (*d < '0' || *d > '9' || line > UINT32_MAX)
			return 0;
		line = line * 10 + (uint64_t)(*d - '0');
	}
	return line == region->begin_line || (line > region->begin_line && line <= region->end_line);
}

/* Does the comma list name the region?  A name may have commas in it. */
static int is_named(const struct ompp_region *region, const char *list)
{
	while (*list) {
		size_t n = strcspn(list, ",");

		if (ompp_region_is_meant(region, list, strlen(list)) || ompp_region_is_meant(region, list, n))
			return 1;
		list += n + (list[n] == ',');
	}
	return 0;
}

/* The key by which regions are sorted, greater first. */
static int64_t sort_key(const struct ompp_analysis *a, uint32_t region, int by_count)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_cell sum = { 0 };

	for (uint32_t i = a->same_first[0][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			ompp_cell_add(&sum, &p->cells[p->nodes[i].first_cell + k]);
	return by_count ? ompp_count(sum.n_exec) : sum.exec_ns;
}

struct order { const struct ompp_profile *profile; const int64_t *keys; int by_name; };

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct order *o = context;
	int d = o->by_name ? strcmp(o->profile->regions[x].name, o->profile->regions[y].name) : 0;

	if (o->keys && o->keys[x] != o->keys[y])
		return o->keys[x] < o->keys[y];
	return d ? d > 0 : x > y;
}

static int choose(struct ompp_analysis *a, const struct ompp_report_options *options)
{
	const struct ompp_profile *p = a->profile;
	const char *sort = options->sort && options->sort[0] ? options->sort : options->top ? "time" : "id";
	int by_count = !strcmp(sort, "count"), by_name = !strcmp(sort, "name");
	int64_t *keys = NULL;
	struct order order;

	if (!by_count && !by_name && strcmp(sort, "time") && strcmp(sort, "id"))
		return -EINVAL;
	a->shown = array(a, p->n_regions, 1, 0);
	a->named = array(a, p->n_regions, 1, 0);
	a->order = array(a, p->n_regions, sizeof(uint32_t), 0);
	if (by_count || !strcmp(sort, "time")) {
		keys = array(a, p->n_regions, sizeof(int64_t), 0);
		if (!keys)
			return -ENOMEM;
	}
	if (!a->shown || !a->named || !a->order)
		return -ENOMEM;
	for (uint32_t r = 0; r < p->n_regions; r++) {
		if (options->region && options->region[0] && !is_named(&p->regions[r], options->region))
			continue;
		a->named[r] = 1;
		a->order[a->n_order++] = r;
		if (keys)
			keys[r] = sort_key(a, r, by_count);
	}
	order = (struct order){ p, keys, by_name };
	a->n_named = a->n_order;
	ompp_sort(a->order, a->n_order, is_after, &order);
	if (options->top && a->n_order > options->top)
		a->n_order = options->top;
	for (size_t i = 0; i < a->n_order; i++)
		a->shown[a->order[i]] = 1;
	return 0;
}

/* As many as the program asked OpenMP for, or rows that are threads of their own: rank 0 of an inner team is the thread
 * that forked it. */
static uint32_t count_threads(const struct ompp_profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_rows; i++)
		n += p->rows[i].rank || p->rows[i].parent == OMPP_NONE;
	return n > p->max_threads ? (uint32_t)n : p->max_threads ? p->max_threads : 1;
}

int ompp_analysis_init(struct ompp_analysis *a, const struct ompp_profile *profile,
                       const struct ompp_report_options *options, struct ompp_arena *arena)
{
	int rc;

	memset(a, 0, sizeof(*a));
	a->profile = profile;
	a->arena = arena;
	a->top = options->top;
	a->property_min = options->property_min;
	a->all_columns = options->columns && !strcmp(options->columns, "all");
	a->measured_ns = ompp_add(profile->duration_ns, -profile->off_ns);
	a->n_threads = count_threads(profile);
	if (__builtin_mul_overflow(a->measured_ns, (int64_t)a->n_threads, &a->capacity_ns))
		a->capacity_ns = INT64_MAX;
	a->wait = array(a, profile->n_cells, sizeof(const struct ompp_wait *), 0);
	if (!a->wait)
		return -ENOMEM;
	for (size_t i = 0; i < profile->n_waits; i++)
		a->wait[profile->waits[i].cell] = &profile->waits[i];
	rc = ompp_label_files(a);
	if (!rc)
		rc = link_nodes(a);
	if (!rc)
		rc = weigh(a);
	if (!rc)
		rc = choose(a, options);
	a->formulas = ompp_formulas(profile, arena);
	if (!rc && !a->formulas)
		rc = -ENOMEM;
	if (!rc)
		rc = ompp_numa_init(a, &a->numa);
	return rc ? rc : ompp_traffic_init(a, options->object, &a->traffic);
}
