/*
 * Sum, relayout: see sum_relayout.h.
 */
#include "runtime/data_sums/sum_relayout.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/record.h"
#include "runtime/access/access_member.h"
#include "runtime/access/access_model.h"
#include "runtime/access/access_relayout.h"
#include "runtime/access/access_tlb.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/data/object.h"
#include "runtime/data_sums/sum_members.h"

enum { WORD_BYTES = 8, WORD_CLASS = 3, TEXT_BYTES = 2000 };

/* A row, or sums of several. */
struct ompp_merge_relayout {
	uint32_t region, object, shown;
	uint64_t n_all, n_stores; /* accesses of the rows, and those that store */
	uint64_t stores[OMPP_RELAYOUT_STORE_WORDS];
	int is_narrow; /* 1 when some accesses are not of words of 8 bytes */
	uint64_t words[OMPP_N_RELAYOUTS][OMPP_RELAYOUT_WORDS];
	uint64_t tlb[OMPP_ACCESS_TLB_WORDS];
};

static void add_words(struct ompp_merge_relayout *sum, uint32_t kind, const uint64_t *words)
{
	if (kind == OMPP_RELAYOUT_SPLIT) {
		const struct ompp_relayout_object *o = ompp_access_relayout_object(sum->object);

		/* what is of other groups than the last ones says nothing */
		if (!o || OMPP_LOAD(&words[OMPP_RELAYOUT_GENERATION]) !=
		                  atomic_load_explicit(&o->generation, memory_order_relaxed))
			return;
	}
	for (uint32_t i = 0; i < OMPP_RELAYOUT_WORDS; i++)
		sum->words[kind][i] += i == OMPP_RELAYOUT_GENERATION ? 0 : OMPP_LOAD(&words[i]);
}

static void add_row(struct ompp_merge_relayout *sum, const uint64_t *words)
{
	const uint64_t *stores = words + ompp_access_relayout_slot + OMPP_N_RELAYOUTS * OMPP_RELAYOUT_WORDS;
	uint64_t n_stores = OMPP_LOAD(&words[OMPP_SLOT_ATOMIC]) + OMPP_LOAD(&words[OMPP_SLOT_BLOCK_STORE]);

	sum->n_all += n_stores + OMPP_LOAD(&words[OMPP_SLOT_BLOCK_LOAD]);
	sum->is_narrow |= OMPP_LOAD(&words[OMPP_SLOT_ATOMIC]) != 0;
	sum->is_narrow |= OMPP_LOAD(&words[OMPP_SLOT_BLOCK_LOAD_BYTES]) % WORD_BYTES != 0;
	sum->is_narrow |= OMPP_LOAD(&words[OMPP_SLOT_BLOCK_STORE_BYTES]) % WORD_BYTES != 0;
	for (unsigned int i = 0; i < OMPP_SIZES; i++) {
		uint64_t n = OMPP_LOAD(&words[OMPP_SLOT_LOAD + i]) + OMPP_LOAD(&words[OMPP_SLOT_STORE + i]);

		n_stores += OMPP_LOAD(&words[OMPP_SLOT_STORE + i]);
		sum->n_all += n;
		sum->is_narrow |= n && i != WORD_CLASS;
	}
	sum->n_stores += n_stores;
	for (uint32_t i = 0; i < OMPP_RELAYOUT_STORE_WORDS; i++)
		sum->stores[i] += OMPP_LOAD(&stores[i]);
	for (uint32_t i = 0; i < OMPP_ACCESS_TLB_WORDS; i++)
		sum->tlb[i] += OMPP_LOAD(&stores[OMPP_RELAYOUT_STORE_WORDS + i]);
	for (uint32_t kind = 0; kind < OMPP_N_RELAYOUTS; kind++)
		add_words(sum, kind, words + ompp_access_relayout_slot + kind * OMPP_RELAYOUT_WORDS);
}

