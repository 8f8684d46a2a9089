/*
 * Lines: see sum_lines.h.
 */
#include "runtime/data_sums/sum_lines.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/thread.h"
#include "runtime/data/block.h"
#include "runtime/data/object.h"
#include "runtime/data/sharing.h"
#include "runtime/data/site.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/sum_pattern.h"

enum { MAX_LINES = 100 };
enum { FARTHEST_START = 16 << 20 }; /* a block is looked for as far before a byte of it */

/* What one row wrote of one cache line within one region, and what it loaded from it while the line was watched
 * (data/sharing.h). */
struct ompp_merge_line {
	uintptr_t line;
	uint32_t object, region, row;
	uint64_t bytes, n_stores, n_transfers;
	uint64_t loaded, n_loads, n_fetches;
};

/* Returns the object that was named last of those that cover a byte. */
static uint32_t object_of(uint32_t cover)
{
	const struct ompp_cover *c = ompp_cover(cover);

	return c->objects[c->n_objects - 1];
}

void ompp_merge_lines(struct ompp_merge *c, const struct ompp_thread *t, const uint32_t *path, const uint32_t *row,
                      uint32_t n_nodes)
{
	const struct ompp_sharing_entry *entries;
	struct ompp_merge_line *lines;
	size_t i;

	c->n_lost_lines += OMPP_LOAD(&t->sharing.n_lost);
	if (!__atomic_load_n(&t->sharing.has_entries, __ATOMIC_ACQUIRE))
		return;
	entries = __atomic_load_n(&t->sharing.entries, __ATOMIC_ACQUIRE);
	for (i = 0; i < OMPP_SHARING_ENTRIES; i++) {
		const struct ompp_sharing_entry *e = &entries[i];
		uintptr_t line = __atomic_load_n(&e->line, __ATOMIC_ACQUIRE);
		const struct ompp_callnode *node = e->node;
		uint32_t at;

		if (!line || node->index >= n_nodes)
			continue;
		at = path[node->index];
		if (at == OMPP_NONE || !at)
			continue;
		lines = ompp_arena_grow(c->arena, c->lines, &c->have_lines, c->n_lines + 1, sizeof(*lines));
		if (!lines) {
			c->failed = 1;
			return;
		}
		c->lines = lines;
		lines[c->n_lines++] = (struct ompp_merge_line){ .line = line,
			                                        .object = ompp_allocation_object(c,
			                                                                         object_of(e->cover)),
			                                        .region = c->paths[at].region,
			                                        .row = row[node->index],
			                                        .bytes = OMPP_LOAD(&e->bytes),
			                                        .n_stores = OMPP_LOAD(&e->n_stores),
			                                        .n_transfers = OMPP_LOAD(&e->n_transfers),
			                                        .loaded = OMPP_LOAD(&e->loaded),
			                                        .n_loads = OMPP_LOAD(&e->n_loads),
			                                        .n_fetches = OMPP_LOAD(&e->n_fetches) };
	}
}

static int line_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_merge *c = context;
	const struct ompp_merge_line *a = &c->lines[x], *b = &c->lines[y];

	if (a->region != b->region)
		return a->region > b->region;
	if (a->line != b->line)
		return a->line > b->line;
	if (a->row != b->row)
		return c->rows[a->row].final > c->rows[b->row].final;
	return a->object > b->object;
}

static int shared_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_shared_line *lines = context;

	if (lines[x].n_stores != lines[y].n_stores)
		return lines[x].n_stores < lines[y].n_stores;
	return lines[x].region != lines[y].region ? lines[x].region > lines[y].region
	                                          : lines[x].offset_bytes > lines[y].offset_bytes;
}

/* Returns where the object begins that has a byte; 0 when nobody knows any more.  Of an object that is several blocks
 * it is the block that is there now. */
