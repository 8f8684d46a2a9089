/*
 * Allocations: see allocations.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/helper.h"
#include "runtime/base/option.h"
#include "runtime/base/sort.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/calls.h"
#include "runtime/collect/statement.h"
#include "runtime/core/session.h"
#include "runtime/data/block.h"
#include "runtime/data/object.h"
#include "runtime/data/site.h"

void (*ompp_collect_site_named)(uint32_t site, const char *name, const char *path);

enum { PATH_BYTES = 4096, NAME_BYTES = 160, MOST_SOURCE_BYTES = 4 << 20, MOST_CALLS_BYTES = 2000 };

/* A source file that was read. */
struct source {
	const char *path, *text;
	struct source *next;
};

/* A site, with its sums when the report began. */
struct allocation {
	const struct ompp_site *site;
	struct ompp_allocation out;
	uint32_t place, row; /* OMPP_NONE when not known; the row is not final */
	uint32_t leader;     /* the one, by its place in the array, that it is a part of; mostly itself */
	/* Two sites are copies of one where their keys and parts are the same: the places of their calls, the innermost
	 * first; and what tells calls apart that have one place. */
	const uint32_t *key;
	size_t n_key;
	uintptr_t part;
	const struct ompp_call *named_by; /* NULL when nothing is known of any call */
};

struct ompp_merge_allocations {
	struct allocation *all; /* [index - 1] */
	uint32_t n;
	struct ompp_calls *calls;
	struct source *sources;
};

void ompp_merge_allocations(struct ompp_merge *c, const struct ompp_thread *t, const uint32_t *place,
                            const uint32_t *row, uint32_t n_nodes)
{
	struct ompp_merge_allocations *m = c->allocations;

	for (uint32_t i = 0; i < m->n; i++) {
		struct allocation *a = &m->all[i];

		if (a->site->thread != t->slot + 1 || a->site->node >= n_nodes || place[a->site->node] == OMPP_NONE)
			continue;
		a->place = place[a->site->node];
		a->row = row[a->site->node];
	}
}

/* ---- the text of a source ---- */

/* Reads a regular file; "" where that is not possible. */
static const char *read_source(struct ompp_merge *c, const char *path)
{
	int fd = ompp_sys_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0);
	char *text = NULL;
	struct stat st;
	size_t n = 0;

	if (fd < 0)
		return "";
	if (!ompp_sys_fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size <= MOST_SOURCE_BYTES)
		text = ompp_arena_alloc(c->arena, (size_t)st.st_size + 1);
	while (text && n < (size_t)st.st_size) {
		int64_t now = ompp_sys_pread(fd, text + n, (size_t)st.st_size - n, (off_t)n);

		if (now <= 0)
			break;
		n += (size_t)now;
	}
	ompp_sys_close(fd);
	return text ? text : "";
}