static uint32_t relayout_hash(const void *context, uint32_t i)
{
	const struct ompp_merge_relayout *r = &((const struct ompp_merge *)context)->relayouts[i];

	return ompp_index_pair(r->region, r->object);
}

static struct ompp_merge_relayout *relayout_find(struct ompp_merge *c, uint32_t region, uint32_t object, uint32_t shown)
{
	size_t at = ompp_index_pair(region, object);
	struct ompp_merge_relayout *list;
	uint32_t i;

	while ((i = ompp_index_next(&c->relayout_index, &at)) != OMPP_INDEX_FREE)
		if (c->relayouts[i].region == region && c->relayouts[i].object == object)
			return &c->relayouts[i];
	list = ompp_arena_grow(c->arena, c->relayouts, &c->have_relayouts, c->n_relayouts + 1, sizeof(*list));
	if (!list)
		return NULL;
	c->relayouts = list;
	list += c->n_relayouts;
	memset(list, 0, sizeof(*list));
	list->region = region;
	list->object = object;
	list->shown = shown;
	if (ompp_index_put(&c->relayout_index, c->arena, (uint32_t)c->n_relayouts, relayout_hash, c))
		return NULL;
	c->n_relayouts++;
	return list;
}

void ompp_sum_relayout_object(struct ompp_merge *c, uint32_t region, uint32_t object, uint32_t shown,
                              const uint64_t *words)
{
	struct ompp_merge_relayout *sum;

	if (!ompp_access_relayouts_on || object < OMPP_OBJECT_FIRST_NAMED)
		return;
	sum = relayout_find(c, region, object, shown);
	if (!sum)
		c->failed = 1;
	else
		add_row(sum, words);
}

/* ---- the profile ---- */

static const char *const kind_names[OMPP_N_RELAYOUTS] = {
	"apart", "split", "half", "padded", "interchanged", "blocked"
};

/* Returns the members of the groups of a split, "x, mass | y, z"; NULL when there is one group, or no memory. */
static const char *groups_text(const struct ompp_merge *c, uint32_t object)
{
	const struct ompp_relayout_object *o = ompp_access_relayout_object(object);
	const struct ompp_element *element = ompp_access_element(object);
	const struct ompp_relayout *split = o && o->units.n ? atomic_load(&o->split) : NULL;
	char *buffer = split && split->n_groups > 1 ? ompp_arena_alloc(c->arena, TEXT_BYTES) : NULL;
	struct ompp_text t;

	if (!buffer || !element)
		return NULL;
	ompp_text_init(&t, buffer, TEXT_BYTES);
	for (uint32_t g = 0; g < split->n_groups; g++) {
		int is_first = 1;

		ompp_text_str(&t, g ? " | " : "");
		for (uint32_t u = 0; u < o->units.n; u++) {
			if (!(split->units[g] >> u & 1))
				continue;
			ompp_text_str(&t, is_first ? "" : ", ");
			ompp_text_str(&t, element->members[o->units.member[u]].name);
			is_first = 0;
		}
	}
	return buffer;
}

/* Returns the misses of a level; missing where it is not modelled. */
static int64_t misses_of(const uint64_t *words, unsigned int level)
{
	return ompp_access_geometry.level[level].bytes ? (int64_t)words[level] : OMPP_MISSING;
}

/* Rows of a section that are to be sorted. */
struct rows {
	enum ompp_section section;
	const unsigned char *all;
	size_t n_bytes; /* of each */
};

static int row_is_after(const void *rows, uint32_t x, uint32_t y)
{
	const struct rows *r = rows;

	return ompp_record_compare(r->section, r->all + x * r->n_bytes, r->all + y * r->n_bytes) > 0;
}

/* Sorts rows, and adds up those that have the same key.  Returns them; NULL without memory.
 * n: how many there are; then, how many are left */
