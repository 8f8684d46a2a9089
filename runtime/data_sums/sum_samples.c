/*
 * Samples: see sum_samples.h.
 */
#include "runtime/data_sums/sum_samples.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/data/object.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/sum_smalls.h"
#include "runtime/host/helper.h"
#include "runtime/host/loaded.h"
#include "runtime/memory/sample.h"
#include "runtime/program/debuginfo.h"
#include "runtime/sources/sampling.h"

void (*ompp_collect_line_found)(uint64_t ip, uint32_t line, const char *function, const char *file);

enum {
	MOST_ASKED = 5000, /* instructions whose lines are asked for; a question takes some 50 us */
	FUNCTION_BYTES = 512
};

/* An entry of one of the profile's arrays before its order and its source line are known.  Members that are no part of
 * its key are 0. */
struct entry {
	uint32_t path, row; /* the row is not final */
	uint32_t object, home;
	uint64_t ip;
	uint32_t small; /* number of the variable (small.h) */
	uint8_t what;   /* enum ompp_sample_sum_kind */
	uint64_t n_far;
	struct ompp_sampled_sum sum;
	uint64_t *histogram; /* [OMPP_HISTOGRAM_BUCKETS] */
};

/* Where an instruction is in the source. */
struct where {
	uint64_t ip, n; /* n samples and touches are of it */
	const char *file, *function;
	uint32_t line;
};

struct ompp_merge_samples {
	struct entry *entries;
	size_t n, have;
	struct ompp_index index;
	struct where *wheres;
	size_t n_wheres, have_wheres;
	struct ompp_index where_index;
	uint64_t n_unasked; /* samples whose lines are not asked for */
	struct ompp_smalls_named smalls;
};

int ompp_samples_start(struct ompp_merge *c)
{
	c->samples = ompp_arena_alloc(c->arena, sizeof(*c->samples));
	return c->samples ? 0 : -ENOMEM;
}

int ompp_samples_any(const struct ompp_merge *c)
{
	return c->samples->n > 0;
}

/* ---- merging ---- */

static uint32_t hash_of(const struct entry *e)
{
	uint64_t h = ((uint64_t)e->path << 32 | e->row) * 0x9E3779B97F4A7C15u ^ e->ip * 0xC2B2AE3D27D4EB4Fu;

	h ^= (((uint64_t)e->object << 32 | e->home) + e->small) * 0x165667B19E3779F9u;
	h = (h ^ h >> 29 ^ (uint64_t)e->what << 16 ^ (uint64_t)e->sum.kind << 8 ^ e->sum.level) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(h >> 32);
}

static uint32_t entry_hash(const void *context, uint32_t i)
{
	return hash_of(&((const struct entry *)context)[i]);
}

static int is_same(const struct entry *a, const struct entry *b)
{
	return a->path == b->path && a->row == b->row && a->object == b->object && a->home == b->home &&
	       a->ip == b->ip && a->small == b->small && a->what == b->what && a->sum.kind == b->sum.kind &&
	       a->sum.level == b->sum.level;
}

/* Returns the entry with the key of `wanted`, made if need be; NULL without memory. */
static struct entry *samples_find(struct ompp_merge *c, const struct entry *wanted)
{
	struct ompp_merge_samples *m = c->samples;
	size_t at = hash_of(wanted);
	struct entry *all;
	uint32_t i;

	while ((i = ompp_index_next(&m->index, &at)) != OMPP_INDEX_FREE)
		if (is_same(&m->entries[i], wanted))
			return &m->entries[i];
	all = ompp_arena_grow(c->arena, m->entries, &m->have, m->n + 1, sizeof(*all));
	if (!all)
		return NULL;
	ompp_assert(wanted->what != OMPP_SUM_OF_PLACE || (!wanted->path && !wanted->row));
	ompp_assert(wanted->what != OMPP_SUM_OF_NODE || (!wanted->ip && !wanted->small));
	m->entries = all;
	all[m->n] = *wanted;
	if (ompp_index_put(&m->index, c->arena, (uint32_t)m->n, entry_hash, all))
		return NULL;
	return &all[m->n++];
}

static uint64_t samples_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns a sum as the profile has it. */
static int64_t sum_of(const uint64_t *sum)
{
	return (int64_t)samples_least(OMPP_LOAD(sum), OMPP_SAMPLE_MOST);
}

/* Adds a histogram.  Its thread may have gone on since its timed samples were counted, and the profile shows no more
 * latencies than those. */
