/*
 * Traffic: see traffic.h.
 *
 * In the order of ompp_analysis_next() a subtree of call paths is contiguous, and the accesses of one path are
 * contiguous in the profile.  So the sums of a block take two walks over a part of the accesses: the first finds the
 * objects and rows, the second adds up.
 */
#include "reports/analysis/traffic.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/sort.h"

static const char *const titles[OMPP_N_TRAFFIC] = {
	[OMPP_TRAFFIC_LOADS] = "loads",       [OMPP_TRAFFIC_STORES] = "stores", [OMPP_TRAFFIC_ATOMICS] = "atomics",
	[OMPP_TRAFFIC_ACCESSES] = "accesses", [OMPP_TRAFFIC_BYTES] = "bytes",   [OMPP_TRAFFIC_L1] = "L1 misses",
	[OMPP_TRAFFIC_L2] = "L2 misses",      [OMPP_TRAFFIC_L3] = "L3 misses"
};

const char *ompp_traffic_title(enum ompp_traffic_kind kind)
{
	return titles[kind];
}

/* Loads and stores that could not be told apart have one column together.  Misses have one when they were modelled. */
int ompp_traffic_has(unsigned int known, enum ompp_traffic_kind kind)
{
	unsigned int loads = 1u << OMPP_TRAFFIC_LOADS, accesses = 1u << OMPP_TRAFFIC_ACCESSES;

	if (kind >= OMPP_TRAFFIC_L1)
		return known >> kind & 1;
	if (known & loads || !(known & accesses))
		return kind != OMPP_TRAFFIC_ACCESSES;
	return known >> kind & 1;
}

void ompp_traffic_add(int64_t sum[OMPP_N_TRAFFIC], const int64_t values[OMPP_N_TRAFFIC])
{
	for (int k = 0; k < OMPP_N_TRAFFIC; k++)
		sum[k] = ompp_add_known(sum[k], values[k]);
}

void ompp_traffic_of(const struct ompp_profile *p, const struct ompp_access *access, int64_t values[OMPP_N_TRAFFIC])
{
	static const unsigned char fields[OMPP_N_TRAFFIC] = {
		[OMPP_TRAFFIC_LOADS] = OMPP_ACCESS_LOADS,      [OMPP_TRAFFIC_STORES] = OMPP_ACCESS_STORES,
		[OMPP_TRAFFIC_ATOMICS] = OMPP_ACCESS_ATOMICS,  [OMPP_TRAFFIC_ACCESSES] = OMPP_ACCESS_ALL,
		[OMPP_TRAFFIC_BYTES] = OMPP_ACCESS_LOAD_BYTES, [OMPP_TRAFFIC_L1] = OMPP_ACCESS_L1_MISSES,
		[OMPP_TRAFFIC_L2] = OMPP_ACCESS_L2_MISSES,     [OMPP_TRAFFIC_L3] = OMPP_ACCESS_L3_MISSES
	};
	int measured = p->objects[access->object].measured;

	for (int k = 0; k < OMPP_N_TRAFFIC; k++)
		values[k] = measured ? access->values[fields[k]] : OMPP_MISSING;
	values[OMPP_TRAFFIC_BYTES] = ompp_add_known(values[OMPP_TRAFFIC_BYTES],
	                                            ompp_add_known(access->values[OMPP_ACCESS_STORE_BYTES],
	                                                           access->values[OMPP_ACCESS_ATOMIC_BYTES]));
}

int64_t ompp_traffic_cost(const struct ompp_traffic *t, const int64_t values[OMPP_N_TRAFFIC])
{
	const enum ompp_traffic_kind kinds[] = { t->cost, OMPP_TRAFFIC_BYTES, OMPP_TRAFFIC_ACCESSES };

	for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++)
		if (values[kinds[i]] != OMPP_MISSING)
			return values[kinds[i]];
	return -1;
}

enum ompp_traffic_kind ompp_traffic_last_level(const struct ompp_traffic *t)
{
	for (int k = OMPP_TRAFFIC_L3; k >= OMPP_TRAFFIC_L1; k--)
		if (t->all_known >> k & 1)
			return (enum ompp_traffic_kind)k;
	return OMPP_N_TRAFFIC;
}