static const char *source_text(struct ompp_merge *c, const char *path)
{
	struct source *s = c->allocations->sources;

	while (s && strcmp(s->path, path))
		s = s->next;
	if (!s) {
		s = ompp_arena_alloc(c->arena, sizeof(*s));
		if (!s)
			return "";
		*s = (struct source){ path, read_source(c, path), c->allocations->sources };
		c->allocations->sources = s;
	}
	return s->text;
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

static int is_of_program(const struct ompp_call *call)
{
	return call->own || (!call->is_ours && !call->at.n_frames && call->at.symbol[0] && !call->at.is_of_system);
}

/* Returns whether a function is one of the C library's that start the program or a thread, as static programs have
 * them.
 */
static int is_start(const char *symbol)
{
	static const char *const starts[] = { "_start", "__libc_start", "start_thread", "__clone", "clone" };

	for (size_t i = 0; i < OMPP_COUNT_OF(starts); i++)
		if (!strncmp(symbol, starts[i], strlen(starts[i])))
			return 1;
	return 0;
}

/* Returns how many calls tell about a site: what calls the program, behind its main() or a thread's function, is of no
 * use. */
static uint32_t n_useful(const struct ompp_call *const *calls, uint32_t n)
{
	while (n && !calls[n - 1]->own && (!is_of_program(calls[n - 1]) || is_start(calls[n - 1]->at.symbol)))
		n--;
	return n;
}

/* Returns the call that a site is named by, by its number: the innermost one of the program's own source, else in a
 * function of the program that has a name, else in the program itself, else the innermost one. */
static uint32_t choose(const struct ompp_call *const *calls, uint32_t n)
{
	uint32_t chosen = 0;
	int best = 0;

	for (uint32_t i = 0; i < n; i++) {
		int rank = !strcmp(calls[i]->loaded, "/proc/self/exe");

		rank = calls[i]->own ? 3 : is_of_program(calls[i]) ? 2 : rank;
		if (rank > best) {
			best = rank;
			chosen = i;
		}
	}
	return chosen;
}

/* Writes the program's own frames of a call, as "a.c:12 f"; its address where nothing is known of the source; nothing
 * of libompp. */
static void put_path(struct ompp_text *t, const struct ompp_call *call)
{
	if (call->is_ours)
		return;
	for (size_t i = 0; i < call->at.n_frames; i++) {
		const struct ompp_debug_frame *f = &call->at.frames[i];

		if (!f->line || f->is_of_system)
			continue;
		ompp_text_str(t, t->n_bytes ? ", " : "");
		ompp_call_put_frame(t, f);
		ompp_text_str(t, f->function[0] ? " " : "");
		ompp_text_str(t, f->function);
	}
	if (call->at.n_frames)
		return;
	ompp_text_str(t, t->n_bytes ? ", " : "");
	ompp_call_put_address(t, call);
}

/* Finds by which of n calls a site is named, and its key: of the useful calls, and at least of the named one and those
 * in it. */
static int find_key(struct ompp_merge *c, struct allocation *a, const struct ompp_call *const *calls, uint32_t n,
                    uint32_t useful)
{
	uint32_t chosen = choose(calls, n), *key;
	size_t n_key = 0;

	a->named_by = n ? calls[chosen] : NULL;
	n = useful > chosen ? useful : n ? chosen + 1 : 0;
	for (uint32_t i = 0; i < n; i++)
		n_key += calls[i]->n_places;
	key = ompp_arena_alloc(c->arena, (n_key + 1) * sizeof(*key));
	if (!key)
		return -ENOMEM;
	a->key = key;
	for (uint32_t i = 0; i < n; i++)
		for (size_t k = 0; k < calls[i]->n_places; k++)
			key[a->n_key++] = calls[i]->places[k];
	return 0;
}

/* Finds out about the calls of a site. */
static int find_calls(struct ompp_merge *c, struct allocation *a, char *buffer)
{
	const struct ompp_call *calls[OMPP_SITE_MOST_CALLERS];
	uint32_t i, n = a->site->n_callers, useful;
	struct ompp_text t;

	for (i = 0; i < n; i++) {
		calls[i] = ompp_call_at(c->allocations->calls, a->site->callers[i]);
		if (!calls[i])
			return -ENOMEM;
	}
	useful = n_useful(calls, n);
	if (find_key(c, a, calls, n, useful))
		return -ENOMEM;
	ompp_text_init(&t, buffer, PATH_BYTES);
	for (i = 0; i < useful; i++)
		put_path(&t, calls[i]);
	if (!t.n_bytes && n)
		ompp_call_put_address(&t, calls[0]);
	a->out.path = ompp_arena_strdup(c->arena, t.n_bytes ? buffer : "");
	a->out.allocator = allocator_name(c, a->site->allocator);
	ompp_text_init(&t, buffer, PATH_BYTES);
	for (i = 0; i < n && has_object(a); i++)
		if (calls[i]->loaded[0])
			ompp_site_put_call(&t, calls[i]->loaded, calls[i]->offset);
	a->out.calls = ompp_arena_strdup(c->arena, t.n_bytes ? buffer : "");
	return a->out.path && a->out.allocator && a->out.calls ? 0 : -ENOMEM;
}

/* ---- names of the calls on one line ---- */

static const struct ompp_debug_frame *own_of(const struct allocation *a)
{
	return a->named_by ? a->named_by->own : NULL;
}

static int key_order(const struct allocation *a, const struct allocation *b)
{
	size_t n = a->n_key < b->n_key ? a->n_key : b->n_key;

	for (size_t i = 0; i < n; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return a->n_key < b->n_key ? -1 : a->n_key > b->n_key;
}

static int line_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct allocation *a = (const struct allocation *)context + x,
				*b = (const struct allocation *)context + y;
	const struct ompp_debug_frame *f = own_of(a), *g = own_of(b);
	int d;

	if (!f || !g)
		return f || g ? !f : x > y;
	d = strcmp(f->file, g->file);
	d = d ? d : f->line < g->line ? -1 : f->line > g->line;
	d = d ? d : f->column < g->column ? -1 : f->column > g->column;
	d = d ? d : key_order(a, b);
	return d ? d > 0 : x > y;
}

/* The sites whose own calls are on one line, as line_is_after() orders them. */
struct group {
	struct allocation *all;
	const uint32_t *order;
	size_t n;
	struct ompp_statement line;
};

static struct allocation *member(const struct group *g, size_t i)
{
	return &g->all[g->order[i]];
}

/* Returns a name that begins with the line; NULL without memory. */
static const char *name_of(struct ompp_merge *c, const struct group *g, size_t call, const char *array)
{
	char buffer[NAME_BYTES];
	struct ompp_text t;
	size_t n;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_call_put_frame(&t, own_of(member(g, 0)));
	n = t.n_bytes;
	ompp_text_char(&t, ' ');
	if (array)
		ompp_text_str(&t, array);
	else
		ompp_statement_name(&t, &g->line, call);
	if (t.n_bytes == n + 1)
		buffer[n] = '\0';
	return ompp_arena_strdup(c->arena, buffer);
}

static int address_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct allocation *a = (const struct allocation *)context + x,
				*b = (const struct allocation *)context + y;

	return a->named_by->address != b->named_by->address ? a->named_by->address > b->named_by->address : x > y;
}

