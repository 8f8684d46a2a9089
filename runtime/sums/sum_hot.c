/*
 * Hot: see sum_hot.h.
 */
#include "runtime/sums/sum_hot.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/check.h"
#include "runtime/base/program_file.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/core/hot.h"
#include "runtime/host/helper.h"
#include "runtime/host/loaded.h"
#include "runtime/program/debuginfo.h"
#include "runtime/program/elf.h"
#include "runtime/sources/source_hot.h"

/* Instructions that are looked up: those with most samples.  A question takes some 50 us. */
enum { MOST_ASKED = 1000 };

/* Where an instruction is: in which file in memory, function and line. */
struct hot_where {
	uint64_t ip, n; /* n samples are of it; ip as in core/hot.h */
	const char *module, *function, *within, *file;
	uint32_t line, is_stripped;
};

/* The samples of an instruction at a call path in a row that is not final yet. */
struct hot_entry {
	uint32_t path, row, where;
	uint64_t n;
	int64_t ns;
};

struct ompp_merge_hot {
	struct hot_entry *entries;
	size_t n, have;
	struct hot_where *wheres;
	size_t n_wheres, have_wheres;
	struct ompp_index index; /* of wheres */
	const char *looked_at;   /* the file that was looked at last for a table of symbols; NULL before the first */
	uint32_t is_stripped;    /* it has none */
};

int ompp_hot_merge_start(struct ompp_merge *c)
{
	c->hot = ompp_arena_alloc(c->arena, sizeof(*c->hot));
	return c->hot ? 0 : -ENOMEM;
}

static uint32_t hot_hash(uint64_t ip)
{
	return (uint32_t)(ip * 0x9E3779B97F4A7C15u >> 32);
}

static uint32_t where_hash(const void *context, uint32_t i)
{
	return hot_hash(((const struct hot_where *)context)[i].ip);
}

/* Returns the number of an instruction; OMPP_NONE without memory. */
static uint32_t where_of(struct ompp_merge *c, uint64_t ip)
{
	struct ompp_merge_hot *m = c->hot;
	size_t at = hot_hash(ip);
	struct hot_where *all;
	uint32_t i;

	while ((i = ompp_index_next(&m->index, &at)) != OMPP_INDEX_FREE)
		if (m->wheres[i].ip == ip)
			return i;
	all = ompp_arena_grow(c->arena, m->wheres, &m->have_wheres, m->n_wheres + 1, sizeof(*all));
	if (!all)
		return OMPP_NONE;
	m->wheres = all;
	all[m->n_wheres] = (struct hot_where){ .ip = ip, .module = "", .within = "", .file = "" };
	all[m->n_wheres].function = !ip ? "(lost)" : ip == OMPP_HOT_OWN ? OMPP_PROFILE_OWN : "";
	if (ompp_index_put(&m->index, c->arena, (uint32_t)m->n_wheres, where_hash, all))
		return OMPP_NONE;
	return (uint32_t)m->n_wheres++;
}

void ompp_hot_merge(struct ompp_merge *c, const struct ompp_hot_sum *sum, uint64_t period_ns, uint32_t path,
                    uint32_t row)
{
	struct ompp_merge_hot *m = c->hot;
	uint32_t where = where_of(c, sum->ip);
	struct hot_entry *all;
	int64_t ns;

	all = ompp_arena_grow(c->arena, m->entries, &m->have, m->n + 1, sizeof(*all));
	if (!all || where == OMPP_NONE) {
		c->failed = 1;
		return;
	}
	if (__builtin_mul_overflow((int64_t)sum->n, (int64_t)period_ns, &ns))
		ns = INT64_MAX / 4;
	m->entries = all;
	all[m->n++] = (struct hot_entry){ path, row, where, sum->n, ns };
	m->wheres[where].n += sum->n;
}

/* ---- functions and lines ---- */

static int has_fewer(const void *context, uint32_t x, uint32_t y)
{
	const struct hot_where *w = context;

	return w[x].n != w[y].n ? w[x].n < w[y].n : w[x].ip > w[y].ip;
}

/* Returns the innermost frame in a source that is not one of compilers and libraries; NULL without one. */
static const struct ompp_debug_frame *own_frame(const struct ompp_debug_call *call)
{
	for (size_t i = 0; i < call->n_frames; i++)
		if (!call->frames[i].is_of_system && call->frames[i].line)
			return &call->frames[i];
	return NULL;
}

static const char *hot_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Is the symbol the function with the namespaces around it?  gcc leaves them out of the debug information's name where
 * the file alone sees the function: where it is static, or in a namespace without a name. */
static int is_qualified(const char *symbol, const char *function)
{
	size_t n = strcspn(symbol, "."), n_function = strlen(function);

	return n > n_function + 2 && !strncmp(symbol + n - n_function, function, n_function) &&
	       !strncmp(symbol + n - n_function - 2, "::", 2);
}

