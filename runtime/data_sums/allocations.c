/*
 * Allocations: see allocations.h.
 */
#define _GNU_SOURCE
#include "runtime/data_sums/allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/check.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/data/block.h"
#include "runtime/data/object.h"
#include "runtime/data/site.h"
#include "runtime/data_sums/site_names.h"
#include "runtime/data_sums/sum_calls.h"
#include "runtime/host/helper.h"
#include "runtime/host/loaded.h"
#include "runtime/host/past.h"
#include "runtime/terms/option.h"

void (*ompp_collect_site_named)(uint32_t site, const char *name, const char *path);

enum { MOST_CALLS_BYTES = 2000 };

/* A site, with its sums when the report began. */
struct allocation {
	const struct ompp_site *site;
	struct ompp_allocation out;
	uint32_t path, row; /* OMPP_NONE when not known; the row is not final */
	uint32_t leader;    /* the one, by its place in the array, that it is a part of; mostly itself */
};

struct ompp_merge_allocations {
	struct allocation *all; /* [index - 1] */
	uint32_t n;
	struct ompp_calls *calls;
};

void ompp_merge_allocations(struct ompp_merge *c, const struct ompp_thread *t, const uint32_t *path,
                            const uint32_t *row, uint32_t n_nodes)
{
	struct ompp_merge_allocations *m = c->allocations;

	for (uint32_t i = 0; i < m->n; i++) {
		struct allocation *a = &m->all[i];

		if (a->site->thread != t->slot + 1 || a->site->node >= n_nodes || path[a->site->node] == OMPP_NONE)
			continue;
		a->path = path[a->site->node];
		a->row = row[a->site->node];
	}
}

/* ---- names ---- */

/* Returns the name of an allocator of OpenMP, as the specification has it; of the program's own (omp_init_allocator)
 * the handle as a number; NULL without memory. */
static const char *allocator_name(struct ompp_merge *c, uintptr_t handle)
{
	static const char *const names[] = { "",
		                             "omp_default_mem_alloc",
		                             "omp_large_cap_mem_alloc",
		                             "omp_const_mem_alloc",
		                             "omp_high_bw_mem_alloc",
		                             "omp_low_lat_mem_alloc",
		                             "omp_cgroup_mem_alloc",
		                             "omp_pteam_mem_alloc",
		                             "omp_thread_mem_alloc" };
	char buffer[32];
	struct ompp_text t;

	if (handle < OMPP_COUNT_OF(names))
		return names[handle];
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "0x");
	ompp_text_hex(&t, handle);
	return ompp_arena_strdup(c->arena, buffer);
}

static int has_object(const struct allocation *a)
{
	return __atomic_load_n(&a->site->object, __ATOMIC_ACQUIRE) != NULL;
}

/* ---- objects ---- */

static int are_others(uint32_t a, uint32_t b)
{
	return a && b && a != b && a != OMPP_SITE_MAIN && b != OMPP_SITE_MAIN;
}

/* Adds the calls of a copy, as long as they are few. */
static void join_calls(struct ompp_merge *c, struct allocation *to, const struct allocation *copy)
{
	char buffer[MOST_CALLS_BYTES];
	const char *joined;
	struct ompp_text t;

	if (!copy->out.calls[0] || strlen(to->out.calls) + strlen(copy->out.calls) + 2 > sizeof(buffer))
		return;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, to->out.calls);
	ompp_text_str(&t, t.n_bytes ? " " : "");
	ompp_text_str(&t, copy->out.calls);
	joined = ompp_arena_strdup(c->arena, buffer);
	to->out.calls = joined ? joined : to->out.calls;
}

/* Adds a copy of a call to the one that leads.  The peak of all is between the largest and the sum of their peaks. */
static void allocations_join(struct ompp_merge *c, struct allocation *to, struct allocation *a)
{
	int64_t least = to->out.peak_bytes - to->out.peak_error;

	join_calls(c, to, a);
	least = least > a->out.peak_bytes - a->out.peak_error ? least : a->out.peak_bytes - a->out.peak_error;
	to->out.several_threads |= a->out.several_threads || are_others(a->site->thread, to->site->thread);
	to->out.n_blocks += a->out.n_blocks;
	to->out.n_live += a->out.n_live;
	to->out.bytes += a->out.bytes;
	to->out.live_bytes += a->out.live_bytes;
	to->out.peak_bytes += a->out.peak_bytes;
	to->out.peak_error = to->out.peak_bytes - least;
	to->out.lifetime_ns += a->out.lifetime_ns;
	to->out.n_large += a->out.n_large;
	to->out.n_told += a->out.n_told;
	a->out.n_blocks = 0;
}