static void add_histogram(struct ompp_merge *c, struct entry *e, const uint64_t *histogram, uint64_t n_timed)
{
	if (!histogram)
		return;
	if (!e->histogram)
		e->histogram = ompp_arena_alloc(c->arena, OMPP_HISTOGRAM_BUCKETS * sizeof(*e->histogram));
	if (!e->histogram) {
		c->failed = 1;
		return;
	}
	for (int i = 0; i < OMPP_HISTOGRAM_BUCKETS && n_timed; i++) {
		uint64_t n = samples_least(OMPP_LOAD(&histogram[i]), n_timed);

		e->histogram[i] += n;
		n_timed -= n;
	}
}

void ompp_merge_sample(struct ompp_merge *c, const struct ompp_sample_sum *s, uint32_t path, uint32_t row)
{
	const struct ompp_cover *cover = ompp_cover(s->key.cover);
	struct entry wanted = { .home = s->key.home, .ip = s->key.ip, .small = s->key.small, .what = s->key.sum };
	struct ompp_sampled_sum sum = { .n = OMPP_LOAD(&s->n),
		                        .estimate = sum_of(&s->estimate),
		                        .variance = sum_of(&s->variance),
		                        .latency_ticks = sum_of(&s->latency),
		                        .squares = sum_of(&s->squares) };
	uint64_t n_far = samples_least(OMPP_LOAD(&s->n_far), sum.n);

	sum.n_timed = samples_least(OMPP_LOAD(&s->n_timed), sum.n);
	sum.latency_ticks = sum.n_timed ? sum.latency_ticks : 0;
	sum.squares = sum.n_timed ? sum.squares : 0;
	if (s->key.sum != OMPP_SUM_OF_PLACE) {
		wanted.path = path;
		wanted.row = row;
	}
	wanted.sum.kind = s->key.kind;
	wanted.sum.level = s->key.level;
	for (uint32_t k = 0; k < cover->n_objects && !c->failed && sum.n; k++) {
		struct entry *e;

		wanted.object = ompp_allocation_object(c, cover->objects[k]);
		e = samples_find(c, &wanted);
		if (!e) {
			c->failed = 1;
			return;
		}
		e->n_far += n_far;
		ompp_sampled_add(&e->sum, &sum);
		add_histogram(c, e, __atomic_load_n(&s->histogram, __ATOMIC_ACQUIRE), sum.n_timed);
	}
}

/* ---- source lines ---- */

static uint32_t ip_hash(uint64_t ip)
{
	return (uint32_t)(ip * 0x9E3779B97F4A7C15u >> 32);
}

static uint32_t where_hash(const void *context, uint32_t i)
{
	return ip_hash(((const struct where *)context)[i].ip);
}

/* Returns what is known of an instruction, made if need be; NULL without memory. */
static struct where *where_is(struct ompp_merge *c, uint64_t ip)
{
	struct ompp_merge_samples *m = c->samples;
	size_t at = ip_hash(ip);
	struct where *all;
	uint32_t i;

	while ((i = ompp_index_next(&m->where_index, &at)) != OMPP_INDEX_FREE)
		if (m->wheres[i].ip == ip)
			return &m->wheres[i];
	all = ompp_arena_grow(c->arena, m->wheres, &m->have_wheres, m->n_wheres + 1, sizeof(*all));
	if (!all)
		return NULL;
	m->wheres = all;
	all[m->n_wheres] = (struct where){ .ip = ip, .file = "", .function = "" };
	if (ompp_index_put(&m->where_index, c->arena, (uint32_t)m->n_wheres, where_hash, all))
		return NULL;
	return &all[m->n_wheres++];
}

static int where_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct where *w = context;

	return w[x].n != w[y].n ? w[x].n < w[y].n : w[x].ip > w[y].ip;
}

/* Asks debug information about one instruction.  Returns 0 or -ENOMEM. */
static int samples_ask(struct ompp_merge *c, struct where *w, struct ompp_loaded *file, char *path)
{
	char function[FUNCTION_BYTES];

	if (!w->ip || ompp_loaded_find(file, w->ip))
		return 0;
	w->line = ompp_debuginfo_line(file->path, file->offset, path, OMPP_LOADED_PATH_BYTES, function,
	                              sizeof(function));
	if (!w->line)
		return 0;
	w->file = ompp_arena_strdup(c->arena, path);
	w->function = ompp_arena_strdup(c->arena, function);
	return w->file && w->function ? 0 : -ENOMEM;
}

