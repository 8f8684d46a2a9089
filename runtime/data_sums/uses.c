/*
 * Uses: see uses.h.
 */
#include "runtime/data_sums/uses.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/touched.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/sum_smalls.h"
#include "runtime/memory/home.h"
#include "runtime/memory/touch.h"
#include "runtime/sources/sampling.h"

enum { LIST_BYTES = 512 };

/* A sum before its order and its toucher's row are known. */
struct entry {
	struct ompp_use use; /* row is not final; toucher, touched_at and small ("") are not known */
	uint64_t toucher;    /* ompp_toucher() */
	uint32_t small;      /* number of the variable (small.h) */
};

/* Where a thread touched pages first. */
struct toucher {
	uint64_t key; /* ompp_toucher() */
	uint32_t path, row;
};

/* The row by which a thread is known: the one with most of its samples. */
struct known {
	const struct ompp_thread *thread;
	uint32_t row;
	uint64_t n;
};

struct ompp_merge_uses {
	struct entry *entries;
	size_t n, have;
	struct ompp_index index;
	struct toucher *touchers;
	size_t n_touchers, have_touchers;
	struct ompp_index toucher_index;
	struct known *known;
	size_t n_known, have_known;
};

int ompp_uses_start(struct ompp_merge *c)
{
	c->uses = ompp_arena_alloc(c->arena, sizeof(*c->uses));
	return c->uses ? 0 : -ENOMEM;
}

/* ---- merging ---- */

static uint32_t uses_mix(uint64_t h)
{
	return (uint32_t)((h ^ h >> 29) * 0x9E3779B97F4A7C15u >> 32);
}

static uint32_t hash_of(const struct entry *e)
{
	uint64_t h = ((uint64_t)e->use.node << 32 | e->use.row) * 0x9E3779B97F4A7C15u;

	h ^= ((uint64_t)e->use.object << 32 | e->use.home) * 0x165667B19E3779F9u;
	h ^= (e->toucher ^ (uint64_t)e->use.from << 48) * 0x27D4EB2F165667C5u;
	return uses_mix(h ^ e->use.sum.kind ^ (uint64_t)e->use.sum.level << 8 ^ (uint64_t)e->small << 16);
}

static uint32_t entry_hash(const void *entries, uint32_t i)
{
	return hash_of(&((const struct entry *)entries)[i]);
}

static int is_same(const struct entry *a, const struct entry *b)
{
	return a->use.node == b->use.node && a->use.row == b->use.row && a->use.object == b->use.object &&
	       a->use.home == b->use.home && a->use.from == b->use.from && a->toucher == b->toucher &&
	       a->small == b->small && a->use.sum.kind == b->use.sum.kind && a->use.sum.level == b->use.sum.level;
}

static void add_entry(struct ompp_merge *c, const struct entry *wanted)
{
	struct ompp_merge_uses *m = c->uses;
	size_t at = hash_of(wanted);
	struct entry *all;
	uint32_t i;

	while ((i = ompp_index_next(&m->index, &at)) != OMPP_INDEX_FREE)
		if (is_same(&m->entries[i], wanted)) {
			ompp_record_add(OMPP_SECTION_USES, &m->entries[i].use, &wanted->use);
			return;
		}
	all = ompp_arena_grow(c->arena, m->entries, &m->have, m->n + 1, sizeof(*all));
	c->failed |= !all;
	if (!all)
		return;
	ompp_assert(wanted->use.row < c->n_rows && wanted->use.lo <= wanted->use.hi);
	m->entries = all;
	all[m->n] = *wanted;
	c->failed |= ompp_index_put(&m->index, c->arena, (uint32_t)m->n, entry_hash, all) != 0;
	m->n++;
}

static uint32_t toucher_hash(const void *touchers, uint32_t i)
{
	return uses_mix(((const struct toucher *)touchers)[i].key);
}

static const struct toucher *find_toucher(const struct ompp_merge_uses *m, uint64_t key)
{
	size_t at = uses_mix(key);
	uint32_t i;

	while ((i = ompp_index_next(&m->toucher_index, &at)) != OMPP_INDEX_FREE)
		if (m->touchers[i].key == key)
			return &m->touchers[i];
	return NULL;
}