/* Makes copies of one call one: compilers copy a call when they unroll loops or clone functions.  Returns how many are
 * left of the n in `order`. */
static size_t join_copies(struct ompp_merge *c, const struct ompp_site_name *names, uint32_t *order, size_t n)
{
	struct allocation *all = c->allocations->all;
	size_t n_left = 0, i;

	for (i = 0; i < n; i++) {
		struct allocation *a = &all[order[i]];

		a->leader = names[order[i]].leader;
		ompp_assert(a->leader < c->allocations->n && names[a->leader].leader == a->leader);
		if (a->leader == order[i])
			order[n_left++] = order[i];
		else
			allocations_join(c, &all[a->leader], a);
	}
	return n_left;
}

/* Finds the file of a call, for calls.h. */
static int find_file(void *context, uint64_t key, struct ompp_call_file *file)
{
	struct ompp_loaded *loaded = context;

	file->is_ours = ompp_loaded_is_own(ompp_past_address(key));
	if (ompp_loaded_find(loaded, key))
		return -ENOENT;
	file->path = file->shown = loaded->path;
	file->offset = loaded->offset;
	return 0;
}

/* Gets ready to name the sites that have blocks.  Returns how many there are. */
static size_t list_sites(struct ompp_merge *c, struct ompp_site_name *names, uint32_t *order)
{
	struct ompp_merge_allocations *m = c->allocations;
	size_t n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct ompp_site *s = m->all[i].site;

		if (!m->all[i].out.n_blocks)
			continue;
		order[n++] = i;
		names[i] = (struct ompp_site_name){ .callers = s->callers,
			                            .n_callers = s->n_callers,
			                            .has_object = has_object(&m->all[i]),
			                            .allocator = allocator_name(c, s->allocator) };
	}
	return n;
}

/* Finds the names of the sites.  Returns 0 or -ENOMEM. */
static int find_names(struct ompp_merge *c)
{
	struct ompp_merge_allocations *m = c->allocations;
	uint32_t *order = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*order));
	struct ompp_site_name *all = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*all));
	struct ompp_loaded *file = ompp_arena_alloc(c->arena, sizeof(*file));
	struct ompp_site_names names = { .arena = c->arena, .all = all };
	size_t n, i;

	ompp_loaded_start();
	names.calls = m->calls = ompp_calls_new(c->arena, ompp_session_app(), find_file, file);
	if (!order || !all || !file || !names.calls)
		return -ENOMEM;
	n = list_sites(c, all, order);
	for (i = 0; i < n; i++)
		if (!all[order[i]].allocator)
			return -ENOMEM;
	if (ompp_site_names_find(&names, order, n))
		return -ENOMEM;
	if (n)
		ompp_helper_end();
	for (i = 0; i < n; i++) {
		m->all[order[i]].out.path = all[order[i]].path;
		m->all[order[i]].out.calls = all[order[i]].calls;
		m->all[order[i]].out.allocator = all[order[i]].allocator;
	}
	n = join_copies(c, all, order, n);
	for (i = 0; i < n; i++)
		all[order[i]].weight = (uint64_t)m->all[order[i]].out.peak_bytes;
	if (ompp_site_names_number(&names, order, n))
		return -ENOMEM;
	for (i = 0; i < m->n; i++)
		m->all[i].out.name = all[i].name;
	return 0;
}

int ompp_allocations_start(struct ompp_merge *c)
{
	struct ompp_merge_allocations *m = c->allocations = ompp_arena_alloc(c->arena, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->n = ompp_n_sites();
	m->all = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*m->all));
	if (!m->all)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n; i++) {
		struct ompp_site *s = ompp_site(i + 1);
		struct ompp_site_sum sum = ompp_site_sum(s);

		sum.n_ended = sum.n_ended < sum.n_begun ? sum.n_ended : sum.n_begun;
		m->all[i] = (struct allocation){ .site = s, .path = OMPP_NONE, .row = OMPP_NONE, .leader = i };
		m->all[i].out = (struct ompp_allocation){
			.object = OMPP_NONE,
			.row = OMPP_NONE,
			.region = OMPP_NONE,
			.several_threads = (int)atomic_load_explicit(&s->several_threads, memory_order_relaxed),
			.n_blocks = sum.n_begun,
			.n_live = sum.n_begun - sum.n_ended,
			.bytes = (int64_t)sum.begun_bytes,
			.live_bytes = (int64_t)sum.live_bytes,
			.peak_bytes = (int64_t)sum.peak_bytes,
			.peak_error = (int64_t)sum.peak_error,
			.n_large = OMPP_LOAD(&s->tracked.n_large),
			.n_told = OMPP_LOAD(&s->tracked.n_told),
			.lifetime_ns = (int64_t)(sum.ticks + (sum.n_begun - sum.n_ended) * c->now), /* in ticks yet */
		};
	}
	if (find_names(c))
		return -ENOMEM;
	for (uint32_t i = 0; ompp_collect_site_named && i < m->n; i++) {
		const struct ompp_allocation *leader = &m->all[m->all[i].leader].out;

		if (leader->n_blocks)
			ompp_collect_site_named(i + 1, leader->name, leader->path);
	}
	return 0;
}

