/*
 * Profile read: a profile from a file, every number in it checked.
 */
#include "reports/profile/profile_file.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/schema.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

/* Times beyond this are damage (over 200 years); so no sum of a few can overflow. */
#define MAX_NS (INT64_MAX / 2)

struct reader {
	struct ompp_arena *arena;
	void              *arrays[OMPP_N_SECTIONS];
	size_t             n[OMPP_N_SECTIONS], have[OMPP_N_SECTIONS];
	int                complete;            /* the END section was reached */
	int                repaired;            /* what was read did not fit together */
};

int ompp_profile_is(const void *data, size_t n_bytes)
{
	return n_bytes >= OMPP_PROFILE_MAGIC_BYTES && !memcmp(data, ompp_profile_magic, OMPP_PROFILE_MAGIC_BYTES);
}

/* A record from its words: 0, or -EINVAL when a text lies outside the blob. */
static int get_record(const struct ompp_schema *schema, char *record, const unsigned char *words, size_t n_words,
                      const char *blob, size_t n_blob_bytes)
{
	for (size_t i = 0; i < schema->n_fields; i++) {
		uint64_t word = i < n_words ? ompp_get64(words + 8 * i) : 0;
		char *at = record + schema->fields[i].offset;
		const char *text = "";
		uint32_t u32 = (uint32_t)word;
		int32_t i32;

		switch (schema->fields[i].type) {
		case OMPP_FIELD_U32:
			if (word > UINT32_MAX)
				return -EINVAL;
			memcpy(at, &u32, sizeof(u32));
			break;
		case OMPP_FIELD_I32:
			i32 = (int32_t)u32;
			memcpy(at, &i32, sizeof(i32));
			break;
		case OMPP_FIELD_64:
			memcpy(at, &word, sizeof(word));
			break;
		case OMPP_FIELD_TEXT:
			if (i < n_words) {              /* the blob ends with a NUL */
				if (word >= n_blob_bytes)
					return -EINVAL;
				text = blob + word;
			}
			memcpy(at, &text, sizeof(text));
			break;
		}
	}
	return 0;
}

/* One section at p: its length, 0 at the end of what can be read, -ENOMEM. */
static int64_t read_section(struct reader *r, const unsigned char *p, size_t n_bytes)
{
	uint64_t n_words, n_records, n_blob_bytes, n_word_bytes, n_payload, sum;
	char *blob = NULL;
	int which;

	if (n_bytes < OMPP_SECTION_HEADER_BYTES)
		return 0;
	n_bytes -= OMPP_SECTION_HEADER_BYTES;
	n_words = ompp_get32(p + 4);
	n_records = ompp_get64(p + 8);
	n_blob_bytes = ompp_get64(p + 16);
	if ((n_records && !n_words) || __builtin_mul_overflow(n_records, n_words * 8, &n_word_bytes) ||
	    n_word_bytes > n_bytes || n_blob_bytes > n_bytes - n_word_bytes)
		return 0;
	n_payload = n_word_bytes + n_blob_bytes;
	sum = ompp_checksum(OMPP_CHECKSUM_START, p, 24);
	if (ompp_checksum(sum, p + OMPP_SECTION_HEADER_BYTES, n_payload) != ompp_get64(p + 24))
		return 0;

	for (which = 0; which < OMPP_N_SECTIONS; which++)
		if (!memcmp(p, ompp_schemas[which].tag, 4))
			break;
	if (which == OMPP_SECTION_END)
		r->complete = 1;
	if (which < OMPP_SECTION_END) {
		const struct ompp_schema *schema = &ompp_schemas[which];
		const unsigned char *words = p + OMPP_SECTION_HEADER_BYTES;
		void *array = ompp_arena_grow(r->arena, r->arrays[which], &r->have[which],
		                              r->n[which] + n_records, schema->record_bytes);

		blob = ompp_arena_alloc(r->arena, n_blob_bytes + 1);
		if ((!array && n_records) || !blob)
			return -ENOMEM;
		memcpy(blob, words + n_word_bytes, n_blob_bytes);
		r->arrays[which] = array;
		for (uint64_t i = 0; i < n_records; i++, words += 8 * n_words) {
			if (get_record(schema, (char *)array + r->n[which] * schema->record_bytes, words, n_words,
			               blob, n_blob_bytes))
				return 0;
			r->n[which]++;
		}
	}
	return (int64_t)(OMPP_SECTION_HEADER_BYTES + n_payload);
}

