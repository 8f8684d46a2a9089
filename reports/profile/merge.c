/*
 * Merge: see merge.h.  Only in the program ompp.
 */
#include "reports/profile/merge.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/schema.h"
#include "reports/views/sort.h"
#include "runtime/base/text.h"

/* The result while it grows, and where the current profile's things went. */
struct merge {
	struct ompp_arena        *arena;
	struct ompp_region       *regions;      size_t n_regions;
	struct ompp_row          *rows;         size_t n_rows;
	struct ompp_node         *nodes;        size_t n_nodes;
	uint32_t                 *first_child, *next_child, *taken_by;  /* by node of the result */
	struct ompp_cell         *cells;
	struct ompp_metric       *metrics;      size_t n_metrics;
	int64_t                  *values;
	struct ompp_condition    *conditions;   size_t n_conditions;
	struct ompp_profile_note *notes;        size_t n_notes;
	struct ompp_object       *objects;      size_t n_objects;
	uint32_t                 *object_chain; size_t n_chains;        /* hash chains: heads, then links by object */
	struct ompp_access       *accesses;     size_t n_accesses;
	struct ompp_shared_line  *lines;        size_t n_lines;
	uint32_t                  n_hosts;
};

/* Where the things of one profile are in the result. */
struct map { uint32_t *regions, *nodes, *metrics, *objects, first_row; };

/* Largest sizes: all profiles together. */
static int reserve(struct merge *m, const struct ompp_profile *p, size_t n, size_t *n_cells)
{
	size_t n_regions = 0, n_rows = 0, n_nodes = 1, n_metrics = 0, n_conditions = 0, n_notes = 0, n_objects = 0;
	size_t n_accesses = 0, n_lines = 0;

	*n_cells = 0;
	for (size_t i = 0; i < n; i++) {
		n_regions += p[i].n_regions;
		n_rows += p[i].n_rows;
		n_nodes += p[i].n_nodes;
		n_metrics += p[i].n_metrics;
		n_conditions += p[i].n_conditions;
		n_notes += p[i].n_notes;
		n_objects += p[i].n_objects;
		n_accesses += p[i].n_accesses;
		n_lines += p[i].n_shared_lines;
		*n_cells += p[i].n_cells;
	}
	m->regions = ompp_arena_alloc(m->arena, n_regions * sizeof(*m->regions));
	m->rows = ompp_arena_alloc(m->arena, n_rows * sizeof(*m->rows));
	m->nodes = ompp_arena_alloc(m->arena, n_nodes * sizeof(*m->nodes));
	m->first_child = ompp_arena_alloc(m->arena, n_nodes * sizeof(uint32_t));
	m->next_child = ompp_arena_alloc(m->arena, n_nodes * sizeof(uint32_t));
	m->taken_by = ompp_arena_alloc(m->arena, n_nodes * sizeof(uint32_t));
	m->cells = ompp_arena_alloc(m->arena, *n_cells * sizeof(*m->cells));
	m->metrics = ompp_arena_alloc(m->arena, n_metrics * sizeof(*m->metrics));
	m->conditions = ompp_arena_alloc(m->arena, n_conditions * sizeof(*m->conditions));
	m->notes = ompp_arena_alloc(m->arena, n_notes * sizeof(*m->notes));
	m->objects = ompp_arena_alloc(m->arena, n_objects * sizeof(*m->objects));
	m->object_chain = ompp_arena_alloc(m->arena, 2 * n_objects * sizeof(uint32_t));
	m->n_chains = n_objects;
	m->accesses = ompp_arena_alloc(m->arena, n_accesses * sizeof(*m->accesses));
	m->lines = ompp_arena_alloc(m->arena, n_lines * sizeof(*m->lines));
	if (!m->regions || !m->rows || !m->nodes || !m->first_child || !m->next_child || !m->taken_by || !m->cells ||
	    !m->metrics || !m->conditions || !m->notes || !m->objects || !m->object_chain || !m->accesses || !m->lines)
		return -ENOMEM;
	m->nodes[0] = (struct ompp_node){ .parent = OMPP_NONE, .region = OMPP_NONE };
	m->n_nodes = 1;
	return 0;
}

/* "r<rank>:" and the text. */
static const char *prefixed(struct merge *m, int rank, const char *separator, const char *text)
{
	size_t n = strlen(text) + 32;
	char *buffer = ompp_arena_alloc(m->arena, n);
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_char(&t, 'r');
	ompp_text_i64(&t, rank);
	ompp_text_str(&t, separator);
	ompp_text_str(&t, text);
	return buffer;
}

