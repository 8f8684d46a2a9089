/*
 * Members: see sum_members.h.
 */
#include "runtime/data_sums/sum_members.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "reports/profile/record.h"
#include "runtime/access/access_member.h"
#include "runtime/base/sort.h"
#include "runtime/core/callgraph.h"
#include "runtime/data/member_use.h"
#include "runtime/data/object.h"
#include "runtime/data_sums/allocations.h"

enum {
	LINE_BYTES = 64,
	MOST_LINE_ELEMENT = 64 << 10,
	MOST_SCALAR = 8,   /* larger accesses may be copies, and single bytes may be those of anything */
	UNFIT_SHARE = 100, /* fewer, one in so many, change the share of no member by more than one in a hundred */
	LEAST_UNFIT = 16   /* fewer may be copies of whole structures by words that overlap */
};

/* What a thread has counted at one place of an object's elements. */
struct member_raw {
	uint32_t path, row, object; /* object: that of the profile */
	uint32_t how, offset, n_bytes;
	uint64_t n;
	const struct ompp_element *element;
};

struct ompp_merge_members {
	struct member_raw *all;
	size_t n, have;
	struct ompp_member_access *sums;
	size_t n_sums, have_sums;
	unsigned char *unfit; /* by the profile's object: its members are left out */
	struct ompp_members_unfit of_unfit;
};

void ompp_merge_members(struct ompp_merge *c, const struct ompp_thread *t, const uint32_t *path, const uint32_t *row,
                        uint32_t n_nodes)
{
	const struct ompp_member_uses *uses = t->member_uses;
	struct ompp_merge_members *m;

	if (!uses)
		return;
	if (!c->members)
		c->members = ompp_arena_alloc(c->arena, sizeof(*c->members));
	m = c->members;
	for (uint32_t i = 0; m && i < OMPP_MEMBER_USES; i++) {
		const struct ompp_member_use *u = &uses->use[i];
		const struct ompp_callnode *node = __atomic_load_n(&u->node, __ATOMIC_ACQUIRE);
		const struct ompp_element *element = node ? ompp_access_element(u->object) : NULL;
		struct member_raw *all;

		if (!element || node->index >= n_nodes || path[node->index] == OMPP_NONE)
			continue;
		all = ompp_arena_grow(c->arena, m->all, &m->have, m->n + 1, sizeof(*all));
		if (!all) {
			m = NULL;
			break;
		}
		m->all = all;
		all[m->n++] = (struct member_raw){ .path = path[node->index],
			                           .row = row[node->index],
			                           .object = ompp_allocation_object(c, u->object),
			                           .how = u->how,
			                           .offset = u->offset,
			                           .n_bytes = u->n_bytes,
			                           .n = OMPP_LOAD(&u->n),
			                           .element = element };
	}
	if (!m)
		c->failed = 1;
}

/* ---- structures ---- */

static int raw_is_after(const void *all, uint32_t x, uint32_t y)
{
	const struct member_raw *a = (const struct member_raw *)all + x, *b = (const struct member_raw *)all + y;

	return a->object != b->object ? a->object > b->object : a->path != b->path ? a->path > b->path : x > y;
}

static const char *kind_name(uint32_t kind)
{
	static const char *const names[] = { "", "padding", "bits", "union", "vtable" };

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "";
}

static int put_members(const struct ompp_merge *c, struct ompp_profile *p, uint32_t object,
                       const struct ompp_element *e, struct ompp_member **all, size_t *have)
{
	struct ompp_member *m = ompp_arena_grow(c->arena, *all, have, p->n_members + e->n, sizeof(*m));

	if (!m)
		return -ENOMEM;
	*all = m;
	p->members = m;
	for (size_t i = 0; i < e->n; i++) {
		struct ompp_member *one = &m[p->n_members++];

		*one = (struct ompp_member){ .object = object,
			                     .number = (uint32_t)i,
			                     .name = e->members[i].name,
			                     .type = e->members[i].type,
			                     .kind = kind_name(e->members[i].kind),
			                     .offset = e->members[i].offset,
			                     .n_bytes = e->members[i].n_bytes,
			                     .n_places = 1 };
		for (uint32_t k = 0; k < e->members[i].n_arrays; k++)
			one->n_places *= e->members[i].arrays[k].n;
	}
	return 0;
}

/* ---- memory that has other things than these structures ---- */

/* Do accesses of scalars, order[0] to order[n - 1] of an object, show that other things are in its memory: one in
 * UNFIT_SHARE is where no scalar of the structure begins or ends? */