static void clamp(int64_t *ns)
{
	if (*ns > MAX_NS)
		*ns = MAX_NS;
	if (*ns < -MAX_NS)
		*ns = -MAX_NS;
}

/* How many records from the start are valid. */
static size_t valid_regions(const struct ompp_region *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if ((unsigned int)r[i].construct >= OMPP_N_CONSTRUCTS || r[i].construct == OMPP_TASKEXEC ||
		    r[i].id <= (i ? r[i - 1].id : 0))
			break;
	return i;
}

static size_t valid_rows(const struct ompp_row *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i && r[i].host < r[i - 1].host)
			break;
		if (r[i].parent == OMPP_NONE ? r[i].depth != 1
		    : r[i].parent >= i || r[i].depth != r[r[i].parent].depth + 1 || r[i].host != r[r[i].parent].host)
			break;
	}
	return i;
}

static size_t valid_metrics(const struct ompp_metric *m, size_t n)
{
	size_t i;

	for (i = 0; i < n && (unsigned int)m[i].certainty <= OMPP_NOT_COUNTED; i++)
		;
	return i;
}

/* Nodes whose parent, region and cells exist, each cell belonging to one node; a range of cells beyond those that were
 * read is cut off. */
static size_t valid_nodes(struct ompp_profile *p, struct ompp_node *node, size_t n, int *repaired)
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
			    !(node[i].construct == OMPP_TASKEXEC && region->construct == OMPP_TASK))
				break;
		}
		if (node[i].n_cells && (node[i].first_cell >= p->n_cells ||
		                        node[i].n_cells > p->n_cells - node[i].first_cell)) {
			*repaired = 1;
			node[i].n_cells = node[i].first_cell < p->n_cells ? (uint32_t)p->n_cells - node[i].first_cell : 0;
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
		clamp(ns);
}

/* Bounds that are not around the cost are none; and so it is in files that have none. */
static void check_bounds(int64_t cost_ns, int64_t *least_ns, int64_t *most_ns)
{
	clamp(least_ns);
	clamp(most_ns);
	if (*least_ns < 0 || *least_ns > cost_ns || *most_ns < cost_ns)
		*least_ns = *most_ns = OMPP_MISSING;
}

static size_t valid_cells(const struct ompp_profile *p, struct ompp_cell *c, size_t n)
{
	size_t i;

	for (i = 0; i < n && c[i].row < p->n_rows; i++) {
		int64_t *const times[] = { &c[i].exec_ns, &c[i].body_ns, &c[i].enter_ns, &c[i].exit_ns,
		                           &c[i].startup_ns, &c[i].shutdown_ns, &c[i].incl_ns, &c[i].cost_ns };

		for (size_t k = 0; k < sizeof(times) / sizeof(times[0]); k++)
			clamp(times[k]);
		clamp_known(&c[i].exit_bar_ns);
		clamp_known(&c[i].mgmt_ns);
		clamp_known(&c[i].task_ns);
		check_bounds(c[i].cost_ns, &c[i].cost_least_ns, &c[i].cost_most_ns);
	}
	return i;
}

/* Whole-machine counts in their order, of call paths that exist. */
static size_t valid_node_values(const struct ompp_profile *p, const struct ompp_node_value *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i].node >= p->n_nodes || (i && v[i].node < v[i - 1].node) ||
		    (unsigned int)v[i].metric.certainty > OMPP_NOT_COUNTED)
			break;
	return i;
}

/* A size: not negative, and no sum of a few can overflow. */
static void clamp_size(int64_t *n)
{
	if (*n != OMPP_MISSING && (*n < 0 || *n > MAX_NS))
		*n = OMPP_MISSING;
}

static size_t valid_objects(struct ompp_object *o, size_t n)
{
	size_t i;

	for (i = 0; i < n && (unsigned int)o[i].origin <= OMPP_ORIGIN_SYMBOL; i++) {
		clamp_size(&o[i].bytes);
		if ((unsigned int)o[i].parts >= OMPP_N_PARTS)
			o[i].parts = OMPP_PARTS_UNKNOWN;
	}
	return i;
}