int ompp_traffic_is_listed(const char *name, const char *list)
{
	size_t n_name = strlen(name);

	while (*list) {
		size_t n = strcspn(list, ",");

		if (!strcmp(name, list) || (n == n_name && !memcmp(list, name, n)))
			return 1;
		list += n + (list[n] == ',');
	}
	return 0;
}

static void order_nodes(struct ompp_traffic *t)
{
	const struct ompp_analysis *a = t->analysis;
	const struct ompp_profile *p = a->profile;
	uint32_t n = 0, i = 0, s = 0;

	for (uint32_t node = 0; node != OMPP_NONE; node = ompp_analysis_next(a, node)) {
		t->position[node] = n;
		t->node_at[n++] = node;
	}
	for (uint32_t k = n; k-- > 0;) { /* backwards, as the end of a subtree needs those of its children */
		uint32_t node = t->node_at[k];

		if (t->end[node] <= k)
			t->end[node] = k + 1;
		if (node && t->end[p->nodes[node].parent] < t->end[node])
			t->end[p->nodes[node].parent] = t->end[node];
	}
	for (uint32_t node = 0; node < p->n_nodes; node++) {
		t->first[node] = i;
		while (i < p->n_accesses && p->accesses[i].node == node)
			i++;
		t->first_sample[node] = s;
		while (s < p->n_samples && p->samples[s].node == node)
			s++;
	}
	t->first[p->n_nodes] = i;
	t->first_sample[p->n_nodes] = s;
}

static void find_rank_0(struct ompp_traffic *t)
{
	const struct ompp_profile *p = t->analysis->profile;

	memset(t->rank_0, 0xff, p->n_rows * sizeof(uint32_t));
	for (uint32_t row = (uint32_t)p->n_rows; row-- > 0;)
		if (!p->rows[row].rank && p->rows[row].parent != OMPP_NONE)
			t->rank_0[p->rows[row].parent] = row;
}

/* Marks the nodes below others of the same region and kind (recursion). open_end: by region and kind, where the subtree
 * of its outermost open node ends. */
static void find_inner(struct ompp_traffic *t, uint32_t *open_end)
{
	const struct ompp_profile *p = t->analysis->profile;

	for (uint32_t k = 1; k < p->n_nodes; k++) {
		uint32_t node = t->node_at[k];
		int kind = p->nodes[node].construct == OMPP_TASKEXEC;
		uint32_t *open = &open_end[2 * (size_t)p->nodes[node].region + (size_t)kind];

		t->is_inner[node] = k < *open;
		if (k >= *open)
			*open = t->end[node];
	}
}

/* The cost is the misses of the last modelled level that has any: if the data fits into the last level, only the levels
 * before it tell objects apart. */
static void find_known(struct ompp_traffic *t)
{
	const struct ompp_profile *p = t->analysis->profile;
	int64_t sums[OMPP_N_TRAFFIC] = { 0 };

	for (size_t i = 0; i < p->n_accesses; i++) {
		int64_t values[OMPP_N_TRAFFIC];

		ompp_traffic_of(p, &p->accesses[i], values);
		for (int k = 0; k < OMPP_N_TRAFFIC; k++)
			if (values[k] != OMPP_MISSING) {
				t->known[p->accesses[i].object] |= (uint16_t)(1u << k);
				sums[k] = ompp_add(sums[k], values[k]);
			}
		t->all_known |= t->known[p->accesses[i].object];
	}
	t->cost = ompp_traffic_last_level(t);
	if (t->cost == OMPP_N_TRAFFIC)
		t->cost = OMPP_TRAFFIC_BYTES;
	for (int k = t->cost; k >= OMPP_TRAFFIC_L1; k--)
		if (sums[k]) {
			t->cost = (enum ompp_traffic_kind)k;
			break;
		}
}

/* Were accesses counted?  They were not if objects were kept only for samples, or for pages that the kernel reports as
 * written. */
static int is_counted(const struct ompp_profile *p)
{
	if (!p->sample_source[0] && !p->touched && !p->pages_told)
		return 1;
	return p->data_method[0] && strcmp(p->data_method, "none");
}

/* Returns 1 for what is no object of its own: sections of files, and blocks that never had a range, such as those that
 * another site represents.  They are shown only when they are used, as small blocks are. */