static int are_unfit(struct ompp_merge_members *m, const uint32_t *order, size_t n)
{
	uint64_t n_all = 0, n_unfit = 0;

	for (size_t i = 0; i < n; i++) {
		const struct member_raw *raw = &m->all[order[i]];

		if (raw->n_bytes < 2 || raw->n_bytes > MOST_SCALAR)
			continue;
		n_all += raw->n;
		n_unfit += ompp_element_fits(raw->element, raw->offset, raw->n_bytes) ? 0 : raw->n;
	}
	if (n_unfit < LEAST_UNFIT || n_unfit * UNFIT_SHARE < n_all)
		return 0;
	if (!m->of_unfit.n_objects++)
		m->of_unfit.object = m->all[order[0]].object;
	m->of_unfit.n_unfit += n_unfit;
	for (size_t i = 0; i < n; i++)
		m->of_unfit.n_all += m->all[order[i]].n;
	return m->unfit[m->all[order[0]].object] = 1;
}

struct ompp_members_unfit ompp_members_unfit(const struct ompp_merge *c)
{
	return c->members ? c->members->of_unfit : (struct ompp_members_unfit){ 0 };
}

int ompp_members_are_unfit(const struct ompp_merge *c, uint32_t object)
{
	return c->members && c->members->unfit && c->members->unfit[object];
}

/* ---- sums ---- */

static int member_is_same(const struct ompp_element *a, const struct ompp_element *b)
{
	return a == b || (a->n_bytes == b->n_bytes && a->n == b->n && !strcmp(a->type, b->type));
}

/* Adds accesses to one place of a structure to the members there. */
static int put_accesses(struct ompp_merge *c, const struct member_raw *raw)
{
	struct ompp_merge_members *m = c->members;
	struct ompp_element_place place;

	for (uint64_t at = raw->offset, left = raw->n_bytes; left; at += place.n_bytes, left -= place.n_bytes) {
		struct ompp_member_access *sum;

		place = ompp_element_at(raw->element, at, left);
		if (place.member == OMPP_ELEMENT_NO_MEMBER)
			continue;
		sum = ompp_arena_grow(c->arena, m->sums, &m->have_sums, m->n_sums + 1, sizeof(*sum));
		if (!sum)
			return -ENOMEM;
		m->sums = sum;
		sum += m->n_sums++;
		*sum = (struct ompp_member_access){ .node = raw->path,
			                            .row = c->rows[raw->row].final,
			                            .object = raw->object,
			                            .member = (uint32_t)place.member };
		*(raw->how == OMPP_MEMBER_LOAD    ? &sum->loads
		  : raw->how == OMPP_MEMBER_STORE ? &sum->stores
		                                  : &sum->atomics) = raw->n;
		*(raw->how == OMPP_MEMBER_LOAD    ? &sum->load_bytes
		  : raw->how == OMPP_MEMBER_STORE ? &sum->store_bytes
		                                  : &sum->atomic_bytes) = raw->n * place.n_bytes;
	}
	return 0;
}

static int sum_is_after(const void *all, uint32_t x, uint32_t y)
{
	const struct ompp_member_access *sums = all;

	return ompp_record_compare(OMPP_SECTION_MEMBER_ACCESSES, &sums[x], &sums[y]) > 0;
}

static int finish_sums(const struct ompp_merge *c, struct ompp_profile *p)
{
	const struct ompp_merge_members *m = c->members;
	uint32_t *order = ompp_sorted(c->arena, m->n_sums, sum_is_after, m->sums);
	struct ompp_member_access *out = ompp_arena_alloc(c->arena, (m->n_sums + 1) * sizeof(*out));
	size_t n = 0;

	if (!order || !out)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_sums; i++) {
		const struct ompp_member_access *one = &m->sums[order[i]];

		if (n && !ompp_record_compare(OMPP_SECTION_MEMBER_ACCESSES, &out[n - 1], one))
			ompp_record_add(OMPP_SECTION_MEMBER_ACCESSES, &out[n - 1], one);
		else
			out[n++] = *one;
	}
	p->member_accesses = out;
	p->n_member_accesses = n;
	return 0;
}

/* ---- lines ---- */

/* Finds what is used of the lines of structures of which these bytes are used, the first of them at a phase of a line.
 * used: a byte for each of the structure's, not 0 where it is used */
static void find_lines(struct ompp_structure_line *line, const unsigned char *used, uint64_t n_bytes, uint64_t phase)
{
	uint64_t n = 1, in_line = 0;

	while (n * n_bytes % LINE_BYTES)
		n++;
	/* from the begin of a line on, where the structure is at this place of it */
	for (uint64_t at = 0; at < n * n_bytes; at++) {
		in_line += used[(at + n * n_bytes - phase % (n * n_bytes)) % n_bytes] != 0;
		if ((at + 1) % LINE_BYTES)
			continue;
		line->n_lines += in_line > 0;
		line->line_bytes += in_line;
		in_line = 0;
	}
}