const char *ompp_allocation_name(const struct ompp_merge *c, uint32_t site)
{
	const struct ompp_merge_allocations *m = c->allocations;

	return site && site <= m->n ? m->all[m->all[site - 1].leader].out.name : NULL;
}

int ompp_allocation_is_joined(const struct ompp_merge *c, uint32_t site)
{
	const struct ompp_merge_allocations *m = c->allocations;
	uint32_t leader = site && site <= m->n ? m->all[site - 1].leader : OMPP_NONE, n = 0;

	for (uint32_t i = 0; i < m->n; i++)
		n += m->all[i].leader == leader;
	return n > 1;
}

uint32_t ompp_allocation_object(const struct ompp_merge *c, uint32_t object)
{
	const struct ompp_merge_allocations *m = c->allocations;
	uint32_t site = ompp_object(object)->site;
	const struct ompp_object_def *leader = NULL;

	if (site && site <= m->n)
		leader = __atomic_load_n(&m->all[m->all[site - 1].leader].site->object, __ATOMIC_ACQUIRE);
	return leader ? leader->index : object;
}

/* ---- the profile ---- */

static int peak_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct allocation *all = context;

	return all[x].out.peak_bytes != all[y].out.peak_bytes ? all[x].out.peak_bytes < all[y].out.peak_bytes : x > y;
}

int ompp_collect_allocations(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct ompp_merge_allocations *m = c->allocations;
	struct ompp_clock_anchor now;
	struct ompp_clock_rate rate;
	struct ompp_allocation *out = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*out));
	uint32_t *order = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*order));
	size_t n = 0;

	p->all_objects = !strcmp(ompp_session.options.text[OMPP_OPT_OBJECTS], "all");
	if (!out || !order)
		return -ENOMEM;
	ompp_clock_anchor(&now);
	rate = ompp_clock_rate(&ompp_session.start, &now);
	for (uint32_t i = 0; i < m->n; i++)
		if (m->all[i].out.n_blocks)
			order[n++] = i;
	ompp_sort(order, n, peak_is_after, m->all);
	for (size_t i = 0; i < n; i++) {
		const struct allocation *a = &m->all[order[i]];
		const struct ompp_object_def *object = __atomic_load_n(&a->site->object, __ATOMIC_ACQUIRE);

		out[i] = a->out;
		out[i].n_large = out[i].n_large < out[i].n_blocks ? out[i].n_large : out[i].n_blocks;
		out[i].n_told = out[i].n_told < out[i].n_large ? out[i].n_told : out[i].n_large;
		out[i].lifetime_ns = ompp_clock_ns(rate, a->out.lifetime_ns > 0 ? a->out.lifetime_ns : 0);
		if (object && object->index < p->n_objects)
			out[i].object = object->index;
		if (a->row != OMPP_NONE || a->site->thread == OMPP_SITE_MAIN)
			out[i].row = a->row != OMPP_NONE ? c->rows[a->row].final : 0;
		if (a->path != OMPP_NONE && c->paths[a->path].region)
			out[i].region = region_index[c->paths[a->path].region];
	}
	p->allocations = out;
	p->n_allocations = n;
	return 0;
}

void ompp_collect_allocation_notes(const struct ompp_merge *c, struct ompp_profile_note *notes, size_t *n)
{
	uint64_t n_lost = atomic_load(&ompp_n_lost_blocks), n_siteless = atomic_load(&ompp_n_siteless);

	if (n_lost)
		notes[(*n)++] = (struct ompp_profile_note){
			"blocks of memory had no room in their table and are not counted; set OMPP_MEM higher", n_lost
		};
	if (n_siteless)
		notes[(*n)++] = (struct ompp_profile_note){
			"blocks of memory were allocated from too many places to be told apart, and are not counted",
			n_siteless
		};
	if (ompp_calls_unasked(c->allocations->calls))
		notes[(*n)++] = (struct ompp_profile_note){
			"calls that allocate were not looked for in the source, as there are so many",
			ompp_calls_unasked(c->allocations->calls)
		};
}