static int is_nothing(const struct ompp_object *o)
{
	return (o->origin == OMPP_ORIGIN_HEAP && !o->n_ranges) || o->origin == OMPP_ORIGIN_FILE;
}

static void show_used(struct ompp_traffic *t, const char *names, uint32_t object)
{
	const struct ompp_object *o = &t->analysis->profile->objects[object];

	if (is_nothing(o) && (!names || !names[0] || ompp_traffic_is_listed(o->name, names)))
		t->shown[object] = 1;
}

int ompp_traffic_init(const struct ompp_analysis *a, const char *object, struct ompp_traffic **traffic)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_traffic *t;
	uint32_t *open_end;

	*traffic = NULL;
	if (!p->n_objects || !p->n_nodes)
		return 0;
	*traffic = t = ompp_analysis_array(a, 1, sizeof(*t), 0);
	if (!t)
		return -ENOMEM;
	t->analysis = a;
	t->is_counted = is_counted(p);
	t->first_sample = ompp_analysis_array(a, p->n_nodes + 1, sizeof(uint32_t), 0);
	t->first = ompp_analysis_array(a, p->n_nodes + 1, sizeof(uint32_t), 0);
	t->position = ompp_analysis_array(a, p->n_nodes, sizeof(uint32_t), 0);
	t->end = ompp_analysis_array(a, p->n_nodes, sizeof(uint32_t), 0);
	t->node_at = ompp_analysis_array(a, p->n_nodes, sizeof(uint32_t), 0);
	t->is_inner = ompp_analysis_array(a, p->n_nodes, 1, 0);
	t->known = ompp_analysis_array(a, p->n_objects, sizeof(uint16_t), 0);
	t->shown = ompp_analysis_array(a, p->n_objects, 1, 0);
	t->column = ompp_analysis_array(a, p->n_objects, sizeof(uint32_t), 0);
	t->object_cost = ompp_analysis_array(a, p->n_objects, sizeof(int64_t), 0);
	t->touched = ompp_analysis_array(a, p->n_objects, sizeof(uint32_t), 0);
	t->named = ompp_analysis_array(a, p->n_objects, sizeof(uint32_t), 0);
	t->lines = ompp_analysis_array(a, p->n_rows, sizeof(uint32_t), 0);
	t->has_cell = ompp_analysis_array(a, p->n_rows, 1, 0);
	t->rank_0 = ompp_analysis_array(a, p->n_rows, sizeof(uint32_t), 0);
	t->block.line_of = ompp_analysis_array(a, p->n_rows, sizeof(uint32_t), 0);
	t->block.objects = ompp_analysis_array(a, OMPP_MAX_BLOCK_OBJECTS + 1 + OMPP_OBJECT_FIRST_NAMED,
	                                       sizeof(uint32_t), 0);
	open_end = ompp_analysis_array(a, 2 * p->n_regions, sizeof(uint32_t), 0);
	if (!t->first || !t->first_sample || !t->position || !t->end || !t->node_at || !t->is_inner || !t->known ||
	    !t->shown || !t->column || !t->object_cost || !t->touched || !t->named || !t->lines || !t->has_cell ||
	    !t->rank_0 || !t->block.line_of || !t->block.objects || !open_end)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_objects; i++)
		t->shown[i] = (!object || !object[0] || ompp_traffic_is_listed(p->objects[i].name, object)) &&
		              !is_nothing(&p->objects[i]);
	for (size_t i = 0; i < p->n_accesses; i++)
		show_used(t, object, p->accesses[i].object);
	for (size_t i = 0; i < p->n_samples; i++)
		show_used(t, object, p->samples[i].object);
	memset(t->column, 0xff, p->n_objects * sizeof(uint32_t));
	memset(t->block.line_of, 0xff, p->n_rows * sizeof(uint32_t));
	order_nodes(t);
	find_rank_0(t);
	find_inner(t, open_end);
	find_known(t);
	return 0;
}

/* Returns the row of the block to which an access of this row belongs. */
static uint32_t row_in_block(const struct ompp_traffic *t, uint32_t row)
{
	const struct ompp_row *rows = t->analysis->profile->rows;
	uint32_t above = row, below = row;

	while (!t->has_cell[above] && !rows[above].rank && rows[above].parent != OMPP_NONE)
		above = rows[above].parent;
	if (t->has_cell[above])
		return above;
	while (!t->has_cell[below] && t->rank_0[below] != OMPP_NONE)
		below = t->rank_0[below];
	return t->has_cell[below] ? below : row;
}

