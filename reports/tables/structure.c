/*
 * Structure: see structure.h.
 */
#include "reports/tables/structure.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "runtime/base/sort.h"

enum { HOT_SHARE = 10 };

static uint32_t region_of(const struct ompp_profile *p, uint32_t i)
{
	uint32_t node = p->member_accesses[i].node;

	return node ? p->nodes[node].region : OMPP_NONE;
}

static int use_is_after(const void *profile, uint32_t x, uint32_t y)
{
	const struct ompp_profile *p = profile;
	const struct ompp_member_access *a = &p->member_accesses[x], *b = &p->member_accesses[y];
	uint32_t r = region_of(p, x), s = region_of(p, y);

	if (a->object != b->object)
		return a->object > b->object;
	if (r != s)
		return r > s;
	if (a->member != b->member)
		return a->member > b->member;
	return a->row != b->row ? a->row > b->row : x > y;
}

int ompp_structures_start(struct ompp_structures *all, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *order = ompp_sorted(a->arena, p->n_member_accesses, use_is_after, p);

	*all = (struct ompp_structures){ .analysis = a, .order = order };
	for (size_t i = 0; order && i < p->n_member_accesses; i++) {
		uint32_t region = region_of(p, order[i]);

		if (region == OMPP_NONE ? a->n_order == p->n_regions : a->shown[region])
			order[all->n_order++] = order[i];
	}
	return order ? 0 : -ENOMEM;
}

/* Finds the members of an object, which stand together. */
static void find_members(const struct ompp_profile *p, struct ompp_structure_use *use)
{
	size_t i = 0;

	while (i < p->n_members && p->members[i].object != use->structure->object)
		i++;
	use->members = p->members + i;
	while (i + use->n < p->n_members && p->members[i + use->n].object == use->structure->object &&
	       p->members[i + use->n].number == use->n)
		use->n++;
}

static void structure_add(struct ompp_member_access *sum, const struct ompp_member_access *one)
{
	sum->loads += one->loads;
	sum->stores += one->stores;
	sum->atomics += one->atomics;
	sum->load_bytes += one->load_bytes;
	sum->store_bytes += one->store_bytes;
	sum->atomic_bytes += one->atomic_bytes;
}

/* Adds the accesses of one region, which begin at a place of the order.  Returns where those of the next one begin. */
static size_t add_part(const struct ompp_structures *all, struct ompp_structure_use *use, size_t i)
{
	const struct ompp_profile *p = all->analysis->profile;
	struct ompp_structure_part *part = &use->parts[use->n_parts++];
	size_t first = i;

	*part = (struct ompp_structure_part){ .region = region_of(p, all->order[i]), .first = i };
	part->sums = ompp_analysis_array(all->analysis, use->n + 1, sizeof(*part->sums), 0);
	for (; part->sums && i < all->n_order; i++) {
		const struct ompp_member_access *one = &p->member_accesses[all->order[i]];

		if (one->object != use->structure->object || region_of(p, all->order[i]) != part->region)
			break;
		if (one->member >= use->n)
			continue;
		structure_add(&part->sums[one->member], one);
		structure_add(&use->sums[one->member], one);
	}
	part->n_uses = i - first;
	return i > first ? i : first + 1;
}

static void sum_up(struct ompp_structure_use *use)
{
	for (size_t i = 0; i < use->n; i++) {
		uint64_t n = ompp_member_accesses(&use->sums[i]), n_bytes = ompp_member_bytes(&use->sums[i]);

		use->all_bytes += n_bytes;
		use->has_atomics |= use->sums[i].atomics != 0;
		if (ompp_member_is_padding(&use->members[i]))
			continue;
		use->n_bytes += n_bytes;
		use->n_accesses += n;
		use->n_most = n > use->n_most ? n : use->n_most;
	}
}

int ompp_structure_use(const struct ompp_structures *all, size_t structure, struct ompp_structure_use *use)
{
	const struct ompp_analysis *a = all->analysis;
	const struct ompp_profile *p = a->profile;
	size_t i = 0, n_parts = 0;

	*use = (struct ompp_structure_use){ .structure = &p->structures[structure] };
	find_members(p, use);
	while (i < all->n_order && p->member_accesses[all->order[i]].object < use->structure->object)
		i++;
	for (size_t k = i; k < all->n_order && p->member_accesses[all->order[k]].object == use->structure->object; k++)
		n_parts += k == i || region_of(p, all->order[k]) != region_of(p, all->order[k - 1]);
	use->sums = ompp_analysis_array(a, use->n + 1, sizeof(*use->sums), 0);
	use->parts = ompp_analysis_array(a, n_parts + 1, sizeof(*use->parts), 0);
	if (!use->sums || !use->parts)
		return -ENOMEM;
	while (use->n_parts < n_parts) {
		i = add_part(all, use, i);
		if (!use->parts[use->n_parts - 1].sums)
			return -ENOMEM;
	}
	sum_up(use);
	return 0;
}

uint64_t ompp_member_accesses(const struct ompp_member_access *sum)
{
	return sum->loads + sum->stores + sum->atomics;
}

uint64_t ompp_member_bytes(const struct ompp_member_access *sum)
{
	return sum->load_bytes + sum->store_bytes + sum->atomic_bytes;
}

int ompp_member_is_padding(const struct ompp_member *member)
{
	return !strcmp(member->kind, "padding");
}

enum ompp_member_use_class ompp_member_use_class(const struct ompp_structure_use *use, size_t member)
{
	uint64_t n = ompp_member_accesses(&use->sums[member]);

	if (ompp_member_is_padding(&use->members[member]))
		return OMPP_MEMBER_PADDING;
	return !n ? OMPP_MEMBER_UNUSED : n < use->n_most / HOT_SHARE ? OMPP_MEMBER_COLD : OMPP_MEMBER_HOT;
}

const char *ompp_member_use_word(enum ompp_member_use_class class)
{
	static const char *const words[] = { "hot", "cold", "not used", "padding" };

	return words[class];
}

int64_t ompp_members_together(const struct ompp_structure_use *use, size_t a, size_t b)
{
	int64_t fewer = 0, more = 0;

	for (size_t i = 0; i < use->n_parts; i++) {
		int64_t n = ompp_count(ompp_member_accesses(&use->parts[i].sums[a])),
			m = ompp_count(ompp_member_accesses(&use->parts[i].sums[b]));

		fewer = ompp_add(fewer, n < m ? n : m);
		more = ompp_add(more, n < m ? m : n);
	}
	return ompp_share(fewer, more);
}