static void add_toucher(struct ompp_merge *c, uint64_t key, uint32_t path, uint32_t row)
{
	struct ompp_merge_uses *m = c->uses;
	struct toucher *all;

	if (find_toucher(m, key))
		return;
	all = ompp_arena_grow(c->arena, m->touchers, &m->have_touchers, m->n_touchers + 1, sizeof(*all));
	c->failed |= !all;
	if (!all)
		return;
	m->touchers = all;
	all[m->n_touchers] = (struct toucher){ key, path, row };
	c->failed |= ompp_index_put(&m->toucher_index, c->arena, (uint32_t)m->n_touchers, toucher_hash, all) != 0;
	m->n_touchers++;
}

static void note_row(struct ompp_merge *c, const struct ompp_thread *t, uint32_t row, uint64_t n)
{
	struct ompp_merge_uses *m = c->uses;
	struct known *all = m->known;

	for (size_t i = m->n_known; i-- > 0 && all[i].thread == t;)
		if (all[i].row == row) {
			all[i].n += n;
			return;
		}
	all = ompp_arena_grow(c->arena, m->known, &m->have_known, m->n_known + 1, sizeof(*all));
	c->failed |= !all;
	if (!all)
		return;
	m->known = all;
	all[m->n_known++] = (struct known){ t, row, n };
}

static int64_t uses_least(uint64_t a)
{
	return (int64_t)(a < OMPP_SAMPLE_MOST ? a : OMPP_SAMPLE_MOST);
}

void ompp_merge_use(struct ompp_merge *c, const struct ompp_thread *t, const struct ompp_sample_sum *s, uint32_t path,
                    uint32_t row)
{
	const struct ompp_cover *cover = ompp_cover(s->key.cover);
	struct entry e = { .use = { .node = path, .row = row, .home = s->key.home, .from = s->key.from, .small = "" },
		           .toucher = s->key.toucher,
		           .small = s->key.small };
	struct ompp_sampled_sum *sum = &e.use.sum;

	if (s->key.sum == OMPP_SUM_OF_TOUCH) {
		add_toucher(c, ompp_toucher(t->slot, s->key.node->index), path, row);
		return;
	}
	sum->kind = s->key.kind;
	sum->level = s->key.level;
	sum->n = OMPP_LOAD(&s->n);
	sum->n_timed = OMPP_LOAD(&s->n_timed);
	sum->n_timed = sum->n_timed < sum->n ? sum->n_timed : sum->n;
	sum->estimate = uses_least(OMPP_LOAD(&s->estimate));
	sum->variance = uses_least(OMPP_LOAD(&s->variance));
	sum->latency_ticks = sum->n_timed ? uses_least(OMPP_LOAD(&s->latency)) : 0;
	sum->squares = sum->n_timed ? uses_least(OMPP_LOAD(&s->squares)) : 0;
	e.use.lo = uses_least(OMPP_LOAD(&s->lo));
	e.use.hi = uses_least(OMPP_LOAD(&s->hi));
	e.use.hi = e.use.hi < e.use.lo ? e.use.lo : e.use.hi;
	if (!sum->n)
		return;
	note_row(c, t, row, sum->n);
	for (uint32_t k = 0; k < cover->n_objects && !c->failed; k++) {
		e.use.object = ompp_allocation_object(c, cover->objects[k]);
		add_entry(c, &e);
	}
}

/* ---- the profile's arrays ---- */

/* Names the small variables with most samples. */
static int name_smalls(struct ompp_merge *c, struct ompp_smalls_named *smalls)
{
	const struct ompp_merge_uses *m = c->uses;
	int rc = ompp_smalls_count(smalls, c->arena);

	for (size_t i = 0; !rc && i < m->n; i++)
		smalls->counts[m->entries[i].small] += m->entries[i].use.sum.n;
	return rc ? rc : ompp_smalls_name(smalls, c->arena);
}

static int use_is_after(const void *uses, uint32_t x, uint32_t y)
{
	const struct ompp_use *u = uses;

	return ompp_record_compare(OMPP_SECTION_USES, &u[x], &u[y]) > 0;
}