static int was_later(const void *context, uint32_t x, uint32_t y)
{
	(void)context;
	return x > y;
}

/* Leaves one site of each call in a list that is ordered by address.  Returns how many there are. */
static size_t one_of_each(const struct allocation *all, uint32_t *list, size_t n)
{
	size_t n_left = 0;

	for (size_t i = 0; i < n; i++)
		if (!n_left || all[list[n_left - 1]].named_by->address != all[list[i]].named_by->address)
			list[n_left++] = list[i];
	return n_left;
}

/* Names sites of one place of a Fortran source, which may be several calls: the arrays of one "allocate" share a
 * column. They are told apart by their return addresses, and get the names of the arrays by their order, where there is
 * a call for each array: then it is the order in which they were first made.  Where the compiler made copies of them
 * all, this has to be that of the addresses, too. column: the place's, by its number among the line's */
static int name_arrays(struct ompp_merge *c, const struct group *g, size_t column)
{
	uint32_t *order = ompp_arena_alloc(c->arena, 2 * g->n * sizeof(*order)), *first = order + g->n;
	uint32_t at = own_of(member(g, 0))->column;
	size_t n, n_arrays = ompp_statement_n_arrays(&g->line, at);
	int is_sure;

	if (!order)
		return -ENOMEM;
	memcpy(order, g->order, g->n * sizeof(*order));
	ompp_sort(order, g->n, address_is_after, g->all);
	n = one_of_each(g->all, order, g->n);
	memcpy(first, order, n * sizeof(*order));
	ompp_sort(first, n, was_later, NULL);
	is_sure = n_arrays &&
	          (n == n_arrays || n_arrays == 1 || (n % n_arrays == 0 && !memcmp(first, order, n * sizeof(*order))));
	for (size_t i = 0; i < g->n; i++) {
		struct allocation *a = member(g, i);
		char array[NAME_BYTES];
		struct ompp_text t;
		size_t k = 0;

		while (k + 1 < n && g->all[first[k]].named_by->address != a->named_by->address)
			k++;
		a->part = is_sure ? k % n_arrays : a->named_by->address;
		ompp_text_init(&t, array, sizeof(array));
		if (is_sure && n_arrays > 1)
			ompp_statement_array(&t, &g->line, at, k % n_arrays);
		a->out.name = name_of(c, g, column, t.n_bytes ? array : NULL);
		if (!a->out.name)
			return -ENOMEM;
	}
	return 0;
}