/* Makes a line of the block for a row. */
static void note_row(struct ompp_traffic *t, uint32_t row)
{
	if (t->block.line_of[row] == OMPP_NONE) {
		t->lines[t->block.n_lines] = row;
		t->block.line_of[row] = (uint32_t)t->block.n_lines++;
	}
}

/* First walk: finds which objects and rows there are, and what the objects cost. */
static void traffic_note(struct ompp_traffic *t, const struct ompp_access *access, int64_t values[OMPP_N_TRAFFIC],
                         int is_own)
{
	uint32_t row = row_in_block(t, access->row), object = access->object;
	int64_t cost = ompp_traffic_cost(t, values);

	(void)is_own;
	if (t->column[object] == OMPP_NONE) {
		t->column[object] = 0;
		t->object_cost[object] = 0;
		t->touched[t->n_touched++] = object;
	}
	t->object_cost[object] = ompp_add(t->object_cost[object], cost);
	note_row(t, row);
}

/* Second walk: adds up. */
static void sum(struct ompp_traffic *t, const struct ompp_access *access, int64_t values[OMPP_N_TRAFFIC], int is_own)
{
	size_t line = t->block.line_of[row_in_block(t, access->row)];
	size_t at = (line * t->block.n_objects + t->column[access->object]) * OMPP_N_TRAFFIC;

	ompp_traffic_add(&t->block.values[at], values);
	if (is_own)
		ompp_traffic_add(&t->block.exclusive[at], values);
}

static void traffic_walk(struct ompp_traffic *t, uint32_t top, int has_own,
                         void (*each)(struct ompp_traffic *, const struct ompp_access *, int64_t *, int))
{
	const struct ompp_profile *p = t->analysis->profile;

	for (uint32_t k = t->position[top]; k < t->end[top]; k++) {
		uint32_t node = t->node_at[k];

		for (uint32_t i = t->first[node]; i < t->first[node + 1]; i++) {
			int64_t values[OMPP_N_TRAFFIC];

			if (!t->shown[p->accesses[i].object])
				continue;
			ompp_traffic_of(p, &p->accesses[i], values);
			each(t, &p->accesses[i], values, has_own && node == top);
		}
	}
}

/* Walks over the samples: finds the rows, and then adds up. */
static void walk_samples(struct ompp_traffic *t, uint32_t top, int has_own, int is_second)
{
	const struct ompp_profile *p = t->analysis->profile;

	for (uint32_t k = t->position[top]; k < t->end[top] && p->n_samples; k++) {
		uint32_t node = t->node_at[k];

		for (uint32_t i = t->first_sample[node]; i < t->first_sample[node + 1]; i++) {
			uint32_t row = row_in_block(t, p->samples[i].row);

			if (!t->shown[p->samples[i].object])
				continue;
			if (!is_second) {
				note_row(t, row);
				continue;
			}
			ompp_sampled_add(&t->block.sampled[t->block.line_of[row]], &p->samples[i].sum);
			if (has_own && node == top)
				ompp_sampled_add(&t->block.sampled_exclusive[t->block.line_of[row]],
				                 &p->samples[i].sum);
		}
	}
}

static int costs_less(const void *traffic, uint32_t x, uint32_t y)
{
	const struct ompp_traffic *t = traffic;

	return t->object_cost[x] != t->object_cost[y] ? t->object_cost[x] < t->object_cost[y] : x > y;
}

static int is_later(const void *unused, uint32_t x, uint32_t y)
{
	(void)unused;
	return x > y;
}