static int finish_uses(struct ompp_merge *c, struct ompp_profile *p)
{
	const struct ompp_merge_uses *m = c->uses;
	struct ompp_use *all = ompp_arena_alloc(c->arena, (m->n + 1) * sizeof(*all));
	struct ompp_use *out = ompp_arena_alloc(c->arena, (m->n + 1) * sizeof(*out));
	struct ompp_smalls_named smalls;
	uint32_t *order;
	size_t n = 0;

	if (!all || !out || name_smalls(c, &smalls))
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++) {
		const struct toucher *by = m->entries[i].toucher ? find_toucher(m, m->entries[i].toucher) : NULL;

		all[i] = m->entries[i].use;
		all[i].row = c->rows[all[i].row].final;
		all[i].toucher = by ? c->rows[by->row].final : OMPP_NONE;
		all[i].touched_at = by ? by->path : OMPP_NONE;
		all[i].small = smalls.names[m->entries[i].small];
	}
	order = ompp_sorted(c->arena, m->n, use_is_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++)
		if (n && !ompp_record_compare(OMPP_SECTION_USES, &out[n - 1], &all[order[i]]))
			ompp_record_add(OMPP_SECTION_USES, &out[n - 1], &all[order[i]]);
		else
			out[n++] = all[order[i]];
	p->uses = out;
	p->n_uses = n;
	return 0;
}

/* ---- where pages are ---- */

static void put_homes(struct ompp_placement *out, size_t *n, uint32_t object, const struct ompp_homes *homes)
{
	uint32_t n_homes = OMPP_LOAD(&ompp_n_homes);

	for (uint32_t home = 0; home <= n_homes; home++) {
		struct ompp_placement l = { .object = object,
			                    .home = home < n_homes ? home : OMPP_NONE,
			                    .step = OMPP_LOAD(&homes->step) };

		l.n_pages = OMPP_LOAD(home < n_homes ? &homes->node[home].n_pages : &homes->n_absent);
		l.n_moved = home < n_homes ? OMPP_LOAD(&homes->node[home].n_moved) : 0;
		if (l.n_pages || l.n_moved)
			out[(*n)++] = l;
	}
}

static int placement_is_after(const void *placements, uint32_t x, uint32_t y)
{
	const struct ompp_placement *l = placements;

	return ompp_record_compare(OMPP_SECTION_PLACEMENTS, &l[x], &l[y]) > 0;
}

static int finish_placements(struct ompp_merge *c, struct ompp_profile *p)
{
	uint32_t n_objects = atomic_load_explicit(&ompp_n_objects, memory_order_acquire), *order;
	struct ompp_placement *all, *out;
	size_t n_all = 0, n = 0;

	for (uint32_t i = 0; i < n_objects; i++)
		n_all += ompp_homes_of(i) != NULL;
	all = ompp_arena_alloc(c->arena, (n_all * (OMPP_LOAD(&ompp_n_homes) + 1) + 1) * sizeof(*all));
	out = ompp_arena_alloc(c->arena, (n_all * (OMPP_LOAD(&ompp_n_homes) + 1) + 1) * sizeof(*out));
	if (!all || !out)
		return -ENOMEM;
	n_all = 0;
	for (uint32_t i = 0; i < n_objects; i++) {
		uint32_t object = ompp_homes_of(i) ? ompp_allocation_object(c, i) : 0;

		if (object && object < p->n_objects)
			put_homes(all, &n_all, object, ompp_homes_of(i));
	}
	order = ompp_sorted(c->arena, n_all, placement_is_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all; i++) {
		const struct ompp_placement *l = &all[order[i]];

		if (n && !ompp_record_compare(OMPP_SECTION_PLACEMENTS, &out[n - 1], l))
			ompp_record_add(OMPP_SECTION_PLACEMENTS, &out[n - 1], l);
		else
			out[n++] = *l;
	}
	p->placements = out;
	p->n_placements = n;
	return 0;
}

/* ---- where threads ran ---- */

