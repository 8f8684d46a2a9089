/*
 * Merge data: see merge_data.h.  Only in the program ompp.
 */
#include "reports/profile/merge_data.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/merge_rows.h"
#include "reports/profile/record.h"
#include "runtime/base/checksum.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

/* The result while it grows. */
struct merge {
	struct ompp_arena *arena;
	struct ompp_object *objects;
	size_t n_objects;
	uint32_t *chains;
	size_t n_chains; /* size of the hash table of names: by hash, first object + 1 */
	uint32_t *next;  /* by object: the next of its chain, + 1 */
	struct ompp_shared_line *lines;
	size_t n_lines;
	struct ompp_pattern *patterns;
	size_t n_patterns;
};

/* Allocates room for the elements of all profiles, as if no two profiles shared any. */
static int merge_data_reserve(struct merge *m, const struct ompp_profile *p, size_t n)
{
	size_t n_lines = 0, n_patterns = 0;

	for (size_t i = 0; i < n; i++) {
		m->n_chains += p[i].n_objects;
		n_lines += p[i].n_shared_lines;
		n_patterns += p[i].n_patterns;
	}
	m->objects = ompp_arena_alloc(m->arena, m->n_chains * sizeof(*m->objects));
	m->chains = ompp_arena_alloc(m->arena, m->n_chains * sizeof(*m->chains));
	m->next = ompp_arena_alloc(m->arena, m->n_chains * sizeof(*m->next));
	m->lines = ompp_arena_alloc(m->arena, n_lines * sizeof(*m->lines));
	m->patterns = ompp_arena_alloc(m->arena, n_patterns * sizeof(*m->patterns));
	return m->objects && m->chains && m->next && m->lines && m->patterns ? 0 : -ENOMEM;
}

const char *ompp_merge_prefixed(const char *process, const char *separator, const char *text, struct ompp_arena *arena)
{
	size_t n = strlen(process) + strlen(separator) + strlen(text) + 1;
	char *buffer = ompp_arena_alloc(arena, n);
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, process);
	ompp_text_str(&t, separator);
	ompp_text_str(&t, text);
	return buffer;
}

/* Returns the object of this name; makes one if need be.  An object that one rank could not measure is not measured. */
static uint32_t add_object(struct merge *m, const struct ompp_object *object)
{
	uint64_t hash = ompp_checksum(OMPP_CHECKSUM_START, object->name, strlen(object->name));
	uint32_t *head = &m->chains[hash % m->n_chains];
	struct ompp_object *have;

	for (uint32_t i = *head; i; i = m->next[i - 1]) {
		have = &m->objects[i - 1];
		if (strcmp(have->name, object->name))
			continue;
		ompp_record_add(OMPP_SECTION_OBJECTS, have, object);
		return i - 1;
	}
	m->objects[m->n_objects++] = *object;
	m->next[m->n_objects - 1] = *head;
	*head = (uint32_t)m->n_objects;
	return *head - 1;
}

static int add_lines(struct merge *m, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	for (size_t i = 0; i < p->n_shared_lines; i++) {
		struct ompp_shared_line *line = &m->lines[m->n_lines++];

		*line = p->shared_lines[i];
		ompp_merge_map_record(OMPP_SECTION_LINES, line, map);
		line->rows = ompp_merge_prefixed(map->process, " ", line->rows, m->arena);
		if (!line->rows)
			return -ENOMEM;
	}
	return 0;
}

static int is_same_pattern(const struct ompp_pattern *a, const struct ompp_pattern *b)
{
	return a->object == b->object && a->region == b->region && a->kind == b->kind && a->step_bytes == b->step_bytes;
}

/* Adds the pattern to the same one of another rank, or as a new one. */
static int add_pattern(struct merge *m, const struct ompp_pattern *pattern)
{
	struct ompp_pattern *have = m->patterns;

	while (have < m->patterns + m->n_patterns && !is_same_pattern(have, pattern))
		have++;
	if (have == m->patterns + m->n_patterns) {
		*have = *pattern;
		m->n_patterns++;
		return 0;
	}
	ompp_record_add(OMPP_SECTION_PATTERNS, have, pattern);
	have->rows = ompp_merge_prefixed(have->rows, "; ", pattern->rows, m->arena);
	return have->rows ? 0 : -ENOMEM;
}