static size_t valid_levels(struct ompp_cache_level *l, size_t n)
{
	size_t i;

	for (i = 0; i < n && i < 3; i++) {
		clamp_size(&l[i].bytes);
		clamp_size(&l[i].ways);
		clamp_size(&l[i].line_bytes);
	}
	return i;
}

/* Accesses in their order, to what exists, with numbers that can be counts. */
static size_t valid_accesses(const struct ompp_profile *p, const struct ompp_access *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (a[i].node >= p->n_nodes || a[i].row >= p->n_rows || a[i].object >= p->n_objects)
			break;
		if (i && (a[i].node != a[i - 1].node ? a[i].node < a[i - 1].node
		          : a[i].row != a[i - 1].row ? a[i].row < a[i - 1].row : a[i].object <= a[i - 1].object))
			break;
		for (int k = 0; k < OMPP_N_ACCESS_FIELDS; k++)
			if (a[i].values[k] < 0 && a[i].values[k] != OMPP_MISSING)
				return i;
	}
	return i;
}

static size_t valid_lines(const struct ompp_profile *p, struct ompp_shared_line *l, size_t n)
{
	size_t i;

	for (i = 0; i < n && l[i].object < p->n_objects && l[i].region < p->n_regions; i++)
		clamp(&l[i].offset_bytes);
	return i;
}

static size_t valid_patterns(const struct ompp_profile *p, struct ompp_pattern *t, size_t n)
{
	size_t i;

	for (i = 0; i < n && t[i].object < p->n_objects && (t[i].region < p->n_regions || t[i].region == OMPP_NONE); i++) {
		if ((unsigned int)t[i].kind >= OMPP_N_PATTERNS)
			break;
		clamp(&t[i].step_bytes);
	}
	return i;
}

/* In the order of cells that exist, with times that can be. */
static size_t valid_waits(const struct ompp_profile *p, struct ompp_wait *w, size_t n)
{
	size_t i;

	for (i = 0; i < n && w[i].cell < p->n_cells && (!i || w[i].cell > w[i - 1].cell); i++) {
		int64_t *const times[] = { &w[i].work_ns, &w[i].spread_ns, &w[i].off_ns, &w[i].asleep_ns, &w[i].looked_ns,
		                           &w[i].made_ns, &w[i].least_ns, &w[i].most_ns };

		for (size_t k = 0; k < sizeof(times) / sizeof(times[0]); k++)
			clamp_size(times[k]);
		for (int k = 0; k < OMPP_N_CAUSES; k++)
			clamp_size(&w[i].cause_ns[k]);
	}
	return i;
}

/* What is not listed counts as 0, so of a list that may have lost something nothing can be said. */
static void forget_accesses(struct ompp_profile *p, struct ompp_object *objects)
{
	for (size_t i = 0; i < p->n_objects; i++)
		objects[i].measured = 0;
	p->n_accesses = p->n_shared_lines = p->n_patterns = 0;
}

static void assemble_data(struct reader *r, struct ompp_profile *p)
{
	struct ompp_object *objects = r->arrays[OMPP_SECTION_OBJECTS];

	p->objects = objects;
	p->n_objects = valid_objects(objects, r->n[OMPP_SECTION_OBJECTS]);
	p->cache_levels = r->arrays[OMPP_SECTION_LEVELS];
	p->n_cache_levels = valid_levels(r->arrays[OMPP_SECTION_LEVELS], r->n[OMPP_SECTION_LEVELS]);
	p->accesses = r->arrays[OMPP_SECTION_ACCESSES];
	p->n_accesses = valid_accesses(p, p->accesses, r->n[OMPP_SECTION_ACCESSES]);
	p->shared_lines = r->arrays[OMPP_SECTION_LINES];
	p->n_shared_lines = valid_lines(p, r->arrays[OMPP_SECTION_LINES], r->n[OMPP_SECTION_LINES]);
	p->patterns = r->arrays[OMPP_SECTION_PATTERNS];
	p->n_patterns = valid_patterns(p, r->arrays[OMPP_SECTION_PATTERNS], r->n[OMPP_SECTION_PATTERNS]);
	if (p->n_objects < r->n[OMPP_SECTION_OBJECTS] || p->n_cache_levels < r->n[OMPP_SECTION_LEVELS] ||
	    p->n_accesses < r->n[OMPP_SECTION_ACCESSES] || p->n_shared_lines < r->n[OMPP_SECTION_LINES] ||
	    p->n_patterns < r->n[OMPP_SECTION_PATTERNS])
		r->repaired = 1;
	if (r->repaired || !r->complete)
		forget_accesses(p, objects);
}

