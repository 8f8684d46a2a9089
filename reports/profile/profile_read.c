/*
 * Profile read: a profile from a file.  Every number in it is checked (profile_check.h).
 */
#include "reports/profile/profile_file.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/profile_check.h"
#include "reports/profile/schema.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

struct reader {
	struct ompp_arena *arena;
	void *arrays[OMPP_N_SECTIONS];
	size_t n[OMPP_N_SECTIONS], have[OMPP_N_SECTIONS];
	int complete; /* 1 when the END section was reached */
	int repaired; /* 1 when what was read did not fit together */
};

int ompp_profile_is(const void *data, size_t n_bytes)
{
	return n_bytes >= OMPP_PROFILE_MAGIC_BYTES && !memcmp(data, ompp_profile_magic, OMPP_PROFILE_MAGIC_BYTES);
}

/* Fills in a record from its words.  Returns 0, or -EINVAL when a text lies outside the blob. */
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
			if (i < n_words) { /* the blob ends with a NUL */
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

/* Reads the section at p.  Returns its length, 0 at the end of what can be read, or -ENOMEM. */
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
		void *array = ompp_arena_grow(r->arena, r->arrays[which], &r->have[which], r->n[which] + n_records,
		                              schema->record_bytes);

		blob = ompp_arena_alloc(r->arena, n_blob_bytes + 1);
		if ((!array && n_records) || !blob)
			return -ENOMEM;
		memcpy(blob, words + n_word_bytes, n_blob_bytes);
		r->arrays[which] = array;
		for (uint64_t i = 0; i < n_records; i++, words += 8 * n_words) {
			if (get_record(schema, (char *)array + r->n[which] * schema->record_bytes, words, n_words, blob,
			               n_blob_bytes))
				return 0;
			r->n[which]++;
		}
	}
	return (int64_t)(OMPP_SECTION_HEADER_BYTES + n_payload);
}

/* Takes all accesses away.  An access that is not listed counts as 0, so nothing can be said of a list that may have
 * lost some. */
static void forget_accesses(struct ompp_profile *p, struct ompp_object *objects)
{
	for (size_t i = 0; i < p->n_objects; i++)
		objects[i].measured = 0;
	p->n_accesses = p->n_shared_lines = p->n_patterns = 0;
}

/* Takes all samples and first touches away, for the same reason. */
static void forget_samples(struct ompp_profile *p)
{
	p->sample_source = p->sample_latencies = "";
	p->touched = 0;
	p->n_samples = p->n_sample_histogram = p->n_sample_lines = p->n_first_touches = 0;
	p->n_uses = p->n_placements = p->n_bindings = 0;
}

static void assemble_samples(struct reader *r, struct ompp_profile *p)
{
	p->samples = r->arrays[OMPP_SECTION_SAMPLES];
	p->n_samples = ompp_valid_samples(p, p->samples, r->n[OMPP_SECTION_SAMPLES]);
	p->sample_histogram = r->arrays[OMPP_SECTION_SAMPLE_HISTOGRAM];
	p->n_sample_histogram = ompp_valid_sample_histogram(p, p->sample_histogram,
	                                                    r->n[OMPP_SECTION_SAMPLE_HISTOGRAM]);
	p->sample_lines = r->arrays[OMPP_SECTION_SAMPLE_LINES];
	p->n_sample_lines = ompp_valid_sample_lines(p, p->sample_lines, r->n[OMPP_SECTION_SAMPLE_LINES]);
	p->first_touches = r->arrays[OMPP_SECTION_FIRST_TOUCHES];
	p->n_first_touches = ompp_valid_first_touches(p, p->first_touches, r->n[OMPP_SECTION_FIRST_TOUCHES]);
	if (p->n_samples < r->n[OMPP_SECTION_SAMPLES] || p->n_sample_histogram < r->n[OMPP_SECTION_SAMPLE_HISTOGRAM] ||
	    p->n_sample_lines < r->n[OMPP_SECTION_SAMPLE_LINES] ||
	    p->n_first_touches < r->n[OMPP_SECTION_FIRST_TOUCHES])
		r->repaired = 1;
}

static void assemble_numa(struct reader *r, struct ompp_profile *p)
{
	p->uses = r->arrays[OMPP_SECTION_USES];
	p->n_uses = ompp_valid_uses(p, p->uses, r->n[OMPP_SECTION_USES]);
	p->placements = r->arrays[OMPP_SECTION_PLACEMENTS];
	p->n_placements = ompp_valid_placements(p, p->placements, r->n[OMPP_SECTION_PLACEMENTS]);
	p->bindings = r->arrays[OMPP_SECTION_BINDINGS];
	p->n_bindings = ompp_valid_bindings(p, p->bindings, r->n[OMPP_SECTION_BINDINGS]);
	p->numa_nodes = r->arrays[OMPP_SECTION_NUMA_NODES];
	p->n_numa_list = ompp_valid_numa_nodes(r->arrays[OMPP_SECTION_NUMA_NODES], r->n[OMPP_SECTION_NUMA_NODES]);
	if (p->n_uses < r->n[OMPP_SECTION_USES] || p->n_placements < r->n[OMPP_SECTION_PLACEMENTS] ||
	    p->n_bindings < r->n[OMPP_SECTION_BINDINGS] || p->n_numa_list < r->n[OMPP_SECTION_NUMA_NODES])
		r->repaired = 1;
}