/* Gives a column to each named object, or to the costliest ones and one to the rest; then to (other) and (stack). */
static void assign_columns(struct ompp_traffic *t)
{
	struct ompp_block *b = &t->block;
	size_t n_kept;

	b->n_named = 0;
	for (size_t i = 0; i < t->n_touched; i++)
		if (t->touched[i] >= OMPP_OBJECT_FIRST_NAMED)
			t->named[b->n_named++] = t->touched[i];
	n_kept = b->n_named < OMPP_MAX_BLOCK_OBJECTS ? b->n_named : OMPP_MAX_BLOCK_OBJECTS;
	b->n_more = b->n_named - n_kept;
	if (b->n_more)
		ompp_sort(t->named, b->n_named, costs_less, t);
	ompp_sort(t->named, n_kept, is_later, NULL);
	b->n_objects = 0;
	for (size_t i = 0; i < n_kept; i++) {
		t->column[t->named[i]] = (uint32_t)b->n_objects;
		b->objects[b->n_objects++] = t->named[i];
	}
	for (uint32_t i = 0; i < OMPP_OBJECT_FIRST_NAMED && i < t->analysis->profile->n_objects; i++)
		if (t->column[i] != OMPP_NONE) {
			t->column[i] = (uint32_t)b->n_objects;
			b->objects[b->n_objects++] = i;
		}
	for (size_t i = n_kept; i < b->n_named; i++)
		t->column[t->named[i]] = (uint32_t)b->n_objects;
	if (b->n_more)
		b->objects[b->n_objects++] = OMPP_NONE;
}

static int make_room(struct ompp_traffic *t, int64_t **values, size_t *have)
{
	size_t n = t->block.n_lines * t->block.n_objects * OMPP_N_TRAFFIC;
	int64_t *grown = ompp_arena_grow(t->analysis->arena, *values, have, n + 1, sizeof(int64_t)); /* n may be 0 */

	if (!grown)
		return -ENOMEM;
	*values = grown;
	memset(grown, 0, n * sizeof(int64_t));
	return 0;
}

static void forget_block(struct ompp_traffic *t)
{
	for (size_t i = 0; i < t->n_touched; i++)
		t->column[t->touched[i]] = OMPP_NONE;
	for (size_t i = 0; i < t->block.n_lines; i++)
		t->block.line_of[t->lines[i]] = OMPP_NONE;
	t->n_touched = t->block.n_lines = 0;
	memset(t->has_cell, 0, t->analysis->profile->n_rows);
}

static void mark_cells(struct ompp_traffic *t, uint32_t node)
{
	const struct ompp_profile *p = t->analysis->profile;

	for (uint32_t k = 0; k < p->nodes[node].n_cells; k++)
		t->has_cell[p->cells[p->nodes[node].first_cell + k].row] = 1;
}

static int make_room_for_samples(struct ompp_traffic *t, struct ompp_sampled_sum **sums, size_t *have)
{
	struct ompp_sampled_sum *grown = ompp_arena_grow(t->analysis->arena, *sums, have, t->block.n_lines,
	                                                 sizeof(**sums));

	if (!grown)
		return -ENOMEM;
	*sums = grown;
	memset(grown, 0, t->block.n_lines * sizeof(*grown));
	return 0;
}

static int start_sums(struct ompp_traffic *t)
{
	int rc;

	assign_columns(t);
	rc = make_room(t, &t->block.values, &t->have_values);
	if (!rc)
		rc = make_room(t, &t->block.exclusive, &t->have_exclusive);
	if (!rc)
		rc = make_room_for_samples(t, &t->block.sampled, &t->have_sampled);
	return rc ? rc : make_room_for_samples(t, &t->block.sampled_exclusive, &t->have_sampled_exclusive);
}

const struct ompp_block *ompp_traffic_region(struct ompp_traffic *t, uint32_t region, int kind, int *rc)
{
	const struct ompp_analysis *a = t->analysis;

	forget_block(t);
	t->block.node = OMPP_NONE;
	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		mark_cells(t, i);
	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		if (!t->is_inner[i]) {
			traffic_walk(t, i, 0, traffic_note);
			walk_samples(t, i, 0, 0);
		}
	if (!t->block.n_lines || (*rc = start_sums(t)))
		return NULL;
	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		if (!t->is_inner[i]) {
			traffic_walk(t, i, 0, sum);
			walk_samples(t, i, 0, 1);
		}
	return &t->block;
}

const struct ompp_block *ompp_traffic_node(struct ompp_traffic *t, uint32_t node, int *rc)
{
	forget_block(t);
	t->block.node = node;
	mark_cells(t, node);
	traffic_walk(t, node, 1, traffic_note);
	walk_samples(t, node, 1, 0);
	if (!t->block.n_lines || (*rc = start_sums(t)))
		return NULL;
	traffic_walk(t, node, 1, sum);
	walk_samples(t, node, 1, 1);
	return &t->block;
}