/* Writes the numbers of the bits that are set, "0-3,8". */
static const char *uses_list(struct ompp_merge *c, const uint64_t *bits, size_t n_bits)
{
	char buffer[LIST_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (size_t i = 0, end; i < n_bits; i = end) {
		end = i + 1;
		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		while (end < n_bits && bits[end / 64] >> end % 64 & 1)
			end++;
		ompp_text_str(&t, t.n_bytes ? "," : "");
		ompp_text_u64(&t, i);
		if (end > i + 1) {
			ompp_text_char(&t, '-');
			ompp_text_u64(&t, end - 1);
		}
	}
	return ompp_arena_strdup(c->arena, buffer);
}

static uint32_t n_set(const uint64_t *bits, size_t n_words)
{
	uint32_t n = 0;

	for (size_t i = 0; i < n_words; i++)
		n += (uint32_t)__builtin_popcountll(OMPP_LOAD(&bits[i]));
	return n;
}

static int uses_bind(struct ompp_merge *c, const struct known *k, struct ompp_profile *p, struct ompp_binding *b)
{
	const struct ompp_sample_moves *moves = ompp_sample_moves(k->thread);
	const struct ompp_touches *touches = k->thread->touches;

	*b = (struct ompp_binding){ .row = ompp_thread_row(p, c->rows[k->row].final), .allowed = "" };
	if (moves) {
		b->n_looks = OMPP_LOAD(&moves->n);
		b->n_seen = n_set(moves->seen, OMPP_SAMPLES_CPUS / 64);
		b->n_moves = OMPP_LOAD(&moves->n_cpu);
		b->n_node_moves = OMPP_LOAD(&moves->n_node);
	}
	if (touches) {
		b->n_allowed = n_set(touches->allowed, OMPP_TOUCH_CPUS / 64);
		b->allowed = uses_list(c, touches->allowed, OMPP_TOUCH_CPUS);
	}
	return b->allowed ? 0 : -ENOMEM;
}

static int binding_is_after(const void *bindings, uint32_t x, uint32_t y)
{
	const struct ompp_binding *b = bindings;

	return b[x].row != b[y].row ? b[x].row > b[y].row : x > y;
}

static int finish_bindings(struct ompp_merge *c, struct ompp_profile *p)
{
	const struct ompp_merge_uses *m = c->uses;
	struct ompp_binding *all = ompp_arena_alloc(c->arena, (m->n_known + 1) * sizeof(*all));
	struct ompp_binding *out = ompp_arena_alloc(c->arena, (m->n_known + 1) * sizeof(*out));
	size_t n_all = 0, n = 0;
	uint32_t *order;

	if (!all || !out)
		return -ENOMEM;
	for (size_t i = 0, end; i < m->n_known; i = end) {
		size_t most = i;

		for (end = i; end < m->n_known && m->known[end].thread == m->known[i].thread; end++)
			most = m->known[end].n > m->known[most].n ? end : most;
		if (uses_bind(c, &m->known[most], p, &all[n_all++]))
			return -ENOMEM;
	}
	order = ompp_sorted(c->arena, n_all, binding_is_after, all);
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n_all; i++)
		if (n && out[n - 1].row == all[order[i]].row) { /* one thread came after the other */
			out[n - 1].n_looks += all[order[i]].n_looks;
			out[n - 1].n_moves += all[order[i]].n_moves;
			out[n - 1].n_node_moves += all[order[i]].n_node_moves;
			if (all[order[i]].n_seen > out[n - 1].n_seen)
				out[n - 1].n_seen = all[order[i]].n_seen;
		} else {
			out[n++] = all[order[i]];
		}
	p->bindings = out;
	p->n_bindings = n;
	return 0;
}

uint32_t ompp_uses_row(const struct ompp_merge *c, uint32_t slot)
{
	const struct ompp_merge_uses *m = c->uses;
	const struct known *most = NULL;

	for (size_t i = 0; i < m->n_known; i++)
		if (m->known[i].thread->slot == slot && (!most || m->known[i].n > most->n))
			most = &m->known[i];
	return most ? c->rows[most->row].final : OMPP_NONE;
}

int ompp_collect_uses(struct ompp_merge *c, struct ompp_profile *p)
{
	p->numa_emulated = ompp_sampling.touched ? ompp_sampling.emulated : 0;
	if (finish_uses(c, p) || finish_placements(c, p))
		return -ENOMEM;
	if (ompp_sampling.touched && ompp_collect_numa_nodes(p, "/sys/devices/system/node", c->arena))
		return -ENOMEM;
	return finish_bindings(c, p);
}