static void *rows_join(const struct ompp_merge *c, enum ompp_section section, const void *all, size_t n_bytes,
                       size_t *n)
{
	const struct rows rows = { section, all, n_bytes };
	uint32_t *order = all ? ompp_sorted(c->arena, *n, row_is_after, &rows) : NULL;
	unsigned char *out = ompp_arena_alloc(c->arena, (*n + 1) * n_bytes), *end = out;

	if (!order || !out)
		return NULL;
	for (size_t i = 0; i < *n; i++) {
		const unsigned char *one = rows.all + order[i] * n_bytes;

		if (end > out && !ompp_record_compare(section, end - n_bytes, one)) {
			ompp_record_add(section, end - n_bytes, one);
		} else {
			memcpy(end, one, n_bytes);
			end += n_bytes;
		}
	}
	*n = (size_t)(end - out) / n_bytes;
	return out;
}

/* Fills in what lines of their own would spare.  Returns 0 or -ENOMEM. */
static int own_lines_collect(const struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct ompp_own_lines *all = ompp_arena_alloc(c->arena, (c->n_relayouts + 1) * sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; all && i < c->n_relayouts; i++) {
		const struct ompp_merge_relayout *sum = &c->relayouts[i];

		if (sum->shown < p->n_objects && sum->stores[OMPP_RELAYOUT_HANDED])
			all[n++] = (struct ompp_own_lines){
				.region = sum->region ? region_index[sum->region] : OMPP_NONE,
				.object = sum->shown,
				.n_stores = sum->n_stores,
				.n = sum->stores[OMPP_RELAYOUT_STORES],
				.n_transfers = sum->stores[OMPP_RELAYOUT_HANDED],
				.n_transfers_then = sum->stores[OMPP_RELAYOUT_HANDED_THEN],
			};
	}
	p->own_lines = rows_join(c, OMPP_SECTION_OWN_LINES, all, sizeof(*all), &n);
	p->n_own_lines = p->own_lines ? n : 0;
	return p->own_lines ? 0 : -ENOMEM;
}

/* ---- TLBs ---- */

/* Fills in the TLBs.  Returns 0 or -ENOMEM. */
static int tlbs_collect(const struct ompp_merge *c, struct ompp_profile *p)
{
	struct ompp_tlb *out = ompp_arena_alloc(c->arena, OMPP_N_TLB_PAGES * OMPP_TLB_LEVELS * sizeof(*out));

	if (!out)
		return -ENOMEM;
	p->tlbs = out;
	for (int i = 0; i < OMPP_N_TLB_PAGES; i++)
		for (int k = 0; k < OMPP_TLB_LEVELS; k++) {
			const struct ompp_cache_level_size *l = &ompp_access_tlb_geometry.pages[i].level[k];

			if (l->bytes)
				out[p->n_tlbs++] = (struct ompp_tlb){ .level = (uint64_t)k + 1,
					                              .page_bytes = (int64_t)l->line_bytes,
					                              .entries = (int64_t)(l->bytes / l->line_bytes),
					                              .ways = (int64_t)l->ways };
		}
	return 0;
}

/* Returns the misses of a level; missing where it is not modelled. */
static int64_t tlb_misses(const uint64_t *words, int pages, int level)
{
	return ompp_access_tlb_geometry.pages[pages].level[level].bytes
	             ? (int64_t)words[OMPP_ACCESS_TLB_MISS + pages * OMPP_TLB_LEVELS + level]
	             : OMPP_MISSING;
}