static uint32_t add_region(struct merge *m, const struct ompp_region *region)
{
	size_t i;

	for (i = 0; i < m->n_regions; i++) {
		struct ompp_region *have = &m->regions[i];

		if (have->construct == region->construct && have->begin_line == region->begin_line &&
		    have->end_line == region->end_line && !strcmp(have->file, region->file) &&
		    !strcmp(have->name, region->name)) {
			have->costly |= region->costly;
			return (uint32_t)i;
		}
	}
	m->regions[i] = *region;
	m->regions[i].id = (uint32_t)++m->n_regions;
	return (uint32_t)i;
}

static uint32_t add_metric(struct merge *m, const struct ompp_metric *metric)
{
	size_t i;

	for (i = 0; i < m->n_metrics; i++)
		if (!strcmp(m->metrics[i].name, metric->name)) {
			if (m->metrics[i].certainty < metric->certainty) {      /* as sure as the least sure */
				m->metrics[i].certainty = metric->certainty;
				m->metrics[i].detail = metric->detail;
			}
			return (uint32_t)i;
		}
	m->metrics[m->n_metrics++] = *metric;
	return (uint32_t)i;
}

/* Of two ranks' sizes or addresses: what both say. */
static int64_t common(int64_t a, int64_t b)
{
	return a == b ? a : OMPP_MISSING;
}

/* The object of this name; an object that one rank could not measure is not measured. */
static uint32_t add_object(struct merge *m, const struct ompp_object *object)
{
	uint64_t hash = ompp_checksum(OMPP_CHECKSUM_START, object->name, strlen(object->name));
	uint32_t *head = &m->object_chain[hash % m->n_chains], *links = m->object_chain + m->n_chains;
	struct ompp_object *have;

	for (uint32_t i = *head; i; i = links[i - 1]) {
		have = &m->objects[i - 1];
		if (strcmp(have->name, object->name))
			continue;
		have->address = common(have->address, object->address);
		have->bytes = common(have->bytes, object->bytes);
		have->n_ranges = have->n_ranges > UINT32_MAX - object->n_ranges ? UINT32_MAX
		                                                                : have->n_ranges + object->n_ranges;
		have->is_private |= object->is_private;
		have->is_live |= object->is_live;
		have->measured = have->measured && object->measured;
		return i - 1;
	}
	m->objects[m->n_objects++] = *object;
	links[m->n_objects - 1] = *head;
	*head = (uint32_t)m->n_objects;
	return *head - 1;
}

/* The child of parent for this region, not yet taken by profile number who. */
static uint32_t add_node(struct merge *m, uint32_t parent, uint32_t region, enum ompp_construct construct,
                         uint32_t who)
{
	uint32_t *link = &m->first_child[parent];

	for (; *link; link = &m->next_child[*link]) {
		struct ompp_node *node = &m->nodes[*link];

		if (node->region == region && node->construct == construct && m->taken_by[*link] != who) {
			m->taken_by[*link] = who;
			return *link;
		}
	}
	*link = (uint32_t)m->n_nodes++;
	m->nodes[*link] = (struct ompp_node){ .parent = parent, .region = region, .construct = construct };
	m->taken_by[*link] = who;
	return *link;
}

static int add_conditions(struct merge *m, const struct ompp_profile *p, const struct ompp_profile *first, int rank)
{
	for (size_t i = 0; i < p->n_conditions; i++) {
		const struct ompp_condition *c = &p->conditions[i];
		size_t k = 0;

		while (p != first && k < first->n_conditions && (strcmp(first->conditions[k].label, c->label) ||
		                                                 strcmp(first->conditions[k].value, c->value)))
			k++;
		if (p != first && k < first->n_conditions)
			continue;
		m->conditions[m->n_conditions] = *c;
		if (p != first && !(m->conditions[m->n_conditions].value = prefixed(m, rank, ": ", c->value)))
			return -ENOMEM;
		m->n_conditions++;
	}
	return 0;
}

static int add_profile(struct merge *m, const struct ompp_profile *p, const struct ompp_profile *first, uint32_t who,
                       struct map *map)
{
	int rank = p->mpi_rank >= 0 ? p->mpi_rank : (int)who - 1;