/* Has a file no table of symbols, but at most one of those that it exports? */
static uint32_t hot_is_stripped(struct ompp_merge *c, const char *path)
{
	struct ompp_merge_hot *m = c->hot;
	struct ompp_elf_symbols symbols;
	struct ompp_elf elf;

	if (m->looked_at && !strcmp(m->looked_at, path))
		return m->is_stripped;
	m->looked_at = ompp_arena_strdup(c->arena, path);
	m->is_stripped = 0;
	if (!ompp_elf_open(&elf, path)) {
		m->is_stripped = ompp_elf_symbols(&elf, SHT_SYMTAB, &symbols) != 0;
		ompp_elf_close(&elf);
	}
	return m->is_stripped;
}

/* Asks debug information and symbols about one instruction.  Returns 0 or -ENOMEM. */
static int hot_ask(struct ompp_merge *c, struct hot_where *w, struct ompp_loaded *file)
{
	const struct ompp_debug_frame *own;
	struct ompp_debug_call call;

	if (!w->ip || w->ip == OMPP_HOT_OWN || ompp_loaded_find(file, w->ip))
		return 0;
	if (strcmp(file->path, ompp_program_file))
		w->module = ompp_arena_strdup(c->arena, hot_base(file->path));
	if (!w->module)
		return -ENOMEM;
	if (ompp_debuginfo_call(file->path, file->offset, c->arena, &call))
		return 0;
	if (call.is_own) { /* hooks, or libompp as an archive */
		w->function = OMPP_PROFILE_OWN;
		w->module = "";
		return 0;
	}
	own = own_frame(&call);
	w->within = call.symbol;
	w->function = own && own->function[0] ? own->function : call.symbol;
	w->file = own ? own->file : "";
	w->line = own ? own->line : 0;
	if (own && own == &call.frames[call.n_frames - 1] && is_qualified(call.symbol, w->function))
		w->function = ompp_arena_strndup(c->arena, call.symbol, strcspn(call.symbol, "."));
	if (!w->function)
		return -ENOMEM;
	if (!strcmp(w->within, w->function))
		w->within = "";
	w->is_stripped = !w->function[0] && hot_is_stripped(c, file->path);
	return 0;
}

/* Finds the functions and lines of the instructions with most samples. */
static int find_wheres(struct ompp_merge *c)
{
	struct ompp_merge_hot *m = c->hot;
	struct ompp_loaded *file = ompp_arena_alloc(c->arena, sizeof(*file));
	uint32_t *order = ompp_sorted(c->arena, m->n_wheres, has_fewer, m->wheres);

	if (!file || !order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_wheres && i < MOST_ASKED; i++)
		if (hot_ask(c, &m->wheres[order[i]], file))
			return -ENOMEM;
	if (m->n_wheres)
		ompp_helper_end();
	return 0;
}

/* ---- the profile ---- */

static int spot_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_hot_spot *all = context;

	return ompp_record_compare(OMPP_SECTION_HOT_SPOTS, &all[x], &all[y]) > 0;
}

/* Fills in a spot for each entry, in order, and makes one of those that are alike. */
static int finish_spots(struct ompp_merge *c, struct ompp_profile *p)
{
	const struct ompp_merge_hot *m = c->hot;
	struct ompp_hot_spot *all = ompp_arena_alloc(c->arena, (m->n + 1) * sizeof(*all));
	struct ompp_hot_spot *out = ompp_arena_alloc(c->arena, (m->n + 1) * sizeof(*out));
	uint32_t *order;
	size_t n = 0;

	for (size_t i = 0; all && i < m->n; i++) {
		const struct hot_entry *e = &m->entries[i];
		const struct hot_where *w = &m->wheres[e->where];

		all[i] = (struct ompp_hot_spot){ .node = e->path,
			                         .row = c->rows[e->row].final,
			                         .module = w->module,
			                         .function = w->function,
			                         .within = w->within,
			                         .file = w->file,
			                         .line = w->line,
			                         .n = e->n,
			                         .ns = e->ns,
			                         .is_stripped = w->is_stripped };
	}
	order = all && out ? ompp_sorted(c->arena, m->n, spot_is_after, all) : NULL;
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++) {
		const struct ompp_hot_spot *spot = &all[order[i]];

		if (n && !ompp_record_compare(OMPP_SECTION_HOT_SPOTS, &out[n - 1], spot))
			ompp_record_add(OMPP_SECTION_HOT_SPOTS, &out[n - 1], spot);
		else
			out[n++] = *spot;
	}
	for (size_t i = 0; i < n; i++)
		ompp_assert(out[i].n);
	for (size_t i = 0; i < n; i++) /* of a Poisson count */
		out[i].error_ns = (int64_t)ompp_root((unsigned __int128)out[i].ns * (uint64_t)out[i].ns / out[i].n);
	p->hot_spots = out;
	p->n_hot_spots = n;
	return 0;
}

int ompp_hot_collect(struct ompp_merge *c, struct ompp_profile *p)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

	p->hot_period_ns = ompp_hot_period_ns;
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_hot *h = __atomic_load_n(&ompp_threads[i]->hot, __ATOMIC_ACQUIRE);

		p->n_hot_lost += h ? OMPP_LOAD(&h->n_lost) : 0;
		p->n_hot_stopped += h && OMPP_LOAD(&h->is_stopped);
	}
	return find_wheres(c) || finish_spots(c, p) ? -ENOMEM : 0;
}