/* A sentence about what is missing, at the end of the notes. */
static int add_note(struct reader *r, struct ompp_profile *p, size_t at_byte, size_t n_bytes)
{
	char buffer[200];
	struct ompp_text t;
	struct ompp_profile_note *notes = ompp_arena_grow(r->arena, r->arrays[OMPP_SECTION_NOTES],
	                                                  &r->have[OMPP_SECTION_NOTES], p->n_notes + 1, sizeof(*notes));
	const char *text;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "the profile file is damaged from byte ");
	ompp_text_u64(&t, at_byte);
	ompp_text_str(&t, " of ");
	ompp_text_u64(&t, n_bytes);
	ompp_text_str(&t, " on; this report shows what stands before that");
	text = ompp_arena_strdup(r->arena, buffer);
	if (!notes || !text)
		return -ENOMEM;
	notes[p->n_notes++] = (struct ompp_profile_note){ .text = text };
	p->notes = notes;
	return 0;
}

/* Put together what was read; cut off what does not fit. */
static int assemble(struct reader *r, struct ompp_profile *p, size_t at_byte, size_t n_bytes)
{
	struct ompp_node *nodes;

	memcpy(p, r->arrays[OMPP_SECTION_HEAD], sizeof(*p));
	clamp(&p->duration_ns);
	clamp(&p->cost_ns);
	clamp(&p->start_unix_ns);
	clamp(&p->end_unix_ns);
	clamp(&p->user_ns);
	clamp(&p->system_ns);
	clamp(&p->cost_ps);
	clamp(&p->off_ns);
	if (p->off_ns < 0 || p->off_ns > p->duration_ns)
		p->off_ns = 0;
	check_bounds(p->cost_ns, &p->cost_least_ns, &p->cost_most_ns);
	clamp_size(&p->processors_milli);
	if (!p->processors_milli)               /* of a file that has none */
		p->processors_milli = OMPP_MISSING;
	clamp_size(&p->queued_ns);
	if (!p->queued_ns)
		p->queued_ns = OMPP_MISSING;
	p->conditions = r->arrays[OMPP_SECTION_CONDITIONS];
	p->n_conditions = r->n[OMPP_SECTION_CONDITIONS];
	p->notes = r->arrays[OMPP_SECTION_NOTES];
	p->n_notes = r->n[OMPP_SECTION_NOTES];
	p->regions = r->arrays[OMPP_SECTION_REGIONS];
	p->n_regions = valid_regions(p->regions, r->n[OMPP_SECTION_REGIONS]);
	p->rows = r->arrays[OMPP_SECTION_ROWS];
	p->n_rows = valid_rows(p->rows, r->n[OMPP_SECTION_ROWS]);
	p->metrics = r->arrays[OMPP_SECTION_METRICS];
	p->n_metrics = valid_metrics(p->metrics, r->n[OMPP_SECTION_METRICS]);
	p->evals = r->arrays[OMPP_SECTION_EVALS];
	p->n_evals = r->n[OMPP_SECTION_EVALS];
	p->cells = r->arrays[OMPP_SECTION_CELLS];
	p->n_cells = valid_cells(p, r->arrays[OMPP_SECTION_CELLS], r->n[OMPP_SECTION_CELLS]);
	p->values = r->arrays[OMPP_SECTION_VALUES];
	if (p->n_metrics && r->n[OMPP_SECTION_VALUES] / p->n_metrics < p->n_cells)
		p->n_cells = r->n[OMPP_SECTION_VALUES] / p->n_metrics;
	nodes = r->arrays[OMPP_SECTION_NODES];
	if (!r->n[OMPP_SECTION_NODES]) {        /* the root is always there */
		nodes = ompp_arena_alloc(r->arena, sizeof(*nodes));
		if (!nodes)
			return -ENOMEM;
		*nodes = (struct ompp_node){ .parent = OMPP_NONE, .region = OMPP_NONE };
		r->n[OMPP_SECTION_NODES] = 1;
		r->repaired = 1;
	}
	p->nodes = nodes;
	p->n_nodes = valid_nodes(p, nodes, r->n[OMPP_SECTION_NODES], &r->repaired);
	if (!p->n_nodes)
		return -EINVAL;
	p->node_values = r->arrays[OMPP_SECTION_NODE_VALUES];
	p->n_node_values = valid_node_values(p, p->node_values, r->n[OMPP_SECTION_NODE_VALUES]);
	p->waits = r->arrays[OMPP_SECTION_WAITS];
	p->n_waits = valid_waits(p, r->arrays[OMPP_SECTION_WAITS], r->n[OMPP_SECTION_WAITS]);
	if (p->n_regions < r->n[OMPP_SECTION_REGIONS] || p->n_waits < r->n[OMPP_SECTION_WAITS] || p->n_rows < r->n[OMPP_SECTION_ROWS] ||
	    p->n_metrics < r->n[OMPP_SECTION_METRICS] || p->n_cells < r->n[OMPP_SECTION_CELLS] ||
	    p->n_nodes < r->n[OMPP_SECTION_NODES] || p->n_node_values < r->n[OMPP_SECTION_NODE_VALUES])
		r->repaired = 1;
	assemble_data(r, p);
	return r->repaired || !r->complete ? add_note(r, p, at_byte, n_bytes) : 0;
}