static uintptr_t start_of(uint32_t object, uintptr_t byte)
{
	const struct ompp_object_def *def = ompp_object(object);
	uintptr_t address = OMPP_LOAD(&def->address), start;

	if (byte - address < OMPP_LOAD(&def->n_bytes))
		return address;
	if (!def->site)
		return 0;
	start = ompp_block_start(byte, FARTHEST_START);
	return start && ompp_block_at(start).site == def->site ? start : 0;
}

/* Returns the address of the first byte that a thread wrote of a line. */
static uintptr_t first_byte(const struct ompp_merge_line *line)
{
	return line->line * OMPP_LINE_BYTES + (uintptr_t)__builtin_ctzll(line->bytes);
}

/* Writes which bytes a row wrote, and of which object unless name is NULL: "0: 0-7 16-23, 1: 8-15 of b".
 * shift: what is added to the offsets of bytes in the line */
static void put_bytes(struct ompp_text *t, const char *label, uint64_t bytes, int64_t shift, const char *name)
{
	unsigned int from = 0, to;

	ompp_text_str(t, t->n_bytes ? ", " : "");
	ompp_text_str(t, label);
	ompp_text_char(t, ':');
	while (from < OMPP_LINE_BYTES) {
		if (!(bytes >> from & 1)) {
			from++;
			continue;
		}
		for (to = from; to < OMPP_LINE_BYTES && bytes >> to & 1; to++)
			;
		ompp_text_char(t, ' ');
		ompp_text_i64(t, shift + from);
		ompp_text_char(t, '-');
		ompp_text_i64(t, shift + to - 1);
		from = to;
	}
	if (name) {
		ompp_text_str(t, " of ");
		ompp_text_str(t, name);
	}
}

/* Returns whether two rows wrote the same byte of a line; then they share the data and not the line alone.  Entries
 * [from, to) of the order are one line in one region, with the entries of a row next to each other. */
static int has_common_byte(const struct ompp_merge *c, const uint32_t *order, size_t from, size_t to)
{
	uint64_t all = 0, one = 0;

	for (size_t i = from; i < to; i++) {
		const struct ompp_merge_line *l = &c->lines[order[i]];

		if (i > from && c->lines[order[i - 1]].row != l->row) {
			all |= one;
			one = 0;
		}
		one |= l->bytes;
		if (all & one)
			return 1;
	}
	return 0;
}

/* Returns the bytes of a line that other rows than this one wrote, in whatever region.
 * by_line: all entries, ordered by their lines */
static uint64_t bytes_of_others(const struct ompp_merge *c, const uint32_t *by_line, uintptr_t line, uint32_t row)
{
	size_t lo = 0, hi = c->n_lines;
	uint64_t bytes = 0;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (c->lines[by_line[middle]].line < line)
			lo = middle + 1;
		else
			hi = middle;
	}
	for (; lo < c->n_lines && c->lines[by_line[lo]].line == line; lo++)
		bytes |= c->lines[by_line[lo]].row == row ? 0 : c->lines[by_line[lo]].bytes;
	return bytes;
}

/* Adds the rows that only load from the line, and had to fetch it for that, but loaded no byte that another row wrote:
 * these read other data, and pay for the line alone.  One that loads such a byte gets what it wants; one that stores to
 * the line, too, is found by its stores.  Entries [from, to) of the order are one line in one region, with the entries
 * of a row next to each other. */
static void add_readers(struct ompp_merge *c, const uint32_t *by_line, const uint32_t *order, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from, end; i < to; i = end) {
		struct ompp_merge_line sum = c->lines[order[i]];

		for (end = i + 1; end < to && c->lines[order[end]].row == sum.row; end++) {
			sum.bytes |= c->lines[order[end]].bytes;
			sum.loaded |= c->lines[order[end]].loaded;
			sum.n_loads += c->lines[order[end]].n_loads;
			sum.n_fetches += c->lines[order[end]].n_fetches;
		}
		if (sum.n_fetches && !sum.bytes && !(sum.loaded & bytes_of_others(c, by_line, sum.line, sum.row)))
			ompp_pattern_readers(c, sum.region, sum.row, sum.object, sum.n_fetches, sum.n_loads, !n++);
	}
}

