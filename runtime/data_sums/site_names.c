/*
 * Site names: see site_names.h.
 */
#define _GNU_SOURCE
#include "runtime/data_sums/site_names.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/program_file.h"
#include "runtime/base/sort.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/data/site.h"
#include "runtime/program/statement.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 160, MOST_SOURCE_BYTES = 4 << 20, MOST_OWNERS = 3 };

/* A source file that was read. */
struct ompp_site_source {
	const char *path, *text;
	struct ompp_site_source *next;
};

/* ---- the text of a source ---- */

/* Reads a regular file; "" where that is not possible. */
static const char *read_source(struct ompp_site_names *c, const char *path)
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

static const char *source_text(struct ompp_site_names *c, const char *path)
{
	struct ompp_site_source *s = c->sources;

	while (s && strcmp(s->path, path))
		s = s->next;
	if (!s) {
		s = ompp_arena_alloc(c->arena, sizeof(*s));
		if (!s)
			return "";
		*s = (struct ompp_site_source){ path, read_source(c, path), c->sources };
		c->sources = s;
	}
	return s->text;
}

/* ---- names ---- */

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
static uint32_t site_names_choose(const struct ompp_call *const *calls, uint32_t n)
{
	uint32_t chosen = 0;
	int best = 0;

	for (uint32_t i = 0; i < n; i++) {
		int rank = !strcmp(calls[i]->loaded, ompp_program_file);

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
static int find_key(struct ompp_site_names *c, struct ompp_site_name *a, const struct ompp_call *const *calls,
                    uint32_t n, uint32_t useful)
{
	uint32_t chosen = site_names_choose(calls, n), *key;
	size_t n_key = 0;

	a->named_by = n ? calls[chosen] : NULL;
	n = useful > chosen ? useful : n ? chosen + 1 : 0;
	for (uint32_t i = 0; i < n; i++)
		n_key += calls[i]->n_locations;
	key = ompp_arena_alloc(c->arena, (n_key + 1) * sizeof(*key));
	if (!key)
		return -ENOMEM;
	a->key = key;
	for (uint32_t i = 0; i < n; i++)
		for (size_t k = 0; k < calls[i]->n_locations; k++)
			key[a->n_key++] = calls[i]->locations[k];
	return 0;
}

/* Finds out about the calls of a site. */
static int find_calls(struct ompp_site_names *c, struct ompp_site_name *a, char *buffer)
{
	const struct ompp_call *calls[OMPP_SITE_MOST_CALLERS];
	uint32_t i, n = a->n_callers, useful;
	struct ompp_text t;

	for (i = 0; i < n; i++) {
		calls[i] = ompp_call_at(c->calls, a->callers[i]);
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
	a->path = ompp_arena_strdup(c->arena, t.n_bytes ? buffer : "");
	ompp_text_init(&t, buffer, PATH_BYTES);
	for (i = 0; i < n && a->has_object; i++)
		if (calls[i]->loaded[0])
			ompp_site_put_call(&t, calls[i]->loaded, calls[i]->offset);
	a->calls = ompp_arena_strdup(c->arena, t.n_bytes ? buffer : "");
	return a->path && a->calls ? 0 : -ENOMEM;
}

/* ---- names of the calls on one line ---- */

static const struct ompp_debug_frame *own_of(const struct ompp_site_name *a)
{
	return a->named_by ? a->named_by->own : NULL;
}

static int key_order(const struct ompp_site_name *a, const struct ompp_site_name *b)
{
	size_t n = a->n_key < b->n_key ? a->n_key : b->n_key;

	for (size_t i = 0; i < n; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return a->n_key < b->n_key ? -1 : a->n_key > b->n_key;
}

static int line_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_site_name *a = (const struct ompp_site_name *)context + x,
				    *b = (const struct ompp_site_name *)context + y;
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
	struct ompp_site_name *all;
	const uint32_t *order;
	size_t n;
	struct ompp_statement line;
};

static struct ompp_site_name *site_names_member(const struct group *g, size_t i)
{
	return &g->all[g->order[i]];
}

/* Returns a name that begins with the line; NULL without memory. */
static const char *name_of(struct ompp_site_names *c, const struct group *g, size_t call, const char *array)
{
	char buffer[NAME_BYTES];
	struct ompp_text t;
	size_t n;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_call_put_frame(&t, own_of(site_names_member(g, 0)));
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
	const struct ompp_site_name *a = (const struct ompp_site_name *)context + x,
				    *b = (const struct ompp_site_name *)context + y;

	return a->named_by->address != b->named_by->address ? a->named_by->address > b->named_by->address : x > y;
}

static int was_later(const void *context, uint32_t x, uint32_t y)
{
	(void)context;
	return x > y;
}

/* Leaves one site of each call in a list that is ordered by address.  Returns how many there are. */
static size_t one_of_each(const struct ompp_site_name *all, uint32_t *list, size_t n)
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
 * all, this has to be that of the addresses, too. column: the location's, by its number among the line's */
static int name_arrays(struct ompp_site_names *c, const struct group *g, size_t column)
{
	uint32_t *order = ompp_arena_alloc(c->arena, 2 * g->n * sizeof(*order)), *first = order + g->n;
	uint32_t at = own_of(site_names_member(g, 0))->column;
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
		struct ompp_site_name *a = site_names_member(g, i);
		char array[NAME_BYTES];
		struct ompp_text t;
		size_t k = 0;

		while (k + 1 < n && g->all[first[k]].named_by->address != a->named_by->address)
			k++;
		a->part = is_sure ? k % n_arrays : a->named_by->address;
		ompp_text_init(&t, array, sizeof(array));
		if (is_sure && n_arrays > 1)
			ompp_statement_array(&t, &g->line, at, k % n_arrays);
		a->name = name_of(c, g, column, t.n_bytes ? array : NULL);
		if (!a->name)
			return -ENOMEM;
	}
	return 0;
}

/* Names the sites of a line by their columns. */
static int name_by_columns(struct ompp_site_names *c, const struct group *g)
{
	int is_fortran = ompp_statement_is_fortran(g->line.path);
	size_t i, end, column = 0;

	for (i = 0; i < g->n; i = end, column++) {
		uint32_t at = own_of(site_names_member(g, i))->column;
		const char *name = is_fortran ? NULL : name_of(c, g, column, NULL);

		if (!is_fortran && !name)
			return -ENOMEM;
		for (end = i; end < g->n && own_of(site_names_member(g, end))->column == at; end++)
			site_names_member(g, end)->name = name;
		while (is_fortran && i < end) { /* those of one call path */
			struct group path = { g->all, g->order + i, 0, g->line };

			while (i < end && !key_order(site_names_member(g, i), site_names_member(&path, 0))) {
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
static int name_by_order(struct ompp_site_names *c, struct group *g)
{
	uint32_t *order = ompp_arena_alloc(c->arena, (g->n + 1) * sizeof(*order));

	if (!order)
		return -ENOMEM;
	memcpy(order, g->order, g->n * sizeof(*order));
	ompp_sort(order, g->n, address_is_after, g->all);
	g->line.n = one_of_each(g->all, order, g->n);
	ompp_sort(order, g->line.n, was_later, NULL);
	for (size_t i = 0; i < g->n; i++) {
		struct ompp_site_name *a = site_names_member(g, i);
		size_t k = 0;

		while (k + 1 < g->line.n && g->all[order[k]].named_by->address != a->named_by->address)
			k++;
		a->name = name_of(c, g, k, NULL);
		if (!a->name)
			return -ENOMEM;
	}
	return 0;
}

static int name_line(struct ompp_site_names *c, struct group *g)
{
	const struct ompp_debug_frame *f = own_of(site_names_member(g, 0));
	uint32_t *columns = ompp_arena_alloc(c->arena, g->n * sizeof(*columns));

	if (!columns)
		return -ENOMEM;
	g->line = (struct ompp_statement){ f->file, source_text(c, f->file), f->line, columns, 0 };
	for (size_t i = 0; i < g->n; i++) {
		uint32_t column = own_of(site_names_member(g, i))->column;

		if (!i || columns[g->line.n - 1] != column)
			columns[g->line.n++] = column;
	}
	if (columns[0])
		return name_by_columns(c, g);
	g->line.columns = NULL;
	return name_by_order(c, g);
}

/* Names a site of whose source nothing is known. */
static int name_by_address(struct ompp_site_names *c, struct ompp_site_name *a)
{
	char buffer[NAME_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (a->named_by)
		ompp_call_put_address(&t, a->named_by);
	else
		ompp_text_str(&t, "(unknown)");
	a->name = ompp_arena_strdup(c->arena, buffer);
	return a->name ? 0 : -ENOMEM;
}

/* Names the n sites in `order`, a line at a time. */
static int name_sites(struct ompp_site_names *c, uint32_t *order, size_t n)
{
	struct ompp_site_name *all = c->all;
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

/* ---- copies ---- */

/* Orders sites so that copies of one call stand side by side. */
static int copy_order(const struct ompp_site_name *a, const struct ompp_site_name *b)
{
	int d = key_order(a, b);

	d = d ? d : a->part < b->part ? -1 : a->part > b->part;
	return d ? d : strcmp(a->allocator, b->allocator);
}

static int copy_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_site_name *a = (const struct ompp_site_name *)context + x,
				    *b = (const struct ompp_site_name *)context + y;
	int d = copy_order(a, b);

	return d ? d > 0 : a->has_object != b->has_object ? a->has_object < b->has_object : x > y;
}

int ompp_site_names_find(struct ompp_site_names *c, uint32_t *order, size_t n)
{
	char *buffer = ompp_arena_alloc(c->arena, PATH_BYTES);

	if (!buffer)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (find_calls(c, &c->all[order[i]], buffer))
			return -ENOMEM;
	if (name_sites(c, order, n))
		return -ENOMEM;
	ompp_sort(order, n, copy_is_after, c->all);
	for (size_t i = 0; i < n; i++)
		c->all[order[i]].leader = i && !copy_order(&c->all[order[i - 1]], &c->all[order[i]])
		                                ? c->all[order[i - 1]].leader
		                                : order[i];
	return 0;
}

/* ---- sites of one name ---- */

static int name_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_site_name *all = context;
	int d = strcmp(all[x].name, all[y].name);

	return d ? d > 0 : all[x].weight != all[y].weight ? all[x].weight < all[y].weight : x > y;
}

/* Appends the variable that a frame's statement sets or declares: "a" of "a = make(…)"; nothing when it is not sure
 * that there is one. */
static void put_variable(struct ompp_site_names *c, struct ompp_text *t, const struct ompp_debug_frame *f)
{
	struct ompp_statement line = { f->file, source_text(c, f->file), f->line, f->column ? &f->column : NULL, 1 };
	char buffer[NAME_BYTES], *sign;
	struct ompp_text name;

	ompp_text_init(&name, buffer, sizeof(buffer));
	if (!ompp_statement_name(&name, &line, 0))
		return;
	sign = strstr(buffer, " = ");
	if (sign)
		*sign = '\0';
	else if (strchr(buffer, '('))
		return; /* a function of a variable */
	ompp_text_str(t, buffer);
}

/* Appends the variable that is set by a call around the one that a site is named by: the first one that is known, or
 * one behind that. */
static void put_owner(struct ompp_site_names *c, struct ompp_text *t, const struct ompp_site_name *a, size_t behind)
{
	int is_around = 0;

	for (uint32_t i = 0; i < a->n_callers; i++) {
		const struct ompp_call *call = ompp_call_at(c->calls, a->callers[i]);

		for (size_t k = 0; call && k < call->at.n_frames; k++) {
			const struct ompp_debug_frame *f = &call->at.frames[k];
			size_t n = t->n_bytes;

			if (!is_around || !f->line || f->is_of_system) {
				is_around |= f == own_of(a);
				continue;
			}
			put_variable(c, t, f);
			if (t->n_bytes == n)
				continue;
			if (!behind--)
				return;
			t->n_bytes = n;
			t->data[n] = '\0';
		}
	}
}

/* Tells sites of one name apart by what the calls around them set, "p = malloc(…) for a", where these are not all the
 * same.  Returns 0 or -ENOMEM.
 * order: of the n sites */
static int name_owners(struct ompp_site_names *c, const uint32_t *order, size_t n)
{
	struct ompp_site_name *all = c->all;
	const char **names = ompp_arena_alloc(c->arena, n * sizeof(*names));
	int differ = 0;

	if (!names)
		return -ENOMEM;
	for (size_t behind = 0; behind < MOST_OWNERS && !differ; behind++)
		for (size_t i = 0; i < n; i++) {
			char buffer[2 * NAME_BYTES];
			struct ompp_text t;
			size_t n_name;

			ompp_text_init(&t, buffer, sizeof(buffer));
			ompp_text_str(&t, all[order[i]].name);
			ompp_text_str(&t, " for ");
			n_name = t.n_bytes;
			put_owner(c, &t, &all[order[i]], behind);
			names[i] = t.n_bytes == n_name ? all[order[i]].name : ompp_arena_strdup(c->arena, buffer);
			if (!names[i])
				return -ENOMEM;
			differ |= strcmp(names[i], names[0]) != 0;
		}
	for (size_t i = 0; i < n && differ; i++)
		all[order[i]].name = names[i];
	return 0;
}

int ompp_site_names_number(struct ompp_site_names *c, uint32_t *order, size_t n)
{
	struct ompp_site_name *all = c->all;
	char buffer[2 * NAME_BYTES + 16];
	uint32_t number = 1;
	const char *last = "";

	ompp_sort(order, n, name_is_after, all);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !strcmp(all[order[i]].name, all[order[end]].name); end++)
			;
		if (end - i > 1 && own_of(&all[order[i]]) && name_owners(c, order + i, end - i))
			return -ENOMEM;
	}
	ompp_sort(order, n, name_is_after, all);
	for (size_t i = 0; i < n; i++) {
		struct ompp_site_name *a = &all[order[i]];
		struct ompp_text t;

		number = strcmp(a->name, last) ? 1 : number + 1;
		last = a->name;
		if (number == 1)
			continue;
		ompp_text_init(&t, buffer, sizeof(buffer));
		ompp_text_str(&t, a->name);
		ompp_text_str(&t, " #");
		ompp_text_u64(&t, number);
		a->name = ompp_arena_strdup(c->arena, buffer);
		if (!a->name)
			return -ENOMEM;
	}
	return 0;
}