	map->regions = ompp_arena_alloc(m->arena, p->n_regions * sizeof(uint32_t));
	map->nodes = ompp_arena_alloc(m->arena, p->n_nodes * sizeof(uint32_t));
	map->metrics = ompp_arena_alloc(m->arena, p->n_metrics * sizeof(uint32_t));
	map->objects = ompp_arena_alloc(m->arena, p->n_objects * sizeof(uint32_t));
	map->first_row = (uint32_t)m->n_rows;
	if (!map->regions || !map->nodes || !map->metrics || !map->objects)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_regions; i++)
		map->regions[i] = add_region(m, &p->regions[i]);
	for (size_t i = 0; i < p->n_metrics; i++)
		map->metrics[i] = add_metric(m, &p->metrics[i]);
	for (size_t i = 0; i < p->n_objects; i++)
		map->objects[i] = add_object(m, &p->objects[i]);
	for (size_t i = 0; i < p->n_rows; i++) {
		struct ompp_row *row = &m->rows[m->n_rows++];

		*row = p->rows[i];
		row->host = m->n_hosts + p->rows[i].host;
		row->parent = row->parent == OMPP_NONE ? OMPP_NONE : row->parent + map->first_row;
		row->label = prefixed(m, rank, ":", p->rows[i].label);
		if (!row->label)
			return -ENOMEM;
	}
	if (p->n_rows)
		m->n_hosts += p->rows[p->n_rows - 1].host;
	for (size_t i = 1; i < p->n_nodes; i++)
		map->nodes[i] = add_node(m, map->nodes[p->nodes[i].parent], map->regions[p->nodes[i].region],
		                         p->nodes[i].construct, who);
	for (size_t i = 0; i < p->n_nodes; i++)
		m->nodes[map->nodes[i]].n_cells += p->nodes[i].n_cells;
	for (size_t i = 0; i < p->n_notes; i++) {
		m->notes[m->n_notes] = p->notes[i];
		m->notes[m->n_notes].text = prefixed(m, rank, ": ", p->notes[i].text);
		if (!m->notes[m->n_notes++].text)
			return -ENOMEM;
	}
	return add_conditions(m, p, first, rank);
}

static void add_cells(struct merge *m, const struct ompp_profile *p, const struct map *map)
{
	for (size_t i = 0; i < p->n_nodes; i++) {
		struct ompp_node *node = &m->nodes[map->nodes[i]];

		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			size_t from = p->nodes[i].first_cell + k, to = node->first_cell + node->n_cells++;

			m->cells[to] = p->cells[from];
			m->cells[to].row += map->first_row;
			for (size_t v = 0; v < m->n_metrics; v++)
				m->values[to * m->n_metrics + v] = OMPP_MISSING;
			for (size_t v = 0; v < p->n_metrics; v++)
				m->values[to * m->n_metrics + map->metrics[v]] = p->values[from * p->n_metrics + v];
		}
	}
}

static void add_accesses(struct merge *m, const struct ompp_profile *p, const struct map *map)
{
	for (size_t i = 0; i < p->n_accesses; i++) {
		struct ompp_access *access = &m->accesses[m->n_accesses++];

		*access = p->accesses[i];
		access->node = map->nodes[access->node];
		access->row += map->first_row;
		access->object = map->objects[access->object];
	}
}

static int add_lines(struct merge *m, const struct ompp_profile *p, const struct map *map, int rank)
{
	for (size_t i = 0; i < p->n_shared_lines; i++) {
		struct ompp_shared_line *line = &m->lines[m->n_lines++];

		*line = p->shared_lines[i];
		line->object = map->objects[line->object];
		line->region = map->regions[line->region];
		line->rows = prefixed(m, rank, " ", line->rows);
		if (!line->rows)
			return -ENOMEM;
	}
	return 0;
}

static int compare_accesses(const struct ompp_access *a, const struct ompp_access *b)
{
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->object < b->object ? -1 : a->object > b->object;
}

static int access_is_after(const void *accesses, uint32_t x, uint32_t y)
{
	return compare_accesses((const struct ompp_access *)accesses + x, (const struct ompp_access *)accesses + y) > 0;
}