/* Names the sites of a line by their columns. */
static int name_by_columns(struct ompp_merge *c, const struct group *g)
{
	int is_fortran = ompp_statement_is_fortran(g->line.path);
	size_t i, end, column = 0;

	for (i = 0; i < g->n; i = end, column++) {
		uint32_t at = own_of(member(g, i))->column;
		const char *name = is_fortran ? NULL : name_of(c, g, column, NULL);

		if (!is_fortran && !name)
			return -ENOMEM;
		for (end = i; end < g->n && own_of(member(g, end))->column == at; end++)
			member(g, end)->out.name = name;
		while (is_fortran && i < end) { /* those of one call path */
			struct group path = { g->all, g->order + i, 0, g->line };

			while (i < end && !key_order(member(g, i), member(&path, 0))) {
				path.n++;
				i++;
			}
			if (name_arrays(c, &path, column))
				return -ENOMEM;
		}
	}
	return 0;
}

/* Names the sites of a line where columns are not known: by their calls, in the order in which these were first made.
 */
static int name_by_order(struct ompp_merge *c, struct group *g)
{
	uint32_t *order = ompp_arena_alloc(c->arena, (g->n + 1) * sizeof(*order));

	if (!order)
		return -ENOMEM;
	memcpy(order, g->order, g->n * sizeof(*order));
	ompp_sort(order, g->n, address_is_after, g->all);
	g->line.n = one_of_each(g->all, order, g->n);
	ompp_sort(order, g->line.n, was_later, NULL);
	for (size_t i = 0; i < g->n; i++) {
		struct allocation *a = member(g, i);
		size_t k = 0;

		while (k + 1 < g->line.n && g->all[order[k]].named_by->address != a->named_by->address)
			k++;
		a->out.name = name_of(c, g, k, NULL);
		if (!a->out.name)
			return -ENOMEM;
	}
	return 0;
}

static int name_line(struct ompp_merge *c, struct group *g)
{
	const struct ompp_debug_frame *f = own_of(member(g, 0));
	uint32_t *columns = ompp_arena_alloc(c->arena, g->n * sizeof(*columns));

	if (!columns)
		return -ENOMEM;
	g->line = (struct ompp_statement){ f->file, source_text(c, f->file), f->line, columns, 0 };
	for (size_t i = 0; i < g->n; i++) {
		uint32_t column = own_of(member(g, i))->column;

		if (!i || columns[g->line.n - 1] != column)
			columns[g->line.n++] = column;
	}
	if (columns[0])
		return name_by_columns(c, g);
	g->line.columns = NULL;
	return name_by_order(c, g);
}

/* Names a site of whose source nothing is known. */
static int name_by_address(struct ompp_merge *c, struct allocation *a)
{
	char buffer[NAME_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (a->named_by)
		ompp_call_put_address(&t, a->named_by);
	else
		ompp_text_str(&t, "(unknown)");
	a->out.name = ompp_arena_strdup(c->arena, buffer);
	return a->out.name ? 0 : -ENOMEM;
}

/* Names the n sites in `order`, a line at a time. */
static int name_sites(struct ompp_merge *c, uint32_t *order, size_t n)
{
	struct allocation *all = c->allocations->all;
	size_t i, end;

	ompp_sort(order, n, line_is_after, all);
	for (i = 0; i < n && own_of(&all[order[i]]); i = end) {
		const struct ompp_debug_frame *f = own_of(&all[order[i]]), *g = f;
		struct group group = { all, order + i, 0, { 0 } };

		for (end = i; g && g->file == f->file && g->line == f->line;
		     g = end < n ? own_of(&all[order[end]]) : NULL)
			end++;
		group.n = end - i;
		if (name_line(c, &group))
			return -ENOMEM;
	}
	for (; i < n; i++)
		if (name_by_address(c, &all[order[i]]))
			return -ENOMEM;
	return 0;
}

/* ---- objects ---- */

/* Orders sites so that copies of one call stand side by side. */
static int copy_order(const struct allocation *a, const struct allocation *b)
{
	int d = key_order(a, b);

	d = d ? d : a->part < b->part ? -1 : a->part > b->part;
	return d ? d : strcmp(a->out.allocator, b->out.allocator);
}

static int copy_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct allocation *a = (const struct allocation *)context + x,
				*b = (const struct allocation *)context + y;
	int d = copy_order(a, b);

	return d ? d > 0 : has_object(a) != has_object(b) ? has_object(a) < has_object(b) : x > y;
}

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

