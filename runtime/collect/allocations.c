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
#include "runtime/base/loaded.h"
#include "runtime/base/option.h"
#include "runtime/base/sort.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/data/block.h"
#include "runtime/data/object.h"
#include "runtime/data/site.h"
#include "runtime/program/debuginfo.h"

void (*ompp_collect_site_named)(uint32_t site, const char *name, const char *path);

enum {
	MOST_ASKED = 5000, /* calls whose lines are asked for; a question takes some 50 us */
	FUNCTION_BYTES = 512,
	PATH_BYTES = 4096,
	NAME_BYTES = 160,
	MOST_SOURCE_BYTES = 4 << 20,
	MOST_VARIABLE_BYTES = 40,
	MOST_ALIKE = 1000,
	MOST_CALLS_BYTES = 2000
};

/* A call of the program, by its return address. */
struct call {
	uintptr_t address;
	const char *file, *function; /* "" when they are not known */
	const char *loaded;          /* the file in memory, and where in it: "" and 0 when it is not loaded any more */
	uintptr_t offset;
	uint32_t line; /* 0 when it is not known, or is none of the program's own source */
};

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
};

struct ompp_merge_allocations {
	struct allocation *all; /* [index - 1] */
	uint32_t n;
	struct call *calls;
	size_t n_calls, have_calls;
	struct ompp_index call_index;
	struct source *sources;
	uint64_t n_unasked;
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

/* ---- calls ---- */

static uint32_t address_hash(uintptr_t address)
{
	return (uint32_t)((uint64_t)address * 0x9E3779B97F4A7C15u >> 32);
}

static uint32_t call_hash(const void *context, uint32_t i)
{
	return address_hash(((const struct call *)context)[i].address);
}

/* Finds where in the source a call is.  Returns 0 or -ENOMEM. */
static int ask(struct ompp_merge *c, struct call *call, struct ompp_loaded *file, char *path)
{
	char function[FUNCTION_BYTES];

	call->file = call->function = call->loaded = "";
	if (ompp_loaded_find(file, call->address - 1))
		return 0;
	call->offset = call->address - file->bias;
	call->loaded = ompp_arena_strdup(c->arena, file->path);
	if (c->allocations->n_calls > MOST_ASKED) {
		c->allocations->n_unasked++;
		return call->loaded ? 0 : -ENOMEM;
	}
	call->line = ompp_debuginfo_call(file->path, call->offset - 1, path, OMPP_LOADED_PATH_BYTES, function,
	                                 sizeof(function));
	if (call->line) {
		call->file = ompp_arena_strdup(c->arena, path);
		call->function = ompp_arena_strdup(c->arena, function);
	}
	return call->loaded && call->file && call->function ? 0 : -ENOMEM;
}

/* Returns what is known of a call; NULL without memory. */
static const struct call *call_at(struct ompp_merge *c, uintptr_t address, struct ompp_loaded *file, char *path)
{
	struct ompp_merge_allocations *m = c->allocations;
	size_t at = address_hash(address);
	struct call *all;
	uint32_t i;

	while ((i = ompp_index_next(&m->call_index, &at)) != OMPP_INDEX_FREE)
		if (m->calls[i].address == address)
			return &m->calls[i];
	all = ompp_arena_grow(c->arena, m->calls, &m->have_calls, m->n_calls + 1, sizeof(*all));
	if (!all)
		return NULL;
	m->calls = all;
	all[m->n_calls] = (struct call){ .address = address };
	if (ask(c, &all[m->n_calls], file, path) ||
	    ompp_index_put(&m->call_index, c->arena, (uint32_t)m->n_calls, call_hash, all))
		return NULL;
	return &all[m->n_calls++];
}

/* ---- the text of a source line ---- */

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

/* Returns a line of a source file, which ends at its '\n' or NUL; "" where there is none. */
static const char *source_line(struct ompp_merge *c, const char *path, uint32_t line)
{
	struct source *s = c->allocations->sources;
	const char *at;

	while (s && strcmp(s->path, path))
		s = s->next;
	if (!s) {
		s = ompp_arena_alloc(c->arena, sizeof(*s));
		if (!s)
			return "";
		*s = (struct source){ path, read_source(c, path), c->allocations->sources };
		c->allocations->sources = s;
	}
	for (at = s->text; at && line > 1; line--) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at ? at : "";
}

static int is_word(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

static int is_end(char ch)
{
	return ch == '\0' || ch == '\n';
}

/* Writes the variable that is assigned to, "a" or "s->field[i]", as far as the line shows one. */
static size_t put_variable(struct ompp_text *t, const char *line, const char *sign)
{
	const char *end = sign, *start;
	int depth = 0;

	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (start = end; start > line; start--) {
		char ch = start[-1];

		depth += ch == ']' ? 1 : ch == '[' ? -1 : 0;
		if (!(is_word(ch) || ch == '.' || ch == ']' || ch == '[' || ch == '%' || (depth && ch != '*') ||
		      (ch == '>' && start - 1 > line && start[-2] == '-') || (ch == '-' && *start == '>')))
			break;
	}
	if (depth || end - start <= 0 || end - start > MOST_VARIABLE_BYTES || !(is_word(*start)))
		return 0;
	ompp_text_strn(t, start, (size_t)(end - start));
	return (size_t)(end - start);
}

static int has(const char *word, size_t n, const char *part)
{
	size_t k = strlen(part);

	for (size_t i = 0; i + k <= n; i++)
		if (!strncmp(word + i, part, k))
			return 1;
	return 0;
}

/* Finds the next function that is called, or "new"; casts and sizeof are none.  Returns where it stands, and the length
 * of its name; NULL when there is none before the end.
 * allocates: finds only functions whose names say that they allocate */
static const char *find_call(const char *at, const char *end, int allocates, size_t *n)
{
	for (; at < end; at += *n ? *n : 1) {
		for (*n = 0; at + *n < end && is_word(at[*n]); ++*n)
			;
		if (*n == 3 && !strncmp(at, "new", 3))
			return at;
		if (*n && at + *n < end && at[*n] == '(' && *n <= MOST_VARIABLE_BYTES &&
		    !(*n == 6 && !strncmp(at, "sizeof", 6)) &&
		    (!allocates || has(at, *n, "alloc") || has(at, *n, "memalign") || has(at, *n, "mmap")))
			return at;
	}
	return NULL;
}

static const char *line_end(const char *at)
{
	while (!is_end(*at))
		at++;
	return at;
}

/* Writes such a call, as "malloc(…)" or "new".  Returns 0 when there is none. */
static int put_call(struct ompp_text *t, const char *at, int allocates)
{
	size_t n;

	at = find_call(at, line_end(at), allocates, &n);
	if (!at)
		return 0;
	ompp_text_strn(t, at, n);
	if (n != 3 || strncmp(at, "new", 3))
		ompp_text_str(t, "(…)");
	return 1;
}

/* Returns the end of the value that begins here: a comma or semicolon outside of its parentheses, or one that closes
 * what is around it. */
static const char *value_end(const char *at)
{
	int depth = 0;

	for (; !is_end(*at); at++) {
		depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
		if (depth < 0 || (!depth && strchr(",;", *at)))
			break;
	}
	return at;
}

/* Returns the sign of the assignment of a line whose value is allocated, as "p = malloc(n)" behind "int n = 9;" or
 * within "for (i = 0; …)": the first one that calls what says that it allocates, else what calls anything, else the
 * first.  NULL when the line has none. */
static const char *assignment(const char *line)
{
	const char *best = NULL;
	int best_rank = -1;
	size_t n;

	for (const char *at = line; !is_end(*at); at++) {
		const char *end;
		int rank;

		if (*at != '=' || at == line || at[1] == '=' || strchr("=<>!+-*/%&|^", at[-1]))
			continue;
		end = value_end(at + 1);
		rank = find_call(at + 1, end, 1, &n) ? 2 : find_call(at + 1, end, 0, &n) ? 1 : 0;
		if (rank > best_rank) {
			best = at;
			best_rank = rank;
		}
	}
	return best;
}

/* Writes the variables of a Fortran line: what is allocated, or declared behind "::".  Returns 1 when it is one. */
static int put_fortran(struct ompp_text *t, const char *path, const char *line)
{
	const char *dot = strrchr(path, '.'), *at, *end;

	if (!dot || (dot[1] | 32) != 'f')
		return 0;
	for (at = line; !is_end(*at) && (at[0] != ':' || at[1] != ':'); at++)
		;
	if (is_end(*at))
		for (at = line; *at == ' ' || *at == '\t'; at++)
			;
	else
		for (at += 2; *at == ' '; at++)
			;
	for (end = at; !is_end(*end) && *end != '!' && *end != '&' && end - at < MOST_VARIABLE_BYTES; end++)
		;
	while (end > at && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	ompp_text_strn(t, at, (size_t)(end - at));
	return 1;
}

/* Writes a line as it is, without a comment at its end, as far as there is room. */
static void put_line(struct ompp_text *t, const char *line)
{
	const char *end;

	while (*line == ' ' || *line == '\t')
		line++;
	for (end = line;
	     !is_end(*end) && strncmp(end, "//", 2) && strncmp(end, "/*", 2) && end - line < MOST_VARIABLE_BYTES; end++)
		;
	while (end > line && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	ompp_text_strn(t, line, (size_t)(end - line));
}

static int is_directive(const char *line)
{
	while (*line == ' ' || *line == '\t')
		line++;
	return *line == '#';
}

/* Writes what the source line says of the allocation: "a = malloc(…)", "allocate(a(n))". */
static void put_statement(struct ompp_text *t, const char *path, const char *line)
{
	const char *sign = assignment(line);
	size_t before = t->n_bytes;

	ompp_text_char(t, ' ');
	if (is_directive(line)) {
		put_line(t, line);
	} else if (put_fortran(t, path, line)) {
		/* that is all */
	} else if (sign && put_variable(t, line, sign)) {
		size_t end;

		end = t->n_bytes;
		ompp_text_str(t, " = ");
		if (!put_call(t, sign + 1, 0))
			t->n_bytes = end;
	} else if (!put_call(t, line, 1)) {
		put_line(t, line);
	}
	if (t->n_bytes == before + 1)
		t->n_bytes = before;
	t->data[t->n_bytes] = '\0';
}

/* ---- names ---- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Writes "a.c:12"; "prog+0x1149" where the line is not known. */
static void put_place(struct ompp_text *t, const struct call *call)
{
	if (call->line) {
		ompp_text_str(t, base_of(call->file));
		ompp_text_char(t, ':');
		ompp_text_u64(t, call->line);
		return;
	}
	ompp_text_str(t, !call->loaded[0]                          ? "(unloaded)"
	                 : !strcmp(call->loaded, "/proc/self/exe") ? ompp_session_app()
	                                                           : base_of(call->loaded));
	ompp_text_str(t, "+0x");
	ompp_text_hex(t, call->offset);
}

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

/* Names a site by the innermost call of the program's own source, else by one of the program itself, else by the
 * innermost one. */
static int name_site(struct ompp_merge *c, struct allocation *a, struct ompp_loaded *file, char *buffer)
{
	const struct call *calls[OMPP_SITE_CALLERS], *chosen = NULL;
	struct ompp_text t;
	uint32_t i, n;

	for (i = 0; i < a->site->n_callers; i++) {
		if (!call_at(c, a->site->callers[i], file, buffer))
			return -ENOMEM;
	}
	for (i = 0; i < a->site->n_callers; i++) { /* the array of calls has stopped to grow */
		calls[i] = call_at(c, a->site->callers[i], file, buffer);
		if (calls[i]->line && (!chosen || !chosen->line))
			chosen = calls[i];
		else if (!chosen && !strcmp(calls[i]->loaded, "/proc/self/exe"))
			chosen = calls[i];
	}
	if (!chosen && a->site->n_callers)
		chosen = calls[0];
	ompp_text_init(&t, buffer, NAME_BYTES);
	if (chosen)
		put_place(&t, chosen);
	else
		ompp_text_str(&t, "(unknown)");
	if (chosen && chosen->line)
		put_statement(&t, chosen->file, source_line(c, chosen->file, chosen->line));
	a->out.name = ompp_arena_strdup(c->arena, buffer);
	ompp_text_init(&t, buffer, PATH_BYTES);
	for (n = a->site->n_callers; n > 1 && !calls[n - 1]->line; n--) /* what calls the program is of no use */
		;
	for (i = 0; i < n; i++) {
		ompp_text_str(&t, i ? ", " : "");
		put_place(&t, calls[i]);
		if (calls[i]->function[0]) {
			ompp_text_char(&t, ' ');
			ompp_text_str(&t, calls[i]->function);
		}
	}
	a->out.path = ompp_arena_strdup(c->arena, buffer);
	a->out.allocator = allocator_name(c, a->site->allocator);
	ompp_text_init(&t, buffer, PATH_BYTES);
	for (i = 0; i < a->site->n_callers && has_object(a); i++)
		if (calls[i]->loaded[0])
			ompp_site_put_call(&t, calls[i]->loaded, calls[i]->offset);
	a->out.calls = ompp_arena_strdup(c->arena, t.n_bytes ? buffer : "");
	return a->out.name && a->out.path && a->out.allocator && a->out.calls ? 0 : -ENOMEM;
}

static int same_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct allocation *a = (const struct allocation *)context + x,
				*b = (const struct allocation *)context + y;
	int d = strcmp(a->out.name, b->out.name);

	d = d ? d : strcmp(a->out.path, b->out.path);
	d = d ? d : strcmp(a->out.allocator, b->out.allocator);
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

/* Makes sites that the source does not tell apart one: compilers copy a call when they unroll loops or inline
 * functions. The peak of all is between the largest and the sum of their peaks.  Returns how many are left of the n in
 * `order`. */
static size_t join_copies(struct ompp_merge *c, struct allocation *all, uint32_t *order, size_t n)
{
	size_t n_left = 0, i;

	ompp_sort(order, n, same_is_after, all);
	for (i = 0; i < n; i++) {
		struct allocation *a = &all[order[i]], *to = n_left ? &all[order[n_left - 1]] : NULL;
		int64_t least;

		if (!to || strcmp(to->out.name, a->out.name) || strcmp(to->out.path, a->out.path) ||
		    strcmp(to->out.allocator, a->out.allocator)) {
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
	struct ompp_loaded *file = ompp_arena_alloc(c->arena, sizeof(*file));
	uint32_t *order = ompp_arena_alloc(c->arena, (m->n + (size_t)1) * sizeof(*order));
	char *buffer = ompp_arena_alloc(c->arena, OMPP_LOADED_PATH_BYTES + PATH_BYTES);
	size_t n = 0;

	if (!file || !order || !buffer)
		return -ENOMEM;
	for (uint32_t i = 0; i < m->n; i++) {
		if (!m->all[i].out.n_blocks)
			continue;
		if (name_site(c, &m->all[i], file, buffer))
			return -ENOMEM;
		order[n++] = i;
	}
	if (n)
		ompp_helper_end();
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
	if (c->allocations->n_unasked)
		notes[(*n)++] = (struct ompp_profile_note){
			"calls that allocate were not looked for in the source, as there are so many",
			c->allocations->n_unasked
		};
}