int ompp_profile_parse(const void *data, size_t n_bytes, struct ompp_arena *arena, struct ompp_profile *profile,
                       const char **why)
{
	const unsigned char *p = data;
	struct reader r = { .arena = arena };
	size_t at = OMPP_FILE_HEADER_BYTES;
	int rc;

	memset(profile, 0, sizeof(*profile));
	if (!ompp_profile_is(data, n_bytes)) {
		*why = "not a saved profile; give a file whose name ends in .ompp";
		return -EINVAL;
	}
	if (n_bytes < OMPP_FILE_HEADER_BYTES) {
		*why = "the file ends within its header, nothing can be read; measure again";
		return -EINVAL;
	}
	if (ompp_get32(p + 8) > OMPP_PROFILE_VERSION) {
		*why = "written by a newer version of kinst; use that version's ompp";
		return -EPROTO;
	}
	if (ompp_get32(p + 8) < OMPP_PROFILE_VERSION) {
		*why = "written by an older version of kinst than this ompp can read; use that version's ompp";
		return -EPROTO;
	}
	while (!r.complete) {
		int64_t n = read_section(&r, p + at, n_bytes - at);

		if (n < 0) {
			*why = "not enough memory";
			return (int)n;
		}
		if (!n)
			break;
		at += (size_t)n;
	}
	if (!r.n[OMPP_SECTION_HEAD]) {
		*why = "damaged at its beginning, nothing can be read; measure again";
		return -EINVAL;
	}
	rc = assemble(&r, profile, at, n_bytes);
	if (rc)
		*why = rc == -ENOMEM ? "not enough memory" : "its call tree has no root, nothing can be read; measure again";
	return rc;
}

int ompp_profile_read(int fd, struct ompp_arena *arena, struct ompp_profile *profile, const char **why)
{
	char *data = NULL;
	size_t n_bytes = 0, have_bytes = 0;

	for (;;) {
		ssize_t n;
		char *grown = ompp_arena_grow(arena, data, &have_bytes, n_bytes + 65536, 1);

		if (!grown) {
			*why = "not enough memory";
			return -ENOMEM;
		}
		data = grown;
		n = ompp_sys_read(fd, data + n_bytes, have_bytes - n_bytes);
		if (n == -EINTR)
			continue;
		if (n < 0) {
			*why = "cannot be read";
			return (int)n;
		}
		if (!n)
			break;
		n_bytes += (size_t)n;
	}
	return ompp_profile_parse(data, n_bytes, arena, profile, why);
}