/* Fills in a shared line from entries [from, to) of the order, which are one line in one region.  Returns 1, 0 when
 * only one row wrote the line, or -ENOMEM. */
static int add_shared(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *order, size_t from, size_t to,
                      const uint32_t *region_index, struct ompp_shared_line *out)
{
	const struct ompp_merge_line *first = &c->lines[order[from]], *most = first;
	char text[1024];
	struct ompp_text t;
	uint64_t bytes = 0;
	uint32_t n_rows = 0;
	uintptr_t start;
	int64_t shift;
	int is_false;
	size_t i, n_counted = 0;

	ompp_text_init(&t, text, sizeof(text));
	memset(out, 0, sizeof(*out));
	for (i = from; i < to; i++)
		if (c->lines[order[i]].n_stores > most->n_stores)
			most = &c->lines[order[i]];
	start = most->bytes ? start_of(most->object, first_byte(most)) : 0;
	shift = start ? (int64_t)(first->line * OMPP_LINE_BYTES - start) : 0;
	for (i = from; i < to; i++) {
		const struct ompp_merge_line *l = &c->lines[order[i]];

		out->n_stores += l->n_stores;
		out->n_transfers += l->n_transfers;
		bytes |= l->bytes;
		if ((i + 1 < to && c->lines[order[i + 1]].row == l->row) || !bytes)
			continue;
		n_rows++;
		put_bytes(&t, p->rows[c->rows[l->row].final].label, bytes, shift,
		          l->object == most->object ? NULL : ompp_object(l->object)->name);
		bytes = 0;
	}
	if (n_rows < 2)
		return 0;
	is_false = !has_common_byte(c, order, from, to);
	for (i = from; i < to && is_false; i++)
		if (c->lines[order[i]].n_stores)
			ompp_pattern_line(c, first->region, c->lines[order[i]].row, most->object,
			                  c->lines[order[i]].n_transfers, c->lines[order[i]].n_stores, !n_counted++);
	out->object = most->object;
	out->region = region_index[first->region];
	out->offset_bytes = !start ? OMPP_MISSING : shift > 0 ? shift : 0;
	out->rows = ompp_arena_strdup(c->arena, text);
	return out->rows ? 1 : -ENOMEM;
}

static int is_of_later_line(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_merge_line *lines = context;

	return lines[x].line > lines[y].line;
}

int ompp_collect_lines(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	uint32_t *order = ompp_arena_alloc(c->arena, (c->n_lines + 1) * sizeof(*order));
	const uint32_t *by_line = ompp_sorted(c->arena, c->n_lines, is_of_later_line, c->lines);
	struct ompp_shared_line *all = NULL, *out = ompp_arena_alloc(c->arena, MAX_LINES * sizeof(*out));
	size_t i, j, n = 0, have = 0;

	if (!order || !by_line || !out)
		return -ENOMEM;
	for (i = 0; i < c->n_lines; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, c->n_lines, line_is_after, c);
	for (i = 0; i < c->n_lines; i = j) {
		const struct ompp_merge_line *first = &c->lines[order[i]];
		int rc;

		for (j = i + 1; j < c->n_lines && c->lines[order[j]].line == first->line &&
		                c->lines[order[j]].region == first->region;
		     j++)
			;
		add_readers(c, by_line, order, i, j);
		all = ompp_arena_grow(c->arena, all, &have, n + 1, sizeof(*all));
		if (!all)
			return -ENOMEM;
		rc = add_shared(c, p, order, i, j, region_index, &all[n]);
		if (rc < 0)
			return rc;
		n += (size_t)rc;
	}
	for (i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, n, shared_is_after, all);
	for (i = 0; i < n && i < MAX_LINES; i++)
		out[i] = all[order[i]];
	p->shared_lines = out;
	p->n_shared_lines = i;
	return 0;
}