static void assemble_data(struct reader *r, struct ompp_profile *p)
{
	struct ompp_object *objects = r->arrays[OMPP_SECTION_OBJECTS];

	p->objects = objects;
	p->n_objects = ompp_valid_objects(objects, r->n[OMPP_SECTION_OBJECTS]);
	p->cache_levels = r->arrays[OMPP_SECTION_LEVELS];
	p->n_cache_levels = ompp_valid_levels(r->arrays[OMPP_SECTION_LEVELS], r->n[OMPP_SECTION_LEVELS]);
	p->accesses = r->arrays[OMPP_SECTION_ACCESSES];
	p->n_accesses = ompp_valid_accesses(p, p->accesses, r->n[OMPP_SECTION_ACCESSES]);
	p->shared_lines = r->arrays[OMPP_SECTION_LINES];
	p->n_shared_lines = ompp_valid_lines(p, r->arrays[OMPP_SECTION_LINES], r->n[OMPP_SECTION_LINES]);
	p->patterns = r->arrays[OMPP_SECTION_PATTERNS];
	p->n_patterns = ompp_valid_patterns(p, r->arrays[OMPP_SECTION_PATTERNS], r->n[OMPP_SECTION_PATTERNS]);
	if (p->n_objects < r->n[OMPP_SECTION_OBJECTS] || p->n_cache_levels < r->n[OMPP_SECTION_LEVELS] ||
	    p->n_accesses < r->n[OMPP_SECTION_ACCESSES] || p->n_shared_lines < r->n[OMPP_SECTION_LINES] ||
	    p->n_patterns < r->n[OMPP_SECTION_PATTERNS])
		r->repaired = 1;
	p->allocations = r->arrays[OMPP_SECTION_ALLOCATIONS];
	p->n_allocations = ompp_valid_allocations(p, r->arrays[OMPP_SECTION_ALLOCATIONS],
	                                          r->n[OMPP_SECTION_ALLOCATIONS]);
	if (p->n_allocations < r->n[OMPP_SECTION_ALLOCATIONS])
		r->repaired = 1;
	assemble_samples(r, p);
	assemble_numa(r, p);
	if (r->repaired || !r->complete) {
		forget_accesses(p, objects);
		p->n_allocations = 0;
		forget_samples(p);
	}
}

/* Adds a note about what is missing. */
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

/* Puts together what was read, and cuts off what does not fit. */
static int assemble(struct reader *r, struct ompp_profile *p, size_t at_byte, size_t n_bytes)
{
	struct ompp_node *nodes;

	memcpy(p, r->arrays[OMPP_SECTION_HEAD], sizeof(*p));
	ompp_check_head(p);
	p->conditions = r->arrays[OMPP_SECTION_CONDITIONS];
	p->n_conditions = r->n[OMPP_SECTION_CONDITIONS];
	p->notes = r->arrays[OMPP_SECTION_NOTES];
	p->n_notes = r->n[OMPP_SECTION_NOTES];
	p->regions = r->arrays[OMPP_SECTION_REGIONS];
	p->n_regions = ompp_valid_regions(p->regions, r->n[OMPP_SECTION_REGIONS]);
	p->rows = r->arrays[OMPP_SECTION_ROWS];
	p->n_rows = ompp_valid_rows(p->rows, r->n[OMPP_SECTION_ROWS]);
	p->metrics = r->arrays[OMPP_SECTION_METRICS];
	p->n_metrics = ompp_valid_metrics(p->metrics, r->n[OMPP_SECTION_METRICS]);
	p->evals = r->arrays[OMPP_SECTION_EVALS];
	p->n_evals = r->n[OMPP_SECTION_EVALS];
	p->cells = r->arrays[OMPP_SECTION_CELLS];
	p->n_cells = ompp_valid_cells(p, r->arrays[OMPP_SECTION_CELLS], r->n[OMPP_SECTION_CELLS]);
	p->values = r->arrays[OMPP_SECTION_VALUES];
	if (p->n_metrics && r->n[OMPP_SECTION_VALUES] / p->n_metrics < p->n_cells)
		p->n_cells = r->n[OMPP_SECTION_VALUES] / p->n_metrics;
	nodes = r->arrays[OMPP_SECTION_NODES];
	if (!r->n[OMPP_SECTION_NODES]) { /* the root is always there */
		nodes = ompp_arena_alloc(r->arena, sizeof(*nodes));
		if (!nodes)
			return -ENOMEM;
		*nodes = (struct ompp_node){ .parent = OMPP_NONE, .region = OMPP_NONE };
		r->n[OMPP_SECTION_NODES] = 1;
		r->repaired = 1;
	}
	p->nodes = nodes;
	p->n_nodes = ompp_valid_nodes(p, nodes, r->n[OMPP_SECTION_NODES], &r->repaired);
	if (!p->n_nodes)
		return -EINVAL;
	p->numa_values = r->arrays[OMPP_SECTION_NUMA_VALUES];
	p->n_numa_values = ompp_valid_numa_values(p, p->numa_values, r->n[OMPP_SECTION_NUMA_VALUES]);
	p->waits = r->arrays[OMPP_SECTION_WAITS];
	p->n_waits = ompp_valid_waits(p, r->arrays[OMPP_SECTION_WAITS], r->n[OMPP_SECTION_WAITS]);
	if (p->n_regions < r->n[OMPP_SECTION_REGIONS] || p->n_waits < r->n[OMPP_SECTION_WAITS] ||
	    p->n_rows < r->n[OMPP_SECTION_ROWS] || p->n_metrics < r->n[OMPP_SECTION_METRICS] ||
	    p->n_cells < r->n[OMPP_SECTION_CELLS] || p->n_nodes < r->n[OMPP_SECTION_NODES] ||
	    p->n_numa_values < r->n[OMPP_SECTION_NUMA_VALUES])
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
		*why = rc == -ENOMEM ? "not enough memory"
		                     : "its call tree has no root, nothing can be read; measure again";
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