static int add_patterns(struct merge *m, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	int rc = 0;

	for (size_t i = 0; i < p->n_patterns && !rc; i++) {
		struct ompp_pattern one = p->patterns[i];

		ompp_merge_map_record(OMPP_SECTION_PATTERNS, &one, map);
		one.rows = ompp_merge_prefixed(map->process, " ", one.rows, m->arena);
		rc = one.rows ? add_pattern(m, &one) : -ENOMEM;
	}
	return rc;
}

static uint32_t *merge_data_identity(struct merge *m, size_t n)
{
	uint32_t *order = n > UINT32_MAX ? NULL : ompp_arena_alloc(m->arena, n * sizeof(*order));

	for (size_t i = 0; i < n && order; i++)
		order[i] = (uint32_t)i;
	return order;
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

/* Merges the same line of several ranks, order[0] to order[n − 1], into one. */
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

		if (i)
			ompp_record_add(OMPP_SECTION_LINES, sum, line);
		ompp_text_str(&t, i ? "; " : "");
		ompp_text_str(&t, line->rows);
	}
	sum->rows = rows;
	return 0;
}

static int sort_lines(struct merge *m)
{
	struct ompp_shared_line *folded = ompp_arena_alloc(m->arena, m->n_lines * sizeof(*folded)), *sorted;
	uint32_t *order = merge_data_identity(m, m->n_lines);
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

/* Merges the modelled caches.  A level in which the ranks differ is left out. */
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
		for (size_t i = 0; i < out->n_cache_levels && i < profiles[k].n_cache_levels; i++)
			ompp_record_add(OMPP_SECTION_LEVELS, &levels[i], &profiles[k].cache_levels[i]);
	return 0;
}

/* Adds the objects of one profile, and what it did with them. */
static int add_profile(struct merge *m, const struct ompp_profile *p, struct ompp_merge_map *map)
{
	uint32_t *objects = map->objects = ompp_arena_alloc(m->arena, p->n_objects * sizeof(*objects));

	if (!objects)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_objects; i++)
		objects[i] = add_object(m, &p->objects[i]);
	return add_lines(m, p, map) || add_patterns(m, p, map) ? -ENOMEM : 0;
}

/* Fills in how data was measured, as far as all profiles with objects agree. */
static void merge_method(struct merge *m, const struct ompp_profile *profiles, size_t n, struct ompp_profile *out)
{
	int sharing = 1, all_know = 1;

	for (size_t i = 0; i < n; i++) {
		const struct ompp_profile *p = &profiles[i];

		if (!p->n_objects) {
			all_know = 0;
			continue;
		}
		sharing = sharing && p->sharing;
		out->data_method = !out->data_method[0] || !strcmp(out->data_method, p->data_method)
		                         ? p->data_method
		                         : "not the same on all ranks";
	}
	out->sharing = m->n_objects && sharing;
	/* a rank without objects did not measure (other) and (stack) either */
	for (size_t k = 0; k < OMPP_OBJECT_FIRST_NAMED && k < m->n_objects && !all_know; k++)
		m->objects[k].measured = 0;
}

int ompp_merge_data(const struct ompp_profile *profiles, size_t n, struct ompp_merge_map *maps,
                    struct ompp_arena *arena, struct ompp_profile *out)
{
	struct merge m = { .arena = arena };
	int rc = merge_data_reserve(&m, profiles, n);

	for (size_t i = 0; i < n && !rc; i++)
		rc = add_profile(&m, &profiles[i], &maps[i]);
	if (!rc)
		rc = sort_lines(&m);
	if (!rc)
		rc = ompp_merge_rows(OMPP_SECTION_ACCESSES, profiles, n, maps, arena, out, NULL);
	if (rc)
		return rc;
	merge_method(&m, profiles, n, out);
	out->objects = m.objects;
	out->n_objects = m.n_objects;
	out->shared_lines = m.lines;
	out->n_shared_lines = m.n_lines;
	out->patterns = m.patterns;
	out->n_patterns = m.n_patterns;
	return merge_levels(&m, profiles, n, out);
}