/* Adds what one region uses: the accesses from..to of the order. */
static int put_line(struct ompp_merge *c, const uint32_t *order, size_t n, const uint32_t *regions, uint32_t region,
                    struct ompp_structure_line *line)
{
	const struct member_raw *all = c->members->all;
	const struct ompp_element *e = all[order[0]].element;
	unsigned char *used = ompp_arena_alloc(c->arena, (size_t)e->n_bytes);
	int is_any = 0;

	if (!used)
		return -ENOMEM;
	*line = (struct ompp_structure_line){ .object = all[order[0]].object, .region = region };
	for (size_t i = 0; i < n; i++) {
		const struct member_raw *raw = &all[order[i]];

		if (regions[raw->path] != region || !member_is_same(raw->element, e) || raw->offset >= e->n_bytes)
			continue;
		is_any = 1;
		memset(used + raw->offset, 1,
		       (size_t)(raw->n_bytes < e->n_bytes - raw->offset ? raw->n_bytes : e->n_bytes - raw->offset));
	}
	for (uint64_t i = 0; i < e->n_bytes; i++)
		line->used_bytes += used[i];
	if (e->n_bytes <= MOST_LINE_ELEMENT && !(e->flags & OMPP_ELEMENT_OPEN))
		find_lines(line, used, e->n_bytes, ompp_access_element_phase(line->object));
	return is_any;
}

/* Adds the lines of one object: the accesses order[0] to order[n - 1]. */
static int put_lines(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *order, size_t n,
                     const uint32_t *regions, struct ompp_structure_line **lines, size_t *have)
{
	size_t first = p->n_structure_lines;

	for (size_t i = 0; i < n; i++) {
		uint32_t region = regions[c->members->all[order[i]].path];
		struct ompp_structure_line *all;
		size_t k = first;
		int rc;

		while (k < p->n_structure_lines && (*lines)[k].region != region)
			k++;
		if (k < p->n_structure_lines)
			continue;
		all = ompp_arena_grow(c->arena, *lines, have, p->n_structure_lines + 1, sizeof(*all));
		if (!all)
			return -ENOMEM;
		*lines = all;
		p->structure_lines = all;
		rc = put_line(c, order, n, regions, region, &all[p->n_structure_lines]);
		if (rc < 0)
			return rc;
		for (k = p->n_structure_lines; rc && k > first && all[k - 1].region > all[k].region; k--) {
			struct ompp_structure_line other = all[k];

			all[k] = all[k - 1];
			all[k - 1] = other;
		}
		p->n_structure_lines += (size_t)rc;
	}
	return 0;
}

/* Returns the region of each call path, by its index in the profile. */
static uint32_t *regions_of_paths(const struct ompp_merge *c, const uint32_t *region_index)
{
	uint32_t *regions = ompp_arena_alloc(c->arena, (c->n_paths + 1) * sizeof(*regions));

	for (size_t i = 0; regions && i < c->n_paths; i++)
		regions[i] = c->paths[i].region ? region_index[c->paths[i].region] : OMPP_NONE;
	return regions;
}

int ompp_collect_members(struct ompp_merge *c, struct ompp_profile *p, const uint32_t *region_index)
{
	struct ompp_merge_members *m = c->members;
	uint32_t *order = m ? ompp_sorted(c->arena, m->n, raw_is_after, m->all) : NULL;
	uint32_t *regions = m ? regions_of_paths(c, region_index) : NULL;
	struct ompp_structure *structures = m ? ompp_arena_alloc(c->arena, (p->n_objects + 1) * sizeof(*structures))
	                                      : NULL;
	struct ompp_structure_line *lines = NULL;
	struct ompp_member *members = NULL;
	size_t have_members = 0, have_lines = 0, end;

	if (!m)
		return 0;
	m->unfit = ompp_arena_alloc(c->arena, p->n_objects + 1);
	if (!order || !regions || !structures || !m->unfit)
		return -ENOMEM;
	memset(m->unfit, 0, p->n_objects + 1);
	p->structures = structures;
	for (size_t i = 0; i < m->n; i = end) {
		const struct member_raw *first = &m->all[order[i]];

		for (end = i + 1; end < m->n && m->all[order[end]].object == first->object; end++)
			;
		if (first->object >= p->n_objects) /* it is newer than the report */
			continue;
		if (are_unfit(m, order + i, end - i))
			continue;
		structures[p->n_structures++] = (struct ompp_structure){ first->object, first->element->type,
			                                                 first->element->n_bytes };
		if (put_members(c, p, first->object, first->element, &members, &have_members) ||
		    put_lines(c, p, order + i, end - i, regions, &lines, &have_lines))
			return -ENOMEM;
		for (size_t k = i; k < end; k++)
			if (member_is_same(m->all[order[k]].element, first->element) &&
			    put_accesses(c, &m->all[order[k]]))
				return -ENOMEM;
	}
	return finish_sums(c, p);
}