/* Makes copies of one call one: compilers copy a call when they unroll loops or clone functions. The peak of all is
 * between the largest and the sum of their peaks.  Returns how many are left of the n in `order`. */
static size_t join_copies(struct ompp_merge *c, struct allocation *all, uint32_t *order, size_t n)
{
	size_t n_left = 0, i;

	ompp_sort(order, n, copy_is_after, all);
	for (i = 0; i < n; i++) {
		struct allocation *a = &all[order[i]], *to = n_left ? &all[order[n_left - 1]] : NULL;
		int64_t least;

		if (!to || copy_order(to, a)) {
			order[n_left++] = order[i];
			continue;
		}
		a->leader = order[n_left - 1];
		join_calls(c, to, a);
		least = to->out.peak_bytes - to->out.peak_error;
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
	return n_left;
}

static int name_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct allocation *all = context;
	int d = strcmp(all[x].out.name, all[y].out.name);

	return d                                              ? d > 0
	     : all[x].out.peak_bytes != all[y].out.peak_bytes ? all[x].out.peak_bytes < all[y].out.peak_bytes
	                                                      : x > y;
}

/* Numbers sites of one name, the one with the most memory first: each name is one object. */
static int number_names(struct ompp_merge *c, const uint32_t *order, size_t n)
{
	struct allocation *all = c->allocations->all;
	char buffer[NAME_BYTES + 16];
	uint32_t number = 1;
	const char *last = "";

	for (size_t i = 0; i < n; i++) {
		struct allocation *a = &all[order[i]];
		struct ompp_text t;

		number = strcmp(a->out.name, last) ? 1 : number + 1;
		last = a->out.name;
		if (number == 1)
			continue;
		ompp_text_init(&t, buffer, sizeof(buffer));
		ompp_text_str(&t, a->out.name);
		ompp_text_str(&t, " #");
		ompp_text_u64(&t, number);
		a->out.name = ompp_arena_strdup(c->arena, buffer);
		if (!a->out.name)
			return -ENOMEM;
	}
	return 0;
}

/* Finds the names of the sites.  Returns 0 or -ENOMEM. */
static int find_names(struct ompp_merge *c)
{
	struct ompp_merge_allocations *m = c->allocations;
	uint32_t *order = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*order));
	char *buffer = ompp_arena_alloc(c->arena, PATH_BYTES);
	size_t n = 0;

	m->calls = ompp_calls_new(c);
	if (!order || !buffer || !m->calls)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n; i++) {
		if (!m->all[i].out.n_blocks)
			continue;
		if (find_calls(c, &m->all[i], buffer))
			return -ENOMEM;
		order[n++] = i;
	}
	if (n)
		ompp_helper_end();
	if (name_sites(c, order, n))
		return -ENOMEM;
	n = join_copies(c, m->all, order, n);
	ompp_sort(order, n, name_is_after, m->all);
	return number_names(c, order, n);
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
		m->all[i] = (struct allocation){ .site = s, .place = OMPP_NONE, .row = OMPP_NONE, .leader = i };
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
		if (a->place != OMPP_NONE && c->places[a->place].region)
			out[i].region = region_index[c->places[a->place].region];
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