/* Fills in what objects miss in them.  Returns 0 or -ENOMEM. */
static int translations_collect(const struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct ompp_translation *all = ompp_arena_alloc(c->arena, (c->n_relayouts + 1) * sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; all && i < c->n_relayouts; i++) {
		const struct ompp_merge_relayout *sum = &c->relayouts[i];
		const uint64_t *tlb = sum->tlb;

		if (sum->shown < p->n_objects && tlb[OMPP_ACCESS_TLB_N])
			all[n++] = (struct ompp_translation){
				.region = sum->region ? region_index[sum->region] : OMPP_NONE,
				.object = sum->shown,
				.n_all = sum->n_all,
				.n = tlb[OMPP_ACCESS_TLB_N],
				.now = { tlb_misses(tlb, OMPP_TLB_SMALL, 0), tlb_misses(tlb, OMPP_TLB_SMALL, 1) },
				.then = { tlb_misses(tlb, OMPP_TLB_LARGE, 0), tlb_misses(tlb, OMPP_TLB_LARGE, 1) },
			};
	}
	p->translations = rows_join(c, OMPP_SECTION_TRANSLATIONS, all, sizeof(*all), &n);
	p->n_translations = p->translations ? n : 0;
	return p->translations ? 0 : -ENOMEM;
}

/* ---- layouts ---- */

/* Returns by object whether some accesses in some region are not of words of 8 bytes; NULL without memory. */
static const unsigned char *narrow_objects(const struct ompp_merge *c)
{
	unsigned char *narrow;
	uint32_t n = 0;

	for (size_t i = 0; i < c->n_relayouts; i++)
		n = c->relayouts[i].object >= n ? c->relayouts[i].object + 1 : n;
	narrow = ompp_arena_alloc(c->arena, n);
	if (!narrow)
		return NULL;
	memset(narrow, 0, n);
	for (size_t i = 0; i < c->n_relayouts; i++)
		narrow[c->relayouts[i].object] |= c->relayouts[i].is_narrow != 0;
	return narrow;
}

static size_t relayout_put(const struct ompp_merge *c, const struct ompp_merge_relayout *sum, int is_narrow,
                           const uint32_t *region_index, struct ompp_relayout_sum *out)
{
	const char *groups = groups_text(c, sum->object);
	size_t n = 0;

	for (uint32_t kind = 0; kind < OMPP_N_RELAYOUTS; kind++) {
		const uint64_t *words = sum->words[kind], *now = words + OMPP_RELAYOUT_NOW,
			       *then = words + OMPP_RELAYOUT_THEN;

		if (!words[OMPP_RELAYOUT_N] || (kind == OMPP_RELAYOUT_SPLIT && !groups) ||
		    (kind == OMPP_RELAYOUT_HALF && is_narrow) ||
		    (kind <= OMPP_RELAYOUT_SPLIT && ompp_members_are_unfit(c, sum->shown)))
			continue;
		out[n++] = (struct ompp_relayout_sum){
			.region = sum->region ? region_index[sum->region] : OMPP_NONE,
			.object = sum->shown,
			.kind = kind_names[kind],
			.groups = kind == OMPP_RELAYOUT_SPLIT ? groups : "",
			.n_all = sum->n_all,
			.n = words[OMPP_RELAYOUT_N],
			.now = { misses_of(now, 0), misses_of(now, 1), misses_of(now, 2) },
			.then = { misses_of(then, 0), misses_of(then, 1), misses_of(then, 2) },
		};
	}
	return n;
}

int ompp_collect_relayouts(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct ompp_relayout_sum *all;
	const unsigned char *narrow;
	size_t n = 0;

	p->relayouts_compared = ompp_access_relayouts_on;
	if (!c->n_relayouts)
		return 0;
	if (own_lines_collect(c, p, region_index) || tlbs_collect(c, p) || translations_collect(c, p, region_index))
		return -ENOMEM;
	all = ompp_arena_alloc(c->arena, c->n_relayouts * OMPP_N_RELAYOUTS * sizeof(*all));
	narrow = narrow_objects(c);
	if (!all || !narrow)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_relayouts; i++)
		if (c->relayouts[i].shown < p->n_objects)
			n += relayout_put(c, &c->relayouts[i], narrow[c->relayouts[i].object], region_index, &all[n]);
	p->relayouts = rows_join(c, OMPP_SECTION_RELAYOUTS, all, sizeof(*all), &n);
	p->n_relayouts = p->relayouts ? n : 0;
	return p->relayouts ? 0 : -ENOMEM;
}