/* Finds the source lines of the instructions, of those with most samples when there are very many. */
static int find_lines(struct ompp_merge *c)
{
	struct ompp_merge_samples *m = c->samples;
	struct ompp_loaded *file = ompp_arena_alloc(c->arena, sizeof(*file));
	char *path = ompp_arena_alloc(c->arena, OMPP_LOADED_PATH_BYTES);
	uint32_t *order;
	size_t i;

	for (i = 0; i < m->n; i++) {
		struct where *w = m->entries[i].what == OMPP_SUM_OF_NODE ? NULL : where_is(c, m->entries[i].ip);

		if (w)
			w->n += m->entries[i].sum.n;
		else if (m->entries[i].what != OMPP_SUM_OF_NODE)
			return -ENOMEM;
	}
	order = ompp_arena_alloc(c->arena, (m->n_wheres + 1) * sizeof(*order));
	if (!order || !file || !path)
		return -ENOMEM;
	for (i = 0; i < m->n_wheres; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, m->n_wheres, where_is_after, m->wheres);
	for (i = 0; i < m->n_wheres; i++)
		if (i >= MOST_ASKED)
			m->n_unasked += m->wheres[order[i]].n;
		else if (samples_ask(c, &m->wheres[order[i]], file, path))
			return -ENOMEM;
	if (m->n_wheres)
		ompp_helper_end();
	for (i = 0; ompp_collect_line_found && i < m->n_wheres; i++)
		if (m->wheres[i].line)
			ompp_collect_line_found(m->wheres[i].ip, m->wheres[i].line, m->wheres[i].function,
			                        m->wheres[i].file);
	return 0;
}

/* ---- the profile's arrays ---- */

/* A sample's entry as the profile has it, and the entry. */
struct shown {
	struct ompp_sampled s;
	const struct entry *entry;
};

static int sampled_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct shown *all = context;

	return ompp_record_compare(OMPP_SECTION_SAMPLES, &all[x].s, &all[y].s) > 0;
}

static int finish_samples(struct ompp_merge *c, struct ompp_profile *p)
{
	const struct ompp_merge_samples *m = c->samples;
	struct shown *all = ompp_arena_alloc(c->arena, (m->n + 1) * sizeof(*all));
	struct ompp_sampled *out = ompp_arena_alloc(c->arena, (m->n + 1) * sizeof(*out));
	struct ompp_sampled_latency *latencies = NULL, *l;
	size_t n = 0, n_latencies = 0, have = 0, i;
	uint32_t *order;

	if (!all || !out)
		return -ENOMEM;
	for (i = 0; i < m->n; i++) {
		const struct entry *e = &m->entries[i];

		if (e->what == OMPP_SUM_OF_NODE)
			all[n++] = (struct shown){
				{ e->path, c->rows[e->row].final, e->object, e->home, e->n_far, e->sum }, e
			};
	}
	order = ompp_sorted(c->arena, n, sampled_is_after, all);
	if (!order)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		const uint64_t *histogram = all[order[i]].entry->histogram;

		out[i] = all[order[i]].s;
		for (uint32_t b = 0; histogram && b < OMPP_HISTOGRAM_BUCKETS; b++) {
			if (!histogram[b])
				continue;
			l = ompp_arena_grow(c->arena, latencies, &have, n_latencies + 1, sizeof(*l));
			if (!l)
				return -ENOMEM;
			latencies = l;
			l[n_latencies++] = (struct ompp_sampled_latency){ (uint32_t)i, b, histogram[b] };
		}
	}
	p->samples = out;
	p->n_samples = n;
	p->sample_histogram = latencies;
	p->n_sample_histogram = n_latencies;
	return 0;
}

/* ---- rows by source line ---- */

/* How rows of one kind are made of entries.  Several instructions have the same line: their rows become one. */
struct by_line {
	size_t n_bytes; /* of a row */
	int what;       /* of the entries: OMPP_SUM_OF_PLACE or OMPP_SUM_OF_TOUCH */
	void (*make)(struct ompp_merge *c, const struct entry *e, const struct where *w, void *row);
	int (*is_after)(const void *rows, uint32_t x, uint32_t y);
	int (*join)(void *row, const void *next); /* adds a row, if it is of the same; returns 1 when it is */
};

static void make_line(struct ompp_merge *c, const struct entry *e, const struct where *w, void *row)
{
	(void)c;
	*(struct ompp_sampled_line *)row = (struct ompp_sampled_line){ w->file, w->line, w->function, e->object,
		                                                       e->sum };
}

static int line_is_after(const void *rows, uint32_t x, uint32_t y)
{
	const struct ompp_sampled_line *all = rows;

	return ompp_record_compare(OMPP_SECTION_SAMPLE_LINES, &all[x], &all[y]) > 0;
}

static int join_lines(void *row, const void *next)
{
	struct ompp_sampled_line *line = row;
	const struct ompp_sampled_line *other = next;

	if (ompp_record_compare(OMPP_SECTION_SAMPLE_LINES, line, other))
		return 0;
	ompp_record_add(OMPP_SECTION_SAMPLE_LINES, line, other);
	return 1;
}

static void make_touch(struct ompp_merge *c, const struct entry *e, const struct where *w, void *row)
{
	*(struct ompp_first_touch *)row = (struct ompp_first_touch){ e->path,   c->rows[e->row].final,
		                                                     e->object, e->home,
		                                                     w->file,   w->line,
		                                                     e->sum.n,  c->samples->smalls.names[e->small] };
}