static int64_t add_count(int64_t a, int64_t b)
{
	int64_t sum;

	if (a == OMPP_MISSING || b == OMPP_MISSING)
		return OMPP_MISSING;
	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static uint32_t *identity(struct merge *m, size_t n)
{
	uint32_t *order = n > UINT32_MAX ? NULL : ompp_arena_alloc(m->arena, n * sizeof(*order));

	for (size_t i = 0; i < n && order; i++)
		order[i] = (uint32_t)i;
	return order;
}

/* Into the order of the contract: nodes of one rank are not in the order of the result's. */
static int sort_accesses(struct merge *m)
{
	struct ompp_access *sorted = ompp_arena_alloc(m->arena, m->n_accesses * sizeof(*sorted));
	uint32_t *order = identity(m, m->n_accesses);
	size_t n = 0;

	if (!sorted || !order)
		return -ENOMEM;
	ompp_sort(order, m->n_accesses, access_is_after, m->accesses);
	for (size_t i = 0; i < m->n_accesses; i++) {
		const struct ompp_access *access = &m->accesses[order[i]];

		if (n && !compare_accesses(&sorted[n - 1], access))
			for (int k = 0; k < OMPP_N_ACCESS_FIELDS; k++)
				sorted[n - 1].values[k] = add_count(sorted[n - 1].values[k], access->values[k]);
		else
			sorted[n++] = *access;
	}
	m->accesses = sorted;
	m->n_accesses = n;
	return 0;
}

static int same_line(const struct ompp_shared_line *a, const struct ompp_shared_line *b)
{
	return a->object == b->object && a->region == b->region && a->offset_bytes == b->offset_bytes;
}

static int line_is_after(const void *lines, uint32_t x, uint32_t y)
{
	const struct ompp_shared_line *a = (const struct ompp_shared_line *)lines + x;
	const struct ompp_shared_line *b = (const struct ompp_shared_line *)lines + y;

	if (a->object != b->object)
		return a->object > b->object;
	if (a->region != b->region)
		return a->region > b->region;
	return a->offset_bytes != b->offset_bytes ? a->offset_bytes > b->offset_bytes : x > y;
}

static int has_fewer_stores(const void *lines, uint32_t x, uint32_t y)
{
	const struct ompp_shared_line *a = (const struct ompp_shared_line *)lines + x;
	const struct ompp_shared_line *b = (const struct ompp_shared_line *)lines + y;

	return a->n_stores != b->n_stores ? a->n_stores < b->n_stores : x > y;
}

/* One line of several ranks: the lines order[0] to order[n − 1]. */
static int fold_lines(struct merge *m, const uint32_t *order, size_t n, struct ompp_shared_line *sum)
{
	size_t n_bytes = 1;
	struct ompp_text t;
	char *rows;

	for (size_t i = 0; i < n; i++)
		n_bytes += strlen(m->lines[order[i]].rows) + 2;
	rows = ompp_arena_alloc(m->arena, n_bytes);
	if (!rows)
		return -ENOMEM;
	ompp_text_init(&t, rows, n_bytes);
	*sum = m->lines[order[0]];
	for (size_t i = 0; i < n; i++) {
		const struct ompp_shared_line *line = &m->lines[order[i]];

		if (i && __builtin_add_overflow(sum->n_stores, line->n_stores, &sum->n_stores))
			sum->n_stores = UINT64_MAX;
		if (i && __builtin_add_overflow(sum->n_transfers, line->n_transfers, &sum->n_transfers))
			sum->n_transfers = UINT64_MAX;
		ompp_text_str(&t, i ? "; " : "");
		ompp_text_str(&t, line->rows);
	}
	sum->rows = rows;
	return 0;
}

static int sort_lines(struct merge *m)
{
	struct ompp_shared_line *folded = ompp_arena_alloc(m->arena, m->n_lines * sizeof(*folded)), *sorted;
	uint32_t *order = identity(m, m->n_lines);
	size_t n = 0, end;

	sorted = ompp_arena_alloc(m->arena, m->n_lines * sizeof(*sorted));
	if (!folded || !sorted || !order)
		return -ENOMEM;
	ompp_sort(order, m->n_lines, line_is_after, m->lines);
	for (size_t i = 0; i < m->n_lines; i = end) {
		for (end = i + 1; end < m->n_lines && same_line(&m->lines[order[i]], &m->lines[order[end]]); end++)
			;
		if (fold_lines(m, order + i, end - i, &folded[n++]))
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	ompp_sort(order, n, has_fewer_stores, folded);
	for (size_t i = 0; i < n; i++)
		sorted[i] = folded[order[i]];
	m->lines = sorted;
	m->n_lines = n;
	return 0;
}

/* Where the ranks' caches differ nothing can be said of the level. */
static int merge_levels(struct merge *m, const struct ompp_profile *profiles, size_t n, struct ompp_profile *out)
{
	struct ompp_cache_level *levels;
	size_t k = 0;

	while (k < n && !profiles[k].n_cache_levels)
		k++;
	if (k == n)
		return 0;
	levels = ompp_arena_alloc(m->arena, profiles[k].n_cache_levels * sizeof(*levels));
	if (!levels)
		return -ENOMEM;
	memcpy(levels, profiles[k].cache_levels, profiles[k].n_cache_levels * sizeof(*levels));
	out->cache_levels = levels;
	out->n_cache_levels = profiles[k].n_cache_levels;
	for (; k < n; k++)
		for (size_t i = 0; i < out->n_cache_levels && i < profiles[k].n_cache_levels; i++) {
			levels[i].bytes = common(levels[i].bytes, profiles[k].cache_levels[i].bytes);
			levels[i].ways = common(levels[i].ways, profiles[k].cache_levels[i].ways);
			levels[i].line_bytes = common(levels[i].line_bytes, profiles[k].cache_levels[i].line_bytes);
		}
	return 0;
}

/* A rank without objects named nothing: it has none of the named ones, and of (other) and (stack) nothing is known. */
static int merge_data(struct merge *m, const struct ompp_profile *profiles, size_t n, const struct map *maps,
                      struct ompp_profile *out)
{
	int rc = 0, sharing = 1;

	for (size_t i = 0; i < n && !rc; i++) {
		const struct ompp_profile *p = &profiles[i];

		add_accesses(m, p, &maps[i]);
		rc = add_lines(m, p, &maps[i], p->mpi_rank >= 0 ? p->mpi_rank : (int)i);
		out->hooked |= p->hooked;
		if (!p->n_objects) {
			for (size_t k = 0; k < OMPP_OBJECT_FIRST_NAMED && k < m->n_objects; k++)
				m->objects[k].measured = 0;
			continue;
		}
		sharing = sharing && p->sharing;
		out->data_method = !out->data_method[0] || !strcmp(out->data_method, p->data_method)
		                   ? p->data_method : "not the same on all ranks";
	}
	out->sharing = m->n_objects && sharing;
	if (!rc)
		rc = sort_accesses(m);
	if (!rc)
		rc = sort_lines(m);
	out->objects = m->objects;      out->n_objects = m->n_objects;
	out->accesses = m->accesses;    out->n_accesses = m->n_accesses;
	out->shared_lines = m->lines;   out->n_shared_lines = m->n_lines;
	return rc ? rc : merge_levels(m, profiles, n, out);
}

static void add_head(struct ompp_profile *out, const struct ompp_profile *p)
{
	if (p->start_unix_ns < out->start_unix_ns)
		out->start_unix_ns = p->start_unix_ns;
	if (p->end_unix_ns > out->end_unix_ns)
		out->end_unix_ns = p->end_unix_ns;
	if (p->duration_ns > out->duration_ns)
		out->duration_ns = p->duration_ns;
	if (p->cost_ps > out->cost_ps)
		out->cost_ps = p->cost_ps;
	if (!out->filter[0])
		out->filter = p->filter;
	if (!out->signal)
		out->signal = p->signal;
	out->final &= p->final;
	out->user_ns += p->user_ns;
	out->system_ns += p->system_ns;
	out->cost_ns += p->cost_ns;
	out->n_events += p->n_events;
	out->max_threads += p->max_threads;
}

int ompp_profile_merge(const struct ompp_profile *profiles, size_t n, struct ompp_arena *arena,
                       struct ompp_profile *out)
{
	struct merge m = { .arena = arena };
	struct map *maps = ompp_arena_alloc(arena, n * sizeof(*maps));
	size_t n_cells = 0, at = 0;
	int rc = maps ? reserve(&m, profiles, n, &n_cells) : -ENOMEM;

	for (size_t i = 0; i < n && !rc; i++)
		rc = add_profile(&m, &profiles[i], &profiles[0], (uint32_t)i + 1, &maps[i]);
	if (rc)
		return rc;
	m.values = ompp_arena_alloc(arena, n_cells * m.n_metrics * sizeof(int64_t));
	if (!m.values)
		return -ENOMEM;
	for (size_t i = 0; i < m.n_nodes; i++) {
		m.nodes[i].first_cell = (uint32_t)at;
		at += m.nodes[i].n_cells;
		m.nodes[i].n_cells = 0;
	}
	for (size_t i = 0; i < n; i++)          /* in the order of rows, so cells come out ascending */
		add_cells(&m, &profiles[i], &maps[i]);
	*out = profiles[0];
	for (size_t i = 1; i < n; i++)
		add_head(out, &profiles[i]);
	out->mpi_rank = -1;
	out->mpi_size = (int)n;
	out->regions = m.regions;       out->n_regions = m.n_regions;
	out->rows = m.rows;             out->n_rows = m.n_rows;
	out->nodes = m.nodes;           out->n_nodes = m.n_nodes;
	out->cells = m.cells;           out->n_cells = at;
	out->metrics = m.metrics;       out->n_metrics = m.n_metrics;
	out->values = m.values;
	out->conditions = m.conditions; out->n_conditions = m.n_conditions;
	out->notes = m.notes;           out->n_notes = m.n_notes;
	return merge_data(&m, profiles, n, maps, out);
}