/* Names the small variables that were touched first. */
static int name_smalls(struct ompp_merge *c)
{
	struct ompp_merge_samples *m = c->samples;
	int rc = ompp_smalls_count(&m->smalls, c->arena);

	for (size_t i = 0; !rc && i < m->n; i++)
		m->smalls.counts[m->entries[i].small] += m->entries[i].sum.n;
	return rc ? rc : ompp_smalls_name(&m->smalls, c->arena);
}

static int touch_is_after(const void *rows, uint32_t x, uint32_t y)
{
	const struct ompp_first_touch *all = rows;

	return ompp_record_compare(OMPP_SECTION_FIRST_TOUCHES, &all[x], &all[y]) > 0;
}

static int join_touches(void *row, const void *next)
{
	struct ompp_first_touch *touch = row;
	const struct ompp_first_touch *other = next;

	if (ompp_record_compare(OMPP_SECTION_FIRST_TOUCHES, touch, other))
		return 0;
	ompp_record_add(OMPP_SECTION_FIRST_TOUCHES, touch, other);
	return 1;
}

static const struct by_line sampled_lines = { sizeof(struct ompp_sampled_line), OMPP_SUM_OF_PLACE, make_line,
	                                      line_is_after, join_lines };
static const struct by_line first_touches = { sizeof(struct ompp_first_touch), OMPP_SUM_OF_TOUCH, make_touch,
	                                      touch_is_after, join_touches };

/* Makes the rows of one kind, in order.  Returns them, and their number in *n_out; NULL without memory. */
static void *finish_by_line(struct ompp_merge *c, const struct by_line *kind, size_t *n_out)
{
	const struct ompp_merge_samples *m = c->samples;
	char *all = ompp_arena_alloc(c->arena, (m->n + 1) * kind->n_bytes);
	char *out = ompp_arena_alloc(c->arena, (m->n + 1) * kind->n_bytes);
	uint32_t *order = NULL;
	size_t n = 0, i;

	for (i = 0; all && i < m->n; i++) {
		const struct entry *e = &m->entries[i];
		const struct where *w = e->what == kind->what ? where_is(c, e->ip) : NULL;

		if (w)
			kind->make(c, e, w, all + n++ * kind->n_bytes);
	}
	if (all && out)
		order = ompp_sorted(c->arena, n, kind->is_after, all);
	if (!order)
		return NULL;
	*n_out = 0;
	for (i = 0; i < n; i++) {
		const char *row = all + order[i] * kind->n_bytes;

		if (!*n_out || !kind->join(out + (*n_out - 1) * kind->n_bytes, row))
			memcpy(out + (*n_out)++ * kind->n_bytes, row, kind->n_bytes);
	}
	return out;
}

int ompp_collect_samples(struct ompp_merge *c, struct ompp_profile *p)
{
	const struct ompp_sampling *s = &ompp_sampling;

	p->sample_source = s->source;
	p->sample_kinds = s->kinds;
	p->sample_period = s->period;
	p->sample_latency = s->latency;
	p->sample_latencies = s->latencies;
	p->sample_seed = s->source[0] ? s->seed : 0;
	p->touched = s->touched;
	if (find_lines(c) || finish_samples(c, p) || name_smalls(c))
		return -ENOMEM;
	p->sample_lines = finish_by_line(c, &sampled_lines, &p->n_sample_lines);
	p->first_touches = finish_by_line(c, &first_touches, &p->n_first_touches);
	return p->sample_lines && p->first_touches ? 0 : -ENOMEM;
}

/* ---- notes ---- */

int ompp_collect_sample_notes(struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n)
{
	int error = ompp_sample_home_error();
	char text[256];
	struct ompp_text t;

	if (c->samples->n_unasked)
		notes[(*n)++] = (struct ompp_profile_note){
			"samples are of instructions whose source lines were not looked for, as there are so many",
			c->samples->n_unasked
		};
	if (!error || !ompp_samples_any(c))
		return 0;
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_str(&t, "The NUMA nodes of sampled pages are not known: ");
	if (error == ENOSYS) {
		ompp_text_str(&t, "the kernel has no move_pages; use one with CONFIG_NUMA");
	} else if (error == EPERM || error == EACCES) {
		ompp_text_str(&t, "a security profile forbids move_pages; allow it in the container's profile");
	} else {
		ompp_text_str(&t, "move_pages failed with errno ");
		ompp_text_i64(&t, error);
		ompp_text_str(&t, "; see move_pages(2)");
	}
	notes[*n] = (struct ompp_profile_note){ ompp_arena_strdup(c->arena, text), 0 };
	return notes[(*n)++].text ? 0 : -ENOMEM;
}
